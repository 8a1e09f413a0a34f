//! Every line of the derivative table against numbers that were computed without it, and the conventions at kinks and edges.

#[path = "rules/accuracy.rs"]
mod accuracy;

use diffi_rules::{Kind, RULES, Rule, rule};
use diffi_runtime::number::real::Real;
use diffi_runtime::number::scalar::Dual;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// Relative error that is allowed. The functions of the standard library are right to some 1e-16.
const TOLERANCE: f64 = 1e-12;

/// What `tests/rules/reference.py` has computed; this file is its output.
const REFERENCE: &str = include_str!("rules/reference.tsv");

// The table as code: a test, an evaluation in any number type, and the partial derivatives themselves, per line.

macro_rules! tests {
    ($($name:ident ($($line:tt)+) -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        $(
            #[test]
            fn $name() {
                super::check_line(stringify!($name));
            }
        )+
    };
}

mod line {
    diffi_rules::functions!(tests);
    diffi_rules::operators!(tests);
}

macro_rules! evaluation {
    ($apply:ident $partials:ident:
        $($name:ident ($($x:ident),+ $(; $n:ident: $int:ty)?) -> $y:ident: [$($partial:expr),*] $kind:ident $(($($second:tt)+))?;)+
    ) => {
        #[allow(unused_variables)]
        fn $apply<S: Real>(name: &str, args: &[S], passive: i32) -> Option<S> {
            match (name, args) {
                $((stringify!($name), [$($x),+]) => Some(S::$name($(*$x),+ $(, { let $n: $int = passive; $n })?)),)+
                _ => None,
            }
        }

        #[allow(unused_variables, unused_parens, unstable_name_collisions, reason = "lines as they are written")]
        #[allow(clippy::approx_constant, clippy::eq_op, clippy::zero_divided_by_zero)]
        fn $partials(name: &str, args: &[f64], passive: i32) -> Option<Vec<f64>> {
            match (name, args) {
                $((stringify!($name), &[$($x),+]) => {
                    $(let $n: $int = passive;)?
                    let $y = f64::$name($($x),+ $(, $n)?);
                    Some(vec![$($partial),*])
                })+
                _ => None,
            }
        }
    };
}
diffi_rules::functions!(evaluation { apply_function function_partials: });
diffi_rules::operators!(evaluation { apply_operator operator_partials: });

fn apply<S: Real>(name: &str, args: &[S], passive: i32) -> S {
    apply_function(name, args, passive).or_else(|| apply_operator(name, args, passive)).expect(name)
}

/// The partial derivatives as the line has them; zeros if it is flat.
fn partials(name: &str, args: &[f64], passive: i32) -> Vec<f64> {
    let found = function_partials(name, args, passive).or_else(|| operator_partials(name, args, passive)).expect(name);
    if rule(name).expect(name).kind == Kind::Flat { vec![0.0; args.len()] } else { found }
}

/// The first derivatives by dual numbers.
fn first<S: Real>(name: &str, args: &[S], passive: i32) -> Vec<S> {
    let args: Vec<Dual<S, 3>> = args.iter().enumerate().map(|(k, x)| Dual::variable(*x, k)).collect();
    apply(name, &args, passive).partials()[..args.len()].to_vec()
}

/// The second derivatives by dual numbers of dual numbers: the derivatives of the line's partial derivatives.
fn second(name: &str, args: &[f64], passive: i32) -> Vec<Vec<f64>> {
    let args: Vec<Dual<f64, 3>> = args.iter().enumerate().map(|(k, x)| Dual::variable(*x, k)).collect();
    first(name, &args, passive).iter().map(|partial| partial.partials()[..args.len()].to_vec()).collect()
}

/// A line of the reference file.
#[derive(Clone, Debug)]
struct Row {
    name: String,
    args: Vec<f64>,
    passive: i32,
    value: f64,
    first: Vec<f64>,
    /// The upper triangle.
    second: Vec<f64>,
}

fn reference() -> Vec<Row> {
    let numbers =
        |text: &str| text.split(' ').filter(|v| *v != "-").map(|v| v.parse().expect(text)).collect::<Vec<f64>>();
    let row = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        Row {
            name: columns[0].to_owned(),
            args: numbers(columns[1]),
            passive: columns[2].parse().unwrap_or(0),
            value: numbers(columns[3])[0],
            first: numbers(columns[4]),
            second: numbers(columns[5]),
        }
    };
    REFERENCE.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

/// Pairs of arguments in the order of `Row::second`.
fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |i| (i..n).map(move |j| (i, j)))
}

fn same(found: f64, expected: f64) -> bool {
    found == expected || (found.is_nan() && expected.is_nan()) || (found - expected).abs() <= TOLERANCE * expected.abs()
}

/// All that a row says, compared with what the table says.
fn check(row: &Row) -> Result<(), String> {
    let Row { name, args, passive, .. } = row;
    let rule = rule(name).ok_or("no such line")?;
    let compare = |what: &str, found: f64, expected: f64| match same(found, expected) {
        true => Ok(()),
        false => Err(format!("{name} at {args:?} (n = {passive}), {what}: {found:e}, expected {expected:e}")),
    };
    compare("value", apply(name, args, *passive), row.value)?;
    for k in 0..args.len() {
        compare("partial derivative as written", partials(name, args, *passive)[k], row.first[k])?;
        compare("partial derivative by duals", first(name, args, *passive)[k], row.first[k])?;
        if !rule.has_first(k) {
            compare("derivative that vanishes", row.first[k], 0.0)?;
        }
    }
    let second = second(name, args, *passive);
    for ((i, j), expected) in pairs(args.len()).zip(&row.second) {
        compare("second derivative", second[i][j], *expected)?;
        compare("second derivative, transposed", second[j][i], *expected)?;
        if !rule.has_second(i, j) {
            compare("second derivative that vanishes", *expected, 0.0)?;
        }
    }
    Ok(())
}

/// Rows enough, all of them right, and no derivative is called nonzero that always vanishes.
fn check_line(name: &str) {
    let rule = rule(name).expect(name);
    let rows: Vec<Row> = reference().into_iter().filter(|row| row.name == name).collect();
    assert!(rows.len() >= 3, "tests/rules/reference.py has too few points for {name}");
    for row in &rows {
        assert_eq!(row.args.len(), rule.args.len());
        check(row).unwrap();
    }
    for k in 0..rule.args.len() {
        assert_eq!(rule.has_first(k), rows.iter().any(|row| row.first[k] != 0.0), "{name}: first derivative {k}");
    }
    for (at, (i, j)) in pairs(rule.args.len()).enumerate() {
        assert_eq!(
            rule.has_second(i, j),
            rows.iter().any(|row| row.second.get(at).is_none_or(|second| *second != 0.0)),
            "{name}: second derivative {i} {j}"
        );
    }
}

/// The comparison itself: a reference that is off by 1e-9 in any one number is rejected.
#[test]
fn every_number_is_compared() {
    let off = |v: &mut f64| *v = if *v == 0.0 { 1e-9 } else { *v * (1.0 + 1e-9) };
    for row in reference() {
        for k in 0..1 + row.first.len() + row.second.len() {
            let mut wrong = row.clone();
            let number = std::iter::once(&mut wrong.value).chain(&mut wrong.first).chain(&mut wrong.second).nth(k);
            let number = number.unwrap();
            off(number);
            // what is not given: derivatives beyond the third by the parameters of incomplete functions
            let given = !number.is_nan();
            assert!(!given || check(&wrong).is_err(), "{wrong:?}, number {k}");
        }
    }
}

#[test]
fn text_and_code_are_the_same_table() {
    let of = |name| rule(name).unwrap();
    assert_eq!(
        *of("powi"),
        Rule {
            name: "powi",
            args: &["x"],
            passive: Some("n"),
            answer: "y",
            partials: &["if n == 0 { 0.0 } else { (n as f64) * x.powi(n - 1) }"],
            kind: Kind::Curved,
            special: false,
            second: &[],
        }
    );
    assert_eq!((of("hypot").args, of("hypot").second), (&["a", "b"][..], &["aa", "ab", "bb"][..]));
    assert_eq!((of("floor").kind, of("max").kind, of("mul").kind), (Kind::Flat, Kind::Linear, Kind::Curved));
    assert!(rule("sin_cos").is_none());
    for rule in RULES {
        let partials = if rule.kind == Kind::Flat { 0 } else { rule.args.len() };
        assert_eq!(rule.partials.len(), partials, "{}", rule.name);
        assert_eq!(rule.second.is_empty(), rule.kind != Kind::Curved || rule.args.len() == 1, "{}", rule.name);
        assert!(RULES.iter().filter(|other| other.name == rule.name).count() == 1, "{} has two lines", rule.name);
    }
}

/// In single precision the same formulas hold to single precision.
#[test]
fn single_precision() {
    let mut compared = 0;
    for row in reference().iter().filter(|row| row.args.iter().all(|x| *x == 0.0 || (1e-3..1e4).contains(&x.abs()))) {
        let short: Vec<f32> = row.args.iter().map(|x| *x as f32).collect();
        let long: Vec<f64> = short.iter().map(|x| f64::from(*x)).collect();
        let (short, long) = (first(&row.name, &short, row.passive), first(&row.name, &long, row.passive));
        for (short, long) in short.iter().zip(&long).filter(|(_, long)| !long.is_nan()) {
            let error = (f64::from(*short) - long).abs();
            assert!(error <= 2e-5 * long.abs(), "{row:?}: {short} in single precision, {long} in double");
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

/// The conventions, one a row: function, arguments, passive argument, partial derivatives.
#[test]
fn kinks_and_edges() {
    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    let rows: &[(&str, &[f64], i32, &[f64])] = &[
        ("abs", &[0.0], 0, &[0.0]),
        ("abs", &[-0.0], 0, &[0.0]),
        ("abs", &[INF], 0, &[1.0]),
        ("abs", &[-INF], 0, &[-1.0]),
        ("abs", &[NAN], 0, &[NAN]),
        ("max", &[2.0, 2.0], 0, &[1.0, 0.0]),
        ("max", &[-0.0, 0.0], 0, &[1.0, 0.0]),
        ("max", &[NAN, 2.0], 0, &[0.0, 1.0]),
        ("max", &[2.0, NAN], 0, &[1.0, 0.0]),
        ("min", &[2.0, 2.0], 0, &[1.0, 0.0]),
        ("min", &[0.0, -0.0], 0, &[1.0, 0.0]),
        ("min", &[NAN, 2.0], 0, &[0.0, 1.0]),
        ("min", &[2.0, NAN], 0, &[1.0, 0.0]),
        ("clamp", &[1.0, 1.0, 2.0], 0, &[1.0, 0.0, 0.0]),
        ("clamp", &[2.0, 1.0, 2.0], 0, &[1.0, 0.0, 0.0]),
        ("clamp", &[1.0, 1.0, 1.0], 0, &[1.0, 0.0, 0.0]),
        ("clamp", &[INF, 1.0, 2.0], 0, &[0.0, 0.0, 1.0]),
        ("floor", &[2.0], 0, &[0.0]),
        ("ceil", &[2.0], 0, &[0.0]),
        ("trunc", &[-2.0], 0, &[0.0]),
        ("round", &[0.5], 0, &[0.0]),
        ("round_ties_even", &[2.5], 0, &[0.0]),
        ("signum", &[0.0], 0, &[0.0]),
        ("div_euclid", &[4.0, 2.0], 0, &[0.0, 0.0]),
        ("fract", &[2.0], 0, &[1.0]),
        ("rem", &[6.0, 2.0], 0, &[1.0, -3.0]),
        ("rem", &[6.0, -2.0], 0, &[1.0, 3.0]),
        ("rem", &[5.0, INF], 0, &[1.0, 0.0]),
        ("rem", &[5.0, 0.0], 0, &[1.0, NAN]),
        ("rem_euclid", &[-6.0, 2.0], 0, &[1.0, 3.0]),
        ("rem_euclid", &[-5.0, 2.0], 0, &[1.0, 3.0]),
        ("copysign", &[0.0, -1.0], 0, &[0.0, 0.0]),
        ("copysign", &[3.0, -0.0], 0, &[-1.0, 0.0]),
        ("copysign", &[-3.0, -0.0], 0, &[1.0, 0.0]),
        ("copysign", &[NAN, 1.0], 0, &[NAN, 0.0]),
        ("sqrt", &[0.0], 0, &[INF]),
        ("sqrt", &[-0.0], 0, &[-INF]),
        ("sqrt", &[-1.0], 0, &[NAN]),
        ("sqrt", &[INF], 0, &[0.0]),
        ("cbrt", &[0.0], 0, &[INF]),
        ("cbrt", &[-0.0], 0, &[INF]),
        ("cbrt", &[-INF], 0, &[0.0]),
        ("recip", &[0.0], 0, &[-INF]),
        ("recip", &[INF], 0, &[0.0]),
        ("ln", &[0.0], 0, &[INF]),
        ("ln", &[-0.0], 0, &[-INF]),
        ("ln", &[-2.0], 0, &[-0.5]),
        ("ln", &[INF], 0, &[0.0]),
        ("log2", &[0.0], 0, &[INF]),
        ("log10", &[0.0], 0, &[INF]),
        ("ln_1p", &[-1.0], 0, &[INF]),
        ("log", &[0.0, 2.0], 0, &[INF, INF]),
        ("exp", &[-INF], 0, &[0.0]),
        ("exp", &[INF], 0, &[INF]),
        ("asin", &[1.0], 0, &[INF]),
        ("asin", &[-1.0], 0, &[INF]),
        ("asin", &[1.5], 0, &[NAN]),
        ("acos", &[1.0], 0, &[-INF]),
        ("acos", &[-1.5], 0, &[NAN]),
        ("acosh", &[1.0], 0, &[INF]),
        ("acosh", &[0.5], 0, &[NAN]),
        ("acosh", &[-2.0], 0, &[NAN]),
        ("atanh", &[1.0], 0, &[INF]),
        ("atan", &[INF], 0, &[0.0]),
        ("tanh", &[INF], 0, &[0.0]),
        ("tanh", &[400.0], 0, &[0.0]),
        ("asinh", &[-INF], 0, &[0.0]),
        ("hypot", &[0.0, 0.0], 0, &[0.0, 0.0]),
        ("hypot", &[0.0, -3.0], 0, &[0.0, -1.0]),
        ("atan2", &[0.0, 0.0], 0, &[0.0, 0.0]),
        ("atan2", &[-0.0, -0.0], 0, &[0.0, 0.0]),
        ("atan2", &[0.0, -2.0], 0, &[-0.5, 0.0]),
        ("powi", &[0.0], 0, &[0.0]),
        ("powi", &[NAN], 0, &[0.0]),
        ("powi", &[0.0], 1, &[1.0]),
        ("powi", &[0.0], 2, &[0.0]),
        ("powi", &[0.0], -1, &[-INF]),
        ("powf", &[0.0, 2.0], 0, &[0.0, 0.0]),
        ("powf", &[0.0, 1.0], 0, &[1.0, 0.0]),
        ("powf", &[0.0, 0.5], 0, &[INF, 0.0]),
        ("powf", &[0.0, 0.0], 0, &[0.0, -INF]),
        ("powf", &[0.0, -1.0], 0, &[-INF, -INF]),
        ("powf", &[-3.0, 2.0], 0, &[-6.0, NAN]),
        ("powf", &[INF, -1.0], 0, &[0.0, 0.0]),
        ("powf", &[1.0, NAN], 0, &[NAN, 0.0]),
        ("powf", &[NAN, 0.0], 0, &[NAN, NAN]),
        ("erf", &[INF], 0, &[0.0]),
        ("norm_cdf", &[-INF], 0, &[0.0]),
        ("norm_cdf", &[1e200], 0, &[0.0]),
        ("erf_inv", &[1.0], 0, &[INF]),
        ("erf_inv", &[-1.0], 0, &[INF]),
        ("erf_inv", &[1.5], 0, &[NAN]),
        ("erfc_inv", &[0.0], 0, &[-INF]),
        ("erfc_inv", &[2.0], 0, &[-INF]),
        ("norm_quantile", &[0.0], 0, &[INF]),
        ("norm_quantile", &[1.0], 0, &[INF]),
        ("norm_quantile", &[-0.5], 0, &[NAN]),
        ("lambert_w0", &[0.0], 0, &[1.0]),
        ("zeta", &[0.0], 0, &[NAN]),
        ("mul", &[0.0, 0.0], 0, &[0.0, 0.0]),
        ("div", &[1.0, 0.0], 0, &[INF, -INF]),
    ];
    for (name, args, passive, expected) in rows {
        let written = partials(name, args, *passive);
        let by_duals = first(name, args, *passive);
        for k in 0..args.len() {
            assert!(same(written[k], expected[k]), "{name} at {args:?}: {written:?}, expected {expected:?}");
            assert!(same(by_duals[k], expected[k]), "{name} at {args:?} by duals: {by_duals:?}, expected {expected:?}");
        }
    }
}

#[test]
fn second_derivatives_at_zero() {
    let rows: &[(&str, &[f64], i32, &[f64])] = &[
        ("powf", &[0.0, 2.0], 0, &[2.0, 0.0, 0.0]),
        ("powf", &[0.0, 3.0], 0, &[0.0, 0.0, 0.0]),
        ("powi", &[0.0], 2, &[2.0]),
        ("powi", &[0.0], 1, &[0.0]),
        ("abs", &[0.0], 0, &[0.0]),
        ("hypot", &[0.0, 0.0], 0, &[0.0, 0.0, 0.0]),
        ("atan2", &[0.0, 0.0], 0, &[0.0, 0.0, 0.0]),
        ("max", &[1.0, 1.0], 0, &[0.0, 0.0, 0.0]),
    ];
    for (name, args, passive, expected) in rows {
        let found = second(name, args, *passive);
        for ((i, j), expected) in pairs(args.len()).zip(*expected) {
            assert!(same(found[i][j], *expected), "{name} at {args:?}: {found:?}, expected {expected}");
        }
    }
}

/// NaN is not swallowed. (`mul_add`, `mul` and `div` do not ask every argument for every partial derivative.)
#[test]
fn nan_stays_nan() {
    for rule in RULES.iter().filter(|rule| rule.kind == Kind::Curved && !["mul_add", "mul", "div"].contains(&rule.name))
    {
        for k in 0..rule.args.len() {
            let mut args = vec![0.5; rule.args.len()];
            args[k] = f64::NAN;
            let found = partials(rule.name, &args, 3);
            assert!(found.iter().all(|d| d.is_nan()), "{} at {args:?}: {found:?}", rule.name);
        }
    }
}

/// What no formula of `y` can keep is small at least: `1 - y * y`, where `tanh` has all but reached 1.
#[test]
fn tanh_far_out() {
    let exact = 4.0 * (-40.0f64).exp();
    assert!((first("tanh", &[20.0], 0)[0] - exact).abs() < 2.0 * f64::EPSILON);
}

/// `x^a` is no number there, and `x^(a - 1)` is.
#[test]
fn densities_beside_zero() {
    let rows: &[(&str, &[f64], f64)] = &[
        ("gamma_pdf", &[2.5, 1e-200], 1e-300 / 1.329340388179137),
        ("gamma_pdf", &[0.5, 1e-200], 1e100 / std::f64::consts::PI.sqrt()),
        ("beta_pdf", &[2.0, 3.0, 1e-200], 1.2e-199),
    ];
    for (name, args, expected) in rows {
        assert!(same(apply(name, args, 0), *expected), "{name} at {args:?}: {:e}", apply(name, args, 0));
        assert!(first(name, args, 0).iter().all(|d| d.is_finite() && *d != 0.0), "{name} at {args:?}");
    }
}
