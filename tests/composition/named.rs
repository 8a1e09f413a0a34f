//! What names stand for: functions behind the name of a type, functions that are named like types, and types that only their module sees.

use crate::check::number;
use diffi::prelude::*;

/// The type of an equation, as `seuif97` has it.
type Equation = fn(f64, f64) -> f64;
type Law = fn(f64) -> f64;

#[differentiable]
fn cube(a: f64, b: f64) -> f64 {
    a * b * b * b
}

/// The secant method on an equation of which one argument is fixed, called in a closure.
#[differentiable]
fn secant(equation: Equation, fixed: f64, target: f64, position: i32) -> f64 {
    let residual = |x: f64| if position == 1 { target - equation(fixed, x) } else { target - equation(x, fixed) };
    let (mut a, mut b) = (0.8, 1.4);
    let (mut at_a, mut at_b) = (residual(a), residual(b));
    for _ in 0..20 {
        if at_a == at_b {
            break;
        }
        let c = b - at_b * (b - a) / (at_b - at_a);
        a = b;
        at_a = at_b;
        b = c;
        at_b = residual(b);
    }
    b
}

/// The same type for two parameters.
#[differentiable]
fn composed(outer: Law, inner: Law, x: f64) -> f64 {
    outer(inner(x)) * inner(x)
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn of_names(x: &[f64]) -> f64 {
    composed(square, f64::sin, x[0]) + composed(|t| t.exp(), square, x[1]) + secant(cube, x[0], x[1], 1)
}

/// Functions that are named like types, as `kurbo` has them.
#[allow(non_snake_case)]
#[differentiable]
fn S(u: f64, points: &[f64]) -> f64 {
    let R = |k: usize| points[k] * u;
    R(0) * R(1) + u
}

#[allow(non_snake_case)]
#[differentiable]
fn Bernstein(u: f64) -> (f64, f64) {
    ((1.0 - u) * u, u * u)
}

#[differentiable]
fn of_capitals(x: &[f64]) -> f64 {
    let (a, b) = Bernstein(x[0]);
    S(a * x[1], x) * S(b, &[x[1], x[1]]) + Some(x[0]).map_or(0.0, |u| Bernstein(u).1)
}

#[test]
fn functions_that_are_named_like_types() {
    number!(of_capitals::D, [0.3, 0.9], |x| x, |x| of_capitals(x));
}

#[test]
fn types_of_functions_that_have_names() {
    number!(of_names::D, [2.0, 3.0], |x| x, |x| of_names(x));
}

/// A result of a type that the rest of the crate does not see, as `kurbo` has it.
mod flattening {
    use diffi::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Params {
        scale: f64,
        count: f64,
    }

    #[derive(Clone, Debug, Differentiable)]
    pub(crate) struct Shared {
        pub(crate) scale: f64,
    }

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Curve {
        pub a: f64,
        pub b: f64,
    }

    #[differentiable]
    impl Curve {
        fn estimate(&self, tolerance: f64) -> Params {
            Params { scale: self.a * self.b / tolerance, count: self.a.sqrt() }
        }

        pub(crate) fn shared(&self) -> Shared {
            Shared { scale: self.estimate(0.5).scale }
        }

        pub fn length(&self, tolerance: f64) -> f64 {
            let params = self.estimate(tolerance);
            params.scale * params.count + self.shared().scale
        }
    }
}

#[differentiable]
fn of_private_types(x: &[f64]) -> f64 {
    let curve = flattening::Curve { a: x[0], b: x[1] };
    curve.length(x[1]) + curve.shared().scale
}

#[test]
fn types_that_only_their_module_sees() {
    number!(of_private_types::D, [0.3, 0.9], |x| x, |x| of_private_types(x));
}
