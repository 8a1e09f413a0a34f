//! Models whose state is a struct: types of fields that a definition tells, and methods of one block that call each other.

use diffi::prelude::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Rod {
    position: Vec<f64>,
    velocity: Vec<f64>,
    stiffness: f64,
    damping: f64,
    rows: Vec<Vec<f64>>,
    weights: [f64; 2],
    steps: usize,
}

#[differentiable]
impl Rod {
    fn of(x: &[f64]) -> Rod {
        let n = x.len() - 2;
        let rows = vec![x[..2].to_vec(), x[1..3].to_vec()];
        let (position, velocity) = (x[..n].to_vec(), vec![0.0; n]);
        Rod { position, velocity, stiffness: x[n], damping: x[n + 1], rows, weights: [0.5, x[0]], steps: n }
    }
    fn stretch(&self, i: usize) -> f64 {
        let left = if i > 0 { self.position[i - 1] - self.position[i] } else { -self.position[i] };
        let right = if i + 1 < self.position.len() { self.position[i + 1] - self.position[i] } else { 0.0 };
        left + right
    }
    fn force(&self, i: usize) -> f64 {
        self.stiffness * self.stretch(i) - self.damping * self.velocity[i] * self.velocity[i]
    }
    fn step(&mut self, dt: f64) {
        let n = self.position.len();
        let forces: Vec<f64> = (0..n).map(|i| self.force(i)).collect();
        for i in 0..n {
            self.velocity[i] += dt * forces[i];
            self.position[i] += dt * self.velocity[i];
        }
        self.weights[1] *= dt + self.weights[0];
        self.rows[1][0] -= dt * self.rows[0][1];
    }
    /// Each force sees what the ones before have moved.
    fn relax(&mut self, dt: f64) {
        for i in 0..self.position.len() {
            let force = self.force(i);
            self.position[i] += dt * force;
        }
    }
    fn energy(&self) -> f64 {
        self.velocity.iter().map(|v| 0.5 * v * v).sum::<f64>() + self.weights[1] * self.rows[1][0]
    }
    /// A variable of the method has the name of one in the method that it calls.
    fn doubled(&self, left: usize) -> f64 {
        let right = self.stretch(left) * 2.0;
        let dt = self.stretch((left + 1) % self.position.len());
        right * dt
    }
}

#[differentiable(constant(steps))]
fn moved(x: &[f64], steps: usize) -> f64 {
    let mut rod = Rod::of(x);
    for _ in 0..steps {
        rod.step(0.05);
        rod.relax(0.1);
    }
    rod.energy() + (0..rod.steps).map(|i| rod.doubled(i)).sum::<f64>()
}

#[differentiable]
fn pushed(rod: &mut Rod, by: f64) -> f64 {
    rod.step(by);
    by * rod.velocity[0] + rod.stiffness * rod.weights[1]
}

/// A struct behind `&mut` that calls in a loop only read, and that changes behind it.
#[differentiable]
fn looked_at(rod: &mut Rod, by: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..by.len() {
        for i in 0..rod.steps {
            sum += rod.force(i) * by[k];
        }
        for v in rod.velocity.iter_mut() {
            *v += by[k] * sum;
        }
    }
    sum
}

#[differentiable]
fn all(x: &[f64]) -> f64 {
    let mut rod = Rod::of(x);
    let first = pushed(&mut rod, x[0]);
    first * looked_at(&mut rod, &x[1..3]) + rod.energy()
}

/// Members without names, and a struct in a struct.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Point(f64, f64);

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Segment {
    from: Point,
    to: Point,
    width: f64,
}

#[differentiable]
impl Segment {
    fn length(&self) -> f64 {
        ((self.to.0 - self.from.0).powi(2) + (self.to.1 - self.from.1).powi(2)).sqrt()
    }
    fn area(&self) -> f64 {
        self.length() * self.width + self.twice() * self.length()
    }
    fn twice(&self) -> f64 {
        2.0 * self.width
    }
}

#[differentiable]
fn drawn(x: &[f64]) -> f64 {
    let mut segment = Segment { from: Point(x[0], x[1]), to: Point(x[2], x[3]), width: x[4] };
    let before = segment.area();
    segment.to.0 += segment.width * before;
    before * segment.area() - crossed(&segment, &Point(x[0] * x[4], 1.0))
}

#[differentiable]
fn crossed(segment: &Segment, p: &Point) -> f64 {
    p.0 * segment.to.1 - segment.from.0 * p.1 * segment.width
}

/// Another struct of the same name, whose fields are other things.
mod other {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Gain(pub f64);

    #[differentiable]
    impl std::ops::Mul<f64> for Gain {
        type Output = f64;
        fn mul(self, by: f64) -> f64 {
            self.0 * self.0 * by
        }
    }

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Segment {
        pub width: Gain,
        pub from: f64,
    }

    #[differentiable]
    pub fn area(s: &Segment) -> f64 {
        s.width * s.from
    }
}

#[differentiable]
fn of_the_other(x: &[f64]) -> f64 {
    let s = other::Segment { width: other::Gain(x[0]), from: x[1] };
    other::area(&s) * x[2]
}

/// A cast that changes nothing, and a method that integers have, too.
#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Speed(f64);

#[differentiable]
impl Speed {
    fn pow(self, n: i32) -> f64 {
        self.0.powi(n) + 1.0
    }
}

#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Motion {
    speed: Speed,
    rate: f64,
}

#[differentiable]
fn by_motion(m: &Motion, x: f64) -> f64 {
    m.speed.pow(2) * x * m.rate as f64
}

#[differentiable]
fn in_motion(x: &[f64]) -> f64 {
    let m = Motion { speed: Speed(x[0]), rate: x[1] };
    by_motion(&m, x[2])
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number moved(at x: Vec<f64>, fixed steps: usize): [vec![0.7, 0.4, -0.3, 1.1, 2.0, 0.3], 3] [vec![0.7, 0.4, -0.3, 1.1, 2.0, 0.3], 0];
        number all(at x: Vec<f64>): [vec![0.7, 0.4, -0.3, 1.1, 2.0, 0.3]];
        number drawn(at x: Vec<f64>): [vec![0.7, 0.4, -0.3, 1.1, 2.0]];
        number in_motion(at x: Vec<f64>): [vec![0.7, 0.4, -0.3]];
        number of_the_other(at x: Vec<f64>): [vec![0.7, 0.4, -0.3]];
    }
}
