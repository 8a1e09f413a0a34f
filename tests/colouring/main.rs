//! Patterns, their colorings, and matrices recovered from sums.

mod cage;
mod drawn;
mod listed;
mod matrices;
mod optimal;
mod recovered;
mod refused;
