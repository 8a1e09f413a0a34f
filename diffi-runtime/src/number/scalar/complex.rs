//! Complex numbers with the functions of real ones, continued off the real axis.

use std::ops::Neg;

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// The real part.
    pub re: f64,
    /// The imaginary part.
    pub im: f64,
}

const ONE: Complex = Complex { re: 1.0, im: 0.0 };
const I: Complex = Complex { re: 0.0, im: 1.0 };

/// Functions are the analytic continuations of those of the standard library, accurate also where the imaginary part is tiny: parts of
/// different sizes are never added.
impl Complex {
    /// `re + i im`.
    #[inline]
    pub const fn new(re: f64, im: f64) -> Self {
        Complex { re, im }
    }

    fn times(self, k: f64) -> Self {
        Complex::new(self.re * k, self.im * k)
    }

    /// The absolute value as a complex number: where the real part is negative, the other one.
    pub fn abs(self) -> Self {
        if self.re > 0.0 {
            self
        } else if self.re < 0.0 {
            -self
        } else {
            Complex::new(self.re.abs(), 0.0)
        }
    }

    /// The principal root.
    pub fn sqrt(self) -> Self {
        if self.im == 0.0 {
            return Complex::new(self.re.sqrt(), 0.0);
        }
        let r = self.re.hypot(self.im);
        if self.re >= 0.0 {
            let re = (0.5 * (r + self.re)).sqrt();
            Complex::new(re, 0.5 * self.im / re)
        } else {
            let im = (0.5 * (r - self.re)).sqrt().copysign(self.im);
            Complex::new(0.5 * self.im / im, im)
        }
    }

    /// The root that is real where the number is.
    pub fn cbrt(self) -> Self {
        if self.im == 0.0 {
            return Complex::new(self.re.cbrt(), 0.0);
        }
        let (sign, z) = if self.re < 0.0 { (-1.0, -self) } else { (1.0, self) };
        let (r, angle) = (z.re.hypot(z.im).cbrt(), z.im.atan2(z.re) / 3.0);
        Complex::new(sign * r * angle.cos(), sign * r * angle.sin())
    }

    /// `e` to a power.
    pub fn exp(self) -> Self {
        let r = self.re.exp();
        Complex::new(r * self.im.cos(), r * self.im.sin())
    }

    /// 2 to a power.
    pub fn exp2(self) -> Self {
        let (r, angle) = (self.re.exp2(), self.im * std::f64::consts::LN_2);
        Complex::new(r * angle.cos(), r * angle.sin())
    }

    /// `e^z - 1`.
    pub fn exp_m1(self) -> Self {
        let half = (0.5 * self.im).sin();
        Complex::new(self.re.exp_m1() * self.im.cos() - 2.0 * half * half, self.re.exp() * self.im.sin())
    }

    /// The principal logarithm; where the number is real and negative, NaN.
    pub fn ln(self) -> Self {
        let re =
            if self.re > 0.0 && self.im.abs() < self.re * 1e-8 { self.re.ln() } else { self.re.hypot(self.im).ln() };
        let undefined = self.re < 0.0 && self.im.abs() < -self.re * 1e-8;
        Complex::new(if undefined { f64::NAN } else { re }, self.im.atan2(self.re))
    }

    /// The logarithm of `1 + z`.
    pub fn ln_1p(self) -> Self {
        let norm = self.re * (2.0 + self.re) + self.im * self.im;
        let near = self.im.abs() < 1e-8;
        Complex::new(if near { self.re.ln_1p() } else { 0.5 * norm.ln_1p() }, self.im.atan2(1.0 + self.re))
    }

    /// The logarithm to the base 2.
    pub fn log2(self) -> Self {
        let ln = self.ln();
        let re = if self.im.abs() < self.re * 1e-8 { self.re.log2() } else { ln.re / std::f64::consts::LN_2 };
        Complex::new(re, ln.im / std::f64::consts::LN_2)
    }

    /// The logarithm to the base 10.
    pub fn log10(self) -> Self {
        let ln = self.ln();
        let re = if self.im.abs() < self.re * 1e-8 { self.re.log10() } else { ln.re / std::f64::consts::LN_10 };
        Complex::new(re, ln.im / std::f64::consts::LN_10)
    }

    /// The sine.
    pub fn sin(self) -> Self {
        Complex::new(self.re.sin() * self.im.cosh(), self.re.cos() * self.im.sinh())
    }

    /// The cosine.
    pub fn cos(self) -> Self {
        Complex::new(self.re.cos() * self.im.cosh(), -self.re.sin() * self.im.sinh())
    }

    /// The tangent.
    pub fn tan(self) -> Self {
        let (t, h) = (Complex::new(self.re.tan(), 0.0), I.times(self.im.tanh()));
        (t + h) / (ONE - t * h)
    }

    /// The inverse sine: Kahan's, as the other inverses, so that no part is a difference of others.
    pub fn asin(self) -> Self {
        let (below, above) = (ONE - self, ONE + self);
        let (p, q) = (below.sqrt(), above.sqrt());
        Complex::new(self.re.atan2((p * q).re), (p.conj() * q).im.asinh())
    }

    /// The inverse cosine.
    pub fn acos(self) -> Self {
        let (p, q) = ((ONE - self).sqrt(), (ONE + self).sqrt());
        Complex::new(2.0 * p.re.atan2(q.re), (q.conj() * p).im.asinh())
    }

    /// The inverse tangent.
    pub fn atan(self) -> Self {
        (self * I).atanh().divided_by_i()
    }

    /// The hyperbolic sine.
    pub fn sinh(self) -> Self {
        Complex::new(self.re.sinh() * self.im.cos(), self.re.cosh() * self.im.sin())
    }

    /// The hyperbolic cosine.
    pub fn cosh(self) -> Self {
        Complex::new(self.re.cosh() * self.im.cos(), self.re.sinh() * self.im.sin())
    }

    /// The hyperbolic tangent.
    pub fn tanh(self) -> Self {
        let (t, h) = (Complex::new(self.re.tanh(), 0.0), I.times(self.im.tan()));
        (t + h) / (ONE + t * h)
    }

    /// The inverse hyperbolic sine.
    pub fn asinh(self) -> Self {
        (self * I).asin().divided_by_i()
    }

    /// The inverse hyperbolic cosine.
    pub fn acosh(self) -> Self {
        let (p, q) = ((self - ONE).sqrt(), (self + ONE).sqrt());
        Complex::new((p.conj() * q).re.asinh(), 2.0 * p.im.atan2(q.re))
    }

    /// The inverse hyperbolic tangent.
    pub fn atanh(self) -> Self {
        let (x, y) = (self.re, self.im);
        let re = 0.25 * (4.0 * x / ((1.0 - x) * (1.0 - x) + y * y)).ln_1p();
        Complex::new(re, 0.5 * (2.0 * y).atan2((1.0 - x) * (1.0 + x) - y * y))
    }

    /// A whole power, by repeated squaring.
    pub fn powi(self, n: i32) -> Self {
        let (mut square, mut power, mut left) = (self, ONE, n.unsigned_abs());
        while left > 0 {
            if left % 2 == 1 {
                power = power * square;
            }
            square = square * square;
            left /= 2;
        }
        if n < 0 { ONE / power } else { power }
    }

    /// A power.
    pub fn powf(self, p: Self) -> Self {
        if p.im == 0.0 && p.re.fract() == 0.0 && p.re.abs() < 1e9 {
            return self.powi(p.re as i32);
        }
        if p.im == 0.0 && self.re >= 0.0 {
            let (r, angle) = (self.re.hypot(self.im).powf(p.re), p.re * self.im.atan2(self.re));
            return Complex::new(r * angle.cos(), r * angle.sin());
        }
        (p * self.ln()).exp()
    }

    /// The angle of the point `(b, self)`: that of the real parts, and a small one beside it.
    pub fn atan2(self, b: Self) -> Self {
        let (y, x) = (self.re, b.re);
        let beside = (self.times(x) - b.times(y)) / (b.times(x) + self.times(y));
        let beside = if x == 0.0 && y == 0.0 { Complex::default() } else { beside.atan() };
        Complex::new(y.atan2(x) + beside.re, beside.im)
    }

    fn conj(self) -> Self {
        Complex::new(self.re, -self.im)
    }

    fn divided_by_i(self) -> Self {
        Complex::new(self.im, -self.re)
    }
}

super::assigning! { @ [] Complex; AddAssign add_assign Add add }
super::assigning! { @ [] Complex; SubAssign sub_assign Sub sub }
super::arithmetic! {
    [] Complex;
    Add add |a, b| Complex::new(a.re + b.re, a.im + b.im);
    Sub sub |a, b| Complex::new(a.re - b.re, a.im - b.im);
    Mul mul |a, b| Complex::new(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
    Div div |a, b| {
        // Smith's: without squares that overflow.
        if b.im == 0.0 {
            Complex::new(a.re / b.re, a.im / b.re)
        } else if b.re.abs() >= b.im.abs() {
            let (r, size) = (b.im / b.re, b.re + b.im * (b.im / b.re));
            Complex::new((a.re + a.im * r) / size, (a.im - a.re * r) / size)
        } else {
            let (r, size) = (b.re / b.im, b.re * (b.re / b.im) + b.im);
            Complex::new((a.re * r + a.im) / size, (a.im * r - a.re) / size)
        }
    };
}

impl Neg for Complex {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Complex::new(-self.re, -self.im)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far from the real axis, by identities.
    #[test]
    fn functions_and_their_inverses() {
        let close = |a: Complex, b: Complex| (a - b).re.hypot((a - b).im) < 1e-13;
        for z in [Complex::new(0.3, 0.4), Complex::new(0.7, -0.2), Complex::new(0.1, 1e-100)] {
            for (there, back) in [
                (z.asin(), Complex::sin as fn(Complex) -> Complex),
                (z.acos(), Complex::cos),
                (z.atan(), Complex::tan),
                (z.asinh(), Complex::sinh),
                (z.acosh(), Complex::cosh),
                (z.atanh(), Complex::tanh),
                (z.ln(), Complex::exp),
                (z.ln_1p(), Complex::exp_m1),
                (z.log2(), Complex::exp2),
                (z.sqrt(), |w| w * w),
                (z.cbrt(), |w| w * w * w),
                (z.powf(Complex::new(0.5, 0.0)), |w| w * w),
                (z.powi(-2), |w| (ONE / w).sqrt()),
            ] {
                assert!(close(back(there), z), "{there:?} of {z:?}");
            }
            let hyperbolic = (z.exp() - (-z).exp()).times(0.5);
            assert!(close(z.sinh(), hyperbolic) && close((z * I).sin().divided_by_i(), hyperbolic));
            assert!(close(z.log10().times(10f64.ln()), z.ln()));
            assert!(close(z.atan2(ONE), z.atan()));
        }
    }
}
