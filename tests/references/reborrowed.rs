//! `*rr`, where `rr` leads to a reference: a call that gets it changes what that leads to.

pub mod in_a_loop {
    use diffi::prelude::*;
    #[differentiable]
    fn scale(v: &mut f64) {
        *v *= 2.0;
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        for mut r in v.iter_mut() {
            let rr = &mut r;
            scale(*rr);
        }
        v[0] * v[1] * v[2]
    }
}

pub mod asked {
    use diffi::prelude::*;
    #[differentiable]
    fn step(v: &mut f64, k: f64) -> bool {
        *v *= k;
        *v > 1.0
    }
    fn is_big(v: f64) -> bool {
        v > 0.5
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let (mut v, k) = (x.to_vec(), x[1]);
        for mut r in v.iter_mut() {
            let rr = &mut r;
            if is_big(**rr) && step(*rr, k) {
                **rr += k * k;
            }
        }
        v[0] * v[1] * v[3]
    }
}

pub mod method {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    struct Gain {
        k: f64,
    }
    #[differentiable]
    impl Gain {
        fn apply(&self, v: &mut f64) {
            *v *= self.k;
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let gain = Gain { k: x[1] };
        let mut v = x.to_vec();
        for mut r in v.iter_mut() {
            let rr = &mut r;
            gain.apply(*rr);
        }
        v[0] * v[1]
    }
}

pub mod rows {
    use diffi::prelude::*;
    #[differentiable]
    fn halve(v: &mut [f64], n: usize) -> bool {
        if n == 0 {
            return true;
        }
        for a in v.iter_mut() {
            *a *= 0.5 + *a;
        }
        halve(v, n - 1)
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut m = vec![x.to_vec(), x.to_vec()];
        for mut row in m.iter_mut() {
            let rr = &mut row;
            let all = halve(*rr, 2);
            if all {
                rr[1] *= 3.0;
            }
        }
        m[0][0] * m[1][1]
    }
}

pub mod found {
    use diffi::prelude::*;
    #[differentiable]
    fn scale(v: &mut f64, k: f64) {
        *v *= k;
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        if let Some(mut last) = v.last_mut() {
            let rr = &mut last;
            scale(*rr, x[0]);
        }
        let mut first = &mut v[0];
        let rr = &mut first;
        scale(*rr, x[1]);
        v[0] * v[5]
    }
}
