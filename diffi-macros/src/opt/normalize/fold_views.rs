//! Transpose folding (XLA): an operation on arrays reads through a view, which is no array of its own.
//!
//! In `a.dot(&b.t())` and `a.dot(&b.insert_axis(Axis(0)))` the view would be a copy, with a cotangent that is turned back. Here the
//! operation itself says how it reads its operands.

use crate::ir::visit::{Access, Vars, Visit, blocks_mut, touched};
use crate::ir::*;
use proc_macro2::TokenStream;
use quote::quote;

/// What a variable is a view of, and which.
#[derive(Clone)]
struct View {
    var: Var,
    of: Var,
    op: PassiveCode,
}

/// Rewrites a function.
pub fn fold_views(mut function: Function) -> Function {
    let mut seen = Vars::new();
    block(&mut function.body, &mut seen);
    if !seen.is_empty() {
        let mut used = Vars::new();
        used.extend(&touched(&function.body.stmts, &[Access::Read, Access::Shape, Access::Write]));
        Visit(&mut |v, _| _ = used.insert(v)).out(&function.result);
        let unused = &seen - &used;
        remove(&mut function.body, &unused);
    }
    function
}

/// Rewrites a block, and notes the views that products look through.
fn block(body: &mut Block, seen: &mut Vars) {
    let mut views: Vec<View> = Vec::new();
    for stmt in &mut body.stmts {
        blocks_mut(stmt).into_iter().for_each(|inner| block(inner, seen));
        if let Some(call) = product(stmt) {
            look_through(call, &views, seen);
        }
        let written = touched(std::slice::from_ref(stmt), &[Access::Write]);
        views.retain(|view| !written.contains(&view.of) && !written.contains(&view.var));
        views.extend(view(stmt));
    }
}

/// `let var = view of a whole variable`.
fn view(stmt: &Stmt) -> Option<View> {
    let Stmt::Let { var, expr: Expr::Call(call) } = stmt else { return None };
    let (op, CallArg::Ref(p)) = (operation(call, "One")?, call.args.get(1)?) else { return None };
    let known = ["Transpose", "InsertAxis"].iter().any(|name| names(&op.tokens, name));
    (known && p.path.is_empty()).then(|| View { var: *var, of: p.root, op: op.clone() })
}

/// A product of two arrays.
fn product(stmt: &mut Stmt) -> Option<&mut Call> {
    let Stmt::Let { expr: Expr::Call(call), .. } = stmt else { return None };
    operation(call, "Two").is_some_and(|op| names(&op.tokens, "Dot")).then_some(call)
}

fn look_through(call: &mut Call, views: &[View], seen: &mut Vars) {
    let of = |arg: &CallArg| match arg {
        CallArg::Ref(p) if p.path.is_empty() => views.iter().find(|view| view.var == p.root).cloned(),
        _ => None,
    };
    let sides = [of(&call.args[1]), of(&call.args[2])];
    if sides.iter().all(Option::is_none) {
        return;
    }
    for (arg, view) in call.args[1..].iter_mut().zip(&sides) {
        if let Some(view) = view {
            seen.insert(view.var);
            *arg = CallArg::Ref(Place::var(view.of));
        }
    }
    let CallArg::Passive(op) = &mut call.args[0] else { return };
    for view in sides.iter().flatten() {
        op.reads.extend(&view.op.reads);
        op.shapes.extend(&view.op.shapes);
    }
    let [left, right] = sides.map(|view| view.map_or(quote!(__d::library::op::Plain), |view| view.op.tokens));
    op.tokens = quote!(__d::library::op::DotOf(#left, #right));
}

/// The operation of a call of this handle.
fn operation<'c>(call: &'c Call, handle: &str) -> Option<&'c PassiveCode> {
    let Callee::Function(path) = &call.callee else { return None };
    match call.args.first()? {
        CallArg::Passive(op) if call.is_rule() && names(path, handle) => Some(op),
        _ => None,
    }
}

/// Whether a path ends in this name, whatever stands in parentheses behind it.
fn names(path: &TokenStream, name: &str) -> bool {
    let plain = path.clone().into_iter().filter_map(|tree| match tree {
        proc_macro2::TokenTree::Ident(name) => Some(name.to_string()),
        _ => None,
    });
    plain.last().is_some_and(|last| last == name)
}

fn remove(body: &mut Block, unused: &Vars) {
    body.stmts.retain(|stmt| view(stmt).is_none_or(|view| !unused.contains(&view.var)));
    for stmt in &mut body.stmts {
        blocks_mut(stmt).into_iter().for_each(|inner| remove(inner, unused));
    }
}
