//! The crate `hyperdual`.

use super::super::directions::{ChunkSize, Chunked};
use super::{External, Foreign, ForeignDual, all_zero, unary};
use hyperdual::Hyperdual;
use num_traits::Float;

/// The dual numbers of the crate `hyperdual`, up to twelve directions in each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AutoHyperdualCrate;

impl Chunked<f64> for AutoHyperdualCrate {
    type One = External<Hyperdual<f64, 2>>;
    type Four = External<Hyperdual<f64, 5>>;
    type Eight = External<Hyperdual<f64, 9>>;
    type Twelve = External<Hyperdual<f64, 13>>;
}

impl AutoHyperdualCrate {
    pub(crate) const fn chunk() -> ChunkSize {
        ChunkSize::AUTO
    }
}

macro_rules! functions {
    ([$($name:ident)+]) => { $(
        #[inline]
        fn $name(self) -> Self {
            functions!(@ $name self)
        }
    )+ };
    (@ cbrt $x:ident) => { cube_root($x) };
    (@ $name:ident $x:ident) => { Float::$name($x) };
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

impl<const N: usize> ForeignDual for Hyperdual<f64, N> {
    const DIRECTIONS: usize = N - 1;
    #[inline]
    fn part(&self, k: usize) -> f64 {
        self[k + 1]
    }
    #[inline]
    fn set_part(&mut self, k: usize, v: f64) {
        self[k + 1] = v;
    }
}
