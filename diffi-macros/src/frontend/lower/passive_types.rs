//! Types of constants that stand beside active values in a list, as far as their text tells.

use crate::frontend::inline;
use crate::frontend::lower::structs;
use crate::frontend::state::context::Lower;
use crate::frontend::syntax::types;
use crate::ir::*;
use crate::support::syntax::strip_parens;

impl Lower {
    /// The type of an element of an active list. A constant is a float where its text tells nothing else.
    pub fn element_ty(&mut self, element: &Operand) -> Ty {
        let Operand::Passive(o) = element else { return self.operand_ty(element) };
        self.shown_ty(o).unwrap_or(Ty::Float)
    }

    /// The type of a constant, if its text tells that it is no float.
    pub fn shown_ty(&mut self, o: &PassiveCode) -> Option<Ty> {
        if structs::is_of_its_type(o) || structs::is_none(o) {
            return Some(Ty::Struct(Default::default()));
        }
        let ty = self.type_shown(&syn::parse2(o.tokens.clone()).ok()?)?;
        match types::describe_variable(&ty, &self.base) {
            Ty::Unknown => Some(self.struct_of(&ty).unwrap_or(Ty::Unknown)),
            Ty::Float => None,
            shown => Some(shown),
        }
    }

    /// The type that a block's last variable is written with, or that a function of the module gives.
    fn type_shown(&self, e: &syn::Expr) -> Option<syn::Type> {
        match strip_parens(e) {
            syn::Expr::Block(b) => written_in(&b.block),
            syn::Expr::Call(c) => match strip_parens(&c.func) {
                syn::Expr::Path(p) => {
                    let name = p.path.get_ident().filter(|name| self.scope.get(name).is_none())?;
                    inline::result_of(name)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// `T` of `{ ..; let value: T = ..; value }`.
fn written_in(block: &syn::Block) -> Option<syn::Type> {
    let (last, before) = block.stmts.split_last()?;
    let syn::Stmt::Expr(syn::Expr::Path(value), None) = last else { return None };
    let value = value.path.get_ident()?;
    before.iter().rev().find_map(|statement| match statement {
        syn::Stmt::Local(syn::Local { pat: syn::Pat::Type(typed), .. }) => match &*typed.pat {
            syn::Pat::Ident(p) if p.ident == *value => Some((*typed.ty).clone()),
            _ => None,
        },
        _ => None,
    })
}
