//! Programs whose derivatives could be wrong without a word: each is right, or is refused in `tests/ui`.
//! `sequences.rs` has those in which the order counts.
// The functions are written as all kinds of people write them.
#![allow(clippy::all, clippy::non_minimal_cfg, unused, dropping_copy_types, irrefutable_let_patterns)]

mod cells;
mod cfg;
mod changes_in_arguments;
mod changing;
mod check;
mod checks;
mod clones;
mod cuts;
mod dead_branches;
mod effects;
mod guards;
mod indices;
mod integers;
mod modules;
mod names;
mod parts;
mod patterns;
mod questions;
mod quotients;
mod replaced;
mod singular;
mod unread;
mod unselected;
