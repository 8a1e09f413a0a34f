//! A `Result` in derivative code: errors need no `Clone` there, for they are moved as the function moves them.

use crate::number::active::Active;
use crate::number::linear_space::LinearSpace;
use crate::stack::aggregates::{Parts, Whole};
use crate::stack::workspace::Pool;
use crate::value::option_result::{Carrier, Failing};
use crate::value::shape_only::{Like, Mold};
use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt::{self, Debug, Formatter};
use std::rc::Rc;

/// A value, or an error that copies share until one of them takes it.
pub struct Outcome<T, E>(Result<T, Rc<RefCell<Option<E>>>>);

impl<T, E> Outcome<T, E> {
    /// A result whose error can be taken.
    #[inline]
    pub(crate) fn of(result: Result<T, E>) -> Self {
        Outcome(result.map_err(|error| Rc::new(RefCell::new(Some(error)))))
    }
    /// The result, of which no copy has been made.
    pub(crate) fn into_result(self) -> Result<T, E> {
        self.0.map_err(|error| error.borrow_mut().take().expect("an error that is not taken yet"))
    }
}

impl<T: Clone, E> Clone for Outcome<T, E> {
    #[inline]
    fn clone(&self) -> Self {
        Outcome(self.0.clone())
    }
}

/// As the `Result` shows itself.
impl<T: Debug, E: Debug> Debug for Outcome<T, E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Ok(value) => f.debug_tuple("Ok").field(value).finish(),
            Err(error) => match &*error.borrow() {
                Some(error) => f.debug_tuple("Err").field(error).finish(),
                None => f.write_str("Err(_)"),
            },
        }
    }
}

impl<T, E> Carrier for Outcome<T, E> {
    type Content = T;
    #[inline]
    fn is_there(&self) -> bool {
        self.0.is_ok()
    }
    #[inline]
    fn content(&self) -> &T {
        self.0.as_ref().ok().expect("called where it is `Ok`")
    }
}

/// The error that a macro returns, which does nothing else.
pub fn error_of<E>(fails: impl FnOnce() -> Result<Infallible, E>) -> E {
    match fails() {
        Ok(never) => match never {},
        Err(error) => error,
    }
}

/// What an option has in place of an error.
#[derive(Clone, Copy, Debug)]
pub struct Absence;

/// The error that a variable holds, if it holds one.
#[derive(Debug)]
pub struct Failure<E>(RefCell<Option<E>>);

impl<E> Failure<E> {
    /// No error.
    #[inline]
    pub fn none() -> Self {
        Failure(RefCell::new(None))
    }
    /// This error.
    pub fn of(error: E) -> Self {
        Failure(RefCell::new(Some(error)))
    }
    /// The error, which is what the function returns.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn returned(self) -> E {
        self.0.into_inner().expect("an error where there is no value")
    }
}

/// What may stand in place of a value: `Fault(&outcome).failure()`.
#[derive(Debug)]
pub struct Fault<'v, T>(pub &'v T);

impl<T, E> Fault<'_, Outcome<T, E>> {
    /// What is asked of the error, which stays where it is.
    pub fn seen<R>(self, look: impl FnOnce(&E) -> R) -> R {
        let error = self.0.0.as_ref().err().expect("called where it is `Err`");
        look(error.borrow().as_ref().expect("an error that is not taken yet"))
    }
}

impl<E> Fault<'_, Failure<E>> {
    /// What is asked of the error, which stays where it is.
    pub fn seen<R>(self, look: impl FnOnce(&E) -> R) -> R {
        look(self.0.0.borrow().as_ref().expect("an error where there is no value"))
    }
}

/// An error that can be copied is. Being inherent, this comes before [`Taken`].
impl<T, E: Clone> Fault<'_, Outcome<T, E>> {
    /// The error.
    ///
    /// # Panics
    ///
    /// If the value is there.
    pub fn failure(self) -> E {
        let error = self.0.0.as_ref().err().expect("called where it is `Err`");
        error.borrow().clone().expect("an error that can be copied is not taken")
    }
}

/// The error of a variable.
impl<E: Clone> Fault<'_, Failure<E>> {
    /// The error.
    ///
    /// # Panics
    ///
    /// If the value is there.
    pub fn failure(self) -> E {
        self.0.0.borrow().clone().expect("an error where there is no value")
    }
}

/// Other errors are moved, once, as the function moves them.
pub trait Taken {
    /// The error; of an option, its absence.
    type Error;
    /// The error.
    ///
    /// # Panics
    ///
    /// If the value is there.
    fn failure(self) -> Self::Error;
}

impl<T, E> Taken for Fault<'_, Outcome<T, E>> {
    type Error = E;
    fn failure(self) -> E {
        let error = self.0.0.as_ref().err().expect("called where it is `Err`");
        error.borrow_mut().take().expect("an error that is moved once")
    }
}

impl<E> Taken for Fault<'_, Failure<E>> {
    type Error = E;
    fn failure(self) -> E {
        self.0.0.borrow_mut().take().expect("an error where there is no value")
    }
}

impl<T> Taken for Fault<'_, Option<T>> {
    type Error = Absence;
    fn failure(self) -> Absence {
        assert!(self.0.is_none(), "called where it is `None`");
        Absence
    }
}

/// A content, if it is there, beside what may hold an error: an option or a result, as passive code sees it whole.
#[derive(Debug)]
pub struct Rejoined<'v, T, F>(pub Option<T>, pub &'v F);

impl<T, S> Rejoined<'_, T, Option<S>> {
    /// The option.
    #[inline]
    pub fn whole(self) -> Option<T> {
        self.0
    }
}

impl<T, S, E: Clone> Rejoined<'_, T, Outcome<S, E>> {
    /// The result.
    pub fn whole(self) -> Result<T, E> {
        self.0.ok_or_else(|| Fault(self.1).failure())
    }
}

/// The variable of an option has no error.
impl<T> Rejoined<'_, T, Failure<Absence>> {
    /// The option.
    #[inline]
    pub fn whole(self) -> Option<T> {
        self.0
    }
}

/// The variable of a result. Being a trait's, this comes after that of an option.
pub trait RejoinedResult {
    /// The result.
    type Whole;
    /// The result.
    fn whole(self) -> Self::Whole;
}

impl<T, E: Clone> RejoinedResult for Rejoined<'_, T, Failure<E>> {
    type Whole = Result<T, E>;
    fn whole(self) -> Result<T, E> {
        self.0.ok_or_else(|| Fault(self.1).failure())
    }
}

impl<T, E> Failing for Outcome<T, E> {
    type Error = E;
}

/// The tangent is that of the value, if there is one: an error has none.
impl<T: Active, E: 'static> Active for Outcome<T, E> {
    type Base = T::Base;
    type Tangent<A: LinearSpace<T::Base>> = Option<T::Tangent<A>>;
    const FIXED: bool = false;

    #[inline]
    fn zeros<A: LinearSpace<T::Base>>(&self, pool: &mut Pool<A>) -> Option<T::Tangent<A>> {
        self.0.as_ref().ok().map(|v| v.zeros(pool))
    }
    #[inline]
    fn empty<A: LinearSpace<T::Base>>() -> Option<T::Tangent<A>> {
        <Option<T> as Active>::empty()
    }
    #[inline]
    fn release<A: LinearSpace<T::Base>>(t: Option<T::Tangent<A>>, pool: &mut Pool<A>) {
        <Option<T> as Active>::release(t, pool);
    }
    #[inline]
    fn copied(&self, pool: &mut Pool<T::Base>) -> Self {
        Outcome(match &self.0 {
            Ok(value) => Ok(value.copied(pool)),
            Err(error) => Err(Rc::clone(error)),
        })
    }
    #[inline]
    fn has_constants_of(&self, other: &Self, otherwise: bool) -> bool {
        self.0.iter().zip(other.0.iter()).all(|(a, b)| a.has_constants_of(b, otherwise))
    }
    #[inline]
    fn shape(&self, dim: &mut dyn FnMut(usize)) {
        dim(usize::from(self.0.is_ok()));
        self.0.iter().for_each(|v| v.shape(dim));
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(T::Base)) {
        self.0.iter().for_each(|v| v.each(f));
    }
    #[inline]
    fn each_mut(&mut self, f: &mut impl FnMut(&mut T::Base)) {
        self.0.iter_mut().for_each(|v| v.each_mut(f));
    }
    #[inline]
    fn is_absent(&self) -> bool {
        self.0.is_err()
    }
}

/// The shadow is that of an option, and so no error has to be kept. Being inherent, this comes before [`Molded`](crate::value::shape_only::Molded).
impl<T: Active, E> Like<'_, Outcome<T, E>> {
    /// The shape.
    #[inline]
    pub fn mold(self, pool: &mut Pool<T::Base>) -> Mold<Option<T>> {
        Mold::of_value(self.0.0.as_ref().ok().map(|value| value.copied(pool)))
    }
}

/// A result for whose derivative nothing asks.
impl<T: Active, E> Like<'_, Result<T, E>> {
    /// The shape.
    #[inline]
    pub fn mold(self, pool: &mut Pool<T::Base>) -> Mold<Option<T>> {
        Mold::of_value(self.0.as_ref().ok().map(|value| value.copied(pool)))
    }
}

/// The value, if there is one: no reverse sweep asks what the error was.
impl<F: Copy, T: Whole<F>, E> Whole<F> for Outcome<T, E> {
    #[inline]
    fn save(&self, parts: &mut Parts<'_, F>) {
        self.0.iter().for_each(|v| v.save(parts));
        parts.push_len(usize::from(self.0.is_ok()));
    }
    #[inline]
    fn restore(parts: &mut Parts<'_, F>) -> Self {
        match parts.pop_len() {
            1 => Outcome(Ok(T::restore(parts))),
            _ => Outcome(Err(Rc::default())),
        }
    }
    #[inline]
    fn blank() -> Self {
        Outcome(Ok(T::blank()))
    }
}
