//! Variants of enums under their names alone, as `use` has them: they are no structs.

use crate::check::number;
use diffi::prelude::*;

mod in_macros {
    use diffi::prelude::*;
    #[derive(Clone, Copy, PartialEq, Differentiable)]
    enum Shape {
        Circle(f64),
        Rect { w: f64, h: f64 },
        Point,
    }
    use Shape::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let all = vec![Circle(x[0]), Rect { w: x[0], h: x[1] }, Point];
        let mut s = 0.0;
        for a in &all {
            if matches!(a, Circle(_)) {
                s += x[1];
            }
            s += match a {
                Circle(r) => r * r,
                &Rect { w, h } => w * h,
                Point => x[0],
            };
        }
        s
    }
}

mod renamed {
    use diffi::prelude::*;
    #[derive(Clone, Copy, PartialEq, Differentiable)]
    enum Shape {
        Circle(f64),
        Rect { w: f64, h: f64 },
        Point,
    }
    use Shape::Circle as C;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let a = C(x[0] * x[1]);
        if let C(r) = a { r * r } else { x[0] }
    }
}

mod beside_a_struct {
    use diffi::prelude::*;
    #[derive(Clone, Copy, PartialEq, Differentiable)]
    struct Circle(f64, f64);
    #[derive(Clone, Copy, PartialEq, Differentiable)]
    enum Shape {
        Circle(f64),
        Point,
    }
    #[allow(unused_imports)]
    use Shape::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let a = Circle(x[0] * x[1], x[1]);
        let Circle(p, q) = a;
        p * q
    }
}

mod of_trees {
    use diffi::prelude::*;
    #[derive(Clone, Differentiable)]
    enum Tree {
        Leaf(f64),
        Node(Box<Tree>, Box<Tree>),
    }
    use Tree::{Leaf, Node};
    #[differentiable]
    impl Tree {
        fn eval(&self) -> f64 {
            match self {
                Leaf(v) => v.sin(),
                Node(a, b) => a.eval() * b.eval() + a.eval(),
            }
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let t = Node(Box::new(Leaf(x[0])), Box::new(Node(Box::new(Leaf(x[1])), Box::new(Leaf(x[0] * x[1])))));
        t.eval()
    }
}

mod across_modules {
    use diffi::prelude::*;
    mod shapes {
        use diffi::prelude::*;
        #[derive(Clone, Copy, PartialEq, Differentiable)]
        pub enum Shape {
            Circle(f64),
            Rect { w: f64, h: f64 },
            Point,
        }
        pub mod ops {
            use super::Shape::{self, *};
            use diffi::prelude::*;
            #[differentiable]
            pub fn area(s: &Shape) -> f64 {
                match s {
                    Circle(r) => r * r,
                    Rect { w, h } => w * h,
                    Point => 0.0,
                }
            }
        }
    }
    use shapes::Shape::{Circle, Rect};
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let (a, b) = (Circle(x[0]), Rect { w: x[1], h: x[0] });
        shapes::ops::area(&a) * shapes::ops::area(&b)
    }
}

mod of_messages {
    use diffi::prelude::*;
    #[derive(Clone, Copy, Differentiable)]
    enum Op {
        Add(f64),
        Mul(f64),
        Neg,
    }
    use Op::*;
    #[differentiable]
    fn run(ops: &[Op], v: f64) -> f64 {
        let mut v = v;
        for op in ops {
            v = match *op {
                Add(a) => v + a,
                Mul(a) => v * a,
                Neg => -v,
            };
        }
        v
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        run(&[Add(x[0]), Mul(x[1]), Neg, Add(2.0), Mul(x[0] * x[1])], x[1])
    }
}

mod of_std {
    use diffi::prelude::*;
    use std::cmp::Ordering::{Equal, Greater, Less};
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        match x[0].partial_cmp(&x[1]) {
            Some(Less) => x[0],
            Some(Greater) => x[0] * x[1],
            Some(Equal) | None => 0.0,
        }
    }
}

mod of_states {
    use diffi::prelude::*;
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Up,
        Down,
    }
    use State::*;
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = Up;
        let mut t = x[0];
        for _ in 0..4 {
            match s {
                Up => {
                    t += x[1];
                    s = if t > 1.5 { Down } else { Up };
                }
                Down => {
                    t *= x[0].sin();
                    s = Up;
                }
            }
        }
        t
    }
}

mod in_a_function {
    use diffi::prelude::*;
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Up,
        Down,
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        use State::*;
        let mut s = Up;
        let mut t = x[0];
        for _ in 0..4 {
            match s {
                Up => {
                    t += x[1];
                    s = if t > 1.5 { Down } else { Up };
                }
                Down => {
                    t *= x[0].sin();
                    s = Up;
                }
            }
        }
        t
    }
}

mod by_name {
    use diffi::prelude::*;
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Up,
        Down(usize),
    }
    use State::{Down, Up};
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let mut s = Up;
        let mut t = x[0];
        for i in 0..4 {
            match s {
                Up => {
                    t += x[1];
                    s = if t > 1.5 { Down(i) } else { Up };
                }
                Down(k) => {
                    t *= (x[0] * k as f64).sin();
                    s = Up;
                }
            }
        }
        t
    }
}

mod with_numbers {
    use diffi::prelude::*;
    #[derive(Clone, Copy, Differentiable)]
    enum Shape {
        Circle(f64),
        Rect { w: f64, h: f64 },
    }
    use Shape::*;
    #[differentiable]
    fn area(s: &Shape) -> f64 {
        match s {
            Circle(r) => 3.0 * r * r,
            Rect { w, h } => w * h,
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let a = Circle(x[0]);
        let b = Rect { w: x[0], h: x[1] };
        area(&a) * area(&b)
    }
}

mod in_functions {
    use diffi::prelude::*;
    #[derive(Clone, Copy, Differentiable)]
    enum Shape {
        Circle(f64),
        Rect { w: f64, h: f64 },
    }
    #[differentiable]
    fn area(s: &Shape) -> f64 {
        use Shape::*;
        match *s {
            Circle(r) => 3.0 * r * r,
            Rect { w, h } => w * h,
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        use Shape::{Circle, Rect};
        let shapes = [Circle(x[0]), Rect { w: x[0], h: x[1] }];
        shapes.iter().map(|s| area(s)).product()
    }
}

#[test]
fn imported_variants() {
    number!(in_macros::f::D, [1.3, 0.7], |x| x, |x| in_macros::f(x));
    number!(renamed::f::D, [1.3, 0.7], |x| x, |x| renamed::f(x));
    number!(beside_a_struct::f::D, [1.3, 0.7], |x| x, |x| beside_a_struct::f(x));
    number!(of_trees::f::D, [1.3, 0.7], |x| x, |x| of_trees::f(x));
    number!(across_modules::f::D, [1.3, 0.7], |x| x, |x| across_modules::f(x));
    number!(of_messages::f::D, [1.3, 0.7], |x| x, |x| of_messages::f(x));
    number!(of_std::f::D, [1.3, 0.7], |x| x, |x| of_std::f(x));
    number!(of_states::f::D, [1.3, 0.7], |x| x, |x| of_states::f(x));
    number!(in_a_function::f::D, [1.3, 0.7], |x| x, |x| in_a_function::f(x));
    number!(by_name::f::D, [1.3, 0.7], |x| x, |x| by_name::f(x));
    number!(with_numbers::f::D, [1.3, 0.7], |x| x, |x| with_numbers::f(x));
    number!(in_functions::f::D, [1.3, 0.7], |x| x, |x| in_functions::f(x));
}
