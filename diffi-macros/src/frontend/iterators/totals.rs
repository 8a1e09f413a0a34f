//! `.sum::<Point>()` as the fold that the type's `impl Sum` is.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Chain;
use crate::frontend::syntax::types;
use crate::ir::Ty;
use crate::support::syntax::strip_parens;
use quote::quote;
use syn::spanned::Spanned;

impl Lower {
    /// The total of a chain of active values as a fold, where the type that is written is no float.
    pub fn total_of_a_type(&mut self, chain: &Chain, m: &syn::ExprMethodCall) -> Option<syn::ExprMethodCall> {
        let sums = m.method == "sum";
        let syn::GenericArgument::Type(ty) = m.turbofish.as_ref()?.args.first()? else { return None };
        let user = (sums || m.method == "product") && types::describe(ty, &self.base) == Ty::Unknown && is_named(ty);
        if !user || self.complex {
            return None;
        }
        let behind = self.behind_references(chain)?;
        let (receiver, span) = (&m.receiver, m.span());
        let item = if behind { quote!(&'static #ty) } else { quote!(#ty) };
        let start = |op| quote!(<#ty as __d::library::Total<__d::library::op::#op, #item>>::start());
        let (start, step) = match sums {
            true => (start(quote!(Add)), quote!(|sum, item| sum + item)),
            false => (start(quote!(Mul)), quote!(|product, item| product * item)),
        };
        Some(syn::parse_quote_spanned!(span=> #receiver.fold(#start, #step)))
    }

    /// Whether a chain gives references; nothing if what it gives carries no derivative.
    fn behind_references(&mut self, chain: &Chain) -> Option<bool> {
        let (before, mut behind) = (self.snapshot_state(), None);
        self.drive(chain, None, &mut |_, item, _| {
            if item.is_active() {
                behind = Some(item.refs().depth > 0);
            }
        });
        self.restore_state(before);
        behind
    }
}

/// A type that is written out: `Point`, `Vec3<T>`; no `_`, and no `Option` of something else.
fn is_named(ty: &syn::Type) -> bool {
    let syn::Type::Path(p) = ty else { return false };
    p.path.segments.last().is_some_and(|s| s.ident != "Option" && s.ident != "Result")
}

/// `items.sum::<Point>()`, where the type stands elsewhere.
pub fn with_its_type(total: &syn::Expr, ty: &syn::Type) -> Option<syn::Expr> {
    let syn::Expr::MethodCall(m) = strip_parens(total) else { return None };
    let total = m.method == "sum" || m.method == "product" || m.method == "collect" && types::carried(ty).is_some();
    let plain = total && m.args.is_empty() && m.turbofish.is_none();
    plain.then(|| {
        let (receiver, method) = (&m.receiver, &m.method);
        syn::parse_quote_spanned!(m.method.span()=> #receiver.#method::<#ty>())
    })
}
