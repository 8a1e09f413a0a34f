//! Exact fractions.

use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A fraction in lowest terms, with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    /// A whole number.
    pub const fn whole(n: i128) -> Self {
        Fraction { numerator: n, denominator: 1 }
    }

    /// `n / d`.
    ///
    /// # Panics
    ///
    /// If `d` is zero.
    pub fn new(n: i128, d: i128) -> Self {
        assert_ne!(d, 0, "a fraction has a denominator");
        let (mut a, mut b) = (n.abs(), d.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let sign = d.signum() * a.max(1);
        Fraction { numerator: n / sign, denominator: d / sign }
    }

    /// The fraction without its sign.
    pub fn abs(self) -> Self {
        Fraction { numerator: self.numerator.abs(), ..self }
    }

    /// The nearest float, up to the rounding of both numbers and of the division.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl Add for Fraction {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (a, b) = (self, other);
        Fraction::new(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)
    }
}

impl Neg for Fraction {
    type Output = Self;
    fn neg(self) -> Self {
        Fraction { numerator: -self.numerator, ..self }
    }
}

impl Sub for Fraction {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Fraction {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Fraction::new(self.numerator * other.numerator, self.denominator * other.denominator)
    }
}

impl Div for Fraction {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        Fraction::new(self.numerator * other.denominator, self.denominator * other.numerator)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            d => write!(f, "{}/{d}", self.numerator),
        }
    }
}

impl fmt::Debug for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
