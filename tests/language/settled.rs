//! TBR analysis of elements (`tbr_elements`): arrays that change to the end, with some elements that have their final values when they are read.

use diffi::prelude::*;

#[differentiable]
fn cholesky(a: &[f64], n: usize) -> f64 {
    let mut l = a.to_vec();
    let mut total = 0.0;
    for i in 0..n {
        for j in 0..i {
            let mut sum = l[i * n + j];
            for k in 0..j {
                sum -= l[i * n + k] * l[j * n + k];
            }
            l[i * n + j] = sum / l[j * n + j];
        }
        let mut square = l[i * n + i];
        for k in 0..i {
            square -= l[i * n + k] * l[i * n + k];
        }
        l[i * n + i] = square.sqrt();
        total += l[i * n + i].ln();
    }
    2.0 * total
}

/// Rows of two numbers that loops read, and that change as wholes after these.
#[differentiable(constant(masses))]
fn attracted(x: &[f64], masses: &[f64]) -> f64 {
    let n = masses.len();
    let mut at: Vec<[f64; 2]> = (0..n).map(|i| [x[2 * i], x[2 * i + 1]]).collect();
    let mut speeds: Vec<Vec<f64>> = vec![vec![0.1; 2]; n];
    for _ in 0..3 {
        let mut pulls = vec![[0.0; 2]; n];
        for i in 0..n {
            for j in 0..i {
                let mut r2 = 0.05;
                for d in 0..2 {
                    r2 += (at[i][d] - at[j][d]).powi(2) * (1.0 + speeds[i][d] * speeds[j][d]);
                }
                let pull = 1.0 / (r2 * r2.sqrt());
                for d in 0..2 {
                    pulls[i][d] += masses[j] * pull * (at[j][d] - at[i][d]);
                    pulls[j][d] -= masses[i] * pull * (at[j][d] - at[i][d]);
                }
            }
        }
        for i in 0..n {
            for d in 0..2 {
                speeds[i][d] += 0.1 * pulls[i][d];
                at[i][d] += 0.1 * speeds[i][d];
            }
        }
    }
    at.iter().map(|p| p[0] * p[0] + p[1]).sum()
}

#[differentiable]
fn rows_with_pivots(a: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut m: Vec<Vec<f64>> = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            m[i][j] = a[i * n + j];
        }
    }
    let mut x = b.to_vec();
    for k in 0..n {
        let mut p = k;
        for i in k + 1..n {
            if m[i][k].abs() > m[p][k].abs() {
                p = i;
            }
        }
        for j in 0..n {
            let t = m[k][j];
            m[k][j] = m[p][j];
            m[p][j] = t;
        }
        x.swap(k, p);
        for i in k + 1..n {
            let f = m[i][k] / m[k][k];
            for j in k..n {
                m[i][j] -= f * m[k][j];
            }
            x[i] -= f * x[k];
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            x[i] -= m[i][j] * x[j];
        }
        x[i] /= m[i][i];
    }
    x
}

/// The swapped rows lie anywhere from the pivot's on.
#[differentiable]
fn flat_with_pivots(a: &[f64], n: usize) -> f64 {
    let mut m = a.to_vec();
    let mut det = 1.0;
    for k in 0..n {
        let mut p = k;
        for i in k + 1..n {
            if m[i * n + k].abs() > m[p * n + k].abs() {
                p = i;
            }
        }
        if p != k {
            for j in k..n {
                m.swap(k * n + j, p * n + j);
            }
            det = -det;
        }
        det *= m[k * n + k];
        for i in k + 1..n {
            for j in k + 1..n {
                m[i * n + j] -= m[i * n + k] / m[k * n + k] * m[k * n + j];
            }
        }
    }
    det
}

#[differentiable]
fn thomas(low: &[f64], mid: &[f64], up: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut c = vec![0.0; n];
    let mut x = vec![0.0; n];
    c[0] = up[0] / mid[0];
    x[0] = b[0] / mid[0];
    for i in 1..n {
        let pivot = mid[i] - low[i] * c[i - 1];
        c[i] = up[i] / pivot;
        x[i] = (b[i] - low[i] * x[i - 1]) / pivot;
    }
    for i in (0..n - 1).rev() {
        x[i] -= c[i] * x[i + 1];
    }
    x
}

/// What is read is overwritten by the next iteration.
#[differentiable]
fn overwritten_by_the_next_iteration(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let mut s = 0.0;
    for i in 1..a.len() {
        s += a[i] * a[i - 1];
        a[i - 1] = s.sin();
        if i + 1 < a.len() {
            a[i + 1] *= s;
        }
    }
    s + a.iter().sum::<f64>()
}

/// Settled within a sweep, but there is another sweep.
#[differentiable]
fn swept_again(x: &[f64], sweeps: usize) -> f64 {
    let mut a = x.to_vec();
    let n = a.len();
    for _ in 0..sweeps {
        for i in 1..n {
            a[i] = a[i] * a[i - 1] + 0.5;
        }
    }
    a[n - 1]
}

#[differentiable]
fn columns_of_a_row(x: &[f64], n: usize) -> f64 {
    let mut a = vec![0.5; n * n];
    for i in 0..n {
        for j in 0..n {
            let left = if j > 0 { a[i * n + j - 1] } else { x[0] };
            let above = if i > 0 { a[(i - 1) * n + j] } else { x[1] };
            a[i * n + j] = left * above + (left - above).sin();
        }
    }
    a[n * n - 1] * a[0]
}

/// The next row begins where this one's last column would be, were the rows longer: they overlap.
#[differentiable]
fn overlapping_rows(x: &[f64], n: usize) -> f64 {
    let mut a = vec![1.0; n * n + n];
    for i in 0..n {
        for j in 0..n + 1 {
            a[i * n + j] = a[i * n + j] * x[0] + a[i * n] * x[1];
        }
    }
    a.iter().map(|v| v * v).sum()
}

/// `p` has moved on when it is used again.
#[differentiable]
fn an_index_that_moves(x: &[f64], n: usize) -> f64 {
    let mut a = x.to_vec();
    let mut p = 0;
    let mut s = 0.0;
    for i in 0..n {
        let q = p;
        s += a[q] * a[p];
        p = (p + 2) % a.len();
        a[p] = s.cos();
        a[q] += x[i % x.len()];
        s += a[p] * a[q];
    }
    s
}

#[differentiable]
fn halves(x: &[f64], n: usize) -> f64 {
    let mut a = vec![0.0; 2 * n];
    for i in 0..n {
        a[2 * i] = x[i] * x[i];
        a[2 * i + 1] = a[2 * i] * x[i];
        if i > 0 {
            a[2 * i + 1] += a[2 * i - 1] * a[2 * i - 2];
        }
    }
    a.iter().sum()
}

#[differentiable]
fn backwards_in_steps(x: &[f64]) -> f64 {
    let n = x.len();
    let mut a = x.to_vec();
    for i in (0..n.saturating_sub(2)).rev().step_by(2) {
        a[i] = a[i + 1] * a[i + 2];
        a[i + 1] = a[i] * x[i];
    }
    a.iter().map(|v| v.sin()).sum()
}

#[differentiable]
fn until_it_is_small(x: &[f64]) -> f64 {
    let mut a = vec![0.0; 30];
    a[0] = x[0];
    let mut k = 1;
    while k < 30 {
        a[k] = a[k - 1] * x[1] + a[k - 1].sin();
        if a[k].abs() < 0.1 {
            break;
        }
        k += 1;
    }
    a.iter().sum()
}

#[differentiable]
fn parts_of_an_array(x: &[f64], n: usize) -> f64 {
    let mut a = vec![0.3; n * 3];
    for i in 0..n {
        let before = squares(&a[..3 * i]);
        for k in 0..3 {
            a[3 * i + k] = (0.1 * before + x[0]).sin() * x[1] + 0.1 * k as f64;
        }
        a[3 * i] *= squares(&a[3 * i + 1..3 * i + 3]);
    }
    squares(&a)
}

#[differentiable]
fn squares(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

#[differentiable]
fn changed_after_the_loop(x: &[f64]) -> f64 {
    let n = x.len();
    let mut a = vec![1.0; n + 1];
    for i in 0..n {
        a[i + 1] = a[i] * x[i];
    }
    let product = a[n];
    for i in 0..n {
        a[i + 1] = x[i] + 0.5;
    }
    product * a.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::rows;

    const SPD: [f64; 9] = [4.0, 0.3, 0.2, 0.5, 3.0, -0.4, 0.7, -0.6, 5.0];
    const ANY: [f64; 9] = [0.4, 1.3, 0.2, 2.5, 0.3, -0.4, 0.7, -1.6, 1.0];

    rows! {
        number cholesky(at a: Vec<f64>, fixed n: usize): [SPD.to_vec(), 3] [vec![2.0], 1] [vec![], 0];
        number attracted(at x: Vec<f64>, fixed_at masses: Vec<f64>):
            [vec![0.3, 1.2, -0.4, 0.8, 0.6, 0.1], vec![1.0, 2.0, 0.5]] [vec![0.3, 0.5], vec![1.0]];
        list rows_with_pivots(at a: Vec<f64>, at b: Vec<f64>): [ANY.to_vec(), vec![0.3, 1.2, -0.4]] [vec![2.0], vec![0.7]];
        number flat_with_pivots(at a: Vec<f64>, fixed n: usize): [ANY.to_vec(), 3] [vec![2.0], 1];
        list thomas(at low: Vec<f64>, at mid: Vec<f64>, at up: Vec<f64>, at b: Vec<f64>):
            [vec![0.0, 0.2, -0.3, 0.4], vec![2.0, 3.0, 2.5, 1.5], vec![0.3, 0.6, -0.2, 0.0], vec![0.3, 1.2, -0.4, 0.8]];
        number overwritten_by_the_next_iteration(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8, 0.6]] [vec![0.3, 0.5]];
        number swept_again(at x: Vec<f64>, fixed sweeps: usize): [vec![0.3, 1.2, -0.4, 0.8], 3] [vec![0.3], 2];
        number columns_of_a_row(at x: Vec<f64>, fixed n: usize): [vec![0.3, 1.2], 3] [vec![0.3, 1.2], 1];
        number overlapping_rows(at x: Vec<f64>, fixed n: usize): [vec![0.3, 1.2], 3] [vec![0.3, 1.2], 1];
        number an_index_that_moves(at x: Vec<f64>, fixed n: usize): [vec![0.3, 1.2, -0.4], 7] [vec![0.3, 1.2, -0.4, 0.1], 5];
        number halves(at x: Vec<f64>, fixed n: usize): [vec![0.3, 1.2, -0.4], 3] [vec![0.3], 1];
        number backwards_in_steps(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.7, 0.9, -0.2]] [vec![0.3, 1.1]];
        number until_it_is_small(at x: Vec<f64>): [vec![0.9, -0.4]] [vec![0.01, 0.2]];
        number parts_of_an_array(at x: Vec<f64>, fixed n: usize): [vec![0.3, 1.2], 3] [vec![0.3, 1.2], 1];
        number changed_after_the_loop(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![0.3]];
    }
}
