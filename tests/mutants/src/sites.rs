//! The mistakes that could be made in a file.

use crate::mutant::{Change, Mutant};
use quote::ToTokens;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// All mutants of a file's functions; not in tests, constants and macros.
pub fn sites(file: &str, text: &str) -> Vec<Mutant> {
    let parsed = syn::parse_file(text).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut sites = Sites { file, text, function: String::new(), found: Vec::new() };
    sites.visit_file(&parsed);
    sites.found
}

struct Sites<'a> {
    file: &'a str,
    text: &'a str,
    function: String,
    found: Vec<Mutant>,
}

impl<'ast> Visit<'ast> for Sites<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if function.sig.constness.is_none() && !is_test(&function.attrs) {
            self.of_function(&function.sig, &function.block);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if function.sig.constness.is_none() && !is_test(&function.attrs) {
            self.of_function(&function.sig, &function.block);
        }
    }

    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}

    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}

    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}

    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_pat(&mut self, _: &'ast syn::Pat) {}

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        self.condition(&branch.cond);
        visit::visit_expr_if(self, branch);
    }

    fn visit_expr_while(&mut self, repeated: &'ast syn::ExprWhile) {
        if !matches!(*repeated.cond, syn::Expr::Let(_)) {
            self.expression("loop condition false", &repeated.cond, "false".into());
        }
        visit::visit_expr_while(self, repeated);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        self.binary(binary);
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if matches!(unary.op, syn::UnOp::Not(_)) {
            self.expression("negation dropped", unary, self.source(&*unary.expr));
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_match(&mut self, choice: &'ast syn::ExprMatch) {
        let catches_all = choice.arms.last().is_some_and(|arm| matches!(arm.pat, syn::Pat::Wild(_)));
        for (k, arm) in choice.arms.iter().enumerate() {
            match &arm.guard {
                Some((_, guard)) => {
                    self.expression("guard true", &**guard, "true".into());
                    self.expression("guard false", &**guard, "false".into());
                }
                None if catches_all && k + 1 < choice.arms.len() => {
                    let end = arm.pat.span().byte_range().end;
                    self.add("arm dropped", arm.pat.span(), end..end, Change::NoArm);
                }
                None => {}
            }
        }
        visit::visit_expr_match(self, choice);
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        for statement in &block.stmts {
            let syn::Stmt::Expr(value, Some(_)) = statement else { continue };
            let kind = match value {
                syn::Expr::Call(_) | syn::Expr::MethodCall(_) => "call dropped",
                syn::Expr::Assign(_) => "assignment dropped",
                syn::Expr::Binary(_) => "assignment dropped",
                syn::Expr::Return(_) => "return dropped",
                syn::Expr::Continue(_) | syn::Expr::Break(_) => "jump dropped",
                _ => continue,
            };
            self.add(kind, statement.span(), statement.span().byte_range(), Change::NoStatement);
        }
        visit::visit_block(self, block);
    }
}

impl Sites<'_> {
    fn of_function(&mut self, sig: &syn::Signature, block: &syn::Block) {
        let outer = std::mem::replace(&mut self.function, sig.ident.to_string());
        if !block.stmts.is_empty() {
            let at = block.brace_token.span.open().byte_range().end;
            for value in values(&sig.output) {
                self.add(value.0, sig.ident.span(), at..at, Change::Return(value.1.into()));
            }
        }
        self.visit_block(block);
        self.function = outer;
    }

    /// The operands of a chain of `&&` that are no patterns.
    fn condition(&mut self, condition: &syn::Expr) {
        match condition {
            syn::Expr::Let(_) => {}
            syn::Expr::Binary(b) if has_let(condition) => {
                self.condition(&b.left);
                self.condition(&b.right);
            }
            _ => {
                self.expression("condition true", condition, "true".into());
                self.expression("condition false", condition, "false".into());
            }
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary) {
        use syn::BinOp::{Add, And, Eq, Ge, Gt, Le, Lt, Mul, Ne, Or, Sub};
        if has_let(&binary.left) || has_let(&binary.right) {
            return;
        }
        let others: &[(&'static str, &str)] = match binary.op {
            Lt(_) => &[("< is <=", "<="), ("< is >", ">")],
            Le(_) => &[("<= is <", "<")],
            Gt(_) => &[("> is >=", ">="), ("> is <", "<")],
            Ge(_) => &[(">= is >", ">")],
            Eq(_) => &[("== is !=", "!=")],
            Ne(_) => &[("!= is ==", "==")],
            And(_) => &[("&& is ||", "||")],
            Or(_) => &[("|| is &&", "&&")],
            Add(_) => &[("+ is -", "-")],
            Sub(_) => &[("- is +", "+")],
            Mul(_) => &[("* is +", "+")],
            _ => &[],
        };
        for (kind, operator) in others {
            let other = format!("({}) {operator} ({})", self.source(&*binary.left), self.source(&*binary.right));
            self.expression(kind, binary, other);
        }
    }

    fn expression(&mut self, kind: &'static str, of: &impl Spanned, other: String) {
        let span = of.span();
        self.add(kind, span, span.byte_range(), Change::Expression(other));
    }

    fn add(&mut self, kind: &'static str, span: proc_macro2::Span, range: Range<usize>, change: Change) {
        let (file, function) = (self.file.to_owned(), self.function.clone());
        self.found.push(Mutant { file, line: span.start().line, function, kind, range, change });
    }

    fn source(&self, of: &impl Spanned) -> String {
        self.text[of.span().byte_range()].to_owned()
    }
}

/// Values that a function could return at once.
fn values(output: &syn::ReturnType) -> &'static [(&'static str, &'static str)] {
    let syn::ReturnType::Type(_, ty) = output else { return &[("body empty", "")] };
    let text = ty.to_token_stream().to_string().replace(' ', "");
    let is = |starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
    match text.as_str() {
        "bool" => &[("body true", "true"), ("body false", "false")],
        "usize" | "u32" | "u64" | "i32" | "i64" | "isize" | "i128" => &[("body 0", "0"), ("body 1", "1")],
        "Result<()>" | "syn::Result<()>" => &[("body ok", "Ok(())")],
        _ if is(&["Option<", "syn::Result<Option<"]) && !is(&["syn::"]) => &[("body none", "None")],
        _ if is(&[
            "Vec<",
            "String",
            "TokenStream",
            "Set<",
            "Map<",
            "HashMap<",
            "HashSet<",
            "BTree",
            "VarSet",
            "Block",
        ]) =>
        {
            &[("body default", "Default::default()")]
        }
        _ => &[],
    }
}

fn has_let(condition: &syn::Expr) -> bool {
    match condition {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => has_let(&b.left) || has_let(&b.right),
        _ => false,
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| a.path().is_ident("test") || a.to_token_stream().to_string().contains("test"))
}
