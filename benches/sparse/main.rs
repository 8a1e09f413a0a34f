//! Sparse derivatives: `cargo bench --bench sparse [-- FILTER]`.
//!
//! The tables of operators are the words `listing`, `brusselator` and `hessians` to the filter; others are colorings. What is compared
//! takes turns, so that a machine which is slow for a while is slow for all, and the least time of each is shown. With
//! `DIFFI_TABLE=1` in the environment the tables are all there is, and otherwise Criterion measures each coloring too.
//!
//! `benches/sparse.sh` writes the table `ratios`. `benches/sparse/linear.sh` counts instructions: times for each place grow where a grid
//! outgrows the processor's caches.

#![allow(clippy::needless_range_loop, reason = "the functions are written as people write them")]

mod brusselators;
mod coloring;
mod hessians;
mod listing;
mod once;
mod ratios;
mod turns;

#[path = "../../tests/counting/mod.rs"]
mod counting;
#[allow(dead_code, reason = "the tests use all of it")]
#[path = "../../tests/colouring/matrices.rs"]
mod matrices;
#[path = "../../tests/sparsity/models.rs"]
mod models;

fn main() -> diffi::Result<()> {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    if filter == "once" {
        return once::run(std::env::args().skip_while(|argument| argument != "once").skip(1));
    }
    if filter == "ratios" {
        return ratios::table();
    }
    let all = filter.is_empty();
    if all || filter == "listing" {
        listing::table()?;
    }
    if all || filter == "brusselator" {
        brusselators::table()?;
    }
    if all || filter == "hessians" {
        hessians::table()?;
    }
    coloring::table(&filter);
    Ok(())
}
