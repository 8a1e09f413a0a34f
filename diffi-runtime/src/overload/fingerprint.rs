//! What a recorded program depends on beside the numbers among the arguments.

use crate::stack::memory_report;
use std::any::Any;

/// Sizes and passive values, as words. Programs recorded under equal signatures do the same, as long as their decisions come out
/// the same.
#[derive(Clone, Debug)]
pub struct Fingerprint {
    words: Vec<u64>,
    /// Whether all values could be compared.
    known: bool,
    /// While another call is compared with this one: how many words were the same, and nothing once one was not.
    same: Option<usize>,
    compares: bool,
}

impl Default for Fingerprint {
    fn default() -> Self {
        Fingerprint { words: Vec::new(), known: true, same: None, compares: false }
    }
}

impl Fingerprint {
    /// How much memory is held.
    pub(crate) fn bytes(&self) -> usize {
        memory_report::vector(&self.words)
    }

    /// A size.
    #[inline]
    pub(crate) fn size(&mut self, n: usize) {
        self.word(n as u64);
    }

    /// A word is noted, or compared with the one that was.
    #[inline]
    fn word(&mut self, word: u64) {
        if self.compares {
            self.same = self.same.filter(|at| self.words.get(*at) == Some(&word)).map(|at| at + 1);
        } else {
            self.words.push(word);
        }
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
            Some(word) => self.word(word),
            None => self.unknown(),
        }
    }

    /// A passive value behind a reference: compared if it is a number, a `bool`, a `char`, a string or a slice of these.
    pub(crate) fn behind<T: ?Sized + 'static>(&mut self, value: &T) {
        if !words(value, self) {
            self.unknown();
        }
    }

    /// Whether what depends on nothing else depends on the same in another call, which is signed the same way. Nothing is written.
    #[inline]
    pub(crate) fn agrees(&mut self, sign: impl FnOnce(&mut Self)) -> bool {
        // A copy that does not leave registers, where there are only sizes.
        let (words, known) = (std::mem::take(&mut self.words), self.known);
        let mut other = Fingerprint { words, known, same: Some(0), compares: true };
        sign(&mut other);
        let agrees = other.known && other.same == Some(other.words.len());
        (self.words, self.known) = (other.words, other.known);
        agrees
    }

    /// Becomes that of another call.
    pub(crate) fn of(&mut self, sign: impl FnOnce(&mut Self)) {
        self.words.clear();
        self.known = true;
        sign(self);
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

        /// The words of a value whose type has some. Types without a size cannot be told apart as `Any`, but functions of them can.
        fn words<T: ?Sized + 'static>(value: &T, signature: &mut Fingerprint) -> bool {
            $({
                fn one($v: &$T, signature: &mut Fingerprint) {
                    signature.word($word);
                }
                fn all(values: &[$T], signature: &mut Fingerprint) {
                    signature.size(values.len());
                    values.iter().for_each(|$v| signature.word($word));
                }
                if by(one as fn(&$T, &mut Fingerprint), value, signature) || by(all as fn(&[$T], &mut Fingerprint), value, signature) {
                    return true;
                }
            })+
            fn text(value: &str, signature: &mut Fingerprint) {
                words(value.as_bytes(), signature);
            }
            by(text as fn(&str, &mut Fingerprint), value, signature)
        }
    };
}

/// Calls a function if it is one of values of this type.
fn by<T: ?Sized + 'static>(function: impl Any, value: &T, signature: &mut Fingerprint) -> bool {
    let function = (&function as &dyn Any).downcast_ref::<fn(&T, &mut Fingerprint)>();
    function.map(|function| function(value, signature)).is_some()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn agree<T: ?Sized + 'static>(one: &T, other: &T) -> bool {
        let mut signature = Fingerprint::default();
        signature.of(|s| s.behind(one));
        let agrees = signature.agrees(|s| s.behind(other));
        // Once more, as a comparison leaves it as it was.
        assert_eq!(signature.agrees(|s| s.behind(other)), agrees);
        agrees
    }

    #[test]
    fn values_behind_references() {
        assert!(agree(&[1.0, 2.0][..], &[1.0, 2.0][..]));
        assert!(agree("text", "text") && agree(&3usize, &3usize));
        assert!(!agree(&[1.0, 2.0][..], &[1.0, 3.0][..]));
        assert!(!agree(&[1.0, 2.0][..], &[1.0][..]));
        assert!(!agree(&[1.0][..], &[1.0, 2.0][..]));
        assert!(!agree(&[1u8, 2][..], &[1u8, 3][..]));
        assert!(!agree("text", "test"));
        assert!(!agree(&true, &false));
        assert!(!agree(&Some(1), &Some(1)));
        assert!(!agree(&[Some(1)][..], &[Some(1)][..]));
    }
}
