//! Parameters of any type that becomes text, and lists of texts, of structs that change.

#![allow(dead_code, unused, reason = "programs as people write them")]

/// A builder that sets a name.
mod set {
    use diffi::prelude::*;

    #[derive(Debug, Default, Clone, Differentiable)]
    pub struct B {
        a: f64,
        #[differentiable(constant)]
        name: Option<String>,
    }
    #[differentiable]
    impl B {
        pub fn name(mut self, n: impl Into<String>) -> Self {
            self.name = Some(n.into());
            self
        }
        pub fn a(mut self, t: f64) -> Self {
            self.a = t;
            self
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let b = B::default().a(x[0] * x[1]).name("q");
        b.a * x[0]
    }
}

/// Constructors that take a name.
mod made {
    use diffi::prelude::*;

    #[derive(Debug, Default, Clone, Differentiable)]
    pub struct B {
        a: f64,
        #[differentiable(constant)]
        name: String,
    }
    #[differentiable]
    impl B {
        pub fn named<S: Into<String>>(mut self, n: S) -> Self {
            self.name = n.into();
            self
        }
        pub fn new(name: impl Into<String>, a: f64) -> Self {
            B { a, name: name.into() }
        }
        pub fn plain(name: &str, a: f64) -> Self {
            B { a, name: name.into() }
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let b = B::new("w", x[0] * x[1]).named("q");
        b.a * x[0] * B::plain("a", x[1]).a
    }
}

/// A builder whose result may fail.
mod built {
    use diffi::prelude::*;

    #[derive(Debug, Default, Clone, Differentiable)]
    pub struct SplineBuilder {
        knots: Vec<(f64, f64)>,
        tension: Option<f64>,
        #[differentiable(constant)]
        name: Option<String>,
    }
    #[derive(Debug, Clone, Differentiable)]
    pub struct Spline {
        xs: Vec<f64>,
        ys: Vec<f64>,
        slopes: Vec<f64>,
    }
    #[differentiable]
    impl SplineBuilder {
        pub fn new() -> Self {
            Self::default()
        }
        pub fn knot(mut self, x: f64, y: f64) -> Self {
            self.knots.push((x, y));
            self
        }
        pub fn tension(mut self, t: f64) -> Self {
            self.tension = Some(t);
            self
        }
        pub fn name(mut self, n: impl Into<String>) -> Self {
            self.name = Some(n.into());
            self
        }
        pub fn build(self) -> Result<Spline, String> {
            if self.knots.len() < 2 {
                return Err(format!("{:?}: too few", self.name));
            }
            let mut knots = self.knots;
            knots.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
            let (xs, ys): (Vec<f64>, Vec<f64>) = knots.into_iter().unzip();
            let t = self.tension.unwrap_or(0.0);
            let n = xs.len();
            let mut slopes = vec![0.0; n];
            for i in 0..n {
                let (l, r) = (i.saturating_sub(1), (i + 1).min(n - 1));
                slopes[i] = (1.0 - t) * (ys[r] - ys[l]) / (xs[r] - xs[l]);
            }
            Ok(Spline { xs, ys, slopes })
        }
    }
    #[differentiable]
    impl Spline {
        pub fn eval(&self, x: f64) -> f64 {
            let i = match self.xs.binary_search_by(|p| p.partial_cmp(&x).unwrap()) {
                Ok(i) => return self.ys[i],
                Err(0) => return self.ys[0],
                Err(i) if i == self.xs.len() => return self.ys[i - 1],
                Err(i) => i - 1,
            };
            let h = self.xs[i + 1] - self.xs[i];
            let u = (x - self.xs[i]) / h;
            let (u2, u3) = (u * u, u * u * u);
            (2.0 * u3 - 3.0 * u2 + 1.0) * self.ys[i]
                + (u3 - 2.0 * u2 + u) * h * self.slopes[i]
                + (3.0 * u2 - 2.0 * u3) * self.ys[i + 1]
                + (u3 - u2) * h * self.slopes[i + 1]
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let s = SplineBuilder::new()
            .knot(1.0, x[0])
            .knot(0.0, 0.2)
            .knot(2.0, x[0] * x[1])
            .tension(0.1 * x[1])
            .name("demo")
            .build()
            .unwrap();
        s.eval(0.4 + 0.1 * x[0]) + s.eval(1.5)
    }
}

/// Texts of the program in a list.
mod listed {
    use diffi::prelude::*;

    #[derive(Debug, Clone, Differentiable)]
    pub struct M {
        #[differentiable(constant)]
        names: Vec<&'static str>,
        y: Vec<f64>,
    }
    #[differentiable]
    impl M {
        fn add(&mut self, name: &'static str, q: f64) -> &mut Self {
            self.names.push(name);
            self.y.push(q);
            self
        }
        fn scale(&mut self) {
            let s: f64 = self.y.iter().sum();
            for q in &mut self.y {
                *q /= s;
            }
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut m = M { names: Vec::new(), y: vec![] };
        m.add("a", x[0]).add("b", x[1] * x[0]);
        m.scale();
        m.y[0] * x[0] * m.names.len() as f64
    }
}

/// Names by which constants are found.
mod mixture {
    use diffi::prelude::*;

    #[derive(Debug, Clone, Copy)]
    pub struct Species {
        pub name: &'static str,
        pub mw: f64,
        pub cp: [f64; 3],
    }
    pub const SPECIES: &[Species] = &[
        Species { name: "N2", mw: 28.0, cp: [29.0, 0.2, -0.01] },
        Species { name: "O2", mw: 32.0, cp: [28.0, 0.5, -0.02] },
    ];
    #[derive(Debug, Clone, Differentiable)]
    pub struct Mixture {
        #[differentiable(constant)]
        names: Vec<&'static str>,
        fractions: Vec<f64>,
        temperature: f64,
    }
    #[differentiable]
    impl Mixture {
        fn new(temperature: f64) -> Self {
            Mixture { names: Vec::new(), fractions: Vec::new(), temperature }
        }
        fn add(&mut self, name: &'static str, fraction: f64) -> &mut Self {
            self.names.push(name);
            self.fractions.push(fraction);
            self
        }
        fn normalize(&mut self) {
            let s: f64 = self.fractions.iter().sum();
            for q in &mut self.fractions {
                *q /= s;
            }
        }
        fn cp(&self) -> f64 {
            self.names
                .iter()
                .zip(&self.fractions)
                .map(|(n, y)| {
                    let sp = SPECIES.iter().find(|s| s.name == *n).expect("known");
                    y * (sp.cp[0] + sp.cp[1] * self.temperature + sp.cp[2] * self.temperature.powi(2))
                })
                .sum()
        }
        fn molar_mass(&self) -> f64 {
            self.fractions.iter().enumerate().map(|(i, y)| y * SPECIES[i].mw).sum()
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut m = Mixture::new(3.0 * x[1]);
        m.add("N2", x[0]).add("O2", 0.21);
        m.normalize();
        m.cp() / m.molar_mass()
    }
}

use built::value as built_value;
use listed::value as listed_value;
use made::value as made_value;
use mixture::value as mixture_value;
use set::value as set_value;

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number set_value(at x: Vec<f64>): [vec![0.5, 0.8]] [vec![0.6, 0.93]];
        number made_value(at x: Vec<f64>): [vec![0.5, 0.8]] [vec![0.6, 0.93]];
        number built_value(at x: Vec<f64>): [vec![0.5, 0.8]] [vec![0.6, 0.93]];
        number listed_value(at x: Vec<f64>): [vec![0.5, 0.8]] [vec![0.6, 0.93]];
        number mixture_value(at x: Vec<f64>): [vec![0.4, 1.2]] [vec![0.49, 1.37]];
    }
}
