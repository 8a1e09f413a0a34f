//! Passes that reorder, join or vectorize iterations.
//!
//! Enters: a body of derivative code. Leaves: the body, with loops that the processor runs faster.
//! Imports: `analysis`, `ir`, `support`, and `access` for passive elements as places.

pub mod interchange;
pub mod outer_vectorize;
pub mod split_reductions;
pub mod unroll_jam;
pub mod vector_calls;
