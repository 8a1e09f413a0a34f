//! Scalar replacement of aggregates (LLVM's SROA; Muchnick 12.2): a local struct, tuple or array of which only members are used is a variable for each member.
//!
//! ```text
//! let d = V3 { a, b, c }            let d_x = a; let d_y = b; let d_z = c
//! r = d.x * d.x + d.y * d.y         r = d_x * d_x + d_y * d_y
//! p[i] = d                          p[i] = V3 { d_x, d_y, d_z }
//! ```
//!
//! Numbers have names of their own then, for activity and for the tape, where a struct is one value. An aggregate in an aggregate is split in
//! the next round.

mod candidates;
mod constants;

use crate::ir::members::{self, step_key};
use crate::ir::place::{element, key};
use crate::ir::visit::parts::mutable::{self, Part};
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;
use candidates::Split;
use constants::{behind, bind_constants};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use std::collections::BTreeMap;

/// How deep aggregates within each other are split.
const DEEPEST: usize = 4;

/// Splits the aggregates of a function.
pub fn split_aggregates(mut function: Function) -> Function {
    for _ in 0..DEEPEST {
        let mut found = candidates::of(&function);
        if found.is_empty() {
            break;
        }
        let bound = bind_constants(&mut found, &mut function.vars);
        let mut body = std::mem::take(&mut function.body);
        let mut result = std::mem::replace(&mut function.result, Output::Unit);
        let changed = touched(&body.stmts, &[Access::Write]);
        let mut rewriting = Rewriting::of(found, &changed, &mut function.vars);
        rewriting.block(&mut body);
        body.stmts.extend(rewriting.result(&mut result));
        bound.into_iter().for_each(|(of, stmt)| body.stmts.insert(behind(of, &body), stmt));
        function.body = body;
        function.result = result;
    }
    function
}

/// A new variable, with a name that no other has.
fn fresh(info: VarInfo, vars: &mut Vec<VarInfo>) -> Var {
    let var = Var(vars.len() as u32);
    let name = Ident::new(&format!("__v{}_{}", var.0, info.hint), info.span);
    vars.push(VarInfo { name, ..info });
    var
}

/// The variables of an aggregate's members, by the members' steps.
type Members = BTreeMap<String, (Proj, Var)>;

struct Rewriting<'a> {
    split: BTreeMap<Var, (Split, Members)>,
    /// The variables that are new.
    new: Vars,
    vars: &'a mut Vec<VarInfo>,
}

impl<'a> Rewriting<'a> {
    fn of(found: BTreeMap<Var, Split>, changed: &Vars, vars: &'a mut Vec<VarInfo>) -> Self {
        let mut rewriting = Rewriting { split: BTreeMap::new(), new: Vars::new(), vars };
        for (var, of) in found {
            let members = of.members.iter().map(|(key, (step, ty))| {
                let same = of.only_made.as_ref().filter(|_| !changed.contains(&var)).and_then(|expr| {
                    let value = candidates::member_of(expr, key, step)?.as_var()?;
                    let settled = !changed.contains(&value) && rewriting.vars[value.0 as usize].ty == Ty::Float;
                    settled.then_some(value)
                });
                (key.clone(), (step.clone(), same.unwrap_or_else(|| rewriting.member(var, step, ty))))
            });
            let members = members.collect();
            rewriting.split.insert(var, (of, members));
        }
        rewriting
    }

    /// A new variable for a member.
    fn member(&mut self, of: Var, step: &Proj, ty: &Ty) -> Var {
        let old = &self.vars[of.0 as usize];
        let hint = format!("{}_{}", old.hint, members::label(step));
        let info = VarInfo { hint, ty: ty.clone(), written: None, named: false, ..old.clone() };
        let var = fresh(info, self.vars);
        self.new.insert(var);
        var
    }

    fn block(&mut self, block: &mut Block) {
        block.stmts.iter_mut().flat_map(blocks_mut).for_each(|inner| self.block(inner));
        block.replace(|stmt| self.replaced(stmt));
    }

    /// What stands in place of a statement; none if it only reads members.
    fn replaced(&mut self, stmt: &mut Stmt) -> Option<Vec<Stmt>> {
        match stmt {
            Stmt::Declare { var } => {
                let (_, members) = self.split.get(var)?;
                return Some(members.values().map(|(_, var)| Stmt::Declare { var: *var }).collect());
            }
            Stmt::Let { var, expr } if self.split.contains_key(var) => {
                let set = |var: Var, value: Operand| match value {
                    Operand::Passive(code) => Stmt::Let { var, expr: Expr::Passive(code) },
                    value => Stmt::Let { var, expr: Expr::Operand(value) },
                };
                let all = self.set(*var, expr, &set);
                return Some(all);
            }
            Stmt::Assign { place, value, span, .. }
                if place.path.is_empty() && self.split.contains_key(&place.root) =>
            {
                let span = *span;
                let set =
                    |var: Var, value: Operand| Stmt::Assign { place: Place::var(var), op: Assign::Set, value, span };
                let all = self.set(place.root, &Expr::Operand(value.clone()), &set);
                return Some(all);
            }
            Stmt::Assign { place, op: Assign::Set, value, span } if !place.path.is_empty() => {
                if let Some(all) = self.memberwise(place, value, *span) {
                    return Some(all);
                }
            }
            _ => {}
        }
        let mut before = self.wholes(stmt);
        self.parts(stmt);
        // an element that changes places with itself is a variable, which cannot be borrowed twice
        if matches!(stmt, Stmt::Swap { a, b, .. } if key(a) == key(b)) {
            return Some(Vec::new());
        }
        if before.is_empty() {
            return None;
        }
        before.push(stmt.clone());
        Some(before)
    }

    /// Gives the members of an aggregate what an expression makes.
    fn set(&self, var: Var, expr: &Expr, set: &dyn Fn(Var, Operand) -> Stmt) -> Vec<Stmt> {
        let (_, members) = &self.split[&var];
        let given = |(key, (step, var)): (&String, &(Proj, Var))| {
            let mut value = candidates::member_of(expr, key, step)?;
            self.operand(&mut value);
            Some(set(*var, value))
        };
        members.iter().filter(|(_, (_, var))| self.new.contains(var)).filter_map(given).collect()
    }

    /// `pts[i] = [a, b]` as `pts[i][0] = a; pts[i][1] = b`, where all members are floats: the whole is not made.
    fn memberwise(&self, place: &Place, value: &Operand, span: Span) -> Option<Vec<Stmt>> {
        let (split, members) = self.split.get(&value.as_var()?)?;
        let template = split.template.as_ref()?;
        let to = element(&self.vars[place.root.0 as usize].ty, &place.path);
        let alike = match template {
            Expr::Array(_) => to == Ty::Array(Box::new(Ty::Float)),
            Expr::Struct(_) => matches!(to, Ty::Struct(_)),
            _ => false,
        };
        let keys = candidates::keys_of(template);
        let floats = members.values().all(|(_, var)| self.vars[var.0 as usize].ty == Ty::Float);
        let whole = split.constants.is_empty()
            && keys.len() == members.len()
            && keys.iter().all(|key| members.contains_key(key));
        let set = |(step, var): &(Proj, Var)| {
            let mut place = Place { root: place.root, path: [&place.path[..], std::slice::from_ref(step)].concat() };
            self.place(&mut place);
            Stmt::Assign { place, op: Assign::Set, value: Operand::var(*var), span }
        };
        (alike && floats && whole).then(|| members.values().map(set).collect())
    }

    /// Makes the aggregates again that a statement uses as a whole.
    fn wholes(&mut self, stmt: &mut Stmt) -> Vec<Stmt> {
        let mut made = Vec::new();
        for operand in candidates::whole_operands_mut(stmt) {
            if let Some(var) = operand.as_var().filter(|var| self.split.contains_key(var)) {
                let (whole, stmt) = self.whole(var);
                *operand = Operand::var(whole);
                made.push(stmt);
            }
        }
        made
    }

    /// The aggregate, made of its members.
    fn whole(&mut self, var: Var) -> (Var, Stmt) {
        let (split, members) = &self.split[&var];
        let template = split.template.as_ref().expect("who is used as a whole has a template");
        let expr = candidates::made_of(template, &|key| match members.get(key) {
            Some((_, var)) => Operand::var(*var),
            None => Operand::Passive(split.constants[key].clone()),
        });
        let info = VarInfo { mutable: false, changes: false, ..self.vars[var.0 as usize].clone() };
        let new = fresh(info, self.vars);
        (new, Stmt::Let { var: new, expr })
    }

    /// The function's result, and what stands before it.
    fn result(&mut self, result: &mut Output) -> Vec<Stmt> {
        let mut made = Vec::new();
        candidates::whole_results_mut(result, &mut |place| {
            if self.split.contains_key(&place.root) {
                let (whole, stmt) = self.whole(place.root);
                *place = Place::var(whole);
                made.push(stmt);
            }
        });
        let this = &*self;
        mutable::out(result, &mut |part| this.part(part));
        made
    }

    fn parts(&self, stmt: &mut Stmt) {
        mutable::head(stmt, &mut |part| self.part(part));
    }

    fn part(&self, part: Part<'_>) {
        match part {
            Part::Place(place, _) => self.place(place),
            Part::Passive(code) | Part::Lent(code) => self.passive_code(code),
            Part::Var(..) => {}
        }
    }

    fn operand(&self, operand: &mut Operand) {
        mutable::operand(operand, &mut |part| self.part(part));
    }

    fn place(&self, place: &mut Place) {
        if let (Some((_, members)), Some(step)) = (self.split.get(&place.root), place.path.first())
            && let Some((_, var)) = step_key(step).and_then(|key| members.get(&key))
        {
            place.root = *var;
            place.path.remove(0);
        }
        place.indices_mut(&mut |index| self.passive_code(index));
    }

    fn passive_code(&self, code: &mut PassiveCode) {
        let mentioned = &code.reads | &code.shapes;
        for var in mentioned.iter().filter(|var| self.split.contains_key(var)) {
            let name = self.vars[var.0 as usize].name.to_string();
            let mut used = Vars::new();
            let (split, members) = &self.split[var];
            code.tokens = members::rewritten(code.tokens.clone(), &name, &mut |key| match members.get(key) {
                Some((_, member)) => {
                    used.insert(*member);
                    self.vars[member.0 as usize].name.to_token_stream()
                }
                None => {
                    let constant = &split.constants[key];
                    code.reads.extend(&constant.reads);
                    constant.tokens.clone()
                }
            });
            let (reads, shapes) = (code.reads.remove(var), code.shapes.remove(var));
            for member in used.iter() {
                let is_list = matches!(self.vars[member.0 as usize].ty, Ty::Vec(_));
                let _ = shapes && is_list && code.shapes.insert(*member);
                let _ = (reads || !is_list) && code.reads.insert(*member);
            }
        }
    }
}
