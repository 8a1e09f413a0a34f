//! A program: its text as written, and the derivative code of its functions.

use crate::ad::derivatives::{Derivatives, SplitTangent};
use crate::analysis::activity::activity;
use crate::frontend::syntax::{bases, types};
use crate::ir::symbols::Table;
use crate::ir::{Block, Derived, Function, Output, Owner, OwnerKind, PassiveCode, Sibling, Stmt, Var};
use crate::opt::differentiate::{Wanted, derivatives};
use crate::opt::dump::Dump;
pub use crate::opt::pass::Body as Part;
use crate::pipeline::normal_form;
use crate::support::hash::HashMap as Map;
use crate::tests::interpreter::stop::{Run, Stop};
use quote::{ToTokens, quote};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The type that a function belongs to, if any, and its name.
pub type Key = (Option<String>, String);

/// The names of fields.
pub type Names = Rc<[Rc<str>]>;

/// What the program's text says.
#[derive(Default)]
pub struct Source {
    functions: HashMap<Key, syn::ItemFn>,
    /// In the order of the text.
    order: Vec<(Key, Option<syn::ItemImpl>)>,
    /// The fields of structs and variants, and the type that they belong to.
    variants: HashMap<String, (Rc<str>, Names, String)>,
    /// Types that carry derivatives.
    carriers: Vec<String>,
}

impl Source {
    /// Reads a program.
    pub fn of(text: &str) -> syn::Result<Source> {
        let mut source = Source::default();
        for item in syn::parse_file(text)?.items {
            match item {
                syn::Item::Fn(mut function) => {
                    function.attrs.clear();
                    source.add(None, function, None);
                }
                syn::Item::Impl(block) => {
                    let owner = block.self_ty.to_token_stream().to_string();
                    for item in &block.items {
                        let syn::ImplItem::Fn(f) = item else { continue };
                        let syn::ImplItemFn { vis, sig, block: body, .. } = f.clone();
                        let function = syn::ItemFn { attrs: Vec::new(), vis, sig, block: Box::new(body) };
                        source.add(Some(owner.clone()), function, Some(block.clone()));
                    }
                }
                syn::Item::Struct(of) => {
                    source.carrier(&of.ident, &of.attrs);
                    source.variant_of(&of.ident, &of.ident, &of.fields);
                }
                syn::Item::Enum(of) => {
                    source.carrier(&of.ident, &of.attrs);
                    of.variants.iter().for_each(|v| source.variant_of(&of.ident, &v.ident, &v.fields));
                }
                _ => {}
            }
        }
        Ok(source)
    }

    fn add(&mut self, owner: Option<String>, function: syn::ItemFn, block: Option<syn::ItemImpl>) {
        let key = (owner, function.sig.ident.to_string());
        self.order.push((key.clone(), block));
        self.functions.insert(key, function);
    }

    fn carrier(&mut self, ty: &syn::Ident, attrs: &[syn::Attribute]) {
        if attrs.iter().any(|a| a.to_token_stream().to_string().contains("Differentiable")) {
            self.carriers.push(ty.to_string());
        }
    }

    fn variant_of(&mut self, of: &syn::Ident, variant: &syn::Ident, fields: &syn::Fields) {
        let name = |(k, field): (usize, &syn::Field)| -> Rc<str> {
            field.ident.as_ref().map_or_else(|| k.to_string(), ToString::to_string).into()
        };
        let names = fields.iter().enumerate().map(name).collect();
        let text = variant.to_string();
        self.variants.insert(text.clone(), (text.into(), names, of.to_string()));
    }

    /// The normal forms of all functions that carry derivatives, or what diffi says.
    pub fn functions(&self, dump: &Dump) -> syn::Result<Vec<(Key, Function)>> {
        let mut all = Vec::new();
        for (key, block) in &self.order {
            let item = &self.functions[key];
            let owner = block.as_ref().map(|block| owner_of(block, item));
            if let Some(function) = normal_form(item, owner.as_ref(), dump)? {
                self.only_passive_types(&function)?;
                all.push((key.clone(), function));
            }
        }
        Ok(all)
    }

    /// What rustc answers to the question whether types that have names of std's carry no derivatives.
    fn only_passive_types(&self, function: &Function) -> syn::Result<()> {
        let asked = |ty: &String| {
            let ty = proc_macro2::Ident::new(ty, proc_macro2::Span::call_site());
            let question = quote!(__d::is_passive(__d::Named::<#ty>::kind());).to_string();
            function.checks.iter().any(|check| check.to_string() == question)
        };
        match self.carriers.iter().find(|ty| asked(ty)) {
            Some(ty) => Err(syn::Error::new(function.name.span(), format!("`{ty}` is a name of std's"))),
            None => Ok(()),
        }
    }
}

/// What is known of a block with one function.
fn owner_of(block: &syn::ItemImpl, item: &syn::ItemFn) -> Owner {
    let library = types::mentions_library(block.to_token_stream());
    let (generics, ty) = (block.generics.clone(), (*block.self_ty).clone());
    let mut owner = Owner {
        kind: OwnerKind::Inherent,
        generics,
        ty,
        functions: Default::default(),
        floats: Default::default(),
        library,
    };
    let base = bases::base_of(&item.sig, Some(&owner));
    let exclusive = item.sig.receiver().is_some_and(|r| r.mutability.is_some() && r.reference.is_some());
    let sibling = Sibling {
        ty: types::result(&item.sig, &base),
        exclusive,
        passive: false,
        projection: None,
        gives_own: false,
        text: None,
    };
    owner.functions.insert(item.sig.ident.to_string(), sibling);
    owner
}

/// A program that can be run, and differentiated.
pub struct Program<'p> {
    source: &'p Source,
    codes: HashMap<Key, Code<'p>>,
    /// Passive code by its address, parsed.
    parsed: RefCell<HashMap<usize, Rc<Vec<syn::Stmt>>>>,
}

/// A function's derivative code.
pub struct Code<'p> {
    /// The function.
    pub function: &'p Function,
    /// Items within it.
    pub items: Vec<syn::Stmt>,
    derivatives: Derivatives<'p>,
}

impl Part {
    /// Whether it gives the function's value.
    pub fn has_value(self) -> bool {
        !matches!(self, Part::Reverse | Part::ReversePush)
    }

    /// Whether it takes cotangents.
    pub fn is_reverse(self) -> bool {
        !matches!(self, Part::Push | Part::Forward | Part::ForwardPush)
    }
}

/// A body, and what its variables are called.
pub struct Body<'p> {
    /// The statements.
    pub block: &'p Block,
    /// The variables.
    pub table: &'p Table,
    /// Of each variable: its tangent.
    pub dots: Option<&'p Map<Var, Var>>,
    /// Of each parameter: its cotangent.
    pub bars: Option<&'p Map<Var, Var>>,
    /// The cotangent of the result.
    pub y_bar: Option<Var>,
    /// The tangent of the result.
    pub dot: Option<&'p Output>,
    /// Both sweeps, or the one.
    sweeps: Vec<&'p Block>,
}

impl Body<'_> {
    /// Whether the body initialises a cotangent itself.
    pub fn initialises(&self, bar: Var) -> bool {
        self.sweeps.iter().flat_map(|b| &b.stmts).any(|stmt| initialised(stmt).contains(&bar))
    }
}

impl<'p> Code<'p> {
    /// The code of a function in its normal form.
    pub fn of(function: &'p Function, dump: &Dump) -> Self {
        let wanted = Wanted { again: true, second: true };
        let derivatives = derivatives(function, &activity(function), wanted, dump);
        let parse = |item: &proc_macro2::TokenStream| syn::parse2::<syn::Item>(item.clone()).ok().map(syn::Stmt::Item);
        Code { function, items: function.items.iter().filter_map(parse).collect(), derivatives }
    }

    /// Whether there are two sweeps.
    pub fn is_split(&self) -> bool {
        self.derivatives.split.is_some()
    }

    /// The code, as text.
    pub fn text(&mut self) -> String {
        crate::opt::dump::text(self.function, &mut self.derivatives)
    }

    /// A body.
    pub fn body(&'p self, part: Part) -> Body<'p> {
        match part {
            Part::Push | Part::PullPush => self.tangent(part),
            Part::Pull => {
                let pull = &self.derivatives.pull;
                let (bars, y_bar) = (Some(&pull.bars), pull.y_bar);
                Body {
                    block: &pull.body,
                    table: &pull.table,
                    dots: None,
                    bars,
                    y_bar,
                    dot: None,
                    sweeps: vec![&pull.body],
                }
            }
            _ => self.sweep(part),
        }
    }

    fn tangent(&'p self, part: Part) -> Body<'p> {
        let Derivatives { push, pull, second, .. } = &self.derivatives;
        let (code, bars, y_bar) = match part {
            Part::Push => (push, None, None),
            _ => (&second.as_ref().expect("second derivatives").pull_push, Some(&pull.bars), pull.y_bar),
        };
        let (table, dots, dot) = (&code.pass.table, Some(&code.pass.dots), Some(&code.dot));
        Body { block: &code.body, table, dots, bars, y_bar, dot, sweeps: vec![&code.body] }
    }

    fn sweep(&'p self, part: Part) -> Body<'p> {
        let split = self.derivatives.split.as_ref().expect("two sweeps");
        let (bars, y_bar) = (Some(&split.bars), split.y_bar);
        if let Part::Forward | Part::Reverse = part {
            let block = if part == Part::Forward { &split.forward } else { &split.reverse };
            let sweeps = vec![&split.forward, &split.reverse];
            return Body { block, table: &split.table, dots: None, bars, y_bar, dot: None, sweeps };
        }
        let second = self.derivatives.second.as_ref().and_then(|s| s.split_push.as_ref()).expect("second derivatives");
        let SplitTangent { pass, forward, reverse, dot } = second;
        let block = if part == Part::ForwardPush { forward } else { reverse };
        let (dots, dot) = (Some(&pass.dots), Some(dot));
        Body { block, table: &pass.table, dots, bars, y_bar, dot, sweeps: vec![forward, reverse] }
    }
}

impl<'p> Program<'p> {
    /// The program with all its derivative code.
    pub fn new(source: &'p Source, functions: &'p [(Key, Function)]) -> Self {
        let codes =
            functions.iter().map(|(key, function)| (key.clone(), Code::of(function, &Dump::default()))).collect();
        Program { source, codes, parsed: RefCell::default() }
    }

    /// The statements of passive code.
    pub fn parsed(&self, code: &PassiveCode) -> Run<Rc<Vec<syn::Stmt>>> {
        let key = std::ptr::from_ref(code) as usize;
        if let Some(known) = self.parsed.borrow().get(&key) {
            return Ok(known.clone());
        }
        let stmts = Rc::new(parsed(&code.tokens)?);
        self.parsed.borrow_mut().insert(key, stmts.clone());
        Ok(stmts)
    }

    /// A function.
    pub fn function(&self, name: &str) -> Option<&'p syn::ItemFn> {
        self.source.functions.get(&(None, name.to_owned()))
    }

    /// A method or an associated function of a type.
    pub fn method(&self, owner: &str, name: &str) -> Option<&'p syn::ItemFn> {
        self.source.functions.get(&(Some(owner.to_owned()), name.to_owned()))
    }

    /// A method of the type that a struct or a variant belongs to.
    pub fn method_of_variant(&self, variant: &str, name: &str) -> Option<&'p syn::ItemFn> {
        self.method(&self.source.variants.get(variant)?.2, name)
    }

    /// The derivative code of a function.
    pub fn code(&'p self, owner: Option<&str>, name: &str) -> Option<&'p Code<'p>> {
        self.codes.get(&(owner.map(str::to_owned), name.to_owned()))
    }

    /// The derivative code of a method of the type that a struct or a variant belongs to.
    pub fn code_of_variant(&'p self, variant: &str, name: &str) -> Option<&'p Code<'p>> {
        self.code(Some(&self.source.variants.get(variant)?.2), name)
    }

    /// A struct's or a variant's own name, and its fields.
    pub fn variant(&self, name: &str) -> Option<(Rc<str>, Names)> {
        self.source.variants.get(name).map(|(name, fields, _)| (name.clone(), fields.clone()))
    }

    /// Whether it is a variant without fields.
    pub fn is_unit(&self, name: &str) -> bool {
        self.source.variants.get(name).is_some_and(|(_, fields, _)| fields.is_empty())
    }
}

/// The cotangents of parameters that a block initialises itself.
fn initialised(stmt: &Stmt) -> Vec<Var> {
    match stmt {
        Stmt::Derived(Derived::Fresh { bar, .. }) => vec![*bar],
        Stmt::Derived(Derived::Sweep(sweep)) => sweep.fresh.iter().copied().collect(),
        _ => Vec::new(),
    }
}

/// An expression, or statements.
fn parsed(tokens: &proc_macro2::TokenStream) -> Run<Vec<syn::Stmt>> {
    if let Ok(e) = syn::parse2::<syn::Expr>(tokens.clone()) {
        return Ok(vec![syn::Stmt::Expr(e, None)]);
    }
    let parsed = syn::parse::Parser::parse2(syn::Block::parse_within, tokens.clone());
    parsed.map_err(|e| Stop::unknown(format!("`{tokens}`: {e}")))
}
