//! Patterns, their colorings, and matrices recovered from sums.

mod drawn;
mod listed;
mod matrices;
mod optimal;
mod recovered;
mod refused;
