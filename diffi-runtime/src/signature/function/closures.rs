//! Closures and plain functions: they can be called, which is enough for finite differences.
//!
//! Which signature a closure has is found by elimination among the bounds `Fn(..)` below, so no two may fit the same closure.
//! Everything else than these parameters is captured.

use super::{Func, Ret};
use crate::number::batch::Float;
use crate::signature::param_kinds::{Out, Pass, Ref, Val};
use ndarray::{Array, Dimension};

macro_rules! closure {
    ($([$($generics:tt)*] ($($x:ident: $X:ty => $Kind:ty),+);)+) => { $(
        impl<T: Float, Y: Ret<T>, F: Fn($($X),+) -> Y, $($generics)*> Func<($($Kind,)+)> for F {
            type Ret = Y;
            #[inline]
            fn call(&self, ($($x,)+): ($(<$Kind as crate::signature::param_kinds::Kind>::At<'_>,)+)) -> Y {
                self($($x),+)
            }
        }
    )+ };
}
closure! {
    [] (x: T => Val<T>);
    [] (x: T => Val<T>, y: T => Val<T>);
    [] (x: T => Val<T>, y: T => Val<T>, z: T => Val<T>);
    [const N: usize] (x: [T; N] => Val<[T; N]>);
    [const N: usize] (x: &[T; N] => Ref<[T; N]>);
    [] (x: &[T] => Ref<[T]>);
    [] (x: &Vec<T> => Ref<Vec<T>>);
    [] (x: &[T] => Ref<[T]>, y: &[T] => Ref<[T]>);
    [] (x: &[T] => Ref<[T]>, y: &[T] => Ref<[T]>, z: &[T] => Ref<[T]>);
    [] (x: &[T] => Ref<[T]>, y: T => Val<T>);
    [] (x: T => Val<T>, y: &[T] => Ref<[T]>);
    [] (x: &[T] => Ref<[T]>, n: usize => Pass<usize, T>);
    [] (x: &[T] => Ref<[T]>, y: &mut [T] => Out<[T]>);
    [] (x: &[T] => Ref<[T]>, y: &[T] => Ref<[T]>, z: &mut [T] => Out<[T]>);
    [] (x: &[T] => Ref<[T]>, y: T => Val<T>, z: &mut [T] => Out<[T]>);
    [] (x: T => Val<T>, y: &mut [T] => Out<[T]>);
    [D: Dimension + 'static] (x: &Array<T, D> => Ref<Array<T, D>>);
}
