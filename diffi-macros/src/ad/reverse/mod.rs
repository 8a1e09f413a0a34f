//! The adjoint of a function: IR to IR.
//!
//! Every statement has a forward part and a reverse part. Their composition depends on the place of the reverse part:
//!
//! - *Joint* reversal: both parts stand in the same scope, so that locals are still alive and the tape stays empty. The outermost
//!   block of `__pull` is joint. So is every loop or branch whose results' cotangents are known before it starts (see [`fuse`]).
//! - *Split* reversal: the reverse part stands elsewhere. Its operands are then rematerialized or stored (see [`tape_plan`]).
//!
//! The reverse part is generated first, and its reads are collected. No separate rule says which values an adjoint needs.
//!
//! Enters: a function, its activity. Leaves: the joint adjoint and the split adjoint.
//! Imports: `ad::partials`, and the floors below `ad`.

mod adjoint;
mod checkpoint;
mod complex_values;
mod conditions;
mod control;
mod copy_elision;
mod cotangent_forwarding;
mod cotangent_init;
mod expand_arrays;
mod first_assignment;
mod fuse;
mod induction;
mod introduction;
mod joint_items;
mod loop_state;
mod min_cut;
mod powers;
mod quotients;
pub mod reevaluation;
mod rematerializable;
mod replays;
mod roots;
mod siblings;
mod tape_plan;

use self::adjoint::{nth, step};
pub use self::control::written_iterations;
use self::induction::Counters;
pub use self::powers::{Scale, scales};
use self::rematerializable::{Stability, StableLets};
pub use self::roots::Roots;
use self::siblings::Answers;
use crate::analysis::activity::Activity;
use crate::analysis::tbr::Writes;
use crate::analysis::unbounded::Unbounded;
use crate::ir::symbols::{Role, Table, is_measured};
use crate::ir::visit::{Access, Vars, blocks, each_passive, touched};
use crate::ir::*;
use crate::support::hash::{HashMap, HashSet};
use proc_macro2::Span;

/// Forward and reverse sweep in one.
#[derive(Clone, Debug)]
pub struct JointAdjoint {
    /// All variables.
    pub table: Table,
    /// What they depend on.
    pub activity: Activity,
    /// The cotangents of parameters.
    pub bars: HashMap<Var, Var>,
    /// The cotangent of the result.
    pub y_bar: Option<Var>,
    /// Both sweeps.
    pub body: Block,
}

/// The two sweeps apart.
#[derive(Clone, Debug)]
pub struct SplitAdjoint {
    /// All variables.
    pub table: Table,
    /// What they depend on.
    pub activity: Activity,
    /// The cotangents of parameters.
    pub bars: HashMap<Var, Var>,
    /// The cotangent of the result.
    pub y_bar: Option<Var>,
    /// The forward sweep.
    pub forward: Block,
    /// The reverse sweep.
    pub reverse: Block,
}

/// The adjoint in one sweep and in two. What both start from is found once.
pub fn adjoints(function: &Function, activity: &Activity) -> (JointAdjoint, SplitAdjoint) {
    let pass = Reverse::new(function, activity);
    (joint(function, pass.clone()), apart(function, pass))
}

fn joint(function: &Function, mut pass: Reverse<'_>) -> JointAdjoint {
    let (y_bar, seeds) = pass.seeds();
    let (mut stmts, late) = pass.seeds_by_time(seeds, &defined(&function.body.stmts));
    let (items, rest) = pass.joint_items(&function.body);
    stmts.extend(items);
    stmts.extend(late);
    stmts.extend(rest);
    let declared = defined(&function.body.stmts);
    let body = Block { stmts: pass.introduce(stmts, &declared, Shape::AtHand) };
    JointAdjoint { bars: pass.parameter_bars(), table: pass.table, activity: pass.activity, y_bar, body }
}

fn apart(function: &Function, mut pass: Reverse<'_>) -> SplitAdjoint {
    let (y_bar, seeds) = pass.seeds();
    let split = pass.split(&function.body, seeds, &[]);
    let (forward, reverse) = split.with_tape();
    SplitAdjoint {
        bars: pass.parameter_bars(),
        table: pass.table,
        activity: pass.activity,
        y_bar,
        forward: Block { stmts: forward },
        reverse: Block { stmts: reverse },
    }
}

/// The pass's state: the variables made so far.
#[derive(Clone)]
struct Reverse<'f> {
    function: &'f Function,
    table: Table,
    activity: Activity,
    /// The `let`s whose right-hand sides may be evaluated again later.
    stable: HashSet<Var>,
    /// Where values lie in arrays that keep them.
    stored: HashMap<Var, Place>,
    /// Passive variables that have their value wherever the reverse sweep asks.
    at_hand: Vars,
    /// Those of them that are references, or numbers.
    lent: Vars,
    /// What patterns bind of passive values that stay as they are.
    steady: Vars,
    /// Derivatives that are only factors of a square or a cube.
    scales: HashMap<Var, Scale>,
    /// Derivatives of a number and its root.
    roots: Roots,
    /// Values and partial derivatives that may be infinite.
    unbounded: Unbounded,
    /// Functions of numbers of which another function is computed beside.
    answers: Answers,
    /// Cotangents.
    bars: HashMap<Var, Var>,
    /// Whose they are.
    owners: HashMap<Var, Vec<Var>>,
    /// Cotangents that come from outside: parameters' and the result's.
    external: Vars,
    /// Lengths of `Vec`s whose shadows are made where the `Vec` is gone.
    lengths: HashMap<Var, Var>,
    /// Shapes of values whose shadows are made where the value is gone.
    molds: HashMap<Var, Var>,
    /// Lengths of vectors of floats that are made with a length and keep it.
    made_with: HashMap<Var, PassiveCode>,
    /// Names for the lengths of such vectors.
    measured: HashMap<Var, Var>,
    /// Whether the statement at hand has both parts in one scope.
    alive: bool,
    /// Passive variables that hold more than a word.
    containers: Vars,
    /// Variables of counted loops.
    for_variables: Vars,
    /// Aggregates whose cotangent starts only when their shape is known.
    late: Vars,
    /// `let`s that give an iteration its number: they can be made anywhere in the iteration.
    given: Vars,
    /// By checkpointed loop: what it reads, and what is overwritten afterwards.
    passing: HashMap<usize, Vars>,
    /// Passive variables that loops count along.
    counters: Counters,
    /// Assignments that give a variable its first value, as variable and value.
    first: HashSet<(Var, Option<Var>)>,
    /// How many tape frames there are.
    frames: usize,
}

/// A statement's two parts, and the cotangents' declarations still to be placed.
#[derive(Default)]
struct Both {
    forward: Vec<Stmt>,
    reverse: Vec<Stmt>,
}

/// Where a shadow's shape is read off.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// The value is alive where the reverse sweep runs.
    AtHand,
    /// It is not.
    Kept,
}

impl<'f> Reverse<'f> {
    fn new(function: &'f Function, activity: &Activity) -> Self {
        let StableLets { found: Stability { lets, stored, at_hand, lent, steady }, passing, counters, .. } =
            StableLets::of(function);
        let mut pass = Reverse {
            function,
            table: Table::of(function),
            activity: activity.clone(),
            stable: lets,
            stored,
            at_hand,
            lent,
            steady,
            scales: scales(function, activity),
            roots: Roots::find(function, activity),
            unbounded: Unbounded::of(function),
            answers: Answers::find(function),
            bars: HashMap::default(),
            owners: HashMap::default(),
            external: Vars::new(),
            lengths: HashMap::default(),
            molds: HashMap::default(),
            made_with: HashMap::default(),
            measured: HashMap::default(),
            alive: false,
            containers: complex_values::complex_values(function),
            for_variables: Vars::new(),
            late: Vars::new(),
            given: Vars::new(),
            passing,
            counters,
            first: first_assignment::assignments(&function.body),
            frames: 0,
        };
        pass.find_loops(&function.body);
        pass.find_unknown(&function.body);
        pass.find_structs(&function.body);
        pass.find_lengths(&function.body, &Writes::of(function));
        for param in function.params.iter().filter(|p| p.active) {
            let bar = pass.bar(param.var);
            pass.external.insert(bar);
            let by_value_float = param.passing == Passing::Value && *pass.table.ty(param.var) == Ty::Float;
            if !by_value_float {
                pass.table.set_ref(bar);
            }
        }
        pass
    }

    fn find_loops(&mut self, block: &Block) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::For(on) => _ = self.for_variables.insert(on.var),
                Stmt::Let { var, expr: Expr::Passive(o) } if crate::ir::purity::is_container(o) => {
                    self.containers.insert(*var);
                }
                Stmt::Effect { writes, .. } => self.containers.extend(writes),
                Stmt::Assign { place, value: Operand::Passive(o), .. } if crate::ir::purity::is_container(o) => {
                    self.containers.insert(place.root);
                }
                Stmt::Assign { place, .. } if !place.path.is_empty() => {
                    self.containers.insert(place.root);
                }
                _ => {}
            }
            blocks(stmt).into_iter().for_each(|inner| self.find_loops(inner));
        }
    }

    /// What a call outside of loops gives may be anything: it is kept once, so that nothing is lost by
    /// taking it for a container.
    fn find_unknown(&mut self, body: &Block) {
        if matches!(self.function.base, Base::Generic(_)) {
            return; // a generic number is none
        }
        for stmt in &body.stmts {
            match stmt {
                Stmt::Let { var, expr: Expr::Passive(o) } if !crate::ir::purity::repeatable(o) => {
                    self.containers.insert(*var);
                }
                Stmt::Let { var, expr: Expr::Call(_) } if *self.table.ty(*var) == Ty::Passive => {
                    self.containers.insert(*var);
                }
                Stmt::If { .. } | Stmt::Switch { .. } => {
                    if let Stmt::Switch { arms, .. } = stmt {
                        self.find_bound(arms);
                    }
                    blocks(stmt).into_iter().for_each(|block| self.find_unknown(block));
                }
                _ => {}
            }
        }
    }

    /// What patterns bind outside of loops may be anything, too.
    fn find_bound(&mut self, arms: &[Arm]) {
        let binds = arms.iter().flat_map(|arm| &arm.binds).copied();
        let passive: Vec<Var> = binds.filter(|v| *self.table.ty(*v) == Ty::Passive).collect();
        self.containers.extend(passive);
    }

    /// What functions of the user's give, and has fields.
    fn find_structs(&mut self, body: &Block) {
        let mut made = Vec::new();
        each_made(body, &mut made);
        if made.is_empty() {
            return;
        }
        let mut names = HashSet::default();
        note_structs(body, &mut names);
        self.containers.extend(made.into_iter().filter(|v| names.contains(&self.table.info(*v).name.to_string())));
    }

    fn find_lengths(&mut self, block: &Block, writes: &Writes) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { var, expr: Expr::VecRepeat { len, .. } | Expr::Scratch { len } }
                    if is_measured(self.table.ty(*var))
                        && writes.never_reshaped(*var)
                        && len.shapes.iter().all(|v| writes.never_reshaped(*v)) =>
                {
                    self.made_with.insert(*var, len.clone());
                }
                Stmt::Let { var, expr: Expr::Passive(o) } if !writes.ever(*var) => {
                    self.measured.extend(self.measured_vector(o).map(|of| (*var, of)));
                }
                _ => {}
            }
            blocks(stmt).into_iter().for_each(|inner| self.find_lengths(inner, writes));
        }
    }

    /// The vector of known length whose length a value is.
    fn measured_vector(&self, value: &PassiveCode) -> Option<Var> {
        let of = value.shapes.iter().copied().find(|v| self.made_with.contains_key(v))?;
        let length = format!("{}.len()", self.table.info(of).name);
        (value.tokens.to_string().replace(' ', "") == length).then_some(of)
    }

    /// The cotangent of a variable.
    fn bar(&mut self, var: Var) -> Var {
        if let Some(bar) = self.bars.get(&var) {
            return *bar;
        }
        let bar = self.table.companion(var, "bar", Role::Bar);
        self.activity.note(bar, self.activity.varied(var));
        self.set_bar(var, bar);
        bar
    }

    /// Makes a cotangent that of a variable.
    fn set_bar(&mut self, var: Var, bar: Var) {
        self.bars.insert(var, bar);
        self.owners.entry(bar).or_default().push(var);
    }

    /// The cotangent of a place.
    fn bar_of(&mut self, place: &Place) -> Place {
        place.at(self.bar(place.root))
    }

    fn parameter_bars(&self) -> HashMap<Var, Var> {
        let params = self.function.params.iter().filter(|p| p.active);
        params.map(|p| (p.var, self.bars[&p.var])).collect()
    }

    /// Starts the cotangents of what the function returns.
    fn seeds(&mut self) -> (Option<Var>, Vec<Stmt>) {
        let result = self.function.result.clone();
        if matches!(result, Output::Unit | Output::Passive(_)) {
            return (None, Vec::new());
        }
        let y_bar = self.table.fresh("y_bar", self.seed_type(&result), Role::Bar, Span::call_site());
        self.activity.note(y_bar, self.activity.everything());
        self.external.insert(y_bar);
        if !matches!(result.content(), Output::Float(_)) {
            self.table.set_ref(y_bar);
        }
        let mut out = Vec::new();
        self.seed(&result, Place::var(y_bar), &mut out);
        (Some(y_bar), out)
    }

    fn seed_type(&self, result: &Output) -> Ty {
        let floats = Ty::Vec(Box::new(Ty::Float));
        match result.content() {
            Output::Float(_) => Ty::Float,
            Output::Place(p) if p.path.is_empty() && *self.table.ty(p.root) == floats => floats,
            _ => Ty::Unknown,
        }
    }

    /// Seeds of floats come first. The shadow of an aggregate takes its value's shape, which is
    /// known after the forward part, as are indices that the function computes.
    fn seeds_by_time(&mut self, seeds: Vec<Stmt>, own: &Vars) -> (Vec<Stmt>, Vec<Stmt>) {
        let (mut first, mut late) = (Vec::new(), Vec::new());
        for seed in seeds {
            let targets = touched(std::slice::from_ref(&seed), &[Access::Write]);
            let shaped = |v: &Var| !self.external.contains(v) && *self.table.ty(*v) != Ty::Float;
            let computed = touched(std::slice::from_ref(&seed), &[Access::Read]).iter().any(|v| own.contains(v));
            if computed || targets.iter().any(shaped) {
                self.late.extend(targets);
                late.push(seed);
            } else {
                first.push(seed);
            }
        }
        (first, late)
    }

    fn seed(&mut self, result: &Output, from: Place, out: &mut Vec<Stmt>) {
        match result {
            Output::Float(Operand::Place(p)) => self.accumulate(p, Assign::Add, Operand::Place(from), out),
            Output::Place(p) => self.seed_whole(p, from, out),
            Output::Tuple(all) => {
                for (k, part) in all.iter().enumerate() {
                    self.seed(part, step(&from, Proj::Field(syn::Member::from(k))), out);
                }
            }
            Output::Array(all) => {
                for (k, part) in all.iter().enumerate() {
                    self.seed(part, step(&from, nth(k)), out);
                }
            }
            Output::Maybe(m) => self.seed(&m.content, from, out),
            Output::Beside(y, _) => self.seed(y, from, out),
            Output::Float(_) | Output::Passive(_) | Output::Unit => {}
        }
    }

    /// A local that is returned as a whole has the result's cotangent for its own.
    fn seed_whole(&mut self, place: &Place, from: Place, out: &mut Vec<Stmt>) {
        if !self.activity.active(place.root) {
            return;
        }
        let own = place.path.is_empty() && from.path.is_empty() && !self.bars.contains_key(&place.root);
        if own {
            self.set_bar(place.root, from.root);
        } else {
            let bar = self.bar_of(place);
            let stmt = Stmt::Derived(Derived::Acc { place: bar, value: from, how: AddKind::Whole });
            self.guarded(place.root, vec![stmt], out);
        }
    }

    /// Whether only rustc knows the type.
    fn is_unknown(&self, var: Var) -> bool {
        matches!(self.table.ty(var), Ty::Struct(_) | Ty::Unknown)
    }

    /// The passive variable that holds the shape of a value; [`split`](Self::split) sets it.
    fn shape_of(&mut self, var: Var) -> Var {
        if let Some(mold) = self.molds.get(&var) {
            return *mold;
        }
        let hint = format!("{}_shape", self.table.info(var).hint);
        let mold = self.mold(&hint);
        self.molds.insert(var, mold);
        mold
    }

    /// The passive variable that holds the length of a `Vec`; [`split`](Self::split) sets it.
    fn length(&mut self, var: Var) -> Var {
        if let Some(length) = self.lengths.get(&var) {
            return *length;
        }
        let VarInfo { hint, span, .. } = self.table.info(var).clone();
        let length = self.table.fresh(&format!("{hint}_len"), Ty::Passive, Role::Primal, span);
        self.lengths.insert(var, length);
        length
    }
}

/// The variables that a list of statements brings into its own scope.
fn defined(stmts: &[Stmt]) -> Vars {
    let mut found = Vars::new();
    for stmt in stmts {
        match stmt {
            Stmt::Let { var, .. } | Stmt::Declare { var } => {
                found.insert(*var);
            }
            Stmt::Derived(Derived::Loop(_) | Derived::Times { .. } | Derived::Guard { .. }) => {}
            Stmt::Derived(_) => found.extend(touched(std::slice::from_ref(stmt), &[Access::Define])),
            _ => {}
        }
    }
    found
}

/// The passive variables that expressions give which are not evaluated a second time, and those that patterns bind.
fn each_made(block: &Block, made: &mut Vec<Var>) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Let { var, expr: Expr::Passive(o) } if !crate::ir::purity::repeatable(o) => made.push(*var),
            Stmt::Let { var, expr: Expr::Call(_) } => made.push(*var),
            Stmt::Switch { arms, .. } => made.extend(arms.iter().flat_map(|arm| &arm.binds)),
            _ => {}
        }
        blocks(stmt).into_iter().for_each(|inner| each_made(inner, made));
    }
}

fn note_structs(block: &Block, names: &mut HashSet<String>) {
    for stmt in &block.stmts {
        each_passive(stmt, &mut |o| crate::ir::purity::note_structs(&o.tokens, names));
        blocks(stmt).into_iter().for_each(|inner| note_structs(inner, names));
    }
}
