//! More functions: expressions outlined, and another one around the differentiated function.

use crate::program::{Kind, Param, Program, Ty};
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::{Expr, Ident, parse_quote};

/// Initial values of numbers that are made of numbers alone, each as a function.
pub fn outlined(file: &mut syn::File) {
    let mut functions: Vec<syn::Item> = Vec::new();
    for item in &mut file.items {
        let syn::Item::Fn(function) = item else { continue };
        let mut bound = Bound::default();
        bound.visit_item_fn(function);
        let mut outline = Outline { bound, functions: &mut functions };
        syn::visit_mut::VisitMut::visit_block_mut(&mut outline, &mut function.block);
    }
    file.items.splice(0..0, functions);
}

/// `fn f(x) -> f64` becomes one that calls another, which writes to a reference.
pub fn by_reference(file: &mut syn::File, program: &Program) {
    let main = program.main();
    if main.result != Ty::F || main.owner.is_some() {
        return;
    }
    let Some((mut outer, inner)) = renamed(file, &main.name) else { return };
    let mut into = outer.clone();
    let args = names(&main.params);
    into.sig.ident = parse_quote!(f_into);
    into.sig.output = syn::ReturnType::Default;
    into.sig.inputs.push(parse_quote!(to: &mut f64));
    into.block = parse_quote!({ *to = #inner(#(#args),*); });
    outer.block = parse_quote!({ let mut to = 0.0; f_into(#(#args),*, &mut to); to });
    file.items.extend([syn::Item::Fn(into), syn::Item::Fn(outer)]);
}

/// `fn f(x, y)` becomes one that calls a method of a struct with these fields.
pub fn in_a_struct(file: &mut syn::File, program: &Program) {
    let main = program.main();
    if main.params.iter().any(|p| p.kind == Kind::Mut) || main.owner.is_some() {
        return;
    }
    let Some((mut outer, inner)) = renamed(file, &main.name) else { return };
    let (args, result) = (names(&main.params), outer.sig.output.clone());
    let types = main.params.iter().map(|p| owned_type(&p.ty));
    let values = main.params.iter().zip(&args).map(|(p, name)| -> Expr {
        match (p.kind, &p.ty) {
            (Kind::At, Ty::Vec(..)) => parse_quote!(#name.to_vec()),
            (Kind::At, _) => parse_quote!(#name.clone()),
            _ => parse_quote!(#name),
        }
    });
    let handed = main.params.iter().zip(&args).map(|(p, name)| -> Expr {
        match p.kind {
            Kind::At => parse_quote!(&self.#name),
            _ if p.ty.is_copied() => parse_quote!(self.#name),
            _ => parse_quote!(self.#name.clone()),
        }
    });
    let held: syn::ItemStruct =
        parse_quote!(#[derive(Clone, Debug, Differentiable)] pub struct Held { #(pub #args: #types),* });
    let run: syn::ItemImpl =
        parse_quote!(#[differentiable] impl Held { pub fn run(&self) #result { #inner(#(#handed),*) } });
    outer.block = parse_quote!({ let held = Held { #(#args: #values),* }; held.run() });
    file.items.insert(0, syn::Item::Struct(held));
    file.items.extend([syn::Item::Impl(run), syn::Item::Fn(outer)]);
}

/// Renames a function: what had its name before, without a body of its own, and the new name.
fn renamed(file: &mut syn::File, name: &str) -> Option<(syn::ItemFn, Ident)> {
    let function = file.items.iter_mut().find_map(|item| match item {
        syn::Item::Fn(function) if function.sig.ident == name => Some(function),
        _ => None,
    })?;
    let mut outer = function.clone();
    for input in &mut outer.sig.inputs {
        if let syn::FnArg::Typed(param) = input
            && let syn::Pat::Ident(name) = &mut *param.pat
        {
            name.mutability = None;
        }
    }
    let inner: Ident = parse_quote!(f_within);
    function.sig.ident = inner.clone();
    Some((outer, inner))
}

fn names(params: &[Param]) -> Vec<Ident> {
    params.iter().map(|p| quote::format_ident!("{}", p.name)).collect()
}

fn owned_type(ty: &Ty) -> syn::Type {
    syn::parse_str(&ty.name().replace('@', "f64")).expect("a type")
}

/// How often names are bound, and which are numbers.
#[derive(Default)]
struct Bound {
    count: BTreeMap<String, usize>,
    numbers: Vec<String>,
}

impl Visit<'_> for Bound {
    fn visit_pat_ident(&mut self, pat: &syn::PatIdent) {
        let name = pat.ident.to_string();
        if name.strip_prefix('a').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit())) {
            self.numbers.push(name.clone());
        }
        *self.count.entry(name).or_default() += 1;
        visit::visit_pat_ident(self, pat);
    }

    fn visit_pat_type(&mut self, pat: &syn::PatType) {
        if let (syn::Pat::Ident(name), syn::Type::Path(ty)) = (&*pat.pat, &*pat.ty)
            && ty.path.is_ident("f64")
        {
            self.numbers.push(name.ident.to_string());
        }
        visit::visit_pat_type(self, pat);
    }
}

impl Bound {
    /// Whether a name is that of one number alone.
    fn is_number(&self, name: &Ident) -> bool {
        let name = name.to_string();
        self.numbers.contains(&name) && self.count.get(&name) == Some(&1)
    }
}

struct Outline<'f> {
    bound: Bound,
    functions: &'f mut Vec<syn::Item>,
}

impl syn::visit_mut::VisitMut for Outline<'_> {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        syn::visit_mut::visit_local_mut(self, local);
        let Some(init) = local.init.as_mut().filter(|init| !matches!(*init.expr, Expr::Path(_))) else { return };
        let mut reads = Vec::new();
        if !self.is_of_numbers(&init.expr, &mut reads) || reads.is_empty() {
            return;
        }
        let (name, body) = (quote::format_ident!("outlined_{}", self.functions.len()), &init.expr);
        self.functions.push(parse_quote!(#[differentiable] pub fn #name(#(#reads: f64),*) -> f64 { #body }));
        init.expr = parse_quote!(#name(#(#reads),*));
    }
}

impl Outline<'_> {
    /// Whether an expression is made of numbers alone, by operators and methods of std.
    fn is_of_numbers(&self, e: &Expr, reads: &mut Vec<Ident>) -> bool {
        match e {
            Expr::Lit(lit) => matches!(lit.lit, syn::Lit::Float(_)),
            Expr::Paren(inner) => self.is_of_numbers(&inner.expr, reads),
            Expr::Unary(inner) => matches!(inner.op, syn::UnOp::Neg(_)) && self.is_of_numbers(&inner.expr, reads),
            Expr::Binary(both) => {
                let arithmetic = matches!(
                    both.op,
                    syn::BinOp::Add(_) | syn::BinOp::Sub(_) | syn::BinOp::Mul(_) | syn::BinOp::Div(_)
                );
                arithmetic && self.is_of_numbers(&both.left, reads) && self.is_of_numbers(&both.right, reads)
            }
            Expr::MethodCall(call) => {
                let of_std = !call.method.to_string().ends_with(|c: char| c.is_ascii_digit());
                let all = std::iter::once(&*call.receiver).chain(&call.args);
                of_std && call.method != "sin_cos" && all.fold(true, |all, e| all & self.is_of_numbers(e, reads))
            }
            Expr::Path(path) => match path.path.get_ident().filter(|name| self.bound.is_number(name)) {
                Some(name) => {
                    if !reads.contains(name) {
                        reads.push(name.clone());
                    }
                    true
                }
                None => false,
            },
            _ => false,
        }
    }
}
