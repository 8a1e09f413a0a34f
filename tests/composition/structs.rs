//! Methods of types that carry derivatives.

use diffi::prelude::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Layer {
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
}

#[differentiable]
impl Layer {
    fn outputs(&self) -> usize {
        self.b.len()
    }

    fn row(&self, i: usize, x: &[f64]) -> f64 {
        let mut sum = self.b[i];
        for j in 0..x.len() {
            sum += self.w[i][j] * x[j];
        }
        sum.tanh()
    }

    fn apply(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.outputs()];
        for i in 0..self.outputs() {
            y[i] = self.row(i, x);
        }
        y
    }

    fn decay(&mut self, rate: f64) {
        for i in 0..self.b.len() {
            self.b[i] *= 1.0 - rate * self.b[i];
        }
    }

    fn decayed(&self, rate: f64, x: &[f64]) -> f64 {
        let mut other = self.clone();
        other.decay(rate);
        other.row(0, x)
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Net {
    first: Layer,
    last: Layer,
    scale: f64,
}

#[differentiable]
impl Net {
    fn loss(&self, x: &[f64], target: f64) -> f64 {
        let h = self.first.apply(x);
        let y = self.last.apply(&h);
        let e = y[0] * self.scale - target;
        e * e
    }
}

fn net(x: &[f64]) -> Net {
    Net {
        first: Layer { w: vec![x[..2].to_vec(), x[2..4].to_vec()], b: x[4..6].to_vec() },
        last: Layer { w: vec![x[6..8].to_vec()], b: vec![x[8]] },
        scale: x[9],
    }
}

fn numbers() -> Vec<f64> {
    (0..12).map(|k| (k as f64 * 1.7).sin()).collect()
}

fn loss(x: &[f64]) -> f64 {
    net(x).loss(&x[10..], 0.3)
}

#[test]
fn fields_are_receivers() {
    let x = numbers();
    let expected = crate::check::differences(&x, &|x| vec![loss(x)]).concat();
    for gradient in [
        gradient(Net::loss_d, AutoReverse, (&net(&x), &x[10..], Constant(0.3))).unwrap(),
        gradient(Net::loss_d, AutoForward, (&net(&x), &x[10..], Constant(0.3))).unwrap(),
    ] {
        let (of_net, of_x) = gradient;
        crate::check::close("gradient", &[of_net.to_flat(), of_x].concat(), &expected, 1e-8);
    }
}

#[test]
fn receivers_are_changed() {
    let x = numbers();
    let f = |x: &[f64]| net(x).first.decayed(x[6], &x[7..9]);
    let expected = crate::check::differences(&x[..9], &|x| vec![f(&[x, &[0.1, 0.2, 0.3]].concat())]).concat();
    let (of_layer, of_rate, of_x) = gradient(Layer::decayed_d, AutoReverse, (&net(&x).first, x[6], &x[7..9])).unwrap();
    let got = [of_layer.to_flat(), vec![of_rate], of_x].concat();
    crate::check::close("gradient", &got, &expected, 1e-8);
}

#[derive(Clone, Default, Differentiable)]
struct Settings {
    gain: f64,
    offset: Option<f64>,
    taps: Vec<f64>,
}

/// The rest of a struct, of a default and of another one.
#[differentiable]
fn settings(x: &[f64]) -> f64 {
    let base = Settings { gain: x[0], ..Default::default() };
    let one = Settings { offset: Some(x[1]), taps: x[2..].to_vec(), ..base.clone() };
    let two = Settings { gain: one.gain * 2.0, ..one.clone() };
    let all = [base, one, two];
    all.iter().map(|c| c.gain * c.taps.iter().sum::<f64>() + c.offset.unwrap_or(c.gain * 0.1)).sum()
}

#[test]
fn structs_are_filled_up() {
    crate::check::number!(settings::D, [0.3, 0.8, 0.45, 0.9], |x| x, |y| settings(y));
}

#[derive(Clone, Debug, Differentiable)]
enum Load {
    None,
    Spring(f64, [f64; 2]),
    Weight(f64),
}

#[derive(Clone, Debug, Differentiable)]
struct Beam {
    length: f64,
    width: f64,
}

/// Fields that may return before the whole is made, in branches: neither type is `Default`.
#[differentiable]
fn load(x: &[f64]) -> Load {
    let load = if x[0] > 0.3125 {
        Load::Spring(x[1], [x[0], 0.5])
    } else {
        Load::Weight({
            if 1.0 - x[0] > 0.75 {
                return Load::None;
            }
            0.875
        })
    };
    load
}

#[differentiable]
fn loaded(x: &[f64]) -> f64 {
    let beam = if x[0] > 0.3125 {
        Beam {
            length: {
                if x[1] > 0.5 {
                    return x[1] * x[0];
                }
                x[0]
            },
            width: 1.0,
        }
    } else {
        Beam { length: 0.25, width: if x[1] < 0.5 { return 2.0 * x[0] } else { x[1] } }
    };
    let load = match load(x) {
        Load::None => x[0],
        Load::Spring(stiffness, ends) => stiffness * ends[0] + ends[1],
        Load::Weight(weight) => weight * x[1],
    };
    load * beam.length * beam.width
}

#[test]
fn fields_that_may_return() {
    for x in [[0.3, 0.8], [0.9, 0.8], [0.2, 0.8], [0.44, 0.3], [0.2, 0.3]] {
        crate::check::number!(loaded::D, x, |x| x, |y| loaded(y));
    }
}
