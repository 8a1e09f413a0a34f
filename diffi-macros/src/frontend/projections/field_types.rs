//! What the fields of a struct are, `w: Vec<f64>` of `struct Layer`, and which of them carry no derivative, as far as the source files
//! around tell.
//!
//! A parameter's struct is known by its name alone, and so are its fields: without more, `dt * self.velocity[i]` may be an operator of the
//! user's. The definition says that it is none, and code that rustc checks says that it is the definition of that struct.

use super::defined::beside;
use crate::frontend::syntax::bases;
use crate::frontend::syntax::enum_types::has_only_names;
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

/// A struct that is generic over no type, and the fields that may hold numbers.
#[derive(Clone, Debug)]
pub struct StructType {
    pub fields: Vec<FieldType>,
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
        let plain = item.generics.params.is_empty() && !conditional(&item.attrs);
        plain.then(|| StructType { fields: fields.collect(), module: module.clone() })
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
    /// The fields that are made of numbers, those of enums that are lists of names, and those that hold no number with a derivative.
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

/// What definitions say.
struct Found<'a> {
    base: &'a Base,
    float: &'a Ident,
    structs: Vec<KnownStruct>,
}

impl Found<'_> {
    /// A struct, or a list of such.
    fn described(&mut self, ty: &syn::Type, depth: usize) -> Option<Ty> {
        if let Some(name) = name_of(ty) {
            return self.shape(&name.to_string(), ty, depth);
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
    fn shape(&mut self, name: &str, ty: &syn::Type, depth: usize) -> Option<Ty> {
        let (mut shapes, mut fields, mut constants) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut holds = false;
        let known = known(name)?;
        // lists may change by their elements, and rules find the operations of a library's arrays
        let is_list = |ty: Ty| matches!(ty, Ty::Library | Ty::Vec(_) | Ty::Array(_));
        let is_constant_list = |field: &KnownField| field.constant && is_list(types::describe(&field.ty, self.base));
        let lists_stay = !known.fields.iter().any(is_constant_list);
        for field in known.fields {
            if is_constant_list(&field) {
                continue;
            }
            let (name, of) = (field.name, field.ty);
            holds |= field.constant;
            if field.constant {
                shapes.insert(name.clone(), Ty::Passive);
                constants.push((name, of));
                continue;
            }
            holds |= !types::is_passive(&types::describe(&of, self.base)) || is_enum_of_names(&of);
            let shape = match () {
                () if is_without_numbers(&of) => Some(Ty::Passive),
                () if is_enum_of_names(&of) => Some(Ty::Passive),
                () if is_of(self.float, &of) => Some(types::describe(&of, self.base)),
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
        let known = holds && !shapes.is_empty();
        let found = KnownStruct { ty: ty.clone(), fields: Rc::new(fields), constants: Rc::new(constants) };
        self.structs.extend(known.then_some(found));
        known.then_some(Ty::Struct(shapes))
    }
}

/// The name that a type is.
pub fn name_of(ty: &syn::Type) -> Option<&Ident> {
    match ty {
        syn::Type::Path(p) if p.qself.is_none() => p.path.get_ident(),
        _ => None,
    }
}

/// Whether a type is an enum that is a list of names.
fn is_enum_of_names(ty: &syn::Type) -> bool {
    name_of(ty).is_some_and(|of| has_only_names(&of.to_string()))
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

/// Whether a type is this float, or std's lists and arrays of such: its name means the same everywhere.
fn is_of(float: &Ident, ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Array(array) => matches!(&array.len, syn::Expr::Lit(_)) && is_of(float, &array.elem),
        syn::Type::Path(p) if p.qself.is_none() => match list_of(p) {
            Some(inner) => is_of(float, inner),
            None => p.path.is_ident(float),
        },
        _ => false,
    }
}

/// Whether a type is an array of ndarray, which the module of its struct has a name for.
fn is_array_of(float: &Ident, ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else { return false };
    let last = path.path.segments.last().filter(|last| stands_for_ndarray(&last.ident.to_string()));
    last.and_then(types::first_argument).is_some_and(|of| is_of(float, of))
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
}

struct KnownField {
    name: String,
    ty: syn::Type,
    constant: bool,
}

/// The struct that a name stands for at hand, one of this module, or the only one of its name that can be meant.
fn known(name: &str) -> Option<Known> {
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
    let fields = found.fields.iter().filter(|field| is_near || field.open);
    let known = |f: &FieldType| {
        let ty = syn::parse2(lexed_of_users(&f.ty)?).ok()?;
        Some(KnownField { name: f.name.clone(), ty, constant: f.constant })
    };
    Some(Known { fields: fields.filter_map(known).collect(), is_near })
}
