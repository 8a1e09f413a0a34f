//! Derivatives of any order by one number, from truncated power series.

use super::derivative::OneNumber;
use super::pushforward::{Made, Target};
use crate::error::{Error, Result};
use crate::number::float::Base;
use crate::number::hlist::{Flat, List};
use crate::number::real::Real;
use crate::number::scalar::Taylor;
use crate::number::shape::Shape;
use crate::number::width::One;
use crate::operators::strategy::{Backend, Outputs};
use crate::overload::{LiftedReturn, OverCall, OverSignature, Overload};
use crate::signature::arguments::Args;
use crate::signature::result_buffers::Buffers;

/// The most that the order of a series can be.
const MOST: usize = 63;

/// The coefficients of the powers of `t`, from 0 to `order`, in the Taylor series of `f(x + t)`, each like the outputs.
///
/// ```
/// use diffi_runtime::backend::AutoTaylor;
/// use diffi_runtime::operators::series::taylor_coefficients;
///
/// let exponential = |x: f64| x.exp(); // an annotated function's handle in its place
/// # use diffi_runtime::{number::real::Real, overload::ScalarFn};
/// # struct Exponential;
/// # impl ScalarFn for Exponential {
/// #     type Input = f64;
/// #     type Output = f64;
/// #     fn call<S: Real<Base = f64>>(&self, x: &S) -> S { x.exp() }
/// # }
/// # let _ = exponential;
/// # let exponential = Exponential;
/// assert_eq!(taylor_coefficients(exponential, AutoTaylor, &0.0, 3).unwrap(), [1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0]);
/// ```
///
/// # Errors
///
/// If the order is more than 63.
pub fn taylor_coefficients<F, B, X, G, R>(
    f: F,
    _: B,
    mut args: X,
    order: usize,
) -> Result<Vec<<Outputs<F, G, R> as Flat>::Tuple<G::Base>>>
where
    F: Overload<G>,
    B: SeriesBackend,
    X: Args<G, R>,
    G: OverSignature,
    R: OverCall<G, In: OneNumber>,
    Outputs<F, G, R>: Flat,
{
    Ok(series::<F, G, R>(&f, args.at(), order)?.into_iter().map(Made::tuples).collect())
}

/// The derivative of order `n` by the only active argument, which is a number: like the outputs.
///
/// # Errors
///
/// If the order is more than 63.
pub fn nth_derivative<F, B, X, G, R>(
    f: F,
    _: B,
    mut args: X,
    n: usize,
) -> Result<<Outputs<F, G, R> as Flat>::Tuple<G::Base>>
where
    F: Overload<G>,
    B: SeriesBackend,
    X: Args<G, R>,
    G: OverSignature,
    R: OverCall<G, In: OneNumber>,
    Outputs<F, G, R>: Flat,
{
    let factorial = <G::Base as Base>::lit((1..=n).fold(1.0, |product, k| product * k as f64));
    let mut last = series::<F, G, R>(&f, args.at(), n)?.pop().expect("a series has a coefficient");
    <Outputs<F, G, R>>::each(last.get(0), &mut |c: &mut G::Base| *c *= factorial);
    Ok(last.tuples())
}

type Coefficients<F, G, R> = Vec<Made<F, G, R, One>>;

/// With as many coefficients as a number has that is long enough.
fn series<F: Overload<G>, G: OverSignature, R: OverCall<G>>(
    f: &F,
    at: G::At<'_>,
    order: usize,
) -> Result<Coefficients<F, G, R>> {
    match order {
        0..4 => truncated::<F, G, R, 4>(f, at, order),
        4..8 => truncated::<F, G, R, 8>(f, at, order),
        8..16 => truncated::<F, G, R, 16>(f, at, order),
        16..=MOST => truncated::<F, G, R, { MOST + 1 }>(f, at, order),
        _ => Err(Error::OrderTooHigh { order, most: MOST }),
    }
}

fn truncated<F: Overload<G>, G: OverSignature, R: OverCall<G>, const N: usize>(
    f: &F,
    mut at: G::At<'_>,
    order: usize,
) -> Result<Coefficients<F, G, R>> {
    type Series<F, const N: usize> = Taylor<<F as Base>::Number, N>;
    let mut held = G::Held::<Series<G::Base, N>>::default();
    R::lift(&at, &mut held, &mut |v| Taylor::variable(Real::from_base(v)));
    let y = f.over(G::over(&mut held, &mut at));
    let mut outputs: Vec<Series<G::Base, N>> = Vec::new();
    F::ReturnValue::each_over(&y, &mut |s| outputs.push(s));
    R::each_output_over(&mut held, &mut |s| outputs.push(*s));
    R::lower_outputs(&mut held, &mut at);
    let value = F::ReturnValue::lower(&y);
    let coefficient = |k: usize| {
        let mut made = Made::<F, G, R, One>::new(&at);
        made.open(&value, &Shape::of(|_| ()))?;
        let mut of = outputs.iter();
        <Outputs<F, G, R>>::each(made.get(0), &mut |c: &mut G::Base| {
            of.next().into_iter().for_each(|s| *c = s.coefficients()[k].value());
        });
        Ok(made)
    };
    (0..=order).map(coefficient).collect()
}

/// A backend that knows derivatives of any order.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not know derivatives of any order [D0702]",
    label = "no power series from `{Self}`",
    note = "use `AutoTaylor`"
)]
pub trait SeriesBackend: Backend {}
