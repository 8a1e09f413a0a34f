//! JointAdjoint blocks: the reverse part in the scope of the forward part.
//!
//! A statement of a joint block may run forward and in reverse at once, before the statements
//! after it, if the cotangents of all that it writes are known by then: because they depend on
//! nothing that comes later than it. A sum over independent terms is the typical case: the
//! cotangent of the sum is the result's, so each term is reversed as soon as it is computed, and
//! nothing is kept. The statements of the reverse part that make those cotangents are found by a
//! backward slice and moved in front.

use crate::ad::reverse::joint_items::Later;
use crate::ad::reverse::{Reverse, Shape, defined};
use crate::ir::affine::shift::Shift;
use crate::ir::symbols::{Role, is_fixed};
use crate::ir::visit::{Access, Vars, blocks, touched};
use crate::ir::*;

impl Reverse<'_> {
    /// A nested joint block, complete.
    pub fn joint_block(&mut self, block: &Block) -> Block {
        let (mut stmts, rest) = self.joint_items(block);
        stmts.extend(rest);
        let stmts = self.introduce(stmts, &defined(&block.stmts), Shape::AtHand);
        Block { stmts }
    }

    /// The forward (and fused) statements of a joint block, and the reverse ones that follow.
    pub fn joint_items(&mut self, block: &Block) -> (Vec<Stmt>, Vec<Stmt>) {
        let stmts = &block.stmts;
        let mut later = Later::of(stmts);
        for stmt in stmts.iter().rev() {
            later.note(stmt);
            match self.fused(stmt, &mut later) {
                Some(forward) => later.push(forward, Vec::new()),
                None => {
                    let outer = std::mem::replace(&mut self.alive, true);
                    let both = self.statement(stmt);
                    self.alive = outer;
                    later.push(both.forward, both.reverse);
                }
            }
        }
        later.into_parts()
    }

    /// A statement forward and in reverse at once, if that is possible; takes what must come
    /// before it out of the later items.
    fn fused(&mut self, stmt: &Stmt, later: &mut Later) -> Option<Vec<Stmt>> {
        let written = self.fusable(stmt)?;
        let wanted: Vars = written.iter().map(|v| self.bar(*v)).collect();
        let slice = later.slice(wanted)?;
        if slice.complete.intersection(&self.late).next().is_some() || self.shaped_later(&slice.complete, later) {
            return None;
        }
        let both = self.fused_statement(stmt);
        let used = touched(&both, &[Access::Read, Access::Write, Access::Shape]);
        let taken = |v: Var| later.clears(v, &slice) || self.table.role(v) == Role::Bar && later.sets(v);
        let taken_later = used.iter().any(|v| taken(*v));
        if taken_later || later.reads_any(&self.changed_bars(&both), &slice) || later.changes_any(&slice.complete) {
            return None;
        }
        Some(later.take(&slice).into_iter().chain(both).collect())
    }

    /// The cotangents that statements add to or take from. What comes later in the function takes its own from them before.
    fn changed_bars(&self, stmts: &[Stmt]) -> Vars {
        let own = touched(stmts, &[Access::Define]);
        let changed = touched(stmts, &[Access::Write]);
        changed.difference(&own).copied().filter(|v| self.table.role(*v) == Role::Bar).collect()
    }

    /// Whether a cotangent takes its shape from a value that is made by the statement at hand or later.
    fn shaped_later(&self, bars: &Vars, later: &Later) -> bool {
        let owners = |bar: &Var| self.owners.get(bar).into_iter().flatten();
        bars.iter().filter(|bar| !self.external.contains(bar)).flat_map(owners).any(|var| {
            let ty = self.table.ty(*var);
            let has_shape = *ty == Ty::Float || is_fixed(ty) || self.made_with.contains_key(var);
            !has_shape && later.makes(*var)
        })
    }

    /// The outer variables that a statement writes, if its shape allows fusing.
    fn fusable(&self, stmt: &Stmt) -> Option<Vars> {
        let active = |vars: Vars| -> Vars { vars.into_iter().filter(|v| self.activity.active(*v)).collect() };
        let own = touched(std::slice::from_ref(stmt), &[Access::Define]);
        let written = touched(std::slice::from_ref(stmt), &[Access::Write]);
        let outer: Vars = active(written.difference(&own).copied().collect());
        match stmt {
            Stmt::Let { var, expr: Expr::Call(call) } => self.is_fusable_call(*var, call).then(|| [*var].into()),
            Stmt::For(on) => self.is_independent(on, &outer).then_some(outer),
            Stmt::If { .. } | Stmt::Switch { .. } => {
                let whole = blocks(stmt).iter().all(|b| self.pushes_nothing(b, &outer));
                (whole && !outer.is_empty()).then_some(outer)
            }
            _ => None,
        }
    }

    fn is_fusable_call(&self, var: Var, call: &Call) -> bool {
        let mutates = call.args.iter().any(|a| matches!(a, CallArg::Mut(_)));
        let ty = self.table.ty(var);
        // a cotangent can be made before the value, or comes from outside
        let given = self.bars.get(&var).is_some_and(|bar| self.external.contains(bar));
        let shaped = *ty == Ty::Float || is_fixed(ty) || given;
        !mutates && shaped && self.activity.active(var)
    }

    fn pushes_nothing(&self, block: &Block, outer: &Vars) -> bool {
        block.stmts.iter().all(|stmt| match stmt {
            Stmt::Push { .. } | Stmt::Swap { .. } | Stmt::Let { expr: Expr::Pop(_), .. } => !changes_any(stmt, outer),
            Stmt::Let { expr: Expr::Call(call), .. } => {
                !call.args.iter().any(|a| matches!(a, CallArg::Mut(p) if outer.contains(&p.root)))
            }
            other => blocks(other).iter().all(|b| self.pushes_nothing(b, outer)),
        })
    }

    /// Whether a loop's iterations may be reversed one by one as they come: outer floats are only
    /// added to, outer elements are set at most once and never read.
    fn is_independent(&self, on: &For, outer: &Vars) -> bool {
        let reads_none = touched(&on.body.stmts, &[Access::Read]).intersection(outer).next().is_none();
        let inside = touched(&on.body.stmts, &[Access::Define, Access::Write]);
        reads_none && sets_alone(&on.body, outer) && self.adds_only(&on.body, outer, Some((on.var, &inside)))
    }

    /// `iteration` is the loop's variable and what changes in it, as long as the block runs once an iteration.
    fn adds_only(&self, body: &Block, outer: &Vars, iteration: Option<(Var, &Vars)>) -> bool {
        body.stmts.iter().all(|stmt| match stmt {
            Stmt::Assign { place, op, .. } if outer.contains(&place.root) => match op {
                Assign::Add | Assign::Sub | Assign::Begin(_) => true,
                Assign::Set => iteration.is_some_and(|(var, inside)| self.own_element(place, var, inside)),
            },
            Stmt::Push { .. } | Stmt::Swap { .. } | Stmt::Let { expr: Expr::Pop(_), .. } => !changes_any(stmt, outer),
            Stmt::Let { expr: Expr::Call(call), .. } => {
                !call.args.iter().any(|a| matches!(a, CallArg::Mut(p) if outer.contains(&p.root)))
            }
            Stmt::If { then, els, .. } => [then, els].into_iter().all(|b| self.adds_only(b, outer, iteration)),
            other => blocks(other).iter().all(|b| self.adds_only(b, outer, None)),
        })
    }

    /// `a[i]`, `a[i + c]`, `a[row * n + i]` or `a[lo..hi][i]`: another iteration has another element. What lies before
    /// the index must not change `inside` the loop.
    pub fn own_element(&self, place: &Place, loop_var: Var, inside: &Vars) -> bool {
        let own = |step: &Proj| matches!(step, Proj::Index(index) if index.reads.contains(&loop_var));
        let stays = |step: &Proj| match step {
            Proj::Field(_) | Proj::Payload(..) | Proj::Deref => true,
            Proj::Index(index) => !changes(index, loop_var, inside),
            Proj::Range(lo, hi) => !lo.iter().chain(hi).any(|o| changes(o, loop_var, inside)),
        };
        match place.path.iter().find(|step| own(step) || !stays(step)) {
            Some(step @ Proj::Index(index)) if own(step) => {
                let row = || Shift::of(&self.table, index, loop_var, inside).is_some();
                self.is_shift(index, loop_var, inside) || row()
            }
            _ => false,
        }
    }

    /// The loop variable, plus or minus what does not change.
    fn is_shift(&self, index: &PassiveCode, loop_var: Var, inside: &Vars) -> bool {
        let name = self.table.info(loop_var).name.to_string();
        let mut seen = 0;
        for tree in index.tokens.clone() {
            match tree {
                proc_macro2::TokenTree::Ident(i) if i == name => seen += 1,
                proc_macro2::TokenTree::Ident(_) | proc_macro2::TokenTree::Literal(_) => {}
                proc_macro2::TokenTree::Punct(p) if matches!(p.as_char(), '+' | '-') => {}
                _ => return false,
            }
        }
        seen == 1 && !index.reads.iter().any(|v| inside.contains(v))
    }

    fn fused_statement(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        match stmt {
            Stmt::Let { var, expr: Expr::Call(call) } => {
                let bar = self.bar(*var);
                self.reverse_sweep(SweepKind::Both, (Some(*var), Some(bar)), call)
            }
            Stmt::For(on) => {
                let on = For { body: self.joint_block(&on.body), ..on.clone() };
                vec![Stmt::Derived(Derived::Loop(Box::new(Loop::new(on, LoopSweep::Primal))))]
            }
            Stmt::If { cond, then, els } => {
                let (then, els) = (self.joint_block(then), self.joint_block(els));
                vec![Stmt::If { cond: cond.clone(), then, els }]
            }
            Stmt::Switch { scrutinee, arms } => {
                let arms = arms.iter().map(|a| Arm { body: self.joint_block(&a.body), ..a.clone() }).collect();
                vec![Stmt::Switch { scrutinee: scrutinee.clone(), arms }]
            }
            other => unreachable!("only calls, loops and branches are fused: {other:?}"),
        }
    }
}

fn changes_any(stmt: &Stmt, vars: &Vars) -> bool {
    touched(std::slice::from_ref(stmt), &[Access::Write]).intersection(vars).next().is_some()
}

/// An array of which elements are set is written at one place only.
fn sets_alone(body: &Block, outer: &Vars) -> bool {
    let mut writes: Vec<(Var, String, Assign)> = Vec::new();
    collect_writes(body, &mut writes);
    writes
        .iter()
        .filter(|(root, _, op)| outer.contains(root) && *op == Assign::Set)
        .all(|(root, key, _)| writes.iter().filter(|(other, ..)| other == root).all(|(_, other, _)| other == key))
}

fn collect_writes(block: &Block, out: &mut Vec<(Var, String, Assign)>) {
    for stmt in &block.stmts {
        if let Stmt::Assign { place, op, .. } = stmt {
            out.push((place.root, crate::ir::place::key(place), *op));
        }
        blocks(stmt).into_iter().for_each(|inner| collect_writes(inner, out));
    }
}

fn changes(o: &PassiveCode, loop_var: Var, inside: &Vars) -> bool {
    o.depends_on(inside) || o.depends_on(&[loop_var].into())
}

#[cfg(test)]
mod tests {
    use crate::ad::reverse::adjoints;
    use crate::analysis::activity::activity;
    use crate::ir::print;
    use crate::support::options::Options;

    fn joint(source: &str) -> String {
        let item: syn::ItemFn = syn::parse_str(source).expect("parses");
        let lowered =
            crate::frontend::lower::lower(&Options::default(), &item, None).expect("the function is accepted");
        let function = crate::opt::scalar::dead_code::dead_code(crate::opt::normalize::rename::rename(lowered));
        let (joint, _) = adjoints(&function, &activity(&function));
        print::block(joint.table.vars(), &joint.body)
    }

    #[test]
    fn a_call_whose_result_is_the_functions_goes_both_ways_at_once() {
        let calls = |source| joint(source).matches("pull g").count();
        assert_eq!(calls("fn f(x: &[f64; 4]) -> [f64; 2] { g(&x[..2], x[3]) }"), 1);
        assert_eq!(calls("fn f(x: &[f64; 4]) -> [f64; 2] { let y = g(&x[..2], x[3]); [y[0] * y[1], y[1]] }"), 0);
    }

    #[test]
    fn a_sum_over_what_a_call_changes_later_is_reversed_after_that_call() {
        let after = |change| {
            let sum = "let mut t = 0.0; for i in 0..v.len() { t += v[i] * v[i]; }";
            let source = format!("fn f(x: &[f64]) -> f64 {{ let mut v = x.to_vec(); {sum} {change} t + v[0] }}");
            joint(&source).matches("for i").count()
        };
        assert_eq!((after(""), after("g(&mut v);")), (1, 2));
    }
}
