//! Indices of which a loop's variable is a term: `i`, `i + 1`, `n * k + i - 1`.

use crate::ir::*;
use crate::table::Table;
use crate::walk::Vars;
use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::quote;

/// `base + i + offset`, `i` being the loop's variable.
#[derive(Clone)]
pub struct Shift {
    /// What does not change in the loop, if there is any.
    pub base: Option<Opaque>,
    /// A number.
    pub offset: i64,
}

impl Shift {
    /// The index as a shift of `var`, if it is one; `inside` is what changes in the loop.
    pub fn of(table: &Table, index: &Opaque, var: Var, inside: &Vars) -> Option<Shift> {
        let name = table.info(var).name.to_string();
        if let Some(offset) = crate::stencils::offset(&name, index) {
            return Some(Shift { base: None, offset });
        }
        let (mut plus, mut minus, mut offset, mut seen) = (Vec::new(), Vec::new(), 0, 0);
        for (sign, term) in terms(index.tokens.clone())? {
            match (&term[..], number(&term)) {
                ([TokenTree::Ident(i)], _) if *i == name && sign > 0 => seen += 1,
                (_, Some(n)) => offset += sign * n,
                (_, None) if term.iter().any(|t| mentions(t, &name)) => return None,
                (_, None) if sign > 0 => plus.push(term.into_iter().collect::<TokenStream>()),
                _ => minus.push(term.into_iter().collect::<TokenStream>()),
            }
        }
        if seen != 1 || plus.is_empty() {
            return None;
        }
        let mut base = Opaque { tokens: quote!(#(#plus)+* #(- #minus)*), ..index.clone() };
        base.reads.remove(&var);
        base.shapes.remove(&var);
        (!base.depends_on(inside)).then_some(Shift { base: Some(base), offset })
    }

    /// The index that the loop has where its variable is `at`, `further` on.
    pub fn at(base: Option<&Opaque>, at: &Opaque, further: i64) -> Opaque {
        let Some(base) = base else { return crate::stencils::shifted(at, further) };
        let mut index = base.clone();
        let (tokens, at_tokens) = (&base.tokens, crate::stencils::atom(at));
        index.tokens = match at.tokens.to_string() == "0" {
            true => quote!(#tokens),
            false => quote!(#tokens + #at_tokens),
        };
        index.reads.extend(&at.reads);
        index.shapes.extend(&at.shapes);
        let (tokens, size) = (&index.tokens, Literal::i64_unsuffixed(further.abs()));
        index.tokens = match further {
            0 => quote!(#tokens),
            1.. => quote!(#tokens + #size),
            _ => quote!(#tokens - #size),
        };
        index
    }
}

/// The terms of a sum with their signs; none if the tokens are no sum.
fn terms(tokens: TokenStream) -> Option<Vec<(i64, Vec<TokenTree>)>> {
    let mut all = vec![(1, Vec::new())];
    for tree in tokens {
        let sign = match &tree {
            TokenTree::Punct(p) => match p.as_char() {
                '+' => Some(1),
                '-' => Some(-1),
                '*' | '/' | '%' | '.' => None,
                _ => return None,
            },
            TokenTree::Ident(i) if i == "as" => return None,
            _ => None,
        };
        match (sign, all.last_mut()) {
            (Some(sign), _) => all.push((sign, Vec::new())),
            (None, Some((_, term))) => term.push(tree),
            (None, None) => return None,
        }
    }
    all.iter().all(|(_, term)| !term.is_empty()).then_some(all)
}

fn number(term: &[TokenTree]) -> Option<i64> {
    match term {
        [TokenTree::Literal(l)] => l.to_string().trim_end_matches("usize").parse().ok(),
        _ => None,
    }
}

fn mentions(tree: &TokenTree, name: &str) -> bool {
    match tree {
        TokenTree::Ident(i) => i == name,
        TokenTree::Group(g) => g.stream().into_iter().any(|t| mentions(&t, name)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Role;
    use proc_macro2::Span;

    fn shift(index: &str) -> Option<(String, i64)> {
        let item: syn::ItemFn = syn::parse_quote!(
            fn f(x: f64) -> f64 {
                x
            }
        );
        let function = crate::parse::lower(&Default::default(), &item, None).expect("the function is accepted");
        let mut table = Table::of(&function);
        let var = table.fresh("i", Ty::Passive, Role::Primal, Span::call_site());
        let tokens = index.replace("I", &table.info(var).name.to_string()).parse().expect("tokens");
        let index = Opaque { reads: [var].into(), ..Opaque::literal(tokens) };
        let text = |o: Option<Opaque>| o.map(|o| o.tokens.to_string()).unwrap_or_default();
        Shift::of(&table, &index, var, &Vars::new()).map(|s| (text(s.base), s.offset))
    }

    #[test]
    fn sums_with_the_variable() {
        let found = |base: &str, offset| Some((base.to_owned(), offset));
        assert_eq!(shift("I"), found("", 0));
        assert_eq!(shift("I - 2"), found("", -2));
        assert_eq!(shift("n * k + I"), found("n * k", 0));
        assert_eq!(shift("I + (k - 1) * n + 1"), found("(k - 1) * n", 1));
        assert_eq!(shift("I - 1 + x.len() - m"), found("x . len () - m", -1));
    }

    #[test]
    fn anything_else() {
        for index in
            ["n - I", "I * n", "n + I / 2", "I + I + n", "I - n", "n << I", "n + I as usize", "n", "n + (I + 1)"]
        {
            assert_eq!(shift(index), None, "{index}");
        }
    }
}
