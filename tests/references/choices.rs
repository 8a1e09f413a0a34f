//! References that a condition chooses.

pub mod slices {
    use diffi::prelude::*;
    #[differentiable]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let a = p.to_vec();
        let b: Vec<f64> = p.iter().map(|x| x * x).collect();
        let w = if p[0] > 0.5 { &a[1..4] } else { &b[..3] };
        let v: &[f64] = if p[1] < 0.0 { &a } else { &b[2..5] };
        let mut s = 0.0;
        for i in 0..3 {
            s += w[i] * v[i];
        }
        s + dot(w, v) + w.iter().sum::<f64>()
    }
}

pub mod parts_of_an_argument {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..3 {
            let r = if i % 2 == 0 { &p[i..] } else { &p[..3] };
            s += r[0] * r[1];
        }
        let u = match p.len() % 3 {
            0 => &p[1..],
            1 => &p[2..],
            _ => p,
        };
        s * u[0] * u[3]
    }
}

pub mod exclusive {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut a = p.to_vec();
        let mut b = vec![1.0; 6];
        {
            let w = if p[0] > 0.5 { &mut a[..] } else { &mut b[..] };
            for x in w.iter_mut() {
                *x *= 2.0;
            }
            w[0] += p[1];
        }
        for k in 0..4 {
            let w = if k % 2 == 0 { &mut a } else { &mut b };
            w[k] *= p[k];
            w[k + 1] += w[k];
        }
        a.iter().sum::<f64>() + b.iter().map(|x| x * x).sum::<f64>()
    }
}

pub mod numbers {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let (mut a, mut b) = (p[0], p[1]);
        let r = if p[2] > 0.0 { &mut a } else { &mut b };
        *r *= p[3];
        *r += 1.0;
        a * b
    }
}

pub mod fields {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct S {
        a: Vec<f64>,
        b: Vec<f64>,
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let s = S { a: p.to_vec(), b: p.iter().map(|x| x * x).collect() };
        let w = if p[0] > 0.5 { &s.a } else { &s.b };
        let v = if p[0] > 0.9 { &s.a[1..] } else { &s.b[2..] };
        w[0] * w[1] * v[0]
    }
}

pub mod in_loops {
    use diffi::prelude::*;
    #[differentiable]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }
    #[derive(Differentiable, Clone)]
    pub struct S {
        a: Vec<f64>,
        b: Vec<f64>,
        on: bool,
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let s = S { a: p.to_vec(), b: p.iter().map(|x| x * x).collect(), on: p[0] > 0.5 };
        let w = if s.on { &s.a[1..4] } else { &s.b[..3] };
        let v: &[f64] = if p[1] < 0.0 { &s.a } else { &s.b[2..5] };
        let u = match p.len() % 3 {
            0 => &s.a,
            1 => &s.b,
            _ => &s.b,
        };
        let mut t = 0.0;
        for i in 0..3 {
            let r = if i % 2 == 0 { &s.a[i..] } else { &s.b[i..] };
            t += r[0] * r[1];
        }
        dot(w, v) + u[0] * u[5] + t + w.iter().sum::<f64>()
    }
}

pub mod jumps {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let (mut a, mut b) = (p.to_vec(), vec![p[0]; 6]);
        let mut s = 0.0;
        for k in 0..7 {
            let w = match k {
                0 | 2 => &mut a[k..],
                1 => &mut b[..],
                6 => break,
                5 => continue,
                _ => {
                    if p[0] > 3.0 {
                        return s;
                    } else {
                        &mut a[1..]
                    }
                }
            };
            w[0] *= p[k % 6];
            let v = w[0] * w[1];
            w[1] += v;
            s += v;
        }
        s + a[1] * b[1]
    }
}
