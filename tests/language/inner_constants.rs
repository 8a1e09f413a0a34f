//! Constants of inner blocks, whose names mean something else outside of them.

use diffi::prelude::*;

const K: f64 = 2.0;

#[differentiable]
fn branches(x: &[f64]) -> f64 {
    if x[0] > 0.5 {
        const D: f64 = 3.0;
        x[0] * x[1] * D
    } else {
        const D: f64 = 5.0;
        x[0].sin() / D
    }
}

#[differentiable]
fn behind_its_use(x: &[f64]) -> f64 {
    K * x[0] * x[1] + {
        const K: f64 = 3.0;
        K * x[1].exp()
    }
}

#[differentiable]
fn of_an_inner_function(x: &[f64]) -> f64 {
    fn linear(c: f64) -> f64 {
        if c > 0.5 {
            const A: f64 = 0.055;
            const D: f64 = 1.0 + A;
            ((c + A) / D).powf(2.4)
        } else {
            const D: f64 = 12.92;
            c / D
        }
    }
    linear(x[0]) * linear(x[1]) + linear(x[0] * x[1])
}

#[differentiable]
fn lengths(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        const N: usize = 2;
        let w = [K * *v; N];
        s += w[N - 1] * w[0];
    }
    {
        const N: usize = 3;
        let w = [x[0]; N];
        assert!(N > 2);
        s *= w[N - 1];
    }
    s
}

#[differentiable]
fn patterns(x: &[f64]) -> f64 {
    const TWO: usize = 2;
    match x.len() {
        TWO => {
            const TWO: f64 = 7.0;
            TWO * x[0] * x[1]
        }
        _ => x[0],
    }
}

#[differentiable]
fn of_a_macro(x: &[f64]) -> f64 {
    let a = {
        static K: f64 = 3.0;
        debug_assert!(K > 2.5);
        K * x[0]
    };
    assert!(K < 2.5);
    a * x[1] * K
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number branches(at x: Vec<f64>): [vec![0.7, 0.4]] [vec![0.2, 0.4]];
        number behind_its_use(at x: Vec<f64>): [vec![0.7, 0.4]];
        number of_an_inner_function(at x: Vec<f64>): [vec![0.7, 0.4]] [vec![0.7, 0.9]];
        number lengths(at x: Vec<f64>): [vec![0.7, 0.4]];
        number patterns(at x: Vec<f64>): [vec![0.7, 0.4]] [vec![0.7]];
        number of_a_macro(at x: Vec<f64>): [vec![0.7, 0.4]];
    }
}
