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

    /// A passive value behind a reference: compared if it is a number, a `bool`, a `char`, a string or a slice of these.
    pub(crate) fn behind<T: ?Sized + 'static>(&mut self, value: &T) {
        if !words(value, self) {
            self.unknown();
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

        /// The words of a value whose type has some. Types without a size cannot be told apart as `Any`, but functions of them can.
        fn words<T: ?Sized + 'static>(value: &T, signature: &mut Signature) -> bool {
            $({
                fn one($v: &$T, signature: &mut Signature) {
                    signature.words.push($word);
                }
                fn all(values: &[$T], signature: &mut Signature) {
                    signature.size(values.len());
                    signature.words.extend(values.iter().map(|$v| $word));
                }
                if by(one as fn(&$T, &mut Signature), value, signature) || by(all as fn(&[$T], &mut Signature), value, signature) {
                    return true;
                }
            })+
            fn text(value: &str, signature: &mut Signature) {
                words(value.as_bytes(), signature);
            }
            by(text as fn(&str, &mut Signature), value, signature)
        }
    };
}

/// Calls a function if it is one of values of this type.
fn by<T: ?Sized + 'static>(function: impl Any, value: &T, signature: &mut Signature) -> bool {
    let function = (&function as &dyn Any).downcast_ref::<fn(&T, &mut Signature)>();
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

    fn of<T: ?Sized + 'static>(value: &T) -> Signature {
        let mut signature = Signature::default();
        signature.behind(value);
        signature
    }

    #[test]
    fn values_behind_references() {
        assert!(of(&[1.0, 2.0][..]).agrees(&of(&[1.0, 2.0][..])));
        assert!(of("text").agrees(&of("text")) && of(&3usize).agrees(&of(&3usize)));
        for (a, b) in [
            (of(&[1.0, 2.0][..]), of(&[1.0, 3.0][..])),
            (of(&[1.0, 2.0][..]), of(&[1.0][..])),
            (of(&[1u8, 2][..]), of(&[1u8, 3][..])),
            (of("text"), of("test")),
            (of(&true), of(&false)),
            (of(&Some(1)), of(&Some(1))),
            (of(&[Some(1)][..]), of(&[Some(1)][..])),
        ] {
            assert!(!a.agrees(&b), "{a:?}, {b:?}");
        }
    }
}
