//! Hash tables that are quick where this crate is built without optimisation, as in most builds: the standard library's hash withstands
//! keys that an attacker chooses, and here the user chooses them.

/// A map.
pub type HashMap<K, V> = rustc_hash::FxHashMap<K, V>;
/// A set.
pub type HashSet<K> = rustc_hash::FxHashSet<K>;
