//! A method of a trait, and its derivative code on an object.

use crate::frontend::lower::calls::OF_OBJECT;
use crate::frontend::syntax::types;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// Numbers, as a parameter or a result.
enum Numbers {
    /// `f64`.
    One,
    /// `&[f64]`.
    Slice,
    /// `[f64; N]`, or a reference to it.
    Array { len: TokenStream, reference: bool },
}

/// What a parameter is.
enum Kind {
    Numbers { numbers: Numbers, active: bool },
    Integer,
    Truth,
}

struct Param {
    ty: syn::Type,
    kind: Kind,
}

/// A method whose derivatives an object has.
pub struct Method {
    name: Ident,
    params: Vec<Param>,
    result: Numbers,
    result_type: syn::Type,
    /// Derivatives flow into the implementation's own fields, too, where it is no object.
    pub active_receiver: bool,
}

/// A name of a variable for the parameter at this place.
fn var(prefix: &str, k: usize) -> Ident {
    format_ident!("{prefix}{k}")
}

impl Method {
    /// A method `&self` of numbers, integers and truth values, that gives numbers.
    pub fn of(signature: &syn::Signature, constant: &[Ident]) -> Option<Self> {
        let syn::ReturnType::Type(_, result) = &signature.output else { return None };
        let receiver = signature.receiver()?;
        let shared = receiver.reference.is_some() && receiver.mutability.is_none() && receiver.colon_token.is_none();
        let plain = signature.generics.params.is_empty() && signature.generics.where_clause.is_none();
        if !shared || !plain || signature.asyncness.is_some() || signature.unsafety.is_some() {
            return None;
        }
        let params: Option<Vec<Param>> = signature.inputs.iter().skip(1).map(|input| param(input, constant)).collect();
        let active = |p: &Param| matches!(p.kind, Kind::Numbers { active: true, .. });
        Some(Method {
            name: signature.ident.clone(),
            params: params.filter(|all| all.iter().any(active))?,
            result: numbers(result).filter(|n| matches!(n, Numbers::One | Numbers::Array { reference: false, .. }))?,
            result_type: (**result).clone(),
            active_receiver: !constant.iter().any(|name| name == "self"),
        })
    }

    fn named(&self, product: &str) -> Ident {
        format_ident!("{}{product}", self.name.to_string().trim_start_matches("r#"))
    }

    /// Code for each parameter.
    fn each(&self, one: impl Fn(usize, &Param) -> TokenStream) -> TokenStream {
        self.params.iter().enumerate().map(|(k, param)| one(k, param)).collect()
    }

    /// The same, for those of numbers; with whether these are active.
    fn each_of_numbers(&self, one: impl Fn(usize, &Numbers, bool) -> TokenStream) -> TokenStream {
        self.each(|k, param| match &param.kind {
            Kind::Numbers { numbers, active } => one(k, numbers, *active),
            _ => TokenStream::new(),
        })
    }

    /// The arguments by their names.
    fn given(&self) -> TokenStream {
        self.each(|k, _| {
            let name = var("a", k);
            quote!(#name,)
        })
    }

    /// The partial derivatives by the implementation's own pullback.
    pub fn partials(&self) -> TokenStream {
        let arguments = self.each(|k, param| param.taken(k));
        let outputs = match &self.result {
            Numbers::Array { len, .. } => len.clone(),
            _ => quote!(1),
        };
        let [pull, pull_push] = [self.first_order(), self.second_order()];
        quote!({ #arguments __d::objects::Partials::by_pulls(arguments, #outputs, second, #pull, #pull_push) })
    }

    /// Names for the shadows of all arguments of numbers.
    fn opened(&self, prefix: &str, from: &TokenStream) -> TokenStream {
        let names = self.each_of_numbers(|k, _, _| {
            let name = var(prefix, k);
            quote!(#name,)
        });
        quote!(let [#names] = #from else { ::core::unreachable!("each argument has a shadow") };)
    }

    fn first_order(&self) -> TokenStream {
        let (pull, opened) = (self.named("__pull"), self.opened("b", &quote!(&mut bars[..])));
        let arguments = self.each(|k, param| {
            let (name, slot) = (var("a", k), param.slot("bar_slot", "b", k));
            quote!(#name, #slot,)
        });
        let (y_bar, value) = (self.result.place(&quote!(y_bar)), self.result.listed(&quote!(value)));
        quote!(|bars, y_bar| {
            #opened
            let mut ws = __d::Workspace::<f64, f64>::new();
            let y_bar = ::core::option::Option::Some(#y_bar);
            let value = self.#pull(__d::Off, #arguments y_bar, &mut ws, __d::Both(__d::On)).expect("the value was asked for");
            #value.to_vec()
        })
    }

    fn second_order(&self) -> TokenStream {
        let pull_push = self.named("__pull_push");
        let opened = [("d", quote!(&dots[..])), ("b", quote!(&mut bars[..])), ("e", quote!(&mut bar_dots[..]))]
            .map(|(prefix, from)| self.opened(prefix, &from));
        let arguments = self.each(|k, param| {
            let slots = [("dot_slot", "d"), ("bar_slot", "b"), ("bar_slot", "e")]
                .map(|(slot, prefix)| param.slot(slot, prefix, k));
            let name = var("a", k);
            quote!(#name, #(#slots,)*)
        });
        let bars = [quote!(y_bar), quote!(y_bar_dot)].map(|bar| self.result.place(&bar));
        quote!(|dots, [bars, bar_dots], [y_bar, y_bar_dot]| {
            #(#opened)*
            let mut ws = __d::Workspace::<f64, f64>::new();
            let _ = self.#pull_push(
                __d::Off, __d::Off, __d::Off, #arguments #(::core::option::Option::Some(#bars),)* &mut ws, __d::Both(__d::On),
            );
        })
    }

    /// The functions of the object, by the method that gives partial derivatives, and the number of this one there.
    pub fn of_object(&self, partials: &Ident, at: usize) -> TokenStream {
        let (name, given, result) = (&self.name, self.given(), &self.result_type);
        let [object, annotated] = ["", "__annotated"].map(|end| self.named(&format!("{OF_OBJECT}{end}")));
        let params = self.each(|k, Param { ty, .. }| {
            let name = var("a", k);
            quote!(#name: #ty,)
        });
        let arguments = self.each(Param::told);
        let asked = |second| quote!(self.#partials(#at, &[#arguments], #second));
        let [push, pull, pull_push] = [self.push(&asked), self.pull(&asked), self.pull_push(&asked)];
        quote! {
            #[inline] pub fn #object(&self, #params) -> #result { self.#name(#given) }
            #[inline] pub fn #annotated(&self) -> &Self { self }
            #push #pull #pull_push
        }
    }

    /// The parameters, each with its slots.
    fn with_slots(&self, slots: &[(&str, &str, TokenStream)]) -> TokenStream {
        self.each(|k, Param { ty, kind }| {
            let name = var("a", k);
            let slots = slots.iter().map(|(slot, prefix, space)| match kind {
                Kind::Numbers { numbers, active: true } => {
                    let (slot, name, place) = (format_ident!("{slot}"), var(prefix, k), numbers.ty());
                    quote!(mut #name: impl __d::#slot<#place, #space>)
                }
                _ => quote!(_: __d::Off),
            });
            quote!(#name: #ty, #(#slots,)*)
        })
    }

    /// The tangents of all numbers among the arguments.
    fn dots(&self) -> TokenStream {
        let all = self.each_of_numbers(|k, numbers, active| {
            let (argument, dot) = (var("a", k), var("d", k));
            let len = numbers.len(&argument);
            let given = match numbers {
                _ if !active => quote!(&[]),
                Numbers::One => quote!(&[#dot.number()]),
                Numbers::Slice => quote!(#dot.elements()),
                Numbers::Array { len, .. } => quote!(#dot.get(&[<Space as __d::LinearSpace<f64>>::ZERO; #len])),
            };
            quote!(__d::objects::extend(&mut dots, #given, #len);)
        });
        quote!(let mut dots: ::std::vec::Vec<Space> = ::std::vec::Vec::new(); #all)
    }

    /// Adds what flows to the arguments.
    fn flows(&self, prefix: &str, space: &TokenStream) -> TokenStream {
        self.each_of_numbers(|k, numbers, active| {
            let (argument, bar) = (var("a", k), var(prefix, k));
            let len = numbers.len(&argument);
            let bars = match numbers {
                _ if !active => quote!(&mut []),
                Numbers::One => return quote!(__d::objects::add_number(&mut #bar, &mut flows);),
                Numbers::Slice => quote!(#bar.elements()),
                Numbers::Array { len, .. } => quote!(#bar.get(&mut [<#space as __d::LinearSpace<f64>>::ZERO; #len])),
            };
            let is_fresh = if active { quote!(#bar.is_fresh()) } else { quote!(false) };
            quote!({ let fresh = #is_fresh; __d::objects::add_elements((#bars, fresh), #len, &mut flows); })
        })
    }

    fn push(&self, asked: &dyn Fn(TokenStream) -> TokenStream) -> TokenStream {
        let (name, dots, partials) = (self.named(&format!("{OF_OBJECT}__push")), self.dots(), asked(quote!(false)));
        let params = self.with_slots(&[("DotSlot", "d", quote!(Space))]);
        let (result, tangent) = (self.result.of(&quote!(f64)), self.result.of(&quote!(Space)));
        let [value, dot] = [quote!(partials.value), quote!(partials.push(&dots))].map(|list| self.result.read(&list));
        quote! {
            #[inline] pub fn #name<Space: __d::LinearSpace<f64>>(
                &self, _: __d::Off, #params _: &mut __d::Workspace<f64, Space>,
            ) -> (#result, #tangent) {
                #dots
                let partials = #partials;
                (#value, #dot)
            }
        }
    }

    fn pull(&self, asked: &dyn Fn(TokenStream) -> TokenStream) -> TokenStream {
        let name = self.named(&format!("{OF_OBJECT}__pull"));
        let (method, given, partials) = (&self.name, self.given(), asked(quote!(false)));
        let params = self.with_slots(&[("BarSlot", "b", quote!(Space))]);
        let flows = self.flows("b", &quote!(Space));
        let (result, tangent) = (self.result.of(&quote!(f64)), self.result.of(&quote!(Space)));
        let (value, y_bar) = (self.result.read(&quote!(partials.value)), self.result.listed(&quote!(y_bar)));
        quote! {
            #[inline] pub fn #name<Space: __d::LinearSpace<f64>, Sweep: __d::Sweeps>(
                &self, _: __d::Off, #params
                y_bar: ::core::option::Option<&mut #tangent>, _: &mut __d::Workspace<f64, Space>, _: Sweep,
            ) -> ::core::option::Option<#result> {
                if !Sweep::REVERSE {
                    return ::core::option::Option::Some(self.#method(#given));
                }
                let y_bar = *y_bar.expect("the reverse sweep takes a cotangent");
                let partials = #partials;
                let mut flows = partials.pull(&#y_bar[..]);
                #flows
                Sweep::VALUED.then(|| #value)
            }
        }
    }

    fn pull_push(&self, asked: &dyn Fn(TokenStream) -> TokenStream) -> TokenStream {
        let (name, dots) = (self.named(&format!("{OF_OBJECT}__pull_push")), self.dots());
        let (partials, float) = (asked(quote!(Sweep::REVERSE)), quote!(f64));
        let slots = [("DotSlot", "d", quote!(Space)), ("BarSlot", "b", float.clone()), ("BarSlot", "e", quote!(Space))];
        let (params, flows, flow_dots) =
            (self.with_slots(&slots), self.flows("b", &float), self.flows("e", &quote!(Space)));
        let (result, tangent) = (self.result.of(&float), self.result.of(&quote!(Space)));
        let [value, dot] = [quote!(partials.value), quote!(partials.push(&dots))].map(|list| self.result.read(&list));
        let [y_bar, y_bar_dot] = [quote!(y_bar), quote!(y_bar_dot)].map(|bar| self.result.listed(&bar));
        quote! {
            #[inline] pub fn #name<Space: __d::LinearSpace<f64>, Sweep: __d::Sweeps>(
                &self, _: __d::Off, _: __d::Off, _: __d::Off, #params
                y_bar: ::core::option::Option<&mut #result>, y_bar_dot: ::core::option::Option<&mut #tangent>,
                _: &mut __d::Workspace<f64, Space>, _: Sweep,
            ) -> ::core::option::Option<(#result, #tangent)> {
                #dots
                let partials = #partials;
                if Sweep::REVERSE {
                    let y_bar = *y_bar.expect("the reverse sweep takes a cotangent");
                    let y_bar_dot = *y_bar_dot.expect("the reverse sweep takes its tangent");
                    let mut flows = partials.pull(&#y_bar[..]);
                    #flows
                    let mut flows = partials.pull_push(&dots, &#y_bar[..], &#y_bar_dot[..]);
                    #flow_dots
                }
                Sweep::VALUED.then(|| (#value, #dot))
            }
        }
    }
}

impl Param {
    /// The argument, as an implementation takes it.
    fn taken(&self, k: usize) -> TokenStream {
        let (name, ty) = (var("a", k), &self.ty);
        let value = match &self.kind {
            Kind::Numbers { numbers: Numbers::One, .. } => quote!(arguments[#k].numbers()[0]),
            Kind::Numbers { numbers: Numbers::Slice, .. } => quote!(arguments[#k].numbers()),
            Kind::Numbers { numbers: Numbers::Array { reference, .. }, .. } => {
                let reference = reference.then(|| quote!(&));
                quote!(#reference __d::objects::array(arguments[#k].numbers()))
            }
            Kind::Integer => quote!(arguments[#k].integer()),
            Kind::Truth => quote!(arguments[#k].truth()),
        };
        quote!(let #name: #ty = #value;)
    }

    /// The argument, as an object tells it.
    fn told(k: usize, param: &Param) -> TokenStream {
        let name = var("a", k);
        let value = match &param.kind {
            Kind::Numbers { numbers, .. } => {
                let list = numbers.listed(&name.to_token_stream());
                quote!(Numbers(&#list[..]))
            }
            Kind::Integer => quote!(Integer(#name as i128)),
            Kind::Truth => quote!(Truth(#name)),
        };
        quote!(__d::objects::Argument::#value,)
    }

    /// The slot of a shadow that is a list.
    fn slot(&self, slot: &str, prefix: &str, k: usize) -> TokenStream {
        let Kind::Numbers { numbers, active: true } = &self.kind else { return quote!(__d::Off) };
        let (slot, name) = (format_ident!("{slot}"), var(prefix, k).to_token_stream());
        let place = if prefix == "d" { numbers.shared_place(&name) } else { numbers.place(&name) };
        quote!(__d::#slot(#place))
    }
}

impl Numbers {
    /// What shadows stand for.
    fn ty(&self) -> TokenStream {
        match self {
            Numbers::Slice => quote!([f64]),
            _ => self.of(&quote!(f64)),
        }
    }

    /// A number or an array of these.
    fn of(&self, item: &TokenStream) -> TokenStream {
        match self {
            Numbers::Array { len, .. } => quote!([#item; #len]),
            _ => item.clone(),
        }
    }

    /// How many numbers an argument has.
    fn len(&self, name: &Ident) -> TokenStream {
        match self {
            Numbers::One => quote!(1),
            _ => quote!(#name.len()),
        }
    }

    /// A list that is a variable of ours, as what is to be changed.
    fn place(&self, list: &TokenStream) -> TokenStream {
        match self {
            Numbers::One => quote!(&mut #list[0]),
            Numbers::Slice => quote!(&mut #list[..]),
            Numbers::Array { len, .. } => quote!(__d::objects::array_mut::<{ #len }, _>(&mut #list[..])),
        }
    }

    fn shared_place(&self, list: &TokenStream) -> TokenStream {
        match self {
            Numbers::One => quote!(&#list[0]),
            Numbers::Slice => quote!(&#list[..]),
            Numbers::Array { len, .. } => quote!(&__d::objects::array::<{ #len }, _>(&#list[..])),
        }
    }

    /// A list, as a number or an array.
    fn read(&self, list: &TokenStream) -> TokenStream {
        match self {
            Numbers::Array { .. } => quote!(__d::objects::array(&#list[..])),
            _ => quote!(#list[0]),
        }
    }

    /// A number or an array, as a list.
    fn listed(&self, value: &TokenStream) -> TokenStream {
        match self {
            Numbers::One => quote!([#value]),
            _ => value.clone(),
        }
    }
}

/// What a parameter is, if an object has derivatives of a method that takes it.
fn param(input: &syn::FnArg, constant: &[Ident]) -> Option<Param> {
    let syn::FnArg::Typed(syn::PatType { pat, ty, .. }) = input else { return None };
    let is_constant = matches!(&**pat, syn::Pat::Ident(name) if constant.contains(&name.ident));
    let kind = match numbers(ty) {
        Some(numbers) => Kind::Numbers { numbers, active: !is_constant },
        None if types::is_passive_scalar(ty) => match ty.to_token_stream().to_string().as_str() {
            "bool" => Kind::Truth,
            "char" | "u128" => return None,
            _ => Kind::Integer,
        },
        None => return None,
    };
    Some(Param { ty: (**ty).clone(), kind })
}

fn numbers(ty: &syn::Type) -> Option<Numbers> {
    let array = |a: &syn::TypeArray, reference| {
        is_number(&a.elem).then(|| Numbers::Array { len: a.len.to_token_stream(), reference })
    };
    match ty {
        _ if is_number(ty) => Some(Numbers::One),
        syn::Type::Array(a) => array(a, false),
        syn::Type::Reference(r) if r.mutability.is_none() => match &*r.elem {
            syn::Type::Slice(s) => is_number(&s.elem).then_some(Numbers::Slice),
            syn::Type::Array(a) => array(a, true),
            _ => None,
        },
        _ => None,
    }
}

fn is_number(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(p) if p.path.is_ident("f64"))
}
