//! How the types of a file are cloned: by a derived `Clone`, or by one that a user wrote, which may give anything.

use super::copying_clones::copies;
use super::definitions::type_name;
use crate::support::errors;
use crate::support::syntax::is_annotated;
use crate::support::tokens::position;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};

/// How a type is cloned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cloning {
    /// By the derived `Clone`.
    Derived,
    /// By one that a user wrote.
    ByHand,
    /// No text shows it.
    Unknown,
}

/// What a file says of the clones of types.
#[derive(Debug, Default)]
pub struct Clones {
    /// Whether all types of a name derive `Clone`.
    derived: HashMap<String, bool>,
    /// The types with a `fn clone`.
    by_hand: HashSet<String>,
    /// Those of which the text does not show that it copies.
    changing: HashSet<String>,
    /// The types that carry derivatives: their code tries the `Clone`.
    tried: HashSet<String>,
    /// What gives values of other types, by its name: a function, a field's type, a constant. With the tokens of these types.
    givers: Vec<(String, TokenStream)>,
    /// Whether a macro writes a `fn clone`.
    in_macros: bool,
}

impl Clones {
    /// Those of a file.
    pub fn of(file: &syn::File) -> Self {
        let mut clones = Clones::default();
        clones.visit_file(file);
        clones.changing.retain(|name| !clones.tried.contains(name));
        while !clones.changing.is_empty() && clones.follow() {}
        clones
    }

    /// Adds what gives a value of a type that is known to change, and says whether that was anything.
    fn follow(&mut self) -> bool {
        let gives = |(name, ty): &&(String, TokenStream)| {
            !self.changing.contains(name) && first_of(&self.changing, ty.clone()).is_some()
        };
        let more: Vec<String> = self.givers.iter().filter(gives).map(|(name, _)| name.clone()).collect();
        let found = !more.is_empty();
        self.changing.extend(more);
        found
    }

    fn declared(&mut self, name: &Ident, attrs: &[syn::Attribute], fields: TokenStream) {
        let derives = derives(attrs, "Clone");
        match derives_differentiable(attrs) {
            true => drop(self.tried.insert(name.to_string())),
            false => self.givers.push((name.to_string(), fields)),
        }
        self.derived.entry(name.to_string()).and_modify(|all| *all &= derives).or_insert(derives);
    }
}

impl<'a> Visit<'a> for Clones {
    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        self.declared(&item.ident, &item.attrs, item.fields.to_token_stream());
    }

    fn visit_item_enum(&mut self, item: &'a syn::ItemEnum) {
        self.declared(&item.ident, &item.attrs, item.variants.to_token_stream());
    }

    fn visit_item_impl(&mut self, block: &'a syn::ItemImpl) {
        let clone = block.items.iter().find_map(|item| match item {
            syn::ImplItem::Fn(f) if f.sig.ident == "clone" => Some(f),
            _ => None,
        });
        if let (Some(_), Some(clone), Some(owner)) = (&block.trait_, clone, type_name(&block.self_ty)) {
            self.by_hand.insert(owner.to_string());
            if !copies(&clone.block, owner) || block.items.len() > 1 {
                self.changing.insert(owner.to_string());
            }
        }
        visit::visit_item_impl(self, block);
    }

    fn visit_item_fn(&mut self, f: &'a syn::ItemFn) {
        self.givers.push((f.sig.ident.to_string(), f.sig.output.to_token_stream()));
        visit::visit_item_fn(self, f);
    }

    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        self.givers.push((item.ident.to_string(), item.ty.to_token_stream()));
    }

    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        self.givers.push((item.ident.to_string(), item.ty.to_token_stream()));
    }

    fn visit_item_type(&mut self, item: &'a syn::ItemType) {
        self.givers.push((item.ident.to_string(), item.ty.to_token_stream()));
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        self.in_macros |= mac.tokens.to_string().contains("fn clone");
    }
}

fn derives(attrs: &[syn::Attribute], name: &str) -> bool {
    let mut found = false;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("derive")) {
        let parsed = attr.parse_nested_meta(|meta| {
            found |= meta.path.segments.last().is_some_and(|last| last.ident == name);
            Ok(())
        });
        found &= parsed.is_ok();
    }
    found
}

fn derives_differentiable(attrs: &[syn::Attribute]) -> bool {
    derives(attrs, "Differentiable") || is_annotated(attrs)
}

/// The first of these names in some tokens.
fn first_of(names: &HashSet<String>, tokens: TokenStream) -> Option<Ident> {
    tokens.into_iter().find_map(|tree| match tree {
        TokenTree::Ident(name) if names.contains(&name.to_string()) => Some(name),
        TokenTree::Group(group) => first_of(names, group.stream()),
        _ => None,
    })
}

/// Refuses a function that names a type of constants whose `Clone` may change them: derivative code copies where the function moves, and no
/// code of such a type tries its `Clone`.
pub fn refuse_changing(item: &syn::ItemFn) -> syn::Result<()> {
    let files = position().map(|at| super::defined::beside(&at.file)).unwrap_or_default();
    let Some(clones) = files.first().map(|file| &file.clones).filter(|clones| !clones.changing.is_empty()) else {
        return Ok(());
    };
    let tokens = [item.sig.inputs.to_token_stream(), item.sig.output.to_token_stream(), item.block.to_token_stream()];
    let named = first_of(&clones.changing, tokens.into_iter().collect());
    named.map_or(Ok(()), |name| Err(errors::changing_clone(&name)))
}

/// How the type is cloned whose declaration stands at the attribute at hand.
pub fn cloning(name: &Ident) -> Cloning {
    let name = name.to_string();
    let files = position().map(|at| super::defined::beside(&at.file)).unwrap_or_default();
    let derived = files.first().and_then(|file| file.clones.derived.get(&name));
    match derived {
        Some(true) => Cloning::Derived,
        _ if files.iter().any(|file| file.clones.by_hand.contains(&name)) => Cloning::ByHand,
        _ if files.iter().any(|file| file.clones.in_macros) => Cloning::ByHand,
        _ => Cloning::Unknown,
    }
}

/// Whether a user wrote the `Clone` of a type that is named here.
pub fn is_cloned_by_hand(name: &str) -> bool {
    let files = position().map(|at| super::defined::beside(&at.file)).unwrap_or_default();
    files.iter().any(|file| file.clones.by_hand.contains(name))
}
