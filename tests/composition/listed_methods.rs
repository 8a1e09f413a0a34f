//! Methods that give iterators, `impl Iterator<Item = T> + '_`, under adaptors and consumers.

use crate::check::number;
use diffi::prelude::*;

mod mapped {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    struct P {
        v: Vec<f64>,
    }
    #[differentiable]
    impl P {
        fn pairs(&self) -> impl Iterator<Item = f64> + '_ {
            self.v.windows(2).map(|w| w[0] * w[1])
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let p = P { v: vec![x[0], x[1], x[0] * x[1]] };
        p.pairs().map(|v| v.sin()).sum()
    }
}

mod summed {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    struct P {
        v: Vec<f64>,
    }
    #[differentiable]
    impl P {
        fn pairs(&self) -> impl Iterator<Item = f64> + '_ {
            self.v.windows(2).map(|w| w[0] * w[1])
        }
        fn energy(&self) -> f64 {
            self.pairs().sum()
        }
        fn top(&self) -> f64 {
            self.pairs().fold(0.0, f64::max)
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let p = P { v: vec![x[0], x[1], x[0] * x[1]] };
        p.pairs().sum::<f64>() * p.energy() + p.top()
    }
}

mod collected {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    struct P {
        v: Vec<f64>,
    }
    #[differentiable]
    impl P {
        fn pairs(&self) -> Box<dyn Iterator<Item = f64> + '_> {
            Box::new(self.v.windows(2).map(|w| w[0] * w[1]))
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let p = P { v: vec![x[0], x[1], x[0] * x[1]] };
        let all: Vec<f64> = p.pairs().collect();
        let n = p.pairs().count();
        all[0] * all[1] * n as f64
    }
}

mod pairs {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    struct P {
        v: Vec<f64>,
        w: Vec<f64>,
    }
    #[differentiable]
    impl P {
        fn terms(&self, k: f64) -> impl Iterator<Item = (f64, f64)> + '_ {
            self.v.iter().zip(&self.w).map(move |(a, b)| (a * k, b * b))
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let p = P { v: x.to_vec(), w: vec![x[1], 2.0] };
        p.terms(x[0]).map(|(a, b)| a * b).sum::<f64>()
            + p.terms(2.0).enumerate().map(|(i, (a, b))| a + b * i as f64).sum::<f64>()
            + p.terms(1.0).filter(|(a, _)| *a > 1.0).map(|(a, _)| a).sum::<f64>()
    }
}

mod extremes {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    struct P {
        v: Vec<f64>,
    }
    #[differentiable]
    impl P {
        fn gaps(&self) -> impl Iterator<Item = f64> + '_ {
            self.v.windows(2).map(|w| w[1] - w[0])
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let p = P { v: vec![x[0], x[1] * 3.0, x[0] * x[1]] };
        let m = p.gaps().max_by(|a, b| a.total_cmp(b)).unwrap();
        let any = p.gaps().any(|g| g > 0.0);
        let last = p.gaps().last().unwrap();
        if any { m * last } else { m }
    }
}

mod of_traits {
    use diffi::prelude::*;
    #[differentiable]
    trait Terms {
        fn terms(&self) -> Box<dyn Iterator<Item = f64> + '_>;
    }
    #[derive(Clone, Differentiable)]
    struct P {
        v: Vec<f64>,
    }
    #[differentiable]
    impl Terms for P {
        fn terms(&self) -> Box<dyn Iterator<Item = f64> + '_> {
            Box::new(self.v.iter().map(|v| v * v))
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let p = P { v: x.to_vec() };
        p.terms().map(|v| v.sin()).sum::<f64>()
    }
}

#[test]
fn methods_that_give_iterators() {
    number!(mapped::f::D, [1.3, 0.7], |x| x, |x| mapped::f(x));
    number!(summed::f::D, [1.3, 0.7], |x| x, |x| summed::f(x));
    number!(collected::f::D, [1.3, 0.7], |x| x, |x| collected::f(x));
    number!(pairs::f::D, [1.3, 0.7], |x| x, |x| pairs::f(x));
    number!(extremes::f::D, [1.3, 0.7], |x| x, |x| extremes::f(x));
    number!(of_traits::f::D, [1.3, 0.7], |x| x, |x| of_traits::f(x));
}
