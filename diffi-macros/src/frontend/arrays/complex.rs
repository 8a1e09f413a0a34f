//! Complex numbers of the crate `num-complex`, where the feature of this name is on.
//!
//! rustc finds the rules of their operators and methods by the operands' types, as it finds those of users' types. Only names that
//! floats have too need care: in a function that mentions complex numbers, `w.exp()` is a float's where something shows that it
//! is, and else a call.

use crate::frontend::state::context::Lower;
use crate::frontend::state::doubts::Way;
use crate::frontend::state::site::Site;
use crate::frontend::state::value::Value;
use crate::frontend::syntax::floats::is_float;
use crate::ir::*;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use syn::spanned::Spanned;

/// Methods of complex numbers that floats have, too.
const SHARED: &[&str] = &[
    "exp", "ln", "sqrt", "powi", "powf", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh",
    "acosh", "atanh", "exp2", "log2", "log10",
];

/// Methods and constructors that floats do not have.
const OWN: &[&str] =
    &["norm", "norm_sqr", "arg", "conj", "inv", "powu", "powc", "scale", "unscale", "new", "from_polar", "cis", "from"];

/// Methods whose value is real.
const REAL: &[&str] = &["norm", "norm_sqr", "arg"];

/// Whether a function mentions complex numbers: by their type, or by methods that nothing else has.
pub fn mentions_complex(tokens: TokenStream) -> bool {
    const NAMES: &[&str] = &["num_complex", "norm_sqr", "powc", "from_polar", "conj"];
    const AFTER_DOTS: &[&str] = &["im", "norm", "arg"];
    let mut after_dot = false;
    cfg!(feature = "num-complex")
        && tokens.into_iter().any(|tree| {
            let dot = matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.');
            let after_dot = std::mem::replace(&mut after_dot, dot);
            match tree {
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    let found = name.starts_with("Complex") || NAMES.contains(&name.as_str());
                    found || after_dot && AFTER_DOTS.contains(&name.as_str())
                }
                TokenTree::Group(group) => mentions_complex(group.stream()),
                _ => false,
            }
        })
}

/// What brings derivative code of complex numbers into scope.
pub fn imports() -> TokenStream {
    quote!(
        use __d::library::complex::{Constructors as _, Methods as _};
        use __d::library::of_float::{OfAny as _, OfF32 as _, OfF64 as _};
    )
}

/// The same, where a method or a constructor of complex numbers is called.
pub fn import(name: &Ident) -> Option<TokenStream> {
    (cfg!(feature = "num-complex") && is_method(&name.to_string())).then(imports)
}

/// Whether complex numbers have a method or a constructor of this name.
pub fn is_method(name: &str) -> bool {
    SHARED.iter().chain(OWN).any(|own| name == *own)
}

impl Lower {
    /// Whether operands are real for sure: numbers of which nothing tells may be complex.
    pub fn are_real(&self, args: &[Value]) -> bool {
        args.iter().all(|value| match value {
            Value::Active(a) => self.ty_of(&a.place) == Ty::Float && self.doubt(&a.place).is_none(),
            Value::Passive(p) => p.ty == Ty::Float || is_float(&p.passive),
            _ => true,
        })
    }

    /// A method that floats have too, of what may be a complex number; and `to_polar`, which is two methods.
    pub fn complex_method(&mut self, receiver: &Value, m: &syn::ExprMethodCall) -> Option<Value> {
        if self.complex && m.method == "to_polar" && m.args.is_empty() {
            let (name, span) = (self.name_for(receiver.clone()), m.span());
            return Some(self.expr(&syn::parse_quote_spanned!(span=> (#name.norm(), #name.arg()))));
        }
        let shared = self.complex && SHARED.iter().any(|name| m.method == name);
        (shared && !self.are_real(std::slice::from_ref(receiver))).then_some(())?;
        let (site, op) = (Site::at(m.span()), Op::Fn("exp"));
        match self.settled_way(&site) {
            Way::Arithmetic => None,
            Way::Rule => Some(self.annotated_method(receiver.clone(), m, false)),
            Way::Doubt => {
                self.put_in_doubt(&site, &op, std::slice::from_ref(receiver), None);
                let var = self.bind("t", m.span(), Ty::Float, Expr::Zero);
                self.fact_mut(var).doubt = Some(site);
                Some(Value::place(Place::var(var)))
            }
        }
    }

    /// What a method of complex numbers gives, if that is real.
    pub fn real_part_of_complex(&self, call: &Call) -> Option<Ty> {
        let Callee::Method(name) = &call.callee else { return None };
        (self.complex && REAL.iter().any(|real| name == real)).then_some(Ty::Float)
    }

    /// `sum()` and `product()` of complex numbers, as folds.
    pub fn complex_total(&self, op: &Op, wanted: Option<&Ty>, m: &syn::ExprMethodCall) -> Option<syn::ExprMethodCall> {
        if !self.complex || wanted != Some(&Ty::Unknown) {
            return None;
        }
        let (Base::Concrete(float) | Base::Generic(float)) = &self.base;
        let (receiver, span) = (&m.receiver, m.span());
        let complex = quote!(__d::library::complex::Complex::<#float>::new);
        Some(match op {
            Op::Add => syn::parse_quote_spanned!(span=> #receiver.fold(#complex(0.0, 0.0), |sum, item| sum + item)),
            _ => syn::parse_quote_spanned!(span=> #receiver.fold(#complex(1.0, 0.0), |product, item| product * item)),
        })
    }
}
