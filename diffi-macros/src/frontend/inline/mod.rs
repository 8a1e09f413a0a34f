//! Inlining of small functions: a function that is called, and stands beside its caller in the source file, becomes an inner function of
//! the copy that derivative code is made of.
//!
//! What an inner function computes stands where it is called ([`as_closures`](crate::frontend::syntax::inner_functions)), so that every
//! pass sees it. A name alone stands for the item beside the caller, as nothing within the caller has that name; rustc confirms by a
//! [fingerprint] that the text is the function's. Everything else stays a call.

mod eligible;
mod fingerprint;
mod followed;
mod methods;
mod names;
mod outline;
mod own_types;

pub use eligible::{as_inlined, can_be_followed, is_small};
pub use fingerprint::fingerprint;
pub use followed::is_followed;
pub use methods::{small_method, with_methods};
pub use own_types::{
    clones_are_copies, derives_clone, gives_own, operators_of_values, result_of, typed_text, with_own_types,
};

use crate::frontend::syntax::inner_functions::in_order;
use crate::ir::Base;
use crate::support::source_files;
use crate::support::tokens::{Position, lexed_of_users, position};
use eligible::{eligible, floats, takes, with_types};
use outline::Outline;
use proc_macro2::Ident;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The most functions, or methods, that one function has inlined.
const MOST: usize = 8;

/// Which functions are inlined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Which {
    All,
    /// Those that have no derivative code.
    Followed,
}

/// The function with those that it calls as inner functions, and the latter; none if there are none.
pub fn inlined(
    item: &syn::ItemFn,
    base: &Base,
    at: &Position,
    which: Which,
) -> Option<(syn::ItemFn, Vec<syn::ItemFn>)> {
    let Base::Concrete(float) = base else { return None };
    let bound = names::bound(item);
    let mut calls = names::calls(&item.block);
    calls.retain(|(name, _)| !bound.contains(&name.to_string()) && *name != item.sig.ident);
    if calls.is_empty() || bound.contains(names::ANY) {
        return None;
    }
    let file = file(&at.file)?;
    let offset = file.attribute_at(at).filter(|offset| file.outline.stands_at(*offset, &item.sig.ident.to_string()))?;
    let typed = names::typed(item);
    let mut beside = Beside { offset, file: &file, which, float: &float.to_string(), bound, typed };
    let found = beside.functions(item, calls);
    let mut item = item.clone();
    let inner = found.iter().cloned().map(|f| syn::Stmt::Item(syn::Item::Fn(with_types(f))));
    item.block.stmts = inner.chain(item.block.stmts).collect();
    (!found.is_empty()).then_some((item, found))
}

/// Whether the file at hand has a function of this name in a module.
pub fn is_in_file(name: &str) -> bool {
    let file = position().and_then(|at| file(&at.file));
    file.is_some_and(|file| file.outline.has(name))
}

/// A called name, and the arguments.
type Call = (Ident, Vec<syn::Expr>);

fn calls_any(function: &syn::ItemFn, names: &[&Ident]) -> bool {
    names::calls(&function.block).iter().any(|(called, _)| names.contains(&called))
}

/// Whether a function calls another one than these: it stays a call itself, since calls of cheap functions keep little on the tape.
fn calls_others(function: &syn::ItemFn, these: &[syn::ItemFn]) -> bool {
    let is_function = |name: &Ident| name.to_string().starts_with(char::is_lowercase);
    let is_one = |name: &Ident| these.iter().any(|f| f.sig.ident == *name);
    let bound = names::bound(function);
    let calls = names::calls(&function.block);
    calls.iter().any(|(name, _)| is_function(name) && !is_one(name) && !bound.contains(&name.to_string()))
}

/// What stands beside a caller.
struct Beside<'f> {
    file: &'f File,
    offset: usize,
    which: Which,
    float: &'f str,
    /// The names in the caller, and those of them whose types are known.
    bound: HashSet<String>,
    typed: HashSet<String>,
}

impl Beside<'_> {
    /// The functions that are called so, and those that they call in turn.
    fn functions(&mut self, caller: &syn::ItemFn, mut calls: Vec<Call>) -> Vec<syn::ItemFn> {
        let (mut found, mut refused) = (Vec::<syn::ItemFn>::new(), HashSet::new());
        let mut at = 0;
        while let Some((name, arguments)) = calls.get(at).cloned() {
            at += 1;
            let known = found.iter().find(|f| f.sig.ident == name).cloned();
            let is_new = known.is_none();
            let function = known.or_else(|| self.function(&name).filter(|_| found.len() < MOST));
            let Some(function) = function else { continue };
            let fits = is_followed(&function) || takes(&function.sig, &arguments, &self.typed);
            if !fits || calls_any(&function, &[&caller.sig.ident, &name]) {
                refused.insert(name);
            } else if is_new {
                self.typed.extend(names::typed(&function));
                calls.extend(names::calls(&function.block));
                found.push(function);
            }
        }
        found.retain(|f| !refused.contains(&f.sig.ident));
        while let Some(at) = found.iter().position(|f| !is_followed(f) && calls_others(f, &found)) {
            found.remove(at);
        }
        let inner: Vec<syn::ItemFn> = found.iter().cloned().map(with_types).collect();
        if in_order(inner).len() < found.len() { Vec::new() } else { found }
    }

    fn function(&self, name: &Ident) -> Option<syn::ItemFn> {
        let function = self.file.function(self.offset, name)?;
        if self.which == Which::Followed && !is_followed(&function) {
            return None;
        }
        let of_one_float = floats(&function.sig).iter().all(|float| float == self.float);
        (of_one_float && names::free(&function).is_disjoint(&self.bound)).then_some(function)
    }
}

/// A source file.
struct File {
    text: Rc<str>,
    outline: Outline,
}

impl File {
    /// Where the attribute at a line and a column is in the text; columns are characters. Examples in comments have no place.
    fn attribute_at(&self, at: &Position) -> Option<usize> {
        let mut lines = self.text.split_inclusive('\n');
        let before: usize = lines.by_ref().take(at.line.checked_sub(1)?).map(str::len).sum();
        let line = lines.next()?;
        let column = line.char_indices().nth(at.column.checked_sub(1)?)?.0;
        let is_code = line[column..].starts_with("#[") && !line.trim_start().starts_with("//");
        is_code.then_some(before + column)
    }

    /// The function of this name beside what stands at the offset, if it may be inlined.
    fn function(&self, offset: usize, name: &Ident) -> Option<syn::ItemFn> {
        let text = self.outline.function(&self.text, offset, &name.to_string())?;
        eligible(syn::parse2(lexed_of_users(text)?).ok()?)
    }
}

thread_local! {
    static FILES: RefCell<HashMap<PathBuf, Option<Rc<File>>>> = RefCell::default();
}

/// A file, whose outline is made once.
fn file(path: &Path) -> Option<Rc<File>> {
    let read = || source_files::text(path).map(|text| Rc::new(File { outline: Outline::of(&text), text }));
    FILES.with_borrow_mut(|files| files.entry(path.to_owned()).or_insert_with(read).clone())
}
