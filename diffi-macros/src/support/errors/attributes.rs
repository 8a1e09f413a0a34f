//! Messages about what stands in an attribute, and about what stands under it.

use super::code::{ErrorCode, coded};
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;

/// What stands under the attribute, if that is an item and no function.
pub fn item(tokens: &proc_macro2::TokenStream, error: syn::Error) -> syn::Error {
    use syn::Item::*;
    let (span, found) = match syn::parse2(tokens.clone()) {
        Ok(Enum(syn::ItemEnum { enum_token: syn::token::Enum { span }, .. }))
        | Ok(Struct(syn::ItemStruct { struct_token: syn::token::Struct { span }, .. })) => {
            return coded(
                ErrorCode::NotAFunction,
                span,
                "these options belong to functions; on a type, write `#[differentiable]` alone",
            );
        }
        Ok(Const(i)) => (i.const_token.span, "a constant"),
        Ok(Mod(i)) => (i.mod_token.span, "a module"),
        Ok(Static(i)) => (i.static_token.span, "a static"),
        Ok(Type(i)) => (i.type_token.span, "a type alias"),
        Ok(Union(i)) => (i.union_token.span, "a union"),
        Ok(Use(i)) => (i.use_token.span, "a `use`"),
        _ => {
            let message = format!("`#[differentiable]` stands on something that diffi cannot read: {error}");
            return coded(ErrorCode::NotAFunction, error.span(), message);
        }
    };
    let message = format!("`#[differentiable]` stands on {found}; put it on each function that is differentiated");
    coded(ErrorCode::NotAFunction, span, message)
}

const OPTIONS: &str = "`constant(..)`, `cache(..)`, `output(..)`, `pushforward = ..`, `pullback = ..`, `root_of = ..`, `fixed_point_of = ..`, `constant`, `has_aux`, `first_order`, `everywhere`, `reassociate`, `vector_math`, `handle = ..` or `dump`";

/// An argument of the attribute that is not known.
pub fn unknown_option(key: &Ident) -> syn::Error {
    let instead = match key.to_string().as_str() {
        "wrt" | "active" => "every parameter is active, and a call wraps the others in `Constant(..)`",
        "forward" | "reverse" | "mode" | "backend" => "the backend is chosen at the call: `AutoForward`, `AutoReverse`",
        "jvp" => "write `pushforward = ..`",
        "vjp" | "gradient" | "derivative" => "write `pullback = ..`",
        "const" | "constants" | "ignore" | "skip" | "passive" => "write `constant(..)`, with the names of parameters",
        "checkpoint" => "put `#[checkpoint]` on the loop",
        _ => return coded(ErrorCode::UnknownOption, key.span(), format!("unknown argument `{key}`; write {OPTIONS}")),
    };
    coded(ErrorCode::UnknownOption, key.span(), format!("unknown argument `{key}`; {instead}"))
}

/// What is no name of an option.
pub fn no_option(span: Span) -> syn::Error {
    coded(ErrorCode::UnknownOption, span, format!("this is no argument of `#[differentiable(..)]`; write {OPTIONS}"))
}

/// Two options without a comma between them, or more behind an option than it takes.
pub fn comma_wanted(span: Span) -> syn::Error {
    let message = "a comma stands between two arguments of `#[differentiable(..)]`, and nothing else stands behind one";
    coded(ErrorCode::OptionForm, span, message)
}

/// `handle`, `pullback` and others with something else than a name.
pub fn name_wanted(key: &Ident, span: Span) -> syn::Error {
    let name = if key == "handle" { "Name" } else { "name_of_a_function" };
    coded(ErrorCode::OptionForm, span, format!("`{key}` takes one name; write `{key} = {name}`"))
}

/// A trait without the attribute, of an implementation that has it.
pub fn plain_trait(name: &Ident) -> syn::Error {
    let message =
        format!("the trait `{name}` has no `#[differentiable]`, and this implementation has; put it on the trait, too");
    coded(ErrorCode::Unannotated, name.span(), message)
}

/// A second attribute on a function.
pub fn second_attribute(attribute: &syn::Attribute) -> syn::Error {
    let span = attribute.path().segments.last().map_or_else(Span::call_site, |s| s.ident.span());
    let message = "this function has a second `#[differentiable]`; write all options in one, with commas between them";
    coded(ErrorCode::NamedTwice, span, message)
}

/// An option with a value that stands twice.
pub fn option_twice(key: &Ident) -> syn::Error {
    coded(ErrorCode::NamedTwice, key.span(), format!("`{key}` is given a second time; write it once"))
}

/// A function that solves an equation, in a form whose solution cannot be differentiated.
pub fn equation(span: Span, instead: &str) -> syn::Error {
    coded(ErrorCode::Equation, span, format!("no derivative of a solution through this; {instead}"))
}

/// An `impl` of an operator that lacks its function or its `Output`, as rustc says.
pub fn incomplete_operator(span: Span) -> syn::Error {
    coded(ErrorCode::NotAFunction, span, "the operator has no function, or no `Output`")
}

/// A `return` in the body of an annotated `index`.
pub fn returned_element(span: Span) -> syn::Error {
    let message = "diffi reads the element that this function returns at its end; write it as the last expression";
    coded(ErrorCode::UnknownReference, span, message)
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

/// `cache` or `output` without names, or with something else than names.
pub fn names_wanted(key: &Ident, span: Span) -> syn::Error {
    coded(ErrorCode::NamesWanted, span, format!("`{key}` takes names of parameters; write `{key}(a, b)`"))
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

/// `every` and `snapshots` with something else than a number of iterations.
pub fn checkpoint_number(span: Span, key: &Ident) -> syn::Error {
    let message = format!("`{key}` takes a whole number above zero; write `#[checkpoint({key} = 10)]`");
    coded(ErrorCode::UnknownCheckpoint, span, message)
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

/// A field of a collection whose elements have no tangents there.
pub fn queue_in_a_field(queue: &Ident) -> syn::Error {
    let message = format!(
        "a `{queue}` in a field carries no derivative; hold a `Vec` (`push`, `remove(0)`, `first()`), or mark the field \
         `#[differentiable(constant)]` if no active value gets there"
    );
    coded(ErrorCode::UnknownField, queue.span(), message)
}

/// A field of a type without a size of its own.
pub fn field_without_size(span: Span) -> syn::Error {
    let message = "what stands here has no size of its own, and derivative code keeps copies; put it behind a `Box`, or take a type parameter";
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

/// A function that names a type of constants whose `Clone` may change them.
pub fn changing_clone(name: &Ident) -> syn::Error {
    let message = format!(
        "`{name}` is or gives a type with a `Clone` that is written by hand and may change what it copies; derivative code copies constants: \
         derive `Clone`, and give what this `clone` does another name"
    );
    coded(ErrorCode::OwnClone, name.span(), message)
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

/// An operator that is implemented for values and for references, in ways that may differ.
pub fn operator_twice(ty: &syn::Type) -> syn::Error {
    let message = "an operator of values and of references to them has one derivative, and these implementations may differ; write one of them by \
         the other, as in `*self + *other`";
    coded(ErrorCode::OperatorTwice, ty.span(), message)
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

/// A method with a body in a trait of numbers.
pub fn default_of_numbers(name: &Ident) -> syn::Error {
    let message = format!(
        "`{name}` computes with a `Self` that is some float; write it in each implementation of this trait, or take \
         `#[differentiable]` off the trait and off these: diffi reads what the methods of such traits do"
    );
    coded(ErrorCode::Unannotated, name.span(), message)
}
