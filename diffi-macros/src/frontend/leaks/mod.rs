//! Active values that passive code would keep.
//!
//! Passive code is the user's tokens. These may look at active values: compare, count, print and check them. Nothing of an active
//! value may stay behind in them, since no derivative follows it there: in a cell, behind a lock, in a channel, in a static, or as text
//! that is read as a number later. All tokens of the lowered function are walked through here, wherever they come from, so that
//! no other part of the front end has to think of it.
//!
//! A number that is stored is refused at the method that stores it. Text may be stored and printed; what holds some is noted, and a
//! number that is made of it is refused. A function that is not known may store what it is given in what it is given besides: where
//! another call makes a number of that, rustc has to see that there is no cell in it. It may store it in a static, too ([`told`]).

mod carried;
mod looked_at;
mod receivers;
mod tables;
mod tokens;
mod told;

use crate::frontend::state::context::Lower;
use crate::frontend::state::site::Site;
use crate::frontend::syntax::types::is_passive_scalar;
use crate::ir::visit::{blocks, blocks_mut, each_passive};
use crate::ir::*;
use crate::support::hash::HashMap;
use crate::support::names;
use carried::Carried;
use proc_macro2::Span;
use quote::quote_spanned;
use receivers::Numbers;
use std::collections::{BTreeMap, BTreeSet};
use tokens::Tokens;
pub use tokens::opens;
use told::{UnknownCall, has_call};

/// Refuses what passive code would keep of active values.
pub fn refuse_leaks(lower: &mut Lower, body: &mut Block, result: &Output) {
    let mut leaks = Leaks::new(lower);
    loop {
        let known = leaks.known();
        leaks.at = 0;
        leaks.pieces = Numbers::default();
        leaks.block(body);
        leaks.at += 1; // the result stands behind the last statement
        leaks.out(result);
        if leaks.known() == known {
            break;
        }
    }
    let mut found = std::mem::take(&mut leaks.found);
    found.extend(leaks.found_again());
    let asks_for_float_trait = leaks.asks_for_float_trait();
    let (checks, useful) = ([leaks.checks(), leaks.types_of_std()].concat(), leaks.useful());
    lower.found_useful.extend(useful);
    if asks_for_float_trait {
        lower.only_known_float_trait();
    }
    let mut last = 0;
    insert(body, &mut last, &checks);
    body.stmts.extend(checks.iter().filter(|(at, _)| *at > last).map(|(_, check)| check.clone()));
    // what another message speaks of stays in tokens, too
    let alone = lower.errors.is_empty();
    for leak in found {
        match leak {
            Leak::Changed(..) if !alone => {}
            Leak::Stored(span, by) => lower.errors.stored(span, &by),
            Leak::Changed(span, by) => lower.errors.changed_inside(span, &by),
            Leak::Text(span) => lower.errors.number_of_text(span),
            Leak::Error(span) => lower.errors.number_of_error(span),
            Leak::Macro(span, name) => lower.errors.unknown_macro(span, &name),
            Leak::FoundAgain { by: (span, name), told } => lower.errors.found_again(span, &name, &told),
            Leak::Capacity(span) => lower.errors.unsupported(span, "`capacity`", names::CAPACITY),
            Leak::Unsafe(span) => lower.errors.unsafe_code(span, "`unsafe`", "write safe Rust"),
        }
    }
}

/// What is refused.
enum Leak {
    /// A method, or an assignment, that stores an active value where no derivative is kept.
    Stored(Span, String),
    /// An assignment, or a method, that changes an active value inside code without a derivative.
    Changed(Span, String),
    /// Text of an active value, of which a number is made again.
    Text(Span),
    /// An error with an active value in it, of which a number is made again.
    Error(Span),
    /// A macro that hides what it does with an active value.
    Macro(Span, String),
    /// The capacity of a vector with active elements.
    Capacity(Span),
    /// An active value in an `unsafe` block.
    Unsafe(Span),
    /// A call that makes a number, perhaps of what an earlier one was told.
    FoundAgain { by: (Span, String), told: String },
}

/// What is known while the function is walked through.
struct Leaks<'a> {
    lower: &'a Lower,
    /// Variables by their placeholders in tokens.
    names: HashMap<String, Var>,
    /// What passive variables hold.
    held: BTreeMap<Var, Carried>,
    /// Statics that hold text of active values, and where it was written.
    statics: BTreeMap<String, Span>,
    /// Variables that a call is handed beside active values: the statement, and the call's name.
    beside: BTreeMap<Var, (usize, Span)>,
    /// Those of them of which another call makes a number.
    asked: BTreeSet<Var>,
    /// The statement at hand, counted from the function's beginning.
    at: usize,
    /// The loops around it, by the numbers of their statements.
    loops: Vec<usize>,
    /// The statement is one of a closure that has code of its own.
    inside: bool,
    found: Vec<Leak>,
    /// The calls that were taken for such that nothing asks for their derivatives.
    looked_at: Vec<Site>,
    /// Those of them whose values become numbers, by their places in this list.
    numbers: BTreeSet<usize>,
    /// Those of them that are told of active values.
    told: Vec<UnknownCall>,
    /// The calls of other functions that are not known.
    given: Vec<UnknownCall>,
    /// Those of them whose values become numbers, by their places in this list.
    numbers_given: BTreeSet<usize>,
    /// Passive code of which numbers are made.
    pieces: Numbers,
}

impl<'a> Leaks<'a> {
    fn new(lower: &'a Lower) -> Self {
        let named = lower.vars.iter().enumerate().map(|(at, info)| (info.name.to_string(), Var(at as u32)));
        Leaks {
            lower,
            names: named.collect(),
            held: BTreeMap::new(),
            statics: BTreeMap::new(),
            beside: BTreeMap::new(),
            asked: BTreeSet::new(),
            at: 0,
            loops: Vec::new(),
            inside: false,
            found: Vec::new(),
            looked_at: lower.looked_at.borrow().iter().cloned().collect(),
            numbers: BTreeSet::new(),
            told: Vec::new(),
            given: Vec::new(),
            numbers_given: BTreeSet::new(),
            pieces: Numbers::default(),
        }
    }

    fn known(&self) -> usize {
        let calls = self.told.len() + self.given.len() + self.numbers_given.len();
        self.held.len() + self.statics.len() + self.beside.len() + self.asked.len() + calls
    }

    /// Statements by which rustc sees that there is no cell in a variable, and in front of which statements they stand.
    fn checks(&self) -> Vec<(usize, Stmt)> {
        let asked = self.asked.iter().filter_map(|var| self.beside.get(var).map(|(at, span)| (*var, *at, *span)));
        let check = |(var, at, span): (Var, usize, Span)| {
            let place = PassiveCode::var(var, self.lower.info(var));
            let tokens = place.map(|v| quote_spanned!(span=> __d::Beside(&#v).unchanging();));
            (at, Stmt::Effect { tokens: PassiveCode { span, ..tokens }, writes: Default::default() })
        };
        asked.map(check).collect()
    }

    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.at += usize::from(!self.inside);
            self.stmt(stmt);
            let around = self.loops.len();
            if matches!(stmt, Stmt::For(_) | Stmt::While { .. }) {
                self.loops.push(self.at);
            }
            blocks(stmt).into_iter().for_each(|inner| self.block(inner));
            self.loops.truncate(around);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.numbers_of(stmt);
        match stmt {
            Stmt::Let { var, expr: Expr::Passive(o) } => {
                let mut carried = self.passive_code(o);
                carried.error = carried.error.or(self.lower.fact(*var).error.then_some(o.span));
                if self.is_scalar(*var) {
                    (carried.looked_at, carried.given) = (None, None);
                }
                self.holds(*var, carried);
                self.variables_of([*var], o);
            }
            Stmt::Let { var, expr: Expr::Struct(Literal { fields, .. }) } => {
                fields.iter().for_each(|(_, value)| self.member(*var, value));
            }
            Stmt::Let { var, expr: Expr::Tuple(members) } => members.iter().for_each(|value| self.member(*var, value)),
            Stmt::Assign { place, value, .. } if !self.lower.fact(place.root).active => self.member(place.root, value),
            Stmt::Switch { scrutinee, arms } => {
                let carried = self.passive_code(scrutinee);
                self.variables_of(arms.iter().flat_map(|arm| arm.binds.iter().copied()), scrutinee);
                arms.iter().for_each(|arm| arm.binds.iter().for_each(|var| self.holds(*var, carried)));
                each_passive(stmt, &mut |o| self.looked_at(o));
            }
            Stmt::If { .. } | Stmt::While { .. } | Stmt::For(_) => each_passive(stmt, &mut |o| self.looked_at(o)),
            Stmt::Effect { tokens, writes } => {
                self.variables_of(writes.iter().copied(), tokens);
                self.parsed(tokens, &mut |walk, block| walk.effects(block));
            }
            Stmt::Let { expr: Expr::Call(call), .. } => self.call(call),
            other => each_passive(other, &mut |o| self.number(o)),
        }
    }

    /// A call; closures that it is handed have code of their own, which is looked at in their place.
    fn call(&mut self, call: &Call) {
        let followed = |at: usize| call.handed.iter().find(|h| h.at == at).map(|h| &h.code);
        for (at, arg) in call.args.iter().enumerate() {
            match (followed(at), arg) {
                (Some(FunctionArgCode::Closure { function, .. }), _) => {
                    let before = std::mem::replace(&mut self.inside, true);
                    self.loops.push(self.at);
                    self.block(&function.body);
                    self.out(&function.result);
                    self.loops.pop();
                    self.inside = before;
                }
                (_, CallArg::Passive(o) | CallArg::Lent(o) | CallArg::Value(Operand::Passive(o))) => self.number(o),
                (_, CallArg::Ref(place) | CallArg::Mut(place) | CallArg::Value(Operand::Place(place))) => {
                    place.indices(&mut |o| self.looked_at(o));
                }
                (_, CallArg::Value(Operand::Made { .. })) => {}
            }
        }
    }

    fn out(&mut self, out: &Output) {
        match out {
            Output::Float(Operand::Passive(o)) => {
                self.becomes_number(o);
                self.number(o);
            }
            Output::Tuple(all) | Output::Array(all) => all.iter().for_each(|o| self.out(o)),
            Output::Passive(o) => self.looked_at(o),
            Output::Beside(y, aux) => {
                self.out(y);
                self.looked_at(aux);
            }
            Output::Maybe(maybe) => {
                self.looked_at(&maybe.present);
                maybe.failure.iter().for_each(|o| self.looked_at(o));
                self.out(&maybe.content);
            }
            _ => {}
        }
    }

    /// A part of what a variable gets.
    fn member(&mut self, var: Var, value: &Operand) {
        if let Operand::Passive(o) = value {
            let carried = self.passive_code(o);
            self.holds(var, carried);
            self.variables_of([var], o);
        }
    }

    /// Whether a variable is written with the type of an integer, a `bool` or a `char`: whatever gave its value gave no number.
    fn is_scalar(&self, var: Var) -> bool {
        let written = self.lower.info(var).written.clone();
        written.and_then(|ty| syn::parse2(ty).ok()).is_some_and(|ty| is_passive_scalar(&ty))
    }

    fn holds(&mut self, var: Var, carried: Carried) {
        if carried.is_hidden() {
            let held = self.held.entry(var).or_default();
            *held = held.with(carried.hidden());
        }
    }

    /// Tokens whose value nobody takes for a number with a derivative.
    fn looked_at(&mut self, o: &PassiveCode) {
        self.passive_code(o);
    }

    /// Tokens whose value is a number.
    fn number(&mut self, o: &PassiveCode) {
        let carried = self.passive_code(o);
        self.found.extend(carried.text.map(Leak::Text));
        self.found.extend(carried.error.map(Leak::Error));
        self.asked.extend(carried.kept);
    }

    /// What the value of tokens carries.
    fn passive_code(&mut self, o: &PassiveCode) -> Carried {
        self.parsed(o, &mut |walk, block| walk.block(block))
    }

    /// A walk through tokens. Those that mention nothing of interest are not parsed.
    fn parsed(
        &mut self,
        o: &PassiveCode,
        walk: &mut dyn FnMut(&mut Tokens<'_, 'a>, &syn::Block) -> Carried,
    ) -> Carried {
        let held = |var: &Var| self.held.contains_key(var) || self.beside.contains_key(var);
        let carries = |var: &Var| self.lower.fact(*var).active || held(var);
        let calls = || !self.told.is_empty() && has_call(&o.tokens);
        if !self.statics.is_empty() || o.reads.iter().any(carries) || calls() {
            let tokens = &o.tokens;
            if let Ok(block) = syn::parse2::<syn::Block>(quote::quote!({ #tokens })) {
                return walk(&mut Tokens::new(self), &block);
            }
        }
        Carried::default()
    }
}

/// Puts statements in front of those that they are for, by their numbers from the function's beginning.
fn insert(block: &mut Block, at: &mut usize, checks: &[(usize, Stmt)]) {
    if checks.is_empty() {
        return;
    }
    for mut stmt in std::mem::take(&mut block.stmts) {
        *at += 1;
        block.stmts.extend(checks.iter().filter(|(here, _)| here == at).map(|(_, check)| check.clone()));
        blocks_mut(&mut stmt).into_iter().for_each(|inner| insert(inner, at, checks));
        block.stmts.push(stmt);
    }
}
