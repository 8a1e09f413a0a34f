//! Chains that functions make: `from_fn`, `repeat_with`; and lists of what streams give.

use crate::frontend::iterators::successors::left;
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Chain, Extent, Indexed, Refs, Value};
use crate::ir::*;
use proc_macro2::Span;
use quote::quote;
use std::cell::Cell;
use std::rc::Rc;

impl Lower {
    /// `std::iter::from_fn(f)`: as long as there is something.
    pub fn made_while_some(&mut self, f: &syn::Expr, span: Span) -> Chain {
        let f = self.callee(f);
        let chain = self.as_long_as_given(move |l| l.apply(&f, Vec::new()), span);
        chain.with_extent(Extent { endless: false, lent: true })
    }

    /// What a step gives, as long as it gives something.
    pub fn as_long_as_given(&self, step: impl Fn(&mut Lower) -> Value + 'static, span: Span) -> Chain {
        Chain::stream(move |l, frame, each| {
            let more = l.new_var(New { hint: "more", span, ty: Ty::Passive, changes: true, site: None });
            l.info_mut(more).mutable = true;
            l.emit(Stmt::Let { var: more, expr: Expr::Passive(PassiveCode::literal(quote!(true))) });
            let mark = l.vars.len();
            let (body, ()) = l.inside(|l| {
                let made = step(l);
                let Some(maybe) = l.as_carrier(made, span) else { return };
                let present = l.hold("is_some", maybe.present.clone());
                l.assign(Place::var(more), Assign::Set, Operand::Passive(present.clone()), span);
                l.guarded(Some(present), &mut |l| {
                    let item = (maybe.content)(l);
                    each(l, item, mark);
                });
            });
            let goes_on = PassiveCode::var(more, l.info(more));
            let cond = match left(l, frame) {
                Some(leave) => l.unless(leave, Some(&goes_on)),
                None => goes_on,
            };
            l.emit(Stmt::While { prelude: Block::default(), cond, body, checkpoint: None });
        })
    }

    /// `std::iter::repeat_with(f)`.
    pub fn made_again(&mut self, f: &syn::Expr) -> Chain {
        let f = self.callee(f);
        Chain::Indexed(Indexed::counted(None, Rc::new(move |l, _| l.apply(&f, Vec::new()))))
    }

    /// A list of the elements of a chain, by index, where these are run through at once.
    pub fn listed_elements(&mut self, chain: &Chain, span: Span) -> Option<Chain> {
        let (list, each) = self.list_of(chain, span);
        let Chain::Indexed(ix) = self.elements_of(list, Refs::default(), span) else { return None };
        Some(Chain::Indexed(ix).mapped(move |_, item| item.behind(each)))
    }

    /// A list of what the elements of a chain are or refer to, and how they refer to it.
    pub fn list_of(&mut self, chain: &Chain, span: Span) -> (Value, Refs) {
        let referring = Rc::new(Cell::new(false));
        let noted = Rc::clone(&referring);
        let noting = chain.clone().mapped(move |_, item| {
            noted.set(item.refs().depth > 0);
            item
        });
        let list = self.collect(noting, None, span);
        (list, if referring.get() { Refs::SHARED } else { Refs::default() })
    }
}
