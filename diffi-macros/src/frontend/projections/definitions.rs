//! The methods of the types around a function: those of its block, of its file, and of the files beside it.
//!
//! A method is known by its name and its type's. Where the type of a receiver is not known, all methods of the name have to be of one kind,
//! and no method of std may have it.

use super::accesses::{Access, Accesses};
use super::defined::{Defined, Functions, Method, Methods, beside};
use crate::ir::{Owner, Projection};
use crate::support::tokens::position;
use proc_macro2::Ident;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Names of methods that std, or a library of arrays, has as well: only of a receiver whose type is known they are taken for the user's.
pub(super) const OF_STD: &[&str] = &[
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

/// What is known around a function: in its file, and in the others.
#[derive(Debug, Default)]
pub struct Definitions {
    around: Rc<Around>,
    /// The line of the function.
    line: usize,
    /// The methods of its block.
    block: Methods,
}

/// What is known in a file.
#[derive(Debug, Default)]
struct Around {
    /// Methods of this file and of the others whose names are those of some that return references.
    here: Methods,
    elsewhere: Methods,
    /// Functions of this file, and of others those that have other names.
    functions: Functions,
    accesses: Accesses,
    /// The types that have methods, with these.
    own: HashSet<(String, String)>,
}

thread_local! {
    static AROUND: RefCell<HashMap<PathBuf, Rc<Around>>> = RefCell::default();
}

impl Around {
    /// What is known in a file. It is found once.
    fn file(file: &Path) -> Rc<Self> {
        AROUND.with_borrow_mut(|known| known.entry(file.to_owned()).or_insert_with(|| Rc::new(Self::of(file))).clone())
    }

    fn of(file: &Path) -> Self {
        let mut all = Around::default();
        let files = beside(file);
        files.iter().for_each(|defined| all.add(defined));
        files.iter().take(1).for_each(|defined| all.here.clone_from(&defined.methods));
        files.iter().skip(1).for_each(|defined| add(&mut all.elsewhere, &defined.methods));
        all.here.retain(|_, methods| methods.iter().any(|m| m.projection.is_some()));
        all.elsewhere.retain(|_, methods| methods.iter().any(|m| m.projection.is_some()));
        all.functions.retain(|_, functions| functions.iter().any(|f| f.projection.is_some()));
        all
    }

    fn add(&mut self, file: &Defined) {
        for (name, functions) in &file.functions {
            self.functions.entry(name.clone()).or_insert_with(|| functions.clone());
        }
        for (name, access) in &file.accesses {
            self.accesses.entry(name.clone()).or_insert_with(|| access.clone());
        }
        for (name, methods) in &file.methods {
            self.own.extend(methods.iter().map(|m| (m.owner.clone(), name.clone())));
        }
    }

    fn is_empty(&self) -> bool {
        self.here.is_empty() && self.elsewhere.is_empty() && self.functions.is_empty() && self.accesses.is_empty()
    }
}

impl Definitions {
    /// Those around a function.
    pub fn around(owner: Option<&Owner>) -> Self {
        let block = owner.map(methods_of_block).unwrap_or_default();
        match position() {
            Some(at) => Definitions { around: Around::file(&at.file), line: at.line, block },
            None => Definitions { block, ..Definitions::default() },
        }
    }

    /// What a type lends by a trait of std.
    pub fn access(&self, owner: &str, method: &str) -> Option<&Access> {
        self.around.accesses.get(&(owner.to_owned(), method.to_owned()))
    }

    /// Whether a type has a method of this name itself.
    pub fn has(&self, owner: &str, method: &str) -> bool {
        self.around.own.contains(&(owner.to_owned(), method.to_owned()))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.around.is_empty() && self.block.values().flatten().all(|m| m.projection.is_none())
    }

    /// What a function returns, if that is a reference into an argument, and which argument that is.
    pub fn of_function(&self, name: &Ident) -> Option<(Projection, usize)> {
        let all = nearest(self.around.functions.get(&name.to_string())?, self.line, |f| &f.module);
        let first = all.first().filter(|f| f.annotated)?.projection.clone()?;
        all.iter().all(|f| f.annotated && f.projection.as_ref() == Some(&first)).then_some(first)
    }

    /// The methods of a name: those of this file and its block, and those of other files. None where none of them returns a reference.
    fn methods(&self, name: &str) -> [Vec<&Method>; 2] {
        let (here, elsewhere) = (self.around.here.get(name), self.around.elsewhere.get(name));
        let mut here = here.map(|methods| nearest(methods, self.line, |m| &m.module)).unwrap_or_default();
        let block =
            self.block.get(name).into_iter().flatten().filter(|m| here.iter().all(|known| known.owner != m.owner));
        here.extend(block.collect::<Vec<_>>());
        let lends = |methods: &Vec<&Method>| methods.iter().any(|m| m.projection.is_some());
        [Some(here).filter(lends).unwrap_or_default(), elsewhere.into_iter().flatten().collect()]
    }

    /// What a method returns, if that is a reference into its receiver, by the receiver's type, if that is known.
    pub fn of(&self, method: &Ident, receiver: Option<&str>) -> Option<Known> {
        let name = method.to_string();
        let all = self.methods(&name);
        let of_type = |m: &&&Method| receiver == Some(&m.owner);
        if let Some(own) = all.iter().flatten().find(of_type) {
            return own.known(own.of_trait);
        }
        let possible = |methods: &Vec<&Method>| -> bool { methods.iter().any(|m| receiver.is_none() || m.of_trait) };
        let methods = all.iter().find(|methods| possible(methods))?;
        let possible: Vec<&Method> = methods.iter().copied().filter(|m| receiver.is_none() || m.of_trait).collect();
        let first = possible[0].known(possible.iter().all(|m| m.of_trait) && receiver.is_some())?;
        let of_std = receiver.is_none() && OF_STD.contains(&name.as_str());
        (!of_std && possible.iter().all(|m| m.projection.as_ref() == Some(&first.projection))).then_some(first)
    }
}

/// The methods of a function's block.
fn methods_of_block(owner: &Owner) -> Methods {
    let name = type_name(&owner.ty).map(ToString::to_string).unwrap_or_default();
    let methods = owner.functions.iter().map(|(method, sibling)| {
        let projection = sibling.projection.clone();
        let of_block = Method { owner: name.clone(), of_trait: false, projection, annotated: true, module: 0..0 };
        (method.clone(), vec![of_block])
    });
    methods.collect()
}

fn add(to: &mut Methods, from: &Methods) {
    from.iter().for_each(|(name, methods)| to.entry(name.clone()).or_default().extend(methods.clone()));
}

/// Those of the innermost module around a line, or all if there is none around it.
pub(super) fn nearest<T>(all: &[T], line: usize, module: impl Fn(&T) -> &Range<usize>) -> Vec<&T> {
    let around = all.iter().map(&module).filter(|module| module.contains(&line));
    match around.min_by_key(|module| module.len()) {
        Some(inner) => all.iter().filter(|item| module(item) == inner).collect(),
        None => all.iter().collect(),
    }
}

/// Whether a trait of the files around has a method of this name.
pub fn is_of_a_trait(name: &str) -> bool {
    let files = position().map(|at| beside(&at.file)).unwrap_or_default();
    files.iter().any(|file| file.methods.get(name).is_some_and(|all| all.iter().any(|method| method.of_trait)))
}

/// Whether a block or a trait of the files around has a method of this name.
pub fn is_method_around(method: &str) -> bool {
    let files = position().map(|at| beside(&at.file)).unwrap_or_default();
    files.iter().any(|file| file.receivers.contains_key(method) || file.declared.contains_key(method))
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
