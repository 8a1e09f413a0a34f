//! Complex numbers of the crate `num-complex`: operators and methods.
//!
//! A complex number is a pair of reals here, and what is differentiated are the pairs. Where a function is holomorphic, its
//! matrix of partial derivatives is the multiplication by `f'(z)`: a tangent is multiplied by that, a cotangent by its conjugate.
//! Every function says its partial derivatives over any number type; second derivatives are those of these.

#[expect(non_snake_case, reason = "the names that generated code has for derivative functions")]
mod methods;
mod slopes;

pub use methods::{Constructors, Methods};
pub use num_complex::Complex;

use super::{Binary, Memory, Tan, Unary, op};
use crate::number::active::Active;
use crate::number::linear_space::LinearSpace;
use crate::number::real::Real;
use crate::number::scalar::Dual;
use slopes::Z;

/// Partial derivatives of both parts of the result (rows) by both parts of an operand; `None` where one does not depend on the other.
pub type Block<S> = [[Option<S>; 2]; 2];

/// An operation by its partial derivatives.
pub trait Formula {
    /// Whether those by an operand (rows) change with an operand.
    const CURVED: [[bool; 2]; 2] = [[true; 2]; 2];
    /// Those by both operands; of an operation of one operand, the second is zero. A real operand has no imaginary part.
    fn partials<S: Real>(&self, x: Z<S>, y: Z<S>) -> [Block<S>; 2];
}

/// A real or a complex number, as its parts.
pub trait Parts: Active {
    /// The parts.
    fn parts(&self) -> Z<Self::Base>;
    /// The parts of a shadow.
    fn shadows<A: LinearSpace<Self::Base>>(shadow: &Self::Tangent<A>) -> [Option<A>; 2];
    /// A part of a shadow, to be changed.
    fn part<A: LinearSpace<Self::Base>>(shadow: &mut Self::Tangent<A>, k: usize) -> Option<&mut A>;
}

macro_rules! parts {
    ($($F:ident)+) => { $(
        impl Parts for $F {
            #[inline]
            fn parts(&self) -> Z<$F> {
                Z::real(*self)
            }
            #[inline]
            fn shadows<A: LinearSpace<$F>>(shadow: &A) -> [Option<A>; 2] {
                [Some(*shadow), None]
            }
            #[inline]
            fn part<A: LinearSpace<$F>>(shadow: &mut A, k: usize) -> Option<&mut A> {
                (k == 0).then_some(shadow)
            }
        }

        impl Parts for Complex<$F> {
            #[inline]
            fn parts(&self) -> Z<$F> {
                Z::new(self.re, self.im)
            }
            #[inline]
            fn shadows<A: LinearSpace<$F>>(shadow: &Complex<A>) -> [Option<A>; 2] {
                [Some(shadow.re), Some(shadow.im)]
            }
            #[inline]
            fn part<A: LinearSpace<$F>>(shadow: &mut Complex<A>, k: usize) -> Option<&mut A> {
                Some(if k == 0 { &mut shadow.re } else { &mut shadow.im })
            }
        }
    )+ };
}
parts!(f32 f64);

/// `y_dot += ∂y/∂x x_dot`.
#[inline]
fn push<X: Parts, Y: Parts<Base = X::Base>, A: LinearSpace<X::Base>>(
    block: &Block<X::Base>,
    dot: &X::Tangent<A>,
    y_dot: &mut Y::Tangent<A>,
) {
    let dots = X::shadows(dot);
    for (k, row) in block.iter().enumerate() {
        let Some(onto) = Y::part(y_dot, k) else { continue };
        for (dot, partial) in dots.iter().zip(row) {
            if let (Some(dot), Some(partial)) = (dot, partial) {
                *onto += *dot * *partial;
            }
        }
    }
}

/// `x_bar += (∂y/∂x)ᵀ y_bar`.
#[inline]
fn pull<X: Parts, Y: Parts<Base = X::Base>, A: LinearSpace<X::Base>>(
    block: &Block<X::Base>,
    bar: &mut X::Tangent<A>,
    y_bar: &Y::Tangent<A>,
) {
    for (row, y_bar) in block.iter().zip(Y::shadows(y_bar)) {
        for (k, partial) in row.iter().enumerate() {
            if let (Some(onto), Some(partial), Some(y_bar)) = (X::part(bar, k), partial, y_bar) {
                *onto += y_bar * *partial;
            }
        }
    }
}

/// `x_bar_dot += (∂y/∂x)ᵀ_dot y_bar`: the partial derivatives change with the operands, by their own partial derivatives.
#[inline]
fn curve<X: Parts, Y: Parts<Base = X::Base>, A: LinearSpace<X::Base>>(
    block: &Block<Dual<X::Base, 4>>,
    curved: [bool; 2],
    dots: &[Option<A>; 4],
    bar_dot: &mut X::Tangent<A>,
    y_bar: &Y::Tangent<X::Base>,
) where
    X::Base: Real<Base = X::Base>,
{
    for (row, y_bar) in block.iter().zip(Y::shadows(y_bar)) {
        for (k, partial) in row.iter().enumerate() {
            let (Some(onto), Some(partial), Some(y_bar)) = (X::part(bar_dot, k), partial, y_bar) else { continue };
            for (k, (dot, second)) in dots.iter().zip(partial.partials()).enumerate() {
                if let Some(dot) = dot.filter(|_| curved[k / 2]) {
                    *onto += dot * (y_bar * second);
                }
            }
        }
    }
}

/// Both operands with what they change by.
#[inline]
fn varied<F: Real<Base = F>>(x: Z<F>, y: Z<F>) -> [Z<Dual<F, 4>>; 2] {
    [x.varied(0), y.varied(2)]
}

/// The operand that an operation of one operand does not have.
fn none<F: Real>() -> Z<F> {
    Z::real(F::lit(0.0))
}

macro_rules! unary {
    ($($X:ty, $op:ty => $Out:ty: |$o:pat_param, $x:ident| $value:expr;)+) => { $(
        impl Unary<$op> for $X {
            type Out = $Out;
            const READS: bool = <$op>::CURVED[0][0];

            #[inline]
            fn value(&self, $o: &$op) -> $Out {
                let $x = *self;
                $value
            }
            #[inline]
            fn push<A: LinearSpace<Self::Base>>(&self, op: &$op, dot: &Self::Shadow<A>, y: &$Out) -> Tan<$Out, A> {
                let mut y_dot = crate::stack::workspace::Pool::of_its_own(|pool| y.zeros(pool));
                push::<$X, $Out, A>(&op.partials(self.parts(), none())[0], dot, &mut y_dot);
                y_dot
            }
            #[inline]
            fn pull<A: LinearSpace<Self::Base>>(
                &self,
                op: &$op,
                bar: &mut Self::Shadow<A>,
                _: Option<&$Out>,
                y_bar: &Tan<$Out, A>,
                _: &mut Memory<Self, A>,
            ) {
                pull::<$X, $Out, A>(&op.partials(self.parts(), none())[0], bar, y_bar);
            }
            #[inline]
            fn pull_push<A: LinearSpace<Self::Base>>(
                &self,
                op: &$op,
                dot: Option<&Self::Shadow<A>>,
                bar: &mut Self::Shadow<Self::Base>,
                bar_dot: &mut Self::Shadow<A>,
                _: Option<&$Out>,
                y_bar: &Tan<$Out, Self::Base>,
                y_bar_dot: &Tan<$Out, A>,
                _: &mut Memory<Self, A>,
            ) {
                let [block, _] = op.partials(self.parts(), none());
                pull::<$X, $Out, Self::Base>(&block, bar, y_bar);
                pull::<$X, $Out, A>(&block, bar_dot, y_bar_dot);
                let [x, y] = varied(self.parts(), none());
                let [re, im] = dot.map_or([None, None], <$X as Parts>::shadows);
                curve::<$X, $Out, A>(&op.partials(x, y)[0], <$op>::CURVED[0], &[re, im, None, None], bar_dot, y_bar);
            }
        }
    )+ };
}

macro_rules! binary {
    ($($X:ty, $op:ty, $Y:ty => $Out:ty: |$x:ident, $y:ident| $value:expr;)+) => { $(
        impl Binary<$op, $Y> for $X {
            type Out = $Out;
            const READS: [bool; 2] = {
                let [[xx, xy], [yx, yy]] = <$op>::CURVED;
                [xx || yx, xy || yy]
            };

            #[inline]
            fn value(&self, _: &$op, other: &$Y) -> $Out {
                let ($x, $y) = (*self, *other);
                $value
            }
            #[inline]
            fn push<A: LinearSpace<Self::Base>>(
                &self,
                op: &$op,
                dot: Option<&Self::Shadow<A>>,
                other: &$Y,
                other_dot: Option<&Tan<$Y, A>>,
                y: &$Out,
                _: &mut Memory<Self, A>,
            ) -> Tan<$Out, A> {
                let [left, right] = op.partials(self.parts(), other.parts());
                let mut y_dot = crate::stack::workspace::Pool::of_its_own(|pool| y.zeros(pool));
                if let Some(dot) = dot {
                    push::<$X, $Out, A>(&left, dot, &mut y_dot);
                }
                if let Some(dot) = other_dot {
                    push::<$Y, $Out, A>(&right, dot, &mut y_dot);
                }
                y_dot
            }
            #[inline]
            fn pull<A: LinearSpace<Self::Base>>(
                &self,
                op: &$op,
                bar: Option<&mut Self::Shadow<A>>,
                other: &$Y,
                other_bar: Option<&mut Tan<$Y, A>>,
                _: Option<&$Out>,
                y_bar: &Tan<$Out, A>,
                _: &mut Memory<Self, A>,
            ) {
                let [left, right] = op.partials(self.parts(), other.parts());
                if let Some(bar) = bar {
                    pull::<$X, $Out, A>(&left, bar, y_bar);
                }
                if let Some(bar) = other_bar {
                    pull::<$Y, $Out, A>(&right, bar, y_bar);
                }
            }
            #[inline]
            fn pull_push<A: LinearSpace<Self::Base>>(
                &self,
                op: &$op,
                dot: Option<&Self::Shadow<A>>,
                bars: Option<(&mut Self::Shadow<Self::Base>, &mut Self::Shadow<A>)>,
                other: &$Y,
                other_dot: Option<&Tan<$Y, A>>,
                other_bars: Option<(&mut Tan<$Y, Self::Base>, &mut Tan<$Y, A>)>,
                _: Option<&$Out>,
                y_bar: &Tan<$Out, Self::Base>,
                y_bar_dot: &Tan<$Out, A>,
                _: &mut Memory<Self, A>,
            ) {
                let [x, y] = varied(self.parts(), other.parts());
                let [left, right] = op.partials(self.parts(), other.parts());
                let [left_varied, right_varied] = op.partials(x, y);
                let [a, b] = dot.map_or([None, None], <$X as Parts>::shadows);
                let [c, d] = other_dot.map_or([None, None], <$Y as Parts>::shadows);
                let dots = [a, b, c, d];
                if let Some((bar, bar_dot)) = bars {
                    pull::<$X, $Out, Self::Base>(&left, bar, y_bar);
                    pull::<$X, $Out, A>(&left, bar_dot, y_bar_dot);
                    curve::<$X, $Out, A>(&left_varied, <$op>::CURVED[0], &dots, bar_dot, y_bar);
                }
                if let Some((bar, bar_dot)) = other_bars {
                    pull::<$Y, $Out, Self::Base>(&right, bar, y_bar);
                    pull::<$Y, $Out, A>(&right, bar_dot, y_bar_dot);
                    curve::<$Y, $Out, A>(&right_varied, <$op>::CURVED[1], &dots, bar_dot, y_bar);
                }
            }
        }
    )+ };
}

macro_rules! rules {
    ($($F:ident)+) => { $(
        unary! {
            Complex<$F>, op::Neg => Complex<$F>: |_, z| -z;
            Complex<$F>, op::Conj => Complex<$F>: |_, z| z.conj();
            Complex<$F>, op::Inv => Complex<$F>: |_, z| z.inv();
            Complex<$F>, op::Norm => $F: |_, z| z.norm();
            Complex<$F>, op::NormSqr => $F: |_, z| z.norm_sqr();
            Complex<$F>, op::Arg => $F: |_, z| z.arg();
            Complex<$F>, op::Exp => Complex<$F>: |_, z| z.exp();
            Complex<$F>, op::Ln => Complex<$F>: |_, z| z.ln();
            Complex<$F>, op::Sqrt => Complex<$F>: |_, z| z.sqrt();
            Complex<$F>, op::Powi => Complex<$F>: |op::Powi(n), z| z.powi(*n);
            Complex<$F>, op::Powu => Complex<$F>: |op::Powu(n), z| z.powu(*n);
            Complex<$F>, op::Sin => Complex<$F>: |_, z| z.sin();
            Complex<$F>, op::Cos => Complex<$F>: |_, z| z.cos();
            Complex<$F>, op::Tan => Complex<$F>: |_, z| z.tan();
            Complex<$F>, op::Sinh => Complex<$F>: |_, z| z.sinh();
            Complex<$F>, op::Cosh => Complex<$F>: |_, z| z.cosh();
            Complex<$F>, op::Tanh => Complex<$F>: |_, z| z.tanh();
            Complex<$F>, op::Asin => Complex<$F>: |_, z| z.asin();
            Complex<$F>, op::Acos => Complex<$F>: |_, z| z.acos();
            Complex<$F>, op::Atan => Complex<$F>: |_, z| z.atan();
            Complex<$F>, op::Asinh => Complex<$F>: |_, z| z.asinh();
            Complex<$F>, op::Acosh => Complex<$F>: |_, z| z.acosh();
            Complex<$F>, op::Atanh => Complex<$F>: |_, z| z.atanh();
            Complex<$F>, op::Exp2 => Complex<$F>: |_, z| z.exp2();
            Complex<$F>, op::Log2 => Complex<$F>: |_, z| z.log2();
            Complex<$F>, op::Log10 => Complex<$F>: |_, z| z.log10();
            $F, op::Cis => Complex<$F>: |_, phase| Complex::cis(phase);
            $F, op::Whole => Complex<$F>: |_, re| Complex::from(re);
            $F, op::Exp => $F: |_, x| x.exp();
            $F, op::Ln => $F: |_, x| x.ln();
            $F, op::Sqrt => $F: |_, x| x.sqrt();
            $F, op::Powi => $F: |op::Powi(n), x| x.powi(*n);
            $F, op::Sin => $F: |_, x| x.sin();
            $F, op::Cos => $F: |_, x| x.cos();
            $F, op::Tan => $F: |_, x| x.tan();
            $F, op::Sinh => $F: |_, x| x.sinh();
            $F, op::Cosh => $F: |_, x| x.cosh();
            $F, op::Tanh => $F: |_, x| x.tanh();
            $F, op::Asin => $F: |_, x| x.asin();
            $F, op::Acos => $F: |_, x| x.acos();
            $F, op::Atan => $F: |_, x| x.atan();
            $F, op::Asinh => $F: |_, x| x.asinh();
            $F, op::Acosh => $F: |_, x| x.acosh();
            $F, op::Atanh => $F: |_, x| x.atanh();
            $F, op::Exp2 => $F: |_, x| x.exp2();
            $F, op::Log2 => $F: |_, x| x.log2();
            $F, op::Log10 => $F: |_, x| x.log10();
        }
        binary! {
            Complex<$F>, op::Add, Complex<$F> => Complex<$F>: |z, w| z + w;
            Complex<$F>, op::Add, $F => Complex<$F>: |z, w| z + w;
            $F, op::Add, Complex<$F> => Complex<$F>: |z, w| z + w;
            Complex<$F>, op::Sub, Complex<$F> => Complex<$F>: |z, w| z - w;
            Complex<$F>, op::Sub, $F => Complex<$F>: |z, w| z - w;
            $F, op::Sub, Complex<$F> => Complex<$F>: |z, w| z - w;
            Complex<$F>, op::Mul, Complex<$F> => Complex<$F>: |z, w| z * w;
            Complex<$F>, op::Mul, $F => Complex<$F>: |z, w| z * w;
            $F, op::Mul, Complex<$F> => Complex<$F>: |z, w| z * w;
            Complex<$F>, op::Div, Complex<$F> => Complex<$F>: |z, w| z / w;
            Complex<$F>, op::Div, $F => Complex<$F>: |z, w| z / w;
            $F, op::Div, Complex<$F> => Complex<$F>: |z, w| z / w;
            Complex<$F>, op::AddAssign, Complex<$F> => Complex<$F>: |z, w| z + w;
            Complex<$F>, op::AddAssign, $F => Complex<$F>: |z, w| z + w;
            Complex<$F>, op::SubAssign, Complex<$F> => Complex<$F>: |z, w| z - w;
            Complex<$F>, op::SubAssign, $F => Complex<$F>: |z, w| z - w;
            Complex<$F>, op::MulAssign, Complex<$F> => Complex<$F>: |z, w| z * w;
            Complex<$F>, op::MulAssign, $F => Complex<$F>: |z, w| z * w;
            Complex<$F>, op::DivAssign, Complex<$F> => Complex<$F>: |z, w| z / w;
            Complex<$F>, op::DivAssign, $F => Complex<$F>: |z, w| z / w;
            Complex<$F>, op::Scale, $F => Complex<$F>: |z, by| z.scale(by);
            Complex<$F>, op::Unscale, $F => Complex<$F>: |z, by| z.unscale(by);
            Complex<$F>, op::Powf, $F => Complex<$F>: |z, p| z.powf(p);
            Complex<$F>, op::Powc, Complex<$F> => Complex<$F>: |z, w| z.powc(w);
            $F, op::Powf, $F => $F: |x, p| x.powf(p);
            $F, op::New, $F => Complex<$F>: |re, im| Complex::new(re, im);
            $F, op::FromPolar, $F => Complex<$F>: |r, theta| Complex::from_polar(r, theta);
        }
    )+ };
}
rules!(f32 f64);
