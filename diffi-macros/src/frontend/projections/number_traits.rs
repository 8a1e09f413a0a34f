//! Traits of numbers that users write: `trait Real: Copy + Add<Output = Self> { const ZERO: Self; fn sqrt(self) -> Self; }`.
//!
//! A function of `T: Real` is one of a generic float. What a method of the trait does is read from the trait and from its implementations
//! for `f64` and `f32`, which stand in the files around, in macros of these, too; where it is the same of all floats, it is known.

use super::defined::{Defined, beside};
use super::definitions::nearest;
use crate::frontend::syntax::bases::base_of;
use crate::frontend::syntax::file_names::FileNames;
use crate::frontend::syntax::types::bounds_of;
use crate::frontend::syntax::writes::is_assignment;
use crate::ir::{Base, Owner};
use crate::support::syntax::is_annotated;
use crate::support::tokens::position;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;
use syn::visit::{self, Visit};

/// The floats that a generic float may be.
const FLOATS: [&str; 2] = ["f64", "f32"];

/// A trait that users write, and all that its text tells.
#[derive(Clone, Debug)]
pub struct NumberTrait {
    annotated: bool,
    /// The traits that it builds on, as they are written.
    bounds: Vec<String>,
    items: HashMap<String, Item>,
    module: Range<usize>,
    module_name: String,
}

/// A constant or a function of a trait.
#[derive(Clone, Debug)]
struct Item {
    /// It is called on a value.
    is_method: bool,
    default: Option<Body>,
}

/// What a function does: its parameters, and an expression of these.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub params: Vec<String>,
    pub text: String,
    /// It stands in the trait: what it calls may be the trait's.
    pub in_trait: bool,
}

/// An implementation for a float.
#[derive(Clone, Debug)]
pub struct OfFloat {
    float: String,
    bodies: HashMap<String, Option<Body>>,
    module: Range<usize>,
}

/// Macros that implement something, and calls of macros beside items, with the modules that they stand in.
#[derive(Debug, Default)]
pub struct Implementing {
    rules: Vec<(String, TokenStream, Range<usize>)>,
    calls: Vec<(String, Vec<String>, Range<usize>)>,
}

/// What is known of a method of a trait of numbers.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// The trait has the attribute.
    Annotated,
    /// It does the same for these floats.
    Alike(Body, Vec<String>),
    /// It may do anything.
    Unknown,
}

impl NumberTrait {
    pub fn of(block: &syn::ItemTrait, (module, name): (&Range<usize>, &str)) -> Self {
        let items = block.items.iter().filter_map(|item| match item {
            syn::TraitItem::Const(c) => Some((c.ident.to_string(), Item { is_method: false, default: None })),
            syn::TraitItem::Fn(f) => {
                let default = f.default.as_ref().and_then(|body| Body::of(&f.sig, &f.attrs, body, true));
                Some((f.sig.ident.to_string(), Item { is_method: f.sig.receiver().is_some(), default }))
            }
            _ => None,
        });
        let clauses = block.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let clauses = clauses.filter_map(|clause| match clause {
            syn::WherePredicate::Type(p) if p.bounded_ty.to_token_stream().to_string() == "Self" => Some(&p.bounds),
            _ => None,
        });
        let bounds = [&block.supertraits].into_iter().chain(clauses).flatten();
        NumberTrait {
            annotated: is_annotated(&block.attrs),
            bounds: bounds.map(|bound| bound.to_token_stream().to_string()).collect(),
            items: items.collect(),
            module: module.clone(),
            module_name: name.to_owned(),
        }
    }
}

impl OfFloat {
    /// The trait, and what its block for a float holds.
    pub fn of(block: &syn::ItemImpl, module: &Range<usize>) -> Option<(String, Self)> {
        let (_, path, _) = block.trait_.as_ref()?;
        let name = path.get_ident()?.to_string();
        let float = block.self_ty.to_token_stream().to_string();
        let module = module.clone();
        FLOATS.contains(&float.as_str()).then(|| (name, OfFloat { bodies: bodies(block, &float), float, module }))
    }
}

impl Implementing {
    /// Notes a macro, or a call of one.
    pub fn add(&mut self, item: &syn::ItemMacro, module: &Range<usize>) {
        let (tokens, module) = (&item.mac.tokens, module.clone());
        match (&item.ident, item.mac.path.get_ident()) {
            (Some(name), _) if implements(tokens) => self.rules.push((name.to_string(), tokens.clone(), module)),
            (None, Some(name)) => self.calls.push((name.to_string(), names(tokens), module)),
            _ => {}
        }
    }

    /// The traits, and the blocks for floats, of macros that are called with floats alone.
    pub fn of_floats(self) -> Vec<(String, OfFloat)> {
        let mut found = Vec::new();
        for (name, floats, module) in &self.calls {
            let of_name =
                self.rules.iter().filter(|(of, _, at)| of == name && at.start <= module.start && module.end <= at.end);
            let Some((_, rules, _)) = of_name.min_by_key(|(_, _, at)| at.len()) else { continue };
            if !floats.iter().all(|name| FLOATS.contains(&name.as_str())) {
                continue;
            }
            blocks_of_variables(rules, &mut |block| {
                let Some(of) = block.trait_.as_ref().and_then(|(_, path, _)| path.get_ident()) else { return };
                let bodies = bodies(block, "Self");
                let block =
                    |float: &String| OfFloat { float: float.clone(), bodies: bodies.clone(), module: module.clone() };
                found.extend(floats.iter().map(|float| (of.to_string(), block(float))));
            });
        }
        found
    }
}

/// The functions of a block for a float.
fn bodies(block: &syn::ItemImpl, float: &str) -> HashMap<String, Option<Body>> {
    let functions = block.items.iter().filter_map(|item| match item {
        syn::ImplItem::Fn(f) => Some(f),
        _ => None,
    });
    let plain = block.attrs.iter().all(|attr| !attr.path().is_ident("cfg"));
    let body = |f: &syn::ImplItemFn| {
        let block = syn::parse2(with_self(f.block.to_token_stream(), float)).ok()?;
        Body::of(&f.sig, &f.attrs, &block, false).filter(|_| plain)
    };
    functions.map(|f| (f.sig.ident.to_string(), body(f))).collect()
}

/// Whether the rules of a macro implement something.
fn implements(rules: &TokenStream) -> bool {
    rules.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => name == "impl",
        TokenTree::Group(group) => implements(&group.stream()),
        _ => false,
    })
}

/// The names that a macro is called with; what else it is called with stands for itself.
fn names(tokens: &TokenStream) -> Vec<String> {
    let separates = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if matches!(p.as_char(), ',' | ';'));
    tokens.clone().into_iter().filter(|tree| !separates(tree)).map(|tree| tree.to_string()).collect()
}

/// Each `impl Trait for $t { .. }` of a macro, where `$t` is `Self`.
fn blocks_of_variables(tokens: &TokenStream, found: &mut dyn FnMut(&syn::ItemImpl)) {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is = |tree: Option<&TokenTree>, word: &str| tree.is_some_and(|tree| tree.to_string() == word);
    for (k, tree) in trees.iter().enumerate() {
        if let [TokenTree::Ident(of), via, TokenTree::Punct(_), TokenTree::Ident(variable), TokenTree::Group(body)] =
            trees.get(k + 1..k + 6).unwrap_or_default()
            && is(Some(tree), "impl")
            && is(Some(via), "for")
            && body.delimiter() == Delimiter::Brace
        {
            let body = without_variable(body.stream(), variable);
            if let Ok(block) = syn::parse2(quote!(impl #of for Self { #body })) {
                found(&block);
            }
        }
        if let TokenTree::Group(group) = tree {
            blocks_of_variables(&group.stream(), found);
        }
    }
}

/// Tokens of a macro in which `$t` is `Self`.
fn without_variable(tokens: TokenStream, variable: &Ident) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for tree in tokens {
        let follows = matches!(out.last(), Some(TokenTree::Punct(p)) if p.as_char() == '$');
        match tree {
            TokenTree::Ident(name) if follows && name == *variable => {
                out.pop();
                out.push(TokenTree::Ident(Ident::new("Self", name.span())));
            }
            TokenTree::Group(g) => {
                out.push(Group::new(g.delimiter(), without_variable(g.stream(), variable)).into());
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

/// Tokens in which a float's name is `Self`.
fn with_self(tokens: TokenStream, float: &str) -> TokenStream {
    let tree = |tree| match tree {
        TokenTree::Ident(name) if name == float => TokenTree::Ident(Ident::new("Self", name.span())),
        TokenTree::Group(g) => Group::new(g.delimiter(), with_self(g.stream(), float)).into(),
        other => other,
    };
    tokens.into_iter().map(tree).collect()
}

impl Body {
    /// That of a function of numbers, if it is an expression of these, of functions of the type, and of literals.
    fn of(signature: &syn::Signature, attrs: &[syn::Attribute], body: &syn::Block, in_trait: bool) -> Option<Self> {
        let params: Option<Vec<String>> = signature.inputs.iter().map(param).collect();
        let params = params.filter(|_| signature.generics.params.is_empty())?;
        let mut plain = Plain { names: params.clone(), is: attrs.iter().all(|attr| !attr.path().is_ident("cfg")) };
        plain.visit_block(body);
        let text = match &body.stmts[..] {
            [syn::Stmt::Expr(value, None)] => value.to_token_stream().to_string(),
            _ => body.to_token_stream().to_string(),
        };
        plain.is.then_some(Body { params, text, in_trait })
    }
}

/// The name of a parameter that is a number.
fn param(input: &syn::FnArg) -> Option<String> {
    match input {
        syn::FnArg::Receiver(this) => {
            (this.reference.is_none() && this.mutability.is_none()).then(|| "self".to_owned())
        }
        syn::FnArg::Typed(param) => match (&*param.pat, &*param.ty) {
            (syn::Pat::Ident(name), syn::Type::Path(ty)) if name.by_ref.is_none() && name.mutability.is_none() => {
                let known = ["Self", "i32"].iter().chain(&FLOATS).any(|known| ty.path.is_ident(known));
                known.then(|| name.ident.to_string())
            }
            _ => None,
        },
    }
}

/// Whether code consists of operators, literals, names that it declares, and functions of `Self`.
struct Plain {
    names: Vec<String>,
    is: bool,
}

impl<'a> Visit<'a> for Plain {
    fn visit_local(&mut self, local: &'a syn::Local) {
        visit::visit_local(self, local);
        match &local.pat {
            syn::Pat::Ident(name) if name.by_ref.is_none() && name.mutability.is_none() => {
                self.names.push(name.ident.to_string());
            }
            _ => self.is = false,
        }
    }

    fn visit_expr(&mut self, e: &'a syn::Expr) {
        use syn::Expr::{Binary, Block, Call, If, Lit, MethodCall, Paren, Path, Unary};
        match e {
            Call(call) => {
                self.is &= matches!(&*call.func, Path(path) if is_of_self(path) || is_of_libm(path));
                call.args.iter().for_each(|arg| self.visit_expr(arg));
                return;
            }
            Path(path) => {
                let known = path.path.get_ident().is_some_and(|name| self.names.contains(&name.to_string()));
                self.is &= known && path.qself.is_none();
            }
            Binary(b) => self.is &= !is_assignment(&b.op),
            MethodCall(_) | Unary(_) | Paren(_) | Lit(_) | If(_) | Block(_) => {}
            _ => self.is = false,
        }
        visit::visit_expr(self, e);
    }

    fn visit_attribute(&mut self, _: &'a syn::Attribute) {
        self.is = false;
    }

    fn visit_stmt(&mut self, stmt: &'a syn::Stmt) {
        self.is &= matches!(stmt, syn::Stmt::Local(_) | syn::Stmt::Expr(_, None));
        visit::visit_stmt(self, stmt);
    }
}

/// `Self::sqrt` or `<Self>::sqrt`.
fn is_of_self(path: &syn::ExprPath) -> bool {
    let text = path.to_token_stream().to_string().replace(' ', "");
    text.starts_with("Self::") && path.path.segments.len() == 2 || text.starts_with("<Self>::")
}

fn is_of_libm(path: &syn::ExprPath) -> bool {
    path.qself.is_none() && path.path.segments.len() == 2 && path.path.segments[0].ident == "libm"
}

/// Whether floats have a trait of this name.
fn has_floats(files: &[Rc<Defined>], name: &str) -> bool {
    files.iter().any(|file| file.of_floats.contains_key(name))
}

/// A trait, and how it is written where it is asked for.
#[derive(Debug)]
struct Known {
    name: String,
    path: String,
    is: NumberTrait,
}

/// The traits of a generic float that the files around define.
#[derive(Debug, Default)]
pub struct NumberTraits {
    files: Vec<Rc<Defined>>,
    /// Those that a function names come first.
    all: Vec<Known>,
}

impl NumberTraits {
    /// Those of the generic float of a function, if it has one.
    pub fn of_function(item: &syn::ItemFn, owner: Option<&Owner>) -> Self {
        let Base::Generic(float) = base_of(&item.sig, owner) else { return NumberTraits::default() };
        let generics: Vec<&syn::Generics> =
            owner.map(|o| &o.generics).into_iter().chain([&item.sig.generics]).collect();
        Self::of(&float, &generics)
    }

    /// Those that bound a type parameter, and those that they build on.
    pub fn of(float: &Ident, generics: &[&syn::Generics]) -> Self {
        let bounds = generics.iter().flat_map(|generics| bounds_of(float, generics));
        let bounds = bounds.map(|bound| bound.to_token_stream().to_string()).collect();
        Self::of_bounds(bounds)
    }

    /// The trait in scope that gives a float a method of this name.
    pub fn of_method(name: &str) -> Self {
        let Some(at) = position() else { return NumberTraits::default() };
        let all = NumberTraits { files: beside(&at.file), all: Vec::new() };
        let named: BTreeSet<&String> = all.files.iter().flat_map(|file| file.number_traits.keys()).collect();
        let has_method = |of: &&&String| {
            let known = all.definition(of, at.line).filter(|known| known.items.contains_key(name));
            known.is_some_and(|known| {
                known.module.contains(&at.line) || FileNames::here().is_some_and(|n| n.imports(of))
            })
        };
        let names: Vec<String> = named.iter().filter(has_method).map(|of| (**of).clone()).collect();
        if names.len() == 1 { Self::of_bounds(names) } else { NumberTraits::default() }
    }

    /// A trait, with those that it builds on, that floats alone implement.
    pub fn of_floats_alone(name: &str) -> Self {
        let found = Self::of_bounds(vec![name.to_owned()]);
        let mut blocks = found.files.iter().flat_map(|file| &file.implementations).filter(|block| block.of == name);
        let alone = has_floats(&found.files, name) && blocks.all(|block| FLOATS.contains(&block.owner.as_str()));
        if alone { found } else { NumberTraits::default() }
    }

    fn of_bounds(mut bounds: Vec<String>) -> Self {
        let Some(at) = position() else { return NumberTraits::default() };
        let mut found = NumberTraits { files: beside(&at.file), all: Vec::new() };
        let (mut next, mut ambiguous) = (0, Vec::new());
        while let Some(bound) = bounds.get(next).cloned() {
            next += 1;
            let name = bound.rsplit("::").next().unwrap_or_default().trim().to_owned();
            match found.all.iter().find(|known| known.name == name) {
                Some(known) if known.path != bound => ambiguous.push(name),
                Some(_) => {}
                None => {
                    let Some(is) = found.definition(&bound, at.line).cloned() else { continue };
                    bounds.extend(is.bounds.iter().cloned());
                    found.all.push(Known { name, path: bound, is });
                }
            }
        }
        found.all.retain(|known| !ambiguous.contains(&known.name));
        found
    }

    /// The trait that a path leads to: of this file, or the only one of the name in the others where this file imports it.
    fn definition(&self, path: &str, line: usize) -> Option<&NumberTrait> {
        let mut segments = path.rsplit("::").map(str::trim);
        let (name, of) = (segments.next()?, segments.next().filter(|of| !["crate", "self", "super"].contains(of)));
        let (here, elsewhere) = self.files.split_first().filter(|(here, _)| !here.inner_traits.contains(name))?;
        let known = here.number_traits.get(name).map(Vec::as_slice).unwrap_or_default();
        let near = match of {
            Some(of) => known.iter().filter(|one| one.module_name == of).collect(),
            None => nearest(known, line, |one| &one.module),
        };
        let all: Vec<&NumberTrait> = match near.is_empty() {
            true if of.is_none() && !FileNames::here()?.imports(name) => return None,
            true => elsewhere.iter().filter_map(|file| file.number_traits.get(name)).flatten().collect(),
            false => near,
        };
        if let [one] = all[..] { Some(one) } else { None }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The path to the trait that declares a constant or a function of this name, as it is written here.
    pub fn path_to(&self, name: &str) -> Option<syn::Path> {
        let (of, _) = self.item(name)?;
        syn::parse_str(&of.path).ok()
    }

    /// Whether one of them builds on such a trait.
    pub fn have_bound(&self, is_wanted: impl Fn(&syn::TypeParamBound) -> bool) -> bool {
        let bounds = self.all.iter().flat_map(|known| &known.is.bounds);
        bounds.filter_map(|bound| syn::parse_str(bound).ok()).any(|bound| is_wanted(&bound))
    }

    /// The trait that declares a constant or a function of this name, and whether that is called on a value.
    pub fn declares(&self, name: &str) -> Option<(&str, bool)> {
        let (of, item) = self.item(name)?;
        Some((&of.name, item.is_method))
    }

    fn item(&self, name: &str) -> Option<(&Known, &Item)> {
        self.all.iter().find_map(|of| Some((of, of.is.items.get(name)?)))
    }

    /// The blocks that implement a trait for floats: those beside it, if there are others of its name.
    fn blocks(&self, of: &Known) -> Vec<&OfFloat> {
        let times = self.files.iter().filter_map(|file| file.number_traits.get(&of.name)).flatten().count();
        let files = if times == 1 { self.files.len() } else { 1 };
        let blocks = self.files.iter().take(files).filter_map(|file| file.of_floats.get(&of.name)).flatten();
        blocks.filter(|block| times == 1 || block.module == of.is.module).collect()
    }

    /// The floats that have all of these traits, as far as the files around tell.
    pub fn floats(&self) -> Vec<&'static str> {
        let blocks: Vec<Vec<&OfFloat>> = self.all.iter().map(|known| self.blocks(known)).collect();
        let has = |float: &str, blocks: &Vec<&OfFloat>| blocks.is_empty() || blocks.iter().any(|b| b.float == float);
        FLOATS.into_iter().filter(|float| blocks.iter().all(|blocks| has(float, blocks))).collect()
    }

    /// What a function of one of these traits does.
    pub fn meaning(&self, name: &str) -> Option<Meaning> {
        let (known, item) = self.item(name)?;
        if known.is.annotated {
            return Some(Meaning::Annotated);
        }
        let floats = self.blocks(known);
        let bodies = floats.iter().map(|block| block.bodies.get(name).cloned().unwrap_or_else(|| item.default.clone()));
        let bodies: Option<Vec<Body>> = bodies.collect();
        let first =
            bodies.as_ref().and_then(|all| Some(all.first().filter(|first| all.iter().all(|b| b == *first))?.clone()));
        Some(match first {
            Some(body) => Meaning::Alike(body, floats.iter().map(|block| block.float.clone()).collect()),
            None => Meaning::Unknown,
        })
    }
}
