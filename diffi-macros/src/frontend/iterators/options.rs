//! Options as chains, and chains of options whose values are taken together: `collect::<Option<Vec<_>>>()`, `sum::<Result<f64, _>>()`.

use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Chain, Failure, Indexed, Maybe, Refs, Value};
use crate::frontend::syntax::types;
use crate::ir::affine;
use crate::ir::*;
use proc_macro2::Span;
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lower {
    /// The one element of an option, or none.
    pub fn of_option(&mut self, maybe: Maybe, refs: Refs) -> Chain {
        let content = maybe.content.clone();
        let len = match maybe.known() {
            Some(there) => affine::literal(usize::from(there)),
            None => {
                let present = self.hold("is_some", maybe.present.clone());
                self.hold("n", present.map(|t| quote!(usize::from(#t))))
            }
        };
        let get = Rc::new(move |l: &mut Lower, _| {
            let value = content(l);
            (0..refs.depth).fold(value, |value, _| value.borrowed(refs.exclusive))
        });
        Chain::Indexed(Indexed::counted(Some(len), get))
    }

    /// `sum`, `product` or `collect` of options or results, as their type says.
    pub fn total_of_options(&mut self, chain: &Chain, m: &syn::ExprMethodCall) -> Option<Value> {
        let syn::GenericArgument::Type(ty) = m.turbofish.as_ref()?.args.first()? else { return None };
        let (inner, fails) = (types::carried(ty)?, types::option_of(ty).is_none());
        let span = m.span();
        match m.method.to_string().as_str() {
            "sum" => Some(self.all_in_one(chain, Op::Add, quote!(-0.0), fails, span)),
            "product" => Some(self.all_in_one(chain, Op::Mul, quote!(1.0), fails, span)),
            "collect" if types::is_sequence(&types::describe(inner, &self.base)) => {
                let var = self.empty_vec(span);
                let present = self
                    .while_some(chain, fails, span, &mut |l, v| l.push(Place::var(var), v.dereferenced_fully(), span));
                let list = self.value_of(var);
                Some(Value::Maybe(Maybe { content: Rc::new(move |_| list.clone()), ..present }))
            }
            _ => None,
        }
    }

    fn all_in_one(&mut self, chain: &Chain, op: Op, start: proc_macro2::TokenStream, fails: bool, span: Span) -> Value {
        let start = self.number(start);
        let var = self.new_var(New::mutable("total", span, Ty::Float));
        self.emit(Stmt::Let { var, expr: Expr::Operand(Operand::Passive(PassiveCode { span, ..start })) });
        let present = self.while_some(chain, fails, span, &mut |l, v| l.take_in(var, &op, v, span));
        let total = self.value_of(var);
        Value::Maybe(Maybe { content: Rc::new(move |_| total.clone()), ..present })
    }

    /// Runs through the contents of options, up to the first that holds nothing; whether there was none.
    fn while_some(&mut self, chain: &Chain, fails: bool, span: Span, each: &mut dyn FnMut(&mut Lower, Value)) -> Maybe {
        let flag = self.flag("is_none", span);
        let cell = fails.then(|| self.failure_cell(span));
        let source = self.enter_source(span);
        self.drive(chain, Some(source), &mut |l, item, _| {
            let item = l.as_stored_option(item);
            let Some(maybe) = l.as_carrier(item, span) else {
                return l.errors.unknown_iterator(span);
            };
            let cond = l.atom("c", maybe.present.clone());
            let (then, ()) = l.inside(|l| {
                let content = (maybe.content)(l);
                each(l, content);
            });
            let (els, ()) = l.inside(|l| {
                cell.iter().for_each(|cell| l.store_failure(*cell, &maybe));
                l.raise(flag, span);
                l.stop_here(source, span);
            });
            l.emit(Stmt::If { cond, then, els });
        });
        self.leave();
        let none = PassiveCode::var(flag, self.info(flag));
        let present = self.hold("is_some", none.map(|t| quote!(!#t)));
        Maybe::new(present, |_| Value::Unit).or_fails(cell.map(Failure::Cell))
    }

    /// `unzip()` into `Vec`s, as the elements are made of members.
    pub fn unzip(&mut self, chain: Chain, span: Span) -> Value {
        let at = self.open.last().map_or(0, |b| b.stmts.len());
        let (mut lists, mut lets) = (None, Vec::new());
        self.drive(&chain, None, &mut |l, item, _| {
            let lists = lists.get_or_insert_with(|| match &item {
                Value::Tuple(all) => Value::Tuple(all.iter().map(|v| l.lists_for(v, &mut lets, span)).collect()),
                _ => Value::Tuple((0..2).map(|_| l.list_for(true, &mut lets, span)).collect()),
            });
            l.push_members(lists, item, span);
        });
        let block = self.open.last_mut().expect("a block is open");
        block.stmts.splice(at..at, lets);
        lists.unwrap_or_else(|| Value::Tuple(vec![self.empty_list(span), self.empty_list(span)]))
    }

    fn empty_list(&mut self, span: Span) -> Value {
        let var = self.empty_vec(span);
        self.value_of(var)
    }

    fn lists_for(&mut self, item: &Value, lets: &mut Vec<Stmt>, span: Span) -> Value {
        match item {
            Value::Tuple(all) => Value::Tuple(all.iter().map(|v| self.lists_for(v, lets, span)).collect()),
            v => {
                let active = !matches!(v, Value::Passive(p) if affine::is_no_float(&p.passive) || self.is_counter(p));
                self.list_for(active, lets, span)
            }
        }
    }

    fn is_counter(&self, p: &crate::frontend::state::value::Passive) -> bool {
        p.root.is_some_and(|root| self.fact(root).counter)
    }

    /// An empty list, of numbers or of what carries no derivative.
    fn list_for(&mut self, active: bool, lets: &mut Vec<Stmt>, span: Span) -> Value {
        let ty = if active { Ty::Vec(Box::new(Ty::Unknown)) } else { Ty::Passive };
        let var = self.new_var(New { hint: "v", span, ty, changes: true, site: None });
        self.info_mut(var).mutable = true;
        let new = PassiveCode::literal(quote!(::std::vec::Vec::new()));
        if !active {
            self.fact_mut(var).shape = Ty::Vec(Box::new(Ty::Passive));
        }
        lets.push(Stmt::Let { var, expr: if active { Expr::VecNew(new) } else { Expr::Passive(new) } });
        self.value_of(var)
    }

    fn push_members(&mut self, lists: &Value, item: Value, span: Span) {
        match lists {
            Value::Tuple(all) => {
                for (i, list) in all.iter().enumerate() {
                    let part = self.member(item.clone(), &syn::Member::from(i), span);
                    self.push_members(list, part, span);
                }
            }
            Value::Active(a) => self.push(a.place.clone(), item.dereferenced_fully(), span),
            Value::Passive(p) => {
                let Some(root) = p.root else { return };
                let item = self.show(&item.dereferenced_fully(), span);
                let name = self.info(root).name.clone();
                let mut tokens = item.map(|t| quote!(#name.push(#t);));
                tokens.reads.insert(root);
                self.emit(Stmt::Effect { tokens, writes: [root].into() });
            }
            _ => {}
        }
    }
}
