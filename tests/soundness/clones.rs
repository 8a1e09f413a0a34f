//! Types with a `Clone` by hand: derivative code copies part by part, and says so where that `Clone` does something else.

use diffi::prelude::*;
use std::panic::catch_unwind;

#[derive(Differentiable)]
struct Squared {
    a: f64,
}

impl Clone for Squared {
    fn clone(&self) -> Squared {
        Squared { a: self.a * self.a }
    }
}

#[derive(Differentiable)]
struct Counted {
    a: Vec<f64>,
    copies: usize,
}

impl Clone for Counted {
    fn clone(&self) -> Counted {
        Counted { a: self.a.clone(), copies: self.copies + 1 }
    }
}

#[differentiable]
fn cloned(x: f64) -> f64 {
    let w = Squared { a: x };
    w.clone().a * w.a
}

#[differentiable]
fn counted(x: &[f64]) -> f64 {
    let w = Counted { a: x.to_vec(), copies: 0 };
    let mut v = w.clone();
    v.a[0] *= x[1];
    v.a[0] * w.a[0] + vec![v; 2][1].a[1] * x[2]
}

#[test]
fn other_numbers_are_refused() {
    let panic = catch_unwind(|| derivative(cloned::D, AutoReverse, 1.5)).unwrap_err();
    assert!(panic.downcast_ref::<String>().unwrap().contains("D0505"));
}

crate::check::sound! { counted }
