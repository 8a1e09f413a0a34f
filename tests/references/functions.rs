//! Functions that return a reference into an argument.

pub mod free {
    use diffi::prelude::*;
    #[derive(Differentiable, Clone)]
    pub struct Item {
        id: usize,
        w: f64,
        v: [f64; 2],
    }
    #[derive(Differentiable, Clone)]
    pub struct Model {
        params: Vec<f64>,
        items: Vec<Item>,
        a: f64,
    }
    #[differentiable]
    fn row(x: &[f64], n: usize, i: usize) -> &[f64] {
        &x[i * n..(i + 1) * n]
    }
    #[differentiable]
    fn row_mut<'a>(x: &'a mut [f64], n: usize, i: usize) -> &'a mut [f64] {
        &mut x[i * n..][..n]
    }
    #[differentiable]
    fn pick(m: &mut Model, k: usize) -> &mut f64 {
        if k == 0 { &mut m.a } else { &mut m.params[k - 1] }
    }
    #[differentiable]
    fn params(m: &Model) -> &Vec<f64> {
        &m.params
    }
    #[differentiable]
    fn by_id(items: &[Item], id: usize) -> Option<&Item> {
        items.iter().find(|it| it.id == id)
    }
    #[differentiable]
    fn by_id_mut(items: &mut Vec<Item>, id: usize) -> Option<&mut Item> {
        items.iter_mut().find(|it| it.id == id)
    }
    #[differentiable]
    fn first(x: &[f64]) -> &f64 {
        &x[0]
    }
    #[differentiable]
    fn corner(m: &mut [[f64; 2]; 3], i: usize) -> &mut f64 {
        &mut m[i][1]
    }
    #[differentiable]
    fn item_of(m: &Model, k: usize) -> &Item {
        &m.items[k]
    }
    #[differentiable]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut v = p.to_vec();
        for x in row_mut(&mut v, 3, 1) {
            *x *= p[0];
        }
        row_mut(&mut v, 2, 0)[1] += 2.0;
        let mut s = dot(row(&v, 3, 0), row(&v, 3, 1)) + first(p) * first(&v);
        let mut m = Model { params: v.clone(), items: vec![], a: s };
        for i in 0..3 {
            m.items.push(Item { id: i, w: p[i], v: [p[i + 1], p[i + 2]] });
        }
        *pick(&mut m, 0) *= 0.1;
        *pick(&mut m, 2) += *first(&m.params) * m.a;
        if let Some(it) = by_id(&m.items, 2) {
            s += it.w * it.v[0];
        }
        if let Some(it) = by_id_mut(&mut m.items, 1) {
            it.w *= it.v[1];
        }
        let mut g = [[p[0], p[1]], [p[2], p[3]], [p[4], p[5]]];
        *corner(&mut g, 1) *= *corner(&mut g, 2);
        let q = params(&m);
        let n = params(&m).len();
        s + q[1] * q[n - 1] + item_of(&m, 1).w + g[1][1] + row(p, 2, 2).iter().sum::<f64>()
    }
}

pub mod module {
    use diffi::prelude::*;
    mod geometry {
        use diffi::prelude::*;
        #[differentiable]
        pub fn part(x: &mut [f64], from: usize) -> &mut [f64] {
            &mut x[from..]
        }
        #[differentiable]
        pub fn largest(x: &[f64]) -> &f64 {
            let mut k = 0;
            for i in 1..x.len() {
                if x[i] > x[k] {
                    k = i;
                }
            }
            &x[k]
        }
        pub mod deep {
            use diffi::prelude::*;
            #[differentiable]
            pub fn last(x: &[f64]) -> &f64 {
                x.last().unwrap()
            }
        }
    }
    use geometry::{deep, largest};
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut x = p.to_vec();
        for v in geometry::part(&mut x, 2).iter_mut() {
            *v = v.sin();
        }
        let mut y = [p[0], p[1], p[2]];
        geometry::part(&mut y, 1)[0] *= 3.0;
        largest(&x) * deep::last(&x) + largest(&y) + y[1] * geometry::deep::last(p)
    }
}
