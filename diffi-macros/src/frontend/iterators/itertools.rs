//! Methods of `itertools` that are chains by themselves: tuples of neighbours, sorted elements, chains of one length.

use crate::frontend::iterators::written_out::{OfItertools, TUPLES};
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Each, Indexed, Refs, Value, over};
use crate::frontend::syntax::unused::unused;
use crate::ir::affine::{self, arithmetic};
use crate::ir::{PassiveCode, Stmt};
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote, quote_spanned};
use std::rc::Rc;
use syn::spanned::Spanned;

/// Methods that sort, by those of slices.
const SORTS: &[(&str, &str)] = &[
    ("sorted_by", "sort_by"),
    ("sorted_unstable_by", "sort_unstable_by"),
    ("sorted_by_key", "sort_by_key"),
    ("sorted_unstable_by_key", "sort_unstable_by_key"),
    ("sorted_by_cached_key", "sort_by_cached_key"),
];

/// The method that joins two chains of one length.
const ZIP: &str = "zip_eq";

/// Whether an adaptor is one of `itertools`.
pub fn is_of_itertools(name: &str) -> bool {
    name == ZIP || TUPLES.contains(&name) || SORTS.iter().any(|(of, _)| *of == name)
}

impl Lower {
    /// Compiles only if a name is that of `itertools`.
    pub fn only_of_itertools(&mut self, name: &OfItertools) {
        self.confirm(match name {
            // One trait has all methods: where this one is found, so are the others.
            OfItertools::Method(span) => quote_spanned!(*span=> {
                #[allow(unused)]
                fn is_method_of_itertools(
                    numbers: ::std::vec::IntoIter<f64>,
                ) -> ::itertools::structs::TupleWindows<::std::vec::IntoIter<f64>, (f64, f64)> {
                    numbers.tuple_windows()
                }
            }),
            OfItertools::Macro(path) => {
                let name = &path.segments.last().expect("a path has a segment").ident;
                let both = Ident::new("diffi_takes_this_macro_for_that_of_itertools", name.span());
                quote_spanned!(path.span()=> {
                    #[allow(unused_imports)]
                    use #path as #both;
                    {
                        mod of_itertools {
                            pub use ::itertools::#name as #both;
                        }
                        #[allow(unused_imports)]
                        use of_itertools::*;
                        #[allow(unused_imports)]
                        use #both as _;
                    }
                })
            }
        });
    }

    /// A method of `itertools` that makes a chain of a chain.
    pub fn of_itertools(&mut self, chain: Chain, m: &syn::ExprMethodCall) -> Option<Chain> {
        let (name, span) = (m.method.to_string(), m.method.span());
        self.only_of_itertools(&OfItertools::Method(span));
        let sort = SORTS.iter().find(|(of, _)| *of == name);
        match (sort, m.args.first()) {
            (Some((_, method)), Some(by)) => self.sorted(&chain, by, method, m.method.span()),
            (None, Some(other)) if name == ZIP => {
                let other = self.chain(other)?;
                self.zip_eq(chain, other, span)
            }
            (None, None) => self.tuples(chain, m),
            _ => {
                self.errors.unknown_adaptor(span, &name);
                None
            }
        }
    }

    /// `a.zip_eq(b)`: both end at once.
    fn zip_eq(&mut self, a: Chain, b: Chain, span: Span) -> Option<Chain> {
        let (Chain::Indexed(a), Chain::Indexed(b)) = (a, b) else {
            self.errors.unknown_adaptor(span, ZIP);
            return None;
        };
        let (a, b) = (self.normalized(a), self.normalized(b));
        if let (Some(x), Some(y)) = (&a.hi, &b.hi) {
            let message = "itertools: .zip_eq() reached end of one iterator before the other";
            let (left, right) = (&x.tokens, &y.tokens);
            let tokens = over(quote!(::core::assert!(#left == #right, #message);), &[x, y]);
            self.emit(Stmt::Effect { tokens, writes: Default::default() });
        }
        self.zip(Chain::Indexed(a), Chain::Indexed(b), span)
    }

    /// Tuples of neighbours, or of any elements in their order.
    fn tuples(&mut self, chain: Chain, m: &syn::ExprMethodCall) -> Option<Chain> {
        let (name, span) = (m.method.to_string(), m.method.span());
        let Some(members) = members(m) else {
            let instead = format!("say how many they have: `{name}::<(_, _)>()`");
            self.errors.unsupported(span, "tuples of unknown length", &instead);
            return None;
        };
        let ix = self.by_index(chain, m)?;
        let n = self.atom("n", ix.hi.clone()?);
        let (end, get, len) = (&n.tokens, ix.get.clone(), n.clone());
        let count = match name.as_str() {
            "tuple_windows" => over(quote!((#end + 1).saturating_sub(#members)), &[&n]),
            "circular_tuple_windows" => n.clone(),
            "tuples" => over(quote!(#end / #members), &[&n]),
            _ => {
                return Some(Chain::stream(move |l, frame, each| combinations(l, &ix, (vec![], members), frame, each)));
            }
        };
        Some(Chain::counted(count, move |l, k| {
            let first = if name == "tuples" { arithmetic::mul(&k, &affine::literal(members)) } else { k };
            let at = |by: usize| {
                let at = arithmetic::add(&first, &affine::literal(by));
                let (t, n) = (arithmetic::factor(&at), &len.tokens);
                if name == "circular_tuple_windows" { over(quote!(#t % #n), &[&at, &len]) } else { at }
            };
            Value::Tuple((0..members).map(|by| get(l, at(by))).collect())
        }))
    }

    /// A chain whose elements can be taken as often as wanted: they lie somewhere, or are put into a list.
    fn by_index(&mut self, chain: Chain, m: &syn::ExprMethodCall) -> Option<Indexed> {
        let chain = match chain {
            Chain::Indexed(ix) if ix.hi.is_some() && self.is_found(&ix) => Chain::Indexed(ix),
            chain if self.is_collected(&chain) => self.listed_elements(&chain, m.span())?,
            chain => chain,
        };
        let Chain::Indexed(ix) = chain else {
            self.errors.unknown_adaptor(m.method.span(), &m.method.to_string());
            return None;
        };
        Some(self.normalized(ix))
    }

    /// A sorted list of the elements.
    fn sorted(&mut self, chain: &Chain, by: &syn::Expr, method: &str, span: Span) -> Option<Chain> {
        let (list, each) = self.list_of(chain, span);
        let list = self.variable(list, "sorted", span);
        let scope = self.scope.clone();
        let (name, method) = (unused("sorted", &by.to_token_stream(), span), Ident::new(method, span));
        self.scope.bind(&name, list.clone());
        let by = if each.depth > 0 { behind_references(by) } else { by.clone() };
        self.expr(&syn::parse_quote!(#name.#method(#by)));
        self.scope = scope;
        Some(self.elements_of(list, Refs::default(), span).mapped(move |_, item| item.behind(each)))
    }
}

/// All tuples of so many elements, each behind those before it.
fn combinations(
    l: &mut Lower,
    ix: &Indexed,
    (taken, members): (Vec<Value>, usize),
    frame: Option<usize>,
    each: &mut Each,
) {
    let get = ix.get.clone();
    let numbered = move |l: &mut Lower, k: PassiveCode| {
        let value = get(l, k.clone());
        Value::Tuple(vec![Value::passive(k), value])
    };
    let chain = Chain::Indexed(Indexed { get: Rc::new(numbered), integers: false, ..ix.clone() });
    l.drive(&chain, frame, &mut |l, item, mark| {
        let Value::Tuple(pair) = item else { return };
        let [Value::Passive(at), value] = &pair[..] else { return };
        let taken = [&taken[..], std::slice::from_ref(value)].concat();
        if taken.len() == members {
            return each(l, Value::Tuple(taken), mark);
        }
        let rest = Indexed { lo: arithmetic::add(&at.passive, &affine::literal(1)), ..ix.clone() };
        combinations(l, &rest, (taken, members), frame, each);
    });
}

/// How many members a tuple has, by `::<(_, _)>`.
fn members(m: &syn::ExprMethodCall) -> Option<usize> {
    match m.turbofish.as_ref()?.args.first()? {
        syn::GenericArgument::Type(syn::Type::Tuple(t)) if !t.elems.is_empty() => Some(t.elems.len()),
        _ => None,
    }
}

/// A closure over references, as one over what they lead to.
fn behind_references(by: &syn::Expr) -> syn::Expr {
    let syn::Expr::Closure(c) = strip_parens(by) else { return by.clone() };
    let tokens = c.to_token_stream();
    let names: Vec<Ident> =
        (0..c.inputs.len()).map(|k| unused(&format!("item{k}"), &tokens, c.inputs[k].span())).collect();
    let (patterns, body) = (&c.inputs, &c.body);
    let patterns = patterns.iter();
    syn::parse_quote!(|#(#names),*| { #(let #patterns = &#names;)* #body })
}
