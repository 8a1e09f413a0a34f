//! How functions and methods take their arguments, as far as the source files around tell: whether `filter.tick(x)` changes its receiver,
//! and whether `norm(v)` only reads what the exclusive reference `v` leads to.
//!
//! The type of a receiver is not known: all functions of the name have to be of one kind, those of the file before those of the others. rustc
//! confirms it, as a method has derivative code of its own kind alone, and a function's takes arguments of its own kinds.

use super::defined::{Defined, Function, beside};
use super::definitions::{OF_STD, nearest};
use crate::frontend::syntax::iterator_results::items_given;
use crate::frontend::syntax::types::is_passive_scalar;
use crate::frontend::syntax::writes::is_mutating;
use crate::support::tokens::position;
use crate::support::{names, source_files};
use proc_macro2::Ident;
use quote::ToTokens;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How an argument is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Passed {
    Value,
    /// An integer, a `bool` or a `char`.
    Scalar,
    Shared,
    Exclusive,
}

/// Where functions of a name are looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reach {
    /// In this file.
    File,
    /// In this file, and where it has none, in the files around.
    Around,
}

/// How a function takes its arguments.
#[derive(Clone, Debug)]
pub struct Signature {
    receiver: Option<Passed>,
    others: Vec<Passed>,
    gives_nothing: bool,
    /// Whether it gives an integer or a truth value.
    counts: bool,
    /// Whether it gives an iterator that derivative code has as a list.
    lists: bool,
    /// The array or vector that it gives, as its type is written; none, if it is generic.
    given: Option<String>,
    /// The lines of the module that it stands in.
    module: Range<usize>,
}

impl Signature {
    /// That of a function.
    pub fn of(signature: &syn::Signature, module: Range<usize>) -> Self {
        let receiver = signature.receiver().map(|r| by(r.reference.is_some(), r.mutability.is_some()));
        let others = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(p) => Some(&*p.ty),
            syn::FnArg::Receiver(_) => None,
        });
        let others = others.map(|ty| match ty {
            syn::Type::Reference(r) => by(true, r.mutability.is_some()),
            ty if is_passive_scalar(ty) => Passed::Scalar,
            _ => Passed::Value,
        });
        let gives_nothing = matches!(signature.output, syn::ReturnType::Default);
        let counts = matches!(&signature.output, syn::ReturnType::Type(_, ty) if is_passive_scalar(ty));
        let lists = items_given(&signature.output).is_some();
        let given = array_given(signature);
        Signature { receiver, others: others.collect(), gives_nothing, counts, lists, given, module }
    }

    fn arguments(&self) -> impl Iterator<Item = Passed> {
        self.receiver.into_iter().chain(self.others.iter().copied())
    }
}

/// The text of the result's type, if it is an array or a vector by name.
fn array_given(signature: &syn::Signature) -> Option<String> {
    let syn::ReturnType::Type(_, ty) = &signature.output else { return None };
    let is_array = match &**ty {
        syn::Type::Array(_) => true,
        syn::Type::Path(p) => p.path.segments.last().is_some_and(|last| last.ident == "Vec"),
        _ => false,
    };
    let plain = signature.generics.type_params().next().is_none();
    (is_array && plain).then(|| ty.to_token_stream().to_string())
}

fn by(reference: bool, mutable: bool) -> Passed {
    match (reference, mutable) {
        (false, _) => Passed::Value,
        (true, false) => Passed::Shared,
        (true, true) => Passed::Exclusive,
    }
}

/// Whether methods of this name take `&mut self`; `None` if that is not known, or std has such a method, too.
pub fn is_exclusive(method: &str, given: bool) -> Option<bool> {
    let receiver = |s: &Signature| s.receiver.map(|r| r == Passed::Exclusive);
    if is_of_std(method, given) { None } else { agreed(method, Reach::Around, receiver) }
}

/// Whether functions of this name with so many arguments, the receiver among them, only read what their argument `k` refers to; those of
/// this file, or of any around.
pub fn only_reads(function: &str, arguments: usize, k: usize, reach: Reach) -> bool {
    let fits =
        |s: &Signature| (s.arguments().count() == arguments).then(|| s.arguments().nth(k) == Some(Passed::Shared));
    agreed(function, reach, fits) == Some(true)
}

/// Whether functions of this name with so many arguments, the receiver among them, take an integer for argument `k`.
pub fn takes_integer(function: &str, arguments: usize, k: usize) -> bool {
    let fits =
        |s: &Signature| (s.arguments().count() == arguments).then(|| s.arguments().nth(k) == Some(Passed::Scalar));
    agreed(function, Reach::Around, fits) == Some(true)
}

/// Whether functions of this name with so many arguments, the receiver among them, give nothing.
pub fn gives_nothing(function: &str, arguments: usize) -> bool {
    let fits = |s: &Signature| (s.arguments().count() == arguments).then_some(s.gives_nothing);
    agreed(function, Reach::Around, fits) == Some(true)
}

/// Whether functions of this name with so many arguments, the receiver among them, give an integer or a truth value.
pub fn gives_count(function: &str, arguments: usize) -> bool {
    let fits = |s: &Signature| (s.arguments().count() == arguments).then_some(s.counts);
    agreed(function, Reach::Around, fits) == Some(true)
}

/// Whether all functions of a name give iterators that derivative code has as lists.
pub fn gives_lists(function: &Ident) -> bool {
    agreed(&function.to_string(), Reach::Around, |s| Some(s.lists)) == Some(true)
}

/// The type of the array or vector that functions of this name with so many arguments give, the receiver among these.
pub fn array_of(function: &Ident, arguments: usize) -> Option<syn::Type> {
    let given = |s: &Signature| (s.arguments().count() == arguments).then(|| s.given.clone());
    syn::parse_str(&agreed(&function.to_string(), Reach::Around, given)??).ok()
}

/// Whether a function of this file has the name.
pub fn is_function(name: &Ident) -> bool {
    let here = || Some(beside(&position()?.file).into_iter().next()?.functions.contains_key(&name.to_string()));
    here() == Some(true)
}

/// Whether all functions of a name, in this file and those around, have no derivative code of their own, but are followed by their text.
pub fn is_followed(name: &Ident) -> bool {
    let Some(at) = position() else { return false };
    let files = beside(&at.file);
    let all: Vec<&Function> = files.iter().filter_map(|file| file.functions.get(&name.to_string())).flatten().collect();
    let followed = !all.is_empty() && all.iter().all(|f| f.annotated && f.followed);
    followed && files_that_define(&at.file, name) == 1
}

/// Whether a trait stands in this file, or in those around, and none of its name there has the attribute.
pub fn is_plain_trait(name: &Ident) -> bool {
    let files = position().map(|at| beside(&at.file)).unwrap_or_default();
    let Some((here, elsewhere)) = files.split_first() else { return false };
    let named = |file: &Rc<Defined>| file.traits.get(&name.to_string()).cloned().unwrap_or_default();
    let own = named(here);
    let all = if own.is_empty() { elsewhere.iter().flat_map(named).collect() } else { own };
    !all.is_empty() && !all.contains(&true)
}

/// How many of the files around a file have functions of a name, as far as their text tells.
fn files_that_define(file: &Path, name: &Ident) -> usize {
    let defines = |path: &&PathBuf| {
        let text = source_files::text(path).unwrap_or_default();
        ["(", "<"].iter().any(|end| text.contains(&format!("fn {name}{end}")))
    };
    source_files::around(file).iter().filter(defines).count()
}

/// How many parameters the functions of a name have, if that is one number: those of this file, or of the files around.
pub fn parameters(function: &Ident) -> Option<usize> {
    let files = beside(&position()?.file);
    let name = function.to_string();
    let counts = |file: &Rc<Defined>| {
        file.signatures.get(&name).map(|all| all.iter().map(|s| s.arguments().count()).collect::<Vec<_>>())
    };
    let counts = files.iter().find_map(counts)?;
    counts.first().copied().filter(|first| counts.iter().all(|count| count == first))
}

/// How many types those of a name are generic over, if several `impl From` with the attribute convert into them.
pub fn converted_by_several(ty: &str) -> Option<usize> {
    let at = position()?;
    let files = beside(&at.file);
    let all: Vec<usize> = files.iter().filter_map(|file| file.conversions.get(ty)).flatten().copied().collect();
    all.iter().max().copied().filter(|_| all.len() > 1)
}

/// Whether an `impl From` with the attribute makes this float of a type of the user's.
pub fn is_made_of_own(float: &str) -> bool {
    let files = position().map(|at| beside(&at.file)).unwrap_or_default();
    ["f64", "f32"].contains(&float) && files.iter().any(|file| file.conversions.contains_key(float))
}

/// What the functions of a name have in common.
fn agreed<T: PartialEq>(name: &str, reach: Reach, of: impl Fn(&Signature) -> Option<T>) -> Option<T> {
    let at = position()?;
    let files = beside(&at.file);
    let (here, elsewhere) = files.split_first()?;
    let name = plain(name);
    let here = here.signatures.get(name).map(|all| nearest(all, at.line, |s| &s.module)).unwrap_or_default();
    let near: Vec<T> = here.into_iter().filter_map(&of).collect();
    let mut all = if near.is_empty() && reach == Reach::Around {
        elsewhere.iter().filter_map(|file| file.signatures.get(name)).flatten().filter_map(&of).collect()
    } else {
        near
    };
    let last = all.pop()?;
    all.iter().all(|one| *one == last).then_some(last)
}

/// A name without the sign of a user's own method ([`super::own_methods`]).
fn plain(name: &str) -> &str {
    name.trim_start_matches("r#")
}

fn is_of_std(method: &str, given: bool) -> bool {
    if method == "next" && given {
        return false; // iterators are given nothing
    }
    let lists = [OF_STD, names::QUERIES, names::COPIES, names::OF_OPTIONS, names::OF_EITHER];
    let scalar = (0..3).any(|arguments| names::is_scalar(method, arguments));
    scalar || is_mutating(method) || lists.iter().any(|list| list.contains(&method))
}
