//! The variables that are in scope, and what is known of their types.

use super::kinds::Kind;
use super::typing::Typing;
use crate::frontend::syntax::pattern_names::names_of;
use proc_macro2::Ident;
use std::collections::HashMap;

impl Typing<'_> {
    pub(super) fn name(&mut self, name: String, kind: Option<Kind>) {
        self.scopes.last_mut().map(|scope| scope.insert(name, kind));
    }

    fn variable(&self, name: &Ident) -> Option<Kind> {
        let name = name.to_string();
        self.scopes.iter().rev().find_map(|scope| scope.get(&name)).cloned().flatten()
    }

    /// A variable or a constant.
    pub(super) fn named(&self, path: &syn::Path) -> Option<Kind> {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let (owner, text) = match &names[..] {
            [name] if self.scopes.iter().any(|scope| scope.contains_key(name)) => {
                return self.variable(&path.segments[0].ident);
            }
            [name] if !self.bound.contains(name) => (None, self.module.constants.get(&(None, name.clone()))?),
            [owner, name] => {
                let owner = if owner == "Self" { self.owner.clone()? } else { owner.clone() };
                let text = self.module.constants.get(&(Some(owner.clone()), name.clone()))?;
                (Some(owner).filter(|owner| self.is_own(owner)), text)
            }
            _ => return None,
        };
        match owner {
            Some(owner) if text == "Self" => Some(Kind::Own(owner)),
            _ => self.kind_of_text(text),
        }
    }

    /// The names of a pattern.
    pub(super) fn bind(&mut self, pattern: &syn::Pat, kind: Option<Kind>) {
        match (pattern, kind) {
            (syn::Pat::Ident(p), kind) if p.subpat.is_none() => {
                self.name(p.ident.to_string(), kind.filter(|_| p.by_ref.is_none()));
            }
            (syn::Pat::Type(p), kind) => {
                let kind = self.kind_of(&p.ty).or(kind.filter(|_| matches!(*p.ty, syn::Type::Infer(_))));
                self.bind(&p.pat, kind);
            }
            (syn::Pat::Paren(p), kind) => self.bind(&p.pat, kind),
            (syn::Pat::Reference(p), Some(Kind::Ref(inner, _))) => self.bind(&p.pat, Some(*inner)),
            (syn::Pat::Tuple(p), Some(Kind::Tuple(all))) if p.elems.len() == all.len() => {
                p.elems.iter().zip(all).for_each(|(p, kind)| self.bind(p, kind));
            }
            (pattern, _) => names_of(pattern).iter().for_each(|name| self.name(name.to_string(), None)),
        }
    }

    pub(super) fn within<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        self.scopes.push(HashMap::new());
        let result = f(self);
        self.scopes.pop();
        result
    }
}
