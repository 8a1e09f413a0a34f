//! Tangents and cotangents of an operation, from its code over dual numbers.

use super::{Formula, Jet};
use crate::intrinsics::library::Tan;
use crate::number::active::Active;
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::number::tangent::Tangent;
use crate::signature::param_kinds::count;
use crate::stack::workspace::Workspace;

/// The rates of the result's numbers, where those of the operands change at these.
fn rates<T: Formula<Op, Args>, Op, Args, F: Jet>(
    values: &[F],
    rates: impl Fn(usize) -> F,
    mut to: impl FnMut(usize, F),
) {
    let (mut read, mut written) = (0, 0);
    let mut from = || {
        let number = F::first(values[read], rates(read));
        read += 1;
        number
    };
    T::run::<F::First>(&mut from, &mut |number| {
        to(written, F::rate(number));
        written += 1;
    });
}

/// The derivatives of the result's numbers by one number.
fn slopes_by<T: Formula<Op, Args>, Op, Args, F: Jet>(values: &[F], by: usize, slopes: &mut [F]) {
    rates::<T, Op, Args, F>(values, |k| unit_rate(k == by), |k, rate| slopes[k] = rate);
}

/// The second derivative of the result, weighted by `weights`, in a direction and by one number.
fn curvature<T: Formula<Op, Args>, Op, Args, F: Jet>(values: &[F], direction: &[F], by: usize, weights: &[F]) -> F {
    let (mut read, mut written, mut sum) = (0, 0, <F as Base>::ZERO);
    let mut from = || {
        let other = unit_rate(read == by);
        let number = F::second(values[read], [direction[read], other]);
        read += 1;
        number
    };
    T::run::<F::Second>(&mut from, &mut |number| {
        sum += F::curvature(number) * weights[written];
        written += 1;
    });
    sum
}

/// The rate of the number that changes alone, and of the others.
fn unit_rate<F: Jet>(changes: bool) -> F {
    if changes { <F as Base>::ONE } else { <F as Base>::ZERO }
}

/// The inner product.
fn weighted<F: Jet>(rates: &[F], weights: &[F]) -> F {
    rates.iter().zip(weights).fold(<F as Base>::ZERO, |sum, (rate, weight)| sum + *rate * *weight)
}

/// The image of a linear map to one number.
fn applied<F: Jet, A: LinearSpace<F>>(from: &[A], map: impl Fn(&[F]) -> F) -> A {
    let mut image = [A::ZERO];
    A::apply(from, &mut image, |from, image| image[0] = map(from));
    image[0]
}

/// The functions for so many operands.
macro_rules! arity {
    ($push:ident $pull:ident $pull_push:ident: $(($X:ident $x:ident $dot:ident $bar:ident))+) => {
        /// The value and its tangent.
        #[allow(clippy::too_many_arguments, reason = "all operands with their shadows")]
        pub fn $push<T, Op, $($X,)+ F: Jet, A: LinearSpace<F>>(
            $($x: &$X, $dot: Option<&Tan<$X, A>>,)+
            memory: &mut Workspace<F, A>,
        ) -> (T::Out, Tan<T::Out, A>)
        where
            T: Formula<Op, ($($X,)+), Out: Active<Base = F>>,
            $($X: Active<Base = F>,)+
        {
            let (mut values, mut dots, mut out) = (memory.base.empty(0), memory.shadows.empty(0), memory.shadows.empty(0));
            $(
                $x.each(&mut |v| values.push(v));
                match $dot {
                    Some(dot) => dot.each(&mut |v| dots.push(v)),
                    None => dots.resize(values.len(), A::ZERO),
                }
            )+
            let y = T::value(($($x.duplicate(),)+));
            let mut y_dot = y.zeros(&mut memory.shadows);
            out.resize(count(&y), A::ZERO);
            A::apply(&dots, &mut out, |dots, out| rates::<T, Op, _, F>(&values, |k| dots[k], |k, rate| out[k] = rate));
            let mut rate = out.iter();
            y_dot.each_mut(&mut |to| *to = rate.next().copied().unwrap_or(A::ZERO));
            memory.base.give(values);
            memory.shadows.give(dots);
            memory.shadows.give(out);
            (y, y_dot)
        }

        /// Adds to the operands' cotangents.
        #[allow(clippy::too_many_arguments, reason = "all operands with their shadows")]
        pub fn $pull<T, Op, $($X,)+ F: Jet, A: LinearSpace<F>>(
            $($x: &$X, $bar: Option<&mut Tan<$X, A>>,)+
            y_bar: &Tan<T::Out, A>,
            memory: &mut Workspace<F, A>,
        )
        where
            T: Formula<Op, ($($X,)+), Out: Active<Base = F>>,
            $($X: Active<Base = F>,)+
        {
            let (mut values, mut weights) = (memory.base.empty(0), memory.shadows.empty(0));
            let mut slopes = memory.base.empty(0);
            $($x.each(&mut |v| values.push(v));)+
            y_bar.each(&mut |v| weights.push(v));
            slopes.resize(weights.len(), <F as Base>::ZERO);
            let mut k = 0;
            $(
                let end = k + count($x);
                if let Some(bar) = $bar {
                    bar.each_mut(&mut |to| {
                        slopes_by::<T, Op, _, F>(&values, k, &mut slopes);
                        *to += applied(&weights, |weights| weighted(&slopes, weights));
                        k += 1;
                    });
                }
                k = end;
            )+
            let _ = k;
            memory.base.give(values);
            memory.base.give(slopes);
            memory.shadows.give(weights);
        }

        /// The same in floats, with tangents of everything in `A`.
        #[allow(clippy::too_many_arguments, reason = "everything twice: the values and their tangents")]
        pub fn $pull_push<T, Op, $($X,)+ F: Jet + LinearSpace<F>, A: LinearSpace<F>>(
            $($x: &$X, $dot: Option<&Tan<$X, A>>, $bar: Option<(&mut Tan<$X, F>, &mut Tan<$X, A>)>,)+
            y_bar: &Tan<T::Out, F>,
            y_bar_dot: &Tan<T::Out, A>,
            memory: &mut Workspace<F, A>,
        )
        where
            T: Formula<Op, ($($X,)+), Out: Active<Base = F>>,
            $($X: Active<Base = F>,)+
        {
            let (mut values, mut dots) = (memory.base.empty(0), memory.shadows.empty(0));
            let (mut weights, mut weight_dots) = (memory.base.empty(0), memory.shadows.empty(0));
            let mut slopes = memory.base.empty(0);
            $(
                $x.each(&mut |v| values.push(v));
                match $dot {
                    Some(dot) => dot.each(&mut |v| dots.push(v)),
                    None => dots.resize(values.len(), A::ZERO),
                }
            )+
            y_bar.each(&mut |v| weights.push(v));
            y_bar_dot.each(&mut |v| weight_dots.push(v));
            slopes.resize(weights.len(), <F as Base>::ZERO);
            let mut k = 0;
            $(
                let end = k + count($x);
                if let Some((bar, bar_dot)) = $bar {
                    let first = k;
                    bar.each_mut(&mut |to| {
                        slopes_by::<T, Op, _, F>(&values, k, &mut slopes);
                        *to += weighted(&slopes, &weights);
                        k += 1;
                    });
                    k = first;
                    bar_dot.each_mut(&mut |to| {
                        slopes_by::<T, Op, _, F>(&values, k, &mut slopes);
                        *to += applied(&weight_dots, |weights| weighted(&slopes, weights));
                        *to += applied(&dots, |dots| curvature::<T, Op, _, F>(&values, dots, k, &weights));
                        k += 1;
                    });
                }
                k = end;
            )+
            let _ = k;
            memory.base.give(values);
            memory.base.give(weights);
            memory.base.give(slopes);
            memory.shadows.give(dots);
            memory.shadows.give(weight_dots);
        }
    };
}
arity!(push1 pull1 pull_push1: (X0 x0 dot0 bar0));
arity!(push2 pull2 pull_push2: (X0 x0 dot0 bar0) (X1 x1 dot1 bar1));
arity!(push3 pull3 pull_push3: (X0 x0 dot0 bar0) (X1 x1 dot1 bar1) (X2 x2 dot2 bar2));
arity!(push4 pull4 pull_push4: (X0 x0 dot0 bar0) (X1 x1 dot1 bar1) (X2 x2 dot2 bar2) (X3 x3 dot3 bar3));
