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

/// States of any type, and settings without derivatives.
#[differentiable]
trait Model {
    type State: Clone;
    type Settings;

    fn start(&self, x: f64) -> Self::State;
    fn step(&self, state: &Self::State) -> Self::State;
    fn read(&self, state: &Self::State) -> f64;
    fn steps(&self, settings: &Self::Settings) -> usize;
}

#[derive(Clone, Debug, Differentiable)]
struct Oscillator {
    stiffness: f64,
}

#[differentiable]
impl Model for Oscillator {
    type State = [f64; 2];
    type Settings = String;

    fn start(&self, x: f64) -> Self::State {
        [x, 0.0]
    }
    fn step(&self, state: &Self::State) -> Self::State {
        [state[0] + 0.1 * state[1], state[1] - 0.1 * self.stiffness * state[0]]
    }
    fn read(&self, state: &Self::State) -> f64 {
        state[0] * state[0] + state[1]
    }
    fn steps(&self, settings: &String) -> usize {
        settings.len()
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Growth {
    size: f64,
    rates: Vec<f64>,
}

#[derive(Clone, Debug, Differentiable)]
struct Garden {
    rate: f64,
}

#[differentiable]
impl Model for Garden {
    type State = Growth;
    type Settings = usize;

    fn start(&self, x: f64) -> Growth {
        Growth { size: x, rates: vec![x * self.rate; 2] }
    }
    fn step(&self, state: &Growth) -> Growth {
        Growth { size: state.size * state.rates[0], rates: state.rates.iter().map(|b| b.sin()).collect() }
    }
    fn read(&self, state: &Growth) -> f64 {
        state.size + state.rates[1]
    }
    fn steps(&self, settings: &usize) -> usize {
        *settings
    }
}

#[differentiable]
fn run<M: Model>(model: &M, x: f64, n: usize) -> f64 {
    let mut state = model.start(x);
    for _ in 0..n {
        state = model.step(&state);
    }
    model.read(&state)
}

#[differentiable]
fn both_models(x: &[f64]) -> f64 {
    let (a, b) = (Oscillator { stiffness: x[0] }, Garden { rate: x[1] });
    run(&a, x[1], 4) * run(&b, x[0], 2)
}

#[test]
fn associated_types_carry_derivatives() {
    number!(both_models::D, [0.8, 1.3], |x| x, |x| both_models(x));
    let (garden, oscillator) = (Garden { rate: 1.2 }, Oscillator { stiffness: 0.7 });
    let (n, m) = (garden.steps(&3), oscillator.steps(&"four".to_owned()));
    number!(run::D, [0.8], |x| (Constant(&garden), x[0], Constant(n)), |x| run(&garden, x[0], n));
    number!(run::D, [0.8], |x| (Constant(&oscillator), x[0], Constant(m)), |x| run(&oscillator, x[0], m));
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
