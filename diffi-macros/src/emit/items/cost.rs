//! Functions whose values cost less to find again than what their reverse sweep needs costs to keep.
//!
//! A formula that calls others, as a step by the method of Runge and Kutta does, would leave on the tape what each of the calls was
//! given and gave. What such formulas cost is counted in arithmetic operations, and written down beside each function as `__COST`;
//! a function sums up its callees' when rustc compiles it. Where that is little, the forward sweep is the function itself,
//! and the reverse sweep begins with another. A formula that calls nothing is known to be such a one before rustc sees it.

use crate::ad::reverse::SplitAdjoint;
use crate::analysis::cost_model::{DIVISION, FUNCTION, KEPT_AGGREGATE, KEPT_NUMBER};
use crate::emit::items::frame::Frame;
use crate::ir::purity::repeatable;
use crate::ir::*;
use crate::support::hash::HashMap;
use quote::ToTokens;

/// What a formula consists of.
#[derive(Default)]
struct Cost {
    /// Operations.
    own: usize,
    /// How often functions are called, by their handles.
    calls: HashMap<String, (usize, String)>,
}

impl Cost {
    fn add(&mut self, operations: usize) -> Option<()> {
        self.own += operations;
        Some(())
    }
}

impl Frame<'_> {
    /// What is in `__COST`: the operations of a formula, or the largest number.
    pub fn cost(&self) -> String {
        let Some(cost) = self.formula() else { return "usize::MAX".to_owned() };
        if cost.calls.is_empty() {
            return format!("{}usize", cost.own);
        }
        format!("{{ {} {} }}", self.imports(), cost.sum())
    }

    /// Whether the function is to be evaluated again in front of its reverse sweep, as a constant of rustc's.
    pub fn again(&self, apart: &SplitAdjoint) -> Option<String> {
        let cost = self.formula().filter(|cost| !cost.calls.is_empty())?;
        let limit = kept(apart);
        (limit > cost.own).then(|| format!("const {{ {} <= {limit} }}", cost.sum()))
    }

    /// Whether the function calls nothing, and is to be evaluated again in front of its reverse sweep.
    pub fn is_made_again(&self, apart: &SplitAdjoint) -> bool {
        let limit = kept(apart);
        limit > 0 && self.formula().is_some_and(|cost| cost.calls.is_empty() && cost.own <= limit)
    }

    /// The cost of a function that only computes.
    fn formula(&self) -> Option<Cost> {
        let function = self.function;
        let read_only = |p: &Param| matches!(p.passing, Passing::Value | Passing::Ref);
        let imports =
            function.items.iter().all(|i| i.clone().into_iter().next().is_some_and(|t| t.to_string() == "use"));
        if function.owner.is_some() || !imports || !is_plain(&function.result) || !function.params.iter().all(read_only)
        {
            return None;
        }
        let mut cost = Cost::default();
        self.count(&function.body, 1, &mut cost)?;
        Some(cost)
    }

    fn count(&self, block: &Block, times: usize, cost: &mut Cost) -> Option<()> {
        block.stmts.iter().try_for_each(|stmt| match stmt {
            Stmt::Let { expr: Expr::Call(call), .. } => self.count_call(call, times, cost),
            Stmt::Let { expr, .. } => cost.add(times * operations(expr)?),
            Stmt::Assign { op, .. } => cost.add(times * usize::from(*op != Assign::Set)),
            Stmt::Declare { .. } => Some(()),
            Stmt::For(on) if on.until.is_none() && on.checkpoint.is_none() => {
                let iterations = crate::ad::reverse::written_iterations(on)?;
                self.count(&on.body, times * iterations, cost)
            }
            _ => None,
        })
    }

    fn count_call(&self, call: &Call, times: usize, cost: &mut Cost) -> Option<()> {
        let Callee::Function(path) = &call.callee else { return None };
        let changes = call.args.iter().any(|arg| matches!(arg, CallArg::Mut(_)));
        let named = || (0, self.holes.put(path.to_token_stream()));
        cost.calls.entry(path.to_string()).or_insert_with(named).0 += times;
        (!changes).then_some(())
    }
}

impl Cost {
    fn sum(&self) -> String {
        let mut calls: Vec<&(usize, String)> = self.calls.values().collect();
        calls.sort();
        let calls: String = calls.iter().map(|(times, path)| format!("({times}, <{path}>::__COST), ")).collect();
        format!("__d::cost({}, &[{calls}])", self.own)
    }
}

/// What the forward sweep keeps, in operations.
fn kept(apart: &SplitAdjoint) -> usize {
    apart.forward.stmts.iter().map(worth).sum()
}

/// What a statement keeps, in operations.
fn worth(stmt: &Stmt) -> usize {
    match stmt {
        Stmt::Derived(Derived::PushFrame(r)) => {
            KEPT_NUMBER * (r.floats.len() + r.words.len()) + KEPT_AGGREGATE * r.wholes.len()
        }
        _ => 0,
    }
}

fn operations(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Op { op: Op::Neg | Op::Add | Op::Sub | Op::Mul, .. } => Some(1),
        Expr::Op { op: Op::Div, .. } => Some(DIVISION),
        Expr::Op { .. } => Some(FUNCTION),
        Expr::Operand(_) | Expr::Array(_) | Expr::Tuple(_) | Expr::Struct(_) | Expr::Zero => Some(0),
        Expr::Passive(o) => repeatable(o).then_some(1),
        _ => None,
    }
}

/// Whether the result is what the body makes, and nothing stands beside it.
fn is_plain(result: &Output) -> bool {
    match result {
        Output::Float(_) | Output::Place(_) => true,
        Output::Tuple(all) | Output::Array(all) => all.iter().all(is_plain),
        Output::Maybe(_) | Output::Beside(..) | Output::Passive(_) | Output::Unit => false,
    }
}
