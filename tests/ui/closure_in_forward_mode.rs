use diffi::prelude::*;

fn main() {
    let _ = gradient(|x: &[f64]| x[0] * x[1], AutoForward, &[1.0, 2.0]);
}
