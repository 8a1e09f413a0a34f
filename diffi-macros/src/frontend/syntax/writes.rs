//! The writes that syntax shows: assignments, changing methods, `&mut`.

use crate::frontend::syntax::constant_patterns::as_paths_in;
use crate::frontend::syntax::heads::head;
use proc_macro2::Ident;
use quote::quote;
use syn::visit::{self, Visit};

/// Methods that change their receiver.
pub const MUTATING: &[&str] = &[
    "push",
    "pop",
    "insert",
    "remove",
    "clear",
    "truncate",
    "swap",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by",
    "sort_unstable_by_key",
    "reverse",
    "rotate_left",
    "rotate_right",
    "fill",
    "fill_with",
    "pop_if",
    "clone_from",
    "add_assign",
    "sub_assign",
    "mul_assign",
    "div_assign",
    "rem_assign",
    "resize_with",
    "extend_from_within",
    "dedup_by",
    "dedup_by_key",
    "retain_mut",
    "splice",
    "select_nth_unstable",
    "select_nth_unstable_by",
    "select_nth_unstable_by_key",
    "take_if",
    "extend",
    "extend_from_slice",
    "append",
    "drain",
    "iter_mut",
    "dedup",
    "retain",
    "resize",
    "get_mut",
    "last_mut",
    "first_mut",
    "push_str",
    "chunks_mut",
    "chunks_exact_mut",
    "split_at_mut",
    "split_first_mut",
    "split_last_mut",
    "copy_from_slice",
    "clone_from_slice",
    "swap_remove",
    "next",
    "next_back",
    "push_back",
    "push_front",
    "pop_back",
    "pop_front",
    "as_mut",
    "get_or_insert",
    "get_or_insert_with",
    "as_mut_slice",
    "select_nth_unstable_by",
    "select_nth_unstable_by_key",
    "sort_by_cached_key",
    "swap_with_slice",
    "copy_within",
    "resize_with",
    "split_off",
    "split_off_first",
    "split_off_last",
    "extract_if",
    "try_reserve",
    "try_reserve_exact",
    "dedup_by_key",
    "retain_mut",
    "pop_if",
    "assign",
    "scaled_add",
    "as_slice_mut",
    "mapv_inplace",
    "map_inplace",
    "zip_mut_with",
    "row_mut",
    "column_mut",
    "slice_mut",
    "index_axis_mut",
    "diag_mut",
    "view_mut",
    "outer_iter_mut",
    "axis_iter_mut",
    "rows_mut",
    "columns_mut",
    "copy_from",
    "set_row",
    "set_column",
    "fill_row",
    "fill_column",
    "set_diagonal",
    "fill_diagonal",
    "swap_rows",
    "swap_columns",
    "fixed_view_mut",
    "fixed_rows_mut",
    "fixed_columns_mut",
    "row_iter_mut",
    "column_iter_mut",
    "zip_apply",
    "axpy",
    "gemm",
    "gemv",
    "ger",
    "normalize_mut",
    "scale_mut",
    "unscale_mut",
    "add_scalar_mut",
    "component_mul_assign",
    "component_div_assign",
];

/// The expressions that a macro is given, as std's are: `a, b, c`, `value; count` or `value, pattern if guard`.
pub fn arguments(m: &syn::Macro) -> Option<Vec<syn::Expr>> {
    if m.path.segments.last().is_some_and(|s| s.ident == "matches") {
        return m.parse_body().ok().map(|Matches(matched)| vec![matched.into()]);
    }
    let listed = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
    let repeated = |input: syn::parse::ParseStream<'_>| {
        let value = input.parse()?;
        input.parse::<syn::Token![;]>()?;
        Ok(vec![value, input.parse()?])
    };
    let list = m.parse_body_with(listed).map(|all| all.into_iter().collect());
    list.or_else(|_| m.parse_body_with(repeated)).ok()
}

/// Whether a function is `Some`.
pub fn is_some(function: &syn::Expr) -> bool {
    matches!(function, syn::Expr::Path(p) if p.path.is_ident("Some"))
}

/// `&mut x`.
pub fn is_lent(e: &syn::Expr) -> bool {
    matches!(e, syn::Expr::Reference(r) if r.mutability.is_some())
}

/// Whether a value holds `&mut` references by the words that make it: `Some(&mut x)`, `(&mut a, &mut b)`.
pub fn holds_lent(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::MethodCall(m) => lends_mut(&m.method.to_string()),
        syn::Expr::Call(c) => is_some(&c.func) && c.args.iter().any(holds_lent),
        syn::Expr::Tuple(t) => t.elems.iter().any(holds_lent),
        syn::Expr::Array(a) => a.elems.iter().any(holds_lent),
        e => is_lent(e),
    }
}

/// Whether a pattern borrows what it takes apart, to change it: `ref mut a`.
pub fn borrows(pattern: &syn::Pat) -> bool {
    struct Borrows(bool);
    impl<'a> Visit<'a> for Borrows {
        fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
            self.0 |= p.by_ref.is_some() && p.mutability.is_some();
            visit::visit_pat_ident(self, p);
        }
        fn visit_expr(&mut self, _: &'a syn::Expr) {}
    }
    let mut found = Borrows(false);
    found.visit_pat(pattern);
    found.0
}

/// `+=` and its kind.
pub fn is_assignment(op: &syn::BinOp) -> bool {
    use syn::BinOp::*;
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

/// Whether a method of this name gives its value by `&mut`, as `split_at_mut` and `split_at_mut_checked` do: std says so by a word.
pub fn lends_mut(name: &str) -> bool {
    name.split('_').any(|word| word == "mut")
}

/// Whether a call cuts a part off a slice that a reference leads to: the reference is assigned to by it.
pub fn cuts_slice(m: &syn::ExprMethodCall) -> bool {
    let name = m.method.to_string();
    match (name.strip_suffix("_mut").unwrap_or(&name), m.args.first()) {
        ("split_off_first" | "split_off_last", None) => true,
        ("split_off", Some(syn::Expr::Range(_))) => m.args.len() == 1,
        _ => false,
    }
}

/// Whether a method of this name changes its receiver.
pub fn is_mutating(name: &str) -> bool {
    MUTATING.contains(&name)
}

/// The name at the root of a place expression.
pub fn root_name(expr: &syn::Expr) -> Option<&Ident> {
    match expr {
        syn::Expr::Path(p) => p.path.get_ident(),
        syn::Expr::Index(i) => root_name(&i.expr),
        syn::Expr::Field(f) => root_name(&f.base),
        syn::Expr::Paren(p) => root_name(&p.expr),
        syn::Expr::Group(g) => root_name(&g.expr),
        syn::Expr::Reference(r) => root_name(&r.expr),
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => root_name(&u.expr),
        syn::Expr::MethodCall(m) => root_name(&m.receiver),
        _ => None,
    }
}

/// `value, pattern if guard` of `matches!`, as the `match` that it is.
pub struct Matches(pub syn::ExprMatch);

impl syn::parse::Parse for Matches {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<Self> {
        let value: syn::Expr = input.parse()?;
        let value = head(&value);
        input.parse::<syn::Token![,]>()?;
        let pattern = syn::Pat::parse_multi_with_leading_vert(input)?;
        let guard = input.parse::<Option<syn::Token![if]>>()?;
        let guard = guard.map(|word| input.parse().map(|guard: syn::Expr| quote!(#word #guard))).transpose()?;
        input.parse::<Option<syn::Token![,]>>()?;
        let mut e = syn::parse_quote!(match #value { #pattern #guard => true, _ => false });
        as_paths_in(&mut e);
        Ok(Matches(e))
    }
}
