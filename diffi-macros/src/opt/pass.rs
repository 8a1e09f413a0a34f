//! A pass: its name, the bodies over which it runs, and the context that it is given.

use crate::ad::derivatives::{Derivatives, SecondDerivatives, SplitTangent, Tangent};
use crate::analysis::activity::Activity;
use crate::ir::symbols::Table;
use crate::ir::*;
use crate::opt::scalar::forward_substitute;

/// A row of the pass table.
pub struct Pass {
    /// The name of its file: its switch, and the name by which it is dumped after.
    pub name: &'static str,
    /// When it runs.
    pub stage: Stage,
    /// Over which bodies it runs.
    pub bodies: &'static [Body],
    /// Whether later stages rely on it, so that it has no switch.
    pub required: bool,
    /// How it runs.
    pub run: Run,
}

/// When a pass runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Over the function, before it is differentiated.
    Function,
    /// Over adjoints, before their tangents are taken.
    Adjoint,
    /// Over all derivative code.
    Code,
}

/// A body of derivative code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// Tangents of the function.
    Push,
    /// The adjoint in one body.
    Pull,
    /// The forward sweep of the split adjoint.
    Forward,
    /// Its reverse sweep.
    Reverse,
    /// Tangents of the adjoint in one body.
    PullPush,
    /// Tangents of the forward sweep.
    ForwardPush,
    /// Tangents of the reverse sweep.
    ReversePush,
}

impl Body {
    /// All of them, in the order of the pass table's columns.
    pub const ALL: &[Body] =
        &[Body::Push, Body::Pull, Body::Forward, Body::Reverse, Body::PullPush, Body::ForwardPush, Body::ReversePush];

    /// Whether it ends in the function's result, and not only in cotangents.
    fn has_result(self) -> bool {
        !matches!(self, Body::Reverse | Body::ReversePush)
    }

    /// The heading of its column.
    pub fn heading(self) -> &'static str {
        match self {
            Body::Push => "push",
            Body::Pull => "pull",
            Body::Forward => "forward",
            Body::Reverse => "reverse",
            Body::PullPush => "pull·push",
            Body::ForwardPush => "forward·push",
            Body::ReversePush => "reverse·push",
        }
    }
}

/// How a pass runs.
pub enum Run {
    /// On the function.
    Function(fn(Function) -> Function),
    /// On one body at a time.
    Body(fn(&mut Context<'_>, &mut Block)),
    /// On all bodies over the same variables: both sweeps of a split adjoint at once.
    Sweeps(fn(&mut Context<'_>, &mut [&mut Block])),
    /// On all bodies of one derivative, whose equal statements stay equal.
    Alike(fn(usize, &mut [forward_substitute::Body<'_>])),
}

/// The facts that a pass over derivative code may ask for, beside the body.
pub struct Context<'a> {
    /// The body's variables.
    pub table: &'a mut Table,
    /// The parameters that each variable depends on.
    pub activity: &'a mut Activity,
    /// The float type.
    pub base: &'a Base,
    /// The function's parameters.
    pub params: &'a [Param],
    /// The function's result, and its tangent where the body has tangents; none where the body does not end in it.
    pub results: Vec<&'a Output>,
    /// The cotangents of parameters, in adjoints without tangents.
    pub bars: Vec<Var>,
    /// Both sweeps stand in one body, so that nothing of it is read later.
    pub joint: bool,
}

/// Runs one pass over derivative code.
pub fn run(pass: &Pass, function: &Function, derivatives: &mut Derivatives<'_>) {
    match pass.run {
        Run::Function(_) => unreachable!("{} runs before differentiation", pass.name),
        Run::Alike(run) => each_derivative(derivatives, function, run),
        Run::Body(run) => each_group(derivatives, function, &mut |mut context, bodies| {
            let results = std::mem::take(&mut context.results);
            for (body, block) in bodies.into_iter().filter(|(body, _)| pass.bodies.contains(body)) {
                context.results = if body.has_result() { results.clone() } else { Vec::new() };
                run(&mut context, block);
            }
        }),
        Run::Sweeps(run) => each_group(derivatives, function, &mut |mut context, bodies| {
            let bodies = bodies.into_iter().filter(|(body, _)| pass.bodies.contains(body));
            let mut blocks: Vec<&mut Block> = bodies.map(|(_, block)| block).collect();
            if !blocks.is_empty() {
                run(&mut context, &mut blocks);
            }
        }),
    }
}

type Group<'r> = dyn FnMut(Context<'_>, Vec<(Body, &mut Block)>) + 'r;

/// Each group of bodies over the same variables.
pub fn each_group(derivatives: &mut Derivatives<'_>, function: &Function, run: &mut Group<'_>) {
    let Derivatives { push, pull, split, second } = derivatives;
    tangent(push, function, Body::Push, run);
    let bars = pull.bars.values().copied().collect();
    let adjoint = context(function, (&mut pull.table, &mut pull.activity), None, true);
    run(Context { bars, ..adjoint }, vec![(Body::Pull, &mut pull.body)]);
    if let Some(split) = split {
        let bars = split.bars.values().copied().collect();
        let adjoint = context(function, (&mut split.table, &mut split.activity), None, false);
        let bodies = vec![(Body::Forward, &mut split.forward), (Body::Reverse, &mut split.reverse)];
        run(Context { bars, ..adjoint }, bodies);
    }
    let Some(SecondDerivatives { pull_push, split_push }) = second else { return };
    tangent(pull_push, function, Body::PullPush, run);
    if let Some(SplitTangent { pass, forward, reverse, dot }) = split_push {
        let context = context(function, (&mut pass.table, &mut pass.activity), Some(dot), false);
        run(context, vec![(Body::ForwardPush, forward), (Body::ReversePush, reverse)]);
    }
}

fn tangent(code: &mut Tangent<'_>, function: &Function, body: Body, run: &mut Group<'_>) {
    let Tangent { pass, body: block, dot } = code;
    let context = context(function, (&mut pass.table, &mut pass.activity), Some(dot), true);
    run(context, vec![(body, block)]);
}

fn context<'a>(
    function: &'a Function,
    (table, activity): (&'a mut Table, &'a mut Activity),
    dot: Option<&'a Output>,
    joint: bool,
) -> Context<'a> {
    let results = std::iter::once(&function.result).chain(dot).collect();
    Context { table, activity, base: &function.base, params: &function.params, results, bars: Vec::new(), joint }
}

/// Each derivative, with the bodies of which only one is run, and which are alike.
fn each_derivative(
    derivatives: &mut Derivatives<'_>,
    function: &Function,
    run: fn(usize, &mut [forward_substitute::Body<'_>]),
) {
    use forward_substitute::Body;
    let (own, value) = (function.vars.len(), &function.result);
    let Derivatives { push, pull, split, second } = derivatives;
    run(own, &mut [Body::of_tangents(&push.pass, &mut push.body, value, &push.dot)]);
    let mut adjoints = vec![Body::of_adjoint(&pull.table, &mut pull.body, value)];
    if let Some(split) = split {
        adjoints.extend([&mut split.forward, &mut split.reverse].map(|b| Body::of_adjoint(&split.table, b, value)));
    }
    run(own, &mut adjoints);
    let Some(SecondDerivatives { pull_push, split_push }) = second else { return };
    let mut tangents = vec![Body::of_tangents(&pull_push.pass, &mut pull_push.body, value, &pull_push.dot)];
    if let Some(SplitTangent { pass, forward, reverse, dot }) = split_push {
        tangents.extend([forward, reverse].map(|b| Body::of_tangents(pass, b, value, dot)));
    }
    run(own, &mut tangents);
}
