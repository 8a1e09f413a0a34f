//! Values that take the place of others of another shape. The derivative of a constant is zero, in the new shape.

use diffi::prelude::*;

#[derive(Clone, Differentiable)]
pub enum Shape {
    Point(f64),
    Path(f64, Vec<f64>),
    Nothing,
}

#[derive(Clone, Differentiable)]
pub struct Node {
    pub value: f64,
    pub best: Option<f64>,
    pub parts: Vec<f64>,
    pub number: usize,
    pub name: String,
}

#[differentiable]
fn node(value: f64) -> Node {
    Node { value, best: None, parts: vec![value], number: 1, name: String::new() }
}

#[differentiable]
fn options_in_a_vec(x: &[f64]) -> f64 {
    let mut memo: Vec<Option<f64>> = vec![None; 4];
    memo[0] = Some(1.0);
    for i in 0..3 {
        if let Some(last) = memo[i] {
            memo[i + 1] = Some(last * x[i] + x[0]);
        }
    }
    let before = memo[2].unwrap_or(0.5);
    memo[2] = Some(0.5);
    memo[1] = None;
    memo[1] = Some(x[1] * before);
    memo.iter().map(|m| m.unwrap_or(x[2])).sum::<f64>() * x[1]
}

#[differentiable]
fn options_in_an_array(x: &[f64]) -> f64 {
    let mut memo: [Option<f64>; 3] = [None; 3];
    memo[0] = Some(x[0]);
    set(&mut memo, 1);
    set(&mut memo, 0);
    memo[2] = Some(x[2] * x[1]);
    for slot in memo.iter_mut() {
        if let Some(v) = slot {
            if *v > 0.4 {
                *slot = None;
            } else {
                *v *= x[1];
            }
        }
    }
    memo.iter().map(|m| m.unwrap_or(x[1])).product::<f64>() * x[0]
}

#[differentiable]
fn set(memo: &mut [Option<f64>], i: usize) {
    memo[i] = Some(0.25);
}

#[differentiable]
fn fields(x: &[f64]) -> f64 {
    let mut nodes: Vec<Node> = Vec::new();
    for v in x {
        nodes.push(node(*v));
    }
    nodes[0].best = Some(0.5);
    for i in 1..3 {
        let last = nodes[i - 1].best.unwrap_or(2.0);
        nodes[i].best = Some(last + nodes[i].value * nodes[i - 1].value);
    }
    nodes[1].best = Some(1.0);
    nodes[0].best = None;
    nodes[2].parts = vec![2.0, 3.0];
    nodes[2].number = 3;
    nodes[2].name = "last".to_string();
    let mut sum = 0.0;
    for n in &nodes {
        let best = match n.best {
            Some(best) => best,
            None => n.value,
        };
        sum += best * n.value * n.number as f64 + n.parts[0] * n.value * n.parts.len() as f64;
    }
    sum * nodes[2].name.len() as f64
}

#[differentiable]
fn variants(x: &[f64]) -> f64 {
    let mut shapes = vec![Shape::Point(x[0]), Shape::Path(x[1], vec![x[2]; 2]), Shape::Nothing];
    let mut pair = (Shape::Point(x[0]), x[1]);
    let mut two = [Shape::Point(x[2]), Shape::Nothing];
    shapes[0] = Shape::Path(1.5, vec![2.0]);
    shapes[2] = Shape::Point(3.0);
    if x[0] > 0.2 {
        shapes[1] = Shape::Nothing;
        pair.0 = Shape::Nothing;
    }
    two[1] = Shape::Point(2.0);
    two[0] = Shape::Path(1.0, vec![]);
    let mut sum = match pair.0 {
        Shape::Nothing => pair.1,
        _ => 0.0,
    };
    for shape in shapes.iter().chain(&two) {
        sum += match shape {
            Shape::Point(a) => a * x[0],
            Shape::Path(a, path) => a * x[1] * path.len() as f64,
            Shape::Nothing => x[2] * sum,
        };
    }
    sum * sum
}

#[differentiable]
fn rows_of_a_matrix(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for v in x {
        rows.push(vec![v * v, *v]);
    }
    let fresh = vec![1.0, 2.0, 3.0];
    rows[0] = fresh;
    rows[1] = vec![0.5; 4];
    rows[0][2] *= x[2];
    rows[1][3] += x[1];
    let mut sum = 0.0;
    for row in &rows {
        for v in row {
            sum += v * v * row[0];
        }
    }
    sum
}

#[differentiable]
fn whole_arrays(x: &[f64]) -> f64 {
    let mut pair: (Option<f64>, f64) = (Some(x[0]), x[1]);
    let mut two: [Option<f64>; 2] = [None; 2];
    two[0] = Some(x[2]);
    let a = pair.0.unwrap() * pair.1;
    pair = (None, 2.0);
    let b = two[0].unwrap_or(1.0) * a;
    two = [None; 2];
    two[1] = Some(x[0]);
    let c = two[1].unwrap() * pair.1 + pair.0.unwrap_or(x[1]);
    two = [None; 2];
    two[0] = Some(1.0);
    pair.0 = Some(x[0] * x[0]);
    b * c + two[0].unwrap() * pair.0.unwrap()
}

#[differentiable]
fn declared_later(x: &[f64]) -> f64 {
    let mut v: Vec<f64>;
    v = vec![x[0]; 3];
    let s = v[0] * v[2];
    v = vec![x[1], x[0] * x[1]];
    s * v[0] * v[1] + v.len() as f64
}

#[differentiable]
fn declared_in_branches(x: &[f64]) -> f64 {
    let mut v: Vec<f64>;
    if x[0] > 0.5 {
        v = vec![x[0]; 3];
    } else {
        v = x.to_vec();
    }
    let mut s = 0.0;
    for k in 0..3 {
        s += v[0] * v[v.len() - 1];
        let w = vec![s; k + 2];
        v = w;
    }
    s * v[3]
}

crate::check::sound! {
    declared_later declared_in_branches options_in_a_vec options_in_an_array fields variants rows_of_a_matrix whole_arrays
}
