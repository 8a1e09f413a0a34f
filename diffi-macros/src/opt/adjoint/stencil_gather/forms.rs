//! Linear forms: sums of elements times coefficients, and the forms that iterations make of them.

use crate::analysis::cost_model::{STENCIL_PERIOD, STENCIL_WIDTH};
use crate::ir::visit::Vars;
use crate::ir::*;
use std::collections::BTreeMap;

/// A row of an array, along which the loop walks: which one of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row(pub usize);

/// What holds a cotangent: an element, so far from where the loop's variable is, or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    Element(Row, i64),
    Number(Var),
}

impl Cell {
    pub fn row(self) -> Option<Row> {
        match self {
            Cell::Element(row, _) => Some(row),
            Cell::Number(_) => None,
        }
    }

    fn shifted(self, by: i64) -> Cell {
        match self {
            Cell::Element(row, at) => Cell::Element(row, at + by),
            number => number,
        }
    }
}

/// A value that partial derivatives are made of.
pub struct Factor {
    pub value: Operand,
    /// It is a divisor.
    pub over: bool,
    pub text: String,
}

/// Numbers times products of factors, added up.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial(BTreeMap<Vec<usize>, f64>);

impl Partial {
    pub fn number(number: f64) -> Partial {
        Partial(BTreeMap::from([(Vec::new(), number)]))
    }

    pub fn factor(at: usize) -> Partial {
        Partial(BTreeMap::from([(vec![at], 1.0)]))
    }

    pub fn terms(&self) -> impl Iterator<Item = (&[usize], f64)> {
        self.0.iter().map(|(factors, number)| (&factors[..], *number))
    }

    fn times(&self, other: &Partial) -> Partial {
        let mut product = Partial(BTreeMap::new());
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                let mut factors = [&a[..], b].concat();
                factors.sort_unstable();
                product.add_term(factors, x * y);
            }
        }
        product
    }

    fn add(&mut self, other: &Partial) {
        other.0.iter().for_each(|(factors, number)| self.add_term(factors.clone(), *number));
    }

    fn add_term(&mut self, factors: Vec<usize>, number: f64) {
        let sum = self.0.get(&factors).unwrap_or(&0.0) + number;
        if sum == 0.0 {
            self.0.remove(&factors);
        } else {
            self.0.insert(factors, sum);
        }
    }
}

/// Cells times partial derivatives, added up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form(BTreeMap<Cell, Partial>);

impl Form {
    fn of(cell: Cell) -> Form {
        Form(BTreeMap::from([(cell, Partial::number(1.0))]))
    }

    /// Whether it is what the cell was.
    pub fn is(&self, cell: &Cell) -> bool {
        *self == Form::of(*cell)
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.0.keys().copied()
    }

    /// The cells of each partial derivative, with the sign that is taken out of it.
    pub fn by_partial(&self) -> Vec<(Partial, Vec<(bool, Cell)>)> {
        let mut groups: Vec<(Partial, Vec<(bool, Cell)>)> = Vec::new();
        for (cell, partial) in &self.0 {
            let minus = partial.0.values().all(|n| *n < 0.0);
            let partial = if minus { partial.times(&Partial::number(-1.0)) } else { partial.clone() };
            match groups.iter_mut().find(|(s, _)| *s == partial) {
                Some((_, cells)) => cells.push((minus, *cell)),
                None => groups.push((partial, vec![(minus, *cell)])),
            }
        }
        // sums begin with what is not subtracted
        groups.iter_mut().for_each(|(_, cells)| cells.sort_by_key(|(minus, _)| *minus));
        groups.sort_by_key(|(_, cells)| cells[0].0);
        groups
    }

    /// All but this cell.
    pub fn without(&self, cell: &Cell) -> Form {
        let mut others = self.clone();
        others.0.remove(cell);
        others
    }

    fn add(&mut self, other: &Form, partial: &Partial) {
        for (cell, by) in &other.0 {
            let sum = self.0.entry(*cell).or_insert_with(|| Partial(BTreeMap::new()));
            sum.add(&by.times(partial));
            if sum.0.is_empty() {
                self.0.remove(cell);
            }
        }
    }

    fn shifted(&self, by: i64) -> Form {
        Form(self.0.iter().map(|(cell, partial)| (cell.shifted(by), partial.clone())).collect())
    }

    fn is_small(&self) -> bool {
        self.0.len() <= STENCIL_WIDTH && self.0.values().all(|partial| partial.0.len() <= STENCIL_WIDTH)
    }
}

/// One statement: what a cell is set to, or what is added to it.
pub struct Step {
    pub to: Cell,
    pub adds: bool,
    pub sum: Vec<(Cell, Partial)>,
}

/// A loop that is made of such statements.
pub struct Mixture {
    pub steps: Vec<Step>,
    /// What each iteration brings into being.
    pub own: Vars,
    pub down: bool,
}

/// What cells hold, in terms of what they held before the loop; those that are not there are as they were.
type State = BTreeMap<Cell, Form>;

/// What all iterations do.
pub struct Sweep {
    /// Of each of the first iterations: the elements that it is the last to see, counted from the first iteration.
    pub warm: Vec<Vec<(Cell, Form)>>,
    /// Of every other iteration, counted from there.
    pub steady: Vec<(Cell, Form)>,
    /// What is left when the loop ends, counted from the iteration that would come next.
    pub rest: Vec<(Cell, Form)>,
    /// How far it is from an iteration to the next.
    step: i64,
}

impl Sweep {
    /// Which elements get another value than zero.
    pub fn stored(&self) -> impl Iterator<Item = &(Cell, Form)> {
        self.steady.iter().filter(|(cell, form)| !form.is(cell) && !form.0.is_empty())
    }

    /// Which elements become zero.
    pub fn cleared(&self) -> impl Iterator<Item = &(Cell, Form)> {
        self.steady.iter().filter(|(_, form)| form.0.is_empty())
    }

    /// Whether the first iterations do the same with the cell as all others.
    pub fn is_uniform(&self, (cell, form): &(Cell, Form)) -> bool {
        let at = |iteration: usize| iteration as i64 * self.step;
        let mut warm = self.warm.iter().enumerate();
        warm.all(|(k, done)| done.contains(&(cell.shifted(at(k)), form.shifted(at(k)))))
    }

    /// Which element of a row an iteration stores.
    pub fn written(&self, row: Row) -> i64 {
        let at = |(cell, _): &(Cell, Form)| match cell {
            Cell::Element(r, at) if *r == row => Some(*at),
            _ => None,
        };
        self.stored().find_map(at).unwrap_or(i64::MIN)
    }

    /// Whether a loop that goes upwards has overwritten the cell.
    pub fn is_past(&self, cell: Cell) -> bool {
        matches!(cell, Cell::Element(row, at) if at < self.written(row))
    }
}

impl Mixture {
    fn cells(&self) -> impl Iterator<Item = Cell> {
        self.steps.iter().flat_map(|step| step.sum.iter().map(|(cell, _)| *cell).chain([step.to]))
    }

    /// Whether things are added to the row, and nothing else is done with it.
    pub fn only_adds_to(&self, row: Row) -> bool {
        let uses = |s: &Step| {
            let sets = !s.adds && s.to.row() == Some(row);
            sets || s.sum.iter().any(|(cell, _)| cell.row() == Some(row))
        };
        !self.steps.iter().any(uses)
    }

    /// What the loop does, if what an iteration leaves to the next is the same from some iteration on, and if an iteration leaves anything at all.
    pub fn sweep(&self) -> Option<Sweep> {
        let windows = self.windows();
        let (mut state, mut warm) = (State::new(), Vec::new());
        let mut left = self.left(&state, &windows, 0);
        loop {
            let at = warm.len() as i64 * self.step();
            self.iteration(&mut state, at)?;
            let done: Vec<(Cell, Form)> =
                windows.iter().map(|w| w.last_seen(self.down).shifted(at)).map(|c| (c, taken(&mut state, c))).collect();
            let next = self.left(&state, &windows, at + self.step());
            if next == left {
                let steady = done.iter().map(|(cell, form)| (cell.shifted(-at), form.shifted(-at))).collect();
                let rest = left.into_iter().collect();
                return (!warm.is_empty()).then_some(Sweep { warm, steady, rest, step: self.step() });
            }
            (warm.len() < STENCIL_PERIOD).then_some(())?;
            (left, warm) = (next, [warm, vec![done]].concat());
        }
    }

    fn is_own(&self, cell: &Cell) -> bool {
        matches!(cell, Cell::Number(var) if self.own.contains(var))
    }

    fn step(&self) -> i64 {
        if self.down { -1 } else { 1 }
    }

    /// The elements that an iteration sees, of every row that is written.
    fn windows(&self) -> Vec<Window> {
        let mut windows: Vec<Window> = Vec::new();
        for step in &self.steps {
            let Some(row) = step.to.row() else { continue };
            if windows.iter().any(|w| w.row == row) {
                continue;
            }
            let offsets = || {
                self.cells().filter_map(|cell| match cell {
                    Cell::Element(r, at) if r == row => Some(at),
                    _ => None,
                })
            };
            if let (Some(first), Some(last)) = (offsets().min(), offsets().max()) {
                windows.push(Window { row, first, last });
            }
        }
        windows
    }

    fn iteration(&self, state: &mut State, at: i64) -> Option<()> {
        for step in &self.steps {
            let to = step.to.shifted(at);
            let mut form = if step.adds { taken(state, to) } else { Form::default() };
            for (cell, partial) in &step.sum {
                let cell = cell.shifted(at);
                form.add(state.get(&cell).unwrap_or(&Form::of(cell)), partial);
            }
            form.is_small().then_some(())?;
            state.insert(to, form);
        }
        state.retain(|cell, _| !self.is_own(cell));
        Some(())
    }

    /// What the iteration at `next` finds changed or may find changed, counted from there.
    fn left(&self, state: &State, windows: &[Window], next: i64) -> State {
        let elements = windows.iter().flat_map(|w| w.left_to_next(self.down));
        let numbers = self.steps.iter().map(|s| s.to).filter(|c| matches!(c, Cell::Number(_)));
        let cells = elements.chain(numbers.filter(|c| !self.is_own(c)));
        cells
            .map(|cell| {
                let here = cell.shifted(next);
                (cell, state.get(&here).cloned().unwrap_or_else(|| Form::of(here)).shifted(-next))
            })
            .collect()
    }
}

/// The elements of a row that an iteration sees.
struct Window {
    row: Row,
    first: i64,
    last: i64,
}

impl Window {
    /// The one that no later iteration sees.
    fn last_seen(&self, down: bool) -> Cell {
        Cell::Element(self.row, if down { self.last } else { self.first })
    }

    /// The others, counted from the next iteration.
    fn left_to_next(&self, down: bool) -> impl Iterator<Item = Cell> {
        let row = self.row;
        let (range, by) = if down { (self.first..self.last, 1) } else { (self.first + 1..self.last + 1, -1) };
        range.map(move |at| Cell::Element(row, at + by))
    }
}

/// What a cell holds, which is asked for the last time.
fn taken(state: &mut State, cell: Cell) -> Form {
    state.remove(&cell).unwrap_or_else(|| Form::of(cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    const U: Row = Row(0);
    const V: Row = Row(1);
    const LEFT: Var = Var(2);
    const OLD: Var = Var(3);

    fn u(at: i64) -> Cell {
        Cell::Element(U, at)
    }

    fn v(at: i64) -> Cell {
        Cell::Element(V, at)
    }

    fn set(to: Cell, sum: &[(Cell, f64)]) -> Step {
        Step { to, adds: false, sum: sum.iter().map(|(cell, by)| (*cell, Partial::number(*by))).collect() }
    }

    fn add(to: Cell, from: Cell, by: f64) -> Step {
        Step { adds: true, ..set(to, &[(from, by)]) }
    }

    /// The adjoint of `u[i] = 3 * old + 2 * u[i + 1] + 5 * left; left = old`.
    fn diffused() -> Vec<Step> {
        let (left, old) = (Cell::Number(LEFT), Cell::Number(OLD));
        vec![
            set(old, &[(left, 1.0)]),
            set(left, &[(u(0), 5.0)]),
            add(u(1), u(0), 2.0),
            add(old, u(0), 3.0),
            set(u(0), &[(old, 1.0)]),
        ]
    }

    fn mixture(steps: Vec<Step>, down: bool) -> Mixture {
        Mixture { steps, own: [OLD].into(), down }
    }

    /// Values of all cells, by which loops are run and sums are found.
    type Values = BTreeMap<Cell, f64>;

    fn start(iterations: i64) -> Values {
        let at = |k: i64| 0.5 + (1.7 * k as f64).sin();
        let elements = (-iterations - 4..iterations + 5).flat_map(|k| [(u(k), at(k)), (v(k), at(3 * k + 1))]);
        elements.chain([(Cell::Number(LEFT), 0.3)]).collect()
    }

    /// The loop as it stands.
    fn run(mixture: &Mixture, iterations: i64) -> Values {
        let mut values = start(iterations);
        for at in (0..iterations).map(|k| k * mixture.step()) {
            for step in &mixture.steps {
                let sum: f64 = step.sum.iter().map(|(cell, by)| values[&cell.shifted(at)] * number(by)).sum();
                let to = step.to.shifted(at);
                let before = if step.adds { values[&to] } else { 0.0 };
                values.insert(to, before + sum);
            }
        }
        values.remove(&Cell::Number(OLD));
        values
    }

    /// The same by the sums of a sweep.
    fn swept(mixture: &Mixture, sweep: &Sweep, iterations: i64) -> Values {
        let before = start(iterations);
        let mut values = before.clone();
        let mut put = |cells: &[(Cell, Form)], at: i64| {
            for (cell, form) in cells {
                let sum = form.0.iter().map(|(cell, by)| before[&cell.shifted(at)] * number(by)).sum();
                values.insert(cell.shifted(at), sum);
            }
        };
        sweep.warm.iter().for_each(|cells| put(cells, 0));
        for k in sweep.warm.len() as i64..iterations {
            put(&sweep.steady, k * mixture.step());
        }
        put(&sweep.rest, iterations * mixture.step());
        values
    }

    fn number(partial: &Partial) -> f64 {
        partial.terms().map(|(_, number)| number).sum()
    }

    #[test]
    fn sweeps_do_what_loops_do() {
        let to_another = vec![add(v(-1), u(0), 2.0), add(v(1), u(0), -1.0), set(u(0), &[])];
        let both = vec![add(u(2), v(0), 0.5), set(v(0), &[(v(-1), 2.0)]), add(u(-2), v(-1), 0.25)];
        let mixtures = [
            mixture(diffused(), true),
            mixture(to_another, false),
            mixture(vec![add(v(-1), u(0), 2.0), set(u(0), &[]), add(v(3), v(2), 1.5)], true),
            mixture(both, true),
        ];
        for mixture in &mixtures {
            let sweep = mixture.sweep().expect("it is a convolution");
            for iterations in sweep.warm.len() as i64 + 1..12 {
                let (run, swept) = (run(mixture, iterations), swept(mixture, &sweep, iterations));
                for (cell, expected) in &run {
                    assert!((swept[cell] - expected).abs() < 1e-12, "{cell:?} of {iterations} iterations");
                }
            }
        }
    }

    #[test]
    fn iterations_that_wait_for_each_other_have_no_sums() {
        let left = Cell::Number(LEFT);
        let relaxed = vec![add(u(1), u(0), 0.5), add(u(-1), u(0), 0.5)];
        let summed = vec![add(left, u(0), 1.0), set(u(0), &[(left, 1.0)])];
        let decayed = vec![set(left, &[(left, 0.5), (u(0), 1.0)]), set(u(0), &[(left, 1.0)])];
        for steps in [relaxed, summed, decayed] {
            assert!(mixture(steps, true).sweep().is_none());
        }
    }

    #[test]
    fn iterations_that_leave_nothing_stay_as_they_are() {
        assert!(mixture(vec![set(u(0), &[(u(0), 2.0)])], true).sweep().is_none());
        assert!(mixture(vec![add(v(0), u(0), 2.0)], false).sweep().is_none());
        assert!(mixture(vec![set(u(0), &[(u(1), 1.0)])], false).sweep().is_none());
    }

    #[test]
    fn sums_of_a_step_of_diffusion() {
        let sweep = mixture(diffused(), true).sweep().expect("it is a convolution");
        let [(cell, form)] = &sweep.steady[..] else { panic!("one array") };
        let weights: Vec<(Cell, f64)> = form.0.iter().map(|(cell, by)| (*cell, number(by))).collect();
        assert_eq!((*cell, weights), (u(1), vec![(u(0), 2.0), (u(1), 3.0), (u(2), 5.0)]));
        assert_eq!(sweep.warm.len(), 2);
    }
}
