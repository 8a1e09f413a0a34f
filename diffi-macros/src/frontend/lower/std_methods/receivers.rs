//! Receivers of questions: types of std with all that they hold left open.

use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeSet;
use std::iter::repeat_n;

/// A receiver of a question.
pub struct Receiver {
    /// Code that makes it, and says at the end of which type it is.
    pub made: TokenStream,
    /// This type, of which nothing is open.
    pub closed: TokenStream,
}

impl Receiver {
    /// One of a type of which nothing is open.
    pub fn of(ty: TokenStream) -> Self {
        Receiver::open(&ty, ty.clone())
    }

    /// One of an open type.
    fn open(ty: &TokenStream, closed: TokenStream) -> Self {
        Receiver { made: quote!(__d::receiver::<#ty>()), closed }
    }

    /// Whether it is a reference.
    pub fn is_reference(&self) -> bool {
        self.closed.to_string().starts_with('&')
    }
}

/// A float behind a reference.
pub fn reference_to(float: &TokenStream) -> Receiver {
    Receiver::of(quote!(&#float))
}

/// A vector.
pub fn vec() -> Receiver {
    Receiver::open(&quote!(::std::vec::Vec<_>), quote!(::std::vec::Vec<f64>))
}

/// An array of any length.
pub fn array() -> Receiver {
    Receiver { made: quote!(__d::receiving_array()), closed: quote!([f64; 1]) }
}

/// A queue.
pub fn queue() -> Receiver {
    let queue = quote!(::std::collections::VecDeque);
    Receiver::open(&quote!(#queue<_>), quote!(#queue<f64>))
}

/// A tuple of so many members.
pub fn tuple(members: usize) -> Receiver {
    let (open, closed) = (repeat_n(quote!(_), members), repeat_n(quote!(f64), members));
    Receiver::open(&quote!((#(#open,)*)), quote!((#(#closed,)*)))
}

/// A slice, behind a reference.
pub fn slice() -> Receiver {
    Receiver::open(&quote!(&[_]), quote!(&[f64]))
}

/// An option and a result, or references to them.
pub fn options(lent: bool) -> [Receiver; 2] {
    let by = lent.then(|| quote!(&));
    let (option, result) = (quote!(#by ::core::option::Option), quote!(#by ::core::result::Result));
    [
        Receiver::open(&quote!(#option<_>), quote!(#option<f64>)),
        Receiver::open(&quote!(#result<_, _>), quote!(#result<f64, ()>)),
    ]
}

/// Iterators by the methods that make them: their types, of which all is open that they hold, and of which nothing is.
const ITERATORS: &[(&[&str], &str, &str)] = &[
    (&["iter"], "::core::slice::Iter<'_, _>", "::core::slice::Iter<'_, f64>"),
    (&["iter_mut"], "::core::slice::IterMut<'_, _>", "::core::slice::IterMut<'_, f64>"),
    (&["into_iter"], "::std::vec::IntoIter<_>", "::std::vec::IntoIter<f64>"),
    (&["into_iter"], "::core::option::IntoIter<_>", "::core::option::IntoIter<f64>"),
    (&[], "::core::ops::Range<_>", "::core::ops::Range<usize>"),
    (&["windows"], "::core::slice::Windows<'_, _>", "::core::slice::Windows<'_, f64>"),
    (&["chunks"], "::core::slice::Chunks<'_, _>", "::core::slice::Chunks<'_, f64>"),
    (&["chunks_exact"], "::core::slice::ChunksExact<'_, _>", "::core::slice::ChunksExact<'_, f64>"),
    (&["drain"], "::std::vec::Drain<'_, _>", "::std::vec::Drain<'_, f64>"),
    (&["map"], "::core::iter::Map<_, _>", "::core::iter::Map<(), ()>"),
    (&["filter"], "::core::iter::Filter<_, _>", "::core::iter::Filter<(), ()>"),
    (&["filter_map"], "::core::iter::FilterMap<_, _>", "::core::iter::FilterMap<(), ()>"),
    (&["enumerate"], "::core::iter::Enumerate<_>", "::core::iter::Enumerate<()>"),
    (&["zip"], "::core::iter::Zip<_, _>", "::core::iter::Zip<(), ()>"),
    (&["rev"], "::core::iter::Rev<_>", "::core::iter::Rev<()>"),
    (&["skip"], "::core::iter::Skip<_>", "::core::iter::Skip<()>"),
    (&["take"], "::core::iter::Take<_>", "::core::iter::Take<()>"),
    (&["step_by"], "::core::iter::StepBy<_>", "::core::iter::StepBy<()>"),
    (&["chain"], "::core::iter::Chain<_, _>", "::core::iter::Chain<(), ()>"),
    (&["copied"], "::core::iter::Copied<_>", "::core::iter::Copied<()>"),
    (&["cloned"], "::core::iter::Cloned<_>", "::core::iter::Cloned<()>"),
    (&["inspect"], "::core::iter::Inspect<_, _>", "::core::iter::Inspect<(), ()>"),
    (&["take_while"], "::core::iter::TakeWhile<_, _>", "::core::iter::TakeWhile<(), ()>"),
    (&["skip_while"], "::core::iter::SkipWhile<_, _>", "::core::iter::SkipWhile<(), ()>"),
    (&["cycle"], "::core::iter::Cycle<_>", "::core::iter::Cycle<()>"),
    (&["fuse"], "::core::iter::Fuse<_>", "::core::iter::Fuse<()>"),
    (&["peekable"], "::core::iter::Peekable<_>", "::core::iter::Peekable<::core::option::IntoIter<f64>>"),
    (&["scan"], "::core::iter::Scan<_, _, _>", "::core::iter::Scan<(), (), ()>"),
    (&["map_while"], "::core::iter::MapWhile<_, _>", "::core::iter::MapWhile<(), ()>"),
];

/// The iterators that these methods make.
pub fn iterators(methods: &BTreeSet<String>) -> Vec<Receiver> {
    let rows = ITERATORS.iter().filter(|(by, ..)| by.iter().all(|name| methods.contains(*name)));
    let parsed = |ty: &str| ty.parse::<TokenStream>().expect("a type of the table");
    rows.map(|(_, open, closed)| Receiver::open(&parsed(open), parsed(closed))).collect()
}
