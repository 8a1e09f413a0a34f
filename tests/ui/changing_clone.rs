use diffi::prelude::*;

#[derive(Debug)]
struct Turn {
    n: usize,
}

impl Clone for Turn {
    fn clone(&self) -> Turn {
        Turn { n: self.n + 1 }
    }
}

fn first() -> Turn {
    Turn { n: 1 }
}

#[differentiable]
fn named(x: f64) -> f64 {
    let turns = vec![Turn { n: 1 }, Turn { n: 2 }];
    let mut y = x;
    for turn in turns {
        y *= turn.n as f64;
    }
    y
}

#[differentiable]
fn given(x: f64) -> f64 {
    let turn = first();
    x.powi(turn.n as i32)
}

#[derive(Differentiable)]
struct Pair<T: Copy> {
    a: f64,
    #[differentiable(constant)]
    b: T,
}

impl Clone for Pair<usize> {
    fn clone(&self) -> Pair<usize> {
        Pair { a: self.a, b: self.b + 1 }
    }
}

fn main() {}
