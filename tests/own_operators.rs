//! Types with operators of their own, annotated: values, both modes, second order.

use diffi::prelude::*;
use std::ops::{Add, AddAssign, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A complex number.
#[derive(Clone, Copy, Debug, Differentiable)]
struct Complex {
    re: f64,
    im: f64,
}

#[differentiable]
impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

#[differentiable]
impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self::Output {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

#[differentiable]
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

#[differentiable]
impl Mul<f64> for Complex {
    type Output = Complex;
    fn mul(self, factor: f64) -> Complex {
        Complex { re: self.re * factor, im: self.im * factor }
    }
}

#[differentiable]
impl Neg for Complex {
    type Output = Complex;
    fn neg(self) -> Complex {
        Complex { re: -self.re, im: -self.im }
    }
}

/// `|z^3 - 2 z|^2`.
#[differentiable]
fn energy(z: Complex) -> f64 {
    let w: Complex = z * z * z - z * 2.0;
    let v: Complex = -w;
    v.re * v.re + v.im * v.im
}

/// `(x + i y)^3 - 2 (x + i y)` by hand: `p = x^3 - 3 x y^2 - 2 x`, `q = 3 x^2 y - y^3 - 2 y`.
fn by_hand(x: f64, y: f64) -> (f64, [f64; 2]) {
    let (p, q) = (x.powi(3) - 3.0 * x * y * y - 2.0 * x, 3.0 * x * x * y - y.powi(3) - 2.0 * y);
    let (px, py) = (3.0 * x * x - 3.0 * y * y - 2.0, -6.0 * x * y);
    let (qx, qy) = (6.0 * x * y, 3.0 * x * x - 3.0 * y * y - 2.0);
    (p * p + q * q, [2.0 * (p * px + q * qx), 2.0 * (p * py + q * qy)])
}

#[test]
fn the_annotated_operators_are_differentiated() -> Result<()> {
    let z = Complex { re: 0.7, im: -1.3 };
    let (value, [x, y]) = by_hand(z.re, z.im);
    assert!((energy(z) - value).abs() < 1e-12);
    let reverse = gradient(energy::D, AutoReverse, z)?;
    let forward = gradient(energy::D, AutoForward, z)?;
    for g in [reverse, forward] {
        assert!((g.re - x).abs() < 1e-10 && (g.im - y).abs() < 1e-10, "{g:?} is not {x}, {y}");
    }
    Ok(())
}

/// Both components as parameters: gradient and Hessian.
#[differentiable]
fn of_numbers(x: f64, y: f64) -> f64 {
    energy(Complex { re: x, im: y })
}

#[test]
fn second_order() -> Result<()> {
    let (x, y) = (0.7, -1.3);
    let hessian = hessian(of_numbers::D, AutoReverse, (x, y))?;
    let h = 1e-5;
    let slope = |a: [f64; 2], b: [f64; 2]| [(a[0] - b[0]) / (2.0 * h), (a[1] - b[1]) / (2.0 * h)];
    let columns = [slope(by_hand(x + h, y).1, by_hand(x - h, y).1), slope(by_hand(x, y + h).1, by_hand(x, y - h).1)];
    for (i, column) in columns.iter().enumerate() {
        for (j, wanted) in column.iter().enumerate() {
            assert!((hessian[[j, i]] - wanted).abs() < 1e-6, "{hessian} is not {columns:?}");
        }
    }
    Ok(())
}

/// A number by its logarithm: `+` is not linear.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Log(f64);

#[differentiable]
impl Add for Log {
    type Output = Log;
    fn add(self, other: Log) -> Log {
        Log((self.0.exp() + other.0.exp()).ln())
    }
}

#[differentiable]
impl AddAssign<f64> for Log {
    fn add_assign(&mut self, other: f64) {
        *self = Log((self.0.exp() + other.exp()).ln());
    }
}

/// `ln(Σ exp(x_i))`, twice.
#[differentiable]
fn total(x: &[f64]) -> f64 {
    let mut sum = Log(x[0]);
    let mut other = Log(x[0]);
    for v in &x[1..] {
        sum = sum + Log(*v);
        other += *v;
    }
    sum.0 * other.0
}

#[test]
fn an_addition_that_is_not_linear() -> Result<()> {
    let x: [f64; 4] = [0.3, -1.1, 0.8, 0.2];
    let sum: f64 = x.iter().map(|v| v.exp()).sum();
    for g in [gradient(total::D, AutoReverse, &x)?, gradient(total::D, AutoForward, &x)?] {
        for (g, v) in g.iter().zip(x) {
            let expected = 2.0 * sum.ln() * v.exp() / sum;
            assert!((g - expected).abs() < 1e-12, "{g} should be {expected}");
        }
    }
    let h = hessian(total::D, AutoReverse, &x)?;
    let (p, q) = (x[1].exp() / sum, x[2].exp() / sum);
    let expected = 2.0 * p * q - 2.0 * sum.ln() * p * q;
    assert!((h[[1, 2]] - expected).abs() < 1e-12, "{} should be {expected}", h[[1, 2]]);
    Ok(())
}

#[differentiable]
impl AddAssign for Complex {
    fn add_assign(&mut self, other: Complex) {
        self.re += other.re;
        self.im += other.im;
    }
}

#[differentiable]
impl SubAssign for Complex {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[differentiable]
impl MulAssign for Complex {
    fn mul_assign(&mut self, other: Self) {
        let re = self.re * other.re - self.im * other.im;
        self.im = self.re * other.im + self.im * other.re;
        self.re = re;
    }
}

#[differentiable]
impl DivAssign<f64> for Complex {
    fn div_assign(&mut self, by: f64) {
        self.re /= by;
        self.im /= by;
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Orbit {
    at: Complex,
    steps: usize,
}

/// `z <- (z^2 + c) / s`, some times, and the sum of all in a struct.
#[differentiable]
fn quadratic_map(c: Complex, s: f64) -> f64 {
    let mut z = Complex { re: 0.1, im: -0.2 };
    let mut sum = Orbit { at: c, steps: 0 };
    for _ in 0..4 {
        let w: Complex = z;
        z *= w;
        z += c;
        z /= s;
        sum.at += z;
        sum.steps += 1;
    }
    let mut last: Complex = sum.at;
    last -= z;
    last.re * z.im + last.im * last.im * sum.steps as f64
}

#[test]
fn operators_that_assign() -> Result<()> {
    let at = [0.3, -0.4, 1.3];
    let plain = |x: &[f64]| quadratic_map(Complex { re: x[0], im: x[1] }, x[2]);
    let gradients = |x: &[f64]| -> Result<Vec<f64>> {
        let (c, s) = gradient(quadratic_map::D, AutoReverse, (Complex { re: x[0], im: x[1] }, x[2]))?;
        Ok(vec![c.re, c.im, s])
    };
    let (c, s) = gradient(quadratic_map::D, AutoForward, (Complex { re: at[0], im: at[1] }, at[2]))?;
    let reverse = gradients(&at)?;
    for (i, forward) in [c.re, c.im, s].into_iter().enumerate() {
        let moved = |h: f64| {
            let mut x = at;
            x[i] += h;
            x
        };
        let slope = |h: f64| (plain(&moved(h)) - plain(&moved(-h))) / (2.0 * h);
        let expected = (4.0 * slope(5e-4) - slope(1e-3)) / 3.0;
        assert!((reverse[i] - expected).abs() < 1e-9, "{} should be {expected}", reverse[i]);
        assert!((forward - expected).abs() < 1e-9, "{forward} should be {expected}");
    }
    Ok(())
}

#[differentiable]
impl Complex {
    fn norm2(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    fn between(&self, other: Complex, t: f64) -> Complex {
        *self + (other - *self) * t
    }
}

/// A sum that is overwritten: no operator here reads it.
#[differentiable(constant(n))]
#[expect(clippy::assign_op_pattern, reason = "the operator, and not the assigning one")]
fn drift(c: Complex, n: usize) -> f64 {
    let mut z = Complex { re: 0.0, im: 1.0 };
    for _ in 0..n {
        let back = -c;
        z = z - back;
        z += c;
    }
    z.norm2()
}

/// Every product and every norm reads its operands.
#[differentiable(constant(n))]
fn spiral(c: Complex, n: usize) -> f64 {
    let (mut z, mut total) = (c, 0.0);
    let mut k = 0;
    while k < n {
        z = (z * c).between(z, 0.25);
        z *= c;
        total += (z - c).norm2();
        k += 1;
    }
    total
}

/// `(2 n re, 1 + 2 n im)` is what `drift` comes to.
#[test]
fn what_no_operator_reads_is_not_kept() -> Result<()> {
    let kept = |n: usize| -> Result<(ComplexTangent<f64>, usize)> {
        let z = Complex { re: 0.3, im: -0.2 };
        let mut prepared = prepare_gradient(drift::D, AutoReverse, (z, Constant(n)))?;
        let slope = prepared.gradient((z, Constant(n)))?;
        Ok((slope, prepared.tape_bytes()))
    };
    let (slope, bytes) = kept(10)?;
    assert!((slope.re - 2.0 * 20.0 * 6.0).abs() < 1e-12 && (slope.im + 2.0 * 20.0 * 3.0).abs() < 1e-12);
    assert_eq!(bytes, kept(1000)?.1, "bytes that depend on the number of iterations");
    Ok(())
}

#[test]
fn what_operators_and_methods_read_is_kept() -> Result<()> {
    let at = [0.8, -0.5];
    let gradient_at = |x: &[f64; 2]| gradient(spiral::D, AutoReverse, (Complex { re: x[0], im: x[1] }, Constant(7)));
    let slope = gradient_at(&at)?;
    let product = hvp(spiral::D, AutoReverse, (Complex { re: at[0], im: at[1] }, Constant(7)), slope.clone())?;
    let moved = |by: [f64; 2]| [at[0] + by[0], at[1] + by[1]];
    let value = |by: [f64; 2]| {
        let [re, im] = moved(by);
        spiral(Complex { re, im }, 7)
    };
    let h = 1e-5;
    assert!((slope.re - (value([h, 0.0]) - value([-h, 0.0])) / (2.0 * h)).abs() < 1e-6);
    assert!((slope.im - (value([0.0, h]) - value([0.0, -h])) / (2.0 * h)).abs() < 1e-6);
    let along = [h * slope.re, h * slope.im];
    let (ahead, behind) = (gradient_at(&moved(along))?, gradient_at(&moved([-along[0], -along[1]]))?);
    assert!((product.re - (ahead.re - behind.re) / (2.0 * h)).abs() < 1e-3 * product.re.abs().max(1.0));
    assert!((product.im - (ahead.im - behind.im) / (2.0 * h)).abs() < 1e-3 * product.im.abs().max(1.0));
    Ok(())
}
