//! Methods of sequences that give several references to parts of them: `as_chunks`, `as_flattened`, `each_ref`, `get_disjoint_mut`.
//!
//! A list of references is a chain that is indexed as a slice or an array is: see [`Form`].

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Failure, Form, Indexed, Maybe, Refs, Value, over};
use crate::frontend::syntax::types;
use crate::frontend::syntax::unused::unused;
use crate::frontend::syntax::writes::lends_mut;
use crate::ir::affine::{self, arithmetic, gathered};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::spanned::Spanned;

/// A part that is asked for: an index, or a range.
struct Asked {
    lo: PassiveCode,
    /// The end of a range.
    hi: Option<PassiveCode>,
}

impl Lower {
    /// Methods that give references to several parts, as far as the parts are told by the call.
    pub fn views_by_method(&mut self, value: Value, m: &syn::ExprMethodCall, refs: Refs) -> Option<Value> {
        let (name, span) = (m.method.to_string(), m.span());
        let known = matches!(
            (name.as_str(), m.args.len()),
            ("as_chunks" | "as_chunks_mut" | "as_rchunks" | "as_rchunks_mut", 0)
                | ("as_flattened" | "as_flattened_mut" | "each_ref" | "each_mut", 0)
                | ("get_disjoint_mut", 1)
        );
        let ty = self.value_ty(&value);
        let array = !name.starts_with("each") || matches!(ty, Ty::Array(_) | Ty::Unknown);
        if !known || !array || !matches!(value, Value::Active(_)) || !types::is_sequence(&ty) && ty != Ty::Unknown {
            return None;
        }
        self.only_of_std_types(&value, &name, span);
        let value = self.settled(value);
        match name.as_str() {
            "each_ref" | "each_mut" => {
                let each = self.elements_of(value.behind(refs), refs, span);
                Some(in_form(each, Form::Array))
            }
            "as_flattened" | "as_flattened_mut" => Some(self.flattened(value, refs, span)),
            "get_disjoint_mut" => self.disjoint_parts(value, &m.args[0], span),
            "as_chunks" | "as_chunks_mut" => {
                let width = self.chunk_size(m)?;
                let chunks = self.exact_chunks(value, width, refs, span);
                let rest = match &chunks {
                    Chain::Indexed(Indexed { rest: Some(rest), .. }) => Rc::clone(rest)(self),
                    _ => return None,
                };
                Some(Value::Tuple(vec![in_form(chunks, Form::Slice), self.settled(rest)]))
            }
            _ => {
                let width = self.chunk_size(m)?;
                Some(self.chunks_to_the_end(value, width, refs, span))
            }
        }
    }

    /// What parts of one length, up to the end, leave over, and the parts from the first to the last.
    fn chunks_to_the_end(&mut self, value: Value, width: PassiveCode, refs: Refs, span: Span) -> Value {
        let len = self.length(&value, span);
        let (n, w) = (&len.tokens, &width.tokens);
        let start = self.hold("rest", over(quote!(#n % #w), &[&len, &width]));
        let rest = self.slice_of(value.clone(), None, Some(start.clone()), span).behind(refs);
        let tail = self.slice_of(value, Some(start), None, span);
        let chunks = self.exact_chunks(tail, width, refs, span);
        Value::Tuple(vec![rest, in_form(chunks, Form::Slice)])
    }

    /// The elements of the rows, one row after the other: all rows are arrays of one length.
    fn flattened(&mut self, rows: Value, refs: Refs, span: Span) -> Value {
        let count = self.length(&rows, span);
        let mut whole = self.show(&rows.clone().dereferenced_fully(), span);
        if let Value::Active(a) = &rows {
            whole.reads.remove(&a.place.root);
            whole.shapes.insert(a.place.root);
        }
        let ask = whole.clone().map(|rows| quote!(if false { let _ = <[_]>::as_flattened(&#rows[..]); }));
        self.emit(Stmt::Effect { tokens: ask, writes: Default::default() });
        let (all, count) = (&whole.tokens, self.atom("n", count));
        let width = whole.clone().map(|_| quote!(#all.first().map_or(1, |row| row.len())));
        let width = self.hold("width", width);
        let (n, w) = (&count.tokens, &width.tokens);
        let len = self.hold("len", over(quote!(#n * #w), &[&count, &width]));
        let flat = Chain::counted(len, move |l, k| {
            let (at, w) = (&k.tokens, &width.tokens);
            let row = l.hold("row", over(quote!((#at) / #w), &[&k, &width]));
            let column = l.hold("column", over(quote!((#at) % #w), &[&k, &width]));
            let row = l.element_of(rows.clone(), row, span);
            l.element_of(row, column, span).behind(refs)
        });
        in_form(flat, Form::Slice)
    }

    /// `v.get_disjoint_mut([i, j])`, of indices or ranges that are written out.
    fn disjoint_parts(&mut self, value: Value, asked: &syn::Expr, span: Span) -> Option<Value> {
        let syn::Expr::Array(all) = strip_parens(asked) else { return None };
        let asked: Vec<Asked> = all.elems.iter().map(|at| self.asked_part(at)).collect();
        let len = self.length(&value, span);
        let n = self.atom("n", len);
        let reads = || asked.iter().flat_map(|a| [&a.lo].into_iter().chain(&a.hi)).chain([&n]);
        let fails: Vec<(TokenStream, TokenStream)> =
            (0..asked.len()).map(|k| (is_inside(&asked[k], &n), is_apart(&asked[k], &asked[..k]))).collect();
        let (inside, apart) = (fails.iter().map(|f| &f.0), fails.iter().map(|f| &f.1));
        let present = gathered(quote!(true #(&& #inside)* #(&& #apart)*), reads(), span);
        let present = self.hold("are_apart", present);
        let mistake = quote!(::core::slice::GetDisjointMutError);
        let error = fails.iter().rfold(quote!(#mistake::OverlappingIndices), |rest, (inside, apart)| {
            quote!(if !(#inside) { #mistake::IndexOutOfBounds } else if !(#apart) { #mistake::OverlappingIndices } else { #rest })
        });
        let error = Failure::Is(gathered(error, reads(), span));
        let parts = move |l: &mut Lower| {
            let part = |a: &Asked, l: &mut Lower| match &a.hi {
                Some(hi) => l.slice_of(value.clone(), Some(a.lo.clone()), Some(hi.clone()), span),
                None => l.element_of(value.clone(), a.lo.clone(), span),
            };
            Value::Tuple(asked.iter().map(|a| part(a, l).behind(Refs::EXCLUSIVE)).collect())
        };
        Some(Value::Maybe(Maybe::new(present, parts).or_fails(Some(error))))
    }

    /// A method of a list of references that iterators do not have, or not so.
    pub fn method_of_views(&mut self, views: &Rc<Chain>, m: &syn::ExprMethodCall) -> Option<Value> {
        let (whole, span) = (Value::Chain(views.clone()), m.span());
        let refs = Refs { depth: 1, exclusive: lends_mut(&m.method.to_string()) };
        match (m.method.to_string().as_str(), m.args.first()) {
            ("map", Some(f)) if views.form() == Form::Array => {
                let array = self.array_behind(&whole, span);
                Some(self.map_array(whole, array.as_ref(), f, span))
            }
            ("first" | "first_mut", None) => Some(self.view_if_there(whole, affine::literal(0), refs, span)),
            ("get" | "get_mut", Some(at)) if !matches!(strip_parens(at), syn::Expr::Range(_)) => {
                let at = self.integer(at);
                let at = self.frozen("i", at);
                Some(self.view_if_there(whole, at, refs, span))
            }
            ("split_at" | "split_at_mut", Some(at)) => {
                let at = self.integer(at);
                let at = self.frozen("k", at);
                let head = self.slice_of(whole.clone(), None, Some(at.clone()), span);
                Some(Value::Tuple(vec![head, self.slice_of(whole, Some(at), None, span)]))
            }
            ("to_vec" | "to_owned" | "clone", None) if views.form() == Form::Slice => {
                let scope = self.scope.clone();
                let name = unused("views", &m.to_token_stream(), span);
                self.scope.bind(&name, whole);
                let copy = self.expr(&syn::parse_quote_spanned!(span=> #name.iter().cloned().collect::<Vec<_>>()));
                self.scope = scope;
                Some(copy)
            }
            _ => None,
        }
    }

    /// `views.get(at)`.
    fn view_if_there(&mut self, views: Value, at: PassiveCode, refs: Refs, span: Span) -> Value {
        let len = self.length(&views, span);
        let (i, n) = (&at.tokens, &len.tokens);
        let present = over(quote!(#i < #n), &[&at, &len]);
        Value::Maybe(Maybe::new(present, move |l| l.element_of(views.clone(), at.clone(), span).behind(refs)))
    }

    /// The array to whose elements an array of references leads.
    fn array_behind(&mut self, references: &Value, span: Span) -> Option<Value> {
        let (_, first) = self.inside(|l| l.element_of(references.clone(), affine::literal(0), span));
        let Value::Active(mut first) = first else { return None };
        matches!(first.place.path.pop(), Some(Proj::Index(_))).then(|| Value::place(first.place))
    }

    fn asked_part(&mut self, at: &syn::Expr) -> Asked {
        let mut integer = |e: &syn::Expr| {
            let at = self.integer(e);
            self.frozen("i", at)
        };
        match strip_parens(at) {
            syn::Expr::Range(r) => {
                let lo = r.start.as_ref().map_or_else(|| affine::literal(0), |e| integer(e));
                let hi = r.end.as_ref().map_or_else(|| affine::literal(0), |e| integer(e));
                match r.limits {
                    syn::RangeLimits::Closed(_) => Asked { lo, hi: Some(arithmetic::add(&hi, &affine::literal(1))) },
                    syn::RangeLimits::HalfOpen(_) => Asked { lo, hi: Some(hi) },
                }
            }
            at => Asked { lo: integer(at), hi: None },
        }
    }
}

/// A list of references as a value.
fn in_form(references: Chain, form: Form) -> Value {
    match references {
        Chain::Indexed(ix) => Value::Chain(Rc::new(Chain::Indexed(Indexed { form, ..ix }))),
        stream => Value::Chain(Rc::new(stream)),
    }
}

/// Whether a part is one of so many elements.
fn is_inside(part: &Asked, len: &PassiveCode) -> TokenStream {
    let (lo, n) = (&part.lo.tokens, &len.tokens);
    match &part.hi {
        Some(hi) => {
            let hi = &hi.tokens;
            quote!((#lo) <= (#hi) && (#hi) <= #n)
        }
        None => quote!((#lo) < #n),
    }
}

/// Whether a part has no element of others.
fn is_apart(part: &Asked, others: &[Asked]) -> TokenStream {
    let apart = others.iter().map(|other| {
        let (a, b) = (&part.lo.tokens, &other.lo.tokens);
        match (&part.hi, &other.hi) {
            (Some(end), Some(other_end)) => {
                let (end, other_end) = (&end.tokens, &other_end.tokens);
                quote!(!((#a) < (#other_end) && (#b) < (#end)))
            }
            _ => quote!((#a) != (#b)),
        }
    });
    quote!((true #(&& #apart)*))
}
