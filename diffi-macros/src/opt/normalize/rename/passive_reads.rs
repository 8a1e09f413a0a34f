//! Passive code that reads what changes later and has no versions: arrays and their lengths, and what statements change through references,
//! `bump(&mut i)`, `std::mem::swap(&mut i, &mut j)`.
//!
//! The sweeps do not evaluate such code again: arguments of calls that read it get a name, and indices that read what changes through references.

use super::Versions;
use crate::ir::visit::parts::mutable;
use crate::ir::*;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

impl Versions {
    /// The indices of a simple statement's places, as they are now.
    pub(super) fn name_indices(&mut self, stmt: &mut Stmt) {
        if !matches!(stmt, Stmt::Let { .. } | Stmt::Assign { .. } | Stmt::Push { .. } | Stmt::Swap { .. }) {
            return;
        }
        mutable::head(stmt, &mut |part| {
            if let mutable::Part::Place(place, _) = part {
                place.indices_mut(&mut |index| self.name_index(index));
            }
        });
    }

    fn name_index(&mut self, index: &mut PassiveCode) {
        if self.is_changed_unseen(index) {
            self.passive_code(index);
            *index = self.named("at", index.clone());
        }
    }

    /// Arguments without derivatives, as the call sees them.
    pub(super) fn name_passive_argument(&mut self, arg: &mut CallArg) {
        let CallArg::Passive(code) = arg else { return };
        let lends = code.reads.iter().any(|v| self.vars[v.0 as usize].seen == ViewForm::Left);
        let reference = self.behind.iter().any(|v| self.vars[v.0 as usize].name == code.tokens.to_string());
        if lends || reference || !self.is_changed(code) {
            return;
        }
        let span = code.span;
        *code = match Borrow::of(&code.tokens) {
            Borrow::Exclusive => return,
            Borrow::Shared => {
                let copy = self.named("kept", code.clone().map(|code| quote!(__d::kept_for_sweeps(#code))));
                copy.map(|copy| quote!(&#copy))
            }
            Borrow::None => self.named("kept", code.clone()).map(|kept| quote!(__d::left(&#kept))),
        };
        code.span = span;
    }

    /// Whether passive code reads what changes later, and has no versions, or the length of what becomes longer or shorter.
    fn is_changed(&self, code: &PassiveCode) -> bool {
        let changes = |v: &Var| !self.scalars.contains(v) && !self.writes.stable(*v, &self.here);
        code.reads.iter().any(changes) || code.shapes.iter().any(|v| !self.writes.keeps_shape(*v, &self.here))
    }

    /// The same of variables that carry no derivatives.
    fn is_changed_unseen(&self, code: &PassiveCode) -> bool {
        let unseen = |v: &Var| !self.scalars.contains(v) && self.vars[v.0 as usize].ty == Ty::Passive;
        code.reads.iter().any(|v| unseen(v) && !self.writes.stable(*v, &self.here))
    }

    /// `let name = code`.
    pub(super) fn named(&mut self, hint: &str, code: PassiveCode) -> PassiveCode {
        let var = Var(self.vars.len() as u32);
        let name = Ident::new(&format!("__v{}_{hint}", var.0), code.span);
        let (hint, ty, span) = (hint.to_owned(), Ty::Passive, code.span);
        let (written, mutable, changes, named, carrier) = (None, false, false, false, false);
        let seen = ViewForm::Whole;
        self.vars.push(VarInfo { name, hint, ty, written, mutable, changes, named, carrier, seen, span });
        self.out.push(Stmt::Let { var, expr: Expr::Passive(code) });
        PassiveCode::var(var, &self.vars[var.0 as usize])
    }
}

/// How an argument is passed, as far as its first words tell.
enum Borrow {
    None,
    Shared,
    Exclusive,
}

impl Borrow {
    fn of(tokens: &TokenStream) -> Self {
        let mut trees = tokens.clone().into_iter();
        match (trees.next(), trees.next()) {
            (Some(TokenTree::Group(group)), None) if group.delimiter() != Delimiter::Brace => {
                Borrow::of(&group.stream())
            }
            (Some(TokenTree::Punct(and)), next) if and.as_char() == '&' => {
                let is_mut = next.is_some_and(|next| next.to_token_stream().to_string() == "mut");
                if is_mut { Borrow::Exclusive } else { Borrow::Shared }
            }
            _ => Borrow::None,
        }
    }
}
