//! Functions without the attribute, as far as the text of the module around a call shows them.
//!
//! rustc says of each derivative that a method does not have that it is not there, in one error for each sweep. Where the module shows that
//! a type's `impl`, or a trait, has no attribute, the call takes the way of functions instead, on which rustc says so once.

use crate::frontend::projections::definitions::type_name;
use crate::frontend::projections::receivers::Receivers;
use crate::frontend::syntax::objects::Objects;
use crate::frontend::syntax::types::{self, without_reference};
use crate::ir::{Base, Owner, OwnerKind};
use crate::support::source_files;
use crate::support::syntax::strip_parens;
use crate::support::tokens::position;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Attributes that leave an item as it is.
const INERT: &[&str] = &["doc", "inline", "must_use", "allow", "warn", "expect", "cold", "track_caller", "rustfmt"];

/// The functions without the attribute that a function may call.
pub struct Unannotated {
    shown: Rc<Shown>,
    /// The fields and functions whose types mention trait objects.
    pub objects: Objects,
    line: usize,
    receivers: Receivers,
    /// Names of types, as the function's parameters bound them: traits.
    bounds: HashMap<String, Vec<String>>,
    /// The type of the block around.
    this: Option<String>,
    /// Names of types of which the function's text does not show whose they are.
    unclear: Vec<String>,
    /// The first calls of types' functions.
    first: RefCell<HashMap<String, Span>>,
}

impl Unannotated {
    /// Those around a function.
    pub fn around(item: &syn::ItemFn, owner: Option<&Owner>) -> Option<Self> {
        let at = position()?;
        let shown = shown_in(&at.file)?;
        let this = owner.filter(|o| matches!(o.kind, OwnerKind::Inherent)).and_then(|o| plain_name(&o.ty));
        Some(Unannotated {
            objects: shown.objects.clone(),
            shown,
            line: at.line,
            receivers: Receivers::of(item, owner),
            bounds: bounds(item),
            this,
            unclear: unclear(item, owner),
            first: RefCell::default(),
        })
    }

    /// `Type::name`: the type, if it lacks the attribute.
    pub fn associated(&self, path: &syn::ExprPath) -> Option<String> {
        let name = &path.path.segments.last()?.ident;
        self.owner_in(path).filter(|owner| self.lacks(owner, name))
    }

    /// `Type::name`: the type.
    fn owner_in(&self, path: &syn::ExprPath) -> Option<String> {
        let segments = &path.path.segments;
        if path.qself.is_some() || path.path.leading_colon.is_some() || segments.len() != 2 {
            return None;
        }
        match segments[0].ident.to_string() {
            name if name == "Self" => self.this.clone(),
            name => Some(name),
        }
    }

    /// `receiver.name`: the type, or the trait, whose function it is.
    pub fn method(&self, receiver: &syn::Expr, name: &Ident) -> Option<String> {
        let variable = match strip_parens(receiver) {
            syn::Expr::Path(p) => p.path.get_ident().map(Ident::to_string),
            _ => None,
        };
        let ty = self.receivers.type_of(receiver).map(str::to_owned);
        let bounded = [ty.clone(), variable].into_iter().flatten().find_map(|name| self.bounds.get(&name));
        let owners = bounded.cloned().unwrap_or_else(|| ty.into_iter().collect());
        owners.into_iter().find(|owner| self.lacks(owner, name))
    }

    /// Whether a method is one of the receiver's type, by all that the module shows. A part of a sequence has the name of that.
    pub fn is_own(&self, m: &syn::ExprMethodCall, part: Option<(&str, usize)>) -> bool {
        let element = part.and_then(|(of, indices)| self.receivers.element_of(of, indices)).map(str::to_owned);
        let owner = element.or_else(|| self.type_given(&m.receiver));
        owner.is_some_and(|owner| {
            !self.is_unclear(&owner) && self.shown.functions.contains_key(&(owner, m.method.unraw().to_string()))
        })
    }

    /// Whether an expression is of a type that has functions of its own, by all that the module shows.
    pub fn gives_own(&self, e: &syn::Expr) -> bool {
        self.own_type(e).is_some_and(|ty| self.shown.functions.keys().any(|(owner, _)| *owner == ty))
    }

    /// The user's type that an expression is of, by all that the module shows.
    pub fn own_type(&self, e: &syn::Expr) -> Option<String> {
        self.type_given(e).filter(|ty| !self.is_unclear(ty) && !is_float(ty))
    }

    /// Whether an operator is one of the left operand's type, by all that the module shows.
    pub fn is_own_operator(&self, left: &syn::Expr, name: &str) -> bool {
        let owner = self.type_given(left).filter(|owner| !self.is_unclear(owner) && !is_float(owner));
        owner.is_some_and(|owner| self.shown.functions.contains_key(&(owner, name.to_owned())))
    }

    /// The type of an expression: a variable's, or what its type's functions give.
    fn type_given(&self, e: &syn::Expr) -> Option<String> {
        let gives = |owner: String, name: &str| {
            let all = self.shown.functions.get(&(owner, name.to_owned()))?;
            let first = all.first()?.gives.clone()?;
            all.iter().all(|f| f.gives.as_ref() == Some(&first)).then_some(first)
        };
        match strip_parens(e) {
            syn::Expr::MethodCall(m) if m.method == "clone" => self.type_given(&m.receiver),
            syn::Expr::MethodCall(m) => gives(self.type_given(&m.receiver)?, &m.method.unraw().to_string()),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)) => gives(self.type_given(&u.expr)?, "neg"),
            syn::Expr::Binary(b) => gives(self.type_given(&b.left)?, operator_trait(&b.op)?.1),
            syn::Expr::Call(c) => match &*c.func {
                syn::Expr::Path(p) => gives(self.owner_in(p)?, &p.path.segments.last()?.ident.to_string()),
                _ => None,
            },
            syn::Expr::Index(i) => match strip_parens(&i.expr) {
                syn::Expr::Path(p) => self.receivers.element_of(&p.path.get_ident()?.to_string(), 1).map(str::to_owned),
                _ => None,
            },
            e => self.type_of(e),
        }
    }

    /// An operator's function: the type of the left operand, or, of a float, both types.
    pub fn operator(&self, (left, right): (&syn::Expr, Option<&syn::Expr>), name: &str) -> Option<String> {
        let owner = match (self.type_of(left)?, right) {
            (float, Some(right)) if is_float(&float) => format!("{float} {}", self.type_of(right)?),
            (owner, _) => owner,
        };
        let name = Ident::new(name, Span::call_site());
        Some(owner).filter(|owner| self.lacks(owner, &name))
    }

    fn type_of(&self, e: &syn::Expr) -> Option<String> {
        match strip_parens(e) {
            syn::Expr::Struct(s) => s.path.get_ident().filter(|name| *name != "Self").map(Ident::to_string),
            syn::Expr::Reference(r) => self.type_of(&r.expr),
            syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::Float(_)) => Some("f64".to_owned()),
            e => self.receivers.type_of(e).map(str::to_owned),
        }
    }

    /// The first call of one of a type's functions that was found, given another one.
    pub fn first_call(&self, owner: &str, at: Span) -> Span {
        *self.first.borrow_mut().entry(owner.to_owned()).or_insert(at)
    }

    fn is_unclear(&self, owner: &str) -> bool {
        self.unclear.iter().any(|other| owner.split(' ').any(|name| name == other))
    }

    /// Whether a type has this function, and no attribute at it.
    fn lacks(&self, owner: &str, name: &Ident) -> bool {
        let Some(all) = self.shown.functions.get(&(owner.to_owned(), name.unraw().to_string())) else { return false };
        let modules = self.shown.functions.values().flatten().map(|f| &f.module).filter(|m| m.contains(&self.line));
        let here = modules.min_by_key(|m| m.len());
        !self.is_unclear(owner) && all.iter().all(|f| f.plain && f.carries && Some(&f.module) == here)
    }
}

/// The trait of an operator, and its function.
pub fn operator_trait(op: &syn::BinOp) -> Option<(&'static str, &'static str)> {
    use syn::BinOp::*;
    Some(match op {
        Add(_) => ("Add", "add"),
        Sub(_) => ("Sub", "sub"),
        Mul(_) => ("Mul", "mul"),
        Div(_) => ("Div", "div"),
        AddAssign(_) => ("AddAssign", "add_assign"),
        SubAssign(_) => ("SubAssign", "sub_assign"),
        MulAssign(_) => ("MulAssign", "mul_assign"),
        DivAssign(_) => ("DivAssign", "div_assign"),
        _ => return None,
    })
}

/// The name of a type that is no path.
fn plain_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(p) if p.qself.is_none() && p.path.segments.len() == 1 => type_name(ty).map(ToString::to_string),
        _ => None,
    }
}

/// The traits that bound types of a function's parameters, by the names of types and of parameters.
fn bounds(item: &syn::ItemFn) -> HashMap<String, Vec<String>> {
    let mut all: HashMap<String, Vec<String>> = HashMap::new();
    let generics = &item.sig.generics;
    for param in generics.type_params() {
        all.entry(param.ident.to_string()).or_default().extend(traits(&param.bounds));
    }
    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        if let syn::WherePredicate::Type(bound) = predicate {
            plain_name(&bound.bounded_ty)
                .into_iter()
                .for_each(|ty| all.entry(ty).or_default().extend(traits(&bound.bounds)));
        }
    }
    for input in &item.sig.inputs {
        if let syn::FnArg::Typed(param) = input
            && let (syn::Pat::Ident(name), Some(of)) = (&*param.pat, traits_of(&param.ty))
        {
            all.insert(name.ident.to_string(), of);
        }
    }
    all
}

/// The traits of `&impl Model`, `&dyn Model`, `Box<dyn Model>`.
fn traits_of(ty: &syn::Type) -> Option<Vec<String>> {
    match ty {
        syn::Type::Reference(r) => traits_of(&r.elem),
        syn::Type::Paren(p) => traits_of(&p.elem),
        syn::Type::ImplTrait(of) => Some(traits(&of.bounds)),
        syn::Type::TraitObject(of) => Some(traits(&of.bounds)),
        syn::Type::Path(p) => {
            let last = p.path.segments.last().filter(|last| ["Box", "Rc", "Arc"].iter().any(|b| last.ident == b))?;
            let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            match arguments.args.first()? {
                syn::GenericArgument::Type(ty) => traits_of(ty),
                _ => None,
            }
        }
        _ => None,
    }
}

fn traits<'a>(bounds: impl IntoIterator<Item = &'a syn::TypeParamBound>) -> Vec<String> {
    let name = |bound: &syn::TypeParamBound| match bound {
        syn::TypeParamBound::Trait(of) => of.path.get_ident().map(ToString::to_string),
        _ => None,
    };
    bounds.into_iter().filter_map(name).collect()
}

/// Names that are generic, that items in the body may define, or that stand behind a path.
fn unclear(item: &syn::ItemFn, owner: Option<&Owner>) -> Vec<String> {
    let generics = [Some(&item.sig.generics), owner.map(|o| &o.generics)].into_iter().flatten();
    let mut all: Vec<String> = generics.flat_map(|g| g.type_params()).map(|param| param.ident.to_string()).collect();
    // a function mentions types, and brings none about, unless there are items in it
    let mentions = |s: &syn::Stmt| matches!(s, syn::Stmt::Item(syn::Item::Fn(f)) if !f.block.stmts.iter().any(|s| matches!(s, syn::Stmt::Item(_))));
    let inner = item.block.stmts.iter().filter(|s| matches!(s, syn::Stmt::Item(_)) && !mentions(s));
    inner.for_each(|s| names(s.to_token_stream(), false, &mut all));
    names(item.to_token_stream(), true, &mut all);
    all
}

/// The names in a text, or those behind `::`.
fn names(tokens: TokenStream, behind: bool, all: &mut Vec<String>) {
    let mut colon = false;
    for token in tokens {
        match &token {
            TokenTree::Group(group) => names(group.stream(), behind, all),
            TokenTree::Ident(name) if colon || !behind => all.push(name.to_string()),
            _ => {}
        }
        colon = matches!(&token, TokenTree::Punct(p) if p.as_char() == ':' && (colon || p.spacing() == proc_macro2::Spacing::Joint));
    }
}

/// A function of a type or a trait.
#[derive(Debug)]
struct Function {
    /// Neither it nor its block has an attribute that may change it.
    plain: bool,
    /// Its signature may carry a derivative.
    carries: bool,
    /// The name of the type of its value.
    gives: Option<String>,
    /// The lines of the module that it stands in.
    module: Range<usize>,
}

/// Functions, by their types and names.
type Functions = HashMap<(String, String), Vec<Function>>;

/// What a file shows.
#[derive(Debug, Default)]
struct Shown {
    functions: Functions,
    /// The fields and functions whose types mention trait objects.
    objects: Objects,
}

thread_local! {
    static FILES: RefCell<HashMap<PathBuf, Option<Rc<Shown>>>> = RefCell::default();
}

/// What a file shows. It is parsed once.
fn shown_in(path: &Path) -> Option<Rc<Shown>> {
    FILES.with_borrow_mut(|known| known.entry(path.to_owned()).or_insert_with(|| read(path).map(Rc::new)).clone())
}

fn read(path: &Path) -> Option<Shown> {
    let tokens = source_files::text(path)?.parse::<TokenStream>().ok()?;
    let file = syn::parse2::<syn::File>(tokens).ok()?;
    let mut found = Found { module: 0..usize::MAX, plain: true, shown: Shown::default() };
    found.visit_file(&file);
    Some(found.shown)
}

struct Found {
    module: Range<usize>,
    plain: bool,
    shown: Shown,
}

impl<'a> Visit<'a> for Found {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        let span = module.span();
        let around = (self.module.clone(), self.plain);
        self.module = span.start().line..span.end().line + 1;
        self.plain &= is_plain(&module.attrs);
        visit::visit_item_mod(self, module);
        (self.module, self.plain) = around;
    }

    fn visit_item_impl(&mut self, block: &'a syn::ItemImpl) {
        let Some(owner) = owner_of(block) else { return };
        for item in &block.items {
            if let syn::ImplItem::Fn(f) = item {
                let gives = value_of(&f.sig, &owner, block);
                self.function(&owner, &f.sig, is_plain(&block.attrs) && is_plain(&f.attrs), gives);
            }
        }
    }

    fn visit_item_trait(&mut self, block: &'a syn::ItemTrait) {
        for item in &block.items {
            if let syn::TraitItem::Fn(f) = item {
                self.function(&block.ident.to_string(), &f.sig, is_plain(&block.attrs) && is_plain(&f.attrs), None);
            }
        }
    }

    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        self.shown.objects.function(&function.sig);
    }

    fn visit_field(&mut self, field: &'a syn::Field) {
        self.shown.objects.field(field);
    }
}

/// The type of a block; with the operand's, where that is what a float is added to or multiplied with.
fn owner_of(block: &syn::ItemImpl) -> Option<String> {
    let ty = without_reference(&block.self_ty);
    let owner = plain_name(ty)?;
    if !is_float(&owner) {
        return Some(owner);
    }
    let (_, path, _) = block.trait_.as_ref()?;
    let syn::PathArguments::AngleBracketed(of) = &path.segments.last()?.arguments else { return None };
    match of.args.first()? {
        syn::GenericArgument::Type(ty) => Some(format!("{owner} {}", plain_name(without_reference(ty))?)),
        _ => None,
    }
}

fn is_float(name: &str) -> bool {
    ["f64", "f32"].contains(&name)
}

impl Found {
    fn function(&mut self, owner: &str, signature: &syn::Signature, plain: bool, gives: Option<String>) {
        self.shown.objects.function(signature);
        let key = (owner.to_owned(), signature.ident.to_string());
        let (plain, carries, module) = (plain && self.plain, carries(signature), self.module.clone());
        let function = Function { plain, carries, gives, module };
        self.shown.functions.entry(key).or_default().push(function);
    }
}

/// The name of the type of a function's value: `Self` and `Self::Output` by its block.
fn value_of(signature: &syn::Signature, owner: &str, block: &syn::ItemImpl) -> Option<String> {
    let syn::ReturnType::Type(_, ty) = &signature.output else { return None };
    let named = |ty: &syn::Type| plain_name(ty).map(|name| if name == "Self" { owner.to_owned() } else { name });
    let is_output = matches!(&**ty, syn::Type::Path(p) if p.path.segments.iter().map(|s| s.ident.to_string()).eq(["Self", "Output"]));
    if !is_output {
        return named(ty);
    }
    block.items.iter().find_map(|item| match item {
        syn::ImplItem::Type(t) if t.ident == "Output" => named(&t.ty),
        _ => None,
    })
}

/// Whether all attributes leave an item as it is.
fn is_plain(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().all(|a| a.path().segments.first().is_some_and(|s| INERT.iter().any(|name| s.ident == name)))
}

/// Whether a result, or a parameter that the function changes, may carry a derivative.
fn carries(signature: &syn::Signature) -> bool {
    let base = Base::Concrete(Ident::new("f64", Span::call_site()));
    let changes = signature.inputs.iter().any(|input| {
        let ty = match input {
            syn::FnArg::Receiver(receiver) => &receiver.ty,
            syn::FnArg::Typed(param) => &param.ty,
        };
        matches!(&**ty, syn::Type::Reference(r) if r.mutability.is_some())
    });
    let gives = match &signature.output {
        syn::ReturnType::Default => false,
        syn::ReturnType::Type(_, ty) => !types::is_answer(ty, &base) && !types::is_passive(&types::describe(ty, &base)),
    };
    changes || gives
}
