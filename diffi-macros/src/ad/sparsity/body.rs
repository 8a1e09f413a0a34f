//! The statements that a trace runs. None of them reads what is hidden; where one would have to, there is no such body.

use super::*;
use crate::ad::partials::literal;
use crate::ad::sparsity::value_dependent::asks;
use crate::ir::place::element;
use proc_macro2::{Ident, Span, TokenTree};

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
        match stmt {
            Stmt::Let { var, expr } if self.hidden.var(*var) => {
                (!self.writes(expr)).then_some(())?;
                self.differs = true;
            }
            Stmt::Declare { var } if self.hidden.var(*var) => self.differs = true,
            Stmt::Assign { place, .. } | Stmt::Push { place, .. } | Stmt::Swap { a: place, .. }
                if self.hidden.var(place.root) =>
            {
                self.differs = true;
            }
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
            Stmt::If { cond, then, els } if self.hidden.opaque(cond) => self.both_sides((cond, then, els), stmts)?,
            Stmt::If { cond, then, els } => stmts.push(self.one_side((cond, then, els), own)?),
            Stmt::Switch { scrutinee, arms } if self.hidden.condition_of(scrutinee, arms) => {
                self.all_arms(arms, stmts)?;
            }
            Stmt::Switch { scrutinee, arms } => {
                let arms = self.one_arm(arms, own)?;
                stmts.push(Stmt::Switch { scrutinee: scrutinee.clone(), arms });
            }
            Stmt::For(on) => stmts.push(self.counted(on, own)?),
            Stmt::While { prelude, cond, body, checkpoint } => {
                (!self.hidden.opaque(cond)).then_some(())?;
                let (prelude, body) = (self.block(prelude, own)?, self.block(body, own)?);
                stmts.push(Stmt::While { prelude, cond: cond.clone(), body, checkpoint: checkpoint.clone() });
            }
            Stmt::Derived(_) => return None,
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
            0 if writes.is_empty() && (own.is_side() || self.hidden.opaque(tokens)) => {}
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
        bounds.into_iter().all(|bound| !self.hidden.opaque(bound)).then_some(())?;
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
        let hidden = self.hidden.is_hidden(value);
        (!self.has_values() || float || !hidden).then_some(())?;
        let value = if carries { self.operand(value)? } else { value.clone() };
        let first = place.path.is_empty() && self.unset.contains(&place.root);
        match carries && own.is_outside(place.root) && !first {
            true => self.either(place, value, float, stmts)?,
            false => stmts.push(Stmt::Assign { place: place.clone(), op, value, span }),
        }
        if place.path.is_empty() {
            self.unset.remove(&place.root);
        }
        Some(())
    }

    /// One more value that a place may have. Where there are values, numbers are added up, and for all else there is a rule.
    fn either(&mut self, place: &Place, value: Operand, float: bool, stmts: &mut Vec<Stmt>) -> Option<()> {
        let span = Span::call_site();
        match value {
            value if !self.has_values() => {
                stmts.push(Stmt::Derived(Derived::Either { place: place.clone(), value }));
            }
            Operand::Place(from) if float => {
                self.differs = true;
                let mut value = Operand::Place(from.clone());
                if from.root == place.root {
                    let held = self.fresh("held", Ty::Float);
                    stmts.push(Stmt::Let { var: held, expr: Expr::Operand(value) });
                    value = Operand::var(held);
                }
                stmts.push(Stmt::Assign { place: place.clone(), op: Assign::Add, value, span });
            }
            // of one more constant nothing depends on anything; but of a container the lengths would have to be known
            Operand::Passive(_) if float => self.differs = true,
            Operand::Place(from) => {
                self.differs = true;
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
                });
                stmts.push(Stmt::Let { var: both, expr });
                let value = Operand::var(both);
                stmts.push(Stmt::Assign { place: place.clone(), op: Assign::Set, value, span });
            }
            _ => return None,
        }
        Some(())
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
        (!self.hidden.opaque(o)).then(|| o.clone())
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

    /// Members that are no numbers have to be known.
    fn members(&mut self, all: &[Operand], ty: &Ty) -> Option<Vec<Operand>> {
        let Ty::Tuple(tys) = ty else { return None };
        let mut members = Vec::new();
        for (o, ty) in all.iter().zip(tys) {
            let constant = self.hidden.is_hidden(o);
            let member = self.operand(o)?;
            (!constant || *ty == Ty::Float).then_some(())?;
            members.push(member);
        }
        Some(members)
    }

    /// Operands that are known, but for numbers.
    fn known_operands(&mut self, all: &[Operand], ty: &Ty) -> Option<Vec<Operand>> {
        let known = !self.has_values() || *ty == Ty::Float || !all.iter().any(|o| self.hidden.is_hidden(o));
        known.then(|| self.operands(all))?
    }

    fn known_operand(&mut self, o: &Operand, ty: &Ty) -> Option<Operand> {
        self.known_operands(std::slice::from_ref(o), ty)?.pop()
    }

    fn expr(&mut self, var: Var, expr: &Expr, own: &Own, stmts: &mut Vec<Stmt>) -> Option<Expr> {
        let ty = self.hidden.info(var).ty.clone();
        let inner = element(&ty, &[Proj::Index(PassiveCode::literal(quote!(0)))]);
        if !self.hidden.carries(var) && !self.writes(expr) {
            return Some(expr.clone());
        }
        Some(match expr {
            Expr::Operand(o) => Expr::Operand(self.known_operand(o, &ty)?),
            Expr::Op { op: Op::Fn(name), args, .. }
                if has_whole(name) && args.last().is_some_and(|n| self.hidden.operand(n)) =>
            {
                return None;
            }
            Expr::Op { op, args, span } => {
                let args = self.operands(args)?;
                self.smooth(op, args, *span, stmts)
            }
            Expr::Array(all) => Expr::Array(self.known_operands(all, &inner)?),
            Expr::VecOf(all) => Expr::VecOf(self.known_operands(all, &inner)?),
            Expr::Tuple(all) => Expr::Tuple(self.members(all, &ty)?),
            Expr::Repeat { value, len } => {
                Expr::Repeat { value: self.known_operand(value, &inner)?, len: self.known(len)? }
            }
            Expr::VecRepeat { value, len } => {
                Expr::VecRepeat { value: self.known_operand(value, &inner)?, len: self.known(len)? }
            }
            Expr::VecNew(o) => Expr::VecNew(self.known(o)?),
            Expr::Scratch { len } => Expr::Scratch { len: self.known(len)? },
            Expr::Passive(o) if ty == Ty::Float && self.hidden.opaque(o) => {
                self.differs = true;
                Expr::Passive(self.constant())
            }
            Expr::Passive(o) => Expr::Passive(self.known(o)?),
            Expr::Pop(p) if own.is_outside(p.root) => return None,
            Expr::ToVec(p) | Expr::Pop(p) => {
                self.straight(p)?;
                expr.clone()
            }
            Expr::Call(call) => Expr::Call(self.call(call, own)?),
            Expr::Struct(s) if self.has_values() => {
                let (steps, all): (Vec<_>, Vec<_>) = s.fields.iter().cloned().unzip();
                let all = self.known_operands(&all, &Ty::Unknown)?;
                Expr::Struct(Literal { fields: steps.into_iter().zip(all).collect(), ..s.clone() })
            }
            Expr::Boxed(o) if self.has_values() => Expr::Boxed(self.known_operand(o, &Ty::Unknown)?),
            Expr::Content(p) if self.has_values() => {
                self.straight(p)?;
                expr.clone()
            }
            Expr::Struct(_) | Expr::Boxed(_) | Expr::Content(_) => return None,
            Expr::Zero | Expr::Fresh { .. } | Expr::If { .. } => return None,
        })
    }

    fn call(&mut self, call: &Call, own: &Own) -> Option<Call> {
        let mut args = Vec::new();
        call.handed.iter().all(|handed| !self.has_values() || is_followed(handed)).then_some(())?;
        for arg in &call.args {
            if let CallArg::Ref(p) | CallArg::Mut(p) | CallArg::Value(Operand::Place(p)) = arg {
                // the function may read what else there is beside numbers
                (call.is_rule() || !self.hidden.is_mixed_place(p)).then_some(())?;
            }
            args.push(match arg {
                CallArg::Mut(p) if own.is_outside(p.root) => return None,
                CallArg::Ref(p) | CallArg::Mut(p) => {
                    self.straight(p)?;
                    (!self.hidden.var(p.root)).then(|| arg.clone())?
                }
                CallArg::Value(o) => CallArg::Value(self.known_operand(o, &Ty::Unknown)?),
                CallArg::Passive(o) => CallArg::Passive(self.known(o)?),
                CallArg::Lent(o) => CallArg::Lent(self.known(o)?),
            });
        }
        Some(Call { args, ..call.clone() })
    }

    pub fn out(&mut self, out: &Output) -> Option<Output> {
        Some(match out {
            Output::Float(o) => Output::Float(self.operand(o)?),
            Output::Tuple(all) => Output::Tuple(all.iter().map(|o| self.out(o)).collect::<Option<_>>()?),
            Output::Array(all) => Output::Array(all.iter().map(|o| self.out(o)).collect::<Option<_>>()?),
            Output::Place(p) => {
                self.straight(p)?;
                (!self.hidden.var(p.root)).then(|| out.clone())?
            }
            Output::Unit => Output::Unit,
            Output::Passive(o) if self.has_values() => Output::Passive(self.known(o)?),
            Output::Beside(y, aux) if self.has_values() => Output::Beside(Box::new(self.out(y)?), self.known(aux)?),
            Output::Maybe(m) if self.has_values() => {
                m.failure.iter().chain([&m.present]).all(|o| !self.hidden.opaque(o)).then_some(())?;
                Output::Maybe(Box::new(MaybeOutput { content: self.out(&m.content)?, ..(**m).clone() }))
            }
            Output::Passive(_) | Output::Maybe(_) | Output::Beside(..) => return None,
        })
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

/// Whether a function that is handed over may be run as it is.
fn is_followed(handed: &FunctionArg) -> bool {
    match &handed.code {
        FunctionArgCode::Closure { function, .. } => {
            matches!(everywhere(function, &crate::analysis::activity::activity(function)), Everywhere::Itself)
        }
        FunctionArgCode::Parameter(_) | FunctionArgCode::Unknown(_) => true,
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

fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(i) => i == *name,
        TokenTree::Group(g) => mentions(&g.stream(), name),
        _ => false,
    })
}

/// Whether a function takes an integer, after the numbers.
fn has_whole(name: &str) -> bool {
    diffi_rules::rule(name).is_some_and(|rule| rule.passive.is_some())
}
