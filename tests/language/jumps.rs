//! `break`, `continue`, `return`, labels, `while` and `loop`.

use diffi::prelude::*;

#[differentiable]
fn leaving(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v * v;
        if s > 1.0 {
            break;
        }
        s *= v;
    }
    s
}

#[differentiable]
fn leaving_at_once(x: &[f64], t: f64) -> f64 {
    let mut s = t;
    for i in 0..x.len() {
        if x[i] < 0.0 {
            break;
        }
        s = s * x[i] + t;
    }
    s
}

#[differentiable]
fn skipping(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        if x[i] < 0.0 {
            continue;
        }
        let t = x[i] * s;
        if t > 1.0 {
            s -= t;
            continue;
        }
        s += t;
    }
    s
}

#[differentiable]
fn returning_from_a_loop(x: &[f64]) -> f64 {
    let mut s = 0.5;
    for i in 0..x.len() {
        s *= x[i] + 1.0;
        if x[i] > 1.0 {
            return x[i] * s;
        }
    }
    s * x.iter().sum::<f64>()
}

#[differentiable]
fn labels(x: &[f64]) -> f64 {
    let mut s = 0.0;
    'outer: for i in 0..x.len() {
        for j in 0..i {
            if x[j] > 10.0 {
                break 'outer;
            }
            if x[i] > 1.0 {
                continue 'outer;
            }
            s += x[i] * x[j] * (1.0 + s);
        }
        s += x[i];
    }
    s
}

#[differentiable]
fn while_with_an_index(x: &[f64]) -> f64 {
    let mut i = 0;
    let mut s = 0.1;
    while i < x.len() {
        if x[i] < 0.0 {
            i += 1;
            continue;
        }
        s += x[i] * s;
        i += 2;
    }
    s
}

#[differentiable]
fn newton(a: f64) -> f64 {
    let mut x = a;
    let mut n = 0;
    while (x * x - a).abs() > 1e-14 && n < 50 {
        x = 0.5 * (x + a / x);
        n += 1;
    }
    x
}

#[differentiable]
fn array_read_after_a_while(x: &[f64]) -> f64 {
    let mut v = [x[0], x[1], 0.0];
    let mut n = 0;
    while n < 3 {
        let a = v[0] * v[1];
        v[1] = a + v[0];
        v[2] += a;
        n += 1;
    }
    v[0] *= v[2];
    v[0] * v[1] + v[2] * v[0]
}

#[differentiable]
fn endless(x: f64) -> f64 {
    let mut y = x;
    let mut n = 0;
    loop {
        y = y.cos() * x;
        n += 1;
        if n > 5 {
            break;
        }
    }
    y
}

#[differentiable]
fn loop_value(x: f64) -> f64 {
    let mut i = 0;
    let mut p = 1.0;
    let y = loop {
        i += 1;
        p *= x;
        if i > 3 {
            break p * i as f64;
        }
    };
    let z = 'b: {
        if x > 0.0 {
            break 'b y * y;
        }
        x
    };
    y + z
}

#[differentiable]
fn a_stack_of_indices(x: &[f64]) -> f64 {
    let mut stack = vec![0usize];
    let mut s = 0.0;
    while let Some(i) = stack.pop() {
        if i >= x.len() {
            continue;
        }
        s += x[i] * (1.0 + s);
        stack.push(2 * i + 1);
        stack.push(2 * i + 2);
    }
    s
}

#[differentiable]
fn break_in_a_nested_loop(x: &[f64], n: usize) -> f64 {
    let mut s = 1.0;
    for k in 0..n {
        let mut t = 0.0;
        for &v in x {
            t += v * s;
            if t > 0.8 {
                break;
            }
        }
        if k == 3 {
            break;
        }
        s += t * 0.5;
    }
    s
}

#[differentiable]
fn bisection(a: f64) -> f64 {
    let (mut lo, mut hi) = (a * 0.5, a * 2.0);
    for _ in 0..4 {
        let mid = 0.5 * (lo + hi);
        if mid * mid > a * a {
            hi = mid;
        } else {
            lo = mid;
        }
    }
    lo * hi
}

#[differentiable]
fn optional_state(x: &[f64]) -> f64 {
    let mut level: Option<f64> = None;
    let mut s = 0.0;
    for &v in x {
        s += level.map_or(0.0, |l| v - l * v);
        level = match level {
            None => Some(v),
            Some(l) => Some(l + 0.5 * (v - l)),
        };
    }
    s + level.unwrap_or_default()
}

#[differentiable]
fn returning_from_a_match(x: &[f64], k: Option<usize>) -> f64 {
    let y = 2.0
        * match k {
            Some(k) => x[k],
            None => return x[0] * x[0],
        };
    y * y
}

#[differentiable]
fn macros(x: &[f64]) -> f64 {
    assert!(!x.is_empty(), "{x:?}");
    assert_eq!(x.len() % 2, 1);
    debug_assert!(x[0] < 100.0);
    let mut v = vec![x[0], 1.0];
    let w = vec![x[0] * 2.0; 3];
    v.push(dbg!(w[2]));
    if false {
        println!("{} {:?}", v[0], w);
    }
    let text = format!("{}", v.len());
    match text.len() {
        1 => v.iter().product(),
        2 => unreachable!("{}", x[0]),
        _ => panic!(),
    }
}

/// The value that a labelled block is left with is active, the one at its end is not.
#[differentiable]
fn block_left_with_a_value(x: f64, t: f64) -> f64 {
    let y = 'found: {
        if t > 0.0 {
            break 'found x * t;
        }
        1.125
    };
    y + ('found: {
        for k in 0..3 {
            if x * k as f64 > 0.5 {
                break 'found x * x;
            }
        }
        2.0
    }) * t
}

#[differentiable]
fn returning_from_an_operand(x: f64, t: f64) -> f64 {
    x * {
        if t > 0.5 {
            return t * t;
        }
        t
    } + t
}

#[differentiable]
fn leaving_from_an_operand(x: &[f64], t: f64) -> f64 {
    let mut s = 1.0;
    for v in x {
        s = s * {
            if *v > t {
                break;
            }
            2.0
        } + v;
        s += v * {
            if *v < 0.0 {
                continue;
            }
            t
        };
    }
    s
}

#[differentiable]
fn a_few_iterations_downwards(x: &[f64], t: f64) -> f64 {
    let mut s = t;
    for i in (0..6).rev() {
        if i < x.len() {
            s = s * x[i].sin() + t;
        }
        if s > 1.1 {
            break;
        }
    }
    s
}

#[differentiable]
fn a_few_iterations_with_an_index(x: &[f64]) -> f64 {
    let (mut at, mut s) = (0, 0.3);
    for k in 1..=8 {
        if at >= x.len() {
            break;
        }
        s += (s * x[at]).exp() / k as f64;
        at = 2 * at + k % 2;
    }
    s
}

#[differentiable]
fn a_few_iterations_in_each_other(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        let mut y = *v;
        for _ in 0..5 {
            let mut z = y;
            for _ in 0..3 {
                z = z.sin() * v;
                if z < 0.2 {
                    break;
                }
            }
            y = y * z + 0.6;
            if y > 1.5 {
                break;
            }
        }
        s += y;
    }
    s
}

#[differentiable]
fn a_few_iterations_in_a_function(x: &[f64]) -> f64 {
    x.iter().map(|v| square_root(*v) * v).sum()
}

#[differentiable]
fn square_root(a: f64) -> f64 {
    let mut x = a;
    for _ in 0..40 {
        let old = x;
        x = 0.5 * (x + a / x);
        if (x - old).abs() < 1e-14 {
            break;
        }
    }
    x
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number leaving(at x: Vec<f64>): [vec![0.3, 0.9, 1.4, 0.8]] [vec![]] [vec![2.0]] [vec![0.1, 0.2]];
        number leaving_at_once(at x: Vec<f64>, by t: f64): [vec![0.3, 0.9, -1.4, 0.8], 0.7] [vec![], 0.7] [vec![-2.0], 0.7] [vec![0.1, 0.2], 0.7];
        number skipping(at x: Vec<f64>): [vec![0.3, 0.9, -1.4, 0.8]] [vec![]] [vec![-0.1]];
        number returning_from_a_loop(at x: Vec<f64>): [vec![0.3, 0.9, 1.4, 0.8]] [vec![]] [vec![0.1, 0.2]];
        number labels(at x: Vec<f64>): [vec![0.3, 0.9, 1.4, 0.8]] [vec![]] [vec![0.1, 11.0, 0.2, 0.3]];
        number while_with_an_index(at x: Vec<f64>): [vec![0.3, 0.9, -1.4, 0.8, 0.6]] [vec![]];
        number newton(by a: f64): [2.0];
        number array_read_after_a_while(at x: Vec<f64>): [vec![0.3, 0.9]];
        number endless(by x: f64): [0.8];
        number loop_value(by x: f64): [0.8] [-0.8];
        number a_stack_of_indices(at x: Vec<f64>): [vec![0.3, 0.9, -1.4, 0.8, 0.6]] [vec![]];
        number break_in_a_nested_loop(at x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, -0.4], 5] [vec![], 2] [vec![0.3], 0];
        number bisection(by a: f64): [1.3];
        number optional_state(at x: Vec<f64>): [vec![0.3, 0.9, -1.4]] [vec![]] [vec![0.4]];
        number returning_from_a_match(at x: Vec<f64>, fixed k: Option<usize>): [vec![0.3, 0.9], Some(1)] [vec![0.3, 0.9], None];
        number block_left_with_a_value(by x: f64, by t: f64): [0.8, 0.3] [0.8, -0.3] [0.1, 0.7];
        number returning_from_an_operand(by x: f64, by t: f64): [0.8, 0.3] [0.8, 0.9];
        number leaving_from_an_operand(at x: Vec<f64>, by t: f64): [vec![0.3, -0.4, 0.9, 0.2], 0.7] [vec![0.3, -0.4, 0.2], 0.7];
        number macros(at x: Vec<f64>): [vec![0.3]];
        number a_few_iterations_downwards(at x: Vec<f64>, by t: f64): [vec![0.3, 0.9, -1.4, 0.8], 0.7] [vec![], 0.7] [vec![0.3, 0.9, 1.4, 0.8, 1.1, 1.2], 0.7] [vec![], 1.3];
        number a_few_iterations_with_an_index(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.8, 0.2]] [vec![]] [vec![0.3; 300]];
        number a_few_iterations_in_each_other(at x: Vec<f64>): [vec![0.3, 0.9, -1.4, 1.8]] [vec![]] [vec![1.2]];
        number a_few_iterations_in_a_function(at x: Vec<f64>): [vec![0.3, 0.9, 2.5]] [vec![]] [vec![1.3]];
    }
}
