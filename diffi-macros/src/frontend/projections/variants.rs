//! Variants under their names alone, `Circle(r)` after `use Shape::*`, which alone do not show that they are none of structs.
//!
//! They are written out behind their enum's path, as the imports of the function's module and of its blocks have it. A name that the module
//! gives an item of its own is left. Where the path is that of another item, generated code does not compile.

use super::defined::{Defined, beside};
use super::definitions::{nearest, type_name};
use crate::support::tokens::names::with_names;
use crate::support::tokens::position;
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// What an import takes from an enum: its path, and a variant and its name here; none for all of them.
#[derive(Clone, Debug)]
pub struct VariantImport {
    path: Vec<String>,
    variant: Option<(String, String)>,
    pub module: Range<usize>,
}

/// The function with variants behind their enums.
pub fn with_enums(mut item: syn::ItemFn) -> syn::ItemFn {
    let Some(at) = position() else { return item };
    let files = beside(&at.file);
    let Some(here) = files.first() else { return item };
    let mut inside = Imports::default();
    inside.visit_block(&item.block);
    let around = nearest(&here.variant_imports, at.line, |import| &import.module);
    let around = around.into_iter().filter(|import| import.module.contains(&at.line));
    let mut paths: HashMap<String, Vec<syn::Path>> = HashMap::new();
    for import in around.chain(&inside.imports) {
        import.add_to(&mut paths, &files);
    }
    let own = |name: &String| here.items.get(name).is_some_and(|all| all.iter().any(|m| m.contains(&at.line)));
    let is_one = |(name, mut all): (String, Vec<syn::Path>)| {
        all.dedup();
        let (path, None) = (all.pop()?, all.pop()) else { return None };
        (!own(&name) && !inside.items.contains(&name)).then_some((name, path))
    };
    let paths: HashMap<String, syn::Path> = paths.into_iter().filter_map(is_one).collect();
    if !paths.is_empty() {
        Written { paths }.visit_block_mut(&mut item.block);
    }
    item
}

/// The function with raw names for variants of own enums that are named like those of std, `Load::None`: rustc takes both for the same, and
/// nothing that knows std's by their names does.
pub fn with_raw_variants(mut item: syn::ItemFn, owner: Option<&syn::Type>) -> syn::ItemFn {
    let enums = || {
        let files = beside(&position()?.file);
        let all = files.iter().flat_map(|file| &file.enums);
        let names = all
            .flat_map(|(of, names)| names.iter().filter(|name| is_of_std(name)).map(|name| (of.clone(), name.clone())));
        Some(names.collect::<HashSet<(String, String)>>()).filter(|own| !own.is_empty())
    };
    if let Some(own) = enums() {
        Raw { own, this: owner.and_then(type_name).map(ToString::to_string) }.visit_item_fn_mut(&mut item);
    }
    item
}

/// Gives such variants raw names.
struct Raw {
    /// The enums, and their variants.
    own: HashSet<(String, String)>,
    /// What `Self` is.
    this: Option<String>,
}

impl VisitMut for Raw {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        visit_mut::visit_path_mut(self, path);
        let of = path.segments.iter().rev().nth(1).map(|of| of.ident.to_string());
        let of = of.map(|of| if of == "Self" { self.this.clone().unwrap_or(of) } else { of });
        let (Some(of), Some(last)) = (of, path.segments.last_mut()) else { return };
        if self.own.contains(&(of, last.ident.to_string())) {
            last.ident = Ident::new_raw(&last.ident.to_string(), last.ident.span());
        }
    }
}

/// The imports of variants in a tree, in a module.
pub fn imports_of(item: &syn::ItemUse, module: &Range<usize>) -> Vec<VariantImport> {
    let mut found = Vec::new();
    add(&item.tree, &mut Vec::new(), module, &mut found);
    found
}

/// Whether a text may import variants.
pub fn imports_any(text: &str) -> bool {
    text.match_indices("use ").any(|(at, _)| {
        let import = text[at..].split(';').next().unwrap_or_default();
        let owners = import.match_indices("::").filter_map(|(end, _)| last_word(&import[..end]).chars().next());
        owners.into_iter().any(char::is_uppercase)
    })
}

fn last_word(text: &str) -> &str {
    text.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

fn add(tree: &syn::UseTree, path: &mut Vec<String>, module: &Range<usize>, found: &mut Vec<VariantImport>) {
    let variant = match tree {
        syn::UseTree::Path(p) => {
            path.push(p.ident.to_string());
            add(&p.tree, path, module, found);
            path.pop();
            return;
        }
        syn::UseTree::Group(g) => return g.items.iter().for_each(|item| add(item, path, module, found)),
        syn::UseTree::Glob(_) => None,
        syn::UseTree::Name(n) => Some((n.ident.to_string(), n.ident.to_string())),
        syn::UseTree::Rename(r) => Some((r.ident.to_string(), r.rename.to_string())),
    };
    let of_enum = path.last().is_some_and(|owner| starts_upper(owner));
    let of_variant = variant.as_ref().is_none_or(|(name, _)| starts_upper(name) && !is_of_std(name));
    if of_enum && of_variant {
        found.push(VariantImport { path: path.clone(), variant, module: module.clone() });
    }
}

fn starts_upper(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// The variants that need no import.
fn is_of_std(name: &str) -> bool {
    ["Some", "None", "Ok", "Err"].contains(&name)
}

impl VariantImport {
    fn add_to(&self, paths: &mut HashMap<String, Vec<syn::Path>>, files: &[Rc<Defined>]) {
        let owner = self.path.last().map(String::as_str).unwrap_or_default();
        let mut add = |name: &String, variant: &str| paths.entry(name.clone()).or_default().extend(self.to(variant));
        match &self.variant {
            Some((variant, name)) => add(name, variant),
            None => {
                let all = files.iter().find_map(|file| file.enums.get(owner)).into_iter().flatten();
                all.for_each(|variant| add(variant, variant));
            }
        }
    }

    fn to(&self, variant: &str) -> Option<syn::Path> {
        syn::parse_str(&format!("{}::{variant}", self.path.join("::"))).ok()
    }
}

/// Finds the imports of blocks, and the names of their items.
#[derive(Default)]
struct Imports {
    imports: Vec<VariantImport>,
    items: HashSet<String>,
}

impl<'a> Visit<'a> for Imports {
    fn visit_item(&mut self, item: &'a syn::Item) {
        self.items.extend(names_of(item));
        if let syn::Item::Use(item) = item {
            self.imports.extend(imports_of(item, &(0..usize::MAX)));
        }
        visit::visit_item(self, item);
    }
}

/// The names that an item declares, or imports from elsewhere than an enum.
pub fn names_of(item: &syn::Item) -> Vec<String> {
    let name = match item {
        syn::Item::Const(i) => &i.ident,
        syn::Item::Static(i) => &i.ident,
        syn::Item::Fn(i) => &i.sig.ident,
        syn::Item::Struct(i) => &i.ident,
        syn::Item::Enum(i) => &i.ident,
        syn::Item::Union(i) => &i.ident,
        syn::Item::Type(i) => &i.ident,
        syn::Item::Use(i) => {
            let mut names = Vec::new();
            others(&i.tree, false, &mut names);
            return names;
        }
        _ => return Vec::new(),
    };
    vec![name.to_string()]
}

fn others(tree: &syn::UseTree, of_enum: bool, names: &mut Vec<String>) {
    match tree {
        syn::UseTree::Path(p) => others(&p.tree, starts_upper(&p.ident.to_string()), names),
        syn::UseTree::Group(g) => g.items.iter().for_each(|item| others(item, of_enum, names)),
        syn::UseTree::Name(n) => names.extend((!of_enum).then(|| n.ident.to_string())),
        syn::UseTree::Rename(r) => names.extend((!of_enum).then(|| r.rename.to_string())),
        syn::UseTree::Glob(_) => {}
    }
}

/// Writes variants behind their enums.
struct Written {
    paths: HashMap<String, syn::Path>,
}

impl Written {
    fn of(&self, name: &Ident) -> Option<syn::Path> {
        let mut path = self.paths.get(&name.to_string())?.clone();
        path.segments.iter_mut().for_each(|segment| segment.ident.set_span(name.span()));
        Some(path)
    }

    fn write(&self, path: &mut syn::Path) {
        if let Some(known) = path.get_ident().and_then(|name| self.of(name)) {
            *path = known;
        }
    }
}

impl VisitMut for Written {
    fn visit_expr_path_mut(&mut self, e: &mut syn::ExprPath) {
        if e.qself.is_none() {
            self.write(&mut e.path);
        }
    }

    fn visit_expr_struct_mut(&mut self, e: &mut syn::ExprStruct) {
        self.write(&mut e.path);
        visit_mut::visit_expr_struct_mut(self, e);
    }

    fn visit_pat_mut(&mut self, pattern: &mut syn::Pat) {
        match pattern {
            syn::Pat::TupleStruct(p) => self.write(&mut p.path),
            syn::Pat::Struct(p) => self.write(&mut p.path),
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => {
                if let Some(path) = self.of(&p.ident) {
                    *pattern = syn::parse_quote!(#path);
                }
            }
            _ => {}
        }
        visit_mut::visit_pat_mut(self, pattern);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = with_names(std::mem::take(&mut mac.tokens), &|name| match self.of(name) {
            Some(path) => path.to_token_stream(),
            None => name.to_token_stream(),
        });
    }
}
