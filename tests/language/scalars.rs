//! Scalars, tuples, arrays, patterns, shadowing, branches, `match`.

use diffi::prelude::*;

#[differentiable]
fn polynomial(x: f64, y: f64) -> f64 {
    3.0 * x * x * y - y / x + 2.0
}

#[differentiable]
fn squares_with_factors(x: f64, y: f64, c: f64) -> f64 {
    let energy = 0.5 * x * x - y * c * y;
    let mut v = x - y;
    let scaled = 3.0 * v;
    v = v * v;
    let late = scaled * v;
    let kept = c * v;
    let both = kept * v + kept;
    energy + late - both * (2.0 * y * y)
}

#[differentiable]
fn signs(x: f64, y: f64, z: f64) -> (f64, f64) {
    let a = x - (y - z * z);
    let b = -(a / y) - (z - a);
    let c = 1.0 - (b - a * z);
    let d = -c;
    (b * c - d, -(d + d) * (x - y * d))
}

#[differentiable]
fn shadowed(x: f64) -> f64 {
    let x = x * 2.0;
    let x = {
        let x = x + 1.0;
        x * x
    };
    let y = x.sqrt();
    let x = y * x;
    x + y
}

#[differentiable]
fn shadowed_in_a_loop(x: f64) -> f64 {
    let mut s = x;
    for k in 0..3 {
        let s2 = s * x;
        let x = s2 + k as f64;
        let s2 = x * x * 0.1;
        s = s2 - s;
    }
    s * x
}

#[differentiable]
fn block_values(x: f64, y: f64) -> f64 {
    let a = {
        let t = x * y;
        let u = { t + x };
        u * t
    };
    let b = if a > 1.0 {
        a.ln()
    } else if a > 0.0 {
        a
    } else {
        -a * x
    };
    a + b * { y * y }
}

#[differentiable]
fn branch_statements(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut b = y;
    if x > y {
        a *= b;
        b = a + 1.0;
    } else {
        b -= a * a;
        if b < 0.0 {
            a = b.exp();
        }
    }
    if a > 100.0 {
        return x;
    }
    a * b
}

#[differentiable]
fn early(x: f64, y: f64) -> f64 {
    if x > y {
        return x * y;
    }
    let z = x + y;
    if z < 0.0 {
        return -z * x;
    }
    z * z
}

#[differentiable]
fn by_match(x: f64, k: i32, flag: bool) -> f64 {
    match (k, flag) {
        (0, true) => x,
        (k, false) if k > 3 => x.powi(k) * 0.1,
        (1 | 2, _) => return x.sin(),
        _ => {
            let y = x * x;
            y + 1.0
        }
    }
}

#[differentiable]
fn match_on_the_value(x: f64) -> f64 {
    match x {
        v if v < 0.0 => -v * v,
        v if v < 1.0 => v * v * v,
        _ => x.sqrt(),
    }
}

#[differentiable]
fn tuple_pattern(p: (f64, f64), q: f64) -> (f64, f64) {
    let (a, b) = p;
    let (c, (d, e)) = (a * q, (b, q));
    (c * d + e, p.0 * p.1)
}

#[differentiable]
fn pattern_in_the_signature((a, b): (f64, f64), [c, d]: [f64; 2]) -> f64 {
    a * b + c * c * d - a * d
}

#[differentiable]
fn nested_result(x: f64, y: f64) -> (f64, [f64; 2], (f64, f64)) {
    let s = x * y;
    (s, [s + x, y.sin()], (s * s, 1.0))
}

#[differentiable]
fn exchange(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    for _ in 0..5 {
        (a, b) = (b, a + b * x);
    }
    std::mem::swap(&mut a, &mut b);
    let c = std::mem::replace(&mut a, b * b);
    a * c + b
}

#[differentiable]
fn constants(x: f64) -> f64 {
    use std::f64::consts::PI;
    const K: f64 = 2.5;
    let mut a = x * K;
    a /= PI;
    a -= K.sin();
    a * x
}

#[differentiable]
fn array_value(a: [f64; 3], w: f64) -> f64 {
    let [x, y, z] = a;
    let b = [x * y, y * z, w];
    let mut c = b;
    c[0] += c[1] * b[2];
    c[1] = c[0] * c[0];
    c[2] *= c[1] + b[0];
    c[0] + c[1] * a[2] + c[2]
}

#[differentiable]
fn array_mut_value(mut a: [f64; 3]) -> [f64; 3] {
    let first = a[0];
    a[0] = a[1] * a[2];
    a[1] += a[0];
    a[2] = first * a[1];
    a
}

#[differentiable]
fn matrix_value(m: [[f64; 2]; 2], v: [f64; 2]) -> [f64; 2] {
    let mut y = [0.0; 2];
    for i in 0..2 {
        for j in 0..2 {
            y[i] += m[i][j] * v[j];
        }
        y[i] *= y[i];
    }
    y
}

#[differentiable]
fn references(x: f64, y: &f64) -> f64 {
    let z = &x;
    let w = *z * *y;
    let r = &w;
    -r * y
}

#[differentiable]
fn mutable_reference(x: f64) -> f64 {
    let mut a = x;
    let b = a * a;
    {
        let r = &mut a;
        *r *= 3.0;
        *r += b;
    }
    a * b
}

#[differentiable]
fn late_values(x: f64, k: usize) -> f64 {
    let r;
    if k > 2 {
        r = x * 2.0;
    } else {
        r = x.exp();
    }
    let s = {
        let t;
        if x > 1.0 {
            t = x * r;
        } else {
            t = 2.0;
        }
        t
    };
    r * s
}

#[differentiable]
fn unused(x: f64, y: f64) -> f64 {
    let _a = x * y;
    let _ = y.sin();
    x * 2.0
}

#[differentiable]
fn constant_result(x: f64) -> f64 {
    let _y = x + 1.0;
    4.0
}

#[differentiable]
fn identity(x: f64) -> f64 {
    x
}

#[differentiable]
fn single_precision(x: f32, y: f32) -> f32 {
    let a = x * y + 0.5;
    (a.sin() * x).exp() - y / (1.0 + x * x)
}

#[differentiable]
fn clamps(x: f64, y: f64) -> f64 {
    x.clamp(-1.0, 1.0) * y + x.max(y) * x.min(0.3) + (x - y).abs() + x.powi(3).signum() * y.powf(1.5)
}

#[differentiable]
fn operators(x: f64, y: f64) -> f64 {
    let mut a = -x;
    a += y;
    a -= x * y;
    a *= a + 1.0;
    a /= y + 3.0;
    a + (x % 0.7) - -y + (-(x - y)).mul_add(x, y) + x.hypot(y) + y.atan2(x) + 1.0 / x + 2.0 - x.recip()
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number polynomial(by x: f64, by y: f64): [0.7, -1.3];
        number squares_with_factors(by x: f64, by y: f64, by c: f64): [0.7, -0.4, 1.3] [0.7, 0.7, 0.2];
        list signs(by x: f64, by y: f64, by z: f64): [0.7, -0.4, 1.3] [-0.3, 0.7, 0.2];
        number shadowed(by x: f64): [0.6];
        number shadowed_in_a_loop(by x: f64): [0.6];
        number block_values(by x: f64, by y: f64): [0.6, 0.8] [2.0, 1.1] [-0.3, 0.5];
        number branch_statements(by x: f64, by y: f64): [2.0, 1.5] [0.5, 2.0] [1.5, 2.0];
        number early(by x: f64, by y: f64): [2.0, 1.0] [-2.0, 1.0] [1.0, 2.0];
        number by_match(by x: f64, fixed k: i32, fixed flag: bool): [0.7, 0, true] [0.7, 5, false] [0.7, 2, true] [0.7, 7, true];
        number match_on_the_value(by x: f64): [-0.5] [0.5] [1.5];
        list tuple_pattern(by p: (f64, f64), by q: f64): [(0.3, 0.5), 1.2];
        number pattern_in_the_signature(by p: (f64, f64), by q: [f64; 2]): [(0.3, 0.5), [1.2, -0.4]];
        list nested_result(by x: f64, by y: f64): [0.4, 0.9];
        number exchange(by x: f64, by y: f64): [0.4, 0.9];
        number constants(by x: f64): [0.4];
        number array_value(by a: [f64; 3], by w: f64): [[0.4, -0.6, 1.1], 0.7];
        list array_mut_value(by a: [f64; 3]): [[0.4, -0.6, 1.1]];
        list matrix_value(by m: [[f64; 2]; 2], by v: [f64; 2]): [[[0.4, -0.6], [1.1, 0.2]], [0.5, 0.7]];
        number references(by x: f64, at y: f64): [0.4, 0.9];
        number mutable_reference(by x: f64): [0.4];
        number late_values(by x: f64, fixed k: usize): [1.4, 3] [0.4, 3] [1.3, 1];
        number unused(by x: f64, by y: f64): [0.4, 0.9];
        number constant_result(by x: f64): [0.4];
        number identity(by x: f64): [0.4];
        number single_precision(by x: f32, by y: f32): [0.4, 0.9];
        number clamps(by x: f64, by y: f64): [0.4, 0.9] [-1.4, 0.9];
        number operators(by x: f64, by y: f64): [0.4, 0.9];
    }
}
