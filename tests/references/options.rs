//! Methods that return an option of a reference.

pub mod find {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Item {
        id: usize,
        w: f64,
        v: [f64; 2],
    }
    #[derive(Differentiable, Clone)]
    pub struct Bag {
        items: Vec<Item>,
    }
    #[differentiable]
    impl Bag {
        fn find(&self, id: usize) -> Option<&Item> {
            self.items.iter().find(|it| it.id == id)
        }
        fn find_mut(&mut self, id: usize) -> Option<&mut Item> {
            self.items.iter_mut().find(|it| it.id == id)
        }
        fn lookup(&self, id: usize) -> Option<&Item> {
            for it in &self.items {
                if it.id == id {
                    return Some(it);
                }
            }
            None
        }
        fn first_item(&self) -> Option<&Item> {
            self.items.first()
        }
        fn nth_item(&mut self, k: usize) -> Option<&mut Item> {
            self.items.get_mut(k)
        }
        fn heaviest(&self) -> Option<&Item> {
            self.items.iter().max_by(|a, b| a.w.partial_cmp(&b.w).unwrap())
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut b = Bag { items: vec![] };
        for i in 0..3 {
            b.items.push(Item { id: 10 + i, w: p[i], v: [p[i + 1], p[i] * p[i + 2]] });
        }
        let mut s = 0.0;
        if let Some(it) = b.find(11) {
            s += it.w * it.v[1];
        }
        if let Some(it) = b.find(99) {
            s += it.w * 100.0;
        }
        if let Some(it) = b.find_mut(12) {
            it.w = it.v[0] * p[5];
            it.v[0] += 1.0;
        }
        match b.nth_item(0) {
            Some(it) => it.w *= p[4],
            None => s += 1.0,
        }
        let k = b.lookup(12).unwrap();
        s += k.w * k.v[0];
        s += b.first_item().map(|it| it.w * it.w).unwrap_or(0.0);
        s += b.heaviest().map_or(0.0, |it| it.w * it.v[0]);
        s
    }
}

pub mod tree {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Node {
        w: f64,
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }
    #[differentiable]
    impl Node {
        fn left(&self) -> Option<&Node> {
            self.left.as_deref()
        }
        fn right(&self) -> Option<&Node> {
            self.right.as_deref()
        }
    }
    #[differentiable]
    fn total(n: &Node, d: f64) -> f64 {
        let mut s = n.w * n.w * d;
        if let Some(l) = n.left() {
            s += total(l, d * 0.5);
        }
        if let Some(r) = n.right() {
            s += total(r, d * 0.25) * n.w;
        }
        s
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let leaf = Node { w: p[2], left: None, right: None };
        let l = Node { w: p[1], left: Some(Box::new(leaf.clone())), right: None };
        let t = Node { w: p[0], left: Some(Box::new(l)), right: Some(Box::new(leaf)) };
        total(&t, p[3])
    }
}

pub mod std_names {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Ring {
        d: Vec<f64>,
        head: usize,
    }
    #[differentiable]
    impl Ring {
        fn get(&self, i: usize) -> Option<&f64> {
            self.d.get((self.head + i) % 6)
        }
        fn get_mut(&mut self, i: usize) -> Option<&mut f64> {
            let k = (self.head + i) % 6;
            self.d.get_mut(k)
        }
        fn last(&self) -> &f64 {
            self.d.last().unwrap()
        }
        fn as_slice(&self) -> &[f64] {
            &self.d
        }
        fn as_mut_slice(&mut self) -> &mut [f64] {
            self.d.as_mut_slice()
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut r = Ring { d: p.to_vec(), head: 2 };
        let v = p.to_vec();
        *r.get_mut(0).unwrap() *= p[0];
        if let Some(x) = r.get_mut(5) {
            *x += *v.get(1).unwrap();
        }
        r.head = 3;
        let mut s = 0.0;
        for i in 0..4 {
            s += r.get(i).unwrap() * p[i];
            if let Some(x) = r.get(i + 1) {
                s += x * x;
            }
        }
        r.as_mut_slice()[2] = s * p[1];
        s + r.last() * r.as_slice()[2] + r.as_slice().iter().sum::<f64>() + v.last().unwrap()
    }
}

pub mod opt_nested {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Spring {
        k: f64,
        to: usize,
    }
    #[derive(Differentiable, Clone)]
    pub struct Body {
        x: f64,
        spring: Option<Spring>,
    }
    #[differentiable]
    impl Body {
        fn spring(&self) -> Option<&Spring> {
            self.spring.as_ref()
        }
        fn spring_mut(&mut self) -> Option<&mut Spring> {
            self.spring.as_mut()
        }
    }
    #[derive(Differentiable, Clone)]
    pub struct Scene {
        bodies: Vec<Body>,
    }
    #[differentiable]
    impl Scene {
        fn body(&self, i: usize) -> Option<&Body> {
            if i < self.bodies.len() { Some(&self.bodies[i]) } else { None }
        }
        fn body_mut(&mut self, i: usize) -> Option<&mut Body> {
            self.bodies.get_mut(i)
        }
        fn attached(&self) -> Option<&Body> {
            self.bodies.iter().find(|b| b.spring.is_some())
        }
        fn far(&self, d: f64) -> Option<&Body> {
            for (k, b) in self.bodies.iter().enumerate() {
                if k > 0 && b.x > d {
                    return Some(b);
                }
            }
            None
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut s = Scene {
            bodies: vec![
                Body { x: p[0], spring: None },
                Body { x: p[1], spring: Some(Spring { k: p[2], to: 0 }) },
                Body { x: p[3], spring: None },
            ],
        };
        let mut e = 0.0;
        for i in 0..4 {
            if let Some(b) = s.body(i) {
                e += b.x * b.x;
                if let Some(sp) = b.spring() {
                    let d = b.x - s.bodies[sp.to].x;
                    e += 0.5 * sp.k * d * d;
                }
            }
        }
        if let Some(b) = s.body_mut(1) {
            b.x *= p[4];
            if let Some(sp) = b.spring_mut() {
                sp.k += p[5];
            }
        }
        let Some(a) = s.attached() else { return e };
        e += a.x * a.spring().unwrap().k;
        match s.far(p[4] - 0.3) {
            Some(b) => e * b.x,
            None => e,
        }
    }
}
