//! First-touch initialisation (`first_touch`): matrices whose cotangents a nest of loops is the first to add to. Earlier values of the
//! user's buffers do not count, whether the nest reaches all elements, some, or some of them twice.

use diffi::prelude::*;

/// All rows for which there is something, and no more.
#[differentiable]
fn layer(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    a.chunks_exact(x.len()).zip(b).map(|(row, b)| (row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>() + b).tanh()).sum()
}

/// By indices.
#[differentiable]
fn product(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let w = x.len();
    let mut total = 0.0;
    for i in 0..b.len().min(a.len() / w) {
        for j in 0..w {
            total += a[i * w + j] * x[j] * b[i];
        }
    }
    total
}

/// The last row first.
#[differentiable]
fn backwards(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let w = x.len();
    let mut total = 1.0;
    for i in (0..b.len().min(a.len() / w)).rev() {
        for j in 0..w {
            total += a[w * i + j] * x[j];
        }
        total *= b[i];
    }
    total
}

/// A width that is a number.
#[differentiable]
fn threes(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..a.len() / 3 {
        for j in 0..3 {
            total += (a[3 * i + j] * x[j % x.len()]).sin() * b[i % b.len()];
        }
    }
    total
}

/// The last column is left out.
#[differentiable]
fn narrow(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let w = x.len();
    let mut total = 0.0;
    for i in 0..a.len() / w {
        for j in 0..w - 1 {
            total += a[i * w + j] * x[j];
        }
    }
    total * b[0]
}

/// Rows are longer than what goes along them.
#[differentiable]
fn long_rows(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    a.chunks_exact(b.len()).map(|row| row.iter().zip(x).map(|(a, x)| a * x * x).sum::<f64>()).sum::<f64>() * b[0]
}

/// Rows overlap.
#[differentiable]
fn overlapping(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let w = x.len();
    let mut total = 0.0;
    for i in 0..a.len() / w - 1 {
        for j in 0..w + 1 {
            total += a[i * w + j] * x[j % w];
        }
    }
    total * b[0]
}

/// Only some of the rows.
#[differentiable]
fn chosen(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let w = x.len();
    let mut total = 0.0;
    for i in 0..a.len() / w {
        if i % 2 == 0 {
            for j in 0..w {
                total += a[i * w + j] * x[j];
            }
        }
    }
    total * b[0]
}

/// Only some of a row.
#[differentiable]
fn stopped(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let w = x.len();
    let mut total = 0.0;
    for i in 0..a.len() / w {
        for j in 0..w {
            if total > 3.0 {
                break;
            }
            total += a[i * w + j] * a[i * w + j] * x[j];
        }
    }
    total * b[0]
}

/// The nest is not all.
#[differentiable]
fn twice(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let w = x.len();
    let mut total = a.iter().map(|a| a * a).sum::<f64>();
    for i in 0..a.len() / w {
        for j in 0..w {
            total += a[i * w + j] * x[j];
        }
    }
    total + a[0] * b[0]
}

/// Each row twice.
#[differentiable]
fn repeated(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let w = x.len();
    let mut total = 0.0;
    for b in b {
        for i in 0..a.len() / w {
            for j in 0..w {
                total += a[i * w + j] * x[j] * b;
            }
        }
    }
    total
}

/// The width is another one in each iteration.
#[differentiable]
fn growing(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let mut w = 1;
    let mut total = 0.0;
    for i in 0..2 {
        for j in 0..w {
            total += a[i * w + j] * x[0];
        }
        w += 1;
    }
    total * b[0]
}

/// Through a parameter: the sweeps run apart.
#[differentiable(output(y))]
fn layered(a: &[f64], x: &[f64], b: &[f64], y: &mut [f64]) {
    for ((y, row), b) in y.iter_mut().zip(a.chunks_exact(x.len())).zip(b) {
        *y = (row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>() + b).tanh();
    }
}

fn wave(n: usize) -> Vec<f64> {
    (0..n).map(|i| (0.7 * i as f64 + 0.2).sin()).collect()
}

/// Elements, columns and rows, so that there are elements and rows to spare, or none.
const SIZES: &[(usize, usize, usize)] =
    &[(12, 3, 4), (13, 3, 4), (20, 3, 4), (20, 4, 9), (66, 5, 13), (6, 6, 1), (9, 3, 2), (2, 2, 1)];

macro_rules! garbage {
    ($($f:ident)+) => { $(
        #[test]
        fn $f() {
            for (n, w, rows) in SIZES {
                let (a, x, b) = (wave(*n), wave(*w), wave(*rows));
                let least = match stringify!($f) {
                    "overlapping" => 2 * w,
                    "growing" => 4,
                    _ => 0,
                };
                if *n < least {
                    continue;
                }
                let expected = gradient(super::$f::D, AutoForward, (&a, &x, &b)).unwrap();
                let mut found = (vec![f64::NAN; *n], vec![f64::NAN; *w], vec![f64::NAN; *rows]);
                let mut prepared = prepare_gradient(super::$f::D, AutoReverse, (&a, &x, &b)).unwrap();
                prepared.gradient_into(&mut found, (&a, &x, &b)).unwrap();
                close(&expected, &found, (*n, *w, *rows));
                // with nothing else active
                let mut found = vec![f64::NAN; *n];
                let at = (&a, Constant(&x), Constant(&b));
                prepare_gradient(super::$f::D, AutoReverse, at).unwrap().gradient_into(&mut found, at).unwrap();
                close(&expected, &(found, expected.1.clone(), expected.2.clone()), (*n, *w, *rows));
                // and with the matrix constant
                let mut found = (vec![f64::NAN; *w], vec![f64::NAN; *rows]);
                let at = (Constant(&a), &x, &b);
                prepare_gradient(super::$f::D, AutoReverse, at).unwrap().gradient_into(&mut found, at).unwrap();
                close(&expected, &(expected.0.clone(), found.0, found.1), (*n, *w, *rows));
            }
        }
    )+ };
}

mod buffers_full_of_garbage {
    use super::{SIZES, close, wave};
    use diffi::prelude::*;

    garbage! { layer product backwards threes narrow long_rows overlapping chosen stopped twice repeated growing }

    #[test]
    fn layered() {
        for (n, w, rows) in SIZES {
            let (a, x, b, mut y) = (wave(*n), wave(*w), wave(*rows), vec![0.0; *rows]);
            let seed: Vec<f64> = (0..*rows).map(|i| 1.0 - 0.3 * i as f64).collect();
            let expected = pullback(super::layered::D, AutoForward, (&a, &x, &b, &mut y), &seed).unwrap();
            let mut found = (vec![f64::NAN; *n], vec![f64::NAN; *w], vec![f64::NAN; *rows]);
            let mut prepared = prepare_pullback(super::layered::D, AutoReverse, (&a, &x, &b, &mut y), &seed).unwrap();
            prepared.pullback_into(&mut found, (&a, &x, &b, &mut y), &seed).unwrap();
            close(&expected, &found, (*n, *w, *rows));
        }
    }
}

type Three = (Vec<f64>, Vec<f64>, Vec<f64>);

fn close(expected: &Three, found: &Three, sizes: (usize, usize, usize)) {
    for (name, expected, found) in
        [("a", &expected.0, &found.0), ("x", &expected.1, &found.1), ("b", &expected.2, &found.2)]
    {
        for (k, (e, f)) in expected.iter().zip(found).enumerate() {
            assert!((e - f).abs() <= 1e-12 * e.abs().max(1.0), "{sizes:?} {name}[{k}]: {e} {f}");
        }
    }
}

mod rows {
    use super::wave;
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number layer(at a: Vec<f64>, at x: Vec<f64>, at b: Vec<f64>): [wave(20), wave(3), wave(5)] [wave(7), wave(7), wave(1)];
        number product(at a: Vec<f64>, at x: Vec<f64>, at b: Vec<f64>): [wave(20), wave(3), wave(5)];
        number backwards(at a: Vec<f64>, at x: Vec<f64>, at b: Vec<f64>): [wave(12), wave(3), wave(5)];
        number threes(at a: Vec<f64>, at x: Vec<f64>, at b: Vec<f64>): [wave(13), wave(2), wave(5)];
    }
}
