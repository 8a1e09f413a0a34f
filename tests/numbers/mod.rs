//! Values as rows of numbers: what tests compare.
#![allow(dead_code, reason = "each test takes what it needs")]

use ndarray::{Array, Array2, Dimension};

/// The numbers in a value: those that carry derivatives.
pub trait Numbers {
    const SINGLE: bool = false;
    fn each(&mut self, f: &mut dyn FnMut(&mut f64));
}

impl Numbers for f64 {
    fn each(&mut self, f: &mut dyn FnMut(&mut f64)) {
        f(self);
    }
}

impl Numbers for f32 {
    const SINGLE: bool = true;
    fn each(&mut self, f: &mut dyn FnMut(&mut f64)) {
        let mut v = f64::from(*self);
        f(&mut v);
        *self = v as f32;
    }
}

macro_rules! passive {
    ($($T:ty)+) => { $(
        impl Numbers for $T {
            fn each(&mut self, _: &mut dyn FnMut(&mut f64)) {}
        }
    )+ };
}
passive!(() usize i32 u32 u8 bool char String std::ops::Range<usize>);

impl<T: Numbers> Numbers for Vec<T> {
    const SINGLE: bool = T::SINGLE;
    fn each(&mut self, f: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|v| v.each(f));
    }
}

impl<T: Numbers> Numbers for Option<T> {
    const SINGLE: bool = T::SINGLE;
    fn each(&mut self, f: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|v| v.each(f));
    }
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    const SINGLE: bool = T::SINGLE;
    fn each(&mut self, f: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|v| v.each(f));
    }
}

#[cfg(feature = "nalgebra")]
impl<R: nalgebra::Dim, C: nalgebra::Dim, S: nalgebra::StorageMut<f64, R, C>> Numbers
    for nalgebra::Matrix<f64, R, C, S>
{
    fn each(&mut self, f: &mut dyn FnMut(&mut f64)) {
        for i in 0..self.nrows() {
            for j in 0..self.ncols() {
                f(&mut self[(i, j)]);
            }
        }
    }
}

impl<T: Numbers, D: Dimension> Numbers for Array<T, D> {
    const SINGLE: bool = T::SINGLE;
    fn each(&mut self, f: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|v| v.each(f));
    }
}

/// The rows of a Jacobian, whose blocks stand side by side.
pub trait Rows {
    fn to_rows(&self) -> Vec<Vec<f64>>;
}

impl<F: Copy + Into<f64>> Rows for Array2<F> {
    fn to_rows(&self) -> Vec<Vec<f64>> {
        self.outer_iter().map(|row| row.iter().map(|&v| v.into()).collect()).collect()
    }
}

macro_rules! tuples {
    ($($name:ident)+) => {
        #[allow(non_snake_case)]
        impl<$($name: Numbers),+> Numbers for ($($name,)+) {
            const SINGLE: bool = $($name::SINGLE)||+;
            fn each(&mut self, f: &mut dyn FnMut(&mut f64)) {
                let ($($name,)+) = self;
                $($name.each(f);)+
            }
        }

        #[allow(non_snake_case)]
        impl<$($name: Rows),+> Rows for ($($name,)+) {
            fn to_rows(&self) -> Vec<Vec<f64>> {
                let ($($name,)+) = self;
                let blocks = [$($name.to_rows()),+];
                (0..blocks[0].len()).map(|i| blocks.iter().flat_map(|block| block[i].clone()).collect()).collect()
            }
        }
    };
}
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);

/// Whether there is an `f32` among the numbers.
pub fn single<T: Numbers>(_: &T) -> bool {
    T::SINGLE
}

/// All numbers, in order.
pub fn flat<T: Numbers>(value: &mut T) -> Vec<f64> {
    let mut flat = Vec::new();
    value.each(&mut |v| flat.push(*v));
    flat
}

/// All numbers, in order.
pub fn flatten<T: Numbers>(mut value: T) -> Vec<f64> {
    flat(&mut value)
}
