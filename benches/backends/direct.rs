//! External packages without our interface: the same function, written for their numbers, and their own ways to differentiate it.

use autodiff::F1;
use hyperdual::Hyperdual;
use num_traits::Float;

type Gradient = Box<dyn FnMut(&[f64], &mut [f64])>;

/// As `models::rosenbrock`.
fn rosenbrock<T: Float>(x: &[T]) -> T {
    let number = |v: f64| T::from(v).expect("floats are numbers");
    let mut sum = number(0.0);
    for i in 0..x.len() - 1 {
        let (a, b) = (number(1.0) - x[i], x[i + 1] - x[i] * x[i]);
        sum = sum + (number(100.0) * b * b + a * a);
    }
    sum
}

/// Prepared for so many inputs.
pub fn gradients(n: usize) -> Vec<(&'static str, Gradient)> {
    let (mut one, mut eight) = (vec![F1::cst(0.0); n], vec![Hyperdual::<f64, 9>::from_real(0.0); n]);
    let mut all: Vec<(&'static str, Gradient)> = vec![
        (
            "autodiff, directly",
            Box::new(move |x, g| {
                one.iter_mut().zip(x).for_each(|(own, x)| *own = F1::cst(*x));
                for i in 0..x.len() {
                    one[i].dx = 1.0;
                    g[i] = rosenbrock(&one).dx;
                    one[i].dx = 0.0;
                }
            }),
        ),
        ("echidna, directly", Box::new(|x, g| g.copy_from_slice(&echidna::grad(rosenbrock, x)))),
    ];
    let mut tape = echidna::record(rosenbrock, &vec![0.5; n]).0;
    let mut adjoints = Vec::new();
    all.push((
        "echidna, its tape replayed directly",
        Box::new(move |x, g| g.copy_from_slice(&tape.gradient_with_buf(x, &mut adjoints))),
    ));
    if n == 8 {
        all.push((
            "hyperdual, directly",
            Box::new(move |x, g| {
                for (i, (own, x)) in eight.iter_mut().zip(x).enumerate() {
                    *own = Hyperdual::from_real(*x);
                    own[i + 1] = 1.0;
                }
                let y = rosenbrock(&eight);
                (0..8).for_each(|i| g[i] = y[i + 1]);
            }),
        ));
    }
    all
}
