//! Structs and enums that derive `Differentiable`.

use diffi::prelude::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Spring {
    pub stiffness: f64,
    pub length: f64,
    pub name: String,
    pub turns: usize,
}

#[differentiable]
fn energy(s: &Spring, x: f64) -> f64 {
    let stretch = x - s.length;
    0.5 * s.stiffness * stretch * stretch
}

#[differentiable]
fn turned(s: &Spring, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    let n = s.turns;
    for i in 0..n {
        sum += x[i] * s.stiffness;
    }
    sum * (s.turns as f64) + n as f64 * s.length
}

fn spring() -> Spring {
    Spring { stiffness: 2.0, length: 0.5, name: "coil".into(), turns: 2 }
}

#[test]
fn gradient_of_a_struct() {
    let g = gradient(energy::D, AutoReverse, (&spring(), Constant(1.0))).unwrap();
    assert_eq!(g, SpringTangent { stiffness: 0.125, length: -1.0, name: (), turns: () });
    let (g, dx) = gradient(energy::D, AutoForward, (&spring(), 1.0)).unwrap();
    assert_eq!(g.to_flat(), [0.125, -1.0]);
    assert_eq!(dx, 1.0);
    let h = hessian(energy::D, AutoReverse, (&spring(), 1.0)).unwrap();
    assert_eq!(h.into_raw_vec_and_offset().0, [0.0, -0.5, 0.5, -0.5, 2.0, -2.0, 0.5, -2.0, 2.0]);
    let g = gradient(turned::D, AutoReverse, (&spring(), Constant(&[1.0, 3.0]))).unwrap();
    assert_eq!(g.to_flat(), [8.0, 2.0]);
}
