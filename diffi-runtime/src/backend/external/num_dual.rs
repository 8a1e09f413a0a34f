//! The crate `num-dual`.

use crate::backend::chunked_forward::ChunkSize;
use crate::backend::external::{Foreign, ForeignDual, all_zero, by_operator, package, unary};
use nalgebra::{Const, SVector};
use num_dual::{Derivative, DualNum, DualSVec64};

package! {
    /// The dual numbers of the crate `num-dual`, up to twelve directions in each.
    AutoNumDual, ChunkSize::AUTO; DualSVec64<1>, DualSVec64<4>, DualSVec64<8>, DualSVec64<12>
}

macro_rules! functions {
    ([$($name:ident)+]) => { $(
        #[inline]
        fn $name(self) -> Self {
            functions!(@ $name self)
        }
    )+ };
    (@ abs $x:ident) => { num_traits::Signed::abs(&$x) };
    (@ $name:ident $x:ident) => { DualNum::$name(&$x) };
}

impl<const N: usize> Foreign for DualSVec64<N> {
    #[inline]
    fn constant(v: f64) -> Self {
        DualSVec64::from_re(v)
    }
    #[inline]
    fn re(&self) -> f64 {
        self.re
    }
    #[inline]
    fn is_zero(&self) -> bool {
        all_zero(self)
    }
    by_operator!(scaled * shifted +);
    #[inline]
    fn plus(&self, b: &Self) -> Self {
        self + b
    }
    #[inline]
    fn minus(&self, b: &Self) -> Self {
        self - b
    }
    #[inline]
    fn times(&self, b: &Self) -> Self {
        self * b
    }
    unary!(functions);
    #[inline]
    fn powi(self, n: i32) -> Self {
        DualNum::powi(&self, n)
    }
    #[inline]
    fn powf(self, p: Self) -> Self {
        match p.eps.0 {
            None => DualNum::powf(&self, p.re),
            Some(_) => DualNum::powd(&self, p),
        }
    }
    #[inline]
    fn atan2(self, b: Self) -> Self {
        DualNum::atan2(&self, b)
    }
}

impl<const N: usize> ForeignDual for DualSVec64<N> {
    const DIRECTIONS: usize = N;
    #[inline]
    fn part(&self, k: usize) -> f64 {
        self.eps.0.as_ref().map_or(0.0, |eps| eps[k])
    }
    #[inline]
    fn parts(&self, all: &mut [f64]) {
        match &self.eps.0 {
            Some(eps) => all.copy_from_slice(&eps.as_slice()[..all.len()]),
            None => all.fill(0.0),
        }
    }
    #[inline]
    fn set_part(&mut self, k: usize, v: f64) {
        let mut eps = self.eps.unwrap_generic(Const::<N>, Const::<1>);
        eps[k] = v;
        self.eps = if eps.iter().all(|v| *v == 0.0) { Derivative::none() } else { Derivative::some(eps) };
    }
    #[inline]
    fn vary(&mut self, k: usize) {
        self.eps = Derivative::some(SVector::zeros());
        if let Some(eps) = &mut self.eps.0 {
            eps[k] = 1.0;
        }
    }
    #[inline]
    fn rest(&mut self, _: usize) {
        self.eps = Derivative::none();
    }
}
