//! Methods that return a reference to an element, or to a slice.

pub mod mat_at {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Mat {
        rows: usize,
        cols: usize,
        data: Vec<f64>,
    }
    #[differentiable]
    impl Mat {
        fn new(rows: usize, cols: usize) -> Self {
            Mat { rows, cols, data: vec![0.0; rows * cols] }
        }
        fn at(&self, i: usize, j: usize) -> &f64 {
            &self.data[i * self.cols + j]
        }
        fn at_mut(&mut self, i: usize, j: usize) -> &mut f64 {
            &mut self.data[i * self.cols + j]
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut m = Mat::new(2, 3);
        for i in 0..2 {
            for j in 0..3 {
                *m.at_mut(i, j) = p[i * 3 + j] * p[j];
            }
        }
        *m.at_mut(0, 1) += *m.at(1, 2) * *m.at(0, 0);
        *m.at_mut(1, 1) *= m.at(0, 1).sin();
        let mut s = 0.0;
        for i in 0..2 {
            for j in 0..3 {
                s += *m.at(i, j) * *m.at(i, j) * (1.0 + i as f64);
            }
        }
        s
    }
}

pub mod rows {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Mat {
        cols: usize,
        data: Vec<f64>,
    }
    #[differentiable]
    impl Mat {
        fn row(&self, i: usize) -> &[f64] {
            &self.data[i * self.cols..(i + 1) * self.cols]
        }
        fn row_mut(&mut self, i: usize) -> &mut [f64] {
            let c = self.cols;
            &mut self.data[i * c..(i + 1) * c]
        }
    }
    #[differentiable]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }
    #[differentiable]
    fn stretch(a: &mut [f64], s: f64) {
        for x in a.iter_mut() {
            *x *= s;
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut m = Mat { cols: 3, data: p.to_vec() };
        for v in m.row_mut(1) {
            *v *= p[0];
        }
        m.row_mut(0)[1] = p[3] * p[4];
        for v in m.row_mut(0).iter_mut() {
            *v += p[5];
        }
        let mut s = 0.0;
        for j in 0..3 {
            s += m.row(0)[j] * m.row(1)[j];
        }
        let a: f64 = m.row(1).iter().map(|v| v * v).sum();
        stretch(m.row_mut(0), p[1]);
        s * a + dot(m.row(0), m.row(1)) + m.row(1).len() as f64
    }
}

pub mod branches {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Two {
        n: usize,
        a: Vec<f64>,
        b: Vec<f64>,
    }
    #[differentiable]
    impl Two {
        fn slot(&mut self, i: usize) -> &mut f64 {
            if i < self.n { &mut self.a[i] } else { &mut self.b[i - self.n] }
        }
        fn val(&self, i: usize) -> &f64 {
            if i < self.n {
                return &self.a[i];
            }
            &self.b[i - self.n]
        }
    }
    #[derive(Differentiable, Clone)]
    pub struct V3 {
        x: f64,
        y: f64,
        z: f64,
    }
    #[differentiable]
    impl V3 {
        fn axis(&mut self, k: usize) -> &mut f64 {
            match k {
                0 => &mut self.x,
                1 => &mut self.y,
                2 => &mut self.z,
                _ => panic!("axis {k}"),
            }
        }
        fn get(&self, k: usize) -> &f64 {
            match k {
                0 => &self.x,
                1 => &self.y,
                _ => &self.z,
            }
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut t = Two { n: 2, a: vec![0.0; 2], b: vec![0.0; 4] };
        for i in 0..6 {
            *t.slot(i) = p[i] * p[(i + 1) % 6];
        }
        for i in 1..6 {
            *t.slot(i) += *t.val(i - 1) * t.a[0];
            t.a[1] *= 1.1;
        }
        let mut v = V3 { x: p[0], y: p[1], z: p[2] };
        for k in 0..3 {
            *v.axis(k) *= *v.get((k + 1) % 3);
            v.x += 0.1 * v.y;
        }
        let mut s = 0.0;
        for i in 0..6 {
            s += t.val(i).sin() * v.get(i % 3);
        }
        s
    }
}

pub mod grid_const {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct G<const N: usize> {
        v: [[f64; N]; N],
    }
    #[differentiable]
    impl<const N: usize> G<N> {
        fn at(&self, i: usize, j: usize) -> &f64 {
            &self.v[i][j]
        }
        fn at_mut(&mut self, i: usize, j: usize) -> &mut f64 {
            &mut self.v[i % N][j % N]
        }
        fn line(&self, i: usize) -> &[f64; N] {
            &self.v[i]
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut g = G::<3> { v: [[0.5; 3]; 3] };
        for i in 0..3 {
            *g.at_mut(i, i + 1) = p[i];
            *g.at_mut(i + 1, i) -= p[i + 3];
        }
        let mut s = 0.0;
        for _ in 0..2 {
            for i in 0..3 {
                let c = *g.at(i, (i + 1) % 3);
                *g.at_mut(i, i) += c * c;
                s += g.line(i)[0] * c;
            }
        }
        s + g.at(1, 1).exp()
    }
}

pub mod bound {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Mat {
        cols: usize,
        data: Vec<f64>,
    }
    #[differentiable]
    impl Mat {
        fn at(&mut self, i: usize, j: usize) -> &mut f64 {
            &mut self.data[i * self.cols + j]
        }
        fn row(&self, i: usize) -> &[f64] {
            &self.data[i * self.cols..][..self.cols]
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut m = Mat { cols: 3, data: p.to_vec() };
        for k in 0..4 {
            let r = m.at(k % 2, k % 3);
            *r += p[0];
            *r *= *r;
            if *r > 1.0 {
                *r = r.ln();
            }
        }
        let (a, b) = (m.row(0), m.row(1));
        let mut s = 0.0;
        for j in 0..3 {
            s += a[j] * b[j];
        }
        if *m.at(0, 0) > 0.0 {
            s += m.data[0] * *m.at(0, 0);
        }
        assert!(*m.at(1, 1) > -100.0);
        let last = Mat::at(&mut m, 1, 2);
        *last *= s;
        s + m.data[5] * p[1]
    }
}

pub mod mixed {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Mat {
        cols: usize,
        data: Vec<f64>,
        scale: f64,
    }
    #[differentiable]
    impl Mat {
        fn at(&mut self, i: usize, j: usize) -> &mut f64 {
            &mut self.data[i * self.cols + j]
        }
        fn all(&self) -> &Vec<f64> {
            &self.data
        }
        fn all_mut(&mut self) -> &mut Vec<f64> {
            &mut self.data
        }
        fn gain(&mut self) -> &mut f64 {
            &mut self.scale
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut m = Mat { cols: 2, data: p.to_vec(), scale: 1.0 };
        for t in 0..3 {
            for k in 0..6 {
                *m.at(k / 2, k % 2) += m.data[(k + 1) % 6] * m.scale;
                m.data[k] *= 1.0 + 0.1 * *m.at((k + t) % 3, 0);
                *m.gain() *= 0.9 + 0.01 * m.all()[k];
                m.scale += 0.1 * *m.gain();
                m.all_mut()[k] -= m.scale * 0.1;
            }
        }
        let w = p[0] * m.scale;
        m.all_mut().push(w);
        let n = m.all().len();
        m.all().iter().zip(p).map(|(a, b)| a * b).sum::<f64>() + m.all()[n - 1] * *m.gain()
    }
}

pub mod module {
    use diffi::prelude::*;
    mod inner {
        use diffi::prelude::*;
        #[derive(Differentiable, Clone)]
        pub struct Buf {
            data: Vec<f64>,
            len: usize,
        }
        #[differentiable]
        impl Buf {
            pub fn with(n: usize) -> Self {
                Buf { data: vec![0.0; n], len: n }
            }
            pub fn slot(&mut self, i: usize) -> &mut f64 {
                &mut self.data[(i + 1) % self.len]
            }
            pub fn peek_at(&self, i: usize) -> &f64 {
                &self.data[(i + 1) % self.len]
            }
            pub fn total(&self) -> f64 {
                self.data.iter().sum()
            }
        }
    }
    use inner::Buf;
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut b = Buf::with(6);
        for (i, x) in p.iter().enumerate() {
            *b.slot(i) = x * x;
        }
        let mut i = 0;
        while i < 6 {
            *b.slot(i) += *b.peek_at(i + 2) * p[i];
            i += 2;
        }
        b.total() * b.peek_at(3).cos()
    }
}

pub mod param {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Mat {
        cols: usize,
        data: Vec<f64>,
    }
    #[differentiable]
    impl Mat {
        pub fn at(&mut self, i: usize, j: usize) -> &mut f64 {
            &mut self.data[i * self.cols + j]
        }
        pub fn get(&self, i: usize, j: usize) -> f64 {
            self.data[i * self.cols + j]
        }
        pub fn fill_with_products(&mut self, s: f64) {
            for i in 0..2 {
                for j in 0..3 {
                    *self.at(i, j) *= s + self.get(j % 2, i);
                }
            }
        }
    }
    #[differentiable]
    fn relax(m: &mut Mat, w: f64) -> f64 {
        let mut change = 0.0;
        for i in 0..2 {
            for j in 0..3 {
                let old = m.get(i, j);
                *m.at(i, j) = w * old * old;
                change += (*m.at(i, j) - old).powi(2);
            }
        }
        change
    }
    #[differentiable]
    fn outer(m: &Mat) -> f64 {
        let mut m = m.clone();
        let c = relax(&mut m, 0.5);
        m.fill_with_products(c);
        m.data.iter().sum()
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let m = Mat { cols: 3, data: p.to_vec() };
        outer(&m)
    }
}

pub mod closure {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct S {
        d: Vec<f64>,
    }
    #[differentiable]
    impl S {
        fn item(&self, i: usize) -> &f64 {
            &self.d[i]
        }
        fn item_mut(&mut self, i: usize) -> &mut f64 {
            &mut self.d[i]
        }
        fn part(&mut self, a: usize, b: usize) -> &mut [f64] {
            &mut self.d[a..b]
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut s = S { d: p.to_vec() };
        let g = |i: usize| s.item(i) * s.item(i + 1);
        let a = g(0) + g(2);
        let b: f64 = (0..5).map(|i| s.item(i) * s.item(i + 1)).sum();
        s.part(1, 3).iter_mut().for_each(|x| *x *= a);
        for (k, x) in s.part(2, 5).iter_mut().enumerate() {
            *x += b * k as f64;
        }
        s.part(0, 2).swap(0, 1);
        s.part(4, 6).copy_from_slice(&[a, b]);
        s.part(0, 1)[0] += 1.0;
        let w = s.part(0, 3);
        w[1] *= w[2];
        let t = if a > 0.0 { *s.item(3) } else { *s.item(4) };
        *s.item_mut(0) = t;
        (0..6).map(|i| *s.item(i)).fold(0.0, |x, y| 0.5 * x + y * y)
    }
}

pub mod early {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Table {
        xs: Vec<f64>,
        ys: Vec<f64>,
    }
    #[differentiable]
    impl Table {
        fn bucket(&self, x: f64) -> &f64 {
            for i in 0..self.xs.len() {
                if x < self.xs[i] {
                    return &self.ys[i];
                }
            }
            &self.ys[self.ys.len() - 1]
        }
        fn bucket_mut(&mut self, x: f64) -> &mut f64 {
            let k = self.xs.iter().position(|t| x < *t).unwrap_or(self.ys.len() - 1);
            &mut self.ys[k]
        }
        fn interpolate(&self, x: f64) -> f64 {
            self.bucket(x) * x
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut t = Table { xs: vec![0.0, 0.5, 1.0], ys: p[..3].to_vec() };
        *t.bucket_mut(p[3]) *= p[4];
        *t.bucket_mut(0.1) += *t.bucket(p[5]) * p[0];
        t.interpolate(p[3]) + t.bucket(-1.0) * t.bucket(p[0] * p[1])
    }
}
