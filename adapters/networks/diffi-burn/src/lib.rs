//! Functions with derivatives by diffi as operations of `burn`: simulators, solvers and other code that is no tensor expression.
//!
#![doc = include_str!("../example.md")]
//!
//! A tensor's last dimension holds the rows, all others count them. Weights are one tensor of any shape. Tensors are of any floats, on burn's
//! backend `Flex`, with or without `Autodiff` around it. Second derivatives are burn's own affair, and it has none.
#![forbid(unsafe_code)]

mod backward;

use backward::{PulledBack, Saved};
use burn::backend::autodiff::checkpoint::strategy::CheckpointStrategy;
use burn::backend::autodiff::ops::{Backward, OpsKind};
use burn::backend::tensor::FloatTensor;
use burn::backend::{Autodiff, Backend, Dispatch, Flex, TensorMetadata, backend_extension};
use burn::tensor::{DType, Shape, Tensor, TensorData, try_read_sync};
use diffi_adapter::Layer;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A function of rows and weights as an operation. Copies share its memory.
///
/// # Panics
///
/// A backward pass panics where diffi reports an error: weights of another length than at first.
#[derive(Clone, Debug)]
pub struct Operation {
    layer: SharedLayer,
}

impl Operation {
    /// Of a layer.
    pub fn new(layer: impl Layer + 'static) -> Self {
        Operation { layer: SharedLayer(Arc::new(Mutex::new(layer))) }
    }

    /// Its values, by rows and weights.
    ///
    /// # Panics
    ///
    /// If rows have another length than the layer's.
    #[must_use]
    pub fn apply<const D: usize, const W: usize>(&self, x: Tensor<D>, weights: Tensor<W>) -> Tensor<D> {
        let y = <Dispatch as Pulled>::pulled(x.into_dispatch(), weights.into_dispatch(), self.layer.clone());
        Tensor::from_dispatch(y)
    }
}

/// What burn copies into its graph.
#[derive(Clone)]
pub struct SharedLayer(Arc<Mutex<dyn Layer>>);

impl SharedLayer {
    /// Also after a panic: each call overwrites what it keeps.
    fn lock(&self) -> MutexGuard<'_, dyn Layer + 'static> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for SharedLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedLayer")
    }
}

/// Backends that have the operation.
#[backend_extension(Flex, Autodiff)]
pub trait Pulled: Backend {
    /// The values of all rows.
    fn pulled(x: FloatTensor<Self>, w: FloatTensor<Self>, layer: SharedLayer) -> FloatTensor<Self>;
}

impl Pulled for Flex {
    fn pulled(x: FloatTensor<Self>, w: FloatTensor<Self>, layer: SharedLayer) -> FloatTensor<Self> {
        let (shape, dtype, device) = (x.shape(), x.dtype(), x.device());
        let mut layer = layer.lock();
        let (inputs, outputs) = layer.widths();
        let y = layer.rows(&numbers::<Self>(x), &numbers::<Self>(w));
        tensor::<Self>(y, rows(shape, inputs, outputs), dtype, &device)
    }
}

impl<B: Pulled, C: CheckpointStrategy> Pulled for Autodiff<B, C> {
    fn pulled(x: FloatTensor<Self>, w: FloatTensor<Self>, layer: SharedLayer) -> FloatTensor<Self> {
        let ((x, x_node), (w, w_node)) = (x.into_parts(), w.into_parts());
        let saved = Saved::<B> { x: x.clone(), w: w.clone(), layer: layer.clone() };
        let y = B::pulled(x, w, layer);
        match Backward::<B, 2>::prepare::<C>(PulledBack, [x_node, w_node]).compute_bound().stateful() {
            OpsKind::Tracked(operation) => operation.finish(saved, y),
            OpsKind::UnTracked(operation) => operation.finish(y),
        }
    }
}

/// The shape of the output.
fn rows(shape: Shape, inputs: usize, outputs: usize) -> Shape {
    let mut dims = shape.to_vec();
    match dims.last_mut() {
        Some(last) if *last == inputs => *last = outputs,
        _ => panic!("rows of {inputs} numbers are expected as last dimension, and the shape is {dims:?}"),
    }
    Shape::from(dims)
}

/// The numbers of a tensor in their order.
fn numbers<B: Backend>(tensor: FloatTensor<B>) -> Vec<f64> {
    let read = try_read_sync(B::float_into_data(tensor)).expect("processors are read at once");
    read.expect("a tensor has numbers").convert::<f64>().try_into_vec::<f64>().expect("numbers were converted")
}

fn tensor<B: Backend>(values: Vec<f64>, shape: Shape, dtype: DType, device: &B::Device) -> FloatTensor<B> {
    B::float_from_data(TensorData::new(values, shape).convert_dtype(dtype), device)
}
