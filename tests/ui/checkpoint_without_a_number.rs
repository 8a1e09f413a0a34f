use diffi::prelude::*;

#[differentiable]
fn f(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint(32)]
    for _ in 0..n {
        y = y.sin();
    }
    #[checkpoint(every)]
    for _ in 0..n {
        y = y.sin();
    }
    #[checkpoint(every = 0)]
    for _ in 0..n {
        y = y.sin();
    }
    #[checkpoint(snapshots = 2.5)]
    for _ in 0..n {
        y = y.sin();
    }
    #[checkpoint(every = -1)]
    for _ in 0..n {
        y = y.sin();
    }
    y
}

fn main() {}
