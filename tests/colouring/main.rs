//! Patterns, their colorings, and matrices recovered from sums.

mod listed;
mod matrices;
mod recovered;
mod refused;
