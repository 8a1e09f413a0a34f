//! How fields are kept on the tape: by their numbers, or, constant ones of types that diffi does not know, as rustc finds.

use super::Derived;
use super::clones::checked_where_by_hand;
use super::fields::{Field, Fields, Part, mentions};
use crate::frontend::projections::field_types::name_of;
use crate::frontend::syntax::enum_types::{empty_variant, has_no_floats};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit::Visit;

impl Derived<'_> {
    /// Whether the field carries no derivative, and its type may not be made of numbers: `kind: Kind`.
    pub fn is_foreign(&self, field: &Field) -> bool {
        let generic = self.generics.type_params().any(|p| mentions(&field.ty, &p.ident));
        let is_asked = matches!(field.part, Part::Asked(_));
        (field.is_constant || is_asked || names_an_enum(field.ty.to_token_stream()))
            && !generic
            && !mentions(&field.ty, self.name)
            && names_a_type(&field.ty)
    }

    /// Pushes a field: `place` is a reference to it.
    pub fn saved(&self, field: &Field, place: &TokenStream) -> TokenStream {
        let ty = field.asked_type();
        match self.is_foreign(field) {
            true => {
                let check = checked_where_by_hand(&ty, place);
                quote!({
                    use __d::KeepPart as _;
                    #check
                    (&&&&&__d::Kin::<#ty>::new()).keep_part(#place, parts);
                })
            }
            false => quote!(__d::Whole::save(#place, parts);),
        }
    }

    /// Pops it.
    pub fn popped(&self, field: &Field) -> TokenStream {
        let ty = field.asked_type();
        match self.is_foreign(field) {
            true => quote!({
                use __d::KeepPart as _;
                (&&&&&__d::Kin::<#ty>::new()).restore_part(parts)
            }),
            false => quote!(__d::Whole::restore(parts)),
        }
    }

    /// Some value of its type.
    pub fn blank_field(&self, field: &Field) -> TokenStream {
        if let Some(variant) = name_of(&field.ty).filter(|_| self.is_foreign(field)).and_then(some_variant) {
            return variant;
        }
        let ty = field.asked_type();
        match self.is_foreign(field) {
            true => quote!({
                use __d::BlankPart as _;
                (&&__d::Kin::<#ty>::new()).blank_part(::core::marker::PhantomData::<__F>)
            }),
            false => quote!(__d::Whole::<__F>::blank()),
        }
    }
}

/// Values in one frame.
impl Derived<'_> {
    /// The width of a value, and how it is written and read.
    pub fn frame(&self, fields: &Fields) -> TokenStream {
        let widths = fields.all.iter().map(|f| self.width(f));
        let writes = fields.all.iter().map(|f| self.written_to_frame(f));
        let values: Vec<TokenStream> = fields.all.iter().map(|f| self.read_from_frame(f)).collect();
        let made = fields.written(&values);
        quote! {
            const WIDTH: ::core::option::Option<__d::Width> = __d::Width::of(&[#(#widths),*]);
            #[inline]
            fn write(&self, frame: &mut __d::FrameWriter<'_, __F>) { #(#writes)* }
            #[inline]
            fn read(frame: &mut __d::FrameReader<'_, __F>) -> Self { Self #made }
        }
    }

    fn width(&self, field: &Field) -> TokenStream {
        let ty = field.asked_type();
        match self.is_foreign(field) {
            true => quote!({
                use __d::NoWidth as _;
                __d::WidthOf::<#ty, __F>::WIDTH
            }),
            false => quote!(<#ty as __d::Whole<__F>>::WIDTH),
        }
    }

    fn written_to_frame(&self, field: &Field) -> TokenStream {
        let (ty, member) = (field.asked_type(), &field.member);
        match self.is_foreign(field) {
            true => quote!({
                use __d::RecordPart as _;
                (&&__d::Kin::<#ty>::new()).write_part(&self.#member, frame);
            }),
            false => quote!(__d::Whole::write(&self.#member, frame);),
        }
    }

    fn read_from_frame(&self, field: &Field) -> TokenStream {
        let ty = field.asked_type();
        match self.is_foreign(field) {
            true => quote!({
                use __d::RecordPart as _;
                (&&__d::Kin::<#ty>::new()).read_part(frame)
            }),
            false => quote!(__d::Whole::read(frame)),
        }
    }
}

impl Derived<'_> {
    /// Some value in place of one that is not read again: there is none where only rustc knows how a field is kept.
    pub fn unread(&self, fields: &Fields) -> TokenStream {
        if fields.all.iter().any(|field| !matches!(field.part, Part::Asked(_)) && self.is_foreign(field)) {
            return quote!(::core::option::Option::None);
        }
        let one = |field: &Field| {
            let ty = field.asked_type();
            match self.is_foreign(field) {
                true => quote!({
                    use __d::UnreadPart as _;
                    (&&__d::Kin::<#ty>::new()).unread_part(::core::marker::PhantomData::<__F>)?
                }),
                false => quote!(__d::Whole::<__F>::unread()?),
            }
        };
        let values: Vec<TokenStream> = fields.all.iter().map(one).collect();
        let written = fields.written(&values);
        quote!(::core::option::Option::Some(Self #written))
    }
}

/// Whether a type is written with the name of an enum without floats.
fn names_an_enum(ty: TokenStream) -> bool {
    ty.into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => has_no_floats(&name.to_string()),
        TokenTree::Group(inner) => names_an_enum(inner.stream()),
        _ => false,
    })
}

/// A variant of an enum that may have no `Default`.
fn some_variant(name: &Ident) -> Option<TokenStream> {
    let variant = Ident::new(&empty_variant(&name.to_string())?, name.span());
    Some(quote!(#name::#variant))
}

/// Whether a type is made of more than std's numbers and containers.
fn names_a_type(ty: &syn::Type) -> bool {
    const KNOWN: &[&str] = &["Vec", "Option", "Box", "String", "PhantomData"];
    struct Names(bool);
    impl<'t> Visit<'t> for Names {
        fn visit_path_segment(&mut self, segment: &'t syn::PathSegment) {
            let name = segment.ident.to_string();
            self.0 |= name.starts_with(char::is_uppercase) && !KNOWN.contains(&&name[..]);
            syn::visit::visit_path_segment(self, segment);
        }
    }
    let mut names = Names(false);
    names.visit_type(ty);
    names.0
}
