//! Replayed tapes take the operations of loops together: each is one entry for the whole array.

use diffi::prelude::*;

use crate::functions::close;

const N: usize = 40;

#[differentiable]
fn elementwise(x: &[f64]) -> f64 {
    let mut sum = 1.5;
    for i in 0..x.len() {
        sum += (x[i].sin() * x[i]).exp() - x[i].powi(3) / (x[i] * x[i] + 2.0) + x[i].max(0.1).sqrt();
    }
    sum
}

#[differentiable]
fn dots(x: &[f64]) -> f64 {
    let half = x.len() / 2;
    let mut sums = [0.0, 0.0, 1.0];
    for i in 0..half {
        sums[0] += x[i] * x[half + i];
        sums[1] -= x[i] * x[half - 1 - i];
        sums[2] += 0.5 * x[2 * i];
    }
    sums[0] * sums[1] / sums[2]
}

/// Rows of a matrix times a vector, and the vector times rows.
#[differentiable]
fn products(x: &[f64]) -> f64 {
    let (rows, columns) = (5, 7);
    let mut total = 0.0;
    for i in 0..rows {
        let mut sum = 0.0;
        for j in 0..columns {
            sum += x[i * columns + j] * x[33 + j];
        }
        total += sum.tanh();
    }
    total
}

/// Sums that come one after another with nothing between them.
#[differentiable]
fn sums_in_a_row(x: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        let mut sum = 0.0;
        for j in 0..8 {
            sum += x[8 * i + j] * x[j];
        }
        y[i] = sum;
    }
}

#[differentiable]
fn sums_of_rows(x: &[f64]) -> f64 {
    let mut y = [0.0; 5];
    sums_in_a_row(x, &mut y);
    y[0] * y[1] - y[2] / (y[3] * y[3] + 1.0) + y[4]
}

/// Sums on their way are read, too.
#[differentiable]
fn prefixes(x: &[f64]) -> f64 {
    let (mut sum, mut total) = (0.3, 0.0);
    for i in 0..x.len() {
        sum += x[i];
        total += sum * sum;
    }
    total
}

#[differentiable]
fn horner(x: &[f64]) -> f64 {
    let mut p = x[0];
    for i in 1..x.len() {
        p = p * 0.7 + x[i];
    }
    p
}

/// Two that need each other, beside one that needs none.
#[differentiable]
fn pendulum(x: &[f64]) -> f64 {
    let (mut angle, mut speed, mut work) = (x[0], x[1], 0.0);
    for i in 2..x.len() {
        speed -= 0.1 * angle.sin() + 0.01 * x[i];
        angle += 0.1 * speed;
        work += x[i] * x[i];
    }
    angle * speed + work
}

#[differentiable]
fn turns(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i * 7 % 40] * x[i * i % 40];
    }
    sum
}

/// What is added doubles what is there.
#[differentiable]
fn doubled(x: &[f64]) -> f64 {
    let mut sum = x[0];
    for i in 1..x.len() {
        sum += sum;
        sum += x[i];
        sum *= 0.4;
        sum = x[i] - sum;
    }
    let mut other = x[1];
    for _ in 0..12 {
        other += other;
    }
    sum + other
}

/// Steps where a slope is infinite, and nothing arrives.
#[differentiable]
fn covered(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] * 0.0).sqrt().min(-1.0) * x[i];
    }
    sum
}

#[differentiable]
fn stencil(x: &[f64]) -> f64 {
    let mut u = x.to_vec();
    for _ in 0..6 {
        let before = u.clone();
        for i in 1..u.len() - 1 {
            u[i] = before[i] + 0.2 * (before[i - 1] - 2.0 * before[i] + before[i + 1]);
        }
    }
    let mut energy = 0.0;
    for i in 0..u.len() {
        energy += u[i] * u[i];
    }
    energy
}

fn point(k: usize) -> Vec<f64> {
    (0..N).map(|i| 0.9 * ((7 * i + 3 * k) as f64).sin() + 0.05).collect()
}

/// Gradients, values and Hessians of replays are those of tapes that are recorded at every point: values to the last bit.
macro_rules! replays {
    ($($name:ident)+) => { $(
        #[test]
        fn $name() {
            let mut replayed = prepare_gradient(super::$name::D, AutoTape.replayed(), &point(0)).unwrap();
            for k in 1..4 {
                let x = point(k);
                let (value, expected) = value_and_gradient(super::$name::D, AutoTape, &x).unwrap();
                let (found, g) = replayed.value_and_gradient(&x).unwrap();
                assert_eq!(found.to_bits(), value.to_bits());
                close(&g, &expected, 1e-13);
                close(&g, &gradient(super::$name::D, AutoReverse, &x).unwrap(), 1e-13);
            }
            let x = point(5);
            let v: Vec<f64> = (0..N).map(|i| 1.0 - 0.05 * i as f64).collect();
            let mut products = prepare_hvp(super::$name::D, AutoTape.replayed(), &point(0), &v[..]).unwrap();
            let expected = hvp(super::$name::D, SecondOrder(AutoForward, AutoReverse), &x, &v[..]).unwrap();
            close(&products.hvp(&x, &v[..]).unwrap(), &expected, 1e-12);
        }
    )+ };
}

mod replays {
    use super::*;
    replays! { elementwise dots products sums_of_rows prefixes horner pendulum turns doubled stencil }
}

/// What nobody's cotangent reaches passes on nothing, however steep it is.
#[test]
fn no_slope_where_nothing_arrives() {
    let mut prepared = prepare_gradient(covered::D, AutoTape.replayed(), &point(0)).unwrap();
    assert_eq!(prepared.gradient(&point(1)).unwrap(), [-1.0; N]);
}

/// Several cotangents at once go through the entries.
#[test]
fn batches_of_cotangents() {
    let mut y = [0.0; 5];
    let mut prepared = prepare_jacobian(sums_in_a_row::D, AutoTape.replayed(), (&point(0), &mut y)).unwrap();
    let x = point(2);
    let found = prepared.jacobian((&x, &mut y)).unwrap();
    for ((i, j), entry) in found.indexed_iter() {
        let by_row = if j / 8 == i { x[j % 8] } else { 0.0 };
        let by_head = if j < 8 { x[8 * i + j] } else { 0.0 };
        assert!((entry - by_row - by_head).abs() < 1e-13, "{i}, {j}");
    }
}

/// Single precision has entries of its own.
#[test]
fn in_single_precision() {
    #[differentiable]
    fn squares(x: &[f32]) -> f32 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * x[i];
        }
        sum
    }
    let mut prepared = prepare_gradient(squares::D, AutoTape.replayed(), &[1.0f32; 20]).unwrap();
    let x: Vec<f32> = (0..20).map(|i| i as f32).collect();
    assert_eq!(prepared.gradient(&x).unwrap(), x.iter().map(|x| 2.0 * x).collect::<Vec<f32>>());
}

/// An operation in a loop takes its value, its adjoint and little more; a term of a sum takes nothing.
#[test]
fn entries_take_the_memory_of_their_values() {
    #[differentiable]
    fn norm(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * x[i];
        }
        sum
    }
    let n = 10_000;
    let (mut x, mut g) = (vec![0.5; n], vec![0.0; n]);
    let mut prepared = prepare_gradient(norm::D, AutoTape.replayed(), &x).unwrap();
    x[3] = 2.0;
    prepared.gradient_into(&mut g, &x).unwrap();
    assert_eq!(g[2..5], [1.0, 4.0, 1.0]);
    // Of x and of its squares: values and adjoints, 16 bytes each.
    assert!(prepared.tape_bytes() < 2 * 16 * n + n * 8, "{}", prepared.tape_bytes());
}
