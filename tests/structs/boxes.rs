//! Boxes of numbers, arrays and structs as locals and parameters, against closed forms.

#![allow(clippy::replace_box, clippy::borrowed_box, reason = "boxes are what is tested")]

use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Spring {
    length: f64,
    stiffness: f64,
}

#[differentiable]
impl Spring {
    fn energy(&self) -> f64 {
        self.length * self.length * self.stiffness
    }
}

#[differentiable]
fn opened(x: f64) -> f64 {
    let b = Box::new(x * x);
    *b + x
}

#[differentiable]
fn changed(x: f64) -> f64 {
    let mut b = Box::new(x * x);
    *b += x;
    *b *= *b;
    b.powi(2) + *b
}

#[differentiable]
fn made_again(x: f64) -> f64 {
    let mut b = Box::new(x);
    for _ in 0..3 {
        b = Box::new(*b * x);
    }
    *b
}

#[differentiable]
fn of_a_struct(x: f64) -> f64 {
    let mut p = Box::new(Spring { length: x, stiffness: 2.0 * x });
    p.length += p.stiffness;
    let q = *p;
    q.length * q.stiffness + q.energy()
}

#[differentiable]
fn copied(b: Box<f64>, x: f64) -> f64 {
    let c = b.clone();
    *b * *c * x
}

#[differentiable]
fn behind(b: &Box<f64>, x: f64) -> f64 {
    **b * x + b.powi(2)
}

#[differentiable]
fn lent(b: &mut Box<f64>, x: f64) {
    **b *= x;
    **b += 1.0;
}

#[differentiable]
fn called(x: f64) -> f64 {
    let mut b = Box::new(x * x);
    lent(&mut b, x);
    behind(&b, x) * *b
}

#[test]
fn boxes_are_what_they_hold() {
    let x: f64 = 0.7;
    let (s, b) = (x * x + x, x.powi(3) + 1.0);
    let ds = 2.0 * x + 1.0;
    macro_rules! rows {
        ($($f:ident: $expected:expr;)+) => { $(
            for found in [derivative($f::D, AutoForward, x).unwrap(), derivative($f::D, AutoReverse, x).unwrap()] {
                crate::check::close(stringify!($f), &[found], &[$expected], 1e-13);
            }
        )+ };
    }
    rows! {
        opened: 2.0 * x + 1.0;
        changed: 4.0 * s.powi(3) * ds + 2.0 * s * ds;
        made_again: 4.0 * x.powi(3);
        of_a_struct: 12.0 * x + 54.0 * x * x;
        called: 3.0 * x * x * (2.0 * b * x + 3.0 * b * b) + b * b;
    }
    let g = gradient(copied::D, AutoReverse, (Box::new(2.0), 3.0)).unwrap();
    assert_eq!(g, (Box::new(12.0), 4.0));
    let g = gradient(behind::D, AutoReverse, (&Box::new(2.0), 3.0)).unwrap();
    assert_eq!(g, (Box::new(7.0), 2.0));
}
