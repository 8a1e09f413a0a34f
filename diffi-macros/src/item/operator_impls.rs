//! `#[differentiable]` on the implementation of an operator: the operator's rule for a type of the user's.
//!
//! The method becomes a function of its own, out of sight, and the rule calls the derivative code of that.

use crate::emit::code::copies;
use crate::frontend::projections::number_traits::NumberTraits;
use crate::frontend::syntax::bases::base_of;
use crate::frontend::syntax::types::without_reference;
use crate::ir::{Base, visit};
use crate::item::operator_twins::is_twin;
use crate::pipeline::compile;
use crate::support::errors;
use crate::support::options::Options;
use crate::support::tokens::lexed_here;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;

/// The operation of an operator's trait, and how many operands it has.
pub fn operation(block: &syn::ItemImpl) -> Option<(Ident, usize)> {
    let (_, path, _) = block.trait_.as_ref()?;
    let last = path.segments.last()?;
    let operands = match last.ident.to_string().as_str() {
        "Add" | "Sub" | "Mul" | "Div" | "AddAssign" | "SubAssign" | "MulAssign" | "DivAssign" => 2,
        "Neg" => 1,
        _ => return None,
    };
    Some((format_ident!("{}", last.ident), operands))
}

/// The rule, to stand beside the implementation.
pub fn rule(options: &Options, block: &syn::ItemImpl, root: &TokenStream) -> syn::Result<TokenStream> {
    let Some((op, operands)) = operation(block) else { return Ok(TokenStream::new()) };
    if method(block).is_err() || result(block).is_err() {
        return Ok(TokenStream::new()); // rustc says what is missing
    }
    if is_twin(block, method(block)?)? {
        return Ok(TokenStream::new());
    }
    let change = leaving_change(&op, block)?;
    let change_code = change.as_ref().map(|change| compile(options, change, root)).transpose()?;
    let function = match op.to_string().ends_with("Assign") {
        true => after_change(block, change.as_ref())?,
        false => function(block, &format_ident!("operator"))?,
    };
    let code = compile(options, &function, root)?;
    let Some(implemented) = implemented(block, (&op, operands), &function)? else { return Ok(TokenStream::new()) };
    Ok(quote! {
        #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            use #root::__private as __d;
            #change
            #change_code
            #function
            #code
            #implemented
        };
    })
}

/// The function that changes the left operand, if it is left early.
fn leaving_change(op: &Ident, block: &syn::ItemImpl) -> syn::Result<Option<syn::ItemFn>> {
    let leaves = op.to_string().ends_with("Assign") && returns(method(block)?.block.to_token_stream());
    if leaves { function(block, &format_ident!("changed")).map(Some) } else { Ok(None) }
}

/// The implementation of the rule's trait.
fn implemented(
    block: &syn::ItemImpl,
    (op, operands): (&Ident, usize),
    function: &syn::ItemFn,
) -> syn::Result<Option<TokenStream>> {
    let (out, types) = (result(block)?, operand_types(function));
    let this = without_reference(&block.self_ty);
    let (rule, body) = match (operands, types.get(1).map(without_reference)) {
        (1, _) => (quote!(__d::library::Unary<__d::library::op::#op>), unary(op, &types)),
        (_, Some(other)) => {
            (quote!(__d::library::Binary<__d::library::op::#op, #other>), Binary::of(op, &types).methods())
        }
        (_, None) => return Ok(None),
    };
    let reads = reads(&types);
    let header = quote!(#rule for #this);
    let content = quote!({ type Out = #out; #reads #body });
    Ok(Some(at_floats(&block.generics, &base_of(&function.sig, None), &header, &content)))
}

/// The rule; for a generic float once for `f32` and once for `f64`: only then does rustc know what a float's tangent is.
pub(super) fn at_floats(
    generics: &syn::Generics,
    base: &Base,
    header: &TokenStream,
    content: &TokenStream,
) -> TokenStream {
    let (params, _, bounds) = generics.split_for_impl();
    let Base::Generic(name) = base else { return quote!(impl #params #header #bounds #content) };
    let mut others = generics.clone();
    others.params =
        others.params.into_iter().filter(|p| !matches!(p, syn::GenericParam::Type(t) if t.ident == *name)).collect();
    let own = generics.type_params().find(|p| p.ident == *name).map(|p| &p.bounds).filter(|b| !b.is_empty());
    if let Some(own) = own {
        others.make_where_clause().predicates.push(syn::parse_quote!(#name: #own));
    }
    let (params, _, bounds) = others.split_for_impl();
    let of_any = quote!(impl #params #header #bounds #content);
    let at = |float: &str| {
        visit::replaced(of_any.clone(), &name.to_string(), &|span| Ident::new(float, span).into_token_stream())
    };
    NumberTraits::of(name, &[generics]).floats().into_iter().map(at).collect()
}

/// What the reverse sweep reads of the operands.
fn reads(types: &[syn::Type]) -> TokenStream {
    let types: Vec<&syn::Type> = types.iter().map(without_reference).collect();
    match types.len() {
        1 => quote!(const READS: bool = __d::reads_operand::<#(#types,)* _, _>(&<operator>::__reads);),
        _ => quote!(const READS: [bool; 2] = __d::read_operands::<#(#types,)* _, _>(&<operator>::__reads);),
    }
}

/// The method as a function: `self` has a name, and `Self` is written out.
fn function(block: &syn::ItemImpl, called: &Ident) -> syn::Result<syn::ItemFn> {
    let method = method(block)?;
    let (ty, out) = (&block.self_ty, result(block)?);
    let assigns = called == "changed";
    let mutable = method.sig.receiver().and_then(|r| r.mutability.filter(|_| r.reference.is_none()));
    let mut names: Vec<TokenStream> = vec![if assigns { quote!(this: &mut #ty) } else { quote!(#mutable this: #ty) }];
    let ret = if assigns { quote!(()) } else { out.clone() };
    names.extend(method.sig.inputs.iter().skip(1).map(ToTokens::to_token_stream));
    let (generics, body) = (&block.generics, &method.block);
    let (params, bounds) = (&generics.params, &generics.where_clause);
    let tokens = quote!(fn #called<#params>(#(#names),*) -> #ret #bounds #body);
    syn::parse2(replaced(tokens, &ty.to_token_stream(), &out))
}

/// The operator's function.
fn method(block: &syn::ItemImpl) -> syn::Result<&syn::ImplItemFn> {
    let method = block.items.iter().find_map(|item| match item {
        syn::ImplItem::Fn(f) => Some(f),
        _ => None,
    });
    method.ok_or_else(|| errors::incomplete_operator(block.self_ty.span()))
}

/// Of `a += b` and its kind: what `a` is afterwards. The body stands in the function itself, unless it returns early.
fn after_change(block: &syn::ItemImpl, change: Option<&syn::ItemFn>) -> syn::Result<syn::ItemFn> {
    let (ty, generics) = (&block.self_ty, &block.generics);
    let (params, bounds) = (&generics.params, &generics.where_clause);
    let header = |other| quote!(fn operator<#params>(__given: #ty, #other) -> #ty #bounds);
    if let Some(change) = change {
        let other = operand_types(change).into_iter().nth(1);
        let header = header(quote!(other: #other));
        return syn::parse2(quote!(#header { let mut __whole = __given; changed(&mut __whole, other); __whole }));
    }
    let method = method(block)?;
    let other = method.sig.inputs.iter().skip(1).map(ToTokens::to_token_stream).collect();
    let (header, body) = (header(other), &method.block);
    let tokens = quote!(#header { let mut __whole = __given; { let this = &mut __whole; #body } __whole });
    syn::parse2(replaced(tokens, &ty.to_token_stream(), &TokenStream::new()))
}

/// Whether a body may end early.
fn returns(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => name == "return",
        TokenTree::Group(group) => returns(group.stream()),
        TokenTree::Punct(p) => p.as_char() == '?',
        TokenTree::Literal(_) => false,
    })
}

/// What the operator gives.
fn result(block: &syn::ItemImpl) -> syn::Result<TokenStream> {
    if operation(block).is_some_and(|(op, _)| op.to_string().ends_with("Assign")) {
        return Ok(block.self_ty.to_token_stream());
    }
    let output = block.items.iter().find_map(|item| match item {
        syn::ImplItem::Type(t) if t.ident == "Output" => Some(t.ty.to_token_stream()),
        _ => None,
    });
    let output = output.ok_or_else(|| errors::incomplete_operator(block.self_ty.span()))?;
    Ok(replaced(output, &block.self_ty.to_token_stream(), &TokenStream::new()))
}

fn operand_types(function: &syn::ItemFn) -> Vec<syn::Type> {
    let types = function.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(p) => Some((*p.ty).clone()),
        syn::FnArg::Receiver(_) => None,
    });
    types.collect()
}

/// An operand as the function takes it.
pub(super) fn passed(name: &Ident, ty: &syn::Type) -> TokenStream {
    match ty {
        syn::Type::Reference(_) => quote!(#name),
        _ => lexed_here(&copies::of_reference(&name.to_string())),
    }
}

/// `self` as `this`, `Self::Output` and `Self` as what they stand for.
pub(super) fn replaced(tokens: TokenStream, this: &TokenStream, out: &TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut all, mut at) = (TokenStream::new(), 0);
    while at < trees.len() {
        let is = |k: usize, text: &str| trees.get(k).is_some_and(|t| t.to_string() == text);
        let (new, taken): (TokenStream, usize) = match &trees[at] {
            TokenTree::Ident(name) if name == "self" => (Ident::new("this", name.span()).into_token_stream(), 1),
            TokenTree::Ident(name) if name == "Self" && is(at + 1, ":") && is(at + 3, "Output") => (out.clone(), 4),
            TokenTree::Ident(name) if name == "Self" => (this.clone(), 1),
            TokenTree::Group(group) => {
                let mut new = Group::new(group.delimiter(), replaced(group.stream(), this, out));
                new.set_span(group.span());
                (TokenTree::Group(new).into(), 1)
            }
            other => (other.clone().into(), 1),
        };
        all.extend(new);
        at += taken;
    }
    all
}

/// Tangents or cotangents of an operand: those that are given, or others from the memory.
pub(super) struct Owned<'n> {
    name: &'n str,
    operand: TokenStream,
    space: TokenStream,
    pool: TokenStream,
}

impl<'n> Owned<'n> {
    /// Tangents.
    pub(super) fn of(name: &'n str, operand: &TokenStream) -> Self {
        Owned { name, operand: operand.clone(), space: quote!(A), pool: quote!(shadows) }
    }

    /// Floats.
    fn floats(name: &'n str, operand: &TokenStream) -> Self {
        let (space, pool) = (quote!(<Self as __d::Place>::Base), quote!(base));
        Owned { name, operand: operand.clone(), space, pool }
    }

    /// Those of both operands.
    fn both(one: fn(&'n str, &TokenStream) -> Self, [left, right]: [&'n str; 2]) -> [Self; 2] {
        [one(left, &quote!(self)), one(right, &quote!(other))]
    }

    fn names(&self) -> (Ident, Ident) {
        (format_ident!("{}", self.name), format_ident!("{}_zeros", self.name))
    }

    /// The tangent, or zeros.
    pub(super) fn there(&self) -> TokenStream {
        let Owned { operand, space, pool, .. } = self;
        let (name, zeros) = self.names();
        quote! {
            let #zeros = match #name {
                Some(_) => None,
                None => Some(__d::Active::zeros::<#space>(#operand, &mut memory.#pool)),
            };
            let #name = match (#name, &#zeros) {
                (Some(there), _) | (None, Some(there)) => there,
                (None, None) => unreachable!(),
            };
        }
    }

    /// The cotangent, or one that nobody reads.
    fn spare(&self) -> TokenStream {
        let Owned { operand, space, pool, .. } = self;
        let (name, zeros) = self.names();
        quote! {
            let mut #zeros = match &#name {
                Some(_) => None,
                None => Some(__d::Active::zeros::<#space>(#operand, &mut memory.#pool)),
            };
            let #name = match (#name, &mut #zeros) {
                (Some(there), _) | (None, Some(there)) => there,
                (None, None) => unreachable!(),
            };
        }
    }

    /// Gives back what was taken from the memory.
    pub(super) fn spent(&self) -> TokenStream {
        let (Owned { space, pool, .. }, (_, zeros)) = (self, self.names());
        quote! {
            if let Some(zeros) = #zeros {
                __d::Tangent::<#space>::recycle(zeros, &mut memory.#pool);
            }
        }
    }
}

/// The operands of a binary operator, as its function takes them.
struct Binary<'a> {
    op: &'a Ident,
    this: TokenStream,
    other: TokenStream,
    /// The type of the right one.
    right: &'a syn::Type,
}

impl<'a> Binary<'a> {
    fn of(op: &'a Ident, types: &'a [syn::Type]) -> Self {
        let [this, other] = [("self", 0), ("other", 1)].map(|(name, k)| passed(&format_ident!("{name}"), &types[k]));
        Binary { op, this, other, right: without_reference(&types[1]) }
    }

    fn methods(&self) -> TokenStream {
        let Binary { op, this, other, right } = self;
        let (push, pull, pull_push) = (self.push(), self.pull(), self.pull_push());
        quote! {
            fn value(&self, _: &__d::library::op::#op, other: &#right) -> Self::Out {
                operator(#this, #other)
            }
            #push
            #pull
            #pull_push
        }
    }

    fn push(&self) -> TokenStream {
        let Binary { op, this, other, right } = self;
        let (dots, base) = (Owned::both(Owned::of, ["dot", "other_dot"]), base());
        let (there, spent) = (all(&dots, Owned::there), all(&dots, Owned::spent));
        quote! {
            fn push<A: __d::LinearSpace<#base>>(
                &self, _: &__d::library::op::#op, dot: Option<&<Self as __d::Place>::Shadow<A>>, other: &#right,
                other_dot: Option<&<#right as __d::Place>::Shadow<A>>, _: &Self::Out, memory: &mut __d::library::Memory<Self, A>,
            ) -> __d::library::Tan<Self::Out, A> {
                #there
                let (dot, other_dot) = (__d::Dot::<__d::On, _>::new(dot), __d::Dot::<__d::On, _>::new(other_dot));
                let tangent = <operator>::__push(#this, dot, #other, other_dot, memory).1;
                #spent
                tangent
            }
        }
    }

    fn pull(&self) -> TokenStream {
        let Binary { op, this, other, right } = self;
        let (bars, base) = (Owned::both(Owned::of, ["bar", "other_bar"]), base());
        let (spare, spent) = (all(&bars, Owned::spare), all(&bars, Owned::spent));
        quote! {
            fn pull<A: __d::LinearSpace<#base>>(
                &self, _: &__d::library::op::#op, bar: Option<&mut <Self as __d::Place>::Shadow<A>>, other: &#right,
                other_bar: Option<&mut <#right as __d::Place>::Shadow<A>>, _: Option<&Self::Out>,
                y_bar: &__d::library::Tan<Self::Out, A>, memory: &mut __d::library::Memory<Self, A>,
            ) {
                #spare
                let bar = __d::Bar::<__d::On, __d::Off, _>::new(bar);
                let other_bar = __d::Bar::<__d::On, __d::Off, _>::new(other_bar);
                let y_bar = Some(&mut ::core::clone::Clone::clone(y_bar));
                let _ = <operator>::__pull(#this, bar, #other, other_bar, y_bar, memory, __d::Both(__d::Off));
                #spent
            }
        }
    }

    fn pull_push(&self) -> TokenStream {
        let Binary { op, this, other, right } = self;
        let (dots, base) = (Owned::both(Owned::of, ["dot", "other_dot"]), base());
        let bars = Owned::both(Owned::floats, ["bar", "other_bar"]);
        let bar_dots = Owned::both(Owned::of, ["bar_dot", "other_bar_dot"]);
        let (there, spare, spare_dots) =
            (all(&dots, Owned::there), all(&bars, Owned::spare), all(&bar_dots, Owned::spare));
        let spent = [&dots, &bars, &bar_dots].map(|owned| all(owned, Owned::spent));
        quote! {
            fn pull_push<A: __d::LinearSpace<#base>>(
                &self, _: &__d::library::op::#op, dot: Option<&<Self as __d::Place>::Shadow<A>>,
                bars: Option<(&mut <Self as __d::Place>::Shadow<#base>, &mut <Self as __d::Place>::Shadow<A>)>, other: &#right,
                other_dot: Option<&<#right as __d::Place>::Shadow<A>>,
                other_bars: Option<(&mut <#right as __d::Place>::Shadow<#base>, &mut <#right as __d::Place>::Shadow<A>)>,
                _: Option<&Self::Out>, y_bar: &__d::library::Tan<Self::Out, #base>, y_bar_dot: &__d::library::Tan<Self::Out, A>,
                memory: &mut __d::library::Memory<Self, A>,
            ) {
                let ((bar, bar_dot), (other_bar, other_bar_dot)) = (bars.unzip(), other_bars.unzip());
                #there #spare #spare_dots
                let (dot, other_dot) = (__d::Dot::<__d::On, _>::new(dot), __d::Dot::<__d::On, _>::new(other_dot));
                let bar = __d::Bar::<__d::On, __d::Off, _>::new(bar);
                let bar_dot = __d::Bar::<__d::On, __d::Off, _>::new(bar_dot);
                let other_bar = __d::Bar::<__d::On, __d::Off, _>::new(other_bar);
                let other_bar_dot = __d::Bar::<__d::On, __d::Off, _>::new(other_bar_dot);
                let y_bar = Some(&mut ::core::clone::Clone::clone(y_bar));
                let y_bar_dot = Some(&mut ::core::clone::Clone::clone(y_bar_dot));
                let _ = <operator>::__pull_push(
                    #this, dot, bar, bar_dot, #other, other_dot, other_bar, other_bar_dot, y_bar, y_bar_dot, memory,
                    __d::Both(__d::Off),
                );
                #(#spent)*
            }
        }
    }
}

/// The same code of all of them.
fn all<'n>(owned: &[Owned<'n>], code: fn(&Owned<'n>) -> TokenStream) -> TokenStream {
    owned.iter().map(code).collect()
}

fn base() -> TokenStream {
    quote!(<Self as __d::Place>::Base)
}

fn unary(op: &Ident, types: &[syn::Type]) -> TokenStream {
    let (this, base) = (passed(&format_ident!("self"), &types[0]), base());
    let pull_push = unary_pull_push(op, &this);
    quote! {
        fn value(&self, _: &__d::library::op::#op) -> Self::Out {
            operator(#this)
        }
        fn push<A: __d::LinearSpace<#base>>(
            &self, op: &__d::library::op::#op, dot: &<Self as __d::Place>::Shadow<A>, y: &Self::Out,
        ) -> __d::library::Tan<Self::Out, A> {
            <Self as __d::library::Unary<_>>::push_in(self, op, dot, y, &mut __d::Workspace::new())
        }
        fn push_in<A: __d::LinearSpace<#base>>(
            &self, _: &__d::library::op::#op, dot: &<Self as __d::Place>::Shadow<A>, _: &Self::Out,
            memory: &mut __d::library::Memory<Self, A>,
        ) -> __d::library::Tan<Self::Out, A> {
            <operator>::__push(#this, __d::Dot::<__d::On, _>::new(dot), memory).1
        }
        fn pull<A: __d::LinearSpace<#base>>(
            &self, _: &__d::library::op::#op, bar: &mut <Self as __d::Place>::Shadow<A>, _: Option<&Self::Out>,
            y_bar: &__d::library::Tan<Self::Out, A>, memory: &mut __d::library::Memory<Self, A>,
        ) {
            let (bar, y_bar) = (__d::Bar::<__d::On, __d::Off, _>::new(bar), Some(&mut ::core::clone::Clone::clone(y_bar)));
            let _ = <operator>::__pull(#this, bar, y_bar, memory, __d::Both(__d::Off));
        }
        #pull_push
    }
}

/// The call of a function's `__pull_push` with one operand, whose tangent may not be there.
pub(super) fn pull_push_call(function: &TokenStream, operand: &TokenStream, given: &TokenStream) -> TokenStream {
    let dot = Owned::of("dot", operand);
    let (there, spent) = (dot.there(), dot.spent());
    quote! {
        #there
        let dot = __d::Dot::<__d::On, _>::new(dot);
        let bar = __d::Bar::<__d::On, __d::Off, _>::new(bar);
        let bar_dot = __d::Bar::<__d::On, __d::Off, _>::new(bar_dot);
        let y_bar = Some(&mut ::core::clone::Clone::clone(y_bar));
        let y_bar_dot = Some(&mut ::core::clone::Clone::clone(y_bar_dot));
        let _ = <#function>::__pull_push(#given, dot, bar, bar_dot, y_bar, y_bar_dot, memory, __d::Both(__d::Off));
        #spent
    }
}

fn unary_pull_push(op: &Ident, this: &TokenStream) -> TokenStream {
    let (base, call) = (base(), pull_push_call(&quote!(operator), &quote!(self), this));
    quote! {
        fn pull_push<A: __d::LinearSpace<#base>>(
            &self, _: &__d::library::op::#op, dot: Option<&<Self as __d::Place>::Shadow<A>>,
            bar: &mut <Self as __d::Place>::Shadow<#base>, bar_dot: &mut <Self as __d::Place>::Shadow<A>,
            _: Option<&Self::Out>, y_bar: &__d::library::Tan<Self::Out, #base>,
            y_bar_dot: &__d::library::Tan<Self::Out, A>, memory: &mut __d::library::Memory<Self, A>,
        ) {
            #call
        }
    }
}
