//! Names for operands, and code whose values nobody reads.

use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, parse_quote};

/// A name for each operand of every second operation.
pub fn named(file: &mut syn::File) {
    Operands(0).visit_file_mut(file);
}

/// Computations that nobody reads, at the beginning of blocks and of numbers that were just made.
pub fn dead(file: &mut syn::File) {
    Dead(0).visit_file_mut(file);
}

/// How many operations were seen.
struct Operands(usize);

impl VisitMut for Operands {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        let Expr::Binary(operation) = e else { return };
        if !matches!(operation.op, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_)) {
            return;
        }
        self.0 += 1;
        if self.0.is_multiple_of(2) {
            let (left, op, right) = (&operation.left, &operation.op, &operation.right);
            *e = parse_quote!(({ let left = #left; let right = #right; left #op right }));
        }
    }

    fn visit_item_const_mut(&mut self, _: &mut syn::ItemConst) {}
}

/// How many names were given.
struct Dead(usize);

impl VisitMut for Dead {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        let mut stmts: Vec<syn::Stmt> = Vec::new();
        for stmt in block.stmts.drain(..) {
            let number = number_made(&stmt);
            stmts.push(stmt);
            let Some(number) = number else { continue };
            self.0 += 1;
            let dead = quote::format_ident!("dead_{}", self.0);
            stmts.push(parse_quote!(let mut #dead = [2.0 * #number, #number.sin()];));
            stmts.push(parse_quote!(#dead[0] -= #dead[1] * #number;));
            stmts.push(parse_quote!(if #dead[0] > #dead[1] { #dead.swap(0, 1); }));
        }
        block.stmts = stmts;
    }
}

/// The name of a number that a statement makes. Numbers of the generator begin with `a`.
fn number_made(stmt: &syn::Stmt) -> Option<syn::Ident> {
    let syn::Stmt::Local(syn::Local { pat, init: Some(init), .. }) = stmt else { return None };
    let syn::Pat::Ident(name) = pat else { return None };
    let text = name.ident.to_string();
    let is_number = text.strip_prefix('a').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    let is_literal = matches!(&*init.expr, Expr::Lit(_));
    (is_number && !is_literal && init.diverge.is_none()).then(|| name.ident.clone())
}
