//! Constant lists that are moved into active values: rows, members, fields.

use crate::check::number;
use diffi::prelude::*;

mod empty_rows {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let empty: Vec<f64> = Vec::new();
        let rows = [vec![x[0], x[1]], empty];
        let mut s = 0.0;
        for r in &rows {
            s += r.iter().map(|v| v * v).sum::<f64>() + r.len() as f64;
        }
        s
    }
}

mod rows {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let ones = vec![1.0, 2.0];
        let rows = vec![x.to_vec(), ones];
        let mut s = 0.0;
        for r in &rows {
            s += r.iter().map(|v| v * v).sum::<f64>().sin() * r[0];
        }
        s
    }
}

mod pushed {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut rows = vec![x.to_vec()];
        for k in 0..2 {
            let row: Vec<f64> = (0..2).map(|i| (i * k) as f64).collect();
            rows.push(row);
        }
        rows.push(vec![x[1], x[0]]);
        let mut s = 0.0;
        for r in &rows {
            s += r.iter().map(|v| v * v).sum::<f64>().sin() * r[0];
        }
        s
    }
}

mod tuples {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let ones = vec![1.0, 2.0];
        let pair = (x.to_vec(), ones);
        let mut s = 0.0;
        for (a, b) in pair.0.iter().zip(&pair.1) {
            s += a * a * b;
        }
        s
    }
}

mod structs {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    struct L {
        w: Vec<f64>,
        b: Vec<f64>,
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let zeros = vec![0.5; 2];
        let l = L { w: x.to_vec(), b: zeros };
        let ls = vec![l, L { w: vec![1.0, 2.0], b: x.to_vec() }];
        let mut s = 0.0;
        for l in &ls {
            for i in 0..2 {
                s += l.w[i] * l.w[i] + l.b[i].sin();
            }
        }
        s
    }
}

mod swapped {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let zeros = vec![0.5; 2];
        let mut st = [x.to_vec(), zeros];
        for _ in 0..3 {
            for i in 0..2 {
                st[1][i] += st[0][i] * st[0][1 - i];
            }
            st.swap(0, 1);
        }
        st[0][0] * st[1][1]
    }
}

mod aliases {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let a = vec![1.0, 2.0];
        let b = a;
        let mut s = 0.0;
        for i in 0..2 {
            s += x[i] * x[i] * b[i];
        }
        s
    }
}

mod fields {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    struct L {
        w: Vec<f64>,
        b: Vec<f64>,
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let b = vec![1.0, 2.0];
        let mut l = L { w: x.to_vec(), b: vec![] };
        l.b = b;
        let mut s = 0.0;
        for i in 0..2 {
            s += l.w[i] * l.w[i] * l.b[i];
        }
        s
    }
}

mod assigned {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut u = x.to_vec();
        let start = vec![1.0, 2.0];
        let k = start.len();
        let mut s = u[0] * u[1];
        u = start;
        u[0] *= x[1];
        for i in 0..k {
            s += u[i] * u[i];
        }
        s
    }
}

mod in_loops {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut all: Vec<Vec<f64>> = Vec::new();
        for k in 0..3 {
            let mut row = vec![0.0; 2];
            row[0] = k as f64;
            if k == 1 {
                all.push(row);
            } else {
                row[1] = x[0] * k as f64;
                all.push(row);
            }
        }
        all.iter().map(|r| r.iter().sum::<f64>().exp()).sum::<f64>() * x[1]
    }
}

mod alone {
    use diffi::prelude::*;
    #[differentiable]
    fn basis(x: &[f64], plain: bool) -> Vec<Vec<f64>> {
        let ones = vec![1.0; 2];
        let mut b = vec![ones];
        if !plain {
            b.push(x.to_vec());
        }
        b
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let b = basis(x, false);
        b[0][0] * b[1][0] * b[1][1].sin()
    }
}

mod in_branches {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let ones = vec![1.0, 3.0];
        let w = if x[0] > 10.0 { x.to_vec() } else { ones };
        w[0] * x[0] * x[0] + w[1] * x[1] * x[1]
    }
}

mod arrays {
    use diffi::prelude::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut pts: Vec<[f64; 2]> = vec![[x[0], x[1]]];
        let o = [1.0, 2.0];
        pts.push(o);
        pts.push([x[1], 1.0]);
        pts.iter().map(|p| p[0] * p[1] * x[0]).sum()
    }
}

#[test]
fn constant_lists_that_are_moved() {
    number!(empty_rows::f::D, [1.3, 0.7], |x| x, |x| empty_rows::f(x));
    number!(rows::f::D, [1.3, 0.7], |x| x, |x| rows::f(x));
    number!(pushed::f::D, [1.3, 0.7], |x| x, |x| pushed::f(x));
    number!(tuples::f::D, [1.3, 0.7], |x| x, |x| tuples::f(x));
    number!(structs::f::D, [1.3, 0.7], |x| x, |x| structs::f(x));
    number!(swapped::f::D, [1.3, 0.7], |x| x, |x| swapped::f(x));
    number!(aliases::f::D, [1.3, 0.7], |x| x, |x| aliases::f(x));
    number!(fields::f::D, [1.3, 0.7], |x| x, |x| fields::f(x));
    number!(assigned::f::D, [1.3, 0.7], |x| x, |x| assigned::f(x));
    number!(in_loops::f::D, [1.3, 0.7], |x| x, |x| in_loops::f(x));
    number!(alone::f::D, [1.3, 0.7], |x| x, |x| alone::f(x));
    number!(in_branches::f::D, [1.3, 0.7], |x| x, |x| in_branches::f(x));
    number!(arrays::f::D, [1.3, 0.7], |x| x, |x| arrays::f(x));
}
