use diffi::prelude::*;

#[differentiable]
fn list(x: &[f64]) -> f64 {
    let v = vec![x[0], #[cfg(any())] x[1]];
    v.iter().sum()
}

#[differentiable]
#[allow(unused_mut)]
fn check(x: &[f64]) -> f64 {
    let mut r = x[0];
    assert!({
        #[cfg(any())]
        {
            r *= 2.0;
        }
        r > 0.0
    });
    r
}

#[differentiable]
fn shown(x: f64) -> f64 {
    dbg!({
        #[cfg_attr(all(), cfg(any()))]
        return 1.0;
        x
    })
}

fn main() {}
