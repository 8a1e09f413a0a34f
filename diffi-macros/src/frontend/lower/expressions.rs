//! Expressions: one operation per statement, passive ones in one piece.

use crate::frontend::lower::arithmetic::kept_sequence;
use crate::frontend::lower::{bindings, structs};
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::jumps::Dest;
use crate::frontend::state::value::{Passive, Value};
use crate::frontend::syntax::{bases, effects, types, writes};
use crate::ir::affine::{self, arithmetic};
use crate::ir::*;
use crate::support::syntax::{is_constant, macro_arguments, strip_parens, variant};
use proc_macro2::Span;
use quote::quote;
use std::rc::Rc;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

impl Lower {
    /// An expression's value; its statements go to the open block.
    pub fn expr(&mut self, expr: &syn::Expr) -> Value {
        let expr = strip_parens(expr);
        if let syn::Expr::Tuple(t) = expr {
            return self.tuple(t);
        }
        if let Some(function) = self.function_value(expr) {
            return function;
        }
        if self.is_passive(expr) && !matches!(expr, syn::Expr::Closure(_)) {
            return self.passive(expr);
        }
        if self.is_passive_effect(expr) {
            return self.passive_effect(expr);
        }
        self.active(expr)
    }

    /// Runs `f` where a value of this type is asked for.
    pub fn expecting<R>(&mut self, ty: Option<Ty>, f: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.jumps.expected, ty);
        let result = f(self);
        self.jumps.expected = outer;
        result
    }

    fn tuple(&mut self, t: &syn::ExprTuple) -> Value {
        if t.elems.is_empty() {
            return Value::Unit;
        }
        self.members(t, &mut |l, e| l.expr(e))
    }

    /// Each member where a value of its type is asked for.
    pub fn members(&mut self, t: &syn::ExprTuple, value: &mut dyn FnMut(&mut Self, &syn::Expr) -> Value) -> Value {
        let expected = |k: usize, all: &Option<Ty>| match all {
            Some(Ty::Tuple(all)) => all.get(k).cloned(),
            _ => None,
        };
        let tys = self.jumps.expected.clone();
        let all: Vec<&syn::Expr> = t.elems.iter().collect();
        Value::Tuple(self.in_order(&all, &mut |l, k, e| l.expecting(expected(k, &tys), |l| value(l, e))))
    }

    /// Whether an expression's parts are of other types than the whole.
    fn is_of_parts(expr: &syn::Expr) -> bool {
        use syn::Expr::*;
        matches!(expr, Unary(_) | Binary(_) | Cast(_) | Field(_) | Index(_) | Assign(_) | Repeat(_))
    }

    fn active(&mut self, expr: &syn::Expr) -> Value {
        if Self::is_of_parts(expr) && self.jumps.expected.is_some() {
            return self.expecting(None, |l| l.active(expr));
        }
        use syn::Expr::*;
        if matches!(expr, MethodCall(_) | Call(_) | Macro(_))
            && let Some(block) = self.arguments_first(expr)
        {
            return self.block_in_scope(&block, Dest::Value);
        }
        let span = || expr.span();
        match expr {
            Path(p) => self.named(p),
            Reference(r) => {
                let inner = self.expr(&r.expr);
                if let (Value::Active(a), true) = (&inner, r.mutability.is_some()) {
                    self.refuse_element(a.place.root, expr.span());
                }
                inner.borrowed(r.mutability.is_some())
            }
            Unary(u) => self.unary(u),
            Binary(b) if writes::is_assignment(&b.op) => self.assign_op(b),
            Binary(b) => self.binary(b),
            Assign(a) => self.assign_expr(a),
            Cast(c) => self.cast(c),
            Field(f) => self.field(f),
            Index(i) => self.indexed(i),
            Array(a) => self.array(a.elems.iter().collect(), span()),
            Repeat(r) => self.repeat(&r.expr, &r.len, false, span()),
            MethodCall(m) => self.method(m),
            Call(_) if self.is_chain(expr) => {
                let chain = self.chain(expr);
                chain.map_or(Value::Poison, |chain| Value::Chain(Rc::new(chain)))
            }
            Call(c) => self.call(c),
            Macro(m) => self.macro_value(&m.mac),
            If(_) | Match(_) => self.branches(expr),
            Block(b) => self.block_value(b),
            ForLoop(f) => self.for_loop(f),
            While(w) => self.while_loop(w),
            Loop(l) => self.endless_loop(l),
            Closure(c) => self.closure_literal(c),
            Return(r) => self.return_(r),
            Break(b) => self.break_(b),
            Continue(c) => self.continue_(c),
            Range(_) => self.refuse(span(), "a range with active bounds", "compute the bounds as integers"),
            Struct(s) => self.struct_literal(s),
            Unsafe(_) => self.refuse(span(), "`unsafe`", "write safe Rust"),
            RawAddr(_) => self.refuse(span(), "a raw pointer", "use a reference or an index"),
            Try(_) => self.refuse(span(), "`?`", "write the check out with `if` or `match`"),
            Await(_) | Async(_) => self.refuse(span(), "`async` code", "compute the value in an ordinary function"),
            Let(_) => self.refuse(span(), "`let` inside a longer condition on active values", "nest `if let` and `if`"),
            _ => self.refuse(span(), "this expression", "write it with arithmetic, indices, loops and calls"),
        }
    }

    /// Reports a construct that has no derivative.
    pub fn refuse(&mut self, span: Span, what: &str, instead: &str) -> Value {
        self.errors.unsupported(span, what, instead);
        Value::Poison
    }

    fn closure_literal(&mut self, c: &syn::ExprClosure) -> Value {
        Value::Closure(Rc::new(self.closure(c)))
    }

    fn named(&mut self, path: &syn::ExprPath) -> Value {
        let value = path.path.get_ident().and_then(|n| self.scope.get(n)).cloned();
        value.unwrap_or_else(|| Value::passive(self.passive_code(&syn::Expr::Path(path.clone()))))
    }

    /// A passive expression: what it is a place of stays known.
    pub fn passive(&mut self, expr: &syn::Expr) -> Value {
        match strip_parens(expr) {
            syn::Expr::Path(p) => self.named(p),
            syn::Expr::Reference(r) => {
                let inner = self.passive(&r.expr);
                inner.borrowed(r.mutability.is_some())
            }
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                let inner = self.passive(&u.expr);
                self.pointee(inner)
            }
            syn::Expr::Tuple(t) => self.tuple(t),
            syn::Expr::Field(f) => {
                let base = self.passive(&f.base);
                self.project(base, f, expr)
            }
            syn::Expr::Index(i) => match self.passive(&i.expr) {
                Value::Passive(base) => {
                    let ty = match strip_parens(&i.index) {
                        syn::Expr::Range(_) => base.ty.clone(),
                        _ => types::element(&base.ty),
                    };
                    let passive = self.passive_code(expr);
                    Value::Passive(Passive { passive, refs: Default::default(), ty, root: base.root })
                }
                _ => Value::passive(self.passive_code(expr)),
            },
            syn::Expr::Macro(m) if self.is_effect_macro(&m.mac) => self.macro_value(&m.mac),
            syn::Expr::Closure(c) => self.closure_literal(c),
            e => Value::passive_of(self.passive_code(e), self.structure(e)),
        }
    }

    fn project(&mut self, base: Value, f: &syn::ExprField, expr: &syn::Expr) -> Value {
        match (base.without_ref(), &f.member) {
            (Value::Tuple(all), syn::Member::Unnamed(i)) if (i.index as usize) < all.len() => {
                all[i.index as usize].clone()
            }
            (Value::Passive(base), member) => {
                let ty = match (&base.ty, member) {
                    (Ty::Tuple(all), syn::Member::Unnamed(i)) => all.get(i.index as usize).cloned(),
                    _ => None,
                };
                let passive = self.passive_code(expr);
                let ty = ty.unwrap_or(Ty::Passive);
                Value::Passive(Passive { passive, refs: Default::default(), ty, root: base.root })
            }
            (base @ Value::Active(_), member) => self.member(base, member, f.span()),
            _ => Value::passive(self.passive_code(expr)),
        }
    }

    /// The structure of a passive expression, where it is plain to see.
    fn structure(&self, expr: &syn::Expr) -> Ty {
        let inner = |e: Option<&syn::Expr>| Box::new(e.map_or(Ty::Passive, |e| self.structure(e)));
        match strip_parens(expr) {
            syn::Expr::Array(a) => Ty::Array(inner(a.elems.first())),
            syn::Expr::Repeat(r) => Ty::Array(inner(Some(&r.expr))),
            syn::Expr::Macro(m) if m.mac.path.is_ident("vec") => Ty::Vec(inner(first_of_vec(&m.mac).as_ref())),
            syn::Expr::MethodCall(m) if m.method == "to_vec" => Ty::Vec(Box::new(Ty::Passive)),
            syn::Expr::MethodCall(m) if m.method == "clone" => self.structure(&m.receiver),
            syn::Expr::Call(c) => match &*c.func {
                syn::Expr::Path(p) if p.path.segments.first().is_some_and(|s| s.ident == "Vec") => {
                    Ty::Vec(Box::new(Ty::Passive))
                }
                _ => self.guess(expr),
            },
            syn::Expr::Path(p) => match p.path.get_ident().and_then(|n| self.scope.get(n)) {
                Some(Value::Passive(p)) => p.ty.clone(),
                _ => Ty::Passive,
            },
            e if self.guess(e) == Ty::Library => Ty::Library,
            _ => Ty::Passive,
        }
    }

    /// A passive value whose computation changes passive variables (`queue.pop().unwrap()`).
    pub fn is_passive_effect(&self, expr: &syn::Expr) -> bool {
        if !matches!(expr, syn::Expr::MethodCall(_) | syn::Expr::Call(_)) || self.calls_closure(expr) {
            return false;
        }
        let effects = effects::of_expr(&self.scope, expr);
        let hidden = self.changes_in_arguments(expr) && self.mentions_active(&self.passive_code(expr));
        !effects.jumps && !hidden && !self.act(expr).any() && self.all_passive(&effects.writes)
    }

    /// Whether an argument (a closure, a `&mut`) changes something: what flows there is not known.
    fn changes_in_arguments(&self, expr: &syn::Expr) -> bool {
        let changes = |args: &syn::punctuated::Punctuated<syn::Expr, syn::Token![,]>| {
            args.iter().any(|a| !effects::of_expr(&self.scope, a).is_pure() || effects::assigns_in_closures(a))
        };
        match expr {
            syn::Expr::MethodCall(m) => changes(&m.args) || self.changes_in_arguments(&m.receiver),
            syn::Expr::Call(c) => changes(&c.args),
            _ => false,
        }
    }

    /// Whether all of these names stand for passive variables.
    pub fn all_passive(&self, names: &[proc_macro2::Ident]) -> bool {
        names.iter().all(|n| matches!(self.scope.get(n), Some(Value::Passive(_)) | None))
    }

    /// The variables at the root of these names.
    pub fn roots(&self, names: &[proc_macro2::Ident]) -> crate::ir::visit::Vars {
        let root = |n| match self.scope.get(n) {
            Some(Value::Passive(p)) => p.root,
            Some(Value::Active(a)) => Some(a.place.root),
            _ => None,
        };
        names.iter().filter_map(root).collect()
    }

    /// Whether a call involves passive values only.
    pub fn is_passive_call(&self, expr: &syn::Expr) -> bool {
        self.is_passive(expr) || self.is_passive_effect(expr)
    }

    /// A passive value whose computation changes passive variables.
    pub fn passive_effect(&mut self, expr: &syn::Expr) -> Value {
        let effects = effects::of_expr(&self.scope, expr);
        let mut writes = self.roots(&effects.writes);
        let var = self.new_var(New::temp("held", expr.span(), Ty::Passive));
        self.info_mut(var).carrier = true;
        self.fact_mut(var).given = true;
        let value = self.passive_code(expr);
        let (name, right) = (&self.info(var).name, &value.tokens);
        let tokens = PassiveCode { tokens: quote!(#name = #right;), ..value.clone() };
        for w in &writes {
            self.info_mut(*w).mutable = true;
        }
        if writes::holds_lent(expr) {
            self.fact_mut(var).lends = writes.first().copied();
        }
        writes.insert(var);
        self.emit(Stmt::Declare { var });
        self.emit(Stmt::Effect { tokens, writes });
        self.value_of(var)
    }

    fn cast(&mut self, c: &syn::ExprCast) -> Value {
        if matches!(*c.ty, syn::Type::Ptr(_)) {
            return self.refuse(c.span(), "a raw pointer", "use a reference or an index");
        }
        if let Some(count) = self.counted(c) {
            return count;
        }
        let value = self.expr(&c.expr);
        let to = types::describe(&c.ty, &self.base);
        let fixed = bases::is_of_fixed_float(&c.ty, &self.base);
        match (&value, to) {
            (Value::Active(_), Ty::Passive) if fixed => {
                let ty = &c.ty;
                self.errors.float_cast(c.span(), &quote!(#ty).to_string());
                Value::Poison
            }
            (Value::Active(_), Ty::Float) if self.is_used_as_integer(&value) => Value::Poison,
            (Value::Active(_), Ty::Float) => value.dereferenced_fully(),
            (Value::Active(_), Ty::Passive) | (Value::Passive(_), _) => {
                let inner = self.show(&value, c.span());
                let (tokens, ty) = (self.checked_part(&value, &inner), &c.ty);
                Value::passive(PassiveCode { tokens: quote!(#tokens as #ty), ..inner })
            }
            (Value::Poison, _) => Value::Poison,
            _ => {
                let ty = &c.ty;
                self.errors.float_cast(c.span(), &quote!(#ty).to_string());
                Value::Poison
            }
        }
    }

    /// `right.depth() as f64`, where a method of this name in the block gives no number with a derivative: rustc sees that it is
    /// an integer.
    fn counted(&mut self, c: &syn::ExprCast) -> Option<Value> {
        let syn::Expr::MethodCall(m) = strip_parens(&c.expr) else { return None };
        let passive = self.owner.as_ref()?.functions.get(&m.method.unraw().to_string())?.passive;
        let asked = self.asked_integer(&c.expr).filter(|_| passive)?;
        let (tokens, ty) = (&asked.tokens, &c.ty);
        Some(Value::passive(PassiveCode { tokens: quote!(#tokens as #ty), ..asked.clone() }))
    }

    fn field(&mut self, f: &syn::ExprField) -> Value {
        let base = self.expr(&f.base);
        self.member(base, &f.member, f.span())
    }

    /// `value.member`.
    pub fn member(&mut self, base: Value, member: &syn::Member, span: Span) -> Value {
        match (base.without_ref(), member) {
            (Value::Tuple(all), syn::Member::Unnamed(i)) if (i.index as usize) < all.len() => {
                all.into_iter().nth(i.index as usize).expect("it is in range")
            }
            (Value::Active(mut a), member) => {
                a.place.path.push(Proj::Field(member.clone()));
                self.part(a.place)
            }
            (Value::Passive(p), member) => {
                let base = arithmetic::factor(&p.passive);
                let ty = match place::member(&p.ty, member) {
                    Ty::Unknown => Ty::Passive,
                    known => known,
                };
                let passive = PassiveCode { tokens: quote!(#base.#member), ..p.passive };
                Value::Passive(Passive { passive, refs: Default::default(), ty, root: p.root })
            }
            (Value::Poison, _) => Value::Poison,
            _ => self.refuse(span, "this field", "bind the value to a name first"),
        }
    }

    /// A part of a place: passive if its type is known to be.
    pub fn part(&mut self, place: Place) -> Value {
        let ty = self.ty_of(&place);
        if types::is_passive(&ty) || self.is_passive_part(&place) {
            self.check_integer(&place);
            let passive = self.show_place(&place, Default::default());
            return Value::Passive(Passive { passive, refs: Default::default(), ty, root: Some(place.root) });
        }
        Value::place(place)
    }

    /// `[a, b, c]`.
    pub fn array(&mut self, elems: Vec<&syn::Expr>, span: Span) -> Value {
        let (args, ty) = self.elements(elems);
        Value::place(Place::var(self.bind("a", span, Ty::Array(Box::new(ty)), Expr::Array(args))))
    }

    /// Elements of an array or `vec!`, and the type they share.
    pub fn elements(&mut self, elems: Vec<&syn::Expr>) -> (Vec<Operand>, Ty) {
        let element = self.jumps.expected.as_ref().map(types::element);
        let (mut ty, mut passive) = (Ty::Unknown, Ty::Unknown);
        let mut args = Vec::new();
        let values = self.in_order(&elems, &mut |l, _, e| {
            let value = l.expecting(element.clone(), |l| l.active_value(e));
            l.without_slice(value, e.span())
        });
        for (e, value) in elems.iter().zip(values) {
            let arg = self.component(&value, e.span());
            match &arg {
                Operand::Place(p) => ty = types::join(ty, self.ty_of(p)),
                Operand::Passive(_) => passive = types::join(passive, self.value_ty(&value)),
                Operand::Made { .. } => {}
            }
            args.push(arg);
        }
        if ty == Ty::Unknown && matches!(passive, Ty::Vec(_)) {
            ty = bindings::floats(&passive);
        }
        if ty == Ty::Unknown {
            let mut shown = args.iter().filter_map(|arg| match arg {
                Operand::Passive(o) => self.shown_ty(o),
                _ => None,
            });
            ty = shown.next().unwrap_or(Ty::Unknown);
        }
        match ty {
            Ty::Unknown if args.iter().any(|a| matches!(a, Operand::Passive(_))) => ty = Ty::Float,
            Ty::Unknown | Ty::Float => {}
            _ => args.iter_mut().for_each(|arg| self.shape_row(arg, &ty)),
        }
        (args, ty)
    }

    /// A slice among elements is a copy of what it refers to: elements have a size.
    fn without_slice(&mut self, value: Value, span: Span) -> Value {
        match value {
            Value::Tuple(all) => Value::Tuple(all.into_iter().map(|v| self.without_slice(v, span)).collect()),
            Value::Active(a) if a.refs.depth > 0 && self.is_slice(&a.place) => self.vec_of(a.place, span),
            other => other,
        }
    }

    fn is_slice(&self, place: &Place) -> bool {
        matches!(self.ty_of(place), Ty::Slice(_)) || matches!(place.path.last(), Some(Proj::Range(..)))
    }

    /// A passive aggregate among active ones has a shadow like theirs.
    fn shape_row(&mut self, arg: &mut Operand, ty: &Ty) {
        if let Operand::Passive(o) = arg {
            let row = kept_sequence(o.clone(), ty);
            *arg = Operand::var(self.bind("row", o.span, ty.clone(), Expr::Passive(row)));
        }
    }

    /// An element's type: a passive element of an active aggregate is a float.
    pub fn operand_ty(&self, operand: &Operand) -> Ty {
        match operand {
            Operand::Place(p) => self.ty_of(p),
            _ => Ty::Float,
        }
    }

    /// `[value; len]`, `vec![value; len]`.
    pub fn repeat(&mut self, value: &syn::Expr, len: &syn::Expr, vec: bool, span: Span) -> Value {
        let value = self.active_value(value);
        let value = self.component(&value, span);
        if let Operand::Passive(o) = &value
            && affine::is_no_float(o)
        {
            let (one, len) = (&o.tokens, self.length_of(len));
            let tokens = len.map(|len| if vec { quote!(::std::vec![#one; #len]) } else { quote!([#one; #len]) });
            return Value::passive(PassiveCode { span, ..tokens });
        }
        let value = match value {
            Operand::Passive(o) if may_be_aggregate(&o) => {
                Operand::var(self.bind("one", span, Ty::Unknown, Expr::Operand(Operand::Passive(o))))
            }
            value => value,
        };
        let elem = Box::new(self.element_ty(&value));
        let len = self.length_of(len);
        let (ty, expr) = match vec {
            true => (Ty::Vec(elem), Expr::VecRepeat { value, len }),
            false => (Ty::Array(elem), Expr::Repeat { value, len }),
        };
        Value::place(Place::var(self.bind("a", span, ty, expr)))
    }

    /// How often a value is repeated, evaluated once.
    fn length_of(&mut self, len: &syn::Expr) -> PassiveCode {
        if self.changes_something(len) { self.integer(len) } else { self.passive_code(len) }
    }

    /// An expression's value, fit for an active variable: aggregates of passive numbers are
    /// taken apart, so that the compiler knows their shape.
    pub fn active_value(&mut self, expr: &syn::Expr) -> Value {
        let span = || expr.span();
        match strip_parens(expr) {
            syn::Expr::Array(a) => self.array(a.elems.iter().collect(), span()),
            syn::Expr::Repeat(r) => self.repeat(&r.expr, &r.len, false, span()),
            syn::Expr::Macro(m) if m.mac.path.is_ident("vec") => self.vec_macro(&m.mac),
            syn::Expr::Struct(s) => self.struct_literal(s),
            syn::Expr::Tuple(t) if !t.elems.is_empty() => self.members(t, &mut |l, e| l.active_value(e)),
            syn::Expr::Call(c) if self.constructor(c).is_some() => self.expr_constructed(c),
            syn::Expr::Path(p) if variant(&p.path).is_some() && !is_constant(&p.path) => self.unit_struct(p),
            syn::Expr::Call(c) if is_queue_call(c) => self.new_queue(c).unwrap_or(Value::Poison),
            syn::Expr::Call(c) if self.is_new_vec(c) => {
                let passive = self.passive_code(expr);
                let ty = Ty::Vec(Box::new(Ty::Unknown));
                Value::place(Place::var(self.bind("v", span(), ty, Expr::VecNew(passive))))
            }
            e => self.expr(e),
        }
    }

    /// The path of a struct or variant whose members a call gives; `Box::new` too.
    fn constructor<'c>(&self, c: &'c syn::ExprCall) -> Option<&'c syn::Path> {
        let syn::Expr::Path(p) = strip_parens(&c.func) else { return None };
        let free = p.path.get_ident().is_none_or(|n| self.scope.get(n).is_none());
        (free && (structs::is_constructor(&p.path) || is_box(&p.path, c))).then_some(&p.path)
    }

    fn expr_constructed(&mut self, c: &syn::ExprCall) -> Value {
        match self.constructor(c) {
            Some(path) if is_box(path, c) => self.boxed(&c.args[0], c.span()),
            Some(path) => self.tuple_struct(&path.clone(), c),
            None => Value::Poison,
        }
    }

    fn is_new_vec(&self, c: &syn::ExprCall) -> bool {
        let syn::Expr::Path(p) = &*c.func else { return false };
        let names: Vec<String> = p.path.segments.iter().map(|s| s.ident.to_string()).collect();
        matches!(names.iter().map(String::as_str).collect::<Vec<_>>()[..], ["Vec", "new" | "with_capacity"])
    }
}

fn is_box(path: &syn::Path, c: &syn::ExprCall) -> bool {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    c.args.len() == 1 && names.ends_with(&["Box".to_owned(), "new".to_owned()])
}

/// Whether tokens are a constant that may be a struct: `Vec3::ZERO`, `ORIGIN`.
fn may_be_aggregate(o: &PassiveCode) -> bool {
    let of_floats =
        |path: &syn::Path| path.segments.iter().any(|s| ["f64", "f32", "consts"].iter().any(|name| s.ident == name));
    match syn::parse2::<syn::Expr>(o.tokens.clone()) {
        Ok(syn::Expr::Path(p)) => p.qself.is_none() && is_constant(&p.path) && !of_floats(&p.path),
        _ => false,
    }
}

fn is_queue_call(c: &syn::ExprCall) -> bool {
    let syn::Expr::Path(p) = &*c.func else { return false };
    p.path.segments.iter().rev().nth(1).is_some_and(|s| s.ident == "VecDeque")
}

/// The first element of `vec![..]`, or the one that is repeated.
fn first_of_vec(mac: &syn::Macro) -> Option<syn::Expr> {
    macro_arguments(mac)?.into_iter().next()
}

impl Value {
    /// A tuple that is behind references, itself.
    pub fn without_ref(self) -> Value {
        match self {
            Value::Ref(inner) => inner.without_ref(),
            other => other,
        }
    }

    /// The value behind all references.
    pub fn dereferenced_fully(self) -> Value {
        self.behind(Default::default())
    }
}
