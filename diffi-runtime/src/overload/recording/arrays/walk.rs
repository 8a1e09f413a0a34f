//! Programs of arrays, run forwards and backwards.
//!
//! What does all iterations at once goes through them by blocks: what stands in a row is read where it stands, everything else is copied
//! together, and one loop with nothing in it but the operation does the block.

use super::{Arrays, Entry, Operand, Part};
use crate::number::float::Base;
use crate::number::real::{Real, lift};
use crate::overload::recording::pull::{Adjoint, pass_on};
use crate::overload::recording::{Node, Op, Program, Step, apply};
use std::ops::{Add, AddAssign, Sub};

/// How many elements are looked at at once.
const BLOCK: usize = 64;

/// Room for operands that do not stand in a row.
type Copies<T> = [[T; BLOCK]; 3];

impl<F: Base> Program<F> {
    /// Carries out all operations of a program of arrays.
    pub(in crate::overload::recording) fn run_arrays<S: Real<Base = F>>(&self, values: &mut [S]) {
        let Arrays { parts, together, listed, .. } = &self.arrays;
        let mut copies = [[S::lit(0.0); BLOCK]; 3];
        for part in parts {
            match part {
                Part::Single { steps, at } => {
                    for (step, at) in self.steps[steps.start as usize..steps.end as usize].iter().zip(*at as usize..) {
                        run_step(step, at, values);
                    }
                }
                Part::Each { entry, iterations } => entry.run(*iterations as usize, listed, values, &mut copies),
                Part::Sum { op, at, start, terms, iterations } => {
                    values[*at as usize] =
                        terms.sum(*op, values[*start as usize], *iterations as usize, listed, values);
                }
                Part::Together { entries, iterations } => {
                    for iteration in 0..*iterations as usize {
                        for entry in &together[entries.start as usize..entries.end as usize] {
                            run_step(&entry.step(iteration, listed), entry.at as usize + iteration, values);
                        }
                    }
                }
            }
        }
    }

    /// Adds to the adjoints of all nodes what those after them pass on, in a program of arrays.
    pub(in crate::overload::recording) fn pull_arrays<S: Real<Base = F>, A: Adjoint<S>>(
        &self,
        values: &[S],
        adjoints: &mut [A],
    ) {
        let Arrays { parts, together, listed, .. } = &self.arrays;
        let (mut copies, mut shares) = ([[S::lit(0.0); BLOCK]; 3], [[A::ZERO; BLOCK]; 3]);
        for part in parts.iter().rev() {
            match part {
                Part::Single { steps, at } => {
                    let steps = &self.steps[steps.start as usize..steps.end as usize];
                    for (k, step) in steps.iter().enumerate().rev() {
                        pull_step(step, *at as usize + k, values, adjoints);
                    }
                }
                Part::Each { entry, iterations } => {
                    entry.pull(*iterations as usize, listed, values, adjoints, &mut copies, &mut shares);
                }
                Part::Sum { op, at, start, terms, iterations } => {
                    let adjoint = adjoints[*at as usize];
                    if !adjoint.is_zero() {
                        let share = if *op == Op::sub { adjoint.scaled(F::lit(-1.0)) } else { adjoint };
                        adjoints[*start as usize] += adjoint;
                        terms.add_each(*iterations as usize, share, listed, adjoints);
                    }
                }
                Part::Together { entries, iterations } => {
                    for iteration in (0..*iterations as usize).rev() {
                        for entry in together[entries.start as usize..entries.end as usize].iter().rev() {
                            pull_step(&entry.step(iteration, listed), entry.at as usize + iteration, values, adjoints);
                        }
                    }
                }
            }
        }
    }
}

#[inline]
fn run_step<S: Real>(step: &Step, at: usize, values: &mut [S]) {
    if let Some(value) = apply(step, values) {
        values[at] = value;
    }
}

#[inline]
fn pull_step<S: Real, A: Adjoint<S>>(step: &Step, at: usize, values: &[S], adjoints: &mut [A]) {
    let adjoint = adjoints[at];
    if !adjoint.is_zero() {
        pass_on(step, adjoint, values[at], values, adjoints);
    }
}

impl Entry {
    fn run<S: Real>(&self, iterations: usize, listed: &[Node], values: &mut [S], copies: &mut Copies<S>) {
        // An operation comes after its operands, and so do its values.
        let (before, own) = values.split_at_mut(self.at as usize);
        for (block, own) in own[..iterations].chunks_mut(BLOCK).enumerate() {
            let (read, integer) = self.read(block * BLOCK, own.len(), listed, before, copies);
            run_block(self.op, integer, read, own);
        }
    }

    fn pull<S: Real, A: Adjoint<S>>(
        &self,
        iterations: usize,
        listed: &[Node],
        values: &[S],
        adjoints: &mut [A],
        copies: &mut Copies<S>,
        shares: &mut Copies<A>,
    ) {
        let (before, own) = values.split_at(self.at as usize);
        let (adjoints, passing) = adjoints.split_at_mut(self.at as usize);
        for (block, passing) in passing[..iterations].chunks(BLOCK).enumerate() {
            let from = block * BLOCK;
            let (read, integer) = self.read(from, passing.len(), listed, before, copies);
            let operands = pull_block(self.op, integer, read, &own[from..], passing, shares);
            for (operand, share) in self.operands.iter().zip(&*shares).take(operands) {
                operand.add(from, &share[..passing.len()], listed, adjoints);
            }
        }
    }

    /// The operands of some iterations. Those that are none are the first again.
    #[inline(always)]
    fn read<'a, S: Copy>(
        &self,
        from: usize,
        count: usize,
        listed: &[Node],
        values: &'a [S],
        copies: &'a mut Copies<S>,
    ) -> ([&'a [S]; 3], i32) {
        let arity = self.op.arity();
        let [a, b, c] = copies;
        let [x, y, z] = self.operands;
        let first = x.read(from, count, listed, values, a);
        let second = if arity > 1 { y.read(from, count, listed, values, b) } else { first };
        let third = if arity > 2 { z.read(from, count, listed, values, c) } else { first };
        ([first, second, third], y.place(0, listed) as i32)
    }
}

impl Operand {
    #[inline]
    fn read<'a, S: Copy>(
        self,
        from: usize,
        count: usize,
        listed: &[Node],
        values: &'a [S],
        copy: &'a mut [S; BLOCK],
    ) -> &'a [S] {
        let copy = &mut copy[..count];
        match self {
            Operand::Row { first, stride: 1 } => return &values[first as usize + from..][..count],
            Operand::Constant(node) | Operand::Row { first: node, stride: 0 } => copy.fill(values[node as usize]),
            Operand::Row { .. } => {
                (from..)
                    .zip(&mut *copy)
                    .for_each(|(iteration, copy)| *copy = values[self.place(iteration, &[]) as usize]);
            }
            Operand::Listed(at) => {
                let places = &listed[at as usize + from..][..count];
                places.iter().zip(&mut *copy).for_each(|(place, copy)| *copy = values[*place as usize]);
            }
            Operand::Integer(_) => {}
        }
        copy
    }

    /// Adds shares of some iterations where the operand's numbers stand.
    #[inline]
    fn add<A: Copy + AddAssign>(self, from: usize, shares: &[A], listed: &[Node], adjoints: &mut [A]) {
        match self {
            Operand::Row { first, stride: 1 } => {
                let adjoints = &mut adjoints[first as usize + from..][..shares.len()];
                adjoints.iter_mut().zip(shares).for_each(|(adjoint, share)| *adjoint += *share);
            }
            Operand::Row { first, stride: 0 } => {
                let mut sum = adjoints[first as usize];
                shares.iter().for_each(|share| sum += *share);
                adjoints[first as usize] = sum;
            }
            Operand::Row { .. } => {
                (from..)
                    .zip(shares)
                    .for_each(|(iteration, share)| adjoints[self.place(iteration, &[]) as usize] += *share);
            }
            Operand::Listed(at) => {
                let places = &listed[at as usize + from..];
                places.iter().zip(shares).for_each(|(place, share)| adjoints[*place as usize] += *share);
            }
            Operand::Constant(_) | Operand::Integer(_) => {}
        }
    }

    /// A number plus or minus those of all iterations, one after another.
    pub(super) fn sum<S: Copy + Add<Output = S> + Sub<Output = S>>(
        self,
        op: Op,
        start: S,
        iterations: usize,
        listed: &[Node],
        values: &[S],
    ) -> S {
        let term = |iteration| values[self.place(iteration, listed) as usize];
        match op {
            Op::sub => (0..iterations).fold(start, |sum, iteration| sum - term(iteration)),
            _ => (0..iterations).fold(start, |sum, iteration| sum + term(iteration)),
        }
    }

    /// Adds the same share of each iteration.
    pub(super) fn add_each<A: Copy + AddAssign>(
        self,
        iterations: usize,
        share: A,
        listed: &[Node],
        adjoints: &mut [A],
    ) {
        match self {
            Operand::Row { first, stride: 1 } => {
                adjoints[first as usize..][..iterations].iter_mut().for_each(|adjoint| *adjoint += share);
            }
            Operand::Constant(_) | Operand::Integer(_) => {}
            _ => (0..iterations).for_each(|iteration| adjoints[self.place(iteration, listed) as usize] += share),
        }
    }
}

macro_rules! blocks {
    ($($name:ident ($x:ident $(, $rest:ident)* $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        /// One operation on the elements of a block.
        #[inline(never)]
        fn run_block<S: Real>(op: Op, integer: i32, [a, b, c]: [&[S]; 3], own: &mut [S]) {
            let (a, b, c) = (&a[..own.len()], &b[..own.len()], &c[..own.len()]);
            match op {
                Op::leaf | Op::constant => {}
                $(Op::$name => for (k, own) in own.iter_mut().enumerate() {
                    blocks!(@let $x $($rest)*; [a[k], b[k], c[k]]);
                    $(let $n = integer;)?
                    *own = $x.$name($($rest),* $($n)?);
                })+
            }
            let _ = (b, c, integer);
        }

        /// What the elements of a block pass on to their operands, and to how many of these.
        #[inline(never)]
        #[allow(unused_variables, clippy::approx_constant, reason = "lines use what they need; the table's literals are what they look like")]
        fn pull_block<S: Real, A: Adjoint<S>>(
            op: Op,
            integer: i32,
            [a, b, c]: [&[S]; 3],
            own: &[S],
            passing: &[A],
            shares: &mut Copies<A>,
        ) -> usize {
            let count = passing.len().min(BLOCK);
            let (a, b, c, own) = (&a[..count], &b[..count], &c[..count], &own[..count]);
            match op {
                Op::leaf | Op::constant => 0,
                $(Op::$name => blocks!(@$kind $name $x [$($rest)*] [$($n)?] $y $partials; integer a b c own passing shares count),)+
            }
        }
    };
    (@let $x:ident; [$a:expr, $b:expr, $c:expr]) => { let $x = $a; };
    (@let $x:ident $y:ident; [$a:expr, $b:expr, $c:expr]) => { let ($x, $y) = ($a, $b); };
    (@let $x:ident $y:ident $z:ident; [$a:expr, $b:expr, $c:expr]) => { let ($x, $y, $z) = ($a, $b, $c); };
    (@curved div $a0:ident [$b0:ident] $n:tt $y:ident $partials:tt; $integer:ident $a:ident $b:ident $c:ident $own:ident $passing:ident $shares:ident $count:ident) => {{
        for k in 0..$count {
            let zero = $passing[k].is_zero();
            let flow = $passing[k].over($b[k], S::lit(1.0) / $b[k]);
            $shares[0][k] = if zero { A::ZERO } else { flow };
            $shares[1][k] = if zero { A::ZERO } else { flow.times(-$own[k]) };
        }
        2
    }};
    (@curved recip $x:ident [] $n:tt $y:ident $partials:tt; $integer:ident $a:ident $b:ident $c:ident $own:ident $passing:ident $shares:ident $count:ident) => {{
        for k in 0..$count {
            let zero = $passing[k].is_zero();
            $shares[0][k] = if zero { A::ZERO } else { $passing[k].over($a[k], $own[k]).times(-$own[k]) };
        }
        1
    }};
    (@flat $name:ident $x:ident $rest:tt $n:tt $y:ident $partials:tt; $($found:ident)+) => { 0 };
    (@linear $name:ident $x:ident [$($rest:ident)*] [$($n:ident)?] $y:ident $partials:tt; $integer:ident $a:ident $b:ident $c:ident $own:ident $passing:ident $shares:ident $count:ident) => {{
        if S::RECORDS {
            return blocks!(@curved $name $x [$($rest)*] [$($n)?] $y $partials; $integer $a $b $c $own $passing $shares $count);
        }
        for k in 0..$count {
            blocks!(@let $x $($rest)*; [$a[k].value(), $b[k].value(), $c[k].value()]);
            let $y = $own[k].value();
            for (share, partial) in $shares.iter_mut().zip(lift!(S::Base, $partials)) {
                share[k] = if $passing[k].is_zero() { A::ZERO } else { $passing[k].scaled(partial) };
            }
        }
        [stringify!($x) $(, stringify!($rest))*].len()
    }};
    (@curved $name:ident $x:ident [$($rest:ident)*] [$($n:ident)?] $y:ident $partials:tt; $integer:ident $a:ident $b:ident $c:ident $own:ident $passing:ident $shares:ident $count:ident) => {{
        for k in 0..$count {
            blocks!(@let $x $($rest)*; [$a[k], $b[k], $c[k]]);
            let $y = $own[k];
            $(let $n = $integer;)?
            for (share, partial) in $shares.iter_mut().zip(lift!(S, $partials)) {
                share[k] = if $passing[k].is_zero() { A::ZERO } else { $passing[k].times(partial) };
            }
        }
        [stringify!($x) $(, stringify!($rest))*].len()
    }};
}

/// Hands the lines of operators and functions to a macro together.
macro_rules! with_functions {
    ($($operators:tt)*) => { diffi_rules::functions!(blocks { $($operators)* }); };
}
diffi_rules::operators!(with_functions);
