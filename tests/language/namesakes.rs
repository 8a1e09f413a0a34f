//! Methods of a user's types that are named like those of std, on all kinds of receivers; and std's methods beside them.

use diffi::prelude::*;

/// A grid: two indices.
#[derive(Differentiable)]
struct Grid {
    cells: Vec<f64>,
    cols: usize,
}

#[differentiable]
impl Grid {
    fn get(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.cols + j]
    }
    fn set(&mut self, i: usize, j: usize, v: f64) {
        self.cells[i * self.cols + j] = v;
    }
    fn smooth(&mut self, k: f64) {
        for i in 0..2 {
            let v = self.get(i, 0) * k + self.get(i, 1);
            self.set(i, 1, v);
        }
    }
}

#[differentiable]
fn grid_by_index(x: &[f64]) -> f64 {
    let mut g = Grid { cells: vec![x[0], x[1], x[2], x[0] * x[1]], cols: 2 };
    g.smooth(x[1]);
    g.set(0, 0, x[0] * x[2]);
    let mut s = 0.0;
    for i in 0..2 {
        for j in 0..2 {
            s += g.get(i, j) * g.get(j, i);
        }
    }
    s
}

/// A truncated power series, of a constant length.
#[derive(Clone, Copy, Differentiable)]
struct Series<const N: usize> {
    c: [f64; N],
}

#[differentiable]
impl<const N: usize> Series<N> {
    fn new(c: [f64; N]) -> Self {
        Series { c }
    }
    fn get(&self, k: usize) -> f64 {
        self.c[k]
    }
    fn first(&self) -> f64 {
        self.c[0]
    }
    fn last(&self) -> f64 {
        self.c[N - 1]
    }
    fn map(&self, k: f64) -> Self {
        let mut c = self.c;
        for v in c.iter_mut() {
            *v = *v * k + v.sin();
        }
        Series { c }
    }
    fn mul(&self, other: &Series<N>) -> Series<N> {
        let mut c = [0.0; N];
        for i in 0..N {
            for j in 0..N - i {
                c[i + j] += self.c[i] * other.c[j];
            }
        }
        Series { c }
    }
}

#[differentiable]
fn truncated_series(x: &[f64]) -> f64 {
    let a = Series::new([x[0], x[1], x[2]]);
    let b = a.map(x[1]);
    let p = a.mul(&b);
    p.first() * p.last() + p.get(1) + b.get(0) * a.last()
}

/// A stack whose `pop` gives a number.
#[derive(Clone, Differentiable)]
struct Stack {
    items: Vec<f64>,
}

#[differentiable]
impl Stack {
    fn new() -> Stack {
        Stack { items: Vec::new() }
    }
    fn push(&mut self, v: f64) {
        self.items.push(v);
    }
    fn pop(&mut self) -> f64 {
        self.items.pop().unwrap_or(0.0)
    }
    fn len(&self) -> usize {
        self.items.len()
    }
}

#[differentiable]
fn stack_of_numbers(x: &[f64]) -> f64 {
    let mut s = Stack::new();
    for v in x {
        s.push(v * v);
    }
    let a = s.pop();
    let b = s.pop();
    s.push(a * b);
    s.push(a + x[0]);
    let t = s.pop() * s.pop();
    t + s.len() as f64 * x[1]
}

/// A ring buffer.
#[derive(Differentiable)]
struct Ring {
    data: [f64; 4],
    head: usize,
}

#[differentiable]
impl Ring {
    fn push(&mut self, v: f64) {
        self.head = (self.head + 1) % 4;
        self.data[self.head] = v;
    }
    fn last(&self) -> f64 {
        self.data[self.head]
    }
    fn sum(&self) -> f64 {
        let mut s = 0.0;
        for v in &self.data {
            s += v;
        }
        s
    }
}

#[differentiable]
fn ring_buffer(x: &[f64]) -> f64 {
    let mut r = Ring { data: [0.0; 4], head: 0 };
    for v in x {
        r.push(*v * 2.0);
        let l = r.last();
        r.push(l * l);
    }
    r.last() * r.sum()
}

/// What a method copies of its receiver.
#[derive(Clone, Copy, Differentiable)]
struct Phase {
    a: f64,
    b: f64,
}

#[differentiable]
impl Phase {
    fn swap(&mut self) {
        let other = *self;
        self.a = other.b;
        self.b = other.a * other.b;
    }
    fn take(&mut self, k: f64) -> f64 {
        let old = *self;
        self.a = 0.5 * old.a;
        old.a * k
    }
    fn sum(&self) -> f64 {
        self.a + self.b * self.a
    }
}

#[differentiable]
fn copies_of_self(x: &[f64]) -> f64 {
    let mut p = Phase { a: x[0], b: x[1] };
    p.swap();
    let t = p.take(x[2]);
    p.sum() * t
}

/// Methods that change what a parameter leads to.
#[derive(Differentiable)]
struct Account {
    total: f64,
    n: f64,
}

#[differentiable]
impl Account {
    fn insert(&mut self, v: f64) {
        self.total += v * v;
        self.n += 1.0;
    }
    fn remove(&mut self, v: f64) -> f64 {
        self.total -= v;
        self.total
    }
    fn extend(&mut self, all: &[f64]) {
        for v in all {
            self.insert(*v);
        }
    }
    fn sum(&self) -> f64 {
        self.total / self.n
    }
}

#[differentiable]
fn fed_account(a: &mut Account, x: &[f64]) -> f64 {
    a.insert(x[0]);
    a.extend(x);
    a.remove(x[1])
}

#[differentiable]
fn accumulated(x: &[f64]) -> f64 {
    let mut a = Account { total: 0.0, n: 0.0 };
    let t = fed_account(&mut a, x);
    a.insert(t);
    a.sum() * t
}

/// Elements of a list, by index and in a loop.
#[derive(Clone, Differentiable)]
struct Unit {
    w: Vec<f64>,
    b: f64,
}

#[differentiable]
impl Unit {
    fn first(&self) -> f64 {
        self.w[0]
    }
    fn get(&self, k: usize) -> f64 {
        self.w[k] * self.b
    }
    fn push(&mut self, v: f64) {
        self.b += v;
    }
    fn len(&self) -> usize {
        self.w.len()
    }
}

#[differentiable]
fn elements_of_lists(x: &[f64]) -> f64 {
    let mut nodes: Vec<Unit> = vec![Unit { w: vec![x[0], x[1]], b: x[2] }, Unit { w: vec![x[1], x[2]], b: x[0] }];
    nodes[0].push(x[1]);
    let mut s = 0.0;
    for n in &nodes {
        for k in 0..n.len() {
            s += n.get(k);
        }
        s *= n.first();
    }
    s + nodes[1].get(0) * nodes[0].first()
}

/// Methods of what methods give, with names of adaptors.
#[derive(Clone, Copy, Differentiable)]
struct Triple {
    x: f64,
    y: f64,
    z: f64,
}

#[differentiable]
impl Triple {
    fn map(self, k: f64) -> Triple {
        Triple { x: self.x * k, y: self.y + k, z: self.z * self.x }
    }
    fn zip(self, o: Triple) -> Triple {
        Triple { x: self.x * o.x, y: self.y * o.y, z: self.z * o.z }
    }
    fn rev(self) -> Triple {
        Triple { x: self.z, y: self.y, z: self.x }
    }
    fn sum(self) -> f64 {
        self.x + 2.0 * self.y + 3.0 * self.z
    }
    fn min(self, o: Triple) -> Triple {
        Triple { x: self.x.min(o.x), y: self.y, z: self.z }
    }
}

#[differentiable]
fn chained_values(x: &[f64]) -> f64 {
    let a = Triple { x: x[0], y: x[1], z: x[2] };
    a.map(x[1]).zip(a.rev()).sum() + a.rev().min(a).map(2.0).sum()
}

/// A trait, its default, and a function that is generic over it.
#[differentiable]
trait Store {
    fn get(&self, k: usize) -> f64;
    fn insert(&mut self, k: usize, v: f64);
    fn fold(&self, z: f64) -> f64 {
        self.get(0) * z + self.get(1)
    }
}
#[derive(Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable]
impl Store for Pair {
    fn get(&self, k: usize) -> f64 {
        if k == 0 { self.a } else { self.b * self.a }
    }
    fn insert(&mut self, k: usize, v: f64) {
        if k == 0 { self.a = v } else { self.b = v }
    }
}

#[differentiable]
fn run_store<S: Store>(s: &mut S, v: f64) -> f64 {
    s.insert(0, v * v);
    s.get(1) + s.fold(v)
}

#[differentiable]
fn stored_by_a_trait(x: &[f64]) -> f64 {
    let mut p = Pair { a: x[0], b: x[1] };
    let t = p.get(1) * p.fold(x[2]);
    p.insert(1, t);
    run_store(&mut p, x[2]) + p.get(0)
}

/// A tuple struct.
#[derive(Clone, Copy, Differentiable)]
struct Jet([f64; 3]);

#[differentiable]
impl Jet {
    fn new(x: f64) -> Jet {
        Jet([x, 1.0, 0.0])
    }
    fn first(&self) -> f64 {
        self.0[0]
    }
    fn last(&self) -> f64 {
        self.0[2]
    }
    fn map(&self, f0: f64, f1: f64, f2: f64) -> Jet {
        let [_, b, c] = self.0;
        Jet([f0, f1 * b, f1 * c + f2 * b * b])
    }
    fn sin(&self) -> Jet {
        let a = self.first();
        self.map(a.sin(), a.cos(), -a.sin())
    }
    fn exp(&self) -> Jet {
        let e = self.first().exp();
        self.map(e, e, e)
    }
}

#[differentiable]
fn jet_of_numbers(x: &[f64]) -> f64 {
    let j = Jet::new(x[0]);
    let r = j.sin().exp();
    r.first() + x[1] * r.last() * j.exp().last()
}

/// A `map` of closures.
#[derive(Clone, Copy, Differentiable)]
struct Poly {
    c: [f64; 3],
}

#[differentiable]
impl Poly {
    fn map<F: Fn(f64) -> f64>(&self, g: F) -> Poly {
        Poly { c: [g(self.c[0]), g(self.c[1]), g(self.c[2])] }
    }
    fn fold(&self, x: f64) -> f64 {
        (self.c[2] * x + self.c[1]) * x + self.c[0]
    }
}

#[differentiable]
fn mapped_by_a_closure(x: &[f64]) -> f64 {
    let p = Poly { c: [x[0], x[1], x[2]] };
    p.map(|v| v * v).fold(x[0]) + p.fold(x[1])
}

/// Elements that a loop changes.
#[derive(Clone, Differentiable)]
struct Tank {
    h: f64,
}

#[differentiable]
impl Tank {
    fn fill(&mut self, v: f64) {
        self.h = self.h * v;
    }
    fn take(&mut self) -> f64 {
        let h = self.h;
        self.h = 1.0;
        h
    }
    fn get(&self) -> f64 {
        self.h * self.h
    }
}

#[differentiable]
fn changed_in_loops(x: &[f64]) -> f64 {
    let mut cells: Vec<Tank> = x.iter().map(|v| Tank { h: *v }).collect();
    for c in cells.iter_mut() {
        c.fill(x[1]);
    }
    let t = cells[0].take();
    let mut s = t;
    for c in &cells {
        s += c.get();
    }
    s * cells[1].get()
}

/// A queue.
#[derive(Differentiable)]
struct Queue {
    a: Vec<f64>,
}

#[differentiable]
impl Queue {
    fn push_back(&mut self, v: f64) {
        self.a.push(v);
    }
    fn pop_front(&mut self) -> f64 {
        self.a.remove(0)
    }
    fn front(&self) -> f64 {
        self.a[0]
    }
    fn is_empty(&self) -> bool {
        self.a.is_empty()
    }
}

#[differentiable]
fn own_queue(x: &[f64]) -> f64 {
    let mut q = Queue { a: vec![] };
    for v in x {
        q.push_back(v * x[0]);
    }
    let mut p = 1.0;
    while !q.is_empty() {
        let h = q.front();
        p = p * h + q.pop_front();
    }
    p
}

/// A `next` that is given something.
#[derive(Differentiable)]
struct Wave {
    s: f64,
}

#[differentiable]
impl Wave {
    fn next(&mut self, k: f64) -> f64 {
        self.s = self.s * k + 0.1;
        self.s
    }
    fn skip(&mut self, n: usize) {
        for _ in 0..n {
            self.s *= 0.9;
        }
    }
    fn peek(&self) -> f64 {
        self.s
    }
}

#[differentiable]
fn own_steps(x: &[f64]) -> f64 {
    let mut w = Wave { s: x[0] };
    let a = w.next(x[1]);
    w.skip(3);
    let b = w.next(x[2]);
    a * b + w.peek()
}

/// Fields, and elements of fields.
#[derive(Differentiable)]
struct Layers {
    layers: Vec<Dense>,
}
#[derive(Differentiable)]
struct Dense {
    w: Vec<f64>,
    b: f64,
}

#[differentiable]
impl Dense {
    fn get(&self, i: usize) -> f64 {
        self.w[i]
    }
    fn map(&self, x: f64) -> f64 {
        (self.get(0) * x + self.b).tanh()
    }
}

#[differentiable]
impl Layers {
    fn fold(&self, x: f64) -> f64 {
        let mut y = x;
        for l in &self.layers {
            y = l.map(y);
        }
        y
    }
    fn first(&self) -> f64 {
        self.layers[0].get(0)
    }
}

#[differentiable]
fn layers_of_fields(x: &[f64]) -> f64 {
    let n = Layers { layers: vec![Dense { w: vec![x[0]], b: x[1] }, Dense { w: vec![x[2]], b: x[0] }] };
    n.fold(x[1]) * n.first() + n.layers[1].map(x[0])
}

/// Parameters of closures.
#[derive(Clone, Copy, Differentiable)]
struct Place {
    x: f64,
    y: f64,
}

#[differentiable]
impl Place {
    fn sum(&self) -> f64 {
        self.x * self.y
    }
    fn get(&self, k: usize) -> f64 {
        if k == 0 { self.x } else { self.y }
    }
    fn rev(&self) -> Place {
        Place { x: self.y, y: self.x * 2.0 }
    }
}

#[differentiable]
fn in_closures(x: &[f64]) -> f64 {
    let pts = vec![Place { x: x[0], y: x[1] }, Place { x: x[1], y: x[2] }];
    let a: f64 = pts.iter().map(|p| p.sum()).sum();
    let b: f64 = pts.iter().map(|p| p.rev().get(1)).fold(0.0, |s, v| s + v * v);
    let c = pts.iter().map(|p| p.get(0)).sum::<f64>();
    a * b + c
}

/// What functions give.
#[derive(Differentiable)]
struct Rotor {
    w: f64,
    v: [f64; 3],
}

#[differentiable]
impl Rotor {
    fn mul(&self, o: &Rotor) -> Rotor {
        Rotor { w: self.w * o.w - self.v[0] * o.v[0], v: [self.w * o.v[0], self.v[1] * o.w, self.v[2] + o.v[2]] }
    }
    fn inverse(&self) -> Rotor {
        Rotor { w: self.w, v: [-self.v[0], -self.v[1], -self.v[2]] }
    }
    fn last(&self) -> f64 {
        self.v[2]
    }
    fn to_vec(&self) -> [f64; 3] {
        self.v
    }
}

#[differentiable]
fn rotor(a: f64, b: f64) -> Rotor {
    Rotor { w: a, v: [b, a * b, a + b] }
}

#[differentiable]
fn given_by_functions(x: &[f64]) -> f64 {
    let q = rotor(x[0], x[1]);
    let r = q.mul(&rotor(x[1], x[2])).inverse();
    let v = r.to_vec();
    r.last() * v[0] + rotor(x[2], x[0]).last()
}

/// A field of a field.
#[derive(Differentiable)]
struct Sheet {
    rows: Vec<Strip>,
}
#[derive(Differentiable)]
struct Strip {
    v: Vec<f64>,
}

#[differentiable]
impl Strip {
    fn get(&self, j: usize) -> f64 {
        self.v[j]
    }
    fn swap(&mut self, a: usize, b: usize) {
        self.v.swap(a, b);
        self.v[a] *= 2.0;
    }
}

#[differentiable]
impl Sheet {
    fn get(&self, i: usize) -> f64 {
        self.rows[i].get(0) + self.rows[i].get(1)
    }
    fn swap(&mut self, i: usize) {
        self.rows[i].swap(0, 1);
        self.rows.swap(0, 1);
    }
}

#[differentiable]
fn rows_of_fields(x: &[f64]) -> f64 {
    let mut g = Sheet { rows: vec![Strip { v: vec![x[0], x[1]] }, Strip { v: vec![x[2], x[0] * x[0]] }] };
    g.swap(0);
    let r = &g.rows[0];
    r.get(0) * g.get(1)
}

/// A reference to a local value; an own `pop` that gives an option.
#[derive(Differentiable)]
struct Heap {
    d: Vec<f64>,
}

#[differentiable]
impl Heap {
    fn push(&mut self, v: f64) {
        self.d.push(v);
        let n = self.d.len();
        if n > 1 && self.d[n - 1] > self.d[0] {
            self.d.swap(0, n - 1);
        }
    }
    fn peek(&self) -> f64 {
        self.d[0]
    }
    fn pop(&mut self) -> Option<f64> {
        if self.d.is_empty() { None } else { Some(self.d.remove(0)) }
    }
}

#[differentiable]
fn own_heap(x: &[f64]) -> f64 {
    let mut heap = Heap { d: Vec::new() };
    let h = &mut heap;
    h.push(x[0]);
    h.push(x[1]);
    h.push(x[2]);
    let top = h.peek();
    let mut s = top * 2.0;
    while let Some(v) = heap.pop() {
        s = s * v + 1.0;
    }
    s
}

/// Methods named like those that change vectors.
#[derive(Differentiable)]
struct Bag {
    v: Vec<f64>,
    k: f64,
}

#[differentiable]
impl Bag {
    fn extend(&mut self, other: &Bag) {
        for a in &other.v {
            self.v.push(a * self.k);
        }
    }
    fn truncate(&mut self, cut: f64) {
        for a in self.v.iter_mut() {
            if *a > cut {
                *a = cut;
            }
        }
    }
    fn sort(&mut self) {
        self.v.sort_by(|a, b| a.partial_cmp(b).unwrap());
    }
    fn resize(&mut self, k: f64) {
        self.k *= k;
    }
    fn clear(&mut self) {
        self.k = 1.0;
    }
    fn product(&self) -> f64 {
        self.v.iter().product::<f64>() * self.k
    }
}

#[differentiable]
fn own_bag(x: &[f64]) -> f64 {
    let mut a = Bag { v: vec![x[0], x[1]], k: x[2] };
    let b = Bag { v: vec![x[2]], k: 1.0 };
    a.extend(&b);
    a.truncate(x[0] * 2.0);
    a.sort();
    a.resize(x[1]);
    let p = a.product();
    a.clear();
    p + a.product()
}

/// Names of questions and of parts.
#[derive(Clone, Copy, Differentiable)]
struct Interval {
    a: f64,
    b: f64,
}

#[differentiable]
impl Interval {
    fn split_at(&self, t: f64) -> (Interval, Interval) {
        let m = self.a + t * (self.b - self.a);
        (Interval { a: self.a, b: m }, Interval { a: m, b: self.b })
    }
    fn len(&self) -> f64 {
        self.b - self.a
    }
    fn chain(&self, o: &Interval) -> Interval {
        Interval { a: self.a, b: o.b * 2.0 }
    }
    fn contains(&self, t: f64) -> bool {
        self.a <= t && t <= self.b
    }
}

#[differentiable]
fn own_segments(x: &[f64]) -> f64 {
    let s = Interval { a: x[0], b: x[1] * 3.0 };
    let (l, r) = s.split_at(x[2]);
    let c = l.chain(&r);
    if c.contains(x[0] - 100.0) { 0.0 } else { l.len() * r.len() + c.len() }
}

/// A builder, by value.
#[derive(Differentiable)]
struct Builder {
    a: f64,
    b: f64,
}

#[differentiable]
impl Builder {
    fn new() -> Self {
        Builder { a: 1.0, b: 0.5 }
    }
    fn step_by(mut self, a: f64) -> Self {
        self.a = a;
        self
    }
    fn take(mut self, b: f64) -> Self {
        self.b = b * self.a;
        self
    }
    fn product(self) -> f64 {
        self.a * self.b
    }
}

#[differentiable]
fn own_builder(x: &[f64]) -> f64 {
    Builder::new().step_by(x[0]).take(x[1]).product() + Builder::new().take(x[2]).product()
}

/// Calls in the arms of a `match`.
#[derive(Differentiable)]
struct Registers {
    v: [f64; 3],
    n: usize,
}

#[differentiable]
impl Registers {
    fn push(&mut self, x: f64) {
        self.v[self.n] = x;
        self.n += 1;
    }
    fn pop(&mut self) -> f64 {
        self.n -= 1;
        self.v[self.n]
    }
    fn last(&self) -> f64 {
        self.v[self.n - 1]
    }
}

#[differentiable]
fn evaluated(x: f64, y: f64) -> f64 {
    let mut r = Registers { v: [0.0; 3], n: 0 };
    for op in 0..5 {
        match op {
            0 => r.push(x),
            1 => r.push(y),
            2 => {
                let b = r.pop();
                let a = r.pop();
                r.push(a * b)
            }
            3 => r.push(x * x),
            _ => {
                let b = r.pop();
                let a = r.last();
                r.push(a + b.sin());
            }
        }
    }
    r.last()
}

#[differentiable]
fn registers(x: &[f64]) -> f64 {
    evaluated(x[0], x[1]) * evaluated(x[2], x[0])
}

/// Contents of options.
#[derive(Clone, Copy, Differentiable)]
struct Ray {
    o: f64,
    d: f64,
}
#[derive(Differentiable)]
struct Scene {
    balls: Vec<f64>,
}

#[differentiable]
impl Scene {
    fn find(&self, r: &Ray) -> Option<f64> {
        let mut best = None;
        for b in &self.balls {
            let t = (b - r.o) / r.d;
            if t > 0.0 {
                best = Some(t);
            }
        }
        best
    }
    fn first(&self, r: &Ray) -> Option<Ray> {
        let t = self.find(r)?;
        Some(Ray { o: r.o + t * r.d * 0.5, d: r.d * t })
    }
}

#[differentiable]
impl Ray {
    fn map(&self, t: f64) -> f64 {
        self.o + t * self.d
    }
    fn rev(self) -> Ray {
        Ray { o: self.o, d: -self.d }
    }
}

#[differentiable]
fn own_rays(x: &[f64]) -> f64 {
    let s = Scene { balls: vec![x[0] + 2.0, x[1] + 3.0] };
    let r = Ray { o: x[2], d: x[0] };
    let mut out = 0.0;
    if let Some(t) = s.find(&r) {
        out += r.map(t);
    }
    if let Some(q) = s.first(&r) {
        out *= q.rev().map(x[1]);
    }
    match s.first(&r) {
        Some(q) => out + q.map(0.5),
        None => out,
    }
}

/// A field of a generic type that has a trait.
#[differentiable]
trait Response {
    fn get(&self, x: f64) -> f64;
}
#[derive(Differentiable)]
struct Linear {
    a: f64,
}

#[differentiable]
impl Response for Linear {
    fn get(&self, x: f64) -> f64 {
        self.a * x * x
    }
}
#[derive(Differentiable)]
struct Doubled<R: Response> {
    r: R,
    b: f64,
}

#[differentiable]
impl<R: Response> Doubled<R> {
    fn map(&self, x: f64) -> f64 {
        self.r.get(self.r.get(x)) * self.b
    }
    fn last(&self) -> f64 {
        self.b
    }
}

#[differentiable]
fn wrapped_rule(x: &[f64]) -> f64 {
    let t = Doubled { r: Linear { a: x[0] }, b: x[1] };
    t.map(x[2]) * t.last()
}

/// Variables of one name, of an own type and of std's.
#[derive(Differentiable)]
struct Samples {
    v: Vec<f64>,
}

#[differentiable]
impl Samples {
    fn get(&self, k: usize) -> f64 {
        self.v[k] * 3.0
    }
    fn iter_sum(&self) -> f64 {
        self.v.iter().sum()
    }
    fn last(&self) -> f64 {
        self.v[0]
    }
}

#[differentiable]
fn own_and_std(x: &[f64]) -> f64 {
    let v = Samples { v: x.to_vec() };
    let a = v.get(0) + v.last();
    let v = v.v;
    let b = v.get(1).copied().unwrap_or(0.0) + v.last().unwrap();
    let v = Samples { v };
    a * b * v.get(2) * v.iter_sum()
}

/// Methods of one name, of which one changes its receiver.
#[derive(Differentiable)]
struct Reservoir {
    s: f64,
}
#[derive(Differentiable)]
struct Valve {
    s: f64,
}

#[differentiable]
impl Reservoir {
    fn push(&mut self, v: f64) -> f64 {
        self.s += v;
        self.s * v
    }
    fn take(self) -> f64 {
        self.s
    }
}

#[differentiable]
impl Valve {
    fn push(&self, v: f64) -> f64 {
        self.s * v
    }
    fn take(&mut self) -> f64 {
        let s = self.s;
        self.s = 0.5;
        s
    }
}

#[differentiable]
fn by_value_and_by_reference(x: &[f64]) -> f64 {
    let mut a = Reservoir { s: x[0] };
    let mut b = Valve { s: x[1] };
    let p = a.push(x[2]);
    let q = b.push(p);
    let r = b.take() * b.push(x[0]);
    let t = a.push(q);
    t * r + a.take() + b.take()
}

/// Members of what adaptors give.
#[derive(Clone, Copy, Differentiable)]
struct Charge {
    m: f64,
    q: f64,
}

#[differentiable]
impl Charge {
    fn dot(&self, o: &Charge) -> f64 {
        self.m * o.q
    }
    fn sum(&self) -> f64 {
        self.m + self.q
    }
    fn get(&self, k: usize) -> f64 {
        if k == 0 { self.m } else { self.q }
    }
}

#[differentiable]
fn zipped_in_closures(x: &[f64]) -> f64 {
    let a = [Charge { m: x[0], q: x[1] }, Charge { m: x[2], q: x[0] }];
    let b = vec![a[1], a[0]];
    let d: f64 = a.iter().zip(b.iter()).map(|(p, q)| p.dot(q)).sum();
    let e: f64 = a.iter().enumerate().map(|(i, p)| p.get(i) * p.sum()).sum();
    let mut g = 0.0;
    for (i, (p, q)) in a.iter().zip(&b).enumerate() {
        g += p.get(i) * q.sum();
    }
    let h = a.windows(2).map(|w| w[0].dot(&w[1])).fold(0.0, |s, v| s + v);
    d * e + g * h
}

/// The same, called for a value and for nothing.
#[derive(Clone, Copy, Differentiable)]
struct Couple {
    x: f64,
    y: f64,
}
#[derive(Differentiable)]
struct Total {
    s: f64,
    n: usize,
}

#[differentiable]
impl Couple {
    fn add(self, o: Couple) -> Couple {
        Couple { x: self.x + o.x, y: self.y + o.y }
    }
    fn mul(&self, k: f64) -> Couple {
        Couple { x: self.x * k, y: self.y * k }
    }
    fn dot(&self, o: &Couple) -> f64 {
        self.x * o.x + self.y * o.y
    }
}

#[differentiable]
impl Total {
    fn add(&mut self, v: f64) {
        self.s += v * v;
        self.n += 1;
    }
    fn mul(&mut self, k: f64) -> f64 {
        self.s *= k;
        self.s
    }
}

#[differentiable]
fn added_and_accumulated(x: &[f64]) -> f64 {
    let mut p = Couple { x: x[0], y: x[1] };
    let mut a = Total { s: 0.0, n: 0 };
    for v in x {
        p = p.add(Couple { x: *v, y: 1.0 }).mul(0.5);
        a.add(p.dot(&p));
    }
    let q = p.add(p);
    a.mul(q.x) + q.dot(&p) * a.s
}

/// In the arguments of macros.
#[derive(Clone, Differentiable)]
struct Sample {
    v: Vec<f64>,
}

#[differentiable]
impl Sample {
    fn get(&self, k: usize) -> f64 {
        self.v[k].exp()
    }
    fn last(&self) -> f64 {
        self.v[2]
    }
}

#[differentiable]
fn in_macros(x: &[f64]) -> f64 {
    let g = Sample { v: x.to_vec() };
    let w = vec![g.get(0) * g.last(); 3];
    let z = [g.last(); 2];
    w[0] * w[1] + z[1] * w[2]
}

/// A field of a generic struct.
#[derive(Differentiable)]
struct Holder<T> {
    inner: T,
}
#[derive(Clone, Copy, Differentiable)]
struct Slope {
    k: f64,
}

#[differentiable]
impl Slope {
    fn get(&self, x: f64) -> f64 {
        self.k * x
    }
    fn take(&self, n: usize) -> f64 {
        self.k * n as f64
    }
}

#[differentiable]
fn through_holder(w: &Holder<Slope>, x: f64) -> f64 {
    w.inner.get(x) + w.inner.take(3) * x
}

#[differentiable]
fn wrapped_value(x: &[f64]) -> f64 {
    let w = Holder { inner: Slope { k: x[0] } };
    through_holder(&w, x[1]) * w.inner.get(x[2])
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number grid_by_index(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number truncated_series(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number stack_of_numbers(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number ring_buffer(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number copies_of_self(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number accumulated(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number elements_of_lists(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number chained_values(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number stored_by_a_trait(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number jet_of_numbers(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number mapped_by_a_closure(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number changed_in_loops(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number own_queue(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number own_steps(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number layers_of_fields(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number in_closures(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number given_by_functions(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number rows_of_fields(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number own_heap(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number own_bag(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number own_segments(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number own_builder(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number registers(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number own_rays(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number wrapped_rule(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number own_and_std(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number by_value_and_by_reference(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number zipped_in_closures(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number added_and_accumulated(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number in_macros(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
        number wrapped_value(at x: Vec<f64>): [vec![0.7, 0.4, 1.3]] [vec![1.2, 0.9, 0.35]];
    }
}
