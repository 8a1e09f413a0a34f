//! One row: a function at some points, with every choice of active arguments, against differences of the plain function.

pub use crate::numbers::{Numbers, Rows, flat, flatten, single};

/// A row is `class function(kind parameter: Type, ..): [point] [point] ..;`.
///
/// The class is `number` for a function whose result is one number, `list` where it is another owned value, `writes` where some
/// parameters are written to. The kinds are `by` (value), `at` (reference), `inout`, `out`, and `fixed` or `fixed_at` for what
/// carries no derivative. The type is the owned one.
macro_rules! rows {
    ($($class:ident $f:ident $parameters:tt: $([$($value:tt)+])+;)+) => { $(
        #[test]
        #[allow(unused_mut, unused_parens, unused_variables, unused_assignments)]
        fn $f() {
            use super::$f as function;
            use $crate::check::Rows as _;
            $crate::check::points!($class function (stringify!($f)) $parameters $([$($value)+])+);
        }
    )+ };
}
pub(crate) use rows;

/// Every point in one loop, so that what checks them is compiled once.
macro_rules! points {
    ($class:ident $f:ident $name:tt ($($kind:ident $p:ident: $T:ty),+) $([$($value:expr),+])+) => {
        let points: Vec<($($T,)+)> = vec![$(($($value,)+)),+];
        for ($($p,)+) in points {
            $crate::check::choices!($class $f $name no []; $($kind $p: $T,)+);
        }
    };
}
pub(crate) use points;

/// Every choice of active arguments, by taking the parameters one by one.
macro_rules! choices {
    ($class:ident $f:ident $name:tt $any:ident [$($done:tt)*]; by $p:ident: $T:ty, $($rest:tt)*) => {
        $crate::check::choices!($class $f $name yes [$($done)* (active by $p)]; $($rest)*);
        $crate::check::choices!($class $f $name $any [$($done)* (constant by $p)]; $($rest)*);
    };
    ($class:ident $f:ident $name:tt $any:ident [$($done:tt)*]; at $p:ident: $T:ty, $($rest:tt)*) => {
        $crate::check::choices!($class $f $name yes [$($done)* (active at $p)]; $($rest)*);
        $crate::check::choices!($class $f $name $any [$($done)* (constant at $p)]; $($rest)*);
    };
    ($class:ident $f:ident $name:tt $any:ident [$($done:tt)*]; inout $p:ident: $T:ty, $($rest:tt)*) => {
        $crate::check::choices!($class $f $name yes [$($done)* (active inout $p)]; $($rest)*);
    };
    ($class:ident $f:ident $name:tt $any:ident [$($done:tt)*]; $kind:ident $p:ident: $T:ty, $($rest:tt)*) => {
        $crate::check::choices!($class $f $name $any [$($done)* (constant $kind $p)]; $($rest)*);
    };
    ($class:ident $f:ident $name:tt no $done:tt;) => {};
    ($class:ident $f:ident $name:tt yes [$(($role:ident $kind:ident $p:ident))+];) => {{
        let mut place = format!("{}(", $name);
        $(place += concat!(stringify!($role), " ", stringify!($p), ", ");)+
        $(place += &format!("{:?}, ", $p);)+
        let mut at = Vec::new();
        $($crate::check::read!($role $p at);)+
        let plain = |x: &[f64]| {
            $(let mut $p = $p.clone();)+
            let mut numbers = x.iter();
            $($crate::check::write!($role $p numbers);)+
            let mut y = $f($($crate::check::plain!($kind $p)),+);
            let mut flat = $crate::check::flat(&mut y);
            $($crate::check::written!($kind $p flat);)+
            flat
        };
        let single = {
            $(let mut $p = $p.clone();)+
            $crate::check::single(&$f($($crate::check::plain!($kind $p)),+)) $(|| $crate::check::single(&$p))+
        };
        let check = $crate::check::Check { place, single };
        let value = plain(&at);
        let expected = $crate::check::differences(&at, single, &plain);

        let forward = {
            $(let mut $p = $p.clone();)+
            jacobian($f::D, AutoForward, ($($crate::check::argument!($role $kind $p)),+)).unwrap().to_rows()
        };
        check.close("forward", &forward, &expected, 1e-7);
        let reverse = {
            $(let mut $p = $p.clone();)+
            jacobian($f::D, AutoReverse, ($($crate::check::argument!($role $kind $p)),+)).unwrap().to_rows()
        };
        check.close("reverse", &reverse, &expected, 1e-7);
        check.close("reverse against forward", &reverse, &forward, 1e-12);

        $crate::check::class!($class check $f at value reverse single; $($role $kind $p),+);
    }};
}
pub(crate) use choices;

macro_rules! class {
    (number $check:ident $f:ident $at:ident $value:ident $jacobian:ident $single:ident; $($role:ident $kind:ident $p:ident),+) => {
        let (y, g) = value_and_gradient($f::D, AutoReverse, ($($crate::check::argument!($role $kind $p)),+)).unwrap();
        $check.close("value", &[vec![y.into()]], &[$value.clone()], 1e-12);
        $check.close("gradient", &[$crate::check::flatten(g)], &$jacobian, 1e-12);
        let g = gradient($f::D, AutoForward, ($($crate::check::argument!($role $kind $p)),+)).unwrap();
        $check.close("forward gradient", &[$crate::check::flatten(g)], &$jacobian, 1e-12);
        let expected = $crate::check::differences(&$at, $single, &|x: &[f64]| {
            $(let mut $p = $p.clone();)+
            let mut numbers = x.iter();
            $($crate::check::write!($role $p numbers);)+
            let at = ($($crate::check::argument!($role $kind $p)),+);
            $crate::check::flatten(value_and_gradient($f::D, AutoReverse, at).unwrap().1)
        });
        let second = hessian($f::D, AutoReverse, ($($crate::check::argument!($role $kind $p)),+)).unwrap().to_rows();
        $check.close("hessian", &second, &expected, 1e-6);
        $crate::check::class!(list $check $f $at $value $jacobian $single; $($role $kind $p),+);
    };
    (list $check:ident $f:ident $at:ident $value:ident $jacobian:ident $single:ident; $($role:ident $kind:ident $p:ident),+) => {
        let mut seed = $f($($crate::check::plain!($kind $p)),+);
        let mut k = 0.0;
        $crate::check::Numbers::each(&mut seed, &mut |v| {
            k += 1.0;
            *v = (3.0 * k as f64).sin();
        });
        let expected = $crate::check::product(&$crate::check::flat(&mut seed.clone()), &$jacobian, $at.len());
        let (mut y, bar) =
            value_and_pullback($f::D, AutoReverse, ($($crate::check::argument!($role $kind $p)),+), seed.clone()).unwrap();
        $check.close("value of pullback", &[$crate::check::flat(&mut y)], &[$value.clone()], 1e-12);
        $check.close("pullback", &[$crate::check::flatten(bar)], &[expected.clone()], 1e-12);
        let mut held = prepare_pullback_same_point(
            $f::D, AutoReverse, ($($crate::check::argument!($role $kind $p)),+), seed.clone()).unwrap();
        let mut y = held.value();
        $check.close("held value", &[$crate::check::flat(&mut y)], &[$value.clone()], 1e-12);
        for _ in 0..2 {
            let bar = held.pullback(seed.clone()).unwrap();
            $check.close("held pullback", &[$crate::check::flatten(bar)], &[expected.clone()], 1e-12);
        }
    };
    (writes $($rest:tt)*) => {};
}
pub(crate) use class;

macro_rules! read {
    (active $p:ident $at:ident) => {
        $at.extend($crate::check::flat(&mut $p.clone()));
    };
    ($role:ident $p:ident $at:ident) => {};
}
pub(crate) use read;

macro_rules! write {
    (active $p:ident $numbers:ident) => {
        $crate::check::Numbers::each(&mut $p, &mut |v| *v = *$numbers.next().unwrap());
    };
    ($role:ident $p:ident $numbers:ident) => {};
}
pub(crate) use write;

macro_rules! written {
    (inout $p:ident $flat:ident) => {
        $flat.extend($crate::check::flat(&mut $p));
    };
    (out $p:ident $flat:ident) => {
        $flat.extend($crate::check::flat(&mut $p));
    };
    ($kind:ident $p:ident $flat:ident) => {};
}
pub(crate) use written;

macro_rules! plain {
    (by $p:ident) => {
        $p.clone()
    };
    (fixed $p:ident) => {
        $p.clone()
    };
    (at $p:ident) => {
        &$p
    };
    (fixed_at $p:ident) => {
        &$p
    };
    ($kind:ident $p:ident) => {
        &mut $p
    };
}
pub(crate) use plain;

macro_rules! argument {
    (constant out $p:ident) => { &mut $p };
    (constant $kind:ident $p:ident) => { Constant($crate::check::plain!($kind $p)) };
    (active $kind:ident $p:ident) => { $crate::check::plain!($kind $p) };
}
pub(crate) use argument;

pub struct Check {
    pub place: String,
    pub single: bool,
}

impl Check {
    /// Compares matrices.
    pub fn close(&self, what: &str, got: &[Vec<f64>], expected: &[Vec<f64>], tolerance: f64) {
        let tolerance = if !self.single {
            tolerance
        } else if tolerance < 1e-8 {
            1e-5
        } else {
            4e-3
        };
        let same = |g: &Vec<f64>, e: &Vec<f64>| {
            g.len() == e.len() && g.iter().zip(e).all(|(g, e)| (g - e).abs() <= tolerance * e.abs().max(1.0))
        };
        let close = got.len() == expected.len() && got.iter().zip(expected).all(|(g, e)| same(g, e));
        assert!(close, "{} {what} is\n{got:?}, but should be\n{expected:?}", self.place);
    }
}

/// A row times a matrix of `n` columns.
pub fn product(row: &[f64], matrix: &[Vec<f64>], n: usize) -> Vec<f64> {
    (0..n).map(|j| row.iter().zip(matrix).map(|(a, b)| a * b[j]).sum()).collect()
}

/// The Jacobian by central differences, twice extrapolated.
pub fn differences(x: &[f64], single: bool, f: &dyn Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
    let columns: Vec<Vec<f64>> = (0..x.len()).map(|j| column(x, j, if single { 0.06 } else { 2e-3 }, f)).collect();
    (0..f(x).len()).map(|i| columns.iter().map(|column| column[i]).collect()).collect()
}

fn column(x: &[f64], j: usize, step: f64, f: &dyn Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let central = |h: f64| -> Vec<f64> {
        let mut moved = x.to_vec();
        moved[j] = x[j] + h;
        let above = f(&moved);
        moved[j] = x[j] - h;
        let below = f(&moved);
        above.iter().zip(&below).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    };
    let (wide, half, quarter) = (central(step), central(step / 2.0), central(step / 4.0));
    let better =
        |a: &[f64], b: &[f64], k: f64| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| (k * b - a) / (k - 1.0)).collect() };
    better(&better(&wide, &half, 4.0), &better(&half, &quarter, 4.0), 16.0)
}
