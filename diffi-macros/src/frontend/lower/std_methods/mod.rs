//! Methods that rustc confirms to be std's: a trait of the user's with a method of the same name may come before them.
//!
//! rustc looks for `v.to_vec()` among methods that take `Vec`, `&Vec`, `&mut Vec`, and only then among those of `[T]`, where std's is.
//! The question is a trait with the same method at the last of these places: where another one comes first, the question does not compile.
//! What a receiver holds is left open in a question, `Vec<_>`, so that a trait for any of these types is found.

mod ranks;
mod receivers;

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::frontend::syntax::bases;
use crate::ir::{Base, Ty};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use ranks::{Before, before_iterators, before_options, before_queues, before_sequences};
use receivers::Receiver;
use std::iter::repeat_n;

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
    /// Compiles only if a method of a sequence, an option or a float is std's.
    pub fn only_method_of_std(&mut self, receiver: &Value, called: &Called) {
        let a = match receiver {
            Value::Maybe(_) => return self.only_method_of_options(called),
            Value::Tuple(members) => return self.only_copy_of_tuple(members.len(), called),
            Value::Active(a) => a,
            _ => return,
        };
        let (ty, name) = (self.ty_of(&a.place), called.name.to_string());
        let copy = name == "clone" || name == "to_owned";
        match &ty {
            Ty::Vec(_) => self.ask(before_sequences(&name, false), &receivers::vec(), called),
            Ty::Array(_) => self.ask(before_sequences(&name, true), &receivers::array(), called),
            Ty::Tuple(members) => self.only_copy_of_tuple(members.len(), called),
            Ty::Slice(_) if name == "clone" => self.ask(Before::Value, &receivers::slice(), called),
            Ty::Float if a.refs.depth == 0 && copy => self.ask(Before::Value, &self.float_receiver(), called),
            Ty::Float if a.refs.depth > 0 && !copy => {
                self.ask(Before::Exclusive, &receivers::reference_to(&self.probed_float()), called);
            }
            _ => {}
        }
    }

    /// The same for an `Option` or a `Result`. Where std takes the receiver itself, it may lie behind a reference.
    pub fn only_method_of_options(&mut self, called: &Called) {
        let (before, of_references) = match before_options(&called.name.to_string()) {
            Before::Nothing => (Before::Exclusive, true),
            before => (before, false),
        };
        receivers::options(of_references).iter().for_each(|receiver| self.ask(before, receiver, called));
    }

    /// The same for a `VecDeque`.
    pub fn only_method_of_queues(&mut self, called: &Called) {
        self.ask(before_queues(&called.name.to_string()), &receivers::queue(), called);
    }

    /// The same for copies of a tuple.
    fn only_copy_of_tuple(&mut self, members: usize, called: &Called) {
        if called.name == "clone" || called.name == "to_owned" {
            self.ask(Before::Value, &receivers::tuple(members), called);
        }
    }

    /// Compiles only if a method of an iterator is std's, for all iterators of std that the function makes.
    pub fn only_method_of_iterators(&mut self, called: &Called) {
        let before = before_iterators(&called.name.to_string());
        if before != Before::Nothing {
            let made = receivers::iterators(&self.scope.changes.called);
            made.iter().for_each(|receiver| self.ask(before, receiver, called));
        }
    }

    /// Compiles only if `a.add(b)` is the method of the operator's trait.
    pub fn only_operator_of_std(&mut self, called: &Called) {
        if matches!(self.base, Base::Concrete(_)) {
            let receiver = Receiver::of(quote!(__d::WithOperators));
            self.ask_for(&quote!(__d::OfAnotherTrait), Before::Exclusive, &receiver, called);
        }
    }

    /// Compiles only if `a.add_assign(b)` of a float is the method of the operator's trait.
    pub fn only_assignment_of_std(&mut self, called: &Called) {
        let name = called.name;
        if matches!(self.base, Base::Concrete(_)) {
            self.ask(Before::Shared, &self.float_receiver(), called);
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

    fn ask(&mut self, before: Before, receiver: &Receiver, called: &Called) {
        if before != Before::Nothing {
            self.ask_for(&quote!(__d::OfStd), before, receiver, called);
        }
    }

    /// The question: a trait whose method gives this answer, and the call of the method on such a receiver.
    fn ask_for(&mut self, answer: &TokenStream, before: Before, receiver: &Receiver, called: &Called) {
        let Called { name, args } = called;
        let (Receiver { made, closed }, span) = (receiver, name.span());
        let this = match before {
            Before::Value => quote!(self),
            Before::Exclusive => quote!(&mut self),
            _ => quote!(&self),
        };
        let of = match before {
            Before::OfSlices => quote!([T]),
            Before::Exclusive if receiver.is_reference() => quote!(&T),
            _ => quote!(T),
        };
        let sized = (before == Before::Value).then(|| quote!(where Self: ::core::marker::Sized));
        let (taken, given) = (repeat_n(quote!(_: __d::Argument), *args), repeat_n(quote!(__d::argument()), *args));
        self.confirm(quote_spanned!(span=> {
            #[allow(unused, clippy::all)]
            trait TakenForTheMethodOfStd {
                fn #name(#this #(, #taken)*) -> #answer #sized { #answer }
            }
            impl<T> TakenForTheMethodOfStd for #of {}
            #[allow(unused)]
            let (mut receiver, of_type) = #made;
            __d::is_method_of_std(receiver.#name(#(#given),*));
            __d::is_of_type::<#closed>(of_type);
        }));
    }

    fn float_receiver(&self) -> Receiver {
        Receiver::of(self.probed_float())
    }

    fn probed_float(&self) -> TokenStream {
        match &self.base {
            Base::Concrete(float) if !bases::is_of_a_type(&self.base) => quote!(#float),
            _ => quote!(f64),
        }
    }
}
