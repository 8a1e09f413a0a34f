//! Dual numbers that know whether they change: where many inputs go through a function chunk by chunk, most numbers of a pass do not.

use super::dual::{guarded_quotient, is_finite, method, scaled};
use crate::number::flag::On;
use crate::number::float::Base;
use crate::number::real::{Real, lift};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Rem, Sub, SubAssign};

/// As [`Dual`](super::Dual), with no derivatives at all where it depends on nothing that changes.
#[derive(Clone, Copy, Debug)]
pub struct Varying<S, const N: usize, const SAFE: bool = false> {
    value: S,
    partials: Option<[S; N]>,
}

impl<S: Real, const N: usize, const SAFE: bool> Varying<S, N, SAFE> {
    /// A number that does not change.
    #[inline]
    pub fn constant(value: S) -> Self {
        Varying { value, partials: None }
    }

    /// The number without its derivatives.
    #[inline]
    pub fn primal(&self) -> S {
        self.value
    }

    /// The derivative in the direction `k`.
    #[inline]
    pub fn partial(&self, k: usize) -> S {
        self.partials.as_ref().map_or(S::lit(0.0), |partials| partials[k])
    }

    /// Changes in the direction `k` alone, at rate 1.
    #[inline]
    pub fn vary(&mut self, k: usize) {
        self.partials = Some([S::lit(0.0); N]);
        if let Some(partials) = &mut self.partials {
            partials[k] = S::lit(1.0);
        }
    }

    /// Changes the derivative in the direction `k`.
    #[inline]
    pub fn set_partial(&mut self, k: usize, partial: S) {
        let mut partials = self.partials.unwrap_or([S::lit(0.0); N]);
        partials[k] = partial;
        self.partials = if partials.iter().all(|partial| partial.is_zero()) { None } else { Some(partials) };
    }

    /// The chain rule. Spelled case by case: rustc then reads no tangents of numbers that do not change.
    #[inline(always)]
    fn chain<F: Copy, const K: usize>(
        value: S,
        factors: [F; K],
        tangents: [&Option<[S; N]>; K],
        times: impl Fn(S, F) -> S,
    ) -> Self {
        let partials = match K {
            1 => Self::one(tangents[0], factors[0], times),
            2 => Self::both(tangents[0], tangents[1], factors[0], factors[1], times),
            _ => Self::sum(factors, tangents, times),
        };
        Varying { value, partials }
    }

    #[inline(always)]
    fn one<F: Copy>(tangent: &Option<[S; N]>, factor: F, times: impl Fn(S, F) -> S) -> Option<[S; N]> {
        tangent.map(|tangent| tangent.map(|partial| times(partial, factor)))
    }

    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "the fastest code of all spellings")]
    fn both<F: Copy>(a: &Option<[S; N]>, b: &Option<[S; N]>, f: F, g: F, times: impl Fn(S, F) -> S) -> Option<[S; N]> {
        match (a, b) {
            (None, None) => None,
            (Some(_), None) => Self::one(a, f, times),
            (None, Some(_)) => Self::one(b, g, times),
            (Some(a), Some(b)) => {
                let mut sum = *a;
                for k in 0..N {
                    sum[k] = times(a[k], f) + times(b[k], g);
                }
                Some(sum)
            }
        }
    }

    /// The sum of all tangents that there are.
    fn sum<F: Copy, const K: usize>(
        factors: [F; K],
        tangents: [&Option<[S; N]>; K],
        times: impl Fn(S, F) -> S,
    ) -> Option<[S; N]> {
        let there = tangents.into_iter().zip(factors).filter_map(|(tangent, factor)| Some((tangent.as_ref()?, factor)));
        there.fold(None, |sum: Option<[S; N]>, (tangent, factor)| {
            let term = tangent.map(|partial| times(partial, factor));
            Some(sum.map_or(term, |sum| std::array::from_fn(|k| sum[k] + term[k])))
        })
    }

    /// The quotient of a number with these tangents by `b`, as that of dual numbers.
    #[inline(always)]
    fn quotient(value: S, a: Option<&[S; N]>, b: &Self) -> Self {
        if a.is_none() && b.partials.is_none() {
            return Varying::constant(value);
        }
        let inverse = S::lit(1.0) / b.value;
        let zero = S::lit(0.0);
        let partials = match (a, &b.partials) {
            _ if !(is_finite(value) && is_finite(inverse)) => std::array::from_fn(|k| {
                guarded_quotient(value, a.map(|a| a[k]), b.value, b.partials.as_ref().map_or(zero, |b| b[k]))
            }),
            (Some(a), Some(dot)) => std::array::from_fn(|k| (a[k] - value * dot[k]).over(b.value, inverse)),
            (Some(a), None) => a.map(|a| a.over(b.value, inverse)),
            (None, Some(dot)) => dot.map(|dot| (-(value * dot)).over(b.value, inverse)),
            (None, None) => [zero; N],
        };
        Varying { value, partials: Some(partials) }
    }

    /// The chain rule of a product, whose factors are checked if the numbers are `SAFE`.
    #[inline(always)]
    fn product_chain<F: Real<Base = S::Base>, const K: usize>(
        value: S,
        factors: [F; K],
        tangents: [&Option<[S; N]>; K],
        times: impl Fn(S, F) -> S,
    ) -> Self {
        match SAFE {
            true => Varying::guarded_chain(value, factors, tangents, times),
            false => Varying::chain(value, factors, tangents, times),
        }
    }

    /// The chain rule where factors may be infinite or NaN: times a tangent of zero they are zero.
    #[inline(always)]
    fn guarded_chain<F: Real<Base = S::Base>, const K: usize>(
        value: S,
        factors: [F; K],
        tangents: [&Option<[S; N]>; K],
        times: impl Fn(S, F) -> S,
    ) -> Self {
        if factors.iter().all(|factor| factor.value().as_f64().is_finite()) {
            return Varying::chain(value, factors, tangents, times);
        }
        Varying::chain(
            value,
            factors,
            tangents,
            |tangent, factor| if tangent.is_zero() { tangent } else { times(tangent, factor) },
        )
    }
}

macro_rules! functions {
    ($($name:ident $args:tt -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        #[allow(clippy::approx_constant)] // the table's literals are what they look like
        impl<S: Real, const N: usize, const SAFE: bool> Real for Varying<S, N, SAFE> {
            type Base = S::Base;
            const RECORDS: bool = S::RECORDS;
            const DERIVATIVES: u32 = S::DERIVATIVES + 1;
            type Varies = On;
            type Curves = S::Varies;
            #[inline]
            fn from_base(b: S::Base) -> Self {
                Varying::constant(S::from_base(b))
            }
            #[inline]
            fn value(self) -> S::Base {
                self.value.value()
            }
            #[inline]
            fn is_zero(self) -> bool {
                self.value.is_zero() && self.partials.iter().flatten().all(|partial| partial.is_zero())
            }
            #[inline]
            fn scale(self, k: S::Base) -> Self {
                let partials = self.partials.map(|partials| partials.map(|partial| partial.scale(k)));
                Varying { value: self.value.scale(k), partials }
            }
            #[inline]
            fn shift(self, k: S::Base) -> Self {
                Varying { value: self.value.shift(k), ..self }
            }
            #[inline]
            fn lower(self, k: S::Base) -> Self {
                Varying { value: self.value.lower(k), ..self }
            }
            #[inline]
            fn reflect(self, k: S::Base) -> Self {
                let partials = self.partials.map(|partials| partials.map(Neg::neg));
                Varying { value: self.value.reflect(k), partials }
            }
            #[inline]
            fn over(self, divisor: Self, inverse: Self) -> Self {
                Varying::quotient(self.value.over(divisor.value, inverse.value), self.partials.as_ref(), &divisor)
            }
            #[inline]
            fn squared(self) -> Self {
                let slope = self.value.scale(<S::Base as Base>::lit(2.0));
                Varying::product_chain(self.value.squared(), [slope], [&self.partials], S::mul)
            }
            #[inline(always)]
            fn plus(&self, b: &Self) -> Self {
                let one = S::Base::ONE;
                Varying::chain(self.value + b.value, [one, one], [&self.partials, &b.partials], S::scale)
            }
            #[inline(always)]
            fn minus(&self, b: &Self) -> Self {
                let one = S::Base::ONE;
                Varying::chain(self.value - b.value, [one, -one], [&self.partials, &b.partials], S::scale)
            }
            #[inline(always)]
            fn times(&self, b: &Self) -> Self {
                let (value, slopes) = (self.value * b.value, [b.value, self.value]);
                Varying::product_chain(value, slopes, [&self.partials, &b.partials], S::mul)
            }
            $(method! { Varying guarded_chain $name $args -> $y: $partials $kind })+
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
    (neg $($line:tt)+) => { operator! { Neg: chain neg $($line)+ } };
    (add $($line:tt)+) => { operator! { Add: chain add $($line)+ } };
    (sub $($line:tt)+) => { operator! { Sub: chain sub $($line)+ } };
    (mul $($line:tt)+) => { operator! { Mul: product_chain mul $($line)+ } };
    (div $($line:tt)+) => { operator! { Div: quotient div $($line)+ } };
    (rem $($line:tt)+) => { operator! { Rem: guarded_chain rem $($line)+ } };
    ($Op:ident: $chain:ident $op:ident $($line:tt)+) => {
        impl<S: Real, const N: usize, const SAFE: bool> $Op for Varying<S, N, SAFE> {
            type Output = Self;
            method! { Varying $chain $op $($line)+ }
        }
    };
}
diffi_rules::operators!(operators);

super::assigning! { @ [S: Real, const N: usize, const SAFE: bool] Varying<S, N, SAFE>; MulAssign mul_assign Mul mul }
super::assigning! { @ [S: Real, const N: usize, const SAFE: bool] Varying<S, N, SAFE>; DivAssign div_assign Div div }
super::assigning! { @ [S: Real, const N: usize, const SAFE: bool] Varying<S, N, SAFE>; RemAssign rem_assign Rem rem }

/// In place: sums in loops are where most numbers do not change.
impl<S: Real, const N: usize, const SAFE: bool> AddAssign for Varying<S, N, SAFE> {
    #[inline]
    fn add_assign(&mut self, b: Self) {
        self.value += b.value;
        match (&mut self.partials, &b.partials) {
            (_, None) => {}
            (Some(sum), Some(b)) => sum.iter_mut().zip(b).for_each(|(sum, b)| *sum += *b),
            (sum, Some(b)) => *sum = Some(*b),
        }
    }
}

impl<S: Real, const N: usize, const SAFE: bool> SubAssign for Varying<S, N, SAFE> {
    #[inline]
    fn sub_assign(&mut self, b: Self) {
        self.value -= b.value;
        match (&mut self.partials, &b.partials) {
            (_, None) => {}
            (Some(sum), Some(b)) => sum.iter_mut().zip(b).for_each(|(sum, b)| *sum -= *b),
            (sum, Some(b)) => *sum = Some(b.map(Neg::neg)),
        }
    }
}

super::like_its_value! { Varying [const N: usize, const SAFE: bool] [N, SAFE] }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::scalar::Dual;

    fn f<S: Real>(x: S, y: S) -> S {
        let mut sums = x.squared() - y;
        sums += x.clamp(y, S::lit(3.0));
        sums -= y.squared();
        sums + (x * y).sin() / (x.powi(2) + S::lit(1.0)) - y.exp().max(x)
            + x.hypot(y).scale(<S::Base as Base>::lit(3.0))
    }

    /// Directions in which both, one or none of two numbers change: the same bits as dual numbers have.
    #[test]
    fn as_dual_numbers() {
        for directions in [[1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0], [0.0; 4]] {
            let [a, b, c, d] = directions;
            let dual = f(Dual::<f64, 2>::new(0.7, [a, b]), Dual::new(-1.3, [c, d]));
            let set = |value: f64, partials: [f64; 2]| {
                let mut number = Varying::<f64, 2>::constant(value);
                partials.into_iter().enumerate().for_each(|(k, partial)| number.set_partial(k, partial));
                number
            };
            let found = f(set(0.7, [a, b]), set(-1.3, [c, d]));
            assert_eq!(found.value(), dual.value());
            assert_eq!([0, 1].map(|k| found.partial(k)), dual.partials(), "{directions:?}");
            assert_eq!(found.partials.is_none(), directions == [0.0; 4]);
            let (x, y) = (set(0.7, [a, b]), set(-1.3, [c, d]));
            for (by_reference, by_value) in [(x.plus(&y), x + y), (x.minus(&y), x - y), (x.times(&y), x * y)] {
                assert_eq!((by_reference.value, by_reference.partials), (by_value.value, by_value.partials));
            }
        }
    }

    /// What does not change takes no part, even where its factor is infinite; a derivative that is taken back leaves nothing.
    #[test]
    fn what_does_not_change() {
        let mut x = Varying::<f64, 3>::constant(0.0);
        x.set_partial(1, 1.0);
        let product = x * Varying::constant(0.0).recip();
        assert_eq!([0, 2].map(|k| product.partial(k).is_nan()), [true; 2]);
        let safe = Varying::<f64, 3, true> { value: 2.0, partials: Some([0.0, 1.0, 0.0]) };
        assert_eq!((safe * Varying::constant(f64::INFINITY)).partials, Some([0.0, f64::INFINITY, 0.0]));
        x.set_partial(1, 0.0);
        assert!(x.partials.is_none() && x.is_zero() && x.sqrt().partials.is_none());
    }
}
