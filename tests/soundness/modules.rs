//! A function whose name a type and a function have in another module of the file.

mod plain {
    #[allow(non_camel_case_types)]
    pub struct gas {
        pub k: f64,
    }

    pub fn gas(k: f64) -> gas {
        gas { k }
    }
}

mod law {
    use diffi::prelude::*;

    #[differentiable]
    pub fn gas(x: &[f64]) -> f64 {
        x[0] * x[1] / (x[2] + 1.0)
    }
}

use diffi::prelude::*;

#[differentiable]
fn of_two_modules(x: &[f64]) -> f64 {
    let k = plain::gas(2.0).k;
    law::gas(x) * k
}

crate::check::sound! { of_two_modules }
