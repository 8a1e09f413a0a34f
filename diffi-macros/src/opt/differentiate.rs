//! The derivative code of a function: the transforms, and the passes of each stage around them.

use crate::ad::derivatives::{Derivatives, SecondDerivatives, Tangent};
use crate::ad::reverse::adjoints;
use crate::ad::reverse::reevaluation::is_evaluated_again;
use crate::analysis::activity::Activity;
use crate::ir::*;
use crate::opt::dump::Dump;
use crate::opt::pass::{Run, Stage, run};
use crate::opt::passes::running;
use crate::opt::verify::verify;
use crate::support::timer::timed;

/// The derivative code that is asked for.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// A forward sweep may be left out where the function itself can be called once more.
    pub again: bool,
    /// Second derivatives.
    pub second: bool,
}

/// The function, ready for the transforms.
pub fn normalized(mut function: Function, dump: &Dump) -> Function {
    for pass in running(Stage::Function) {
        if let Run::Function(run) = pass.run {
            function = dump.after_function(pass.name, timed(pass.name, || run(function)));
        }
    }
    function
}

/// A closure that is handed to another function, ready for the transforms.
pub fn normalized_closure(mut function: Function) -> Function {
    for pass in running(Stage::Function).filter(|pass| pass.name != "cse") {
        if let Run::Function(run) = pass.run {
            function = run(function);
        }
    }
    function
}

/// The derivative code of a closure, always with both forms of the adjoint: it cannot be called once more from its own code.
pub fn derivatives_of_closure<'f>(function: &'f Function, activity: &Activity) -> Derivatives<'f> {
    derivatives(function, activity, Wanted { again: false, second: true }, &Dump::default())
}

/// The derivative code of a function.
pub fn derivatives<'f>(function: &'f Function, activity: &Activity, wanted: Wanted, dump: &Dump) -> Derivatives<'f> {
    let push = timed("tangent", || Tangent::of_function(function, activity));
    let (pull, split) = timed("adjoints", || adjoints(function, activity));
    let mut code = Derivatives { push, pull, split: Some(split), second: None };
    dump.derivatives("differentiate", function, &mut code);
    verify("differentiate", Stage::Adjoint, function, &mut code);
    passes(Stage::Adjoint, function, &mut code, dump);
    code.split = code.split.filter(|split| !wanted.again || !is_evaluated_again(function, split));
    code.second = wanted
        .second
        .then(|| timed("second", || SecondDerivatives::of_adjoints(function, &code.pull, code.split.as_ref())));
    dump.transformed(function, &mut code);
    verify("forward over reverse", Stage::Code, function, &mut code);
    passes(Stage::Code, function, &mut code, dump);
    code
}

fn passes(stage: Stage, function: &Function, code: &mut Derivatives<'_>, dump: &Dump) {
    for pass in running(stage) {
        timed(pass.name, || run(pass, function, code));
        dump.after(pass.name, function, code);
        timed("verify", || verify(pass.name, stage, function, code));
    }
}
