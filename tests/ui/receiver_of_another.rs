//! A method that ends in others returns its receiver only if all of these do.

use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Node {
    v: f64,
    kids: Vec<Node>,
}

#[differentiable]
impl Node {
    fn child(&mut self, k: usize) -> &mut Self {
        &mut self.kids[k]
    }

    fn scaled(&mut self, s: f64) -> &mut Self {
        self.v *= s;
        self
    }

    fn grandchild(&mut self) -> &mut Self {
        self.child(0).scaled(2.0).child(0)
    }
}

fn main() {}
