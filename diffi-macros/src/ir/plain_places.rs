//! Passive code that is a place and nothing else: a variable and the steps to a part of it.

use proc_macro2::{TokenStream, TokenTree};
use syn::Expr;

/// How a place goes on from a variable.
#[derive(PartialEq)]
enum Step {
    Member,
    Index,
}

/// Whether tokens are a variable, or members of one: `turn`, `turn.re`.
pub fn is_path(tokens: &TokenStream) -> bool {
    steps(tokens).is_some_and(|steps| !steps.contains(&Step::Index))
}

/// Whether passive code takes an element, or a part of one, out of a list: `list[k]`, `table.rows[k]`, `pairs[k].0`.
pub fn is_element(tokens: &TokenStream) -> bool {
    steps(tokens).is_some_and(|steps| steps.contains(&Step::Index))
}

/// What is copied as a whole, if that is a variable or a field: `x.clone()`, `x.0.to_vec()`.
pub fn copied_place(tokens: &TokenStream) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let [place @ .., TokenTree::Punct(_), TokenTree::Ident(name), TokenTree::Group(none)] = &tokens[..] else {
        return None;
    };
    let copies = ["clone", "to_vec", "to_owned"].iter().any(|method| name == method) && none.stream().is_empty();
    let place: TokenStream = place.iter().cloned().collect();
    (copies && is_path(&place)).then_some(place)
}

/// The steps of a place, if tokens are one.
fn steps(tokens: &TokenStream) -> Option<Vec<Step>> {
    let begins = matches!(tokens.clone().into_iter().next(), Some(TokenTree::Ident(_)));
    let mut steps = Vec::new();
    (begins && walk(&syn::parse2(tokens.clone()).ok()?, &mut steps)).then_some(steps)
}

fn walk(expr: &Expr, steps: &mut Vec<Step>) -> bool {
    let (base, step) = match expr {
        Expr::Path(variable) => return variable.qself.is_none() && variable.path.get_ident().is_some(),
        Expr::Field(field) => (&field.base, Step::Member),
        Expr::Index(element) => (&element.expr, Step::Index),
        _ => return false,
    };
    steps.push(step);
    walk(base, steps)
}

#[cfg(test)]
mod tests {
    use super::{copied_place, is_element, is_path};
    use quote::quote;

    #[test]
    fn places_are_variables_and_steps_alone() {
        assert!(is_path(&quote!(turn)) && is_path(&quote!(turn.re)) && is_path(&quote!(pairs.0.1)));
        assert!(is_element(&quote!(list[k])) && is_element(&quote!(table.rows[k + 1].0.1)));
        assert!(copied_place(&quote!(x.0.to_vec())).is_some_and(|place| place.to_string() == "x . 0"));
    }

    #[test]
    fn ranges_casts_and_calls_are_no_places() {
        for tokens in [quote!(a.x..b.y), quote!(a..=b), quote!(..n), quote!(a as f64), quote!(a.b()), quote!(1.0)] {
            assert!(!is_path(&tokens), "{tokens}");
        }
        for tokens in
            [quote!(ends[r]..ends[r + 1]), quote!(a..v[k]), quote!(v[k]..), quote!(v[k] as usize), quote!(f(x)[k])]
        {
            assert!(!is_element(&tokens), "{tokens}");
        }
        assert!(copied_place(&quote!(a..b.clone())).is_none());
    }
}
