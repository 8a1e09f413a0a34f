//! Functions of one number.

use crate::hand::handle;
use diffi_runtime::number::flag::Flag;
use diffi_runtime::number::linear_space::LinearSpace;
use diffi_runtime::signature::arg_roles::ActivityMask;
use diffi_runtime::signature::function::{DerivativeCode, Function};
use diffi_runtime::signature::param_kinds::Val;
use diffi_runtime::signature::shadow_slots::{Bar, BarSlot, Dot, DotSlot};
use diffi_runtime::signature::sweeps::Sweeps;
use diffi_runtime::stack::workspace::Workspace;

handle!(cube);

/// x³.
pub fn cube(x: f64) -> f64 {
    x * x * x
}

impl cube {
    fn push<A: LinearSpace<f64>>(x: f64, x_dot: impl DotSlot<f64, A>) -> (f64, A) {
        (cube(x), *x_dot.get(&A::ZERO) * (3.0 * x * x))
    }

    fn pull<A: LinearSpace<f64>, V: Flag>(x: f64, mut x_bar: impl BarSlot<f64, A>, y_bar: A) -> Option<f64> {
        add(&mut x_bar, y_bar * (3.0 * x * x));
        V::ON.then(|| cube(x))
    }
}

/// Adds to an adjoint, or starts it.
fn add<A: LinearSpace<f64>, X: BarSlot<f64, A>>(x_bar: &mut X, v: A) {
    let mut off = A::ZERO;
    let x_bar = x_bar.get(&mut off);
    *x_bar = if X::FRESH { v } else { *x_bar + v };
}

impl Function<(Val<f64>,)> for cube {
    type ReturnValue = f64;
    fn call(&self, (x,): (f64,)) -> f64 {
        cube(x)
    }
}

impl cube {
    fn reverse<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x,): (f64,),
        (x_bar,): (&mut A,),
        y_bar: &mut A,
        _: &mut Workspace<f64, A>,
    ) {
        cube::pull::<A, diffi_runtime::number::flag::Off>(x, Bar::<M::P0, M::Fresh, _>::new(x_bar), *y_bar);
    }
}

impl DerivativeCode<(Val<f64>,)> for cube {
    fn push<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x,): (f64,),
        (x_dot,): (&A,),
        _: &mut Workspace<f64, A>,
    ) -> (f64, A) {
        cube::push(x, Dot::<M::P0, _>::new(x_dot))
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

    fn forward<A: LinearSpace<f64>, M: ActivityMask>(&self, (x,): (f64,), _: &mut Workspace<f64, A>) -> f64 {
        cube(x)
    }

    fn pull_push<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        (x,): (f64,),
        (x_dot,): (&A,),
        (x_bar,): (&mut f64,),
        (x_bar_dot,): (&mut A,),
        y_bar: &mut f64,
        y_bar_dot: &mut A,
        _: &mut Workspace<f64, A>,
    ) -> Option<(f64, A)> {
        add(&mut Bar::<M::P0, M::Fresh, _>::new(x_bar), *y_bar * (3.0 * x * x));
        let v = *y_bar_dot * (3.0 * x * x) + *x_dot * (6.0 * x * *y_bar);
        add(&mut Bar::<M::P0, M::Fresh, _>::new(x_bar_dot), v);
        S::VALUED.then(|| (cube(x), *x_dot * (3.0 * x * x)))
    }
}

handle!(circle);

/// (cos t, sin t).
pub fn circle(t: f64) -> [f64; 2] {
    [t.cos(), t.sin()]
}

impl Function<(Val<f64>,)> for circle {
    type ReturnValue = [f64; 2];
    fn call(&self, (t,): (f64,)) -> [f64; 2] {
        circle(t)
    }
}

impl circle {
    fn reverse<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (t,): (f64,),
        (t_bar,): (&mut A,),
        y_bar: &mut [A; 2],
        _: &mut Workspace<f64, A>,
    ) {
        add(&mut Bar::<M::P0, M::Fresh, _>::new(t_bar), y_bar[0] * -t.sin() + y_bar[1] * t.cos());
    }
}

impl DerivativeCode<(Val<f64>,)> for circle {
    fn push<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (t,): (f64,),
        (t_dot,): (&A,),
        _: &mut Workspace<f64, A>,
    ) -> ([f64; 2], [A; 2]) {
        (circle(t), [*t_dot * -t.sin(), *t_dot * t.cos()])
    }

    fn pull<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        (t,): (f64,),
        bars: (&mut A,),
        y_bar: &mut [A; 2],
        ws: &mut Workspace<f64, A>,
    ) -> Option<[f64; 2]> {
        let y = S::FORWARD.then(|| self.forward::<A, M>((t,), ws));
        if S::REVERSE {
            self.reverse::<A, M>((t,), bars, y_bar, ws);
        }
        y
    }

    fn forward<A: LinearSpace<f64>, M: ActivityMask>(&self, (t,): (f64,), _: &mut Workspace<f64, A>) -> [f64; 2] {
        circle(t)
    }

    fn pull_push<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        (t,): (f64,),
        (t_dot,): (&A,),
        (t_bar,): (&mut f64,),
        (t_bar_dot,): (&mut A,),
        y_bar: &mut [f64; 2],
        y_bar_dot: &mut [A; 2],
        _: &mut Workspace<f64, A>,
    ) -> Option<([f64; 2], [A; 2])> {
        let (sin, cos) = t.sin_cos();
        add(&mut Bar::<M::P0, M::Fresh, _>::new(t_bar), y_bar[0] * -sin + y_bar[1] * cos);
        let v = y_bar_dot[0] * -sin + y_bar_dot[1] * cos + *t_dot * (y_bar[0] * -cos - y_bar[1] * sin);
        add(&mut Bar::<M::P0, M::Fresh, _>::new(t_bar_dot), v);
        S::VALUED.then(|| (circle(t), [*t_dot * -sin, *t_dot * cos]))
    }
}
