use diffi::prelude::*;

fn main() {
    let _ = gradient(|x| x[0] * x[1], AutoFiniteDiff, &[1.0, 2.0]);
}
