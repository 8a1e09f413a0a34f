//! Stencils: which values are added with which weights.

use crate::backend::differences::Fraction;

/// `f^(q)(x) ≈ Σ w_k f(x + g_k h) / h^q`: a grid of whole numbers, and the weights that are exact for polynomials of a degree below
/// the number of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Stencil {
    grid: Vec<i32>,
    order: usize,
    exact: Vec<Fraction>,
    weights: Vec<f64>,
    condition: f64,
    rounds: usize,
    range: f64,
}

/// A derivative, the error that is expected of it, and the step that was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The derivative.
    pub value: f64,
    /// About how far it is off: rounding and truncation together.
    pub error: f64,
    /// The step `h`.
    pub step: f64,
}

impl Stencil {
    /// The derivative of order `q` on a grid. At most 20 points, from -20 to 20.
    ///
    /// # Panics
    ///
    /// If there are not more points than `q`, or too many, or one of them twice.
    pub fn new(grid: &[i32], q: usize) -> Self {
        assert!(grid.len() > q, "a derivative of order {q} needs at least {} points", q + 1);
        assert!(grid.len() <= 20 && grid.iter().all(|g| g.abs() <= 20), "at most 20 points, from -20 to 20");
        assert!((1..grid.len()).all(|k| !grid[..k].contains(&grid[k])), "every point once");
        let exact = weights(grid, q);
        let floats = exact.iter().map(|w| w.as_f64()).collect();
        Stencil {
            grid: grid.to_vec(),
            order: q,
            exact,
            weights: floats,
            condition: 10.0,
            rounds: 1,
            range: f64::INFINITY,
        }
    }

    /// `p` points around `x`; without `x` itself, if `p` is even.
    pub fn central(p: usize, q: usize) -> Self {
        let half = (p / 2) as i32;
        let grid: Vec<i32> = (-half..=half).filter(|g| p % 2 == 1 || *g != 0).collect();
        Stencil::new(&grid, q)
    }

    /// `p` points from `x` upwards.
    pub fn forward(p: usize, q: usize) -> Self {
        Stencil::new(&(0..p as i32).collect::<Vec<_>>(), q)
    }

    /// `p` points up to `x`.
    pub fn backward(p: usize, q: usize) -> Self {
        Stencil::new(&(1 - p as i32..=0).collect::<Vec<_>>(), q)
    }

    /// How often a coarser stencil is asked for the size of the derivative that the error depends on, before the step is
    /// chosen: once by default; never, if the step is to be what suits a function of size 1 whose derivatives are about ten
    /// times that.
    pub fn adapted(self, rounds: usize) -> Self {
        Stencil { rounds, ..self }
    }

    /// How large derivatives are, where nobody knows, by the size of the function: 10 by default.
    pub fn condition(self, condition: f64) -> Self {
        Stencil { condition, ..self }
    }

    /// The function is called nowhere further from `x` than this.
    pub fn max_range(self, range: f64) -> Self {
        Stencil { range, ..self }
    }

    /// The grid.
    pub fn grid(&self) -> &[i32] {
        &self.grid
    }

    /// The order `q` of the derivative.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The weights, exactly.
    pub fn exact_weights(&self) -> &[Fraction] {
        &self.exact
    }

    /// The weights.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// How much errors of values count: `Σ |w_k|`.
    pub fn roundoff_multiplier(&self) -> Fraction {
        self.exact.iter().fold(Fraction::whole(0), |sum, w| sum + w.abs())
    }

    /// How much the derivative of order `p`, the number of points, counts: `Σ |w_k g_k^p| / p!`.
    pub fn truncation_multiplier(&self) -> Fraction {
        let p = self.grid.len();
        let powers =
            self.grid.iter().map(|g| (0..p).fold(Fraction::whole(1), |power, _| power * Fraction::whole((*g).into())));
        let sum = powers.zip(&self.exact).fold(Fraction::whole(0), |sum, (power, w)| sum + (power * *w).abs());
        (1..=p as i128).fold(sum, |sum, k| sum / Fraction::whole(k))
    }

    /// The derivative of a function at `x`.
    pub fn derivative(&self, mut f: impl FnMut(f64) -> f64, x: f64) -> Estimate {
        let (step, error) = self
            .step_of(&mut |h, grid, seen| grid.iter().for_each(|g| seen(&[f(x + f64::from(*g) * h)])), f64::EPSILON);
        Estimate { value: self.at(&mut f, x, step), error, step }
    }

    /// The sum with a step of the caller's.
    pub fn at(&self, f: &mut impl FnMut(f64) -> f64, x: f64, h: f64) -> f64 {
        let values = self.grid.iter().map(|g| f(x + f64::from(*g) * h));
        let sum: f64 = values.zip(&self.weights).map(|(y, w)| w * y).sum();
        sum / h.powi(self.order as i32)
    }

    /// The step that balances rounding and truncation, and the error that is left. `values` passes on the values at `x + g h` for
    /// every `g` of a grid.
    #[expect(clippy::type_complexity, reason = "who is given a step and the grid hands the values on")]
    pub(crate) fn step_of(
        &self,
        values: &mut dyn FnMut(f64, &[i32], &mut dyn FnMut(&[f64])),
        epsilon: f64,
    ) -> (f64, f64) {
        let usual = self.balanced(self.condition, epsilon);
        let limit = self.range / self.grid.iter().map(|g| f64::from(g.abs())).fold(1.0, f64::max);
        if self.rounds == 0 {
            return self.limited(usual, limit, self.condition, epsilon);
        }
        let p = self.grid.len();
        let coarse = Stencil::central((p + 2).min(20), p)
            .adapted(self.rounds - 1)
            .max_range(self.range)
            .condition(self.condition);
        let (h, _) = coarse.step_of(values, epsilon);
        let (mut size, mut k, mut sums) = (0.0f64, 0, Vec::new());
        values(h, &coarse.grid, &mut |y| {
            sums.resize(y.len(), 0.0);
            for (sum, y) in sums.iter_mut().zip(y) {
                *sum += coarse.weights[k] * y;
                size = size.max(y.abs());
            }
            k += 1;
        });
        let derivative = sums.iter().fold(0.0f64, |largest, sum| largest.max((sum / h.powi(p as i32)).abs()));
        if !(derivative > 0.0 && size > 0.0 && derivative.is_finite() && size.is_finite()) {
            return self.limited(usual, limit, self.condition, epsilon);
        }
        let best = self.balanced(derivative, epsilon * size).min(1000.0 * usual);
        self.limited(best, limit, derivative, epsilon * size)
    }

    /// `h = (q/(p-q) · noise Σ|w| / (M_p Σ|w g^p|/p!))^(1/p)`.
    fn balanced(&self, derivative: f64, noise: f64) -> f64 {
        let (p, q) = (self.grid.len() as f64, self.order as f64);
        let (rounding, truncation) = self.errors(derivative, noise);
        match q > 0.0 && p > q {
            true => (q / (p - q) * rounding / truncation).powf(p.recip()),
            false => noise.powf(p.recip()),
        }
    }

    fn errors(&self, derivative: f64, noise: f64) -> (f64, f64) {
        (noise * self.roundoff_multiplier().as_f64(), derivative * self.truncation_multiplier().as_f64())
    }

    fn limited(&self, step: f64, limit: f64, derivative: f64, noise: f64) -> (f64, f64) {
        let (p, q) = (self.grid.len() as i32, self.order as i32);
        let step = step.min(limit);
        let (rounding, truncation) = self.errors(derivative, noise);
        (step, rounding / step.powi(q) + truncation * step.powi(p - q))
    }
}

/// Derivatives at zero of the polynomials that are one in one point and zero in the others.
fn weights(grid: &[i32], q: usize) -> Vec<Fraction> {
    let factorial = (1..=q as i128).product::<i128>();
    let point = |k: usize| Fraction::whole(grid[k].into());
    let weight = |k: usize| {
        let mut polynomial = vec![Fraction::whole(1)];
        for other in (0..grid.len()).filter(|other| *other != k) {
            let scale = point(k) - point(other);
            let mut next = vec![Fraction::whole(0); polynomial.len() + 1];
            for (power, c) in polynomial.iter().enumerate() {
                next[power + 1] = next[power + 1] + *c / scale;
                next[power] = next[power] - *c * point(other) / scale;
            }
            polynomial = next;
        }
        polynomial[q] * Fraction::whole(factorial)
    };
    (0..grid.len()).map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_as_small_as_estimated() {
        for (stencil, expected) in [
            (Stencil::central(5, 1), 0.7f64.cos()),
            (Stencil::forward(6, 1), 0.7f64.cos()),
            (Stencil::central(8, 2), -0.7f64.sin()),
        ] {
            let found = stencil.derivative(f64::sin, 0.7);
            assert!((found.value - expected).abs() < 10.0 * found.error && found.error < 1e-7, "{found:?}");
        }
        assert!((Stencil::central(5, 1).derivative(f64::sin, 1.0).value - 1f64.cos()).abs() < 2e-13);
    }

    #[test]
    fn nowhere_outside_of_the_range() {
        let mut furthest = 0.0f64;
        let ln = |x: f64| {
            furthest = furthest.max((x - 1e-3).abs());
            x.ln()
        };
        let found = Stencil::central(5, 1).max_range(9e-4).derivative(ln, 1e-3);
        assert!(furthest <= 9e-4 && (found.value - 1000.0).abs() < 1e-2, "{found:?} {furthest}");
    }
}
