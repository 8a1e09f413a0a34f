//! Several products at one point.

use crate::hand::*;
use diffi_runtime::backend::{AutoFiniteDiff, AutoForward, AutoReverse};
use diffi_runtime::operators::same_point::*;

const X: [f64; 3] = [1.2, -0.5, 2.0];

#[track_caller]
fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len(), "{a:?} {b:?}");
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-8 * b.abs().max(1.0)), "{a:?} {b:?}");
}

macro_rules! all {
    ($(fn $name:ident($backend:ident) $body:block)+) => { $(
        #[test]
        fn $name() {
            {
                let $backend = AutoReverse;
                $body
            }
            {
                let $backend = AutoForward;
                $body
            }
            let $backend = AutoFiniteDiff;
            $body
        }
    )+ };
}

all! {
    fn pullbacks(backend) {
        let mut at = prepare_pullback_same_point(products::D, backend, &X, &[0.0; 2]).unwrap();
        assert_eq!(at.value(), products(&X));
        for _ in 0..2 {
            close(&at.pullback(&[1.0, 10.0]).unwrap(), &[X[1], X[0] + 10.0 * X[2], 10.0 * X[1]]);
            let mut dx = [0.0; 3];
            at.pullback_into(&mut dx, &[0.0, 1.0]).unwrap();
            close(&dx, &[0.0, X[2], X[1]]);
        }
        assert!(at.pullback(&[1.0]).is_err());
    }

    fn pullbacks_of_several_seeds(backend) {
        let mut at = prepare_pullback_same_point(norms::D, backend, (&[1.0, 2.0], &[3.0, -1.0]), [(1.0, 0.0), (0.0, 1.0)]).unwrap();
        let [(a0, b0), (a1, b1)] = at.pullback([(1.0, 0.0), (0.0, 1.0)]).unwrap();
        close(&a0, &[3.0, -1.0]);
        close(&b0, &[1.0, 2.0]);
        close(&a1, &[2.0, 4.0]);
        close(&b1, &[0.0, 0.0]);
    }

    fn what_is_overwritten_is_overwritten_once(backend) {
        let mut x = X;
        let mut at = prepare_pullback_same_point(advance::D, backend, (&mut x, 0.5), (0.0, &[0.0; 3])).unwrap();
        for _ in 0..2 {
            let (dx, dk) = at.pullback((1.0, &[0.0, 1.0, 0.0])).unwrap();
            close(&dx, &[1.0, 1.0 + X[1], 1.0]);
            close(&[dk], &[X[1] * X[1]]);
        }
        close(&x, &X.map(|x| 0.5 * x * x));
        let mut x = X;
        let mut at = prepare_pushforward_same_point(advance::D, backend, (&mut x, 0.5), (&[0.0; 3], 0.0)).unwrap();
        for _ in 0..2 {
            let (sum, dx) = at.pushforward((&[1.0, 0.0, 0.0], 2.0)).unwrap();
            close(&[sum], &[1.0]);
            close(&dx, &[X[0] + 2.0 * X[0] * X[0], 2.0 * X[1] * X[1], 2.0 * X[2] * X[2]]);
        }
        close(&x, &X.map(|x| 0.5 * x * x));
    }

    fn pushforwards(backend) {
        let mut at = prepare_pushforward_same_point(products::D, backend, &X, &[0.0; 3]).unwrap();
        assert_eq!(at.value(), products(&X));
        close(&at.pushforward(&[0.0, 1.0, 0.0]).unwrap(), &[X[0], X[2]]);
        let mut dy = vec![0.0; 2];
        at.pushforward_into(&mut dy, &[1.0, 0.0, 0.0]).unwrap();
        close(&dy, &[X[1], 0.0]);
    }
}

#[test]
fn products_with_hessians() {
    let mut at = prepare_hvp_same_point(rosenbrock::D, AutoReverse, &[1.0, 2.0], &[0.0; 2]).unwrap();
    assert_eq!(at.hvp(&[1.0, 0.0]).unwrap(), [402.0, -400.0]);
    let mut hv = [0.0; 2];
    at.hvp_into(&mut hv, &[0.0, 1.0]).unwrap();
    assert_eq!(hv, [-400.0, 200.0]);
}
