//! Every scenario on every backend: both are tuples, because each is a type of its own.

use super::operator::{Name, Operator};
use super::test::Checks;
use super::{Benchmark, Lend, Measurement, Scenario};
use diffi_runtime::operators::strategy::Backend;
use diffi_runtime::signature::arg_roles::ArgRoles;
use diffi_runtime::signature::function::Function;
use diffi_runtime::signature::param_kinds::Signature;

/// A scenario that the backend `B` can run.
#[diagnostic::on_unimplemented(
    message = "`{B}` cannot run this scenario",
    label = "not for `{B}`",
    note = "operators of first order do not take `SecondOrder(..)`, and closures only differences: test these scenarios by themselves"
)]
pub trait Runs<B> {
    /// The name.
    fn name(&self) -> &str;
    /// The operator.
    fn operator(&self) -> &'static str;
    /// What is wrong in a call that is not prepared and one that is: a quick look.
    fn compare(&mut self, backend: &B, checks: &Checks) -> Vec<String>;
    /// What is wrong in any variant, anywhere.
    fn test(&mut self, backend: &B, checks: &Checks) -> Vec<String>;
    /// Times it, and hands on each measurement.
    fn benchmark(&mut self, backend: &B, settings: &Benchmark, each: &mut dyn FnMut(Measurement));
}

impl<B, Op, F, G, R, X, D> Runs<B> for Scenario<Op, F, G, R, X, D>
where
    B: Backend,
    Op: Operator<B, F, G, R, D>,
    F: Function<G> + Clone,
    G: Signature,
    R: ArgRoles<G>,
    X: Lend<G, R>,
    D: Copy,
{
    fn name(&self) -> &str {
        &self.name
    }
    fn operator(&self) -> &'static str {
        <Op as Name>::NAME
    }
    fn compare(&mut self, backend: &B, checks: &Checks) -> Vec<String> {
        super::test::compare(self, backend, checks)
    }
    fn test(&mut self, backend: &B, checks: &Checks) -> Vec<String> {
        super::test::test(self, backend, checks)
    }
    fn benchmark(&mut self, backend: &B, settings: &Benchmark, each: &mut dyn FnMut(Measurement)) {
        super::benchmark::measure(self, backend, settings, each);
    }
}

/// What is done with each scenario on each backend.
pub trait Visit {
    /// Called for every pair.
    fn visit<B: Backend, S: Runs<B>>(&mut self, backend: &B, scenario: &mut S);
}

/// Backends that all run the scenario `S`: a tuple of 1 to 12.
pub trait EachBackend<S> {
    /// Visits the scenario with every backend.
    fn each(&self, scenario: &mut S, visit: &mut impl Visit);
}

/// Scenarios that all run on the backends `B`: one, a `Vec` of one type, or a tuple of 1 to 12 of these.
pub trait EachScenario<B> {
    /// Visits every scenario with every backend.
    fn each(&mut self, backends: &B, visit: &mut impl Visit);
}

impl<Bs: EachBackend<Self>, Op, F, G: Signature, R, X, D> EachScenario<Bs> for Scenario<Op, F, G, R, X, D> {
    fn each(&mut self, backends: &Bs, visit: &mut impl Visit) {
        backends.each(self, visit);
    }
}

impl<Bs, S: EachScenario<Bs>> EachScenario<Bs> for Vec<S> {
    fn each(&mut self, backends: &Bs, visit: &mut impl Visit) {
        self.iter_mut().for_each(|scenario| scenario.each(backends, visit));
    }
}

macro_rules! tuples {
    ($($T:ident $i:tt)+) => {
        impl<S: $(Runs<$T> +)+, $($T: Backend),+> EachBackend<S> for ($($T,)+) {
            fn each(&self, scenario: &mut S, visit: &mut impl Visit) {
                $(visit.visit(&self.$i, scenario);)+
            }
        }

        impl<Bs, $($T: EachScenario<Bs>),+> EachScenario<Bs> for ($($T,)+) {
            fn each(&mut self, backends: &Bs, visit: &mut impl Visit) {
                $(self.$i.each(backends, visit);)+
            }
        }
    };
}
tuples!(T0 0);
tuples!(T0 0 T1 1);
tuples!(T0 0 T1 1 T2 2);
tuples!(T0 0 T1 1 T2 2 T3 3);
tuples!(T0 0 T1 1 T2 2 T3 3 T4 4);
tuples!(T0 0 T1 1 T2 2 T3 3 T4 4 T5 5);
tuples!(T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6);
tuples!(T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7);
tuples!(T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7 T8 8);
tuples!(T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7 T8 8 T9 9);
tuples!(T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7 T8 8 T9 9 T10 10);
tuples!(T0 0 T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7 T8 8 T9 9 T10 10 T11 11);
