//! The crate `autodiff`.

use crate::backend::chunked_forward::ChunkSize;
use crate::backend::external::{Foreign, ForeignDual, all_zero, by_float, by_operator, package, unary};
use autodiff::F1;

package! {
    /// The dual numbers of the crate `autodiff`, one direction a pass.
    AutoAutodiff, ChunkSize::fixed(1); F1, F1, F1, F1
}

impl Foreign for F1 {
    #[inline]
    fn constant(v: f64) -> Self {
        F1::cst(v)
    }
    #[inline]
    fn re(&self) -> f64 {
        self.x
    }
    #[inline]
    fn is_zero(&self) -> bool {
        all_zero(self)
    }
    by_operator!(scaled * shifted +);
    unary!(by_float);
}

impl ForeignDual for F1 {
    const DIRECTIONS: usize = 1;
    #[inline]
    fn part(&self, _: usize) -> f64 {
        self.dx
    }
    #[inline]
    fn set_part(&mut self, _: usize, v: f64) {
        self.dx = v;
    }
}
