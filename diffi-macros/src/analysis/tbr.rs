//! TBR analysis (Hascoët, Naumann & Pascual 2005): reads of values that nothing overwrites afterwards.
//!
//! The reverse sweep does not undo assignments. It may therefore read a variable again only if nothing has been written to it since:
//! such a read is *stable*. A `let` at the point of the read names every other value that adjoints need, and the tape holds it.

use crate::ir::visit::lent::lent_variables;
use crate::ir::visit::{Access, Vars, Visit, blocks, touched};
use crate::ir::*;
use crate::support::hash::HashMap;

/// Positions of declarations and of last writes, in program order.
pub struct Writes {
    declared: HashMap<Var, usize>,
    last: HashMap<Var, usize>,
    /// Of these writes: the last that may change a length.
    reshaped: HashMap<Var, usize>,
    /// Parameters behind `&mut`: the caller may write to them between the sweeps. And what calls are lent: it may be another value there.
    shared: Vars,
    /// Those of them whose lengths the caller may change then.
    lent: Vars,
}

/// Where a walk over the function stands: the position and the loops around it.
#[derive(Clone, Default)]
pub struct Here {
    /// Counts statements in program order.
    pub position: usize,
    /// Positions at which the loops around began, outermost first.
    pub loops: Vec<usize>,
}

impl Writes {
    /// Finds all declarations and writes.
    pub fn of(function: &Function) -> Self {
        let exclusive = function.params.iter().filter(|p| matches!(p.passing, Passing::Mut | Passing::Out));
        let exclusive: Vars = exclusive.map(|p| p.var).collect();
        let lent = exclusive.iter().copied().filter(|v| may_have_length(&function.vars[v.0 as usize].ty)).collect();
        let shared = exclusive.union(&lent_variables(&function.body.stmts));
        let (declared, last, reshaped) = (HashMap::default(), HashMap::default(), HashMap::default());
        let mut writes = Writes { declared, last, reshaped, shared, lent };
        let mut position = 0;
        writes.block(&function.body, &mut position);
        writes
    }

    /// Whether nothing is written to `root` from `here` on, the next iterations of loops included.
    pub fn stable(&self, root: Var, here: &Here) -> bool {
        !self.shared.contains(&root) && self.before(&self.last, root, here)
    }

    /// Whether no length of `root` changes from `here` on.
    pub fn keeps_shape(&self, root: Var, here: &Here) -> bool {
        !self.lent.contains(&root) && self.before(&self.reshaped, root, here)
    }

    /// Whether no length of `root` ever changes.
    pub fn never_reshaped(&self, root: Var) -> bool {
        !self.reshaped.contains_key(&root)
    }

    fn before(&self, last: &HashMap<Var, usize>, root: Var, here: &Here) -> bool {
        let Some(last) = last.get(&root) else { return true };
        let declared = self.declared.get(&root).copied().unwrap_or(0);
        let from = here.loops.iter().find(|start| **start > declared).unwrap_or(&here.position);
        last < from
    }

    /// Whether anything is ever written to `root` after its declaration.
    pub fn ever(&self, root: Var) -> bool {
        self.last.contains_key(&root)
    }

    fn block(&mut self, block: &Block, position: &mut usize) {
        for stmt in &block.stmts {
            *position += 1;
            self.shallow(stmt, *position);
            for inner in blocks(stmt) {
                self.block(inner, position);
            }
        }
    }

    fn shallow(&mut self, stmt: &Stmt, position: usize) {
        reshapes(stmt, &mut |v| {
            self.reshaped.insert(v, position);
        });
        let mut note = |v, touch| match touch {
            Access::Define => {
                self.declared.insert(v, position);
            }
            Access::Write => {
                self.last.insert(v, position);
            }
            _ => {}
        };
        match stmt {
            Stmt::If { .. } | Stmt::While { .. } => {}
            Stmt::For(on) => note(on.var, Access::Define),
            Stmt::Switch { arms, .. } => arms.iter().flat_map(|a| &a.binds).for_each(|v| note(*v, Access::Define)),
            simple => Visit(&mut note).stmt(simple),
        }
    }
}

/// Whether values of a type may have lengths that change: those of a struct's fields, too, of which some may not be known.
fn may_have_length(ty: &Ty) -> bool {
    match ty {
        Ty::Float | Ty::Passive => false,
        Ty::Array(element) => may_have_length(element),
        Ty::Tuple(members) => members.iter().any(may_have_length),
        Ty::Slice(_) | Ty::Vec(_) | Ty::Struct(_) | Ty::Library | Ty::Unknown => true,
    }
}

/// The variables whose lengths a statement may change.
fn reshapes(stmt: &Stmt, f: &mut dyn FnMut(Var)) {
    match stmt {
        Stmt::Push { place, .. } | Stmt::Let { expr: Expr::Pop(place), .. } => f(place.root),
        Stmt::Swap { a, b, .. } => [a, b].into_iter().for_each(|p| f(p.root)),
        Stmt::Assign { place, op: Assign::Set, .. } if place.path.is_empty() => f(place.root),
        Stmt::Effect { writes, .. } => writes.iter().for_each(|v| f(*v)),
        Stmt::Let { expr: Expr::Call(call), .. } => {
            for arg in &call.args {
                // to set an element of a user's type leaves its shape
                if let (CallArg::Mut(place), false) = (arg, call.linear && matches!(call.callee, Callee::Method(_))) {
                    f(place.root);
                }
            }
        }
        _ => {}
    }
}

/// The variables whose lengths statements may change, those of derivative code too.
pub fn reshaped(stmts: &[Stmt]) -> Vars {
    let mut found = Vars::new();
    for stmt in stmts {
        reshapes(stmt, &mut |v| {
            found.insert(v);
        });
        match stmt {
            Stmt::Derived(Derived::Pop { place, .. }) => {
                found.insert(place.root);
            }
            Stmt::Derived(Derived::Sweep(_)) => found.extend(touched(std::slice::from_ref(stmt), &[Access::Write])),
            other => blocks(other).into_iter().for_each(|b| found.extend(reshaped(&b.stmts))),
        }
    }
    found
}

/// Whether a statement runs its blocks again and again.
pub fn is_loop(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::For(_) | Stmt::While { .. })
}
