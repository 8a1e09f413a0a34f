//! Functions and arguments of all kinds, as one writes them who has read about them.

use super::{near, nears};
use diffi::prelude::*;
use ndarray::{Array, Array1, Array2, Array3, ArrayView1, ArrayView2, array};

#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        sum += 100.0 * (x[i + 1] - x[i] * x[i]).powi(2) + (1.0 - x[i]).powi(2);
    }
    sum
}
#[test]
fn other_error_types() -> Result<(), Box<dyn std::error::Error>> {
    let _ = gradient(rosenbrock::D, AutoReverse, &[1.0, 2.0])?;
    let _: f64 = "1.5".parse()?;
    assert_eq!(own_error()?, [-400.0, 200.0]);
    Ok(())
}
fn own_error() -> std::result::Result<Vec<f64>, diffi::Error> {
    gradient(rosenbrock::D, AutoReverse::default(), &vec![1.0, 2.0])
}

mod sub {
    use diffi::prelude::*;
    #[differentiable]
    pub fn cube(x: f64) -> f64 {
        x * x * x
    }
    #[differentiable]
    pub(crate) fn scaled(x: f32, k: f32) -> f32 {
        k * x * x
    }
    pub mod deep {
        pub use super::cube as third_power;
    }
}
use sub::deep::third_power;

#[derive(Clone, Differentiable)]
pub struct Spring {
    k: f64,
}
#[differentiable]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.k * x * x
    }
    fn total(xs: &[f64]) -> f64 {
        xs.iter().map(|x| x * x).sum()
    }
}
#[differentiable]
trait Potential {
    fn at(&self, x: &[f64]) -> f64;
}
#[derive(Clone, Differentiable)]
struct Quad(f64);
#[differentiable]
impl Potential for Quad {
    fn at(&self, x: &[f64]) -> f64 {
        self.0 * x.iter().map(|v| v * v).sum::<f64>()
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Params {
    w: Vec<f64>,
    b: f64,
    name: String,
    n: usize,
    a: [f64; 2],
}
#[differentiable]
fn model(p: &Params, x: &[f64]) -> f64 {
    let mut y = p.b;
    for i in 0..p.n {
        y += p.w[i] * x[i] + p.a[0] * p.a[1];
    }
    y
}
#[differentiable]
fn model_by_value(p: Params, x: f64) -> f64 {
    p.b * x + p.w[0] * x * x
}
#[differentiable]
fn make(x: f64) -> Params {
    Params { w: vec![x, x * x], b: 3.0 * x, name: String::new(), n: 2, a: [x, 1.0] }
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Single {
    a: f32,
    v: Vec<f32>,
}
#[differentiable]
fn single_model(s: &Single) -> f32 {
    s.a * s.v[0] + s.v[1]
}

fn p() -> Params {
    Params { w: vec![1.0, 2.0], b: 0.5, name: "p".into(), n: 2, a: [3.0, 4.0] }
}

#[test]
fn structs_methods_and_handles() -> Result<()> {
    near(derivative(third_power::D, AutoReverse, 2.0)?, 12.0);
    near(derivative(sub::cube::D, AutoForward, &2.0)?, 12.0);
    assert_eq!(derivative(sub::scaled::D, AutoForward, (2.0f32, Constant(3.0f32)))?, 12.0f32);
    assert_eq!(derivative(sub::scaled::D, AutoForward, (2.0, Constant(3.0)))?, 12.0);
    let s = Spring { k: 4.0 };
    near(derivative(Spring::energy_d, AutoReverse, (Constant(&s), 3.0))?, 12.0);
    nears(&gradient(Spring::total_d, AutoReverse, &[1.0, 2.0])?, &[2.0, 4.0]);
    nears(&gradient(Quad::at_d, AutoReverse, (Constant(&Quad(2.0)), &[1.0, 2.0]))?, &[4.0, 8.0]);
    let g: ParamsTangent = gradient(model::D, AutoReverse, (&p(), Constant(&[1.0, 2.0])))?;
    nears(&g.w, &[1.0, 2.0]);
    near(g.b, 1.0);
    nears(&g.a, &[8.0, 6.0]);
    let () = g.name;
    let () = g.n;
    nears(&g.to_flat(), &[1.0, 2.0, 1.0, 8.0, 6.0]);
    let (gp, gx) = gradient(model::D, AutoForward, (&p(), &[1.0, 2.0]))?;
    assert_eq!(gp, g);
    nears(&gx, &[1.0, 2.0]);
    let g = gradient(model_by_value::D, AutoReverse, (p(), Constant(2.0)))?;
    near(g.b, 2.0);
    let g = gradient(model_by_value::D, AutoReverse, (&p(), Constant(2.0)))?;
    near(g.w[0], 4.0);
    let d = derivative(make::D, AutoForward, 3.0)?;
    nears(&d.w, &[1.0, 6.0]);
    near(d.b, 3.0);
    let j = jacobian(make::D, AutoReverse, 3.0)?;
    assert_eq!(j.dim(), (5, 1));
    let h = hessian(model::D, AutoReverse, (&p(), &[1.0, 2.0]))?;
    assert_eq!(h.dim(), (7, 7));
    near(h[[3, 4]], 2.0);
    near(h[[0, 5]], 1.0);
    let h = hessian(model::D, AutoReverse, (&p(), Constant(&[1.0, 2.0])))?;
    assert_eq!(h.dim(), (5, 5));
    let v = ParamsTangent { w: vec![1.0, 0.0], b: 0.0, name: (), n: (), a: [0.0, 1.0] };
    let r = hvp(model::D, AutoReverse, (&p(), Constant(&[1.0, 2.0])), &v)?;
    nears(&r.a, &[2.0, 0.0]);
    near(pushforward(model::D, AutoForward, (&p(), Constant(&[1.0, 2.0])), &v)?, 1.0 + 6.0);
    near(pushforward(model::D, AutoForward, (&p(), Constant(&[1.0, 2.0])), v.clone())?, 1.0 + 6.0);
    let [a, b] = pushforward(model::D, AutoForward, (&p(), Constant(&[1.0, 2.0])), [&v, &v])?;
    near(a, b);
    let dx = pullback(make::D, AutoReverse, 3.0, &d)?;
    near(dx, 1.0 + 36.0 + 9.0 + 1.0);
    let mut buffer = g.clone();
    gradient_into(model::D, AutoReverse, &mut buffer, (&p(), Constant(&[1.0, 2.0])))?;
    near(buffer.b, 1.0);
    let mut prep = prepare_gradient(model::D, AutoReverse, (&p(), Constant(&[1.0, 2.0])))?;
    near(prep.value_and_gradient_into(&mut buffer, (&p(), Constant(&[1.0, 2.0])))?, 0.5 + 5.0 + 24.0);
    let s = Single { a: 2.0, v: vec![3.0, 4.0] };
    let g: SingleTangent<f32> = gradient(single_model::D, AutoReverse, &s)?;
    assert_eq!((g.a, &g.v[..]), (3.0, &[2.0, 1.0][..]));
    let flat: Vec<f64> = g.to_flat();
    nears(&flat, &[3.0, 2.0, 1.0]);
    nears(&vec![1.0, 2.0].to_flat(), &[1.0, 2.0]);
    nears(&[1.0f32, 2.0].to_flat(), &[1.0, 2.0]);
    nears(&2.0f64.to_flat(), &[2.0]);
    nears(&(vec![1.0, 2.0], 3.0).to_flat(), &[1.0, 2.0, 3.0]);
    nears(&array![[1.0, 2.0], [3.0, 4.0]].to_flat(), &[1.0, 2.0, 3.0, 4.0]);
    Ok(())
}

struct Opaque {
    factor: f64,
}
#[differentiable(constant(e, n), cache(buf), output(y))]
fn declared(x: &[f64], e: &Opaque, n: usize, buf: &mut Vec<f64>, y: &mut [f64]) {
    debug_assert!(x.len() == y.len());
    println!("{:?}", x[0]);
    let d = dbg!(x[0]);
    for i in 0..x.len() {
        buf[i] = x[i] * e.factor + 0.0 * d;
        y[i] = buf[i] * n as f64;
    }
}
#[differentiable]
fn uses(
    x: &[f64],
    flags: &[bool],
    name: &str,
    map: &std::collections::HashMap<String, f64>,
    k: i32,
    on: bool,
    opt: Option<usize>,
) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        if flags[i] {
            s += x[i].powi(k);
        }
    }
    if on && name == "twice" {
        s *= 2.0;
    }
    if let Some(i) = opt {
        s += x[i];
    }
    s * map["a"]
}
#[test]
fn what_is_not_differentiated() -> Result<()> {
    let x = vec![1.0, 2.0];
    let e = Opaque { factor: 2.0 };
    let (mut buf, mut y) = (vec![0.0; 2], [0.0; 2]);
    let j = jacobian(declared::D, AutoReverse, (&x, Constant(&e), Constant(3), Cache(&mut buf), &mut y))?;
    assert_eq!(j, array![[6.0, 0.0], [0.0, 6.0]]);
    nears(&y, &[6.0, 12.0]);
    let map = std::collections::HashMap::from([("a".to_string(), 5.0)]);
    let g = gradient(
        uses::D,
        AutoReverse,
        (
            &x,
            Constant(&[true, false]),
            Constant("twice"),
            Constant(&map),
            Constant(3),
            Constant(true),
            Constant(Some(1)),
        ),
    )?;
    nears(&g, &[30.0, 5.0]);
    let name = String::from("once");
    let g = gradient(
        uses::D,
        AutoForward,
        (
            &x,
            Constant(vec![true, true]),
            Constant(&name),
            Constant(map.clone()),
            Constant(2),
            Constant(true),
            Constant(None),
        ),
    )?;
    nears(&g, &[10.0, 20.0]);
    Ok(())
}

#[differentiable(pushforward = sq_jvp)]
fn sq(x: f64) -> f64 {
    x * x
}
fn sq_jvp(x: f64, dx: f64) -> f64 {
    2.0 * x * dx
}
#[differentiable(pullback = norm_vjp)]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}
fn norm_vjp(x: &[f64], dy: f64) -> Vec<f64> {
    let n = x.iter().map(|v| v * v).sum::<f64>().sqrt();
    x.iter().map(|v| dy * v / n).collect()
}
#[differentiable(pushforward = w_jvp, pullback = w_vjp)]
fn w(x: &[f64], k: f64) -> Vec<f64> {
    x.iter().map(|v| v * k).collect()
}
fn w_jvp(x: &[f64], k: f64, dx: &[f64], dk: f64) -> Vec<f64> {
    x.iter().zip(dx).map(|(v, d)| v * dk + d * k).collect()
}
fn w_vjp(x: &[f64], k: f64, dy: &[f64]) -> (Vec<f64>, f64) {
    (dy.iter().map(|d| d * k).collect(), x.iter().zip(dy).map(|(v, d)| v * d).sum())
}
#[differentiable(constant)]
fn level(x: &[f64]) -> f64 {
    x.len() as f64
}
#[differentiable]
fn all_rules(x: &[f64]) -> f64 {
    let y = w(x, sq(x[0]));
    norm(&y) * level(x)
}
#[test]
fn rules_by_hand() -> Result<()> {
    check_rule(sq::D, 1.5)?;
    check_rule(norm::D, &[3.0, 4.0])?;
    check_rule(w::D, (&[3.0, 4.0], 2.0))?;
    for g in [gradient(all_rules::D, AutoReverse, &[2.0, 1.0])?, gradient(all_rules::D, AutoForward, &[2.0, 1.0])?] {
        let f = |x: &[f64]| all_rules(x);
        let h = 1e-6;
        near(
            (f(&[2.0 + h, 1.0]) - f(&[2.0 - h, 1.0])) / (2.0 * h) * 1.0,
            (g[0] * 1e7).round() / 1e7
                + (((f(&[2.0 + h, 1.0]) - f(&[2.0 - h, 1.0])) / (2.0 * h)) - (g[0] * 1e7).round() / 1e7),
        );
        assert!((g[0] - (f(&[2.0 + h, 1.0]) - f(&[2.0 - h, 1.0])) / (2.0 * h)).abs() < 1e-6);
    }
    nears(&gradient(norm::D, AutoForward, &[3.0, 4.0])?, &[0.6, 0.8]);
    near(derivative(sq::D, AutoReverse, 3.0)?, 6.0);
    nears(&pullback(w::D, AutoReverse, (&[1.0, 2.0], Constant(3.0)), &[1.0, 1.0])?, &[3.0, 3.0]);
    Ok(())
}

#[differentiable]
fn by_vec(x: &Vec<f64>) -> f64 {
    x[0] * x[1]
}
#[differentiable]
fn own_vec(x: Vec<f64>) -> f64 {
    x[0] * x[1]
}
#[differentiable]
fn by_array(x: &[f64; 2]) -> f64 {
    x[0] * x[1]
}
#[differentiable]
fn own_array(x: [f64; 2]) -> f64 {
    x[0] * x[1]
}
#[differentiable]
fn by_slice(x: &[f64]) -> f64 {
    x[0] * x[1]
}
#[differentiable]
fn by_nd(x: &Array1<f64>) -> f64 {
    x[0] * x[1]
}
#[differentiable]
fn own_nd(x: Array1<f64>) -> f64 {
    x[0] * x[1]
}
#[differentiable]
fn by_view(x: ArrayView1<f64>) -> f64 {
    x[0] * x[1]
}
#[differentiable]
fn by_view2(x: ArrayView2<'_, f64>) -> f64 {
    x[[0, 0]] * x[[0, 1]]
}
#[differentiable]
fn by_nd3(x: &Array3<f64>) -> f64 {
    x[[0, 0, 0]] * x[[0, 0, 1]]
}
#[differentiable]
fn by_rows(x: &[[f64; 2]]) -> f64 {
    x[0][0] * x[0][1]
}
#[differentiable]
fn by_vecs(x: &[Vec<f64>]) -> f64 {
    x[0][0] * x[0][1]
}
#[differentiable]
fn by_points(x: &[(f64, f64)]) -> f64 {
    x[0].0 * x[0].1
}
#[differentiable]
fn by_tuple(x: (f64, f64)) -> f64 {
    x.0 * x.1
}
#[differentiable]
fn by_tuple_ref(x: &(f64, f64)) -> f64 {
    x.0 * x.1
}
#[differentiable]
fn two(a: f64, b: f64) -> f64 {
    a * b
}
#[differentiable]
fn by_ref(a: &f64, b: &f64) -> f64 {
    a * b
}
#[differentiable]
fn three(a: &[f64], b: f64, c: &Array2<f64>) -> f64 {
    a[0] * b * c[[0, 1]]
}
#[test]
fn arguments_of_all_kinds() -> Result<()> {
    let (v, a) = (vec![2.0, 3.0], [2.0, 3.0]);
    let want = [3.0, 2.0];
    {
        nears(&gradient(by_vec::D, AutoReverse, &v)?, &want);
        nears(&gradient(own_vec::D, AutoReverse, v.clone())?, &want);
        nears(&gradient(own_vec::D, AutoReverse, &v)?, &want);
        nears(&gradient(by_array::D, AutoReverse, &a)?, &want);
        nears(&gradient(by_array::D, AutoReverse, &[2.0, 3.0])?, &want);
        nears(&gradient(own_array::D, AutoReverse, a)?, &want);
        nears(&gradient(own_array::D, AutoReverse, [2.0, 3.0])?, &want);
        nears(&gradient(own_array::D, AutoReverse, &a)?, &want);
        nears(&gradient(by_slice::D, AutoReverse, &v)?, &want);
        nears(&gradient(by_slice::D, AutoReverse, &v[..])?, &want);
        nears(&gradient(by_slice::D, AutoReverse, v.as_slice())?, &want);
        nears(&gradient(by_slice::D, AutoReverse, &a)?, &want);
        nears(&gradient(by_slice::D, AutoReverse, &a[..])?, &want);
        let n = array![2.0, 3.0];
        nears(gradient(by_nd::D, AutoReverse, &n)?.as_slice().unwrap(), &want);
        nears(gradient(own_nd::D, AutoReverse, n.clone())?.as_slice().unwrap(), &want);
        nears(gradient(own_nd::D, AutoReverse, &n)?.as_slice().unwrap(), &want);
        nears(gradient(by_view::D, AutoReverse, &n)?.as_slice().unwrap(), &want);
        nears(gradient(by_view::D, AutoReverse, n.view())?.as_slice().unwrap(), &want);
        nears(gradient(by_view::D, AutoReverse, &n.view())?.as_slice().unwrap(), &want);
        let m = array![[2.0, 3.0]];
        nears(gradient(by_view2::D, AutoReverse, m.view())?.as_slice().unwrap(), &want);
        let t = Array::from_shape_vec((1, 1, 2), vec![2.0, 3.0]).unwrap();
        nears(gradient(by_nd3::D, AutoReverse, &t)?.as_slice().unwrap(), &want);
        assert_eq!(gradient(by_rows::D, AutoReverse, &[[2.0, 3.0]])?, [[3.0, 2.0]]);
        assert_eq!(gradient(by_rows::D, AutoReverse, &vec![[2.0, 3.0]])?, [[3.0, 2.0]]);
        assert_eq!(gradient(by_vecs::D, AutoReverse, &[vec![2.0, 3.0]])?, [vec![3.0, 2.0]]);
        assert_eq!(gradient(by_points::D, AutoReverse, &[(2.0, 3.0)])?, [(3.0, 2.0)]);
        assert_eq!(gradient(by_tuple_ref::D, AutoReverse, &(2.0, 3.0))?, (3.0, 2.0));
        assert_eq!(gradient(by_tuple::D, AutoReverse, &(2.0, 3.0))?, (3.0, 2.0));
        assert_eq!(gradient(two::D, AutoReverse, (2.0, 3.0))?, (3.0, 2.0));
        assert_eq!(gradient(two::D, AutoReverse, (&2.0, 3.0))?, (3.0, 2.0));
        assert_eq!(gradient(two::D, AutoReverse, (2.0, Constant(3.0)))?, 3.0);
        assert_eq!(gradient(two::D, AutoReverse, (2.0, Constant(&3.0)))?, 3.0);
        assert_eq!(derivative(two::D, AutoReverse, (2.0, Constant(3.0)))?, 3.0);
        assert_eq!(gradient(by_ref::D, AutoReverse, (&2.0, &3.0))?, (3.0, 2.0));
        assert_eq!(gradient(by_ref::D, AutoReverse, (Constant(2.0), &3.0))?, 2.0);
        let c = array![[0.0, 5.0]];
        let (ga, gb, gc) = gradient(three::D, AutoReverse, (&v, 4.0, &c))?;
        nears(&ga, &[20.0, 0.0]);
        near(gb, 10.0);
        assert_eq!(gc, array![[0.0, 8.0]]);
        let (ga, gc) = gradient(three::D, AutoReverse, (&v, Constant(4.0), &c))?;
        nears(&ga, &[20.0, 0.0]);
        assert_eq!(gc, array![[0.0, 8.0]]);
        assert_eq!(gradient(three::D, AutoReverse, (Constant(&v), 4.0, Constant(&c)))?, 10.0);
        assert_eq!(gradient(three::D, AutoReverse, (Constant(v.clone()), 4.0, Constant(c.clone())))?, 10.0);
        assert_eq!(gradient(three::D, AutoReverse, (Constant([2.0, 3.0]), 4.0, Constant(c)))?, 10.0);
    }
    Ok(())
}
#[differentiable]
fn to_slice(x: &[f64], y: &mut [f64]) {
    y[0] = x[0] * x[1];
    y[1] = x[0];
}
#[differentiable]
fn to_vec(x: &[f64], y: &mut Vec<f64>) {
    y[0] = x[0] * x[1];
    y[1] = x[0];
}
#[differentiable]
fn to_array(x: &[f64], y: &mut [f64; 2]) {
    y[0] = x[0] * x[1];
    y[1] = x[0];
}
#[differentiable]
fn to_number(x: &[f64], y: &mut f64) {
    *y = x[0] * x[1];
}
#[differentiable]
fn to_nd(x: &[f64], y: &mut Array1<f64>) {
    y[0] = x[0] * x[1];
    y[1] = x[0];
}
#[differentiable]
fn first(y: &mut [f64], x: &[f64]) {
    y[0] = x[0] * x[1];
    y[1] = x[0];
}
#[differentiable]
fn accumulate(x: &[f64], y: &mut [f64]) {
    y[0] += x[0] * x[1];
    y[1] *= x[0];
}
#[differentiable]
fn two_outputs(x: f64, y: &mut [f64], z: &mut f64) {
    y[0] = x * x;
    y[1] = x;
    *z = x * x * x;
}
#[differentiable]
fn to_f32(x: &[f32], y: &mut [f32]) {
    y[0] = x[0] * x[1];
}
#[test]
fn outputs_of_all_kinds() -> Result<()> {
    let x = [2.0, 3.0];
    let want = array![[3.0, 2.0], [1.0, 0.0]];
    let (mut s, mut n, mut q) = ([0.0; 2], array![0.0, 0.0], 0.0);
    let mut v = vec![0.0; 2];
    assert_eq!(jacobian(to_slice::D, AutoReverse, (&x, &mut s))?, want);
    assert_eq!(jacobian(to_slice::D, AutoForward, (&x, &mut v))?, want);
    assert_eq!(jacobian(to_slice::D, AutoForward, (&x, &mut v[..]))?, want);
    assert_eq!(jacobian(to_slice::D, AutoForward, (&x, v.as_mut_slice()))?, want);
    assert_eq!(jacobian(to_vec::D, AutoReverse, (&x, &mut v))?, want);
    assert_eq!(jacobian(to_array::D, AutoReverse, (&x, &mut s))?, want);
    assert_eq!(jacobian(to_nd::D, AutoReverse, (&x, &mut n))?, want);
    assert_eq!(jacobian(first::D, AutoReverse, (&mut s, &x))?, want);
    nears(&gradient(to_number::D, AutoReverse, (&x, &mut q))?, &[3.0, 2.0]);
    near(q, 6.0);
    assert_eq!(value_and_gradient(to_number::D, AutoReverse, (&x, &mut q))?, ((), vec![3.0, 2.0]));
    assert_eq!(hessian(to_number::D, AutoReverse, (&x, &mut q))?, array![[0.0, 1.0], [1.0, 0.0]]);
    s = [10.0, 20.0];
    let (jx, jy) = jacobian(accumulate::D, AutoReverse, (&x, &mut s))?;
    assert_eq!(jx, array![[3.0, 2.0], [20.0, 0.0]]);
    assert_eq!(jy, array![[1.0, 0.0], [0.0, 2.0]]);
    nears(&s, &[16.0, 40.0]);
    nears(&pullback(to_slice::D, AutoReverse, (&x, &mut s), &[1.0, 2.0])?, &[5.0, 2.0]);
    nears(&pushforward(to_slice::D, AutoReverse, (&x, &mut s), &[1.0, 2.0])?, &[7.0, 1.0]);
    let ((), dy) = value_and_pushforward(to_slice::D, AutoForward, (&x, &mut s), &[1.0, 2.0])?;
    nears(&dy, &[7.0, 1.0]);
    nears(&s, &[6.0, 2.0]);
    let mut z = 0.0;
    let (dy, dz) = derivative(two_outputs::D, AutoForward, (2.0, &mut s, &mut z))?;
    nears(&dy, &[4.0, 1.0]);
    near(dz, 12.0);
    let (ddy, ddz) = second_derivative(two_outputs::D, AutoForward, (2.0, &mut s, &mut z))?;
    nears(&ddy, &[2.0, 0.0]);
    near(ddz, 12.0);
    near(pullback(two_outputs::D, AutoReverse, (2.0, &mut s, &mut z), (&[1.0, 0.0], 2.0))?, 28.0);
    near(pullback(two_outputs::D, AutoReverse, (2.0, &mut s, &mut z), &(&[1.0, 0.0], 2.0))?, 28.0);
    near(pullback(two_outputs::D, AutoReverse, (2.0, &mut s, &mut z), (vec![1.0, 0.0], 2.0))?, 28.0);
    assert_eq!(jacobian(two_outputs::D, AutoReverse, (2.0, &mut s, &mut z))?.dim(), (3, 1));
    let mut f = [0f32];
    assert_eq!(jacobian(to_f32::D, AutoReverse, (&[2.0f32, 3.0], &mut f))?, array![[3.0f32, 2.0]]);
    assert_eq!(jacobian(to_f32::D, AutoReverse, (&[2.0, 3.0], &mut [0.0]))?, array![[3.0f32, 2.0]]);
    Ok(())
}
