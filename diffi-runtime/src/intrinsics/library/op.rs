//! The operations, as values: what they hold carries no derivative.

use ndarray::Axis;
use std::marker::PhantomData;

/// A conversion into a user's type, by one of its `impl From`.
#[derive(Debug)]
pub struct Into<Y>(PhantomData<fn() -> Y>);

impl<Y> Into<Y> {
    /// The operation.
    pub const NEW: Self = Into(PhantomData);
}

impl<Y> Clone for Into<Y> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Y> Copy for Into<Y> {}

macro_rules! operations {
    ($($(#[$doc:meta])+ $name:ident $(($($field:ty),+))?;)+) => { $(
        $(#[$doc])+
        #[derive(Clone, Copy, Debug)]
        pub struct $name $(($(pub $field),+))?;
    )+ };
}

operations! {
    /// `a + b`.
    Add;
    /// `a - b`.
    Sub;
    /// `a * b`.
    Mul;
    /// `a / b`.
    Div;
    /// `-a`.
    Neg;
    /// The inner product, or the matrix product.
    Dot;
    /// An array as it is.
    Plain;
    /// The transpose.
    Transpose;
    /// The sum of all elements.
    Sum;
    /// The mean of all elements.
    Mean;
    /// The sums along an axis.
    SumAxis(Axis);
    /// The means along an axis.
    MeanAxis(Axis);
    /// A copy.
    Owned;
    /// A copy that calls see as a view.
    Shown;
    /// The elements in logical order.
    Flat;
    /// One row.
    Row(usize);
    /// One column.
    Column(usize);
    /// Rows that follow each other: the first, and how many.
    Rows(usize, usize);
    /// Columns that follow each other.
    Columns(usize, usize);
    /// Rows and columns that follow each other: the first ones, and how many.
    Block((usize, usize), (usize, usize));
    /// The sums of the columns, as a row.
    RowSum;
    /// The sums of the rows, as a column.
    ColumnSum;
    /// What lies at one index of an axis.
    At(Axis, usize);
    /// The k-th of the one-dimensional parts along an axis.
    Lane(Axis, usize);
    /// The main diagonal.
    Diagonal;
    /// The matrix with this diagonal.
    FromDiagonal;
    /// One more axis, of length 1.
    InsertAxis(Axis);
    /// Without an axis of length 1.
    RemoveAxis(Axis);
    /// Two axes in each other's place.
    SwapAxes(usize, usize);
    /// The elements in logical order, as an array of one axis.
    Flatten;
    /// A part along an axis.
    SliceAxis(Axis, ndarray::Slice);
    /// The lower triangle, up to this diagonal.
    Lower(isize);
    /// The upper triangle, from this diagonal on.
    Upper(isize);
    /// Differences of neighbours along an axis, made so many times.
    Differences(usize, Axis);
    /// Either of two values, of which a trace does not know which it is.
    Either;
    /// The products of the elements.
    ComponentMul;
    /// The quotients of the elements.
    ComponentDiv;
    /// The Kronecker product.
    Kronecker;
    /// The cross product.
    Cross;
    /// The solution of a linear system.
    Solve;
    /// The determinant.
    Determinant;
    /// The logarithm of the determinant's absolute value.
    LogDeterminant;
    /// The lower factor of a positive definite matrix.
    Cholesky;
    /// The solution of a linear system, of whose matrix this is the lower factor.
    CholeskySolve;
    /// The logarithm of the determinant of a matrix, of which this is the lower factor.
    CholeskyLogDeterminant;
    /// One behind the other.
    Concatenate(Axis);
    /// `a += b`.
    AddAssign;
    /// `a -= b`.
    SubAssign;
    /// `a *= b` of a user's type.
    MulAssign;
    /// `a /= b` of a user's type.
    DivAssign;
    /// `a = b`, element by element.
    Assign;
}

/// The product of two arrays through views.
#[derive(Clone, Copy, Debug)]
pub struct DotOf<L, R>(pub L, pub R);

/// The part that `slice` names.
#[derive(Clone, Copy, Debug)]
pub struct Slice<I>(pub I);

/// So many rows that follow each other: the first.
#[derive(Clone, Copy, Debug)]
pub struct FixedRows<const N: usize>(pub usize);

/// So many columns that follow each other: the first.
#[derive(Clone, Copy, Debug)]
pub struct FixedColumns<const N: usize>(pub usize);

/// So many rows and columns that follow each other: the first ones.
#[derive(Clone, Copy, Debug)]
pub struct FixedBlock<const M: usize, const N: usize>(pub usize, pub usize);

/// The axes in another order.
#[derive(Clone, Copy, Debug)]
pub struct Permute<P>(pub P);

/// The parts at these indices of an axis.
#[derive(Clone, Copy, Debug)]
pub struct Select<I>(pub Axis, pub I);

/// The same elements as often as this shape has room for them.
#[derive(Clone, Copy, Debug)]
pub struct Broadcast<D>(pub D);

/// The same array, whose number of axes is known as that of `D`.
#[derive(Debug)]
pub struct OfDimension<D>(pub PhantomData<D>);

impl<D> Clone for OfDimension<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for OfDimension<D> {}

/// Elements in logical order as an array of this shape.
#[derive(Clone, Copy, Debug)]
pub struct Shaped<D>(pub D);

/// The same elements in another shape.
#[derive(Clone, Copy, Debug)]
pub struct Reshape<D>(pub D);

/// One number everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Filled<D>(pub D);

/// `a += factor * b`.
#[derive(Clone, Copy, Debug)]
pub struct AddScaled<F>(pub F);

/// Writes a part that one of the other operations reads.
#[derive(Clone, Copy, Debug)]
pub struct Set<P>(pub P);

#[cfg(feature = "num-complex")]
operations! {
    /// The complex conjugate.
    Conj;
    /// `1 / z`.
    Inv;
    /// The absolute value of a complex number.
    Norm;
    /// Its square.
    NormSqr;
    /// The angle of a complex number.
    Arg;
    /// The exponential function.
    Exp;
    /// The natural logarithm.
    Ln;
    /// The square root.
    Sqrt;
    /// A power with an integer exponent.
    Powi(i32);
    /// A power with an exponent that is not negative.
    Powu(u32);
    /// A power with a real exponent.
    Powf;
    /// A power with a complex exponent.
    Powc;
    /// The sine.
    Sin;
    /// The cosine.
    Cos;
    /// The tangent.
    Tan;
    /// The hyperbolic sine.
    Sinh;
    /// The hyperbolic cosine.
    Cosh;
    /// The hyperbolic tangent.
    Tanh;
    /// The inverse of the sine.
    Asin;
    /// The inverse of the cosine.
    Acos;
    /// The inverse of the tangent.
    Atan;
    /// The inverse of the hyperbolic sine.
    Asinh;
    /// The inverse of the hyperbolic cosine.
    Acosh;
    /// The inverse of the hyperbolic tangent.
    Atanh;
    /// A power of two.
    Exp2;
    /// The logarithm to base 2.
    Log2;
    /// The logarithm to base 10.
    Log10;
    /// `z t` with a real `t`.
    Scale;
    /// `z / t` with a real `t`.
    Unscale;
    /// The complex number of these parts.
    New;
    /// The complex number of this absolute value and angle.
    FromPolar;
    /// The complex number of absolute value 1 and this angle.
    Cis;
    /// A real number as a complex one.
    Whole;
}
