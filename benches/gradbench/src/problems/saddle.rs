//! The saddle point of `|p|² - |q|²`: a minimum over `p` of a maximum over `q`, both by gradient descent, one in the other.
//!
//! `rf` and the like name the way of the outer gradient, then that of the inner one.

use super::Failure;
use super::descent::minimum;
use crate::clock::Clock;
use diffi::prelude::*;
use serde::{Deserialize, Serialize};

#[differentiable]
fn objective(p: [f64; 2], q: [f64; 2]) -> f64 {
    (p[0] * p[0] + p[1] * p[1]) - (q[0] * q[0] + q[1] * q[1])
}

#[differentiable]
fn length(v: [f64; 2]) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

/// The objective's gradient with respect to `q` by a reverse pass.
fn in_reverse(p: [f64; 2], q: [f64; 2]) -> [f64; 2] {
    gradient(objective::D, AutoReverse::default(), (Constant(p), q)).expect("sizes are fixed")
}

/// The same by a forward pass for each coordinate.
fn in_forward(p: [f64; 2], q: [f64; 2]) -> [f64; 2] {
    let at = (Constant(p), q);
    [[1.0, 0.0], [0.0, 1.0]]
        .map(|axis| pushforward(objective::D, AutoForward::default(), at, axis).expect("sizes are fixed"))
}

/// The maximum over `q`, by one way of finding gradients.
macro_rules! inner {
    ($module:ident: $Inner:ident, $gradient:ident) => {
        mod $module {
            use super::{length, objective, $gradient};
            use diffi::prelude::*;

            #[differentiable(pushforward = downhill_jvp, pullback = downhill_vjp)]
            fn downhill(p: [f64; 2], q: [f64; 2]) -> [f64; 2] {
                $gradient(p, q).map(|v| -v)
            }

            /// The Hessian of the objective, times a tangent.
            fn downhill_jvp(p: [f64; 2], q: [f64; 2], dp: [f64; 2], dq: [f64; 2]) -> [f64; 2] {
                curvature(p, q, dp, dq).1.map(|v| -v)
            }

            /// The Hessian is symmetric.
            fn downhill_vjp(p: [f64; 2], q: [f64; 2], cotangent: &[f64; 2]) -> ([f64; 2], [f64; 2]) {
                curvature(p, q, [0.0, 0.0], cotangent.map(|v| -v))
            }

            fn curvature(p: [f64; 2], q: [f64; 2], dp: [f64; 2], dq: [f64; 2]) -> ([f64; 2], [f64; 2]) {
                let backend = SecondOrder(AutoForward::default(), $Inner::default());
                hvp(objective::D, backend, (p, q), (dp, dq)).expect("sizes are fixed")
            }

            /// Where the objective is largest for a fixed `p`, from `start` on.
            #[differentiable(constant(start))]
            pub fn highest(p: [f64; 2], start: [f64; 2]) -> [f64; 2] {
                let mut q = start;
                let mut depth = -objective(p, q);
                let mut slope = downhill(p, q);
                let mut rate = 1e-5;
                let mut good = 0;
                while length(slope) > 1e-5 {
                    if good == 10 {
                        rate *= 2.0;
                        good = 0;
                        continue;
                    }
                    let next = [q[0] - rate * slope[0], q[1] - rate * slope[1]];
                    if length([q[0] - next[0], q[1] - next[1]]) <= 1e-5 {
                        break;
                    }
                    let next_depth = -objective(p, next);
                    if next_depth < depth {
                        q = next;
                        depth = next_depth;
                        slope = downhill(p, q);
                        good += 1;
                    } else {
                        rate /= 2.0;
                        good = 0;
                    }
                }
                q
            }

            #[differentiable(constant(start))]
            pub fn largest(p: [f64; 2], start: [f64; 2]) -> f64 {
                objective(p, highest(p, start))
            }
        }
    };
}
inner!(by_reverse: AutoReverse, in_reverse);
inner!(by_forward: AutoForward, in_forward);

#[derive(Deserialize, Serialize)]
pub struct Input {
    start: [f64; 2],
}

/// A row is the name, the outer way and the module of the inner one.
macro_rules! modes {
    ($($name:ident: $Outer:ident over $inner:ident;)+) => { $(
        pub fn $name(Input { start }: Input, clock: &mut Clock) -> Result<[f64; 4], Failure> {
            let at = (start, Constant(start));
            let mut prepared = clock.prepare(|| prepare_gradient($inner::largest::D, $Outer::default(), at))?;
            clock.run(|| {
                let outer = |p: &[f64; 2]| Ok::<_, Failure>(prepared.value_and_gradient((*p, Constant(start)))?);
                let p = minimum(outer, start)?;
                let q = $inner::highest(p, start);
                Ok([p[0], p[1], q[0], q[1]])
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
