//! Two chains abreast.

use crate::frontend::iterators::adaptors::over_less;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Indexed, Value, over, smaller};
use crate::ir::PassiveCode;
use crate::ir::affine::{self, arithmetic};
use proc_macro2::Span;
use quote::quote;
use std::rc::Rc;

impl Lower {
    /// `a.zip(b)`.
    pub fn zip(&mut self, a: Chain, b: Chain, span: Span) -> Option<Chain> {
        match (a, b) {
            (Chain::Indexed(a), Chain::Indexed(b)) => {
                let (a, b) = (self.normalized(a), self.normalized(b));
                if may_be_longer(&a, &b) && self.is_made_by_changes(&a) {
                    let instead = "make the changes in the closure after `zip`: whether this one runs once more than there are pairs is std's affair";
                    self.errors.unsupported(span, "`zip` of an iterator whose elements change something", instead);
                    return None;
                }
                let hi = match (&a.hi, &b.hi) {
                    (Some(x), Some(y)) => Some(smaller(x, y)),
                    (x, y) => x.clone().or(y.clone()),
                };
                let (first, second) = (a.get, b.get);
                let get = move |l: &mut Lower, k: PassiveCode| {
                    let x = first(l, k.clone());
                    Value::Tuple(vec![x, second(l, k)])
                };
                Some(Chain::Indexed(Indexed::counted(hi, Rc::new(get))))
            }
            (stream, _) if stream.extent().lent && !stream.is_endless() => {
                let instead = "write the other iterator first: whether this one loses an element more than there are pairs is std's affair";
                self.errors.unsupported(span, "`zip` of an iterator that is run on later", instead);
                None
            }
            (stream, Chain::Indexed(b)) => Some(self.zip_stream(stream, b, span)),
            (Chain::Indexed(a), stream) if !self.has_effects(&a) => Some(self.zip_before(a, stream, span)),
            (a, b) if self.is_collected(&b) => {
                let b = self.listed_elements(&b, span)?;
                self.zip(a, b, span)
            }
            _ => {
                self.errors.unknown_adaptor(span, "zip");
                None
            }
        }
    }

    /// `stream.zip(indexed)`: an element of the stream is taken before it is seen that the other chain has ended.
    fn zip_stream(&mut self, stream: Chain, b: Indexed, span: Span) -> Chain {
        let b = self.normalized(b);
        let len = b.hi.clone().map(|h| self.atom("n", h));
        let extent = if len.is_none() { stream.extent() } else { stream.extent().cut() };
        let zipped = Chain::stream(move |l, frame, each| {
            let count = l.counter(span);
            l.drive_until(&stream, frame, span, &mut |l, value, mark, source| {
                let k = l.next_count(count, span);
                if let Some(n) = &len {
                    l.stop(source, not_less(&k, n), span);
                }
                l.guarded(len.as_ref().map(|n| over_less(&k, n)), &mut |l| {
                    let other = (b.get)(l, k.clone());
                    each(l, Value::Tuple(vec![value.clone(), other]), mark);
                });
            });
        });
        zipped.with_extent(extent)
    }

    /// `indexed.zip(stream)`, where the indexed elements are made for nothing else: no element of the stream is taken after their end.
    fn zip_before(&mut self, a: Indexed, stream: Chain, span: Span) -> Chain {
        let a = self.normalized(a);
        let len = a.hi.clone().map(|h| self.atom("n", h));
        let extent = if len.is_none() { stream.extent() } else { stream.extent().cut() };
        let zipped = Chain::stream(move |l, frame, each| {
            let count = l.counter(span);
            let begins = len.as_ref().filter(|_| !extent.is_whole()).map(|n| over_less(&affine::literal(0), n));
            l.guarded(begins, &mut |l| {
                l.drive_until(&stream, frame, span, &mut |l, value, mark, source| {
                    let k = l.next_count(count, span);
                    l.guarded(len.as_ref().map(|n| over_less(&k, n)), &mut |l| {
                        let other = (a.get)(l, k.clone());
                        each(l, Value::Tuple(vec![other, value.clone()]), mark);
                    });
                    if let Some(n) = &len {
                        l.stop(source, over_less(n, &arithmetic::add(&k, &affine::literal(2))), span);
                    }
                });
            });
        });
        zipped.with_extent(extent)
    }

    /// Whether a list of a chain's elements can stand for it: it ends, and to run through it changes nothing.
    pub fn is_collected(&mut self, chain: &Chain) -> bool {
        chain.extent().is_whole() && !self.chain_changes(chain)
    }
}

/// Whether a chain may have elements where the other one has ended.
fn may_be_longer(a: &Indexed, b: &Indexed) -> bool {
    let text = |ix: &Indexed| ix.hi.as_ref().map(|hi| hi.tokens.to_string());
    b.hi.is_some() && text(a) != text(b)
}

fn not_less(k: &PassiveCode, n: &PassiveCode) -> PassiveCode {
    let (a, b) = (&k.tokens, &n.tokens);
    over(quote!(#a >= #b), &[k, n])
}
