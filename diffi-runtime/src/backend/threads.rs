//! `AutoThreads`: the passes of another backend on several threads.

use crate::backend::second_order::Generated;
use crate::backend::{AutoFiniteDiff, AutoForward, AutoReverse};
use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::{Flag, Off};
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::sizes;
use crate::number::width::One;
use crate::operators::columns::Vectors;
use crate::operators::entries::{Entries, Products, Seeding};
use crate::operators::pull::Pull;
use crate::operators::push::Push;
use crate::operators::pushforward::Target;
use crate::operators::rows::outputs;
use crate::operators::second_order::{CurvatureBy, SecondBy};
use crate::operators::strategy::{Backend, Inputs, Outputs, Pass, Results};
use crate::operators::{Dense, columns, hessian, rows};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::copies::Copies;
use crate::signature::function::{DerivativeCode, Function};
use crate::signature::param_kinds::Signature;
use crate::signature::thread_args::ThreadSignature;
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use std::ops::Range;

/// Another backend's Jacobians and Hessians, dense and sparse, with passes on several threads: batches of tangents or cotangents go to the
/// threads of rayon. Everything else is as with that backend, on one thread.
///
/// Batches are those of the backend alone, and no thread's depend on others: no bit of the result does on how many threads there are. The
/// function has to be `Sync`, and what is passed, too; of arguments that are written each thread has a copy. Prepared objects hold the
/// memory of a pass for each thread that there was.
///
/// ```
/// # use diffi_runtime as diffi;
/// use diffi::backend::{AutoFiniteDiff, AutoThreads};
/// use diffi::operators::jacobian::jacobian;
///
/// let squares = |x: &[f64]| x.iter().map(|v| v * v).collect::<Vec<f64>>();
/// let x: Vec<f64> = (0..20).map(f64::from).collect();
/// let threads = jacobian(squares, AutoThreads(AutoFiniteDiff), &x)?;
/// assert_eq!(threads, jacobian(squares, AutoFiniteDiff, &x)?);
/// # Ok::<(), diffi::error::Error>(())
/// ```
///
/// Worth it where a batch takes longer than some ten microseconds. With more than one thread, rayon may allocate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AutoThreads<B>(pub B);

/// Strategy for second derivatives: another one's passes, on several threads.
#[derive(Clone, Copy, Debug)]
pub struct Spread<S>(S);

impl<S: Dense> Dense for Spread<S> {}

/// The memory of a backend's passes on the caller's thread, and on others.
pub struct Crew<W, M, G: Signature> {
    own: W,
    /// The caller's copies of arguments that are written.
    owns: G::Owns,
    others: Vec<Member<M, G>>,
}

/// What another thread has.
struct Member<M, G: Signature> {
    work: M,
    owns: G::Owns,
    entry: G::Owns,
    found: Found<G::Base>,
    done: Result<()>,
}

impl<W: Recorder, M: Recorder, G: Signature> Recorder for Crew<W, M, G> {
    fn kept(&self, note: &mut Note<'_>) {
        self.own.kept(note);
        note(names::ARGUMENTS, self.owns.bytes());
        note(names::WORKSPACE, memory_report::vector(&self.others));
        for Member { work, owns, entry, found, .. } in &self.others {
            work.kept(note);
            note(names::ARGUMENTS, owns.bytes() + entry.bytes());
            note(names::RESULTS, memory_report::vector(&found.pieces) + memory_report::vector(&found.values));
        }
    }
    fn tape_bytes(&self) -> usize {
        self.others.iter().map(|member| member.work.tape_bytes()).sum::<usize>() + self.own.tape_bytes()
    }
}

impl<W, M, G: Signature> Crew<W, M, G> {
    fn new(own: W) -> Self {
        Crew { own, owns: G::Owns::default(), others: Vec::new() }
    }
}

impl<M, G: Signature> Member<M, G> {
    fn new(work: M) -> Self {
        Member { work, owns: G::Owns::default(), entry: G::Owns::default(), found: Found::default(), done: Ok(()) }
    }
}

/// The entries that a thread finds, piece after piece.
struct Found<F> {
    /// Their rows and columns, and how they came.
    pieces: Vec<(Range<usize>, Range<usize>, Came)>,
    values: Vec<F>,
}

/// How entries come.
#[derive(Clone, Copy)]
enum Came {
    /// All rows of a pass, each with its lanes.
    Rows,
    /// One row.
    Lanes,
    /// Column by column.
    Columns,
}

/// Entries on the way to the caller's.
enum Piece<'p, A, F> {
    Rows(&'p [A], Range<usize>),
    Lanes(usize, Range<usize>, A),
    Entry(usize, usize, F),
}

impl<F> Default for Found<F> {
    fn default() -> Self {
        Found { pieces: Vec::new(), values: Vec::new() }
    }
}

impl<F: Base> Found<F> {
    fn clear(&mut self) {
        self.pieces.clear();
        self.values.clear();
    }

    fn add<A: Lanes<F>>(&mut self, rows: Range<usize>, columns: Range<usize>, came: Came, all: &[A]) {
        let lanes = if matches!(came, Came::Columns) { rows.len() } else { columns.len() };
        all.iter().for_each(|a| self.values.extend((0..lanes).map(|lane| a.lane(lane))));
        self.pieces.push((rows, columns, came));
    }

    /// Passes on all entries, as they came.
    fn each<A: Lanes<F>>(&self, pass_on: &mut impl FnMut(Piece<'_, A, F>)) {
        let (mut values, mut all) = (self.values.iter().copied(), Vec::new());
        for (rows, columns, came) in &self.pieces {
            if let Came::Columns = came {
                columns.clone().for_each(|column| {
                    rows.clone().zip(&mut values).for_each(|(row, v)| pass_on(Piece::Entry(row, column, v)));
                });
                continue;
            }
            all.clear();
            all.extend(rows.clone().map(|_| {
                let mut a = A::ZERO;
                (0..columns.len()).zip(&mut values).for_each(|(lane, v)| a.set_lane(lane, v));
                a
            }));
            match came {
                Came::Rows => pass_on(Piece::Rows(&all, columns.clone())),
                _ => all.drain(..).for_each(|a| pass_on(Piece::Lanes(rows.start, columns.clone(), a))),
            }
        }
    }
}

impl<L: List> Entries<L> for Found<L::Base> {
    fn open<A: Lanes<L::Base>>(&mut self, _: L::Muts<'_, A>) -> Result<()> {
        Ok(())
    }
    fn set(&mut self, row: usize, column: usize, value: L::Base) {
        self.add(row..row + 1, column..column + 1, Came::Columns, &[value]);
    }
    fn lanes<A: Lanes<L::Base>>(&mut self, row: usize, columns: Range<usize>, a: &A) {
        self.add(row..row + 1, columns, Came::Lanes, std::slice::from_ref(a));
    }
    fn rows<A: Lanes<L::Base>>(&mut self, rows: &[A], columns: Range<usize>) {
        self.add(0..rows.len(), columns, Came::Rows, rows);
    }
    fn columns<A: Lanes<L::Base>>(&mut self, rows: Range<usize>, first: usize, columns: &[A]) {
        self.add(rows, first..first + columns.len(), Came::Columns, columns);
    }
}

impl<F: Base> Products<F> for Found<F> {
    fn lanes<A: Lanes<F>>(&mut self, row: usize, vectors: Range<usize>, a: &A) {
        self.add(row..row + 1, vectors, Came::Lanes, std::slice::from_ref(a));
    }
    fn rows<A: Lanes<F>>(&mut self, rows: &[A], vectors: Range<usize>) {
        self.add(0..rows.len(), vectors, Came::Rows, rows);
    }
}

/// Vectors in whole batches, as many as there are threads at most; the first is the caller's.
fn shares(range: Range<usize>, batch: usize) -> Vec<Range<usize>> {
    let batches = range.len().div_ceil(batch);
    let each = batches.div_ceil(rayon::current_num_threads()).max(1) * batch;
    (range.start..range.end.max(range.start + 1))
        .step_by(each)
        .map(|start| start..range.end.min(start + each))
        .collect()
}

/// Backends whose passes with tangents go to threads, and what functions they take.
macro_rules! pushes {
    ($($B:ty: $Function:ident;)+) => { $(
        impl<F: $Function<G> + Sync, G: ThreadSignature, R: ArgRoles<G>> Push<F, G, R> for AutoThreads<$B> {
            type Work<A: Lanes<G::Base>> = Crew<<$B as Push<F, G, R>>::Work<A>, <$B as Push<F, G, R>>::Work<A>, G>;
            const KEEPS_TANGENTS: bool = <$B as Push<F, G, R>>::KEEPS_TANGENTS;

            #[inline]
            fn work<A: Lanes<G::Base>>(&self, f: &F, at: &G::At<'_>) -> Self::Work<A> {
                Crew::new(Push::<F, G, R>::work(&self.0, f, at))
            }
            #[inline]
            fn warm<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> usize {
                Push::<F, G, R>::warm(&self.0, f, at, &mut work.own)
            }
            #[inline]
            fn tangents<'w, A: Lanes<G::Base>>(&self, at: &G::At<'_>, work: &'w mut Self::Work<A>) -> Inputs<'w, G, R, A> {
                Push::<F, G, R>::tangents(&self.0, at, &mut work.own)
            }
            #[inline]
            fn push<A: Lanes<G::Base>, T>(
                &self,
                f: &F,
                at: G::At<'_>,
                pass: Pass,
                work: &mut Self::Work<A>,
                take: impl FnOnce(&F::ReturnValue, Results<'_, F, G, R, A>) -> Result<T>,
            ) -> Result<(Option<F::ReturnValue>, T)> {
                Push::<F, G, R>::push(&self.0, f, at, pass, &mut work.own, take)
            }

            fn pushes<V: Flag, A: Lanes<G::Base>>(
                &self,
                f: &F,
                mut at: G::At<'_>,
                vectors: Vectors<'_, G>,
                work: &mut Self::Work<A>,
                entries: &mut impl Entries<Outputs<F, G, R>>,
            ) -> Result<Option<F::ReturnValue>> {
                let (b, seeding, n) = (&self.0, vectors.seeding, vectors.n);
                let shares = shares(vectors.range.clone(), seeding.batch(b, n).min(A::LANES));
                let [first, rest @ ..] = &shares[..] else { unreachable!("the caller has a share") };
                if rest.is_empty() {
                    return columns::passes::<V, A, $B, F, G, R>(b, f, at, vectors, &mut work.own, entries);
                }
                while work.others.len() < rest.len() {
                    work.others.push(Member::new(Push::<F, G, R>::work(b, f, &at)));
                }
                let Crew { own, owns, others } = work;
                let shared = G::share(&at);
                let value = rayon::in_place_scope(|scope| {
                    for (Member { work, owns, entry, found, done }, range) in others.iter_mut().zip(rest) {
                        scope.spawn(move |_| {
                            found.clear();
                            let mut seeded = false;
                            let vectors = Vectors { seeding, n, range: range.clone(), seeded: &mut seeded, entry };
                            let mine = G::mine(shared, owns);
                            *done = columns::passes::<Off, A, $B, F, G, R>(b, f, mine, vectors, work, found).map(|_| ());
                        });
                    }
                    let vectors = Vectors { range: first.clone(), ..vectors };
                    columns::passes::<V, A, $B, F, G, R>(b, f, G::mine(shared, owns), vectors, own, entries)
                });
                G::back(&mut at, owns);
                gathered::<A, _, G, Outputs<F, G, R>>(&mut others[..rest.len()], entries)?;
                value
            }
        }
    )+ };
}
pushes! {
    AutoForward: DerivativeCode;
    AutoFiniteDiff: Function;
}

/// Passes on what other threads have found.
fn gathered<A: Lanes<G::Base>, M, G: Signature, L: List<Base = G::Base>>(
    others: &mut [Member<M, G>],
    entries: &mut impl Entries<L>,
) -> Result<()> {
    for Member { found, done, .. } in others {
        std::mem::replace(done, Ok(()))?;
        found.each(&mut |piece: Piece<'_, A, G::Base>| match piece {
            Piece::Rows(rows, columns) => entries.rows(rows, columns),
            Piece::Lanes(row, columns, a) => entries.lanes(row, columns, &a),
            Piece::Entry(row, column, value) => entries.set(row, column, value),
        });
    }
    Ok(())
}

impl<F: DerivativeCode<G> + Sync, G: ThreadSignature, R: ArgRoles<G>> Pull<F, G, R> for AutoThreads<AutoReverse> {
    type Work<A: Lanes<G::Base>> =
        Crew<<AutoReverse as Pull<F, G, R>>::Work<A>, Pulled<<AutoReverse as Pull<F, G, R>>::Work<A>, A, G, R>, G>;

    #[inline]
    fn work<A: Lanes<G::Base>>(&self, f: &F, at: &G::At<'_>) -> Self::Work<A> {
        Crew::new(Pull::<F, G, R>::work(&self.0, f, at))
    }
    #[inline]
    fn pull<A: Lanes<G::Base>, V: Flag>(
        &self,
        f: &F,
        at: G::At<'_>,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<Option<F::ReturnValue>> {
        Pull::<F, G, R>::pull::<A, V>(&self.0, f, at, x_bar, &mut work.own, seed)
    }
    #[inline]
    fn hold<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> F::ReturnValue {
        Pull::<F, G, R>::hold(&self.0, f, at, &mut work.own)
    }
    #[inline]
    fn release<A: Lanes<G::Base>>(
        &self,
        f: &F,
        at: G::At<'_>,
        y: &F::ReturnValue,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<()> {
        Pull::<F, G, R>::release(&self.0, f, at, y, x_bar, &mut work.own, seed)
    }

    fn pulls<V: Flag, A: Lanes<G::Base>>(
        &self,
        f: &F,
        mut at: G::At<'_>,
        vectors: rows::Vectors<'_, G>,
        (x_bar, work): (&mut <R::In as List>::Stores<A>, &mut Self::Work<A>),
        entries: &mut impl Entries<Outputs<F, G, R>>,
    ) -> Result<Option<F::ReturnValue>> {
        let (b, rows::Vectors { seeding, range, opened, entry }) = (&self.0, vectors);
        let known = match seeding {
            Seeding::Basis => outputs::<F, G, R>(&at),
            Seeding::Groups(groups) => Some(groups.len()),
        };
        let batch = |m| seeding.batch(b, m).min(A::LANES);
        let Crew { own, owns, others } = work;
        // where types do not tell how many outputs there are, the first pass does
        let (mut y, m) = match known {
            Some(m) => (None, m),
            None => {
                let vectors = rows::Vectors { seeding, range: 0..1, opened, entry: &mut *entry };
                let bars = (&mut *x_bar, &mut *own);
                rows::passes::<V, A, AutoReverse, F, G, R>(b, f, G::mine(G::share(&at), owns), vectors, bars, entries)?
            }
        };
        let start = if known.is_some() { range.start } else { batch(m).min(m).max(1) };
        if known.is_some() || start < m {
            let shares = shares(start..m, batch(m));
            let [first, rest @ ..] = &shares[..] else { unreachable!("the caller has a share") };
            while others.len() < rest.len() {
                let work = Pulled { work: Pull::<F, G, R>::work(b, f, &at), x_bar: R::zero_inputs(&at) };
                others.push(Member::new(work));
            }
            let shared = G::share(&at);
            let value = rayon::in_place_scope(|scope| {
                for (member, range) in others.iter_mut().zip(rest) {
                    scope.spawn(move |_| {
                        let Member { work: Pulled { work, x_bar }, owns, entry, found, done } = member;
                        found.clear();
                        let vectors = rows::Vectors { seeding, range: range.clone(), opened: true, entry };
                        let mine = G::mine(shared, owns);
                        *done = rows::passes::<Off, A, AutoReverse, F, G, R>(b, f, mine, vectors, (x_bar, work), found)
                            .map(|_| ());
                    });
                }
                let opened = opened || known.is_none();
                let vectors = rows::Vectors { seeding, range: first.clone(), opened, entry };
                rows::passes::<V, A, AutoReverse, F, G, R>(
                    b,
                    f,
                    G::mine(shared, &mut *owns),
                    vectors,
                    (x_bar, own),
                    entries,
                )
            });
            gathered::<A, _, G, Outputs<F, G, R>>(&mut others[..rest.len()], entries)?;
            y = y.or(value?.0);
        }
        G::back(&mut at, owns);
        Ok(y)
    }
}

/// The memory of another thread's passes: theirs, and cotangents of the inputs.
pub struct Pulled<W, A: Lanes<G::Base>, G: Signature, R: ArgRoles<G>> {
    work: W,
    x_bar: <R::In as List>::Stores<A>,
}

impl<W: Recorder, A: Lanes<G::Base>, G: Signature, R: ArgRoles<G>> Recorder for Pulled<W, A, G, R> {
    fn kept(&self, note: &mut Note<'_>) {
        self.work.kept(note);
        note(names::RESULTS, sizes::shadow::<A>(&self.x_bar));
    }
    fn tape_bytes(&self) -> usize {
        self.work.tape_bytes()
    }
}

/// The memory of another thread's passes: theirs, the gradient and the products.
pub struct Curved<W, A: Lanes<G::Base>, G: Signature, R: ArgRoles<G>> {
    work: W,
    g: <R::In as List>::Stores<G::Base>,
    hv: <R::In as List>::Stores<A>,
}

impl<W: Recorder, A: Lanes<G::Base>, G: Signature, R: ArgRoles<G>> Recorder for Curved<W, A, G, R> {
    fn kept(&self, note: &mut Note<'_>) {
        self.work.kept(note);
        note(names::RESULTS, sizes::shadow::<G::Base>(&self.g) + sizes::shadow::<A>(&self.hv));
    }
    fn tape_bytes(&self) -> usize {
        self.work.tape_bytes()
    }
}

type Work<B, F, G, R, A> = <Generated as SecondBy<B, F, G, R>>::Work<A>;

impl<B, F, G, R> SecondBy<AutoThreads<B>, F, G, R> for Spread<Generated>
where
    B: Backend + Sync,
    F: DerivativeCode<G> + Sync,
    G: ThreadSignature,
    R: ArgRoles<G>,
{
    type Work<A: Lanes<G::Base>> = Crew<Work<B, F, G, R, A>, Curved<Work<B, F, G, R, A>, A, G, R>, G>;
    const KEEPS_TANGENTS: bool = <Generated as SecondBy<B, F, G, R>>::KEEPS_TANGENTS;

    #[inline]
    fn work<A: Lanes<G::Base>>(b: &AutoThreads<B>, f: &F, at: &mut G::At<'_>) -> Self::Work<A> {
        Crew::new(<Generated as SecondBy<B, F, G, R>>::work(&b.0, f, at))
    }
    #[inline]
    fn tangents<A: Lanes<G::Base>>(work: &mut Self::Work<A>) -> Inputs<'_, G, R, A> {
        <Generated as SecondBy<B, F, G, R>>::tangents(&mut work.own)
    }
    #[inline]
    fn hvp<A: Lanes<G::Base>, V: Flag>(
        b: &AutoThreads<B>,
        f: &F,
        at: G::At<'_>,
        first: bool,
        work: &mut Self::Work<A>,
        g: Inputs<'_, G, R, G::Base>,
        hv: Inputs<'_, G, R, A>,
    ) -> Result<Option<F::ReturnValue>> {
        <Generated as SecondBy<B, F, G, R>>::hvp::<A, V>(&b.0, f, at, first, &mut work.own, g, hv)
    }

    fn passes<V: Flag, A: Lanes<G::Base>>(
        AutoThreads(b): &AutoThreads<B>,
        f: &F,
        mut at: G::At<'_>,
        vectors: Vectors<'_, G>,
        work: &mut Self::Work<A>,
        mut g: Inputs<'_, G, R, G::Base>,
        hv: &mut <R::In as List>::Stores<A>,
        products: &mut impl Products<G::Base>,
    ) -> Result<Option<F::ReturnValue>> {
        let (seeding, n) = (vectors.seeding, vectors.n);
        let shares = shares(vectors.range.clone(), seeding.batch(b, n).min(A::LANES));
        let [first, rest @ ..] = &shares[..] else { unreachable!("the caller has a share") };
        let Crew { own, owns, others } = work;
        let g = R::In::again(&mut g);
        if rest.is_empty() {
            return hessian::passes::<V, A, Generated, B, F, G, R>(b, f, at, vectors, (own, g, hv), products);
        }
        while others.len() < rest.len() {
            let (g, hv) = (R::zero_inputs(&at), R::zero_inputs(&at));
            others.push(Member::new(Curved { work: <Generated as SecondBy<B, F, G, R>>::work(b, f, &mut at), g, hv }));
        }
        let shared = G::share(&at);
        let value = rayon::in_place_scope(|scope| {
            for (member, range) in others.iter_mut().zip(rest) {
                scope.spawn(move |_| {
                    let Member { work: Curved { work, g, hv }, owns, entry, found, done } = member;
                    found.clear();
                    let mut seeded = false;
                    let vectors = Vectors { seeding, n, range: range.clone(), seeded: &mut seeded, entry };
                    let (mine, memory) = (G::mine(shared, owns), (work, R::In::muts(g), hv));
                    *done = hessian::passes::<Off, A, Generated, B, F, G, R>(b, f, mine, vectors, memory, found)
                        .map(|_| ());
                });
            }
            let vectors = Vectors { range: first.clone(), ..vectors };
            let (mine, memory) = (G::mine(shared, &mut *owns), (own, g, hv));
            hessian::passes::<V, A, Generated, B, F, G, R>(b, f, mine, vectors, memory, products)
        });
        G::back(&mut at, owns);
        for Member { found, done, .. } in &mut others[..rest.len()] {
            std::mem::replace(done, Ok(()))?;
            found.each(&mut |piece: Piece<'_, A, G::Base>| match piece {
                Piece::Rows(rows, columns) => products.rows(rows, columns),
                Piece::Lanes(row, columns, a) => products.lanes(row, columns, &a),
                Piece::Entry(..) => unreachable!("products come with all lanes"),
            });
        }
        value
    }
}

impl<S, B, F, G, R> CurvatureBy<AutoThreads<B>, F, G, R> for Spread<S>
where
    S: CurvatureBy<B, F, G, R>,
    B: Backend,
    F: Function<G>,
    G: Signature,
    R: ArgRoles<G>,
{
    const FOLLOWS_SIZES: bool = S::FOLLOWS_SIZES;
    type State = S::State;

    fn state(b: &AutoThreads<B>, f: &F, at: &mut G::At<'_>) -> Self::State {
        S::state(&b.0, f, at)
    }
    fn warm(b: &AutoThreads<B>, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        S::warm(&b.0, f, at, state)
    }
    fn run<V: Flag>(
        b: &AutoThreads<B>,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        first: &mut impl Target<F, G, R, One>,
        second: &mut impl Target<F, G, R, One>,
    ) -> Result<Option<F::ReturnValue>> {
        S::run::<V>(&b.0, f, at, state, first, second)
    }
}
