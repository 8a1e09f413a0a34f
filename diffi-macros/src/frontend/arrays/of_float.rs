//! Of which float a constant of a library's type is, where derivative code alone does not say so.

use crate::frontend::arrays::nalgebra;
use crate::frontend::state::context::Lower;
use crate::ir::Base;
use crate::support::syntax::is_constant;
use proc_macro2::Ident;

/// `Complex::new(0.0, 1.0)` of `Complex::new(0.0, 1.0).of_f64()`.
pub fn without_float(expr: syn::Expr) -> syn::Expr {
    match expr {
        syn::Expr::MethodCall(m) if m.method == "of_f64" || m.method == "of_f32" => *m.receiver,
        other => other,
    }
}

impl Lower {
    /// What says of which float a passive `Complex::new(0.0, 1.0)` or `Vector3::x_axis()` is, where derivative code alone does not.
    pub fn of_its_float(&self, expr: &syn::Expr) -> Option<Ident> {
        let path = match expr {
            syn::Expr::Call(c) => match &*c.func {
                syn::Expr::Path(p) => &p.path,
                _ => return None,
            },
            syn::Expr::Path(p) if is_constant(&p.path) => &p.path,
            _ => return None,
        };
        let owner = path.segments.iter().rev().nth(1)?;
        let Base::Concrete(float) = &self.base else { return None };
        let complex = || self.complex && owner.ident == "Complex";
        let plain = owner.arguments.is_empty() && (complex() || nalgebra::is_type(&owner.ident.to_string()));
        plain.then(|| Ident::new(&format!("of_{float}"), owner.ident.span()))
    }
}
