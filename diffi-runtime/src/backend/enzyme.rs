//! `AutoEnzyme`: derivatives that `std::autodiff` makes, on nightly.

use crate::error::{Error, Result};
use crate::number::flag::Flag;
use crate::number::hlist::List;
use crate::operators::gradient::GradientBy;
use crate::operators::strategy::Inputs;
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::Function;
use crate::signature::param_kinds::Ref;
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;

/// Functions that the compiler differentiates itself, by Enzyme: `std::autodiff`, nightly and experimental.
///
/// The attribute stands in your crate, on a function of a slice, and the function it makes goes beside the function into
/// [`Enzyme`](struct@Enzyme). Your crate needs `#![feature(autodiff)]`, the component `enzyme`, `RUSTFLAGS=-Zautodiff=Enable` and `lto = "fat"`;
/// diffi itself does not.
///
/// ```ignore
/// #[std::autodiff::autodiff_reverse(d_energy, Duplicated, Active)]
/// fn energy(x: &[f64]) -> f64 { .. }
///
/// let g = gradient(Enzyme(energy, d_energy), AutoEnzyme, &x)?;
/// ```
///
/// It finds gradients; the compiler refuses everything else. It has been known to answer 0 without a word where a flag was missing. So the first derivative of every prepared object, or of every call
/// without preparation, is compared with a difference, and [`Error::WrongDerivative`] tells.
///
/// On any toolchain it takes derivatives that were written by hand with the same signature, which adds to the shadow:
///
/// ```
/// # use diffi_runtime as diffi;
/// use diffi::backend::{AutoEnzyme, Enzyme};
/// use diffi::operators::gradient::gradient;
///
/// fn energy(x: &[f64]) -> f64 {
///     x[0] * x[0] * x[1]
/// }
///
/// fn d_energy(x: &[f64], dx: &mut [f64], dy: f64) -> f64 {
///     dx[0] += 2.0 * x[0] * x[1] * dy;
///     dx[1] += x[0] * x[0] * dy;
///     energy(x)
/// }
///
/// assert_eq!(gradient(Enzyme(energy, d_energy), AutoEnzyme, &[3.0, 2.0])?, [12.0, 9.0]);
/// # Ok::<(), diffi::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AutoEnzyme;

/// A function of a slice, and what `#[autodiff_reverse(.., Duplicated, Active)]` makes of it: it adds to the shadow of the argument, and
/// gives the value.
#[derive(Clone, Copy, Debug)]
pub struct Enzyme<P, D>(pub P, pub D);

impl<P: Fn(&[f64]) -> f64, D> Function<(Ref<[f64]>,)> for Enzyme<P, D> {
    type ReturnValue = f64;
    #[inline]
    fn call(&self, (x,): (&[f64],)) -> f64 {
        self.0(x)
    }
}

/// Strategy: gradients by [`Enzyme`](struct@Enzyme).
#[derive(Clone, Copy, Debug)]
pub struct ByEnzyme;

/// Strategy: none, because the backend finds gradients.
#[derive(Clone, Copy, Debug)]
pub struct OnlyGradients;

/// The shadow of the argument, and whether the derivative was compared with a difference.
#[derive(Clone, Debug, Default)]
pub struct State {
    dx: Vec<f64>,
    compared: bool,
}

impl Recorder for State {
    fn kept(&self, note: &mut Note<'_>) {
        note(names::COTANGENTS, memory_report::vector(&self.dx));
    }
}

impl<P, D, R> GradientBy<AutoEnzyme, Enzyme<P, D>, (Ref<[f64]>,), R> for ByEnzyme
where
    P: Fn(&[f64]) -> f64,
    D: Fn(&[f64], &mut [f64], f64) -> f64,
    R: ArgRoles<(Ref<[f64]>,)>,
{
    type State = State;

    fn state(_: &AutoEnzyme, _: &Enzyme<P, D>, _: &mut (&[f64],)) -> State {
        State::default()
    }

    fn warm(_: &AutoEnzyme, f: &Enzyme<P, D>, (x,): (&[f64],), state: &mut State) -> Result<()> {
        f.compare(x, state)
    }

    fn run<V: Flag>(
        _: &AutoEnzyme,
        f: &Enzyme<P, D>,
        (x,): (&[f64],),
        state: &mut State,
        g: Inputs<'_, (Ref<[f64]>,), R, f64>,
    ) -> Result<Option<f64>> {
        f.compare(x, state)?;
        state.dx.clear();
        state.dx.resize(x.len(), 0.0);
        let value = f.1(x, &mut state.dx, 1.0);
        let mut dx = state.dx.iter();
        <R::In as List>::each(g, &mut |g: &mut f64| dx.next().into_iter().for_each(|dx| *g = *dx));
        Ok(if V::ON { Some(value) } else { None })
    }
}

impl<P: Fn(&[f64]) -> f64, D: Fn(&[f64], &mut [f64], f64) -> f64> Enzyme<P, D> {
    /// Compares the derivative in one direction with a central difference, once.
    fn compare(&self, x: &[f64], State { dx: shadow, compared }: &mut State) -> Result<()> {
        if *compared {
            return Ok(());
        }
        let direction = |i: usize| if i.is_multiple_of(2) { 1.0 } else { 0.625 };
        shadow.clear();
        shadow.resize(x.len(), 0.0);
        self.1(x, shadow, 1.0);
        let found: f64 = shadow.iter().enumerate().map(|(i, dx)| dx * direction(i)).sum();
        let size: f64 = shadow.iter().map(|dx| dx.abs()).sum();
        let step = f64::EPSILON.cbrt() * x.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let at = |t: f64| self.0(&x.iter().enumerate().map(|(i, x)| x + t * direction(i)).collect::<Vec<_>>());
        let (above, below) = (at(step), at(-step));
        let expected = (above - below) / (2.0 * step);
        let noise = f64::EPSILON * (above.abs() + below.abs()) / step;
        *compared = (found - expected).abs() <= 1e-4 * (size + expected.abs()) + 10.0 * noise || !expected.is_finite();
        match *compared {
            true => Ok(()),
            false => Err(Error::WrongDerivative { found: found.to_string(), expected: expected.to_string() }),
        }
    }
}
