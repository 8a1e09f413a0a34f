//! Means over samples, of which solvers look at a few at a time.

use crate::arguments::{Data, WithData};
use diffi::prelude::*;
use diffi::{GradientBackend, Result};
use diffi_runtime::signature::arguments::Args;
use diffi_runtime::signature::function::Function;

/// The mean of a function over samples.
pub trait SampleMean {
    /// How many samples there are.
    fn samples(&self) -> usize;
    /// The mean over samples of these numbers.
    fn value(&mut self, x: &[f64], batch: impl ExactSizeIterator<Item = usize>) -> f64;
    /// The gradient of that mean.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators.
    fn gradient(&mut self, x: &[f64], batch: impl ExactSizeIterator<Item = usize>, gradient: &mut [f64]) -> Result<()>;
}

/// A function of a slice and of one sample, with all samples.
pub struct SampleFunction<F, B, T: 'static>
where
    F: Function<<WithData<T> as Data>::Parameters>,
    B: GradientBackend<F, <WithData<T> as Data>::Parameters, <WithData<T> as Data>::Roles>,
{
    gradient: GradientPrep<F, B, <WithData<T> as Data>::Parameters, <WithData<T> as Data>::Roles>,
    samples: Vec<WithData<T>>,
    /// The gradient of one sample's value.
    one: Vec<f64>,
}

impl<F, B, T: 'static> SampleFunction<F, B, T>
where
    F: Function<<WithData<T> as Data>::Parameters, ReturnValue = f64>,
    B: GradientBackend<F, <WithData<T> as Data>::Parameters, <WithData<T> as Data>::Roles>,
{
    /// Of a function `fn(x: &[f64], sample: &T) -> f64`. Prepares for points of this dimension.
    ///
    /// # Errors
    ///
    /// Those of the first call.
    ///
    /// # Panics
    ///
    /// Without a sample.
    pub fn new(function: F, backend: B, x: &[f64], samples: impl IntoIterator<Item = T>) -> Result<Self> {
        let samples: Vec<WithData<T>> = samples.into_iter().map(|sample| WithData(Box::new(sample))).collect();
        let gradient = prepare_gradient(function, backend, samples[0].at(x))?;
        Ok(SampleFunction { gradient, samples, one: vec![0.0; x.len()] })
    }
}

impl<F, B, T: 'static> SampleMean for SampleFunction<F, B, T>
where
    F: Function<<WithData<T> as Data>::Parameters, ReturnValue = f64>,
    B: GradientBackend<F, <WithData<T> as Data>::Parameters, <WithData<T> as Data>::Roles>,
{
    fn samples(&self) -> usize {
        self.samples.len()
    }

    fn value(&mut self, x: &[f64], batch: impl ExactSizeIterator<Item = usize>) -> f64 {
        let (function, count) = (self.gradient.function(), batch.len() as f64);
        batch.map(|sample| function.call(self.samples[sample].at(x).at())).sum::<f64>() / count
    }

    fn gradient(&mut self, x: &[f64], batch: impl ExactSizeIterator<Item = usize>, gradient: &mut [f64]) -> Result<()> {
        let share = 1.0 / batch.len() as f64;
        gradient.fill(0.0);
        for sample in batch {
            self.gradient.gradient_into(&mut self.one[..], self.samples[sample].at(x))?;
            gradient.iter_mut().zip(&self.one).for_each(|(sum, one)| *sum += share * one);
        }
        Ok(())
    }
}
