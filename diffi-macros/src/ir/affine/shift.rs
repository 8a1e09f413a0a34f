//! Indices of which a loop's variable is a term: `i`, `i + 1`, `n * k + i - 1`; and the last of several, `[k - 1, i + 1]`.

use crate::ir::symbols::Table;
use crate::ir::visit::Vars;
use crate::ir::*;
use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};
use quote::quote;

/// `base + stride * i + offset`, `i` being the loop's variable.
#[derive(Clone)]
pub struct Shift {
    /// What does not change in the loop, if there is any. Of several indices: all of them, with zero for what the last one is without it.
    pub base: Option<PassiveCode>,
    /// A number above zero; one where there is a base.
    pub stride: i64,
    /// A number.
    pub offset: i64,
}

/// The longest step over which a loop takes elements together.
const LONGEST: i64 = 8;

impl Shift {
    /// The index as a shift of `var`, if it is one; `inside` is what changes in the loop.
    pub fn of(table: &Table, index: &PassiveCode, var: Var, inside: &Vars) -> Option<Shift> {
        if !index.reads.contains(&var) {
            return None;
        }
        let name = table.info(var).name.to_string();
        if let Some(offset) = crate::ir::affine::offset(&name, index) {
            return Some(Shift { base: None, stride: 1, offset });
        }
        Shift::behind(&name, index, var, inside).or_else(|| Shift::strided(&name, index))
    }

    /// The same of an index into an array, whose last index is a shift of `var` while the others stay as they are.
    pub fn in_row(table: &Table, index: &PassiveCode, var: Var, inside: &Vars) -> Option<Shift> {
        let Some(mut all) = several(index).filter(|_| is_list(index)) else {
            return Shift::of(table, index, var, inside);
        };
        all.iter_mut().for_each(|part| narrow(table, part));
        let (last, lead) = all.split_last()?;
        let Shift { base, stride: 1, offset } = Shift::of(table, last, var, inside)? else { return None };
        let stays = |o: &PassiveCode| !o.reads.contains(&var) && !o.depends_on(inside);
        let last = base.unwrap_or_else(|| PassiveCode::literal(quote!(0)));
        lead.iter().all(stays).then(|| Shift { base: Some(together(lead, &last)), stride: 1, offset })
    }

    /// The row in which an element lies, and where: the last index is a shift of `var`, and those in front of it stay as they are.
    pub fn of_element(table: &Table, place: &Place, var: Var, inside: &Vars) -> Option<(Place, Shift)> {
        let (Proj::Index(index), lead) = place.path.split_last()? else { return None };
        let row = Place { root: place.root, path: lead.to_vec() };
        let mut stays = lead.iter().all(|step| matches!(step, Proj::Index(_) | Proj::Range(..)));
        row.indices(&mut |o| stays &= !o.reads.contains(&var) && !o.depends_on(inside));
        let shift = Shift::in_row(table, index, var, inside).filter(|_| stays)?;
        Some((row, shift))
    }

    /// A multiple of the variable, and less than a step more.
    fn strided(name: &str, index: &PassiveCode) -> Option<Shift> {
        let Multiple { stride, of, rest } = multiple(index)?;
        let fits = of == name && (2..=LONGEST).contains(&stride) && (0..stride).contains(&rest);
        fits.then_some(Shift { base: None, stride, offset: rest })
    }

    /// The variable behind something that does not change in the loop.
    fn behind(name: &str, index: &PassiveCode, var: Var, inside: &Vars) -> Option<Shift> {
        let (mut plus, mut minus, mut offset, mut seen) = (Vec::new(), Vec::new(), 0, 0);
        for (sign, term) in terms(index.tokens.clone())? {
            match (&term[..], number(&term)) {
                ([TokenTree::Ident(i)], _) if i == name && sign > 0 => seen += 1,
                (_, Some(n)) => offset += sign * n,
                (_, None) if term.iter().any(|t| mentions(t, name)) => return None,
                (_, None) if sign > 0 => plus.push(term.into_iter().collect::<TokenStream>()),
                _ => minus.push(term.into_iter().collect::<TokenStream>()),
            }
        }
        if seen != 1 || plus.is_empty() {
            return None;
        }
        let mut base = PassiveCode { tokens: quote!(#(#plus)+* #(- #minus)*), ..index.clone() };
        base.reads.remove(&var);
        base.shapes.remove(&var);
        (!base.depends_on(inside)).then_some(Shift { base: Some(base), stride: 1, offset })
    }

    /// The row that it lies in, as text.
    pub fn row(&self) -> Option<String> {
        self.base.as_ref().map(|base| base.tokens.to_string())
    }

    /// The index that the loop has where its variable is `at`, `further` on.
    pub fn at(base: Option<&PassiveCode>, at: &PassiveCode, further: i64) -> PassiveCode {
        let Some(base) = base else { return crate::ir::affine::shifted(at, further) };
        if is_list(base)
            && let Some((last, lead)) = several(base).as_ref().and_then(|all| all.split_last())
        {
            let base = (last.tokens.to_string() != "0").then_some(last);
            return together(lead, &Shift::at(base, at, further));
        }
        let mut index = base.clone();
        let (tokens, at_tokens) = (&base.tokens, crate::ir::affine::atom(at));
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

/// Whether an index is a list, as those of ndarray's arrays are.
pub fn is_list(index: &PassiveCode) -> bool {
    let first = index.tokens.clone().into_iter().next();
    several(index).is_some() && matches!(first, Some(TokenTree::Group(list)) if list.delimiter() == Delimiter::Bracket)
}

/// The indices of `[i, j]` and `[i]`, or of nalgebra's `(i, j)`.
pub fn several(index: &PassiveCode) -> Option<Vec<PassiveCode>> {
    let mut trees = index.tokens.clone().into_iter();
    let (Some(TokenTree::Group(list)), None) = (trees.next(), trees.next()) else { return None };
    let is_comma = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ',');
    let trees: Vec<TokenTree> = list.stream().into_iter().collect();
    let parts = trees.split(is_comma).map(|part| part.iter().cloned().collect::<TokenStream>());
    let mut parts: Vec<TokenStream> = parts.collect();
    parts.pop_if(|last| last.is_empty());
    let is_repeated = trees_have(&list.stream(), ';');
    let least = match list.delimiter() {
        Delimiter::Bracket if !is_repeated => 1,
        Delimiter::Parenthesis => 2,
        _ => return None,
    };
    let is_filled = parts.len() >= least && parts.iter().all(|p| !p.is_empty());
    is_filled.then(|| parts.into_iter().map(|tokens| PassiveCode { tokens, ..index.clone() }).collect())
}

fn trees_have(tokens: &TokenStream, sign: char) -> bool {
    tokens.clone().into_iter().any(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == sign))
}

/// Of what a whole index reads, what this part of it does.
pub fn narrow(table: &Table, part: &mut PassiveCode) {
    let tokens = part.tokens.clone();
    let read = |var: &Var| {
        let name = table.info(*var).name.to_string();
        tokens.clone().into_iter().any(|tree| mentions(&tree, &name))
    };
    part.reads.retain(read);
    part.shapes.retain(read);
}

/// `[i, j]`.
fn together(lead: &[PassiveCode], last: &PassiveCode) -> PassiveCode {
    let parts = lead.iter().chain([last]);
    let tokens = parts.clone().map(|o| &o.tokens);
    crate::ir::affine::gathered(quote!([#(#tokens),*]), parts, last.span)
}

/// `stride * of + rest`.
pub struct Multiple {
    /// A number above zero.
    pub stride: i64,
    /// As text.
    pub of: String,
    /// A number.
    pub rest: i64,
}

/// An index as a multiple of one thing: `3 * j + 1`, `(j + 2) * 4`, `j - 1`.
pub fn multiple(index: &PassiveCode) -> Option<Multiple> {
    multiple_of(index.tokens.clone())
}

fn multiple_of(tokens: TokenStream) -> Option<Multiple> {
    let (mut rest, mut found) = (0, None);
    for (sign, term) in terms(tokens)? {
        match number(&term) {
            Some(n) => rest += sign * n,
            None if sign > 0 && found.is_none() => found = Some(product(term)?),
            None => return None,
        }
    }
    found.map(|of| Multiple { rest: of.rest + rest, ..of })
}

/// A product of a number and one thing.
fn product(term: Vec<TokenTree>) -> Option<Multiple> {
    let is_times = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == '*');
    let (stride, of) = match &term[..] {
        [n, times, of] | [of, times, n] if is_times(times) && number(std::slice::from_ref(n)).is_some() => {
            (number(std::slice::from_ref(n))?, vec![of.clone()])
        }
        _ => (1, term),
    };
    match &of[..] {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
            let Multiple { stride: inner, of, rest } = multiple_of(group.stream())?;
            Some(Multiple { stride: stride * inner, of, rest: stride * rest })
        }
        _ => Some(Multiple { stride, of: of.into_iter().collect::<TokenStream>().to_string(), rest: 0 }),
    }
    .filter(|m| m.stride > 0)
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
        match sign {
            Some(sign) => all.push((sign, Vec::new())),
            None => all.last_mut()?.1.push(tree),
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
    use crate::ir::symbols::Role;
    use proc_macro2::Span;

    /// What the index is behind, its stride and its offset.
    fn strided(index: &str) -> Option<(String, i64, i64)> {
        with(index, Shift::of)
    }

    type Find = fn(&Table, &PassiveCode, Var, &Vars) -> Option<Shift>;

    fn with(index: &str, find: Find) -> Option<(String, i64, i64)> {
        let item: syn::ItemFn = syn::parse_quote!(
            fn f(x: f64) -> f64 {
                x
            }
        );
        let function =
            crate::frontend::lower::lower(&Default::default(), &item, None).expect("the function is accepted");
        let mut table = Table::of(&function);
        let var = table.fresh("i", Ty::Passive, Role::Primal, Span::call_site());
        let tokens = index.replace("I", &table.info(var).name.to_string()).parse().expect("tokens");
        let index = PassiveCode { reads: [var].into(), ..PassiveCode::literal(tokens) };
        let text = |o: Option<PassiveCode>| o.map(|o| o.tokens.to_string()).unwrap_or_default();
        find(&table, &index, var, &Vars::new()).map(|s| (text(s.base), s.stride, s.offset))
    }

    fn shift(index: &str) -> Option<(String, i64)> {
        strided(index).filter(|(_, stride, _)| *stride == 1).map(|(base, _, offset)| (base, offset))
    }

    #[test]
    fn multiples_of_the_variable() {
        assert_eq!(strided("3 * I"), Some((String::new(), 3, 0)));
        assert_eq!(strided("I * 2 + 1"), Some((String::new(), 2, 1)));
        for index in ["3 * I + 3", "3 * I - 1", "9 * I", "n + 3 * I"] {
            assert_eq!(strided(index), None, "{index}");
        }
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

    fn multiple(index: &str) -> Option<(i64, String, i64)> {
        super::multiple(&PassiveCode::literal(index.parse().expect("tokens"))).map(|m| (m.stride, m.of, m.rest))
    }

    #[test]
    fn multiples_of_one_thing() {
        let found = |stride, of: &str, rest| Some((stride, of.to_owned(), rest));
        assert_eq!(multiple("j"), found(1, "j", 0));
        assert_eq!(multiple("j - 1"), found(1, "j", -1));
        assert_eq!(multiple("3 * j + 2"), found(3, "j", 2));
        assert_eq!(multiple("1 + j * 3usize"), found(3, "j", 1));
        assert_eq!(multiple("4 * (j + 2) - 1"), found(4, "j", 7));
        assert_eq!(multiple("2 * (3 * j + 1)"), found(6, "j", 2));
        assert_eq!(multiple("j / 2 + 1"), found(1, "j / 2", 1));
    }

    #[test]
    fn multiples_of_nothing() {
        for index in ["3", "-j", "3 * j / 2 + k", "3 * i + j", "0 * j", "j << 1", "4 - j"] {
            assert_eq!(multiple(index), None, "{index}");
        }
    }

    #[test]
    fn the_last_of_several() {
        let found = |base: &str, offset| Some((base.to_owned(), offset));
        let in_row = |index: &str| with(index, Shift::in_row).map(|(base, _, offset)| (base, offset));
        assert_eq!(in_row("[k - 1, I + 1]"), found("[k - 1 , 0]", 1));
        assert_eq!(in_row("[k, 2 * k, n + I - 1,]"), found("[k , 2 * k , n]", -1));
        assert_eq!(in_row("I + 1"), found("", 1));
        assert_eq!(in_row("[I - 1]"), found("[0]", -1));
        for index in ["[I, k]", "[I, I]", "[k, 2 * I]", "(k, I)", "[k, I; 2]", "[I; 1]"] {
            assert_eq!(in_row(index), None, "{index}");
        }
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
