//! What a recorded program depends on beside the numbers among the arguments.

use crate::kept;
use std::any::Any;

/// Sizes and passive values, as words. Programs recorded under equal signatures do the same, as long as their decisions come out
/// the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    words: Vec<u64>,
    /// Whether all values could be compared.
    known: bool,
}

impl Default for Signature {
    fn default() -> Self {
        Signature { words: Vec::new(), known: true }
    }
}

impl Signature {
    /// How much memory is held.
    pub(crate) fn bytes(&self) -> usize {
        kept::vector(&self.words)
    }

    /// A size.
    #[inline]
    pub(crate) fn size(&mut self, n: usize) {
        self.words.push(n as u64);
    }

    /// A value that cannot be compared.
    #[inline]
    pub(crate) fn unknown(&mut self) {
        self.known = false;
    }

    /// A passive value: compared if it is a number, a `bool` or a `char`.
    #[inline]
    pub(crate) fn value<T: 'static>(&mut self, value: &T) {
        match word(value) {
            Some(word) => self.words.push(word),
            None => self.unknown(),
        }
    }

    /// Whether what depends on nothing else depends on the same as with `other`.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        self.known && self == other
    }

    /// Starts anew.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.known = true;
    }
}

macro_rules! word {
    ($($T:ident: |$v:ident| $word:expr;)+) => {
        fn word(value: &dyn Any) -> Option<u64> {
            $(if let Some($v) = value.downcast_ref::<$T>() {
                return Some($word);
            })+
            None
        }
    };
}
word! {
    usize: |v| *v as u64;
    u64: |v| *v;
    u32: |v| u64::from(*v);
    u16: |v| u64::from(*v);
    u8: |v| u64::from(*v);
    isize: |v| *v as u64;
    i64: |v| *v as u64;
    i32: |v| *v as u64;
    i16: |v| *v as u64;
    i8: |v| *v as u64;
    bool: |v| u64::from(*v);
    char: |v| u64::from(*v);
    f64: |v| v.to_bits();
    f32: |v| u64::from(v.to_bits());
}
