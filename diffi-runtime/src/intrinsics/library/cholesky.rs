//! The Cholesky factor, and what is solved with it.
//!
//! The adjoint is that of Murray, "Differentiation of the Cholesky decomposition" (2016), in blocks as in section 4.2; its tangent
//! is found by equation 10, that of Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
//! differentiation" (2008).

use super::decompositions::{Real, add, array, by, matrix, negated, times};
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use nalgebra::DMatrix;
use ndarray::{Array2, ArrayBase, ArrayView2, ArrayViewMut2, Axis, Ix1, Ix2, RawData, Zip};
use std::cmp::Ordering;
use std::ops::Range;

/// The factor.
pub fn value<F: Real>(a: ArrayView2<'_, F>) -> Array2<F> {
    array(&matrix(a).cholesky().expect("the matrix is positive definite").l())
}

/// `L^-1`.
fn inverse<F: Real>(l: &Array2<F>) -> Array2<F> {
    let identity = DMatrix::identity(l.nrows(), l.nrows());
    array(&matrix(l.view()).solve_lower_triangular(&identity).expect("its diagonal is positive"))
}

/// The lower triangle, with half of the diagonal.
fn half<F: Base, A: LinearSpace<F>>(mut v: Array2<A>) -> Array2<A> {
    for i in 0..v.nrows() {
        v[[i, i]] = v[[i, i]] * F::lit(0.5);
        (i + 1..v.ncols()).for_each(|j| v[[i, j]] = A::ZERO);
    }
    v
}

/// The symmetric matrix whose lower triangle is that of `v`.
fn mirrored<F: Base, A: LinearSpace<F>>(v: ArrayView2<'_, A>) -> Array2<A> {
    Array2::from_shape_fn(v.raw_dim(), |(i, j)| if i >= j { v[[i, j]] } else { v[[j, i]] })
}

/// `(v + vᵀ) / 2`.
fn symmetric<F: Base, A: LinearSpace<F>>(v: &Array2<A>) -> Array2<A> {
    Array2::from_shape_fn(v.raw_dim(), |(i, j)| (v[[i, j]] + v[[j, i]]) * F::lit(0.5))
}

/// What falls on the entries of the lower triangle, each of which stands for two.
fn folded<F: Base, A: LinearSpace<F>>(mut onto: ArrayViewMut2<'_, A>, v: &Array2<A>) {
    for i in 0..v.nrows() {
        for j in 0..i {
            onto[[i, j]] += v[[i, j]] + v[[j, i]];
        }
        onto[[i, i]] += v[[i, i]];
    }
}

/// `L̇ = L Φ(L^-1 Ȧ L^-T)`, where `Φ` takes the lower triangle with half of the diagonal.
pub fn push<F: Real, A: LinearSpace<F>>(l: &Array2<F>, dot: ArrayView2<'_, A>) -> Array2<A> {
    let inverse = inverse(l);
    tangent(l, &inverse, dot)
}

fn tangent<F: Real, A: LinearSpace<F>>(l: &Array2<F>, inverse: &Array2<F>, dot: ArrayView2<'_, A>) -> Array2<A> {
    let inner = times::<F, A>(by::<F, A>(inverse.view(), mirrored::<F, A>(dot).view()).view(), inverse.t());
    by::<F, A>(l.view(), half::<F, A>(inner).view())
}

/// `L^-T Φ(Lᵀ L̄) L^-1`, symmetric.
fn adjoint<F: Real, A: LinearSpace<F>>(l: &Array2<F>, inverse: &Array2<F>, bar: ArrayView2<'_, A>) -> Array2<A> {
    let middle = symmetric::<F, A>(&half::<F, A>(by::<F, A>(l.t(), bar)));
    times::<F, A>(by::<F, A>(inverse.t(), middle.view()).view(), inverse.view())
}

/// How many columns go back at once.
const BLOCK: usize = 32;

/// Adds to the cotangent of `A`, of which the lower triangle was read: block by block, the last columns first.
pub fn pull<F: Real, A: LinearSpace<F>>(l: &Array2<F>, mut onto: ArrayViewMut2<'_, A>, bar: ArrayView2<'_, A>) {
    let n = l.nrows();
    let mut bar = bar.as_standard_layout().into_owned();
    let mut end = n;
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        block::<F, A>(l, &mut bar, start, end);
        end = start;
    }
    for (i, (to, from)) in onto.outer_iter_mut().zip(bar.outer_iter()).enumerate() {
        stretch(to, 0..i + 1).zip_mut_with(&stretch(from, 0..i + 1), |to, v| *to += *v);
    }
}

/// A part of a matrix.
fn part<S: RawData>(mut v: ArrayBase<S, Ix2>, rows: Range<usize>, columns: Range<usize>) -> ArrayBase<S, Ix2> {
    v.slice_axis_inplace(Axis(0), rows.into());
    v.slice_axis_inplace(Axis(1), columns.into());
    v
}

/// A part of a row or a column.
fn stretch<S: RawData>(mut v: ArrayBase<S, Ix1>, range: Range<usize>) -> ArrayBase<S, Ix1> {
    v.slice_axis_inplace(Axis(0), range.into());
    v
}

/// The cotangents of the columns from `start` to `end` of the factor become those of the matrix: with the rows `R` to the left of the
/// diagonal block `D`, and `B` and `C` below them.
fn block<F: Real, A: LinearSpace<F>>(l: &Array2<F>, bar: &mut Array2<A>, start: usize, end: usize) {
    let n = l.nrows();
    let (r, d) = (part(l.view(), start..end, 0..start), part(l.view(), start..end, start..end));
    let (b, c) = (part(l.view(), end..n, 0..start), part(l.view(), end..n, start..end));
    let (upper, lower) = bar.view_mut().split_at(Axis(0), end);
    let (mut b_bar, rest) = lower.split_at(Axis(1), start);
    let mut c_bar = part(rest, 0..n - end, 0..end - start);
    let (mut r_bar, rest) = part(upper, start..end, 0..n).split_at(Axis(1), start);
    let mut d_bar = part(rest, 0..end - start, 0..end - start);
    let d = Corner::of(d);
    if end < n {
        right_division::<F, A>(c_bar.view_mut(), &d);
        let minus = negated::<F, A>(c_bar.to_owned());
        A::product(minus.view(), r, b_bar.view_mut());
        A::product(minus.t(), b, r_bar.view_mut());
        A::product(minus.t(), c, d_bar.view_mut());
    }
    corner::<F, A>(&d, &mut d_bar);
    let both = Array2::from_shape_fn(d_bar.raw_dim(), |(i, j)| match i.cmp(&j) {
        Ordering::Less => -d_bar[[j, i]],
        Ordering::Equal => -(d_bar[[i, i]] + d_bar[[i, i]]),
        Ordering::Greater => -d_bar[[i, j]],
    });
    if start > 0 {
        A::product(both.view(), r, r_bar);
    }
}

/// `c = c D^-1`: four rows in turn, as each element of a row waits for the one before.
fn right_division<F: Real, A: LinearSpace<F>>(mut c: ArrayViewMut2<'_, A>, d: &Corner<F>) {
    for mut rows in c.axis_chunks_iter_mut(Axis(0), 4) {
        for (j, (line, scale)) in d.lines().enumerate().rev() {
            for mut row in rows.outer_iter_mut() {
                let row = row.as_slice_mut().expect("a row of a matrix of our own");
                let v = row[j] * *scale;
                row[j] = v;
                minus(&mut row[..j], v, line);
            }
        }
    }
}

/// A block on the diagonal of the factor, row by row.
struct Corner<F> {
    rows: Vec<F>,
    /// What its diagonal is divided by.
    scales: Vec<F>,
}

impl<F: Real> Corner<F> {
    fn of(d: ArrayView2<'_, F>) -> Self {
        Corner { rows: d.iter().copied().collect(), scales: d.diag().iter().map(|v| F::ONE / *v).collect() }
    }

    /// The rows, and what their last elements are divided by.
    fn lines(&self) -> impl DoubleEndedIterator<Item = (&[F], &F)> + ExactSizeIterator {
        self.rows.chunks_exact(self.scales.len()).zip(&self.scales)
    }
}

/// `to -= v line`, as far as there is something.
#[inline]
fn minus<F: Base, A: LinearSpace<F>>(to: &mut [A], v: A, line: &[F]) {
    to.iter_mut().zip(line).for_each(|(to, l)| *to -= v * *l);
}

/// The same for a block on the diagonal, row by row from the last one.
fn corner<F: Real, A: LinearSpace<F>>(d: &Corner<F>, bar: &mut ArrayViewMut2<'_, A>) {
    let (n, mut all) = (d.scales.len(), bar.iter().copied().collect::<Vec<A>>());
    for (i, (line, scale)) in d.lines().enumerate().rev() {
        let (above, row) = all.split_at_mut(i * n);
        let own = row[i] * (<F as Base>::lit(0.5) * *scale);
        row[i] = own;
        minus(&mut row[..i], own + own, line);
        for (j, ((other, scale), above)) in d.lines().zip(above.chunks_exact_mut(n)).enumerate().rev() {
            let share = row[j] * *scale;
            row[j] = share;
            minus(&mut row[..j], share, other);
            minus(&mut above[..=j], share, line);
        }
    }
    bar.iter_mut().zip(all).for_each(|(to, v)| *to = v);
}

/// The same with its tangent.
pub fn pull_push<F: Real, A: LinearSpace<F>>(
    l: &Array2<F>,
    dot: ArrayView2<'_, A>,
    onto: ArrayViewMut2<'_, F>,
    onto_dot: ArrayViewMut2<'_, A>,
    bar: ArrayView2<'_, F>,
    bar_dot: ArrayView2<'_, A>,
) {
    let inverse = inverse(l);
    let l_dot = tangent(l, &inverse, dot);
    let flow = adjoint::<F, F>(l, &inverse, bar);
    // of L^-T M L^-1, M = sym Φ(Lᵀ L̄): all three factors have tangents
    let mut middle = by::<F, A>(l.t(), bar_dot);
    add::<F, A>(middle.view_mut(), &times::<F, A>(l_dot.t(), bar));
    let middle = symmetric::<F, A>(&half::<F, A>(middle));
    let mut flow_dot = times::<F, A>(by::<F, A>(inverse.t(), middle.view()).view(), inverse.view());
    let turn = by::<F, A>(flow.view(), times::<F, A>(l_dot.view(), inverse.view()).view());
    add::<F, A>(flow_dot.view_mut(), &negated::<F, A>(turn.clone()));
    add::<F, A>(flow_dot.view_mut(), &negated::<F, A>(turn.reversed_axes()));
    folded::<F, F>(onto, &flow);
    folded::<F, A>(onto_dot, &flow_dot);
}

/// `x = A^-1 b`, where `A = L Lᵀ`. With `u = L^-1 b`, `g = A^-T x̄` and `w = L^-1 x̄`, the adjoints are `b̄ += g` and
/// `L̄ -= g uᵀ + x wᵀ`, by those of a linear system (Giles, section 2.3.1) and of a product.
pub mod solve {
    use super::*;

    /// `L^-1 x`.
    fn down<F: Real, A: LinearSpace<F>>(l: ArrayView2<'_, F>, mut x: Array2<A>) -> Array2<A> {
        let n = l.nrows();
        for mut x in x.columns_mut() {
            for k in 0..l.nrows() {
                let v = x[k] * (F::ONE / l[[k, k]]);
                x[k] = v;
                let below = Zip::from(stretch(x.view_mut(), k + 1..n)).and(stretch(l.column(k), k + 1..n));
                below.for_each(|to, l| *to -= v * *l);
            }
        }
        x
    }

    /// `L^-T x`.
    fn up<F: Real, A: LinearSpace<F>>(l: ArrayView2<'_, F>, mut x: Array2<A>) -> Array2<A> {
        let n = l.nrows();
        for mut x in x.columns_mut() {
            for k in (0..l.nrows()).rev() {
                let known = Zip::from(stretch(x.view(), k + 1..n)).and(stretch(l.column(k), k + 1..n));
                let sum = known.fold(A::ZERO, |sum, x, l| sum + *x * *l);
                x[k] = (x[k] - sum) * (F::ONE / l[[k, k]]);
            }
        }
        x
    }

    fn lower<F: Base, A: LinearSpace<F>>(v: ArrayView2<'_, A>) -> Array2<A> {
        Array2::from_shape_fn(v.raw_dim(), |(i, j)| if i >= j { v[[i, j]] } else { A::ZERO })
    }

    /// The solution.
    pub fn value<F: Real>(l: ArrayView2<'_, F>, b: ArrayView2<'_, F>) -> Array2<F> {
        up::<F, F>(l, down::<F, F>(l, b.to_owned()))
    }

    /// `ẋ = A^-1 (ḃ - Ȧ x)`.
    pub fn push<F: Real, A: LinearSpace<F>>(
        l: ArrayView2<'_, F>,
        l_dot: Option<ArrayView2<'_, A>>,
        b: ArrayView2<'_, F>,
        b_dot: Option<ArrayView2<'_, A>>,
    ) -> Array2<A> {
        let right = b_dot.map_or_else(|| Array2::from_elem(b.raw_dim(), A::ZERO), |dot| dot.to_owned());
        let l_dot = l_dot.map(lower::<F, A>);
        moved(l, l_dot.as_ref(), &value(l, b), right)
    }

    /// `A^-1 (right - Ȧ x)`, with `Ȧ = L̇ Lᵀ + L L̇ᵀ`.
    fn moved<F: Real, A: LinearSpace<F>>(
        l: ArrayView2<'_, F>,
        l_dot: Option<&Array2<A>>,
        x: &Array2<F>,
        mut right: Array2<A>,
    ) -> Array2<A> {
        if let Some(dot) = l_dot {
            let first = times::<F, A>(dot.view(), times::<F, F>(l.t(), x.view()).view());
            let second = by::<F, A>(l, times::<F, A>(dot.t(), x.view()).view());
            add::<F, A>(right.view_mut(), &negated::<F, A>(first));
            add::<F, A>(right.view_mut(), &negated::<F, A>(second));
        }
        up::<F, A>(l, down::<F, A>(l, right))
    }

    /// The adjoint.
    pub fn pull<F: Real, A: LinearSpace<F>>(
        l: ArrayView2<'_, F>,
        l_bar: Option<ArrayViewMut2<'_, A>>,
        b: ArrayView2<'_, F>,
        b_bar: Option<ArrayViewMut2<'_, A>>,
        x_bar: ArrayView2<'_, A>,
    ) {
        let w = negated::<F, A>(down::<F, A>(l, x_bar.to_owned()));
        let g = up::<F, A>(l, w.clone());
        if let Some(mut bar) = b_bar {
            bar.zip_mut_with(&g, |to, v| *to -= *v);
        }
        if let Some(mut bar) = l_bar {
            let u = down::<F, F>(l, b.to_owned());
            A::product(g.view(), u.t(), bar.view_mut());
            let x = up::<F, F>(l, u);
            A::product(w.view(), x.t(), bar.reversed_axes());
        }
    }

    /// The adjoint with its tangent: that of every factor.
    #[expect(clippy::too_many_arguments, reason = "both operands with all their shadows")]
    pub fn pull_push<F: Real, A: LinearSpace<F>>(
        l: ArrayView2<'_, F>,
        l_dot: Option<ArrayView2<'_, A>>,
        l_bars: Option<(ArrayViewMut2<'_, F>, ArrayViewMut2<'_, A>)>,
        b: ArrayView2<'_, F>,
        b_dot: Option<ArrayView2<'_, A>>,
        b_bars: Option<(ArrayViewMut2<'_, F>, ArrayViewMut2<'_, A>)>,
        x_bar: ArrayView2<'_, F>,
        x_bar_dot: ArrayView2<'_, A>,
    ) {
        let l_dot = l_dot.map(lower::<F, A>);
        let g = value(l, x_bar);
        let g_dot = moved(l, l_dot.as_ref(), &g, x_bar_dot.to_owned());
        if let Some((bar, bar_dot)) = b_bars {
            add::<F, F>(bar, &g);
            add::<F, A>(bar_dot, &g_dot);
        }
        let Some((bar, mut bar_dot)) = l_bars else { return };
        let x = value(l, b);
        let right = b_dot.map_or_else(|| Array2::from_elem(b.raw_dim(), A::ZERO), |dot| dot.to_owned());
        let x_dot = moved(l, l_dot.as_ref(), &x, right);
        // u = Lᵀ x, w = Lᵀ g
        let image = |v: &Array2<F>, v_dot: &Array2<A>| {
            let mut dot = by::<F, A>(l.t(), v_dot.view());
            if let Some(l_dot) = &l_dot {
                add::<F, A>(dot.view_mut(), &times::<F, A>(l_dot.t(), v.view()));
            }
            (times::<F, F>(l.t(), v.view()), dot)
        };
        let ((u, u_dot), (w, w_dot)) = (image(&x, &x_dot), image(&g, &g_dot));
        let flow = times::<F, F>(g.view(), u.t()) + times::<F, F>(x.view(), w.t());
        add::<F, F>(bar, &negated::<F, F>(flow));
        for term in [
            times::<F, A>(g_dot.view(), u.t()),
            by::<F, A>(g.view(), u_dot.t()),
            times::<F, A>(x_dot.view(), w.t()),
            by::<F, A>(x.view(), w_dot.t()),
        ] {
            add::<F, A>(bar_dot.view_mut(), &negated::<F, A>(term));
        }
    }
}

/// `ln det A`, twice the sum of the logarithms of the factor's diagonal.
pub mod logarithm {
    use super::*;

    /// The value.
    pub fn value<F: Real>(l: ArrayView2<'_, F>) -> F {
        let sum = l.diag().iter().fold(<F as Base>::ZERO, |sum, v| sum + nalgebra::ComplexField::ln(*v));
        sum + sum
    }

    /// Its tangent.
    pub fn push<F: Real, A: LinearSpace<F>>(l: ArrayView2<'_, F>, dot: ArrayView2<'_, A>) -> A {
        l.diag().iter().zip(dot.diag()).fold(A::ZERO, |sum, (l, dot)| sum + *dot * (<F as Base>::lit(2.0) / *l))
    }

    /// Its adjoint.
    pub fn pull<F: Real, A: LinearSpace<F>>(l: ArrayView2<'_, F>, mut bar: ArrayViewMut2<'_, A>, y_bar: A) {
        bar.diag_mut().zip_mut_with(&l.diag(), |to, l| *to += y_bar * (<F as Base>::lit(2.0) / *l));
    }

    /// The adjoint with its tangent.
    pub fn pull_push<F: Real, A: LinearSpace<F>>(
        l: ArrayView2<'_, F>,
        dot: ArrayView2<'_, A>,
        bar: ArrayViewMut2<'_, F>,
        mut bar_dot: ArrayViewMut2<'_, A>,
        y_bar: F,
        y_bar_dot: A,
    ) {
        pull::<F, F>(l, bar, y_bar);
        pull::<F, A>(l, bar_dot.view_mut(), y_bar_dot);
        for (i, l) in l.diag().iter().enumerate() {
            bar_dot[[i, i]] -= dot[[i, i]] * (<F as Base>::lit(2.0) * y_bar / (*l * *l));
        }
    }
}
