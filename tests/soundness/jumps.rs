//! Branches that jump, and go on with what comes after them only where they did not: `if c { if d { return a; } .. } else { return b; } rest`.

use crate::check::sound;
use diffi::prelude::*;

#[differentiable]
fn a_return_in_one_of_two_arms(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let mut a = 0.5;
    let k = 3;
    match k {
        3 => {
            if x > 1.0 {
                return 0.0;
            }
            a += 0.3
        }
        _ => {}
    }
    a * x
}

#[differentiable]
fn a_return_in_the_only_arm(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let mut a = 0.5;
    let k = 3;
    match k {
        _n => {
            if x > 1.0 {
                return 0.0;
            }
            a += 0.3
        }
    }
    a * x
}

#[differentiable]
fn a_return_before_an_active_change(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let mut a = 0.5;
    let k = 3;
    match k {
        _n => {
            if x > 1.0 {
                return 0.0;
            }
            a += 0.3 * x
        }
    }
    a * x
}

#[differentiable]
fn a_return_of_the_variable(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let mut a = 0.5;
    let k = 3;
    match k {
        n => {
            if x > 1.0 {
                return x;
            }
        }
    }
    a * x
}

#[differentiable]
fn a_value_of_the_only_arm(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let mut a = 0.5;
    let k = 3;
    let b = match k {
        n => {
            if x > 1.0 {
                return x;
            }
            n as f64
        }
    };
    a * x * b
}

#[differentiable]
fn a_continue_in_the_only_arm(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let mut s = 0.0;
    for i in 0..4 {
        match i {
            j => {
                if x > j as f64 {
                    continue;
                }
                s += x;
            }
        }
        s += 1.0 * x;
    }
    s
}

#[differentiable]
fn arms_that_leave_a_loop(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let mut s = 0.0;
    for i in 0..4 {
        match i {
            0 | 1 => {
                if x > 1.0 {
                    break;
                }
            }
            j => {
                if x > j as f64 {
                    return s;
                }
                s += x;
            }
        }
        s += 1.0 * x;
    }
    s
}

#[differentiable]
fn a_tuple_of_constants(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let (p, q) = (2, 0.3);
    match (p, q) {
        (n, w) => {
            if x > w * n as f64 {
                return x * w;
            }
        }
    }
    x * x
}

#[differentiable]
fn a_return_where_the_other_branch_returns(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let mut a = 0.5;
    if x > 0.5 {
        if x > 1.0 {
            return x * x;
        }
        a += x;
    } else {
        return 3.0 * x;
    }
    a * x
}

#[differentiable]
fn a_value_where_the_other_branch_returns(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let a = if x > 0.5 {
        if x > 1.0 {
            return x * x;
        }
        2.0 * x
    } else {
        return 3.0 * x;
    };
    a * x
}

#[differentiable]
fn a_continue_where_the_other_branch_breaks(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let mut s = 0.0;
    for k in 0..4 {
        if x > 0.2 * k as f64 {
            if x > 1.0 + k as f64 {
                continue;
            }
            s += x;
        } else {
            break;
        }
        s += x * x;
    }
    s
}

#[differentiable]
fn a_value_where_the_other_branch_breaks(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let mut s = 0.0;
    for k in 0..4 {
        let b = if x > 0.2 * k as f64 {
            if x > 1.0 + k as f64 {
                continue;
            }
            x
        } else {
            break;
        };
        s += b * x;
    }
    s
}

#[differentiable]
fn an_option_or_a_return(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let o = if x > 1.0 { Some(x) } else { None };
    let b = match o {
        Some(v) => {
            if v > 2.0 {
                return v * v * v;
            }
            v
        }
        None => return x,
    };
    b * x
}

#[differentiable]
fn a_loop_that_returns(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let o = if x > 1.0 { Some(x) } else { None };
    let mut t = x;
    match o {
        Some(v) => {
            while t < 10.0 {
                t *= 1.0 + v;
                if t > 8.0 {
                    return t * v;
                }
            }
            t += v;
        }
        None => return x,
    }
    t * x
}

#[differentiable]
fn a_labelled_break(v: &[f64]) -> f64 {
    let x = v[0] * 2.0 - v[2] * v[1] * 0.1;
    let mut t = x;
    'out: loop {
        if t < 3.0 {
            t += x;
            if t > 2.5 {
                break 'out;
            }
            t *= 1.5;
        } else {
            return t * x;
        }
        t += 0.5;
    }
    t * t
}

#[differentiable]
fn a_question_mark(v: &[f64]) -> f64 {
    inner(v).unwrap_or(v[1])
}

#[differentiable]
fn inner(v: &[f64]) -> Option<f64> {
    let b = match Some(v[0]).filter(|a| *a > 0.5) {
        Some(a) => {
            let w = Some(a * 2.0).filter(|w| *w > 1.0)?;
            w * a
        }
        None => return Some(v[0] * v[1]),
    };
    Some(b * v[2])
}

/// All ways through, by what is added to the point.
macro_rules! at_all {
    ($($shift:literal)*) => { [$($shift),*] };
}

#[differentiable]
fn all_ways(v: &[f64]) -> f64 {
    at_all!(-1.5 -0.9 -0.4 0.1 0.6 1.1 1.9).iter().map(|s| one_way(v[0] + s, v[1]) * v[2]).sum()
}

#[differentiable]
fn one_way(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x * 0.8, y + 0.3);
    for i in 0..3 {
        if x > 0.2 {
            if a > 1.0 {
                b += x;
                continue;
            }
            a += match i {
                0 if b > 2.0 => return a * b,
                0 => x,
                _ => {
                    if b > 1.8 {
                        break;
                    }
                    b * y
                }
            };
        } else if x < -0.5 {
            return a - b * y;
        } else {
            a *= 0.5;
        }
        let Some(c) = (if a > 0.4 { Some(a * y) } else { None }) else {
            b = a;
            continue;
        };
        b += c;
    }
    a * x + b * y
}

sound!(a_return_in_one_of_two_arms a_return_in_the_only_arm a_return_before_an_active_change a_return_of_the_variable a_value_of_the_only_arm a_continue_in_the_only_arm arms_that_leave_a_loop a_tuple_of_constants a_return_where_the_other_branch_returns a_value_where_the_other_branch_returns a_continue_where_the_other_branch_breaks a_value_where_the_other_branch_breaks an_option_or_a_return a_loop_that_returns a_labelled_break a_question_mark all_ways);
