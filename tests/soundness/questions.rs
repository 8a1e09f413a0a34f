//! Questions about what a method gives that changes its receiver: the change counts, though the answer carries no derivative.

use diffi::prelude::*;

#[derive(Clone, Debug, Default, Differentiable)]
pub struct Meter {
    pub total: f64,
    pub count: u32,
}

#[derive(Clone, Default, Differentiable)]
pub struct World {
    pub meter: Meter,
    pub fails: i32,
}

#[differentiable]
impl Meter {
    pub fn record(&mut self, v: f64) -> Result<(), String> {
        if v < 0.0 {
            return Err(format!("bad {v}"));
        }
        self.total += v;
        self.count += 1;
        Ok(())
    }

    pub fn step(&mut self, v: f64) -> f64 {
        self.total += v * v;
        self.total * 0.5
    }

    pub fn index(&mut self, v: f64) -> usize {
        self.total += v * v;
        if v > 1.1 { 1 } else { 0 }
    }

    pub fn every(&mut self, x: &[f64]) -> usize {
        let mut fails = 0;
        for v in x {
            if self.record(v - 0.5).is_err() {
                fails += 1;
            }
            if self.record(v * v).is_ok() {
                fails += 2;
            }
        }
        fails
    }
}

#[differentiable]
fn of_a_result(x: &[f64]) -> f64 {
    let mut meter = Meter::default();
    let mut n = 0;
    for v in x {
        if meter.record(v * v).is_err() {
            n += 1;
        }
        if meter.record(v - 0.5).is_err() {
            n += 1;
        }
    }
    meter.total * (n + 1) as f64
}

#[differentiable]
fn in_a_variable(x: &[f64]) -> f64 {
    let mut meter = Meter::default();
    let mut n = 0;
    for v in x {
        let ok = meter.record(v * v).is_ok();
        n += ok as i32;
        let again = meter.record(*v);
        n += again.is_ok() as i32;
    }
    meter.total * n as f64
}

#[differentiable]
fn in_an_assertion(x: &[f64]) -> f64 {
    let mut meter = Meter::default();
    for v in x {
        assert!(meter.record(v * v).is_ok());
        debug_assert!(meter.step(*v).is_finite());
    }
    meter.total * meter.total
}

#[differentiable]
fn in_a_loop_condition(x: &[f64]) -> f64 {
    let mut meter = Meter::default();
    let mut i = 0;
    while i < 3 && meter.record(x[i]).is_ok() {
        i += 1;
    }
    meter.total * meter.total
}

#[differentiable]
fn of_an_element(x: &[f64]) -> f64 {
    let mut meters = [Meter::default(), Meter::default()];
    let mut n = 1;
    for (i, v) in x.iter().enumerate() {
        if meters[i % 2].record(v * v).is_ok() {
            n += 1;
        }
    }
    meters[0].total * meters[1].total * n as f64
}

#[differentiable]
fn of_a_field(x: &[f64]) -> f64 {
    let mut world = World::default();
    for v in x {
        if world.meter.record(v * v).is_err() {
            world.fails += 1;
        }
        if world.meter.step(*v) > 1.0 {
            world.fails += 1;
        }
    }
    world.meter.total * (world.fails + 1) as f64
}

#[differentiable]
fn of_a_number(x: &[f64]) -> f64 {
    let mut meter = Meter::default();
    let mut s = 1.0;
    for v in x {
        if meter.step(v * v).is_finite() {
            s += 1.0;
        }
        if meter.step(*v).partial_cmp(&0.5).is_some() {
            s += x[meter.index(*v)];
        }
        if meter.record(*v) == Ok(()) {
            s += 1.0;
        }
    }
    meter.total * s
}

#[differentiable]
fn in_a_closure(x: &[f64]) -> f64 {
    let mut meter = Meter::default();
    let fine = x.iter().filter(|v| meter.record(**v).is_ok()).count();
    meter.total * meter.total * fine as f64
}

#[differentiable]
fn of_self(x: &[f64]) -> f64 {
    let mut meter = Meter::default();
    let n = meter.every(x);
    meter.total * n as f64
}

#[differentiable]
fn counted(meter: &mut Meter, x: &[f64]) -> usize {
    let mut n = 1;
    for v in x {
        if meter.record(v * v).is_ok() {
            n += 1;
        }
    }
    n
}

#[differentiable]
fn of_a_parameter(x: &[f64]) -> f64 {
    let mut meter = Meter::default();
    let n = counted(&mut meter, x);
    meter.total * n as f64
}

#[differentiable]
fn of_a_reference(x: &[f64]) -> f64 {
    let mut meters = vec![Meter::default(), Meter::default()];
    let mut n = 0;
    for v in x {
        let meter = &mut meters[1];
        if meter.record(*v).is_ok() {
            n += 1;
        }
        if meter.step(*v) > 0.3 {
            n += 1;
        }
    }
    meters[1].total * n as f64
}

#[differentiable]
fn of_an_error(x: &[f64]) -> f64 {
    let mut meter = Meter::default();
    let mut n = 1;
    for v in x {
        let length = meter.record(v - 0.5).err().map(|e| e.len()).unwrap_or(0);
        n += length.min(1);
        n += meter.record(*v).map(|_| 1).unwrap_or(2);
    }
    meter.total * n as f64
}

crate::check::sound! {
    of_a_result in_a_variable in_an_assertion in_a_loop_condition of_an_element of_a_field of_a_number in_a_closure
    of_self of_a_parameter of_a_reference of_an_error
}
