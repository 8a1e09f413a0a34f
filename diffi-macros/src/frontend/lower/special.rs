//! Special functions by their paths: those of `diffi::special`, and the same ones of other packages.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::ir::*;
use diffi_rules::{Foreign, foreign};
use proc_macro2::Span;
use quote::{format_ident, quote};

/// What `diffi::special` is made of.
const VALUES: &str = "__d_values::";

impl Lower {
    /// A call of a special function; `None` if the path is none of one.
    pub fn special(&mut self, path: &syn::ExprPath, args: &[Value], span: Span) -> Option<Value> {
        let name = special_name(path).filter(|name| takes(name, args.len()))?;
        if path.path.segments.first().is_none_or(|s| s.ident != VALUES.trim_end_matches(':')) {
            self.only_of_package(path, name);
        }
        let bare: Vec<Value> = args.iter().map(|a| a.clone().dereferenced_fully()).collect();
        let all = match foreign(name) {
            Some(foreign) => in_order(foreign, &bare)?,
            None => bare,
        };
        let args: Vec<Operand> = all.iter().filter_map(|a| self.float(a, name, span)).collect();
        let whole = args.len() == all.len();
        let op = Expr::Op { op: Op::Fn(name), args, span };
        Some(if whole { Value::place(Place::var(self.bind("t", span, Ty::Float, op))) } else { Value::Poison })
    }

    /// Compiles only if the path leads to the package's function.
    fn only_of_package(&mut self, path: &syn::ExprPath, name: &str) {
        let known = match foreign(name).filter(|foreign| !foreign.path.starts_with("diffi::")) {
            Some(foreign) => {
                let path: syn::Path = syn::parse_str(&format!("::{}", foreign.path)).expect("the table's path");
                quote!(#path)
            }
            None => {
                let name = format_ident!("{}", name.rsplit("::").next().unwrap_or(name));
                quote!(__d::special::#name::<f64>)
            }
        };
        self.only_of_std(path, &known);
    }
}

/// Whether a path is that of a special function.
pub fn is_special(path: &syn::ExprPath) -> bool {
    special_name(path).is_some()
}

/// The name by which the table has a function: its path, or the line's own name.
fn special_name(path: &syn::ExprPath) -> Option<&'static str> {
    let plain = path.qself.is_none() && path.path.segments.len() > 1;
    let names: Vec<String> = path.path.segments.iter().filter(|_| plain).map(|s| s.ident.to_string()).collect();
    let text = names.join("::");
    if let Some(foreign) = foreign(&text) {
        return Some(foreign.path);
    }
    let own = |root: &str| text.strip_prefix(root).and_then(diffi_rules::rule);
    let rule = own("diffi::special::").or_else(|| own(VALUES))?;
    rule.special.then_some(rule.name)
}

/// Whether a function takes so many arguments.
fn takes(name: &str, count: usize) -> bool {
    let (line, within) = foreign(name).map_or((name, 0), |f| (f.rule, usize::from(f.whole.is_some())));
    diffi_rules::rule(line).is_some_and(|rule| rule.args.len() + usize::from(rule.passive.is_some()) == count + within)
}

/// The arguments in the order of the line.
fn in_order(foreign: &Foreign, args: &[Value]) -> Option<Vec<Value>> {
    let count = args.len() + usize::from(foreign.whole.is_some());
    let place = |k: usize| foreign.order.iter().position(|at| *at == k);
    let whole = || foreign.whole.map(|n| Value::passive(PassiveCode::literal(quote!(#n))));
    (0..count).map(|k| place(k).and_then(|at| args.get(at).cloned()).or_else(whole)).collect()
}
