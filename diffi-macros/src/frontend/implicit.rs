//! `root_of = condition` and `fixed_point_of = step`: functions that solve an equation. Their derivatives follow from the equation
//! (the implicit function theorem), whatever way the solution is found.
//!
//! With `r(y, p) = 0` and a tangent `dp`, the tangent of the root solves `r_y dy = -r_p dp`; a cotangent of it passes through
//! `λ r_y = -ȳ` to `p̄ = λ r_p`. A fixed point `y = g(y, p)` is a root of `g(y, p) - y`.

use crate::ir::*;
use crate::support::errors;
use crate::support::options::{Half, Implicit, Rule};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;

/// The rule, and the functions that it names.
pub fn rule(
    implicit: &Implicit,
    item: &syn::ItemFn,
    function: &Function,
    root: &TokenStream,
) -> syn::Result<(Rule, TokenStream)> {
    if function.owner.is_some() {
        return Err(errors::equation(item.sig.ident.span(), "write a free function, and call it in the method"));
    }
    let solution = Solution { implicit, item, function, root, params: params(item, function)? };
    let number = matches!(&item.sig.output, syn::ReturnType::Type(_, ty) if is_float(ty, &function.base));
    let (tangent, cotangent) = if number { solution.of_a_number() } else { solution.of_a_vector() };
    let half = |name: &Ident| Some(Half { path: name.clone().into(), handle: false });
    let rule = Rule {
        constant: false,
        pushforward: half(&solution.name("tangent")),
        pullback: half(&solution.name("cotangent")),
    };
    Ok((rule, quote!(#tangent #cotangent)))
}

/// A parameter of the function.
struct Given<'a> {
    name: &'a Ident,
    ty: &'a syn::Type,
    active: bool,
}

impl Given<'_> {
    /// The parameter as an argument that may be passed again.
    fn again(&self) -> TokenStream {
        let name = self.name;
        match self.ty {
            syn::Type::Reference(_) => quote!(#name),
            _ => quote!(::core::clone::Clone::clone(&#name)),
        }
    }
}

fn params<'a>(item: &'a syn::ItemFn, function: &Function) -> syn::Result<Vec<Given<'a>>> {
    let given = item.sig.inputs.iter().zip(&function.params).map(|(input, param)| {
        let refused = |instead: &str| Err(errors::equation(input.span(), instead));
        let syn::FnArg::Typed(typed) = input else { return refused("write a free function") };
        let syn::Pat::Ident(name) = &*typed.pat else { return refused("give this parameter one name") };
        if matches!(param.passing, Passing::Mut | Passing::Out) {
            return refused("return the solution, and pass this by value or by `&`, or mark it constant");
        }
        if param.active && !is_numbers(&function.vars[param.var.0 as usize].ty) {
            return refused("parameters are numbers, slices, arrays and `Vec`s of them; mark others constant");
        }
        Ok(Given { name: &name.ident, ty: &typed.ty, active: param.active })
    });
    given.collect()
}

fn is_numbers(ty: &Ty) -> bool {
    match ty {
        Ty::Float => true,
        Ty::Vec(t) | Ty::Array(t) | Ty::Slice(t) => is_numbers(t),
        _ => false,
    }
}

fn is_float(ty: &syn::Type, base: &Base) -> bool {
    let (Base::Concrete(name) | Base::Generic(name)) = base;
    matches!(ty, syn::Type::Path(p) if p.path.is_ident(name))
}

struct Solution<'a> {
    implicit: &'a Implicit,
    item: &'a syn::ItemFn,
    function: &'a Function,
    root: &'a TokenStream,
    params: Vec<Given<'a>>,
}

impl Solution<'_> {
    fn name(&self, what: &str) -> Ident {
        format_ident!("__{}_{what}", self.function.name, span = Span::call_site())
    }

    /// The parameters as the condition's arguments: constant, or those constant that are so for the function.
    fn arguments(&self, all_constant: bool) -> Vec<TokenStream> {
        let root = self.root;
        let argument = |p: &Given<'_>| {
            let again = p.again();
            if p.active && !all_constant { again } else { quote!(#root::Constant(#again)) }
        };
        self.params.iter().map(argument).collect()
    }

    fn solved(&self) -> TokenStream {
        let (name, args) = (&self.item.sig.ident, self.params.iter().map(Given::again));
        quote!(let y = #name(#(#args),*);)
    }

    /// The tangents of the active parameters, as the function declares them, and as the operator takes them.
    fn tangents(&self) -> (Vec<TokenStream>, TokenStream) {
        let active: Vec<&Given<'_>> = self.params.iter().filter(|p| p.active).collect();
        let names: Vec<Ident> = (0..active.len()).map(|k| format_ident!("d{k}")).collect();
        let declared = active.iter().zip(&names).map(|(p, d)| {
            let ty = p.ty;
            quote!(#d: #ty)
        });
        let declared = declared.collect();
        let seeds = active.iter().zip(&names).map(|(p, d)| match (p.ty, is_float(p.ty, &self.function.base)) {
            (syn::Type::Reference(_), _) | (_, true) => quote!(#d),
            _ => quote!(&#d),
        });
        let seeds: Vec<TokenStream> = seeds.collect();
        let seeds = if seeds.len() == 1 { quote!(#(#seeds)*) } else { quote!((#(#seeds),*)) };
        (declared, seeds)
    }

    fn declared(&self) -> Vec<TokenStream> {
        let declared = self.params.iter().map(|p| {
            let (name, ty) = (p.name, p.ty);
            quote!(#name: #ty)
        });
        declared.collect()
    }

    /// What the cotangents are: those of the active parameters, owned.
    fn cotangents(&self) -> TokenStream {
        let owned = self.params.iter().filter(|p| p.active).map(|p| match p.ty {
            syn::Type::Reference(r) => match &*r.elem {
                syn::Type::Slice(s) => {
                    let elem = &s.elem;
                    quote!(::std::vec::Vec<#elem>)
                }
                other => quote!(#other),
            },
            other => quote!(#other),
        });
        let owned: Vec<TokenStream> = owned.collect();
        if owned.len() == 1 { quote!(#(#owned)*) } else { quote!((#(#owned),*)) }
    }

    /// The derivative of the condition by its first argument, of what is zero at the solution.
    fn of_a_number(&self) -> (TokenStream, TokenStream) {
        let (root, condition) = (self.root, &self.implicit.condition);
        let (constant, active) = (self.arguments(true), self.arguments(false));
        let one = if self.implicit.fixed_point { quote!(-1.0) } else { quote!() };
        let (Base::Concrete(float) | Base::Generic(float)) = &self.function.base;
        let partial = quote! {
            let partial = #root::derivative(#condition::D, #root::AutoForward, (y, #(#constant),*)).expect("a number") #one;
        };
        let (seeds, solved) = (self.tangents().1, self.solved());
        let tangent = self.item_of(
            "tangent",
            self.tangents().0,
            quote!(#float),
            quote! {
                #solved #partial
                let change = #root::pushforward(#condition::D, #root::AutoForward, (#root::Constant(y), #(#active),*), #seeds);
                -change.expect("tangents like their parameters") / partial
            },
        );
        let cotangent = self.item_of(
            "cotangent",
            vec![quote!(dy: #float)],
            self.cotangents(),
            quote! {
                #solved #partial
                let cotangents =
                    #root::pullback(#condition::D, #root::AutoReverse, (#root::Constant(y), #(#active),*), -dy / partial);
                cotangents.expect("a number")
            },
        );
        (tangent, cotangent)
    }

    /// The same with a matrix of derivatives.
    fn of_a_vector(&self) -> (TokenStream, TokenStream) {
        let (root, condition) = (self.root, &self.implicit.condition);
        let (constant, active) = (self.arguments(true), self.arguments(false));
        let (Base::Concrete(float) | Base::Generic(float)) = &self.function.base;
        let fixed = self.implicit.fixed_point;
        let partial = quote! {
            let partial = #root::jacobian(#condition::D, #root::AutoForward, (&y[..], #(#constant),*));
            let partial = #root::__private::implicit::partial(partial.expect("as many conditions as unknowns"), #fixed);
        };
        let (seeds, solved) = (self.tangents().1, self.solved());
        let ret = match &self.item.sig.output {
            syn::ReturnType::Type(_, ty) => quote!(#ty),
            syn::ReturnType::Default => quote!(()),
        };
        let tangent = self.item_of(
            "tangent",
            self.tangents().0,
            ret,
            quote! {
                #solved #partial
                let change =
                    #root::pushforward(#condition::D, #root::AutoForward, (#root::Constant(&y[..]), #(#active),*), #seeds);
                let change = change.expect("tangents like their parameters");
                #root::__private::implicit::through(partial, &change[..]).try_into().expect("as many conditions as unknowns")
            },
        );
        let cotangent = self.item_of(
            "cotangent",
            vec![quote!(dy: &[#float])],
            self.cotangents(),
            quote! {
                #solved #partial
                let multipliers = #root::__private::implicit::through(partial.reversed_axes(), &dy[..]);
                let cotangents = #root::pullback(
                    #condition::D,
                    #root::AutoReverse,
                    (#root::Constant(&y[..]), #(#active),*),
                    &multipliers,
                );
                cotangents.expect("as many conditions as unknowns")
            },
        );
        (tangent, cotangent)
    }

    fn item_of(&self, what: &str, more: Vec<TokenStream>, ret: TokenStream, body: TokenStream) -> TokenStream {
        let (name, declared) = (self.name(what), self.declared());
        let (generics, bounds) = (&self.item.sig.generics.params, &self.item.sig.generics.where_clause);
        quote! {
            #[doc(hidden)]
            #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery)]
            fn #name<#generics>(#(#declared,)* #(#more),*) -> #ret #bounds { #body }
        }
    }
}
