//! Complex numbers as arguments, results, elements and fields; their gradients in closed form.

use diffi::prelude::*;
use num_complex::{Complex, Complex32, Complex64};

fn assert_near(got: Complex64, expected: Complex64) {
    assert!((got - expected).norm() < 1e-12, "{got} should be {expected}");
}

/// `|z|²`: the gradient is `2 z`, the direction of steepest ascent.
#[differentiable]
fn square(z: Complex64) -> f64 {
    z.norm_sqr()
}

#[test]
fn the_gradient_by_a_complex_number_is_the_pair_of_partial_derivatives() -> Result<()> {
    let z = Complex64::new(0.7, -1.3);
    assert_near(gradient(square::D, AutoReverse, z)?, 2.0 * z);
    assert_near(gradient(square::D, AutoForward, z)?, 2.0 * z);
    assert!((gradient(square::D, AutoFiniteDiff::default(), z)? - 2.0 * z).norm() < 1e-6);
    assert_eq!(hessian(square::D, AutoReverse, z)?, ndarray::arr2(&[[2.0, 0.0], [0.0, 2.0]]));
    Ok(())
}

/// Element by element: blocks of `[[re, -im], [im, re]]` of the slope.
#[differentiable]
fn squares(z: &[Complex64]) -> Vec<Complex64> {
    z.iter().map(|v| v * v).collect()
}

#[test]
fn the_jacobian_has_a_block_for_each_number() -> Result<()> {
    let z = [Complex64::new(0.7, -1.3), Complex64::new(-0.2, 0.5)];
    for jacobian in [jacobian(squares::D, AutoReverse, &z[..])?, jacobian(squares::D, AutoForward, &z[..])?] {
        assert_eq!(jacobian.dim(), (4, 4));
        for (k, z) in z.iter().enumerate() {
            let (re, im) = (2.0 * z.re, 2.0 * z.im);
            assert_eq!(
                jacobian.slice(ndarray::s![2 * k..2 * k + 2, 2 * k..2 * k + 2]),
                ndarray::arr2(&[[re, -im], [im, re]])
            );
            assert_eq!(jacobian[[2 * k, 2 - 2 * k]], 0.0);
        }
    }
    let pattern = jacobian_sparsity(squares::D, TracerLocalSparsityDetector, &z[..])?;
    assert_eq!(pattern.iter().collect::<Vec<_>>(), [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (2, 3), (3, 2), (3, 3)]);
    Ok(())
}

/// A sum has no second derivatives, and its tracer knows it.
#[differentiable]
fn sum(z: &[Complex64]) -> f64 {
    let total: Complex64 = z.iter().sum();
    (total * 2.0 - Complex64::new(1.0, 1.0)).re - total.conj().im
}

#[test]
fn what_is_linear_has_no_hessian() -> Result<()> {
    let z = [Complex64::new(0.7, -1.3), Complex64::new(-0.2, 0.5)];
    assert_eq!(hessian_sparsity(sum::D, TracerLocalSparsityDetector, &z[..])?.iter().count(), 0);
    assert_eq!(gradient(sum::D, AutoReverse, &z[..])?, [Complex64::new(2.0, 1.0); 2]);
    Ok(())
}

/// A Gaussian beam: `Im(1 / (q g + 1))`. Nothing here names the type of `q`.
#[derive(Clone, Debug, Differentiable)]
struct Beam {
    q: Complex64,
    gain: f64,
}

#[differentiable]
fn curvature(beam: &Beam) -> f64 {
    let q = beam.q * beam.gain + 1.0;
    (1.0 / q).im
}

#[differentiable]
fn power(beam: &Beam) -> f64 {
    beam.q.norm() * beam.gain
}

#[test]
fn fields() -> Result<()> {
    let beam = Beam { q: Complex::new(0.7, -1.3), gain: 2.0 };
    let q = beam.q * beam.gain + 1.0;
    // dIm(1/q) = Im(-dq / q²): with c = -1/q², ∂/∂re = g Im(c), ∂/∂im = g Re(c), ∂/∂g = Im(c z)
    let c = -1.0 / (q * q);
    for g in [gradient(curvature::D, AutoReverse, &beam)?, gradient(curvature::D, AutoForward, &beam)?] {
        assert_near(g.q, beam.gain * Complex::new(c.im, c.re));
        assert!((g.gain - (c * beam.q).im).abs() < 1e-12);
    }
    let g = gradient(power::D, AutoReverse, &beam)?;
    assert_near(g.q, beam.q / beam.q.norm() * beam.gain);
    assert!((g.gain - beam.q.norm()).abs() < 1e-12);
    Ok(())
}

/// Outputs, arrays and `f32`.
#[differentiable]
fn exchanged(z: &[Complex32; 2], out: &mut [Complex32]) {
    out[0] = z[0] * z[1];
    out[1] = z[0].conj();
}

#[test]
fn outputs_in_single_precision() -> Result<()> {
    let z = [Complex32::new(1.0, 2.0), Complex32::new(3.0, -1.0)];
    let dot = [Complex32::new(1.0, 1.0), Complex32::new(0.0, 2.0)];
    let mut out = [Complex32::new(0.0, 0.0); 2];
    let found = pushforward(exchanged::D, AutoForward, (&z, &mut out[..]), dot)?;
    assert_eq!(found[..], [dot[0] * z[1] + z[0] * dot[1], dot[0].conj()]);
    Ok(())
}

/// Methods and associated functions of a type with complex fields.
#[derive(Clone, Copy, Debug, Differentiable)]
struct Phasor {
    amplitude: Complex64,
    gain: f64,
}

#[differentiable]
impl Phasor {
    fn turned(&self, by: Complex64) -> Phasor {
        Phasor { amplitude: self.amplitude * by, gain: self.gain * self.amplitude.norm() }
    }
    fn of(x: f64, y: f64) -> Phasor {
        Phasor { amplitude: Complex::new(x, y), gain: x * y }
    }
    fn mixed(z: Complex64, k: f64) -> Complex64 {
        z * k + z.conj()
    }
}

#[differentiable]
fn by_methods(x: &[f64]) -> f64 {
    let turned = Phasor::of(x[0], x[1]).turned(Complex::from_polar(x[1], x[0]));
    let w = Phasor::mixed(turned.amplitude, x[0]);
    let mut last = turned;
    last.amplitude *= w;
    last.amplitude += x[0];
    (last.amplitude * last.gain).norm() + last.amplitude.exp().im.sin()
}

fn by_methods_in_reals(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    let (cos, sin) = (b * a.cos(), b * a.sin());
    let (re, im) = (a * cos - b * sin, a * sin + b * cos);
    let gain = a * b * a.hypot(b);
    let (u, v) = (re * a + re, im * a - im);
    let (re, im) = (re * u - im * v + a, re * v + im * u);
    (re * gain).hypot(im * gain) + (re.exp() * im.sin()).sin()
}

crate::check::rows! {
    methods: by_methods, by_methods_in_reals, [0.6, 0.9];
}
