//! The reverse sweep of a program: the adjoint of every node from those of the outputs.

use super::{Op, Program, Step, operands};
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::number::real::{Real, lift};
use std::ops::AddAssign;

/// What flows backwards through values of type `S`.
pub(crate) trait Adjoint<S: Real>: Copy + AddAssign {
    /// Nothing.
    const ZERO: Self;
    /// Times a partial derivative.
    fn times(self, partial: S) -> Self;
    /// Times a partial derivative that is locally constant.
    fn scaled(self, partial: S::Base) -> Self;
    /// Over a divisor, of which the inverse is given.
    fn over(self, divisor: S, inverse: S) -> Self;
    /// Whether it is nothing.
    fn is_zero(&self) -> bool;
}

/// A cotangent, or several at once, for values that are floats.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Plain<A>(pub(crate) A);

impl<A: AddAssign> AddAssign for Plain<A> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl<S: Real, A: LinearSpace<S::Base>> Adjoint<S> for Plain<A> {
    const ZERO: Self = Plain(A::ZERO);
    #[inline]
    fn times(self, partial: S) -> Self {
        Plain(self.0 * partial.value())
    }
    #[inline]
    fn scaled(self, partial: S::Base) -> Self {
        Plain(self.0 * partial)
    }
    #[inline]
    fn over(self, _: S, inverse: S) -> Self {
        Plain(self.0 * inverse.value())
    }
    #[inline]
    fn is_zero(&self) -> bool {
        self.0 == A::ZERO
    }
}

/// The same type as the values': their tangents give the tangents of adjoints.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Full<S>(pub(crate) Option<S>);

impl<S: Real> AddAssign for Full<S> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 = match (self.0, other.0) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
    }
}

impl<S: Real> Adjoint<S> for Full<S> {
    const ZERO: Self = Full(None);
    #[inline]
    fn times(self, partial: S) -> Self {
        if S::RECORDS && partial.is_zero() { Full(None) } else { Full(self.0.map(|v| v * partial)) }
    }
    #[inline]
    fn scaled(self, partial: S::Base) -> Self {
        Full(self.0.map(|v| v.scale(partial)))
    }
    #[inline]
    fn over(self, divisor: S, inverse: S) -> Self {
        Full(self.0.map(|v| v.over(divisor, inverse)))
    }
    #[inline]
    fn is_zero(&self) -> bool {
        self.0.is_none_or(Real::is_zero)
    }
}

impl<F: Base> Program<F> {
    /// Adds to the adjoints of all nodes what those after them pass on. Nodes whose adjoint is zero pass on nothing.
    pub(crate) fn pull<S: Real<Base = F>, A: Adjoint<S>>(&self, values: &[S], adjoints: &mut [A]) {
        if !self.arrays.is_empty() {
            return self.pull_arrays(values, adjoints);
        }
        // Of one length, so that whoever is among the values is among the adjoints.
        let (values, adjoints) = (&values[..self.steps.len()], &mut adjoints[..self.steps.len()]);
        for (at, (step, value)) in self.steps.iter().zip(values).enumerate().skip(self.leaves).rev() {
            let adjoint = adjoints[at];
            if !adjoint.is_zero() {
                pass_on(step, adjoint, *value, values, adjoints);
            }
        }
    }
}

macro_rules! passes {
    ($($name:ident ($x:ident $(, $rest:ident)* $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        /// What one operation passes on to its operands.
        #[inline(always)]
        #[allow(unused_variables, clippy::approx_constant, reason = "lines use what they need; the table's literals are what they look like")]
        pub(super) fn pass_on<S: Real, A: Adjoint<S>>(step: &Step, adjoint: A, value: S, values: &[S], adjoints: &mut [A]) {
            match step.op {
                Op::leaf | Op::constant => {}
                $(Op::$name => {
                    operands!(step values $x $($rest)* $(; $n)?);
                    passes!(@$kind $name step adjoint adjoints [$x $($rest)*] $y value $partials);
                })+
            }
        }
    };
    // a quotient's cotangent is divided first, as the partial derivative may be infinite without need
    (@curved div $step:ident $adjoint:ident $adjoints:ident [$a:ident $b:ident] $y:ident $value:ident $partials:tt) => {
        let flow = $adjoint.over($b, S::lit(1.0) / $b);
        $adjoints[$step.operands[0] as usize] += flow;
        $adjoints[$step.operands[1] as usize] += flow.times(-$value);
    };
    (@curved recip $step:ident $adjoint:ident $adjoints:ident [$x:ident] $y:ident $value:ident $partials:tt) => {
        $adjoints[$step.operands[0] as usize] += $adjoint.over($x, $value).times(-$value);
    };
    (@flat $name:ident $step:ident $adjoint:ident $adjoints:ident $x:tt $y:ident $value:ident $partials:tt) => {};
    (@linear $name:ident $step:ident $adjoint:ident $adjoints:ident [$($x:ident)+] $y:ident $value:ident $partials:tt) => {
        if S::RECORDS {
            passes!(@curved $name $step $adjoint $adjoints [$($x)+] $y $value $partials);
            return;
        }
        $(let $x = $x.value();)+
        let $y = $value.value();
        for (operand, partial) in $step.operands.iter().zip(lift!(S::Base, $partials)) {
            $adjoints[*operand as usize] += $adjoint.scaled(partial);
        }
    };
    (@curved $name:ident $step:ident $adjoint:ident $adjoints:ident [$($x:ident)+] $y:ident $value:ident $partials:tt) => {
        let $y = $value;
        for (operand, partial) in $step.operands.iter().zip(lift!(S, $partials)) {
            $adjoints[*operand as usize] += $adjoint.times(partial);
        }
    };
}

/// Hands the lines of operators and functions to a macro together.
macro_rules! with_functions {
    ($($operators:tt)*) => { diffi_rules::functions!(passes { $($operators)* }); };
}
diffi_rules::operators!(with_functions);
