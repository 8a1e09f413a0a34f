//! rustc's messages for methods and associated functions without derivative code.

use crate::frontend::arrays::user_elements::is_element;
use crate::frontend::lower::calls::OF_OBJECT;
use crate::support::errors::ErrorCode;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// rustc's message for a method or an associated function without derivative code.
pub fn unannotated(name: &Ident) -> TokenStream {
    let plain = name.to_string();
    let plain = plain.trim_start_matches("r#");
    let (known, fallback) = (format_ident!("{plain}__known"), format_ident!("{plain}__fallback"));
    let (unasked, reads) = (format_ident!("{plain}__unasked"), format_ident!("{plain}__reads"));
    let products = ["push", "pull", "pull_push"];
    let functions =
        products.iter().flat_map(|product| [format!("{plain}__{product}"), format!("{plain}__{product}_mut")]);
    let functions = functions.map(|function| Ident::new(&function, Span::call_site()));
    let annotated = format_ident!("{plain}__annotated");
    let Unknown { message, label, notes } = Unknown::of(name, plain);
    quote! {
        #[diagnostic::on_unimplemented(message = #message, label = #label, #(note = #notes),*)]
        trait #known {}
        trait #fallback {
            fn #annotated(&self) -> &Self { self }
            #(fn #functions(&self) {})*
        }
        impl<T: #known + ?::core::marker::Sized> #fallback for T {}
        trait #unasked { fn #reads<Given>(&self, _: Given) -> __d::These<{ ::core::primitive::u64::MAX }> { __d::These } }
        impl<T: ?::core::marker::Sized> #unasked for T {}
    }
}

/// The words about a function whose derivative is not known.
struct Unknown {
    message: String,
    label: &'static str,
    notes: Vec<String>,
}

impl Unknown {
    fn of(name: &Ident, plain: &str) -> Self {
        match plain.strip_suffix(OF_OBJECT) {
            Some(method) => Unknown::object(method),
            None if is_element(name) => Unknown::element(),
            None => Unknown::function(plain),
        }
    }

    fn function(plain: &str) -> Self {
        Unknown {
            message: format!(
                "`{plain}` of `{{Self}}` is called with active values, and diffi does not know its derivative [{}]",
                ErrorCode::Unannotated
            ),
            label: "no derivative is known of this function",
            notes: vec![
                format!(
                    "put `#[differentiable]` on the `impl` block or the trait that defines `{plain}`, or give it a rule there"
                ),
                format!("if its value is an integer, write so: `({plain}(..) as usize)`"),
                format!("if `{plain}` takes `&mut self` and its value is used, write `Type::{plain}(&mut x, ..)`"),
            ],
        }
    }

    fn object(plain: &str) -> Self {
        Unknown {
            message: format!(
                "`{plain}` of the object `{{Self}}` is called with active values, and diffi does not know its derivative [{}]",
                ErrorCode::Unannotated
            ),
            label: "no derivative is known of this method",
            notes: vec![
                format!("put `#[differentiable]` on the trait that defines `{plain}`, and on its `impl` blocks"),
                "objects have derivatives of methods `&self` that take `f64`, `&[f64]`, `[f64; N]`, integers and `bool`s, and give `f64` or `[f64; N]`; for others take a generic parameter, `m: &M` with `M: Trait`"
                    .to_owned(),
            ],
        }
    }

    fn element() -> Self {
        Unknown {
            message: format!(
                "an element of `{{Self}}` is active, and diffi does not know where `{{Self}}` holds it [{}]",
                ErrorCode::Unannotated
            ),
            label: "no derivative is known of this element",
            notes: vec!["put `#[differentiable]` on the `impl Index` and the `impl IndexMut`".to_owned()],
        }
    }
}
