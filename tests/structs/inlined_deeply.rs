//! Operators, methods and constructors of own structs that stand in the same module: those that call each other, and what stays a call.

use crate::check::agree;
use diffi::prelude::*;
use std::ops::{Add, Div, Mul, Sub, SubAssign};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct V(pub [f64; 3]);
#[differentiable]
impl V {
    pub const UP: V = V([0.0, 0.0, 1.0]);
    pub fn of(x: f64, y: f64, z: f64) -> Self {
        V([x, y, z])
    }
    pub fn dot(&self, o: &V) -> f64 {
        self.0[0] * o.0[0] + self.0[1] * o.0[1] + self.0[2] * o.0[2]
    }
    pub fn cross(&self, o: &V) -> V {
        V([
            self.0[1] * o.0[2] - self.0[2] * o.0[1],
            self.0[2] * o.0[0] - self.0[0] * o.0[2],
            self.0[0] * o.0[1] - self.0[1] * o.0[0],
        ])
    }
    pub fn len(&self) -> f64 {
        self.dot(self).sqrt()
    }
    pub fn unit(mut self) -> V {
        let n = self.len();
        if n == 0.0 {
            return V::UP;
        }
        self.0[0] /= n;
        self.0[1] /= n;
        self.0[2] /= n;
        self
    }
    pub fn with_z(mut self, z: f64) -> Self {
        self.0[2] = z;
        self
    }
    pub fn tilt(&self) -> f64 {
        self.dot(&Self::UP) / self.len()
    }
    pub fn sum(&self) -> f64 {
        let mut s = 0.0;
        for k in 0..3 {
            s += self.0[k];
        }
        s
    }
}
#[differentiable]
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        V([self.0[0] + o.0[0], self.0[1] + o.0[1], self.0[2] + o.0[2]])
    }
}
#[differentiable]
impl Sub for V {
    type Output = V;
    fn sub(self, o: V) -> V {
        let mut r = self;
        for k in 0..3 {
            r.0[k] -= o.0[k];
        }
        r
    }
}
#[differentiable]
impl Mul<f64> for V {
    type Output = V;
    fn mul(self, k: f64) -> V {
        V([self.0[0] * k, self.0[1] * k, self.0[2] * k])
    }
}
#[differentiable]
impl Div<f64> for V {
    type Output = V;
    fn div(self, k: f64) -> V {
        self * (1.0 / k)
    }
}
#[differentiable]
impl SubAssign for V {
    fn sub_assign(&mut self, o: V) {
        *self = *self - o;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Q {
    w: f64,
    v: V,
}
#[differentiable]
impl Q {
    fn turn(axis: V, angle: f64) -> Q {
        let h = 0.5 * angle;
        Q { w: h.cos(), v: axis.unit() * h.sin() }
    }
    fn apply(&self, p: V) -> V {
        let t = self.v.cross(&p) * 2.0;
        p + t * self.w + self.v.cross(&t)
    }
    fn conj(self) -> Q {
        Q { v: self.v * -1.0, ..self }
    }
}
#[differentiable]
impl Mul for Q {
    type Output = Q;
    fn mul(self, o: Q) -> Q {
        Q { w: self.w * o.w - self.v.dot(&o.v), v: o.v * self.w + self.v * o.w + self.v.cross(&o.v) }
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct M2 {
    a: [[f64; 2]; 2],
}
#[differentiable]
impl M2 {
    fn new(a: [[f64; 2]; 2]) -> Self {
        M2 { a }
    }
    fn det(&self) -> f64 {
        self.a[0][0] * self.a[1][1] - self.a[0][1] * self.a[1][0]
    }
    fn inv(&self) -> M2 {
        let d = self.det();
        M2::new([[self.a[1][1] / d, -self.a[0][1] / d], [-self.a[1][0] / d, self.a[0][0] / d]])
    }
    fn trace(&self) -> f64 {
        self.a[0][0] + self.a[1][1]
    }
}
#[differentiable]
impl Mul for M2 {
    type Output = M2;
    fn mul(self, o: M2) -> M2 {
        let mut r = [[0.0; 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                for k in 0..2 {
                    r[i][j] += self.a[i][k] * o.a[k][j];
                }
            }
        }
        M2 { a: r }
    }
}
#[derive(Clone, Debug, Differentiable)]
pub struct Particle {
    id: usize,
    pos: V,
    charge: f64,
}
#[differentiable]
impl Particle {
    fn potential(&self, at: V) -> f64 {
        self.charge / (at - self.pos).len()
    }
    fn weight(&self) -> f64 {
        self.charge * self.id as f64
    }
    fn is_far(&self, r: f64) -> bool {
        self.pos.len() > r
    }
}
#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Dual2 {
    re: f64,
    eps: f64,
}
#[differentiable]
impl Dual2 {
    fn sin(self) -> Dual2 {
        Dual2 { re: self.re.sin(), eps: self.eps * self.re.cos() }
    }
    fn sqrt(self) -> Dual2 {
        let r = self.re.sqrt();
        Dual2 { re: r, eps: self.eps / (2.0 * r) }
    }
    fn max(self, o: Dual2) -> Dual2 {
        if self.re > o.re { self } else { o }
    }
}
#[differentiable]
impl Mul for Dual2 {
    type Output = Dual2;
    fn mul(self, o: Dual2) -> Dual2 {
        Dual2 { re: self.re * o.re, eps: self.re * o.eps + self.eps * o.re }
    }
}
#[differentiable]
impl Add<f64> for Dual2 {
    type Output = Dual2;
    fn add(self, k: f64) -> Dual2 {
        Dual2 { re: self.re + k, ..self }
    }
}

#[differentiable]
fn builders(x: f64, y: f64) -> f64 {
    let p = V::of(x, y, 0.5).with_z(x * y).unit();
    (p - V::UP).len() + p.tilt()
}
#[differentiable]
fn turned(x: f64, y: f64) -> f64 {
    let q = Q::turn(V::of(1.0, x, 0.2), y);
    let r = q * Q::turn(V::UP, x);
    r.apply(V::of(y, 1.0, 2.0)).dot(&V::of(1.0, 2.0, x)) + r.conj().w
}
#[differentiable]
fn of_matrices(x: f64, y: f64) -> f64 {
    let m = M2::new([[x, 1.0], [0.5, y + 3.0]]);
    let mut p = m;
    for _ in 0..3 {
        p = p * m;
    }
    p.inv().trace() + m.det()
}
#[differentiable]
fn beside_integers(x: f64, y: f64) -> f64 {
    let ps = vec![
        Particle { id: 2, pos: V::of(x, 0.0, 1.0), charge: y },
        Particle { id: 3, pos: V::of(1.0, y, x), charge: x },
    ];
    let at = V::of(0.3, -2.0, x);
    let mut e = 0.0;
    for p in &ps {
        e += p.potential(at) + p.weight();
        if p.is_far(1.2) {
            e *= 0.9;
        }
    }
    e
}
#[differentiable]
fn subtracted(x: f64, y: f64) -> f64 {
    let mut p = V::of(x, y, 1.0);
    let g = V([0.1, x, y]);
    for k in 0..4 {
        p -= g * (0.1 * k as f64);
        p = p / (1.0 + p.len());
    }
    p.sum()
}
#[differentiable]
fn named_like_functions_of_floats(x: f64, y: f64) -> f64 {
    let d = Dual2 { re: x + 2.0, eps: 1.0 };
    let e = (d * d + y).sin() * d.sqrt();
    e.max(d).eps + e.re
}
#[differentiable]
fn forces(ps: &[V], k: f64) -> Vec<V> {
    let mut f = vec![V([0.0; 3]); ps.len()];
    for i in 0..ps.len() {
        for j in 0..ps.len() {
            if i != j {
                let d = ps[j] - ps[i];
                f[i] = f[i] + d * (k / (0.2 + d.dot(&d)));
            }
        }
    }
    f
}
#[differentiable]
fn energy(p: &Particle, q: &Particle) -> f64 {
    p.charge * q.charge / (p.pos - q.pos).len()
}
#[differentiable]
fn as_parameters(x: f64, y: f64) -> f64 {
    let a = Particle { id: 0, pos: V::of(x, y, 0.0), charge: 2.0 };
    let mut b = a.clone();
    b.pos = b.pos + V::UP * y;
    b.charge *= x;
    energy(&a, &b) + a.potential(b.pos)
}
trait Norm {
    fn len2(&self) -> f64;
}
#[differentiable]
impl Norm for V {
    fn len2(&self) -> f64 {
        self.dot(self)
    }
}
#[differentiable]
fn behind_references(x: f64, y: f64) -> f64 {
    let p = V::of(x, y, 1.0);
    let r = &p;
    let rr = &r;
    r.len() * rr.dot(r) + p.len2() + (*r - V::UP).sum()
}
#[differentiable]
fn in_closures(x: f64, y: f64) -> f64 {
    let vs = [V::of(x, y, 1.0), V::of(y, x, 2.0)];
    let longest = vs.iter().fold(0.0, |m: f64, v| m.max(v.len()));
    let s: f64 = vs.iter().map(|v| v.sum()).sum();
    let big = vs.iter().filter(|v| v.len() > 1.5).map(|v| v.tilt()).sum::<f64>();
    longest * s + big
}
#[differentiable]
fn shadowed_by_parameters(p: f64, v: f64) -> f64 {
    let v = V::of(v, p, 1.0);
    let p = {
        let p = V::of(p, 1.0, 0.0);
        p + v
    };
    let len = |a: &V| a.len();
    len(&p) + len(&v) * p.0[0]
}

#[test]
fn agree_with_differences() {
    agree!(builders turned of_matrices beside_integers subtracted named_like_functions_of_floats as_parameters behind_references in_closures shadowed_by_parameters);
}

mod of_traits {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub struct P {
        pub x: f64,
    }

    #[differentiable]
    impl P {
        /// What `p.reach()` means where `p` is a reference alone.
        fn reach(&self) -> f64 {
            self.x
        }

        fn size(&self) -> f64 {
            self.x * self.x
        }
    }

    #[differentiable]
    trait Reach {
        fn reach(self) -> f64;
    }

    #[differentiable]
    impl Reach for P {
        fn reach(self) -> f64 {
            3.0 * self.x * self.x
        }
    }

    #[differentiable]
    pub fn reached(x: f64) -> f64 {
        let p = P { x };
        Reach::reach(p) * p.size() + P::reach(&p)
    }
}

#[test]
fn a_trait_and_a_type_have_functions_of_one_name() {
    assert_eq!(of_traits::reached(2.0), 12.0 * 4.0 + 2.0);
    for slope in [
        derivative(of_traits::reached::D, AutoReverse, 2.0).unwrap(),
        derivative(of_traits::reached::D, AutoForward, 2.0).unwrap(),
    ] {
        assert_eq!(slope, 12.0 * 2.0 * 2.0 * 2.0 + 1.0);
    }
}
