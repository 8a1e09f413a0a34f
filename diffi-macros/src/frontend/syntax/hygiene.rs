//! Variables of the same name that are different ones: one written in a macro by example, and one in what it was given.
//!
//! rustc tells them apart by where they were written. This compiler goes by names, and so refuses them.

use crate::support::errors::Errors;
use crate::support::tokens;
use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// Refuses a function that a macro made, where a name would be found that rustc does not find.
pub fn check(item: &syn::ItemFn, errors: &mut Errors) {
    if tokens::context(item.block.brace_token.span.open()).is_none_or(|context| context == tokens::USERS) {
        return;
    }
    let mut names = Names { bound: Vec::new(), errors };
    item.sig.inputs.iter().for_each(|input| names.visit_fn_arg(input));
    names.visit_block(&item.block);
}

/// The variables in scope.
struct Names<'e> {
    /// The innermost last, each with the text that it was written in.
    bound: Vec<(String, Option<String>)>,
    errors: &'e mut Errors,
}

impl Names<'_> {
    fn read(&mut self, name: &Ident) {
        let text = name.to_string();
        let Some((_, context)) = self.bound.iter().rev().find(|(bound, _)| *bound == text) else { return };
        if *context != tokens::context(name.span()) {
            self.errors.two_of_a_name(name);
        }
    }

    /// The words of a macro's arguments; those behind one dot are members.
    fn read_all(&mut self, tokens: TokenStream) {
        let mut dots = 0;
        for tree in tokens {
            let is_dot = matches!(&tree, TokenTree::Punct(sign) if sign.as_char() == '.');
            match tree {
                TokenTree::Ident(name) if dots != 1 => self.read(&name),
                TokenTree::Group(group) => self.read_all(group.stream()),
                _ => {}
            }
            dots = if is_dot { dots + 1 } else { 0 };
        }
    }

    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = self.bound.len();
        visit(self);
        self.bound.truncate(outer);
    }
}

impl<'a> Visit<'a> for Names<'_> {
    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        self.bound.push((p.ident.to_string(), tokens::context(p.ident.span())));
        visit::visit_pat_ident(self, p);
    }

    fn visit_expr_path(&mut self, p: &'a syn::ExprPath) {
        p.path.get_ident().into_iter().for_each(|name| self.read(name));
    }

    fn visit_macro(&mut self, m: &'a syn::Macro) {
        self.read_all(m.tokens.clone());
    }

    fn visit_block(&mut self, b: &'a syn::Block) {
        self.within(|names| visit::visit_block(names, b));
    }

    fn visit_local(&mut self, l: &'a syn::Local) {
        l.init.iter().for_each(|init| self.visit_local_init(init));
        self.visit_pat(&l.pat);
    }

    fn visit_expr_let(&mut self, l: &'a syn::ExprLet) {
        self.visit_expr(&l.expr);
        self.visit_pat(&l.pat);
    }

    fn visit_expr_closure(&mut self, c: &'a syn::ExprClosure) {
        self.within(|names| visit::visit_expr_closure(names, c));
    }

    fn visit_arm(&mut self, a: &'a syn::Arm) {
        self.within(|names| visit::visit_arm(names, a));
    }

    fn visit_expr_for_loop(&mut self, l: &'a syn::ExprForLoop) {
        self.visit_expr(&l.expr);
        self.within(|names| {
            names.visit_pat(&l.pat);
            names.visit_block(&l.body);
        });
    }

    fn visit_expr_if(&mut self, i: &'a syn::ExprIf) {
        self.within(|names| {
            names.visit_expr(&i.cond);
            names.visit_block(&i.then_branch);
        });
        i.else_branch.iter().for_each(|(_, e)| self.visit_expr(e));
    }

    fn visit_expr_while(&mut self, w: &'a syn::ExprWhile) {
        self.within(|names| visit::visit_expr_while(names, w));
    }

    fn visit_item(&mut self, _: &'a syn::Item) {}
}
