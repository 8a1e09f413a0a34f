//! What prepared objects have in common: they own the function, the backend and the memory, and check sizes on use.

use crate::error::{Error, Result};
use crate::number::shape::Shape;
use crate::signature::arg_roles::ArgRoles;
use crate::signature::param_kinds::Signature;
use crate::stack::memory_report::Parts;
use crate::stack::tape::Recorder;

/// A function and a backend, with memory for arguments of certain sizes.
#[derive(Clone)]
pub struct Prepared<F, B, S> {
    pub(crate) function: F,
    pub(crate) backend: B,
    pub(crate) shape: Shape,
    pub(crate) state: S,
}

impl<F, B, S: Recorder> Prepared<F, B, S> {
    /// What is kept between calls.
    pub(crate) fn kept(&self) -> Parts {
        let mut parts = Parts::of(&self.state);
        self.shape.kept(&mut |name, bytes| parts.add(name, bytes));
        parts
    }
}

/// What a call works with: the function, the backend, and the memory.
pub(crate) type Working<'p, F, B, S> = (&'p F, &'p B, &'p mut S);

/// The sizes of the arguments.
#[inline]
pub(crate) fn shape<G: Signature, R: ArgRoles<G>>(at: &G::At<'_>) -> Shape {
    Shape::of(|dim| R::shape(at, dim))
}

/// Whether the arguments have the sizes that were prepared for.
#[inline(always)]
pub(crate) fn fits<G: Signature, R: ArgRoles<G>>(prepared: &Shape, at: &G::At<'_>) -> bool {
    prepared.matches(|dim| R::shape(at, dim))
}

/// Refuses arguments of other sizes than those that were prepared for. Out of line, so that calls that fit have no room to make for the
/// message; and by value, so that their arguments may stay in registers. The function's type is none of this one's: rustc makes it once
/// for all functions of a signature.
#[cold]
#[inline(never)]
pub(crate) fn unfit<G: Signature, R: ArgRoles<G>, T>(
    prepared: &Shape,
    at: G::At<'_>,
    names: &[&'static str],
) -> Result<T> {
    let (argument, name, [prepared, received]) = mismatch(prepared, shape::<G, R>(&at), R::argument, names);
    Err(Error::PreparationMismatch { argument, name, prepared, received })
}

/// What a message about other sizes says. As [`Shape::beside`], out of line and no [`Error`].
#[cold]
#[inline(never)]
fn mismatch(
    prepared: &Shape,
    received: Shape,
    argument: fn(usize) -> usize,
    names: &[&'static str],
) -> (usize, Option<&'static str>, [String; 2]) {
    let argument = argument(prepared.differs_in(&received));
    let name = argument.checked_sub(1).and_then(|k| names.get(k).copied());
    (argument, name, prepared.clone().beside(received))
}

/// The sizes of the arguments, if the function can change them and what finds its derivatives does not follow.
#[inline]
pub(crate) fn before<G: Signature, R: ArgRoles<G>>(at: &G::At<'_>, follows: bool) -> Option<Shape> {
    if R::RESIZES && !follows { Some(shape::<G, R>(at)) } else { None }
}

/// What was found, if the function left its arguments as long as they were [`before`]: what is kept for them fits no others. As
/// [`unfit`], no function of the differentiated function's type.
#[inline]
pub(crate) fn unless_resized<G: Signature, R: ArgRoles<G>, T>(
    before: Option<Shape>,
    at: &G::At<'_>,
    names: &[&'static str],
    found: Result<T>,
) -> Result<T> {
    if !R::RESIZES {
        return found;
    }
    match before {
        Some(before) if !before.matches(|dim| R::shape(at, dim)) => {
            let (argument, name, [before, after]) = mismatch(&before, shape::<G, R>(at), R::argument, names);
            Err(Error::Resized { argument, name, before, after })
        }
        _ => found,
    }
}

/// The type of an operator's prepared objects: its name, the trait that bounds the backend, and the strategy whose state it holds.
macro_rules! prepared {
    ($(#[$doc:meta])* $Prep:ident: $Backend:ident, $Strategy:ident by $By:ident $(, $W:ident)?) => {
        $(#[$doc])*
        pub struct $Prep<F: Function<G>, B: $Backend<F, G, R $(, $W)?>, G: Signature, R: ArgRoles<G> $(, $W: BatchWidth = One)?> {
            pub(crate) parts: $crate::operators::preparation::Prepared<F, B, <B::$Strategy as $By<B, F, G, R $(, $W)?>>::State>,
        }

        impl<F: Function<G>, B: $Backend<F, G, R $(, $W)?>, G: Signature, R: ArgRoles<G> $(, $W: BatchWidth)?> $Prep<F, B, G, R $(, $W)?> {
            /// For many calls: has all the memory that they need. What the function overwrites stays as it is.
            pub(in crate::operators) fn new(function: F, backend: B, mut at: G::At<'_>) -> $crate::error::Result<Self> {
                let shape = $crate::operators::preparation::shape::<G, R>(&at);
                let mut state = B::$Strategy::state(&backend, &function, &mut at);
                let mut copies = G::Owns::default();
                R::save_outputs(&at, &mut copies);
                let mut aside = G::lend(&mut copies, &mut at);
                let follows = <B::$Strategy as $By<B, F, G, R $(, $W)?>>::FOLLOWS_SIZES;
                let before = $crate::operators::preparation::before::<G, R>(&aside, follows);
                let again = G::again(&mut aside);
                let warm = B::$Strategy::warm(&backend, &function, again, &mut state);
                $crate::operators::preparation::unless_resized::<G, R, _>(before, &aside, F::PARAMETERS, warm)?;
                Ok($Prep { parts: $crate::operators::preparation::Prepared { function, backend, shape, state } })
            }

            /// The function.
            pub fn function(&self) -> &F {
                &self.parts.function
            }

            /// The backend.
            pub fn backend(&self) -> &B {
                &self.parts.backend
            }

            /// The peak number of bytes that were kept for reverse sweeps in the calls so far, preparation included: of the
            /// tape when it was longest, and of the function's local arrays of numbers, which live until they are read
            /// backwards. Of recorded programs the memory that they hold. Zero, where every pass goes forward.
            pub fn tape_bytes(&self) -> usize {
                $crate::stack::tape::Recorder::tape_bytes(&self.parts.state)
            }

            /// How many bytes this object keeps for its calls. `Debug` shows the parts: seeds, copies of arguments, results on
            /// their way, the tape, patterns and colors, and what else there is.
            ///
            /// It is the memory that is held: of vectors as much as they have room for, so that this is at least
            /// [`tape_bytes`](Self::tape_bytes). Of arguments and results the numbers are counted, wherever they stand; not
            /// counted are the function and the backend, machine code, and the tapes of other packages.
            pub fn bytes(&self) -> usize {
                self.parts.kept().bytes()
            }

            /// Prepares for arguments of other sizes.
            pub fn resize<X: Args<G, R>>(&mut self, mut args: X) -> $crate::error::Result<()>
            where
                F: Clone,
            {
                let at = args.at();
                if !$crate::operators::preparation::fits::<G, R>(&self.parts.shape, &at) {
                    *self = Self::new(self.parts.function.clone(), self.parts.backend.clone(), at)?;
                }
                Ok(())
            }
        }

        impl<F: Function<G>, B: $Backend<F, G, R $(, $W)?>, G: Signature, R: ArgRoles<G> $(, $W: BatchWidth)?> std::fmt::Debug
            for $Prep<F, B, G, R $(, $W)?>
        {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($Prep))
                    .field("backend", &self.parts.backend)
                    .field("sizes", &self.parts.shape)
                    .field("cached", &self.parts.kept())
                    .field("bytes", &self.bytes())
                    .field("tape_bytes", &self.tape_bytes())
                    .finish_non_exhaustive()
            }
        }

        impl<F: Function<G> + Clone, B: $Backend<F, G, R $(, $W)?>, G: Signature, R: ArgRoles<G> $(, $W: BatchWidth)?> Clone for $Prep<F, B, G, R $(, $W)?>
        where
            <B::$Strategy as $By<B, F, G, R $(, $W)?>>::State: Clone,
        {
            fn clone(&self) -> Self {
                $Prep { parts: self.parts.clone() }
            }
        }
    };
}
pub(crate) use prepared;
