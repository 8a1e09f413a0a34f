//! `AutoDualThreads`: dual numbers, chunks of the inputs on several threads.

use crate::backend::chunked_forward::Numbers;
use crate::backend::dual::dual_backend;
use crate::error::Result;
use crate::number::flag::{Flag, On};
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::scalar::Dual;
use crate::number::sizes;
use crate::operators::entries::{Entries, size};
use crate::operators::gradient::GradientBy;
use crate::operators::jacobian::EntriesBy;
use crate::operators::strategy::{Backend, Inputs, Mode, Outputs};
use crate::overload::lifted::lifted_bytes;
use crate::overload::{LiftedReturn, Over, OverCall, OverSignature, Overload, SharedSig};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::ReturnValue;
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use crate::stack::workspace::Pool;
use rayon::prelude::*;
use std::ops::Range;

dual_backend! {
    /// Dual numbers on several threads: gradients and Jacobians go through the function in chunks of the inputs, and chunks to the threads of
    /// rayon. Everything else is as with [`AutoDual`](struct@crate::backend::AutoDual), on one thread.
    ///
    /// What a thread finds does not depend on the others, and so no bit of the result on how many there are. The function has to be `Sync`, and
    /// what is passed by reference without a derivative, too. Prepared objects hold dual numbers for as many threads as there were.
    ///
    /// ```
    /// # use diffi_runtime as diffi;
    /// use diffi::backend::AutoDualThreads;
    /// use diffi::operators::gradient::gradient;
    /// use diffi::overload::ScalarFn;
    /// use diffi::real::Real;
    ///
    /// struct Energy;
    ///
    /// impl ScalarFn for Energy {
    ///     type Input = [f64];
    ///     type Output = f64;
    ///     fn call<S: Real<Base = f64>>(&self, x: &[S]) -> S {
    ///         x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum()
    ///     }
    /// }
    ///
    /// let x: Vec<f64> = (0..100).map(f64::from).collect();
    /// let g = gradient(Energy, AutoDualThreads, &x)?;
    /// assert_eq!((g[0], g[50], g[99]), (-2.0, 0.0, 2.0));
    /// # Ok::<(), diffi::error::Error>(())
    /// ```
    ///
    /// Worth it where a chunk takes longer than some ten microseconds. With more than one thread, rayon may allocate.
    AutoDualThreads,
    /// How many directions a number carries, from 1 to 12. By default one for each input, if they are at most twelve, and otherwise
    /// nearly as many in each pass.
}

/// Strategy: numbers that carry derivatives go through the function, chunks of the inputs on several threads.
#[derive(Clone, Copy, Debug)]
pub struct ByThreads;

/// What a thread has: numbers, the results of its chunks, and the function's answer at the last of them.
pub struct Worker<F: Overload<G>, G: OverSignature, S: crate::backend::Directional<Base = G::Base>> {
    numbers: Numbers<S, G>,
    /// All arguments as constants, where the function overwrites them.
    untouched: Option<G::Held<S>>,
    /// The derivatives of the outputs that are wanted, chunk after chunk, row after row.
    columns: Vec<G::Base>,
    y: Option<Over<F::ReturnValue, S>>,
}

impl<F: Overload<G>, G: OverSignature, S: crate::backend::Directional<Base = G::Base>> Worker<F, G, S> {
    fn new() -> Self {
        Worker { numbers: Numbers::new(), untouched: None, columns: Vec::new(), y: None }
    }

    /// Takes the arguments.
    fn lift<R: OverCall<G>>(&mut self, at: &G::At<'_>) {
        self.numbers.lift::<R>(at);
        if R::IN_OUT {
            self.untouched = Some(self.numbers.held.clone());
        }
    }

    /// Chunk after chunk; of the outputs all, or only the first.
    fn run<R: OverCall<G>>(
        &mut self,
        f: &F,
        shared: &G::Shared<'_>,
        chunks: Range<usize>,
        [size, n]: [usize; 2],
        all: bool,
    ) where
        G: SharedSig,
    {
        let mut before = 0..0;
        self.columns.clear();
        for chunk in chunks {
            let on = chunk * size..n.min((chunk + 1) * size);
            if let Some(untouched) = &self.untouched {
                self.numbers.held.clone_from(untouched);
                before = 0..0;
            }
            self.numbers.seed::<R>(before, on.clone());
            let y = f.over(G::over_shared(&mut self.numbers.held, shared));
            let (mut wanted, columns) = (true, &mut self.columns);
            self.numbers.each_output::<F, R>(&y, &mut |s| {
                if wanted {
                    columns.extend((0..on.len()).map(|k| s.direction(k)));
                }
                wanted = all;
            });
            (before, self.y) = (on, Some(y));
        }
    }
}

/// Workers with numbers in the least directions that hold a chunk.
pub enum Crew<F: Overload<G>, G: OverSignature> {
    /// One direction.
    One(Vec<Worker<F, G, Dual<Number<G>, 1>>>),
    /// Up to four.
    Four(Vec<Worker<F, G, Dual<Number<G>, 4>>>),
    /// Up to eight.
    Eight(Vec<Worker<F, G, Dual<Number<G>, 8>>>),
    /// Up to twelve.
    Twelve(Vec<Worker<F, G, Dual<Number<G>, 12>>>),
}

type Number<G> = <<G as crate::signature::param_kinds::Signature>::Base as Base>::Number;

/// Runs an expression with the workers of any crew.
macro_rules! with {
    ($crew:expr, $workers:ident => $do:expr) => {
        match $crew {
            Crew::One($workers) => $do,
            Crew::Four($workers) => $do,
            Crew::Eight($workers) => $do,
            Crew::Twelve($workers) => $do,
        }
    };
}

/// The workers, and the size of chunks.
pub struct State<F: Overload<G>, G: OverSignature> {
    crew: Crew<F, G>,
    size: usize,
}

impl<F: Overload<G>, G: OverSignature, S: crate::backend::Directional<Base = G::Base>> Recorder for Worker<F, G, S> {
    fn kept(&self, note: &mut Note<'_>) {
        let Worker { numbers, untouched, columns, y } = self;
        note(names::ARGUMENTS, G::bytes(&numbers.held) + untouched.as_ref().map_or(0, G::bytes));
        note(
            names::RESULTS,
            memory_report::vector(columns) + y.as_ref().map_or(0, lifted_bytes::<_, F::ReturnValue, _>),
        );
    }
}

impl<F: Overload<G>, G: OverSignature> Recorder for State<F, G> {
    fn kept(&self, note: &mut Note<'_>) {
        with!(&self.crew, workers => {
            note(names::WORKSPACE, memory_report::vector(workers));
            workers.iter().for_each(|worker| worker.kept(note));
        });
    }
}

impl<F: Overload<G>, G: OverSignature> State<F, G> {
    fn new<R: ArgRoles<G>>(b: &AutoDualThreads, at: &G::At<'_>) -> Self {
        let size = b.batch_size_of(size::<G, R>(at));
        let crew = match size {
            0 | 1 => Crew::One(Vec::new()),
            2..=4 => Crew::Four(Vec::new()),
            5..=8 => Crew::Eight(Vec::new()),
            _ => Crew::Twelve(Vec::new()),
        };
        State { crew, size }
    }
}

/// All chunks, in as many parts as there are threads. Gives how many workers had one, in the order of the inputs.
fn spread<F, G, R, S>(
    workers: &mut Vec<Worker<F, G, S>>,
    f: &F,
    at: &G::At<'_>,
    size: usize,
    n: usize,
    all: bool,
) -> usize
where
    F: Overload<G> + Sync,
    G: SharedSig,
    R: OverCall<G>,
    S: crate::backend::Directional<Base = G::Base>,
{
    let chunks = n.div_ceil(size).max(1);
    let each = chunks.div_ceil(rayon::current_num_threads());
    let used = chunks.div_ceil(each);
    workers.resize_with(used.max(workers.len()), Worker::new);
    workers[..used].iter_mut().for_each(|worker| worker.lift::<R>(at));
    let shared = G::share(at);
    workers[..used].par_iter_mut().enumerate().for_each(|(k, worker)| {
        worker.run::<R>(f, &shared, k * each..chunks.min((k + 1) * each), [size, n], all);
    });
    used
}

impl<F, G, R> GradientBy<AutoDualThreads, F, G, R> for ByThreads
where
    F: Overload<G> + Sync,
    G: SharedSig,
    R: OverCall<G>,
{
    type State = State<F, G>;

    fn state(b: &AutoDualThreads, _: &F, at: &mut G::At<'_>) -> Self::State {
        State::new::<R>(b, at)
    }

    fn warm(b: &AutoDualThreads, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        let mut g = R::zero_inputs(&at);
        <Self as GradientBy<AutoDualThreads, F, G, R>>::run::<On>(b, f, at, state, R::In::muts(&mut g)).map(|_| ())
    }

    fn run<V: Flag>(
        _: &AutoDualThreads,
        f: &F,
        mut at: G::At<'_>,
        State { crew, size: chunk }: &mut Self::State,
        g: Inputs<'_, G, R, G::Base>,
    ) -> Result<Option<F::ReturnValue>> {
        let n = size::<G, R>(&at);
        with!(crew, workers => {
            let used = spread::<F, G, R, _>(workers, f, &at, *chunk, n, false);
            let mut found = workers[..used].iter().flat_map(|worker| &worker.columns);
            R::In::each(g, &mut |g: &mut G::Base| found.next().into_iter().for_each(|v| *g = *v));
            let last = &mut workers[used - 1];
            R::lower_outputs(&mut last.numbers.held, &mut at);
            Ok(if V::ON { last.y.as_ref().map(F::ReturnValue::lower) } else { None })
        })
    }
}

/// The same with memory for the tangents of the outputs.
pub struct JacobianState<F: Overload<G>, G: OverSignature> {
    state: State<F, G>,
    dots: G::Stores<G::Base>,
    pool: Pool<G::Base>,
}

impl<F: Overload<G>, G: OverSignature> Recorder for JacobianState<F, G> {
    fn kept(&self, note: &mut Note<'_>) {
        self.state.kept(note);
        note(names::RESULTS, sizes::shadow::<G::Base>(&self.dots));
        note(names::WORKSPACE, self.pool.bytes());
    }
}

impl<F, G, R> EntriesBy<AutoDualThreads, F, G, R> for ByThreads
where
    F: Overload<G> + Sync,
    G: SharedSig,
    R: OverCall<G>,
{
    type State = JacobianState<F, G>;

    fn state(b: &AutoDualThreads, _: &F, at: &mut G::At<'_>) -> Self::State {
        JacobianState { state: State::new::<R>(b, at), dots: R::stores(at, false), pool: Pool::new() }
    }

    fn warm(_: &AutoDualThreads, f: &F, at: G::At<'_>, JacobianState { state, .. }: &mut Self::State) -> Result<()> {
        let n = size::<G, R>(&at);
        with!(&mut state.crew, workers => spread::<F, G, R, _>(workers, f, &at, state.size, n, true));
        Ok(())
    }

    fn mode(_: &Self::State) -> Mode {
        Mode::Forward
    }

    fn run<V: Flag>(
        _: &AutoDualThreads,
        f: &F,
        mut at: G::At<'_>,
        JacobianState { state: State { crew, size: chunk }, dots, pool }: &mut Self::State,
        entries: &mut impl Entries<Outputs<F, G, R>>,
    ) -> Result<Option<F::ReturnValue>> {
        let n = size::<G, R>(&at);
        with!(crew, workers => {
            let used = spread::<F, G, R, _>(workers, f, &at, *chunk, n, true);
            let last = &mut workers[used - 1];
            let value = F::ReturnValue::lower(last.y.as_ref().expect("every worker has a chunk"));
            R::lower_outputs(&mut last.numbers.held, &mut at);
            let mut y_dot = value.zero::<G::Base>(pool);
            let mut rows = 0;
            <Outputs<F, G, R>>::each(F::ReturnValue::muts(&mut y_dot, R::outputs(dots)), &mut |_: &mut G::Base| rows += 1);
            let opened = entries.open(F::ReturnValue::muts(&mut y_dot, R::outputs(dots)));
            F::ReturnValue::release(y_dot, pool);
            opened?;
            let mut found = workers[..used].iter().flat_map(|worker| &worker.columns);
            for start in (0..n).step_by(*chunk) {
                for row in 0..rows {
                    for column in start..n.min(start + *chunk) {
                        found.next().into_iter().for_each(|v| entries.set(row, column, *v));
                    }
                }
            }
            Ok(if V::ON { Some(value) } else { None })
        })
    }
}
