//! Which functions are inlined: small ones, of numbers and what holds them by value or behind `&`, that one expression could say.

use super::followed::{is_followed, opened};
use crate::analysis::cost_model::INLINED_TOKENS;
use crate::frontend::projections::value_types::with_known_signature;
use crate::frontend::syntax::inner_functions::is_plain;
use crate::support::syntax::is_attribute;
use crate::support::syntax::{macro_arguments, strip_parens};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// What an attribute says that does not matter to derivative code.
const HARMLESS: &[&str] = &["doc", "inline", "allow", "expect", "warn", "deny", "must_use", "cold"];

/// The function without its attributes, if it is to be inlined: it has `#[differentiable]` without options.
pub fn eligible(function: syn::ItemFn) -> Option<syn::ItemFn> {
    let (own, others): (Vec<_>, Vec<_>) = function.attrs.iter().partition(|a| is_attribute(a));
    let bare = own.len() == 1 && matches!(own[0].meta, syn::Meta::Path(_));
    let harmless = others.iter().all(|a| is_harmless(a));
    let function = as_inlined(syn::ItemFn { attrs: Vec::new(), ..function });
    let inlined = bare && harmless && (is_small(&function) || can_be_followed(&function));
    inlined.then_some(function)
}

/// Whether an attribute does not matter to derivative code.
pub fn is_harmless(attribute: &syn::Attribute) -> bool {
    HARMLESS.iter().any(|name| attribute.path().is_ident(name))
}

/// The text of a function where it is inlined: its signature says what names of types stand for, where that makes it one of them.
pub fn as_inlined(function: syn::ItemFn) -> syn::ItemFn {
    let known = with_known_signature(function.clone());
    if is_small(&known) { known } else { function }
}

/// Whether a function is one of those that are followed by their text, which another place reads in the same way.
pub fn can_be_followed(function: &syn::ItemFn) -> bool {
    let mut doubts = Doubts(false);
    doubts.visit_block(&function.block);
    is_followed(function) && !doubts.0 && is_plain(&opened(function.clone()))
}

/// The function with the types of parameters that are numbers in its body: where that stands instead of a call, nothing else says them.
pub fn with_types(mut function: syn::ItemFn) -> syn::ItemFn {
    if is_followed(&function) {
        function = opened(function);
    }
    let typed = function.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(syn::PatType { pat, ty, .. }) if is_number(ty) => match &**pat {
            syn::Pat::Ident(pattern) => {
                let name = &pattern.ident;
                Some(syn::parse_quote!(let #pattern: #ty = #name;))
            }
            _ => None,
        },
        _ => None,
    });
    let typed: Vec<syn::Stmt> = typed.collect();
    function.block.stmts.splice(0..0, typed);
    function
}

/// Whether a function is one of those that are inlined, its attributes aside.
pub fn is_small(function: &syn::ItemFn) -> bool {
    let inputs = function.sig.inputs.iter().all(|input| match input {
        syn::FnArg::Typed(p) => p.attrs.is_empty() && is_name(&p.pat) && is_value_or_view(&p.ty),
        syn::FnArg::Receiver(_) => false,
    });
    let output = match &function.sig.output {
        syn::ReturnType::Type(_, ty) => is_of_floats(ty),
        syn::ReturnType::Default => false,
    };
    let checked = without_known_macros(function.clone());
    inputs && output && function.sig.constness.is_none() && is_short_and_plain(checked.as_ref().unwrap_or(function))
}

/// The function with the arguments of macros that every place reads alike in place of these, if there are any.
fn without_known_macros(mut function: syn::ItemFn) -> Option<syn::ItemFn> {
    struct Opened(bool);
    impl VisitMut for Opened {
        fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
            if let syn::Expr::Macro(m) = e
                && let Some(all) = known_arguments(&m.mac)
            {
                *e = syn::parse_quote!((#(#all),*));
                self.0 = true;
            }
            visit_mut::visit_expr_mut(self, e);
        }
        fn visit_stmt_mut(&mut self, stmt: &mut syn::Stmt) {
            if let syn::Stmt::Macro(m) = stmt
                && let Some(all) = known_arguments(&m.mac)
            {
                *stmt = syn::parse_quote!((#(#all),*););
                self.0 = true;
            }
            visit_mut::visit_stmt_mut(self, stmt);
        }
    }
    let mut opened = Opened(false);
    opened.visit_block_mut(&mut function.block);
    opened.0.then_some(function)
}

fn known_arguments(mac: &syn::Macro) -> Option<Vec<syn::Expr>> {
    let known = mac.path.get_ident().is_some_and(|name| READ_ALIKE.iter().any(|known| name == known));
    macro_arguments(mac).filter(|_| known)
}

/// Whether a body is short, does little again and again, and another place would read it in the same way.
pub fn is_short_and_plain(function: &syn::ItemFn) -> bool {
    let mut doubts = Doubts(false);
    doubts.visit_block(&function.block);
    let short = count(function.block.to_token_stream()) <= INLINED_TOKENS;
    let mut work = Work::default();
    work.visit_block(&function.block);
    let cheap = !(work.repeats && work.calls_functions);
    short && cheap && !doubts.0 && is_plain(function)
}

/// Whether these arguments are what they are whatever a function's parameters say: their types come from nothing but themselves, and from
/// names whose types are known.
pub fn takes(signature: &syn::Signature, arguments: &[syn::Expr], typed: &HashSet<String>) -> bool {
    let types = signature.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(p) => Some(&*p.ty),
        syn::FnArg::Receiver(_) => None,
    });
    let fits = |(ty, argument): (&syn::Type, &syn::Expr)| match ty {
        syn::Type::Path(path) if path.path.get_ident().is_some() => !is_inferred(argument),
        _ => is_place(argument, typed) || is_written_out(argument),
    };
    signature.inputs.len() == arguments.len() && types.zip(arguments).all(fits)
}

/// Whether an expression is a part of something whose type is known.
fn is_place(expr: &syn::Expr, typed: &HashSet<String>) -> bool {
    match strip_parens(expr) {
        syn::Expr::Reference(r) => is_place(&r.expr, typed),
        syn::Expr::Path(path) => path.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            typed.contains(&name) || name.starts_with(char::is_uppercase)
        }),
        syn::Expr::Field(f) => is_place(&f.base, typed),
        syn::Expr::Index(i) => is_place(&i.expr, typed),
        syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && is_place(&u.expr, typed),
        _ => false,
    }
}

/// An array or a tuple of numbers whose types are their own.
fn is_written_out(expr: &syn::Expr) -> bool {
    match strip_parens(expr) {
        syn::Expr::Reference(r) => r.mutability.is_none() && is_written_out(&r.expr),
        syn::Expr::Array(array) => array.elems.iter().all(|e| is_written_out(e) || names_its_type(e)),
        syn::Expr::Tuple(tuple) => tuple.elems.iter().all(|e| is_written_out(e) || names_its_type(e)),
        _ => false,
    }
}

/// Whether a number is more than a literal, of which several types may be, and is made of nothing that is inferred.
fn names_its_type(expr: &syn::Expr) -> bool {
    let is_literal = |expr: &syn::Expr| match strip_parens(expr) {
        syn::Expr::Unary(minus) => matches!(*minus.expr, syn::Expr::Lit(_)),
        expr => matches!(expr, syn::Expr::Lit(_) | syn::Expr::Array(_) | syn::Expr::Tuple(_) | syn::Expr::Repeat(_)),
    };
    !is_literal(expr) && !is_inferred(expr)
}

/// Whether a number's type may come from where it goes.
pub fn is_inferred(expr: &syn::Expr) -> bool {
    const INFERRED: &[&str] =
        &["collect", "into", "try_into", "sum", "product", "parse", "default", "unwrap_or_default"];
    let mut found = Methods(Vec::new());
    found.visit_expr(expr);
    found.0.iter().any(|name| INFERRED.iter().any(|method| name == method))
}

/// The names of methods and functions that are called.
struct Methods(Vec<syn::Ident>);

impl<'a> Visit<'a> for Methods {
    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        self.0.push(call.method.clone());
        visit::visit_expr_method_call(self, call);
    }
    fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
        self.0.extend(path.path.segments.last().map(|s| s.ident.clone()));
    }
}

fn is_name(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::Ident(name) => name.by_ref.is_none() && name.subpat.is_none(),
        syn::Pat::Tuple(tuple) => tuple.elems.iter().all(is_name),
        syn::Pat::Slice(slice) => slice.elems.iter().all(is_name),
        syn::Pat::Wild(_) => true,
        _ => false,
    }
}

/// Floats and what holds them, by value or behind `&`; an integer.
fn is_value_or_view(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(r) => r.mutability.is_none() && r.lifetime.is_none() && is_list(&r.elem),
        ty => is_list(ty) || is_integer(ty),
    }
}

/// Floats, and arrays, slices and vectors of them, which have one type of element.
fn is_list(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Array(array) => is_list(&array.elem),
        syn::Type::Slice(slice) => is_list(&slice.elem),
        ty => is_of_floats(ty) && !matches!(ty, syn::Type::Tuple(_)),
    }
}

/// A float or an integer.
fn is_number(ty: &syn::Type) -> bool {
    is_integer(ty) || matches!(ty, syn::Type::Path(path) if path.path.is_ident("f64") || path.path.is_ident("f32"))
}

fn is_integer(ty: &syn::Type) -> bool {
    const INTEGERS: &[&str] = &["usize", "isize", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "bool"];
    matches!(ty, syn::Type::Path(path) if INTEGERS.iter().any(|name| path.path.is_ident(name)))
}

/// Whether all numbers are floats: which integers there are, rustc could not tell from a body alone.
fn is_of_floats(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) => path.path.segments.iter().all(|s| match &s.arguments {
            syn::PathArguments::AngleBracketed(of) => {
                s.ident == "Vec"
                    && of.args.iter().all(|a| matches!(a, syn::GenericArgument::Type(ty) if is_of_floats(ty)))
            }
            _ => path.path.segments.len() == 1 && (s.ident == "f64" || s.ident == "f32"),
        }),
        syn::Type::Array(array) => is_of_floats(&array.elem),
        syn::Type::Slice(slice) => is_of_floats(&slice.elem),
        syn::Type::Tuple(tuple) => !tuple.elems.is_empty() && tuple.elems.iter().all(is_of_floats),
        _ => false,
    }
}

/// The types of floats in a signature.
pub fn floats(signature: &impl ToTokens) -> Vec<String> {
    fn add(tokens: TokenStream, found: &mut Vec<String>) {
        for tree in tokens {
            match tree {
                TokenTree::Group(group) => add(group.stream(), found),
                tree => found.extend(Some(tree.to_string()).filter(|text| text == "f64" || text == "f32")),
            }
        }
    }
    let mut found = Vec::new();
    add(signature.to_token_stream(), &mut found);
    found
}

fn count(tokens: TokenStream) -> usize {
    tokens.into_iter().map(|tree| if let TokenTree::Group(g) = tree { 2 + count(g.stream()) } else { 1 }).sum()
}

/// What a body does. Where it calls functions like `exp` again and again, the reverse sweep of a call evaluates them together.
#[derive(Default)]
struct Work {
    repeats: bool,
    calls_functions: bool,
}

impl<'a> Visit<'a> for Work {
    fn visit_expr(&mut self, expr: &'a syn::Expr) {
        use syn::Expr::{Closure, ForLoop, Loop, While};
        self.repeats |= matches!(expr, Closure(_) | ForLoop(_) | Loop(_) | While(_));
        visit::visit_expr(self, expr);
    }
    fn visit_ident(&mut self, name: &'a syn::Ident) {
        const QUICK: &[&str] = &["sqrt", "recip", "powi", "mul_add", "mul", "div"];
        let (name, curved) = (name.to_string(), |rule: &diffi_rules::Rule| rule.kind == diffi_rules::Kind::Curved);
        self.calls_functions |= !QUICK.contains(&&name[..]) && diffi_rules::rule(&name).is_some_and(curved);
    }
}

/// Macros of std that are the same in every place: rustc confirms where they are read that they are std's.
const READ_ALIKE: &[&str] =
    &["assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne", "vec"];

/// What another place may read in another way: macros, items, attributes, and what leaves the body early.
struct Doubts(bool);

impl<'a> Visit<'a> for Doubts {
    fn visit_macro(&mut self, _: &'a syn::Macro) {
        self.0 = true;
    }
    fn visit_item(&mut self, _: &'a syn::Item) {
        self.0 = true;
    }
    fn visit_attribute(&mut self, _: &'a syn::Attribute) {
        self.0 = true;
    }
    fn visit_expr_return(&mut self, _: &'a syn::ExprReturn) {
        self.0 = true;
    }
    fn visit_expr_unsafe(&mut self, _: &'a syn::ExprUnsafe) {
        self.0 = true;
    }
    fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
        // a name of the item's own place, which another place has not
        self.0 |= path.path.segments.first().is_some_and(|s| s.ident == "Self");
        visit::visit_expr_path(self, path);
    }
}
