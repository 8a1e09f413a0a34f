//! Arrays one behind the other.

use super::grid::{Grid, Number};
use super::{Binary, Memory, Tan, op};
use crate::number::linear_space::LinearSpace;
use ndarray::{Array, ArrayView, ArrayViewMut, RemoveAxis, Zip, concatenate};

impl<X: Grid<Dim: RemoveAxis>, Y: Grid<Elem = X::Elem, Dim = X::Dim>> Binary<op::Concatenate, Y> for X {
    type Out = Array<X::Elem, X::Dim>;

    fn value(&self, op: &op::Concatenate, other: &Y) -> Self::Out {
        concatenate(op.0, &[self.grid(), other.grid()]).expect("the shapes fit")
    }
    fn push<A: LinearSpace<X::Elem>>(
        &self,
        op: &op::Concatenate,
        dot: Option<&X::Shadow<A>>,
        _: &Y,
        other_dot: Option<&Y::Shadow<A>>,
        y: &Self::Out,
        _: &mut Memory<X, A>,
    ) -> Tan<Self::Out, A> {
        let mut onto = Array::from_elem(y.raw_dim(), A::ZERO);
        let (mut a, mut b) = onto.view_mut().split_at(op.0, self.grid().len_of(op.0));
        if let Some(dot) = dot {
            a.assign(&X::shadow(dot));
        }
        if let Some(dot) = other_dot {
            b.assign(&Y::shadow(dot));
        }
        X::Elem::array(onto)
    }
    fn pull<A: LinearSpace<X::Elem>>(
        &self,
        op: &op::Concatenate,
        bar: Option<&mut X::Shadow<A>>,
        _: &Y,
        other_bar: Option<&mut Y::Shadow<A>>,
        _: Option<&Self::Out>,
        y_bar: &Tan<Self::Out, A>,
        _: &mut Memory<X, A>,
    ) {
        let (a, b) = X::Elem::view::<A, _>(y_bar).split_at(op.0, self.grid().len_of(op.0));
        bar.into_iter().for_each(|bar| add(X::shadow_mut(bar), &a));
        other_bar.into_iter().for_each(|bar| add(Y::shadow_mut(bar), &b));
    }
    fn pull_push<A: LinearSpace<X::Elem>>(
        &self,
        op: &op::Concatenate,
        _: Option<&X::Shadow<A>>,
        bars: Option<(&mut X::Shadow<X::Elem>, &mut X::Shadow<A>)>,
        other: &Y,
        _: Option<&Y::Shadow<A>>,
        other_bars: Option<(&mut Y::Shadow<X::Elem>, &mut Y::Shadow<A>)>,
        _: Option<&Self::Out>,
        y_bar: &Tan<Self::Out, X::Elem>,
        y_bar_dot: &Tan<Self::Out, A>,
        memory: &mut Memory<X, A>,
    ) {
        let (bar, bar_dot) = bars.unzip();
        let (other_bar, other_bar_dot) = other_bars.unzip();
        self.pull(op, bar, other, other_bar, None, y_bar, &mut Memory::<X, X::Elem>::new());
        self.pull(op, bar_dot, other, other_bar_dot, None, y_bar_dot, memory);
    }
}

fn add<A: Copy + std::ops::AddAssign, D: ndarray::Dimension>(onto: ArrayViewMut<'_, A, D>, from: &ArrayView<'_, A, D>) {
    Zip::from(onto).and(from).for_each(|to, v| *to += *v);
}
