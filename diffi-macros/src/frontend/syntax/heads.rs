//! Heads of branches and loops, where Rust does not read `S { .. }` as a value.

use std::borrow::Cow;
use syn::visit::Visit;

/// The expression for the head of an `if`, `match`, `while` or `for` that is written around it: in parentheses, if it makes a struct.
/// A `let` keeps its place, since it may stand nowhere else.
pub fn head(expr: &syn::Expr) -> Cow<'_, syn::Expr> {
    let mut structs = Structs(false);
    structs.visit_expr(expr);
    if !structs.0 || matches!(expr, syn::Expr::Let(_)) {
        return Cow::Borrowed(expr);
    }
    Cow::Owned(syn::Expr::Paren(syn::ExprParen {
        attrs: Vec::new(),
        paren_token: syn::token::Paren::default(),
        expr: Box::new(expr.clone()),
    }))
}

/// Whether there is a struct expression outside of blocks and brackets.
struct Structs(bool);

impl Visit<'_> for Structs {
    fn visit_expr_struct(&mut self, _: &syn::ExprStruct) {
        self.0 = true;
    }
    fn visit_block(&mut self, _: &syn::Block) {}
    fn visit_expr_paren(&mut self, _: &syn::ExprParen) {}
    fn visit_expr_macro(&mut self, _: &syn::ExprMacro) {}
    fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
        self.visit_expr(&call.receiver);
    }
    fn visit_expr_call(&mut self, call: &syn::ExprCall) {
        self.visit_expr(&call.func);
    }
}
