//! One row of the grid: a function, its arguments, and what the operators must find, in closed form.

use crate::numbers::{Numbers, Rows, flat, flatten};

/// A row says the function; the arguments as variables, each with its value and one for preparation; how they are passed; which
/// are written; two tangents and two cotangents; buffers like the active arguments and like the outputs; the value and the
/// Jacobian, flattened; the operators, each with what it needs besides.
macro_rules! grid {
    ($(
        $name:ident {
            $precision:ident $f:path;
            let $vars:tt; call $args:tt writes $writes:tt;
            dx $dx:tt like $like_x:expr; dy $dy:tt like $like_y:expr;
            value $value:expr; jacobian $jacobian:expr;
            $($operator:ident $(($($given:tt)*))?),+
        }
    )+) => { $(
        mod $name {
            use super::*;
            $(grid!(@ $operator [$($($given)*)?] {
                $precision [$f] $vars $args $writes $dx [$like_x] $dy [$like_y] [$value] [$jacobian]
            });)+
        }
    )+ };
    (@ products $given:tt $row:tt) => { grid!(# products first_order $given $row); };
    (@ jacobian $given:tt $row:tt) => { grid!(# jacobian first_order $given $row); };
    (@ gradient $given:tt $row:tt) => { grid!(# gradient first_order $given $row); };
    (@ derivative $given:tt $row:tt) => { grid!(# derivative first_order $given $row); };
    (@ second_derivative $given:tt $row:tt) => { grid!(# second_derivative second_order $given $row); };
    (@ hessian $given:tt $row:tt) => { grid!(# hessian second_order $given $row); };
    (# $operator:ident first_order $given:tt $row:tt) => {
        mod $operator {
            use super::*;
            grid!(: forward AutoForward, EXACT; $operator $given $row);
            grid!(: reverse AutoReverse, EXACT; $operator $given $row);
            grid!(: differences AutoFiniteDiff, ROUGH; $operator $given $row);
        }
    };
    (# $operator:ident second_order $given:tt $row:tt) => {
        mod $operator {
            use super::*;
            grid!(: forward_over_reverse SecondOrder(AutoForward, AutoReverse), EXACT; $operator $given $row);
            grid!(: differences_of_reverse SecondOrder(AutoFiniteDiff, AutoReverse), ROUGH; $operator $given $row);
            grid!(: differences_of_forward SecondOrder(AutoFiniteDiff, AutoForward), ROUGH; $operator $given $row);
            grid!(: differences AutoFiniteDiff, ROUGHER; $operator $given $row);
        }
    };
    (: $name:ident $backend:expr, $accuracy:ident; $operator:ident $given:tt
        { $precision:ident [$f:path] [$($v:ident: $T:ty = $at:expr, $elsewhere:expr;)+] $args:tt $writes:tt $($rest:tt)* }
    ) => {
        #[test]
        #[allow(unused_mut, unused_variables, unused_assignments, unused_parens, clippy::useless_vec)]
        fn $name() -> Result<()> {
            $(let mut $v: $T;)+
            /// Runs a call with fresh arguments; gives what it gives, and what is written.
            macro_rules! fresh {
                ($call:expr) => {{
                    $($v = $at;)+
                    let result = $call?;
                    (result, $crate::check::written!($writes))
                }};
            }
            macro_rules! elsewhere {
                ($call:expr) => {{
                    $($v = $elsewhere;)+
                    $call?
                }};
            }
            let check = $crate::check::Check { accuracy: $crate::check::$accuracy, single: $crate::check::single!($precision) };
            $crate::check::$operator!(fresh elsewhere check [$backend] [$f] $args $given $($rest)*);
            Ok(())
        }
    };
}
pub(crate) use grid;

macro_rules! single {
    (f32) => {
        true
    };
    (f64) => {
        false
    };
}
pub(crate) use single;

macro_rules! written {
    ([$($w:ident)*]) => {{
        #[allow(unused_mut)]
        let mut written: Vec<f64> = Vec::new();
        $(written.extend($crate::numbers::flat(&mut $w));)*
        written
    }};
}
pub(crate) use written;

macro_rules! products {
    ($fresh:ident $elsewhere:ident $check:ident [$b:expr] [$f:path] $args:tt $given:tt
        [$dx:expr, $dx2:expr] [$like_x:expr] [$dy:expr, $dy2:expr] [$like_y:expr] [$value:expr] [$jacobian:expr]
    ) => {
        let (value, j) = ($value, $jacobian);
        let (y_dot, y_dot2) = (times(&j, &mut $dx), times(&j, &mut $dx2));
        let (x_bar, x_bar2) = (transposed_times(&j, &mut $dy), transposed_times(&j, &mut $dy2));
        let m = value.len();

        $check.result("pushforward", &value, $fresh!(pushforward($f, $b, $args, $dx)), &y_dot);
        let mut into = $like_y;
        $check.buffer(
            "pushforward_into",
            &value,
            $fresh!(pushforward_into($f, $b, &mut into, $args, $dx)),
            into,
            &y_dot,
        );
        $check.both("value_and_pushforward", &value, $fresh!(value_and_pushforward($f, $b, $args, $dx)), &y_dot);
        let mut into = $like_y;
        $check.value_into(
            "value_and_pushforward_into",
            &value,
            $fresh!(value_and_pushforward_into($f, $b, &mut into, $args, $dx)),
            into,
            &y_dot,
        );
        $check.several("pushforwards", &value, $fresh!(pushforward($f, $b, $args, [$dx, $dx2])), [&y_dot, &y_dot2]);
        let mut prep = $elsewhere!(prepare_pushforward($f, $b, $args, $dx));
        $check.result("prepared pushforward", &value, $fresh!(prep.pushforward($args, $dx)), &y_dot);
        let mut into = $like_y;
        $check.buffer(
            "prepared pushforward_into",
            &value,
            $fresh!(prep.pushforward_into(&mut into, $args, $dx)),
            into,
            &y_dot,
        );
        $check.both("prepared value_and_pushforward", &value, $fresh!(prep.value_and_pushforward($args, $dx)), &y_dot);
        let mut into = $like_y;
        $check.value_into(
            "prepared value_and_pushforward_into",
            &value,
            $fresh!(prep.value_and_pushforward_into(&mut into, $args, $dx)),
            into,
            &y_dot,
        );
        let mut prep = $elsewhere!(prepare_pushforward($f, $b, $args, [$dx2, $dx2]));
        $check.several(
            "prepared pushforwards",
            &value,
            $fresh!(prep.value_and_pushforward($args, [$dx, $dx2]).map(|(_, both)| both)),
            [&y_dot, &y_dot2],
        );

        let ((first, second, into, point), _) = $fresh!({
            let mut at = prepare_pushforward_same_point($f, $b, $args, $dx2)?;
            let mut into = $like_y;
            let (first, second) = (at.pushforward($dx)?, at.pushforward($dx2)?);
            at.pushforward_into(&mut into, $dx)?;
            Ok::<_, Error>((first, second, into, at.value()))
        });
        $check.close("pushforward at a point", first, &y_dot);
        $check.close("another pushforward at a point", second, &y_dot2);
        $check.close("pushforward_into at a point", into, &y_dot);
        $check.close("value at a point", point, &value);

        $check.result("pullback", &value, $fresh!(pullback($f, $b, $args, $dy)), &x_bar);
        let mut into = $like_x;
        $check.buffer("pullback_into", &value, $fresh!(pullback_into($f, $b, &mut into, $args, $dy)), into, &x_bar);
        $check.both("value_and_pullback", &value, $fresh!(value_and_pullback($f, $b, $args, $dy)), &x_bar);
        let mut into = $like_x;
        $check.value_into(
            "value_and_pullback_into",
            &value,
            $fresh!(value_and_pullback_into($f, $b, &mut into, $args, $dy)),
            into,
            &x_bar,
        );
        $check.several("pullbacks", &value, $fresh!(pullback($f, $b, $args, [$dy, $dy2])), [&x_bar, &x_bar2]);
        let mut prep = $elsewhere!(prepare_pullback($f, $b, $args, $dy));
        $check.result("prepared pullback", &value, $fresh!(prep.pullback($args, $dy)), &x_bar);
        let mut into = $like_x;
        $check.buffer(
            "prepared pullback_into",
            &value,
            $fresh!(prep.pullback_into(&mut into, $args, $dy)),
            into,
            &x_bar,
        );
        $check.both("prepared value_and_pullback", &value, $fresh!(prep.value_and_pullback($args, $dy)), &x_bar);
        let mut into = $like_x;
        $check.value_into(
            "prepared value_and_pullback_into",
            &value,
            $fresh!(prep.value_and_pullback_into(&mut into, $args, $dy)),
            into,
            &x_bar,
        );
        let mut prep = $elsewhere!(prepare_pullback($f, $b, $args, [$dy2, $dy2]));
        $check.several(
            "prepared pullbacks",
            &value,
            $fresh!(prep.value_and_pullback($args, [$dy, $dy2]).map(|(_, both)| both)),
            [&x_bar, &x_bar2],
        );

        let ((first, second, into, point), _) = $fresh!({
            let mut at = prepare_pullback_same_point($f, $b, $args, $dy2)?;
            let mut into = $like_x;
            let (first, second) = (at.pullback($dy)?, at.pullback($dy2)?);
            at.pullback_into(&mut into, $dy)?;
            Ok::<_, Error>((first, second, into, at.value()))
        });
        $check.close("pullback at a point", first, &x_bar);
        $check.close("another pullback at a point", second, &x_bar2);
        $check.close("pullback_into at a point", into, &x_bar);
        $check.close("value at a point", point, &value);
    };
}
pub(crate) use products;

/// The four variants of an operator without seeds, unprepared and prepared.
macro_rules! four {
    ($fresh:ident $elsewhere:ident $check:ident [$b:expr] [$f:path] $args:tt [$like:expr] [$value:expr] [$expected:expr]
        $op:ident $op_into:ident $value_and_op:ident $value_and_op_into:ident $prepare:ident
    ) => {
        let (value, expected) = ($value, $expected);
        let name = stringify!($op);
        $check.result(name, &value, $fresh!($op($f, $b, $args)), &expected);
        let mut into = $like;
        $check.buffer(name, &value, $fresh!($op_into($f, $b, &mut into, $args)), into, &expected);
        $check.both(name, &value, $fresh!($value_and_op($f, $b, $args)), &expected);
        let mut into = $like;
        $check.value_into(name, &value, $fresh!($value_and_op_into($f, $b, &mut into, $args)), into, &expected);
        let mut prep = $elsewhere!($prepare($f, $b, $args));
        $check.result(name, &value, $fresh!(prep.$op($args)), &expected);
        let mut into = $like;
        $check.buffer(name, &value, $fresh!(prep.$op_into(&mut into, $args)), into, &expected);
        $check.both(name, &value, $fresh!(prep.$value_and_op($args)), &expected);
        let mut into = $like;
        $check.value_into(name, &value, $fresh!(prep.$value_and_op_into(&mut into, $args)), into, &expected);
    };
}
pub(crate) use four;

macro_rules! gradient {
    ($fresh:ident $elsewhere:ident $check:ident $b:tt $f:tt $args:tt $given:tt
        $dx:tt $like_x:tt $dy:tt $like_y:tt $value:tt [$jacobian:expr]
    ) => {
        $crate::check::four!($fresh $elsewhere $check $b $f $args $like_x $value [$jacobian.swap_remove(0)]
            gradient gradient_into value_and_gradient value_and_gradient_into prepare_gradient);
    };
}
pub(crate) use gradient;

macro_rules! derivative {
    ($fresh:ident $elsewhere:ident $check:ident $b:tt $f:tt $args:tt $given:tt
        $dx:tt $like_x:tt $dy:tt $like_y:tt $value:tt [$jacobian:expr]
    ) => {
        $crate::check::four!($fresh $elsewhere $check $b $f $args $like_y $value [$jacobian.concat()]
            derivative derivative_into value_and_derivative value_and_derivative_into prepare_derivative);
    };
}
pub(crate) use derivative;

/// Given are matrices to hold the result.
macro_rules! jacobian {
    ($fresh:ident $elsewhere:ident $check:ident $b:tt $f:tt $args:tt $matrices:tt
        $dx:tt $like_x:tt $dy:tt $like_y:tt $value:tt [$jacobian:expr]
    ) => {
        $crate::check::four!($fresh $elsewhere $check $b $f $args $matrices $value [$jacobian]
            jacobian jacobian_into value_and_jacobian value_and_jacobian_into prepare_jacobian);
    };
}
pub(crate) use jacobian;

/// Given are the second derivatives.
macro_rules! second_derivative {
    ($fresh:ident $elsewhere:ident $check:ident [$b:expr] [$f:path] $args:tt [$second:expr]
        $dx:tt $like_x:tt $dy:tt [$like_y:expr] [$value:expr] [$jacobian:expr]
    ) => {
        let (value, first, second) = ($value, $jacobian.concat(), $second);
        $check.result("second_derivative", &value, $fresh!(second_derivative($f, $b, $args)), &second);
        let mut into = $like_y;
        $check.buffer(
            "second_derivative_into",
            &value,
            $fresh!(second_derivative_into($f, $b, &mut into, $args)),
            into,
            &second,
        );
        let ((v, d, dd), written) = $fresh!(value_derivative_and_second_derivative($f, $b, $args));
        $check.both("value and derivatives", &value, ((v, dd), written), &second);
        $check.close("derivative beside the second", d, &first);
        let (mut d, mut dd) = ($like_y, $like_y);
        let v = $fresh!(value_derivative_and_second_derivative_into($f, $b, &mut d, &mut dd, $args));
        $check.value_into("value and derivatives into", &value, v, dd, &second);
        $check.close("derivative into", d, &first);

        let mut prep = $elsewhere!(prepare_second_derivative($f, $b, $args));
        $check.result("prepared second_derivative", &value, $fresh!(prep.second_derivative($args)), &second);
        let mut into = $like_y;
        $check.buffer(
            "prepared second_derivative_into",
            &value,
            $fresh!(prep.second_derivative_into(&mut into, $args)),
            into,
            &second,
        );
        let ((v, d, dd), written) = $fresh!(prep.value_derivative_and_second_derivative($args));
        $check.both("prepared value and derivatives", &value, ((v, dd), written), &second);
        $check.close("prepared derivative beside the second", d, &first);
        let (mut d, mut dd) = ($like_y, $like_y);
        let v = $fresh!(prep.value_derivative_and_second_derivative_into(&mut d, &mut dd, $args));
        $check.value_into("prepared value and derivatives into", &value, v, dd, &second);
        $check.close("prepared derivative into", d, &first);
    };
}
pub(crate) use second_derivative;

/// Given is the Hessian.
macro_rules! hessian {
    ($fresh:ident $elsewhere:ident $check:ident [$b:expr] [$f:path] $args:tt [$hessian:expr]
        [$v:expr, $v2:expr] [$like_x:expr] $dy:tt $like_y:tt [$value:expr] [$jacobian:expr]
    ) => {
        let (value, g, h) = ($value, $jacobian.swap_remove(0), $hessian);
        let (hv, hv2) = (times(&h, &mut $v), times(&h, &mut $v2));
        let n = h.len();

        $check.result("hvp", &value, $fresh!(hvp($f, $b, $args, $v)), &hv);
        let mut into = $like_x;
        $check.buffer("hvp_into", &value, $fresh!(hvp_into($f, $b, &mut into, $args, $v)), into, &hv);
        let ((gradient, product), written) = $fresh!(gradient_and_hvp($f, $b, $args, $v));
        $check.result("gradient_and_hvp", &value, (product, written), &hv);
        $check.close("gradient beside hvp", gradient, &g);
        let (mut gradient, mut into) = ($like_x, $like_x);
        let done = $fresh!(gradient_and_hvp_into($f, $b, &mut gradient, &mut into, $args, $v));
        $check.buffer("gradient_and_hvp_into", &value, done, into, &hv);
        $check.close("gradient into beside hvp", gradient, &g);
        $check.several("hvps", &value, $fresh!(hvp($f, $b, $args, [$v, $v2])), [&hv, &hv2]);

        let mut prep = $elsewhere!(prepare_hvp($f, $b, $args, $v));
        $check.result("prepared hvp", &value, $fresh!(prep.hvp($args, $v)), &hv);
        let mut into = $like_x;
        $check.buffer("prepared hvp_into", &value, $fresh!(prep.hvp_into(&mut into, $args, $v)), into, &hv);
        let ((gradient, product), written) = $fresh!(prep.gradient_and_hvp($args, $v));
        $check.result("prepared gradient_and_hvp", &value, (product, written), &hv);
        $check.close("prepared gradient beside hvp", gradient, &g);
        let (mut gradient, mut into) = ($like_x, $like_x);
        let done = $fresh!(prep.gradient_and_hvp_into(&mut gradient, &mut into, $args, $v));
        $check.buffer("prepared gradient_and_hvp_into", &value, done, into, &hv);
        $check.close("prepared gradient into beside hvp", gradient, &g);

        let ((first, second, into, gradient, point), _) = $fresh!({
            let mut at = prepare_hvp_same_point($f, $b, $args, $v2)?;
            let mut into = $like_x;
            let (first, second) = (at.hvp($v)?, at.hvp($v2)?);
            at.hvp_into(&mut into, $v)?;
            Ok::<_, Error>((first, second, into, at.gradient(), at.value()))
        });
        $check.close("hvp at a point", first, &hv);
        $check.close("another hvp at a point", second, &hv2);
        $check.close("hvp_into at a point", into, &hv);
        $check.close("gradient at a point", gradient, &g);
        $check.close("value at a point", point, &value);

        $check.result("hessian", &value, $fresh!(hessian($f, $b, $args)), &h);
        let mut into = Array2::zeros((n, n));
        $check.buffer("hessian_into", &value, $fresh!(hessian_into($f, $b, &mut into, $args)), into, &h);
        let ((v, gradient, matrix), written) = $fresh!(value_gradient_and_hessian($f, $b, $args));
        $check.both("value_gradient_and_hessian", &value, ((v, matrix), written), &h);
        $check.close("gradient beside hessian", gradient, &g);
        let (mut gradient, mut into) = ($like_x, Array2::zeros((n, n)));
        let v = $fresh!(value_gradient_and_hessian_into($f, $b, &mut gradient, &mut into, $args));
        $check.value_into("value_gradient_and_hessian_into", &value, v, into, &h);
        $check.close("gradient into beside hessian", gradient, &g);

        let mut prep = $elsewhere!(prepare_hessian($f, $b, $args));
        $check.result("prepared hessian", &value, $fresh!(prep.hessian($args)), &h);
        let mut into = Array2::zeros((n, n));
        $check.buffer("prepared hessian_into", &value, $fresh!(prep.hessian_into(&mut into, $args)), into, &h);
        let ((v, gradient, matrix), written) = $fresh!(prep.value_gradient_and_hessian($args));
        $check.both("prepared value_gradient_and_hessian", &value, ((v, matrix), written), &h);
        $check.close("prepared gradient beside hessian", gradient, &g);
        let (mut gradient, mut into) = ($like_x, Array2::zeros((n, n)));
        let v = $fresh!(prep.value_gradient_and_hessian_into(&mut gradient, &mut into, $args));
        $check.value_into("prepared value_gradient_and_hessian_into", &value, v, into, &h);
        $check.close("prepared gradient into beside hessian", gradient, &g);
    };
}
pub(crate) use hessian;

/// A result that is compared with `E`: numbers in a row, or the rows of a matrix whose blocks stand side by side.
pub trait Expected<E> {
    fn numbers(self) -> Vec<f64>;
    fn expected(expected: &E) -> Vec<f64>;
}

impl<T: Numbers> Expected<Vec<f64>> for T {
    fn numbers(self) -> Vec<f64> {
        flatten(self)
    }
    fn expected(expected: &Vec<f64>) -> Vec<f64> {
        expected.clone()
    }
}

impl<T: Rows> Expected<Vec<Vec<f64>>> for T {
    fn numbers(self) -> Vec<f64> {
        self.to_rows().concat()
    }
    fn expected(expected: &Vec<Vec<f64>>) -> Vec<f64> {
        expected.concat()
    }
}

/// A matrix times the numbers of a seed.
pub fn times(matrix: &[Vec<f64>], seed: &mut impl Numbers) -> Vec<f64> {
    let seed = flat(seed);
    matrix.iter().map(|row| row.iter().zip(&seed).map(|(a, b)| a * b).sum()).collect()
}

/// The transposed matrix times the numbers of a seed.
pub fn transposed_times(matrix: &[Vec<f64>], seed: &mut impl Numbers) -> Vec<f64> {
    let seed = flat(seed);
    let n = matrix.first().map_or(0, Vec::len);
    (0..n).map(|j| matrix.iter().zip(&seed).map(|(row, b)| row[j] * b).sum()).collect()
}

/// The relative error that is allowed, for `f64` and for `f32`.
pub type Accuracy = (f64, f64);
/// Of derivatives by code.
pub const EXACT: Accuracy = (1e-13, 1e-5);
/// Of differences of values or of derivatives by code.
pub const ROUGH: Accuracy = (1e-7, 2e-2);
/// Of differences of differences.
pub const ROUGHER: Accuracy = (1e-4, 1.0);

/// Compares what the calls of a row give.
pub struct Check {
    pub accuracy: Accuracy,
    pub single: bool,
}

impl Check {
    /// A result, and what is written.
    pub fn result<T: Expected<E>, E>(&self, what: &str, value: &[f64], (result, written): (T, Vec<f64>), expected: &E) {
        self.written(what, value, &written);
        self.close(what, result, expected);
    }

    /// A buffer, and what is written.
    pub fn buffer<T: Expected<E>, E>(
        &self,
        what: &str,
        value: &[f64],
        ((), written): ((), Vec<f64>),
        into: T,
        expected: &E,
    ) {
        self.result(what, value, (into, written), expected);
    }

    /// The value and a result, and what is written.
    pub fn both<V: Numbers, T: Expected<E>, E>(
        &self,
        what: &str,
        value: &[f64],
        ((mut returned, result), written): ((V, T), Vec<f64>),
        expected: &E,
    ) {
        self.numbers(what, &[flat(&mut returned), written].concat(), value, 0.0);
        self.close(what, result, expected);
    }

    /// The value and a buffer, and what is written.
    pub fn value_into<V: Numbers, T: Expected<E>, E>(
        &self,
        what: &str,
        value: &[f64],
        (returned, written): (V, Vec<f64>),
        into: T,
        expected: &E,
    ) {
        self.both(what, value, ((returned, into), written), expected);
    }

    /// The results of two seeds.
    pub fn several<T: Numbers>(
        &self,
        what: &str,
        value: &[f64],
        ([one, other], written): ([T; 2], Vec<f64>),
        [expected, expected_other]: [&Vec<f64>; 2],
    ) {
        self.written(what, value, &written);
        self.close(what, one, expected);
        self.close(what, other, expected_other);
    }

    /// A result, or the value at a point.
    pub fn close<T: Expected<E>, E>(&self, what: &str, result: T, expected: &E) {
        let tolerance = if self.single { self.accuracy.1 } else { self.accuracy.0 };
        self.numbers(what, &result.numbers(), &T::expected(expected), tolerance);
    }

    /// What is written are the last numbers of the value.
    fn written(&self, what: &str, value: &[f64], written: &[f64]) {
        self.numbers(what, written, &value[value.len() - written.len()..], 0.0);
    }

    fn numbers(&self, what: &str, got: &[f64], expected: &[f64], tolerance: f64) {
        let tolerance = tolerance.max(if self.single { 1e-6 } else { 1e-14 });
        let scale = expected.iter().fold(1.0f64, |m, v| m.max(v.abs()));
        let close =
            got.len() == expected.len() && got.iter().zip(expected).all(|(g, e)| (g - e).abs() <= tolerance * scale);
        assert!(close, "{what}: {got:?}, but should be {expected:?}");
    }
}
