//! Arrays and views of floats, and their shadows, as views.

use crate::number::active::{Active, Place};
use crate::number::batch::Float;
use crate::number::linear_space::{LinearSpace, small};
use crate::number::real::Real;
use ndarray::linalg::{general_mat_mul, general_mat_vec_mul};
use ndarray::{Array, ArrayView, ArrayView1, ArrayView2, ArrayViewMut, ArrayViewMut1, ArrayViewMut2, Dimension};

/// A float whose shadow is one element of the linear space: what is known of `f32` and `f64`, said of all.
pub trait Number: Float + Real<Base = Self> {
    /// The shadow.
    fn shadow<A: LinearSpace<Self>>(v: A) -> <Self as Active>::Tangent<A>;
    /// The element.
    fn number<A: LinearSpace<Self>>(t: &<Self as Active>::Tangent<A>) -> A;
    /// The element where it is.
    fn number_ref<A: LinearSpace<Self>>(t: &<Self as Active>::Tangent<A>) -> &A;
    /// The element, to be changed.
    fn number_mut<A: LinearSpace<Self>>(t: &mut <Self as Active>::Tangent<A>) -> &mut A;
    /// A vector of shadows.
    fn vec<A: LinearSpace<Self>>(v: Vec<A>) -> Vec<<Self as Active>::Tangent<A>>;
    /// The elements of a vector of shadows.
    fn numbers<A: LinearSpace<Self>>(t: &[<Self as Active>::Tangent<A>]) -> &[A];
    /// The elements of a vector of shadows, to be changed.
    fn numbers_mut<A: LinearSpace<Self>>(t: &mut [<Self as Active>::Tangent<A>]) -> &mut [A];
    /// A vector of shadows as one of elements, to be replaced.
    fn all_numbers<A: LinearSpace<Self>>(t: &mut Vec<<Self as Active>::Tangent<A>>) -> &mut Vec<A>;
    /// An array of shadows.
    fn array<A: LinearSpace<Self>, D: Dimension>(v: Array<A, D>) -> Array<<Self as Active>::Tangent<A>, D>;
    /// The elements of an array of shadows.
    fn view<A: LinearSpace<Self>, D: Dimension>(t: &Array<<Self as Active>::Tangent<A>, D>) -> ArrayView<'_, A, D>;
    /// An array of shadows as one of elements, to be replaced.
    fn elements<A: LinearSpace<Self>, D: Dimension>(t: &mut Array<<Self as Active>::Tangent<A>, D>)
    -> &mut Array<A, D>;
    /// `onto = left · right`, as `ndarray` multiplies matrices, whatever their shapes.
    fn matrix_product(left: ArrayView2<'_, Self>, right: ArrayView2<'_, Self>, onto: ArrayViewMut2<'_, Self>);
    /// `onto = matrix · vector`, likewise.
    fn vector_product(matrix: ArrayView2<'_, Self>, vector: ArrayView1<'_, Self>, onto: ArrayViewMut1<'_, Self>);
    /// `1 / self`, if that is exact: for powers of two.
    fn inverse(self) -> Option<Self>;
    /// The inner product, likewise.
    fn inner_product(left: ArrayView1<'_, Self>, right: ArrayView1<'_, Self>) -> Self;
    /// The elements of an array of shadows, to be changed.
    fn view_mut<A: LinearSpace<Self>, D: Dimension>(
        t: &mut Array<<Self as Active>::Tangent<A>, D>,
    ) -> ArrayViewMut<'_, A, D>;
}

macro_rules! number {
    ($($F:ident)+) => { $(
        impl Number for $F {
            #[inline]
            fn shadow<A: LinearSpace<$F>>(v: A) -> A {
                v
            }
            #[inline]
            fn number<A: LinearSpace<$F>>(t: &A) -> A {
                *t
            }
            #[inline]
            fn number_ref<A: LinearSpace<$F>>(t: &A) -> &A {
                t
            }
            #[inline]
            fn number_mut<A: LinearSpace<$F>>(t: &mut A) -> &mut A {
                t
            }
            #[inline]
            fn vec<A: LinearSpace<$F>>(v: Vec<A>) -> Vec<A> {
                v
            }
            #[inline]
            fn numbers<A: LinearSpace<$F>>(t: &[A]) -> &[A] {
                t
            }
            #[inline]
            fn numbers_mut<A: LinearSpace<$F>>(t: &mut [A]) -> &mut [A] {
                t
            }
            #[inline]
            fn all_numbers<A: LinearSpace<$F>>(t: &mut Vec<A>) -> &mut Vec<A> {
                t
            }
            #[inline]
            fn array<A: LinearSpace<$F>, D: Dimension>(v: Array<A, D>) -> Array<A, D> {
                v
            }
            #[inline]
            fn view<A: LinearSpace<$F>, D: Dimension>(t: &Array<A, D>) -> ArrayView<'_, A, D> {
                t.view()
            }
            #[inline]
            fn elements<A: LinearSpace<$F>, D: Dimension>(t: &mut Array<A, D>) -> &mut Array<A, D> {
                t
            }
            #[inline]
            fn matrix_product(left: ArrayView2<'_, $F>, right: ArrayView2<'_, $F>, mut onto: ArrayViewMut2<'_, $F>) {
                if left.ncols() != 1 || !small::outer(&left.column(0), &right.row(0), &mut onto) {
                    general_mat_mul(1.0, &left, &right, 0.0, &mut onto);
                }
            }
            #[inline]
            fn vector_product(
                matrix: ArrayView2<'_, $F>,
                vector: ArrayView1<'_, $F>,
                mut onto: ArrayViewMut1<'_, $F>,
            ) {
                if !small::times_vector(&matrix, &vector, &mut onto) {
                    general_mat_vec_mul(1.0, &matrix, &vector, 0.0, &mut onto);
                }
            }
            #[inline]
            fn inverse(self) -> Option<$F> {
                let (power, inverse) = (self.to_bits().trailing_zeros() >= <$F>::MANTISSA_DIGITS - 1, 1.0 / self);
                (power && self.is_normal() && inverse.is_normal()).then_some(inverse)
            }
            #[inline]
            fn inner_product(left: ArrayView1<'_, $F>, right: ArrayView1<'_, $F>) -> $F {
                left.dot(&right)
            }
            #[inline]
            fn view_mut<A: LinearSpace<$F>, D: Dimension>(t: &mut Array<A, D>) -> ArrayViewMut<'_, A, D> {
                t.view_mut()
            }
        }
    )+ };
}
number!(f32 f64);

/// An array or a view of floats.
#[diagnostic::on_unimplemented(
    message = "diffi does not know the derivative of an operation on `{Self}` [D0810]",
    label = "the operands carry derivatives",
    note = "put `#[differentiable]` on the `impl` of the operator, or work on the elements"
)]
pub trait Grid: Place<Base = Self::Elem> {
    /// The float.
    type Elem: Number;
    /// How many axes.
    type Dim: Dimension + 'static;

    /// The values.
    fn grid(&self) -> ArrayView<'_, Self::Elem, Self::Dim>;
    /// The shadow.
    fn shadow<A: LinearSpace<Self::Elem>>(shadow: &Self::Shadow<A>) -> ArrayView<'_, A, Self::Dim>;
    /// The shadow, to be changed.
    fn shadow_mut<A: LinearSpace<Self::Elem>>(shadow: &mut Self::Shadow<A>) -> ArrayViewMut<'_, A, Self::Dim>;
    /// The shadow, to be replaced.
    fn whole_shadow<A: LinearSpace<Self::Elem>>(shadow: &mut Self::Shadow<A>) -> &mut Array<A, Self::Dim>;
}

/// A grid that can be written to.
pub trait GridMut: Grid {
    /// The values, to be changed.
    fn grid_mut(&mut self) -> ArrayViewMut<'_, Self::Elem, Self::Dim>;
}

macro_rules! grid {
    ($([$($life:lifetime)?] $array:ident;)+) => { $(
        impl<$($life,)? F: Number, D: Dimension + 'static> Grid for $array<$($life,)? F, D> {
            type Elem = F;
            type Dim = D;
            #[inline]
            fn grid(&self) -> ArrayView<'_, F, D> {
                self.view()
            }
            #[inline]
            fn shadow<A: LinearSpace<F>>(shadow: &Self::Shadow<A>) -> ArrayView<'_, A, D> {
                F::view(shadow)
            }
            #[inline]
            fn shadow_mut<A: LinearSpace<F>>(shadow: &mut Self::Shadow<A>) -> ArrayViewMut<'_, A, D> {
                F::view_mut(shadow)
            }
            #[inline]
            fn whole_shadow<A: LinearSpace<F>>(shadow: &mut Self::Shadow<A>) -> &mut Array<A, D> {
                F::elements(shadow)
            }
        }
    )+ };
}
grid! {
    [] Array;
    ['a] ArrayView;
}

impl<F: Number, D: Dimension + 'static> GridMut for Array<F, D> {
    #[inline]
    fn grid_mut(&mut self) -> ArrayViewMut<'_, F, D> {
        self.view_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn the_inverse_of_a_power_of_two_is_exact_and_no_other_is_taken() {
        for (v, inverse) in [(4.0, 0.25), (-0.5, -2.0), (1.0, 1.0), (f64::MIN_POSITIVE, 2f64.powi(1022))] {
            assert_eq!(Number::inverse(v), Some(inverse));
        }
        for v in [3.0, 1.5, 0.0, -0.0, f64::INFINITY, f64::NAN, 5e-324, 2f64.powi(1023)] {
            assert_eq!(Number::inverse(v), None, "{v}");
        }
        assert_eq!([Number::inverse(8.0f32), Number::inverse(0.1f32)], [Some(0.125), None]);
    }
}
