//! What most programs ask for, made once here. rustc makes what is generic in the crate that asks for it, unless a crate below has
//! it already; where it does not optimise, it looks there. So debug builds of users' crates have less to make: neither the memory of
//! derivative code, nor what operators do beside it for functions of a slice.

use crate::backend::AutoReverse;
use crate::error::Result;
use crate::intrinsics::init_cotangent::clear_outside;
use crate::number::linear_space::LinearSpace;
use crate::operators::gradient::{gradient, prepare_gradient, value_and_gradient};
use crate::signature::arg_roles::ActivityMask;
use crate::signature::function::{DerivativeCode, Function};
use crate::signature::param_kinds::Ref;
use crate::signature::sweeps::Sweeps;
use crate::stack::tape::Stack;
use crate::stack::workspace::{Pool, Workspace};

/// The sum of a slice. Its derivative code asks for what generated code does.
#[derive(Clone, Copy, Debug)]
struct Sum;

impl Function<(Ref<[f64]>,)> for Sum {
    type ReturnValue = f64;
    fn call(&self, (x,): (&[f64],)) -> f64 {
        x.iter().sum()
    }
}

impl DerivativeCode<(Ref<[f64]>,)> for Sum {
    fn push<A: LinearSpace<f64>, M: ActivityMask>(
        &self,
        (x,): (&[f64],),
        (dx,): (&[A],),
        _: &mut Workspace<f64, A>,
    ) -> (f64, A) {
        let mut dot = A::ZERO;
        dx.iter().for_each(|dx| dot += *dx);
        (self.call((x,)), dot)
    }

    fn pull<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        (x,): (&[f64],),
        (x_bar,): (&mut [A],),
        y_bar: &mut A,
        ws: &mut Workspace<f64, A>,
    ) -> Option<f64> {
        clear_outside(x_bar, 0, 0);
        x_bar.iter_mut().zip(x).for_each(|(x_bar, _)| *x_bar = *y_bar);
        vectors(&mut ws.base, x, 0.0);
        vectors(&mut ws.shadows, x_bar, A::ZERO);
        records::<1>(&mut ws.floats, x);
        records::<2>(&mut ws.floats, x);
        records::<3>(&mut ws.floats, x);
        Some(self.call((x,)))
    }

    /// Programs ask for second derivatives by many types of tangents, and few ask.
    fn pull_push<A: LinearSpace<f64>, M: ActivityMask, S: Sweeps>(
        &self,
        _: (&[f64],),
        _: (&[A],),
        _: (&mut [f64],),
        _: (&mut [A],),
        _: &mut f64,
        _: &mut A,
        _: &mut Workspace<f64, A>,
    ) -> Option<(f64, A)> {
        None
    }
}

/// Local arrays.
fn vectors<T: Copy>(pool: &mut Pool<T>, values: &[T], fill: T) {
    let (copy, vector) = (pool.take_copy(values), pool.take(values.len(), fill));
    pool.give(copy);
    pool.give(vector);
}

/// Records alone, and in loops.
fn records<const W: usize>(stack: &mut Stack<f64>, x: &[f64]) {
    stack.push([0.0; W]);
    let _: [f64; W] = stack.pop();
    for (k, record) in (0..x.len()).zip(stack.block::<W>(x.len()).iter_mut()) {
        *record = [x[k]; W];
    }
    for (_, _) in (0..x.len()).zip(stack.unblock::<W>(x.len()).iter()).rev() {}
    stack.block::<W>(x.len());
    for (_, _) in (0..x.len()).zip(stack.unblock::<W>(x.len()).iter()) {}
}

/// The value of the sum of a slice, and its gradient found three ways.
pub fn gradients(x: &[f64]) -> Result<(f64, [Vec<f64>; 3])> {
    let (y, one) = value_and_gradient(Sum, AutoReverse, x)?;
    let mut prepared = prepare_gradient(Sum, AutoReverse, x)?;
    let mut two = gradient(Sum, AutoReverse, x).unwrap();
    prepared.gradient_into(&mut two, x)?;
    prepared.value_and_gradient_into(&mut two, x)?;
    Ok((y, [one, two, prepared.gradient(x)?]))
}

#[cfg(test)]
mod tests {
    #[test]
    fn gradients_of_a_sum() {
        let ones = vec![1.0; 3];
        assert_eq!(super::gradients(&[1.0, 2.0, 4.0]).unwrap(), (7.0, [ones.clone(), ones.clone(), ones]));
    }
}
