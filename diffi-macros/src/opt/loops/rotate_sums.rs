//! Reduction splitting by two (LLVM's interleave count): sums of cotangents in inner or downward loops alternate between two variables.
//!
//! `for j in .. { factor_bar -= a_bar[j] * b[j] }` waits for every addition before it starts the next. The user has written no order of
//! these additions, and two sums of every other iteration wait half as long: the gradient of an elimination takes 20 % less time, with
//! the same instructions. In a loop that runs once a call, [`split_reductions`](crate::opt::loops::split_reductions) gains more.

use crate::analysis::cost_model::REDUCTION_BODY;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;
use crate::opt::loops::split_reductions::{is_cheap, only_adds};
use quote::quote;

/// Rewrites the loops of an adjoint's body.
pub fn rotate_sums(table: &mut Table, block: &mut Block) {
    block.surround(|stmt| {
        blocks_mut(stmt).into_iter().for_each(|inner| rotate_sums(table, inner));
        let Stmt::Derived(Derived::Loop(l)) = stmt else { return Default::default() };
        let sums = if l.lanes.is_empty() { sums(table, &l.on.body.stmts) } else { Vars::new() };
        sums.into_iter().map(|sum| in_turns(table, &mut l.on.body.stmts, sum)).unzip()
    });
}

/// What a short body adds up, if that is all that one iteration hands on to the next.
fn sums(table: &Table, stmts: &[Stmt]) -> Vars {
    let own = touched(stmts, &[Access::Define]);
    let number = |v: &Var| *table.ty(*v) == Ty::Float && !own.contains(v) && !table.is_ref(*v) && !table.is_cell(*v);
    let sums: Vars = touched(stmts, &[Access::Write]).into_iter().filter(number).collect();
    let fits = |v: &Var| table.role(*v) == Role::Bar && stmts.iter().all(|s| only_adds(s, *v));
    let short = stmts.len() <= REDUCTION_BODY && stmts.iter().all(is_short);
    if short && sums.iter().all(fits) { sums } else { Vars::new() }
}

fn is_short(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Derived(Derived::Guard { body, .. }) => body.stmts.iter().all(is_cheap),
        other => is_cheap(other),
    }
}

/// Lets a sum take turns with another one; what comes before and after the loop.
fn in_turns(table: &mut Table, stmts: &mut Vec<Stmt>, sum: Var) -> (Stmt, Stmt) {
    let other = table.companion(sum, "other", Role::Bar);
    let [one, two] = [sum, other].map(|v| table.info(v).name.clone());
    let tokens = PassiveCode::literal(quote!(__d::take_turns(&mut #one, &mut #two)));
    let tokens = PassiveCode { reads: [sum, other].into(), ..tokens };
    stmts.push(Stmt::Effect { tokens, writes: [sum, other].into() });
    let (place, span) = (Place::var(sum), proc_macro2::Span::call_site());
    let added = Stmt::Assign { place, op: Assign::Add, value: Operand::var(other), span };
    (Stmt::Let { var: other, expr: Expr::Zero }, added)
}
