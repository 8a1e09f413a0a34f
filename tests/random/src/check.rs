//! What a batch of programs runs: every derivative that diffi generates against the reference.

use crate::number::S;
use ndarray::{Array, Array2, Dimension};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A value of the plain program as one of the reference, and back as a list.
pub trait Lift {
    /// The same shape over [`S`].
    type Lifted: Leaves;
    /// Every float becomes a number with its seeds.
    fn lift(&self, seeds: &mut Seeds) -> Self::Lifted;
    /// The same shape with every float changed.
    fn each(&mut self, f: &mut dyn FnMut(&mut f64));
}

/// The numbers of a value, in order.
pub trait Leaves {
    /// Adds them to a list.
    fn leaves(&self, to: &mut Vec<S>);
}

impl Lift for f64 {
    type Lifted = S;
    fn lift(&self, seeds: &mut Seeds) -> S {
        seeds.next(*self)
    }
    fn each(&mut self, f: &mut dyn FnMut(&mut f64)) {
        f(self);
    }
}

impl Leaves for S {
    fn leaves(&self, to: &mut Vec<S>) {
        to.push(*self);
    }
}

macro_rules! passive {
    ($($T:ty)+) => { $(
        impl Lift for $T {
            type Lifted = $T;
            fn lift(&self, _: &mut Seeds) -> $T {
                *self
            }
            fn each(&mut self, _: &mut dyn FnMut(&mut f64)) {}
        }
        impl Leaves for $T {
            fn leaves(&self, _: &mut Vec<S>) {}
        }
    )+ };
}
passive!(() usize i32 bool);

impl<T: Lift> Lift for Vec<T> {
    type Lifted = Vec<T::Lifted>;
    fn lift(&self, seeds: &mut Seeds) -> Self::Lifted {
        self.iter().map(|v| v.lift(seeds)).collect()
    }
    fn each(&mut self, f: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|v| v.each(f));
    }
}

impl<T: Leaves> Leaves for Vec<T> {
    fn leaves(&self, to: &mut Vec<S>) {
        self.iter().for_each(|v| v.leaves(to));
    }
}

impl<T: Lift, const N: usize> Lift for [T; N] {
    type Lifted = [T::Lifted; N];
    fn lift(&self, seeds: &mut Seeds) -> Self::Lifted {
        self.each_ref().map(|v| v.lift(seeds))
    }
    fn each(&mut self, f: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|v| v.each(f));
    }
}

impl<T: Leaves, const N: usize> Leaves for [T; N] {
    fn leaves(&self, to: &mut Vec<S>) {
        self.iter().for_each(|v| v.leaves(to));
    }
}

impl<T: Lift, D: Dimension> Lift for Array<T, D> {
    type Lifted = Array<T::Lifted, D>;
    fn lift(&self, seeds: &mut Seeds) -> Self::Lifted {
        self.map(|v| v.lift(seeds))
    }
    fn each(&mut self, f: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|v| v.each(f));
    }
}

impl<T: Leaves, D: Dimension> Leaves for Array<T, D> {
    fn leaves(&self, to: &mut Vec<S>) {
        self.iter().for_each(|v| v.leaves(to));
    }
}

macro_rules! tuples {
    ($($T:ident)+) => {
        #[allow(non_snake_case)]
        impl<$($T: Lift),+> Lift for ($($T,)+) {
            type Lifted = ($($T::Lifted,)+);
            fn lift(&self, seeds: &mut Seeds) -> Self::Lifted {
                let ($($T,)+) = self;
                ($($T.lift(seeds),)+)
            }
            fn each(&mut self, f: &mut dyn FnMut(&mut f64)) {
                let ($($T,)+) = self;
                $($T.each(f);)+
            }
        }
        #[allow(non_snake_case)]
        impl<$($T: Leaves),+> Leaves for ($($T,)+) {
            fn leaves(&self, to: &mut Vec<S>) {
                let ($($T,)+) = self;
                $($T.leaves(to);)+
            }
        }
        #[allow(non_snake_case)]
        impl<$($T: Rows),+> Rows for ($($T,)+) {
            fn rows(&self) -> Matrix {
                let ($($T,)+) = self;
                let blocks = [$($T.rows()),+];
                (0..blocks[0].len()).map(|i| blocks.iter().flat_map(|block| block[i].clone()).collect()).collect()
            }
        }
    };
}
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);

/// Rows of a matrix.
pub type Matrix = Vec<Vec<f64>>;

/// A Jacobian as rows; the blocks of several arguments stand side by side.
pub trait Rows {
    /// The rows.
    fn rows(&self) -> Matrix;
}

impl Rows for Array2<f64> {
    fn rows(&self) -> Matrix {
        self.outer_iter().map(|row| row.to_vec()).collect()
    }
}

/// The floats of a value.
pub fn flat<T: Lift>(mut value: T) -> Vec<f64> {
    let mut flat = Vec::new();
    value.each(&mut |v| flat.push(*v));
    flat
}

/// A direction in the arguments: every active number gets its own rate, counted by `k`.
pub fn tangent<T: Lift + Clone>(value: &T, k: &mut usize) -> T {
    let mut tangent = value.clone();
    tangent.each(&mut |v| {
        *v = rate(*k);
        *k += 1;
    });
    tangent
}

/// The numbers of a direction, as [`tangent`] has them.
pub fn rates(count: usize, k: &mut usize) -> Vec<f64> {
    let first = *k;
    *k += count;
    (first..*k).map(rate).collect()
}

/// As [`tangent`], for a type that derives `Differentiable`.
#[macro_export]
macro_rules! direction {
    ($value:expr, $k:expr) => {{
        let mut tangent = $value.zero_tangent();
        let count = tangent.to_flat().len();
        tangent.set_flat(&$crate::check::rates(count, &mut $k)).unwrap();
        tangent
    }};
}

/// A cotangent of a result.
pub fn cotangent<T: Lift>(mut value: T) -> T {
    let mut k = 0;
    value.each(&mut |v| {
        *v = (2.5 * k as f64 + 0.7).cos();
        k += 1;
    });
    value
}

fn rate(k: usize) -> f64 {
    (3.0 * k as f64 + 1.0).sin()
}

/// Which numbers move: the first direction is one column, the second is that of [`tangent`].
#[derive(Default)]
pub struct Seeds {
    active: Vec<bool>,
    blocks: Vec<usize>,
    column: usize,
    next: usize,
    moving: usize,
}

impl Seeds {
    /// The next argument of the program.
    pub fn argument<T: Lift>(&mut self, value: &T) -> T::Lifted {
        self.blocks.push(self.next);
        value.lift(self)
    }

    fn next(&mut self, v: f64) -> S {
        let mut number = S { v, ..S::default() };
        if self.active.get(self.blocks.len() - 1).copied().unwrap_or(true) {
            number.a = if self.next == self.column { 1.0 } else { 0.0 };
            number.b = rate(self.moving);
            self.moving += 1;
        }
        self.next += 1;
        number
    }
}

/// What the reference says of one choice of active arguments.
struct Expected {
    value: Vec<f64>,
    jacobian: Matrix,
    /// `dv · H` for a program with one result.
    second: Vec<f64>,
    pushforward: Vec<f64>,
    /// The columns that belong to a `&mut` parameter.
    exclusive: Vec<Option<usize>>,
}

/// One program at one point.
pub struct Case<'a> {
    name: &'a str,
    reference: &'a dyn Fn(&mut Seeds) -> Vec<S>,
    expected: Option<Expected>,
    choice: String,
}

/// The deviation beyond which a first or second derivative is wrong, in proportion to the largest entry.
const TOLERANCE: f64 = 1e-9;
/// Derivatives beyond this say more about rounding than about the compiler.
const WILD: f64 = 1e5;

impl<'a> Case<'a> {
    /// A program; the reference takes every argument from the seeds, in order, and lists all results.
    pub fn new(name: &'a str, reference: &'a dyn Fn(&mut Seeds) -> Vec<S>) -> Self {
        Case { name, reference, expected: None, choice: String::new() }
    }

    /// The choice of active arguments that the following checks are about, and which of them are `&mut`.
    /// Says whether there is something to check.
    pub fn choose(&mut self, active: &[bool], exclusive: &[bool]) -> bool {
        self.choice = active.iter().map(|a| if *a { 'a' } else { 'c' }).collect();
        self.expected = None;
        let run = |column: usize| {
            let mut seeds = Seeds { active: active.to_vec(), column, ..Seeds::default() };
            let results = (self.reference)(&mut seeds);
            (results, seeds)
        };
        let all = catch_unwind(AssertUnwindSafe(|| {
            let (first, seeds) = run(usize::MAX);
            let ends = seeds.blocks[1..].iter().copied().chain([seeds.next]);
            let mut columns = Vec::new();
            let mut of = Vec::new();
            for (k, (start, end)) in seeds.blocks.iter().copied().zip(ends).enumerate() {
                if active[k] {
                    columns.extend((start..end).map(|column| run(column).0));
                    of.extend((start..end).map(|_| exclusive[k].then_some(k)));
                }
            }
            Expected {
                value: first.iter().map(|s| s.v).collect(),
                jacobian: (0..first.len()).map(|i| columns.iter().map(|c| c[i].a).collect()).collect(),
                second: columns.iter().filter_map(|c| Some(c.first()?.ab)).collect(),
                pushforward: first.iter().map(|s| s.b).collect(),
                exclusive: of,
            }
        }));
        let Ok(expected) = all else {
            self.say("invalid", "reference", 0.0, "the program panics");
            return false;
        };
        let numbers = expected.value.iter().chain(expected.jacobian.iter().flatten()).chain(&expected.second);
        if numbers.clone().any(|v| !v.is_finite() || v.abs() > WILD) {
            self.say("wild", "reference", 0.0, "");
            return false;
        }
        if expected.jacobian.iter().flatten().all(|v| *v == 0.0) {
            self.say("flat", "reference", 0.0, "");
        }
        self.expected = Some(expected);
        true
    }

    /// Compares the value.
    pub fn value(&self, mode: &str, got: Run<Vec<f64>>) {
        self.matrix(mode, &mut || vec![got()], &|e| vec![e.value.clone()]);
    }

    /// Compares the Jacobian. A `&mut` parameter that is an output has no columns, and must have no influence but on what of itself
    /// is left alone. Which are outputs shows in the number of columns.
    pub fn jacobian(&self, mode: &str, got: Run<Matrix>) {
        let given = std::cell::RefCell::new(Matrix::new());
        let mut got = || {
            given.replace(got());
            given.borrow().clone()
        };
        self.matrix(mode, &mut got, &|e| {
            let given = given.borrow();
            let width = given.first().map_or(0, Vec::len);
            let all = e.without_outputs().into_iter().filter(|m| m.first().map_or(0, Vec::len) == width);
            all.min_by(|a, b| deviation(&given, a).total_cmp(&deviation(&given, b))).unwrap_or(e.jacobian.clone())
        });
    }

    /// Compares a gradient.
    pub fn gradient(&self, mode: &str, got: Run<Vec<f64>>) {
        self.matrix(mode, &mut || vec![got()], &|e| e.jacobian.clone());
    }

    /// Compares the answer for [`tangent`].
    pub fn pushforward(&self, mode: &str, got: Run<Vec<f64>>) {
        self.matrix(mode, &mut || vec![got()], &|e| vec![e.pushforward.clone()]);
    }

    /// Compares the answer for [`cotangent`].
    pub fn pullback(&self, mode: &str, got: Run<Vec<f64>>) {
        self.matrix(mode, &mut || vec![got()], &|e| {
            let weights = cotangent(e.value.clone());
            let columns = e.jacobian.first().map_or(0, Vec::len);
            vec![(0..columns).map(|j| weights.iter().zip(&e.jacobian).map(|(w, row)| w * row[j]).sum()).collect()]
        });
    }

    /// Compares the second derivative along [`tangent`].
    pub fn hvp(&self, mode: &str, got: Run<Vec<f64>>) {
        self.matrix(mode, &mut || vec![got()], &|e| vec![e.second.clone()]);
    }

    fn matrix(&self, mode: &str, got: Run<Matrix>, expected: &dyn Fn(&Expected) -> Matrix) {
        let Some(e) = &self.expected else { return };
        match catch_unwind(AssertUnwindSafe(got)) {
            Err(_) => self.say("panic", mode, f64::INFINITY, ""),
            Ok(got) => {
                let expected = expected(e);
                let deviation = deviation(&got, &expected);
                let right = deviation <= TOLERANCE;
                let message = if right { String::new() } else { format!("got {got:?} expected {expected:?}") };
                self.say(if right { "right" } else { "wrong" }, mode, deviation, &message);
            }
        }
    }

    fn say(&self, verdict: &str, mode: &str, deviation: f64, message: &str) {
        println!("{}\t{verdict}\t{}\t{mode}\t{deviation:e}\t{message}", self.name, self.choice);
    }
}

impl Expected {
    /// The Jacobian, without the columns of some `&mut` parameters that may be outputs: whichever may be.
    fn without_outputs(&self) -> Vec<Matrix> {
        let mut exclusive: Vec<usize> = self.exclusive.iter().filter_map(|k| *k).collect();
        exclusive.dedup();
        let choices = (0..1 << exclusive.len()).map(|bits: usize| {
            let outputs = exclusive.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
            outputs.map(|(_, k)| Some(*k)).collect::<Vec<_>>()
        });
        choices.filter_map(|outputs| self.without(&outputs)).collect()
    }

    /// The Jacobian without the columns of these parameters; none, if one of them has an influence.
    fn without(&self, outputs: &[Option<usize>]) -> Option<Matrix> {
        let is_output = |k: &Option<usize>| outputs.contains(k);
        let drops = |row: &Vec<f64>| {
            !is_left_alone(row) && row.iter().zip(&self.exclusive).any(|(v, k)| is_output(k) && *v != 0.0)
        };
        let kept = |row: &Vec<f64>| {
            let columns = row.iter().zip(&self.exclusive).filter(|(_, k)| !is_output(k));
            columns.map(|(v, _)| *v).collect()
        };
        (!self.jacobian.iter().any(drops)).then(|| self.jacobian.iter().map(kept).collect())
    }
}

/// What gives a derivative: not generic, so that a batch is built sooner.
type Run<'r, T> = &'r mut dyn FnMut() -> T;

/// Whether this is the row of a number that stays what it was.
fn is_left_alone(row: &[f64]) -> bool {
    let mut influences = row.iter().filter(|v| **v != 0.0);
    influences.next() == Some(&1.0) && influences.next().is_none()
}

/// The largest difference, in proportion to the largest entry where that is above 1.
fn deviation(got: &Matrix, expected: &Matrix) -> f64 {
    let same = got.len() == expected.len() && got.iter().zip(expected).all(|(g, e)| g.len() == e.len());
    if !same {
        return f64::INFINITY;
    }
    let scale = expected.iter().flatten().fold(1.0, |m: f64, v| m.max(v.abs()));
    let worst = |m: f64, (g, e): (&f64, &f64)| if g.is_nan() || e.is_nan() { f64::NAN } else { m.max((g - e).abs()) };
    let worst = got.iter().flatten().zip(expected.iter().flatten()).fold(0.0, worst);
    if worst.is_nan() { f64::INFINITY } else { worst / scale }
}
