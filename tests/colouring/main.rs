//! Patterns, their colorings, and matrices recovered from sums.

mod drawn;
mod listed;
mod matrices;
mod recovered;
mod refused;
