//! What the option `vector_math` buys: `cargo bench --bench vector_math --features vector-math`. Times with the option, and with
//! `reassociate` besides, over times without them, of values with gradients and of values with pushforwards. What is compared takes turns,
//! and least times count.

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

/// Functions without the option, with it, and with `reassociate` besides.
macro_rules! thrice {
    ($(pub fn $name:ident $arguments:tt -> $ret:ty $body:block)+) => {
        mod alone {
            use diffi::prelude::*;
            $(#[differentiable] pub fn $name $arguments -> $ret $body)+
        }
        mod vectors {
            use diffi::prelude::*;
            $(#[differentiable(vector_math)] pub fn $name $arguments -> $ret $body)+
        }
        mod reassociated {
            use diffi::prelude::*;
            $(#[differentiable(vector_math, reassociate)] pub fn $name $arguments -> $ret $body)+
        }
    };
}

thrice! {
    pub fn log_sum_exp(x: &[f64]) -> f64 {
        let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = x.iter().map(|v| (v - largest).exp()).sum();
        largest + sum.ln()
    }

    pub fn entropy(x: &[f64]) -> f64 {
        let mut p = x.to_vec();
        let mut sum = 0.0;
        for v in p.iter_mut() {
            *v = v.exp();
            sum += *v;
        }
        p.iter().map(|v| v / sum).map(|v| -v * v.ln()).sum()
    }

    pub fn waves(x: &[f64]) -> f64 {
        x.iter().map(|v| v.sin() * v).sum()
    }

    pub fn squashed(x: &[f64]) -> f64 {
        let y: Vec<f64> = x.iter().map(|v| v.tanh()).collect();
        y.iter().map(|v| v * v).sum()
    }

    pub fn gates(x: &[f64]) -> f64 {
        let width = x.len() / 2;
        let mut state = x.to_vec();
        for _ in 0..4 {
            for i in 0..width {
                let gate = 1.0 / (1.0 + (-state[i]).exp());
                state[width + i] = gate * state[width + i] + (state[i] * x[i]).tanh();
                state[i] = gate * state[width + i].tanh();
            }
        }
        state.iter().map(|v| v * v).sum()
    }
}

/// Least seconds of a call of each.
fn each(runs: [&mut dyn FnMut(); 3]) -> [f64; 3] {
    let mut runs = runs.map(|run| {
        let calls = calls_per_batch(&mut *run);
        (run, calls)
    });
    let mut least = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        for (least, (run, calls)) in least.iter_mut().zip(&mut runs) {
            *least = least.min(batch(&mut **run, *calls));
        }
    }
    least
}

fn line(what: &str, [alone, vectors, reassociated]: [f64; 3]) {
    let us = alone * 1e6;
    println!(
        "{what:<44} {us:>9.3} us alone {:>6.2} vectors {:>6.2} reassociated",
        vectors / alone,
        reassociated / alone
    );
}

fn main() -> Result<()> {
    macro_rules! each {
        ($($name:ident $n:expr,)+) => { $(
            let x: Vec<f64> = (0..$n).map(|i| (0.7 * i as f64).sin()).collect();
            let mut g = [(); 3].map(|()| vec![0.0; $n]);
            let [a, b, c] = &mut g;
            let mut alone = prepare_gradient(alone::$name::D, AutoReverse, &x)?;
            let mut vectors = prepare_gradient(vectors::$name::D, AutoReverse, &x)?;
            let mut reassociated = prepare_gradient(reassociated::$name::D, AutoReverse, &x)?;
            let times = each([
                &mut || { black_box(alone.value_and_gradient_into(&mut *a, black_box(&x)).expect(FITS)); },
                &mut || { black_box(vectors.value_and_gradient_into(&mut *b, black_box(&x)).expect(FITS)); },
                &mut || { black_box(reassociated.value_and_gradient_into(&mut *c, black_box(&x)).expect(FITS)); },
            ]);
            report::agree([&g[0]], [&g[1]]);
            report::agree([&g[0]], [&g[2]]);
            line(&format!("{}, n = {}, value and gradient", stringify!($name), $n), times);
            let mut alone = prepare_pushforward(alone::$name::D, AutoForward, &x, &x)?;
            let mut vectors = prepare_pushforward(vectors::$name::D, AutoForward, &x, &x)?;
            let mut reassociated = prepare_pushforward(reassociated::$name::D, AutoForward, &x, &x)?;
            let times = each([
                &mut || { black_box(alone.value_and_pushforward(black_box(&x), &x).expect(FITS)); },
                &mut || { black_box(vectors.value_and_pushforward(black_box(&x), &x).expect(FITS)); },
                &mut || { black_box(reassociated.value_and_pushforward(black_box(&x), &x).expect(FITS)); },
            ]);
            line(&format!("{}, n = {}, value and pushforward", stringify!($name), $n), times);
        )+ };
    }
    each!(log_sum_exp 2500, log_sum_exp 20, entropy 1000, waves 1000, squashed 1000, gates 2000, gates 28,);
    Ok(())
}
