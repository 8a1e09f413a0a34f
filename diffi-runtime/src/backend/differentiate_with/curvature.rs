//! Second derivatives of such functions: in what way the backend finds them of its own functions.

use super::{DifferentiateWith, ReadableSig};
use crate::backend::second_order::{Differenced, Generated, Nested, NoSecondOrder, Retraced, Truncated, noise};
use crate::backend::symbolic::Symbolic;
use crate::backend::{AutoFiniteDiff, Zeros};
use crate::number::batch::{Lanes, Mixed};
use crate::number::flag::Off;
use crate::number::float::Base;
use crate::number::hlist::{Flat, List, Nil};
use crate::number::tangent::Tangent;
use crate::operators::entries::basis;
use crate::operators::jacobian::DenseJacobianBackend;
use crate::operators::strategy::Backend;
use crate::overload::{LiftedReturn, OverCall, OverSignature, Overload};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::{DerivativeCode, Function, ReturnValue};
use crate::signature::sweeps::Both;
use crate::stack::workspace::Workspace;

/// A backend that differentiates `F` within functions that others differentiate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot differentiate `{F}` for another backend [D0708]",
    label = "no Jacobian of `{F}` from `{Self}`",
    note = "`AutoForward` and `AutoReverse` differentiate annotated functions, `AutoFiniteDiff` all"
)]
pub trait WithBackend<F: Function<G>, G: ReadableSig>:
    DenseJacobianBackend<F, G, G::Roles> + Backend<Second: CurvedBy<Self, F, G>>
{
}
impl<B, F: Function<G>, G: ReadableSig> WithBackend<F, G> for B where
    B: DenseJacobianBackend<F, G, G::Roles> + Backend<Second: CurvedBy<B, F, G>>
{
}

/// A strategy for second derivatives, as it serves [`differentiate_with`](super::differentiate_with).
pub trait CurvedBy<B, F: Function<G>, G: ReadableSig> {
    /// The second derivatives of the sum of all results' numbers with these weights: by all numbers of the arguments, row by row.
    fn curvature(with: &DifferentiateWith<F, B>, at: G::At<'_>, weights: &[G::Base]) -> Vec<G::Base>;
}

/// How many numbers the arguments have that can be active.
pub(super) fn inputs<G: ReadableSig>(at: &G::At<'_>) -> usize {
    let mut inputs = 0;
    G::Roles::input_sizes(at, &mut |size| inputs += size);
    inputs
}

type In<G> = <<G as ReadableSig>::Roles as ArgRoles<G>>::In;
type Onto<Y, F> = <Y as ReturnValue<F>>::Onto<Nil<F>>;

/// The tangents of adjoint code: a row a pass.
impl<B, F: DerivativeCode<G>, G: ReadableSig> CurvedBy<B, F, G> for Generated {
    fn curvature(with: &DifferentiateWith<F, B>, mut at: G::At<'_>, weights: &[G::Base]) -> Vec<G::Base> {
        let mut ws = Workspace::<G::Base, G::Base>::new();
        let y = with.function.call(G::again(&mut at));
        let [mut dots, mut bars, mut bars_dot] = std::array::from_fn(|_| G::Roles::stores::<G::Base>(&at, true));
        let mut rows = Vec::new();
        for i in 0..inputs::<G>(&at) {
            basis::<In<G>, G::Base>(G::Roles::inputs(&mut dots), i..i + 1);
            for bars in [&mut bars, &mut bars_dot] {
                In::<G>::each(G::Roles::inputs(bars), &mut |v: &mut G::Base| Tangent::clear(v));
            }
            let (mut y_bar, mut y_bar_dot) = (y.zero(&mut ws.shadows), y.zero(&mut ws.shadows));
            let mut next = weights.iter();
            let weigh = &mut |v: &mut G::Base| next.next().into_iter().for_each(|w| *v = *w);
            <Onto<F::ReturnValue, G::Base>>::each(F::ReturnValue::muts::<Nil<G::Base>, G::Base>(&mut y_bar, ()), weigh);
            let (at, dots) = (G::again(&mut at), G::dots(&mut dots));
            let (x_bar, x_bar_dot) = (G::bars(&mut bars), G::bars(&mut bars_dot));
            with.function.pull_push::<G::Base, G::Roles, Both<Off>>(
                at,
                dots,
                x_bar,
                x_bar_dot,
                &mut y_bar,
                &mut y_bar_dot,
                &mut ws,
            );
            F::ReturnValue::release(y_bar, &mut ws.shadows);
            F::ReturnValue::release(y_bar_dot, &mut ws.shadows);
            In::<G>::each(G::Roles::inputs(&mut bars_dot), &mut |v: &mut G::Base| rows.push(*v));
        }
        rows
    }
}

/// Central differences of Jacobians.
impl<B, F: Function<G>, G: ReadableSig> CurvedBy<B, F, G> for Differenced
where
    B: DenseJacobianBackend<F, G, G::Roles> + Backend<Outer = AutoFiniteDiff>,
    In<G>: Flat,
{
    fn curvature(with: &DifferentiateWith<F, B>, mut at: G::At<'_>, weights: &[G::Base]) -> Vec<G::Base> {
        let (mut owns, mut x) = (G::Owns::default(), Vec::new());
        G::Roles::save(&at, &mut owns);
        G::Roles::each_input(&mut owns, &mut |v| x.push(*v));
        let n = x.len();
        let mut sums = |owns: &mut G::Owns, i: usize, value: G::Base| {
            let mut k = 0;
            G::Roles::each_input(owns, &mut |v| {
                *v = if k == i { value } else { x[k] };
                k += 1;
            });
            let jacobian = with.linear(G::lend(owns, &mut at)).jacobian;
            let mut sums = vec![<G::Base as Base>::ZERO; n];
            for (row, weight) in jacobian.chunks(n.max(1)).zip(weights) {
                sums.iter_mut().zip(row).for_each(|(sum, entry)| *sum += *weight * *entry);
            }
            sums
        };
        let mut rows = Vec::new();
        for i in 0..n {
            let t =
                with.backend.outer().step(noise::<G::Base>(with.backend.inner()), &x[i..=i], &[<G::Base as Base>::ONE]);
            let (above, below) = (sums(&mut owns, i, x[i] + t), sums(&mut owns, i, x[i] - t));
            rows.extend(above.iter().zip(&below).map(|(above, below)| (*above - *below) / (t + t)));
        }
        rows
    }
}

/// Numbers that carry eight derivatives and their tangents.
macro_rules! by_numbers {
    ($([$($generics:tt)*] $Strategy:ty;)+) => { $(
        impl<$($generics)* B, F: Overload<G>, G: ReadableSig + OverSignature> CurvedBy<B, F, G> for $Strategy
        where
            G::Roles: OverCall<G>,
        {
            fn curvature(with: &DifferentiateWith<F, B>, at: G::At<'_>, weights: &[G::Base]) -> Vec<G::Base> {
                over::<<G::Base as Lanes<G::Base>>::Hyper<8>, F, G>(&with.function, at, weights)
            }
        }
    )+ };
}
by_numbers! {
    [K,] Nested<K>;
    [] Retraced;
    [] Symbolic;
    [] Truncated;
}

fn over<S: Mixed<G::Base, G::Base>, F: Overload<G>, G: ReadableSig + OverSignature>(
    f: &F,
    mut at: G::At<'_>,
    weights: &[G::Base],
) -> Vec<G::Base>
where
    G::Roles: OverCall<G>,
{
    let (mut held, n) = (Default::default(), inputs::<G>(&at));
    let mut rows = vec![<G::Base as Base>::ZERO; n * n];
    for (i, start) in (0..n).flat_map(|i| (0..n).step_by(8).map(move |start| (i, start))) {
        let (on, mut k) = (start..n.min(start + 8), 0);
        G::Roles::lift(&at, &mut held, &mut |v| {
            let tangent = if k == i { <G::Base as Base>::ONE } else { <G::Base as Base>::ZERO };
            let mut number = S::with_tangent(v, tangent);
            if on.contains(&k) {
                number.set_row(k - start, <G::Base as Base>::ONE);
            }
            k += 1;
            number
        });
        let y = f.over(G::over(&mut held, &mut at));
        let mut weights = weights.iter();
        F::ReturnValue::each_over(&y, &mut |s: S| {
            let weight = *weights.next().expect("a weight for every number of the result");
            on.clone().for_each(|column| rows[i * n + column] += weight * s.row_tangent(column - start));
        });
    }
    rows
}

impl<B, F: Function<G>, G: ReadableSig> CurvedBy<B, F, G> for Zeros {
    fn curvature(_: &DifferentiateWith<F, B>, at: G::At<'_>, _: &[G::Base]) -> Vec<G::Base> {
        vec![<G::Base as Base>::ZERO; inputs::<G>(&at).pow(2)]
    }
}

/// A compile error, as soon as second derivatives are asked for.
struct Refused<B, F>(B, F);

impl<B, F> Refused<B, F> {
    const NOW: () = panic!(
        "the backend that `differentiate_with` names finds no second derivatives: name `AutoForward`, `AutoReverse`, `AutoDual` or \
         `AutoFiniteDiff`, or find second derivatives by `SecondOrder(AutoFiniteDiff, ..)`"
    );
}

impl<B, F: Function<G>, G: ReadableSig> CurvedBy<B, F, G> for NoSecondOrder {
    fn curvature(_: &DifferentiateWith<F, B>, _: G::At<'_>, _: &[G::Base]) -> Vec<G::Base> {
        let () = Refused::<B, F>::NOW;
        Vec::new()
    }
}
