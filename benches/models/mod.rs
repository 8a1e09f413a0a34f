//! The benchmarked functions, each with the best gradient that we could write by hand in safe Rust.

pub mod alternating;
pub mod attention;
pub mod burgers;
pub mod cholesky;
pub mod dense;
pub mod det;
pub mod gauss;
#[cfg(feature = "nalgebra")]
pub mod gaussian_process;
pub mod gmm;
pub mod heat;
pub mod kalman;
pub mod kmeans;
pub mod llsq;
pub mod log_sum_exp;
pub mod lorenz;
pub mod lstm;
pub mod newton;
pub mod ode;
pub mod perceptron;
pub mod planets;
pub mod reprojection;
pub mod rosenbrock;
pub mod squared_steps;
pub mod sum_of_squares;
#[cfg(feature = "nalgebra")]
pub mod system;
pub mod tridiagonal;

/// Uniform numbers in [0, 1) from a linear congruential generator.
pub fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The dot product in `N` partial sums, which a vector unit adds at once.
#[inline(always)]
fn dot<const N: usize>(a: &[f64], b: &[f64]) -> f64 {
    let (a_chunks, b_chunks) = (a.as_chunks::<N>(), b.as_chunks::<N>());
    let mut sums = [0.0; N];
    for (a, b) in a_chunks.0.iter().zip(b_chunks.0) {
        for i in 0..N {
            sums[i] += a[i] * b[i];
        }
    }
    sums.iter().sum::<f64>() + a_chunks.1.iter().zip(b_chunks.1).map(|(a, b)| a * b).sum::<f64>()
}
