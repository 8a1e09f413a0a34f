//! Two arrays of one shape, row by row, where the rows of both lie side by side and the arrays do not.

use ndarray::{ArrayView, ArrayViewMut, Dimension, Zip};

/// Calls `f` on each element and the one of the other array that has its place.
///
/// ndarray walks with strides that are known at run time, so that LLVM makes no use of vector units; along rows it can.
pub fn row_by_row<A, B, D: Dimension>(
    mut to: ArrayViewMut<'_, A, D>,
    from: ArrayView<'_, B, D>,
    f: impl Fn(&mut A, &B),
) {
    if to.is_empty() {
        return; // what stands for no elements may have another shape
    }
    let side_by_side = |strides: &[isize]| strides.len() > 1 && strides.last() == Some(&1);
    let whole = to.is_standard_layout() && from.is_standard_layout();
    if whole || !side_by_side(to.strides()) || !side_by_side(from.strides()) {
        return Zip::from(to).and(from).for_each(f);
    }
    for (mut to, from) in to.rows_mut().into_iter().zip(from.rows()) {
        let pair = to.as_slice_mut().zip(from.as_slice());
        let (to, from) = pair.expect("rows whose elements lie side by side");
        to.iter_mut().zip(from).for_each(|(to, from)| f(to, from));
    }
}

#[cfg(test)]
mod tests {
    use super::row_by_row;
    use ndarray::{Array3, Slice};

    #[test]
    fn every_element_meets_its_partner() {
        let from = Array3::from_shape_fn((3, 4, 5), |(i, j, k)| (100 * i + 10 * j + k) as f64);
        let all = Slice::from(..);
        let parts = [
            [all, all, all],
            [Slice::from(1..), Slice::from(..2), Slice::from(1..4)],
            [Slice::new(0, None, 2), Slice::new(0, None, -1), Slice::new(0, None, 2)],
            [all, Slice::from(1..3), Slice::new(0, None, -1)],
            [Slice::from(..0), all, all],
        ];
        for part in parts {
            let mut to = Array3::from_elem((3, 4, 5), 0.5);
            let mut expected = to.clone();
            let from = from.slice_each_axis(|axis| part[axis.axis.index()]);
            row_by_row(to.slice_each_axis_mut(|axis| part[axis.axis.index()]), from.view(), |to, v| *to += v);
            expected.slice_each_axis_mut(|axis| part[axis.axis.index()]).zip_mut_with(&from, |to, v| *to += v);
            assert_eq!(to, expected, "{part:?}");
        }
    }
}
