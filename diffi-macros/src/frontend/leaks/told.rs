//! Hidden state: a function without the attribute is told of an active value, and another call of such a function makes a number.
//!
//! Nothing shows whether the first call keeps what it is told, in a static, and the second one finds it there: its derivative would be
//! lost. A first call whose value nobody takes is made for what it keeps, prints or checks. One whose value is taken, in a condition
//! for instance, is a question: only calls that read none of the function's variables are taken for those that find what it kept.

use super::carried::Carried;
use super::{Leak, Leaks};
use crate::frontend::infer::usefulness;
use crate::frontend::iterators::methods::{self, Stage};
use crate::frontend::state::site::Site;
use crate::frontend::syntax::types;
use crate::ir::Base;
use crate::ir::purity::is_look;
use crate::support::names;
use crate::support::syntax::makes;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Where a statement stands: its number, and the loops around it.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// The number of the statement.
    pub at: usize,
    /// The numbers of the loops around it, the outermost first.
    pub loops: Vec<usize>,
}

impl Position {
    /// Whether it runs after another one, perhaps in a later iteration.
    pub fn is_after(&self, other: &Position) -> bool {
        self.at >= other.at || self.loops.iter().any(|at| other.loops.contains(at))
    }
}

/// A call of a function without the attribute, whose derivative nothing asks for.
#[derive(Clone, Debug)]
pub struct UnknownCall {
    /// Where its name stands.
    site: Site,
    name: String,
    span: Span,
    pub position: Position,
    /// Of a call that is told of active values: nobody takes its value. Of one that makes a number: it reads variables.
    pub open: bool,
    /// It names a constant of the function's generic float, `T::zero()`, if that is one of `num_traits`.
    of_float: bool,
}

impl Leaks<'_> {
    /// Notes a call that is told of active values, and the one whose value nobody takes.
    pub fn is_told(&mut self, name: &Ident, discarded: Option<&Site>) {
        let call = self.unknown_call(name, discarded == Some(&Site::of(name)));
        if self.told.iter().all(|known| known.site != call.site) {
            self.told.push(call);
        }
    }

    /// Notes a call that may make a number of what another one keeps; its number.
    fn gives(&mut self, name: &Ident, reads: bool) -> usize {
        let call = self.unknown_call(name, reads);
        match self.given.iter().position(|known| known.site == call.site) {
            Some(at) => at,
            None => {
                self.given.push(call);
                self.given.len() - 1
            }
        }
    }

    fn unknown_call(&self, name: &Ident, open: bool) -> UnknownCall {
        UnknownCall {
            site: Site::of(name),
            name: name.to_string(),
            span: name.span(),
            position: self.position(),
            open,
            of_float: false,
        }
    }

    /// Where the statement at hand stands.
    pub fn position(&self) -> Position {
        Position { at: self.at, loops: self.loops.clone() }
    }

    /// What the value of a call carries that is told of no active value.
    pub fn of_call(&mut self, name: &Ident, call: &syn::Expr) -> Carried {
        if self.told.is_empty() {
            return Carried::default();
        }
        let reads = self.reads_variables(call.to_token_stream());
        let at = self.gives(name, reads);
        self.given[at].of_float = self.is_constant_of_float(call);
        Carried { given: Some(at), ..Carried::default() }
    }

    /// `T::zero()`.
    fn is_constant_of_float(&self, call: &syn::Expr) -> bool {
        let (Base::Generic(float), syn::Expr::Call(call)) = (&self.lower.base, call) else { return false };
        let syn::Expr::Path(p) = &*call.func else { return false };
        let of_float = p.path.segments.len() == 2 && p.path.segments[0].ident == *float;
        of_float
            && call.args.is_empty()
            && p.path.segments.last().is_some_and(|s| CONSTANTS.iter().any(|name| s.ident == name))
    }

    fn reads_variables(&self, tokens: TokenStream) -> bool {
        tokens.into_iter().any(|tree| match tree {
            TokenTree::Ident(name) => self.names.contains_key(&name.to_string()),
            TokenTree::Group(group) => self.reads_variables(group.stream()),
            _ => false,
        })
    }

    /// Whether constants of the generic float come after a call that was told of active values: they are `num_traits`' for sure only if the
    /// float's trait is.
    pub fn asks_for_float_trait(&self) -> bool {
        let mut numbers = self.given.iter().enumerate().filter(|(at, _)| self.numbers_given.contains(at));
        numbers.any(|(_, given)| given.of_float)
    }

    /// Calls that make numbers, though an earlier one was told of active values.
    pub fn found_again(&self) -> Vec<Leak> {
        let numbers = self.given.iter().enumerate().filter(|(at, _)| self.numbers_given.contains(at));
        let leaks = numbers.filter(|(_, given)| !given.of_float).filter_map(|(_, given)| {
            let may_keep = |told: &&UnknownCall| told.open || !given.open;
            let mut told = self.told.iter().filter(may_keep);
            let told = told.find(|told| told.site != given.site && given.position.is_after(&told.position))?;
            Some(Leak::FoundAgain { by: (given.span, given.name.clone()), told: told.name.clone() })
        });
        leaks.collect()
    }
}

/// Functions of `num_traits` that give constants.
const CONSTANTS: &[&str] = &[
    "zero",
    "one",
    "neg_zero",
    "infinity",
    "neg_infinity",
    "nan",
    "epsilon",
    "min_value",
    "max_value",
    "min_positive_value",
];

/// Whether tokens call anything: they are parsed then.
pub fn has_call(tokens: &TokenStream) -> bool {
    let mut after_name = false;
    tokens.clone().into_iter().any(|tree| {
        let found = match &tree {
            TokenTree::Group(group) => {
                after_name && group.delimiter() == Delimiter::Parenthesis || has_call(&group.stream())
            }
            _ => false,
        };
        after_name = matches!(tree, TokenTree::Ident(_));
        found
    })
}

/// Whether a function of this path is one of std's that keeps nothing, or makes a value.
pub fn is_plain_path(path: &syn::Path) -> bool {
    let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let names: Vec<&str> = segments.iter().map(String::as_str).collect();
    const KEEPING: &[&str] = &["env", "fs", "io", "thread", "process"];
    match &names[..] {
        _ if makes(path) => true,
        ["std" | "core" | "alloc", part, ..] => !KEEPING.contains(part),
        [.., owner, _] => {
            ["Vec", "String", "Box", "Instant", "Duration", "SystemTime"].contains(owner)
                || types::is_integer_type(owner)
        }
        _ => false,
    }
}

/// Whether std has a method of this name, by which a value is not made anew. Of what a number is made by it, rustc has to see that it is one
/// of std's ([`receivers`](super::receivers)); its closures are looked at by themselves.
pub fn is_plain_method(m: &syn::ExprMethodCall) -> bool {
    let name = m.method.to_string();
    let of_iterators = methods::method(&name).is_some_and(|row| row.args == m.args.len() && row.stage != Stage::Source);
    of_iterators || usefulness::is_known(m) || names::is_scalar(&name, m.args.len()) || is_look(&m.method)
}
