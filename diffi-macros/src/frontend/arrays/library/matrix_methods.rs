//! Methods of `nalgebra`'s matrices that are written by others, as its own documentation or code has them.

use crate::frontend::arrays::library::operation;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::Ident;
use quote::quote;
use syn::spanned::Spanned;

/// Methods whose value is a vector or a matrix, with the number of their arguments.
const MATRICES: &[(&str, usize)] = &[
    ("zip_map", 2),
    ("zip_zip_map", 3),
    ("map_with_location", 1),
    ("component_mul", 1),
    ("component_div", 1),
    ("add_scalar", 1),
    ("scale", 1),
    ("unscale", 1),
    ("inf", 1),
    ("sup", 1),
    ("row_mean", 0),
    ("column_mean", 0),
    ("tr_mul", 1),
    ("ad_mul", 1),
    ("kronecker", 1),
    ("lower_triangle", 0),
    ("upper_triangle", 0),
    ("cap_magnitude", 1),
    ("lerp", 2),
    ("solve_lower_triangular", 1),
    ("solve_upper_triangular", 1),
    ("tr_solve_lower_triangular", 1),
    ("tr_solve_upper_triangular", 1),
];

/// Methods whose value is a number, or nothing.
const OTHERS: &[(&str, usize)] = &[
    ("max", 0),
    ("min", 0),
    ("amax", 0),
    ("amin", 0),
    ("variance", 0),
    ("lp_norm", 1),
    ("metric_distance", 1),
    ("tr_dot", 1),
    ("perp", 1),
    ("zip_fold", 3),
    ("try_normalize", 1),
    ("normalize_mut", 0),
    ("apply", 1),
    ("zip_apply", 2),
    ("add_scalar_mut", 1),
    ("scale_mut", 1),
    ("unscale_mut", 1),
    ("component_mul_assign", 1),
    ("component_div_assign", 1),
    ("set_row", 2),
    ("set_column", 2),
    ("fill_row", 2),
    ("fill_column", 2),
    ("set_diagonal", 1),
    ("fill_diagonal", 1),
    ("swap_rows", 2),
    ("swap_columns", 2),
    ("axpy", 3),
    ("gemm", 4),
    ("gemv", 4),
    ("ger", 4),
];

/// Whether a method of this name gives a vector or a matrix.
pub fn gives_matrix(name: &str) -> bool {
    const FIXED: &[&str] = &["xy", "xz", "yz", "xyz", "cross_matrix"];
    FIXED.contains(&name) || MATRICES.iter().any(|(known, _)| name == *known)
}

impl Lower {
    /// A method of a vector or a matrix by what it is short for.
    pub fn method_of_matrix(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        let known = MATRICES.iter().chain(OTHERS).any(|(name, args)| m.method == name && m.args.len() == *args);
        if !(known && cfg!(feature = "nalgebra") && self.library && self.guess(&m.receiver) == Ty::Library) {
            return None;
        }
        let scope = self.scope.clone();
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        if let (syn::Expr::MethodCall(_), Some(named)) = (strip_parens(&m.receiver), part_named(m, &args)) {
            return Some(self.expr(&named));
        }
        let value = match m.method.to_string().as_str() {
            "component_mul" => self.of_two("ComponentMul", m),
            "component_div" => self.of_two("ComponentDiv", m),
            "kronecker" => self.of_two("Kronecker", m),
            "zip_map" | "zip_zip_map" | "map_with_location" => self.zipped_matrix(m)?,
            _ => {
                let (Base::Concrete(float) | Base::Generic(float)) = &self.base;
                let found = number(m, &args, float).or_else(|| matrix(m, &args, float)).or_else(|| change(m, &args));
                self.expr(&found?)
            }
        };
        self.scope = scope;
        Some(value)
    }

    /// An operation of two matrices.
    fn of_two(&mut self, op: &str, m: &syn::ExprMethodCall) -> Value {
        let op = PassiveCode { span: m.span(), ..PassiveCode::literal(operation(op, m.span())) };
        let (a, b) = (self.expr(&m.receiver).dereferenced_fully(), self.expr(&m.args[0]).dereferenced_fully());
        self.rule(op, &[a, b], Ty::Library, "product", m.span())
    }

    /// A function of each element, and of what lies beside it or where it lies.
    fn zipped_matrix(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        let (span, args) = (m.span(), m.args.iter().collect::<Vec<_>>());
        let receiver = self.expr(&m.receiver).dereferenced_fully();
        let a = self.name_for(receiver.clone());
        let chain: syn::Expr = match &args[..] {
            [b, f] => syn::parse_quote_spanned!(span=> #a.iter().zip((#b).iter()).map(|(__a, __b)| (#f)(*__a, *__b))),
            [b, c, f] => syn::parse_quote_spanned! {span=>
                #a.iter().zip((#b).iter()).zip((#c).iter()).map(|((__a, __b), __c)| (#f)(*__a, *__b, *__c))
            },
            [f] => syn::parse_quote_spanned! {span=>
                #a.iter().enumerate().map(|(__k, __a)| (#f)(__k % #a.nrows(), __k / #a.nrows(), *__a))
            },
            _ => return None,
        };
        let chain = self.chain(&chain)?;
        let shape = self.shape_of(&receiver, None, span);
        Some(self.gathered_array(chain, shape, span))
    }
}

/// A method whose value is a number.
fn number(m: &syn::ExprMethodCall, args: &[&syn::Expr], float: &Ident) -> Option<syn::Expr> {
    let (a, span) = (&m.receiver, m.span());
    Some(match (m.method.to_string().as_str(), args) {
        ("max", []) => syn::parse_quote_spanned!(span=> #a.iter().copied().reduce(|__p, __q| __p.max(__q)).unwrap()),
        ("min", []) => syn::parse_quote_spanned!(span=> #a.iter().copied().reduce(|__p, __q| __p.min(__q)).unwrap()),
        ("amax", []) => {
            syn::parse_quote_spanned!(span=> #a.iter().map(|__v| __v.abs()).reduce(|__p, __q| __p.max(__q)).unwrap())
        }
        ("amin", []) => {
            syn::parse_quote_spanned!(span=> #a.iter().map(|__v| __v.abs()).reduce(|__p, __q| __p.min(__q)).unwrap())
        }
        ("variance", []) => syn::parse_quote_spanned! {span=> {
            let __all = #a.clone_owned();
            let __mean = __all.mean();
            __all.map(|__v| (__v - __mean) * (__v - __mean)).mean()
        }},
        ("lp_norm", [p]) => syn::parse_quote_spanned! {span=> {
            let __p = #p;
            #a.iter().map(|__v| __v.abs().powi(__p)).sum().powf(1.0 / (__p as #float))
        }},
        ("metric_distance", [b]) => syn::parse_quote_spanned!(span=> (&#a - #b).norm()),
        ("tr_dot", [b]) => syn::parse_quote_spanned!(span=> #a.transpose().dot(#b)),
        ("perp", [b]) => syn::parse_quote_spanned! {span=> {
            let (__a, __b) = (&#a, #b);
            __a[0] * __b[1] - __a[1] * __b[0]
        }},
        ("zip_fold", [b, start, f]) => {
            syn::parse_quote_spanned!(span=> #a.iter().zip((#b).iter()).fold(#start, |__s, (__a, __b)| (#f)(__s, *__a, *__b)))
        }
        _ => return None,
    })
}

/// A method whose value is a vector or a matrix.
fn matrix(m: &syn::ExprMethodCall, args: &[&syn::Expr], float: &Ident) -> Option<syn::Expr> {
    let (a, span) = (&m.receiver, m.span());
    Some(match (m.method.to_string().as_str(), args) {
        ("add_scalar", [by]) => syn::parse_quote_spanned!(span=> { let __by = #by; #a.map(|__v| __v + __by) }),
        ("scale", [by]) => syn::parse_quote_spanned!(span=> (&#a * #by)),
        ("unscale", [by]) => syn::parse_quote_spanned!(span=> (&#a / #by)),
        ("inf", [b]) => syn::parse_quote_spanned!(span=> #a.zip_map(#b, |__p, __q| __p.min(__q))),
        ("sup", [b]) => syn::parse_quote_spanned!(span=> #a.zip_map(#b, |__p, __q| __p.max(__q))),
        ("row_mean", []) => {
            syn::parse_quote_spanned!(span=> { let __a = &#a; __a.row_sum() / (__a.nrows() as #float) })
        }
        ("column_mean", []) => {
            syn::parse_quote_spanned!(span=> { let __a = &#a; __a.column_sum() / (__a.ncols() as #float) })
        }
        ("tr_mul" | "ad_mul", [b]) => syn::parse_quote_spanned!(span=> (#a.transpose() * #b)),
        ("lower_triangle", []) => syn::parse_quote_spanned!(span=> #a.tril(0)),
        ("upper_triangle", []) => syn::parse_quote_spanned!(span=> #a.triu(0)),
        ("lerp", [b, t]) => syn::parse_quote_spanned!(span=> { let __t = #t; &#a * (1.0 - __t) + #b * __t }),
        ("cap_magnitude", [most]) => syn::parse_quote_spanned! {span=> {
            let (__a, __most) = (&#a, #most);
            let __norm = __a.norm();
            if __norm > __most { __a * (__most / __norm) } else { __a.clone_owned() }
        }},
        ("try_normalize", [least]) => syn::parse_quote_spanned! {span=> {
            let __a = &#a;
            let __norm = __a.norm();
            (!(__norm <= #least)).then(|| __a / __norm)
        }},
        (name, [b]) if name.contains("triangular") => substitution(name, a, b)?,
        _ => return None,
    })
}

/// Forward or backward substitution, column by column of what is on the right.
fn substitution(name: &str, a: &syn::Expr, b: &syn::Expr) -> Option<syn::Expr> {
    let transposed = name.starts_with("tr_");
    let forward = name.contains("lower") != transposed;
    let element = |i: syn::Expr, j: syn::Expr| match transposed {
        true => quote!(__a[(#j, #i)]),
        false => quote!(__a[(#i, #j)]),
    };
    let factor = element(syn::parse_quote!(__i), syn::parse_quote!(__j));
    let (rows, before) = match forward {
        true => (quote!(0..__n), quote!(0..__i)),
        false => (quote!((0..__n).rev()), quote!(__i + 1..__n)),
    };
    Some(syn::parse_quote_spanned! {a.span()=> {
        let (__a, mut __x) = (&#a, (#b).clone_owned());
        let __n = __a.nrows();
        for __k in 0..__x.ncols() {
            for __i in #rows {
                let mut __sum = __x[(__i, __k)];
                for __j in #before {
                    __sum -= #factor * __x[(__j, __k)];
                }
                __x[(__i, __k)] = __sum / __a[(__i, __i)];
            }
        }
        __x
    }})
}

/// A method that changes the matrix.
fn change(m: &syn::ExprMethodCall, args: &[&syn::Expr]) -> Option<syn::Expr> {
    let (a, span) = (&m.receiver, m.span());
    Some(match (m.method.to_string().as_str(), args) {
        ("normalize_mut", []) => syn::parse_quote_spanned!(span=> { let __norm = #a.norm(); #a /= __norm; __norm }),
        ("apply", [f]) => syn::parse_quote_spanned!(span=> #a.iter_mut().for_each(#f)),
        ("zip_apply", [b, f]) => {
            syn::parse_quote_spanned!(span=> #a.iter_mut().zip((#b).iter()).for_each(|(__a, __b)| (#f)(__a, *__b)))
        }
        ("add_scalar_mut", [by]) => syn::parse_quote_spanned!(span=> #a = #a.add_scalar(#by)),
        ("scale_mut", [by]) => syn::parse_quote_spanned!(span=> #a *= #by),
        ("unscale_mut", [by]) => syn::parse_quote_spanned!(span=> #a /= #by),
        ("component_mul_assign", [b]) => syn::parse_quote_spanned!(span=> #a = #a.component_mul(#b)),
        ("component_div_assign", [b]) => syn::parse_quote_spanned!(span=> #a = #a.component_div(#b)),
        ("set_row", [i, row]) => syn::parse_quote_spanned!(span=> #a.row_mut(#i).copy_from(#row)),
        ("set_column", [j, column]) => syn::parse_quote_spanned!(span=> #a.column_mut(#j).copy_from(#column)),
        ("fill_row", [i, by]) => syn::parse_quote_spanned!(span=> #a.row_mut(#i).fill(#by)),
        ("fill_column", [j, by]) => syn::parse_quote_spanned!(span=> #a.column_mut(#j).fill(#by)),
        ("set_diagonal", [diagonal]) => syn::parse_quote_spanned! {span=> {
            let __diagonal = #diagonal;
            for __k in 0..__diagonal.len() {
                #a[(__k, __k)] = __diagonal[__k];
            }
        }},
        ("fill_diagonal", [by]) => syn::parse_quote_spanned! {span=> {
            let __by = #by;
            for __k in 0..#a.nrows().min(#a.ncols()) {
                #a[(__k, __k)] = __by;
            }
        }},
        ("swap_rows" | "swap_columns", [i, j]) => exchange(m, i, j),
        _ => return product(m, args),
    })
}

/// A change of a part that has no name, `m.fixed_view_mut::<2, 2>(0, 0).fill_diagonal(1.0)`: it gets one.
fn part_named(m: &syn::ExprMethodCall, args: &[&syn::Expr]) -> Option<syn::Expr> {
    let (part, method, args, span) = (&m.receiver, &m.method, (change(m, args).map(|_| args))?, m.span());
    Some(match m.method == "normalize_mut" {
        true => syn::parse_quote_spanned! {span=> {
            let mut __part = #part;
            let __norm = __part.normalize_mut();
            __norm
        }},
        false => syn::parse_quote_spanned! {span=> {
            let mut __part = #part;
            __part.#method(#(#args),*);
        }},
    })
}

/// Two rows or two columns in each other's place.
fn exchange(m: &syn::ExprMethodCall, i: &syn::Expr, j: &syn::Expr) -> syn::Expr {
    let (a, span) = (&m.receiver, m.span());
    let [part, part_mut] = match m.method == "swap_rows" {
        true => ["row", "row_mut"],
        false => ["column", "column_mut"],
    }
    .map(|name| Ident::new(name, span));
    syn::parse_quote_spanned! {span=> {
        let (__i, __j) = (#i, #j);
        let __first = #a.#part(__i).clone_owned();
        let __second = #a.#part(__j).clone_owned();
        #a.#part_mut(__i).copy_from(&__second);
        #a.#part_mut(__j).copy_from(&__first);
    }}
}

/// `y.axpy(a, &x, b)`, which is `y = a x + b y`, and its kind. What is there is not read where its factor is written as zero.
fn product(m: &syn::ExprMethodCall, args: &[&syn::Expr]) -> Option<syn::Expr> {
    let (onto, span) = (&m.receiver, m.span());
    let (by, term, keep): (&syn::Expr, syn::Expr, &syn::Expr) = match (m.method.to_string().as_str(), args) {
        ("axpy", [by, x, keep]) => (by, (*x).clone(), keep),
        ("gemm" | "gemv", [by, x, y, keep]) => (by, syn::parse_quote_spanned!(span=> ((#x) * (#y))), keep),
        ("ger", [by, x, y, keep]) => (by, syn::parse_quote_spanned!(span=> ((#x) * (#y).transpose())), keep),
        _ => return None,
    };
    Some(match is_zero(keep) {
        true => syn::parse_quote_spanned!(span=> #onto.copy_from(&((#term) * (#by)))),
        false => syn::parse_quote_spanned! {span=> {
            let __term = (#term) * (#by);
            #onto *= #keep;
            #onto += &__term;
        }},
    })
}

fn is_zero(e: &syn::Expr) -> bool {
    let syn::Expr::Lit(lit) = strip_parens(e) else { return false };
    matches!(&lit.lit, syn::Lit::Float(f) if f.base10_parse::<f64>().is_ok_and(|v| v == 0.0))
}
