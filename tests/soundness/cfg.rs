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
    #[cfg(false)]
    {
        r -= 0.1 * x[0].abs() * x[0];
    }
    #[cfg(true)]
    {
        r *= x[2];
    }
    #[cfg(not(true))]
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
    #[cfg(false)]
    if x[0] > 0.0 {
        r -= x[0].exp();
    }
    #[cfg(true)]
    if x[0] > 0.0 {
        r *= x[1];
    } else {
        r = 0.0;
    }
    #[cfg(false)]
    if let Some(first) = x.first() {
        r *= first;
    }
    r
}

#[differentiable]
fn branches_of_blocks(x: &[f64]) -> f64 {
    let mut r = x[0];
    if x[1] > 0.0 {
        #[cfg(false)]
        return x[1];
        #[cfg(true)]
        {
            r *= x[1] * r;
        }
    } else {
        #[cfg(true)]
        return x[1];
    }
    r * r
}

#[differentiable]
fn loops(x: &[f64]) -> f64 {
    let mut r = 1.0;
    #[cfg(false)]
    for v in x {
        r *= v * v;
    }
    #[cfg(true)]
    for v in x {
        r += v * v;
    }
    let mut k = 0;
    #[cfg(false)]
    while k < x.len() {
        r *= x[k];
        k += 1;
    }
    #[cfg(not(false))]
    while k < x.len() {
        r += x[k] * r;
        k += 1;
    }
    #[cfg(false)]
    loop {
        r *= x[0];
        if r > 100.0 {
            break;
        }
    }
    for v in x {
        #[cfg(false)]
        continue;
        #[cfg(false)]
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
    #[cfg(false)]
    scale(&mut v, x[0]);
    #[cfg(true)]
    scale(&mut v, x[1]);
    #[cfg(false)]
    v.push(x[0] * x[0]);
    #[cfg(true)]
    v.push(x[1] * x[0]);
    #[cfg(false)]
    v.iter_mut().for_each(|a| *a = a.sin());
    v.iter().map(|a| a * a).sum()
}

#[differentiable]
#[allow(unreachable_code)]
fn returns(x: &[f64]) -> f64 {
    #[cfg(false)]
    return x[0];
    #[cfg(true)]
    if x[1] < 0.0 {
        return x[2];
    }
    #[cfg(true)]
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
    #[cfg(true)]
    positive(x[1])?;
    #[cfg(false)]
    positive(-x[1])?;
    #[cfg(true)]
    {
        r *= positive(x[2])?;
    }
    #[cfg(true)]
    {
        Some(r * x[1])
    }
    #[cfg(false)]
    positive(-x[0])?;
}

/// Calls that change what they are given.
#[differentiable]
fn kept_calls(x: &[f64]) -> f64 {
    let (mut v, mut w) = (x.to_vec(), vec![x[1]; 3]);
    #[cfg(true)]
    v.swap(0, 1);
    #[cfg(true)]
    std::mem::swap(&mut v, &mut w);
    #[cfg(true)]
    v.extend_from_slice(&w);
    #[cfg(true)]
    v.sort_by(|a, b| a.total_cmp(b));
    #[cfg(true)]
    v.iter_mut().zip(x).for_each(|(a, b)| *a *= b);
    #[cfg(true)]
    v.truncate(5);
    #[cfg(false)]
    v.clear();
    for a in x {
        #[cfg(true)]
        v.push(a * v[1]);
        #[cfg(false)]
        v.pop();
        #[cfg(not(false))]
        scale(&mut v[1..], *a);
    }
    v.iter().enumerate().map(|(k, a)| a * (k + 1) as f64).sum::<f64>() * early(x).unwrap()
}

#[differentiable]
fn assignments(x: &[f64]) -> f64 {
    let mut v = [x[0], x[1]];
    #[cfg(false)]
    {
        v[0] = x[2];
    }
    #[cfg(true)]
    {
        v[1] *= x[2];
    }
    #[cfg(false)]
    let _ = v[0].sqrt();
    v[0] * v[1]
}

#[differentiable]
fn lets(x: &[f64]) -> f64 {
    #[cfg(false)]
    let a = x[0] * x[1];
    #[cfg(not(false))]
    let a = x[0] + x[1] * x[1];
    #[cfg(false)]
    let (b, c) = (a, a);
    #[cfg(not(false))]
    let (b, c) = (a * a, x[2]);
    let d = b * c;
    #[cfg(false)]
    let d = d * d;
    #[cfg(true)]
    let Some(e) = x.first() else { return 0.0 };
    #[cfg(false)]
    let Some(e) = x.last() else { return 0.0 };
    d * e
}

#[differentiable]
fn late_let(x: &[f64]) -> f64 {
    #[cfg(true)]
    let a;
    #[cfg(false)]
    let mut a = 1.0;
    #[cfg(false)]
    {
        a = x[0];
    }
    #[cfg(true)]
    {
        a = x[1] * x[0];
    }
    a * a
}

#[differentiable]
fn macros(x: &[f64]) -> f64 {
    #[cfg(false)]
    assert!(x[0] < 0.0, "not here");
    #[cfg(true)]
    assert!(x[0] > 0.0);
    #[cfg(false)]
    panic!("not here");
    #[cfg(true)]
    let v = vec![x[0], x[1]];
    #[cfg(false)]
    let v = vec![x[0]; 7];
    v.iter().product()
}

#[differentiable]
fn nested(x: &[f64]) -> f64 {
    let mut r = x[0];
    #[cfg(true)]
    {
        #[cfg(false)]
        {
            r = x[1];
        }
        #[cfg(true)]
        for v in x {
            #[cfg(false)]
            {
                r = 0.0;
            }
            #[cfg(not(false))]
            if *v > 0.5 {
                r *= v;
                #[cfg(false)]
                break;
            }
        }
    }
    #[cfg(false)]
    {
        #[cfg(true)]
        {
            r = x[1];
        }
    }
    r
}

#[differentiable]
fn unsafe_side(x: &[f64]) -> f64 {
    #[cfg(false)]
    unsafe {
        return *x.get_unchecked(0);
    }
    #[cfg(false)]
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
    #[cfg(any(not(test), all(false, test)))]
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
#[cfg_attr(true, allow(unused_mut))]
fn attributes_by_condition(x: &[f64]) -> f64 {
    let mut r = x[0] * x[1];
    #[cfg_attr(true, cfg(false))]
    {
        r *= x[0];
    }
    #[cfg_attr(false, cfg(false))]
    {
        r *= x[2];
    }
    #[cfg_attr(true, allow(unused_variables), cfg(true))]
    let a = r * r;
    #[cfg_attr(true, checkpoint(every = 2))]
    #[cfg_attr(false, no_such_attribute)]
    for v in x {
        r += v * r;
    }
    r
}

#[differentiable]
#[cfg(true)]
fn no_conditions(x: &[f64]) -> f64 {
    x[0] * x[1]
}

#[differentiable]
#[cfg(false)]
fn no_conditions(x: &[f64]) -> f64 {
    #[cfg(true)]
    return x[0];
}

#[cfg(false)]
#[differentiable]
fn no_conditions(x: &[f64]) -> f64 {
    #[cfg(true)]
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
    #[cfg(true)]
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
    if cfg!(false) {
        r *= x[1];
    } else if cfg!(debug_assertions) && x[2] > 0.0 {
        r *= x[2];
    }
    r * if cfg!(not(false)) { x[1] } else { x[0] }
}

#[differentiable]
fn tail_block(x: &[f64]) -> f64 {
    #[cfg(true)]
    {
        x[0] * x[1]
    }
    #[cfg(not(true))]
    {
        x[1] * x[2]
    }
}

#[differentiable]
fn tail_expression(x: &[f64]) -> f64 {
    let a = x[0].sin();
    #[cfg(false)]
    return a;
    #[cfg(not(false))]
    (a * x[1])
}

#[differentiable]
fn tail_branch(x: &[f64]) -> f64 {
    #[cfg(false)]
    if x[0] > 0.0 {
        x[1]
    } else {
        x[0] * x[0]
    }
    #[cfg(true)]
    if x[0] > 0.0 { x[1] * x[0] } else { x[0] }
}

#[differentiable]
fn tail_match(x: &[f64]) -> f64 {
    #[cfg(false)]
    match x.len() {
        3 => x[0],
        _ => x[1],
    }
    #[cfg(true)]
    match x.len() {
        3 => x[0] * x[2],
        _ => x[1],
    }
}

#[differentiable]
fn tail_call(x: &[f64]) -> f64 {
    #[cfg(false)]
    branch(x);
    #[cfg(true)]
    block(x)
}

#[differentiable]
fn tail_return(x: &[f64]) -> f64 {
    #[cfg(false)]
    return x[0];
    #[cfg(true)]
    return x[1] * x[2];
}

#[differentiable]
fn arms(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (k, v) in x.iter().enumerate() {
        sum += match k {
            #[cfg(false)]
            0 => v * v,
            #[cfg(true)]
            0 => v.sin(),
            #[cfg(false)]
            _ if *v > 0.0 => 1.0,
            #[cfg(true)]
            1 if *v > 0.0 => v * v * v,
            _ => {
                #[cfg(false)]
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
    #[cfg(false)]
    Point,
    #[cfg(true)]
    Disc {
        radius: f64,
        #[cfg(false)]
        name: NotThere,
        #[cfg(true)]
        weight: f64,
    },
    Bar(f64, #[cfg(false)] NotThere, #[cfg(true)] f64),
    #[cfg(false)]
    Disc(f64),
}

#[differentiable]
fn bindings_of_arms(x: &[f64]) -> f64 {
    let shapes = [
        Shape::Disc {
            radius: x[0],
            #[cfg(false)]
            name: 3.0,
            #[cfg(true)]
            weight: x[1],
        },
        Shape::Bar(
            x[1],
            #[cfg(false)]
            x[0],
            #[cfg(true)]
            x[2],
        ),
        #[cfg(false)]
        Shape::Point,
    ];
    let mut sum = 0.0;
    for shape in &shapes {
        sum += match shape {
            #[cfg(false)]
            Shape::Point => 0.0,
            Shape::Disc {
                radius,
                #[cfg(false)]
                name,
                #[cfg(true)]
                weight,
            } => radius * radius * weight,
            Shape::Bar(a, b) => a * b,
        };
    }
    sum
}

#[derive(Clone, Differentiable)]
struct State<#[cfg(false)] T, #[cfg(true)] const N: usize> {
    #[cfg(false)]
    a: T,
    #[cfg(true)]
    a: f64,
    #[cfg_attr(true, differentiable(constant))]
    b: f64,
    #[cfg_attr(false, differentiable(constant))]
    c: [f64; N],
}

#[differentiable]
fn patterns_of_structs(x: &[f64]) -> f64 {
    let s = State {
        #[cfg(false)]
        a: 0.0,
        #[cfg(true)]
        a: x[0] * x[0],
        b: 2.0,
        c: [x[1], x[2]],
    };
    let State {
        #[cfg(false)]
            a: second,
        #[cfg(true)]
            a: first,
        b,
        ..
    } = &s;
    first * b * s.c[0] * s.c[1]
}

#[differentiable]
fn array(x: &[f64]) -> f64 {
    let v = [
        #[cfg(false)]
        x[0],
        x[1] * x[0],
        #[cfg(true)]
        x[2],
        #[cfg(false)]
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
        #[cfg(false)]
        x[0],
        x[1] * x[0],
        #[cfg(true)]
        x[2],
    );
    let (a, b) = t;
    a * b * t.0 * t.1
}

#[differentiable]
fn list_macro_of_values(x: &[f64]) -> f64 {
    let mut v = vec![x[0]];
    #[cfg(false)]
    v.push(x[1]);
    #[cfg(true)]
    v.extend([
        #[cfg(false)]
        x[1],
        #[cfg(true)]
        x[2],
    ]);
    v.iter().map(|a| a * a).sum()
}

#[differentiable]
fn weighted(a: f64, #[cfg(false)] b: f64, #[cfg(true)] c: f64) -> f64 {
    #[cfg(false)]
    return a * b;
    #[cfg(true)]
    return a * c * c;
}

#[differentiable]
fn arguments(x: &[f64]) -> f64 {
    weighted(
        x[0],
        #[cfg(false)]
        x[1],
        #[cfg(true)]
        x[2],
    )
}

#[differentiable]
fn arguments_of_methods(x: &[f64]) -> f64 {
    x[0].powf(
        #[cfg(false)]
        x[1],
        #[cfg(true)]
        x[2],
    ) * x[1].max(
        #[cfg(true)]
        x[2],
        #[cfg(false)]
        x[0],
    )
}

#[differentiable]
fn fields(x: &[f64]) -> f64 {
    let mut s = State {
        a: x[0],
        #[cfg(true)]
        b: 1.0,
        #[cfg(false)]
        b: 2.0,
        c: [
            #[cfg(true)]
            x[1],
            #[cfg(false)]
            x[0],
        ],
    };
    #[cfg(false)]
    {
        s.a = x[2];
    }
    #[cfg(true)]
    {
        s.c[0] *= x[2];
    }
    s.a * s.b * s.c[0]
}

#[differentiable]
fn closures(x: &[f64]) -> f64 {
    let f = |a: f64, #[cfg(false)] b: f64, #[cfg(true)] c: f64| {
        #[cfg(false)]
        return a;
        #[cfg(true)]
        let d = a * c;
        #[cfg(false)]
        {
            d = 0.0;
        }
        d * x[0]
    };
    f(
        x[1],
        #[cfg(true)]
        x[2],
    ) + x
        .iter()
        .map(|v| {
            #[cfg(false)]
            {
                0.0
            }
            #[cfg(true)]
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
        #[cfg(false)]
        {
            s = s * s;
        }
        #[cfg(true)]
        {
            s = (s * x[1]).sin() + x[k % 3];
        }
        #[cfg(false)]
        if s > 0.1 {
            break;
        }
        #[cfg(true)]
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
    #[cfg(false)]
    for _ in 0..7 {
        s = s * s;
    }
    #[cfg(true)]
    #[checkpoint]
    for v in x {
        #[cfg(true)]
        {
            s = (s * v).sin();
        }
    }
    s
}

#[differentiable(constant(n))]
fn with_parameters(
    x: &[f64],
    #[cfg(false)] n: NotThere,
    #[cfg(true)] n: f64,
    #[allow(unused_variables)] m: usize,
) -> f64 {
    x[0] * x[1] * n
}

#[differentiable]
fn parameters(x: &[f64]) -> f64 {
    with_parameters(
        x,
        #[cfg(true)]
        3.0,
        2,
    )
}

#[differentiable]
fn generic<#[cfg(false)] T: NotThere, #[cfg(true)] T: num_traits::Float, #[cfg(true)] const N: usize>(x: &[T; N]) -> T
where
    T: Clone,
{
    #[cfg(false)]
    return T::not_there();
    #[cfg(true)]
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
    fn three(#[cfg(false)] x: NotThere) -> usize {
        #[cfg(false)]
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
    #[cfg(false)]
    const FACTOR: f64 = 2.0;
    #[cfg(true)]
    const FACTOR: f64 = 3.0;
    #[cfg(false)]
    use std::f64::consts::E as BASE;
    #[cfg(true)]
    use std::f64::consts::PI as BASE;
    FACTOR * x[0] * BASE * x[1]
}

#[differentiable]
fn whole_function(x: &[f64]) -> f64 {
    #![cfg(true)]
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
            #[cfg(false)]
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
        #[cfg(false)]
        return r;
        #[cfg(true)]
        (r * r)
    }
}

/// Conditions within pieces that a macro is given.
macro_rules! pieces {
    ($name:ident, $block:block, $e:expr, $s:stmt) => {
        #[differentiable]
        fn $name(x: &[f64]) -> f64 {
            let mut r = x[0];
            #[cfg(false)]
            $block
            #[cfg(true)]
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
        #[cfg(false)]
        {
            3.0
        }
        #[cfg(true)]
        {
            2.0
        }
    },
    {
        #[cfg(false)]
        return 1.0;
        4.0
    },
    {
        #[cfg(false)]
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
        #[cfg(false)]
        fn energy(&self, x: f64) -> f64 {
            self.stiffness * x
        }

        /// Documented.
        #[cfg(not(false))]
        #[inline]
        pub fn energy(&self, x: f64) -> f64 {
            let d = x - self.length;
            #[cfg(false)]
            {
                d = x;
            }
            #[cfg(true)]
            return 0.5 * self.stiffness * d * d;
        }

        #[cfg(false)]
        fn not_there(&self) -> NotThere {
            unsafe { not_there(self) }
        }

        #[cfg_attr(true, differentiable(constant(n)))]
        fn times(&self, n: f64, #[cfg(false)] m: f64) -> f64 {
            n * self.length
        }
    }

    #[differentiable]
    trait Potential<#[cfg(false)] T> {
        #[cfg(false)]
        fn at(&self) -> f64;
        #[cfg(true)]
        fn at(&self, x: f64) -> f64;
        #[cfg(true)]
        fn twice(&self, x: f64) -> f64 {
            #[cfg(false)]
            return self.at();
            #[cfg(true)]
            let y = self.at(x);
            y * y
        }
    }

    #[differentiable]
    #[cfg(true)]
    impl Potential for Spring {
        #[cfg(false)]
        fn at(&self) -> f64 {
            0.0
        }

        #[cfg(true)]
        fn at(&self, #[cfg(true)] x: f64) -> f64 {
            #[cfg(false)]
            {
                return x;
            }
            self.stiffness * x.sin()
        }
    }

    #[differentiable]
    #[cfg(false)]
    impl Potential for Spring {}

    #[differentiable]
    impl std::ops::Mul for Spring {
        type Output = Spring;
        fn mul(self, other: Spring) -> Spring {
            #[cfg(false)]
            return other;
            Spring {
                #[cfg(false)]
                stiffness: other.stiffness,
                #[cfg(true)]
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
            #[cfg(false)]
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
        #[cfg(false)]
        return 0.0;
        #[cfg(true)]
        return a * a;
    }

    #[differentiable]
    fn square_vjp(a: f64, dy: f64) -> f64 {
        #[cfg(false)]
        {
            dy = 0.0;
        }
        2.0 * a * dy
    }

    #[differentiable(constant)]
    fn fixed(a: f64) -> f64 {
        #[cfg(false)]
        return a;
        #[cfg(true)]
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
