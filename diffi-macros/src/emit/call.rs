//! Calls of annotated functions.

use super::{Emit, Order};
use crate::ir::*;
use proc_macro2::TokenStream;
use quote::quote;

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
        match s.kind {
            SweepKind::Push => self.push(s),
            SweepKind::Both => {
                let (args, bar) = (self.slotted(s), self.result_bars(s, false));
                let result = self.results(s);
                let method = if self.is_second() { quote!(__pull_push) } else { quote!(__pull) };
                quote!(let #result = <#path>::#method(__d::On, #args #bar ws).expect("the value was asked for");)
            }
            SweepKind::Forward => {
                let args = self.slotted(s);
                let result = self.results(s);
                let (method, none) = self.split();
                quote!(let #result = <#path>::#method(__d::Off, #args #none ws).expect("the forward sweep has a value");)
            }
            SweepKind::Reverse => {
                let (args, bar) = (self.slotted(s), self.result_bars(s, true));
                let (method, _) = self.split();
                quote!(let _ = <#path>::#method(__d::On, #args #bar ws);)
            }
        }
    }

    fn split(&self) -> (TokenStream, TokenStream) {
        match self.order {
            Order::First => (quote!(__split), quote!(::core::option::Option::None,)),
            Order::Second => (
                quote!(__split_push),
                quote!(::core::option::Option::None, ::core::option::Option::None,),
            ),
        }
    }

    fn push(&self, s: &Sweep) -> TokenStream {
        let path = &s.call.path;
        let args = s.call.args.iter().zip(self.tangents(s)).map(|(arg, dot)| {
            let value = self.argument(arg);
            quote!(#value, #dot,)
        });
        let result = self.results(s);
        quote!(let #result = <#path>::__push(#(#args)* ws);)
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

    /// The arguments, each followed by its slots.
    fn slotted(&self, s: &Sweep) -> TokenStream {
        let mut out = TokenStream::new();
        let tangents = self.tangents(s);
        for (k, arg) in s.call.args.iter().enumerate() {
            let value = self.argument(arg);
            out.extend(quote!(#value,));
            if self.is_second() {
                let dot = &tangents[k];
                out.extend(quote!(#dot,));
            }
            let bar = s.bars.get(k).and_then(Option::as_ref);
            out.extend(self.bar(bar.map(|(p, on)| (p, *on))));
            if self.is_second() {
                let dot = s.tangents.as_ref().and_then(|t| t.bars.get(k)).and_then(Option::as_ref);
                out.extend(self.bar(dot.zip(bar).map(|(p, (_, on))| (p, *on))));
            }
        }
        out
    }

    fn tangents(&self, s: &Sweep) -> Vec<TokenStream> {
        let dots = s.tangents.as_ref().map(|t| &t.args[..]).unwrap_or(&[]);
        let mut all = Vec::new();
        for (k, arg) in s.call.args.iter().enumerate() {
            all.push(match dots.get(k).and_then(Option::as_ref) {
                None => quote!(__d::Off),
                Some((place, on)) => {
                    let (place, flag) = (self.place(place), self.flag(*on));
                    match arg {
                        CallArg::Mut(_) => quote!(__d::Bar::<#flag, __d::Off, _>::new(&mut #place)),
                        _ => quote!(__d::Dot::<#flag, _>::new(&#place)),
                    }
                }
            });
        }
        all
    }

    fn bar(&self, bar: Option<(&Place, ParamSet)>) -> TokenStream {
        match bar {
            None => quote!(__d::Off,),
            Some((place, on)) => {
                let (place, flag) = (self.place(place), self.flag(on));
                quote!(__d::Bar::<#flag, __d::Off, _>::new(&mut #place),)
            }
        }
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
