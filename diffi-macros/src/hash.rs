//! Hash tables that are quick where this crate is built without optimisation, as in most builds: the standard library's hash withstands
//! keys that an attacker chooses, and here the user chooses them. (The function is the one of rustc's own tables, FxHash.)

use std::hash::{BuildHasherDefault, Hasher};

/// A map.
pub type HashMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<Quick>>;
/// A set.
pub type HashSet<K> = std::collections::HashSet<K, BuildHasherDefault<Quick>>;

/// One multiplication for each word.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quick(u64);

impl Quick {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0.rotate_left(20)
    }

    /// By hand: without optimisation the iterators over the bytes would take most of the time.
    fn write(&mut self, bytes: &[u8]) {
        let (mut at, mut word) = (0, 0);
        while at < bytes.len() {
            word = word << 8 | bytes[at] as u64;
            at += 1;
            if at & 7 == 0 {
                self.add(word);
            }
        }
        self.add(word);
    }

    fn write_u8(&mut self, n: u8) {
        self.add(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.add(n.into());
    }

    fn write_usize(&mut self, n: usize) {
        self.add(n as u64);
    }
}
