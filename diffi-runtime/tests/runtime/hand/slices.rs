//! Functions of slices.

use super::{handle, no_second_order};
use diffi_runtime::number::flag::{Flag, Off};
use diffi_runtime::number::linear_space::LinearSpace;
use diffi_runtime::number::tangent::Tangent;
use diffi_runtime::signature::arg_roles::ActivityMask;
use diffi_runtime::signature::function::{DerivativeCode, Function, Tan};
use diffi_runtime::signature::param_kinds::{Passive, Ref, Signature, Val};
use diffi_runtime::signature::shadow_slots::{Bar, BarSlot, Dot, DotSlot};
use diffi_runtime::signature::sweeps::Sweeps;
use diffi_runtime::stack::workspace::Workspace;

/// The adjoint of a slice, cleared if that is left to the callee.
fn start<A: LinearSpace<f64>, X: BarSlot<[f64], A>>(bar: &mut X) -> &mut [A] {
    let bar = bar.get(&mut []);
    if X::FRESH {
        bar.clear();
    }
    bar
}

handle!(rosenbrock);

/// Σ 100 (xᵢ₊₁ − xᵢ²)² + (1 − xᵢ)².
pub fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2).map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2)).sum()
}

impl rosenbrock {
    fn push<A: LinearSpace<f64>>(x: &[f64], x_dot: impl DotSlot<[f64], A>) -> (f64, A) {
        let x_dot = x_dot.get(&[]);
        let mut y_dot = A::ZERO;
        for i in 0..x.len() - 1 {
            let u = x[i + 1] - x[i] * x[i];
            let u_dot = x_dot[i + 1] - x_dot[i] * (2.0 * x[i]);
            y_dot += u_dot * (200.0 * u) - x_dot[i] * (2.0 * (1.0 - x[i]));
        }
        (rosenbrock(x), y_dot)
    }

    fn pull<A: LinearSpace<f64>, X: BarSlot<[f64], A>, V: Flag>(x: &[f64], mut x_bar: X, y_bar: A) -> Option<f64> {
        let x_bar = start(&mut x_bar);
        if X::On::ON {
            for i in 0..x.len() - 1 {
                let u_bar = y_bar * (200.0 * (x[i + 1] - x[i] * x[i]));
                x_bar[i + 1] += u_bar;
                x_bar[i] -= u_bar * (2.0 * x[i]) + y_bar * (2.0 * (1.0 - x[i]));
            }
        }
        V::ON.then(|| rosenbrock(x))
    }
}

impl Function<(Ref<[f64]>,)> for rosenbrock {
    type ReturnValue = f64;
    fn call(&self, (x,): (&[f64],)) -> f64 {
        rosenbrock(x)
    }
}

impl rosenbrock {
    fn reverse<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x,): (&[f64],),
        (x_bar,): (&mut [A],),
        y_bar: &mut A,
        _: &mut Workspace<f64, A>,
    ) {
        rosenbrock::pull::<A, _, Off>(x, Bar::<M::P0, M::Fresh, _>::new(x_bar), *y_bar);
    }
}

impl DerivativeCode<(Ref<[f64]>,)> for rosenbrock {
    fn push<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x,): (&[f64],),
        (x_dot,): (&[A],),
        _: &mut Workspace<f64, A>,
    ) -> (f64, A) {
        rosenbrock::push(x, Dot::<M::P0, _>::new(x_dot))
    }

    fn pull<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        (x,): (&[f64],),
        bars: (&mut [A],),
        y_bar: &mut A,
        ws: &mut Workspace<f64, A>,
    ) -> Option<f64> {
        let y = S::FORWARD.then(|| self.forward::<A, M>((x,), ws));
        if S::REVERSE {
            self.reverse::<A, M>((x,), bars, y_bar, ws);
        }
        y
    }

    fn forward<A: LinearSpace<f64>, M: ActivityMask>(&self, (x,): (&[f64],), _: &mut Workspace<f64, A>) -> f64 {
        rosenbrock(x)
    }

    fn pull_push<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        (x,): (&[f64],),
        (x_dot,): (&[A],),
        (x_bar,): (&mut [f64],),
        (x_bar_dot,): (&mut [A],),
        y_bar: &mut f64,
        y_bar_dot: &mut A,
        _: &mut Workspace<f64, A>,
    ) -> Option<(f64, A)> {
        rosenbrock::pull::<f64, _, Off>(x, Bar::<M::P0, M::Fresh, _>::new(&mut *x_bar), *y_bar);
        rosenbrock::pull::<A, _, Off>(x, Bar::<M::P0, M::Fresh, _>::new(&mut *x_bar_dot), *y_bar_dot);
        for i in 0..x.len() - 1 {
            let u = x[i + 1] - x[i] * x[i];
            let u_bar_dot = (x_dot[i + 1] - x_dot[i] * (2.0 * x[i])) * (200.0 * *y_bar);
            x_bar_dot[i + 1] += u_bar_dot;
            x_bar_dot[i] -= u_bar_dot * (2.0 * x[i]) + x_dot[i] * ((400.0 * u - 2.0) * *y_bar);
        }
        S::VALUED.then(|| rosenbrock::push(x, Dot::<M::P0, _>::new(x_dot)))
    }
}

handle!(power_sum);

/// c Σ xᵢⁿ.
pub fn power_sum(x: &[f64], c: f64, n: usize) -> f64 {
    c * x.iter().map(|x| x.powi(n as i32)).sum::<f64>()
}

type PowerSum = (Ref<[f64]>, Val<f64>, Passive<usize>);

impl Function<PowerSum> for power_sum {
    type ReturnValue = f64;
    fn call(&self, (x, c, n): (&[f64], f64, usize)) -> f64 {
        power_sum(x, c, n)
    }
}

impl power_sum {
    fn push<A: LinearSpace<f64>>(
        x: &[f64],
        x_dot: impl DotSlot<[f64], A>,
        c: f64,
        c_dot: impl DotSlot<f64, A>,
        n: usize,
    ) -> (f64, A) {
        let mut y_dot = *c_dot.get(&A::ZERO) * power_sum(x, 1.0, n);
        for (x, x_dot) in x.iter().zip(x_dot.get(&[])) {
            y_dot += *x_dot * (c * n as f64 * x.powi(n as i32 - 1));
        }
        (power_sum(x, c, n), y_dot)
    }

    fn pull<A: LinearSpace<f64>, X: BarSlot<[f64], A>, C: BarSlot<f64, A>, V: Flag>(
        x: &[f64],
        mut x_bar: X,
        c: f64,
        mut c_bar: C,
        n: usize,
        y_bar: A,
    ) -> Option<f64> {
        let mut off = A::ZERO;
        let (x_bar, c_bar) = (start(&mut x_bar), c_bar.get(&mut off));
        if C::FRESH {
            *c_bar = A::ZERO;
        }
        if X::On::ON {
            for (x, x_bar) in x.iter().zip(x_bar) {
                *x_bar += y_bar * (c * n as f64 * x.powi(n as i32 - 1));
            }
        }
        if C::On::ON {
            *c_bar += y_bar * power_sum(x, 1.0, n);
        }
        V::ON.then(|| power_sum(x, c, n))
    }
}

impl power_sum {
    fn reverse<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x, c, n): (&[f64], f64, usize),
        (x_bar, c_bar, _): (&mut [A], &mut A, &mut ()),
        y_bar: &mut A,
        _: &mut Workspace<f64, A>,
    ) {
        let (x_bar, c_bar) = (Bar::<M::P0, M::Fresh, _>::new(x_bar), Bar::<M::P1, M::Fresh, _>::new(c_bar));
        power_sum::pull::<A, _, _, Off>(x, x_bar, c, c_bar, n, *y_bar);
    }
}

impl DerivativeCode<PowerSum> for power_sum {
    fn push<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x, c, n): (&[f64], f64, usize),
        (x_dot, c_dot, _): (&[A], &A, &()),
        _: &mut Workspace<f64, A>,
    ) -> (f64, A) {
        power_sum::push(x, Dot::<M::P0, _>::new(x_dot), c, Dot::<M::P1, _>::new(c_dot), n)
    }

    fn pull<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        (x, c, n): (&[f64], f64, usize),
        bars: (&mut [A], &mut A, &mut ()),
        y_bar: &mut A,
        ws: &mut Workspace<f64, A>,
    ) -> Option<f64> {
        let y = S::FORWARD.then(|| self.forward::<A, M>((x, c, n), ws));
        if S::REVERSE {
            self.reverse::<A, M>((x, c, n), bars, y_bar, ws);
        }
        y
    }

    fn forward<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x, c, n): (&[f64], f64, usize),
        _: &mut Workspace<f64, A>,
    ) -> f64 {
        power_sum(x, c, n)
    }

    fn pull_push<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        (x, c, n): (&[f64], f64, usize),
        (x_dot, c_dot, _): (&[A], &A, &()),
        (x_bar, c_bar, _): (&mut [f64], &mut f64, &mut ()),
        (x_bar_dot, c_bar_dot, _): (&mut [A], &mut A, &mut ()),
        y_bar: &mut f64,
        y_bar_dot: &mut A,
        _: &mut Workspace<f64, A>,
    ) -> Option<(f64, A)> {
        let (b, b_dot) = (*y_bar, *y_bar_dot);
        power_sum::pull::<f64, _, _, Off>(
            x,
            Bar::<M::P0, M::Fresh, _>::new(x_bar),
            c,
            Bar::<M::P1, M::Fresh, _>::new(c_bar),
            n,
            b,
        );
        power_sum::pull::<A, _, _, Off>(
            x,
            Bar::<M::P0, M::Fresh, _>::new(&mut *x_bar_dot),
            c,
            Bar::<M::P1, M::Fresh, _>::new(&mut *c_bar_dot),
            n,
            b_dot,
        );
        let m = n as f64;
        for i in 0..x.len() {
            let (first, second) = (m * x[i].powi(n as i32 - 1), m * (m - 1.0) * x[i].powi(n as i32 - 2));
            if M::P0::ON {
                x_bar_dot[i] += x_dot[i] * (b * c * second);
            }
            if M::P0::ON && M::P1::ON {
                x_bar_dot[i] += *c_dot * (b * first);
                *c_bar_dot += x_dot[i] * (b * first);
            }
        }
        S::VALUED.then(|| power_sum::push(x, Dot::<M::P0, _>::new(x_dot), c, Dot::<M::P1, _>::new(c_dot), n))
    }
}

handle!(products);

/// yᵢ = xᵢ xᵢ₊₁.
pub fn products(x: &[f64]) -> Vec<f64> {
    x.windows(2).map(|w| w[0] * w[1]).collect()
}

impl Function<(Ref<[f64]>,)> for products {
    type ReturnValue = Vec<f64>;
    fn call(&self, (x,): (&[f64],)) -> Vec<f64> {
        products(x)
    }
}

impl products {
    fn reverse<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        _: (&[f64],),
        (x_bar,): (&mut [A],),
        y_bar: &mut [A],
        ws: &mut Workspace<f64, A>,
    ) {
        let [n] = ws.words.pop();
        let x = ws.floats.unblock::<1>(n as usize).as_flattened();
        let mut x_bar = Bar::<M::P0, M::Fresh, _>::new(x_bar);
        let x_bar = start(&mut x_bar);
        for i in (0..x.len() - 1).rev() {
            x_bar[i] += y_bar[i] * x[i + 1];
            x_bar[i + 1] += y_bar[i] * x[i];
            y_bar[i] = A::ZERO;
        }
    }
}

impl DerivativeCode<(Ref<[f64]>,)> for products {
    fn push<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x,): (&[f64],),
        (x_dot,): (&[A],),
        ws: &mut Workspace<f64, A>,
    ) -> (Vec<f64>, Vec<A>) {
        let mut y_dot = ws.shadows.take(x.len() - 1, A::ZERO);
        for i in 0..x.len() - 1 {
            y_dot[i] = x_dot[i] * x[i + 1] + x_dot[i + 1] * x[i];
        }
        (products(x), y_dot)
    }

    fn pull<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        at: (&[f64],),
        bars: (&mut [A],),
        y_bar: &mut Vec<A>,
        ws: &mut Workspace<f64, A>,
    ) -> Option<Vec<f64>> {
        let y = S::FORWARD.then(|| self.forward::<A, M>(at, ws));
        if S::REVERSE {
            self.reverse::<A, M>(at, bars, y_bar, ws);
        }
        y
    }

    /// Saves `x` on the tape, as if `reverse` had lost it.
    fn forward<A: LinearSpace<f64>, M: ActivityMask>(&self, (x,): (&[f64],), ws: &mut Workspace<f64, A>) -> Vec<f64> {
        for x in x {
            ws.floats.push([*x]);
        }
        ws.words.push([x.len() as u64]);
        products(x)
    }

    no_second_order!((Ref<[f64]>,), Vec<f64>);
}

handle!(norms);

/// (a · b, a · a).
pub fn norms(a: &[f64], b: &[f64]) -> (f64, f64) {
    (a.iter().zip(b).map(|(a, b)| a * b).sum(), a.iter().map(|a| a * a).sum())
}

type Norms = (Ref<[f64]>, Ref<[f64]>);

impl Function<Norms> for norms {
    type ReturnValue = (f64, f64);
    fn call(&self, (a, b): (&[f64], &[f64])) -> (f64, f64) {
        norms(a, b)
    }
}

impl norms {
    fn reverse<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (a, b): (&[f64], &[f64]),
        (a_bar, b_bar): (&mut [A], &mut [A]),
        y_bar: &mut (A, A),
        _: &mut Workspace<f64, A>,
    ) {
        let (mut a_bar, mut b_bar) = (Bar::<M::P0, M::Fresh, _>::new(a_bar), Bar::<M::P1, M::Fresh, _>::new(b_bar));
        let (a_bar, b_bar) = (start(&mut a_bar), start(&mut b_bar));
        for i in 0..a.len() {
            if M::P0::ON {
                a_bar[i] += y_bar.0 * b[i] + y_bar.1 * (2.0 * a[i]);
            }
            if M::P1::ON {
                b_bar[i] += y_bar.0 * a[i];
            }
        }
    }
}

impl DerivativeCode<Norms> for norms {
    fn push<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (a, b): (&[f64], &[f64]),
        (a_dot, b_dot): (&[A], &[A]),
        _: &mut Workspace<f64, A>,
    ) -> ((f64, f64), (A, A)) {
        let mut y_dot = (A::ZERO, A::ZERO);
        for i in 0..a.len() {
            if M::P0::ON {
                y_dot.0 += a_dot[i] * b[i];
                y_dot.1 += a_dot[i] * (2.0 * a[i]);
            }
            if M::P1::ON {
                y_dot.0 += b_dot[i] * a[i];
            }
        }
        (norms(a, b), y_dot)
    }

    fn pull<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        (a, b): (&[f64], &[f64]),
        bars: (&mut [A], &mut [A]),
        y_bar: &mut (A, A),
        ws: &mut Workspace<f64, A>,
    ) -> Option<(f64, f64)> {
        let y = S::FORWARD.then(|| self.forward::<A, M>((a, b), ws));
        if S::REVERSE {
            self.reverse::<A, M>((a, b), bars, y_bar, ws);
        }
        y
    }

    fn forward<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (a, b): (&[f64], &[f64]),
        _: &mut Workspace<f64, A>,
    ) -> (f64, f64) {
        norms(a, b)
    }

    no_second_order!(Norms, (f64, f64));
}
