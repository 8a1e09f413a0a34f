//! Functions with derivatives by diffi as operations of `candle`: simulators, solvers and other code that is no tensor expression.
//!
#![doc = include_str!("../example.md")]
//!
//! A tensor's last dimension holds the rows, all others count them. Weights are one tensor of any shape. Tensors are of `f64` or `f32`, on the
//! processor. Second derivatives are candle's own affair, and of an operation it has none.
#![forbid(unsafe_code)]

use candle_core::{CpuStorage, CustomOp2, DType, Error, Layout, Module, Result, Shape, Tensor, bail};
use diffi_adapter::Layer;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A function of rows and weights as an operation. Copies share its memory.
#[derive(Clone)]
pub struct Operation {
    shared: Arc<Box<dyn CustomOp2 + Send + Sync>>,
}

impl Operation {
    /// Of a layer.
    pub fn new(layer: impl Layer + 'static) -> Self {
        Operation { shared: Arc::new(Box::new(Pulled::new(layer))) }
    }

    /// Its values.
    ///
    /// # Errors
    ///
    /// Rows of another length than the layer's, and tensors of other numbers than `f64` and `f32`.
    pub fn apply(&self, x: &Tensor, weights: &Tensor) -> Result<Tensor> {
        x.apply_op2_arc(weights, self.shared.clone())
    }

    /// A module with these weights, which may be a variable's.
    #[must_use]
    pub fn with_weights(&self, weights: &Tensor) -> Weighted {
        Weighted { operation: self.clone(), weights: weights.clone() }
    }
}

/// An operation with its weights.
#[derive(Clone)]
pub struct Weighted {
    operation: Operation,
    weights: Tensor,
}

impl Module for Weighted {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        self.operation.apply(x, &self.weights)
    }
}

/// The operation as candle calls it.
pub struct Pulled<L> {
    layer: Mutex<L>,
}

impl<L: Layer> Pulled<L> {
    /// Of a layer.
    pub fn new(layer: L) -> Self {
        Pulled { layer: Mutex::new(layer) }
    }

    /// Also after a panic: each call overwrites what it keeps.
    fn layer(&self) -> MutexGuard<'_, L> {
        self.layer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<L: Layer> CustomOp2 for Pulled<L> {
    fn name(&self) -> &'static str {
        "diffi"
    }

    fn cpu_fwd(&self, x: &CpuStorage, at: &Layout, w: &CpuStorage, w_at: &Layout) -> Result<(CpuStorage, Shape)> {
        let mut layer = self.layer();
        let (inputs, outputs) = layer.widths();
        let shape = rows(at.shape(), inputs, outputs)?;
        let y = layer.rows(&numbers(x, at)?, &numbers(w, w_at)?);
        let storage = match x {
            CpuStorage::F32(_) => CpuStorage::F32(y.into_iter().map(|y| y as f32).collect()),
            _ => CpuStorage::F64(y),
        };
        Ok((storage, shape))
    }

    fn bwd(&self, x: &Tensor, w: &Tensor, _: &Tensor, dy: &Tensor) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let (dx, dw) = self.layer().pull_rows(&flat(x)?, &flat(w)?, &flat(dy)?).map_err(Error::wrap)?;
        Ok((Some(like(dx, x)?), Some(like(dw, w)?)))
    }
}

/// The shape of the output.
fn rows(shape: &Shape, inputs: usize, outputs: usize) -> Result<Shape> {
    match shape.dims() {
        [others @ .., last] if *last == inputs => Ok(Shape::from([others, &[outputs]].concat())),
        dims => bail!("rows of {inputs} numbers are expected as last dimension, and the shape is {dims:?}"),
    }
}

/// The numbers of a tensor in their order.
fn numbers(storage: &CpuStorage, at: &Layout) -> Result<Vec<f64>> {
    match storage {
        CpuStorage::F64(all) => Ok(ordered(all, at)),
        CpuStorage::F32(all) => Ok(ordered(all, at).into_iter().map(f64::from).collect()),
        _ => bail!("diffi differentiates tensors of f64 and f32"),
    }
}

fn ordered<T: Copy>(all: &[T], at: &Layout) -> Vec<T> {
    match at.contiguous_offsets() {
        Some((from, to)) => all[from..to].to_vec(),
        None => (0..at.shape().elem_count()).map(|k| all[place(k, at)]).collect(),
    }
}

/// Where the `k`-th number of a view stands.
fn place(mut k: usize, at: &Layout) -> usize {
    let mut place = at.start_offset();
    for (dim, stride) in at.dims().iter().zip(at.stride()).rev() {
        place += k % dim * stride;
        k /= dim;
    }
    place
}

fn flat(tensor: &Tensor) -> Result<Vec<f64>> {
    tensor.to_dtype(DType::F64)?.flatten_all()?.to_vec1()
}

/// A tensor of the shape and numbers of another one.
fn like(values: Vec<f64>, other: &Tensor) -> Result<Tensor> {
    Tensor::from_vec(values, other.shape(), other.device())?.to_dtype(other.dtype())
}
