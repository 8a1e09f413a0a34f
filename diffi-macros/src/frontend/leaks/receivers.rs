//! Hidden state behind names of std: numbers that come of methods and operators, after a call that may have kept an active value.
//!
//! A type of the user's may have a `sum`, a `+` or an index that gives what the earlier call kept. Names do not tell; rustc does. What
//! methods and operators are applied to, where a number is made of it in the end, has to be of a type of std's.

use super::Leaks;
use super::told::Position;
use crate::ir::visit::Vars;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Passive code of which numbers are made.
#[derive(Default)]
pub struct Numbers {
    /// Values of variables, and which.
    made: Vec<(Vars, Piece)>,
    /// Numbers.
    used: Vec<Piece>,
}

/// Passive code, and where it stands.
#[derive(Clone)]
struct Piece {
    position: Position,
    code: PassiveCode,
}

impl Leaks<'_> {
    /// Notes what variables are made of.
    pub fn variables_of(&mut self, vars: impl IntoIterator<Item = Var>, code: &PassiveCode) {
        if let Some(piece) = self.piece(code) {
            self.pieces.made.push((vars.into_iter().collect(), piece));
        }
    }

    /// Notes what a number is made of.
    pub fn number_of(&mut self, code: &PassiveCode) {
        let piece = self.piece(code);
        self.pieces.used.extend(piece);
    }

    fn piece(&self, code: &PassiveCode) -> Option<Piece> {
        let asked =
            !self.inside && self.told.iter().any(|told| told.open) && matches!(self.lower.base, Base::Concrete(_));
        asked.then(|| Piece { position: self.position(), code: code.clone() })
    }

    /// Statements by which rustc sees that numbers are made of values of std's types, and in front of which statements they stand.
    pub fn types_of_std(&self) -> Vec<(usize, Stmt)> {
        let mut found: Vec<&Piece> = self.pieces.used.iter().collect();
        let mut wanted = Vars::new();
        found.iter().for_each(|piece| wanted.extend(&piece.code.reads));
        for _ in 0..self.pieces.made.len() {
            let before = found.len();
            for (vars, piece) in self.pieces.made.iter().rev() {
                if !vars.is_disjoint(&wanted) && !found.iter().any(|known| std::ptr::eq(*known, piece)) {
                    wanted.extend(&piece.code.reads);
                    found.push(piece);
                }
            }
            if found.len() == before {
                break;
            }
        }
        let after = |piece: &&Piece| self.told.iter().any(|t| t.open && piece.position.is_after(&t.position));
        found.into_iter().filter(after).flat_map(|piece| self.checks_of(piece)).collect()
    }

    fn checks_of(&self, piece: &Piece) -> Vec<(usize, Stmt)> {
        let tokens = &piece.code.tokens;
        let Ok(block) = syn::parse2::<syn::Block>(quote!({ #tokens })) else { return Vec::new() };
        let mut receivers = Receivers { leaks: self, found: Vec::new() };
        receivers.visit_block(&block);
        let check = |place: &syn::Expr| {
            let span = place.span();
            let tokens = quote_spanned!(span=> __d::MadeOf(&#place).of_std(););
            let reads = self.variables_in(place.to_token_stream());
            let code = PassiveCode { tokens, reads, shapes: Vars::new(), span };
            (piece.position.at, Stmt::Effect { tokens: code, writes: Vars::new() })
        };
        receivers.found.iter().map(check).collect()
    }

    fn variables_in(&self, tokens: TokenStream) -> Vars {
        let mut found = Vars::new();
        for tree in tokens {
            match tree {
                TokenTree::Ident(name) => found.extend(self.names.get(&name.to_string())),
                TokenTree::Group(group) => found.extend(&self.variables_in(group.stream())),
                _ => {}
            }
        }
        found
    }
}

/// The walk through passive code for what methods and operators are applied to.
struct Receivers<'l, 'a> {
    leaks: &'l Leaks<'a>,
    found: Vec<syn::Expr>,
}

impl<'s> Visit<'s> for Receivers<'_, '_> {
    fn visit_expr(&mut self, e: &'s syn::Expr) {
        use syn::Expr::*;
        match e {
            MethodCall(m) => self.receiver(&m.receiver),
            Index(i) => self.receiver(&i.expr),
            Unary(u) => self.receiver(&u.expr),
            ForLoop(f) => self.receiver(&f.expr),
            Binary(b) => {
                self.receiver(&b.left);
                self.receiver(&b.right);
            }
            Call(c) if is_conversion(&c.func) => c.args.iter().for_each(|arg| self.receiver(arg)),
            _ => {}
        }
        visit::visit_expr(self, e);
    }

    fn visit_item(&mut self, _: &'s syn::Item) {}
}

impl Receivers<'_, '_> {
    fn receiver(&mut self, e: &syn::Expr) {
        if let Some(place) = self.place(e) {
            let text = place.to_token_stream().to_string();
            if self.found.iter().all(|known| known.to_token_stream().to_string() != text) {
                self.found.push(place);
            }
        }
    }

    /// A passive variable of the function's, a constant, or a part of one.
    fn place(&self, e: &syn::Expr) -> Option<syn::Expr> {
        match strip_parens(e) {
            syn::Expr::Reference(r) => self.place(&r.expr),
            syn::Expr::Field(f) => {
                let base = self.place(&f.base)?;
                Some(syn::Expr::Field(syn::ExprField { base: Box::new(base), ..f.clone() }))
            }
            syn::Expr::Path(p) => match p.path.get_ident() {
                Some(name) => self.is_passive(name).then(|| syn::Expr::Path(p.clone())),
                None => Some(syn::Expr::Path(p.clone())),
            },
            _ => None,
        }
    }

    fn is_passive(&self, name: &Ident) -> bool {
        match self.leaks.names.get(&name.to_string()) {
            Some(var) => !self.leaks.lower.fact(*var).active,
            None => name.to_string().starts_with(char::is_uppercase),
        }
    }
}

/// `f64::from`, whose argument may be anything.
fn is_conversion(function: &syn::Expr) -> bool {
    let syn::Expr::Path(p) = strip_parens(function) else { return false };
    p.path.segments.len() > 1 && p.path.segments.last().is_some_and(|s| s.ident == "from")
}

#[cfg(test)]
mod tests {
    use crate::frontend::iterators::methods::{Carries, METHODS, Method};
    use crate::ir::visit::{blocks, each_passive};
    use crate::ir::{Block, Stmt};
    use crate::support::options::Options;

    /// Whether rustc is asked for a type somewhere.
    fn asks(block: &Block) -> bool {
        block.stmts.iter().any(|stmt| {
            let mut found = false;
            if let Stmt::Effect { .. } = stmt {
                each_passive(stmt, &mut |o| found |= o.tokens.to_string().contains("MadeOf"));
            }
            found || blocks(stmt).into_iter().any(asks)
        })
    }

    fn call(row: &Method) -> String {
        let args = match (row.args, row.carries) {
            (0, _) => "",
            (2, Carries::Folded | Carries::Scanned) => "0.0, |a, v| a",
            (2, _) => "2, |v| true",
            (_, Carries::Zipped | Carries::Either) => "2",
            _ => "|v| v",
        };
        format!("t.{}({args})", row.name)
    }

    #[test]
    fn the_result_is_asked_for_behind_the_last_statement() {
        let source = "fn f(x: f64) -> f64 { keep(x * x); let t = [0.5, 1.5]; t[1] + t.iter().sum::<f64>() }";
        let item: syn::ItemFn = syn::parse_str(source).expect("the function parses");
        let lowered = crate::frontend::lower::lower(&Options::default(), &item, None).expect("it is lowered");
        let last = lowered.body.stmts.last().cloned().expect("there are statements");
        assert!(asks(&Block { stmts: vec![last] }), "{:?}", lowered.body);
    }

    #[test]
    fn a_user_may_have_any_method_of_iterators() {
        for row in METHODS {
            let source = format!("fn f(x: f64) -> f64 {{ let t = T; keep(x * x); let v = {}; v * x }}", call(row));
            let item: syn::ItemFn = syn::parse_str(&source).expect("the function parses");
            let lowered = crate::frontend::lower::lower(&Options::default(), &item, None);
            assert!(lowered.map_or(true, |f| asks(&f.body)), "nobody asks what `t` is in\n{source}");
        }
    }
}
