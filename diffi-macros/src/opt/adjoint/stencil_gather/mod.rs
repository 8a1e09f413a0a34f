//! Scatter to gather of adjoint stencils (Hückelheim et al., PerforAD, 2019): each element of a cotangent becomes one weighted sum.
//!
//! The adjoint of `u[i] = old + c * (u[i + 1] - 2.0 * old + left)`, in place, scatters parts of each element to its neighbours, and every
//! iteration waits for the one before. But the final value of an element is a weighted sum of its neighbours' first values, with the
//! same weights everywhere: `c * (u_bar[i - 1] + u_bar[i + 1]) + (1.0 - 2.0 * c) * u_bar[i]`. In this form no iteration waits for
//! another, the weights are computed once, and the loop goes upwards, so that LLVM can vectorize it.
//!
//! The weights come from iterations that run on symbols in place of numbers. Once the symbolic loop-carried state repeats up to a shift
//! of the index, it is a fixed point: only the elements at both ends have sums of their own. The loop stays as it is
//! if it reaches no fixed point, reads results of the iteration before, or has too few iterations.

mod forms;

use crate::analysis::activity::Activity;
use crate::ir::affine::shift::Shift;
use crate::ir::affine::{less, shifted};
use crate::ir::place::{element, key};
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, touched};
use crate::ir::*;
use forms::{Cell, Factor, Form, Mixture, Partial, Row, Step, Sweep};
use proc_macro2::{Literal, Span};
use quote::quote;
use std::collections::BTreeMap;

/// The loop as a convolution, if it is one; `outer` are the cotangents of parameters.
pub fn stencil_gather(table: &mut Table, activity: &mut Activity, outer: &Vars, l: &Loop) -> Option<Stmt> {
    let Gather { factors, rows, sweep } = Gather::of(table, activity, outer, l)?;
    let varied = rows.iter().map(|row| activity.varied(row.place.root)).reduce(ParamSet::or).unwrap_or_default();
    let mut writer =
        Writer { table, activity, factors: &factors, rows: &rows, on: &l.on, varied, partials: Vec::new() };
    let then = Block { stmts: writer.stmts(&sweep) };
    let cond = less(&shifted(&l.on.lo, sweep.warm.len() as i64), &l.on.hi);
    let els = Block { stmts: vec![Stmt::Derived(Derived::Loop(Box::new(l.clone())))] };
    Some(Stmt::If { cond, then, els })
}

/// Whether the loop is a convolution.
pub fn is_gathered(table: &Table, activity: &Activity, outer: &Vars, l: &Loop) -> bool {
    Gather::of(table, activity, outer, l).is_some()
}

/// What the iterations of a loop do together.
struct Gather {
    factors: Vec<Factor>,
    rows: Vec<Along>,
    sweep: Sweep,
}

impl Gather {
    fn of(table: &Table, activity: &Activity, outer: &Vars, l: &Loop) -> Option<Self> {
        if l.frame.is_some() || l.sweep == LoopSweep::Primal {
            return None;
        }
        let Reader { factors, mut rows, steps, own, .. } = Reader::of(table, activity, l)?;
        let mixture = Mixture { steps, own, down: l.on.down };
        for (at, row) in rows.iter_mut().enumerate() {
            row.only_added_to = mixture.only_adds_to(Row(at));
        }
        may_be_gathered(&rows, outer).then_some(())?;
        Some(Gather { factors, rows, sweep: mixture.sweep()? })
    }
}

fn may_be_gathered(rows: &[Along], outer: &Vars) -> bool {
    // the first loop that adds to a parameter's cotangent may be the one that initialises it
    let initialises = rows.iter().any(|row| row.only_added_to && outer.contains(&row.place.root));
    // two rows of one array may have elements in common: sums come to the same in any order, and nothing else does
    let shared = |row: &Along| rows.iter().filter(|other| other.place.root == row.place.root).count() > 1;
    !initialises && !rows.iter().any(|row| shared(row) && !row.only_added_to)
}

/// A row that the loop walks along.
struct Along {
    place: Place,
    /// Where it begins in the place, if not at zero.
    base: Option<PassiveCode>,
    only_added_to: bool,
}

/// Takes an iteration for statements that set cells to sums of cells times partial derivatives.
struct Reader<'a> {
    table: &'a Table,
    activity: &'a Activity,
    on: &'a For,
    /// What changes in the loop.
    inside: Vars,
    own: Vars,
    steps: Vec<Step>,
    factors: Vec<Factor>,
    /// Values that an iteration finds from others that stay the same.
    values: BTreeMap<Var, Partial>,
    rows: Vec<Along>,
}

impl<'a> Reader<'a> {
    fn of(table: &'a Table, activity: &'a Activity, l: &'a Loop) -> Option<Self> {
        let stmts = &l.on.body.stmts;
        let own = touched(stmts, &[Access::Define]);
        let inside = touched(stmts, &[Access::Define, Access::Write]);
        let (steps, factors, values, rows) = (Vec::new(), Vec::new(), BTreeMap::new(), Vec::new());
        let mut reader = Reader { table, activity, on: &l.on, inside, own, steps, factors, values, rows };
        stmts.iter().try_for_each(|stmt| reader.stmt(stmt))?;
        Some(reader)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Option<()> {
        let step = match stmt {
            Stmt::Let { var, expr: Expr::Op { op: Op::Fn("recip"), args, .. } } => {
                let partial = self.partial(args.first()?, true)?;
                self.values.insert(*var, partial);
                return Some(());
            }
            Stmt::Let { var, expr } => {
                let to = self.cell(&Place::var(*var))?;
                Step { to, adds: false, sum: self.expression(expr)? }
            }
            Stmt::Assign { place, op, value, .. } => {
                let sign = if *op == Assign::Sub { -1.0 } else { 1.0 };
                let sum = vec![(self.operand(value)?, Partial::number(sign))];
                Step { to: self.cell(place)?, adds: *op != Assign::Set, sum }
            }
            Stmt::Derived(Derived::Clear { place, whole: false }) => {
                Step { to: self.cell(place)?, adds: false, sum: Vec::new() }
            }
            _ => return None,
        };
        self.steps.push(step);
        Some(())
    }

    fn expression(&mut self, expr: &Expr) -> Option<Vec<(Cell, Partial)>> {
        let one = |sign| Partial::number(sign);
        Some(match expr {
            Expr::Zero => Vec::new(),
            Expr::Operand(o) => vec![(self.operand(o)?, one(1.0))],
            Expr::Op { op, args, .. } => match (op, &args[..]) {
                (Op::Neg, [a]) => vec![(self.operand(a)?, one(-1.0))],
                (Op::Add, [a, b]) => vec![(self.operand(a)?, one(1.0)), (self.operand(b)?, one(1.0))],
                (Op::Sub, [a, b]) => vec![(self.operand(a)?, one(1.0)), (self.operand(b)?, one(-1.0))],
                (Op::Mul, [a, b]) => match self.operand(a) {
                    Some(cell) => vec![(cell, self.partial(b, false)?)],
                    None => vec![(self.operand(b)?, self.partial(a, false)?)],
                },
                (Op::Div, [a, b]) => vec![(self.operand(a)?, self.partial(b, true)?)],
                _ => return None,
            },
            _ => return None,
        })
    }

    fn operand(&mut self, o: &Operand) -> Option<Cell> {
        match o {
            Operand::Place(place) => self.cell(place),
            _ => None,
        }
    }

    /// The number, or the element of an array, that a cotangent is.
    fn cell(&mut self, place: &Place) -> Option<Cell> {
        let root = place.root;
        if self.table.role(root) != Role::Bar || self.table.is_cell(root) {
            return None;
        }
        if place.path.is_empty() {
            let number = *self.table.ty(root) == Ty::Float && !self.table.is_ref(root);
            return number.then_some(Cell::Number(root));
        }
        let float = element(self.table.ty(root), &place.path) == Ty::Float;
        let (place, shift) = Shift::of_element(self.table, place, self.on.var, &self.inside)?;
        (float && shift.stride == 1).then_some(())?;
        let text = |base: &Option<PassiveCode>| base.as_ref().map(|base| base.tokens.to_string());
        let is_here = |row: &Along| key(&row.place) == key(&place) && text(&row.base) == shift.row();
        let known = self.rows.iter().position(is_here);
        let at = known.unwrap_or(self.rows.len());
        if known.is_none() {
            self.rows.push(Along { place, base: shift.base, only_added_to: false });
        }
        Some(Cell::Element(Row(at), shift.offset))
    }

    /// A value that stays the same, and that no derivative is taken by.
    fn partial(&mut self, o: &Operand, over: bool) -> Option<Partial> {
        let text = match o {
            Operand::Passive(o) => {
                if let Some(number) = number(o) {
                    return Some(Partial::number(if over { 1.0 / number } else { number }));
                }
                let fixed = !o.depends_on(&self.inside) && !o.reads.contains(&self.on.var);
                fixed.then(|| o.tokens.to_string())?
            }
            Operand::Place(place) => {
                let root = place.root;
                if let Some(value) = self.values.get(&root).filter(|_| !over && place.path.is_empty()) {
                    return Some(value.clone());
                }
                let value = self.table.role(root) == Role::Primal && *self.table.ty(root) == Ty::Float;
                let fixed = place.path.is_empty() && !self.inside.contains(&root) && !self.activity.has_tangent(root);
                (value && fixed).then(|| self.table.info(root).name.to_string())?
            }
            Operand::Made { .. } => return None,
        };
        Some(Partial::factor(self.factor(o, over, text)))
    }

    /// The number of a factor.
    fn factor(&mut self, value: &Operand, over: bool, text: String) -> usize {
        let known = self.factors.iter().position(|f| (&f.text, f.over) == (&text, over));
        known.unwrap_or_else(|| {
            self.factors.push(Factor { value: value.clone(), over, text });
            self.factors.len() - 1
        })
    }
}

/// The number that tokens are.
fn number(o: &PassiveCode) -> Option<f64> {
    let text = o.tokens.to_string().replace([' ', '_'], "");
    let text = text.trim_end_matches("f64").trim_end_matches("f32");
    let digits = text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    text.parse().ok().filter(|n: &f64| digits && n.is_finite() && *n != 0.0)
}

/// Writes what a sweep does.
struct Writer<'a> {
    table: &'a mut Table,
    activity: &'a mut Activity,
    factors: &'a [Factor],
    rows: &'a [Along],
    on: &'a For,
    varied: ParamSet,
    /// The partial derivatives that are at hand.
    partials: Vec<(Partial, Operand)>,
}

/// The variables that hold the elements which iterations have overwritten, from the latest on.
type Past = BTreeMap<Row, Vec<Var>>;

impl Writer<'_> {
    fn stmts(&mut self, sweep: &Sweep) -> Vec<Stmt> {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        // partial derivatives are there before all loops
        for (cell, form) in sweep.stored() {
            for (partial, _) in self.stored(cell, form).1.by_partial() {
                self.partial(&partial, &mut before);
            }
        }
        self.ends(sweep, &mut before, &mut after);
        let added: Vec<&(Cell, Form)> = sweep.stored().filter(|(cell, _)| self.is_added_to(cell)).collect();
        let adding: Vec<Stmt> = added.into_iter().map(|all| self.adding(sweep, all)).collect();
        let setting = self.setting(sweep, &mut before);
        let cleared: Vec<&(Cell, Form)> = sweep.cleared().collect();
        let clearing: Vec<Stmt> = cleared.into_iter().map(|all| self.clearing(sweep, all)).collect();
        before.into_iter().chain(adding).chain(setting).chain(clearing).chain(after).collect()
    }

    /// The elements at both ends, which have sums of their own.
    fn ends(&mut self, sweep: &Sweep, before: &mut Vec<Stmt>, after: &mut Vec<Stmt>) {
        let on = self.on;
        // sweeps are counted from the iteration that comes first, and what is left over from the one that would come next
        let (first, next) = if on.down { ((&on.hi, -1), (&on.lo, -1)) } else { ((&on.lo, 0), (&on.hi, 0)) };
        let uniform: Vec<Option<Row>> = self.uniform(sweep).map(|(cell, _)| cell.row()).collect();
        let ends = sweep.warm.iter().flatten().filter(|(cell, _)| !uniform.contains(&cell.row()));
        let ends = ends.map(|(cell, form)| (first, *cell, form));
        let ends = ends.chain(sweep.rest.iter().map(|(cell, form)| (next, *cell, form)));
        for (origin, cell, form) in ends.filter(|(_, cell, form)| !form.is(cell)) {
            let (op, form) = self.stored(&cell, form);
            let sum = self.sum(&form, before, &mut |this, cell| Operand::Place(this.place(origin, cell)));
            after.push(assign(self.place(origin, cell), op, sum));
        }
    }

    fn is_added_to(&self, cell: &Cell) -> bool {
        matches!(cell, Cell::Element(row, _) if self.rows[row.0].only_added_to)
    }

    /// Elements of which all iterations do the same: sums that are added, and what is cleared, do not wait for others.
    fn uniform<'s>(&self, sweep: &'s Sweep) -> impl Iterator<Item = &'s (Cell, Form)> {
        let added: Vec<Cell> = sweep.stored().map(|(cell, _)| *cell).filter(|cell| self.is_added_to(cell)).collect();
        let cleared: Vec<Cell> = sweep.cleared().map(|(cell, _)| *cell).collect();
        let is_alone = move |cell: &Cell| added.contains(cell) || cleared.contains(cell);
        sweep.steady.iter().filter(move |all| is_alone(&all.0) && sweep.is_uniform(all))
    }

    /// From which iteration to which: all, or all but the first.
    fn range(&self, sweep: &Sweep, all: bool) -> (PassiveCode, PassiveCode) {
        let warm = if all { 0 } else { sweep.warm.len() as i64 };
        match self.on.down {
            true => (self.on.lo.clone(), shifted(&self.on.hi, -warm)),
            false => (shifted(&self.on.lo, warm), self.on.hi.clone()),
        }
    }

    /// The loop over all elements that get the same sum in addition. Each row has a loop of its own: LLVM need not ask whether two rows
    /// of one array have elements in common.
    fn adding(&mut self, sweep: &Sweep, all @ (cell, form): &(Cell, Form)) -> Stmt {
        let (lo, hi) = self.range(sweep, sweep.is_uniform(all));
        let var = self.counter();
        let here = self.table.read(var);
        let mut body = Vec::new();
        let (op, form) = self.stored(cell, form);
        let sum = self.sum(&form, &mut body, &mut |this, cell| Operand::Place(this.place((&here, 0), cell)));
        body.push(assign(self.place((&here, 0), *cell), op, sum));
        looped(var, (&lo, &hi), body)
    }

    /// The loop over all elements of which nothing is left.
    fn clearing(&mut self, sweep: &Sweep, all: &(Cell, Form)) -> Stmt {
        let (lo, hi) = self.range(sweep, sweep.is_uniform(all));
        let var = self.counter();
        let place = self.place((&self.table.read(var), 0), all.0);
        looped(var, (&lo, &hi), vec![Stmt::Derived(Derived::Clear { place, whole: false })])
    }

    /// How a cell gets its sum: what is only added to gets no more than what is added.
    fn stored(&self, cell: &Cell, form: &Form) -> (Assign, Form) {
        match cell {
            cell if self.is_added_to(cell) => (Assign::Add, form.without(cell)),
            _ => (Assign::Set, form.clone()),
        }
    }

    fn place(&self, (at, back): (&PassiveCode, i64), cell: Cell) -> Place {
        match cell {
            Cell::Number(var) => Place::var(var),
            Cell::Element(row, offset) => {
                let Along { place, base, .. } = &self.rows[row.0];
                place.element(Shift::at(base.as_ref(), at, offset + back))
            }
        }
    }

    /// The loop over all elements that are set to the same sum.
    fn setting(&mut self, sweep: &Sweep, before: &mut Vec<Stmt>) -> Option<Stmt> {
        let all: Vec<&(Cell, Form)> = sweep.stored().filter(|(cell, _)| !self.is_added_to(cell)).collect();
        if all.is_empty() {
            return None;
        }
        let (lo, hi) = self.range(sweep, false);
        let past = self.past(sweep, &all, &lo, before);
        let var = self.counter();
        let here = self.table.read(var);
        let newest = past.keys().map(|row| Cell::Element(*row, sweep.written(*row)));
        let reads = all.iter().flat_map(|(_, form)| form.cells());
        let present = reads.chain(newest).filter(|c| matches!(c, Cell::Element(..)) && !sweep.is_past(*c));
        let (loaded, mut body) = self.loads(present.collect(), &here);
        let mut stores = Vec::new();
        for (cell, form) in &all {
            let sum = self.sum(form, &mut body, &mut |_, cell| match (cell, loaded.get(&cell)) {
                (_, Some(var)) => Operand::var(*var),
                (Cell::Element(row, offset), None) => {
                    Operand::var(past[&row][(sweep.written(row) - offset - 1) as usize])
                }
                (Cell::Number(var), None) => Operand::var(var),
            });
            stores.push(assign(self.place((&here, 0), *cell), Assign::Set, sum));
        }
        body.extend(stores);
        for (row, cells) in &past {
            moved_on(loaded[&Cell::Element(*row, sweep.written(*row))], cells, &mut body);
        }
        Some(looped(var, (&lo, &hi), body))
    }

    /// The elements as values.
    fn loads(&mut self, elements: Vec<Cell>, here: &PassiveCode) -> (BTreeMap<Cell, Var>, Vec<Stmt>) {
        let (mut loaded, mut out) = (BTreeMap::new(), Vec::new());
        for cell in elements {
            loaded.entry(cell).or_insert_with(|| {
                let value = self.bar("here");
                let element = Operand::Place(self.place((here, 0), cell));
                out.push(Stmt::Let { var: value, expr: Expr::Operand(element) });
                value
            });
        }
        (loaded, out)
    }

    fn counter(&mut self) -> Var {
        let hint = self.table.info(self.on.var).hint.clone();
        self.table.twin(self.on.var, &hint)
    }

    /// Variables for what the iterations of the new loop overwrite before it is read for the last time.
    fn past(&mut self, sweep: &Sweep, all: &[&(Cell, Form)], lo: &PassiveCode, before: &mut Vec<Stmt>) -> Past {
        let mut past = Past::new();
        for cell in all.iter().flat_map(|(_, form)| form.cells()).filter(|c| sweep.is_past(*c)) {
            let Cell::Element(row, offset) = cell else { continue };
            let written = sweep.written(row);
            while past.get(&row).map_or(0, Vec::len) < (written - offset) as usize {
                let var = self.bar("past");
                let cells = past.entry(row).or_default();
                cells.push(var);
                let place = self.place((lo, 0), Cell::Element(row, written - cells.len() as i64));
                before.push(Stmt::Let { var, expr: Expr::Operand(Operand::Place(place)) });
            }
        }
        past
    }

    /// The value of a form: cells that have the same partial derivative are added up first.
    fn sum(&mut self, form: &Form, out: &mut Vec<Stmt>, read: &mut dyn FnMut(&Self, Cell) -> Operand) -> Operand {
        let (sum, mut is_first) = (self.bar("sum"), true);
        for (partial, cells) in form.by_partial() {
            let by = self.partial(&partial, out);
            let part = if by.is_none() { sum } else { self.bar("part") };
            let mut starts = by.is_some() || is_first;
            for (minus, cell) in cells {
                let value = read(self, cell);
                out.push(added(part, minus, value, std::mem::take(&mut starts)));
            }
            if let Some(by) = by {
                let flow = self.bar("flow");
                out.push(let_op(flow, Op::Mul, vec![Operand::var(part), by]));
                out.push(added(sum, false, Operand::var(flow), is_first));
            }
            is_first = false;
        }
        out.extend(is_first.then_some(Stmt::Let { var: sum, expr: Expr::Zero }));
        Operand::var(sum)
    }

    /// A partial derivative as a value; none if it is one.
    fn partial(&mut self, partial: &Partial, out: &mut Vec<Stmt>) -> Option<Operand> {
        if *partial == Partial::number(1.0) {
            return None;
        }
        if let Some((_, value)) = self.partials.iter().find(|(s, _)| s == partial) {
            return Some(value.clone());
        }
        // what is added comes first, so that nothing has to be negated
        let (plus, minus): (Vec<_>, Vec<_>) = partial.terms().partition(|(_, number)| *number > 0.0);
        let value = plus.into_iter().chain(minus).fold(None, |sum, (factors, number)| {
            let term = self.term(factors, number.abs(), out);
            Some(match sum {
                None if number > 0.0 => term,
                None => self.value(Op::Neg, vec![term], out),
                Some(sum) => self.value(if number > 0.0 { Op::Add } else { Op::Sub }, vec![sum, term], out),
            })
        })?;
        self.partials.push((partial.clone(), value.clone()));
        Some(value)
    }

    fn term(&mut self, factors: &[usize], number: f64, out: &mut Vec<Stmt>) -> Operand {
        let literal = Literal::f64_unsuffixed(number);
        let mut term = (number != 1.0).then(|| Operand::Passive(PassiveCode::literal(quote!(#literal))));
        for factor in factors {
            let Factor { value, over, .. } = &self.factors[*factor];
            let (value, over) = (value.clone(), *over);
            term = Some(match (term, over) {
                (None, false) => value,
                (None, true) => {
                    let one = Operand::Passive(PassiveCode::literal(quote!(1.0)));
                    self.value(Op::Div, vec![one, value], out)
                }
                (Some(term), _) => self.value(if over { Op::Div } else { Op::Mul }, vec![term, value], out),
            });
        }
        term.unwrap_or_else(|| Operand::Passive(PassiveCode::literal(quote!(1.0))))
    }

    fn value(&mut self, op: Op, args: Vec<Operand>, out: &mut Vec<Stmt>) -> Operand {
        let var = self.table.fresh("weight", Ty::Float, Role::Primal, Span::call_site());
        out.push(let_op(var, op, args));
        Operand::var(var)
    }

    fn bar(&mut self, hint: &str) -> Var {
        let var = self.table.fresh(&format!("{hint}_bar"), Ty::Float, Role::Bar, Span::call_site());
        self.activity.note(var, self.varied);
        var
    }
}

/// A loop that goes upwards.
fn looped(var: Var, (lo, hi): (&PassiveCode, &PassiveCode), stmts: Vec<Stmt>) -> Stmt {
    let (lo, hi, body) = (lo.clone(), hi.clone(), Block { stmts });
    let (step, until, checkpoint) = (None, None, None);
    let on = For { var, lo, hi, inclusive: false, step, down: false, until, checkpoint, body };
    Stmt::Derived(Derived::Loop(Box::new(Loop::new(on, LoopSweep::AdjointReversed))))
}

/// The values of the iterations before, in the order of their age, one older.
fn moved_on(newest: Var, cells: &[Var], out: &mut Vec<Stmt>) {
    for (k, cell) in cells.iter().enumerate().rev() {
        let from = if k == 0 { newest } else { cells[k - 1] };
        out.push(assign(Place::var(*cell), Assign::Set, Operand::var(from)));
    }
}

/// What begins a sum, or what goes on with it.
fn added(sum: Var, minus: bool, value: Operand, starts: bool) -> Stmt {
    match (starts, minus) {
        (true, false) => Stmt::Let { var: sum, expr: Expr::Operand(value) },
        (true, true) => let_op(sum, Op::Neg, vec![value]),
        (false, _) => {
            let op = if minus { Assign::Sub } else { Assign::Add };
            Stmt::Assign { place: Place::var(sum), op, value, span: Span::call_site() }
        }
    }
}

fn let_op(var: Var, op: Op, args: Vec<Operand>) -> Stmt {
    Stmt::Let { var, expr: Expr::Op { op, args, span: Span::call_site() } }
}

fn assign(place: Place, op: Assign, value: Operand) -> Stmt {
    Stmt::Assign { place, op, value, span: Span::call_site() }
}
