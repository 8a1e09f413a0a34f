//! What a source file says of types: their fields, their variants, and what their functions give.

use super::types::TypeName;
use crate::frontend::projections::definitions::type_name;
use crate::frontend::projections::kinds::projection;
use crate::frontend::syntax::types;
use crate::ir::Base;
use crate::support::names::is_question;
use crate::support::syntax::is_annotated;
use proc_macro2::Ident;
use std::collections::HashMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A function of a type.
#[derive(Clone, Debug)]
pub struct OwnFunction {
    /// The type that its block is for, and the names that this is generic over.
    pub this: TypeName,
    pub generics: Vec<String>,
    pub gives: TypeName,
    /// The trait whose it is.
    pub of: Option<String>,
    /// It is a method with derivative code of its name.
    pub is_method: bool,
    /// It takes `&mut self`.
    pub exclusive: bool,
    pub module: Range<usize>,
}

/// A type, or a trait.
#[derive(Clone, Debug, Default)]
pub struct OwnType {
    pub generics: Vec<String>,
    /// Those of a struct, by their names or numbers.
    pub fields: HashMap<String, TypeName>,
    /// The fields of an enum's variants.
    pub variants: HashMap<String, HashMap<String, TypeName>>,
    pub module: Range<usize>,
}

/// What a file says of types and functions.
#[derive(Debug, Default)]
pub struct Table {
    pub types: HashMap<String, Vec<OwnType>>,
    /// By the types, or traits, and the functions' names.
    pub functions: HashMap<(String, String), Vec<OwnFunction>>,
    /// What free functions give.
    pub free: HashMap<String, Vec<(TypeName, Range<usize>)>>,
    module: Range<usize>,
}

impl Table {
    /// That of a file.
    pub fn of(file: &syn::File) -> Self {
        let mut table = Table { module: 0..usize::MAX, ..Table::default() };
        table.visit_file(file);
        table
    }

    fn add_type(&mut self, name: &Ident, ty: OwnType) {
        let module = self.module.clone();
        self.types.entry(name.to_string()).or_default().push(OwnType { module, ..ty });
    }

    fn add_function(&mut self, owner: &str, name: &Ident, function: OwnFunction) {
        let module = self.module.clone();
        let all = self.functions.entry((owner.to_owned(), name.to_string())).or_default();
        all.push(OwnFunction { module, ..function });
    }
}

impl<'a> Visit<'a> for Table {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        let span = module.span();
        let around = std::mem::replace(&mut self.module, span.start().line..span.end().line + 1);
        visit::visit_item_mod(self, module);
        self.module = around;
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        let ty = OwnType { generics: names(&item.generics), fields: fields(&item.fields), ..OwnType::default() };
        self.add_type(&item.ident, ty);
    }

    fn visit_item_enum(&mut self, item: &'a syn::ItemEnum) {
        let variants = item.variants.iter().map(|variant| (variant.ident.to_string(), fields(&variant.fields)));
        let ty = OwnType { generics: names(&item.generics), variants: variants.collect(), ..OwnType::default() };
        self.add_type(&item.ident, ty);
    }

    fn visit_item_fn(&mut self, f: &'a syn::ItemFn) {
        let gives = free(&f.sig);
        self.free.entry(f.sig.ident.to_string()).or_default().push((gives, self.module.clone()));
    }

    fn visit_item_impl(&mut self, block: &'a syn::ItemImpl) {
        let Some(owner) = type_name(&block.self_ty) else { return };
        let of = block.trait_.as_ref().and_then(|(_, path, _)| Some(path.segments.last()?.ident.to_string()));
        let (this, generics) = (TypeName::of(&block.self_ty), names(&block.generics));
        for item in &block.items {
            if let syn::ImplItem::Fn(f) = item {
                let annotated = is_annotated(&block.attrs) || is_annotated(&f.attrs);
                let is_method = annotated && has_code(&f.sig, Some(&f.block), owner);
                let gives = given(&f.sig).replaced(&|name| associated(block, name.strip_prefix("Self::")?));
                let (this, generics) = (this.clone(), [generics.clone(), names(&f.sig.generics)].concat());
                let (of, exclusive) = (of.clone(), is_exclusive(&f.sig));
                let function = OwnFunction { this, generics, gives, of, is_method, exclusive, module: 0..0 };
                self.add_function(&owner.to_string(), &f.sig.ident, function);
            }
        }
    }

    fn visit_item_trait(&mut self, block: &'a syn::ItemTrait) {
        self.add_type(&block.ident, OwnType::default());
        for item in &block.items {
            if let syn::TraitItem::Fn(f) = item {
                let is_method = is_annotated(&block.attrs) && has_code(&f.sig, f.default.as_ref(), &block.ident);
                let (of, generics) = (Some(block.ident.to_string()), names(&f.sig.generics));
                let this = TypeName::Named("Self".to_owned(), Vec::new());
                let (gives, exclusive) = (given(&f.sig), is_exclusive(&f.sig));
                let function = OwnFunction { this, generics, gives, of, is_method, exclusive, module: 0..0 };
                self.add_function(&block.ident.to_string(), &f.sig.ident, function);
            }
        }
    }
}

/// Whether a method is called by derivative code of its name: it returns no place, and has no name of a question, unless it gives a number.
fn has_code(signature: &syn::Signature, body: Option<&syn::Block>, owner: &Ident) -> bool {
    let called = signature.receiver().is_some() && projection(signature, body, Some(owner)).is_none();
    called && (!is_question(&signature.ident.to_string()) || may_give_a_number(signature))
}

/// Whether the result of what has the name of a question may be a number, and no reference.
fn may_give_a_number(signature: &syn::Signature) -> bool {
    let syn::ReturnType::Type(_, ty) = &signature.output else { return false };
    let base = Base::Concrete(Ident::new("f64", signature.ident.span()));
    let text = quote::quote!(#ty).to_string();
    let lends = ["&", "impl ", "dyn "].iter().any(|word| text.contains(word));
    !lends && !types::is_answer(ty, &base)
}

fn is_exclusive(signature: &syn::Signature) -> bool {
    signature.receiver().is_some_and(|r| r.reference.is_some() && r.mutability.is_some())
}

/// What a free function gives; a type that it is generic over is not known.
pub fn free(signature: &syn::Signature) -> TypeName {
    let generics = names(&signature.generics);
    given(signature).replaced(&|name| generics.iter().any(|g| g == name).then_some(TypeName::Unknown))
}

fn given(signature: &syn::Signature) -> TypeName {
    match &signature.output {
        syn::ReturnType::Type(_, ty) => TypeName::of(ty),
        syn::ReturnType::Default => TypeName::Tuple(Vec::new()),
    }
}

/// `T` of `type Output = T;` in a block.
fn associated(block: &syn::ItemImpl, name: &str) -> Option<TypeName> {
    block.items.iter().find_map(|item| match item {
        syn::ImplItem::Type(t) if t.ident == name => Some(TypeName::of(&t.ty)),
        _ => None,
    })
}

fn names(generics: &syn::Generics) -> Vec<String> {
    generics.type_params().map(|param| param.ident.to_string()).collect()
}

fn fields(fields: &syn::Fields) -> HashMap<String, TypeName> {
    let name = |k: usize, field: &syn::Field| field.ident.as_ref().map_or_else(|| k.to_string(), Ident::to_string);
    fields.iter().enumerate().map(|(k, field)| (name(k, field), TypeName::of(&field.ty))).collect()
}
