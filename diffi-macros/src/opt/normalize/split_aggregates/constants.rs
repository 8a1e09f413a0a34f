//! Members without derivative (a grid's sizes) stay what they were at first: where all copies have them from one place that does not change,
//! that place is read.

use super::candidates::{Split, Uses, member_of, step_of};
use super::fresh;
use crate::ir::members::{mentioned, number, tokens_of};
use crate::ir::plain_places::is_path;
use crate::ir::*;
use quote::quote;
use std::collections::{BTreeMap, BTreeSet};

impl Uses<'_> {
    /// What a member is that only passive code reads, where all that an aggregate is set to have it from one place that does not change.
    pub(super) fn constant(&self, var: Var, key: &str, step: &Proj) -> Option<PassiveCode> {
        let mut found = Vec::new();
        self.origins(var, (key, step), &mut BTreeSet::new(), &mut found)?;
        let (first, others) = found.split_first()?;
        let first_text = first.tokens.to_string();
        others.iter().all(|other| other.tokens.to_string() == first_text).then(|| first.clone())
    }

    /// The places from which an aggregate has a member; none if there are others.
    fn origins(
        &self,
        var: Var,
        (key, step): (&str, &Proj),
        asked: &mut BTreeSet<(Var, String)>,
        out: &mut Vec<PassiveCode>,
    ) -> Option<()> {
        if !asked.insert((var, key.to_owned())) {
            return Some(());
        }
        let found = self.all.get(&var).filter(|found| !found.places.contains(key))?;
        for expr in &found.made {
            match (expr, member_of(expr, key, step)?) {
                (Expr::Operand(Operand::Place(place)), _)
                    if place.path.is_empty() && !self.kept.contains(&place.root) =>
                {
                    self.origins(place.root, (key, step), asked, out)?;
                }
                (Expr::Operand(_), Operand::Place(place)) => out.push(self.settled_place(&place)?),
                (Expr::Struct(_), Operand::Passive(code)) => match self.member_read(&code) {
                    Some((of, key)) => self.origins(of, (&key, &step_of(&key)), asked, out)?,
                    None => out.push(self.settled_code(code)?),
                },
                _ => return None,
            }
        }
        Some(())
    }

    /// A field of a variable that nothing changes, as passive code.
    fn settled_place(&self, place: &Place) -> Option<PassiveCode> {
        let fields = place.path.iter().all(|step| matches!(step, Proj::Field(_)));
        let name = &self.vars[place.root.0 as usize].name;
        let steps = place.path.iter().map(tokens_of);
        let code =
            PassiveCode { reads: [place.root].into_iter().collect(), ..PassiveCode::literal(quote!(#name #(#steps)*)) };
        let cloned = self.copies.contains(&place.root);
        if fields && cloned { self.settled_code(code) } else { None }
    }

    /// A number, or a path of variables that nothing changes, which are there everywhere.
    fn settled_code(&self, code: PassiveCode) -> Option<PassiveCode> {
        let settled = |var: &Var| self.outer.contains(var) && !self.changed.contains(var);
        let simple = number(&code.tokens).is_some() || is_path(&code.tokens) && !code.reads.is_empty();
        (simple && code.shapes.is_empty() && code.reads.iter().all(settled)).then_some(code)
    }

    /// The aggregate and the member that passive code is, of one that may be split.
    fn member_read(&self, code: &PassiveCode) -> Option<(Var, String)> {
        let of = code.reads.only().filter(|of| !self.kept.contains(of) && self.all.contains_key(of))?;
        let [key] = &mentioned(&code.tokens, &self.vars[of.0 as usize].name.to_string())?[..] else { return None };
        let (name, step) = (&self.vars[of.0 as usize].name, tokens_of(&step_of(key)));
        (code.tokens.to_string() == quote!(#name #step).to_string()).then(|| (of, key.clone()))
    }
}

/// Where a variable is there first: behind its declaration in the outermost block, or at the start if it is a parameter.
pub fn behind(var: Var, body: &Block) -> usize {
    body.stmts.iter().position(|stmt| matches!(stmt, Stmt::Let { var: own, .. } if *own == var)).map_or(0, |at| at + 1)
}

/// Binds fields of variables, of which aggregates have members that never change, to variables of their own; with each, whose field it is.
pub fn bind_constants(found: &mut BTreeMap<Var, Split>, vars: &mut Vec<VarInfo>) -> Vec<(Var, Stmt)> {
    let mut bound: BTreeMap<String, Var> = BTreeMap::new();
    let mut lets = Vec::new();
    for (key, code) in found.values_mut().flat_map(|split| &mut split.constants) {
        let Some(of) = code.reads.only().filter(|of| vars[of.0 as usize].name != code.tokens.to_string()) else {
            continue;
        };
        let var = *bound.entry(code.tokens.to_string()).or_insert_with(|| {
            let info = &vars[of.0 as usize];
            let info =
                VarInfo { hint: format!("{}_{key}", info.hint), ty: Ty::Passive, mutable: false, ..info.clone() };
            let var = fresh(VarInfo { written: None, changes: false, named: false, ..info }, vars);
            let value = code.clone().map(|field| quote!(::core::clone::Clone::clone(&#field)));
            lets.push((of, Stmt::Let { var, expr: Expr::Passive(value) }));
            var
        });
        let name = &vars[var.0 as usize].name;
        *code = PassiveCode { tokens: quote!(#name), reads: [var].into_iter().collect(), ..code.clone() };
    }
    lets
}
