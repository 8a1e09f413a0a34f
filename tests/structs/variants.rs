//! Enums: variants with members, recursion through boxes.

use diffi::prelude::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Shape {
    Point,
    Circle(f64),
    Rect { w: f64, h: f64, name: String },
    Polygon(Vec<f64>, usize),
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Expr {
    Number(f64),
    Input,
    Add(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
    Sin(Box<Expr>),
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Model {
    expr: Expr,
    shapes: Vec<Shape>,
    at: f64,
}

fn model() -> Model {
    use Expr::*;
    let inner = Mul(Box::new(Input), Box::new(Number(0.7)));
    let expr = Add(Box::new(Sin(Box::new(inner))), Box::new(Mul(Box::new(Number(-1.2)), Box::new(Input))));
    let shapes = vec![
        Shape::Circle(0.5),
        Shape::Point,
        Shape::Rect { w: 2.0, h: 0.3, name: "r".into() },
        Shape::Polygon(vec![0.1, 0.4, 0.9], 2),
    ];
    Model { expr, shapes, at: 1.3 }
}

mod functions {
    use super::*;

    #[differentiable]
    pub fn area(s: &Shape) -> f64 {
        match s {
            Shape::Point => 0.0,
            Shape::Circle(r) => std::f64::consts::PI * r * r,
            Shape::Rect { w, h, .. } => w * h,
            Shape::Polygon(sides, n) => {
                let mut sum = 0.0;
                for k in 0..*n {
                    sum += sides[k] * sides[k + 1];
                }
                sum
            }
        }
    }

    #[differentiable]
    pub fn eval(e: &Expr, x: f64) -> f64 {
        match e {
            Expr::Number(v) => *v,
            Expr::Input => x,
            Expr::Add(a, b) => eval(a, x) + eval(b, x),
            Expr::Mul(a, b) => {
                let (u, v) = (eval(a, x), eval(b, x));
                u * v
            }
            Expr::Sin(a) => eval(a, x).sin(),
        }
    }

    #[differentiable]
    pub fn total(m: &Model) -> f64 {
        let mut sum = eval(&m.expr, m.at);
        for s in &m.shapes {
            sum += area(s) * m.at;
        }
        sum
    }

    #[differentiable]
    pub fn matched_in_place(m: &Model) -> f64 {
        let mut sum = 0.0;
        for s in m.shapes.iter() {
            if let Shape::Circle(r) = s {
                sum += r * m.at;
            }
            sum += match s {
                Shape::Rect { w, h, .. } if *w > *h => w - h * m.at,
                Shape::Rect { .. } => 1.0,
                Shape::Polygon(sides, 2) => sides[0],
                _ => m.at,
            };
        }
        sum * sum
    }

    #[differentiable]
    pub fn made(m: &Model) -> f64 {
        let wide = Shape::Rect { w: m.at * 2.0, h: m.at * m.at, name: String::new() };
        let round = Shape::Circle(m.at.sin());
        let tree = Expr::Mul(Box::new(Expr::Number(m.at)), Box::new(m.expr.clone()));
        area(&wide) * area(&round) + eval(&tree, m.at)
    }

    #[differentiable]
    pub fn chosen(m: &Model) -> f64 {
        let mut s = Shape::Circle(m.at);
        if m.at > 1.0 {
            s = Shape::Rect { w: m.at, h: m.at * m.at, name: String::new() };
        }
        area(&s)
    }
}

mod tests {
    use super::*;
    use crate::check::number;

    number!(area: Shape, Shape::Rect { w: 1.5, h: 0.4, name: "a".into() });
    number!(total: Model, model());
    number!(matched_in_place: Model, model());
    number!(made: Model, model());
    number!(chosen: Model, model());

    #[test]
    fn tangents_of_variants() {
        let s = Shape::Rect { w: 1.5, h: 0.4, name: "a".into() };
        let g = gradient(functions::area::D, AutoReverse, &s).unwrap();
        assert_eq!(g, ShapeTangent::Rect { w: 0.4, h: 1.5, name: () });
        let g = gradient(functions::area::D, AutoForward, &s).unwrap();
        assert_eq!(g, ShapeTangent::Rect { w: 0.4, h: 1.5, name: () });
        let mut p = prepare_gradient(functions::area::D, AutoReverse, &s).unwrap();
        assert!(p.gradient(&Shape::Circle(1.0)).is_err());
        let (e, x) = (Expr::Mul(Box::new(Expr::Number(3.0)), Box::new(Expr::Input)), 2.0);
        let (de, dx) = gradient(functions::eval::D, AutoReverse, (&e, x)).unwrap();
        assert_eq!(de, ExprTangent::Mul(Box::new(ExprTangent::Number(2.0)), Box::new(ExprTangent::Input)));
        assert_eq!(dx, 3.0);
        let dx = gradient(functions::eval::D, AutoReverse, (Constant(&e), x)).unwrap();
        assert_eq!(dx, 3.0);
        let dx = gradient(functions::eval::D, AutoForward, (Constant(&e), x)).unwrap();
        assert_eq!(dx, 3.0);
    }
}
