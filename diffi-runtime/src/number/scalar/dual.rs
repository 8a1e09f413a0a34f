//! Dual numbers: a value and its derivatives in `N` directions.

use crate::number::flag::On;
use crate::number::float::Base;
use crate::number::real::{Real, lift};
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// A number of type `S` and its derivatives in `N` directions.
///
/// Every operation is a line of the derivative table and the chain rule. `S` may be a dual number again: `Dual<Dual<f64, 1>, 1>`
/// carries second derivatives.
///
/// A direction in which the arguments do not change leaves the answer unchanged, even where a partial derivative is infinite or
/// NaN: `sqrt` of a constant 0 is a constant. (Except `*`, where the check would cost more than the operation.)
///
/// Comparisons, `==` included, look at values only.
///
/// Derivatives of derivatives are taken with dual numbers of dual numbers. Each level is a type of its own, and a number of an outer
/// level enters an inner one only as [`Dual::constant`]: perturbations cannot be confused.
///
/// `SAFE` numbers check `*`, too.
#[derive(Clone, Copy, Debug)]
pub struct Dual<S, const N: usize, const SAFE: bool = false> {
    value: S,
    partials: [S; N],
}

impl<S: Real, const N: usize, const SAFE: bool> Dual<S, N, SAFE> {
    /// A number with its derivatives.
    #[inline]
    pub fn new(value: S, partials: [S; N]) -> Self {
        Dual { value, partials }
    }

    /// A number that does not change in any direction.
    #[inline]
    pub fn constant(value: S) -> Self {
        Dual { value, partials: [S::lit(0.0); N] }
    }

    /// The variable that changes at rate 1 in the direction `k`.
    ///
    /// # Panics
    ///
    /// If there is no direction `k < N`.
    #[inline]
    pub fn variable(value: S, k: usize) -> Self {
        let mut variable = Dual::constant(value);
        variable.partials[k] = S::lit(1.0);
        variable
    }

    /// The number without its derivatives. ([`Real::value`] goes all the way down to the float.)
    #[inline]
    pub fn primal(self) -> S {
        self.value
    }

    /// The derivatives.
    #[inline]
    pub fn partials(self) -> [S; N] {
        self.partials
    }

    /// The derivative in the direction `k`.
    ///
    /// # Panics
    ///
    /// If there is no direction `k < N`.
    #[inline]
    pub fn partial(self, k: usize) -> S {
        self.partials[k]
    }

    /// Changes the derivative in the direction `k`.
    ///
    /// # Panics
    ///
    /// If there is no direction `k < N`.
    #[inline]
    pub fn set_partial(&mut self, k: usize, partial: S) {
        self.partials[k] = partial;
    }

    /// The chain rule.
    #[inline]
    fn chain<F: Copy, const K: usize>(
        value: S,
        factors: [F; K],
        tangents: [&[S; N]; K],
        times: impl Fn(S, F) -> S,
    ) -> Self {
        let partials = std::array::from_fn(|k| {
            let mut sum = times(tangents[0][k], factors[0]);
            for arg in 1..K {
                sum += times(tangents[arg][k], factors[arg]);
            }
            sum
        });
        Dual { value, partials }
    }

    /// The quotient of a number with these tangents, if it changes, by `b`. `(a' - y b') / b` is a number where `y / b` may be infinite.
    #[inline]
    fn quotient(value: S, a: Option<&[S; N]>, b: &Self) -> Self {
        let inverse = S::lit(1.0) / b.value;
        if is_finite(value) && is_finite(inverse) {
            let rest = |k: usize| {
                let scaled = value * b.partials[k];
                a.map_or(-scaled, |a| a[k] - scaled)
            };
            return Dual { value, partials: std::array::from_fn(|k| rest(k).over(b.value, inverse)) };
        }
        Dual {
            value,
            partials: std::array::from_fn(|k| guarded_quotient(value, a.map(|a| a[k]), b.value, b.partials[k])),
        }
    }

    /// The chain rule of a product, whose factors are checked if the numbers are `SAFE`.
    #[inline]
    fn product_chain<F, const K: usize>(
        value: S,
        factors: [F; K],
        tangents: [&[S; N]; K],
        times: impl Fn(S, F) -> S,
    ) -> Self
    where
        F: Real<Base = S::Base>,
    {
        match SAFE {
            true => Dual::guarded_chain(value, factors, tangents, times),
            false => Dual::chain(value, factors, tangents, times),
        }
    }

    /// The chain rule where factors may be infinite or NaN: times a tangent of zero they are zero.
    #[inline]
    fn guarded_chain<F, const K: usize>(
        value: S,
        factors: [F; K],
        tangents: [&[S; N]; K],
        times: impl Fn(S, F) -> S,
    ) -> Self
    where
        F: Real<Base = S::Base>,
    {
        if factors.iter().all(|factor| factor.value().as_f64().is_finite()) {
            return Dual::chain(value, factors, tangents, times);
        }
        Dual::chain(
            value,
            factors,
            tangents,
            |tangent, factor| if tangent.is_zero() { tangent } else { times(tangent, factor) },
        )
    }
}

#[inline]
pub(super) fn is_finite<S: Real>(v: S) -> bool {
    v.value().as_f64().is_finite()
}

/// The tangent of the quotient `y` where it, or the reciprocal of `b`, may be infinite or NaN: zero if no operand changes.
#[cold]
pub(super) fn guarded_quotient<S: Real>(y: S, a_dot: Option<S>, b: S, b_dot: S) -> S {
    let rest = match (a_dot, b_dot.is_zero()) {
        (a_dot, true) => a_dot.unwrap_or(b_dot),
        (None, false) => -(y * b_dot),
        (Some(a_dot), false) => a_dot - y * b_dot,
    };
    if rest.is_zero() { rest } else { rest / b }
}

/// One line of the table as a method of a kind of number, by one of its chain rules. Locally constant factors are floats: they carry no derivatives themselves.
macro_rules! method {
    ($Number:ident $chain:ident recip $args:tt -> $y:ident: $partials:tt $kind:ident) => {
        #[inline]
        fn recip(self) -> Self {
            $Number::quotient(self.value.recip(), None, &self)
        }
    };
    ($Number:ident $chain:ident div $args:tt -> $y:ident: $partials:tt $kind:ident) => {
        #[inline]
        fn div(self, b: Self) -> Self {
            $Number::quotient(self.value / b.value, method!(@there $Number self), &b)
        }
    };
    (@there Dual $a:expr) => { Some(&$a.partials) };
    (@there Varying $a:expr) => { $a.partials.as_ref() };
    ($Number:ident $chain:ident $name:ident ($x:ident $(, $rest:ident)* $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident) => {
        #[inline]
        #[allow(unused_variables)]
        fn $name(self $(, $rest: Self)* $(, $n: $int)?) -> Self {
            let tangents = [&self.partials $(, &$rest.partials)*];
            let [$x $(, $rest)*] = [self.value $(, $rest.value)*];
            let value = S::$name($x $(, $rest)* $(, $n)?);
            method!(@$kind $Number $chain [$x $(, $rest)*] $y $partials value tangents)
        }
    };
    (@flat $Number:ident $chain:ident [$($x:ident),+] $y:ident $partials:tt $value:ident $tangents:ident) => {
        $Number::constant($value)
    };
    (@linear $Number:ident $chain:ident [$($x:ident),+] $y:ident $partials:tt $value:ident $tangents:ident) => {{
        if S::RECORDS {
            return method!(@curved $Number $chain [$($x),+] $y $partials $value $tangents);
        }
        let [$($x),+] = [$($x.value()),+];
        let $y = $value.value();
        $Number::$chain($value, lift!(S::Base, $partials), $tangents, scaled)
    }};
    (@curved $Number:ident $chain:ident [$($x:ident),+] $y:ident $partials:tt $value:ident $tangents:ident) => {{
        let $y = $value;
        $Number::$chain($value, lift!(S, $partials), $tangents, S::mul)
    }};
}
pub(super) use method;

/// A tangent times a factor that is locally constant. What is not selected has the factor zero, and its tangent may be infinite.
#[inline]
pub(super) fn scaled<S: Real>(tangent: S, factor: S::Base) -> S {
    if factor == S::Base::ZERO { S::lit(0.0) } else { tangent.scale(factor) }
}

macro_rules! functions {
    ($($name:ident $args:tt -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        #[allow(clippy::approx_constant)] // the table's literals are what they look like
        impl<S: Real, const N: usize, const SAFE: bool> Real for Dual<S, N, SAFE> {
            type Base = S::Base;
            const RECORDS: bool = S::RECORDS;
            const DERIVATIVES: u32 = S::DERIVATIVES + 1;
            type Varies = On;
            type Curves = S::Varies;
            #[inline]
            fn from_base(b: S::Base) -> Self {
                Dual::constant(S::from_base(b))
            }
            #[inline]
            fn value(self) -> S::Base {
                self.value.value()
            }
            #[inline]
            fn is_zero(self) -> bool {
                self.value.is_zero() && self.partials.iter().all(|partial| partial.is_zero())
            }
            #[inline]
            fn scale(self, k: S::Base) -> Self {
                Dual { value: self.value.scale(k), partials: self.partials.map(|partial| partial.scale(k)) }
            }
            #[inline]
            fn shift(self, k: S::Base) -> Self {
                Dual { value: self.value.shift(k), ..self }
            }
            #[inline]
            fn lower(self, k: S::Base) -> Self {
                Dual { value: self.value.lower(k), ..self }
            }
            #[inline]
            fn reflect(self, k: S::Base) -> Self {
                Dual { value: self.value.reflect(k), partials: self.partials.map(Neg::neg) }
            }
            #[inline]
            fn over(self, divisor: Self, inverse: Self) -> Self {
                let value = self.value.over(divisor.value, inverse.value);
                let rest = |k: usize| self.partials[k] - value * divisor.partials[k];
                let partials = std::array::from_fn(|k| rest(k).over(divisor.value, inverse.value));
                Dual { value, partials }
            }
            #[inline]
            fn squared(self) -> Self {
                let slope = self.value.scale(<S::Base as Base>::lit(2.0));
                Dual::product_chain(self.value.squared(), [slope], [&self.partials], S::mul)
            }
            $(method! { Dual guarded_chain $name $args -> $y: $partials $kind })+
        }
    };
}
diffi_rules::functions!(functions);

macro_rules! operators {
    ($($name:ident $args:tt -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        $(operator! { $name $args -> $y: $partials $kind })+
    };
}

macro_rules! operator {
    (neg $($line:tt)+) => {
        impl<S: Real, const N: usize, const SAFE: bool> Neg for Dual<S, N, SAFE> {
            type Output = Self;
            method! { Dual chain neg $($line)+ }
        }
    };
    (add $($line:tt)+) => { operator! { Add: chain add $($line)+ } };
    (sub $($line:tt)+) => { operator! { Sub: chain sub $($line)+ } };
    (mul $($line:tt)+) => { operator! { Mul: product_chain mul $($line)+ } };
    (div $($line:tt)+) => { operator! { Div: quotient div $($line)+ } };
    (rem $($line:tt)+) => { operator! { Rem: guarded_chain rem $($line)+ } };
    ($Op:ident: $chain:ident $op:ident $($line:tt)+) => {
        impl<S: Real, const N: usize, const SAFE: bool> $Op for Dual<S, N, SAFE> {
            type Output = Self;
            method! { Dual $chain $op $($line)+ }
        }

        with_floats! { $Op $op f32 }
        with_floats! { $Op $op f64 }
    };
}

/// The other operand is a float.
macro_rules! with_floats {
    ($Op:ident $op:ident $F:ident) => {
        impl<S: Real<Base = $F>, const N: usize, const SAFE: bool> $Op<$F> for Dual<S, N, SAFE> {
            type Output = Self;
            #[inline]
            fn $op(self, b: $F) -> Self {
                $Op::$op(self, Dual::constant(S::from_base(b)))
            }
        }

        impl<S: Real<Base = $F>, const N: usize, const SAFE: bool> $Op<Dual<S, N, SAFE>> for $F {
            type Output = Dual<S, N, SAFE>;
            #[inline]
            fn $op(self, b: Dual<S, N, SAFE>) -> Dual<S, N, SAFE> {
                $Op::$op(Dual::constant(S::from_base(self)), b)
            }
        }
    };
}
diffi_rules::operators!(operators);

assigning! { [S: Real, const N: usize, const SAFE: bool] Dual<S, N, SAFE> }

like_its_value! { Dual [const N: usize, const SAFE: bool] [N, SAFE] }

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-14 * expected.abs(), "{found}, expected {expected}");
    }

    fn f<S: Real>(x: S, y: S) -> S {
        (x * y).sin() / (x.powi(2) + S::lit(1.0)) - y.exp()
    }

    #[test]
    fn first_derivatives_in_two_directions() {
        let (x, y) = (0.7f64, -1.3f64);
        let found = f(Dual::<f64, 2>::variable(x, 0), Dual::variable(y, 1));
        let d = x * x + 1.0;
        close(found.primal(), f(x, y));
        close(found.partial(0), y * (x * y).cos() / d - 2.0 * x * (x * y).sin() / (d * d));
        close(found.partial(1), x * (x * y).cos() / d - y.exp());
    }

    /// The inner derivative must not see the outer variable: `d/dx (x * d/dy (x + y))` is 1 at y = 1, not 2.
    #[test]
    fn perturbations_are_not_confused() {
        fn derivative<S: Real>(f: impl Fn(Dual<S, 1>) -> Dual<S, 1>, x: S) -> S {
            f(Dual::variable(x, 0)).partial(0)
        }
        let found = derivative(|x: Dual<f64, 1>| x * derivative(|y| Dual::constant(x) + y, Dual::constant(1.0)), 1.0);
        assert_eq!(found, 1.0);
    }

    #[test]
    fn third_derivatives() {
        type Third = Dual<Dual<Dual<f64, 1>, 1>, 1>;
        let x: Third = Dual::variable(Dual::variable(Dual::variable(0.8, 0), 0), 0);
        let found = (x.powi(4) * x.ln()).partial(0).partial(0).partial(0);
        close(found, 24.0 * 0.8 * 0.8f64.ln() + 26.0 * 0.8);
    }

    #[test]
    fn floats_on_either_side() {
        let x = Dual::<f64, 1>::variable(3.0, 0);
        let all = [x + 2.0, x - 2.0, x * 2.0, x / 2.0, x % 2.0, 2.0 + x, 2.0 - x, 2.0 * x, 2.0 / x, 2.0 % x];
        assert_eq!(all.map(Dual::primal), [5.0, 1.0, 6.0, 1.5, 1.0, 5.0, -1.0, 6.0, 2.0 / 3.0, 2.0]);
        assert_eq!(all.map(|y| y.partial(0)), [1.0, 1.0, 2.0, 0.5, 1.0, 1.0, -1.0, 2.0, -2.0 / 3.0 / 3.0, 0.0]);
        let mut y = Dual::<f32, 1>::variable(3.0, 0);
        y += y * 2.0f32;
        y *= y;
        assert_eq!((y.value(), y.partial(0)), (81.0, 54.0));
    }

    #[test]
    fn scale_shift_sum() {
        let x = Dual::<Dual<f64, 1>, 1>::variable(Dual::variable(3.0, 0), 0);
        let y = x * x;
        assert_eq!(y.scale(2.0).partials()[0].partials(), [4.0]);
        assert_eq!((y.shift(2.0).value(), y.shift(2.0).partial(0).value()), (11.0, 6.0));
        let sum: Dual<f64, 1> = [1.0, 2.0].map(|v| Dual::variable(v, 0)).into_iter().sum();
        assert_eq!((sum.value(), sum.partials()), (3.0, [2.0]));
    }

    /// What the product gives, by one slope.
    #[test]
    fn squares() {
        type Second = Dual<Dual<f64, 1>, 2>;
        let x = Second::new(Dual::variable(-3.0, 0), [Dual::new(0.5, [7.0]), Dual::constant(2.0)]);
        let (found, expected) = (x.squared(), x * x);
        assert_eq!((found.primal().primal(), found.primal().partials()), (9.0, [-6.0]));
        assert_eq!(found.partials().map(Dual::primal), [-3.0, -12.0]);
        assert_eq!(found.partials().map(Dual::partials), expected.partials().map(Dual::partials));
        let safe = Dual::<f64, 2, true>::new(f64::INFINITY, [0.0, 1.0]);
        assert_eq!(safe.squared().partials(), [0.0, f64::INFINITY]);
    }

    #[test]
    fn what_does_not_change_has_no_derivative() {
        let zero = Dual::<f64, 2>::variable(0.0, 1);
        assert_eq!(zero.sqrt().partials(), [0.0, f64::INFINITY]);
        assert_eq!(Dual::<f64, 1>::constant(0.0).sqrt().partials(), [0.0]);
        let x = Dual::<f64, 1>::variable(-3.0, 0);
        assert_eq!(x.powf(Dual::lit(2.0)).partials(), [-6.0]);
        let nested = Dual::<Dual<f64, 1>, 1>::constant(Dual::constant(0.0)).sqrt();
        assert_eq!((nested.partial(0).value(), nested.partial(0).partials()), (0.0, [0.0]));
        assert!(!Dual::<f64, 1>::variable(0.0, 0).is_zero() && Dual::<f64, 1>::constant(0.0).is_zero());
    }

    /// A factor 1 that carried a derivative 0 would make 0 * inf of it.
    #[test]
    fn locally_constant_factors_carry_no_derivatives() {
        let steep = Dual::<Dual<f64, 1>, 1>::new(Dual::constant(2.0), [Dual::new(f64::INFINITY, [f64::INFINITY])]);
        for y in [steep + Dual::lit(1.0), -(-steep), steep.abs(), steep.max(Dual::lit(1.0)), steep.fract()] {
            assert_eq!((y.partial(0).value(), y.partial(0).partials()), (f64::INFINITY, [f64::INFINITY]));
        }
    }

    #[test]
    fn comparisons_are_by_value() {
        let (a, b) = (Dual::new(1.0, [5.0]), Dual::new(1.0, [-5.0]));
        assert!(a == b && a <= b && a < Dual::constant(2.0));
        assert!(Dual::<f64, 1>::constant(f64::NAN).partial_cmp(&a).is_none());
    }
}
