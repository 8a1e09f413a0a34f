//! Traversals of the IR: who reads what, who writes what, and renaming.
//!
//! Enters: a statement, a block or an expression. Leaves: the variables and places that it reads or writes.
//! Imports: `ir`, `support`.

pub mod lent;
pub mod operands;
pub mod parts;
pub mod places;
pub mod positions;

use crate::ir::symbols::Table;
use crate::ir::visit::parts::shared::{self, Part};
use crate::ir::visit::parts::{Use, mutable};
use crate::ir::*;
use crate::support::hash::HashMap;
use crate::support::work::step;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

pub use crate::ir::var_set::Vars;
pub use crate::ir::visit::parts::mutable::blocks as blocks_mut;
pub use crate::ir::visit::parts::shared::blocks;

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

    /// Takes out the statements at these positions, of which the last stands first.
    pub fn remove(&mut self, positions: &[usize]) {
        if positions.is_empty() {
            return;
        }
        let (mut at, mut left) = (0, positions);
        self.stmts.retain(|_| {
            let out = left.last() == Some(&at);
            at += 1;
            if out {
                left = &left[..left.len() - 1];
            }
            !out
        });
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

    /// An element of this place.
    pub fn element(&self, index: PassiveCode) -> Self {
        Place { root: self.root, path: [&self.path[..], &[Proj::Index(index)]].concat() }
    }

    /// The place that the first steps of the path lead to.
    pub fn up(&self, steps: usize) -> Self {
        Place { root: self.root, path: self.path[..steps].to_vec() }
    }

    /// Calls `f` on every index.
    pub fn indices<'a>(&'a self, f: &mut dyn FnMut(&'a PassiveCode)) {
        for step in &self.path {
            match step {
                Proj::Field(_) | Proj::Payload(..) | Proj::Deref => {}
                Proj::Index(i) => f(i),
                Proj::Range(lo, hi) => lo.iter().chain(hi).for_each(&mut *f),
            }
        }
    }

    /// Calls `f` on every index.
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

    /// The place that this operand reads, if it is one.
    pub fn as_place(&self) -> Option<&Place> {
        match self {
            Operand::Place(p) => Some(p),
            _ => None,
        }
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
pub fn each_passive<'s>(stmt: &'s Stmt, f: &mut dyn FnMut(&'s PassiveCode)) {
    if !matches!(stmt, Stmt::Derived(_)) {
        shared::head(stmt, &mut |part| match part {
            Part::Passive(o) | Part::Lent(o) => f(o),
            Part::Place(p, _) => p.indices(f),
            Part::Var(..) => {}
        });
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

    /// A statement and what it contains.
    pub fn stmt(&mut self, s: &Stmt) {
        self.head(s);
        blocks(s).into_iter().for_each(|b| self.block(b));
    }

    /// A statement without the blocks in it.
    pub fn head(&mut self, s: &Stmt) {
        step();
        shared::head(s, &mut |part| self.part(part));
        match s {
            Stmt::Effect { writes, .. } => writes.iter().for_each(|v| (self.0)(*v, Access::Write)),
            Stmt::Derived(Derived::FrameBlock(l)) => self.block(&l.on.body),
            _ => {}
        }
    }

    /// Passive tokens.
    pub fn passive_code(&mut self, o: &PassiveCode) {
        o.reads.iter().for_each(|v| (self.0)(*v, Access::Read));
        o.shapes.iter().for_each(|v| (self.0)(*v, Access::Shape));
    }

    /// A place whose value is read.
    pub fn place(&mut self, p: &Place) {
        self.part(Part::Place(p, Use::Read));
    }

    /// An operand.
    pub fn operand(&mut self, o: &Operand) {
        shared::operand(o, &mut |part| self.part(part));
    }

    /// A right-hand side.
    pub fn expr(&mut self, e: &Expr) {
        shared::expr(e, &mut |part| self.part(part));
    }

    /// The function's result.
    pub fn out(&mut self, out: &Output) {
        shared::out(out, &mut |part| self.part(part));
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Var(v, used) => self.var(*v, used),
            Part::Place(p, used) => {
                self.var(p.root, used);
                p.indices(&mut |i| self.passive_code(i));
            }
            Part::Lent(o) => o.reads.iter().for_each(|v| self.var(*v, Use::Adapt)),
            Part::Passive(o) => self.passive_code(o),
        }
    }

    fn var(&mut self, var: Var, used: Use) {
        match used {
            Use::Read | Use::Update => (self.0)(var, Access::Read),
            Use::Shape | Use::Adapt => (self.0)(var, Access::Shape),
            Use::Define => (self.0)(var, Access::Define),
            Use::Write => {}
        }
        if matches!(used, Use::Write | Use::Update | Use::Adapt) {
            (self.0)(var, Access::Write);
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
    pub fn passive_code(&self, o: &mut PassiveCode) {
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
        p.indices_mut(&mut |i| self.passive_code(i));
    }

    /// An operand.
    pub fn operand(&self, o: &mut Operand) {
        mutable::operand(o, &mut |part| self.part(part));
    }

    /// A right-hand side.
    pub fn expr(&self, e: &mut Expr) {
        mutable::expr(e, &mut |part| self.part(part));
    }

    /// A statement of numbers, with other names also for what it writes or defines. Blocks are those of guards.
    pub fn stmt(&self, stmt: &Stmt) -> Stmt {
        let mut new = stmt.clone();
        match &mut new {
            Stmt::Let { var, expr } => {
                self.expr(expr);
                *var = self.get(*var);
            }
            Stmt::Assign { place, value, .. } => {
                self.place(place);
                self.operand(value);
            }
            Stmt::Derived(Derived::Clear { place, .. }) => self.place(place),
            Stmt::Derived(Derived::Guard { body, .. }) => {
                body.stmts.iter_mut().for_each(|inner| *inner = self.stmt(inner));
            }
            other => unreachable!("no statement of numbers: {other:?}"),
        }
        new
    }

    /// A call's arguments.
    pub fn call(&self, call: &mut Call) {
        mutable::call(call, Use::Read, &mut |part| self.part(part));
    }

    /// The function's result.
    pub fn out(&self, out: &mut Output) {
        mutable::out(out, &mut |part| self.part(part));
    }

    fn part(&self, part: mutable::Part<'_>) {
        match part {
            mutable::Part::Place(p, Use::Read | Use::Shape) => self.place(p),
            mutable::Part::Place(p, _) => self.indices(p),
            mutable::Part::Passive(o) | mutable::Part::Lent(o) => self.passive_code(o),
            mutable::Part::Var(..) => {}
        }
    }
}

/// Replaces identifiers in tokens.
pub fn substitute(tokens: TokenStream, names: &BTreeMap<String, Ident>) -> TokenStream {
    let renamed = |ident: Ident| {
        let Some(new) = names.get(&ident.to_string()) else { return ident };
        let mut new = new.clone();
        new.set_span(ident.span());
        new
    };
    let tree = |tree| match tree {
        TokenTree::Ident(ident) => TokenTree::Ident(renamed(ident)),
        TokenTree::Group(group) => with_content(&group, substitute(group.stream(), names)),
        other => other,
    };
    tokens.into_iter().map(tree).collect()
}

/// A group with something else in it.
fn with_content(group: &Group, content: TokenStream) -> TokenTree {
    let mut new = Group::new(group.delimiter(), content);
    new.set_span(group.span());
    TokenTree::Group(new)
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
                _ => with_content(&group, seen_through(group.stream(), names)),
            }
        }
        other => other,
    };
    tokens.into_iter().map(tree).collect()
}
