//! Adjoint stencils in gather form (`stencil_gather`): linear steps through arrays, in place and from one to another, for any number of
//! iterations. And loops like them that are no linear steps.

use diffi::prelude::*;

/// In place, and the old value of the element before is carried.
#[differentiable(constant(k, steps))]
fn diffused(x: &[f64], k: f64, steps: usize) -> f64 {
    let mut u = x.to_vec();
    for _ in 0..steps {
        let mut left = if u.is_empty() { 0.0 } else { u[0] };
        for i in 1..u.len().saturating_sub(1) {
            let old = u[i];
            u[i] = old + k * (u[i + 1] - 2.0 * old + left);
            left = old;
        }
    }
    u.iter().map(|v| v * v * v).sum()
}

/// The same from the other end, and what is carried counts afterwards.
#[differentiable(constant(k, steps))]
fn downwards(x: &[f64], k: f64, steps: usize) -> f64 {
    let mut u = x.to_vec();
    let mut flux = 0.0;
    for _ in 0..steps {
        let mut right = u.iter().map(|v| v * v).sum::<f64>();
        for i in (1..u.len().saturating_sub(2)).rev() {
            let old = u[i];
            u[i] = 0.5 * old + right / k - (u[i - 1] - old) * k;
            right = old;
        }
        flux += right * right;
    }
    u.iter().map(|v| v * v).sum::<f64>() + flux
}

/// What an iteration reads has not been overwritten yet: upwind differences need no variable.
#[differentiable(constant(k, steps))]
fn upwind(x: &[f64], k: f64, steps: usize) -> f64 {
    let mut u = x.to_vec();
    for _ in 0..steps {
        for i in (2..u.len()).rev() {
            u[i] -= k * (u[i] - u[i - 1]) - k * k * u[i - 2] / 3.0;
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// Every element that an iteration reads on the left has been overwritten by the iteration before.
#[differentiable(constant(k, steps))]
fn relaxed(x: &[f64], k: f64, steps: usize) -> f64 {
    let mut u = x.to_vec();
    for _ in 0..steps {
        for i in 1..u.len().saturating_sub(1) {
            u[i] = k * u[i] + 0.5 * (u[i - 1] + u[i + 1]);
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// Sums of everything before.
#[differentiable(constant(k))]
fn summed(x: &[f64], k: f64) -> f64 {
    let mut u = x.to_vec();
    let mut sum = 0.0;
    for i in 0..u.len() {
        sum += k * u[i];
        u[i] = sum;
    }
    u.iter().map(|v| v * v).sum()
}

/// From one array to another, and back with differences alone.
#[differentiable(constant(k, steps))]
fn to_and_fro(x: &[f64], k: f64, steps: usize) -> f64 {
    let mut u = x.to_vec();
    let mut w = vec![0.0; x.len()];
    for _ in 0..steps {
        for i in 1..u.len().saturating_sub(1) {
            w[i] = u[i] + k * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        }
        for i in 0..u.len().saturating_sub(2) {
            u[i + 1] += k * (w[i + 2] - w[i]);
        }
    }
    u.iter().zip(&w).map(|(u, w)| u * w + u * u).sum()
}

/// Two old values are carried, and the reach is wide.
#[differentiable(constant(c, steps))]
fn wide(x: &[f64], c: &[f64], steps: usize) -> f64 {
    let mut u = x.to_vec();
    for _ in 0..steps {
        if u.len() < 4 {
            continue;
        }
        let (mut before, mut last) = (u[0], u[1]);
        for i in 2..u.len() - 2 {
            let old = u[i];
            u[i] += c[0] * (u[i + 2] + before) - c[1] * (u[i + 1] + last) + -2.0 * c[0] * c[1] * old;
            before = last;
            last = old;
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// Elements that move on, and ones of which nothing is left.
#[differentiable(constant(steps))]
fn shifted(x: &[f64], steps: usize) -> f64 {
    let mut u = x.to_vec();
    for _ in 0..steps {
        for i in 1..u.len() {
            u[i - 1] = u[i];
        }
        for i in (1..u.len()).rev() {
            u[i] = u[i] - u[i] + 3.0 * u[i - 1];
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// A step of its own, behind `&mut`, and its caller.
#[differentiable(constant(k))]
fn step(u: &mut [f64], k: f64) {
    let Some(first) = u.first() else { return };
    let mut left = *first;
    for i in 1..u.len() - 1 {
        let old = u[i];
        u[i] = (1.0 - k) * old + k * left;
        left = old;
    }
}

#[differentiable(constant(k))]
fn stepped(x: &[f64], k: f64) -> f64 {
    let mut u = x.to_vec();
    for _ in 0..3 {
        if u.len() > 0 {
            step(&mut u, k);
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// Rows of a matrix, with slopes of each row, and columns.
#[differentiable(constant(k, n))]
fn in_rows(x: &[f64], k: &[f64], n: usize) -> f64 {
    let mut u = x.to_vec();
    for r in 0..n {
        let mut left = 0.0;
        for i in 0..n - 1 {
            let old = u[r * n + i];
            u[r * n + i] = k[r] * old + left - u[r * n + i + 1] / k[r];
            left = 2.0 * old;
        }
        u[r * n] += left;
    }
    for i in 1..n - 1 {
        for c in 0..n {
            u[i * n + c] += k[c] * (u[(i - 1) * n + c] - u[(i + 1) * n + c]);
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// A step in the plane: three rows of one array get something from each element of another.
#[differentiable(constant(k, n, steps))]
fn in_the_plane(x: &[f64], k: f64, n: usize, steps: usize) -> f64 {
    let mut u = x.to_vec();
    let mut w = vec![0.0; n * n];
    for _ in 0..steps {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let beside = 0.5 * (u[(i - 1) * n + j] + u[(i + 1) * n + j]) + u[i * n + j - 1] + u[i * n + j + 1];
                w[i * n + j] = u[i * n + j] + k * (beside - 4.0 * u[i * n + j]);
            }
        }
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                u[i * n + j] = w[i * n + j] - k * w[i * n + j - 1];
            }
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// Rows that have most of their elements in common, `m` being smaller than what the inner loop goes through.
#[differentiable(constant(k, m))]
fn overlapping(x: &[f64], k: f64, m: usize) -> f64 {
    let mut u = x.to_vec();
    let mut w = vec![0.0; x.len()];
    for i in 1..3 {
        for j in 1..6 {
            w[i * m + j] += u[(i - 1) * m + j] - k * u[i * m + j + 1] + u[i * m + j - 1] / k;
        }
        for j in 1..6 {
            u[i * m + j] = k * w[i * m + j] + w[(i + 1) * m + j - 1];
        }
    }
    u.iter().zip(&w).map(|(u, w)| u * u + w).sum()
}

/// Slopes that are not the same in each iteration, and ones by which derivatives are taken.
#[differentiable]
fn uneven(x: &[f64], k: f64) -> f64 {
    let mut u = x.to_vec();
    let mut left = k;
    for i in 0..u.len().saturating_sub(1) {
        let old = u[i];
        u[i] = old / (1.0 + i as f64) + left - x[0] * u[i + 1] * k;
        left = old;
    }
    u.iter().map(|v| v * v).sum::<f64>() + left
}

/// A number that every iteration reads, and that is there to the end.
#[differentiable(constant(k))]
fn forced(x: &[f64], k: f64) -> f64 {
    let mut u = x.to_vec();
    let push = x.iter().map(|v| v.sin()).sum::<f64>();
    for i in 0..u.len().saturating_sub(1) {
        u[i] = k * push + u[i + 1];
    }
    u.iter().map(|v| v * v).sum()
}

fn wave(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.7 + (1.9 * i as f64).sin()).collect()
}

/// Products of the Jacobian's transpose agree with those of the Jacobian, which goes another way, for every length.
#[test]
fn all_lengths() {
    macro_rules! agree {
        ($($f:ident($($rest:expr),*))+) => { $(
            for n in 0..16 {
                let x = wave(n);
                let reverse = gradient($f::D, AutoReverse, (&x, $($rest),*)).unwrap();
                let forward = gradient($f::D, AutoForward, (&x, $($rest),*)).unwrap();
                assert_eq!(reverse.len(), n);
                for (r, f) in reverse.iter().zip(&forward) {
                    assert!((r - f).abs() <= 1e-12 * f.abs().max(1.0), "{} of {n}: {r}, {f}", stringify!($f));
                }
            }
        )+ };
    }
    let c = [0.3, 0.2];
    agree! {
        diffused(Constant(0.3), Constant(4)) downwards(Constant(0.3), Constant(3)) upwind(Constant(0.3), Constant(3))
        relaxed(Constant(0.3), Constant(3)) summed(Constant(0.3)) to_and_fro(Constant(0.3), Constant(3))
        wide(Constant(&c[..]), Constant(2)) shifted(Constant(3)) stepped(Constant(0.3)) forced(Constant(0.3))
    }
}

#[differentiable(constant(k, steps))]
fn diffused_singles(x: &[f32], k: f32, steps: usize) -> f32 {
    let mut u = x.to_vec();
    for _ in 0..steps {
        let mut left = u[0];
        for i in 1..u.len() - 1 {
            let old = u[i];
            u[i] = old + k * (u[i + 1] - 2.0f32 * old + left);
            left = old;
        }
    }
    u.iter().map(|v| v * v * v).sum()
}

#[test]
fn single_precision() {
    let x = wave(9);
    let singles: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    let doubles = gradient(diffused::D, AutoReverse, (&x, Constant(0.25), Constant(3))).unwrap();
    let singles = gradient(diffused_singles::D, AutoReverse, (&singles, Constant(0.25), Constant(3))).unwrap();
    for (double, single) in doubles.iter().zip(&singles) {
        assert!((double - f64::from(*single)).abs() < 1e-5, "{double} {single}");
    }
}

mod rows {
    use super::wave;
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number diffused(at x: Vec<f64>, fixed k: f64, fixed steps: usize):
            [wave(1), 0.3, 2] [wave(2), 0.3, 2] [wave(3), 0.3, 2] [wave(4), 0.3, 2] [wave(5), 0.3, 2] [wave(8), 0.3, 0] [wave(9), 0.3, 3];
        number downwards(at x: Vec<f64>, fixed k: f64, fixed steps: usize):
            [wave(1), 0.3, 2] [wave(2), 0.3, 2] [wave(3), 0.3, 2] [wave(4), 0.3, 2] [wave(5), 0.3, 2] [wave(6), 0.3, 2] [wave(9), 1.5, 2];
        number upwind(at x: Vec<f64>, fixed k: f64, fixed steps: usize):
            [wave(1), 0.3, 2] [wave(2), 0.3, 2] [wave(3), 0.3, 2] [wave(4), 0.3, 2] [wave(5), 0.3, 2] [wave(9), 0.3, 2];
        number relaxed(at x: Vec<f64>, fixed k: f64, fixed steps: usize): [wave(3), 0.3, 2] [wave(4), 0.3, 2] [wave(7), 0.3, 2];
        number summed(at x: Vec<f64>, fixed k: f64): [wave(1), 0.3] [wave(5), 0.3];
        number to_and_fro(at x: Vec<f64>, fixed k: f64, fixed steps: usize):
            [wave(2), 0.3, 2] [wave(3), 0.3, 2] [wave(4), 0.3, 2] [wave(5), 0.3, 2] [wave(6), 0.3, 2] [wave(9), 0.3, 2];
        number wide(at x: Vec<f64>, fixed_at c: Vec<f64>, fixed steps: usize):
            [wave(4), vec![0.3, 0.2], 2] [wave(6), vec![0.3, 0.2], 2] [wave(8), vec![0.3, 0.2], 2] [wave(12), vec![0.3, 0.2], 2];
        number shifted(at x: Vec<f64>, fixed steps: usize): [wave(1), 2] [wave(2), 2] [wave(3), 2] [wave(4), 2] [wave(8), 2];
        number stepped(at x: Vec<f64>, fixed k: f64): [wave(1), 0.3] [wave(2), 0.3] [wave(3), 0.3] [wave(4), 0.3] [wave(9), 0.3];
        number in_rows(at x: Vec<f64>, fixed_at k: Vec<f64>, fixed n: usize):
            [wave(4), vec![0.8, 1.2], 2] [wave(9), vec![0.8, 1.2, 0.5], 3] [wave(36), vec![0.8, 1.2, 0.5, 0.7, 1.1, 0.9], 6];
        number in_the_plane(at x: Vec<f64>, fixed k: f64, fixed n: usize, fixed steps: usize):
            [wave(1), 0.2, 1, 2] [wave(9), 0.2, 3, 2] [wave(16), 0.2, 4, 2] [wave(36), 0.2, 6, 2] [wave(64), 0.2, 8, 2];
        number overlapping(at x: Vec<f64>, fixed k: f64, fixed m: usize):
            [wave(12), 0.3, 0] [wave(12), 0.3, 1] [wave(14), 0.3, 2] [wave(30), 0.3, 7];
        number uneven(at x: Vec<f64>, by k: f64): [wave(1), 0.3] [wave(2), 0.3] [wave(3), 0.3] [wave(6), 0.3];
        number forced(at x: Vec<f64>, fixed k: f64): [wave(1), 0.3] [wave(2), 0.3] [wave(3), 0.3] [wave(4), 0.3] [wave(8), 0.3];
    }
}
