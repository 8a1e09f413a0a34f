//! Methods of the traits that bound a generic float, `x.sqrt()` of `T: Real`, where the files around define these.

use crate::frontend::lower::closures::Function;
use crate::frontend::projections::number_traits::{Body, Meaning, NumberTraits};
use crate::frontend::projections::qualified_numbers::qualified;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::ir::*;
use crate::support::names;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lower {
    /// A method of a generic float that is one of the user's traits.
    pub fn method_of_number_trait(&mut self, receiver: &Value, m: &syn::ExprMethodCall) -> Option<Value> {
        let name = m.method.to_string();
        let of_std = names::is_scalar(&name, m.args.len()) || names::BITS.contains(&name.as_str());
        let (float, generic) = match self.base.clone() {
            Base::Generic(float) => (float, true),
            Base::Concrete(float) => (float, false),
        };
        if of_std && (self.in_body_of_floats || !generic) || self.value_ty(receiver) != Ty::Float {
            return None;
        }
        let by_method = if generic { None } else { Some(NumberTraits::of_method(&name)) };
        let meaning = by_method.as_ref().unwrap_or(&self.number_traits).meaning(&name)?;
        match meaning {
            Meaning::Annotated => Some(self.annotated_method(receiver.clone(), m, false)),
            Meaning::Unknown if !generic => None,
            Meaning::Alike(_, floats) if !generic && !floats.iter().any(|name| float == name) => None,
            Meaning::Alike(body, floats) => {
                let mut given = vec![receiver.clone().dereferenced_fully()];
                let args: Vec<&syn::Expr> = m.args.iter().collect();
                given.extend(self.in_order(&args, &mut |l, _, arg| l.expr(arg)));
                match &by_method {
                    Some(traits) => self.only_in_scope(traits.path_to(&name), &float),
                    None => self.only_these_floats(&float, &floats, m.method.span()),
                }
                Some(self.body_of_numbers(&body, &float, given, m.span()))
            }
            Meaning::Unknown => {
                let (of, _) = self.number_traits.declares(&name)?;
                let of = of.to_owned();
                self.errors.unknown_trait_method(&m.method, &of);
                Some(Value::Poison)
            }
        }
    }

    /// What a function of numbers gives for these arguments.
    fn body_of_numbers(&mut self, body: &Body, float: &Ident, given: Vec<Value>, span: Span) -> Value {
        let of_floats = std::mem::replace(&mut self.in_body_of_floats, !body.in_trait);
        let is_own = |name: &Ident| {
            let declares =
                |traits: &NumberTraits| traits.declares(&name.to_string()).is_some_and(|(_, method)| !method);
            body.in_trait || declares(&self.number_traits)
        };
        let generic = matches!(self.base, Base::Generic(_));
        let at_float = AtFloat { float, generic, span, is_own: &is_own };
        let traits = self.number_traits.clone();
        let value = match at_float.closure(body, &traits) {
            Some(closure) if given.len() == body.params.len() => {
                let function = Function::Closure(Rc::new(self.closure(&closure)));
                self.apply(&function, given)
            }
            _ => Value::Poison,
        };
        self.in_body_of_floats = of_floats;
        value
    }

    /// Compiles only if a float has the trait, and that is in scope: its methods are those that rustc finds.
    fn only_in_scope(&mut self, of: Option<syn::Path>, float: &Ident) {
        self.confirm(quote!({
            fn is_in_scope<T: #of>() {}
            is_in_scope::<#float>();
        }));
    }

    /// Compiles only if a generic float is one of these.
    fn only_these_floats(&mut self, float: &Ident, floats: &[String], span: Span) {
        let [only] = floats else { return };
        let only = Ident::new(only, span);
        let tokens = PassiveCode::literal(quote_spanned!(span=> __d::only_float::<#float, #only>();));
        let text = tokens.tokens.to_string();
        let is_this = |s: &Stmt| matches!(s, Stmt::Effect { tokens, .. } if tokens.tokens.to_string() == text);
        if matches!(self.base, Base::Generic(_)) && !self.open[0].stmts.iter().any(is_this) {
            self.open[0].stmts.insert(0, Stmt::Effect { tokens, writes: Default::default() });
        }
    }
}

/// A body in which `Self` is the generic float.
struct AtFloat<'b> {
    float: &'b Ident,
    /// It is generic: literals are made numbers of it.
    generic: bool,
    span: Span,
    /// Whether a function of the float is the user's, which takes literals as they are.
    is_own: &'b dyn Fn(&Ident) -> bool,
}

impl AtFloat<'_> {
    fn closure(&self, body: &Body, traits: &NumberTraits) -> Option<syn::ExprClosure> {
        let value = self.tokens(crate::support::tokens::lexed_of_users(&body.text)?, self.generic && !body.in_trait);
        let value = qualified(syn::parse2(value).ok()?, self.float, traits, body.in_trait);
        let params = body.params.iter().map(|name| self.param(name));
        syn::parse2(quote!(|#(#params),*| #value)).ok()
    }

    fn param(&self, name: &str) -> Ident {
        if name == "self" { format_ident!("__number", span = self.span) } else { Ident::new(name, self.span) }
    }

    /// Tokens whose literals are numbers of the float, if they are `numbers`.
    fn tokens(&self, tokens: TokenStream, numbers: bool) -> TokenStream {
        let (float, span) = (self.float, self.span);
        let (mut out, mut called) = (TokenStream::new(), None);
        for tree in tokens {
            let own = called.take().is_some_and(|name| (self.is_own)(&name));
            match tree {
                TokenTree::Ident(name) if name == "Self" => out.extend(quote_spanned!(span=> #float)),
                TokenTree::Ident(name) => {
                    out.extend([TokenTree::from(self.param(&name.to_string()))]);
                    called = Some(name);
                }
                TokenTree::Literal(number) if numbers && is_float(&number) => {
                    out.extend(quote_spanned!(span=> <#float as __d::Base>::lit(#number)));
                }
                TokenTree::Group(g) => {
                    out.extend([TokenTree::from(Group::new(g.delimiter(), self.tokens(g.stream(), numbers && !own)))]);
                }
                other => out.extend([other]),
            }
        }
        out
    }
}

/// Whether a literal is one of a float.
fn is_float(number: &proc_macro2::Literal) -> bool {
    matches!(syn::parse2(quote!(#number)), Ok(syn::Lit::Float(_)))
}
