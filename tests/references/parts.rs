//! Methods that return a reference to a part: a field, a struct in a list, a list.

pub mod params {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Params {
        k: f64,
        c: f64,
    }
    #[derive(Differentiable, Clone)]
    pub struct Model {
        params: Params,
        x: Vec<f64>,
    }
    #[differentiable]
    impl Model {
        fn params(&self) -> &Params {
            &self.params
        }
        fn params_mut(&mut self) -> &mut Params {
            &mut self.params
        }
        fn energy(&self) -> f64 {
            let p = self.params();
            let mut e = 0.0;
            for x in &self.x {
                e += 0.5 * p.k * x * x + self.params().c * x;
            }
            e
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut m = Model { params: Params { k: p[0], c: p[1] }, x: p[2..].to_vec() };
        m.params_mut().k *= p[3];
        let e = m.energy();
        m.params_mut().c = e * m.params().k;
        m.energy() + m.params().c.sin()
    }
}

pub mod nested {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Grid {
        n: usize,
        d: Vec<f64>,
    }
    #[differentiable]
    impl Grid {
        fn line(&self, i: usize) -> &[f64] {
            &self.d[i * self.n..(i + 1) * self.n]
        }
        fn line_mut(&mut self, i: usize) -> &mut [f64] {
            &mut self.d[i * self.n..(i + 1) * self.n]
        }
        fn cell(&self, i: usize, j: usize) -> &f64 {
            &self.line(i)[j]
        }
        fn cell_mut(&mut self, i: usize, j: usize) -> &mut f64 {
            &mut self.line_mut(i)[j]
        }
    }
    #[derive(Differentiable, Clone)]
    pub struct World {
        grids: Vec<Grid>,
        g: Grid,
    }
    #[differentiable]
    impl World {
        fn grid(&self, k: usize) -> &Grid {
            &self.grids[k]
        }
        fn grid_mut(&mut self, k: usize) -> &mut Grid {
            &mut self.grids[k]
        }
        fn deep(&mut self, k: usize, i: usize, j: usize) -> &mut f64 {
            self.grids[k].cell_mut(i, j)
        }
        fn own(&mut self, i: usize, j: usize) -> &mut f64 {
            self.g.cell_mut(i, j)
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let g = Grid { n: 2, d: p[..4].to_vec() };
        let mut w = World { grids: vec![g.clone(), g.clone()], g };
        *w.grid_mut(0).cell_mut(1, 0) *= p[4];
        *w.deep(1, 0, 1) += p[5] * *w.grid(0).cell(1, 0);
        *w.own(0, 0) = *w.grid(1).cell(0, 1) * p[0];
        w.grid_mut(1).line_mut(1)[0] = 2.0 * w.g.d[0];
        let mut s = 0.0;
        for k in 0..2 {
            for i in 0..2 {
                for j in 0..2 {
                    s += w.grid(k).cell(i, j).powi(2) * w.g.cell(j, i);
                }
            }
        }
        s
    }
}

pub mod particles {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Particle {
        pos: [f64; 2],
        vel: [f64; 2],
    }
    #[differentiable]
    impl Particle {
        fn x(&mut self) -> &mut f64 {
            &mut self.pos[0]
        }
        fn speed2(&self) -> f64 {
            self.vel[0] * self.vel[0] + self.vel[1] * self.vel[1]
        }
        fn kick(&mut self, s: f64) {
            self.vel[0] += s;
            self.vel[1] -= s * self.pos[0];
        }
    }
    #[derive(Differentiable, Clone)]
    pub struct Sys {
        ps: Vec<Particle>,
        dt: f64,
    }
    #[differentiable]
    impl Sys {
        fn particle(&self, i: usize) -> &Particle {
            &self.ps[i]
        }
        fn particle_mut(&mut self, i: usize) -> &mut Particle {
            &mut self.ps[i]
        }
        fn step(&mut self) {
            let dt = self.dt;
            for i in 0..self.ps.len() {
                let q = self.particle_mut(i);
                for k in 0..2 {
                    q.pos[k] += dt * q.vel[k];
                }
                q.kick(dt);
            }
            *self.particle_mut(0).x() *= 0.99;
        }
        fn energy(&self) -> f64 {
            (0..self.ps.len()).map(|i| self.particle(i).speed2()).sum()
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut s = Sys { ps: vec![], dt: 0.1 + 0.01 * p[5] };
        for i in 0..2 {
            s.ps.push(Particle { pos: [p[i], p[i + 1]], vel: [p[i + 2], p[i + 3]] });
        }
        for _ in 0..3 {
            s.step();
        }
        s.particle_mut(1).vel[0] *= p[0];
        s.energy() + s.particle(0).pos[0] * s.particle(1).pos[1]
    }
}

pub mod vec_of {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Cell {
        v: f64,
        n: usize,
    }
    #[differentiable]
    impl Cell {
        fn v(&self) -> &f64 {
            &self.v
        }
        fn v_mut(&mut self) -> &mut f64 {
            &mut self.v
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut cells: Vec<Cell> = p.iter().map(|x| Cell { v: *x, n: 1 }).collect();
        for i in 1..6 {
            let prev = *cells[i - 1].v();
            *cells[i].v_mut() += prev * prev;
            cells[i].n += 1;
        }
        for c in cells.iter_mut() {
            *c.v_mut() *= 0.5;
        }
        let s: f64 = cells.iter().map(|c| c.v() * c.n as f64).sum();
        s * cells[2].v().sin() + cells.iter().map(|c| *c.v()).fold(0.0, |a, b| a + b * b)
    }
}

pub mod deep_fields {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Inner {
        v: [f64; 3],
    }
    #[derive(Differentiable, Clone)]
    pub struct Mid {
        inner: Inner,
        boxed: Box<Inner>,
    }
    #[derive(Differentiable, Clone)]
    pub struct Top {
        mid: Mid,
        all: Vec<Vec<f64>>,
        pair: (f64, f64),
    }
    #[differentiable]
    impl Top {
        fn v(&mut self, k: usize) -> &mut f64 {
            &mut self.mid.inner.v[k]
        }
        fn bv(&self, k: usize) -> &f64 {
            &self.mid.boxed.v[k]
        }
        fn boxed_mut(&mut self) -> &mut Inner {
            &mut self.mid.boxed
        }
        fn boxed(&self) -> &Inner {
            &*self.mid.boxed
        }
        fn all(&self, i: usize, j: usize) -> &f64 {
            &self.all[i][j]
        }
        fn all_mut(&mut self, i: usize) -> &mut Vec<f64> {
            &mut self.all[i]
        }
        fn tail(&self, i: usize) -> &[f64] {
            &self.all[i][1..]
        }
        fn left(&mut self) -> &mut f64 {
            &mut self.pair.0
        }
        fn alias(&mut self, i: usize) -> &mut f64 {
            let row = &mut self.all[i];
            let k = row.len() - 1;
            &mut row[k]
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let i = Inner { v: [p[0], p[1], p[2]] };
        let mut t = Top {
            mid: Mid { inner: i.clone(), boxed: Box::new(i) },
            all: vec![vec![p[3], p[4]], vec![p[5]]],
            pair: (p[0], p[1]),
        };
        *t.v(1) *= *t.bv(0);
        t.boxed_mut().v[2] += p[3];
        t.all_mut(1).push(p[0] * p[1]);
        *t.left() += *t.all(1, 1);
        *t.alias(0) *= 3.0;
        t.tail(0)[0] * t.pair.0 + t.mid.inner.v[1] * t.boxed().v[2] + t.tail(1).iter().sum::<f64>() + t.all[0][1]
    }
}

pub mod generic_struct {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Pair<T> {
        a: T,
        b: T,
    }
    #[differentiable]
    impl Pair<f64> {
        fn first(&self) -> &f64 {
            &self.a
        }
        fn second_mut(&mut self) -> &mut f64 {
            &mut self.b
        }
    }
    #[derive(Differentiable, Clone)]
    pub struct Stack<T> {
        items: Vec<T>,
        top: usize,
    }
    #[differentiable]
    impl Stack<f64> {
        fn top(&self) -> &f64 {
            &self.items[self.top]
        }
        fn top_mut(&mut self) -> &mut f64 {
            &mut self.items[self.top]
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut q = Pair { a: p[0], b: p[1] };
        *q.second_mut() *= *q.first() + p[2];
        let mut s = Stack { items: p.to_vec(), top: 0 };
        for k in 0..5 {
            s.top = k + 1;
            *s.top_mut() += q.b * s.items[k];
        }
        s.top() * q.b
    }
}

pub mod trait_generic_self {
    use diffi::prelude::*;
    #[differentiable]
    pub trait Layer {
        fn apply(&self, x: f64) -> f64;
    }
    #[derive(Differentiable, Clone)]
    pub struct Dense {
        w: Vec<f64>,
        b: f64,
    }
    #[differentiable]
    impl Dense {
        fn weights(&self) -> &[f64] {
            &self.w
        }
        fn bias(&self) -> &f64 {
            &self.b
        }
        fn bias_mut(&mut self) -> &mut f64 {
            &mut self.b
        }
    }
    #[differentiable]
    impl Layer for Dense {
        fn apply(&self, x: f64) -> f64 {
            let mut s = *self.bias();
            for w in self.weights() {
                s += w * x;
            }
            s.tanh()
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut d = Dense { w: p[..4].to_vec(), b: p[4] };
        *d.bias_mut() += p[5];
        let n = d.weights().len();
        d.apply(p[0]) + d.apply(d.weights()[n - 1]) * d.bias()
    }
}

pub mod swap {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Deck {
        a: Vec<f64>,
        b: Vec<f64>,
        cur: bool,
    }
    #[differentiable]
    impl Deck {
        fn front(&self) -> &Vec<f64> {
            if self.cur { &self.a } else { &self.b }
        }
        fn back_mut(&mut self) -> &mut Vec<f64> {
            if self.cur { &mut self.b } else { &mut self.a }
        }
        fn step(&mut self, w: f64) {
            for i in 0..6 {
                let v = self.front()[i] * self.front()[(i + 1) % 6];
                self.back_mut()[i] = w * v + 0.1;
            }
            self.cur = !self.cur;
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut d = Deck { a: p.to_vec(), b: vec![0.0; 6], cur: true };
        for k in 0..3 {
            d.step(p[k]);
        }
        d.front().iter().sum::<f64>() + d.back_mut()[2]
    }
}

pub mod traits {
    use diffi::prelude::*;
    #[differentiable]
    pub trait Store {
        fn slot(&mut self, i: usize) -> &mut f64;
        fn peek_at(&self, i: usize) -> &f64;
    }
    #[derive(Differentiable, Clone)]
    pub struct A {
        d: Vec<f64>,
    }
    #[derive(Differentiable, Clone)]
    pub struct B {
        x: f64,
        y: f64,
    }
    #[differentiable]
    impl Store for A {
        fn slot(&mut self, i: usize) -> &mut f64 {
            &mut self.d[i]
        }
        fn peek_at(&self, i: usize) -> &f64 {
            &self.d[i]
        }
    }
    #[differentiable]
    impl Store for B {
        fn slot(&mut self, i: usize) -> &mut f64 {
            if i == 0 { &mut self.x } else { &mut self.y }
        }
        fn peek_at(&self, i: usize) -> &f64 {
            if i == 0 { &self.x } else { &self.y }
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut a = A { d: p.to_vec() };
        let mut b = B { x: p[0], y: p[1] };
        *a.slot(2) *= *b.peek_at(1);
        *b.slot(0) += *a.peek_at(2) * *a.peek_at(3);
        a.peek_at(2) * b.peek_at(0) + *b.peek_at(1)
    }
}
