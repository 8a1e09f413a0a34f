use diffi::prelude::*;

/// Law-of-cosines reach of a two-link arm, mixed with the bearing of its tip.
#[differentiable(constant(l1, l2))]
pub fn arm_reach(t1: f64, t2: f64, l1: f64, l2: f64) -> f64 {
    let x = l1 * t1.cos() + l2 * (t1 + t2).cos();
    let y = l1 * t1.sin() + l2 * (t1 + t2).sin();
    x.hypot(y) + 0.1 * y.atan2(x)
}
