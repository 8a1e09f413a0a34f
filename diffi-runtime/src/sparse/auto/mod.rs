//! `AutoSparse`: Jacobians and Hessians as sparse matrices, one seed for each color.

mod check;
mod direct_recovery;
mod hessian;
mod jacobian;
mod plan;
mod products;
mod repeated_rows;
mod sums;
mod values;

pub use jacobian::ByColors;
pub use plan::Sparse;
pub use products::{ProductsBy, Sides};

use crate::backend::{Counterparts, GoesBackward, GoesForward, MixedMode};
use crate::operators::strategy::Backend;
use crate::sparse::{ColoringAlgorithm, GreedyColoring, TracerSparsityDetector, Triangle};
use std::fmt::Debug;

/// Finds Jacobians and Hessians as sparse matrices, [`sprs::CsMat`].
///
/// Preparation finds out by `detector` where there can be entries, and by `coloring` which columns or rows can share a seed
/// because no two of them meet. A call then needs one pass of `dense` for several colors, however large the matrix is: pushforwards
/// color columns, pullbacks rows, [`MixedMode`] both at once, and for Hessians products with tangents color columns, of which symmetry
/// needs fewer.
///
/// For Hessians it goes around second order: `AutoSparse::new(SecondOrder(AutoForward, AutoReverse))`.
///
/// A. H. Gebremedhin, F. Manne, A. Pothen, *What color is your Jacobian? Graph coloring for computing derivatives*, SIAM Review 47
/// (2005).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AutoSparse<B, D = TracerSparsityDetector, C = GreedyColoring> {
    dense: B,
    detector: D,
    coloring: C,
    triangle: Triangle,
    checked: bool,
    fewest: bool,
}

impl<B> AutoSparse<B> {
    /// Around a backend; finds patterns by [`TracerSparsityDetector`](struct@TracerSparsityDetector), and colors them by [`GreedyColoring`].
    pub fn new(dense: B) -> Self
    where
        B: Backend,
    {
        AutoSparse {
            dense,
            detector: TracerSparsityDetector,
            coloring: GreedyColoring::default(),
            triangle: Triangle::Full,
            checked: false,
            fewest: false,
        }
    }
}

impl<B, D, C> AutoSparse<B, D, C> {
    /// Finds patterns by this detector.
    pub fn detector<E>(self, detector: E) -> AutoSparse<B, E, C> {
        let AutoSparse { dense, detector: _, coloring, triangle, checked, fewest } = self;
        AutoSparse { dense, detector, coloring, triangle, checked, fewest }
    }

    /// Colors patterns by this algorithm.
    pub fn coloring<A: ColoringAlgorithm>(self, coloring: A) -> AutoSparse<B, D, A> {
        let AutoSparse { dense, detector, coloring: _, triangle, checked, fewest } = self;
        AutoSparse { dense, detector, coloring, triangle, checked, fewest }
    }

    /// Stores one triangle of Hessians only.
    pub fn triangle(self, triangle: Triangle) -> Self {
        AutoSparse { triangle, ..self }
    }

    /// Compares every result with one more product of derivative and vector, for one more seed: an entry outside of the pattern is
    /// then [`Error::PatternDrift`](crate::error::Error::PatternDrift), and not a wrong entry somewhere else.
    pub fn checked(self, checked: bool) -> Self {
        AutoSparse { checked, ..self }
    }

    /// The backend for the products.
    pub fn dense(&self) -> &B {
        &self.dense
    }
}

impl<F: GoesForward, R: GoesBackward, D, C> AutoSparse<MixedMode<F, R>, D, C> {
    /// Colors columns, rows, and both, and takes what has the fewest colors. By default both.
    pub fn fewest(self) -> Self {
        AutoSparse { fewest: true, ..self }
    }
}

/// What a detector, or an algorithm for colors, must be capable of as a part of a backend.
pub trait Part: Clone + Debug + Send + 'static {}
impl<T: Clone + Debug + Send + 'static> Part for T {}

impl<B: Counterparts, D: Part, C: ColoringAlgorithm + Part> Counterparts for AutoSparse<B, D, C> {
    type Forward = AutoSparse<B::Forward, D, C>;
    type Reverse = AutoSparse<B::Reverse, D, C>;

    fn forward_counterpart(&self) -> Self::Forward {
        self.clone().around(|dense| dense.forward_counterpart())
    }
    fn reverse_counterpart(&self) -> Self::Reverse {
        self.clone().around(|dense| dense.reverse_counterpart())
    }
}

impl<B, D, C> AutoSparse<B, D, C> {
    fn around<A>(self, other: impl FnOnce(B) -> A) -> AutoSparse<A, D, C> {
        let AutoSparse { dense, detector, coloring, triangle, checked, fewest } = self;
        AutoSparse { dense: other(dense), detector, coloring, triangle, checked, fewest }
    }
}

/// Strategy: none, because the operator gives no matrix.
#[derive(Clone, Copy, Debug)]
pub struct OnlyMatrices;

impl crate::operators::Dense for OnlyMatrices {}
