//! Loops over the few elements of arrays, which are unrolled, and aggregates that are split into their members; beside them, what has to stay.

use diffi::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Body {
    m: f64,
    p: [f64; 3],
    v: [f64; 3],
}

/// Differences and their squares, element by element.
#[differentiable]
fn distances(x: &[f64]) -> f64 {
    let n = x.len() / 3;
    let mut s = 0.0;
    for i in 0..n {
        for j in 0..i {
            let mut d = [0.0; 3];
            let mut r = 0.1;
            for k in 0..3 {
                d[k] = x[3 * i + k] - x[3 * j + k];
                r += d[k] * d[k];
            }
            s += d[0] / r.sqrt() + d[2] * d[1];
        }
    }
    s
}

/// Downwards, from another number on, to the end inclusive, around the end.
#[differentiable]
fn ranges(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1], x[2], x[0] * x[1]];
    for k in (0..3).rev() {
        a[k] = a[k + 1] * a[k] + a[(k + 1) % 3];
    }
    for k in 1..=2 {
        a[k] += a[k - 1] * k as f64;
    }
    let mut b = [0.0; 4];
    for k in 0..4 {
        b[3 - k] = a[k].powi(k as i32) + (k as f64 * x[2]).sin();
    }
    b.iter().zip(&a).map(|(u, v)| u * v).sum()
}

/// Matrices by elements.
#[differentiable]
fn matrices(x: &[f64]) -> f64 {
    let a = [[x[0], 1.0], [x[1], x[2]]];
    let mut p = [[1.0, 0.0], [0.0, 1.0]];
    for _ in 0..3 {
        let mut q = [[0.0; 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                for k in 0..2 {
                    q[i][j] += p[i][k] * a[k][j];
                }
            }
        }
        p = q;
    }
    p[0][0] * p[1][1] - p[0][1] + p[1][0]
}

/// Branches, variables of the body, and a variable that has the name of the loop's.
#[differentiable]
fn branches(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1], x[2]];
    let mut best = a[0];
    for k in 0..3 {
        let t = a[k] * x[0];
        if t > 0.5 {
            let k = t * 2.0;
            a[(k as usize) % 3] = k.sin();
            continue;
        }
        if a[k] > best {
            best = a[k];
        }
        a[k] = t - best;
    }
    a[0] * a[1] + a[2] * best
}

/// A loop that is left stays one.
#[differentiable]
fn left(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1], x[2]];
    for k in 0..3 {
        if a[k] > 1.0 {
            break;
        }
        a[k] = a[k] * a[0] + 1.0;
    }
    a[0] + a[1] * a[2]
}

#[differentiable]
fn scaled(a: [f64; 3], by: f64) -> [f64; 3] {
    let mut b = a;
    for k in 0..3 {
        b[k] = b[k] * by + a[2 - k];
    }
    b
}

#[differentiable]
fn total(a: &[f64; 3]) -> f64 {
    let mut s = 0.0;
    for v in a {
        s += v * v;
    }
    s
}

/// Arrays that calls take and give, as a whole.
#[differentiable]
fn handed(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1], x[2]];
    for k in 0..3 {
        a = scaled(a, x[k]);
        a[k] += total(&a) * 0.1;
    }
    let [u, v, w] = a;
    let b = [u * v, w, a[0]];
    total(&b) - b[1]
}

/// Lists of arrays, whose elements are copied out, changed and put back.
#[differentiable]
fn in_lists(x: &[f64]) -> f64 {
    let mut all: Vec<[f64; 3]> = Vec::new();
    for i in 0..x.len() - 2 {
        all.push([x[i], x[i + 1] * x[i], x[i + 2]]);
    }
    let mut sum = [0.0; 3];
    for i in 0..all.len() {
        let mut a = all[i];
        for k in 0..3 {
            a[k] *= x[k % x.len()];
            sum[k] += a[k];
        }
        all[i] = a;
    }
    for a in all.iter_mut() {
        for (k, v) in a.iter_mut().enumerate() {
            *v += sum[k];
        }
    }
    all.iter().map(|a| a[0] * a[1] - a[2]).sum::<f64>() + sum[1]
}

/// Structs of arrays in time.
#[differentiable]
fn in_structs(x: &[f64]) -> f64 {
    let mut all = vec![
        Body { m: x[0], p: [x[0], 0.2, x[1]], v: [0.0; 3] },
        Body { m: 1.5, p: [1.0, x[2], x[0]], v: [x[1], 0.0, 0.1] },
    ];
    for _ in 0..3 {
        for i in 0..2 {
            let mut a = [0.0; 3];
            for j in 0..2 {
                if i == j {
                    continue;
                }
                let mut d = [0.0; 3];
                let mut r = 0.2;
                for k in 0..3 {
                    d[k] = all[j].p[k] - all[i].p[k];
                    r += d[k] * d[k];
                }
                for k in 0..3 {
                    a[k] += all[j].m * d[k] / (r * r.sqrt());
                }
            }
            for k in 0..3 {
                all[i].v[k] += 0.1 * a[k];
            }
        }
        for body in all.iter_mut() {
            for k in 0..3 {
                body.p[k] += 0.1 * body.v[k];
            }
        }
    }
    let first = all[0];
    let last = Body { m: first.m * 2.0, ..all[1] };
    first.p[0] * last.p[1] + last.m * first.v[2] + all.iter().map(|b| b.v[0] * b.m).sum::<f64>()
}

/// Tuples of numbers, of counts and of arrays, which change places.
#[differentiable]
fn tuples(x: &[f64]) -> f64 {
    let mut state = (x[0], 0, [x[1], x[2]]);
    let mut other = (x[1] * x[2], 5, [x[0], 1.0]);
    for k in 0..5 {
        state.0 = state.0 * other.0 + state.2[k % 2];
        state.1 += k;
        state.2[1] = state.0.sin();
        if state.1 > 3 {
            (state, other) = (other, state);
        }
        let (u, _) = (state.0, state.1);
        other.2[0] -= u;
    }
    state.0 * state.2[0] * state.1 as f64 + other.2[1] * other.1 as f64
}

/// The loop's variable is asked, and lent.
#[differentiable]
fn asked(x: &[f64]) -> f64 {
    let weights = [0.5, 2.0, -1.0];
    let mut a = [x[0], x[1], x[2]];
    for k in 0..3usize {
        let far: &usize = &k;
        a[k] = a[k].powf(k.pow(2) as f64 * 0.5 + 1.0) * weights[*far];
    }
    a[0] * a[1] * a[2]
}

/// What a branch makes, and what it leaves as it is.
#[differentiable]
fn made_in_branches(x: &[f64]) -> f64 {
    let d = if x[0] > x[1] { [x[0], x[1] * 2.0] } else { [x[1], x[0]] };
    let mut e = d;
    if x[2] > 0.0 {
        e[0] *= x[2];
    }
    let f = match x.len() % 2 {
        0 => e,
        _ => [e[1], d[0]],
    };
    f[0] * e[1] - f[1] * d[1]
}

mod check {
    use super::*;
    use crate::check::rows;

    fn wave(n: usize) -> Vec<f64> {
        (0..n).map(|k| 0.6 + (1.7 * k as f64).sin() * 0.5).collect()
    }

    rows! {
        number distances(at x: Vec<f64>): [wave(9)] [wave(3)];
        number ranges(at x: Vec<f64>): [wave(3)];
        number matrices(at x: Vec<f64>): [wave(3)];
        number branches(at x: Vec<f64>): [wave(3)] [vec![0.3, 1.4, -0.8]];
        number left(at x: Vec<f64>): [wave(3)] [vec![0.5, 0.7, 0.2]];
        number handed(at x: Vec<f64>): [wave(3)];
        number in_lists(at x: Vec<f64>): [wave(3)] [wave(6)];
        number in_structs(at x: Vec<f64>): [wave(3)];
        number tuples(at x: Vec<f64>): [wave(3)];
        number asked(at x: Vec<f64>): [vec![0.9, 1.3, 0.7]];
        number made_in_branches(at x: Vec<f64>): [wave(3)] [vec![0.2, 0.8, -0.4]] [vec![0.2, 0.8, -0.4, 1.0]];
    }
}
