//! Values and tangents as flat lists of numbers, both ways: what optimisers and solvers of differential equations work on.

use crate::error::{Error, Result};
use crate::number::active::Active;
use crate::number::batch::Float;
use crate::number::float::Base;
use crate::number::tangent::Tangent;
use crate::stack::workspace::Pool;

/// The numbers of a tangent, or of a value that derives `Differentiable`, as one list.
pub trait ToFlat<F> {
    /// All numbers, row-major, fields in the order of their declaration; what carries no derivative is left out.
    fn to_flat(&self) -> Vec<f64>;
    /// Sets all numbers, in the same order.
    ///
    /// # Errors
    ///
    /// [`Error::BufferMismatch`] if there are more or fewer numbers in `flat`: then nothing is changed.
    fn set_flat(&mut self, flat: &[f64]) -> Result<()>;
}

/// In place of the float of [`ToFlat`]: these are the numbers of a value, not of a tangent.
#[derive(Clone, Copy, Debug)]
pub struct OfValue;

impl<F: Float, T: Tangent<F> + ?Sized> ToFlat<F> for T {
    fn to_flat(&self) -> Vec<f64> {
        let mut flat = Vec::new();
        self.each(&mut |v| flat.push(v.as_f64()));
        flat
    }

    fn set_flat(&mut self, flat: &[f64]) -> Result<()> {
        let mut count = 0;
        self.each(&mut |_| count += 1);
        fits(count, flat)?;
        let mut numbers = flat.iter();
        self.each_mut(&mut |v| numbers.next().into_iter().for_each(|n| *v = F::lit(*n)));
        Ok(())
    }
}

/// [`ToFlat::to_flat`] of a value.
pub fn flat<T: Active>(value: &T) -> Vec<f64> {
    let mut flat = Vec::new();
    value.each(&mut |v| flat.push(v.as_f64()));
    flat
}

/// [`ToFlat::set_flat`] of a value.
///
/// # Errors
///
/// [`Error::BufferMismatch`] if there are more or fewer numbers in `flat`.
pub fn set_flat<T: Active>(value: &mut T, flat: &[f64]) -> Result<()> {
    let mut count = 0;
    value.each(&mut |_| count += 1);
    fits(count, flat)?;
    let mut numbers = flat.iter();
    value.each_mut(&mut |v| numbers.next().into_iter().for_each(|n| *v = T::Base::lit(*n)));
    Ok(())
}

fn fits(count: usize, flat: &[f64]) -> Result<()> {
    match flat.len() == count {
        true => Ok(()),
        false => Err(Error::BufferMismatch { expected: count.to_string(), found: flat.len().to_string() }),
    }
}

/// A value that can be moved along its tangents.
pub trait Moved: Active {
    /// The tangent of this value's shape that is zero.
    fn zero_tangent(&self) -> Self::Tangent<Self::Base> {
        let mut zero = Pool::of_its_own(|pool| self.zeros(pool));
        Tangent::<Self::Base>::clear(&mut zero);
        zero
    }

    /// `self += by * direction`: a step of an optimiser or of a solver.
    ///
    /// # Panics
    ///
    /// If the direction has fewer numbers than the value.
    fn advance(&mut self, by: Self::Base, direction: &Self::Tangent<Self::Base>) {
        let mut steps = Vec::new();
        direction.each(&mut |v| steps.push(v * by));
        let mut steps = steps.into_iter();
        self.each_mut(&mut |v| *v += steps.next().expect("a direction has the shape of the value"));
    }
}

impl<T: Active> Moved for T {}

/// Tangents of one shape are the vectors of a linear space.
pub trait Vector<F: Float>: Tangent<F> + Clone {
    /// Zero, of the same shape.
    fn zeroed(&self) -> Self {
        let mut zero = self.clone();
        zero.clear();
        zero
    }

    /// `self += other`.
    fn add_tangent(&mut self, other: &Self) {
        self.acc(other);
    }

    /// `self *= by`.
    fn scale(&mut self, by: F) {
        self.each_mut(&mut |v| *v *= by);
    }
}

impl<F: Float, T: Tangent<F> + Clone> Vector<F> for T {}
