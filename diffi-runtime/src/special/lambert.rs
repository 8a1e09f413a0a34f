//! Lambert's W: the solutions of `w e^w = x`.

use super::series::horner;

/// The branch for `x >= -1/e`, at least -1.
pub fn lambert_w0(x: f64) -> f64 {
    if x == 0.0 || x == f64::INFINITY {
        return x;
    }
    let p = from_branch_point(x);
    match p {
        ..0.02 => near_branch_point(p),
        ..1.5 => refined(x, if p < 0.7 { near_branch_point(p) } else { x / (1.0 + x) }),
        _ if x < 3.0 => refined(x, x.ln_1p() * (1.0 - x.ln_1p().ln_1p() / (2.0 + x.ln_1p()))),
        _ => {
            let log = x.ln();
            refined(x, log - log.ln() + log.ln() / log)
        }
    }
}

/// The branch for `-1/e <= x < 0`, at most -1.
pub fn lambert_wm1(x: f64) -> f64 {
    if !(x < 0.0) {
        return if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    }
    let p = from_branch_point(x);
    match p {
        ..0.02 => near_branch_point(-p),
        ..0.7 => refined(x, near_branch_point(-p)),
        _ => {
            let log = (-x).ln();
            refined(x, log - (-log).ln() + (-log).ln() / log)
        }
    }
}

/// `√(2 (e x + 1))`, NaN below the branch point.
fn from_branch_point(x: f64) -> f64 {
    let distance = x.mul_add(std::f64::consts::E, 1.0) + x * 1.4456468917292502e-16;
    if distance < 0.0 && distance > -1e-15 { 0.0 } else { (2.0 * distance).sqrt() }
}

/// Corless et al. 1996, (4.22).
fn near_branch_point(p: f64) -> f64 {
    const TERMS: [f64; 10] = [
        -1.0,
        1.0,
        -1.0 / 3.0,
        11.0 / 72.0,
        -43.0 / 540.0,
        769.0 / 17280.0,
        -221.0 / 8505.0,
        680863.0 / 43545600.0,
        -1963.0 / 204120.0,
        226287557.0 / 37623398400.0,
    ];
    horner(&TERMS, p)
}

/// Fritsch, Shafer & Crowley 1973: the fourth order.
fn refined(x: f64, guess: f64) -> f64 {
    let mut w = guess;
    for _ in 0..4 {
        let z = (x / w).ln() - w;
        let q = 2.0 * (1.0 + w) * (1.0 + w + 2.0 / 3.0 * z);
        let step = z / (1.0 + w) * (q - z) / (q - 2.0 * z);
        w *= 1.0 + step;
        if step.abs() < 1e-5 {
            break;
        }
    }
    w
}
