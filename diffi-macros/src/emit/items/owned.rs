//! Variables that own their values: a common end of two sweeps can take these over.

use crate::ir::symbols::Table;
use crate::ir::visit::positions::Positions;
use crate::ir::visit::{Access, touched};
use crate::ir::*;
use crate::support::hash::{HashMap, HashSet};

/// From where on statements have given a variable a value that borrows from nothing.
pub struct Owned(HashMap<Var, usize>);

impl Owned {
    pub fn of(stmts: &[Stmt], table: &Table) -> Self {
        let (positions, mut all, mut local) = (Positions::of(stmts), Owned(HashMap::default()), HashSet::default());
        for (k, stmt) in stmts.iter().enumerate() {
            for (var, at) in all.given(stmts, k, (&positions, &local), table) {
                all.0.entry(var).or_insert(at + 1);
            }
            local.extend(touched(std::slice::from_ref(stmt), &[Access::Define]));
        }
        all
    }

    /// How many statements it takes.
    pub fn from(&self, var: Var) -> Option<usize> {
        self.0.get(&var).copied()
    }

    /// The variables that get such a value by a statement, and where they have it.
    fn given(
        &self,
        stmts: &[Stmt],
        k: usize,
        (positions, local): (&Positions, &HashSet<Var>),
        table: &Table,
    ) -> Vec<(Var, usize)> {
        let float = |v: &Var| *table.ty(*v) == Ty::Float && !table.is_cell(*v) && !table.is_ref(*v);
        let floats = |v: &Var| float(v) || is_floats(table.ty(*v));
        let known = |v: &Var| !local.contains(v) || self.from(*v).is_some_and(|at| at <= k);
        let defined = || touched(std::slice::from_ref(&stmts[k]), &[Access::Define]).into_iter();
        let owned: Vec<Var> = match &stmts[k] {
            Stmt::Let { var, expr: Expr::Passive(o) } => {
                let owned = float(var) || is_word(o) && o.reads.iter().all(known);
                owned.then_some(*var).into_iter().collect()
            }
            Stmt::Let { var, .. } | Stmt::Derived(Derived::Zero { var, .. } | Derived::Unset { var, .. }) => {
                Some(*var).filter(floats).into_iter().collect()
            }
            Stmt::Declare { var } if float(var) => return given_later(stmts, k, *var, positions),
            Stmt::Derived(Derived::PopFrame(_)) => {
                defined().filter(|v| floats(v) || *table.ty(*v) == Ty::Passive).collect()
            }
            Stmt::Derived(Derived::Sweep(_)) => defined().filter(float).collect(),
            _ => Vec::new(),
        };
        owned.into_iter().map(|v| (v, k)).collect()
    }
}

/// Where a declared variable gets its value.
fn given_later(stmts: &[Stmt], k: usize, var: Var, positions: &Positions) -> Vec<(Var, usize)> {
    let given = positions.all(var).iter().find(|at| **at >= k && gives(&stmts[**at], var));
    given.map(|at| (var, *at)).into_iter().collect()
}

/// Arithmetic of words, and lengths.
fn is_word(o: &PassiveCode) -> bool {
    let borrows = |tree| matches!(tree, proc_macro2::TokenTree::Punct(p) if p.as_char() == '&');
    crate::ir::purity::repeatable(o) && !o.tokens.clone().into_iter().any(borrows)
}

/// Whether the statement gives the variable a value whichever way it goes.
fn gives(stmt: &Stmt, var: Var) -> bool {
    let all = |block: &Block| block.stmts.iter().any(|s| gives(s, var));
    match stmt {
        Stmt::Assign { place, op: Assign::Set, .. } => place.root == var && place.path.is_empty(),
        Stmt::If { then, els, .. } => all(then) && all(els),
        Stmt::Switch { arms, .. } => arms.iter().all(|arm| all(&arm.body)),
        _ => false,
    }
}

/// Floats, and vectors, arrays and tuples of them.
fn is_floats(ty: &Ty) -> bool {
    match ty {
        Ty::Float => true,
        Ty::Vec(e) | Ty::Array(e) => is_floats(e),
        Ty::Tuple(all) => all.iter().all(is_floats),
        _ => false,
    }
}
