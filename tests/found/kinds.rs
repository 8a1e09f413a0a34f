//! What a value turns out to be: a list beside arrays, a variant, an option, a part of what a callee returns.

use diffi::prelude::*;
use ndarray::Array1;

#[derive(Clone, Debug, Differentiable)]
struct Lists {
    pair: [f64; 2],
    all: Vec<f64>,
}

/// Fields that are lists, where they might be arrays.
#[differentiable]
fn lists_beside_arrays(x: &[f64], k: f64) -> f64 {
    let z = Array1::from_vec(vec![x[0], k]);
    let mut lists = Lists { pair: [x[1], k * k], all: x.to_vec() };
    for v in lists.pair.iter_mut() {
        *v *= z[0];
    }
    lists.all.iter_mut().for_each(|v| *v = v.sin());
    for (v, w) in lists.pair.iter_mut().zip(lists.all.iter()) {
        *v += w * w;
    }
    lists.pair.iter().map(|v| v * v).sum::<f64>() + lists.all.iter().sum::<f64>() * z.sum()
}

#[derive(Clone, Debug, Differentiable)]
enum Shape {
    Disc(f64),
    Box2 { sides: [f64; 2] },
    V0,
}

#[differentiable]
fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Disc(r) => 3.0 * r * r,
        Shape::Box2 { sides } => sides[0] * sides[1],
        Shape::V0 => 0.5,
    }
}

/// A variant whose name might be a constant's.
#[differentiable]
fn variant_like_a_constant(x: f64) -> f64 {
    let shape = if x > 0.5 { Shape::Disc(x * x) } else { Shape::V0 };
    area(&shape) * x
}

/// A jump within a field of a variant that branches give.
#[differentiable]
fn jump_in_a_variant(x: f64, y: f64) -> f64 {
    let shape = if x > 0.5 {
        Shape::Disc('found: {
            if y > 0.25 {
                break 'found y * x;
            }
            x
        })
    } else {
        Shape::Box2 { sides: [x, y] }
    };
    area(&shape)
}

#[differentiable]
fn summed(x: f64) -> f64 {
    Array1::from_shape_fn(3, |i| x * i as f64).sum()
}

/// A call of a function of numbers that goes by an array.
#[differentiable]
fn by_an_array(x: f64) -> f64 {
    summed(x * x) + x
}

#[differentiable]
fn weighed(x: &[f64]) -> Array1<f64> {
    Array1::from_shape_fn(2, |i| x[i] * x[0])
}

/// An element of what a callee returns, which is no number of another kind.
#[differentiable]
fn set_in_a_result(x: &[f64]) -> f64 {
    let mut y = weighed(x);
    y[1] = x[0];
    y[0] += x[1] * y[1];
    y[0] * y[1]
}

#[differentiable]
fn root(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.sqrt()) } else { None }
}

/// Options of a callee: some kept, some followed by others.
#[differentiable]
fn kept_or_not(x: f64, y: f64) -> f64 {
    let o = root(x);
    let twice = o.and_then(|v| if v > 0.5 { Some(v * y) } else { None }).unwrap_or(0.25);
    o.filter(|v| *v > 0.7).unwrap_or(y) * twice + o.or(Some(y)).unwrap_or(0.5)
}

/// An option of constants, with an active value in its place.
#[differentiable]
fn constant_or_not(x: f64) -> f64 {
    let o = if x > 0.9 { Some(f64::from(0.25)) } else { None };
    o.filter(|v| *v > 0.2).unwrap_or(0.5 * x) + o.map_or(x * x, |v| v * x)
}

/// The first element that a question is answered for.
#[differentiable]
fn first_found(x: &[f64], t: f64) -> f64 {
    let mut o = x.iter().copied().find(|v| *v > t);
    let a = x.iter().enumerate().find(|(i, v)| **v > 0.2 && *i > 0).map_or(0.5, |(i, v)| v * v * i as f64);
    let b = x.iter().filter(|v| **v > 0.1).map(|v| v * t).find(|v| *v < 0.5).unwrap_or(t);
    if a > 3.0 {
        o = None;
    }
    o.unwrap_or(t * t) * a + b
}

/// Rows in a row.
#[differentiable]
fn concatenated(x: &[[f64; 2]], k: f64) -> f64 {
    let mut all = x.concat();
    all[0] *= k;
    all.iter().map(|v| v * v * v).sum()
}

#[derive(Clone, Debug, Differentiable)]
struct Marked {
    weight: f64,
    mark: usize,
    open: bool,
}

/// Fields without derivatives that are only written.
#[differentiable]
fn marked(x: f64, n: usize) -> f64 {
    let first = Marked { weight: x * x, mark: n, open: true };
    let mut second = Marked { mark: (n + 1) % 3, ..first.clone() };
    second.mark = n;
    second.open = false;
    second.weight * first.weight
}

/// An option of a callee, at the end of an iteration that it may leave.
#[differentiable]
fn left_by_an_option(x: f64) -> f64 {
    let mut s = x;
    for k in 0..3 {
        s *= x.sin();
        let o = root(s - 0.3 * k as f64);
        let Some(_unread) = o else { break };
    }
    s
}

/// References into a part of a struct, which cannot be kept.
#[differentiable]
fn walked_again(x: &[f64]) -> f64 {
    let fixed = Tuple(f64::from(0.5), [f64::from(0.75), 0.25]);
    let mut a = 0.5;
    for &v in fixed.1.iter().skip(1) {
        a = v + x[0];
    }
    let mut k = 0;
    loop {
        k += 1;
        a *= x[0].sin() + fixed.1[0] * fixed.0;
        if k > 3 {
            break;
        }
    }
    fixed.1[0] * a
}

#[derive(Clone, Debug, Differentiable)]
struct Tuple(f64, [f64; 2]);

/// A part of a field, which is no array where it has a range.
#[differentiable]
fn range_beside_arrays(x: &[f64], k: f64) -> f64 {
    let z = Array1::from_vec(vec![k, x[0]]);
    let lists = Lists { pair: [x[0], k], all: x.to_vec() };
    lists.all[1..].iter().map(|v| v * v).sum::<f64>() * z[1] + lists.pair[..1].iter().sum::<f64>()
}

/// A struct that is returned from within a block.
#[differentiable]
fn returned_within(x: f64, n: usize) -> Marked {
    {
        let y = x * x;
        if n > 2 {
            return Marked { weight: y * x, mark: n, open: true };
        }
    }
    Marked { weight: x.sin(), mark: 0, open: false }
}

#[differentiable]
fn weight_within(x: f64, n: usize) -> f64 {
    returned_within(x, n).weight * x
}

/// An option that is mapped where arrays are.
#[differentiable]
fn option_beside_arrays(x: f64, y: f64) -> f64 {
    let z = Array1::from_elem(2, y);
    let o = root(x);
    o.map(|v| v * z[0]).unwrap_or(x * y) + z.sum()
}

/// A value that branches of an iteration give, which is run again from a state that was kept.
#[differentiable]
fn branches_run_again(x: &[f64], k: f64) -> f64 {
    let mut marked = Marked { weight: k, mark: 0, open: true };
    #[checkpoint]
    for i in 0..3 {
        let z = Array1::from_elem(2, x[0]);
        let next = if i > 1 { marked.weight + z[0] } else { marked.weight.sin() * x[1] };
        marked.weight = 0.5 * next;
    }
    marked.weight * k
}

#[differentiable]
fn summed_pair(x: &[f64; 2]) -> f64 {
    x[0] + x[1]
}

/// A question about an array behind a reference, which a function answers.
#[differentiable]
fn asked_of_a_function(x: &[f64; 2]) -> f64 {
    if summed_pair(x) < 1.25 { x[0] * x[1] } else { x[0].sin() }
}

/// The same by every backend: a body over other numbers asks, too.
#[test]
fn other_numbers_ask_functions() {
    for x in [[0.3, 0.7], [0.9_f64, 0.7]] {
        let expected = if x[0] + x[1] < 1.25 { [x[1], x[0]] } else { [x[0].cos(), 0.0] };
        for g in [
            gradient(asked_of_a_function::D, AutoTape, &x).unwrap(),
            gradient(asked_of_a_function::D, AutoDual, &x).unwrap(),
        ] {
            assert!(g.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{g:?} {expected:?}");
        }
    }
}

#[differentiable]
fn doubled(x: &mut f64) {
    *x = 2.0 * *x;
}

/// A result that its own adjoint reads, and a call changes.
#[differentiable]
fn changed_by_a_call(x: f64, y: f64) -> f64 {
    let mut a = (x * y).tanh();
    doubled(&mut a);
    a += y.exp();
    doubled(&mut a);
    a
}

/// The same, exchanged with another.
#[differentiable]
fn exchanged_results(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x.exp(), (x * y).sqrt());
    std::mem::swap(&mut a, &mut b);
    a *= y;
    doubled(&mut a);
    a * a * b
}

/// A number that may be an array, to which a branch adds: the adjoint of the addition wants its place, not its value.
#[differentiable]
fn added_to_in_a_branch(x: &[f64], k: f64) -> f64 {
    let z = Array1::from_elem(2, x[0]);
    let mut a = f64::from(1.875);
    let b = k * z[1];
    if b > 0.1 {
        a += 0.5 * (b - a);
    }
    x.iter().map(|_| a).sum::<f64>() + a
}

#[differentiable]
fn halved(x: &[f64]) -> Array1<f64> {
    Array1::from_shape_fn(2, |i| 0.5 * x[i])
}

/// An array by name that an annotated function gives, whose elements are set.
#[differentiable]
fn given_array(x: &[f64], k: f64) -> f64 {
    let list = vec![k * x[0]; 3];
    let mut y: Array1<f64> = halved(&list);
    y[0] *= x[1];
    y[0] + y[1] * k
}

/// What an option of the callee's becomes is a float by the one that stands for nothing.
#[differentiable]
fn replaced_by_an_option(x: f64) -> f64 {
    let (mut pair, o) = ((1.0, 2.0), root(x));
    let old =
        std::mem::replace(&mut pair, (x, o.and_then(|_| if 0.25 > 0.3 { Some(0.5) } else { None }).unwrap_or(0.5)));
    old.1 * pair.0 * pair.1
}

#[derive(Clone, Debug, Differentiable)]
struct Pair(Vec<f64>, f64);

/// A method of std that looks at a variable which is `mut` for nothing.
#[differentiable]
#[allow(unused_mut)]
fn looked_at(mut pair: Pair) -> f64 {
    let all = pair.0.to_vec();
    all.iter().map(|v| v * pair.1).sum()
}

#[differentiable]
fn looked_at_by_parts(x: &[f64], k: f64) -> f64 {
    looked_at(Pair(x.to_vec(), k * k))
}

/// The sum of nothing is `-0.0`, as std's is.
#[differentiable]
fn sum_of_nothing(x: f64, n: usize) -> f64 {
    let none: f64 = (0..n).map(|i| x * i as f64).sum();
    x * none.signum()
}

#[differentiable]
fn set_to_a_constant(_: f64, to: &mut f64) {
    *to = 1.3125;
}

#[differentiable]
fn set_alone(to: &mut f64) {
    *to = 1.3125;
}

#[differentiable]
fn all_set(to: &mut [f64], k: usize) {
    for v in to.iter_mut() {
        *v = k as f64;
    }
}

/// Outputs of calls that are given constants: what flowed into the variables before ends there.
#[differentiable]
fn constants_by_calls(x: f64, n: usize) -> f64 {
    let (mut a, mut b, mut list) = (x, x * x, vec![x, x * x, x.sin()]);
    let mut y = x;
    for _ in 0..n {
        set_to_a_constant(x, &mut a);
        y *= a.cos();
    }
    set_alone(&mut b);
    all_set(&mut list[1..], n);
    y * b + list[0] * list[1].sin() + list[2]
}

#[differentiable]
fn twice_in_a_list(x: f64) -> Vec<f64> {
    vec![x, x]
}

/// A call that is given what no derivative flows through.
#[differentiable]
fn rounded_for_a_call(x: &[f64]) -> f64 {
    let list = twice_in_a_list(x[0].round());
    x[0] * list.iter().sum::<f64>()
}

/// An update by the length of what is updated.
#[differentiable]
fn updated_by_its_length(x: &[f64], k: f64) -> f64 {
    let mut list = vec![k; 2];
    let (front, _) = list.split_at_mut(1);
    front[0] += 0.25 * (front.len() as f64);
    (list[0] * x[0]).sin()
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number lists_beside_arrays(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9], 0.7];
        number variant_like_a_constant(by x: f64): [0.8] [0.3];
        number jump_in_a_variant(by x: f64, by y: f64): [0.8, 0.7] [0.8, 0.2] [0.3, 0.7];
        number by_an_array(by x: f64): [0.8];
        number set_in_a_result(at x: Vec<f64>): [vec![0.3, 0.9]];
        number kept_or_not(by x: f64, by y: f64): [0.8, 0.3] [0.3, 0.7] [-0.3, 0.7] [0.1, 0.7];
        number constant_or_not(by x: f64): [0.95] [0.3];
        number first_found(at x: Vec<f64>, by t: f64): [vec![0.3, 0.9, 0.4], 0.5] [vec![0.3, 0.1], 0.6] [vec![0.15, 1.9], 0.2];
        number concatenated(at x: Vec<[f64; 2]>, by k: f64): [vec![[0.3, 0.9], [0.4, -0.2]], 0.7];
        number marked(by x: f64, fixed n: usize): [0.7, 2];
        number changed_by_a_call(by x: f64, by y: f64): [0.7, 0.4];
        number exchanged_results(by x: f64, by y: f64): [0.7, 0.4];
        number asked_of_a_function(at x: [f64; 2]): [[0.3, 0.7]] [[0.9, 0.7]];
        number left_by_an_option(by x: f64): [0.9];
        number walked_again(at x: Vec<f64>): [vec![0.3]];
        number range_beside_arrays(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, 0.4], 0.7];
        number weight_within(by x: f64, fixed n: usize): [0.7, 2] [0.7, 3];
        number option_beside_arrays(by x: f64, by y: f64): [0.7, 0.3] [-0.7, 0.3];
        number constants_by_calls(by x: f64, fixed n: usize): [0.7, 0] [0.7, 2];
        number rounded_for_a_call(at x: Vec<f64>): [vec![0.8]];
        number updated_by_its_length(at x: Vec<f64>, by k: f64): [vec![0.8], 0.3];
        number added_to_in_a_branch(at x: Vec<f64>, by k: f64): [vec![0.8, 0.3], 0.6] [vec![0.1, 0.3], 0.6];
        number given_array(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9], 0.7];
        number replaced_by_an_option(by x: f64): [0.8] [-0.4];
        number looked_at_by_parts(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9], 0.7];
        number sum_of_nothing(by x: f64, fixed n: usize): [0.7, 0] [0.7, 2];
        number branches_run_again(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9], 0.7];
    }
}
