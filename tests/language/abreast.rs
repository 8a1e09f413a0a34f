//! Outer-loop vectorization (`outer_vectorize`): sums over points whose iterations only meet in sums, for any number of points.
//! And loops that look alike, whose iterations depend on each other. The tape frames of a loop within an iteration are those of its block.

use diffi::prelude::*;

/// `|L (x - mean)|²` of every point, `L` a triangle.
#[differentiable(constant(points, d))]
fn whitened(l: &[f64], mean: &[f64], points: &[f64], d: usize) -> f64 {
    let mut y = vec![0.0; d];
    let mut total = 0.0;
    for point in points.chunks_exact(d) {
        for i in 0..d {
            y[i] = point[i] - mean[i];
        }
        for i in (0..d).rev() {
            let mut sum = 0.0;
            for j in 0..i + 1 {
                sum += l[i * d + j] * y[j];
            }
            y[i] = sum;
        }
        total += y.iter().map(|v| v * v).sum::<f64>();
    }
    total
}

/// The same by columns, with arrays for each group, and a function of what the groups give.
#[differentiable(constant(points, d))]
fn mixed(l: &[f64], means: &[f64], points: &[f64], d: usize) -> f64 {
    let k = means.len() / d;
    let mut x = vec![0.0; d];
    let mut y = vec![0.0; d];
    let mut terms = vec![0.0; k];
    let mut total = 0.25;
    for p in 0..points.len() / d {
        for c in 0..k {
            for i in 0..d {
                x[i] = points[p * d + i] - means[c * d + i];
                y[i] = 0.5 * x[i];
            }
            for i in 0..d {
                for j in i + 1..d {
                    y[j] += l[i * d + j] * x[i];
                }
            }
            terms[c] = -y.iter().map(|v| v * v).sum::<f64>();
        }
        total += log_sum_exp(&terms);
    }
    total * 0.5
}

#[differentiable]
fn log_sum_exp(x: &[f64]) -> f64 {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + x.iter().map(|v| (v - largest).exp()).sum::<f64>().ln()
}

/// From the second point on, with derivatives through the points, a condition that all iterations share, arrays that begin with a value,
/// lengths of arrays in indices, and numbers that are the same for all points.
#[differentiable(constant(n, d))]
fn shared(w: &[f64], points: &[f64], n: usize, d: usize) -> f64 {
    let mut total = 0.0;
    for p in 1..n {
        let start = p * d;
        let first = w[0] * w[0];
        let mut y = vec![0.5; d];
        let mut x = vec![0.0; d];
        for i in 0..d {
            x[i] = points[start + i] * first;
        }
        if d > 2 {
            for i in 0..d {
                for j in 0..x.len() {
                    y[j] += w[i * d + j] * x[i];
                }
            }
        } else {
            y[0] += x[d - 1];
        }
        let last = y.len() - 1;
        total += y[last].sin() - first * y[0];
    }
    total
}

/// A polynomial at points, by powers that an iteration's own loop keeps, and by Horner's rule, whose loop keeps what it multiplies.
#[differentiable(constant(n))]
fn polynomials(w: &[f64], v: &[f64], n: usize) -> f64 {
    let mut total = 0.5;
    for p in 0..n {
        let t = -1.0 + p as f64 * 0.3;
        let target = if t == 0.0 { 0.0 } else { t.signum() };
        let square = t * t;
        let mut power = 1.0;
        let (mut even, mut odd) = (0.0, 0.0);
        for two in w.chunks_exact(2) {
            even += two[0] * power;
            odd += two[1] * (power * t);
            power *= square;
        }
        let mut horner = t;
        for c in v {
            horner = horner * c + t;
        }
        let residual = target - (even + odd) + horner.sin();
        total += residual * residual;
    }
    total
}

/// Arrays of an iteration that are the same in every iteration, next to one that is not.
#[differentiable(constant(points, d))]
fn same_for_all(w: &[f64], mean: &[f64], points: &[f64], d: usize) -> f64 {
    let mut total = 0.5;
    for point in points.chunks_exact(d) {
        let mut scales = vec![0.0; d];
        let mut y = vec![0.0; d];
        for i in 0..d {
            scales[i] = mean[i].sin();
            for j in 0..d {
                y[j] += w[i * d + j] * scales[i];
            }
        }
        for i in 0..d {
            y[i] *= point[i] - mean[i];
        }
        total += y.iter().map(|v| v * v).sum::<f64>();
    }
    total
}

/// Sums of the function's own that grow within an iteration, in the user's order: iteration by iteration.
#[differentiable(constant(points, d))]
fn in_order(w: &[f64], points: &[f64], d: usize) -> f64 {
    let mut total = 10.0;
    let mut twice = 1.0;
    for point in points.chunks_exact(d) {
        for i in 0..d {
            let mut sum = point[i];
            for j in 0..d {
                sum += w[i * d + j] * w[j];
            }
            total += sum * 0.1;
        }
        twice += w[0] * point[0];
        twice += w[1 % d] * 0.5;
    }
    total * twice
}

/// How far an iteration's loops run depends on the iteration.
#[differentiable(constant(points, d))]
fn ragged(w: &[f64], points: &[f64], d: usize) -> f64 {
    let mut total = 0.0;
    for p in 0..points.len() / d {
        let mut y = vec![0.0; d];
        for i in 0..1 + p % d {
            for j in 0..d {
                y[j] += w[i * d + j] * points[p * d + i];
            }
        }
        for i in 0..d {
            total += if points[p * d] > 0.5 { y[i] * y[i] } else { y[i] };
        }
    }
    total
}

/// What an iteration leaves in an array, the next one reads.
#[differentiable(constant(points, d))]
fn handed_on(w: &[f64], points: &[f64], d: usize) -> f64 {
    let mut y = vec![0.1; d];
    let mut total = 0.0;
    for point in points.chunks_exact(d) {
        for i in 0..d {
            for j in 0..d {
                y[j] += 0.1 * w[i * d + j] * point[i];
            }
        }
        total += y.iter().map(|v| v * v).sum::<f64>();
    }
    total
}

fn wave(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.3 + 0.5 * (1.9 * i as f64).sin()).collect()
}

/// Gradients agree with those of tangents, which go another way; the value is the function's to the last bit.
macro_rules! agree {
    ($f:ident, $($args:expr),*; $($plain:expr),*) => {{
        let (value, reverse) = value_and_gradient($f::D, AutoReverse, ($($args),*)).unwrap();
        let forward = gradient($f::D, AutoForward, ($($args),*)).unwrap();
        assert_eq!(value.to_bits(), $f($($plain),*).to_bits(), "{}: the value", stringify!($f));
        let pairs = reverse.0.iter().zip(&forward.0).chain(reverse.1.iter().zip(&forward.1));
        for (r, f) in pairs {
            assert!((r - f).abs() <= 1e-11 * f.abs().max(1.0), "{}: {r}, {f}", stringify!($f));
        }
    }};
}

#[test]
fn all_numbers_of_points() {
    for n in (0..11).chain([15, 16, 19]) {
        for d in 1..6 {
            let (w, points, mean) = (wave(d * d), wave(n * d), wave(3 * d));
            agree!(whitened, &w, &mean[..d], Constant(&points[..]), Constant(d); &w, &mean[..d], &points, d);
            agree!(mixed, &w, &mean[..], Constant(&points[..]), Constant(d); &w, &mean, &points, d);
            agree!(polynomials, &w, &mean[..], Constant(n); &w, &mean, n);
            agree!(same_for_all, &w, &mean[..d], Constant(&points[..]), Constant(d); &w, &mean[..d], &points, d);
            agree!(shared, &w, &points[..], Constant(n), Constant(d); &w, &points, n, d);
        }
    }
}

/// Products with the Hessian, one and four at once, agree with those of tangents of tangents.
macro_rules! products_agree {
    ($f:ident, $at:expr, $one:expr) => {{
        let (at, one) = ($at, $one);
        let (back, ahead) = (SecondOrder(AutoForward, AutoReverse), SecondOrder(AutoForward, AutoForward));
        let close = |a: &[f64], b: &[f64]| {
            for (r, f) in a.iter().zip(b) {
                assert!((r - f).abs() <= 1e-11 * f.abs().max(1.0), "{}: {r}, {f}", stringify!($f));
            }
        };
        let tangents = [(&one.0, &one.1), (&one.1, &one.0), (&one.0, &one.0), (&one.1, &one.1)];
        let tangents = tangents.map(|(a, b)| (&a[..at.0.len()], &b[..at.1.len()]));
        let four = hvp($f::D, back, at, tangents).unwrap();
        for (product, v) in four.iter().zip(tangents) {
            let (alone, plain) = (hvp($f::D, back, at, v).unwrap(), hvp($f::D, ahead, at, v).unwrap());
            for other in [&alone, &plain] {
                close(&product.0, &other.0);
                close(&product.1, &other.1);
            }
        }
    }};
}

#[test]
fn products_with_hessians_of_all_numbers_of_points() {
    for n in [0, 1, 3, 4, 6, 9] {
        for d in 1..5 {
            let (w, points, mean) = (wave(d * d), wave(n * d), wave(3 * d));
            let one = (wave(40), wave(47)[7..].to_vec());
            products_agree!(whitened, (&w[..], &mean[..d], Constant(&points[..]), Constant(d)), &one);
            products_agree!(mixed, (&w[..], &mean[..], Constant(&points[..]), Constant(d)), &one);
            products_agree!(shared, (&w[..], &points[..], Constant(n), Constant(d)), &one);
            products_agree!(same_for_all, (&w[..], &mean[..d], Constant(&points[..]), Constant(d)), &one);
        }
    }
}

mod rows {
    use super::wave;
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number whitened(at l: Vec<f64>, at mean: Vec<f64>, fixed_at points: Vec<f64>, fixed d: usize):
            [wave(9), wave(3), wave(27), 3] [wave(4), wave(2), wave(8), 2];
        number mixed(at l: Vec<f64>, at means: Vec<f64>, fixed_at points: Vec<f64>, fixed d: usize): [wave(9), wave(6), wave(18), 3];
        number polynomials(at w: Vec<f64>, at v: Vec<f64>, fixed n: usize): [wave(9), wave(3), 7] [wave(4), wave(2), 4];
        number shared(at w: Vec<f64>, at points: Vec<f64>, fixed n: usize, fixed d: usize): [wave(9), wave(21), 7, 3] [wave(4), wave(12), 6, 2];
        number same_for_all(at w: Vec<f64>, at mean: Vec<f64>, fixed_at points: Vec<f64>, fixed d: usize):
            [wave(9), wave(3), wave(27), 3] [wave(4), wave(2), wave(8), 2];
        number in_order(at w: Vec<f64>, fixed_at points: Vec<f64>, fixed d: usize): [wave(9), wave(18), 3];
        number ragged(at w: Vec<f64>, fixed_at points: Vec<f64>, fixed d: usize): [wave(9), wave(18), 3];
        number handed_on(at w: Vec<f64>, fixed_at points: Vec<f64>, fixed d: usize): [wave(9), wave(18), 3];
    }
}
