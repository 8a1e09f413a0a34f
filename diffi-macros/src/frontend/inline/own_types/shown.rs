//! The structs of a module, and the functions of their blocks, as the source file shows them.

use crate::frontend::inline::eligible::is_harmless;
use crate::frontend::syntax::types::is_passive_scalar;
use crate::support::source_files;
use crate::support::syntax::is_attribute;
use crate::support::tokens::{lexed_of_users, position};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A function of a block of a struct, or of one that implements an operator for floats with it; or one of the module.
#[derive(Debug)]
pub struct OwnFunction {
    /// The type that the block is for, as [`Kind::text`](super::kinds::Kind::text) writes it; empty without a block.
    pub owner: String,
    /// The trait, by its name; its first argument, or the owner.
    pub of: Option<(String, String)>,
    pub name: String,
    /// `Output` of an operator.
    pub output: Option<String>,
    text: String,
    /// It has the attribute without options, and nothing else that matters.
    pub annotated: bool,
    /// The names in its signature, types among them.
    pub types: Vec<String>,
    /// It gives a value of its block's type.
    pub gives_own: bool,
}

impl OwnFunction {
    pub fn item(&self) -> Option<syn::ItemFn> {
        syn::parse2(lexed_of_users(&self.text)?).ok()
    }
}

/// What one module shows.
#[derive(Debug, Default)]
pub struct Module {
    lines: Range<usize>,
    pub functions: Vec<OwnFunction>,
    /// The fields of structs that derive `Differentiable`, are generic over nothing, and have no constant lists: their names, and their types
    /// as text.
    pub structs: HashMap<String, Vec<(String, String)>>,
    /// The structs that derive `Clone`.
    pub cloned: HashSet<String>,
    /// The results of functions, as text; none where several have one name.
    pub results: HashMap<String, Option<String>>,
    /// The types of constants, as text, by the type whose block they stand in, or none, and their names.
    pub constants: HashMap<(Option<String>, String), String>,
}

thread_local! {
    static FILES: RefCell<HashMap<PathBuf, Rc<[Rc<Module>]>>> = RefCell::default();
}

/// The module at hand, if there are blocks of its own structs in it.
pub fn module() -> Option<Rc<Module>> {
    here().filter(|module| !module.functions.is_empty())
}

/// The module at hand.
pub fn here() -> Option<Rc<Module>> {
    let at = position()?;
    let modules = FILES.with_borrow_mut(|known| {
        known.entry(at.file.clone()).or_insert_with(|| read(&at.file).unwrap_or_default().into()).clone()
    });
    let around = modules.iter().filter(|module| module.lines.contains(&at.line));
    around.min_by_key(|module| module.lines.len()).cloned()
}

fn read(path: &Path) -> Option<Vec<Rc<Module>>> {
    let text = source_files::text(path)?;
    let tokens = text.contains("struct ").then(|| text.parse::<TokenStream>().ok())??;
    let file = syn::parse2::<syn::File>(tokens).ok()?;
    let mut reader = Reader { open: vec![Module { lines: 0..usize::MAX, ..Module::default() }], done: Vec::new() };
    reader.visit_file(&file);
    reader.done.extend(reader.open.pop());
    Some(reader.done.into_iter().map(Rc::new).collect())
}

struct Reader {
    open: Vec<Module>,
    done: Vec<Module>,
}

impl Reader {
    fn here(&mut self) -> &mut Module {
        self.open.last_mut().expect("the file is a module")
    }
}

impl<'a> Visit<'a> for Reader {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        let span = module.span();
        let lines = span.start().line..span.end().line + 1;
        self.open.push(Module { lines, ..Module::default() });
        visit::visit_item_mod(self, module);
        self.done.extend(self.open.pop());
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        let derives_clone = |a: &syn::Attribute| {
            let names = names(a.to_token_stream());
            names.first().is_some_and(|name| name == "derive") && names.iter().any(|name| name == "Clone")
        };
        if item.attrs.iter().any(derives_clone) {
            self.here().cloned.insert(item.ident.to_string());
        }
        let derives = |a: &syn::Attribute| {
            a.path().is_ident("derive") && a.to_token_stream().to_string().contains("Differentiable")
        };
        // tangents of constant lists are nothing, of which rustc alone knows
        let is_list = |field: &syn::Field| field.attrs.iter().any(is_attribute) && !is_passive_or_float(&field.ty);
        let lists = item.fields.iter().any(is_list);
        let carries = item.attrs.iter().any(derives) && item.attrs.iter().all(is_unconditional) && !lists;
        if item.generics.params.is_empty() && carries {
            let fields = item.fields.iter().enumerate().map(|(k, field)| {
                let name = field.ident.as_ref().map_or_else(|| k.to_string(), ToString::to_string);
                (name, field.ty.to_token_stream().to_string())
            });
            let fields = fields.collect();
            self.here().structs.insert(item.ident.to_string(), fields);
        }
    }

    fn visit_item_impl(&mut self, block: &'a syn::ItemImpl) {
        let Some(owner) = text_of(&block.self_ty) else { return };
        let of = block.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
        let of = of.map(|last| (last.ident.to_string(), argument(last).unwrap_or_else(|| owner.clone())));
        let output = block.items.iter().find_map(|item| match item {
            syn::ImplItem::Type(t) if t.ident == "Output" => Some(t.ty.to_token_stream().to_string()),
            _ => None,
        });
        let plain = block.generics.params.is_empty() && block.attrs.iter().all(is_unconditional);
        let whole = is_bare(&block.attrs);
        for item in &block.items {
            if let syn::ImplItem::Const(c) = item {
                let (owner, ty) = (Some(owner.clone()), c.ty.to_token_stream().to_string());
                self.here().constants.insert((owner, c.ident.to_string()), ty);
            }
            let syn::ImplItem::Fn(f) = item else { continue };
            let own = f.attrs.iter().any(is_attribute);
            let annotated =
                plain && f.attrs.iter().all(is_unconditional) && if own { is_bare(&f.attrs) } else { whole };
            let text = syn::ItemFn {
                attrs: Vec::new(),
                vis: syn::Visibility::Inherited,
                sig: f.sig.clone(),
                block: Box::new(f.block.clone()),
            };
            self.here().functions.push(OwnFunction {
                owner: owner.clone(),
                of: of.clone(),
                name: f.sig.ident.to_string(),
                output: output.clone(),
                text: text.to_token_stream().to_string(),
                annotated,
                types: Vec::new(),
                gives_own: match &f.sig.output {
                    syn::ReturnType::Type(_, ty) => text_of(ty).is_some_and(|text| text == "Self" || text == owner),
                    syn::ReturnType::Default => false,
                },
            });
        }
    }

    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        let ty = item.ty.to_token_stream().to_string();
        self.here().constants.insert((None, item.ident.to_string()), ty);
    }

    fn visit_item_fn(&mut self, f: &'a syn::ItemFn) {
        let text = match &f.sig.output {
            syn::ReturnType::Type(_, ty) if f.sig.generics.params.is_empty() => ty.to_token_stream().to_string(),
            _ => "()".to_owned(),
        };
        if f.sig.generics.params.is_empty() && f.attrs.iter().any(is_attribute) {
            self.here().functions.push(OwnFunction {
                owner: String::new(),
                of: None,
                name: f.sig.ident.to_string(),
                output: None,
                annotated: is_bare(&f.attrs) && f.attrs.iter().all(is_unconditional),
                types: names(f.sig.to_token_stream()),
                gives_own: false,
                text: syn::ItemFn { attrs: Vec::new(), vis: syn::Visibility::Inherited, ..f.clone() }
                    .to_token_stream()
                    .to_string(),
            });
        }
        let results = &mut self.here().results;
        results.entry(f.sig.ident.to_string()).and_modify(|known| *known = None).or_insert(Some(text));
    }
}

/// Whether a type is a number, or another that is no list by its name.
fn is_passive_or_float(ty: &syn::Type) -> bool {
    is_passive_scalar(ty) || matches!(ty, syn::Type::Path(p) if p.path.is_ident("f64") || p.path.is_ident("f32"))
}

/// All names in tokens.
fn names(tokens: TokenStream) -> Vec<String> {
    let of = |tree| match tree {
        TokenTree::Ident(name) => vec![name.to_string()],
        TokenTree::Group(group) => names(group.stream()),
        _ => Vec::new(),
    };
    tokens.into_iter().flat_map(of).collect()
}

/// Whether an attribute neither changes an item nor leaves it out.
fn is_unconditional(attribute: &syn::Attribute) -> bool {
    is_attribute(attribute) || is_harmless(attribute) || attribute.path().is_ident("derive")
}

/// Whether the attribute is among these, without options.
fn is_bare(attrs: &[syn::Attribute]) -> bool {
    let mut own = attrs.iter().filter(|a| is_attribute(a));
    own.next().is_some_and(|a| matches!(a.meta, syn::Meta::Path(_))) && own.next().is_none()
}

/// The type as [`Kind::text`](super::kinds::Kind::text) writes it.
pub fn text_of(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Reference(r) if r.mutability.is_none() => Some(format!("&{}", text_of(&r.elem)?)),
        syn::Type::Path(p) if p.qself.is_none() => p.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

/// The first argument of a trait.
pub fn argument(last: &syn::PathSegment) -> Option<String> {
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(ty) => Some(text_of(ty).unwrap_or_default()),
        _ => None,
    }
}
