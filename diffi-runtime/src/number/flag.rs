//! Truth values that are types.

/// A truth value that is a type.
pub trait Flag: Copy + Default + std::fmt::Debug + Send + Sync + 'static {
    /// The truth value.
    const ON: bool;
    /// `On` if this flag or `G` is.
    type Or<G: Flag>: Flag;
    /// What `f` gives, if it is on. If it is off, rustc makes no code of `f`.
    fn when<T>(f: impl FnOnce() -> T) -> Option<T>;
}

/// True.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct On;

/// False. As a slot: a parameter without a shadow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Off;

impl Flag for On {
    const ON: bool = true;
    type Or<G: Flag> = On;
    #[inline]
    fn when<T>(f: impl FnOnce() -> T) -> Option<T> {
        Some(f())
    }
}

impl Flag for Off {
    const ON: bool = false;
    type Or<G: Flag> = G;
    #[inline]
    fn when<T>(_: impl FnOnce() -> T) -> Option<T> {
        None
    }
}
