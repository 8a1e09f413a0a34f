//! Stencils of two and three dimensions, whose adjoints add to several rows of one cotangent (`distribute_scatter`), with and without a
//! name for the index (`substitute_indices`). And loops like them that have to stay as they are.

use diffi::prelude::*;
use ndarray::Array2;

/// Two buffers, and a name for the index.
#[differentiable(constant(n, steps))]
fn conducted(x: &[f64], n: usize, steps: usize) -> f64 {
    let (mut u, mut next) = (x.to_vec(), x.to_vec());
    for _ in 0..steps {
        for i in 1..n.max(1) - 1 {
            for j in 1..n - 1 {
                let k = i * n + j;
                let c = 0.2 + 0.1 * u[k] * u[k];
                next[k] = u[k] + c * (u[k - n] + u[n + k] + u[k - 1] + u[k + 1] - 4.0 * u[k]);
            }
        }
        std::mem::swap(&mut u, &mut next);
    }
    u.iter().map(|v| v * v * v).sum()
}

/// Three dimensions, one name made of another, and a constant field.
#[differentiable(constant(field, n))]
fn in_space(x: &[f64], field: &[f64], n: usize) -> f64 {
    let mut u = x.to_vec();
    for _ in 0..2 {
        let old = u.clone();
        for z in 1..n - 1 {
            for y in 1..n - 1 {
                for t in 1..n - 1 {
                    let row = (z * n + y) * n;
                    let at = row + t;
                    let around =
                        old[at - 1] + old[at + 1] + old[at - n] + old[at + n] + old[at - n * n] + old[at + n * n];
                    u[at] = old[at] + field[at] * (around - 6.0 * old[at]) * old[at];
                }
            }
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// Rows of rows, and two sums that are added up before they are scattered.
#[differentiable(constant(c))]
fn nine_points(x: &[f64], c: f64) -> f64 {
    let n = (x.len() as f64).sqrt() as usize;
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| x[i * n..(i + 1) * n].to_vec()).collect();
    for _ in 0..2 {
        let b = a.clone();
        for i in 1..n.max(1) - 1 {
            for j in 1..n - 1 {
                let mut s = b[i - 1][j - 1] + b[i - 1][j + 1] + b[i + 1][j - 1] + b[i + 1][j + 1];
                s += 4.0 * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]);
                a[i][j] = b[i][j] + c * (s / 20.0 - b[i][j]) * b[i][j];
            }
        }
    }
    a.iter().flatten().map(|v| v * v).sum()
}

/// In place: every iteration reads what those before it wrote.
#[differentiable(constant(f))]
fn relaxed_in_place(x: &[f64], f: &[f64]) -> f64 {
    let n = (x.len() as f64).sqrt() as usize;
    let mut u = x.to_vec();
    for _ in 0..2 {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let k = i * n + j;
                u[k] = 0.25 * (u[k - 1] + u[k + 1] + u[k - n] + u[k + n] - f[k] * u[k] * u[k]);
            }
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// Fields that gain from each other's neighbours.
#[differentiable(constant(n))]
fn waves(x: &[f64], n: usize) -> f64 {
    let mut e = x.to_vec();
    let (mut p, mut q) = (vec![0.0; n * n], vec![0.0; n * n]);
    for _ in 0..3 {
        for i in 0..n - 1 {
            for j in 0..n - 1 {
                p[i * n + j] -= 0.5 * (e[i * n + j + 1] - e[i * n + j]);
                q[i * n + j] += 0.5 * (e[(i + 1) * n + j] - e[i * n + j]);
            }
        }
        for i in 1..n {
            for j in 1..n {
                let k = i * n + j;
                e[k] += 0.5 * (q[k] - q[k - n] - p[k] + p[k - 1]) * (1.0 + 0.1 * e[k]);
            }
        }
    }
    e.iter().map(|v| v * v).sum()
}

/// The parameter's cotangent is what is scattered to, and two arrays are parts of it.
#[differentiable(constant(n))]
fn unbalance(x: &[f64], n: usize) -> f64 {
    let (u, k) = x.split_at(n * n);
    let mut r = vec![0.0; n * n];
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            let c = i * n + j;
            r[c] = (k[c] + k[c + 1]) * (u[c + 1] - u[c]) - (k[c] + k[c - n]) * (u[c] - u[c - n]) + k[c + n] * u[c - 1];
        }
    }
    r.iter().map(|v| v * v).sum()
}

/// Sums for two elements of a parameter, one of which is taken off, beside what is scattered.
#[differentiable(constant(n, steps))]
fn reacting(rates: &[f64], x: &[f64], n: usize, steps: usize) -> f64 {
    let (mut u, mut next) = (x.to_vec(), vec![0.0; n * n]);
    for _ in 0..steps {
        for i in 1..n.max(1) - 1 {
            for j in 1..n - 1 {
                let k = i * n + j;
                let around = u[k - n] + u[k + n] + u[k - 1] + u[k + 1] - 4.0 * u[k];
                next[k] = u[k] + rates[0] * around - rates[1] * u[k] * (u[k] - 1.0);
            }
        }
        std::mem::swap(&mut u, &mut next);
    }
    u.iter().map(|v| v * v).sum()
}

/// A sum for a number, one for a parameter of its own, and arrays of a library.
#[differentiable]
fn spreading(start: &Array2<f64>, rate: f64, loss: &f64) -> f64 {
    let (n, m) = start.dim();
    let speed = rate * rate;
    let mut u = start * 1.5;
    let mut next = Array2::<f64>::zeros((n, m));
    for _ in 0..3 {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let here = u[[i, j]];
                let around = u[[i + 1, j]] + u[[i - 1, j]] + u[[i, j + 1]] + u[[i, j - 1]];
                next[[i, j]] = here + speed * (around - 4.0 * here) - loss * here * here;
            }
        }
        std::mem::swap(&mut u, &mut next);
    }
    u.mapv(|v| v * v).sum()
}

/// Levels of a library's array that are filled in place, and read in both directions.
#[differentiable(constant(steps))]
fn settling(start: &Array2<f64>, rate: f64, steps: usize) -> f64 {
    let mut u = start.clone();
    for step in 0..steps {
        let old = u.clone();
        for i in 1..u.nrows() - 1 {
            for j in (1..u.ncols() - 1).rev() {
                u[[i, j]] += rate * (old[[i - 1, j]] * old[[i, j + 1]] - old[[i + 1, j]] * old[[i, j - 1]]);
            }
        }
        if step % 2 == 1 {
            u *= 0.5;
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// Sums for elements that differ from row to row, and one of a number that the loop uses otherwise, too.
#[differentiable(constant(n))]
fn by_rows(rates: &[f64], x: &[f64], n: usize) -> f64 {
    let mut next = x.to_vec();
    let mut scale = rates[n];
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            let k = i * n + j;
            next[k] = rates[i] * (x[k - n] * x[k + n] + x[k - 1] * x[k + 1]) + scale * x[k];
            scale *= 0.9;
        }
    }
    next.iter().map(|v| v * v).sum::<f64>() + scale
}

/// A name that changes, a name in a product, and one below a minus sign.
#[differentiable(constant(n))]
fn other_names(x: &[f64], n: usize) -> f64 {
    let (mut s, mut base) = (0.0, 0);
    for i in 0..n {
        for j in 0..n {
            let (k, back) = (base + j, n - 1 - j);
            let m = j + 1;
            s += x[k] * x[base + back] + x[m * n - 1] * x[n * n - m] * x[i];
        }
        base += n;
    }
    s
}

fn wave(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.4 + 0.3 * (1.7 * i as f64).sin()).collect()
}

/// The same in rows.
fn field(n: usize, m: usize) -> Array2<f64> {
    Array2::from_shape_vec((n, m), wave(n * m)).expect("as many elements")
}

mod rows {
    use super::{field, wave};
    use crate::check::rows;
    use diffi::prelude::*;
    use ndarray::Array2;

    rows! {
        number conducted(at x: Vec<f64>, fixed n: usize, fixed steps: usize):
            [wave(1), 1, 2] [wave(4), 2, 2] [wave(9), 3, 1] [wave(25), 5, 3] [wave(36), 6, 0];
        number in_space(at x: Vec<f64>, fixed_at field: Vec<f64>, fixed n: usize): [wave(8), wave(8), 2] [wave(64), wave(64), 4];
        number nine_points(at x: Vec<f64>, fixed c: f64): [wave(1), 0.3] [wave(9), 0.3] [wave(25), 0.3];
        number relaxed_in_place(at x: Vec<f64>, fixed_at f: Vec<f64>): [wave(4), wave(4)] [wave(25), wave(25)];
        number waves(at x: Vec<f64>, fixed n: usize): [wave(1), 1] [wave(4), 2] [wave(25), 5];
        number unbalance(at x: Vec<f64>, fixed n: usize): [wave(18), 3] [wave(50), 5];
        number reacting(at rates: Vec<f64>, at x: Vec<f64>, fixed n: usize, fixed steps: usize):
            [vec![0.1, 0.2], wave(1), 1, 2] [vec![0.1, 0.2], wave(4), 2, 2] [vec![0.1, 0.2], wave(9), 3, 3] [vec![0.1, 0.2], wave(484), 22, 3];
        number spreading(at start: Array2<f64>, by rate: f64, at loss: f64): [field(2, 2), 0.3, 0.1] [field(3, 4), 0.3, 0.1] [field(20, 30), 0.3, 0.1];
        number settling(at start: Array2<f64>, by rate: f64, fixed steps: usize): [field(2, 3), 0.3, 2] [field(5, 4), 0.3, 3] [field(18, 21), 0.3, 4];
        number by_rows(at rates: Vec<f64>, at x: Vec<f64>, fixed n: usize): [wave(4), wave(9), 3] [wave(21), wave(400), 20];
        number other_names(at x: Vec<f64>, fixed n: usize): [wave(1), 1] [wave(9), 3];
    }
}
