//! Types without `Clone`: derivative code copies them part by part.

use diffi::prelude::*;

#[derive(Differentiable, Debug)]
pub struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
impl Point {
    fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }
    fn scale(&mut self, k: f64) {
        self.x *= k;
        self.y *= k * k;
    }
    fn with_x(mut self, x: f64) -> Self {
        self.x = x * self.y;
        self
    }
    fn product(self) -> f64 {
        self.x * self.y
    }
    fn of(point: Point, k: f64) -> f64 {
        point.x * k + point.y
    }
}

#[differentiable]
impl std::ops::Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x, y: self.y * other.y }
    }
}

/// Methods, by reference and by value, and an operator.
#[differentiable]
fn methods(x: &[f64]) -> f64 {
    let mut p = Point::new(x[0], x[1]);
    p.scale(x[1]);
    let q = Point::new(x[0], 1.0).with_x(x[1]).with_x(2.0);
    let k = Point::of(Point::new(x[1], q.y), x[0]);
    (p + q).product() * k
}

#[derive(Differentiable)]
pub enum Event {
    Hit(Point),
    Miss,
    Several(Point, Vec<Point>),
}

#[differentiable]
fn gain(event: &Event) -> f64 {
    match event {
        Event::Hit(p) => p.x * p.y,
        Event::Miss => 1.0,
        Event::Several(p, all) => all.iter().map(|q| q.y).product::<f64>() * p.x,
    }
}

/// An enum that changes its variant in a loop.
#[differentiable]
fn variants(x: &[f64]) -> f64 {
    let (mut event, mut sum) = (Event::Miss, 0.0);
    for k in 0..3 {
        sum += gain(&event);
        event = match k {
            0 => Event::Hit(Point::new(x[0], sum)),
            _ => Event::Several(Point::new(sum, x[1]), vec![Point::new(1.0, x[0]), Point::new(0.0, x[1])]),
        };
    }
    sum + gain(&event)
}

#[derive(Debug)]
pub struct Outside;

#[differentiable]
fn meeting(a: f64, b: f64) -> Result<Point, Outside> {
    if a * a + b < 0.0 {
        return Err(Outside);
    }
    Ok(Point { x: (a * a + b).sqrt(), y: a * b })
}

#[differentiable]
fn farther(p: &Point, k: f64) -> Option<Point> {
    if k > 5.0 { None } else { Some(Point { x: p.x + k, y: p.y * k }) }
}

/// What may be missing, and values that loops replace.
#[differentiable]
fn missing(x: &[f64]) -> f64 {
    let mut all = vec![meeting(x[0], x[1]).unwrap()];
    for k in 0..6 {
        if let Some(next) = farther(&all[all.len() - 1], x[0] + k as f64) {
            all.push(next);
        }
    }
    let old = std::mem::replace(&mut all[0], Point::new(x[1], 0.5));
    all.iter().map(|p| p.x * p.y).sum::<f64>() * old.x
}

#[derive(Differentiable)]
pub struct Pair<T> {
    first: T,
    second: T,
}

#[differentiable]
impl<T: num_traits::Float> Pair<T> {
    fn turned(self) -> Pair<T> {
        Pair { first: self.second, second: self.first * self.second }
    }
}

/// A generic type in a loop.
#[differentiable]
fn generic(x: &[f64]) -> f64 {
    let mut pair = Pair { first: x[0], second: x[1] };
    for _ in 0..3 {
        pair = pair.turned();
    }
    pair.first.sin() + pair.second
}

macro_rules! checked {
    ($($f:ident)+) => { $(
        #[test]
        fn $f() {
            let x = [0.7, 1.3];
            let g = gradient(super::$f::D, AutoReverse, &x).unwrap();
            let at = |i: usize, h: f64| std::array::from_fn::<f64, 2, _>(|k| if k == i { x[k] + h } else { x[k] });
            let h = 1e-5;
            let differences = [0, 1].map(|i| (super::$f(&at(i, h)) - super::$f(&at(i, -h))) / (2.0 * h));
            close("reverse", &g, &differences, 1e-8);
            close("forward", &gradient(super::$f::D, AutoForward, &x).unwrap(), &g, 1e-12);
            let second = hessian(super::$f::D, AutoReverse, &x).unwrap();
            let gradient_at = |i, h| gradient(super::$f::D, AutoReverse, &at(i, h)).unwrap();
            for i in [0, 1] {
                let (above, below) = (gradient_at(i, h), gradient_at(i, -h));
                let row = [0, 1].map(|k| (above[k] - below[k]) / (2.0 * h));
                close("hessian", &[second[[i, 0]], second[[i, 1]]], &row, 1e-7);
            }
        }
    )+ };
}
mod checked {
    use crate::check::close;
    use diffi::prelude::*;
    checked!(methods variants missing generic);
}

#[differentiable]
fn area(p: Point, k: f64) -> f64 {
    p.x * p.y * p.y * k
}

/// Arguments of operators, of prepared ones too, and results.
#[test]
fn operators_take_and_give_them() {
    let p = Point { x: 2.0, y: 3.0 };
    let (y, (of_p, of_k)) = value_and_gradient(area::D, AutoReverse, (&p, 0.5)).unwrap();
    assert_eq!((y, of_p.x, of_p.y, of_k), (9.0, 4.5, 6.0, 18.0));
    let (of_p, _) = gradient(area::D, AutoForward, (&p, 0.5)).unwrap();
    assert_eq!((of_p.x, of_p.y), (4.5, 6.0));
    let mut prepared = prepare_gradient(area::D, AutoReverse, (&p, 0.5)).unwrap();
    let (of_p, of_k) = prepared.gradient((&Point { x: 1.0, y: 1.0 }, 2.0)).unwrap();
    assert_eq!((of_p.x, of_p.y, of_k), (2.0, 4.0, 1.0));
    let moved = derivative(meeting_at::D, AutoForward, 1.5).unwrap();
    assert_eq!((moved.x, moved.y), (0.75, 1.0));
}

#[differentiable]
fn meeting_at(t: f64) -> Point {
    Point { x: (t * t + 1.75).sqrt(), y: t }
}
