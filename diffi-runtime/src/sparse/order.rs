//! In which order vertices are colored.

/// In which order a greedy algorithm colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// First to last.
    #[default]
    Natural,
}
