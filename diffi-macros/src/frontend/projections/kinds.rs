//! Which methods return a reference into `self`, by their signatures.

use crate::frontend::syntax::types;
use crate::ir::{Base, Projection, Target, place};
use crate::support::syntax::{is_self, strip_parens};
use proc_macro2::{Ident, Span};
use syn::visit::Visit;

/// What a method of the type `owner` returns, if that is a reference to what may carry a derivative.
pub fn projection(signature: &syn::Signature, body: Option<&syn::Block>, owner: Option<&Ident>) -> Option<Projection> {
    let receiver = signature.receiver().filter(|r| r.reference.is_some() && r.colon_token.is_none())?;
    let syn::ReturnType::Type(_, ty) = &signature.output else { return None };
    let (reference, maybe) = reference(ty)?;
    let base = Base::Concrete(Ident::new("f64", Span::call_site()));
    if types::is_passive(&types::describe(&reference.elem, &base)) {
        return None;
    }
    let exclusive = reference.mutability.is_some();
    let of_self = matches!(&*reference.elem, syn::Type::Path(path) if path.path.is_ident("Self"));
    let ends = |body: &syn::Block| returns_self(body) || of_self && returns_chain(body);
    let own = exclusive && is_type(&reference.elem, owner) && body.is_none_or(ends);
    let target = match maybe {
        true => Target::Maybe,
        false if own => Target::Receiver,
        false => Target::Part,
    };
    let to = type_of(&reference.elem);
    (receiver.mutability.is_some() || !exclusive).then_some(Projection { target, exclusive, to })
}

/// What a function returns, if that is a reference into one of its arguments, and which.
pub fn of_function(signature: &syn::Signature) -> Option<(Projection, usize)> {
    let syn::ReturnType::Type(_, ty) = &signature.output else { return None };
    let (of, maybe) = reference(ty)?;
    let base = Base::Concrete(Ident::new("f64", Span::call_site()));
    let passive = types::is_passive(&types::describe(&of.elem, &base));
    let lends = |input: &syn::FnArg| match input {
        syn::FnArg::Typed(param) => match &*param.ty {
            syn::Type::Reference(r) => of.lifetime.is_none() || r.lifetime == of.lifetime,
            _ => false,
        },
        syn::FnArg::Receiver(_) => false,
    };
    let mut lenders = signature.inputs.iter().enumerate().filter(|(_, input)| lends(input)).map(|(k, _)| k);
    let from = lenders.next().filter(|_| !passive && lenders.next().is_none())?;
    let exclusive = of.mutability.is_some();
    let target = if maybe { Target::Maybe } else { Target::Part };
    Some((Projection { target, exclusive, to: type_of(&of.elem) }, from))
}

/// The name of a type, as an index says it.
pub fn type_of(ty: &syn::Type) -> Option<String> {
    place::type_name(&types::describe(ty, &Base::Concrete(Ident::new("f64", Span::call_site()))))
}

/// The reference that a type is, or that is in an `Option`; and whether it is.
pub fn reference(ty: &syn::Type) -> Option<(&syn::TypeReference, bool)> {
    match ty {
        syn::Type::Paren(p) => reference(&p.elem),
        syn::Type::Group(g) => reference(&g.elem),
        syn::Type::Reference(r) => Some((r, false)),
        ty => match types::option_of(ty)? {
            syn::Type::Reference(r) => Some((r, true)),
            _ => None,
        },
    }
}

/// Whether a type is the one that a block is for.
fn is_type(ty: &syn::Type, owner: Option<&Ident>) -> bool {
    let syn::Type::Path(path) = ty else { return false };
    let last = path.path.segments.last().map(|s| &s.ident);
    path.path.is_ident("Self") || last.is_some() && last == owner
}

/// Whether a body ends in `self`, wherever it does.
fn returns_self(body: &syn::Block) -> bool {
    !returns_another(body) && ends_in_self(body)
}

/// Whether a `return` gives something else than `self`.
fn returns_another(body: &syn::Block) -> bool {
    struct Another(bool);
    impl<'a> Visit<'a> for Another {
        fn visit_expr_return(&mut self, r: &'a syn::ExprReturn) {
            self.0 |= r.expr.as_ref().is_some_and(|e| !is_own(e));
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    let mut another = Another(false);
    another.visit_block(body);
    another.0
}

fn ends_in_self(body: &syn::Block) -> bool {
    match body.stmts.last() {
        Some(syn::Stmt::Expr(syn::Expr::Return(r), _)) => r.expr.as_ref().is_some_and(|e| is_self(strip_parens(e))),
        Some(syn::Stmt::Expr(e, None)) => is_own(e),
        _ => false,
    }
}

fn is_own(e: &syn::Expr) -> bool {
    match strip_parens(e) {
        syn::Expr::If(i) => ends_in_self(&i.then_branch) && i.else_branch.as_ref().is_some_and(|(_, e)| is_own(e)),
        syn::Expr::Match(m) => m.arms.iter().all(|arm| is_own(&arm.body)),
        syn::Expr::Block(b) => ends_in_self(&b.block),
        syn::Expr::Macro(m) => m.mac.path.is_ident("panic") || m.mac.path.is_ident("unreachable"),
        e => is_self(e),
    }
}

/// Whether a body ends in methods of `self`, one called on the value of the other.
fn returns_chain(body: &syn::Block) -> bool {
    let chain = matches!(body.stmts.last(), Some(syn::Stmt::Expr(e @ syn::Expr::MethodCall(_), None)) if is_chain(e));
    chain && !returns_another(body)
}

/// The method in the chain at a body's end that gives another place than its receiver, as far as a question about methods tells.
pub fn stray<'b>(body: &'b syn::Block, gives_receiver: &dyn Fn(&Ident) -> bool) -> Option<&'b Ident> {
    let Some(syn::Stmt::Expr(last, None)) = body.stmts.last() else { return None };
    let mut e = last;
    while let syn::Expr::MethodCall(m) = strip_parens(e) {
        if !gives_receiver(&m.method) {
            return Some(&m.method);
        }
        e = &m.receiver;
    }
    None
}

fn is_chain(e: &syn::Expr) -> bool {
    match strip_parens(e) {
        syn::Expr::MethodCall(m) => is_chain(&m.receiver),
        e => is_self(e),
    }
}

/// The function without its result, if it returns its receiver: what it changes is all that it does.
pub fn without_receiver(mut item: syn::ItemFn) -> syn::ItemFn {
    item.sig.output = syn::ReturnType::Default;
    drop_values(&mut item.block);
    item
}

fn drop_values(block: &mut syn::Block) {
    use syn::visit_mut::VisitMut;
    Returns.visit_block_mut(block);
    if let Some(syn::Stmt::Expr(last, semicolon @ None)) = block.stmts.last_mut() {
        match last {
            syn::Expr::If(i) => {
                drop_values(&mut i.then_branch);
                i.else_branch.iter_mut().for_each(|(_, other)| drop_value(other));
            }
            syn::Expr::Match(m) => m.arms.iter_mut().for_each(|arm| drop_value(&mut arm.body)),
            syn::Expr::Block(b) => drop_values(&mut b.block),
            syn::Expr::Macro(_) | syn::Expr::MethodCall(_) => *semicolon = Some(Default::default()),
            _ => drop(block.stmts.pop()),
        }
    }
}

fn drop_value(e: &mut syn::Expr) {
    if is_self(strip_parens(e)) {
        *e = syn::parse_quote!({});
        return;
    }
    let mut block: syn::Block = syn::parse_quote!({ #e });
    drop_values(&mut block);
    *e = syn::Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block });
}

/// `return self` gives nothing.
struct Returns;

impl syn::visit_mut::VisitMut for Returns {
    fn visit_expr_return_mut(&mut self, r: &mut syn::ExprReturn) {
        r.expr = None;
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
