//! Statements that run forward and in reverse at once: what they add to a cotangent comes after what later statements take from it.

use crate::check::sound;
use diffi::prelude::*;

#[differentiable]
fn at_a_checkpoint(x: &[f64]) -> f64 {
    let mut u = vec![x[0]; 2];
    let mut w = x.to_vec();
    let mut k = 0;
    #[checkpoint(snapshots = 2)]
    while k < 1 {
        k += 1;
        if k == 1 {
            let mut j = 0;
            loop {
                j += 1;
                if j >= 4 {
                    break;
                }
                u[0] -= 0.2 * w[1];
            }
        }
        if k < 3 {
            w[k] = x[2] * w[1 - k];
        }
    }
    u[0] + u[1] * x[1]
}

#[differentiable]
fn at_checkpoints(x: &[f64]) -> f64 {
    let (mut s, mut w) = (0.0, x.to_vec());
    #[checkpoint]
    for k in 0..4 {
        if k < 3 {
            s += w[k] * w[(k + 1) % 3];
        }
        if k > 0 {
            w[k % 3] = 0.5 * w[(k + 2) % 3];
        }
    }
    s * x[1]
}

#[differentiable]
fn a_sum_and_a_choice(w: &mut [f64], s: &mut f64) {
    for v in w.iter() {
        *s += v * v;
    }
    if w[1] > -100.0 {
        w[0] = 3.0;
    }
}

#[differentiable]
fn a_sum_and_a_loop(w: &mut [f64], s: &mut f64) {
    for v in w.iter() {
        *s += v * v;
    }
    for v in w.iter_mut() {
        *v = 1.0;
    }
}

#[differentiable]
fn two_choices(w: &mut [f64], s: &mut f64) {
    if *s > 0.0 {
        *s += w[0] * w[1];
    }
    if w[1] > -100.0 {
        w[0] *= w[1];
    }
}

#[differentiable]
fn a_number(w: &mut [f64], s: &mut f64) {
    if w[1] > -8.0 {
        *s = w[0] * w[1];
    }
    if w[0] > -9.0 {
        w[1] = w[0] * w[0];
    }
}

/// `<y_bar, J x_dot> = <J' y_bar, x_dot>` for the outputs of all parameters at once.
macro_rules! transposed {
    ($($f:ident)*) => { $({
        let (w, s, wd, sd, wb, sb) = ([0.3, 0.7], 0.2, [0.9, -0.4], 0.6, [0.5, 1.1], -0.8);
        let (w_dot, s_dot) = pushforward($f::D, AutoForward, (&mut w.clone()[..], &mut s.clone()), (&wd[..], sd)).unwrap();
        let (w_bar, s_bar) = pullback($f::D, AutoReverse, (&mut w.clone()[..], &mut s.clone()), (&wb[..], sb)).unwrap();
        let along = wb[0] * w_dot[0] + wb[1] * w_dot[1] + sb * s_dot;
        let back = wd[0] * w_bar[0] + wd[1] * w_bar[1] + sd * s_bar;
        assert!((along - back).abs() < 1e-12, "{}: {along} and {back}", stringify!($f));
    })* };
}

#[test]
fn changed_parameters() {
    transposed!(a_sum_and_a_choice a_sum_and_a_loop two_choices a_number);
}

sound!(at_a_checkpoint at_checkpoints);
