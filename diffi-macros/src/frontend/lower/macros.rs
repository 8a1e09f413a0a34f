//! Macros: `vec!`, checks and prints. Others hide their contents.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::frontend::syntax::effects;
use crate::ir::*;
use crate::support::names;
use crate::support::syntax::VecRepeat;
use proc_macro2::Ident;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

type Args = Punctuated<syn::Expr, syn::Token![,]>;

impl Lower {
    /// Whether a macro is run for its effect.
    pub fn is_effect_macro(&self, mac: &syn::Macro) -> bool {
        last(mac).is_some_and(|n| names::is_effect(&n.to_string()))
    }

    /// A macro as a statement.
    pub fn macro_stmt(&mut self, mac: &syn::Macro, stmt: &syn::Stmt) -> Value {
        let name = last(mac).map(Ident::to_string).unwrap_or_default();
        match name.as_str() {
            "azip" if self.mentions_active(&self.passive_statement(stmt)) => {
                self.only_known_macro(&mac.path);
                return match self.azip(mac) {
                    Some(value) => value,
                    None => self.refuse(mac.path.span(), "this `azip!`", "write a loop over the indices"),
                };
            }
            _ if self.is_effect_macro(mac) => {}
            "dbg" | "vec" | "format" | "matches" => {
                self.macro_value(mac);
                return Value::Unit;
            }
            _ => return self.unknown(mac, stmt, &name),
        }
        if let Some(value) = self.observed(mac) {
            return value;
        }
        self.effect(mac, stmt);
        if effects::panics(mac) { Value::Never } else { Value::Unit }
    }

    fn effect(&mut self, mac: &syn::Macro, stmt: &syn::Stmt) {
        let mut tokens = self.passive_statement(stmt);
        if !matches!(stmt, syn::Stmt::Macro(m) if m.semi_token.is_some())
            && !matches!(stmt, syn::Stmt::Expr(_, Some(_)))
        {
            let t = &tokens.tokens;
            tokens.tokens = quote!(#t;);
        }
        let effects = effects::of_stmt(&self.scope, stmt);
        if !self.all_passive(&effects.writes) {
            self.refuse_change(mac, mac.path.span());
            return;
        }
        let writes = self.roots(&effects.writes);
        writes.iter().for_each(|w| self.info_mut(*w).mutable = true);
        self.emit(Stmt::Effect { tokens, writes });
    }

    fn unknown(&mut self, mac: &syn::Macro, stmt: &syn::Stmt, name: &str) -> Value {
        if self.mentions_active(&self.passive_statement(stmt)) {
            self.errors.unknown_macro(mac.path.span(), name);
            return Value::Poison;
        }
        self.effect(mac, stmt);
        Value::Unit
    }

    /// A macro as an expression.
    pub fn macro_value(&mut self, mac: &syn::Macro) -> Value {
        let name = last(mac).map(Ident::to_string).unwrap_or_default();
        let whole = syn::Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: mac.clone() });
        let stmt = syn::Stmt::Expr(whole.clone(), Some(Default::default()));
        if let Some(value) = self.observed(mac) {
            return value;
        }
        match name.as_str() {
            "vec" => self.vec_macro(mac),
            "array" => self.array_macro(mac),
            "stack" | "concatenate" if self.mentions_active(&self.passive_code(&whole)) => {
                self.join_macro(mac, name == "stack")
            }
            "write" | "writeln" => self.passive_effect(&whole),
            _ if self.is_effect_macro(mac) => self.macro_stmt(mac, &stmt),
            _ if !self.is_passive(&whole) && self.mentions_active(&self.passive_code(&whole)) => {
                self.errors.unknown_macro(mac.path.span(), &name);
                Value::Poison
            }
            _ => self.passive_macro(mac, &whole),
        }
    }

    /// A macro whose value carries no derivative. Where it changes something, it is evaluated here.
    fn passive_macro(&mut self, mac: &syn::Macro, whole: &syn::Expr) -> Value {
        let writes = effects::of_expr(&self.scope, whole).writes;
        match writes.is_empty() {
            true => Value::passive(self.passive_code(whole)),
            false if self.all_passive(&writes) => self.passive_effect(whole),
            false => self.refuse_change(mac, mac.path.span()),
        }
    }

    /// `vec![..]` of active values.
    pub fn vec_macro(&mut self, mac: &syn::Macro) -> Value {
        let span = mac.path.span();
        if let Ok(args) = mac.parse_body_with(Args::parse_terminated) {
            if args.is_empty() {
                let tokens = PassiveCode { span, ..PassiveCode::literal(quote!(::std::vec::Vec::new())) };
                let ty = Ty::Vec(Box::new(Ty::Unknown));
                return Value::place(Place::var(self.bind("v", span, ty, Expr::VecNew(tokens))));
            }
            let (args, ty) = self.elements(args.iter().collect());
            return Value::place(Place::var(self.bind("v", span, Ty::Vec(Box::new(ty)), Expr::VecOf(args))));
        }
        match mac.parse_body::<VecRepeat>() {
            Ok(r) => self.repeat(&r.value, &r.len, true, span),
            Err(_) => self.refuse(span, "this `vec!`", "write `vec![value; len]` or `vec![a, b]`"),
        }
    }
}

fn last(mac: &syn::Macro) -> Option<&Ident> {
    mac.path.segments.last().map(|s| &s.ident)
}
