//! The partial derivatives of every operation on complex numbers, over any number type.

use super::{Block, Formula};
use crate::intrinsics::library::op;
use crate::number::real::Real;
use crate::number::scalar::Dual;
use std::f64::consts::{LN_2, LOG2_E, LOG10_E};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A complex number over any number type; a real one has no imaginary part.
#[derive(Clone, Copy, Debug)]
pub struct Z<S> {
    re: S,
    im: Option<S>,
}

impl<S: Real> Z<S> {
    /// Of both parts.
    #[inline]
    pub fn new(re: S, im: S) -> Self {
        Z { re, im: Some(im) }
    }

    /// A real number.
    #[inline]
    pub fn real(re: S) -> Self {
        Z { re, im: None }
    }

    /// The same, whose parts are the variables `first` and the next one.
    #[inline]
    pub fn varied(self, first: usize) -> Z<Dual<S, 4>> {
        Z { re: Dual::variable(self.re, first), im: self.im.map(|im| Dual::variable(im, first + 1)) }
    }

    #[inline]
    fn im(self) -> S {
        self.im.unwrap_or(S::lit(0.0))
    }

    #[inline]
    fn scale(self, by: S) -> Self {
        Z { re: self.re * by, im: self.im.map(|im| im * by) }
    }

    fn polar(r: S, theta: S) -> Self {
        Z::new(r * theta.cos(), r * theta.sin())
    }

    fn norm(self) -> S {
        self.im.map_or(self.re, |im| self.re.hypot(im))
    }

    fn exp(self) -> Self {
        Z::polar(self.re.exp(), self.im())
    }

    fn ln(self) -> Self {
        Z::new(self.norm().ln(), self.im().atan2(self.re))
    }

    fn powf(self, p: S) -> Self {
        if p.value() == Real::lit(1.0) && self.is_zero() {
            return self; // its angle has no derivative there
        }
        Z::polar(self.norm().powf(p), self.im().atan2(self.re) * p)
    }

    fn powc(self, p: Self) -> Self {
        match self.is_zero() {
            true => self.powf(p.re),
            false => (self.ln() * p).exp(),
        }
    }

    fn powi(self, n: i32) -> Self {
        let mut power = Z::real(S::lit(1.0));
        let (mut square, mut left) = (self, n.unsigned_abs());
        while left > 0 {
            if left % 2 == 1 {
                power = power * square;
            }
            square = square * square;
            left /= 2;
        }
        if n < 0 { one() / power } else { power }
    }

    fn sin(self) -> Self {
        Z::new(self.re.sin() * self.im().cosh(), self.re.cos() * self.im().sinh())
    }

    fn cos(self) -> Self {
        Z::new(self.re.cos() * self.im().cosh(), -(self.re.sin() * self.im().sinh()))
    }

    fn sinh(self) -> Self {
        Z::new(self.re.sinh() * self.im().cos(), self.re.cosh() * self.im().sin())
    }

    fn cosh(self) -> Self {
        Z::new(self.re.cosh() * self.im().cos(), self.re.sinh() * self.im().sin())
    }

    fn sqrt(self) -> Self {
        self.powf(S::lit(0.5))
    }

    fn is_zero(self) -> bool {
        self.re.value() == Real::lit(0.0) && self.im().value() == Real::lit(0.0)
    }

    /// The multiplication by this number, as a matrix.
    #[inline]
    fn block(self) -> Block<S> {
        [[Some(self.re), self.im.map(Neg::neg)], [self.im, Some(self.re)]]
    }
}

impl<S: Real> Add for Z<S> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let im = match (self.im, other.im) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        Z { re: self.re + other.re, im }
    }
}

impl<S: Real> Sub for Z<S> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<S: Real> Neg for Z<S> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Z { re: -self.re, im: self.im.map(Neg::neg) }
    }
}

impl<S: Real> Mul for Z<S> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        match (self.im, other.im) {
            (_, None) => self.scale(other.re),
            (None, _) => other.scale(self.re),
            (Some(a), Some(b)) => Z::new(self.re * other.re - a * b, self.re * b + a * other.re),
        }
    }
}

impl<S: Real> Div for Z<S> {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let Some(im) = other.im else { return self.scale(S::lit(1.0) / other.re) };
        let square = other.re * other.re + im * im;
        self * Z::new(other.re / square, -im / square)
    }
}

#[inline]
fn one<S: Real>() -> Z<S> {
    Z::real(S::lit(1.0))
}

#[inline]
fn number<S: Real>(v: f64) -> Z<S> {
    Z::real(S::lit(v))
}

/// What does not depend on an operand.
fn nothing<S: Real>() -> Block<S> {
    [[None; 2]; 2]
}

/// Of a real function of reals that the derivative table knows.
fn of_table<S: Real>(x: S, f: impl FnOnce(Dual<S, 1>) -> Dual<S, 1>) -> Block<S> {
    let [slope] = f(Dual::variable(x, 0)).partials();
    Z::real(slope).block()
}

/// Functions of one operand: their slope where that is complex, and by the derivative table where it is real.
macro_rules! holomorphic {
    ($($Op:ident |$z:ident, $x:ident| $slope:expr, $real:expr;)+) => { $(
        impl Formula for op::$Op {
            #[inline]
            fn partials<S: Real>(&self, $z: Z<S>, _: Z<S>) -> [Block<S>; 2] {
                let block = match $z.im {
                    Some(_) => $slope.block(),
                    None => of_table($z.re, |$x| $real),
                };
                [block, nothing()]
            }
        }
    )+ };
}
holomorphic! {
    Exp |z, x| z.exp(), x.exp();
    Ln |z, x| one() / z, x.ln();
    Sqrt |z, x| root_slope(z), x.sqrt();
    Sin |z, x| z.cos(), x.sin();
    Cos |z, x| -z.sin(), x.cos();
    Tan |z, x| one() / (z.cos() * z.cos()), x.tan();
    Sinh |z, x| z.cosh(), x.sinh();
    Cosh |z, x| z.sinh(), x.cosh();
    Tanh |z, x| one() / (z.cosh() * z.cosh()), x.tanh();
    Asin |z, x| one() / (one() - z * z).sqrt(), x.asin();
    Acos |z, x| -(one() / (one() - z * z).sqrt()), x.acos();
    Atan |z, x| one() / (one() + z * z), x.atan();
    Asinh |z, x| one() / (one() + z * z).sqrt(), x.asinh();
    Acosh |z, x| one() / ((z - one()).sqrt() * (z + one()).sqrt()), x.acosh();
    Atanh |z, x| one() / (one() - z * z), x.atanh();
    Exp2 |z, x| (z * number(LN_2)).exp() * number(LN_2), x.exp2();
    Log2 |z, x| number(LOG2_E) / z, x.log2();
    Log10 |z, x| number(LOG10_E) / z, x.log10();
    Inv |z, x| -(one() / (z * z)), one_over(x);
}

fn one_over<S: Real>(x: S) -> S {
    S::lit(1.0) / x
}

/// `1 / (2 √z)`; at 0 the limit on the real axis.
fn root_slope<S: Real>(z: Z<S>) -> Z<S> {
    match z.is_zero() {
        true => Z::real(S::lit(0.5) / z.re.sqrt()),
        false => number(0.5) / z.sqrt(),
    }
}

/// Powers with integer exponents.
macro_rules! integer_powers {
    ($($Op:ident)+) => { $(
        impl Formula for op::$Op {
            #[inline]
            fn partials<S: Real>(&self, z: Z<S>, _: Z<S>) -> [Block<S>; 2] {
                let n = self.0;
                if n == 0 {
                    return [number(0.0).block(), nothing()];
                }
                let slope = z.powi(n as i32 - 1) * number(f64::from(n));
                [slope.block(), nothing()]
            }
        }
    )+ };
}
integer_powers!(Powi Powu);

impl Formula for op::Powf {
    #[inline]
    fn partials<S: Real>(&self, z: Z<S>, p: Z<S>) -> [Block<S>; 2] {
        let Some(_) = z.im else {
            let [x, y] = Dual::<S, 2>::variable(z.re, 0).powf(Dual::variable(p.re, 1)).partials();
            return [Z::real(x).block(), Z::real(y).block()];
        };
        [(z.powf(p.re - S::lit(1.0)) * p).block(), by_exponent(z, p).block()]
    }
}

impl Formula for op::Powc {
    #[inline]
    fn partials<S: Real>(&self, z: Z<S>, p: Z<S>) -> [Block<S>; 2] {
        [(z.powc(p - one()) * p).block(), by_exponent(z, p).block()]
    }
}

/// `z^p ln z`; 0 at 0, as the table has it for reals.
fn by_exponent<S: Real>(z: Z<S>, p: Z<S>) -> Z<S> {
    match z.is_zero() {
        true => Z::new(S::lit(0.0), S::lit(0.0)),
        false => z.powc(p) * z.ln(),
    }
}

/// Functions of one operand that are linear in its parts.
macro_rules! linear {
    ($($Op:ident $block:expr;)+) => { $(
        impl Formula for op::$Op {
            const CURVED: [[bool; 2]; 2] = [[false; 2]; 2];
            #[inline]
            fn partials<S: Real>(&self, _: Z<S>, _: Z<S>) -> [Block<S>; 2] {
                let one = S::lit(1.0);
                [($block)(one), nothing()]
            }
        }
    )+ };
}
linear! {
    Neg |one: S| [[Some(-one), None], [None, Some(-one)]];
    Conj |one: S| [[Some(one), None], [None, Some(-one)]];
    Whole |one: S| [[Some(one), None], [None, None]];
}

/// Real functions of both parts that the derivative table knows.
macro_rules! of_parts {
    ($($Op:ident |$re:ident, $im:ident| $value:expr;)+) => { $(
        impl Formula for op::$Op {
            #[inline]
            fn partials<S: Real>(&self, z: Z<S>, _: Z<S>) -> [Block<S>; 2] {
                let ($re, $im) = (Dual::<S, 2>::variable(z.re, 0), Dual::variable(z.im(), 1));
                [[$value.partials().map(Some), [None; 2]], nothing()]
            }
        }
    )+ };
}
of_parts! {
    Norm |re, im| re.hypot(im);
    NormSqr |re, im| re * re + im * im;
    Arg |re, im| im.atan2(re);
}

impl Formula for op::Cis {
    #[inline]
    fn partials<S: Real>(&self, phase: Z<S>, _: Z<S>) -> [Block<S>; 2] {
        [[[Some(-phase.re.sin()), None], [Some(phase.re.cos()), None]], nothing()]
    }
}

impl Formula for op::New {
    const CURVED: [[bool; 2]; 2] = [[false; 2]; 2];
    #[inline]
    fn partials<S: Real>(&self, _: Z<S>, _: Z<S>) -> [Block<S>; 2] {
        let one = Some(S::lit(1.0));
        [[[one, None], [None, None]], [[None, None], [one, None]]]
    }
}

impl Formula for op::FromPolar {
    const CURVED: [[bool; 2]; 2] = [[false, true], [true, true]];
    #[inline]
    fn partials<S: Real>(&self, r: Z<S>, theta: Z<S>) -> [Block<S>; 2] {
        let (sin, cos) = (theta.re.sin(), theta.re.cos());
        [[[Some(cos), None], [Some(sin), None]], [[Some(-(r.re * sin)), None], [Some(r.re * cos), None]]]
    }
}

/// Operators, and what does the same.
macro_rules! operators {
    ($([$($Op:ident)+] $curved:expr, |$x:ident, $y:ident| $blocks:expr;)+) => { $($(
        impl Formula for op::$Op {
            const CURVED: [[bool; 2]; 2] = $curved;
            #[inline]
            #[allow(unused_variables)]
            fn partials<S: Real>(&self, $x: Z<S>, $y: Z<S>) -> [Block<S>; 2] {
                $blocks.map(Z::block)
            }
        }
    )+)+ };
}
operators! {
    [Add AddAssign] [[false; 2]; 2], |x, y| [one(), one()];
    [Sub SubAssign] [[false; 2]; 2], |x, y| [one(), -one::<S>()];
    [Mul MulAssign Scale] [[false, true], [true, false]], |x, y| [y, x];
    [Div DivAssign Unscale] [[false, true], [true, true]], |x, y| [one() / y, -(x / (y * y))];
}
