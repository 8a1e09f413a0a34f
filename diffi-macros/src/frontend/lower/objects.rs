//! Trait objects: the names of their methods' derivative code, and variables that hold them.

use crate::frontend::lower::calls::OF_OBJECT;
use crate::frontend::state::context::Lower;
use crate::frontend::syntax::objects::object_in;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::Ident;
use quote::format_ident;

impl Lower {
    /// The name of a method; of a trait object, whose derivative code has a name of its own, that one.
    pub fn name_on(&self, receiver: &syn::Expr, name: &Ident, args: &[CallArg]) -> Ident {
        let is_passive = |a: &CallArg| matches!(a, CallArg::Passive(_) | CallArg::Lent(_));
        let is_active = args.first().is_some_and(is_passive) && !args.iter().all(is_passive);
        match is_active && self.objects.is_object(receiver) {
            true => format_ident!("{}{OF_OBJECT}", name.to_string().trim_start_matches("r#"), span = name.span()),
            false => name.clone(),
        }
    }

    /// The type of a variable; none, where that is an object of active fields whose own type the value shows. Others are refused.
    pub fn without_object<'t>(&mut self, ty: Option<&'t syn::Type>, init: &syn::Expr) -> Option<Option<&'t syn::Type>> {
        let Some(span) = ty.and_then(object_in).filter(|_| self.act(init).any()) else { return Some(ty) };
        if shows_its_type(init) {
            return Some(None);
        }
        let instead =
            "leave out the type, and the variable has that of its value; or take an `enum` of the implementors";
        self.errors.unsupported(span, "the fields of what stands behind `dyn`", instead);
        None
    }
}

/// `Box::new(value)`, `&value`.
fn shows_its_type(init: &syn::Expr) -> bool {
    match strip_parens(init) {
        syn::Expr::Reference(r) => r.mutability.is_none(),
        syn::Expr::Call(c) => matches!(&*c.func, syn::Expr::Path(p) if {
            let path: Vec<String> = p.path.segments.iter().map(|s| s.ident.to_string()).collect();
            matches!(&path[..], [.., owner, new] if new == "new" && ["Box", "Rc", "Arc"].contains(&owner.as_str()))
        }),
        _ => false,
    }
}
