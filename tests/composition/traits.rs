//! Traits and their implementations, without `dyn`.

use crate::check::number;
use diffi::prelude::*;

#[differentiable(constant(self))]
trait Potential {
    fn energy(&self, r: f64) -> f64;

    fn stiffness(&self) -> f64 {
        1.5
    }

    fn scaled(&self, r: f64, by: f64) -> f64 {
        self.energy(r * by) * self.stiffness() + by
    }

    fn name(&self) -> String;
}

#[derive(Clone)]
struct Spring(f64);

#[derive(Clone)]
struct Morse {
    depth: f64,
    width: f64,
}

#[differentiable(constant(self))]
impl Potential for Spring {
    fn energy(&self, r: f64) -> f64 {
        0.5 * self.0 * r * r
    }

    fn name(&self) -> String {
        "spring".into()
    }
}

#[differentiable(constant(self))]
impl Potential for Morse {
    fn energy(&self, r: f64) -> f64 {
        let e = 1.0 - (-self.width * r).exp();
        self.depth * e * e
    }

    fn scaled(&self, r: f64, by: f64) -> f64 {
        self.energy(r) * by
    }

    fn stiffness(&self) -> f64 {
        2.5
    }

    fn name(&self) -> String {
        "Morse".into()
    }
}

/// Has no derivative, and needs none.
struct Wall;

impl Potential for Wall {
    fn energy(&self, _: f64) -> f64 {
        f64::INFINITY
    }

    fn name(&self) -> String {
        "wall".into()
    }
}

#[differentiable(constant(p))]
fn chain<P: Potential>(p: &P, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += p.energy(x[i] - x[i - 1]) + p.scaled(x[i], x[0]);
    }
    sum
}

#[differentiable]
trait Squared {
    fn squared(self) -> f64;
    fn plus(&self, other: &Self) -> f64;
}

#[differentiable]
impl Squared for f64 {
    fn squared(self) -> f64 {
        self * self
    }
    fn plus(&self, other: &Self) -> f64 {
        self + other * *self
    }
}

#[differentiable]
impl Squared for [f64; 2] {
    fn squared(self) -> f64 {
        self[0] * self[0] + self[1] * self[1].squared()
    }
    fn plus(&self, other: &Self) -> f64 {
        self[0] * other[1] + self[1].sin()
    }
}

#[differentiable]
fn extension(x: f64, y: f64) -> f64 {
    let a = x.squared() * y;
    a.squared() + [x, y].squared() + x.plus(&y) + <f64 as Squared>::squared(y) + [x, x].plus(&[y, a])
}

#[differentiable]
fn squares<T: Squared>(a: T, b: T) -> f64 {
    a.plus(&b) * b.squared()
}

#[test]
fn implementations_are_differentiated() {
    let (s, m) = (Spring(1.3), Morse { depth: 0.7, width: 1.1 });
    number!(Spring::energy_d, [0.7], |x| (Constant(&s), x[0]), |x| s.energy(x[0]));
    number!(Morse::energy_d, [0.7], |x| (Constant(&m), x[0]), |x| m.energy(x[0]));
    number!(Spring::scaled_d, [0.7, 0.3], |x| (Constant(&s), x[0], x[1]), |x| s.scaled(x[0], x[1]));
    number!(<Morse as Potential_d>::scaled_d, [0.7, 0.3], |x| (Constant(&m), x[0], x[1]), |x| m.scaled(x[0], x[1]));
}

#[test]
fn generic_functions_call_traits() {
    let (s, m) = (Spring(1.3), Morse { depth: 0.7, width: 1.1 });
    number!(chain::D, [0.7, 0.3, 1.2], |x| (Constant(s.clone()), x), |x| chain(&s, x));
    number!(chain::D, [0.7, 0.3, 1.2], |x| (Constant(m.clone()), x), |x| chain(&m, x));
    number!(squares::D, [0.7, 0.3], |x| (x[0], x[1]), |x| squares(x[0], x[1]));
    number!(squares::D, [0.7, 0.3, 1.1, 0.2], |x| ([x[0], x[1]], [x[2], x[3]]), |x| squares(
        [x[0], x[1]],
        [x[2], x[3]]
    ));
}

#[test]
fn floats_have_methods() {
    number!(extension::D, [0.7, 0.3], |x| (x[0], x[1]), |x| extension(x[0], x[1]));
    number!(f64::squared_d, [0.7], |x| x[0], |x| x[0].squared());
    number!(f64::plus_d, [0.7, 0.4], |x| (&x[0], &x[1]), |x| x[0].plus(&x[1]));
}

#[test]
fn traits_stay_open_for_dyn() {
    let all: [Box<dyn Potential>; 3] =
        [Box::new(Spring(1.0)), Box::new(Morse { depth: 1.0, width: 1.0 }), Box::new(Wall)];
    let names: Vec<String> = all.iter().map(|p| p.name()).collect();
    assert_eq!(names, ["spring", "Morse", "wall"]);
    assert_eq!(all[0].energy(2.0), 2.0);
}
