//! Buffer reuse (Hudak & Bloss 1985; Reinking et al., Perceus, 2021): an array whose last use is over gives its memory to the next.
//!
//! - [`moves`]: an array whose old copy nothing reads any more is moved instead of copied; others are given back where their block ends.
//! - [`iterations`]: an array that every iteration makes and gives back keeps its memory.

mod iterations;
mod moves;

use crate::ir::Block;
use crate::opt::pass::Context;

/// Rewrites bodies over the same variables.
pub fn reuse_buffers(context: &Context<'_>, bodies: &mut [&mut Block]) {
    let Context { table, params, results, joint, .. } = context;
    moves::move_at_last_use(table, params, results, *joint, bodies);
    bodies.iter_mut().for_each(|body| iterations::keep_buffers(table, body));
}
