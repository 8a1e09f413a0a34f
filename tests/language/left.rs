//! Loops, labelled blocks and closures that are left with options, results and tuples; what parts of one length leave over.

use diffi::prelude::*;

#[differentiable]
fn guarded(x: &[f64]) -> Option<f64> {
    x.iter().try_fold(1.0, |acc, v| if *v > 0.0 { Some(acc * v.sqrt()) } else { None })
}

#[differentiable]
fn folded(x: &[f64]) -> f64 {
    guarded(x).unwrap_or(0.0)
}

#[differentiable]
fn folded_none(x: &[f64]) -> f64 {
    guarded(x).map_or(x[1], |v| v * 2.0)
}

#[differentiable]
fn checked(x: &[f64]) -> Result<f64, String> {
    let folded = 2.0;
    x.iter().enumerate().try_fold(0.0, |acc, (i, v)| {
        if *v < 0.0 {
            return Err(format!("negative at {i}"));
        }
        Ok(acc + v.ln() * folded)
    })
}

#[differentiable]
fn results(x: &[f64]) -> f64 {
    match checked(x) {
        Ok(v) => v,
        Err(_) => x[0] * x[1],
    }
}

#[differentiable]
fn pair_fold(x: &[f64]) -> f64 {
    let found = x.iter().try_fold((0.0, 1.0), |(s, p), v| if s > 4.0 { None } else { Some((s + v * v, p * v)) });
    if let Some((s, p)) = found { s * p } else { x[0] }
}

#[differentiable]
fn labelled(x: &[f64]) -> f64 {
    let found = 'search: {
        for (i, v) in x.iter().enumerate() {
            if *v > 1.0 {
                break 'search Some((i, v * v));
            }
        }
        None
    };
    match found {
        Some((i, v)) => v * x[i],
        None => x[0],
    }
}

#[differentiable]
fn labelled_index(x: &[f64]) -> f64 {
    let at = 'search: {
        for i in 0..x.len() {
            if x[i] > 1.0 {
                break 'search Some(i);
            }
        }
        None
    };
    at.map_or(0.0, |i| x[i].sin())
}

#[differentiable]
fn loop_option(x: &[f64]) -> f64 {
    let mut i = 0;
    let last = loop {
        if i == x.len() {
            break None;
        }
        if x[i] > 1.0 {
            break Some(x[i] * 2.0);
        }
        i += 1;
    };
    last.unwrap_or(x[0] * x[0])
}

#[differentiable]
fn loop_pair(x: &[f64]) -> f64 {
    let mut y = x[0];
    let mut n = 0;
    let (root, steps) = loop {
        let next = y - 0.3 * (y * y - x[1]);
        n += 1;
        if (next - y).abs() < 1e-9 || n > 40 {
            break (next, n);
        }
        y = next;
    };
    root * x[2] + (steps as f64) * 0.0
}

#[differentiable]
fn loop_result(x: &[f64]) -> f64 {
    let mut y = x[0];
    let r: Result<f64, String> = 'a: {
        for k in 0..10 {
            y = y.cos() * x[1];
            if y < -5.0 {
                break 'a Err(format!("{k}"));
            }
        }
        Ok(y)
    };
    match r {
        Ok(v) => v * v,
        Err(_) => 0.0,
    }
}

#[differentiable]
fn closure_question(x: &[f64]) -> f64 {
    let at = |k: usize| -> Option<f64> {
        let a = x.get(k)?;
        let b = x.get(k + 1)?;
        Some(a * b)
    };
    let mut s = 0.0;
    for k in 0..4 {
        s += at(k).unwrap_or(0.5);
    }
    s
}

#[differentiable]
fn labelled_tuple(x: &[f64]) -> f64 {
    let (a, k) = 'b: {
        if x[0] > 5.0 {
            break 'b (x[0], 3);
        }
        if x[1] > 1.0 {
            break 'b (x[1] * x[0], 1);
        }
        (0.5, 2)
    };
    a * x[k]
}

#[differentiable]
fn filter_tuple(x: &[f64]) -> f64 {
    x.iter()
        .enumerate()
        .filter_map(|(i, v)| {
            if *v < 0.2 {
                return None;
            }
            Some((i, v * v))
        })
        .map(|(i, v)| v * (i as f64 + 1.0))
        .sum()
}

#[differentiable]
fn lanes(x: &[f64]) -> f64 {
    let chunks = x.chunks_exact(2);
    let rest = chunks.remainder();
    let mut s = 0.0;
    for c in chunks {
        s += c[0] * c[1];
    }
    for r in rest {
        s += r.exp();
    }
    s
}

#[differentiable]
fn lanes_mut(x: &[f64]) -> f64 {
    let mut chunks = x.chunks_exact(3);
    let mut acc = [0.0; 3];
    for c in &mut chunks {
        for (a, v) in acc.iter_mut().zip(c) {
            *a += v * v;
        }
    }
    let mut s: f64 = acc.iter().sum();
    for r in chunks.remainder() {
        s += r.sin();
    }
    s
}

#[differentiable]
fn lanes_zip(x: &[f64]) -> f64 {
    let h = x.len() / 2;
    let (a, b) = x.split_at(h);
    let (ca, cb) = (a.chunks_exact(2), b.chunks_exact(2));
    let (ra, rb) = (ca.remainder(), cb.remainder());
    let head: f64 = ca.zip(cb).map(|(p, q)| p[0] * q[0] + p[1] * q[1]).sum();
    head + ra.iter().zip(rb).map(|(p, q)| p * q).sum::<f64>()
}

#[differentiable]
fn into_rest(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let mut parts = y.chunks_exact_mut(2);
    for p in parts.by_ref() {
        let t = p[0];
        p[0] = p[1].sin();
        p[1] = t * t;
    }
    for r in parts.into_remainder() {
        *r *= 3.0;
    }
    y.iter().enumerate().map(|(i, v)| v * (i as f64 + 1.0)).sum()
}

/// What a `return` in a labelled block gives is the function's.
#[differentiable]
fn returned_from_a_block(x: &[f64]) -> (f64, f64) {
    let y = 'found: {
        if ({
            if x[0] < 0.2 {
                return (x[0] * x[1], x[1]);
            }
            x[1]
        }) > 0.9
        {
            break 'found -x[0];
        }
        0.5
    };
    (y * x[1], x[0])
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        list returned_from_a_block(at x: Vec<f64>): [vec![0.4, 0.95]] [vec![0.4, 0.5]] [vec![0.1, 0.7]];
        number folded(at x: Vec<f64>): [vec![0.3, 0.8, 1.4]] [vec![0.3, -0.8]];
        number folded_none(at x: Vec<f64>): [vec![0.3, -0.8, 1.4]];
        number results(at x: Vec<f64>): [vec![0.3, 0.8, 1.4]] [vec![0.3, -0.8]];
        number pair_fold(at x: Vec<f64>): [vec![0.3, 0.8, 1.4]];
        number labelled(at x: Vec<f64>): [vec![0.3, 1.8, 1.4]] [vec![0.3, 0.8]];
        number labelled_index(at x: Vec<f64>): [vec![0.3, 1.8, 1.4]];
        number loop_option(at x: Vec<f64>): [vec![0.3, 1.8, 1.4]];
        number loop_pair(at x: Vec<f64>): [vec![1.3, 1.8, 1.4]];
        number loop_result(at x: Vec<f64>): [vec![0.3, 0.8]];
        number closure_question(at x: Vec<f64>): [vec![0.3, 1.8, 1.4]];
        number labelled_tuple(at x: Vec<f64>): [vec![0.3, 1.8, 1.4]];
        number filter_tuple(at x: Vec<f64>): [vec![0.1, 1.8, 1.4]];
        number lanes(at x: Vec<f64>): [vec![0.3, 0.8, 1.4]] [vec![0.3, 0.8]] [vec![0.3]];
        number lanes_mut(at x: Vec<f64>): [vec![0.3, 0.8, 1.4, 0.7, 0.2]];
        number lanes_zip(at x: Vec<f64>): [vec![0.3, 0.8, 1.4, 0.7, 0.2, -0.4]];
        number into_rest(at x: Vec<f64>): [vec![0.3, 0.8, 1.4, 0.7, 0.2]];
    }
}
