//! Whether the iterations that are run again for the reverse sweep see the values that they saw at first.
//!
//! What carries no derivative is computed again with the iterations of a checkpointed loop. A helper with a state that nothing in the
//! function shows (a static, a `thread_local!`) gives other values then. Both runs add up what each iteration sees, and the sums are compared.

/// A value that an iteration sees.
pub struct Witnessed<'a, T: ?Sized>(pub &'a T);

/// Values whose bits can be looked at. The trait takes one reference less than [`Unwitnessed`], and so it is found first.
pub trait WitnessedBits {
    /// The bits, mixed with the number of the iteration.
    fn mixed(&self, iteration: usize) -> u64;
}

impl<T: Bits + ?Sized> WitnessedBits for Witnessed<'_, T> {
    #[inline]
    fn mixed(&self, iteration: usize) -> u64 {
        mix(self.0.bits() ^ mix(iteration as u64))
    }
}

/// Other values, which are not compared.
pub trait Unwitnessed {
    /// Nothing.
    fn mixed(&self, _iteration: usize) -> u64 {
        0
    }
}

impl<T: ?Sized> Unwitnessed for &Witnessed<'_, T> {}

/// Values as bits.
pub trait Bits {
    /// All of them, in one word.
    fn bits(&self) -> u64;
}

macro_rules! bits {
    ($(|$value:ident: $T:ty| $bits:expr;)+) => {
        $(impl Bits for $T {
            #[inline]
            fn bits(&self) -> u64 {
                let $value = *self;
                $bits
            }
        })+
    };
}
bits! {
    |v: f64| v.to_bits();
    |v: f32| u64::from(v.to_bits());
    |v: bool| u64::from(v);
    |v: char| u64::from(v);
    |v: u8| u64::from(v);
    |v: u16| u64::from(v);
    |v: u32| u64::from(v);
    |v: u64| v;
    |v: usize| v as u64;
    |v: i8| v as u64;
    |v: i16| v as u64;
    |v: i32| v as u64;
    |v: i64| v as u64;
    |v: isize| v as u64;
}

impl<T: Bits> Bits for [T] {
    #[inline]
    fn bits(&self) -> u64 {
        self.iter().fold(self.len() as u64, |all, v| mix(all ^ v.bits()))
    }
}
impl<T: Bits> Bits for Vec<T> {
    #[inline]
    fn bits(&self) -> u64 {
        self[..].bits()
    }
}
impl<T: Bits, const N: usize> Bits for [T; N] {
    #[inline]
    fn bits(&self) -> u64 {
        self[..].bits()
    }
}
impl<T: Bits> Bits for Option<T> {
    #[inline]
    fn bits(&self) -> u64 {
        self.as_ref().map_or(1, |v| mix(v.bits()))
    }
}
impl<A: Bits, B: Bits> Bits for (A, B) {
    #[inline]
    fn bits(&self) -> u64 {
        mix(mix(self.0.bits()) ^ self.1.bits())
    }
}

/// The finalizer of splitmix64: every bit of the result depends on every bit of the word.
#[inline]
fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Panics if iterations that were run again have seen other values.
///
/// # Panics
///
/// Where the sums differ.
#[inline]
#[track_caller]
pub fn replayed(first: u64, again: u64) {
    assert!(
        first == again,
        "an iteration of a loop under `#[checkpoint]` was run again for the reverse sweep, and a call in it gave another value: it has a \
         state of its own (a static, a `thread_local!`, a generator). Make its values before the loop, or take `#[checkpoint]` off the loop"
    );
}
