//! The benchmarks' hand-written gradients against central differences: a wrong one would be a wrong measure.

#![allow(clippy::needless_range_loop)]

#[allow(dead_code)]
#[path = "../benches/models/mod.rs"]
mod models;

use models::{alternating, burgers, cholesky, gauss, heat, kmeans, llsq, lorenz, newton, ode, planets, tridiagonal};
use models::{gmm, log_sum_exp, lstm, perceptron, random, rosenbrock, squared_steps, sum_of_squares};

/// Compares in up to 40 places.
fn check(what: &str, f: impl Fn(&[f64]) -> f64, x: &[f64], gradient: &[f64]) {
    let mut moved = x.to_vec();
    for i in (0..x.len()).step_by(x.len().div_ceil(40)) {
        let step = 1e-5;
        moved[i] = x[i] + step;
        let above = f(&moved);
        moved[i] = x[i] - step;
        let below = f(&moved);
        moved[i] = x[i];
        let difference = (above - below) / (2.0 * step);
        let scale = gradient[i].abs().max(1.0);
        assert!(
            (difference - gradient[i]).abs() < 1e-5 * scale,
            "{what}[{i}]: {difference} by differences, {} by hand",
            gradient[i]
        );
    }
}

#[test]
fn functions_of_a_slice() {
    type Model = (&'static str, fn(&[f64]) -> f64, fn(&[f64], &mut [f64]));
    let models: [Model; 4] = [
        ("sum of squares", sum_of_squares::sum_of_squares, sum_of_squares::gradient_by_hand),
        ("rosenbrock", rosenbrock::rosenbrock, rosenbrock::gradient_by_hand),
        ("squared steps", squared_steps::squared_steps, squared_steps::gradient_by_hand),
        ("log sum exp", log_sum_exp::log_sum_exp, log_sum_exp::gradient_by_hand),
    ];
    for n in [1, 2, 3, 10, 100] {
        let mut random = random(n as u64);
        let x: Vec<f64> = (0..n).map(|_| 2.0 * random() - 0.5).collect();
        for (name, f, gradient_by_hand) in models {
            let mut gradient = vec![f64::NAN; n];
            gradient_by_hand(&x, &mut gradient);
            check(name, f, &x, &gradient);
        }
    }
}

#[test]
fn mixtures() {
    for (d, k, spelling) in [
        (1, 1, gmm::gradient_plain as fn(&gmm::Mixture, &mut gmm::Workspace, &mut [f64], &mut [f64], &mut [f64])),
        (2, 5, gmm::gradient_plain),
        (5, 3, gmm::gradient_plain),
        (2, 2, gmm::gradient_tuned),
        (3, 2, gmm::gradient_tuned),
        (4, 2, gmm::gradient_tuned),
        (7, 3, gmm::gradient_tuned),
        (10, 4, gmm::gradient_by_hand),
    ] {
        let mixture = gmm::Mixture { gamma: 1.3, m: 2, ..gmm::Mixture::new(d, k, 40) };
        let gmm::Mixture { alphas, means, icf, points, gamma, m, .. } = &mixture;
        let mut work = gmm::Workspace::new(&mixture);
        let (mut a, mut b, mut c) = (vec![0.0; alphas.len()], vec![0.0; means.len()], vec![0.0; icf.len()]);
        for _ in 0..2 {
            spelling(&mixture, &mut work, &mut a, &mut b, &mut c); // the second time with a used workspace
        }
        check("alphas", |x| gmm::log_posterior(x, means, icf, points, d, *gamma, *m), alphas, &a);
        check("means", |x| gmm::log_posterior(alphas, x, icf, points, d, *gamma, *m), means, &b);
        check("icf", |x| gmm::log_posterior(alphas, means, x, points, d, *gamma, *m), icf, &c);
    }
}

#[test]
fn recurrent_networks() {
    for layers in [1, 2, 4] {
        let network = lstm::Network::new(layers, 30, 14);
        let lstm::Network { width, main, extra, state, sequence } = &network;
        let mut work = lstm::Workspace::new(&network);
        let (mut main_bar, mut extra_bar) = (vec![0.0; main.len()], vec![0.0; extra.len()]);
        for _ in 0..2 {
            lstm::gradient_by_hand(&network, &mut work, &mut main_bar, &mut extra_bar);
        }
        // The loss is a mean over many terms: scaled up, so that the tolerance means something.
        let scale = 1000.0;
        let scaled = |bar: &[f64]| bar.iter().map(|b| scale * b).collect::<Vec<_>>();
        check("main", |x| scale * lstm::loss(x, extra, state, sequence, *width), main, &scaled(&main_bar));
        check("extra", |x| scale * lstm::loss(main, x, state, sequence, *width), extra, &scaled(&extra_bar));
    }
}

#[test]
fn feed_forward_networks() {
    for (spelling, hidden) in [
        (perceptron::pullback_by_hand as fn(&perceptron::Network, &[f64], &mut [f64], &mut perceptron::Bars), 13),
        (perceptron::pullback_reassociated, 8),
    ] {
        let network = perceptron::Network::new(9, hidden, 5);
        let perceptron::Network { x, w1, b1, w2, b2 } = &network;
        let y_bar = [1.0, -0.5, 0.25, 2.0, 0.0];
        let mut bars = perceptron::Bars::new(&network);
        for _ in 0..2 {
            spelling(&network, &y_bar[..], &mut vec![0.0; hidden][..], &mut bars);
        }
        let value = |w1: &[f64], b1: &[f64], w2: &[f64], b2: &[f64]| {
            let mut y = [0.0; 5];
            perceptron::perceptron(x, w1, b1, w2, b2, &mut y);
            y.iter().zip(y_bar).map(|(y, bar)| y * bar).sum::<f64>()
        };
        check("w1", |v| value(v, b1, w2, b2), w1, &bars.w1);
        check("b1", |v| value(w1, v, w2, b2), b1, &bars.b1);
        check("w2", |v| value(w1, b1, v, b2), w2, &bars.w2);
        check("b2", |v| value(w1, b1, w2, v), b2, &bars.b2);
    }
}

#[test]
fn explicit_steps_in_place() {
    for (n, steps) in [(3, 1), (3, 4), (4, 3), (5, 2), (9, 7), (40, 10)] {
        let u: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let mut bar = vec![f64::NAN; n];
        let mut work = burgers::Workspace::new(n, steps);
        for _ in 0..2 {
            burgers::gradient_by_hand(&u, 0.2, 0.1, steps, &mut work, &mut bar);
        }
        check("burgers", |u| burgers::burgers(u, 0.2, 0.1, steps), &u, &bar);
        heat::gradient_by_hand(&u, 0.3, steps, &mut heat::Workspace::new(n), &mut bar);
        check("heat", |u| heat::heat(u, 0.3, steps), &u, &bar);
    }
}

#[test]
fn attracting_bodies() {
    for (bodies, steps) in [(2, 1), (3, 4), (7, 20)] {
        let system = planets::System::new(bodies);
        let planets::System { position, velocity, masses, dt } = &system;
        let (mut x_bar, mut v_bar) = (vec![f64::NAN; 3 * bodies], vec![f64::NAN; 3 * bodies]);
        let mut work = planets::Workspace::new(bodies, steps);
        for _ in 0..2 {
            planets::gradient_by_hand(&system, steps, &mut work, &mut x_bar, &mut v_bar);
        }
        check("position", |x| planets::planets(x, velocity, masses, *dt, steps), position, &x_bar);
        check("velocity", |v| planets::planets(position, v, masses, *dt, steps), velocity, &v_bar);
    }
}

#[test]
fn runge_kutta_steps() {
    let (y, p) = ([1.0, 0.5, 2.0], [10.0, 28.0, 8.0 / 3.0]);
    for steps in [1, 2, 20] {
        let (y_bar, p_bar) = lorenz::gradient_by_hand(y, p, 0.01, &mut lorenz::Workspace::new(steps));
        let three = |v: &[f64]| [v[0], v[1], v[2]];
        check("start", |y| lorenz::lorenz(three(y), p, 0.01, steps), &y, &y_bar);
        check("parameters", |p| lorenz::lorenz(y, three(p), 0.01, steps), &p, &p_bar);
    }
}

#[test]
fn roots() {
    let (p, q) = ([0.5, 1.0, 3.0, 0.1], [1.0, -2.0, 0.3, 4.0]);
    let (mut p_bar, mut q_bar) = ([f64::NAN; 4], [f64::NAN; 4]);
    newton::gradient_by_hand(&p, &q, &mut newton::Workspace::new(), &mut p_bar, &mut q_bar);
    check("p", |p| newton::newton(p, &q), &p, &p_bar);
    check("q", |q| newton::newton(&p, q), &q, &q_bar);
    newton::gradient_line_by_line(&p, &q, &mut newton::Workspace::new(), &mut p_bar, &mut q_bar);
    check("p, line by line", |p| newton::newton(p, &q), &p, &p_bar);
    check("q, line by line", |q| newton::newton(&p, q), &q, &q_bar);
}

#[test]
fn tridiagonal_systems() {
    for n in [2, 3, 10, 40] {
        let system = tridiagonal::System::new(n);
        let tridiagonal::System { lower, diagonal, upper, rhs } = &system;
        let mut bars = tridiagonal::Bars::new(n);
        let mut work = tridiagonal::Workspace::new(n);
        for _ in 0..2 {
            tridiagonal::gradient_by_hand(&system, &mut work, &mut bars);
        }
        check("lower", |v| tridiagonal::tridiagonal(v, diagonal, upper, rhs), lower, &bars.lower);
        check("diagonal", |v| tridiagonal::tridiagonal(lower, v, upper, rhs), diagonal, &bars.diagonal);
        check("upper", |v| tridiagonal::tridiagonal(lower, diagonal, v, rhs), upper, &bars.upper);
        check("rhs", |v| tridiagonal::tridiagonal(lower, diagonal, upper, v), rhs, &bars.rhs);
    }
}

#[test]
fn dense_systems() {
    type Spelling = fn(&[f64], &[f64], &mut gauss::Workspace, &mut [f64], &mut [f64]);
    let spellings: [Spelling; 2] = [gauss::gradient_by_hand, gauss::gradient_by_adjoint_system];
    for n in [1, 2, 5, 20] {
        let mut random = random(n as u64);
        let mut matrix: Vec<f64> = (0..n * n).map(|_| random() - 0.5).collect();
        (0..n).for_each(|i| matrix[(n - 1 - i) * n + i] += 1.0 + 0.5 * n as f64); // far from the diagonal, so that rows are swapped
        let rhs: Vec<f64> = (0..n).map(|_| random()).collect();
        for spelling in spellings {
            let (mut a_bar, mut y_bar) = (vec![f64::NAN; n * n], vec![f64::NAN; n]);
            let mut work = gauss::Workspace::new(n);
            for _ in 0..2 {
                spelling(&matrix, &rhs, &mut work, &mut a_bar, &mut y_bar);
            }
            check("matrix", |a| gauss::gauss(a, &rhs), &matrix, &a_bar);
            check("rhs", |b| gauss::gauss(&matrix, b), &rhs, &y_bar);
        }
    }
}

#[test]
fn determinants() {
    for n in [1, 2, 3, 9, 20] {
        let matrix = cholesky::matrix(n);
        let mut bars = vec![f64::NAN; n * n];
        let mut work = cholesky::Workspace::new(n);
        for _ in 0..2 {
            cholesky::gradient_by_hand(&matrix, n, &mut work, &mut bars);
        }
        check("matrix", |a| cholesky::cholesky(a, n), &matrix, &bars);
    }
}

#[test]
fn alternating_directions() {
    for (n, steps) in [(2, 1), (3, 2), (4, 3), (6, 5)] {
        let mut random = random(n as u64);
        let u: Vec<f64> = (0..n * n).map(|_| random()).collect();
        let mut bar = vec![f64::NAN; n * n];
        alternating::gradient_by_hand(&u, 0.4, n, steps, &mut alternating::Workspace::new(n), &mut bar);
        check("start", |u| alternating::alternating(u, 0.4, n, steps), &u, &bar);
    }
}

#[test]
fn kalman_filters() {
    let model = models::kalman::Model::new(4, 6);
    let mut by_hand = models::kalman::ByHand::new(&model);
    by_hand.gradient(&model);
    let (n, matrices) = (4, [&model.a, &model.q].map(|m| m.iter().copied().collect::<Vec<f64>>()));
    let x = [&matrices[0][..], &matrices[1], &[model.r]].concat();
    let gradient: Vec<f64> = by_hand.a_bar.iter().chain(&by_hand.q_bar).copied().chain([by_hand.r_bar]).collect();
    let matrix = |values: &[f64]| ndarray::Array2::from_shape_vec((n, n), values.to_vec()).expect("a square");
    let value = |x: &[f64]| models::kalman::kalman(&matrix(&x[..16]), &matrix(&x[16..32]), x[32], &model.h, &model.ys);
    check("kalman", value, &x, &gradient);
}

#[cfg(feature = "nalgebra")]
#[test]
fn gaussian_processes() {
    use models::gaussian_process::{Data, gaussian_process, gradient_by_hand};
    let data = Data::new(40);
    let mut memory = [(); 2].map(|()| nalgebra::DMatrix::zeros(40, 40));
    let [lower, inverse] = &mut memory;
    let gradient = gradient_by_hand(&data, lower, inverse);
    let value = |p: &[f64]| gaussian_process(p[0], p[1], p[2], &data.x, &data.y);
    check("gaussian process", value, &[data.length, data.signal, data.noise], &gradient);
}

#[test]
fn polynomials() {
    let x: Vec<f64> = (0..7).map(|i| (i as f64).cos()).collect();
    for n in [2, 3, 10] {
        let (mut powers, mut gradient) = (vec![0.0; 7], vec![f64::NAN; 7]);
        llsq::gradient_by_hand(&x, n, &mut powers, &mut gradient);
        check("llsq", |x| llsq::objective::half_squared_error(x, n), &x, &gradient);
    }
}

#[test]
fn chains_of_equations() {
    for (n, steps) in [(1, 1), (2, 3), (5, 1), (5, 4)] {
        let x: Vec<f64> = (0..n).map(|i| 1.0 + 0.5 * (i as f64).sin()).collect();
        let (mut work, mut gradient) = (ode::Workspace::new(n, steps), vec![f64::NAN; n]);
        for _ in 0..2 {
            ode::gradient_by_hand(&x, steps, &mut work, &mut gradient);
        }
        check("ode", |x| ode::objective::solve(x, steps)[n - 1], &x, &gradient);
    }
}

#[test]
fn clusters() {
    let mut random = random(3);
    let points: Vec<f64> = (0..60).map(|_| random()).collect();
    let centroids = points[..12].iter().map(|v| v + 0.01).collect::<Vec<_>>();
    let (mut gradient, mut diagonal) = (vec![f64::NAN; 12], vec![f64::NAN; 12]);
    kmeans::newton_by_hand(&centroids, &points, 3, &mut gradient, &mut diagonal);
    check("kmeans", |c| kmeans::objective::within_clusters(c, &points, 3), &centroids, &gradient);
    for i in 0..12 {
        let slope = |c: &[f64]| {
            let (mut gradient, mut diagonal) = (vec![0.0; 12], vec![0.0; 12]);
            kmeans::newton_by_hand(c, &points, 3, &mut gradient, &mut diagonal);
            gradient[i]
        };
        let mut above = centroids.clone();
        above[i] += 1e-6;
        let difference = (slope(&above) - gradient[i]) / 1e-6;
        assert!((difference - diagonal[i]).abs() < 1e-3, "[{i}]: {difference}, {}", diagonal[i]);
    }
}
