//! Loops over elements `a[[i, j]]`, of arrays in any layout: stencils, factorisations, products.

use diffi::prelude::*;
use ndarray::{Array1, Array2, Array3, ArrayView2, s};

/// A wave whose speed is looked for.
#[differentiable]
fn wave(x: &Array1<f64>) -> f64 {
    let (n, m) = (5, 6);
    let c = x[0];
    let mut before = Array2::from_shape_fn((n, m), |(i, j)| x[(i * m + j) % x.len()]);
    let mut now = before.clone();
    for _ in 0..3 {
        let mut next = Array2::zeros((n, m));
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let lap = now[[i + 1, j]] + now[[i - 1, j]] + now[[i, j + 1]] + now[[i, j - 1]] - 4.0 * now[[i, j]];
                next[[i, j]] = 2.0 * now[[i, j]] - before[[i, j]] + c * c * lap;
            }
        }
        before = now;
        now = next;
    }
    now.iter().map(|v| v * v).sum::<f64>() + before[[2, 3]].sin()
}

/// The same where rows are columns in memory.
#[differentiable]
fn diffusion_across(x: &Array1<f64>) -> f64 {
    let (n, m) = (6, 5);
    let c = x[1];
    let mut now = Array2::from_shape_fn((m, n), |(i, j)| x[(i * n + j) % x.len()]).reversed_axes();
    for _ in 0..3 {
        let mut next = now.clone();
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let lap = now[[i + 1, j]] + now[[i - 1, j]] + now[[i, j + 1]] + now[[i, j - 1]] - 4.0 * now[[i, j]];
                next[[i, j]] = now[[i, j]] + c * lap;
            }
        }
        now = next;
    }
    now.iter().map(|v| v.sin()).sum()
}

/// What a row adds to the next, by a view.
#[differentiable]
fn falls(u: ArrayView2<f64>, k: f64) -> f64 {
    let (n, m) = u.dim();
    let mut total = 0.0;
    for i in 1..n {
        for j in 1..m - 1 {
            total += k * (u[[i, j]] - u[[i - 1, j]]) * u[[i, j + 1]] + u[[i, j - 1]].cos();
        }
    }
    total
}

/// Views with gaps, upside down and transposed.
#[differentiable]
fn of_views(x: &Array1<f64>) -> f64 {
    let u = Array2::from_shape_fn((5, 6), |(i, j)| x[(i * 6 + j) % x.len()]);
    falls(u.view(), x[0])
        + falls(u.slice(s![1.., ..]), x[1])
        + falls(u.slice(s![.., ..;2]), x[2])
        + falls(u.slice(s![..;-1, 1..]), x[3])
        + falls(u.t(), x[4])
}

/// Fisher's equation in two buffers that change places.
#[differentiable]
fn reaction(x: &Array1<f64>) -> f64 {
    let (n, m) = (5, 7);
    let k = x[2];
    let mut a = Array2::from_shape_fn((n, m), |(i, j)| 0.5 * x[(i * m + j) % x.len()]);
    let mut b = Array2::zeros((n, m));
    for _ in 0..3 {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let u = a[[i, j]];
                let around = a[[i + 1, j]] + a[[i - 1, j]] + a[[i, j + 1]] + a[[i, j - 1]];
                b[[i, j]] = u + 0.1 * (around - 4.0 * u) + k * u * (1.0 - u);
            }
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().zip(b.iter()).map(|(a, b)| a * a + b).sum()
}

/// In place, where a loop reads what it has just written.
#[differentiable]
fn relaxation(x: &Array1<f64>) -> f64 {
    let (n, m) = (5, 6);
    let mut u = Array2::from_shape_fn((n, m), |(i, j)| x[(i * m + j) % x.len()]);
    let w = 0.2 + 0.1 * x[0];
    for _ in 0..2 {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let around = u[[i + 1, j]] + u[[i - 1, j]] + u[[i, j + 1]] + u[[i, j - 1]];
                u[[i, j]] = (1.0 - w) * u[[i, j]] + w * around.sin();
            }
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// Rows of one array, of which one is changed; and columns.
#[differentiable]
fn cascades(x: &Array1<f64>) -> f64 {
    let (n, m) = (4, 11);
    let mut u = Array2::from_shape_fn((n, m), |(i, j)| 0.3 * x[(i * m + j) % x.len()]);
    for i in 1..n {
        for j in 0..m {
            u[[i, j]] += u[[i - 1, j]] * x[1];
        }
        for j in 1..m {
            u[[i, j]] *= u[[i, j - 1]] + 1.5;
        }
    }
    let mut columns = 0.0;
    for j in 0..m {
        for i in 0..n {
            columns += u[[i, j]] * u[[i, (j + 1) % m]];
        }
    }
    columns
}

/// Cholesky's factorisation, whose elements are final once they are written.
#[differentiable]
fn logarithm_of_determinant(x: &Array1<f64>) -> f64 {
    let n = x.len();
    let a = Array2::from_shape_fn((n, n), |(i, j)| if i == j { 3.0 + x[i] * x[i] } else { 0.3 * x[i] * x[j] });
    let mut l = Array2::<f64>::zeros((n, n));
    for i in 0..n {
        for j in 0..=i {
            let mut s = a[[i, j]];
            for k in 0..j {
                s -= l[[i, k]] * l[[j, k]];
            }
            l[[i, j]] = if i == j { s.sqrt() } else { s / l[[j, j]] };
        }
    }
    (0..n).map(|i| 2.0 * l[[i, i]].ln()).sum()
}

/// Elimination in place, whose elements change again and again.
#[differentiable]
fn eliminated(x: &Array1<f64>) -> f64 {
    let n = x.len();
    let mut a = Array2::from_shape_fn((n, n), |(i, j)| if i == j { 4.0 + x[i] } else { (x[i] - 0.5 * x[j]).sin() });
    let mut b = x.clone();
    for k in 0..n {
        for i in k + 1..n {
            let f = a[[i, k]] / a[[k, k]];
            for j in k..n {
                a[[i, j]] -= f * a[[k, j]];
            }
            b[i] -= f * b[k];
        }
    }
    let mut y = Array1::<f64>::zeros(n);
    for i in (0..n).rev() {
        let mut s = b[i];
        for j in i + 1..n {
            s -= a[[i, j]] * y[j];
        }
        y[i] = s / a[[i, i]];
    }
    y.iter().map(|v| v * v).sum()
}

/// A product by hand, with a transposed factor.
#[differentiable]
fn product(x: &Array1<f64>) -> f64 {
    let (n, m, p) = (3, 12, 10);
    let a = Array2::from_shape_fn((n, p), |(i, j)| x[(i + 2 * j) % x.len()]);
    let b = Array2::from_shape_fn((m, p), |(i, j)| x[(2 * i + j) % x.len()].sin()).reversed_axes();
    let mut c = Array2::<f64>::zeros((n, m));
    for i in 0..n {
        for k in 0..p {
            for j in 0..m {
                c[[i, j]] += a[[i, k]] * b[[k, j]];
            }
        }
    }
    c.iter().map(|v| v.tanh()).sum()
}

/// Three indices, and a dimension that only the array knows.
#[differentiable]
fn layers(x: &Array1<f64>) -> f64 {
    let (n, m, p) = (3, 2, 10);
    let u = Array3::from_shape_fn((n, m, p), |(i, j, k)| x[(i + 3 * j + k) % x.len()]);
    let mut v = Array3::<f64>::zeros((n, m, p));
    for i in 0..n {
        for j in 0..m {
            for k in 1..p - 1 {
                v[[i, j, k]] = u[[i, j, k - 1]] * u[[(i + 1) % n, j, k + 1]] + x[0] * u[[i, 1 - j, k]];
            }
        }
    }
    v.iter().map(|w| w * w).sum()
}

/// A loop that does not run, and one that runs once.
#[differentiable]
fn narrow(x: &Array1<f64>) -> f64 {
    let mut total = x[0] * x[1];
    for m in 1..4 {
        let u = Array2::from_shape_fn((2, m), |(i, j)| x[i + j]);
        for i in 0..2 {
            for j in 1..m - 1 {
                total += u[[i, j - 1]] * u[[i, j + 1]] * u[[1 - i, j]];
            }
        }
    }
    total
}

/// Two rows that meet where they are one.
#[differentiable]
fn products_of_rows(x: &Array1<f64>) -> f64 {
    let m = Array2::from_shape_fn((4, 6), |(i, j)| x[(i + j) % 5] * (1.0 + 0.1 * j as f64) + x[i]);
    let mut total = 0.0;
    for i in 0..4 {
        for j in 0..=i {
            let mut s = 1.0 + i as f64;
            for k in 0..m.ncols() - j {
                s -= m[[i, k]] * m[[j, k]];
            }
            total += s * s;
        }
    }
    total
}

/// Rows of three indices, and by one place apart.
#[differentiable]
fn products_of_neighbours(x: &Array1<f64>) -> f64 {
    let t = Array3::from_shape_fn((2, 3, 7), |(a, i, j)| x[(a + i + j) % 5] * x[a + i]);
    let mut total = 0.0;
    for i in 0..3 {
        for j in 0..3 {
            let mut s = 0.0;
            for k in 0..t.dim().2 - 1 {
                s += t[[1, i, k]] * t[[j % 2, j, k + 1]] * x[4];
            }
            total += s.sin() + s * s;
        }
    }
    total
}

/// Rows that do not lie together, as those of a transposed array.
#[differentiable]
fn products_across(x: &Array1<f64>) -> f64 {
    let mut m = Array2::from_shape_fn((6, 4), |(i, j)| x[(2 * i + j) % 5] + 0.2 * i as f64).reversed_axes();
    for i in 0..4 {
        for j in 0..i {
            let mut s = m[[i, j]];
            for k in 0..j + 3 {
                s -= 0.1 * m[[i, k]] * m[[j, k]];
            }
            m[[i, j]] = s;
        }
    }
    m.iter().map(|v| v * v).sum()
}

mod checked {
    crate::number!(wave(7));
    crate::number!(diffusion_across(7));
    crate::number!(of_views(8));
    crate::number!(reaction(7));
    crate::number!(relaxation(7));
    crate::number!(cascades(7));
    crate::number!(logarithm_of_determinant(5));
    crate::number!(eliminated(5));
    crate::number!(product(6));
    crate::number!(layers(6));
    crate::number!(narrow(5));
    crate::number!(products_of_rows(5));
    crate::number!(products_of_neighbours(5));
    crate::number!(products_across(5));
}
