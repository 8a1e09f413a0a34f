//! ADBench's recurrent network, and its gradient by hand.

#[path = "../gradbench/src/objectives/lstm.rs"]
mod objective;

pub use objective::loss;

/// Parameters, first state and a text of random bits.
pub struct Network {
    pub width: usize,
    pub main: Vec<f64>,
    pub extra: Vec<f64>,
    pub state: Vec<f64>,
    pub sequence: Vec<f64>,
}

impl Network {
    pub fn new(layers: usize, characters: usize, width: usize) -> Network {
        let mut random = super::random(5);
        let mut uniform = |count: usize| -> Vec<f64> { (0..count).map(|_| random()).collect() };
        Network {
            width,
            main: uniform(8 * layers * width),
            extra: uniform(3 * width),
            state: uniform(2 * layers * width),
            sequence: uniform(characters * width).iter().map(|v| v.round()).collect(),
        }
    }

    pub fn value(&self) -> f64 {
        loss(&self.main, &self.extra, &self.state, &self.sequence, self.width)
    }
}

/// What every step of every layer leaves for the way back, and the adjoints that travel there.
pub struct Workspace {
    /// Per step and layer: forget, in, out, change, tanh(cell), and input, hidden and cell as they were before.
    records: Vec<f64>,
    /// Per step: the softmax of the outputs, and the last layer's hidden values.
    outputs: Vec<f64>,
    state: Vec<f64>,
    signal: Vec<f64>,
    state_bar: Vec<f64>,
}

impl Workspace {
    pub fn new(network: &Network) -> Workspace {
        let width = network.width;
        let layers = network.main.len() / (8 * width);
        let steps = network.sequence.len() / width - 1;
        Workspace {
            records: vec![0.0; steps * layers * 8 * width],
            outputs: vec![0.0; steps * 2 * width],
            state: vec![0.0; 2 * layers * width],
            signal: vec![0.0; width],
            state_bar: vec![0.0; 2 * layers * width],
        }
    }
}

pub fn gradient_by_hand(network: &Network, work: &mut Workspace, main_bar: &mut [f64], extra_bar: &mut [f64]) {
    let width = network.width;
    let layers = network.main.len() / (8 * width);
    let steps = network.sequence.len() / width - 1;
    let Workspace { records, outputs, state, signal, state_bar } = work;
    let extra = &network.extra[..];

    state.copy_from_slice(&network.state);
    for t in 0..steps {
        for i in 0..width {
            signal[i] = network.sequence[t * width + i] * extra[i];
        }
        for layer in 0..layers {
            let at = (t * layers + layer) * 8 * width;
            cell_forward(
                &network.main[layer * 8 * width..(layer + 1) * 8 * width],
                &mut state[layer * 2 * width..(layer + 1) * 2 * width],
                signal,
                &mut records[at..at + 8 * width],
            );
        }
        let (softmax, last) = outputs[t * 2 * width..(t + 1) * 2 * width].split_at_mut(width);
        last.copy_from_slice(signal);
        let mut sum = 2.0;
        for i in 0..width {
            softmax[i] = (signal[i] * extra[width + i] + extra[2 * width + i]).exp();
            sum += softmax[i];
        }
        let inverse = 1.0 / sum;
        for s in softmax {
            *s *= inverse;
        }
    }

    main_bar.fill(0.0);
    extra_bar.fill(0.0);
    state_bar.fill(0.0);
    let (in_bar, out_bar) = extra_bar.split_at_mut(width);
    let (weight_bar, bias_bar) = out_bar.split_at_mut(width);
    let scale = -1.0 / (steps * width) as f64;
    for t in (0..steps).rev() {
        let (softmax, last) = outputs[t * 2 * width..(t + 1) * 2 * width].split_at(width);
        let expected = &network.sequence[(t + 1) * width..(t + 2) * width];
        let bits: f64 = expected.iter().sum();
        for i in 0..width {
            let bar = scale * (expected[i] - bits * softmax[i]);
            weight_bar[i] += bar * last[i];
            bias_bar[i] += bar;
            signal[i] = bar * extra[width + i];
        }
        for layer in (0..layers).rev() {
            let at = (t * layers + layer) * 8 * width;
            cell_backward(
                &network.main[layer * 8 * width..(layer + 1) * 8 * width],
                &records[at..at + 8 * width],
                &mut state_bar[layer * 2 * width..(layer + 1) * 2 * width],
                signal,
                &mut main_bar[layer * 8 * width..(layer + 1) * 8 * width],
            );
        }
        for i in 0..width {
            in_bar[i] += signal[i] * network.sequence[t * width + i];
        }
    }
}

#[inline(never)]
fn cell_forward(parameters: &[f64], state: &mut [f64], signal: &mut [f64], record: &mut [f64]) {
    let width = signal.len();
    let [wf, wi, wo, wc, bf, bi, bo, bc] = split(parameters, width);
    let [rf, ri, ro, rc, rt, rx, rh, rs] = split_mut(record, width);
    let (hidden, cell) = state.split_at_mut(width);
    let cell = &mut cell[..width];
    for i in 0..width {
        let (x, h, c) = (signal[i], hidden[i], cell[i]);
        let forget = sigmoid(x * wf[i] + bf[i]);
        let ingate = sigmoid(h * wi[i] + bi[i]);
        let outgate = sigmoid(x * wo[i] + bo[i]);
        let change = (h * wc[i] + bc[i]).tanh();
        let new = c * forget + ingate * change;
        let squashed = new.tanh();
        let out = outgate * squashed;
        (rx[i], rh[i], rs[i]) = (x, h, c);
        (rf[i], ri[i], ro[i], rc[i], rt[i]) = (forget, ingate, outgate, change, squashed);
        (cell[i], hidden[i], signal[i]) = (new, out, out);
    }
}

/// `signal` comes in as the adjoint of the layer's output and goes out as that of its input.
#[inline(never)]
fn cell_backward(parameters: &[f64], record: &[f64], state_bar: &mut [f64], signal: &mut [f64], bars: &mut [f64]) {
    let width = signal.len();
    let [wf, wi, wo, wc, ..] = split(parameters, width);
    let [rf, ri, ro, rc, rt, rx, rh, rs] = split(record, width);
    let [wf_bar, wi_bar, wo_bar, wc_bar, bf_bar, bi_bar, bo_bar, bc_bar] = split_mut(bars, width);
    let (hidden_bar, cell_bar) = state_bar.split_at_mut(width);
    let cell_bar = &mut cell_bar[..width];
    for i in 0..width {
        let out_bar = signal[i] + hidden_bar[i];
        let new_bar = cell_bar[i] + out_bar * ro[i] * (1.0 - rt[i] * rt[i]);
        let forget_bar = new_bar * rs[i] * rf[i] * (1.0 - rf[i]);
        let ingate_bar = new_bar * rc[i] * ri[i] * (1.0 - ri[i]);
        let outgate_bar = out_bar * rt[i] * ro[i] * (1.0 - ro[i]);
        let change_bar = new_bar * ri[i] * (1.0 - rc[i] * rc[i]);
        wf_bar[i] += forget_bar * rx[i];
        wi_bar[i] += ingate_bar * rh[i];
        wo_bar[i] += outgate_bar * rx[i];
        wc_bar[i] += change_bar * rh[i];
        bf_bar[i] += forget_bar;
        bi_bar[i] += ingate_bar;
        bo_bar[i] += outgate_bar;
        bc_bar[i] += change_bar;
        signal[i] = forget_bar * wf[i] + outgate_bar * wo[i];
        hidden_bar[i] = ingate_bar * wi[i] + change_bar * wc[i];
        cell_bar[i] = new_bar * rf[i];
    }
}

fn split(rows: &[f64], width: usize) -> [&[f64]; 8] {
    let mut rows = rows.chunks_exact(width);
    std::array::from_fn(|_| &rows.next().expect("eight rows")[..width])
}

fn split_mut(rows: &mut [f64], width: usize) -> [&mut [f64]; 8] {
    let mut rows = rows.chunks_exact_mut(width);
    std::array::from_fn(|_| &mut rows.next().expect("eight rows")[..width])
}

fn sigmoid(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}
