//! External packages without our interface: the same function, written for their numbers, and their own ways to differentiate it. Where
//! numbers carry several directions, as many go through the function at once as through our backends.

use autodiff::F1;
use hyperdual::Hyperdual;
use num_dual::DualSVec64;
use std::ops::{Add, Mul, Sub};

type Gradient = Box<dyn FnMut(&[f64], &mut [f64])>;

/// As `models::rosenbrock`.
fn rosenbrock<T>(x: &[T], number: fn(f64) -> T) -> T
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>,
{
    let mut sum = number(0.0);
    for i in 0..x.len() - 1 {
        let (valley, slope) = (x[i + 1] - x[i] * x[i], number(1.0) - x[i]);
        sum = sum + (number(100.0) * valley * valley + slope * slope);
    }
    sum
}

/// Prepared for so many inputs: the backend's name, and the gradient without it.
pub fn gradients(n: usize) -> Vec<(&'static str, Gradient)> {
    let mut tape = echidna::record(|x| rosenbrock(x, From::from), &vec![0.5; n]).0;
    let mut adjoints = Vec::new();
    let (num_dual, hyperdual) = match n {
        8 => (num_dual::<8>(n), hyperdual::<9>(n)),
        _ => (num_dual::<12>(n), hyperdual::<13>(n)),
    };
    let autodiff =
        in_passes(n, 1, F1::cst(0.0), |x| rosenbrock(x, F1::cst), F1::cst, |own, _, v| own.dx = v, |y, _| y.dx);
    vec![
        ("AutoNumDual", num_dual),
        ("AutoHyperdualCrate", hyperdual),
        ("AutoAutodiff", autodiff),
        ("AutoEchidna", Box::new(|x, g| g.copy_from_slice(&echidna::grad(|x| rosenbrock(x, From::from), x)))),
        ("AutoEchidna.replayed()", Box::new(move |x, g| g.copy_from_slice(&tape.gradient_with_buf(x, &mut adjoints)))),
    ]
}

fn num_dual<const N: usize>(n: usize) -> Gradient {
    let seeded = |own: &mut DualSVec64<N>, k: usize, v: f64| {
        *own = if v == 0.0 { DualSVec64::from_re(own.re) } else { DualSVec64::from_re(own.re).derivative(k) };
    };
    let part = |y: &DualSVec64<N>, k: usize| y.eps.0.map_or(0.0, |eps| eps[k]);
    let f = |x: &[_]| rosenbrock(x, DualSVec64::from_re);
    in_passes(n, N, DualSVec64::from_re(0.0), f, DualSVec64::from_re, seeded, part)
}

fn hyperdual<const N: usize>(n: usize) -> Gradient {
    let f = |x: &[_]| rosenbrock(x, Hyperdual::<f64, N>::from_real);
    let zero = Hyperdual::from_real(0.0);
    in_passes(n, N - 1, zero, f, Hyperdual::from_real, |own, k, v| own[k + 1] = v, |y, k| y[k + 1])
}

/// By as few passes as there have to be, of nearly the same size: constants are made of the numbers first, and seeds come and go.
fn in_passes<T: Copy + 'static>(
    n: usize,
    most: usize,
    zero: T,
    f: impl Fn(&[T]) -> T + 'static,
    constant: impl Fn(f64) -> T + 'static,
    seed: impl Fn(&mut T, usize, f64) + 'static,
    part: impl Fn(&T, usize) -> f64 + 'static,
) -> Gradient {
    let (mut own, size) = (vec![zero; n], n.div_ceil(n.div_ceil(most)));
    Box::new(move |x, g| {
        own.iter_mut().zip(x).for_each(|(own, x)| *own = constant(*x));
        for (pass, g) in g.chunks_mut(size).enumerate() {
            let seeded = pass * size..pass * size + g.len();
            own[seeded.clone()].iter_mut().enumerate().for_each(|(k, own)| seed(own, k, 1.0));
            let y = f(&own);
            own[seeded].iter_mut().enumerate().for_each(|(k, own)| seed(own, k, 0.0));
            g.iter_mut().enumerate().for_each(|(k, g)| *g = part(&y, k));
        }
    })
}
