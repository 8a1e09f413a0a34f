//! Several chains at a time.

use crate::density::Density;
use diffi_adapter::Objective;
use nuts_rs::rand::{Rng, RngExt};
use nuts_rs::{
    ChainProgress, CpuMath, HashMapConfig, HashMapValue, InitPositionError, Model, ProgressCallback, Sampler,
    SamplerWaitResult, Settings,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// A model of nuts-rs. Each chain makes a density of its own, since a prepared derivative has its own memory.
pub struct Posterior<M> {
    density: M,
    centre: Vec<f64>,
}

impl<M, O> Posterior<M>
where
    M: Fn() -> diffi::Result<Density<O>> + Send + Sync + 'static,
    O: Objective + 'static,
{
    /// Of a closure that makes the density.
    pub fn new(density: M) -> Self {
        Posterior { density, centre: Vec::new() }
    }

    /// Chains start around this point, and not around zero.
    #[must_use]
    pub fn around(self, centre: &[f64]) -> Self {
        Posterior { centre: centre.to_vec(), ..self }
    }
}

impl<M, O> Model for Posterior<M>
where
    M: Fn() -> diffi::Result<Density<O>> + Send + Sync + 'static,
    O: Objective + 'static,
{
    type Math = CpuMath<Density<O>>;

    fn math<R: Rng + ?Sized>(self: Arc<Self>, _: &mut R) -> anyhow::Result<Self::Math> {
        Ok(CpuMath::new((self.density)()?))
    }

    /// Uniform between -2 and 2, as Stan does it, about the centre.
    fn init_position<R: Rng + ?Sized>(&self, rng: &mut R, _: u64, x: &mut [f64]) -> Result<(), InitPositionError> {
        x.fill_with(|| rng.random_range(-2.0..2.0));
        x.iter_mut().zip(&self.centre).for_each(|(x, centre)| *x += centre);
        Ok(())
    }
}

/// The draws of each number after tuning, chain by chain. The numbers of a row `theta` are `theta[0]`, `theta[1]`, ..
pub type Draws = BTreeMap<String, Vec<Vec<f64>>>;

/// Samples with the settings' chains, as many at a time as the machine has cores.
///
/// # Errors
///
/// Those of the sampler, and of the backend.
pub fn draws<M, O>(posterior: Posterior<M>, settings: impl Settings) -> anyhow::Result<Draws>
where
    M: Fn() -> diffi::Result<Density<O>> + Send + Sync + 'static,
    O: Objective + 'static,
{
    watched_draws(posterior, settings, |_| ())
}

/// The same, with a closure that sees ten times a second how much is done, between 0 and 1.
///
/// # Errors
///
/// Those of the sampler, and of the backend.
pub fn watched_draws<M, O>(
    posterior: Posterior<M>,
    settings: impl Settings,
    mut watch: impl FnMut(f64) + Send + 'static,
) -> anyhow::Result<Draws>
where
    M: Fn() -> diffi::Result<Density<O>> + Send + Sync + 'static,
    O: Objective + 'static,
{
    let names = numbers(&(posterior.density)()?);
    let kept = settings.hint_num_draws();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let callback = move |_, chains: Box<[ChainProgress]>| {
        let of = |number: fn(&ChainProgress) -> usize| chains.iter().map(number).sum::<usize>() as f64;
        watch(of(|chain| chain.finished_draws) / of(|chain| chain.total_draws));
    };
    let callback = ProgressCallback { callback: Box::new(callback), rate: Duration::from_millis(100) };
    let mut sampler = Sampler::new(Arc::new(posterior), settings, HashMapConfig::new(), cores, Some(callback))?;
    let traces = loop {
        match sampler.wait_timeout(Duration::from_secs(60)) {
            SamplerWaitResult::Trace(traces) => break traces,
            SamplerWaitResult::Timeout(running) => sampler = running,
            SamplerWaitResult::Err(error, _) => return Err(error),
        }
    };
    let of = |number: &Number| traces.iter().map(|trace| number.draws(&trace.draws[&number.quantity], kept)).collect();
    Ok(names.into_iter().map(|number| (number.name(), of(&number))).collect())
}

/// One number of a quantity.
struct Number {
    quantity: String,
    index: usize,
    length: usize,
}

/// All numbers of a density's quantities.
fn numbers<O: Objective>(density: &Density<O>) -> Vec<Number> {
    let of = |(name, length): (&str, usize)| {
        let quantity = name.to_owned();
        (0..length).map(move |index| Number { quantity: quantity.clone(), index, length }).collect::<Vec<_>>()
    };
    density.quantities().flat_map(of).collect()
}

impl Number {
    fn name(&self) -> String {
        let Number { quantity, index, length } = self;
        if *length == 1 { quantity.clone() } else { format!("{quantity}[{index}]") }
    }

    /// The last draws of a trace, which begins with those of tuning.
    fn draws(&self, values: &HashMapValue, kept: usize) -> Vec<f64> {
        let HashMapValue::F64(values) = values else { unreachable!("all quantities are numbers") };
        let draws = values.len() / self.length;
        (draws.saturating_sub(kept)..draws).map(|draw| values[draw * self.length + self.index]).collect()
    }
}
