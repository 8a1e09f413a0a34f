//! Whether a backend finds what is expected: in every variant, prepared and not, at another point, in used memory.

use super::operator::{How, Memory, Name, Operator};
use super::{EachScenario, Entry, Lend, Outcome, Report, Runs, Scenario, Start, Visit, inputs, number, value};
use diffi_runtime::error::Result;
use diffi_runtime::number::float::Base;
use diffi_runtime::operators::strategy::Backend;
use diffi_runtime::signature::arg_roles::ArgRoles;
use diffi_runtime::signature::function::Function;
use diffi_runtime::signature::param_kinds::Signature;

/// How much is asked for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Checks {
    /// The distance that exact backends may have, relative to the largest number of a result.
    pub exact: f64,
    /// The same for [inexact](Backend::inexact) backends.
    pub inexact: f64,
    /// The same for inexact backends and operators of second order.
    pub inexact_second: f64,
    /// How many allocations there were so far: then prepared calls into memory may make none.
    pub allocations: Option<fn() -> usize>,
}

impl Default for Checks {
    fn default() -> Self {
        Checks { exact: 1e-12, inexact: 1e-4, inexact_second: 1e-2, allocations: None }
    }
}

impl Checks {
    /// With a count of allocations.
    pub fn allocations(self, count: fn() -> usize) -> Self {
        Checks { allocations: Some(count), ..self }
    }

    fn tolerance<B: Backend, F>(&self, b: &B, second: bool) -> f64 {
        let exact = if size_of::<F>() == 4 { self.exact.max(2e-5) } else { self.exact };
        match (b.outer().inexact() || b.inner().inexact(), second) {
            (false, _) => exact,
            (true, false) => self.inexact.max(exact),
            (true, true) => self.inexact_second.max(exact),
        }
    }
}

/// Tests every scenario on every backend: values, results, memory that is overwritten, inputs that stay, calls that are repeated,
/// preparation for other points and sizes; allocations and calls of the function where they are counted.
pub fn test_differentiation<Bs, Ss: EachScenario<Bs>>(backends: Bs, mut scenarios: Ss, checks: Checks) -> Report {
    let mut tests = Tests { checks, report: Report::default() };
    scenarios.each(&backends, &mut tests);
    tests.report
}

struct Tests {
    checks: Checks,
    report: Report,
}

impl Visit for Tests {
    fn visit<B: Backend, S: Runs<B>>(&mut self, backend: &B, scenario: &mut S) {
        let failures = scenario.test(backend, &self.checks);
        let outcome = if failures.is_empty() { Outcome::Passed } else { Outcome::Failed(failures) };
        let (name, operator) = (scenario.name().to_owned(), scenario.operator());
        self.report.push(Entry { scenario: name, operator, backend: format!("{backend:?}"), outcome });
    }
}

/// What is compared with what is expected, and what differed.
struct Findings<'s> {
    expected: &'s super::Expected,
    tolerance: f64,
    failures: Vec<String>,
}

/// The numbers that a call found.
#[derive(Clone, Debug, Default, PartialEq)]
struct Found {
    value: Option<Vec<f64>>,
    first: Vec<f64>,
    result: Vec<f64>,
}

impl Found {
    fn of<F: Base>(memory: &mut impl Memory<F>, value: Option<Vec<f64>>) -> Self {
        let mut found = Found { value, ..Found::default() };
        memory.first(&mut |v| found.first.push(v.as_f64()));
        memory.result(&mut |v| found.result.push(v.as_f64()));
        found
    }
}

impl Findings<'_> {
    /// A call succeeded and found what it should.
    fn expect(&mut self, call: &str, found: Result<Found>) -> Option<Found> {
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                self.failures.push(format!("{call}: {error}"));
                return None;
            }
        };
        let value = found.value.as_deref();
        let first = Some(&found.first[..]).filter(|first| !first.is_empty());
        let expected = self.expected;
        self.close(call, "value", value, expected.value.as_deref());
        self.close(call, "first", first, expected.first.as_deref());
        self.close(call, "result", Some(&found.result), expected.result.as_deref());
        Some(found)
    }

    fn close(&mut self, call: &str, what: &str, found: Option<&[f64]>, expected: Option<&[f64]>) {
        let (Some(found), Some(expected)) = (found, expected) else { return };
        if found.len() != expected.len() {
            self.failures.push(format!("{call}: {what} has {} numbers, expected {}", found.len(), expected.len()));
            return;
        }
        let scale = expected.iter().fold(1.0f64, |scale, v| scale.max(v.abs()));
        let near = |a: f64, b: f64| a == b || (a - b).abs() <= self.tolerance * scale || a.is_nan() && b.is_nan();
        if let Some(k) = found.iter().zip(expected).position(|(a, b)| !near(*a, *b)) {
            self.failures.push(format!("{call}: number {k} of {what} is {:?}, expected {:?}", found[k], expected[k]));
        }
    }

    fn claim(&mut self, holds: bool, failure: impl FnOnce() -> String) {
        if !holds {
            self.failures.push(failure());
        }
    }
}

/// A scenario that is run by one backend.
struct Run<'s, B, F, G: Signature, X, D> {
    b: &'s B,
    f: &'s F,
    point: &'s mut X,
    seeds: D,
    start: Start<G>,
}

impl<B: Backend, F: Function<G> + Clone, G: Signature, X, D: Copy> Run<'_, B, F, G, X, D> {
    fn op<Op, R>(&mut self, prep: Option<&mut Op::Prep>) -> Result<Op::Memory>
    where
        Op: Operator<B, F, G, R, D>,
        R: ArgRoles<G>,
        X: Lend<G, R>,
    {
        self.start.put::<R>(self.point.at());
        Op::op(how(self.f, self.b, prep), self.point.lend(), self.seeds)
    }

    fn op_into<Op, R>(&mut self, prep: Option<&mut Op::Prep>, memory: &mut Op::Memory) -> Result<()>
    where
        Op: Operator<B, F, G, R, D>,
        R: ArgRoles<G>,
        X: Lend<G, R>,
    {
        self.start.put::<R>(self.point.at());
        Op::op_into(how(self.f, self.b, prep), memory, self.point.lend(), self.seeds)
    }

    fn value_and_op<Op, R>(&mut self, prep: Option<&mut Op::Prep>) -> Result<(Option<Vec<f64>>, Op::Memory)>
    where
        Op: Operator<B, F, G, R, D>,
        R: ArgRoles<G>,
        X: Lend<G, R>,
    {
        self.start.put::<R>(self.point.at());
        let (y, memory) = Op::value_and_op(how(self.f, self.b, prep), self.point.lend(), self.seeds)?;
        Ok((y.map(|y| value::<F, G, R>(&y, &self.point.at())), memory))
    }

    fn value_and_op_into<Op, R>(
        &mut self,
        prep: Option<&mut Op::Prep>,
        memory: &mut Op::Memory,
    ) -> Result<Option<F::ReturnValue>>
    where
        Op: Operator<B, F, G, R, D>,
        R: ArgRoles<G>,
        X: Lend<G, R>,
    {
        self.start.put::<R>(self.point.at());
        Op::value_and_op_into(how(self.f, self.b, prep), memory, self.point.lend(), self.seeds)
    }
}

fn how<'a, F, B, P>(f: &'a F, b: &'a B, prep: Option<&'a mut P>) -> How<'a, F, B, P> {
    match prep {
        Some(prep) => How::Prepared(prep),
        None => How::Unprepared(f, b),
    }
}

/// Fills memory with what must not stay there.
fn spoil<F: Base + diffi_runtime::number::batch::Float>(memory: &mut impl Memory<F>) {
    memory.first(&mut |v| *v = number(f64::NAN));
    memory.result(&mut |v| *v = number(f64::NAN));
}

/// One call that is not prepared, and one that is prepared elsewhere and overwrites its memory.
pub(super) fn compare<B, Op, F, G, R, X, D>(
    scenario: &mut Scenario<Op, F, G, R, X, D>,
    b: &B,
    checks: &Checks,
) -> Vec<String>
where
    B: Backend,
    Op: Operator<B, F, G, R, D>,
    F: Function<G> + Clone,
    G: Signature,
    R: ArgRoles<G>,
    X: Lend<G, R>,
    D: Copy,
{
    let Scenario { function: f, point, elsewhere, seeds, expected, .. } = scenario;
    let start = Start::of::<R>(&point.at());
    let tolerance = checks.tolerance::<B, G::Base>(b, Op::SECOND);
    let mut findings = Findings { expected, tolerance, failures: Vec::new() };
    let mut prep = Op::prepare(f, b, elsewhere.as_mut().unwrap_or(point).lend(), *seeds);
    let mut run = Run { b, f, point, seeds: *seeds, start };
    let found = run.value_and_op::<Op, R>(None);
    let memory = match found {
        Ok((value, mut memory)) => {
            findings.expect(Op::WITH_VALUE, Ok(Found::of(&mut memory, value)));
            Some(memory)
        }
        Err(error) => {
            findings.expect(Op::WITH_VALUE, Err(error));
            None
        }
    };
    match (&mut prep, memory) {
        (Ok(prep), Some(mut memory)) => {
            memory.result(&mut |v| *v = number(f64::NAN));
            let done = run.op_into::<Op, R>(Some(prep), &mut memory);
            findings.expect("prepared, into", done.map(|()| Found::of(&mut memory, None)));
        }
        (Err(error), _) => findings.failures.push(format!("preparation: {error}")),
        _ => {}
    }
    run.start.put::<R>(run.point.at());
    findings.failures
}

/// All variants, unprepared, prepared elsewhere, and resized; each prepared one twice.
pub(super) fn test<B, Op, F, G, R, X, D>(
    scenario: &mut Scenario<Op, F, G, R, X, D>,
    b: &B,
    checks: &Checks,
) -> Vec<String>
where
    B: Backend,
    Op: Operator<B, F, G, R, D>,
    F: Function<G> + Clone,
    G: Signature,
    R: ArgRoles<G>,
    X: Lend<G, R>,
    D: Copy,
{
    let calls = scenario.calls;
    let Scenario { function: f, point, elsewhere, smaller, seeds, expected, .. } = scenario;
    let start = Start::of::<R>(&point.at());
    let before = inputs::<G, R>(&point.at());
    let tolerance = checks.tolerance::<B, G::Base>(b, Op::SECOND);
    let mut findings = Findings { expected, tolerance, failures: Vec::new() };
    let first_prep = Op::prepare(f, b, elsewhere.as_mut().unwrap_or(point).lend(), *seeds);
    let mut preps = vec![("prepared", first_prep)];
    if let Some(smaller) = smaller {
        let resized = Op::prepare(f, b, smaller.lend(), *seeds)
            .and_then(|mut prep| Op::resize(&mut prep, point.lend()).map(|()| prep));
        preps.push(("resized", resized));
    }
    let mut run = Run { b, f, point, seeds: *seeds, start };
    variants::<B, Op, F, G, R, X, D>(&mut run, "unprepared", None, &mut findings, None);
    for (label, prep) in preps {
        match prep {
            Ok(mut prep) => {
                variants::<B, Op, F, G, R, X, D>(&mut run, label, Some(&mut prep), &mut findings, checks.allocations)
            }
            Err(error) => findings.failures.push(format!("{label}: {error}")),
        }
    }
    if let Some(calls) = calls {
        let count = |call: &mut dyn FnMut()| {
            let before = calls();
            call();
            calls() - before
        };
        let alone = count(&mut || drop(run.op::<Op, R>(None)));
        let with_value = count(&mut || drop(run.value_and_op::<Op, R>(None)));
        let inexact = b.outer().inexact() || b.inner().inexact();
        let more = usize::from(inexact);
        findings.claim(with_value <= alone + more || inexact && Op::SECOND, || {
            format!("{} calls the function {with_value} times, {} {alone} times", Op::WITH_VALUE, <Op as Name>::NAME)
        });
    }
    if !R::IN_OUT {
        findings.claim(inputs::<G, R>(&run.point.at()) == before, || "the inputs were changed".to_owned());
    }
    run.start.put::<R>(run.point.at());
    findings.failures
}

fn variants<B, Op, F, G, R, X, D>(
    run: &mut Run<'_, B, F, G, X, D>,
    label: &str,
    mut prep: Option<&mut Op::Prep>,
    findings: &mut Findings<'_>,
    allocations: Option<fn() -> usize>,
) where
    B: Backend,
    Op: Operator<B, F, G, R, D>,
    F: Function<G> + Clone,
    G: Signature,
    R: ArgRoles<G>,
    X: Lend<G, R>,
    D: Copy,
{
    let (op, with_value) = (<Op as Name>::NAME, Op::WITH_VALUE);
    let mut once = None;
    for _ in 0..2 {
        let found = run.op::<Op, R>(prep.as_deref_mut()).map(|mut memory| Found::of(&mut memory, None));
        let found = findings.expect(&format!("{label} {op}"), found);
        findings.claim(once.is_none() || once == found, || format!("{label} {op}: another result the second time"));
        once = found;
    }
    let both = run.value_and_op::<Op, R>(prep.as_deref_mut());
    let mut memory = match both {
        Ok((value, mut memory)) => {
            findings.expect(&format!("{label} {with_value}"), Ok(Found::of(&mut memory, value)));
            memory
        }
        Err(error) => return drop(findings.expect(&format!("{label} {with_value}"), Err(error))),
    };
    for _ in 0..2 {
        memory.result(&mut |v| *v = number(f64::NAN));
        let done = run.op_into::<Op, R>(prep.as_deref_mut(), &mut memory);
        findings.expect(&format!("{label} {op}_into"), done.map(|()| Found::of(&mut memory, None)));
        spoil(&mut memory);
        let done = run.value_and_op_into::<Op, R>(prep.as_deref_mut(), &mut memory);
        let value = done.map(|y| y.map(|y| value::<F, G, R>(&y, &run.point.at())));
        findings.expect(&format!("{label} {with_value}_into"), value.map(|value| Found::of(&mut memory, value)));
    }
    if let (Some(allocations), Some(prep)) = (allocations, prep) {
        let before = allocations();
        let done = run.op_into::<Op, R>(Some(prep), &mut memory);
        let made = allocations() - before;
        findings.claim(done.is_err() || made == 0, || format!("{label} {op}_into: {made} allocations"));
    }
}
