//! What generated code asks rustc of methods: whether one of a trait of the user's is found before that of std.
//!
//! `v.to_vec()` of a `Vec` is a method of slices, which rustc looks for after all methods of `Vec` itself. The question puts a trait
//! with that method between the two, for the place where the call stands: its method is found unless another one comes first.

use std::marker::PhantomData;

/// The value of a question's method.
pub struct OfStd;

/// The value of a question's method that is found where the trait of std is not in scope.
pub struct OfAnotherTrait;

/// What a question's method takes for its arguments.
pub struct Argument;

/// Any value, in code that never runs.
pub fn argument<T>() -> T {
    unreachable!("questions of names never run")
}

/// The type of a receiver.
pub struct ReceiverType<T: ?Sized>(PhantomData<T>);

/// A receiver, in code that never runs, and its type.
pub fn receiver<T>() -> (T, ReceiverType<T>) {
    (argument(), ReceiverType(PhantomData))
}

/// The same for an array of a length that is left open.
pub fn receiving_array<T, const N: usize>() -> ([T; N], ReceiverType<[T; N]>) {
    receiver()
}

/// Says at the end which type was left open.
pub fn is_of_type<T>(_: ReceiverType<T>) {}

/// A method of std.
#[diagnostic::on_unimplemented(
    message = "diffi takes this method for the one of std that has this name, and it is one of another trait: its value is `{Self}` [D0805]",
    label = "not the method of std that has this name",
    note = "give the trait's method another name, and put `#[differentiable]` on the trait and its `impl` if it computes with active values"
)]
pub trait IsMethodOfStd {}

impl IsMethodOfStd for OfStd {}

/// Compiles only if a question's method is found.
pub fn is_method_of_std<T: IsMethodOfStd>(_: T) {}

/// A type that has operators alone: `a.add(b)` of it compiles only where the trait of std is in scope.
pub struct WithOperators;

macro_rules! operators {
    ($($Trait:ident $method:ident,)+) => {
        $(impl core::ops::$Trait<Argument> for WithOperators {
            type Output = OfStd;
            fn $method(self, _: Argument) -> OfStd {
                OfStd
            }
        })+
    };
}
operators! { Add add, Sub sub, Mul mul, Div div, Rem rem, }

macro_rules! assignments {
    ($($Trait:ident $method:ident,)+) => {
        $(impl core::ops::$Trait<Argument> for WithOperators {
            fn $method(&mut self, _: Argument) {}
        })+
    };
}
assignments! {
    AddAssign add_assign, SubAssign sub_assign, MulAssign mul_assign, DivAssign div_assign, RemAssign rem_assign,
}

/// The assignment of std.
#[diagnostic::on_unimplemented(
    message = "diffi takes this method for the one of `std::ops` that has this name, and it is one of another trait [D0805]",
    label = "not the method of `std::ops` that has this name",
    note = "give the trait's method another name, and put `#[differentiable]` on the trait and its `impl` if it computes with active values"
)]
pub trait IsAssignmentOfStd {}

impl IsAssignmentOfStd for () {}

/// Compiles only if a question's method is found.
pub fn is_assignment_of_std<T: IsAssignmentOfStd>(_: T) {}

/// What a method of assignment is looked for at last.
pub struct BehindOperators;

impl core::ops::Deref for WithOperators {
    type Target = BehindOperators;
    fn deref(&self) -> &BehindOperators {
        &BehindOperators
    }
}

impl core::ops::Neg for WithOperators {
    type Output = OfStd;
    fn neg(self) -> OfStd {
        OfStd
    }
}
