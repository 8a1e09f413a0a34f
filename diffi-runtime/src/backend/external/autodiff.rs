//! The crate `autodiff`.

use super::super::directions::{ChunkSize, Chunked};
use super::{External, Foreign, ForeignDual, all_zero, unary};
use autodiff::F1;
use num_traits::Float;

/// The dual numbers of the crate `autodiff`, one direction a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AutoAutodiff;

impl Chunked<f64> for AutoAutodiff {
    type One = External<F1>;
    type Four = External<F1>;
    type Eight = External<F1>;
    type Twelve = External<F1>;
}

impl AutoAutodiff {
    pub(crate) const fn chunk() -> ChunkSize {
        ChunkSize::fixed(1)
    }
}

macro_rules! functions {
    ([$($name:ident)+]) => { $(
        #[inline]
        fn $name(self) -> Self {
            Float::$name(self)
        }
    )+ };
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
    unary!(functions);
    #[inline]
    fn powi(self, n: i32) -> Self {
        Float::powi(self, n)
    }
    #[inline]
    fn powf(self, p: Self) -> Self {
        Float::powf(self, p)
    }
    #[inline]
    fn atan2(self, b: Self) -> Self {
        Float::atan2(self, b)
    }
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
