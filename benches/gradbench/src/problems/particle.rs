//! Where a particle lands that two charges push away: Newton's method is not used, the start is found by gradient descent on
//! the landing place, and the force is itself the gradient of a potential.
//!
//! `rf` and the like name the way of the outer gradient, then that of the inner one.

use super::Failure;
use super::descent::minimum;
use crate::clock::Clock;
use diffi::prelude::*;
use serde::Deserialize;

/// The potential of two charges, one of which is `w` below its usual place.
#[differentiable]
fn potential(position: [f64; 2], w: f64) -> f64 {
    let [x, y] = position;
    let upper = 10.0 - w;
    let first = ((10.0 - x) * (10.0 - x) + (upper - y) * (upper - y)).sqrt();
    let second = ((10.0 - x) * (10.0 - x) + y * y).sqrt();
    first.recip() + second.recip()
}

/// The potential's gradient by a reverse pass.
fn in_reverse(position: [f64; 2], w: f64) -> [f64; 2] {
    gradient(potential::D, AutoReverse::default(), (position, Constant(w))).expect("sizes are fixed")
}

/// The same by a forward pass for each coordinate.
fn in_forward(position: [f64; 2], w: f64) -> [f64; 2] {
    let at = (position, Constant(w));
    [[1.0, 0.0], [0.0, 1.0]]
        .map(|axis| pushforward(potential::D, AutoForward::default(), at, axis).expect("sizes are fixed"))
}

/// The force by one way of finding gradients, with its own derivatives; and the landing place by that force.
macro_rules! flight {
    ($module:ident: $Inner:ident, $gradient:ident) => {
        mod $module {
            use super::{potential, $gradient};
            use diffi::prelude::*;

            #[differentiable(pushforward = slope_jvp, pullback = slope_vjp)]
            fn slope(position: [f64; 2], w: f64) -> [f64; 2] {
                $gradient(position, w)
            }

            /// The Hessian of the potential, times a tangent.
            fn slope_jvp(position: [f64; 2], w: f64, d_position: [f64; 2], dw: f64) -> [f64; 2] {
                curvature(position, w, d_position, dw).0
            }

            /// The Hessian is symmetric.
            fn slope_vjp(position: [f64; 2], w: f64, cotangent: &[f64; 2]) -> ([f64; 2], f64) {
                curvature(position, w, *cotangent, 0.0)
            }

            fn curvature(position: [f64; 2], w: f64, d_position: [f64; 2], dw: f64) -> ([f64; 2], f64) {
                let backend = SecondOrder(AutoForward::default(), $Inner::default());
                hvp(potential::D, backend, (position, w), (d_position, dw)).expect("sizes are fixed")
            }

            /// The squared distance from the origin at which the particle reaches the ground, in Euler steps.
            #[differentiable]
            pub fn landing(w: f64) -> f64 {
                let step = 0.1;
                let mut position = [0.0, 8.0];
                let mut velocity = [0.75, 0.0];
                loop {
                    let uphill = slope(position, w);
                    position[0] += step * velocity[0];
                    position[1] += step * velocity[1];
                    if position[1] <= 0.0 {
                        let late = -position[1] / velocity[1];
                        let x = position[0] + late * velocity[0];
                        return x * x;
                    }
                    velocity[0] -= step * uphill[0];
                    velocity[1] -= step * uphill[1];
                }
            }
        }
    };
}
flight!(by_reverse: AutoReverse, in_reverse);
flight!(by_forward: AutoForward, in_forward);

#[derive(Deserialize)]
pub struct Input {
    w: f64,
}

/// A row is the name, the outer way and the module of the inner one.
macro_rules! modes {
    ($($name:ident: $Outer:ident over $inner:ident;)+) => { $(
        pub fn $name(input: Input, clock: &mut Clock) -> Result<f64, Failure> {
            let mut prepared = clock.prepare(|| prepare_gradient($inner::landing::D, $Outer::default(), input.w))?;
            clock.run(|| {
                let objective = |w: &[f64; 1]| {
                    let (value, slope) = prepared.value_and_gradient(w[0])?;
                    Ok::<_, Failure>((value, [slope]))
                };
                Ok(minimum(objective, [input.w])?[0])
            })
        }
    )+ };
}
modes! {
    rr: AutoReverse over by_reverse;
    rf: AutoReverse over by_forward;
    fr: AutoForward over by_reverse;
    ff: AutoForward over by_forward;
}
