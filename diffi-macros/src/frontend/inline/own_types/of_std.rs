//! What std's lists, iterators and numbers give.

use super::kinds::Kind;

/// What an iteration over something gives.
pub fn items_of(kind: Kind) -> Option<Kind> {
    match kind {
        Kind::Items(item) => Some(*item),
        Kind::List(item) => Some(*item),
        Kind::Ref(inner, exclusive) => match *inner {
            Kind::List(item) => Some((*item).lent(exclusive)),
            _ => None,
        },
        _ => None,
    }
}

/// What a method of std gives.
pub fn of_std(kind: &Kind, name: &str, args: &[Option<Kind>]) -> Option<Kind> {
    match (kind, name) {
        (Kind::List(_), "len") | (Kind::Items(_), "count") => Some(Kind::Integer),
        (Kind::List(item), "iter") => Some((**item).clone().lent(false).items()),
        (Kind::List(item), "iter_mut") => Some((**item).clone().lent(true).items()),
        (Kind::List(_), "to_vec" | "clone" | "to_owned") => Some(kind.clone()),
        (Kind::List(item), "windows" | "chunks" | "chunks_exact") => Some(Kind::List(item.clone()).lent(false).items()),
        (
            Kind::Items(_),
            "rev" | "skip" | "take" | "step_by" | "filter" | "take_while" | "skip_while" | "into_iter",
        ) => Some(kind.clone()),
        (Kind::Items(item), "copied" | "cloned") => match &**item {
            Kind::Ref(inner, _) => Some((**inner).clone().items()),
            _ => None,
        },
        (Kind::Items(item), "enumerate") => {
            Some(Kind::Tuple(vec![Some(Kind::Integer), Some((**item).clone())]).items())
        }
        (Kind::Items(item), "zip") => {
            let other = args.first().cloned().flatten().and_then(items_of);
            Some(Kind::Tuple(vec![Some((**item).clone()), other]).items())
        }
        (Kind::Items(_), "map") => args.first().cloned().flatten().map(Kind::items),
        (Kind::Items(_), "fold") => args.first().cloned().flatten(),
        (Kind::Float(_), name) if is_float_function(name) => Some(kind.clone()),
        (Kind::Integer, "min" | "max" | "pow" | "saturating_sub" | "abs" | "rem_euclid") => Some(Kind::Integer),
        _ => None,
    }
}

pub fn is_float_function(name: &str) -> bool {
    diffi_rules::rule(name).is_some()
}
