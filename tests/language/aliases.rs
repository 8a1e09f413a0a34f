//! Types by other names: `type Vec3 = [f64; 3]`, of which the macro sees the name alone.

use diffi::prelude::*;

type Real = f64;
type Vec3 = [f64; 3];
type Vector = Vec<f64>;
type Matrix = Vec<Vec<f64>>;
type Pair = (f64, f64);
type Checked<T> = Result<T, String>;
type Maybe = Option<f64>;
type Index = usize;
type Math = f64;

#[differentiable]
fn cross(a: &Vec3, b: &Vec3) -> Vec3 {
    let mut c: Vec3 = [0.0; 3];
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        c[i] = a[j] * b[k] - a[k] * b[j];
    }
    c
}
#[differentiable]
fn locals(x: &[f64]) -> f64 {
    let a: Vec3 = if x[0] > 0.0 { [x[0], x[1], 0.4] } else { [x[1], x[0], 0.3] };
    let b: Vec3;
    b = cross(&a, &[x[1], 0.5, x[0] * x[1]]);
    let all: Vector = b.iter().map(|v| v * v).collect();
    let mut frames: Vec<Vec3> = vec![a; 2];
    frames[1] = cross(&b, &frames[0]);
    all[0] * all[2] + frames[1][1] * b[0]
}
#[differentiable]
fn square(a: &Matrix) -> Matrix {
    let n = a.len();
    let mut c: Matrix = vec![vec![0.0; n]; n];
    for (i, j, k) in (0..n * n * n).map(|l| (l / n / n, l / n % n, l % n)) {
        c[i][j] += a[i][k] * a[k][j];
    }
    c
}
#[differentiable]
fn matrices(x: &[f64]) -> f64 {
    let a: Matrix = vec![vec![x[0], x[1]], vec![0.3, x[0]]];
    let b = square(&a);
    b[0][1] * square(&b)[1][0]
}
#[differentiable]
fn real(x: Real, y: Real, n: Index) -> Real {
    let mut s: Real = 0.0;
    for _ in 0..n {
        s += x.sin() * (y as Real).powi(2) * (s + 1.0);
    }
    s.max(x)
}
#[differentiable]
fn polar(x: Real, y: Real) -> Pair {
    if x == 0.0 {
        return (y, 0.0);
    }
    (x.hypot(y), y.atan2(x))
}
#[differentiable]
fn turned((r, t): Pair, by: &Pair) -> Pair {
    (r * by.0, t + by.1 * r)
}
#[differentiable]
fn pairs(x: &[f64]) -> f64 {
    let p: Pair = turned(polar(x[0], x[1]), &(x[1], x[0]));
    let q = turned(p, &p);
    p.0 * q.1 + q.0
}
#[differentiable]
fn root(x: f64) -> Checked<f64> {
    if x < 0.0 {
        return Err(format!("a negative number"));
    }
    Ok(x.sqrt())
}
#[differentiable]
fn logarithm(x: f64) -> Maybe {
    if x > 0.0 { Some(x.ln()) } else { None }
}
#[differentiable]
fn checked(x: &[f64]) -> f64 {
    let sum = |x: &[f64]| x[0] + x[1];
    let safe = root(sum(x)).unwrap_or(0.4);
    logarithm(x[0]).unwrap_or(x[1]) * safe
}
/// The functions and constants of a float by another name, and casts to it.
#[differentiable]
fn by_path(x: &[f64]) -> f64 {
    let n = x.len();
    let half: Math = 0.5;
    Math::hypot(x[0], x[1]) * Math::atan2(x[1], x[0]) + half * Math::sin(x[0]) * n as Math + Math::EPSILON
}
#[differentiable]
fn cast_to_itself(x: &[f64]) -> f64 {
    let whole = x[0].floor() as i32;
    (x[0] - whole as Math) as Math * Math::powi(x[1], 2)
}
/// A parameter of the name hides it.
#[differentiable]
fn hidden<Math: num_traits::Float>(x: Math) -> Math {
    Math::sin(x) * x
}
#[differentiable]
fn of_another(x: &[f64]) -> f64 {
    hidden(x[0]) * hidden(x[1])
}
/// A tuple behind a reference is one argument.
#[differentiable]
fn changed(p: &mut (f64, f64), k: f64) {
    p.0 *= p.1 * k;
    p.1 += p.0;
}
#[differentiable]
fn lent(x: &[f64]) -> f64 {
    let mut p = (x[0] * x[1], x[1]);
    changed(&mut p, x[0]);
    let t = turned((x[0], x[1]), &p);
    t.0 * t.1 + p.1
}

const SIDE: usize = 4;
type Grid = [[f64; SIDE]; SIDE];
type Line = [Real; SIDE];
type Lines = [Line; SIDE];
type Points = Vec<Vec3>;

/// Arrays by a name, in parameters, results and variables; a small function is inlined though its types are names.
#[differentiable]
fn smoothed(u: &Grid) -> Grid {
    let mut next: Grid = *u;
    for i in 1..SIDE - 1 {
        for j in 1..SIDE - 1 {
            next[i][j] = u[i][j] + 0.1 * u[i][j] * (u[i + 1][j] + u[i - 1][j] + u[i][j + 1] + u[i][j - 1]);
        }
    }
    next
}
#[differentiable]
fn grids(x: &[f64]) -> f64 {
    let mut u: Grid = std::array::from_fn(|i| std::array::from_fn(|j| x[0] * i as f64 + x[1] * (j as f64).sin()));
    for _ in 0..3 {
        u = smoothed(&u);
    }
    let mut next: Grid = [[0.0; SIDE]; SIDE];
    for (row, from) in next.iter_mut().zip(&u) {
        for (v, u) in row.iter_mut().zip(from) {
            *v = u * u;
        }
    }
    next[1][2] * u[2][1] + next[2][2]
}
/// A name whose type has names in it.
#[differentiable]
fn last_line(lines: &Lines, by: Real) -> Line {
    let mut line: Line = lines[SIDE - 1];
    line.iter_mut().for_each(|v| *v *= by);
    line
}
#[differentiable]
fn lines(x: &[f64]) -> f64 {
    let lines: Lines = [[x[0], x[1], 0.3, 0.1]; SIDE];
    let line = last_line(&lines, x[0] * x[1]);
    line.iter().zip(&lines[0]).map(|(a, b)| a * b).sum()
}
fn origin() -> Vec3 {
    [0.5, 0.25, 2.0]
}
#[differentiable]
fn points(x: &[f64]) -> f64 {
    let mut all: Points = vec![origin(); 2];
    for (p, v) in all.iter_mut().zip(x) {
        p[1] *= v;
        p[2] += v * v;
    }
    let moved: Points = all.iter().map(|p| cross(p, &all[0])).collect();
    moved[1][0] * moved[1][2] + all[0][1] * all[1][2]
}
/// What the type is made of is not known here.
mod shapes {
    const LENGTH: usize = 3;
    pub type Patch = [[f64; LENGTH]; LENGTH];
    pub type Corner = [f64; 2];
}
mod of_shapes {
    use super::shapes::{Corner, Patch};
    use diffi::prelude::*;

    #[allow(dead_code, reason = "it is not the length of a patch")]
    const LENGTH: usize = 2;

    #[differentiable]
    pub fn corner(patch: &Patch) -> Corner {
        let corner: Corner = [patch[0][0] * patch[2][1], patch[2][2].sin()];
        corner
    }
}
#[differentiable]
fn patches(x: &[f64]) -> f64 {
    let mut patch: shapes::Patch = [[x[0]; 3]; 3];
    patch[2] = [x[1], x[0] * x[1], x[1] * x[1]];
    let corner = of_shapes::corner(&patch);
    corner[0] * corner[1]
}
/// A parameter and an item have the names of others.
#[differentiable]
fn hiding<const SIDE: usize>(x: &[f64; SIDE]) -> f64 {
    type Vec3 = [f64; 2];
    let pair: Vec3 = [x[0] * x[1], x[1].cos()];
    let line: Line = [pair[0], pair[1], 0.0, SIDE as f64];
    line[0] * line[1] * line[3]
}
#[differentiable]
fn hidden_names(x: &[f64]) -> f64 {
    hiding(&[x[0], x[1]]) * x[0]
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number locals(at x: Vec<f64>): [vec![0.7, 0.4]] [vec![-0.7, 0.4]];
        number matrices(at x: Vec<f64>): [vec![0.7, 0.4]];
        number real(by x: f64, by y: f64, fixed n: usize): [0.7, 0.4, 3] [0.7, 0.4, 0];
        number pairs(at x: Vec<f64>): [vec![0.7, 0.4]];
        number checked(at x: Vec<f64>): [vec![0.7, 0.4]] [vec![-0.7, 0.4]];
        number lent(at x: Vec<f64>): [vec![0.7, 0.4]];
        number by_path(at x: Vec<f64>): [vec![0.7, 0.4]];
        number cast_to_itself(at x: Vec<f64>): [vec![1.7, 0.4]];
        number grids(at x: Vec<f64>): [vec![0.7, 0.4]];
        number lines(at x: Vec<f64>): [vec![0.7, 0.4]];
        number points(at x: Vec<f64>): [vec![0.7, 0.4]];
        number patches(at x: Vec<f64>): [vec![0.7, 0.4]];
        number hidden_names(at x: Vec<f64>): [vec![0.7, 0.4]];
        number of_another(at x: Vec<f64>): [vec![0.7, 0.4]];
    }
}
