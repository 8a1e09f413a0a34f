//! Macros by example of the same file and of the function, as statements and as values: derivative code expands them as rustc does.

use diffi::prelude::*;

const K: f64 = 1.5;

fn scale() -> f64 {
    0.25
}

/// Values, with a constant of the module and with variables of the macro's own.
macro_rules! smooth {
    ($x:expr) => {{
        let t = $x;
        let s = t * t + K;
        s.sqrt() * scale()
    }};
}

macro_rules! horner {
    ($x:expr; $last:expr) => { $last };
    ($x:expr; $first:expr, $($rest:expr),+ $(,)?) => { $first + $x * horner!($x; $($rest),+) };
}

macro_rules! polynomial (
    ($x:expr, $coefficients:expr) => (
        $coefficients.iter().rev().fold(0.0, |sum, &c| $x * sum + c)
    );
);

macro_rules! nonnegative {
    ($x:expr, $y:expr) => {
        if $x < 0.0 {
            return $y;
        }
    };
}

macro_rules! let_mut {
    ($($v:ident),+ $(,)?) => { $(let mut $v = $v;)+ };
}

macro_rules! update {
    ($($place:expr => $e:expr),* $(,)?) => { $($place += $e * $place;)* };
}

macro_rules! swap_if {
    ($a:ident > $b:ident) => {
        if $a > $b {
            let t = $a;
            $a = $b;
            $b = t;
        }
    };
}

macro_rules! field {
    ($p:ident . $f:ident) => {
        $p.$f * $p.$f
    };
}

macro_rules! matrix {
    ($([$($x:expr),* $(,)?]),* $(,)?) => { [$([$($x),*]),*] };
}

/// Calls another macro with its own variable and with its caller's of the same name.
macro_rules! twice {
    ($t:expr) => {{
        let t = $t.sin();
        smooth!(t) * smooth!($t)
    }};
}

macro_rules! integer_power {
    ($x:expr, $n:literal) => {{
        let mut p = 1.0;
        for _ in 0..$n {
            p *= $x;
        }
        p
    }};
}

macro_rules! negated {
    ($n:literal, $x:expr) => {
        $n.abs() * $x
    };
}

#[differentiable]
fn values(x: f64, t: f64) -> f64 {
    smooth!(x + t) * 2.0 - smooth!(t) * t
}

#[differentiable]
fn hygiene(t: f64, s: f64) -> f64 {
    let p = t * s;
    let k = twice!(s) + p;
    k * integer_power!(p + s, 3)
}

#[differentiable]
fn recursion(x: f64, y: f64) -> f64 {
    horner!(x - y; 1.0, y, 3.0, x * y) * polynomial!(x, [1.0, 2.0, -0.5])
}

#[differentiable]
fn returns(x: f64, y: f64) -> f64 {
    nonnegative!(x, y * y);
    nonnegative!(x - y, x * x * y);
    (x * y).sin()
}

#[differentiable]
fn declared(x: f64, y: f64) -> f64 {
    let_mut!(x, y);
    swap_if!(x > y);
    x *= 2.0;
    x * x.exp() - y
}

#[differentiable]
fn places(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = x[0] * x[1];
    for i in 1..v.len() {
        update!(v[i] => v[i - 1], s => v[i]);
    }
    s + v[2]
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct P {
    a: f64,
    b: f64,
}

#[differentiable]
fn fields(a: f64, b: f64) -> f64 {
    let p = P { a, b: b * a };
    field!(p.a) * p.b + field!(p.b)
}

#[differentiable]
fn of_known(x: f64, y: f64) -> f64 {
    let v = vec![smooth!(x), y, smooth!(x * y)];
    assert!(smooth!(x) > 0.0);
    let m = matrix!([x, y], [x * y, 1.0]);
    v[0] * v[2] * m[0][1] + m[1][0] + negated!(-2.0f64, x)
}

#[differentiable]
fn inner(x: f64, y: f64) -> f64 {
    let k = x.cos();
    macro_rules! by {
        ($e:expr) => {
            $e * k + y
        };
    }
    let mut total = 0.0;
    macro_rules! add {
        ($($e:expr),*) => { $(total += by!($e);)* };
    }
    add!(x, x * y, y);
    total * by!(total)
}

#[differentiable]
fn in_loops(x: &[f64]) -> f64 {
    macro_rules! skip_small {
        ($v:expr) => {
            if $v < 0.1 {
                continue;
            }
        };
    }
    let mut s = 0.0;
    for i in 0..x.len() {
        skip_small!(x[i]);
        s += x[i].ln() * x[i];
    }
    s
}

mod within {
    use diffi::prelude::*;

    #[differentiable]
    pub fn from_above(x: f64, y: f64) -> f64 {
        integer_power!(x, 2) * horner!(y; x, 2.0, y)
    }
}
use within::from_above;

struct Curve {
    k: f64,
}

#[differentiable(constant(self))]
impl Curve {
    fn of_method(&self, x: f64) -> f64 {
        nonnegative!(x, -x * self.k);
        smooth!(x * self.k)
    }
}

#[differentiable]
fn methods(x: f64, y: f64) -> f64 {
    Curve { k: 2.0 }.of_method(x) * Curve { k: 3.0 }.of_method(y)
}

#[differentiable]
fn failing(x: f64, y: f64) -> Result<f64, String> {
    macro_rules! check {
        ($v:ident) => {
            if $v.is_nan() {
                return Err(String::from(stringify!($v)));
            }
        };
    }
    check!(x);
    check!(y);
    Ok(x * y.sin())
}

#[differentiable]
fn unwrapped(x: f64, y: f64) -> f64 {
    failing(x, y).unwrap() * x
}

/// The macro's `K` is the module's.
#[differentiable]
fn capitals(x: f64, c: f64) -> f64 {
    const L: f64 = 4.0;
    smooth!(x * L) * c * K
}

macro_rules! double {
    ($s:ident) => {{
        $s *= 2.0;
        true
    }};
}

#[differentiable]
fn changed(x: f64, y: f64) -> f64 {
    let mut s = x;
    assert!(double!(s));
    if !double!(s) { x } else { s * s * y }
}

macro_rules! declare {
    ($name:ident) => {
        const $name: f64 = 3.0;
    };
}

macro_rules! declare_without_a_name {
    () => {
        const K: f64 = 3.0;
    };
}

#[differentiable]
fn of_a_constant(x: f64, y: f64) -> f64 {
    declare!(L);
    L * x * y
}

#[differentiable]
fn of_a_constant_in_a_block(x: f64, y: f64) -> f64 {
    let a = K * x;
    let b = {
        declare_without_a_name!();
        K * x * y
    };
    a * b
}

#[differentiable]
fn defined_twice(x: f64, y: f64) -> f64 {
    macro_rules! factor {
        () => {
            3.0
        };
    }
    let a = x * factor!();
    macro_rules! factor {
        () => {
            4.0
        };
    }
    a * factor!() * y
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number values(by x: f64, by t: f64): [0.7, 1.2] [-0.3, 0.4];
        number hygiene(by t: f64, by s: f64): [0.7, 1.2] [-0.3, 0.4];
        number recursion(by x: f64, by y: f64): [0.7, 1.2] [-0.3, 0.4];
        number returns(by x: f64, by y: f64): [0.7, 1.2] [1.5, 0.4] [-0.3, 0.4];
        number declared(by x: f64, by y: f64): [0.7, 1.2] [1.5, 0.4];
        number places(at x: Vec<f64>): [vec![0.7, 1.2, -0.4]];
        number fields(by a: f64, by b: f64): [0.7, 1.2];
        number of_known(by x: f64, by y: f64): [0.7, 1.2];
        number inner(by x: f64, by y: f64): [0.7, 1.2];
        number in_loops(at x: Vec<f64>): [vec![0.7, 0.01, 1.4]];
        number from_above(by x: f64, by y: f64): [0.7, 1.2];
        number methods(by x: f64, by y: f64): [0.7, 1.2] [-0.7, 1.2];
        number unwrapped(by x: f64, by y: f64): [0.7, 1.2];
        number changed(by x: f64, by y: f64): [0.7, 1.2];
        number of_a_constant(by x: f64, by y: f64): [0.7, 1.2];
        number of_a_constant_in_a_block(by x: f64, by y: f64): [0.7, 1.2];
        number defined_twice(by x: f64, by y: f64): [0.7, 1.2];
        number capitals(by x: f64, by c: f64): [0.7, 1.2];
    }
}
