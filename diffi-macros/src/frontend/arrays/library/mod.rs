//! Arrays of libraries: operations whose rules rustc finds by the operands' types.
//!
//! Such an operation is a call: of `One`, `Two` or `Change`, with the operation itself as the first argument. A view is a copy of
//! the part that it shows; one that is written to is written back, at the end of the statement or of the iteration it was made in.

mod construction;
mod conversions;
mod elements;
mod known;
mod matrices;
mod matrix_methods;
mod methods;
mod new_matrices;
mod parts;
mod reshaped;
mod rewritten;
mod strided;

use crate::frontend::state::context::{Lower, Origin};
use crate::frontend::state::value::{Passive, Value};
use crate::frontend::syntax::types;
use crate::ir::*;
use crate::support::names;
use crate::support::syntax::strip_parens;
use known::{PARTS, constructor, view};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// A name of the library's runtime, spanned at the user's tokens.
fn library(name: &str, span: Span) -> TokenStream {
    let span = crate::support::tokens::resolved_here(span);
    let name = Ident::new(name, span);
    quote_spanned!(span=> __d::library::#name)
}

fn operation(name: &str, span: Span) -> TokenStream {
    let span = crate::support::tokens::resolved_here(span);
    let name = Ident::new(name, span);
    quote_spanned!(span=> __d::library::op::#name)
}

impl Lower {
    /// The type of an expression's value, as far as it can be told without lowering it: `Library`, `PassiveCode` if it may be one,
    /// anything else if it is none.
    pub fn guess(&self, expr: &syn::Expr) -> Ty {
        match strip_parens(expr) {
            syn::Expr::Path(p) => match p.path.get_ident().and_then(|n| self.scope.get(n)) {
                Some(Value::Active(a)) if self.is_named(&a.place) => Ty::Passive,
                Some(Value::Active(a)) => self.ty_of(&a.place),
                Some(Value::Passive(p)) => p.ty.clone(),
                _ => Ty::Passive,
            },
            syn::Expr::Reference(r) => self.guess(&r.expr),
            syn::Expr::Unary(u) if !matches!(u.op, syn::UnOp::Not(_)) => self.guess(&u.expr),
            syn::Expr::Index(i) => match strip_parens(&i.index) {
                syn::Expr::Range(_) => Ty::Passive,
                _ => types::element(&self.guess(&i.expr)),
            },
            syn::Expr::Binary(b) => match (self.guess(&b.left), self.guess(&b.right)) {
                (Ty::Library, _) | (_, Ty::Library) => Ty::Library,
                (Ty::Unknown, _) | (_, Ty::Unknown) => Ty::Unknown,
                _ => Ty::Passive,
            },
            syn::Expr::Macro(m) if m.mac.path.segments.last().is_some_and(|s| makes_array(&s.ident)) => Ty::Library,
            syn::Expr::Call(c) => match constructor(c) {
                Some(_) => Ty::Library,
                None if is_array_function(c) => Ty::Library,
                None => Ty::Unknown,
            },
            syn::Expr::MethodCall(m) if m.method == "map_collect" && elements::is_zip(&m.receiver) => Ty::Library,
            syn::Expr::MethodCall(m) if m.method == "collect" => collected(m),
            syn::Expr::MethodCall(m) => self.guess_method(m),
            syn::Expr::Field(_) => Ty::Unknown,
            _ => Ty::Passive,
        }
    }

    fn guess_method(&self, m: &syn::ExprMethodCall) -> Ty {
        let name = m.method.to_string();
        let same = ["view", "view_mut", "clone", "unwrap", "expect", "into_owned", "to_owned", "reborrow"];
        let receiver = self.guess(&m.receiver);
        match name.as_str() {
            "sum" | "mean" | "fold" | "to_vec" | "iter" | "iter_mut" | "into_iter" => Ty::Passive,
            _ if self.is_library_chain(m) => Ty::Passive,
            "dot" => Ty::Unknown,
            "map_mut" | "map_axis_mut" | "flatten_with_order" if receiver == Ty::Library => receiver,
            "map_axis" | "fold_axis" | "product_axis" | "pow2" | "abs_sub" | "cumprod" if receiver == Ty::Library => {
                receiver
            }
            name if receiver == Ty::Library && matrix_methods::gives_matrix(name) => receiver,
            "map_axis" | "fold_axis" => Ty::Unknown,
            "var_axis" | "std_axis" | "into_dyn" | "into_dimensionality" => receiver,
            "for_each" | "into_scalar" | "assign_to" | "split_at" => Ty::Passive,
            "as_slice" | "as_slice_mut" | "as_slice_memory_order" => Ty::Passive,
            "lu" | "full_piv_lu" | "qr" | "cholesky" | "l" | "solve" | "inverse" | "try_inverse" | "cross"
            | "normalize" => receiver,
            "mapv" | "map" | "mapv_into" => receiver,
            _ if same.contains(&name.as_str()) || view(m).is_some() => receiver,
            _ if receiver == Ty::Library && names::scalar(&name, m.args.len()).is_some() => Ty::Library,
            _ => Ty::Passive,
        }
    }

    /// Whether a method call may be one of an array.
    fn may_be_array(&self, expr: &syn::Expr) -> bool {
        self.library && matches!(self.guess(expr), Ty::Library | Ty::Unknown) && !self.is_chain(expr)
    }

    /// Whether an expression makes a view of an array.
    pub fn is_view_of_array(&self, expr: &syn::Expr) -> bool {
        let syn::Expr::MethodCall(m) = strip_parens(expr) else { return false };
        let view = known::BORROWED.iter().any(|name| m.method == name);
        view && self.library && self.guess(&m.receiver) == Ty::Library
    }

    /// How a call sees an argument that is a view of an array: made at the call, or bound before.
    pub fn seen_as(&self, arg: &syn::Expr, value: &Value) -> Option<ViewForm> {
        let Value::Active(a) = value else { return None };
        let bound = a.place.path.is_empty() && self.fact(a.place.root).view;
        match strip_parens(arg) {
            syn::Expr::Reference(r) if r.mutability.is_none() => {
                (bound || self.is_view_of_array(&r.expr)).then_some(ViewForm::BorrowedView)
            }
            syn::Expr::Reference(_) => None,
            arg => (bound || self.is_view_of_array(arg)).then_some(ViewForm::View),
        }
    }

    /// A copy of what a view shows, which a call sees as a view.
    pub fn view_argument(&mut self, value: Value, seen: ViewForm, span: Span) -> CallArg {
        let shown = self.rule(
            PassiveCode::literal(operation("Shown", span)),
            &[value.dereferenced_fully()],
            Ty::Library,
            "shown",
            span,
        );
        let Value::Active(a) = shown else { return CallArg::Passive(PassiveCode::literal(quote!(()))) };
        self.info_mut(a.place.root).seen = seen;
        CallArg::Ref(a.place)
    }

    /// Whether a method call iterates over the parts of an array.
    pub fn is_library_chain(&self, m: &syn::ExprMethodCall) -> bool {
        let known = || PARTS.iter().any(|(name, args)| m.method == name && m.args.len() == *args);
        let several = |arg: &syn::Expr| matches!(arg, syn::Expr::Tuple(_) | syn::Expr::Array(_));
        let of_array = || self.guess(&m.receiver) == Ty::Library || m.args.first().is_some_and(several);
        let windows = || m.method == "windows" && of_array();
        let strides = || known::is_strided(m) && self.guess(&m.receiver) == Ty::Library;
        let others = || !known::is_strided(m) && matches!(self.guess(&m.receiver), Ty::Library | Ty::Unknown);
        self.library && (windows() || known() && (strides() || others()))
    }

    /// Whether only rustc knows the operations of what lies there.
    pub fn is_unproven(&self, place: &Place) -> bool {
        match self.ty_of(place) {
            Ty::Library | Ty::Struct(_) => true,
            Ty::Unknown => self.library || place.path.is_empty() && self.fact(place.root).is_named(),
            _ => false,
        }
    }

    /// The rule of an operator, if it is one of values that are not known to be floats.
    pub fn rule_for(&self, op: &Op, args: &[Value]) -> Option<&'static str> {
        let unproven = |v: &Value| match v {
            Value::Active(a) => self.is_unproven(&a.place),
            Value::Passive(p) => p.ty == Ty::Library,
            _ => false,
        };
        rule_name(op).filter(|_| args.iter().any(unproven))
    }

    /// An operator by its rule.
    pub fn by_rule(&mut self, name: &str, args: &[Value], span: Span) -> Value {
        let library = args.iter().any(|v| self.value_ty(v) == Ty::Library);
        let op = PassiveCode { span, ..PassiveCode::literal(operation(name, span)) };
        self.rule(op, args, if library { Ty::Library } else { Ty::Unknown }, &name.to_lowercase(), span)
    }

    /// A call of the rule of an operation.
    fn rule(&mut self, op: PassiveCode, operands: &[Value], ty: Ty, hint: &str, span: Span) -> Value {
        let handle = library(if operands.len() == 1 { "One" } else { "Two" }, span);
        let mut args = vec![CallArg::Passive(op.clone())];
        args.extend(operands.iter().map(|v| self.operand_of_rule(v, span)));
        self.keep_own_constants(&args, span);
        let named =
            ty == Ty::Unknown && operands.iter().any(|v| matches!(v, Value::Active(a) if self.is_named(&a.place)));
        let foreign = operands.iter().all(|v| self.is_foreign(v));
        let linear = match operands {
            // of one factor that carries a derivative: the cotangent of that one asks for the other
            [Value::Active(_), Value::Passive(_)] if is_product(&op) || is_named(&op, "Div") => foreign,
            [Value::Passive(_), Value::Active(_)] if is_product(&op) => foreign,
            _ => is_linear(&op) && !operands.iter().any(|v| self.may_be_the_users(v)),
        };
        let callee = Callee::Function(handle.clone());
        let call = Call { linear, ..Call::new(callee, quote!(#handle::call), args) };
        let var = self.bind(hint, span, ty, Expr::Call(call));
        self.fact_mut(var).origin = match (named, foreign) {
            (true, _) => Origin::Named,
            (false, true) => Origin::Library,
            (false, false) => Origin::Unknown,
        };
        Value::place(Place::var(var))
    }

    /// Whether an operand may be of a user's type, whose `+` need not be linear.
    fn may_be_the_users(&self, value: &Value) -> bool {
        match value {
            Value::Active(a) => matches!(self.ty_of(&a.place), Ty::Unknown | Ty::Struct(_)) && !self.is_foreign(value),
            Value::Passive(p) => p.ty != Ty::Library && p.root.is_some_and(|root| self.fact(root).is_named()),
            _ => false,
        }
    }

    /// Whether an operand is a number or an array of a library, for sure.
    fn is_foreign(&self, value: &Value) -> bool {
        match value {
            Value::Active(a) => {
                let made = a.place.path.is_empty() && self.fact(a.place.root).is_foreign();
                made || matches!(self.ty_of(&a.place), Ty::Library | Ty::Float)
            }
            Value::Passive(p) => {
                let literal = || syn::parse2::<syn::Expr>(p.passive.tokens.clone()).is_ok_and(|e| is_number(&e));
                matches!(p.ty, Ty::Library | Ty::Float) || literal()
            }
            _ => false,
        }
    }

    /// Whether a value is of a user's type for sure.
    pub fn is_of_the_users(&self, value: &Value) -> bool {
        matches!(value, Value::Active(a) if self.is_the_users(&a.place))
    }

    fn is_the_users(&self, place: &Place) -> bool {
        match self.ty_of(place) {
            Ty::Struct(_) => true,
            Ty::Unknown => !self.library && self.is_named(place),
            _ => false,
        }
    }

    fn is_named(&self, place: &Place) -> bool {
        place.path.is_empty() && self.fact(place.root).is_named()
    }

    /// An operand, by reference.
    fn operand_of_rule(&mut self, value: &Value, span: Span) -> CallArg {
        match value {
            Value::Active(a) => CallArg::Ref(a.place.clone()),
            Value::Passive(p) => CallArg::Passive(self.passive_operand(p)),
            Value::Poison => CallArg::Passive(PassiveCode::literal(quote!(()))),
            value => {
                self.errors.operator(span, "this operation");
                CallArg::Passive(self.show(value, span))
            }
        }
    }

    fn passive_operand(&self, p: &Passive) -> PassiveCode {
        let tokens = &p.passive.tokens;
        let reference = self.is_itself_a_reference(p);
        let (Base::Concrete(base) | Base::Generic(base)) = &self.base;
        let literal = syn::parse2::<syn::Expr>(tokens.clone()).is_ok_and(|e| is_number(&e));
        let given = p.refs.depth == 0 && p.root.is_some_and(|root| self.fact(root).given);
        let tokens = match (reference, literal) {
            (true, _) => quote!(&*#tokens),
            _ if given => quote!({ use __d::{BareRef as _, BareValue as _}; __d::Item(&#tokens).bare() }),
            (_, true) => quote!(&((#tokens) as #base)),
            _ => quote!(&(#tokens)),
        };
        PassiveCode { tokens, ..p.passive.clone() }
    }

    /// `a += b` and its kind.
    pub fn update_by_rule(&mut self, target: &Value, op: Op, right: Value, span: Span) {
        let Value::Active(a) = target else { return };
        if self.is_the_users(&a.place) || self.is_of_the_users(&right) {
            return self.update_by_own_rule(target.clone(), &op, right, span);
        }
        match op {
            Op::Add => self.edit("AddAssign", None, &a.place, &right, span),
            Op::Sub => self.edit("SubAssign", None, &a.place, &right, span),
            op => {
                let bare = target.clone().dereferenced_fully();
                let value = self.operation(op, &[bare, right], span);
                self.store(target.clone(), value, span);
            }
        }
    }

    /// The same by the rule of the operands' own types: what the target is afterwards is stored in it.
    pub fn update_by_own_rule(&mut self, target: Value, op: &Op, right: Value, span: Span) {
        let bare = target.clone().dereferenced_fully();
        let value = self.by_rule(assigning(op), &[bare, right], span);
        self.store(target, value, span);
    }

    /// A change of an array by another value.
    fn edit(&mut self, name: &str, by: Option<&PassiveCode>, place: &Place, right: &Value, span: Span) {
        let op = operation(name, span);
        let op = match by {
            Some(o) => {
                let tokens = &o.tokens;
                PassiveCode { tokens: quote!(#op(#tokens)), ..o.clone() }
            }
            None => PassiveCode { span, ..PassiveCode::literal(op) },
        };
        self.change_by(op, place, right, span);
    }

    fn change_by(&mut self, op: PassiveCode, place: &Place, right: &Value, span: Span) {
        let handle = library("Change", span);
        let right = self.operand_of_rule(right, span);
        self.info_mut(place.root).mutable = true;
        let args = vec![CallArg::Passive(op), CallArg::Mut(place.clone()), right];
        let callee = Callee::Function(handle.clone());
        let call = Call { linear: true, ..Call::new(callee, quote!(#handle::call), args) };
        self.bind("done", span, Ty::Unknown, Expr::Call(call));
    }
}

/// The rule of an operator.
pub fn rule_name(op: &Op) -> Option<&'static str> {
    Some(match op {
        Op::Neg => "Neg",
        Op::Add => "Add",
        Op::Sub => "Sub",
        Op::Mul => "Mul",
        Op::Div => "Div",
        Op::StrongMul(_) | Op::PseudoInverse | Op::Fn(_) => return None,
    })
}

/// The operation of a user's `+=` and its kind.
fn assigning(op: &Op) -> &'static str {
    match op {
        Op::Sub => "SubAssign",
        Op::Mul => "MulAssign",
        Op::Div => "DivAssign",
        _ => "AddAssign",
    }
}

/// Macros of `ndarray` that make arrays.
fn makes_array(name: &Ident) -> bool {
    ["array", "stack", "concatenate"].iter().any(|known| name == known)
}

/// Functions of `ndarray` that make arrays.
fn is_array_function(c: &syn::ExprCall) -> bool {
    const NAMES: &[&str] = &["arr0", "arr1", "arr2", "aview0", "aview1", "stack", "concatenate", "kron"];
    let syn::Expr::Path(p) = strip_parens(&c.func) else { return false };
    p.path.segments.last().is_some_and(|s| NAMES.iter().any(|name| s.ident == name))
}

/// What an iterator is collected into, where that is written.
fn collected(m: &syn::ExprMethodCall) -> Ty {
    let array = |arg: &syn::GenericArgument| match arg {
        syn::GenericArgument::Type(syn::Type::Path(p)) => {
            p.path.segments.last().is_some_and(|s| types::is_library(&s.ident.to_string()))
        }
        _ => false,
    };
    match &m.turbofish {
        Some(of) if of.args.iter().any(array) => Ty::Library,
        _ => Ty::Passive,
    }
}

/// Whether an operation's adjoint is the same for all values of its operands: reading an array through a view, putting numbers into one.
fn is_linear(op: &PassiveCode) -> bool {
    const OTHERS: &[&str] = &[
        "Add",
        "Sub",
        "Neg",
        "AddAssign",
        "SubAssign",
        "Shaped",
        "Filled",
        "FromDiagonal",
        "Shown",
        "Flat",
        "OfDimension",
        "InsertAxis",
        "Concatenate",
        "At",
        "Lane",
    ];
    name_of(op).is_some_and(|name| known::is_view(&name) || OTHERS.contains(&name.as_str()))
}

/// Whether an operation is linear in either of its two operands.
fn is_product(op: &PassiveCode) -> bool {
    ["Mul", "Dot", "Cross"].iter().any(|name| is_named(op, name))
}

fn is_named(op: &PassiveCode, name: &str) -> bool {
    name_of(op).is_some_and(|n| n == name)
}

/// The name of an operation, without its path, its types and its fields.
fn name_of(op: &PassiveCode) -> Option<String> {
    let (mut name, mut nested) = (None, 0);
    for tree in op.tokens.clone() {
        match tree {
            TokenTree::Punct(p) if p.as_char() == '<' => nested += 1,
            TokenTree::Punct(p) if p.as_char() == '>' => nested -= 1,
            TokenTree::Ident(ident) if nested == 0 => name = Some(ident.to_string()),
            _ => {}
        }
    }
    name
}

/// A number that is written out.
fn is_number(expr: &syn::Expr) -> bool {
    match strip_parens(expr) {
        syn::Expr::Lit(l) => matches!(l.lit, syn::Lit::Float(_) | syn::Lit::Int(_)),
        syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Neg(_)) && is_number(&u.expr),
        _ => false,
    }
}
