//! Functions of the crates `libm` and `num-traits` by their paths, `libm::pow(x, y)`: lines of the derivative table by other names.
//!
//! rustc confirms that the path leads into the crate of that name.

use crate::frontend::lower::calls::last_name;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::ir::*;
use crate::support::names;
use proc_macro2::{Ident, Span};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

/// The functions of `libm` that have another name than in std. Those of single precision end in `f`.
const RENAMED: &[(&str, &str)] = &[
    ("expm1", "exp_m1"),
    ("fabs", "abs"),
    ("fma", "mul_add"),
    ("fmax", "max"),
    ("fmin", "min"),
    ("fmod", "rem"),
    ("log", "ln"),
    ("log1p", "ln_1p"),
    ("pow", "powf"),
    ("rint", "round_ties_even"),
    ("roundeven", "round_ties_even"),
    ("sincos", "sin_cos"),
];

/// The functions of `num-traits`.
const OF_NUM_TRAITS: &[&str] = &["abs", "clamp", "pow", "signum"];

impl Lower {
    /// A function of one of these crates, applied to active values.
    pub fn crate_function(&mut self, path: &syn::ExprPath, args: &[Value], span: Span) -> Option<Value> {
        let of = crate_of(path)?;
        let args: Vec<Value> = args.iter().map(|a| a.clone().dereferenced_fully()).collect();
        let name = last_name(path);
        let value = match of {
            "libm" => self.libm_function(path, &name, &args, span),
            _ if !OF_NUM_TRAITS.contains(&name.as_str()) => return None,
            _ => match (name.as_str(), &args[..]) {
                ("pow", [x, n]) => {
                    let n = self.show(n, span).map(|n| quote!((#n) as i32));
                    Some(self.operation(Op::Fn("powi"), &[x.clone(), Value::passive(n)], span))
                }
                _ => self.scalar_method(&name, &args, span),
            },
        };
        match value {
            Some(value) => {
                self.only_of_crate(path, of);
                Some(value)
            }
            None => Some(self.refuse(
                path.span(),
                &format!("`{of}::{name}`"),
                "call it in a function with `#[differentiable(pushforward = .., pullback = ..)]`",
            )),
        }
    }

    fn libm_function(&mut self, path: &syn::ExprPath, name: &str, args: &[Value], span: Span) -> Option<Value> {
        let plain = in_std(name, args.len())?;
        match (plain, args) {
            ("rem", _) => Some(self.operation(Op::Fn("rem"), args, span)),
            ("exp10", [_]) => {
                let ten = Value::passive(PassiveCode::literal(quote!(10.0)));
                Some(self.operation(Op::Fn("powf"), &[ten, args[0].clone()], span))
            }
            ("fdim", [a, b]) => {
                let difference = self.operation(Op::Sub, &[a.clone(), b.clone()], span);
                let zero = Value::passive(PassiveCode::literal(quote!(0.0)));
                Some(self.operation(Op::Fn("max"), &[difference, zero], span))
            }
            ("ldexp" | "scalbn", [x, n]) => {
                let factor = self.show(n, span).map(|n| quote!(#path(1.0, #n)));
                Some(self.operation(Op::Mul, &[x.clone(), Value::passive(factor)], span))
            }
            _ => self.scalar_method(plain, args, span),
        }
    }

    /// Compiles only if the path leads into the crate of this name.
    fn only_of_crate(&mut self, path: &syn::ExprPath, of: &str) {
        let (of, name) = (Ident::new(of, path.span()), &path.path.segments[1].ident);
        let span = path.span();
        let generic = (of == "num_traits").then(|| quote!(::<f64>));
        self.only_of_std(path, &quote_spanned!(span=> ::#of::#name #generic));
    }
}

/// `libm` of `libm::sqrt`.
fn crate_of(path: &syn::ExprPath) -> Option<&'static str> {
    let segments = &path.path.segments;
    let crates = ["libm", "num_traits"];
    (path.qself.is_none() && segments.len() == 2)
        .then(|| crates.into_iter().find(|of| segments[0].ident == *of))
        .flatten()
}

/// The name in std of a function of `libm`, or its own where it is written by others.
fn in_std(name: &str, args: usize) -> Option<&str> {
    let known = |name: &str| {
        let plain = RENAMED.iter().find(|(of_libm, _)| *of_libm == name).map(|(_, plain)| *plain);
        let composed =
            [("exp10", 1), ("fdim", 2), ("ldexp", 2), ("scalbn", 2)].iter().find(|own| **own == (name, args));
        let shared = || names::scalar(name, args.saturating_sub(1)).filter(|_| !OF_STD_ALONE.contains(&name));
        plain.or(composed.map(|(name, _)| *name)).or_else(shared)
    };
    known(name).or_else(|| known(name.strip_suffix('f')?))
}

/// Lines of the table whose names mean nothing in `libm`, or something else.
const OF_STD_ALONE: &[&str] = &[
    "recip",
    "powi",
    "powf",
    "mul_add",
    "exp_m1",
    "ln",
    "ln_1p",
    "to_degrees",
    "to_radians",
    "abs",
    "max",
    "min",
    "clamp",
    "midpoint",
    "fract",
    "rem_euclid",
    "div_euclid",
    "round_ties_even",
    "signum",
];

#[cfg(test)]
mod tests {
    use super::{RENAMED, in_std};
    use crate::support::names;

    #[test]
    fn functions_of_libm_lead_to_lines_of_the_table() {
        for (name, plain) in RENAMED {
            assert!((0..3).any(|extra| names::is_scalar(plain, extra)), "{name}");
            assert_eq!(in_std(&format!("{name}f"), 1), Some(*plain));
        }
        assert_eq!(in_std("powf", 2), Some("powf"));
        assert_eq!(in_std("sqrtf", 1), Some("sqrt"));
        assert_eq!(in_std("erf", 1), names::scalar("erf", 0));
        assert_eq!(in_std("recip", 1), None);
    }
}
