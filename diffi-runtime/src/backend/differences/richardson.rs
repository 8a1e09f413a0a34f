//! Richardson extrapolation.

use crate::backend::differences::Estimate;

/// The limit of `f(h)` for `h` to zero, where `f(h) = limit + c h^power + c' h^(2 power) + ..`: `h` begins at `first` and is divided
/// by `ratio` until the limit changes no more, or by more than before.
///
/// L. F. Richardson, *The approximate arithmetical solution by finite differences*, 1911; the columns are those of Neville's
/// scheme.
///
/// ```
/// use diffi_runtime::backend::differences::{Stencil, richardson};
///
/// let (mut exp, central) = (f64::exp, Stencil::central(3, 1));
/// let found = richardson(|h| central.at(&mut exp, 1.0, h), 0.5, 2.0, 2);
/// assert!((found.value - 1f64.exp()).abs() < 1e-11);
/// ```
pub fn richardson(mut f: impl FnMut(f64) -> f64, first: f64, ratio: f64, power: i32) -> Estimate {
    let mut step = first;
    let mut row = vec![f(first)];
    let mut best = Estimate { value: row[0], error: f64::INFINITY, step };
    for level in 1..=12usize {
        step /= ratio;
        let mut next = vec![f(step)];
        for column in 0..level {
            let factor = ratio.powi(power * (column as i32 + 1));
            next.push(next[column] + (next[column] - row[column]) / (factor - 1.0));
        }
        let error = (next[level] - row[level - 1]).abs().max((next[level] - next[level - 1]).abs());
        if error <= best.error {
            best = Estimate { value: next[level], error, step };
        } else if error > 2.0 * best.error {
            break;
        }
        row = next;
    }
    best
}
