//! Unroll-and-jam (`unroll_jam`): loops around one inner loop that run four iterations at a time, and loops that must not.

use diffi::prelude::*;

// ---- four iterations at a time ----

/// Rows of a matrix by a vector; what follows each sum depends on it.
#[differentiable]
fn layer(w: &[f64], x: &[f64], b: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut h = vec![0.0; b.len()];
    for i in 0..b.len() {
        let row = &w[i * n..(i + 1) * n];
        let mut z = 0.0;
        for k in 0..n {
            z += row[k] * x[k];
        }
        h[i] = (z + b[i]).tanh();
    }
    h
}

#[differentiable]
fn two_layers(w: &[f64], v: &[f64], x: &[f64], m: usize, p: usize) -> Vec<f64> {
    let mut hidden = vec![0.0; m];
    for (h, row) in hidden.iter_mut().zip(w.chunks_exact(x.len())) {
        let z: f64 = row.iter().zip(x).map(|(w, x)| w * x).sum();
        *h = z.sin();
    }
    let mut y = vec![0.0; p];
    for (y, row) in y.iter_mut().zip(v.chunks_exact(m)) {
        let z: f64 = row.iter().zip(&hidden).map(|(v, h)| v * h).sum();
        *y = z + 0.5;
    }
    y
}

/// Columns of a matrix by a vector: all iterations add to the same elements.
#[differentiable]
fn columns(a: &[f64], x: &[f64], m: usize) -> Vec<f64> {
    let mut y = vec![0.0; m];
    for c in 0..x.len() {
        let column = &a[c * m..(c + 1) * m];
        for i in 0..m {
            y[i] += column[i] * x[c];
        }
    }
    y
}

/// Inner loops that begin later, an outer one too, and the same matrix forwards and transposed.
#[differentiable]
fn bilinear(a: &[f64], x: &[f64], n: usize) -> f64 {
    let mut u = vec![0.25; n];
    let mut v = vec![0.0; n];
    for i in 1..n {
        let mut s = x[i];
        for k in 2..n {
            s -= a[i * n..(i + 1) * n][k] * x[k];
            u[k] += a[i * n..(i + 1) * n][k] * x[i];
        }
        v[i] = s * x[i];
    }
    let mut y = 0.0;
    for k in 0..n {
        y += u[k] * v[k];
    }
    y
}

#[differentiable(constant(points))]
fn distances(points: &[f64], center: &[f64], n: usize) -> Vec<f64> {
    let d = center.len();
    let mut y = vec![0.0; n];
    for i in 0..n {
        let point = &points[i * d..(i + 1) * d];
        let mut s = 0.0;
        for k in 0..d {
            let t = point[k] - center[k];
            s += t * t;
        }
        y[i] = (s + 1.0).sqrt();
    }
    y
}

/// A triangle, packed, column by column: each iteration starts one element later.
#[differentiable]
fn triangle_by_columns(l: &[f64], x: &[f64], n: usize) -> Vec<f64> {
    let mut y = x.to_vec();
    let mut start = 0;
    for i in 0..n {
        let column = &l[start..start + n - 1 - i];
        for (y, l) in y[i + 1..].iter_mut().zip(column) {
            *y += l * x[i];
        }
        start += n - 1 - i;
    }
    y
}

/// Its first columns only: those behind the last block are as long as they like.
#[differentiable]
fn trapezoid(l: &[f64], x: &[f64], m: usize, n: usize) -> Vec<f64> {
    let mut y = x.to_vec();
    let mut start = 0;
    for i in 0..m {
        let column = &l[start..start + n - 1 - i];
        for (y, l) in y[i + 1..].iter_mut().zip(column) {
            *y += l * x[i];
        }
        start += n - 1 - i;
    }
    y
}

/// Several vectors through one triangle: the loop around stands once for long triangles and once for short ones.
#[differentiable]
fn several(l: &[f64], x: &[f64], n: usize) -> Vec<f64> {
    let mut y = vec![0.0; x.len() / n];
    for c in 0..x.len() / n {
        let x = &x[c * n..(c + 1) * n];
        let mut s = vec![0.0; n];
        for i in 0..n {
            s[i] = 0.5 * x[i];
        }
        let mut start = 0;
        for i in 0..n {
            let column = &l[start..start + n - 1 - i];
            for (s, l) in s[i + 1..].iter_mut().zip(column) {
                *s += l * x[i];
            }
            start += n - 1 - i;
        }
        y[c] = s.iter().map(|s| s * s).sum();
    }
    y
}

/// The same without the diagonal's neighbours, from the whole matrix.
#[differentiable]
fn below(a: &[f64], x: &[f64], n: usize) -> Vec<f64> {
    let mut y = vec![0.5; n];
    for i in 0..n {
        for k in i + 2..n {
            y[k] -= a[i * n..(i + 1) * n][k] * x[i];
        }
    }
    y
}

/// Rows of an upper triangle by a vector.
#[differentiable]
fn above(a: &[f64], x: &[f64], n: usize) -> Vec<f64> {
    let mut y = vec![0.0; n];
    for i in 0..n {
        let mut z = 0.1;
        for k in i..n {
            z += a[i * n..(i + 1) * n][k] * x[k];
        }
        y[i] = z * z;
    }
    y
}

/// Of each column no more than `width`: all but the last ones are of one length, and yet each starts one element later.
#[differentiable]
fn band(a: &[f64], x: &[f64], n: usize, width: usize) -> Vec<f64> {
    let mut y = vec![0.25; n];
    for i in 0..n {
        let column = &a[i * n..i * n + width];
        for (y, a) in y[i..].iter_mut().zip(column) {
            *y += a * x[i];
        }
    }
    y
}

// ---- one after the other ----

/// One sum through all iterations: its additions keep their order.
#[differentiable]
fn total(a: &[f64], x: &[f64], m: usize) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    for i in 0..m {
        for k in 0..n {
            s += a[i * n..(i + 1) * n][k] * x[k];
        }
    }
    s
}

/// Each iteration reads what the ones before it wrote.
#[differentiable]
fn recurrence(w: &[f64], x: &[f64], n: usize) -> Vec<f64> {
    let mut h = x.to_vec();
    for i in 0..n {
        let mut z = 0.0;
        for k in 0..n {
            z += w[i * n..(i + 1) * n][k] * h[k];
        }
        h[i] = z.sin();
    }
    h
}

/// The first statement of an iteration reads what the last one of the iteration before wrote.
#[differentiable]
fn carried(w: &[f64], x: &[f64], m: usize) -> f64 {
    let n = x.len();
    let mut state = [1.0, 0.5];
    for i in 0..m {
        let mut z = state[0];
        for k in 0..n {
            z += w[i * n..(i + 1) * n][k] * x[k];
        }
        state[0] = z.sin();
    }
    state[0] * state[1]
}

/// The inner loop reads elements that it adds to.
#[differentiable]
fn elimination(a: &[f64], x: &[f64], n: usize) -> Vec<f64> {
    let mut y = x.to_vec();
    for i in 0..n {
        for k in i + 1..n {
            y[k] -= a[i * n..(i + 1) * n][k] * y[i];
        }
    }
    y
}

/// Rows that overlap: their cotangents do, too.
#[differentiable]
fn moving_average(x: &[f64], c: &[f64], n: usize) -> Vec<f64> {
    let mut y = vec![0.0; n];
    for i in 0..n {
        let mut z = 0.0;
        for k in 0..c.len() {
            z += x[i..i + c.len()][k] * c[k];
        }
        y[i] = z * z;
    }
    y
}

/// Rows that overlap, written.
#[differentiable]
fn spread_out(x: &[f64], c: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len() + c.len()];
    for i in 0..x.len() {
        for k in 0..c.len() {
            y[i..i + c.len()][k] += x[i] * c[k];
        }
    }
    y
}

/// Rows from the last to the first.
#[differentiable]
fn upwards(a: &[f64], x: &[f64], m: usize) -> Vec<f64> {
    let n = x.len();
    let mut y = vec![0.0; m];
    for i in 0..m {
        let mut z = 0.0;
        for k in 0..n {
            z += a[(m - 1 - i) * n..(m - i) * n][k] * x[k];
        }
        y[i] = z.exp();
    }
    y
}

/// A triangle, packed: no two rows are of one length.
#[differentiable]
fn triangle(l: &[f64], x: &[f64], n: usize) -> Vec<f64> {
    let mut y = vec![0.0; n];
    let mut start = 0;
    for i in 0..n {
        let row = &l[start..start + i];
        let mut z = x[i];
        for k in 0..i {
            z += row[k] * x[k];
        }
        y[i] = z * z;
        start += i;
    }
    y
}

/// Numbers without a pattern.
fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|k| (1.7 * k as f64 + 0.3).sin() + 0.1 * (0.9 * k as f64).cos()).collect()
}

/// The additions of a value come in the user's order, four iterations at a time or not: to the last bit.
#[test]
fn values_keep_their_bits() {
    let bits = |y: Vec<f64>| -> Vec<u64> { y.into_iter().map(f64::to_bits).collect() };
    for m in 0..10 {
        for n in 1..8 {
            let (a, x, b) = (numbers(m * n), numbers(n), numbers(m));
            let seed = vec![1.0; m];
            let (y, _) = value_and_pullback(layer::D, AutoReverse, (&a, &x, &b), seed.clone()).unwrap();
            assert_eq!(bits(y), bits(layer(&a, &x, &b)), "layer {m} {n}");
            let (y, _) = value_and_pullback(columns::D, AutoReverse, (&a, &b, Constant(n)), vec![1.0; n]).unwrap();
            assert_eq!(bits(y), bits(columns(&a, &b, n)), "columns {m} {n}");
            let out = seed.len() + n;
            let (y, _) = value_and_pullback(spread_out::D, AutoReverse, (&b, &x), vec![1.0; out]).unwrap();
            assert_eq!(bits(y), bits(spread_out(&b, &x)), "spread_out {m} {n}");
            let dots = (vec![0.5; m * n], vec![1.0; n], vec![0.1; m]);
            let (y, _) = value_and_pushforward(layer::D, AutoForward, (&a, &x, &b), dots).unwrap();
            assert_eq!(bits(y), bits(layer(&a, &x, &b)), "layer forwards {m} {n}");
        }
        let (a, x) = (numbers(m * m), numbers(m));
        let (y, _) = value_and_gradient(bilinear::D, AutoReverse, (&a, &x, Constant(m))).unwrap();
        assert_eq!(y.to_bits(), bilinear(&a, &x, m).to_bits(), "bilinear {m}");
        let (y, _) = value_and_gradient(total::D, AutoReverse, (&a, &x, Constant(m))).unwrap();
        assert_eq!(y.to_bits(), total(&a, &x, m).to_bits(), "total {m}");
    }
}

/// The same in triangles, of all sizes around a block.
#[test]
fn triangles_keep_their_bits() {
    let bits = |y: Vec<f64>| -> Vec<u64> { y.into_iter().map(f64::to_bits).collect() };
    for n in 0..14 {
        let (a, x, seed) = (numbers(n * n), numbers(n), vec![1.0; n]);
        let (y, _) = value_and_pullback(triangle_by_columns::D, AutoReverse, (&a, &x, Constant(n)), &seed).unwrap();
        assert_eq!(bits(y), bits(triangle_by_columns(&a, &x, n)), "triangle_by_columns {n}");
        let (y, _) =
            value_and_pullback(several::D, AutoReverse, (&a, &a, Constant(n.max(1))), &vec![1.0; n * n / n.max(1)])
                .unwrap();
        assert_eq!(bits(y), bits(several(&a, &a, n.max(1))), "several {n}");
        let (y, _) = value_and_pullback(below::D, AutoReverse, (&a, &x, Constant(n)), &seed).unwrap();
        assert_eq!(bits(y), bits(below(&a, &x, n)), "below {n}");
        let (y, _) = value_and_pullback(above::D, AutoReverse, (&a, &x, Constant(n)), &seed).unwrap();
        assert_eq!(bits(y), bits(above(&a, &x, n)), "above {n}");
        for m in 0..=n {
            let at = (&a, &x, Constant(m), Constant(n));
            let (y, _) = value_and_pullback(trapezoid::D, AutoReverse, at, &seed).unwrap();
            assert_eq!(bits(y), bits(trapezoid(&a, &x, m, n)), "trapezoid {m} {n}");
        }
        for width in 0..=n.min(3) {
            let at = (&a, &x, Constant(n), Constant(width));
            let (y, _) = value_and_pullback(band::D, AutoReverse, at, &seed).unwrap();
            assert_eq!(bits(y), bits(band(&a, &x, n, width)), "band {n} {width}");
        }
    }
}

mod check {
    use super::numbers;
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        list layer(at w: Vec<f64>, at x: Vec<f64>, at b: Vec<f64>):
            [numbers(0), numbers(3), numbers(0)]
            [numbers(0), numbers(0), numbers(5)]
            [numbers(3), numbers(1), numbers(3)]
            [numbers(12), numbers(3), numbers(4)]
            [numbers(20), numbers(4), numbers(5)]
            [numbers(18), numbers(3), numbers(6)]
            [numbers(35), numbers(5), numbers(7)];
        list two_layers(at w: Vec<f64>, at v: Vec<f64>, at x: Vec<f64>, fixed m: usize, fixed p: usize):
            [numbers(12), numbers(20), numbers(3), 4, 5]
            [numbers(14), numbers(28), numbers(2), 7, 4];
        list columns(at a: Vec<f64>, at x: Vec<f64>, fixed m: usize):
            [numbers(0), numbers(6), 0]
            [numbers(4), numbers(4), 1]
            [numbers(10), numbers(5), 2]
            [numbers(21), numbers(7), 3]
            [numbers(32), numbers(8), 4];
        number bilinear(at a: Vec<f64>, at x: Vec<f64>, fixed n: usize):
            [numbers(1), numbers(1), 1]
            [numbers(25), numbers(5), 5]
            [numbers(36), numbers(6), 6];
        list distances(fixed_at points: Vec<f64>, at center: Vec<f64>, fixed n: usize):
            [numbers(15), numbers(3), 5]
            [numbers(16), numbers(2), 8];
        number total(at a: Vec<f64>, at x: Vec<f64>, fixed m: usize):
            [numbers(15), numbers(3), 5];
        list recurrence(at w: Vec<f64>, at x: Vec<f64>, fixed n: usize):
            [numbers(25), numbers(5), 5];
        number carried(at w: Vec<f64>, at x: Vec<f64>, fixed m: usize):
            [numbers(15), numbers(3), 5];
        list elimination(at a: Vec<f64>, at x: Vec<f64>, fixed n: usize):
            [numbers(25), numbers(5), 5];
        list moving_average(at x: Vec<f64>, at c: Vec<f64>, fixed n: usize):
            [numbers(9), numbers(3), 6]
            [numbers(5), numbers(1), 5];
        list spread_out(at x: Vec<f64>, at c: Vec<f64>):
            [numbers(6), numbers(3)]
            [numbers(5), numbers(1)];
        list upwards(at a: Vec<f64>, at x: Vec<f64>, fixed m: usize):
            [numbers(15), numbers(3), 5]
            [numbers(0), numbers(0), 4];
        list triangle(at l: Vec<f64>, at x: Vec<f64>, fixed n: usize):
            [numbers(15), numbers(6), 6];
        list triangle_by_columns(at l: Vec<f64>, at x: Vec<f64>, fixed n: usize):
            [numbers(3), numbers(3), 3]
            [numbers(6), numbers(4), 4]
            [numbers(15), numbers(6), 6]
            [numbers(28), numbers(8), 8]
            [numbers(45), numbers(10), 10];
        list trapezoid(at l: Vec<f64>, at x: Vec<f64>, fixed m: usize, fixed n: usize):
            [numbers(21), numbers(8), 3, 8]
            [numbers(35), numbers(10), 5, 10]
            [numbers(63), numbers(13), 7, 13]
            [numbers(66), numbers(12), 11, 12];
        list several(at l: Vec<f64>, at x: Vec<f64>, fixed n: usize):
            [numbers(3), numbers(6), 3]
            [numbers(10), numbers(10), 5]
            [numbers(36), numbers(18), 9];
        list below(at a: Vec<f64>, at x: Vec<f64>, fixed n: usize):
            [numbers(16), numbers(4), 4]
            [numbers(49), numbers(7), 7]
            [numbers(81), numbers(9), 9];
        list above(at a: Vec<f64>, at x: Vec<f64>, fixed n: usize):
            [numbers(16), numbers(4), 4]
            [numbers(36), numbers(6), 6]
            [numbers(81), numbers(9), 9];
        list band(at a: Vec<f64>, at x: Vec<f64>, fixed n: usize, fixed width: usize):
            [numbers(25), numbers(5), 5, 2]
            [numbers(64), numbers(8), 8, 3]
            [numbers(49), numbers(7), 7, 7];
    }
}
