//! Linear systems and determinants.
//!
//! The adjoints are those of Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
//! differentiation" (2008), sections 2.2.3, 2.2.4 and 2.3.1.

use super::grid::Number;
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::stack::workspace::Workspace;
use nalgebra::{DMatrix, RealField};
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, ShapeBuilder};

/// A float of which `nalgebra` factors matrices.
pub trait Real: Number + RealField {}
impl Real for f32 {}
impl Real for f64 {}

pub(super) fn matrix<F: Real>(a: ArrayView2<'_, F>) -> DMatrix<F> {
    let columns = a.reversed_axes();
    match columns.as_slice() {
        Some(all) => DMatrix::from_column_slice(columns.ncols(), columns.nrows(), all),
        None => DMatrix::from_iterator(columns.ncols(), columns.nrows(), columns.into_iter().copied()),
    }
}

pub(super) fn array<F: Real>(m: &DMatrix<F>) -> Array2<F> {
    Array2::from_shape_fn((m.nrows(), m.ncols()), |at| m[at])
}

/// `left · right`, where the left factor is of the linear space.
pub(super) fn times<F: Base, A: LinearSpace<F>>(left: ArrayView2<'_, A>, right: ArrayView2<'_, F>) -> Array2<A> {
    let mut onto = Array2::from_elem((left.nrows(), right.ncols()), A::ZERO);
    A::product(left, right, onto.view_mut());
    onto
}

/// `left · right`, where the right factor is of the linear space.
pub(super) fn by<F: Base, A: LinearSpace<F>>(left: ArrayView2<'_, F>, right: ArrayView2<'_, A>) -> Array2<A> {
    times::<F, A>(right.reversed_axes(), left.reversed_axes()).reversed_axes()
}

pub(super) fn negated<F: Base, A: LinearSpace<F>>(v: Array2<A>) -> Array2<A> {
    v.mapv_into(|v| -v)
}

pub(super) fn add<F: Base, A: LinearSpace<F>>(mut onto: ArrayViewMut2<'_, A>, from: &Array2<A>) {
    onto.zip_mut_with(from, |to, v| *to += *v);
}

/// The factors `P A = L U` of a matrix.
struct Factors<F> {
    /// Both, column by column; `L` has ones on its diagonal.
    lu: Vec<F>,
    /// The rows of `A` in the order of those of `P A`.
    order: Vec<u64>,
}

impl<F: Real> Factors<F> {
    fn new(a: ArrayView2<'_, F>) -> Self {
        Self::of(&matrix(a).lu())
    }

    /// The factors as `nalgebra` has them.
    ///
    /// # Panics
    ///
    /// If the matrix is singular.
    fn of(lu: &nalgebra::LU<F, nalgebra::Dyn, nalgebra::Dyn>) -> Self {
        assert!(lu.is_invertible(), "the matrix is singular");
        let packed = lu.lu_internal();
        let mut order = nalgebra::DVector::from_fn(packed.nrows(), |i, _| i as u64);
        lu.p().permute_rows(&mut order);
        Factors { lu: packed.as_slice().to_vec(), order: order.as_slice().to_vec() }
    }

    /// Keeps the factors.
    fn save<A>(&self, memory: &mut Workspace<F, A>) {
        memory.floats.push_slice(&self.lu);
        memory.words.push_slice(&self.order);
    }

    /// Those of `n` rows that were kept.
    fn restore<A>(n: usize, memory: &mut Workspace<F, A>) -> Self {
        let mut factors = Factors { lu: vec![<F as Base>::ZERO; n * n], order: vec![0; n] };
        memory.words.pop_slice(&mut factors.order);
        memory.floats.pop_slice(&mut factors.lu);
        factors
    }

    /// The columns, with their numbers.
    fn columns(&self) -> impl DoubleEndedIterator<Item = (usize, &[F])> {
        (0..self.order.len()).map(|k| (k, &self.lu[k * self.order.len()..][..self.order.len()]))
    }

    /// `A^-1 b`.
    fn solve<A: LinearSpace<F>>(&self, b: ArrayView2<'_, A>) -> Array2<A> {
        column_by_column(b, |b, x| {
            x.iter_mut().zip(&self.order).for_each(|(x, row)| *x = b[*row as usize]);
            for (k, column) in self.columns() {
                let v = x[k];
                subtract(&mut x[k + 1..], v, &column[k + 1..]);
            }
            for (k, column) in self.columns().rev() {
                let v = x[k] / column[k];
                x[k] = v;
                subtract(&mut x[..k], v, &column[..k]);
            }
        })
    }

    /// `A^-T b`.
    fn solve_transposed<A: LinearSpace<F>>(&self, b: ArrayView2<'_, A>) -> Array2<A> {
        let mut inner = vec![<F as Base>::ZERO; self.order.len()];
        column_by_column(b, |b, x| {
            inner.copy_from_slice(b);
            for (k, column) in self.columns() {
                inner[k] = (inner[k] - dot(&inner[..k], &column[..k])) / column[k];
            }
            for (k, column) in self.columns().rev() {
                let known = dot(&inner[k + 1..], &column[k + 1..]);
                inner[k] -= known;
            }
            self.order.iter().zip(&inner).for_each(|(row, v)| x[*row as usize] = *v);
        })
    }
}

/// A linear map of the columns.
fn column_by_column<F: Real, A: LinearSpace<F>>(
    b: ArrayView2<'_, A>,
    mut map: impl FnMut(&[F], &mut [F]),
) -> Array2<A> {
    let mut x = Array2::from_elem(b.raw_dim(), A::ZERO);
    for (mut to, from) in x.columns_mut().into_iter().zip(b.columns()) {
        let (from, mut image) = (from.to_vec(), vec![A::ZERO; to.len()]);
        A::apply(&from, &mut image, &mut map);
        to.assign(&Array1::from_vec(image));
    }
    x
}

/// `to -= v line`.
fn subtract<F: Real>(to: &mut [F], v: F, line: &[F]) {
    to.iter_mut().zip(line).for_each(|(to, l)| *to -= v * *l);
}

/// The sum of the products, in parts that do not wait for each other.
fn dot<F: Real>(a: &[F], b: &[F]) -> F {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut parts = [<F as Base>::ZERO; 8];
    for (a, b) in a.iter().zip(b) {
        parts.iter_mut().zip(a.iter().zip(b)).for_each(|(part, (a, b))| *part += *a * *b);
    }
    let rest = a_rest.iter().zip(b_rest).fold(<F as Base>::ZERO, |sum, (a, b)| sum + *a * *b);
    parts.into_iter().fold(rest, |sum, part| sum + part)
}

/// `x = A^-1 b`.
pub mod solve {
    use super::*;

    /// The solution.
    pub fn value<F: Real>(a: ArrayView2<'_, F>, b: ArrayView2<'_, F>) -> Array2<F> {
        array(&matrix(a).lu().solve(&matrix(b)).expect("the matrix is not singular"))
    }

    /// The solution; the factors and the solution are kept.
    pub fn value_kept<F: Real, A>(
        a: ArrayView2<'_, F>,
        b: ArrayView2<'_, F>,
        memory: &mut Workspace<F, A>,
    ) -> Array2<F> {
        let lu = matrix(a).lu();
        let x = lu.solve(&matrix(b)).expect("the matrix is not singular");
        Factors::of(&lu).save(memory);
        memory.floats.push_slice(x.as_slice());
        array(&x)
    }

    /// The factors and the solution: what was kept, if the value is not at hand.
    fn found<F: Real, A>(
        a: ArrayView2<'_, F>,
        b: ArrayView2<'_, F>,
        x: Option<ArrayView2<'_, F>>,
        memory: &mut Workspace<F, A>,
    ) -> (Factors<F>, Array2<F>) {
        if let Some(x) = x {
            return (Factors::new(a), x.to_owned());
        }
        let mut x = Array2::from_elem(b.dim().f(), <F as Base>::ZERO);
        memory.floats.pop_slice(x.as_slice_memory_order_mut().expect("a matrix of its own"));
        (Factors::restore(a.nrows(), memory), x)
    }

    /// `ẋ = A^-1 (ḃ - Ȧ x)`.
    pub fn push<F: Real, A: LinearSpace<F>>(
        a: ArrayView2<'_, F>,
        a_dot: Option<ArrayView2<'_, A>>,
        b_dot: Option<ArrayView2<'_, A>>,
        x: ArrayView2<'_, F>,
    ) -> Array2<A> {
        tangent(&Factors::new(a), x, a_dot, b_dot)
    }

    fn tangent<F: Real, A: LinearSpace<F>>(
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
    pub fn pull<F: Real, A: LinearSpace<F>>(
        a: ArrayView2<'_, F>,
        a_bar: Option<ArrayViewMut2<'_, A>>,
        b: ArrayView2<'_, F>,
        b_bar: Option<ArrayViewMut2<'_, A>>,
        x: Option<ArrayView2<'_, F>>,
        x_bar: ArrayView2<'_, A>,
        memory: &mut Workspace<F, A>,
    ) {
        let (factors, x) = found(a, b, x, memory);
        let g = factors.solve_transposed(x_bar);
        if let Some(bar) = b_bar {
            add::<F, A>(bar, &g);
        }
        if let Some(bar) = a_bar {
            A::product(negated::<F, A>(g).view(), x.t(), bar);
        }
    }

    /// With `ġ = A^-T (x̄̇ - Ȧᵀ g)`.
    #[expect(clippy::too_many_arguments, reason = "both operands with all their shadows")]
    pub fn pull_push<F: Real, A: LinearSpace<F>>(
        a: ArrayView2<'_, F>,
        a_dot: Option<ArrayView2<'_, A>>,
        a_bars: Option<(ArrayViewMut2<'_, F>, ArrayViewMut2<'_, A>)>,
        b: ArrayView2<'_, F>,
        b_dot: Option<ArrayView2<'_, A>>,
        b_bars: Option<(ArrayViewMut2<'_, F>, ArrayViewMut2<'_, A>)>,
        x: Option<ArrayView2<'_, F>>,
        x_bar: ArrayView2<'_, F>,
        x_bar_dot: ArrayView2<'_, A>,
        memory: &mut Workspace<F, A>,
    ) {
        let (factors, x) = found(a, b, x, memory);
        let g = factors.solve_transposed::<F>(x_bar);
        let mut right = x_bar_dot.to_owned();
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
    pub fn push<F: Real, A: LinearSpace<F>>(a: ArrayView2<'_, F>, dot: ArrayView2<'_, A>) -> A {
        let inverse = inverse(a);
        dot.t().into_iter().zip(&inverse).fold(A::ZERO, |sum, (dot, v)| sum + *dot * *v)
    }

    /// `Ā += ȳ A^-T`.
    pub fn pull<F: Real, A: LinearSpace<F>>(a: ArrayView2<'_, F>, mut bar: ArrayViewMut2<'_, A>, y_bar: A) {
        bar.zip_mut_with(&inverse(a).t(), |to, v| *to += y_bar * *v);
    }

    /// `Ā̇ += ȳ̇ A^-T - ȳ (A^-1 Ȧ A^-1)ᵀ`.
    pub fn pull_push<F: Real, A: LinearSpace<F>>(
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
