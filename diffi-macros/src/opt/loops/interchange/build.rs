//! The nest after interchange.
//!
//! ```text
//! if the columns lie within the rows, and the rows within the arrays {
//!     let rows = the rows of each array
//!     for pair in 0..(hi - lo) / 2 {
//!         the reads that both outer iterations share in every inner one
//!         for line in rows { the inner bodies of both }
//!     }
//!     for k in the last outer iteration, if their number is odd {
//!         for line in rows { the inner body }
//!     }
//! } else {
//!     the nest
//! }
//! ```

use super::{Column, Nest};
use crate::ir::affine::{atom, runs, shifted};
use crate::ir::clone::NO_PARAMETERS;
use crate::ir::purity::repeatable;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::places::each_place_mut;
use crate::ir::visit::{Rename, Vars};
use crate::ir::*;
use crate::support::hash::HashMap;
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;

/// The statements that replace the nest.
pub fn build(table: &mut Table, nest: Nest, whole: &Stmt) -> Vec<Stmt> {
    let lent = nest.arrays.iter().map(|(root, rows)| lend(table, *root, rows.width, rows.written)).collect();
    let build = Build { table, nest, lent };
    build.build(whole.clone())
}

struct Build<'a> {
    table: &'a mut Table,
    nest: Nest,
    lent: Vec<Lent>,
}

/// The rows of an array, and one of them.
struct Lent {
    root: Var,
    width: Var,
    written: bool,
    rows: Var,
    line: Var,
}

fn lend(table: &mut Table, root: Var, width: Var, written: bool) -> Lent {
    let [rows, line] = ["rows", "line"].map(|hint| {
        let var = table.companion(root, hint, table.role(root));
        table.retype(var, Ty::Slice(Box::new(Ty::Float)));
        var
    });
    Lent { root, width, written, rows, line }
}

impl Build<'_> {
    fn build(mut self, whole: Stmt) -> Vec<Stmt> {
        let cond = self.fits();
        let mut then = self.views();
        then.push(self.pairs());
        then.push(self.rest());
        let choice = Stmt::If { cond, then: Block { stmts: then }, els: Block { stmts: vec![whole] } };
        let mut stmts = std::mem::take(&mut self.nest.before);
        stmts.push(choice);
        match &stmts[..] {
            [_] => stmts,
            // what is found before the inner loop may not be there where the outer one has no iteration
            _ => {
                let cond = runs(&self.nest.outer.lo, &self.nest.outer.hi, false);
                vec![Stmt::If { cond, then: Block { stmts }, els: Block::default() }]
            }
        }
    }

    /// Whether all that the nest comes to is there.
    fn fits(&self) -> PassiveCode {
        let For { lo: first, hi: last, .. } = &self.nest.inner;
        let For { lo, hi, .. } = &self.nest.outer;
        let mut all: Vec<TokenStream> = Vec::new();
        for Lent { root, width, .. } in &self.lent {
            let info = self.table.info(*root);
            let (name, width) = (&info.name, self.table.read(*width));
            for moves in [false, true] {
                let by = self.nest.arrays[root].columns.iter().filter(|c| c.moves == moves).map(|c| c.offset);
                let (Some(least), Some(most)) = (by.clone().min(), by.max()) else { continue };
                let [least, most] = [least, most].map(Literal::i64_unsuffixed);
                let (width, a, b, first, last) = (&width.tokens, atom(lo), atom(hi), atom(first), atom(last));
                let columns = if moves { quote!(#a..#b) } else { quote!(0..1) };
                all.push(quote!(__d::are_columns(#name.len(), #first..#last, #width, #columns, [#least, #most])));
            }
        }
        let mut cond = PassiveCode::literal(quote!(#(#all)&&*));
        for o in [lo, hi, first, last] {
            cond.reads.extend(&o.reads);
            cond.shapes.extend(&o.shapes);
        }
        cond.reads.extend(self.lent.iter().map(|lent| lent.width));
        cond.shapes.extend(self.lent.iter().map(|lent| lent.root));
        cond
    }

    /// The rows that the inner loop comes to.
    fn views(&self) -> Vec<Stmt> {
        let view = |lent: &Lent| {
            let ends = [&self.nest.inner.lo, &self.nest.inner.hi].map(|end| {
                let mut o = self.table.read(lent.width);
                let (width, at) = (&o.tokens, atom(end));
                o.tokens = quote!(#at * #width);
                o.reads.extend(&end.reads);
                o.shapes.extend(&end.shapes);
                Some(o)
            });
            let [lo, hi] = ends;
            let lo = lo.filter(|_| self.nest.inner.lo.tokens.to_string() != "0");
            let place = Place { root: lent.root, path: vec![Proj::Range(lo, hi)] };
            Stmt::Derived(Derived::View { var: lent.rows, place, exclusive: lent.written, on: None })
        };
        self.lent.iter().map(view).collect()
    }

    /// Two outer iterations at a time.
    fn pairs(&mut self) -> Stmt {
        let outer = self.nest.outer.clone();
        let pair = self.passive("pair");
        let (at, a, b) = (self.table.read(pair), atom(&outer.lo), atom(&outer.hi));
        let first = at.map(|p| match outer.down {
            true => quote!(#b - 1 - 2 * #p),
            false => quote!(#a + 2 * #p),
        });
        let first = together(first, &outer);
        let both = [self.twin(outer.var), self.twin(outer.var)];
        let next = shifted(&self.table.read(both[0]), if outer.down { -1 } else { 1 });
        let mut stmts = vec![let_passive(both[0], first), let_passive(both[1], next)];
        let mut body = Vec::new();
        for column in both {
            let (fixed, iteration) = self.iteration(column);
            stmts.extend(fixed);
            body.extend(iteration);
        }
        stmts.push(self.walk(body));
        let count = together(PassiveCode::literal(quote!((#b - #a) / 2)), &outer);
        let lo = PassiveCode::literal(quote!(0));
        Stmt::For(For { var: pair, lo, hi: count, down: false, body: Block { stmts }, ..outer })
    }

    /// The last outer iteration, if it has no other.
    fn rest(&mut self) -> Stmt {
        let outer = self.nest.outer.clone();
        let (a, b) = (atom(&outer.lo), atom(&outer.hi));
        let (lo, hi) = match outer.down {
            true => (outer.lo.clone(), together(PassiveCode::literal(quote!(#a + (#b - #a) % 2)), &outer)),
            false => (together(PassiveCode::literal(quote!(#b - (#b - #a) % 2)), &outer), outer.hi.clone()),
        };
        let (mut stmts, body) = self.iteration(outer.var);
        stmts.push(self.walk(body));
        Stmt::For(For { lo, hi, body: Block { stmts }, ..outer })
    }

    /// A loop along the rows.
    fn walk(&self, stmts: Vec<Stmt>) -> Stmt {
        let along = |lent: &Lent| Walk {
            element: lent.line,
            slice: Place::var(lent.rows),
            how: if lent.written { Walked::Written } else { Walked::Read },
            by: Some(self.table.read(lent.width)),
        };
        let walks = self.lent.iter().map(along).collect();
        let on = For { down: false, body: Block { stmts }, ..self.nest.inner.clone() };
        Stmt::Derived(Derived::Loop(Box::new(Loop { walks, ..Loop::new(on, LoopSweep::Primal) })))
    }

    /// The inner body of the outer iteration `column`: what all inner iterations read, and what one does.
    fn iteration(&mut self, column: Var) -> (Vec<Stmt>, Vec<Stmt>) {
        let own: Vec<Var> = self.nest.own.iter().copied().collect();
        let mut map: HashMap<Var, Var> = own.into_iter().map(|v| (v, self.twin(v))).collect();
        let inside: Vars = map.values().copied().chain([self.nest.inner.var]).collect();
        map.insert(self.nest.outer.var, column);
        let mut stmts: Vec<Stmt> = self.nest.inner.body.stmts.clone();
        stmts.iter_mut().for_each(|stmt| each_place_mut(stmt, &mut |place| self.in_line(place)));
        let rename = Rename { map: &map, vars: self.table.vars(), behind: &NO_PARAMETERS };
        let mut stmts: Vec<Stmt> = stmts.iter().map(|stmt| rename.stmt(stmt)).collect();
        let fixed = stmts.iter_mut().flat_map(|stmt| self.fixed(stmt, &inside)).collect();
        (fixed, stmts)
    }

    /// An element of an array becomes one of its row.
    fn in_line(&self, place: &mut Place) {
        let Some(lent) = self.lent.iter().find(|lent| lent.root == place.root) else { return };
        let (_, Column { moves, offset }) = self.nest.element(self.table, place).expect("seen by the analysis");
        let index = match moves {
            true => shifted(&self.table.read(self.nest.outer.var), offset),
            false => {
                let number = Literal::i64_unsuffixed(offset);
                PassiveCode::literal(quote!(#number))
            }
        };
        *place = Place { root: lent.line, path: vec![Proj::Index(index)] };
    }

    /// What is the same through the inner loop is found before it.
    fn fixed(&mut self, stmt: &mut Stmt, inside: &Vars) -> Vec<Stmt> {
        let mut found = Vec::new();
        let operands = match stmt {
            Stmt::Let { expr: Expr::Op { args, .. }, .. } => &mut args[..],
            Stmt::Let { expr: Expr::Operand(value), .. } | Stmt::Assign { value, .. } => std::slice::from_mut(value),
            _ => &mut [],
        };
        for operand in operands {
            if let Operand::Passive(o) = operand
                && o.tokens.clone().into_iter().count() > 1
                && repeatable(o)
                && !o.depends_on(inside)
            {
                let var = self.passive("fixed");
                found.push(let_passive(var, std::mem::replace(o, self.table.read(var))));
            }
        }
        found
    }

    /// A variable that stands for another.
    fn twin(&mut self, of: Var) -> Var {
        let hint = self.table.info(of).hint.clone();
        self.table.twin(of, &hint)
    }

    fn passive(&mut self, hint: &str) -> Var {
        self.table.fresh(hint, Ty::Passive, Role::Primal, Span::call_site())
    }
}

fn let_passive(var: Var, value: PassiveCode) -> Stmt {
    Stmt::Let { var, expr: Expr::Passive(value) }
}

/// Tokens that name the ends of a loop.
fn together(mut o: PassiveCode, on: &For) -> PassiveCode {
    for end in [&on.lo, &on.hi] {
        o.reads.extend(&end.reads);
        o.shapes.extend(&end.shapes);
    }
    o
}
