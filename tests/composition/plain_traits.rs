//! Implementations with the attribute, of traits of this crate that have none: derivatives are the type's own.

use crate::check::number;
use diffi::prelude::*;

trait Model<T> {
    fn value(&self, x: T) -> f64;
    fn shifted(&self, x: T) -> f64
    where
        T: Copy,
    {
        self.value(x) + 1.0
    }
}

#[derive(Clone, Differentiable)]
struct Square {
    k: f64,
}

#[differentiable]
impl Model<f64> for Square {
    fn value(&self, x: f64) -> f64 {
        self.k * x * x
    }
}

#[differentiable]
fn of_a_model(x: &[f64]) -> f64 {
    let square = Square { k: x[1] };
    square.value(x[0]) * square.value(x[1]) + Square { k: 2.0 }.value(x[0])
}

trait System {
    type State;
    type Output;
    const DAMPING: f64;
    fn step(&self, state: &Self::State, h: f64) -> Self::State;
    fn seen(state: &Self::State) -> Self::Output;
}

#[derive(Clone, Differentiable)]
struct State {
    at: f64,
    speed: f64,
}

#[derive(Clone, Differentiable)]
struct Spring<const N: usize> {
    stiffness: [f64; N],
}

#[differentiable]
impl<const N: usize> System for Spring<N> {
    type State = State;
    type Output = f64;
    const DAMPING: f64 = 0.3;
    fn step(&self, state: &Self::State, h: f64) -> State {
        let force = self.stiffness.iter().sum::<f64>() * state.at + Self::DAMPING * state.speed;
        State { at: state.at + h * state.speed, speed: state.speed - h * force }
    }
    fn seen(state: &State) -> Self::Output {
        state.at * state.speed
    }
}

#[differentiable]
fn of_a_system(x: &[f64]) -> f64 {
    let spring = Spring { stiffness: [x[0], 0.5 * x[1]] };
    let mut state = State { at: x[1], speed: 0.2 };
    for _ in 0..3 {
        state = spring.step(&state, 0.1);
    }
    <Spring<2> as System>::seen(&state) + Spring::<2>::seen(&spring.step(&state, x[0]))
}

trait Reset {
    fn reset(&mut self, to: f64);
    fn taken(self) -> f64;
}

#[differentiable]
impl Reset for State {
    fn reset(&mut self, to: f64) {
        self.speed = to * self.at;
    }
    fn taken(self) -> f64 {
        self.speed * self.at
    }
}

#[differentiable]
fn of_changes(x: &[f64]) -> f64 {
    let mut state = State { at: x[0], speed: 0.0 };
    state.reset(x[1]);
    state.at *= x[1];
    state.taken()
}

#[test]
fn plain_traits_have_derivatives() {
    assert_eq!(Square { k: 1.0 }.shifted(2.0), 5.0);
    number!(of_a_model::D, [0.7, 0.3], |x| x, |x| of_a_model(x));
    number!(of_a_system::D, [0.7, 1.3], |x| x, |x| of_a_system(x));
    number!(of_changes::D, [0.7, 1.3], |x| x, |x| of_changes(x));
}
