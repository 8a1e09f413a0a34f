use diffi::prelude::*;

#[differentiable]
pub fn inverse_functions(x: f64) -> f64 {
    let a = x.asin() - x.acos() + x.atan();
    let b = (1.0 + x * x).acosh() + x.atanh();
    a * b + x.tan() / x.sinh()
}
