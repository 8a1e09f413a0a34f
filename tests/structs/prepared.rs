//! Prepared operators on structs.

use diffi::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Oscillator {
    stiffness: f64,
    force: Vec<f64>,
    start: Start,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Start {
    x: f64,
    v: f64,
}

#[differentiable]
fn energy(o: &Oscillator) -> f64 {
    let mut s = o.start;
    for f in &o.force {
        s.v += 0.1 * (f - o.stiffness * s.x);
        s.x += 0.1 * s.v;
    }
    0.5 * (s.v * s.v + o.stiffness * s.x * s.x)
}

fn oscillator(n: usize) -> Oscillator {
    let force = (0..n).map(|k| (0.3 * k as f64).sin()).collect();
    Oscillator { stiffness: 1.7, force, start: Start { x: 0.4, v: -0.2 } }
}

#[test]
fn prepared_objects_take_other_values_of_the_same_shape() {
    let o = oscillator(5);
    let mut prepared = prepare_gradient(energy::D, AutoReverse, &o).unwrap();
    let mut other = oscillator(5);
    other.stiffness = 0.3;
    let mut g = other.zero_tangent();
    let y = prepared.value_and_gradient_into(&mut g, &other).unwrap();
    assert_eq!(y, energy(&other));
    assert_eq!(g, gradient(energy::D, AutoReverse, &other).unwrap());
    let error = prepared.gradient(&oscillator(6)).unwrap_err();
    assert!(matches!(error, Error::PreparationMismatch { .. }), "{error}");
    prepared.resize(&oscillator(6)).unwrap();
    assert_eq!(prepared.gradient(&oscillator(6)).unwrap().force.len(), 6);
}

#[test]
fn second_order_products_are_tangents() {
    let o = oscillator(4);
    let mut v = o.zero_tangent();
    v.set_flat(&[0.3, 1.0, -1.0, 0.5, 0.2, 0.7, -0.4]).unwrap();
    let hv: OscillatorTangent = hvp(energy::D, AutoReverse, &o, &v).unwrap();
    let h = hessian(energy::D, AutoReverse, &o).unwrap();
    let expected = h.dot(&ndarray::Array1::from(v.to_flat()));
    crate::check::close("hvp", &hv.to_flat(), expected.as_slice().unwrap(), 1e-12);
    let differences = gradient(energy::D, AutoFiniteDiff::default(), &o).unwrap();
    crate::check::close(
        "differences",
        &differences.to_flat(),
        &gradient(energy::D, AutoReverse, &o).unwrap().to_flat(),
        1e-6,
    );
}

#[test]
fn an_optimiser_works_on_the_flat_view() {
    let mut o = oscillator(3);
    let mut prepared = prepare_gradient(energy::D, AutoReverse, &o).unwrap();
    let before = energy(&o);
    for _ in 0..20 {
        let g = prepared.gradient(&o).unwrap();
        let x: Vec<f64> = o.to_flat().iter().zip(g.to_flat()).map(|(x, g)| x - 0.05 * g).collect();
        o.set_flat(&x).unwrap();
    }
    assert!(energy(&o) < 0.9 * before);
}
