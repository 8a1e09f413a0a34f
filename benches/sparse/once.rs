//! One stage of the Brusselator's Jacobian, so many times, for `linear.sh` to count its instructions: `once STAGE N CALLS`.

use crate::models::{brusselator, point};
use diffi::prelude::*;
use diffi::sparse::{ColoringProblem, GreedyColoring, coloring};
use std::hint::black_box;

pub fn run(mut args: impl Iterator<Item = String>) -> Result<()> {
    let (Some(stage), Some(Ok(n)), Some(Ok(calls))) =
        (args.next(), args.next().map(|a| a.parse()), args.next().map(|a| a.parse::<usize>()))
    else {
        println!("once STAGE N CALLS");
        return Ok(());
    };
    let (u, mut du) = (point(2 * n * n), vec![0.0; 2 * n * n]);
    match stage.as_str() {
        "function" => (0..calls).for_each(|_| brusselator(black_box(&u), n, black_box(&mut du))),
        "local" => {
            for _ in 0..calls {
                black_box(jacobian_sparsity(brusselator::D, TracerLocalSparsityDetector, (&u, Constant(n), &mut du))?);
            }
        }
        "global" => {
            for _ in 0..calls {
                black_box(jacobian_sparsity(brusselator::D, TracerSparsityDetector, (&u, Constant(n), &mut du))?);
            }
        }
        "coloring" => {
            let pattern = jacobian_sparsity(brusselator::D, TracerLocalSparsityDetector, (&u, Constant(n), &mut du))?;
            for _ in 0..calls {
                black_box(coloring(black_box(&pattern), ColoringProblem::Column, GreedyColoring::default())?);
            }
        }
        "forward" => {
            let mut prep = prepare_jacobian(brusselator::D, AutoSparse::new(AutoForward), (&u, Constant(n), &mut du))?;
            let mut j = prep.jacobian((&u, Constant(n), &mut du))?;
            for _ in 0..calls {
                prep.jacobian_into(black_box(&mut j), (&u, Constant(n), &mut du))?;
            }
        }
        "reverse" => {
            let mut prep = prepare_jacobian(brusselator::D, AutoSparse::new(AutoReverse), (&u, Constant(n), &mut du))?;
            let mut j = prep.jacobian((&u, Constant(n), &mut du))?;
            for _ in 0..calls {
                prep.jacobian_into(black_box(&mut j), (&u, Constant(n), &mut du))?;
            }
        }
        other => panic!("no stage {other}"),
    }
    Ok(())
}
