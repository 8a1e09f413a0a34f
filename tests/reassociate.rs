//! `#[differentiable(reassociate)]`: the same derivatives up to rounding, and sums that are made in another order.

#![allow(clippy::needless_range_loop)] // index loops are among what is tested

use diffi::prelude::*;

/// Functions with and without the option.
macro_rules! twice {
    ($(#[differentiable($($options:tt)*)] pub fn $name:ident $rest:tt -> $ret:ty $body:block)+) => {
        mod in_order {
            use diffi::prelude::*;
            $(#[differentiable($($options)*)] pub fn $name $rest -> $ret $body)+
        }
        mod reassociated {
            use diffi::prelude::*;
            $(#[differentiable(reassociate, $($options)*)] pub fn $name $rest -> $ret $body)+
        }
    };
}

twice! {
    #[differentiable()]
    pub fn norm(x: &[f64]) -> f64 {
        x.iter().map(|v| v * v).sum()
    }

    #[differentiable()]
    pub fn cubes(x: &[f64]) -> f64 {
        let (mut total, mut squares) = (1.0, 2.0);
        for i in 0..x.len() {
            total += x[i] * x[i] * x[i];
            squares -= 0.5 * x[i] * x[i];
        }
        total * squares
    }

    #[differentiable()]
    pub fn bends(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 1..x.len().max(1) - 1 {
            let bend = x[i - 1] - 2.0 * x[i] + x[i + 1];
            total += bend * bend * i as f64;
        }
        total
    }

    #[differentiable()]
    pub fn halves(x: &[f64]) -> f64 {
        let n = x.len() / 2;
        let (a, b) = x.split_at(n);
        let dot: f64 = a.iter().zip(b).map(|(p, q)| p * q).sum();
        let mut ratios = 0.0;
        for i in 0..n {
            ratios += a[i] / (2.0 + x[2 * i] * b[i]);
        }
        dot * ratios
    }

    #[differentiable()]
    pub fn rows(x: &[f64]) -> f64 {
        let n = x.len();
        let mut y = vec![0.0; n];
        for i in 0..n {
            let mut sum = 0.0;
            for j in 0..n {
                sum += (1.0 + (i * n + j) as f64) * x[j] * x[j];
            }
            y[i] = sum * 0.01;
        }
        let mut total = 0.0;
        for i in 0..n {
            for j in 0..n {
                total += y[i] * x[j] / (1.0 + (i + j) as f64);
            }
        }
        total
    }

    #[differentiable()]
    pub fn running(x: &[f64]) -> f64 {
        let mut at = x.to_vec();
        let (mut total, mut state) = (0.0, 1.0);
        for i in 1..at.len() {
            at[i] = at[i - 1] * 0.5 + x[i] * x[i];
            total += at[i] * x[i];
        }
        for i in 0..x.len() {
            state = 0.5 * state + x[i];
            total += state * x[i];
        }
        total
    }

    #[differentiable()]
    pub fn kept(x: &[f64]) -> f64 {
        let (scale, mut total) = (1.0 + x[0] * x[0], 0.0);
        for i in 1..x.len() {
            total += (scale * x[i]).exp() * x[i];
        }
        total
    }

    #[differentiable(constant(w))]
    pub fn weighted(x: &[f64], w: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 0..x.len() {
            total += w[i] * x[i] * x[i];
        }
        total
    }
}

#[differentiable(reassociate)]
fn generic_norm<T: num_traits::Float>(x: &[T]) -> T {
    let mut total = T::zero();
    for i in 0..x.len() {
        total = total + x[i] * x[i];
    }
    total
}

#[differentiable]
fn single_norm(x: &[f32]) -> f32 {
    generic_norm(x)
}

/// The option holds for all functions of the block.
struct Scale {
    by: f64,
}

#[differentiable(reassociate, constant(self))]
impl Scale {
    fn total(&self, x: &[f64]) -> f64 {
        x.iter().map(|v| v * self.by).sum()
    }
}

#[test]
fn other_floats_and_methods() {
    let x: Vec<f32> = (0..21).map(|i| i as f32).collect();
    let (y, g) = value_and_gradient(single_norm::D, AutoReverse, &x).unwrap();
    assert_eq!((y, g), (2870.0, x.iter().map(|v| 2.0 * v).collect()));
    let scale = Scale { by: 2.0 };
    let seed = [1.0; 16];
    assert_eq!(pushforward(Scale::total_d, AutoForward, (Constant(&scale), &seed[..]), &ORDER[..]).unwrap(), 28.0);
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| (1.3 * i as f64 + 0.4).sin()).collect()
}

fn close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() <= 1e-12 * e.abs().max(1.0), "{what}: {f}, in order {e}");
    }
}

#[test]
fn derivatives_are_the_same_for_every_length() {
    macro_rules! each {
        ($($name:ident)+) => { $(
            for n in 1..=35 {
                let what = &format!("{} of {n} numbers", stringify!($name));
                let (x, v) = (numbers(n), numbers(n + 3)[3..].to_vec());
                let (y, g) = value_and_gradient(reassociated::$name::D, AutoReverse, &x).unwrap();
                let (y0, g0) = value_and_gradient(in_order::$name::D, AutoReverse, &x).unwrap();
                close(&[y], &[y0], what);
                close(&g, &g0, what);
                let dy = pushforward(reassociated::$name::D, AutoForward, &x, &v).unwrap();
                close(&[dy], &[g0.iter().zip(&v).map(|(g, v)| g * v).sum::<f64>()], what);
                let both = pushforward(reassociated::$name::D, AutoForward, &x, [&v, &x]).unwrap();
                close(&[both[0]], &[dy], what);
                let b = SecondOrder(AutoForward, AutoReverse);
                let hv = hvp(reassociated::$name::D, b, &x, &v).unwrap();
                close(&hv, &hvp(in_order::$name::D, b, &x, &v).unwrap(), what);
                close(&hvp(reassociated::$name::D, b, &x, [&x, &v]).unwrap()[1], &hv, what);
            }
        )+ };
    }
    each!(norm cubes bends halves rows running kept);
}

#[test]
fn passive_factors_too() {
    let (x, w) = (numbers(29), numbers(30));
    let g = gradient(reassociated::weighted::D, AutoReverse, (&x, Constant(&w[..]))).unwrap();
    close(&g, &x.iter().zip(&w).map(|(x, w)| 2.0 * w * x).collect::<Vec<_>>(), "2 w x");
}

/// Sixteen numbers whose sum tells in which order they were added.
const ORDER: [f64; 16] = [1e16, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, -1e16, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];

#[differentiable(reassociate)]
fn in_lanes(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() {
        total += x[i];
    }
    total
}

#[differentiable]
fn one_by_one(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() {
        total += x[i];
    }
    total
}

#[test]
fn only_the_option_changes_the_order() {
    let seed = [1.0; 16];
    // eight lanes: the large numbers meet in the first
    assert_eq!(value_and_gradient(in_lanes::D, AutoReverse, &ORDER[..]).unwrap().0, 14.0);
    assert_eq!(pushforward(in_lanes::D, AutoForward, &seed[..], &ORDER[..]).unwrap(), 14.0);
    assert_eq!(one_by_one(&ORDER), 7.0);
    assert_eq!(in_lanes(&ORDER), 7.0, "the function stays what it is");
    assert_eq!(value_and_gradient(one_by_one::D, AutoReverse, &ORDER[..]).unwrap().0, 7.0);
    assert_eq!(pushforward(one_by_one::D, AutoForward, &seed[..], &ORDER[..]).unwrap(), 7.0);
}
