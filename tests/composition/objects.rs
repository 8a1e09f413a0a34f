//! Traits behind `dyn`: parameters, lists and fields that hold objects, of methods with and without a body of the trait's own.

use crate::check::{close, list, number};
use diffi::prelude::*;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

#[differentiable]
trait Model {
    fn energy(&self, x: f64) -> f64;

    fn of(&self, x: &[f64], k: usize, s: f64) -> f64;

    fn force(&self, r: [f64; 2], q: &[f64; 2], up: bool) -> [f64; 2] {
        if up { [self.energy(r[0]) * q[1], r[1] * q[0] * q[0]] } else { [r[0], q[1] * r[1].sin()] }
    }

    fn twice(&self, x: f64) -> f64 {
        2.0 * self.energy(x * x)
    }

    fn name(&self) -> String {
        "model".into()
    }
}

#[derive(Clone, Differentiable)]
struct Spring {
    k: f64,
}

#[derive(Clone, Differentiable)]
struct Morse {
    depth: f64,
    width: f64,
}

#[differentiable]
impl Model for Spring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.k * x * x
    }

    fn of(&self, x: &[f64], k: usize, s: f64) -> f64 {
        x[k] * x[0].sin() * s * s
    }
}

#[differentiable]
impl Model for Morse {
    fn energy(&self, x: f64) -> f64 {
        let e = 1.0 - (-self.width * x).exp();
        self.depth * e * e
    }

    fn of(&self, x: &[f64], _k: usize, s: f64) -> f64 {
        x.iter().map(|v| v * v * v).sum::<f64>() * s
    }

    fn twice(&self, x: f64) -> f64 {
        3.0 * self.energy(x)
    }

    fn name(&self) -> String {
        "Morse".into()
    }
}

/// Without the attribute.
struct Wall;

impl Model for Wall {
    fn energy(&self, x: f64) -> f64 {
        x
    }

    fn of(&self, x: &[f64], _k: usize, _s: f64) -> f64 {
        x[0]
    }
}

const SPRING: Spring = Spring { k: 2.0 };
const MORSE: Morse = Morse { depth: 1.5, width: 0.7 };

fn models() -> [&'static dyn Model; 2] {
    [&SPRING, &MORSE]
}

fn boxes() -> Vec<Box<dyn Model>> {
    vec![Box::new(MORSE.clone()), Box::new(SPRING.clone()), Box::new(Spring { k: 0.3 })]
}

#[differentiable(constant(m))]
fn one(m: &dyn Model, x: &[f64]) -> f64 {
    m.energy(x[0]) * x[1] + m.energy(x[0] * x[1]) + m.energy(0.5) * x[0] + m.name().len() as f64 * x[1]
}

#[differentiable(constant(m))]
fn of_slices(m: &dyn Model, x: &[f64]) -> f64 {
    let y = [x[0] * x[1], x[1], x[0]];
    m.of(&y, 2, x[0]) + m.of(x, 1, x[1].exp()) + m.of(&[1.0, 2.0], 1, x[1]) + m.of(&x[1..], 0, 2.0)
}

#[differentiable(constant(m))]
fn of_arrays(m: &dyn Model, x: &[f64]) -> f64 {
    let f = m.force([x[0] * x[1], x[1]], &[x[1], x[0]], true);
    let g = m.force(f, &[x[1], f[0]], x[0] > 1e3);
    g[0] * g[1] + f[0] * m.twice(x[0] * f[1])
}

#[differentiable(constant(m))]
fn in_loops(m: &(dyn Model + Send + Sync), x: &[f64]) -> f64 {
    let mut s = x[0];
    for v in x {
        s = m.energy(s * v) + v;
        if s > 1.0 {
            s = m.force([s, *v], &[*v, 2.0], false)[1];
        }
    }
    s
}

#[differentiable(constant(m))]
fn shared(m: Arc<dyn Model>, x: &[f64]) -> f64 {
    x.iter().map(|v| m.energy(*v) * x[0]).sum()
}

#[differentiable(constant(m))]
fn counted(m: &Rc<dyn Model>, x: &[f64]) -> f64 {
    m.energy(m.energy(x[0]) * x[1])
}

#[differentiable(constant(m))]
fn boxed(m: &Box<dyn Model>, x: &[f64]) -> f64 {
    m.energy(x[0]).sin() + m.as_ref().twice(x[1])
}

#[differentiable(constant(ms))]
fn listed(ms: &[Box<dyn Model>], x: &[f64]) -> f64 {
    let sum = ms.iter().map(|m| m.energy(x[0])).sum::<f64>() * x[1];
    let mut s = x[1];
    for m in ms {
        s += m.energy(s * x[0]);
    }
    for i in 0..ms.len() {
        s += ms[i].energy(x[i % 2]) * ms[i].of(x, 1, s + x[0]);
    }
    for (i, m) in ms.iter().enumerate().rev() {
        let chosen = &ms[i];
        s *= m.twice(0.3 * x[i % 2]) + chosen.energy(x[0]).sin();
    }
    let first = ms.first().unwrap();
    let zipped = ms.iter().zip(x).map(|(m, v)| m.energy(*v).sin()).sum::<f64>();
    s + sum * zipped + first.energy(s).cos() + ms.iter().fold(x[0], |s, m| s * m.energy(x[1]))
}

#[differentiable(constant(ms))]
fn mapped(ms: &BTreeMap<String, Box<dyn Model>>, x: &[f64]) -> f64 {
    let last = match ms.get("c") {
        Some(m) => m.energy(x[1]),
        None => x[0] * x[0],
    };
    ms["a"].energy(x[0]) * x[1] + last
}

struct World {
    main: Box<dyn Model>,
    all: Vec<Box<dyn Model>>,
}

#[differentiable(constant(self))]
impl World {
    fn total(&self, x: f64, y: f64) -> f64 {
        let main = &self.main;
        main.energy(x) + self.all.iter().map(|m| m.energy(y)).sum::<f64>() * self.main.as_ref().energy(x * y)
    }
}

#[differentiable(constant(w))]
fn of_fields(w: &World, x: &[f64]) -> f64 {
    w.main.energy(x[0]) * w.all[1].energy(x[0] * x[1]) + w.total(x[0], x[1])
}

/// Boxes have the trait, too.
#[differentiable(constant(self))]
trait Cost: Send {
    fn cost(&self, x: f64) -> f64;
}

struct Square(f64);

#[differentiable(constant(self))]
impl Cost for Square {
    fn cost(&self, x: f64) -> f64 {
        self.0 * x * x
    }
}

#[differentiable(constant(self))]
impl Cost for Box<dyn Cost> {
    fn cost(&self, x: f64) -> f64 {
        self.as_ref().cost(x)
    }
}

#[differentiable(constant(c))]
fn of_any<C: Cost>(c: &C, x: f64) -> f64 {
    c.cost(x * x)
}

#[differentiable(constant(c))]
fn of_boxes(c: &Box<dyn Cost>, x: &[f64]) -> f64 {
    c.cost(x[0]) * of_any(c, x[1])
}

#[differentiable(constant(ms))]
fn gives_a_list(ms: &[Box<dyn Model>], x: &[f64]) -> Vec<f64> {
    ms.iter().flat_map(|m| m.force([x[0], x[1]], &[x[1], x[1]], true)).collect()
}

/// Objects that the function makes itself: the reverse sweep makes them once more, or finds them again.
#[differentiable]
fn own_list(x: &[f64]) -> f64 {
    let all: Vec<Box<dyn Model>> = vec![Box::new(Spring { k: 2.0 }), Box::new(Morse { depth: 1.0, width: 0.7 })];
    let [spring, morse] = [Spring { k: 3.0 }, Spring { k: 0.5 }];
    let chosen: &dyn Model = if x[0] > 0.5 { &spring } else { &morse };
    let matched: &dyn Model = match x.len() {
        2 => &morse,
        _ => &spring,
    };
    let mut s = chosen.energy(x[0] * x[1]) * matched.energy(x[1]);
    for (m, v) in all.iter().zip(x) {
        s += m.energy(v * s + x[1]);
    }
    s * x[0]
}

#[differentiable]
fn own_objects(x: &[f64]) -> f64 {
    let chosen: Box<dyn Model + Send + Sync> =
        if x[0] > 0.5 { Box::new(Spring { k: 3.0 }) } else { Box::new(Morse { depth: 1.0, width: 0.4 }) };
    let other: Rc<dyn Model> = Rc::new(Spring { k: 0.3 });
    let all: [&dyn Model; 2] = [&Spring { k: 3.0 }, &Morse { depth: 1.0, width: 0.4 }];
    let sum = all.iter().map(|m| m.energy(x[1])).sum::<f64>();
    chosen.energy(x[0] * x[1]) * other.energy(x[1]) + sum * one(chosen.as_ref(), x) + one(all[1], x)
}

/// Where the text shows the type behind the object, its fields may be active.
#[differentiable]
fn active_fields(x: &[f64]) -> f64 {
    let spring: Box<dyn Model> = Box::new(Spring { k: x[0] * x[1] });
    let morse = Morse { depth: x[1], width: x[0] };
    let model: &dyn Model = &morse;
    spring.energy(x[0]) * model.energy(x[1]) + model.twice(x[0])
}

#[test]
fn own() {
    for at in [[0.9, 0.8], [0.4, 0.7]] {
        number!(own_list::D, at, |x| x, |x| own_list(x));
        number!(own_objects::D, at, |x| x, |x| own_objects(x));
        number!(active_fields::D, at, |x| x, |x| active_fields(x));
    }
}

#[test]
fn objects() {
    for m in models() {
        number!(one::D, [0.9, 0.8], |x| (Constant(m), x), |x| one(m, x));
        number!(of_slices::D, [0.9, 0.8], |x| (Constant(m), x), |x| of_slices(m, x));
        number!(of_arrays::D, [0.9, 0.8], |x| (Constant(m), x), |x| of_arrays(m, x));
    }
    for m in [&SPRING as &(dyn Model + Send + Sync), &MORSE] {
        number!(in_loops::D, [0.9, 0.8, 1.3], |x| (Constant(m), x), |x| in_loops(m, x));
    }
}

#[test]
fn behind_pointers() {
    let shared_one: Arc<dyn Model> = Arc::new(MORSE.clone());
    number!(shared::D, [0.9, 0.8], |x| (Constant(shared_one.clone()), x), |x| shared(shared_one.clone(), x));
    let one: Rc<dyn Model> = Rc::new(MORSE.clone());
    number!(counted::D, [0.9, 0.8], |x| (Constant(&one), x), |x| counted(&one, x));
    for m in &boxes() {
        number!(boxed::D, [0.9, 0.8], |x| (Constant(m), x), |x| boxed(m, x));
    }
    let cost: Box<dyn Cost> = Box::new(Square(1.5));
    number!(of_boxes::D, [0.9, 0.8], |x| (Constant(&cost), x), |x| of_boxes(&cost, x));
}

#[test]
fn collections() {
    let all = boxes();
    number!(listed::D, [0.9, 0.8], |x| (Constant(&all[..]), x), |x| listed(&all, x));
    list!(gives_a_list::D, [0.9, 0.8], |x| (Constant(&all[..]), x), |x| gives_a_list(&all, x));
    let names = ["a", "b", "c"].map(String::from);
    let map: BTreeMap<String, Box<dyn Model>> = names.into_iter().zip(boxes()).collect();
    number!(mapped::D, [0.9, 0.8], |x| (Constant(&map), x), |x| mapped(&map, x));
    let w = World { main: Box::new(MORSE.clone()), all: boxes() };
    number!(of_fields::D, [0.9, 0.8], |x| (Constant(&w), x), |x| of_fields(&w, x));
}

/// One preparation serves objects of other types.
#[test]
fn prepared() {
    let x = [0.9, 0.8];
    let mut prepared = prepare_gradient(one::D, AutoReverse, (Constant(models()[0]), &x[..])).unwrap();
    for m in models() {
        let expected = gradient(one::D, AutoForward, (Constant(m), &x[..])).unwrap();
        close("prepared", &prepared.gradient((Constant(m), &x[..])).unwrap(), &expected, 1e-12);
    }
}

#[test]
#[should_panic(expected = "the implementation of `Model` behind this object gives no derivatives")]
fn without_the_attribute() {
    let m: &dyn Model = &Wall;
    let _ = gradient(one::D, AutoReverse, (Constant(m), &[0.9, 0.8][..]));
}
