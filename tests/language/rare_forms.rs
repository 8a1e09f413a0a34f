//! Forms that are rare, each of which one place of the front end alone takes care of.

use diffi::prelude::*;
use std::collections::VecDeque;

#[differentiable]
fn queue_of_constants(x: f64) -> f64 {
    let mut q: VecDeque<f64> = [1.0, 3.0].into_iter().collect();
    q.push_back(x);
    (q[0] + q[2]) * q.pop_back().unwrap()
}

#[differentiable]
fn constants_first(x: &[f64]) -> f64 {
    let c = [1.0];
    c.iter().chain(x.iter()).map(|v| v * v).sum::<f64>()
}

fn is_big(v: f64) -> bool {
    v > 1.0
}

#[differentiable]
fn right_of_and(x: f64, c: bool) -> f64 {
    if c && is_big(x * x) { x } else { x * x }
}

#[differentiable]
fn borrowed_constants(x: f64) -> f64 {
    let mut ks = vec![1];
    let r = &mut ks;
    r.push(2);
    let mut s = 1.0;
    for k in r {
        s *= x.powi(*k);
    }
    s
}

#[derive(Clone, Debug, Differentiable)]
struct Series {
    all: Vec<f64>,
}

impl Series {
    fn count(&self) -> usize {
        self.all.len()
    }
}

#[differentiable]
fn counted(all: &[f64], x: f64) -> f64 {
    let s = Series { all: all.to_vec() };
    let n = s.count() - 1;
    n as f64 * x * s.all[0]
}

#[differentiable]
fn two_lists(x: f64) -> f64 {
    let (mut v, mut w) = (vec![0.0; 2], Vec::new());
    v[1] = x;
    w.push(x);
    v[0] + v[1] * w[0]
}

#[derive(Clone, Debug, Differentiable)]
struct Counted {
    a: f64,
    n: usize,
}

#[differentiable]
fn counted_down(a: f64, xs: &[f64]) -> f64 {
    let p = Counted { a, n: 2 };
    let mut n = p.n;
    n -= 1;
    p.a * xs[n]
}

#[derive(Clone, Default, Debug, Differentiable)]
struct Pair {
    s: f64,
    t: f64,
}

#[differentiable]
fn made_and_changed(x: f64) -> f64 {
    let mut a = Pair::default();
    a.s = x;
    a.t = a.s * x;
    a.s * a.t
}

#[differentiable]
fn option_of_a_constant(x: f64) -> f64 {
    let mut o = Some(2.0);
    if x > 0.0 {
        o = Some(x * x);
    }
    o.take().unwrap() * x
}

fn twice(k: usize) -> usize {
    2 * k
}

#[differentiable]
fn applied_to_integers(x: f64) -> f64 {
    (1..3).map(twice).map(|k| k as f64 * x).sum::<f64>()
}

#[differentiable]
fn by_the_trait(x: &[f64]) -> f64 {
    <f64 as std::iter::Sum>::sum(x.iter().map(|v| v * v))
}

#[differentiable]
fn apply(g: impl Fn(f64) -> f64) -> f64 {
    g(2.0)
}

/// The derivative flows through what the function sees alone.
#[differentiable]
fn captured(x: f64) -> f64 {
    apply(|v| v * x)
}

#[differentiable]
fn list_of_blocks(x: f64) -> f64 {
    let a = [
        {
            let g = x * x;
            g
        },
        {
            let h = x + 1.0;
            h
        },
    ];
    let mut s = 1.0;
    for k in 0..2 {
        s *= a[k];
    }
    s
}

#[differentiable]
fn square(v: f64) -> f64 {
    v * v
}

#[differentiable]
fn cast_to_a_pointer(x: f64) -> f64 {
    let g = square as fn(f64) -> f64;
    g(g(x))
}

fn one() -> usize {
    1
}

fn same(k: usize) -> usize {
    k
}

#[differentiable]
fn reference_out_of_a_block(x: f64) -> f64 {
    let ks = [0, 1];
    let mut xs = [x, x * x];
    let w = {
        let n = ks.len();
        let m = one();
        &mut xs[n - m]
    };
    *w *= 2.0;
    xs[0] * xs[1]
}

#[differentiable]
fn read_as_an_argument(x: f64) -> f64 {
    let mut xs = [x, x * x];
    let w = {
        let m = one();
        &mut xs[same(m)]
    };
    *w *= 2.0;
    xs[0] * xs[1]
}

/// The length changes what the element was.
#[differentiable]
fn length_that_changes(x: f64) -> f64 {
    let mut s = x;
    let v = vec![
        s;
        {
            s *= 3.0;
            2
        }
    ];
    v[0] * s
}

#[differentiable]
fn last_member(x: f64) -> f64 {
    let (.., b) = (1.0, x, x * x);
    b
}

#[differentiable]
fn horner(x: &[f64]) -> f64 {
    let mut rest = x;
    let mut s = 0.0;
    while let [first, tail @ ..] = rest {
        s = s * 2.0 + first;
        rest = tail;
    }
    s
}

/// A loop at the end that returns as well as breaks.
#[differentiable]
fn returns_or_breaks(x: f64) -> f64 {
    let mut y = x;
    loop {
        y *= 2.0;
        if y > 8.0 {
            return y * y;
        }
        if y < 0.5 {
            break y;
        }
    }
}

#[differentiable]
fn list_of_constants(x: f64) -> Vec<f64> {
    for k in 0..2 {
        if x < k as f64 {
            return vec![1.0, 2.0];
        }
    }
    vec![x * x, x]
}

/// An iterator without an end.
struct Naturals(usize);

impl Iterator for Naturals {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.0 += 1;
        assert!(self.0 < 100, "too far");
        Some(self.0)
    }
}

#[differentiable]
fn first_large(x: f64) -> f64 {
    let mut n = 0;
    for k in Naturals(0) {
        n = k;
        if k * k > 5 {
            break;
        }
    }
    x * n as f64
}

#[derive(Clone, Debug, Differentiable)]
struct Mean {
    s: f64,
    n: f64,
}

#[differentiable]
impl Mean {
    fn push(&mut self, v: f64) {
        self.s += v;
        self.n += 1.0;
    }
}

#[differentiable]
fn mean_of(s: f64, x: f64) -> f64 {
    let mut m = Mean { s, n: 1.0 };
    m.push(x);
    m.s / m.n
}

#[differentiable]
fn pushed_in_a_closure(x: f64) -> f64 {
    let mut o = Some(vec![x]);
    let n = o.as_mut().map(|v| {
        v.push(x * x);
        v.len()
    });
    assert!(n.is_some());
    o.unwrap().iter().sum::<f64>()
}

/// A branch that may return within, and goes on.
#[differentiable]
fn goes_on(x: f64) -> f64 {
    let mut s = x;
    if x > 0.0 {
        if x > 5.0 {
            return x;
        }
        s *= x;
    }
    s * 3.0
}

/// The reference leads to the first element, though the next operand changes the index.
#[differentiable]
fn place_of_an_earlier_index(x: f64) -> f64 {
    let mut xs = [x, 1.0];
    let mut i = 0;
    let add = |r: &mut f64, v: f64| *r += v;
    add(&mut xs[i], {
        i += 1;
        x
    });
    xs[0] * xs[1]
}

#[differentiable]
fn taken_name(x: f64) -> f64 {
    const K: f64 = 7.0;
    const K_INSIDE1: f64 = 100.0;
    let a = {
        const K: f64 = 3.0;
        x * K + K_INSIDE1
    };
    a + x * K
}

#[differentiable]
fn count_of(x: &[f64]) -> f64 {
    fn count(v: &[f64]) -> usize {
        v.len()
    }
    let count = count(x);
    count as f64 * x[0]
}

#[differentiable]
fn read_by_a_closure(x: f64, n: usize) -> f64 {
    let k = n + 1;
    let f = |i: usize| i * k;
    let all: Vec<usize> = [1, 2].iter().copied().map(f).collect();
    all.iter().map(|i| *i as f64 * x).sum::<f64>()
}

#[differentiable]
fn changed_by_a_pattern(x: f64) -> f64 {
    let mut ks = (1, 2);
    let a = x.powi(ks.0);
    for k in [1, 2].iter() {
        match ks {
            (ref mut n, _) => *n += k,
        }
    }
    a * x.powi(ks.0)
}

/// A method without arguments that is no copy.
trait Doubled {
    fn doubled(&self) -> Vec<f64>;
}

impl Doubled for Vec<f64> {
    fn doubled(&self) -> Vec<f64> {
        self.iter().map(|v| 2.0 * v).collect()
    }
}

#[differentiable]
fn no_copy(x: f64) -> f64 {
    let w: Vec<f64> = vec![1.0, 2.0];
    let mut v: Vec<f64> = w.doubled();
    v[0] = x;
    v[0] * v[1]
}

#[differentiable]
fn set_to_none(x: f64) -> f64 {
    let mut level = Some(x);
    if x > 1.0 {
        level = None;
    }
    level.unwrap_or(x * x)
}

#[differentiable]
fn declared_index(x: f64, n: usize) -> f64 {
    let k;
    let mut i = 0;
    loop {
        if i >= n {
            k = i;
            break;
        }
        i += 1;
    }
    if k > 2 { x * x } else { x }
}

#[differentiable]
fn no_such_row(x: &[f64]) -> f64 {
    let rows: Vec<&[f64]> = x.chunks_exact(2).take(1).collect();
    rows[1][0] * x[0]
}

#[test]
#[should_panic(expected = "out of bounds")]
fn a_row_that_is_not_there() {
    let _ = gradient(no_such_row::D, AutoReverse, &[1.0, 2.0, 3.0, 4.0][..]);
}

#[differentiable]
fn has_to_be_there(x: f64) -> f64 {
    let mut o = None;
    if x > 0.0 {
        o = Some(x);
    }
    let Some(v) = o else { panic!("none of them") };
    v * v
}

#[test]
#[should_panic(expected = "none of them")]
fn what_has_to_be_there_is_missing() {
    let _ = gradient(has_to_be_there::D, AutoReverse, -1.0);
}

mod check {
    use super::*;
    use crate::check::rows;

    rows! {
        number queue_of_constants(by x: f64): [2.0];
        number constants_first(at x: Vec<f64>): [vec![2.0, 0.3]];
        number right_of_and(by x: f64, fixed c: bool): [2.0, true] [0.5, true] [2.0, false];
        number borrowed_constants(by x: f64): [2.0];
        number counted(at all: Vec<f64>, by x: f64): [vec![2.0, 3.0, 4.0], 5.0];
        number two_lists(by x: f64): [2.0];
        number counted_down(by a: f64, at xs: Vec<f64>): [3.0, vec![5.0, 7.0, 11.0]];
        number made_and_changed(by x: f64): [2.0];
        number option_of_a_constant(by x: f64): [2.0] [-2.0];
        number applied_to_integers(by x: f64): [2.0];
        number by_the_trait(at x: Vec<f64>): [vec![2.0, 3.0]];
        number captured(by x: f64): [3.0];
        number list_of_blocks(by x: f64): [2.0];
        number cast_to_a_pointer(by x: f64): [1.1];
        number reference_out_of_a_block(by x: f64): [2.0];
        number read_as_an_argument(by x: f64): [2.0];
        number length_that_changes(by x: f64): [2.0];
        number last_member(by x: f64): [2.0];
        number horner(at x: Vec<f64>): [vec![1.0, 2.0, 3.0]];
        number returns_or_breaks(by x: f64): [0.9] [0.1];
        list list_of_constants(by x: f64): [-1.0] [3.0];
        number first_large(by x: f64): [2.0];
        number mean_of(by s: f64, by x: f64): [1.0, 3.0];
        number pushed_in_a_closure(by x: f64): [2.0];
        number goes_on(by x: f64): [2.0] [6.0] [-1.0];
        number place_of_an_earlier_index(by x: f64): [2.0];
        number taken_name(by x: f64): [2.0];
        number count_of(at x: Vec<f64>): [vec![2.0, 5.0]];
        number read_by_a_closure(by x: f64, fixed n: usize): [2.0, 1];
        number changed_by_a_pattern(by x: f64): [1.3];
        number no_copy(by x: f64): [3.0];
        number set_to_none(by x: f64): [0.7] [1.4];
        number declared_index(by x: f64, fixed n: usize): [1.3, 1] [1.3, 4];
        number has_to_be_there(by x: f64): [2.0];
    }
}
