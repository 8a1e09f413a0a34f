//! Functions that are handed functions: closures that capture active values, closures of closures, parameters handed on.

use crate::check::number;
use diffi::prelude::*;

#[differentiable]
fn integrate(f: impl Fn(f64) -> f64, a: f64, b: f64, n: usize) -> f64 {
    let h = (b - a) / n as f64;
    let mut s = 0.5 * (f(a) + f(b));
    for i in 1..n {
        s += f(a + i as f64 * h);
    }
    s * h
}

#[differentiable]
fn newton<F: Fn(f64) -> f64>(f: F, x0: f64) -> f64 {
    let mut x = x0;
    for _ in 0..12 {
        let h = 1e-4;
        let d = (f(x + h) - f(x - h)) / (2.0 * h);
        x -= f(x) / d;
    }
    x
}

#[differentiable]
fn fixed_point<F>(f: F, x0: f64) -> f64
where
    F: Fn(f64) -> f64,
{
    let mut x = x0;
    for _ in 0..60 {
        let next = f(x);
        if (next - x).abs() < 1e-14 {
            break;
        }
        x = next;
    }
    x
}

#[differentiable]
fn area(p: &[f64]) -> f64 {
    let a = p[0];
    let b = p[1];
    integrate(|t| a * t.sin(), 0.0, b, 20)
}

#[differentiable]
fn root(p: &[f64]) -> f64 {
    let a = p[0];
    newton(|x| x * x - a, 1.0) * p[1]
}

#[differentiable]
fn kepler(p: &[f64]) -> f64 {
    let e = p[1];
    let m = p[0];
    fixed_point(|x| m + e * x.sin(), m)
}

#[differentiable]
fn direct(p: &[f64]) -> f64 {
    integrate(|t| p[0] * (p[1] * t).cos() + p[2], p[1], p[2], 10)
}

#[differentiable]
fn named(p: &[f64]) -> f64 {
    let f = |t: f64| p[0] * t * t;
    integrate(&f, 0.0, p[1], 8) + f(p[1]) + integrate(f, p[0], 1.0, 4)
}

#[differentiable]
fn double(p: &[f64]) -> f64 {
    integrate(|y| integrate(|x| p[0] * x * y + x.powi(2) * p[1], 0.0, y, 6), 0.0, p[1], 6)
}

#[differentiable]
fn simpson<F: Fn(f64) -> f64>(f: &F, a: f64, b: f64) -> f64 {
    (b - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + b)) + f(b))
}

#[differentiable]
fn adaptive<F: Fn(f64) -> f64>(f: &F, a: f64, b: f64, depth: u32) -> f64 {
    let whole = simpson(f, a, b);
    let m = 0.5 * (a + b);
    let parts = simpson(f, a, m) + simpson(f, m, b);
    if depth == 0 || (parts - whole).abs() < 1e-9 {
        parts
    } else {
        adaptive(f, a, m, depth - 1) + adaptive(f, m, b, depth - 1)
    }
}

#[differentiable]
fn recursive(p: &[f64]) -> f64 {
    adaptive(&|t| (p[0] * t).exp() * p[1], 0.0, 1.0, 5)
}

#[differentiable]
fn minimise(f: impl Fn(&[f64]) -> f64, x0: &[f64], steps: usize) -> f64 {
    let mut x = x0.to_vec();
    for _ in 0..steps {
        let h = 1e-3;
        let base = f(&x);
        let mut g = vec![0.0; x.len()];
        for i in 0..x.len() {
            let mut y = x.clone();
            y[i] += h;
            g[i] = (f(&y) - base) / h;
        }
        for i in 0..x.len() {
            x[i] -= 0.1 * g[i];
        }
    }
    f(&x)
}

#[differentiable]
fn descent(p: &[f64]) -> f64 {
    let (a, b) = (p[0], p[1]);
    minimise(|x| (x[0] - a).powi(2) + b * (x[1] - a * x[0]).powi(2), &p[2..], 5)
}

#[differentiable]
fn rk4(f: impl Fn(f64, &[f64]) -> Vec<f64>, y0: &[f64], t1: f64, n: usize) -> Vec<f64> {
    let h = t1 / n as f64;
    let mut y = y0.to_vec();
    let mut t = 0.0;
    for _ in 0..n {
        let k1 = f(t, &y);
        let y2: Vec<f64> = y.iter().zip(&k1).map(|(a, b)| a + 0.5 * h * b).collect();
        let k2 = f(t + 0.5 * h, &y2);
        let y3: Vec<f64> = y.iter().zip(&k2).map(|(a, b)| a + 0.5 * h * b).collect();
        let k3 = f(t + 0.5 * h, &y3);
        let y4: Vec<f64> = y.iter().zip(&k3).map(|(a, b)| a + h * b).collect();
        let k4 = f(t + h, &y4);
        for i in 0..y.len() {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        t += h;
    }
    y
}

#[differentiable]
fn pendulum(p: &[f64]) -> f64 {
    let (g, l, damping) = (p[0], p[1], p[2]);
    let y = rk4(|t, y| vec![y[1], -g / l * y[0].sin() - damping * y[1] + 0.1 * t.cos()], &[p[3], 0.0], 1.0, 10);
    y[0] * y[0] + y[1]
}

#[differentiable]
fn in_place(f: impl Fn(f64, &[f64], &mut [f64]), y: &mut [f64], h: f64, n: usize) {
    let mut dy = vec![0.0; y.len()];
    for k in 0..n {
        f(k as f64 * h, y, &mut dy);
        for i in 0..y.len() {
            y[i] += h * dy[i];
        }
    }
}

#[differentiable]
fn euler(p: &[f64]) -> f64 {
    let k = p[0];
    let mut y = vec![p[1], p[2]];
    in_place(
        |t, y, dy| {
            dy[0] = y[1];
            dy[1] = -k * y[0] + t * p[2];
        },
        &mut y,
        0.1,
        12,
    );
    y[0] + 2.0 * y[1]
}

#[differentiable]
fn weighted(x: &[f64], w: impl Fn(usize) -> f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += w(i) * x[i];
    }
    s
}

#[differentiable]
fn weights(p: &[f64]) -> f64 {
    weighted(p, |i| p[0] * i as f64 + p[1].powi(i as i32)) + weighted(p, |i| p[i] * 2.0)
}

#[differentiable]
fn paths(p: &[f64]) -> f64 {
    integrate(f64::sin, p[0], p[1], 5) + integrate(cube, 0.0, p[2], 5)
}

#[differentiable]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[differentiable]
fn constant_closure(p: &[f64]) -> f64 {
    integrate(|_| 2.0, p[0], p[1], 5) * p[0] + integrate(|_| p[2], 0.0, p[1], 5)
}

#[derive(Differentiable, Clone)]
struct Spring {
    k: f64,
    x0: f64,
}

#[differentiable]
impl Spring {
    fn new(k: f64, x0: f64) -> Self {
        Spring { k, x0 }
    }
    fn force(&self, x: f64) -> f64 {
        -self.k * (x - self.x0)
    }
    fn work(&self, a: f64, b: f64) -> f64 {
        integrate(|x| self.force(x) + self.k * x, a, b, 7)
    }
}

#[differentiable]
fn spring(p: &[f64]) -> f64 {
    let s = Spring::new(p[0], p[1]);
    let w = s.work(0.0, p[2]);
    w + newton(|x| s.force(x) + x * x - 20.0, 3.0)
}

#[differentiable]
fn looped(p: &[f64]) -> f64 {
    let mut total = 0.0;
    let mut scale = p[0];
    for k in 0..3 {
        let c = scale * p[1];
        total += integrate(|t| c * t.exp() * (k as f64 + 1.0), 0.0, p[2] * scale, 4);
        scale = scale * 0.5 + total * 0.01;
        if total > 100.0 {
            return total;
        }
    }
    total
}

#[differentiable]
fn branchy(p: &[f64]) -> f64 {
    integrate(
        |t| {
            if t < p[0] {
                return p[1] * t;
            }
            let u = t - p[0];
            let mut s = 0.0;
            for i in 0..3 {
                s += u.powi(i) * p[i as usize % 3];
            }
            s
        },
        0.0,
        2.0 * p[0],
        9,
    )
}

#[differentiable]
trait Pot {
    fn energy(&self, r: f64) -> f64;
}

#[derive(Differentiable, Clone)]
struct Morse {
    d: f64,
    a: f64,
}

#[differentiable]
impl Pot for Morse {
    fn energy(&self, r: f64) -> f64 {
        self.d * (1.0 - (-self.a * r).exp()).powi(2)
    }
}

#[differentiable]
fn chain(p: &impl Pot, r: &[f64]) -> f64 {
    r.windows(2).map(|w| p.energy(w[1] - w[0])).sum()
}

#[differentiable]
fn chain_of(p: &[f64]) -> f64 {
    chain(&Morse { d: p[0], a: p[1] }, &p[1..])
}

#[derive(Differentiable, Clone)]
struct Quad {
    n: usize,
    a: f64,
}

#[differentiable]
impl Quad {
    fn run(&self, f: impl Fn(f64) -> f64) -> f64 {
        let h = self.a / self.n as f64;
        let mut s = 0.0;
        for i in 0..self.n {
            s += f((i as f64 + 0.5) * h) * h;
        }
        s
    }
    fn run_with<F: Fn(f64, &Self) -> f64>(&self, f: &F) -> f64 {
        f(self.a, self)
    }
}

#[differentiable]
fn quad(p: &[f64]) -> f64 {
    let q = Quad { n: 5, a: p[0] };
    q.run(|x| p[1] * x.exp()) + q.run_with(&|a: f64, q: &Quad| a * p[0] * q.a)
}

#[differentiable]
trait Rule {
    fn apply<F: Fn(f64) -> f64>(&self, f: F, a: f64, b: f64) -> f64;
}

#[derive(Differentiable, Clone)]
struct Mid;

#[derive(Differentiable, Clone)]
struct Scaled {
    s: f64,
}

#[differentiable(constant(self))]
impl Rule for Mid {
    fn apply<F: Fn(f64) -> f64>(&self, f: F, a: f64, b: f64) -> f64 {
        (b - a) * f(0.5 * (a + b))
    }
}

#[differentiable]
impl Rule for Scaled {
    fn apply<F: Fn(f64) -> f64>(&self, f: F, a: f64, b: f64) -> f64 {
        self.s * (b - a) * (f(a) + f(b))
    }
}

#[differentiable]
fn rules(p: &[f64]) -> f64 {
    Scaled { s: p[2] }.apply(|x| p[0] * x * x, 0.0, p[1])
}

#[differentiable]
fn generic_float<T: num_traits::Float, F: Fn(T) -> T>(f: F, x: T) -> T {
    f(x) * x + f(f(x))
}

#[differentiable]
fn uses_generic(p: &[f64]) -> f64 {
    generic_float(|x| x * p[0] + p[1].sin(), p[2])
}

#[differentiable]
fn solve<F, G>(f: F, df: G, x0: f64) -> Option<f64>
where
    F: Fn(f64) -> f64,
    G: Fn(f64) -> f64,
{
    let mut x = x0;
    for _ in 0..50 {
        let dx = f(x) / df(x);
        x -= dx;
        if dx.abs() < 1e-13 {
            return Some(x);
        }
    }
    None
}

#[differentiable]
fn solved(p: &[f64]) -> f64 {
    let a = p[0];
    let b = p[1];
    let r = solve(|x| x.powi(3) + a * x - b, |x| 3.0 * x * x + a, 1.0).unwrap_or(0.0);
    let y = match solve(|x| x * x - b, |x| 2.0 * x, 1.0) {
        Some(v) => v * r,
        None => 0.0,
    };
    y + r
}

#[differentiable]
fn state_step(y: (f64, f64), h: f64, f: impl Fn((f64, f64)) -> (f64, f64)) -> (f64, f64) {
    let k = f(y);
    let m = f((y.0 + 0.5 * h * k.0, y.1 + 0.5 * h * k.1));
    (y.0 + h * m.0, y.1 + h * m.1)
}

#[differentiable]
fn lotka(p: &[f64]) -> f64 {
    let (a, b) = (p[0], p[1]);
    let mut y = (p[2], 1.0);
    for _ in 0..5 {
        y = state_step(y, 0.1, |(u, v): (f64, f64)| (a * u - b * u * v, b * u * v - v));
    }
    y.0 * y.1
}

#[differentiable]
fn arr_step(y: [f64; 2], f: impl Fn(&[f64; 2]) -> [f64; 2]) -> [f64; 2] {
    let k = f(&y);
    [y[0] + 0.1 * k[0], y[1] + 0.1 * k[1]]
}

#[differentiable]
fn arrs(p: &[f64]) -> f64 {
    let mut y = [p[0], p[1]];
    for i in 0..6 {
        y = arr_step(y, |s| [s[1] * p[2], -s[0].sin() * (i as f64)]);
    }
    y[0] + y[1]
}

#[differentiable]
fn map_all(x: &[f64], f: impl Fn(f64) -> f64) -> Vec<f64> {
    x.iter().map(|v| f(*v)).collect()
}

#[differentiable]
fn map_all2(x: &[f64], f: impl Fn(f64) -> f64) -> Vec<f64> {
    x.iter().copied().map(f).collect()
}

#[differentiable]
fn mapped(p: &[f64]) -> f64 {
    map_all(p, |v| v * p[0]).iter().sum::<f64>() + map_all2(p, |v| v.sin() * p[1]).iter().product::<f64>()
}

#[differentiable]
fn fold_all(x: &[f64], init: f64, mut f: impl FnMut(f64, f64) -> f64) -> f64 {
    let mut acc = init;
    for v in x {
        acc = f(acc, *v);
    }
    acc
}

#[differentiable]
fn folded(p: &[f64]) -> f64 {
    fold_all(p, p[0], |acc, v| acc * p[1] + v.exp()) + fold_all(p, 1.0, f64::max)
}

#[differentiable]
fn once(f: impl FnOnce(f64) -> f64, x: f64) -> f64 {
    f(x) + x
}

#[differentiable]
fn onced(p: &[f64]) -> f64 {
    let v = vec![p[0], p[1]];
    once(move |x| v[0] * x + v[1], p[2])
}

#[differentiable]
fn compose(f: impl Fn(f64) -> f64, g: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(g(x)) + g(f(x))
}

#[differentiable]
fn composed(p: &[f64]) -> f64 {
    compose(|x| x * p[0], |x| x.sin() + p[1], p[2])
}

#[derive(Differentiable, Clone, Copy)]
struct State {
    x: f64,
    v: f64,
}

#[differentiable]
fn midpoints<F: Fn(f64) -> f64>(f: &F, a: f64, b: f64) -> f64 {
    let h = (b - a) / 3.0;
    let mut s = 0.0;
    let mut x = a + 0.5 * h;
    while x < b {
        s += f(x) * h;
        x += h;
    }
    s
}

#[differentiable]
fn in_loops(p: &[f64]) -> f64 {
    let mut c = p[0];
    let mut acc = 0.0;
    let mut v = Vec::new();
    for k in 0..3 {
        v.push(c * p[1]);
        let g = |x: f64| {
            let mut s = c * x;
            for (i, w) in v.iter().enumerate() {
                s += w * x.powi(i as i32);
            }
            s
        };
        acc += if k % 2 == 0 { midpoints(&g, 0.0, p[1]) } else { midpoints(&|x| g(x) * p[0] + x, 0.0, 1.0) };
        c = c * 0.7 + acc * 0.1;
    }
    acc + c
}

#[differentiable]
fn in_chains(p: &[f64]) -> f64 {
    p.iter().map(|q| midpoints(&|t| q * t.exp() + p[0], 0.0, 1.0)).sum::<f64>()
        + (0..3).map(|i| midpoints(&|t| t * p[i], 0.0, p[0])).fold(1.0, |a, b| a * (b + 1.0))
}

#[differentiable]
fn rk2(s: State, h: f64, f: impl Fn(&State) -> State) -> State {
    let k1 = f(&s);
    let mid = State { x: s.x + 0.5 * h * k1.x, v: s.v + 0.5 * h * k1.v };
    let k2 = f(&mid);
    State { x: s.x + h * k2.x, v: s.v + h * k2.v }
}

#[differentiable]
fn of_structs(p: &[f64]) -> f64 {
    let mut s = State { x: p[0], v: 0.0 };
    let mut k = p[1];
    for i in 0..4 {
        s = rk2(s, 0.1, |s: &State| State { x: s.v, v: -k * s.x - if s.v > 0.0 { p[2] * s.v } else { 0.0 } });
        if i == 2 {
            k *= 1.1;
        }
    }
    s.x * s.x + s.v
}

#[differentiable]
fn of_tables(p: &[f64]) -> f64 {
    let (lo, hi) = (p[0], p[1]);
    let tab: Vec<f64> = (0..4).map(|i| lo + hi * i as f64).collect();
    let interp = |x: f64| {
        let k = (x * 3.0).floor() as usize;
        let k = k.min(2);
        let w = x * 3.0 - k as f64;
        tab[k] * (1.0 - w) + tab[k + 1] * w * w
    };
    midpoints(&interp, 0.0, 1.0) + midpoints(&|x| interp(x) * interp(x * 0.5), 0.0, 1.0)
}

#[differentiable]
fn in_checkpoints(p: &[f64]) -> f64 {
    #[allow(unused)]
    let mut y = p[0];
    #[checkpoint]
    for i in 0..10 {
        y = midpoints(&|t| y.sin() * t + p[1], 0.0, 1.0) + 0.1 * i as f64;
    }
    y
}

#[test]
fn closures_carry_what_they_capture() {
    number!(in_loops::D, [0.5, 1.1], |p| p, |p| in_loops(p));
    number!(in_chains::D, [0.5, 1.1, 0.4], |p| p, |p| in_chains(p));
    number!(of_structs::D, [1.0, 2.0, 0.3], |p| p, |p| of_structs(p));
    number!(of_tables::D, [0.5, 1.1], |p| p, |p| of_tables(p));
    number!(in_checkpoints::D, [0.5, 1.1], |p| p, |p| in_checkpoints(p));
    number!(area::D, [1.1, 0.4], |p| p, |p| area(p));
    number!(root::D, [2.0, 1.5], |p| p, |p| root(p));
    number!(kepler::D, [0.8, 0.3], |p| p, |p| kepler(p));
    number!(direct::D, [1.1, 0.4, 0.7], |p| p, |p| direct(p));
    number!(named::D, [1.1, 0.4], |p| p, |p| named(p));
    number!(double::D, [1.1, 0.4], |p| p, |p| double(p));
    number!(recursive::D, [1.1, 0.4], |p| p, |p| recursive(p));
    number!(descent::D, [0.9, 0.4, 0.3, 0.2], |p| p, |p| descent(p));
    number!(pendulum::D, [9.8, 1.1, 0.2, 0.5], |p| p, |p| pendulum(p));
    number!(euler::D, [1.1, 0.4, 0.7], |p| p, |p| euler(p));
    number!(weights::D, [1.1, 0.4, 0.7], |p| p, |p| weights(p));
    number!(paths::D, [1.1, 0.4, 0.7], |p| p, |p| paths(p));
    number!(constant_closure::D, [1.1, 0.4, 0.7], |p| p, |p| constant_closure(p));
    number!(spring::D, [1.1, 0.4, 0.7], |p| p, |p| spring(p));
    number!(looped::D, [1.1, 0.4, 0.7], |p| p, |p| looped(p));
    number!(branchy::D, [0.61, 0.4, 0.7], |p| p, |p| branchy(p));
    number!(chain_of::D, [1.1, 0.4, 0.7], |p| p, |p| chain_of(p));
    number!(quad::D, [1.1, 0.4, 0.7], |p| p, |p| quad(p));
    number!(rules::D, [1.1, 0.4, 0.7], |p| p, |p| rules(p));
    number!(uses_generic::D, [1.1, 0.4, 0.7], |p| p, |p| uses_generic(p));
    number!(solved::D, [1.1, 0.4], |p| p, |p| solved(p));
    number!(lotka::D, [1.1, 0.4, 0.7], |p| p, |p| lotka(p));
    number!(arrs::D, [1.1, 0.4, 0.7], |p| p, |p| arrs(p));
    number!(mapped::D, [1.1, 0.4, 0.7], |p| p, |p| mapped(p));
    number!(folded::D, [1.1, 0.4, 0.7], |p| p, |p| folded(p));
    number!(onced::D, [1.1, 0.4, 0.7], |p| p, |p| onced(p));
    number!(composed::D, [1.1, 0.4, 0.7], |p| p, |p| composed(p));
}

/// What operators are given for a function is a constant: it may be applied to constants.
#[test]
fn operators_hand_over_constants() {
    let w = |i: usize| i as f64 + 1.0;
    let x = [1.0, 2.0, -1.0];
    assert_eq!(gradient(weighted::D, AutoReverse, (&x, Constant(w))).unwrap(), [1.0, 2.0, 3.0]);
    assert_eq!(gradient(weighted::D, AutoForward, (&x, Constant(w))).unwrap(), [1.0, 2.0, 3.0]);
    assert!(hessian(weighted::D, AutoReverse, (&x, Constant(w))).unwrap().iter().all(|h| *h == 0.0));
}
