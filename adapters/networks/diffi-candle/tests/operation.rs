//! Values and gradients beside closed forms: of several rows, of `f32`, of tensors that are not contiguous, and within candle's own graph.

use candle_core::{DType, Device, Module, Tensor, Var};
use diffi::prelude::*;
use diffi_adapter::LayerFunction;
use diffi_candle::Operation;

#[differentiable(constant(scale))]
fn mixed(x: &[f64], w: &[f64], scale: &[f64], y: &mut [f64]) {
    y[0] = scale[0] * w[0] * x[0] * x[1];
    y[1] = w[1] * w[1] * x[1];
    y[2] = x[0];
}

fn operation() -> Operation {
    let first = ([1.0, 1.0], [1.0, 1.0]);
    let layer = LayerFunction::with_data(mixed::D, AutoReverse, (&first.0, &first.1), 3, vec![2.0]).unwrap();
    Operation::new(layer)
}

#[test]
fn rows_share_weights() {
    let x = Var::new(&[[1.0f64, 2.0], [3.0, -4.0]], &Device::Cpu).unwrap();
    let w = Var::new(&[0.5f64, -1.5], &Device::Cpu).unwrap();
    let y = operation().with_weights(&w).forward(&x).unwrap();
    let exact = [[2.0, 4.5, 1.0], [-12.0, -9.0, 3.0]];
    assert_eq!(y.to_vec2::<f64>().unwrap(), exact);
    // the sum of squares, by candle
    let gradients = y.sqr().unwrap().sum_all().unwrap().backward().unwrap();
    // 2 y dy/dx of both rows, and the rows' sum by the weights
    let by_x = gradients.get(&x).unwrap().to_vec2::<f64>().unwrap();
    assert_eq!(by_x, [[4.0 * 2.0 + 2.0, 4.0 + 9.0 * 2.25], [-24.0 * -4.0 + 6.0, -24.0 * 3.0 - 18.0 * 2.25]]);
    let by_w = gradients.get(&w).unwrap().to_vec1::<f64>().unwrap();
    assert_eq!(by_w, [4.0 * 4.0 + 24.0 * 24.0, 9.0 * -6.0 - 18.0 * 12.0]);
}

#[test]
fn floats_and_views_are_followed() {
    let device = Device::Cpu;
    let x = Var::new(&[[1.0f32, 3.0], [2.0, -4.0]], &device).unwrap();
    let w = Tensor::new(&[0.5f32, -1.5], &device).unwrap();
    let y = operation().apply(&x.t().unwrap(), &w).unwrap();
    assert_eq!((y.dtype(), y.dims()), (DType::F32, &[2, 3][..]));
    assert_eq!(y.to_vec2::<f32>().unwrap(), [[2.0, 4.5, 1.0], [-12.0, -9.0, 3.0]]);
    let gradient = y.sum_all().unwrap().backward().unwrap().get(&x).unwrap().to_vec2::<f32>().unwrap();
    assert_eq!(gradient, [[2.0 + 1.0, -4.0 + 1.0], [1.0 + 2.25, 3.0 + 2.25]]);
}

#[test]
fn other_shapes_and_numbers_are_errors() {
    let (operation, device) = (operation(), Device::Cpu);
    let w = Tensor::new(&[0.5f64, 1.0], &device).unwrap();
    assert!(operation.apply(&Tensor::new(&[1.0f64, 2.0, 3.0], &device).unwrap(), &w).is_err());
    assert!(operation.apply(&Tensor::new(&[1u32, 2], &device).unwrap(), &w).is_err());
}
