//! What a reverse part that runs elsewhere needs again, and whether to recompute or to keep it.

use crate::ad::reverse::copy_elision::without_copies;
use crate::ad::reverse::cotangent_forwarding::hand_on;
use crate::ad::reverse::min_cut::Graph;
use crate::ad::reverse::{Reverse, Shape, defined};
use crate::ir::carriers::is_found;
use crate::ir::made_again::{chooses_references, makes_objects};
use crate::ir::purity::{collects_parts, constructs, makes, repeatable};
use crate::ir::symbols::is_mixed;
use crate::ir::visit::lent::lent_variables;
use crate::ir::visit::{Access, Vars, Visit, touched};
use crate::ir::*;
use crate::support::hash::{HashMap, HashSet};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeMap;

/// The two parts of a block, and what connects them.
#[derive(Clone)]
pub struct Split {
    /// The forward part.
    pub forward: Vec<Stmt>,
    /// The reverse part, where all it reads is available.
    pub reverse: Vec<Stmt>,
    /// What is computed again before it.
    pub recomputed: Vec<Stmt>,
    /// What is kept for it.
    pub frame: TapeFrame,
    /// For each statement of the source block, where its forward part ends.
    ends: Vec<usize>,
}

impl Split {
    /// Nothing to do in reverse.
    pub fn is_quiet(&self) -> bool {
        self.reverse.is_empty()
    }

    /// Neither part uses the tape by itself: its frames can lie side by side in a block.
    pub fn is_flat(&self) -> bool {
        self.frame.wholes.is_empty() && !uses_tape(&self.forward) && !uses_tape(&self.reverse)
    }

    /// The reverse part needs nothing that the forward part leaves.
    pub fn keeps_nothing(&self) -> bool {
        let TapeFrame { floats, words, wholes, .. } = &self.frame;
        floats.is_empty() && words.is_empty() && wholes.is_empty() && !uses_tape(&self.forward)
    }

    /// Floats and words per frame.
    pub fn widths(&self) -> Widths {
        Widths { floats: self.frame.floats.len(), words: self.frame.words.len(), tangents: 0 }
    }

    /// Where the forward part of the first `count` source statements ends.
    pub fn position_after(&self, count: usize) -> usize {
        if count == 0 { 0 } else { self.ends[count - 1] }
    }

    /// The parts, with the frame pushed and popped.
    pub fn with_tape(self) -> (Vec<Stmt>, Vec<Stmt>) {
        self.connected(Derived::PushFrame, Derived::PopFrame)
    }

    /// The parts, with the frame in the block of the loop around. It is written as soon as it is known: then what it holds may be
    /// computed with in place afterwards.
    pub fn with_block(self) -> (Vec<Stmt>, Vec<Stmt>) {
        let kept: Vars = self.frame.floats.iter().chain(&self.frame.words).copied().collect();
        let (mut forward, back) = self.connected(Derived::StoreFrame, Derived::LoadFrame);
        if let Some(Stmt::Derived(Derived::StoreFrame(_))) = forward.last() {
            let made = |s: &Stmt| touched(std::slice::from_ref(s), &[Access::Define, Access::Write]);
            let makes = |s: &Stmt| made(s).iter().any(|v| kept.contains(v));
            let known = forward.iter().rposition(makes).map_or(0, |at| at + 1);
            forward[known..].rotate_right(1);
        }
        (forward, back)
    }

    fn connected(self, keep: fn(TapeFrame) -> Derived, again: fn(TapeFrame) -> Derived) -> (Vec<Stmt>, Vec<Stmt>) {
        let Split { mut forward, reverse, recomputed, frame, .. } = self;
        let mut back = Vec::new();
        if !(frame.floats.is_empty() && frame.words.is_empty() && frame.wholes.is_empty()) {
            forward.push(Stmt::Derived(keep(frame.clone())));
            back.push(Stmt::Derived(again(frame)));
        }
        back.extend(recomputed);
        back.extend(reverse);
        (forward, back)
    }
}

/// A call that carries no derivative here has tangents in second order, with a tape of their own.
fn uses_tape(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match stmt {
        Stmt::Let { expr: Expr::Call(_), .. } => true,
        Stmt::Derived(d) => match d {
            Derived::PushFrame(_) | Derived::PopFrame(_) | Derived::Sweep(_) => true,
            Derived::Loop(l) => l.frame.is_some() || uses_tape(&l.on.body.stmts),
            Derived::Times { body, .. } | Derived::Guard { body, .. } => uses_tape(&body.stmts),
            _ => false,
        },
        other => crate::ir::visit::blocks(other).into_iter().any(|b| uses_tape(&b.stmts)),
    })
}

impl Reverse<'_> {
    /// The forward parts of a block's statements, the reverse part of each, and where the forward part of each ends.
    fn parts(&mut self, block: &Block) -> (Vec<Stmt>, Vec<Vec<Stmt>>, Vec<usize>) {
        let (mut forward, mut parts, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        let outer = std::mem::replace(&mut self.alive, false);
        for stmt in &block.stmts {
            let both = self.statement(stmt);
            forward.extend(both.forward);
            parts.push(both.reverse);
            ends.push(forward.len());
        }
        self.alive = outer;
        (forward, parts, ends)
    }

    /// Splits a block. `seeds` start the reverse part; `bound` are variables that the block gets
    /// from outside (a loop variable is available in reverse too, names bound by a pattern are not).
    pub fn split(&mut self, block: &Block, seeds: Vec<Stmt>, bound: &[Var]) -> Split {
        let (mut forward, parts, ends) = self.parts(block);
        let reverse: Vec<Stmt> = seeds.into_iter().chain(parts.into_iter().rev().flatten()).collect();
        if reverse.is_empty() {
            let frame = TapeFrame::default();
            return Split { forward, reverse, recomputed: Vec::new(), frame, ends };
        }
        let own = defined(&block.stmts);
        let mut reverse = self.introduce(reverse, &own, Shape::Kept);
        hand_on(&self.table, &mut reverse);
        without_copies(&self.table, &mut reverse);
        self.measure(&own, &reads(&reverse), &mut forward);
        let plan = self.plan(&forward, &reverse, bound);
        Split { forward, reverse, recomputed: plan.recomputed, frame: plan.frame, ends }
    }

    /// `let v_len = v.len()` where a shadow's length is asked for.
    fn measure(&mut self, own: &Vars, asked: &Vars, forward: &mut Vec<Stmt>) {
        for var in own {
            if let Some(length) = self.lengths.get(var) {
                let name = &self.table.info(*var).name;
                let mut passive = PassiveCode::literal(quote!(#name.len()));
                passive.shapes.insert(*var);
                forward.push(Stmt::Let { var: *length, expr: Expr::Passive(passive) });
            }
            if let Some(mold) = self.molds.get(var).copied().filter(|mold| asked.contains(mold)) {
                forward.push(self.molded(mold, &Place::var(*var)));
            }
        }
    }

    fn plan(&mut self, forward: &[Stmt], reverse: &[Stmt], bound: &[Var]) -> Plan {
        let makers = Makers::of(forward);
        let mut own = makers.own.clone();
        let loop_vars: Vars = self.loop_variables(bound);
        own.extend(bound.iter().filter(|v| !loop_vars.contains(v)));
        let (keep, recomputed) = self.fewest_kept(&own, &makers, reverse);
        let mut frame = self.frame(keep);
        let read = |stmts: &[Stmt]| touched(stmts, &[Access::Read]);
        let read: Vars = read(reverse).union(&read(&recomputed));
        let knows_shape = |ty: &Ty| matches!(ty, Ty::Library | Ty::Vec(_));
        let by_shape = |v: &&Var| (knows_shape(self.table.ty(**v)) || makers.by_rule.contains(v)) && !read.contains(v);
        frame.shapes = frame.wholes.iter().filter(by_shape).copied().collect();
        Plan { recomputed, frame }
    }

    /// The values that a reverse part wants: as few of them as possible are kept, and statements make the others again.
    fn fewest_kept(&self, own: &Vars, makers: &Makers<'_>, reverse: &[Stmt]) -> (Vars, Vec<Stmt>) {
        let (keep, again) = self.kept_or_recomputed(own, makers, reverse, &Vars::new());
        match self.tape_graph(&keep, &again, reverse).smaller_cut() {
            Some(cut) => self.kept_or_recomputed(own, makers, reverse, &cut),
            None => (keep, again),
        }
    }

    /// Kept numbers, and what is computed again from them.
    fn tape_graph(&self, keep: &Vars, again: &[Stmt], reverse: &[Stmt]) -> Graph {
        let (mut graph, read) = (Graph::default(), reads(reverse));
        for var in keep.iter().filter(|v| self.is_number(**v)) {
            let number = graph.value(*var, true, read.contains(var));
            graph.is_source(number);
        }
        let made = |stmt: &Stmt| if let Stmt::Let { var, .. } = stmt { Some(*var) } else { None };
        for var in again.iter().filter_map(made) {
            graph.value(var, self.is_number(var), read.contains(&var));
        }
        for stmt in again {
            let from = reads(std::slice::from_ref(stmt));
            made(stmt).into_iter().for_each(|var| from.iter().for_each(|from| graph.is_made_of(var, *from)));
        }
        graph
    }

    /// Whether the tape keeps the variable as one number.
    fn is_number(&self, var: Var) -> bool {
        *self.table.ty(var) == Ty::Float
    }

    /// The values that a reverse part wants: those to be kept, `cut` among them, and statements that make the others again.
    fn kept_or_recomputed(&self, own: &Vars, makers: &Makers<'_>, reverse: &[Stmt], cut: &Vars) -> (Vars, Vec<Stmt>) {
        let made_there = defined(reverse);
        let mut wanted: Vec<Var> = reads(reverse).into_iter().filter(|v| !made_there.contains(v)).collect();
        let (mut keep, mut again, mut computed) = (Vars::new(), BTreeMap::new(), Vars::new());
        while let Some(var) = wanted.pop() {
            if !own.contains(&var) || keep.contains(&var) || computed.contains(&var) {
                continue;
            }
            let made = || self.recomputation(var, makers).or_else(|| made_anew(var, makers, reverse));
            match (!cut.contains(&var)).then(made).flatten() {
                Some((at, stmt)) => {
                    computed.insert(var);
                    wanted.extend(reads(std::slice::from_ref(&stmt)));
                    again.insert(at, stmt);
                }
                None => _ = keep.insert(var),
            }
        }
        (keep, again.into_values().collect())
    }

    /// Loop variables are available in the reverse loop; what a pattern binds is not.
    fn loop_variables(&self, bound: &[Var]) -> Vars {
        bound.iter().copied().filter(|v| self.for_variables.contains(v)).collect()
    }

    fn frame(&mut self, keep: Vars) -> TapeFrame {
        let mut frame = TapeFrame { id: self.frame_id(), ..TapeFrame::default() };
        keep.into_iter().for_each(|var| self.list_for(var, &mut frame).push(var));
        frame
    }

    /// A new identity.
    pub fn frame_id(&mut self) -> FrameId {
        self.frames += 1;
        FrameId(self.frames)
    }

    /// The list of a frame that a variable belongs to.
    pub fn list_for<'r>(&self, var: Var, frame: &'r mut TapeFrame) -> &'r mut Vec<Var> {
        match self.table.ty(var) {
            Ty::Float => &mut frame.floats,
            Ty::Passive if !self.containers.contains(&var) => &mut frame.words,
            _ => &mut frame.wholes,
        }
    }

    /// The statement that can be executed to get the variable back, if there is one that costs
    /// less than keeping the value, and where the variable was defined.
    pub fn recomputation(&self, var: Var, makers: &Makers<'_>) -> Option<(usize, Stmt)> {
        let at = *makers.lets.get(&var)?;
        let stmt = &makers.forward[at];
        let Stmt::Let { expr, .. } = stmt else { return None };
        let lent = matches!(expr, Expr::Passive(o) if self.cannot_be_kept(var, o));
        let cheap = || self.stable.contains(&var) && (lent || is_cheap(expr) && !self.takes_part(stmt, makers));
        if self.given.contains(&var) || cheap() {
            return Some((at, stmt.clone()));
        }
        let place = self.stored.get(&var).filter(|place| makers.store(place, var))?;
        let index_is_there = makers.have_index_before(place, at);
        index_is_there.then(|| (at, Stmt::Let { var, expr: Expr::Operand(Operand::Place(place.clone())) }))
    }
}

impl Reverse<'_> {
    /// References, and objects.
    fn cannot_be_kept(&self, var: Var, o: &PassiveCode) -> bool {
        let written = self.table.info(var).written.as_ref();
        collects_parts(o) || is_found(o) || chooses_references(o) || makes_objects(o, written)
    }
}

/// What makes the values of a forward part, by variable.
pub struct Makers<'s> {
    forward: &'s [Stmt],
    /// What the part brings into its own scope.
    own: Vars,
    /// Where each variable gets its value.
    lets: HashMap<Var, usize>,
    /// Where each variable is brought into the scope the last time.
    last: HashMap<Var, usize>,
    /// Where it is stored as a whole, whichever way the part goes.
    stores: HashMap<Var, Vec<&'s Place>>,
    /// The results of rules that rustc finds.
    by_rule: HashSet<Var>,
}

impl<'s> Makers<'s> {
    pub fn of(forward: &'s [Stmt]) -> Self {
        let mut all = Makers {
            forward,
            own: defined(forward),
            lets: HashMap::default(),
            last: HashMap::default(),
            stores: HashMap::default(),
            by_rule: HashSet::default(),
        };
        forward.iter().enumerate().for_each(|(at, stmt)| all.note(at, stmt));
        all
    }

    fn note(&mut self, at: usize, stmt: &'s Stmt) {
        match stmt {
            Stmt::Let { var, .. } => _ = self.lets.entry(*var).or_insert(at),
            Stmt::Assign { place, op: Assign::Set, value, .. } => {
                value.as_var().into_iter().for_each(|var| self.stores.entry(var).or_default().push(place));
            }
            Stmt::Derived(Derived::Sweep(s)) if s.call.is_rule() => self.by_rule.extend(s.result),
            _ => {}
        }
        self.last.extend(defined(std::slice::from_ref(stmt)).into_iter().map(|var| (var, at)));
    }

    /// Where a variable gets its value.
    pub fn position(&self, var: Var) -> Option<usize> {
        self.lets.get(&var).copied()
    }

    /// Whether the variable is stored there, whichever way the part goes.
    fn store(&self, place: &Place, var: Var) -> bool {
        let key = crate::ir::place::key(place);
        self.stores.get(&var).is_some_and(|all| all.iter().any(|p| crate::ir::place::key(p) == key))
    }

    /// Whether the indices of a place are made of what is there before a statement.
    fn have_index_before(&self, place: &Place, at: usize) -> bool {
        let mut before = true;
        let is_there = |v: &Var| self.last.get(v).is_none_or(|last| *last < at);
        place.indices(&mut |i| before &= i.reads.iter().chain(&i.shapes).all(is_there));
        before
    }
}

impl Reverse<'_> {
    fn is_in_data(&self, place: &Place) -> bool {
        crate::ir::place::is_in_data(self.table.ty(place.root), &place.path)
    }

    /// Whether a `let` takes a part of a tuple that would have to be kept as a whole.
    fn takes_part(&self, stmt: &Stmt, makers: &Makers<'_>) -> bool {
        let answers = |o: &PassiveCode| names_member(o.tokens.clone()) || is_answer(&o.tokens);
        let member = matches!(stmt, Stmt::Let { expr: Expr::Passive(o), .. } if answers(o));
        let field = matches!(stmt, Stmt::Let { expr: Expr::Operand(Operand::Place(p)), .. } if self.is_in_data(p));
        let member = member || field;
        reads(std::slice::from_ref(stmt)).into_iter().any(|v| {
            let kept = || makers.own.contains(&v) && self.recomputation(v, makers).is_none();
            is_mixed(self.table.ty(v)) || member && kept()
        })
    }
}

/// `found.is_some()`: what an option answers is kept, where the option would have to be.
fn is_answer(tokens: &TokenStream) -> bool {
    const ANSWERS: &[&str] = &["is_some", "is_none"];
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    matches!(&trees[..], [.., TokenTree::Ident(name), TokenTree::Group(_)] if ANSWERS.iter().any(|answer| name == answer))
}

/// `.0`, `.name`
fn names_member(tokens: TokenStream) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_dot = |tree: Option<&TokenTree>| matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == '.');
    let is_call = |tree: Option<&TokenTree>| match tree {
        Some(TokenTree::Group(g)) => g.delimiter() == Delimiter::Parenthesis,
        Some(TokenTree::Punct(p)) => p.as_char() == ':',
        _ => false,
    };
    let is_member = |at: usize| match &trees[at] {
        TokenTree::Literal(l) => l.to_string().starts_with(|c: char| c.is_ascii_digit()),
        TokenTree::Ident(_) => !is_call(trees.get(at + 1)),
        _ => false,
    };
    let behind_dot = |at: usize| is_dot(trees.get(at - 1)) && !(at > 1 && is_dot(trees.get(at - 2)));
    (1..trees.len()).any(|at| behind_dot(at) && is_member(at))
        || trees.iter().any(|t| matches!(t, TokenTree::Group(g) if names_member(g.stream())))
}

struct Plan {
    recomputed: Vec<Stmt>,
    frame: TapeFrame,
}

/// What statements read and do not make themselves.
fn reads(stmts: &[Stmt]) -> Vars {
    let inner = touched(stmts, &[Access::Define]);
    let mut found = Vars::new();
    let mut note = |v, touch| {
        if matches!(touch, Access::Read | Access::Shape) && !inner.contains(&v) {
            found.insert(v);
        }
    };
    let mut visit = Visit(&mut note);
    stmts.iter().for_each(|s| visit.stmt(s));
    found
}

/// Cheaper to evaluate twice than to store and load.
/// The statement that makes another value of a variable which the reverse sweep only lends to calls: they do not look at it there.
fn made_anew(var: Var, makers: &Makers<'_>, reverse: &[Stmt]) -> Option<(usize, Stmt)> {
    let at = *makers.lets.get(&var)?;
    let makes = matches!(&makers.forward[at], Stmt::Let { expr: Expr::Passive(o), .. } if makes(o));
    let only_lent = || lent_variables(reverse).contains(&var) && !touched(reverse, &[Access::Read]).contains(&var);
    (makes && only_lent()).then(|| (at, makers.forward[at].clone()))
}

fn is_cheap(expr: &Expr) -> bool {
    match expr {
        Expr::Operand(_) => true,
        Expr::Op { op: Op::Neg | Op::Add | Op::Sub | Op::Mul | Op::StrongMul(_), .. } => true,
        Expr::Op { op: Op::Fn(name), .. } => {
            matches!(*name, "abs" | "max" | "min" | "mul_add" | "to_radians" | "to_degrees" | "copysign" | "clamp")
        }
        Expr::Passive(o) => repeatable(o) || constructs(o),
        Expr::Array(_) | Expr::Tuple(_) | Expr::Struct(_) => true,
        _ => false,
    }
}
