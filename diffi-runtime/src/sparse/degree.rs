//! Of which degree a function is, if it is a polynomial: whether its Hessian is the same everywhere.

use crate::number::flag::On;
use crate::sparse::tracer::{Carried, Class};

/// The degree of a polynomial of the inputs, as far as it matters here. What is not known to be a polynomial is beyond all of them:
/// a function that is linear on either side of a kink is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Degree(u32);

impl Degree {
    /// Of a constant.
    pub const CONSTANT: Self = Degree(0);
    /// Of what has the same second derivatives everywhere.
    pub const QUADRATIC: Self = Degree(2);
    /// Of everything else.
    const BEYOND: Self = Degree(u32::MAX);
}

impl Carried for Degree {
    const DERIVATIVES: u32 = 2;
    type Curves = On;
    const NOTHING: Self = Degree::CONSTANT;

    #[inline]
    fn input(_: u32) -> Self {
        Degree(1)
    }

    #[inline]
    fn chain<const N: usize>(arguments: [Self; N], _: &Class) -> Self {
        match arguments.into_iter().all(|degree| degree == Degree::CONSTANT) {
            true => Degree::CONSTANT,
            false => Degree::BEYOND,
        }
    }

    fn named<const N: usize>(name: &str, exponent: Option<i32>, arguments: [Self; N], class: &Class) -> Self {
        match (name, &arguments[..], exponent) {
            ("neg" | "to_degrees" | "to_radians", [a], _) => *a,
            ("add" | "sub" | "midpoint", [a, b], _) => *a.max(b),
            ("mul", [a, b], _) => Degree(a.0.saturating_add(b.0)),
            ("mul_add", [a, b, c], _) => Degree(a.0.saturating_add(b.0)).max(*c),
            ("div", [a, Degree::CONSTANT], _) => *a,
            ("powi", [a], Some(n @ 0..)) => Degree(a.0.saturating_mul(n.unsigned_abs())),
            _ => Self::chain(arguments, class),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::real::Real;
    use crate::number::scalar::dual::Dual;
    use crate::sparse::tracer::Tracer;

    type T = Tracer<f64, Degree>;
    type Third = Dual<Dual<Dual<f64, 3>, 3>, 3>;

    macro_rules! everything {
        ($($name:ident ($x:ident $(, $rest:ident)* $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
            /// Every function of the table, and the operators.
            fn everything<S: Real>(at: [S; 3], n: i32, see: &mut impl FnMut(&'static str, S)) {
                $({
                    let mut at = at.into_iter();
                    let $x = at.next().unwrap();
                    $(let $rest = at.next().unwrap();)*
                    $(let $n: $int = n;)?
                    see(stringify!($name), $x.$name($($rest,)* $($n)?));
                })+
                let [a, b, _] = at;
                see("add", a + b);
                see("sub", a - b);
                see("mul", a * b);
                see("div", a / b);
                see("rem", a % b);
                see("neg", -a);
            }
        };
    }
    diffi_rules::functions!(everything);

    /// What is said to be a polynomial of second degree has second derivatives that are the same at many points, on both sides of all
    /// kinks and jumps, whichever arguments vary.
    #[test]
    fn second_derivatives_are_the_same_everywhere() {
        let mut quadratic = Vec::new();
        for (active, n) in (1..8).flat_map(|active| (-2..5).map(move |n| (active, n))) {
            let varies = |i: usize| active >> i & 1 == 1;
            let inputs = std::array::from_fn(|i| if varies(i) { T::input(i, None) } else { T::lit(1.5) });
            everything(inputs, n, &mut |name, y: T| {
                if y.carried() <= Degree::QUADRATIC && y.carried() > Degree::CONSTANT {
                    quadratic.push((name, active, n));
                }
            });
        }
        assert!(["add", "mul", "mul_add", "div", "powi"].iter().all(|name| quadratic.iter().any(|q| q.0 == *name)));
        for (name, active, n) in quadratic {
            let mut first = None;
            for k in 0..60 {
                // the bounds of `clamp` are in order
                let between = |i: usize, low: f64, high: f64| {
                    low + (high - low) * (((3 * k + i + 1) as f64 * 12.9898).sin() * 43758.5453).fract().abs()
                };
                let at = [between(0, -6.0, 6.0), between(1, -6.0, 1.2), between(2, 1.8, 6.0)];
                let at: [Third; 3] = std::array::from_fn(|i| match active >> i & 1 {
                    1 => Third::variable(Dual::variable(Dual::variable(at[i], i), i), i),
                    _ => Third::lit(1.5),
                });
                everything(at, n, &mut |found, y| {
                    if found == name {
                        let second: [f64; 9] = std::array::from_fn(|ij| y.partial(ij / 3).partial(ij % 3).primal());
                        let expected = *first.get_or_insert(second);
                        let near = second.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs().max(1.0));
                        assert!(near, "{name} {n}, of {active:b}: {second:?} is not {expected:?}");
                    }
                });
            }
        }
    }

    #[test]
    fn degrees() {
        let [x, y] = [T::input(0, None), T::input(1, None)];
        let at_most = |z: T, degree: Degree| z.carried() <= degree;
        assert!(at_most((x - y) * (x + T::lit(2.0)) / T::lit(3.0), Degree::QUADRATIC));
        assert!(at_most((x - y).powi(2).scale(4.0).shift(1.0), Degree::QUADRATIC));
        for z in [
            x * y * x,
            x.powi(3),
            x.powi(-1),
            x / y,
            x.abs(),
            x.floor() * y,
            x.max(y),
            x % T::lit(2.0),
            x.sin(),
            x.fract(),
        ] {
            assert!(!at_most(z, Degree::QUADRATIC), "{z:?}");
        }
    }
}
