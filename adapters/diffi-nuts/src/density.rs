//! A log density with a gradient, and the quantities that a trace keeps of each draw.

use diffi_adapter::Objective;
use nuts_rs::rand::Rng;
use nuts_rs::{CpuLogpFunc, CpuMathError, HasDims, ItemType, LogpError, Storable, Value};
use std::collections::HashMap;

/// A log density over unconstrained parameters.
pub struct Density<O> {
    objective: O,
    quantities: Vec<Quantity>,
    derive: Derive,
}

/// Lists the numbers of all quantities, by the parameters.
type Derive = Box<dyn FnMut(&[f64]) -> Vec<f64> + Send>;

/// A number, or a row of numbers, that a trace keeps.
struct Quantity {
    name: String,
    length: usize,
    /// The name of its dimension, unless it is one number.
    dimension: Option<String>,
}

/// What a trace keeps of one draw: all quantities, one after the other.
pub struct Draw(Vec<f64>);

/// The reason why there is no density at a point.
#[derive(Debug, thiserror::Error)]
pub enum NoDensity {
    /// The density is not finite there. The sampler counts a divergence, and goes on from another point.
    #[error("the density or its gradient is not finite")]
    NotFinite,
    /// The backend cannot differentiate the density. The sampler stops.
    #[error(transparent)]
    Derivative(#[from] diffi::Error),
}

impl LogpError for NoDensity {
    fn is_recoverable(&self) -> bool {
        matches!(self, NoDensity::NotFinite)
    }
}

impl<O: Objective> Density<O> {
    /// The objective is the logarithm of the density, up to a constant. A trace keeps the parameters, as `x`.
    pub fn new(objective: O) -> Self {
        let quantities = vec![Quantity::new("x", objective.dimension())];
        Density { objective, quantities, derive: Box::new(<[f64]>::to_vec) }
    }

    /// A trace keeps these quantities instead of the parameters: names and lengths, and a function that lists all their numbers.
    #[must_use]
    pub fn deriving<'a>(
        self,
        quantities: impl IntoIterator<Item = (&'a str, usize)>,
        derive: impl FnMut(&[f64]) -> Vec<f64> + Send + 'static,
    ) -> Self {
        let quantities = quantities.into_iter().map(|(name, length)| Quantity::new(name, length)).collect();
        Density { quantities, derive: Box::new(derive), ..self }
    }

    /// The names of the quantities, and their lengths.
    pub(crate) fn quantities(&self) -> impl Iterator<Item = (&str, usize)> {
        self.quantities.iter().map(|q| (q.name.as_str(), q.length))
    }
}

impl Quantity {
    fn new(name: &str, length: usize) -> Self {
        let dimension = (length != 1).then(|| format!("{name}_dim"));
        Quantity { name: name.to_owned(), length, dimension }
    }

    fn value(&self, numbers: &[f64]) -> Value {
        match self.dimension {
            None => Value::ScalarF64(numbers[0]),
            Some(_) => Value::F64(numbers.to_vec()),
        }
    }
}

impl<O: Objective> HasDims for Density<O> {
    fn dim_sizes(&self) -> HashMap<String, u64> {
        let of_quantities = self.quantities.iter().filter_map(|q| Some((q.dimension.clone()?, q.length as u64)));
        let parameters = ("unconstrained_parameter".to_owned(), self.objective.dimension() as u64);
        of_quantities.chain([parameters]).collect()
    }
}

impl<O: Objective> CpuLogpFunc for Density<O> {
    type LogpError = NoDensity;
    type FlowParameters = ();
    type ExpandedVector = Draw;

    fn dim(&self) -> usize {
        self.objective.dimension()
    }

    #[inline]
    fn logp(&mut self, x: &[f64], gradient: &mut [f64]) -> Result<f64, NoDensity> {
        let value = self.objective.value_and_gradient(x, gradient)?;
        let finite = value.is_finite() && gradient.iter().all(|g| g.is_finite());
        if finite { Ok(value) } else { Err(NoDensity::NotFinite) }
    }

    fn expand_vector<R: Rng + ?Sized>(&mut self, _: &mut R, x: &[f64]) -> Result<Draw, CpuMathError> {
        let numbers = (self.derive)(x);
        let length = self.quantities.iter().map(|q| q.length).sum::<usize>();
        if numbers.len() == length {
            return Ok(Draw(numbers));
        }
        let message = format!("the quantities have {length} numbers, and {} were derived", numbers.len());
        Err(CpuMathError::ExpandError(message))
    }
}

impl<O: Objective> Storable<Density<O>> for Draw {
    fn names(density: &Density<O>) -> Vec<&str> {
        density.quantities.iter().map(|q| q.name.as_str()).collect()
    }

    fn item_type(_: &Density<O>, _: &str) -> ItemType {
        ItemType::F64
    }

    fn dims<'a>(density: &'a Density<O>, item: &str) -> Vec<&'a str> {
        let quantity = density.quantities.iter().find(|q| q.name == item);
        quantity.and_then(|q| q.dimension.as_deref()).into_iter().collect()
    }

    fn get_all<'a>(&'a mut self, density: &'a Density<O>) -> Vec<(&'a str, Option<Value>)> {
        let mut rest = &self.0[..];
        let mut next = |q: &'a Quantity| {
            let (numbers, others) = rest.split_at(q.length);
            rest = others;
            (q.name.as_str(), Some(q.value(numbers)))
        };
        density.quantities.iter().map(&mut next).collect()
    }
}
