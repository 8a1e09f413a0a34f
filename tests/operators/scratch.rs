//! Scratch that the function makes longer or shorter, of any length to begin with: the derivative is that of the numbers it holds in the end.

use diffi::prelude::*;

#[differentiable(cache(tmp))]
fn cleared(x: &[f64], tmp: &mut Vec<f64>) -> f64 {
    tmp.clear();
    for v in x {
        tmp.push(v * v);
    }
    tmp.iter().map(|v| v * v).sum()
}

#[differentiable]
fn fill(x: &[f64], tmp: &mut Vec<f64>) {
    tmp.resize(x.len(), 0.0);
    for i in 0..x.len() {
        tmp[i] = x[i] * x[i];
    }
}

#[differentiable(cache(tmp))]
fn handed_on(x: &[f64], tmp: &mut Vec<f64>) -> f64 {
    fill(x, tmp);
    tmp.iter().map(|v| v * v).sum()
}

#[differentiable(cache(tmp))]
fn assigned(x: &[f64], tmp: &mut Vec<f64>) -> f64 {
    *tmp = x.iter().map(|v| v * v).collect();
    tmp.iter().map(|v| v * v).sum()
}

#[differentiable(cache(tmp))]
fn cut(x: &[f64], tmp: &mut Vec<f64>) -> f64 {
    tmp.extend(x.iter().map(|v| v * v));
    tmp.drain(..tmp.len() - x.len());
    if x[0] < 0.0 {
        return 0.0;
    }
    tmp.iter().map(|v| v * v).sum()
}

#[derive(Clone, Differentiable)]
struct Scale {
    k: f64,
}

#[differentiable]
impl Scale {
    #[differentiable(cache(tmp))]
    fn total(&self, x: &[f64], tmp: &mut Vec<f64>) -> f64 {
        tmp.truncate(0);
        for v in x {
            tmp.push(self.k * v * v);
        }
        tmp.iter().sum()
    }
}

/// The sum of fourth powers.
macro_rules! agrees {
    ($($f:ident)+) => { $(
        let x = [1.0, 2.0, 3.0];
        for n in [0, 2, 3, 5] {
            let scratch = || vec![0.5; n];
            let name = (stringify!($f), n);
            let expected = vec![4.0, 32.0, 108.0];
            assert_eq!(gradient($f::D, AutoReverse, (&x, Cache(&mut scratch()))).unwrap(), expected, "{name:?}");
            assert_eq!(gradient($f::D, AutoForward, (&x, Cache(&mut scratch()))).unwrap(), expected, "{name:?}");
            let by_v = hvp($f::D, AutoReverse, (&x, Cache(&mut scratch())), &[1.0, 0.0, 1.0]).unwrap();
            assert_eq!(by_v, [12.0, 0.0, 108.0], "{name:?}");
            let j = jacobian($f::D, AutoReverse, (&x, Cache(&mut scratch()))).unwrap();
            assert_eq!(j.into_raw_vec_and_offset().0, expected, "{name:?}");
        }
    )+ };
}

#[test]
fn scratch_of_any_length_serves() {
    agrees! { cleared handed_on assigned cut }
}

#[test]
fn scratch_of_a_method_serves() {
    for n in [0, 2, 5] {
        let args = (&Scale { k: 2.0 }, &[1.0, 2.0, 3.0], Cache(&mut vec![0.5; n]));
        let (scale, x) = gradient(Scale::total_d, AutoReverse, args).unwrap();
        assert_eq!((scale.k, x), (14.0, vec![4.0, 8.0, 12.0]));
    }
}

#[test]
fn a_prepared_gradient_takes_its_own_scratch_again() {
    let (x, mut scratch) = ([1.0, 2.0, 3.0], vec![0.0; 3]);
    let mut prepared = prepare_gradient(cleared::D, AutoReverse, (&x, Cache(&mut scratch))).unwrap();
    for _ in 0..3 {
        assert_eq!(prepared.gradient((&x, Cache(&mut scratch))).unwrap(), [4.0, 32.0, 108.0]);
    }
}
