//! Closures and plain functions: they can be called, which is enough for finite differences.
//!
//! Which signature a closure has is found by elimination among the bounds `Fn(..)` below, so no two may fit the same closure.
//! Everything else than these parameters is captured.

use super::{Function, ReturnValue};
use crate::number::batch::Float;
use crate::signature::param_kinds::{Out, Passive, Ref, Val};
use ndarray::{Array, Dimension};

macro_rules! closure {
    ($([$($generics:tt)*] ($($x:ident: $X:ty => $ParamKind:ty),+);)+) => { $(
        impl<T: Float, Y: ReturnValue<T>, F: Fn($($X),+) -> Y, $($generics)*> Function<($($ParamKind,)+)> for F {
            type ReturnValue = Y;
            #[inline]
            fn call(&self, ($($x,)+): ($(<$ParamKind as crate::signature::param_kinds::ParamKind>::At<'_>,)+)) -> Y {
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
    [] (x: &[T] => Ref<[T]>, n: usize => Passive<usize, T>);
    [] (x: &[T] => Ref<[T]>, y: &mut [T] => Out<[T]>);
    [] (x: &[T] => Ref<[T]>, y: &[T] => Ref<[T]>, z: &mut [T] => Out<[T]>);
    [] (x: &[T] => Ref<[T]>, y: T => Val<T>, z: &mut [T] => Out<[T]>);
    [] (x: T => Val<T>, y: &mut [T] => Out<[T]>);
    [D: Dimension + 'static] (x: &Array<T, D> => Ref<Array<T, D>>);
}
