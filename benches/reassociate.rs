//! What the option `reassociate` buys: `cargo bench --bench reassociate`. Times with the option over times without it, of values with
//! gradients and of pushforwards. What is compared takes turns, and least times count.

#![allow(clippy::needless_range_loop)] // index loops are among the things that are measured

#[allow(dead_code, reason = "other benches print other tables")]
mod report;

use diffi::prelude::*;
use report::aligned::Aligned;
use report::{batch, calls_per_batch};
use std::hint::black_box;

#[global_allocator]
static ALIGNED: Aligned = Aligned;

const ROUNDS: usize = 31;
const FITS: &str = "prepared for these sizes";

/// Functions with and without the option.
macro_rules! twice {
    ($(pub fn $name:ident $arguments:tt -> $ret:ty $body:block)+) => {
        mod in_order {
            use diffi::prelude::*;
            $(#[differentiable] pub fn $name $arguments -> $ret $body)+
        }
        mod reassociated {
            use diffi::prelude::*;
            $(#[differentiable(reassociate)] pub fn $name $arguments -> $ret $body)+
        }
    };
}

twice! {
    pub fn squared_norm(x: &[f64]) -> f64 {
        x.iter().map(|v| v * v).sum()
    }

    pub fn variance(x: &[f64]) -> f64 {
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        x.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n
    }

    pub fn rosenbrock(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 0..x.len() - 1 {
            let valley = x[i + 1] - x[i] * x[i];
            let slope = 1.0 - x[i];
            total += 100.0 * valley * valley + slope * slope;
        }
        total
    }

    pub fn layer(x: &[f64]) -> f64 {
        let n = 100;
        let (w, v) = x.split_at(n * n);
        let mut total = 0.0;
        for i in 0..n {
            let mut sum = 0.0;
            for j in 0..n {
                sum += w[i * n + j] * v[j];
            }
            total += sum.tanh();
        }
        total
    }
}

/// Least seconds of a call of both.
fn both(mut first: impl FnMut(), mut second: impl FnMut()) -> [f64; 2] {
    let calls = [calls_per_batch(&mut first), calls_per_batch(&mut second)];
    let mut least = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        least[0] = least[0].min(batch(&mut first, calls[0]));
        least[1] = least[1].min(batch(&mut second, calls[1]));
    }
    least
}

fn line(what: &str, [in_order, reassociated]: [f64; 2]) {
    let (a, b, ratio) = (in_order * 1e6, reassociated * 1e6, reassociated / in_order);
    println!("{what:<44} {a:>9.3} us in order {b:>9.3} us reassociated {ratio:>6.2}");
}

fn main() -> Result<()> {
    macro_rules! each {
        ($($name:ident $n:expr,)+) => { $(
            let x: Vec<f64> = (0..$n).map(|i| (0.7 * i as f64).sin()).collect();
            let (mut g, mut expected) = (vec![0.0; $n], vec![0.0; $n]);
            let mut one = prepare_gradient(in_order::$name::D, AutoReverse, &x)?;
            let mut other = prepare_gradient(reassociated::$name::D, AutoReverse, &x)?;
            one.gradient_into(&mut expected, &x)?;
            other.gradient_into(&mut g, &x)?;
            report::agree([&expected], [&g]);
            let times = both(
                || { black_box(one.value_and_gradient_into(&mut expected, black_box(&x)).expect(FITS)); },
                || { black_box(other.value_and_gradient_into(&mut g, black_box(&x)).expect(FITS)); },
            );
            line(&format!("{}, n = {}, value and gradient", stringify!($name), $n), times);
            let mut one = prepare_pushforward(in_order::$name::D, AutoForward, &x, &x)?;
            let mut other = prepare_pushforward(reassociated::$name::D, AutoForward, &x, &x)?;
            let times = both(
                || { black_box(one.pushforward(black_box(&x), &x).expect(FITS)); },
                || { black_box(other.pushforward(black_box(&x), &x).expect(FITS)); },
            );
            line(&format!("{}, n = {}, pushforward", stringify!($name), $n), times);
        )+ };
    }
    each!(squared_norm 100, squared_norm 1000, variance 1000, rosenbrock 1000, layer 10100,);
    Ok(())
}
