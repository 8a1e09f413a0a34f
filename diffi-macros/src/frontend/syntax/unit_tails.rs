//! The last expression of a block that has no value: `for p in parts { p.scale(k) }` becomes `for p in parts { p.scale(k); }`.
//!
//! A method's call that is a statement may change its receiver, and a call whose value is used does not. Between braces without a value the
//! semicolon may be left out; analyses find it there after all.

use syn::visit_mut::{self, VisitMut};

/// The function with a semicolon behind each method's call that ends a block without a value.
pub fn closed(mut item: syn::ItemFn) -> syn::ItemFn {
    UnitTails.visit_item_fn_mut(&mut item);
    item
}

struct UnitTails;

impl VisitMut for UnitTails {
    fn visit_item_fn_mut(&mut self, function: &mut syn::ItemFn) {
        if matches!(function.sig.output, syn::ReturnType::Default) {
            close_block(&mut function.block);
        }
        visit_mut::visit_item_fn_mut(self, function);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let inner = block.stmts.len().saturating_sub(1);
        block.stmts[..inner].iter_mut().for_each(close_statement);
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_for_loop_mut(&mut self, l: &mut syn::ExprForLoop) {
        close_block(&mut l.body);
        visit_mut::visit_expr_for_loop_mut(self, l);
    }

    fn visit_expr_while_mut(&mut self, l: &mut syn::ExprWhile) {
        close_block(&mut l.body);
        visit_mut::visit_expr_while_mut(self, l);
    }

    fn visit_expr_loop_mut(&mut self, l: &mut syn::ExprLoop) {
        close_block(&mut l.body);
        visit_mut::visit_expr_loop_mut(self, l);
    }

    fn visit_expr_if_mut(&mut self, i: &mut syn::ExprIf) {
        if i.else_branch.is_none() {
            close_block(&mut i.then_branch);
        }
        visit_mut::visit_expr_if_mut(self, i);
    }
}

/// A block without a value.
fn close_block(block: &mut syn::Block) {
    let Some(last) = block.stmts.last_mut() else { return };
    match last {
        syn::Stmt::Expr(syn::Expr::MethodCall(_), end @ None) => *end = Some(Default::default()),
        other => close_statement(other),
    }
}

/// `if`, `match` and a block without a semicolon, which have no value unless they end a block that has one.
fn close_statement(stmt: &mut syn::Stmt) {
    if let syn::Stmt::Expr(expr, None) = stmt {
        close(expr);
    }
}

fn close(expr: &mut syn::Expr) {
    match expr {
        syn::Expr::If(i) => {
            close_block(&mut i.then_branch);
            i.else_branch.iter_mut().for_each(|(_, other)| close(other));
        }
        syn::Expr::Match(m) => m.arms.iter_mut().for_each(|arm| close_arm(&mut arm.body)),
        syn::Expr::Block(b) if b.label.is_none() => close_block(&mut b.block),
        _ => {}
    }
}

fn close_arm(body: &mut syn::Expr) {
    match body {
        syn::Expr::MethodCall(_) => *body = syn::parse_quote!({ #body; }),
        other => close(other),
    }
}
