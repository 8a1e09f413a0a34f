//! Conditions that join patterns and tests, of branches and of loops.

use crate::check::number;
use diffi::prelude::*;

mod stacks {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut st = vec![x[0], x[1], x[0] * x[1]];
        let mut s = 0.0;
        while let Some(v) = st.pop()
            && s < 2.0
        {
            s += v.exp();
        }
        s + st.len() as f64
    }
}

mod labels {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = 0.0;
        let mut k = 0;
        'a: while k < 5
            && let Some(v) = x.get(k)
            && *v > 0.0
        {
            k += 1;
            if k == 2 {
                s *= 2.0;
                continue 'a;
            }
            s += v.sin();
        }
        s
    }
}

mod slices {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut r = x;
        let mut s = 1.0;
        while let Some((a, rest)) = r.split_first()
            && *a > 0.1
        {
            s *= a.sin();
            r = rest;
        }
        s
    }
}

mod functions {
    use diffi::prelude::*;
    #[differentiable]
    fn step(v: f64, k: usize) -> Option<f64> {
        if k < 4 { Some(v * v * 0.5 + 0.1) } else { None }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut v = x[0];
        let mut k = 0;
        while let Some(n) = step(v, k)
            && n < 5.0
        {
            v = n + x[1];
            k += 1;
        }
        v
    }
}

mod two_patterns {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut a = x.to_vec();
        let mut b = vec![x[1], x[0] * 2.0];
        let mut s = 0.0;
        while let Some(v) = a.pop()
            && let Some(w) = b.pop()
            && v + w < 10.0
        {
            s += v * w;
        }
        s
    }
}

mod popped {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = 1.0;
        let mut v = x.to_vec();
        while let Some(a) = v.pop()
            && a > 0.0
        {
            s *= a.sin();
        }
        s
    }
}

mod first {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = x[0];
        if let Some(a) = x.first()
            && *a > 0.0
        {
            s *= a.sin();
        } else {
            s = x[1];
        }
        s
    }
}

mod asked {
    use diffi::prelude::*;
    #[differentiable]
    fn pick(x: &[f64], i: usize) -> Option<f64> {
        if i < x.len() { Some(x[i] * x[0]) } else { None }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = x[0];
        if let Some(a) = pick(x, 1)
            && let Some(b) = pick(x, 0)
            && a < b
        {
            s *= a * b;
        } else {
            s += x[1];
        }
        if s > 0.1
            && let Some(c) = pick(x, 1)
        {
            s -= c;
        }
        s
    }
}

mod walked {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = 1.0;
        let mut it = x.iter();
        while let Some(a) = it.next()
            && s < 10.0
        {
            s *= a.exp();
        }
        s
    }
}

mod constant_options {
    use diffi::prelude::*;
    #[differentiable(constant(m))]
    fn g(m: Option<usize>, x: &[f64]) -> f64 {
        let mut s = x[0];
        if let Some(k) = m
            && k < x.len()
        {
            s *= x[k];
        }
        s
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        g(Some(1), x) + g(None, x)
    }
}

#[test]
fn chained_conditions() {
    number!(stacks::f::D, [1.3, 0.7], |x| x, |x| stacks::f(x));
    number!(labels::f::D, [1.3, 0.7], |x| x, |x| labels::f(x));
    number!(slices::f::D, [1.3, 0.7], |x| x, |x| slices::f(x));
    number!(functions::f::D, [1.3, 0.7], |x| x, |x| functions::f(x));
    number!(two_patterns::f::D, [1.3, 0.7], |x| x, |x| two_patterns::f(x));
    number!(popped::f::D, [1.3, 0.7], |x| x, |x| popped::f(x));
    number!(first::f::D, [1.3, 0.7], |x| x, |x| first::f(x));
    number!(asked::f::D, [1.3, 0.7], |x| x, |x| asked::f(x));
    number!(walked::f::D, [1.3, 0.7], |x| x, |x| walked::f(x));
    number!(constant_options::f::D, [1.3, 0.7], |x| x, |x| constant_options::f(x));
}
