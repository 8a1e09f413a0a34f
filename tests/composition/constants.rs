//! Passive values of users' types, and what functions do with them: programs as enums, tables in structs, settings of layers.

use crate::check::number;
use diffi::prelude::*;
use std::collections::HashMap;

/// Neither of these types is `Clone`, and no derive stands on them.
enum Step {
    Push(usize),
    Add,
    Power(i32),
    Scale { by: f64, times: u8 },
}

/// The steps are there to the end: both sweeps match them.
#[differentiable]
fn machine(x: &[f64]) -> f64 {
    let program = [Step::Push(0), Step::Push(1), Step::Add, Step::Power(3), Step::Scale { by: 1.5, times: 2 }];
    let mut stack: Vec<f64> = Vec::new();
    for step in program.iter() {
        match step {
            Step::Push(i) => stack.push(x[*i]),
            Step::Power(n) => {
                if let Some(top) = stack.last_mut() {
                    *top = top.powi(*n);
                }
            }
            Step::Add => {
                let (b, a) = (stack.pop().unwrap(), stack.pop().unwrap());
                stack.push(a + b);
            }
            Step::Scale { by, times } => {
                let top = stack.pop().unwrap();
                stack.push(by * top * *times as f64);
            }
        }
    }
    stack.pop().expect("one result")
}

fn steps() -> Vec<Step> {
    vec![Step::Push(1), Step::Power(2), Step::Add, Step::Scale { by: 0.5, times: 1 }, Step::Push(0)]
}

/// They are made by a call: what was matched is kept.
#[differentiable]
fn made_by_a_call(x: &[f64]) -> f64 {
    let program = steps();
    let mut y = x[0];
    for step in &program {
        y = match *step {
            Step::Push(i) => y * x[i],
            Step::Add => y + y.sin(),
            Step::Power(n) => y.powi(n),
            Step::Scale { by, .. } if by > 1.0 => y * by,
            Step::Scale { by, times } => y + by * x[times as usize],
        };
    }
    y
}

#[differentiable]
fn called(x: &[f64]) -> f64 {
    machine(x) * made_by_a_call(x) + machine(&x[1..])
}

/// What a pattern binds and the arm changes is not what the reverse sweep would find.
#[differentiable]
fn changed_in_the_arm(x: &[f64]) -> f64 {
    let program = [(0usize, 2.0), (1, 3.0), (2, 0.5)];
    let mut y = x[0];
    for &step in program.iter() {
        match step {
            (mut k, w) if k < 2 => {
                k += 1;
                y *= x[k] * w;
                k += 1;
                y += x[k % 3] * y;
            }
            (k, w) => y = y * y * x[k] + w,
        }
    }
    y
}

enum Edge {
    Fixed(f64),
    Free,
}

struct Model {
    name: String,
    edges: [Edge; 2],
    weights: HashMap<usize, f64>,
}

impl Model {
    fn new(n: usize) -> Self {
        Model {
            name: "model".to_owned(),
            edges: [Edge::Fixed(2.0), Edge::Free],
            weights: (0..n).map(|k| (k, 0.5 + k as f64)).collect(),
        }
    }
}

/// A struct without `Clone` that a call makes: the two sweeps see one and the same.
#[differentiable]
fn modelled(x: &[f64]) -> f64 {
    let model = Model::new(2);
    let mut y = model.name.len() as f64;
    for (i, v) in x.iter().enumerate() {
        let weight = model.weights.get(&i).copied().unwrap_or(0.25);
        y += weight * v * v;
        match model.edges[i % 2] {
            Edge::Fixed(b) => y += b * v,
            Edge::Free => y *= v,
        }
    }
    y
}

#[differentiable]
fn modelled_twice(x: &[f64]) -> f64 {
    let mut y = 1.0;
    for k in 0..2 {
        y *= modelled(&x[k..]);
    }
    y
}

/// The same with `Clone`, kept in every iteration.
#[derive(Clone)]
struct Grid {
    width: usize,
    step: f64,
    name: String,
}

impl Grid {
    fn new(width: usize) -> Self {
        Grid { width, step: 1.0 / width as f64, name: "grid".to_owned() }
    }
    fn index(&self, i: usize, j: usize) -> usize {
        (i * self.width + j) % self.name.len()
    }
}

#[differentiable]
fn on_grids(x: &[f64]) -> f64 {
    let mut y = 0.0;
    for n in 1..4 {
        let grid = Grid::new(n);
        for i in 0..n {
            y += x[grid.index(i, 0)] * x[grid.index(0, i)].sin() * grid.step;
        }
        y = y * y;
    }
    y
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Activation {
    Tanh,
    Identity,
}

/// A constant field of a type that diffi knows nothing of.
#[derive(Clone, Debug, Differentiable)]
struct Layer {
    weights: Vec<f64>,
    bias: f64,
    #[differentiable(constant)]
    activation: Activation,
}

#[differentiable]
impl Layer {
    fn forward(&self, input: &[f64]) -> f64 {
        let z = self.weights.iter().zip(input).map(|(w, x)| w * x).sum::<f64>() + self.bias;
        match self.activation {
            Activation::Tanh => z.tanh(),
            Activation::Identity => z,
        }
    }
}

#[differentiable]
fn layers(x: &[f64]) -> f64 {
    let layers = vec![
        Layer { weights: vec![x[0], x[1]], bias: x[2], activation: Activation::Tanh },
        Layer { weights: vec![x[1], x[2]], bias: x[0], activation: Activation::Identity },
    ];
    let mut y = 0.3;
    for layer in &layers {
        y = layer.forward(&[y, 0.7]);
    }
    y
}

/// A struct without `Clone` in an array, which a function takes as a slice.
struct Reaction {
    inputs: Vec<(usize, u32)>,
    product: usize,
}

#[differentiable(constant(reactions))]
fn rates(c: &[f64], k: f64, reactions: &[Reaction], change: &mut [f64]) {
    change.fill(0.0);
    for reaction in reactions {
        let flux = reaction.inputs.iter().fold(k, |flux, &(s, order)| flux * c[s].powi(order as i32));
        for &(s, count) in &reaction.inputs {
            change[s] -= count as f64 * flux;
        }
        change[reaction.product] += flux;
    }
}

#[differentiable]
fn kinetics(x: &[f64]) -> f64 {
    let reactions =
        [Reaction { inputs: vec![(0, 1), (1, 2)], product: 2 }, Reaction { inputs: vec![(2, 1)], product: 0 }];
    let mut c = x[1..].to_vec();
    let mut change = vec![0.0; 3];
    for _ in 0..4 {
        rates(&c, x[0], &reactions, &mut change);
        for (c, d) in c.iter_mut().zip(&change) {
            *c += 0.05 * d;
        }
    }
    c[2] * c[2] + c[0] * reactions.len() as f64
}

/// Items of an iterator that only rustc knows: references to numbers.
#[differentiable]
fn weighted_by_a_set(x: &[f64]) -> f64 {
    let table: std::collections::BTreeMap<&str, f64> = [("a", 0.5), ("b", 2.0), ("c", -1.0)].into_iter().collect();
    table.values().zip(x.iter()).map(|(w, v)| w * v.sin() + v * w).sum()
}

#[differentiable]
fn cross(a: [f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Arrays of slices.
#[differentiable]
fn converted(x: &[f64]) -> f64 {
    let c = cross(x[..3].try_into().unwrap(), &x[3..6].try_into().expect("three"));
    let [p, q]: [f64; 2] = x[4..].try_into().unwrap();
    let all: [f64; 6] = x.try_into().unwrap();
    c.iter().sum::<f64>() * p + q * all[0]
}

/// What a lookup lends cannot be kept: it is looked up again.
#[differentiable]
fn weights_by_name(x: &[f64]) -> f64 {
    let names = ["a", "b", "c"];
    let mut weights: HashMap<&str, f64> = HashMap::new();
    for (n, v) in names.iter().zip([0.2, 0.3, 0.5]) {
        weights.insert(n, v);
    }
    let mut total = 0.0;
    for (i, n) in names.iter().enumerate() {
        if let Some(w) = weights.get(n) {
            total += w * x[i].exp();
        }
    }
    total.ln()
}

#[differentiable]
fn by_names_of_kinds(x: &[f64]) -> f64 {
    let kinds = vec![String::from("lin"), String::from("exp"), "sq3".to_string()];
    let mut t = 0.0;
    for (k, v) in kinds.iter().zip(x) {
        t += match k.as_str() {
            "lin" => 2.0 * v,
            "exp" => v.exp(),
            other => v.powi(other.len() as i32),
        };
    }
    t
}

#[test]
fn constants_of_users_types() {
    number!(machine::D, [1.2, 0.7], |p| p, |p| machine(p));
    number!(made_by_a_call::D, [1.2, 0.7], |p| p, |p| made_by_a_call(p));
    number!(called::D, [1.2, 0.7, 0.4], |p| p, |p| called(p));
    number!(changed_in_the_arm::D, [0.3, 1.2, 0.7], |p| p, |p| changed_in_the_arm(p));
    number!(modelled::D, [0.3, 0.7, -0.4], |p| p, |p| modelled(p));
    number!(modelled_twice::D, [0.3, 0.7, -0.4], |p| p, |p| modelled_twice(p));
    number!(on_grids::D, [0.3, 0.7, -0.4, 1.1], |p| p, |p| on_grids(p));
    number!(layers::D, [0.3, 0.7, -0.4], |p| p, |p| layers(p));
    number!(kinetics::D, [0.7, 1.0, 0.8, 0.1], |p| p, |p| kinetics(p));
    number!(weighted_by_a_set::D, [0.3, 0.7, -0.4], |p| p, |p| weighted_by_a_set(p));
    number!(converted::D, [0.1, 0.2, 0.7, 0.1, 1.1, 0.9], |p| p, |p| converted(p));
}

/// What a passive struct lends is walked over again.
#[derive(Clone, Copy)]
struct Data<'a> {
    x: &'a [f64],
    y: &'a [f64],
}

#[differentiable(constant(data))]
fn loss(w: &[f64], data: &Data<'_>) -> f64 {
    data.x.iter().zip(data.y).map(|(x, y)| (w[0] * x + w[1] - y).powi(2)).sum()
}

#[differentiable(constant(d))]
fn losses(w: &[f64], d: &[f64]) -> f64 {
    let y = [1.0, 2.0];
    let data = Data { x: d, y: &y };
    loss(w, &data) * loss(&w[..], &Data { x: &y, y: d })
}

#[test]
fn structs_that_borrow() {
    let d = [0.5, 1.5];
    number!(losses::D, [0.3, 0.8], |w| (w, Constant(&d[..])), |w| losses(w, &d));
}

#[test]
#[should_panic(expected = "4 numbers for an array of 3")]
fn slices_that_are_too_long() {
    #[differentiable]
    fn first(x: &[f64]) -> f64 {
        let a: [f64; 3] = x.try_into().unwrap();
        a[0]
    }
    let _ = gradient(first::D, AutoReverse, &[1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn what_is_looked_up_is_looked_up_again() {
    number!(weights_by_name::D, [0.1, 0.2, -0.3], |x| x, |x| weights_by_name(x));
    number!(by_names_of_kinds::D, [0.1, 0.2, -0.3], |x| x, |x| by_names_of_kinds(x));
}
