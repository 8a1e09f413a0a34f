//! Which functions are inlined: small ones, of numbers and what holds them by value or behind `&`, that one expression could say.

use crate::analysis::cost_model::INLINED_TOKENS;
use crate::frontend::syntax::inner_functions::is_plain;
use crate::support::syntax::strip_parens;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};

/// What an attribute says that does not matter to derivative code.
const HARMLESS: &[&str] = &["doc", "inline", "allow", "expect", "warn", "deny", "must_use", "cold"];

/// The function without its attributes, if it is to be inlined: it has `#[differentiable]` without options.
pub fn eligible(mut function: syn::ItemFn) -> Option<syn::ItemFn> {
    let (own, others): (Vec<_>, Vec<_>) = function.attrs.iter().partition(|a| is_ours(a));
    let bare = own.len() == 1 && matches!(own[0].meta, syn::Meta::Path(_));
    let harmless = others.iter().all(|a| HARMLESS.iter().any(|name| a.path().is_ident(name)));
    let inlined = bare && harmless && is_small(&function);
    function.attrs.clear();
    inlined.then_some(function)
}

fn is_ours(attribute: &syn::Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|s| s.ident == "differentiable")
}

/// Whether a function is one of those that are inlined, its attributes aside.
pub fn is_small(function: &syn::ItemFn) -> bool {
    let mut doubts = Doubts(false);
    doubts.visit_block(&function.block);
    let inputs = function.sig.inputs.iter().all(|input| match input {
        syn::FnArg::Typed(p) => p.attrs.is_empty() && is_name(&p.pat) && is_value_or_view(&p.ty),
        syn::FnArg::Receiver(_) => false,
    });
    let output = match &function.sig.output {
        syn::ReturnType::Type(_, ty) => is_value(ty) && !floats(ty).is_empty(),
        syn::ReturnType::Default => false,
    };
    let short = count(function.block.to_token_stream()) <= INLINED_TOKENS;
    let mut work = Work::default();
    work.visit_block(&function.block);
    let cheap = !(work.repeats && work.calls_functions);
    inputs && output && short && cheap && !doubts.0 && function.sig.constness.is_none() && is_plain(function)
}

/// Whether these arguments are what they are whatever a function's parameters say: their types come from nothing but themselves.
pub fn takes(signature: &syn::Signature, arguments: &[syn::Expr]) -> bool {
    let types = signature.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(p) => Some(&*p.ty),
        syn::FnArg::Receiver(_) => None,
    });
    let fits = |(ty, argument): (&syn::Type, &syn::Expr)| match ty {
        syn::Type::Path(path) if path.path.get_ident().is_some() => !is_inferred(argument),
        _ => is_place(argument) || is_written_out(argument),
    };
    signature.inputs.len() == arguments.len() && types.zip(arguments).all(fits)
}

fn is_place(expr: &syn::Expr) -> bool {
    match strip_parens(expr) {
        syn::Expr::Reference(r) => is_place(&r.expr),
        syn::Expr::Path(_) => true,
        syn::Expr::Field(f) => is_place(&f.base),
        syn::Expr::Index(i) => is_place(&i.expr),
        syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && is_place(&u.expr),
        _ => false,
    }
}

/// An array or a tuple of numbers whose types are their own.
fn is_written_out(expr: &syn::Expr) -> bool {
    match strip_parens(expr) {
        syn::Expr::Reference(r) => r.mutability.is_none() && is_written_out(&r.expr),
        syn::Expr::Array(array) => array.elems.iter().all(|e| is_written_out(e) || !is_inferred(e)),
        syn::Expr::Tuple(tuple) => tuple.elems.iter().all(|e| is_written_out(e) || !is_inferred(e)),
        _ => false,
    }
}

/// Whether a number's type may come from where it goes.
fn is_inferred(expr: &syn::Expr) -> bool {
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

fn is_value_or_view(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(r) => r.mutability.is_none() && r.lifetime.is_none() && is_value(&r.elem),
        ty => is_value(ty),
    }
}

/// Numbers, and arrays, slices, tuples and vectors of them.
fn is_value(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) => {
            let Some(last) = path.path.segments.last().filter(|_| path.path.segments.len() == 1) else { return false };
            match &last.arguments {
                syn::PathArguments::None => is_number(&last.ident),
                syn::PathArguments::AngleBracketed(of) if last.ident == "Vec" => {
                    of.args.iter().all(|argument| matches!(argument, syn::GenericArgument::Type(ty) if is_value(ty)))
                }
                _ => false,
            }
        }
        syn::Type::Array(array) => is_value(&array.elem),
        syn::Type::Slice(slice) => is_value(&slice.elem),
        syn::Type::Tuple(tuple) => !tuple.elems.is_empty() && tuple.elems.iter().all(is_value),
        _ => false,
    }
}

fn is_number(name: &syn::Ident) -> bool {
    let names = ["f64", "f32", "usize", "isize", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "bool"];
    names.iter().any(|number| name == number)
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
