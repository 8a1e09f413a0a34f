//! Arrays of an iteration that the reverse sweep reads again become rows of one array for all iterations.
//!
//! Keeping such an array would copy it to the tape and back. Where the reverse loop runs in the
//! scope of the forward loop, each iteration works in its own row instead, and nothing is copied.

use crate::ad::reverse::Reverse;
use crate::ad::reverse::tape_plan::Split;
use crate::ir::purity::cannot_fail;
use crate::ir::symbols::Role;
use crate::ir::visit::places::each_place;
use crate::ir::visit::{Access, Visit, blocks, touched};
use crate::ir::*;
use proc_macro2::TokenStream;
use quote::quote;

impl Reverse<'_> {
    /// Takes what can be spread out of the frame; declares the arrays for all iterations.
    pub fn spread(&mut self, on: &For, split: &mut Split, before: &mut Vec<Stmt>) {
        if on.until.is_some() || on.step.is_some() || on.inclusive {
            return;
        }
        let mut inside = touched(&on.body.stmts, &[Access::Define, Access::Write]);
        inside.insert(on.var);
        for var in split.frame.wholes.clone() {
            let Some(len) = self.made_with.get(&var).cloned() else { continue };
            if len.depends_on(&inside)
                || !cannot_fail(&len)
                || is_taken(&split.forward, var)
                || is_taken(&split.reverse, var)
            {
                continue;
            }
            if let Some(at) = split.forward.iter().position(|s| makes(s, var)) {
                self.spread_one(on, split, var, &len, at, before);
            }
        }
    }

    fn spread_one(
        &mut self,
        on: &For,
        split: &mut Split,
        var: Var,
        len: &PassiveCode,
        at: usize,
        before: &mut Vec<Stmt>,
    ) {
        let all = self.table.companion(var, "rows", Role::Primal);
        self.activity.note(all, self.activity.varied(var));
        before.push(Stmt::Let { var: all, expr: Expr::Scratch { len: self.product(iterations(on), len) } });
        self.table.retype(var, Ty::Slice(Box::new(Ty::Float)));
        self.table.set_ref(var);
        let row = Place { root: all, path: vec![self.row(on, len)] };
        let view = |exclusive| Stmt::Derived(Derived::View { var, place: row.clone(), exclusive, on: None });
        let made = std::mem::replace(&mut split.forward[at], view(true));
        if let Stmt::Let { expr: Expr::VecRepeat { value, .. }, .. } = made {
            split.forward.insert(at + 1, Stmt::Derived(Derived::Refill { var, len: None, with: Refill::Value(value) }));
        }
        split.recomputed.insert(0, view(false));
        split.frame.wholes.retain(|v| *v != var);
    }

    fn product(&self, mut count: PassiveCode, len: &PassiveCode) -> PassiveCode {
        let (n, m) = (&count.tokens, &len.tokens);
        count.tokens = quote!(#n * (#m));
        count.reads.extend(&len.reads);
        count.shapes.extend(&len.shapes);
        count
    }

    /// This iteration's part of the array for all iterations.
    fn row(&self, on: &For, len: &PassiveCode) -> Proj {
        let mut iteration = self.table.read(on.var);
        if on.lo.tokens.to_string() != "0" {
            let (i, lo) = (&iteration.tokens, &on.lo.tokens);
            iteration.tokens = quote!((#i - (#lo)));
            iteration.reads.extend(&on.lo.reads);
        }
        let lo = self.product(iteration.clone(), len);
        let mut next = iteration;
        let i = &next.tokens;
        next.tokens = quote!((#i + 1));
        let hi = self.product(next, len);
        Proj::Range(Some(lo), Some(hi))
    }
}

/// How many iterations a loop has.
fn iterations(on: &For) -> PassiveCode {
    let (lo, hi) = (&on.lo.tokens, &on.hi.tokens);
    let tokens: TokenStream = match lo.to_string() == "0" {
        true => quote!((#hi)),
        false => quote!((#lo..#hi).len()),
    };
    let mut count = PassiveCode { tokens, ..on.hi.clone() };
    count.reads.extend(&on.lo.reads);
    count.shapes.extend(&on.lo.shapes);
    count
}

fn makes(stmt: &Stmt, var: Var) -> bool {
    matches!(stmt, Stmt::Let { var: v, expr: Expr::VecRepeat { .. } | Expr::Scratch { .. } } if *v == var)
}

/// Whether a call or another variable takes the array as a whole: it may ask for a `Vec`.
fn is_taken(stmts: &[Stmt], var: Var) -> bool {
    stmts.iter().any(|stmt| match stmt {
        Stmt::Let { expr: Expr::Call(call), .. } => takes(call, var),
        Stmt::Derived(Derived::Sweep(s)) => takes(&s.call, var),
        Stmt::Push { value: Operand::Place(place), .. } => is_whole(place, var),
        other => {
            let mut whole = false;
            each_place(other, &mut |place, _| whole |= is_whole(place, var));
            whole || blocks(other).into_iter().any(|b| is_taken(&b.stmts, var))
        }
    })
}

fn is_whole(place: &Place, var: Var) -> bool {
    place.root == var && place.path.is_empty()
}

fn takes(call: &Call, var: Var) -> bool {
    let mut found = false;
    let expr = Expr::Call(call.clone());
    Visit(&mut |v, _| found |= v == var).expr(&expr);
    found
}
