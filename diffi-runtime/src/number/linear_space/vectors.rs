//! Products of which one factor is a vector, where all elements lie side by side: the loops, without anything to be found out at each
//! call. Factors and results may be of different spaces: `times` multiplies an element of the first operand by one of the second.

use super::factor::Factor;
use std::ops::{Add, AddAssign};

/// An element that sums are made of.
pub trait Term: Copy + Add<Output = Self> + AddAssign {}

impl<T: Copy + Add<Output = T> + AddAssign> Term for T {}

/// How a product is made of its factors' elements, and what is there before.
#[derive(Clone, Copy)]
pub struct Rule<A, T> {
    /// The neutral element of addition.
    pub zero: A,
    /// The product of two elements.
    pub times: T,
    /// Whether the result is replaced, or added to.
    pub over: bool,
}

/// `onto += left · right`, or `onto = left · right`, if one factor is a vector. Whether one is.
#[inline]
pub fn product<L: Copy, R: Copy, A: Term>(
    left: Factor<'_, L>,
    right: Factor<'_, R>,
    onto: &mut [A],
    rule: Rule<A, impl Fn(L, R) -> A + Copy>,
) -> bool {
    let turned = Rule { zero: rule.zero, times: move |r, l| (rule.times)(l, r), over: rule.over };
    if left.columns == 1 {
        match right.elements {
            [_] => outer(right.elements, left.elements, onto, turned), // one long row instead of many short ones
            row => outer(left.elements, row, onto, rule),
        }
    } else if left.rows == 1 {
        match right.by_columns || right.columns == 1 {
            false => combine(right.elements, left.elements, onto, turned),
            true => inner(right.elements, left.elements, onto, turned),
        }
    } else if right.columns == 1 {
        match left.by_columns {
            false => inner(left.elements, right.elements, onto, rule),
            true => combine(left.elements, right.elements, onto, rule),
        }
    } else {
        return false;
    }
    true
}

/// Every product of an element of the column with one of the row: eight at a time.
fn outer<S: Copy, T: Copy, A: Term>(column: &[S], row: &[T], onto: &mut [A], rule: Rule<A, impl Fn(S, T) -> A + Copy>) {
    if row.is_empty() {
        return;
    }
    let onto = column.iter().zip(onto.chunks_mut(row.len()));
    match rule.over {
        true => onto.for_each(|(v, onto)| eights(onto, row, |to, w| *to = (rule.times)(*v, w))),
        false => onto.for_each(|(v, onto)| eights(onto, row, |to, w| *to += (rule.times)(*v, w))),
    }
}

/// What is done to all elements, eight at a time: short rows take no longer than their elements.
#[inline(always)]
fn eights<T: Copy, A>(onto: &mut [A], row: &[T], each: impl Fn(&mut A, T)) {
    let ((onto, onto_rest), (row, rest)) = (onto.as_chunks_mut::<8>(), row.as_chunks::<8>());
    for (to, v) in onto.iter_mut().zip(row) {
        (0..8).for_each(|k| each(&mut to[k], v[k]));
    }
    onto_rest.iter_mut().zip(rest).for_each(|(to, v)| each(to, *v));
}

/// The sum of the matrix's rows, each times its factor: four rows and eight columns at a time.
fn combine<S: Copy, T: Copy, A: Term>(matrix: &[S], factors: &[T], onto: &mut [A], rule: Rule<A, impl Fn(S, T) -> A>) {
    let (columns, times) = (onto.len(), rule.times);
    if columns == 0 {
        return;
    }
    let (mut below, (fours, rest)) = (matrix, factors.as_chunks::<4>());
    let mut begins = rule.over;
    for four in fours {
        let (rows, next) = below.split_at(4 * columns);
        let (front, back) = rows.split_at(2 * columns);
        let ((v, w), (x, y)) = (front.split_at(columns), back.split_at(columns));
        let rows = [v, w, x, y].map(<[S]>::as_chunks::<8>);
        let (to, to_rest) = onto.as_chunks_mut::<8>();
        let sum = |to: &mut A, [v, w, x, y]: [S; 4]| {
            let sum = (times(v, four[0]) + times(w, four[1])) + (times(x, four[2]) + times(y, four[3]));
            *to = if begins { sum } else { *to + sum };
        };
        let [v, w, x, y] = rows.map(|(eights, _)| eights);
        for ((((to, v), w), x), y) in to.iter_mut().zip(v).zip(w).zip(x).zip(y) {
            (0..8).for_each(|k| sum(&mut to[k], [v[k], w[k], x[k], y[k]]));
        }
        let [v, w, x, y] = rows.map(|(_, rest)| rest);
        for ((((to, v), w), x), y) in to_rest.iter_mut().zip(v).zip(w).zip(x).zip(y) {
            sum(to, [*v, *w, *x, *y]);
        }
        (below, begins) = (next, false);
    }
    if begins {
        onto.fill(rule.zero);
    }
    for (row, factor) in below.chunks(columns).zip(rest) {
        eights(onto, row, |to, v| *to += times(v, *factor));
    }
}

/// The inner products of the matrix's rows with a vector.
fn inner<S: Copy, T: Copy, A: Term>(matrix: &[S], vector: &[T], onto: &mut [A], rule: Rule<A, impl Fn(S, T) -> A>) {
    if rule.over {
        onto.fill(rule.zero);
    }
    if vector.is_empty() {
        return;
    }
    for (row, onto) in matrix.chunks_exact(vector.len()).zip(onto) {
        *onto += inner_product(row, vector, rule.zero, &rule.times);
    }
}

/// The inner product, in eight sums.
#[inline]
fn inner_product<S: Copy, T: Copy, A: Term>(a: &[S], b: &[T], zero: A, times: &impl Fn(S, T) -> A) -> A {
    let mut sums = [zero; 8];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (a, b) in a.iter().zip(b) {
        (0..8).for_each(|k| sums[k] += times(a[k], b[k]));
    }
    let [a0, a1, a2, a3, a4, a5, a6, a7] = sums;
    let sum = ((a0 + a4) + (a1 + a5)) + ((a2 + a6) + (a3 + a7));
    a_rest.iter().zip(b_rest).fold(sum, |sum, (a, b)| sum + times(*a, *b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, Axis};

    fn matrix(rows: usize, columns: usize, seed: f64) -> Array2<f64> {
        Array2::from_shape_fn((rows, columns), |(i, j)| ((i * 7 + j * 3) as f64 * seed).sin() + 0.1)
    }

    /// Factors of `f32` and `f64`, so that none is taken for the other.
    #[test]
    fn products_are_those_of_the_definition() {
        for (n, inner, m) in
            [(5, 1, 7), (9, 1, 1), (1, 9, 6), (11, 13, 1), (1, 8, 1), (8, 8, 1), (1, 1, 1), (3, 0, 1), (0, 4, 1)]
        {
            let (left, right) = (matrix(n, inner, 0.7), matrix(inner, m, 0.3).mapv(|v| v as f32));
            let turned = (left.t().as_standard_layout().into_owned(), right.t().as_standard_layout().into_owned());
            let wanted = Array2::from_shape_fn((n, m), |(i, j)| {
                (0..inner).map(|k| left[(i, k)] * f64::from(right[(k, j)])).sum::<f64>()
            });
            for left in [left.view(), turned.0.t()] {
                for right in [right.view(), turned.1.t()] {
                    for over in [false, true] {
                        let mut onto = Array2::from_elem((n, m), 2.0);
                        let rule = Rule { zero: 0.0, times: |a: f64, b: f32| a * f64::from(b), over };
                        let factors = (Factor::of(&left).unwrap(), Factor::of(&right).unwrap());
                        assert!(product(factors.0, factors.1, onto.as_slice_mut().unwrap(), rule), "{n} {inner} {m}");
                        let off = (&onto - &wanted - if over { 0.0 } else { 2.0 }).mapv(f64::abs).sum();
                        assert!(off < 1e-13, "{n} {inner} {m}: {off}");
                    }
                }
            }
        }
    }

    #[test]
    fn other_matrices_are_left_alone() {
        let (a, mut onto) = (matrix(4, 4, 0.2), [0.0; 16]);
        let (view, rule) = (a.view(), Rule { zero: 0.0, times: |a: f64, b: f64| a * b, over: true });
        let factor = Factor::of(&view).unwrap();
        assert!(!product(factor, factor.turned(), &mut onto, rule));
        assert_eq!(onto, [0.0; 16]);
        let (apart, _) = a.view().split_at(Axis(1), 1);
        assert!(Factor::of(&apart).is_none());
    }
}
