//! Types that several `impl From` convert into, one after another, as colour spaces are.

use crate::check::number;
use diffi::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Xyz {
    x: f64,
    y: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Luv {
    l: f64,
    u: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Lch {
    h: f64,
}

#[differentiable]
impl From<Xyz> for Luv {
    fn from(a: Xyz) -> Luv {
        fn cube(v: f64) -> f64 {
            v * v * v
        }
        Luv { l: cube(a.x), u: a.y }
    }
}

#[differentiable]
impl From<Lch> for Luv {
    fn from(a: Lch) -> Self {
        if a.h > 0.0 { Self { l: a.h.sin(), u: 2.0 } } else { Luv { l: 1.0, u: a.h } }
    }
}

#[differentiable]
impl From<(f64, f64)> for Luv {
    fn from((a, b): (f64, f64)) -> Self {
        Luv { l: a * b, u: b }
    }
}

#[differentiable]
impl From<[f64; 2]> for Luv {
    fn from(a: [f64; 2]) -> Self {
        Luv { l: a[0] / a[1], u: a[1] }
    }
}

#[differentiable]
impl From<f64> for Luv {
    fn from(a: f64) -> Self {
        Luv { l: a * a, u: a }
    }
}

#[differentiable]
impl From<u8> for Luv {
    fn from(a: u8) -> Self {
        Luv { l: f64::from(a), u: 1.0 }
    }
}

#[differentiable]
impl From<Luv> for Xyz {
    fn from(a: Luv) -> Self {
        Xyz { x: a.l * a.u, y: a.u }
    }
}

#[differentiable]
impl From<Lch> for Xyz {
    fn from(a: Lch) -> Self {
        Xyz::from(Luv::from(a))
    }
}

#[differentiable]
impl Luv {
    fn sum(&self) -> f64 {
        self.l + 3.0 * self.u
    }
}

#[differentiable]
fn by_names(x: &[f64]) -> f64 {
    let a: Luv = Xyz { x: x[0], y: x[1] }.into();
    Luv::from(Xyz { x: x[0], y: x[1] }).l + Luv::from(Lch { h: x[1] }).sum() * a.u + Xyz::from(Lch { h: x[0] }).x
}

#[differentiable]
fn of_tuples_and_numbers(x: &[f64]) -> f64 {
    let (pair, list) = ((x[0], x[1]), [x[1], x[0] * x[0]]);
    Luv::from(pair).l + Luv::from(list).l * Luv::from(x[1]).sum() + Luv::from(3u8).l * x[0]
}

#[differentiable]
fn in_loops(x: &[f64]) -> f64 {
    let q = Xyz { x: x[0], y: x[1] };
    let mut s = 0.0;
    for k in 0..3 {
        let l = Luv::from(q);
        s += l.l * x[1] * k as f64;
        if s > 0.2 {
            let z = Xyz::from(l);
            s += z.x;
        }
    }
    s
}

#[differentiable]
fn given_to_functions(x: &[f64]) -> f64 {
    fn weighed(luv: &Luv, by: f64) -> f64 {
        luv.l * by + luv.u
    }
    weighed(&Luv::from(Lch { h: -x[0] }), x[1]) * weighed(&Luv::from((x[1], x[0])), x[0])
}

#[derive(Clone, Copy, Differentiable)]
struct Square<F> {
    side: F,
}

#[derive(Clone, Copy, Differentiable)]
struct Area<F> {
    of: F,
}

#[differentiable]
impl<F: num_traits::Float> From<Square<F>> for Area<F> {
    fn from(a: Square<F>) -> Self {
        Area { of: a.side * a.side }
    }
}

#[differentiable]
impl<F: num_traits::Float> From<(F, F)> for Area<F> {
    fn from(a: (F, F)) -> Area<F> {
        Area { of: a.0 * a.1 }
    }
}

#[differentiable]
fn generic(x: &[f64]) -> f64 {
    Area::from(Square { side: x[0] }).of * Area::<f64>::from((x[0], x[1])).of
}

#[test]
fn conversions_of_several_types() {
    number!(by_names::D, [0.7, 1.3], |x| x, |x| by_names(x));
    number!(of_tuples_and_numbers::D, [0.7, 1.3], |x| x, |x| of_tuples_and_numbers(x));
    number!(in_loops::D, [0.7, 1.3], |x| x, |x| in_loops(x));
    number!(given_to_functions::D, [0.7, 1.3], |x| x, |x| given_to_functions(x));
    number!(generic::D, [0.7, 1.3], |x| x, |x| generic(x));
}
