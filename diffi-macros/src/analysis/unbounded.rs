//! Where the chain rule may multiply by what is infinite or no number, though all arguments of the function are numbers.
//!
//! A root has no derivative at zero and no value below. Where the cotangent of such a value is zero, as nothing selected it, the product is
//! to be zero: the strong zero of [`Op::StrongMul`]. What the analysis cannot see, as the value of a call, counts where a choice may drop it.

use crate::analysis::influence::{droppable, leading_to};
use crate::analysis::signs::{Sign, Signs, exponent, literal};
use crate::ir::visit::{Access, Vars, Visit, blocks};
use crate::ir::*;
use diffi_rules::Kind;

/// What may be infinite or no number.
#[derive(Clone, Default)]
pub struct Unbounded {
    signs: Signs,
    /// Variables whose values may be.
    values: Vars,
    /// Variables and containers that may hold such values, and results of calls.
    holders: Vars,
    /// Variables whose values a choice may drop.
    droppable: Vars,
    /// Variables whose values lead into a value with an infinite slope.
    rooted: Vars,
    /// Variables whose tangents may be infinite, while their values are numbers.
    steep: Vars,
    /// Variables whose tangents may be.
    tangents: Vars,
    /// Variables whose values and tangents exceed all numbers for large arguments.
    growing: Vars,
}

/// Functions whose partial derivatives are finite wherever their arguments are.
const BOUNDED: &[&str] = &["sin", "cos", "tanh", "atan", "mul_add", "asinh", "powi"];
/// Functions that exceed all numbers for large arguments, as their derivatives do.
const GROWING: &[&str] = &["exp", "exp2", "exp_m1", "sinh", "cosh"];
/// Functions that have a value and a slope for every argument, though the latter is a quotient.
const SMOOTH: &[&str] = &["hypot", "atan2"];
/// Functions that have values where their slopes are infinite.
const VERTICAL: &[&str] = &["sqrt", "cbrt", "powf", "asin", "acos", "acosh"];
/// Piecewise linear functions of which a partial derivative is a quotient.
const REMAINDERS: &[&str] = &["rem", "rem_euclid"];
/// Functions of which some arguments are outside of the domain.
const PARTIAL: &[&str] = &["sqrt", "powf", "ln", "ln_1p", "log2", "log10", "log", "asin", "acos", "acosh", "atanh"];

impl Unbounded {
    /// Of a function, whose arguments are numbers.
    pub fn of(function: &Function) -> Self {
        let mut found = Unbounded { signs: Signs::of(function), ..Unbounded::default() };
        found.rooted = leading_to(function, &|op, args| found.is_vertical(op, args));
        found.droppable = droppable(function);
        while found.block(&function.body) {}
        found
    }

    /// The signs of values.
    pub fn signs(&self) -> &Signs {
        &self.signs
    }

    /// Whether the partial derivative of `answer` by its argument `of`, or what it is made of, may be infinite or no number.
    pub fn partial(&self, answer: Var, op: &Op, args: &[Operand], of: usize) -> bool {
        let dropped = self.droppable.contains(&answer);
        let doubtful = |o: &Operand| is_in(o, &self.values) || dropped && self.is_held(o);
        match (op, of) {
            (Op::Mul | Op::Fn("mul" | "mul_add"), 0 | 1) => doubtful(&args[1 - of]),
            (Op::Div, _) if dropped && matches!(&args[1], Operand::Passive(o) if literal(o).is_none()) => true,
            _ => self.is_steep(op, args) || args.iter().any(doubtful),
        }
    }

    /// Whether the cotangent of a variable may be infinite, while its value is a number.
    pub fn cotangent(&self, var: Var) -> bool {
        self.rooted.contains(&var)
    }

    /// Whether an operation has an infinite slope where its value is a number.
    pub fn is_vertical(&self, op: &Op, args: &[Operand]) -> bool {
        matches!(op, Op::Fn(name) if VERTICAL.contains(name)) && self.is_steep(op, args)
    }

    /// Follows infinite slopes through the statements of an adjoint.
    pub fn follow(&mut self, block: &Block) {
        while !self.steep.is_empty() && self.steep_in(block) {}
    }

    /// Whether the tangent may be infinite, while the value is a number; of cotangents, too, where they were followed.
    pub fn is_followed(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Place(p) if self.steep.contains(&p.root))
    }

    /// Whether the value may be infinite or no number, as that of an element or of a call.
    fn is_held(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Place(p) if self.holders.contains(&p.root))
    }

    /// Whether the tangent may be infinite or no number.
    pub fn tangent(&self, operand: &Operand) -> bool {
        is_in(operand, &self.tangents)
    }

    /// Whether value and tangent exceed all numbers for large arguments.
    pub fn grows(&self, operand: &Operand) -> bool {
        is_in(operand, &self.growing)
    }

    fn block(&mut self, block: &Block) -> bool {
        let mut changed = false;
        for stmt in &block.stmts {
            changed |= self.stmt(stmt);
            blocks(stmt).into_iter().for_each(|inner| changed |= self.block(inner));
        }
        changed
    }

    fn steep_in(&mut self, block: &Block) -> bool {
        let mut changed = false;
        for stmt in &block.stmts {
            changed |= gains(stmt, &mut self.steep);
            blocks(stmt).into_iter().for_each(|inner| changed |= self.steep_in(inner));
        }
        changed
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        self.single(stmt) | self.held(stmt)
    }

    /// Containers of what may be no number, and results of calls.
    fn held(&mut self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Let { var, expr: Expr::Call(_) } => self.holders.insert(*var),
            Stmt::Let { var, .. } if self.values.contains(var) => self.holders.insert(*var),
            _ => gains(stmt, &mut self.holders),
        }
    }

    fn single(&mut self, stmt: &Stmt) -> bool {
        let (var, op, args) = match stmt {
            Stmt::Let { var, expr: Expr::Op { op, args, .. } } => (*var, Some(op), &args[..]),
            Stmt::Let { var, expr: Expr::Operand(o) } => (*var, None, std::slice::from_ref(o)),
            Stmt::Assign { place, op: Assign::Set, value, .. } if place.path.is_empty() => {
                (place.root, None, std::slice::from_ref(value))
            }
            _ => return false,
        };
        let grows = matches!(op, Some(Op::Fn(name)) if GROWING.contains(name));
        let steep = !grows && op.is_some_and(|op| self.is_steep(op, args));
        let undefined = op.is_some_and(|op| self.is_undefined(op, args));
        let add = |set: &mut Vars, starts: bool| (starts || args.iter().any(|a| is_in(a, set))) && set.insert(var);
        let vertical = op.is_some_and(|op| self.is_vertical(op, args));
        let added = [
            (&mut self.values, undefined),
            (&mut self.tangents, steep),
            (&mut self.growing, grows),
            (&mut self.steep, vertical),
        ];
        added.into_iter().fold(false, |changed, (set, starts)| add(set, starts) | changed)
    }

    /// Whether an operation's partial derivative may be infinite, or no number.
    fn is_steep(&self, op: &Op, args: &[Operand]) -> bool {
        let of = |k: usize| self.signs.of_operand(&args[k]);
        match op {
            Op::Div => self.may_vanish(&args[1]),
            Op::Fn("sqrt") => of(0) < Sign::Vertex,
            Op::Fn("cbrt" | "recip" | "ln" | "log2" | "log10" | "powf") => of(0) != Sign::Positive,
            Op::Fn("ln_1p") => of(0) == Sign::Any,
            Op::Fn("powi") => of(0) != Sign::Positive && exponent(&args[1]).is_none_or(|n| n < 0),
            Op::Fn(name) if SMOOTH.contains(name) => false,
            Op::Fn(name) if REMAINDERS.contains(name) => self.may_vanish(&args[1]),
            op => is_unbounded(op, args),
        }
    }

    /// Whether an operation's arguments may be outside of its domain.
    fn is_undefined(&self, op: &Op, args: &[Operand]) -> bool {
        match op {
            Op::Fn("log") => args.iter().any(|a| self.signs.of_operand(a) == Sign::Any),
            Op::Fn(name) if REMAINDERS.contains(name) => self.may_vanish(&args[1]),
            Op::Fn(name) => PARTIAL.contains(name) && self.signs.of_operand(&args[0]) == Sign::Any,
            _ => false,
        }
    }

    /// Whether a divisor is zero as it is written, or carries a derivative and may be zero.
    fn may_vanish(&self, divisor: &Operand) -> bool {
        match divisor {
            Operand::Passive(o) => literal(o) == Some(0.0),
            _ => self.signs.of_operand(divisor) != Sign::Positive,
        }
    }
}

/// Whether a partial derivative of an operation may be infinite, or no number, whatever the signs of its arguments are.
pub fn is_unbounded(op: &Op, args: &[Operand]) -> bool {
    let is_literal = |o: &Operand| matches!(o, Operand::Passive(o) if o.reads.is_empty());
    match op {
        Op::Div => !args.get(1).is_some_and(is_literal),
        Op::Fn(name) => {
            !BOUNDED.contains(name) && diffi_rules::rule(name).is_some_and(|rule| matches!(rule.kind, Kind::Curved))
        }
        _ => false,
    }
}

/// Adds what a statement writes, where it reads one of these; whether that was new.
fn gains(stmt: &Stmt, vars: &mut Vars) -> bool {
    let (mut written, mut reads) = (Vec::new(), false);
    Visit(&mut |var, access| match access {
        Access::Read => reads |= vars.contains(&var),
        Access::Write | Access::Define => written.push(var),
        Access::Shape => {}
    })
    .head(stmt);
    reads && written.into_iter().fold(false, |changed, var| vars.insert(var) | changed)
}

fn is_in(operand: &Operand, vars: &Vars) -> bool {
    operand.as_var().is_some_and(|v| vars.contains(&v))
}
