//! Scalar replacement (Callahan, Carr & Kennedy 1990): an array element that a loop reads and writes again and again is kept in a variable.
//!
//! Both parts ask [`element_accesses`](crate::analysis::element_accesses) whether a loop uses an array in another way:
//!
//! - [`invariant`]: an element that all iterations add to (LLVM's scalar promotion).
//! - [`carried`]: an element that an iteration sets and the next one reads.
//!
//! ([`rotating_scalars`](crate::opt::access::rotating_scalars) carries windows of a cotangent's elements, before tangents are made.)

mod carried;
mod invariant;

use crate::ir::Block;
use crate::ir::symbols::Table;

/// Rewrites all loops of a body.
pub fn scalar_replacement(table: &mut Table, block: &mut Block) {
    invariant::promote(table, block);
    carried::carry(table, block);
}
