//! Operators within functions that are differentiated: `derivative(f::D, AutoForward, x)` and `gradient(f::D, AutoReverse, &x)`.
//!
//! The Jacobian of a gradient is the Hessian. Its products with a vector, and the vector's with it, are one pass of the adjoint's
//! tangents each (forward over reverse, Griewank & Walther, 2nd edition, 5.3), by all arguments: also by those that are `Constant(..)` to
//! the operator. Nothing is kept between the sweeps: the reverse sweep has the arguments.

use super::arguments::{Barred, Curved, Dotted, Paired};
use super::{COTANGENT, Linear, Onto, ReadableSig, numbers, write};
use crate::backend::linearized::{OverArgs, expanded};
use crate::number::flag::{Off, On};
use crate::number::float::Base;
use crate::number::hlist::{Flat, List, Nil};
use crate::number::linear_space::LinearSpace;
use crate::number::real::Real;
use crate::operators::derivative::{self, OneNumber};
use crate::operators::entries::basis;
use crate::operators::gradient::{self, GradientBackend, GradientBy};
use crate::operators::pushforward::{PushforwardBackend, PushforwardBy};
use crate::operators::strategy::Outputs;
use crate::overload::{LiftedReturn, Over};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::{DerivativeCode, Number, ReturnValue, Shown, Tan};
use crate::signature::param_kinds::Signature;
use crate::signature::sweeps::{Both, Sweeps};
use crate::stack::workspace::Workspace;
use std::marker::PhantomData;

/// The operator `O` of the function `F` in the roles `R`, a call of which is differentiated itself.
#[derive(Clone, Copy, Debug)]
pub struct InnerOperator<O, R, F, B> {
    function: F,
    backend: B,
    operator: PhantomData<(O, R)>,
}

impl<O, R, F, B> InnerOperator<O, R, F, B> {
    /// The operator of this function, by this backend.
    #[inline]
    pub fn new(function: F, backend: B) -> Self {
        InnerOperator { function, backend, operator: PhantomData }
    }
}

/// An operator whose result has the numbers of the gradient, in their order; before them the function's value, if that is wanted.
pub trait InnerDerivative<G: Signature> {
    /// What is differentiated.
    type Function: DerivativeCode<G>;
    /// Which arguments are active.
    type Roles: ArgRoles<G>;
    /// The operator's result.
    type Value: ReturnValue<G::Base>;
    /// Whether the function's value comes first.
    const WITH_VALUE: bool;
    /// The function.
    fn function(&self) -> &Self::Function;
    /// Calls the operator.
    fn value(&self, at: G::At<'_>) -> Self::Value;
}

const FITS: &str = "the operator has its memory from these arguments, and the function has a value there";

/// One line for each operator with the function's value and without.
macro_rules! inner_operators {
    ($($Of:ident, $with_value:ident, $V:ident, $Value:ty, |$found:ident| $value:expr;
       $operator:ident: $Backend:ident, $Strategy:ident, $In:path, [$($more:tt)*];)+) => { $(
        #[doc = concat!("`", stringify!($operator), "`, with the value or without.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $Of;

        impl<G, R, F, B> InnerDerivative<G> for InnerOperator<$Of, R, F, B>
        where
            G: Signature,
            R: ArgRoles<G, In: $In>,
            F: DerivativeCode<G, ReturnValue: Number<G::Base, R::Outs> + Shown<G::Base, Value = G::Base>>,
            B: $Backend<F, G, R>,
            $($more)*
            $Value: ReturnValue<G::Base>,
        {
            type Function = F;
            type Roles = R;
            type Value = $Value;
            const WITH_VALUE: bool = $with_value;

            fn function(&self) -> &F {
                &self.function
            }

            fn value(&self, mut at: G::At<'_>) -> Self::Value {
                let mut state = B::$Strategy::state(&self.backend, &self.function, &mut at);
                let parts = (&self.function, &self.backend, &mut state);
                let $found = $operator::owned::<$V, F, B, G, R>(parts, at).expect(FITS);
                $value
            }
        }
    )+ };
}
inner_operators! {
    OfDerivative, false, Off, <Outputs<F, G, R> as Flat>::Tuple<G::Base>, |found| found.1;
    derivative: PushforwardBackend, Pushforward, OneNumber, [Outputs<F, G, R>: Flat,];

    OfValueAndDerivative, true, On, (G::Base, <Outputs<F, G, R> as Flat>::Tuple<G::Base>), |found| (found.0.expect(FITS).shown(), found.1);
    derivative: PushforwardBackend, Pushforward, OneNumber, [Outputs<F, G, R>: Flat,];

    OfGradient, false, Off, <R::In as Flat>::Tuple<G::Base>, |found| found.1;
    gradient: GradientBackend, Gradient, Flat, [];

    OfValueAndGradient, true, On, (G::Base, <R::In as Flat>::Tuple<G::Base>), |found| (found.0.expect(FITS).shown(), found.1);
    gradient: GradientBackend, Gradient, Flat, [];
}

type Value<O, G> = <O as InnerDerivative<G>>::Value;
type Inner<O, G> = <<O as InnerDerivative<G>>::Roles as ArgRoles<G>>::In;
type All<G> = <<G as ReadableSig>::Roles as ArgRoles<G>>::In;

/// Tangents of all arguments, and of the function's cotangent.
struct Direction<'x, G: ReadableSig, A: LinearSpace<G::Base>> {
    dots: &'x mut G::Stores<A>,
    y_bar_dot: A,
}

/// The tangent of the function's value, and those of its gradient by all arguments.
fn curved<G: ReadableSig, F: DerivativeCode<G>, A: LinearSpace<G::Base>>(
    f: &F,
    at: G::At<'_>,
    direction: Direction<'_, G, A>,
    ws: &mut Workspace<G::Base, A>,
) -> (Vec<A>, G::Stores<A>) {
    let mut bars = G::Roles::stores::<G::Base>(&at, true);
    let mut bars_dot = G::Roles::stores::<A>(&at, true);
    let (mut y_bar, mut y_bar_dot) = (F::ReturnValue::empty::<G::Base>(), F::ReturnValue::empty::<A>());
    let one = F::ReturnValue::muts::<Nil<G::Base>, G::Base>(&mut y_bar, ());
    basis::<Onto<F::ReturnValue, G::Base>, G::Base>(one, 0..1);
    let seed = F::ReturnValue::muts::<Nil<G::Base>, A>(&mut y_bar_dot, ());
    write::<Onto<F::ReturnValue, G::Base>, A>(seed, &[direction.y_bar_dot]);
    let (dots, x_bar, x_bar_dot) = (G::dots(direction.dots), G::bars(&mut bars), G::bars(&mut bars_dot));
    let found = f.pull_push::<A, G::Roles, Both<On>>(at, dots, x_bar, x_bar_dot, &mut y_bar, &mut y_bar_dot, ws);
    F::ReturnValue::release(y_bar_dot, &mut ws.shadows);
    let (_, mut y_dot) = found.expect(FITS);
    let value = numbers::<F::ReturnValue, G::Base, A>(&mut y_dot);
    F::ReturnValue::release(y_dot, &mut ws.shadows);
    (value, bars_dot)
}

/// Appends the numbers of the shadows of inputs.
fn read<L: List, A: LinearSpace<L::Base>>(from: L::Muts<'_, A>, row: &mut Vec<A>) {
    L::each(from, &mut |v: &mut A| row.push(*v));
}

/// The numbers of the operator's result times its Jacobian: by all arguments.
fn transposed<O: InnerDerivative<G>, G: ReadableSig, A: LinearSpace<G::Base>>(
    operator: &O,
    at: G::At<'_>,
    row: &[A],
    ws: &mut Workspace<G::Base, A>,
) -> Vec<A> {
    let (value, gradient) = row.split_at(usize::from(O::WITH_VALUE));
    let mut dots = G::Roles::stores::<A>(&at, true);
    write::<Inner<O, G>, A>(O::Roles::inputs(&mut dots), gradient);
    let y_bar_dot = value.first().copied().unwrap_or(A::ZERO);
    let (_, mut bars_dot) = curved(operator.function(), at, Direction { dots: &mut dots, y_bar_dot }, ws);
    let mut image = Vec::new();
    read::<All<G>, A>(G::Roles::inputs(&mut bars_dot), &mut image);
    image
}

/// The operator's call itself.
pub fn operator_value<O: InnerDerivative<G>, G: Signature>(operator: &O, mut args: impl Paired<G>) -> Value<O, G> {
    operator.value(args.at())
}

/// The value and its tangent.
#[expect(clippy::type_complexity, reason = "a value and its tangent")]
pub fn operator_push<O: InnerDerivative<G>, G: ReadableSig, A: LinearSpace<G::Base>>(
    operator: &O,
    mut args: impl Dotted<G, A>,
    ws: &mut Workspace<G::Base, A>,
) -> (Value<O, G>, Tan<Value<O, G>, A, G::Base>) {
    let (mut row, y) = (Vec::new(), operator.value(args.at()));
    args.read(&mut row);
    let mut dots = G::Roles::stores::<A>(&args.at(), true);
    write::<All<G>, A>(G::Roles::inputs(&mut dots), &row);
    let direction = Direction { dots: &mut dots, y_bar_dot: A::ZERO };
    let (mut image, mut bars_dot) = curved(operator.function(), args.at(), direction, ws);
    image.truncate(usize::from(O::WITH_VALUE));
    read::<Inner<O, G>, A>(O::Roles::inputs(&mut bars_dot), &mut image);
    let mut y_dot = y.zero(&mut ws.shadows);
    write::<Onto<Value<O, G>, G::Base>, A>(Value::<O, G>::muts::<Nil<G::Base>, A>(&mut y_dot, ()), &image);
    (y, y_dot)
}

/// The sweeps `S` of the adjoint.
pub fn operator_pull<S: Sweeps, O: InnerDerivative<G>, G: ReadableSig, A: LinearSpace<G::Base>>(
    operator: &O,
    mut args: impl Barred<G, A>,
    y_bar: Option<&mut Tan<Value<O, G>, A, G::Base>>,
    ws: &mut Workspace<G::Base, A>,
    _: S,
) -> Option<Value<O, G>> {
    let value = S::FORWARD.then(|| operator.value(args.at()));
    if S::REVERSE {
        let row = numbers::<Value<O, G>, G::Base, A>(y_bar.expect(COTANGENT));
        let image = transposed(operator, args.at(), &row, ws);
        args.add(&mut &image[..]);
    }
    value
}

/// A compile error, as soon as second derivatives are asked for.
struct Third<O>(O);

impl<O> Third<O> {
    const NOW: () = panic!(
        "second derivatives of a function that has `derivative(..)` or `gradient(..)` in it are third ones, which generated code does not \
         have: find them by `SecondOrder(AutoFiniteDiff, ..)`"
    );
}

/// The sweeps `S` of the adjoint's tangent, which do not exist.
#[expect(clippy::type_complexity, reason = "a value and its tangent")]
pub fn operator_pull_push<S: Sweeps, O: InnerDerivative<G>, G: ReadableSig, A: LinearSpace<G::Base>>(
    _: &O,
    _: impl Curved<G, A>,
    _: Option<&mut Tan<Value<O, G>, G::Base, G::Base>>,
    _: Option<&mut Tan<Value<O, G>, A, G::Base>>,
    _: &mut Workspace<G::Base, A>,
    _: S,
) -> Option<(Value<O, G>, Tan<Value<O, G>, A, G::Base>)> {
    let () = Third::<O>::NOW;
    None
}

/// The call in code over the numbers `S`.
pub fn operator_over<S, O, G, X>(operator: &O, mut args: X) -> Over<Value<O, G>, S>
where
    O: InnerDerivative<G, Value: LiftedReturn<G::Base>>,
    G: ReadableSig,
    S: Real<Base = G::Base>,
    X: OverArgs<G, S>,
{
    const {
        assert!(
            S::DERIVATIVES <= 1,
            "second derivatives of a function that has `derivative(..)` or `gradient(..)` in it are third ones: find them by \
             `SecondOrder(AutoFiniteDiff, ..)`"
        )
    }
    let (mut owns, mut row) = (G::Owns::default(), Vec::new());
    args.read(&mut owns, &mut row);
    let (mut at, mut ws) = (args.at(&mut owns), Workspace::<G::Base, G::Base>::new());
    let y = operator.value(G::again(&mut at));
    let mut outputs = 0;
    y.each(&mut |_| outputs += 1);
    let mut line = |k: usize| {
        let unit: Vec<G::Base> = (0..outputs).map(|i| if i == k { Base::ONE } else { Base::ZERO }).collect();
        transposed(operator, G::again(&mut at), &unit, &mut ws)
    };
    let jacobian = (0..outputs).flat_map(&mut line).collect();
    expanded(Linear { y, jacobian }, row, |_| Vec::new())
}
