//! Which values of the arrays that a loop reads its adjoint needs.

use crate::analysis::tbr::{Here, is_loop};
use crate::analysis::tbr_elements::Settled;
use crate::ir::visit::{Access, Vars, blocks, touched};
use crate::ir::*;
use crate::support::hash::{HashMap, HashSet};

/// The reads of a loop.
pub struct Reads<'a> {
    settled: &'a Settled,
    here: Here,
    /// What sums of elements and their multiples are made of.
    sums: HashMap<Var, Vars>,
    /// The elements, and the sums, that partial derivatives are made of.
    needed: HashMap<Var, HashSet<String>>,
    /// Arrays that are passed to functions.
    passed: Vars,
    /// What changes from one iteration to the next, of each loop around.
    changing: Vec<Vars>,
}

impl<'a> Reads<'a> {
    /// Of a statement that stands here.
    pub fn of(stmt: &Stmt, settled: &'a Settled, here: &Here) -> Self {
        let (sums, needed) = Default::default();
        let mut reads = Reads { settled, here: here.clone(), sums, needed, passed: Vars::new(), changing: Vec::new() };
        reads.inside(stmt);
        reads
    }

    /// The arrays of which something is needed.
    pub fn arrays(&self) -> impl Iterator<Item = Var> + '_ {
        let passed = self.passed.iter().filter(|v| !self.needed.contains_key(v));
        let mut all: Vec<Var> = self.needed.keys().chain(passed).copied().collect();
        all.sort();
        all.into_iter()
    }

    /// How many numbers of an array an iteration needs. One that other iterations need too counts as two.
    pub fn needed(&self, array: Var) -> usize {
        self.needed.get(&array).map_or(0, HashSet::len)
    }

    /// Whether the array is passed to a function.
    pub fn is_passed(&self, array: Var) -> bool {
        self.passed.contains(&array)
    }

    fn inside(&mut self, stmt: &Stmt) {
        let looping = is_loop(stmt);
        if looping {
            self.here.loops.push(self.here.position);
            self.changing.push(changing(stmt));
        }
        for inner in blocks(stmt).into_iter().flat_map(|b| &b.stmts) {
            self.here.position += 1;
            self.stmt(inner);
            self.inside(inner);
        }
        if looping {
            self.here.loops.pop();
            self.changing.pop();
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let Stmt::Let { var, expr } = stmt else { return };
        match expr {
            Expr::Op { op, args, .. } if is_linear(op, args) => {
                let of: Vars = args.iter().flat_map(|a| self.arrays_of(a)).collect();
                self.sums.insert(*var, of);
            }
            Expr::Op { args, .. } => args.iter().for_each(|a| self.need(a)),
            Expr::Operand(o @ Operand::Place(p)) if !p.path.is_empty() => {
                let of = self.arrays_of(o);
                self.sums.insert(*var, of);
            }
            Expr::Call(call) if !call.linear => call.args.iter().for_each(|a| self.argument(a)),
            _ => {}
        }
    }

    fn argument(&mut self, arg: &CallArg) {
        match arg {
            CallArg::Value(o) => self.need(o),
            CallArg::Ref(p) if p.path.is_empty() => _ = self.passed.insert(p.root),
            _ => {}
        }
    }

    /// The arrays of which an operand is an element or a sum.
    fn arrays_of(&self, operand: &Operand) -> Vars {
        match operand {
            Operand::Place(p) if p.path.is_empty() => self.sums.get(&p.root).cloned().unwrap_or_default(),
            Operand::Place(p) if !self.settled.read(p, &self.here) => Vars::from([p.root]),
            _ => Vars::new(),
        }
    }

    fn need(&mut self, operand: &Operand) {
        let Operand::Place(p) = operand else { return };
        let key = format!("{:?} {}", p.root, crate::ir::place::key(p));
        let again = self.is_read_again(p);
        for array in self.arrays_of(operand) {
            let needed = self.needed.entry(array).or_default();
            needed.insert(key.clone());
            if again {
                needed.insert(format!("{key} again"));
            }
        }
    }

    /// Whether other iterations of a loop around read the same element.
    fn is_read_again(&self, place: &Place) -> bool {
        let changes = |vars: &Vars| {
            let mut changes = place.path.is_empty();
            place.indices(&mut |index| changes |= index.depends_on(vars));
            changes
        };
        !self.changing.iter().all(changes)
    }
}

/// What changes from one iteration of a loop to the next. Loops inside count through the same numbers again.
fn changing(stmt: &Stmt) -> Vars {
    let mut inner = Vars::new();
    blocks(stmt).into_iter().for_each(|block| counted(block, &mut inner));
    let mut vars = touched(std::slice::from_ref(stmt), &[Access::Define, Access::Write]);
    vars.retain(|var| !inner.contains(var));
    vars
}

fn counted(block: &Block, found: &mut Vars) {
    for stmt in &block.stmts {
        if let Stmt::For(on) = stmt {
            found.insert(on.var);
        }
        blocks(stmt).into_iter().for_each(|inner| counted(inner, found));
    }
}

/// Whether the partial derivatives are constant.
fn is_linear(op: &Op, args: &[Operand]) -> bool {
    match op {
        Op::Add | Op::Sub | Op::Neg => true,
        Op::Mul => args.iter().any(|a| matches!(a, Operand::Passive(_))),
        Op::Div => matches!(args.last(), Some(Operand::Passive(_))),
        _ => false,
    }
}
