//! Functions that write to their parameters.

use super::{handle, no_second_order};
use diffi_runtime::number::flag::Flag;
use diffi_runtime::number::linear_space::LinearSpace;
use diffi_runtime::number::tangent::Tangent;
use diffi_runtime::signature::arg_roles::ActivityMask;
use diffi_runtime::signature::function::{DerivativeCode, Function, Tan};
use diffi_runtime::signature::param_kinds::{CacheMut, Mut, Out, Ref, Signature, Val};
use diffi_runtime::signature::sweeps::Sweeps;
use diffi_runtime::stack::workspace::Workspace;

handle!(cubes);

/// yᵢ = xᵢ³.
pub fn cubes(x: &[f64], y: &mut [f64]) {
    for (x, y) in x.iter().zip(y) {
        *y = x * x * x;
    }
}

type Cubes = (Ref<[f64]>, Out<[f64]>);

impl Function<Cubes> for cubes {
    type ReturnValue = ();
    fn call(&self, (x, y): (&[f64], &mut [f64])) {
        cubes(x, y);
    }
}

impl cubes {
    fn reverse<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x, y): (&[f64], &mut [f64]),
        (x_bar, y_bar): (&mut [A], &mut [A]),
        (): &mut (),
        ws: &mut Workspace<f64, A>,
    ) {
        ws.floats.pop_slice(y);
        if M::Fresh::ON {
            x_bar.clear();
        }
        for i in 0..x.len() {
            x_bar[i] += y_bar[i] * (3.0 * x[i] * x[i]);
            y_bar[i] = A::ZERO;
        }
    }
}

impl DerivativeCode<Cubes> for cubes {
    fn push<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x, y): (&[f64], &mut [f64]),
        (x_dot, y_dot): (&[A], &mut [A]),
        _: &mut Workspace<f64, A>,
    ) -> ((), ()) {
        cubes(x, y);
        for i in 0..x.len() {
            y_dot[i] = x_dot[i] * (3.0 * x[i] * x[i]);
        }
        ((), ())
    }

    fn pull<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        (x, y): (&[f64], &mut [f64]),
        bars: (&mut [A], &mut [A]),
        y_bar: &mut (),
        ws: &mut Workspace<f64, A>,
    ) -> Option<()> {
        let done = S::FORWARD.then(|| self.forward::<A, M>((x, &mut *y), ws));
        if S::REVERSE {
            self.reverse::<A, M>((x, y), bars, y_bar, ws);
        }
        done
    }

    fn forward<A: LinearSpace<f64>, M: ActivityMask>(&self, (x, y): (&[f64], &mut [f64]), ws: &mut Workspace<f64, A>) {
        ws.floats.push_slice(y);
        cubes(x, y);
    }

    no_second_order!(Cubes, ());
}

handle!(advance);

/// xᵢ ← k xᵢ², and Σ xᵢ before.
pub fn advance(x: &mut [f64], k: f64) -> f64 {
    let sum = x.iter().sum();
    x.iter_mut().for_each(|x| *x = k * *x * *x);
    sum
}

type Advance = (Mut<[f64]>, Val<f64>);

impl Function<Advance> for advance {
    type ReturnValue = f64;
    fn call(&self, (x, k): (&mut [f64], f64)) -> f64 {
        advance(x, k)
    }
}

impl advance {
    fn reverse<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x, k): (&mut [f64], f64),
        (x_bar, k_bar): (&mut [A], &mut A),
        y_bar: &mut A,
        ws: &mut Workspace<f64, A>,
    ) {
        ws.floats.pop_slice(x);
        if M::Fresh::ON {
            *k_bar = A::ZERO;
        }
        for i in 0..x.len() {
            if M::P1::ON {
                *k_bar += x_bar[i] * (x[i] * x[i]);
            }
            x_bar[i] = x_bar[i] * (2.0 * k * x[i]) + *y_bar;
        }
    }
}

impl DerivativeCode<Advance> for advance {
    fn push<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x, k): (&mut [f64], f64),
        (x_dot, k_dot): (&mut [A], &A),
        _: &mut Workspace<f64, A>,
    ) -> (f64, A) {
        let mut y_dot = A::ZERO;
        for i in 0..x.len() {
            y_dot += x_dot[i];
            x_dot[i] = x_dot[i] * (2.0 * k * x[i]);
            if M::P1::ON {
                x_dot[i] += *k_dot * (x[i] * x[i]);
            }
        }
        (advance(x, k), y_dot)
    }

    fn pull<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        (x, k): (&mut [f64], f64),
        bars: (&mut [A], &mut A),
        y_bar: &mut A,
        ws: &mut Workspace<f64, A>,
    ) -> Option<f64> {
        let y = S::FORWARD.then(|| self.forward::<A, M>((&mut *x, k), ws));
        if S::REVERSE {
            self.reverse::<A, M>((x, k), bars, y_bar, ws);
        }
        y
    }

    fn forward<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x, k): (&mut [f64], f64),
        ws: &mut Workspace<f64, A>,
    ) -> f64 {
        ws.floats.push_slice(x);
        advance(x, k)
    }

    no_second_order!(Advance, f64);
}

handle!(scratch);

/// Σ (2 xᵢ)², by way of a buffer.
pub fn scratch(x: &[f64], buffer: &mut [f64]) -> f64 {
    buffer.iter_mut().zip(x).for_each(|(b, x)| *b = 2.0 * x);
    buffer.iter().map(|b| b * b).sum()
}

type Scratch = (Ref<[f64]>, CacheMut<[f64]>);

impl Function<Scratch> for scratch {
    type ReturnValue = f64;
    fn call(&self, (x, buffer): (&[f64], &mut [f64])) -> f64 {
        scratch(x, buffer)
    }
}

impl scratch {
    fn reverse<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x, buffer): (&[f64], &mut [f64]),
        (x_bar, buffer_bar): (&mut [A], &mut [A]),
        y_bar: &mut A,
        _: &mut Workspace<f64, A>,
    ) {
        if M::Fresh::ON {
            x_bar.clear();
        }
        for i in 0..x.len() {
            buffer_bar[i] += *y_bar * (2.0 * buffer[i]);
            x_bar[i] += buffer_bar[i] * 2.0;
            buffer_bar[i] = A::ZERO;
        }
    }
}

impl DerivativeCode<Scratch> for scratch {
    fn push<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x, buffer): (&[f64], &mut [f64]),
        (x_dot, buffer_dot): (&[A], &mut [A]),
        _: &mut Workspace<f64, A>,
    ) -> (f64, A) {
        let y = scratch(x, buffer);
        let mut y_dot = A::ZERO;
        for i in 0..x.len() {
            buffer_dot[i] = x_dot[i] * 2.0;
            y_dot += buffer_dot[i] * (2.0 * buffer[i]);
        }
        (y, y_dot)
    }

    fn pull<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        (x, buffer): (&[f64], &mut [f64]),
        bars: (&mut [A], &mut [A]),
        y_bar: &mut A,
        ws: &mut Workspace<f64, A>,
    ) -> Option<f64> {
        let y = S::FORWARD.then(|| self.forward::<A, M>((x, &mut *buffer), ws));
        if S::REVERSE {
            self.reverse::<A, M>((x, buffer), bars, y_bar, ws);
        }
        y
    }

    fn forward<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x, buffer): (&[f64], &mut [f64]),
        _: &mut Workspace<f64, A>,
    ) -> f64 {
        scratch(x, buffer)
    }

    no_second_order!(Scratch, f64);
}
