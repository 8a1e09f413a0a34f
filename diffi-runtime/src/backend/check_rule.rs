//! Whether derivative code agrees with differences: for rules that were written by hand.

use crate::backend::{AutoFiniteDiff, AutoForward, AutoReverse};
use crate::error::{Error, Result};
use crate::number::batch::Lanes;
use crate::number::flag::Off;
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::operators::entries::{Entries, count, size};
use crate::operators::jacobian::EntriesBy;
use crate::operators::strategy::{ByPulls, ByPushes};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Args;
use crate::signature::function::Function;
use crate::signature::param_kinds::Signature;

/// How far the Jacobians are apart that the halves of a rule and central differences give: the largest difference of two entries,
/// divided by the largest entry (or by 1, where all are smaller).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleCheck {
    /// Between the pushforward and differences.
    pub pushforward: f64,
    /// Between the pullback and differences.
    pub pullback: f64,
    /// Between the pushforward and the pullback.
    pub halves: f64,
}

/// Compares the rule of a function with central differences, and its two halves with each other, at one point: every entry of
/// the Jacobian.
///
/// A half that was not given is made of the other, and so agrees with it.
///
/// # Errors
///
/// [`Error::RuleMismatch`] if differences are further away than 1000 times their usual error, or the halves further from each
/// other than rounding explains.
pub fn check_rule<F, G, R, X>(f: F, mut args: X) -> Result<RuleCheck>
where
    F: Function<G>,
    G: Signature,
    X: Args<G, R>,
    R: ArgRoles<G>,
    ByPushes: EntriesBy<AutoForward, F, G, R> + EntriesBy<AutoFiniteDiff, F, G, R>,
    ByPulls: EntriesBy<AutoReverse, F, G, R>,
{
    let pushed = entries::<ByPushes, F, _, G, R>(&f, AutoForward, args.at())?;
    let pulled = entries::<ByPulls, F, _, G, R>(&f, AutoReverse, args.at())?;
    let differences = entries::<ByPushes, F, _, G, R>(&f, AutoFiniteDiff, args.at())?;
    let check = RuleCheck {
        pushforward: distance(&pushed, &differences),
        pullback: distance(&pulled, &differences),
        halves: distance(&pushed, &pulled),
    };
    let epsilon = G::Base::EPSILON.as_f64();
    let (near, same) = (1e3 * epsilon.powf(2.0 / 3.0), 1e4 * epsilon);
    match check.pushforward <= near && check.pullback <= near && check.halves <= same {
        true => Ok(check),
        false => Err(Error::RuleMismatch {
            pushforward: format!("{:.1e}", check.pushforward),
            pullback: format!("{:.1e}", check.pullback),
            halves: format!("{:.1e}", check.halves),
        }),
    }
}

fn entries<S: EntriesBy<B, F, G, R>, F: Function<G>, B, G: Signature, R: ArgRoles<G>>(
    f: &F,
    b: B,
    mut at: G::At<'_>,
) -> Result<Vec<f64>> {
    let mut state = S::state(&b, f, &mut at);
    let mut all = All { columns: size::<G, R>(&at), values: Vec::new() };
    S::run::<Off>(&b, f, at, &mut state, &mut all)?;
    Ok(all.values)
}

/// The largest difference, relative; NaN counts as infinitely far.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let scale = a.iter().chain(b).fold(1.0, |largest: f64, v| largest.max(v.abs()));
    let far = |(a, b): (&f64, &f64)| if a.is_nan() || b.is_nan() { f64::INFINITY } else { (a - b).abs() / scale };
    a.iter().zip(b).map(far).fold(0.0, f64::max)
}

/// The Jacobian, row by row.
struct All {
    columns: usize,
    values: Vec<f64>,
}

impl<L: List> Entries<L> for All {
    fn open<A: Lanes<L::Base>>(&mut self, outputs: L::Muts<'_, A>) -> Result<()> {
        self.values = vec![0.0; count::<L, A>(outputs) * self.columns];
        Ok(())
    }

    fn set(&mut self, row: usize, column: usize, value: L::Base) {
        self.values[row * self.columns + column] = value.as_f64();
    }
}
