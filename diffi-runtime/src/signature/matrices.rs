//! Matrices as results: one bare, or a tuple of blocks.

use crate::error::{Error, Result};
use crate::number::active::Member;
use crate::number::arities::arities;
use crate::number::batch::Float;
use crate::number::hlist::{Cons, List, Nil, cons};
use ndarray::{Array2, ArrayViewMut2};
use sprs::CsMat;

/// A type of matrices that operators return.
pub trait Form {
    /// The float that it is made of.
    type Base;
    /// One that can be overwritten.
    type View<'a>
    where
        Self: 'a;
    /// All of it.
    fn whole(&mut self) -> Self::View<'_>;
}

impl<F> Form for Array2<F> {
    type Base = F;
    type View<'a>
        = ArrayViewMut2<'a, F>
    where
        F: 'a;
    fn whole(&mut self) -> ArrayViewMut2<'_, F> {
        self.view_mut()
    }
}

impl<F> Form for CsMat<F> {
    type Base = F;
    type View<'a>
        = &'a mut CsMat<F>
    where
        F: 'a;
    fn whole(&mut self) -> &mut CsMat<F> {
        self
    }
}

/// A matrix of the form `M` that can be overwritten.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold a matrix [D0604]",
    label = "not a matrix",
    note = "pass `&mut` an `ndarray::Array2`; for `AutoSparse`, `&mut` an `sprs::CsMat`"
)]
pub trait Matrix<M: Form> {
    /// The memory.
    fn view(&mut self) -> M::View<'_>;
}

impl<F> Matrix<Array2<F>> for Array2<F> {
    #[inline]
    fn view(&mut self) -> ArrayViewMut2<'_, F> {
        self.view_mut()
    }
}

impl<F> Matrix<Array2<F>> for ArrayViewMut2<'_, F> {
    #[inline]
    fn view(&mut self) -> ArrayViewMut2<'_, F> {
        self.view_mut()
    }
}

impl<F> Matrix<CsMat<F>> for CsMat<F> {
    fn view(&mut self) -> &mut CsMat<F> {
        self
    }
}

impl<N: Form, M: Matrix<N> + ?Sized> Matrix<N> for &mut M {
    #[inline]
    fn view(&mut self) -> N::View<'_> {
        M::view(self)
    }
}

/// How many matrices a call can return: one for each argument.
const MOST: usize = 12;

/// The blocks of a matrix whose columns belong to the members of `L`.
pub type Views<'a, M> = [Option<<M as Form>::View<'a>>; MOST];

/// One matrix of the form `M` for each member of a list, `&mut j`, `&mut (ja, jb)` or `(&mut ja, &mut jb)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the Jacobian [D0604]",
    label = "does not hold one matrix for each active argument",
    note = "pass `&mut jacobian`, where several arguments are active `&mut (ja, jb)` or `(&mut ja, &mut jb)`"
)]
pub trait Matrices<L: List, M: Form<Base = L::Base>> {
    /// All of them.
    fn views(&mut self) -> [Option<M::View<'_>>; 12];
    /// The one of the member `k`.
    fn view(&mut self, k: usize) -> Option<M::View<'_>>;
}

impl<P: Member + ?Sized, N: Form<Base = P::Base>, M: Matrix<N> + ?Sized> Matrices<Cons<P, Nil<P::Base>>, N> for &mut M {
    fn views(&mut self) -> Views<'_, N> {
        let mut views = [const { None }; MOST];
        views[0] = Some(M::view(self));
        views
    }
    #[inline]
    fn view(&mut self, k: usize) -> Option<N::View<'_>> {
        (k == 0).then(|| M::view(self))
    }
}

macro_rules! several {
    ([$K:ident $P:ident $X:ident $x:ident $i:tt]) => {};
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        several!(@ ($($X,)+), $($P $X $i)+);
        several!(@ &mut ($($X,)+), $($P $X $i)+);
    };
    (@ $Tuple:ty, $($P:ident $X:ident $i:tt)+) => {
        impl<F: Float, N: Form<Base = F>, $($P: Member<Base = F> + ?Sized, $X: Matrix<N>),+> Matrices<cons!(F; $($P)+), N> for $Tuple {
            fn views(&mut self) -> Views<'_, N> {
                let mut views = [const { None }; MOST];
                $(views[$i] = Some(self.$i.view());)+
                views
            }
            #[inline]
            fn view(&mut self, k: usize) -> Option<N::View<'_>> {
                match k {
                    $($i => Some(self.$i.view()),)+
                    _ => None,
                }
            }
        }
    };
}
arities!(several);

/// Whether a matrix has these sizes.
#[inline]
pub(crate) fn check<F>(matrix: &ArrayViewMut2<'_, F>, rows: usize, columns: usize) -> Result<()> {
    if matrix.dim() == (rows, columns) { Ok(()) } else { Err(mismatch((rows, columns), matrix.dim())) }
}

#[cold]
fn mismatch((rows, columns): (usize, usize), found: (usize, usize)) -> Error {
    Error::BufferMismatch { expected: format!("{rows}x{columns}"), found: format!("{}x{}", found.0, found.1) }
}

/// Makes a square matrix symmetric: what is below the diagonal is also above it.
pub(crate) fn mirror<F: Copy>(matrix: &mut ArrayViewMut2<'_, F>) {
    for row in 0..matrix.nrows() {
        (0..row).for_each(|column| matrix[[column, row]] = matrix[[row, column]]);
    }
}
