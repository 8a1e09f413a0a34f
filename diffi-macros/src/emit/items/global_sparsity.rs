//! What derivative code does instead where its answer must hold at every point: with sets of indices as tangents.
//!
//! A function whose derivative code asks for values of active numbers needs another one there, which takes time to compile. It is written
//! where traces have no other way: for functions without a body over any number type, for those of single numbers, which such functions
//! are made of, and where the attribute says `everywhere`. All others that ask have no answer.

use crate::ad::sparsity::{Everywhere, Trace};
use crate::analysis::activity::activity;
use crate::emit::items::frame::Frame;
use crate::ir::*;
use crate::opt::differentiate::{Wanted, derivatives};
use crate::opt::dump::Dump;

/// What traces run.
pub struct Traces<'f> {
    /// Those by numbers without values.
    pub trace: Option<&'f Trace>,
    /// Those by derivative code.
    pub all: &'f Everywhere,
    /// The attribute asks for that.
    pub asked: bool,
}

/// What stands in front of derivative code.
#[derive(Default)]
pub struct Instead {
    pub push: String,
    pub pull_push: String,
}

impl Instead {
    /// For a function with or without a body over any number type, and with or without second derivatives.
    pub fn of(traces: &Traces<'_>, frame: &Frame<'_>, over_any_number: bool, second: bool) -> Instead {
        let guarded = |body: &str| format!("if <Space as __d::LinearSpace<{}>>::EVERYWHERE {{ {body} }}", frame.float);
        let function = match traces.all {
            Everywhere::Itself => return Instead::default(),
            Everywhere::All(function) if traces.asked || !over_any_number || is_of_numbers(function) => function,
            Everywhere::All(_) | Everywhere::Unknown => {
                let refused = guarded("__d::unanswered()");
                return Instead { push: refused.clone(), pull_push: refused };
            }
        };
        let activity = activity(function);
        let products = derivatives(function, &activity, Wanted { again: true, second }, &Dump::default());
        // parameters have the names that the header gives them
        let around = frame;
        let mut frame = Frame::new(function, &activity, around.holes);
        frame.foreign = around.foreign.clone();
        frame.take_answers(around);
        let pull_push = if second { guarded(&frame.pull_push_everywhere(&products)) } else { String::new() };
        Instead { push: guarded(&frame.push_everywhere(&products.push)), pull_push }
    }
}

/// Whether the function takes and gives single numbers.
fn is_of_numbers(function: &Function) -> bool {
    let number = |p: &Param| !p.active || function.vars[p.var.0 as usize].ty == Ty::Float;
    matches!(function.result, Output::Float(_)) && function.params.iter().all(number)
}
