//! Recorded numbers: a value, and the node of a program that found it.

use crate::number::flag::On;
use crate::number::float::Base;
use crate::number::real::{Real, Recordable};
use crate::number::scalar::assigning;
use crate::overload::recording::record::recording;
use crate::overload::recording::simplify::{Simpler, simpler};
use crate::overload::recording::{Check, Node, Op};
use std::cmp::Ordering;
use std::iter::Sum;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// A float whose operations this thread records.
///
/// Comparisons are decisions: the recorded program holds at another point only if they come out the same there.
#[derive(Clone, Copy, Debug)]
pub struct Recorded<F> {
    value: F,
    /// `None` for constants, which become nodes when they meet a number that is none.
    node: Option<Node>,
}

impl<F: Recordable> Recorded<F> {
    /// The next number among the arguments.
    pub(crate) fn leaf(value: F) -> Self {
        Recorded { value, node: Some(recording::<F, _>(|r| r.leaf(value.value()))) }
    }

    /// The same number elsewhere.
    pub(crate) fn revalued(self, value: F) -> Self {
        Recorded { value, ..self }
    }

    /// Where it stands in the program.
    pub(crate) fn node(self) -> Node {
        self.node.unwrap_or_else(|| recording::<F, _>(|r| r.constant(self.value.value())))
    }

    /// Where it stands, if it is no constant.
    pub(crate) fn active_node(self) -> Option<Node> {
        self.node
    }

    #[inline]
    fn operation<const K: usize>(op: Op, value: F, operands: [Self; K], integer: Option<i32>) -> Self {
        if operands.iter().all(|operand| operand.node.is_none()) {
            return Recorded { value, node: None };
        }
        recording::<F, _>(|r| {
            let mut op = op;
            let mut nodes = operands.map(|operand| operand.node);
            if let Some(how) = r.simplifies() {
                match simpler(how, op, [operands.first(), operands.get(1)].map(|o| Self::constant(o?)), integer) {
                    Simpler::Operand(k) => return operands[k],
                    Simpler::Constant(c) => return Recorded::lit(c),
                    Simpler::Negated(k) => {
                        op = Op::neg;
                        nodes[0] = nodes[k];
                    }
                    Simpler::No => {}
                }
            }
            let mut places = [0; 3];
            for ((place, node), operand) in places.iter_mut().zip(nodes).zip(operands).take(op.arity()) {
                *place = node.unwrap_or_else(|| r.constant(operand.value.value()));
            }
            if let Some(n) = integer {
                places[1] = n as Node;
            }
            Recorded { value, node: Some(r.operation(op, places, value.value())) }
        })
    }

    fn constant(operand: &Self) -> Option<f64> {
        if operand.node.is_none() { Some(operand.value.value().as_f64()) } else { None }
    }

    #[inline]
    fn decision(self, other: Self, check: Check) {
        if self.node.is_some() || other.node.is_some() {
            let (a, b) = (self.node(), other.node());
            recording::<F, _>(|r| r.guard(check, a, b));
        }
    }
}

macro_rules! functions {
    ($($name:ident ($x:ident $(, $rest:ident)* $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        impl<F: Recordable> Real for Recorded<F> {
            type Base = F::Base;
            const RECORDS: bool = true;
            const DERIVATIVES: u32 = F::DERIVATIVES + 1;
            type Varies = On;
            type Curves = F::Varies;
            #[inline]
            fn from_base(value: F::Base) -> Self {
                Recorded { value: F::from_base(value), node: None }
            }
            #[inline]
            fn value(self) -> F::Base {
                self.value.value()
            }
            #[inline]
            fn observe(self) -> F::Base {
                self.decision(self, Check::Same(self.value().as_f64().to_bits()));
                self.value()
            }
            #[inline]
            fn frozen(self) -> F::Base {
                if self.node.is_some() {
                    recording::<F, _>(|r| r.linearize());
                }
                self.observe()
            }
            #[inline]
            fn is_zero(self) -> bool {
                self.node.is_none() && self.value.is_zero()
            }
            #[inline]
            fn scale(self, k: F::Base) -> Self {
                self * Recorded::from_base(k)
            }
            #[inline]
            fn shift(self, k: F::Base) -> Self {
                self + Recorded::from_base(k)
            }
            #[inline]
            fn over(self, _: Self, inverse: Self) -> Self {
                self * inverse
            }
            $(
                #[inline]
                fn $name(self $(, $rest: Self)* $(, $n: $int)?) -> Self {
                    let value = <F as Real>::$name(self.value $(, $rest.value)* $(, $n)?);
                    #[allow(unused_mut, unused_assignments)]
                    let mut integer: Option<i32> = None;
                    $(integer = Some($n);)?
                    Self::operation(Op::$name, value, [self $(, $rest)*], integer)
                }
            )+
        }
    };
}
diffi_rules::functions!(functions);

macro_rules! operators {
    ($($Op:ident $op:ident;)+) => { $(
        impl<F: Recordable> $Op for Recorded<F> {
            type Output = Self;
            #[inline]
            fn $op(self, other: Self) -> Self {
                Self::operation(Op::$op, $Op::$op(self.value, other.value), [self, other], None)
            }
        }
    )+ };
}
operators! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
    Rem rem;
}

assigning! { [F: Recordable] Recorded<F> }

impl<F: Recordable> Neg for Recorded<F> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::operation(Op::neg, -self.value, [self], None)
    }
}

impl<F: Recordable> Sum for Recorded<F> {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.reduce(Add::add).unwrap_or_else(|| Recorded::lit(-0.0))
    }
}

impl<F: Recordable> PartialEq for Recorded<F> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let outcome = self.value == other.value;
        self.decision(*other, Check::Equal(outcome));
        outcome
    }
}

impl<F: Recordable> PartialOrd for Recorded<F> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let outcome = self.value.partial_cmp(&other.value);
        self.decision(*other, Check::Order(outcome));
        outcome
    }
    #[inline]
    fn lt(&self, other: &Self) -> bool {
        let outcome = self.value < other.value;
        self.decision(*other, Check::Less(outcome));
        outcome
    }
    #[inline]
    fn le(&self, other: &Self) -> bool {
        let outcome = self.value <= other.value;
        self.decision(*other, Check::LessOrEqual(outcome));
        outcome
    }
    #[inline]
    fn gt(&self, other: &Self) -> bool {
        other.lt(self)
    }
    #[inline]
    fn ge(&self, other: &Self) -> bool {
        other.le(self)
    }
}
