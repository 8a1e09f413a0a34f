//! The operation's backward pass, in burn's graph.

use crate::{SharedLayer, numbers, tensor};
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops};
use burn::backend::tensor::FloatTensor;
use burn::backend::{Backend, TensorMetadata};

/// The step itself, which has no state.
#[derive(Debug)]
pub(crate) struct PulledBack;

/// What the forward pass leaves behind.
#[derive(Clone, Debug)]
pub(crate) struct Saved<B: Backend> {
    pub(crate) x: FloatTensor<B>,
    pub(crate) w: FloatTensor<B>,
    pub(crate) layer: SharedLayer,
}

impl<B: Backend> Backward<B, 2> for PulledBack {
    type State = Saved<B>;

    fn backward(self, ops: Ops<Saved<B>, 2>, gradients: &mut Gradients, _: &mut Checkpointer) {
        let dy = numbers::<B>(gradients.consume::<B>(&ops.node));
        let Saved { x, w, layer } = ops.state;
        let like = [&x, &w].map(|of| (of.shape(), of.dtype(), of.device()));
        let pulled = layer.lock().pull_rows(&numbers::<B>(x), &numbers::<B>(w), &dy);
        let (dx, dw) = pulled.expect("rows and weights have the lengths that they had at first");
        for ((node, values), (shape, dtype, device)) in ops.parents.into_iter().zip([dx, dw]).zip(like) {
            if let Some(node) = node {
                gradients.register::<B>(node.id, tensor::<B>(values, shape, dtype, &device));
            }
        }
    }
}
