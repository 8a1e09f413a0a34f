//! Which fields carry derivatives, and what their shadows are.

use super::asked;
use crate::frontend::lower::confirmed;
use crate::frontend::projections::field_types::active_fields;
use crate::frontend::projections::marker_params::is_marker;
use crate::frontend::projections::refused_types::queue_of_numbers;
use crate::frontend::syntax::named_types::users_own;
use crate::frontend::syntax::types;
use crate::ir::{Base, Ty};
use crate::support::errors;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::visit::Visit;

/// What is active in a type.
pub enum Data {
    /// A struct's fields.
    Struct(Fields),
    /// An enum's variants.
    Enum(Vec<Variant>),
}

/// One variant.
pub struct Variant {
    /// Its name.
    pub name: Ident,
    /// What it holds.
    pub fields: Fields,
}

/// Fields in the order of their declaration.
pub struct Fields {
    /// How they are written.
    pub style: Style,
    /// All of them.
    pub all: Vec<Field>,
}

/// How fields are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `{ a: A }`.
    Named,
    /// `(A)`.
    Unnamed,
    /// Nothing.
    Unit,
}

/// One field.
pub struct Field {
    /// Its name or number.
    pub member: syn::Member,
    /// Its visibility.
    pub vis: syn::Visibility,
    /// Its type.
    pub ty: syn::Type,
    /// What of it carries derivatives.
    pub part: Part,
    /// Whether the user says that it carries none.
    pub is_constant: bool,
}

/// What of a value carries derivatives.
pub enum Part {
    /// Nothing.
    Passive,
    /// Nothing, of values whose elements may be read as numbers.
    Inert,
    /// All, by the type's own rules.
    Active,
    /// What rustc says, seen as this type.
    Asked(Box<syn::Type>),
    /// Member by member of a tuple.
    Tuple(Vec<(syn::Type, Part)>),
}

impl Data {
    /// What an item declares.
    pub fn of(input: &syn::DeriveInput) -> syn::Result<Self> {
        match &input.data {
            syn::Data::Struct(s) => Ok(Data::Struct(Fields::of(&s.fields)?)),
            syn::Data::Enum(e) => {
                let variant = |v: &syn::Variant| Ok(Variant { name: v.ident.clone(), fields: Fields::of(&v.fields)? });
                Ok(Data::Enum(e.variants.iter().map(variant).collect::<syn::Result<_>>()?))
            }
            syn::Data::Union(u) => Err(errors::union(u.union_token.span)),
        }
    }

    /// All fields.
    pub fn fields(&self) -> Vec<&Field> {
        match self {
            Data::Struct(fields) => fields.all.iter().collect(),
            Data::Enum(variants) => variants.iter().flat_map(|v| &v.fields.all).collect(),
        }
    }

    /// All fields, to be changed.
    pub fn fields_mut(&mut self) -> Vec<&mut Field> {
        match self {
            Data::Struct(fields) => fields.all.iter_mut().collect(),
            Data::Enum(variants) => variants.iter_mut().flat_map(|v| &mut v.fields.all).collect(),
        }
    }

    /// Code that compiles only if the types that are known by their names are of std.
    pub fn checks(&self, generics: &syn::Generics) -> TokenStream {
        let fields = self.fields().into_iter().filter(|f| !f.is_constant);
        confirmed::passive_fields(generics, fields.map(|f| &f.ty))
    }

    /// The types that carry derivatives.
    fn active(&self) -> Vec<&syn::Type> {
        let mut found = Vec::new();
        self.fields().iter().for_each(|f| f.part.active(&f.ty, &mut found));
        found
    }

    /// The float: the one that is written, or that of a type parameter or of a field.
    pub fn base(&self, own: &Ident, generics: &syn::Generics, root: &TokenStream) -> TokenStream {
        let active = self.active();
        if let Some(float) = active.iter().find_map(|ty| float_in(ty)) {
            return quote!(#float);
        }
        let parameter = generics.type_params().find(|p| active.iter().any(|ty| mentions(ty, &p.ident)));
        if let Some(float) = parameter.and_then(|_| float_of_structs(&active)) {
            return quote!(#float);
        }
        if let Some(syn::TypeParam { ident, .. }) = parameter {
            return quote!(<#ident as #root::__private::Active>::Base);
        }
        let open = |ty: &&&syn::Type| asked::is_open(ty, own, generics);
        let known = active.iter().find(|ty| !mentions(ty, own) && !open(ty));
        match (known, active.iter().find(open)) {
            (Some(ty), _) => quote!(<#ty as #root::__private::Active>::Base),
            (None, Some(ty)) => asked::base(ty, root),
            (None, None) => quote!(f64),
        }
    }

    /// The generics; what carries derivatives can do so.
    pub fn bounded(&self, generics: &syn::Generics, root: &TokenStream) -> syn::Generics {
        let mut generics = generics.clone();
        let active = self.active();
        let float = active.iter().find_map(|ty| float_in(ty).cloned()).or_else(|| float_of_structs(&active));
        let mut first = float.map(|float| quote!(#float));
        for param in generics.params.iter_mut() {
            let syn::GenericParam::Type(param) = param else { continue };
            if !active.iter().any(|ty| mentions(ty, &param.ident)) {
                param.bounds.push(syn::parse_quote!('static));
                if !is_marker(&param.ident, self.fields().into_iter().map(|field| &field.ty)) {
                    param.bounds.push(syn::parse_quote!(::core::clone::Clone));
                }
                continue;
            }
            let name = &param.ident;
            match &first {
                Some(base) => param.bounds.push(syn::parse_quote!(#root::__private::Active<Base = #base>)),
                None => param.bounds.push(syn::parse_quote!(#root::__private::Active)),
            }
            first.get_or_insert(quote!(<#name as #root::__private::Active>::Base));
        }
        generics
    }

    /// The active types of which only a type parameter tells what their shadows can do.
    pub fn of_parameters(&self, own: &Ident, generics: &syn::Generics) -> Vec<syn::Type> {
        let generic = |ty: &&syn::Type| generics.type_params().any(|p| mentions(ty, &p.ident)) && !mentions(ty, own);
        self.active().into_iter().filter(generic).cloned().collect()
    }

    /// Whether a parameter of the tangent stands in none of its fields.
    pub fn has_spare_parameters(&self, generics: &syn::Generics) -> bool {
        let active = self.active();
        active.is_empty() || generics.type_params().any(|p| !active.iter().any(|ty| mentions(ty, &p.ident)))
    }

    /// The types at the leaves of these fields, without this one: what must be kept for it to be kept.
    pub fn leaves(&self, own: &Ident, of: &dyn Fn(&Field) -> bool) -> Vec<syn::Type> {
        let mut found: Vec<syn::Type> = Vec::new();
        for field in self.fields().into_iter().filter(|field| of(field) || matches!(field.part, Part::Asked(_))) {
            let ty = if let Part::Asked(seen) = &field.part { seen } else { &field.ty };
            leaves(ty, &mut |ty| {
                if !mentions(ty, own) && !found.contains(ty) {
                    found.push(ty.clone());
                }
            });
        }
        found
    }

    /// Adds the floats that stand in the fields' types.
    pub fn floats(&self, to: &mut Vec<syn::Type>) {
        for float in self.fields().into_iter().filter_map(|f| float_in(&f.ty)) {
            let float = syn::parse_quote!(#float);
            if !to.contains(&float) {
                to.push(float);
            }
        }
    }
}

impl Fields {
    fn of(fields: &syn::Fields) -> syn::Result<Self> {
        let style = match fields {
            syn::Fields::Named(_) => Style::Named,
            syn::Fields::Unnamed(_) => Style::Unnamed,
            syn::Fields::Unit => Style::Unit,
        };
        let field = |(k, f): (usize, &syn::Field)| {
            let member = f.ident.clone().map_or_else(|| syn::Member::from(k), syn::Member::Named);
            if let Some(span) = without_size(&f.ty) {
                return Err(errors::field_without_size(span));
            }
            let is_constant = is_constant(f)?;
            if let Some(queue) = queue_of_numbers(&f.ty).filter(|_| !is_constant) {
                return Err(errors::queue_in_a_field(queue));
            }
            let part = if is_constant { Part::constant(&f.ty) } else { Part::of(&f.ty)? };
            Ok(Field { member, vis: f.vis.clone(), ty: f.ty.clone(), part, is_constant })
        };
        let all = fields.iter().enumerate().map(field).collect::<syn::Result<_>>()?;
        Ok(Fields { style, all })
    }

    /// A name for each field in a pattern.
    pub fn names(&self, prefix: &str) -> Vec<Ident> {
        (0..self.all.len()).map(|k| format_ident!("{prefix}{k}")).collect()
    }

    /// `{ a: x, .. }` or `(x, ..)` of what stands for each field.
    pub fn written(&self, values: &[TokenStream]) -> TokenStream {
        let members = self.all.iter().map(|f| &f.member);
        match self.style {
            Style::Named => quote!({ #(#members: #values,)* }),
            Style::Unnamed => quote!((#(#values,)*)),
            Style::Unit => quote!(),
        }
    }
}

/// The place of a type that has no size of its own.
fn without_size(ty: &syn::Type) -> Option<Span> {
    match ty {
        syn::Type::Paren(p) => without_size(&p.elem),
        syn::Type::Group(g) => without_size(&g.elem),
        syn::Type::TraitObject(_) | syn::Type::Slice(_) => Some(ty.span()),
        syn::Type::Path(p) if p.path.is_ident("str") => Some(ty.span()),
        _ => None,
    }
}

/// `#[differentiable(constant)]` on a field.
fn is_constant(field: &syn::Field) -> syn::Result<bool> {
    let mut constant = false;
    for attribute in field.attrs.iter().filter(|a| a.path().is_ident("differentiable")) {
        attribute.parse_nested_meta(|meta| match meta.path.is_ident("constant") {
            true => {
                constant = true;
                Ok(())
            }
            false => Err(errors::unknown_field_option(meta.path.span())),
        })?;
    }
    Ok(constant)
}

impl Part {
    /// Of a constant: parts of a list of floats are read where nobody knows that it is one.
    fn constant(ty: &syn::Type) -> Self {
        let ty = types::describe(ty, &Base::Concrete(Ident::new("f64", Span::call_site())));
        let list = types::is_sequence(&ty) || ty == Ty::Library;
        if list && !types::is_passive(&ty) { Part::Inert } else { Part::Passive }
    }

    fn of(ty: &syn::Type) -> syn::Result<Self> {
        let described = types::describe(ty, &Base::Concrete(Ident::new("f64", Span::call_site())));
        if types::is_passive(&described) && users_own(ty).is_empty() {
            return Ok(Part::Passive);
        }
        match ty {
            syn::Type::Paren(p) => Part::of(&p.elem),
            syn::Type::Group(g) => Part::of(&g.elem),
            syn::Type::Tuple(t) => Part::of_tuple(t),
            syn::Type::Reference(r) => Err(errors::borrowed_data(r.span())),
            syn::Type::Ptr(p) => Err(errors::borrowed_data(p.span())),
            syn::Type::TraitObject(_) | syn::Type::BareFn(_) => Err(errors::unknown_field(ty.span())),
            _ => match mixed_tuple(ty) {
                Some(span) => Err(errors::mixed_tuple(span)),
                None => Ok(Part::Active),
            },
        }
    }

    fn of_tuple(tuple: &syn::TypeTuple) -> syn::Result<Self> {
        let members = tuple.elems.iter().map(|e| Ok((e.clone(), Part::of(e)?)));
        let members = members.collect::<syn::Result<Vec<_>>>()?;
        let passive = members.iter().any(|(_, part)| !matches!(part, Part::Active));
        Ok(if passive { Part::Tuple(members) } else { Part::Active })
    }

    fn active<'t>(&'t self, ty: &'t syn::Type, found: &mut Vec<&'t syn::Type>) {
        match self {
            Part::Passive | Part::Inert => {}
            Part::Active => found.push(ty),
            Part::Asked(seen) => found.push(seen),
            Part::Tuple(all) => all.iter().for_each(|(ty, part)| part.active(ty, found)),
        }
    }

    /// Whether nothing carries a derivative.
    pub fn is_passive(&self) -> bool {
        matches!(self, Part::Passive | Part::Inert)
    }

    /// The type of the shadow.
    pub fn shadow(&self, ty: &syn::Type, space: &Ident, root: &TokenStream) -> TokenStream {
        match self {
            Part::Passive => quote!(()),
            Part::Inert => quote!(#root::__private::Inert),
            Part::Active => shadow(ty, space, root),
            Part::Asked(seen) => shadow(seen, space, root),
            Part::Tuple(all) => {
                let all = all.iter().map(|(ty, part)| part.shadow(ty, space, root));
                quote!((#(#all,)*))
            }
        }
    }

    /// An expression for each part that carries derivatives, put together as the shadow is.
    pub fn built(&self, place: &TokenStream, make: &dyn Fn(&TokenStream) -> TokenStream) -> TokenStream {
        match self {
            Part::Passive => quote!(()),
            Part::Inert => quote!(__d::Inert),
            Part::Active => make(place),
            Part::Asked(seen) => make(&asked::seen(seen, place, false)),
            Part::Tuple(all) => {
                let all = all.iter().enumerate().map(|(k, (_, part))| {
                    let k = syn::Index::from(k);
                    part.built(&quote!(#place.#k), make)
                });
                quote!((#(#all,)*))
            }
        }
    }

    /// The smallest shadow.
    pub fn empty(&self, ty: &syn::Type, space: &Ident) -> TokenStream {
        match self {
            Part::Passive => quote!(()),
            Part::Inert => quote!(__d::Inert),
            Part::Active => quote!(<#ty as __d::Active>::empty()),
            Part::Asked(seen) => quote!(<#seen as __d::Active>::empty::<#space>()),
            Part::Tuple(all) => {
                let all = all.iter().map(|(ty, part)| part.empty(ty, space));
                quote!((#(#all,)*))
            }
        }
    }

    /// A statement for each part that carries derivatives.
    pub fn each(
        &self,
        ty: &syn::Type,
        place: &TokenStream,
        make: &dyn Fn(&syn::Type, &TokenStream) -> TokenStream,
    ) -> TokenStream {
        match self {
            Part::Passive | Part::Inert => quote!(),
            Part::Active => make(ty, place),
            Part::Asked(seen) => make(seen, place),
            Part::Tuple(all) => all
                .iter()
                .enumerate()
                .map(|(k, (ty, part))| {
                    let k = syn::Index::from(k);
                    part.each(ty, &quote!(#place.#k), make)
                })
                .collect(),
        }
    }

    /// Whether the type alone fixes the shape: a constant expression.
    pub fn fixed(&self, ty: &syn::Type) -> TokenStream {
        match self {
            Part::Passive | Part::Inert => quote!(),
            Part::Active => quote!(&& <#ty as __d::Active>::FIXED),
            Part::Asked(seen) => quote!(&& <#seen as __d::Active>::FIXED),
            Part::Tuple(all) => all.iter().map(|(ty, part)| part.fixed(ty)).collect(),
        }
    }
}

/// The shadow's type, in words where they are the same.
fn shadow(ty: &syn::Type, space: &Ident, root: &TokenStream) -> TokenStream {
    if types::describe(ty, &Base::Concrete(Ident::new("f64", Span::call_site()))) == Ty::Float || is_path(ty, "f32") {
        return quote!(#space);
    }
    quote!(<#ty as #root::__private::Active>::Tangent<#space>)
}

fn is_path(ty: &syn::Type, name: &str) -> bool {
    matches!(ty, syn::Type::Path(p) if p.path.is_ident(name))
}

/// The types that stand inside of a type, from the outside in.
fn inside<'t>(ty: &'t syn::Type, f: &mut dyn FnMut(&'t syn::Type)) {
    struct Types<'f, 't>(&'f mut dyn FnMut(&'t syn::Type));
    impl<'t> Visit<'t> for Types<'_, 't> {
        fn visit_type(&mut self, ty: &'t syn::Type) {
            (self.0)(ty);
            syn::visit::visit_type(self, ty);
        }
    }
    Types(f).visit_type(ty);
}

/// The first float that is written in a type.
fn float_in(ty: &syn::Type) -> Option<&Ident> {
    let mut found = None;
    inside(ty, &mut |inner| {
        if let syn::Type::Path(p) = inner
            && let Some(name) = p.path.get_ident().filter(|n| *n == "f64" || *n == "f32")
        {
            found.get_or_insert(name);
        }
    });
    found
}

/// The float that the user's structs among some types are made of, as far as their definitions tell.
fn float_of_structs(types: &[&syn::Type]) -> Option<Ident> {
    types.iter().find_map(|ty| active_fields(ty).iter().find_map(|field| float_in(field).cloned()))
}

/// Whether the type mentions this name, or `Self`.
pub fn mentions(ty: &syn::Type, name: &Ident) -> bool {
    struct Names<'n>(&'n Ident, bool);
    impl<'t> Visit<'t> for Names<'_> {
        fn visit_ident(&mut self, name: &'t Ident) {
            self.1 |= name == self.0 || name == "Self";
        }
    }
    let mut names = Names(name, false);
    names.visit_type(ty);
    names.1
}

/// The types that are no containers.
fn leaves(ty: &syn::Type, f: &mut dyn FnMut(&syn::Type)) {
    match ty {
        syn::Type::Paren(p) => leaves(&p.elem, f),
        syn::Type::Group(g) => leaves(&g.elem, f),
        syn::Type::Array(a) => leaves(&a.elem, f),
        syn::Type::Slice(s) => leaves(&s.elem, f),
        syn::Type::Tuple(t) => t.elems.iter().for_each(|e| leaves(e, f)),
        syn::Type::Path(p) => match p.path.segments.last() {
            Some(s) if ["Vec", "Option", "Box"].iter().any(|c| s.ident == c) && !s.arguments.is_none() => {
                types::first_argument(s).into_iter().for_each(|inner| leaves(inner, f));
            }
            _ => f(ty),
        },
        _ => f(ty),
    }
}

/// A tuple in a type of which only some members carry derivatives.
fn mixed_tuple(ty: &syn::Type) -> Option<Span> {
    let mut mixed = None;
    inside(ty, &mut |inner| {
        let tuple = matches!(inner, syn::Type::Tuple(_)) && !matches!(Part::of(inner), Ok(Part::Active));
        mixed = mixed.or(tuple.then(|| inner.span()));
    });
    mixed
}
