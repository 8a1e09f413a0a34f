//! Passive expressions with other names in them.

use super::*;
use crate::frontend::projections::{Asked, Called, called};

impl Names<'_> {
    /// An expression with other names in it; `shape` says that only its shape is read.
    pub(super) fn renamed(&mut self, expr: &mut syn::Expr, shape: bool) {
        match expr {
            syn::Expr::Path(path) => {
                self.shape = shape;
                if let Some(value) = self.renamed_path(path) {
                    *expr = value;
                    self.shape = false;
                }
            }
            syn::Expr::Unary(u) if self.seen_through(u).is_some() => {
                if let Some((value, span)) = self.seen_through(u) {
                    let shown = self.shown(&value, span);
                    *expr = syn::Expr::Verbatim(arithmetic::factor(&PassiveCode::literal(shown)));
                }
            }
            syn::Expr::Index(i) if called(&i.index).is_some() => self.renamed_projection(expr),
            syn::Expr::Index(i) => {
                self.shape = shape;
                self.receiver(&mut i.expr);
                self.shape = false;
                self.visit_expr_mut(&mut i.index);
            }
            syn::Expr::Field(f) => {
                self.shape = shape;
                match self.member(f) {
                    Some((value, span)) => *expr = syn::Expr::Verbatim(self.shown(&value, span)),
                    None => self.receiver(&mut f.base),
                }
                self.shape = false;
            }
            syn::Expr::MethodCall(m) if names::QUERIES.iter().any(|q| m.method == q) && !self.asking => {
                let checked = self.may_be_of_the_users(m);
                self.asking = true;
                self.visit_expr_mut(expr);
                if checked {
                    *expr = checked_answer(expr);
                }
            }
            syn::Expr::MethodCall(m) if names::without_maybe(&m.method).is_some() => self.renamed_maybe(expr),
            syn::Expr::MethodCall(m) => self.renamed_method(m),
            syn::Expr::Call(_) => self.renamed_call(expr),
            syn::Expr::Cast(cast) if self.casts_answer(cast) => {
                self.visit_expr_mut(&mut cast.expr);
                let integer = &cast.expr;
                *cast.expr = syn::Expr::Verbatim(quote!(__d::integer(#integer)));
            }
            syn::Expr::Macro(m) if is_comparison(&m.mac) => {
                self.macro_tokens(&mut m.mac);
                *expr = checked_answer(expr);
            }
            other => self.renamed_scope(other),
        }
    }

    /// What stands for a name, if more than another name.
    fn renamed_path(&mut self, path: &mut syn::ExprPath) -> Option<syn::Expr> {
        let name = path.path.get_ident()?;
        let Some(value) = self.meaning(name).cloned() else {
            let own = self.own.contains(name);
            path.path = self.lower.item_name(name).filter(|_| !own).map_or_else(|| name.clone().into(), Into::into);
            return None;
        };
        let Value::Closure(_) = &value else { return Some(syn::Expr::Verbatim(self.shown(&value, name.span()))) };
        let PassiveCode { tokens, reads, shapes, .. } = self.lower.show(&value, name.span());
        self.reads.extend(&reads);
        self.shapes.extend(&shapes);
        Some(syn::Expr::Verbatim(quote!((#tokens))))
    }

    /// A method that returns a reference: called again, but for one that takes `&mut`, where what it leads to is only looked at.
    fn renamed_projection(&mut self, expr: &mut syn::Expr) {
        let syn::Expr::Index(i) = &*expr else { return };
        let Some(Called { method, form, args, .. }) = called(&i.index) else { return };
        let (asked, args) = Asked::of(method, args);
        let mut on = (*i.expr).clone();
        let active = self.lower.act(&on).any();
        self.visit_expr_mut(&mut on);
        let on = on.into_token_stream();
        let args = self.renamed_arguments(&args);
        let exclusive = form == "exclusive";
        let tokens = match exclusive && active {
            true => {
                let at = asked.find(&on, &args);
                quote!((*__d::Leads::__lead(&#on, #at)))
            }
            false => {
                let call = asked.call(&on, &args, exclusive);
                quote!((*#call))
            }
        };
        *expr = syn::Expr::Verbatim(tokens);
    }

    fn renamed_arguments(&mut self, args: &[&syn::Expr]) -> Vec<TokenStream> {
        let renamed = |arg: &&syn::Expr| {
            let mut arg = (*arg).clone();
            self.visit_expr_mut(&mut arg);
            arg.into_token_stream()
        };
        args.iter().map(renamed).collect()
    }

    /// An option of a reference that a function returns.
    fn renamed_maybe(&mut self, expr: &mut syn::Expr) {
        let syn::Expr::MethodCall(m) = &*expr else { return };
        let Some(method) = names::without_maybe(&m.method) else { return };
        let (asked, args) = Asked::of(&method, &m.args);
        let mut on = (*m.receiver).clone();
        self.visit_expr_mut(&mut on);
        let args = self.renamed_arguments(&args);
        let exclusive = m.method.to_string().starts_with(names::MAYBE_MUT);
        *expr = syn::Expr::Verbatim(asked.call(&on.into_token_stream(), &args, exclusive));
    }

    fn renamed_method(&mut self, m: &mut syn::ExprMethodCall) {
        self.asking = false;
        let only_shape = SHAPE.iter().any(|s| m.method == s);
        self.shape = only_shape;
        match only_shape {
            true => self.receiver(&mut m.receiver),
            false if is_look(&m.method) => {
                let root = writes::root_name(&m.receiver).filter(|_| self.must_only_look(m)).map(Ident::span);
                self.looked_at(&mut m.receiver);
                if let Some(span) = root {
                    freeze(m, span);
                }
            }
            false => {
                let frozen = self.must_not_change(m);
                match self.scalar_by_name(&m.receiver) {
                    Some((scalar, span)) => *m.receiver = syn::Expr::Verbatim(self.shown(&scalar, span)),
                    None => self.visit_expr_mut(&mut m.receiver),
                }
                if frozen {
                    freeze(m, m.method.span());
                }
            }
        }
        self.shape = false;
        m.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
    }

    fn renamed_call(&mut self, expr: &mut syn::Expr) {
        let syn::Expr::Call(call) = expr else { return };
        if is_query(call) {
            visit_mut::visit_expr_call_mut(self, call);
            *expr = checked_answer(expr);
        } else if cuts::is_cut(&call.func) && call.args.len() == 1 {
            self.visit_expr_mut(&mut call.args[0]);
            *expr = cuts::value(&call.args[0]);
        } else if let Some(inlined) = self.closure_call(call) {
            *expr = inlined;
        } else {
            visit_mut::visit_expr_call_mut(self, call);
        }
    }

    /// Expressions with names of their own.
    fn renamed_scope(&mut self, expr: &mut syn::Expr) {
        match expr {
            syn::Expr::Closure(c) => {
                let inputs: Vec<syn::Pat> = c.inputs.iter().cloned().collect();
                let inputs: Vec<&syn::Pat> = inputs.iter().collect();
                self.with_own(&inputs, |s| s.visit_expr_mut(&mut c.body));
            }
            syn::Expr::ForLoop(f) => {
                self.visit_expr_mut(&mut f.expr);
                let pattern = f.pat.clone();
                self.with_own(&[&pattern], |s| s.visit_block_mut(&mut f.body));
            }
            syn::Expr::If(i) => {
                self.under_lets(&mut i.cond, |s| s.visit_block_mut(&mut i.then_branch));
                if let Some((_, e)) = &mut i.else_branch {
                    self.visit_expr_mut(e);
                }
            }
            syn::Expr::While(w) => self.under_lets(&mut w.cond, |s| s.visit_block_mut(&mut w.body)),
            syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => {
                self.visit_expr_mut(&mut b.left);
                let lets = lets_of(&b.left);
                let lets: Vec<&syn::Pat> = lets.iter().collect();
                self.with_own(&lets, |s| s.visit_expr_mut(&mut b.right));
            }
            other => visit_mut::visit_expr_mut(self, other),
        }
    }

    /// A condition, and what its patterns give names to.
    fn under_lets(&mut self, cond: &mut syn::Expr, inside: impl FnOnce(&mut Self)) {
        let lets = lets_of(cond);
        let lets: Vec<&syn::Pat> = lets.iter().collect();
        self.visit_expr_mut(cond);
        self.with_own(&lets, inside);
    }
}
