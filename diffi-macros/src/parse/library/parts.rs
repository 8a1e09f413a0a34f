//! Parts of arrays: copies, written back where they are changed.

use super::{WriteBack, library, operation};
use crate::desugar::iterators::Chain;
use crate::ir::*;
use crate::parse::context::{Lower, gathered};
use crate::parse::value::{Refs, Value};
use proc_macro2::Span;
use quote::quote;
use syn::spanned::Spanned;

impl Lower {
    /// Writes the copies back that were made since there were so many.
    pub fn write_back(&mut self, since: usize) {
        while self.write_backs.len() > since {
            let Some(WriteBack { array, part, copy, span }) = self.write_backs.pop() else { return };
            let (set, tokens) = (operation("Set", span), &part.tokens);
            let op = Opaque { tokens: quote!(#set(#tokens)), ..part.clone() };
            let value = Value::place(Place::var(copy));
            self.change_by(op, &array, &value, span);
        }
    }

    /// A name for a part would have to be written back later.
    pub fn refuse_kept_parts(&mut self, since: usize, span: Span) {
        if self.write_backs.len() > since {
            self.write_backs.truncate(since);
            self.errors.unsupported(
                span,
                "a name for a part of an array that is written to",
                "write to the part in the statement that names it, or in a loop over the parts",
            );
        }
    }

    /// A copy of a part, to be written back.
    pub(super) fn part_mut(&mut self, array: Place, op: Opaque, ty: Ty, span: Span) -> Value {
        let array = match self.settled(Value::place(array)) {
            Value::Active(a) => a.place,
            _ => return Value::Poison,
        };
        let part = self.rule(op.clone(), &[Value::place(array.clone())], ty, "part", span);
        let Value::Active(a) = &part else { return Value::Poison };
        let copy = a.place.root;
        self.fact_mut(copy).changes = true;
        self.info_mut(copy).changes = true;
        self.jumps.claimed.insert(copy);
        self.write_backs.push(WriteBack { array, part: op, copy, span });
        part.behind(Refs::EXCLUSIVE)
    }

    /// The elements of an array as a vector, in logical order; any other value as it is.
    pub fn as_sequence(&mut self, value: Value, span: Span) -> Value {
        let (library, refs) = match &value {
            Value::Active(a) => {
                let ty = self.ty_of(&a.place);
                (ty == Ty::Library || self.library && ty == Ty::Opaque, a.refs)
            }
            _ => (false, Refs::default()),
        };
        if !library {
            return value;
        }
        let (ty, op) = (Ty::Vec(Box::new(Ty::Float)), Opaque::literal(operation("Flat", span)));
        match (refs.exclusive, value) {
            (true, Value::Active(a)) => self.part_mut(a.place, op, ty, span),
            (_, value) => self.rule(op, &[value], ty, "flat", span).behind(refs),
        }
    }

    /// The parts of an array, as copies.
    pub fn parts_of(&mut self, array: Value, m: &syn::ExprMethodCall) -> Option<Chain> {
        let (span, name) = (m.span(), m.method.to_string());
        let exclusive = name.ends_with("_mut");
        let place = match self.settled(array) {
            Value::Active(a) => a.place,
            Value::Passive(p) => match p.root.filter(|_| exclusive) {
                Some(root) => {
                    self.activate(root, span);
                    return None;
                }
                None => {
                    let whole = self.opaque(&syn::Expr::MethodCall(m.clone()));
                    return self.chain_of_value(Value::passive(whole), span);
                }
            },
            _ => return None,
        };
        let axis = match m.args.first() {
            Some(axis) => self.parameter(axis),
            None if name.starts_with("column") => Opaque::literal(quote!(__d::library::Axis(1))),
            None => Opaque::literal(quote!(__d::library::Axis(0))),
        };
        let array = self.show_place(&place, Refs::SHARED);
        let (a, of) = (&array.tokens, &axis.tokens);
        let count = library(if name == "lanes" { "lanes" } else { "length" }, span);
        let mut len = gathered(quote!(#count(#a, #of)), [&array, &axis].into_iter(), span);
        len.reads.remove(&place.root);
        len.shapes.insert(place.root);
        let len = self.hold("n", len);
        let op = match name.as_str() {
            "lanes" => "Lane",
            "rows" | "rows_mut" | "row_iter" => "Row",
            "columns" | "columns_mut" | "column_iter" => "Column",
            _ => "At",
        };
        let whole = matches!(op, "Lane" | "At");
        Some(Chain::counted(len, move |l, k| {
            let (op, k_tokens, of) = (operation(op, span), &k.tokens, &axis.tokens);
            let tokens = if whole { quote!(#op(#of, #k_tokens)) } else { quote!(#op(#k_tokens)) };
            let op = gathered(tokens, [&axis, &k].into_iter(), span);
            match exclusive {
                true => l.part_mut(place.clone(), op, Ty::Library, span),
                false => l.rule(op, &[Value::place(place.clone())], Ty::Library, "part", span).behind(Refs::SHARED),
            }
        }))
    }
}
