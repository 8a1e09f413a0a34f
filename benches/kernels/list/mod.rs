//! Kernels of many fields, as somebody writes them who has never heard of derivatives.
#![allow(clippy::needless_range_loop, clippy::ptr_arg, clippy::type_complexity, reason = "natural code is measured")]

pub mod algebra;
pub mod finance;
pub mod grids;
pub mod networks;
pub mod particles;
pub mod statistics;
pub mod systems;

/// Uniform numbers in [0, 1) from a linear congruential generator.
pub fn random(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..n).map(|_| next()).collect()
}

/// Runs `$run!(name, function, point, constants, hand-written adjoint or nothing)` for each kernel. `$n` scales the sizes: 1 is small.
macro_rules! each_kernel {
    ($run:ident, $n:expr) => {{
        use list::{algebra::*, data::*, finance::*, grids::*, networks::*, particles::*, statistics::*, systems::*};
        let n: usize = $n;
        $run!(conjugate_gradients, definite(8 * n), random(8 * n, 1));
        $run!(exponential, random(16 * n * n, 2), 4 * n);
        $run!(power_method, definite(8 * n), random(8 * n, 4));
        $run!(marginal_likelihood, vec![1.0, 0.3, 0.1], (random(8 * n, 5), random(8 * n, 6)));
        $run!(gram_schmidt, random(64 * n * n, 7), 8 * n);
        $run!(cholesky, random(8 * n, 58), 8 * n);
        $run!(heat, random(64 * n * n, 8), 8 * n, heat_by_hand);
        $run!(membrane, random(64 * n * n, 9), scaled(0.2, random(64 * n * n, 10)));
        $run!(gray_scott, vec![0.04, 0.06, 0.16, 0.08], (random(64 * n * n, 11), random(64 * n * n, 12)));
        $run!(advection, random(64 * n * n, 13), (0.7, 0.4));
        $run!(burgers, random(32 * n, 14), 0.05);
        $run!(shallow_water, random(32 * n, 15), 20usize);
        $run!(brusselator, random(128 * n * n, 16), 8 * n);
        $run!(waves, [random(64 * n * n, 56), vec![0.5]].concat(), 8 * n);
        $run!(
            fisher,
            vec![0.1, 0.2, 0.9],
            ndarray::Array2::from_shape_vec((8 * n, 8 * n), random(64 * n * n, 57)).unwrap()
        );
        $run!(lennard_jones, spaced(16 * n), neighbours(16 * n), lennard_jones_by_hand);
        $run!(truss, spaced(16 * n)[..32 * n].to_vec(), bars(16 * n), truss_by_hand);
        $run!(finite_elements, random(64 * n * n, 17), mesh(8 * n));
        $run!(stars, random(24 * n, 18), random(8 * n, 19));
        $run!(robot_arm, random(6 * n, 20), [1.0, 0.5, 0.2]);
        $run!(cloth, random(32 * n, 21), springs(32 * n));
        $run!(curve, scaled(0.05, random(10, 22)), market(4 * n));
        $run!(scenarios, scaled(0.05, random(10, 23)), market(4 * n));
        $run!(heston, vec![1.5, 0.04, 0.3, -0.6, 0.04], paths(8 * n));
        $run!(american_put, vec![1.0, 1.1, 0.3, 0.03], 20 * n);
        $run!(portfolio, random(16 * n, 24), rows(16 * n), portfolio_by_hand);
        $run!(logistic, random(20, 25), sparse(16 * n, 20), logistic_by_hand);
        $run!(factorization, random(16 * n * 4, 26), ratings(8 * n));
        $run!(random_field, random(36 + 6 * 20 * n, 27), labels(20 * n, 6));
        $run!(tracking, vec![0.1, 0.05, 0.3], random(20 * n, 29));
        $run!(time_warping, random(12 * n, 30), random(12 * n, 31));
        $run!(spline, random(32 * n, 32), knots(32 * n));
        $run!(layers, scaled(0.3, random(433, 33)), samples(4 * n));
        $run!(gated, scaled(0.5, random(144, 34)), random(10 * n, 35));
        $run!(attention, random(64 * n, 36), 8usize);
        $run!(convolution, shifted(-0.4, random(10, 37)), random((6 * n + 2) * (6 * n + 2), 38));
        $run!(messages, random(64 * n, 39), graph(16 * n));
        $run!(page_rank, shifted(0.5, random(64 * n, 40)), links(16 * n));
        $run!(kinetics, random(4, 41), reactions());
        $run!(epidemic, vec![1.2, 0.5, 0.3], random(20 * n, 42));
        $run!(kuramoto, random(10 * n, 43), random(10 * n, 44));
        $run!(spectrum, random(16 * n, 45), random(8 * n, 46));
        $run!(total_variation, random(64 * n * n, 47), random(64 * n * n, 48), total_variation_by_hand);
        $run!(blur, random(64 * n * n, 49), 10usize);
        $run!(thin_films, random(8, 50), random(8 * n, 51));
        $run!(recursive_filter, vec![0.3, 0.2, 0.1, -0.4, 0.2], random(50 * n, 52));
        $run!(
            chebyshev,
            random(16, 53),
            random(20 * n, 54).into_iter().zip(random(20 * n, 55)).collect::<Vec<_>>(),
            chebyshev_by_hand
        );
    }};
}
pub(crate) use each_kernel;

pub mod data;
