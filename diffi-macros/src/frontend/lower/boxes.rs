//! Boxes of active values, and what they hold.

use crate::frontend::state::context::{Lower, Origin};
use crate::frontend::state::value::{Active, Value};
use crate::ir::*;
use proc_macro2::{Ident, Span};

impl Lower {
    /// `Box::new(value)`.
    pub fn boxed(&mut self, value: &syn::Expr, span: Span) -> Value {
        let inner = self.active_value(value);
        let inner = self.component(&inner.dereferenced_fully(), span);
        let var = self.bind("boxed", span, Ty::Unknown, Expr::Boxed(inner));
        self.fact_mut(var).origin = Origin::Boxed;
        Value::place(Place::var(var))
    }

    /// `*value`.
    pub fn pointee(&self, value: Value) -> Value {
        match value {
            Value::Active(a) if a.refs.depth == 0 && self.is_box(&a.place) => Value::place(content(a.place)),
            value => value.dereferenced(),
        }
    }

    /// The receiver of a method: where it is a `Box`, rustc looks into that.
    pub fn receiver_of(&self, value: Value, method: &Ident) -> Value {
        match value {
            Value::Active(a) if method != "clone" && self.is_box(&a.place) => {
                Value::Active(Active { place: content(a.place), ..a })
            }
            value => value,
        }
    }

    /// Whether it is a `Box` as a whole.
    pub fn is_box(&self, place: &Place) -> bool {
        place.path.is_empty() && self.fact(place.root).is_boxed()
    }
}

fn content(mut boxed: Place) -> Place {
    boxed.path.push(Proj::Deref);
    boxed
}
