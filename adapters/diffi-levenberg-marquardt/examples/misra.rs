//! The volume of a dental study: Misra1a of NIST's reference datasets for nonlinear regression, from its first start.
//!
//! NIST certifies b1 = 238.94212918, b2 = 5.5015643181e-4 and a sum of squares of 0.12455138894. The picture is `misra.svg`.

use diffi::prelude::*;
use diffi_adapter::{Residuals, VectorFunction};
use diffi_levenberg_marquardt::LeastSquares;
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, differentiate_numerically};
use nalgebra::{DMatrix, DVector};
use report::{Axis, Plot};
use std::hint::black_box;

const DATA: [[f64; 2]; 14] = [
    [77.6, 10.07],
    [114.9, 14.73],
    [141.1, 17.94],
    [190.8, 23.93],
    [239.9, 29.61],
    [289.0, 35.18],
    [332.8, 40.02],
    [378.4, 44.82],
    [434.8, 50.76],
    [477.3, 55.05],
    [536.8, 61.01],
    [593.1, 66.4],
    [689.1, 75.47],
    [760.0, 81.78],
];
const START: [f64; 2] = [500.0, 0.0001];

#[differentiable(constant(data))]
fn misfit(b: &[f64], data: &[[f64; 2]]) -> Vec<f64> {
    data.iter().map(|[x, y]| y - b[0] * (1.0 - (-b[1] * x).exp())).collect()
}

fn run<R: Residuals>(name: &str, residuals: impl Fn() -> diffi::Result<R>) -> Vec<f64> {
    let run = || {
        let problem = LeastSquares::new(residuals().expect("it is defined at the start"), &START);
        LevenbergMarquardt::new().minimize(problem)
    };
    let ((found, report), time) = report::fastest(run);
    let (b, squares) = (found.parameters().to_vec(), 2.0 * report.objective_function);
    println!(
        "{name:16} b1 {:.8}, b2 {:.10e}, sum of squares {squares:.11}, {} evaluations, {time} us",
        b[0], b[1], report.number_of_evaluations
    );
    b
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let b = run("by diffi", || VectorFunction::with_data(misfit::D, AutoForward, &START, DATA.to_vec()));
    run("by differences", || VectorFunction::with_data(misfit::D, AutoFiniteDiff, &START, DATA.to_vec()));
    println!("certified        b1 238.94212918, b2 5.5015643181e-4, sum of squares 0.12455138894");
    assert!((b[0] / 238.94212918 - 1.0).abs() < 1e-8 && (b[1] / 5.5015643181e-4 - 1.0).abs() < 1e-8);

    // the crate's own oracle
    let mut problem = LeastSquares::new(VectorFunction::with_data(misfit::D, AutoForward, &b, DATA.to_vec())?, &b);
    let by_differences = differentiate_numerically(&mut problem).expect("the residuals are there");
    let exact = problem.jacobian().expect("the Jacobian is there");
    let off = (&exact - by_differences).amax() / exact.amax();
    println!("off `differentiate_numerically` by {off:.1e}");
    assert!(off < 1e-6);
    overhead()?;
    Ok(picture(&b)?)
}

/// What the adapter adds to a call of the prepared object, whose matrix becomes one of nalgebra's.
fn overhead() -> diffi::Result<()> {
    let data = DATA.to_vec();
    let mut prepared = prepare_jacobian(misfit::D, AutoForward, (&START, Constant(&data)))?;
    let of = |values: &[f64], jacobian: &DMatrix<f64>| black_box(values)[0] + black_box(jacobian)[(0, 0)];
    let mut problem =
        LeastSquares::new(VectorFunction::with_data(misfit::D, AutoForward, &START, DATA.to_vec())?, &START);
    report::overhead(
        "levenberg-marquardt",
        |k| {
            let x = DVector::from_column_slice(&[500.0 + k, 0.0001]);
            let args = (black_box(x.as_slice()), Constant(black_box(&data)));
            let found = prepared.value_and_jacobian(args).map(|(values, matrix)| {
                let (rows, columns) = matrix.dim();
                of(&values, &DMatrix::from_row_iterator(rows, columns, matrix.iter().copied()))
            });
            found.unwrap_or(f64::NAN)
        },
        |k| {
            problem.set_params(black_box(&DVector::from_column_slice(&[500.0 + k, 0.0001])));
            let found = problem.residuals().zip(problem.jacobian());
            found.map_or(f64::NAN, |(values, jacobian)| of(values.as_slice(), &jacobian))
        },
    );
    Ok(())
}

fn picture(b: &[f64]) -> std::io::Result<()> {
    let (x, y) = (Axis::linear("pressure", 0.0, 800.0), Axis::linear("volume", 0.0, 90.0));
    let mut plot = Plot::new("Misra1a: volume adsorbed, and the fitted curve", x, y);
    plot.points("", DATA.map(|[x, y]| (x, y)));
    plot.curve("", (0..=80).map(|k| 10.0 * f64::from(k)).map(|x| (x, b[0] * (1.0 - (-b[1] * x).exp()))));
    plot.save("misra")
}
