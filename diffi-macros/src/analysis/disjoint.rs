//! Dependence test for elements (Allen & Kennedy 3): elements of an array that a loop never reaches, by their affine indices.

use crate::ir::affine::shift::{Multiple, multiple};
use crate::ir::purity::repeatable;
use crate::ir::symbols::Table;
use crate::ir::visit::{Access, Vars, blocks, touched};
use crate::ir::*;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// What the ends of loops stand for.
pub struct Ends {
    /// By variable; none where there is more than one answer.
    lets: BTreeMap<Var, Option<PassiveCode>>,
    written: Vars,
}

impl Ends {
    /// Of a whole body.
    pub fn of(block: &Block) -> Self {
        let mut ends = Ends { lets: BTreeMap::new(), written: touched(&block.stmts, &[Access::Write]) };
        ends.learn(block);
        ends
    }

    fn learn(&mut self, block: &Block) {
        for stmt in &block.stmts {
            if let Stmt::Let { var, expr: Expr::Passive(o) } = stmt {
                let fixed = repeatable(o) && !o.depends_on(&self.written) && !self.written.contains(var);
                let text = |o: &Option<PassiveCode>| o.as_ref().map(|o| o.tokens.to_string());
                match self.lets.entry(*var) {
                    Entry::Vacant(place) => {
                        place.insert(fixed.then(|| o.clone()));
                    }
                    Entry::Occupied(mut known) if text(known.get()) != Some(o.tokens.to_string()) => {
                        known.insert(None);
                    }
                    Entry::Occupied(_) => {}
                }
            }
            blocks(stmt).into_iter().for_each(|inner| self.learn(inner));
        }
    }

    /// Whether an element of an array lies outside of what a loop comes to by `moving`: `a[3 * i + 2]` where `a[3 * j]` moves
    /// and `j` stays below `i`.
    pub fn outside(&self, table: &Table, on: &For, fixed: &Place, moving: &Place) -> bool {
        let ([Proj::Index(fixed)], [Proj::Index(moving)]) = (&fixed.path[..], &moving.path[..]) else { return false };
        let (Some(fixed), Some(moving)) = (multiple(fixed), multiple(moving)) else { return false };
        if table.info(on.var).name != moving.of || moving.stride != fixed.stride {
            return false;
        }
        let stride = fixed.stride;
        let last = |hi: i64| if on.inclusive { hi } else { hi - 1 };
        let above = |hi: i64| stride * last(hi) + moving.rest < fixed.rest;
        let below = |lo: i64| stride * lo + moving.rest > fixed.rest;
        self.from(&on.hi, &fixed).into_iter().any(above) || self.from(&on.lo, &fixed).into_iter().any(below)
    }

    /// How far the end of a loop lies behind what an index is a multiple of: what is known of it.
    fn from(&self, end: &PassiveCode, index: &Multiple) -> Vec<i64> {
        let named =
            |v: &Var| self.lets.get(v).and_then(Option::as_ref).filter(|_| end.tokens.clone().into_iter().count() == 1);
        let all = std::iter::once(end).chain(end.reads.iter().filter_map(named));
        let distance = |o: &PassiveCode| multiple(o).filter(|m| m.stride == 1 && m.of == index.of).map(|m| m.rest);
        all.filter_map(distance).collect()
    }
}

/// Whether two elements are different ones.
pub fn apart(a: &Place, b: &Place) -> bool {
    let ([Proj::Index(a)], [Proj::Index(b)]) = (&a.path[..], &b.path[..]) else { return false };
    let (Some(a), Some(b)) = (multiple(a), multiple(b)) else { return false };
    a.of == b.of && a.stride == b.stride && a.rest != b.rest
}
