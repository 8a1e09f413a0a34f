// Methods of users' traits that rustc finds before those of std, whatever the receivers hold.
use diffi::prelude::*;

trait OfArrays {
    fn to_vec(&self) -> Vec<f64>;
}

impl OfArrays for [f64; 9] {
    fn to_vec(&self) -> Vec<f64> {
        vec![self[0] * 3.0]
    }
}

trait OfVectors {
    fn to_vec(&self) -> Vec<(f64, f64)>;
}

impl OfVectors for Vec<(f64, f64)> {
    fn to_vec(&self) -> Vec<(f64, f64)> {
        vec![(self[0].0 * self[0].1, 1.0)]
    }
}

trait OfOptions {
    fn as_mut(self) -> Option<f64>;
}

impl OfOptions for Option<f64> {
    fn as_mut(self) -> Option<f64> {
        self.map(|v| v * v)
    }
}

trait OfIterators {
    fn nth(self, n: usize) -> Option<f64>;
}

impl OfIterators for std::slice::Iter<'_, f64> {
    fn nth(self, n: usize) -> Option<f64> {
        Some(self.as_slice()[n] * 2.0)
    }
}

trait OfQueues {
    fn pop_front(&self) -> Option<f64>;
}

impl OfQueues for std::collections::VecDeque<f64> {
    fn pop_front(&self) -> Option<f64> {
        Some(self[1])
    }
}

trait OfTuples {
    fn clone(self) -> (f64, f64);
}

impl OfTuples for (f64, f64) {
    fn clone(self) -> (f64, f64) {
        (self.1, self.0)
    }
}

trait BehindReferences {
    fn unwrap_or_default(&self) -> f64;
}

impl BehindReferences for Option<f64> {
    fn unwrap_or_default(&self) -> f64 {
        3.0
    }
}

mod ndarray {
    pub fn arr1(v: &[f64]) -> Vec<f64> {
        vec![v[0] * 2.0, v[1]]
    }
}

#[differentiable]
fn a_queue(x: &[f64]) -> f64 {
    let mut q: std::collections::VecDeque<f64> = x.iter().copied().collect();
    q.pop_front().unwrap() * x[0]
}

#[differentiable]
fn a_tuple(x: &[f64]) -> f64 {
    let t = (x[0], x[1]);
    let u = t.clone();
    u.0 * u.1 * u.1
}

#[differentiable]
fn an_option_behind_a_reference(x: &[f64]) -> f64 {
    let o = Some(x[0]);
    let r = &o;
    r.unwrap_or_default() * x[1]
}

#[differentiable]
fn a_function_of_arrays(x: &[f64]) -> f64 {
    let a = ndarray::arr1(&[x[0], x[1]]);
    a[0] * a[1]
}

#[differentiable]
fn an_array(x: &[f64]) -> f64 {
    let a = [x[0]; 9];
    a.to_vec()[0]
}

#[differentiable]
fn a_vector_of_tuples(x: &[f64]) -> f64 {
    let v = vec![(x[0], x[1])];
    let w = v.to_vec();
    w[0].0 * w[0].1
}

#[differentiable]
fn an_option(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    let mut t = x[1];
    if let Some(v) = o.as_mut() {
        t *= v;
    }
    t
}

#[differentiable]
fn an_iterator(x: &[f64]) -> f64 {
    let mut it = x.iter();
    it.nth(1).unwrap() * x[0]
}

mod floats {
    use diffi::prelude::*;

    macro_rules! declared {
        ($Trait:ident) => {
            pub trait $Trait: Copy + std::ops::Mul<Output = Self> {
                fn sin(self) -> Self;
            }
        };
    }
    declared!(Float);

    impl Float for f64 {
        fn sin(self) -> f64 {
            self * self
        }
    }

    #[differentiable]
    pub fn a_generic_float<T: Float>(x: T) -> T {
        x.sin() * x
    }
}

mod containers {
    use diffi::prelude::*;

    #[derive(Clone)]
    pub struct Vec<T>(T, T);

    #[differentiable]
    pub fn a_container(x: &[f64]) -> f64 {
        let v: Vec<f64> = Vec(x[0], x[1]);
        v.0 * v.1
    }
}

mod letters {
    use diffi::prelude::*;

    const N: usize = 2;

    #[differentiable]
    pub fn a_constant(x: &[f64]) -> f64 {
        match (x.len(), N) {
            (N, 2) => x[N - 1],
            _ => x[0],
        }
    }
}

fn main() {}
