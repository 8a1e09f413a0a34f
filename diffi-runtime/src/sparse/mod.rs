//! Sparse matrices of derivatives: which entries can differ from zero, and how few seeds reveal them all.
//!
//! A [`Pattern`] says where the entries are. A [`coloring`] groups its columns, its rows, or some of both, so that the entries
//! of a group's sum can be told apart: [`compress`] adds up the groups, [`decompress`] gives the entries back, and one seed for
//! each group is all that a derivative needs.
//!
//! A. H. Gebremedhin, F. Manne, A. Pothen, *What color is your Jacobian? Graph coloring for computing derivatives*, SIAM Review 47
//! (2005), is the survey that explains it all.
//!
//! Enters: a function and a detector, or a pattern. Leaves: a pattern, a coloring, and the matrix that compressed products reveal.
//! May import: all that stands below, and `operators` through their public functions. Today it also names `backend`.

mod acyclic;
mod algorithm;
pub mod auto;
pub mod bits;
mod bounds;
mod by_group;
mod check;
mod coloring;
mod columns;
mod compress;
mod constant;
mod coordinates;
mod decompress;
mod degree;
pub mod dense;
pub mod detection;
#[cfg(feature = "faer")]
mod faer;
pub mod global;
pub mod global_sets;
mod graph;
mod greedy;
mod groups;
pub mod hessian_sets;
pub mod local;
mod neutral;
mod optimal;
mod order;
mod pattern;
mod recovery;
pub mod sets;
mod spy;
mod star;
pub mod tracer;

pub use algorithm::{ColoringAlgorithm, ColoringProblem, Colors, Recover};
pub use by_group::ByColor;
pub use check::{check_coloring, is_acyclic_coloring, is_star_coloring};
pub use coloring::{Coloring, coloring};
pub use compress::{Compressed, Entries, Entry, compress};
pub use constant::ConstantColoring;
pub use decompress::{Decompressor, Triangle, decompress, decompress_into};
pub use dense::DenseSparsityDetector;
pub use detection::{
    HessianDetector, JacobianDetector, KnownHessianSparsity, KnownJacobianSparsity, hessian_sparsity, jacobian_sparsity,
};
#[cfg(feature = "faer")]
pub use faer::to_faer;
pub use global::TracerSparsityDetector;
pub use greedy::GreedyColoring;
pub use groups::Groups;
pub use local::TracerLocalSparsityDetector;
pub use optimal::OptimalColoring;
pub use order::{Degree, Direction, Order};
pub use pattern::Pattern;
pub use sprs::CompressedStorage as Storage;
