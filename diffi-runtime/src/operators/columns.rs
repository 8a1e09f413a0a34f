//! Jacobians column by column, or by sums of columns: one pass with tangents for every chunk of them.

use super::entries::{Chunk, Eight, Entries, Four, Seeding, Two, chunk, pick, size};
use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::Flag;
use crate::number::hlist::List;
use crate::operators::push::Push;
use crate::operators::strategy::{Outputs, Pass};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::copies::Copies;
use crate::signature::function::Function;
use crate::signature::param_kinds::Signature;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use std::ops::Range;

type Base<G> = <G as Signature>::Base;
type Works<B, F, G, R> = Chunk<
    <B as Push<F, G, R>>::Work<Base<G>>,
    <B as Push<F, G, R>>::Work<Two<Base<G>>>,
    <B as Push<F, G, R>>::Work<Four<Base<G>>>,
    <B as Push<F, G, R>>::Work<Eight<Base<G>>>,
>;

/// The vectors that passes take together.
pub struct Vectors<'v, G: Signature> {
    pub(crate) seeding: &'v Seeding<G::Base>,
    /// How many there are.
    pub(crate) n: usize,
    /// Which of them the passes take.
    pub(crate) range: Range<usize>,
    /// Whether the seeds of a single pass are where the last call left them.
    pub(crate) seeded: &'v mut bool,
    /// The outputs as they were before the first pass.
    pub(crate) entry: &'v mut G::Owns,
}

/// The memory of passes with tangents.
pub struct Columns<B: Push<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> {
    n: usize,
    seeding: Seeding<Base<G>>,
    /// Whether the seeds of a single pass are where the last call left them.
    seeded: bool,
    work: Works<B, F, G, R>,
    entry: G::Owns,
}

impl<B: Push<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> Recorder for Columns<B, F, G, R> {
    fn kept(&self, note: &mut Note<'_>) {
        self.seeding.kept(note);
        self.work.kept(note);
        note(names::ARGUMENTS, self.entry.bytes());
    }
    fn tape_bytes(&self) -> usize {
        self.work.tape_bytes()
    }
}

impl<B: Push<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> Columns<B, F, G, R> {
    /// For arguments of these sizes.
    pub fn new(b: &B, f: &F, at: &G::At<'_>) -> Self {
        Columns::seeded(b, f, at, Seeding::Basis)
    }

    /// For arguments of these sizes, and the products with these vectors.
    pub(crate) fn seeded(b: &B, f: &F, at: &G::At<'_>, seeding: Seeding<Base<G>>) -> Self {
        let n = seeding.len(size::<G, R>(at));
        let work = pick!(seeding.batch(b, n), R::In, b.work(f, at));
        Columns { n, seeding, seeded: false, work, entry: G::Owns::default() }
    }

    /// How many columns there are, or sums of them.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Calls the function once, so that later runs need no more memory. Gives the number of outputs.
    pub fn warm(&mut self, b: &B, f: &F, at: G::At<'_>) -> Result<usize> {
        Ok(chunk!(&mut self.work, R::In, work => b.warm(f, at, work)))
    }

    /// Finds all entries. The value if `V` is on.
    pub fn run<V: Flag>(
        &mut self,
        b: &B,
        f: &F,
        at: G::At<'_>,
        entries: &mut impl Entries<Outputs<F, G, R>>,
    ) -> Result<Option<F::ReturnValue>> {
        let Columns { n, seeding, seeded, work, entry } = self;
        let vectors = Vectors { seeding, n: *n, range: 0..*n, seeded, entry };
        chunk!(work, R::In, work => Push::<F, G, R>::pushes::<V, _>(b, f, at, vectors, work, entries))
    }
}

/// Pass after pass.
pub(crate) fn passes<V: Flag, A: Lanes<G::Base>, B: Push<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>>(
    b: &B,
    f: &F,
    mut at: G::At<'_>,
    Vectors { seeding, n, range, seeded, entry }: Vectors<'_, G>,
    work: &mut B::Work<A>,
    entries: &mut impl Entries<Outputs<F, G, R>>,
) -> Result<Option<F::ReturnValue>> {
    if R::IN_OUT {
        R::save_outputs(&at, entry);
    }
    let mut y = None;
    let batch = seeding.batch(b, n).min(A::LANES);
    for start in (range.start..range.end.max(range.start + 1)).step_by(batch) {
        let columns = start..range.end.min(start + batch);
        let first = start == range.start;
        if R::IN_OUT && !first {
            R::restore_outputs(&mut at, entry);
        }
        if !(*seeded && n <= batch && B::KEEPS_TANGENTS && !R::IN_OUT) {
            seeding.put::<R::In, A>(b.tangents(&at, work), columns.clone());
            *seeded = true;
        }
        let (value, ()) = b.push(f, G::again(&mut at), Pass { first, value: V::ON }, work, |_, mut y_dot| {
            if first {
                entries.open(<Outputs<F, G, R>>::again(&mut y_dot))?;
            }
            if let Some(rows) = <Outputs<F, G, R>>::side_by_side(&y_dot) {
                entries.rows(rows, columns.clone());
                return Ok(());
            }
            let mut row = 0;
            <Outputs<F, G, R>>::each(y_dot, &mut |a| {
                entries.lanes(row, columns.clone(), a);
                row += 1;
            });
            Ok(())
        })?;
        y = y.or(value);
    }
    Ok(y)
}
