//! Products of Jacobians by diffi, as the closures that the builder of `diffsol` takes.
//!
//! A right-hand side is a function `fn(x: &[f64], p: &[f64], t: f64, y: &mut [f64])`, and so are outputs, roots and resets. An initial value is
//! one, too, of an empty state.
//!
//! | builder | closures |
//! |---|---|
//! | `rhs_implicit`, `out_implicit` | [`value`](Equation::value), [`jvp`](Equation::jvp) |
//! | `rhs_sens_implicit`, `out_sens_implicit`, .. | these, and [`sens`](Equation::sens) |
//! | `rhs_adjoint_implicit`, `out_adjoint_implicit`, .. | `value`, `jvp`, [`minus_vjp`](Equation::minus_vjp), [`minus_sens_vjp`](Equation::minus_sens_vjp) |
//! | `init`, `init_sens` | [`initial`](Equation::initial), [`initial_sens`](Equation::initial_sens) |
//! | `init_adjoint` | `initial`, [`minus_initial_sens_vjp`](Equation::minus_initial_sens_vjp) |
//!
//! diffsol's adjoint takes the *negative* of each transposed product, which is in the names here.
//!
#![doc = include_str!("../example.md")]
#![forbid(unsafe_code)]

use diffi_adapter::{Point, System};
use std::cell::RefCell;
use std::rc::Rc;

/// A system whose closures share its prepared derivatives.
///
/// # Panics
///
/// The closures panic where diffi reports an error: a state or parameters of another length than at first.
pub struct Equation<S> {
    system: Rc<RefCell<S>>,
}

impl<S> Clone for Equation<S> {
    fn clone(&self) -> Self {
        Equation { system: Rc::clone(&self.system) }
    }
}

/// The closure of a product with a vector `v`, perhaps negated.
macro_rules! product {
    ($self:ident.$product:ident) => {
        product!($self.$product, |_y: &mut [f64]| ())
    };
    (-$self:ident.$product:ident) => {
        product!($self.$product, |y: &mut [f64]| y.iter_mut().for_each(|y| *y = -*y))
    };
    ($self:ident.$product:ident, $sign:expr) => {{
        let system = Rc::clone(&$self.system);
        move |x: &[f64], p: &[f64], t: f64, v: &[f64], y: &mut [f64]| {
            let found = system.borrow_mut().$product(Point { x, p, t }, v, y);
            found.expect("state and parameters keep their lengths");
            $sign(y);
        }
    }};
}

impl<S: System> Equation<S> {
    /// Of a system.
    pub fn new(system: S) -> Self {
        Equation { system: Rc::new(RefCell::new(system)) }
    }

    /// The value `f(x, p, t)`.
    pub fn value(&self) -> impl Fn(&[f64], &[f64], f64, &mut [f64]) + Clone + use<S> {
        let system = Rc::clone(&self.system);
        move |x: &[f64], p: &[f64], t: f64, y: &mut [f64]| system.borrow_mut().value(Point { x, p, t }, y)
    }

    /// `∂f/∂x v`.
    pub fn jvp(&self) -> impl Fn(&[f64], &[f64], f64, &[f64], &mut [f64]) + Clone + use<S> {
        product!(self.jvp)
    }

    /// `∂f/∂p v`.
    pub fn sens(&self) -> impl Fn(&[f64], &[f64], f64, &[f64], &mut [f64]) + Clone + use<S> {
        product!(self.parameter_jvp)
    }

    /// `-(∂f/∂x)ᵀ v`.
    pub fn minus_vjp(&self) -> impl Fn(&[f64], &[f64], f64, &[f64], &mut [f64]) + Clone + use<S> {
        product!(-self.vjp)
    }

    /// `-(∂f/∂p)ᵀ v`.
    pub fn minus_sens_vjp(&self) -> impl Fn(&[f64], &[f64], f64, &[f64], &mut [f64]) + Clone + use<S> {
        product!(-self.parameter_vjp)
    }

    /// The value of an initial value, `f(p, t)`.
    pub fn initial(&self) -> impl Fn(&[f64], f64, &mut [f64]) + Clone + use<S> {
        let value = self.value();
        move |p: &[f64], t: f64, y: &mut [f64]| value(&[], p, t, y)
    }

    /// `∂f/∂p v` of an initial value.
    pub fn initial_sens(&self) -> impl Fn(&[f64], f64, &[f64], &mut [f64]) + Clone + use<S> {
        let product = self.sens();
        move |p: &[f64], t: f64, v: &[f64], y: &mut [f64]| product(&[], p, t, v, y)
    }

    /// `-(∂f/∂p)ᵀ v` of an initial value.
    pub fn minus_initial_sens_vjp(&self) -> impl Fn(&[f64], f64, &[f64], &mut [f64]) + Clone + use<S> {
        let product = self.minus_sens_vjp();
        move |p: &[f64], t: f64, v: &[f64], y: &mut [f64]| product(&[], p, t, v, y)
    }
}
