//! The traits that a type and its tangent implement, around bodies that know its fields.

use super::Derived;
use super::fields::Part;
use proc_macro2::TokenStream;
use quote::quote;

/// The bodies of the methods that go through the fields.
pub struct Bodies {
    /// `Tangent::acc`, of `self` and `other`.
    pub acc: TokenStream,
    /// `Tangent::set`.
    pub set: TokenStream,
    /// `Tangent::clear`.
    pub clear: TokenStream,
    /// `Tangent::shape`.
    pub shadow_shape: TokenStream,
    /// `Tangent::each`.
    pub shadow_each: TokenStream,
    /// `Tangent::each_mut`.
    pub shadow_each_mut: TokenStream,
    /// `Tangent::recycle`.
    pub recycle: TokenStream,
    /// A copy of the tangent `self`.
    pub clone: TokenStream,
    /// Whether two tangents are equal.
    pub eq: TokenStream,
    /// `Debug::fmt` of the tangent.
    pub debug: TokenStream,
    /// `Active::zeros`.
    pub zeros: TokenStream,
    /// `Active::empty`.
    pub empty: TokenStream,
    /// `Active::release`, of `t`.
    pub release: TokenStream,
    /// `Active::copied`.
    pub copied: TokenStream,
    /// `Active::has_constants_of`.
    pub same_constants: TokenStream,
    /// `Active::recycle`.
    pub given_back: TokenStream,
    /// `Active::shape`.
    pub shape: TokenStream,
    /// `Active::each`.
    pub each: TokenStream,
    /// `Active::each_mut`.
    pub each_mut: TokenStream,
    /// `Active::FIXED`.
    pub fixed: TokenStream,
    /// `Whole::WIDTH`, `write` and `read`, of types whose values are as wide as their fields together.
    pub frame: TokenStream,
    /// `Whole::save`.
    pub save: TokenStream,
    /// `Whole::give`.
    pub give: TokenStream,
    /// `Whole::restore`.
    pub restore: TokenStream,
    /// `Whole::blank`.
    pub blank: TokenStream,
    /// `Whole::unread`.
    pub unread: TokenStream,
}

impl Derived<'_> {
    /// All of them.
    pub fn impls(&self, bodies: &Bodies) -> TokenStream {
        [
            self.of_tangent(bodies),
            self.active(bodies),
            self.whole(bodies),
            self.seeds_and_buffers(),
            self.behind_boxes(),
        ]
        .into_iter()
        .collect()
    }

    /// What a shadow can do.
    fn of_tangent(&self, bodies: &Bodies) -> TokenStream {
        let space = &self.space;
        let generics = self.generics_in_space();
        let (generics, _, bounds) = generics.split_for_impl();
        let tangent = self.tangent_in(&quote!(#space));
        let (name, (_, own, _)) = (self.name, self.generics.split_for_impl());
        let Bodies { acc, set, clear, recycle, shadow_shape, shadow_each, shadow_each_mut, .. } = bodies;
        let of_std = self.tangent_of_std(bodies);
        quote! {
            impl #generics __d::Tangent<#space> for #tangent #bounds {
                const FIXED: bool = <#name #own as __d::Active>::FIXED;
                #[inline]
                fn acc(&mut self, other: &Self) { #acc }
                #[inline]
                fn set(&mut self, other: &Self) { #set }
                #[inline]
                fn clear(&mut self) { #clear }
                #[inline]
                fn recycle(self, pool: &mut __d::Pool<#space>) { #recycle }
                #[inline]
                fn shape(&self, dim: &mut dyn ::core::ops::FnMut(usize)) { #shadow_shape }
                #[inline]
                fn each(&self, f: &mut impl ::core::ops::FnMut(#space)) { #shadow_each }
                #[inline]
                fn each_mut(&mut self, f: &mut impl ::core::ops::FnMut(&mut #space)) { #shadow_each_mut }
            }
            #of_std
        }
    }

    /// std's traits for a shadow.
    fn tangent_of_std(&self, Bodies { clone, eq, debug, .. }: &Bodies) -> TokenStream {
        let (space, generics) = (&self.space, self.generics_in_space());
        let tangent = self.tangent_in(&quote!(#space));
        let mut compared = generics.clone();
        let clause = compared.make_where_clause();
        for ty in self.data.of_parameters(self.name, &self.generics) {
            let shadow = Part::Active.shadow(&ty, space, self.root);
            clause.predicates.push(syn::parse_quote!(#shadow: ::core::cmp::PartialEq));
        }
        let ((generics, _, bounds), (_, _, comparable)) = (generics.split_for_impl(), compared.split_for_impl());
        quote! {
            impl #generics ::core::clone::Clone for #tangent #bounds {
                #[inline]
                fn clone(&self) -> Self { #clone }
            }
            impl #generics ::core::cmp::PartialEq for #tangent #comparable {
                #[inline]
                fn eq(&self, other: &Self) -> bool { #eq }
            }
            impl #generics ::core::fmt::Debug for #tangent #bounds {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { #debug }
            }
        }
    }

    /// What the value can do.
    fn active(&self, bodies: &Bodies) -> TokenStream {
        let (name, base, space) = (self.name, &self.base, &self.space);
        let (generics, own, bounds) = self.generics.split_for_impl();
        let tangent = self.tangent_in(&quote!(#space));
        let Bodies { zeros, empty, release, copied, same_constants, given_back, shape, each, each_mut, fixed, .. } =
            bodies;
        let (to_flat, tried) = (self.to_flat(), self.clone_tried());
        quote! {
            impl #generics __d::Active for #name #own #bounds {
                type Base = #base;
                type Tangent<#space: __d::LinearSpace<#base>> = #tangent;
                const FIXED: bool = #fixed;
                #[inline]
                fn zeros<#space: __d::LinearSpace<#base>>(&self, pool: &mut __d::Pool<#space>) -> #tangent { #zeros }
                #[inline]
                fn empty<#space: __d::LinearSpace<#base>>() -> #tangent { #empty }
                #[inline]
                fn release<#space: __d::LinearSpace<#base>>(t: #tangent, pool: &mut __d::Pool<#space>) { #release }
                #[inline]
                fn copied(&self, pool: &mut __d::Pool<#base>) -> Self {
                    #tried
                    #copied
                }
                fn has_constants_of(&self, other: &Self, otherwise: bool) -> bool { #same_constants }
                #[inline]
                #[allow(unused_mut)]
                fn recycle(mut self, pool: &mut __d::Pool<#base>) { #given_back }
                #[inline]
                fn room<__F>(n: usize, pool: &mut __d::Pool<__F>) -> ::std::vec::Vec<Self> {
                    use __d::PlainRoom as _;
                    __d::Room::<Self>::new().take(n, pool)
                }
                #[inline]
                fn vacate<__F>(values: ::std::vec::Vec<Self>, pool: &mut __d::Pool<__F>) {
                    use __d::PlainRoom as _;
                    __d::Room::<Self>::new().give(values, pool)
                }
                #[inline]
                fn shape(&self, dim: &mut dyn ::core::ops::FnMut(usize)) { #shape }
                #[inline]
                fn each(&self, f: &mut impl ::core::ops::FnMut(#base)) { #each }
                #[inline]
                fn each_mut(&mut self, f: &mut impl ::core::ops::FnMut(&mut #base)) { #each_mut }
            }
            #to_flat
        }
    }

    fn to_flat(&self) -> TokenStream {
        let name = self.name;
        let (generics, own, bounds) = self.generics.split_for_impl();
        quote! {
            impl #generics __d::ToFlat<__d::OfValue> for #name #own #bounds {
                fn to_flat(&self) -> ::std::vec::Vec<f64> { __d::flat(self) }
                fn set_flat(&mut self, flat: &[f64]) -> ::core::result::Result<(), __d::Error> {
                    __d::set_flat(self, flat)
                }
            }
        }
    }

    /// How a value is kept: word by word.
    fn whole(&self, bodies: &Bodies) -> TokenStream {
        let (name, Bodies { frame, save, give, restore, blank, unread, .. }) = (self.name, bodies);
        let mut leaves = self.data.leaves(self.name, &|field| !self.is_foreign(field));
        self.data.floats(&mut leaves); // a constant array of a library is kept if its elements are
        let mut generics = self.generics.clone();
        generics.params.push(syn::parse_quote!(__F: ::core::marker::Copy));
        let clause = generics.make_where_clause();
        leaves.iter().for_each(|ty| clause.predicates.push(syn::parse_quote!(#ty: __d::Whole<__F>)));
        let (all, _, bounds) = generics.split_for_impl();
        let (_, own, _) = self.generics.split_for_impl();
        quote! {
            impl #all __d::Whole<__F> for #name #own #bounds {
                #frame
                #[inline]
                fn save(&self, parts: &mut __d::Parts<'_, __F>) { #save }
                #[inline]
                #[allow(unused_mut)]
                fn give(mut self, parts: &mut __d::Parts<'_, __F>) { #give }
                #[inline]
                fn restore(parts: &mut __d::Parts<'_, __F>) -> Self { #restore }
                fn blank() -> Self { #blank }
                #[inline]
                fn unread() -> ::core::option::Option<Self> { #unread }
                #[inline]
                fn room(n: usize, pool: &mut __d::Pool<__F>) -> ::std::vec::Vec<Self> {
                    use __d::PlainRoom as _;
                    __d::Room::<Self>::new().take(n, pool)
                }
                #[inline]
                fn vacate(values: ::std::vec::Vec<Self>, pool: &mut __d::Pool<__F>) {
                    use __d::PlainRoom as _;
                    __d::Room::<Self>::new().give(values, pool)
                }
            }
        }
    }

    /// A tangent is a seed for the type, a buffer for what looks like it, and an element of such buffers.
    fn seeds_and_buffers(&self) -> TokenStream {
        let (name, base) = (self.name, &self.base);
        let (generics, own, bounds) = self.generics.split_for_impl();
        let tangent = self.tangent_in(base);
        quote! {
            impl #generics __d::Seed<#name #own> for #tangent #bounds {
                #[inline]
                fn shape(&self, dim: &mut dyn ::core::ops::FnMut(usize)) { __d::Tangent::<#base>::shape(self, dim); }
                #[inline]
                fn copy_to(&self, shadow: &mut Self) { __d::Tangent::<#base>::set(shadow, self); }
                #[inline]
                fn each(&self, f: &mut impl ::core::ops::FnMut(#base)) { __d::Tangent::<#base>::each(self, f); }
            }
            impl #generics __d::Buffer<#name #own> for #tangent #bounds {
                #[inline]
                fn shadow(&mut self) -> &mut Self { self }
            }
            impl #generics __d::Slot<#name #own> for #tangent #bounds {
                #[inline]
                fn slice(all: &mut [Self]) -> &mut [Self] { all }
                #[inline]
                fn vec(all: &mut ::std::vec::Vec<Self>) -> &mut ::std::vec::Vec<Self> { all }
            }
        }
    }

    /// Where `&Box<T>` is passed for `&T`: what a deref coercion does for the value itself.
    fn behind_boxes(&self) -> TokenStream {
        let (name, space) = (self.name, &self.space);
        let mut all = self.generics_in_space();
        let (_, own, _) = self.generics.split_for_impl();
        all.params.push(syn::parse_quote!(__Q: __d::Flag));
        let one = all.clone();
        all.params.push(syn::parse_quote!(__Z: __d::Flag));
        let (one, _, _) = one.split_for_impl();
        let (all, _, bounds) = all.split_for_impl();
        let tangent = self.tangent_in(&quote!(#space));
        let shared = quote! {
            type On = __Q;
            #[inline]
            fn get<'a>(&'a self, off: &'a #tangent) -> &'a #tangent { if __Q::ON { &***self.place() } else { off } }
        };
        quote! {
            impl #one __d::DotSlot<#name #own, #space> for __d::Dot<__Q, &::std::boxed::Box<#tangent>> #bounds { #shared }
            impl #all __d::DotSlot<#name #own, #space> for __d::Bar<__Q, __Z, &mut ::std::boxed::Box<#tangent>> #bounds { #shared }
            impl #all __d::BarSlot<#name #own, #space> for __d::Bar<__Q, __Z, &mut ::std::boxed::Box<#tangent>> #bounds {
                type On = __Q;
                const FRESH: bool = __Z::ON;
                #[inline]
                fn get<'a>(&'a mut self, off: &'a mut #tangent) -> &'a mut #tangent {
                    if __Q::ON { &mut ***self.place_mut() } else { off }
                }
            }
        }
    }
}
