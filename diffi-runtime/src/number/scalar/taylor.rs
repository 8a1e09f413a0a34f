//! Truncated power series in one variable.

use crate::number::flag::On;
use crate::number::float::Base;
use crate::number::real::{Real, lift};
use std::cmp::Ordering;
use std::iter::Sum;
use std::ops::{Add, Neg};

/// `c[0] + c[1] t + c[2] t² + ..`, up to the power `N - 1`.
///
/// Every function is a line of the derivative table: from `y' = f'(x) x'` follow the coefficients of `y`, those of `f'(x)` being
/// known up to one power less (Griewank and Walther 2008, section 13.2). Comparisons, `==` included, look at values only.
#[derive(Clone, Copy, Debug)]
pub struct Taylor<S, const N: usize> {
    coefficients: [S; N],
    /// How many of them are known; the others are zero.
    known: usize,
}

impl<S: Real, const N: usize> Taylor<S, N> {
    /// The series with these coefficients.
    #[inline]
    pub fn new(coefficients: [S; N]) -> Self {
        Taylor { coefficients, known: N }
    }

    /// A constant.
    #[inline]
    pub fn constant(value: S) -> Self {
        Taylor::new(std::array::from_fn(|k| if k == 0 { value } else { S::lit(0.0) }))
    }

    /// `value + t`.
    #[inline]
    pub fn variable(value: S) -> Self {
        Taylor::new(std::array::from_fn(|k| match k {
            0 => value,
            1 => S::lit(1.0),
            _ => S::lit(0.0),
        }))
    }

    /// All coefficients, that of `t⁰` first.
    #[inline]
    pub fn coefficients(&self) -> &[S; N] {
        &self.coefficients
    }

    /// The derivative of order `k` by `t` at 0: the coefficient of `tᵏ` times `k!`.
    ///
    /// # Panics
    ///
    /// Unless `k < N`.
    pub fn derivative(&self, k: usize) -> S {
        let factorial = (1..=k).fold(1.0, |product, i| product * i as f64);
        self.coefficients[k].scale(<S::Base as Base>::lit(factorial))
    }

    /// The value of the truncated series at `t`, by Horner's rule.
    pub fn evaluate(&self, t: S) -> S {
        self.coefficients.iter().rev().fold(S::lit(0.0), |sum, c| sum * t + *c)
    }

    /// The series of the derivative by `t`. Its last coefficient is not known, and 0.
    pub fn differentiated(&self) -> Self {
        Taylor::new(std::array::from_fn(|k| match self.coefficients.get(k + 1) {
            Some(c) => c.scale(<S::Base as Base>::lit((k + 1) as f64)),
            None => S::lit(0.0),
        }))
    }

    /// The series of the integral from 0 to `t`. The last coefficient is lost.
    pub fn integrated(&self) -> Self {
        Taylor::new(std::array::from_fn(|k| match k {
            0 => S::lit(0.0),
            _ => self.coefficients[k - 1].scale(<S::Base as Base>::lit(1.0 / k as f64)),
        }))
    }

    /// This series with another one in place of `t`, whose own coefficient of `t⁰` has to be 0.
    ///
    /// # Panics
    ///
    /// If it is not.
    pub fn composed(&self, inner: &Self) -> Self {
        assert!(inner.coefficients[0].is_zero(), "a series can be put in place of t if it is 0 at 0");
        self.coefficients.iter().rev().fold(Taylor::constant(S::lit(0.0)), |sum, c| sum * *inner + Taylor::constant(*c))
    }

    /// The series `s` for which this one, with `s` in place of `t`, is `t` (Lagrange inversion, by Newton's iteration).
    /// This one's coefficient of `t⁰` has to be 0, that of `t¹` must not be.
    ///
    /// # Panics
    ///
    /// If they are otherwise.
    pub fn inverted(&self) -> Self {
        assert!(N > 1 && !self.coefficients[1].is_zero(), "a series can be inverted if its slope is not 0");
        let (slope, identity) = (self.differentiated(), Taylor::variable(S::lit(0.0)));
        let mut inverse = identity * Taylor::constant(self.coefficients[1].recip());
        let mut right = 2;
        while right < N {
            inverse -= (self.composed(&inverse) - identity) / slope.composed(&inverse);
            right *= 2;
        }
        inverse
    }

    /// The same, of which no more than `known` coefficients are known.
    fn truncated(mut self, known: usize) -> Self {
        self.known = known.min(self.known);
        self.coefficients[self.known..].fill(S::lit(0.0));
        self
    }

    /// Whether nothing depends on `t`.
    fn is_constant(&self) -> bool {
        self.coefficients[1..self.known].iter().all(|c| c.is_zero())
    }

    /// Sums of products, coefficient by coefficient.
    fn product(a: &Self, b: &Self) -> Self {
        let known = a.known.min(b.known);
        let coefficient = |k: usize| {
            let first = a.coefficients[0] * b.coefficients[k];
            (1..=k).fold(first, |sum, j| sum + a.coefficients[j] * b.coefficients[k - j])
        };
        let coefficients = std::array::from_fn(|k| if k < known { coefficient(k) } else { S::lit(0.0) });
        Taylor { coefficients, known }
    }

    /// Coefficient by coefficient: `a = y b`.
    fn quotient(a: &Self, b: &Self) -> Self {
        let known = a.known.min(b.known);
        let mut coefficients = [S::lit(0.0); N];
        for k in 0..known {
            let rest = (0..k).fold(a.coefficients[k], |rest, j| rest - coefficients[j] * b.coefficients[k - j]);
            coefficients[k] = rest / b.coefficients[0];
        }
        Taylor { coefficients, known }
    }

    /// Adds to `y` what the argument `x` contributes to its coefficient of `tᵏ`, `slope` being known up to the power before.
    #[inline]
    fn contribute(y: &mut S, x: &Self, slope: &Self, k: usize) {
        for j in 1..=k {
            if !x.coefficients[j].is_zero() {
                *y += x.coefficients[j] * slope.coefficients[k - j].scale(<S::Base as Base>::lit(j as f64 / k as f64));
            }
        }
    }

    /// The series from the value on, `slopes` being the partial derivatives as far as `y` is known.
    fn solved<const K: usize>(
        value: S,
        arguments: [Self; K],
        uses_answer: bool,
        slopes: impl Fn([Self; K], Self) -> [Self; K],
    ) -> Self {
        let known = arguments.iter().map(|x| x.known).min().unwrap_or(N);
        let mut y = Taylor::constant(value).truncated(known);
        if arguments.iter().all(Taylor::is_constant) {
            return y;
        }
        let at = |y: &Self, known: usize| slopes(arguments.map(|x| x.truncated(known)), y.truncated(known));
        let all = if uses_answer { None } else { Some(at(&y, known - 1)) };
        for k in 1..known {
            let slopes = all.unwrap_or_else(|| at(&y, k));
            let mut c = S::lit(0.0);
            for (x, slope) in arguments.iter().zip(&slopes) {
                Self::contribute(&mut c, x, slope, k);
            }
            y.coefficients[k] = c;
        }
        y
    }

    /// The series where the slopes are zero.
    fn flat<const K: usize>(value: S, arguments: [Self; K]) -> Self {
        let known = arguments.iter().map(|x| x.known).min().unwrap_or(N);
        Taylor::constant(value).truncated(known)
    }

    /// The series where the slopes are constant. What is not selected has the slope zero, and its coefficients may be infinite.
    fn linear<const K: usize>(value: S, arguments: [Self; K], slopes: [S::Base; K]) -> Self {
        let known = arguments.iter().map(|x| x.known).min().unwrap_or(N);
        let coefficient = |k: usize| {
            let terms = arguments.iter().zip(slopes);
            let terms = terms.filter(|(x, slope)| *slope != S::Base::ZERO && !x.coefficients[k].is_zero());
            terms.map(|(x, slope)| x.coefficients[k].scale(slope)).reduce(Add::add).unwrap_or(S::lit(0.0))
        };
        let coefficients = std::array::from_fn(|k| match k {
            0 => value,
            k if k < known => coefficient(k),
            _ => S::lit(0.0),
        });
        Taylor { coefficients, known }
    }
}

/// Whether partial derivatives mention the answer, which the table calls `y`.
macro_rules! answers {
    ([$($partials:tt)*]) => { answers!(@ $($partials)*) };
    (@) => { false };
    (@ y $($rest:tt)*) => { true };
    (@ ($($in:tt)*) $($rest:tt)*) => { answers!(@ $($in)* $($rest)*) };
    (@ {$($in:tt)*} $($rest:tt)*) => { answers!(@ $($in)* $($rest)*) };
    (@ $token:tt $($rest:tt)*) => { answers!(@ $($rest)*) };
}
pub(super) use answers;

/// A line of the table, for series of any kind.
macro_rules! method {
    // The exponent varies: both partial derivatives are powers again, and would be found again and again.
    (powf $($line:tt)*) => {
        #[inline]
        fn powf(self, p: Self) -> Self {
            let value = self.coefficients[0].powf(p.coefficients[0]);
            if !p.is_constant() {
                let mut y = Real::exp(p * Real::ln(self));
                y.coefficients[0] = value;
                return y;
            }
            let exponent = p.coefficients[0];
            Self::solved(value, [self], false, |[x], _| {
                [Self::constant(exponent) * Real::powf(x, Self::constant(exponent - S::lit(1.0)))]
            })
        }
    };
    (recip $($line:tt)*) => {
        #[inline]
        fn recip(self) -> Self {
            match self.is_constant() {
                true => Self::flat(self.coefficients[0].recip(), [self]),
                false => Self::quotient(&Self::lit(1.0), &self),
            }
        }
    };
    ($name:ident ($x:ident $(, $rest:ident)* $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident) => {
        #[inline]
        #[allow(unused_variables)]
        fn $name(self $(, $rest: Self)* $(, $n: $int)?) -> Self {
            let value = S::$name(self.coefficients[0] $(, $rest.coefficients[0])* $(, $n)?);
            method!(@$kind [$x $($rest)*] [self $($rest)*] $y $partials value)
        }
    };
    (@flat $x:tt [$($arg:tt)+] $y:ident $partials:tt $value:ident) => {
        Self::flat($value, [$($arg),+])
    };
    (@linear [$($x:ident)+] [$($arg:tt)+] $y:ident $partials:tt $value:ident) => {{
        let arguments = [$($arg),+];
        let [$($x),+] = arguments.map(|x: Self| x.value());
        let $y = $value.value();
        Self::linear($value, arguments, lift!(S::Base, $partials))
    }};
    (@curved [$($x:ident)+] [$($arg:tt)+] $y:ident $partials:tt $value:ident) => {
        Self::solved($value, [$($arg),+], answers!($partials), |[$($x),+], $y| lift!(Self, $partials))
    };
}
pub(super) use method;

macro_rules! functions {
    ($($name:ident $args:tt -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        #[allow(clippy::approx_constant)] // the table's literals are what they look like
        impl<S: Real, const N: usize> Real for Taylor<S, N> {
            type Base = S::Base;
            const DERIVATIVES: u32 = S::DERIVATIVES + N as u32 - 1;
            type Varies = On;
            type Curves = On;
            #[inline]
            fn from_base(b: S::Base) -> Self {
                Taylor::constant(S::from_base(b))
            }
            #[inline]
            fn value(self) -> S::Base {
                self.coefficients[0].value()
            }
            #[inline]
            fn is_zero(self) -> bool {
                self.coefficients.iter().all(|c| c.is_zero())
            }
            #[inline]
            fn scale(self, k: S::Base) -> Self {
                Taylor { coefficients: self.coefficients.map(|c| c.scale(k)), ..self }
            }
            #[inline]
            fn shift(mut self, k: S::Base) -> Self {
                self.coefficients[0] = self.coefficients[0].shift(k);
                self
            }
            $(method! { $name $args -> $y: $partials $kind })+
        }
    };
}
diffi_rules::functions!(functions);

assigning! { [S: Real, const N: usize] Taylor<S, N> }

impl<S: Real, const N: usize> Neg for Taylor<S, N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Taylor { coefficients: self.coefficients.map(Neg::neg), ..self }
    }
}

arithmetic! {
    [S: Real, const N: usize] Taylor<S, N>;
    Add add |a, b| Taylor {
        coefficients: std::array::from_fn(|k| a.coefficients[k] + b.coefficients[k]),
        known: a.known.min(b.known),
    };
    Sub sub |a, b| Taylor {
        coefficients: std::array::from_fn(|k| a.coefficients[k] - b.coefficients[k]),
        known: a.known.min(b.known),
    };
    Mul mul |a, b| Taylor::product(&a, &b);
    Div div |a, b| Taylor::quotient(&a, &b);
    Rem rem |a, b| {
        let value = a.coefficients[0] % b.coefficients[0];
        let quotient = ((a.value() - value.value()) / b.value()).as_f64().round();
        Taylor::linear(value, [a, b], [S::Base::ONE, <S::Base as Base>::lit(-quotient)])
    };
}

impl<S: Real, const N: usize> Sum for Taylor<S, N> {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Taylor::constant(S::lit(-0.0)), Add::add)
    }
}

impl<S: Real, const N: usize> PartialEq for Taylor<S, N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.coefficients[0] == other.coefficients[0]
    }
}

impl<S: Real, const N: usize> PartialOrd for Taylor<S, N> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.coefficients[0].partial_cmp(&other.coefficients[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Series = Taylor<f64, 7>;

    fn close(found: &Series, expected: [f64; 7]) {
        for (a, b) in found.coefficients().iter().zip(expected) {
            assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{:?}, expected {expected:?}", found.coefficients());
        }
    }

    /// Nested dual numbers share only the table with series.
    #[test]
    fn every_function_has_the_derivatives_of_nested_dual_numbers() {
        use crate::number::scalar::Dual;
        type Third = Dual<Dual<Dual<f64, 1>, 1>, 1>;
        fn all<S: Real>(x: S) -> Vec<S> {
            let (half, three) = (S::lit(0.5), S::lit(3.0));
            vec![
                x.recip(),
                x.sqrt(),
                x.cbrt(),
                x.powi(3),
                x.powi(-2),
                x.powf(S::lit(2.5)),
                x.powf(x),
                half.powf(x),
                x.hypot(half),
                x.mul_add(x, half),
                x.exp(),
                x.exp2(),
                x.exp_m1(),
                x.ln(),
                x.ln_1p(),
                x.log2(),
                x.log10(),
                x.log(three),
                three.log(x),
                x.sin(),
                x.cos(),
                x.tan(),
                x.asin(),
                x.acos(),
                x.atan(),
                x.atan2(half),
                half.atan2(x),
                x.sinh(),
                x.cosh(),
                x.tanh(),
                x.asinh(),
                (x + half).acosh(),
                x.atanh(),
                x.abs(),
                x.max(half),
                x.min(half),
                x.fract(),
                x % half,
                x.floor(),
                x.to_degrees(),
                x * x / (x + half) - x,
            ]
        }
        let nested = all::<Third>(Dual::variable(Dual::variable(Dual::variable(0.7, 0), 0), 0));
        for (k, (series, dual)) in all(Series::variable(0.7)).iter().zip(nested).enumerate() {
            let derivatives = [
                dual.primal().primal().primal(),
                dual.partial(0).primal().primal(),
                dual.partial(0).partial(0).primal(),
                dual.partial(0).partial(0).partial(0),
            ];
            for (order, expected) in derivatives.into_iter().enumerate() {
                let found = series.derivative(order);
                assert!(
                    (found - expected).abs() <= 1e-10 * (1.0 + expected.abs()),
                    "{k}, order {order}: {found}, {expected}"
                );
            }
        }
    }

    #[test]
    fn known_series() {
        let t = Series::variable(0.0);
        close(&t.exp(), [1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0]);
        close(&(Series::lit(1.0) / (Series::lit(1.0) - t)), [1.0; 7]);
        close(&t.tan(), [0.0, 1.0, 0.0, 1.0 / 3.0, 0.0, 2.0 / 15.0, 0.0]);
        close(&(t.sin() * t.sin() + t.cos() * t.cos()), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn calculus_of_series() {
        let t = Series::variable(0.0);
        close(&t.sin().differentiated(), {
            let mut c = *t.cos().coefficients();
            c[6] = 0.0;
            c
        });
        close(&t.cos().integrated(), *t.sin().coefficients());
        close(&t.exp().composed(&t.sin()), *t.sin().exp().coefficients());
        close(&t.sin().inverted(), *t.asin().coefficients());
        assert!((t.exp().evaluate(0.1) - 0.1f64.exp()).abs() < 1e-10);
    }
}
