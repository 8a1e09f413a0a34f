//! Methods that rustc confirms to be std's: a trait of the user's with a method of the same name may come before them.
//!
//! rustc looks for `v.to_vec()` among methods that take `Vec`, `&Vec`, `&mut Vec`, and only then among those of `[T]`, where std's is.
//! The question is a trait with the same method at the last of these places: where another one comes first, the question does not compile.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::ir::{Base, Ty};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use std::iter::repeat_n;

/// The last place before std's method where rustc looks for one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Methods that take the receiver itself: std's takes `&self`.
    Value,
    /// Methods that take a reference: std's takes `&mut self`.
    Shared,
    /// Methods that take an exclusive one: std's is of the type that the receiver derefs to.
    Exclusive,
    /// Methods of slices that take a shared reference: std's is one of slices, and takes `&mut self`.
    OfSlices,
    /// There is none: std's takes the receiver itself.
    Nothing,
}

/// Methods that std has for `Vec` itself, or for all types, and takes by `&self`.
const BY_REFERENCE: &[&str] =
    &["len", "is_empty", "capacity", "as_slice", "clone", "to_owned", "as_ref", "borrow", "contains_key"];

/// Those that change a `Vec`, and that slices do not have.
const CHANGING: &[&str] = &[
    "push",
    "pop",
    "clear",
    "truncate",
    "insert",
    "remove",
    "swap_remove",
    "append",
    "extend",
    "extend_from_slice",
    "drain",
    "retain",
    "resize",
    "resize_with",
    "dedup",
    "split_off",
    "as_mut_slice",
    "as_mut",
    "borrow_mut",
];

/// Those that change a slice.
const OF_SLICES: &[&str] = &[
    "fill",
    "swap",
    "reverse",
    "rotate_left",
    "rotate_right",
    "copy_from_slice",
    "clone_from_slice",
    "swap_with_slice",
    "copy_within",
    "iter_mut",
    "first_mut",
    "last_mut",
    "get_mut",
    "split_at_mut",
    "split_first_mut",
    "split_last_mut",
    "chunks_mut",
    "chunks_exact_mut",
];

/// Those that take a `Vec` or an array itself.
const BY_VALUE: &[&str] = &["into_iter", "into_boxed_slice"];

/// Where a method stands that may be one of a `Vec` or an array.
fn before_sequences(name: &str, array: bool) -> Before {
    match name {
        "map" if array => Before::Nothing,
        "len" | "is_empty" if array => Before::Exclusive,
        _ if BY_VALUE.contains(&name) => Before::Nothing,
        _ if BY_REFERENCE.contains(&name) => Before::Value,
        _ if CHANGING.contains(&name) => Before::Shared,
        _ if OF_SLICES.contains(&name) || name.starts_with("sort") || name.starts_with("select") => Before::OfSlices,
        _ => Before::Exclusive,
    }
}

/// A method as it is called.
pub struct Called<'a> {
    /// Its name.
    pub name: &'a Ident,
    /// How many arguments it is given.
    pub args: usize,
}

impl<'a> Called<'a> {
    pub fn of(m: &'a syn::ExprMethodCall) -> Self {
        Called { name: &m.method, args: m.args.len() }
    }
}

impl Lower {
    /// Compiles only if a method of a `Vec`, an array, a slice or a float is std's.
    pub fn only_method_of_std(&mut self, receiver: &Value, called: &Called) {
        let Value::Active(a) = receiver else { return };
        let (ty, name) = (self.ty_of(&a.place), called.name.to_string());
        let copy = name == "clone" || name == "to_owned";
        match &ty {
            Ty::Vec(_) | Ty::Array(_) => {
                let before = before_sequences(&name, matches!(ty, Ty::Array(_)));
                self.types(&ty).into_iter().for_each(|ty| self.ask(before, &ty, called));
            }
            Ty::Slice(_) if name == "clone" => {
                let types = self.types(&ty);
                types.into_iter().for_each(|ty| self.ask(Before::Value, &quote!(&#ty), called));
            }
            Ty::Float if a.refs.depth == 0 && copy => {
                let float = self.probed_float();
                self.ask(Before::Value, &float, called);
            }
            Ty::Float if a.refs.depth > 0 && !copy => {
                let float = self.probed_float();
                self.ask(Before::Exclusive, &quote!(&#float), called);
            }
            _ => {}
        }
    }

    /// Compiles only if `a.add(b)` is the method of the operator's trait.
    pub fn only_operator_of_std(&mut self, called: &Called) {
        if matches!(self.base, Base::Concrete(_)) {
            self.ask_of(Before::Exclusive, (&quote!(__d::WithOperators), &quote!(__d::OfAnotherTrait)), called);
        }
    }

    /// Compiles only if `a.add_assign(b)` of a float is the method of the operator's trait.
    pub fn only_assignment_of_std(&mut self, called: &Called) {
        let (name, float) = (called.name, self.probed_float());
        if matches!(self.base, Base::Concrete(_)) {
            self.ask(Before::Shared, &float, called);
            self.confirm(quote_spanned!(name.span()=> {
                #[allow(unused, clippy::all)]
                trait TakenForTheMethodOfStd {
                    fn #name(&self, _: __d::Argument) -> __d::OfAnotherTrait { __d::OfAnotherTrait }
                }
                impl TakenForTheMethodOfStd for __d::BehindOperators {}
                __d::is_assignment_of_std(__d::argument::<__d::WithOperators>().#name(__d::argument()));
            }));
        }
    }

    fn ask(&mut self, before: Before, receiver: &TokenStream, called: &Called) {
        if before != Before::Nothing {
            self.ask_of(before, (receiver, &quote!(__d::OfStd)), called);
        }
    }

    /// The question: a trait whose method gives this answer, and the call of the method on a receiver of this type.
    fn ask_of(
        &mut self,
        before: Before,
        (receiver, answer): (&TokenStream, &TokenStream),
        Called { name, args }: &Called,
    ) {
        let (generic, of) = match before {
            Before::OfSlices => (quote!(T), quote!([T])),
            Before::Exclusive if receiver.to_string().starts_with('&') => (quote!(T), quote!(&T)),
            _ => (quote!(T), quote!(T)),
        };
        let this = match before {
            Before::Value => quote!(self),
            Before::Exclusive => quote!(&mut self),
            _ => quote!(&self),
        };
        let sized = (before == Before::Value).then(|| quote!(where Self: ::core::marker::Sized));
        let (taken, given) = (repeat_n(quote!(_: __d::Argument), *args), repeat_n(quote!(__d::argument()), *args));
        self.confirm(quote_spanned!(name.span()=> {
            #[allow(unused, clippy::all)]
            trait TakenForTheMethodOfStd {
                fn #name(#this #(, #taken)*) -> #answer #sized { #answer }
            }
            impl<#generic> TakenForTheMethodOfStd for #of {}
            __d::is_method_of_std(__d::argument::<#receiver>().#name(#(#given),*));
        }));
    }

    fn probed_float(&self) -> TokenStream {
        match &self.base {
            Base::Concrete(float) => quote!(#float),
            Base::Generic(_) => quote!(f64),
        }
    }

    /// The types that a place of this structure may have, of floats; none where only rustc knows its parts.
    fn types(&self, ty: &Ty) -> Vec<TokenStream> {
        let all = |inner: &Ty| {
            let by = matches!(inner, Ty::Slice(_)).then(|| quote!(&));
            self.types(inner).into_iter().map(move |ty| quote!(#by #ty))
        };
        match ty {
            Ty::Float => vec![self.probed_float()],
            Ty::Vec(inner) => all(inner).map(|t| quote!(::std::vec::Vec<#t>)).collect(),
            Ty::Slice(inner) => all(inner).map(|t| quote!([#t])).collect(),
            Ty::Array(inner) => all(inner).flat_map(|t| LENGTHS.map(|n| quote!([#t; #n]))).collect(),
            _ => Vec::new(),
        }
    }
}

/// Lengths of arrays that a user's trait is likely to be implemented for.
const LENGTHS: [usize; 4] = [1, 2, 3, 4];
