//! Lynxes and hares of the Hudson's Bay Company, 1900 to 1920: a simulator as an operation within candle's graph.
//!
//! The model is that of Stan's case study *Predator-prey population dynamics* (Carpenter 2018), whose posterior means stand beside the most
//! probable point found here. The likelihood and the priors are tensor expressions; the Lotka-Volterra equations, by Runge and Kutta's
//! method, are a function. The same simulator of tensors alone is timed beside it. The picture is `lynx_hare.svg`.

use candle_core::{CustomOp2, Device, Result, Tensor, Var};
use diffi::prelude::*;
use diffi_adapter::{Layer, LayerFunction};
use diffi_candle::{Operation, Pulled};
use report::{Axis, Plot, Progress};
use std::hint::black_box;
use std::time::Instant;

/// Thousands of pelts.
const HARES: [f64; 21] = [
    30.0, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22.0, 25.4, 27.1, 40.3, 57.0, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6,
    16.2, 24.7,
];
const LYNXES: [f64; 21] = [
    4.0, 6.1, 9.8, 35.2, 59.4, 41.7, 19.0, 13.0, 8.3, 9.1, 7.4, 8.0, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1, 8.6,
];
const YEARS: usize = 21;
/// Steps in a year.
const STEPS: usize = 10;
/// Births and deaths of hares, deaths and births of lynxes; hares and lynxes in 1900. Stan's means and deviations.
const PUBLISHED: [(f64, f64); 6] =
    [(0.549, 0.065), (0.028, 0.004), (0.797, 0.091), (0.024, 0.004), (33.96, 2.9), (5.949, 0.53)];

/// Logarithms of hares and lynxes of all years, by those of the first year and of the rates.
#[differentiable]
fn simulate(first: &[f64], rates: &[f64], y: &mut [f64]) {
    let (a, b, c, d) = (rates[0].exp(), rates[1].exp(), rates[2].exp(), rates[3].exp());
    let slope = |u: f64, v: f64| (a - b * v.exp(), -c + d * u.exp());
    let h = 1.0 / STEPS as f64;
    let (mut u, mut v) = (first[0], first[1]);
    y[0] = u;
    y[YEARS] = v;
    for year in 1..YEARS {
        for _ in 0..STEPS {
            let (u1, v1) = slope(u, v);
            let (u2, v2) = slope(u + 0.5 * h * u1, v + 0.5 * h * v1);
            let (u3, v3) = slope(u + 0.5 * h * u2, v + 0.5 * h * v2);
            let (u4, v4) = slope(u + h * u3, v + h * v3);
            u += h / 6.0 * (u1 + 2.0 * u2 + 2.0 * u3 + u4);
            v += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
        }
        y[year] = u;
        y[YEARS + year] = v;
    }
}

/// The same of tensors.
fn simulate_tensors(first: &Tensor, rates: &Tensor) -> Result<Tensor> {
    let rate = |k: usize| rates.narrow(0, k, 1)?.exp();
    let (a, b, c, d) = (rate(0)?, rate(1)?, rate(2)?, rate(3)?);
    let slope = |u: &Tensor, v: &Tensor| -> Result<(Tensor, Tensor)> {
        Ok(((&a - (&b * v.exp()?)?)?, ((&d * u.exp()?)? - &c)?))
    };
    let h = 1.0 / STEPS as f64;
    let (mut u, mut v) = (first.narrow(0, 0, 1)?, first.narrow(0, 1, 1)?);
    let (mut hares, mut lynxes) = (vec![u.clone()], vec![v.clone()]);
    for _ in 1..YEARS {
        for _ in 0..STEPS {
            let on = |x: &Tensor, k: &Tensor, h: f64| x + (k * h)?;
            let (u1, v1) = slope(&u, &v)?;
            let (u2, v2) = slope(&on(&u, &u1, 0.5 * h)?, &on(&v, &v1, 0.5 * h)?)?;
            let (u3, v3) = slope(&on(&u, &u2, 0.5 * h)?, &on(&v, &v2, 0.5 * h)?)?;
            let (u4, v4) = slope(&on(&u, &u3, h)?, &on(&v, &v3, h)?)?;
            let mean =
                |k1: &Tensor, k2: &Tensor, k3: &Tensor, k4: &Tensor| ((k1 + k4)? + ((k2 + k3)? * 2.0)?)? * (h / 6.0);
            u = (&u + mean(&u1, &u2, &u3, &u4)?)?;
            v = (&v + mean(&v1, &v2, &v3, &v4)?)?;
        }
        hares.push(u.clone());
        lynxes.push(v.clone());
    }
    Tensor::cat(&[hares, lynxes].concat(), 0)
}

/// All that is trained, as logarithms.
struct Model {
    first: Var,
    rates: Var,
    spreads: Var,
    observed: Tensor,
}

impl Model {
    fn new() -> Result<Self> {
        let of = |values: &[f64]| -> Result<Var> {
            Var::from_vec(values.iter().map(|x| x.ln()).collect(), values.len(), &Device::Cpu)
        };
        let observed = of(&[HARES, LYNXES].concat())?.as_detached_tensor();
        Ok(Model { first: of(&[30.0, 5.0])?, rates: of(&[0.5, 0.03, 0.7, 0.03])?, spreads: of(&[0.4, 0.4])?, observed })
    }

    /// The negative logarithm of the posterior density.
    fn loss(&self, simulated: &Tensor) -> Result<Tensor> {
        let spreads = self.spreads.unsqueeze(1)?;
        let off = ((&self.observed - simulated)?.reshape((2, YEARS))?.broadcast_div(&spreads.exp()?)?.sqr()? * 0.5)?;
        let likelihood = (off.sum_all()? + (self.spreads.sum_all()? * YEARS as f64)?)?;
        let normal = |x: &Tensor, mean: &[f64], spread: &[f64]| -> Result<Tensor> {
            let (mean, spread) = (Tensor::new(mean, &Device::Cpu)?, Tensor::new(spread, &Device::Cpu)?);
            ((x - mean)? / spread)?.sqr()?.sum_all()? * 0.5
        };
        let by_rates = normal(&self.rates.exp()?, &[1.0, 0.05, 1.0, 0.05], &[0.5, 0.05, 0.5, 0.05])?;
        let by_first = (normal(&self.first, &[10.0f64.ln(); 2], &[1.0; 2])? + self.first.sum_all()?)?;
        let by_spreads = (normal(&self.spreads, &[-1.0; 2], &[1.0; 2])? + self.spreads.sum_all()?)?;
        likelihood + by_rates + by_first + by_spreads
    }

    /// Adam with steps that shrink. The last loss.
    fn train(&self, simulate: impl Fn(&Tensor, &Tensor) -> Result<Tensor>, steps: u32) -> Result<f64> {
        let variables = [&self.first, &self.rates, &self.spreads];
        let mut moments = variables.map(|_| (0.0, 0.0)).map(|_| None::<(Tensor, Tensor)>);
        let (mut last, bar) = (f64::NAN, Progress::new("training"));
        for step in 1..=steps {
            bar.show(f64::from(step) / f64::from(steps));
            let loss = self.loss(&simulate(&self.first, &self.rates)?)?;
            last = loss.to_scalar()?;
            let gradients = loss.backward()?;
            let rate = 0.02 * (1.0 - f64::from(step - 1) / f64::from(steps));
            for (variable, moment) in variables.iter().zip(&mut moments) {
                let g = gradients.get(variable).expect("the loss depends on all");
                let (m, v) = match moment.take() {
                    Some((m, v)) => (((m * 0.9)? + (g * 0.1)?)?, ((v * 0.999)? + (g.sqr()? * 0.001)?)?),
                    None => ((g * 0.1)?, (g.sqr()? * 0.001)?),
                };
                let (m_scale, v_scale) = (1.0 - 0.9f64.powi(step as i32), 1.0 - 0.999f64.powi(step as i32));
                let slope = ((&m / m_scale)? / ((&v / v_scale)?.sqrt()? + 1e-12)?)?;
                variable.set(&(variable.as_tensor() - (slope * rate)?)?)?;
                *moment = Some((m, v));
            }
        }
        Ok(last)
    }

    fn found(&self) -> Result<Vec<f64>> {
        let all = Tensor::cat(&[self.rates.as_tensor(), self.first.as_tensor(), self.spreads.as_tensor()], 0)?;
        all.exp()?.to_vec1()
    }
}

/// One run: the point, and the time of a step.
fn run(name: &str, simulate: impl Fn(&Tensor, &Tensor) -> Result<Tensor>, steps: u32) -> Result<Vec<f64>> {
    let (model, begin) = (Model::new()?, Instant::now());
    let loss = model.train(simulate, steps)?;
    let (found, time) = (model.found()?, begin.elapsed().as_micros() / u128::from(steps));
    print!("{name:20}");
    found.iter().for_each(|x| print!(" {x:7.4}"));
    println!("; loss {loss:.6}, {steps} steps, {time} us a step");
    Ok(found)
}

fn layer<B>(backend: B) -> diffi::Result<impl Layer + 'static>
where
    B: diffi_adapter::LayerBackend<simulate, diffi_adapter::NoData> + Send + 'static,
    PullbackPrep<
        simulate,
        B,
        <diffi_adapter::NoData as diffi_adapter::LayerData>::Parameters,
        <diffi_adapter::NoData as diffi_adapter::LayerData>::Roles,
    >: Send,
{
    LayerFunction::new(simulate::D, backend, (&[3.4, 1.8], &[-0.6, -3.6, -0.2, -3.7]), 2 * YEARS)
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    println!("                     hares -       lynxes -        hares   lynxes  spreads");
    let by_diffi = Operation::new(layer(AutoReverse)?);
    let found = run("by diffi", |first, rates| by_diffi.apply(first, rates), 3000)?;
    let by_differences = Operation::new(layer(AutoFiniteDiff)?);
    run("by differences", |first, rates| by_differences.apply(first, rates), 3000)?;
    run("tensors alone", simulate_tensors, 10)?;
    run("by diffi", |first, rates| by_diffi.apply(first, rates), 10)?;
    print!("published, by means ");
    PUBLISHED.iter().for_each(|(mean, _)| print!(" {mean:7.4}"));
    println!("  0.2480  0.2520");
    assert!(found.iter().zip(PUBLISHED).all(|(found, (mean, deviation))| (found - mean).abs() < 0.5 * deviation));
    overhead()?;
    Ok(picture(&found)?)
}

/// What the adapter adds to a call of the prepared object, whose point and gradients are tensors, through the trait of candle's operations.
fn overhead() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let (first, rates, mut y) = ([3.4, 1.8], [-0.6, -3.6, -0.2, -3.7], vec![0.0; 2 * YEARS]);
    let dy = vec![1.0; 2 * YEARS];
    let mut prepared = prepare_pullback(simulate::D, AutoReverse, (&first, &rates, &mut y), &dy)?;
    let (mut dx, mut dw) = (vec![0.0; 2], vec![0.0; 4]);
    let operation = Pulled::new(layer(AutoReverse)?);
    let tensor = |values: &[f64]| Tensor::new(values, &Device::Cpu);
    let (w, seed) = (tensor(&rates)?, tensor(&dy)?);
    report::overhead(
        "candle",
        |k| {
            let x = tensor(&[3.4 + k, 1.8]).expect("a tensor");
            let [x, w, dy] = [&x, &w, &seed].map(|tensor| black_box(tensor).to_vec1().expect("numbers"));
            let found = prepared.pullback_into((&mut dx, &mut dw), (&x, &w, &mut y), &dy);
            let tensors = tensor(&dx).and_then(|dx| Ok((dx, tensor(&dw)?))).expect("tensors");
            found.map_or(f64::NAN, |()| black_box(tensors).0.elem_count() as f64)
        },
        |k| {
            let x = tensor(&[3.4 + k, 1.8]).expect("a tensor");
            let found = operation.bwd(black_box(&x), &w, &x, &seed);
            found.map_or(f64::NAN, |found| f64::from(black_box(found).0.is_some()))
        },
    );
    Ok(())
}

fn picture(found: &[f64]) -> std::io::Result<()> {
    let mut plot = Plot::new(
        "Pelts, and the Lotka-Volterra equations",
        Axis::linear("year", 1900.0, 1920.0),
        Axis::linear("thousands", 0.0, 82.0),
    );
    let mut y = vec![0.0; 2 * YEARS];
    let logarithms: Vec<f64> = found.iter().map(|x| x.ln()).collect();
    simulate(&logarithms[4..6], &logarithms[..4], &mut y);
    let years = || (1900..).map(f64::from);
    for (name, data, curve) in [("hares", HARES, &y[..YEARS]), ("lynxes", LYNXES, &y[YEARS..])] {
        plot.points("", years().zip(data));
        plot.curve(name, years().zip(curve.iter().map(|y| y.exp())));
    }
    plot.save("lynx_hare")
}
