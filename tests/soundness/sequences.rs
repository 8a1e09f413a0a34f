//! Programs in which the order counts: of evaluation, of the two sweeps, of jumps and of what calls read.
// The functions are written as all kinds of people write them.
#![allow(clippy::all, clippy::non_minimal_cfg, unused, dropping_copy_types, irrefutable_let_patterns)]

mod arguments;
mod changing;
mod check;
mod entries;
mod grown;
mod inlining;
mod joint;
mod jumps;
mod lengths;
mod moves;
mod order;
mod own_structs;
mod receivers;
mod replays;
mod results;
mod unrolled;
