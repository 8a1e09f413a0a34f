//! Exclusive references that are handed by name to functions which only read, and change later: what the files around do not show, rustc does.

use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Weights {
    k: f64,
}

/// A file's text does not show how a function takes its arguments that a macro writes.
macro_rules! hidden {
    () => {
        #[differentiable]
        fn product_of_two(a: &[f64]) -> f64 {
            a[0] * a[1]
        }

        #[differentiable]
        impl Weights {
            fn product_with(&self, a: &[f64]) -> f64 {
                self.k * a[0] * a[1]
            }

            fn product(a: f64, b: &[f64]) -> f64 {
                a * b[0] * b[1]
            }
        }

        #[differentiable]
        trait Weigh {
            fn weigh(&self, a: &[f64]) -> f64;
        }

        #[differentiable]
        impl Weigh for Weights {
            fn weigh(&self, a: &[f64]) -> f64 {
                self.k + a[0] * a[1]
            }
        }
    };
}
hidden!();

#[differentiable]
fn of_a_function(a: &mut [f64]) -> f64 {
    let s = product_of_two(a);
    a[0] = s;
    s
}

#[differentiable]
fn of_a_method(w: &Weights, a: &mut [f64]) -> f64 {
    let s = w.product_with(a);
    a[0] = s;
    s
}

#[differentiable]
fn by_its_path(w: &Weights, a: &mut [f64]) -> f64 {
    let s = Weights::product_with(w, a) + Weights::product(0.5, a);
    a[0] = s;
    s
}

#[differentiable]
fn of_a_trait(w: &Weights, a: &mut Vec<f64>) -> f64 {
    let s = w.weigh(a);
    a[0] = s;
    s
}

#[differentiable]
fn in_a_loop(w: &Weights, a: &mut [f64]) -> f64 {
    let mut s = 0.0;
    for k in 0..3 {
        s += w.product_with(a);
        a[k % 2] *= s;
    }
    s
}

fn main() {}
