//! Automatic differentiation by source transformation.
#![forbid(unsafe_code)]
pub use diffi_macros::differentiable;

/// What generated code names.
#[doc(hidden)]
pub mod __private {
    pub use diffi_runtime::active::*;
    pub use diffi_runtime::base::*;
    pub use diffi_runtime::fresh::*;
    pub use diffi_runtime::function::*;
    pub use diffi_runtime::kinds::*;
    pub use diffi_runtime::lanes::*;
    pub use diffi_runtime::linear::*;
    pub use diffi_runtime::roles::*;
    pub use diffi_runtime::slots::*;
    pub use diffi_runtime::tape::*;
    pub use diffi_runtime::whole::*;
    pub use diffi_runtime::workspace::*;
}

/// Everything that a program needs.
pub mod prelude {
    pub use crate::differentiable;
}
