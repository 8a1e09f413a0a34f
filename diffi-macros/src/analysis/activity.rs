//! Activity analysis (Tapenade): the parameters that each variable depends on, and the variables that carry derivatives.
//!
//! A variable is *varied* by the parameters whose derivatives flow into it. It is *useful* if its own derivative flows into a result.
//! An active variable is both. The types at the call decide which parameters are active; this analysis only tells which of them each
//! variable depends on. It works on the IR of a finished function. `frontend::infer::activity` asks another question, of syntax,
//! while lowering is still at work: whether an expression may be active at all.

use crate::ir::visit::blocks;
use crate::ir::*;
use diffi_rules::Kind;

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Activity {
    varied: Vec<ParamSet>,
    useful: Vec<bool>,
    everything: ParamSet,
}

impl Activity {
    /// The parameters that a variable's derivative may come from.
    pub fn varied(&self, var: Var) -> ParamSet {
        self.varied.get(var.0 as usize).copied().unwrap_or_default()
    }

    /// Whether tangents flow through it.
    pub fn has_tangent(&self, var: Var) -> bool {
        !self.varied(var).is_empty()
    }

    /// Whether cotangents flow through it.
    pub fn active(&self, var: Var) -> bool {
        self.has_tangent(var) && self.useful.get(var.0 as usize).copied().unwrap_or(false)
    }

    /// All parameters that can be active.
    pub fn everything(&self) -> ParamSet {
        self.everything
    }

    /// The condition under which code for `set` must run; `None` if it always must.
    pub fn guard(&self, set: ParamSet) -> Option<ParamSet> {
        (set != self.everything).then_some(set)
    }

    /// The same for a body over other numbers, which all calls give, whatever they are given.
    pub fn with_calls(&self, function: &Function) -> Activity {
        let mut found = self.clone();
        found.note_calls(&function.body);
        while found.forward(function, &function.body) {}
        found
    }

    fn note_calls(&mut self, block: &Block) {
        for stmt in &block.stmts {
            if let Stmt::Let { var, expr: Expr::Call(_) } = stmt {
                self.varied[var.0 as usize] = self.everything;
            }
            blocks(stmt).into_iter().for_each(|b| self.note_calls(b));
        }
    }

    /// Notes that a variable is another's twin.
    pub fn same(&mut self, var: Var, of: Var) {
        self.note(var, self.varied(of));
        self.useful[var.0 as usize] = self.useful.get(of.0 as usize).copied().unwrap_or(false);
    }

    /// Notes what the transformations find out about a variable that they made.
    pub fn note(&mut self, var: Var, varied: ParamSet) {
        let index = var.0 as usize;
        if self.varied.len() <= index {
            self.varied.resize(index + 1, ParamSet::default());
            self.useful.resize(index + 1, true);
        }
        self.varied[index] = varied;
    }
}

/// Runs the analysis to its fixed point, forwards and then backwards.
pub fn activity(function: &Function) -> Activity {
    let mut found = Activity {
        varied: vec![ParamSet::default(); function.vars.len()],
        useful: vec![false; function.vars.len()],
        everything: ParamSet::default(),
    };
    for (index, param) in function.params.iter().enumerate().filter(|(_, p)| is_source(p)) {
        found.varied[param.var.0 as usize] = ParamSet::one(index);
        found.everything = found.everything.or(ParamSet::one(index));
    }
    while found.forward(function, &function.body) {}
    found.overwritten(function);
    let mut ends = Vec::new();
    results(&function.result, &mut ends);
    ends.extend(function.params.iter().filter(|p| is_written(p)).map(|p| p.var));
    ends.into_iter().for_each(|v| found.useful[v.0 as usize] = true);
    while found.backward(function, &function.body) {}
    found
}

/// Whether the parameter's value at entry matters: not that of scratch, nor of an output.
fn is_source(param: &Param) -> bool {
    let followed = param.function.as_ref().is_some_and(|f| f.followed);
    followed || param.active && !param.cache && param.passing != Passing::Out
}

fn is_written(param: &Param) -> bool {
    param.active && matches!(param.passing, Passing::Mut | Passing::Out)
}

fn results(out: &Output, ends: &mut Vec<Var>) {
    match out {
        Output::Float(Operand::Place(p)) | Output::Place(p) => ends.push(p.root),
        Output::Tuple(all) | Output::Array(all) => all.iter().for_each(|o| results(o, ends)),
        Output::Maybe(m) => results(&m.content, ends),
        Output::Beside(y, _) => results(y, ends),
        _ => {}
    }
}

/// A flow of derivatives: from the roots on the left into the variable on the right.
struct Flow {
    from: Vec<Var>,
    into: Var,
}

fn root(o: &Operand) -> Option<Var> {
    match o {
        Operand::Place(p) => Some(p.root),
        Operand::Passive(_) | Operand::Made { .. } => None,
    }
}

/// The derivative flows of one statement (not of its blocks).
fn flows(stmt: &Stmt) -> Vec<Flow> {
    match stmt {
        Stmt::Let { var, expr: Expr::Call(call) } => call_flows(*var, call),
        Stmt::Let { var, expr } => vec![Flow { from: operands(expr), into: *var }],
        Stmt::Assign { place, value, .. } | Stmt::Push { place, value, .. } => {
            vec![Flow { from: root(value).into_iter().collect(), into: place.root }]
        }
        Stmt::Swap { a, b, .. } => {
            vec![Flow { from: vec![a.root], into: b.root }, Flow { from: vec![b.root], into: a.root }]
        }
        _ => vec![],
    }
}

fn call_flows(result: Var, call: &Call) -> Vec<Flow> {
    let from: Vec<Var> = call
        .args
        .iter()
        .filter_map(|arg| match arg {
            CallArg::Ref(p) | CallArg::Mut(p) => Some(p.root),
            CallArg::Value(o) => root(o),
            CallArg::Passive(_) | CallArg::Lent(_) => None,
        })
        .chain(call.functions())
        .collect();
    let written = call.args.iter().filter_map(|arg| match arg {
        CallArg::Mut(p) => Some(p.root),
        _ => None,
    });
    written.chain([result]).map(|into| Flow { from: from.clone(), into }).collect()
}

/// The places that an expression's derivative comes from.
fn operands(expr: &Expr) -> Vec<Var> {
    match expr {
        Expr::Operand(o) => root(o).into_iter().collect(),
        Expr::Op { op, .. } if crate::analysis::activity::is_flat(op) => vec![],
        Expr::Op { args, .. } | Expr::Array(args) | Expr::VecOf(args) | Expr::Tuple(args) => {
            args.iter().filter_map(root).collect()
        }
        Expr::Struct(s) => s.fields.iter().filter_map(|(_, o)| root(o)).collect(),
        Expr::Boxed(o) => root(o).into_iter().collect(),
        Expr::Repeat { value, .. } | Expr::VecRepeat { value, .. } => root(value).into_iter().collect(),
        Expr::ToVec(p) | Expr::Pop(p) | Expr::Content(p) => vec![p.root],
        Expr::Call(_)
        | Expr::VecNew(_)
        | Expr::Passive(_)
        | Expr::Zero
        | Expr::Fresh { .. }
        | Expr::If { .. }
        | Expr::Scratch { .. } => vec![],
    }
}

impl Activity {
    /// Outputs that are given nothing but constants: what derivatives the caller's variables had must end with their values.
    fn overwritten(&mut self, function: &Function) {
        for (index, param) in function.params.iter().enumerate() {
            if param.active && param.passing == Passing::Out && self.varied(param.var).is_empty() {
                if self.everything.is_empty() {
                    self.everything = ParamSet::one(index);
                }
                self.varied[param.var.0 as usize] = self.everything;
            }
        }
    }

    fn forward(&mut self, function: &Function, block: &Block) -> bool {
        let mut changed = false;
        for stmt in &block.stmts {
            for flow in flows(stmt) {
                if function.vars[flow.into.0 as usize].ty == Ty::Passive {
                    continue;
                }
                let into = flow.into.0 as usize;
                let set = flow.from.iter().fold(self.varied[into], |set, v| set.or(self.varied(*v)));
                changed |= set != self.varied[into];
                self.varied[into] = set;
            }
            for inner in blocks(stmt) {
                changed |= self.forward(function, inner);
            }
        }
        changed
    }

    /// A call that changes what is useful takes a cotangent for its result, even where nobody reads that.
    fn backward(&mut self, function: &Function, block: &Block) -> bool {
        let mut changed = false;
        for stmt in block.stmts.iter().rev() {
            for inner in blocks(stmt) {
                changed |= self.backward(function, inner);
            }
            if let Stmt::Let { var, expr: Expr::Call(call) } = stmt
                && function.vars[var.0 as usize].named
                && call.args.iter().any(|a| matches!(a, CallArg::Mut(p) if self.useful[p.root.0 as usize]))
            {
                changed |= !std::mem::replace(&mut self.useful[var.0 as usize], true);
            }
            for flow in flows(stmt) {
                for from in flow.from.into_iter().filter(|_| self.useful[flow.into.0 as usize]).collect::<Vec<_>>() {
                    changed |= !std::mem::replace(&mut self.useful[from.0 as usize], true);
                }
            }
        }
        changed
    }
}

/// Whether an operation's derivative is zero everywhere.
pub fn is_flat(op: &Op) -> bool {
    matches!(op, Op::Fn(name) if diffi_rules::rule(name).is_some_and(|r| r.kind == Kind::Flat))
}
