//! What the table of backends says of each operator, and what rustc makes of it.
#![allow(dead_code, reason = "one of two constants answers each question")]

use diffi::prelude::*;
use diffi::types::{Input, Ref, Val};
use diffi::{
    GradientBackend, HessianBackend, HvpBackend, JacobianBackend, Operator, PullbackBackend, PushforwardBackend,
    SecondDerivativeBackend, Served, TABLE,
};

#[differentiable]
fn energy(x: &[f64]) -> f64 {
    x.windows(2).map(|w| w[0] * w[1]).sum()
}

#[differentiable]
fn wave(t: f64) -> f64 {
    t.sin()
}

type List = (Ref<[f64]>,);
type Number = (Val<f64>,);

/// Whether rustc finds that a bound holds.
macro_rules! holds {
    ($B:ty: $bound:path) => {{
        struct Question<T>(std::marker::PhantomData<T>);
        trait Otherwise {
            const HOLDS: bool = false;
        }
        impl<T> Otherwise for Question<T> {}
        impl<T: $bound> Question<T> {
            const HOLDS: bool = true;
        }
        Question::<$B>::HOLDS
    }};
}

/// The backend's name in the table, a type that it stands for, and whether it serves each operator.
macro_rules! backends {
    ($($(#[$cfg:meta])? $name:literal $B:ty;)+) => { [$($(#[$cfg])? ($name, [
        (Operator::Pushforward, holds!($B: PushforwardBackend<energy, List, (Input,)>)),
        (Operator::Pullback, holds!($B: PullbackBackend<energy, List, (Input,)>)),
        (Operator::Derivative, holds!($B: PushforwardBackend<wave, Number, (Input,)>)),
        (Operator::Gradient, holds!($B: GradientBackend<energy, List, (Input,)>)),
        (Operator::Jacobian, holds!($B: JacobianBackend<energy, List, (Input,)>)),
        (Operator::SecondDerivative, holds!($B: SecondDerivativeBackend<wave, Number, (Input,)>)),
        (Operator::Hvp, holds!($B: HvpBackend<energy, List, (Input,)>)),
        (Operator::Hessian, holds!($B: HessianBackend<energy, List, (Input,)>)),
    ])),+] };
}

#[test]
fn what_is_not_served_does_not_compile() {
    let answers = backends! {
        "AutoForward" AutoForward;
        "AutoReverse" AutoReverse;
        "AutoDual<SAFE>" AutoDual;
        #[cfg(feature = "rayon")] "AutoDualThreads" AutoDualThreads;
        #[cfg(feature = "rayon")] "AutoThreads<B>" AutoThreads<AutoReverse>;
        "AutoHyperDual" AutoHyperDual;
        "AutoFiniteDiff" AutoFiniteDiff;
        "AutoComplexStep" AutoComplexStep;
        "AutoTaylor" AutoTaylor;
        "AutoSymbolic" AutoSymbolic;
        #[cfg(feature = "external")] "AutoNumDual" AutoNumDual;
        #[cfg(feature = "external")] "AutoHyperdualCrate" AutoHyperdualCrate;
        #[cfg(feature = "external")] "AutoAutodiff" AutoAutodiff;
        #[cfg(feature = "ad-trait")] "AutoAdTrait" AutoAdTrait;
        #[cfg(feature = "external")] "AutoEchidna" AutoEchidna;
        "AutoFiniteDifferences" AutoFiniteDifferences;
        "AutoTape" AutoTape;
        "MixedMode<F, R>" MixedMode<AutoForward, AutoReverse>;
        "AutoForwardFromPrimitive<B>" AutoForwardFromPrimitive<AutoForward>;
        "AutoReverseFromPrimitive<B>" AutoReverseFromPrimitive<AutoReverse>;
        "AutoSparse<B, D, C>" AutoSparse<AutoReverse>;
        "AutoZero" AutoZero;
        "SecondOrder<O, I>" SecondOrder<AutoForward, AutoReverse>;
    };
    for row in TABLE.iter().filter(|row| row.backend != "AutoEnzyme") {
        let (_, operators) = answers.iter().find(|(name, _)| *name == row.backend).expect("every backend is asked for");
        for (operator, compiles) in operators {
            let served = row.served(*operator);
            let said = !matches!(served, Served::No(_));
            assert_eq!(*compiles, said, "{operator} by {}: {served}", row.backend);
        }
    }
}

/// What is native goes through the function once for one seed; what is not says what it goes by.
#[test]
fn words_are_those_of_the_documentation() {
    let row = |name: &str| TABLE.iter().find(|row| row.backend == name).expect("a backend of the table");
    assert_eq!(row("AutoForward").served(Operator::Pushforward), Served::Native);
    assert_eq!(row("AutoForward").served(Operator::Gradient).to_string(), "by pushforwards");
    assert_eq!(row("AutoReverse").served(Operator::Gradient).to_string(), "by pullback");
    assert_eq!(row("AutoReverse").served(Operator::Hvp).to_string(), "native");
    let refused = row("SecondOrder<O, I>").served(Operator::Gradient).to_string();
    assert_eq!(refused, "no: take `inner()` or `outer()`");
}
