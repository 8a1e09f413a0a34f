//! What a source file defines that returns references: methods, functions, and implementations of std's traits that lend.

use super::accesses::{self, Accesses};
use super::clones::Clones;
use super::definitions::type_name;
use super::field_types::StructType;
use super::function_tables::{self, FunctionTable};
use super::kinds::{of_function, projection};
use super::marker_params;
use super::number_traits::{Implementing, NumberTrait, OfFloat};
use super::own_methods::table::Table;
use super::passing::Signature;
use super::refused_types::is_refused;
use super::value_types::is_made_of_values;
use super::variants::{self, VariantImport};
use crate::frontend::inline::can_be_followed;
use crate::frontend::syntax::types::option_of;
use crate::ir::Projection;
use crate::support::names::QUERIES;
use crate::support::source_files;
use crate::support::syntax::is_annotated;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A method's type, or trait, and what it returns if that is a reference into the receiver.
#[derive(Clone, Debug)]
pub struct Method {
    pub owner: String,
    /// It stands in a trait: the type that has it is not known.
    pub of_trait: bool,
    pub projection: Option<Projection>,
    /// Its block has the attribute, or it has it itself.
    pub annotated: bool,
    /// The lines of the module that it stands in.
    pub module: Range<usize>,
}

/// How a method of a block takes its receiver.
#[derive(Clone, Debug)]
pub struct Taken {
    pub owner: String,
    /// The block is for any type.
    pub any: bool,
    /// The trait that has it.
    pub of_trait: Option<String>,
    /// By value, by `&`, by `&mut`: rustc looks for them in this order.
    pub order: usize,
}

/// A block that implements a trait, by its name, for a type, or for any.
#[derive(Clone, Debug)]
pub struct Implementation {
    pub of: String,
    pub owner: String,
    pub any: bool,
}

/// A function, and into which argument the reference leads that it returns.
#[derive(Clone, Debug)]
pub struct Function {
    pub projection: Option<(Projection, usize)>,
    pub annotated: bool,
    /// It has no derivative code, and callers beside it have its text.
    pub followed: bool,
    pub module: Range<usize>,
}

/// A name's type, and the lines of the module that it stands in.
#[derive(Clone, Debug)]
pub struct NamedType {
    pub text: String,
    pub module: Range<usize>,
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub struct Field {
    /// It is `Option<Box<T>>`.
    pub boxed_option: bool,
    /// It is `Option<T>`.
    pub option: bool,
}

/// What is known of methods, by their names.
pub type Methods = HashMap<String, Vec<Method>>;

/// What is known of functions, by their names.
pub type Functions = HashMap<String, Vec<Function>>;

/// What a file defines.
#[derive(Debug, Default)]
pub struct Defined {
    pub methods: Methods,
    /// The methods of blocks, by their names: the types, whether a trait has them, and how they take their receivers.
    pub receivers: HashMap<String, Vec<Taken>>,
    /// The methods that traits declare, by their names: the traits, and the order of their receivers as in [`Taken`].
    pub declared: HashMap<String, Vec<(String, usize)>>,
    pub implementations: Vec<Implementation>,
    pub functions: Functions,
    pub accesses: Accesses,
    /// What types and functions are, by their names.
    pub own: Table,
    /// How types are cloned.
    pub clones: Clones,
    /// The structs, by their names.
    pub structs: HashMap<String, Vec<StructType>>,
    /// The fields of structs, by their names.
    pub fields: HashMap<String, Vec<Field>>,
    /// How functions and methods take their arguments, by their names.
    pub signatures: HashMap<String, Vec<Signature>>,
    /// The types that `impl From` with the attribute convert into, by their names: the generic arguments of each.
    pub conversions: HashMap<String, Vec<usize>>,
    /// The types with an `impl FromIterator`, and whether it has the attribute.
    pub collected: Vec<(String, bool)>,
    /// The types of functions that have names, `type Law = fn(f64) -> f64`, as text.
    pub function_types: HashMap<String, Vec<NamedType>>,
    /// The types of floats, arrays and lists that have names, `type Math = f64`, as text.
    pub value_types: HashMap<String, Vec<NamedType>>,
    /// Whether traits have the attribute, by their names.
    pub traits: HashMap<String, Vec<bool>>,
    /// Traits, by their names, and what they do for floats.
    pub number_traits: HashMap<String, Vec<NumberTrait>>,
    pub of_floats: HashMap<String, Vec<OfFloat>>,
    /// The traits that stand in functions.
    pub inner_traits: HashSet<String>,
    /// The macros of the file that implement something, and the calls of macros beside items.
    implementing: Implementing,
    /// The constants of modules that hold functions, by their names.
    pub tables: HashMap<String, Vec<FunctionTable>>,
    /// What is imported from enums.
    pub variant_imports: Vec<VariantImport>,
    /// Which parameters of structs stand in `PhantomData` alone, by the structs' names.
    pub markers: HashMap<String, Vec<Vec<bool>>>,
    /// The variants of enums, by their names.
    pub enums: HashMap<String, Vec<String>>,
    /// The types whose derive is refused.
    pub refused: HashSet<String>,
    /// Items, by the names that they declare or import: the modules that they stand in.
    pub items: HashMap<String, Vec<Range<usize>>>,
    /// Where the attributes of the items of modules begin.
    pub attributes: HashSet<(usize, usize)>,
    /// The lines of the modules.
    pub modules: Vec<Range<usize>>,
    /// The lines of the module at hand, and its name.
    module: Range<usize>,
    module_name: String,
}

thread_local! {
    static FILES: RefCell<HashMap<PathBuf, Option<Rc<Defined>>>> = RefCell::default();
}

/// What this file defines, and the files around it.
pub fn beside(file: &Path) -> Vec<Rc<Defined>> {
    let around = source_files::around(file);
    let others = around.iter().filter(|path| *path != file).filter_map(|path| defined_in(path));
    [defined_in(file).unwrap_or_default()].into_iter().chain(others).collect()
}

/// What a file defines, if a function in it takes or returns a reference. It is parsed once.
fn defined_in(path: &Path) -> Option<Rc<Defined>> {
    FILES.with_borrow_mut(|known| known.entry(path.to_owned()).or_insert_with(|| parsed(path).map(Rc::new)).clone())
}

/// One of them stands in each file that has something to be told here.
const REFERRING: [&str; 16] = [
    "-> Vec<",
    "->Vec<",
    "-> [",
    "-> &",
    "->&",
    "Option<&",
    "Option< &",
    "&mut ",
    "From<",
    "fn(",
    "trait ",
    "struct ",
    "Iterator<",
    "Option<Box<",
    "f32",
    "fn clone",
];

fn parsed(path: &Path) -> Option<Defined> {
    let text = source_files::text(path)?;
    let refers = REFERRING.iter().any(|words| text.contains(words));
    let names_variants = text.contains("enum ") || variants::imports_any(&text);
    let asks = || QUERIES.iter().any(|question| text.contains(&format!("fn {question}(")));
    let is_wanted = refers || asks() || names_variants || names_a_type(&text) || names_a_function_like_a_type(&text);
    let tokens = is_wanted.then(|| text.parse::<TokenStream>().ok())??;
    let file = syn::parse2::<syn::File>(tokens).ok()?;
    let mut defined =
        Defined { module: 0..usize::MAX, own: Table::of(&file), clones: Clones::of(&file), ..Defined::default() };
    defined.modules.push(defined.module.clone());
    defined.visit_file(&file);
    defined.implemented_by_macros();
    Some(defined)
}

/// Whether a line gives a type a name.
fn names_a_type(text: &str) -> bool {
    const BEGINNINGS: [&str; 4] = ["type ", "pub type ", "pub(crate) type ", "pub(super) type "];
    text.lines().any(|line| BEGINNINGS.iter().any(|beginning| line.trim_start().starts_with(beginning)))
}

/// Whether the name of a function begins as those of types do.
fn names_a_function_like_a_type(text: &str) -> bool {
    text.match_indices("fn ").any(|(at, word)| text[at + word.len()..].starts_with(|c: char| c.is_ascii_uppercase()))
}

impl<'a> Visit<'a> for Defined {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        let span = module.span();
        let around = std::mem::replace(&mut self.module, span.start().line..span.end().line + 1);
        let name = std::mem::replace(&mut self.module_name, module.ident.to_string());
        self.modules.push(self.module.clone());
        visit::visit_item_mod(self, module);
        (self.module, self.module_name) = (around, name);
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.variant_imports.extend(variants::imports_of(item, &self.module));
    }

    fn visit_item(&mut self, item: &'a syn::Item) {
        for name in variants::names_of(item) {
            self.items.entry(name).or_default().push(self.module.clone());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_macro(&mut self, item: &'a syn::ItemMacro) {
        self.implementing.add(item, &self.module);
    }

    fn visit_item_enum(&mut self, item: &'a syn::ItemEnum) {
        let variants = item.variants.iter().map(|variant| variant.ident.to_string());
        self.enums.entry(item.ident.to_string()).or_default().extend(variants);
        let fields = item.variants.iter().flat_map(|variant| &variant.fields);
        self.refused.extend(is_refused(&item.attrs, fields).then(|| item.ident.to_string()));
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        let known = StructType::of(item, &self.module);
        self.structs.entry(item.ident.to_string()).or_default().extend(known);
        self.refused.extend(is_refused(&item.attrs, &item.fields).then(|| item.ident.to_string()));
        let markers = marker_params::of(&item.generics, item.fields.iter().map(|field| &field.ty));
        self.markers.entry(item.ident.to_string()).or_default().push(markers);
        for field in &item.fields {
            if let Some(name) = &field.ident {
                let inner = option_of(&field.ty).and_then(type_name);
                let boxed_option = inner.is_some_and(|inner| inner == "Box");
                let option = option_of(&field.ty).is_some();
                let known = Field { boxed_option, option };
                self.fields.entry(name.to_string()).or_default().push(known);
            }
        }
    }

    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        self.table(&item.ident, (&item.ty, &item.expr), &item.attrs);
    }

    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        if matches!(item.mutability, syn::StaticMutability::None) {
            self.table(&item.ident, (&item.ty, &item.expr), &item.attrs);
        }
    }

    fn visit_item_impl(&mut self, block: &'a syn::ItemImpl) {
        self.attributes(&block.attrs);
        const REFERRING: &[&str] = &["Index", "IndexMut", "Deref", "DerefMut", "AsRef", "AsMut", "Borrow", "BorrowMut"];
        let of = block.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
        let Some(owner) = type_name(&block.self_ty) else { return };
        let any = block.generics.type_params().any(|param| param.ident == *owner);
        let implementation = |of: &syn::PathSegment| (of.ident.to_string(), owner.to_string());
        let implementation = of.map(implementation).map(|(of, owner)| Implementation { of, owner, any });
        self.implementations.extend(implementation);
        if let Some((of, known)) = OfFloat::of(block, &self.module) {
            self.of_floats.entry(of).or_default().push(known);
        }
        if of.is_some_and(|of| of.ident == "FromIterator") {
            self.collected.push((owner.to_string(), is_annotated(&block.attrs)));
        }
        if of.is_some_and(|of| of.ident == "From") && is_annotated(&block.attrs) {
            self.conversions.entry(owner.to_string()).or_default().push(arguments_of(&block.self_ty));
        }
        if of.is_some_and(|of| REFERRING.iter().any(|name| of.ident == name)) {
            accesses::add(&mut self.accesses, block, is_annotated(&block.attrs));
            return;
        }
        for item in &block.items {
            if let syn::ImplItem::Fn(f) = item {
                self.attributes(&f.attrs);
                self.signature(&f.sig);
                let annotated = is_annotated(&block.attrs) || is_annotated(&f.attrs);
                self.method((&f.sig, Some(&f.block)), owner, false, annotated);
                let of_trait = of.map(|of| of.ident.to_string());
                let taken = order(&f.sig).map(|order| Taken { owner: owner.to_string(), any, of_trait, order });
                self.receivers.entry(f.sig.ident.to_string()).or_default().extend(taken);
            }
        }
    }

    fn visit_item_fn(&mut self, f: &'a syn::ItemFn) {
        self.attributes(&f.attrs);
        self.signature(&f.sig);
        Inner(self).visit_block(&f.block);
        let (projection, annotated) = (of_function(&f.sig), is_annotated(&f.attrs));
        let function = Function { projection, annotated, followed: can_be_followed(f), module: self.module.clone() };
        self.functions.entry(f.sig.ident.to_string()).or_default().push(function);
    }

    fn visit_item_type(&mut self, item: &'a syn::ItemType) {
        let named = match &*item.ty {
            syn::Type::BareFn(_) => &mut self.function_types,
            ty if is_made_of_values(ty) => &mut self.value_types,
            _ => return,
        };
        if item.generics.params.is_empty() {
            let (text, module) = (item.ty.to_token_stream().to_string(), self.module.clone());
            named.entry(item.ident.to_string()).or_default().push(NamedType { text, module });
        }
    }

    fn visit_item_trait(&mut self, block: &'a syn::ItemTrait) {
        self.attributes(&block.attrs);
        self.traits.entry(block.ident.to_string()).or_default().push(is_annotated(&block.attrs));
        let known = NumberTrait::of(block, (&self.module, &self.module_name));
        self.number_traits.entry(block.ident.to_string()).or_default().push(known);
        for item in &block.items {
            if let syn::TraitItem::Fn(f) = item {
                self.signature(&f.sig);
                let declared = order(&f.sig).map(|order| (block.ident.to_string(), order));
                self.declared.entry(f.sig.ident.to_string()).or_default().extend(declared);
                self.method((&f.sig, f.default.as_ref()), &block.ident, true, is_annotated(&block.attrs));
            }
        }
    }
}

/// Finds functions and traits in the bodies of functions.
struct Inner<'d>(&'d mut Defined);

impl<'a> Visit<'a> for Inner<'_> {
    fn visit_item_fn(&mut self, f: &'a syn::ItemFn) {
        self.0.signature(&f.sig);
        visit::visit_item_fn(self, f);
    }

    fn visit_item_trait(&mut self, block: &'a syn::ItemTrait) {
        self.0.inner_traits.insert(block.ident.to_string());
    }
}

impl Defined {
    /// The lines of the innermost module around a line.
    pub fn module_of(&self, line: usize) -> Option<&Range<usize>> {
        self.modules.iter().filter(|module| module.contains(&line)).min_by_key(|module| module.len())
    }

    /// What macros of the file implement for floats. Their tokens live no longer than this call.
    fn implemented_by_macros(&mut self) {
        for (of, known) in std::mem::take(&mut self.implementing).of_floats() {
            self.of_floats.entry(of).or_default().push(known);
        }
    }

    fn attributes(&mut self, attrs: &[syn::Attribute]) {
        self.attributes.extend(attrs.iter().map(function_tables::begin));
    }

    fn table(&mut self, name: &Ident, (ty, value): (&syn::Type, &syn::Expr), attrs: &[syn::Attribute]) {
        let table = FunctionTable::of(value, ty, attrs, self.module.clone());
        table.into_iter().for_each(|table| self.tables.entry(name.to_string()).or_default().push(table));
    }

    fn signature(&mut self, signature: &syn::Signature) {
        let known = Signature::of(signature, self.module.clone());
        self.signatures.entry(signature.ident.to_string()).or_default().push(known);
    }

    fn method(
        &mut self,
        (signature, body): (&syn::Signature, Option<&syn::Block>),
        owner: &Ident,
        of_trait: bool,
        annotated: bool,
    ) {
        if signature.receiver().is_some() {
            let projection = projection(signature, body, Some(owner));
            let method =
                Method { owner: owner.to_string(), of_trait, projection, annotated, module: self.module.clone() };
            self.methods.entry(signature.ident.to_string()).or_default().push(method);
        }
    }
}

/// How a method takes its receiver, as the order in which rustc looks for methods.
fn order(signature: &syn::Signature) -> Option<usize> {
    let receiver = signature.receiver()?;
    Some(match (&receiver.reference, receiver.mutability) {
        (None, _) => 0,
        (Some(_), None) => 1,
        (Some(_), Some(_)) => 2,
    })
}

/// How many types a type is generic over, as it is written.
fn arguments_of(ty: &syn::Type) -> usize {
    let syn::Type::Path(p) = ty else { return 0 };
    match p.path.segments.last().map(|last| &last.arguments) {
        Some(syn::PathArguments::AngleBracketed(args)) => {
            args.args.iter().filter(|arg| !matches!(arg, syn::GenericArgument::Lifetime(_))).count()
        }
        _ => 0,
    }
}
