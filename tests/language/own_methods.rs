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

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number own_names(by x: f64, by y: f64): [0.7, 0.4] [0.4, 0.9];
        number required_change(by x: f64, by y: f64): [0.7, 0.4];
        number without_semicolons(by x: f64, by y: f64): [0.7, 0.4];
        number without_a_name(at x: Vec<f64>): [vec![0.7, 0.4]];
    }
}
