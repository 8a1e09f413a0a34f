//! Loop fission by linearity (`distribute_linear`): loops over points whose cotangents are propagated by factors that all points share.
//! And loops that look alike, where factors, conditions or lengths differ from point to point, or where points depend on each other.

use diffi::prelude::*;

/// A triangle times what a point is away from each mean, by columns, and a function of the squares: a mixture.
#[differentiable(constant(points, d))]
fn mixture(l: &[f64], means: &[f64], points: &[f64], d: usize) -> f64 {
    let k = means.len() / d;
    let mut x = vec![0.0; d];
    let mut y = vec![0.0; d];
    let mut total = 0.25;
    for p in 0..points.len() / d {
        let mut sum = 1.0;
        for c in 0..k {
            for i in 0..d {
                x[i] = points[p * d + i] - means[c * d + i];
                y[i] = l[i] * x[i];
            }
            for i in 0..d {
                for j in i + 1..d {
                    y[j] += l[i * d + j] * x[i];
                }
            }
            sum += (-y.iter().map(|v| v * v).sum::<f64>()).exp();
        }
        total += sum.ln();
    }
    total
}

/// Without components, and with derivatives through the points: what goes to them goes on in each iteration.
#[differentiable(constant(d))]
fn shifted(l: &[f64], mean: &[f64], points: &[f64], d: usize) -> f64 {
    let mut total = 0.0;
    for p in 0..points.len() / d {
        let mut x = vec![0.0; d];
        let mut y = vec![0.0; d];
        for i in 0..d {
            x[i] = points[p * d + i] - mean[i];
        }
        for i in 0..d {
            for j in 0..d {
                y[j] += l[i * d + j] * x[i];
            }
        }
        for j in 0..d {
            total += y[j].sin();
        }
    }
    total
}

/// Two layers, of which the first one is the same for all points but for an offset; a condition that all points share, and negative signs.
#[differentiable(constant(points, d))]
fn layers(w: &[f64], offset: &[f64], points: &[f64], d: usize) -> f64 {
    let mut total = 0.5;
    for point in points.chunks_exact(d) {
        let mut h = vec![0.0; d];
        let mut y = vec![0.0; d];
        for i in 0..d {
            h[i] = point[i] * w[i] - offset[i] / w[d];
        }
        if d > 2 {
            for i in 0..d {
                for j in 0..d {
                    y[j] -= w[i * d + j] * h[i];
                }
            }
        } else {
            for i in 0..d {
                y[i] = h[i] + w[0] * offset[i];
            }
        }
        for j in 0..d {
            total += y[j] * y[j] * point[0];
        }
    }
    total
}

/// A factor that is each point's own.
#[differentiable(constant(points, d))]
fn own_factors(w: &[f64], mean: &[f64], points: &[f64], d: usize) -> f64 {
    let mut total = 0.0;
    for point in points.chunks_exact(d) {
        let mut x = vec![0.0; d];
        let mut y = vec![0.0; d];
        for i in 0..d {
            x[i] = mean[i] * point[i];
        }
        for i in 0..d {
            for j in 0..d {
                y[j] += w[i * d + j] * x[i] * point[j];
            }
        }
        total += y.iter().map(|v| v * v).sum::<f64>();
    }
    total
}

/// How far loops run, and which side of a condition, is a point's own.
#[differentiable(constant(points, d))]
fn own_lengths(w: &[f64], mean: &[f64], points: &[f64], d: usize) -> f64 {
    let mut total = 0.0;
    for p in 0..points.len() / d {
        let mut x = vec![0.0; d];
        let mut y = vec![0.0; d];
        for i in 0..d {
            x[i] = mean[i] - points[p * d + i];
        }
        for i in 0..1 + p % d {
            for j in 0..d {
                y[j] += w[i * d + j] * x[i];
            }
        }
        if points[p * d] > 0.4 {
            for i in 0..d {
                for j in 0..i {
                    y[j] += w[i * d + j] * x[i];
                }
            }
        }
        total += y.iter().map(|v| v.cos()).sum::<f64>();
    }
    total
}

/// What an iteration's array holds goes into sums as it is, and with it the factors' cotangents.
#[differentiable(constant(points, d))]
fn weighted(w: &[f64], mean: &[f64], points: &[f64], d: usize) -> f64 {
    let mut total = 0.0;
    let mut x = vec![0.0; d];
    for point in points.chunks_exact(d) {
        for i in 0..d {
            x[i] = point[i] - mean[i];
        }
        for i in 0..d {
            for j in 0..d {
                total += w[i * d + j] * x[i];
            }
        }
    }
    total * w[0]
}

/// The same, where some of it does not count.
#[differentiable(constant(points, d))]
fn chosen(w: &[f64], mean: &[f64], points: &[f64], d: usize) -> f64 {
    let mut total = 0.0;
    let mut x = vec![0.0; d];
    for point in points.chunks_exact(d) {
        for i in 0..d {
            x[i] = point[i] - mean[i] * 0.7;
        }
        for i in 0..d {
            if x[i] > 0.1 {
                for j in 0..d {
                    total += w[i * d + j] * x[i];
                }
            }
        }
    }
    total * w[0]
}

/// Points that take over what the one before has left.
#[differentiable(constant(points, d))]
fn in_turn(w: &[f64], mean: &[f64], points: &[f64], d: usize) -> f64 {
    let mut y = vec![0.1; d];
    let mut total = 0.0;
    for point in points.chunks_exact(d) {
        let mut x = vec![0.0; d];
        for i in 0..d {
            x[i] = point[i] - mean[i];
        }
        for i in 0..d {
            for j in 0..d {
                y[j] += w[i * d + j] * x[i];
            }
        }
        for j in 0..d {
            y[j] = y[j].sin();
            total += y[j];
        }
    }
    total
}

/// Slices that are cut for the points alone: without points there is nothing to cut them from.
#[differentiable(constant(points, d))]
fn without_points(w: &[f64], mean: &[f64], points: &[f64], d: usize) -> f64 {
    let mut total = 1.0;
    for point in points.chunks_exact(d) {
        let (center, rows) = (&mean[d..2 * d], &w[..d * d]);
        let mut x = vec![0.0; d];
        let mut y = vec![0.0; d];
        for i in 0..d {
            x[i] = point[i] - center[i];
        }
        for i in 0..d {
            for j in 0..d {
                y[j] += rows[i * d..(i + 1) * d][j] * x[i];
            }
        }
        total += y.iter().map(|v| v * v).sum::<f64>();
    }
    total
}

fn wave(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.4 + 0.5 * (1.7 * i as f64).sin()).collect()
}

#[track_caller]
fn close(what: &str, all: &[f64], expected: &[f64]) {
    for (a, b) in all.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-11 * b.abs().max(1.0), "{what}: {a}, {b}");
    }
}

/// Gradients, and products with the Hessian, one and four at once, agree with those by tangents alone. So do those by one argument at a time.
macro_rules! agree {
    ($f:ident, $w:expr, $mean:expr, $points:expr, $d:expr) => {{
        let (name, w, mean) = (stringify!($f), $w, $mean);
        let all = (w, mean, Constant($points), Constant($d));
        let (reverse, forward) =
            (gradient($f::D, AutoReverse, all).unwrap(), gradient($f::D, AutoForward, all).unwrap());
        close(name, &reverse.0, &forward.0);
        close(name, &reverse.1, &forward.1);
        let first = gradient($f::D, AutoReverse, (w, Constant(mean), Constant($points), Constant($d))).unwrap();
        let second = gradient($f::D, AutoReverse, (Constant(w), mean, Constant($points), Constant($d))).unwrap();
        close(name, &first, &forward.0);
        close(name, &second, &forward.1);
        let one = (wave(40)[7..].to_vec(), wave(47)[9..].to_vec());
        let (a, b) = ((&one.0[..w.len()], &one.1[..mean.len()]), (&one.1[..w.len()], &one.0[..mean.len()]));
        let (back, ahead) = (SecondOrder(AutoForward, AutoReverse), SecondOrder(AutoForward, AutoForward));
        let four = hvp($f::D, back, all, [a, b, b, a]).unwrap();
        for (product, v) in four.iter().zip([a, b, b, a]) {
            let (alone, plain) = (hvp($f::D, back, all, v).unwrap(), hvp($f::D, ahead, all, v).unwrap());
            for other in [&alone, &plain] {
                close(name, &product.0, &other.0);
                close(name, &product.1, &other.1);
            }
        }
        let plain = hvp($f::D, ahead, (Constant(w), mean, Constant($points), Constant($d)), a.1).unwrap();
        close(name, &hvp($f::D, back, (Constant(w), mean, Constant($points), Constant($d)), a.1).unwrap(), &plain);
        let plain = hvp($f::D, ahead, (w, Constant(mean), Constant($points), Constant($d)), a.0).unwrap();
        close(name, &hvp($f::D, back, (w, Constant(mean), Constant($points), Constant($d)), a.0).unwrap(), &plain);
    }};
}

#[test]
fn all_numbers_of_points() {
    for n in [0, 1, 3, 4, 6, 9] {
        for d in 1..5 {
            let (w, points, mean) = (wave(d * d + 1), wave(n * d), wave(3 * d));
            let (w, mean, points) = (&w[..], &mean[..], &points[..]);
            agree!(mixture, w, mean, points, d);
            agree!(layers, w, &mean[..d], points, d);
            agree!(own_factors, w, &mean[..d], points, d);
            agree!(own_lengths, w, &mean[..d], points, d);
            agree!(weighted, w, &mean[..d], points, d);
            agree!(chosen, w, &mean[..d], points, d);
            agree!(in_turn, w, &mean[..d], points, d);
            agree!(without_points, w, mean, points, d);
        }
    }
    let nothing: &[f64] = &[];
    assert_eq!(
        gradient(without_points::D, AutoReverse, (nothing, nothing, Constant(nothing), Constant(2))).unwrap().0,
        []
    );
}

#[test]
fn through_points_or_not() {
    for n in [1, 4, 7] {
        let (l, mean, points) = (wave(9), wave(3), wave(3 * n));
        let (l, mean, points) = (&l[..], &mean[..], &points[..]);
        let all = (l, mean, points, Constant(3));
        let (reverse, forward) =
            (gradient(shifted::D, AutoReverse, all).unwrap(), gradient(shifted::D, AutoForward, all).unwrap());
        close("triangle", &reverse.0, &forward.0);
        close("mean", &reverse.1, &forward.1);
        close("points", &reverse.2, &forward.2);
        agree!(shifted, l, mean, points, 3);
    }
}

mod rows {
    use super::wave;
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number mixture(at l: Vec<f64>, at means: Vec<f64>, fixed_at points: Vec<f64>, fixed d: usize): [wave(9), wave(6), wave(18), 3];
        number shifted(at l: Vec<f64>, at mean: Vec<f64>, at points: Vec<f64>, fixed d: usize): [wave(9), wave(3), wave(15), 3];
        number layers(at w: Vec<f64>, at offset: Vec<f64>, fixed_at points: Vec<f64>, fixed d: usize):
            [wave(10), wave(3), wave(15), 3] [wave(5), wave(2), wave(10), 2];
        number own_factors(at w: Vec<f64>, at mean: Vec<f64>, fixed_at points: Vec<f64>, fixed d: usize): [wave(9), wave(3), wave(15), 3];
        number own_lengths(at w: Vec<f64>, at mean: Vec<f64>, fixed_at points: Vec<f64>, fixed d: usize): [wave(9), wave(3), wave(15), 3];
        number weighted(at w: Vec<f64>, at mean: Vec<f64>, fixed_at points: Vec<f64>, fixed d: usize): [wave(9), wave(3), wave(15), 3];
        number chosen(at w: Vec<f64>, at mean: Vec<f64>, fixed_at points: Vec<f64>, fixed d: usize): [wave(9), wave(3), wave(15), 3];
        number in_turn(at w: Vec<f64>, at mean: Vec<f64>, fixed_at points: Vec<f64>, fixed d: usize): [wave(9), wave(3), wave(15), 3];
        number without_points(at w: Vec<f64>, at mean: Vec<f64>, fixed_at points: Vec<f64>, fixed d: usize): [wave(9), wave(6), wave(15), 3];
    }
}
