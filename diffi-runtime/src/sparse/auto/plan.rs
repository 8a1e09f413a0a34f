//! What preparation finds out: the pattern, the colors, and where each value is read.

use crate::error::Result;
use crate::number::float::Base;
use crate::sparse::auto::sums::Sums;
use crate::sparse::auto::values::Values;
use crate::sparse::{Coloring, ColoringAlgorithm, ColoringProblem, Pattern};
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;

/// What a sparse operator keeps between calls. It is made by the first call, for patterns can fail to be found.
pub struct Sparse<P, F>(pub(crate) Option<Plan<P, F>>);

impl<P: Recorder, F: Base> Recorder for Sparse<P, F> {
    fn kept(&self, note: &mut Note<'_>) {
        let Some(Plan { coloring, products, sums, values }) = &self.0 else { return };
        note(names::COLORING, coloring.bytes());
        products.kept(note);
        note(names::RESULTS, sums.bytes());
        values.kept(note);
    }
    fn tape_bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |plan| plan.products.tape_bytes())
    }
}

impl<P, F> Sparse<P, F> {
    /// What was made.
    pub(crate) fn plan(&self) -> &Plan<P, F> {
        self.0.as_ref().expect("preparation makes it")
    }
}

/// The colors, the memory of products, and that of their sums.
pub(crate) struct Plan<P, F> {
    pub(crate) coloring: Coloring,
    pub(crate) products: P,
    pub(crate) sums: Sums<F>,
    pub(crate) values: Values<F>,
}

/// Colors a pattern: by the first problem, or by the one that needs the fewest colors.
pub(crate) fn color(
    pattern: Pattern,
    problems: &[ColoringProblem],
    fewest: bool,
    algorithm: &impl ColoringAlgorithm,
) -> Result<Coloring> {
    let tried = if fewest { problems } else { &problems[..1] };
    let mut best: Option<Coloring> = None;
    for problem in tried {
        let colors = algorithm.colors(&pattern, *problem)?;
        let coloring = Coloring::new(pattern.clone(), *problem, algorithm.recover(), colors)?;
        if best.as_ref().is_none_or(|best| coloring.ncolors() <= best.ncolors()) {
            best = Some(coloring);
        }
    }
    Ok(best.expect("every backend colors something"))
}

/// What preparation found out.
macro_rules! shows_coloring {
    ($Prep:ident where $($bounds:tt)+) => {
        /// What preparation found out.
        impl<B, D, C, F: Function<G>, G: Signature, R: ArgRoles<G>> $Prep<F, AutoSparse<B, D, C>, G, R>
        where
            $($bounds)+
        {
            /// The colors.
            pub fn coloring(&self) -> &Coloring {
                &self.parts.state.plan().coloring
            }

            /// Where there are entries, in all blocks side by side.
            pub fn sparsity_pattern(&self) -> &Pattern {
                self.coloring().sparsity_pattern()
            }

            /// The color of each column, from 1, or 0 where a column is in no sum; empty if rows alone were colored.
            pub fn column_colors(&self) -> &[u32] {
                self.coloring().column_colors()
            }

            /// The color of each row, from 1, or 0 where a row is in no sum; empty if columns alone were colored, as they are where
            /// symmetry is used.
            pub fn row_colors(&self) -> &[u32] {
                self.coloring().row_colors()
            }

            /// How many colors there are, and so how many seeds.
            pub fn ncolors(&self) -> usize {
                self.coloring().ncolors()
            }
        }
    };
}
pub(crate) use shows_coloring;

/// The values without the matrix.
macro_rules! values_alone {
    (
        $Prep:ident: $values_into:ident, $op_into:ident, $op:literal, |$parts:ident, $at:ident, $values:ident| $body:expr;
        where $($bounds:tt)+
    ) => {
        /// The values without the matrix.
        impl<B, D, C, F: Function<G>, G: Signature, R: ArgRoles<G>> $Prep<F, AutoSparse<B, D, C>, G, R>
        where
            $($bounds)+
        {
            #[doc = concat!(
                "The values alone, in the order in which [`", $op, "`](Self::", $op, ") stores them: by columns, those of each from \
                 the first row to the last, and of several matrices one after the other."
            )]
            ///
            #[doc = concat!(
                "For solvers that keep the pattern in a form of their own. No matrix is looked at, which takes longer than the \
                 values where these are many and cheap: [`", stringify!($op_into), "`](Self::", stringify!($op_into), ") compares \
                 all of its indices."
            )]
            ///
            /// # Errors
            /// [`Error::PatternMismatch`](crate::error::Error::PatternMismatch) unless there are as many values as entries.
            pub fn $values_into<X: Args<G, R>>(&mut self, $values: &mut [G::Base], mut args: X) -> Result<AuxOf<F, G>> {
                let (Prepared { function, backend, shape, state }, mut at) = (&mut self.parts, args.at());
                if !fits::<G, R>(shape, &at) {
                    return unfit::<G, R, _>(shape, G::again(&mut at), F::PARAMETERS);
                }
                let $at = at;
                let before = before::<G, R>(&$at, false);
                let $parts = (&*function, &*backend, state);
                let result = $body.map(F::ReturnValue::aux);
                unless_resized::<G, R, _>(before, &args.at(), F::PARAMETERS, result)
            }
        }
    };
}
pub(crate) use values_alone;
