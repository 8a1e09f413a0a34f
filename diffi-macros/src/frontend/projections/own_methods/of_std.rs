//! What std's methods give, and what they call closures with.

use super::scope::Scope;
use super::types::TypeName;
use crate::support::syntax::strip_parens;
use syn::ext::IdentExt;

use TypeName::{Iterator, Maybe, Sequence, Tuple, Unknown};

/// Methods whose values are of their receivers' types.
const SAME: &[&str] = &[
    "clone",
    "to_owned",
    "to_vec",
    "as_ref",
    "as_mut",
    "as_slice",
    "as_mut_slice",
    "as_deref",
    "as_deref_mut",
    "borrow",
    "borrow_mut",
    "cloned",
    "copied",
    "rev",
    "skip",
    "take",
    "step_by",
    "filter",
    "skip_while",
    "take_while",
    "inspect",
    "chain",
    "peekable",
    "cycle",
    "fuse",
    "by_ref",
    "or",
    "or_else",
    "ok",
    "ok_or",
    "ok_or_else",
    "into_boxed_slice",
    "into_vec",
    "map_err",
    "sorted_by",
    "replace",
    "split_off",
];

/// Methods whose values may be an element.
const ELEMENTS: &[&str] = &[
    "first",
    "last",
    "first_mut",
    "last_mut",
    "get",
    "get_mut",
    "pop",
    "pop_front",
    "pop_back",
    "front",
    "back",
    "front_mut",
    "back_mut",
    "next",
    "next_back",
    "nth",
    "nth_back",
    "find",
    "rfind",
    "max_by",
    "min_by",
    "max_by_key",
    "min_by_key",
    "reduce",
    "peek",
    "max",
    "min",
];

/// Methods whose values are the content of an option, or an element.
const CONTENTS: &[&str] = &[
    "unwrap",
    "expect",
    "unwrap_or",
    "unwrap_or_else",
    "unwrap_or_default",
    "remove",
    "swap_remove",
    "insert",
    "get_or_insert",
    "get_or_insert_with",
];

/// Methods that make an iterator over the elements.
const ITERATORS: &[&str] = &["iter", "iter_mut", "into_iter", "drain"];

/// Methods that make an iterator over parts.
const PARTS: &[&str] = &["windows", "chunks", "chunks_mut", "chunks_exact", "chunks_exact_mut", "rchunks", "split"];

/// What a method of std gives.
pub fn given(scope: &Scope, of: TypeName, m: &syn::ExprMethodCall) -> TypeName {
    let name = m.method.unraw().to_string();
    let item = of.item();
    let first = || m.args.first().map(strip_parens);
    let applied = || first().map(|f| scope.applied(f, std::slice::from_ref(&item))).unwrap_or_default();
    match (&of, name.as_str()) {
        (Sequence(_), "get" | "get_mut") if matches!(first(), Some(syn::Expr::Range(_))) => Maybe(Box::new(of)),
        (Sequence(_), "insert") | (Unknown, _) => Unknown,
        (Iterator(_), "collect") => collected(scope, of, m),
        (Iterator(_), "enumerate") => Iterator(Box::new(Tuple(vec![Unknown, item]))),
        (Iterator(_), "zip") => {
            let other = first().map(|e| scope.type_of(e).item()).unwrap_or_default();
            Iterator(Box::new(Tuple(vec![item, other])))
        }
        (Iterator(_), "map") => Iterator(Box::new(applied())),
        (Iterator(_), "filter_map" | "flat_map") => Iterator(Box::new(applied().item())),
        (Iterator(_) | Sequence(_), "flatten") => Iterator(Box::new(item.item())),
        (Iterator(_), "fold") => first().map(|e| scope.type_of(e)).unwrap_or_default(),
        (Sequence(_), "map") => Sequence(Box::new(applied())),
        (Sequence(_), "concat") => item,
        (Sequence(_), "split_at" | "split_at_mut") => Tuple(vec![of.clone(), of]),
        (Sequence(_), "split_first" | "split_last" | "split_first_mut" | "split_last_mut") => {
            Maybe(Box::new(Tuple(vec![item, of])))
        }
        (Sequence(_), name) if PARTS.contains(&name) => Iterator(Box::new(of)),
        (Maybe(_), "map") => Maybe(Box::new(applied())),
        (Maybe(_), "and_then") => applied(),
        (Sequence(_) | Iterator(_) | Maybe(_), name) if ITERATORS.contains(&name) => Iterator(Box::new(item)),
        (Sequence(_) | Iterator(_), name) if ELEMENTS.contains(&name) => Maybe(Box::new(item)),
        (Maybe(_) | Sequence(_), name) if CONTENTS.contains(&name) => item,
        (_, name) if SAME.contains(&name) => of,
        _ => Unknown,
    }
}

/// What `collect` gives: of what it is told, or, where that is not said, of what there is.
fn collected(scope: &Scope, of: TypeName, m: &syn::ExprMethodCall) -> TypeName {
    match m.turbofish.as_ref().and_then(|types| types.args.first()) {
        Some(syn::GenericArgument::Type(ty)) => scope.written(ty).or_known(of),
        _ => of,
    }
}

/// What a method calls a closure with.
pub fn closure_params(scope: &Scope, m: &syn::ExprMethodCall) -> Vec<TypeName> {
    let of = scope.type_of(&m.receiver);
    let (item, name) = (of.item(), m.method.unraw().to_string());
    let first = || m.args.first().map(|e| scope.type_of(e)).unwrap_or_default();
    match (&of, name.as_str()) {
        (Iterator(_), "fold" | "scan" | "try_fold" | "rfold") => vec![first(), item],
        (Sequence(_) | Iterator(_) | Maybe(_), _) => vec![item.clone(), item],
        _ => Vec::new(),
    }
}
