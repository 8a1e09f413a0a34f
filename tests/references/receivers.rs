//! Methods that return their receiver.

pub mod builder {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Curve {
        a: f64,
        pts: Vec<f64>,
    }
    #[differentiable]
    impl Curve {
        fn new(pts: &[f64]) -> Self {
            Curve { a: 1.0, pts: pts.to_vec() }
        }
        fn scale(&mut self, s: f64) -> &mut Self {
            for x in self.pts.iter_mut() {
                *x *= s;
            }
            self
        }
        fn shift(&mut self, s: f64) -> &mut Self {
            self.a += s;
            for x in &mut self.pts {
                *x += s * self.a;
            }
            self
        }
        fn clampless(&mut self, on: bool) -> &mut Self {
            if !on {
                return self;
            }
            self.a *= 2.0;
            self
        }
        fn twice(&mut self, s: f64) -> &mut Self {
            self.scale(s).scale(s)
        }
        fn value(&self) -> f64 {
            self.a * self.pts.iter().map(|x| x * x).sum::<f64>()
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut m = Curve::new(p);
        m.scale(p[0]).shift(p[1]);
        m.shift(p[2]);
        let v = m.scale(p[3]).value();
        m.clampless(false).clampless(true).twice(p[4]);
        let r = m.shift(v);
        r.scale(0.5);
        let w = Curve::new(&p[1..3]).shift(p[5]).scale(p[0]).value();
        m.value() * 0.1 + v + w
    }
}

pub mod chain_build {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Net {
        w: Vec<f64>,
        bias: f64,
        on: bool,
    }
    #[differentiable]
    impl Net {
        pub fn new() -> Self {
            Net { w: Vec::new(), bias: 0.0, on: false }
        }
        pub fn weight(&mut self, w: f64) -> &mut Self {
            self.w.push(w);
            self
        }
        pub fn bias(&mut self, b: f64) -> &mut Self {
            self.bias = b;
            self
        }
        pub fn enable(&mut self) -> &mut Self {
            self.on = true;
            self
        }
        pub fn eval(&self, x: f64) -> f64 {
            if !self.on {
                return 0.0;
            }
            let mut s = self.bias;
            for w in &self.w {
                s = s * x + w;
            }
            s
        }
        pub fn build(&self) -> Net {
            self.clone()
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut n = Net::new();
        n.weight(p[0]).weight(p[1]).bias(p[2]).enable();
        for k in 3..5 {
            n.weight(p[k]).weight(p[k] * p[0]);
        }
        let m = Net::new().weight(p[1]).weight(p[5]).enable().build();
        let c = n.bias(p[0] * p[1]).clone();
        n.eval(p[5]) + m.eval(p[0]) * c.eval(0.5)
    }
}

pub mod chosen {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Node {
        v: f64,
        kids: Vec<Node>,
    }
    #[differentiable]
    impl Node {
        fn scaled(&mut self, s: f64) -> &mut Self {
            self.v *= s;
            self
        }
        fn shifted(&mut self, s: f64) -> &mut Self {
            self.v += s;
            self
        }
        /// One of its own, or itself.
        fn pick(&mut self, k: usize) -> &mut Node {
            if k > 0 {
                return &mut self.kids[k - 1];
            }
            self
        }
    }
    #[differentiable]
    pub fn returned_early(p: &[f64]) -> f64 {
        let mut n = Node { v: p[0], kids: vec![Node { v: p[1], kids: vec![] }, Node { v: p[2], kids: vec![] }] };
        n.pick(1).v *= p[3];
        n.pick(0).v *= p[2];
        n.pick(2).v += n.v;
        n.v * 2.0 + n.kids[0].v * 3.0 + n.kids[1].v * p[0]
    }
    #[differentiable]
    pub fn indexed_once(p: &[f64]) -> f64 {
        let node = |v: f64| Node { v, kids: vec![] };
        let mut rows = vec![node(p[0]), node(p[1]), node(p[2])];
        let mut k = 0;
        rows[{
            k += 1;
            k
        }]
        .scaled(2.0)
        .shifted(p[3]);
        rows[k]
            .scaled({
                k -= 1;
                p[4]
            })
            .shifted(p[5]);
        rows[0].v * 2.0 + rows[1].v * 3.0 + rows[2].v * 5.0 + k as f64 * p[0]
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        returned_early(p) * indexed_once(p)
    }
}
