//! `#[differentiable(vector_math)]`: the same derivatives up to rounding, whatever the loops look like.
#![allow(clippy::needless_range_loop, clippy::manual_memcpy)] // index loops are among what is tested

use diffi::prelude::*;

/// Functions with and without the option, and with `reassociate` besides.
macro_rules! thrice {
    ($(#[differentiable($($options:tt)*)] pub fn $name:ident $rest:tt -> $ret:ty $body:block)+) => {
        mod alone {
            use diffi::prelude::*;
            $(#[differentiable($($options)*)] pub fn $name $rest -> $ret $body)+
        }
        mod vectors {
            use diffi::prelude::*;
            $(#[differentiable(vector_math, $($options)*)] pub fn $name $rest -> $ret $body)+
        }
        mod reassociated {
            use diffi::prelude::*;
            $(#[differentiable(vector_math, reassociate, $($options)*)] pub fn $name $rest -> $ret $body)+
        }
    };
}

thrice! {
    // chains, and what is read twice
    #[differentiable()]
    pub fn log_sum_exp(x: &[f64]) -> f64 {
        let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = x.iter().map(|v| (v - largest).exp()).sum();
        largest + sum.ln()
    }

    #[differentiable()]
    pub fn sum_of_powers(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for v in x {
            total += v.exp();
        }
        total
    }

    // arrays that the loop overwrites, element by element
    #[differentiable()]
    pub fn softmax_entropy(x: &[f64]) -> f64 {
        let mut p = x.to_vec();
        let mut sum = 0.0;
        for v in p.iter_mut() {
            *v = (0.3 * *v).exp();
            sum += *v;
        }
        p.iter().map(|v| v / sum).map(|v| -v * v.ln()).sum()
    }

    // functions of functions, and several of one argument
    #[differentiable()]
    pub fn nested(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 0..x.len() {
            let a = (0.5 * x[i]).exp();
            let b = (a + x[i]).sin() * a.cos();
            total += (b + 1.5).ln() * x[i].sinh() + (b * a).tanh();
        }
        total
    }

    // backwards, and not from zero
    #[differentiable()]
    pub fn downwards(x: &[f64]) -> f64 {
        let mut state = 1.0;
        for i in (1..x.len()).rev() {
            state = 0.5 * state + (x[i] * x[i - 1]).cosh().ln();
        }
        state
    }

    // the argument waits for the iteration before: this stays what it was
    #[differentiable()]
    pub fn carried(x: &[f64]) -> f64 {
        let mut state = 0.1;
        for i in 0..x.len() {
            state = (state + x[i]).tanh() + 0.1 * x[i].exp_m1();
        }
        state
    }

    // the element before is written by the iteration before
    #[differentiable()]
    pub fn neighbours(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        for i in 1..y.len() {
            y[i] = (0.5 * y[i - 1]).sin() + x[i];
        }
        for i in 0..y.len().max(1) - 1 {
            y[i + 1] += y[i].cos();
        }
        y.iter().map(|v| v * v).sum()
    }

    // written first and read then, and read first and written then
    #[differentiable()]
    pub fn overwritten(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        let mut total = 0.0;
        for i in 0..y.len() {
            y[i] = 0.5 * y[i] + 0.2;
            total += y[i].exp();
        }
        for i in 0..y.len() {
            let e = (0.3 * y[i]).exp();
            y[i] = e * x[i];
            total += y[i].tanh();
        }
        total + y.iter().sum::<f64>()
    }

    // elements that other iterations write to, found through a table
    #[differentiable()]
    pub fn scattered(x: &[f64]) -> f64 {
        let n = x.len();
        let places: Vec<usize> = (0..n).map(|i| (3 * i + 1) % n).collect();
        let mut y = x.to_vec();
        for i in 0..n {
            let e = (0.2 * y[i]).exp();
            y[places[i]] += 0.1 * e;
        }
        y.iter().map(|v| v * v).sum()
    }

    // an index that depends on what other iterations write
    #[differentiable()]
    pub fn asked(x: &[f64]) -> f64 {
        let n = x.len();
        let mut y = x.to_vec();
        for i in 1..n {
            let twice = 2.0 * y[i];
            let k = (y[i - 1] > 0.3) as usize;
            let e = (0.3 * twice * x[k]).exp();
            y[i] = 0.5 * e - 0.3 * x[i];
        }
        y.iter().map(|v| v * v).sum()
    }

    // two rows of one array, of which each iteration has one element each
    #[differentiable()]
    pub fn cells(x: &[f64]) -> f64 {
        let width = x.len() / 2;
        let mut state = x.to_vec();
        for _ in 0..3 {
            for i in 0..width {
                let gate = 1.0 / (1.0 + (-state[i]).exp());
                state[width + i] = gate * state[width + i] + (state[i] * x[i]).tanh();
                state[i] = gate * state[width + i].tanh();
            }
        }
        state.iter().map(|v| v * v).sum()
    }

    // rows that meet: the second half is read by the iterations of the first
    #[differentiable()]
    pub fn overlapping(x: &[f64]) -> f64 {
        let half = x.len() / 2;
        let mut state = x.to_vec();
        for i in 0..x.len() - half {
            let e = (0.1 * state[i]).exp();
            state[half + i] += 0.5 * e;
        }
        state.iter().sum()
    }

    // loops in loops
    #[differentiable()]
    pub fn kernel(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 0..x.len() {
            let mut row = 0.0;
            for j in 0..i {
                let d = x[i] - x[j];
                row += (-0.5 * d * d).exp();
            }
            total += (1.0 + row).ln() * x[i].cos();
        }
        total
    }

    // some iterations only, and what is asked of values
    #[differentiable()]
    pub fn conditions(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 0..x.len() {
            let e = (0.4 * x[i]).exp();
            if e > 1.0 {
                total += e * x[i].ln_1p().abs().max(0.1);
            } else if i % 3 == 0 {
                total -= (x[i] * e).sin();
            }
        }
        total
    }

    // several records of different kinds in one loop
    #[differentiable()]
    pub fn recorded(x: &[f64]) -> f64 {
        let mut a = 1.0;
        let mut total = 0.0;
        for i in 0..x.len() {
            let e = (0.1 * x[i]).exp();
            let s = (2.0 * x[i]).sin();
            a = a * (0.9 + 0.1 * e) * s.mul_add(0.01, 1.0);
            total += a * s * e;
        }
        total
    }

    // iterations that call functions and check what they are given
    #[differentiable()]
    pub fn checked(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 0..x.len() {
            let e = x[i].exp();
            assert!(e > 0.0, "a power is positive");
            total += super::twice(e) * (x[i] + 3.0).ln();
        }
        total
    }
}

#[differentiable]
fn twice(x: f64) -> f64 {
    2.0 * x.sin()
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.9 * (1.3 * i as f64 + 0.4).sin()).collect()
}

fn close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() <= 2e-12 * e.abs().max(1.0), "{what}: {f}, alone {e}");
    }
}

const LENGTHS: [usize; 12] = [1, 2, 5, 8, 17, 63, 64, 65, 72, 127, 128, 150];

#[test]
fn derivatives_are_the_same_for_every_length() {
    macro_rules! each {
        ($($name:ident)+) => { $( one!($name vectors); one!($name reassociated); )+ };
    }
    macro_rules! one {
        ($name:ident $vectors:ident) => {
            for n in LENGTHS {
                let what = &format!("{} of {n} numbers, {}", stringify!($name), stringify!($vectors));
                let (x, v) = (numbers(n), numbers(n + 3)[3..].to_vec());
                let (y, g) = value_and_gradient($vectors::$name::D, AutoReverse, &x).unwrap();
                let (y0, g0) = value_and_gradient(alone::$name::D, AutoReverse, &x).unwrap();
                close(&[y], &[y0], what);
                close(&g, &g0, what);
                let (y, dy) = value_and_pushforward($vectors::$name::D, AutoForward, &x, &v).unwrap();
                close(&[y], &[y0], what);
                close(&[dy], &[g0.iter().zip(&v).map(|(g, v)| g * v).sum::<f64>()], what);
                let both = pushforward($vectors::$name::D, AutoForward, &x, [&v, &x]).unwrap();
                close(&[both[0]], &[dy], what);
                let mut at = prepare_pullback_same_point($vectors::$name::D, AutoReverse, &x, 1.0).unwrap();
                close(&at.pullback(1.0).unwrap(), &g0, what);
                close(&at.pullback(-2.0).unwrap(), &g0.iter().map(|g| -2.0 * g).collect::<Vec<_>>(), what);
                let b = SecondOrder(AutoForward, AutoReverse);
                let hv = hvp($vectors::$name::D, b, &x, &v).unwrap();
                close(&hv, &hvp(alone::$name::D, b, &x, &v).unwrap(), what);
                close(&hvp($vectors::$name::D, b, &x, [&x, &v]).unwrap()[1], &hv, what);
            }
        };
    }
    each!(log_sum_exp sum_of_powers softmax_entropy nested downwards carried neighbours overwritten scattered asked cells overlapping kernel conditions recorded checked);
}

#[differentiable(vector_math)]
fn generic_sum<T: num_traits::Float>(x: &[T]) -> T {
    let mut total = T::zero();
    for i in 0..x.len() {
        total = total + x[i].tanh();
    }
    total
}

#[differentiable]
fn single_sum(x: &[f32]) -> f32 {
    generic_sum(x)
}

#[differentiable]
fn double_sum(x: &[f64]) -> f64 {
    generic_sum(x)
}

/// The option holds for all functions of the block.
struct Scale {
    by: f64,
}

#[differentiable(vector_math, constant(self))]
impl Scale {
    fn total(&self, x: &[f64], weights: &[f64]) -> f64 {
        x.iter().zip(weights).map(|(v, w)| (v * self.by).exp() * w.ln()).sum()
    }
}

#[test]
fn other_floats_methods_and_constants() {
    let x = numbers(70);
    let slopes: Vec<f64> = x.iter().map(|v| 1.0 - v.tanh() * v.tanh()).collect();
    close(&gradient(double_sum::D, AutoReverse, &x).unwrap(), &slopes, "1 - tanh²");
    let single: Vec<f32> = x.iter().map(|v| *v as f32).collect();
    for (g, slope) in gradient(single_sum::D, AutoReverse, &single).unwrap().iter().zip(&slopes) {
        assert!((f64::from(*g) - slope).abs() < 1e-6, "{g}, in more digits {slope}");
    }
    let (scale, w) = (Scale { by: 0.5 }, (0..70).map(|i| 1.0 + i as f64).collect::<Vec<_>>());
    let expected: Vec<f64> = x.iter().zip(&w).map(|(v, w)| 0.5 * (0.5 * v).exp() * w.ln()).collect();
    let g = gradient(Scale::total_d, AutoReverse, (Constant(&scale), &x, Constant(&w[..]))).unwrap();
    close(&g, &expected, "one is constant");
    let g = gradient(Scale::total_d, AutoReverse, (Constant(&scale), Constant(&x[..]), &w)).unwrap();
    close(&g, &x.iter().zip(&w).map(|(v, w)| (0.5 * v).exp() / w).collect::<Vec<_>>(), "the other is constant");
}

#[test]
fn values_that_are_no_numbers() {
    let mut x = numbers(100);
    (x[3], x[65], x[99]) = (f64::NAN, -800.0, 800.0);
    let (y, g) = value_and_gradient(vectors::sum_of_powers::D, AutoReverse, &x).unwrap();
    assert!(y.is_nan() && g[3].is_nan());
    assert_eq!((g[65], g[99]), (0.0, f64::INFINITY));
    close(&[g[98]], &[x[98].exp()], "beside them");
}

/// Values of a whole strip as the runtime finds them.
fn powers(x: &[f64; 64]) -> [f64; 64] {
    use diffi::__private::vector_math::{Strip, Vectors, exp};
    let mut powers = Strip::of(0.0);
    powers.copy_from_slice(x);
    exp(&mut powers, 64, Vectors::found());
    *powers
}

#[test]
fn only_the_option_changes_values() {
    let x: [f64; 64] = std::array::from_fn(|i| 0.37 * i as f64 - 11.0);
    let (alone, vectors) = (x.map(f64::exp), powers(&x));
    assert_ne!(alone, vectors, "some differ in the last digit");
    assert_eq!(gradient(alone::sum_of_powers::D, AutoReverse, &x[..]).unwrap(), alone);
    assert_eq!(gradient(vectors::sum_of_powers::D, AutoReverse, &x[..]).unwrap(), vectors);
    assert_eq!(vectors::sum_of_powers(&x), alone.iter().sum::<f64>(), "the function stays what it is");
    let dy = pushforward(vectors::sum_of_powers::D, AutoForward, &x[..], &[1.0; 64][..]).unwrap();
    assert_eq!(dy, vectors.iter().sum::<f64>());
}
