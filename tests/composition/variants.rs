//! Enums: patterns with `|` that bind names, members that are exponents or indices, and options of them behind references.

use crate::check::number;
use diffi::prelude::*;

#[derive(Clone, Debug, Differentiable)]
enum Shape {
    Square(f64),
    Disc(f64, usize),
    Ring { radius: f64 },
    Point,
}

#[differentiable]
fn size(shape: &Shape) -> f64 {
    match shape {
        Shape::Square(a) | Shape::Disc(a, _) => a * a,
        Shape::Ring { radius } => radius.sin(),
        Shape::Point => 0.5,
    }
}

#[differentiable]
fn size_where_large(shape: &Shape) -> f64 {
    match shape {
        Shape::Square(a) | Shape::Disc(a, _) if *a > 1.0 => a * a,
        Shape::Square(a) => *a,
        _ => 2.0,
    }
}

#[differentiable]
fn size_of_some(shape: &Option<Shape>) -> f64 {
    match shape {
        Some(Shape::Square(a) | Shape::Disc(a, _) | Shape::Ring { radius: a }) => a * a * a,
        Some(Shape::Point) => 1.0,
        None => 0.0,
    }
}

#[differentiable]
fn size_or_none(shape: &Shape) -> f64 {
    let (Shape::Square(a) | Shape::Ring { radius: a }) = shape else {
        return 0.25;
    };
    if let Shape::Square(b) | Shape::Disc(b, _) = shape { a * b } else { a + 1.0 }
}

#[differentiable]
fn doubled(shape: &mut Shape) {
    match shape {
        Shape::Square(a) | Shape::Disc(a, _) | Shape::Ring { radius: a } => *a *= 2.0,
        Shape::Point => {}
    }
}

#[differentiable]
fn by_kind(shape: Shape, kind: usize) -> f64 {
    match (shape, kind) {
        (Shape::Square(a), 0) | (Shape::Disc(a, _), 1) => a * a,
        (Shape::Square(a) | Shape::Disc(a, _) | Shape::Ring { radius: a }, _) => a,
        (Shape::Point, _) => 3.0,
    }
}

fn shapes(x: f64, y: f64) -> [Shape; 4] {
    [Shape::Square(x), Shape::Disc(y, 1), Shape::Ring { radius: x * y }, Shape::Point]
}

#[differentiable]
fn sizes(x: f64, y: f64) -> f64 {
    let mut all = vec![Shape::Square(x), Shape::Disc(y, 1), Shape::Ring { radius: x * y }, Shape::Point];
    let mut sum = 0.0;
    for (k, shape) in all.iter().enumerate() {
        sum += size(shape) * size_where_large(shape) + size_or_none(shape);
        sum += by_kind(shape.clone(), k);
    }
    doubled(&mut all[0]);
    doubled(&mut all[2]);
    sum + size(&all[0]) + size(&all[2]) * y
}

#[test]
fn alternatives_bind_names() {
    number!(sizes::D, [1.3, 0.7], |x| (x[0], x[1]), |x| sizes(x[0], x[1]));
    for (k, shape) in shapes(1.3, 0.7).iter().enumerate() {
        let one_by_one = match shape {
            Shape::Square(a) => a * a,
            Shape::Disc(a, _) => a * a,
            Shape::Ring { radius } => radius.sin(),
            Shape::Point => 0.5,
        };
        assert_eq!(size(shape), one_by_one, "shape {k}");
    }
}

#[differentiable]
fn some_sizes(x: f64, y: f64) -> f64 {
    let none: Option<Shape> = None;
    size_of_some(&Some(Shape::Square(x))) * y
        + size_of_some(&Some(Shape::Disc(y, 2))) * size_of_some(&Some(Shape::Ring { radius: x }))
        + size_of_some(&Some(Shape::Point)) * x
        + size_of_some(&none)
}

#[test]
fn an_option_of_an_enum_behind_a_reference() {
    number!(some_sizes::D, [1.3, 0.7], |x| (x[0], x[1]), |x| x[0].powi(3) * x[1] + (x[1] * x[0]).powi(3) + x[0]);
}

#[derive(Clone, Copy, Debug, Differentiable)]
enum Term {
    Power(i32),
    Monomial { factor: f64, exponent: i32 },
    Scale(f64),
}

#[differentiable]
impl Term {
    fn apply(&self, x: f64) -> f64 {
        match self {
            Term::Power(n) => x.powi(*n),
            Term::Monomial { factor, exponent } => factor * x.powi(*exponent),
            Term::Scale(k) => x * k,
        }
    }

    fn slope(self, x: f64) -> f64 {
        match self {
            Term::Power(n) => n as f64 * x.powi(n - 1),
            Term::Monomial { factor, exponent } => factor * exponent as f64 * f64::powi(x, exponent - 1),
            Term::Scale(k) => k,
        }
    }
}

#[differentiable]
fn terms(x: f64, y: f64) -> f64 {
    let all = [Term::Power(3), Term::Monomial { factor: y, exponent: 2 }, Term::Scale(x * y)];
    let mut product = 1.0;
    for term in &all {
        product *= term.apply(x) + term.slope(y);
    }
    product
}

#[test]
fn exponents_in_variants() {
    let plain = |x: f64, y: f64| (x.powi(3) + 3.0 * y.powi(2)) * (y * x.powi(2) + 2.0 * y * y) * (x * y * x + x * y);
    number!(terms::D, [1.3, 0.7], |x| (x[0], x[1]), |x| plain(x[0], x[1]));
}

/// An enum of names in types of another float, and of any.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Curve {
    Square,
    Sine,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Class {
    Once,
    Times(u8),
}

#[derive(Clone, Differentiable)]
struct Shaper {
    class: Class,
    curves: [Curve; 2],
    weights: [f32; 2],
}

#[differentiable]
impl Shaper {
    fn curve(&self, x: f32) -> f32 {
        let mut s = 0.0;
        for (curve, w) in self.curves.iter().zip(&self.weights) {
            s += match curve {
                Curve::Square => w * x * x,
                Curve::Sine => (w * x).sin(),
            };
        }
        if let Class::Times(n) = self.class { s * n as f32 } else { s }
    }
}

#[differentiable]
fn shaped(x: f32) -> f32 {
    let shaper = Shaper { class: Class::Times(3), curves: [Curve::Square, Curve::Sine], weights: [x, 2.0] };
    shaper.curve(x) + shaper.clone().curve(1.0)
}

#[derive(Clone, Copy, Differentiable)]
struct Bend<T> {
    curve: Curve,
    by: T,
}

#[differentiable]
fn bent<T: num_traits::Float>(bend: &Bend<T>, x: T) -> T {
    if bend.curve == Curve::Square { bend.by * x * x } else { (bend.by * x).sin() }
}

#[differentiable]
fn bent_twice(x: f64) -> f64 {
    bent(&Bend { curve: Curve::Square, by: x }, x) * bent(&Bend { curve: Curve::Sine, by: 2.0 }, x)
}

#[test]
fn enums_of_names_beside_any_float() {
    let x = 0.75_f32;
    let expected = 9.0 * x * x + 6.0 * (2.0 * x).cos() + 3.0;
    let modes = [derivative(shaped::D, AutoForward, x), derivative(shaped::D, AutoReverse, x)];
    modes.into_iter().for_each(|dy| assert!((dy.unwrap() - expected).abs() < 1e-5));
    number!(bent_twice::D, [0.75], |x| x[0], |x| bent_twice(x[0]));
}
