//! Patterns that say `|`, and bind names by it, as several patterns.

use crate::frontend::syntax::pattern_names::names_of;

/// The patterns of which one fits where the pattern does, in their order: `Some(A(x) | B(x))` as `Some(A(x))` and `Some(B(x))`.
pub fn alternatives(pattern: &syn::Pat) -> Vec<syn::Pat> {
    if names_of(pattern).is_empty() {
        return vec![pattern.clone()];
    }
    match pattern {
        syn::Pat::Or(o) => o.cases.iter().flat_map(alternatives).collect(),
        syn::Pat::Paren(p) => alternatives(&p.pat),
        syn::Pat::Reference(r) => {
            let one = |pat| syn::Pat::Reference(syn::PatReference { pat: Box::new(pat), ..r.clone() });
            alternatives(&r.pat).into_iter().map(one).collect()
        }
        syn::Pat::Tuple(t) => {
            let one = |elems| syn::Pat::Tuple(syn::PatTuple { elems, ..t.clone() });
            all(&t.elems, |elem| elem).into_iter().map(one).collect()
        }
        syn::Pat::TupleStruct(t) => {
            let one = |elems| syn::Pat::TupleStruct(syn::PatTupleStruct { elems, ..t.clone() });
            all(&t.elems, |elem| elem).into_iter().map(one).collect()
        }
        syn::Pat::Struct(s) => {
            let one = |fields| syn::Pat::Struct(syn::PatStruct { fields, ..s.clone() });
            all(&s.fields, |field| &mut *field.pat).into_iter().map(one).collect()
        }
        other => vec![other.clone()],
    }
}

/// A comma-separated list for each choice of its members' alternatives.
fn all<T: Clone>(
    members: &syn::punctuated::Punctuated<T, syn::Token![,]>,
    pattern: impl Fn(&mut T) -> &mut syn::Pat,
) -> Vec<syn::punctuated::Punctuated<T, syn::Token![,]>> {
    let mut lists = vec![members.clone()];
    for k in 0..members.len() {
        let choices = |mut list: syn::punctuated::Punctuated<T, syn::Token![,]>| {
            let member = pattern(&mut list[k]);
            let choices = alternatives(member);
            let with = |choice| {
                let mut list = list.clone();
                *pattern(&mut list[k]) = choice;
                list
            };
            choices.into_iter().map(with).collect::<Vec<_>>()
        };
        lists = lists.into_iter().flat_map(choices).collect();
    }
    lists
}
