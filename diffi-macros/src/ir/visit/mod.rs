//! Traversals of the IR: who reads what, who writes what, and renaming.
//!
//! Enters: a statement, a block or an expression. Leaves: the variables and places that it reads or writes.
//! Imports: `ir`, `support`.

pub mod operands;
pub mod places;
pub mod positions;

use crate::ir::symbols::Table;
use crate::ir::*;
use crate::support::hash::HashMap;
use crate::support::work::step;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

pub use crate::ir::var_set::Vars;

impl PassiveCode {
    /// Tokens that read nothing.
    pub fn literal(tokens: TokenStream) -> Self {
        PassiveCode { tokens, reads: Vars::new(), shapes: Vars::new(), span: proc_macro2::Span::call_site() }
    }

    /// Whether the tokens read any of these variables, or its shape.
    pub fn depends_on(&self, vars: &Vars) -> bool {
        self.reads.iter().chain(&self.shapes).any(|v| vars.contains(v))
    }

    /// Tokens made of these.
    pub fn map(mut self, tokens: impl FnOnce(&TokenStream) -> TokenStream) -> Self {
        self.tokens = tokens(&self.tokens);
        self
    }

    /// The value of one passive variable.
    pub fn var(var: Var, info: &VarInfo) -> Self {
        let name = &info.name;
        PassiveCode { tokens: quote::quote!(#name), reads: [var].into(), shapes: Vars::new(), span: info.span }
    }
}

/// Rewrites the outermost statements that fit: `build` makes what stands in their place of what `fits` knows of them.
pub fn outermost<T>(
    table: &mut Table,
    block: &mut Block,
    fits: &dyn Fn(&Table, &Stmt) -> Option<T>,
    build: &dyn Fn(&mut Table, T) -> Vec<Stmt>,
) {
    block.replace(|stmt| match fits(table, stmt) {
        Some(found) => Some(build(table, found)),
        None => {
            blocks_mut(stmt).into_iter().for_each(|inner| outermost(table, inner, fits, build));
            None
        }
    });
}

impl Block {
    /// Puts the statements that `f` makes of a statement in its place, where it makes any.
    pub fn replace(&mut self, mut f: impl FnMut(&mut Stmt) -> Option<Vec<Stmt>>) {
        let mut at = 0;
        while at < self.stmts.len() {
            at += match f(&mut self.stmts[at]) {
                None => 1,
                Some(new) => {
                    let count = new.len();
                    self.stmts.splice(at..=at, new);
                    count
                }
            };
        }
    }

    /// Puts statements before and after those for which `f` has any.
    pub fn surround(&mut self, mut f: impl FnMut(&mut Stmt) -> (Vec<Stmt>, Vec<Stmt>)) {
        let mut at = 0;
        while at < self.stmts.len() {
            let (before, after) = f(&mut self.stmts[at]);
            if before.is_empty() && after.is_empty() {
                at += 1;
                continue;
            }
            at += before.len();
            let end = at + 1 + after.len();
            self.stmts.splice(at - before.len()..at - before.len(), before);
            self.stmts.splice(at + 1..at + 1, after);
            at = end;
        }
    }
}

impl Place {
    /// The whole of a variable.
    pub fn var(root: Var) -> Self {
        Place { root, path: Vec::new() }
    }

    /// The same path from another root.
    pub fn at(&self, root: Var) -> Self {
        Place { root, path: self.path.clone() }
    }

    /// The place that the first steps of the path lead to.
    pub fn up(&self, steps: usize) -> Self {
        Place { root: self.root, path: self.path[..steps].to_vec() }
    }

    /// Calls `f` on every opaque index.
    pub fn indices<'a>(&'a self, f: &mut dyn FnMut(&'a PassiveCode)) {
        for step in &self.path {
            match step {
                Proj::Field(_) | Proj::Payload(..) | Proj::Deref => {}
                Proj::Index(i) => f(i),
                Proj::Range(lo, hi) => lo.iter().chain(hi).for_each(&mut *f),
            }
        }
    }

    /// Calls `f` on every opaque index.
    pub fn indices_mut(&mut self, f: &mut dyn FnMut(&mut PassiveCode)) {
        for step in &mut self.path {
            match step {
                Proj::Field(_) | Proj::Payload(..) | Proj::Deref => {}
                Proj::Index(i) => f(i),
                Proj::Range(lo, hi) => lo.iter_mut().chain(hi).for_each(&mut *f),
            }
        }
    }
}

impl Output {
    /// The value that is differentiated, there or not.
    pub fn content(&self) -> &Output {
        match self {
            Output::Maybe(m) => m.content.content(),
            Output::Beside(y, _) => y.content(),
            other => other,
        }
    }
}

impl Operand {
    /// A whole variable.
    pub fn var(var: Var) -> Self {
        Operand::Place(Place::var(var))
    }

    /// The variable that this operand is, if it is one as a whole.
    pub fn as_var(&self) -> Option<Var> {
        match self {
            Operand::Place(p) if p.path.is_empty() => Some(p.root),
            _ => None,
        }
    }
}

/// `v`, `i` and `j` of `v[i]` and `v[j]`.
pub fn siblings<'p>(a: &'p Place, b: &'p Place) -> Option<(Place, &'p PassiveCode, &'p PassiveCode)> {
    let (Some((Proj::Index(i), before)), Some((Proj::Index(j), other))) = (a.path.split_last(), b.path.split_last())
    else {
        return None;
    };
    let whole = a.up(before.len());
    (crate::ir::place::key(&whole) == crate::ir::place::key(&b.up(other.len()))).then_some((whole, i, j))
}

/// How many steps two places have in common before they part.
pub fn siblings_before(a: &Place, b: &Place) -> Option<usize> {
    let shortest = a.path.len().min(b.path.len());
    let same = |n: &usize| crate::ir::place::key(&a.up(*n)) == crate::ir::place::key(&b.up(*n));
    let common = (0..=shortest).take_while(same).last()?;
    (common < shortest).then_some(common)
}

/// The blocks directly inside a statement.
pub fn blocks(stmt: &Stmt) -> Vec<&Block> {
    match stmt {
        Stmt::If { then, els, .. } => vec![then, els],
        Stmt::Switch { arms, .. } => arms.iter().map(|a| &a.body).collect(),
        Stmt::For(on) => vec![&on.body],
        Stmt::While { prelude, body, .. } => vec![prelude, body],
        Stmt::Derived(Derived::Loop(l)) => vec![&l.on.body],
        Stmt::Derived(
            Derived::Times { body, .. }
            | Derived::Guard { body, .. }
            | Derived::NoAlias { body, .. }
            | Derived::LoopBuffers { body, .. },
        ) => {
            vec![body]
        }
        _ => vec![],
    }
}

/// The blocks directly inside a statement.
pub fn blocks_mut(stmt: &mut Stmt) -> Vec<&mut Block> {
    match stmt {
        Stmt::If { then, els, .. } => vec![then, els],
        Stmt::Switch { arms, .. } => arms.iter_mut().map(|a| &mut a.body).collect(),
        Stmt::For(on) => vec![&mut on.body],
        Stmt::While { prelude, body, .. } => vec![prelude, body],
        Stmt::Derived(Derived::Loop(l)) => vec![&mut l.on.body],
        Stmt::Derived(
            Derived::Times { body, .. }
            | Derived::Guard { body, .. }
            | Derived::NoAlias { body, .. }
            | Derived::LoopBuffers { body, .. },
        ) => {
            vec![body]
        }
        _ => vec![],
    }
}

/// The body of a loop.
pub fn loop_body(stmt: &mut Stmt) -> Option<&mut Block> {
    match stmt {
        Stmt::For(on) => Some(&mut on.body),
        Stmt::While { body, .. } => Some(body),
        Stmt::Derived(Derived::Loop(l)) => Some(&mut l.on.body),
        Stmt::Derived(Derived::Times { body, .. }) => Some(body),
        _ => None,
    }
}

/// Calls `f` on all passive tokens directly in one of the user's statements.
pub fn each_opaque<'s>(stmt: &'s Stmt, f: &mut dyn FnMut(&'s PassiveCode)) {
    match stmt {
        Stmt::Let { expr, .. } => match expr {
            Expr::Operand(o) => operand(o, f),
            Expr::Op { args, .. } | Expr::Array(args) | Expr::VecOf(args) | Expr::Tuple(args) => {
                args.iter().for_each(|a| operand(a, f));
            }
            Expr::Struct(s) => s.fields.iter().for_each(|(_, o)| operand(o, f)),
            Expr::Boxed(o) => operand(o, f),
            Expr::Repeat { value, len } | Expr::VecRepeat { value, len } => {
                operand(value, f);
                f(len);
            }
            Expr::Passive(o) | Expr::VecNew(o) | Expr::Scratch { len: o } => f(o),
            Expr::ToVec(p) | Expr::Content(p) | Expr::Pop(p) | Expr::Fresh { place: p, .. } => p.indices(f),
            Expr::If { cond, place } => {
                f(cond);
                place.indices(f);
            }
            Expr::Call(call) => call.args.iter().for_each(|arg| match arg {
                CallArg::Ref(p) | CallArg::Mut(p) => p.indices(f),
                CallArg::Value(o) => operand(o, f),
                CallArg::Passive(o) => f(o),
            }),
            Expr::Zero => {}
        },
        Stmt::Assign { place, value, .. } | Stmt::Push { place, value, .. } => {
            place.indices(f);
            operand(value, f);
        }
        Stmt::Swap { a, b, .. } => [a, b].into_iter().for_each(|p| p.indices(f)),
        Stmt::If { cond, .. } | Stmt::While { cond, .. } => f(cond),
        Stmt::Switch { scrutinee, arms } => {
            f(scrutinee);
            arms.iter().filter_map(|a| a.guard.as_ref()).for_each(f);
        }
        Stmt::For(on) => [&on.lo, &on.hi].into_iter().chain(&on.step).for_each(f),
        Stmt::Effect { tokens, .. } => f(tokens),
        Stmt::Declare { .. } | Stmt::Derived(_) => {}
    }
}

fn operand<'s>(o: &'s Operand, f: &mut dyn FnMut(&'s PassiveCode)) {
    match o {
        Operand::Place(p) => p.indices(f),
        Operand::Passive(o) => f(o),
        Operand::Made { args, .. } => args.iter().for_each(|a| operand(a, f)),
    }
}

/// How a statement touches a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads its value (or a part of it).
    Read,
    /// Reads its shape only.
    Shape,
    /// Changes it.
    Write,
    /// Brings it into being.
    Define,
}

/// What visits the variables of a piece of IR.
pub struct Visit<'f>(pub &'f mut dyn FnMut(Var, Access));

impl Visit<'_> {
    /// Every statement of a block, nested ones included.
    pub fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|s| self.stmt(s));
    }

    /// Passive tokens.
    pub fn opaque(&mut self, o: &PassiveCode) {
        o.reads.iter().for_each(|v| (self.0)(*v, Access::Read));
        o.shapes.iter().for_each(|v| (self.0)(*v, Access::Shape));
    }

    /// A place whose value is read.
    pub fn place(&mut self, p: &Place) {
        (self.0)(p.root, Access::Read);
        p.indices(&mut |i| self.opaque(i));
    }

    fn updated(&mut self, p: &Place) {
        (self.0)(p.root, Access::Read);
        self.written(p);
    }

    fn written(&mut self, p: &Place) {
        (self.0)(p.root, Access::Write);
        p.indices(&mut |i| self.opaque(i));
    }

    /// An operand.
    pub fn operand(&mut self, o: &Operand) {
        match o {
            Operand::Place(p) => self.place(p),
            Operand::Passive(o) => self.opaque(o),
            Operand::Made { args, .. } => args.iter().for_each(|a| self.operand(a)),
        }
    }

    /// A right-hand side.
    pub fn expr(&mut self, e: &Expr) {
        match e {
            Expr::Operand(o) => self.operand(o),
            Expr::Op { args, .. } | Expr::Array(args) | Expr::VecOf(args) | Expr::Tuple(args) => {
                args.iter().for_each(|a| self.operand(a))
            }
            Expr::Struct(s) => s.fields.iter().for_each(|(_, o)| self.operand(o)),
            Expr::Boxed(o) => self.operand(o),
            Expr::Call(call) => self.call(call),
            Expr::Repeat { value, len } | Expr::VecRepeat { value, len } => {
                self.operand(value);
                self.opaque(len);
            }
            Expr::VecNew(o) | Expr::Passive(o) | Expr::Scratch { len: o } => self.opaque(o),
            Expr::ToVec(p) | Expr::Content(p) | Expr::Fresh { place: p, .. } => self.place(p),
            Expr::Pop(p) => self.updated(p),
            Expr::If { cond, place } => {
                self.opaque(cond);
                self.place(place);
            }
            Expr::Zero => {}
        }
    }

    fn call(&mut self, call: &Call) {
        for arg in &call.args {
            match arg {
                CallArg::Ref(p) => self.place(p),
                CallArg::Mut(p) => {
                    self.place(p);
                    self.written(p);
                }
                CallArg::Value(o) => self.operand(o),
                CallArg::Passive(o) => self.opaque(o),
            }
        }
    }

    /// A call that asks only for the shapes of its arguments.
    fn shapes(&mut self, call: &Call) {
        for arg in &call.args {
            match arg {
                CallArg::Ref(p) | CallArg::Value(Operand::Place(p)) => {
                    (self.0)(p.root, Access::Shape);
                    p.indices(&mut |i| self.opaque(i));
                }
                CallArg::Mut(p) => {
                    (self.0)(p.root, Access::Shape);
                    self.written(p);
                }
                CallArg::Value(o) => self.operand(o),
                CallArg::Passive(o) => self.opaque(o),
            }
        }
    }

    /// A statement and what it contains.
    pub fn stmt(&mut self, s: &Stmt) {
        self.head(s);
        blocks(s).into_iter().for_each(|b| self.block(b));
    }

    /// A statement without the blocks in it.
    pub fn head(&mut self, s: &Stmt) {
        step();
        match s {
            Stmt::Let { var, expr } => {
                self.expr(expr);
                (self.0)(*var, Access::Define);
            }
            Stmt::Declare { var } => (self.0)(*var, Access::Define),
            Stmt::Assign { place, value, .. } | Stmt::Push { place, value, .. } => {
                self.operand(value);
                self.written(place);
            }
            Stmt::Swap { a, b, .. } => [a, b].into_iter().for_each(|p| self.updated(p)),
            Stmt::If { cond, .. } => self.opaque(cond),
            Stmt::Switch { scrutinee, arms } => {
                self.opaque(scrutinee);
                for arm in arms {
                    arm.binds.iter().for_each(|v| (self.0)(*v, Access::Define));
                    arm.guard.iter().for_each(|g| self.opaque(g));
                }
            }
            Stmt::For(on) => self.count(on),
            Stmt::While { cond, checkpoint, .. } => {
                self.kept(checkpoint);
                self.opaque(cond);
            }
            Stmt::Effect { tokens, writes } => {
                self.opaque(tokens);
                writes.iter().for_each(|v| (self.0)(*v, Access::Write));
            }
            Stmt::Derived(d) => self.derived(d),
        }
    }

    fn kept(&mut self, checkpoint: &Option<Checkpoint>) {
        if let Some(Checkpoint { keep: CheckpointPolicy::Every(n) | CheckpointPolicy::Snapshots(n), .. }) = checkpoint {
            self.opaque(n);
        }
    }

    fn count(&mut self, on: &For) {
        self.kept(&on.checkpoint);
        self.opaque(&on.lo);
        self.opaque(&on.hi);
        on.step.iter().for_each(|s| self.opaque(s));
        (self.0)(on.var, Access::Define);
        on.until.iter().for_each(|v| (self.0)(*v, Access::Read));
    }

    fn record(&mut self, r: &TapeFrame, touch: Access) {
        if touch == Access::Define {
            r.carried.iter().for_each(|c| (self.0)(c.value, touch));
        }
        let all = r.floats.iter().chain(&r.words).chain(&r.wholes);
        r.at.iter().for_each(|o| self.opaque(o));
        let restored = |v: &&Var| touch == Access::Define && r.into.contains(v);
        for var in all.chain(r.whole_dots.iter().map(|(dot, _)| dot)) {
            (self.0)(*var, if restored(&var) { Access::Write } else { touch });
        }
    }

    fn derived(&mut self, d: &Derived) {
        match d {
            Derived::Zero { var, like } | Derived::Unset { var, like, .. } => {
                if let Derived::Unset { of: Some(of), .. } = d {
                    (self.0)(*of, Access::Read);
                }
                match like {
                    ShapeOf::Value(p) => {
                        (self.0)(p.root, Access::Shape);
                        p.indices(&mut |i| self.opaque(i));
                    }
                    ShapeOf::Len(o) | ShapeOf::Passive(o) => self.opaque(o),
                    ShapeOf::Fixed => {}
                }
                (self.0)(*var, Access::Define);
            }
            Derived::Release { var } => (self.0)(*var, Access::Write),
            Derived::Acc { place, value, .. } => {
                self.place(value);
                self.written(place);
            }
            Derived::Move { to, from, declares } => {
                (self.0)(*from, Access::Read);
                (self.0)(*to, if *declares { Access::Define } else { Access::Write });
            }
            Derived::Clear { place, .. } => self.written(place),
            Derived::Refill { var, len, with } => {
                len.iter().for_each(|o| self.opaque(o));
                match with {
                    Refill::Value(o) => self.operand(o),
                    Refill::Zero | Refill::Anything => {}
                    Refill::Copy(p) => self.place(p),
                }
                (self.0)(*var, Access::Write);
            }
            Derived::View { var, place, exclusive, .. } => {
                self.place(place);
                if *exclusive {
                    self.written(place);
                }
                (self.0)(*var, Access::Define);
            }
            Derived::Cut { head, vars, place, pairs, exclusive, .. } => {
                (self.0)(*pairs, Access::Read);
                self.place(place);
                if *exclusive {
                    self.written(place);
                }
                head.iter().map(|(v, _)| v).chain(vars).for_each(|v| (self.0)(*v, Access::Define));
            }
            Derived::Chunks { var, place, count, exclusive, .. } => {
                self.opaque(count);
                self.place(place);
                if *exclusive {
                    self.written(place);
                }
                (self.0)(*var, Access::Define);
            }
            Derived::Cells { var, place, .. } => {
                self.place(place);
                self.written(place);
                (self.0)(*var, Access::Define);
            }
            Derived::Parted { vars, place, starts, lengths, .. } => {
                starts.iter().chain(lengths).for_each(|o| self.opaque(o));
                self.place(place);
                self.written(place);
                vars.iter().for_each(|v| (self.0)(*v, Access::Define));
            }
            Derived::FrameBlock(l) => {
                self.count(&l.on);
                self.block(&l.on.body);
            }
            Derived::FrameWindow { from, count, .. } => [from, count].into_iter().for_each(|o| self.opaque(o)),
            Derived::Fresh { bar, lo, hi } => {
                (self.0)(*bar, Access::Write);
                self.opaque(lo);
                self.opaque(hi);
            }
            Derived::Pop { var, place } => {
                self.written(place);
                (self.0)(*var, Access::Define);
            }
            Derived::Guard { .. } | Derived::LoopBuffers { .. } => {}
            Derived::NoAlias { slices, .. } => slices.iter().for_each(|v| (self.0)(*v, Access::Read)),
            Derived::PushFrame(r) | Derived::StoreFrame(r) => self.record(r, Access::Read),
            Derived::PopFrame(r) | Derived::LoadFrame(r) => self.record(r, Access::Define),
            Derived::Loop(l) => {
                l.iterations.iter().for_each(|v| (self.0)(*v, Access::Read));
                if l.sweep == LoopSweep::Primal {
                    l.first.iter().for_each(|c| (self.0)(c.cell, Access::Read));
                }
                for walk in &l.walks {
                    self.place(&walk.slice);
                    walk.by.iter().for_each(|o| self.opaque(o));
                    (self.0)(walk.element, Access::Define);
                }
                self.count(&l.on);
            }
            Derived::Times { iterations, .. } => (self.0)(*iterations, Access::Read),
            Derived::Sweep(s) => self.sweep(s),
            Derived::Either { place, value } => {
                self.operand(value);
                self.place(place);
                self.written(place);
            }
        }
    }

    fn sweep(&mut self, s: &Sweep) {
        match s.kind == SweepKind::Reverse && s.call.linear {
            true => self.shapes(&s.call),
            false => self.call(&s.call),
        }
        let bars = s.bars.iter().flatten().map(|(place, _)| place);
        for place in bars.chain(s.tangents.iter().flat_map(|t| t.bars.iter().flatten())) {
            // the callee adds to it, and takes what it changed
            match s.fresh.contains(&place.root) {
                true => self.written(place),
                false => self.updated(place),
            }
        }
        for bar in s.result_bar.iter().chain(s.tangents.iter().flat_map(|t| &t.result_bar)) {
            (self.0)(*bar, Access::Read);
            (self.0)(*bar, Access::Write);
        }
        if let Some(t) = &s.tangents {
            for (arg, tangent) in s.call.args.iter().zip(&t.args) {
                if let Some((place, _)) = tangent {
                    self.place(place);
                    if matches!(arg, CallArg::Mut(_)) {
                        self.written(place);
                    }
                }
            }
            t.result.iter().for_each(|v| (self.0)(*v, Access::Define));
        }
        s.result.iter().for_each(|v| (self.0)(*v, Access::Define));
    }

    /// The function's result.
    pub fn out(&mut self, out: &Output) {
        match out {
            Output::Float(o) => self.operand(o),
            Output::Place(p) => self.place(p),
            Output::Tuple(all) | Output::Array(all) => all.iter().for_each(|o| self.out(o)),
            Output::Passive(o) => self.opaque(o),
            Output::Beside(y, aux) => {
                self.out(y);
                self.opaque(aux);
            }
            Output::Maybe(m) => {
                self.opaque(&m.present);
                m.failure.iter().for_each(|o| self.opaque(o));
                self.out(&m.content);
            }
            Output::Unit => {}
        }
    }
}

/// Whether a statement touches a variable in any way.
pub fn touches(stmt: &Stmt, var: Var) -> bool {
    let mut found = false;
    Visit(&mut |v, _| found |= v == var).stmt(stmt);
    found
}

/// The variables that statements touch in one of the given ways.
pub fn touched(stmts: &[Stmt], ways: &[Access]) -> Vars {
    let mut found = Vars::new();
    // as bits: lists take long to look into where this crate is built without optimisation
    let ways = ways.iter().fold(0, |all, way| all | 1 << *way as u8);
    let mut note = |v, t| {
        if ways & 1 << t as u8 != 0 {
            found.insert(v);
        }
    };
    let mut visit = Visit(&mut note);
    for stmt in stmts {
        visit.stmt(stmt);
    }
    found
}

/// Rewrites the variables that are *read* (not the ones that are written or defined).
pub struct Rename<'a> {
    /// From a variable to the one to read instead.
    pub map: &'a HashMap<Var, Var>,
    /// For placeholders.
    pub vars: &'a [VarInfo],
    /// Parameters behind references: tokens read `(*x)`, and `x_1` instead.
    pub behind: &'a Vars,
}

impl Rename<'_> {
    fn get(&self, v: Var) -> Var {
        self.map.get(&v).copied().unwrap_or(v)
    }

    /// Passive tokens.
    pub fn opaque(&self, o: &mut PassiveCode) {
        if !o.reads.iter().chain(&o.shapes).any(|v| self.map.contains_key(v)) {
            return;
        }
        let names: BTreeMap<String, Ident> = o
            .reads
            .iter()
            .chain(&o.shapes)
            .filter(|v| self.map.contains_key(v))
            .map(|v| (self.vars[v.0 as usize].name.to_string(), self.vars[self.get(*v).0 as usize].name.clone()))
            .collect();
        let through = o.reads.iter().filter(|v| self.behind.contains(v) && self.map.contains_key(v));
        let through: BTreeSet<String> = through.map(|v| self.vars[v.0 as usize].name.to_string()).collect();
        if !through.is_empty() {
            o.tokens = seen_through(o.tokens.clone(), &through);
        }
        o.tokens = substitute(o.tokens.clone(), &names);
        o.reads = o.reads.iter().map(|v| self.get(*v)).collect();
        o.shapes = o.shapes.iter().map(|v| self.get(*v)).collect();
    }

    /// A place that is read.
    pub fn place(&self, p: &mut Place) {
        p.root = self.get(p.root);
        self.indices(p);
    }

    /// The indices of a place that is written.
    pub fn indices(&self, p: &mut Place) {
        p.indices_mut(&mut |i| self.opaque(i));
    }

    /// An operand.
    pub fn operand(&self, o: &mut Operand) {
        match o {
            Operand::Place(p) => self.place(p),
            Operand::Passive(o) => self.opaque(o),
            Operand::Made { args, .. } => args.iter_mut().for_each(|a| self.operand(a)),
        }
    }

    /// A right-hand side.
    pub fn expr(&self, e: &mut Expr) {
        match e {
            Expr::Operand(o) => self.operand(o),
            Expr::Op { args, .. } | Expr::Array(args) | Expr::VecOf(args) | Expr::Tuple(args) => {
                args.iter_mut().for_each(|a| self.operand(a))
            }
            Expr::Struct(s) => s.fields.iter_mut().for_each(|(_, o)| self.operand(o)),
            Expr::Boxed(o) => self.operand(o),
            Expr::Call(call) => self.call(call),
            Expr::Repeat { value, len } | Expr::VecRepeat { value, len } => {
                self.operand(value);
                self.opaque(len);
            }
            Expr::VecNew(o) | Expr::Passive(o) | Expr::Scratch { len: o } => self.opaque(o),
            Expr::ToVec(p) | Expr::Content(p) | Expr::Fresh { place: p, .. } => self.place(p),
            Expr::Pop(p) => self.indices(p),
            Expr::If { cond, place } => {
                self.opaque(cond);
                self.place(place);
            }
            Expr::Zero => {}
        }
    }

    /// A call's arguments.
    pub fn call(&self, call: &mut Call) {
        for arg in &mut call.args {
            match arg {
                CallArg::Ref(p) => self.place(p),
                CallArg::Mut(p) => self.indices(p),
                CallArg::Value(o) => self.operand(o),
                CallArg::Passive(o) => self.opaque(o),
            }
        }
    }

    /// The function's result.
    pub fn out(&self, out: &mut Output) {
        match out {
            Output::Float(o) => self.operand(o),
            Output::Place(p) => self.place(p),
            Output::Tuple(all) | Output::Array(all) => all.iter_mut().for_each(|o| self.out(o)),
            Output::Passive(o) => self.opaque(o),
            Output::Beside(y, aux) => {
                self.out(y);
                self.opaque(aux);
            }
            Output::Maybe(m) => {
                self.opaque(&mut m.present);
                m.failure.iter_mut().for_each(|o| self.opaque(o));
                self.out(&mut m.content);
            }
            Output::Unit => {}
        }
    }
}

/// Replaces identifiers in tokens.
pub fn substitute(tokens: TokenStream, names: &BTreeMap<String, Ident>) -> TokenStream {
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Ident(ident) => match names.get(&ident.to_string()) {
                Some(new) => {
                    let mut new = new.clone();
                    new.set_span(ident.span());
                    TokenTree::Ident(new)
                }
                None => TokenTree::Ident(ident),
            },
            TokenTree::Group(group) => {
                let mut new = Group::new(group.delimiter(), substitute(group.stream(), names));
                new.set_span(group.span());
                TokenTree::Group(new)
            }
            other => other,
        })
        .collect()
}

/// Every identifier of this name as other tokens.
pub fn replaced(tokens: TokenStream, name: &str, by: &dyn Fn(Span) -> TokenStream) -> TokenStream {
    let tree = |tree| match tree {
        TokenTree::Ident(i) if i == name => by(i.span()),
        TokenTree::Group(group) => {
            let mut new = Group::new(group.delimiter(), replaced(group.stream(), name, by));
            new.set_span(group.span());
            TokenTree::Group(new).into()
        }
        other => other.into(),
    };
    tokens.into_iter().map(tree).collect::<Vec<TokenStream>>().into_iter().collect()
}

/// `(*x)` as `x`, for these names.
fn seen_through(tokens: TokenStream, names: &BTreeSet<String>) -> TokenStream {
    let tree = |tree| match tree {
        TokenTree::Group(group) => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            match &inner[..] {
                [TokenTree::Punct(star), TokenTree::Ident(name)]
                    if star.as_char() == '*' && names.contains(&name.to_string()) =>
                {
                    inner[1].clone()
                }
                _ => {
                    let mut new = Group::new(group.delimiter(), seen_through(group.stream(), names));
                    new.set_span(group.span());
                    TokenTree::Group(new)
                }
            }
        }
        other => other,
    };
    tokens.into_iter().map(tree).collect()
}
