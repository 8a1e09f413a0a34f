//! The number type of the reference: a value with its first derivatives in two directions and its mixed second derivative.
//!
//! Hyper-dual numbers (Fike and Alonso, The Development of Hyper-Dual Numbers for Exact Second-Derivative Calculations, 2011):
//! exact, without a step. The formulas are written here once more, so that the reference shares nothing with diffi.

use std::cmp::Ordering;
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

/// A hyper-dual number.
#[derive(Clone, Copy, Debug, Default)]
pub struct S {
    /// The value.
    pub v: f64,
    /// The derivative in the first direction.
    pub a: f64,
    /// The derivative in the second direction.
    pub b: f64,
    /// The second derivative in both.
    pub ab: f64,
}

/// A constant.
pub fn lit(v: f64) -> S {
    S { v, ..S::default() }
}

impl S {
    /// As `f64::INFINITY`.
    pub const INFINITY: S = S { v: f64::INFINITY, a: 0.0, b: 0.0, ab: 0.0 };
    /// As `f64::NEG_INFINITY`.
    pub const NEG_INFINITY: S = S { v: f64::NEG_INFINITY, a: 0.0, b: 0.0, ab: 0.0 };

    /// `x as usize`.
    pub fn index(self) -> usize {
        self.v as usize
    }

    /// A function of one number: its value, first and second derivative.
    fn chain(self, f: f64, f1: f64, f2: f64) -> S {
        S { v: f, a: f1 * self.a, b: f1 * self.b, ab: f1 * self.ab + f2 * self.a * self.b }
    }

    /// A function of two numbers: its value, its gradient, and `xx`, `xy`, `yy` of its Hessian.
    fn chain2(x: S, y: S, f: f64, [fx, fy]: [f64; 2], [xx, xy, yy]: [f64; 3]) -> S {
        S {
            v: f,
            a: fx * x.a + fy * y.a,
            b: fx * x.b + fy * y.b,
            ab: fx * x.ab + fy * y.ab + xx * x.a * x.b + xy * (x.a * y.b + x.b * y.a) + yy * y.a * y.b,
        }
    }
}

/// `name(x): first derivative, second derivative;`, where `y` is the value.
macro_rules! functions {
    ($($name:ident($x:ident, $y:ident): $first:expr, $second:expr;)+) => {
        impl S { $(
            #[doc = concat!("As `f64::", stringify!($name), "`.")]
            pub fn $name(self) -> S {
                let $x = self.v;
                let $y = $x.$name();
                let _ = ($x, $y);
                self.chain($y, $first, $second)
            }
        )+ }
    };
}

functions! {
    recip(x, y): -1.0 / (x * x), 2.0 / (x * x * x);
    sqrt(x, y): 0.5 / y, -0.25 / (x * y);
    cbrt(x, y): y / (3.0 * x), -2.0 * y / (9.0 * x * x);
    exp(x, y): y, y;
    exp2(x, y): y * 2f64.ln(), y * 2f64.ln().powi(2);
    exp_m1(x, y): x.exp(), x.exp();
    ln(x, y): 1.0 / x, -1.0 / (x * x);
    ln_1p(x, y): 1.0 / (1.0 + x), -1.0 / (1.0 + x).powi(2);
    log2(x, y): 1.0 / (x * 2f64.ln()), -1.0 / (x * x * 2f64.ln());
    log10(x, y): 1.0 / (x * 10f64.ln()), -1.0 / (x * x * 10f64.ln());
    sin(x, y): x.cos(), -y;
    cos(x, y): -x.sin(), -y;
    tan(x, y): 1.0 / x.cos().powi(2), 2.0 * y / x.cos().powi(2);
    asin(x, y): 1.0 / (1.0 - x * x).sqrt(), x / (1.0 - x * x).powf(1.5);
    acos(x, y): -1.0 / (1.0 - x * x).sqrt(), -x / (1.0 - x * x).powf(1.5);
    atan(x, y): 1.0 / (1.0 + x * x), -2.0 * x / (1.0 + x * x).powi(2);
    sinh(x, y): x.cosh(), y;
    cosh(x, y): x.sinh(), y;
    tanh(x, y): 1.0 / x.cosh().powi(2), -2.0 * y / x.cosh().powi(2);
    asinh(x, y): 1.0 / (1.0 + x * x).sqrt(), -x / (1.0 + x * x).powf(1.5);
    acosh(x, y): 1.0 / (x * x - 1.0).sqrt(), -x / (x * x - 1.0).powf(1.5);
    atanh(x, y): 1.0 / (1.0 - x * x), 2.0 * x / (1.0 - x * x).powi(2);
    to_degrees(x, y): 180.0 / std::f64::consts::PI, 0.0;
    to_radians(x, y): std::f64::consts::PI / 180.0, 0.0;
    abs(x, y): if x == 0.0 { 0.0 } else { x.signum() }, 0.0;
    fract(x, y): 1.0, 0.0;
    floor(x, y): 0.0, 0.0;
    ceil(x, y): 0.0, 0.0;
    round(x, y): 0.0, 0.0;
    trunc(x, y): 0.0, 0.0;
    signum(x, y): 0.0, 0.0;
}

impl S {
    /// As `f64::powi`.
    pub fn powi(self, n: i32) -> S {
        let (x, k) = (self.v, f64::from(n));
        let first = if n == 0 { 0.0 } else { k * x.powi(n - 1) };
        let second = if n == 0 || n == 1 { 0.0 } else { k * (k - 1.0) * x.powi(n - 2) };
        self.chain(x.powi(n), first, second)
    }

    /// As `f64::powf`, of a positive number.
    pub fn powf(self, p: S) -> S {
        let (x, q) = (self.v, p.v);
        let (y, l) = (x.powf(q), x.ln());
        S::chain2(self, p, y, [q * y / x, y * l], [q * (q - 1.0) * y / (x * x), y / x + q * y * l / x, y * l * l])
    }

    /// As `f64::log`.
    pub fn log(self, base: S) -> S {
        (self.ln() / base.ln()).valued(self.v.log(base.v))
    }

    /// The same derivatives with another value.
    fn valued(self, v: f64) -> S {
        S { v, ..self }
    }

    /// As `f64::hypot`.
    pub fn hypot(self, other: S) -> S {
        (self * self + other * other).sqrt().valued(self.v.hypot(other.v))
    }

    /// As `f64::atan2`.
    pub fn atan2(self, x: S) -> S {
        let (a, b) = (self.v, x.v);
        let r = a * a + b * b;
        let r2 = r * r;
        S::chain2(self, x, a.atan2(b), [b / r, -a / r], [-2.0 * a * b / r2, (a * a - b * b) / r2, 2.0 * a * b / r2])
    }

    /// As `f64::mul_add`.
    pub fn mul_add(self, a: S, b: S) -> S {
        (self * a + b).valued(self.v.mul_add(a.v, b.v))
    }

    /// As `f64::copysign`.
    pub fn copysign(self, sign: S) -> S {
        let y = self.v.copysign(sign.v);
        self.chain(y, if self.v == 0.0 { 0.0 } else { self.v.signum() * y.signum() }, 0.0)
    }

    /// As `f64::max`, with the first of two equal numbers.
    pub fn max(self, other: S) -> S {
        if self.v >= other.v { self } else { other }
    }

    /// As `f64::min`, with the first of two equal numbers.
    pub fn min(self, other: S) -> S {
        if self.v <= other.v { self } else { other }
    }

    /// As `f64::clamp`, as inside on the bounds.
    pub fn clamp(self, low: S, high: S) -> S {
        if self.v < low.v {
            low
        } else if self.v > high.v {
            high
        } else {
            self
        }
    }

    /// As `f64::rem_euclid`.
    pub fn rem_euclid(self, b: S) -> S {
        let y = self.v.rem_euclid(b.v);
        S::chain2(self, b, y, [1.0, ((y - self.v) / b.v).round()], [0.0; 3])
    }

    /// As `f64::midpoint`.
    pub fn midpoint(self, b: S) -> S {
        S::chain2(self, b, self.v.midpoint(b.v), [0.5, 0.5], [0.0; 3])
    }

    /// As `f64::sin_cos`.
    pub fn sin_cos(self) -> (S, S) {
        (self.sin(), self.cos())
    }

    /// As `f64::total_cmp`.
    pub fn total_cmp(&self, other: &S) -> Ordering {
        self.v.total_cmp(&other.v)
    }
}

impl Neg for S {
    type Output = S;
    fn neg(self) -> S {
        self.chain(-self.v, -1.0, 0.0)
    }
}

impl Neg for &S {
    type Output = S;
    fn neg(self) -> S {
        -*self
    }
}

/// An operator on numbers and references, and its assignment.
macro_rules! operator {
    ($Op:ident $op:ident $Assign:ident $assign:ident: |$x:ident, $y:ident| $value:expr) => {
        impl $Op for S {
            type Output = S;
            fn $op(self, other: S) -> S {
                let ($x, $y) = (self, other);
                $value
            }
        }
        impl $Op<&S> for S {
            type Output = S;
            fn $op(self, other: &S) -> S {
                self.$op(*other)
            }
        }
        impl $Op<S> for &S {
            type Output = S;
            fn $op(self, other: S) -> S {
                (*self).$op(other)
            }
        }
        impl $Op<&S> for &S {
            type Output = S;
            fn $op(self, other: &S) -> S {
                (*self).$op(*other)
            }
        }
        impl $Assign for S {
            fn $assign(&mut self, other: S) {
                *self = (*self).$op(other);
            }
        }
        impl $Assign<&S> for S {
            fn $assign(&mut self, other: &S) {
                *self = (*self).$op(*other);
            }
        }
    };
}
operator!(Add add AddAssign add_assign: |x, y| S::chain2(x, y, x.v + y.v, [1.0, 1.0], [0.0; 3]));
operator!(Sub sub SubAssign sub_assign: |x, y| S::chain2(x, y, x.v - y.v, [1.0, -1.0], [0.0; 3]));
operator!(Mul mul MulAssign mul_assign: |x, y| S::chain2(x, y, x.v * y.v, [y.v, x.v], [0.0, 1.0, 0.0]));
operator!(Div div DivAssign div_assign: |x, y| {
    let (r, q) = (1.0 / y.v, x.v / y.v);
    S::chain2(x, y, q, [r, -q * r], [0.0, -r * r, 2.0 * q * r * r])
});
operator!(Rem rem RemAssign rem_assign: |x, y| S::chain2(x, y, x.v % y.v, [1.0, -(x.v / y.v).trunc()], [0.0; 3]));

impl num_traits::Zero for S {
    fn zero() -> S {
        lit(0.0)
    }
    fn is_zero(&self) -> bool {
        self.v == 0.0
    }
}

impl num_traits::One for S {
    fn one() -> S {
        lit(1.0)
    }
}

impl ndarray::ScalarOperand for S {}

impl PartialEq for S {
    fn eq(&self, other: &S) -> bool {
        self.v == other.v
    }
}

impl PartialOrd for S {
    fn partial_cmp(&self, other: &S) -> Option<Ordering> {
        self.v.partial_cmp(&other.v)
    }
}

impl Sum for S {
    fn sum<I: Iterator<Item = S>>(terms: I) -> S {
        terms.fold(lit(-0.0), |s, t| s + t)
    }
}

impl<'a> Sum<&'a S> for S {
    fn sum<I: Iterator<Item = &'a S>>(terms: I) -> S {
        terms.copied().sum()
    }
}

impl Product for S {
    fn product<I: Iterator<Item = S>>(factors: I) -> S {
        factors.fold(lit(1.0), |p, f| p * f)
    }
}

impl<'a> Product<&'a S> for S {
    fn product<I: Iterator<Item = &'a S>>(factors: I) -> S {
        factors.copied().product()
    }
}
