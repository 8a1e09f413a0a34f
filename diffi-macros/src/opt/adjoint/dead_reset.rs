//! Dead store elimination of cotangent resets (LLVM's DSE): a cotangent that nothing reads again is not cleared.
//!
//! The adjoint of a branch's assignment reads the target's cotangent and resets it: `v_bar_1 = v_bar; v_bar = 0`. In most iterations
//! nothing reads it again. Without the reset `v_bar_1` is another name for `v_bar`, and
//! [`forward_substitute`](crate::opt::scalar::forward_substitute) makes one variable of both, here and in the tangents.

use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;

const READ: &[Access] = &[Access::Read, Access::Shape];

/// Rewrites a body.
pub fn dead_reset(table: &Table, body: &mut Block) {
    let own = touched(&body.stmts, &[Access::Define]);
    Idle { table, own }.block(body, Vars::new());
}

struct Idle<'a> {
    table: &'a Table,
    /// The variables that the body brings into being: no others are known to be read by nobody else.
    own: Vars,
}

impl Idle<'_> {
    /// Backwards, with the variables that are read later on.
    fn block(&self, block: &mut Block, mut later: Vars) {
        for at in (0..block.stmts.len()).rev() {
            let stmt = &mut block.stmts[at];
            if self.is_idle(stmt, &later) {
                block.stmts.remove(at);
                continue;
            }
            let read = touched(std::slice::from_ref(stmt), READ);
            let again = next_iteration(stmt, &read);
            for inner in blocks_mut(stmt) {
                self.block(inner, &later | &again);
            }
            later.extend(&read);
        }
    }

    fn is_idle(&self, stmt: &Stmt, later: &Vars) -> bool {
        let Stmt::Derived(Derived::Clear { place: Place { root, path }, whole: false }) = stmt else { return false };
        let is_number = *self.table.ty(*root) == Ty::Float && !self.table.is_ref(*root) && !self.table.is_cell(*root);
        let is_shadow = self.table.role(*root) == Role::Bar;
        path.is_empty() && is_number && is_shadow && self.own.contains(root) && !later.contains(root)
    }
}

/// What the iterations of a loop read that come after the present one: nothing that an iteration brings into being itself. (The prelude of a
/// `while` does so for its body.)
fn next_iteration(stmt: &Stmt, read: &Vars) -> Vars {
    match stmt {
        Stmt::While { .. } => read.clone(),
        Stmt::For(_) | Stmt::Derived(Derived::Loop(_) | Derived::Times { .. }) => {
            read - &touched(std::slice::from_ref(stmt), &[Access::Define])
        }
        _ => Vars::new(),
    }
}
