//! External packages without our interface: the same function, written for their numbers as a user of theirs writes it, and their own ways
//! to differentiate it. Where numbers carry several directions, as many go through the function at once as through our backends.
//!
//! What is compared is the same on both sides: the gradient into the caller's slice. The function is compiled by itself, as the body that
//! our backends evaluate is: within the loop over passes, rustc would leave out what a gradient alone does not need, its value.

use autodiff::F1;
use echidna::{BReverse, Reverse};
use hyperdual::Hyperdual;
use num_dual::DualSVec64;
use std::ops::{Add, AddAssign, Mul, Sub};

/// A package's number.
trait Number:
    Copy + Add<Output = Self> + AddAssign + Sub<Output = Self> + Mul<Output = Self> + Mul<f64, Output = Self>
{
    fn constant(v: f64) -> Self;
}

macro_rules! numbers {
    ($([$($generic:tt)*] $Number:ty: $constant:path;)+) => { $(
        impl<$($generic)*> Number for $Number {
            #[inline]
            fn constant(v: f64) -> Self {
                $constant(v)
            }
        }
    )+ };
}
numbers! {
    [const N: usize] DualSVec64<N>: Self::from_re;
    [const N: usize] Hyperdual<f64, N>: Self::from_real;
    [] F1: Self::cst;
    [] Reverse<f64>: From::from;
    [] BReverse<f64>: From::from;
}

/// As `models::rosenbrock`.
#[inline(never)]
fn rosenbrock<T: Number>(x: &[T]) -> T {
    let mut sum = T::constant(0.0);
    for i in 0..x.len() - 1 {
        let (valley, slope) = (x[i + 1] - x[i] * x[i], T::constant(1.0) - x[i]);
        sum += valley * 100.0 * valley + slope * slope;
    }
    sum
}

pub fn num_dual<const N: usize>(n: usize) -> impl FnMut(&[f64], &mut [f64]) {
    let seeded = |own: &mut DualSVec64<N>, k: usize, v: f64| {
        *own = if v == 0.0 { DualSVec64::from_re(own.re) } else { DualSVec64::from_re(own.re).derivative(k) };
    };
    in_passes(n, N, seeded, |y, g| match &y.eps.0 {
        Some(eps) => g.copy_from_slice(&eps.as_slice()[..g.len()]),
        None => g.fill(0.0),
    })
}

pub fn hyperdual<const N: usize>(n: usize) -> impl FnMut(&[f64], &mut [f64]) {
    in_passes(
        n,
        N - 1,
        |own: &mut Hyperdual<f64, N>, k, v| own[k + 1] = v,
        |y, g| g.copy_from_slice(&y.as_slice()[1..=g.len()]),
    )
}

pub fn autodiff(n: usize) -> impl FnMut(&[f64], &mut [f64]) {
    in_passes(n, 1, |own: &mut F1, _, v| own.dx = v, |y, g| g[0] = y.dx)
}

/// By as few passes as there have to be, of nearly the same size: constants are made of the numbers first, and seeds come and go.
fn in_passes<T: Number>(
    n: usize,
    most: usize,
    seed: impl Fn(&mut T, usize, f64),
    parts: impl Fn(&T, &mut [f64]),
) -> impl FnMut(&[f64], &mut [f64]) {
    let (mut own, size) = (vec![T::constant(0.0); n], n.div_ceil(n.div_ceil(most)));
    move |x, g| {
        own.iter_mut().zip(x).for_each(|(own, x)| *own = T::constant(*x));
        for (pass, g) in g.chunks_mut(size).enumerate() {
            let seeded = pass * size..pass * size + g.len();
            own[seeded.clone()].iter_mut().enumerate().for_each(|(k, own)| seed(own, k, 1.0));
            let y = rosenbrock(&own);
            own[seeded].iter_mut().enumerate().for_each(|(k, own)| seed(own, k, 0.0));
            parts(&y, g);
        }
    }
}

pub fn echidna(x: &[f64], g: &mut [f64]) {
    g.copy_from_slice(&echidna::grad(rosenbrock::<Reverse<f64>>, x));
}

pub fn replayed(n: usize) -> impl FnMut(&[f64], &mut [f64]) {
    let mut tape = echidna::record(rosenbrock::<BReverse<f64>>, &vec![0.5; n]).0;
    let mut adjoints = Vec::new();
    move |x, g| g.copy_from_slice(&tape.gradient_with_buf(x, &mut adjoints))
}
