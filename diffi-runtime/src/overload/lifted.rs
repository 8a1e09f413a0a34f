//! Which types can be made of other numbers.

use crate::number::batch::Float;
use crate::number::real::Real;

use crate::number::active::{Active, Member};
use crate::signature::function::{Aux, ReturnValue};
use crate::value::nothing::Nothing;
use ndarray::{Array, Dimension};
use std::fmt::Debug;

/// An owned type whose floats can be replaced by another number type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made of other number types [D0703]",
    label = "cannot be made of other number types",
    note = "use `AutoForward` or `AutoReverse`, which differentiate the function's own code"
)]
pub trait Lifted: Active + Clone {
    /// The same shape over the numbers `S`.
    type Over<S: Real<Base = Self::Base>>: Clone + Debug + Send + 'static;

    /// Every number replaced, in flattened order.
    fn lift<S: Real<Base = Self::Base>>(&self, f: &mut impl FnMut(Self::Base) -> S) -> Self::Over<S>;
    /// The same, in the storage of a former one.
    fn lift_into<S: Real<Base = Self::Base>>(&self, over: &mut Self::Over<S>, f: &mut impl FnMut(Self::Base) -> S);
    /// The value, without what the numbers carry beside it.
    fn lower<S: Real<Base = Self::Base>>(over: &Self::Over<S>) -> Self;
    /// The same, in the storage of a former value.
    fn lower_into<S: Real<Base = Self::Base>>(over: &Self::Over<S>, value: &mut Self);
    /// Passes on every number.
    fn each_over<S: Real<Base = Self::Base>>(over: &Self::Over<S>, f: &mut impl FnMut(S));
    /// Passes on every number, to be changed.
    fn each_over_mut<S: Real<Base = Self::Base>>(over: &mut Self::Over<S>, f: &mut impl FnMut(&mut S));

    /// All numbers in flattened order, where they stand side by side in memory.
    #[doc(hidden)]
    #[inline]
    fn all_side_by_side<S: Real<Base = Self::Base>>(_: &mut [Self::Over<S>]) -> Option<&mut [S]> {
        None
    }

    /// [`lift`](Lifted::lift) for a vector of such values.
    #[doc(hidden)]
    #[inline]
    fn lift_vec<S: Real<Base = Self::Base>>(
        values: &[Self],
        over: &mut Vec<Self::Over<S>>,
        f: &mut impl FnMut(Self::Base) -> S,
    ) {
        let kept = over.len().min(values.len());
        over.truncate(kept);
        values.iter().zip(over.iter_mut()).for_each(|(v, over)| v.lift_into(over, f));
        over.extend(values[kept..].iter().map(|v| v.lift(f)));
    }
}

/// What may stand behind a reference and be made of other numbers: every [`Lifted`] type, and slices of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made of other number types [D0703]",
    label = "cannot be made of other number types",
    note = "use `AutoForward` or `AutoReverse`, which differentiate the function's own code"
)]
pub trait LiftedPlace: Member {
    /// The same shape over the numbers `S`.
    type Over<S: Real<Base = Self::Base>>: ?Sized + 'static;
    /// Owns one.
    type Held<S: Real<Base = Self::Base>>: Clone + Debug + Send + 'static;

    /// Every number replaced, in flattened order.
    fn hold<S: Real<Base = Self::Base>>(&self, f: &mut impl FnMut(Self::Base) -> S) -> Self::Held<S>;
    /// The same, in the storage of a former one.
    fn hold_into<S: Real<Base = Self::Base>>(&self, held: &mut Self::Held<S>, f: &mut impl FnMut(Self::Base) -> S);
    /// What is owned, to be read.
    fn over<S: Real<Base = Self::Base>>(held: &Self::Held<S>) -> &Self::Over<S>;
    /// What is owned.
    fn held<S: Real<Base = Self::Base>>(held: &mut Self::Held<S>) -> &mut Self::Over<S>;
    /// The values: see [`Real::observe`].
    fn observed<S: Real<Base = Self::Base>>(over: &Self::Over<S>) -> Self::Own;
    /// Overwrites the place with values.
    fn put<S: Real<Base = Self::Base>>(&mut self, over: &Self::Over<S>);
    /// Passes on every number, to be changed.
    fn each_held<S: Real<Base = Self::Base>>(held: &mut Self::Held<S>, f: &mut impl FnMut(&mut S));
    /// Passes on every number.
    fn numbers<S: Real<Base = Self::Base>>(over: &Self::Over<S>, f: &mut impl FnMut(S));
    /// All numbers in flattened order, where they stand side by side in memory.
    #[doc(hidden)]
    #[inline]
    fn side_by_side<S: Real<Base = Self::Base>>(_: &mut Self::Held<S>) -> Option<&mut [S]> {
        None
    }
}

impl<T: Lifted> LiftedPlace for T {
    type Over<S: Real<Base = T::Base>> = T::Over<S>;
    type Held<S: Real<Base = T::Base>> = T::Over<S>;

    #[inline]
    fn hold<S: Real<Base = T::Base>>(&self, f: &mut impl FnMut(T::Base) -> S) -> T::Over<S> {
        self.lift(f)
    }
    #[inline]
    fn hold_into<S: Real<Base = T::Base>>(&self, held: &mut T::Over<S>, f: &mut impl FnMut(T::Base) -> S) {
        self.lift_into(held, f);
    }
    fn over<S: Real<Base = T::Base>>(held: &T::Over<S>) -> &T::Over<S> {
        held
    }
    #[inline]
    fn held<S: Real<Base = T::Base>>(held: &mut T::Over<S>) -> &mut T::Over<S> {
        held
    }
    #[inline]
    fn observed<S: Real<Base = T::Base>>(over: &T::Over<S>) -> T {
        T::each_over(over, &mut |s| {
            s.observe();
        });
        T::lower(over)
    }
    #[inline]
    fn put<S: Real<Base = T::Base>>(&mut self, over: &T::Over<S>) {
        T::lower_into(over, self);
    }
    #[inline]
    fn each_held<S: Real<Base = T::Base>>(held: &mut T::Over<S>, f: &mut impl FnMut(&mut S)) {
        T::each_over_mut(held, f);
    }
    #[inline]
    fn side_by_side<S: Real<Base = T::Base>>(held: &mut T::Over<S>) -> Option<&mut [S]> {
        T::all_side_by_side(std::slice::from_mut(held))
    }
    #[inline]
    fn numbers<S: Real<Base = T::Base>>(over: &T::Over<S>, f: &mut impl FnMut(S)) {
        T::each_over(over, f);
    }
}

impl<T: Lifted> LiftedPlace for [T] {
    type Over<S: Real<Base = T::Base>> = [T::Over<S>];
    type Held<S: Real<Base = T::Base>> = Vec<T::Over<S>>;

    #[inline]
    fn hold<S: Real<Base = T::Base>>(&self, f: &mut impl FnMut(T::Base) -> S) -> Vec<T::Over<S>> {
        self.iter().map(|v| v.lift(f)).collect()
    }
    #[inline]
    fn hold_into<S: Real<Base = T::Base>>(&self, held: &mut Vec<T::Over<S>>, f: &mut impl FnMut(T::Base) -> S) {
        T::lift_vec(self, held, f);
    }
    fn over<S: Real<Base = T::Base>>(held: &Vec<T::Over<S>>) -> &[T::Over<S>] {
        held
    }
    #[inline]
    fn held<S: Real<Base = T::Base>>(held: &mut Vec<T::Over<S>>) -> &mut [T::Over<S>] {
        held
    }
    #[inline]
    fn observed<S: Real<Base = T::Base>>(over: &[T::Over<S>]) -> Vec<T> {
        over.iter().map(T::observed).collect()
    }
    #[inline]
    fn put<S: Real<Base = T::Base>>(&mut self, over: &[T::Over<S>]) {
        over.iter().zip(self).for_each(|(over, v)| T::lower_into(over, v));
    }
    #[inline]
    fn each_held<S: Real<Base = T::Base>>(held: &mut Vec<T::Over<S>>, f: &mut impl FnMut(&mut S)) {
        held.iter_mut().for_each(|over| T::each_over_mut(over, f));
    }
    #[inline]
    fn side_by_side<S: Real<Base = T::Base>>(held: &mut Vec<T::Over<S>>) -> Option<&mut [S]> {
        T::all_side_by_side(held)
    }
    #[inline]
    fn numbers<S: Real<Base = T::Base>>(over: &[T::Over<S>], f: &mut impl FnMut(S)) {
        over.iter().for_each(|over| T::each_over(over, f));
    }
}

/// A result that can be made of other numbers: a [`Lifted`] type, with an auxiliary output or without, or nothing.
#[diagnostic::on_unimplemented(
    message = "a function that returns `{Self}` cannot be evaluated on other number types [D0703]",
    label = "returns `{Self}`",
    note = "use `AutoForward` or `AutoReverse`, which differentiate the function's own code"
)]
pub trait LiftedReturn<F: Float>: ReturnValue<F> + Clone {
    /// The same shape over the numbers `S`.
    type Over<S: Real<Base = F>>: Clone + Send + 'static;
    /// Every number replaced, in flattened order.
    fn lift_result<S: Real<Base = F>>(&self, f: &mut impl FnMut(F) -> S) -> Self::Over<S>;
    /// The value, without what the numbers carry beside it.
    fn lower<S: Real<Base = F>>(over: &Self::Over<S>) -> Self;
    /// The same, in the storage of a former value.
    fn lower_into<S: Real<Base = F>>(over: &Self::Over<S>, value: &mut Self);
    /// Passes on every number.
    fn each_over<S: Real<Base = F>>(over: &Self::Over<S>, f: &mut impl FnMut(S));
    /// Passes on every number, to be changed.
    fn each_over_mut<S: Real<Base = F>>(over: &mut Self::Over<S>, f: &mut impl FnMut(&mut S));
}

impl<F: Float, T: Lifted<Base = F>> LiftedReturn<F> for T {
    type Over<S: Real<Base = F>> = <T as Lifted>::Over<S>;
    #[inline]
    fn lift_result<S: Real<Base = F>>(&self, f: &mut impl FnMut(F) -> S) -> <T as Lifted>::Over<S> {
        self.lift(f)
    }
    #[inline]
    fn lower<S: Real<Base = F>>(over: &<T as Lifted>::Over<S>) -> T {
        <T as Lifted>::lower(over)
    }
    #[inline]
    fn lower_into<S: Real<Base = F>>(over: &<T as Lifted>::Over<S>, value: &mut T) {
        <T as Lifted>::lower_into(over, value);
    }
    #[inline]
    fn each_over<S: Real<Base = F>>(over: &<T as Lifted>::Over<S>, f: &mut impl FnMut(S)) {
        <T as Lifted>::each_over(over, f);
    }
    #[inline]
    fn each_over_mut<S: Real<Base = F>>(over: &mut <T as Lifted>::Over<S>, f: &mut impl FnMut(&mut S)) {
        <T as Lifted>::each_over_mut(over, f);
    }
}

impl<F: Float> LiftedReturn<F> for () {
    type Over<S: Real<Base = F>> = ();
    #[inline]
    fn lift_result<S: Real<Base = F>>(&self, _: &mut impl FnMut(F) -> S) {}
    #[inline]
    fn lower<S: Real<Base = F>>((): &()) {}
    #[inline]
    fn lower_into<S: Real<Base = F>>((): &(), (): &mut ()) {}
    #[inline]
    fn each_over<S: Real<Base = F>>((): &(), _: &mut impl FnMut(S)) {}
    #[inline]
    fn each_over_mut<S: Real<Base = F>>((): &mut (), _: &mut impl FnMut(&mut S)) {}
}

/// What stands beside a result stays as it is.
impl<F: Float, Y: Lifted<Base = F>, A: Clone + Send + 'static> LiftedReturn<F> for (Y, Aux<A>) {
    type Over<S: Real<Base = F>> = (<Y as Lifted>::Over<S>, Aux<A>);
    #[inline]
    fn lift_result<S: Real<Base = F>>(&self, f: &mut impl FnMut(F) -> S) -> Self::Over<S> {
        (self.0.lift(f), self.1.clone())
    }
    #[inline]
    fn lower<S: Real<Base = F>>((y, aux): &Self::Over<S>) -> Self {
        (Y::lower(y), aux.clone())
    }
    #[inline]
    fn lower_into<S: Real<Base = F>>((y, aux): &Self::Over<S>, value: &mut Self) {
        Y::lower_into(y, &mut value.0);
        value.1.clone_from(aux);
    }
    #[inline]
    fn each_over<S: Real<Base = F>>((y, _): &Self::Over<S>, f: &mut impl FnMut(S)) {
        Y::each_over(y, f);
    }
    #[inline]
    fn each_over_mut<S: Real<Base = F>>((y, _): &mut Self::Over<S>, f: &mut impl FnMut(&mut S)) {
        Y::each_over_mut(y, f);
    }
}

macro_rules! float {
    ($($F:ident)+) => { $(
        impl Lifted for $F {
            type Over<S: Real<Base = $F>> = S;

            #[inline]
            fn lift<S: Real<Base = $F>>(&self, f: &mut impl FnMut($F) -> S) -> S {
                f(*self)
            }
            #[inline]
            fn lift_into<S: Real<Base = $F>>(&self, over: &mut S, f: &mut impl FnMut($F) -> S) {
                *over = f(*self);
            }
            #[inline]
            fn lower<S: Real<Base = $F>>(over: &S) -> $F {
                over.value()
            }
            #[inline]
            fn lower_into<S: Real<Base = $F>>(over: &S, value: &mut $F) {
                *value = over.value();
            }
            #[inline]
            fn each_over<S: Real<Base = $F>>(over: &S, f: &mut impl FnMut(S)) {
                f(*over);
            }
            #[inline]
            fn each_over_mut<S: Real<Base = $F>>(over: &mut S, f: &mut impl FnMut(&mut S)) {
                f(over);
            }
            #[inline]
            fn all_side_by_side<S: Real<Base = $F>>(several: &mut [S]) -> Option<&mut [S]> {
                Some(several)
            }
        }
    )+ };
}
float!(f32 f64);

/// The walks of containers that have `iter()`.
macro_rules! walks {
    () => {
        #[inline]
        fn each_over<S: Real<Base = T::Base>>(over: &Self::Over<S>, f: &mut impl FnMut(S)) {
            over.iter().for_each(|over| T::each_over(over, f));
        }
        #[inline]
        fn each_over_mut<S: Real<Base = T::Base>>(over: &mut Self::Over<S>, f: &mut impl FnMut(&mut S)) {
            over.iter_mut().for_each(|over| T::each_over_mut(over, f));
        }
    };
}

impl<T: Lifted> Lifted for Vec<T> {
    type Over<S: Real<Base = T::Base>> = Vec<T::Over<S>>;
    walks!();

    #[inline]
    fn all_side_by_side<S: Real<Base = T::Base>>(several: &mut [Vec<T::Over<S>>]) -> Option<&mut [S]> {
        match several {
            [alone] => T::all_side_by_side(alone),
            _ => None,
        }
    }

    #[inline]
    fn lift<S: Real<Base = T::Base>>(&self, f: &mut impl FnMut(T::Base) -> S) -> Vec<T::Over<S>> {
        self.iter().map(|v| v.lift(f)).collect()
    }
    #[inline]
    fn lift_into<S: Real<Base = T::Base>>(&self, over: &mut Vec<T::Over<S>>, f: &mut impl FnMut(T::Base) -> S) {
        T::lift_vec(self, over, f);
    }
    #[inline]
    fn lower<S: Real<Base = T::Base>>(over: &Vec<T::Over<S>>) -> Self {
        over.iter().map(T::lower).collect()
    }
    #[inline]
    fn lower_into<S: Real<Base = T::Base>>(over: &Vec<T::Over<S>>, values: &mut Self) {
        values.truncate(over.len());
        over.iter().zip(values.iter_mut()).for_each(|(over, v)| T::lower_into(over, v));
        values.extend(over[values.len()..].iter().map(T::lower));
    }
}

impl<T: Lifted> Lifted for Box<[T]> {
    type Over<S: Real<Base = T::Base>> = Vec<T::Over<S>>;
    walks!();

    #[inline]
    fn lift<S: Real<Base = T::Base>>(&self, f: &mut impl FnMut(T::Base) -> S) -> Vec<T::Over<S>> {
        self.iter().map(|v| v.lift(f)).collect()
    }
    #[inline]
    fn lift_into<S: Real<Base = T::Base>>(&self, over: &mut Vec<T::Over<S>>, f: &mut impl FnMut(T::Base) -> S) {
        T::lift_vec(self, over, f);
    }
    #[inline]
    fn lower<S: Real<Base = T::Base>>(over: &Vec<T::Over<S>>) -> Self {
        over.iter().map(T::lower).collect()
    }
    #[inline]
    fn lower_into<S: Real<Base = T::Base>>(over: &Vec<T::Over<S>>, values: &mut Self) {
        match over.len() == values.len() {
            true => over.iter().zip(values.iter_mut()).for_each(|(over, v)| T::lower_into(over, v)),
            false => *values = <Self as Lifted>::lower(over),
        }
    }
}

impl<T: Lifted, const N: usize> Lifted for [T; N] {
    type Over<S: Real<Base = T::Base>> = [T::Over<S>; N];
    walks!();

    #[inline]
    fn all_side_by_side<S: Real<Base = T::Base>>(several: &mut [[T::Over<S>; N]]) -> Option<&mut [S]> {
        T::all_side_by_side(several.as_flattened_mut())
    }

    #[inline]
    fn lift<S: Real<Base = T::Base>>(&self, f: &mut impl FnMut(T::Base) -> S) -> [T::Over<S>; N] {
        std::array::from_fn(|i| self[i].lift(f))
    }
    #[inline]
    fn lift_into<S: Real<Base = T::Base>>(&self, over: &mut [T::Over<S>; N], f: &mut impl FnMut(T::Base) -> S) {
        self.iter().zip(over).for_each(|(v, over)| v.lift_into(over, f));
    }
    #[inline]
    fn lower<S: Real<Base = T::Base>>(over: &[T::Over<S>; N]) -> Self {
        std::array::from_fn(|i| T::lower(&over[i]))
    }
    #[inline]
    fn lower_into<S: Real<Base = T::Base>>(over: &[T::Over<S>; N], values: &mut Self) {
        over.iter().zip(values).for_each(|(over, v)| T::lower_into(over, v));
    }
}

impl<T: Lifted> Lifted for Option<T> {
    type Over<S: Real<Base = T::Base>> = Option<T::Over<S>>;
    walks!();

    #[inline]
    fn lift<S: Real<Base = T::Base>>(&self, f: &mut impl FnMut(T::Base) -> S) -> Option<T::Over<S>> {
        self.as_ref().map(|v| v.lift(f))
    }
    #[inline]
    fn lift_into<S: Real<Base = T::Base>>(&self, over: &mut Option<T::Over<S>>, f: &mut impl FnMut(T::Base) -> S) {
        match (self, &mut *over) {
            (Some(v), Some(over)) => v.lift_into(over, f),
            (v, _) => *over = v.lift(f),
        }
    }
    #[inline]
    fn lower<S: Real<Base = T::Base>>(over: &Option<T::Over<S>>) -> Self {
        over.as_ref().map(T::lower)
    }
    #[inline]
    fn lower_into<S: Real<Base = T::Base>>(over: &Option<T::Over<S>>, value: &mut Self) {
        match (over, &mut *value) {
            (Some(over), Some(v)) => T::lower_into(over, v),
            (over, _) => *value = <Self as Lifted>::lower(over),
        }
    }
}

impl<T: Lifted, D: Dimension + 'static> Lifted for Array<T, D> {
    type Over<S: Real<Base = T::Base>> = Array<T::Over<S>, D>;
    walks!();

    #[inline]
    fn lift<S: Real<Base = T::Base>>(&self, f: &mut impl FnMut(T::Base) -> S) -> Array<T::Over<S>, D> {
        let numbers = self.iter().map(|v| v.lift(f)).collect();
        Array::from_shape_vec(self.raw_dim(), numbers).expect("as many numbers as the array has")
    }
    #[inline]
    fn lift_into<S: Real<Base = T::Base>>(&self, over: &mut Array<T::Over<S>, D>, f: &mut impl FnMut(T::Base) -> S) {
        match over.raw_dim() == self.raw_dim() {
            true => self.iter().zip(over.iter_mut()).for_each(|(v, over)| v.lift_into(over, f)),
            false => *over = self.lift(f),
        }
    }
    #[inline]
    fn lower<S: Real<Base = T::Base>>(over: &Array<T::Over<S>, D>) -> Self {
        over.map(T::lower)
    }
    #[inline]
    fn lower_into<S: Real<Base = T::Base>>(over: &Array<T::Over<S>, D>, values: &mut Self) {
        match over.raw_dim() == values.raw_dim() {
            true => over.iter().zip(values.iter_mut()).for_each(|(over, v)| T::lower_into(over, v)),
            false => *values = <Self as Lifted>::lower(over),
        }
    }
}

impl<F: Float> Lifted for Nothing<F> {
    type Over<S: Real<Base = F>> = ();

    #[inline]
    fn lift<S: Real<Base = F>>(&self, _: &mut impl FnMut(F) -> S) {}
    #[inline]
    fn lift_into<S: Real<Base = F>>(&self, (): &mut (), _: &mut impl FnMut(F) -> S) {}
    #[inline]
    fn lower<S: Real<Base = F>>((): &()) -> Self {
        Nothing::new()
    }
    #[inline]
    fn lower_into<S: Real<Base = F>>((): &(), _: &mut Self) {}
    #[inline]
    fn each_over<S: Real<Base = F>>((): &(), _: &mut impl FnMut(S)) {}
    #[inline]
    fn each_over_mut<S: Real<Base = F>>((): &mut (), _: &mut impl FnMut(&mut S)) {}
}

macro_rules! tuple {
    ($(($T:ident $i:tt))+) => {
        impl<F: Float, $($T: Lifted<Base = F>),+> Lifted for ($($T,)+) {
            type Over<S: Real<Base = F>> = ($($T::Over<S>,)+);

            #[inline]
            fn lift<S: Real<Base = F>>(&self, f: &mut impl FnMut(F) -> S) -> Self::Over<S> {
                ($(self.$i.lift(f),)+)
            }
            #[inline]
            fn lift_into<S: Real<Base = F>>(&self, over: &mut Self::Over<S>, f: &mut impl FnMut(F) -> S) {
                $(self.$i.lift_into(&mut over.$i, f);)+
            }
            #[inline]
            fn lower<S: Real<Base = F>>(over: &Self::Over<S>) -> Self {
                ($($T::lower(&over.$i),)+)
            }
            #[inline]
            fn lower_into<S: Real<Base = F>>(over: &Self::Over<S>, value: &mut Self) {
                $($T::lower_into(&over.$i, &mut value.$i);)+
            }
            #[inline]
            fn each_over<S: Real<Base = F>>(over: &Self::Over<S>, f: &mut impl FnMut(S)) {
                $($T::each_over(&over.$i, f);)+
            }
            #[inline]
            fn each_over_mut<S: Real<Base = F>>(over: &mut Self::Over<S>, f: &mut impl FnMut(&mut S)) {
                $($T::each_over_mut(&mut over.$i, f);)+
            }
        }
    };
}
tuple!((T0 0));
tuple!((T0 0)(T1 1));
tuple!((T0 0)(T1 1)(T2 2));
tuple!((T0 0)(T1 1)(T2 2)(T3 3));
tuple!((T0 0)(T1 1)(T2 2)(T3 3)(T4 4));
tuple!((T0 0)(T1 1)(T2 2)(T3 3)(T4 4)(T5 5));
tuple!((T0 0)(T1 1)(T2 2)(T3 3)(T4 4)(T5 5)(T6 6));
tuple!((T0 0)(T1 1)(T2 2)(T3 3)(T4 4)(T5 5)(T6 6)(T7 7));

/// The numbers of a result that is made of other numbers.
pub fn lifted_bytes<F: Float, Y: LiftedReturn<F>, S: Real<Base = F>>(over: &Y::Over<S>) -> usize {
    let mut n = 0;
    Y::each_over(over, &mut |_| n += 1);
    n * size_of::<S>()
}
