//! Which aggregates are split: locals that are made of members, or copied from a place, and of which only members are used; and those of
//! which a few statements use the whole, which can be made again.

use crate::ir::members::{self, element_key, mentioned, number, step_key};
use crate::ir::place::element;
use crate::ir::plain_places::is_path;
use crate::ir::purity::repeatable;
use crate::ir::symbols::{is_list_of_tuples, is_nested};
use crate::ir::visit::parts::Use;
use crate::ir::visit::parts::shared::{self, Part};
use crate::ir::visit::{Access, Vars, blocks, touched};
use crate::ir::*;
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::{BTreeMap, BTreeSet};

/// The most elements of an array that become variables.
const MOST: usize = 16;

/// An aggregate that is split.
#[derive(Default)]
pub struct Split {
    /// The members that are used, by their keys, and their types.
    pub members: BTreeMap<String, (Proj, Ty)>,
    /// What members without derivative are, which never change.
    pub constants: BTreeMap<String, PassiveCode>,
    /// How the whole is made.
    pub template: Option<Expr>,
    /// What makes it, if one statement alone does, and declares it.
    pub only_made: Option<Expr>,
}

/// The aggregates of a function that can be split.
pub fn of(function: &Function) -> BTreeMap<Var, Split> {
    let mut uses = Uses {
        vars: &function.vars,
        all: BTreeMap::new(),
        kept: Vars::new(),
        changed: touched(&function.body.stmts, &[Access::Write]),
        outer: outer(function),
        copies: function.params.iter().filter(|param| param.copies).map(|param| param.var).collect(),
    };
    function.params.iter().for_each(|param| uses.keep(param.var));
    uses.block(&function.body);
    uses.result(&function.result);
    uses.settled()
}

/// The parameters, and what the outermost block declares: variables that are there everywhere after what reads them.
fn outer(function: &Function) -> Vars {
    let declared = function.body.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Let { var, .. } => Some(*var),
        _ => None,
    });
    function.params.iter().map(|param| param.var).chain(declared).collect()
}

/// What is made of an aggregate, and what is done with it.
#[derive(Default)]
pub(super) struct Found {
    members: BTreeMap<String, Proj>,
    /// The members that stand in places, and not just in passive code.
    pub(super) places: BTreeSet<String>,
    /// What it is set to.
    pub(super) made: Vec<Expr>,
    /// It is set after its declaration.
    declared: bool,
    /// Other aggregates that are set to it as a whole.
    copies: BTreeSet<Var>,
    /// Something needs the whole of it.
    whole: bool,
    /// It is a member of another aggregate: it is its turn when that has been split.
    part_of: BTreeSet<Var>,
}

pub(super) struct Uses<'a> {
    pub(super) vars: &'a [VarInfo],
    pub(super) all: BTreeMap<Var, Found>,
    /// What stays as it is.
    pub(super) kept: Vars,
    /// Variables that something writes to.
    pub(super) changed: Vars,
    pub(super) outer: Vars,
    /// Parameters whose clones are copies.
    pub(super) copies: Vars,
}

impl Uses<'_> {
    fn keep(&mut self, var: Var) {
        self.kept.insert(var);
    }

    fn found(&mut self, var: Var) -> &mut Found {
        self.all.entry(var).or_default()
    }

    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
            blocks(stmt).into_iter().for_each(|inner| self.block(inner));
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Declare { var } => self.found(*var).declared = true,
            Stmt::Let { var, expr } if is_made(expr) || self.is_passive_copy(*var, expr) => self.made(*var, expr),
            Stmt::Assign { place, op: Assign::Set, value: value @ Operand::Place(_), .. } if place.path.is_empty() => {
                self.made(place.root, &Expr::Operand(value.clone()));
            }
            Stmt::Effect { writes, .. } => {
                writes.iter().for_each(|var| self.keep(*var));
                shared::head(stmt, &mut |part| self.part(part));
            }
            _ => {
                let wholes = whole_operands(stmt);
                let used = wholes.iter().filter_map(|operand| operand.as_var()).collect::<Vec<_>>();
                let mut skip = used.clone();
                used.into_iter().for_each(|var| self.found(var).whole = true);
                shared::head(stmt, &mut |part| match part {
                    Part::Place(place, Use::Read) if place.path.is_empty() && skip.contains(&place.root) => {
                        skip.retain(|var| *var != place.root);
                    }
                    part => self.part(part),
                });
            }
        }
    }

    /// Whether a variable that carries no derivative is a copy of one, or of a part of one.
    fn is_passive_copy(&self, var: Var, expr: &Expr) -> bool {
        let Expr::Passive(code) = expr else { return false };
        let passive = |var: &Var| self.vars[var.0 as usize].ty == Ty::Passive;
        let Some(of) = code.reads.only().filter(|_| code.shapes.is_empty()) else { return false };
        passive(&var) && passive(&of) && is_path(&code.tokens)
    }

    /// A variable is set to what an expression makes.
    fn made(&mut self, var: Var, expr: &Expr) {
        match expr {
            Expr::Operand(Operand::Place(place)) if place.path.is_empty() => {
                self.found(place.root).copies.insert(var);
            }
            Expr::Operand(Operand::Place(place)) => self.part(Part::Place(place, Use::Read)),
            Expr::Passive(code) => self.copied(var, code),
            _ => shared::expr(expr, &mut |part| match part {
                Part::Place(place, _) if place.path.is_empty() => {
                    self.found(place.root).part_of.insert(var);
                }
                part => self.part(part),
            }),
        }
        self.found(var).made.push(expr.clone());
    }

    /// A variable is set to passive code that is another one, or a part of it.
    fn copied(&mut self, var: Var, code: &PassiveCode) {
        let of = code.reads.only().filter(|of| self.vars[of.0 as usize].name == code.tokens.to_string());
        match of {
            Some(of) => _ = self.found(of).copies.insert(var),
            None => self.passive_code(code),
        }
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Var(var, _) => self.keep(*var),
            Part::Place(place, _) => {
                match place.path.first() {
                    None => self.keep(place.root),
                    Some(step) => match step_key(step) {
                        Some(key) => {
                            let found = self.found(place.root);
                            found.places.insert(key.clone());
                            found.members.insert(key, step.clone());
                        }
                        None => self.keep(place.root),
                    },
                }
                place.indices(&mut |index| self.passive_code(index));
            }
            Part::Passive(code) => self.passive_code(code),
            Part::Lent(code) => code.reads.iter().chain(&code.shapes).for_each(|var| self.keep(*var)),
        }
    }

    fn passive_code(&mut self, code: &PassiveCode) {
        for var in &(&code.reads | &code.shapes) {
            match mentioned(&code.tokens, &self.vars[var.0 as usize].name.to_string()) {
                Some(keys) => {
                    for key in keys {
                        let step = step_of(&key);
                        self.found(*var).members.insert(key, step);
                    }
                }
                None => self.keep(*var),
            }
        }
    }

    fn result(&mut self, result: &Output) {
        match result {
            Output::Place(place) if place.path.is_empty() => self.found(place.root).whole = true,
            Output::Tuple(all) | Output::Array(all) => all.iter().for_each(|one| self.result(one)),
            other => shared::out(other, &mut |part| self.part(part)),
        }
    }

    /// Those that can be split, all of which agree with each other.
    fn settled(mut self) -> BTreeMap<Var, Split> {
        loop {
            self.share_members();
            let fits: BTreeMap<Var, Split> =
                self.all.keys().filter_map(|var| Some((*var, self.split(*var)?))).collect();
            let lost: Vec<Var> = self.all.keys().filter(|var| !fits.contains_key(var)).copied().collect();
            let before = self.kept.len();
            lost.into_iter().for_each(|var| self.keep(var));
            if self.kept.len() == before {
                return fits;
            }
        }
    }

    /// Who is copied has the members that its copies need.
    fn share_members(&mut self) {
        loop {
            let mut missing = Vec::new();
            for (var, found) in self.all.iter().filter(|(var, _)| !self.kept.contains(var)) {
                for copy in found.copies.iter().filter_map(|copy| self.all.get(copy)) {
                    let lacking = copy.members.iter().filter(|(key, _)| !found.members.contains_key(*key));
                    missing.extend(lacking.map(|(key, step)| (*var, key.clone(), step.clone())));
                }
                if let Some(template) = found.made.iter().find(|expr| is_template(expr)).filter(|_| found.whole) {
                    let lacking = keys_of(template).into_iter().filter(|key| !found.members.contains_key(key));
                    missing.extend(lacking.map(|key| (*var, key.clone(), step_of(&key))));
                }
            }
            if missing.is_empty() {
                return;
            }
            for (var, key, step) in missing {
                self.found(var).members.insert(key, step);
            }
        }
    }

    fn split(&self, var: Var) -> Option<Split> {
        let found = &self.all[&var];
        let is_kept = |var: &Var| self.kept.contains(var) || !self.all.contains_key(var);
        // a part waits for the aggregate around it, and whoever gets the whole is split, too
        let waits = found.part_of.iter().any(|of| !is_kept(of)) || found.copies.iter().any(is_kept);
        let is_part = !found.part_of.is_empty();
        if is_kept(&var) || waits || is_part || found.made.is_empty() || found.members.is_empty() {
            return None;
        }
        let template = found.made.iter().find(|expr| is_template(expr)).cloned();
        if found.whole && template.is_none() {
            return None;
        }
        let (mut members, mut constants) = (BTreeMap::new(), BTreeMap::new());
        for (key, step) in &found.members {
            match self.member_type(var, key, step) {
                Some(ty) => _ = members.insert(key.clone(), (step.clone(), ty)),
                None => _ = constants.insert(key.clone(), self.constant(var, key, step)?),
            }
        }
        // a whole that is made again would have copies of its arrays
        if found.whole && members.values().any(|(_, ty): &(Proj, Ty)| *ty == Ty::Library) {
            return None;
        }
        // an element of a list may not be there when the list is copied
        let ty = &self.vars[var.0 as usize].ty;
        let is_indexed = found.members.values().any(|step| matches!(step, Proj::Index(_)));
        if matches!(ty, Ty::Vec(_) | Ty::Slice(_) | Ty::Library) || is_indexed && !matches!(ty, Ty::Array(_)) {
            return None;
        }
        // a clone of a user's struct may be something else than a copy
        let is_struct = matches!(self.vars[var.0 as usize].ty, Ty::Struct(_) | Ty::Unknown);
        let copied = !found.copies.is_empty() || found.made.iter().any(|expr| matches!(expr, Expr::Operand(_)));
        if is_struct && copied && !self.clones_are_copies(var, &mut Vars::new()) {
            return None;
        }
        let drops = |expr: &Expr| dropped(expr, &members).iter().all(|code| repeatable(code));
        let alike = |expr: &Expr| !is_template(expr) || template.as_ref().is_none_or(|t| keys_of(t) == keys_of(expr));
        let fits = found.made.iter().all(|expr| drops(expr) && alike(expr));
        let only_made =
            if let [only] = &found.made[..] { Some(only.clone()).filter(|_| !found.declared) } else { None };
        fits.then_some(Split { members, constants, template, only_made })
    }

    /// Whether the struct that a variable is, or is set to as a whole, is cloned by copying.
    fn clones_are_copies(&self, var: Var, asked: &mut Vars) -> bool {
        let made = self.all.get(&var).filter(|_| asked.insert(var)).map(|found| &found.made);
        made.into_iter().flatten().any(|expr| match expr {
            Expr::Struct(literal) => literal.copies,
            Expr::Operand(Operand::Place(place)) if self.copies.contains(&place.root) => {
                place.path.iter().all(|step| matches!(step, Proj::Index(_)))
            }
            Expr::Operand(Operand::Place(place)) if place.path.is_empty() => self.clones_are_copies(place.root, asked),
            _ => false,
        })
    }

    /// The type of a member, on which all agree that it is set to.
    fn member_type(&self, var: Var, key: &str, step: &Proj) -> Option<Ty> {
        let mut known = element(&self.vars[var.0 as usize].ty, std::slice::from_ref(step));
        for expr in &self.all[&var].made {
            let given = match member_of(expr, key, step)? {
                Operand::Place(place) => element(&self.vars[place.root.0 as usize].ty, &place.path),
                Operand::Passive(_) if matches!(expr, Expr::Passive(_)) => Ty::Passive,
                Operand::Passive(code) if is_float_literal(&code.tokens) => Ty::Float,
                _ => Ty::Unknown,
            };
            match (&known, given) {
                (Ty::Unknown, given) => known = given,
                (_, Ty::Unknown) => {}
                (known, given) if *known == given => {}
                _ => return None,
            }
        }
        let copied = self.all[&var].made.iter().all(|expr| matches!(expr, Expr::Passive(_)));
        let list = is_list(&known) && matches!(self.vars[var.0 as usize].ty, Ty::Struct(_) | Ty::Unknown);
        (is_plain(&known) || list || known == Ty::Passive && copied).then_some(known)
    }
}

/// Whether values of a type are numbers side by side, which own no memory.
fn is_plain(ty: &Ty) -> bool {
    match ty {
        Ty::Float => true,
        Ty::Array(element) => is_plain(element),
        Ty::Tuple(all) => all.iter().all(is_plain),
        Ty::Struct(fields) => !fields.is_empty() && fields.values().all(is_plain),
        Ty::Passive | Ty::Vec(_) | Ty::Slice(_) | Ty::Library | Ty::Unknown => false,
    }
}

/// A vector of floats, or of rows, arrays or tuples of them, or an array of a library.
fn is_list(ty: &Ty) -> bool {
    *ty == Ty::Vec(Box::new(Ty::Float)) || *ty == Ty::Library || is_nested(ty) || is_list_of_tuples(ty)
}

/// Whether an expression makes an aggregate of its members, or copies one.
fn is_made(expr: &Expr) -> bool {
    matches!(expr, Expr::Operand(Operand::Place(_))) || is_template(expr)
}

fn is_template(expr: &Expr) -> bool {
    match expr {
        Expr::Struct(literal) => literal.fields.iter().all(|(step, _)| matches!(step, Proj::Field(_))),
        Expr::Tuple(_) => true,
        Expr::Array(all) => all.len() <= MOST,
        Expr::Repeat { len, .. } => number(&len.tokens).is_some_and(|len| len <= MOST),
        _ => false,
    }
}

pub fn keys_of(expr: &Expr) -> Vec<String> {
    match expr {
        Expr::Struct(literal) => literal.fields.iter().filter_map(|(step, _)| step_key(step)).collect(),
        Expr::Tuple(all) => (0..all.len()).map(|k| k.to_string()).collect(),
        Expr::Array(all) => (0..all.len()).map(element_key).collect(),
        Expr::Repeat { len, .. } => (0..number(&len.tokens).unwrap_or(0)).map(element_key).collect(),
        _ => Vec::new(),
    }
}

pub fn step_of(key: &str) -> Proj {
    match key.strip_prefix('[').and_then(|key| key.strip_suffix(']')) {
        Some(index) => {
            let tokens: TokenStream = index.parse().unwrap_or_default();
            Proj::Index(PassiveCode::literal(tokens))
        }
        None => Proj::Field(syn::parse_str(key).unwrap_or_else(|_| syn::Member::from(0))),
    }
}

/// What a member of an expression's value is set to.
pub fn member_of(expr: &Expr, key: &str, step: &Proj) -> Option<Operand> {
    match expr {
        Expr::Operand(Operand::Place(place)) => {
            let mut place = place.clone();
            place.path.push(step.clone());
            Some(Operand::Place(place))
        }
        Expr::Passive(code) => {
            let member = members::tokens_of(step);
            Some(Operand::Passive(code.clone().map(|of| quote!(#of #member))))
        }
        Expr::Struct(literal) => {
            let is_it = |(step, _): &&(Proj, Operand)| step_key(step).as_deref() == Some(key);
            literal.fields.iter().find(is_it).map(|(_, value)| value.clone())
        }
        Expr::Tuple(all) | Expr::Array(all) => {
            let at = keys_of(expr).iter().position(|own| own == key)?;
            Some(all[at].clone())
        }
        Expr::Repeat { value, .. } => keys_of(expr).iter().any(|own| own == key).then(|| value.clone()),
        _ => None,
    }
}

/// The aggregate of these members.
pub fn made_of(template: &Expr, member: &dyn Fn(&str) -> Operand) -> Expr {
    let keys = keys_of(template);
    let mut made = match template {
        Expr::Repeat { .. } => return Expr::Array(keys.iter().map(|key| member(key)).collect()),
        template => template.clone(),
    };
    match &mut made {
        Expr::Struct(literal) => {
            literal.fields.iter_mut().zip(&keys).for_each(|((_, value), key)| *value = member(key));
        }
        Expr::Tuple(all) | Expr::Array(all) => {
            all.iter_mut().zip(&keys).for_each(|(value, key)| *value = member(key));
        }
        _ => unreachable!("a template has members"),
    }
    made
}

/// What is computed for members that nobody uses.
fn dropped<'e>(expr: &'e Expr, members: &BTreeMap<String, (Proj, Ty)>) -> Vec<&'e PassiveCode> {
    let values: Vec<&Operand> = match expr {
        Expr::Struct(literal) => literal.fields.iter().map(|(_, value)| value).collect(),
        Expr::Tuple(all) | Expr::Array(all) => all.iter().collect(),
        _ => return Vec::new(),
    };
    let unused = keys_of(expr).into_iter().zip(values).filter(|(key, _)| !members.contains_key(key));
    let codes = unused.filter_map(|(_, value)| if let Operand::Passive(code) = value { Some(code) } else { None });
    codes.collect()
}

fn is_float_literal(tokens: &TokenStream) -> bool {
    matches!(syn::parse2::<syn::Lit>(tokens.clone()), Ok(syn::Lit::Float(f)) if f.suffix().is_empty())
}

/// The operands of a statement that an aggregate may be as a whole: it is made again for them.
fn whole_operands(stmt: &Stmt) -> Vec<&Operand> {
    match stmt {
        Stmt::Push { value, .. } => vec![value],
        Stmt::Assign { place, op: Assign::Set, value, .. } if !place.path.is_empty() => vec![value],
        Stmt::Let { expr: Expr::VecOf(all), .. } => all.iter().collect(),
        _ => Vec::new(),
    }
}

/// The same, to be changed.
pub fn whole_operands_mut(stmt: &mut Stmt) -> Vec<&mut Operand> {
    match stmt {
        Stmt::Push { value, .. } => vec![value],
        Stmt::Assign { place, op: Assign::Set, value, .. } if !place.path.is_empty() => vec![value],
        Stmt::Let { expr: Expr::VecOf(all), .. } => all.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// The whole variables that a function returns.
pub fn whole_results_mut(result: &mut Output, f: &mut dyn FnMut(&mut Place)) {
    match result {
        Output::Place(place) if place.path.is_empty() => f(place),
        Output::Tuple(all) | Output::Array(all) => all.iter_mut().for_each(|one| whole_results_mut(one, f)),
        _ => {}
    }
}
