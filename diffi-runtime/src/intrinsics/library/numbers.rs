//! Operators of two numbers, for code that does not know that its operands are numbers.

use super::elementwise::{Line, Side, second};
use super::{Binary, Memory, Tan, op};
use crate::number::linear_space::LinearSpace;

/// An operator of numbers, `+=` and its kind included.
pub trait Arithmetic {
    /// Its line of the derivative table.
    type Line: Line;
}

macro_rules! arithmetic {
    ($($Op:ident $Assign:ident)+) => { $(
        impl Arithmetic for op::$Op {
            type Line = op::$Op;
        }
        impl Arithmetic for op::$Assign {
            type Line = op::$Op;
        }
    )+ };
}
arithmetic!(Add AddAssign Sub SubAssign Mul MulAssign Div DivAssign);

macro_rules! numbers {
    ($($F:ident)+) => { $(
        impl<O: Arithmetic> Binary<O, $F> for $F {
            type Out = $F;
            const READS: [bool; 2] = O::Line::BENT;

            #[inline]
            fn value(&self, _: &O, other: &$F) -> $F {
                O::Line::value(*self, *other)
            }
            #[inline]
            fn push<A: LinearSpace<$F>>(
                &self,
                _: &O,
                dot: Option<&A>,
                other: &$F,
                other_dot: Option<&A>,
                _: &$F,
                _: &mut Memory<Self, A>,
            ) -> A {
                let term = |dot: Option<&A>, side| {
                    dot.map_or(A::ZERO, |dot| O::Line::times(side, *dot, *self, *other))
                };
                term(dot, Side::Left) + term(other_dot, Side::Right)
            }
            #[inline]
            fn pull<A: LinearSpace<$F>>(
                &self,
                _: &O,
                bar: Option<&mut A>,
                other: &$F,
                other_bar: Option<&mut A>,
                _: Option<&$F>,
                y_bar: &A,
                _: &mut Memory<Self, A>,
            ) {
                for (bar, side) in [(bar, Side::Left), (other_bar, Side::Right)] {
                    if let Some(bar) = bar {
                        *bar += O::Line::times(side, *y_bar, *self, *other);
                    }
                }
            }
            #[inline]
            fn pull_push<A: LinearSpace<$F>>(
                &self,
                _: &O,
                dot: Option<&A>,
                bars: Option<(&mut $F, &mut A)>,
                other: &$F,
                other_dot: Option<&A>,
                other_bars: Option<(&mut $F, &mut A)>,
                _: Option<&$F>,
                y_bar: &Tan<$F, $F>,
                y_bar_dot: &A,
                _: &mut Memory<Self, A>,
            ) {
                let seconds = second::<O::Line, $F>(*self, *other);
                let sides = [Side::Left, Side::Right];
                for (side, bars) in sides.into_iter().zip([bars, other_bars]) {
                    let Some((bar, bar_dot)) = bars else { continue };
                    *bar += O::Line::times(side, *y_bar, *self, *other);
                    *bar_dot += O::Line::times(side, *y_bar_dot, *self, *other);
                    for (by, dot) in sides.into_iter().zip([dot, other_dot]) {
                        if let Some(dot) = dot.filter(|_| O::Line::bends(side, by)) {
                            *bar_dot += *dot * (*y_bar * seconds[side as usize][by as usize]);
                        }
                    }
                }
            }
        }
    )+ };
}
numbers!(f32 f64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::workspace::Workspace;

    /// `a / b` at (3, 2): partial derivatives 1/2 and -3/4; second ones 0, -1/4 and 3/4.
    #[test]
    fn the_rule_of_a_quotient_is_that_of_the_table() {
        let (a, b) = (3.0_f64, 2.0);
        let memory = &mut Workspace::<f64, f64>::new();
        assert_eq!(Binary::push(&a, &op::Div, Some(&1.0), &b, Some(&10.0), &1.5, memory), 0.5 - 7.5);
        let (mut a_bar, mut b_bar) = (1.0, 2.0);
        Binary::pull(&a, &op::DivAssign, Some(&mut a_bar), &b, Some(&mut b_bar), None, &4.0, memory);
        assert_eq!((a_bar, b_bar), (3.0, -1.0));
        let (mut a_bar, mut a_bar_dot) = (0.0, 0.0);
        let (mut b_bar, mut b_bar_dot) = (0.0, 0.0);
        let bars = (Some((&mut a_bar, &mut a_bar_dot)), Some((&mut b_bar, &mut b_bar_dot)));
        Binary::pull_push(&a, &op::Div, Some(&1.0), bars.0, &b, Some(&10.0), bars.1, None, &2.0, &0.0, memory);
        assert_eq!((a_bar, b_bar), (1.0, -1.5));
        assert_eq!((a_bar_dot, b_bar_dot), (-5.0, -0.5 + 15.0));
    }
}
