//! Structs and variants that loops and labelled blocks are left with.

use diffi::prelude::*;

// A struct that is made where the loop is left.

#[derive(Clone, Copy, Differentiable)]
struct Point1 {
    x: f64,
    y: f64,
}

#[differentiable]
fn left_with_a_struct(x: &[f64]) -> f64 {
    let mut k = 0;
    let mut a = x[0];
    let p = loop {
        a = a * 0.7 + x[1] * 0.1;
        k += 1;
        if k > 3 {
            break Point1 { x: a, y: a * x[1] };
        }
    };
    p.x * p.y
}

// A labelled block, whose last value has no derivative.

#[derive(Clone, Copy, Differentiable)]
struct Point2 {
    x: f64,
    y: f64,
}

#[differentiable]
fn left_early_with_a_struct(x: &[f64]) -> f64 {
    let p = 'a: {
        if x[0] > 5.0 {
            break 'a Point2 { x: x[0], y: 1.0 };
        }
        if x[1] > 0.0 {
            break 'a Point2 { x: x[1] * x[0], y: x[0] };
        }
        Point2 { x: 0.0, y: 0.0 }
    };
    p.x * p.y
}

// A variable that holds a struct.

#[derive(Clone, Copy, Differentiable)]
struct Point3 {
    x: f64,
    y: f64,
}

#[differentiable]
fn stepped(p: &Point3) -> Point3 {
    Point3 { x: p.x * 0.5 + p.y, y: p.y * p.x }
}

#[differentiable]
fn left_with_a_state(x: &[f64]) -> f64 {
    let mut p = Point3 { x: x[0], y: x[1] };
    let mut k = 0;
    let q = loop {
        p = stepped(&p);
        k += 1;
        if k == 3 {
            break p;
        }
    };
    q.x * q.y
}

// What a function of the type makes.

#[derive(Clone, Copy, Differentiable)]
struct Point4 {
    x: f64,
    y: f64,
}

#[differentiable]
impl Point4 {
    fn new(x: f64, y: f64) -> Self {
        Point4 { x, y }
    }
}

#[differentiable]
fn left_with_a_constructor(x: &[f64]) -> f64 {
    let mut i = 0;
    let p = loop {
        if i >= 2 {
            break Point4::new(0.0, 0.0);
        }
        if x[i] < 0.5 {
            break Point4::new(x[i], x[0] * x[i]);
        }
        i += 1;
    };
    p.x * p.y + p.y
}

// A struct with a list.

#[derive(Clone, Differentiable)]
struct Report {
    root: f64,
    path: Vec<f64>,
}

#[differentiable]
fn left_with_a_report(x: &[f64]) -> f64 {
    let mut y = x[0];
    let mut path = vec![];
    let mut n = 0;
    let r = loop {
        let dy = (y * y - x[1]) / (2.0 * y);
        y -= dy;
        path.push(y);
        n += 1;
        if n == 3 {
            break Report { root: y, path };
        }
    };
    r.root + r.path[0] * r.path[1]
}

// Variants.

#[derive(Clone, Copy, Differentiable)]
enum Search {
    Hit(f64),
    Miss { by: f64 },
}

#[differentiable]
fn left_with_a_variant(x: &[f64]) -> f64 {
    let s = 'find: {
        for i in 0..2 {
            if x[i] < 0.5 {
                break 'find Search::Hit(x[i] * x[0]);
            }
        }
        Search::Miss { by: x[0] }
    };
    match s {
        Search::Hit(v) => v * v,
        Search::Miss { by } => by,
    }
}

// A struct and a count.

#[derive(Clone, Copy, Differentiable)]
struct Point5 {
    x: f64,
    y: f64,
}

#[differentiable]
fn left_with_a_pair(x: &[f64]) -> f64 {
    let mut a = x[0];
    let mut k = 0;
    let (p, n) = loop {
        a *= x[1] + 0.5;
        k += 1;
        if a < 0.5 {
            break (Point5 { x: a, y: x[0] }, k);
        }
        if k > 6 {
            break (Point5 { x: 0.0, y: 0.0 }, 0);
        }
    };
    p.x * p.y * n as f64
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number left_with_a_struct(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number left_early_with_a_struct(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number left_with_a_state(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number left_with_a_constructor(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number left_with_a_report(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number left_with_a_variant(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number left_with_a_pair(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
    }
}
