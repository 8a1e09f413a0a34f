//! Methods that change a `Vec` or a slice, as assignments to its elements.

use crate::frontend::containers::sorting::SORTS;
use crate::frontend::lower::std_methods::Called;
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Value, over};
use crate::frontend::syntax::types;
use crate::ir::affine::{self, arithmetic, gathered};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::Span;
use quote::quote;
use syn::spanned::Spanned;

/// Methods that change their receiver, and that are known here; how many arguments they take.
const CHANGES: &[(&str, usize)] = &[
    ("push", 1),
    ("fill", 1),
    ("swap", 2),
    ("copy_from_slice", 1),
    ("clone_from_slice", 1),
    ("reverse", 0),
    ("rotate_left", 1),
    ("rotate_right", 1),
    ("extend_from_slice", 1),
    ("extend", 1),
    ("swap_with_slice", 1),
    ("copy_within", 2),
];

/// A passive value of a type that is written, and that is no sequence: its methods are the user's.
fn is_of_the_users(value: &Value) -> bool {
    matches!(value, Value::Passive(p) if p.ty == Ty::Unknown)
}

fn is_change(m: &syn::ExprMethodCall) -> bool {
    let known = CHANGES.iter().any(|(name, args)| m.method == name && m.args.len() == *args);
    known || !m.args.is_empty() && SORTS.iter().any(|name| m.method == name)
}

impl Lower {
    /// A change of a sequence in place; whether the method is one.
    pub fn change(&mut self, m: &syn::ExprMethodCall) -> bool {
        if !is_change(m)
            || self.is_chain(&m.receiver)
            || self.guess(&m.receiver) == Ty::Library
            || self.queue_named(&m.receiver).is_some()
        {
            return false;
        }
        let target = self.expr(&m.receiver);
        self.change_of(target, m)
    }

    /// The same for a receiver that is known.
    pub fn change_of(&mut self, target: Value, m: &syn::ExprMethodCall) -> bool {
        let name = m.method.to_string();
        let by_fields = !self.library && self.is_read_by_fields(&target, m);
        if !is_change(m) || is_of_the_users(&target) || by_fields || self.is_of_its_makers_type(&target, m) {
            return false;
        }
        match &target {
            Value::Active(a) => {
                let place = a.place.clone();
                self.change_active(target, place, &name, m);
            }
            Value::Passive(p) => match p.root.filter(|_| m.args.iter().any(|a| self.act(a).any())) {
                Some(root) => self.activate_by_store(root, m.span()),
                None => _ = self.passive_stmt(&syn::Expr::MethodCall(m.clone())),
            },
            Value::Poison => {}
            _ => self.errors.unknown_change(m.method.span(), &name),
        }
        true
    }

    /// Whether a method with active arguments is called on a value whose type is named where it is made, or as a parameter's.
    fn is_of_its_makers_type(&self, target: &Value, m: &syn::ExprMethodCall) -> bool {
        match target {
            Value::Active(a) => {
                let (ty, fact) = (self.ty_of(&a.place), self.fact(a.place.root));
                let named = fact.is_made() || fact.is_constructed() || fact.is_named() && !self.library;
                a.place.path.is_empty() && !types::is_sequence(&ty) && ty != Ty::Library && named
            }
            Value::Passive(p) => {
                let active = m.args.iter().any(|a| self.act(a).any());
                active && !types::is_sequence(&p.ty) && p.root.is_some_and(|root| self.fact(root).is_made())
            }
            _ => false,
        }
    }

    fn change_active(&mut self, target: Value, place: Place, name: &str, m: &syn::ExprMethodCall) {
        let span = m.span();
        self.only_method_of_std(&target, &Called::of(m));
        match name {
            "push" => {
                let value = self.active_value(&m.args[0]);
                self.push(place, value, span);
            }
            "fill" => {
                let value = self.expr(&m.args[0]);
                self.each(&target, span, &mut |l, element, _| l.store(element, value.clone(), span));
            }
            "swap" => {
                let (i, j) = (self.integer(&m.args[0]), self.integer(&m.args[1]));
                let a = self.element_of(target.clone(), i, span);
                let b = self.element_of(target, j, span);
                self.swap_places(a, b, span);
            }
            "copy_from_slice" | "clone_from_slice" => {
                let source = self.expr(&m.args[0]);
                self.each(&target, span, &mut |l, element, k| {
                    let value = l.element_of(source.clone(), k.clone(), span);
                    l.store(element, value, span);
                });
            }
            "extend_from_slice" | "extend" => self.extend(place, &m.args[0], span),
            "reverse" => self.reverse(&target, span),
            "rotate_left" | "rotate_right" => self.rotate(&target, name, &m.args[0], span),
            "swap_with_slice" => {
                let source = self.expr(&m.args[0]).dereferenced_fully();
                self.each(&target, span, &mut |l, element, k| {
                    let other = l.element_of(source.clone(), k.clone(), span);
                    l.swap_places(element, other, span);
                });
            }
            "copy_within" => self.copy_within(&target, m),
            _ => self.sort(&target, m),
        }
    }

    /// `place.push(value)`.
    pub fn push(&mut self, place: Place, value: Value, span: Span) {
        let value = self.component(&value, span);
        let element =
            Place { root: place.root, path: [place.path.clone(), vec![Proj::Index(affine::literal(0))]].concat() };
        match &value {
            Operand::Place(from) if self.doubt(from).is_some() => self.alike(&element, from),
            value => {
                let ty = self.element_ty(value);
                self.refine(&element, ty);
            }
        }
        self.info_mut(place.root).mutable = true;
        self.emit(Stmt::Push { place, value, span });
    }

    /// `place.extend(source)`.
    pub fn extend(&mut self, place: Place, source: &syn::Expr, span: Span) {
        let Some(chain) = self.chain(source) else { return };
        self.drive(&chain, None, &mut |l, item, _| l.push(place.clone(), item.dereferenced_fully(), span));
    }

    /// A loop over the elements of a sequence.
    pub fn each(&mut self, target: &Value, span: Span, f: &mut dyn FnMut(&mut Lower, Value, &PassiveCode)) {
        let len = self.length(target, span);
        self.count(len, span, &mut |l, k| {
            let element = l.element_of(target.clone(), k.clone(), span);
            f(l, element, k);
        });
    }

    /// `for k in 0..len`.
    pub fn count(&mut self, len: PassiveCode, span: Span, f: &mut dyn FnMut(&mut Lower, &PassiveCode)) {
        let hi = self.atom("n", len);
        let var = self.iteration(span);
        let k = PassiveCode::var(var, self.info(var));
        let (body, ()) = self.inside(|l| f(l, &k));
        let lo = affine::literal(0);
        self.emit(Stmt::For(For {
            var,
            lo,
            hi,
            inclusive: false,
            step: None,
            down: false,
            until: None,
            checkpoint: None,
            body,
        }));
    }

    /// A copy of a place's value now.
    pub fn snapshot(&mut self, value: Value, span: Span) -> Value {
        match value {
            Value::Active(a) => self.copy_of_place(a, "old", span),
            Value::Passive(p) => Value::passive(self.hold("old", p.passive)),
            Value::Tuple(all) => Value::Tuple(all.into_iter().map(|v| self.snapshot(v, span)).collect()),
            Value::Maybe(maybe) => self.option_now(maybe, span),
            other => other,
        }
    }

    fn reverse(&mut self, target: &Value, span: Span) {
        let len = self.length(target, span);
        let n = self.atom("n", len);
        let t = &n.tokens;
        let half = PassiveCode { tokens: quote!(#t / 2), ..n.clone() };
        self.count(half, span, &mut |l, k| {
            let mirror = arithmetic::sub(&arithmetic::sub(&n, &affine::literal(1)), k);
            let (a, b) = (l.element_of(target.clone(), k.clone(), span), l.element_of(target.clone(), mirror, span));
            l.swap_places(a, b, span);
        });
    }

    fn rotate(&mut self, target: &Value, name: &str, by: &syn::Expr, span: Span) {
        let by = self.integer(by);
        let len = self.length(target, span);
        let n = self.atom("n", len);
        let (t, b) = (&n.tokens, &by.tokens);
        let check = quote!(::core::assert!(#b <= #t););
        let check = gathered(check, [&n, &by].into_iter(), span);
        self.emit(Stmt::Effect { tokens: check, writes: Default::default() });
        let shift = if name == "rotate_left" { by } else { arithmetic::sub(&n, &by) };
        let old = self.copy_of(target, span);
        self.count(n.clone(), span, &mut |l, k| {
            let (i, s, t) = (&k.tokens, arithmetic::factor(&shift), &n.tokens);
            let from = gathered(quote!((#i + #s) % #t), [k, &shift, &n].into_iter(), span);
            let value = l.element_of(old.clone(), from, span);
            let element = l.element_of(target.clone(), k.clone(), span);
            l.store(element, value, span);
        });
    }

    fn copy_within(&mut self, target: &Value, m: &syn::ExprMethodCall) {
        let span = m.span();
        let old = self.copy_of(target, span);
        let syn::Expr::Range(r) = strip_parens(&m.args[0]) else {
            return self.errors.unknown_change(m.method.span(), "copy_within");
        };
        let lo = r.start.as_ref().map_or_else(|| affine::literal(0), |e| self.integer(e));
        let lo = self.frozen("lo", lo);
        let hi = match &r.end {
            Some(e) => self.integer(e),
            None => self.length(target, span),
        };
        let hi = match r.limits {
            syn::RangeLimits::Closed(_) => arithmetic::add(&hi, &affine::literal(1)),
            syn::RangeLimits::HalfOpen(_) => hi,
        };
        let to = self.integer(&m.args[1]);
        let to = self.frozen("to", to);
        self.count(arithmetic::sub(&hi, &lo), span, &mut |l, k| {
            let value = l.element_of(old.clone(), arithmetic::add(&lo, k), span);
            let element = l.element_of(target.clone(), arithmetic::add(&to, k), span);
            l.store(element, value, span);
        });
    }

    /// `array.map(f)`.
    pub fn map_array(&mut self, array: Value, like: Option<&Value>, function: &syn::Expr, span: Span) -> Value {
        let function = self.callee(function);
        self.made_array("mapped", like, span, &mut |l, k| {
            let from = l.element_of(array.clone(), k.clone(), span);
            l.apply(&function, vec![from])
        })
    }

    /// `std::array::from_fn(f)`: its length follows from what is done with it.
    pub fn array_from_fn(&mut self, path: &syn::ExprPath, function: &syn::Expr, span: Span) -> Value {
        self.only_of_std(path, &quote!(::core::array::from_fn::<f64, 1, fn(usize) -> f64>));
        let function = self.callee(function);
        self.made_array("made", None, span, &mut |l, k| {
            let k = l.integer_value(k.clone());
            l.apply(&function, vec![k])
        })
    }

    /// `slice.try_into().unwrap()`: an array, whose length follows from what is done with it.
    pub fn array_of_slice(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        let syn::Expr::MethodCall(into) = strip_parens(&m.receiver) else { return None };
        let unwraps = ["unwrap", "expect"].iter().any(|name| m.method == name);
        if !unwraps || into.method != "try_into" || !into.args.is_empty() || !self.act(&into.receiver).any() {
            return None;
        }
        let slice = self.untyped(&into.receiver);
        if !slice.is_active() || !types::is_sequence(&self.value_ty(&slice)) {
            return None;
        }
        let span = m.span();
        let array = self.made_array("made", None, span, &mut |l, k| l.element_of(slice.clone(), k.clone(), span));
        let (there, here) = (self.length(&slice, span), self.length(&array, span));
        let (n, size) = (&there.tokens, &here.tokens);
        let tokens = quote!(::core::assert!(#n == #size, "{} numbers for an array of {}", #n, #size););
        self.emit(Stmt::Effect { tokens: over(tokens, &[&there, &here]), writes: Default::default() });
        Some(array)
    }

    /// An array that is filled by its indices, as long as another one or as its use says.
    fn made_array(
        &mut self,
        hint: &str,
        like: Option<&Value>,
        span: Span,
        make: &mut dyn FnMut(&mut Lower, &PassiveCode) -> Value,
    ) -> Value {
        let var = self.new_var(New::temp(hint, span, Ty::Array(Box::new(Ty::Unknown))));
        self.fact_mut(var).changes = true;
        let target = self.value_of(var);
        let at = self.open.last().expect("a block is open").stmts.len();
        self.emit(Stmt::Declare { var });
        self.each(&target, span, &mut |l, element, k| {
            let value = make(l, k);
            l.store(element, value, span);
        });
        let Some(expr) = self.start_of_array(&types::element(&self.info(var).ty), like, span) else {
            self.errors.unsupported(span, "an array of such elements", "write the elements out, or collect a `Vec`");
            return Value::Poison;
        };
        self.open.last_mut().expect("it is open").stmts[at] = Stmt::Let { var, expr };
        target
    }

    /// What such an array holds before it is filled: a copy of the other array, if the elements are of one type as far as
    /// is known, and else zeros.
    fn start_of_array(&self, element: &Ty, like: Option<&Value>, span: Span) -> Option<Expr> {
        if let Some(Value::Active(a)) = like {
            let other = types::element(&self.ty_of(&a.place));
            if other == *element || *element == Ty::Unknown {
                return Some(Expr::Operand(Operand::Place(a.place.clone())));
            }
        }
        let zero = self.zero_of(element)?;
        let parameter = |v: &&Value| matches!(v, Value::Active(a) if self.fact(a.place.root).reference);
        let start = match like.filter(|v| !parameter(v)) {
            Some(like) => {
                let like = self.show(&like.clone().dereferenced_fully(), span);
                like.map(|t| quote!(__d::filled_like(#zero, &#t)))
            }
            None => PassiveCode { span, ..PassiveCode::literal(quote!(__d::filled(#zero))) },
        };
        Some(Expr::Passive(start))
    }

    /// Zeros of a type of numbers; what is not known to be anything else counts as one.
    fn zero_of(&self, ty: &Ty) -> Option<proc_macro2::TokenStream> {
        let (Base::Concrete(base) | Base::Generic(base)) = &self.base;
        match ty {
            Ty::Float | Ty::Unknown => Some(quote!(<#base as ::core::default::Default>::default())),
            Ty::Array(inner) => self.zero_of(inner).map(|zero| quote!(__d::filled(#zero))),
            Ty::Tuple(all) => {
                let zeros: Option<Vec<_>> = all.iter().map(|t| self.zero_of(t)).collect();
                zeros.map(|zeros| quote!((#(#zeros,)*)))
            }
            _ => None,
        }
    }
}
