//! Stretches of lists whose ends stand in other lists: rows in compressed form, neighbours, segments.

use diffi::prelude::*;

#[derive(Clone, Debug)]
struct Rows {
    ends: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}
impl crate::numbers::Numbers for Rows {
    fn each(&mut self, _: &mut dyn FnMut(&mut f64)) {}
}
fn rows() -> Rows {
    Rows { ends: vec![0, 2, 2, 3, 5], columns: vec![0, 2, 1, 0, 1], values: vec![1.0, -0.5, 2.0, 0.25, 1.5] }
}

#[differentiable(constant(m))]
fn by_a_named_range(x: &[f64], m: &Rows) -> f64 {
    let mut sum = 0.0;
    for r in 0..m.ends.len() - 1 {
        let row = m.ends[r]..m.ends[r + 1];
        let mut z = 0.1;
        for (&j, v) in m.columns[row.clone()].iter().zip(&m.values[row]) {
            z += x[j] * v;
        }
        sum += z.sin();
    }
    sum
}

#[differentiable(constant(m))]
fn by_inclusive_ends(x: &[f64], m: &Rows) -> f64 {
    let mut sum = 0.0;
    for r in 0..m.ends.len() - 1 {
        let inside = m.ends[r]..=m.ends[r + 1] - 1;
        if inside.is_empty() {
            continue;
        }
        for k in inside {
            sum += (x[m.columns[k]] * m.values[k]).exp();
        }
    }
    sum
}

#[differentiable(constant(ends))]
fn segments(x: &[f64], ends: &[(usize, usize)]) -> f64 {
    let mut product = 1.0;
    for k in 0..ends.len() {
        let within = ends[k].0..ends[k].1;
        product *= x[within.clone()].iter().sum::<f64>() + within.len() as f64;
    }
    product
}

#[differentiable(constant(ends))]
fn to_an_end(x: &[f64], ends: &[usize]) -> f64 {
    let head = ..ends[0];
    let tail = ends[1]..;
    let both = x[head].iter().chain(&x[tail]).map(|v| v * v).sum::<f64>();
    both * x[ends[0]]
}

#[differentiable(constant(m))]
fn a_range_in_a_tuple(x: &[f64], m: &Rows) -> f64 {
    let (row, scale) = (m.ends[0]..m.ends[1], m.values[0]);
    let (first, last) = (row.start, row.end);
    x[first] * x[last] * scale + x[row].iter().product::<f64>()
}

#[differentiable(constant(m))]
fn a_range_that_is_chosen(x: &[f64], m: &Rows) -> f64 {
    let row = if m.ends.len() > 2 { m.ends[0]..m.ends[1] } else { 0..m.ends[0] };
    let others = m.ends[3]..m.ends[4];
    m.columns[row.clone()].iter().map(|&j| x[j]).sum::<f64>()
        * m.columns[others].iter().map(|&j| x[j].cos()).sum::<f64>()
}

#[differentiable(constant(m))]
fn ranges_in_a_list(x: &[f64], m: &Rows) -> f64 {
    let ranges = [m.ends[0]..m.ends[1], m.ends[2]..m.ends[3], m.ends[3]..m.ends[4]];
    let mut sum = 0.0;
    for range in &ranges {
        sum +=
            m.values[range.clone()].iter().zip(&m.columns[range.clone()]).map(|(v, &j)| v * x[j] * x[j]).sum::<f64>();
    }
    sum
}

#[differentiable(constant(m))]
fn reversed_and_stepped(x: &[f64], m: &Rows) -> f64 {
    let all = m.ends[0]..m.ends[4];
    let mut y = x[0];
    for k in all.clone().rev() {
        y = (y * m.values[k]).sin() + x[m.columns[k]];
    }
    for k in all.step_by(2) {
        y *= 1.0 + 0.1 * x[m.columns[k]];
    }
    y
}

/// A range for a parameter, by value and by reference.
#[differentiable(constant(within))]
fn by_a_parameter(x: &[f64], within: std::ops::Range<usize>) -> f64 {
    let mut product = 1.0;
    for v in &x[within.clone()] {
        product *= v;
    }
    product * x[within.end] * within.len() as f64
}
#[differentiable(constant(within))]
fn by_a_lent_parameter(x: &mut [f64], within: &std::ops::Range<usize>) {
    let mean = x[within.clone()].iter().sum::<f64>() / within.len() as f64;
    for v in &mut x[within.clone()] {
        *v -= mean * mean;
    }
}

#[differentiable]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}
/// Handed on, written to, nested, asked for elements.
#[differentiable]
fn written_and_handed_on(x: &[f64]) -> f64 {
    let n = x.len();
    let mut y = x.to_vec();
    let (first, second) = (0..n / 2, n / 2..n);
    let half = ..n / 2;
    let other = n / 2..;
    let scale = norm(&x[half]);
    for v in &mut y[other.clone()] {
        *v *= scale;
    }
    for k in 0..2 {
        let pair = k..k + 2;
        y[k] += norm(&y[pair.clone()]) * x.get(pair).map_or(0.0, |p| p[0] * p[1]);
    }
    let rest = &y[other];
    rest[0] * rest.iter().sum::<f64>() + y[first.start] * y[second.start]
}

/// The same name for two ranges, and for a number.
#[differentiable]
fn one_name_for_two(x: &[f64]) -> f64 {
    let at = 0..2;
    let low = x[at].iter().sum::<f64>();
    let at = 1..=2;
    let high = x[at.clone()].iter().map(|v| v.sin()).sum::<f64>();
    let at = at.count();
    low * high * x[at]
}

mod check {
    use super::*;
    use crate::check::rows;

    rows! {
        number by_a_named_range(at x: Vec<f64>, fixed_at m: Rows): [vec![0.4, -0.7, 1.1], rows()];
        number by_inclusive_ends(at x: Vec<f64>, fixed_at m: Rows): [vec![0.4, -0.7, 1.1], rows()];
        number segments(at x: Vec<f64>, fixed_at ends: Vec<(usize, usize)>): [vec![0.4, -0.7, 1.1, 2.0], vec![(0, 2), (1, 4)]];
        number to_an_end(at x: Vec<f64>, fixed_at ends: Vec<usize>): [vec![0.4, -0.7, 1.1, 2.0], vec![1, 3]];
        number a_range_in_a_tuple(at x: Vec<f64>, fixed_at m: Rows): [vec![0.4, -0.7, 1.1], rows()];
        number a_range_that_is_chosen(at x: Vec<f64>, fixed_at m: Rows): [vec![0.4, -0.7, 1.1], rows()];
        number ranges_in_a_list(at x: Vec<f64>, fixed_at m: Rows): [vec![0.4, -0.7, 1.1], rows()];
        number by_a_parameter(at x: Vec<f64>, fixed within: std::ops::Range<usize>): [vec![0.4, -0.7, 1.1, 2.0], 1..3] [vec![0.4, -0.7, 1.1, 2.0], 0..2];
        writes by_a_lent_parameter(inout x: Vec<f64>, fixed_at within: std::ops::Range<usize>): [vec![0.4, -0.7, 1.1, 2.0], 1..3];
        number written_and_handed_on(at x: Vec<f64>): [vec![0.4, -0.7, 1.1, 2.0]];
        number one_name_for_two(at x: Vec<f64>): [vec![0.4, -0.7, 1.1, 2.0]];
        number reversed_and_stepped(at x: Vec<f64>, fixed_at m: Rows): [vec![0.4, -0.7, 1.1], rows()];
    }
}
