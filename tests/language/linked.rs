//! Constant lists and trees of nodes, walked by references that move from node to node.

use diffi::prelude::*;

struct Node {
    weight: f64,
    index: usize,
    up: bool,
    next: Option<Box<Node>>,
}

fn nodes() -> Option<Box<Node>> {
    let mut list = None;
    for i in 0..5 {
        list = Some(Box::new(Node { weight: 0.5 + i as f64, index: i % 2, up: i % 3 == 0, next: list }));
    }
    list
}

#[differentiable(constant(head))]
fn by_options(head: &Option<Box<Node>>, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut cur = head.as_deref();
    while let Some(node) = cur {
        if node.up {
            sum += node.weight * x[node.index] * f64::sin(sum);
        } else {
            sum += x[node.index] * x[node.index];
        }
        cur = node.next.as_deref();
    }
    sum
}

#[differentiable(constant(head))]
fn by_references(head: &Option<Box<Node>>, x: f64) -> f64 {
    let mut product = x;
    let mut cur = head;
    while let Some(node) = cur {
        let root = node.weight.sqrt();
        product *= root * 0.5 * x + scaled(node.weight, x);
        cur = &node.next;
    }
    product
}

#[differentiable]
fn scaled(weight: f64, x: f64) -> f64 {
    (0.1 * weight * x).sin()
}

#[differentiable(constant(first))]
fn by_loops(first: &Node, x: f64) -> f64 {
    let mut sum = x;
    let mut node = first;
    loop {
        if node.weight > 3.0 {
            sum *= x;
        }
        sum += node.weight * x * sum;
        match &node.next {
            Some(next) => node = next,
            None => return sum,
        }
    }
}

#[differentiable(constant(head))]
fn by_let_else(head: &Option<Box<Node>>, x: f64) -> f64 {
    let mut sum = x;
    let mut cur = head.as_ref();
    loop {
        let Some(node) = cur else { break };
        if node.weight > 3.0 {
            cur = node.next.as_ref();
            continue;
        }
        sum *= node.weight * x;
        cur = node.next.as_ref();
    }
    sum
}

#[differentiable]
fn of_lists(x: &[f64]) -> f64 {
    let list = nodes();
    let first = Node { weight: 0.3, index: 0, up: true, next: nodes() };
    by_options(&list, x) + by_references(&list, x[0]) + 0.01 * by_loops(&first, x[1]) + by_let_else(&list, x[0])
}

enum Steps {
    Leaf(f64),
    Scale { by: f64, then: Box<Steps> },
    Shift(f64, Box<Steps>),
    Power(i32, Box<Steps>),
}

#[differentiable(constant(steps))]
fn taken(steps: &Steps, x: f64) -> f64 {
    let mut y = x;
    let mut steps = steps;
    loop {
        match steps {
            Steps::Leaf(c) => return y + c * x,
            Steps::Scale { by, then } => {
                y *= by * x;
                steps = then;
            }
            Steps::Shift(d, then) => {
                y = y.sin() + d;
                steps = then;
            }
            Steps::Power(n, then) => {
                y = y.powi(*n) * x;
                steps = then;
            }
        }
    }
}

#[differentiable(constant(steps))]
fn shifts(steps: &Steps, x: f64) -> f64 {
    let mut y = x;
    let mut at = steps;
    while let Steps::Shift(d, then) = at {
        y = d * y * y + x;
        at = then;
    }
    y
}

#[differentiable]
fn of_steps(x: f64) -> f64 {
    let last = Box::new(Steps::Power(2, Box::new(Steps::Leaf(0.7))));
    let steps = Steps::Scale { by: 1.5, then: Box::new(Steps::Shift(0.3, last)) };
    let two = Steps::Shift(0.4, Box::new(Steps::Shift(0.8, Box::new(Steps::Leaf(0.1)))));
    taken(&steps, x) * shifts(&two, x)
}

struct Tree {
    key: f64,
    weights: [f64; 2],
    low: Option<Box<Tree>>,
    high: Option<Box<Tree>>,
}

fn tree() -> Tree {
    let leaf = |key, weights| Some(Box::new(Tree { key, weights, low: None, high: None }));
    Tree { key: 1.0, weights: [0.3, 0.4], low: leaf(0.5, [1.0, 2.0]), high: leaf(2.0, [0.7, 0.1]) }
}

#[differentiable(constant(root))]
fn found(root: &Tree, x: &[f64]) -> f64 {
    let mut y = 0.0;
    let mut at = Some(root);
    while let Some(tree) = at {
        y += tree.weights[0] * x[0] + tree.weights[1] * x[1] * x[1];
        at = if x[0] < tree.key { tree.low.as_deref() } else { tree.high.as_deref() };
    }
    y
}

#[differentiable]
fn of_trees(x: &[f64]) -> f64 {
    let tree = tree();
    found(&tree, x) * x[1]
}

struct Arena {
    weights: Vec<f64>,
    next: Vec<Option<usize>>,
}

#[differentiable(constant(arena))]
fn in_arena(arena: &Arena, x: f64) -> f64 {
    let mut sum = 0.0;
    let mut cur = Some(0);
    while let Some(i) = cur {
        sum += arena.weights[i] * x * x;
        cur = arena.next[i];
    }
    sum
}

#[differentiable]
fn of_arenas(x: &[f64]) -> f64 {
    let arena = Arena { weights: vec![1.5, 2.5, 0.5], next: vec![Some(2), None, Some(1)] };
    in_arena(&arena, x[0]) * x[1]
}

/// Lists and trees that carry derivatives, by options of references.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Link {
    value: f64,
    rest: Option<Box<Link>>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Leaf {
    value: f64,
    left: Option<Box<Leaf>>,
    right: Option<Box<Leaf>>,
}

#[differentiable]
fn sum_of_links(link: Option<&Link>) -> f64 {
    match link {
        Some(link) => link.value * link.value + sum_of_links(link.rest.as_deref()),
        None => 0.5,
    }
}

#[differentiable]
fn value_of_leaves(leaf: Option<&Leaf>, depth: f64) -> f64 {
    let Some(leaf) = leaf else { return depth };
    let left = value_of_leaves(leaf.left.as_deref(), depth * leaf.value);
    left.sin() + leaf.value * value_of_leaves(leaf.right.as_deref(), depth + 1.0)
}

#[differentiable]
fn of_links(x: &[f64]) -> f64 {
    let mut link = Link { value: x[0], rest: None };
    for v in &x[1..] {
        link = Link { value: *v * link.value, rest: Some(Box::new(link)) };
    }
    sum_of_links(Some(&link)) * sum_of_links(link.rest.as_deref())
}

#[differentiable]
fn of_leaves(x: f64, y: f64) -> f64 {
    let left = Leaf { value: y, left: None, right: None };
    let right = Leaf { value: x * y, left: Some(Box::new(left.clone())), right: None };
    let root = Leaf { value: x, left: Some(Box::new(left)), right: Some(Box::new(right)) };
    value_of_leaves(Some(&root), y) * root.value
}

mod tests {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number of_lists(at x: Vec<f64>): [vec![0.7, 0.3]] [vec![0.2, 0.9]];
        number of_steps(by x: f64): [0.7];
        number of_trees(at x: Vec<f64>): [vec![0.7, 1.3]] [vec![1.2, 0.4]];
        number of_arenas(at x: Vec<f64>): [vec![0.7, 1.3]];
        number of_links(at x: Vec<f64>): [vec![0.7, 1.3, 0.4]];
        number of_leaves(by x: f64, by y: f64): [0.7, 1.3] [0.4, -0.6];
    }
}
