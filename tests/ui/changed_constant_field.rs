use diffi::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Spline {
    #[differentiable(constant)]
    knots: Vec<f64>,
    scale: f64,
}

#[differentiable]
fn shift(list: &mut [f64], by: f64) {
    for v in list.iter_mut() {
        *v += by;
    }
}

#[differentiable]
impl Spline {
    fn moved(&mut self, by: f64) -> f64 {
        shift(&mut self.knots, by);
        self.knots[0] * self.scale
    }

    fn stored(&mut self, by: f64) -> f64 {
        self.knots[0] += by;
        self.knots[0] * self.scale
    }
}

fn main() {}
