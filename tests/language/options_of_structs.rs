//! Options of structs whose types nothing names: taken, replaced, inserted and compared.

#![allow(dead_code, unused, reason = "programs as people write them")]

/// A field that is taken and set again.
mod taken_field {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Differentiable)]
    struct P {
        x: f64,
        y: f64,
    }
    #[derive(Clone, Differentiable)]
    struct H {
        last: Option<P>,
        n: f64,
    }
    #[differentiable]
    impl H {
        fn see(&mut self, p: P) -> f64 {
            let d = match self.last.take() {
                Some(q) => (p.x - q.x) * q.y,
                None => 0.0,
            };
            self.last = Some(p);
            d
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut h = H { last: None, n: x[0] };
        let mut s = 0.0;
        for i in 0..3 {
            s += h.see(P { x: x[0] * i as f64, y: x[1] + i as f64 });
        }
        s * h.n
    }
}

/// A field that is replaced.
mod replaced_field {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Differentiable)]
    struct P {
        x: f64,
        y: f64,
    }
    #[derive(Clone, Differentiable)]
    struct H {
        last: Option<P>,
        n: f64,
    }
    #[differentiable]
    impl H {
        fn see(&mut self, p: P) -> f64 {
            match self.last.replace(p) {
                Some(q) => (p.x - q.x) * q.y,
                None => self.n,
            }
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut h = H { last: None, n: x[0] };
        let mut s = 0.0;
        for i in 0..3 {
            s += h.see(P { x: x[0] * i as f64, y: x[1] + i as f64 });
        }
        s * h.n
    }
}

/// A variable that is filled where it is empty.
mod inserted {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Default, Differentiable)]
    struct P {
        x: f64,
        y: f64,
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut o: Option<P> = None;
        let a = o.unwrap_or_default();
        let p = o.get_or_insert(P { x: x[0], y: x[1] });
        p.x *= 2.0;
        let q = o.unwrap_or_default();
        q.x * q.y + a.x
    }
}

/// A variable that is taken, replaced and filled.
mod exchanged {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Default, Differentiable)]
    struct P {
        x: f64,
        y: f64,
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut o = Some(P { x: x[0], y: x[1] });
        let q = o.take();
        let r = o.replace(P { x: x[1], y: 1.0 });
        let z = o.insert(P { x: x[1], y: x[0] });
        let w = z.x * z.y;
        q.map(|p| p.x * p.y).unwrap_or(0.0) + w + if r.is_some() { 1.0 } else { 0.0 }
    }
}

/// The default of a struct.
mod default_struct {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Default, Differentiable)]
    struct P {
        x: f64,
        y: f64,
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut o: Option<P> = None;
        if x[0] > 0.0 {
            o = Some(P { x: x[0], y: x[1] });
        }
        let q = o.unwrap_or_default();
        q.x * q.y
    }
}

/// A variable that is taken.
mod taken {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Default, Differentiable)]
    struct P {
        x: f64,
        y: f64,
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut o = Some(P { x: x[0], y: x[1] });
        let q = o.take();
        q.map(|p| p.x * p.y).unwrap_or(0.0)
    }
}

/// A variable that is replaced.
mod replaced {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Default, Differentiable)]
    struct P {
        x: f64,
        y: f64,
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut o = Some(P { x: x[0], y: x[1] });
        let q = o.replace(P { x: x[1], y: 1.0 });
        let w = o.unwrap();
        q.map(|p| p.x * p.y).unwrap_or(0.0) + w.x * w.y
    }
}

/// A variable that is filled anew.
mod filled {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Default, Differentiable)]
    struct P {
        x: f64,
        y: f64,
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut o = Some(P { x: x[0], y: x[1] });
        let z = o.insert(P { x: x[1], y: x[0] * x[0] });
        z.x * z.y
    }
}

/// The best of a few, which begins as none.
mod best {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Default, Differentiable)]
    struct P {
        x: f64,
        y: f64,
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut best = None;
        for k in 0..3 {
            let p = P { x: x[0] * k as f64, y: x[1] };
            match best {
                None => best = Some(p),
                Some(b) => {
                    let b: P = b;
                    if p.x > b.x {
                        best = Some(p);
                    }
                }
            }
        }
        let w = best.unwrap();
        w.x * w.y
    }
}

/// The one before.
mod previous {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Default, Differentiable)]
    struct P {
        x: f64,
        y: f64,
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut prev: Option<P> = None;
        let mut s = 0.0;
        for k in 0..4 {
            let p = P { x: x[0] * k as f64, y: x[1] + k as f64 };
            if let Some(q) = prev {
                s += (p.x - q.x) * q.y;
            }
            prev = Some(p);
        }
        if let Some(P { x: a, y: b }) = prev.take() {
            s += a * b;
        }
        s + if prev.is_none() { 1.0 } else { 0.0 }
    }
}

use best::value as best_value;
use default_struct::value as default_struct_value;
use exchanged::value as exchanged_value;
use filled::value as filled_value;
use inserted::value as inserted_value;
use previous::value as previous_value;
use replaced::value as replaced_value;
use replaced_field::value as replaced_field_value;
use taken::value as taken_value;
use taken_field::value as taken_field_value;

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number taken_field_value(at x: Vec<f64>): [vec![0.6, 1.1]] [vec![0.71, 1.26]];
        number replaced_field_value(at x: Vec<f64>): [vec![0.6, 1.1]] [vec![0.71, 1.26]];
        number inserted_value(at x: Vec<f64>): [vec![0.6, 1.1]] [vec![0.71, 1.26]];
        number exchanged_value(at x: Vec<f64>): [vec![0.6, 1.1]] [vec![0.71, 1.26]];
        number default_struct_value(at x: Vec<f64>): [vec![0.6, 1.1]] [vec![0.71, 1.26]];
        number taken_value(at x: Vec<f64>): [vec![0.6, 1.1]] [vec![0.71, 1.26]];
        number replaced_value(at x: Vec<f64>): [vec![0.6, 1.1]] [vec![0.71, 1.26]];
        number filled_value(at x: Vec<f64>): [vec![0.6, 1.1]] [vec![0.71, 1.26]];
        number best_value(at x: Vec<f64>): [vec![0.6, 1.1]] [vec![0.71, 1.26]];
        number previous_value(at x: Vec<f64>): [vec![0.6, 1.1]] [vec![0.71, 1.26]];
    }
}
