//! Annotated functions as the attribute expands them, written by hand: the runtime is tested without the compiler.
#![expect(non_camel_case_types, reason = "handles are named like functions")]

pub mod in_place;
pub mod numbers;
pub mod panics;
pub mod slices;

pub use in_place::{advance, cubes, scratch};
pub use numbers::{circle, cube};
pub use panics::square;
pub use slices::{norms, power_sum, products, rosenbrock};

/// The handle of a function.
macro_rules! handle {
    ($f:ident) => {
        #[derive(Clone, Copy, Debug)]
        pub struct $f {}
        impl $f {
            pub const D: $f = $f {};
        }
    };
}
pub(crate) use handle;

/// The rest of `DerivativeCode` for a function whose second derivatives no test asks for.
macro_rules! no_second_order {
    ($G:ty, $Y:ty) => {
        fn pull_push<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
            &self,
            _: <$G as Signature>::At<'_>,
            _: <$G as Signature>::Dots<'_, A>,
            _: <$G as Signature>::Bars<'_, f64>,
            _: <$G as Signature>::Bars<'_, A>,
            _: &mut Tan<$Y, f64>,
            _: &mut Tan<$Y, A>,
            _: &mut Workspace<f64, A>,
        ) -> Option<($Y, Tan<$Y, A>)> {
            unreachable!("no test asks for the second derivative")
        }
    };
}
pub(crate) use no_second_order;
