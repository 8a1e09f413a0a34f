//! `return`, `break`, `continue` and `?` within larger expressions: what stands before them is evaluated before, what stands
//! behind them is not evaluated if the jump is taken.

use diffi::prelude::*;

#[differentiable]
fn grown(s: &mut Vec<f64>, by: f64) -> f64 {
    s[0] = s[0] * by + 0.25;
    s[0] * s[1]
}

#[differentiable]
fn bent(s: &mut Vec<f64>) -> f64 {
    s[1] = s[1].sin() + s[0] * s[0];
    s[1]
}

#[differentiable]
fn of_three(a: f64, b: f64, c: f64) -> f64 {
    a * b + (b * c).sin()
}

/// Nothing but a question wants what the call gives.
#[differentiable]
fn asked_of_a_call(x: &[f64], t: f64) -> f64 {
    let mut y = x.to_vec();
    let larger = grown(&mut y, t) > 0.25;
    if larger { y[0] * t } else { y[1] * y[0] }
}

#[differentiable]
fn left_between_calls(x: &[f64], t: f64) -> (f64, Vec<f64>) {
    let mut s = x.to_vec();
    for k in 0..3 {
        let z = 1.0
            + grown(&mut s, {
                if x[0] * k as f64 > 1.0 {
                    break;
                }
                t * k as f64
            }) * bent(&mut s);
        s[0] += z * 0.125;
    }
    (s[1] * t, s)
}

/// Both what stands before the jump and what stands behind it change the same list.
#[differentiable]
fn returned_between_calls(y: &mut Vec<f64>, t: f64) -> f64 {
    let a = bent(y) - {
        if y[1] > 1.0 {
            return y[1] * t;
        }
        y[0] * t
    } * grown(y, t);
    a * y[0]
}

#[differentiable]
fn condition_with_a_jump(y: &mut [f64], t: f64) -> f64 {
    if y[0] * t
        > (match y[1] > 0.5 {
            true => return y[0] * y[1],
            false => 0.125,
        })
    {
        y[1] *= y[0] * t;
    } else {
        y[0] = t * t;
    }
    y[0] * y[1]
}

#[differentiable]
fn scrutinee_with_a_jump(x: &[f64], y: &mut [f64]) {
    for v in x {
        match (v * 4.0) as i32 + {
            if *v < 0.0 {
                continue;
            }
            1
        } {
            0 | 1 => y[0] *= v * v,
            2 => y[1] += y[0] * v,
            _ => y[0] -= v.sin(),
        }
    }
}

#[differentiable]
fn indices_with_jumps(x: &[f64], at: &[usize], y: &mut [f64]) {
    for k in at {
        y[{
            if *k >= y.len() {
                break;
            }
            *k
        }] = x[if *k >= x.len() { continue } else { *k }] * y[0];
    }
}

/// The right-hand side comes first.
#[differentiable]
fn changed_in_the_index(x: &[f64], y: &mut [f64]) {
    let mut k = 0;
    while k < x.len() {
        y[{
            k += 1;
            if k > y.len() {
                break;
            }
            k - 1
        }] += x[k] * y[0];
    }
}

#[differentiable]
fn added_unless_left(x: &[f64], y: &mut [f64]) {
    let mut i = 0;
    for v in x {
        y[i] += {
            i = (i + 1) % y.len();
            if *v < 0.0 {
                continue;
            }
            v * y[i]
        };
        y[i] *= of_three(*v, if *v > 2.0 { break } else { y[0] }, y[i]);
    }
}

/// An operand that changes behind it is the one before.
#[differentiable]
fn operand_before_its_change(x: &[f64], t: f64) -> f64 {
    let mut s = t;
    for v in x {
        s = s * {
            s += v * t;
            if s > 2.0 {
                break;
            }
            s
        } + s;
    }
    s * t
}

#[differentiable]
fn receivers(x: &[f64], t: f64) -> f64 {
    let mut s = 0.5;
    for v in x {
        s += (v * {
            if *v < 0.0 {
                continue;
            }
            t
        })
        .max(s)
        .powf(if *v > 2.0 { return s * t } else { s })
        .sin();
    }
    s
}

/// Without the jump the element would not be there.
#[differentiable]
fn missing_if_left(x: &[f64], t: f64) -> f64 {
    t * x[{
        if x.len() < 2 {
            return t * t;
        }
        x.len() - 2
    }] / (10 / {
        if x.len() < 3 {
            return t * x[0];
        }
        x.len() - 2
    }) as f64
}

#[derive(Differentiable, Clone)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable]
fn fields(x: &[f64], s: &mut Vec<f64>) -> f64 {
    let pair = Pair { b: grown(s, x[0]), a: if x[0] > 1.0 { return s[0] * x[1] } else { s[0] * x[1] } * bent(s) };
    pair.a * pair.b
}

#[differentiable]
fn arrays(x: &[f64], s: &mut Vec<f64>) -> f64 {
    let all = [
        bent(s),
        match x.get(2) {
            Some(v) => v * s[1],
            None => return s[0] * x[0],
        },
        grown(s, x[1]),
    ];
    let list = vec![all[0] * x[0], all[if x[0] > 1.0 { return all[1] } else { 2 }], bent(s)];
    let (a, b) = (list[0] * list[1], if x[1] > 1.0 { return list[2] * s[0] } else { list[2] });
    a * b + [grown(s, if x[1] < 0.0 { return s[1] } else { a }); 2][1]
}

#[differentiable]
fn either(x: &[f64], t: f64) -> f64 {
    let mut y = x.to_vec();
    let larger = y[0] > t
        && grown(
            &mut y,
            match x[1] > 0.5 {
                true => return y[0],
                false => t,
            },
        ) > 0.25
        || bent(&mut y) > { if t > 2.0 { return y[1] * t } else { 0.5 } };
    if larger { y[0] * t } else { y[1] * y[0] }
}

#[differentiable]
fn both_sides_of_a_condition(x: &[f64], t: f64) -> f64 {
    let mut s = vec![t, x[1]];
    let k = usize::from(
        (if x[0] > 1.0 { return s[0] * x[1] } else { grown(&mut s, x[0]) > 0.25 })
            && (if x[1] > 1.0 { return s[0] * x[0] } else { bent(&mut s) > 0.5 }),
    );
    x[k] * s[0]
}

#[differentiable]
fn short_fields(x: &[f64], mut a: f64) -> f64 {
    let pair = Pair {
        a,
        b: {
            if x[0] > 1.0 {
                return a * a;
            }
            a *= x[1];
            a
        },
    };
    pair.a * pair.b * a
}

#[differentiable]
fn repeated_condition(x: &[f64], t: f64) -> f64 {
    let mut y = vec![t, x[0]];
    let mut k = 0;
    'all: while grown(&mut y, if k < x.len() { x[k] } else { break 'all }) < 1.5 + bent(&mut y) {
        k += 1;
        if k == 2 {
            continue;
        }
        y[0] *= 0.5;
    }
    y[0] * y[1]
}

#[differentiable]
fn arms(x: &[f64], s: &mut Vec<f64>) -> f64 {
    let mut total = 0.5;
    for (k, v) in x.iter().enumerate() {
        match k % 3 {
            0 => total += of_three(grown(s, *v), if *v < 0.0 { continue } else { *v }, bent(s)),
            1 => s[0] = bent(s) * if *v > 2.0 { return total } else { total },
            _ => {
                total *= grown(s, {
                    if *v > 1.5 {
                        break;
                    }
                    *v
                }) + s[1]
            }
        }
        total += if *v > 0.9 { bent(s) * (if k > 2 { break } else { *v }) } else { total * grown(s, *v) };
    }
    total * s[0]
}

#[differentiable]
fn first_of(x: &[f64]) -> Option<f64> {
    let first = x.first()?;
    Some(first * first)
}

#[differentiable]
fn questions(x: &[f64], s: &mut Vec<f64>) -> Option<f64> {
    let a = of_three(grown(s, *x.first()?), *x.get(1)?, bent(s)) * first_of(&x[1..])?;
    s[0] *= a;
    Some(a * of_three(first_of(x)?, bent(s), *x.get(2)?))
}

#[differentiable]
fn unwrapped_questions(x: &[f64], s: &mut Vec<f64>) -> f64 {
    let r = questions(x, s);
    r.unwrap_or(0.75) * s[0]
}

#[differentiable]
fn in_closures(x: &[f64], t: f64) -> f64 {
    let f = |v: f64| {
        of_three(
            v,
            {
                if v < 0.0 {
                    return t;
                }
                v * t
            },
            t,
        ) * v
    };
    x.iter().map(|v| f(*v)).sum::<f64>() * t
}

/// Both the branch and what its operand jumps over leave the function.
#[differentiable]
fn returned_either_way(x: &[f64], n: usize) -> (f64, f64) {
    let a = if n > 0 {
        x[0]
    } else {
        {
            let r = x[1];
            if r > 0.75 {
                return (r * x[0], {
                    if x[0] > 1.0 {
                        return (x[0], x[1] * x[0]);
                    }
                    x[1] * r
                });
            }
        }
        x[1].sin()
    };
    (a + a, a * x[0])
}

#[differentiable]
fn bounds_with_jumps(x: &[f64], y: &mut [f64]) {
    for t in x {
        for k in 0..(if *t < 0.0 { continue } else { y.len() }) {
            y[k] *= t * y[0];
        }
        for v in y[if *t > 1.0 { break } else { 1 }..].iter_mut() {
            *v += t * t;
        }
        y[1..].fill(t * if *t < 0.4 { t * 0.5 } else { break });
    }
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number asked_of_a_call(at x: Vec<f64>, by t: f64): [vec![0.3, 0.9], 0.7] [vec![0.3, 0.2], 0.7];
        list left_between_calls(at x: Vec<f64>, by t: f64): [vec![0.3, 0.9], 0.7] [vec![0.6, 0.9], 0.7] [vec![1.6, 0.9], 0.7];
        writes returned_between_calls(inout y: Vec<f64>, by t: f64): [vec![0.3, 0.9], 0.7] [vec![0.9, 0.9], 0.7];
        writes condition_with_a_jump(inout y: Vec<f64>, by t: f64): [vec![0.3, 0.4], 0.7] [vec![0.1, 0.4], 0.7] [vec![0.9, 0.9], 0.7];
        writes scrutinee_with_a_jump(at x: Vec<f64>, inout y: Vec<f64>): [vec![0.3, -0.4, 0.1, 0.9], vec![0.7, 0.8]];
        writes indices_with_jumps(at x: Vec<f64>, fixed_at at: Vec<usize>, inout y: Vec<f64>):
            [vec![0.3, 0.9], vec![1, 0, 2, 1, 3, 0], vec![0.7, 0.4, 0.6]] [vec![0.3, 0.9], vec![1, 0], vec![0.7, 0.4]]
            [vec![0.3, 0.9], vec![1, 3, 0], vec![0.7, 0.4]];
        writes changed_in_the_index(at x: Vec<f64>, inout y: Vec<f64>): [vec![0.3, 0.9, 0.8, 0.7], vec![0.7, 0.4]];
        writes added_unless_left(at x: Vec<f64>, inout y: Vec<f64>):
            [vec![0.3, -0.9, 0.8, 0.7], vec![0.7, 0.4, 0.8]] [vec![0.3, 2.9, 0.8, 0.7], vec![0.7, 0.4, 0.8]];
        number operand_before_its_change(at x: Vec<f64>, by t: f64): [vec![0.3, -0.9, 0.8], 0.7] [vec![0.3, 4.9, 0.8], 0.7];
        number receivers(at x: Vec<f64>, by t: f64): [vec![0.3, -0.9, 1.8], 0.7] [vec![0.3, 4.9, 0.8], 0.7];
        number missing_if_left(at x: Vec<f64>, by t: f64): [vec![], 0.7] [vec![0.3, 0.4], 0.7] [vec![0.3, 0.4, 0.9], 0.7];
        writes fields(at x: Vec<f64>, inout s: Vec<f64>): [vec![0.3, 0.4], vec![0.7, 0.2]] [vec![1.3, 0.4], vec![0.7, 0.2]];
        writes arrays(at x: Vec<f64>, inout s: Vec<f64>):
            [vec![0.3, 0.4], vec![0.7, 0.2]] [vec![0.3, 0.4, 0.8], vec![0.7, 0.2]] [vec![1.3, 0.4, 0.8], vec![0.7, 0.2]]
            [vec![0.3, 1.4, 0.8], vec![0.7, 0.2]] [vec![0.3, -0.4, 0.8], vec![0.7, 0.2]];
        number either(at x: Vec<f64>, by t: f64):
            [vec![0.9, 0.4], 0.7] [vec![0.9, 0.7], 0.7] [vec![0.3, 0.4], 0.7] [vec![0.3, 0.9], 2.7] [vec![0.1, 0.1], 0.7];
        number both_sides_of_a_condition(at x: Vec<f64>, by t: f64):
            [vec![0.3, 0.4], 0.7] [vec![0.8, 0.4], 1.7] [vec![1.3, 0.4], 0.7] [vec![0.8, 1.4], 0.7];
        number short_fields(at x: Vec<f64>, by a: f64): [vec![0.3, 0.4], 0.7] [vec![1.3, 0.4], 0.7];
        number repeated_condition(at x: Vec<f64>, by t: f64): [vec![0.3, 0.4, 0.8], 0.7] [vec![4.3, 4.4, 3.8], 1.7];
        writes arms(at x: Vec<f64>, inout s: Vec<f64>):
            [vec![0.3, 0.4, 0.8, 0.95, 0.7], vec![0.7, 0.2]] [vec![-0.3, 0.4, 1.8, 0.7], vec![0.7, 0.2]] [vec![0.3, 2.4, 0.8], vec![0.7, 0.2]]
            [vec![0.3, 0.4, 1.2, 0.3, 0.2], vec![0.7, 0.2]];
        writes unwrapped_questions(at x: Vec<f64>, inout s: Vec<f64>):
            [vec![0.3, 0.4, 0.8], vec![0.7, 0.2]] [vec![0.3, 0.4], vec![0.7, 0.2]] [vec![0.3], vec![0.7, 0.2]] [vec![], vec![0.7, 0.2]];
        number in_closures(at x: Vec<f64>, by t: f64): [vec![0.3, -0.4, 0.8], 0.7];
        list returned_either_way(at x: Vec<f64>, fixed n: usize):
            [vec![0.3, 0.4], 0] [vec![0.3, 0.4], 1] [vec![0.3, 0.9], 0] [vec![1.3, 0.9], 0];
        writes bounds_with_jumps(at x: Vec<f64>, inout y: Vec<f64>): [vec![0.3, -0.4, 0.8], vec![0.7, 0.2, 0.9]] [vec![0.3, 1.4, 0.8], vec![0.7, 0.2, 0.9]];
    }
}
