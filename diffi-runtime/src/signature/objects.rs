//! Derivatives through trait objects: what a method of an implementation gives in numbers, and the chain rule beside it.
//!
//! A method behind `dyn` cannot be generic over the linear space of its tangents. The implementation gives its value with the first and
//! second partial derivatives instead, as far as they are asked for.

use crate::number::active::Place;
use crate::number::linear_space::LinearSpace;
use crate::signature::shadow_slots::BarSlot;

/// An argument of a method, as all implementations take it.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    /// A number, a slice or an array.
    Numbers(&'a [f64]),
    /// An integer.
    Integer(i128),
    /// A truth value.
    Truth(bool),
}

impl<'a> Argument<'a> {
    /// The numbers.
    pub fn numbers(self) -> &'a [f64] {
        if let Argument::Numbers(all) = self { all } else { unreachable!("the argument carries numbers") }
    }

    /// The integer, in its own type.
    pub fn integer<I: TryFrom<i128>>(self) -> I {
        let Argument::Integer(value) = self else { unreachable!("the argument is an integer") };
        I::try_from(value).unwrap_or_else(|_| unreachable!("the integer was of this type"))
    }

    /// The truth value.
    pub fn truth(self) -> bool {
        matches!(self, Argument::Truth(true))
    }
}

/// The values of a method and their partial derivatives, by all numbers among the arguments in their order.
#[derive(Clone, Debug, Default)]
pub struct Partials {
    /// The numbers of the result.
    pub value: Vec<f64>,
    /// How many numbers the arguments have.
    inputs: usize,
    /// The Jacobian, row by row.
    jacobian: Vec<f64>,
    /// The Hessian of each number of the result, row by row; nothing where it was not asked for.
    hessians: Vec<f64>,
}

/// The cotangents of each argument that carries numbers, or their tangents.
type Each = Vec<Vec<f64>>;

impl Partials {
    /// Of an implementation that gives none.
    ///
    /// # Panics
    /// Always: no derivative is wrong without a word.
    pub fn none(of_trait: &str) -> Self {
        panic!(
            "the implementation of `{of_trait}` behind this object gives no derivatives: put `#[differentiable]` on its `impl` block"
        )
    }

    /// By pullbacks: one for each number of the result, and one for each row of its Hessian.
    pub fn by_pulls(
        arguments: &[Argument<'_>],
        outputs: usize,
        second: bool,
        pull: impl Fn(&mut Each, &mut [f64]) -> Vec<f64>,
        pull_push: impl Fn(&Each, [&mut Each; 2], [&mut [f64]; 2]),
    ) -> Self {
        let zeros = || -> Each { arguments.iter().filter_map(|a| Some(vec![0.0; length(a)?])).collect() };
        let inputs = arguments.iter().filter_map(length).sum();
        let mut partials = Partials { inputs, ..Partials::default() };
        for output in 0..outputs {
            let mut bars = zeros();
            partials.value = pull(&mut bars, &mut unit(outputs, output));
            partials.jacobian.extend(bars.into_iter().flatten());
            for input in 0..if second { inputs } else { 0 } {
                let (mut dots, mut bars, mut bar_dots) = (zeros(), zeros(), zeros());
                dots.iter_mut().flatten().skip(input).take(1).for_each(|dot| *dot = 1.0);
                let (mut y_bar, mut y_bar_dot) = (unit(outputs, output), vec![0.0; outputs]);
                pull_push(&dots, [&mut bars, &mut bar_dots], [&mut y_bar, &mut y_bar_dot]);
                partials.hessians.extend(bar_dots.into_iter().flatten());
            }
        }
        partials
    }

    fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.jacobian.chunks_exact(self.inputs.max(1))
    }

    /// The tangents of the result.
    pub fn push<A: LinearSpace<f64>>(&self, dots: &[A]) -> Vec<A> {
        self.rows().map(|row| product(row, dots)).collect()
    }

    /// What flows to the arguments.
    pub fn pull<A: LinearSpace<f64>>(&self, y_bar: &[A]) -> std::vec::IntoIter<A> {
        let mut flows = vec![A::ZERO; self.inputs];
        for (row, bar) in self.rows().zip(y_bar) {
            flows.iter_mut().zip(row).for_each(|(flow, partial)| *flow += *bar * *partial);
        }
        flows.into_iter()
    }

    /// The tangents of what flows to the arguments.
    pub fn pull_push<A: LinearSpace<f64>>(&self, dots: &[A], y_bar: &[f64], y_bar_dot: &[A]) -> std::vec::IntoIter<A> {
        let mut flows: Vec<A> = self.pull(y_bar_dot).collect();
        let size = (self.inputs * self.inputs).max(1);
        for (hessian, bar) in self.hessians.chunks_exact(size).zip(y_bar) {
            for (flow, row) in flows.iter_mut().zip(hessian.chunks_exact(self.inputs)) {
                *flow += product(row, dots) * *bar;
            }
        }
        flows.into_iter()
    }
}

fn length(argument: &Argument<'_>) -> Option<usize> {
    match argument {
        Argument::Numbers(all) => Some(all.len()),
        _ => None,
    }
}

fn unit(n: usize, at: usize) -> Vec<f64> {
    (0..n).map(|k| if k == at { 1.0 } else { 0.0 }).collect()
}

fn product<A: LinearSpace<f64>>(row: &[f64], dots: &[A]) -> A {
    row.iter().zip(dots).fold(A::ZERO, |sum, (partial, dot)| sum + *dot * *partial)
}

/// So many numbers as an array.
///
/// # Panics
/// If there are fewer or more.
pub fn array<const N: usize, A: Copy>(numbers: &[A]) -> [A; N] {
    numbers.try_into().expect("an array has its numbers")
}

/// The same, in place.
///
/// # Panics
/// If there are fewer or more.
pub fn array_mut<const N: usize, A>(numbers: &mut [A]) -> &mut [A; N] {
    numbers.try_into().expect("an array has its numbers")
}

/// Appends the tangents of a slice of so many numbers; zeros, where it has none.
pub fn extend<A: LinearSpace<f64>>(dots: &mut Vec<A>, given: &[A], len: usize) {
    match given.len() == len {
        true => dots.extend_from_slice(given),
        false => dots.resize(dots.len() + len, A::ZERO),
    }
}

/// Adds what flows to a number.
pub fn add_number<A: LinearSpace<f64>>(bar: &mut impl BarSlot<f64, A>, flows: &mut impl Iterator<Item = A>)
where
    f64: Place<Base = f64, Shadow<A> = A>,
{
    let sum = bar.number() + flows.next().unwrap_or(A::ZERO);
    bar.put(sum);
}

/// Adds what flows to so many numbers, whose cotangents are there or not.
pub fn add_elements<A: LinearSpace<f64>>(
    (bars, is_fresh): (&mut [A], bool),
    len: usize,
    flows: &mut impl Iterator<Item = A>,
) {
    let mut bars = bars.iter_mut();
    for flow in flows.by_ref().take(len) {
        if let Some(bar) = bars.next() {
            *bar = if is_fresh { flow } else { *bar + flow };
        }
    }
}
