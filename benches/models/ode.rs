//! A chain of differential equations.

#[path = "../gradbench/src/objectives/ode.rs"]
pub mod objective;

/// The states of all steps, the arguments of a step's stages, and cotangents.
pub struct Workspace {
    states: Vec<f64>,
    stages: [Vec<f64>; 3],
    y_bar: Vec<f64>,
    stage_bar: Vec<f64>,
    rate_bar: Vec<f64>,
    sum: Vec<f64>,
}

impl Workspace {
    pub fn new(n: usize, s: usize) -> Workspace {
        let zeros = || vec![0.0; n];
        Workspace {
            states: vec![0.0; n * (s + 1)],
            stages: [zeros(), zeros(), zeros()],
            y_bar: zeros(),
            stage_bar: zeros(),
            rate_bar: zeros(),
            sum: zeros(),
        }
    }

    /// The arguments of the stages after the first, from `y` on.
    fn stages(&mut self, x: &[f64], y: usize, h: f64) {
        let n = x.len();
        let y = &self.states[y * n..(y + 1) * n];
        let mut before = y;
        for (stage, h) in self.stages.iter_mut().zip([h / 2.0, h / 2.0, h]) {
            stage[0] = y[0] + h * x[0];
            let links = stage[1..].iter_mut().zip(&y[1..]).zip(x[1..].iter().zip(before));
            links.for_each(|((stage, y), (x, before))| *stage = y + h * (x * before));
            before = stage;
        }
    }
}

/// The gradient of the last number: states are kept, stages are computed again.
pub fn gradient_by_hand(x: &[f64], s: usize, work: &mut Workspace, gradient: &mut [f64]) {
    let n = x.len();
    let h = 2.0 / s as f64;
    work.states[..n].fill(0.0);
    for t in 0..s {
        work.stages(x, t, h);
        let (before, after) = work.states.split_at_mut((t + 1) * n);
        let y = &before[t * n..];
        let [s2, s3, s4] = &work.stages;
        after[0] = y[0] + h * x[0];
        for i in 1..n {
            after[i] = y[i] + h / 6.0 * (x[i] * (y[i - 1] + 2.0 * (s2[i - 1] + s3[i - 1]) + s4[i - 1]));
        }
    }
    gradient.fill(0.0);
    work.y_bar.fill(0.0);
    work.y_bar[n - 1] = 1.0;
    for t in (0..s).rev() {
        work.stages(x, t, h);
        let Workspace { states, stages: [s2, s3, s4], y_bar, stage_bar, rate_bar, sum, .. } = work;
        let y = &states[t * n..(t + 1) * n];
        sum.copy_from_slice(y_bar);
        stage_bar.fill(0.0);
        for (stage, own, next) in
            [(&**s4, h / 6.0, 0.0), (s3, h / 3.0, h), (s2, h / 3.0, h / 2.0), (y, h / 6.0, h / 2.0)]
        {
            for i in 0..n {
                rate_bar[i] = own * y_bar[i] + next * stage_bar[i];
            }
            gradient[0] += rate_bar[0];
            for i in 1..n {
                gradient[i] += rate_bar[i] * stage[i - 1];
                stage_bar[i - 1] = rate_bar[i] * x[i];
                sum[i - 1] += stage_bar[i - 1];
            }
            stage_bar[n - 1] = 0.0;
        }
        std::mem::swap(y_bar, sum);
    }
}
