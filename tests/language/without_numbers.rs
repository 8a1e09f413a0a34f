//! Values of types that hold no number and have no attribute: parameters and receivers of annotated functions.

use diffi::prelude::*;

struct Linear;
#[differentiable]
impl Linear {
    fn eval(&self, x: f64) -> f64 {
        2.0 * x * x
    }
}

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Square,
    Cube,
}
#[differentiable]
impl Kind {
    fn eval(self, x: f64) -> f64 {
        match self {
            Kind::Square => x * x,
            Kind::Cube => x * x * x,
        }
    }
    fn both(&self, x: f64) -> f64 {
        self.eval(x) + x
    }
}
#[differentiable]
fn by_kind(kind: &Kind, x: f64) -> f64 {
    if *kind == Kind::Square { x.sin() } else { kind.both(x) }
}

struct Grid {
    n: usize,
    name: String,
}
#[differentiable]
impl Grid {
    fn index(&self, i: usize) -> usize {
        i % self.n
    }
    fn energy(&self, x: &[f64]) -> f64 {
        (0..self.n).map(|i| x[self.index(i)] * x[self.index(i + 1)]).sum()
    }
}
#[differentiable]
fn on(grid: &Grid, x: &[f64]) -> f64 {
    if grid.name == "ring" { grid.energy(x) } else { x[0] }
}

#[differentiable]
pub fn handed_on(x: f64, y: f64, kind: Kind) -> (f64, f64) {
    (kind.eval(x) * y, by_kind(&kind, y))
}

#[differentiable]
fn all(x: &[f64]) -> f64 {
    let grid = Grid { n: 2, name: "ring".to_owned() };
    Linear.eval(x[0]) * Kind::Square.eval(x[1])
        + by_kind(&Kind::Cube, x[0]) * by_kind(&Kind::Square, x[1])
        + on(&grid, x)
}

#[test]
fn have_no_derivative_and_need_no_attribute() {
    let (a, b) = (1.3, 0.9);
    let cube = a * a * a + a;
    let want =
        [4.0 * a * b * b + (3.0 * a * a + 1.0) * f64::sin(b) + 2.0 * b, 4.0 * a * a * b + cube * f64::cos(b) + 2.0 * a];
    let near = |given: &[f64]| given.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(near(&gradient(all::D, AutoReverse, &[a, b][..]).unwrap()));
    assert!(near(&gradient(all::D, AutoForward, &[a, b][..]).unwrap()));
    let second = hessian(all::D, SecondOrder(AutoForward, AutoReverse), &[a, b][..]).unwrap();
    assert!((second[[0, 0]] - (4.0 * b * b + 6.0 * a * f64::sin(b))).abs() < 1e-12);
    // for operators such a parameter is a constant
    let of_kind = gradient(by_kind::D, AutoReverse, (Constant(&Kind::Cube), a)).unwrap();
    assert!((of_kind - (3.0 * a * a + 1.0)).abs() < 1e-12);
    let (by_x, _) = jacobian(handed_on::D, AutoReverse, (a, b, Constant(Kind::Square))).unwrap();
    assert!((by_x[[0, 0]] - 2.0 * a * b).abs() < 1e-12 && by_x[[1, 0]] == 0.0);
}
