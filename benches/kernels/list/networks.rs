//! Networks of neurons and of anything else.

use diffi::prelude::*;

#[differentiable]
fn layer(w: &[f64], x: &[f64], outputs: usize) -> Vec<f64> {
    let n = x.len();
    let mut y = vec![0.0; outputs];
    for o in 0..outputs {
        let mut sum = w[outputs * n + o];
        for i in 0..n {
            sum += w[o * n + i] * x[i];
        }
        y[o] = sum.tanh();
    }
    y
}

/// Three layers, each a call that returns its activations.
#[differentiable(constant(samples))]
pub fn layers(w: &[f64], samples: &Vec<(Vec<f64>, f64)>) -> f64 {
    let mut loss = 0.0;
    for (input, target) in samples {
        let h = layer(&w[0..16 * 9], input, 16);
        let g = layer(&w[144..144 + 16 * 17], &h, 16);
        let y = layer(&w[416..416 + 17], &g, 1);
        loss += (y[0] - target) * (y[0] - target);
    }
    loss
}

/// A gated recurrent unit along a sequence.
#[differentiable(constant(sequence))]
pub fn gated(w: &[f64], sequence: &Vec<f64>) -> f64 {
    let n = 8;
    let mut h = vec![0.0; n];
    let mut loss = 0.0;
    for t in 0..sequence.len() - 1 {
        let x = sequence[t];
        let mut update = vec![0.0; n];
        let mut candidate = vec![0.0; n];
        for i in 0..n {
            let mut a = w[i] * x;
            let mut b = w[n + i] * x;
            for j in 0..n {
                a += w[2 * n + i * n + j] * h[j];
                b += w[2 * n + n * n + i * n + j] * h[j];
            }
            update[i] = 1.0 / (1.0 + (-a).exp());
            candidate[i] = b.tanh();
        }
        h = (0..n).map(|i| (1.0 - update[i]) * h[i] + update[i] * candidate[i]).collect();
        let guess: f64 = h.iter().sum();
        loss += (guess - sequence[t + 1]).powi(2);
    }
    loss
}

/// Attention of a sequence to itself, with rows as vectors.
#[differentiable(constant(d))]
pub fn attention(x: &[f64], d: &usize) -> f64 {
    let d = *d;
    let rows: Vec<Vec<f64>> = x.chunks(d).map(|r| r.to_vec()).collect();
    let mut total = 0.0;
    for q in &rows {
        let scores: Vec<f64> =
            rows.iter().map(|k| q.iter().zip(k).map(|(a, b)| a * b).sum::<f64>() / (d as f64).sqrt()).collect();
        let largest = scores.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
        let e: Vec<f64> = scores.iter().map(|s| (s - largest).exp()).collect();
        let z: f64 = e.iter().sum();
        let mut mixed = vec![0.0; d];
        for (e, v) in e.iter().zip(&rows) {
            for i in 0..d {
                mixed[i] += e / z * v[i];
            }
        }
        total += mixed.iter().map(|m| m * m).sum::<f64>();
    }
    total
}

/// A convolution with a filter of three by three, a rectifier, and pooling.
#[differentiable(constant(image))]
pub fn convolution(filter: &[f64], image: &Vec<f64>) -> f64 {
    let n = (image.len() as f64).sqrt() as usize;
    let m = n - 2;
    let mut out = vec![0.0; m * m];
    for i in 0..m {
        for j in 0..m {
            let mut sum = filter[9];
            for a in 0..3 {
                for b in 0..3 {
                    sum += filter[a * 3 + b] * image[(i + a) * n + j + b];
                }
            }
            out[i * m + j] = sum.max(0.0);
        }
    }
    let mut total = 0.0;
    for i in 0..m / 2 {
        for j in 0..m / 2 {
            let k = 2 * i * m + 2 * j;
            let pooled = out[k].max(out[k + 1]).max(out[k + m]).max(out[k + m + 1]);
            total += pooled * pooled;
        }
    }
    total
}

pub struct Graph {
    pub edges: Vec<Vec<usize>>,
    pub width: usize,
}

/// Messages between the nodes of a graph.
#[differentiable(constant(graph))]
pub fn messages(x: &[f64], graph: &Graph) -> f64 {
    let width = graph.width;
    let mut h: Vec<Vec<f64>> = x.chunks(width).map(|c| c.to_vec()).collect();
    for _ in 0..3 {
        let mut next = vec![vec![0.0; width]; h.len()];
        for (i, near) in graph.edges.iter().enumerate() {
            for &j in near {
                for k in 0..width {
                    next[i][k] += h[j][k] / near.len() as f64;
                }
            }
            for k in 0..width {
                next[i][k] = (0.5 * h[i][k] + next[i][k]).tanh();
            }
        }
        h = next;
    }
    h.iter().map(|row| row.iter().map(|v| v * v).sum::<f64>()).sum()
}

/// The ranks of pages that link to each other, with weights.
#[differentiable(constant(links))]
pub fn page_rank(weights: &[f64], links: &Vec<(usize, usize)>) -> f64 {
    let n = 1 + links.iter().map(|l| l.0.max(l.1)).max().unwrap();
    let mut out = vec![0.0; n];
    for (e, &(from, _)) in links.iter().enumerate() {
        out[from] += weights[e];
    }
    let mut rank = vec![1.0 / n as f64; n];
    for _ in 0..10 {
        let mut next = vec![0.15 / n as f64; n];
        for (e, &(from, to)) in links.iter().enumerate() {
            next[to] += 0.85 * rank[from] * weights[e] / out[from];
        }
        rank = next;
    }
    rank.iter().enumerate().map(|(i, r)| r * r * (i + 1) as f64).sum()
}

pub struct Reaction {
    pub reactants: Vec<(usize, i32)>,
    pub products: Vec<(usize, f64)>,
}

/// Chemical kinetics: concentrations after some steps.
#[differentiable(constant(reactions))]
pub fn kinetics(rates: &[f64], reactions: &Vec<Reaction>) -> f64 {
    let n = 6;
    let mut c = vec![0.5_f64; n];
    for _ in 0..40 {
        let mut change = vec![0.0; n];
        for (k, reaction) in rates.iter().zip(reactions) {
            let mut speed = *k;
            for &(s, order) in &reaction.reactants {
                speed *= c[s].powi(order);
            }
            for &(s, order) in &reaction.reactants {
                change[s] -= order as f64 * speed;
            }
            for &(s, amount) in &reaction.products {
                change[s] += amount * speed;
            }
        }
        for i in 0..n {
            c[i] += 0.05 * change[i];
        }
    }
    c.iter().map(|v| v * v).sum()
}
