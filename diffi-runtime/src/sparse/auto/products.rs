//! Products of Jacobians with groups of columns, of rows, or both, by the strategies of dense backends.

use crate::backend::ByDirections;
use crate::backend::mixed_mode::{ByCost, MixedMode};
use crate::error::Result;
use crate::number::flag::Flag;
use crate::operators::columns::Columns;
use crate::operators::entries::{Entries, Groups, Seeding};
use crate::operators::pull::Pull;
use crate::operators::push::Push;
use crate::operators::rows::Rows;
use crate::operators::strategy::{ByPulls, ByPushes, Outputs};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::copies::Copies;
use crate::signature::function::Function;
use crate::signature::param_kinds::Signature;
use crate::sparse::ColoringProblem;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;

/// Which columns and which rows share a seed.
#[derive(Clone, Debug)]
pub struct Sides<F> {
    pub(crate) columns: Groups<F>,
    pub(crate) rows: Groups<F>,
}

/// A strategy for Jacobians that can find sums of columns, or of rows, in one go.
#[diagnostic::on_unimplemented(
    message = "`AutoSparse` cannot go around `{B}` for Jacobians [D0705]",
    label = "no sparse Jacobians from `{B}`",
    note = "it goes around `AutoForward`, `AutoReverse`, `AutoDual`, `AutoTape`, `AutoFiniteDiff`, `MixedMode(..)`; for Hessians around `AutoReverse` and `SecondOrder(..)`"
)]
pub trait ProductsBy<B, F: Function<G>, G: Signature, R: ArgRoles<G>> {
    /// What is kept between calls.
    type State: Recorder;
    /// What may be colored: first what is done by default, last what is preferred.
    const PROBLEMS: &'static [ColoringProblem];
    /// Memory for arguments of these sizes.
    fn state(b: &B, f: &F, at: &mut G::At<'_>, sides: Sides<G::Base>) -> Self::State;
    /// Calls the function once, so that later calls need no more memory.
    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()>;
    /// Finds all sums: of columns, by row and group, and of rows, by group and column. The value if `V` is on.
    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        columns: &mut impl Entries<Outputs<F, G, R>>,
        rows: &mut impl Entries<Outputs<F, G, R>>,
    ) -> Result<Option<F::ReturnValue>>;
}

/// Strategies that go one way: by which passes, what gets colors, and which of both sums they find.
macro_rules! one_way {
    ($($(#[$cfg:meta])? $Strategy:ty: $Pass:ident, $Passes:ident, $Problem:ident,
        |$columns:pat_param, $rows:pat_param| $found:ident;)+) => { $(
        $(#[$cfg])?
        impl<B: $Pass<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> ProductsBy<B, F, G, R> for $Strategy {
            type State = $Passes<B, F, G, R>;
            const PROBLEMS: &'static [ColoringProblem] = &[ColoringProblem::$Problem];

            fn state(b: &B, f: &F, at: &mut G::At<'_>, sides: Sides<G::Base>) -> Self::State {
                $Passes::seeded(b, f, at, Seeding::Groups(sides.$found))
            }

            fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
                state.warm(b, f, at).map(|_| ())
            }

            fn run<V: Flag>(
                b: &B,
                f: &F,
                at: G::At<'_>,
                state: &mut Self::State,
                $columns: &mut impl Entries<Outputs<F, G, R>>,
                $rows: &mut impl Entries<Outputs<F, G, R>>,
            ) -> Result<Option<F::ReturnValue>> {
                state.run::<V>(b, f, at, $found)
            }
        }
    )+ };
}
one_way! {
    ByPushes: Push, Columns, Column, |columns, _| columns;
    ByDirections: Push, Columns, Column, |columns, _| columns;
    #[cfg(feature = "rayon")] crate::backend::ByThreads: Push, Columns, Column, |columns, _| columns;
    ByPulls: Pull, Rows, Row, |_, rows| rows;
}

/// Both directions.
pub struct Both<C, R, O> {
    columns: Option<C>,
    rows: Option<R>,
    entry: O,
}

impl<C: Recorder, R: Recorder, O: Copies> Recorder for Both<C, R, O> {
    fn kept(&self, note: &mut Note<'_>) {
        self.columns.iter().for_each(|columns| columns.kept(note));
        self.rows.iter().for_each(|rows| rows.kept(note));
        note(names::ARGUMENTS, self.entry.bytes());
    }
    fn tape_bytes(&self) -> usize {
        let of_rows = self.rows.as_ref().map_or(0, Recorder::tape_bytes);
        self.columns.as_ref().map_or(of_rows, |columns| columns.tape_bytes().max(of_rows))
    }
}

/// A direction without a color is left out, unless both are: the function is called then all the same.
impl<P, Q, F: Function<G>, G: Signature, R: ArgRoles<G>> ProductsBy<MixedMode<P, Q>, F, G, R> for ByCost
where
    P: Push<F, G, R>,
    Q: Pull<F, G, R>,
{
    type State = Both<Columns<P, F, G, R>, Rows<Q, F, G, R>, G::Owns>;
    const PROBLEMS: &'static [ColoringProblem] =
        &[ColoringProblem::Bidirectional, ColoringProblem::Row, ColoringProblem::Column];

    fn state(b: &MixedMode<P, Q>, f: &F, at: &mut G::At<'_>, sides: Sides<G::Base>) -> Self::State {
        let rows = (sides.rows.len() > 0).then(|| Rows::seeded(&b.1, f, at, Seeding::Groups(sides.rows)));
        let columns = (sides.columns.len() > 0 || rows.is_none())
            .then(|| Columns::seeded(&b.0, f, at, Seeding::Groups(sides.columns)));
        Both { columns, rows, entry: G::Owns::default() }
    }

    fn warm(b: &MixedMode<P, Q>, f: &F, mut at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        if let Some(columns) = &mut state.columns {
            columns.warm(&b.0, f, G::again(&mut at))?;
        }
        match &mut state.rows {
            Some(rows) => rows.warm(&b.1, f, at).map(|_| ()),
            None => Ok(()),
        }
    }

    fn run<V: Flag>(
        b: &MixedMode<P, Q>,
        f: &F,
        mut at: G::At<'_>,
        state: &mut Self::State,
        columns: &mut impl Entries<Outputs<F, G, R>>,
        rows: &mut impl Entries<Outputs<F, G, R>>,
    ) -> Result<Option<F::ReturnValue>> {
        let Both { columns: forward, rows: backward, entry } = state;
        if R::IN_OUT {
            R::save_outputs(&at, entry);
        }
        let mut y = None;
        if let Some(forward) = forward {
            y = forward.run::<V>(&b.0, f, G::again(&mut at), columns)?;
        }
        if let Some(backward) = backward {
            if R::IN_OUT {
                R::restore_outputs(&mut at, entry);
            }
            y = backward.run::<V>(&b.1, f, at, rows)?.or(y);
        }
        Ok(y)
    }
}
