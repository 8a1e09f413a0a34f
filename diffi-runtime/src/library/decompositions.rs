//! Linear systems and determinants.
//!
//! The adjoints are those of Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
//! differentiation" (2008), sections 2.2.3, 2.2.4 and 2.3.1.

use super::grid::Number;
use crate::base::Base;
use crate::linear::Lin;
use nalgebra::{DMatrix, RealField};
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2};

/// A float of which `nalgebra` factors matrices.
pub trait Real: Number + RealField {}
impl Real for f32 {}
impl Real for f64 {}

pub(super) fn matrix<F: Real>(a: ArrayView2<'_, F>) -> DMatrix<F> {
    DMatrix::from_iterator(a.nrows(), a.ncols(), a.reversed_axes().into_iter().copied())
}

pub(super) fn array<F: Real>(m: &DMatrix<F>) -> Array2<F> {
    Array2::from_shape_fn((m.nrows(), m.ncols()), |at| m[at])
}

/// `left · right`, where the left factor is of the linear space.
pub(super) fn times<F: Base, A: Lin<F>>(left: ArrayView2<'_, A>, right: ArrayView2<'_, F>) -> Array2<A> {
    let mut onto = Array2::from_elem((left.nrows(), right.ncols()), A::ZERO);
    A::product(left, right, onto.view_mut());
    onto
}

/// `left · right`, where the right factor is of the linear space.
pub(super) fn by<F: Base, A: Lin<F>>(left: ArrayView2<'_, F>, right: ArrayView2<'_, A>) -> Array2<A> {
    times::<F, A>(right.reversed_axes(), left.reversed_axes()).reversed_axes()
}

pub(super) fn negated<F: Base, A: Lin<F>>(v: Array2<A>) -> Array2<A> {
    v.mapv_into(|v| -v)
}

pub(super) fn add<F: Base, A: Lin<F>>(mut onto: ArrayViewMut2<'_, A>, from: &Array2<A>) {
    onto.zip_mut_with(from, |to, v| *to += *v);
}

/// The factors of a matrix, for one system and the transposed one.
struct Factors<F: Real> {
    of: nalgebra::LU<F, nalgebra::Dyn, nalgebra::Dyn>,
    transposed: nalgebra::LU<F, nalgebra::Dyn, nalgebra::Dyn>,
}

impl<F: Real> Factors<F> {
    fn new(a: ArrayView2<'_, F>) -> Self {
        let a = matrix(a);
        Factors { transposed: a.transpose().lu(), of: a.lu() }
    }

    fn solve<A: Lin<F>>(&self, b: ArrayView2<'_, A>) -> Array2<A> {
        solved(&self.of, b)
    }

    fn solve_transposed<A: Lin<F>>(&self, b: ArrayView2<'_, A>) -> Array2<A> {
        solved(&self.transposed, b)
    }
}

/// `A^-1 b`, column by column.
fn solved<F: Real, A: Lin<F>>(lu: &nalgebra::LU<F, nalgebra::Dyn, nalgebra::Dyn>, b: ArrayView2<'_, A>) -> Array2<A> {
    let mut x = Array2::from_elem(b.raw_dim(), A::ZERO);
    for (mut to, from) in x.columns_mut().into_iter().zip(b.columns()) {
        let (from, mut image) = (from.to_vec(), vec![A::ZERO; to.len()]);
        A::apply(&from, &mut image, &mut |from, image| {
            let solution = lu.solve(&nalgebra::DVector::from_column_slice(from)).expect("the matrix is not singular");
            image.copy_from_slice(solution.as_slice());
        });
        to.assign(&Array1::from_vec(image));
    }
    x
}

/// `x = A^-1 b`.
pub mod solve {
    use super::*;

    /// The solution.
    pub fn value<F: Real>(a: ArrayView2<'_, F>, b: ArrayView2<'_, F>) -> Array2<F> {
        array(&matrix(a).lu().solve(&matrix(b)).expect("the matrix is not singular"))
    }

    /// `ẋ = A^-1 (ḃ - Ȧ x)`.
    pub fn push<F: Real, A: Lin<F>>(
        a: ArrayView2<'_, F>,
        a_dot: Option<ArrayView2<'_, A>>,
        b: ArrayView2<'_, F>,
        b_dot: Option<ArrayView2<'_, A>>,
    ) -> Array2<A> {
        let factors = Factors::new(a);
        let x = factors.solve::<F>(b);
        tangent(&factors, x.view(), a_dot, b_dot)
    }

    fn tangent<F: Real, A: Lin<F>>(
        factors: &Factors<F>,
        x: ArrayView2<'_, F>,
        a_dot: Option<ArrayView2<'_, A>>,
        b_dot: Option<ArrayView2<'_, A>>,
    ) -> Array2<A> {
        let mut right = Array2::from_elem(x.raw_dim(), A::ZERO);
        if let Some(dot) = b_dot {
            right.assign(&dot);
        }
        if let Some(dot) = a_dot {
            add::<F, A>(right.view_mut(), &negated::<F, A>(times::<F, A>(dot, x)));
        }
        factors.solve(right.view())
    }

    /// `b̄ += g` and `Ā -= g xᵀ`, where `g = A^-T x̄`.
    pub fn pull<F: Real, A: Lin<F>>(
        a: ArrayView2<'_, F>,
        a_bar: Option<ArrayViewMut2<'_, A>>,
        b: ArrayView2<'_, F>,
        b_bar: Option<ArrayViewMut2<'_, A>>,
        y_bar: ArrayView2<'_, A>,
    ) {
        let factors = Factors::new(a);
        let g = factors.solve_transposed(y_bar);
        if let Some(bar) = b_bar {
            add::<F, A>(bar, &g);
        }
        if let Some(bar) = a_bar {
            let x = factors.solve::<F>(b);
            add::<F, A>(bar, &negated::<F, A>(times::<F, A>(g.view(), x.t())));
        }
    }

    /// With `ġ = A^-T (x̄̇ - Ȧᵀ g)`.
    #[expect(clippy::too_many_arguments, reason = "both operands with all their shadows")]
    pub fn pull_push<F: Real, A: Lin<F>>(
        a: ArrayView2<'_, F>,
        a_dot: Option<ArrayView2<'_, A>>,
        a_bars: Option<(ArrayViewMut2<'_, F>, ArrayViewMut2<'_, A>)>,
        b: ArrayView2<'_, F>,
        b_dot: Option<ArrayView2<'_, A>>,
        b_bars: Option<(ArrayViewMut2<'_, F>, ArrayViewMut2<'_, A>)>,
        y_bar: ArrayView2<'_, F>,
        y_bar_dot: ArrayView2<'_, A>,
    ) {
        let factors = Factors::new(a);
        let (x, g) = (factors.solve::<F>(b), factors.solve_transposed::<F>(y_bar));
        let mut right = y_bar_dot.to_owned();
        if let Some(dot) = &a_dot {
            add::<F, A>(right.view_mut(), &negated::<F, A>(times::<F, A>(dot.t(), g.view())));
        }
        let g_dot = factors.solve_transposed(right.view());
        if let Some((bar, bar_dot)) = b_bars {
            add::<F, F>(bar, &g);
            add::<F, A>(bar_dot, &g_dot);
        }
        if let Some((bar, mut bar_dot)) = a_bars {
            let x_dot = tangent(&factors, x.view(), a_dot, b_dot);
            add::<F, F>(bar, &negated::<F, F>(times::<F, F>(g.view(), x.t())));
            add::<F, A>(bar_dot.view_mut(), &negated::<F, A>(times::<F, A>(g_dot.view(), x.t())));
            add::<F, A>(bar_dot, &negated::<F, A>(by::<F, A>(g.view(), x_dot.t())));
        }
    }
}

/// `ln |det A|`, and the inverse.
pub mod logarithm {
    use super::*;

    /// The value.
    pub fn value<F: Real>(a: ArrayView2<'_, F>) -> F {
        let lu = matrix(a).lu();
        let diagonal = lu.lu_internal().diagonal();
        diagonal
            .iter()
            .map(|v| nalgebra::ComplexField::modulus(*v))
            .fold(<F as Base>::ZERO, |sum, v| sum + nalgebra::ComplexField::ln(v))
    }

    /// The inverse.
    pub fn inverse<F: Real>(a: ArrayView2<'_, F>) -> Array2<F> {
        array(&matrix(a).try_inverse().expect("the matrix is not singular"))
    }

    /// `tr(A^-1 Ȧ)`.
    pub fn push<F: Real, A: Lin<F>>(a: ArrayView2<'_, F>, dot: ArrayView2<'_, A>) -> A {
        let inverse = inverse(a);
        dot.t().into_iter().zip(&inverse).fold(A::ZERO, |sum, (dot, v)| sum + *dot * *v)
    }

    /// `Ā += ȳ A^-T`.
    pub fn pull<F: Real, A: Lin<F>>(a: ArrayView2<'_, F>, mut bar: ArrayViewMut2<'_, A>, y_bar: A) {
        bar.zip_mut_with(&inverse(a).t(), |to, v| *to += y_bar * *v);
    }

    /// `Ā̇ += ȳ̇ A^-T - ȳ (A^-1 Ȧ A^-1)ᵀ`.
    pub fn pull_push<F: Real, A: Lin<F>>(
        a: ArrayView2<'_, F>,
        dot: ArrayView2<'_, A>,
        mut bar: ArrayViewMut2<'_, F>,
        mut bar_dot: ArrayViewMut2<'_, A>,
        y_bar: F,
        y_bar_dot: A,
    ) {
        let inverse = inverse(a);
        bar.zip_mut_with(&inverse.t(), |to, v| *to += y_bar * *v);
        bar_dot.zip_mut_with(&inverse.t(), |to, v| *to += y_bar_dot * *v);
        let flow = times::<F, A>(by::<F, A>(inverse.view(), dot).view(), inverse.view());
        bar_dot.zip_mut_with(&flow.t(), |to, v| *to -= *v * y_bar);
    }
}
