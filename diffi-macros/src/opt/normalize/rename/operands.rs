//! Operands, indices and arguments under the names that their values have.

use super::{Versions, written_root};
use crate::ir::place::{element, is_in_data};
use crate::ir::visit::{Access, Rename, Vars, Visit, touched};
use crate::ir::*;

impl Versions {
    /// Makes sure that a scalar which changes later has a name for its present value.
    pub(super) fn load(&mut self, cell: Var) {
        let known = !self.scalars.contains(&cell) || self.current.contains_key(&cell);
        if known || self.writes.stable(cell, &self.here) {
            return;
        }
        let version = self.version(cell);
        let expr = self.copy(cell);
        self.out.push(Stmt::Let { var: version, expr });
        self.current.insert(cell, version);
    }

    /// Before a loop: loads what its blocks read and do not change, so that it is
    /// loaded once and not per iteration.
    pub(super) fn preload<'a>(&mut self, inner: impl Iterator<Item = &'a Block>) {
        let stmts: Vec<Stmt> = inner.flat_map(|b| b.stmts.clone()).collect();
        let written = touched(&stmts, &[Access::Write, Access::Define]);
        let read = touched(&stmts, &[Access::Read]);
        for cell in read.difference(&written) {
            self.load(*cell);
        }
    }

    fn each_read(&mut self, visit: impl Fn(&mut Visit<'_>)) {
        let mut reads = Vec::new();
        let mut note = |v, touch| {
            if touch == Access::Read {
                reads.push(v);
            }
        };
        visit(&mut Visit(&mut note));
        reads.into_iter().for_each(|v| self.load(v));
    }

    fn rename(&self) -> Rename<'_> {
        Rename { map: &self.current, vars: &self.vars, behind: &self.behind }
    }

    pub(super) fn rename_loaded(&mut self, o: &mut PassiveCode) {
        self.rename().passive_code(o);
    }

    pub(super) fn passive_code(&mut self, o: &mut PassiveCode) {
        self.each_read(|visit| visit.passive_code(o));
        self.rename().passive_code(o);
    }

    pub(super) fn indices(&mut self, p: &mut Place) {
        p.indices(&mut |i| self.each_read(|visit| visit.passive_code(i)));
        self.rename().indices(p);
    }

    pub(super) fn operand(&mut self, o: &mut Operand) {
        self.each_read(|visit| visit.operand(o));
        self.rename().operand(o);
        self.name_unstable(o);
    }

    /// `x[i]` of an array that changes later becomes `let x_1 = x[i]`.
    fn name_unstable(&mut self, o: &mut Operand) {
        let Operand::Place(p) = o else { return };
        if (self.writes.stable(p.root, &self.here) || self.scalars.contains(&p.root)) && !self.is_number_in_local(p) {
            return;
        }
        let key = (p.root, crate::ir::place::key(p));
        if let Some(version) = self.elements.get(&key) {
            *o = Operand::var(*version);
            return;
        }
        if let Some(version) = self.version_of_vector(p.root) {
            p.root = version;
            return;
        }
        if self.is_number_in_local(p) || !self.settled.read(p, &self.here) {
            self.name_element(o, key);
        }
    }

    /// The name of a vector as a whole: its elements are found there.
    fn version_of_vector(&self, root: Var) -> Option<Var> {
        let vector = self.vars[root.0 as usize].ty == Ty::Vec(Box::new(Ty::Float));
        let named = || self.elements.get(&(root, crate::ir::place::key(&Place::var(root)))).copied();
        named().filter(|_| vector)
    }

    /// A number in a struct that is a local: it is kept by itself, and not with the struct.
    fn is_number_in_local(&self, p: &Place) -> bool {
        let ty = &self.vars[p.root.0 as usize].ty;
        !self.params.contains(&p.root) && is_in_data(ty, &p.path) && element(ty, &p.path) == Ty::Float
    }

    /// `let x_1 = x[i]`.
    pub(super) fn name_element(&mut self, o: &mut Operand, key: (Var, String)) {
        let Operand::Place(p) = o else { return };
        let version = self.version(p.root);
        let info = &mut self.vars[version.0 as usize];
        if !p.path.is_empty() {
            info.ty = element(&info.ty, &p.path);
            info.written = None;
        }
        self.elements.insert(key, version);
        self.out.push(Stmt::Let { var: version, expr: Expr::Operand(o.clone()) });
        *o = Operand::var(version);
    }

    /// Passive tokens over a container that changes later become a name.
    fn name_passive(&mut self, o: &mut PassiveCode) {
        let fixed = o.reads.iter().all(|v| self.writes.stable(*v, &self.here))
            && o.shapes.iter().all(|v| self.writes.keeps_shape(*v, &self.here));
        if fixed {
            return;
        }
        *o = self.named("factor", o.clone());
    }

    pub(super) fn expr(&mut self, e: &mut Expr) {
        self.each_read(|visit| visit.expr(e));
        self.rename().expr(e);
        match e {
            Expr::Op { args, .. } => args.iter_mut().for_each(|arg| match arg {
                Operand::Passive(o) => self.name_passive(o),
                place => self.name_unstable(place),
            }),
            Expr::Array(args) | Expr::VecOf(args) | Expr::Tuple(args) => {
                args.iter_mut().for_each(|a| self.name_unstable(a))
            }
            Expr::Struct(s) => s.fields.iter_mut().for_each(|(_, o)| self.name_unstable(o)),
            Expr::Boxed(o) => self.name_unstable(o),
            Expr::Repeat { value, len } | Expr::VecRepeat { value, len } => {
                self.name_unstable(value);
                self.name_passive(len);
            }
            Expr::Scratch { len } => self.name_passive(len),
            Expr::Call(call) => {
                let written: Vars = call.args.iter().filter_map(written_root).collect();
                let linear = call.linear;
                let handed: Vec<usize> = call.handed.iter().map(|h| h.at).collect(); // what these capture are arguments of their own
                let values = call.args.iter_mut().enumerate().filter(|(k, _)| !handed.contains(k));
                values.for_each(|(_, arg)| self.name_passive_argument(arg));
                call.args.iter_mut().for_each(|a| self.argument(a, &written, linear));
            }
            Expr::Operand(_) | Expr::ToVec(_) | Expr::Content(_) | Expr::Pop(_) | Expr::VecNew(_) => {}
            Expr::Passive(_) | Expr::Zero | Expr::Fresh { .. } | Expr::If { .. } => {}
        }
    }

    /// Whether what lies there is never overwritten afterwards.
    fn keeps(&self, place: &Place) -> bool {
        self.writes.stable(place.root, &self.here) || self.settled.read(place, &self.here)
    }

    /// An aggregate that changes later is passed to a call as a copy.
    fn argument(&mut self, arg: &mut CallArg, written: &Vars, linear: bool) {
        if let CallArg::Ref(p) = arg
            && !written.contains(&p.root)
        {
            if let Some(version) = self.elements.get(&(p.root, crate::ir::place::key(p))).filter(|_| p.path.is_empty())
            {
                *p = Place::var(*version);
                return;
            }
            if let Some(version) = self.version_of_vector(p.root) {
                p.root = version;
                return;
            }
        }
        match arg {
            CallArg::Ref(p) if linear && !written.contains(&p.root) && self.writes.keeps_shape(p.root, &self.here) => {}
            CallArg::Value(o) => self.name_unstable(o),
            CallArg::Ref(p) if written.contains(&p.root) || !self.keeps(p) => self.copy_argument(p, written),
            _ => {}
        }
    }

    fn copy_argument(&mut self, p: &mut Place, written: &Vars) {
        let version = self.version(p.root);
        let info = &mut self.vars[version.0 as usize];
        info.ty = element(&info.ty, &p.path);
        info.written = None;
        let ranged = matches!(p.path.last(), Some(Proj::Range(..)));
        let expr = match ranged || matches!(info.ty, Ty::Slice(_)) {
            true => Expr::ToVec(p.clone()),
            false => Expr::Operand(Operand::Place(p.clone())),
        };
        self.out.push(Stmt::Let { var: version, expr });
        if p.path.is_empty() && !written.contains(&p.root) {
            self.elements.insert((p.root, crate::ir::place::key(p)), version);
        }
        *p = Place::var(version);
    }

    pub(super) fn result(&mut self, mut result: Output, body: &mut Block) -> Output {
        let mut reads = Vec::new();
        Visit(&mut |v, touch| {
            if touch == Access::Read {
                reads.push(v);
            }
        })
        .out(&result);
        reads.into_iter().for_each(|v| self.load(v));
        self.rename().out(&mut result);
        body.stmts.append(&mut self.out);
        result
    }
}
