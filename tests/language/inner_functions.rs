//! Functions that are declared inside of the function that calls them.

use diffi::prelude::*;

#[differentiable]
fn early_return(x: f64, y: f64) -> f64 {
    fn curve(t: f64) -> f64 {
        if t >= 0.5 {
            return 1.3 * t.powf(0.7) - 0.1;
        }
        12.0 * t
    }
    curve(x) * curve(y) + curve(x * y)
}

#[differentiable]
fn behind_its_use(x: &[f64]) -> f64 {
    let total: f64 = x.iter().copied().map(outer).sum();
    return total * inner(x[0], 2);

    fn outer(t: f64) -> f64 {
        inner(t, 3) + WEIGHTS[1] * t
    }
    /// A power, by a loop.
    #[inline]
    fn inner(t: f64, n: usize) -> f64 {
        let mut product = 1.0;
        for _ in 0..n {
            product *= t;
        }
        product
    }
    const WEIGHTS: [f64; 2] = [0.5, 0.25];
}

#[differentiable]
fn of_slices(x: &[f64], k: f64) -> f64 {
    #[differentiable]
    fn grow(v: &mut [f64], k: f64) -> usize {
        for (i, t) in v.iter_mut().enumerate() {
            *t *= k + i as f64;
        }
        v.len()
    }
    fn norm(v: &[f64]) -> f64 {
        v.iter().map(|t| t * t).sum::<f64>().sqrt()
    }
    let mut v = x.to_vec();
    let n = grow(&mut v, k);
    norm(&v) * n as f64 + norm(x)
}

#[differentiable]
fn in_blocks(x: f64, up: bool) -> f64 {
    fn f(t: f64) -> f64 {
        t.sin()
    }
    let inside = if up {
        fn f(t: f64) -> f64 {
            const TABLE: [f64; 2] = [2.0, 3.0];
            TABLE[0] * t + TABLE[1]
        }
        f(x)
    } else {
        f(x) * x
    };
    inside + f(2.0 * x)
}

#[differentiable]
fn of_several_values(x: f64, y: f64) -> f64 {
    fn polar((a, b): (f64, f64)) -> (f64, f64) {
        (a.hypot(b), b.atan2(a))
    }
    fn is_large(r: f64) -> bool {
        r > 1.0
    }
    fn digit(n: usize) -> usize {
        n % 10
    }
    let (r, phi) = polar((x, y));
    let t = if is_large(r) { r * phi } else { r + phi };
    t * digit(13) as f64
}

struct Line;

#[differentiable]
impl Line {
    fn at(x: f64, slope: f64) -> f64 {
        fn line(a: f64, b: f64, t: f64) -> f64 {
            a * t + b
        }
        line(slope, 1.0, x) * line(x, slope, 2.0)
    }
}
#[differentiable]
fn in_a_method(x: f64, y: f64) -> f64 {
    Line::at(x, y) * y
}

/// A table is filled by a function that calls itself.
#[differentiable]
fn that_call_themselves(x: &[f64], t: f64) -> f64 {
    fn power(t: f64, n: u32) -> f64 {
        if n == 0 { 1.0 } else { t * power(t, n - 1) }
    }
    fn filled(n: usize, x: &[f64], known: &mut Vec<Option<f64>>) -> f64 {
        if n < 2 {
            return x[n];
        }
        if let Some(v) = known[n] {
            return v;
        }
        let v = filled(n - 1, x, known) * 0.5 + filled(n - 2, x, known).sin();
        known[n] = Some(v);
        v
    }
    fn twice(f: impl Fn(f64) -> f64, t: f64) -> f64 {
        f(f(t))
    }
    let mut known = vec![None; 8];
    filled(6, x, &mut known) * power(t, 3) + twice(|v| v * t + 1.0, x[0]) * twice(f64::sin, t)
}

#[differentiable]
fn named_like_generated_code(x: &[f64]) -> f64 {
    fn count(v: &[f64]) -> usize {
        v.iter().filter(|a| **a > 0.0).count()
    }
    fn list(v: &[f64], k: f64) -> Vec<f64> {
        v.iter().map(|a| a * k).collect()
    }
    fn value(v: f64) -> f64 {
        if v < 0.0 {
            return v * v;
        }
        v.sin()
    }
    let count = count(x);
    let list = list(x, x[0]);
    assert!(value(list[0]) > -5.0, "{}", value(x[0]));
    list.iter().copied().map(value).sum::<f64>() * count as f64
}

#[differentiable]
fn named_like_generated_code_and_recursive(x: &[f64]) -> f64 {
    #[differentiable]
    fn rec(v: &[f64], k: usize) -> f64 {
        if k == 0 { 1.0 } else { v[k] * rec(v, k - 1) + v[0] }
    }
    fn words(v: &[f64]) -> usize {
        if v.len() < 2 { 1 } else { words(&v[1..]) + 1 }
    }
    rec(x, 2) * words(x) as f64
}

#[differentiable]
fn iterated(x: f64, n: usize) -> f64 {
    x * n as f64
}

#[differentiable]
fn recursive_with_an_outer_name(x: f64, y: f64) -> f64 {
    #[differentiable]
    fn iterated(x: f64, n: usize) -> f64 {
        if n == 0 { x } else { iterated(x.sin(), n - 1) }
    }
    iterated(x, 3) * y
}

#[differentiable]
fn recursive_without_the_attribute(x: f64, y: f64) -> f64 {
    fn iterated(x: f64, n: usize) -> f64 {
        if n == 0 { x } else { iterated(x.cos(), n - 1) }
    }
    iterated(x, 2) * y
}

#[differentiable]
fn outer_name(x: f64, y: f64) -> f64 {
    iterated(x, 2) * y
}

#[differentiable]
fn folded(v: &[f64]) -> f64 {
    v[0]
}

#[differentiable]
fn recursive_over_a_slice(x: &[f64]) -> f64 {
    #[differentiable]
    fn folded(v: &[f64]) -> f64 {
        match v {
            [] => 1.0,
            [a, rest @ ..] => a * folded(rest) + a,
        }
    }
    folded(x) * x[0]
}

#[differentiable]
fn outer_slice(x: &[f64]) -> f64 {
    folded(x) * x[1]
}

#[differentiable]
fn rule_inside(x: f64, y: f64) -> f64 {
    #[differentiable(pullback = growth_pull::D)]
    fn growth(x: f64) -> f64 {
        x.exp()
    }
    #[differentiable]
    fn growth_pull(x: f64, y_bar: f64) -> f64 {
        y_bar * x.exp()
    }
    growth(x * y) * y
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number recursive_with_an_outer_name(by x: f64, by y: f64): [1.3, 0.7];
        number recursive_without_the_attribute(by x: f64, by y: f64): [1.3, 0.7];
        number outer_name(by x: f64, by y: f64): [1.3, 0.7];
        number recursive_over_a_slice(at x: Vec<f64>): [vec![1.3, 0.7, 0.4]];
        number outer_slice(at x: Vec<f64>): [vec![1.3, 0.7]];
        number rule_inside(by x: f64, by y: f64): [1.3, 0.7];
        number named_like_generated_code(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]];
        number named_like_generated_code_and_recursive(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]];
        number early_return(by x: f64, by y: f64): [0.7, 0.3] [0.2, 0.9];
        number behind_its_use(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number of_slices(at x: Vec<f64>, by k: f64): [vec![0.3, 1.2, -0.4], 1.1];
        number in_blocks(by x: f64, fixed up: bool): [0.6, true] [0.6, false];
        number of_several_values(by x: f64, by y: f64): [0.6, 0.3] [1.2, 0.8];
        number in_a_method(by x: f64, by y: f64): [0.6, 0.3];
        number that_call_themselves(at x: Vec<f64>, by t: f64): [vec![0.3, 0.7], 0.6];
    }
}
