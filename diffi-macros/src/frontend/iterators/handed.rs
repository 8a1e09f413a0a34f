//! Chains that calls are handed: the callee walks over a list of the elements, as it would over the chain itself.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Value};
use crate::ir::*;
use proc_macro2::Span;
use quote::quote;
use std::cell::Cell;
use std::rc::Rc;

impl Lower {
    /// An iterator as an argument.
    pub fn listed(&mut self, chain: Rc<Chain>, span: Span) -> CallArg {
        if chain.is_endless() {
            let instead = "bound it here, by `take(..)` or `zip(..)`";
            self.errors.unsupported(span, "an iterator without an end, handed to another function", instead);
            return CallArg::Passive(PassiveCode::literal(quote!(())));
        }
        let referring = Rc::new(Cell::new(false));
        let noted = Rc::clone(&referring);
        let chain = self.copy_of_cursor((*chain).clone()).mapped(move |_, item| {
            noted.set(item.refs().depth > 0);
            item
        });
        let list = self.collect(chain, None, span);
        let references = referring.get();
        match list {
            Value::Active(list) => {
                let seen = if references { ViewForm::Elements } else { ViewForm::Copies };
                self.info_mut(list.place.root).seen = seen;
                CallArg::Ref(list.place)
            }
            list => CallArg::Passive(self.show(&list, span).map(|list| match references {
                true => quote!(#list.iter()),
                false => quote!(#list.iter().cloned()),
            })),
        }
    }
}
