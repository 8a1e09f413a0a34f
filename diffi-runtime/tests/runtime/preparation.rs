//! Prepared objects as values: stored, sent, copied, shown; and backends as parameters.

use crate::hand::*;
use diffi_runtime::backend::second_order::SecondOrder;
use diffi_runtime::backend::{AutoFiniteDiff, AutoForward, AutoReverse, Backend, Counterparts, Mode};
use diffi_runtime::operators::{gradient::*, hessian::*, jacobian::*, pullback::*, pushforward::*};
use diffi_runtime::signature::arg_roles::{Input, Passed};
use diffi_runtime::signature::arguments::Constant;
use diffi_runtime::signature::param_kinds::{Passive, Ref, Val};

type Parameters = (Ref<[f64]>, Val<f64>, Passive<usize>);

/// A prepared object as a field.
struct Descent {
    prep: GradientPrep<power_sum, AutoReverse, Parameters, (Input, Passed, Passed)>,
    x: Vec<f64>,
}

impl Descent {
    fn step(&mut self, rate: f64) {
        let g = self.prep.gradient((&self.x, Constant(0.5), Constant(2))).unwrap();
        self.x.iter_mut().zip(g).for_each(|(x, g)| *x -= rate * g);
    }
}

#[test]
fn prepared_objects_are_fields() {
    let x = vec![1.0, 2.0];
    let prep = prepare_gradient(power_sum::D, AutoReverse, (&x, Constant(0.5), Constant(2))).unwrap();
    let mut descent = Descent { prep, x };
    descent.step(0.5);
    assert_eq!(descent.x, [0.5, 1.0]);
}

#[test]
fn prepared_objects_are_sent_to_threads() {
    let mut prep = prepare_jacobian(products::D, AutoReverse, &[0.0; 3]).unwrap();
    let j = std::thread::spawn(move || prep.jacobian(&[1.0, 2.0, 3.0]).unwrap()).join().unwrap();
    assert_eq!(j, ndarray::array![[2.0, 1.0, 0.0], [0.0, 3.0, 2.0]]);
    fn sent<T: Send>(_: T) {}
    sent(prepare_gradient(rosenbrock::D, AutoFiniteDiff, &[0.0; 3]).unwrap());
    sent(prepare_hessian(rosenbrock::D, AutoForward, &[0.0; 3]).unwrap());
    sent(prepare_pushforward(rosenbrock::D, AutoForward, &[0.0; 3], &[0.0; 3]).unwrap());
    sent(prepare_pullback(rosenbrock::D, AutoReverse, &[0.0; 3], [1.0, 2.0]).unwrap());
}

#[test]
fn prepared_objects_are_copied_and_shown() {
    let mut prep = prepare_gradient(rosenbrock::D, AutoReverse, &[1.0, 2.0]).unwrap();
    let mut copy = prep.clone();
    assert_eq!(prep.gradient(&[1.0, 2.0]).unwrap(), copy.gradient(&[1.0, 2.0]).unwrap());
    assert_eq!(
        format!("{prep:?}"),
        "GradientPrep { backend: AutoReverse, sizes: 2, cached: {}, bytes: 0, tape_bytes: 0, .. }"
    );
}

/// Code that is generic over the backend.
fn slope<B: GradientBackend<rosenbrock, (Ref<[f64]>,), (Input,)>>(backend: B, x: &[f64]) -> f64 {
    let g = gradient(rosenbrock::D, backend, x).unwrap();
    g.iter().map(|g| g * g).sum::<f64>().sqrt()
}

#[test]
fn backends_are_parameters() {
    let exact = slope(AutoReverse, &[1.0, 2.0]);
    assert_eq!(slope(AutoForward, &[1.0, 2.0]), exact);
    assert!((slope(AutoFiniteDiff, &[1.0, 2.0]) - exact).abs() < 1e-6);
}

#[test]
fn backends_answer_questions() {
    let b = SecondOrder(AutoForward, AutoReverse);
    assert_eq!((b.mode(), b.outer().mode(), b.inner().mode()), (Mode::Forward, Mode::Forward, Mode::Reverse));
    assert_eq!(AutoReverse.forward_counterpart(), AutoForward);
    assert_eq!(AutoForward.reverse_counterpart(), AutoReverse);
    assert_eq!(AutoReverse.inner(), AutoReverse.outer());
}
