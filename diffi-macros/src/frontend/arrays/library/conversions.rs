//! `Luv::from(xyz)`, where several `impl From` convert into `Luv`: an operation whose rule rustc finds by the type of the argument.

use super::library;
use crate::frontend::projections::definitions::type_name;
use crate::frontend::projections::passing::{converted_by_several, is_made_of_own};
use crate::frontend::state::context::{Lower, Origin};
use crate::frontend::state::value::Value;
use crate::ir::*;
use proc_macro2::Span;
use quote::{quote, quote_spanned};

impl Lower {
    /// The conversion by the rule of its types, if there are several.
    pub fn conversion(&mut self, path: &syn::ExprPath, args: &[&syn::Expr], span: Span) -> Option<Value> {
        let ([arg], None) = (args, &path.qself) else { return None };
        let ty = self.converted_into(&path.path).filter(|_| self.act(arg).any())?;
        let op = quote_spanned!(span=> __d::library::op::Into::<#ty>::NEW);
        let op = CallArg::Passive(PassiveCode { span, ..PassiveCode::literal(op) });
        let value = self.active_value(arg);
        let kind = self.value_ty(&value);
        if is_float(&ty) && !matches!(kind, Ty::Unknown | Ty::Struct(_)) {
            return Some(value.dereferenced_fully()); // of a number it is that number
        }
        let operand = match self.call_arg_of(value, span) {
            CallArg::Value(Operand::Place(place)) => CallArg::Ref(place),
            other => other,
        };
        let handle = library("One", span);
        let (callee, written) = (Callee::Function(handle.clone()), quote!(#handle::call));
        let call = Call::new(callee, written, vec![op, operand]);
        let kind = if is_float(&ty) { Ty::Float } else { Ty::Unknown };
        let var = self.bind("converted", span, kind, Expr::Call(call));
        self.fact_mut(var).origin = Origin::Maker;
        Some(Value::place(Place::var(var)))
    }

    /// The type before `::from`, if there are several conversions into it.
    fn converted_into(&self, path: &syn::Path) -> Option<syn::Type> {
        let last = path.segments.last().filter(|last| last.ident == "from" && last.arguments.is_empty())?;
        let owner: Vec<_> = path.segments.iter().take(path.segments.len() - 1).collect();
        let (colon, own) = (path.leading_colon, matches!(&owner[..], [only] if only.ident == "Self"));
        if let Some(owner) = self.owner.as_ref().filter(|_| own) {
            return type_name(&owner.ty)
                .and_then(|name| converted_by_several(&name.to_string()))
                .map(|_| owner.ty.clone());
        }
        let name = owner.last()?;
        if owner.len() == 1 && is_made_of_own(&name.ident.to_string()) {
            return Some(syn::parse_quote!(#name));
        }
        let generic = converted_by_several(&name.ident.to_string())?;
        let inferred = std::iter::repeat_n(quote!(_), if name.arguments.is_none() { generic } else { 0 });
        let inferred: Vec<_> = inferred.collect();
        let inferred = (!inferred.is_empty()).then(|| quote!(::<#(#inferred),*>));
        Some(syn::parse_quote_spanned!(last.ident.span()=> #colon #(#owner)::* #inferred))
    }
}

fn is_float(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(p) if p.path.is_ident("f64") || p.path.is_ident("f32"))
}
