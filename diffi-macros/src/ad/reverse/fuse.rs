//! JointAdjoint blocks: the reverse part in the scope of the forward part.
//!
//! A statement of a joint block may run forward and in reverse at once, before the statements
//! after it, if the cotangents of all that it writes are known by then: because they depend on
//! nothing that comes later than it. A sum over independent terms is the typical case: the
//! cotangent of the sum is the result's, so each term is reversed as soon as it is computed, and
//! nothing is kept. The statements of the reverse part that make those cotangents are found by a
//! backward slice and moved in front.

use crate::ad::reverse::{Reverse, Shape, defined};
use crate::ir::affine::shift::Shift;
use crate::ir::symbols::is_fixed;
use crate::ir::visit::{Touch, Vars, blocks, touched};
use crate::ir::*;
use crate::support::hash::HashMap;

/// A statement of a joint block, translated.
struct Item {
    forward: Vec<Stmt>,
    reverse: Vec<Stmt>,
}

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
        let mut items: Vec<Item> = Vec::new(); // from the last to the first
        for k in (0..stmts.len()).rev() {
            let item = match self.fused(stmts, k, &mut items) {
                Some(forward) => Item { forward, reverse: Vec::new() },
                None => {
                    let outer = std::mem::replace(&mut self.alive, true);
                    let both = self.statement(&stmts[k]);
                    self.alive = outer;
                    Item { forward: both.forward, reverse: both.reverse }
                }
            };
            items.push(item);
        }
        let reverse = items.iter_mut().flat_map(|item| std::mem::take(&mut item.reverse)).collect();
        (items.into_iter().rev().flat_map(|item| item.forward).collect(), reverse)
    }

    /// Statement `k` forward and in reverse at once, if that is possible; takes what must come
    /// before it out of the later items.
    fn fused(&mut self, stmts: &[Stmt], k: usize, later: &mut [Item]) -> Option<Vec<Stmt>> {
        let written = self.fusable(&stmts[k])?;
        let wanted: Vars = written.iter().map(|v| self.bar(*v)).collect();
        let changed = touched(&stmts[k..], &[Touch::Write, Touch::Define]);
        let slice = slice(later, wanted, &changed)?;
        if slice.complete.intersection(&self.late).next().is_some() || self.shaped_later(&slice.complete, stmts, k) {
            return None;
        }
        let both = self.fused_statement(&stmts[k]);
        let used = touched(&both, &[Touch::Read, Touch::Write, Touch::Shape]);
        let cleared = cleared(later, &slice);
        let spoiled = used.intersection(&cleared).next().is_some() || read_later(later, &slice, &both);
        if spoiled || used_between(later, &slice.complete) {
            return None;
        }
        Some(slice.take(later).into_iter().chain(both).collect())
    }

    /// Whether a cotangent takes its shape from a value that is made by statement `k` or later.
    fn shaped_later(&self, bars: &Vars, stmts: &[Stmt], k: usize) -> bool {
        let without_value =
            stmts[..k].iter().filter_map(|s| if let Stmt::Declare { var } = s { Some(*var) } else { None });
        let set = touched(&stmts[k..], &[Touch::Write]);
        let mut made = touched(&stmts[k..], &[Touch::Define]);
        made.extend(without_value.filter(|var| set.contains(var)));
        self.bars.iter().any(|(var, bar)| {
            let ty = self.table.ty(*var);
            let has_shape = *ty == Ty::Float || is_fixed(ty) || self.made_with.contains_key(var);
            bars.contains(bar) && made.contains(var) && !has_shape && !self.external.contains(bar)
        })
    }

    /// The outer variables that a statement writes, if its shape allows fusing.
    fn fusable(&self, stmt: &Stmt) -> Option<Vars> {
        let active = |vars: Vars| -> Vars { vars.into_iter().filter(|v| self.activity.active(*v)).collect() };
        let own = touched(std::slice::from_ref(stmt), &[Touch::Define]);
        let written = touched(std::slice::from_ref(stmt), &[Touch::Write]);
        let outer: Vars = active(written.difference(&own).copied().collect());
        match stmt {
            Stmt::Let { var, expr: Expr::Call(call) } => {
                let mutates = call.args.iter().any(|a| matches!(a, CallArg::Mut(_)));
                let ty = self.table.ty(*var);
                // a cotangent can be made before the value, or comes from outside
                let given = self.bars.get(var).is_some_and(|bar| self.external.contains(bar));
                let shaped = *ty == Ty::Float || is_fixed(ty) || given;
                (!mutates && shaped && self.activity.active(*var)).then(|| [*var].into())
            }
            Stmt::For(on) => self.is_independent(on, &outer).then_some(outer),
            Stmt::If { .. } | Stmt::Switch { .. } => {
                let whole = blocks(stmt).iter().all(|b| self.pushes_nothing(b, &outer));
                (whole && !outer.is_empty()).then_some(outer)
            }
            _ => None,
        }
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

    /// Whether a loop's trips may be reversed one by one as they come: outer floats are only
    /// added to, outer elements are set at most once and never read.
    fn is_independent(&self, on: &For, outer: &Vars) -> bool {
        let reads_none = touched(&on.body.stmts, &[Touch::Read]).intersection(outer).next().is_none();
        let inside = touched(&on.body.stmts, &[Touch::Define, Touch::Write]);
        reads_none && sets_alone(&on.body, outer) && self.adds_only(&on.body, outer, Some((on.var, &inside)))
    }

    /// `trip` is the loop's variable and what changes in it, as long as the block runs once a trip.
    fn adds_only(&self, body: &Block, outer: &Vars, trip: Option<(Var, &Vars)>) -> bool {
        body.stmts.iter().all(|stmt| match stmt {
            Stmt::Assign { place, op, .. } if outer.contains(&place.root) => match op {
                Assign::Add | Assign::Sub | Assign::Begin(_) => true,
                Assign::Set => trip.is_some_and(|(var, inside)| self.own_element(place, var, inside)),
            },
            Stmt::Push { .. } | Stmt::Swap { .. } | Stmt::Let { expr: Expr::Pop(_), .. } => !changes_any(stmt, outer),
            Stmt::Let { expr: Expr::Call(call), .. } => {
                !call.args.iter().any(|a| matches!(a, CallArg::Mut(p) if outer.contains(&p.root)))
            }
            Stmt::If { then, els, .. } => [then, els].into_iter().all(|b| self.adds_only(b, outer, trip)),
            other => blocks(other).iter().all(|b| self.adds_only(b, outer, None)),
        })
    }

    /// `a[i]`, `a[i + c]`, `a[row * n + i]` or `a[lo..hi][i]`: another trip has another element. What lies before
    /// the index must not change `inside` the loop.
    pub fn own_element(&self, place: &Place, loop_var: Var, inside: &Vars) -> bool {
        for step in &place.path {
            match step {
                Proj::Field(_) | Proj::Payload(..) | Proj::Deref => {}
                Proj::Index(index) if index.reads.contains(&loop_var) => {
                    let row = || Shift::of(&self.table, index, loop_var, inside).is_some();
                    return self.is_shift(index, loop_var, inside) || row();
                }
                Proj::Index(index) => {
                    if changes(index, loop_var, inside) {
                        return false;
                    }
                }
                Proj::Range(lo, hi) => {
                    if lo.iter().chain(hi).any(|o| changes(o, loop_var, inside)) {
                        return false;
                    }
                }
            }
        }
        false
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
            Stmt::Let { var, expr: Expr::Call(call) } => self.reverse_sweep(SweepKind::Both, Some(*var), *var, call),
            Stmt::For(on) => {
                let on = For { body: self.joint_block(&on.body), ..on.clone() };
                vec![Stmt::Derived(Derived::Loop(Box::new(Loop {
                    on,
                    trips: None,
                    record: None,
                    sweep: LoopSweep::Primal,
                    lanes: Vec::new(),
                    first: Vec::new(),
                    walks: Vec::new(),
                    opened: false,
                })))]
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
    touched(std::slice::from_ref(stmt), &[Touch::Write]).intersection(vars).next().is_some()
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

/// The statements that make some cotangents complete: per item, the indices taken.
struct Slice {
    taken: HashMap<usize, Vec<usize>>,
    complete: Vars,
}

/// Finds the slice that makes the `wanted` cotangents complete; none if it contains more than
/// sums and products, or reads what only exists later.
fn slice(later: &[Item], mut wanted: Vars, changed: &Vars) -> Option<Slice> {
    let mut taken: HashMap<usize, Vec<usize>> = HashMap::default();
    // Executed order of the reverse parts is the order of `later`; walk it backwards.
    for (at, item) in later.iter().enumerate().rev() {
        for (line, stmt) in item.reverse.iter().enumerate().rev() {
            let makes = touched(std::slice::from_ref(stmt), &[Touch::Write, Touch::Define]);
            if makes.intersection(&wanted).next().is_none() {
                continue;
            }
            if !is_linear(stmt) {
                return None;
            }
            wanted.extend(touched(std::slice::from_ref(stmt), &[Touch::Read, Touch::Shape]));
            taken.entry(at).or_default().push(line);
        }
    }
    if wanted.intersection(changed).next().is_some() {
        return None;
    }
    Some(Slice { taken, complete: wanted })
}

fn is_linear(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { expr: Expr::Op { .. } | Expr::Operand(_) | Expr::Zero, .. } => true,
        Stmt::Assign { place, op: Assign::Add | Assign::Sub, .. } => place.path.is_empty(),
        Stmt::Derived(Derived::Guard { body, .. }) => body.stmts.iter().all(is_linear),
        _ => false,
    }
}

/// The cotangents that statements clear, reshape or exchange.
fn clears(stmts: &[Stmt], found: &mut Vars) {
    for stmt in stmts {
        match stmt {
            Stmt::Derived(Derived::Clear { place, .. } | Derived::Pop { place, .. }) | Stmt::Push { place, .. } => {
                found.insert(place.root);
            }
            Stmt::Swap { a, b, .. } => found.extend([a.root, b.root]),
            Stmt::Derived(Derived::Guard { body, .. } | Derived::Times { body, .. }) => clears(&body.stmts, found),
            Stmt::Derived(Derived::Loop(l)) => clears(&l.on.body.stmts, found),
            other => blocks(other).into_iter().for_each(|b| clears(&b.stmts, found)),
        }
    }
}

/// The cotangents that the remaining reverse parts clear, reshape or exchange.
fn cleared(later: &[Item], slice: &Slice) -> Vars {
    let mut found = Vars::new();
    clears(&slice.left(later), &mut found);
    found
}

/// Whether what comes after the fused statement, fused later items or remaining reverse parts, still reads a cotangent that it
/// clears.
fn read_later(later: &[Item], slice: &Slice, both: &[Stmt]) -> bool {
    let mut gone = Vars::new();
    clears(both, &mut gone);
    let reads = |stmts: &[Stmt]| touched(stmts, &[Touch::Read, Touch::Shape]).intersection(&gone).next().is_some();
    reads(&slice.left(later)) || later.iter().any(|item| reads(&item.forward))
}

/// Whether a fused later item changes one of the cotangents that are thought complete.
fn used_between(later: &[Item], complete: &Vars) -> bool {
    later.iter().any(|item| touched(&item.forward, &[Touch::Write]).intersection(complete).next().is_some())
}

impl Slice {
    /// The reverse statements that are not taken.
    fn left(&self, later: &[Item]) -> Vec<Stmt> {
        let is_taken = |at: usize, line: usize| self.taken.get(&at).is_some_and(|lines| lines.contains(&line));
        let lines = later
            .iter()
            .enumerate()
            .flat_map(|(at, item)| item.reverse.iter().enumerate().map(move |(line, stmt)| (at, line, stmt)));
        lines.filter(|(at, line, _)| !is_taken(*at, *line)).map(|(_, _, stmt)| stmt.clone()).collect()
    }

    /// Takes the slice's statements out of the items, in the order in which they are executed.
    fn take(mut self, later: &mut [Item]) -> Vec<Stmt> {
        let mut out = Vec::new();
        for (at, item) in later.iter_mut().enumerate() {
            let Some(lines) = self.taken.remove(&at) else { continue };
            for (line, stmt) in std::mem::take(&mut item.reverse).into_iter().enumerate() {
                match lines.contains(&line) {
                    true => out.push(stmt),
                    false => item.reverse.push(stmt),
                }
            }
        }
        out
    }
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
        let function = crate::opt::normalize::rename::rename(lowered);
        let (joint, _) = adjoints(&function, &activity(&function));
        print::block(joint.table.vars(), &joint.body)
    }

    #[test]
    fn a_call_whose_result_is_the_functions_goes_both_ways_at_once() {
        let calls = |source| joint(source).matches("pull g").count();
        assert_eq!(calls("fn f(x: &[f64; 4]) -> [f64; 2] { g(&x[..2], x[3]) }"), 1);
        assert_eq!(calls("fn f(x: &[f64; 4]) -> [f64; 2] { let y = g(&x[..2], x[3]); [y[0] * y[1], y[1]] }"), 0);
    }
}
