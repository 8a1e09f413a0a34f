use diffi::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Duration {
    seconds: f64,
}

type Instant = f64;

#[differentiable]
fn parameter(d: Duration, x: f64) -> f64 {
    d.seconds * x
}

#[differentiable]
fn cast(x: f64) -> f64 {
    let t = (x * x) as Instant;
    t * x
}

#[derive(Clone, Differentiable)]
struct Step {
    length: Duration,
    size: f64,
}

#[derive(Clone, Differentiable)]
struct Range {
    from: f64,
}

#[differentiable]
impl Range {
    fn scaled(&self, x: f64) -> f64 {
        self.from * x
    }
}

fn main() {}
