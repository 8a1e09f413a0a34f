//! Patterns that hold everywhere, of functions of structs, enums and arrays of libraries: the union of what is found at many points.

use diffi::prelude::*;
use ndarray::{Array1, Array2};

use std::collections::BTreeSet;

type Places = BTreeSet<(usize, usize)>;

fn places(pattern: &Pattern) -> Places {
    pattern.iter().collect()
}

/// Numbers without a pattern.
struct Random(u64);

impl Random {
    fn next(&mut self, scale: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) as f64 / (1u64 << 53) as f64 - 0.5) * scale
    }

    fn vec(&mut self, n: usize, scale: f64) -> Vec<f64> {
        (0..n).map(|_| self.next(scale)).collect()
    }
}

/// The pattern everywhere is the union of patterns at many points and `more`, which no point has.
macro_rules! union {
    ($sparsity:ident, $f:expr, $more:expr, $zero:expr, |$random:ident, $scale:ident| $args:expr) => {{
        let (mut $random, mut union) = (Random(88172645463325252), Places::new());
        for k in 0..300 {
            let $scale = [1.0, 4.0, 20.0][k % 3];
            union.extend(places(&$sparsity($f, TracerLocalSparsityDetector, $args)?));
        }
        let $scale = 1.0;
        let found = places(&$sparsity($f, TracerSparsityDetector.derivative_code(), $args)?);
        assert!(union.is_subset(&found), "{found:?} lacks some of {union:?}");
        assert_eq!(found.len(), union.len() + $more, "{found:?} beside {union:?}");
        // which point it is asked at changes nothing, be it as special as it may
        let $scale = $zero;
        assert_eq!(places(&$sparsity($f, TracerSparsityDetector.derivative_code(), $args)?), found);
        found
    }};
}

#[derive(Clone, Debug, Differentiable)]
struct Params {
    n: usize,
    k: Vec<f64>,
    rate: f64,
    size: [f64; 2],
}

impl Params {
    fn random(random: &mut Random, scale: f64) -> Params {
        let size = [random.next(scale), random.next(scale)];
        Params { n: 4, k: random.vec(4, scale), rate: random.next(scale), size }
    }
}

#[differentiable]
fn softened(v: f64) -> f64 {
    if v > 0.4 {
        return 2.0 * v - 0.4;
    }
    v * v
}

#[differentiable]
fn cells(p: &Params, x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; p.n];
    for i in 0..p.n {
        if i + 1 < p.n && x[i] > p.rate {
            y[i] = p.k[i] * x[i + 1];
        } else {
            y[i] = softened(x[i]) * p.size[1];
        }
    }
    y
}

#[derive(Clone, Debug, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable]
fn pairs(p: &Params, x: &[f64]) -> f64 {
    let pair = if x[0] > 0.1 { Pair { a: x[1], b: p.rate } } else { Pair { a: x[2] * x[2], b: 1.0 } };
    let mut last = Pair { a: x[3], b: 0.5 };
    if p.size[0] > x[1] {
        last.b = p.k[0];
    }
    pair.a * pair.b + last.a * last.b
}

/// Two entries no point has: one side's `a` beside the other's `b`.
#[test]
fn structs() -> Result<()> {
    let found = union!(jacobian_sparsity, cells::D, 0, 0.0, |random, scale| (
        &Params::random(&mut random, scale),
        &random.vec(4, scale)
    ));
    assert_eq!(found.len(), 3 * 4 + 2);
    union!(hessian_sparsity, pairs::D, 2, 0.0, |random, scale| (
        &Params::random(&mut random, scale),
        &random.vec(4, scale)
    ));
    Ok(())
}

#[derive(Clone, Debug, Differentiable)]
enum Law {
    Linear(f64),
    Power { k: f64, p: f64 },
    Off,
}

#[differentiable]
impl Law {
    fn at(&self, v: f64) -> f64 {
        match self {
            Law::Linear(k) => k * v,
            Law::Power { k, p } => {
                if v > 0.0 {
                    k * v.powf(*p)
                } else {
                    0.0
                }
            }
            Law::Off => 0.0,
        }
    }
}

#[differentiable]
fn laws(all: &[Law], x: &[f64]) -> Vec<f64> {
    let mut y = Vec::new();
    for i in 0..x.len() {
        let here = all[i].at(x[i]);
        y.push(if i > 0 && x[i] < x[i - 1] { here } else { x[i] });
    }
    y
}

#[differentiable]
fn work(all: &[Law], x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += all[i].at(x[i]);
    }
    sum
}

#[test]
fn enums_and_methods() -> Result<()> {
    let three = |random: &mut Random, scale: f64| {
        let k = random.next(scale);
        vec![Law::Linear(k), Law::Power { k: 1.0 + k, p: 0.5 + k * k }, Law::Off, Law::Linear(1.0)]
    };
    union!(jacobian_sparsity, laws::D, 0, 0.0, |random, scale| (&three(&mut random, scale)[..], &random.vec(4, scale)));
    union!(hessian_sparsity, work::D, 0, 0.0, |random, scale| (&three(&mut random, scale)[..], &random.vec(4, scale)));
    Ok(())
}

#[differentiable]
fn highest(x: &[f64], p: &Params) -> (f64, f64) {
    let mut best: Option<f64> = None;
    for v in x {
        let y = v * p.rate;
        best = match best {
            Some(b) if b > y => Some(b),
            _ => Some(y),
        };
    }
    (best.unwrap_or(0.0), p.k.iter().copied().fold(p.size[0], f64::max))
}

#[test]
fn options_and_maxima() -> Result<()> {
    union!(jacobian_sparsity, highest::D, 0, 0.0, |random, scale| (
        &random.vec(3, scale),
        &Params::random(&mut random, scale)
    ));
    Ok(())
}

#[differentiable]
fn flow(a: &Array2<f64>, x: &Array1<f64>, b: &Array1<f64>) -> Array1<f64> {
    let mut y = a.dot(x) + b;
    if x.sum() > 0.3 {
        y = b * x;
    }
    y
}

#[differentiable]
fn elementwise(x: &Array1<f64>, b: &Array1<f64>) -> f64 {
    let y = x * b + x.mapv(|v| v * v * v);
    y.sum() + x[0].max(b[1]) * b[2]
}

#[test]
fn arrays() -> Result<()> {
    let matrix = |random: &mut Random, scale: f64| Array2::from_shape_vec((3, 3), random.vec(9, scale)).unwrap();
    let vector = |random: &mut Random, scale: f64| Array1::from(random.vec(3, scale));
    let found = union!(jacobian_sparsity, flow::D, 0, 0.0, |random, scale| (
        &matrix(&mut random, scale),
        &vector(&mut random, scale),
        &vector(&mut random, scale)
    ));
    assert_eq!(found.len(), 3 * (3 + 3 + 1));
    union!(hessian_sparsity, elementwise::D, 0, 0.0, |random, scale| (
        &vector(&mut random, scale),
        &vector(&mut random, scale)
    ));
    Ok(())
}

#[differentiable(everywhere)]
fn slopes(x: &[f64]) -> Vec<f64> {
    let mut y = vec![];
    for i in 1..x.len() {
        y.push(if x[i] > x[i - 1] { x[i] - x[i - 1] } else { x[i] * x[i] });
    }
    y
}

#[differentiable]
fn plain_slopes(x: &[f64]) -> Vec<f64> {
    if x.is_empty() {
        return vec![]; // who leaves early is not inlined
    }
    let mut y = vec![];
    for i in 1..x.len() {
        y.push(if x[i] > x[i - 1] { x[i] - x[i - 1] } else { x[i] * x[i] });
    }
    y
}

#[differentiable]
fn of_slopes(p: &Params) -> f64 {
    let y = slopes(&p.k);
    let mut sum = 0.0;
    for v in &y {
        sum += v * v;
    }
    sum * p.rate
}

#[differentiable]
fn of_plain_slopes(p: &Params) -> f64 {
    let y = plain_slopes(&p.k);
    y[0] * p.rate
}

/// Functions of slices follow both sides in derivative code where the attribute says so; otherwise there is no answer.
#[test]
fn functions_that_are_called() -> Result<()> {
    union!(hessian_sparsity, of_slopes::D, 0, 0.0, |random, scale| &Params::random(&mut random, scale));
    let p = Params::random(&mut Random(7), 1.0);
    let found = jacobian_sparsity(of_plain_slopes::D, TracerSparsityDetector.derivative_code(), &p);
    assert_eq!(found, Err(Error::ValueNeeded));
    let x = [0.4, 0.2, 0.9];
    let by_numbers = jacobian_sparsity(slopes::D, TracerSparsityDetector, &x)?;
    assert_eq!(jacobian_sparsity(slopes::D, TracerSparsityDetector.derivative_code(), &x)?, by_numbers);
    Ok(())
}

/// Where derivative code is another one at points that have something special.
#[test]
fn special_points() -> Result<()> {
    #[differentiable]
    fn f(p: &Pair, x: &[f64; 3]) -> f64 {
        x[0].powf(p.a) + x[1].hypot(p.b) + (x[2] * p.a).atan2(p.b) + 0.0 * x[0] * x[1]
    }
    let at = |v: f64| hessian_sparsity(f::D, TracerSparsityDetector.derivative_code(), (&Pair { a: v, b: v }, &[v; 3]));
    let found = places(&at(0.7)?);
    assert_eq!(places(&at(0.0)?), found);
    let union = hessian_sparsity(f::D, TracerLocalSparsityDetector, (&Pair { a: 0.7, b: 0.3 }, &[0.4, 0.5, 0.6]))?;
    assert!(places(&union).is_subset(&found) && found.contains(&(2, 3)));
    Ok(())
}

/// A lookup by value, lengths that differ between the sides of a condition, and an integer that does.
#[test]
fn what_has_no_answer() {
    #[differentiable]
    fn index(p: &Params) -> f64 {
        let mut best = 0;
        for i in 0..p.k.len() {
            if p.k[i] > p.k[best] {
                best = i;
            }
        }
        p.k[best]
    }
    #[differentiable]
    fn lengths(p: &Params) -> f64 {
        let list = if p.rate > 0.0 { p.k.clone() } else { vec![p.rate] };
        list[0]
    }
    #[differentiable]
    fn integer(p: &Params, q: &Params) -> f64 {
        let chosen = if p.rate > 0.0 { p.clone() } else { q.clone() };
        let mut sum = 0.0;
        for i in 0..chosen.n {
            sum += chosen.k[i];
        }
        sum
    }
    #[differentiable]
    fn total(p: &Params) -> f64 {
        let mut sum = 0.0;
        for i in 0..p.n {
            sum += p.k[i];
        }
        sum
    }
    #[differentiable]
    fn handed_on(p: &Params, q: &Params) -> f64 {
        let chosen = if p.rate > 0.0 { p.clone() } else { q.clone() };
        total(&chosen)
    }
    #[differentiable]
    fn copied(p: &Params, q: &Params) -> f64 {
        let chosen = if p.rate > 0.0 { p.clone() } else { q.clone() };
        let again = chosen.clone();
        let both = [again.clone(), again];
        total(&both[1])
    }
    #[differentiable]
    fn variant(v: f64) -> f64 {
        let law = if v > 0.0 { Law::Linear(v) } else { Law::Off };
        match law {
            Law::Linear(k) => k * v,
            _ => 0.0,
        }
    }
    let (p, q) = (Params::random(&mut Random(3), 1.0), Params::random(&mut Random(5), 1.0));
    let everywhere = TracerSparsityDetector.derivative_code();
    assert_eq!(jacobian_sparsity(index::D, everywhere, &p), Err(Error::ValueNeeded));
    assert_eq!(jacobian_sparsity(lengths::D, everywhere, &p), Err(Error::ValueNeeded));
    assert_eq!(jacobian_sparsity(integer::D, everywhere, (&p, &q)), Err(Error::ValueNeeded));
    assert_eq!(jacobian_sparsity(variant::D, everywhere, 1.0), Err(Error::ValueNeeded));
    assert_eq!(jacobian_sparsity(handed_on::D, everywhere, (&p, &q)), Err(Error::ValueNeeded));
    assert_eq!(jacobian_sparsity(copied::D, everywhere, (&p, &q)), Err(Error::ValueNeeded));
}

/// The pattern is that of the flat numbers, and the sparse matrix that of a dense backend, on either side of conditions.
#[test]
fn sparse_jacobians() -> Result<()> {
    let mut random = Random(11);
    let (p, x) = (Params::random(&mut random, 2.0), random.vec(4, 2.0));
    let sparse = AutoSparse::new(AutoForward).detector(TracerSparsityDetector.derivative_code()).checked(true);
    let mut prep = prepare_jacobian(cells::D, sparse, (&p, &x))?;
    for _ in 0..20 {
        let (p, x) = (Params::random(&mut random, 2.0), random.vec(4, 2.0));
        let (by_p, by_x) = prep.jacobian((&p, &x))?;
        assert_eq!((by_p.to_dense(), by_x.to_dense()), jacobian(cells::D, AutoForward, (&p, &x))?);
    }
    Ok(())
}

/// Everything in a solution depends on everything in the matrix and on the right side, even where the matrix is diagonal.
#[cfg(feature = "nalgebra")]
#[test]
fn solutions() -> Result<()> {
    use nalgebra::{DMatrix, DVector};
    #[differentiable]
    fn solution(a: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
        a.clone().lu().solve(b).unwrap()
    }
    let (a, b) = (DMatrix::identity(3, 3), DVector::from_vec(vec![0.0; 3]));
    let found = jacobian_sparsity(solution::D, TracerSparsityDetector.derivative_code(), (&a, &b))?;
    assert_eq!(found.nnz(), 3 * 12);
    Ok(())
}

/// A rule by hand says nothing of where its derivatives are zero.
#[test]
fn rules_by_hand() -> Result<()> {
    fn jvp(x: &[f64], dx: &[f64]) -> (Vec<f64>, Vec<f64>) {
        (x.iter().map(|v| v * v).collect(), x.iter().zip(dx).map(|(v, d)| 2.0 * v * d).collect())
    }
    #[differentiable(pushforward = jvp)]
    fn squares(x: &[f64]) -> Vec<f64> {
        x.iter().map(|v| v * v).collect()
    }
    #[differentiable]
    fn f(p: &Pair) -> f64 {
        let y = squares(&[p.a, p.b]);
        y[0] * p.b
    }
    let found = jacobian_sparsity(f::D, TracerSparsityDetector.derivative_code(), &Pair { a: 0.0, b: 0.0 })?;
    assert_eq!(found.nnz(), 2);
    Ok(())
}
