//! TBR analysis across calls (Hascoët, Naumann & Pascual 2005): values whose only readers in a reverse sweep are adjoints of calls.
//!
//! Whether a called function's adjoint reads an argument depends on types, which rustc knows. A value is therefore listed with the
//! calls that may read it, and generated code keeps it if one of them does.

use crate::ir::symbols::Table;
use crate::ir::visit::{Access, Vars, Visit, blocks, each_passive, touched};
use crate::ir::*;
use crate::support::hash::HashMap;
use crate::support::switches::is_on;
use std::collections::BTreeSet;

/// An argument of a call in a reverse sweep.
#[derive(Clone, Copy)]
pub struct Reader<'b> {
    /// The call.
    pub sweep: &'b Sweep,
    /// Which of its arguments.
    pub argument: usize,
}

/// The readers of each value; none where something else reads it too.
pub type Readers<'b> = HashMap<Var, Option<Vec<Reader<'b>>>>;

/// The readers of what is popped from the tape, by the variables that it was kept for.
pub fn readers_of_kept<'b>(table: &Table, blocks: &[&'b Block]) -> Readers<'b> {
    let mut all = Readers::default();
    blocks.iter().for_each(|block| kept(table, &block.stmts, &mut all));
    all
}

fn kept<'b>(table: &Table, stmts: &'b [Stmt], all: &mut Readers<'b>) {
    for (k, stmt) in stmts.iter().enumerate() {
        if let Stmt::Derived(Derived::PopFrame(frame)) = stmt {
            let conditional = |v: &Var| !frame.again && !frame.shapes.contains(v) && !frame.into.contains(v);
            let vars = || frame.wholes.iter().chain(frame.whole_dots.iter().map(|(dot, _)| dot));
            let found = readers_of(vars().copied().collect(), &stmts[k + 1..]);
            for var in vars() {
                let own = found.get(var).cloned().flatten().filter(|_| conditional(var));
                let known = all.entry(table.origin(*var)).or_insert(Some(Vec::new()));
                *known = known.take().zip(own).map(|(known, own)| [known, own].concat());
            }
        }
        blocks(stmt).into_iter().for_each(|block| kept(table, &block.stmts, all));
    }
}

/// The readers of some variables in these statements.
pub fn readers_of<'b>(vars: Vars, stmts: &'b [Stmt]) -> Readers<'b> {
    let mut uses = Uses { found: vars.iter().map(|v| (*v, Some(Vec::new()))).collect(), vars };
    stmts.iter().for_each(|s| uses.stmt(s));
    uses.found
}

/// Whether rustc can be asked what the adjoint of a call reads: it changes nothing, and has a name among types or operands.
pub fn can_be_asked(s: &Sweep) -> bool {
    let named = s.call.is_rule() || matches!(s.call.callee, Callee::Method(_));
    let changes = s.call.args.iter().any(|arg| matches!(arg, CallArg::Mut(_)));
    s.kind == SweepKind::Reverse
        && s.result_bar.is_some()
        && named
        && !changes
        && !s.call.linear
        && s.call.handed.is_empty()
}

struct Uses<'b> {
    vars: Vars,
    found: Readers<'b>,
}

impl<'b> Uses<'b> {
    fn stmt(&mut self, stmt: &'b Stmt) {
        match stmt {
            Stmt::Derived(Derived::Sweep(s)) if can_be_asked(s) => self.sweep(s),
            Stmt::Derived(
                Derived::Zero { like: ShapeOf::Value(p), .. } | Derived::Unset { like: ShapeOf::Value(p), .. },
            ) => self.indices(p),
            Stmt::Derived(Derived::Release { .. }) => {}
            _ if blocks(stmt).is_empty() => {
                let used = [Access::Read, Access::Shape, Access::Write];
                touched(std::slice::from_ref(stmt), &used).iter().for_each(|v| self.always(*v));
            }
            _ => {
                header(stmt, &mut |v| self.always(v));
                blocks(stmt).into_iter().flat_map(|b| &b.stmts).for_each(|s| self.stmt(s));
            }
        }
    }

    fn sweep(&mut self, s: &'b Sweep) {
        for (k, arg) in s.call.args.iter().enumerate() {
            match arg {
                CallArg::Ref(p) | CallArg::Value(Operand::Place(p)) => self.argument(s, k, p),
                CallArg::Mut(p) => self.always(p.root),
                CallArg::Passive(o) | CallArg::Lent(o) | CallArg::Value(Operand::Passive(o)) => self.passive_code(o),
                CallArg::Value(made) => {
                    let mut read = Vars::new();
                    Visit(&mut |v, _| _ = read.insert(v)).operand(made);
                    read.iter().for_each(|v| self.always(*v));
                }
            }
        }
        let (bars, tangents) = (s.bars.iter().flatten().map(|(p, _)| p), s.tangents.iter());
        bars.chain(tangents.clone().flat_map(|t| t.bars.iter().flatten())).for_each(|p| self.indices(p));
        for (k, dot) in tangents.flat_map(|t| t.args.iter().enumerate()) {
            dot.iter().for_each(|(p, _)| self.argument(s, k, p));
        }
    }

    fn argument(&mut self, sweep: &'b Sweep, argument: usize, place: &'b Place) {
        self.indices(place);
        if let Some(Some(readers)) = self.found.get_mut(&place.root) {
            readers.push(Reader { sweep, argument });
        }
    }

    fn indices(&mut self, place: &'b Place) {
        place.indices(&mut |o| self.passive_code(o));
    }

    fn passive_code(&mut self, o: &PassiveCode) {
        o.reads.iter().chain(&o.shapes).for_each(|v| self.always(*v));
    }

    fn always(&mut self, var: Var) {
        if self.vars.contains(&var) {
            self.found.insert(var, None);
        }
    }
}

/// What a statement with blocks reads outside of them.
pub fn header(stmt: &Stmt, f: &mut dyn FnMut(Var)) {
    let mut passive = |o: &PassiveCode| o.reads.iter().chain(&o.shapes).for_each(|v| f(*v));
    match stmt {
        Stmt::Derived(Derived::Loop(l)) => {
            [&l.on.lo, &l.on.hi].into_iter().chain(&l.on.step).for_each(&mut passive);
            for walk in &l.walks {
                walk.by.iter().for_each(&mut passive);
                walk.slice.indices(&mut passive);
            }
            l.walks.iter().map(|walk| walk.slice.root).chain(l.first.iter().map(|c| c.cell)).for_each(f);
        }
        Stmt::Derived(Derived::NoAlias { slices, .. }) => slices.iter().for_each(|v| f(*v)),
        user => each_passive(user, &mut passive),
    }
}

/// A call in a reverse sweep: the cotangent of its result, and how many calls before it have the same.
pub type Asked = (Var, usize);

/// On which calls' reads it depends what is kept.
#[derive(Default)]
pub struct Conditions {
    /// By the variable that is kept: calls, and which argument it is.
    pub of: HashMap<Var, Vec<(Asked, usize)>>,
    /// All calls, by where their sweeps lie in memory.
    pub names: HashMap<*const Sweep, Asked>,
    /// Those that are asked.
    pub asked: BTreeSet<Asked>,
}

impl Conditions {
    /// For what blocks keep.
    pub fn of(table: &Table, blocks: &[&Block]) -> Self {
        let mut all = Conditions::default();
        if !is_on("call_tbr") {
            return all;
        }
        let mut counts = HashMap::default();
        blocks.iter().for_each(|block| all.name(table, block, &mut counts));
        for (var, readers) in readers_of_kept(table, blocks) {
            let Some(readers) = readers.filter(|_| may_be_left_out(table, var)) else { continue };
            let calls = readers.iter().map(|r| (all.names[&std::ptr::from_ref(r.sweep)], r.argument));
            let calls: BTreeSet<(Asked, usize)> = calls.collect();
            all.asked.extend(calls.iter().map(|(call, _)| *call));
            all.of.insert(var, calls.into_iter().collect());
        }
        all
    }

    fn name(&mut self, table: &Table, block: &Block, counts: &mut HashMap<Var, usize>) {
        for stmt in &block.stmts {
            if let Stmt::Derived(Derived::Sweep(s)) = stmt
                && let Some(bar) = s.result_bar
            {
                let count = counts.entry(table.origin(bar)).or_default();
                self.names.insert(&**s, (table.origin(bar), *count));
                *count += 1;
            }
            crate::ir::visit::blocks(stmt).into_iter().for_each(|inner| self.name(table, inner, counts));
        }
    }
}

/// Whether the variable is of a type that may fix its shape, and is no number.
fn may_be_left_out(table: &Table, var: Var) -> bool {
    matches!(table.ty(var), Ty::Unknown | Ty::Struct(_) | Ty::Array(_) | Ty::Tuple(_)) && !table.is_ref(var)
}
