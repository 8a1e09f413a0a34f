//! Programs as they are written with complex numbers; the same in reals.

use crate::check::rows;
use diffi::prelude::*;
use num_complex::{Complex, Complex64};
use std::f64::consts::{PI, TAU};

/// The weighted power of Fourier coefficients, in reals, by the definition.
fn powers(x: &[f64], weight: impl Fn(usize, f64) -> f64) -> f64 {
    let n = x.len();
    let coefficient = |k: usize, f: fn(f64) -> f64| -> f64 {
        x.iter().enumerate().map(|(j, v)| v * f(TAU * (j * k) as f64 / n as f64)).sum()
    };
    (0..n).map(|k| weight(k, coefficient(k, f64::cos).powi(2) + coefficient(k, f64::sin).powi(2))).sum()
}

/// The fast Fourier transform in place, of length 8.
#[differentiable]
fn in_place(x: &[f64]) -> f64 {
    const REVERSED: [usize; 8] = [0, 4, 2, 6, 1, 5, 3, 7];
    let mut a = [Complex64::new(0.0, 0.0); 8];
    for i in 0..8 {
        a[i] = Complex::new(x[REVERSED[i]], 0.0);
    }
    let mut len = 2;
    while len <= 8 {
        let step = Complex64::from_polar(1.0, -TAU / len as f64);
        for start in (0..8).step_by(len) {
            let mut turn = Complex64::new(1.0, 0.0);
            for k in 0..len / 2 {
                let (u, v) = (a[start + k], a[start + k + len / 2] * turn);
                a[start + k] = u + v;
                a[start + k + len / 2] = u - v;
                turn *= step;
            }
        }
        len *= 2;
    }
    a.iter().enumerate().map(|(k, v)| (k as f64 + 1.0) * v.norm_sqr()).sum()
}

/// The same by recursion.
#[differentiable]
fn transformed(a: &[Complex64]) -> Vec<Complex64> {
    let n = a.len();
    if n == 1 {
        return a.to_vec();
    }
    let even: Vec<Complex64> = a.iter().step_by(2).cloned().collect();
    let odd: Vec<Complex64> = a.iter().skip(1).step_by(2).cloned().collect();
    let (even, odd) = (transformed(&even), transformed(&odd));
    let mut y = vec![Complex64::new(0.0, 0.0); n];
    for k in 0..n / 2 {
        let t = Complex64::from_polar(1.0, -TAU * k as f64 / n as f64) * odd[k];
        y[k] = even[k] + t;
        y[k + n / 2] = even[k] - t;
    }
    y
}

#[differentiable]
fn by_recursion(x: &[f64]) -> f64 {
    let a: Vec<Complex64> = x.iter().map(|&v| Complex64::new(v, 0.0)).collect();
    let y = transformed(&a);
    y.iter().enumerate().map(|(k, v)| v.norm_sqr() * (k * k) as f64).sum::<f64>().ln()
}

/// By the definition.
#[differentiable]
fn by_definition(x: &[f64]) -> f64 {
    let n = x.len();
    let mut power = 0.0;
    for k in 0..n {
        let angle = |j: usize| -TAU * (j * k) as f64 / n as f64;
        let s: Complex64 = x.iter().enumerate().map(|(j, &v)| v * Complex64::from_polar(1.0, angle(j))).sum();
        power += s.norm().powi(3) * k as f64;
    }
    power
}

/// A resistor before a coil and a capacitor side by side.
#[differentiable]
fn impedance(w: f64, r: f64, l: f64, c: f64) -> Complex64 {
    let j = Complex64::new(0.0, 1.0);
    let (coil, capacitor) = (j * w * l, 1.0 / (j * w * c));
    r + coil * capacitor / (coil + capacitor)
}

#[differentiable]
fn circuit(x: &[f64]) -> f64 {
    let z = impedance(x[0], x[1], x[2], x[3]);
    z.norm() + z.arg()
}

fn circuit_in_reals(x: &[f64]) -> f64 {
    let (w, r, l, c) = (x[0], x[1], x[2], x[3]);
    let reactance = w * l / (1.0 - w * w * l * c);
    r.hypot(reactance) + reactance.atan2(r)
}

/// How far `z² + c` comes.
#[differentiable]
fn escape(x: &[f64]) -> f64 {
    let c = Complex::new(x[0], x[1]);
    let mut z = Complex::new(0.0, 0.0);
    let mut count = 0;
    while z.norm_sqr() < 4.0 && count < 12 {
        z = z * z + c;
        count += 1;
    }
    z.norm().ln()
}

fn escape_in_reals(x: &[f64]) -> f64 {
    let (mut re, mut im): (f64, f64) = (0.0, 0.0);
    let mut count = 0;
    while re * re + im * im < 4.0 && count < 12 {
        (re, im) = (re * re - im * im + x[0], 2.0 * re * im + x[1]);
        count += 1;
    }
    re.hypot(im).ln()
}

/// A damped oscillator.
#[differentiable]
fn oscillator(x: &[f64]) -> f64 {
    let lambda = Complex64::new(-x[0], x[1]);
    let mut sum = 0.0;
    for k in 0..10 {
        let t = k as f64 * 0.2;
        sum += ((lambda * t).exp() * x[2]).re.powi(2);
    }
    sum
}

fn oscillator_in_reals(x: &[f64]) -> f64 {
    let at = |t: f64| x[2] * (-x[0] * t).exp() * (x[1] * t).cos();
    (0..10).map(|k| at(k as f64 * 0.2).powi(2)).sum()
}

/// The response of a Butterworth filter of order 4, by its poles.
#[differentiable]
fn butterworth(x: &[f64]) -> f64 {
    let order = 4;
    let s = Complex64::new(0.0, x[0] / x[1]);
    let mut h = Complex64::new(1.0, 0.0);
    for k in 0..order {
        let pole = Complex64::from_polar(1.0, PI * (2 * k + order + 1) as f64 / (2 * order) as f64);
        h = h / (s - pole);
    }
    20.0 * h.norm().log10()
}

fn butterworth_in_reals(x: &[f64]) -> f64 {
    -10.0 * (1.0 + (x[0] / x[1]).powi(8)).log10()
}

/// A state that turns and is normalised.
#[derive(Clone, Differentiable)]
struct State {
    psi: Vec<Complex64>,
    phase: Complex<f64>,
    step: f64,
}

#[differentiable]
fn overlap(state: &State) -> f64 {
    let mut psi = state.psi.clone();
    for _ in 0..3 {
        for v in psi.iter_mut() {
            *v = *v * (state.phase * state.step).exp();
        }
        let total: f64 = psi.iter().map(|v| v.norm_sqr()).sum();
        for v in &mut psi {
            *v /= total.sqrt();
        }
    }
    psi[0].re * psi[1].im + (psi[0] * psi[1].conj()).arg()
}

#[differentiable]
fn evolution(x: &[f64]) -> f64 {
    let psi = vec![Complex::new(x[0], x[1]), Complex::new(x[2], 0.3)];
    overlap(&State { psi, phase: Complex::new(0.2, x[1]), step: x[0] })
}

fn evolution_in_reals(x: &[f64]) -> f64 {
    let norm = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + 0.09).sqrt();
    let (first, second) = (x[1].atan2(x[0]), 0.3f64.atan2(x[2]));
    let turned = 3.0 * x[0] * x[1];
    let re = x[0].hypot(x[1]) / norm * (first + turned).cos();
    re * x[2].hypot(0.3) / norm * (second + turned).sin() + first - second
}

/// Roots of a quadratic equation, one of them improved by Newton.
#[differentiable]
fn roots(x: &[f64]) -> f64 {
    let (a, b, c) = (Complex::new(x[0], 0.3), Complex::new(x[1], -0.2), Complex::new(0.7, x[2]));
    let d = (b * b - 4.0 * a * c).sqrt();
    let (first, second) = ((-b + d) / (2.0 * a), (-b - d) / (2.0 * a));
    let mut z = first + Complex::new(0.1, 0.1);
    for _ in 0..7 {
        let (p, slope) = ((a * z + b) * z + c, a * 2.0 * z + b);
        z -= p / slope;
    }
    (first - second).norm_sqr() + (z * second).re + (first + second).im
}

/// By Viète: `(z1 - z2)² = (b² - 4ac) / a²`, `z1 z2 = c / a`, `z1 + z2 = -b / a`.
fn roots_in_reals(x: &[f64]) -> f64 {
    let square = x[0] * x[0] + 0.09;
    let (re, im) = (x[1] * x[1] - 0.04 - 4.0 * (x[0] * 0.7 - 0.3 * x[2]), -0.4 * x[1] - 4.0 * (x[0] * x[2] + 0.21));
    re.hypot(im) / square + (0.7 * x[0] + 0.3 * x[2]) / square - (-0.2 * x[0] - 0.3 * x[1]) / square
}

/// Branches, closures, options and constants of the type.
#[differentiable]
fn choices(x: &[f64]) -> f64 {
    let mut z = if x[0] > 0.0 { Complex::new(x[0], 0.0) } else { Complex::I };
    let next = |w: Complex64, k: f64| w * w + k;
    for k in 0..4 {
        if k % 2 == 0 {
            z = next(z, x[1]);
        } else {
            z -= Complex64::ONE * x[0] * 0.1;
        }
        if z.norm() > 10.0 {
            break;
        }
    }
    let v = match z.re > 0.0 {
        true => z,
        false => -z,
    };
    let u = Some(v).map_or(Complex64::ZERO, |v| v * 2.0);
    u.re + u.im + (u * Complex64::I + 0.1 * x[1]).arg()
}

fn choices_in_reals(x: &[f64]) -> f64 {
    // z² is real in both cases
    let first = if x[0] > 0.0 { x[0] * x[0] } else { -1.0 } + x[1] - 0.1 * x[0];
    let last = 2.0 * (first * first + x[1] - 0.1 * x[0]).abs();
    last + last.atan2(0.1 * x[1])
}

/// The power method.
#[differentiable]
fn power_method(x: &[f64]) -> f64 {
    let n = 2;
    let mut m = vec![vec![Complex64::new(0.0, 0.0); n]; n];
    for i in 0..n {
        for j in 0..n {
            m[i][j] = Complex::new(x[i], x[j] * 0.5) + if i == j { 1.0 } else { 0.0 };
        }
    }
    let mut v = vec![Complex64::new(1.0, 0.0), Complex64::new(0.0, 1.0)];
    for _ in 0..3 {
        let mut w = vec![Complex64::default(); n];
        for i in 0..n {
            for j in 0..n {
                w[i] += m[i][j] * v[j];
            }
        }
        let norm = w.iter().map(|c| c.norm_sqr()).sum::<f64>().sqrt();
        for c in w.iter_mut() {
            *c = *c / norm;
        }
        v = w;
    }
    let quotient: Complex64 = v.iter().zip(&m[0]).map(|(a, b)| a.conj() * b).sum();
    quotient.re
}

fn power_method_in_reals(x: &[f64]) -> f64 {
    let m = |i: usize, j: usize| [x[i] + f64::from(i == j), x[j] * 0.5];
    let times = |a: [f64; 2], b: [f64; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    let mut v = [[1.0, 0.0], [0.0, 1.0]];
    for _ in 0..3 {
        let row = |i: usize| {
            let (a, b) = (times(m(i, 0), v[0]), times(m(i, 1), v[1]));
            [a[0] + b[0], a[1] + b[1]]
        };
        let w = [row(0), row(1)];
        let norm = w.as_flattened().iter().map(|c| c * c).sum::<f64>().sqrt();
        v = w.map(|c| c.map(|part| part / norm));
    }
    (0..2).map(|k| v[k][0] * m(0, k)[0] + v[k][1] * m(0, k)[1]).sum()
}

const SIGNAL: [f64; 8] = [0.3, -0.2, 0.8, 1.1, -0.7, 0.2, 0.5, -0.9];

rows! {
    transform_in_place: in_place, |x: &[f64]| powers(x, |k, p| (k as f64 + 1.0) * p), SIGNAL;
    transform_by_recursion: by_recursion, |x: &[f64]| powers(x, |k, p| (k * k) as f64 * p).ln(), SIGNAL;
    transform_by_definition: by_definition, |x: &[f64]| powers(x, |k, p| k as f64 * p.sqrt().powi(3)), [0.3, -0.2, 0.8, 1.1];
    the_impedance_of_a_circuit: circuit, circuit_in_reals, [1.2, 0.5, 0.3, 0.7];
    an_orbit_that_stays: escape, escape_in_reals, [-0.4, 0.5];
    an_orbit_that_leaves: escape, escape_in_reals, [0.6, 0.8];
    a_damped_oscillator: oscillator, oscillator_in_reals, [0.3, 2.1, 1.5];
    the_response_of_a_filter: butterworth, butterworth_in_reals, [1.5, 1.1];
    a_state_that_turns: evolution, evolution_in_reals, [0.5, 0.7, -0.3];
    roots_of_an_equation: roots, roots_in_reals, [0.8, 0.3, -0.4];
    one_branch: choices, choices_in_reals, [0.5, 0.3];
    the_other_branch: choices, choices_in_reals, [-0.5, 0.3];
    iterated_products: power_method, power_method_in_reals, [0.5, 0.3];
}
