//! Tracers: numbers that carry which inputs they depend on.

use crate::number::flag::{Flag, Off, On};
use crate::number::float::Base;
use crate::number::real::{Real, lift};
use crate::number::scalar::assigning;
use crate::overload::either::unanswered;
use crate::sparse::hessian_sets::Curvature;
use crate::sparse::sets::IndexSet;
use diffi_rules::Rule;
use std::cmp::Ordering;
use std::fmt::Debug;
use std::iter::Sum;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};
use std::sync::LazyLock;

/// A number whose value may be unknown, with what it carries about the inputs that it depends on.
///
/// What the inputs' own values are unknown for holds at every point: the table says which derivatives of a function can differ from
/// zero. Where values are known, a derivative that is zero at them carries nothing on. Constants always have their values; nothing
/// that they are multiplied with is dropped because they are zero, unless all values are known.
///
/// Asking for a value that is unknown ends the trace: see [`Unknown`](crate::overload::either::Unknown). With `BRANCHES`, code that can follow both sides of a condition
/// does not ask.
#[derive(Clone, Copy, Debug)]
pub struct Tracer<S, K, const BRANCHES: bool = false> {
    value: Option<S>,
    carried: K,
}

/// What tracers carry.
pub trait Carried: Copy + Debug + Send + 'static {
    /// Of which order the derivatives are that it tells of.
    const DERIVATIVES: u32;
    /// Whether second ones are among them.
    type Curves: Flag;
    /// Of a constant.
    const NOTHING: Self;
    /// Of the input with this number.
    fn input(index: u32) -> Self;
    /// Of the value of a function, given which of its derivatives differ from zero.
    fn chain<const N: usize>(arguments: [Self; N], class: &Class) -> Self;
    /// Of the value of a function of the table, given its name and its whole exponent, if it has one.
    #[inline]
    fn named<const N: usize>(_name: &str, _exponent: Option<i32>, arguments: [Self; N], class: &Class) -> Self {
        Self::chain(arguments, class)
    }
}

/// Which derivatives of a function of up to three arguments can differ from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// The first derivatives.
    pub first: [bool; 3],
    /// The second derivatives.
    pub second: [[bool; 3]; 3],
}

impl Class {
    /// As the derivative table has it.
    pub fn of(rule: &Rule) -> Class {
        let n = rule.args.len();
        let second = |i, j| i < n && j < n && rule.has_second(i, j);
        Class {
            first: std::array::from_fn(|i| i < n && rule.has_first(i)),
            second: std::array::from_fn(|i| std::array::from_fn(|j| second(i, j))),
        }
    }

    fn named(name: &str) -> Class {
        Class::of(diffi_rules::rule(name).expect("a line of the table"))
    }

    /// Without the first derivatives that are zero at a point.
    fn at<S: Real, const N: usize>(mut self, partials: [S; N]) -> Class {
        for (first, partial) in self.first.iter_mut().zip(partials) {
            *first &= partial.value() != <S::Base as Base>::ZERO;
        }
        self
    }
}

/// Which inputs a number depends on.
impl Carried for IndexSet {
    const DERIVATIVES: u32 = 1;
    type Curves = Off;
    const NOTHING: Self = IndexSet::EMPTY;
    #[inline]
    fn input(index: u32) -> Self {
        IndexSet::single(index)
    }
    #[inline]
    fn chain<const N: usize>(arguments: [Self; N], class: &Class) -> Self {
        let mut all = IndexSet::EMPTY;
        for (set, first) in arguments.into_iter().zip(class.first) {
            if first {
                all = all.union(set);
            }
        }
        all
    }
}

/// Which inputs a number depends on, and by which pairs of them it is bent.
#[derive(Clone, Copy, Debug)]
pub struct Bent {
    /// The first derivatives.
    pub slope: IndexSet,
    /// The second derivatives.
    pub curvature: Curvature,
}

impl Carried for Bent {
    const DERIVATIVES: u32 = 2;
    type Curves = On;
    const NOTHING: Self = Bent { slope: IndexSet::EMPTY, curvature: Curvature::NONE };
    #[inline]
    fn input(index: u32) -> Self {
        Bent { slope: IndexSet::single(index), curvature: Curvature::NONE }
    }
    fn chain<const N: usize>(arguments: [Self; N], class: &Class) -> Self {
        let slope = IndexSet::chain(arguments.map(|bent| bent.slope), class);
        let mut curvature = Curvature::NONE;
        for i in 0..N {
            if class.first[i] {
                curvature = curvature.union(arguments[i].curvature);
            }
            for j in i..N {
                if class.second[i][j] {
                    curvature = curvature.union(Curvature::product(arguments[i].slope, arguments[j].slope));
                }
            }
        }
        Bent { slope, curvature }
    }
}

impl<S: Real, K: Carried, const B: bool> Tracer<S, K, B> {
    /// An input, whose value may be known.
    pub fn input(index: usize, value: Option<S>) -> Self {
        Tracer { value, carried: K::input(index as u32) }
    }

    /// What it carries.
    pub fn carried(self) -> K {
        self.carried
    }

    fn known(self) -> S {
        self.value.unwrap_or_else(|| unanswered())
    }
}

/// All values, if they are known.
fn all<S: Copy, const N: usize>(values: [Option<S>; N]) -> Option<[S; N]> {
    let mut found = [(*values.first()?)?; N];
    for (found, value) in found.iter_mut().zip(values) {
        *found = value?;
    }
    Some(found)
}

/// One line of the table as a method.
macro_rules! method {
    ($name:ident ($x:ident $(, $rest:ident)* $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident) => {
        #[inline]
        #[allow(unused_variables)]
        fn $name(self $(, $rest: Self)* $(, $n: $int)?) -> Self {
            static CLASS: LazyLock<Class> = LazyLock::new(|| Class::named(stringify!($name)));
            let carried = [self.carried $(, $rest.carried)*];
            let Some([$x $(, $rest)*]) = all([self.value $(, $rest.value)*]) else {
                return Tracer { value: None, carried: K::named(stringify!($name), method!(@exponent $($n)?), carried, &CLASS) };
            };
            let $y = S::$name($x $(, $rest)* $(, $n)?);
            let class = method!(@$kind S $partials);
            Tracer { value: Some($y), carried: K::named(stringify!($name), method!(@exponent $($n)?), carried, &class) }
        }
    };
    (@exponent) => { None };
    (@exponent $n:ident) => { Some($n) };
    (@flat $S:ident $partials:tt) => { *CLASS };
    (@linear $S:ident $partials:tt) => { CLASS.at(lift!($S, $partials)) };
    (@curved $S:ident $partials:tt) => { CLASS.at(lift!($S, $partials)) };
}

macro_rules! functions {
    ($($name:ident $args:tt -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        #[allow(clippy::approx_constant)] // the table's literals are what they look like
        impl<S: Real, K: Carried, const B: bool> Real for Tracer<S, K, B> {
            type Base = S::Base;
            const DERIVATIVES: u32 = K::DERIVATIVES;
            type Varies = On;
            type Curves = K::Curves;
            const BRANCHES: bool = B;
            #[inline]
            fn unseen() -> Self {
                Tracer { value: None, carried: K::NOTHING }
            }
            #[inline]
            fn from_base(b: S::Base) -> Self {
                Tracer { value: Some(S::from_base(b)), carried: K::NOTHING }
            }
            #[inline]
            fn value(self) -> S::Base {
                self.known().value()
            }
            #[inline]
            fn is_zero(self) -> bool {
                false
            }
            #[inline]
            fn scale(self, k: S::Base) -> Self {
                match self.value {
                    Some(_) => self * Self::from_base(k),
                    None => self,
                }
            }
            #[inline]
            fn shift(self, k: S::Base) -> Self {
                Tracer { value: self.value.map(|value| value.shift(k)), ..self }
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
        impl<S: Real, K: Carried, const B: bool> Neg for Tracer<S, K, B> {
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
        impl<S: Real, K: Carried, const B: bool> $Op for Tracer<S, K, B> {
            type Output = Self;
            method! { $op $($line)+ }
        }
    };
}
diffi_rules::operators!(operators);

assigning! { [S: Real, K: Carried, const B: bool] Tracer<S, K, B> }

impl<S: Real, K: Carried, const B: bool> Sum for Tracer<S, K, B> {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::lit(0.0), Add::add)
    }
}

/// By values.
impl<S: Real, K: Carried, const B: bool> PartialEq for Tracer<S, K, B> {
    fn eq(&self, other: &Self) -> bool {
        self.known() == other.known()
    }
}

/// By values.
impl<S: Real, K: Carried, const B: bool> PartialOrd for Tracer<S, K, B> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.known().partial_cmp(&other.known())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::scalar::dual::Dual;
    use crate::overload::either::Unknown;
    use diffi_rules::RULES;

    #[test]
    fn constants_are_known_and_inputs_are_not() {
        type T = Tracer<f64, IndexSet>;
        let (x, y) = (T::input(0, None), T::input(5, None));
        let z = (x * y + T::lit(2.0)).sin().scale(0.0);
        assert_eq!(z.carried().indices(), [0, 5]);
        assert!(T::lit(2.0) * T::lit(3.0) > T::lit(5.0));
        assert!(x.floor().carried().is_empty());
        assert_eq!(x.copysign(y).carried().indices(), [0]);
        assert_eq!((x * T::lit(0.0)).carried().indices(), [0], "another constant may not be zero");
        let asked = std::panic::catch_unwind(|| x < y);
        assert!(asked.unwrap_err().is::<Unknown>());
        let local = T::input(0, Some(0.0)) * T::input(1, Some(3.0));
        assert_eq!(local.carried().indices(), [0]);
        assert!(local == T::lit(0.0));
    }

    type Second = Dual<Dual<f64, 3>, 3>;

    macro_rules! evaluations {
        ($($name:ident ($x:ident $(, $rest:ident)* $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
            /// Every function of the table.
            fn functions(at: [Second; 3], see: &mut impl FnMut(&'static str, Second)) {
                $({
                    let mut at = at.into_iter();
                    let $x = at.next().unwrap();
                    $(let $rest = at.next().unwrap();)*
                    $(let $n: $int = 3;)?
                    see(stringify!($name), $x.$name($($rest,)* $($n)?));
                })+
            }
        };
    }
    diffi_rules::functions!(evaluations);

    /// How many arguments a special function has; none, if it is no special one.
    fn of_special(name: &str) -> usize {
        RULES.iter().find(|rule| rule.name == name && rule.special).map_or(0, |rule| rule.args.len())
    }

    /// The classes of the table, found again by dual numbers at many points.
    #[test]
    fn classes_are_what_derivatives_say() {
        let mut seen = std::collections::HashMap::new();
        let mut see = |name: &'static str, y: Second| {
            let class = seen.entry(name).or_insert(Class { first: [false; 3], second: [[false; 3]; 3] });
            // Incomplete functions have no derivatives by their parameters beyond the third order: they are NaN.
            let varies = |v: f64, at: usize| v != 0.0 && (v.is_finite() || v.is_nan() && at < of_special(name));
            for i in 0..3 {
                let slope = y.partial(i);
                class.first[i] |= varies(slope.primal(), i);
                for j in 0..3 {
                    class.second[i][j] |= varies(slope.partial(j), i.max(j));
                }
            }
        };
        for k in 0..200 {
            let between = |i: usize, low: f64, high: f64| {
                low + (high - low) * (((3 * k + i + 1) as f64 * 12.9898).sin() * 43758.5453).fract().abs()
            };
            // the bounds of `clamp` are in order, and every function has points in its domain
            let point = [between(0, 0.05, 3.0), between(1, 0.05, 1.0), between(2, 1.1, 2.5)];
            let at: [Second; 3] = std::array::from_fn(|i| Second::variable(Dual::variable(point[i], i), i));
            functions(at, &mut see);
            let [a, b, _] = at;
            see("add", a + b);
            see("sub", a - b);
            see("mul", a * b);
            see("div", a / b);
            see("rem", a % b);
            see("neg", -a);
        }
        assert_eq!(seen.len(), RULES.len());
        for rule in RULES {
            assert_eq!(seen[rule.name], Class::of(rule), "{}", rule.name);
        }
    }
}
