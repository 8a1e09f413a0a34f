//! Options that are changed through references to them, or where they stand in for one another.

use diffi::prelude::*;

#[differentiable]
fn by_pattern(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    if let Some(w) = &mut o {
        *w += x[1];
    }
    o.unwrap_or(1.0) * x[2]
}

#[differentiable]
fn by_method(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    let before = o;
    o.as_mut().map(|w| *w *= 2.0);
    *o.as_mut().unwrap() += x[1];
    if let Some(w) = o.as_mut() {
        *w *= x[2];
    }
    before.unwrap() * o.unwrap()
}

/// A name for the reference.
#[differentiable]
fn by_name(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    let r = &mut o;
    if let Some(w) = r {
        *w *= x[1];
    }
    match r {
        Some(w) if *w > 0.0 => *w += x[2],
        Some(w) => *w -= 1.0,
        None => {}
    }
    let old = r.take();
    *r = Some(old.unwrap() * x[2]);
    o.unwrap_or(1.0) * x[0]
}

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    let mut s = 0.0;
    for v in x {
        let old = o.replace(v * s);
        s += old.unwrap_or(0.5) * v;
        match &mut o {
            Some(w) if s < 1.0 => {
                *w += v * *w + 1.0;
                s += *w;
            }
            Some(_) => o = None,
            None => {}
        }
    }
    s + o.take().map_or(x[1], |w| w * w)
}

/// Both in one pattern, after they were exchanged.
#[differentiable]
fn exchanged(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    let mut p = Some(x[1]);
    std::mem::swap(&mut o, &mut p);
    if let (Some(a), Some(b)) = (&mut o, &mut p) {
        *a += *b * *a * x[2];
    }
    (o, p) = (p, o.map(|v| v * x[2]));
    let mut t = (x[0], Some(x[1]));
    if let (a, Some(b)) = &mut t {
        *a *= *b;
        *b += *a;
    }
    o.unwrap() * p.unwrap() * p.unwrap() * t.0 * t.1.unwrap()
}

/// Closures that change what they capture run once, where they stand.
#[differentiable]
fn closures(x: &[f64]) -> f64 {
    let o = Some(x[0]).filter(|v| *v > 0.0);
    let mut s = x[1];
    o.map(|v| s += v * v);
    let t = o.map(|v| {
        s *= v;
        s + 1.0
    });
    let f = (x[1] > 0.0).then(|| {
        s *= 2.0;
        s * x[2]
    });
    s * t.unwrap_or(0.5) * t.unwrap_or(0.25) * f.unwrap_or(x[2]) * f.map_or(0.5, |v| v * v)
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number by_pattern(at x: Vec<f64>): [vec![0.3, 0.7, 1.2]];
        number by_method(at x: Vec<f64>): [vec![0.3, 0.7, 1.2]];
        number by_name(at x: Vec<f64>): [vec![0.3, 0.7, 1.2]] [vec![0.3, -0.7, 1.2]];
        number in_a_loop(at x: Vec<f64>): [vec![0.3, 0.7, 1.2, -0.4]] [vec![0.1, -0.2, 0.15, 0.2]];
        number exchanged(at x: Vec<f64>): [vec![0.3, 0.7, 1.2]];
        number closures(at x: Vec<f64>): [vec![0.3, 0.7, 1.2]] [vec![-0.3, 0.7, 1.2]] [vec![0.3, -0.7, 1.2]];
    }
}
