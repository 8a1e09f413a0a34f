//! Lists in fields that carry no derivative: walked along, changed, emptied and taken while other fields change.

#![allow(dead_code, unused, reason = "programs as people write them")]

/// Pairs of indices, of a struct whose other fields change.
mod pairs {
    use diffi::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    pub struct System {
        p: Vec<f64>,
        f: Vec<f64>,
        #[differentiable(constant)]
        pairs: Vec<(usize, usize)>,
    }
    #[differentiable]
    impl System {
        fn d(&self, i: usize, j: usize) -> f64 {
            self.p[i] - self.p[j]
        }
        fn forces(&mut self) {
            for &(i, j) in &self.pairs {
                let r = self.d(i, j);
                self.f[i] += r * r;
                self.f[j] -= r;
            }
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut s = System { p: x.to_vec(), f: vec![0.0; 2], pairs: vec![(0, 1), (1, 0)] };
        s.forces();
        s.f[0] * s.f[1]
    }
}

/// The same without the attribute.
mod undeclared_pairs {
    use diffi::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    pub struct System {
        p: Vec<f64>,
        f: Vec<f64>,
        pairs: Vec<(usize, usize)>,
    }
    #[differentiable]
    impl System {
        fn forces(&mut self) {
            for &(i, j) in &self.pairs {
                let r = self.p[i] - self.p[j];
                self.f[i] += r * r;
                self.f[j] -= r;
            }
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut s = System { p: x.to_vec(), f: vec![0.0; 2], pairs: vec![(0, 1), (1, 0)] };
        s.forces();
        s.f[0] * s.f[1]
    }
}

/// Events that are drained.
mod drained_events {
    use diffi::prelude::*;

    #[derive(Clone, Debug)]
    pub enum Event {
        Hit(usize, usize),
        Wall(usize),
    }
    #[derive(Clone, Debug, Differentiable)]
    pub struct World {
        v: Vec<f64>,
        #[differentiable(constant)]
        events: Vec<Event>,
    }
    #[differentiable]
    impl World {
        fn resolve(&mut self) {
            for ev in self.events.drain(..) {
                match ev {
                    Event::Hit(a, b) => {
                        self.v[a] *= self.v[b];
                    }
                    Event::Wall(i) => {
                        self.v[i] *= -0.5;
                    }
                }
            }
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut s = World { v: x.to_vec(), events: Vec::new() };
        s.events.push(Event::Hit(0, 1));
        s.resolve();
        s.events.push(Event::Wall(0));
        s.resolve();
        s.v[0] * s.v[1] + s.events.len() as f64
    }
}

/// Events that are walked along, taken, popped and cleared.
mod handled_events {
    use diffi::prelude::*;

    #[derive(Clone, Debug)]
    pub enum Event {
        Hit(usize, usize),
        Wall(usize),
    }
    #[derive(Clone, Debug, Differentiable)]
    pub struct World {
        v: Vec<f64>,
        #[differentiable(constant)]
        events: Vec<Event>,
    }
    #[differentiable]
    impl World {
        fn resolve(&mut self) {
            for ev in &self.events {
                match ev {
                    Event::Hit(a, b) => {
                        self.v[*a] *= self.v[*b];
                    }
                    Event::Wall(i) => {
                        self.v[*i] *= -0.5;
                    }
                }
            }
            self.events.clear();
        }
        fn resolve2(&mut self) {
            let events = std::mem::take(&mut self.events);
            for ev in events {
                match ev {
                    Event::Hit(a, b) => {
                        self.v[a] *= self.v[b];
                    }
                    Event::Wall(i) => {
                        self.v[i] *= -0.5;
                    }
                }
            }
        }
        fn resolve3(&mut self) {
            while let Some(ev) = self.events.pop() {
                match ev {
                    Event::Hit(a, b) => {
                        self.v[a] *= self.v[b];
                    }
                    Event::Wall(i) => {
                        self.v[i] *= -0.5;
                    }
                }
            }
        }
        fn resolve4(&mut self) {
            for i in 0..self.events.len() {
                match self.events[i] {
                    Event::Hit(a, b) => {
                        self.v[a] *= self.v[b];
                    }
                    Event::Wall(i) => {
                        self.v[i] *= -0.5;
                    }
                }
            }
            for ev in self.events.clone() {
                if let Event::Hit(a, _) = ev {
                    self.v[a] += 1.0;
                }
            }
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut s = World { v: x.to_vec(), events: Vec::new() };
        s.events.push(Event::Hit(0, 1));
        s.resolve();
        s.events.push(Event::Wall(0));
        s.resolve2();
        s.events.push(Event::Wall(0));
        s.resolve3();
        s.events.push(Event::Hit(0, 1));
        s.resolve4();
        s.v[0] * s.v[1] + s.events.len() as f64
    }
}

/// Elements that change, and lists that grow.
mod visits {
    use diffi::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    pub struct Counts {
        v: Vec<f64>,
        #[differentiable(constant)]
        visits: Vec<u32>,
        #[differentiable(constant)]
        w: Vec<f64>,
    }
    #[differentiable]
    impl Counts {
        fn visit(&mut self, i: usize) -> f64 {
            self.visits[i] += 1;
            self.w[i] *= 0.5;
            self.v[i] * self.visits[i] as f64 * self.w[i]
        }
        fn set(&mut self, w: f64, i: usize) {
            self.v[i] *= w;
            self.w.push(1.0);
            self.visits.resize(4, 0);
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut s = Counts { v: x.to_vec(), visits: vec![0; 2], w: vec![1.0, 2.0] };
        let a = s.visit(0);
        let b = s.visit(0) * s.visit(1);
        s.set(x[1], 0);
        a * b + s.visit(0) + s.w.iter().sum::<f64>()
    }
}

/// Indices that pops, drains and insertions move.
mod indices {
    use diffi::prelude::*;

    #[derive(Clone, Differentiable)]
    struct S {
        v: Vec<f64>,
        #[differentiable(constant)]
        idx: Vec<usize>,
        #[differentiable(constant)]
        w: Vec<f64>,
    }
    #[differentiable]
    impl S {
        fn step(&mut self) -> f64 {
            let a = self.v[self.idx[0]] * self.w[0];
            self.idx[0] = 1 - self.idx[0];
            self.w[0] *= 1.5;
            let k = self.idx[0];
            self.v[k] *= a;
            let last = self.idx.pop().unwrap();
            self.v[last] += a * a;
            self.idx.insert(0, last);
            for i in self.idx.drain(..) {
                self.v[i] *= self.w[i];
            }
            self.idx.extend([1, 0]);
            self.idx.push(0);
            self.idx.truncate(2);
            a
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut s = S { v: x.to_vec(), idx: vec![0, 1], w: vec![1.0, 2.0] };
        let mut t = 0.0;
        for _ in 0..3 {
            t += s.step();
        }
        t + s.v[0] * s.v[1]
    }
}

/// A list of which some elements are kept.
mod kept_by_a_number {
    use diffi::prelude::*;

    #[derive(Clone, Differentiable)]
    struct S {
        v: Vec<f64>,
        #[differentiable(constant)]
        w: Vec<f64>,
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut s = S { v: x.to_vec(), w: vec![1.0, 0.2, 0.5] };
        let t = x[1];
        s.w.retain(|a| *a > t);
        s.v[0] * s.w[0] * x[1] * s.w.len() as f64
    }
}

/// Nodes and weights, made in the constructor.
mod quadrature {
    use diffi::prelude::*;

    #[derive(Clone, Differentiable)]
    struct Rule {
        #[differentiable(constant)]
        nodes: Vec<f64>,
        #[differentiable(constant)]
        weights: Vec<f64>,
        scale: f64,
    }
    #[differentiable]
    impl Rule {
        fn gauss(scale: f64) -> Self {
            Rule { nodes: vec![-0.5, 0.5], weights: vec![1.0, 1.0], scale }
        }
        fn apply(&self, t: f64) -> f64 {
            let mut s = 0.0;
            for i in 0..self.nodes.len() {
                s += self.weights[i] * (self.nodes[i] * t).exp();
            }
            s * self.scale
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let r = Rule::gauss(x[0]);
        r.apply(x[1])
    }
}

/// Powers and counts of reactions.
mod reactions {
    use diffi::prelude::*;

    use std::collections::HashMap;
    #[derive(Clone, Debug, Differentiable)]
    pub struct Arrhenius {
        a: f64,
        ea: f64,
    }
    #[differentiable]
    impl Arrhenius {
        pub fn rate(&self, t: f64) -> f64 {
            self.a * (-self.ea / (8.314 * t)).exp()
        }
    }
    #[derive(Clone, Debug, Differentiable)]
    pub struct Reaction {
        #[differentiable(constant)]
        reactants: Vec<(usize, i32)>,
        #[differentiable(constant)]
        products: Vec<(usize, i32)>,
        k: Arrhenius,
    }
    #[derive(Clone, Debug, Differentiable)]
    pub struct Network {
        #[differentiable(constant)]
        n: usize,
        reactions: Vec<Reaction>,
    }
    #[differentiable]
    impl Network {
        fn rhs(&self, c: &[f64], t: f64) -> Vec<f64> {
            let mut dc = vec![0.0; self.n];
            for r in &self.reactions {
                let mut rate = r.k.rate(t);
                for &(i, order) in &r.reactants {
                    rate *= c[i].powi(order);
                }
                for &(i, nu) in &r.reactants {
                    dc[i] -= nu as f64 * rate;
                }
                for &(i, nu) in &r.products {
                    dc[i] += nu as f64 * rate;
                }
            }
            dc
        }
        fn integrate(&self, c0: &[f64], t: f64, steps: usize, dt: f64) -> Vec<f64> {
            let mut c = c0.to_vec();
            for _ in 0..steps {
                let k1 = self.rhs(&c, t);
                let mid: Vec<f64> = c.iter().zip(&k1).map(|(c, k)| c + 0.5 * dt * k).collect();
                let k2 = self.rhs(&mid, t);
                c.iter_mut().zip(k2.iter()).for_each(|(c, k)| *c += dt * k);
            }
            c
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let net = Network {
            n: 3,
            reactions: vec![
                Reaction {
                    reactants: vec![(0, 1), (1, 2)],
                    products: vec![(2, 1)],
                    k: Arrhenius { a: x[0], ea: 1000.0 * x[1] },
                },
                Reaction { reactants: vec![(2, 1)], products: vec![(0, 1)], k: Arrhenius { a: 0.3, ea: 500.0 } },
            ],
        };
        let c = net.integrate(&[1.0, x[0], 0.0], 300.0, 8, 0.1);
        c[2] + c[0] * c[1]
    }
}

/// Indices that may be there.
mod children {
    use diffi::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    pub struct Cell {
        mass: f64,
        com: [f64; 2],
        #[differentiable(constant)]
        children: [Option<usize>; 2],
        #[differentiable(constant)]
        leaf: bool,
    }
    #[derive(Clone, Debug, Default, Differentiable)]
    pub struct Tree {
        cells: Vec<Cell>,
    }
    #[differentiable]
    impl Tree {
        fn leaf(&mut self, mass: f64, p: [f64; 2]) -> usize {
            self.cells.push(Cell { mass, com: p, children: [None, None], leaf: true });
            self.cells.len() - 1
        }
        fn join(&mut self, a: usize, b: usize) -> usize {
            let (ma, mb) = (self.cells[a].mass, self.cells[b].mass);
            let m = ma + mb;
            let com = [
                (ma * self.cells[a].com[0] + mb * self.cells[b].com[0]) / m,
                (ma * self.cells[a].com[1] + mb * self.cells[b].com[1]) / m,
            ];
            self.cells.push(Cell { mass: m, com, children: [Some(a), Some(b)], leaf: false });
            self.cells.len() - 1
        }
        fn potential(&self, at: usize, p: &[f64; 2], theta: f64) -> f64 {
            let c = &self.cells[at];
            let d = ((c.com[0] - p[0]).powi(2) + (c.com[1] - p[1]).powi(2)).sqrt();
            if c.leaf || 1.0 / d < theta {
                return -c.mass / (d + 0.1);
            }
            let mut total = 0.0;
            for child in c.children.iter().flatten() {
                total += self.potential(*child, p, theta);
            }
            total
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut t = Tree::default();
        let a = t.leaf(1.0, [0.0, x[0]]);
        let b = t.leaf(x[1], [1.0, 0.0]);
        let c = t.leaf(0.5, [x[0], x[1]]);
        let ab = t.join(a, b);
        let root = t.join(ab, c);
        t.potential(root, &[3.0, 2.0], 0.1)
    }
}

/// Times with an enum.
mod plan {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Kind {
        Dose(f64),
        Rest,
    }
    #[derive(Clone, Debug, Differentiable)]
    pub struct Pk {
        ka: f64,
        ke: f64,
        gut: f64,
        blood: f64,
        #[differentiable(constant)]
        plan: Vec<(f64, Kind)>,
        #[differentiable(constant)]
        at: usize,
    }
    #[differentiable]
    impl Pk {
        fn advance(&mut self, dt: f64) {
            let a = self.gut * (1.0 - (-self.ka * dt).exp());
            self.gut -= a;
            self.blood = self.blood * (-self.ke * dt).exp() + a;
        }
        fn run(&mut self, end: f64) -> f64 {
            let mut t = 0.0;
            let mut auc = 0.0;
            while self.at < self.plan.len() && self.plan[self.at].0 < end {
                let (when, kind) = self.plan[self.at];
                self.advance(when - t);
                auc += self.blood * (when - t);
                t = when;
                if let Kind::Dose(d) = kind {
                    self.gut += d;
                }
                self.at += 1;
            }
            self.advance(end - t);
            auc + self.blood
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut p = Pk {
            ka: x[0],
            ke: x[1],
            gut: 1.0,
            blood: 0.0,
            plan: vec![(1.0, Kind::Dose(0.5)), (2.0, Kind::Rest), (2.5, Kind::Dose(1.0))],
            at: 0,
        };
        p.run(4.0)
    }
}

/// A map that becomes a field.
mod map {
    use diffi::prelude::*;

    use std::collections::BTreeMap;
    #[derive(Clone, Debug, Differentiable)]
    pub struct M {
        x: Vec<f64>,
        #[differentiable(constant)]
        index: BTreeMap<String, usize>,
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut index = BTreeMap::new();
        index.insert("N2".to_string(), 0);
        index.insert("O2".to_string(), 1);
        let m = M { x: x.to_vec(), index };
        m.x[m.index["O2"]] * m.x[0] * m.x[0]
    }
}

/// Text that becomes a field.
mod names {
    use diffi::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    pub struct M {
        x: Vec<f64>,
        #[differentiable(constant)]
        names: Vec<String>,
        #[differentiable(constant)]
        w: Vec<f64>,
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let names = vec!["a".to_string(), "b".to_string()];
        let w: Vec<f64> = (0..2).map(|i| i as f64 + 0.5).collect();
        let m = M { x: x.to_vec(), names, w };
        let i = m.names.iter().position(|n| n == "b").unwrap();
        m.x[i] * m.x[0] * m.w[1] + m.w[0]
    }
}

/// A struct that `default` makes.
mod mesh {
    use diffi::prelude::*;

    #[derive(Clone, Debug, Default, Differentiable)]
    pub struct Mesh {
        verts: Vec<f64>,
        #[differentiable(constant)]
        faces: Vec<[usize; 2]>,
    }
    #[differentiable]
    impl Mesh {
        fn vertex(&mut self, v: f64) -> usize {
            self.verts.push(v);
            self.verts.len() - 1
        }
        fn area(&self) -> f64 {
            let mut s = 0.0;
            for &[a, b] in &self.faces {
                s += self.verts[a] * self.verts[b];
            }
            s
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut m = Mesh::default();
        let a = m.vertex(x[0]);
        let b = m.vertex(x[1]);
        m.faces.push([a, b]);
        m.area() * x[0]
    }
}

/// Text in a field without the attribute.
mod undeclared_names {
    use diffi::prelude::*;

    #[derive(Clone, Differentiable)]
    struct Net {
        sizes: Vec<usize>,
        w: Vec<Vec<f64>>,
        names: Vec<String>,
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let n = Net { sizes: vec![2, 1], w: vec![vec![x[0], x[1]], vec![1.0]], names: vec![String::from("a")] };
        n.w[0][0] * n.w[0][1] * n.sizes[0] as f64 + n.w[1][0]
    }
}

/// Events that a function makes, walked along by value.
mod made_events {
    use diffi::prelude::*;

    #[derive(Clone, Debug)]
    pub enum Event {
        Hit(usize, usize),
        Wall(usize),
    }
    fn make() -> Vec<Event> {
        vec![Event::Hit(0, 1), Event::Wall(1)]
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        for ev in make() {
            match ev {
                Event::Hit(a, b) => {
                    v[a] *= v[b];
                }
                Event::Wall(i) => {
                    v[i] *= -0.5;
                }
            }
        }
        v[0] * v[1]
    }
}

/// The same from the end, with a guard.
mod reversed_events {
    use diffi::prelude::*;

    #[derive(Clone, Debug)]
    pub enum Event {
        Hit(usize, usize),
        Wall(usize),
    }
    fn make() -> Vec<Event> {
        vec![Event::Hit(0, 1), Event::Wall(1)]
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let list = make();
        for ev in list.into_iter().rev() {
            match ev {
                Event::Hit(a, b) if a != b => {
                    v[a] *= v[b];
                }
                Event::Wall(i) => {
                    v[i] *= -0.5;
                }
                _ => {}
            }
        }
        v[0] * v[1]
    }
}

use children::value as children_value;
use drained_events::value as drained_events_value;
use handled_events::value as handled_events_value;
use indices::value as indices_value;
use kept_by_a_number::value as kept_by_a_number_value;
use made_events::value as made_events_value;
use map::value as map_value;
use mesh::value as mesh_value;
use names::value as names_value;
use pairs::value as pairs_value;
use plan::value as plan_value;
use quadrature::value as quadrature_value;
use reactions::value as reactions_value;
use reversed_events::value as reversed_events_value;
use undeclared_names::value as undeclared_names_value;
use undeclared_pairs::value as undeclared_pairs_value;
use visits::value as visits_value;

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number pairs_value(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![0.93, 0.38]];
        number undeclared_pairs_value(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![0.93, 0.38]];
        number drained_events_value(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![0.93, 0.38]];
        number handled_events_value(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![0.93, 0.38]];
        number visits_value(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![0.93, 0.38]];
        number indices_value(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![0.93, 0.38]];
        number kept_by_a_number_value(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![0.93, 0.38]];
        number quadrature_value(at x: Vec<f64>): [vec![0.6, 1.1]] [vec![0.71, 1.26]];
        number reactions_value(at x: Vec<f64>): [vec![0.9, 0.3]] [vec![1.04, 0.38]];
        number children_value(at x: Vec<f64>): [vec![0.7, 0.5]] [vec![0.82, 0.6]];
        number plan_value(at x: Vec<f64>): [vec![0.9, 0.4]] [vec![1.04, 0.49]];
        number map_value(at x: Vec<f64>): [vec![0.6, 0.7]] [vec![0.71, 0.82]];
        number names_value(at x: Vec<f64>): [vec![0.6, 0.7]] [vec![0.71, 0.82]];
        number mesh_value(at x: Vec<f64>): [vec![0.6, 0.8]] [vec![0.71, 0.93]];
        number undeclared_names_value(at x: Vec<f64>): [vec![0.6, 1.1]] [vec![0.71, 1.26]];
        number made_events_value(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![0.93, 0.38]];
        number reversed_events_value(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![0.93, 0.38]];
    }
}
