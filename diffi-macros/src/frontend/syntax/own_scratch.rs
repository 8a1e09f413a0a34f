//! Scratch that a function makes longer or shorter: derivative code has scratch of its own instead.
//!
//! The cotangents of a parameter are as long as it is when the function begins, and the reverse sweep wants them as long as it is in the end. What
//! scratch holds when the function begins does not count, so a copy of it serves as well, and a local variable has its cotangents in the end.

use crate::frontend::syntax::types::{is_float_path, is_library};
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::visit::{self, Visit};

/// Methods that leave a list as long as it is.
const KEEPING: &[&str] = &[
    "len",
    "is_empty",
    "iter",
    "iter_mut",
    "fill",
    "fill_with",
    "swap",
    "reverse",
    "first",
    "first_mut",
    "last",
    "last_mut",
    "get",
    "get_mut",
    "chunks",
    "chunks_mut",
    "chunks_exact",
    "chunks_exact_mut",
    "windows",
    "split_at",
    "split_at_mut",
    "copy_from_slice",
    "clone_from_slice",
    "rotate_left",
    "rotate_right",
    "sort_by",
    "sort_unstable_by",
    "as_slice",
    "as_mut_slice",
    "to_vec",
];

/// The function as derivative code has it.
pub fn with_own_scratch(mut item: syn::ItemFn, scratch: &[Ident]) -> syn::ItemFn {
    let is_scratch = |name: &&Ident| scratch.contains(name);
    let lists: Vec<Ident> = item.sig.inputs.iter().filter_map(holder).filter(is_scratch).cloned().collect();
    for name in lists {
        let mut uses = Uses { name: &name, resizes: false };
        uses.visit_block(&item.block);
        if uses.resizes {
            let own = format_ident!("__own_{name}", span = Span::call_site());
            let copy: [syn::Stmt; 2] =
                [syn::parse_quote!(let mut #own = #name.clone();), syn::parse_quote!(let #name = &mut #own;)];
            item.block.stmts.splice(0..0, copy);
        }
    }
    item
}

/// The name of a parameter that is an exclusive reference to a list, or to a type that may hold one.
fn holder(input: &syn::FnArg) -> Option<&Ident> {
    let syn::FnArg::Typed(p) = input else { return None };
    let (syn::Pat::Ident(name), syn::Type::Reference(to)) = (&*p.pat, &*p.ty) else { return None };
    let syn::Type::Path(ty) = &*to.elem else { return None };
    let last = ty.path.segments.last().filter(|_| to.mutability.is_some())?;
    let fixed = is_library(&last.ident.to_string()) || is_float_path(&ty.path);
    (!fixed).then_some(&name.ident)
}

/// Whether a variable is used in a way that may make lists in it longer or shorter.
struct Uses<'n> {
    name: &'n Ident,
    resizes: bool,
}

impl Uses<'_> {
    /// Whether an expression is the variable, or a field of it.
    fn is_in(&self, e: &syn::Expr) -> bool {
        match strip_parens(e) {
            syn::Expr::Path(p) => p.path.is_ident(self.name),
            syn::Expr::Field(f) => self.is_in(&f.base),
            _ => false,
        }
    }
}

impl<'a> Visit<'a> for Uses<'_> {
    fn visit_expr(&mut self, e: &'a syn::Expr) {
        match e {
            syn::Expr::Index(i) if self.is_in(&i.expr) => self.visit_expr(&i.index),
            syn::Expr::MethodCall(m) if self.is_in(&m.receiver) => {
                self.resizes |= !KEEPING.iter().any(|keeping| m.method == keeping);
                m.args.iter().for_each(|a| self.visit_expr(a));
            }
            syn::Expr::Assign(a) if self.is_in(&a.left) => {
                self.resizes = true;
                self.visit_expr(&a.right);
            }
            syn::Expr::Reference(r) if self.is_in(&r.expr) => self.resizes |= r.mutability.is_some(),
            syn::Expr::Field(_) if self.is_in(e) => {}
            syn::Expr::Path(_) => self.resizes |= self.is_in(e),
            _ => visit::visit_expr(self, e),
        }
    }
}
