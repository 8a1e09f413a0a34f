//! The derivative code of one function, as blocks of the IR.

use crate::ad::forward::Forward;
use crate::ad::reverse::{JointAdjoint, SplitAdjoint};
use crate::analysis::activity::Activity;
use crate::ir::symbols::Table;
use crate::ir::*;

/// The derivative code of one function.
pub struct Derivatives<'f> {
    /// Tangents.
    pub push: Tangent<'f>,
    /// The adjoint, both sweeps in one body.
    pub pull: JointAdjoint,
    /// The adjoint in two sweeps; none if the forward one would keep nothing.
    pub split: Option<SplitAdjoint>,
    /// Second derivatives, if the function has any.
    pub second: Option<SecondDerivatives<'f>>,
}

/// The tangents of adjoints.
pub struct SecondDerivatives<'f> {
    /// The tangent of the joint adjoint.
    pub pull_push: Tangent<'f>,
    /// The tangent of the split adjoint.
    pub split_push: Option<SplitTangent<'f>>,
}

/// A body with tangents.
pub struct Tangent<'f> {
    /// The transform, which knows the tangent of each variable.
    pub pass: Forward<'f>,
    /// The statements.
    pub body: Block,
    /// The tangent of the result.
    pub dot: Output,
}

/// Two sweeps with tangents.
pub struct SplitTangent<'f> {
    /// The transform, which knows the tangent of each variable.
    pub pass: Forward<'f>,
    /// The forward sweep.
    pub forward: Block,
    /// The reverse sweep.
    pub reverse: Block,
    /// The tangent of the result.
    pub dot: Output,
}

impl<'f> Tangent<'f> {
    /// The tangent of a function.
    pub fn of_function(function: &'f Function, activity: &Activity) -> Self {
        let mut pass = Forward::new(function, Table::of(function), activity.clone());
        let mut body = pass.body(&function.body);
        let dot = result(&mut pass, function, &mut body);
        Tangent { pass, body, dot }
    }

    /// The tangent of its adjoint: forward over reverse.
    fn of_adjoint(function: &'f Function, pull: &JointAdjoint) -> Self {
        let mut pass = Forward::new(function, pull.table.clone(), pull.activity.clone());
        externals(&mut pass, pull.bars.values().copied().chain(pull.y_bar));
        let mut body = pass.body(&pull.body);
        let dot = result(&mut pass, function, &mut body);
        Tangent { pass, body, dot }
    }
}

impl<'f> SplitTangent<'f> {
    fn of_adjoint(function: &'f Function, split: &SplitAdjoint) -> Self {
        let mut pass = Forward::new(function, split.table.clone(), split.activity.clone());
        externals(&mut pass, split.bars.values().copied().chain(split.y_bar));
        let mut forward = pass.body(&split.forward);
        let dot = result(&mut pass, function, &mut forward);
        let reverse = pass.body(&split.reverse);
        SplitTangent { pass, forward, reverse, dot }
    }
}

impl<'f> SecondDerivatives<'f> {
    /// Forward over reverse, for both forms of the adjoint.
    pub fn of_adjoints(function: &'f Function, pull: &JointAdjoint, split: Option<&SplitAdjoint>) -> Self {
        SecondDerivatives {
            pull_push: Tangent::of_adjoint(function, pull),
            split_push: split.map(|split| SplitTangent::of_adjoint(function, split)),
        }
    }
}

/// The tangent of the result; the statements that it needs go to the end of the body.
fn result(pass: &mut Forward<'_>, function: &Function, body: &mut Block) -> Output {
    let out = pass.result(&function.result);
    body.stmts.extend(pass.pending());
    out
}

fn externals(pass: &mut Forward<'_>, bars: impl Iterator<Item = Var>) {
    let mut bars: Vec<Var> = bars.collect();
    bars.sort();
    bars.into_iter().for_each(|bar| pass.external(bar));
}
