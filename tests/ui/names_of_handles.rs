use diffi::prelude::*;

mod beside_a_module {
    use diffi::prelude::*;

    mod energy {}

    #[differentiable]
    fn energy(x: f64) -> f64 {
        x * x
    }
}

mod beside_a_type {
    use diffi::prelude::*;

    struct energy {
        x: f64,
    }

    #[differentiable]
    fn energy(x: f64) -> f64 {
        x * x
    }
}

mod beside_another {
    use diffi::prelude::*;

    #[differentiable]
    fn square(x: f64) -> f64 {
        x * x
    }

    #[differentiable]
    fn square(x: f64) -> f64 {
        x * x * x
    }
}

trait Shape {
    fn area(&self, scale: f64) -> f64;
}

#[derive(Clone, Differentiable)]
struct Square(f64);

#[differentiable]
impl Shape for Square {
    fn area(&self, scale: f64) -> f64 {
        self.0 * self.0 * scale
    }
}

fn main() {}
