//! Slices that an inner loop walks through are cut to size before it.
//!
//! `for j in 0..n { z += w[lo..hi][j] * x[j] }` becomes a loop over `w_row = &w[lo..hi][..n]` and
//! `x_row = &x[..n]`: the row is found once, and no index can be out of range in the loop. The
//! last pass over every body, primal places and shadows alike.

use crate::ir::*;
use crate::table::Table;
use crate::walk::{Touch, Vars, Visit, blocks, blocks_mut, touched};
use proc_macro2::{Delimiter, Literal, Spacing, TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeMap;

/// Rewrites all innermost loops.
pub fn rows(table: &mut Table, block: Block) -> Block {
    Rows { table }.block(block)
}

struct Rows<'a> {
    table: &'a mut Table,
}

/// The accesses of one loop to the elements of one place.
struct Row {
    place: Place,
    /// The largest offset from the loop variable that every trip reaches.
    last: i64,
    /// The largest offset of all.
    furthest: i64,
    written: bool,
    /// Whether an access is made in every trip (under the guard, if there is one).
    always: bool,
    guard: Option<ParamSet>,
}

impl Rows<'_> {
    fn block(&mut self, block: Block) -> Block {
        Block { stmts: block.stmts.into_iter().flat_map(|s| self.stmt(s)).collect() }
    }

    fn stmt(&mut self, stmt: Stmt) -> Vec<Stmt> {
        match stmt {
            Stmt::For(on) if is_innermost(&on.body) => {
                let (mut views, on) = self.counted(on);
                views.push(Stmt::For(on));
                views
            }
            Stmt::For(on) => vec![Stmt::For(For { body: self.block(on.body), ..on })],
            Stmt::Derived(Derived::Loop(mut l)) => {
                let innermost = is_innermost(&l.on.body);
                let body = std::mem::take(&mut l.on.body);
                let on = For { body, ..l.on.clone() };
                let (mut views, on) = match innermost && l.trips.is_none() {
                    true => self.counted(on),
                    false => (Vec::new(), For { body: self.block(on.body), ..on }),
                };
                views.push(Stmt::Derived(Derived::Loop(Box::new(Loop { on, ..*l }))));
                views
            }
            Stmt::Derived(Derived::Times { trips, body }) => {
                vec![Stmt::Derived(Derived::Times { trips, body: self.block(body) })]
            }
            Stmt::Derived(Derived::Guard { on, body }) => {
                vec![Stmt::Derived(Derived::Guard { on, body: self.block(body) })]
            }
            Stmt::If { cond, then, els } => {
                vec![Stmt::If { cond, then: self.block(then), els: self.block(els) }]
            }
            Stmt::Switch { scrutinee, arms } => {
                let arms = arms.into_iter().map(|a| Arm { body: self.block(a.body), ..a }).collect();
                vec![Stmt::Switch { scrutinee, arms }]
            }
            Stmt::While { prelude, cond, body } => {
                vec![Stmt::While { prelude: self.block(prelude), cond, body: self.block(body) }]
            }
            other => vec![other],
        }
    }

    /// The views that an innermost loop wants, and the loop over them.
    fn counted(&mut self, on: For) -> (Vec<Stmt>, For) {
        if on.inclusive || on.step.is_some() || on.until.is_some() {
            return (Vec::new(), on);
        }
        let own = touched(&on.body.stmts, &[Touch::Define]);
        let mut on = on;
        passive_places(self.table, &mut on.body);
        let mut rows: BTreeMap<String, Row> = BTreeMap::new();
        self.collect(&on, &on.body, Some(None), &own, &mut rows);
        let mut spoiled = self.spoiled(&on, &own);
        spoil_shared(&rows, &mut spoiled);
        rows.retain(|_, row| {
            row.always
                && row.furthest <= row.last
                && !spoiled.contains(&row.place.root)
                && !own.contains(&row.place.root)
        });
        let mut views = Vec::new();
        let mut names = BTreeMap::new();
        for (key, row) in rows {
            let var = self.table.companion(row.place.root, "row", self.table.role(row.place.root));
            self.table.retype(var, Ty::Slice(Box::new(Ty::Float)));
            let place = Place { path: [&row.place.path[..], &[cut(&on, row.last)]].concat(), ..row.place };
            views.push(Stmt::Derived(Derived::View { var, place, exclusive: row.written, on: row.guard }));
            names.insert(key, var);
        }
        let body = std::mem::take(&mut on.body);
        on.body = self.renamed(&on, body, &names);
        self.fixed(&mut on, &mut views);
        (views, on)
    }

    /// Elements that every trip reads and none changes are read once.
    fn fixed(&mut self, on: &mut For, before: &mut Vec<Stmt>) {
        let mut inside = touched(&on.body.stmts, &[Touch::Define, Touch::Write]);
        inside.insert(on.var);
        let mut made: BTreeMap<String, Var> = BTreeMap::new();
        for stmt in &mut on.body.stmts {
            let written = matches!(stmt, Stmt::Assign { .. } | Stmt::Derived(Derived::Clear { .. }));
            let mut first = written;
            each_place_mut(stmt, &mut |place| {
                if std::mem::take(&mut first) || !self.is_fixed(place, &inside) {
                    return;
                }
                let var = *made.entry(key(place)).or_insert_with(|| {
                    let var = self.table.companion(place.root, "fixed", self.table.role(place.root));
                    self.table.retype(var, Ty::Float);
                    let read = Expr::If { cond: crate::parts::runs(&on.lo, &on.hi, false), place: place.clone() };
                    before.push(Stmt::Let { var, expr: read });
                    var
                });
                *place = Place::var(var);
            });
        }
    }

    fn is_fixed(&self, place: &Place, inside: &Vars) -> bool {
        let float = crate::versions::element(self.table.ty(place.root), &place.path) == Ty::Float;
        let mut fixed = float && matches!(place.path.last(), Some(Proj::Index(_))) && !inside.contains(&place.root);
        place.indices(&mut |o| fixed &= !o.depends_on(inside));
        fixed
    }

    /// Every element access `place[i + c]`, by its place. `when` is the guard under which every
    /// trip comes here; none if not every trip does.
    fn collect(
        &self,
        on: &For,
        block: &Block,
        when: Option<Option<ParamSet>>,
        own: &Vars,
        rows: &mut BTreeMap<String, Row>,
    ) {
        for stmt in &block.stmts {
            each_place(stmt, &mut |place, written| {
                let Some((row, offset)) = self.access(on, place, own) else { return };
                let guard = when.flatten();
                let entry = rows.entry(key(&row)).or_insert(Row {
                    place: row,
                    last: i64::MIN,
                    furthest: i64::MIN,
                    written: false,
                    always: false,
                    guard,
                });
                if when.is_some() {
                    entry.last = entry.last.max(offset);
                }
                entry.furthest = entry.furthest.max(offset);
                entry.written |= written;
                entry.always |= when.is_some();
                if entry.guard != guard {
                    entry.guard = None;
                    entry.always &= when == Some(None);
                }
            });
            let inside = match (stmt, when) {
                (Stmt::Derived(Derived::Guard { on, .. }), Some(None)) => Some(Some(*on)),
                _ => None,
            };
            for inner in blocks(stmt) {
                self.collect(on, inner, inside, own, rows);
            }
        }
    }

    /// `place[i + c]`: the place, which does not change in the loop, and `c`.
    fn access(&self, on: &For, place: &Place, own: &Vars) -> Option<(Place, i64)> {
        let (Proj::Index(index), prefix) = place.path.split_last()? else { return None };
        let offset = self.offset(index, on.var)?;
        let row = Place { root: place.root, path: prefix.to_vec() };
        let ty = self.table.ty(row.root);
        let float = *ty == Ty::Passive || crate::versions::element(ty, &place.path) == Ty::Float;
        let mut fixed = float && !matches!(ty, Ty::Opaque | Ty::Array(_));
        fixed &= !prefix.iter().any(|p| matches!(p, Proj::Field(_)));
        row.indices(&mut |o| fixed &= o.reads.iter().chain(&o.shapes).all(|v| *v != on.var && !own.contains(v)));
        fixed.then_some((row, offset))
    }

    fn offset(&self, index: &Opaque, var: Var) -> Option<i64> {
        crate::stencils::offset(&self.table.info(var).name.to_string(), index)
    }

    /// Variables that the loop uses otherwise than element by element, so that they cannot be lent.
    fn spoiled(&self, on: &For, own: &Vars) -> Vars {
        let mut all = BTreeMap::<Var, (usize, bool)>::new();
        let mut visit = |v: Var, touch: Touch| {
            let entry = all.entry(v).or_default();
            entry.0 += usize::from(touch != Touch::Define);
            entry.1 |= touch == Touch::Write;
        };
        Visit(&mut visit).block(&on.body);
        let mut counted = BTreeMap::<Var, usize>::new();
        self.count(on, &on.body, own, &mut counted);
        let used_otherwise =
            |(v, (times, _)): (&Var, &(usize, bool))| (counted.get(v).copied().unwrap_or(0) != *times).then_some(*v);
        let written: Vars = all.iter().filter(|(_, (_, w))| *w).map(|(v, _)| *v).collect();
        all.iter().filter_map(used_otherwise).filter(|v| written.contains(v)).collect()
    }

    fn count(&self, on: &For, block: &Block, own: &Vars, counted: &mut BTreeMap<Var, usize>) {
        for stmt in &block.stmts {
            each_place(stmt, &mut |place, _| {
                if self.access(on, place, own).is_some() {
                    *counted.entry(place.root).or_default() += 1;
                }
            });
            blocks(stmt).into_iter().for_each(|b| self.count(on, b, own, counted));
        }
    }

    fn renamed(&self, on: &For, mut block: Block, names: &BTreeMap<String, Var>) -> Block {
        for stmt in &mut block.stmts {
            each_place_mut(stmt, &mut |place| {
                let Some((Proj::Index(index), prefix)) = place.path.split_last() else { return };
                if self.offset(index, on.var).is_none() {
                    return;
                }
                let row = Place { root: place.root, path: prefix.to_vec() };
                if let Some(var) = names.get(&key(&row)) {
                    *place = Place { root: *var, path: vec![Proj::Index(index.clone())] };
                }
            });
            for inner in blocks_mut(stmt) {
                *inner = self.renamed(on, std::mem::take(inner), names);
            }
        }
        block
    }
}

/// A variable of which one row is written and another used cannot be lent twice.
fn spoil_shared(rows: &BTreeMap<String, Row>, spoiled: &mut Vars) {
    for row in rows.values() {
        let same = rows.values().filter(|r| r.place.root == row.place.root);
        if same.clone().any(|r| r.written) && same.count() > 1 {
            spoiled.insert(row.place.root);
        }
    }
}

/// `..hi + last`, or nothing where the loop does not run.
fn cut(on: &For, last: i64) -> Proj {
    let (lo, hi) = (&on.lo.tokens, &on.hi.tokens);
    let mut end = on.hi.clone();
    let distance = Literal::i64_unsuffixed(last.abs());
    let stop = match last {
        0 => quote!(#hi),
        1.. => quote!(#hi + #distance),
        _ => quote!(#hi - #distance),
    };
    end.tokens = match on.lo.tokens.to_string() == "0" {
        true if last == 0 => stop,
        _ => quote!(if #lo < #hi { #stop } else { 0 }),
    };
    end.reads.extend(&on.lo.reads);
    end.shapes.extend(&on.lo.shapes);
    Proj::Range(None, Some(end))
}

/// A place as text: the same for the same path.
pub fn key(place: &Place) -> String {
    let mut text = format!("{}", place.root.0);
    for step in &place.path {
        match step {
            Proj::Field(member) => text += &format!(".{}", quote!(#member)),
            Proj::Index(i) => text += &format!("[{}]", i.tokens),
            Proj::Range(lo, hi) => {
                let end = |o: &Option<Opaque>| o.as_ref().map(|o| o.tokens.to_string()).unwrap_or_default();
                text += &format!("[{}..{}]", end(lo), end(hi));
            }
        }
    }
    text
}

fn is_innermost(block: &Block) -> bool {
    block.stmts.iter().all(|stmt| match stmt {
        Stmt::For(_)
        | Stmt::While { .. }
        | Stmt::Derived(Derived::Loop(_) | Derived::Times { .. } | Derived::Sweep(_)) => false,
        Stmt::Let { expr: Expr::Call(_), .. } => true,
        other => blocks(other).into_iter().all(is_innermost),
    })
}

/// The places that a simple statement reads (false) or writes (true).
fn each_place(stmt: &Stmt, f: &mut dyn FnMut(&Place, bool)) {
    let mut copy = stmt.clone();
    let mut read = Vec::new();
    let written = match stmt {
        Stmt::Assign { place, .. } | Stmt::Derived(Derived::Clear { place, whole: false }) => Some(place),
        _ => None,
    };
    each_place_mut(&mut copy, &mut |place| read.push(place.clone()));
    let mut written_key = written.map(key);
    for place in read {
        let is_written = written_key.as_ref().is_some_and(|k| *k == key(&place));
        if is_written {
            written_key = None;
        }
        f(&place, is_written);
    }
}

/// The places of a simple statement, the written one first.
fn each_place_mut(stmt: &mut Stmt, f: &mut dyn FnMut(&mut Place)) {
    let mut operand = |o: &mut Operand| {
        if let Operand::Place(p) = o {
            f(p);
        }
    };
    match stmt {
        Stmt::Let { expr, .. } => match expr {
            Expr::Operand(o) => operand(o),
            Expr::Op { args, .. } | Expr::Array(args) | Expr::VecOf(args) | Expr::Tuple(args) => {
                args.iter_mut().for_each(operand)
            }
            Expr::Fresh { place, .. } => f(place),
            _ => {}
        },
        Stmt::Assign { place, value, .. } => {
            f(place);
            if let Operand::Place(p) = value {
                f(p);
            }
        }
        Stmt::Derived(Derived::Clear { place, whole: false }) => f(place),
        _ => {}
    }
}

/// Elements of passive slices become places, so that they are cut to size like the others.
fn passive_places(table: &Table, block: &mut Block) {
    for stmt in &mut block.stmts {
        if let Stmt::Let { expr: Expr::Op { args, .. }, .. } = stmt {
            for arg in args {
                if let Operand::Opaque(o) = arg
                    && let Some(place) = passive_place(table, o)
                {
                    *arg = Operand::Place(place);
                }
            }
        }
        blocks_mut(stmt).into_iter().for_each(|inner| passive_places(table, inner));
    }
}

/// `w[i]` of a slice parameter, or `w[lo..hi][i]`.
fn passive_place(table: &Table, o: &Opaque) -> Option<Place> {
    let mut trees = o.tokens.clone().into_iter();
    let TokenTree::Ident(name) = trees.next()? else { return None };
    let root = o.reads.iter().copied().find(|v| table.info(*v).name == name)?;
    let part = |tokens: TokenStream| {
        let mut part = Opaque { tokens, ..o.clone() };
        part.reads.retain(|v| mentions(&part.tokens, &table.info(*v).name.to_string()));
        part.shapes.retain(|v| mentions(&part.tokens, &table.info(*v).name.to_string()));
        part
    };
    let mut path = Vec::new();
    for tree in trees {
        let TokenTree::Group(group) = tree else { return None };
        if group.delimiter() != Delimiter::Bracket {
            return None;
        }
        path.push(match split_range(group.stream()) {
            Some((lo, hi)) => Proj::Range(lo.map(&part), hi.map(&part)),
            None => Proj::Index(part(group.stream())),
        });
    }
    let ranged = path.iter().any(|p| matches!(p, Proj::Range(..)));
    let sliced = table.is_slice(root) || ranged;
    (sliced && matches!(path.last(), Some(Proj::Index(_)))).then_some(Place { root, path })
}

/// The ends of `lo..hi`; none if the tokens are no range, or one that includes its end.
fn split_range(tokens: TokenStream) -> Option<(Option<TokenStream>, Option<TokenStream>)> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_dot =
        |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == '.' && p.spacing() == Spacing::Joint);
    let at = trees.iter().position(is_dot)?;
    let rest = trees.get(at + 2..)?;
    if matches!(rest.first(), Some(TokenTree::Punct(p)) if matches!(p.as_char(), '=' | '.')) {
        return None;
    }
    let end = |trees: &[TokenTree]| (!trees.is_empty()).then(|| trees.iter().cloned().collect());
    Some((end(&trees[..at]), end(rest)))
}

fn mentions(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|t| match t {
        TokenTree::Ident(i) => i == name,
        TokenTree::Group(g) => mentions(&g.stream(), name),
        _ => false,
    })
}
