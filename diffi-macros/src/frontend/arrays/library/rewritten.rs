//! Methods of arrays that are written by others, as the library's own documentation or code has them.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::ir::Ty;
use crate::support::syntax::strip_parens;
use proc_macro2::Ident;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

/// Methods that change the array as a whole, into what an expression says.
const WHOLE: &[(&str, usize)] = &[
    ("swap_axes", 2),
    ("reverse_axes", 0),
    ("permute_axes", 1),
    ("invert_axis", 1),
    ("slice_axis_inplace", 2),
    ("collapse_axis", 2),
    ("slice_collapse", 1),
];

/// Those of them whose result says only whether the change was possible.
const CHECKED: &[(&str, usize)] = &[("push_row", 1), ("push_column", 1), ("append", 2), ("push", 2)];

/// Methods that are others.
const OTHERS: &[(&str, usize)] = &[
    ("pow2", 0),
    ("abs_sub", 1),
    ("product_axis", 1),
    ("cumprod", 1),
    ("into_scalar", 0),
    ("for_each", 1),
    ("split_at", 2),
    ("assign_to", 1),
    ("accumulate_axis_inplace", 2),
    ("map_mut", 1),
    ("map_axis_mut", 2),
    ("flatten_with_order", 1),
];

fn is_one_of(m: &syn::ExprMethodCall, names: &[(&str, usize)]) -> bool {
    names.iter().any(|(name, args)| m.method == name && m.args.len() == *args)
}

/// Whether a method's result says only whether it was possible.
pub fn is_checked(m: &syn::ExprMethodCall) -> bool {
    is_one_of(m, CHECKED)
}

impl Lower {
    /// A method of an array by what it is short for.
    pub fn rewritten_method(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        let whole = is_one_of(m, WHOLE) || is_checked(m);
        if !(whole || is_one_of(m, OTHERS)) || !self.library || self.guess(&m.receiver) != Ty::Library {
            return None;
        }
        if m.method == "split_at" && !self.is_shared_view(&m.receiver) {
            return None;
        }
        let scope = self.scope.clone();
        let value = match whole {
            true => {
                let (array, after) = (&m.receiver, changed(m)?);
                self.expr(&syn::parse_quote_spanned!(m.span()=> #array = #after))
            }
            false => self.expr(&other(m)?),
        };
        self.scope = scope;
        Some(value)
    }
}

impl Lower {
    /// Whether nothing is written through a view.
    fn is_shared_view(&self, expr: &syn::Expr) -> bool {
        let named = |p: &syn::ExprPath| match p.path.get_ident().and_then(|name| self.scope.get(name)) {
            Some(Value::Active(a)) => a.place.path.is_empty() && self.fact(a.place.root).view,
            _ => false,
        };
        self.is_view_of_array(expr) || matches!(strip_parens(expr), syn::Expr::Path(p) if named(p))
    }
}

/// The array after a method that changes it.
fn changed(m: &syn::ExprMethodCall) -> Option<syn::Expr> {
    let (a, span) = (&m.receiver, m.span());
    let args: Vec<&syn::Expr> = m.args.iter().collect();
    Some(match (m.method.to_string().as_str(), &args[..]) {
        ("swap_axes", [i, j]) => syn::parse_quote_spanned!(span=> #a.__with_swapped_axes(#i, #j)),
        ("reverse_axes", []) => syn::parse_quote_spanned!(span=> #a.reversed_axes()),
        ("permute_axes", [axes]) => syn::parse_quote_spanned!(span=> #a.permuted_axes(#axes)),
        ("invert_axis", [axis]) => syn::parse_quote_spanned!(span=> #a.slice_axis(#axis, __d::library::reversed())),
        ("slice_axis_inplace", [axis, part]) => syn::parse_quote_spanned!(span=> #a.slice_axis(#axis, #part)),
        ("slice_collapse", [syn::Expr::Macro(info)]) if keeps_axes(&info.mac) => {
            syn::parse_quote_spanned!(span=> #a.slice(#info))
        }
        ("collapse_axis", [axis, at]) => {
            syn::parse_quote_spanned!(span=> #a.slice_axis(#axis, __d::library::one_index(#at)))
        }
        ("push_row", [row]) => joined(a, 0, row),
        ("push_column", [column]) => joined(a, 1, column),
        ("append", [axis, part]) => syn::parse_quote_spanned!(span=> ::ndarray::concatenate![#axis, #a, #part]),
        ("push", [axis, part]) => {
            syn::parse_quote_spanned!(span=> ::ndarray::concatenate![#axis, #a, (#part).insert_axis(#axis)])
        }
        _ => return None,
    })
}

/// A matrix with one row or column more.
fn joined(matrix: &syn::Expr, axis: usize, line: &syn::Expr) -> syn::Expr {
    let axis: syn::Expr = syn::parse_quote_spanned!(line.span()=> __d::library::Axis(#axis));
    syn::parse_quote_spanned!(line.span()=> ::ndarray::concatenate![#axis, #matrix, (#line).insert_axis(#axis)])
}

fn other(m: &syn::ExprMethodCall) -> Option<syn::Expr> {
    let (a, span) = (&m.receiver, m.span());
    let args: Vec<&syn::Expr> = m.args.iter().collect();
    Some(match (m.method.to_string().as_str(), &args[..]) {
        ("pow2", []) => syn::parse_quote_spanned!(span=> #a.mapv(|__v| __v * __v)),
        ("abs_sub", [by]) => {
            syn::parse_quote_spanned!(span=> { let __by = #by; #a.mapv(|__v| if __v > __by { __v - __by } else { 0.0 }) })
        }
        ("product_axis", [axis]) => syn::parse_quote_spanned!(span=> #a.map_axis(#axis, |__lane| __lane.product())),
        ("cumprod", [axis]) => syn::parse_quote_spanned! {span=> {
            let mut __all = #a.to_owned();
            for mut __lane in __all.lanes_mut(#axis) {
                for __k in 1..__lane.len() {
                    __lane[__k] *= __lane[__k - 1];
                }
            }
            __all
        }},
        ("map_mut", [f]) => syn::parse_quote_spanned! {span=> {
            let mut __all = #a.to_owned();
            ::ndarray::Zip::from(&mut __all).and(&mut #a).for_each(|__to, __from| *__to = (#f)(__from));
            __all
        }},
        ("map_axis_mut", [axis, f]) => syn::parse_quote_spanned! {span=> {
            let mut __done = ::std::vec::Vec::new();
            for __lane in #a.lanes_mut(#axis) {
                __done.push((#f)(__lane));
            }
            let mut __all = #a.sum_axis(#axis);
            for (__to, __value) in __all.iter_mut().zip(&__done) {
                *__to = *__value;
            }
            __all
        }},
        ("flatten_with_order", [syn::Expr::Path(order)]) => match is_row_major(order)? {
            true => syn::parse_quote_spanned!(span=> #a.flatten()),
            false => syn::parse_quote_spanned!(span=> #a.t().flatten()),
        },
        ("into_scalar", []) => syn::parse_quote_spanned!(span=> #a.sum()),
        ("for_each", [f]) => syn::parse_quote_spanned!(span=> #a.iter().for_each(#f)),
        ("split_at", [axis, at]) => syn::parse_quote_spanned! {span=> {
            let __at = #at;
            (#a.slice_axis(#axis, __d::library::before(__at)), #a.slice_axis(#axis, __d::library::after(__at)))
        }},
        ("assign_to", [onto]) => {
            let onto: syn::Expr = match strip_parens(onto) {
                syn::Expr::Reference(r) => (*r.expr).clone(),
                onto => onto.clone(),
            };
            syn::parse_quote_spanned!(span=> #onto.assign(&#a))
        }
        ("accumulate_axis_inplace", [axis, syn::Expr::Closure(f)]) if f.inputs.len() == 2 => {
            let (before, here, body) = (&f.inputs[0], bare(&f.inputs[1])?, &f.body);
            syn::parse_quote_spanned! {span=>
                for mut __lane in #a.lanes_mut(#axis) {
                    for __k in 1..__lane.len() {
                        let __before = __lane[__k - 1];
                        let #before = &__before;
                        let #here = &mut __lane[__k];
                        #body;
                    }
                }
            }
        }
        _ => return None,
    })
}

/// Whether `s![..]` has a range for every axis.
fn keeps_axes(info: &syn::Macro) -> bool {
    let ranges = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
    info.parse_body_with(ranges).is_ok_and(|all| all.iter().all(|e| matches!(e, syn::Expr::Range(_))))
}

/// Whether a name of an order of elements is that by rows, if it is one of an order.
fn is_row_major(order: &syn::ExprPath) -> Option<bool> {
    match order.path.segments.last()?.ident.to_string().as_str() {
        "RowMajor" | "C" => Some(true),
        "ColumnMajor" | "F" => Some(false),
        _ => None,
    }
}

/// The name of a closure's parameter.
fn bare(pattern: &syn::Pat) -> Option<&Ident> {
    match pattern {
        syn::Pat::Ident(name) => Some(&name.ident),
        _ => None,
    }
}
