//! Array SSA (Knobe & Sarkar 1998): an array that loops read, and that changes later, gets a name as a whole before these loops.
//!
//! ```text
//! for _ in 0..steps {               for _ in 0..steps {
//!                                       let u_1 = u
//!     for i in 1..n - 1 {               for i in 1..n - 1 {
//!         v[i] = f(u[i-1], u[i])            v[i] = f(u_1[i-1], u_1[i])
//!     }                                 }
//!     swap(u, v)                        swap(u, v)
//! }                                 }
//! ```
//!
//! The reverse sweep finds every element in the array that is kept, where the tape would hold a number for each read. The copy takes as
//! long as the array is: the loop's block has to fill the array anyway, or to pass it to a function in each iteration.

use crate::analysis::array_reads::Reads;
use crate::analysis::tbr::{Here, Writes, is_loop};
use crate::analysis::tbr_elements::Settled;
use crate::ir::clone::Twins;
use crate::ir::symbols::is_nested;
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;
use proc_macro2::Ident;

/// Gives names.
pub fn array_versions(mut function: Function) -> Function {
    let (writes, settled) = (Writes::of(&function), Settled::of(&function));
    let mut body = std::mem::take(&mut function.body);
    let (here, named) = (Here::default(), function.params.iter().map(|p| p.var).collect());
    ArrayVersions { writes, settled, here, named, vars: &mut function.vars }.block(&mut body);
    function.body = body;
    function
}

struct ArrayVersions<'a> {
    writes: Writes,
    settled: Settled,
    here: Here,
    /// Arrays that have a name in the loops around, and parameters.
    named: Vars,
    vars: &'a mut Vec<VarInfo>,
}

impl ArrayVersions<'_> {
    fn block(&mut self, block: &mut Block) {
        let filled = filled(&block.stmts);
        for stmt in std::mem::take(&mut block.stmts) {
            self.here.position += 1;
            let mut stmt = stmt;
            let named = self.versions(&stmt, &filled);
            for (array, version) in &named {
                block.stmts.push(Stmt::Let { var: *version, expr: Expr::Operand(Operand::var(*array)) });
            }
            let position = self.here.position;
            let around = self.named.clone();
            self.named.extend(named.iter().map(|(array, _)| array));
            self.inside(&mut stmt, position);
            self.named = around;
            if !named.is_empty() {
                let map = named.into_iter().collect();
                stmt = Twins { map: &map, vars: self.vars }.stmts(&[stmt]).remove(0);
            }
            block.stmts.push(stmt);
        }
    }

    fn inside(&mut self, stmt: &mut Stmt, position: usize) {
        let looping = is_loop(stmt);
        if looping {
            self.here.loops.push(position);
        }
        blocks_mut(stmt).into_iter().for_each(|inner| self.block(inner));
        if looping {
            self.here.loops.pop();
        }
    }

    /// The arrays that a loop reads and does not change, with their new names.
    fn versions(&mut self, stmt: &Stmt, filled: &Vars) -> Vec<(Var, Var)> {
        if !matches!(stmt, Stmt::For(For { checkpoint: None, .. })) {
            return Vec::new();
        }
        let changed = touched(std::slice::from_ref(stmt), &[Access::Write, Access::Define]);
        let reads = Reads::of(stmt, &self.settled, &self.here);
        let pays = |v: &Var| reads.is_passed(*v) || filled.contains(v) && reads.needed(*v) > 1;
        let unnamed = |v: &Var| !changed.contains(v) && !self.named.contains(v) && !self.writes.stable(*v, &self.here);
        let arrays: Vec<Var> = reads.arrays().filter(|v| self.is_vector(*v) && unnamed(v) && pays(v)).collect();
        arrays.into_iter().map(|v| (v, self.version(v))).collect()
    }

    fn is_vector(&self, var: Var) -> bool {
        let ty = &self.vars[var.0 as usize].ty;
        *ty == Ty::Vec(Box::new(Ty::Float)) || is_nested(ty)
    }

    fn version(&mut self, array: Var) -> Var {
        let var = Var(self.vars.len() as u32);
        let old = &self.vars[array.0 as usize];
        let name = Ident::new(&format!("__v{}_{}", var.0, old.hint), old.span);
        self.vars.push(VarInfo { name, mutable: false, changes: false, ..old.clone() });
        var
    }
}

/// The arrays that statements fill, one by one or all at once: to exchange two takes no time, but the other one has been filled.
fn filled(stmts: &[Stmt]) -> Vars {
    let mut filled = Vars::new();
    for stmt in stmts {
        match stmt {
            Stmt::Swap { a, b, .. } => filled.extend([a, b].into_iter().filter(|p| p.path.is_empty()).map(|p| p.root)),
            Stmt::Assign { place, op: Assign::Set, .. } if place.path.is_empty() => _ = filled.insert(place.root),
            Stmt::For(on) => set_by(&on.body.stmts, on, &mut filled),
            _ => {}
        }
    }
    filled
}

/// The arrays whose elements, or rows, a loop sets from the first one on.
fn set_by(stmts: &[Stmt], on: &For, filled: &mut Vars) {
    let from_the_first = on.lo.tokens.to_string() == "0" && on.step.is_none();
    for stmt in stmts.iter().filter(|_| from_the_first) {
        match stmt {
            Stmt::Assign { place, .. } => match &place.path[..] {
                [Proj::Index(at), ..] if at.reads.len() == 1 && at.reads.contains(&on.var) => {
                    filled.insert(place.root);
                }
                _ => {}
            },
            Stmt::For(row) => set_by(&row.body.stmts, on, filled),
            _ => {}
        }
    }
}
