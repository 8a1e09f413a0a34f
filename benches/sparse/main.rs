//! Sparse derivatives: `cargo bench --bench sparse [-- FILTER]`.
//!
//! The tables come from batches that take turns, as least times; with `DIFFI_TABLE=1` in the environment they are all there is, and
//! otherwise Criterion measures each row too.

mod coloring;

#[allow(dead_code, reason = "the tests use all of it")]
#[path = "../../tests/colouring/matrices.rs"]
mod matrices;

fn main() {
    coloring::table();
}
