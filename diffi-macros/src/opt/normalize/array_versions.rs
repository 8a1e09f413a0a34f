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
//! The reverse sweep finds every element in the array that is kept, where the tape would hold a number for each read. One version serves all
//! loops up to the next change. The copy takes as long as the array is: the block has to fill the array anyway, and the loops have to read
//! its elements more than once, in several statements or in several iterations; or a loop passes it to a function.

use crate::analysis::array_reads::Reads;
use crate::analysis::tbr::{Here, Writes, is_loop};
use crate::analysis::tbr_elements::Settled;
use crate::ir::clone::Twins;
use crate::ir::symbols::{is_list_of_tuples, is_nested};
use crate::ir::visit::{Access, Vars, blocks, blocks_mut, touched};
use crate::ir::*;
use proc_macro2::Ident;

/// Gives names.
pub fn array_versions(mut function: Function) -> Function {
    let (writes, settled) = (Writes::of(&function), Settled::of(&function));
    let mut body = std::mem::take(&mut function.body);
    let params = function.params.iter().map(|p| p.var).collect();
    let (here, named) = (Here::default(), Vars::new());
    ArrayVersions { writes, settled, here, named, params, vars: &mut function.vars }.block(&mut body);
    function.body = body;
    function
}

struct ArrayVersions<'a> {
    writes: Writes,
    settled: Settled,
    here: Here,
    /// What has a name in the loops around.
    named: Vars,
    params: Vars,
    vars: &'a mut Vec<VarInfo>,
}

impl ArrayVersions<'_> {
    fn block(&mut self, block: &mut Block) {
        let filled = filled(&block.stmts);
        let mut at = 0;
        while at < block.stmts.len() {
            self.here.position += 1;
            let named = self.versions(&block.stmts[at..], &filled);
            let position = self.here.position;
            let around = self.named.clone();
            self.named.extend(named.iter().map(|(array, _)| array));
            self.inside(&mut block.stmts[at], position);
            self.named = around;
            for (array, version) in named {
                self.put(&mut block.stmts[at..], array, version);
                block.stmts.insert(at, Stmt::Let { var: version, expr: Expr::Operand(Operand::var(array)) });
                at += 1;
            }
            at += 1;
        }
    }

    /// Reads the version instead of the array, until that changes.
    fn put(&self, stmts: &mut [Stmt], array: Var, version: Var) {
        let end = unchanged(stmts, array);
        let map = [(array, version)].into_iter().collect();
        let twins = Twins { map: &map, vars: self.vars };
        let loops = stmts[..end].iter_mut().filter(|stmt| is_named_for(stmt));
        loops.for_each(|stmt| *stmt = twins.stmts(std::slice::from_ref(stmt)).remove(0));
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

    /// The arrays that the first of these statements, a loop, reads and does not change, with their new names.
    fn versions(&mut self, stmts: &[Stmt], filled: &Vars) -> Vec<(Var, Var)> {
        let stmt = &stmts[0];
        if !is_named_for(stmt) {
            return Vec::new();
        }
        let changed = touched(std::slice::from_ref(stmt), &[Access::Write, Access::Define]);
        let reads = Reads::of(stmt, &self.settled, &self.here);
        let unnamed = |v: &Var| !changed.contains(v) && !self.named.contains(v) && !self.writes.stable(*v, &self.here);
        let arrays = reads.arrays().filter(|v| unnamed(v));
        let pays = |v: &Var| match self.is_vector(*v) {
            true => reads.is_passed(*v) || filled.contains(v) && self.needed(stmts, *v) > 1,
            false => reads.is_passed(*v) && self.is_struct(*v),
        };
        let arrays: Vec<Var> = arrays.filter(pays).collect();
        arrays.into_iter().map(|v| (v, self.version(v))).collect()
    }

    /// How many numbers of an array iterations need of the loops before it changes.
    fn needed(&self, stmts: &[Stmt], array: Var) -> usize {
        let mut here = self.here.clone();
        let mut needed = 0;
        for stmt in &stmts[..unchanged(stmts, array)] {
            if is_named_for(stmt) {
                needed += Reads::of(stmt, &self.settled, &here).needed(array);
            }
            here.position += count(stmt);
        }
        needed
    }

    fn is_vector(&self, var: Var) -> bool {
        let ty = &self.vars[var.0 as usize].ty;
        let fits = *ty == Ty::Library || *ty == Ty::Vec(Box::new(Ty::Float)) || is_nested(ty) || is_list_of_tuples(ty);
        fits && !self.params.contains(&var)
    }

    /// Whether it is kept as a whole for every call that it is passed to, if it has no name before the loop.
    fn is_struct(&self, var: Var) -> bool {
        matches!(self.vars[var.0 as usize].ty, Ty::Struct(_))
    }

    fn version(&mut self, array: Var) -> Var {
        let var = Var(self.vars.len() as u32);
        let old = &self.vars[array.0 as usize];
        let name = Ident::new(&format!("__v{}_{}", var.0, old.hint), old.span);
        self.vars.push(VarInfo { name, mutable: false, changes: false, ..old.clone() });
        var
    }
}

/// Whether a version of an array is made before a statement.
fn is_named_for(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::For(For { checkpoint: None, .. }))
}

/// How many statements there are before one that changes an array, or its length.
fn unchanged(stmts: &[Stmt], array: Var) -> usize {
    let changes = |stmt: &Stmt| touched(std::slice::from_ref(stmt), &[Access::Write, Access::Define]).contains(&array);
    stmts.iter().position(changes).unwrap_or(stmts.len())
}

/// How many statements one is, those in it included.
fn count(stmt: &Stmt) -> usize {
    1 + blocks(stmt).into_iter().flat_map(|block| &block.stmts).map(count).sum::<usize>()
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
