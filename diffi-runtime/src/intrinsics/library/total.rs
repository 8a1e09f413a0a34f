//! Types whose sums and products are made by their operators, one item after another.

use super::op;

/// A total by the operation `Op` of items of a type: `items.fold(start, |total, item| total + item)`.
#[diagnostic::on_unimplemented(
    message = "diffi does not know how a `{Self}` is the sum or the product of items [D0810]",
    label = "no derivative is known of this total",
    note = "put `#[differentiable]` on `impl Sum for {Self}`, whose body is one fold, or write that fold here: `.fold(start, |sum, item| sum + item)`"
)]
pub trait Total<Op, Item> {
    /// What the first item is added to.
    fn start() -> Self;
}

macro_rules! of_floats {
    ($($F:ty)+) => { $(
        impl Total<op::Add, $F> for $F {
            #[inline]
            fn start() -> $F {
                -0.0
            }
        }
        impl Total<op::Add, &$F> for $F {
            #[inline]
            fn start() -> $F {
                -0.0
            }
        }
        impl Total<op::Mul, $F> for $F {
            #[inline]
            fn start() -> $F {
                1.0
            }
        }
        impl Total<op::Mul, &$F> for $F {
            #[inline]
            fn start() -> $F {
                1.0
            }
        }
    )+ };
}
of_floats!(f32 f64);
