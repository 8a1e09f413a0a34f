//! Questions that the reverse sweep asks once more: what they ask is there to the end, so that neither the answer nor what the
//! patterns bind has to be kept.

use crate::ir::purity::{constructs, is_borrow, repeatable};
use crate::ir::visit::Vars;
use crate::ir::*;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Whether passive code gives the same value wherever the variables that are `at_hand` are.
pub fn is_had_again(o: &PassiveCode, at_hand: &Vars) -> bool {
    (repeatable(o) || constructs(o)) && o.reads.iter().chain(&o.shapes).all(|v| at_hand.contains(v))
}

/// Whether a `match` may be run again. `lent` are variables that are references, or numbers.
pub fn is_asked_again(scrutinee: &PassiveCode, arms: &[Arm], at_hand: &Vars, lent: &Vars) -> bool {
    let moves = arms.iter().any(|arm| !arm.binds.is_empty()) && !is_lent(scrutinee, lent);
    let guard = |arm: &Arm| {
        let known: Vars = at_hand.union(&arm.binds.iter().copied().collect());
        arm.guard.as_ref().is_none_or(|guard| is_had_again(guard, &known))
    };
    !moves && is_had_again(scrutinee, at_hand) && arms.iter().all(guard)
}

/// What patterns bind of it is not moved out of a variable: `&place`, a variable that is a reference, what a call gives.
pub fn is_lent(scrutinee: &PassiveCode, lent: &Vars) -> bool {
    is_borrow(&scrutinee.tokens)
        || scrutinee.reads.len() == 1 && scrutinee.reads.iter().all(|v| lent.contains(v))
        || is_call(&scrutinee.tokens)
}

fn is_call(tokens: &TokenStream) -> bool {
    let mut trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    match (trees.pop(), trees.pop()) {
        (Some(TokenTree::Group(whole)), None) => is_call(&whole.stream()),
        (Some(TokenTree::Group(args)), Some(TokenTree::Ident(_))) => args.delimiter() == Delimiter::Parenthesis,
        _ => false,
    }
}
