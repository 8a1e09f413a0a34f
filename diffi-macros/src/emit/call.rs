//! Calls of annotated functions.

use super::{Emit, Order};
use crate::ir::*;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

impl Emit<'_> {
    /// The function itself.
    pub fn primal_call(&self, call: &Call) -> TokenStream {
        let path = &call.written;
        let args = call.args.iter().map(|a| self.argument(a));
        quote!(#path(#(#args),*))
    }

    fn argument(&self, arg: &CallArg) -> TokenStream {
        match arg {
            CallArg::Ref(p) => {
                let place = self.place(p);
                quote!(&#place)
            }
            CallArg::Mut(p) => {
                let place = self.place(p);
                quote!(&mut #place)
            }
            CallArg::Value(o) => self.owned(o),
            CallArg::Passive(o) => self.opaque(o),
        }
    }

    /// A sweep of a called function.
    pub fn sweep(&self, s: &Sweep) -> TokenStream {
        let path = &s.call.path;
        let (before, args) = self.slotted(s);
        let result = self.results(s);
        let call = match s.kind {
            SweepKind::Push => quote!(<#path>::__push(#args ws)),
            SweepKind::Both => {
                let method = if self.is_second() { quote!(__pull_push) } else { quote!(__pull) };
                let bar = self.result_bars(s, false);
                quote!(<#path>::#method(__d::On, #args #bar ws).expect("the value was asked for"))
            }
            SweepKind::Forward => {
                let (method, none) = self.split();
                quote!(<#path>::#method(__d::Off, #args #none ws).expect("the forward sweep has a value"))
            }
            SweepKind::Reverse => {
                let (method, bar) = (self.split().0, self.result_bars(s, true));
                return quote!(#before let _ = <#path>::#method(__d::On, #args #bar ws););
            }
        };
        quote!(#before let #result = #call;)
    }

    fn split(&self) -> (TokenStream, TokenStream) {
        match self.order {
            Order::First => (quote!(__split), quote!(::core::option::Option::None,)),
            Order::Second => {
                (quote!(__split_push), quote!(::core::option::Option::None, ::core::option::Option::None,))
            }
        }
    }

    /// `y`, or `(y, y_dot)`.
    fn results(&self, s: &Sweep) -> TokenStream {
        let mut names = s.result.iter().map(|v| self.annotated(*v));
        let result = names.next().unwrap_or_else(|| quote!(_));
        match &s.tangents {
            Some(SweepTangents { result: Some(dot), .. }) => {
                let dot = self.annotated(*dot);
                quote!((#result, #dot))
            }
            Some(_) => quote!((#result, _)),
            None => result,
        }
    }

    fn annotated(&self, var: Var) -> TokenStream {
        let name = self.name(var);
        let mutable = self.changed.contains(&var).then(|| quote!(mut));
        quote!(#mutable #name)
    }

    /// What comes before the call, and its arguments, each followed by its slots.
    fn slotted(&self, s: &Sweep) -> (TokenStream, TokenStream) {
        let (mut before, mut args) = (TokenStream::new(), TokenStream::new());
        for (k, arg) in s.call.args.iter().enumerate() {
            let value = self.argument(arg);
            args.extend(quote!(#value,));
            let bar = s.bars.get(k).and_then(Option::as_ref);
            if let Some(t) = &s.tangents {
                let dot = t.args.get(k).and_then(Option::as_ref);
                let kind = if matches!(arg, CallArg::Mut(_)) { SlotKind::Exclusive } else { SlotKind::Shared };
                args.extend(self.slot(arg, dot.map(|(p, on)| (p, *on)), kind, &format!("dot_{k}"), &mut before));
            }
            if s.kind == SweepKind::Push {
                continue;
            }
            args.extend(self.slot(
                arg,
                bar.map(|(p, on)| (p, *on)),
                SlotKind::Exclusive,
                &format!("bar_{k}"),
                &mut before,
            ));
            if let Some(t) = &s.tangents {
                let dot = t.bars.get(k).and_then(Option::as_ref).zip(bar).map(|(p, (_, on))| (p, *on));
                args.extend(self.slot(arg, dot, SlotKind::Exclusive, &format!("bar_dot_{k}"), &mut before));
            }
        }
        (before, args)
    }

    /// The slot for an argument's shadow. The callee takes an argument for active that the caller
    /// may have switched off in the call at hand: it then gets a shadow that nobody reads.
    fn slot(
        &self,
        arg: &CallArg,
        shadow: Option<(&Place, ParamSet)>,
        kind: SlotKind,
        name: &str,
        before: &mut TokenStream,
    ) -> TokenStream {
        let Some((place, on)) = shadow else { return quote!(__d::Off,) };
        let part = self.place(place);
        let reference = match self.stand_in(arg, place, on) {
            None if kind == SlotKind::Shared => quote!(&#part),
            None => quote!(&mut #part),
            Some(primal) => {
                let (spare, slot) = (format_ident!("spare_{name}"), format_ident!("slot_{name}"));
                let (condition, space) = (self.condition(on), self.space(self.table.role(place.root)));
                let borrow = if kind == SlotKind::Shared { quote!(&) } else { quote!(&mut) };
                before.extend(quote! {
                    let mut #spare = if #condition { ::core::option::Option::None } else {
                        ::core::option::Option::Some(__d::Member::zero::<#space>(&#primal))
                    };
                    let #slot = match #spare.as_mut() {
                        ::core::option::Option::None => #borrow #part,
                        ::core::option::Option::Some(spare) => #borrow *__d::shadow_like::<#space, _>(&#primal, spare),
                    };
                });
                quote!(#slot)
            }
        };
        match kind {
            SlotKind::Shared => quote!(__d::Dot::<__d::On, _>::new(#reference),),
            SlotKind::Exclusive => quote!(__d::Bar::<__d::On, __d::Off, _>::new(#reference),),
        }
    }

    /// The primal of an argument whose shadow may be missing: a part of a parameter.
    fn stand_in(&self, arg: &CallArg, shadow: &Place, on: ParamSet) -> Option<TokenStream> {
        let (CallArg::Ref(p) | CallArg::Value(Operand::Place(p))) = arg else { return None };
        (on != self.everything && self.table.is_ref(shadow.root)).then(|| self.place(p))
    }

    fn result_bars(&self, s: &Sweep, optional: bool) -> TokenStream {
        let one = |var: Option<Var>| {
            let bar = match var {
                Some(var) => {
                    let place = self.place(&Place::var(var));
                    quote!(&mut #place)
                }
                None => quote!(&mut ::core::default::Default::default()),
            };
            if optional { quote!(::core::option::Option::Some(#bar),) } else { quote!(#bar,) }
        };
        let first = one(s.result_bar);
        let second = self.is_second().then(|| one(s.tangents.as_ref().and_then(|t| t.result_bar)));
        quote!(#first #second)
    }
}

/// How a shadow is passed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SlotKind {
    /// A tangent, to be read.
    Shared,
    /// A cotangent, or a tangent of what is written to.
    Exclusive,
}
