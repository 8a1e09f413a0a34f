//! The attribute on an `impl` block or a trait: every function in it, one by one.
//!
//! Functions whose signature carries no derivative (`fn len(&self) -> usize`, `fn new() -> Self`) are left as they are, unless
//! they have an attribute of their own.

use crate::emit::items::function::Code;
use crate::emit::items::owner::{annotated, own_body, refused_later};
use crate::frontend::inline;
use crate::frontend::projections::accesses::method_of;
use crate::frontend::projections::definitions::{Definitions, type_name};
use crate::frontend::projections::kinds::{projection, stray, without_receiver};
use crate::frontend::projections::passing::is_plain_trait;
use crate::frontend::syntax::copied_params::is_exclusive;
use crate::frontend::syntax::file_names::FileNames;
use crate::frontend::syntax::text_params::becomes_text;
use crate::frontend::syntax::{bases, types};
use crate::ir::{Base, Owner, OwnerKind, Projection, Sibling, Target};
use crate::item::{objects, projections};
use crate::pipeline::{compile_in, compile_required};
use crate::support::options::Options;
use crate::support::syntax::mentions;
use crate::support::{checkpoint_attribute, errors};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeMap;
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// `#[differentiable] impl ..`
pub fn implementation(options: &Options, mut block: syn::ItemImpl, root: &TokenStream) -> TokenStream {
    let traits = block.trait_.iter().filter_map(|(_, path, _)| path.segments.last());
    if let Some(clone) = traits.into_iter().find(|s| s.ident == "Clone") {
        let error = errors::own_clone(clone.ident.span()).into_compile_error();
        return quote!(#block #error);
    }
    let library = types::mentions_library(block.to_token_stream());
    let (generics, ty) = (block.generics.clone(), (*block.self_ty).clone());
    let (functions, floats) = Default::default();
    let owner = Owner { kind: kind_of(&block), generics, ty, functions, floats, library };
    let types = associated_types(&block);
    let mut work =
        Work { options, owner, types, root, errors: Vec::new(), code: Code::default(), of_objects: Vec::new() };
    let functions = work.implemented(&mut block.items);
    if let Some(error) = plain_trait(&block) {
        return quote!(#block #error);
    }
    work.functions(functions);
    let Work { mut errors, code: Code { inside, beside, header, .. }, .. } = work;
    with_bounds(&mut block.generics, header).unwrap_or_else(|error| errors.push(error));
    block.items.push(syn::ImplItem::Verbatim(inside));
    let errors = errors.into_iter().map(syn::Error::into_compile_error);
    let iterator = marked_iterator(&block, root);
    quote!(#block #beside #iterator #(#errors)*)
}

/// Says that the derivative code named `next` is that of the iterator, and not of a method of the type's own.
fn marked_iterator(block: &syn::ItemImpl, root: &TokenStream) -> Option<TokenStream> {
    let (_, path, _) = block.trait_.as_ref()?;
    path.segments.last().filter(|last| last.ident == "Iterator")?;
    let ((generics, _, bounds), ty) = (block.generics.split_for_impl(), &block.self_ty);
    Some(quote!(impl #generics #root::__private::AnnotatedIterator for #ty #bounds {}))
}

/// The message about a trait that stands in this file without the attribute, where its implementation is not differentiated by itself.
fn plain_trait(block: &syn::ItemImpl) -> Option<TokenStream> {
    let (_, path, _) = block.trait_.as_ref().filter(|_| !matches!(kind_of(block), OwnerKind::Conversion(_)))?;
    let name = path.get_ident()?;
    let is_plain = FileNames::here()?.has_plain_trait(&name.to_string());
    is_plain.then(|| errors::plain_trait(name).into_compile_error())
}

fn kind_of(block: &syn::ItemImpl) -> OwnerKind {
    match &block.trait_ {
        Some((_, path, _)) if is_conversion(path) || has_no_derivatives(path, block) => {
            OwnerKind::Conversion(path.clone())
        }
        Some((_, path, _)) => OwnerKind::Implementation(path.clone()),
        None => OwnerKind::Inherent,
    }
}

/// Whether a parameter is a function that makes numbers, or a value of a type that has a name: `Grid::from_fn(n, |i| a * i as f64)`.
fn gives_numbers(ty: &syn::Type, generics: &syn::Generics, base: &Base) -> bool {
    let Some(function) = types::function_type(ty, generics, base) else { return false };
    let (Base::Concrete(float) | Base::Generic(float)) = base;
    let output = function.output.to_token_stream();
    let mut open = generics.type_params().map(|param| &param.ident).filter(|name| *name != float);
    function.followed && !open.any(|name| mentions(&output, name))
}

fn associated_types(block: &syn::ItemImpl) -> Vec<syn::ImplItemType> {
    let types = block.items.iter().filter_map(|item| match item {
        syn::ImplItem::Type(of) => Some(of.clone()),
        _ => None,
    });
    types.collect()
}

/// Bounds in a header, each once.
fn with_bounds(generics: &mut syn::Generics, bounds: TokenStream) -> syn::Result<()> {
    let parser = syn::punctuated::Punctuated::<syn::WherePredicate, syn::Token![,]>::parse_terminated;
    for bound in syn::parse::Parser::parse2(parser, bounds)? {
        let clause = generics.make_where_clause();
        if !clause.predicates.iter().any(|known| *known == bound) {
            clause.predicates.push(bound);
        }
    }
    Ok(())
}

/// Traits of std and of `num-traits`, which have no derivative functions: these are the type's own, as those of `Point::from(pair)`.
const CONVERSIONS: &[&str] = &[
    "From",
    "TryFrom",
    "Into",
    "Default",
    "Deref",
    "DerefMut",
    "Iterator",
    "FromIterator",
    "IntoIterator",
    "Extend",
    "PartialEq",
    "PartialOrd",
    "Display",
    "Debug",
    "AsRef",
    "AsMut",
    "Borrow",
    "FromStr",
    "Zero",
    "One",
    "Inv",
    "Bounded",
];

fn is_conversion(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|s| CONVERSIONS.iter().any(|name| s.ident == name))
}

/// Whether a trait of the crate's own has no attribute, and is implemented for a type of its own: derivative functions are that type's.
fn has_no_derivatives(path: &syn::Path, block: &syn::ItemImpl) -> bool {
    let plain = path.segments.last().is_some_and(|s| is_plain_trait(&s.ident));
    plain && is_of_a_type(&block.self_ty, &block.generics)
}

/// Whether a block is for a type that a crate defines, as far as its text tells.
fn is_of_a_type(ty: &syn::Type, generics: &syn::Generics) -> bool {
    let syn::Type::Path(p) = ty else { return false };
    let Some(last) = p.path.segments.last().filter(|_| p.qself.is_none()) else { return false };
    let own = last.ident.to_string().starts_with(char::is_uppercase);
    let of_std = ["Vec", "Option", "Result", "Box", "Rc", "Arc", "String"].iter().any(|name| last.ident == name);
    own && !of_std && !generics.type_params().any(|param| p.path.is_ident(&param.ident))
}

/// `#[differentiable] trait ..`
pub fn definition(options: &Options, mut block: syn::ItemTrait, root: &TokenStream) -> TokenStream {
    let (kind, ty) = (OwnerKind::Trait(block.ident.clone()), syn::parse_quote!(Self));
    let library = types::mentions_library(block.to_token_stream());
    let (generics, floats) = (without_defaults(&block.generics), floats_of(&block));
    let owner = Owner { kind, generics, ty, functions: Default::default(), floats, library };
    let mut work = Work {
        options,
        owner,
        types: Vec::new(),
        root,
        errors: Vec::new(),
        code: Code::default(),
        of_objects: Vec::new(),
    };
    let functions = work.defined(&block.vis, &mut block.items);
    let carrying = work.carried(&functions);
    work.functions(functions);
    for item in &mut block.items {
        if let syn::TraitItem::Type(of) = item {
            let float = carrying.iter().find(|(types, _)| types.contains(&of.ident)).map(|(_, float)| float);
            of.bounds.extend(float.iter().flat_map(|float| active_bounds(float, root)));
        }
    }
    let handles = handles(&block, &work.code);
    let (partials, object) = objects::of_trait(&block, &work.of_objects, root);
    let Work { errors, code: Code { inside, beside, .. }, .. } = work;
    block.items.push(syn::TraitItem::Verbatim(quote!(#inside #partials)));
    let errors = errors.into_iter().map(syn::Error::into_compile_error);
    quote!(#block #beside #handles #object #(#errors)*)
}

/// The trait of the handles of a trait's methods: in the trait itself, constants would forbid `dyn`.
fn handles(block: &syn::ItemTrait, code: &Code) -> TokenStream {
    let (name, visibility, constants) = (&block.ident, &block.vis, &code.constants);
    if constants.is_empty() {
        return TokenStream::new();
    }
    let (params, arguments, bounds) = block.generics.split_for_impl();
    let own = format_ident!("{name}_d");
    let doc = format!("The handles of the methods of [`{name}`], which operators take: `Type::method_d`.");
    let generics = &without_defaults(&block.generics).params;
    let comma = (!generics.is_empty() && !generics.trailing_punct()).then(<syn::Token![,]>::default);
    quote! {
        #[doc = #doc]
        #[allow(non_camel_case_types, non_upper_case_globals)]
        #visibility trait #own #params: #name #arguments + ::core::marker::Sized #bounds { #constants }
        impl<#generics #comma This: #name #arguments> #own #arguments for This #bounds {}
    }
}

/// The float of methods whose signatures name none: the one that other methods of the trait name, but for conversions.
fn floats_of(block: &syn::ItemTrait) -> BTreeMap<String, syn::Ident> {
    let methods = || {
        block.items.iter().filter_map(|item| match item {
            syn::TraitItem::Fn(f) => Some(&f.sig),
            _ => None,
        })
    };
    let converts =
        |sig: &syn::Signature| ["to_", "into_", "as_"].iter().any(|start| sig.ident.to_string().starts_with(start));
    let named = methods().filter(|sig| sig.receiver().is_some() && !converts(sig)).find_map(bases::named_float);
    named.map(|float| methods().map(|sig| (sig.ident.to_string(), float.clone())).collect()).unwrap_or_default()
}

/// Generics as they may stand at an implementation.
fn without_defaults(generics: &syn::Generics) -> syn::Generics {
    let mut generics = generics.clone();
    generics.type_params_mut().for_each(|param| (param.eq_token, param.default) = (None, None));
    generics.const_params_mut().for_each(|param| (param.eq_token, param.default) = (None, None));
    generics
}

struct Work<'a> {
    options: &'a Options,
    owner: Owner,
    /// The associated types that the block gives.
    types: Vec<syn::ImplItemType>,
    root: &'a TokenStream,
    errors: Vec<syn::Error>,
    code: Code,
    /// The methods of a trait, with their constants.
    of_objects: Vec<(syn::Signature, Vec<syn::Ident>)>,
}

type Item = (Option<Options>, syn::ItemFn, bool);

impl Work<'_> {
    /// The options of a function's own attribute, which is taken off.
    fn own_options(&mut self, attrs: &mut Vec<syn::Attribute>) -> Option<Options> {
        let is_own = |a: &syn::Attribute| a.path().segments.last().is_some_and(|s| s.ident == "differentiable");
        let own = attrs.iter().position(is_own).map(|at| attrs.remove(at))?;
        let parsed = match &own.meta {
            syn::Meta::Path(_) => Ok(Options::default()),
            syn::Meta::List(list) => list.parse_args(),
            syn::Meta::NameValue(pair) => Err(errors::no_option(pair.eq_token.span)),
        };
        parsed.map_err(|error| self.errors.push(error)).ok()
    }

    /// The functions of an implementation, whose own attributes are taken off.
    fn implemented(&mut self, items: &mut [syn::ImplItem]) -> Vec<Item> {
        let mut functions = Vec::new();
        for item in items {
            if let syn::ImplItem::Fn(f) = item {
                let own = self.own_options(&mut f.attrs);
                let syn::ImplItemFn { attrs, vis, sig, block, .. } = f.clone();
                functions.push((own, syn::ItemFn { attrs, vis, sig, block: Box::new(block) }, true));
                f.block = checkpoint_attribute::without_in(f.block.clone());
            }
        }
        functions
    }

    /// The functions of a trait; those without a body have an empty one.
    fn defined(&mut self, vis: &syn::Visibility, items: &mut [syn::TraitItem]) -> Vec<Item> {
        let mut functions = Vec::new();
        for item in items {
            if let syn::TraitItem::Fn(f) = item {
                let own = self.own_options(&mut f.attrs);
                let syn::TraitItemFn { attrs, sig, default, .. } = f.clone();
                let defined = default.is_some();
                let none = syn::Block { brace_token: Default::default(), stmts: Vec::new() };
                let block = Box::new(default.unwrap_or(none));
                functions.push((own, syn::ItemFn { attrs, vis: vis.clone(), sig, block }, defined));
                f.default = f.default.take().map(checkpoint_attribute::without_in);
            }
        }
        functions
    }

    fn functions(&mut self, functions: Vec<Item>) {
        self.check();
        let projections: Vec<Option<Projection>> = functions.iter().map(|item| self.projection(item)).collect();
        let functions: Vec<Item> = functions.into_iter().map(|item| self.prepared(item)).collect();
        for ((own, item, _), projection) in functions.iter().zip(projections) {
            let text = if own.is_none() && self.is_bare() { inline::small_method(item).map(Rc::new) } else { None };
            let sibling = Sibling { projection, text, ..self.sibling(own.is_none(), &item.sig) };
            self.owner.functions.insert(item.sig.ident.to_string(), sibling);
        }
        let first_order =
            self.options.first_order || functions.iter().any(|(own, ..)| own.as_ref().is_some_and(|o| o.first_order));
        self.sworn(!first_order);
        for (own, item, defined) in functions {
            let options = self.options_for(own.clone(), &item.sig);
            let carries = own.is_some() || self.carries(&options, &item.sig);
            self.own_body(&item.sig.ident, carries);
            if !carries {
                continue;
            }
            let Some(item) = self.without_projection(&options, item) else { continue };
            if matches!(self.owner.kind, OwnerKind::Trait(_)) && options.rule.is_none() && !options.first_order {
                self.of_objects.push((item.sig.clone(), options.constant.clone()));
            }
            let compiled = match defined || options.rule.is_some() {
                true => compile_in(&options, &item, Some(&self.owner), self.root),
                false => compile_required(&options, &item, &self.owner, self.root),
            };
            match compiled {
                Ok(code) => self.code.extend(code),
                Err(error) => self.errors.push(error),
            }
        }
    }

    fn projection(&self, (_, item, defined): &Item) -> Option<Projection> {
        projection(&item.sig, defined.then_some(&*item.block), type_name(&self.owner.ty))
    }

    /// Whether the block has the attribute without options that change derivatives.
    fn is_bare(&self) -> bool {
        self.options.constant.is_empty() && self.options.rule.is_none() && self.options.implicit.is_none()
    }

    /// Whether a function returns a value of the block's type.
    fn gives_own(&self, signature: &syn::Signature) -> bool {
        let (own, owner) = (quote!(Self).to_string(), self.owner.ty.to_token_stream().to_string());
        match &signature.output {
            syn::ReturnType::Type(_, ty) => [own, owner].contains(&ty.to_token_stream().to_string()),
            syn::ReturnType::Default => false,
        }
    }

    fn sibling(&self, plain: bool, signature: &syn::Signature) -> Sibling {
        let base = bases::base_of(signature, Some(&self.owner));
        Sibling {
            projection: None,
            text: None,
            gives_own: self.gives_own(signature),
            ty: types::result(signature, &base),
            exclusive: signature.receiver().is_some_and(|r| is_exclusive(&r.ty)),
            passive: plain && !self.carries(&Options::default(), signature),
        }
    }

    /// The function whose derivatives are taken: none of one that returns a reference into `self`, and without its result one that returns
    /// its receiver.
    fn without_projection(&mut self, options: &Options, item: syn::ItemFn) -> Option<syn::ItemFn> {
        let projection =
            self.owner.functions.get(&item.sig.ident.to_string()).and_then(|sibling| sibling.projection.clone());
        match projection.filter(|_| options.rule.is_none()) {
            None => Some(item),
            Some(Projection { target: Target::Receiver, .. }) => {
                if let Some(method) = stray(&item.block, &|method| self.gives_receiver(method)) {
                    self.errors.push(errors::reference_of_unknown_origin(method.span()));
                }
                Some(without_receiver(item))
            }
            Some(_) if matches!(self.owner.kind, OwnerKind::Trait(_)) => None,
            Some(projection) => {
                let lent = match &self.owner.kind {
                    OwnerKind::Conversion(of) => method_of(of),
                    _ => None,
                };
                match lent {
                    Some((_, true)) => {} // the shared trait's code leads there, too
                    Some((_, false)) => {
                        let projection = Projection { exclusive: true, ..projection };
                        self.code.beside.extend(projections::code(&item, projection, &self.owner, self.root));
                    }
                    None => self.code.beside.extend(projections::code(&item, projection, &self.owner, self.root)),
                }
                None
            }
        }
    }

    /// Whether a method of the block's type returns its receiver.
    fn gives_receiver(&self, method: &syn::Ident) -> bool {
        let known = Definitions::around(Some(&self.owner))
            .of(method, type_name(&self.owner.ty).map(ToString::to_string).as_deref());
        known.is_some_and(|known| known.projection.target == Target::Receiver)
    }

    /// Says that an implementation has the attribute: without it the trait's derivative code may be that of another body. Where it may be
    /// differentiated `twice`, objects of it have derivatives.
    fn sworn(&mut self, twice: bool) {
        let tokens = match &self.owner.kind {
            OwnerKind::Inherent | OwnerKind::Conversion(_) => return,
            OwnerKind::Trait(of) => {
                let message = format!(
                    "diffi does not know the derivatives of an `impl {of}` without `#[differentiable]`: put the attribute there"
                );
                refused_later(&annotated(of), &message, &quote!(where Self: ::core::marker::Sized))
            }
            OwnerKind::Implementation(path) => match path.segments.last() {
                Some(of) => {
                    let partials = twice.then(|| objects::in_implementation(path, self.root));
                    self.code.inside.extend(partials.flatten());
                    nothing(&annotated(&of.ident), &TokenStream::new())
                }
                None => return,
            },
        };
        self.code.inside.extend(tokens);
    }

    /// Says that a method of an implementation has no derivative code, where the trait may have some for its own body.
    fn own_body(&mut self, name: &syn::Ident, carries: bool) {
        let tokens = match &self.owner.kind {
            OwnerKind::Trait(_) => nothing(&own_body(name), &quote!(where Self: ::core::marker::Sized)),
            OwnerKind::Implementation(_) if !carries => {
                let message = format!("`{name}` carries no derivative in this implementation, and does in its trait");
                refused_later(&own_body(name), &message, &TokenStream::new())
            }
            _ => return,
        };
        self.code.inside.extend(tokens);
    }

    /// The function, its signature without `Self` where that is a type that has a name.
    fn prepared(&self, (own, mut item, defined): Item) -> Item {
        if !matches!(self.owner.kind, OwnerKind::Trait(_)) {
            Named { owner: &self.owner, types: &self.types }.visit_signature_mut(&mut item.sig);
        }
        (own, item, defined)
    }

    /// What the block's attribute and the function's own say together.
    fn options_for(&self, own: Option<Options>, signature: &syn::Signature) -> Options {
        let mut options = own.unwrap_or_default();
        let names = names(signature);
        options.constant.extend(self.options.constant.iter().filter(|n| names.iter().any(|m| *n == m)).cloned());
        options.first_order |= self.options.first_order;
        options.everywhere |= self.options.everywhere;
        options.reassociate |= self.options.reassociate;
        options.vector_math |= self.options.vector_math;
        options.dump |= self.options.dump;
        options
    }

    /// Whether derivatives may flow through a function of this signature.
    fn carries(&self, options: &Options, signature: &syn::Signature) -> bool {
        let base = bases::base_of(signature, Some(&self.owner));
        let active = signature.inputs.iter().filter_map(|input| {
            let (ty, name) = match input {
                syn::FnArg::Receiver(r) => (&*r.ty, Some("self".to_owned())),
                syn::FnArg::Typed(p) => (&*p.ty, pattern_name(&p.pat)),
            };
            let constant =
                options.constant.iter().any(|c| Some(c.to_string()) == name) || becomes_text(ty, &signature.generics);
            let around = [&signature.generics, &self.owner.generics];
            let function = around.iter().any(|all| types::is_function(ty, all));
            let passive = types::is_passive(&types::describe(ty, &base)) || function;
            let followed = function && around.iter().any(|all| gives_numbers(ty, all, &base));
            (!constant && (!passive || followed)).then_some(ty)
        });
        let active: Vec<&syn::Type> = active.collect();
        let into = active.iter().any(|ty| is_exclusive(ty));
        !active.is_empty() && (into || self.gives(signature, &base))
    }

    /// Whether derivatives may flow into the result.
    fn gives(&self, signature: &syn::Signature, base: &Base) -> bool {
        match &signature.output {
            syn::ReturnType::Default => false,
            syn::ReturnType::Type(..) if bases::returns_fixed_float(signature, Some(&self.owner)) => true,
            syn::ReturnType::Type(_, ty) => {
                !types::is_answer(ty, base) && !matches!(&**ty, syn::Type::Tuple(all) if all.elems.is_empty())
            }
        }
    }

    /// The associated types that stand in the signatures through which derivatives may flow, with the float of each signature.
    fn carried(&self, functions: &[Item]) -> Vec<(Vec<syn::Ident>, TokenStream)> {
        let carrying = functions.iter().filter(|(own, item, _)| {
            let options = self.options_for(own.clone(), &item.sig);
            own.is_some() || self.carries(&options, &item.sig)
        });
        let in_signature = |(_, item, _): &Item| {
            let (Base::Concrete(float) | Base::Generic(float)) = bases::base_of(&item.sig, Some(&self.owner));
            let mut found = Associated(Vec::new());
            found.visit_signature(&item.sig);
            let of_a_type = bases::projected(&item.sig, Some(&self.owner)).map(|(_, ty)| {
                let root = self.root;
                quote!(<#ty as #root::__private::Active>::Base)
            });
            (found.0, of_a_type.unwrap_or_else(|| float.to_token_stream()))
        };
        carrying.map(in_signature).collect()
    }

    /// Options that only a function can have.
    fn check(&mut self) {
        let options = self.options;
        let only = options.cache.iter().chain(&options.output).chain(&options.handle);
        self.errors.extend(only.map(errors::option_of_a_function));
        self.errors.extend(options.has_aux.then(|| errors::option_of_a_function(&format_ident!("has_aux"))));
    }
}

fn nothing(name: &syn::Ident, bound: &TokenStream) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery)]
        fn #name<Asked>() #bound {}
    }
}

fn names(signature: &syn::Signature) -> Vec<String> {
    let name = |input: &syn::FnArg| match input {
        syn::FnArg::Receiver(_) => Some("self".to_owned()),
        syn::FnArg::Typed(p) => pattern_name(&p.pat),
    };
    signature.inputs.iter().filter_map(name).collect()
}

fn pattern_name(pattern: &syn::Pat) -> Option<String> {
    match pattern {
        syn::Pat::Ident(p) => Some(p.ident.to_string()),
        _ => None,
    }
}

/// What derivative code asks of an associated type: that derivatives flow through it, and that the reverse sweep can keep it.
fn active_bounds(float: &TokenStream, root: &TokenStream) -> [syn::TypeParamBound; 2] {
    [syn::parse_quote!(#root::__private::Active<Base = #float>), syn::parse_quote!(#root::__private::Whole<#float>)]
}

/// The names of `Self::Name`.
struct Associated(Vec<syn::Ident>);

impl<'a> Visit<'a> for Associated {
    fn visit_path(&mut self, path: &'a syn::Path) {
        if let [first, second] = &path.segments.iter().collect::<Vec<_>>()[..]
            && first.ident == "Self"
        {
            self.0.push(second.ident.clone());
        }
        visit::visit_path(self, path);
    }
}

/// Writes out `Self`.
struct Named<'a> {
    owner: &'a Owner,
    types: &'a [syn::ImplItemType],
}

impl VisitMut for Named<'_> {
    fn visit_receiver_mut(&mut self, _: &mut syn::Receiver) {}

    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        visit_mut::visit_type_mut(self, ty);
        let syn::Type::Path(path) = ty else { return };
        if path.qself.is_some() || path.path.segments.first().is_none_or(|s| s.ident != "Self") {
            return;
        }
        let owner = &self.owner.ty;
        let rest: Vec<_> = path.path.segments.iter().skip(1).collect();
        let here =
            |of: &&syn::ImplItemType| rest.len() == 1 && rest[0].ident == of.ident && rest[0].arguments.is_none();
        *ty = match (&self.owner.kind, self.types.iter().find(here)) {
            _ if rest.is_empty() => owner.clone(),
            (_, Some(of)) => of.ty.clone(),
            (OwnerKind::Implementation(of) | OwnerKind::Conversion(of), None) => {
                syn::parse_quote!(<#owner as #of>::#(#rest)::*)
            }
            _ => syn::parse_quote!(<#owner>::#(#rest)::*),
        };
    }
}
