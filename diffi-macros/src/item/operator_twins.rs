//! Operators that are implemented for values and for references, `Add for V` and `Add<&V> for &V`: they have one derivative, that of the
//! implementation for values.

use crate::frontend::inline::operators_of_values;
use crate::support::errors;
use crate::support::syntax::strip_parens;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

/// Whether an implementation for references does what the one for values does, which has the rule.
///
/// # Errors
///
/// If there are both, and they may differ.
pub fn is_twin(block: &syn::ItemImpl, method: &syn::ImplItemFn) -> syn::Result<bool> {
    let Some((_, path, _)) = &block.trait_ else { return Ok(false) };
    let Some(of) = path.segments.last() else { return Ok(false) };
    let Some(value) = operators_of_values(&block.self_ty, of) else { return Ok(false) };
    let same = text(&method.block.to_token_stream()) == text(&value.block.to_token_stream())
        && parameters(&method.sig) == parameters(&value.sig);
    let goes_on = |from: &syn::Signature, body: &syn::Block| hands_on(from, body);
    match same || goes_on(&method.sig, &method.block) || goes_on(&value.sig, &value.block) {
        true => Ok(true),
        false => Err(errors::operator_twice(&block.self_ty)),
    }
}

fn parameters(signature: &syn::Signature) -> Vec<String> {
    let names = signature.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(p) => Some(p.pat.to_token_stream().to_string()),
        syn::FnArg::Receiver(_) => None,
    });
    names.collect()
}

/// The words of a body, without what tells values from references.
fn text(tokens: &TokenStream) -> Vec<String> {
    let mut words = Vec::new();
    for tree in tokens.clone() {
        match tree {
            TokenTree::Group(group) => {
                words.push(format!("{:?}", group.delimiter()));
                words.extend(text(&group.stream()));
                words.push("end".to_owned());
            }
            TokenTree::Punct(p) if p.as_char() == '&' => {}
            tree => words.push(tree.to_string()),
        }
    }
    words
}

/// Whether a body applies the same operator to its operands: `*self + *other`, `self.clone().add(&other)`.
fn hands_on(signature: &syn::Signature, body: &syn::Block) -> bool {
    let [syn::Stmt::Expr(e, None)] = &body.stmts[..] else { return false };
    let others = parameters(signature);
    let is = |e: &syn::Expr, name: &str| operand(e).is_some_and(|found| found == name);
    match (strip_parens(e), &others[..]) {
        (syn::Expr::Binary(b), [other]) => {
            let name = crate::frontend::unannotated::operator_trait(&b.op).map(|(_, name)| name);
            name.is_some_and(|name| signature.ident == name) && is(&b.left, "self") && is(&b.right, other)
        }
        (syn::Expr::MethodCall(m), [other]) => {
            m.method == signature.ident && is(&m.receiver, "self") && m.args.first().is_some_and(|e| is(e, other))
        }
        (syn::Expr::Unary(u), []) => matches!(u.op, syn::UnOp::Neg(_)) && is(&u.expr, "self"),
        _ => false,
    }
}

/// The name that an operand is, or is a copy of, or leads to.
fn operand(e: &syn::Expr) -> Option<String> {
    match strip_parens(e) {
        syn::Expr::Path(p) => p.path.get_ident().map(ToString::to_string),
        syn::Expr::Reference(r) => operand(&r.expr),
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => operand(&u.expr),
        syn::Expr::MethodCall(m) if m.args.is_empty() && (m.method == "clone" || m.method == "to_owned") => {
            operand(&m.receiver)
        }
        _ => None,
    }
}
