//! Statements.

use crate::emit::code::names::VALUE;
use crate::emit::code::vectors::is_empty_vector;
use crate::emit::code::writer::{Emit, Order};
use crate::emit::code::{copies, special};
use crate::ir::symbols::Role;
use crate::ir::*;
use crate::support::work::step;
use proc_macro2::{TokenStream, TokenTree};

impl Emit<'_> {
    /// The statements of a block, without braces.
    pub fn block(&self, block: &Block) -> String {
        let mut out = String::new();
        block.stmts.iter().for_each(|s| out += &self.stmt(s));
        out
    }

    /// A statement.
    pub fn stmt(&self, stmt: &Stmt) -> String {
        step();
        match stmt {
            Stmt::Let { var, expr } => self.binding(*var, expr),
            Stmt::Declare { var } => self.declaration(*var),
            Stmt::Assign { place, op, value, .. } => self.assign(place, *op, value),
            Stmt::Push { place, value, .. } => format!("{}.push({});", self.place_mut(place), self.appended(value)),
            Stmt::Swap { a, b, .. } => swap(a, b, |p| self.place_mut(p), |o| self.passive_code(o)),
            Stmt::If { cond, then, els } => self.branch(cond, then, els),
            Stmt::Switch { scrutinee, arms } => {
                let arms: String = arms.iter().map(|arm| self.arm(arm)).collect();
                format!("match {} {{ {arms} }}", self.passive_code(scrutinee))
            }
            Stmt::For(on) => self.counted(on, None),
            Stmt::While { prelude, cond, body, .. } => self.while_loop(prelude, cond, body),
            Stmt::Effect { tokens, .. } => format!("{};", self.passive_code(tokens)),
            Stmt::Derived(d) => self.derived(d),
        }
    }

    fn declaration(&self, var: Var) -> String {
        let mutable = if self.again.contains(&var) { "mut " } else { "" };
        format!("let {mutable}{}{};", self.name(var), self.annotation(var))
    }

    fn branch(&self, cond: &PassiveCode, then: &Block, els: &Block) -> String {
        let (cond, then) = (self.passive_code(cond), self.block(then));
        match els.stmts.is_empty() {
            true => format!("if {cond} {{ {then} }}"),
            false => format!("if {cond} {{ {then} }} else {{ {} }}", self.block(els)),
        }
    }

    fn while_loop(&self, prelude: &Block, cond: &PassiveCode, body: &Block) -> String {
        let (prelude, cond, body) = (self.block(prelude), self.passive_code(cond), self.block(body));
        match prelude.is_empty() {
            true => format!("while {cond} {{ {body} }}"),
            false => format!("loop {{ {prelude} if !({cond}) {{ break; }} {body} }}"),
        }
    }

    fn arm(&self, arm: &Arm) -> String {
        let guard = arm.guard.as_ref().map(|g| format!("if {}", self.passive_code(g))).unwrap_or_default();
        format!("{} {guard} => {{ {} }}", self.tokens(&arm.pattern), self.block(&arm.body))
    }

    fn annotation(&self, var: Var) -> String {
        let info = self.table.info(var);
        match (&info.ty, self.table.role(var), &info.written) {
            (Ty::Float, role, _) => format!(": {}", self.space(role)),
            (_, Role::Primal, Some(written)) => format!(": {}", self.holes.ty(written)),
            _ => String::new(),
        }
    }

    /// The type of a shadow without elements, whose value has one that is written: parts of elements may be read before any is added.
    fn annotation_of_shadow(&self, var: Var) -> Option<String> {
        let role = self.table.role(var);
        let written = self.table.info(self.table.value(var)?).written.as_ref().filter(|_| role != Role::Primal)?;
        let whole = !leaves_open(written.clone());
        whole.then(|| format!(": <{} as __d::Active>::Tangent<{}>", self.holes.ty(written), self.space(role)))
    }

    fn binding(&self, var: Var, expr: &Expr) -> String {
        let (name, mutable) = (self.name(var), self.mutable(var));
        let ty = match expr {
            expr if self.is_of_value(var, expr) => format!(": {VALUE}"),
            Expr::VecNew(o) if is_empty_vector(o) => self.annotation_of_shadow(var).unwrap_or(self.annotation(var)),
            _ => self.annotation(var),
        };
        let value = match expr {
            Expr::Operand(Operand::Place(p)) if self.is_shadow_in_data(p) && *self.table.ty(var) == Ty::Float => {
                self.number(p)
            }
            other => self.expr(var, other),
        };
        format!("let {mutable}{name}{ty} = {value};")
    }

    /// Whether something is made of the result's type, of which only rustc knows whether it carries derivatives.
    fn is_of_value(&self, var: Var, expr: &Expr) -> bool {
        let made = |s: &Literal| s.path.to_string() == self.function.ret.to_string();
        self.asks_of_value && self.table.role(var) == Role::Primal && matches!(expr, Expr::Struct(s) if made(s))
    }

    /// Whether a variable is an array of numbers, whose shadows can be copied.
    fn is_of_numbers(&self, var: Var) -> bool {
        let mut ty = self.table.ty(var);
        while let Ty::Array(inner) = ty {
            ty = inner;
        }
        *ty == Ty::Float
    }

    /// Operands, as the elements of a list.
    pub fn list(&self, all: &[Operand]) -> String {
        all.iter().map(|o| self.owned(o) + ", ").collect()
    }

    fn expr(&self, var: Var, expr: &Expr) -> String {
        let role = self.table.role(var);
        match expr {
            Expr::Operand(Operand::Made { op, args }) => self.op(op, args),
            Expr::Operand(Operand::Place(p)) if self.is_known_struct(var) => self.pooled_value(p),
            Expr::Operand(o @ Operand::Place(p)) => self.copy_of_array(var, p).unwrap_or_else(|| self.owned(o)),
            Expr::Operand(o) => self.owned(o),
            Expr::Op { op, args, .. } => self.op(op, args),
            Expr::Call(call) => self.primal_call(call),
            Expr::Array(all) => format!("[{}]", self.list(all)),
            Expr::VecOf(all) => self.vec_of(var, all),
            Expr::Tuple(all) => format!("({})", self.list(all)),
            Expr::Struct(s) => self.literal(s),
            Expr::Boxed(o) => format!("::std::boxed::Box::new({})", self.owned(o)),
            Expr::Repeat { value, len } if role != Role::Primal && !self.is_of_numbers(var) => {
                format!("[(); {}].map(|()| {})", self.passive_code(len), self.owned(value))
            }
            Expr::Repeat { value, len } => format!("[{}; {}]", self.owned(value), self.passive_code(len)),
            Expr::VecRepeat { value, len } => self.vec(var, value, len),
            Expr::VecNew(o) => self.empty_vector(var, o),
            Expr::Passive(o) => self.passive(var, o),
            Expr::Pop(p) => format!("{}.pop().expect(\"an element\")", self.place_mut(p)),
            Expr::ToVec(p) => self.to_vec(var, p),
            Expr::Content(p) => copies::of_value(&format!("*__d::Carrier::content(&{})", self.place(p))),
            Expr::Scratch { len } => {
                format!("{}.any({}, {})", self.pool(role), self.passive_code(len), self.zero(role))
            }
            Expr::Zero => self.zero(role),
            Expr::If { cond, place } => {
                format!("if {} {{ {} }} else {{ {} }}", self.passive_code(cond), self.place(place), self.zero(role))
            }
            Expr::Fresh { place, bar } => {
                format!("if {} {{ {} }} else {{ {} }}", self.fresh(*bar), self.zero(role), self.place(place))
            }
        }
    }

    /// A struct or a variant.
    fn literal(&self, s: &Literal) -> String {
        let path = self.tokens(&s.path);
        let field = |(step, value): &(Proj, Operand)| match step {
            Proj::Field(syn::Member::Named(name)) | Proj::Payload(_, syn::Member::Named(name)) => {
                format!("{name}: {}, ", self.owned(value))
            }
            _ => format!("{}, ", self.owned(value)),
        };
        let fields: String = s.fields.iter().map(field).collect();
        match (s.tuple, s.fields.is_empty()) {
            (true, true) => path,
            (true, false) => format!("{path}({fields})"),
            (false, _) => format!("{path} {{ {fields} }}"),
        }
    }

    pub fn op(&self, op: &Op, args: &[Operand]) -> String {
        let values: Vec<String> = args.iter().enumerate().map(|(k, a)| self.term(op, k, a)).collect();
        match (op, &values[..]) {
            (Op::Neg | Op::Fn("neg"), [a]) => format!("-{a}"),
            (Op::Add | Op::Fn("add"), [a, b]) => format!("{a} + {b}"),
            (Op::Sub | Op::Fn("sub"), [a, b]) => format!("{a} - {b}"),
            (Op::Mul | Op::Fn("mul"), [a, b]) => format!("{a} * {b}"),
            (Op::Div | Op::Fn("div"), [a, b]) => format!("{a} / {b}"),
            (Op::StrongMul(StrongZero::Vector), [a, b]) => match self.times(&args[0], b) {
                Some(vector) => format!("__d::strong_mul_twice({vector}, {b})"),
                None => format!("__d::strong_mul({a}, {b})"),
            },
            (Op::StrongMul(StrongZero::Factor), [a, b]) => format!("__d::mul_strong({a}, {b})"),
            (Op::StrongMul(StrongZero::Either), [a, b]) => format!("__d::strong_mul_strong({a}, {b})"),
            (Op::PseudoInverse, [a]) => format!("__d::pseudo_inverse({a})"),
            (Op::Fn("rem"), [a, b]) => format!("{a} % {b}"),
            (Op::Fn(name), all) => self.function(name, &args[0], all),
            _ => unreachable!("an operation has as many operands as it takes"),
        }
    }

    /// What is multiplied by this factor, if a cotangent is: that of a reciprocal is so twice.
    fn times(&self, operand: &Operand, factor: &str) -> Option<String> {
        let Operand::Made { op: op @ Op::StrongMul(StrongZero::Vector), args } = operand else { return None };
        (self.term(op, 1, args.get(1)?) == factor).then(|| self.term(op, 0, &args[0]))
    }

    /// The `k`-th operand of an operation; what is made by one that binds as strongly needs no parentheses.
    fn term(&self, outer: &Op, k: usize, operand: &Operand) -> String {
        match operand {
            Operand::Made { op, args }
                if strength(op) > strength(outer) || k == 0 && strength(op) == strength(outer) =>
            {
                self.op(op, args)
            }
            other => self.operand(other),
        }
    }

    fn function(&self, method: &str, receiver: &Operand, values: &[String]) -> String {
        let all = || values.join(", ");
        if let Some(call) = special::call(method, &self.function.base, values) {
            return call;
        }
        match (&self.function.base, receiver) {
            (Base::Generic(base), _) => {
                format!("<<{base} as __d::Base>::Math as __d::Math<{base}>>::{method}({})", all())
            }
            (Base::Concrete(_), Operand::Place(_)) => format!("{}.{method}({})", values[0], values[1..].join(", ")),
            (Base::Concrete(base), _) => format!("<{base}>::{method}({})", all()),
        }
    }

    fn assign(&self, place: &Place, op: Assign, value: &Operand) -> String {
        let passive = *self.table.ty(place.root) == Ty::Passive && place.path.is_empty();
        let (role, is_cell) = (self.table.role(place.root), self.table.is_cell(place.root));
        let value = match value {
            Operand::Passive(o) if passive => self.passive_code(o),
            Operand::Made { op, args } if !is_cell => self.op(op, args),
            Operand::Place(p) if place.path.is_empty() => {
                self.copy_of_array(place.root, p).unwrap_or_else(|| self.owned(value))
            }
            other => self.owned(other),
        };
        if is_cell {
            return self.assign_cell(place, op, &value);
        }
        // where the function's own tangents are made, rustc sees to it that nothing active is stored in a passive field
        if op != Assign::Set && self.is_shadow_in_data(place) && (role == Role::Bar || self.is_second()) {
            let name = if op == Assign::Add { "add_to" } else { "subtract_from" };
            let space = self.space(role);
            return format!("__d::{name}::<{space}, {}, _>(&mut {}, {value});", self.float, self.place_mut(place));
        }
        let place = self.place_mut(place);
        match op {
            Assign::Set => format!("{place} = {value};"),
            Assign::Add => format!("{place} += {value};"),
            Assign::Sub => format!("{place} -= {value};"),
            Assign::Begin(bar) => {
                format!("if {} {{ {place} = {value}; }} else {{ {place} += {value}; }}", self.fresh(bar))
            }
        }
    }

    fn assign_cell(&self, place: &Place, op: Assign, value: &str) -> String {
        let (cell, old) = (self.name(place.root), self.place(place));
        match op {
            Assign::Set => format!("{cell}.set({value});"),
            Assign::Add => format!("{cell}.set({old} + {value});"),
            Assign::Sub => format!("{cell}.set({old} - {value});"),
            Assign::Begin(bar) => {
                format!("{cell}.set(if {} {{ {value} }} else {{ {old} + {value} }});", self.fresh(bar))
            }
        }
    }

    fn derived(&self, d: &Derived) -> String {
        match d {
            Derived::Zero { var, like } => self.shadow(*var, like),
            Derived::Unset { var, like, of } => self.unset(*var, like, *of),
            Derived::Release { var } => self.release(*var),
            Derived::Acc { place, value, how } => self.acc(place, value, *how),
            Derived::Move { to, from, declares } => {
                let declared = if *declares { format!("let {}", self.mutable(*to)) } else { String::new() };
                format!("{declared}{} = {};", self.name(*to), self.name(*from))
            }
            Derived::Refill { var, len, with } => self.refill(*var, len.as_ref(), with),
            Derived::View { .. }
            | Derived::Cut { .. }
            | Derived::NoAlias { .. }
            | Derived::Chunks { .. }
            | Derived::Cells { .. }
            | Derived::Parted { .. } => self.slices(d),
            Derived::FrameBlock(l) => l.frame.map(|widths| self.open(l, widths).0).unwrap_or_default(),
            Derived::FrameWindow { widths, from, count } => self.window(*widths, from, count),
            Derived::Fresh { bar, lo, hi } => {
                let (fresh, name, lo, hi) =
                    (self.fresh(*bar), self.name(*bar), self.passive_code(lo), self.passive_code(hi));
                format!("if {fresh} {{ __d::clear_outside({name}, {lo}, {hi}); }}")
            }
            Derived::Clear { place, whole } => self.clear(place, *whole),
            Derived::Still { place, like } => self.still(place, like),
            Derived::Pop { var, place } => {
                let (name, ty, place) = (self.name(*var), self.annotation(*var), self.place_mut(place));
                let mutable = self.mutable(*var);
                format!("let {mutable}{name}{ty} = {place}.pop().expect(\"what was pushed\");")
            }
            Derived::Guard { on, body } => format!("if {} {{ {} }}", self.condition(*on), self.block(body)),
            Derived::PushFrame(r) => self.save(r),
            Derived::PopFrame(r) => self.restore(r),
            Derived::StoreFrame(r) => self.keep(r),
            Derived::LoadFrame(r) => self.replay(r),
            Derived::Loop(l) => self.counted(&l.on, Some(l)),
            Derived::LoopBuffers { vars, body } => self.loop_buffers(vars, body),
            Derived::Times { iterations, body } => {
                format!("for _ in 0..{} {{ {} }}", self.name(*iterations), self.block(body))
            }
            Derived::Sweep(s) => self.sweep(s),
            Derived::Either { .. } => unreachable!("traces are bodies over any number type"),
        }
    }

    /// The flag that says whether the callee initialises a parameter's cotangent.
    pub fn fresh(&self, bar: Var) -> String {
        format!("{}_fresh", self.name(bar))
    }

    fn acc(&self, place: &Place, value: &Place, how: AddKind) -> String {
        let space = self.space(self.table.role(place.root));
        let (to, mut from) = (self.place_mut(place), self.place(value));
        if matches!((place.path.last(), value.path.last()), (Some(Proj::Range(..)), None)) {
            from += "[..]";
        }
        match how {
            // one of them may be a part of a struct's constant, which has no shadow
            AddKind::Whole if self.may_be_inert(place) != self.may_be_inert(value) => {
                format!("__d::join::<{space}, _, _, _>(&mut {to}, &{from});")
            }
            AddKind::Whole => format!("__d::Tangent::<{space}>::acc(&mut {to}, &{from});"),
            AddKind::Content => format!("__d::acc_content::<{space}, _>(&mut {to}, &{from});"),
            AddKind::Elementwise => format!(
                "for (to, from) in {to}.iter_mut().zip({from}.iter()) {{ __d::Tangent::<{space}>::acc(to, from); }}"
            ),
        }
    }

    /// Whether this is second order.
    pub fn is_second(&self) -> bool {
        self.order == Order::Second
    }
}

/// How strongly an operation binds its operands; that of a function is written as a call.
fn strength(op: &Op) -> usize {
    match op {
        Op::Add | Op::Sub | Op::Fn("add" | "sub") => 0,
        Op::Mul | Op::Div | Op::Fn("mul" | "div" | "rem") => 1,
        Op::Neg | Op::Fn("neg") => 2,
        Op::StrongMul(_) | Op::PseudoInverse | Op::Fn(_) => 3,
    }
}

/// Exchanges two places: elements of one sequence by its own method, since it cannot be borrowed twice.
pub fn swap(a: &Place, b: &Place, place: impl Fn(&Place) -> String, index: impl Fn(&PassiveCode) -> String) -> String {
    match crate::ir::visit::siblings(a, b) {
        Some((whole, i, j)) => format!("{}.swap({}, {});", place(&whole), index(i), index(j)),
        None => format!("::core::mem::swap(&mut {}, &mut {});", place(a), place(b)),
    }
}

/// Whether a type leaves a part to rustc: `Vec<_>`.
fn leaves_open(ty: TokenStream) -> bool {
    ty.into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => name == "_",
        TokenTree::Group(group) => leaves_open(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
