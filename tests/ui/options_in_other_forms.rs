use diffi::prelude::*;

#[differentiable(constant = n)]
fn equals(x: f64, n: i32) -> f64 {
    x.powi(n)
}

#[differentiable(constant("n"))]
fn text(x: f64, n: i32) -> f64 {
    x.powi(n)
}

#[differentiable(constant(n: i32))]
fn a_type(x: f64, n: i32) -> f64 {
    x.powi(n)
}

#[differentiable(constant(&table))]
fn a_reference(x: f64, table: &[f64]) -> f64 {
    x * table[0]
}

#[differentiable(constant())]
fn nothing(x: f64, n: i32) -> f64 {
    x.powi(n)
}

#[differentiable(output(return))]
fn the_result(x: f64) -> f64 {
    x * x
}

#[differentiable(constant(n) first_order)]
fn no_comma(x: f64, n: i32) -> f64 {
    x.powi(n)
}

#[differentiable(first_order(x))]
fn more_than_a_word(x: f64) -> f64 {
    x * x
}

#[differentiable(handle = "Power")]
fn a_name_as_text(x: f64) -> f64 {
    x * x
}

#[differentiable(pullback(by_hand))]
fn parentheses(x: f64) -> f64 {
    x * x
}

#[differentiable(pullback = |x: f64, dy: f64| 2.0 * x * dy)]
fn a_closure(x: f64) -> f64 {
    x * x
}

#[differentiable(pullback = by_hand, pullback = by_hand)]
fn two_rules(x: f64) -> f64 {
    x * x
}

fn by_hand(x: f64, dy: f64) -> f64 {
    2.0 * x * dy
}

#[differentiable("x")]
fn a_text(x: f64) -> f64 {
    x * x
}

#[differentiable(wrt(x))]
fn by_what(x: f64, y: f64) -> f64 {
    x * y
}

#[differentiable(checkpoint)]
fn memory(x: f64) -> f64 {
    x * x
}

#[differentiable(constant(n))]
#[differentiable(first_order)]
fn two_attributes(x: f64, n: i32) -> f64 {
    x.powi(n)
}

#[differentiable(first_order)]
struct Point {
    x: f64,
}

#[differentiable(root_of = residual)]
fn solve((a, b): (f64, f64)) -> f64 {
    (a * b).sqrt()
}

fn main() {}
