//! Linear systems by `nalgebra`'s factorisations: alone, several at once, in loops, and within each other.

use diffi::prelude::*;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use ndarray::Array1;

/// Regular, with every entry its own, and such that rows change places.
#[differentiable]
fn matrix(x: &Array1<f64>, n: usize) -> DMatrix<f64> {
    let m = x.len();
    DMatrix::from_fn(n, n, |i, j| {
        let far = if (i + 1) % n == j { 3.0 } else { 0.2 };
        far * (1.0 + x[(i + 2 * j) % m] * x[(i * j) % m]) + 0.1 * (i as f64 - 1.7 * j as f64).sin()
    })
}

#[differentiable]
fn right(x: &Array1<f64>, n: usize, columns: usize) -> DMatrix<f64> {
    DMatrix::from_fn(n, columns, |i, j| x[(i + j) % x.len()] * (1.0 + i as f64 - 0.4 * j as f64))
}

#[differentiable]
fn solved(x: &Array1<f64>) -> f64 {
    let a = matrix(x, 5);
    let b = right(x, 5, 1);
    a.lu().solve(&b).expect("regular").norm_squared()
}

/// Seventeen rows are more than a dot product takes at once.
#[differentiable]
fn larger(x: &Array1<f64>) -> f64 {
    let a = matrix(x, 17);
    let b = right(x, 17, 1);
    let y = a.lu().solve(&b).unwrap();
    y.dot(&b) + y.norm_squared()
}

#[differentiable]
fn one_unknown(x: &Array1<f64>) -> f64 {
    let y = matrix(x, 1).lu().solve(&right(x, 1, 1)).unwrap();
    y.norm_squared() * x[0]
}

/// Several right sides, and what is solved for is solved with.
#[differentiable]
fn within_another(x: &Array1<f64>) -> f64 {
    let a = matrix(x, 3);
    let c = a.clone().lu().solve(&right(x, 3, 3)).unwrap();
    let sum = &c + &a;
    let y = sum.lu().solve(&right(x, 3, 2)).unwrap();
    y.norm_squared() + c.norm_squared()
}

/// A system in every iteration: what is kept comes back in the other order.
#[differentiable]
fn repeated(x: &Array1<f64>) -> f64 {
    let a = matrix(x, 4);
    let mut y = right(x, 4, 1);
    let mut total = 0.0;
    for k in 0..3 {
        y = a.clone().lu().solve(&y).unwrap();
        total += y.norm_squared() * (1.0 + k as f64);
    }
    total
}

#[differentiable]
fn inverted(x: &Array1<f64>) -> f64 {
    let inverse = matrix(x, 4).try_inverse().unwrap();
    inverse.norm_squared()
}

#[differentiable]
fn of_fixed_size(x: &Array1<f64>) -> f64 {
    let a = Matrix3::new(x[0], 2.0, 0.3, 1.0, x[1] * x[2], 0.5, x[2], 0.1, 1.0 + x[0]);
    let b = Vector3::new(x[1], x[0] * x[0], 1.0);
    a.lu().solve(&b).unwrap().norm_squared()
}

/// A constant matrix, and a constant right side.
#[differentiable]
fn half_constant(x: &Array1<f64>) -> f64 {
    let a = DMatrix::from_fn(3, 3, |i, j| if i == j { 2.0 } else { 0.3 * (i as f64) });
    let ones = DMatrix::from_element(3, 1, 1.0);
    let b = right(x, 3, 1);
    let c = matrix(x, 3);
    let y = c.lu().solve(&ones).unwrap();
    (a * y).dot(&b)
}

#[differentiable]
fn solution(x: &Array1<f64>) -> DMatrix<f64> {
    let a = matrix(x, 4);
    a.lu().solve(&right(x, 4, 1)).unwrap()
}

#[differentiable]
fn plain(a: &DMatrix<f64>, b: &DVector<f64>) -> f64 {
    a.clone().lu().solve(b).unwrap().norm_squared()
}

mod tests {
    use super::*;

    crate::number!(solved(5));
    crate::number!(larger(4));
    crate::number!(one_unknown(2));
    crate::number!(within_another(4));
    crate::number!(repeated(3));
    crate::number!(inverted(4));
    crate::number!(of_fixed_size(3));
    crate::number!(half_constant(4));
    crate::array!(solution(4));

    /// Vectors and matrices are buffers for gradients by them.
    #[test]
    fn written_to_matrices() {
        for n in 1..20 {
            let x = crate::check::point(3);
            let (a, b) = (matrix(&x, n), right(&x, n, 1).column(0).into_owned());
            let mut prepared = prepare_gradient(plain::D, AutoReverse, (&a, &b)).expect("it fits");
            let mut bars = (DMatrix::zeros(n, n), DVector::zeros(n));
            prepared.gradient_into(&mut bars, (&a, &b)).expect("it fits");
            // A^-T 2 y, and that times -yᵀ
            let y = a.clone().lu().solve(&b).expect("regular");
            let g = a.transpose().lu().solve(&(2.0 * &y)).expect("regular");
            let size = g.amax().max(1.0) * y.amax().max(1.0);
            assert!((&bars.1 - &g).amax() <= 1e-10 * size, "{n}");
            assert!((&bars.0 + &g * y.transpose()).amax() <= 1e-10 * size, "{n}");
        }
    }

    #[test]
    #[should_panic(expected = "the matrix is not singular")]
    fn a_singular_matrix() {
        let _ = gradient(plain::D, AutoReverse, (&DMatrix::zeros(3, 3), &DVector::from_element(3, 1.0)));
    }
}
