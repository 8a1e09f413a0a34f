//! Options that calls change through `&mut`, and fields and parameters that are options: set, taken, replaced, filled.

pub mod doubled {
    use diffi::prelude::*;
    #[differentiable]
    fn double(o: &mut Option<f64>) {
        if let Some(v) = o {
            *v *= 2.0;
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = Some(x[0]);
        double(&mut o);
        o.unwrap_or(0.0) * x[1]
    }
}

pub mod kept_best {
    use diffi::prelude::*;
    #[differentiable]
    fn keep_max(best: &mut Option<f64>, v: f64) {
        match best {
            Some(b) if *b >= v => {}
            _ => *best = Some(v),
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut best: Option<f64> = None;
        for v in x {
            keep_max(&mut best, v * v);
        }
        best.unwrap() * x[1]
    }
}

pub mod taken {
    use diffi::prelude::*;
    #[differentiable]
    fn pop(o: &mut Option<f64>) -> f64 {
        o.take().unwrap_or(1.0)
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = Some(x[0] * x[1]);
        let a = pop(&mut o);
        let b = pop(&mut o);
        a * a * b
    }
}

pub mod cached {
    use diffi::prelude::*;
    #[differentiable]
    fn cached(o: &mut Option<f64>, x: f64) -> f64 {
        *o.get_or_insert(x * x)
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = None;
        let mut s = 0.0;
        for v in x {
            s += cached(&mut o, *v) * *v;
        }
        s
    }
}

pub mod differences {
    use diffi::prelude::*;
    #[differentiable]
    fn step(prev: &mut Option<f64>, v: f64) -> f64 {
        let d = if let Some(p) = *prev { v - p } else { 0.0 };
        *prev = Some(v);
        d
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut prev = None;
        let mut s = 0.0;
        for v in x {
            s += step(&mut prev, v * v * v).powi(2);
        }
        s
    }
}

pub mod array {
    use diffi::prelude::*;
    #[differentiable]
    fn scale(o: &mut Option<[f64; 2]>, k: f64) {
        if let Some([a, b]) = o {
            *a *= k;
            *b += k;
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = Some([x[0], x[1]]);
        scale(&mut o, x[0]);
        let [a, b] = o.unwrap();
        a * b
    }
}

pub mod of_a_struct {
    use diffi::prelude::*;
    #[derive(Clone, Copy, Differentiable)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    fn mv(o: &mut Option<P>, k: f64) {
        if let Some(p) = o {
            p.a += k * p.b;
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = Some(P { a: x[0], b: x[1] });
        mv(&mut o, x[1]);
        o.unwrap().a * x[0]
    }
}

pub mod lent_field {
    use diffi::prelude::*;
    #[derive(Clone, Default, Differentiable)]
    struct S {
        last: Option<f64>,
        n: usize,
    }
    #[differentiable]
    fn set(o: &mut Option<f64>, v: f64) {
        *o = Some(v * v);
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = S { last: None, n: 0 };
        for v in x {
            set(&mut s.last, *v);
            s.n += 1;
        }
        s.last.unwrap_or(1.0) * x[0] * s.n as f64
    }
}

pub mod by_as_mut {
    use diffi::prelude::*;
    #[differentiable]
    fn halve(o: &mut Option<f64>) {
        o.as_mut().map(|v| *v *= 0.5);
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = Some(x[0].sin());
        halve(&mut o);
        halve(&mut o);
        o.unwrap() * x[1]
    }
}

pub mod recursive {
    use diffi::prelude::*;
    #[differentiable]
    fn down(o: &mut Option<f64>, n: usize) {
        if n == 0 {
            return;
        }
        if let Some(v) = o.as_mut() {
            *v = v.sin() + 1.0;
        }
        down(o, n - 1);
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = Some(x[0]);
        down(&mut o, 3);
        o.unwrap() * x[1]
    }
}

pub mod inserted {
    use diffi::prelude::*;
    #[derive(Clone, Default, Differentiable)]
    struct S {
        last: Option<f64>,
        n: usize,
    }
    #[differentiable]
    impl S {
        fn grab(&mut self, v: f64) -> f64 {
            *self.last.get_or_insert(v * v)
        }
        fn grab2(&mut self, v: f64) -> f64 {
            *self.last.get_or_insert_with(|| v * v)
        }
        fn set(&mut self, v: f64) -> f64 {
            let r = self.last.insert(v * v);
            *r *= v;
            *r + 1.0
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = S { last: None, n: 0 };
        let mut t = 0.0;
        for v in x {
            t += s.grab(*v).powi(2) * s.grab2(*v);
            t += s.set(v * 2.0);
        }
        t + s.last.unwrap_or(1.0)
    }
}

pub mod previous_point {
    use diffi::prelude::*;
    #[derive(Clone, Copy, Differentiable)]
    struct P {
        a: f64,
        b: f64,
    }
    #[derive(Clone, Default, Differentiable)]
    struct S {
        prev: Option<P>,
        n: usize,
    }
    #[differentiable]
    impl S {
        fn step(&mut self, p: P) -> f64 {
            let d = match self.prev.replace(p) {
                Some(q) => (p.a - q.a) * q.b,
                None => p.a * p.b,
            };
            self.n += 1;
            d
        }
        fn reset(&mut self) -> Option<P> {
            self.prev.take()
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = S { prev: None, n: 0 };
        let mut t = 0.0;
        for k in 0..4 {
            t += s.step(P { a: x[0] * k as f64, b: x[1] + x[0] });
        }
        if let Some(p) = s.reset() {
            t *= p.a;
        }
        t + s.step(P { a: x[1], b: x[0] })
    }
}

pub mod relaxed {
    use diffi::prelude::*;
    #[differentiable]
    fn relax(o: &mut Option<f64>, v: f64, n: usize) -> f64 {
        if n == 0 {
            return o.unwrap_or(v);
        }
        match o.take() {
            Some(p) => {
                *o = Some(p * 0.5 + v);
            }
            None => {
                *o = Some(v * v);
            }
        }
        relax(o, v * 1.1, n - 1)
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = None;
        let a = relax(&mut o, x[0], 3);
        let b = relax(&mut o, x[1], 2);
        a * b + o.unwrap()
    }
}

pub mod pair {
    use diffi::prelude::*;
    #[differentiable]
    fn best(o: &mut Option<(f64, f64)>, a: f64, b: f64) {
        let better = match o {
            Some((c, _)) => a > *c,
            None => true,
        };
        if better {
            *o = Some((a, b));
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o: Option<(f64, f64)> = None;
        for v in x {
            best(&mut o, v * v, v * x[0]);
        }
        match o {
            Some((a, b)) => a * b,
            None => 0.0,
        }
    }
}

pub mod tracked {
    use diffi::prelude::*;
    #[derive(Clone, Copy, Differentiable)]
    struct P {
        a: f64,
    }
    #[differentiable]
    impl P {
        fn track(&self, best: &mut Option<f64>, v: f64) {
            let c = self.a * v;
            if best.is_none_or(|b| c > b) {
                *best = Some(c);
            }
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let p = P { a: x[0] };
        let mut best = None;
        for v in x {
            p.track(&mut best, v * v);
        }
        best.unwrap_or(0.0) * x[1]
    }
}

pub mod first {
    use diffi::prelude::*;
    #[differentiable]
    fn set(best: &mut Option<f64>, v: f64) -> bool {
        let first = best.is_none();
        *best = Some(v * v);
        first
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut best = None;
        let mut n = 0.0;
        for v in x {
            if set(&mut best, *v) {
                n += v;
            }
        }
        if best.is_some() {
            n += best.unwrap();
        }
        best = None;
        n * x[0] + best.unwrap_or(x[1])
    }
}

pub mod filled {
    use diffi::prelude::*;
    #[differentiable]
    fn fill(o: &mut Option<f64>, v: f64) {
        if o.is_none() {
            *o = Some(v.sin());
        } else if let Some(a) = o {
            *a += v;
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = if x[0] > 2.0 { Some(x[0]) } else { None };
        let mut p = Some(1.0);
        for v in x {
            fill(&mut o, *v);
            fill(&mut p, v * v);
        }
        o.unwrap() * p.unwrap()
    }
}

pub mod in_a_loop {
    use diffi::prelude::*;
    #[differentiable]
    fn fill(o: &mut Option<f64>, v: f64) {
        if let Some(a) = o {
            *a *= v;
        } else {
            *o = Some(v);
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut t = 0.0;
        for i in 0..3 {
            let mut o = None;
            for v in x {
                fill(&mut o, v + i as f64);
            }
            if let Some(a) = o {
                t += a * a;
            }
        }
        t
    }
}

pub mod copied {
    use diffi::prelude::*;
    #[differentiable]
    fn fill(o: &mut Option<f64>, v: f64) {
        *o = o.map(|a| a * v);
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = Some(x[0]);
        let old = o;
        fill(&mut o, x[1]);
        let mid = o;
        fill(&mut o, x[0]);
        old.unwrap() * mid.unwrap() + o.unwrap()
    }
}

pub mod buffer {
    use diffi::prelude::*;
    #[derive(Clone, Default, Differentiable)]
    struct S {
        buf: Option<Vec<f64>>,
    }
    #[differentiable]
    impl S {
        fn put(&mut self, v: f64) {
            match &mut self.buf {
                Some(b) => b.push(v),
                None => self.buf = Some(vec![v]),
            }
        }
        fn total(&self) -> f64 {
            match &self.buf {
                Some(b) => b.iter().sum(),
                None => 0.0,
            }
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = S { buf: None };
        for v in x {
            s.put(v * v);
        }
        s.total() * x[0]
    }
}

pub mod handed_on {
    use diffi::prelude::*;
    #[differentiable]
    fn inner(o: &mut Option<f64>, v: f64) {
        if let Some(a) = o {
            *a += v * v;
        } else {
            *o = Some(v);
        }
    }
    #[differentiable]
    fn outer(o: &mut Option<f64>, x: &[f64]) {
        for v in x {
            inner(o, *v);
        }
        inner(&mut *o, x[0]);
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = None;
        outer(&mut o, x);
        o.expect("there") * x[1]
    }
}

pub mod swapped {
    use diffi::prelude::*;
    #[differentiable]
    fn fill(o: &mut Option<f64>, v: f64) {
        if let Some(a) = o {
            *a *= v;
        } else {
            *o = Some(v);
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = None;
        let mut p = Some(x[1]);
        fill(&mut o, x[0]);
        fill(&mut p, x[0]);
        std::mem::swap(&mut o, &mut p);
        fill(&mut p, x[1]);
        o.unwrap() * p.unwrap() * x[0]
    }
}

pub mod indices {
    use diffi::prelude::*;
    fn bump(o: &mut Option<usize>) {
        if let Some(k) = o {
            *k += 1;
        } else {
            *o = Some(0);
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = None;
        bump(&mut o);
        let a = x[o.unwrap()];
        bump(&mut o);
        a * x[o.unwrap()] * x[1]
    }
}

pub mod until_none {
    use diffi::prelude::*;
    #[differentiable]
    fn next(o: &mut Option<f64>, v: f64) {
        *o = match *o {
            Some(a) if a < 10.0 => Some(a * a + v),
            _ => None,
        };
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = Some(x[0]);
        let mut t = 0.0;
        while let Some(a) = o {
            t += a;
            next(&mut o, x[1]);
        }
        t
    }
}

pub mod question {
    use diffi::prelude::*;
    #[differentiable]
    fn adv(o: &mut Option<f64>, v: f64) -> Option<f64> {
        let a = o.as_mut()?;
        *a += v * v;
        Some(*a * v)
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut o = Some(x[0]);
        let mut n: Option<f64> = None;
        let a = adv(&mut o, x[1]);
        let b = adv(&mut n, x[1]);
        a.unwrap_or(0.0) * b.unwrap_or(x[0]) + o.unwrap_or(1.0)
    }
}

pub mod last {
    use diffi::prelude::*;
    #[derive(Clone, Default, Differentiable)]
    struct S {
        last: Option<f64>,
        n: usize,
    }
    #[differentiable]
    impl S {
        fn push(&mut self, v: f64) -> f64 {
            let d = match self.last {
                Some(l) => v - l,
                None => v,
            };
            self.last = Some(v * v);
            self.n += 1;
            d
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = S { last: None, n: 0 };
        let mut t = 0.0;
        for v in x {
            t += s.push(*v).powi(2);
        }
        t + s.last.unwrap_or(1.0)
    }
}

pub mod mem_take {
    use diffi::prelude::*;
    #[derive(Clone, Default, Differentiable)]
    struct S {
        last: Option<f64>,
        n: usize,
    }
    #[differentiable]
    impl S {
        fn go(&mut self, v: f64) -> f64 {
            let o = std::mem::take(&mut self.last);
            self.last = Some(v * v);
            o.unwrap_or(v)
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = S { last: Some(x[0]), n: 0 };
        let mut t = 0.0;
        for v in x {
            t += s.go(*v) * v;
        }
        t + s.last.unwrap_or(1.0)
    }
}

pub mod parameter {
    use diffi::prelude::*;
    #[differentiable]
    fn g(o: &mut Option<f64>, x: f64) -> f64 {
        let mut n = 0.0;
        if o.is_some() {
            n += o.unwrap() * x;
        }
        if let Some(a) = o {
            *a = 3.0;
        }
        n * x + o.unwrap_or(1.0) * x
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = Some(x[0]);
        g(&mut s, x[1])
    }
}
