//! Methods of a user's types that are called as those of floats and slices are; and `&mut` of a value without a name.

use diffi::prelude::*;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Complex {
    re: f64,
    im: f64,
}
#[differentiable]
impl Complex {
    fn abs(&self) -> f64 {
        self.re.hypot(self.im)
    }
    fn sqrt(self) -> Complex {
        let r = self.abs();
        Complex { re: ((r + self.re) / 2.0).sqrt(), im: ((r - self.re) / 2.0).sqrt() }
    }
    fn max(self, other: Complex) -> Complex {
        Complex { re: self.re.max(other.re), im: self.im * other.im }
    }
    fn get(&self, k: usize) -> f64 {
        if k == 0 { self.re * 2.0 } else { self.im }
    }
}
#[differentiable]
fn own_names(x: f64, y: f64) -> f64 {
    let z = Complex { re: x, im: y };
    let root = z.sqrt();
    let larger = root.max(Complex { re: y, im: x });
    root.re * root.im * larger.abs() + larger.re * z.get(0) + z.abs()
}
#[differentiable]
fn of_a_parameter(z: Complex) -> f64 {
    z.abs() * z.max(z).im
}
#[differentiable]
trait Stepper {
    fn step(&mut self, h: f64);
}
#[differentiable]
impl Stepper for Complex {
    fn step(&mut self, h: f64) {
        self.re -= h * self.im;
        self.im += h * self.re;
    }
}
#[differentiable]
fn required_change(x: f64, y: f64) -> f64 {
    let mut z = Complex { re: x, im: y };
    for _ in 0..3 {
        z.step(x * 0.1);
    }
    of_a_parameter(z)
}
#[differentiable]
fn without_a_name(x: &[f64]) -> f64 {
    let w = &mut [0.0; 2];
    for i in 0..2 {
        w[i] += x[i] * x[0];
    }
    let v = &mut vec![x[1]; 2];
    v[0] *= w[1];
    w[0] * v[0] + v[1]
}

/// The attribute on a struct or an enum is the derive; a method's call that ends a block without a value may change its receiver.
#[derive(Clone)]
#[differentiable]
enum Shape {
    Circle(f64),
    Rectangle { w: f64, h: f64 },
    Group(Vec<Shape>),
}
#[differentiable]
impl Shape {
    fn area(&self) -> f64 {
        match self {
            Shape::Circle(r) => 3.0 * r * r,
            Shape::Rectangle { w, h } => w * h,
            Shape::Group(parts) => parts.iter().map(|p| p.area()).sum(),
        }
    }
    fn scale(&mut self, k: f64) {
        match self {
            Self::Circle(r) => *r *= k,
            Self::Rectangle { w, h } => {
                *w *= k;
                *h += k
            }
            Self::Group(parts) => {
                for p in parts {
                    p.scale(k)
                }
            }
        }
    }
}
#[differentiable]
fn without_semicolons(x: f64, y: f64) -> f64 {
    let inner = Shape::Group(vec![Shape::Circle(x * y), Shape::Rectangle { w: y, h: x }]);
    let mut all = [Shape::Circle(x), inner, Shape::Rectangle { w: x, h: y }];
    for (k, shape) in all.iter_mut().enumerate() {
        if k > 0 {
            shape.scale(y)
        }
    }
    let mut k = 0;
    while k < 2 {
        k += 1;
        match k {
            1 => all[0].scale(x),
            _ => all[2].scale(x * y),
        }
    }
    all.iter().map(Shape::area).sum()
}

/// Methods that have names of questions, and give numbers.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Plane<T> {
    x: T,
    y: T,
}

#[differentiable]
impl<T: num_traits::Float> Plane<T> {
    fn len(&self) -> T {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    fn unit(&self) -> Plane<T> {
        let l = self.len();
        Plane { x: self.x / l, y: self.y / l }
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Orbit {
    a: f64,
    phase: f64,
}

#[differentiable]
impl Orbit {
    fn position(&self, t: f64) -> f64 {
        self.a * (t + self.phase).cos()
    }

    fn count(&mut self, by: f64) -> f64 {
        self.phase *= by;
        self.a * by
    }

    fn dim(self) -> f64 {
        self.a * self.phase * self.position(0.3)
    }
}

#[differentiable]
fn own_questions(x: f64, y: f64) -> f64 {
    let p = Plane { x, y };
    let u: Plane<f64> = p.unit();
    u.x * p.len() * x + u.len() * [x, y].len() as f64
}

#[differentiable]
fn questions_of_an_argument(o: &Orbit, t: f64, x: &[f64]) -> f64 {
    let found = x.iter().position(|v| *v > 0.5).unwrap_or(0);
    o.position(t) * o.position(x[found]) * x.len() as f64
}

#[differentiable]
fn questions_of_orbits(x: &[f64]) -> f64 {
    let mut o = Orbit { a: x[0], phase: x[1] };
    let q = questions_of_an_argument(&o, x[2], x);
    let c = o.count(x[2]);
    q * c + o.phase * o.clone().dim() + Orbit { a: x[1], phase: x[0] }.position(0.5)
}

/// What is converted into a type of one's own.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Coord<T> {
    x: T,
    y: T,
}

impl From<(f64, f64)> for Coord<f64> {
    fn from((x, y): (f64, f64)) -> Self {
        Coord { x, y }
    }
}

#[differentiable]
fn distance<C: Into<Coord<f64>>>(a: C, b: C) -> f64 {
    let a: Coord<f64> = a.into();
    let b = b.into();
    (a.x - b.x).hypot(a.y - b.y)
}

#[differentiable]
fn area(a: impl Into<Coord<f64>>, b: Coord<f64>, scale: f64) -> f64 {
    let a = a.into();
    (a.x * b.y - a.y * b.x) * scale
}

#[differentiable]
fn of_conversions(x: f64, y: f64) -> f64 {
    let (p, q) = (Coord { x, y }, Coord { x: x * y, y: 0.25 });
    distance(p, q) * area(p, q, y) + area(q, p, 2.0)
}

// A method that changes an argument, and not the variable that it is called on, which something else changes.

#[derive(Clone, Differentiable)]
struct Bands {
    starts: Vec<usize>,
    values: Vec<f64>,
}

#[differentiable]
impl Bands {
    fn multiply(&self, v: &[f64], y: &mut [f64]) {
        for r in 0..self.starts.len() - 1 {
            let band = self.starts[r]..self.starts[r + 1];
            y[r] = self.values[band].iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
        }
    }
    fn mul(&self, v: &[f64], y: &mut [f64]) {
        self.multiply(v, y);
    }
}

#[differentiable]
fn into_arguments(x: &[f64]) -> f64 {
    let mut bands = Bands { starts: vec![0], values: Vec::new() };
    for i in 0..x.len() {
        for j in 0..=i {
            bands.values.push(x[i] * x[j] + j as f64);
        }
        bands.starts.push(bands.values.len());
    }
    let (mut v, mut y) = (x.to_vec(), vec![0.0; x.len()]);
    for step in 0..3 {
        bands.multiply(&v, &mut y);
        bands.values[0] += y[0];
        bands.mul(&y, &mut v);
        v[0] += step as f64;
    }
    v.iter().sum()
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number own_names(by x: f64, by y: f64): [0.7, 0.4] [0.4, 0.9];
        number required_change(by x: f64, by y: f64): [0.7, 0.4];
        number without_semicolons(by x: f64, by y: f64): [0.7, 0.4];
        number without_a_name(at x: Vec<f64>): [vec![0.7, 0.4]];
        number own_questions(by x: f64, by y: f64): [0.7, 0.4] [-0.3, 1.4];
        number questions_of_orbits(at x: Vec<f64>): [vec![0.3, 0.8, 1.2]];
        number into_arguments(at x: Vec<f64>): [vec![0.3, 0.8, 1.2]] [vec![0.7]];
        number of_conversions(by x: f64, by y: f64): [0.7, 0.4] [-0.3, 1.4];
    }
}
