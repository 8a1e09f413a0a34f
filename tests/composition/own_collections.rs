//! `collect()` into own types, by their annotated `impl FromIterator`, and `Vec::from_iter`.

use crate::check::number;
use diffi::prelude::*;

mod typed {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    struct Poly {
        c: Vec<f64>,
    }
    #[differentiable]
    impl FromIterator<f64> for Poly {
        fn from_iter<I: IntoIterator<Item = f64>>(it: I) -> Poly {
            Poly { c: it.into_iter().collect() }
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let p: Poly = x.iter().map(|v| v * v).collect();
        p.c[0] * p.c[1]
    }
}

mod named {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    struct Mean {
        sum: f64,
        n: usize,
    }
    #[differentiable]
    impl FromIterator<f64> for Mean {
        fn from_iter<I: IntoIterator<Item = f64>>(it: I) -> Self {
            let mut sum = 0.0;
            let mut n = 0;
            for v in it {
                sum += v.sin();
                n += 1;
            }
            Mean { sum, n }
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let m = x.iter().copied().collect::<Mean>();
        m.sum / m.n as f64 * x[0]
    }
}

mod given {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    struct Poly {
        c: Vec<f64>,
    }
    #[differentiable]
    impl FromIterator<f64> for Poly {
        fn from_iter<I: IntoIterator<Item = f64>>(it: I) -> Self {
            Self { c: Vec::from_iter(it) }
        }
    }
    #[differentiable]
    fn squares(x: &[f64]) -> Poly {
        x.iter().map(|v| v * v).collect()
    }
    #[differentiable]
    impl Poly {
        fn at(&self, x: f64) -> f64 {
            self.c.iter().rev().fold(0.0, |s, c| s * x + c)
        }
        fn derived(&self) -> Poly {
            self.c.iter().enumerate().skip(1).map(|(i, c)| c * i as f64).collect()
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let p = squares(x);
        p.at(x[0]) * p.derived().at(x[1])
    }
}

mod generic {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    struct Poly<T> {
        c: Vec<T>,
    }
    #[differentiable]
    impl<T: num_traits::Float> FromIterator<T> for Poly<T> {
        fn from_iter<I: IntoIterator<Item = T>>(it: I) -> Self {
            Poly { c: it.into_iter().collect() }
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let p: Poly<f64> = x.iter().map(|v| v * v).collect();
        p.c[0] * p.c[1]
    }
}

mod of_std {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let v = Vec::from_iter(x.iter().map(|v| v * v));
        let w = Vec::<f64>::from_iter([x[1], x[0]]);
        let q = std::collections::VecDeque::from_iter(v.iter().copied());
        v[0] * w[0] + q[1]
    }
}

#[test]
fn collections_of_own_types() {
    number!(typed::f::D, [1.3, 0.7], |x| x, |x| typed::f(x));
    number!(named::f::D, [1.3, 0.7], |x| x, |x| named::f(x));
    number!(given::f::D, [1.3, 0.7], |x| x, |x| given::f(x));
    number!(generic::f::D, [1.3, 0.7], |x| x, |x| generic::f(x));
    number!(of_std::f::D, [1.3, 0.7], |x| x, |x| of_std::f(x));
}
