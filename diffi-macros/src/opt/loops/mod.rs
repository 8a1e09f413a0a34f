//! Passes that reorder, join or vectorise iterations.

pub mod interchange;
pub mod outer_vectorize;
pub mod reassociate;
pub mod rotate_sums;
pub mod split_reductions;
pub mod unroll_jam;
pub mod vector_calls;
