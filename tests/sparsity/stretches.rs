//! Matrices of which long stretches are alike: bands and stencils, beside the dense ones.

use crate::functions::{point, squared_slopes};
use diffi::prelude::*;
use diffi::sparse::{Degree, Direction, GreedyColoring, Order, Storage, Triangle};
use ndarray::Array2;
use sprs::CsMat;

/// A stencil of two arguments, of which one has a gap in the middle.
#[differentiable]
fn stencil(u: &[f64], v: &[f64], out: &mut [f64]) {
    let n = u.len();
    for i in 0..n {
        let mut rate = u[i] * u[i];
        if i >= 2 && i + 3 < n {
            rate += u[i - 2] * v[i] + u[i + 3].sin() * v[i + 1] - v[i - 1].exp();
        }
        if i == n / 2 {
            rate += u[0] * v[n - 1];
        }
        out[i] = rate;
    }
}

/// Each number with its neighbors, the next but two, and the first of all.
#[differentiable]
fn chain(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 3 {
        sum += (x[i] * x[i + 1]).sin() + x[i] * x[i + 3] * x[i + 3];
    }
    sum + x[0] * x[x.len() - 1]
}

fn orders() -> [GreedyColoring; 4] {
    let backwards = Order::DynamicDegree { degree: Degree::Forward, direction: Direction::HighToLow };
    [Order::Natural, Order::SmallestLast, Order::Random(7), backwards].map(GreedyColoring::new)
}

#[track_caller]
fn near(found: &CsMat<f64>, expected: &Array2<f64>) {
    let dense = found.to_dense();
    assert_eq!(dense.dim(), expected.dim());
    for ((place, a), b) in dense.indexed_iter().zip(expected) {
        assert!((a - b).abs() <= 1e-13 * b.abs().max(1.0), "{a} is not {b} at {place:?}");
    }
}

/// A matrix with the same entries in compressed rows, which hold something else.
fn by_rows(matrix: &CsMat<f64>) -> CsMat<f64> {
    let mut rows = matrix.to_csr();
    rows.data_mut().fill(17.0);
    rows
}

#[test]
fn jacobians() -> Result<()> {
    let n = 75;
    let (u, v, mut out) = (point(n), point(2 * n)[n..].to_vec(), vec![0.0; n]);
    let (of_u, of_v) = jacobian(stencil::D, AutoForward, (&u, &v, &mut out))?;
    for coloring in orders() {
        for size in 1..=8 {
            let backend = AutoSparse::new(AutoForward.batch_size(size)).coloring(coloring.clone());
            let mut prep = prepare_jacobian(stencil::D, backend, (&v, &u, &mut out))?;
            let (mut a, mut b) = prep.jacobian((&u, &v, &mut out))?;
            near(&a, &of_u);
            near(&b, &of_v);
            let (mut c, mut d) = (by_rows(&a), by_rows(&b));
            a.data_mut().fill(0.5);
            b.data_mut().fill(0.5);
            prep.jacobian_into((&mut a, &mut d), (&u, &v, &mut out))?;
            prep.jacobian_into((&mut c, &mut b), (&u, &v, &mut out))?;
            for (matrix, expected) in [(&a, &of_u), (&c, &of_u), (&b, &of_v), (&d, &of_v)] {
                near(matrix, expected);
            }
        }
    }
    Ok(())
}

#[test]
fn hessians() -> Result<()> {
    let x = point(80);
    let dense = hessian(chain::D, AutoReverse, &x)?;
    let part = |keep: fn(usize, usize) -> bool| {
        Array2::from_shape_fn(dense.dim(), |(i, j)| if keep(i, j) { dense[[i, j]] } else { 0.0 })
    };
    for coloring in orders() {
        for size in [1, 3, 8] {
            for (triangle, expected) in [
                (Triangle::Full, part(|_, _| true)),
                (Triangle::Upper, part(|i, j| i <= j)),
                (Triangle::Lower, part(|i, j| i >= j)),
            ] {
                let backend =
                    AutoSparse::new(AutoReverse.batch_size(size)).coloring(coloring.clone()).triangle(triangle);
                let mut prep = prepare_hessian(chain::D, backend, &x)?;
                let mut h = prep.hessian(&x)?;
                near(&h, &expected);
                let mut rows = by_rows(&h);
                prep.hessian_into(&mut rows, &x)?;
                near(&rows, &expected);
                h.data_mut().fill(3.0);
                prep.hessian_into(&mut h, &x)?;
                near(&h, &expected);
            }
        }
    }
    Ok(())
}

/// More turns than are read at once, beside rows that are read one by one.
#[test]
fn many_turns() -> Result<()> {
    let n = 2000;
    let (u, v, mut out) = (point(n), point(2 * n)[n..].to_vec(), vec![0.0; n]);
    let (of_u, of_v) = jacobian(stencil::D, AutoSparse::new(AutoReverse), (&u, &v, &mut out))?;
    for size in [1, 3, 4, 8] {
        for checked in [false, true] {
            let backend = AutoSparse::new(AutoForward.batch_size(size)).checked(checked);
            let found = jacobian(stencil::D, backend, (&u, &v, &mut out))?;
            for (found, expected) in [(found.0, &of_u), (found.1, &of_v)] {
                assert_eq!((found.indptr(), found.indices()), (expected.indptr(), expected.indices()));
                let mut pairs = found.data().iter().zip(expected.data());
                assert_eq!(pairs.position(|(a, b)| (a - b).abs() > 1e-13 * b.abs().max(1.0)), None, "{size} {checked}");
            }
        }
    }
    Ok(())
}

/// An entry elsewhere is seen, whichever it is, and nothing is written then.
#[test]
fn another_pattern() -> Result<()> {
    let x = point(60);
    let mut prep = prepare_hessian(squared_slopes::D, AutoSparse::new(AutoReverse), &x)?;
    let right = prep.hessian(&x)?;
    let (starts, indices, _) = right.clone().into_raw_storage();
    for column in 0..60 {
        let free = (0..60).find(|row| right.get(*row, column).is_none()).expect("it is sparse");
        for entry in starts[column]..starts[column + 1] {
            let mut moved = indices.clone();
            moved[entry] = free;
            moved[starts[column]..starts[column + 1]].sort_unstable();
            let mut wrong = CsMat::new_csc((60, 60), starts.clone(), moved, vec![5.0; right.nnz()]);
            let error = prep.hessian_into(&mut wrong, &x).expect_err("another pattern");
            assert!(matches!(error, Error::PatternMismatch { .. }), "{error}");
            assert!(wrong.data().iter().all(|value| *value == 5.0));
        }
    }
    for (shorter, longer) in [(10, 11), (30, 29), (0, 1)] {
        // an entry more in one column, and one less in another
        let rows = |column: usize| -> Vec<usize> {
            let rows = &indices[starts[column]..starts[column + 1]];
            let free = (0..60).find(|row| !rows.contains(row)).expect("it is sparse");
            match column {
                column if column == shorter => rows[1..].to_vec(),
                column if column == longer => {
                    let mut rows = [rows, &[free]].concat();
                    rows.sort_unstable();
                    rows
                }
                _ => rows.to_vec(),
            }
        };
        let columns: Vec<Vec<usize>> = (0..60).map(rows).collect();
        let starts = std::iter::once(0).chain(columns.iter().scan(0, |end, rows| {
            *end += rows.len();
            Some(*end)
        }));
        let mut wrong = CsMat::new_csc((60, 60), starts.collect(), columns.concat(), vec![5.0; right.nnz()]);
        prep.hessian_into(&mut wrong, &x).expect_err("another pattern");
    }
    let mut matrix = right.clone();
    prep.hessian_into(&mut matrix, &x)?;
    assert_eq!(matrix, right);
    Ok(())
}

/// What is the same in every line is written so, and what is not is not.
#[test]
fn constant_hessians() -> Result<()> {
    #[differentiable]
    fn weighted(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 1..x.len() {
            let weight = if i < 40 { 1.0 } else { i as f64 };
            sum += weight * (x[i] - x[i - 1]) * x[i];
        }
        sum
    }
    let x = point(200);
    let expected = hessian(weighted::D, AutoReverse, &x)?;
    let mut prep = prepare_hessian(weighted::D, AutoSparse::new(AutoReverse), &x)?;
    let mut h = prep.hessian(&x)?;
    let mut rows = by_rows(&h);
    for _ in 0..3 {
        near(&h, &expected);
        h.data_mut().fill(9.0);
        prep.hessian_into(&mut h, &x)?;
        prep.hessian_into(&mut rows, &x)?;
        near(&rows, &expected);
    }
    let slopes = hessian(squared_slopes::D, AutoReverse, &x)?;
    let mut prep = prepare_hessian(squared_slopes::D, AutoSparse::new(AutoReverse), &x)?;
    let mut h = prep.hessian(&x)?;
    h.data_mut().fill(9.0);
    prep.hessian_into(&mut h, &x)?;
    near(&h, &slopes);
    near(&h.to_other_storage(), &slopes);
    assert_eq!(h.storage(), Storage::CSC);
    Ok(())
}
