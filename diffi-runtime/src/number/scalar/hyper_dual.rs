//! Hyper-dual numbers: a value, its derivatives in two sets of directions, and all mixed second derivatives.

use super::Dual;
use super::dual::is_finite;
use crate::number::flag::On;
use crate::number::float::Base;
use crate::number::real::{Real, lift};
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// A number with its derivatives in `N` directions and in `M` directions, and its second derivatives in every direction of the first and
/// every one of the second: a block of a Hessian in one evaluation.
///
/// J. A. Fike and J. J. Alonso, *The Development of Hyper-Dual Numbers for Exact Second-Derivative Calculations*, AIAA 2011-886, with
/// several directions at once. What they call f' and f'' comes from a dual number per argument, so that every operation is a line of the
/// derivative table here as well.
#[derive(Clone, Copy, Debug)]
pub struct HyperDual<S, const N: usize, const M: usize> {
    value: S,
    rows: [S; N],
    columns: [S; M],
    mixed: [[S; M]; N],
}

impl<S: Real, const N: usize, const M: usize> HyperDual<S, N, M> {
    /// A number that does not change in any direction.
    #[inline]
    pub fn constant(value: S) -> Self {
        let zero = S::lit(0.0);
        HyperDual { value, rows: [zero; N], columns: [zero; M], mixed: [[zero; M]; N] }
    }

    /// A number with its derivatives in the directions of the columns.
    #[inline]
    pub fn new(value: S, columns: [S; M]) -> Self {
        HyperDual { columns, ..HyperDual::constant(value) }
    }

    /// Changes the derivative in the direction of the row `i`.
    ///
    /// # Panics
    ///
    /// If there is no row `i < N`.
    #[inline]
    pub fn set_row(&mut self, i: usize, tangent: S) {
        self.rows[i] = tangent;
    }

    /// The number without its derivatives.
    #[inline]
    pub fn primal(&self) -> S {
        self.value
    }

    /// The first derivatives in the directions of the rows.
    #[inline]
    pub fn rows(&self) -> &[S; N] {
        &self.rows
    }

    /// The first derivatives in the directions of the columns.
    #[inline]
    pub fn columns(&self) -> &[S; M] {
        &self.columns
    }

    /// The second derivatives.
    #[inline]
    pub fn mixed(&self) -> &[[S; M]; N] {
        &self.mixed
    }

    /// Whether nothing of it changes.
    fn is_constant(&self) -> bool {
        let first = self.rows.iter().chain(&self.columns).all(|t| t.is_zero());
        first && self.mixed.iter().flatten().all(|t| t.is_zero())
    }

    /// The chain rule to second order: `partials[k]` is the derivative by the argument `k`, with its own derivatives by all.
    #[inline]
    fn chain<const K: usize>(value: S, partials: [Dual<S, K>; K], args: [&Self; K]) -> Self {
        let mut y = HyperDual::constant(value);
        let finite = |s: S| s.value().as_f64().is_finite();
        for (partial, arg) in partials.iter().zip(args) {
            if !finite(partial.primal()) && arg.is_constant() {
                continue;
            }
            y.add_scaled(partial.primal(), arg);
            for (second, other) in partial.partials().into_iter().zip(args) {
                if second.is_zero() || !finite(second) && (arg.is_constant() || other.is_constant()) {
                    continue;
                }
                for (row, tangent) in y.mixed.iter_mut().zip(&arg.rows) {
                    let factor = second * *tangent;
                    row.iter_mut().zip(&other.columns).for_each(|(m, column)| *m += factor * *column);
                }
            }
        }
        y
    }

    /// Adds `factor` times all derivatives of `arg`.
    #[inline]
    fn add_scaled(&mut self, factor: S, arg: &Self) {
        self.rows.iter_mut().zip(&arg.rows).for_each(|(y, t)| *y += factor * *t);
        self.columns.iter_mut().zip(&arg.columns).for_each(|(y, t)| *y += factor * *t);
        self.mixed.iter_mut().flatten().zip(arg.mixed.iter().flatten()).for_each(|(y, t)| *y += factor * *t);
    }

    /// The quotient of a number with these derivatives, if it changes, by `b`: each derivative divided by `b` once.
    #[inline]
    fn quotient(value: S, a: Option<&Self>, b: &Self) -> Self {
        let (mut y, inverse) = (HyperDual::constant(value), S::lit(1.0) / b.value);
        let finite = is_finite(value) && is_finite(inverse);
        let over = |rest: S| match finite {
            true => rest.over(b.value, inverse),
            false if rest.is_zero() => rest,
            false => rest / b.value,
        };
        let times = |v: S, dot: S| if finite || !dot.is_zero() { v * dot } else { dot };
        for k in 0..N {
            y.rows[k] = over(a.map_or(S::lit(0.0), |a| a.rows[k]) - times(value, b.rows[k]));
        }
        for k in 0..M {
            y.columns[k] = over(a.map_or(S::lit(0.0), |a| a.columns[k]) - times(value, b.columns[k]));
        }
        for i in 0..N {
            for j in 0..M {
                let mixed = a.map_or(S::lit(0.0), |a| a.mixed[i][j]) - times(value, b.mixed[i][j]);
                let crossed = times(y.rows[i], b.columns[j]) + times(y.columns[j], b.rows[i]);
                y.mixed[i][j] = over(mixed - crossed);
            }
        }
        y
    }

    /// The chain rule with factors that are locally constant. What is not selected has the factor zero, and its tangent may be infinite.
    #[inline]
    fn linear<const K: usize>(value: S, factors: [S::Base; K], args: [&Self; K]) -> Self {
        let mut y = HyperDual::constant(value);
        for (factor, arg) in factors.into_iter().zip(args) {
            if factor != S::Base::ZERO && (factor.as_f64().is_finite() || !arg.is_constant()) {
                y.add_scaled(S::from_base(factor), arg);
            }
        }
        y
    }
}

/// One line of the table as a method.
macro_rules! method {
    (recip $args:tt -> $y:ident: $partials:tt $kind:ident) => {
        #[inline]
        fn recip(self) -> Self {
            HyperDual::quotient(self.value.recip(), None, &self)
        }
    };
    (div $args:tt -> $y:ident: $partials:tt $kind:ident) => {
        #[inline]
        fn div(self, b: Self) -> Self {
            HyperDual::quotient(self.value / b.value, Some(&self), &b)
        }
    };
    ($name:ident ($x:ident $(, $rest:ident)* $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident) => {
        #[inline]
        #[allow(unused_variables)]
        fn $name(self $(, $rest: Self)* $(, $n: $int)?) -> Self {
            let args = [&self $(, &$rest)*];
            method!(@$kind $name args [$x $(, $rest)*] [$($n)?] $y $partials)
        }
    };
    (@flat $name:ident $args:ident [$($x:ident),+] [$($n:ident)?] $y:ident $partials:tt) => {{
        let [$($x),+] = $args.map(|arg| arg.value);
        HyperDual::constant(method!(@value S $name [$($x),+] [$($n)?]))
    }};
    (@linear $name:ident $args:ident [$($x:ident),+] [$($n:ident)?] $y:ident $partials:tt) => {{
        let [$($x),+] = $args.map(|arg| arg.value);
        let value = method!(@value S $name [$($x),+] [$($n)?]);
        let [$($x),+] = [$($x.value()),+];
        let $y = value.value();
        HyperDual::linear(value, lift!(S::Base, $partials), $args)
    }};
    (@curved $name:ident $args:ident [$($x:ident),+] [$($n:ident)?] $y:ident $partials:tt) => {{
        const K: usize = [$(stringify!($x)),+].len();
        let mut k = 0;
        let [$($x),+] = $args.map(|arg| {
            k += 1;
            Dual::<S, K>::variable(arg.value, k - 1)
        });
        let $y = method!(@value (Dual::<S, K>) $name [$($x),+] [$($n)?]);
        HyperDual::chain($y.primal(), lift!(Dual<S, K>, $partials), $args)
    }};
    (@value $S:tt $name:ident [$($x:ident),+] [$($n:ident)?]) => { <method!(@type $S)>::$name($($x),+ $(, $n)?) };
    (@type ($S:ty)) => { $S };
    (@type $S:ident) => { $S };
}

macro_rules! functions {
    ($($name:ident $args:tt -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        #[allow(clippy::approx_constant)] // the table's literals are what they look like
        impl<S: Real, const N: usize, const M: usize> Real for HyperDual<S, N, M> {
            type Base = S::Base;
            const DERIVATIVES: u32 = S::DERIVATIVES + 2;
            type Varies = On;
            type Curves = On;
            #[inline]
            fn from_base(b: S::Base) -> Self {
                HyperDual::constant(S::from_base(b))
            }
            #[inline]
            fn value(self) -> S::Base {
                self.value.value()
            }
            #[inline]
            fn is_zero(self) -> bool {
                self.value.is_zero() && self.is_constant()
            }
            #[inline]
            fn scale(self, k: S::Base) -> Self {
                HyperDual {
                    value: self.value.scale(k),
                    rows: self.rows.map(|t| t.scale(k)),
                    columns: self.columns.map(|t| t.scale(k)),
                    mixed: self.mixed.map(|row| row.map(|t| t.scale(k))),
                }
            }
            #[inline]
            fn shift(self, k: S::Base) -> Self {
                HyperDual { value: self.value.shift(k), ..self }
            }
            #[inline]
            fn lower(self, k: S::Base) -> Self {
                HyperDual { value: self.value.lower(k), ..self }
            }
            $(method! { $name $args -> $y: $partials $kind })+
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
        impl<S: Real, const N: usize, const M: usize> Neg for HyperDual<S, N, M> {
            type Output = Self;
            method! { neg $($line)+ }
        }
    };
    (add $($line:tt)+) => { operator! { Add: add $($line)+ } };
    (sub $($line:tt)+) => { operator! { Sub: sub $($line)+ } };
    (mul $($line:tt)+) => { operator! { Mul: mul $($line)+ } };
    (div $($line:tt)+) => { operator! { Div: div $($line)+ } };
    (rem $($line:tt)+) => { operator! { Rem: rem $($line)+ } };
    ($Op:ident: $op:ident $($line:tt)+) => {
        impl<S: Real, const N: usize, const M: usize> $Op for HyperDual<S, N, M> {
            type Output = Self;
            method! { $op $($line)+ }
        }
    };
}
diffi_rules::operators!(operators);

assigning! { [S: Real, const N: usize, const M: usize] HyperDual<S, N, M> }

like_its_value! { HyperDual [const N: usize, const M: usize] [N, M] }

#[cfg(test)]
mod tests {
    use super::*;

    fn f<S: Real>(x: S, y: S) -> S {
        (x * y).sin() / (x.powi(2) + S::lit(1.0)) - y.exp() * x.atan2(y) + x.abs().powf(y)
    }

    /// Against dual numbers of dual numbers.
    #[test]
    fn a_whole_hessian_in_one_evaluation() {
        let (x, y) = (0.7f64, -1.3f64);
        let variable = |v: f64, k: usize| {
            let mut columns = [0.0; 2];
            columns[k] = 1.0;
            let mut hyper = HyperDual::<f64, 2, 2>::new(v, columns);
            hyper.set_row(k, 1.0);
            hyper
        };
        let found = f(variable(x, 0), variable(y, 1));
        type Nested = Dual<Dual<f64, 2>, 2>;
        let nested = |v: f64, k: usize| Nested::variable(Dual::variable(v, k), k);
        let expected = f(nested(x, 0), nested(y, 1));
        assert_eq!(found.primal(), expected.value());
        for i in 0..2 {
            let row = expected.partial(i);
            assert!(
                (found.rows()[i] - row.primal()).abs() < 1e-14 && (found.columns()[i] - row.primal()).abs() < 1e-14
            );
            for j in 0..2 {
                assert!((found.mixed()[i][j] - row.partial(j)).abs() < 1e-13, "{i} {j}");
            }
        }
    }

    #[test]
    fn what_does_not_change_has_no_derivative() {
        let zero = HyperDual::<f64, 1, 1>::constant(0.0).sqrt();
        assert_eq!((zero.rows()[0], zero.mixed()[0][0]), (0.0, 0.0));
    }
}
