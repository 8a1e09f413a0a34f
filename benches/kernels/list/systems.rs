//! Ordinary differential equations, signals and images.

use diffi::prelude::*;

#[differentiable]
fn spread(y: &[f64; 4], p: &[f64]) -> [f64; 4] {
    let infection = p[0] * y[0] * y[2];
    [-infection, infection - p[1] * y[1], p[1] * y[1] - p[2] * y[2], p[2] * y[2]]
}

/// An epidemic by the classical method of Runge and Kutta.
#[differentiable(constant(seen))]
pub fn epidemic(p: &[f64], seen: &Vec<f64>) -> f64 {
    let mut y = [0.99, 0.0, 0.01, 0.0];
    let mut error = 0.0;
    let h = 0.2;
    for s in seen {
        let k1 = spread(&y, p);
        let k2 = spread(&std::array::from_fn(|i| y[i] + 0.5 * h * k1[i]), p);
        let k3 = spread(&std::array::from_fn(|i| y[i] + 0.5 * h * k2[i]), p);
        let k4 = spread(&std::array::from_fn(|i| y[i] + h * k3[i]), p);
        for i in 0..4 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        error += (y[2] - s) * (y[2] - s);
    }
    error
}

#[differentiable]
fn oscillators(theta: &[f64], omega: &[f64]) -> Vec<f64> {
    let n = theta.len();
    (0..n).map(|i| omega[i] + (0..n).map(|j| (theta[j] - theta[i]).sin()).sum::<f64>() / n as f64).collect()
}

/// Kuramoto's oscillators by Heun's method, with slopes that a function returns.
#[differentiable(constant(start))]
pub fn kuramoto(omega: &[f64], start: &Vec<f64>) -> f64 {
    let mut theta = start.clone();
    for _ in 0..8 {
        let k1 = oscillators(&theta, omega);
        let half: Vec<f64> = theta.iter().zip(&k1).map(|(t, k)| t + 0.1 * k).collect();
        let k2 = oscillators(&half, omega);
        for i in 0..theta.len() {
            theta[i] += 0.05 * (k1[i] + k2[i]);
        }
    }
    let (c, s) = (theta.iter().map(|t| t.cos()).sum::<f64>(), theta.iter().map(|t| t.sin()).sum::<f64>());
    (c * c + s * s).sqrt()
}

/// A signal's spectrum beside a goal.
#[differentiable(constant(goal))]
pub fn spectrum(x: &[f64], goal: &Vec<f64>) -> f64 {
    let n = x.len();
    let mut error = 0.0;
    for (k, g) in goal.iter().enumerate() {
        let (mut re, mut im) = (0.0, 0.0);
        for (t, v) in x.iter().enumerate() {
            let phase = -0.7 * (k * t % n) as f64;
            re += v * phase.cos();
            im += v * phase.sin();
        }
        error += ((re * re + im * im + 1e-3).sqrt() - g).powi(2);
    }
    error
}

/// The total variation of an image, and how far it is from a noisy one.
#[differentiable(constant(noisy))]
pub fn total_variation(u: &[f64], noisy: &Vec<f64>) -> f64 {
    let n = (u.len() as f64).sqrt() as usize;
    let mut total = 0.0;
    for i in 0..n - 1 {
        for j in 0..n - 1 {
            let (dx, dy) = (u[i * n + j + 1] - u[i * n + j], u[(i + 1) * n + j] - u[i * n + j]);
            total += (dx * dx + dy * dy + 1e-4).sqrt();
        }
    }
    total + 2.0 * u.iter().zip(noisy).map(|(a, b)| (a - b).powi(2)).sum::<f64>()
}

pub fn total_variation_by_hand(u: &[f64], noisy: &Vec<f64>, gradient: &mut [f64], _: &mut Vec<Vec<f64>>) -> f64 {
    let n = (u.len() as f64).sqrt() as usize;
    let mut total = 0.0;
    for ((g, a), b) in gradient.iter_mut().zip(u).zip(noisy) {
        total += 2.0 * (a - b) * (a - b);
        *g = 4.0 * (a - b);
    }
    for i in 0..n - 1 {
        let (row, below) = (&u[i * n..(i + 1) * n], &u[(i + 1) * n..(i + 2) * n]);
        let (g, g_below) = gradient[i * n..(i + 2) * n].split_at_mut(n);
        for j in 0..n - 1 {
            let (dx, dy) = (row[j + 1] - row[j], below[j] - row[j]);
            let length = (dx * dx + dy * dy + 1e-4).sqrt();
            total += length;
            let (sx, sy) = (dx / length, dy / length);
            g[j + 1] += sx;
            g_below[j] += sy;
            g[j] -= sx + sy;
        }
    }
    total
}

/// Diffusion of an image by rows and columns with borders held by clamping.
#[differentiable(constant(rounds))]
pub fn blur(image: &[f64], rounds: &usize) -> f64 {
    let n = (image.len() as f64).sqrt() as usize;
    let mut u = image.to_vec();
    for _ in 0..*rounds {
        let mut next = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                let (up, down) = (i.saturating_sub(1), (i + 1).min(n - 1));
                let (left, right) = (j.saturating_sub(1), (j + 1).min(n - 1));
                let mean = 0.25 * (u[up * n + j] + u[down * n + j] + u[i * n + left] + u[i * n + right]);
                let edge = (mean - u[i * n + j]) * (mean - u[i * n + j]);
                next[i * n + j] = u[i * n + j] + 0.5 * (mean - u[i * n + j]) / (1.0 + edge);
            }
        }
        u = next;
    }
    u.iter().map(|v| v * v).sum()
}

/// Thin films: matrices of two by two, multiplied along the layers for each colour.
#[differentiable(constant(colours))]
pub fn thin_films(x: &[f64], colours: &Vec<f64>) -> f64 {
    let mut total = 0.0;
    for colour in colours {
        let mut m = [[1.0, 0.0], [0.0, 1.0]];
        for (k, thickness) in x.iter().enumerate() {
            let index = if k % 2 == 0 { 1.45 } else { 2.1 };
            let (s, c) = (colour * index * thickness).sin_cos();
            let l = [[c, s / index], [-s * index, c]];
            let mut product = [[0.0; 2]; 2];
            for i in 0..2 {
                for j in 0..2 {
                    product[i][j] = m[i][0] * l[0][j] + m[i][1] * l[1][j];
                }
            }
            m = product;
        }
        let (a, b) = (m[0][0] + 1.5 * m[1][1], m[0][1] * 1.5 - m[1][0]);
        total += 1.0 - 6.0 / (a * a + b * b);
    }
    total
}

/// A filter with feedback, over a signal.
#[differentiable(constant(signal))]
pub fn recursive_filter(p: &[f64], signal: &Vec<f64>) -> f64 {
    let mut y = vec![0.0; signal.len()];
    for t in 2..signal.len() {
        y[t] = p[0] * signal[t] + p[1] * signal[t - 1] + p[2] * signal[t - 2] - p[3] * y[t - 1] - p[4] * y[t - 2];
    }
    y.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// Chebyshev series by Clenshaw's recurrence, at many points.
#[differentiable(constant(points))]
pub fn chebyshev(c: &[f64], points: &Vec<(f64, f64)>) -> f64 {
    let mut error = 0.0;
    for (x, y) in points {
        let (mut b1, mut b2) = (0.0, 0.0);
        for k in (1..c.len()).rev() {
            let b = c[k] + 2.0 * x * b1 - b2;
            b2 = b1;
            b1 = b;
        }
        error += (c[0] + x * b1 - b2 - y).powi(2);
    }
    error
}

pub fn chebyshev_by_hand(c: &[f64], points: &Vec<(f64, f64)>, gradient: &mut [f64], _: &mut Vec<Vec<f64>>) -> f64 {
    let mut error = 0.0;
    gradient.fill(0.0);
    for (x, y) in points {
        let (mut b1, mut b2) = (0.0, 0.0);
        for k in (1..c.len()).rev() {
            let b = c[k] + 2.0 * x * b1 - b2;
            b2 = b1;
            b1 = b;
        }
        let off = c[0] + x * b1 - b2 - y;
        error += off * off;
        let bar = 2.0 * off;
        gradient[0] += bar;
        let (mut t1, mut t2) = (bar * x, bar);
        for g in &mut gradient[1..] {
            *g += t1;
            (t1, t2) = (2.0 * x * t1 - t2, t1);
        }
    }
    error
}
