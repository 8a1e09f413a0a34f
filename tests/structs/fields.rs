//! Fields of parameters: closed forms.

use diffi::prelude::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Spring {
    pub stiffness: f64,
    pub length: f64,
    pub name: String,
    pub turns: usize,
}

#[differentiable]
fn energy(s: &Spring, x: f64) -> f64 {
    let stretch = x - s.length;
    0.5 * s.stiffness * stretch * stretch
}

#[differentiable]
fn turned(s: &Spring, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    let n = s.turns;
    for i in 0..n {
        sum += x[i] * s.stiffness;
    }
    sum * (s.turns as f64) + n as f64 * s.length
}

fn spring() -> Spring {
    Spring { stiffness: 2.0, length: 0.5, name: "coil".into(), turns: 2 }
}

#[test]
fn gradient_of_a_struct() {
    let g = gradient(energy::D, AutoReverse, (&spring(), Constant(1.0))).unwrap();
    assert_eq!(g, SpringTangent { stiffness: 0.125, length: -1.0, name: (), turns: () });
    let (g, dx) = gradient(energy::D, AutoForward, (&spring(), 1.0)).unwrap();
    assert_eq!(g.to_flat(), [0.125, -1.0]);
    assert_eq!(dx, 1.0);
    let h = hessian(energy::D, AutoReverse, (&spring(), 1.0)).unwrap();
    assert_eq!(h.into_raw_vec_and_offset().0, [0.0, -0.5, 0.5, -0.5, 2.0, -2.0, 0.5, -2.0, 2.0]);
    let g = gradient(turned::D, AutoReverse, (&spring(), Constant(&[1.0, 3.0]))).unwrap();
    assert_eq!(g.to_flat(), [8.0, 2.0]);
}

/// All kinds of fields.
#[derive(Clone, Debug, Differentiable)]
struct Layer {
    weights: Vec<Vec<f64>>,
    bias: Vec<f64>,
    slope: [f64; 2],
    range: (f64, usize),
    #[differentiable(constant)]
    rate: f64,
    scale: Option<f64>,
    boxed: Box<f64>,
    kind: Kind,
    trained: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Plain,
    Squared,
}

#[derive(Clone, Debug, Differentiable)]
struct Net {
    layers: Vec<Layer>,
    gain: Gain,
    width: usize,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Gain(f64, f64);

#[derive(Clone, Copy, Debug, Differentiable)]
struct Nothing;

fn layer() -> Layer {
    Layer {
        weights: vec![vec![0.5, -0.2], vec![0.1, 0.9], vec![-0.4, 0.3]],
        bias: vec![0.1, 0.2, -0.3],
        slope: [1.5, 0.25],
        range: (0.7, 2),
        rate: 0.35,
        scale: Some(1.25),
        boxed: Box::new(0.8),
        kind: Kind::Squared,
        trained: true,
    }
}

fn net() -> Net {
    let mut second = layer();
    second.kind = Kind::Plain;
    second.bias[1] = 0.75;
    Net { layers: vec![layer(), second], gain: Gain(1.1, -0.3), width: 3 }
}

mod functions {
    use super::*;

    #[differentiable]
    pub fn dense(l: &Layer) -> f64 {
        let mut out = 0.0;
        for (row, b) in l.weights.iter().zip(&l.bias) {
            let mut sum = *b;
            for (j, w) in row.iter().enumerate() {
                sum += w * l.slope[j];
            }
            out += sum.tanh() * l.range.0;
        }
        let power = match l.kind {
            Kind::Plain => out,
            Kind::Squared => out * out,
        };
        let mut total = l.rate;
        total += power * l.rate - l.rate * l.slope[0];
        if l.trained { total * *l.boxed } else { total }
    }

    #[differentiable]
    pub fn optional(n: &Net) -> f64 {
        let mut sum = 0.0;
        for l in &n.layers {
            if let Some(s) = l.scale {
                sum += s * l.slope[0];
            }
            sum += match &l.scale {
                Some(s) => s * s,
                None => l.slope[1],
            };
            sum *= l.scale.unwrap_or(2.0) + l.scale.as_ref().map(|s| s * 2.0).unwrap_or(0.5);
        }
        sum
    }

    #[differentiable]
    pub fn deep(n: &Net) -> f64 {
        let mut total = n.gain.0;
        for l in &n.layers {
            for i in 0..n.width {
                let row = &l.weights[i];
                total += (row[0] * l.bias[i]).exp() * n.gain.1;
                total -= row[l.range.1 - 1].powi(2);
            }
        }
        let last = &n.layers[n.layers.len() - 1];
        total * last.slope[0] + n.layers.iter().map(|l| l.bias.iter().sum::<f64>() * l.slope[1]).sum::<f64>()
    }

    #[differentiable]
    pub fn by_pattern(g: &Gain) -> f64 {
        let Gain(a, b) = g;
        let Gain(c, _) = *g;
        a * b * b + c.sin()
    }

    #[differentiable]
    pub fn through_a_part(n: &Net) -> f64 {
        dense(&n.layers[0]) * dense(&n.layers[1]) + by_pattern(&n.gain)
    }

    #[differentiable]
    pub fn copied(n: &Net) -> f64 {
        let g = n.gain;
        let whole = n.clone();
        let first = n.layers[0].bias.clone();
        g.0 * whole.gain.1 + first[2] * whole.layers[1].bias[0]
    }

    #[differentiable]
    pub fn vectors(n: &Net) -> Vec<f64> {
        let mut out = vec![0.0; n.width];
        for i in 0..n.width {
            for l in n.layers.iter() {
                out[i] += l.bias[i] * n.gain.0;
            }
        }
        out
    }

    #[differentiable]
    pub fn part(n: &Net) -> Gain {
        n.gain
    }
}

mod tests {
    use super::*;
    use crate::check::{list, number};

    number!(dense: Layer, layer());
    number!(optional: Net, {
        let mut n = net();
        n.layers[1].scale = None;
        n
    });
    number!(deep: Net, net());
    number!(by_pattern: Gain, Gain(0.3, 1.7));
    number!(through_a_part: Net, net());
    number!(copied: Net, net());
    list!(vectors: Net, net());
    list!(part: Net, net());
}
