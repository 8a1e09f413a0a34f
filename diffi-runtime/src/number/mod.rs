//! Numbers: floats, linear spaces over them, batches, number types that overload arithmetic, and the traits of values that carry derivatives.
//!
//! Enters: `f32`, `f64` and their batches. Leaves: the traits `Base`, `Float`, `LinearSpace`, `Real`, `Active`, `Tangent` and `List`, and the number
//! types behind the backends. May import: `stack`.

pub mod active;
pub mod arities;
pub mod batch;
pub mod flag;
pub mod float;
pub mod hlist;
pub mod kept_shadows;
pub mod linear_space;
pub mod native;
pub mod optional_shadow;
pub mod real;
pub mod row;
pub mod scalar;
pub mod shape;
pub mod sizes;
pub mod special;
pub mod tangent;
pub mod width;
