//! Forward substitution (Allen & Kennedy 4): a number that is read once is written where it is read.
//!
//! `let flow = y_bar * x; x_bar += flow;` becomes `x_bar += y_bar * x;`, and a copy of a variable becomes that variable. The operations
//! stay, and so does their order around writes to memory. Fewer statements remain, and rustc infers, checks and describes every one.

use crate::ad::forward::Forward;
use crate::analysis::cost_model::{SUBSTITUTED_OPERATIONS, SUBSTITUTION_DISTANCE};
use crate::ir::symbols::Table;
use crate::ir::visit::operands::{each_operand, operands, touches_operand};
use crate::ir::visit::{Access, Vars, Visit, blocks_mut, touches};
use crate::ir::*;
use crate::support::hash::HashMap;

/// A body on its way to be written.
pub struct Body<'a> {
    pub table: &'a Table,
    pub block: &'a mut Block,
    /// The tangents of variables, where there are any.
    pub dots: Option<&'a HashMap<Var, Var>>,
    /// What the function returns.
    pub results: Vec<&'a Output>,
}

impl<'a> Body<'a> {
    /// One that tangents were added to, that of the result among them.
    pub fn of_tangents(pass: &'a Forward<'_>, block: &'a mut Block, value: &'a Output, dot: &'a Output) -> Self {
        Body { table: &pass.table, block, dots: Some(&pass.dots), results: vec![value, dot] }
    }

    /// One of an adjoint.
    pub fn of_adjoint(table: &'a Table, block: &'a mut Block, value: &'a Output) -> Self {
        Body { table, block, dots: None, results: vec![value] }
    }

    fn mentions(&mut self) -> Vec<Mention> {
        Mention::all(self.table, self.block, &self.results)
    }
}

/// Rewrites bodies. They treat the variables of the user's function, of which there are `own`, and their tangents
/// alike, so that statements that are the same in several bodies stay the same.
pub fn forward_substitute(own: usize, bodies: &mut [Body<'_>]) {
    for body in bodies.iter_mut() {
        let mentions = body.mentions();
        Names { table: body.table, of: vec![None; mentions.len()], mentions }.block(body.block);
    }
    // sums are numbers like others once they are written as such
    for _ in 0..2 {
        let mut all: Vec<Vec<Mention>> = bodies.iter_mut().map(Body::mentions).collect();
        alike(own, bodies, &mut all);
        for (Body { table, block, .. }, mentions) in bodies.iter_mut().zip(all) {
            Folding { table, mentions, some: None }.block(block);
        }
    }
}

/// The same for some numbers of one body, which is left as it is but for them.
pub fn fold_some(table: &Table, block: &mut Block, result: &Output, some: &Vars) {
    let mentions = Mention::all(table, block, &[result]);
    Folding { table, mentions, some: Some(some) }.block(block);
}

/// What is read several times in one of the bodies stays a variable in all of them.
fn alike(own: usize, bodies: &[Body<'_>], all: &mut [Vec<Mention>]) {
    let of = |body: &Body<'_>, var: usize, dot: bool| match dot {
        false => Some(var),
        true => body.dots.and_then(|dots| dots.get(&Var(var as u32))).map(|v| v.0 as usize),
    };
    for (var, dot) in (0..own).flat_map(|var| [(var, false), (var, true)]) {
        let here: Vec<Option<usize>> = bodies.iter().map(|body| of(body, var, dot)).collect();
        let several = |(mentions, at): (&Vec<Mention>, &Option<usize>)| {
            at.is_some_and(|at| mentions[at].defined > 0 && !mentions[at].is_once())
        };
        if all.iter().zip(&here).any(several) {
            all.iter_mut().zip(here).for_each(|(mentions, at)| at.into_iter().for_each(|at| mentions[at].kept = true));
        }
    }
}

/// Where a variable stands.
#[derive(Clone, Copy, Default)]
struct Mention {
    defined: usize,
    read: usize,
    /// Of the reads: those of the whole variable as an operand.
    operand: usize,
    /// How often it is changed.
    changed: usize,
    /// Whether it has to stay a variable.
    kept: bool,
}

impl Mention {
    /// Whether the variable is an operand as often as it is defined, and nothing else but a sum before.
    fn is_once(self) -> bool {
        (self.read, self.operand, self.kept) == (self.defined, self.defined, false)
    }

    fn all(table: &Table, block: &mut Block, results: &[&Output]) -> Vec<Mention> {
        let mut all = vec![Mention::default(); table.vars().len()];
        let mut note = |v: Var, touch| {
            let mention = &mut all[v.0 as usize];
            match touch {
                Access::Define => mention.defined += 1,
                Access::Read => mention.read += 1,
                Access::Write => mention.changed += 1,
                Access::Shape => mention.kept = true,
            }
        };
        Visit(&mut note).block(block);
        results.iter().for_each(|out| Visit(&mut note).out(out));
        each_operand(block, &mut |o| {
            if let Some(v) = o.as_var() {
                all[v.0 as usize].operand += 1;
            }
        });
        all
    }
}

/// Variables that are others under new names.
struct Names<'a> {
    table: &'a Table,
    mentions: Vec<Mention>,
    /// By variable: which one it is.
    of: Vec<Option<Var>>,
}

impl Names<'_> {
    fn block(&mut self, block: &mut Block) {
        block.stmts.retain_mut(|stmt| {
            for operand in operands(stmt) {
                if let Some(other) = operand.as_var().and_then(|v| self.of[v.0 as usize]) {
                    *operand = Operand::var(other);
                }
            }
            blocks_mut(stmt).into_iter().for_each(|inner| self.block(inner));
            match stmt {
                Stmt::Let { var, expr: Expr::Operand(value) } => match value.as_var() {
                    Some(other) if self.is_name(*var, other) => {
                        self.of[var.0 as usize] = Some(other);
                        false
                    }
                    _ => true,
                },
                _ => true,
            }
        });
    }

    fn is_name(&self, var: Var, of: Var) -> bool {
        let [own, other] = [var, of].map(|v| self.mentions[v.0 as usize]);
        let only_read = !own.kept && own.changed == 0 && own.defined == 1 && own.read == own.operand;
        only_read
            && !other.kept
            && other.changed == 0
            && other.defined <= 1
            && self.table.role(var) == self.table.role(of)
            && [var, of].iter().all(|v| is_number(self.table, *v))
    }
}

/// A float that is there by itself, not behind a reference.
fn is_number(table: &Table, var: Var) -> bool {
    *table.ty(var) == Ty::Float && !table.is_ref(var) && !table.is_cell(var)
}

/// Numbers that are read once.
struct Folding<'a> {
    table: &'a Table,
    mentions: Vec<Mention>,
    /// Which of them alone, if not all.
    some: Option<&'a Vars>,
}

/// How often the statements behind the one at hand read the variables that are defined several times.
struct Reads(HashMap<Var, usize>);

impl Reads {
    fn of(mentions: &[Mention], stmts: &[Stmt]) -> Self {
        let mut all = HashMap::default();
        let mut note = |v: Var, touch| {
            if touch == Access::Read && mentions[v.0 as usize].defined > 1 {
                *all.entry(v).or_default() += 1;
            }
        };
        stmts.iter().for_each(|stmt| Visit(&mut note).stmt(stmt));
        Reads(all)
    }

    /// Goes on behind a statement.
    fn pass(&mut self, stmt: &Stmt) {
        if !self.0.is_empty() {
            Visit(&mut |v, touch| self.add(v, touch, -1)).stmt(stmt);
        }
    }

    /// The expression goes to where its variable is read.
    fn carry(&mut self, var: Var, expr: &Expr) {
        self.add(var, Access::Read, -1);
        Visit(&mut |v, touch| self.add(v, touch, 1)).expr(expr);
    }

    fn add(&mut self, var: Var, touch: Access, more: isize) {
        if let Some(count) = self.0.get_mut(&var).filter(|_| touch == Access::Read) {
            *count = count.saturating_add_signed(more);
        }
    }

    fn are_one(&self, var: Var) -> bool {
        self.0.get(&var) == Some(&1)
    }
}

/// A number on its way to where it is read.
struct Carried<'a> {
    var: Var,
    expr: &'a Expr,
    /// Whether it is the start of a sum, and goes to where that is added to.
    is_sum: bool,
    reads: Vars,
    /// Whether it is made of what lies in memory.
    loads: bool,
}

impl Folding<'_> {
    fn block(&self, block: &mut Block) {
        block.stmts.iter_mut().flat_map(blocks_mut).for_each(|inner| self.block(inner));
        let mut reads = Reads::of(&self.mentions, &block.stmts);
        let (mut rest, mut stays) = (&mut block.stmts[..], Vec::new());
        while let Some((stmt, behind)) = rest.split_first_mut() {
            reads.pass(stmt);
            let reader = self.carried(stmt, &reads).and_then(|c| self.reader(&c, behind));
            stays.push(reader.is_none());
            if let Some(distance) = reader
                && let Stmt::Let { var, expr } = std::mem::replace(stmt, Stmt::Declare { var: Var(0) })
            {
                reads.carry(var, &expr);
                put(var, expr, &mut behind[distance]);
            }
            rest = behind;
        }
        let mut stays = stays.into_iter();
        block.stmts.retain(|_| stays.next().unwrap_or(true));
    }

    fn carried<'s>(&self, stmt: &'s Stmt, reads: &Reads) -> Option<Carried<'s>> {
        let Stmt::Let { var, expr } = stmt else { return None };
        let mention = self.mentions[var.0 as usize];
        let is_sum = mention.changed > 0;
        let is_once = || mention.is_once() && (mention.defined == 1 || reads.are_one(*var));
        let is_left = self.some.is_some_and(|some| !some.contains(var));
        if is_left || !is_number(self.table, *var) || !(is_sum || is_once()) {
            return None;
        }
        let loads = match expr {
            Expr::Op { args, .. } => args.iter().any(|o| self.loads(o)),
            Expr::Operand(o) => self.loads(o),
            Expr::Zero => false,
            _ => return None,
        };
        let mut reads = Vars::new();
        Visit(&mut |v, _| reads.extend([v])).expr(expr);
        Some(Carried { var: *var, expr, is_sum, reads, loads })
    }

    fn loads(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Place(p) => !p.path.is_empty() || !is_number(self.table, p.root),
            Operand::Passive(o) => !is_literal(o),
            Operand::Made { args, .. } => args.iter().any(|o| self.loads(o)),
        }
    }

    /// How many statements further on the number is read, if it may be made there.
    fn reader(&self, carried: &Carried<'_>, stmts: &[Stmt]) -> Option<usize> {
        for (distance, stmt) in stmts.iter().enumerate().take(SUBSTITUTION_DISTANCE) {
            match carried.fits(stmt) {
                Some(fits) => return fits.then_some(distance),
                None if !self.passes(carried, stmt) || carried.is_sum && touches(stmt, carried.var) => return None,
                None => {}
            }
        }
        None
    }

    /// Whether the number may as well be made after the statement.
    fn passes(&self, carried: &Carried<'_>, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Let { expr: Expr::Op { args, .. }, .. } => args.iter().all(is_quiet),
            Stmt::Let { expr: Expr::Operand(o), .. } => is_quiet(o),
            Stmt::Let { expr: Expr::Zero, .. } | Stmt::Declare { .. } => true,
            Stmt::Assign { place, value, .. } if is_quiet(value) => {
                let stores = !place.path.is_empty() || !is_number(self.table, place.root);
                !(carried.reads.contains(&place.root) || stores && carried.loads)
            }
            _ => false,
        }
    }
}

impl Carried<'_> {
    /// Whether the number may be made in the statement; none if that does not read it.
    fn fits(&self, stmt: &Stmt) -> Option<bool> {
        let reads = |o: &Operand| o.as_var() == Some(self.var);
        match stmt {
            Stmt::Assign { place, op, value, .. } if self.is_sum && place.root == self.var => {
                let added = *op != Assign::Set && place.path.is_empty() && !touches_operand(value, self.var);
                Some(added && self.is_operand() && size(value) + self.size() < SUBSTITUTED_OPERATIONS)
            }
            _ if self.is_sum => None,
            Stmt::Let { expr: Expr::Operand(o), .. } if reads(o) => Some(true),
            Stmt::Let { expr: Expr::Op { args, .. }, .. } if args.iter().any(reads) => {
                Some(self.is_operand() && args.iter().map(size).sum::<usize>() + self.size() <= SUBSTITUTED_OPERATIONS)
            }
            Stmt::Assign { place, op, value, .. } if reads(value) => {
                let whole = *op == Assign::Set && matches!(self.expr, Expr::Operand(_));
                Some((self.is_operand() || whole) && !self.reads.contains(&place.root))
            }
            _ => None,
        }
    }

    fn size(&self) -> usize {
        match self.expr {
            Expr::Op { args, .. } => 1 + args.iter().map(size).sum::<usize>(),
            _ => 0,
        }
    }

    /// Whether it may be part of an operation, where nothing else says what its type is.
    fn is_operand(&self) -> bool {
        match self.expr {
            Expr::Operand(Operand::Passive(o)) => is_literal(o),
            Expr::Zero => false,
            _ => true,
        }
    }
}

/// Writes the number where the statement reads it. One that a sum starts with goes to what is added to it.
fn put(var: Var, number: Expr, stmt: &mut Stmt) {
    match stmt {
        Stmt::Assign { place, op, value, span } if place.root == var && place.path.is_empty() => {
            let op = if *op == Assign::Add { Op::Add } else { Op::Sub };
            let args = vec![operand(number), value.clone()];
            *stmt = Stmt::Let { var, expr: Expr::Op { op, args, span: *span } };
        }
        Stmt::Let { expr: expr @ Expr::Operand(_), .. } => *expr = number,
        other => {
            if let Some(read) = operands(other).iter_mut().find(|o| o.as_var() == Some(var)) {
                *read = operand(number);
            }
        }
    }
}

fn operand(expr: Expr) -> Operand {
    match expr {
        Expr::Operand(o) => o,
        Expr::Op { op, args, .. } => Operand::Made { op, args },
        other => unreachable!("no operand: {other:?}"),
    }
}

/// How many operations an operand is made by.
fn size(operand: &Operand) -> usize {
    match operand {
        Operand::Made { args, .. } => 1 + args.iter().map(size).sum::<usize>(),
        _ => 0,
    }
}

/// Whether nothing changes that is read elsewhere.
fn is_quiet(operand: &Operand) -> bool {
    match operand {
        Operand::Passive(o) => is_literal(o) || crate::ir::purity::repeatable(o),
        _ => true,
    }
}

/// One word.
fn is_literal(o: &PassiveCode) -> bool {
    if !o.reads.is_empty() {
        return false;
    }
    let mut trees = o.tokens.clone().into_iter();
    matches!((trees.next(), trees.next()), (Some(proc_macro2::TokenTree::Literal(_)), None))
}
