use diffi::prelude::*;

/// One-dimensional max pooling through the index of the maximum.
#[differentiable(constant(size))]
pub fn max_pool(x: &[f64], size: usize) -> Vec<f64> {
    x.chunks(size)
        .map(|c| {
            let (arg, best) = c.iter().enumerate().max_by(|a, b| a.1.partial_cmp(b.1).unwrap()).unwrap();
            best * best + 0.01 * arg as f64 * c[0]
        })
        .collect()
}
