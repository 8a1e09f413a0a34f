//! Comparisons of numbers, compared as numbers: a recorded program can then compare again.

use super::*;
use crate::support::names;

impl Generic<'_> {
    /// A condition; comparisons in it are between numbers where they are arithmetic.
    pub fn condition(&self, o: &PassiveCode) -> String {
        let reads = o.reads.iter().any(|v| self.lifted(*v));
        let compared = if reads { syn::parse2(o.tokens.clone()).ok().and_then(|e| self.compared(&e)) } else { None };
        compared.unwrap_or_else(|| self.passive_code(o))
    }

    /// None if no comparison in it can be one of numbers.
    fn compared(&self, e: &syn::Expr) -> Option<String> {
        match e {
            syn::Expr::Paren(p) => Some(format!("({})", self.compared(&p.expr)?)),
            syn::Expr::Group(g) => self.compared(&g.expr),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Not(_)) => Some(format!("!{}", self.compared(&u.expr)?)),
            syn::Expr::Binary(b) => {
                let op = b.op.to_token_stream().to_string();
                match op.as_str() {
                    "&&" | "||" => self.both_compared(b, &op),
                    "<" | "<=" | ">" | ">=" | "==" | "!=" if self.reads(&e.to_token_stream()) => {
                        Some(format!("({}) {op} ({})", self.number(&b.left)?, self.number(&b.right)?))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn both_compared(&self, b: &syn::ExprBinary, op: &str) -> Option<String> {
        let sides = [&b.left, &b.right];
        let [left, right] = sides.map(|e| self.compared(e));
        if left.is_none() && right.is_none() {
            return None;
        }
        let or_plain = |text: Option<String>, e: &syn::Expr| text.unwrap_or_else(|| self.plainly(e.to_token_stream()));
        Some(format!("{} {op} {}", or_plain(left, &b.left), or_plain(right, &b.right)))
    }

    /// Arithmetic of numbers.
    fn number(&self, e: &syn::Expr) -> Option<String> {
        match e {
            _ if !self.reads(&e.to_token_stream()) => self.constant(e),
            syn::Expr::Paren(p) => Some(format!("({})", self.number(&p.expr)?)),
            syn::Expr::Group(g) => self.number(&g.expr),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)) => Some(format!("(-{})", self.number(&u.expr)?)),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.whole(&u.expr, true),
            syn::Expr::Binary(b) => {
                let op = b.op.to_token_stream().to_string();
                let arithmetic = ["+", "-", "*", "/", "%"].contains(&op.as_str());
                arithmetic.then_some(())?;
                Some(format!("({} {op} {})", self.number(&b.left)?, self.number(&b.right)?))
            }
            syn::Expr::MethodCall(m) => self.scalar_method(m),
            syn::Expr::Path(_) | syn::Expr::Index(_) | syn::Expr::Field(_) => self.whole(e, false),
            _ => None,
        }
    }

    fn constant(&self, e: &syn::Expr) -> Option<String> {
        let constant = || format!("<__Number as __d::Real>::from_base({})", self.plainly(e.to_token_stream()));
        (!matches!(e, syn::Expr::Reference(_))).then(constant)
    }

    fn scalar_method(&self, m: &syn::ExprMethodCall) -> Option<String> {
        let name = names::scalar(&m.method.to_string(), m.args.len())?;
        let mut args = vec![self.number(&m.receiver)?];
        for arg in &m.args {
            args.push(match name {
                "powi" if !self.reads(&arg.to_token_stream()) => self.plainly(arg.to_token_stream()),
                _ => self.number(arg)?,
            });
        }
        Some(format!("<__Number as __d::Real>::{name}({})", args.join(", ")))
    }

    /// A float's place, behind a reference or not.
    fn whole(&self, e: &syn::Expr, behind: bool) -> Option<String> {
        let (place, reference) = self.float_place(e.to_token_stream())?;
        (reference == behind).then(|| if behind { format!("(*{place})") } else { place })
    }

    fn plainly(&self, tokens: TokenStream) -> String {
        self.passive_code(&PassiveCode::literal(tokens))
    }
}
