//! Split borrows (`slice::split_at_mut`): arguments of one call that are two halves of one place, at least one of them written.
//!
//! `f(&mut y[..k], &mut y[k..])` borrows `y` twice. Generated code splits `y` before the call, and its tangents and cotangents at
//! the same index. Of `f(&x[..k], &x[k..])` only the cotangents are borrowed twice.

use crate::ir::affine::literal_index;
use crate::ir::visit::{Vars, siblings_before};
use crate::ir::*;

/// An argument's place is one half of what the first steps of its path lead to.
#[derive(Clone, Debug)]
pub struct Half {
    /// How many steps lead to the whole.
    pub depth: usize,
    /// Where it is split.
    pub at: PassiveCode,
    /// Which half.
    pub back: bool,
    /// How many steps of the path are left of the half.
    pub rest: usize,
}

/// Per argument, the half that it is.
pub fn halves(call: &Call) -> Vec<Option<Half>> {
    let places = call.args.iter().map(|arg| match arg {
        CallArg::Ref(p) => Some((p, false)),
        CallArg::Mut(p) => Some((p, true)),
        CallArg::Value(_) | CallArg::Passive(_) | CallArg::Lent(_) => None,
    });
    of(&places.collect::<Vec<_>>())
}

/// Per argument, the half that its cotangent is.
pub fn bar_halves(bars: &[Option<(Place, ParamSet)>]) -> Vec<Option<Half>> {
    of(&bars.iter().map(|bar| bar.as_ref().map(|(place, _)| (place, true))).collect::<Vec<_>>())
}

/// The arguments that are the first two halves of a place that a call only reads: a reverse sweep adds to the cotangents of both where
/// they lie. It gets others of the same variable elsewhere.
pub fn read_halves(call: &Call) -> Vec<usize> {
    let read = |k: usize| match &call.args[k] {
        CallArg::Ref(p) => Some(p),
        _ => None,
    };
    let root = |arg: &CallArg| match arg {
        CallArg::Mut(p) => Some(p.root),
        _ => None,
    };
    let (n, mut roots, mut found) = (call.args.len(), call.args.iter().filter_map(root).collect::<Vars>(), Vec::new());
    for (j, k) in (0..n).flat_map(|k| (0..k).map(move |j| (j, k))) {
        let Some((a, b)) = read(j).zip(read(k)) else { continue };
        if !roots.contains(&a.root) && half(a, b).is_some() {
            roots.insert(a.root);
            found.extend([j, k]);
        }
    }
    found
}

/// Per place, which half it is of what another leads to as well, where either is written to.
fn of(places: &[Option<(&Place, bool)>]) -> Vec<Option<Half>> {
    let other = |k: usize, (place, written): (&Place, bool)| {
        let mut others = places.iter().enumerate().filter(|(j, _)| *j != k).filter_map(|(_, other)| *other);
        others.find_map(|(other, also)| (written || also).then(|| half(place, other)).flatten())
    };
    places.iter().enumerate().map(|(k, place)| place.and_then(|place| other(k, place))).collect()
}

/// `a` as a half, if `b` is the other.
fn half(a: &Place, b: &Place) -> Option<Half> {
    let depth = siblings_before(a, b)?;
    let (step, other) = (&a.path[depth], &b.path[depth]);
    let (at, back) = split(step, other)?;
    let whole_half = matches!(step, Proj::Range(..));
    Some(Half { depth, at: at.clone(), back, rest: a.path.len() - depth - usize::from(whole_half) })
}

/// Where two steps from one place are split, and whether the first leads into the back.
fn split<'p>(a: &'p Proj, b: &'p Proj) -> Option<(&'p PassiveCode, bool)> {
    let before = |i: &PassiveCode, at: &PassiveCode| matches!((literal_index(i), literal_index(at)), (Some(i), Some(at)) if i < at);
    match (a, b) {
        (Proj::Range(None, Some(at)), Proj::Range(Some(same), None)) if is_same(at, same) => Some((at, false)),
        (Proj::Range(Some(at), None), Proj::Range(None, Some(same))) if is_same(at, same) => Some((at, true)),
        (Proj::Index(i), Proj::Range(Some(at), None)) if before(i, at) => Some((at, false)),
        (Proj::Range(Some(at), None), Proj::Index(i)) if before(i, at) => Some((at, true)),
        _ => None,
    }
}

fn is_same(a: &PassiveCode, b: &PassiveCode) -> bool {
    a.tokens.to_string() == b.tokens.to_string()
}
