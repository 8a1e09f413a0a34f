//! Operations that change an array: all are linear in what was there and in what comes in.

use super::broadcast::unbroadcast;
use super::grid::{Grid, GridMut, Number};
use super::linear::Part;
use super::{Edit, op};
use crate::number::active::Place;
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::stack::row_by_row::row_by_row;
use ndarray::{ArrayView, ArrayViewMut, Dimension, Zip};

/// Marks the operations that are a [`Step`] for any float.
pub trait StepOperation {}
impl StepOperation for op::AddAssign {}
impl StepOperation for op::SubAssign {}
impl StepOperation for op::Assign {}
impl<F> StepOperation for op::AddScaled<F> {}

/// What happens to an element when another comes in: `a = keeps * a + factor * b`.
pub trait Step<F: Base>: StepOperation {
    /// Whether the sum with what is there takes its place.
    const KEEPS: bool;
    /// The factor, if it is not 1.
    fn factor(&self) -> Option<F>;
    /// Whether what comes in is subtracted.
    fn minus(&self) -> bool {
        false
    }
}

impl<F: Base> Step<F> for op::AddAssign {
    const KEEPS: bool = true;
    fn factor(&self) -> Option<F> {
        None
    }
}

impl<F: Base> Step<F> for op::SubAssign {
    const KEEPS: bool = true;
    fn factor(&self) -> Option<F> {
        None
    }
    fn minus(&self) -> bool {
        true
    }
}

impl<F: Base> Step<F> for op::Assign {
    const KEEPS: bool = false;
    fn factor(&self) -> Option<F> {
        None
    }
}

impl<F: Base> Step<F> for op::AddScaled<F> {
    const KEEPS: bool = true;
    fn factor(&self) -> Option<F> {
        Some(self.0)
    }
}

/// `a = keeps * a + factor * b` for one element.
#[inline]
fn step<F: Base, A: LinearSpace<F>, O: Step<F>>(op: &O, to: &mut A, v: A) {
    match (O::KEEPS, op.factor(), op.minus()) {
        (false, ..) => *to = v,
        (true, None, false) => *to += v,
        (true, None, true) => *to -= v,
        (true, Some(factor), _) => *to += v * factor,
    }
}

/// The transposed step for the other operand: what its cotangent gets.
#[inline]
fn share<F: Base, A: LinearSpace<F>, O: Step<F>>(op: &O, v: A) -> A {
    match (op.factor(), op.minus()) {
        (None, false) => v,
        (None, true) => -v,
        (Some(factor), _) => v * factor,
    }
}

/// The step for all elements.
pub(super) fn stepped<F: Base, A: LinearSpace<F>, O: Step<F>, D: Dimension, E: Dimension>(
    op: &O,
    to: ArrayViewMut<'_, A, D>,
    from: ArrayView<'_, A, E>,
) {
    let from = from.broadcast(to.raw_dim()).expect("what comes in fits");
    row_by_row(to, from, |to, v| step(op, to, *v));
}

fn cleared<F: Base, A: LinearSpace<F>, D: Dimension>(mut bar: ArrayViewMut<'_, A, D>) {
    bar.fill(A::ZERO);
}

/// The step for all elements of a tangent.
pub(super) fn pushed<F: Base, A: LinearSpace<F>, O: Step<F>, D: Dimension, E: Dimension>(
    op: &O,
    dot: ArrayViewMut<'_, A, D>,
    other: Option<ArrayView<'_, A, E>>,
) {
    match other {
        Some(other) => stepped::<F, _, _, _, _>(op, dot, other),
        None if !O::KEEPS => cleared::<F, A, _>(dot),
        None => {}
    }
}

/// The transposed step for all elements.
pub(super) fn pulled<F: Base, A: LinearSpace<F>, O: Step<F>, D: Dimension, E: Dimension>(
    op: &O,
    bar: ArrayViewMut<'_, A, D>,
    other: Option<ArrayViewMut<'_, A, E>>,
) {
    if let Some(mut other) = other {
        match bar.shape() == other.shape() {
            true => {
                let bar = bar.view().into_dimensionality::<E>().expect("the same shape");
                row_by_row(other.view_mut(), bar, |to, v| *to += share(op, *v));
            }
            false => unbroadcast::<F, A, _, _>(other, bar.mapv(|v| share(op, v)).view()),
        }
    }
    if !O::KEEPS {
        cleared::<F, A, _>(bar);
    }
}

impl<X: GridMut, Y: Grid<Elem = X::Elem>, O: Step<X::Elem> + StepOperation> Edit<O, Y> for X {
    fn edit(&mut self, op: &O, other: &Y) {
        stepped::<X::Elem, _, _, _, _>(op, self.grid_mut(), other.grid());
    }
    fn push<A: LinearSpace<X::Elem>>(op: &O, dot: &mut X::Shadow<A>, _: &Y, other_dot: Option<&Y::Shadow<A>>) {
        pushed::<X::Elem, A, _, _, _>(op, X::shadow_mut(dot), other_dot.map(|dot| Y::shadow(dot)));
    }
    fn pull<A: LinearSpace<X::Elem>>(op: &O, bar: &mut X::Shadow<A>, _: &Y, other_bar: Option<&mut Y::Shadow<A>>) {
        pulled::<X::Elem, A, _, _, _>(op, X::shadow_mut(bar), other_bar.map(|bar| Y::shadow_mut(bar)));
    }
}

/// A number that comes in everywhere.
macro_rules! number {
    ($($F:ident)+) => { $(
        impl<X: GridMut<Elem = $F>, O: Step<$F> + StepOperation> Edit<O, $F> for X {
            fn edit(&mut self, op: &O, other: &$F) {
                self.grid_mut().iter_mut().for_each(|to| step(op, to, *other));
            }
            fn push<A: LinearSpace<$F>>(op: &O, dot: &mut X::Shadow<A>, _: &$F, other_dot: Option<&A>) {
                let other = other_dot.copied().unwrap_or(<A as LinearSpace<$F>>::ZERO);
                X::shadow_mut(dot).iter_mut().for_each(|to| step::<$F, A, O>(op, to, other));
            }
            fn pull<A: LinearSpace<$F>>(op: &O, bar: &mut X::Shadow<A>, _: &$F, other_bar: Option<&mut A>) {
                if let Some(other) = other_bar {
                    X::shadow(bar).iter().for_each(|v| *other += share::<$F, A, O>(op, *v));
                }
                if !O::KEEPS {
                    cleared::<$F, A, _>(X::shadow_mut(bar));
                }
            }
        }

        /// A number that turned out to be one.
        impl<O: Step<$F> + StepOperation> Edit<O, $F> for $F {
            fn edit(&mut self, op: &O, other: &$F) {
                step(op, self, *other);
            }
            fn push<A: LinearSpace<$F>>(op: &O, dot: &mut A, _: &$F, other_dot: Option<&A>) {
                step::<$F, A, O>(op, dot, other_dot.copied().unwrap_or(<A as LinearSpace<$F>>::ZERO));
            }
            fn pull<A: LinearSpace<$F>>(op: &O, bar: &mut A, _: &$F, other_bar: Option<&mut A>) {
                if let Some(other) = other_bar {
                    *other += share::<$F, A, O>(op, *bar);
                }
                if !O::KEEPS {
                    *bar = <A as LinearSpace<$F>>::ZERO;
                }
            }
        }
    )+ };
}
number!(f32 f64);

/// What comes in takes the place of a part.
impl<X: GridMut, Y: Grid<Elem = X::Elem, Dim = P::Of>, P: Part<X::Dim>> Edit<op::Set<P>, Y> for X {
    fn edit(&mut self, op: &op::Set<P>, other: &Y) {
        op.0.part_mut(&mut self.grid_mut()).assign(&other.grid());
    }
    fn push<A: LinearSpace<X::Elem>>(op: &op::Set<P>, dot: &mut X::Shadow<A>, _: &Y, other_dot: Option<&Y::Shadow<A>>) {
        let mut dot = X::shadow_mut(dot);
        let mut part = op.0.part_mut(&mut dot);
        match other_dot {
            Some(other) => part.assign(&Y::shadow(other)),
            None => part.fill(A::ZERO),
        }
    }
    fn pull<A: LinearSpace<X::Elem>>(
        op: &op::Set<P>,
        bar: &mut X::Shadow<A>,
        _: &Y,
        other_bar: Option<&mut Y::Shadow<A>>,
    ) {
        let mut bar = X::shadow_mut(bar);
        let mut part = op.0.part_mut(&mut bar);
        if let Some(other) = other_bar {
            Zip::from(Y::shadow_mut(other)).and(&part).for_each(|to, v| *to += *v);
        }
        part.fill(A::ZERO);
    }
}

/// Elements in logical order take the place of all.
impl<X: GridMut> Edit<op::Set<op::Flat>, Vec<X::Elem>> for X {
    fn edit(&mut self, _: &op::Set<op::Flat>, other: &Vec<X::Elem>) {
        self.grid_mut().iter_mut().zip(other).for_each(|(to, v)| *to = *v);
    }
    fn push<A: LinearSpace<X::Elem>>(
        _: &op::Set<op::Flat>,
        dot: &mut X::Shadow<A>,
        _: &Vec<X::Elem>,
        other_dot: Option<&<Vec<X::Elem> as Place>::Shadow<A>>,
    ) {
        let mut dot = X::shadow_mut(dot);
        match other_dot {
            Some(other) => dot.iter_mut().zip(X::Elem::numbers::<A>(other)).for_each(|(to, v)| *to = *v),
            None => dot.fill(A::ZERO),
        }
    }
    fn pull<A: LinearSpace<X::Elem>>(
        _: &op::Set<op::Flat>,
        bar: &mut X::Shadow<A>,
        _: &Vec<X::Elem>,
        other_bar: Option<&mut <Vec<X::Elem> as Place>::Shadow<A>>,
    ) {
        let mut bar = X::shadow_mut(bar);
        if let Some(other) = other_bar {
            X::Elem::numbers_mut::<A>(other).iter_mut().zip(&bar).for_each(|(to, v)| *to += *v);
        }
        bar.fill(A::ZERO);
    }
}

/// The same of what turned out to be a list already.
macro_rules! lists {
    ($([$($generics:tt)*] $X:ty;)+) => { $(
        impl<F: Number, $($generics)*> Edit<op::Set<op::Flat>, Vec<F>> for $X {
            fn edit(&mut self, _: &op::Set<op::Flat>, other: &Vec<F>) {
                self.copy_from_slice(other);
            }
            fn push<A: LinearSpace<F>>(
                _: &op::Set<op::Flat>,
                dot: &mut Self::Shadow<A>,
                _: &Vec<F>,
                other_dot: Option<&<Vec<F> as Place>::Shadow<A>>,
            ) {
                let dot = F::numbers_mut::<A>(dot);
                match other_dot {
                    Some(other) => dot.copy_from_slice(F::numbers::<A>(other)),
                    None => dot.fill(A::ZERO),
                }
            }
            fn pull<A: LinearSpace<F>>(
                _: &op::Set<op::Flat>,
                bar: &mut Self::Shadow<A>,
                _: &Vec<F>,
                other_bar: Option<&mut <Vec<F> as Place>::Shadow<A>>,
            ) {
                let bar = F::numbers_mut::<A>(bar);
                if let Some(other) = other_bar {
                    F::numbers_mut::<A>(other).iter_mut().zip(&*bar).for_each(|(to, v)| *to += *v);
                }
                bar.fill(A::ZERO);
            }
        }
    )+ };
}
lists! {
    [] Vec<F>;
    [const N: usize] [F; N];
}
