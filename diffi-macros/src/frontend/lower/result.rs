//! The function as a whole: its body, and what it returns.

use crate::frontend::infer::empty_lists;
use crate::frontend::iterators::totals::with_its_type;
use crate::frontend::leaks::refuse_leaks;
use crate::frontend::lower::observers::opened_block;
use crate::frontend::option_result::fallible::without_question_marks;
use crate::frontend::projections::passing::is_exclusive;
use crate::frontend::state::changes;
use crate::frontend::state::context::Lower;
use crate::frontend::state::jumps::Dest;
use crate::frontend::state::value::Value;
use crate::frontend::syntax::{bases, effects, iterator_results, types};
use crate::ir::affine::gathered;
use crate::ir::formulas::Formulas;
use crate::ir::print;
use crate::ir::*;
use crate::support::checkpoint_attribute;
use crate::support::syntax::strip_parens;
use proc_macro2::Span;
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lower {
    /// The function without its body and its variables.
    pub fn signature(&mut self, item: &syn::ItemFn) -> (Function, Ty) {
        self.check_kind(&item.sig);
        let params = self.params(&item.sig);
        let (ret, ret_ty) = self.result_type(&item.sig);
        let function = Function {
            name: item.sig.ident.clone(),
            owner: self.owner.as_deref().cloned(),
            generics: item.sig.generics.clone(),
            base: self.base.clone(),
            projected: bases::projected(&item.sig, self.owner.as_deref()),
            params,
            ret,
            listed: iterator_results::is_listed(item),
            vars: Vec::new(),
            items: Vec::new(),
            checks: Vec::new(),
            body: Block::default(),
            result: Output::Unit,
            formulas: Formulas::default(),
            reassociate: self.options.reassociate,
            vector_math: self.options.vector_math,
        };
        (function, ret_ty)
    }

    /// What a block does to variables, with what the text around tells of methods.
    fn changes_of(&self, block: &syn::Block) -> Rc<changes::Changes> {
        Rc::new(changes::Changes::of(block).with_calls(self.exclusive_calls.clone()).with_methods(is_exclusive))
    }

    /// The whole function.
    pub fn function(&mut self, item: &syn::ItemFn) -> Function {
        crate::frontend::syntax::configured::check(item, &mut self.errors);
        crate::frontend::syntax::hygiene::check(item, &mut self.errors);
        let around = self.owner.clone();
        let around = around.as_ref().map(|owner| &owner.generics);
        crate::frontend::syntax::inner_items::check(item, around, &mut self.errors);
        self.scope.changes = self.changes_of(&item.block);
        self.bind_function_tables(item);
        let (mut function, ret_ty) = self.signature(item);
        let changed = |p: &Param| p.active && matches!(p.passing, Passing::Mut | Passing::Out);
        self.check_result(&item.sig, &ret_ty, function.params.iter().any(changed));
        let (mut body, result) = self.whole_body(item, &ret_ty);
        let result = match &item.sig.output {
            _ if self.options.has_aux => self.beside(result, item),
            syn::ReturnType::Type(_, ty) if types::is_answer(ty, &self.base) => answer(result),
            _ => result,
        };
        self.tidy_flags(&mut body, &result);
        refuse_leaks(self, &mut body, &result);
        for param in &mut function.params {
            let asked = self.asked.contains(&param.var);
            param.function.iter_mut().for_each(|f| f.asked = asked);
        }
        self.only_passive_types(item);
        self.only_own_cuts(item);
        self.only_new_names(item);
        self.only_containers_of_std(item);
        self.only_known_fields(item);
        self.only_known_macros(item);
        let items = std::mem::take(&mut self.items);
        let items = self.annotated_items(items);
        let mut vars = std::mem::take(&mut self.vars);
        empty_lists::settle(&mut vars, &body);
        let checks = std::mem::take(&mut self.checks);
        let mut function = Function { vars, items, checks, body, result, ..function };
        self.import_own_names(&mut function);
        function
    }

    /// Imports the items that have names of generated code under other ones. What was only looked at may have asked for some in vain: the body
    /// of a closure where its variables are not bound.
    fn import_own_names(&self, function: &mut Function) {
        let aliases = std::mem::take(&mut *self.aliases.borrow_mut());
        if aliases.is_empty() {
            return;
        }
        let tokens = function.items.iter().chain(&function.checks).map(ToString::to_string).collect::<String>();
        let text = print::function(function) + &tokens;
        for (plain, name) in aliases {
            let alias = proc_macro2::Ident::new(&format!("__own_{plain}"), name.span());
            if text.contains(&alias.to_string()) {
                function.items.push(quote!(use #name as #alias;));
            }
        }
    }

    fn whole_body(&mut self, item: &syn::ItemFn, ty: &Ty) -> (Block, Output) {
        let (block, output) = (&*item.block, &item.sig.output);
        checkpoint_attribute::check(block, &mut self.errors);
        self.items_first(block);
        self.refuse_bits(block);
        let written = match output {
            syn::ReturnType::Type(_, t) => Some(&**t),
            syn::ReturnType::Default => None,
        };
        let answered = without_question_marks(block, written);
        let block = &opened_block(answered.as_ref().unwrap_or(block));
        self.scope.changes = self.changes_of(block);
        let returns = effects::of_block(&self.scope, block).jumps;
        let branches = matches!(block.stmts.last(), Some(syn::Stmt::Expr(e, None)) if is_branch(e));
        let lent = self.own_scalars(item);
        let out = match written {
            _ if returns => self.body_by_slots(block, written, ty, true),
            None => self.body_for_nobody(block),
            Some(t) if branches || types::carried(t).is_some() => self.body_by_slots(block, written, ty, false),
            Some(t) => self.body_by_value(block, t, ty),
        };
        self.give_scalars_back(&lent);
        (self.open.pop().expect("the outermost block"), out)
    }

    /// The second member of a result as an auxiliary output.
    fn beside(&mut self, result: Output, item: &syn::ItemFn) -> Output {
        let Output::Tuple(mut members) = result else { return result };
        match (members.pop(), members.pop()) {
            (Some(Output::Passive(aux)), Some(y)) => Output::Beside(Box::new(y), aux),
            _ => {
                let instead = "write the pair at the end of the function";
                self.errors.signature(item.sig.output.span(), "this auxiliary output", instead);
                Output::Unit
            }
        }
    }

    /// An auxiliary output: its value alone counts, and variables stay where they are.
    fn aux(&self, expr: &syn::Expr) -> Output {
        let mut aux = self.passive_code(expr);
        if let syn::Expr::Path(_) = strip_parens(expr) {
            let variable = &aux.tokens;
            aux.tokens = quote!(::core::clone::Clone::clone(&#variable));
        }
        Output::Passive(aux)
    }

    /// Items are in scope in the whole body.
    fn items_first(&mut self, block: &syn::Block) {
        for stmt in &block.stmts {
            if let syn::Stmt::Item(_) = stmt {
                self.stmt(stmt);
            }
        }
    }

    fn body_for_nobody(&mut self, block: &syn::Block) -> Output {
        self.stmts(&block.stmts, Dest::Nobody);
        Output::Unit
    }

    fn body_by_value(&mut self, block: &syn::Block, written: &syn::Type, ty: &Ty) -> Output {
        let Some(syn::Stmt::Expr(tail, None)) = block.stmts.last() else { return self.body_for_nobody(block) };
        let mut stmts = &block.stmts[..];
        while let Some((stmt, rest)) = stmts.split_first().filter(|(_, rest)| !rest.is_empty()) {
            let kept = self.kept_for(stmt, rest, Dest::Value).unwrap_or(0);
            match stmt {
                syn::Stmt::Local(local) if kept > 0 => self.write_while_named(local, &rest[..kept]),
                _ => self.operands_and_stmt(stmt),
            }
            stmts = &rest[kept..];
        }
        let last = self.operands_first(&syn::Stmt::Expr(tail.clone(), None)).unwrap_or_default();
        let (last, before) = last.split_last().map_or((None, &[][..]), |(last, before)| (Some(last), before));
        before.iter().for_each(|stmt| self.operands_and_stmt(stmt));
        let tail = if let Some(syn::Stmt::Expr(left, None)) = last { left } else { tail };
        let out = self.out(tail, ty, Some(written));
        self.refuse_kept_parts(0, tail.span());
        out
    }

    /// A statement behind those that its operands became.
    fn operands_and_stmt(&mut self, stmt: &syn::Stmt) {
        match self.operands_first(stmt) {
            Some(all) => all.iter().for_each(|stmt| self.operands_and_stmt(stmt)),
            None => {
                self.stmt(stmt);
            }
        }
    }

    /// The tail expression, member by member where it is written so.
    fn out(&mut self, tail: &syn::Expr, ty: &Ty, written: Option<&syn::Type>) -> Output {
        let member = |k: usize| written.and_then(|w| types::written_member(w, k));
        match (strip_parens(tail), ty) {
            (syn::Expr::Array(a), Ty::Array(t)) if !types::is_passive(ty) && !self.changes_within(a.elems.iter()) => {
                Output::Array(a.elems.iter().map(|e| self.out(e, t, None)).collect())
            }
            (syn::Expr::Tuple(t), Ty::Tuple(all)) if self.options.has_aux && t.elems.len() == 2 => {
                Output::Tuple(vec![self.out(&t.elems[0], &all[0], member(0)), self.aux(&t.elems[1])])
            }
            (syn::Expr::Tuple(t), Ty::Tuple(all))
                if t.elems.len() == all.len() && !all.is_empty() && !self.changes_within(t.elems.iter()) =>
            {
                Output::Tuple(
                    t.elems.iter().zip(all).enumerate().map(|(k, (e, t))| self.out(e, t, member(k))).collect(),
                )
            }
            (e, ty) => {
                let total = written.filter(|_| *ty == Ty::Unknown).and_then(|written| with_its_type(e, written));
                let e = total.as_ref().unwrap_or(e);
                let aggregate = !matches!(ty, Ty::Float | Ty::Passive | Ty::Tuple(_));
                let value = self.expecting(Some(ty.clone()), |l| if aggregate { l.active_value(e) } else { l.expr(e) });
                let constant = matches!(value, Value::Passive(_));
                let out = self.out_of(value, ty, e.span());
                if let (true, Output::Place(place)) = (constant, &out) {
                    self.info_mut(place.root).written = types::written(written);
                }
                out
            }
        }
    }

    /// Whether a member of the result changes what another one reads.
    fn changes_within<'e>(&self, members: impl Iterator<Item = &'e syn::Expr>) -> bool {
        self.last_change(&members.collect::<Vec<_>>()) > 0
    }

    /// A value as the function's result.
    pub fn out_of(&mut self, value: Value, ty: &Ty, span: Span) -> Output {
        match (value, ty) {
            (Value::Tuple(all), Ty::Tuple(tys)) if all.len() == tys.len() => {
                Output::Tuple(all.into_iter().zip(tys).map(|(v, t)| self.out_of(v, t, span)).collect())
            }
            (Value::Unit | Value::Never | Value::Poison, _) => Output::Unit,
            (Value::Active(a), Ty::Float) => {
                self.show_number(&a.place);
                self.refine(&a.place, Ty::Float);
                Output::Float(Operand::Place(self.by_itself(a.place, span)))
            }
            (Value::Active(a), _) => {
                let passive = types::is_passive(ty);
                if passive {
                    return Output::Passive(self.show_place(&a.place, Default::default()));
                }
                self.refine(&a.place, ty.clone());
                Output::Place(a.place)
            }
            (value @ Value::Passive(_), Ty::Float) => {
                Output::Float(Operand::Passive(self.show(&value.dereferenced_fully(), span)))
            }
            (value @ Value::Passive(_), ty) if !types::is_passive(ty) => {
                let value = self.show(&value, span);
                let var = self.bind("out", span, ty.clone(), Expr::Passive(value));
                Output::Place(Place::var(var))
            }
            (value @ Value::Passive(_), _) => Output::Passive(self.show(&value, span)),
            _ => {
                self.errors.signature(span, "this result", "return numbers, arrays, `Vec`s or tuples of them");
                Output::Unit
            }
        }
    }

    /// An element of a vector gets a name, so that the vector's memory can be given back before the function returns it.
    fn by_itself(&mut self, place: Place, span: Span) -> Place {
        let vector = matches!(self.info(place.root).ty, Ty::Vec(_) | Ty::Unknown);
        match vector && place.path.iter().any(|step| matches!(step, Proj::Index(_))) {
            true => Place::var(self.bind("element", span, Ty::Float, Expr::Operand(Operand::Place(place)))),
            false => place,
        }
    }

    /// The result is assigned in branches.
    fn body_by_slots(&mut self, block: &syn::Block, written: Option<&syn::Type>, ty: &Ty, returns: bool) -> Output {
        let span = block.span();
        let slot = match written {
            Some(t) => match self.carrier_slot(t, span) {
                Some(slot) => slot,
                None => self.slot(ty, Some(t), span),
            },
            None => Value::Unit,
        };
        self.jumps.result = Some(slot.clone()).filter(|s| !matches!(s, Value::Unit));
        if returns {
            self.start_function(span);
        }
        self.stmts(&block.stmts, if written.is_some() { Dest::Result } else { Dest::Nobody });
        match (&slot, written) {
            (Value::Maybe(maybe), Some(ret)) => self.carrier_out(maybe, ret, span),
            _ => self.out_of(slot, ty, span),
        }
    }

    fn slot(&mut self, ty: &Ty, written: Option<&syn::Type>, span: Span) -> Value {
        match ty {
            Ty::Tuple(all) => {
                let member = |k: usize| written.and_then(|w| types::written_member(w, k));
                Value::Tuple((0..all.len()).map(|k| self.slot(&all[k], member(k), span)).collect())
            }
            ty => {
                let var = self.unset("result", ty, written, span);
                self.emit(Stmt::Declare { var });
                self.value_of(var)
            }
        }
    }
}

/// A result without derivatives as what stands beside nothing.
fn answer(result: Output) -> Output {
    let tokens = match result {
        Output::Passive(o) => o,
        Output::Maybe(m) => maybe(*m),
        _ => PassiveCode::literal(quote!(())),
    };
    Output::Beside(Box::new(Output::Unit), tokens)
}

/// An `Option` or a `Result` without derivatives, as tokens.
fn maybe(m: MaybeOutput) -> PassiveCode {
    let content = match m.content {
        Output::Passive(o) => o,
        _ => PassiveCode::literal(quote!(())),
    };
    let (p, c) = (&m.present.tokens, &content.tokens);
    let tokens = match m.failure.as_ref().map(|f| &f.tokens) {
        Some(f) => quote!(if #p { ::core::result::Result::Ok(#c) } else { ::core::result::Result::Err(#f.returned()) }),
        None => quote!(if #p { ::core::option::Option::Some(#c) } else { ::core::option::Option::None }),
    };
    gathered(tokens, [&m.present, &content].into_iter().chain(&m.failure), m.present.span)
}

fn is_branch(e: &syn::Expr) -> bool {
    match strip_parens(e) {
        syn::Expr::If(_) | syn::Expr::Match(_) => true,
        syn::Expr::Block(b) => {
            b.label.is_none() && matches!(b.block.stmts.last(), Some(syn::Stmt::Expr(e, None)) if is_branch(e))
        }
        _ => false,
    }
}
