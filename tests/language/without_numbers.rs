//! Values of types that hold no number and have no attribute: parameters and receivers of annotated functions.

use diffi::prelude::*;

struct Linear;
#[differentiable]
impl Linear {
    fn eval(&self, x: f64) -> f64 {
        2.0 * x * x
    }
}

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Square,
    Cube,
}
#[differentiable]
impl Kind {
    fn eval(self, x: f64) -> f64 {
        match self {
            Kind::Square => x * x,
            Kind::Cube => x * x * x,
        }
    }
    fn both(&self, x: f64) -> f64 {
        self.eval(x) + x
    }
}
#[differentiable]
fn by_kind(kind: &Kind, x: f64) -> f64 {
    if *kind == Kind::Square { x.sin() } else { kind.both(x) }
}

struct Grid {
    n: usize,
    name: String,
}
#[differentiable]
impl Grid {
    fn index(&self, i: usize) -> usize {
        i % self.n
    }
    fn energy(&self, x: &[f64]) -> f64 {
        (0..self.n).map(|i| x[self.index(i)] * x[self.index(i + 1)]).sum()
    }
}
#[differentiable]
fn on(grid: &Grid, x: &[f64]) -> f64 {
    if grid.name == "ring" { grid.energy(x) } else { x[0] }
}

#[differentiable]
pub fn handed_on(x: f64, y: f64, kind: Kind) -> (f64, f64) {
    (kind.eval(x) * y, by_kind(&kind, y))
}

#[differentiable]
fn all(x: &[f64]) -> f64 {
    let grid = Grid { n: 2, name: "ring".to_owned() };
    Linear.eval(x[0]) * Kind::Square.eval(x[1])
        + by_kind(&Kind::Cube, x[0]) * by_kind(&Kind::Square, x[1])
        + on(&grid, x)
}

#[test]
fn have_no_derivative_and_need_no_attribute() {
    let (a, b) = (1.3, 0.9);
    let cube = a * a * a + a;
    let want =
        [4.0 * a * b * b + (3.0 * a * a + 1.0) * f64::sin(b) + 2.0 * b, 4.0 * a * a * b + cube * f64::cos(b) + 2.0 * a];
    let near = |given: &[f64]| given.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(near(&gradient(all::D, AutoReverse, &[a, b][..]).unwrap()));
    assert!(near(&gradient(all::D, AutoForward, &[a, b][..]).unwrap()));
    let second = hessian(all::D, SecondOrder(AutoForward, AutoReverse), &[a, b][..]).unwrap();
    assert!((second[[0, 0]] - (4.0 * b * b + 6.0 * a * f64::sin(b))).abs() < 1e-12);
    // for operators such a parameter is a constant
    let of_kind = gradient(by_kind::D, AutoReverse, (Constant(&Kind::Cube), a)).unwrap();
    assert!((of_kind - (3.0 * a * a + 1.0)).abs() < 1e-12);
    let (by_x, _) = jacobian(handed_on::D, AutoReverse, (a, b, Constant(Kind::Square))).unwrap();
    assert!((by_x[[0, 0]] - 2.0 * a * b).abs() < 1e-12 && by_x[[1, 0]] == 0.0);
}

/// Public functions that give structs, as `skillratings` has them: an enum of names, and a type that only this module sees.
#[derive(Clone, Copy, Differentiable)]
pub struct Rating {
    pub value: f64,
}

#[derive(Clone, Copy)]
enum Weight {
    Light,
    Heavy,
}

#[differentiable]
pub fn rated(one: &Rating, two: &Rating, kind: &Kind, k: f64) -> (Rating, Rating) {
    let change = match kind {
        Kind::Square => k * (one.value - two.value),
        Kind::Cube => k * k * one.value * two.value,
    };
    (Rating { value: one.value + change }, Rating { value: two.value - change })
}

/// A type that only this module sees, as the result of functions that are as visible as others.
#[derive(Clone, Copy, Differentiable)]
struct Gain {
    value: f64,
}

#[allow(private_interfaces)]
#[differentiable]
pub fn gained(one: &Rating, weight: Weight) -> Gain {
    Gain { value: if let Weight::Light = weight { one.value } else { one.value * one.value } }
}

#[allow(private_interfaces)]
#[differentiable]
pub fn several(start: f64, kinds: &[Weight]) -> Option<(Vec<Gain>, f64)> {
    let gain = |weight: &Weight| Gain { value: if let Weight::Light = weight { start } else { start * start } };
    if kinds.is_empty() { None } else { Some((kinds.iter().map(gain).collect(), 2.0 * start)) }
}

#[allow(private_interfaces)]
#[differentiable]
pub fn gain_of_each<const N: usize>(ratings: &[Rating; N], kind: Kind) -> [Gain; N] {
    let mut gains = [Gain { value: 1.0 }; N];
    for k in 0..N {
        gains[k].value = if kind == Kind::Cube { ratings[k].value.powi(3) } else { ratings[k].value };
    }
    gains
}

#[allow(private_interfaces)]
#[differentiable]
pub fn weighted(one: Rating, weight: Weight, kind: Kind) -> Rating {
    let value = if kind == Kind::Cube { one.value.powi(3) } else { one.value };
    match weight {
        Weight::Light => Rating { value },
        Weight::Heavy => Rating { value: 3.0 * value },
    }
}

#[differentiable]
fn of_ratings(x: &[f64]) -> f64 {
    let (a, b) = rated(&Rating { value: x[0] }, &Rating { value: x[1] }, &Kind::Square, 0.5);
    let (c, d) = rated(&a, &b, &Kind::Cube, x[1]);
    let (gains, last) = several(x[1], &[Weight::Light, Weight::Heavy]).unwrap();
    let [first, second] = gain_of_each(&[a, b], Kind::Cube);
    let gain = gained(&a, Weight::Heavy).value * gains[1].value * last * first.value + second.value;
    gain + c.value * d.value
        + weighted(a, Weight::Heavy, Kind::Cube).value
        + weighted(b, Weight::Light, Kind::Square).value
}

#[test]
fn are_given_to_public_functions_of_structs() {
    let of = |x: &[f64]| of_ratings(x);
    let x = [0.7, 0.4];
    let slope = |k: usize| {
        let at = |h: f64| {
            let mut y = x;
            y[k] += h;
            of(&y)
        };
        (8.0 * (at(1e-3) - at(-1e-3)) - (at(2e-3) - at(-2e-3))) / 12e-3
    };
    for g in
        [gradient(of_ratings::D, AutoReverse, &x[..]).unwrap(), gradient(of_ratings::D, AutoForward, &x[..]).unwrap()]
    {
        assert!((0..2).all(|k| (g[k] - slope(k)).abs() < 1e-9), "{g:?}");
    }
}

/// Enums of names with the derive, in functions of another float.
#[derive(Clone, Copy, PartialEq, Differentiable)]
pub enum Side {
    Left,
    Right,
}

#[differentiable]
fn one_side(x: f32, side: Side) -> f32 {
    if side == Side::Left { x * x } else { 3.0 * x }
}

#[differentiable]
fn both_sides(x: f32, side: &Side) -> f32 {
    one_side(x, Side::Left) * one_side(x, *side)
}

#[test]
fn go_with_every_float() {
    assert_eq!(derivative(both_sides::D, AutoReverse, (2.0f32, Constant(&Side::Right))).unwrap(), 36.0);
    assert_eq!(derivative(both_sides::D, AutoForward, (2.0f32, Constant(&Side::Left))).unwrap(), 32.0);
}
