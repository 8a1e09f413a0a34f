//! Common subexpression elimination (LLVM's EarlyCSE): an operation that a block writes twice is done once.
//!
//! `masses[j] * pull` in three statements is one product: after [`rename`](crate::opt::normalize::rename) equal operands have equal values.
//! The adjoint gains more than the function, since the three cotangents become one sum, and that is multiplied once.
//!
//! The pass looks at straight code only: a value that a loop or a branch took from around it would gain an addition in every iteration.
//! And it looks only at values without a name of their own, which no passive token can mention.

use crate::ir::place::key;
use crate::ir::purity::repeatable;
use crate::ir::visit::operands::{each_operand, operands};
use crate::ir::visit::{Access, Vars, Visit, blocks_mut, touched};
use crate::ir::*;
use crate::support::hash::HashMap;

/// Removes what is there already.
pub fn cse(mut function: Function) -> Function {
    let uses = Uses::of(&mut function);
    let mut pass = Common { vars: &function.vars, uses, instead: HashMap::default() };
    pass.block(&mut function.body);
    function
}

/// How a variable is used in a function.
#[derive(Clone, Copy, Default)]
struct Uses {
    /// In any way but by its definition.
    all: usize,
    /// As an operand of operations and assignments.
    operand: usize,
    written: bool,
}

impl Uses {
    fn of(function: &mut Function) -> Vec<Uses> {
        let mut all = vec![Uses::default(); function.vars.len()];
        let mut note = |v: Var, touch| {
            let uses = &mut all[v.0 as usize];
            uses.all += usize::from(touch != Access::Define);
            uses.written |= touch == Access::Write;
        };
        Visit(&mut note).block(&function.body);
        Visit(&mut note).out(&function.result);
        each_operand(&mut function.body, &mut |o| {
            if let Some(v) = o.as_var() {
                all[v.0 as usize].operand += 1;
            }
        });
        all
    }
}

struct Common<'a> {
    vars: &'a [VarInfo],
    uses: Vec<Uses>,
    /// What is read in place of a variable that is gone.
    instead: HashMap<Var, Var>,
}

/// The operations of a block that have been done.
#[derive(Default)]
struct Made {
    /// By their text.
    vars: HashMap<String, Var>,
    /// By the variables that their operands are made of.
    of: HashMap<Var, Vec<String>>,
}

impl Made {
    /// Forgets what was made of the variables.
    fn overwritten(&mut self, written: &Vars) {
        for text in written.iter().filter_map(|v| self.of.remove(v)).flatten() {
            self.vars.remove(&text);
        }
    }

    fn note(&mut self, text: String, var: Var, of: &Vars) {
        of.iter().for_each(|v| self.of.entry(*v).or_default().push(text.clone()));
        self.vars.entry(text).or_insert(var);
    }
}

impl Common<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut made = Made::default();
        block.stmts.retain_mut(|stmt| {
            for operand in operands(stmt) {
                if let Some(other) = operand.as_var().and_then(|v| self.instead.get(&v)) {
                    *operand = Operand::var(*other);
                }
            }
            blocks_mut(stmt).into_iter().for_each(|inner| self.block(inner));
            let of = |ways: &[Access]| touched(std::slice::from_ref(stmt), ways);
            let written = of(&[Access::Write]);
            made.overwritten(&written);
            let Some((var, text)) = self.operation(stmt) else { return true };
            match made.vars.get(&text) {
                Some(other) if self.is_unnamed(var) => {
                    self.instead.insert(var, *other);
                    false
                }
                _ => {
                    made.note(text, var, &of(&[Access::Read, Access::Shape]));
                    true
                }
            }
        });
    }

    /// The variable that an operation gives a value once and for all, and the operation as text.
    fn operation(&self, stmt: &Stmt) -> Option<(Var, String)> {
        let Stmt::Let { var, expr: Expr::Op { op, args, .. } } = stmt else { return None };
        let fits = self.vars[var.0 as usize].ty == Ty::Float && !self.uses[var.0 as usize].written;
        let args: Option<Vec<String>> = args.iter().map(|o| self.operand(o)).collect();
        Some((*var, format!("{op:?} {:?}", args?))).filter(|_| fits)
    }

    /// An operand as text; none if it may have another value the next time.
    fn operand(&self, operand: &Operand) -> Option<String> {
        match operand {
            Operand::Place(place) => {
                let mut stays = true;
                place.indices(&mut |o| stays &= self.stays(o));
                stays.then(|| key(place))
            }
            Operand::Passive(o) => self.stays(o).then(|| format!("`{}`", o.tokens)),
            Operand::Made { .. } => None,
        }
    }

    fn stays(&self, o: &PassiveCode) -> bool {
        let fixed = |v: &Var| {
            let info = &self.vars[v.0 as usize];
            !info.mutable && !info.changes && !self.uses[v.0 as usize].written
        };
        repeatable(o) && o.reads.iter().chain(&o.shapes).all(fixed)
    }

    /// Whether nothing but operations and assignments read the variable.
    fn is_unnamed(&self, var: Var) -> bool {
        let Uses { all, operand, .. } = self.uses[var.0 as usize];
        all == operand
    }
}
