use diffi::prelude::*;

macro_rules! square {
    ($x:expr) => {
        'all: {
            break 'all $x * $x;
        }
    };
}

#[differentiable]
fn f(x: f64, #[cfg(any())] y: f64) -> f64 {
    #[cfg(any())]
    return square!(y);
    #[cfg(all())]
    return square!(x);
}

#[differentiable(constant(y))]
fn g(x: f64, #[cfg(any())] y: f64) -> f64 {
    x * x
}

struct Spring(f64);

impl Spring {
    #[differentiable]
    fn energy(&self, x: f64) -> f64 {
        #[cfg(any())]
        return x;
        self.0 * x
    }
}

#[differentiable]
mod functions {
    #[cfg(any())]
    pub fn h() {}
}

fn main() {}
