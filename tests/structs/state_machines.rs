//! Fields that are enums without floats, which their own methods change, and options that builders replace.

use diffi::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Light {
    Green,
    Yellow { left: u32 },
    Red,
}

impl Light {
    fn next(self) -> Self {
        match self {
            Light::Green => Light::Yellow { left: 2 },
            Light::Yellow { left: 0 } => Light::Red,
            Light::Yellow { left } => Light::Yellow { left: left - 1 },
            Light::Red => Light::Green,
        }
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Car {
    y: f64,
    light: Light,
}

#[differentiable]
impl Car {
    fn step(&mut self, k: f64) {
        self.y += match self.light {
            Light::Red => 0.0,
            Light::Yellow { left } => k / (1 + left) as f64,
            Light::Green => k * self.y,
        };
        self.light = self.light.next();
    }
}

#[differentiable]
fn drive(a: f64, b: f64) -> f64 {
    let mut car = Car { y: b, light: Light::Green };
    for _ in 0..9 {
        car.step(a);
    }
    let light = Light::Red.next();
    car.y * if light == Light::Green { 1.0 } else { 2.0 }
}

#[derive(Clone, Debug, Differentiable)]
struct System {
    lenses: Vec<f64>,
    sensor: f64,
}

/// A field of the same name is an option here, and a number there.
#[derive(Clone, Debug, Differentiable)]
struct Builder {
    lenses: Vec<f64>,
    sensor: Option<f64>,
}

#[differentiable]
impl Builder {
    fn new() -> Self {
        Builder { lenses: Vec::new(), sensor: None }
    }
    fn lens(mut self, v: f64) -> Self {
        self.lenses.push(v);
        self
    }
    fn sensor(mut self, z: f64) -> Self {
        self.sensor.replace(z);
        self
    }
    fn build(self) -> Option<System> {
        let sensor = self.sensor?;
        Some(System { lenses: self.lenses, sensor })
    }
}

#[differentiable]
fn built(a: f64, b: f64) -> f64 {
    let system = Builder::new().lens(a).sensor(b).build().unwrap();
    system.lenses[0] * system.sensor * system.sensor
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Currency {
    Dollar,
    Euro,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Money {
    amount: f64,
    currency: Currency,
}

#[differentiable]
fn in_currency(wallet: &[Money], to: Currency) -> Result<Money, String> {
    for money in wallet {
        if money.currency == to {
            return Ok(*money);
        }
    }
    Err("none".into())
}

#[differentiable]
fn found(a: f64, b: f64) -> f64 {
    let wallet = [Money { amount: a, currency: Currency::Dollar }, Money { amount: 2.0 * b, currency: Currency::Euro }];
    in_currency(&wallet, Currency::Euro).unwrap().amount * a
}

#[test]
fn rows() {
    crate::check::agree!(drive built found);
}
