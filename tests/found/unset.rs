//! Structs and enums without a `Default`, returned from the midst of loops and branches, and what is declared there.

use diffi::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Stop {
    at: f64,
    path: Vec<f64>,
    iterations: usize,
}

#[derive(Clone, Debug, Differentiable)]
enum Tree {
    Two(Box<Tree>, Box<Tree>),
    One(f64),
    No,
}

#[differentiable]
fn stop(x: &[f64]) -> Stop {
    let mut sum = 0.0;
    for v in x {
        sum += v * v;
        if sum > 1.0 {
            return Stop { at: sum, path: vec![sum, *v], iterations: 1 };
        }
    }
    Stop { at: sum, path: vec![], iterations: 0 }
}

#[differentiable]
fn struct_out_of_a_loop(x: &[f64]) -> f64 {
    let stop = stop(x);
    stop.at * stop.path.iter().sum::<f64>() + stop.at
}

#[differentiable]
impl Stop {
    fn step(&self, x: &[f64]) -> Self {
        let mut k = 0;
        loop {
            if x[k] > 0.8 {
                return Stop { at: self.at * x[k], path: vec![x[k]], iterations: k };
            }
            k += 1;
            if k == x.len() {
                return Self { at: self.at, ..self.clone() };
            }
        }
    }

    fn find(&self, x: &[f64]) -> Option<Stop> {
        for v in x {
            if *v > 0.8 {
                return Some(Stop { at: self.at * v, path: vec![*v], iterations: 0 });
            }
            if *v < 0.0 {
                return None;
            }
        }
        None
    }
}

#[differentiable]
fn methods_out_of_loops(x: &[f64]) -> f64 {
    let start = Stop { at: x[0] * 2.0, path: vec![x[0]], iterations: 3 };
    let next = start.step(x);
    match next.find(x) {
        Some(last) => next.at * next.path[0] * last.at,
        None => next.at,
    }
}

#[differentiable]
fn tree(x: &[f64]) -> (Tree, f64) {
    let mut sum = 0.0;
    for v in x {
        sum += v * v;
        if sum > 1.0 {
            return (Tree::Two(Box::new(Tree::One(sum * sum)), Box::new(Tree::No)), sum);
        }
    }
    (Tree::No, 0.5)
}

#[differentiable]
fn enum_out_of_a_loop(x: &[f64]) -> f64 {
    let (tree, sum) = tree(x);
    match tree {
        Tree::Two(left, _) => match *left {
            Tree::One(v) => v * sum,
            _ => sum,
        },
        _ => sum * x[0],
    }
}

/// A constant of a loop's body, which is lowered more than once.
#[differentiable]
fn constant_in_a_loop(x: &[f64]) -> f64 {
    let mut k = 0;
    let mut sum = 0.0;
    loop {
        k += 1;
        const AT: usize = 2;
        let y = x.iter().map(|v| v.sin()).collect::<Vec<_>>();
        sum += y[AT] * x[0];
        if k >= 4 {
            break sum;
        }
    }
}

#[differentiable]
fn negated(x: &[f64]) -> Tree {
    Tree::One(-x[1])
}

/// A condition that looks into what a callee made.
#[differentiable]
fn matched_in_a_condition(x: &[f64]) -> f64 {
    let tree = negated(x);
    let y = 'a: {
        if (match &tree {
            Tree::One(v) => *v,
            Tree::Two(..) => 0.875,
            Tree::No => x[0],
        }) < x[0] - x[1]
        {
            break 'a x[1];
        }
        x[2]
    };
    y * y + x[0]
}

/// A variable that is assigned within `vec![value; count]`.
#[differentiable]
fn assigned_in_a_macro(x: &[f64]) -> f64 {
    let mut o = if x.len() > 100 { Some(1.125) } else { None };
    let y = vec![
        ({
            let z: f64 = 0.125;
            for v in 0..2 {
                match v {
                    0 => {}
                    _ => {
                        o = if v % 2 == 1 { Some(z.atan2(2.5)) } else { None };
                    }
                }
            }
            z
        })
        .sin();
        2
    ];
    y[0] * x[0] + o.unwrap_or(0.5) * x[1]
}

#[differentiable]
fn some(x: &[f64]) -> Option<f64> {
    Some((1.2 + x[0].sin()).sqrt())
}

/// An option of a callee in a loop of which states are kept.
#[differentiable]
fn option_in_a_checkpoint(x: &[f64]) -> f64 {
    let mut k = 0;
    let mut s = 0.1;
    #[checkpoint]
    loop {
        k += 1;
        let mut j = 0;
        let q = loop {
            j += 1;
            match k {
                0..=1 => {
                    let o = some(x);
                    s = (s + o.and_then(|v| if x[1] > 0.3 { Some(x[1] * v) } else { None }).unwrap_or(0.5)).sin();
                }
                _ => {
                    if x[0] > 5.0 {
                        break x[2];
                    }
                    s *= x[0];
                }
            }
            if j >= 3 {
                break s.sin();
            }
        };
        s += q;
        if k >= 3 {
            break;
        }
    }
    s
}

/// Places that patterns bind: `ref mut` changes what is matched, and not a copy of it.
#[differentiable]
fn changed_in_patterns(x: &[f64]) -> f64 {
    let mut tree = Tree::One(x[0]);
    match tree {
        Tree::One(ref mut a) => *a *= x[1],
        _ => {}
    }
    if let Tree::One(ref mut a) = tree {
        *a += x[2] * x[2];
    }
    let mut pair = (x[0], x[1]);
    match pair {
        (ref mut a, b) if b > 0.0 => *a *= b,
        _ => {}
    }
    let mut list = [x[1], x[2]];
    match list {
        [ref mut a, b] => *a *= b,
    }
    let mut o = Some(x[2]);
    if let Some(ref mut v) = o {
        *v *= pair.0;
    }
    match tree {
        Tree::One(a) => a * pair.0 * list[0] + o.unwrap(),
        _ => 0.0,
    }
}

/// Arrays on the left of an assignment.
#[differentiable]
fn assigned_in_arrays(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    let mut y = vec![x[2]; 2];
    [a, b] = [b, a * b];
    [y[1], _] = [a, b];
    ([a, y[0]], b) = ([b * y[1], a], b * x[2]);
    a - 2.0 * b + y[0] * y[1]
}

#[derive(Clone, Debug, Differentiable)]
enum Shape {
    Round(f64),
    Square { side: f64 },
    Many { sides: Vec<f64> },
}

/// Branches within branches choose among members of which only rustc knows that they are numbers.
#[differentiable]
fn size(shape: &Shape, limit: f64) -> f64 {
    let chosen = if limit < 0.25 {
        0.5
    } else {
        match shape {
            Shape::Round(radius) => *radius,
            Shape::Square { side } => *side,
            Shape::Many { sides } => sides[1],
        }
    };
    chosen + limit.sin()
}

#[differentiable]
fn sizes(x: &[f64]) -> f64 {
    let (a, b, c) = (Shape::Round(x[0] * x[1]), Shape::Square { side: x[0] }, Shape::Many { sides: x.to_vec() });
    size(&a, x[2]) * size(&b, x[0]) + size(&c, x[1])
}

/// A block's own names leave it by a `break` with a value.
#[differentiable]
fn broken_out_of_a_block(x: &[f64]) -> f64 {
    let k = 0.25;
    let first = ({
        let a = x[1];
        'found: {
            if (-0.5..0.8).contains(&a) {
                break 'found a;
            }
            k
        }
    }) + x[0];
    let second = ({
        let a = x[1] * x[0];
        let mut i = 0;
        loop {
            i += 1;
            if i > 2 {
                break a * k;
            }
        }
    }) + x[0];
    first * second
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number struct_out_of_a_loop(at x: Vec<f64>): [vec![0.4, 0.7, 0.9]] [vec![0.4, 0.1, 0.2]];
        number methods_out_of_loops(at x: Vec<f64>): [vec![0.4, 0.7, 0.9]] [vec![0.4, -0.7, 0.2]];
        number enum_out_of_a_loop(at x: Vec<f64>): [vec![0.4, 0.7, 0.9]] [vec![0.4, 0.1, 0.2]];
        number assigned_in_arrays(at x: Vec<f64>): [vec![0.4, 0.7, 0.9]];
        number changed_in_patterns(at x: Vec<f64>): [vec![0.4, 0.7, 0.9]];
        number constant_in_a_loop(at x: Vec<f64>): [vec![0.4, 0.7, 0.9]];
        number matched_in_a_condition(at x: Vec<f64>): [vec![0.4, 0.7, 0.9]] [vec![2.4, 0.1, 0.2]];
        number assigned_in_a_macro(at x: Vec<f64>): [vec![0.4, 0.7]];
        number broken_out_of_a_block(at x: Vec<f64>): [vec![0.4, 0.7]] [vec![0.4, 0.9]];
        number sizes(at x: Vec<f64>): [vec![0.4, 0.7, 0.9]] [vec![0.4, 0.7, 0.1]];
        number option_in_a_checkpoint(at x: Vec<f64>): [vec![0.4, 0.7, 0.9]] [vec![0.4, 0.1, 0.9]];
    }
}
