//! ADBench's Gaussian mixture model; the objective is the example's.

#[path = "../../examples/gmm/objective.rs"]
mod objective;

pub use objective::log_posterior;

use super::dot;

/// A mixture with parameters and points drawn from a small generator: the shape of ADBench's inputs.
pub struct Mixture {
    pub d: usize,
    pub alphas: Vec<f64>,
    pub means: Vec<f64>,
    pub icf: Vec<f64>,
    pub points: Vec<f64>,
    pub gamma: f64,
    pub m: usize,
}

impl Mixture {
    pub fn new(d: usize, k: usize, n: usize) -> Mixture {
        let mut random = super::random(17);
        let mut normals =
            |count: usize| -> Vec<f64> { (0..count).map(|_| (0..12).map(|_| random()).sum::<f64>() - 6.0).collect() };
        Mixture {
            d,
            alphas: normals(k),
            means: normals(k * d).iter().map(|v| 0.5 + 0.3 * v).collect(),
            icf: normals(k * d * (d + 1) / 2),
            points: normals(n * d),
            gamma: 1.0,
            m: 0,
        }
    }

    pub fn value(&self) -> f64 {
        log_posterior(&self.alphas, &self.means, &self.icf, &self.points, self.d, self.gamma, self.m)
    }
}

/// What the gradient needs for one point, and the sums over all points; reused from call to call.
pub struct Workspace {
    diagonals: Vec<f64>,
    log_weights: Vec<f64>,
    centered: Vec<f64>,
    scaled: Vec<f64>,
    scaled_bar: Vec<f64>,
    terms: Vec<f64>,
    counts: Vec<f64>,
    /// What is below the diagonals, row by row instead of column by column, and its adjoint.
    rows: Vec<f64>,
    rows_bar: Vec<f64>,
}

impl Workspace {
    pub fn new(mixture: &Mixture) -> Workspace {
        let (k, d) = (mixture.alphas.len(), mixture.d);
        let zeros = |n: usize| vec![0.0; n];
        Workspace {
            diagonals: zeros(k * d),
            log_weights: zeros(k),
            centered: zeros(k * d),
            scaled: zeros(k * d),
            scaled_bar: zeros(d),
            terms: zeros(k),
            counts: zeros(k),
            rows: zeros(k * d * (d - 1) / 2),
            rows_bar: zeros(k * d * (d - 1) / 2),
        }
    }
}

/// The faster of the two spellings below.
pub fn gradient_by_hand(
    mixture: &Mixture,
    work: &mut Workspace,
    alphas_bar: &mut [f64],
    means_bar: &mut [f64],
    icf_bar: &mut [f64],
) {
    if mixture.d < 4 {
        gradient_plain(mixture, work, alphas_bar, means_bar, icf_bar);
    } else {
        gradient_tuned(mixture, work, alphas_bar, means_bar, icf_bar);
    }
}

/// The derivative program as one derives it: per point, all components forward, then all components backward.
pub fn gradient_plain(
    mixture: &Mixture,
    work: &mut Workspace,
    alphas_bar: &mut [f64],
    means_bar: &mut [f64],
    icf_bar: &mut [f64],
) {
    let d = mixture.d;
    let size = d * (d + 1) / 2;
    prepare(mixture, work);
    means_bar.fill(0.0);
    icf_bar.fill(0.0);
    for point in mixture.points.chunks_exact(d) {
        for c in 0..mixture.alphas.len() {
            let below = &mixture.icf[c * size + d..(c + 1) * size];
            component(mixture, work, c, point, |x, s| forward_columns(below, x, s));
        }
        shares(work);
        for c in 0..mixture.alphas.len() {
            scaled_adjoint(work, c, d);
            let (diagonal_bar, below_bar) = icf_bar[c * size..(c + 1) * size].split_at_mut(d);
            backward_columns(
                &mixture.icf[c * size + d..(c + 1) * size],
                &work.diagonals[c * d..(c + 1) * d],
                &work.centered[c * d..(c + 1) * d],
                &work.scaled_bar,
                below_bar,
                diagonal_bar,
                &mut means_bar[c * d..(c + 1) * d],
            );
        }
    }
    finish(mixture, work, alphas_bar, icf_bar);
}

/// The same sums with four columns forward and two rows backward at a time: a column's sums are read and written a
/// quarter as often (the triangle's shifted reads of what was just written are what the plain loop waits for), and by
/// rows no sum runs along the inner loop.
pub fn gradient_tuned(
    mixture: &Mixture,
    work: &mut Workspace,
    alphas_bar: &mut [f64],
    means_bar: &mut [f64],
    icf_bar: &mut [f64],
) {
    let d = mixture.d;
    let size = d * (d + 1) / 2;
    let row_size = d * (d - 1) / 2;
    prepare(mixture, work);
    means_bar.fill(0.0);
    icf_bar.fill(0.0);
    work.rows_bar.fill(0.0);
    for (rows, factor) in work.rows.chunks_exact_mut(row_size).zip(mixture.icf.chunks_exact(size)) {
        for (at, l) in below_diagonal(d).zip(&factor[d..]) {
            rows[at] = *l;
        }
    }
    for point in mixture.points.chunks_exact(d) {
        for c in 0..mixture.alphas.len() {
            let below = &mixture.icf[c * size + d..(c + 1) * size];
            component(mixture, work, c, point, |x, s| forward_four_columns(below, x, s));
        }
        shares(work);
        for c in 0..mixture.alphas.len() {
            scaled_adjoint(work, c, d);
            backward_two_rows(
                &work.rows[c * row_size..(c + 1) * row_size],
                &work.diagonals[c * d..(c + 1) * d],
                &work.centered[c * d..(c + 1) * d],
                &work.scaled_bar,
                &mut work.rows_bar[c * row_size..(c + 1) * row_size],
                &mut icf_bar[c * size..c * size + d],
                &mut means_bar[c * d..(c + 1) * d],
            );
        }
    }
    for (rows_bar, factor_bar) in work.rows_bar.chunks_exact(row_size).zip(icf_bar.chunks_exact_mut(size)) {
        for (at, bar) in below_diagonal(d).zip(&mut factor_bar[d..]) {
            *bar = rows_bar[at];
        }
    }
    finish(mixture, work, alphas_bar, icf_bar);
}

/// Where an entry below the diagonal stands in row order, for all entries in column order.
fn below_diagonal(d: usize) -> impl Iterator<Item = usize> {
    (0..d).flat_map(move |i| (i + 1..d).map(move |j| j * (j - 1) / 2 + i))
}

/// The exponentials of the diagonals, and the weights with the determinants.
fn prepare(mixture: &Mixture, work: &mut Workspace) {
    let d = mixture.d;
    work.counts.fill(0.0);
    work.log_weights.copy_from_slice(&mixture.alphas);
    let factors = mixture.icf.chunks_exact(d * (d + 1) / 2);
    for ((factor, diagonal), weight) in factors.zip(work.diagonals.chunks_exact_mut(d)).zip(&mut work.log_weights) {
        for (q, e) in factor.iter().zip(diagonal) {
            *e = q.exp();
            *weight += q;
        }
    }
}

/// One component's log density at `point`; `multiply` adds the strict triangle's part of `scaled = Q centered`.
#[inline(always)]
fn component(mixture: &Mixture, work: &mut Workspace, c: usize, point: &[f64], multiply: impl Fn(&[f64], &mut [f64])) {
    let d = mixture.d;
    let mean = &mixture.means[c * d..(c + 1) * d];
    let diagonal = &work.diagonals[c * d..(c + 1) * d];
    let x = &mut work.centered[c * d..(c + 1) * d];
    let s = &mut work.scaled[c * d..(c + 1) * d];
    for i in 0..d {
        x[i] = point[i] - mean[i];
        s[i] = diagonal[i] * x[i];
    }
    multiply(x, s);
    work.terms[c] = work.log_weights[c] - 0.5 * dot::<4>(s, s);
}

/// From log densities to each component's share of the point.
#[inline(always)]
fn shares(work: &mut Workspace) {
    let mut largest = f64::NEG_INFINITY;
    for t in &work.terms {
        largest = if *t > largest { *t } else { largest };
    }
    let mut sum = 0.0;
    for t in &mut work.terms {
        *t = (*t - largest).exp();
        sum += *t;
    }
    let inverse = 1.0 / sum;
    for (t, count) in work.terms.iter_mut().zip(&mut work.counts) {
        *t *= inverse;
        *count += *t;
    }
}

#[inline(always)]
fn scaled_adjoint(work: &mut Workspace, c: usize, d: usize) {
    let share = work.terms[c];
    for (bar, s) in work.scaled_bar.iter_mut().zip(&work.scaled[c * d..(c + 1) * d]) {
        *bar = -share * s;
    }
}

#[inline(never)]
fn forward_columns(below: &[f64], x: &[f64], s: &mut [f64]) {
    let d = x.len();
    let mut rest = below;
    for i in 0..d {
        let (column, after) = rest.split_at(d - 1 - i);
        for (s, l) in s[i + 1..].iter_mut().zip(column) {
            *s += l * x[i];
        }
        rest = after;
    }
}

#[inline(never)]
fn backward_columns(
    below: &[f64],
    diagonal: &[f64],
    x: &[f64],
    s_bar: &[f64],
    below_bar: &mut [f64],
    diagonal_bar: &mut [f64],
    mean_bar: &mut [f64],
) {
    let d = x.len();
    let (diagonal, s_bar, diagonal_bar, mean_bar) =
        (&diagonal[..d], &s_bar[..d], &mut diagonal_bar[..d], &mut mean_bar[..d]);
    let (mut rest, mut rest_bar) = (below, below_bar);
    for i in 0..d {
        let (column, after) = rest.split_at(d - 1 - i);
        let (column_bar, after_bar) = rest_bar.split_at_mut(d - 1 - i);
        let mut x_bar = diagonal[i] * s_bar[i];
        for ((bar, l), s_bar) in column_bar.iter_mut().zip(column).zip(&s_bar[i + 1..]) {
            *bar += s_bar * x[i];
            x_bar += l * s_bar;
        }
        mean_bar[i] -= x_bar;
        diagonal_bar[i] += s_bar[i] * x[i];
        (rest, rest_bar) = (after, after_bar);
    }
}

#[inline(never)]
fn forward_four_columns(below: &[f64], x: &[f64], s: &mut [f64]) {
    let d = x.len();
    let mut rest = below;
    let mut i = 0;
    while i + 4 <= d {
        let n = d - 1 - i;
        let (a, after) = rest.split_at(n);
        let (b, after) = after.split_at(n - 1);
        let (c, after) = after.split_at(n - 2);
        let (e, after) = after.split_at(n - 3);
        let (xa, xb, xc, xe) = (x[i], x[i + 1], x[i + 2], x[i + 3]);
        s[i + 1] += a[0] * xa;
        s[i + 2] += a[1] * xa + b[0] * xb;
        s[i + 3] += a[2] * xa + b[1] * xb + c[0] * xc;
        for ((((s, a), b), c), e) in s[i + 4..].iter_mut().zip(&a[3..]).zip(&b[2..]).zip(&c[1..]).zip(e) {
            *s += a * xa + b * xb + (c * xc + e * xe);
        }
        rest = after;
        i += 4;
    }
    forward_columns(rest, &x[i..], &mut s[i..]);
}

#[inline(never)]
fn backward_two_rows(
    rows: &[f64],
    diagonal: &[f64],
    x: &[f64],
    s_bar: &[f64],
    rows_bar: &mut [f64],
    diagonal_bar: &mut [f64],
    mean_bar: &mut [f64],
) {
    let d = x.len();
    let (diagonal, s_bar, diagonal_bar, mean_bar) =
        (&diagonal[..d], &s_bar[..d], &mut diagonal_bar[..d], &mut mean_bar[..d]);
    for i in 0..d {
        mean_bar[i] -= diagonal[i] * s_bar[i];
        diagonal_bar[i] += s_bar[i] * x[i];
    }
    let (mut rest, mut rest_bar) = (rows, rows_bar);
    let mut j = 1;
    while j + 1 < d {
        let (a, after) = rest.split_at(j);
        let (b, after) = after.split_at(j + 1);
        let (a_bar, after_bar) = rest_bar.split_at_mut(j);
        let (b_bar, after_bar) = after_bar.split_at_mut(j + 1);
        let (sa, sb) = (s_bar[j], s_bar[j + 1]);
        let (b, b_end) = b.split_at(j);
        let (b_bar, b_bar_end) = b_bar.split_at_mut(j);
        for (((((a_bar, b_bar), a), b), x), mean_bar) in
            a_bar.iter_mut().zip(b_bar).zip(a).zip(b).zip(x).zip(&mut *mean_bar)
        {
            *a_bar += sa * x;
            *b_bar += sb * x;
            *mean_bar -= sa * a + sb * b;
        }
        b_bar_end[0] += sb * x[j];
        mean_bar[j] -= sb * b_end[0];
        (rest, rest_bar) = (after, after_bar);
        j += 2;
    }
    if j < d {
        for (((bar, l), x), mean_bar) in rest_bar.iter_mut().zip(rest).zip(x).zip(mean_bar) {
            *bar += s_bar[j] * x;
            *mean_bar -= s_bar[j] * l;
        }
    }
}

/// What follows the points: the logarithms of the diagonals, the weights' normalisation, and the prior.
fn finish(mixture: &Mixture, work: &Workspace, alphas_bar: &mut [f64], icf_bar: &mut [f64]) {
    let d = mixture.d;
    let size = d * (d + 1) / 2;
    let n = (mixture.points.len() / d) as f64;
    let (gamma2, m) = (mixture.gamma * mixture.gamma, mixture.m as f64);

    let largest = mixture.alphas.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = mixture.alphas.iter().map(|a| (a - largest).exp()).sum();
    for ((bar, a), count) in alphas_bar.iter_mut().zip(&mixture.alphas).zip(&work.counts) {
        *bar = count - n * (a - largest).exp() / sum;
    }
    for (c, bar) in icf_bar.chunks_exact_mut(size).enumerate() {
        let (diagonal_bar, below_bar) = bar.split_at_mut(d);
        for (bar, e) in diagonal_bar.iter_mut().zip(&work.diagonals[c * d..(c + 1) * d]) {
            *bar = *bar * e + work.counts[c] + m - gamma2 * e * e;
        }
        for (bar, l) in below_bar.iter_mut().zip(&mixture.icf[c * size + d..(c + 1) * size]) {
            *bar -= gamma2 * l;
        }
    }
}
