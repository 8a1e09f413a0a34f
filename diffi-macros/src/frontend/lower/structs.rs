//! Structs and enums: their construction, and the members of variants.

use crate::frontend::arrays::of_float;
use crate::frontend::inline::{derives_clone, gives_own};
use crate::frontend::projections::field_types::is_text_of;
use crate::frontend::projections::passing::is_function;
use crate::frontend::state::context::{Lower, New, Origin};
use crate::frontend::state::value::{Active, Maybe, Refs, Value};
use crate::ir::place;
use crate::ir::*;
use crate::support::names::{OF_EITHER, OF_OPTIONS, OF_REFERENCES};
use crate::support::syntax::{is_constant, makes, variant};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::collections::BTreeMap;
use syn::spanned::Spanned;

/// The type of what a path of a struct or a variant makes.
fn made_as(path: &syn::Path) -> TokenStream {
    let mut ty = path.clone();
    if variant(path).is_some() {
        ty.segments.pop();
        ty.segments.pop_punct();
    }
    quote!(#ty)
}

/// Whether a path may name a struct or a variant. A name alone may be that of a function of the file: `S(u, v)`.
pub fn is_constructor(path: &syn::Path) -> bool {
    let last = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
    let of_std = ["Some", "None", "Ok", "Err"].contains(&last.as_str());
    makes(path) && !of_std && !path.get_ident().is_some_and(is_function)
}

/// Where a member of what the path names lies.
pub fn field_of(path: &syn::Path, member: &syn::Member) -> Proj {
    match variant(path) {
        Some(name) => Proj::Payload(name.clone(), member.clone()),
        None => Proj::Field(member.clone()),
    }
}

/// Whether tokens make a struct or a variant.
pub fn is_made(o: &PassiveCode) -> bool {
    match syn::parse2::<syn::Expr>(o.tokens.clone()) {
        Ok(syn::Expr::Struct(_)) => true,
        Ok(syn::Expr::Path(p)) => variant(&p.path).is_some() && !is_constant(&p.path),
        Ok(syn::Expr::Call(c)) => matches!(&*c.func, syn::Expr::Path(p) if is_constructor(&p.path)),
        _ => false,
    }
}

/// The type of a struct or a variant that tokens make.
fn type_of_made(o: &PassiveCode) -> Option<TokenStream> {
    match syn::parse2::<syn::Expr>(o.tokens.clone()).ok().filter(|_| is_made(o))? {
        syn::Expr::Struct(s) => Some(made_as(&s.path)),
        syn::Expr::Path(p) => Some(made_as(&p.path)),
        syn::Expr::Call(c) => match &*c.func {
            syn::Expr::Path(p) => Some(made_as(&p.path)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether tokens make a value of the type that they name: `Params::new(..)`, `Vec3::zero()`, and literals.
pub fn is_of_its_type(o: &PassiveCode) -> bool {
    let Ok(expr) = syn::parse2::<syn::Expr>(o.tokens.clone()) else { return false };
    is_made(o) || maker_of(&of_float::without_float(expr)).is_some_and(|owner| owner != "Vec")
}

/// Whether an expression makes a value of a type that it names, which is no sequence.
pub fn is_made_by_its_type(expr: &syn::Expr) -> bool {
    const SEQUENCES: &[&str] =
        &["Vec", "VecDeque", "String", "BinaryHeap", "LinkedList", "SmallVec", "ArrayVec", "Box", "Rc", "Some"];
    let literal = matches!(expr, syn::Expr::Struct(_));
    literal || maker_of(expr).is_some_and(|owner| !SEQUENCES.iter().any(|name| owner == name))
}

/// Whether an expression lists such values.
pub fn lists_made(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Array(a) => !a.elems.is_empty() && a.elems.iter().all(is_made_by_its_type),
        syn::Expr::Repeat(r) => is_made_by_its_type(&r.expr),
        syn::Expr::Macro(m) if m.mac.path.is_ident("vec") => {
            let tokens = &m.mac.tokens;
            syn::parse2(quote!([#tokens])).is_ok_and(|list| lists_made(&list))
        }
        _ => false,
    }
}

/// The type whose function makes a value, `Params` of `Params::new(..)`.
fn maker_of(expr: &syn::Expr) -> Option<&Ident> {
    const MAKERS: &[&str] = &["new", "default", "zero", "zeros", "one", "ones", "identity", "origin", "splat", "i"];
    let maker = |name: &Ident| MAKERS.iter().any(|m| name == m) || name.to_string().starts_with("from_");
    let syn::Expr::Call(call) = expr else { return None };
    let syn::Expr::Path(p) = &*call.func else { return None };
    let (owner, name) = (&p.path.segments.iter().rev().nth(1)?.ident, &p.path.segments.last()?.ident);
    let named = owner.to_string().starts_with(char::is_uppercase) && maker(name);
    (named || gives_own(owner, name)).then_some(owner)
}

/// `Params { ..rest }`: the rest, which may be of any type to the eye (`Default::default()`).
fn all_of(path: &syn::Path, rest: PassiveCode) -> PassiveCode {
    let tokens = &rest.tokens;
    PassiveCode { tokens: quote!(#path { ..#tokens }), ..rest }
}

/// `None`.
pub fn is_none(o: &PassiveCode) -> bool {
    o.tokens.to_string() == "None"
}

/// Methods of what is an option for sure.
const OF_KNOWN: &[&str] = &[
    "map",
    "and_then",
    "filter",
    "or",
    "and",
    "or_else",
    "xor",
    "zip",
    "as_ref",
    "as_mut",
    "as_deref",
    "as_deref_mut",
    "copied",
    "cloned",
    "is_some_and",
    "is_none_or",
    "inspect",
];

impl Lower {
    /// `Params { a: x, ..rest }`.
    pub fn struct_literal(&mut self, s: &syn::ExprStruct) -> Value {
        let members = s.fields.iter().map(|f| (f.member.clone(), &f.expr));
        match &s.rest {
            None => self.constructed(&s.path, false, members.collect(), s.span()),
            Some(rest) => self.updated(&s.path, rest, members.collect(), s.span()),
        }
    }

    /// `Params(x, y)`, `Shape::Circle(r)`.
    pub fn tuple_struct(&mut self, path: &syn::Path, c: &syn::ExprCall) -> Value {
        let members = c.args.iter().enumerate().map(|(k, e)| (syn::Member::from(k), e));
        self.constructed(path, true, members.collect(), c.span())
    }

    fn constructed(
        &mut self,
        path: &syn::Path,
        tuple: bool,
        members: Vec<(syn::Member, &syn::Expr)>,
        span: Span,
    ) -> Value {
        let expected = self.jumps.expected.take();
        let (mut fields, mut known) = (Vec::new(), BTreeMap::new());
        let constants = self.constant_fields(path);
        let until = self.last_change(&members.iter().map(|(_, e)| *e).collect::<Vec<_>>());
        for (k, (member, expr)) in members.into_iter().enumerate() {
            let is_constant = constants.contains_key(&place::field_name(&member));
            let is_text = || is_text_of(&syn::parse_quote!(#path), &place::field_name(&member));
            let value = if is_constant || is_text() { self.expr(expr) } else { self.active_value(expr) };
            if matches!(value, Value::Never) {
                return Value::Never;
            }
            let value = if k < until { self.as_it_is(value, expr.span()) } else { value };
            if is_constant && self.is_without_numbers(path, &member) && self.are_used_as_integers(expr) {
                return Value::Poison; // the next round takes it for an integer
            }
            if value.is_active() && is_constant && !self.is_array_parameter(&value) {
                self.errors.passive_part(expr.span());
                return Value::Poison;
            }
            let value = match &value {
                Value::Tuple(_) if is_constant => Value::passive(self.show(&value, expr.span())),
                _ => value.dereferenced_fully(),
            };
            let value = self.field_value(&value, expr.span());
            let value = if is_constant { self.kept_constant(path, &member, value) } else { value };
            if let Some(ty) = self.field_ty(&value) {
                known.insert(place::field_name(&member), ty);
            }
            fields.push((field_of(path, &member), value));
        }
        self.jumps.expected = expected;
        known.extend(constants);
        let ty = if variant(path).is_some() { Ty::Unknown } else { Ty::Struct(known) };
        let literal = Literal { path: quote!(#path), tuple, copies: derives_clone(path), fields };
        let var = self.bind("made", span, ty, Expr::Struct(literal));
        self.fact_mut(var).origin = Origin::Fields(Some(made_as(path)));
        Value::place(Place::var(var))
    }

    /// Whether a value is a parameter as a whole, of a type that only rustc knows: a constructor's, whose field takes it without its derivative.
    fn is_array_parameter(&self, value: &Value) -> bool {
        let Value::Active(a) = value else { return false };
        let unknown = matches!(self.ty_of(&a.place), Ty::Library | Ty::Unknown);
        unknown && a.place.path.is_empty() && self.parameters.contains(&a.place.root)
    }

    /// What a value says of the field that it becomes: a passive one may be followed by an active one.
    fn field_ty(&self, value: &Operand) -> Option<Ty> {
        match value {
            Operand::Place(p) => Some(self.ty_of(p)),
            Operand::Made { .. } => Some(Ty::Float),
            Operand::Passive(o) => match syn::parse2::<syn::Expr>(o.tokens.clone()) {
                Ok(syn::Expr::Lit(l)) => match l.lit {
                    syn::Lit::Float(_) => Some(Ty::Float),
                    _ => Some(Ty::Passive),
                },
                _ => None,
            },
        }
    }

    /// `Params { a: x, ..rest }`: a copy of the rest, changed.
    fn updated(
        &mut self,
        path: &syn::Path,
        rest: &syn::Expr,
        members: Vec<(syn::Member, &syn::Expr)>,
        span: Span,
    ) -> Value {
        let constants = self.constant_fields(path);
        let values: Vec<(syn::Member, Value)> = members
            .into_iter()
            .map(|(member, expr)| {
                let is_constant = constants.contains_key(&place::field_name(&member));
                let value = if is_constant { self.expr(expr) } else { self.active_value(expr) };
                let value = value.dereferenced_fully();
                (member, self.copied(value, "t", expr.span()))
            })
            .collect();
        let rest = self.active_value(rest);
        let (ty, expr) = match rest {
            Value::Active(a) => (self.ty_of(&a.place), Expr::Operand(Operand::Place(a.place))),
            Value::Poison | Value::Never => return rest,
            other => (Ty::Struct(constants), Expr::Passive(all_of(path, self.show(&other, span)))),
        };
        let var = self.bind("made", span, ty, expr);
        self.fact_mut(var).changes = true;
        for (member, value) in values {
            let field = self.part(Place { root: var, path: vec![Proj::Field(member)] });
            self.store(field, value, span);
        }
        self.fact_mut(var).changes = false;
        Value::place(Place::var(var))
    }

    /// A path without fields, `Shape::Point`, where an active value is wanted.
    pub fn unit_struct(&mut self, path: &syn::ExprPath) -> Value {
        let tokens = PassiveCode { span: path.span(), ..PassiveCode::literal(quote!(#path)) };
        Value::place(Place::var(self.bind("made", path.span(), Ty::Unknown, Expr::Passive(tokens))))
    }

    /// A passive value of a struct or variant (`Shape::Point`, `Shape::None {}`) among active ones, as one of them; any passive
    /// value, where one of them was made of fields.
    pub fn made(&mut self, value: Value, beside_made: bool) -> Value {
        match value {
            Value::Passive(p) if beside_made || is_made(&p.passive) => {
                let shown = self.show(&Value::Passive(p).dereferenced_fully(), Span::call_site());
                let var = self.bind("made", shown.span, Ty::Unknown, Expr::Passive(shown));
                if beside_made {
                    self.fact_mut(var).origin = Origin::Fields(None);
                }
                Value::place(Place::var(var))
            }
            Value::Passive(p) if is_empty_list(&p.passive.tokens) => {
                let (span, ty) = (p.passive.span, Ty::Vec(Box::new(Ty::Unknown)));
                Value::place(Place::var(self.bind("v", span, ty, Expr::VecNew(p.passive))))
            }
            other => other,
        }
    }

    /// The type of a value that was made of its fields, if what made it says so.
    pub fn type_made(&self, value: &Value) -> Option<TokenStream> {
        let root = match value {
            Value::Active(a) => a.place.path.is_empty().then_some(a.place.root),
            Value::Passive(p) => p.root,
            _ => None,
        };
        let known = root.and_then(|root| self.fact(root).made_as().cloned());
        known.or_else(|| match value {
            Value::Passive(p) => type_of_made(&p.passive),
            _ => None,
        })
    }

    /// Whether a value was made of its fields: a struct or a variant, and no number.
    pub fn is_constructed(&self, value: &Value) -> bool {
        matches!(value, Value::Active(a) if a.place.path.is_empty() && self.fact(a.place.root).is_constructed())
    }

    /// A member of a variant, or of a struct.
    pub fn payload(&mut self, value: Value, path: &syn::Path, member: &syn::Member, span: Span) -> Value {
        match (value.without_ref(), field_of(path, member)) {
            (Value::Active(mut a), step @ Proj::Payload(..)) => {
                a.place.path.push(step);
                self.part(a.place)
            }
            (value, _) => self.member(value, member, span),
        }
    }

    /// A part of an active value as the `Option` that it is: what it holds is a member of the variant `Some`.
    pub fn option_part(&self, value: &Value) -> Option<Maybe> {
        let Value::Active(a) = value else { return None };
        let in_data = matches!(a.place.path.last(), Some(Proj::Field(_) | Proj::Payload(..) | Proj::Index(_)));
        self.named_option(value).filter(|_| in_data || self.is_option_place(a))
    }

    /// The same of any value that a pattern `Some(..)` takes apart.
    pub fn named_option(&self, value: &Value) -> Option<Maybe> {
        let Value::Active(a) = value else { return None };
        let unknown = matches!(self.ty_of(&a.place), Ty::Unknown | Ty::Struct(_));
        unknown.then(|| self.option_at(a.clone()))
    }

    /// An element of an array that holds no numbers and no arrays, where it has to be an `Option`.
    pub fn as_stored_option(&self, value: Value) -> Value {
        match self.value_ty(&value) {
            Ty::Struct(_) => self.option_part(&value).map_or(value, Value::Maybe),
            _ => value,
        }
    }

    /// A parameter that is an `Option`.
    pub fn option_parameter(&self, var: Var) -> Value {
        match self.value_of(var) {
            Value::Active(a) => Value::Maybe(self.option_at(a)),
            other => other,
        }
    }

    /// The `Option` at a place: what it holds is a member of the variant `Some`.
    pub fn option_at(&self, mut at: Active) -> Maybe {
        let shown = self.show_place(&at.place, Refs::default());
        let on: &TokenStream = &shown.tokens;
        let present = PassiveCode { tokens: quote!(#on.is_some()), ..shown.clone() };
        at.place.path.push(Proj::Payload(Ident::new("Some", Span::call_site()), syn::Member::from(0)));
        let content = Value::Active(at);
        Maybe::new(present, move |_| content.clone())
    }

    /// What a field becomes.
    pub fn field_value(&mut self, value: &Value, span: Span) -> Operand {
        match value {
            Value::Maybe(maybe) if self.may_hold_active(maybe) => self.option_made(maybe, span),
            value => self.whole(value, span),
        }
    }

    /// An `Option` that becomes a field: its variant is made where that is known, and else in a branch.
    pub fn option_made(&mut self, maybe: &Maybe, span: Span) -> Operand {
        if maybe.known() == Some(true) {
            return Operand::Place(Place::var(self.some_made(maybe, span)));
        }
        let option = self.new_var(New { hint: "option", span, ty: Ty::Unknown, changes: false, site: None });
        self.fact_mut(option).origin = Origin::Fields(None);
        self.emit(Stmt::Declare { var: option });
        let cond = self.atom("c", maybe.present.clone());
        let (then, ()) = self.inside(|l| {
            let some = l.some_made(maybe, span);
            l.store(Value::place(Place::var(option)), Value::place(Place::var(some)), span);
        });
        let none = Value::passive(PassiveCode { span, ..PassiveCode::literal(quote!(::core::option::Option::None)) });
        let (els, ()) = self.inside(|l| l.store(Value::place(Place::var(option)), none, span));
        self.emit(Stmt::If { cond, then, els });
        Operand::Place(Place::var(option))
    }

    fn some_made(&mut self, maybe: &Maybe, span: Span) -> Var {
        let content = (maybe.content)(self);
        let content = self.component(&content.dereferenced_fully(), span);
        let member = Proj::Payload(Ident::new("Some", span), syn::Member::from(0));
        let literal = Literal {
            path: quote!(::core::option::Option::Some),
            tuple: true,
            copies: false,
            fields: vec![(member, content)],
        };
        let var = self.bind("made", span, Ty::Unknown, Expr::Struct(literal));
        self.fact_mut(var).origin = Origin::Fields(None);
        var
    }

    /// The same, if a method or a pattern says that it is one.
    pub fn option_by_method(&self, receiver: &Value, m: &syn::ExprMethodCall) -> Option<Maybe> {
        let name = m.method.to_string();
        let seen_through = match &*m.receiver {
            syn::Expr::MethodCall(inner) => OF_REFERENCES.iter().any(|n| inner.method == n),
            _ => false,
        };
        let failing = name.starts_with("ok_or") && m.args.len() == 1;
        let own = failing || OF_OPTIONS.contains(&name.as_str()) || seen_through && OF_EITHER.contains(&name.as_str());
        let known = matches!(receiver, Value::Active(a) if self.is_option_place(a));
        if known && (own || OF_KNOWN.contains(&name.as_str())) {
            return self.option_part(&receiver.clone().dereferenced_fully());
        }
        own.then(|| self.option_part(receiver)).flatten()
    }

    /// Whether a value is of the variant that a path names, as a passive condition.
    pub fn is_variant(&self, value: &Value, path: &syn::Path) -> PassiveCode {
        let shown = self.show(&value.clone().dereferenced_fully(), path.span());
        let on: &TokenStream = &shown.tokens;
        PassiveCode { tokens: quote!(::core::matches!(#on, #path { .. })), ..shown.clone() }
    }
}

/// Whether tokens are a list without elements: `Vec::new()`, `vec![]`.
fn is_empty_list(tokens: &TokenStream) -> bool {
    match syn::parse2(tokens.clone()) {
        Ok(syn::Expr::Macro(m)) => m.mac.path.is_ident("vec") && m.mac.tokens.is_empty(),
        Ok(syn::Expr::Call(call)) => {
            let syn::Expr::Path(path) = &*call.func else { return false };
            let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
            let made = names.next().is_some_and(|name| name == "new" || name == "with_capacity");
            made && names.next().is_some_and(|owner| owner == "Vec")
        }
        _ => false,
    }
}
