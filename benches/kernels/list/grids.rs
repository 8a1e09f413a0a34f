//! Fields on grids that change with time.

use diffi::prelude::*;
use ndarray::Array2;

/// Heat in a plate with a cold border, in two buffers.
#[differentiable(constant(n))]
pub fn heat(start: &[f64], n: &usize) -> f64 {
    let n = *n;
    let mut u = start.to_vec();
    let mut next = u.clone();
    for _ in 0..20 {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let k = i * n + j;
                let conductivity = 0.1 + 0.02 * u[k] * u[k];
                next[k] = u[k] + conductivity * (u[k - n] + u[k + n] + u[k - 1] + u[k + 1] - 4.0 * u[k]);
            }
        }
        std::mem::swap(&mut u, &mut next);
    }
    u.iter().map(|v| v * v).sum()
}

/// The adjoint of `heat` in gather form, from levels that are kept whole.
pub fn heat_by_hand(start: &[f64], n: &usize, gradient: &mut [f64], kept: &mut Vec<Vec<f64>>) -> f64 {
    let n = *n;
    kept.resize(23, vec![]);
    kept.iter_mut().for_each(|level| level.resize(n * n, 0.0));
    kept[0].copy_from_slice(start);
    for t in 0..20 {
        let (before, after) = kept.split_at_mut(t + 1);
        let (u, next) = (&before[t][..n * n], &mut after[0][..n * n]);
        next.copy_from_slice(if t == 0 { u } else { &before[t - 1] });
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let k = i * n + j;
                let conductivity = 0.1 + 0.02 * u[k] * u[k];
                next[k] = u[k] + conductivity * (u[k - n] + u[k + n] + u[k - 1] + u[k + 1] - 4.0 * u[k]);
            }
        }
    }
    let (levels, work) = kept.split_at_mut(21);
    let (bars, next) = work.split_at_mut(1);
    let (mut bar, mut other) = (&mut bars[0], &mut next[0]);
    let value = levels[20].iter().map(|v| v * v).sum();
    for k in 0..n * n {
        bar[k] = 2.0 * levels[20][k];
        other[k] = 0.0;
    }
    let (c, inside) = (|v: f64| 0.1 + 0.02 * v * v, |i: usize| i > 0 && i < n - 1);
    for t in (0..20).rev() {
        let u = &levels[t][..n * n];
        // The border of a level is that of the other buffer.
        for i in 0..n {
            for j in 0..n {
                let k = i * n + j;
                let mut sum = other[k];
                if inside(i) && inside(j) {
                    let around = u[k - n] + u[k + n] + u[k - 1] + u[k + 1] - 4.0 * u[k];
                    sum += bar[k] * (1.0 - 4.0 * c(u[k]) + 0.04 * u[k] * around);
                }
                for (there, l) in [
                    (i > 1 && inside(j), k.wrapping_sub(n)),
                    (i + 2 < n && inside(j), k + n),
                    (j > 1 && inside(i), k.wrapping_sub(1)),
                    (j + 2 < n && inside(i), k + 1),
                ] {
                    if there {
                        sum += bar[l] * c(u[l]);
                    }
                }
                other[k] = sum;
            }
        }
        for i in 0..n {
            for j in 0..n {
                if inside(i) && inside(j) {
                    bar[i * n + j] = 0.0;
                }
            }
        }
        std::mem::swap(&mut bar, &mut other);
    }
    for k in 0..n * n {
        gradient[k] = bar[k] + other[k];
    }
    value
}

/// A membrane by leapfrog: three levels, of which the oldest is made anew.
#[differentiable(constant(speed))]
pub fn membrane(start: &[f64], speed: &Vec<f64>) -> f64 {
    let n = (start.len() as f64).sqrt() as usize;
    let mut old = start.to_vec();
    let mut now = start.to_vec();
    for _ in 0..20 {
        let mut new = vec![0.0; n * n];
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let around = now[(i - 1) * n + j] + now[(i + 1) * n + j] + now[i * n + j - 1] + now[i * n + j + 1];
                let force = around - 4.0 * now[i * n + j] - 0.1 * now[i * n + j].powi(3);
                new[i * n + j] = 2.0 * now[i * n + j] - old[i * n + j] + speed[i * n + j] * force;
            }
        }
        old = now;
        now = new;
    }
    now.iter().zip(&old).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Gray and Scott's reaction on a torus.
#[differentiable(constant(start))]
pub fn gray_scott(rates: &[f64], start: &(Vec<f64>, Vec<f64>)) -> f64 {
    let (feed, kill) = (rates[0], rates[1]);
    let n = (start.0.len() as f64).sqrt() as usize;
    let mut u = start.0.to_vec();
    let mut v = start.1.to_vec();
    for _ in 0..20 {
        let (mut un, mut vn) = (vec![0.0; n * n], vec![0.0; n * n]);
        for i in 0..n {
            let (up, down) = ((i + n - 1) % n, (i + 1) % n);
            for j in 0..n {
                let (left, right) = ((j + n - 1) % n, (j + 1) % n);
                let k = i * n + j;
                let lu = u[up * n + j] + u[down * n + j] + u[i * n + left] + u[i * n + right] - 4.0 * u[k];
                let lv = v[up * n + j] + v[down * n + j] + v[i * n + left] + v[i * n + right] - 4.0 * v[k];
                let reaction = u[k] * v[k] * v[k];
                un[k] = u[k] + rates[2] * lu - reaction + feed * (1.0 - u[k]);
                vn[k] = v[k] + rates[3] * lv + reaction - (feed + kill) * v[k];
            }
        }
        u = un;
        v = vn;
    }
    v.iter().sum()
}

/// A tracer carried by a wind, on rows of a grid.
#[differentiable(constant(wind))]
pub fn advection(start: &[f64], wind: &(f64, f64)) -> f64 {
    let n = (start.len() as f64).sqrt() as usize;
    let mut grid: Vec<Vec<f64>> = start.chunks(n).map(|row| row.to_vec()).collect();
    for _ in 0..15 {
        let before = grid.clone();
        for i in 1..n {
            for j in 1..n {
                let (dx, dy) = (before[i][j] - before[i][j - 1], before[i][j] - before[i - 1][j]);
                grid[i][j] = before[i][j] - 0.2 * (wind.0 * dx + wind.1 * dy) * (1.0 + 0.1 * before[i][j]);
            }
        }
    }
    grid.iter().map(|row| row.iter().map(|v| v * v).sum::<f64>()).sum()
}

/// Burgers' equation, with every level in a list.
#[differentiable(constant(viscosity))]
pub fn burgers(start: &[f64], viscosity: &f64) -> f64 {
    let n = start.len();
    let mut levels = vec![start.to_vec()];
    for t in 0..30 {
        let mut new = levels[t].clone();
        for i in 1..n - 1 {
            let u = &levels[t];
            let slope = if u[i] > 0.0 { u[i] - u[i - 1] } else { u[i + 1] - u[i] };
            new[i] = u[i] - 0.1 * u[i] * slope + *viscosity * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
        }
        levels.push(new);
    }
    levels.iter().map(|u| u.iter().map(|v| v * v).sum::<f64>()).sum()
}

/// The fluxes of shallow water.
#[differentiable]
fn flux(h: f64, q: f64) -> (f64, f64) {
    (q, q * q / h + 4.9 * h * h)
}

/// Shallow water by Lax and Friedrichs, with a called function that returns two fluxes.
#[differentiable(constant(steps))]
pub fn shallow_water(bed: &[f64], steps: &usize) -> f64 {
    let n = bed.len();
    let mut h: Vec<f64> = bed.iter().map(|b| 1.0 + 0.1 * b).collect();
    let mut q = vec![0.0; n];
    for _ in 0..*steps {
        let mut h_new = h.clone();
        let mut q_new = q.clone();
        for i in 1..n - 1 {
            let (fl, gl) = flux(h[i - 1], q[i - 1]);
            let (fr, gr) = flux(h[i + 1], q[i + 1]);
            h_new[i] = 0.5 * (h[i - 1] + h[i + 1]) - 0.05 * (fr - fl);
            q_new[i] = 0.5 * (q[i - 1] + q[i + 1]) - 0.05 * (gr - gl);
        }
        h = h_new;
        q = q_new;
    }
    h.iter().zip(&q).map(|(h, q)| h * h + q * q / h).sum()
}

/// The residual of the Brusselator on a torus, squared.
#[differentiable(constant(n))]
pub fn brusselator(x: &[f64], n: &usize) -> f64 {
    let n = *n;
    let (u, v) = x.split_at(n * n);
    let mut total = 0.0;
    for i in 0..n {
        for j in 0..n {
            let at = |i: usize, j: usize| (i % n) * n + j % n;
            let k = at(i, j);
            let lu = u[at(i + n - 1, j)] + u[at(i + 1, j)] + u[at(i, j + n - 1)] + u[at(i, j + 1)] - 4.0 * u[k];
            let lv = v[at(i + n - 1, j)] + v[at(i + 1, j)] + v[at(i, j + n - 1)] + v[at(i, j + 1)] - 4.0 * v[k];
            let du = 1.0 + u[k] * u[k] * v[k] - 4.4 * u[k] + 2.0 * lu;
            let dv = 3.4 * u[k] - u[k] * u[k] * v[k] + 2.0 * lv;
            total += du * du + dv * dv;
        }
    }
    total
}

/// A wave on a grid whose start and speed are looked for.
#[differentiable(constant(n))]
pub fn waves(x: &[f64], n: &usize) -> f64 {
    let n = *n;
    let c = x[n * n];
    let mut before = Array2::from_shape_fn((n, n), |(i, j)| x[i * n + j]);
    let mut now = before.clone();
    for _ in 0..20 {
        let mut next = Array2::zeros((n, n));
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let around = now[[i + 1, j]] + now[[i - 1, j]] + now[[i, j + 1]] + now[[i, j - 1]];
                next[[i, j]] = 2.0 * now[[i, j]] - before[[i, j]] + c * c * (around - 4.0 * now[[i, j]]);
            }
        }
        before = now;
        now = next;
    }
    now.iter().map(|u| u * u).sum()
}

/// Fisher's equation in two grids that change places.
#[differentiable(constant(start))]
pub fn fisher(rates: &[f64], start: &Array2<f64>) -> f64 {
    let (n, m) = start.dim();
    let mut u = start * rates[2];
    let mut next = Array2::<f64>::zeros((n, m));
    for _ in 0..20 {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let here = u[[i, j]];
                let around = u[[i + 1, j]] + u[[i - 1, j]] + u[[i, j + 1]] + u[[i, j - 1]];
                next[[i, j]] = here + rates[0] * (around - 4.0 * here) + rates[1] * here * (1.0 - here);
            }
        }
        std::mem::swap(&mut u, &mut next);
    }
    u.sum()
}
