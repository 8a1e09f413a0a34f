//! Variables that carry no derivative and that a call may change: its argument says so, and its slot asks rustc whether the callee
//! declares the parameter `constant(..)`.

use crate::ir::PassiveCode;
use quote::quote;

/// `&mut name`, lent to a call.
pub fn lent(borrow: PassiveCode) -> PassiveCode {
    borrow.map(|borrow| quote!(__d::lent_place(#borrow)))
}

/// Whether an argument is one of these.
pub fn is_lent(argument: &PassiveCode) -> bool {
    argument.tokens.to_string().starts_with("__d :: lent_place (")
}
