//! Products of small matrices of floats. `ndarray`'s kernels bring the factors into blocks first, in memory that they ask for at
//! each call: of small matrices that takes longer than to multiply.

use super::factor::Factor;
use crate::number::float::Base;
use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

/// Up to so many multiplications.
const FEW: usize = 1000;
/// For so many elements there is room to transpose a factor.
const ROOM: usize = 256;

/// `onto += left · right`, or `onto = left · right` with `over`, if the matrices are small and the elements of each lie side by side.
/// Whether they do.
#[inline]
pub fn product<F: Base>(
    left: &ArrayView2<'_, F>,
    right: &ArrayView2<'_, F>,
    onto: &mut ArrayViewMut2<'_, F>,
    over: bool,
) -> bool {
    if left.len() * right.ncols() > FEW {
        return false;
    }
    let (Some(left), Some(right)) = (Factor::of(left), Factor::of(right)) else { return false };
    if let Some(onto) = onto.as_slice_mut() {
        return by_rows(left, right, onto, over);
    }
    // the transposes are multiplied
    let Some(onto) = onto.view_mut().reversed_axes().into_slice() else { return false };
    by_rows(right.turned(), left.turned(), onto, over)
}

/// The same, where the result lies by rows. Whether the matrices are small.
#[inline]
pub fn by_rows<F: Base>(left: Factor<'_, F>, right: Factor<'_, F>, onto: &mut [F], over: bool) -> bool {
    let many = left.elements.len() * right.columns;
    many != 0 && many <= FEW && multiply(left, right, onto, over)
}

/// The product by rows. Whether there is room.
#[inline(never)]
fn multiply<F: Base>(left: Factor<'_, F>, right: Factor<'_, F>, onto: &mut [F], over: bool) -> bool {
    match right.by_columns {
        false => combine_rows(&left, right.elements, right.columns, onto, over),
        true if right.elements.len() <= 64 => combine_columns::<F, 64>(&left, &right, onto, over),
        true if right.elements.len() <= ROOM => combine_columns::<F, ROOM>(&left, &right, onto, over),
        true => return false,
    }
    true
}

/// The same as [`combine_rows`], with the columns of `right` side by side: they are transposed first.
#[inline(never)] // the room is made where it is wanted only
fn combine_columns<F: Base, const N: usize>(left: &Factor<'_, F>, right: &Factor<'_, F>, onto: &mut [F], over: bool) {
    let mut transposed = [<F as Base>::ZERO; N];
    let transposed = &mut transposed[..right.elements.len()];
    transpose(right.elements, right.rows, transposed);
    combine_rows(left, transposed, right.columns, onto, over);
}

/// The transpose of a matrix with so many columns: four rows at a time become four neighbours in every row.
fn transpose<F: Copy>(matrix: &[F], columns: usize, onto: &mut [F]) {
    let rows = matrix.len() / columns;
    let mut fours = matrix.chunks_exact(4 * columns);
    let mut at = 0;
    for four in &mut fours {
        let (a, b) = four.split_at(2 * columns);
        let ((a, b), (c, d)) = (a.split_at(columns), b.split_at(columns));
        for ((((onto, a), b), c), d) in onto.chunks_exact_mut(rows).zip(a).zip(b).zip(c).zip(d) {
            if let Some(onto) = onto[at..].first_chunk_mut() {
                *onto = [*a, *b, *c, *d];
            }
        }
        at += 4;
    }
    for row in fours.remainder().chunks_exact(columns) {
        onto.chunks_exact_mut(rows).zip(row).for_each(|(onto, v)| onto[at] = *v);
        at += 1;
    }
}

/// Each row of `onto` becomes, or grows by, the rows of `right`, each times an element of the same row of `left`.
fn combine_rows<F: Base>(left: &Factor<'_, F>, right: &[F], columns: usize, onto: &mut [F], over: bool) {
    let mut at = 0;
    while at < columns {
        at += match columns - at {
            8.. => strip::<F, 8>(left, right, onto, columns, at, over),
            4.. => strip::<F, 4>(left, right, onto, columns, at, over),
            2.. => strip::<F, 2>(left, right, onto, columns, at, over),
            _ => strip::<F, 1>(left, right, onto, columns, at, over),
        };
    }
}

/// The same for `C` columns from one on: `C`.
fn strip<F: Base, const C: usize>(
    left: &Factor<'_, F>,
    right: &[F],
    onto: &mut [F],
    columns: usize,
    at: usize,
    over: bool,
) -> usize {
    if columns == C {
        let rows = right.as_chunks::<C>().0;
        pairs(left, || rows.iter(), onto, columns, at, over);
    } else {
        // chunks that may be shorter, as nothing has to be divided for those
        let rows = || right[at..].chunks(columns).filter_map(|row| row.first_chunk::<C>());
        pairs(left, rows, onto, columns, at, over);
    }
    C
}

/// The same: two rows at a time.
fn pairs<'r, F: Base, const C: usize, I: Iterator<Item = &'r [F; C]>>(
    left: &Factor<'_, F>,
    rows: impl Fn() -> I,
    mut onto: &mut [F],
    columns: usize,
    at: usize,
    over: bool,
) {
    let (down, step) = (left.down(), left.step());
    let mut from = left.elements;
    while onto.len() >= 2 * columns {
        let (pair, below) = std::mem::take(&mut onto).split_at_mut(2 * columns);
        let (first, second) = pair.split_at_mut(columns);
        let (Some(first), Some(second)) = (first[at..].first_chunk_mut(), second[at..].first_chunk_mut()) else {
            return;
        };
        if step == 1 {
            let (a, b) = from.split_at(left.columns);
            tile([first, second], a.iter().zip(b).map(|(a, b)| [*a, *b]), rows(), over);
        } else {
            tile([first, second], from.chunks(step).filter_map(|v| v.first_chunk().copied()), rows(), over);
        }
        (onto, from) = (below, from.get(2 * down..).unwrap_or_default());
    }
    if let Some(last) = onto.get_mut(at..).and_then(<[F]>::first_chunk_mut) {
        tile([last], from.chunks(step).map(|v| [v[0]]), rows(), over);
    }
}

/// Parts of rows become, or grow by, those of `right`, each times a row's factor: the sums stay in registers.
#[inline(always)]
fn tile<'r, F: Base, const R: usize, const C: usize>(
    mut onto: [&mut [F; C]; R],
    factors: impl Iterator<Item = [F; R]>,
    right: impl Iterator<Item = &'r [F; C]>,
    over: bool,
) {
    let mut sums = [[<F as Base>::ZERO; C]; R];
    if !over {
        (0..R).for_each(|r| sums[r] = *onto[r]);
    }
    for (factors, row) in factors.zip(right) {
        for (sums, factor) in sums.iter_mut().zip(factors) {
            (0..C).for_each(|k| sums[k] += factor * row[k]);
        }
    }
    onto.iter_mut().zip(sums).for_each(|(onto, sums)| **onto = sums);
}

/// `onto = column · row`, if the row and the matrix lie side by side. Whether they do. (The sum that `ndarray` makes of each product begins
/// with zero.)
pub fn outer<F: Base>(column: &ArrayView1<'_, F>, row: &ArrayView1<'_, F>, onto: &mut ArrayViewMut2<'_, F>) -> bool {
    let (Some(row), Some(onto)) = (row.as_slice(), onto.as_slice_mut()) else { return false };
    if row.is_empty() {
        return true;
    }
    let (eights, rest) = row.as_chunks::<8>();
    for (v, onto) in column.iter().zip(onto.chunks_mut(row.len())) {
        let (onto, onto_rest) = onto.as_chunks_mut::<8>();
        for (to, w) in onto.iter_mut().zip(eights) {
            (0..8).for_each(|k| to[k] = <F as Base>::ZERO + *v * w[k]);
        }
        onto_rest.iter_mut().zip(rest).for_each(|(to, w)| *to = <F as Base>::ZERO + *v * *w);
    }
    true
}

/// `onto = matrix · vector`, as `ndarray` multiplies them to the last bit, if both lie side by side. Whether they do.
#[inline]
pub fn times_vector<F: Base>(
    matrix: &ArrayView2<'_, F>,
    vector: &ArrayView1<'_, F>,
    onto: &mut ArrayViewMut1<'_, F>,
) -> bool {
    let (Some(matrix), Some(vector)) = (matrix.as_slice(), vector.as_slice()) else { return false };
    if vector.is_empty() {
        return false;
    }
    for (row, onto) in matrix.chunks_exact(vector.len()).zip(onto) {
        *onto = inner_product(row, vector);
    }
    true
}

/// The inner product, in eight sums as `ndarray` makes it.
#[inline]
fn inner_product<F: Base>(a: &[F], b: &[F]) -> F {
    let mut sums = [<F as Base>::ZERO; 8];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (a, b) in a.iter().zip(b) {
        (0..8).for_each(|k| sums[k] += a[k] * b[k]);
    }
    let [a0, a1, a2, a3, a4, a5, a6, a7] = sums;
    let sum = (((a0 + a4) + (a1 + a5)) + (a2 + a6)) + (a3 + a7);
    a_rest.iter().zip(b_rest).fold(sum, |sum, (a, b)| sum + *a * *b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, Axis};

    fn matrix(rows: usize, columns: usize, seed: f64) -> Array2<f64> {
        Array2::from_shape_fn((rows, columns), |(i, j)| ((i * 7 + j * 3) as f64 * seed).sin())
    }

    fn by_definition(left: &ArrayView2<'_, f64>, right: &ArrayView2<'_, f64>) -> Array2<f64> {
        Array2::from_shape_fn((left.nrows(), right.ncols()), |(i, j)| {
            (0..left.ncols()).map(|k| left[(i, k)] * right[(k, j)]).sum()
        })
    }

    #[test]
    fn products_are_those_of_the_definition_in_every_order() {
        for (n, inner, m) in [(8, 8, 8), (3, 5, 2), (1, 4, 7), (6, 1, 2), (2, 9, 1), (9, 11, 10)] {
            let (left, right) = (matrix(n, inner, 0.7), matrix(inner, m, 0.3));
            let (left_t, right_t) =
                (left.t().as_standard_layout().to_owned(), right.t().as_standard_layout().to_owned());
            let wanted = by_definition(&left.view(), &right.view());
            for (left, right) in [
                (left.view(), right.view()),
                (left_t.t(), right.view()),
                (left.view(), right_t.t()),
                (left_t.t(), right_t.t()),
            ] {
                for over in [false, true] {
                    let (mut onto, mut onto_t) = (matrix(n, m, 0.1), matrix(m, n, 0.1));
                    let was = [&onto.view(), &onto_t.t()].map(|was| if over { 0.0 * was } else { was.to_owned() });
                    let done = [
                        product(&left, &right, &mut onto.view_mut(), over),
                        product(&left, &right, &mut onto_t.view_mut().reversed_axes(), over),
                    ];
                    assert!(done.contains(&true), "{n} {inner} {m}");
                    for ((done, onto), was) in done.into_iter().zip([onto.view(), onto_t.t()]).zip(was) {
                        let off = (&onto - &was - &wanted).mapv(f64::abs).sum();
                        assert!(!done || off < 1e-13, "{n} {inner} {m}: {off}");
                    }
                }
            }
        }
    }

    #[test]
    fn vectors_are_multiplied_as_ndarray_does() {
        for (n, m) in [(8, 8), (3, 5), (4, 17), (2, 31), (1, 1)] {
            let (a, v) = (matrix(n, m, 0.7), matrix(m, 1, 0.3).remove_axis(Axis(1)));
            let mut onto = ndarray::Array1::zeros(n);
            assert!(times_vector(&a.view(), &v.view(), &mut onto.view_mut()));
            assert_eq!(onto, a.dot(&v));
        }
    }

    #[test]
    fn products_of_one_term_are_those_of_ndarray() {
        let (column, row) = (matrix(5, 1, 0.7), matrix(1, 6, -0.3));
        let mut onto = Array2::zeros((5, 6));
        assert!(outer(&column.column(0), &row.row(0), &mut onto.view_mut()));
        assert_eq!(onto.mapv(f64::to_bits), column.dot(&row).mapv(f64::to_bits));
    }

    #[test]
    fn what_lies_apart_or_is_large_is_left_alone() {
        let (a, mut onto) = (matrix(16, 16, 0.2), Array2::zeros((16, 16)));
        assert!(!product(&a.view(), &a.view(), &mut onto.view_mut(), true));
        let (part, _) = a.view().split_at(Axis(1), 4);
        let (part, _) = part.split_at(Axis(0), 4);
        assert!(!product(&part, &part, &mut Array2::zeros((4, 4)).view_mut(), true));
        assert_eq!(onto.sum(), 0.0);
    }
}
