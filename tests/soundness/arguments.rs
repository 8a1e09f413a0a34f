//! Arguments without derivatives whose values come from what changes later, active data or its length: the reverse sweep takes the value
//! of then.

use crate::check::sound;
use diffi::prelude::*;

#[differentiable]
fn scaled(a: f64, k: f64) -> f64 {
    5.0 + a * k + a
}

#[differentiable]
fn counted(a: f64, n: usize) -> f64 {
    5.0 + a * n as f64 + a
}

#[differentiable(constant(weight))]
fn weighted(a: f64, weight: f64) -> f64 {
    2.0 + a * weight
}

fn large(y: &[f64]) -> usize {
    y.iter().filter(|v| **v > 2.0).count()
}

#[derive(Clone, Differentiable)]
struct Spring {
    k: f64,
}

#[differentiable]
impl Spring {
    fn energy(&self, a: f64, k: f64) -> f64 {
        3.0 + self.k * a * k
    }
    fn loaded(&mut self, a: f64, n: usize) {
        self.k = 2.0 + a * n as f64 * self.k;
    }
}

#[differentiable]
fn of_a_function(x: &[f64]) -> f64 {
    let mut y = [x[0], x[1] * 0.9];
    y[1] = scaled(y[0].tanh(), y.iter().map(|v| if *v > 1.0 { 1.0 } else { 0.5 }).sum::<f64>());
    y[1] * x[2]
}

#[differentiable]
fn of_a_method(x: &[f64]) -> f64 {
    let spring = Spring { k: x[2] };
    let mut y = vec![x[0], x[1], 0.2 * x[0]];
    y[0] = spring.energy(y[1], y.iter().map(|v| if *v > 1.0 { 1.0 } else { 0.5 }).sum::<f64>());
    y[0] * y[1]
}

#[differentiable]
fn of_a_method_that_changes(x: &[f64]) -> f64 {
    let mut spring = Spring { k: x[2] };
    let mut y = vec![x[0], x[1], 0.2 * x[0]];
    let n: usize = large(&y);
    spring.loaded(y[0], n + 1);
    y[1] = spring.k * 5.0;
    let n: usize = large(&y);
    spring.loaded(y[1], n + 1);
    spring.k * y[1]
}

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut y = vec![x[0], x[1]];
    for k in 0..3 {
        let other = y[(k + 1) % 2].sin();
        y[k % 2] = 2.0 + scaled(other, y.iter().map(|v| if *v > 2.0 { 1.0 } else { 0.5 }).sum::<f64>());
    }
    y[0] * y[1] * x[2]
}

#[differentiable]
fn an_integer(x: &[f64]) -> f64 {
    let mut y = [x[0], x[1] * 2.0];
    y[1] = counted(y[0].tanh(), y.iter().filter(|v| **v > 2.0).count());
    y[0] = counted(y[1], large(&y));
    y[0] * y[1] + x[2]
}

#[differentiable]
fn a_condition(x: &[f64]) -> f64 {
    let mut y = x[0];
    y = scaled(y * x[1], if y > 2.0 { 1.0 } else { 0.3 }) + counted(x[2], (y > 1.0) as usize);
    y = scaled(scaled(y, if y > 2.0 { 1.0 } else { 0.3 }), (y > 2.0) as u8 as f64);
    y
}

#[differentiable]
fn a_constant_parameter(x: &[f64]) -> f64 {
    let mut y = vec![x[0], x[1], x[2]];
    y[1] = weighted(y[0], y[1].floor() + y[2].ceil());
    y[2] = weighted(y[1] * y[2], y.iter().map(|v| v.round()).sum::<f64>());
    y[1] * y[2]
}

#[differentiable]
fn a_field(x: &[f64]) -> f64 {
    let mut spring = Spring { k: x[0] * 3.0 };
    spring.k = counted(x[1], (spring.k > 2.0) as usize) * scaled(x[2], spring.k.signum() * spring.k.floor());
    spring.k
}

#[differentiable]
fn an_index(x: &[f64]) -> f64 {
    let mut y = [x[0], x[1] * 3.0, 1.0, x[2]];
    let z = [x[0] * x[1], 2.0 * x[2], x[0]];
    y[0] = 5.0 + z[y[1] as usize % 3] * x[1];
    y[(y[0] as usize) % 3] *= x[2];
    y[1] = 2.0 + y[0] * z[(y[1] as usize + y[0] as usize) % 3];
    y[0] * y[1] * y[2] + y[3]
}

/// Not inlined, as it returns early.
#[differentiable]
fn called(a: f64, k: f64) -> f64 {
    if a > 1e9 {
        return a;
    }
    5.0 + a * k + a
}

#[differentiable]
fn stretched(a: &[f64], n: usize) -> Vec<f64> {
    a.iter().map(|v| v * n as f64 + 1.0).collect()
}

#[differentiable]
fn scaled_in_place(a: &mut [f64], n: usize) {
    for v in a.iter_mut() {
        *v = *v * n as f64 + 1.0;
    }
}

#[differentiable]
fn length_of_what_grows(x: &[f64]) -> f64 {
    let mut v = vec![x[0]];
    for k in 0..3 {
        let t = called(v[k] * x[1], v.len() as f64);
        v.push(t);
    }
    v.iter().map(|a| a * x[2]).sum()
}

#[differentiable]
fn length_of_what_shrinks(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[1], 2.0 * x[2], 0.5 * x[0]];
    let mut s = x[1];
    while v.len() > 1 {
        s = called(s * v[v.len() - 1], v.len() as f64);
        v.pop();
        v[0] += 0.1 * called(s, v.len() as f64);
    }
    s * v[0]
}

#[differentiable]
fn lengths_of_rows(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = vec![vec![x[0]]];
    for _ in 0..3 {
        let t = called(rows[0][0] * x[1], rows.len() as f64);
        let last = rows.len() - 1;
        let u = called(t, rows[last].len() as f64);
        rows[last].push(u * 0.1);
        rows.push(vec![t * x[2]; rows.len()]);
    }
    rows.iter().map(|r| r.iter().sum::<f64>()).sum()
}

#[differentiable]
fn lengths_of_lists_of_calls(x: &[f64]) -> f64 {
    let mut v = vec![x[0], 2.0 * x[1]];
    for _ in 0..3 {
        let w = vec![x[2] * v.len() as f64; v.len()];
        v.extend(stretched(&w, v.len()));
        scaled_in_place(&mut v, w.len());
        v.truncate(w.len() + 1);
    }
    v.iter().sum()
}

#[differentiable]
fn length_of_a_queue(x: &[f64]) -> f64 {
    let mut queue = std::collections::VecDeque::new();
    queue.push_back(x[0]);
    let mut s = x[1];
    for k in 0..5 {
        let t = called(s * x[2], queue.len() as f64);
        queue.push_back(0.1 * t);
        if k % 2 == 1 {
            s += queue.pop_front().unwrap_or(0.0) * called(x[0], queue.len() as f64);
        }
    }
    s + queue.iter().sum::<f64>()
}

#[differentiable]
fn length_at_a_checkpoint(x: &[f64]) -> f64 {
    let mut v = vec![x[0]];
    let mut s = 0.0;
    #[checkpoint]
    for k in 0..4 {
        let t = called(x[1], v.len() as f64 + k as f64);
        s += t * v[v.len() - 1];
        v.push(t * 0.1 * x[2]);
    }
    s
}

#[differentiable]
fn length_in_a_field(x: &[f64]) -> f64 {
    let mut tank = Tank { level: x[0], history: vec![x[1]] };
    for _ in 0..3 {
        let t = called(tank.level, tank.history.len() as f64);
        tank.history.push(t * x[2]);
        let high = tank.history.iter().filter(|a| **a > 3.0).count();
        tank.level = 0.1 * called(t, high as f64);
    }
    tank.level * tank.history.iter().sum::<f64>()
}

#[derive(Clone, Differentiable)]
struct Tank {
    level: f64,
    history: Vec<f64>,
}

#[differentiable]
fn whether_there_is_one(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[1]];
    let mut found = Some(x[2]);
    for _ in 0..3 {
        let t = called(x[0], found.is_some() as u8 as f64);
        found = if t > 6.0 { None } else { Some(t) };
        v[0] = called(t, found.map_or(0.0, |_| 1.0)) * called(v[1], (v[0] > 4.0) as u8 as f64);
        v[1] += 0.1 * v[0] * found.unwrap_or(0.5);
    }
    v[0] + v[1]
}

#[differentiable]
fn constant_state(x: &[f64]) -> f64 {
    let (mut list, mut text, mut pair) = (vec![0usize, 1], String::new(), (1usize, true));
    let mut t = x[0];
    for k in 0..3 {
        t = called(t * x[1], list.iter().sum::<usize>() as f64) + called(x[2], text.len() as f64);
        t += called(x[0], pair.0 as f64 + pair.1 as u8 as f64);
        list.push(k + list.len());
        list[0] += 1;
        text.push_str("ab");
        pair = (pair.0 + k, !pair.1);
    }
    t
}

sound!(of_a_function of_a_method of_a_method_that_changes in_a_loop an_integer a_condition a_constant_parameter a_field an_index
    length_of_what_grows length_of_what_shrinks lengths_of_rows lengths_of_lists_of_calls length_of_a_queue length_at_a_checkpoint
    length_in_a_field whether_there_is_one constant_state);
