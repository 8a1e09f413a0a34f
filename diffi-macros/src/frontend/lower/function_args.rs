//! Functions that calls are handed: closures become functions of what they capture, with derivative code of their own.
//!
//! `integrate(|t| a * t, 0.0, b)` is a call with one argument more, `a`: for all passes it is an argument like others. The closure
//! is lowered as a function whose first parameters are its captures, and written where it stands: rustc finds the types.

use crate::frontend::lower::calls::{is_associated, last_name};
use crate::frontend::lower::function_values::is_function_path;
use crate::frontend::lower::patterns::Mode;
use crate::frontend::projections::passing::parameters;
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Closure, Refs, Value};
use crate::frontend::syntax::pattern_names::names_of;
use crate::frontend::syntax::{effects, types, writes};
use crate::ir::formulas::Formulas;
use crate::ir::visit::{Access, Vars, Visit, touched};
use crate::ir::*;
use crate::support::names;
use crate::support::options::Options;
use crate::support::syntax::{has_return, is_box, strip_parens};
use proc_macro2::{Ident, Span};
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::visit::Visit as _;

impl Lower {
    /// The parameter that is called, if it is one.
    pub fn parameter_called(&self, function: &syn::Expr) -> Option<Var> {
        match strip_parens(function) {
            syn::Expr::Path(p) => match self.scope.get(p.path.get_ident()?)? {
                Value::Function { var, .. } => Some(*var),
                _ => None,
            },
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.parameter_called(&u.expr),
            _ => None,
        }
    }

    /// A call of a parameter that is a function.
    pub fn parameter_call(&mut self, var: Var, mut args: Vec<CallArg>, handed: Vec<FunctionArg>, span: Span) -> Value {
        let inputs =
            self.functions.iter().find(|(f, _)| *f == var).map(|(_, ty)| ty.inputs.clone()).unwrap_or_default();
        for (arg, ty) in args.iter_mut().zip(&inputs) {
            // an exclusive reference that is passed for a shared one: what it refers to may change later
            if let (CallArg::Mut(place), syn::Type::Reference(r)) = (&*arg, ty)
                && r.mutability.is_none()
            {
                *arg = CallArg::Ref(place.clone());
            }
        }
        let lent = args.iter().filter_map(|a| match a {
            CallArg::Lent(o) => o.reads.iter().next().copied(),
            _ => None,
        });
        lent.collect::<Vec<Var>>().into_iter().for_each(|root| self.activate_lent(root, span));
        if args.iter().any(|a| !matches!(a, CallArg::Passive(_) | CallArg::Lent(_))) {
            self.asked.insert(var);
        }
        let name = &self.info(var).name;
        let (written, callee) = (quote!(#name), Callee::Parameter(var));
        self.result_of(Call { handed, ..Call::new(callee, written, args) }, "value", span)
    }

    /// The arguments of a call; the functions among them come with their code, and what they capture stands last.
    pub fn call_args<'e>(
        &mut self,
        written: impl Iterator<Item = &'e syn::Expr>,
        first: Vec<CallArg>,
    ) -> (Vec<CallArg>, Vec<FunctionArg>) {
        let (mut args, mut captured, mut handed) = (first, Vec::new(), Vec::new());
        let written: Vec<&syn::Expr> = written.collect();
        let until = self.last_change(&written);
        for (k, arg) in written.into_iter().enumerate() {
            match self.handed(arg) {
                None => {
                    let value = self.call_arg(arg);
                    args.push(if k < until { self.argument_now(value, arg) } else { value });
                }
                Some((tokens, code, captures)) => {
                    handed.push((args.len(), code, captures.len()));
                    args.push(CallArg::Passive(tokens));
                    captured.extend(captures);
                }
            }
        }
        let mut from = args.len();
        args.extend(captured);
        let mut located = Vec::new();
        for (at, mut code, count) in handed {
            if let FunctionArgCode::Closure { captures, .. } = &mut code {
                *captures = from..from + count;
            }
            from += count;
            located.push(FunctionArg { at, code });
        }
        (args, located)
    }

    /// An argument that is a function: its tokens, its code, and what it captures.
    fn handed(&mut self, arg: &syn::Expr) -> Option<(PassiveCode, FunctionArgCode, Vec<CallArg>)> {
        match strip_parens(arg) {
            syn::Expr::Reference(r) => {
                let (passive, code, captures) = self.handed(&r.expr)?;
                let (exclusive, tokens) = (&r.mutability, &passive.tokens);
                Some((PassiveCode { tokens: quote!(&#exclusive #tokens), ..passive.clone() }, code, captures))
            }
            syn::Expr::Closure(c) => {
                let closure = self.closure(c);
                Some(self.handed_closure(&closure))
            }
            syn::Expr::Path(p) => match p.path.get_ident().and_then(|name| self.scope.get(name)).cloned() {
                Some(Value::Closure(c)) => Some(self.handed_closure(&c)),
                Some(value @ Value::Function { var, .. }) => {
                    self.asked.insert(var);
                    Some((self.show(&value, arg.span()), FunctionArgCode::Parameter(var), Vec::new()))
                }
                Some(_) => None,
                None if is_function_path(p) => {
                    let tokens = PassiveCode { span: arg.span(), ..PassiveCode::literal(quote!(#p)) };
                    let Value::Closure(closure) = self.item_function(p.clone()) else { return None };
                    let (_, code, captures) = self.handed_closure(&closure);
                    Some((tokens, code, captures))
                }
                None => None,
            },
            syn::Expr::Call(c) if is_box(c) => {
                let (passive, code, captures) = self.handed(&c.args[0])?;
                let (function, tokens) = (&c.func, &passive.tokens);
                Some((PassiveCode { tokens: quote!(#function(#tokens)), ..passive.clone() }, code, captures))
            }
            e => match self.function_value(e)? {
                Value::Closure(c) => Some(self.handed_closure(&c)),
                _ => None,
            },
        }
    }

    fn handed_closure(&mut self, closure: &Closure) -> (PassiveCode, FunctionArgCode, Vec<CallArg>) {
        let code = &closure.code;
        // derivative code needs what the closure takes along
        let borrowing = syn::ExprClosure { capture: None, ..code.clone() };
        let tokens = self.passive_code_in(&closure.scope, &syn::Expr::Closure(borrowing));
        let own: Vec<Ident> = code.inputs.iter().flat_map(names_of).collect();
        let written = effects::of_expr(&closure.scope, &code.body).writes;
        let written: Vec<Ident> = written.into_iter().filter(|name| !own.contains(name)).collect();
        let active = self.mentions_active(&tokens);
        let unknown = FunctionArgCode::Unknown(code.inputs.len());
        if let Some(name) = written.first() {
            if active {
                let found = format!("a closure that changes `{name}`, handed to another function");
                self.errors.changing_closure(code.span(), &found, "return the value instead, or write the loop here");
            }
            return (tokens, unknown, Vec::new());
        }
        let errors = std::mem::take(&mut self.errors);
        let (items, found) = (self.items.len(), self.found.clone());
        let function = self.closure_function(closure);
        let own = std::mem::replace(&mut self.errors, errors);
        if !own.is_empty() && !active {
            self.items.truncate(items);
            self.found = found;
            return (tokens, unknown, Vec::new());
        }
        self.errors.extend(own);
        let captures = function.params.iter().filter(|p| p.captured).map(|p| match p.active {
            true => CallArg::Ref(Place::var(p.var)),
            false => CallArg::Passive(PassiveCode::var(p.var, self.info(p.var))),
        });
        let captures: Vec<CallArg> = captures.collect();
        let function = Rc::new(function);
        (tokens, FunctionArgCode::Closure { function, captures: 0..0 }, captures)
    }

    /// A closure as a function: its captures are its first parameters.
    fn closure_function(&mut self, closure: &Closure) -> Function {
        let (code, mark) = (&closure.code, Var(self.vars.len() as u32));
        let scope = std::mem::replace(&mut self.scope, closure.scope.clone());
        let options = std::mem::take(&mut self.options);
        let Options { reassociate, vector_math, .. } = options;
        let jumps = std::mem::take(&mut self.jumps);
        let write_backs = std::mem::take(&mut self.write_backs);
        self.open.push(Block::default());
        self.inlining += 1;
        if self.inlining > 64 {
            self.errors.changing_closure(
                code.span(),
                "a closure that calls itself",
                "write it as an annotated function",
            );
        }
        let own: Vec<Param> =
            code.inputs.iter().enumerate().map(|(k, p)| self.closure_param(k, p, &code.body)).collect();
        let result = match self.inlining > 64 {
            true => Output::Unit,
            false => self.closure_result(code),
        };
        self.inlining -= 1;
        let mut body = self.open.pop().expect("it was pushed");
        self.tidy_flags(&mut body, &result);
        (self.scope, self.options, self.jumps, self.write_backs) = (scope, options, jumps, write_backs);
        let captured = self.captures_of(&body, &result, mark);
        let params = captured.into_iter().chain(own).collect();
        Function {
            name: Ident::new("closure", code.or1_token.span),
            owner: None,
            generics: syn::Generics::default(),
            base: self.base.clone(),
            projected: None,
            params,
            ret: quote!(_),
            listed: false,
            vars: self.vars.clone(),
            items: Vec::new(),
            checks: Vec::new(),
            body,
            result,
            formulas: Formulas::default(),
            reassociate,
            vector_math,
        }
    }

    /// The variables of the function around that a closure's body touches, as parameters that callers do not write.
    fn captures_of(&self, body: &Block, result: &Output, mark: Var) -> Vec<Param> {
        let mut found: Vars = touched(&body.stmts, &[Access::Read, Access::Shape, Access::Write, Access::Define]);
        Visit(&mut |v, _| {
            found.insert(v);
        })
        .out(result);
        functions_of(body, &mut |v| {
            found.insert(v);
        });
        let outer = found.into_iter().filter(|v| *v < mark);
        outer.map(|var| self.captured_param(var)).collect()
    }

    fn captured_param(&self, var: Var) -> Param {
        let active = self.fact(var).active && self.info(var).ty != Ty::Passive;
        let number = self.info(var).ty == Ty::Float;
        let function = self.functions.iter().find(|(f, _)| *f == var).map(|(_, ty)| ty.clone());
        let passing = if active && !number { Passing::Ref } else { Passing::Value };
        Param { captured: true, function, ..inferred(var, passing, active) }
    }

    /// A parameter of a closure, whose type may stand elsewhere: its use tells what it may be, and rustc whether it is.
    fn closure_param(&mut self, k: usize, pattern: &syn::Pat, body: &syn::Expr) -> Param {
        if let syn::Pat::Type(p) = pattern {
            return self.param(k, p, &syn::Generics::default());
        }
        let (bare, reference) = match pattern {
            syn::Pat::Reference(r) => (&*r.pat, true),
            p => (p, false),
        };
        let name = match bare {
            syn::Pat::Ident(p) if p.subpat.is_none() => Some(&p.ident),
            _ => None,
        };
        let used = name.map(|name| Uses::of(name, body)).unwrap_or_default();
        let (ty, passing) = match &used {
            Uses { written: true, indexed: true, .. } => (Ty::Slice(Box::new(Ty::Float)), Passing::Mut),
            Uses { written: true, .. } => (Ty::Unknown, Passing::Mut),
            Uses { indexed: true, .. } => (Ty::Slice(Box::new(Ty::Float)), Passing::Ref),
            Uses { counted: true, .. } => (Ty::Passive, Passing::Value),
            Uses { number: true, .. } => (Ty::Float, if reference { Passing::Ref } else { Passing::Value }),
            _ => (Ty::Unknown, if reference { Passing::Ref } else { Passing::Value }),
        };
        let hint = name.map_or_else(|| format!("arg{k}"), Ident::to_string);
        let (changes, active) = (passing == Passing::Mut, ty != Ty::Passive);
        let var = self.new_var(New { hint: &hint, span: pattern.span(), ty: ty.clone(), changes, site: None });
        let fact = self.fact_mut(var);
        (fact.active, fact.reference, fact.shape) = (active, passing != Passing::Value, ty);
        let mut value = self.value_of(var);
        if let (Value::Active(a), true) = (&mut value, changes) {
            a.refs.exclusive = true;
        }
        if used.counted && !active {
            let number = PassiveCode::var(var, self.info(var)).map(|n| quote!(let _ = __d::integer(#n);));
            self.emit(Stmt::Effect { tokens: number, writes: Default::default() });
        }
        match (name, reference && active) {
            (Some(name), true) => self.scope.bind(name, value.behind(Refs::default())),
            (Some(name), false) => self.scope.bind(name, value),
            (None, _) => {
                let mark = self.vars.len();
                self.bind_pattern(pattern, value, Mode::Alias { mark });
            }
        }
        inferred(var, passing, active)
    }

    /// The closure's body, and what it gives.
    fn closure_result(&mut self, code: &syn::ExprClosure) -> Output {
        let ty = match &code.output {
            syn::ReturnType::Type(_, ty) => types::describe(ty, &self.base),
            syn::ReturnType::Default => Ty::Unknown,
        };
        let span = code.body.span();
        let value = match has_return(&code.body) {
            true => self.returning(code, &code.body),
            false => self.active_value(&code.body),
        };
        self.closure_out(value, ty, span)
    }

    fn closure_out(&mut self, value: Value, ty: Ty, span: Span) -> Output {
        match value {
            Value::Tuple(all) => {
                let ty = |k: usize| match &ty {
                    Ty::Tuple(tys) => tys.get(k).cloned().unwrap_or(Ty::Unknown),
                    _ => Ty::Unknown,
                };
                let members = all.into_iter().enumerate().map(|(k, v)| match v {
                    Value::Passive(_) => self.out_of(v, &ty(k), span),
                    v => self.closure_out(v, ty(k), span),
                });
                Output::Tuple(members.collect())
            }
            Value::Passive(p) => Output::Passive(self.show(&Value::Passive(p).dereferenced_fully(), span)),
            Value::Active(a) if ty == Ty::Unknown && self.ty_of(&a.place) == Ty::Float => {
                Output::Float(Operand::Place(a.place))
            }
            value => self.out_of(value, &ty, span),
        }
    }
}

/// Passes on the parameters that are functions and that a block calls or hands on.
fn functions_of(block: &Block, f: &mut dyn FnMut(Var)) {
    for stmt in &block.stmts {
        if let Stmt::Let { expr: Expr::Call(call), .. } = stmt {
            call.functions().into_iter().for_each(&mut *f);
        }
        crate::ir::visit::blocks(stmt).into_iter().for_each(|b| functions_of(b, f));
    }
}

impl Call {
    /// The parameters that are functions and are called or handed on.
    pub fn functions(&self) -> Vec<Var> {
        let callee = match self.callee {
            Callee::Parameter(var) => Some(var),
            _ => None,
        };
        let inside = self.handed.iter().flat_map(|h| match &h.code {
            FunctionArgCode::Parameter(var) => vec![*var],
            FunctionArgCode::Closure { function, .. } => {
                function.params.iter().filter(|p| p.captured && p.function.is_some()).map(|p| p.var).collect()
            }
            FunctionArgCode::Unknown(_) => Vec::new(),
        });
        callee.into_iter().chain(inside).collect()
    }

    /// Whether an argument is not written in the call: a closure captures it.
    pub fn is_captured(&self, k: usize) -> bool {
        self.handed
            .iter()
            .any(|h| matches!(&h.code, FunctionArgCode::Closure { captures, .. } if captures.contains(&k)))
    }
}

/// How many parameters a function seems to have: those of numbers are known by their names, those of the user's by the source files around.
pub fn arity(p: &syn::ExprPath) -> usize {
    let scalar = |extra: &usize| names::scalar(&last_name(p), *extra).is_some() && is_associated(p);
    let known = p.path.segments.last().and_then(|last| parameters(&last.ident));
    (0..3).find(scalar).map(|extra| 1 + extra).or(known).unwrap_or(1)
}

/// What a closure does with a parameter whose type it does not write.
#[derive(Default)]
struct Uses {
    name: String,
    /// Something behind it is changed.
    written: bool,
    /// It has elements.
    indexed: bool,
    /// It is an index, an exponent, or cast to the float.
    counted: bool,
    /// Numbers are computed from it.
    number: bool,
}

impl Uses {
    fn of(name: &Ident, body: &syn::Expr) -> Self {
        let mut uses = Uses { name: name.to_string(), ..Uses::default() };
        uses.visit_expr(body);
        uses
    }

    fn is(&self, e: &syn::Expr) -> bool {
        match strip_parens(e) {
            syn::Expr::Path(p) => p.path.is_ident(&self.name),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.is(&u.expr),
            syn::Expr::Reference(r) => self.is(&r.expr),
            _ => false,
        }
    }

    /// In a sum, product or negation.
    fn is_term(&self, e: &syn::Expr) -> bool {
        match strip_parens(e) {
            syn::Expr::Binary(b) => self.is_term(&b.left) || self.is_term(&b.right),
            e => self.is(e),
        }
    }
}

impl<'a> syn::visit::Visit<'a> for Uses {
    fn visit_expr_index(&mut self, e: &'a syn::ExprIndex) {
        self.indexed |= self.is(&e.expr);
        self.counted |= self.is_term(&e.index);
        syn::visit::visit_expr_index(self, e);
    }

    fn visit_expr_range(&mut self, e: &'a syn::ExprRange) {
        self.counted |= e.start.iter().chain(&e.end).any(|e| self.is_term(e));
        syn::visit::visit_expr_range(self, e);
    }

    fn visit_expr_cast(&mut self, e: &'a syn::ExprCast) {
        let float = matches!(&*e.ty, syn::Type::Path(p) if p.path.is_ident("f64") || p.path.is_ident("f32"));
        self.counted |= float && self.is_term(&e.expr);
        syn::visit::visit_expr_cast(self, e);
    }

    fn visit_expr_assign(&mut self, e: &'a syn::ExprAssign) {
        self.assigned(&e.left);
        syn::visit::visit_expr_assign(self, e);
    }

    fn visit_expr_binary(&mut self, e: &'a syn::ExprBinary) {
        let integer =
            |e: &syn::Expr| matches!(strip_parens(e), syn::Expr::Lit(l) if matches!(&l.lit, syn::Lit::Int(_)));
        if writes::is_assignment(&e.op) {
            self.assigned(&e.left);
        }
        let (left, right) = (self.is(&e.left), self.is(&e.right));
        self.counted |= left && integer(&e.right) || right && integer(&e.left);
        self.number |= left || right;
        syn::visit::visit_expr_binary(self, e);
    }

    fn visit_expr_unary(&mut self, e: &'a syn::ExprUnary) {
        self.number |= matches!(e.op, syn::UnOp::Neg(_)) && self.is(&e.expr);
        syn::visit::visit_expr_unary(self, e);
    }

    fn visit_expr_method_call(&mut self, e: &'a syn::ExprMethodCall) {
        let name = e.method.to_string();
        if self.is(&e.receiver) {
            self.number |= names::scalar(&name, e.args.len()).is_some() || name == "sin_cos";
            self.indexed |= SEQUENCE.contains(&&*name);
            self.written |= writes::is_mutating(&name);
        }
        self.counted |= name == "powi" && e.args.first().is_some_and(|a| self.is_term(a));
        syn::visit::visit_expr_method_call(self, e);
    }
}

/// Methods of slices.
const SEQUENCE: &[&str] = &["iter", "iter_mut", "len", "windows", "chunks", "first", "last", "to_vec", "split_at"];

impl Uses {
    fn assigned(&mut self, left: &syn::Expr) {
        let behind = !matches!(strip_parens(left), syn::Expr::Path(_));
        self.written |= behind && writes::root_name(left).is_some_and(|n| *n == self.name);
    }
}

/// A parameter whose type rustc infers.
fn inferred(var: Var, passing: Passing, active: bool) -> Param {
    let ty = quote!(_);
    let (cache, receiver, captured, other_float, copies) = (false, false, false, false, false);
    let (list, copying, function) = (None, None, None);
    Param {
        var,
        full: ty.clone(),
        ty,
        passing,
        active,
        cache,
        receiver,
        captured,
        list,
        copying,
        function,
        other_float,
        copies,
    }
}
