//! Bessel functions of whole order.

/// `J_n(x)`.
pub fn bessel_j(x: f64, n: i32) -> f64 {
    libm::jn(n, x)
}

/// `Y_n(x)`.
pub fn bessel_y(x: f64, n: i32) -> f64 {
    libm::yn(n, x)
}

/// `I_n(x)`: the power series (DLMF 10.25.2), or far out the asymptotic one (10.40.1).
pub fn bessel_i(x: f64, n: i32) -> f64 {
    let order = n.unsigned_abs();
    let at = x.abs();
    let sign = if x < 0.0 && order % 2 == 1 { -1.0 } else { 1.0 };
    let far = at > 40.0 && f64::from(order) * f64::from(order) < at;
    sign * if far { bessel_i_far(at, order) } else { bessel_i_near(at, order) }
}

fn bessel_i_near(x: f64, n: u32) -> f64 {
    let square = 0.25 * x * x;
    let mut term: f64 = (1..=n).map(|k| 0.5 * x / f64::from(k)).product();
    let mut sum = term;
    for k in 1..2000 {
        term *= square / (f64::from(k) * (f64::from(k) + f64::from(n)));
        sum += term;
        if term <= 0.1 * f64::EPSILON * sum {
            break;
        }
    }
    sum
}

fn bessel_i_far(x: f64, n: u32) -> f64 {
    let mu = 4.0 * f64::from(n) * f64::from(n);
    let (mut term, mut sum) = (1.0f64, 1.0f64);
    for k in 1..80 {
        let odd = f64::from(2 * k - 1);
        let next = -term * (mu - odd * odd) / (f64::from(k) * 8.0 * x);
        if next.abs() >= term.abs() || next.abs() <= 0.1 * f64::EPSILON * sum.abs() {
            break;
        }
        term = next;
        sum += term;
    }
    // e^x in two steps, as it may be too large alone
    let half = (0.5 * x).exp();
    half / (std::f64::consts::TAU * x).sqrt() * sum * half
}

/// `K_n(x)`: series for small `x`, otherwise the integral `∫ exp(-x cosh t) cosh(n t)` by the trapezoidal rule, whose error
/// vanishes exponentially here; upwards by the recurrence, which is stable.
pub fn bessel_k(x: f64, n: i32) -> f64 {
    if !(x > 0.0) {
        return if x == 0.0 { f64::INFINITY } else { f64::NAN };
    }
    let order = n.unsigned_abs();
    let (mut below, mut here) = if x < 0.5 { bessel_k_near(x) } else { bessel_k_far(x) };
    if order == 0 {
        return below;
    }
    for k in 1..order {
        (below, here) = (here, below + 2.0 * f64::from(k) / x * here);
    }
    here
}

/// `K_0` and `K_1`, DLMF 10.31.1 and 10.31.2.
fn bessel_k_near(x: f64) -> (f64, f64) {
    const EULER: f64 = 0.5772156649015329;
    let (square, log) = (0.25 * x * x, (0.5 * x).ln());
    let (mut term, mut harmonic) = (1.0, 0.0);
    let (mut zero, mut one) = (-(log + EULER), log + EULER - 0.5);
    for k in 1..12 {
        let k = f64::from(k);
        term *= square / (k * k);
        harmonic += 1.0 / k;
        zero += term * (harmonic - log - EULER);
        one += term / (k + 1.0) * (log + EULER - harmonic - 0.5 / (k + 1.0));
    }
    (zero, 1.0 / x + 0.5 * x * one)
}

fn bessel_k_far(x: f64) -> (f64, f64) {
    let step = (0.5 / x.sqrt()).min(0.2);
    let (mut zero, mut one) = (0.5, 0.5);
    for k in 1..400 {
        let t = step * f64::from(k);
        let half = (0.5 * t).sinh();
        let weight = (-2.0 * x * half * half).exp();
        zero += weight;
        one += weight * t.cosh();
        if weight * t.cosh() <= 0.01 * f64::EPSILON * one {
            break;
        }
    }
    let scale = step * (-x).exp();
    (scale * zero, scale * one)
}
