//! One prepared gradient, so many times: `instructions KERNEL CALLS`. `benches/instructions.sh` counts its instructions.
#![allow(clippy::needless_range_loop)] // index loops are among the things that are measured

#[allow(dead_code, reason = "other benches measure the other models")]
mod models;

use diffi::prelude::*;
use models::{gmm, lstm, random, rosenbrock, sum_of_squares};
use std::hint::black_box;

/// A function of one slice.
macro_rules! vector {
    ($function:path, $calls:expr) => {{
        use $function as function;
        let mut random = random(1);
        let x: Vec<f64> = (0..1000).map(|_| 2.0 * random() - 0.5).collect();
        let mut gradient = vec![0.0; x.len()];
        let mut prepared = prepare_gradient(function::D, AutoReverse, &x)?;
        for _ in 0..$calls {
            prepared.gradient_into(&mut gradient, black_box(&x))?;
            black_box(&gradient);
        }
    }};
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(kernel), Some(Ok(calls))) = (args.next(), args.next().map(|a| a.parse())) else {
        println!("benches/instructions.sh counts instructions");
        return Ok(());
    };
    match kernel.as_str() {
        "sum_of_squares_1000" => vector!(sum_of_squares::sum_of_squares, calls),
        "rosenbrock_1000" => vector!(rosenbrock::rosenbrock, calls),
        "gmm_d10_k5" => mixture(10, 5, calls)?,
        "gmm_d32_k25" => mixture(32, 25, calls)?,
        "lstm_l2_c1024" => recurrent(2, calls)?,
        other => panic!("no kernel {other}"),
    }
    Ok(())
}

fn mixture(d: usize, k: usize, calls: u32) -> Result<()> {
    let mixture = gmm::Mixture::new(d, k, 1000);
    let gmm::Mixture { alphas, means, icf, points, gamma, m, .. } = &mixture;
    let arguments = || (alphas, means, icf, Constant(&points[..]), Constant(d), Constant(*gamma), Constant(*m));
    let mut gradient = (vec![0.0; alphas.len()], vec![0.0; means.len()], vec![0.0; icf.len()]);
    let mut prepared = prepare_gradient(gmm::log_posterior::D, AutoReverse, arguments())?;
    for _ in 0..calls {
        prepared.gradient_into(&mut gradient, black_box(arguments()))?;
    }
    Ok(())
}

fn recurrent(layers: usize, calls: u32) -> Result<()> {
    let network = lstm::Network::new(layers, 1024, 14);
    let lstm::Network { width, main, extra, state, sequence } = &network;
    let arguments = || (main, extra, Constant(&state[..]), Constant(&sequence[..]), Constant(*width));
    let mut gradient = (vec![0.0; main.len()], vec![0.0; extra.len()]);
    let mut prepared = prepare_gradient(lstm::loss::D, AutoReverse, arguments())?;
    for _ in 0..calls {
        prepared.gradient_into(&mut gradient, black_box(arguments()))?;
    }
    Ok(())
}
