//! Support for every floor: errors, tokens, options, names that the compiler knows, hash tables.
//!
//! Enters: tokens of rustc, the attribute's arguments, the environment. Leaves: the compiler's own tokens, options, switches, messages.
//! Imports: nothing of this crate.

pub mod checkpoint_attribute;
pub mod errors;
pub mod hash;
pub mod names;
pub mod options;
pub mod source_files;
pub mod switches;
pub mod syntax;
pub mod timer;
pub mod tokens;
pub mod work;
