use diffi::prelude::*;

#[differentiable]
fn f(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint(often)]
    for _ in 0..n {
        y = y.sin();
    }
    #[checkpoint(every = 2, snapshots = 3)]
    for _ in 0..n {
        y = y.sin();
    }
    #[checkpoint = 3]
    for _ in 0..n {
        y = y.sin();
    }
    #[checkpoint]
    #[checkpoint]
    for _ in 0..n {
        y = y.sin();
    }
    #[checkpoint(every = y)]
    for _ in 0..n {
        y = y.sin();
    }
    y
}

fn main() {}
