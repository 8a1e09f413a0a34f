//! Lists in structs that functions are lent, and that grow or shrink from call to call: a length is the one of its call in both sweeps.

use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Log {
    entries: Vec<f64>,
    rows: Vec<Vec<f64>>,
    k: f64,
}

#[differentiable]
impl Log {
    fn new(k: f64) -> Self {
        Log { entries: Vec::new(), rows: Vec::new(), k }
    }
    fn last(&mut self, u: f64) -> f64 {
        self.entries.push(u * self.k);
        let n = self.entries.len();
        self.entries[n - 1] * u
    }
    fn middle(&mut self, u: f64) -> f64 {
        self.entries.push(u * self.k);
        let m = self.entries.len() / 2;
        self.entries[m] * u
    }
    fn total(&mut self, u: f64) -> f64 {
        self.entries.push(u * u);
        let mut sum = 0.0;
        for i in 0..self.entries.len() {
            sum += self.entries[i] * self.entries[i];
        }
        self.k += sum;
        sum
    }
    fn row(&mut self, u: f64) -> f64 {
        self.rows.push(vec![u, u * u]);
        let mut sum = 0.0;
        for r in &self.rows {
            sum += r[0] * r[1];
        }
        sum
    }
    fn reads(&mut self) -> f64 {
        let n = self.entries.len();
        self.k *= self.entries[n - 1];
        self.entries[n - 1] * self.k
    }
    fn pops(&mut self) -> f64 {
        let v = self.entries.pop().unwrap();
        let mut sum = v;
        for i in 0..self.entries.len() {
            sum += self.entries[i] * self.k * v;
        }
        sum
    }
    fn counts(&mut self, u: f64) -> f64 {
        self.entries.push(u);
        if self.entries.len() > 3 { self.k * u.sin() } else { self.k * u * self.entries.len() as f64 }
    }
    fn starts_again(&mut self, u: f64) -> f64 {
        if self.entries.len() > 1 {
            self.entries.clear();
        }
        self.entries.push(u * u);
        let mut sum = 0.0;
        for v in &self.entries {
            sum += v * v * self.k;
        }
        sum
    }
}

#[differentiable]
fn step(log: &mut Log, u: f64) -> f64 {
    log.entries.push(u * log.k);
    let n = log.entries.len();
    log.entries[n - 1] * u
}

#[differentiable]
fn of_pairs(pair: &mut (Vec<f64>, f64), u: f64) -> f64 {
    pair.0.push(u * pair.1);
    let m = pair.0.len() / 2;
    pair.0[m] * u
}

#[differentiable]
fn last_entries(x: &[f64]) -> f64 {
    let mut log = Log::new(x[1]);
    log.last(x[2]) * log.last(x[0])
}

#[differentiable]
fn middle_entries(x: &[f64]) -> f64 {
    let mut log = Log::new(x[1]);
    log.entries.push(x[0] * x[0]);
    let mut product = 1.0;
    for i in 0..3 {
        product *= log.middle(x[i]) + 0.1;
    }
    product
}

#[differentiable]
fn totals(x: &[f64]) -> f64 {
    let mut log = Log::new(x[1]);
    log.total(x[2]) * log.total(x[0]) * log.total(x[1]) * log.k
}

#[differentiable]
fn rows(x: &[f64]) -> f64 {
    let mut log = Log::new(x[1]);
    log.row(x[2]) * log.row(x[0]) * log.row(x[1])
}

#[differentiable]
fn grown_between_calls(x: &[f64]) -> f64 {
    let mut log = Log::new(x[1]);
    log.entries.push(x[0]);
    let a = log.reads();
    log.entries.push(x[1] * a);
    let b = log.reads();
    log.entries.push(b * x[2]);
    a * b * log.reads()
}

#[differentiable]
fn shrunk(x: &[f64]) -> f64 {
    let mut log = Log { entries: x.to_vec(), rows: Vec::new(), k: x[1] };
    log.pops() * log.pops() * log.pops()
}

#[differentiable]
fn counted(x: &[f64]) -> f64 {
    let mut log = Log::new(x[1]);
    log.entries.push(x[0]);
    let mut product = 1.0;
    for i in 0..3 {
        product *= log.counts(x[i]) + 0.1;
    }
    product
}

#[differentiable]
fn started_again(x: &[f64]) -> f64 {
    let mut log = Log::new(x[1]);
    log.starts_again(x[2]) * log.starts_again(x[0]) * log.starts_again(x[1])
}

#[differentiable]
fn by_a_function(x: &[f64]) -> f64 {
    let mut log = Log::new(x[1]);
    let a = step(&mut log, x[2]);
    let mut other = log.clone();
    a * step(&mut other, x[0]) * step(&mut log, x[1])
}

#[differentiable]
fn of_a_tuple(x: &[f64]) -> f64 {
    let mut pair = (vec![x[0], x[1]], x[1]);
    let mut product = 1.0;
    for i in 0..3 {
        product *= of_pairs(&mut pair, x[i]) + 0.1;
    }
    product
}

crate::check::sound! { last_entries middle_entries totals rows grown_between_calls shrunk counted started_again by_a_function of_a_tuple }
