//! ADBench's recurrent network: a long short-term memory whose weight matrices are diagonal, and the loss of its
//! predictions of the next character.
//!
//! `main` holds per layer four weights and four biases (forget, in, out, change) of `width` numbers each; `extra` holds
//! input weights, output weights and output biases; `state` holds hidden and cell values of every layer.

use diffi::prelude::*;

#[differentiable(constant(state, sequence, width))]
pub fn loss(main: &[f64], extra: &[f64], state: &[f64], sequence: &[f64], width: usize) -> f64 {
    let layers = main.len() / (8 * width);
    let steps = sequence.len() / width - 1;
    let mut state = state.to_vec();
    let mut signal = vec![0.0; width];
    let mut total = 0.0;
    for t in 0..steps {
        let input = &sequence[t * width..(t + 1) * width];
        let expected = &sequence[(t + 1) * width..(t + 2) * width];
        for i in 0..width {
            signal[i] = input[i] * extra[i];
        }
        for layer in 0..layers {
            let parameters = &main[layer * 8 * width..(layer + 1) * 8 * width];
            cell(parameters, &mut state[layer * 2 * width..(layer + 1) * 2 * width], &mut signal);
        }
        for i in 0..width {
            signal[i] = signal[i] * extra[width + i] + extra[2 * width + i];
        }
        let normalizer = (2.0 + signal.iter().map(|s| s.exp()).sum::<f64>()).ln();
        for i in 0..width {
            total += expected[i] * (signal[i] - normalizer);
        }
    }
    -total / (steps * width) as f64
}

/// One layer in one step: updates its hidden and cell values and replaces the signal by the hidden values.
#[differentiable]
pub fn cell(parameters: &[f64], state: &mut [f64], signal: &mut [f64]) {
    let width = signal.len();
    let (weights, biases) = parameters.split_at(4 * width);
    let sigmoid = |z: f64| 1.0 / (1.0 + (-z).exp());
    for i in 0..width {
        let hidden = state[i];
        let forget = sigmoid(signal[i] * weights[i] + biases[i]);
        let ingate = sigmoid(hidden * weights[width + i] + biases[width + i]);
        let outgate = sigmoid(signal[i] * weights[2 * width + i] + biases[2 * width + i]);
        let change = (hidden * weights[3 * width + i] + biases[3 * width + i]).tanh();
        state[width + i] = state[width + i] * forget + ingate * change;
        state[i] = outgate * state[width + i].tanh();
        signal[i] = state[i];
    }
}
