//! Functions without the attribute that derivative code calls by handles: the handles that they do not have.
//!
//! A caller imports a function under a name that a module of [`handles`] has too, by a glob: rustc takes the function's own handle,
//! and, where it has none, the type of that module. That one makes rustc say so once, and has all that derivative code asks of handles.

/// A function that has derivative code.
#[diagnostic::on_unimplemented(
    message = "this function has no `#[differentiable]`, and it is called with active values [D0802]",
    label = "no derivative is known of this function",
    note = "put `#[differentiable]` on it, or on the `impl` block or the trait that it stands in, or give it a rule: `#[differentiable(pullback = ..)]`; `#[differentiable(constant)]` says that its derivative is zero",
    note = "if its value is no number, bind it with its type, `let n: usize = ..;`, and the function needs no attribute"
)]
pub trait Annotated {}

/// Compiles where a function has derivative code.
#[inline(always)]
pub fn annotated<Handle: Annotated>() {}

/// In place of the handle of a function with so many arguments.
pub struct Unannotated<const ARGUMENTS: usize>;

macro_rules! unannotated {
    ($($arguments:literal: $(($value:ident $dot:ident $bar:ident $bar_dot:ident))*;)+) => { $(
        #[allow(non_camel_case_types, clippy::too_many_arguments, missing_docs, unused_variables)]
        impl Unannotated<$arguments> {
            pub const __COST: usize = 0;

            pub fn __push<$($value, $dot,)* Workspace, Value>($(_: $value, _: $dot,)* _: Workspace) -> Value {
                never()
            }

            pub fn __pull<$($value, $bar,)* Seed, Workspace, Sweep, Value>(
                $(_: $value, _: $bar,)* _: Seed, _: Workspace, _: Sweep,
            ) -> Option<Value> {
                never()
            }

            pub fn __pull_push<$($value, $dot, $bar, $bar_dot,)* Seed, SeedDot, Workspace, Sweep, Value>(
                $(_: $value, _: $dot, _: $bar, _: $bar_dot,)* _: Seed, _: SeedDot, _: Workspace, _: Sweep,
            ) -> Option<Value> {
                never()
            }

            pub fn __primal<$($value,)* Number, Value>(_: Number, $(_: $value,)*) -> Value {
                never()
            }
        }
    )+ };
}
unannotated! {
    0: ;
    1: (A a p q);
    2: (A a p q) (B b r s);
    3: (A a p q) (B b r s) (C c t u);
    4: (A a p q) (B b r s) (C c t u) (D d v w);
    5: (A a p q) (B b r s) (C c t u) (D d v w) (E e x y);
    6: (A a p q) (B b r s) (C c t u) (D d v w) (E e x y) (F f g h);
    7: (A a p q) (B b r s) (C c t u) (D d v w) (E e x y) (F f g h) (G i j k);
    8: (A a p q) (B b r s) (C c t u) (D d v w) (E e x y) (F f g h) (G i j k) (H l m n);
}

fn never() -> ! {
    unreachable!("a function without a handle does not compile")
}

/// The types in place of handles, by the number of arguments, and one for each function that a caller calls.
pub mod handles {
    macro_rules! handles {
        ($($of:ident $arguments:literal)+) => { $(
            #[allow(missing_docs)]
            pub mod $of {
                use super::super::Unannotated;
                handles! { names $arguments:
                    n0 __callee_0, n1 __callee_1, n2 __callee_2, n3 __callee_3, n4 __callee_4, n5 __callee_5, n6 __callee_6,
                    n7 __callee_7, n8 __callee_8, n9 __callee_9, n10 __callee_10, n11 __callee_11, n12 __callee_12,
                    n13 __callee_13, n14 __callee_14, n15 __callee_15
                }
            }
        )+ };
        (names $arguments:literal: $($module:ident $name:ident),+) => { $(
            pub mod $module {
                #[allow(non_camel_case_types)]
                pub type $name = super::Unannotated<$arguments>;
            }
        )+ };
    }
    handles! { of_0 0 of_1 1 of_2 2 of_3 3 of_4 4 of_5 5 of_6 6 of_7 7 of_8 8 }
}
