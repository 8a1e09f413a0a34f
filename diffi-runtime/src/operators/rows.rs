//! Jacobians row by row, or by sums of rows: one pass with cotangents for every chunk of them.

use super::entries::{Chunk, Eight, Entries, Four, Seeding, Two, chunk, count, pick};
use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::{Flag, On};
use crate::number::hlist::List;
use crate::number::sizes;
use crate::operators::pull::Pull;
use crate::operators::strategy::Outputs;
use crate::signature::arg_roles::ArgRoles;
use crate::signature::copies::Copies;
use crate::signature::function::{Function, ReturnValue};
use crate::signature::param_kinds::Signature;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use std::ops::Range;

type Base<G> = <G as Signature>::Base;

/// The memory of passes with cotangents in `A`.
pub struct Row<A: Lanes<Base<G>>, B: Pull<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> {
    x_bar: <R::In as List>::Stores<A>,
    work: B::Work<A>,
}

/// The vectors that passes take together.
pub struct Vectors<'v, G: Signature> {
    pub(crate) seeding: &'v Seeding<Base<G>>,
    /// The first that passes take, and from which on no pass starts.
    pub(crate) range: Range<usize>,
    /// Whether the entries are open.
    pub(crate) opened: bool,
    /// The outputs as they were before the first pass.
    pub(crate) entry: &'v mut G::Owns,
}

type Works<B, F, G, R> = Chunk<
    Row<Base<G>, B, F, G, R>,
    Row<Two<Base<G>>, B, F, G, R>,
    Row<Four<Base<G>>, B, F, G, R>,
    Row<Eight<Base<G>>, B, F, G, R>,
>;

/// The memory of passes with cotangents.
pub struct Rows<B: Pull<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> {
    seeding: Seeding<Base<G>>,
    work: Works<B, F, G, R>,
    entry: G::Owns,
}

impl<A: Lanes<Base<G>>, B: Pull<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> Recorder
    for Row<A, B, F, G, R>
{
    fn kept(&self, note: &mut Note<'_>) {
        self.work.kept(note);
        note(names::RESULTS, sizes::shadow::<A>(&self.x_bar));
    }
    fn tape_bytes(&self) -> usize {
        self.work.tape_bytes()
    }
}

impl<B: Pull<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> Recorder for Rows<B, F, G, R> {
    fn kept(&self, note: &mut Note<'_>) {
        self.seeding.kept(note);
        self.work.kept(note);
        note(names::ARGUMENTS, self.entry.bytes());
    }
    fn tape_bytes(&self) -> usize {
        self.work.tape_bytes()
    }
}

impl<B: Pull<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> Rows<B, F, G, R> {
    /// For arguments of these sizes, and as many outputs as their types tell.
    pub fn new(b: &B, f: &F, at: &G::At<'_>) -> Self {
        Rows::seeded(b, f, at, Seeding::Basis)
    }

    /// For arguments of these sizes, and the products with these vectors.
    pub(crate) fn seeded(b: &B, f: &F, at: &G::At<'_>, seeding: Seeding<Base<G>>) -> Self {
        let rows = match &seeding {
            Seeding::Basis => outputs::<F, G, R>(at).unwrap_or(usize::MAX),
            groups => groups.len(0),
        };
        let work = pick!(seeding.batch(b, rows), Outputs<F, G, R>, Row::new(b, f, at));
        Rows { seeding, work, entry: G::Owns::default() }
    }

    /// Runs a pass, so that later runs need no more memory. Gives the number of outputs.
    pub fn warm(&mut self, b: &B, f: &F, at: G::At<'_>) -> Result<usize> {
        chunk!(&mut self.work, Outputs<F, G, R>, work => work.warm(b, f, at))
    }

    /// Finds all entries.
    pub fn run<V: Flag>(
        &mut self,
        b: &B,
        f: &F,
        at: G::At<'_>,
        entries: &mut impl Entries<Outputs<F, G, R>>,
    ) -> Result<Option<F::ReturnValue>> {
        let Rows { seeding, work, entry } = self;
        let vectors = Vectors { seeding, range: 0..usize::MAX, opened: false, entry };
        chunk!(work, Outputs<F, G, R>, row => {
            let (x_bar, work) = (&mut row.x_bar, &mut row.work);
            Pull::<F, G, R>::pulls::<V, _>(b, f, at, vectors, (x_bar, work), entries)
        })
    }
}

/// How many outputs there are, if that is known without a call.
pub(crate) fn outputs<F: Function<G>, G: Signature, R: ArgRoles<G>>(at: &G::At<'_>) -> Option<usize> {
    F::ReturnValue::FIXED.then(|| {
        let mut y_bar = F::ReturnValue::stores::<R::Outs, Base<G>>(F::ReturnValue::empty(), R::zero_outputs(at));
        count::<Outputs<F, G, R>, Base<G>>(<Outputs<F, G, R>>::muts(&mut y_bar))
    })
}

impl<A: Lanes<Base<G>>, B: Pull<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> Row<A, B, F, G, R> {
    fn new(b: &B, f: &F, at: &G::At<'_>) -> Self {
        Row { x_bar: R::zero_inputs(at), work: b.work(f, at) }
    }

    fn warm(&mut self, b: &B, f: &F, at: G::At<'_>) -> Result<usize> {
        let mut outputs = 0;
        b.pull::<A, On>(f, at, R::In::muts(&mut self.x_bar), &mut self.work, |y_bar| {
            outputs = count::<Outputs<F, G, R>, A>(y_bar);
            Ok(())
        })?;
        Ok(outputs)
    }
}

/// Pass after pass. How many vectors there are comes with the value.
pub(crate) fn passes<V: Flag, A: Lanes<Base<G>>, B: Pull<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>>(
    b: &B,
    f: &F,
    mut at: G::At<'_>,
    Vectors { seeding, range: Range { start, end }, opened, entry }: Vectors<'_, G>,
    (bars, work): (&mut <R::In as List>::Stores<A>, &mut B::Work<A>),
    entries: &mut impl Entries<Outputs<F, G, R>>,
) -> Result<(Option<F::ReturnValue>, usize)> {
    if R::IN_OUT {
        R::save_outputs(&at, entry);
    }
    let (mut y, mut m, mut rows) = (None, 0, start..start);
    while rows.start == start || rows.start < end.min(m) {
        let first = rows.start == start;
        if R::IN_OUT && !first {
            R::restore_outputs(&mut at, entry);
        }
        let x_bar = R::In::muts(bars);
        let value = b.pull::<A, V>(f, G::again(&mut at), x_bar, work, |mut y_bar| {
            if first {
                m = seeding.len(count::<Outputs<F, G, R>, A>(<Outputs<F, G, R>>::again(&mut y_bar)));
                if !opened {
                    entries.open(<Outputs<F, G, R>>::again(&mut y_bar))?;
                }
            }
            rows.end = m.min(rows.start + seeding.batch(b, m).min(A::LANES));
            seeding.put::<Outputs<F, G, R>, A>(y_bar, rows.clone());
            Ok(())
        })?;
        y = y.or(value);
        let mut column = 0;
        R::In::pieces(R::In::muts(bars), &mut |piece: &[A]| {
            entries.columns(rows.clone(), column, piece);
            column += piece.len();
        });
        rows.start = rows.end.max(start + 1);
    }
    Ok((y, m))
}
