//! Operators, methods and constructors of own structs that stand in the same module: small ones become part of their callers.

use crate::check::agree;
use diffi::prelude::*;
use std::ops::{Add, AddAssign, Index, Mul, MulAssign, Neg, Sub};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct V2 {
    pub x: f64,
    pub y: f64,
}
#[differentiable]
impl V2 {
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }
    pub fn zero() -> Self {
        V2::new(0.0, 0.0)
    }
    pub fn dot(&self, o: &V2) -> f64 {
        self.x * o.x + self.y * o.y
    }
    pub fn perp(self) -> Self {
        Self::new(-self.y, self.x)
    }
    pub fn norm(&self) -> f64 {
        self.dot(self).sqrt()
    }
    pub fn scale(&mut self, k: f64) {
        self.x *= k;
        self.y *= k;
    }
    pub fn lerp(self, o: V2, t: f64) -> V2 {
        self * (1.0 - t) + o * t
    }
    pub fn angle(&self) -> f64 {
        self.y.atan2(self.x)
    }
}
#[differentiable]
impl Add for V2 {
    type Output = V2;
    fn add(self, o: V2) -> V2 {
        V2::new(self.x + o.x, self.y + o.y)
    }
}
#[differentiable]
impl Sub for V2 {
    type Output = Self;
    fn sub(self, o: Self) -> Self::Output {
        V2 { x: self.x - o.x, y: self.y - o.y }
    }
}
#[differentiable]
impl Mul<f64> for V2 {
    type Output = V2;
    fn mul(self, k: f64) -> V2 {
        V2 { x: self.x * k, y: self.y * k }
    }
}
#[differentiable]
impl Mul<V2> for f64 {
    type Output = V2;
    fn mul(self, v: V2) -> V2 {
        v * self
    }
}
#[differentiable]
impl Mul<V2> for V2 {
    type Output = f64;
    fn mul(self, v: V2) -> f64 {
        self.dot(&v)
    }
}
#[differentiable]
impl Neg for V2 {
    type Output = V2;
    fn neg(self) -> V2 {
        V2 { x: -self.x, y: -self.y }
    }
}
#[differentiable]
impl AddAssign for V2 {
    fn add_assign(&mut self, o: V2) {
        self.x += o.x;
        self.y += o.y;
    }
}
#[differentiable]
impl MulAssign<f64> for V2 {
    fn mul_assign(&mut self, k: f64) {
        *self = *self * k;
    }
}
#[differentiable]
impl Index<usize> for V2 {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        if i == 0 { &self.x } else { &self.y }
    }
}

#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Pair(f64, f64);
#[differentiable]
impl Pair {
    fn new(a: f64, b: f64) -> Pair {
        Pair(a, b)
    }
    fn swap(self) -> Pair {
        Pair(self.1, self.0)
    }
    fn sum(&self) -> f64 {
        self.0 + self.1
    }
}
#[differentiable]
impl Mul for Pair {
    type Output = Pair;
    fn mul(self, o: Pair) -> Pair {
        Pair(self.0 * o.0 - self.1 * o.1, self.0 * o.1 + self.1 * o.0)
    }
}
#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Body {
    pos: V2,
    vel: V2,
    mass: f64,
}
#[differentiable]
impl Body {
    fn kinetic(&self) -> f64 {
        0.5 * self.mass * self.vel.dot(&self.vel)
    }
    fn step(&mut self, force: V2, dt: f64) {
        self.vel += force * (dt / self.mass);
        self.pos += self.vel * dt;
    }
    fn moved(self, by: V2) -> Body {
        Body { pos: self.pos + by, ..self }
    }
}

#[differentiable]
fn constructors(x: f64, y: f64) -> f64 {
    let p = V2::new(x, y);
    let q = p.perp() * 2.0;
    (p - q).norm() * (p + q).angle()
}
#[differentiable]
fn changed_in_place(x: f64, y: f64) -> f64 {
    let mut p = V2 { x, y };
    p.scale(y);
    p *= x;
    let n = -p;
    n.dot(&p) + n * p.perp() + 3.0 * n * n
}
#[differentiable]
fn in_windows(x: f64, y: f64) -> f64 {
    let pts = [V2::new(x, 1.0), V2::new(y, x), V2::new(2.0, y)];
    let mut s = V2::zero();
    for p in &pts {
        s += *p * p.norm();
    }
    for w in pts.windows(2) {
        s = s + (w[1] - w[0]).perp();
    }
    s.norm()
}
#[differentiable]
fn integrated(x: f64, y: f64) -> f64 {
    let mut b = Body { pos: V2::new(x, y), vel: V2::zero(), mass: 2.0 + x };
    for _ in 0..5 {
        let f = -b.pos * 1.5;
        b.step(f, 0.1);
    }
    b.kinetic() + b.pos.norm()
}
#[differentiable]
fn iterated(x: f64, y: f64) -> f64 {
    let mut z = Pair(0.1, 0.2);
    let c = Pair::new(x, y);
    for _ in 0..4 {
        z = z * z;
        z = Pair(z.0 + c.0, z.1 + c.1);
        if z.sum() > 3.0 {
            z = z.swap();
        }
    }
    z.sum()
}
#[differentiable]
fn chosen(x: f64, y: f64) -> f64 {
    let p = V2::new(x, y);
    let q = if x > y { p } else { p.perp() };
    let r = match x < 0.0 {
        true => q + p,
        false => p.lerp(q, 0.3),
    };
    r.x * r.y + r.norm()
}
#[differentiable]
fn in_iterators(x: f64, y: f64) -> f64 {
    let bodies = [
        Body { pos: V2::new(x, y), vel: V2::new(y, 1.0), mass: 1.0 },
        Body { pos: V2::new(1.0, x), vel: V2::new(0.5, y), mass: x },
    ];
    let mut e: f64 = bodies.iter().map(|b| b.kinetic()).sum();
    for (i, a) in bodies.iter().enumerate() {
        for b in bodies.iter().skip(i + 1) {
            let d = a.pos - b.pos;
            e -= a.mass * b.mass / (d.norm() + 0.1);
        }
    }
    e
}
#[differentiable]
fn exchanged(x: f64, y: f64) -> f64 {
    let mut p = V2::new(x, y);
    let mut q = V2::new(y, x);
    for k in 0..3 {
        let t = p;
        p = q + t * (k as f64 * 0.1);
        q = t;
        p += p * 0.5;
    }
    p.dot(&q)
}
#[differentiable]
fn grow(p: V2, k: f64) -> V2 {
    let q = p * k;
    V2 { x: q.x.sin(), ..q }
}
#[differentiable]
fn updated(x: f64, y: f64) -> f64 {
    let p = grow(V2::new(x, y), 1.5);
    let b = Body { pos: p, vel: p, mass: y }.moved(p.perp());
    b.pos.norm() + b.kinetic()
}
#[differentiable]
fn in_lists_of_lists(x: f64, y: f64) -> f64 {
    let mut grid = vec![vec![V2::zero(); 3]; 2];
    for i in 0..2 {
        for j in 0..3 {
            grid[i][j] = V2::new(x * i as f64, y * j as f64 + 0.5);
        }
    }
    let mut s = 0.0;
    for row in &grid {
        for p in row {
            s += p.norm();
        }
    }
    let first = grid[0][1];
    grid[1][2] += first;
    s + grid[1][2].dot(&grid[1][1])
}
#[differentiable]
fn shadowed(x: f64, y: f64) -> f64 {
    let p = V2::new(x, y);
    let p = p + p;
    {
        let p = 2.0 * x;
        let _ = p;
    }
    let f = |q: V2| q.norm() * q.x;
    let total = [p, -p, p.perp()].iter().fold(0.0, |acc, q| acc + q.x * q.norm());
    f(p) + total
}
#[differentiable]
fn pushed(x: f64, y: f64) -> f64 {
    let mut path: Vec<V2> = Vec::new();
    let mut p = V2::new(x, y);
    for _ in 0..4 {
        path.push(p);
        p = p.perp() + p * 0.5;
    }
    let last = path[path.len() - 1];
    let first = path[0];
    path.iter().zip(path.iter().skip(1)).map(|(a, b)| (*b - *a).norm()).sum::<f64>() + last.dot(&first)
}
mod physics {
    use super::V2;
    use diffi::prelude::*;
    #[derive(Clone, Copy, Differentiable)]
    pub struct Spring {
        pub k: f64,
        pub rest: f64,
    }
    #[differentiable]
    impl Spring {
        pub fn force(&self, d: V2) -> V2 {
            let n = d.norm();
            d * (self.k * (n - self.rest) / n)
        }
        pub fn energy(&self, len: f64) -> f64 {
            0.5 * self.k * (len - self.rest) * (len - self.rest)
        }
    }
    #[differentiable]
    pub fn pull(x: f64, y: f64) -> f64 {
        let s = Spring { k: x, rest: 0.5 };
        s.energy(y) + s.force(V2::new(x, y)).norm()
    }
}
#[differentiable]
fn in_modules(x: f64, y: f64) -> f64 {
    physics::pull(x, y) + physics::Spring { k: x, rest: y }.energy(x)
}
#[differentiable]
fn least(x: f64, y: f64) -> f64 {
    let mut best = V2::new(x, y);
    for k in 0..5 {
        let c = V2::new(x + 0.3 * k as f64, y - x * k as f64);
        if c.norm() < best.norm() {
            best = c;
        }
    }
    best.norm() + best.angle()
}
#[differentiable]
fn in_mutable_iterators(x: f64, y: f64) -> f64 {
    let mut ps = [V2::new(x, y); 4];
    for (i, p) in ps.iter_mut().enumerate() {
        *p *= 1.0 + i as f64 * x;
        p.scale(y);
        p.x += 1.0;
    }
    ps.swap(0, 3);
    let d = ps[0] - ps[1];
    d.norm() * ps[2].dot(&ps[3])
}
#[differentiable]
fn step_pair(p: V2, v: V2) -> (V2, V2) {
    let a = -p;
    (p + v * 0.1, v + a * 0.1)
}
#[differentiable]
fn in_tuples(x: f64, y: f64) -> f64 {
    let (mut p, mut v) = (V2::new(x, y), V2::new(0.0, x));
    for _ in 0..6 {
        (p, v) = step_pair(p, v);
    }
    let (q, w) = step_pair(p, v);
    q.norm() + w.dot(&v)
}
#[differentiable]
fn in_options(x: f64, y: f64) -> f64 {
    let o: Option<V2> = if x > 0.0 { Some(V2::new(x, y)) } else { None };
    let p = o.unwrap_or(V2::zero());
    let q = match o {
        Some(q) => q + p,
        None => p,
    };
    q.norm()
}
#[differentiable]
fn taken_apart(x: f64, y: f64) -> f64 {
    let t = (V2::new(x, y), x * y);
    let (p, k) = t;
    (p * k).norm() + t.0.angle()
}

#[test]
fn agree_with_differences() {
    agree!(constructors changed_in_place in_windows integrated iterated chosen in_iterators exchanged updated in_lists_of_lists shadowed pushed in_modules least in_mutable_iterators in_tuples in_options taken_apart);
}
