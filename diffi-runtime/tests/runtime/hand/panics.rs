//! A function that panics in either sweep, when it has something on the tape.

use crate::hand::{handle, no_second_order};
use diffi_runtime::number::linear_space::LinearSpace;
use diffi_runtime::signature::arg_roles::ActivityMask;
use diffi_runtime::signature::function::{DerivativeCode, Function, Tan};
use diffi_runtime::signature::param_kinds::{Signature, Val};
use diffi_runtime::signature::shadow_slots::{Bar, BarSlot};
use diffi_runtime::signature::sweeps::Sweeps;
use diffi_runtime::stack::workspace::Workspace;
use std::cell::Cell;

thread_local! {
    /// Whether the reverse sweep is to panic.
    pub static FAULTY: Cell<bool> = const { Cell::new(false) };
}

handle!(square);

/// x², of positive numbers.
pub fn square(x: f64) -> f64 {
    assert!(x > 0.0, "not positive");
    x * x
}

impl square {
    fn start<A: LinearSpace<f64>>(x: f64, ws: &mut Workspace<f64, A>) -> f64 {
        ws.floats.push([x, x]);
        square(x)
    }

    fn end<A: LinearSpace<f64>>(mut x_bar: impl BarSlot<f64, A>, y_bar: A, ws: &mut Workspace<f64, A>) {
        let ([a, b], mut off) = (ws.floats.pop(), A::ZERO);
        ws.words.push([1]);
        assert!(!FAULTY.get(), "faulty");
        ws.words.pop::<1>();
        assert!(ws.floats.is_empty() && ws.words.is_empty(), "something was left on the tape");
        *x_bar.get(&mut off) = y_bar * (a + b);
    }
}

impl Function<(Val<f64>,)> for square {
    type ReturnValue = f64;
    fn call(&self, (x,): (f64,)) -> f64 {
        square(x)
    }
}

impl square {
    fn reverse<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        _: (f64,),
        (x_bar,): (&mut A,),
        y_bar: &mut A,
        ws: &mut Workspace<f64, A>,
    ) {
        square::end(Bar::<M::P0, M::Fresh, _>::new(x_bar), *y_bar, ws);
    }
}

impl DerivativeCode<(Val<f64>,)> for square {
    fn push<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x,): (f64,),
        (x_dot,): (&A,),
        ws: &mut Workspace<f64, A>,
    ) -> (f64, A) {
        let y = square::start(x, ws);
        let [a, b] = ws.floats.pop();
        (y, *x_dot * (a + b))
    }

    fn pull<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        (x,): (f64,),
        bars: (&mut A,),
        y_bar: &mut A,
        ws: &mut Workspace<f64, A>,
    ) -> Option<f64> {
        let y = S::FORWARD.then(|| self.forward::<A, M>((x,), ws));
        if S::REVERSE {
            self.reverse::<A, M>((x,), bars, y_bar, ws);
        }
        y
    }

    fn forward<A: LinearSpace<f64>, M: ActivityMask>(&self, (x,): (f64,), ws: &mut Workspace<f64, A>) -> f64 {
        square::start(x, ws)
    }

    no_second_order!((Val<f64>,), f64);
}
