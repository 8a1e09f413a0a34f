//! The methods of the types around a function: those of its block, of its file, and of the files beside it.
//!
//! A method is known by its name and its type's. Where the type of a receiver is not known, all methods of the name have to be of one kind,
//! and no method of std may have it.

use super::accesses::{self, Access, Accesses};
use super::kinds::{of_function, projection};
use crate::ir::{Owner, Projection};
use crate::support::tokens::position;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The most files that are read.
const MOST_FILES: usize = 200;

/// Names of methods that std, or a library of arrays, has as well: only of a receiver whose type is known they are taken for the user's.
const OF_STD: &[&str] = &[
    "get",
    "get_mut",
    "first",
    "first_mut",
    "last",
    "last_mut",
    "as_slice",
    "as_mut_slice",
    "as_ref",
    "as_mut",
    "as_deref",
    "as_deref_mut",
    "borrow",
    "borrow_mut",
    "deref",
    "deref_mut",
    "index",
    "index_mut",
    "front",
    "front_mut",
    "back",
    "back_mut",
    "peek",
    "peek_mut",
    "entry",
    "insert",
    "get_or_insert",
    "get_or_insert_with",
    "or_insert",
    "or_insert_with",
    "or_default",
    "by_ref",
    "iter",
    "iter_mut",
    "find",
    "next",
    "max_by",
    "min_by",
    "row",
    "row_mut",
    "column",
    "column_mut",
    "view",
    "view_mut",
    "slice",
    "slice_mut",
    "as_bytes",
    "lock",
    "read",
    "write",
    "get_many_mut",
    "swap",
    "split_first",
    "split_last",
    "strip_prefix",
    "unwrap",
    "expect",
    "min",
    "max",
    "skip",
    "take",
    "nth",
];

/// A method's type, or trait, and what it returns if that is a reference into the receiver.
#[derive(Clone, Debug)]
struct Method {
    owner: String,
    /// It stands in a trait: the type that has it is not known.
    of_trait: bool,
    projection: Option<Projection>,
    /// Its block has the attribute, or it has it itself.
    annotated: bool,
    /// The lines of the module that it stands in.
    module: Range<usize>,
}

/// What is known of a method that returns a reference into its receiver.
#[derive(Clone, Debug)]
pub struct Known {
    /// What it returns.
    pub projection: Projection,
    /// The attribute says where the reference leads.
    pub annotated: bool,
    /// The receiver is of any type that implements a trait.
    pub of_trait: bool,
    /// The shared and the exclusive form lead to the same place.
    pub equal: bool,
}

impl Method {
    fn known(&self, of_trait: bool) -> Option<Known> {
        Some(Known { projection: self.projection.clone()?, annotated: self.annotated, of_trait, equal: true })
    }
}

/// A function, and into which argument the reference leads that it returns.
#[derive(Clone, Debug)]
struct Function {
    projection: Option<(Projection, usize)>,
    annotated: bool,
    module: Range<usize>,
}

/// What is known of methods, by their names.
type Methods = HashMap<String, Vec<Method>>;

/// What is known of functions, by their names.
type Functions = HashMap<String, Vec<Function>>;

/// What is known around a function: in its file, and in the others.
#[derive(Debug, Default)]
pub struct Definitions {
    here: Methods,
    elsewhere: Methods,
    functions: Functions,
    accesses: Accesses,
    /// The types that have methods, with these.
    own: HashSet<(String, String)>,
}

impl Definitions {
    /// Those around a function.
    pub fn around(owner: Option<&Owner>) -> Self {
        let mut all = Definitions::default();
        if let Some(at) = position() {
            let files = beside(&at.file);
            files.iter().take(1).for_each(|file| add(&mut all.here, &file.methods));
            all.here.values_mut().for_each(|methods| nearest(methods, at.line));
            files.iter().skip(1).for_each(|file| add(&mut all.elsewhere, &file.methods));
            all.add_functions(&files, at.line);
            all.add_accesses(&files);
        }
        owner.into_iter().for_each(|owner| all.add_block(owner));
        all.here.retain(|_, methods| methods.iter().any(|m| m.projection.is_some()));
        all.elsewhere.retain(|_, methods| methods.iter().any(|m| m.projection.is_some()));
        all
    }

    fn add_block(&mut self, owner: &Owner) {
        let name = type_name(&owner.ty).map(ToString::to_string).unwrap_or_default();
        for (method, sibling) in &owner.functions {
            let known = self.here.entry(method.clone()).or_default();
            if known.iter().all(|m| m.owner != name) {
                known.push(Method {
                    owner: name.clone(),
                    of_trait: false,
                    projection: sibling.projection.clone(),
                    annotated: true,
                    module: 0..0,
                });
            }
        }
    }

    fn add_accesses(&mut self, files: &[Rc<Found>]) {
        for file in files {
            for (name, access) in &file.accesses {
                self.accesses.entry(name.clone()).or_insert_with(|| access.clone());
            }
            let methods =
                file.methods.iter().flat_map(|(name, all)| all.iter().map(move |m| (m.owner.clone(), name.clone())));
            self.own.extend(methods);
        }
    }

    /// What a type lends by a trait of std.
    pub fn access(&self, owner: &str, method: &str) -> Option<&Access> {
        self.accesses.get(&(owner.to_owned(), method.to_owned()))
    }

    /// Whether a type has a method of this name itself.
    pub fn has(&self, owner: &str, method: &str) -> bool {
        self.own.contains(&(owner.to_owned(), method.to_owned()))
    }

    /// The functions of the file, and of others those that have other names.
    fn add_functions(&mut self, files: &[Rc<Found>], line: usize) {
        for file in files {
            for (name, functions) in &file.functions {
                let known = self.functions.entry(name.clone()).or_insert_with(|| functions.clone());
                let around = known.iter().map(|f| f.module.clone()).filter(|module| module.contains(&line));
                if let Some(inner) = around.min_by_key(ExactSizeIterator::len) {
                    known.retain(|f| f.module == inner);
                }
            }
        }
        self.functions.retain(|_, all| all.iter().any(|f| f.projection.is_some()));
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.here.is_empty() && self.elsewhere.is_empty() && self.functions.is_empty() && self.accesses.is_empty()
    }

    /// What a function returns, if that is a reference into an argument, and which argument that is.
    pub fn of_function(&self, name: &Ident) -> Option<(Projection, usize)> {
        let all = self.functions.get(&name.to_string())?;
        let first = all.first().filter(|f| f.annotated)?.projection.clone()?;
        all.iter().all(|f| f.annotated && f.projection.as_ref() == Some(&first)).then_some(first)
    }

    /// What a method returns, if that is a reference into its receiver, by the receiver's type, if that is known.
    pub fn of(&self, method: &Ident, receiver: Option<&str>) -> Option<Known> {
        let name = method.to_string();
        let all =
            [&self.here, &self.elsewhere].map(|methods| methods.get(&name).map(Vec::as_slice).unwrap_or_default());
        let of_type = |m: &&Method| receiver == Some(&m.owner);
        if let Some(own) = all.iter().flat_map(|methods| methods.iter()).find(of_type) {
            return own.known(own.of_trait);
        }
        let possible = |methods: &'_ [Method]| -> Vec<Method> {
            methods.iter().filter(|m| receiver.is_none() || m.of_trait).cloned().collect()
        };
        let possible = all.iter().map(|methods| possible(methods)).find(|methods| !methods.is_empty())?;
        let first = possible[0].known(possible.iter().all(|m| m.of_trait) && receiver.is_some())?;
        let of_std = receiver.is_none() && OF_STD.contains(&name.as_str());
        (!of_std && possible.iter().all(|m| m.projection.as_ref() == Some(&first.projection))).then_some(first)
    }
}

fn add(to: &mut Methods, from: &Methods) {
    from.iter().for_each(|(name, methods)| to.entry(name.clone()).or_default().extend(methods.clone()));
}

/// Leaves those of the innermost module around a line, if there are any.
fn nearest(methods: &mut Vec<Method>, line: usize) {
    let around = methods.iter().map(|m| m.module.clone()).filter(|module| module.contains(&line));
    if let Some(inner) = around.min_by_key(ExactSizeIterator::len) {
        methods.retain(|m| m.module == inner);
    }
}

/// The name of a type: the last one of its path.
pub fn type_name(ty: &syn::Type) -> Option<&Ident> {
    match ty {
        syn::Type::Reference(r) => type_name(&r.elem),
        syn::Type::Paren(p) => type_name(&p.elem),
        syn::Type::Group(g) => type_name(&g.elem),
        syn::Type::Path(p) => p.path.segments.last().map(|s| &s.ident),
        _ => None,
    }
}

/// What a file defines.
#[derive(Debug, Default)]
struct Found {
    methods: Methods,
    functions: Functions,
    accesses: Accesses,
    /// The lines of the module at hand.
    module: Range<usize>,
}

impl<'a> Visit<'a> for Found {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        let span = module.span();
        let around = std::mem::replace(&mut self.module, span.start().line..span.end().line + 1);
        visit::visit_item_mod(self, module);
        self.module = around;
    }

    fn visit_item_impl(&mut self, block: &'a syn::ItemImpl) {
        const REFERRING: &[&str] = &["Index", "IndexMut", "Deref", "DerefMut", "AsRef", "AsMut", "Borrow", "BorrowMut"];
        let of = block.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
        let Some(owner) = type_name(&block.self_ty) else { return };
        if of.is_some_and(|of| REFERRING.iter().any(|name| of.ident == name)) {
            accesses::add(&mut self.accesses, block, is_annotated(&block.attrs));
            return;
        }
        for item in &block.items {
            if let syn::ImplItem::Fn(f) = item {
                let annotated = is_annotated(&block.attrs) || is_annotated(&f.attrs);
                self.method((&f.sig, Some(&f.block)), owner, false, annotated);
            }
        }
    }

    fn visit_item_fn(&mut self, f: &'a syn::ItemFn) {
        let (projection, annotated) = (of_function(&f.sig), is_annotated(&f.attrs));
        let function = Function { projection, annotated, module: self.module.clone() };
        self.functions.entry(f.sig.ident.to_string()).or_default().push(function);
    }

    fn visit_item_trait(&mut self, block: &'a syn::ItemTrait) {
        for item in &block.items {
            if let syn::TraitItem::Fn(f) = item {
                self.method((&f.sig, f.default.as_ref()), &block.ident, true, is_annotated(&block.attrs));
            }
        }
    }
}

impl Found {
    fn method(
        &mut self,
        (signature, body): (&syn::Signature, Option<&syn::Block>),
        owner: &Ident,
        of_trait: bool,
        annotated: bool,
    ) {
        if signature.receiver().is_some() {
            let projection = projection(signature, body, Some(owner));
            let method =
                Method { owner: owner.to_string(), of_trait, projection, annotated, module: self.module.clone() };
            self.methods.entry(signature.ident.to_string()).or_default().push(method);
        }
    }
}

/// Whether the attribute is among these, be it under a condition.
fn is_annotated(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| a.to_token_stream().to_string().contains("differentiable"))
}

thread_local! {
    static FILES: RefCell<HashMap<PathBuf, Option<Rc<Found>>>> = RefCell::default();
    static FOLDERS: RefCell<HashMap<PathBuf, Rc<Vec<PathBuf>>>> = RefCell::default();
}

/// What this file defines, and the files beside it.
fn beside(file: &Path) -> Vec<Rc<Found>> {
    let folder = folder_of(file);
    let others = FOLDERS.with_borrow_mut(|known| {
        let read = || {
            let mut paths = Vec::new();
            folder.iter().for_each(|folder| add_files(folder, &mut paths));
            Rc::new(paths)
        };
        known.entry(folder.clone().unwrap_or_default()).or_insert_with(read).clone()
    });
    let own = defined_in(file).unwrap_or_default();
    let others = others.iter().filter(|path| *path != file).filter_map(|path| defined_in(path));
    [own].into_iter().chain(others).collect()
}

/// The folder of a crate's modules, as far as the path of one of them tells.
fn folder_of(file: &Path) -> Option<PathBuf> {
    let mut around = file.ancestors().skip(1);
    let source = around.find(|folder| folder.ends_with("src")).map(Path::to_owned);
    source.or_else(|| file.parent().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned))
}

fn add_files(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            _ if paths.len() >= MOST_FILES => return,
            true => add_files(&path, paths),
            false if path.extension().is_some_and(|e| e == "rs") => paths.push(path),
            false => {}
        }
    }
}

/// What a file defines, if a function in it returns a reference. It is read once.
fn defined_in(path: &Path) -> Option<Rc<Found>> {
    FILES.with_borrow_mut(|known| known.entry(path.to_owned()).or_insert_with(|| read(path).map(Rc::new)).clone())
}

fn read(path: &Path) -> Option<Found> {
    path.extension().filter(|extension| *extension == "rs")?;
    let text = std::fs::read_to_string(path).ok()?;
    let returns = ["-> &", "->&", "Option<&", "Option< &"].iter().any(|returned| text.contains(returned));
    let tokens = returns.then(|| text.parse::<TokenStream>().ok())??;
    let file = syn::parse2::<syn::File>(tokens).ok()?;
    let mut found = Found { module: 0..usize::MAX, ..Found::default() };
    found.visit_file(&file);
    Some(found)
}
