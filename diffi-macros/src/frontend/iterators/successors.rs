//! `std::iter::successors(first, next)`: an option in a variable, and a loop while it holds something.

use crate::frontend::iterators::filters::always_some;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Extent, Maybe, Value};
use crate::ir::affine;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};

impl Lower {
    /// The chain: what comes after an element is found when that has been dealt with.
    pub fn successors(&mut self, first: &syn::Expr, next: &syn::Expr, span: Span) -> Option<Chain> {
        let extent = Extent { endless: always_some(next), lent: false };
        let first = match strip_parens(first) {
            syn::Expr::Call(c) if matches!(&*c.func, syn::Expr::Path(p) if p.path.is_ident("Some")) => {
                let content = self.active_value(&c.args[0]);
                Maybe::some(self.copied(content.dereferenced_fully(), "first", span))
            }
            e => match self.expr(e) {
                Value::Maybe(maybe) => maybe,
                Value::Poison => return None,
                _ => {
                    self.errors.unknown_iterator(span);
                    return None;
                }
            },
        };
        let next = self.callee(next);
        let chain = Chain::stream(move |l, frame, each| {
            let (_, shape) = l.inside(|l| (first.content)(l));
            let ty = l.followed_as(&shape);
            let content = l.option_content(&Ident::new("following", span), &ty, None);
            let current = &l.cells("following", &first, content, span);
            let option = Value::Maybe(current.clone());
            let mark = l.vars.len();
            let (body, ()) = l.inside(|l| {
                let item = (current.content)(l);
                let item = l.copied(item, "item", span);
                each(l, item.clone(), mark);
                let goes_on = left(l, frame).map(|leave| l.unless(leave, None));
                l.guarded(goes_on, &mut |l| {
                    let after = l.apply(&next, vec![item.clone().borrowed(false)]);
                    l.store(option.clone(), after, span);
                });
            });
            let cond = match left(l, frame) {
                Some(leave) => l.unless(leave, Some(&current.present)),
                None => current.present.clone(),
            };
            l.emit(Stmt::While { prelude: Block::default(), cond, body, checkpoint: None });
        });
        Some(chain.with_extent(extent))
    }
}

impl Lower {
    /// The type of what follows: of numbers that carry no derivative yet, that of numbers.
    fn followed_as(&self, first: &Value) -> Ty {
        match first {
            Value::Tuple(all) => Ty::Tuple(all.iter().map(|v| self.followed_as(v)).collect()),
            Value::Passive(p) if affine::is_no_float(&p.passive) => Ty::Passive,
            Value::Active(_) => match self.value_ty(first) {
                Ty::Unknown => Ty::Float,
                ty => ty,
            },
            _ => Ty::Float,
        }
    }
}

/// The flag of a frame that something leaves.
pub fn left(l: &Lower, frame: Option<usize>) -> Option<Var> {
    frame.map(|f| l.jumps.frame(f)).filter(|f| f.left).map(|f| f.leave)
}
