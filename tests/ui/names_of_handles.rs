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

#[differentiable]
impl Shape for f64 {
    fn area(&self, scale: f64) -> f64 {
        self * self * scale
    }
}

fn main() {}
