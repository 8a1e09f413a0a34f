//! Programs whose derivatives could be wrong without a word: each is right, or is refused in `tests/ui`.
// The functions are written as all kinds of people write them.
#![allow(clippy::all, clippy::non_minimal_cfg, unused, dropping_copy_types, irrefutable_let_patterns)]

mod arguments;
mod cells;
mod cfg;
mod changing;
mod check;
mod checks;
mod clones;
mod cuts;
mod dead_branches;
mod effects;
mod guards;
mod indices;
mod inlining;
mod integers;
mod joint;
mod jumps;
mod names;
mod order;
mod patterns;
mod quotients;
mod replays;
mod singular;
mod unselected;
