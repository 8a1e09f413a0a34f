// Items of inner blocks whose names mean something else outside of the block. Constants get names of their own.
use diffi::prelude::*;

const K: f64 = 2.0;

fn scale(x: f64) -> f64 {
    2.0 * x
}

mod other {
    pub const K: f64 = 5.0;
}

#[differentiable]
fn constant_behind_its_use(x: f64) -> f64 {
    K * x + {
        const K: f64 = 3.0;
        K * x
    }
}

#[differentiable]
fn function(x: f64) -> f64 {
    let a = if x > 0.0 {
        #[differentiable]
        fn scale(x: f64) -> f64 {
            3.0 * x
        }
        scale(x)
    } else {
        x
    };
    a + scale(x)
}

#[differentiable]
fn import(x: f64) -> f64 {
    let mut s = K * x;
    for _ in 0..2 {
        use other::K;
        s += K * x;
    }
    s
}

#[differentiable]
fn two_blocks(x: f64) -> f64 {
    let a = {
        const R: f64 = 3.0;
        R * x
    };
    let b = {
        const R: f64 = 4.0;
        R * x
    };
    a + b
}

#[differentiable]
fn in_the_arguments_of_a_macro(x: f64) -> f64 {
    let a = {
        static K: f64 = 3.0;
        K * x
    };
    assert!(K > 1.0);
    a
}

mod traits {
    pub trait Scaled {
        fn scaled(&self) -> f64;
    }
}

#[differentiable]
fn trait_of_a_block(x: f64) -> f64 {
    let mut s = x;
    if x > 0.0 {
        use traits::Scaled;
        s *= 2.0;
    }
    s
}

#[differentiable]
fn all_of_a_module(x: f64) -> f64 {
    let a = {
        use other::*;
        K * x
    };
    a
}

macro_rules! declare {
    ($item:item) => {
        $item
    };
}

#[differentiable]
fn of_a_macro(x: f64) -> f64 {
    declare! {
        const K: f64 = 3.0;
    }
    K * x
}

fn main() {}
