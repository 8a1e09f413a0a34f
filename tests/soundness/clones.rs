//! Types with a `Clone` by hand: derivative code copies part by part, and says so where that `Clone` does something else.

use diffi::prelude::*;
use std::panic::catch_unwind;

#[derive(Differentiable)]
struct Squared {
    a: f64,
}

impl Clone for Squared {
    fn clone(&self) -> Squared {
        Squared { a: squared(self.a) }
    }
}

#[derive(Differentiable)]
struct Counted {
    a: Vec<f64>,
    copies: usize,
}

impl Clone for Counted {
    fn clone(&self) -> Counted {
        Counted { a: self.a.clone(), copies: self.copies + 1 }
    }
}

#[differentiable]
fn cloned(x: f64) -> f64 {
    let w = Squared { a: x };
    w.clone().a * w.a
}

/// `refused!`: functions that clone, each in both modes.
macro_rules! refused {
    ($($f:ident |$x:ident| $body:block)*) => {
        $(#[differentiable]
        fn $f($x: &[f64]) -> f64 $body)*

        #[test]
        fn other_numbers_are_refused() {
            $(refuses(stringify!($f), || gradient($f::D, AutoForward, &[1.5, 0.7][..]));
            refuses(stringify!($f), || gradient($f::D, AutoReverse, &[1.5, 0.7][..]));)*
            refuses("cloned", || derivative(cloned::D, AutoReverse, 1.5));
        }
    };
}

fn refuses<R>(name: &str, f: impl FnOnce() -> R + std::panic::UnwindSafe) {
    let panic = catch_unwind(f).err().unwrap_or_else(|| panic!("{name} is not refused"));
    assert!(panic.downcast_ref::<String>().is_some_and(|text| text.contains("D0505")), "{name}");
}

fn squared(a: f64) -> f64 {
    a * a
}

/// How many times something was cloned, in a field that can be compared, in one that cannot, and in a field's own type.
#[derive(Clone, Copy)]
enum Turn {
    First,
    Later,
}

#[derive(Differentiable)]
struct Turned {
    a: f64,
    #[differentiable(constant)]
    turn: Turn,
}

impl Clone for Turned {
    fn clone(&self) -> Turned {
        Turned { a: self.a, turn: Turn::Later }
    }
}

#[derive(Default)]
struct Tag {
    n: i32,
}

impl Clone for Tag {
    fn clone(&self) -> Tag {
        Tag { n: self.n + 1 }
    }
}

#[derive(Clone, Differentiable)]
struct Tagged {
    a: f64,
    #[differentiable(constant)]
    tag: Tag,
}

#[differentiable]
fn scaled(t: Tagged, k: f64) -> Tagged {
    Tagged { a: t.a * k, tag: t.tag }
}

/// A list that gets shorter, a nested count, and a count that changes only after the first copies.
#[derive(Differentiable)]
struct Shortened {
    a: f64,
    steps: Vec<usize>,
}

impl Clone for Shortened {
    fn clone(&self) -> Shortened {
        Shortened { a: self.a, steps: self.steps[1..].to_vec() }
    }
}

#[derive(Clone, Differentiable)]
struct Inner {
    b: f64,
    k: usize,
}

#[derive(Differentiable)]
struct Outer {
    inner: Vec<Inner>,
}

impl Clone for Outer {
    fn clone(&self) -> Outer {
        Outer { inner: self.inner.iter().map(|i| Inner { b: i.b, k: i.k + 1 }).collect() }
    }
}

#[derive(Differentiable)]
struct Lazily {
    a: f64,
    n: usize,
}

impl Clone for Lazily {
    fn clone(&self) -> Lazily {
        Lazily { a: self.a, n: self.n.saturating_sub(1) }
    }
}

/// `Copy`, but its clones are squares.
#[derive(Differentiable)]
struct Bits {
    a: f64,
}

impl Copy for Bits {}

impl Clone for Bits {
    fn clone(&self) -> Bits {
        Bits { a: self.a * self.a }
    }
}

/// The same numbers, in other rows.
#[derive(Differentiable)]
struct Rows {
    rows: Vec<Vec<f64>>,
}

impl Clone for Rows {
    fn clone(&self) -> Rows {
        Rows { rows: vec![self.rows.concat()] }
    }
}

#[derive(Differentiable)]
enum Switch {
    On,
    Off,
    Dimmed(f64),
}

impl Clone for Switch {
    fn clone(&self) -> Switch {
        match self {
            Switch::On => Switch::Off,
            Switch::Off => Switch::On,
            Switch::Dimmed(a) => Switch::Dimmed(*a),
        }
    }
}

#[differentiable]
fn light(s: &Switch, a: f64) -> f64 {
    match s {
        Switch::On => a * a,
        Switch::Off => a,
        Switch::Dimmed(b) => a * *b,
    }
}

/// By `clone_from` alone.
#[derive(Differentiable)]
struct Refilled {
    a: f64,
}

impl Clone for Refilled {
    fn clone(&self) -> Refilled {
        Refilled { a: self.a }
    }
    fn clone_from(&mut self, other: &Refilled) {
        self.a = other.a * other.a;
    }
}

#[derive(Clone, Differentiable)]
struct Holder {
    option: Option<Squared>,
    pair: [Squared; 2],
}

refused! {
    unwrapped |x| { Some(Squared { a: x[0] }).clone().unwrap().a * x[1] }
    mapped |x| { let o = Some(Squared { a: x[0] }); o.clone().map_or(0.0, |s| s.a) * x[1] }
    matched |x| {
        let o = if x[0] > 0.0 { Some(Squared { a: x[0] }) } else { None };
        match o.clone() { Some(s) => s.a * x[1], None => 0.0 }
    }
    bound |x| { let o = Some(Squared { a: x[0] }); let p = o.clone(); p.unwrap().a }
    lent |x| { let o = Some(Squared { a: x[0] }); o.as_ref().cloned().unwrap().a }
    other |x| { let o = Some(Squared { a: x[0] }); o.clone().or(o).unwrap().a }
    result |x| { let o: Result<Squared, i32> = Ok(Squared { a: x[0] }); o.clone().unwrap().a }
    boxed |x| { let o = Some(Box::new(Squared { a: x[0] })); o.clone().unwrap().a }
    member |x| { let t = (Squared { a: x[0] }, x[1]); t.clone().0.a }
    members |x| { let t = (Squared { a: x[0] }, x[1]); let (s, k) = t.clone(); s.a * k }
    nested |x| { let t = (Some(Squared { a: x[0] }), x[1]); let (s, k) = t.clone(); s.unwrap().a * k }
    by_path |x| { let s = Squared { a: x[0] }; Clone::clone(&s).a * x[1] }
    by_path_of_options |x| { let o = Some(Squared { a: x[0] }); Option::clone(&o).unwrap().a }
    by_name |x| { let v = [Squared { a: x[0] }, Squared { a: x[1] }]; v.iter().map(Squared::clone).map(|s| s.a).sum() }
    each |x| { let v = [Squared { a: x[0] }, Squared { a: x[1] }]; v.iter().cloned().map(|s| s.a).sum() }
    first |x| { let v = [Squared { a: x[0] }, Squared { a: x[1] }]; v.first().cloned().unwrap().a }
    element |x| { let v = vec![Squared { a: x[0] }]; v[0].clone().a }
    list |x| { let v = vec![Squared { a: x[0] }]; v.clone()[0].a }
    repeated |x| { vec![Squared { a: x[0] }; 2][1].a }
    filled |x| { let mut v = [Squared { a: x[0] }, Squared { a: x[1] }]; v.fill(Squared { a: x[1] }); v[0].a }
    appended |x| { let v = [Squared { a: x[0] }]; let mut w = vec![]; w.extend_from_slice(&v); w[0].a }
    field |x| {
        let s = || Squared { a: x[0] };
        let h = Holder { option: Some(s()), pair: [s(), s()] };
        h.option.clone().unwrap().a
    }
    whole |x| {
        let s = || Squared { a: x[0] };
        let h = Holder { option: None, pair: [s(), s()] };
        h.clone().pair[1].a
    }
    counted |x| {
        let w = Counted { a: x.to_vec(), copies: 0 };
        let v = w.clone();
        v.a[0] * w.a[1] * v.copies as f64
    }
    turned |x| {
        let s = Turned { a: x[0], turn: Turn::First };
        match s.clone().turn { Turn::First => s.a, Turn::Later => s.a * x[1] }
    }
    tag_moved |x| { let t = scaled(Tagged { a: x[0], tag: Default::default() }, x[1]); t.a.powi(t.tag.n) }
    tag_cloned |x| { let t = Tagged { a: x[0], tag: Default::default() }; let u = t.clone(); u.a.powi(u.tag.n) * t.a }
    shortened |x| { let s = Shortened { a: x[0], steps: vec![1, 2] }; let t = s.clone(); t.a * t.steps[0] as f64 * x[1] }
    nested_count |x| { let s = Outer { inner: vec![Inner { b: x[0], k: 1 }] }; let t = s.clone(); t.inner[0].b * t.inner[0].k as f64 }
    lazily |x| {
        let (mut s, mut sum) = (Lazily { a: x[0], n: 0 }, 0.0);
        for i in 0..3 {
            let t = s.clone();
            sum += t.a * t.n as f64 * x[1];
            s.n = i + 2;
        }
        sum
    }
    bits |x| { let s = Bits { a: x[0] }; let t = s.clone(); t.a * x[1] }
    bits_of_list |x| { let s = vec![Bits { a: x[0] }, Bits { a: x[1] }]; let t = s.clone(); t[0].a * t[1].a }
    rows |x| { let s = Rows { rows: vec![vec![x[0]], vec![x[1]]] }; let t = s.clone(); t.rows[0].len() as f64 * t.rows[0][0] }
    switched |x| {
        let s = if x[0] > 0.0 { Switch::On } else { Switch::Dimmed(x[1]) };
        let t = s.clone();
        light(&t, x[0])
    }
    refilled |x| { let s = vec![Refilled { a: x[0] }]; let mut t = vec![Refilled { a: x[1] }]; t.clone_from(&s); t[0].a * x[1] }
    from_zero |x| {
        let (mut s, mut sum) = (Squared { a: 0.0 * x[1] }, 0.0);
        for v in x {
            sum += s.clone().a;
            s.a += v;
        }
        sum
    }
}

/// Clones by hand that copy.
#[derive(Differentiable)]
struct Plain {
    a: Vec<f64>,
    n: usize,
    #[differentiable(constant)]
    scale: f64,
    #[differentiable(constant)]
    names: std::sync::Arc<Vec<String>>,
}

impl Clone for Plain {
    fn clone(&self) -> Plain {
        Plain { a: self.a.clone(), n: self.n, scale: self.scale, names: self.names.clone() }
    }
}

#[differentiable]
fn copied(x: &[f64]) -> f64 {
    let s = Plain { a: x.to_vec(), n: 2, scale: f64::NAN, names: Default::default() };
    let mut t = s.clone();
    t.a[0] *= x[1];
    t.a[0] * s.a[0] * t.n as f64 + vec![t; 2][1].a[1] * x[2]
}

/// A type whose `Clone` is derived may have constants that nothing compares.
#[derive(Clone, Differentiable)]
struct Drawn {
    a: f64,
    #[differentiable(constant)]
    turn: Turn,
}

#[differentiable]
fn drawn(x: &[f64]) -> f64 {
    let s = Drawn { a: x[0], turn: Turn::First };
    let t = s.clone();
    match t.turn {
        Turn::First => t.a * x[1] * s.a,
        Turn::Later => x[2],
    }
}

/// A value that carries no derivative is cloned as the function does.
#[differentiable]
fn passive(x: &[f64]) -> f64 {
    let s = Switch::On;
    let t = s.clone();
    light(&t, x[0]) * light(&Switch::Dimmed(x[1]), x[0]) * x[2]
}

crate::check::sound! { copied drawn passive }
