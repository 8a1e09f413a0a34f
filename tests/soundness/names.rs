//! Names that std has: std's own are followed, a user's are right or refused.

mod forms;
mod table;

use crate::check::gradients;
use diffi::prelude::*;

/// Users' items with names that the front end knows, where nothing is lost.
mod users {
    use diffi::prelude::*;

    /// Not std's range: it counts, and carries no derivative.
    pub struct Range {
        pub from: usize,
    }

    #[differentiable]
    pub fn from(range: &Range, x: &[f64]) -> f64 {
        x[range.from] * x[range.from]
    }

    pub trait Questions {
        fn position(&self) -> usize;
        fn all(&self) -> bool;
        fn exponent(&self) -> Option<i32>;
    }

    impl Questions for [f64] {
        fn position(&self) -> usize {
            usize::from(self[0] > self[1])
        }
        fn all(&self) -> bool {
            self[0] > 0.0
        }
        fn exponent(&self) -> Option<i32> {
            Some(2)
        }
    }
}

#[differentiable]
fn a_passive_type_named_range(x: &[f64]) -> f64 {
    users::from(&users::Range { from: 1 }, x) * x[0]
}

#[differentiable]
fn questions_of_a_trait(x: &[f64]) -> f64 {
    use users::Questions;
    let factor = if x.all() { x[x.position()] } else { x[0] };
    factor * x[1].powi(x.exponent().unwrap_or(1))
}

mod imported {
    use core::hint::black_box;
    use diffi::prelude::*;
    use num_traits::Float;
    use std::convert::identity;
    use std::iter;
    use std::mem;

    #[differentiable]
    pub fn functions(x: &[f64]) -> f64 {
        let (mut a, mut b) = (identity(x[0]), black_box(x[1]));
        mem::swap(&mut a, &mut b);
        let before = mem::replace(&mut a, b * b);
        let taken = core::mem::take(&mut b);
        let sum: f64 = iter::repeat(before).take(2).chain(iter::once(taken)).map(identity).sum();
        sum * a
    }

    #[differentiable]
    pub fn by_an_import_inside(x: &[f64]) -> f64 {
        use std::mem::{replace, swap as exchange};
        let mut a = x[0] * x[1];
        let _ = (replace::<usize>, exchange::<f64>);
        let b = std::mem::replace(&mut a, x[1]);
        a * b
    }

    #[differentiable]
    pub fn generic<T: Float>(x: &[T]) -> T {
        let mut a = identity(x[0]);
        let mut b = x[1];
        mem::swap(&mut a, &mut b);
        a * a * b
    }
}

#[differentiable]
fn generic_at_f64(x: &[f64]) -> f64 {
    imported::generic(x)
}

#[test]
fn passive_types_and_questions_of_the_users() {
    gradients!(a_passive_type_named_range);
    gradients!(questions_of_a_trait);
}

#[test]
fn functions_of_std_by_other_paths() {
    gradients!(imported::functions);
    gradients!(imported::by_an_import_inside);
    gradients!(generic_at_f64);
}
