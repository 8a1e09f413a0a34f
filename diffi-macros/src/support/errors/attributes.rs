//! Messages about what stands in an attribute, and about what stands under it.

use super::code::{ErrorCode, coded};
use proc_macro2::{Ident, Span};

/// What stands under the attribute, if that is an item and no function.
pub fn item(tokens: &proc_macro2::TokenStream, error: syn::Error) -> syn::Error {
    use syn::Item::*;
    let (span, found) = match syn::parse2(tokens.clone()) {
        Ok(Const(i)) => (i.const_token.span, "a constant"),
        Ok(Enum(i)) => (i.enum_token.span, "an enum"),
        Ok(Mod(i)) => (i.mod_token.span, "a module"),
        Ok(Static(i)) => (i.static_token.span, "a static"),
        Ok(Struct(i)) => (i.struct_token.span, "a struct"),
        Ok(Type(i)) => (i.type_token.span, "a type alias"),
        Ok(Union(i)) => (i.union_token.span, "a union"),
        Ok(Use(i)) => (i.use_token.span, "a `use`"),
        _ => return error,
    };
    let message = format!("`#[differentiable]` stands on {found}; put it on each function that is differentiated");
    coded(ErrorCode::NotAFunction, span, message)
}

/// An argument of the attribute that is not known.
pub fn unknown_option(key: &Ident) -> syn::Error {
    let known = "`constant(..)`, `cache(..)`, `output(..)`, `pushforward = ..`, `pullback = ..`, `root_of = ..`, `fixed_point_of = ..`, `constant`, `has_aux`, `first_order`, `everywhere`, `reassociate`, `vector_math`, `handle = ..` or `dump`";
    coded(ErrorCode::UnknownOption, key.span(), format!("unknown argument `{key}`; write {known}"))
}

/// `vector_math` without what computes several numbers at once.
pub fn vector_math_is_off(key: &Ident) -> syn::Error {
    let message =
        format!("`{key}` needs diffi's feature `vector-math`: `diffi = {{ .., features = [\"vector-math\"] }}`");
    coded(ErrorCode::VectorMathIsOff, key.span(), message)
}

/// A rule by hand beside an equation.
pub fn rule_and_equation(span: Span) -> syn::Error {
    coded(
        ErrorCode::RuleAndEquation,
        span,
        "this function has a rule and an equation; the equation alone gives its derivatives: keep one of them",
    )
}

/// An option on a block that only one function of it can have.
pub fn option_of_a_function(name: &Ident) -> syn::Error {
    let message =
        format!("`{name}` belongs to one function; write it in an attribute of that function, inside the block");
    coded(ErrorCode::OptionOfAFunction, name.span(), message)
}

/// `cache` or `output` without names.
pub fn names_wanted(key: &Ident) -> syn::Error {
    coded(ErrorCode::NamesWanted, key.span(), format!("`{key}` names no parameter; write `{key}(a, b)`"))
}

/// A parameter that the attribute names a second time.
pub fn named_twice(name: &Ident) -> syn::Error {
    let message = format!("`{name}` is named a second time; a parameter is constant, cache or output: name it once");
    coded(ErrorCode::NamedTwice, name.span(), message)
}

/// What `#[checkpoint]` does not know.
pub fn unknown_checkpoint(span: Span) -> syn::Error {
    let forms = "`#[checkpoint]`, `#[checkpoint(every = n)]` or `#[checkpoint(snapshots = n)]`";
    coded(ErrorCode::UnknownCheckpoint, span, format!("unknown checkpointing; write {forms}"))
}

/// A loop that is marked twice.
pub fn second_checkpoint(span: Span) -> syn::Error {
    coded(ErrorCode::SecondCheckpoint, span, "this loop has a second `#[checkpoint]`; write one")
}

/// A type with references in it, under the derive.
pub fn borrowed_data(span: Span) -> syn::Error {
    let message = "a type that borrows cannot own its derivative; hold the data itself (a `Vec`, a `Box`), or mark the field \
                   `#[differentiable(constant)]`";
    coded(ErrorCode::BorrowedData, span, message)
}

/// A method that returns a reference of which its text does not say where in `self` it leads.
pub fn reference_of_unknown_origin(span: Span) -> syn::Error {
    let message = "this returns a reference that diffi cannot follow to a place in `self`; end the method in a field, an element or a slice of \
                   one: `&mut self.data[i]`";
    coded(ErrorCode::UnknownReference, span, message)
}

/// A function that returns a reference, and does not say into which argument.
pub fn reference_into_several(span: Span) -> syn::Error {
    let message = "no derivative through a function that returns a reference into one of several arguments, or into one of a generic type; \
                   return the value, or an index";
    coded(ErrorCode::UnknownReference, span, message)
}

/// A method that changes `self` before it returns a reference into it.
pub fn change_before_reference(span: Span) -> syn::Error {
    let message = "this changes `self` in a method that returns a reference into it, which diffi calls to find where that leads; \
                   make the change in a method of its own";
    coded(ErrorCode::UnknownReference, span, message)
}

/// `impl Sum for ..` with another body than a fold.
pub fn total_of_a_type(span: Span, op: &Ident) -> syn::Error {
    let (name, sign) = if op == "Add" { ("sum", "+") } else { ("product", "*") };
    let message = format!(
        "no derivative through this `{name}()` of a type; make its body one fold, `items.fold(start, |{name}, item| {name} {sign} item)`, or \
         leave the attribute off this `impl`"
    );
    coded(ErrorCode::TotalOfAType, span, message)
}

/// A union under the derive.
pub fn union(span: Span) -> syn::Error {
    coded(
        ErrorCode::Union,
        span,
        "the fields of a union share their bits; write an `enum`, which says which of them is there",
    )
}

/// A field of functions.
pub fn unknown_field(span: Span) -> syn::Error {
    let message = "the derivative behind this type is unknown; take a type parameter, or mark the field `#[differentiable(constant)]`";
    coded(ErrorCode::UnknownField, span, message)
}

/// A function whose handle would hide a type of the language, or the crate.
pub fn hiding_handle(name: &Ident) -> syn::Error {
    let message = format!(
        "the handle of this function would hide `{name}` in this module; rename the function, or name the handle: \
        `#[differentiable(handle = Name)]`"
    );
    coded(ErrorCode::HidingHandle, name.span(), message)
}

/// `#[differentiable] impl Clone`.
pub fn own_clone(span: Span) -> syn::Error {
    coded(
        ErrorCode::OwnClone,
        span,
        "diffi takes clones for copies; derive `Clone`, and give what this `clone` computes another name",
    )
}

/// A tuple of numbers and others, in a container.
pub fn mixed_tuple(span: Span) -> syn::Error {
    let message = "a part of this tuple carries no derivative; make the tuple a struct that derives `Differentiable`";
    coded(ErrorCode::MixedTuple, span, message)
}

/// What may stand in the attribute of a field.
pub fn unknown_field_option(span: Span) -> syn::Error {
    coded(ErrorCode::UnknownFieldOption, span, "a field is marked `#[differentiable(constant)]`, or not at all")
}

/// A compiler that gives a derive what it has not gone through.
pub fn conditions_are_left() -> syn::Error {
    let message = "this compiler does not evaluate `#[cfg]` inside of constants, which diffi asks of it; \
                   write the conditions on whole functions, or write `if cfg!(..)`";
    coded(ErrorCode::ConditionsAreLeft, Span::call_site(), message)
}
