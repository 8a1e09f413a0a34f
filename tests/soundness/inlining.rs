//! Small functions that are inlined: names are those of the place where they stand, whatever the caller calls its own.

use crate::check::sound;
use diffi::prelude::*;

const G: f64 = 3.0;

/// A factor of the module.
fn factor() -> f64 {
    0.25
}

#[differentiable]
fn scaled(a: f64, b: f64) -> f64 {
    let t = a * G;
    t * b.sin() + t
}

#[differentiable]
fn swapped(x: &[f64]) -> f64 {
    // the arguments have the names of the other parameters
    let (a, b) = (x[0], x[1]);
    scaled(b, a) + scaled(a * b, x[2])
}

#[differentiable]
fn own_constant(x: &[f64]) -> f64 {
    const G: f64 = 100.0;
    scaled(x[0], x[1]) + G * x[2]
}

#[differentiable]
fn own_closure(x: &[f64]) -> f64 {
    let scaled = |a: f64, b: f64| a - b * b;
    scaled(x[0], x[1]) * x[2]
}

#[differentiable]
fn own_item(x: &[f64]) -> f64 {
    #[differentiable]
    fn scaled(a: f64, b: f64) -> f64 {
        a / (1.0 + b * b)
    }
    scaled(x[0], x[1]) * x[2]
}

#[differentiable]
fn own_import(x: &[f64]) -> f64 {
    use other::scaled;
    scaled(x[0], x[1]) * x[2]
}

mod other {
    use diffi::prelude::*;

    const G: f64 = -2.0;

    #[differentiable]
    pub fn scaled(a: f64, b: f64) -> f64 {
        (a * b).exp() * G
    }

    #[differentiable]
    pub fn within(x: &[f64]) -> f64 {
        scaled(x[0], x[1]) + super::scaled(x[1], x[2])
    }
}
use other::within;

/// A parameter that hides a function of the module, which the inlined function calls.
#[differentiable]
fn halved(a: f64) -> f64 {
    a * factor()
}

#[differentiable]
fn hidden_function(x: &[f64]) -> f64 {
    let factor = x[0] * x[1];
    halved(factor) * x[2] + factor
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += a[i] * b[i];
    }
    sum
}

#[differentiable]
fn parts_of_one(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[1], x[2]];
    for k in 0..3 {
        let s = dot(&v, &v);
        v[k] = v[k] / s.sqrt() + dot(&v[1..], &v[..2]);
    }
    v[0] * v[1] + v[2]
}

#[differentiable]
fn changing(mut a: f64, n: usize) -> f64 {
    for _ in 0..n {
        a = 1.0 + a * a / 4.0;
    }
    a
}

#[differentiable]
fn changed_copies(x: &[f64]) -> f64 {
    let mut t = x[0];
    for n in 0..3 {
        t = t * x[1] + changing(t, n);
    }
    t + changing(x[2], 2) * x[2]
}

#[differentiable]
fn pair(a: f64, b: f64) -> (f64, f64) {
    if a > b { (a * b, a) } else { (a - b, b * b) }
}

#[differentiable]
fn pairs(x: &[f64]) -> f64 {
    let (p, q) = pair(x[0], x[1]);
    let (r, s) = pair(q, p);
    pair(r, x[2]).0 * pair(s, x[2]).1
}

#[differentiable]
fn state(y: &[f64; 2], k: f64) -> [f64; 2] {
    [y[1], -k * y[0]]
}

#[differentiable]
fn steps(x: &[f64]) -> f64 {
    let mut y = [x[0], x[1]];
    for _ in 0..4 {
        let slope = state(&y, x[2]);
        y = [y[0] + 0.1 * slope[0], y[1] + 0.1 * slope[1]];
        let again = state(&std::array::from_fn(|i| y[i] + 0.05 * slope[i]), 2.0);
        y[1] += again[1] * x[0];
    }
    y[0] * y[1]
}

#[differentiable]
fn outer(a: f64) -> f64 {
    inner(a) * inner(a + 1.0)
}

#[differentiable]
fn inner(a: f64) -> f64 {
    a.tanh() + a
}

#[differentiable]
fn through_two(x: &[f64]) -> f64 {
    x.iter().map(|v| outer(*v) * inner(x[0])).sum()
}

#[differentiable]
fn down(a: f64, n: usize) -> f64 {
    if n == 0 { a } else { down(a * a, n - 1) + 1.0 }
}

#[differentiable]
fn recursive(x: &[f64]) -> f64 {
    down(x[0], 2) * x[1] + down(x[2], 1)
}

#[differentiable]
fn even(a: f64, n: usize) -> f64 {
    if n == 0 { a } else { odd(a * 1.5, n - 1) }
}

#[differentiable]
fn odd(a: f64, n: usize) -> f64 {
    if n == 0 { a * a } else { even(a - 0.5, n - 1) }
}

#[differentiable]
fn mutual(x: &[f64]) -> f64 {
    even(x[0], 3) * odd(x[1], 2) + x[2]
}

#[differentiable]
fn early(a: f64) -> f64 {
    if a > 1.0 {
        return a * a;
    }
    a.sqrt()
}

#[differentiable]
fn leaving(x: &[f64]) -> f64 {
    early(x[0]) * early(x[1]) + early(x[2])
}

#[cfg(debug_assertions)]
#[differentiable]
fn chosen(a: f64) -> f64 {
    a * a * a
}

#[cfg(not(debug_assertions))]
#[differentiable]
fn chosen(a: f64) -> f64 {
    a
}

#[differentiable]
fn conditional(x: &[f64]) -> f64 {
    chosen(x[0]) * chosen(x[1]) + x[2]
}

macro_rules! made {
    ($caller:ident $callee:ident $power:literal) => {
        #[differentiable]
        fn $callee(a: f64) -> f64 {
            a.powi($power)
        }
        #[differentiable]
        fn $caller(x: &[f64]) -> f64 {
            $callee(x[0]) * x[1] + $callee(x[2])
        }
    };
}
made!(cubes cube 3);
made!(fourths fourth 4);

#[differentiable]
fn named_by_a_macro(x: &[f64]) -> f64 {
    let inner = |a: f64| 5.0 * a;
    inner(x[0]) * x[1] + outer(x[2])
}

struct Spring {
    rest: f64,
}

#[differentiable(constant(self))]
impl Spring {
    fn energy(&self, x: &[f64]) -> f64 {
        let rest = self.rest;
        scaled(x[0] - rest, x[1]) + inner(x[2])
    }
}

#[differentiable]
fn of_a_method(x: &[f64]) -> f64 {
    let spring = Spring { rest: 0.3 };
    spring.energy(x)
}

#[differentiable]
fn constant_arguments(x: &[f64]) -> f64 {
    let k = 0.5_f64;
    scaled(k, k) * x[0] + scaled(x[1], k) + scaled(k, x[2])
}

/// Names of generated code, which items have in other functions.
#[differentiable]
fn total(a: &[f64], n: usize) -> f64 {
    let (mut value, mut count) = (0.0, 0);
    for k in 0..n {
        value += a[k] * a[count];
        count += 1;
    }
    value
}

#[differentiable]
fn names_of_generated_code(x: &[f64]) -> f64 {
    let inner = |v: f64| {
        let mut value = v;
        value *= v;
        value
    };
    total(x, 3) * inner(x[0]) + total(&[x[1], 2.0], 2)
}

#[differentiable]
fn kernel(r: f64, l: f64, n: f64) -> f64 {
    l.powi(2) * (-r * r / (2.0 * l.sqrt())).exp() + n.max(l).ln() * r
}

#[differentiable]
fn dotted(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(p, q)| p.sqrt() * q).sum()
}

#[differentiable]
fn ratio(v: [f64; 2], w: f64) -> f64 {
    v[0].sin() / w.exp() + v[1].powf(w)
}

#[differentiable]
fn whole(x: f64, n: u32, k: u8) -> f64 {
    x * n.pow(2) as f64 + x.powi(n as i32) * k.count_ones() as f64
}

const TABLE: [f64; 2] = [0.5, 2.0];

/// Numbers whose types only the parameters say.
#[differentiable]
fn literals(x: &[f64]) -> f64 {
    let k = 0.5;
    let (a, b) = (2.0, 1.5);
    kernel(x[0], k, a) + kernel(k, x[1], b) * x[2] + kernel(0.5, 2.0, 1.5) * x[0]
}

#[differentiable]
fn lists_of_literals(x: &[f64]) -> f64 {
    let (w, v) = ([0.5, 2.0], vec![0.5; 3]);
    let rows = [[1.0, 2.0], [0.3, 0.4]];
    let lists = dotted(&v, x) + dotted(&[1.0, 2.0], &x[1..]) * dotted(&TABLE, x);
    ratio(w, x[0]) + ratio(TABLE, x[1]) + rows.iter().map(|r| ratio(*r, 0.5) * x[2]).sum::<f64>() + lists
}

#[differentiable]
fn integers(x: &[f64]) -> f64 {
    let mut k = 1;
    let mut sum = 0.0;
    for v in x {
        sum += whole(*v, 3, 7) * whole(x[0], k, 2);
        k += 1;
    }
    sum
}

// checks and lists in what is inlined: messages that name parameters, names that the caller has for something else
#[differentiable]
fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "{a:?} and {b:?}");
    let mut sum = 0.0;
    for i in 0..a.len() {
        debug_assert!(i < b.len(), "{i} of {}", b.len());
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    sum
}

#[differentiable]
fn quotient(a: f64, b: f64) -> f64 {
    assert!(b != 0.0, "{a} / {b}");
    let parts = vec![a, a * b, 1.0];
    parts[0] / b + parts[1] * parts[2]
}

#[differentiable]
fn checks(x: &[f64]) -> f64 {
    let (a, b) = (x[1], &x[..2]);
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += distance(&x[i - 1..i + 1], b) * quotient(x[i], a + 3.0);
        assert!(sum.is_finite(), "{sum} at {i}, {a}");
    }
    sum * distance(b, &[a, x[0] * a])
}

sound!(checks swapped own_constant own_closure own_item own_import within hidden_function parts_of_one changed_copies pairs steps
    through_two recursive mutual leaving conditional cubes fourths named_by_a_macro of_a_method constant_arguments names_of_generated_code literals lists_of_literals integers);
