//! Methods of a type that rustc does not find by their names alone, since a trait's come before them: those that take `self` come before
//! those that take `&self`, and these before `&mut self`, whoever has them.
//!
//! Derivative code takes receivers in its own way, and methods that are inlined are found by their names, so such calls are refused.

use super::defined::{Defined, Taken, beside};
use crate::frontend::iterators::methods::METHODS;
use crate::frontend::syntax::file_names::FileNames;
use crate::support::tokens::position;
use std::rc::Rc;

/// A type that has a method of its own of this name, before which one of a trait comes that is in scope; and the trait.
pub fn hidden_by_trait(name: &str) -> Option<(String, String)> {
    let around = Around { name, files: position().map(|at| beside(&at.file)).unwrap_or_default() };
    let own = around.taken().filter(|own| own.of_trait.is_none() && own.order > 0);
    own.filter_map(|own| Some((own.owner.clone(), around.before(own)?))).next()
}

/// The files around, and the name that is asked for.
struct Around<'n> {
    name: &'n str,
    files: Vec<Rc<Defined>>,
}

impl Around<'_> {
    fn taken(&self) -> impl Iterator<Item = &Taken> {
        self.files.iter().filter_map(|file| file.receivers.get(self.name)).flatten()
    }

    /// The trait whose method comes before a type's own.
    fn before(&self, own: &Taken) -> Option<String> {
        let written = self.taken().filter(|other| other.order < own.order && (other.any || other.owner == own.owner));
        let written = written.filter_map(|other| other.of_trait.as_ref());
        let declared = self.files.iter().filter_map(|file| file.declared.get(self.name)).flatten();
        let declared = declared.filter(|(of, order)| *order < own.order && self.implements(&own.owner, of));
        let mut all = written.chain(declared.map(|(of, _)| of));
        all.find(|of| self.is_in_scope(of)).cloned().or_else(|| self.before_of_std(&own.owner))
    }

    /// The same of traits of std that are in scope everywhere.
    fn before_of_std(&self, owner: &str) -> Option<String> {
        let of_iterators =
            || METHODS.iter().any(|method| method.name == self.name) && self.implements(owner, "Iterator");
        match self.name {
            "into" => Some("Into".to_owned()),
            "try_into" => Some("TryInto".to_owned()),
            _ => of_iterators().then(|| "Iterator".to_owned()),
        }
    }

    fn implements(&self, owner: &str, of: &str) -> bool {
        let mut all = self.files.iter().flat_map(|file| &file.implementations);
        all.any(|block| block.of == of && (block.any || block.owner == owner))
    }

    fn is_in_scope(&self, of: &str) -> bool {
        let declared = self.files.first().is_some_and(|here| here.traits.contains_key(of));
        declared || FileNames::here().is_some_and(|names| names.imports(of))
    }
}
