//! SSA renaming (Cytron et al. 1991): every value that may be overwritten later gets a name.
//!
//! After this pass a scalar operand is an immutable variable, or a read that is stable (see [`tbr`](crate::analysis::tbr)), or a passive
//! expression of such. A read of a variable that changes later has become `let x_1 = x`, shared by all reads up to the next change.

mod operands;
mod passive_reads;

use crate::analysis::tbr::{Here, Writes};
use crate::analysis::tbr_elements::Settled;
use crate::ir::visit::{Access, Vars, Visit, blocks, touched};
use crate::ir::*;
use crate::support::hash::HashMap;
use proc_macro2::Ident;

/// Rewrites the function into versions.
pub fn rename(function: Function) -> Function {
    let mut function = own_arguments(function);
    let (writes, settled) = (Writes::of(&function), Settled::of(&function));
    let mut pass = Versions {
        scalars: scalar_cells(&function),
        params: function.params.iter().map(|p| p.var).collect(),
        behind: function.params.iter().filter(|p| p.passing != Passing::Value).map(|p| p.var).collect(),
        vars: std::mem::take(&mut function.vars),
        writes,
        settled,
        here: Here::default(),
        current: HashMap::default(),
        elements: HashMap::default(),
        out: Vec::new(),
    };
    let body = std::mem::take(&mut function.body);
    function.body = pass.block(body, false);
    pass.here.position += 1;
    function.result = pass.result(function.result, &mut function.body);
    function.vars = pass.vars;
    function
}

/// An argument by value that the function changes becomes a local, a copy of the argument: the
/// argument's shadow is the caller's, and holds more than this call's share.
fn own_arguments(mut function: Function) -> Function {
    let mut copies = Vec::new();
    for param in &mut function.params {
        let info = &function.vars[param.var.0 as usize];
        if !(param.active && param.passing == Passing::Value && info.mutable) {
            continue;
        }
        let argument = Var(function.vars.len() as u32);
        let name = Ident::new(&format!("__a{}_{}", argument.0, info.hint), info.name.span());
        let info = VarInfo { name, mutable: false, ..info.clone() };
        function.vars.push(info);
        let local = std::mem::replace(&mut param.var, argument);
        copies.push(Stmt::Let { var: local, expr: Expr::Operand(Operand::var(argument)) });
    }
    function.body.stmts.splice(0..0, copies);
    function
}

struct Versions {
    /// Scalars that are only ever assigned as a whole.
    scalars: Vars,
    /// Parameters.
    params: Vars,
    /// Parameters behind references.
    behind: Vars,
    vars: Vec<VarInfo>,
    writes: Writes,
    settled: Settled,
    here: Here,
    /// The immutable variable that holds a scalar's present value.
    current: HashMap<Var, Var>,
    /// Elements whose present value has a name, by root and path.
    elements: HashMap<(Var, String), Var>,
    out: Vec<Stmt>,
}

/// Mutable floats and passive scalars whose only writes are assignments of the whole.
fn scalar_cells(function: &Function) -> Vars {
    let mut written = Vars::new();
    let mut spoiled = Vars::new();
    each_stmt(&function.body, &mut |stmt| match stmt {
        Stmt::Assign { place, .. } if place.path.is_empty() => {
            written.insert(place.root);
        }
        other if blocks(other).is_empty() => {
            Visit(&mut |v, touch| {
                if touch == Access::Write {
                    spoiled.insert(v);
                }
            })
            .stmt(other);
        }
        _ => {}
    });
    let scalar = |v: &Var| matches!(function.vars[v.0 as usize].ty, Ty::Float | Ty::Passive);
    written.into_iter().filter(|v| !spoiled.contains(v) && scalar(v)).collect()
}

/// A number of which only the variable says what type it has: `0.5`.
fn is_bare(value: &Operand) -> bool {
    let Operand::Passive(o) = value else { return false };
    matches!(syn::parse2::<syn::LitFloat>(o.tokens.clone()), Ok(literal) if literal.suffix().is_empty())
}

fn each_stmt(block: &Block, f: &mut dyn FnMut(&Stmt)) {
    for stmt in &block.stmts {
        f(stmt);
        blocks(stmt).into_iter().for_each(|b| each_stmt(b, f));
    }
}

impl Versions {
    fn block(&mut self, block: Block, is_loop: bool) -> Block {
        let outer = std::mem::take(&mut self.out);
        let changed = touched(&block.stmts, &[Access::Write, Access::Define]);
        // whole arrays keep their names, as long as nothing is written to them
        let whole = |root: &Var, key: &str| key == crate::ir::place::key(&Place::var(*root));
        self.elements.retain(|(root, key), _| whole(root, key) && !(is_loop && changed.contains(root)));
        let around = self.elements.clone();
        if is_loop {
            self.here.loops.push(self.here.position);
        }
        for stmt in block.stmts {
            self.here.position += 1;
            self.stmt(stmt);
        }
        if is_loop {
            self.here.loops.pop();
        }
        self.elements = around;
        self.elements.retain(|(root, _), _| !changed.contains(root));
        Block { stmts: std::mem::replace(&mut self.out, outer) }
    }

    fn stmt(&mut self, mut stmt: Stmt) {
        self.name_indices(&mut stmt);
        match stmt {
            Stmt::Let { var, expr } => self.bind(var, expr),
            Stmt::Assign { place, op, value, span } => self.assign(place, op, value, span),
            Stmt::If { cond, then, els } => self.choice(cond, then, els),
            Stmt::Switch { scrutinee, arms } => self.switch(scrutinee, arms),
            Stmt::For(on) => self.counted_loop(on),
            Stmt::While { prelude, cond, body, checkpoint } => {
                let (prelude, cond, body) = self.conditional_loop(prelude, cond, body);
                self.out.push(Stmt::While { prelude, cond, body, checkpoint });
            }
            Stmt::Push { .. } | Stmt::Swap { .. } | Stmt::Effect { .. } => self.effect(stmt),
            Stmt::Declare { .. } | Stmt::Derived(_) => self.out.push(stmt),
        }
    }

    /// A loop whose iterations are not counted: what it changes has no version around it.
    fn conditional_loop(&mut self, prelude: Block, cond: PassiveCode, body: Block) -> (Block, PassiveCode, Block) {
        self.preload([&prelude, &body].into_iter());
        let changed = touched(&[&prelude.stmts[..], &body.stmts[..]].concat(), &[Access::Write]);
        let before = without(self.current.clone(), &changed);
        self.current = before.clone();
        let renamed = self.while_loop(prelude, cond, body);
        self.current = before;
        renamed
    }

    fn written(&mut self, place: &mut Place) {
        self.indices(place);
        self.forget(place.root);
    }

    /// A statement that changes what lies in variables.
    fn effect(&mut self, mut stmt: Stmt) {
        match &mut stmt {
            Stmt::Push { place, value, .. } => {
                self.operand(value);
                self.written(place);
            }
            Stmt::Swap { a, b, .. } => [a, b].into_iter().for_each(|place| self.written(place)),
            Stmt::Effect { tokens, writes } => {
                self.passive_code(tokens);
                writes.iter().for_each(|v| self.forget(*v));
            }
            _ => {}
        }
        self.out.push(stmt);
    }

    fn choice(&mut self, mut cond: PassiveCode, then: Block, els: Block) {
        self.passive_code(&mut cond);
        let changed = touched(&[&then.stmts[..], &els.stmts[..]].concat(), &[Access::Write]);
        let before = self.current.clone();
        let then = self.block(then, false);
        self.current = before.clone();
        let els = self.block(els, false);
        self.current = without(before, &changed);
        self.out.push(Stmt::If { cond, then, els });
    }

    fn switch(&mut self, mut scrutinee: PassiveCode, arms: Vec<Arm>) {
        self.passive_code(&mut scrutinee);
        let changed: Vars = arms.iter().flat_map(|a| touched(&a.body.stmts, &[Access::Write])).collect();
        let before = self.current.clone();
        let arms = arms.into_iter().map(|mut arm| {
            self.current = before.clone();
            arm.guard.iter_mut().for_each(|g| self.rename_loaded(g));
            Arm { body: self.block(arm.body, false), ..arm }
        });
        let arms = arms.collect();
        self.current = without(before, &changed);
        self.out.push(Stmt::Switch { scrutinee, arms });
    }

    fn counted_loop(&mut self, mut on: For) {
        for bound in [&mut on.lo, &mut on.hi].into_iter().chain(&mut on.step) {
            self.passive_code(bound);
        }
        self.preload([&on.body].into_iter());
        let changed = touched(&on.body.stmts, &[Access::Write]);
        let before = without(self.current.clone(), &changed);
        self.current = before.clone();
        on.body = self.block(on.body, true);
        self.current = before;
        self.out.push(Stmt::For(on));
    }

    /// Prelude, condition and body share one iteration, so they share one scope of versions.
    fn while_loop(&mut self, prelude: Block, mut cond: PassiveCode, body: Block) -> (Block, PassiveCode, Block) {
        let outer = std::mem::take(&mut self.out);
        self.elements.clear();
        self.here.loops.push(self.here.position);
        for stmt in prelude.stmts {
            self.here.position += 1;
            self.stmt(stmt);
        }
        self.passive_code(&mut cond);
        let prelude = Block { stmts: std::mem::take(&mut self.out) };
        for stmt in body.stmts {
            self.here.position += 1;
            self.stmt(stmt);
        }
        self.here.loops.pop();
        self.elements.clear();
        let body = Block { stmts: std::mem::replace(&mut self.out, outer) };
        (prelude, cond, body)
    }

    fn bind(&mut self, var: Var, mut expr: Expr) {
        self.expr(&mut expr);
        if let Expr::Call(call) = &mut expr {
            call.changing = self.changing(call);
        }
        self.forget_written(&expr);
        let scalar = self.scalars.contains(&var);
        // the adjoint of `exp` reads its value, which a call through `&mut` or an exchange may take away
        let changed = matches!(expr, Expr::Op { .. }) && !self.writes.stable(var, &self.here);
        if !scalar && !changed {
            self.out.push(Stmt::Let { var, expr });
            return;
        }
        let value = self.version(var);
        self.out.push(Stmt::Let { var: value, expr });
        self.out.push(Stmt::Let { var, expr: self.copy(value) });
        if scalar {
            self.current.insert(var, value);
        }
    }

    /// Forgets the names of what an expression changes.
    fn forget_written(&mut self, expr: &Expr) {
        match expr {
            Expr::Call(call) => {
                let written: Vec<Var> = call.args.iter().filter_map(written_root).collect();
                written.into_iter().for_each(|v| self.forget(v));
            }
            Expr::Pop(place) => self.forget(place.root),
            _ => {}
        }
    }

    /// An exclusive reference may be passed by its name to a function that only reads. The sweep of that function would read
    /// what the data is by then: where it changes later, the function has to be one that writes.
    fn changing(&self, call: &Call) -> Vec<usize> {
        let changes = |arg: &CallArg| matches!(arg, CallArg::Mut(p) if !self.writes.stable(p.root, &self.here));
        call.args.iter().enumerate().filter(|(_, arg)| changes(arg)).map(|(k, _)| k).collect()
    }

    fn assign(&mut self, mut place: Place, op: Assign, mut value: Operand, span: proc_macro2::Span) {
        self.operand(&mut value);
        self.indices(&mut place);
        let cell = place.root;
        if let Operand::Place(p) = &value
            && p.root == cell
            && !p.path.is_empty()
        {
            let key = (p.root, crate::ir::place::key(p));
            self.name_element(&mut value, key); // one array is not read and written in one statement
        }
        if place.path.is_empty() && self.scalars.contains(&cell) {
            self.current.remove(&cell);
            let bare = self.vars[cell.0 as usize].ty == Ty::Passive && is_bare(&value);
            if op == Assign::Set && !bare {
                value = self.versioned(cell, &value);
            }
        }
        self.forget(cell);
        if let (Assign::Set, Some(var)) = (op, value.as_var())
            && self.names_elements(&place, var)
        {
            self.elements.insert((cell, crate::ir::place::key(&place)), var);
        }
        self.out.push(Stmt::Assign { place, op, value, span });
    }

    /// The version of a scalar that has this value.
    fn versioned(&mut self, cell: Var, value: &Operand) -> Operand {
        let fixed = value.as_var().filter(|v| !self.vars[v.0 as usize].mutable);
        let version = fixed.unwrap_or_else(|| self.name(cell, value));
        self.current.insert(cell, version);
        match self.vars[cell.0 as usize].ty {
            Ty::Passive => Operand::Passive(PassiveCode::var(version, &self.vars[version.0 as usize])),
            _ => Operand::var(version),
        }
    }

    /// Whether an element, or an array as a whole, is a variable's value from here on: what an array is given has a name already.
    fn names_elements(&self, place: &Place, var: Var) -> bool {
        let [of, given] = [place.root, var].map(|v| &self.vars[v.0 as usize]);
        let named = match place.path.is_empty() {
            true => is_array(&of.ty) && is_array(&given.ty),
            false => of.ty != Ty::Passive && given.ty == Ty::Float,
        };
        named && !given.mutable
    }

    /// The names of elements of `root`, and of elements found by it, no longer hold.
    fn forget(&mut self, root: Var) {
        self.elements.retain(|(of, _), _| *of != root);
    }

    /// `let version = value`.
    fn name(&mut self, cell: Var, value: &Operand) -> Var {
        let version = self.version(cell);
        let expr = match value {
            Operand::Passive(o) => Expr::Passive(o.clone()),
            place => Expr::Operand(place.clone()),
        };
        self.out.push(Stmt::Let { var: version, expr });
        version
    }

    fn version(&mut self, of: Var) -> Var {
        let index = self.vars.len() as u32;
        let old = &self.vars[of.0 as usize];
        let info = VarInfo {
            name: Ident::new(&format!("__v{index}_{}", old.hint), old.name.span()),
            mutable: false,
            changes: false,
            ..old.clone()
        };
        self.settled.version(&info, old);
        self.vars.push(info);
        Var(index)
    }

    fn copy(&self, var: Var) -> Expr {
        match self.vars[var.0 as usize].ty {
            Ty::Passive => Expr::Passive(PassiveCode::var(var, &self.vars[var.0 as usize])),
            _ => Expr::Operand(Operand::var(var)),
        }
    }
}

/// A value of a library, or of a type that only rustc knows.
fn is_array(ty: &Ty) -> bool {
    matches!(ty, Ty::Library | Ty::Unknown)
}

fn written_root(arg: &CallArg) -> Option<Var> {
    match arg {
        CallArg::Mut(p) => Some(p.root),
        _ => None,
    }
}

fn without(mut map: HashMap<Var, Var>, changed: &Vars) -> HashMap<Var, Var> {
    map.retain(|cell, _| !changed.contains(cell));
    map
}
