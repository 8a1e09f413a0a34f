//! Traits of numbers that users write, with the attribute and without: what their methods do is read from the files around.
#![allow(dead_code)] // traits declare what is not called here

use crate::check::number;
use diffi::prelude::*;

/// Implementations by a macro, a default that calls another function of the trait, and literals of the trait's own.
mod macro_for_both_floats {
    use diffi::prelude::*;
    use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};
    pub trait Real:
        Copy
        + Clone
        + PartialOrd
        + std::fmt::Debug
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + Neg<Output = Self>
        + AddAssign
    {
        fn zero() -> Self;
        fn one() -> Self;
        fn from_f64(v: f64) -> Self;
        fn to_f64(self) -> f64;
        fn sqrt(self) -> Self;
        fn exp(self) -> Self;
        fn ln(self) -> Self;
        fn powf(self, p: Self) -> Self;
        fn max(self, o: Self) -> Self;
        fn abs(self) -> Self {
            if self < Self::zero() { -self } else { self }
        }
    }
    macro_rules! impl_real {
        ($($t:ty),*) => { $(
            impl Real for $t {
                fn zero() -> Self { 0.0 }
                fn one() -> Self { 1.0 }
                fn from_f64(v: f64) -> Self { v as $t }
                fn to_f64(self) -> f64 { self as f64 }
                fn sqrt(self) -> Self { self.sqrt() }
                fn exp(self) -> Self { self.exp() }
                fn ln(self) -> Self { self.ln() }
                fn powf(self, p: Self) -> Self { self.powf(p) }
                fn max(self, o: Self) -> Self { self.max(o) }
            }
        )* };
    }
    impl_real!(f32, f64);
    #[differentiable]
    fn rms<T: Real>(xs: &[T]) -> T {
        let mut s = T::zero();
        let mut n = T::zero();
        for &x in xs {
            s += x * x;
            n += T::one();
        }
        (s / n).sqrt()
    }
    #[differentiable]
    fn soft<T: Real>(xs: &[T], t: T) -> T {
        let mut m = xs[0];
        for &x in &xs[1..] {
            m = m.max(x);
        }
        let mut s = T::zero();
        for &x in xs {
            s += ((x - m) / t).exp();
        }
        m + t * s.ln() + (m - xs[0]).abs() + T::powf(t, T::from_f64(1.5))
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        rms(x) + soft(x, 0.5 * x[1])
    }
}

/// Constants, defaults that call each other, bodies that compute.
mod constants_and_defaults {
    use diffi::prelude::*;
    use std::ops::{Add, Mul, Sub};
    trait Num: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Sized {
        const ZERO: Self;
        const ONE: Self;
        fn half(self) -> Self;
        fn sq(self) -> Self {
            self * self
        }
        fn cube(self) -> Self {
            self.sq() * self
        }
    }
    impl Num for f64 {
        const ZERO: f64 = 0.0;
        const ONE: f64 = 1.0;
        fn half(self) -> f64 {
            self * 0.5
        }
    }
    impl Num for f32 {
        const ZERO: f32 = 0.0;
        const ONE: f32 = 1.0;
        fn half(self) -> f32 {
            self * 0.5
        }
    }
    #[differentiable]
    fn poly<N: Num>(c: &[N], x: N) -> N {
        let mut s = N::ZERO;
        for &k in c.iter().rev() {
            s = s * x + k;
        }
        s.cube().half() + N::ONE
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        poly(x, x[0])
    }
}

/// A struct that is generic over the trait, its methods and an operator, for `f64` alone.
mod generic_struct {
    use diffi::prelude::*;
    use std::ops::{Add, Div, Mul, Sub};
    pub trait Scalar:
        Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Default
    {
        fn sqrt(self) -> Self;
        fn sin(self) -> Self;
        fn cos(self) -> Self;
    }
    impl Scalar for f64 {
        fn sqrt(self) -> f64 {
            f64::sqrt(self)
        }
        fn sin(self) -> f64 {
            f64::sin(self)
        }
        fn cos(self) -> f64 {
            f64::cos(self)
        }
    }
    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Vec3<S: Scalar> {
        pub x: S,
        pub y: S,
        pub z: S,
    }
    #[differentiable]
    impl<S: Scalar> Vec3<S> {
        pub fn new(x: S, y: S, z: S) -> Self {
            Vec3 { x, y, z }
        }
        pub fn dot(self, o: Self) -> S {
            self.x * o.x + self.y * o.y + self.z * o.z
        }
        pub fn norm(self) -> S {
            self.dot(self).sqrt()
        }
        pub fn rotate_z(self, a: S) -> Self {
            let (s, c) = (a.sin(), a.cos());
            Vec3::new(self.x * c - self.y * s, self.x * s + self.y * c, self.z)
        }
    }
    #[differentiable]
    impl<S: Scalar> Add for Vec3<S> {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Vec3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let a = Vec3::new(x[0], x[1], 1.0);
        let b = a.rotate_z(x[0]);
        (a + b).norm()
    }
}

/// A trait of another module.
mod by_path {
    use diffi::prelude::*;
    mod num {
        use std::ops::{Add, Mul};
        pub trait Scalar: Copy + Add<Output = Self> + Mul<Output = Self> {
            fn tanh(self) -> Self;
            fn zero() -> Self;
        }
        impl Scalar for f64 {
            fn tanh(self) -> f64 {
                self.tanh()
            }
            fn zero() -> f64 {
                0.0
            }
        }
        impl Scalar for f32 {
            fn tanh(self) -> f32 {
                self.tanh()
            }
            fn zero() -> f32 {
                0.0
            }
        }
    }
    #[differentiable]
    fn layer<T: num::Scalar>(w: &[T], x: &[T], out: &mut [T]) {
        for i in 0..out.len() {
            let mut s = T::zero();
            for j in 0..x.len() {
                s = s + w[i * x.len() + j] * x[j];
            }
            out[i] = s.tanh();
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = [0.0; 2];
        layer(&[0.3, -0.2, 0.7, 0.5], x, &mut o);
        o[0] * o[1]
    }
}

/// A method that is called like std's and does something else.
mod another_meaning {
    use diffi::prelude::*;
    use std::ops::{Add, Mul};
    trait Scalar: Copy + Add<Output = Self> + Mul<Output = Self> {
        fn sqrt(self) -> Self;
    }
    impl Scalar for f64 {
        fn sqrt(self) -> f64 {
            self * self * 3.0
        }
    }
    #[differentiable]
    fn odd<T: Scalar>(x: T, y: T) -> T {
        x.sqrt() + y
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        odd(x[0], x[1])
    }
}

/// Methods of a trait for `f64`, called on `f64`.
mod of_one_float {
    use diffi::prelude::*;
    trait Ext {
        fn sq(self) -> f64;
        fn smooth(self, k: f64) -> f64;
    }
    impl Ext for f64 {
        fn sq(self) -> f64 {
            self * self
        }
        fn smooth(self, k: f64) -> f64 {
            let t = self * k;
            t / (1.0 + t.abs())
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        x[0].sq() + x.iter().map(|v| v.smooth(2.0)).sum::<f64>() * x[1].sq().sqrt()
    }
}

/// Bounds in a clause, a trait called like that of `num-traits`.
mod where_clause {
    use diffi::prelude::*;
    use std::ops::{Add, Div, Mul, Neg, Sub};
    pub trait Float:
        Copy
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + Neg<Output = Self>
        + PartialOrd
    {
        fn exp(self) -> Self;
        fn c(x: f64) -> Self;
        fn powi(self, n: i32) -> Self;
        fn recip(self) -> Self {
            Self::c(1.0) / self
        }
    }
    impl Float for f64 {
        fn exp(self) -> Self {
            f64::exp(self)
        }
        fn c(x: f64) -> Self {
            x
        }
        fn powi(self, n: i32) -> Self {
            f64::powi(self, n)
        }
    }
    impl Float for f32 {
        fn exp(self) -> Self {
            f32::exp(self)
        }
        fn c(x: f64) -> Self {
            x as f32
        }
        fn powi(self, n: i32) -> Self {
            f32::powi(self, n)
        }
    }
    #[differentiable]
    fn sigmoid<F>(x: F) -> F
    where
        F: Float,
    {
        (F::c(1.0) + (-x).exp()).recip()
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        sigmoid(x[0]) * sigmoid(x[1].powi(2))
    }
}

/// A method of a generic struct with a literal of the trait's.
mod struct_of_parameters {
    use diffi::prelude::*;
    use std::ops::{Add, Div, Mul, Neg, Sub};
    pub trait Kernel<T> {
        fn eval(&self, r: T) -> T;
    }
    pub trait Real:
        Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
    {
        fn exp(self) -> Self;
        fn sqrt(self) -> Self;
        fn lit(v: f64) -> Self;
    }
    impl Real for f64 {
        fn exp(self) -> Self {
            f64::exp(self)
        }
        fn sqrt(self) -> Self {
            f64::sqrt(self)
        }
        fn lit(v: f64) -> Self {
            v
        }
    }
    #[derive(Clone, Copy, Differentiable)]
    struct Gauss<T: Real> {
        l: T,
    }
    #[differentiable]
    impl<T: Real> Gauss<T> {
        fn eval(&self, r: T) -> T {
            let s = r / self.l;
            (-(s * s) * T::lit(0.5)).exp()
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let k = Gauss { l: x[1] };
        k.eval(x[0]) + k.eval(2.0)
    }
}

/// A function without a receiver in place of a constant.
mod functions_alone {
    use diffi::prelude::*;
    use std::ops::{Add, Mul};
    pub trait Real: Copy + Add<Output = Self> + Mul<Output = Self> + PartialOrd {
        fn zero() -> Self;
        fn sin(self) -> Self;
    }
    impl Real for f64 {
        fn zero() -> f64 {
            0.0
        }
        fn sin(self) -> f64 {
            self.sin()
        }
    }
    impl Real for f32 {
        fn zero() -> f32 {
            0.0
        }
        fn sin(self) -> f32 {
            self.sin()
        }
    }
    #[differentiable]
    fn wave<R: Real>(xs: &[R], k: R) -> R {
        let mut s = R::zero();
        for &x in xs {
            s = s + (x * k).sin();
        }
        s
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        wave(x, x[1])
    }
}

/// A trait that only gathers bounds.
mod bounds_alone {
    use diffi::prelude::*;
    use std::ops::{Add, Mul, Sub};
    trait Num: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + std::iter::Sum + Default {}
    impl Num for f64 {}
    impl Num for f32 {}
    #[differentiable]
    fn dot<T: Num>(a: &[T], b: &[T]) -> T {
        a.iter().zip(b).map(|(x, y)| *x * *y).sum()
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        dot(x, &[2.0, 3.0]) * dot(x, x)
    }
}

/// The trait and its implementation have the attribute.
mod annotated {
    use diffi::prelude::*;
    use std::ops::{Add, Mul, Sub};
    #[differentiable]
    pub trait Scalar: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
        fn sqrt(self) -> Self;
        fn sin(self) -> Self;
    }
    #[differentiable]
    impl Scalar for f64 {
        fn sqrt(self) -> Self {
            f64::sqrt(self)
        }
        fn sin(self) -> Self {
            f64::sin(self)
        }
    }
    #[differentiable]
    fn norm<T: Scalar>(a: &[T; 2]) -> T {
        (a[0] * a[0] + a[1] * a[1]).sqrt()
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        norm(&[x[0], x[1]]) * x[0].sin()
    }
}

/// The same for both floats.
mod annotated_for_both {
    use diffi::prelude::*;
    use std::ops::{Add, Mul, Sub};
    #[differentiable]
    pub trait Scalar: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
        fn root(self) -> Self;
    }
    #[differentiable]
    impl Scalar for f64 {
        fn root(self) -> Self {
            f64::sqrt(self)
        }
    }
    #[differentiable]
    impl Scalar for f32 {
        fn root(self) -> Self {
            f32::sqrt(self)
        }
    }
    #[differentiable]
    fn norm<T: Scalar>(a: &[T; 2]) -> T {
        (a[0] * a[0] + a[1] * a[1]).root()
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        norm(&[x[0], x[1]]) * x[0]
    }
}

/// The same in a macro.
mod annotated_in_a_macro {
    use diffi::prelude::*;
    use std::ops::{Add, Div, Mul, Neg, Sub};
    #[differentiable]
    pub trait Float:
        Copy
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + Neg<Output = Self>
        + PartialOrd
        + From<f32>
    {
        fn abs(self) -> Self;
        fn max(self, o: Self) -> Self;
        fn powi(self, n: i32) -> Self;
        const PI: Self;
        const EPS: Self;
    }
    macro_rules! float {
        ($t:ident) => {
            #[differentiable]
            impl Float for $t {
                fn abs(self) -> Self {
                    <$t>::abs(self)
                }
                fn max(self, o: Self) -> Self {
                    <$t>::max(self, o)
                }
                fn powi(self, n: i32) -> Self {
                    <$t>::powi(self, n)
                }
                const PI: Self = std::$t::consts::PI;
                const EPS: Self = 1e-6;
            }
        };
    }
    float!(f64);
    float!(f32);
    #[differentiable]
    fn area<T: Float>(r: T) -> T {
        T::PI * r.powi(2) / T::from(4.0) + if r < T::EPS { -r } else { r.abs().max(T::EPS) }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        area(x[0]) * area(x[1])
    }
}

/// The same of a trait that is no number's.
mod annotated_of_one_float {
    use diffi::prelude::*;
    #[differentiable]
    trait Activation {
        fn apply(self) -> Self;
    }
    #[differentiable]
    impl Activation for f64 {
        fn apply(self) -> f64 {
            self.tanh() * 2.0
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        x.iter().map(|v| v.apply()).sum::<f64>()
    }
}

/// Two traits of one name in modules, which do different things.
mod near {
    use diffi::prelude::*;
    use std::ops::{Add, Mul};
    pub trait Twice: Copy + Add<Output = Self> + Mul<Output = Self> {
        fn twice(self) -> Self;
    }
    impl Twice for f64 {
        fn twice(self) -> f64 {
            self + self
        }
    }
    #[differentiable]
    fn sum<T: Twice>(x: T, y: T) -> T {
        x.twice() * y
    }
    pub mod inner {
        use std::ops::{Add, Mul};
        pub trait Twice: Copy + Add<Output = Self> + Mul<Output = Self> {
            fn twice(self) -> Self;
        }
        impl Twice for f64 {
            fn twice(self) -> f64 {
                self * self
            }
        }
    }
    /// A trait of the name in a function, and the bound by its path.
    pub fn by_path(x: &[f64]) -> f64 {
        #[differentiable]
        fn product<T: inner::Twice>(x: T, y: T) -> T {
            T::twice(x) * y
        }
        product(x[0], x[1])
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        assert!(by_path(x) > 0.0);
        sum(x[0], x[1])
    }
}

/// Bodies with branches, names and literals, functions of the trait in each other, a method that the trait does not have.
mod longer_bodies {
    use diffi::prelude::*;
    use std::ops::{Add, Mul, Neg, Sub};
    pub trait Real:
        Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
    {
        fn lit(v: f64) -> Self;
        fn huber(self, at: Self) -> Self;
        fn softsign(self) -> Self;
        fn both(self, other: Self) -> Self {
            let first = self.softsign();
            if first < other { first * other } else { Self::lit(2.0) * first - other.huber(Self::lit(0.5)) }
        }
    }
    macro_rules! real {
        ($($t:ident)+) => { $(impl Real for $t {
            fn lit(v: f64) -> Self { v as $t }
            fn huber(self, at: Self) -> Self {
                let size = self.abs();
                if size <= at { 0.5 * size * size } else { at * (size - 0.5 * at) }
            }
            fn softsign(self) -> Self { self / (1.0 + <$t>::abs(self)) }
        })+ };
    }
    real!(f64 f32);
    #[differentiable]
    pub fn loss<T: Real>(x: &[T]) -> T {
        let mut sum = x[0].both(x[1]);
        for v in x {
            sum = sum + v.huber(T::lit(0.7)) * v.softsign();
        }
        sum
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        loss(x)
    }
}

/// Names that floats have themselves mean these where the float is `f64`, and the trait's where it is generic.
mod names_of_floats {
    use diffi::prelude::*;
    use std::ops::{Add, Mul};
    trait Odd: Copy + Add<Output = Self> + Mul<Output = Self> {
        fn exp(self) -> Self;
        fn max(self, other: Self) -> Self;
    }
    impl Odd for f64 {
        fn exp(self) -> f64 {
            self * self
        }
        fn max(self, other: f64) -> f64 {
            self.min(other) * 2.0
        }
    }
    #[differentiable]
    fn of_any<T: Odd>(x: T, y: T) -> T {
        T::exp(x) + y.max(x) * y.exp()
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        of_any(x[0], x[1]) * x[0].exp() + x[0].max(x[1])
    }
}

#[test]
fn own_traits_of_numbers() {
    number!(macro_for_both_floats::f::D, [0.6, 1.1], |x| x, |x| macro_for_both_floats::f(x));
    number!(constants_and_defaults::f::D, [0.6, 1.1], |x| x, |x| constants_and_defaults::f(x));
    number!(generic_struct::f::D, [0.6, 1.1], |x| x, |x| generic_struct::f(x));
    number!(by_path::f::D, [0.6, 1.1], |x| x, |x| by_path::f(x));
    number!(another_meaning::f::D, [0.6, 1.1], |x| x, |x| another_meaning::f(x));
    number!(of_one_float::f::D, [0.6, 1.1], |x| x, |x| of_one_float::f(x));
    number!(where_clause::f::D, [0.6, 1.1], |x| x, |x| where_clause::f(x));
    number!(struct_of_parameters::f::D, [0.6, 1.1], |x| x, |x| struct_of_parameters::f(x));
    number!(functions_alone::f::D, [0.6, 1.1], |x| x, |x| functions_alone::f(x));
    number!(bounds_alone::f::D, [0.6, 1.1], |x| x, |x| bounds_alone::f(x));
    number!(annotated::f::D, [0.6, 1.1], |x| x, |x| annotated::f(x));
    number!(annotated_for_both::f::D, [0.6, 1.1], |x| x, |x| annotated_for_both::f(x));
    number!(annotated_in_a_macro::f::D, [0.6, 1.1], |x| x, |x| annotated_in_a_macro::f(x));
    number!(annotated_of_one_float::f::D, [0.6, 1.1], |x| x, |x| annotated_of_one_float::f(x));
    number!(near::f::D, [0.6, 1.1], |x| x, |x| near::f(x));
    number!(longer_bodies::f::D, [0.6, 1.1], |x| x, |x| longer_bodies::f(x));
    number!(names_of_floats::f::D, [0.6, 1.1], |x| x, |x| names_of_floats::f(x));
}

/// At the other float: the same bodies.
#[test]
fn own_traits_of_numbers_at_f32() {
    let x = [0.6f32, 1.1];
    let wide = [f64::from(x[0]), f64::from(x[1])];
    let narrow = gradient(longer_bodies::loss::D, AutoReverse, &x[..]).unwrap();
    let expected = gradient(longer_bodies::f::D, AutoReverse, &wide[..]).unwrap();
    for (a, b) in narrow.iter().zip(&expected) {
        assert!((f64::from(*a) - b).abs() < 1e-5, "{a} for {b}");
    }
}
