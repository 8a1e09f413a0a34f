//! The README and the chapters of the book, whose code documentation tests run.

#[doc = include_str!("../../README.md")]
pub mod readme {}

/// A module for each chapter that has code.
macro_rules! chapters {
    ($($name:ident $file:literal)+) => { $(
        #[doc = include_str!(concat!("../../book/src/", $file))]
        pub mod $name {}
    )+ };
}
chapters! {
    introduction "introduction.md"
    quickstart "quickstart.md"
    fit "tutorials/fit.md"
    stiff "tutorials/stiff.md"
    posterior "tutorials/posterior.md"
    network "tutorials/network.md"
    newton "tutorials/newton.md"
    simulation "tutorials/simulation.md"
    howto "howto.md"
    implicit "implicit.md"
    special "special.md"
    sparse "sparse.md"
    speed "speed.md"
    errors "errors.md"
    faq "faq.md"
}
