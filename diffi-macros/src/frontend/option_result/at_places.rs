//! Options at places: fields, parameters `&mut Option<T>`, and variables that are lent as `&mut o` to a call. What they hold is a member of
//! the variant `Some`, and they are changed as wholes.

use crate::frontend::lower::std_methods::Called;
use crate::frontend::projections::definitions::is_method_around;
use crate::frontend::projections::field_types::is_option_of;
use crate::frontend::projections::option_fields::is_option;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Active, Maybe, Refs, Value};
use crate::frontend::syntax::types;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::quote;

impl Lower {
    /// Whether a place is an option for sure: it was declared so, or all fields of its name are.
    pub fn is_option_place(&self, a: &Active) -> bool {
        match a.place.path.last() {
            None => self.fact(a.place.root).option,
            Some(Proj::Field(member @ syn::Member::Named(name))) => {
                self.is_option_by_definition(&a.place, member).unwrap_or_else(|| is_option(name))
            }
            _ => false,
        }
    }

    /// The same of a field of `self`, or of a variable that was made of its fields, by the definition of its struct.
    fn is_option_by_definition(&self, place: &Place, member: &syn::Member) -> Option<bool> {
        let [Proj::Field(_)] = &place.path[..] else { return None };
        let fact = self.fact(place.root);
        let ty = match fact.made_as().or(self.info(place.root).written.as_ref()) {
            Some(path) => syn::parse2(path.clone()).ok()?,
            None => self.owner.as_ref().filter(|_| fact.receiver)?.ty.clone(),
        };
        is_option_of(types::without_reference(&ty), &place::field_name(member))
    }

    /// `let mut o = option;` of an option that calls may change through `&mut o`: a variable that holds it as a whole.
    pub fn whole_option_variable(&mut self, option: &Maybe, span: Span) -> Place {
        let made = match option.known() {
            Some(false) => {
                let none = PassiveCode { span, ..PassiveCode::literal(quote!(::core::option::Option::None)) };
                Operand::var(self.bind("made", span, Ty::Unknown, Expr::Passive(none)))
            }
            _ => self.option_made(option, span),
        };
        match made {
            Operand::Place(place) => place,
            _ => unreachable!("an option that is made is a variable"),
        }
    }

    /// `take`, `replace`, `insert` and their kind, of an option at a place.
    pub fn change_option_place(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        let (name, args) = (m.method.to_string(), m.args.iter().collect::<Vec<_>>());
        let place = matches!(strip_parens(&m.receiver), syn::Expr::Path(_) | syn::Expr::Field(_));
        if !place || !CHANGING.contains(&(name.as_str(), args.len())) {
            return None;
        }
        let Value::Active(a) = &self.untyped(&m.receiver) else { return None };
        // no other type of std that carries derivatives has a method `replace` of one argument
        let by_method = || name == "replace" && self.ty_of(&a.place) == Ty::Unknown && !is_method_around(&name);
        let is_assumed = !self.is_option_place(a) && by_method();
        if !is_assumed && !self.is_option_place(a) {
            return None;
        }
        let (target, span) = (Value::place(a.place.clone()), m.method.span());
        if is_assumed {
            self.only_method_of_options(&Called::of(m));
        }
        match (name.as_str(), &args[..]) {
            ("take", _) => Some(self.replaced_option(target, Maybe::none(), span)),
            ("replace", [value]) => {
                let value = Maybe::some(self.expr(value));
                Some(self.replaced_option(target, value, span))
            }
            ("insert", [value]) => {
                let value = Maybe::some(self.expr(value));
                self.store(target, Value::Maybe(value), span);
                Some(content_of(a, span))
            }
            (_, [value]) => {
                let eager = (name == "get_or_insert").then(|| self.expr(value));
                let absent = self.show_place(&a.place, Refs::default()).map(|on| quote!(#on.is_none()));
                let cond = self.atom("c", absent);
                let (then, ()) = self.inside(|l| {
                    let value = eager.unwrap_or_else(|| {
                        let function = l.callee(value);
                        l.apply(&function, Vec::new())
                    });
                    l.store(target, Value::Maybe(Maybe::some(value)), span);
                });
                self.emit(Stmt::If { cond, then, els: Block::default() });
                Some(content_of(a, span))
            }
            _ => None,
        }
    }

    /// `place = new`; the option that was there.
    fn replaced_option(&mut self, target: Value, new: Maybe, span: Span) -> Value {
        let old = self.snapshot(target.clone(), span);
        self.store(target, Value::Maybe(new), span);
        match old {
            Value::Active(old) => Value::Maybe(self.option_at(old)),
            other => other,
        }
    }

    /// Whether a declaration is one of an option that calls change.
    pub fn is_lent_whole(&self, name: &Ident, ty: Option<&syn::Type>) -> bool {
        let result = ty.is_some_and(|ty| types::option_of(ty).is_none());
        !result && self.scope.changes.lent.contains(&name.to_string())
    }
}

/// The methods by which an option is changed, and how many arguments they have.
const CHANGING: &[(&str, usize)] =
    &[("take", 0), ("replace", 1), ("insert", 1), ("get_or_insert", 1), ("get_or_insert_with", 1)];

/// `&mut` of what an option holds.
fn content_of(option: &Active, span: Span) -> Value {
    let mut place = option.place.clone();
    place.path.push(Proj::Payload(Ident::new("Some", span), syn::Member::from(0)));
    Value::place(place).borrowed(true)
}
