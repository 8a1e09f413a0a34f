//! Methods: how useful their receivers and arguments are.

use super::Walk;
use super::lending::{Lending, Lends};
use crate::frontend::state::site::Site;
use crate::frontend::syntax::writes::{is_mutating, lends_mut};
use crate::support::names;
use crate::support::syntax::strip_parens;

/// Methods of sequences, options and iterators whose values are parts of their receivers and arguments.
const PARTS: &[&str] = &[
    "iter",
    "into_iter",
    "rev",
    "enumerate",
    "zip",
    "chain",
    "take",
    "skip",
    "step_by",
    "collect",
    "sum",
    "product",
    "nth",
    "peekable",
    "to_vec",
    "first",
    "last",
    "get",
    "windows",
    "chunks",
    "chunks_exact",
    "concat",
    "as_chunks",
    "as_rchunks",
    "as_flattened",
    "each_ref",
    "strip_prefix",
    "strip_suffix",
    "transpose",
    "flatten",
    "ok",
    "err",
    "ok_or",
    "or",
    "unwrap_unchecked",
    "flat_map",
    "cycle",
    "as_str",
    "as_bytes",
    "chars",
    "trim",
    "into_boxed_slice",
    "into_vec",
    "keys",
    "values",
    "pow",
    "div_ceil",
    "abs_diff",
    "wrapping_add",
    "wrapping_sub",
    "saturating_sub",
    "saturating_add",
    "saturating_mul",
    "wrapping_mul",
    "isqrt",
    "count_ones",
    "checked_sub",
    "checked_add",
    "checked_mul",
    "then_some",
    "dot",
    "row",
    "column",
    "view",
];

/// Methods whose first arguments are indices or numbers of elements, and how many are.
const INDEXED: &[(&str, usize)] = &[
    ("powi", 1),
    ("split_at", 1),
    ("split_at_mut", 1),
    ("take", 1),
    ("skip", 1),
    ("step_by", 1),
    ("nth", 1),
    ("chunks", 1),
    ("windows", 1),
    ("chunks_exact", 1),
    ("get", 1),
    ("get_mut", 1),
    ("row", 1),
    ("column", 1),
    ("swap", 2),
    ("truncate", 1),
    ("resize", 1),
    ("remove", 1),
    ("swap_remove", 1),
    ("insert", 1),
    ("rotate_left", 1),
    ("rotate_right", 1),
    ("split_off", 1),
];

/// Methods whose closures give what the value is made of.
const APPLYING: &[&str] = &[
    "map",
    "and_then",
    "filter_map",
    "flat_map",
    "map_or",
    "map_or_else",
    "unwrap_or_else",
    "then",
    "or_else",
    "map_while",
    "ok_or_else",
    "map_err",
];

/// Methods whose closures only decide.
const DECIDING: &[&str] = &["filter", "take_while", "skip_while", "find", "rfind"];

/// Whether std or a library has a method of this name, by which a value is not made anew.
pub fn is_known(m: &syn::ExprMethodCall) -> bool {
    let name = m.method.to_string();
    let name = name.as_str();
    is_transparent(m, name) || names::QUERIES.contains(&name) || APPLYING.contains(&name) || DECIDING.contains(&name)
}

/// The same of a method of which the arguments do not matter.
pub fn is_known_name(name: &str) -> bool {
    let lists = [PARTS, APPLYING, DECIDING];
    lists.iter().any(|list| list.contains(&name)) || indexed(name).is_some()
}

/// How many of a method's first arguments are indices or numbers of elements.
fn indices(m: &syn::ExprMethodCall) -> usize {
    indexed(&m.method.to_string()).unwrap_or(0)
}

fn indexed(name: &str) -> Option<usize> {
    INDEXED.iter().find(|(known, _)| *known == name).map(|(_, indices)| *indices)
}

fn is_transparent(m: &syn::ExprMethodCall, name: &str) -> bool {
    PARTS.contains(&name)
        || names::is_scalar(name, m.args.len())
        || names::COPIES.contains(&name)
        || names::OF_OPTIONS.contains(&name)
        || names::OF_EITHER.contains(&name)
}

impl Walk<'_> {
    pub fn method(&mut self, m: &syn::ExprMethodCall, useful: bool) {
        let name = m.method.to_string();
        m.args.iter().take(indices(m)).for_each(|arg| self.look(arg));
        match name.as_str() {
            name if names::QUERIES.contains(&name) => {
                let before = self.read.len();
                self.expr(&m.receiver, false);
                self.arguments(m, false);
                self.read.truncate(before);
            }
            name if APPLYING.contains(&name) => {
                let wants = self.arguments(m, useful);
                let also = matches!(name, "unwrap_or_else" | "map_err" | "ok_or_else" | "or_else");
                self.expr(&m.receiver, wants || also && useful);
            }
            name if DECIDING.contains(&name) => {
                let wants = self.arguments(m, false);
                self.expr(&m.receiver, useful || wants);
            }
            "powi" | "split_at" | "split_at_mut" | "take" | "skip" | "step_by" | "nth" | "chunks" | "windows"
            | "chunks_exact" | "get" | "get_mut" | "row" | "column" => {
                self.expr(&m.receiver, useful || lends_mut(&name));
            }
            "next" | "next_back" | "pop" => self.expr(&m.receiver, useful),
            name if is_transparent(m, name) => {
                let wants = self.arguments(m, useful);
                self.expr(&m.receiver, useful || wants);
            }
            name if is_mutating(name) || lends_mut(name) => {
                let site = Site::of(&m.method);
                self.changed |= useful && self.found.valued.insert(site.clone());
                self.found.changing.insert(site);
                self.changed(m, useful);
            }
            _ => self.own(m, useful),
        }
    }

    /// A method of a type that is not known. It may change a receiver that can be changed: what it gets is as useful as that is.
    fn own(&mut self, m: &syn::ExprMethodCall, valued: bool) {
        let given = m.args.iter().any(|arg| !matches!(strip_parens(arg), syn::Expr::Lit(_)));
        let changes = given
            && super::root(&m.receiver).and_then(|path| self.named(path)).is_some_and(|at| {
                let root = &self.bindings[at];
                // of what a variable stands for that was made by `&mut`, nothing is known
                root.changes && (root.useful || root.lends == Lends::Probably && at >= self.params)
            });
        let useful = valued || changes;
        self.site(&m.method, (valued, changes || m.args.iter().any(|arg| self.lends(arg) == Lends::Probably)));
        let inner = useful || m.args.iter().any(|arg| self.may_lend(arg));
        let receiver = inner || !matches!(strip_parens(&m.receiver), syn::Expr::Path(_) | syn::Expr::Field(_));
        self.expr(&m.receiver, receiver);
        m.args.iter().for_each(|arg| self.expr(arg, inner));
    }

    /// A method that changes its receiver: what it gets is as useful as that is. Its value is a part of the receiver, as in `v.remove(0)`.
    fn changed(&mut self, m: &syn::ExprMethodCall, useful: bool) {
        if useful {
            self.expr(&m.receiver, true);
        }
        let indices = indices(m);
        let root = super::root(&m.receiver).and_then(|path| self.named(path));
        let root = root.filter(|at| self.bindings[*at].lends == Lends::Never);
        match root {
            Some(at) if m.args.iter().all(|arg| !matches!(strip_parens(arg), syn::Expr::Closure(_))) => {
                let useful = self.bindings[at].useful;
                let each = |w: &mut Self| m.args.iter().skip(indices).for_each(|arg| w.expr(arg, useful));
                self.given(&[(String::new(), at)], each);
                self.place(&m.receiver);
            }
            _ => {
                self.expr(&m.receiver, true);
                m.args.iter().skip(indices).for_each(|arg| self.expr(arg, true));
            }
        }
    }

    /// Arguments, closures and names of functions among them; whether a closure asks for its parameters.
    fn arguments(&mut self, m: &syn::ExprMethodCall, useful: bool) -> bool {
        let mut wants = false;
        let lends = Lending { itself: self.lends(&m.receiver).max(Lends::Maybe), pointee: self.pointee(&m.receiver) };
        for arg in &m.args {
            match strip_parens(arg) {
                syn::Expr::Closure(c) => {
                    let params = self.closure(c, useful, lends);
                    wants |= params.iter().flatten().any(|at| self.bindings[*at].useful);
                }
                syn::Expr::Path(p) if self.named(&p.path).is_none() => {
                    if let Some(last) = p.path.segments.last() {
                        self.site(&last.ident, (useful, false));
                        wants |= useful;
                    }
                }
                syn::Expr::Path(p) => {
                    self.expr(arg, useful);
                    let params = self.named(&p.path).and_then(|at| self.bindings[at].closure.as_ref());
                    wants |= useful && params.is_none();
                    wants |= params.is_some_and(|all| all.iter().flatten().any(|at| self.bindings[*at].useful));
                }
                other => self.expr(other, useful),
            }
        }
        wants
    }
}
