//! The derivative table of diffi: one line per scalar function, and nothing else.
//!
//! No derivative formula stands anywhere else: the macro, the number types and the tests read these lines.
//!
//! # A line
//!
//! ```text
//! sinh (x)            -> y: [x.cosh()]                      curved;
//! hypot(a, b)         -> y: [.. for a, .. for b]            curved(aa, ab, bb);
//! powi (x; n: i32)    -> y: [..]                            curved;
//! ```
//!
//! The value is the method of the standard library that the line is named after; for special functions, which [`special!`] lists, it is
//! the function of `diffi::special`. `y` names the answer, so that partial
//! derivatives can reuse it. A parameter after `;` carries no derivative. The last word says how much of the function varies:
//!
//! - `flat`: locally constant. There are no partial derivatives.
//! - `linear`: piecewise linear. The partial derivatives are locally constant; nobody differentiates them again.
//!   A partial derivative `0.0` says that the argument is not used up to a constant.
//! - `curved`: anything else. With several arguments the second derivatives that do *not* vanish are listed.
//!
//! Partial derivatives are differentiated again for second order, hence the small grammar: float literals, the names of the line,
//! `+ - * /`, unary `-`, parentheses, methods that have a line themselves, and `if c { e } else { e }` (also `else if`), where
//! `c` compares, with `&&` and `||`. The passive integer appears as `n == 0`, `(n - 1)`, `(n + 1)`, `(n as f64)` and, of another line,
//! `(0 + 2)`.
//!
//! `sin_cos` has no line: it is the pair of `sin` and `cos`. `next_up` and `next_down` have none: they ask about the
//! representation of a number, not about the number.
//!
//! # Conventions where a derivative is not defined
//!
//! | function | where | derivative |
//! |---|---|---|
//! | `abs` | 0 | 0 |
//! | `max`, `min` | both equal | the first argument has all of it: `x.max(0.0)` has 1 at 0 |
//! | `max`, `min` | one is NaN | the other has all of it, as it is the answer |
//! | `clamp` | on a bound | as inside: 1 for the number, 0 for the bounds |
//! | `floor`, `ceil`, `round`, `round_ties_even`, `trunc`, `signum`, `div_euclid` | everywhere, jumps included | 0 |
//! | `fract`, `rem` (`%`), `rem_euclid` | at jumps | as beside the jump: 1 for the dividend, minus the whole quotient for the divisor |
//! | `copysign` | the number is 0 | 0, as for `abs` |
//! | `copysign` | everywhere | 0 for the sign |
//! | `sqrt`, `cbrt` | 0 | +∞, the limit (`sqrt` at -0.0: -∞) |
//! | `x * x.sqrt()`, of one `x` | 0 | 0 in generated code, which takes it for one power; NaN, as `0 * ∞` is, in backends that overload numbers |
//! | `ln`, `log`, `log2`, `log10` | 0 | ±∞, with the sign of the zero |
//! | `asin`, `acos`, `atanh`, `acosh` | end of the domain | ±∞, the limit |
//! | `hypot`, `atan2` | (0, 0) | 0 for both |
//! | `powi` | `n == 0` | exactly 0, wherever `x` is |
//! | `powf`, for the base | 0 to the 0 | 0 |
//! | `powf`, for the exponent | the power is 0 | 0, the limit of `y ln x` |
//! | `powf`, for the exponent | base 0, exponent 0 or below | -∞, the limit |
//! | `powf`, for the exponent | base below 0 | NaN: not defined beside whole exponents |
//!
//! NaN is not swallowed: where a partial derivative of a `curved` function or of `abs` depends on an argument that is NaN, it is
//! NaN. Two exceptions come with the standard library, for which `x.powi(0)` and `1.0.powf(p)` are 1 even for NaN: 0 for `x`,
//! and 0 for `p`. Outside a domain, where the answer is NaN, the derivative is what the formula says: `1 / x` for `ln`.
//!
//! # What is not selected
//!
//! A value that nothing passes on has no part in the derivative, even where its own derivative is infinite or NaN: the loser of `max` and
//! `min`, a number out of `clamp`'s bounds, an element that nobody reads, a value that is overwritten, or used in the branch that is not
//! taken. `v.sqrt().max(0.5)` has 0 at `v = 0`, and at `v = -1`. So has `0.0 * v.sqrt()`: times a partial derivative of exactly zero, an
//! infinite tangent is zero, and so is an infinite partial derivative times a cotangent of exactly zero. Generated code looks for zeros at
//! functions that have infinite derivatives, and at what is computed from these in the same function, elements of arrays excepted.
//!
//! The other way round it is the same: `(x * x).sqrt()` has 0 at 0, where the derivative of the square is zero. Generated code takes the
//! slope of a root for zero at the vertex of a sum of squares, so that second derivatives are zero there, too.
//!
//! # Quotients
//!
//! The partial derivative `-y / b` of a quotient may be infinite where the derivative is a number, as in `p * (y / b)` with a small `b`.
//! So it is not used: tangents are `(a_dot - y * b_dot) / b`, and cotangents `flow = y_bar / b; a_bar += flow; b_bar -= y * flow`. The
//! same holds for `recip`. A derivative is right where these steps are numbers. In forward mode that includes the tangent of `y` itself.
//!
//! The division is a product with `1 / b`, which is infinite for subnormal `b`, below 5.6e-309. Dual numbers divide there. Some loops
//! multiply their cotangent by the derivative of an iteration, which may be infinite like `-y / b`. Second derivatives of quotients of
//! arrays, and derivatives of quotients of complex numbers, have powers of `b` as denominators.
//!
//! Three more partial derivatives are like that one, and are used: of `powi` and `powf` with an exponent below 1, and of `ln` and the
//! other logarithms for subnormal numbers.
//!
//! # Accuracy
//!
//! A formula is preferred that is right to the last digits at both ends of the range: `x.exp()` for `exp_m1` rather than `y + 1`,
//! one rounding for `1 - x²` in `asin`, `x.hypot(1.0)` in `asinh`, another `powf` for `powf`. Where it would cost a function call
//! in a frequent function it is not: `1 - y * y` for `tanh` is right up to 1e-16, not in proportion to itself; `atan2` needs
//! `a * a + b * b` within the range of floats.
//!
//! # Reading the table
//!
//! [`functions!`] and [`operators!`] hand the lines to a macro of yours; [`RULES`] and [`rule`] have them as text.
#![forbid(unsafe_code)]

mod foreign;
mod special;

pub use foreign::{FOREIGN, Foreign, foreign};

/// `functions!(callback)`, `functions!(callback { more })`: calls `callback! { more lines }` with the lines of all functions.
///
/// ```
/// macro_rules! names {
///     ($($name:ident ($($arg:ident),+ $(; $n:ident: $int:ty)?) -> $y:ident: [$($partial:expr),*] $kind:ident $(($($second:ident),+))?;)+) => {
///         [$(stringify!($name)),+]
///     };
/// }
/// assert!(diffi_rules::functions!(names).contains(&"sin"));
/// ```
#[macro_export]
macro_rules! functions {
    ($($callback:ident)::+ $({ $($more:tt)* })?) => {
        $crate::standard! { $crate::then_special { {$($callback)::+} $($($more)*)? } }
    };
}

/// Hands the lines before on, and then those of special functions.
#[doc(hidden)]
#[macro_export]
macro_rules! then_special {
    ({$($callback:ident)::+} $($before:tt)*) => { $crate::special! { $($callback)::+ { $($before)* } } };
}

/// [`functions!`], without the special functions: methods of the standard library.
#[macro_export]
macro_rules! standard {
    ($($callback:tt)::+ $({ $($more:tt)* })?) => { $($callback)::+! { $($($more)*)?
        // powers and roots
        recip           (x)         -> y: [-y * y]                                            curved;
        sqrt            (x)         -> y: [0.5 / y]                                           curved;
        cbrt            (x)         -> y: [1.0 / (3.0 * y * y)]                               curved;
        powi            (x; n: i32) -> y: [if n == 0 { 0.0 } else { (n as f64) * x.powi(n - 1) }] curved;
        powf            (x, p)      -> y: [if x == 0.0 && p == 0.0 { 0.0 } else { p * x.powf(p - 1.0) }, if y == 0.0 { 0.0 } else { y * x.ln() }] curved(xx, xp, pp);
        hypot           (a, b)      -> y: [if y == 0.0 { 0.0 } else { a / y }, if y == 0.0 { 0.0 } else { b / y }] curved(aa, ab, bb);
        mul_add         (a, b, c)   -> y: [b, a, 1.0]                                         curved(ab);
        // exponentials and logarithms
        exp             (x)         -> y: [y]                                                 curved;
        exp2            (x)         -> y: [0.6931471805599453 * y]                            curved;
        exp_m1          (x)         -> y: [x.exp()]                                           curved;
        ln              (x)         -> y: [1.0 / x]                                           curved;
        ln_1p           (x)         -> y: [1.0 / (1.0 + x)]                                   curved;
        log2            (x)         -> y: [1.4426950408889634 / x]                            curved;
        log10           (x)         -> y: [0.4342944819032518 / x]                            curved;
        log             (x, b)      -> y: [1.0 / (x * b.ln()), -y / (b * b.ln())]             curved(xx, xb, bb);
        // angles
        sin             (x)         -> y: [x.cos()]                                           curved;
        cos             (x)         -> y: [-x.sin()]                                          curved;
        tan             (x)         -> y: [1.0 + y * y]                                       curved;
        asin            (x)         -> y: [1.0 / (-x).mul_add(x, 1.0).sqrt()]                 curved;
        acos            (x)         -> y: [-1.0 / (-x).mul_add(x, 1.0).sqrt()]                curved;
        atan            (x)         -> y: [1.0 / (1.0 + x * x)]                               curved;
        atan2           (a, b)      -> y: [if a == 0.0 && b == 0.0 { 0.0 } else { b / (a * a + b * b) }, if a == 0.0 && b == 0.0 { 0.0 } else { -a / (a * a + b * b) }] curved(aa, ab, bb);
        to_degrees      (x)         -> y: [57.29577951308232]                                 linear;
        to_radians      (x)         -> y: [0.017453292519943295]                              linear;
        // hyperbolic functions
        sinh            (x)         -> y: [x.cosh()]                                          curved;
        cosh            (x)         -> y: [x.sinh()]                                          curved;
        tanh            (x)         -> y: [1.0 - y * y]                                       curved;
        asinh           (x)         -> y: [1.0 / x.hypot(1.0)]                                curved;
        acosh           (x)         -> y: [1.0 / ((x - 1.0).sqrt() * (x + 1.0).sqrt())]       curved;
        atanh           (x)         -> y: [1.0 / (-x).mul_add(x, 1.0)]                        curved;
        // kinks
        abs             (x)         -> y: [if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { 0.0 * x }] linear;
        copysign        (x, s)      -> y: [if x == 0.0 { 0.0 } else { x.signum() * y.signum() }, 0.0] linear;
        max             (a, b)      -> y: [if a >= b || b != b { 1.0 } else { 0.0 }, if a >= b || b != b { 0.0 } else { 1.0 }] linear;
        min             (a, b)      -> y: [if a <= b || b != b { 1.0 } else { 0.0 }, if a <= b || b != b { 0.0 } else { 1.0 }] linear;
        clamp           (x, l, h)   -> y: [if x < l || x > h { 0.0 } else { 1.0 }, if x < l { 1.0 } else { 0.0 }, if x > h { 1.0 } else { 0.0 }] linear;
        midpoint        (a, b)      -> y: [0.5, 0.5]                                          linear;
        // jumps
        fract           (x)         -> y: [1.0]                                               linear;
        rem_euclid      (a, b)      -> y: [1.0, ((y - a) / b).round()]                        linear;
        div_euclid      (a, b)      -> y: []                                                  flat;
        floor           (x)         -> y: []                                                  flat;
        ceil            (x)         -> y: []                                                  flat;
        round           (x)         -> y: []                                                  flat;
        round_ties_even (x)         -> y: []                                                  flat;
        trunc           (x)         -> y: []                                                  flat;
        signum          (x)         -> y: []                                                  flat;
    } };
}

/// The same for the operators `+ - * / %` and unary `-`, under the names of their methods in [`core::ops`].
#[macro_export]
macro_rules! operators {
    ($($callback:ident)::+ $({ $($more:tt)* })?) => { $($callback)::+! { $($($more)*)?
        add             (a, b)      -> y: [1.0, 1.0]                                          linear;
        sub             (a, b)      -> y: [1.0, -1.0]                                         linear;
        mul             (a, b)      -> y: [b, a]                                              curved(ab);
        div             (a, b)      -> y: [1.0 / b, -y / b]                                   curved(ab, bb);
        rem             (a, b)      -> y: [1.0, ((y - a) / b).round()]                        linear;
        neg             (a)         -> y: [-1.0]                                              linear;
    } };
}

/// A line of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The method: `powi`; for operators that of [`core::ops`]: `mul`.
    pub name: &'static str,
    /// The arguments that carry derivatives, the receiver first.
    pub args: &'static [&'static str],
    /// The argument that carries none, if there is one; it comes last.
    pub passive: Option<&'static str>,
    /// The answer's name.
    pub answer: &'static str,
    /// The partial derivatives, one for each of `args`; none if the function is flat.
    pub partials: &'static [&'static str],
    /// How much of the function varies.
    pub kind: Kind,
    /// Whether it is none of the standard library's.
    pub special: bool,
    /// The second derivatives that do not vanish, as pairs of arguments: `"ab"`; listed for several arguments only.
    pub second: &'static [&'static str],
}

/// How much of a function varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Locally constant.
    Flat,
    /// Piecewise linear.
    Linear,
    /// Anything else.
    Curved,
}

impl Rule {
    /// Whether the first derivative for an argument is not zero everywhere.
    pub fn has_first(&self, arg: usize) -> bool {
        self.partials.get(arg).is_some_and(|partial| *partial != "0.0")
    }

    /// Whether the second derivative for two arguments is not zero everywhere.
    pub fn has_second(&self, one: usize, other: usize) -> bool {
        let pair = |pair: &&str| {
            let (a, b) = (self.args[one], self.args[other]);
            **pair == [a, b].concat() || **pair == [b, a].concat()
        };
        self.kind == Kind::Curved && (self.args.len() == 1 || self.second.iter().any(pair))
    }
}

/// The line of a function or an operator; of another package's function by its path.
pub fn rule(name: &str) -> Option<&'static Rule> {
    let name = foreign(name).map_or(name, |foreign| foreign.rule);
    RULES.iter().find(|rule| rule.name == name)
}

macro_rules! rules {
    (@ $special:literal$($name:ident ($($arg:ident),+ $(; $n:ident: $int:ty)?) -> $y:ident: [$($partial:expr),*] $kind:ident $(($($second:ident),+))?;)+) => {
        &[$(Rule {
            name: stringify!($name),
            args: &[$(stringify!($arg)),+],
            passive: [$(Some(stringify!($n)),)? None][0],
            answer: stringify!($y),
            partials: &[$(stringify!($partial)),*],
            kind: kind!($kind),
            special: $special,
            second: &[$($(stringify!($second)),+)?],
        }),+]
    };
}

macro_rules! kind {
    (flat) => {
        Kind::Flat
    };
    (linear) => {
        Kind::Linear
    };
    (curved) => {
        Kind::Curved
    };
}

const STANDARD: &[Rule] = standard!(rules { @ false });
const SPECIAL: &[Rule] = special!(rules { @ true });
const OPERATORS: &[Rule] = operators!(rules { @ false });

/// The table as text: every line of [`functions!`], then of [`operators!`].
pub const RULES: &[Rule] = &{
    let mut all = [STANDARD[0]; STANDARD.len() + SPECIAL.len() + OPERATORS.len()];
    let (parts, mut at, mut part) = ([STANDARD, SPECIAL, OPERATORS], 0, 0);
    while part < parts.len() {
        let mut i = 0;
        while i < parts[part].len() {
            all[at] = parts[part][i];
            (at, i) = (at + 1, i + 1);
        }
        part += 1;
    }
    all
};
