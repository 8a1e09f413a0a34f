//! Programs whose derivatives could be wrong without a word: each is right, or is refused in `tests/ui`.
#![allow(clippy::all)] // the functions are written as all kinds of people write them

mod cells;
mod cfg;
mod check;
mod checks;
mod effects;
mod names;
mod order;
mod replays;
