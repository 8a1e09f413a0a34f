//! Rows and columns whose elements alone are read, elements by tuples and by one index, and arrays in structs.

use diffi::prelude::*;
use ndarray::{Array1, Array2, Array3, ArrayView2, Axis, s};

fn points(x: &[f64]) -> Array2<f64> {
    Array2::from_shape_fn((4, 3), |(i, j)| x[(2 * i + j) % x.len()] + 0.3 * i as f64)
}

/// Squared distance to the nearest centre.
#[differentiable]
fn nearest(x: &Array1<f64>) -> f64 {
    let centres = Array2::from_shape_fn((2, 3), |(i, j)| x[3 * i + j]);
    let data = Array2::from_shape_fn((3, 3), |(i, j)| x[(i + j) % 6] * 0.5);
    let mut loss = 0.0;
    for p in data.rows() {
        let mut best = f64::INFINITY;
        for q in centres.outer_iter() {
            let d: f64 = p.iter().zip(q.iter()).map(|(a, b)| (a - b) * (a - b)).sum();
            if d < best {
                best = d;
            }
        }
        loss += best;
    }
    loss
}

/// By indices, lengths and columns.
#[differentiable]
fn by_columns(x: &Array1<f64>) -> f64 {
    let a = Array2::from_shape_fn((3, 2), |(i, j)| x[2 * i + j]);
    let mut total = 0.0;
    for j in 0..a.ncols() {
        let column = a.column(j);
        let mut product = 1.0;
        for i in 0..column.len() {
            product *= column[i] + 0.1 * column[(i + 1) % column.len()];
        }
        total += product;
    }
    for column in a.axis_iter(Axis(1)) {
        total += column[0].sin() * column[2];
    }
    total
}

/// The largest of a row is asked for in passing.
#[differentiable]
fn softmax(x: &Array1<f64>) -> f64 {
    let logits = Array2::from_shape_fn((2, 3), |(i, j)| x[3 * i + j] * x[j]);
    let mut loss = 0.0;
    for (row, label) in logits.outer_iter().zip([2, 0]) {
        let m = row.fold(f64::NEG_INFINITY, |a, &b| a.max(b));
        let z: f64 = row.iter().map(|v| (v - m).exp()).sum();
        loss -= row[label] - m - z.ln();
    }
    loss
}

/// The array changes while a row of it is looked at: the row is a copy of its own.
#[differentiable]
fn row_of_before(x: &Array1<f64>) -> f64 {
    let mut a = Array2::from_shape_fn((3, 2), |(i, j)| x[2 * i + j]);
    for i in 1..3 {
        let above = a.row(i - 1).to_owned();
        for j in 0..2 {
            a[[i - 1, j]] *= 0.5;
            a[[i, j]] += above[j] * above[1 - j];
        }
    }
    a.sum()
}

/// Which row it is changes behind it.
#[differentiable]
fn moving_row(x: &Array1<f64>) -> f64 {
    let a = Array2::from_shape_fn((3, 2), |(i, j)| x[2 * i + j]);
    let mut k = 0;
    let mut total = 0.0;
    while k < 3 {
        let row = a.row(k);
        k += 1;
        total += row[0] * row[1] * k as f64;
    }
    total
}

/// Handed on, or read as a whole, a row is an array.
#[differentiable]
fn whole_rows(x: &Array1<f64>) -> f64 {
    let a = Array2::from_shape_fn((3, 2), |(i, j)| x[2 * i + j]);
    let mut total = 0.0;
    for i in 0..3 {
        let row = a.row(i);
        total += row.dot(&row) * row[0] + row.sum() * row.iter().product::<f64>();
    }
    total
}

/// Planes of three axes are no lines.
#[differentiable]
fn planes(x: &Array1<f64>) -> f64 {
    let a = Array3::from_shape_fn((2, 2, 3), |(i, j, k)| x[(3 * i + 2 * j + k) % 6]);
    let mut total = 0.0;
    for plane in a.outer_iter() {
        for row in plane.rows() {
            total += row.iter().map(|v| v * v).sum::<f64>().sqrt() * row[1];
        }
        total += plane[[1, 2]] * plane[(0, 1)];
    }
    total
}

/// By tuples, in any layout.
#[differentiable]
fn by_tuples(x: &Array1<f64>) -> f64 {
    let mut u = Array2::<f64>::zeros((4, 5));
    for i in 0..4 {
        for j in 0..5 {
            u[(i, j)] = x[(i + j) % x.len()] * 0.7;
        }
    }
    for _ in 0..3 {
        let old = u.clone();
        for i in 1..old.nrows() - 1 {
            for j in 1..old.ncols() - 1 {
                let around = old[(i - 1, j)] + old[(i + 1, j)] + old[(i, j - 1)] + old[(i, j + 1)];
                u[(i, j)] = old[(i, j)] + 0.1 * x[0] * (around - 4.0 * old[(i, j)]);
            }
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// One axis.
#[differentiable]
fn rod(x: &Array1<f64>) -> f64 {
    let n = x.len();
    let mut u = x.clone();
    for _ in 0..4 {
        let mut next = u.clone();
        for i in 1..n - 1 {
            next[i] = u[i] + 0.2 * (u[i + 1] - 2.0 * u[i] + u[i - 1]) - 0.1 * x[0] * u[i] * (u[i] - u[i - 1]);
        }
        u = next;
    }
    u.dot(&u) + u[n - 1]
}

/// Three axes, some of them short, and an array of which a loop also asks for the shape.
#[differentiable]
fn cube(x: &Array1<f64>) -> f64 {
    let mut u = Array3::from_shape_fn((3, 3, 4), |(i, j, k)| x[(i + 2 * j + k) % x.len()]);
    let mut v = u.clone();
    for _ in 0..2 {
        for i in 1..u.shape()[0] - 1 {
            for j in 1..u.shape()[1] - 1 {
                for k in 1..u.shape()[2] - 1 {
                    let around =
                        u[[i + 1, j, k]] + u[[i - 1, j, k]] + u[[i, j + 1, k]] * u[[i, j - 1, k]] + u[[i, j, k + 1]];
                    v[[i, j, k]] = u[[i, j, k]] + 0.1 * (around - 4.0 * u[[i, j, k - 1]]);
                }
            }
        }
        std::mem::swap(&mut u, &mut v);
    }
    u.iter().map(|v| v.sin()).sum()
}

#[derive(Clone, Debug, Differentiable)]
struct Lattice {
    spins: Array2<f64>,
    field: Array1<f64>,
    coupling: f64,
}
#[differentiable]
impl Lattice {
    fn energy(&self) -> f64 {
        let (n, m) = self.spins.dim();
        let mut e = 0.0;
        for i in 0..n - 1 {
            for j in 0..m - 1 {
                e -= self.coupling * self.spins[[i, j]] * (self.spins[[i + 1, j]] + self.spins[(i, j + 1)]);
                e += self.field[j] * self.spins[[i, j]];
            }
        }
        e
    }
    fn step(&mut self, dt: f64) {
        let old = self.spins.clone();
        let (n, m) = old.dim();
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let around = old[[i - 1, j]] + old[[i + 1, j]] + old[[i, j - 1]] + old[[i, j + 1]];
                self.spins[[i, j]] += dt * (self.coupling * around - old[[i, j]].powi(3));
                self.field[j] *= 1.0 - dt * self.spins[[i, j]];
            }
        }
    }
}
#[differentiable]
fn lattice(x: &Array1<f64>) -> f64 {
    let spins = Array2::from_shape_fn((4, 4), |(i, j)| x[(i + j) % 6] * 0.4);
    let mut l = Lattice { spins, field: x.clone(), coupling: x[1] };
    let start = l.clone();
    for _ in 0..3 {
        l.step(0.05);
    }
    l.energy() + start.energy() * l.field[0]
}

/// Rows of a constant array, as a whole and by their elements, side by side and apart.
#[differentiable]
fn recurrent(x: &Array1<f64>) -> f64 {
    let data = points(&[0.3, -0.2, 0.5, 0.9, -0.4, 0.1]);
    let w = Array2::from_shape_fn((2, 2), |(i, j)| x[2 * i + j]);
    let u = Array2::from_shape_fn((2, 3), |(i, j)| x[(3 * i + j) % 6] * 0.5);
    let mut h = Array1::<f64>::zeros(2);
    let mut loss = 0.0;
    for row in data.rows() {
        h = (w.dot(&h) + u.dot(&row)).mapv(f64::tanh);
        loss += h.iter().map(|v| v * v).sum::<f64>() + row.iter().zip(x.iter()).map(|(a, b)| a * b.sin()).sum::<f64>();
    }
    for column in data.columns() {
        loss += column.iter().zip(x).map(|(a, b)| a * b * b).sum::<f64>() * column[0];
    }
    loss
}

/// Ranges with their ends, some of one iteration and some of none.
#[differentiable]
fn with_ends(x: &Array1<f64>) -> f64 {
    let a = Array2::from_shape_fn((3, 3), |(i, j)| x[(2 * i + j) % 6]);
    let mut b = a.clone();
    let mut total = 0.0;
    for n in 0..3 {
        for i in 0..=n {
            for j in i..=2 * n {
                if j < 3 {
                    b[[i, j]] += a[[j, i]] * b[[j, n]];
                }
            }
        }
        for k in 1..=n {
            total += b[[k, n]] * a[[n, k]] + b[(0, k)];
        }
    }
    for k in (0..=0).rev() {
        total += b[[k, 2]].sin() * x[k];
    }
    for k in (0..3).step_by(2) {
        b[[k, k]] *= x[k + 1];
    }
    total + b.sum()
}

/// Elements that change places, as those of pivots do.
#[differentiable]
fn pivots(x: &Array1<f64>) -> f64 {
    let mut a = Array2::from_shape_fn((3, 3), |(i, j)| x[(2 * i + j) % 6] + if i == (j + 1) % 3 { 2.0 } else { 0.0 });
    let mut b = x.clone();
    let mut sign = 1.0;
    for k in 0..3 {
        let mut best = k;
        for i in k + 1..3 {
            if a[[i, k]].abs() > a[[best, k]].abs() {
                best = i;
            }
        }
        if best != k {
            for j in 0..3 {
                a.swap([k, j], [best, j]);
            }
            b.swap(k, best);
            sign = -sign;
        }
        for i in k + 1..3 {
            let f = a[[i, k]] / a[[k, k]];
            for j in k..3 {
                a[[i, j]] -= f * a[[k, j]];
            }
            b[i] -= f * b[k];
        }
    }
    sign * a[[0, 0]] * a[(1, 1)] * a[[2, 2]] + b[2]
}

/// Arguments in every layout.
#[differentiable]
fn of_any_layout(u: ArrayView2<f64>, w: &Array2<f64>) -> f64 {
    let mut total = 0.0;
    for i in 0..u.nrows() {
        for j in 0..w.ncols() {
            let mut sum = 0.1;
            for k in 0..u.ncols() {
                sum += u[[i, k]] * w[[k, j]];
            }
            total += sum.tanh() * u[(i, 0)];
        }
    }
    for row in w.rows() {
        total += row[0] * row[row.len() - 1];
    }
    total
}

#[test]
fn arguments_lie_in_any_way() {
    let x = [0.4, -0.3, 0.8, 0.2, -0.6, 0.5];
    let (u, w) = (points(&x), points(&x[1..]).reversed_axes());
    let plain = gradient(of_any_layout::D, AutoReverse, (u.view(), &w)).unwrap();
    let across = u.t().to_owned().reversed_axes();
    let wide = Array2::from_shape_fn((8, 6), |(i, j)| if i % 2 == 0 && j % 2 == 0 { u[[i / 2, j / 2]] } else { 9.0 });
    let standard = w.as_standard_layout().to_owned();
    for (u, w) in [(u.view(), &standard), (across.view(), &w), (wide.slice(s![..;2, ..;2]), &standard)] {
        let found = gradient(of_any_layout::D, AutoReverse, (u, w)).unwrap();
        assert!((&found.0 - &plain.0).iter().chain((&found.1 - &plain.1).iter()).all(|d| d.abs() < 1e-14));
        let forward = gradient(of_any_layout::D, AutoForward, (u, w)).unwrap();
        assert!((&forward.0 - &plain.0).iter().all(|d| d.abs() < 1e-13));
    }
    let of_u = gradient(of_any_layout::D, AutoReverse, (u.view(), Constant(&w))).unwrap();
    let of_w = gradient(of_any_layout::D, AutoReverse, (Constant(u.view()), &w)).unwrap();
    assert_eq!((of_u, of_w), (plain.0.clone(), plain.1.clone()));
    let step = 1e-6;
    for k in 0..12 {
        let (mut more, mut less) = (u.clone(), u.clone());
        more[[k / 3, k % 3]] += step;
        less[[k / 3, k % 3]] -= step;
        let slope = (of_any_layout(more.view(), &w) - of_any_layout(less.view(), &w)) / (2.0 * step);
        assert!((slope - plain.0[[k / 3, k % 3]]).abs() < 1e-8);
    }
}

mod checked {
    crate::number!(nearest(6));
    crate::number!(by_columns(6));
    crate::number!(softmax(6));
    crate::number!(row_of_before(6));
    crate::number!(moving_row(6));
    crate::number!(whole_rows(6));
    crate::number!(planes(6));
    crate::number!(by_tuples(7));
    crate::number!(rod(7));
    crate::number!(cube(7));
    crate::number!(lattice(6));
    crate::number!(recurrent(6));
    crate::number!(with_ends(6));
    crate::number!(pivots(6));
}
