//! `AutoDual`: dual numbers, by operator overloading; `AutoHyperDual`: whole blocks of Hessians at once.

use crate::backend::chunked_forward::{ChunkSize, Chunked};
use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::scalar::Dual;
use crate::number::scalar::zero_aware_dual::Varying;
use crate::number::sizes;
use crate::operators::push::Push;
use crate::operators::strategy::{Inputs, Outputs, Pass, Results};
use crate::overload::{LiftedReturn, OverCall, OverSignature, Overload};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::{Function, ReturnValue, result_bytes};
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use crate::stack::workspace::Pool;
use std::fmt;

/// Dual numbers: the function is evaluated on numbers that carry their derivatives in several directions.
///
/// Works with handles of functions that have a body over any number type, and with [`ScalarFn`](crate::overload::ScalarFn)s.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct AutoDual<const SAFE: bool = false> {
    pub(crate) chunk: ChunkSize,
}

/// For one `SAFE` alone, so that `AutoDual::default()` is of a type that rustc knows.
impl Default for AutoDual {
    fn default() -> Self {
        AutoDual
    }
}

/// The backend with its defaults.
#[expect(non_upper_case_globals, reason = "the value is named like its type, as a unit struct's is")]
pub const AutoDual: AutoDual = AutoDual { chunk: ChunkSize::AUTO };

impl<const SAFE: bool> AutoDual<SAFE> {
    /// How many directions a number carries, from 1 to 12. By default one for each input, if they are at most twelve, and otherwise
    /// nearly as many in each pass.
    ///
    /// # Panics
    ///
    /// If the size is 0 or more than 12.
    pub const fn chunk_size(self, size: usize) -> Self {
        AutoDual { chunk: ChunkSize::fixed(size) }
    }

    /// Checks products, too, for infinite factors of what does not change: `0 * inf` is 0 then, as it is in other operations anyway.
    pub const fn nan_safe(self) -> AutoDual<true> {
        AutoDual { chunk: self.chunk }
    }
}

impl<const SAFE: bool> fmt::Debug for AutoDual<SAFE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chunk.show(if SAFE { "AutoDual.nan_safe()" } else { "AutoDual" }, f)
    }
}

impl<F: Base, const SAFE: bool> Chunked<F> for AutoDual<SAFE> {
    type One = Dual<F::Number, 1, SAFE>;
    type Four = Dual<F::Number, 4, SAFE>;
    type Eight = Dual<F::Number, 8, SAFE>;
    type Twelve = Dual<F::Number, 12, SAFE>;
    type Many = Varying<F::Number, 12, SAFE>;
}

/// The tangents of all parameters, dual numbers for them, and the value and the tangents of the result.
pub struct Work<F: Function<G>, G: OverSignature, A: Lanes<G::Base>, const SAFE: bool> {
    dots: G::Stores<A>,
    held: G::Held<A::Dual<SAFE>>,
    tangents: Vec<A>,
    pool: Pool<A>,
    value: Option<F::ReturnValue>,
}

impl<F: Function<G>, G: OverSignature, A: Lanes<G::Base>, const SAFE: bool> Clone for Work<F, G, A, SAFE> {
    fn clone(&self) -> Self {
        let Work { dots, held, tangents, pool, value: _ } = self;
        let (dots, held, tangents) = (dots.clone(), held.clone(), tangents.clone());
        Work { dots, held, tangents, pool: pool.clone(), value: None }
    }
}

impl<F: Function<G>, G: OverSignature, A: Lanes<G::Base>, const SAFE: bool> Recorder for Work<F, G, A, SAFE> {
    fn kept(&self, note: &mut Note<'_>) {
        note(names::SEEDS, sizes::shadow::<A>(&self.dots));
        note(names::ARGUMENTS, G::bytes(&self.held));
        note(names::NUMBERS, memory_report::vector(&self.tangents));
        note(names::WORKSPACE, self.pool.bytes());
        note(names::RESULTS, self.value.as_ref().map_or(0, result_bytes));
    }
}

impl<F: Overload<G>, G: OverSignature, R: OverCall<G>, const SAFE: bool> Push<F, G, R> for AutoDual<SAFE> {
    type Work<A: Lanes<G::Base>> = Work<F, G, A, SAFE>;

    fn work<A: Lanes<G::Base>>(&self, _: &F, at: &G::At<'_>) -> Self::Work<A> {
        Work {
            dots: R::stores(at, true),
            held: Default::default(),
            tangents: Vec::new(),
            pool: Pool::new(),
            value: None,
        }
    }

    fn warm<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> usize {
        let evaluated = evaluate::<F, G, R, A, SAFE>(f, at, work);
        F::ReturnValue::release(evaluated, &mut work.pool);
        work.tangents.len()
    }

    #[inline]
    fn tangents<'w, A: Lanes<G::Base>>(&self, _: &G::At<'_>, work: &'w mut Self::Work<A>) -> Inputs<'w, G, R, A> {
        R::inputs(&mut work.dots)
    }

    #[inline]
    fn push<A: Lanes<G::Base>, T>(
        &self,
        f: &F,
        at: G::At<'_>,
        pass: Pass,
        work: &mut Self::Work<A>,
        take: impl FnOnce(&F::ReturnValue, Results<'_, F, G, R, A>) -> Result<T>,
    ) -> Result<(Option<F::ReturnValue>, T)> {
        let mut y_dot = evaluate::<F, G, R, A, SAFE>(f, at, work);
        let Work { dots, tangents, pool, value, .. } = work;
        let mut next = tangents.iter();
        <Outputs<F, G, R>>::each(F::ReturnValue::muts(&mut y_dot, R::outputs(dots)), &mut |a| {
            next.next().into_iter().for_each(|tangent| *a = *tangent);
        });
        let taken = take(
            value.as_ref().expect("the function was evaluated"),
            F::ReturnValue::muts(&mut y_dot, R::outputs(dots)),
        );
        F::ReturnValue::release(y_dot, pool);
        Ok((if pass.first && pass.value { value.clone() } else { None }, taken?))
    }
}

/// Evaluates the function. Leaves the value, and in `tangents` those of all outputs; gives memory for the tangents of the result.
#[inline]
fn evaluate<F: Overload<G>, G: OverSignature, R: OverCall<G>, A: Lanes<G::Base>, const SAFE: bool>(
    f: &F,
    mut at: G::At<'_>,
    Work { dots, held, tangents, pool, value }: &mut Work<F, G, A, SAFE>,
) -> <F::ReturnValue as ReturnValue<G::Base>>::Tangent<A> {
    tangents.clear();
    <<R as ArgRoles<G>>::In as List>::each(R::inputs(dots), &mut |a: &mut A| tangents.push(*a));
    let mut seeds = tangents.iter();
    R::lift(&at, held, &mut |v| A::dual::<SAFE>(v, *seeds.next().expect("a tangent for every input")));
    let y = f.over(G::over(held, &mut at));
    tangents.clear();
    F::ReturnValue::each_over(&y, &mut |s| tangents.push(A::tangent::<SAFE>(s)));
    R::each_output_over(held, &mut |s| tangents.push(A::tangent::<SAFE>(*s)));
    R::lower_outputs(held, &mut at);
    match value {
        Some(value) => F::ReturnValue::lower_into(&y, value),
        None => *value = Some(F::ReturnValue::lower(&y)),
    }
    value.as_ref().expect("the function was evaluated").zero(pool)
}

/// A backend whose first derivatives are those of dual numbers: the type, the value, and how large its chunks are.
macro_rules! dual_backend {
    ($(#[$doc:meta])* $Backend:ident, $(#[$chunk:meta])*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        pub struct $Backend {
            pub(crate) chunk: $crate::backend::chunked_forward::ChunkSize,
        }

        /// The backend with its defaults.
        #[expect(non_upper_case_globals, reason = "the value is named like its type, as a unit struct's is")]
        pub const $Backend: $Backend = $Backend { chunk: $crate::backend::chunked_forward::ChunkSize::AUTO };

        impl $Backend {
            $(#[$chunk])*
            ///
            /// # Panics
            ///
            /// If the size is 0 or more than 12.
            pub const fn chunk_size(self, size: usize) -> Self {
                $Backend { chunk: $crate::backend::chunked_forward::ChunkSize::fixed(size) }
            }
        }

        impl std::fmt::Debug for $Backend {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.chunk.show(stringify!($Backend), f)
            }
        }

        impl<F: $crate::number::float::Base> $crate::backend::Chunked<F> for $Backend {
            type One = $crate::number::scalar::Dual<F::Number, 1>;
            type Four = $crate::number::scalar::Dual<F::Number, 4>;
            type Eight = $crate::number::scalar::Dual<F::Number, 8>;
            type Twelve = $crate::number::scalar::Dual<F::Number, 12>;
            type Many = $crate::number::scalar::zero_aware_dual::Varying<F::Number, 12>;
        }

        $crate::operators::push::push_as! {
            [F: $crate::overload::Overload<G>, G: $crate::overload::OverSignature, R: $crate::overload::OverCall<G>]
            $Backend as $crate::backend::AutoDual, |_b| $crate::backend::AutoDual
        }
    };
}
#[cfg(feature = "rayon")]
pub(crate) use dual_backend;

dual_backend! {
    /// Hyper-dual numbers for second derivatives: a block of the Hessian, 8 by 8, in one evaluation; all of it, if there are at most eight
    /// inputs. Dual numbers for first derivatives.
    AutoHyperDual,
    /// How many columns of a Hessian are found in a pass, and how many columns of a Jacobian: from 1 to 12, of a Hessian at most 8.
}
