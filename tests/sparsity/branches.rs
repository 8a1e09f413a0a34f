//! Patterns of functions with branches: what holds everywhere is the union of what is found at many points.

use crate::functions::point;
use diffi::prelude::*;
use std::collections::BTreeSet;

type Places = BTreeSet<(usize, usize)>;

fn places(pattern: &Pattern) -> Places {
    pattern.iter().collect()
}

/// Points of all kinds: what is near, far, ordered, and of either sign.
fn points(n: usize) -> Vec<Vec<f64>> {
    let mut random = 88172645463325252u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..400).map(|k| (0..n).map(|_| (next() - 0.5) * [1.0, 4.0, 20.0][k % 3]).collect()).collect()
}

macro_rules! unions {
    ($($name:ident($x:ident; $n:literal $(, $also:literal)?) $body:block)+) => { $(
        #[test]
        fn $name() -> Result<()> {
            #[differentiable(everywhere)]
            fn f($x: &[f64]) -> Vec<f64> $body
            #[differentiable(everywhere)]
            fn total($x: &[f64]) -> f64 {
                let y = f($x);
                let mut sum = 0.0;
                for v in &y {
                    sum += v * v;
                }
                sum
            }
            let (mut jacobian, mut hessian) = (Places::new(), Places::new());
            for x in points($n) {
                jacobian.extend(places(&jacobian_sparsity(f::D, TracerLocalSparsityDetector, &x)?));
                hessian.extend(places(&hessian_sparsity(total::D, TracerLocalSparsityDetector, &x)?));
            }
            let found = places(&jacobian_sparsity(f::D, TracerSparsityDetector, &point($n))?);
            let bent = places(&hessian_sparsity(total::D, TracerSparsityDetector, &point($n))?);
            let more: usize = 0 $(+ $also)?;
            assert!(jacobian.is_subset(&found), "{found:?} lacks some of {jacobian:?}");
            assert_eq!(found.len(), jacobian.len() + more, "{found:?} beside {jacobian:?}");
            assert!(hessian.is_subset(&bent), "{bent:?} lacks some of {hessian:?}");
            let code = TracerSparsityDetector.derivative_code();
            assert_eq!(places(&jacobian_sparsity(f::D, code, &point($n))?), found);
            let bent = places(&hessian_sparsity(total::D, code, &point($n))?);
            assert!(hessian.is_subset(&bent), "{bent:?} lacks some of {hessian:?}");
            Ok(())
        }
    )+ };
}

// The number is that of entries that no point has, but the union cannot know.
unions! {
    values_of_branches(x; 4) {
        let larger = if x[0] > x[1] { x[0] } else { x[1] };
        vec![larger * x[2], x[3]]
    }
    assignments_on_one_side(x; 4) {
        let mut y = x[0];
        if x[1] > 0.3 {
            y = x[2] * x[3];
        }
        vec![y, y * x[1]]
    }
    what_is_assigned_before_a_branch_stays(x; 4, 1) {
        let mut y = x[0];
        let before = y;
        if x[1] > 0.3 {
            y = x[2];
        } else {
            y = x[3];
        }
        vec![y, before]
    }
    elements(x; 5) {
        let mut y = vec![0.0; 3];
        for i in 0..3 {
            if x[i] < x[i + 1] {
                y[i] = x[i] * x[i + 2];
            } else if x[i] > 1.0 {
                y[i] += x[i + 1];
            }
        }
        y
    }
    nested_conditions_with_bounds(x; 5) {
        let mut y = vec![0.0; 5];
        for i in 0..5 {
            if i + 1 < x.len() && x[i] > 0.0 {
                if x[i] > x[i + 1] {
                    y[i] = x[i + 1].sin();
                }
            } else {
                y[i] = x[i];
            }
        }
        y
    }
    early_return(x; 3) {
        if x[0] > 0.5 {
            return vec![x[1] * x[1]];
        }
        vec![x[0] + x[2]]
    }
    leaving_a_loop(x; 6) {
        let mut sum = 0.0;
        for i in 0..6 {
            if x[i] < -0.2 {
                break;
            }
            sum += x[i] * x[i];
        }
        vec![sum]
    }
    skipped_iterations(x; 4) {
        let mut y = vec![];
        for i in 0..4 {
            let mut v = 0.0;
            for j in 0..i {
                if x[j] < 0.1 {
                    continue;
                }
                v += x[j];
            }
            y.push(v);
        }
        y
    }
    arms(x; 4) {
        let y = match x[0] {
            v if v > 1.0 => x[1],
            v if v < 0.0 => x[2].exp(),
            _ => x[3] * x[0],
        };
        vec![y]
    }
    flags(x; 3) {
        let inside = x[0] * x[0] + x[1] * x[1] < 1.0;
        let weight = if inside { 1.0 } else { 2.0 };
        vec![if inside { x[2] } else { 0.0 }, weight * x[0]]
    }
    the_largest(x; 4) {
        let mut largest = x[0];
        for v in &x[1..] {
            if *v > largest {
                largest = *v;
            }
        }
        vec![largest]
    }
    sorted_by_exchanges(x; 3) {
        let mut y = x.to_vec();
        for _ in 0..3 {
            for i in 0..2 {
                if y[i] > y[i + 1] {
                    y.swap(i, i + 1);
                }
            }
        }
        y
    }
    whole_containers(x; 4) {
        let mut pair = (x[0], [x[1], 1.0]);
        let mut list = vec![x[0], x[1]];
        if x[2] > 0.4 {
            pair = (x[1], [2.0, x[3]]);
            list = vec![x[2], 0.5];
        }
        let (first, [second, third]) = pair;
        vec![first, second, third, list[0], list[1] * list[0]]
    }
    added_within_a_vector(x; 3) {
        let mut y = x.to_vec();
        for i in 1..3 {
            y[i] += y[i - 1];
            if y[i] > 0.0 {
                y[i] -= y[0] * y[i - 1];
            }
        }
        y
    }
    rounded_numbers(x; 3) {
        let whole = x[0].floor();
        vec![whole * x[1], if whole == 2.0 { x[2] } else { x[1] }]
    }
}

#[differentiable]
fn softened(v: f64) -> f64 {
    assert!(v.is_finite());
    if v > 1.0 {
        return 2.0 * v - 1.0;
    }
    if v < -100.0 {
        panic!("{v} is too small");
    }
    v * v
}

/// A function that is called takes both sides too, and so does one whose own conditions have answers.
#[test]
fn calls() -> Result<()> {
    #[differentiable]
    fn f(x: &[f64], n: usize) -> f64 {
        let mut y = 0.0;
        for i in 0..x.len() - 1 {
            let slope = softened(x[i + 1] - x[i]);
            y += if i < n { slope } else { x[i] };
        }
        y
    }
    let found = hessian_sparsity(f::D, TracerSparsityDetector, (&point(5), Constant(2)))?;
    assert_eq!(places(&found), Places::from([(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)]));
    Ok(())
}

/// Conditions on constants have answers, and only the branch that is taken counts.
#[test]
fn conditions_on_constants() -> Result<()> {
    #[differentiable]
    fn f(x: &[f64], p: f64) -> f64 {
        if p > 0.0 { x[0] } else { x[1] }
    }
    let at = |p: f64| jacobian_sparsity(f::D, TracerSparsityDetector, (&[1.0, 2.0], Constant(p)));
    assert_eq!(places(&at(1.0)?), Places::from([(0, 0)]));
    assert_eq!(places(&at(-1.0)?), Places::from([(0, 1)]));
    let active = jacobian_sparsity(f::D, TracerSparsityDetector, (&[1.0, 2.0], 1.0))?;
    assert_eq!(places(&active), Places::from([(0, 0), (0, 1)]));
    Ok(())
}

macro_rules! unanswered {
    ($($name:ident($x:ident) $body:block)+) => { $(
        #[test]
        fn $name() {
            #[differentiable]
            fn f($x: &[f64]) -> f64 $body
            assert_eq!(jacobian_sparsity(f::D, TracerSparsityDetector, &[1.0, 2.0, 3.0]), Err(Error::ValueNeeded));
        }
    )+ };
}
unanswered! {
    an_index(x) {
        let mut best = 0;
        for i in 0..x.len() {
            if x[i] > x[best] {
                best = i;
            }
        }
        x[best]
    }
    a_number_of_iterations(x) {
        let mut y = x[0];
        while y > 0.5 {
            y *= 0.5;
        }
        y * x[1]
    }
    vectors_of_several_lengths(x) {
        let list = if x[0] > 0.5 { vec![x[0]] } else { vec![x[1], x[2]] };
        list[0]
    }
    a_length(x) {
        let mut kept = vec![];
        for v in x {
            if *v > 1.5 {
                kept.push(*v);
            }
        }
        let mut sum = 0.0;
        for v in &kept {
            sum += v;
        }
        sum
    }
}
