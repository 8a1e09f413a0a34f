//! Lines of the derivative table, parsed once.

use crate::support::hash::HashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Lines of the derivative table, parsed when they are needed for the first time, for all bodies of a function.
#[derive(Clone, Debug, Default)]
pub struct Formulas(Rc<RefCell<HashMap<&'static str, Rc<syn::Expr>>>>);

impl Formulas {
    pub fn get(&self, text: &'static str) -> Rc<syn::Expr> {
        let parsed = || Rc::new(syn::parse_str(text).expect("the derivative table parses"));
        self.0.borrow_mut().entry(text).or_insert_with(parsed).clone()
    }
}
