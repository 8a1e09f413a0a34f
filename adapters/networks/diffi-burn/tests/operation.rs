//! Values and gradients beside closed forms: of several rows, of `f32`, and within burn's own graph.

use burn::tensor::{DType, Device, Tensor, TensorData};
use diffi::prelude::*;
use diffi_adapter::LayerFunction;
use diffi_burn::Operation;

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

fn of<const D: usize>(data: impl Into<TensorData>, dtype: DType) -> Tensor<D> {
    Tensor::from_data(data.into().convert_dtype(dtype), (&Device::flex().autodiff(), dtype))
}

fn all<const D: usize>(tensor: Tensor<D>) -> Vec<f64> {
    tensor.into_data().convert::<f64>().try_into_vec::<f64>().unwrap()
}

#[test]
fn rows_share_weights() {
    for dtype in [DType::F64, DType::F32] {
        let x = of::<2>([[1.0f64, 2.0], [3.0, -4.0]], dtype).require_grad();
        let w = of::<1>([0.5f64, -1.5], dtype).require_grad();
        let y = operation().apply(x.clone(), w.clone());
        assert_eq!((y.dtype(), y.dims()), (dtype, [2, 3]));
        assert_eq!(all(y.clone()), [2.0, 4.5, 1.0, -12.0, -9.0, 3.0]);
        // the sum of squares, by burn
        let gradients = (y.clone() * y).sum().backward();
        // 2 y dy/dx of both rows, and the rows' sum by the weights
        let by_x = all(x.grad(&gradients).unwrap());
        assert_eq!(by_x, [4.0 * 2.0 + 2.0, 4.0 + 9.0 * 2.25, -24.0 * -4.0 + 6.0, -24.0 * 3.0 - 18.0 * 2.25]);
        let by_w = all(w.grad(&gradients).unwrap());
        assert_eq!(by_w, [4.0 * 4.0 + 24.0 * 24.0, 9.0 * -6.0 - 18.0 * 12.0]);
    }
}

#[test]
fn one_of_both_may_be_tracked_and_views_are_followed() {
    let x = of::<2>([[1.0f64, 3.0], [2.0, -4.0]], DType::F64).require_grad();
    let w = of::<2>([[0.5f64], [-1.5]], DType::F64);
    let y = operation().apply(x.clone().transpose(), w);
    assert_eq!(all(x.grad(&y.sum().backward()).unwrap()), [3.0, -3.0, 3.25, 5.25]);
}

#[test]
fn without_autodiff_there_are_values() {
    let device = Device::flex();
    let x = Tensor::<1>::from_data(TensorData::from([1.0f64, 2.0]), (&device, DType::F64));
    let w = Tensor::<1>::from_data(TensorData::from([0.5f64, -1.5]), (&device, DType::F64));
    assert_eq!(all(operation().apply(x, w)), [2.0, 4.5, 1.0]);
}

#[test]
#[should_panic(expected = "rows of 2 numbers")]
fn other_shapes_panic() {
    let _ = operation().apply(of::<1>([1.0f64, 2.0, 3.0], DType::F64), of::<1>([0.5f64, 1.0], DType::F64));
}
