//! Structs that hold lists and their sizes, which loops copy, replace and exchange.

use crate::check::agree;
use diffi::prelude::*;

/// Sizes that are declared constant.
#[derive(Clone, Debug, Differentiable)]
pub struct Grid {
    cells: Vec<f64>,
    #[differentiable(constant)]
    nx: usize,
    #[differentiable(constant)]
    ny: usize,
}

#[differentiable]
impl Grid {
    fn at(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.ny + j]
    }
    fn around(&self, i: usize, j: usize) -> f64 {
        self.at(i + 1, j) + self.at(i - 1, j) + self.at(i, j + 1) + self.at(i, j - 1) - 4.0 * self.at(i, j)
    }
}

/// A size that is none by its type.
#[derive(Clone, Debug, Differentiable)]
pub struct Signal {
    values: Vec<f64>,
    rate: f64,
    stride: usize,
}

#[differentiable]
impl Signal {
    fn value(&self, k: usize) -> f64 {
        self.values[k * self.stride] * self.rate
    }
    fn count(&self) -> usize {
        self.values.len() / self.stride
    }
}

/// A matrix whose products are others.
#[derive(Clone, Debug, Differentiable)]
pub struct Matrix {
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

fn grid(x: f64, y: f64, nx: usize, ny: usize) -> Grid {
    Grid { cells: (0..nx * ny).map(|k| x * (0.3 * k as f64).sin() + y * (k % 3) as f64).collect(), nx, ny }
}

#[differentiable(constant(steps))]
fn spread(start: &Grid, steps: usize) -> f64 {
    let mut g = start.clone();
    for _ in 0..steps {
        let mut next = g.clone();
        for i in 1..g.nx - 1 {
            for j in 1..g.ny - 1 {
                next.cells[i * g.ny + j] = g.at(i, j) + 0.1 * g.around(i, j) * g.at(j.min(2), i.min(2));
            }
        }
        g = next;
    }
    g.cells.iter().map(|c| c * c).sum()
}

#[differentiable]
fn spread_out(x: f64, y: f64) -> f64 {
    let cells: Vec<f64> = (0..20).map(|k| x * (0.3 * k as f64).sin() + y * (k % 3) as f64).collect();
    let g = Grid { cells, nx: 5, ny: 4 };
    spread(&g, 3) + g.at(1, 1)
}

#[differentiable]
fn exchanged(x: f64, y: f64) -> f64 {
    let mut a = Signal { values: vec![x, y, x * y, 1.0], rate: y, stride: 1 };
    let mut b = a.clone();
    for k in 0..3 {
        for i in 1..a.count() {
            b.values[i] = a.value(i) * a.value(i - 1) + 0.1 * k as f64;
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.values.iter().sum::<f64>() * a.rate + b.values[1]
}

#[differentiable]
fn of_other_sizes(x: f64, y: f64) -> f64 {
    let fine = Signal { values: vec![x, 1.0, y, 2.0, x * y, 3.0], rate: x, stride: 1 };
    let coarse = Signal { values: vec![x * x, y], rate: y, stride: 2 };
    let mut s = if x > y { fine.clone() } else { coarse.clone() };
    s.values.push(x);
    if x > 0.0 {
        s = fine;
        s.stride = 2;
    }
    let mut sum = coarse.value(0);
    for k in 0..s.count() {
        sum += s.value(k) * s.value(0);
    }
    sum
}

#[differentiable]
fn refined(x: f64, y: f64) -> f64 {
    let mut g = Grid { cells: vec![x, y, x * y, 1.0], nx: 2, ny: 2 };
    for _ in 0..2 {
        let ny = 2 * g.ny;
        let mut cells = Vec::with_capacity(g.nx * ny);
        for i in 0..g.nx {
            for j in 0..ny {
                cells.push(g.at(i, j / 2) * (1.0 + 0.1 * j as f64));
            }
        }
        g = Grid { cells, nx: g.nx, ny };
    }
    g.at(1, 7) * g.at(0, 3) + g.cells.len() as f64 * x
}

#[differentiable]
fn powers(x: f64, y: f64) -> f64 {
    let m = Matrix { data: vec![x, 0.5, y, 1.0 + x * y], n: 2 };
    let mut p = m.clone();
    let mut traces = 0.0;
    for _ in 0..3 {
        p = p.times(&m);
        traces += p.get(0, 0) + p.get(1, 1);
    }
    traces * m.get(0, 1)
}

#[differentiable]
fn kept_in_iterations(x: f64, y: f64) -> f64 {
    let mut s = Signal { values: vec![x, y, 0.5], rate: 1.0, stride: 1 };
    let mut sum = 0.0;
    for k in 0..3 {
        let before = s.clone();
        s.rate *= 1.0 + x * before.values[k];
        s.values[k] = before.value(2 - k) + before.rate * y;
        sum += s.value(k) * before.value(k);
    }
    sum + s.rate
}

/// Sizes that a function outside gives, of which a local holds several.
fn sizes(n: usize) -> (usize, usize) {
    (n / 2, 2)
}

#[differentiable]
fn sizes_of_a_local(x: f64, y: f64) -> f64 {
    let d = sizes(4);
    let mut g = Grid { cells: vec![x, y, x * y, 1.0], nx: d.0, ny: d.1 };
    let d = sizes(2);
    let h = Grid { cells: vec![y, x], nx: d.0, ny: d.1 };
    for _ in 0..2 {
        let old = g.clone();
        for i in 0..old.nx {
            for j in 0..old.ny {
                g.cells[i * old.ny + j] = old.at(i, j) * old.at(j, i) + h.at(0, h.ny - 1);
            }
        }
    }
    let last = h.clone();
    g.at(1, 0) * last.cells[last.nx]
}

#[differentiable]
fn cast_sizes(x: f64, y: f64) -> f64 {
    let n: i32 = 3;
    let mut m = Matrix { data: vec![x, y, x * y, 1.0], n: n as usize };
    let mut sum = 0.0;
    for _ in 0..2 {
        let old = m.clone();
        for i in 0..old.n {
            m.data[i] = old.data[old.n - i] * x;
        }
        if old.n < m.data.len() {
            sum += m.data[0];
        }
    }
    sum * m.data[m.n - 1]
}

#[differentiable]
fn lists_in_tuples(x: f64, y: f64) -> f64 {
    let t = ((vec![x, y], 2_usize), x * y);
    let mut u = t.clone();
    u.0.0.push(t.0.0[t.0.1 - 1] * t.1);
    u.0.1 += 1;
    let mut sum = 0.0;
    let lent = &t.0;
    for i in 0..u.0.1 {
        sum += u.0.0[i] * u.0.0[u.0.1 - 1] * t.0.0[t.0.1 - 1] * lent.0[lent.1 - 1];
    }
    sum
}

#[differentiable]
fn cast_elements(x: f64, y: f64) -> f64 {
    let list = [x, y, x * y];
    let at = [2_u8, 0, 1];
    let mut sum = 0.0;
    for i in 0..3_usize {
        let k = at[i];
        sum += list[i] * list[at[(k as usize + 1) % 3] as usize] * list[at[i] as usize];
    }
    sum
}

#[test]
fn agree_with_differences() {
    agree!(spread_out exchanged of_other_sizes refined powers kept_in_iterations);
    agree!(sizes_of_a_local cast_sizes lists_in_tuples cast_elements);
}

/// Prepared once, for arguments of other sizes.
#[test]
fn other_sizes_later() -> Result<()> {
    let mut prepared = prepare_gradient(spread::D, AutoReverse, (&grid(0.5, 0.2, 4, 4), Constant(2)))?;
    for (nx, ny) in [(4, 4), (6, 5), (3, 7), (4, 4)] {
        let g = grid(0.3, 0.7, nx, ny);
        let fresh = gradient(spread::D, AutoForward, (&g, Constant(2)))?;
        let mut again = prepare_gradient(spread::D, AutoReverse, (&g, Constant(2)))?;
        crate::check::close("fresh", &again.gradient((&g, Constant(2)))?.cells, &fresh.cells, 1e-12);
        if let Ok(found) = prepared.gradient((&g, Constant(2))) {
            crate::check::close("prepared", &found.cells, &fresh.cells, 1e-12);
        }
    }
    Ok(())
}
