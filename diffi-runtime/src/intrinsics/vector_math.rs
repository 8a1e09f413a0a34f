//! `exp`, `ln`, `sin` and others of several numbers at once: what derivative code calls that has the option `vector_math`.
//!
//! The standard library takes one number at a time. The functions here take a strip of numbers, by formulas without a branch, which LLVM
//! compiles to vectors; [`pulp`] finds at run time which vectors the processor has. A processor that multiplies and adds in one step does so
//! here: last digits may be others than those of a processor that does not. Arguments for which a formula does not hold (out of range,
//! infinite, NaN) are left to the standard library.
//!
//! # Accuracy
//!
//! | function | largest distance from the standard library's value, in units in the last place |
//! |---|---|
//! | `exp`, `exp2`, `ln`, `sin`, `cos` | 1 |
//! | `exp_m1`, `cosh` | 2 |
//! | `sinh` | 3 |
//! | `tanh` | 4 |
//!
//! `f32` is computed as `f64` and rounded.

use crate::number::float::Base;
use std::any::Any;
use std::f64::consts::{FRAC_2_PI, LN_2, LOG2_E};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Numbers in a strip.
pub const STRIP: usize = 64;

/// Numbers that lie where vectors are loaded and stored in one go.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Strip<F>([F; STRIP]);

impl<F: Copy> Strip<F> {
    /// The same number everywhere.
    #[inline(always)]
    pub fn of(number: F) -> Self {
        Strip([number; STRIP])
    }
}

impl<F> Deref for Strip<F> {
    type Target = [F; STRIP];
    #[inline(always)]
    fn deref(&self) -> &[F; STRIP] {
        &self.0
    }
}

impl<F> DerefMut for Strip<F> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [F; STRIP] {
        &mut self.0
    }
}

/// How many strips the numbers from `start` to `end` are.
#[inline(always)]
pub fn strips(start: usize, end: usize) -> usize {
    end.saturating_sub(start).div_ceil(STRIP)
}

/// Which vectors the processor has.
#[derive(Clone, Copy, Debug)]
pub struct Vectors(pulp::Arch);

impl Vectors {
    /// Asks the processor.
    #[inline]
    pub fn found() -> Self {
        Vectors(pulp::Arch::new())
    }
}

/// Numbers that are computed side by side, and in the last block of a strip that is not full.
const LONG: usize = 16;
const SHORT: usize = 8;

/// Replaces the first numbers of a strip by the function's values. What lies behind them may change.
#[inline]
fn each<K: Kernel, F: Base>(values: &mut Strip<F>, count: usize, vectors: Vectors) {
    let strip: &mut dyn Any = &mut values.0;
    if let Some(values) = strip.downcast_mut::<[f64; STRIP]>() {
        doubles::<K>(values, count, vectors);
    } else if let Some(values) = strip.downcast_mut::<[f32; STRIP]>() {
        let mut wide = values.map(f64::from);
        doubles::<K>(&mut wide, count, vectors);
        *values = wide.map(|v| v as f32);
    } else {
        unreachable!("floats are f32 or f64");
    }
}

#[inline]
fn doubles<K: Kernel>(values: &mut [f64; STRIP], count: usize, vectors: Vectors) {
    if count < SHORT {
        // to find the vectors would take longer
        values.iter_mut().take(count).for_each(|v| *v = K::alone(*v));
        return;
    }
    vectors.0.dispatch(Over::<K> { values, count, kernel: PhantomData });
}

/// A function of one number.
trait Kernel {
    /// The value, by a formula without branches.
    fn formula<M: Multiply>(x: f64) -> f64;
    /// Whether the formula holds.
    fn holds(x: f64) -> bool;
    /// The standard library's value.
    fn alone(x: f64) -> f64;
}

/// How the processor multiplies what it adds to.
trait Multiply {
    /// `a * b + c`.
    fn add(a: f64, b: f64, c: f64) -> f64;
}

/// In one step, rounded once.
struct Fused;

impl Multiply for Fused {
    #[inline(always)]
    fn add(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

/// In two steps.
struct Apart;

impl Multiply for Apart {
    #[inline(always)]
    fn add(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
}

/// Whether vectors come with multiplications that add.
const fn are_fused<S: pulp::Simd>() -> bool {
    !S::IS_SCALAR && cfg!(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))
}

struct Over<'v, K> {
    values: &'v mut [f64; STRIP],
    count: usize,
    kernel: PhantomData<K>,
}

impl<K: Kernel> pulp::WithSimd for Over<'_, K> {
    type Output = ();

    // no closures, which would be functions without the processor's vectors; and nothing that may panic: LLVM leaves calls out of which
    // nothing is read
    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        match const { are_fused::<S>() } {
            true => blocks::<K, Fused>(self.values, self.count),
            false => blocks::<K, Apart>(self.values, self.count),
        }
    }
}

#[inline(always)]
fn blocks<K: Kernel, M: Multiply>(values: &mut [f64; STRIP], count: usize) {
    if count == STRIP && all_hold::<K>(values) {
        // nothing is called here, for which LLVM would have to give up its registers
        for values in values.as_chunks_mut::<LONG>().0 {
            for value in values {
                *value = K::formula::<M>(*value);
            }
        }
        return;
    }
    let mut left = count;
    for values in values.as_chunks_mut::<LONG>().0 {
        match left {
            0 => return,
            1..=SHORT => block::<K, M, SHORT>(&mut values.as_chunks_mut().0[0]),
            _ => block::<K, M, LONG>(values),
        }
        left = left.saturating_sub(LONG);
    }
}

#[inline(always)]
fn all_hold<K: Kernel>(values: &[f64; STRIP]) -> bool {
    let mut holds = true;
    for x in values {
        holds &= K::holds(*x);
    }
    holds
}

#[inline(always)]
fn block<K: Kernel, M: Multiply, const N: usize>(values: &mut [f64; N]) {
    let given = *values;
    let mut holds = true;
    for (value, x) in values.iter_mut().zip(given) {
        *value = K::formula::<M>(x);
        holds &= K::holds(x);
    }
    if !holds {
        correct::<K>(values, &given);
    }
}

#[cold]
#[inline(never)]
fn correct<K: Kernel>(values: &mut [f64], given: &[f64]) {
    for (value, x) in values.iter_mut().zip(given) {
        if !K::holds(*x) {
            *value = K::alone(*x);
        }
    }
}

macro_rules! kernels {
    ($($name:ident $Kernel:ident ($x:ident) $formula:expr, if $holds:expr;)+) => { $(
        #[doc = concat!("Replaces the first numbers of a strip by their `", stringify!($name), "`.")]
        #[inline]
        pub fn $name<F: Base>(values: &mut Strip<F>, count: usize, vectors: Vectors) {
            each::<$Kernel, F>(values, count, vectors);
        }

        #[doc = concat!("The function `", stringify!($name), "`.")]
        struct $Kernel;

        impl Kernel for $Kernel {
            #[inline(always)]
            fn formula<M: Multiply>($x: f64) -> f64 {
                $formula
            }
            #[inline(always)]
            fn holds($x: f64) -> bool {
                $holds
            }
            fn alone($x: f64) -> f64 {
                $x.$name()
            }
        }
    )+ };
}

kernels! {
    exp Exp (x) power_of_e::<M>(x), if x.abs() < 708.0;
    exp2 Exp2 (x) power_of_two::<M>(x), if x.abs() < 1022.0;
    exp_m1 ExpM1 (x) less_one::<M>(x), if x.abs() < 700.0 && !is_negative_zero(x);
    ln Ln (x) logarithm::<M>(x), if (f64::MIN_POSITIVE..f64::INFINITY).contains(&x);
    sin Sin (x) turned::<M>(x, 0), if x.abs() < ANGLES && !is_negative_zero(x);
    cos Cos (x) turned::<M>(x, 1), if x.abs() < ANGLES;
    sinh Sinh (x) sine::<M>(x), if x.abs() < 700.0;
    cosh Cosh (x) cosine::<M>(x), if x.abs() < 700.0;
    tanh Tanh (x) tangent::<M>(x), if x.abs() < f64::INFINITY;
}

#[inline(always)]
fn is_negative_zero(x: f64) -> bool {
    x.to_bits() == 1 << 63
}

/// Added to a number, it leaves the nearest integer in the last digits.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
/// ln 2 in two parts, of which the first has few digits.
const LOG_2: [f64; 2] = [f64::from_bits(0x3FE6_2E42_FEE0_0000), 1.908_214_929_270_587_7e-10];
/// π / 2 in three parts, of which the first two have few digits.
const HALF_PI: [f64; 3] = [
    f64::from_bits(0x3FF9_21FB_5440_0000),
    f64::from_bits(0x3DD0_B461_1A60_0000),
    f64::from_bits(0x3BA3_198A_2E03_7073),
];
/// The largest angle: its quarter turns times the parts of π / 2 are exact.
const ANGLES: f64 = 1_000_000.0;

/// c[0] + c[1] x + .., the even powers beside the odd ones, so that fewer steps wait for each other.
#[inline(always)]
fn polynomial<M: Multiply, const N: usize>(x: f64, coefficients: [f64; N]) -> f64 {
    let square = x * x;
    let mut sums = [coefficients[N - 2 + N % 2], coefficients[N - 1 - N % 2]];
    let mut k = N - 2;
    while k > 0 {
        k -= 1;
        sums[k % 2] = M::add(sums[k % 2], square, coefficients[k]);
    }
    M::add(x, sums[1], sums[0])
}

/// 1 / n!, for every second n or for all.
const fn inverse_factorials<const N: usize>(from: u32, step: u32) -> [f64; N] {
    let mut all = [0.0; N];
    let (mut k, mut n, mut factorial) = (0, 1, 1.0);
    while k < N {
        while n <= from + k as u32 * step {
            factorial *= n as f64;
            n += 1;
        }
        all[k] = 1.0 / factorial;
        k += 1;
    }
    all
}

/// k and e^r - 1 for x = k ln 2 + r, with k in the last digits of a number.
#[inline(always)]
fn reduced<M: Multiply>(x: f64) -> (f64, f64) {
    let shifted = M::add(x, LOG2_E, TO_INTEGER);
    let k = shifted - TO_INTEGER;
    let (high, low) = (M::add(k, -LOG_2[0], x), k * LOG_2[1]);
    let r = high - low;
    let lost = (high - r) - low;
    (shifted, series::<M>(r, lost))
}

/// e^(r + lost) - 1 for |r| up to ln 2 / 2.
#[inline(always)]
fn series<M: Multiply>(r: f64, lost: f64) -> f64 {
    const TERMS: [f64; 12] = inverse_factorials(2, 1);
    r + M::add(r * r, polynomial::<M, _>(r, TERMS), lost)
}

/// 2^k times a number near 1, for the integer in the last digits of `shifted`.
#[inline(always)]
fn scaled(number: f64, shifted: f64) -> f64 {
    f64::from_bits(number.to_bits().wrapping_add(shifted.to_bits() << 52))
}

/// e^r for |r| up to ln 2 / 2, where the last digits of r do not count.
#[inline(always)]
fn near_one<M: Multiply>(r: f64) -> f64 {
    // (e^r - 1 - r) / r^2 with the least largest error: 0.04 units in the last place of e^r
    const TERMS: [f64; 10] = [
        0.500_000_000_000_001_1,
        0.166_666_666_666_664_1,
        0.041_666_666_666_529_725,
        0.008_333_333_333_494_975,
        0.001_388_888_894_376_006,
        0.000_198_412_695_057_751_31,
        2.480_149_294_954_246e-5,
        2.755_758_680_570_103_5e-6,
        2.763_030_627_949_535_5e-7,
        2.500_001_752_675_998_4e-8,
    ];
    1.0 + M::add(r * r, polynomial::<M, _>(r, TERMS), r)
}

#[inline(always)]
fn power_of_e<M: Multiply>(x: f64) -> f64 {
    let shifted = M::add(x, LOG2_E, TO_INTEGER);
    let k = shifted - TO_INTEGER;
    let r = M::add(k, -LOG_2[1], M::add(k, -LOG_2[0], x));
    scaled(near_one::<M>(r), shifted)
}

#[inline(always)]
fn power_of_two<M: Multiply>(x: f64) -> f64 {
    let shifted = x + TO_INTEGER;
    let rest = x - (shifted - TO_INTEGER);
    scaled(near_one::<M>(rest * LN_2), shifted)
}

#[inline(always)]
fn less_one<M: Multiply>(x: f64) -> f64 {
    let (shifted, small) = reduced::<M>(x);
    let power = scaled(1.0, shifted);
    M::add(small, power, power - 1.0)
}

#[inline(always)]
fn logarithm<M: Multiply>(x: f64) -> f64 {
    const ROOT: u64 = 0x3FE6_A09E_667F_3BCD;
    const ONE: u64 = 0x3FF0_0000_0000_0000;
    const TERMS: [f64; 10] = {
        let mut all = [0.0; 10];
        let mut k = 0;
        while k < 10 {
            all[k] = 2.0 / (2 * k + 3) as f64;
            k += 1;
        }
        all
    };
    // x = 2^k m, with m between the root of 1/2 and that of 2
    let bits = x.to_bits().wrapping_add(ONE - ROOT);
    let k = f64::from_bits((bits >> 52) | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    let f = f64::from_bits((bits & 0x000F_FFFF_FFFF_FFFF) + ROOT) - 1.0;
    // ln (1 + f) = 2 artanh s
    let s = f / (2.0 + f);
    let z = s * s;
    let half = 0.5 * f * f;
    let rest = z * polynomial::<M, _>(z, TERMS);
    M::add(k, LOG_2[0], -((half - M::add(s, half + rest, k * LOG_2[1])) - f))
}

/// The sine, so many quarter turns further on.
#[inline(always)]
fn turned<M: Multiply>(x: f64, quarters: u64) -> f64 {
    const SINE: [f64; 8] = alternating(inverse_factorials(3, 2), -1.0);
    const COSINE: [f64; 7] = alternating(inverse_factorials(4, 2), 1.0);
    let shifted = M::add(x, FRAC_2_PI, TO_INTEGER);
    let n = shifted - TO_INTEGER;
    let (high, low) = (M::add(n, -HALF_PI[0], x), n * HALF_PI[1]);
    let first = high - low;
    let rest = M::add(n, -HALF_PI[2], (high - first) - low);
    let r = first + rest;
    let lost = (first - r) + rest;
    let z = r * r;
    let half = 0.5 * z;
    let sine = r + M::add(r * z, polynomial::<M, _>(z, SINE), lost * (1.0 - half));
    let one = 1.0 - half;
    let cosine = one + (((1.0 - one) - half) + M::add(z * z, polynomial::<M, _>(z, COSINE), -(r * lost)));
    let turns = shifted.to_bits().wrapping_add(quarters);
    // a mask instead of a choice, which LLVM would compile to a branch
    let odd = (turns & 1).wrapping_neg();
    let value = (cosine.to_bits() & odd) | (sine.to_bits() & !odd);
    f64::from_bits(value ^ ((turns & 2) << 62))
}

const fn alternating<const N: usize>(mut terms: [f64; N], first: f64) -> [f64; N] {
    let (mut k, mut sign) = (0, first);
    while k < N {
        terms[k] *= sign;
        sign = -sign;
        k += 1;
    }
    terms
}

#[inline(always)]
fn sine<M: Multiply>(x: f64) -> f64 {
    let less = less_one::<M>(x.abs());
    signed(0.5 * (less + less / (less + 1.0)), x)
}

#[inline(always)]
fn cosine<M: Multiply>(x: f64) -> f64 {
    let power = power_of_e::<M>(x.abs());
    0.5 * power + 0.5 / power
}

#[inline(always)]
fn tangent<M: Multiply>(x: f64) -> f64 {
    // from here on it is 1
    let less = less_one::<M>(2.0 * x.abs().min(22.0));
    signed(less / (less + 2.0), x)
}

/// The number, which is not negative, with the sign of another.
#[inline(always)]
fn signed(number: f64, sign: f64) -> f64 {
    f64::from_bits(number.to_bits() | (sign.to_bits() & (1 << 63)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How far two numbers lie apart, in units in the last place of the second.
    fn apart(found: f64, expected: f64) -> f64 {
        if found == expected || found.is_nan() && expected.is_nan() {
            return 0.0;
        }
        (found - expected).abs() / (expected.abs().next_up() - expected.abs())
    }

    type Each<F> = fn(&mut Strip<F>, usize, Vectors);

    /// The processor's vectors, and none, where products are rounded.
    fn vectors() -> [Vectors; 2] {
        [Vectors::found(), Vectors(pulp::Arch::Scalar)]
    }

    macro_rules! rows {
        ($($name:ident $least:expr, $most:expr, $bound:expr;)+) => {
            [$((stringify!($name), $name as Each<f64>, f64::$name as fn(f64) -> f64, $least, $most, $bound)),+]
        };
    }

    #[test]
    fn the_stated_accuracy() {
        let rows = rows! {
            exp -700.0, 700.0, 1.0;
            exp -1.0, 1.0, 1.0;
            exp2 -1020.0, 1020.0, 1.0;
            exp_m1 -40.0, 600.0, 2.0;
            exp_m1 -1.0, 1.0, 2.0;
            ln 1e-300, 2.0, 1.0;
            ln 0.7, 1.5, 1.0;
            ln 1.0, 1e300, 1.0;
            sin -10.0, 10.0, 1.0;
            sin -9e5, 9e5, 1.0;
            cos -10.0, 10.0, 1.0;
            cos -9e5, 9e5, 1.0;
            sinh -600.0, 600.0, 3.0;
            sinh -2.0, 2.0, 3.0;
            cosh -600.0, 600.0, 2.0;
            cosh -2.0, 2.0, 2.0;
            tanh -25.0, 25.0, 4.0;
            tanh -1.0, 1.0, 4.0;
        };
        // multiples of the golden ratio, which fill an interval evenly
        let mut part = 0.0;
        let mut random = || {
            part = (part + 0.618_033_988_749_894_9) % 1.0;
            part
        };
        for (name, each, alone, least, most, bound) in rows {
            for _ in 0..2000 {
                let at: [f64; STRIP] = std::array::from_fn(|_| least + (most - least) * random());
                for vectors in vectors() {
                    let mut values = Strip(at);
                    each(&mut values, STRIP, vectors);
                    for (x, value) in at.into_iter().zip(values.0) {
                        let error = apart(value, alone(x));
                        assert!(error <= bound, "{name} {x:e}: {value:e} is {error} units off");
                    }
                }
            }
        }
    }

    const SPECIAL: [f64; 20] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        5e-324,
        -1e-310,
        1e-20,
        -1e-8,
        709.5,
        -740.0,
        1023.9,
        -1070.0,
        1e7,
        std::f64::consts::PI,
    ];

    #[test]
    fn whatever_is_given() {
        let rows = rows! {
            exp 0.0, 0.0, 1.0; exp2 0.0, 0.0, 1.0; exp_m1 0.0, 0.0, 2.0; ln 0.0, 0.0, 1.0; sin 0.0, 0.0, 1.0; cos 0.0, 0.0, 1.0;
            sinh 0.0, 0.0, 3.0; cosh 0.0, 0.0, 2.0; tanh 0.0, 0.0, 4.0;
        };
        for (name, each, alone, .., bound) in rows {
            for x in SPECIAL {
                for at in 0..STRIP {
                    let mut values = Strip::of(0.5);
                    values[at] = x;
                    each(&mut values, at + 1, Vectors::found());
                    let expected = alone(x);
                    let same_sign = expected.is_nan() || values[at].is_sign_negative() == expected.is_sign_negative();
                    assert!(same_sign && apart(values[at], expected) <= bound, "{name} {x:e}: {:e}", values[at]);
                    assert!(values[..at].iter().all(|v| apart(*v, alone(0.5)) <= bound), "{name} beside {x:e}");
                }
            }
        }
    }

    #[test]
    fn smaller_floats() {
        let mut values: Strip<f32> = Strip(std::array::from_fn(|k| k as f32 - 30.0));
        let expected = values.map(f32::exp);
        exp(&mut values, STRIP, Vectors::found());
        for (value, expected) in values.0.into_iter().zip(expected) {
            assert!((value - expected).abs() <= expected * f32::EPSILON, "{value} and not {expected}");
        }
    }

    #[test]
    fn strips_cover_all() {
        for (start, end, count) in [(0, 0, 0), (3, 2, 0), (0, 1, 1), (0, 64, 1), (5, 69, 1), (5, 70, 2), (0, 1000, 16)]
        {
            assert_eq!(strips(start, end), count, "{start}..{end}");
        }
    }
}
