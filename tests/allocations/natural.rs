//! Functions that make vectors themselves, of numbers, rows and arrays: their gradients take the memory of the call before.

#![expect(clippy::useless_vec, clippy::needless_range_loop, reason = "what people write, and what allocates")]

use super::none;
use diffi::prelude::*;

/// Values rolled back in place, of which the first one is the result.
#[differentiable]
fn rolled_back(x: &[f64]) -> f64 {
    let n = x.len() - 1;
    let mut value: Vec<f64> = (0..=n).map(|i| x[i] * x[0]).collect();
    for level in (0..n).rev() {
        for i in 0..=level {
            value[i] = 0.6 * value[i + 1] * value[i] + 0.3 * value[i];
        }
    }
    value[0]
}

/// A table of rows, of which the last element is the result.
#[differentiable]
fn tabulated(x: &[f64]) -> f64 {
    let n = x.len();
    let mut table = vec![vec![1.0_f64; n + 1]; n + 1];
    for i in 1..=n {
        for j in 1..=n {
            table[i][j] = 0.5 * (table[i - 1][j] * table[i][j - 1]).sin() + x[i - 1] * x[j - 1];
        }
    }
    table[n][n]
}

/// Rows of a list, changed in place.
#[differentiable]
fn orthogonal(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = x.chunks(2).map(|c| c.to_vec()).collect();
    let mut volume = 0.0;
    for j in 0..rows.len() {
        let norm = (rows[j][0] * rows[j][0] + rows[j][1] * rows[j][1] + 0.1).sqrt();
        volume += norm.ln();
        for v in rows[j].iter_mut() {
            *v /= norm;
        }
        for k in j + 1..rows.len() {
            let along = rows[j][0] * rows[k][0] + rows[j][1] * rows[k][1];
            for i in 0..2 {
                rows[k][i] -= along * rows[j][i];
            }
        }
    }
    volume
}

/// Matrices and vectors that are written out, one after the other.
#[differentiable]
fn filtered(x: &[f64]) -> f64 {
    let mut state = vec![x[0], x[1]];
    let mut p = vec![vec![1.0, x[2]], vec![x[2], 1.0]];
    let mut score = 0.0;
    for z in x {
        let q = vec![vec![p[0][0] + x[3], p[0][1]], vec![p[1][0], p[1][1] + x[3]]];
        let gain = vec![q[0][0] / (q[0][0] + 1.0), q[1][0] / (q[0][0] + 1.0)];
        let error = z - state[0];
        score += error * error / q[0][0];
        state = vec![state[0] + gain[0] * error, state[1] + gain[1] * error];
        for i in 0..2 {
            for j in 0..2 {
                p[i][j] = q[i][j] - gain[i] * q[0][j];
            }
        }
    }
    score
}

/// A list of levels, which grows.
#[differentiable]
fn levels(x: &[f64]) -> f64 {
    let mut all = vec![x.to_vec()];
    for t in 0..4 {
        let mut new = all[t].clone();
        for i in 1..x.len() {
            new[i] = all[t][i] + 0.3 * all[t][i - 1] * all[t][i];
        }
        all.push(new);
    }
    all.iter().map(|u| u.iter().map(|v| v * v).sum::<f64>()).sum()
}

/// Rows that take the place of others.
#[differentiable]
fn replaced(x: &[f64]) -> f64 {
    let mut h: Vec<Vec<f64>> = x.chunks(3).map(|c| c.to_vec()).collect();
    for _ in 0..3 {
        let mut next = vec![vec![0.0; 3]; h.len()];
        for i in 0..h.len() {
            for k in 0..3 {
                next[i][k] = (h[i][k] + h[(i + 1) % h.len()][k]).tanh();
            }
        }
        h = next;
    }
    h.iter().map(|row| row.iter().map(|v| v * v).sum::<f64>()).sum()
}

#[differentiable]
fn layer(w: &[f64], x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for o in 0..x.len() {
        y[o] = x.iter().map(|v| v * w[o]).sum::<f64>().tanh();
    }
    y
}

/// Results of calls.
#[differentiable]
fn layered(x: &[f64]) -> f64 {
    let mut loss = 0.0;
    for k in 0..3 {
        let h = layer(&x[0..4], &x[k..k + 3]);
        let g = layer(&x[2..6], &h);
        loss += (g[0] - x[k]) * (g[1] - 0.5);
    }
    loss
}

/// A state that results of calls replace.
#[differentiable]
fn stacked(x: &[f64]) -> f64 {
    let mut h = x[0..3].to_vec();
    for k in 0..3 {
        h = layer(&x[k..k + 3], &h);
    }
    h.iter().map(|v| v * v).sum()
}

/// Results of calls of which an adjoint asks for the shape alone.
#[differentiable]
fn midpoints(x: &[f64]) -> f64 {
    let mut y = x[0..3].to_vec();
    for _ in 0..4 {
        let slope = layer(&x[3..6], &y);
        let middle: Vec<f64> = (0..3).map(|i| y[i] + 0.1 * slope[i]).collect();
        let slope = layer(&x[3..6], &middle);
        y = (0..3).map(|i| y[i] + 0.2 * slope[i]).collect();
    }
    y.iter().sum()
}

#[differentiable]
fn mapped(x: &[f64]) -> (Vec<f64>, f64) {
    let all: Vec<f64> = x.iter().map(|v| v.sin()).collect();
    let sum = all.iter().sum::<f64>();
    (all, sum)
}

/// Results of calls in tuples.
#[differentiable]
fn in_tuples(x: &[f64]) -> f64 {
    let (once, sum) = mapped(x);
    let (twice, other) = mapped(&once);
    twice[0] * sum + once[1] * other
}

/// Bodies as arrays in a list.
#[differentiable]
fn bodies(x: &[f64]) -> f64 {
    let mut at: Vec<[f64; 2]> = Vec::new();
    for k in 0..3 {
        at.push([x[2 * k], x[2 * k + 1]]);
    }
    for _ in 0..3 {
        let mut force = vec![[0.0; 2]; at.len()];
        for i in 0..at.len() {
            for d in 0..2 {
                force[i][d] += (at[(i + 1) % 3][d] - at[i][d]).sin();
            }
        }
        for i in 0..at.len() {
            for d in 0..2 {
                at[i][d] += 0.1 * force[i][d];
            }
        }
    }
    at.iter().map(|p| p[0] * p[0] * p[1]).sum()
}

/// No request to the allocator, and the slopes of finite differences.
macro_rules! natural {
    ($($name:ident)+) => { $(
        let mut g = vec![0.0; 6];
        let mut prepared = prepare_gradient($name::D, AutoReverse, &super::X)?;
        none(stringify!($name), || prepared.value_and_gradient_into(&mut g, &super::X).map(drop));
        let mut hv = vec![0.0; 6];
        let mut prepared = prepare_hvp($name::D, AutoReverse, &super::X, &super::X)?;
        none(stringify!($name), || prepared.hvp_into(&mut hv, &super::X, &super::X));
        let slopes = gradient($name::D, AutoFiniteDiff, &super::X)?;
        for (slope, expected) in g.iter().zip(&slopes) {
            assert!((slope - expected).abs() < 1e-5 * expected.abs().max(1.0), "{}: {g:?}, not {slopes:?}", stringify!($name));
        }
    )+ };
}

#[test]
fn gradients_of_functions_that_make_vectors() -> Result<()> {
    natural! { rolled_back tabulated orthogonal filtered levels replaced layered stacked midpoints in_tuples bodies }
    Ok(())
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

/// Lists of structs, which lists of structs replace.
#[differentiable]
fn casteljau(x: &[f64]) -> f64 {
    let mut length = 0.0;
    for k in 0..4 {
        let t = 0.25 * k as f64;
        let mut p: Vec<Point> = x.windows(2).map(|w| Point { x: w[0], y: w[1] * w[0] }).collect();
        while p.len() > 1 {
            p = p.windows(2).map(|w| Point { x: (1.0 - t) * w[0].x + t * w[1].x, y: w[0].y * w[1].x }).collect();
        }
        length += p[0].x * p[0].x + p[0].y;
    }
    length
}

/// Lists that are repeated, copied and written out, and whose elements a loop replaces.
#[differentiable]
fn springs(x: &[f64]) -> f64 {
    let mut at: Vec<Point> = x.iter().map(|&x| Point { x, y: 0.5 * x }).collect();
    let ends = vec![Point { x: x[0], y: 1.0 }, Point { x: 2.0, y: x[1] }];
    for step in 0..5 {
        let mut force = vec![Point { x: 0.0, y: -0.1 }; at.len()];
        for i in 1..at.len() {
            let stretch = at[i].x - at[i - 1].x + at[i].y * at[i - 1].y;
            force[i].x -= stretch;
            force[i - 1].x += stretch * 0.5;
        }
        let before = at.clone();
        for (to, f) in at.iter_mut().zip(&force) {
            to.x += 0.1 * f.x * f.x;
            to.y += 0.1 * f.y;
        }
        at[0].x *= before[at.len() - 1].y * ends[step % 2].x;
    }
    at.iter().map(|p| p.x * p.y).sum()
}

/// The memory of lists of structs comes from the workspace.
#[test]
fn lists_of_structs() -> Result<()> {
    let mut g = vec![0.0; 6];
    let v = vec![1.0; 6];
    let mut prepared = prepare_gradient(casteljau::D, AutoReverse, &super::X)?;
    none("casteljau", || prepared.value_and_gradient_into(&mut g, &super::X).map(|_| ()));
    let mut prepared = prepare_gradient(springs::D, AutoReverse, &super::X)?;
    none("springs", || prepared.value_and_gradient_into(&mut g, &super::X).map(|_| ()));
    let mut prepared = prepare_pushforward(springs::D, AutoForward, &super::X, &v)?;
    none("springs forward", || prepared.pushforward(&super::X, &v).map(|_| ()));
    let mut prepared = prepare_hvp(springs::D, AutoReverse, &super::X, &v)?;
    none("springs twice", || prepared.hvp_into(&mut g, &super::X, &v));
    Ok(())
}

/// A matrix with its size, and methods.
#[derive(Clone, Debug, Differentiable)]
struct Matrix {
    data: Vec<f64>,
    n: usize,
}

#[differentiable]
impl Matrix {
    fn get(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.n + j]
    }
    fn times(&self, o: &Matrix) -> Matrix {
        let mut data = vec![0.0; self.n * self.n];
        for i in 0..self.n {
            for j in 0..self.n {
                for k in 0..self.n {
                    data[i * self.n + j] += self.get(i, k) * o.get(k, j);
                }
            }
        }
        Matrix { data, n: self.n }
    }
}

#[differentiable]
fn trace_of_power(m: &Matrix) -> f64 {
    let mut p = m.clone();
    for _ in 0..4 {
        p = p.times(m);
    }
    (0..m.n).map(|i| p.get(i, i)).sum()
}

/// The memory of lists in structs comes from the workspace, but for what calls give, of which the result and a copy are kept.
#[test]
fn structs_with_lists() -> Result<()> {
    let m = Matrix { data: (0..16).map(|k| 0.1 * k as f64).collect(), n: 4 };
    let mut g = gradient(trace_of_power::D, AutoReverse, &m)?;
    let mut prepared = prepare_gradient(trace_of_power::D, AutoReverse, &m)?;
    for _ in 0..2 {
        prepared.value_and_gradient_into(&mut g, &m)?;
    }
    let before = super::requests();
    prepared.value_and_gradient_into(&mut g, &m)?;
    let calls = 4;
    assert!(super::requests() - before <= 3 * calls, "{} requests", super::requests() - before);
    Ok(())
}
