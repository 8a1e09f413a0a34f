//! `#[cfg]` and `#[cfg_attr]` wherever Rust accepts them: derivative code has what rustc compiles, and nothing else.

use crate::check::check;
use diffi::prelude::*;

const X: [f64; 3] = [1.5, 0.7, 0.3];

/// Every function at one point.
macro_rules! rows {
    ($($test:ident: $($f:ident)+;)+) => { $(
        #[test]
        fn $test() {
            $(check!($f at X);)+
        }
    )+ };
}

rows! {
    statements: block kept_calls branch branches_of_blocks loops calls returns assignments lets late_let macros nested unsafe_side;
    conditions: predicates features attributes_by_condition no_conditions harmless tests_in_expressions;
    tails: tail_block tail_expression tail_branch tail_match tail_call tail_return;
    matches: arms bindings_of_arms patterns_of_structs;
    lists: array tuple list_macro_of_values arguments arguments_of_methods fields closures;
    loops_in_loops: kept_loop checkpointed_loop;
    functions: parameters generic_parameters nested_function constants_inside whole_function macro_made macro_given macro_pieces;
}

#[differentiable]
fn block(x: &[f64]) -> f64 {
    let mut r = x[0] * x[0] - x[1];
    #[cfg(any())]
    {
        r -= 0.1 * x[0].abs() * x[0];
    }
    #[cfg(all())]
    {
        r *= x[2];
    }
    #[cfg(not(all()))]
    'named: {
        if x[0] > 0.0 {
            break 'named;
        }
        r *= x[2];
    }
    r
}

#[differentiable]
fn branch(x: &[f64]) -> f64 {
    let mut r = x[0] * x[0] - x[1];
    #[cfg(any())]
    if x[0] > 0.0 {
        r -= x[0].exp();
    }
    #[cfg(all())]
    if x[0] > 0.0 {
        r *= x[1];
    } else {
        r = 0.0;
    }
    #[cfg(any())]
    if let Some(first) = x.first() {
        r *= first;
    }
    r
}

#[differentiable]
fn branches_of_blocks(x: &[f64]) -> f64 {
    let mut r = x[0];
    if x[1] > 0.0 {
        #[cfg(any())]
        return x[1];
        #[cfg(all())]
        {
            r *= x[1] * r;
        }
    } else {
        #[cfg(all())]
        return x[1];
    }
    r * r
}

#[differentiable]
fn loops(x: &[f64]) -> f64 {
    let mut r = 1.0;
    #[cfg(any())]
    for v in x {
        r *= v * v;
    }
    #[cfg(all())]
    for v in x {
        r += v * v;
    }
    let mut k = 0;
    #[cfg(any())]
    while k < x.len() {
        r *= x[k];
        k += 1;
    }
    #[cfg(not(any()))]
    while k < x.len() {
        r += x[k] * r;
        k += 1;
    }
    #[cfg(any())]
    loop {
        r *= x[0];
        if r > 100.0 {
            break;
        }
    }
    for v in x {
        #[cfg(any())]
        continue;
        #[cfg(any())]
        break;
        r *= v;
    }
    r + k as f64
}

#[differentiable]
fn scale(v: &mut [f64], by: f64) {
    for a in v.iter_mut() {
        *a *= by;
    }
}

#[differentiable]
fn calls(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    #[cfg(any())]
    scale(&mut v, x[0]);
    #[cfg(all())]
    scale(&mut v, x[1]);
    #[cfg(any())]
    v.push(x[0] * x[0]);
    #[cfg(all())]
    v.push(x[1] * x[0]);
    #[cfg(any())]
    v.iter_mut().for_each(|a| *a = a.sin());
    v.iter().map(|a| a * a).sum()
}

#[differentiable]
#[allow(unreachable_code)]
fn returns(x: &[f64]) -> f64 {
    #[cfg(any())]
    return x[0];
    #[cfg(all())]
    if x[1] < 0.0 {
        return x[2];
    }
    #[cfg(all())]
    return x[0] * x[1] * x[2];
    x[2]
}

#[differentiable]
fn positive(x: f64) -> Option<f64> {
    (x > 0.0).then_some(x * x)
}

/// Calls that end a function early, and calls in front of a condition.
#[differentiable]
fn early(x: &[f64]) -> Option<f64> {
    let mut r = positive(x[0])?;
    #[cfg(all())]
    positive(x[1])?;
    #[cfg(any())]
    positive(-x[1])?;
    #[cfg(all())]
    {
        r *= positive(x[2])?;
    }
    #[cfg(all())]
    {
        Some(r * x[1])
    }
    #[cfg(any())]
    positive(-x[0])?;
}

/// Calls that change what they are given.
#[differentiable]
fn kept_calls(x: &[f64]) -> f64 {
    let (mut v, mut w) = (x.to_vec(), vec![x[1]; 3]);
    #[cfg(all())]
    v.swap(0, 1);
    #[cfg(all())]
    std::mem::swap(&mut v, &mut w);
    #[cfg(all())]
    v.extend_from_slice(&w);
    #[cfg(all())]
    v.sort_by(|a, b| a.total_cmp(b));
    #[cfg(all())]
    v.iter_mut().zip(x).for_each(|(a, b)| *a *= b);
    #[cfg(all())]
    v.truncate(5);
    #[cfg(any())]
    v.clear();
    for a in x {
        #[cfg(all())]
        v.push(a * v[1]);
        #[cfg(any())]
        v.pop();
        #[cfg(not(any()))]
        scale(&mut v[1..], *a);
    }
    v.iter().enumerate().map(|(k, a)| a * (k + 1) as f64).sum::<f64>() * early(x).unwrap()
}

#[differentiable]
fn assignments(x: &[f64]) -> f64 {
    let mut v = [x[0], x[1]];
    #[cfg(any())]
    {
        v[0] = x[2];
    }
    #[cfg(all())]
    {
        v[1] *= x[2];
    }
    #[cfg(any())]
    let _ = v[0].sqrt();
    v[0] * v[1]
}

#[differentiable]
fn lets(x: &[f64]) -> f64 {
    #[cfg(any())]
    let a = x[0] * x[1];
    #[cfg(not(any()))]
    let a = x[0] + x[1] * x[1];
    #[cfg(any())]
    let (b, c) = (a, a);
    #[cfg(not(any()))]
    let (b, c) = (a * a, x[2]);
    let d = b * c;
    #[cfg(any())]
    let d = d * d;
    #[cfg(all())]
    let Some(e) = x.first() else { return 0.0 };
    #[cfg(any())]
    let Some(e) = x.last() else { return 0.0 };
    d * e
}

#[differentiable]
fn late_let(x: &[f64]) -> f64 {
    #[cfg(all())]
    let a;
    #[cfg(any())]
    let mut a = 1.0;
    #[cfg(any())]
    {
        a = x[0];
    }
    #[cfg(all())]
    {
        a = x[1] * x[0];
    }
    a * a
}

#[differentiable]
fn macros(x: &[f64]) -> f64 {
    #[cfg(any())]
    assert!(x[0] < 0.0, "not here");
    #[cfg(all())]
    assert!(x[0] > 0.0);
    #[cfg(any())]
    panic!("not here");
    #[cfg(all())]
    let v = vec![x[0], x[1]];
    #[cfg(any())]
    let v = vec![x[0]; 7];
    v.iter().product()
}

#[differentiable]
fn nested(x: &[f64]) -> f64 {
    let mut r = x[0];
    #[cfg(all())]
    {
        #[cfg(any())]
        {
            r = x[1];
        }
        #[cfg(all())]
        for v in x {
            #[cfg(any())]
            {
                r = 0.0;
            }
            #[cfg(not(any()))]
            if *v > 0.5 {
                r *= v;
                #[cfg(any())]
                break;
            }
        }
    }
    #[cfg(any())]
    {
        #[cfg(all())]
        {
            r = x[1];
        }
    }
    r
}

#[differentiable]
fn unsafe_side(x: &[f64]) -> f64 {
    #[cfg(any())]
    unsafe {
        return *x.get_unchecked(0);
    }
    #[cfg(any())]
    return x.par_iter().map(|v| not_there(v)).sum();
    x[0] * x[1]
}

#[differentiable]
fn predicates(x: &[f64]) -> f64 {
    let mut r = x[0] * x[1];
    #[cfg(debug_assertions)]
    {
        r *= x[0];
    }
    #[cfg(not(debug_assertions))]
    {
        r *= x[1];
    }
    #[cfg(all(test, not(any(target_os = "none", target_pointer_width = "16"))))]
    {
        r *= x[2];
    }
    #[cfg(any(not(test), all(any(), test)))]
    {
        r = 0.0;
    }
    r
}

#[differentiable]
fn features(x: &[f64]) -> f64 {
    let mut r = x[0] * x[1];
    #[cfg(feature = "num-complex")]
    {
        r *= x[0];
    }
    #[cfg(not(feature = "num-complex"))]
    {
        r -= x[1] * x[1];
    }
    r
}

#[differentiable]
#[cfg_attr(all(), allow(unused_mut))]
fn attributes_by_condition(x: &[f64]) -> f64 {
    let mut r = x[0] * x[1];
    #[cfg_attr(all(), cfg(any()))]
    {
        r *= x[0];
    }
    #[cfg_attr(any(), cfg(any()))]
    {
        r *= x[2];
    }
    #[cfg_attr(all(), allow(unused_variables), cfg(all()))]
    let a = r * r;
    #[cfg_attr(all(), checkpoint(every = 2))]
    #[cfg_attr(any(), no_such_attribute)]
    for v in x {
        r += v * r;
    }
    r
}

#[differentiable]
#[cfg(all())]
fn no_conditions(x: &[f64]) -> f64 {
    x[0] * x[1]
}

#[differentiable]
#[cfg(any())]
fn no_conditions(x: &[f64]) -> f64 {
    #[cfg(all())]
    return x[0];
}

#[cfg(any())]
#[differentiable]
fn no_conditions(x: &[f64]) -> f64 {
    #[cfg(all())]
    return x[1];
}

/// Attributes that change nothing.
#[differentiable]
#[inline]
#[must_use]
fn harmless(x: &[f64]) -> f64 {
    #![allow(unused_variables)]
    #[allow(unused_mut)]
    let mut r = x[0] * x[1];
    #[rustfmt::skip]
    let s = { r   *   r };
    #[allow(clippy::needless_range_loop)]
    #[cfg(all())]
    for k in 0..x.len() {
        r += x[k] * r;
    }
    #[expect(unused_assignments)]
    {
        let mut unused = 1.0;
        unused = 2.0;
    }
    match x.len() {
        #[allow(unreachable_patterns)]
        3 => r * r,
        _ => r,
    }
}

#[differentiable]
fn tests_in_expressions(x: &[f64]) -> f64 {
    let mut r = x[0];
    if cfg!(any()) {
        r *= x[1];
    } else if cfg!(debug_assertions) && x[2] > 0.0 {
        r *= x[2];
    }
    r * if cfg!(not(any())) { x[1] } else { x[0] }
}

#[differentiable]
fn tail_block(x: &[f64]) -> f64 {
    #[cfg(all())]
    {
        x[0] * x[1]
    }
    #[cfg(not(all()))]
    {
        x[1] * x[2]
    }
}

#[differentiable]
fn tail_expression(x: &[f64]) -> f64 {
    let a = x[0].sin();
    #[cfg(any())]
    return a;
    #[cfg(not(any()))]
    (a * x[1])
}

#[differentiable]
fn tail_branch(x: &[f64]) -> f64 {
    #[cfg(any())]
    if x[0] > 0.0 {
        x[1]
    } else {
        x[0] * x[0]
    }
    #[cfg(all())]
    if x[0] > 0.0 { x[1] * x[0] } else { x[0] }
}

#[differentiable]
fn tail_match(x: &[f64]) -> f64 {
    #[cfg(any())]
    match x.len() {
        3 => x[0],
        _ => x[1],
    }
    #[cfg(all())]
    match x.len() {
        3 => x[0] * x[2],
        _ => x[1],
    }
}

#[differentiable]
fn tail_call(x: &[f64]) -> f64 {
    #[cfg(any())]
    branch(x);
    #[cfg(all())]
    block(x)
}

#[differentiable]
fn tail_return(x: &[f64]) -> f64 {
    #[cfg(any())]
    return x[0];
    #[cfg(all())]
    return x[1] * x[2];
}

#[differentiable]
fn arms(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (k, v) in x.iter().enumerate() {
        sum += match k {
            #[cfg(any())]
            0 => v * v,
            #[cfg(all())]
            0 => v.sin(),
            #[cfg(any())]
            _ if *v > 0.0 => 1.0,
            #[cfg(all())]
            1 if *v > 0.0 => v * v * v,
            _ => {
                #[cfg(any())]
                {
                    sum = 0.0;
                }
                2.0 * v * x[0]
            }
        };
    }
    sum
}

#[derive(Clone, Differentiable)]
enum Shape {
    #[cfg(any())]
    Point,
    #[cfg(all())]
    Disc {
        radius: f64,
        #[cfg(any())]
        name: NotThere,
        #[cfg(all())]
        weight: f64,
    },
    Bar(f64, #[cfg(any())] NotThere, #[cfg(all())] f64),
    #[cfg(any())]
    Disc(f64),
}

#[differentiable]
fn bindings_of_arms(x: &[f64]) -> f64 {
    let shapes = [
        Shape::Disc {
            radius: x[0],
            #[cfg(any())]
            name: 3.0,
            #[cfg(all())]
            weight: x[1],
        },
        Shape::Bar(
            x[1],
            #[cfg(any())]
            x[0],
            #[cfg(all())]
            x[2],
        ),
        #[cfg(any())]
        Shape::Point,
    ];
    let mut sum = 0.0;
    for shape in &shapes {
        sum += match shape {
            #[cfg(any())]
            Shape::Point => 0.0,
            Shape::Disc {
                radius,
                #[cfg(any())]
                name,
                #[cfg(all())]
                weight,
            } => radius * radius * weight,
            Shape::Bar(a, b) => a * b,
        };
    }
    sum
}

#[derive(Clone, Differentiable)]
struct State<#[cfg(any())] T, #[cfg(all())] const N: usize> {
    #[cfg(any())]
    a: T,
    #[cfg(all())]
    a: f64,
    #[cfg_attr(all(), differentiable(constant))]
    b: f64,
    #[cfg_attr(any(), differentiable(constant))]
    c: [f64; N],
}

#[differentiable]
fn patterns_of_structs(x: &[f64]) -> f64 {
    let s = State {
        #[cfg(any())]
        a: 0.0,
        #[cfg(all())]
        a: x[0] * x[0],
        b: 2.0,
        c: [x[1], x[2]],
    };
    let State {
        #[cfg(any())]
            a: second,
        #[cfg(all())]
            a: first,
        b,
        ..
    } = &s;
    first * b * s.c[0] * s.c[1]
}

#[differentiable]
fn array(x: &[f64]) -> f64 {
    let v = [
        #[cfg(any())]
        x[0],
        x[1] * x[0],
        #[cfg(all())]
        x[2],
        #[cfg(any())]
        1.0,
    ];
    let mut sum = 0.0;
    for (k, a) in v.iter().enumerate() {
        sum += (k + 1) as f64 * a * a;
    }
    sum
}

#[differentiable]
fn tuple(x: &[f64]) -> f64 {
    let t = (
        #[cfg(any())]
        x[0],
        x[1] * x[0],
        #[cfg(all())]
        x[2],
    );
    let (a, b) = t;
    a * b * t.0 * t.1
}

#[differentiable]
fn list_macro_of_values(x: &[f64]) -> f64 {
    let mut v = vec![x[0]];
    #[cfg(any())]
    v.push(x[1]);
    #[cfg(all())]
    v.extend([
        #[cfg(any())]
        x[1],
        #[cfg(all())]
        x[2],
    ]);
    v.iter().map(|a| a * a).sum()
}

#[differentiable]
fn weighted(a: f64, #[cfg(any())] b: f64, #[cfg(all())] c: f64) -> f64 {
    #[cfg(any())]
    return a * b;
    #[cfg(all())]
    return a * c * c;
}

#[differentiable]
fn arguments(x: &[f64]) -> f64 {
    weighted(
        x[0],
        #[cfg(any())]
        x[1],
        #[cfg(all())]
        x[2],
    )
}

#[differentiable]
fn arguments_of_methods(x: &[f64]) -> f64 {
    x[0].powf(
        #[cfg(any())]
        x[1],
        #[cfg(all())]
        x[2],
    ) * x[1].max(
        #[cfg(all())]
        x[2],
        #[cfg(any())]
        x[0],
    )
}

#[differentiable]
fn fields(x: &[f64]) -> f64 {
    let mut s = State {
        a: x[0],
        #[cfg(all())]
        b: 1.0,
        #[cfg(any())]
        b: 2.0,
        c: [
            #[cfg(all())]
            x[1],
            #[cfg(any())]
            x[0],
        ],
    };
    #[cfg(any())]
    {
        s.a = x[2];
    }
    #[cfg(all())]
    {
        s.c[0] *= x[2];
    }
    s.a * s.b * s.c[0]
}

#[differentiable]
fn closures(x: &[f64]) -> f64 {
    let f = |a: f64, #[cfg(any())] b: f64, #[cfg(all())] c: f64| {
        #[cfg(any())]
        return a;
        #[cfg(all())]
        let d = a * c;
        #[cfg(any())]
        {
            d = 0.0;
        }
        d * x[0]
    };
    f(
        x[1],
        #[cfg(all())]
        x[2],
    ) + x
        .iter()
        .map(|v| {
            #[cfg(any())]
            {
                0.0
            }
            #[cfg(all())]
            {
                v * v
            }
        })
        .sum::<f64>()
}

/// A loop that the reverse sweep keeps numbers of.
#[differentiable]
fn kept_loop(x: &[f64]) -> f64 {
    let mut s = x[0];
    for k in 0..5 {
        #[cfg(any())]
        {
            s = s * s;
        }
        #[cfg(all())]
        {
            s = (s * x[1]).sin() + x[k % 3];
        }
        #[cfg(any())]
        if s > 0.1 {
            break;
        }
        #[cfg(all())]
        if s < -100.0 {
            break;
        }
    }
    s
}

#[differentiable]
fn checkpointed_loop(x: &[f64]) -> f64 {
    let mut s = x[0];
    #[checkpoint]
    #[cfg(any())]
    for _ in 0..7 {
        s = s * s;
    }
    #[cfg(all())]
    #[checkpoint]
    for v in x {
        #[cfg(all())]
        {
            s = (s * v).sin();
        }
    }
    s
}

#[differentiable(constant(n))]
fn with_parameters(
    x: &[f64],
    #[cfg(any())] n: NotThere,
    #[cfg(all())] n: f64,
    #[allow(unused_variables)] m: usize,
) -> f64 {
    x[0] * x[1] * n
}

#[differentiable]
fn parameters(x: &[f64]) -> f64 {
    with_parameters(
        x,
        #[cfg(all())]
        3.0,
        2,
    )
}

#[differentiable]
fn generic<#[cfg(any())] T: NotThere, #[cfg(all())] T: num_traits::Float, #[cfg(all())] const N: usize>(x: &[T; N]) -> T
where
    T: Clone,
{
    #[cfg(any())]
    return T::not_there();
    #[cfg(all())]
    let mut y = x[0];
    for _ in 0..N {
        y = y * x[1];
    }
    y
}

#[differentiable]
fn generic_parameters(x: &[f64]) -> f64 {
    generic(&[x[0], x[1]]) * x[2]
}

/// Functions inside, which the derivative code does not call.
#[differentiable]
fn nested_function(x: &[f64]) -> f64 {
    fn three(#[cfg(any())] x: NotThere) -> usize {
        #[cfg(any())]
        return 2;
        3
    }
    let mut r = x[0];
    for _ in 0..three() {
        r *= x[1];
    }
    r
}

#[differentiable]
fn constants_inside(x: &[f64]) -> f64 {
    #[cfg(any())]
    const FACTOR: f64 = 2.0;
    #[cfg(all())]
    const FACTOR: f64 = 3.0;
    #[cfg(any())]
    use std::f64::consts::E as BASE;
    #[cfg(all())]
    use std::f64::consts::PI as BASE;
    FACTOR * x[0] * BASE * x[1]
}

#[differentiable]
fn whole_function(x: &[f64]) -> f64 {
    #![cfg(all())]
    x[0] * x[1]
}

/// Conditions in the text of a macro, and in what it is given.
macro_rules! made {
    ($name:ident, $($(#[$given:meta])* $by:expr),+) => {
        #[differentiable]
        fn $name(x: &[f64]) -> f64 {
            let mut r = x[0] * x[1];
            $(
                $(#[$given])*
                {
                    r *= $by;
                }
            )+
            #[cfg(any())]
            {
                r = 0.0;
            }
            r
        }
    };
}

const K: f64 = 3.0;
made!(macro_made, K, K + 1.0);

macro_rules! given {
    ($($item:item)+) => {
        $(#[differentiable] $item)+
    };
}

given! {
    fn macro_given(x: &[f64]) -> f64 {
        let r = x[0] * x[1];
        #[cfg(any())]
        return r;
        #[cfg(all())]
        (r * r)
    }
}

/// Conditions within pieces that a macro is given.
macro_rules! pieces {
    ($name:ident, $block:block, $e:expr, $s:stmt) => {
        #[differentiable]
        fn $name(x: &[f64]) -> f64 {
            let mut r = x[0];
            #[cfg(any())]
            $block
            #[cfg(all())]
            {
                r *= x[1];
            }
            $s;
            r * r * $e + $block
        }
    };
}

pieces!(
    macro_pieces,
    {
        #[cfg(any())]
        {
            3.0
        }
        #[cfg(all())]
        {
            2.0
        }
    },
    {
        #[cfg(any())]
        return 1.0;
        4.0
    },
    {
        #[cfg(any())]
        return 1.0;
    }
);

/// Conditions on members of `impl` blocks and traits.
mod members {
    use super::*;

    #[derive(Clone, Differentiable)]
    struct Spring {
        stiffness: f64,
        length: f64,
    }

    #[differentiable]
    impl Spring {
        #[cfg(any())]
        fn energy(&self, x: f64) -> f64 {
            self.stiffness * x
        }

        /// Documented.
        #[cfg(not(any()))]
        #[inline]
        pub fn energy(&self, x: f64) -> f64 {
            let d = x - self.length;
            #[cfg(any())]
            {
                d = x;
            }
            #[cfg(all())]
            return 0.5 * self.stiffness * d * d;
        }

        #[cfg(any())]
        fn not_there(&self) -> NotThere {
            unsafe { not_there(self) }
        }

        #[cfg_attr(all(), differentiable(constant(n)))]
        fn times(&self, n: f64, #[cfg(any())] m: f64) -> f64 {
            n * self.length
        }
    }

    #[differentiable]
    trait Potential<#[cfg(any())] T> {
        #[cfg(any())]
        fn at(&self) -> f64;
        #[cfg(all())]
        fn at(&self, x: f64) -> f64;
        #[cfg(all())]
        fn twice(&self, x: f64) -> f64 {
            #[cfg(any())]
            return self.at();
            #[cfg(all())]
            let y = self.at(x);
            y * y
        }
    }

    #[differentiable]
    #[cfg(all())]
    impl Potential for Spring {
        #[cfg(any())]
        fn at(&self) -> f64 {
            0.0
        }

        #[cfg(all())]
        fn at(&self, #[cfg(all())] x: f64) -> f64 {
            #[cfg(any())]
            {
                return x;
            }
            self.stiffness * x.sin()
        }
    }

    #[differentiable]
    #[cfg(any())]
    impl Potential for Spring {}

    #[differentiable]
    impl std::ops::Mul for Spring {
        type Output = Spring;
        fn mul(self, other: Spring) -> Spring {
            #[cfg(any())]
            return other;
            Spring {
                #[cfg(any())]
                stiffness: other.stiffness,
                #[cfg(all())]
                stiffness: self.stiffness * other.length,
                length: other.length + self.length,
            }
        }
    }

    #[differentiable]
    fn used(x: &[f64]) -> f64 {
        let s = Spring { stiffness: x[0], length: x[1] };
        let product = s.clone() * Spring { stiffness: x[2], length: x[0] };
        s.energy(x[2]) + s.times(2.0) * s.twice(x[1]) + product.stiffness * product.length
    }

    #[test]
    fn of_blocks_and_traits() {
        check!(used at X);
    }

    /// An annotated function among statements.
    #[test]
    fn inside_of_a_function() {
        #[differentiable]
        fn local(x: &[f64]) -> f64 {
            #[cfg(any())]
            return x[0];
            x[0] * x[1]
        }
        check!(local at X);
    }
}

/// Rules by hand and constants, whose bodies are not looked at.
mod unread {
    use super::*;

    #[differentiable(pullback = square_vjp::D)]
    fn square(a: f64) -> f64 {
        #[cfg(any())]
        return 0.0;
        #[cfg(all())]
        return a * a;
    }

    #[differentiable]
    fn square_vjp(a: f64, dy: f64) -> f64 {
        #[cfg(any())]
        {
            dy = 0.0;
        }
        2.0 * a * dy
    }

    #[differentiable(constant)]
    fn fixed(a: f64) -> f64 {
        #[cfg(any())]
        return a;
        #[cfg(all())]
        return 2.0 + 0.0 * a.floor();
    }

    #[differentiable]
    fn used(x: &[f64]) -> f64 {
        square(x[0]) * x[1] * fixed(x[2])
    }

    #[test]
    fn rules_and_constants() {
        check!(used at X);
    }
}
