//! Calls for what they change: nothing reads the values that they give.

use crate::check::number;
use diffi::prelude::*;

mod lists_of_parts {
    use diffi::prelude::*;
    #[differentiable]
    fn step(s: &mut [f64], h: f64) -> Vec<f64> {
        s[1] += -s[0] * h;
        s[0] += s[1] * h;
        vec![s[0] * s[1], s[1]]
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = x.to_vec();
        for _ in 0..3 {
            step(&mut s, 0.1);
        }
        s[0] * s[1]
    }
}

mod variants {
    use diffi::prelude::*;
    #[derive(Clone, Copy, Differentiable)]
    enum Out {
        Small(f64),
        Big { v: f64, w: f64 },
    }
    #[differentiable]
    fn step(s: &mut [f64], h: f64) -> Out {
        s[1] += -s[0] * h;
        s[0] += s[1] * h;
        if s[0] > 1.0 { Out::Big { v: s[0], w: s[1] } } else { Out::Small(s[1]) }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = x.to_vec();
        for _ in 0..3 {
            step(&mut s, 0.4);
        }
        s[0] * s[1]
    }
}

mod structs_of_lists {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    struct Out {
        l: Vec<f64>,
        n: usize,
    }
    #[derive(Clone, Differentiable)]
    struct Sys {
        q: Vec<f64>,
    }
    #[differentiable]
    impl Sys {
        fn step(&mut self, h: f64) -> Out {
            let n = self.q.len();
            for i in 0..n {
                let a = self.q[(i + 1) % n];
                self.q[i] += a * h;
            }
            Out { l: self.q.iter().map(|v| v * v).collect(), n }
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = Sys { q: x.to_vec() };
        for k in 0..4 {
            if k % 2 == 0 {
                s.step(0.3);
            } else {
                let _ = s.step(0.2);
            }
        }
        s.q[0] * s.q[1]
    }
}

mod results {
    use diffi::prelude::*;
    #[derive(Clone, Copy, Differentiable)]
    struct Out {
        a: f64,
        b: f64,
    }
    #[differentiable]
    fn step(s: &mut [f64], h: f64) -> Result<Out, String> {
        if h < 0.0 {
            return Err("h".into());
        }
        s[1] += -s[0] * h;
        s[0] += s[1] * h;
        Ok(Out { a: s[0], b: s[1] * s[1] })
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = x.to_vec();
        for _ in 0..3 {
            step(&mut s, 0.1).unwrap();
            let _ = step(&mut s, 0.2);
            step(&mut s, 0.1).ok();
        }
        s[0] * s[1]
    }
}

mod asked {
    use diffi::prelude::*;
    #[derive(Clone, Copy, Differentiable)]
    struct Out {
        a: f64,
        b: f64,
    }
    #[differentiable]
    fn step(s: &mut [f64], h: f64) -> Option<Out> {
        if h < 0.0 {
            return None;
        }
        s[1] += -s[0] * h;
        s[0] += s[1] * h;
        Some(Out { a: s[0], b: s[1] * s[1] })
    }
    #[differentiable]
    fn run(x: &[f64]) -> Option<f64> {
        let mut s = x.to_vec();
        for _ in 0..3 {
            step(&mut s, 0.1)?;
        }
        Some(s[0] * s[1])
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        run(x).unwrap() * x[0]
    }
}

mod long_arrays {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    struct P {
        v: [f64; 40],
    }
    #[differentiable]
    impl P {
        fn go(&mut self, h: f64) -> [f64; 40] {
            for i in 0..40 {
                self.v[i] *= 1.0 + h * self.v[(i + 7) % 40];
            }
            self.v
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut p = P { v: [x[0]; 40] };
        p.v[3] = x[1];
        p.go(0.1);
        p.go(0.2);
        p.v[0] * p.v[3] * p.v[36]
    }
}

mod numbers {
    use diffi::prelude::*;
    #[derive(Clone, Default, Differentiable)]
    struct S {
        p: f64,
        v: f64,
    }
    #[differentiable]
    fn step(s: &mut S, h: f64) -> f64 {
        s.v += -s.p * h;
        s.p += s.v * h;
        s.p * s.p
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = S { p: x[0], v: x[1] };
        for _ in 0..3 {
            step(&mut s, 0.1);
        }
        s.p * s.v
    }
}

mod structs {
    use diffi::prelude::*;
    #[derive(Clone, Copy, Default, Differentiable)]
    struct S {
        p: f64,
        v: f64,
    }
    #[derive(Clone, Copy, Default, Differentiable)]
    struct E {
        k: f64,
        u: f64,
    }
    #[differentiable]
    fn step(s: &mut S, h: f64) -> E {
        s.v += -s.p * h;
        s.p += s.v * h;
        E { k: s.v * s.v, u: s.p }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = S { p: x[0], v: x[1] };
        for _ in 0..3 {
            step(&mut s, 0.1);
        }
        s.p * s.v
    }
}

mod copies {
    use diffi::prelude::*;
    #[derive(Clone, Copy, Default, Differentiable)]
    struct S {
        p: f64,
        v: f64,
    }
    #[differentiable]
    fn step(s: &mut S, h: f64) -> S {
        s.v += -s.p * h;
        s.p += s.v * h;
        *s
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = S { p: x[0], v: x[1] };
        for _ in 0..3 {
            step(&mut s, 0.1);
        }
        s.p * s.v
    }
}

mod lists {
    use diffi::prelude::*;
    #[differentiable]
    fn step(s: &mut [f64], h: f64) -> Vec<f64> {
        s[1] += -s[0] * h;
        s[0] += s[1] * h;
        s.to_vec()
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = x.to_vec();
        for _ in 0..3 {
            step(&mut s, 0.1);
        }
        s[0] * s[1]
    }
}

mod arrays {
    use diffi::prelude::*;
    #[differentiable]
    fn step(s: &mut [f64; 2], h: f64) -> [f64; 2] {
        s[1] += -s[0] * h;
        s[0] += s[1] * h;
        *s
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = [x[0], x[1]];
        for _ in 0..3 {
            step(&mut s, 0.1);
            let _ = step(&mut s, 0.2);
        }
        s[0] * s[1]
    }
}

mod tuples {
    use diffi::prelude::*;
    #[differentiable]
    fn step(s: &mut [f64; 2], h: f64) -> (f64, f64) {
        s[1] += -s[0] * h;
        s[0] += s[1] * h;
        (s[0], s[1] * 2.0)
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = [x[0], x[1]];
        for _ in 0..3 {
            step(&mut s, 0.1);
            let _ = step(&mut s, 0.2);
        }
        s[0] * s[1]
    }
}

mod options {
    use diffi::prelude::*;
    #[differentiable]
    fn step(s: &mut [f64; 2], h: f64) -> Option<f64> {
        if s[0] > 100.0 {
            return None;
        }
        s[1] += -s[0] * h;
        s[0] += s[1] * h;
        Some(s[0])
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = [x[0], x[1]];
        for _ in 0..3 {
            step(&mut s, 0.1);
        }
        s[0] * s[1]
    }
}

mod methods {
    use diffi::prelude::*;
    #[derive(Clone, Copy, Default, Differentiable)]
    struct S {
        p: f64,
        v: f64,
    }
    #[derive(Clone, Copy, Default, Differentiable)]
    struct E {
        k: f64,
        u: f64,
    }
    #[differentiable]
    impl S {
        fn step(&mut self, h: f64) -> E {
            self.v += -self.p * h;
            self.p += self.v * h;
            E { k: self.v, u: self.p }
        }
        fn go(&mut self, h: f64) -> f64 {
            self.p += h * self.v;
            self.p
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = S { p: x[0], v: x[1] };
        for _ in 0..3 {
            s.step(0.1);
            s.go(0.2);
        }
        s.p * s.v
    }
}

mod recursions {
    use diffi::prelude::*;
    #[derive(Clone, Copy, Default, Differentiable)]
    struct S {
        p: f64,
        v: f64,
    }
    #[differentiable]
    fn step(s: &mut S, n: usize) -> S {
        if n > 0 {
            s.v += -s.p * 0.1;
            step(s, n - 1);
        }
        s.p += s.v * 0.1;
        *s
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = S { p: x[0], v: x[1] };
        step(&mut s, 3);
        s.p * s.v
    }
}

mod enums {
    use diffi::prelude::*;
    #[derive(Clone, Copy, PartialEq, Debug, Differentiable)]
    enum Kind {
        Low,
        High,
    }
    #[differentiable]
    fn kind(x: &mut [f64]) -> Kind {
        x[0] *= 1.5;
        if x[0] > 1.0 { Kind::High } else { Kind::Low }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        let k = kind(&mut y);
        match k {
            Kind::High => y[0] * y[1],
            Kind::Low => y[0],
        }
    }
}

#[test]
fn unread_results() {
    number!(lists_of_parts::f::D, [1.3, 0.7], |x| x, |x| lists_of_parts::f(x));
    number!(variants::f::D, [1.3, 0.7], |x| x, |x| variants::f(x));
    number!(structs_of_lists::f::D, [1.3, 0.7], |x| x, |x| structs_of_lists::f(x));
    number!(results::f::D, [1.3, 0.7], |x| x, |x| results::f(x));
    number!(asked::f::D, [1.3, 0.7], |x| x, |x| asked::f(x));
    number!(long_arrays::f::D, [1.3, 0.7], |x| x, |x| long_arrays::f(x));
    number!(numbers::f::D, [1.3, 0.7], |x| x, |x| numbers::f(x));
    number!(structs::f::D, [1.3, 0.7], |x| x, |x| structs::f(x));
    number!(copies::f::D, [1.3, 0.7], |x| x, |x| copies::f(x));
    number!(lists::f::D, [1.3, 0.7], |x| x, |x| lists::f(x));
    number!(arrays::f::D, [1.3, 0.7], |x| x, |x| arrays::f(x));
    number!(tuples::f::D, [1.3, 0.7], |x| x, |x| tuples::f(x));
    number!(options::f::D, [1.3, 0.7], |x| x, |x| options::f(x));
    number!(methods::f::D, [1.3, 0.7], |x| x, |x| methods::f(x));
    number!(recursions::f::D, [1.3, 0.7], |x| x, |x| recursions::f(x));
    number!(enums::f::D, [1.3, 0.7], |x| x, |x| enums::f(x));
}
