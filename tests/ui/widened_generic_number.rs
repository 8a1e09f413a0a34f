use diffi::prelude::*;
use num_traits::{Float, FromPrimitive};

#[differentiable]
fn f<T: Float + Into<f64> + FromPrimitive>(x: T) -> T {
    let wide: f64 = x.into();
    T::from_f64(wide * wide).unwrap()
}

fn main() {}
