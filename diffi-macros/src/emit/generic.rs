//! The body over any number type: what overloading backends evaluate.
//!
//! Written from the same IR as the derivatives, where the types permit: floats, slices, arrays and
//! vectors of floats, and tokens that read active values one float at a time.

use super::decisions::{Part, parts};
use super::names::{Foreign, Names};
use super::path;
use super::text::{Holes, is_word};
use crate::activity::Activity;
use crate::declared::reassigned;
use crate::ir::*;
use crate::parse::types::describe;
use crate::table::Table;
use crate::versions::element;
use crate::walk::{Touch, Vars, blocks, each_opaque, touched};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// `__primal`, if the function has one.
pub fn primal(function: &Function, activity: &Activity, (foreign, holes): (&Foreign, &Holes)) -> Option<String> {
    let float = base_name(function)?;
    let table = Table::of(function);
    let changed = touched(&function.body.stmts, &[Touch::Write]);
    let (again, names) = (reassigned(&function.body), Names::new(foreign, &table));
    let generic = Generic { function, activity, names, holes, table: &table, changed, again, float };
    generic.permits().then(|| generic.item())
}

/// A function over a float type of its own has no second one, nor has a method: its type is what it is.
fn base_name(function: &Function) -> Option<Ident> {
    match &function.base {
        Base::Concrete(name) if function.owner.is_none() => Some(name.clone()),
        _ => None,
    }
}

struct Generic<'a> {
    function: &'a Function,
    activity: &'a Activity,
    names: Names<'a>,
    holes: &'a Holes,
    table: &'a Table,
    changed: Vars,
    again: Vars,
    float: Ident,
}

impl Generic<'_> {
    fn info(&self, var: Var) -> &VarInfo {
        &self.function.vars[var.0 as usize]
    }

    /// Whether the variable is made of the generic number.
    fn lifted(&self, var: Var) -> bool {
        let parameter = self.function.params.iter().any(|p| p.var == var && p.active);
        parameter || self.activity.has_tangent(var)
    }

    // ---- what the types permit ----

    fn permits(&self) -> bool {
        let params = self.function.params.iter().filter(|p| p.active).all(|p| is_plain(&self.info(p.var).ty));
        let locals = (0..self.function.vars.len() as u32).map(Var);
        let locals = locals.filter(|v| self.lifted(*v)).all(|v| is_plain(&self.info(v).ty));
        let ret = syn::parse2(self.function.ret.clone()).is_ok_and(|ty| is_result(&describe(&ty, &self.function.base)));
        params && locals && ret && self.permits_block(&self.function.body) && self.permits_out(&self.function.result)
    }

    fn permits_out(&self, out: &Out) -> bool {
        match out {
            Out::Tuple(all) | Out::Array(all) => all.iter().all(|o| self.permits_out(o)),
            Out::Place(p) => self.lifted(p.root),
            Out::Float(Operand::Opaque(o)) => self.reads_floats(o),
            Out::Float(_) | Out::Unit => true,
            Out::Passive(_) => false,
        }
    }

    fn permits_block(&self, block: &Block) -> bool {
        block.stmts.iter().all(|s| self.permits_stmt(s) && blocks(s).into_iter().all(|b| self.permits_block(b)))
    }

    fn permits_stmt(&self, stmt: &Stmt) -> bool {
        let mut permitted = match stmt {
            Stmt::Let { expr: Expr::Call(_) | Expr::Tuple(_) | Expr::Struct(_) | Expr::Boxed(_), .. }
            | Stmt::Derived(_) => false,
            Stmt::Effect { writes, .. } => !writes.iter().any(|v| self.lifted(*v)),
            _ => self.permits_parts(stmt),
        };
        each_opaque(stmt, &mut |o| permitted &= self.reads_floats(o));
        permitted
    }

    /// Whether the aggregates that an aggregate is made of are made of the generic number, if it is.
    fn permits_parts(&self, stmt: &Stmt) -> bool {
        let part = |o: &Operand, ty: &Ty| match o {
            Operand::Place(p) => *ty == Ty::Float || self.lifted(p.root),
            Operand::Opaque(_) => *ty == Ty::Float,
        };
        let inner = |ty: &Ty| element(ty, &[Proj::Index(Opaque::literal(quote!(0)))]);
        match stmt {
            Stmt::Let { var, expr } if self.lifted(*var) => {
                let ty = &self.info(*var).ty;
                match expr {
                    Expr::Operand(o) => part(o, ty),
                    Expr::Array(all) | Expr::VecOf(all) => all.iter().all(|o| part(o, &inner(ty))),
                    Expr::Repeat { value, .. } | Expr::VecRepeat { value, .. } => part(value, &inner(ty)),
                    Expr::ToVec(p) | Expr::Pop(p) => self.lifted(p.root),
                    Expr::Opaque(_) => *ty == Ty::Float,
                    _ => true,
                }
            }
            Stmt::Assign { place, value, .. } if self.lifted(place.root) => {
                part(value, &element(&self.info(place.root).ty, &place.path))
            }
            Stmt::Swap { a, b, .. } => self.lifted(a.root) == self.lifted(b.root),
            Stmt::Push { place, value, .. } if self.lifted(place.root) => {
                part(value, &inner(&element(&self.info(place.root).ty, &place.path)))
            }
            _ => true,
        }
    }

    /// Whether all active values that tokens read are single floats.
    fn reads_floats(&self, o: &Opaque) -> bool {
        o.reads.iter().all(|v| !self.lifted(*v) || self.info(*v).ty == Ty::Float)
    }

    // ---- the item ----

    fn item(&self) -> String {
        let params: String = self.function.params.iter().map(|p| self.param(p)).collect();
        let generics = &self.function.generics;
        let types = generics.params.iter().filter(|p| !matches!(p, syn::GenericParam::Lifetime(_)));
        let lifetimes = generics.lifetimes().map(ToTokens::to_token_stream);
        let own: String =
            lifetimes.chain(types.map(ToTokens::to_token_stream)).map(|p| self.holes.put(p) + ", ").collect();
        let bounds = generics.where_clause.as_ref().map(|w| self.holes.put(w.to_token_stream())).unwrap_or_default();
        let (float, ret) = (&self.float, self.over(self.function.ret.clone()));
        let (body, result) = (self.block(&self.function.body), self.out(&self.function.result));
        let items: String = self.function.items.iter().map(|item| self.holes.put(item.clone())).collect();
        format!(
            "/// The function over any number type.
             #[doc(hidden)]
             pub fn __primal<{own} Number: __d::Real<Base = {float}>>({params}) -> {ret} {bounds} {{
                 {items}
                 {body}
                 {result}
             }}"
        )
    }

    fn param(&self, param: &Param) -> String {
        let by_value = param.passing == Passing::Value && self.info(param.var).mutable;
        let ty = if param.active { self.over(param.full.clone()) } else { self.holes.ty(&param.full) };
        format!("{}{}: {ty}, ", if by_value { "mut " } else { "" }, self.name(param.var))
    }

    /// A type with the generic number in place of the float.
    fn over(&self, tokens: TokenStream) -> String {
        self.holes.ty(&self.lift(tokens))
    }

    fn lift(&self, tokens: TokenStream) -> TokenStream {
        tokens
            .into_iter()
            .map(|tree| match tree {
                TokenTree::Ident(i) if i == self.float => TokenTree::Ident(Ident::new("Number", i.span())),
                TokenTree::Group(g) => TokenTree::Group(Group::new(g.delimiter(), self.lift(g.stream()))),
                other => other,
            })
            .collect()
    }

    fn name(&self, var: Var) -> &str {
        self.names.get(var)
    }

    // ---- values ----

    /// Passive tokens: active floats are read by value, or compared as they are.
    fn opaque(&self, o: &Opaque) -> String {
        match o.reads.iter().any(|var| self.is_number(*var)) {
            true => parts(&o.tokens).iter().map(|part| self.part(part)).collect::<Vec<_>>().join(" "),
            false => self.tokens(&o.tokens),
        }
    }

    /// A part of a condition.
    fn part(&self, part: &Part) -> String {
        match part {
            Part::Comparison(left, sign, right) => match (self.side(left), self.side(right)) {
                (Some((left, a)), Some((right, b))) if a || b => format!("{left} {sign} {right}"),
                _ => format!("{} {sign} {}", self.tokens(left), self.tokens(right)),
            },
            Part::Word(word) => (*word).to_owned(),
            Part::Nested(all) => format!("({})", all.iter().map(|part| self.part(part)).collect::<Vec<_>>().join(" ")),
            Part::Other(tokens) => self.tokens(tokens),
        }
    }

    /// One side of a comparison as a generic number, and whether it is an active one: a variable, or tokens that read none.
    fn side(&self, tokens: &TokenStream) -> Option<(String, bool)> {
        let numbers = self.numbers(tokens.clone());
        match &numbers[..] {
            [] => Some((format!("<Number as __d::Real>::from_base({})", self.tokens(tokens)), false)),
            [var] if tokens.clone().into_iter().count() == 1 => Some((self.place(&Place::var(*var)), true)),
            _ => None,
        }
    }

    /// The active floats that tokens read.
    fn numbers(&self, tokens: TokenStream) -> Vec<Var> {
        let of = |tree| match tree {
            TokenTree::Ident(word) => self.names.placeholder(&word.to_string()).into_iter().collect(),
            TokenTree::Group(group) => self.numbers(group.stream()),
            _ => Vec::new(),
        };
        tokens.into_iter().flat_map(of).filter(|var| self.is_number(*var)).collect()
    }

    fn is_number(&self, var: Var) -> bool {
        self.lifted(var) && self.info(var).ty == Ty::Float
    }

    fn tokens(&self, tokens: &TokenStream) -> String {
        self.holes.tokens(tokens, &|word| {
            let var = self.names.placeholder(word)?;
            let name = self.name(var);
            Some(match self.is_number(var) {
                true if self.table.is_ref(var) => format!("(&__d::Real::observe(*{name}))"),
                true => format!("(__d::Real::observe({name}))"),
                false => name.to_owned(),
            })
        })
    }

    fn place(&self, place: &Place) -> String {
        let root = self.name(place.root);
        match self.table.is_ref(place.root) && place.path.is_empty() {
            true => format!("(*{root})"),
            false => path(root, place, false, |o| self.opaque(o)),
        }
    }

    /// A value for a place that is made of the generic number, or for one that is not.
    fn value(&self, o: &Operand, lifted: bool) -> String {
        match o {
            Operand::Place(p) => {
                let place = self.place(p);
                let float = element(&self.info(p.root).ty, &p.path) == Ty::Float;
                match (self.lifted(p.root), float) {
                    (own, true) if own == lifted => place,
                    (true, true) => format!("__d::Real::observe({place})"),
                    (false, true) => format!("<Number as __d::Real>::from_base({place})"),
                    _ => format!("::core::clone::Clone::clone(&{place})"),
                }
            }
            Operand::Opaque(o) if lifted => format!("<Number as __d::Real>::from_base({})", self.opaque(o)),
            Operand::Opaque(o) => {
                let value = self.opaque(o);
                if is_word(&value) { value } else { format!("({value})") }
            }
        }
    }

    fn op(&self, op: &Op, args: &[Operand], lifted: bool) -> String {
        let last = args.len().saturating_sub(1);
        let passive = matches!(op, Op::Fn("powi"));
        let values: Vec<String> =
            args.iter().enumerate().map(|(k, a)| self.value(a, lifted && !(passive && k == last))).collect();
        match (op, &values[..]) {
            (Op::Neg | Op::Fn("neg"), [a]) => format!("-{a}"),
            (Op::Add | Op::Fn("add"), [a, b]) => format!("{a} + {b}"),
            (Op::Sub | Op::Fn("sub"), [a, b]) => format!("{a} - {b}"),
            (Op::Mul | Op::Fn("mul"), [a, b]) => format!("{a} * {b}"),
            (Op::Div | Op::Fn("div"), [a, b]) => format!("{a} / {b}"),
            (Op::Fn("rem"), [a, b]) => format!("{a} % {b}"),
            (Op::Fn(method), all) => match lifted {
                true => format!("<Number as __d::Real>::{method}({})", all.join(", ")),
                false => format!("<{}>::{method}({})", self.float, all.join(", ")),
            },
            _ => unreachable!("an operation has as many operands as it takes"),
        }
    }

    fn expr(&self, var: Var, expr: &Expr) -> String {
        let lifted = self.lifted(var);
        let list = |all: &[Operand]| all.iter().map(|o| self.value(o, lifted) + ", ").collect::<String>();
        match expr {
            Expr::Operand(o) => self.value(o, lifted),
            Expr::Op { op, args, .. } => self.op(op, args, lifted),
            Expr::Array(all) => format!("[{}]", list(all)),
            Expr::VecOf(all) => format!("::std::vec![{}]", list(all)),
            Expr::Repeat { value, len } => format!("[{}; {}]", self.value(value, lifted), self.opaque(len)),
            Expr::VecRepeat { value, len } => {
                format!("::std::vec![{}; {}]", self.value(value, lifted), self.opaque(len))
            }
            Expr::Scratch { len } => {
                let zero = if lifted { "<Number as __d::Real>::from_base(0.0)" } else { "0.0" };
                format!("::std::vec![{zero}; {}]", self.opaque(len))
            }
            Expr::VecNew(_) => "::std::vec::Vec::new()".to_owned(),
            Expr::Pop(p) => format!("{}.pop().expect(\"an element\")", self.place(p)),
            Expr::ToVec(p) => format!("{}.to_vec()", self.place(p)),
            Expr::Opaque(o) if lifted && self.info(var).ty == Ty::Float => {
                self.value(&Operand::Opaque(o.clone()), true)
            }
            Expr::Opaque(o) => self.opaque(o),
            Expr::Call(_)
            | Expr::Tuple(_)
            | Expr::Struct(_)
            | Expr::Boxed(_)
            | Expr::Zero
            | Expr::Fresh { .. }
            | Expr::If { .. } => {
                unreachable!("the types did not permit it")
            }
        }
    }

    fn out(&self, out: &Out) -> String {
        match out {
            Out::Float(o) => self.value(o, true),
            Out::Place(p) if p.path.is_empty() && !self.table.is_ref(p.root) => self.place(p),
            Out::Place(p) => format!("::core::clone::Clone::clone(&{})", self.place(p)),
            Out::Tuple(all) => format!("({})", all.iter().map(|o| self.out(o) + ", ").collect::<String>()),
            Out::Array(all) => format!("[{}]", all.iter().map(|o| self.out(o) + ", ").collect::<String>()),
            Out::Passive(o) => self.opaque(o),
            Out::Unit => "()".to_owned(),
        }
    }

    // ---- statements ----

    fn block(&self, block: &Block) -> String {
        block.stmts.iter().map(|s| self.stmt(s)).collect()
    }

    fn annotation(&self, var: Var) -> String {
        let info = self.info(var);
        match (&info.ty, self.lifted(var), &info.written) {
            (Ty::Float, true, _) => ": Number".to_owned(),
            (Ty::Float, false, _) => format!(": {}", self.float),
            (_, true, Some(written)) => format!(": {}", self.over(written.clone())),
            (_, false, Some(written)) => format!(": {}", self.holes.ty(written)),
            _ => String::new(),
        }
    }

    fn stmt(&self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Let { var, expr } => {
                let (name, ty) = (self.name(*var), self.annotation(*var));
                let mutable = if self.changed.contains(var) { "mut " } else { "" };
                format!("let {mutable}{name}{ty} = {};", self.expr(*var, expr))
            }
            Stmt::Declare { var } => {
                let mutable = if self.again.contains(var) { "mut " } else { "" };
                format!("let {mutable}{}{};", self.name(*var), self.annotation(*var))
            }
            Stmt::Assign { place, op, value, .. } => {
                let passive = self.info(place.root).ty == Ty::Passive && place.path.is_empty();
                let value = match value {
                    Operand::Opaque(o) if passive => self.opaque(o),
                    other => self.value(other, self.lifted(place.root)),
                };
                let op = match op {
                    Assign::Set => "=",
                    Assign::Add => "+=",
                    Assign::Sub => "-=",
                };
                format!("{} {op} {value};", self.place(place))
            }
            Stmt::Push { place, value, .. } => {
                format!("{}.push({});", self.place(place), self.value(value, self.lifted(place.root)))
            }
            Stmt::Swap { a, b, .. } => super::statement::swap(a, b, |p| self.place(p), |o| self.opaque(o)),
            Stmt::If { cond, then, els } => {
                format!("if {} {{ {} }} else {{ {} }}", self.opaque(cond), self.block(then), self.block(els))
            }
            Stmt::Switch { scrutinee, arms } => {
                let arms: String = arms.iter().map(|arm| self.arm(arm)).collect();
                format!("match {} {{ {arms} }}", self.opaque(scrutinee))
            }
            Stmt::For(on) => self.counted(on),
            Stmt::While { prelude, cond, body, .. } => {
                let (prelude, cond, body) = (self.block(prelude), self.opaque(cond), self.block(body));
                format!("loop {{ {prelude} if !({cond}) {{ break; }} {body} }}")
            }
            Stmt::Effect { tokens, .. } => format!("{};", self.opaque(tokens)),
            Stmt::Derived(_) => String::new(),
        }
    }

    fn arm(&self, arm: &Arm) -> String {
        let named = |word: &str| Some(self.name(self.names.placeholder(word)?).to_owned());
        let guard = arm.guard.as_ref().map(|g| format!("if {}", self.opaque(g))).unwrap_or_default();
        format!("{} {guard} => {{ {} }}", self.holes.tokens(&arm.pattern, &named), self.block(&arm.body))
    }

    fn counted(&self, on: &For) -> String {
        let (var, lo, hi) = (self.name(on.var), self.opaque(&on.lo), self.opaque(&on.hi));
        let dots = if on.inclusive { "..=" } else { ".." };
        let step = on.step.as_ref().map(|s| format!(".step_by({})", self.opaque(s))).unwrap_or_default();
        let down = if on.down { ".rev()" } else { "" };
        let leave = on.until.map(|flag| format!("if {} {{ break; }}", self.name(flag))).unwrap_or_default();
        format!("for {var} in ({lo}{dots}{hi}){step}{down} {{ {} {leave} }}", self.block(&on.body))
    }
}

/// What such a function may return: tuples as well.
fn is_result(ty: &Ty) -> bool {
    match ty {
        Ty::Tuple(all) => all.iter().all(is_result),
        ty => is_plain(ty),
    }
}

/// Floats, and containers of floats.
fn is_plain(ty: &Ty) -> bool {
    match ty {
        Ty::Float => true,
        Ty::Vec(e) | Ty::Array(e) | Ty::Slice(e) => is_plain(e),
        Ty::Passive | Ty::Tuple(_) | Ty::Struct(_) | Ty::Opaque | Ty::Library => false,
    }
}
