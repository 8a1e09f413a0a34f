//! Variables with names in capitals, as formulas have them, where no pattern can be a constant.

#![allow(non_snake_case, reason = "formulas have such names")]

use diffi::prelude::*;

const TWO: usize = 2;

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (j, T_j) in x.iter().enumerate() {
        s += x[0] * T_j * T_j * j as f64;
    }
    s
}

#[differentiable]
fn rows(x: &[f64]) -> f64 {
    let mut B = vec![vec![0.0; 3]; 3];
    for (j, B_j) in B.iter_mut().enumerate() {
        B_j[0] = 1.0;
        if j < 2 {
            B_j[1] = x[j].sin();
        }
    }
    B[0][0] * B[0][1] * B[1][1] * x[1]
}

#[differentiable]
fn of_a_closure(x: &[f64]) -> f64 {
    let torque = |Re: f64, Kd: f64| Re * Kd + x[1];
    let (P_a, Vh) = (x[1] * 2.0, x[0]);
    torque(P_a, Vh) + x.iter().map(|T_i| T_i * Vh).sum::<f64>()
}

#[differentiable]
fn in_macros(x: &[f64]) -> f64 {
    let Tc = x[0] * x[1];
    assert!(Tc > 0.0, "{Tc}");
    let Re = Tc * Tc;
    debug_assert!(Re > 0.0);
    match x.len() {
        TWO => Re * x[0],
        _ => 0.0,
    }
}

#[differentiable]
fn changed(x: &[f64]) -> f64 {
    let mut Ps = vec![x[0], 2.0];
    for Pj in Ps.iter_mut() {
        *Pj = *Pj * x[1];
    }
    let [Pa, Pb] = [Ps[0], Ps[1]];
    Pa * Pb
}

#[differentiable]
fn a_parameter(T_c: f64, x: f64) -> f64 {
    let T_c = T_c * x;
    let T_d = T_c.exp();
    T_c * T_d
}

#[differentiable]
fn beside_its_other_name(x: &[f64]) -> f64 {
    let v_Tc = x[0].exp();
    let Tc = x[1] * v_Tc;
    Tc * v_Tc
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number in_a_loop(at x: Vec<f64>): [vec![0.7, 0.4]] [vec![0.7, 0.4, 1.3]];
        number rows(at x: Vec<f64>): [vec![0.7, 0.4]];
        number of_a_closure(at x: Vec<f64>): [vec![0.7, 0.4]];
        number in_macros(at x: Vec<f64>): [vec![0.7, 0.4]];
        number changed(at x: Vec<f64>): [vec![0.7, 0.4]];
        number beside_its_other_name(at x: Vec<f64>): [vec![0.7, 0.4]];
        number a_parameter(by t: f64, by x: f64): [0.7, 0.4];
    }
}
