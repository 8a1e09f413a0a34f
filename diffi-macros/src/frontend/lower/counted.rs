//! `Rc` and `Arc` of active values, which are read only: references to what they hold.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::ir::*;
use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

impl Lower {
    /// `Rc::new(value)`, `Rc::clone(&counted)`.
    pub fn reference_counted(
        &mut self,
        path: &syn::ExprPath,
        (owner, function): (&str, &str),
        c: &syn::ExprCall,
    ) -> Value {
        let value = &c.args[0];
        if !self.act(value).any() {
            return Value::passive(self.passive_code(&syn::Expr::Call(c.clone())));
        }
        let of = if owner == "Rc" { quote!(::std::rc::Rc::<f64>) } else { quote!(::std::sync::Arc::<f64>) };
        match function {
            "new" => {
                self.only_of_std(path, &quote!(#of::new));
                self.new_counted(path, value)
            }
            _ => {
                self.only_of_std(path, &quote!(<#of as ::core::clone::Clone>::clone));
                let original = self.expr(value);
                if self.is_counted(&original) {
                    self.reference_of(original)
                } else {
                    self.owned(original, value.span())
                }
            }
        }
    }

    fn new_counted(&mut self, path: &syn::ExprPath, value: &syn::Expr) -> Value {
        let name = Ident::new("__counted", value.span());
        let syn::Stmt::Local(local) = syn::parse_quote!(let #name = #value;) else { return Value::Poison };
        self.local(&local);
        let held = self.expr(&syn::parse_quote!(&#name));
        match &held {
            Value::Active(a) => self.fact_mut(a.place.root).counted = true,
            Value::Passive(p) => {
                let tokens = &p.passive.tokens;
                return Value::passive(PassiveCode { tokens: quote!(#path(#tokens)), ..p.passive.clone() });
            }
            Value::Poison => {}
            _ => {
                let written = path.to_token_stream().to_string().replace(' ', "");
                self.errors.unsupported(
                    value.span(),
                    &format!("`{written}` of several values"),
                    "make a struct of them",
                );
                return Value::Poison;
            }
        }
        held
    }

    /// The reference behind others.
    fn reference_of(&self, value: Value) -> Value {
        let mut value = value;
        while value.refs().depth > 1 {
            value = value.dereferenced();
        }
        value
    }

    /// Whether a value is an `Rc` or an `Arc`, or a reference to one.
    pub fn is_counted(&self, value: &Value) -> bool {
        matches!(value, Value::Active(a) if a.refs.depth > 0 && a.place.path.is_empty() && self.fact(a.place.root).counted)
    }
}
