//! The crate `hyperdual`.

use crate::backend::chunked_forward::ChunkSize;
use crate::backend::external::{Foreign, ForeignDual, all_zero, by_float, by_operator, package, unary};
use hyperdual::Hyperdual;
use num_traits::Float;

package! {
    /// The dual numbers of the crate `hyperdual`, up to twelve directions in each.
    AutoHyperdualCrate, ChunkSize::AUTO; Hyperdual<f64, 2>, Hyperdual<f64, 5>, Hyperdual<f64, 9>, Hyperdual<f64, 13>
}

macro_rules! functions {
    ([$($name:ident)+]) => { $(functions!(@ $name);)+ };
    (@ cbrt) => {
        #[inline]
        fn cbrt(self) -> Self {
            cube_root(self)
        }
    };
    (@ $name:ident) => { by_float!(unary $name); };
}

/// By a power: the derivative of the crate's own `cbrt` (version 1.5.0) is wrong.
fn cube_root<const N: usize>(x: Hyperdual<f64, N>) -> Hyperdual<f64, N> {
    let third = Hyperdual::from_real(1.0 / 3.0);
    match x.real() < 0.0 {
        true => -Float::powf(-x, third),
        false => Float::powf(x, third),
    }
}

/// The value is the first of the crate's `N` numbers.
impl<const N: usize> Foreign for Hyperdual<f64, N> {
    #[inline]
    fn constant(v: f64) -> Self {
        Hyperdual::from_real(v)
    }
    #[inline]
    fn re(&self) -> f64 {
        self.real()
    }
    #[inline]
    fn is_zero(&self) -> bool {
        all_zero(self)
    }
    #[inline]
    fn scaled(mut self, k: f64) -> Self {
        self.iter_mut().for_each(|v| *v *= k);
        self
    }
    by_operator!(shifted+);
    unary!(functions);
    by_float!(powers);
}

impl<const N: usize> ForeignDual for Hyperdual<f64, N> {
    const DIRECTIONS: usize = N - 1;
    #[inline]
    fn part(&self, k: usize) -> f64 {
        self[k + 1]
    }
    #[inline]
    fn parts(&self, all: &mut [f64]) {
        all.copy_from_slice(&self.as_slice()[1..=all.len()]);
    }
    #[inline]
    fn set_part(&mut self, k: usize, v: f64) {
        self[k + 1] = v;
    }
}
