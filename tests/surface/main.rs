//! The public surface as a reader of its description writes it, sentence by sentence; and what a new user gets wrong.
#![allow(
    clippy::needless_borrows_for_generic_args,
    clippy::needless_range_loop,
    clippy::ptr_arg,
    clippy::default_constructed_unit_structs,
    reason = "functions and arguments are written as users write them"
)]

mod arguments;
mod choices;
mod variants;

use diffi::prelude::*;
use ndarray::{Array1, Array2, array};

pub fn near(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{a}, expected {b}");
}

pub fn nears(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len(), "{a:?}, expected {b:?}");
    a.iter().zip(b).for_each(|(a, b)| near(*a, *b));
}

/// 1. A differentiable function.
mod functions {
    use super::*;

    #[differentiable]
    pub fn rosenbrock(x: &[f64]) -> f64 {
        x.windows(2).map(|w| (1.0 - w[0]).powi(2) + 100.0 * (w[1] - w[0] * w[0]).powi(2)).sum()
    }

    /// The function itself is untouched: it is called, shadowed, passed to `map`.
    #[test]
    fn the_function_is_untouched() {
        #[differentiable]
        fn square(x: f64) -> f64 {
            x * x
        }
        let all: Vec<f64> = [1.0, 2.0].into_iter().map(square).collect();
        assert_eq!(all, [1.0, 4.0]);
        let square = square(3.0);
        assert_eq!(square, 9.0);
    }

    /// `D` is zero-sized and `Copy`, and follows imports.
    #[test]
    fn handles_are_values() -> Result<()> {
        mod inner {
            pub use super::rosenbrock as renamed;
        }
        use inner::renamed as valley;
        let handle = valley::D;
        let copy = handle;
        assert_eq!(size_of_val(&handle), 0);
        assert_eq!(gradient(copy, AutoReverse, &[1.0, 1.0])?, gradient(handle, AutoForward, &[1.0, 1.0])?);
        Ok(())
    }

    #[differentiable]
    fn power_sum<const N: usize>(x: [f64; N], p: i32) -> f64 {
        x.iter().map(|v| v.powi(p)).sum()
    }

    #[differentiable]
    fn over_floats<T: num_traits::Float>(x: &[T]) -> T {
        x[0] * x[1].sin()
    }

    /// Generic and const-generic functions; called with literals alone they are f64.
    #[test]
    fn generic_functions() -> Result<()> {
        assert_eq!(gradient(power_sum::D, AutoReverse, ([1.0, 2.0, 3.0], Constant(2)))?, [2.0, 4.0, 6.0]);
        assert_eq!(gradient(over_floats::D, AutoReverse, &[2.0, 0.0])?, [0.0, 2.0]);
        assert_eq!(gradient(over_floats::D, AutoReverse, &[2.0f32, 0.0])?, [0.0f32, 2.0]);
        Ok(())
    }

    #[derive(Clone, Differentiable)]
    struct Params {
        weights: Vec<f64>,
        bias: f64,
        steps: usize,
    }

    #[differentiable]
    fn model(p: &Params, x: f64) -> f64 {
        let mut y = p.bias;
        for _ in 0..p.steps {
            y += p.weights[0] * x + p.weights[1];
        }
        y
    }

    /// `struct Params` has the tangent type `ParamsTangent` with the same fields; every tangent has `to_flat`.
    #[test]
    fn structs() -> Result<()> {
        let p = Params { weights: vec![2.0, 3.0], bias: 1.0, steps: 2 };
        let dp = gradient(model::D, AutoReverse, (&p, Constant(0.5)))?;
        assert_eq!((&dp.weights[..], dp.bias), (&[1.0, 2.0][..], 1.0));
        assert_eq!(dp.to_flat(), [1.0, 2.0, 1.0]);
        let (_, by_x): (ParamsTangent<f64>, f64) = gradient(model::D, AutoReverse, (&p, 0.5))?;
        assert_eq!(by_x, 4.0);
        Ok(())
    }

    struct Unknown(f64);

    #[differentiable(constant(e, n), cache(buf), output(y))]
    fn declared(x: &[f64], e: &Unknown, n: f64, buf: &mut [f64], y: &mut [f64]) {
        assert!(x[0] > 0.0, "asserts of active values are harmless");
        for i in 0..x.len() {
            buf[i] = x[i] * e.0;
            y[i] = buf[i] * n;
        }
    }

    #[test]
    fn declared_parameters() -> Result<()> {
        let (mut buf, mut y) = (vec![0.0; 2], vec![0.0; 2]);
        let e = Unknown(2.0);
        let args = (&[1.0, 2.0], Constant(&e), Constant(3.0), Cache(&mut buf), &mut y);
        assert_eq!(jacobian(declared::D, AutoReverse, args)?, array![[6.0, 0.0], [0.0, 6.0]]);
        assert_eq!(y, [6.0, 12.0]);
        Ok(())
    }

    /// Calls of other annotated functions by their paths, itself included.
    #[differentiable]
    fn repeated(x: f64, n: usize) -> f64 {
        if n == 0 { x } else { functions::repeated(x.sin(), n - 1) }
    }
    use super::functions;

    #[test]
    fn recursion() -> Result<()> {
        let slope = derivative(repeated::D, AutoReverse, (0.7, Constant(2)))?;
        assert!((slope - 0.7f64.sin().cos() * 0.7f64.cos()).abs() < 1e-15);
        Ok(())
    }

    #[differentiable(pushforward = cube_jvp, pullback = cube_vjp)]
    fn cube(x: f64) -> f64 {
        x * x * x
    }
    fn cube_jvp(x: f64, dx: f64) -> f64 {
        3.0 * x * x * dx
    }
    fn cube_vjp(x: f64, dy: f64) -> f64 {
        3.0 * x * x * dy
    }

    #[differentiable(constant)]
    fn round(x: f64) -> f64 {
        x.round()
    }

    #[differentiable]
    fn both(x: f64) -> f64 {
        cube(x) + round(x) * x
    }

    #[test]
    fn rules() -> Result<()> {
        check_rule(cube::D, 1.5)?;
        assert_eq!(derivative(both::D, AutoReverse, 2.2)?, 3.0 * 2.2 * 2.2 + 2.0);
        Ok(())
    }
}

/// 2. Arguments.
mod passed {
    use super::*;

    #[differentiable]
    fn energy(x: &[f64], k: f64) -> f64 {
        0.5 * k * x.iter().map(|v| v * v).sum::<f64>()
    }

    #[differentiable]
    fn of_matrix(a: &Array2<f64>) -> f64 {
        a[[0, 0]] * a[[1, 1]]
    }

    #[differentiable]
    fn of_view(a: ndarray::ArrayView1<'_, f64>) -> f64 {
        a[0] * a[1]
    }

    #[differentiable]
    fn of_lent_view(a: &ndarray::ArrayView1<f64>) -> f64 {
        a[0] * a[1]
    }

    #[test]
    fn all_that_may_be_active() -> Result<()> {
        let (slice, vector, array) = (&[1.0, 2.0][..], vec![1.0, 2.0], [1.0, 2.0]);
        for g in [
            gradient(energy::D, AutoReverse, (slice, Constant(2.0)))?,
            gradient(energy::D, AutoReverse, (&vector, Constant(2.0)))?,
            gradient(energy::D, AutoReverse, (&array, Constant(2.0)))?,
            gradient(energy::D, AutoReverse, (&[1.0, 2.0], Constant(2.0)))?,
        ] {
            assert_eq!(g, [2.0, 4.0]);
        }
        assert_eq!(gradient(energy::D, AutoReverse, (Constant(&vector), 2.0))?, 2.5);
        assert_eq!(gradient(energy::D, AutoReverse, (&vector, 2.0))?, (vec![2.0, 4.0], 2.5));
        let a = array![[2.0, 0.0], [0.0, 3.0]];
        assert_eq!(gradient(of_matrix::D, AutoReverse, &a)?, array![[3.0, 0.0], [0.0, 2.0]]);
        let v: Array1<f64> = array![2.0, 3.0];
        assert_eq!(gradient(of_view::D, AutoReverse, v.view())?, array![3.0, 2.0]);
        assert_eq!(gradient(of_view::D, AutoReverse, &v)?, array![3.0, 2.0]);
        assert_eq!(gradient(of_lent_view::D, AutoForward, &v.view())?, array![3.0, 2.0]);
        assert_eq!(pushforward(of_lent_view::D, AutoForward, v.view(), &v.view())?, 12.0);
        Ok(())
    }

    #[differentiable]
    fn squared(x: &mut [f64]) {
        for v in x.iter_mut() {
            *v *= *v;
        }
    }

    /// A parameter that is read and written is input and output.
    #[test]
    fn in_and_out() -> Result<()> {
        let mut x = [3.0, 4.0];
        assert_eq!(jacobian(squared::D, AutoReverse, &mut x)?, array![[6.0, 0.0], [0.0, 8.0]]);
        assert_eq!(x, [9.0, 16.0]);
        Ok(())
    }
}

/// 3. Operators.
mod operators {
    use super::*;
    use diffi::types::{Input, Passed, Ref, Val};
    use diffi::{GradientBackend, GradientPrep};

    #[differentiable]
    fn cubes(x: &[f64]) -> f64 {
        x.iter().map(|v| v * v * v).sum()
    }

    #[differentiable]
    fn squares(x: &[f64]) -> Vec<f64> {
        x.iter().map(|v| v * v).collect()
    }

    #[differentiable]
    fn wave(x: f64) -> f64 {
        x * x * x
    }

    #[differentiable]
    fn pair(a: &[f64], b: f64) -> f64 {
        a[0] * a[1] * b
    }

    const X: [f64; 2] = [1.0, 2.0];

    #[test]
    fn the_table() -> Result<()> {
        let b = AutoReverse;
        assert_eq!(pushforward(squares::D, b, &X, &[1.0, 0.5])?, [2.0, 2.0]);
        assert_eq!(pullback(squares::D, b, &X, &[1.0, 0.5])?, [2.0, 2.0]);
        assert_eq!(derivative(wave::D, b, 2.0)?, 12.0);
        assert_eq!(gradient(pair::D, b, (&X, 3.0))?, (vec![6.0, 3.0], 2.0));
        let (ja, jb) = jacobian(pair::D, b, (&X, 3.0))?;
        assert_eq!((ja, jb), (array![[6.0, 3.0]], array![[2.0]]));
        assert_eq!(second_derivative(wave::D, b, 2.0)?, 12.0);
        assert_eq!(hvp(pair::D, b, (&X, 3.0), (&[1.0, 0.0], 1.0))?, (vec![2.0, 4.0], 2.0));
        assert_eq!(hessian(pair::D, b, (&X, 3.0))?, array![[0.0, 3.0, 2.0], [3.0, 0.0, 1.0], [2.0, 1.0, 0.0]]);
        Ok(())
    }

    #[test]
    fn several_seeds_and_buffers() -> Result<()> {
        let [one, two] = pushforward(squares::D, AutoForward, &X, [&[1.0, 0.0], &[0.0, 1.0]])?;
        assert_eq!((one, two), (vec![2.0, 0.0], vec![0.0, 4.0]));
        let (mut ga, mut gb) = (vec![0.0; 2], 0.0);
        gradient_into(pair::D, AutoReverse, (&mut ga, &mut gb), (&X, 3.0))?;
        let mut both = (vec![0.0; 2], 0.0);
        gradient_into(pair::D, AutoReverse, &mut both, (&X, 3.0))?;
        assert_eq!(both, (ga, gb));
        Ok(())
    }

    #[test]
    fn odd_names() -> Result<()> {
        assert_eq!(value_derivative_and_second_derivative(wave::D, AutoReverse, 2.0)?, (8.0, 12.0, 12.0));
        assert_eq!(gradient_and_hvp(cubes::D, AutoReverse, &X, &[1.0, 0.0])?, (vec![3.0, 12.0], vec![6.0, 0.0]));
        let (y, g, h) = value_gradient_and_hessian(cubes::D, AutoReverse, &X)?;
        assert_eq!((y, g, h), (9.0, vec![3.0, 12.0], array![[6.0, 0.0], [0.0, 12.0]]));
        Ok(())
    }

    #[test]
    fn preparation() -> Result<()> {
        let mut prep = prepare_gradient(cubes::D, AutoReverse::default(), &X)?;
        let mut g = prep.gradient(&X)?;
        let y = prep.value_and_gradient_into(&mut g, &X)?;
        assert_eq!((y, &g[..]), (9.0, &[3.0, 12.0][..]));
        prep.resize(&[1.0, 2.0, 3.0])?;
        assert_eq!(prep.gradient(&[1.0, 2.0, 3.0])?, [3.0, 12.0, 27.0]);
        let mut at = prepare_pullback_same_point(squares::D, AutoReverse::default(), &X, &[0.0, 0.0])?;
        assert_eq!((at.pullback(&[1.0, 0.0])?, at.value()), (vec![2.0, 0.0], vec![1.0, 4.0]));
        Ok(())
    }

    /// Prepared types can be struct fields.
    struct Solver {
        gradient: PairGradient,
    }

    type PairGradient = GradientPrep<pair, AutoReverse, (Ref<[f64]>, Val<f64>), (Input, Passed)>;

    #[test]
    fn prepared_objects_have_names() -> Result<()> {
        let mut solver = Solver { gradient: prepare_gradient(pair::D, AutoReverse, (&X, Constant(1.0)))? };
        assert_eq!(solver.gradient.gradient((&X, Constant(2.0)))?, [4.0, 2.0]);
        std::thread::spawn(move || solver.gradient.gradient((&X, Constant(2.0)))).join().unwrap()?;
        Ok(())
    }

    /// Code that is generic over the backend.
    fn descend<B: GradientBackend<cubes, (Ref<[f64]>,), (Input,)>>(backend: B, x: &[f64]) -> Result<Vec<f64>> {
        gradient(cubes::D, backend, x)
    }

    #[test]
    fn generic_backends() -> Result<()> {
        assert_eq!(descend(AutoForward, &X)?, descend(AutoReverse, &X)?);
        Ok(())
    }
}

/// 4. Backends.
mod backends {
    use super::*;

    #[differentiable]
    fn product(x: &[f64]) -> f64 {
        x[0] * x[1]
    }

    #[test]
    fn values_and_builders() -> Result<()> {
        let x = [2.0, 3.0];
        for backend in [AutoFiniteDiff, AutoFiniteDiff::default(), AutoFiniteDiff.relative_step(1e-5)] {
            let g = gradient(product::D, backend, &x)?;
            assert!((g[0] - 3.0).abs() < 1e-8 && (g[1] - 2.0).abs() < 1e-8);
        }
        assert_eq!(gradient(product::D, MixedMode(AutoForward, AutoReverse), &x)?, [3.0, 2.0]);
        assert_eq!(hessian(product::D, SecondOrder(AutoForward, AutoReverse), &x)?, array![[0.0, 1.0], [1.0, 0.0]]);
        Ok(())
    }

    #[test]
    fn queries() {
        let second = SecondOrder(AutoForward, AutoReverse);
        assert_eq!((second.mode(), second.inner(), second.outer()), (Mode::Forward, &AutoReverse, &AutoForward));
        assert_eq!((AutoForward.reverse_counterpart(), AutoReverse.forward_counterpart()), (AutoReverse, AutoForward));
    }

    /// Plain closures work with finite differences.
    #[test]
    fn closures() -> Result<()> {
        let scale = 3.0;
        let g = gradient(|x: &[f64]| scale * x[0] * x[0], AutoFiniteDiff, &[2.0])?;
        assert!((g[0] - 12.0).abs() < 1e-7);
        Ok(())
    }
}

/// What goes wrong with other interfaces, tried as one would: a message or the right number, never a wrong one.
/// What does not compile is in `tests/ui`.
mod misuse {
    use super::*;

    #[differentiable]
    fn weighed(x: &[f64], weights: &[f64]) -> f64 {
        x.iter().zip(weights).map(|(x, w)| x * x * w).sum()
    }

    /// A prepared object for other sizes: in DI sizes are not checked.
    #[test]
    fn prepared_for_other_sizes() -> Result<()> {
        let mut prep = prepare_gradient(weighed::D, AutoReverse, (&[1.0, 2.0], &[1.0, 1.0]))?;
        let error = prep.gradient((&[1.0, 2.0], &[1.0, 1.0, 1.0])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "prepared for arguments of size (2, 2), called with size (2, 3): argument 2, `weights`, differs; prepare again, or \
             call `resize` first"
        );
        let error = prep.gradient_into(&mut (vec![0.0; 3], vec![0.0; 2]), (&[1.0, 2.0], &[1.0, 1.0])).unwrap_err();
        assert_eq!(error.to_string(), "expected a result buffer of size (2, 2), found (3, 2)");
        let error =
            pushforward(weighed::D, AutoForward, (&[1.0, 2.0], &[1.0, 1.0]), (&[1.0], &[1.0, 1.0])).unwrap_err();
        assert_eq!(error.to_string(), "expected a seed of size (2, 2), found (1, 2)");
        Ok(())
    }

    #[differentiable]
    fn two_branches(x: f64) -> f64 {
        if x > 0.0 { x * x } else { -x }
    }

    /// A branch that goes the other way after preparation: a recorded tape would give the derivative of the first.
    #[test]
    fn another_branch_than_at_preparation() -> Result<()> {
        let mut prep = prepare_derivative(two_branches::D, AutoReverse, 2.0)?;
        assert_eq!([prep.derivative(-3.0)?, prep.derivative(3.0)?], [-1.0, 6.0]);
        Ok(())
    }

    /// Another constant than at preparation.
    #[test]
    fn another_constant_than_at_preparation() -> Result<()> {
        let mut prep = prepare_gradient(weighed::D, AutoReverse, (&[1.0, 2.0], Constant(&[0.0, 0.0])))?;
        assert_eq!(prep.gradient((&[1.0, 2.0], Constant(&[3.0, 5.0])))?, [6.0, 20.0]);
        Ok(())
    }

    #[differentiable]
    fn written_and_read(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += x[i] * x[i];
        }
    }

    /// An output whose old value matters: DI asks the user not to do so; here it is an input, too.
    #[test]
    fn an_output_that_is_read() -> Result<()> {
        let mut y = [10.0];
        assert_eq!(jacobian(written_and_read::D, AutoReverse, (&[3.0], &mut y))?, (array![[6.0]], array![[1.0]]));
        assert_eq!(y, [19.0]);
        Ok(())
    }

    /// A cache that holds anything at all.
    #[differentiable(cache(scratch))]
    fn by_scratch(x: &[f64], scratch: &mut [f64]) -> f64 {
        scratch[0] = x[0] * x[0];
        scratch[0] * x[0]
    }

    #[test]
    fn a_cache_full_of_nans() -> Result<()> {
        let mut scratch = [f64::NAN];
        let mut prep = prepare_gradient(by_scratch::D, AutoReverse, (&[1.0], Cache(&mut scratch)))?;
        scratch = [f64::NAN];
        assert_eq!(prep.gradient((&[2.0], Cache(&mut scratch)))?, [12.0]);
        Ok(())
    }

    /// Nothing to differentiate by, and nothing to differentiate.
    #[test]
    fn empty_inputs() -> Result<()> {
        let none: [f64; 0] = [];
        assert!(gradient(weighed::D, AutoReverse, (&none, &none))?.0.is_empty());
        assert_eq!(hessian(weighed::D, AutoReverse, (&none, Constant(&none)))?.dim(), (0, 0));
        assert_eq!(pushforward(weighed::D, AutoForward, (&none, Constant(&none)), &none)?, 0.0);
        assert_eq!(jacobian(weighed::D, AutoForward, (&none, Constant(&none)))?.dim(), (1, 0));
        Ok(())
    }
}
