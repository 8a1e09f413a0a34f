//! A type of the user's with operators of its own, in code that does not say where a value is of it.

use crate::check::number;
use diffi::prelude::*;
use std::ops::{Add, AddAssign, Mul, Sub};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

#[differentiable]
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, o: Vec3) -> Vec3 {
        Vec3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

#[differentiable]
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, o: Vec3) -> Vec3 {
        Vec3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

#[differentiable]
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, s: f64) -> Vec3 {
        Vec3 { x: self.x * s, y: self.y * s, z: self.z * s }
    }
}

#[differentiable]
impl AddAssign for Vec3 {
    fn add_assign(&mut self, o: Vec3) {
        self.x += o.x;
        self.y += o.y;
        self.z += o.z;
    }
}

#[differentiable]
impl Vec3 {
    fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }

    fn dot(self, o: Vec3) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    fn norm(&self) -> f64 {
        self.dot(*self).sqrt()
    }

    fn normalized(self) -> Vec3 {
        self * (1.0 / self.norm())
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Body {
    position: Vec3,
    velocity: Vec3,
    mass: f64,
}

/// Vectors that start as passive ones, and operators on fields.
#[differentiable]
fn accelerations(bodies: &[Body]) -> Vec<Vec3> {
    let mut all = vec![Vec3::new(0.0, 0.0, 0.0); bodies.len()];
    for i in 0..bodies.len() {
        for j in 0..bodies.len() {
            if i == j {
                continue;
            }
            let d = bodies[j].position - bodies[i].position;
            let r = (d.dot(d) + 0.01).sqrt();
            all[i] += d * (bodies[j].mass / (r * r * r));
        }
    }
    all
}

/// Nothing here says which fields are numbers.
#[differentiable]
fn drift(body: &mut Body, a: &Vec3, dt: f64) {
    body.velocity += *a * dt;
    body.position = body.position + body.velocity * dt;
}

#[differentiable]
fn planets(p: &[f64]) -> f64 {
    let body =
        |c: &[f64]| Body { position: Vec3::new(c[0], c[1], c[2]), velocity: Vec3::new(c[3], c[4], c[5]), mass: c[6] };
    let mut bodies: Vec<Body> = vec![body(&p[..7]), body(&p[7..])];
    for _ in 0..3 {
        let a = accelerations(&bodies);
        for (body, a) in bodies.iter_mut().zip(&a) {
            drift(body, a, 0.1);
        }
    }
    bodies.iter().map(|b| 0.5 * b.mass * b.velocity.dot(b.velocity) + b.position.norm()).sum()
}

/// A ray meets a sphere.
#[differentiable]
fn shading(p: &[f64]) -> f64 {
    let origin = Vec3::new(p[0], p[1], -3.0);
    let direction = Vec3::new(p[2] - 0.5, p[3] - 0.5, 2.0).normalized();
    let center = Vec3::new(0.3, 0.2, 1.0);
    let oc = origin - center;
    let b = oc.dot(direction);
    let disc = b * b - (oc.dot(oc) - (1.0 + p[4]) * (1.0 + p[4]));
    if disc < 0.0 {
        return 0.0;
    }
    let light = Vec3::new(0.5, 1.0, -1.0).normalized();
    let hit = origin + direction * (-b - disc.sqrt());
    (hit - center).normalized().dot(light).max(0.0)
}

/// Numbers of which only their use tells that they are: fields, and what callees return.
#[derive(Clone, Copy, Debug, Differentiable)]
struct Spring {
    stiffness: f64,
    rest: f64,
    stretch: f64,
}

#[differentiable]
impl Spring {
    fn relax(&mut self, rate: f64) {
        self.stretch += self.rest * rate;
        self.stretch = self.stretch - self.stiffness * self.stretch * rate;
    }

    fn energy(&self) -> f64 {
        let force = self.stiffness * self.stretch;
        force * self.stretch * 0.5
    }
}

#[differentiable]
fn springs(p: &[f64]) -> f64 {
    let mut spring = Spring { stiffness: p[0], rest: p[1], stretch: p[2] };
    for _ in 0..4 {
        spring.relax(0.3);
    }
    let energy = spring.energy();
    let twice = energy + energy;
    twice.sin() + spring.stretch
}

#[test]
fn operators_go_by_the_types_that_rustc_finds() {
    let p = [0.3, 0.9, 0.5, 0.8, 0.2, 0.7, 1.1, -0.4, 0.6, -0.3, 0.1, 0.25, -0.6, 0.7];
    number!(planets::D, p, |x| x, |x| planets(x));
    number!(shading::D, p[..5], |x| x, |x| shading(x));
    number!(springs::D, p[..3], |x| x, |x| springs(x));
}

#[derive(Clone, Copy, Differentiable)]
struct Matrix<const R: usize, const C: usize>([[f64; C]; R]);

/// `self` may be changed by an operator that takes it by value.
#[differentiable]
impl<const R: usize, const C: usize> std::ops::Add for Matrix<R, C> {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        for i in 0..R {
            for j in 0..C {
                self.0[i][j] += other.0[i][j];
            }
        }
        self
    }
}

#[differentiable]
fn added(x: &[f64]) -> f64 {
    let sum = Matrix([[x[0], 1.0]]) + Matrix([[x[1] * x[0], x[2]]]);
    (sum.0[0][0] * sum.0[0][1]).sin() + (sum + sum).0[0][1].powi(2)
}

/// Lists that are made of constants, and change: of pairs, arrays, lists and structs.
#[differentiable]
fn pairs_of_constants(x: &[f64]) -> f64 {
    let mut roots: Vec<(f64, f64)> = (0..3)
        .map(|k| {
            let angle = 0.4 + 0.9 * k as f64;
            (angle.cos(), angle.sin())
        })
        .collect();
    let mut numbered: Vec<(f64, usize)> = (0..3).map(|i| (0.0, i)).collect();
    for i in 0..3 {
        roots[i].0 -= x[i];
        numbered[i].0 += x[i] * x[0];
    }
    numbered.sort_by(|a, b| b.0.total_cmp(&a.0));
    roots.iter().map(|(a, b)| a * a * b).sum::<f64>()
        + numbered.iter().enumerate().map(|(k, (a, i))| a * (k + i) as f64).sum::<f64>()
}

#[differentiable]
fn points_of_constants(x: &[f64]) -> f64 {
    let mut points: Vec<[f64; 3]> = (0..3)
        .map(|k| {
            let s = k as f64 * 0.5;
            [s, s * s, 1.0]
        })
        .collect();
    let mut open: Vec<_> = (0..3).map(|k| (k as f64, [1.0; 2])).collect();
    let mut grid: Vec<Vec<f64>> = (0..3).map(|i| (0..3).map(|j| (i * j) as f64).collect()).collect();
    let mut springs: Vec<Spring> = (0..3).map(|k| Spring { stiffness: k as f64, rest: 1.0, stretch: 0.5 }).collect();
    for i in 0..3 {
        for c in 0..3 {
            points[i][c] += 0.1 * x[c] * points[i][c];
        }
        open[i].0 -= x[i];
        open[i].1[0] *= x[0];
        grid[i][1] += x[i] * x[1];
        springs[i].stretch += x[i];
    }
    points.iter().map(|p| p.iter().map(|c| c * c).sum::<f64>().sqrt()).sum::<f64>()
        + open.iter().map(|(a, b)| a * a + b[0] * b[1]).sum::<f64>()
        + grid.iter().map(|row| row.iter().sum::<f64>()).product::<f64>()
        + springs.iter().map(|s| s.energy()).sum::<f64>()
}

#[test]
fn constants_that_change() {
    let x = [0.3, 0.8, 0.45];
    number!(added::D, x, |x| x, |x| added(x));
    number!(pairs_of_constants::D, x, |x| x, |x| pairs_of_constants(x));
    number!(points_of_constants::D, x, |x| x, |x| points_of_constants(x));
}
