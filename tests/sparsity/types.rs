//! Patterns of functions of every kind of value: structs, enums, options, boxes, nested vectors, tuples, arrays of `ndarray`.

use crate::functions::point;
use diffi::prelude::*;
use ndarray::{Array1, Array2};
use std::collections::BTreeSet;

const LOCAL: TracerLocalSparsityDetector = TracerLocalSparsityDetector;

fn places(pattern: &Pattern) -> BTreeSet<(usize, usize)> {
    pattern.iter().collect()
}

/// What the local detector finds is what a dense matrix has, at a point of no particular kind.
macro_rules! same {
    ($sparsity:ident, $f:ident, $dense:ident, $args:expr) => {{
        let expected = $sparsity($f::D, DenseSparsityDetector::new($dense), $args)?;
        let found = $sparsity($f::D, LOCAL, $args)?;
        assert_eq!(places(&found), places(&expected));
        found
    }};
    ($f:ident, $args:expr) => {
        same!(jacobian_sparsity, $f, AutoForward, $args)
    };
}
macro_rules! same_hessian {
    ($f:ident, $args:expr) => {
        same!(hessian_sparsity, $f, AutoReverse, $args)
    };
}

#[derive(Clone, Debug, Differentiable)]
struct Layer {
    weights: Vec<Vec<f64>>,
    bias: [f64; 2],
    name: String,
}

#[differentiable]
fn layer(l: &Layer, x: &[f64]) -> Vec<f64> {
    let mut y = Vec::new();
    for i in 0..l.weights.len() {
        let mut sum = l.bias[i % 2];
        for j in 0..x.len() {
            sum += l.weights[i][j] * x[j];
        }
        y.push(sum.tanh());
    }
    y
}

#[differentiable]
fn loss(l: &Layer, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += l.weights[i][0] * x[i] + l.bias[0].exp();
    }
    sum
}

#[test]
fn structs() -> Result<()> {
    let weights = (0..3).map(|i| point(6)[i..i + 3].to_vec()).collect();
    let l = Layer { weights, bias: [0.1, 0.2], name: "first".into() };
    assert!(!l.name.is_empty());
    let found = same!(layer, (&l, &[0.3, -0.4, 0.5]));
    assert_eq!((found.shape(), found.nnz()), ((3, 14), 3 * 7));
    let found = same_hessian!(loss, (&l, &[0.3, -0.4, 0.5]));
    assert_eq!(found.nnz(), 7);
    let j = jacobian(
        layer::D,
        AutoSparse::new(AutoForward).detector(LOCAL).checked(true),
        (&l, Constant(&[0.3, -0.4, 0.5])),
    )?;
    assert_eq!(j.to_dense(), jacobian(layer::D, AutoForward, (&l, Constant(&[0.3, -0.4, 0.5])))?);
    Ok(())
}

#[derive(Clone, Debug, Differentiable)]
enum Expr {
    Number(f64),
    Sum(Box<Expr>, Box<Expr>),
    Product(Box<Expr>, Box<Expr>),
}

#[differentiable]
fn evaluate(e: &Expr) -> f64 {
    match e {
        Expr::Number(v) => *v,
        Expr::Sum(a, b) => evaluate(a) + evaluate(b),
        Expr::Product(a, b) => evaluate(a) * evaluate(b),
    }
}

#[test]
fn enums_and_boxes() -> Result<()> {
    let number = |v: f64| Box::new(Expr::Number(v));
    let product = Box::new(Expr::Product(number(2.0), number(3.0)));
    let e = Expr::Sum(number(1.0), Box::new(Expr::Sum(product, number(4.0))));
    let found = same!(evaluate, &e);
    assert_eq!((found.shape(), found.nnz()), ((1, 4), 4));
    let found = same_hessian!(evaluate, &e);
    assert_eq!(places(&found), [(1, 2), (2, 1)].into());
    Ok(())
}

#[differentiable]
fn levels(x: &[f64], rate: f64) -> (f64, Vec<f64>) {
    let mut level: Option<f64> = None;
    let mut seen = Vec::new();
    for v in x {
        let next = match level {
            Some(l) if *v < 0.5 => l + rate * (v - l),
            _ => *v,
        };
        level = Some(next);
        seen.push(next);
    }
    (level.unwrap_or(0.0), seen)
}

#[test]
fn options_and_several_results() -> Result<()> {
    let found = same!(levels, (&[0.9, 0.1, 0.7, 0.2, 0.3], 0.25));
    assert_eq!(found.shape(), (6, 6));
    assert_eq!(found.row(1), [0]);
    assert_eq!(found.row(2), [0, 1, 5]);
    assert_eq!(found.row(3), [2]);
    Ok(())
}

#[differentiable]
fn product(a: &Array2<f64>, x: &Array1<f64>) -> Array1<f64> {
    a.dot(x)
}

#[differentiable]
fn form(a: &Array2<f64>, x: &Array1<f64>) -> f64 {
    x.dot(&a.dot(x))
}

/// Rules of libraries know each factor's value, so that zeros in a matrix are left out.
#[test]
fn arrays() -> Result<()> {
    let a = Array2::from_shape_fn((3, 4), |(i, j)| if i == 1 && j == 2 { 0.0 } else { 1.0 + (i * 4 + j) as f64 });
    let x = Array1::from(point(4));
    let found = same!(product, (&a, &x));
    assert_eq!(found.shape(), (3, 16));
    assert!(!found.contains(1, 12 + 2) && found.contains(1, 12 + 1) && found.contains(1, 6));
    let square = a.slice_move(ndarray::s![.., ..3]);
    let x = Array1::from(point(3));
    let found = same_hessian!(form, (Constant(&square), &x));
    assert_eq!(found.nnz(), 9);
    let found = same_hessian!(form, (&square, &x));
    assert_eq!(found.nnz(), 9 + 2 * 15);
    Ok(())
}

/// Everything in the solution depends on everything in the matrix and on the right side.
#[cfg(feature = "nalgebra")]
#[test]
fn solutions() -> Result<()> {
    use nalgebra::{DMatrix, DVector};
    #[differentiable]
    fn solution(a: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
        a.clone().lu().solve(b).unwrap()
    }
    #[differentiable]
    fn energy(a: &DMatrix<f64>, b: &DVector<f64>) -> f64 {
        a.clone().lu().solve(b).unwrap().dot(b)
    }
    let a = DMatrix::from_fn(3, 3, |i, j| if i == j { 4.0 } else { 1.0 / (1 + i + 2 * j) as f64 });
    let b = DVector::from_vec(vec![1.0, -2.0, 0.5]);
    assert_eq!(same!(solution, (&a, &b)).nnz(), 3 * 12);
    same_hessian!(energy, (&a, &b));
    Ok(())
}
