//! TBR analysis of array elements (Hascoët, Naumann & Pascual 2005): elements that no later write reaches.
//!
//! A loop may fill or overwrite an array bit by bit, so that the array changes to the end. Most reads nevertheless see elements with
//! their final values: in a factorisation, a row that the elimination has passed. The reverse sweep finds such elements in place,
//! and they need no tape.
//!
//! A read is settled if no later write has the same index, in this iteration or in a later one of any loop around both. Indices are
//! polynomials of loop variables with known ranges. Bounds show, term by term, that two of them differ. In an index `n i + j` with
//! `0 <= j < n`, as of a matrix that is stored row by row, `i` and `j` are compared separately.

mod steps;
mod writes;

use crate::analysis::tbr::{Here, is_loop};
use crate::ir::affine::polynomial::Poly;
use crate::ir::affine::shift::several;
use crate::ir::visit::{Access, Visit, blocks};
use crate::ir::*;
use crate::support::hash::HashMap;
use steps::{Meeting, Step};
use writes::{Write, Writes};

/// What is known of loops, indices and writes.
pub struct Settled {
    names: HashMap<String, Var>,
    /// Loops by where they begin.
    loops: HashMap<usize, For>,
    /// Where the loop of a loop variable begins.
    loop_of: HashMap<Var, usize>,
    /// What passive variables are set to, and the loops around their declaration.
    passive: HashMap<Var, Passive>,
    /// Writes to arrays that are declared where both sweeps see them, outside of all blocks.
    writes: HashMap<Var, Writes>,
}

struct Passive {
    values: Vec<Option<PassiveCode>>,
    loops: Vec<usize>,
}

/// A passive variable at the time of the read, of the write, or of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Symbol {
    /// How deep in loops it gets its value: inner ones are eliminated first.
    depth: usize,
    side: Side,
    var: Var,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Both,
    Read,
    Write,
}

type Index = Poly<Symbol>;

/// The depth of variables that change.
const CHANGING: usize = usize::MAX;

/// Whether an index means the same wherever its variables are in scope.
fn is_fixed(index: &Index) -> bool {
    index.symbols().iter().all(|s| s.depth != CHANGING)
}

/// How the iterations of the write stand to those of the read.
struct Order<'a> {
    facts: &'a Settled,
    /// The loops whose iteration is the same.
    same: &'a [usize],
    /// The loop of which the write is in a later iteration.
    later: Option<usize>,
}

impl Settled {
    /// Collects what is known of a function.
    pub fn of(function: &Function) -> Self {
        let names = function.vars.iter().enumerate().map(|(k, v)| (v.name.to_string(), Var(k as u32))).collect();
        let (loops, loop_of, passive, writes) = Default::default();
        let mut facts = Settled { names, loops, loop_of, passive, writes };
        for stmt in &function.body.stmts {
            if let Stmt::Let { var, expr } = stmt
                && (is_array(expr) || function.vars[var.0 as usize].ty == Ty::Library && is_matrix(expr))
            {
                facts.writes.insert(*var, Writes::default());
            }
        }
        facts.block(&function.body, &mut Here::default());
        facts
    }

    /// Learns of a name for a value that another variable has at some time.
    pub fn version(&mut self, version: &VarInfo, of: &VarInfo) {
        if let Some(var) = self.names.get(&of.name.to_string()).copied() {
            self.names.insert(version.name.to_string(), var);
        }
    }

    /// Whether nothing is written to an element, or to a part, after a read of it.
    pub fn read(&self, place: &Place, here: &Here) -> bool {
        self.holds(place, here, here.position)
    }

    /// Whether nothing else is written to an element after a write to it.
    pub fn written(&self, place: &Place, here: &Here) -> bool {
        self.holds(place, here, here.position + 1)
    }

    fn holds(&self, place: &Place, here: &Here, from: usize) -> bool {
        let Some(writes) = self.writes.get(&place.root) else { return false };
        !place.path.is_empty() && writes.all(place, here, from, &|write| self.misses(write, place, here, from))
    }

    /// Whether writes never meet the element at `from` or later.
    fn misses(&self, write: &Write, place: &Place, here: &Here, from: usize) -> bool {
        let common = here.loops.iter().zip(&write.loops).take_while(|(a, b)| a == b).count();
        let same_iteration = write.last < from || self.differ(place, write, &write.loops[..common], None);
        same_iteration
            && (0..common).all(|depth| {
                let (same, later) = (&write.loops[..depth], write.loops[depth]);
                self.differ(place, write, same, Some(later))
            })
    }

    fn differ(&self, read: &Place, write: &Write, same: &[usize], later: Option<usize>) -> bool {
        let Some(written) = &write.place else { return false };
        let order = Order { facts: self, same, later };
        let steps = Step::all(read, &order, Side::Read).into_iter().zip(Step::all(written, &order, Side::Write));
        let mut meetings = steps.map(|(read, write)| read.meets(&write, &order));
        meetings.find(|meeting| *meeting != Meeting::Aligned) == Some(Meeting::Apart)
    }

    fn block(&mut self, block: &Block, here: &mut Here) {
        for stmt in &block.stmts {
            here.position += 1;
            self.stmt(stmt, here);
            let looping = is_loop(stmt);
            if looping {
                here.loops.push(here.position);
            }
            blocks(stmt).into_iter().for_each(|inner| self.block(inner, here));
            if looping {
                here.loops.pop();
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt, here: &Here) {
        let known = |value| Passive { values: vec![value], loops: here.loops.clone() };
        match stmt {
            Stmt::Declare { var } => {
                self.passive.insert(*var, known(None));
            }
            Stmt::Switch { arms, .. } => {
                self.passive.extend(arms.iter().flat_map(|arm| &arm.binds).map(|var| (*var, known(None))));
            }
            Stmt::Let { var, expr } => {
                let value = if let Expr::Passive(o) = expr { Some(o.clone()) } else { None };
                self.passive.insert(*var, known(value));
                self.others(stmt, here); // a call, or an element taken out
            }
            Stmt::Assign { place, op: Assign::Set, value: Operand::Passive(o), .. } if place.path.is_empty() => {
                self.set(place.root, Some(o.clone()));
                self.write(place.root, None, here);
            }
            Stmt::Assign { place, .. } => self.write(place.root, Some(place.clone()), here),
            Stmt::Swap { a, b, .. } => [a, b].into_iter().for_each(|p| self.write(p.root, Some(p.clone()), here)),
            Stmt::For(on) => {
                self.loops.insert(here.position, on.clone());
                self.loop_of.insert(on.var, here.position);
            }
            // an element that is there stays as it is, whatever is put behind it
            Stmt::Push { .. } | Stmt::If { .. } | Stmt::While { .. } => {}
            other => self.others(other, here),
        }
    }

    fn others(&mut self, stmt: &Stmt, here: &Here) {
        let mut written = Vec::new();
        Visit(&mut |v, touch| written.extend((touch == Access::Write).then_some(v))).stmt(stmt);
        let places = match stmt {
            Stmt::Let { expr: Expr::Call(call), .. } => call.args.as_slice(),
            _ => &[],
        };
        for var in written {
            let mut mutable = places.iter().filter_map(|arg| match arg {
                CallArg::Mut(place) if place.root == var => Some(place.clone()),
                _ => None,
            });
            let place = mutable.next().filter(|_| mutable.next().is_none());
            self.write(var, place, here);
            self.set(var, None);
        }
    }

    /// Notes another value of a variable; a parameter comes with one that is not known.
    fn set(&mut self, var: Var, value: Option<PassiveCode>) {
        let parameter = || Passive { values: vec![None], loops: Vec::new() };
        self.passive.entry(var).or_insert_with(parameter).values.push(value);
    }

    fn write(&mut self, root: Var, place: Option<Place>, here: &Here) {
        let place = place.filter(|p| !p.path.is_empty());
        if let Some(writes) = self.writes.get_mut(&root) {
            writes.note(place, here);
        }
    }
}

/// Whether an expression makes an array that loses no element, as long as nothing else is done to it.
fn is_array(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Array(_)
            | Expr::Repeat { .. }
            | Expr::VecRepeat { .. }
            | Expr::VecOf(_)
            | Expr::VecNew(_)
            | Expr::Scratch { .. }
            | Expr::ToVec(_)
            | Expr::Content(_)
            | Expr::Operand(Operand::Place(_))
    )
}

/// Whether an expression makes an array of ndarray's or nalgebra's that is nobody else's.
fn is_matrix(expr: &Expr) -> bool {
    const MADE_BY: &[&str] = &["zeros", "ones", "eye", "identity", "from_elem", "from_element", "repeat"];
    let Expr::Passive(o) = expr else { return false };
    let is_path = |e: &syn::Expr| matches!(e, syn::Expr::Path(p) if p.path.segments.last().is_some_and(|s| MADE_BY.iter().any(|by| s.ident == by)));
    matches!(syn::parse2(o.tokens.clone()), Ok(syn::Expr::Call(call)) if is_path(&call.func))
}

/// The indices of `[i, j]` or `(i, j)`, or the only one.
fn components(index: &PassiveCode) -> Vec<PassiveCode> {
    several(index).unwrap_or_else(|| vec![index.clone()])
}

impl Order<'_> {
    /// An index as a polynomial; none, where it contains anything else.
    fn index(&self, o: &PassiveCode, side: Side) -> Option<Index> {
        Poly::of(&syn::parse2(o.tokens.clone()).ok()?, &mut |name| self.variable(name, side))
    }

    fn variable(&self, name: &str, side: Side) -> Option<Index> {
        let var = *self.facts.names.get(name)?;
        if let Some(begin) = self.facts.loop_of.get(&var) {
            let depth = 1 + begin; // inner loops begin later
            let side = if self.same.contains(begin) { Side::Both } else { side };
            return Some(Poly::symbol(Symbol { depth, side, var }));
        }
        let Some(passive) = self.facts.passive.get(&var) else {
            return Some(Poly::symbol(Symbol { depth: 0, side: Side::Both, var }));
        };
        let value = match &passive.values[..] {
            [Some(only)] => self.index(only, side).filter(is_fixed),
            _ => None,
        };
        Some(value.unwrap_or_else(|| self.unknown(var, passive, side)))
    }

    /// A variable of which nothing is known but where it gets its values; one that changes has other values within an iteration.
    fn unknown(&self, var: Var, passive: &Passive, side: Side) -> Index {
        let fixed = passive.values.len() == 1;
        let same = passive.loops.iter().all(|begin| self.same.contains(begin));
        let side = if fixed && same { Side::Both } else { side };
        let depth = if fixed { passive.loops.len() } else { CHANGING };
        Poly::symbol(Symbol { depth, side, var })
    }

    fn differ(&self, a: &Index, b: &Index) -> bool {
        let distance = a.sub(b);
        let divisor = distance.coefficients().fold(0, gcd);
        if divisor > 1 && distance.constant() % divisor != 0 {
            return true;
        }
        self.at_least(&distance, 1) || self.at_least(&b.sub(a), 1) || self.differ_by_rows(a, b)
    }

    /// `n i + j` against `n k + l`, where `j` and `l` are less than `n`.
    fn differ_by_rows(&self, a: &Index, b: &Index) -> bool {
        let shared = a.symbols().into_iter().filter(|s| s.side == Side::Both && s.depth == 0);
        shared.into_iter().any(|width| {
            let ((i, j), (k, l)) = (a.split(width), b.split(width));
            let column = |j: &Index| {
                let room = Poly::symbol(width).sub(j);
                self.at_least(j, 0) && self.at_least(&room, 1)
            };
            !i.symbols().is_empty() && column(&j) && column(&l) && (self.differ(&i, &k) || self.differ(&j, &l))
        })
    }

    /// Whether the polynomial is never less than `least`.
    fn at_least(&self, poly: &Index, least: i64) -> bool {
        self.bounded(poly, least, 12)
    }

    fn bounded(&self, poly: &Index, least: i64, fuel: usize) -> bool {
        let free = poly.coefficients().all(|n| n >= 0) && poly.constant() >= least;
        let Some(symbol) = poly.symbols().pop().filter(|_| !free && fuel > 0) else { return free };
        let (partial, rest) = poly.split(symbol);
        if partial.symbols().contains(&symbol) {
            return false;
        }
        let rises = partial.constant() >= 0 && partial.coefficients().all(|n| n >= 0);
        let falls = partial.constant() <= 0 && partial.coefficients().all(|n| n <= 0);
        let bounds = match (rises, falls) {
            (true, _) => self.lower(symbol, fuel),
            (_, true) => self.upper(symbol),
            _ => return false,
        };
        bounds.iter().any(|bound| self.bounded(&partial.mul(bound).add(&rest), least, fuel - 1))
    }

    /// What a symbol is not less than.
    fn lower(&self, symbol: Symbol, fuel: usize) -> Vec<Index> {
        let mut bounds = vec![Poly::number(0)];
        if let Some((begin, on)) = self.counted(symbol) {
            bounds.extend(self.index(&on.lo, symbol.side));
            if symbol.side == Side::Write && self.later == Some(begin) && !on.down {
                bounds.push(Poly::symbol(Symbol { side: Side::Read, ..symbol }).add(&Poly::number(1)));
            }
        } else if let Some(passive) = self.facts.passive.get(&symbol.var) {
            bounds.extend(self.first_value(passive, symbol.side, fuel));
        }
        bounds
    }

    /// What a symbol is not greater than.
    fn upper(&self, symbol: Symbol) -> Vec<Index> {
        let mut bounds = Vec::new();
        if let Some((begin, on)) = self.counted(symbol) {
            let last = if on.inclusive { 0 } else { 1 };
            bounds.extend(self.index(&on.hi, symbol.side).map(|hi| hi.sub(&Poly::number(last))));
            if symbol.side == Side::Write && self.later == Some(begin) && on.down {
                bounds.push(Poly::symbol(Symbol { side: Side::Read, ..symbol }).sub(&Poly::number(1)));
            }
        }
        bounds
    }

    fn counted(&self, symbol: Symbol) -> Option<(usize, &For)> {
        let begin = *self.facts.loop_of.get(&symbol.var)?;
        Some((begin, &self.facts.loops[&begin]))
    }

    /// The value with which a variable starts in an iteration, if it is never set to less.
    fn first_value(&self, passive: &Passive, side: Side, fuel: usize) -> Option<Index> {
        let (first, others) = passive.values.split_first()?;
        let first = self.index(first.as_ref()?, side).filter(is_fixed)?;
        let least = |value: &Option<PassiveCode>| {
            let value = value.as_ref().and_then(|o| self.index(o, side));
            value.is_some_and(|value| self.bounded(&value.sub(&first), 0, fuel.saturating_sub(4)))
        };
        (!others.is_empty() && others.iter().all(least)).then_some(first)
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
