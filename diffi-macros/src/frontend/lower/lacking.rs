//! Calls of functions and operators that have no attribute, as far as the text around shows it.

use crate::frontend::lower::calls::{MOST_ARGUMENTS, MOST_CALLEES};
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::frontend::unannotated::operator_trait;
use crate::ir::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;

impl Lower {
    /// The type in place of the handle that an associated function does not have.
    pub fn lacking(&mut self, path: &syn::ExprPath, args: &[CallArg]) -> Option<Callee> {
        let owner = self.unannotated.as_ref()?.associated(path)?;
        self.without_handle(&owner, path, args)
    }

    /// The type in place of the handle that a method does not have, by which rustc says so, and the function's path.
    pub fn lacking_method(&mut self, m: &syn::ExprMethodCall, args: &[CallArg]) -> Option<(Callee, TokenStream)> {
        let (owner, name) = (self.unannotated.as_ref()?.method(&m.receiver, &m.method)?, &m.method);
        let owner_name = Ident::new(&owner, Span::call_site());
        let path = syn::parse_quote!(#owner_name::#name);
        Some((self.without_handle(&owner, &path, args)?, quote!(#path)))
    }

    /// rustc says once of each type, at the first call, that the attribute is missing there.
    fn without_handle(&mut self, owner: &str, path: &syn::ExprPath, args: &[CallArg]) -> Option<Callee> {
        let span = path.path.segments.last()?.ident.span();
        let is_active = args.iter().any(|a| !matches!(a, CallArg::Passive(_) | CallArg::Lent(_)));
        if !is_active || args.len() > MOST_ARGUMENTS || self.callees.len() >= MOST_CALLEES {
            return None;
        }
        let (at, is_new) = self.callee_at(path, args.len());
        let (of, module) = (format_ident!("of_{}", args.len()), format_ident!("n{at}"));
        let first = self.unannotated.as_ref()?.first_call(owner, span);
        let (handle, name) = (format_ident!("__callee_{at}"), format_ident!("{WITHOUT_HANDLE}{at}", span = first));
        is_new.then(|| self.item_once(quote!(use __d::handles::#of::#module::#handle as #name;)));
        Some(Callee::Function(quote!(#name)))
    }

    /// What `a + b` gives where the type of an operand has that operator without the attribute.
    pub fn lacking_operator(&mut self, b: &syn::ExprBinary, operands: &[Value; 2]) -> Option<Value> {
        let (of_trait, name) = operator_trait(&b.op)?;
        let owner = self.unannotated.as_ref()?.operator((&b.left, Some(&b.right)), name)?;
        self.lacking_of(&owner, (of_trait, name), operands, operator_span(b))
    }

    /// The same of `-a`.
    pub fn lacking_negation(&mut self, u: &syn::ExprUnary, operand: &Value) -> Option<Value> {
        let owner = self.unannotated.as_ref()?.operator((&u.expr, None), "neg")?;
        self.lacking_of(&owner, ("Neg", "neg"), std::slice::from_ref(operand), u.op.span())
    }

    /// The same of `a += b`: whether it was refused.
    pub fn lacking_update(&mut self, b: &syn::ExprBinary, target: &Value, right: &Value) -> bool {
        let Value::Active(a) = target else { return false };
        let Some((of_trait, name)) = operator_trait(&b.op) else { return false };
        let owner = self.unannotated.as_ref().and_then(|all| all.operator((&b.left, Some(&b.right)), name));
        let Some(owner) = owner else { return false };
        let args = vec![CallArg::Mut(a.place.clone()), self.lacking_operand(right, b.span())];
        self.info_mut(a.place.root).mutable = true;
        self.lacking_call(&owner, (of_trait, name), args, operator_span(b)).is_some()
    }

    fn lacking_of(&mut self, owner: &str, function: (&str, &str), operands: &[Value], span: Span) -> Option<Value> {
        let args = operands.iter().map(|v| self.lacking_operand(v, span)).collect();
        self.lacking_call(owner, function, args, span)
    }

    fn lacking_operand(&self, value: &Value, span: Span) -> CallArg {
        match value {
            Value::Active(a) => CallArg::Ref(a.place.clone()),
            value => CallArg::Passive(self.show(value, span)),
        }
    }

    fn lacking_call(
        &mut self,
        owner: &str,
        (of_trait, name): (&str, &str),
        args: Vec<CallArg>,
        span: Span,
    ) -> Option<Value> {
        let (of_trait, name) = (format_ident!("{of_trait}"), Ident::new(name, span));
        let owner_name = format_ident!("{}", owner.split(' ').next().unwrap_or(owner));
        let path = syn::parse_quote!(#owner_name::#name);
        let callee = self.without_handle(&format!("{owner} {of_trait}"), &path, &args)?;
        let written = quote!(::core::ops::#of_trait::#name);
        Some(self.result_of(Call::new(callee, written, args), "made", span))
    }
}

/// Where an operator stands.
fn operator_span(b: &syn::ExprBinary) -> Span {
    b.op.span()
}
