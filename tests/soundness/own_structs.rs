//! Operators and methods of own structs that are inlined: which one is meant, and in which order places and operands are evaluated.

use diffi::prelude::*;
use std::ops::{Add, AddAssign, Mul};

/// A number of several names: none of them may be taken for another one.
mod named_alike {
    #![allow(non_camel_case_types)]

    use crate::check::sound;
    use diffi::prelude::*;
    use std::ops::Mul;

    #[derive(Clone, Copy, Differentiable)]
    struct V {
        x: f64,
        y: f64,
    }

    #[differentiable]
    impl V {
        fn mul_f64(self, k: f64) -> V {
            V { x: self.x * k * k, y: self.y + k }
        }
        fn area(self) -> f64 {
            self.x * self.y
        }
    }

    #[differentiable]
    impl Mul<f64> for V {
        type Output = V;
        fn mul(self, k: f64) -> V {
            V { x: self.x * k, y: self.y * k }
        }
    }

    #[derive(Clone, Copy, Differentiable)]
    struct V_mul {
        x: f64,
    }

    #[differentiable]
    impl V_mul {
        fn f64(self, k: f64) -> V_mul {
            V_mul { x: self.x.sin() * k }
        }
    }

    #[differentiable]
    fn operator_first(x: &[f64]) -> f64 {
        let v = V { x: x[0], y: x[1] };
        (v * x[2]).area() + v.mul_f64(x[2]).area() * x[0]
    }

    #[differentiable]
    fn operator_last(x: &[f64]) -> f64 {
        let v = V { x: x[0], y: x[1] };
        V_mul { x: x[1] }.f64(x[0]).x * v.mul_f64(x[2]).area() + (v * x[2]).area()
    }

    sound!(operator_first operator_last);
}

#[derive(Clone, Copy, Differentiable)]
struct V {
    x: f64,
    y: f64,
}

#[differentiable]
impl V {
    fn bump(&mut self, k: f64, o: V) {
        self.x += k * o.y;
        self.y *= k;
    }
    fn twice(&mut self) {
        self.bump(self.x, *self);
        let k = self.y;
        self.bump(k * self.x, V { x: self.y, y: self.x });
    }
    fn turned(mut self, mut k: f64) -> V {
        k *= self.x;
        self.x = self.y * k;
        self.y = self.x * k;
        self
    }
}

#[differentiable]
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        V { x: self.x + o.x, y: self.y - o.y }
    }
}

#[differentiable]
impl AddAssign for V {
    fn add_assign(&mut self, o: V) {
        self.x += o.x;
        self.y += o.x * o.y;
    }
}

#[differentiable]
impl Mul<f64> for V {
    type Output = V;
    fn mul(self, k: f64) -> V {
        V { x: self.x * k, y: self.y * k }
    }
}

#[differentiable]
fn reads_what_it_changes(x: &[f64]) -> f64 {
    let mut v = V { x: x[0], y: x[1] };
    v.bump(v.x * x[2], v);
    v.bump(v.y, V { x: v.y, y: 2.0 });
    let r = &mut v;
    r.bump(r.x, V { x: r.y, y: 1.0 });
    v.x * v.y
}

#[differentiable]
fn reads_other_elements(x: &[f64]) -> f64 {
    let mut v = [V { x: x[0], y: x[1] }, V { x: x[2], y: x[0] }];
    for i in 0..2 {
        v[i].bump(v[1 - i].x, v[i]);
        v[i].twice();
    }
    v[0].x * v[1].y
}

#[differentiable]
fn operand_changes_the_index(x: &[f64]) -> f64 {
    let mut a = [V { x: x[0], y: x[1] }, V { x: x[2], y: x[0] }];
    let mut i = 0;
    a[i] += {
        i += 1;
        a[i]
    };
    a[i] += {
        i -= 1;
        a[i] * x[1]
    };
    a[0].x * a[1].y + a[0].y * a[1].x
}

#[differentiable]
fn argument_changes_the_index(x: &[f64]) -> f64 {
    let mut a = [V { x: x[0], y: x[1] }, V { x: x[2], y: x[0] }];
    let mut i = 0;
    a[i].bump(
        {
            i += 1;
            a[i].x
        },
        a[1 - i],
    );
    a[0].x * a[1].y + a[0].y * a[i].x
}

#[differentiable]
fn unrelated_argument_changes_the_index(x: &[f64]) -> f64 {
    let mut a = [V { x: x[0], y: x[1] }, V { x: x[2], y: x[0] }];
    let b = a;
    let mut i = 0;
    a[i] += {
        i += 1;
        b[i]
    };
    a[i].bump(
        {
            i -= 1;
            x[i]
        },
        b[i],
    );
    a[0].x * a[1].y + a[0].y * a[1].x
}

#[differentiable]
fn sums_with_themselves(x: &[f64]) -> f64 {
    let mut a = V { x: x[0], y: x[1] };
    a += a;
    a += a * x[2];
    a += V { x: a.y, y: a.x };
    a.x * a.y
}

#[differentiable]
fn later_operand_changes_earlier(x: &[f64]) -> f64 {
    let mut a = V { x: x[0], y: x[1] };
    let b = a + {
        a.x *= x[2];
        a.y += a.x;
        a
    };
    b.x * b.y * a.x
}

/// A method that lends a part, named like one of std's.
#[derive(Clone, Copy, Differentiable)]
struct Body {
    at: V,
    mass: f64,
}

#[differentiable]
impl Body {
    fn of(v: f64) -> Body {
        Body { at: V { x: v, y: v * v }, mass: v + 1.0 }
    }
    fn get_mut(&mut self) -> &mut V {
        &mut self.at
    }
}

#[differentiable]
fn parts_of_what_constructors_give(x: &[f64]) -> f64 {
    let mut b = Body::of(x[0]);
    b.get_mut().bump(x[1], V { x: x[2], y: 2.0 });
    b.at.x * b.at.y * b.mass
}

#[differentiable]
fn values_that_methods_change(x: &[f64]) -> f64 {
    let v = V { x: x[0], y: x[1] };
    let k = x[2];
    let w = v.turned(k).turned(k).turned(v.x);
    w.x * v.y * k + v.x * w.y
}

crate::check::sound!(reads_what_it_changes reads_other_elements operand_changes_the_index argument_changes_the_index unrelated_argument_changes_the_index sums_with_themselves
    later_operand_changes_earlier parts_of_what_constructors_give values_that_methods_change);
