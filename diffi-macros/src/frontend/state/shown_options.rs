//! Options and results as tokens of the types that the user saw, where passive code reads them whole: `a < b`, `{a:?}`, `matches!(a, Some(v) if ..)`.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Failure, Maybe, Value};
use crate::ir::affine::gathered;
use crate::ir::*;
use proc_macro2::{Span, TokenStream};
use quote::quote;

impl Lower {
    /// The whole option or result.
    pub fn show_maybe(&self, maybe: &Maybe, span: Span) -> PassiveCode {
        let content = self.shown_content(maybe, span);
        let (present, some) = (&maybe.present, &content.tokens);
        let written = |there: TokenStream, absent: TokenStream| match (maybe.known(), &present.tokens) {
            (Some(false), _) => absent,
            (Some(true), _) => quote!(#there(#some)),
            (None, present) => quote!((if #present { #there(#some) } else { #absent })),
        };
        let (tokens, error) = match &maybe.failure {
            None => (written(quote!(Some), quote!(None)), None),
            Some(Failure::Is(error) | Failure::Active(error)) => {
                let e = &error.tokens;
                (written(quote!(Ok), quote!(Err(#e))), Some(error.clone()))
            }
            Some(Failure::Never(ty)) => {
                let ty = ty.as_ref().map(|ty| quote!(::<_, #ty>));
                (written(quote!(::core::result::Result::Ok #ty), quote!(::core::unreachable!())), None)
            }
            Some(Failure::Of(holder)) => (rejoined(written(quote!(Some), quote!(None)), holder), Some(holder.clone())),
            Some(Failure::Cell(var)) => {
                let holder = PassiveCode::var(*var, self.info(*var));
                (rejoined(written(quote!(Some), quote!(None)), &holder), Some(holder))
            }
        };
        gathered(tokens, [present, &content].into_iter().chain(&error), span)
    }

    /// What it holds. Where that takes statements, the next round computes it where the option is named.
    fn shown_content(&self, maybe: &Maybe, span: Span) -> PassiveCode {
        let mut trial = self.trial();
        let content = (maybe.content)(&mut trial);
        let shown = trial.show(&content, span);
        if self.is_of_statements(&shown) {
            self.found_whole.borrow_mut().extend(maybe.name.clone());
        }
        let shown = if trial.holds_list(&content) { shown.map(|t| quote!((#t).clone())) } else { shown };
        self.outside(&trial, shown)
    }

    /// Whether showing a value by name would move a list out of it.
    fn holds_list(&self, value: &Value) -> bool {
        match value {
            Value::Active(a) => a.refs.depth == 0 && matches!(self.ty_of(&a.place), Ty::Vec(_)),
            Value::Tuple(all) => all.iter().any(|v| self.holds_list(v)),
            _ => false,
        }
    }

    /// Whether what an option holds takes statements to compute.
    pub fn needs_statements(&self, maybe: &Maybe) -> bool {
        let mut trial = self.trial();
        let content = (maybe.content)(&mut trial);
        self.is_of_statements(&trial.show(&content, Span::call_site()))
    }

    /// Whether an `Option` may hold an active value.
    pub fn may_hold_active(&self, maybe: &Maybe) -> bool {
        let mut trial = self.trial();
        (maybe.content)(&mut trial).is_active()
    }
}

/// An option that becomes a result where its error is one of a result: only rustc knows.
fn rejoined(option: TokenStream, holder: &PassiveCode) -> TokenStream {
    let holder = &holder.tokens;
    quote!({ use __d::RejoinedResult as _; __d::Rejoined(#option, &#holder).whole() })
}
