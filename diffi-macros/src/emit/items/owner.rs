//! The items of methods and associated functions: their derivative code stands in their block, or in one beside it.
//!
//! `fn energy` becomes `energy__push`, `energy__pull` and `energy__pull_push`, and so rustc finds them as it finds `energy`: by the
//! type of the receiver. Receivers are taken by reference, so that no call moves a value that the reverse sweep needs. What
//! changes its first argument ends in `_mut`, so that callers who overlook it do not compile.

use crate::emit::code::call::derivative_name;
use crate::emit::code::copies;
use crate::emit::code::names::idents;
use crate::emit::code::writer::{Emit, is_mut};
use crate::emit::items::frame::{Frame, has_lifetime};
use crate::emit::items::function::{Bodies, Code, Handle, beside};
use crate::emit::items::traits::lends;
use crate::frontend::projections::marker_params::names_without_markers;
use crate::frontend::syntax::types::is_function_parameter;
use crate::ir::visit::replaced;
use crate::ir::*;
use crate::support::errors::ErrorCode;
use crate::support::hash::HashSet;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// What generated functions are allowed.
const ALLOWED: &str = "#[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, missing_docs)]";

impl Frame<'_> {
    fn owner(&self) -> Option<&Owner> {
        self.function.owner.as_ref()
    }

    /// Whether the function takes its first argument by `&mut`.
    fn is_exclusive(&self) -> bool {
        self.function.params.first().is_some_and(is_mut)
    }

    /// The name of a derivative function.
    fn name_of(&self, product: &str) -> Ident {
        match self.owner() {
            None => format_ident!("__{product}"),
            Some(_) => derivative_name(&self.function.name, product, self.is_exclusive()),
        }
    }

    /// Everything before the generics of a derivative function.
    pub fn header_of(&self, product: &str) -> String {
        let visibility = match self.owner().map(|o| &o.kind) {
            None | Some(OwnerKind::Inherent | OwnerKind::Conversion(_)) => "pub ",
            Some(OwnerKind::Implementation(_) | OwnerKind::Trait(_)) => "",
        };
        let name = self.holes.put(self.name_of(product).to_token_stream());
        let allowed = if visibility.is_empty() { ALLOWED } else { "" };
        format!("#[doc(hidden)] #[inline] {allowed} {visibility}fn {name}")
    }

    /// The function itself, as a path.
    pub fn path(&self) -> String {
        self.holes.put(self.path_tokens())
    }

    /// The same as tokens.
    pub fn path_tokens(&self) -> TokenStream {
        match self.owner() {
            Some(Owner { kind: OwnerKind::Conversion(path), ty, .. }) => {
                let name = &self.function.name;
                quote!(<#ty as #path>::#name)
            }
            _ => self.member(&self.function.name),
        }
    }

    /// A derivative function, as a path from anywhere.
    pub fn product(&self, product: &str) -> String {
        match self.owner() {
            None => format!("Self::__{product}"),
            Some(_) => self.holes.put(self.member(&self.name_of(product))),
        }
    }

    fn member(&self, name: &Ident) -> TokenStream {
        let Some(Owner { kind, ty, generics, .. }) = self.owner() else { return name.to_token_stream() };
        match kind {
            OwnerKind::Inherent | OwnerKind::Conversion(_) => quote!(<#ty>::#name),
            OwnerKind::Implementation(path) => quote!(<#ty as #path>::#name),
            OwnerKind::Trait(of) => {
                let of = with_arguments(of, generics);
                quote!(<#ty as #of>::#name)
            }
        }
    }

    /// `&`, before an argument that the derivative functions take by reference, and the function by value.
    pub fn borrow(&self, k: usize) -> &'static str {
        let param = &self.function.params[k];
        if param.receiver && param.passing == Passing::Value || lends(param) { "&" } else { "" }
    }

    /// The first parameter of a derivative function, where it differs from the user's.
    pub fn first_argument(&self, k: usize, param: &Param) -> Option<String> {
        self.owner().filter(|_| k == 0)?;
        match (param.receiver, param.passing) {
            (true, Passing::Value | Passing::Ref) => Some("&self, ".to_owned()),
            (true, Passing::Mut | Passing::Out) => Some("&mut self, ".to_owned()),
            (false, Passing::Value) if param.active && param.copying != Some(Copying::Lent) => {
                let ty = if param.copying.is_some() { &param.ty } else { &param.full };
                Some(format!("first: impl __d::Given<{}>, ", self.holes.ty(ty)))
            }
            _ => None,
        }
    }

    /// Gives the first parameter the name that the body has for it; makes the lists of those that are iterators.
    pub fn first(&self, emit: &Emit<'_>) -> String {
        let first = self.function.params.first().map(|param| self.first_as(emit.name(param.var)));
        first.unwrap_or_default() + &self.lists(emit)
    }

    /// The same, for a name.
    pub fn first_as(&self, name: &str) -> String {
        self.sworn() + &self.named_first(name)
    }

    /// The derivative code of a trait's own body is not that of an implementation which has another one.
    fn sworn(&self) -> String {
        let Some(Owner { kind: OwnerKind::Trait(of), .. }) = self.owner() else { return String::new() };
        let [annotated, own] = [annotated(of), own_body(&self.function.name)].map(|name| self.holes.put(quote!(#name)));
        format!("Self::{annotated}::<Space>(); Self::{own}::<Space>();")
    }

    fn named_first(&self, name: &str) -> String {
        let Some(param) = self.function.params.first().filter(|p| self.first_argument(0, p).is_some()) else {
            return String::new();
        };
        let mutable = if self.function.vars[param.var.0 as usize].mutable { "mut " } else { "" };
        match (param.receiver, param.passing) {
            (true, Passing::Value) => format!("let {mutable}{name} = {};", copies::of_value("*self")),
            (true, _) => format!("let {name} = self;"),
            _ => format!("let {mutable}{name} = __d::Given::given(first);"),
        }
    }

    /// The generics of the function; from outside those of the block too, and the type that implements a trait.
    pub fn own_generics(&self, outside: bool) -> (Vec<&syn::Generics>, Option<String>) {
        let own = &self.function.generics;
        let Some(owner) = self.owner().filter(|_| outside) else { return (vec![own], None) };
        let this = match &owner.kind {
            OwnerKind::Trait(of) => {
                let of = self.holes.put(with_arguments(of, &owner.generics));
                Some(format!("Self: {of} + 'static"))
            }
            _ => None,
        };
        (vec![&owner.generics, own], this)
    }

    /// The bounds of type parameters that stand in the types of active parameters, or of the result.
    pub fn active_bounds(&self) -> Vec<String> {
        if self.refused {
            return Vec::new();
        }
        let (float, named) = (&self.float, self.named_in_signature());
        let params = self.active_parameters(&named).into_iter().filter(|name| !self.is_of_header(name));
        let mut bounds: Vec<String> = params.map(|name| self.active_bound(&name.to_string(), float)).collect();
        bounds.extend(self.marker_bounds(&|name| !self.is_of_header(name)));
        if let Some(Owner { kind: OwnerKind::Trait(_), .. }) = self.owner() {
            bounds.push("Self: ::core::marker::Sized".to_owned());
            bounds.extend(named.contains("Self").then(|| self.active_bound("Self", float)));
        }
        bounds
    }

    /// The bounds that the header of an implementation takes over: a method may ask for no more than the trait's does.
    fn header_bounds(&self) -> Vec<String> {
        if self.refused {
            return Vec::new();
        }
        let named = self.named_in_signature();
        let params = self.active_parameters(&named).into_iter().filter(|name| self.is_of_header(name));
        let bounds = params.map(|name| self.active_bound(&name.to_string(), &self.float));
        bounds.chain(self.marker_bounds(&|name| self.is_of_header(name))).collect()
    }

    /// Whether a type parameter is one of an implementation's, of which the trait knows nothing.
    fn is_of_header(&self, name: &Ident) -> bool {
        let Some(Owner { kind: OwnerKind::Implementation(of), generics, .. }) = self.owner() else { return false };
        let argument = |a: &syn::GenericArgument| matches!(a, syn::GenericArgument::Type(syn::Type::Path(p)) if p.path.is_ident(name));
        let of_trait = of.segments.last().is_some_and(|last| match &last.arguments {
            syn::PathArguments::AngleBracketed(args) => args.args.iter().any(argument),
            _ => false,
        });
        !of_trait && generics.type_params().any(|p| p.ident == *name)
    }

    /// The type parameters through which derivatives flow, but for the float.
    pub fn open_types(&self) -> Vec<&Ident> {
        self.active_parameters(&self.named_in_signature())
    }

    fn named_in_signature(&self) -> HashSet<String> {
        let mut named = HashSet::default();
        let active = self.function.params.iter().filter(|p| p.active).map(|p| &p.ty);
        for ty in active.chain([&self.function.ret]) {
            match syn::parse2::<syn::Type>(ty.clone()) {
                Ok(ty) => named.extend(names_without_markers(&ty)),
                Err(_) => idents(ty.clone(), &mut named),
            }
        }
        named
    }

    /// That the types which tell units and the like of what values hold may be kept, as the values are.
    fn marker_bounds(&self, wanted: &dyn Fn(&Ident) -> bool) -> Vec<String> {
        let (named, mut all) = (self.named_in_signature(), HashSet::default());
        let active = self.function.params.iter().filter(|p| p.active).map(|p| &p.ty);
        active.chain([&self.function.ret]).for_each(|ty| idents(ty.clone(), &mut all));
        let params = self.active_parameters(&all).into_iter();
        let markers = params.filter(|name| !named.contains(&name.to_string()) && wanted(name));
        markers.map(|name| format!("{name}: 'static")).collect()
    }

    /// The type parameters among names, but for the float and functions.
    fn active_parameters(&self, named: &HashSet<String>) -> Vec<&Ident> {
        let blocks = self.owner().map(|o| &o.generics);
        let all: Vec<&syn::Generics> = blocks.into_iter().chain([&self.function.generics]).collect();
        let is_float = |name: &Ident| matches!(&self.function.base, Base::Generic(float) if float == name);
        let is_function = |name: &Ident| all.iter().any(|g| is_function_parameter(name, g));
        let params = all.iter().flat_map(|g| g.type_params()).map(|p| &p.ident);
        params.filter(|name| named.contains(&name.to_string()) && !is_float(name) && !is_function(name)).collect()
    }

    /// That derivatives flow through a type, and that the reverse sweep can keep it.
    fn active_bound(&self, name: &str, float: &str) -> String {
        let is_source = |ty: &syn::Type| matches!(ty, syn::Type::Path(p) if p.path.is_ident(name));
        match self.function.projected.as_ref().is_some_and(|(_, ty)| is_source(ty)) {
            true => format!("{name}: __d::Active + __d::Whole<{float}>"),
            false => format!("{name}: __d::Active<Base = {float}> + __d::Whole<{float}>"),
        }
    }

    /// What is added for the function.
    pub fn code(&self, handle: &Handle<'_>, bodies: &Bodies) -> Code {
        let Some(owner) = self.owner() else {
            return Code { beside: beside(self, handle, bodies), ..Code::default() };
        };
        let text = self.annotated_method() + &bodies.text;
        let inside = || replaced(self.holes.fill_here(&text), "__d", &|_| private(handle.root));
        match &owner.kind {
            OwnerKind::Inherent | OwnerKind::Conversion(_) => {
                Code { beside: self.inherent(owner, handle, &text), ..Code::default() }
            }
            OwnerKind::Implementation(_) => {
                let bounds = self.holes.fill_here(&self.header_bounds().join(", "));
                let header = replaced(bounds, "__d", &|_| private(handle.root));
                Code { inside: inside(), header, ..Code::default() }
            }
            OwnerKind::Trait(of) => Code { inside: inside(), ..self.handle_in_trait(of, owner, handle) },
        }
    }

    /// What callers of a method with a shared receiver ask for first. An implementation has it from the trait.
    fn annotated_method(&self) -> String {
        let of_trait = match self.owner().map(|o| &o.kind) {
            None | Some(OwnerKind::Implementation(_)) => return String::new(),
            Some(OwnerKind::Trait(_)) => true,
            Some(OwnerKind::Inherent | OwnerKind::Conversion(_)) => false,
        };
        if self.is_exclusive() || !self.function.params.first().is_some_and(|param| param.receiver) {
            return String::new();
        }
        let (visibility, sized) = if of_trait { ("", "where Self: ::core::marker::Sized") } else { ("pub ", "") };
        let name = self.holes.put(self.name_of("annotated").to_token_stream());
        format!("#[doc(hidden)] #[inline(always)] {ALLOWED} {visibility}fn {name}(&self) -> &Self {sized} {{ self }}")
    }

    /// The name of the handle's constant.
    fn constant(&self, handle: &Handle<'_>) -> Ident {
        let plain = self.function.name.to_string();
        let made = format_ident!("{}_d", plain.trim_start_matches("r#"), span = self.function.name.span());
        handle.name.clone().unwrap_or(made)
    }

    /// An `impl` block of our own. A type that borrows has no handle: operators keep what they are given.
    fn inherent(&self, owner: &Owner, handle: &Handle<'_>, bodies: &str) -> TokenStream {
        let holes = self.holes;
        let (root, aliases) = (holes.put(handle.root.clone()), &self.aliases);
        let (generics, _, bounds) = owner.generics.split_for_impl();
        let parts = [generics.to_token_stream(), bounds.to_token_stream(), owner.ty.to_token_stream()];
        let [generics, bounds, ty] = parts.map(|t| holes.put(t));
        let borrows = owner.generics.lifetimes().next().is_some() || has_lifetime(&owner.ty.to_token_stream());
        let (constant, handles) =
            if borrows || self.refused { Default::default() } else { self.handle_of_type(handle, &ty) };
        holes.fill(&format!(
            "{ALLOWED}
             const _: () = {{
                 use {root}::__private as __d;
                 {aliases}
                 impl {generics} {ty} {bounds} {{
                     {constant}
                     {bodies}
                 }}
                 {handles}
             }};"
        ))
    }

    /// The constant that is a type's handle, and the handle's own items.
    fn handle_of_type(&self, handle: &Handle<'_>, ty: &str) -> (String, String) {
        let visibility = self.holes.put(handle.visibility.to_token_stream());
        let name = self.holes.put(self.constant(handle).to_token_stream());
        let of = format!("{name}<{ty}>");
        let constant = format!(
            "/// The handle of the function of this name: what operators take.
             {visibility} const {name}: {of} = {name} {{ of: ::core::marker::PhantomData }};"
        );
        (constant, declared(&name, &visibility, "", "", "()") + &self.for_operators(&of))
    }

    /// The traits of a handle that operators can take.
    pub fn for_operators(&self, handle: &str) -> String {
        match self.is_for_operators() {
            true => [self.func(handle), self.source(handle)].concat(),
            false => String::new(),
        }
    }

    /// The handle of a trait's method, for all types that implement the trait.
    fn handle_in_trait(&self, of: &Ident, owner: &Owner, handle: &Handle<'_>) -> Code {
        let constant = self.constant(handle);
        let ty = format_ident!("__{of}_{constant}");
        let doc = format!("The handle of `{}`: what operators take.", self.function.name);
        let arguments = plain(&owner.generics).arguments;
        let constants = quote! {
            #[doc = #doc]
            const #constant: #ty<Self, #arguments> = #ty { of: ::core::marker::PhantomData };
        };
        Code { beside: self.beside_trait(&ty, owner, handle), constants, ..Code::default() }
    }

    fn beside_trait(&self, ty: &Ident, owner: &Owner, handle: &Handle<'_>) -> TokenStream {
        let holes = self.holes;
        let Plain { params, arguments, types } = plain(&owner.generics);
        let visibility = holes.put(handle.visibility.to_token_stream());
        let root = holes.put(handle.root.clone());
        let [params, args, types] = [params, arguments, types].map(|t| holes.put(t));
        let declared = declared(&ty.to_string(), &visibility, &params, &args, &types);
        let handles = self.for_operators(&format!("{ty}<Self, {args}>"));
        let beside = holes.fill_here(&format!(
            "{declared}
             {ALLOWED}
             const _: () = {{
                 use {root}::__private as __d;
                 {handles}
             }};"
        ));
        replaced(beside, "Self", &|span| Ident::new("This", span).into_token_stream())
    }

    /// The derivative functions of a method that an implementation without the attribute gets from the trait.
    pub fn to_come(&self) -> String {
        let of = match self.owner().map(|o| &o.kind) {
            Some(OwnerKind::Trait(of)) => of.to_string(),
            _ => String::new(),
        };
        let name = &self.function.name;
        let message = format!(
            "diffi does not know the derivative of `{name}` for a type whose `impl {of}` has no `#[differentiable]`: put the attribute there"
        );
        crate::emit::items::rule::without(self, &message)
    }
}

/// A function that is there in every implementation, and compiles where that has the attribute.
pub fn annotated(of: &Ident) -> Ident {
    format_ident!("{of}__annotated")
}

/// A function that is there for every method, and compiles where its derivative code, if it is the trait's, is that of its body.
pub fn own_body(name: &Ident) -> Ident {
    format_ident!("{}__own_body", name.to_string().trim_start_matches("r#"))
}

/// A compile error, where the function of this name is asked for.
pub fn refused_later(name: &Ident, message: &str, bound: &TokenStream) -> TokenStream {
    let message = format!("{message} [{}]", ErrorCode::ForeignImplementation);
    quote! {
        #[doc(hidden)]
        #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery)]
        fn #name<Asked>() #bound {
            struct Refused<T>(T);
            impl<T> Refused<T> {
                const NOW: () = ::core::panic!(#message);
            }
            let () = Refused::<Asked>::NOW;
        }
    }
}

/// Generic parameters and arguments without bounds and lifetimes.
pub struct Plain {
    /// `T, const N: usize`
    pub params: TokenStream,
    /// `T, N`
    pub arguments: TokenStream,
    /// `T`, as one type
    types: TokenStream,
}

/// Generics without bounds.
pub fn plain(generics: &syn::Generics) -> Plain {
    let mut params: Vec<TokenStream> = Vec::new();
    for param in &generics.params {
        match param {
            syn::GenericParam::Type(t) => params.push(t.ident.to_token_stream()),
            syn::GenericParam::Const(c) => {
                let (name, ty) = (&c.ident, &c.ty);
                params.push(quote!(const #name: #ty));
            }
            syn::GenericParam::Lifetime(_) => {}
        }
    }
    let types: Vec<&Ident> = generics.type_params().map(|t| &t.ident).collect();
    let arguments = generics.params.iter().filter_map(|p| match p {
        syn::GenericParam::Type(t) => Some(&t.ident),
        syn::GenericParam::Const(c) => Some(&c.ident),
        syn::GenericParam::Lifetime(_) => None,
    });
    Plain { params: quote!(#(#params,)*), arguments: quote!(#(#arguments,)*), types: quote!((#(#types,)*)) }
}

fn with_arguments(of: &Ident, generics: &syn::Generics) -> TokenStream {
    let (_, arguments, _) = generics.split_for_impl();
    quote!(#of #arguments)
}

fn private(root: &TokenStream) -> TokenStream {
    quote!(#root::__private)
}

/// The type of a handle: zero-sized, and all that handles are.
fn declared(name: &str, visibility: &str, params: &str, args: &str, types: &str) -> String {
    let (generics, this) = (format!("<This: ?::core::marker::Sized, {params}>"), format!("{name}<This, {args}>"));
    format!(
        "#[doc(hidden)] {ALLOWED}
         {visibility} struct {name}{generics} {{
             of: ::core::marker::PhantomData<fn() -> (::core::marker::PhantomData<This>, {types})>,
         }}
         {ALLOWED}
         const _: () = {{
             impl{generics} ::core::clone::Clone for {this} {{ fn clone(&self) -> {this} {{ *self }} }}
             impl{generics} ::core::marker::Copy for {this} {{}}
             impl{generics} ::core::default::Default for {this} {{
                 fn default() -> {this} {{ {name} {{ of: ::core::marker::PhantomData }} }}
             }}
             impl{generics} ::core::fmt::Debug for {this} {{
                 fn fmt(&self, out: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{
                     ::core::fmt::Formatter::write_str(out, ::core::stringify!({name}))
                 }}
             }}
         }};"
    )
}
