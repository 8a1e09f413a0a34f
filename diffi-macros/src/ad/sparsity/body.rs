//! The statements that a trace runs. None of them reads what is hidden; where one would have to, there is no such body.

use super::*;
use crate::ad::partials::literal;
use crate::ad::sparsity::value_dependent::asks;
use crate::ir::place::element;
use crate::support::syntax::mentions;
use proc_macro2::Span;

mod expressions;

pub struct Body<'h> {
    hidden: &'h Hidden<'h>,
    /// Whether anything is not as it is in the function.
    differs: bool,
    /// The function's variables, and more.
    vars: Vec<VarInfo>,
    /// Variables that have no value yet.
    unset: Vars,
}

impl<'h> Body<'h> {
    pub fn new(hidden: &'h Hidden<'h>) -> Self {
        Body { hidden, differs: false, vars: hidden.function.vars.clone(), unset: Vars::new() }
    }

    /// The variables of the body.
    pub fn vars(self) -> Vec<VarInfo> {
        self.vars
    }

    /// Something is not as it is in the function.
    pub fn differ(&mut self) {
        self.differs = true;
    }

    /// Whether numbers have values, which mean nothing.
    pub fn has_values(&self) -> bool {
        self.hidden.values == Values::Any
    }

    /// A new variable.
    pub fn fresh(&mut self, hint: &str, ty: Ty) -> Var {
        let (var, info) = (Var(self.vars.len() as u32), &self.hidden.function.vars[0]);
        let name = quote::format_ident!("__d{}_{hint}", var.0);
        let more =
            VarInfo { name, hint: hint.to_owned(), ty, written: None, named: false, changes: false, ..info.clone() };
        self.vars.push(VarInfo { mutable: false, ..more });
        var
    }

    pub fn differs(&self) -> bool {
        self.differs
    }

    pub fn block(&mut self, block: &Block, own: &mut Own) -> Option<Block> {
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            self.stmt(stmt, own, &mut stmts)?;
        }
        Some(Block { stmts })
    }

    fn stmt(&mut self, stmt: &Stmt, own: &mut Own, stmts: &mut Vec<Stmt>) -> Option<()> {
        if self.is_left_out(stmt)? {
            self.differs = true;
            return Some(());
        }
        match stmt {
            Stmt::Let { var, expr } => {
                own.declares(*var);
                let expr = self.expr(*var, expr, own, stmts)?;
                stmts.push(Stmt::Let { var: *var, expr });
            }
            Stmt::Declare { var } => {
                own.declares(*var);
                stmts.push(self.declared(stmt, *var));
            }
            Stmt::Assign { place, op, value, span } => {
                self.assign(stmt, (place, *op, value, *span), own, stmts)?;
            }
            Stmt::Push { place, value, span } => {
                self.straight(place)?;
                (!own.is_outside(place.root)).then_some(())?;
                stmts.push(Stmt::Push { place: place.clone(), value: self.operand(value)?, span: *span });
            }
            Stmt::Swap { a, b, .. } => self.swapped(stmt, (a, b), own, stmts)?,
            Stmt::Effect { tokens, writes } => self.effect(stmt, (tokens, writes), own, stmts)?,
            Stmt::If { .. } | Stmt::Switch { .. } | Stmt::For(_) | Stmt::While { .. } => {
                self.control(stmt, own, stmts)?;
            }
            Stmt::Derived(_) => return None,
        }
        Some(())
    }

    /// Whether a statement does nothing but to set what is hidden; none if it does more.
    fn is_left_out(&self, stmt: &Stmt) -> Option<bool> {
        match stmt {
            Stmt::Let { var, expr } if self.hidden.var(*var) => (!self.writes(expr)).then_some(true),
            Stmt::Declare { var } => Some(self.hidden.var(*var)),
            Stmt::Assign { place, .. } | Stmt::Push { place, .. } | Stmt::Swap { a: place, .. } => {
                Some(self.hidden.var(place.root))
            }
            _ => Some(false),
        }
    }

    fn control(&mut self, stmt: &Stmt, own: &mut Own, stmts: &mut Vec<Stmt>) -> Option<()> {
        match stmt {
            Stmt::If { cond, then, els } if self.hidden.passive_code(cond) => {
                self.both_sides((cond, then, els), stmts)?
            }
            Stmt::If { cond, then, els } => stmts.push(self.one_side((cond, then, els), own)?),
            Stmt::Switch { scrutinee, arms } if self.hidden.condition_of(scrutinee, arms) => {
                self.all_arms(arms, stmts)?
            }
            Stmt::Switch { scrutinee, arms } => {
                let arms = self.one_arm(arms, own)?;
                stmts.push(Stmt::Switch { scrutinee: scrutinee.clone(), arms });
            }
            Stmt::For(on) => stmts.push(self.counted(on, own)?),
            Stmt::While { prelude, cond, body, checkpoint } => {
                (!self.hidden.passive_code(cond)).then_some(())?;
                let (prelude, body) = (self.block(prelude, own)?, self.block(body, own)?);
                stmts.push(Stmt::While { prelude, cond: cond.clone(), body, checkpoint: checkpoint.clone() });
            }
            _ => return None,
        }
        Some(())
    }

    fn declared(&mut self, stmt: &Stmt, var: Var) -> Stmt {
        let carries = self.hidden.carries(var);
        if carries && (self.hidden.info(var).ty == Ty::Float || !self.has_values()) {
            return Stmt::Let { var, expr: Expr::Passive(self.constant()) };
        }
        if carries {
            self.unset.insert(var);
        }
        stmt.clone()
    }

    fn swapped(&mut self, stmt: &Stmt, (a, b): (&Place, &Place), own: &Own, stmts: &mut Vec<Stmt>) -> Option<()> {
        self.straight(a)?;
        self.straight(b)?;
        if !own.is_outside(a.root) && !own.is_outside(b.root) {
            stmts.push(stmt.clone());
            return Some(());
        }
        let (left, right) = (Operand::Place(a.clone()), Operand::Place(b.clone()));
        for (place, value) in [(a, right), (b, left)] {
            let float = self.hidden.is_float(place);
            self.either(place, value, float, stmts)?;
        }
        Some(())
    }

    fn effect(
        &mut self,
        stmt: &Stmt,
        (tokens, writes): (&PassiveCode, &Vars),
        own: &Own,
        stmts: &mut Vec<Stmt>,
    ) -> Option<()> {
        match writes.iter().filter(|var| self.hidden.var(**var)).count() {
            _ if writes.iter().any(|var| self.hidden.carries(*var)) => return None,
            // an assertion or a print; what stands on one side only may be there to end the program
            0 if writes.is_empty() && (own.is_side() || self.hidden.passive_code(tokens)) => {}
            0 => stmts.push(stmt.clone()),
            all if all == writes.len() => self.differs = true,
            _ => return None,
        }
        Some(())
    }

    /// Both sides of a hidden condition, one after the other.
    fn both_sides(&mut self, (cond, then, els): (&PassiveCode, &Block, &Block), stmts: &mut Vec<Stmt>) -> Option<()> {
        self.differs = true;
        if !self.has_values() {
            let shown = self.shown(cond);
            for (side, cond) in [(then, shown), (els, PassiveCode::literal(quote!(true)))] {
                let then = self.block(side, &mut Own::side())?;
                stmts.push(Stmt::If { cond, then, els: Block::default() });
            }
            return Some(());
        }
        // the side without a condition comes first: what it assigns has a value then
        let els = self.block(els, &mut Own::side())?;
        stmts.extend(els.stmts);
        let (shown, then) = (self.shown(cond), self.block(then, &mut Own::side())?);
        match is_true(&shown) {
            true => stmts.extend(then.stmts),
            false => stmts.push(Stmt::If { cond: shown, then, els: Block::default() }),
        }
        Some(())
    }

    fn one_side(&mut self, (cond, then, els): (&PassiveCode, &Block, &Block), own: &mut Own) -> Option<Stmt> {
        let before = self.unset.clone();
        let then = self.block(then, own)?;
        let after = std::mem::replace(&mut self.unset, before);
        let els = self.block(els, own)?;
        after.iter().for_each(|var| _ = self.unset.insert(*var));
        Some(Stmt::If { cond: cond.clone(), then, els })
    }

    /// All arms of a hidden `match`, one after the other.
    fn all_arms(&mut self, arms: &[Arm], stmts: &mut Vec<Stmt>) -> Option<()> {
        self.differs = true;
        for arm in arms {
            let then = self.block(&arm.body, &mut Own::side())?;
            match self.has_values() {
                true => stmts.extend(then.stmts),
                false => {
                    let cond = PassiveCode::literal(quote!(true));
                    stmts.push(Stmt::If { cond, then, els: Block::default() });
                }
            }
        }
        Some(())
    }

    fn one_arm(&mut self, arms: &[Arm], own: &mut Own) -> Option<Vec<Arm>> {
        let mut all = Vec::new();
        let (before, mut after) = (self.unset.clone(), Vars::new());
        for arm in arms {
            self.unset = before.clone();
            all.push(Arm { body: self.block(&arm.body, own)?, ..arm.clone() });
            self.unset.iter().for_each(|var| _ = after.insert(*var));
        }
        self.unset = after;
        Some(all)
    }

    fn counted(&mut self, on: &For, own: &mut Own) -> Option<Stmt> {
        let bounds = [&on.lo, &on.hi].into_iter().chain(&on.step);
        bounds.into_iter().all(|bound| !self.hidden.passive_code(bound)).then_some(())?;
        own.declares(on.var);
        let to_the_end = self.hidden.end_of(on);
        let body = match to_the_end {
            true => self.block(&on.body, &mut Own::side())?,
            false => self.block(&on.body, own)?,
        };
        let until = on.until.filter(|_| !to_the_end);
        self.differs |= to_the_end;
        Some(Stmt::For(For { body, until, ..on.clone() }))
    }

    /// What one side gives to a variable from outside is one of the values that it may have.
    fn assign(
        &mut self,
        stmt: &Stmt,
        (place, op, value, span): (&Place, Assign, &Operand, Span),
        own: &Own,
        stmts: &mut Vec<Stmt>,
    ) -> Option<()> {
        self.straight(place)?;
        let (carries, float) = (self.hidden.carries(place.root), self.hidden.is_of_floats(stmt));
        (!self.has_values() || float || !self.hidden.is_hidden(value)).then_some(())?;
        let value = if carries { self.operand(value)? } else { value.clone() };
        let whole = place.path.is_empty();
        let first = whole && self.unset.contains(&place.root);
        match carries && own.is_outside(place.root) && !first {
            true => self.either(place, value, float, stmts)?,
            false => stmts.push(Stmt::Assign { place: place.clone(), op, value, span }),
        }
        if whole {
            self.unset.remove(&place.root);
        }
        Some(())
    }

    /// One more value that a place may have. Where there are values, numbers are added up, and for all else there is a rule.
    fn either(&mut self, place: &Place, value: Operand, float: bool, stmts: &mut Vec<Stmt>) -> Option<()> {
        if !self.has_values() {
            stmts.push(Stmt::Derived(Derived::Either { place: place.clone(), value }));
            return Some(());
        }
        let (op, value) = match value {
            Operand::Place(from) if float => (Assign::Add, self.held(place, from, stmts)),
            // of one more constant nothing depends on anything; but of a container the lengths would have to be known
            Operand::Passive(_) if float => {
                self.differs = true;
                return Some(());
            }
            Operand::Place(from) => (Assign::Set, self.either_of(place, from, stmts)),
            _ => return None,
        };
        self.differs = true;
        stmts.push(Stmt::Assign { place: place.clone(), op, value, span: Span::call_site() });
        Some(())
    }

    /// A number that is added to a place, by itself if it is a part of the same value.
    fn held(&mut self, place: &Place, from: Place, stmts: &mut Vec<Stmt>) -> Operand {
        if from.root != place.root {
            return Operand::Place(from);
        }
        let held = self.fresh("held", Ty::Float);
        stmts.push(Stmt::Let { var: held, expr: Expr::Operand(Operand::Place(from)) });
        Operand::var(held)
    }

    /// A value that depends on all that either depends on.
    fn either_of(&mut self, place: &Place, from: Place, stmts: &mut Vec<Stmt>) -> Operand {
        let both = self.fresh("either", element(&self.hidden.info(place.root).ty, &place.path));
        let expr = Expr::Call(Call {
            callee: Callee::Function(quote!(__d::library::Two)),
            written: quote!(__d::library::Two::call),
            args: vec![
                CallArg::Passive(PassiveCode::literal(quote!(__d::library::op::Either))),
                CallArg::Ref(place.clone()),
                CallArg::Ref(from),
            ],
            linear: true,
            handed: Vec::new(),
            changing: Vec::new(),
            gives_nothing: false,
        });
        stmts.push(Stmt::Let { var: both, expr });
        Operand::var(both)
    }

    /// Whether what the expression does besides matters.
    fn writes(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(call) => call.args.iter().any(|arg| matches!(arg, CallArg::Mut(_))),
            Expr::Pop(_) => true,
            _ => false,
        }
    }

    /// No index on the way to the place is hidden, nor which variant of an enum is there.
    fn straight(&self, place: &Place) -> Option<()> {
        let of_variant = place.path.iter().any(|step| matches!(step, Proj::Payload(..)));
        let variant_hidden = of_variant && self.hidden.is_mixed_place(place);
        (!variant_hidden && !self.hidden.leads_astray(place)).then_some(())
    }

    fn known(&self, o: &PassiveCode) -> Option<PassiveCode> {
        (!self.hidden.passive_code(o)).then(|| o.clone())
    }

    /// A number that is hidden is a constant.
    fn operand(&mut self, o: &Operand) -> Option<Operand> {
        let hidden = match o {
            Operand::Place(p) => {
                self.straight(p)?;
                self.hidden.var(p.root)
            }
            other => self.hidden.operand(other),
        };
        self.differs |= hidden;
        Some(if hidden { Operand::Passive(self.constant()) } else { o.clone() })
    }

    fn operands(&mut self, all: &[Operand]) -> Option<Vec<Operand>> {
        all.iter().map(|o| self.operand(o)).collect()
    }

    /// A number that depends on nothing, and of which nothing is known.
    pub fn constant(&self) -> PassiveCode {
        match self.has_values() {
            true => PassiveCode::literal(literal(&self.hidden.function.base, &quote!(1.0))),
            false => PassiveCode::literal(unseen()),
        }
    }

    /// Whether a part of a condition reads what is hidden.
    fn reads_hidden(&self, part: &TokenStream, cond: &PassiveCode) -> bool {
        let part = PassiveCode { tokens: part.clone(), ..cond.clone() };
        cond.reads.iter().filter(|v| mentions(&part.tokens, &self.hidden.info(**v).name)).any(|v| {
            let asked = || match self.has_values() {
                true => self.hidden.is_asked(*v, &part),
                false => asks(&part.tokens, &self.hidden.info(*v).name),
            };
            self.hidden.var(*v) || self.hidden.carries(*v) && asked()
        })
    }

    /// The parts of a condition, joined by `&&`, that are not hidden: where they do not hold, neither does the condition.
    fn shown(&self, cond: &PassiveCode) -> PassiveCode {
        let cond = self.hidden.meaning(cond);
        let parts = conjuncts(&cond.tokens).unwrap_or_default();
        let mut shown = parts.into_iter().filter(|part| !self.reads_hidden(part, cond));
        let Some(first) = shown.next() else { return PassiveCode::literal(quote!(true)) };
        let reads = cond.reads.iter().filter(|v| !self.hidden.var(**v));
        let reads = reads.filter(|v| self.has_values() || !self.hidden.carries(**v)).copied().collect();
        PassiveCode { tokens: quote!(#first #(&& #shown)*), reads, ..cond.clone() }
    }
}

fn is_true(cond: &PassiveCode) -> bool {
    cond.tokens.to_string() == "true"
}

/// The parts of a condition that is nothing but `a && b && ..`.
fn conjuncts(tokens: &TokenStream) -> Option<Vec<TokenStream>> {
    fn split(e: &syn::Expr, parts: &mut Vec<TokenStream>) {
        match e {
            syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => {
                split(&b.left, parts);
                split(&b.right, parts);
            }
            syn::Expr::Paren(p) => split(&p.expr, parts),
            other => parts.push(quote!(#other)),
        }
    }
    let mut parts = Vec::new();
    split(&syn::parse2(tokens.clone()).ok()?, &mut parts);
    Some(parts)
}
