//! What functions of published crates had that nobody here had thought of, made small.

use crate::check::{list, number};
use diffi::prelude::*;
use num_traits::Float;

const TABLE: &[f64] = &[2.5, -0.4, 0.7, 0.1];

/// A table of another module's, numbered: `(usize, &f64)`.
#[differentiable]
fn numbered_table(x: f64) -> f64 {
    let s = TABLE.iter().enumerate().skip(1).fold(TABLE[0], |s, t| s + t.1 / (x + t.0 as f64 - 0.5));
    s.ln() + TABLE.windows(2).map(|w| w[0] * x.powi(2) + w[1]).sum::<f64>()
}

/// As `polynomial` of coefficients has it.
#[differentiable]
fn polynomial(z: f64, coefficients: &[f64]) -> f64 {
    coefficients.iter().rev().fold(0_f64, |acc, val| acc * z + val)
}

#[differentiable]
fn of_a_table(z: f64) -> f64 {
    polynomial(z - 0.5, TABLE) / polynomial(z, &[1.0, 0.3])
}

/// A polynomial in two variables, as the equations of state of water and steam have it: rows of exponents and coefficients.
#[differentiable]
fn rows_of_exponents(a: f64, b: f64, rows: &[(i32, i32, f64)], steps: &[(usize, usize)]) -> f64 {
    let (mut value, mut slope) = (0.0, 0.0);
    for &(start, end) in steps {
        for &(i, j, n) in &rows[start..end] {
            let item = n * a.powi(i) * b.powi(j);
            value += item;
            slope += i as f64 * item;
        }
    }
    for e in rows {
        value += e.2 * e.0 as f64 * a.powi(e.0 - 1) * b.powi(e.1);
    }
    value + slope / a
}

const ROWS: [(i32, i32, f64); 3] = [(0, -2, 0.3), (1, 1, 0.7), (3, 2, -0.2)];

#[differentiable]
fn of_rows(a: f64, c: f64) -> f64 {
    let mine = [(1, 2, c * c), (2, 1, a.sin())];
    rows_of_exponents(a, 1.0 / a, &ROWS, &[(0, 1), (1, 3)]) + rows_of_exponents(c, a, &mine, &[(0, 2)])
}

/// An angle as hours, minutes and seconds: integers beside a float.
#[differentiable]
fn sexagesimal(degrees: f64) -> (i64, i64, f64) {
    let hours = degrees / 15.0;
    let hour = hours as i64;
    let minutes = (hours - (hour as f64)) * 60.0;
    let minute = minutes as i64;
    (hour, minute, (minutes - (minute as f64)) * 60.0)
}

#[differentiable]
fn left_with_a_count(x: f64, most: usize) -> (f64, f64, usize) {
    let mut y = x;
    for k in 0..most {
        if y > 2.0 {
            return (y, y * x, k);
        }
        y = y * y + 1.0;
    }
    (y, x, most)
}

#[differentiable]
fn beside_integers(x: f64) -> f64 {
    let (hour, minute, second) = sexagesimal(x * x);
    let (y, z, count) = left_with_a_count(x, 4);
    let mut sum = (0.01 * second).sin() * minute as f64 + hour as f64 * x;
    for k in 0..2 {
        let (_, _, s) = sexagesimal(y + k as f64);
        let (a, b, n) = left_with_a_count(x * 0.5, k + 1);
        sum += s * z * count as f64 + a * b * n as f64;
    }
    sum
}

/// Like the macros of the crate `approx`.
macro_rules! ulps_eq {
    ($a:expr, $b:expr) => {
        ulps_eq!($a, $b, epsilon = f64::EPSILON)
    };
    ($a:expr, $b:expr, epsilon = $epsilon:expr) => {
        ($a - $b).abs() <= $epsilon
    };
}

const EPSILON: f64 = 1e-14;

#[differentiable]
fn compared(x: f64, a: f64) -> f64 {
    let epsilon = a * a;
    let b = if x == 0.0 || ulps_eq!(x, 1.0, epsilon = EPSILON) { 0.0 } else { (a * x.ln()).exp() };
    if ulps_eq!(a, 0.7, epsilon = 0.5) { b * epsilon } else { b }
}

/// No `Default`, as errors mostly are.
#[derive(Clone, Debug, PartialEq)]
enum Failure {
    Negative(f64),
    Late { step: usize },
}

#[differentiable]
fn checked_root(x: f64) -> Result<f64, Failure> {
    if x < 0.0 {
        Err(Failure::Negative(x))
    } else if x > 1e3 {
        Err(Failure::Late { step: 7 })
    } else {
        Ok(x.sqrt())
    }
}

#[differentiable]
fn unwrapped(x: f64) -> f64 {
    checked_root(x * x + 1.0).unwrap()
}

#[differentiable]
fn mapped(a: f64, b: f64) -> Result<f64, Failure> {
    checked_root(a).and_then(|x| checked_root(b).map(|y| x * y.exp()))
}

/// An option that may be missing, in a branch.
#[differentiable]
fn picked(x: &[f64], i: usize) -> f64 {
    let found = if x.len() > 2 { x.get(i) } else { None };
    let twice = if x[0] > 0.0 { checked_root(x[1]).ok() } else { found.map(|v| v * v) };
    found.copied().unwrap_or(0.3) * twice.unwrap_or(x[0])
}

/// Errors inside loops and branches, whose data counts.
#[differentiable]
fn recovered(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (i, v) in x.iter().enumerate() {
        sum += match checked_root(v * v * v) {
            Ok(root) if i > 0 => root * v,
            Ok(root) => root,
            Err(_) => v * v * (i + 1) as f64,
        };
        sum *= 1.0 + 0.1 * v;
    }
    sum
}

/// An integer range of `u64` that is left early.
#[differentiable]
fn continued_fraction(x: f64, n: u64) -> Option<f64> {
    let max_iter = 100;
    let mut c = 1e100;
    let mut b = x + n as f64;
    let mut d = 1.0 / b;
    let mut h = d;
    for i in 1..max_iter + 1 {
        let a = -(i as f64) * (n as f64 - 1.0 + i as f64);
        b += 2.0;
        d = 1.0 / (a * d + b);
        c = b + a / c;
        let del = c * d;
        h *= del;
        if (del - 1.0).abs() < 1e-15 && i != n - 1 {
            return Some(h * (-x).exp());
        }
    }
    None
}

#[differentiable]
fn inclusive_and_left(x: f64) -> f64 {
    let mut sum = 0.0;
    let mut term = 1.0;
    for k in (1..=60).rev().step_by(3) {
        term *= x / (62 - k) as f64;
        sum += term * term.sin();
        if term.abs() < 1e-9 {
            break;
        }
    }
    for k in 1..=60_u64 {
        term = (term + x) / k as f64;
        sum += term;
        if term.abs() < 1e-9 {
            break;
        }
    }
    sum
}

/// A variable without a value, which gets one in a loop before that is left.
#[differentiable]
fn assigned_before_the_break(x: f64, y: f64) -> f64 {
    let mut next;
    let mut p = x;
    let mut step: u32;
    loop {
        let mut g = 1.0;
        loop {
            next = p - g * (p * p - y);
            step = 3;
            if next > 0.0 {
                break;
            }
            g /= 3.0;
        }
        if (next - p).abs() < 1e-13 {
            break;
        }
        p = next - (next * next - y) / (2.0 * next);
    }
    next * step as f64
}

/// Dawson's integral: all variables are declared in front, and most live in one branch.
#[differentiable]
fn declared_in_front(x: f64, h: f64) -> f64 {
    let n: u64;
    let (e2, folded, ans): (f64, f64, f64);
    let mut odd: f64;
    let mut e1: f64;
    let mut sum: f64;
    if x.abs() < 0.2 {
        ans = x * (1.0 - x * x * h);
    } else {
        n = 2 * (0.5 * x.abs() / 0.4 + 0.5) as u64;
        folded = x.abs() - n as f64 * h;
        e1 = (2.0 * folded * h).exp();
        e2 = e1 * e1;
        odd = n as f64 + 1.0;
        sum = 0.0;
        for i in 0..6 {
            odd += 2.0;
            e1 *= e2;
            sum += (-((2 * i + 1) as f64 * h).powi(2)).exp() * (e1 / odd + 1.0 / (odd * e1));
        }
        match n % 4 {
            0 => ans = (-folded * folded).exp() * sum,
            _ => ans = folded.sin() * sum * sum,
        }
    }
    ans
}

/// Parameters that are passed on as they are, in a struct whose name is not written as types are.
mod parameters {
    #![allow(non_camel_case_types)]
    use diffi::prelude::*;

    #[derive(Clone, Differentiable)]
    pub struct para {
        shift: f64,
        power: f64,
    }

    #[differentiable]
    pub fn reduced(p: f64, t: f64, with: para) -> f64 {
        (p - with.shift).powf(with.power) * t.ln()
    }

    #[differentiable]
    pub fn of_parameters(p: f64, t: f64) -> f64 {
        let with = para { shift: 0.085, power: 1.5 };
        reduced(p, t, with)
    }
}
use parameters::of_parameters;

/// The closure of `map` is run for its effect.
#[differentiable]
fn counted_for_the_effect<const N: usize, T: Float>(param: &[T; N], k: T) -> [T; N] {
    let mut out = [k; N];
    param.iter().zip(out.iter_mut()).map(|(x, o)| *o = k * x.powi(3) - *x).count();
    out
}

#[differentiable]
fn counted(x: &[f64]) -> f64 {
    let out = counted_for_the_effect(&[x[0], x[1], x[2]], x[3]);
    let mut rows = vec![vec![0.0; x.len()]; x.len()];
    x.iter().enumerate().map(|(i, v)| rows[i][i] = v * v * out[0]).count();
    let n = x.iter().map(|v| v * v).count();
    (0..n).map(|i| rows[i][i] * (i + 1) as f64).sum::<f64>() + out[1] * out[2]
}

/// An array that is mapped by passive numbers of a generic float.
#[differentiable]
fn picheny<T: Float>(param: &[T; 2]) -> T {
    let (n1, n2, n4) = (T::one(), T::from(2.0).unwrap(), T::from(4.0).unwrap());
    let [x1, x2] = param.map(|x| n4 * x - n2);
    (n1 + (x1 + x2 + n1).powi(2) * (n4 - n2 * (x1 + x2) + x1.powi(2)).powi(2)).log10()
}

#[differentiable]
fn of_picheny(x: &[f64]) -> f64 {
    picheny(&[x[0], x[1]])
}

/// Variants without fields, in braces and not, beside ones with fields.
#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Drag {
    No {},
    Off,
    Linear(f64),
    Yes { c: f64, d: Option<f64>, inner: Box<Drag> },
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Body {
    drag: Drag,
    mass: f64,
}

#[differentiable]
fn body(x: f64, mass: f64) -> Body {
    Body {
        drag: if x < 0.0 {
            Drag::No {}
        } else if x < 0.5 {
            Drag::Off
        } else if x < 1.0 {
            Drag::Linear(x)
        } else {
            let c = x * mass;
            Drag::Yes { c, d: None, inner: Box::new(if c > 3.0 { Drag::No {} } else { Drag::Linear(c * c) }) }
        },
        mass,
    }
}

#[differentiable]
impl Drag {
    fn force(&self, v: f64) -> f64 {
        match self {
            Drag::No {} | Drag::Off => 0.0,
            Drag::Linear(c) => c * v,
            Drag::Yes { c, inner, .. } => c * v * v + inner.force(v * c),
        }
    }
}

#[differentiable]
fn decelerated(x: f64, mass: f64, v: f64) -> f64 {
    let b = body(x, mass);
    v - b.drag.force(v) / b.mass
}

#[test]
fn variants_without_fields() {
    for at in [[-0.3, 1.2, 0.7], [0.3, 1.2, 0.7], [0.8, 1.2, 0.7], [1.3, 1.2, 0.7], [2.8, 1.2, 0.7]] {
        number!(decelerated::D, at, |x| (x[0], x[1], x[2]), |x| decelerated(x[0], x[1], x[2]));
    }
}

#[test]
fn tables_and_comparisons() {
    number!(numbered_table::D, [1.3], |x| x[0], |x| numbered_table(x[0]));
    number!(of_a_table::D, [0.8], |x| x[0], |x| of_a_table(x[0]));
    number!(beside_integers::D, [0.7], |x| x[0], |x| beside_integers(x[0]));
    number!(of_rows::D, [0.8, 1.3], |x| (x[0], x[1]), |x| of_rows(x[0], x[1]));
    number!(compared::D, [0.8, 0.9], |x| (x[0], x[1]), |x| compared(x[0], x[1]));
    number!(compared::D, [0.8, 1.9], |x| (x[0], x[1]), |x| compared(x[0], x[1]));
}

#[test]
fn errors_without_a_default() {
    number!(unwrapped::D, [0.8], |x| x[0], |x| unwrapped(x[0]));
    number!(mapped::D, [0.8, 1.3], |x| (x[0], x[1]), |x| mapped(x[0], x[1]).unwrap(), unwrapped);
    number!(recovered::D, [0.8, -0.4, 1.2, 0.3, -0.9], |x| x, |x| recovered(x));
    for at in [[0.8, 1.2, 0.3], [0.8, -1.2, 0.3], [-0.8, 1.2, 0.3]] {
        number!(picked::D, at, |x| (x, Constant(2)), |x| picked(x, 2));
        number!(picked::D, at, |x| (x, Constant(5)), |x| picked(x, 5));
    }
    assert_eq!(mapped(1.0, -1.0), Err(Failure::Negative(-1.0)));
    assert!(gradient(mapped::D, AutoReverse, (1.0, -1.0)).is_err());
}

#[test]
fn loops_that_are_left() {
    number!(continued_fraction::D, [1.7], |x| (x[0], Constant(3)), |x| continued_fraction(x[0], 3).unwrap(), unwrapped);
    number!(inclusive_and_left::D, [1.7], |x| x[0], |x| inclusive_and_left(x[0]));
    number!(assigned_before_the_break::D, [1.7, 0.6], |x| (x[0], x[1]), |x| assigned_before_the_break(x[0], x[1]));
    for x in [0.1, 1.7, 1.3, -0.9] {
        number!(declared_in_front::D, [x, 0.45], |x| (x[0], x[1]), |x| declared_in_front(x[0], x[1]));
    }
}

#[test]
fn parameters_in_a_struct() {
    number!(of_parameters::D, [0.9, 1.4], |x| (x[0], x[1]), |x| of_parameters(x[0], x[1]));
}

#[test]
fn closures_run_for_their_effect() {
    number!(counted::D, [0.8, -0.4, 1.2, 0.3], |x| x, |x| counted(x));
    number!(of_picheny::D, [0.3, 0.6], |x| x, |x| of_picheny(x));
    number!(counted_into_a_passive_vec::D, [0.8, -0.4, 1.2], |x| x, |x| counted_into_a_passive_vec(x));
    list!(moved_by::D, [0.3, 0.6, 0.2], |x| x, |x| moved_by(x));
}

/// The `Vec` carries nothing before it is written by the closure, and the value is used.
#[differentiable]
fn counted_into_a_passive_vec(x: &[f64]) -> f64 {
    let mut y = vec![0.0; x.len()];
    let n = y.iter_mut().zip(x).map(|(y, x)| *y = x * x).count();
    y[0] * y[1] + y[2] * n as f64
}

/// A mutable iterator that is run for its effect, and a sum whose terms are passive.
#[differentiable]
fn moved_by(x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    let n = y.iter_mut().map(|v| *v *= *v + 1.0).count();
    y[0] *= n as f64;
    y
}

/// As an oversampled delay line has it: a position in a buffer by a number's whole part, and casts to the parameter.
#[differentiable]
fn tapped<F: Float + num_traits::ToPrimitive>(data: &[F], at: F) -> F {
    let offset = at.floor().to_usize().unwrap_or(0) % data.len();
    let next = data[(offset + 1) % data.len()];
    let part = at.fract() as F;
    data[offset] + part * (next - data[offset]) + if at.to_i32() == Some(1) { part * part } else { part }
}

#[test]
fn whole_numbers_by_name() {
    number!(tapped::D, [0.3, 0.9, -0.4, 1.3], |x| (&x[..3], x[3]), |x| tapped(&x[..3], x[3]));
    number!(tapped::D, [0.3, 0.9, -0.4, 2.7], |x| (&x[..3], x[3]), |x| tapped(&x[..3], x[3]));
}

/// An error that lives as long as callers like, as `orbit::near_parabolic` of `astro` has it.
#[differentiable]
fn with_a_free_lifetime<'a>(t: f64, q: f64) -> Result<(f64, f64), &'a str> {
    if q < 0.0 {
        return Err("no convergence");
    }
    let message: &'a str = if t > 9.0 { "long" } else { "short" };
    Ok((t * q, q.sqrt() * message.len() as f64))
}

#[differentiable]
fn of_a_free_lifetime(x: &[f64]) -> f64 {
    let (a, b) = with_a_free_lifetime(x[0], x[1]).unwrap();
    a * b
}

/// The volatility of an option that may not be given, as `blackscholes` has it.
#[derive(Clone, Differentiable)]
struct Inputs {
    s: f64,
    t: f64,
    sigma: Option<f64>,
}

#[differentiable]
fn d1(inputs: &Inputs) -> Result<f64, String> {
    let sigma = inputs.sigma.ok_or("expected a volatility")?;
    let again = inputs.sigma.ok_or_else(|| format!("none at {}", inputs.t))?;
    Ok((inputs.s.ln() + again * sigma * inputs.t / 2.0) / (sigma * inputs.t.sqrt()))
}

#[differentiable]
fn of_inputs(x: &[f64]) -> f64 {
    let given = Inputs { s: x[0], t: x[1], sigma: Some(x[2]) };
    let none = Inputs { sigma: None, ..given.clone() };
    d1(&given).unwrap() * d1(&none).unwrap_or(x[0])
}

/// A trait of the crate's own that builds on floats, as `geo` has it, and casts to the parameter.
trait GeoFloat: Float + num_traits::FromPrimitive {}
impl<T: Float + num_traits::FromPrimitive> GeoFloat for T {}

#[differentiable]
fn angle<T: GeoFloat>(x: T, y: T) -> T {
    let two = T::from_f64(2.0).unwrap();
    (x * two).atan2(y.max(T::epsilon())) as T
}

#[test]
fn errors_and_floats_of_crates() {
    number!(of_a_free_lifetime::D, [0.3, 0.9], |x| x, |x| of_a_free_lifetime(x));
    number!(of_inputs::D, [1.3, 0.9, 0.4], |x| x, |x| of_inputs(x));
    number!(angle::D, [0.3, 0.9], |x| (x[0], x[1]), |x| angle(x[0], x[1]));
}
