//! Every operator in every variant, prepared and not, generic over floats and backends, in fields of structs.

use super::{near, nears};
use diffi::prelude::*;
use ndarray::{Array2, array};

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
fn waves(x: f64) -> [f64; 2] {
    [x * x, x * x * x]
}
#[differentiable]
fn pair(a: &[f64], b: f64) -> f64 {
    a[0] * a[1] * b
}
#[differentiable]
fn pair_out(a: &[f64], b: f64) -> Vec<f64> {
    vec![a[0] * b, a[1] * b]
}
#[differentiable]
fn square_nd(x: &Array2<f64>) -> Array2<f64> {
    x * x
}
#[differentiable]
fn single(x: &[f32]) -> f32 {
    x[0] * x[1] * x[1]
}
#[differentiable]
fn tuple_out(x: f64, y: f64) -> (f64, f64) {
    (x * y, x + y)
}
const X: [f64; 2] = [1.0, 2.0];

#[test]
fn pushforwards() -> Result<()> {
    let b = AutoForward;
    let dx = [1.0, 0.5];
    nears(&pushforward(squares::D, b, &X, &dx)?, &[2.0, 2.0]);
    nears(&pushforward(squares::D, b, &X, dx)?, &[2.0, 2.0]);
    nears(&pushforward(squares::D, b, &X, &vec![1.0, 0.5])?, &[2.0, 2.0]);
    nears(&pushforward(squares::D, b, &X, &dx[..])?, &[2.0, 2.0]);
    let mut dy = vec![0.0; 2];
    pushforward_into(squares::D, b, &mut dy, &X, &dx)?;
    nears(&dy, &[2.0, 2.0]);
    let (y, t) = value_and_pushforward(squares::D, b, &X, &dx)?;
    nears(&y, &[1.0, 4.0]);
    nears(&t, &[2.0, 2.0]);
    let y = value_and_pushforward_into(squares::D, b, &mut dy, &X, &dx)?;
    nears(&y, &[1.0, 4.0]);
    let mut p = prepare_pushforward(squares::D, b, &X, &dx)?;
    nears(&p.pushforward(&X, &dx)?, &[2.0, 2.0]);
    p.pushforward_into(&mut dy, &X, &dx)?;
    let (y, t) = p.value_and_pushforward(&X, &dx)?;
    nears(&y, &[1.0, 4.0]);
    nears(&t, &[2.0, 2.0]);
    let y = p.value_and_pushforward_into(&mut dy, &X, &dx)?;
    nears(&y, &[1.0, 4.0]);
    let dx2 = [0.0, 1.0];
    let [a, c] = pushforward(squares::D, b, &X, [&dx, &dx2])?;
    nears(&a, &[2.0, 2.0]);
    nears(&c, &[0.0, 4.0]);
    let [a, c] = pushforward(squares::D, b, &X, [dx, dx2])?;
    nears(&a, &[2.0, 2.0]);
    nears(&c, &[0.0, 4.0]);
    let (mut r1, mut r2) = (vec![0.0; 2], vec![0.0; 2]);
    pushforward_into(squares::D, b, [&mut r1, &mut r2], &X, [&dx, &dx2])?;
    nears(&r2, &[0.0, 4.0]);
    let mut both = [vec![0.0; 2], vec![0.0; 2]];
    pushforward_into(squares::D, b, &mut both, &X, [&dx, &dx2])?;
    nears(&both[1], &[0.0, 4.0]);
    let (y, [_, c]) = value_and_pushforward(squares::D, b, &X, [&dx, &dx2])?;
    nears(&y, &[1.0, 4.0]);
    nears(&c, &[0.0, 4.0]);
    let mut p = prepare_pushforward(squares::D, b, &X, [&dx, &dx2])?;
    let [_, c] = p.pushforward(&X, [&dx, &dx2])?;
    nears(&c, &[0.0, 4.0]);
    let mut at = prepare_pushforward_same_point(squares::D, b, &X, &dx)?;
    nears(&at.pushforward(&dx)?, &[2.0, 2.0]);
    at.pushforward_into(&mut dy, &dx2)?;
    nears(&dy, &[0.0, 4.0]);
    let v = at.value();
    nears(&v, &[1.0, 4.0]);
    near(pushforward(pair::D, b, (&X, 3.0), (&dx, 1.0))?, 3.0 * 2.0 + 3.0 * 0.5 + 2.0);
    near(pushforward(pair::D, b, (&X, 3.0), &(&dx, 1.0))?, 3.0 * 2.0 + 3.0 * 0.5 + 2.0);
    near(pushforward(pair::D, b, (&X, Constant(3.0)), &dx)?, 3.0 * 2.0 + 3.0 * 0.5);
    let [p1, p2] = pushforward(pair::D, b, (&X, 3.0), [(&dx, 1.0), (&dx2, 0.0)])?;
    near(p1, 9.5);
    near(p2, 3.0);
    assert_eq!(pushforward(tuple_out::D, b, (1.0, 2.0), (1.0, 0.0))?, (2.0, 1.0));
    near(pushforward(wave::D, b, 2.0, 1.0)?, 12.0);
    near(pushforward(wave::D, b, 2.0, &1.0)?, 12.0);
    let [p1, p2] = pushforward(wave::D, b, 2.0, [1.0, 2.0])?;
    near(p1, 12.0);
    near(p2, 24.0);
    assert_eq!(pushforward(single::D, b, &[1.0, 2.0], &[1.0, 0.0])?, 4.0);
    let m = array![[1.0, 2.0]];
    assert_eq!(pushforward(square_nd::D, b, &m, &array![[1.0, 1.0]])?, array![[2.0, 4.0]]);
    Ok(())
}

#[test]
fn pullbacks() -> Result<()> {
    let b = AutoReverse;
    let dy = [1.0, 0.5];
    nears(&pullback(squares::D, b, &X, &dy)?, &[2.0, 2.0]);
    nears(&pullback(squares::D, b, &X, dy)?, &[2.0, 2.0]);
    nears(&pullback(squares::D, b, &X, &dy.to_vec())?, &[2.0, 2.0]);
    let mut dx = [0.0; 2];
    pullback_into(squares::D, b, &mut dx, &X, &dy)?;
    nears(&dx, &[2.0, 2.0]);
    let (y, t) = value_and_pullback(squares::D, b, &X, &dy)?;
    nears(&y, &[1.0, 4.0]);
    nears(&t, &[2.0, 2.0]);
    let y = value_and_pullback_into(squares::D, b, &mut dx, &X, &dy)?;
    nears(&y, &[1.0, 4.0]);
    let mut p = prepare_pullback(squares::D, b, &X, &dy)?;
    nears(&p.pullback(&X, &dy)?, &[2.0, 2.0]);
    p.pullback_into(&mut dx, &X, &dy)?;
    p.value_and_pullback(&X, &dy)?;
    p.value_and_pullback_into(&mut dx, &X, &dy)?;
    let dy2 = [0.0, 1.0];
    let [a, c] = pullback(squares::D, b, &X, [&dy, &dy2])?;
    nears(&a, &[2.0, 2.0]);
    nears(&c, &[0.0, 4.0]);
    let mut at = prepare_pullback_same_point(squares::D, b, &X, &dy)?;
    nears(&at.pullback(&dy2)?, &[0.0, 4.0]);
    at.pullback_into(&mut dx, &dy)?;
    nears(&dx, &[2.0, 2.0]);
    nears(&at.value(), &[1.0, 4.0]);
    let (ga, gb) = pullback(pair_out::D, b, (&X, 3.0), &dy)?;
    nears(&ga, &[3.0, 1.5]);
    near(gb, 2.0);
    let (mut ga, mut gb) = (vec![0.0; 2], 0.0);
    pullback_into(pair_out::D, b, (&mut ga, &mut gb), (&X, 3.0), &dy)?;
    near(gb, 2.0);
    let mut both = (vec![0.0; 2], 0.0);
    pullback_into(pair_out::D, b, &mut both, (&X, 3.0), &dy)?;
    near(both.1, 2.0);
    let mut two = [(vec![0.0; 2], 0.0), (vec![0.0; 2], 0.0)];
    pullback_into(pair_out::D, b, &mut two, (&X, 3.0), [&dy, &dy2])?;
    near(two[1].1, 2.0);
    let mut at = prepare_pullback_same_point(pair_out::D, b, (&X, 3.0), &dy)?;
    let (ga, gb) = at.pullback(&dy)?;
    nears(&ga, &[3.0, 1.5]);
    near(gb, 2.0);
    assert_eq!(pullback(tuple_out::D, b, (1.0, 2.0), (1.0, 0.0))?, (2.0, 1.0));
    assert_eq!(pullback(tuple_out::D, b, (1.0, 2.0), &(1.0, 0.0))?, (2.0, 1.0));
    let [a, c] = pullback(tuple_out::D, b, (1.0, 2.0), [(1.0, 0.0), (0.0, 1.0)])?;
    assert_eq!((a, c), ((2.0, 1.0), (1.0, 1.0)));
    near(pullback(wave::D, b, 2.0, 1.0)?, 12.0);
    assert_eq!(pullback(square_nd::D, b, &array![[1.0, 2.0]], &array![[1.0, 1.0]])?, array![[2.0, 4.0]]);
    Ok(())
}

#[test]
fn derivatives() -> Result<()> {
    {
        near(derivative(wave::D, AutoForward, 2.0)?, 12.0);
        assert_eq!(derivative(waves::D, AutoReverse, 2.0)?, [4.0, 12.0]);
        let mut d = 0.0;
        derivative_into(wave::D, AutoForward, &mut d, 2.0)?;
        near(d, 12.0);
        let mut ds = [0.0; 2];
        derivative_into(waves::D, AutoForward, &mut ds, 2.0)?;
        nears(&ds, &[4.0, 12.0]);
        assert_eq!(value_and_derivative(waves::D, AutoForward, 2.0)?, ([4.0, 8.0], [4.0, 12.0]));
        assert_eq!(value_and_derivative_into(waves::D, AutoForward, &mut ds, 2.0)?, [4.0, 8.0]);
        let mut p = prepare_derivative(waves::D, AutoForward, 1.0)?;
        assert_eq!(p.derivative(2.0)?, [4.0, 12.0]);
        p.derivative_into(&mut ds, 2.0)?;
        assert_eq!(p.value_and_derivative(2.0)?, ([4.0, 8.0], [4.0, 12.0]));
        p.value_and_derivative_into(&mut ds, 2.0)?;
        near(second_derivative(wave::D, AutoForward, 2.0)?, 12.0);
        assert_eq!(second_derivative(waves::D, AutoReverse, 2.0)?, [2.0, 12.0]);
        let mut s = [0.0; 2];
        second_derivative_into(waves::D, AutoForward, &mut s, 2.0)?;
        nears(&s, &[2.0, 12.0]);
        assert_eq!(
            value_derivative_and_second_derivative(waves::D, AutoForward, 2.0)?,
            ([4.0, 8.0], [4.0, 12.0], [2.0, 12.0])
        );
        let y = value_derivative_and_second_derivative_into(waves::D, AutoForward, &mut ds, &mut s, 2.0)?;
        nears(&y, &[4.0, 8.0]);
        let mut p = prepare_second_derivative(waves::D, AutoForward, 1.0)?;
        assert_eq!(p.second_derivative(2.0)?, [2.0, 12.0]);
        p.second_derivative_into(&mut s, 2.0)?;
        p.value_derivative_and_second_derivative(2.0)?;
        p.value_derivative_and_second_derivative_into(&mut ds, &mut s, 2.0)?;
    }
    Ok(())
}

#[test]
fn gradients() -> Result<()> {
    let b = AutoReverse::default();
    let mut g = vec![0.0; 2];
    gradient_into(cubes::D, b, &mut g, &X)?;
    nears(&g, &[3.0, 12.0]);
    gradient_into(cubes::D, b, &mut g[..], &X)?;
    gradient_into(cubes::D, b, g.as_mut_slice(), &X)?;
    let mut ga = [0.0; 2];
    gradient_into(cubes::D, b, &mut ga, &X)?;
    nears(&ga, &[3.0, 12.0]);
    let (y, g2) = value_and_gradient(cubes::D, b, &X)?;
    near(y, 9.0);
    nears(&g2, &g);
    near(value_and_gradient_into(cubes::D, b, &mut g, &X)?, 9.0);
    let mut p = prepare_gradient(cubes::D, b, &X)?;
    p.gradient(&X)?;
    p.gradient_into(&mut g, &X)?;
    p.value_and_gradient(&X)?;
    p.value_and_gradient_into(&mut g, &X)?;
    p.resize(&[1.0, 2.0, 3.0])?;
    nears(&p.gradient(&vec![1.0, 2.0, 3.0])?, &[3.0, 12.0, 27.0]);
    let e = p.gradient(&X).unwrap_err();
    assert!(matches!(e, Error::PreparationMismatch { .. }));
    let (mut ga, mut gb) = (vec![0.0; 2], 0.0);
    let mut p = prepare_gradient(pair::D, b, (&X, 3.0))?;
    p.gradient_into((&mut ga, &mut gb), (&X, 3.0))?;
    near(gb, 2.0);
    let mut both = p.gradient((&X, 3.0))?;
    p.gradient_into(&mut both, (&X, 3.0))?;
    let mut fixed = ([0.0; 2], 0.0);
    p.gradient_into(&mut fixed, (&X, 3.0))?;
    nears(&fixed.0, &[6.0, 3.0]);
    assert_eq!(gradient(wave::D, b, 2.0)?, 12.0);
    assert_eq!(gradient(single::D, b, &[1.0, 2.0])?, vec![4.0f32, 4.0]);
    Ok(())
}

#[test]
fn jacobians() -> Result<()> {
    {
        let b = AutoForward;
        let want = array![[2.0, 0.0], [0.0, 4.0]];
        assert_eq!(jacobian(squares::D, b, &X)?, want);
        let mut j = Array2::zeros((2, 2));
        jacobian_into(squares::D, b, &mut j, &X)?;
        assert_eq!(j, want);
        let (y, j2) = value_and_jacobian(squares::D, b, &X)?;
        nears(&y, &[1.0, 4.0]);
        assert_eq!(j2, want);
        nears(&value_and_jacobian_into(squares::D, b, &mut j, &X)?, &[1.0, 4.0]);
        let mut p = prepare_jacobian(squares::D, b, &X)?;
        assert_eq!(p.jacobian(&X)?, want);
        p.jacobian_into(&mut j, &X)?;
        p.value_and_jacobian(&X)?;
        p.value_and_jacobian_into(&mut j, &X)?;
        p.jacobian_into(&mut j.view_mut(), &X).unwrap_or(());
        let (ja, jb) = jacobian(pair_out::D, b, (&X, 3.0))?;
        assert_eq!((ja, jb), (array![[3.0, 0.0], [0.0, 3.0]], array![[1.0], [2.0]]));
        let (mut ja, mut jb) = (Array2::zeros((2, 2)), Array2::zeros((2, 1)));
        jacobian_into(pair_out::D, b, (&mut ja, &mut jb), (&X, 3.0))?;
        assert_eq!(jb, array![[1.0], [2.0]]);
        let mut both = (ja, jb);
        jacobian_into(pair_out::D, b, &mut both, (&X, 3.0))?;
        assert_eq!(jacobian(tuple_out::D, b, (1.0, 2.0))?, (array![[2.0], [1.0]], array![[1.0], [1.0]]));
        assert_eq!(jacobian(square_nd::D, b, &array![[1.0, 2.0]])?, want);
        assert_eq!(jacobian(single::D, b, &[1.0f32, 2.0])?, array![[4.0f32, 4.0]]);
        assert_eq!(jacobian(pair_out::D, b, (&X, Constant(3.0)))?, array![[3.0, 0.0], [0.0, 3.0]]);
    }
    Ok(())
}

#[test]
fn second_order() -> Result<()> {
    let b = AutoReverse;
    let v = [1.0, 1.0];
    nears(&hvp(cubes::D, b, &X, &v)?, &[6.0, 12.0]);
    nears(&hvp(cubes::D, b, &X, v)?, &[6.0, 12.0]);
    let mut r = vec![0.0; 2];
    hvp_into(cubes::D, b, &mut r, &X, &v)?;
    nears(&r, &[6.0, 12.0]);
    let mut g = vec![0.0; 2];
    let (g1, h1) = gradient_and_hvp(cubes::D, b, &X, &v)?;
    nears(&g1, &[3.0, 12.0]);
    nears(&h1, &[6.0, 12.0]);
    gradient_and_hvp_into(cubes::D, b, &mut g, &mut r, &X, &v)?;
    nears(&g, &[3.0, 12.0]);
    let mut p = prepare_hvp(cubes::D, b, &X, &v)?;
    p.hvp(&X, &v)?;
    p.hvp_into(&mut r, &X, &v)?;
    p.gradient_and_hvp(&X, &v)?;
    p.gradient_and_hvp_into(&mut g, &mut r, &X, &v)?;
    let [h1, h2] = hvp(cubes::D, b, &X, [&v, &[1.0, 0.0]])?;
    nears(&h1, &[6.0, 12.0]);
    nears(&h2, &[6.0, 0.0]);
    let (_, [h1, _]) = gradient_and_hvp(cubes::D, b, &X, [&v, &[1.0, 0.0]])?;
    nears(&h1, &[6.0, 12.0]);
    let mut at = prepare_hvp_same_point(cubes::D, b, &X, &v)?;
    nears(&at.hvp(&v)?, &[6.0, 12.0]);
    at.hvp_into(&mut r, &v)?;
    let (ha, hb) = hvp(pair::D, b, (&X, 3.0), (&[1.0, 0.0], 1.0))?;
    nears(&ha, &[2.0, 4.0]);
    near(hb, 2.0);
    let (mut ha, mut hb) = (vec![0.0; 2], 0.0);
    hvp_into(pair::D, b, (&mut ha, &mut hb), (&X, 3.0), (&[1.0, 0.0], 1.0))?;
    near(hb, 2.0);
    let want = array![[6.0, 0.0], [0.0, 12.0]];
    assert_eq!(hessian(cubes::D, b, &X)?, want);
    let mut h = Array2::zeros((2, 2));
    hessian_into(cubes::D, b, &mut h, &X)?;
    assert_eq!(h, want);
    let (y, g1, h1) = value_gradient_and_hessian(cubes::D, b, &X)?;
    near(y, 9.0);
    nears(&g1, &[3.0, 12.0]);
    assert_eq!(h1, want);
    near(value_gradient_and_hessian_into(cubes::D, b, &mut g, &mut h, &X)?, 9.0);
    let mut p = prepare_hessian(cubes::D, b, &X)?;
    p.hessian(&X)?;
    p.hessian_into(&mut h, &X)?;
    p.value_gradient_and_hessian(&X)?;
    p.value_gradient_and_hessian_into(&mut g, &mut h, &X)?;
    let (y, (ga, gb), h3) = value_gradient_and_hessian(pair::D, b, (&X, 3.0))?;
    near(y, 6.0);
    nears(&ga, &[6.0, 3.0]);
    near(gb, 2.0);
    assert_eq!(h3.dim(), (3, 3));
    let mut h3 = Array2::zeros((3, 3));
    let (mut ga, mut gb) = (vec![0.0; 2], 0.0);
    value_gradient_and_hessian_into(pair::D, b, (&mut ga, &mut gb), &mut h3, (&X, 3.0))?;
    assert_eq!(hessian(single::D, b, &[1.0, 2.0])?, array![[0.0f32, 4.0], [4.0, 2.0]]);
    assert_eq!(hessian(wave::D, b, 2.0)?, array![[12.0]]);
    near(hvp(wave::D, b, 2.0, 1.0)?, 12.0);
    Ok(())
}

#[differentiable]
fn generic<T: num_traits::Float>(x: &[T], k: T) -> T {
    x[0] * x[0] * k
}
#[differentiable]
fn generic_one<T: num_traits::Float>(x: T) -> T {
    x * x.sin()
}
#[differentiable]
fn const_generic<const N: usize>(x: [f64; N]) -> f64 {
    let mut s = 0.0;
    for i in 0..N {
        s += x[i] * x[i];
    }
    s
}
#[differentiable]
fn ref_const<const N: usize>(x: &[f64; N], m: &[[f64; N]; N]) -> f64 {
    let mut s = 0.0;
    for i in 0..N {
        for j in 0..N {
            s += x[i] * m[i][j] * x[j];
        }
    }
    s
}
#[test]
fn generics() -> Result<()> {
    nears(&gradient(generic::D, AutoReverse, (&[3.0, 1.0], Constant(2.0)))?, &[12.0, 0.0]);
    let (g, k) = gradient(generic::D, AutoReverse, (&[3.0, 1.0], 2.0))?;
    nears(&g, &[12.0, 0.0]);
    near(k, 9.0);
    let (g, k): (Vec<f32>, f32) = gradient(generic::D, AutoReverse, (&[3.0f32, 1.0], 2.0f32))?;
    assert_eq!((g, k), (vec![12.0, 0.0], 9.0));
    let g = gradient(generic::D, AutoReverse, (&vec![3.0f32, 1.0], Constant(2.0f32)))?;
    assert_eq!(g, [12.0, 0.0]);
    let d = derivative(generic_one::D, AutoForward, 1.0)?;
    near(d, 1f64.sin() + 1f64.cos());
    let d: f32 = derivative(generic_one::D, AutoForward, 1.0f32)?;
    assert!((d - 1.3817733).abs() < 1e-6);
    near(second_derivative(generic_one::D, AutoForward, 1.0)?, 2.0 * 1f64.cos() - 1f64.sin());
    nears(&gradient(const_generic::D, AutoReverse, [1.0, 2.0])?, &[2.0, 4.0]);
    nears(&gradient(const_generic::D, AutoReverse, &[1.0, 2.0, 3.0])?, &[2.0, 4.0, 6.0]);
    let (gx, gm) = gradient(ref_const::D, AutoReverse, (&[1.0, 2.0], &[[1.0, 0.0], [0.0, 1.0]]))?;
    nears(&gx, &[2.0, 4.0]);
    assert_eq!(gm, [[1.0, 2.0], [2.0, 4.0]]);
    nears(&gradient(ref_const::D, AutoReverse, (&[1.0, 2.0], Constant(&[[1.0, 0.0], [0.0, 1.0]])))?, &[2.0, 4.0]);
    nears(&gradient(ref_const::D, AutoReverse, (&[1.0, 2.0], Constant([[1.0, 0.0], [0.0, 1.0]])))?, &[2.0, 4.0]);
    Ok(())
}

use diffi::types::{Input, Passed, Ref, Val};
type Energy = GradientPrep<pair, AutoReverse, (Ref<[f64]>, Val<f64>), (Input, Passed)>;
struct Solver {
    grad: Energy,
    jac: JacobianPrep<squares, AutoForward, (Ref<[f64]>,), (Input,)>,
    h: HessianPrep<cubes, AutoReverse, (Ref<[f64]>,), (Input,)>,
    p: PushforwardPrep<squares, AutoForward, (Ref<[f64]>,), (Input,)>,
    q: PullbackPrep<squares, AutoReverse, (Ref<[f64]>,), (Input,)>,
    v: HvpPrep<cubes, AutoReverse, (Ref<[f64]>,), (Input,)>,
    d: DerivativePrep<wave, AutoForward, (Val<f64>,), (Input,)>,
    s: SecondDerivativePrep<wave, AutoForward, (Val<f64>,), (Input,)>,
}
#[test]
fn fields() -> Result<()> {
    let mut s = Solver {
        grad: prepare_gradient(pair::D, AutoReverse, (&X, Constant(1.0)))?,
        jac: prepare_jacobian(squares::D, AutoForward, &X)?,
        h: prepare_hessian(cubes::D, AutoReverse, &X)?,
        p: prepare_pushforward(squares::D, AutoForward, &X, &X)?,
        q: prepare_pullback(squares::D, AutoReverse, &X, &X)?,
        v: prepare_hvp(cubes::D, AutoReverse, &X, &X)?,
        d: prepare_derivative(wave::D, AutoForward, 1.0)?,
        s: prepare_second_derivative(wave::D, AutoForward, 1.0)?,
    };
    nears(&s.grad.gradient((&X, Constant(2.0)))?, &[4.0, 2.0]);
    s.jac.jacobian(&X)?;
    s.h.hessian(&X)?;
    s.p.pushforward(&X, &X)?;
    s.q.pullback(&X, &X)?;
    s.v.hvp(&X, &X)?;
    near(s.d.derivative(2.0)?, 12.0);
    near(s.s.second_derivative(2.0)?, 12.0);
    println!("{:?}", s.grad);
    fn send<T: Send>(_: &T) {}
    send(&s);
    let mut handles = Vec::new();
    for k in 0..2 {
        let mut p = prepare_gradient(cubes::D, AutoReverse, &X)?;
        handles.push(std::thread::spawn(move || p.gradient(&[k as f64, 1.0])));
    }
    for h in handles {
        h.join().unwrap()?;
    }
    Ok(())
}

use diffi::{GradientBackend, HvpBackend, PullbackBackend, PushforwardBackend, SecondDerivativeBackend};
fn descend<B: GradientBackend<cubes, (Ref<[f64]>,), (Input,)>>(b: B, x: &mut Vec<f64>) -> Result<f64> {
    let mut prep = prepare_gradient(cubes::D, b, &*x)?;
    let mut g = vec![0.0; x.len()];
    let y = prep.value_and_gradient_into(&mut g, &*x)?;
    for (x, g) in x.iter_mut().zip(&g) {
        *x -= 0.01 * g;
    }
    Ok(y)
}
fn newton<B>(b: B, x: &[f64]) -> Result<Array2<f64>>
where
    B: diffi::DenseHessianBackend<cubes, (Ref<[f64]>,), (Input,)>,
{
    hessian(cubes::D, b, x)
}
fn jac<B>(b: B, x: &[f64]) -> Result<Array2<f64>>
where
    B: diffi::DenseJacobianBackend<squares, (Ref<[f64]>,), (Input,)>,
{
    jacobian(squares::D, b, x)
}
fn jac2<B>(b: &B, x: &[f64]) -> Result<Vec<f64>>
where
    B: PushforwardBackend<squares, (Ref<[f64]>,), (Input,)> + PullbackBackend<squares, (Ref<[f64]>,), (Input,)>,
{
    pushforward(squares::D, b.clone(), x, x)?;
    pullback(squares::D, b.clone(), x, x)
}
fn any<B: HvpBackend<cubes, (Ref<[f64]>,), (Input,)>>(b: B) -> Result<Vec<f64>> {
    hvp(cubes::D, b, &X, &X)
}
fn sd<B: SecondDerivativeBackend<wave, (Val<f64>,), (Input,)>>(b: B) -> Result<f64> {
    second_derivative(wave::D, b, 2.0)
}
fn dd<B: PushforwardBackend<wave, (Val<f64>,), (Input,)>>(b: B) -> Result<f64> {
    derivative(wave::D, b, 2.0)
}
struct Optimizer<B: GradientBackend<cubes, (Ref<[f64]>,), (Input,)>> {
    prep: GradientPrep<cubes, B, (Ref<[f64]>,), (Input,)>,
}
impl<B: GradientBackend<cubes, (Ref<[f64]>,), (Input,)>> Optimizer<B> {
    fn step(&mut self, x: &[f64]) -> Result<Vec<f64>> {
        self.prep.gradient(x)
    }
}
#[test]
fn generic_backend() -> Result<()> {
    near(descend(AutoForward, &mut vec![1.0, 2.0])?, 9.0);
    near(descend(AutoFiniteDiff, &mut vec![1.0, 2.0])?, 9.0);
    newton(AutoReverse, &X)?;
    newton(SecondOrder(AutoForward, AutoReverse), &X)?;
    jac(AutoReverse, &X)?;
    jac2(&AutoForward, &X)?;
    any(AutoReverse)?;
    near(sd(AutoForward)?, 12.0);
    near(dd(AutoReverse)?, 12.0);
    let mut o = Optimizer { prep: prepare_gradient(cubes::D, AutoReverse, &X)? };
    o.step(&X)?;
    Ok(())
}
