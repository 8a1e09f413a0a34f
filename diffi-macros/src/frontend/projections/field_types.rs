//! What the fields of a struct are, `w: Vec<f64>` of `struct Layer`, and which of them carry no derivative, as far as the source files
//! around tell.
//!
//! A parameter's struct is known by its name alone, and so are its fields: without more, `dt * self.velocity[i]` may be an operator of the
//! user's. The definition says that it is none, and code that rustc checks says that it is the definition of that struct.

use super::defined::beside;
use crate::frontend::syntax::bases;
use crate::frontend::syntax::enum_types::has_no_floats;
use crate::frontend::syntax::file_names::FileNames;
use crate::frontend::syntax::ndarray_types::stands_for_ndarray;
use crate::frontend::syntax::types;
use crate::ir::{Base, Ty};
use crate::support::tokens::{lexed_of_users, position};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use syn::visit_mut::{self, VisitMut};

/// A struct that is generic over no type, and the fields that may hold numbers.
#[derive(Clone, Debug)]
pub struct StructType {
    pub fields: Vec<FieldType>,
    /// The constants that it is generic over: their names and types.
    constants: Vec<(String, String)>,
    /// The lines of the module that it stands in.
    pub module: Range<usize>,
}

/// A field's name, or its number, and its type as text.
#[derive(Clone, Debug)]
pub struct FieldType {
    pub name: String,
    ty: String,
    /// Whoever sees the struct sees it.
    open: bool,
    /// The attribute says that it carries no derivative.
    constant: bool,
}

impl StructType {
    /// None of a struct that is generic, or there under a condition.
    pub fn of(item: &syn::ItemStruct, module: &Range<usize>) -> Option<Self> {
        let conditional =
            |attrs: &[syn::Attribute]| attrs.iter().any(|a| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr"));
        let fields = item.fields.iter().enumerate().filter(|(_, field)| !conditional(&field.attrs));
        let fields = fields.map(|(k, field)| FieldType {
            name: field.ident.as_ref().map_or_else(|| k.to_string(), Ident::to_string),
            ty: field.ty.to_token_stream().to_string(),
            constant: field.attrs.iter().any(is_constant),
            open: match &field.vis {
                syn::Visibility::Public(_) => true,
                syn::Visibility::Restricted(to) => to.path.is_ident("crate"),
                syn::Visibility::Inherited => false,
            },
        });
        let constant = |param: &syn::GenericParam| match param {
            syn::GenericParam::Const(c) => Some((c.ident.to_string(), c.ty.to_token_stream().to_string())),
            _ => None,
        };
        let constants = item.generics.params.iter().map(constant).collect::<Option<Vec<_>>>()?;
        let plain = !conditional(&item.attrs);
        plain.then(|| StructType { fields: fields.collect(), constants, module: module.clone() })
    }
}

/// `#[differentiable(constant)]`.
fn is_constant(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("differentiable")
        && attribute.parse_args::<syn::Path>().is_ok_and(|option| option.is_ident("constant"))
}

/// How many structs within each other are looked at.
const DEEPEST: usize = 3;

/// A struct by its name where it is used, and what is taken for known of its fields.
#[derive(Clone, Debug)]
pub struct KnownStruct {
    pub ty: syn::Type,
    /// The constants that the struct is generic over, where the type gives none: the type has their names then.
    pub generics: Vec<syn::ConstParam>,
    /// The fields that are made of numbers, those of enums without floats, and those that hold no number with a derivative.
    pub fields: Rc<Vec<(String, syn::Type)>>,
    /// The fields that the attribute declares constant.
    pub constants: Rc<Vec<(String, syn::Type)>>,
}

/// The struct that a type is, by what its definition says, and the structs that are taken for known.
pub fn struct_of(ty: &syn::Type, base: &Base) -> Option<(Ty, Vec<KnownStruct>)> {
    let Base::Concrete(float) = base else { return None };
    // the float of a type in the signature is what that type's fields are written with
    let of_a_type = bases::is_of_a_type(base).then(|| Base::Concrete(Ident::new("f64", float.span())));
    let base = of_a_type.as_ref().unwrap_or(base);
    let Base::Concrete(float) = base else { return None };
    let mut found = Found { base, float, structs: Vec::new() };
    let shape = found.described(ty, DEEPEST)?;
    Some((shape, found.structs))
}

/// Whether a field is an option, by the definition of its struct.
pub fn is_option_of(ty: &syn::Type, field: &str) -> Option<bool> {
    Some(types::option_of(&field_type(ty, field)?).is_some())
}

/// Whether a field is text, or a list of such, by the definition of its struct.
pub fn is_text_of(ty: &syn::Type, field: &str) -> bool {
    fn is_text(ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Reference(r) => is_text(&r.elem),
            syn::Type::Path(p) if p.path.is_ident("String") || p.path.is_ident("str") => true,
            ty => types::described_element(ty).is_some_and(is_text),
        }
    }
    field_type(ty, field).is_some_and(|ty| is_text(&ty))
}

/// The types of the fields that are not declared constant, of a struct, or of those in a list.
pub fn active_fields(ty: &syn::Type) -> Vec<syn::Type> {
    let element = std::iter::successors(Some(ty), |ty| types::described_element(ty)).last();
    let known = element.and_then(struct_name).and_then(|(name, arguments)| known(&name.to_string(), &arguments));
    let fields = known.into_iter().flat_map(|known| known.fields);
    fields.filter(|field| !field.constant).map(|field| field.ty).collect()
}

fn field_type(ty: &syn::Type, field: &str) -> Option<syn::Type> {
    let (name, arguments) = struct_name(ty)?;
    let known = known(&name.to_string(), &arguments)?;
    known.fields.into_iter().find(|known| known.name == field).map(|field| field.ty)
}

/// What definitions say.
struct Found<'a> {
    base: &'a Base,
    float: &'a Ident,
    structs: Vec<KnownStruct>,
}

impl Found<'_> {
    /// A struct, or a list of such.
    fn described(&mut self, ty: &syn::Type, depth: usize) -> Option<Ty> {
        let is_struct = |name: &Ident, arguments: &[syn::Expr]| {
            arguments.is_empty() || known(&name.to_string(), arguments).is_some()
        };
        if let Some((name, arguments)) = struct_name(ty).filter(|(name, arguments)| is_struct(name, arguments)) {
            return self.shape(&name.to_string(), &arguments, ty, depth);
        }
        let element = types::described_element(ty)?;
        let shape = Box::new(self.described(element, depth)?);
        match types::describe(ty, self.base) {
            Ty::Vec(_) => Some(Ty::Vec(shape)),
            Ty::Array(_) => Some(Ty::Array(shape)),
            Ty::Slice(_) => Some(Ty::Slice(shape)),
            _ => None,
        }
    }

    /// A struct, if something is known of its fields.
    fn shape(&mut self, name: &str, arguments: &[syn::Expr], ty: &syn::Type, depth: usize) -> Option<Ty> {
        let (mut shapes, mut fields, mut constants) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut holds = false;
        let known = known(name, arguments)?;
        let is_generic = !arguments.is_empty() || !known.generics.is_empty();
        // lists may change by their elements, and rules find the operations of a library's arrays
        let is_list = |ty: Ty| matches!(ty, Ty::Library | Ty::Vec(_) | Ty::Array(_));
        let is_constant_list = |field: &KnownField| field.constant && is_list(types::describe(&field.ty, self.base));
        let lists_stay = !known.fields.iter().any(is_constant_list);
        for field in known.fields {
            if is_constant_list(&field) && types::describe(&field.ty, self.base) == Ty::Library {
                continue;
            }
            let (name, of) = (field.name, field.ty);
            holds |= field.constant;
            if field.constant {
                shapes.insert(name.clone(), without_derivative(&of));
                constants.push((name, of));
                continue;
            }
            holds |= !types::is_passive(&types::describe(&of, self.base)) || is_made_of_enums(&of);
            let shape = match () {
                () if is_without_numbers(&of) => Some(without_derivative(&of)),
                () if is_made_of_enums(&of) => Some(Ty::Passive),
                () if is_of(self.float, &of, known.is_near && is_generic) => Some(types::describe(&of, self.base)),
                () if known.is_near && lists_stay && is_array_of(self.float, &of) => {
                    Some(types::describe(&of, self.base))
                }
                () if known.is_near && depth > 0 => self.described(&of, depth - 1),
                () => None,
            };
            if let Some(shape) = shape {
                shapes.insert(name.clone(), shape);
                fields.push((name, of));
            }
        }
        // of a struct of integers and text alone only rustc knows whether it has a tangent
        let is_known = holds && !shapes.is_empty();
        let generics = known.generics;
        let names = generics.iter().map(|param| &param.ident);
        let ty = if generics.is_empty() { ty.clone() } else { syn::parse_quote!(#ty<#(#names),*>) };
        let found = KnownStruct { ty, generics, fields: Rc::new(fields), constants: Rc::new(constants) };
        self.structs.extend(is_known.then_some(found));
        is_known.then_some(Ty::Struct(shapes))
    }
}

/// A type that carries no derivative: lists of what is copied are walked along by the numbers of their elements.
fn without_derivative(ty: &syn::Type) -> Ty {
    let element = types::described_element(ty).filter(|element| is_copied(element));
    match (ty, element) {
        (syn::Type::Array(_), Some(element)) => Ty::Array(Box::new(without_derivative(element))),
        (_, Some(element)) => Ty::Vec(Box::new(without_derivative(element))),
        _ => Ty::Passive,
    }
}

/// Whether a type is a number or a truth value, or made of such.
fn is_copied(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Tuple(t) => t.elems.iter().all(is_copied),
        syn::Type::Path(p) if p.path.is_ident("f64") || p.path.is_ident("f32") => true,
        ty => types::is_passive_scalar(ty) || types::described_element(ty).is_some_and(is_copied),
    }
}

/// The name that a type is.
pub fn name_of(ty: &syn::Type) -> Option<&Ident> {
    match ty {
        syn::Type::Path(p) if p.qself.is_none() => p.path.get_ident(),
        _ => None,
    }
}

/// The name of a struct's type, and the constants that it is given: `Matrix<2, N>`.
pub fn struct_name(ty: &syn::Type) -> Option<(&Ident, Vec<syn::Expr>)> {
    let syn::Type::Path(p) = ty else { return None };
    let [only] = p.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
    if p.qself.is_some() || p.path.leading_colon.is_some() {
        return None;
    }
    let constant = |argument: &syn::GenericArgument| match argument {
        syn::GenericArgument::Const(e) => Some(e.clone()),
        syn::GenericArgument::Type(syn::Type::Path(name)) => name.path.get_ident().map(|name| syn::parse_quote!(#name)),
        _ => None,
    };
    match &only.arguments {
        syn::PathArguments::None => Some((&only.ident, Vec::new())),
        syn::PathArguments::AngleBracketed(given) => {
            Some((&only.ident, given.args.iter().map(constant).collect::<Option<_>>()?))
        }
        syn::PathArguments::Parenthesized(_) => None,
    }
}

/// Whether a type is an enum whose variants hold no floats, or a list of such.
fn is_made_of_enums(ty: &syn::Type) -> bool {
    enum_of(ty).is_some()
}

/// The enum without floats that a type is, or a list of such.
pub fn enum_of(ty: &syn::Type) -> Option<&Ident> {
    let element = std::iter::successors(Some(ty), |ty| types::described_element(ty)).last();
    element.and_then(name_of).filter(|of| has_no_floats(&of.to_string()))
}

/// Whether a type is an integer, a truth value, or a container of such: `usize`, `Vec<[usize; 3]>`, `Option<bool>`. Text is none: it may be that of
/// a number, of which another function makes one again.
fn is_without_numbers(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Array(a) => is_without_numbers(&a.elem),
        syn::Type::Tuple(t) => !t.elems.is_empty() && t.elems.iter().all(is_without_numbers),
        syn::Type::Path(p) => match p.path.segments.last().filter(|last| last.ident == "Vec" || last.ident == "Option")
        {
            Some(last) => types::first_argument(last).is_some_and(is_without_numbers),
            None => types::is_passive_scalar(ty),
        },
        _ => false,
    }
}

/// Whether a type is this float, or std's lists and arrays of such: its name means the same everywhere. A length may have a name where
/// `named` says that it means the same here.
fn is_of(float: &Ident, ty: &syn::Type, named: bool) -> bool {
    match ty {
        syn::Type::Array(array) => {
            (named || matches!(&array.len, syn::Expr::Lit(_))) && is_of(float, &array.elem, named)
        }
        syn::Type::Path(p) if p.qself.is_none() => match list_of(p) {
            Some(inner) => is_of(float, inner, named),
            None => p.path.is_ident(float),
        },
        _ => false,
    }
}

/// Whether a type is an array of ndarray, which the module of its struct has a name for.
fn is_array_of(float: &Ident, ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else { return false };
    let last = path.path.segments.last().filter(|last| stands_for_ndarray(&last.ident.to_string()));
    last.and_then(types::first_argument).is_some_and(|of| is_of(float, of, false))
}

/// `T` of `Vec<T>`.
pub fn list_of(ty: &syn::TypePath) -> Option<&syn::Type> {
    let [only] = ty.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
    types::first_argument(only).filter(|_| ty.qself.is_none() && only.ident == "Vec")
}

/// The fields of a struct that are seen.
struct Known {
    fields: Vec<KnownField>,
    /// It stands in the same module.
    is_near: bool,
    /// The constants that it is generic over, where none are given.
    generics: Vec<syn::ConstParam>,
}

struct KnownField {
    name: String,
    ty: syn::Type,
    constant: bool,
}

/// The struct that a name stands for at hand, one of this module, or the only one of its name that can be meant.
fn known(name: &str, arguments: &[syn::Expr]) -> Option<Known> {
    let at = position()?;
    let files = beside(&at.file);
    let here = files.first()?;
    let module = here.module_of(at.line)?;
    let mut near = here.structs.get(name).into_iter().flatten().filter(|found| found.module == *module);
    let (found, is_near) = match (near.next(), near.next()) {
        (Some(found), None) => (found, true),
        (None, _) => {
            let mut all = files.iter().filter_map(|file| file.structs.get(name)).flatten();
            let only =
                all.next().filter(|_| all.next().is_none() && FileNames::here().is_some_and(|h| h.imports(name)))?;
            (only, false)
        }
        _ => return None,
    };
    let open = arguments.is_empty() && !found.constants.is_empty();
    if !open && found.constants.len() != arguments.len() {
        return None;
    }
    let parameter = |(name, ty): &(String, String)| {
        let (name, ty): (Ident, syn::Type) = (syn::parse_str(name).ok()?, syn::parse_str(ty).ok()?);
        Some(syn::parse_quote!(const #name: #ty))
    };
    let generics = if open { found.constants.iter().map(parameter).collect::<Option<_>>()? } else { Vec::new() };
    let names: Vec<&String> = found.constants.iter().map(|(name, _)| name).collect();
    let mut given = Given { names: if open { &[] } else { &names }, arguments };
    let fields = found.fields.iter().filter(|field| is_near || field.open);
    let mut known = |f: &FieldType| {
        let mut ty = syn::parse2(lexed_of_users(&f.ty)?).ok()?;
        given.visit_type_mut(&mut ty);
        Some(KnownField { name: f.name.clone(), ty, constant: f.constant })
    };
    Some(Known { fields: fields.filter_map(&mut known).collect(), is_near, generics })
}

/// The constants of a struct, by what a type gives for them.
struct Given<'a> {
    names: &'a [&'a String],
    arguments: &'a [syn::Expr],
}

impl VisitMut for Given<'_> {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        let at = match expr {
            syn::Expr::Path(p) => self.names.iter().position(|name| p.path.is_ident(name)),
            _ => None,
        };
        match at {
            Some(at) => *expr = self.arguments[at].clone(),
            None => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut syn::GenericArgument) {
        let at = match argument {
            syn::GenericArgument::Type(syn::Type::Path(p)) => self.names.iter().position(|name| p.path.is_ident(name)),
            _ => None,
        };
        match at {
            Some(at) => *argument = syn::GenericArgument::Const(self.arguments[at].clone()),
            None => visit_mut::visit_generic_argument_mut(self, argument),
        }
    }
}
