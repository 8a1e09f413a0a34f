//! Array renaming (Allen & Kennedy 5, 6): a scratch array that is filled anew is a new array, private to the loop that fills it or renamed.
//!
//! Both parts ask [`fills`](crate::analysis::fills) which statements set every element before any is read.

mod privatize;
mod refill;

use crate::analysis::fills::Fills;
use crate::ir::visit::{Vars, Visit};
use crate::ir::*;

/// Rewrites the function.
pub fn array_rename(mut function: Function) -> Function {
    let kept = returned(&function);
    let mut body = std::mem::take(&mut function.body);
    privatize::privatize(&Fills::of(&function.vars, &body), &mut body, &kept);
    refill::rename_refilled(&Fills::of(&function.vars, &body), &kept, &mut function.vars, &mut body);
    Function { body, ..function }
}

/// The variables that a function returns.
fn returned(function: &Function) -> Vars {
    let mut kept = Vars::new();
    Visit(&mut |v, _| _ = kept.insert(v)).out(&function.result);
    kept
}
