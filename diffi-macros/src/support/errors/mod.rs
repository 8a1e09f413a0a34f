//! Every message: where, what was found, and what to write instead.
//!
//! Errors are collected while a function is lowered, and reported together.

mod attributes;
mod code;

pub use attributes::*;
pub use code::ErrorCode;
use code::coded;
use proc_macro2::{Ident, Span};

/// The errors of one function.
#[derive(Default)]
pub struct Errors {
    found: Vec<syn::Error>,
}

impl Errors {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Those of a part, too.
    pub fn extend(&mut self, part: Errors) {
        self.found.extend(part.found);
    }

    /// All of them in one, if there are any.
    pub fn finish(self) -> syn::Result<()> {
        let mut all = self.found.into_iter();
        let Some(mut first) = all.next() else { return Ok(()) };
        all.for_each(|e| first.combine(e));
        Err(first)
    }

    /// An error that was found elsewhere.
    pub fn push(&mut self, error: syn::Error) {
        self.found.push(error);
    }

    fn add(&mut self, code: ErrorCode, span: Span, message: String) {
        let text = |e: &syn::Error| (e.to_string(), format!("{:?}", e.span()));
        let new = coded(code, span, message);
        if !self.found.iter().any(|e| text(e) == text(&new)) {
            self.found.push(new);
        }
    }

    /// An active value is stored where no derivative can be kept.
    pub fn passive_target(&mut self, span: Span, name: &str) {
        self.add(
            ErrorCode::PassiveTarget,
            span,
            format!(
                "an active value is stored in `{name}`, which carries no derivative; \
             take `{name}` out of `constant(..)`, or give it a float type"
            ),
        );
    }

    /// An active value is stored in a part of an active value that carries no derivative.
    pub fn passive_part(&mut self, span: Span) {
        let message = "an active value is stored in a part that carries no derivative: its struct declares the field \
                       `#[differentiable(constant)]`, or its type holds no number; take the attribute off the field";
        self.add(ErrorCode::PassiveTarget, span, message.into());
    }

    /// A constant field is passed to be changed.
    pub fn lent_constant(&mut self, span: Span) {
        let message = "this field is declared `#[differentiable(constant)]`, and the call may store an active value in it; take the \
                       attribute off the field, or pass a copy of its value";
        self.add(ErrorCode::PassiveTarget, span, message.into());
    }

    /// An active value is stored in a variable whose declared type holds no number with a derivative.
    pub fn passive_type(&mut self, span: Span, name: &str) {
        let message = format!(
            "an active value is stored in `{name}`, and diffi follows no derivative through its type; \
             keep the numbers in an array or a `Vec`, and in `{name}` their indices"
        );
        self.add(ErrorCode::PassiveTarget, span, message);
    }

    /// `#[cfg]` in the arguments of a macro.
    pub fn condition_in_a_macro(&mut self, span: Span) {
        let message = "this condition stands in the arguments of a macro, which rustc evaluates after derivative code is made; \
                       put it on a statement outside of the macro, or write `if cfg!(..)`";
        self.add(ErrorCode::ConditionInAMacro, span, message.to_owned());
    }

    /// An active value is stored where only shared references lead: in a cell, behind a lock, in a channel.
    pub fn stored(&mut self, span: Span, by: &str) {
        let message = format!(
            "`{by}` stores an active value where no derivative is kept; \
             keep it in a local variable, a `Vec` or a field of this function's own, without a cell, a lock or a channel around it"
        );
        self.add(ErrorCode::StoredInACell, span, message);
    }

    /// An active value is changed within code that carries no derivative.
    pub fn changed_inside(&mut self, span: Span, by: &str) {
        let message = format!(
            "{by} changes an active value inside an expression that carries no derivative; \
             make the change a statement of its own, before that expression"
        );
        self.add(ErrorCode::UnknownChange, span, message);
    }

    /// A number that a function may have been told of before, by an active value.
    pub fn found_again(&mut self, span: Span, by: &str, told: &str) {
        let message = format!(
            "`{by}` may give what `{told}` was told of active values, and the derivative would be lost; \
             if it gives a constant, write `constant!(..)` around this call, or call it first"
        );
        self.add(ErrorCode::FoundAgain, span, message);
    }

    /// A number that is made of the text of an active value.
    pub fn number_of_text(&mut self, span: Span) {
        let instead =
            "print it, compare it or return it with an error, and use the value itself where a number is wanted";
        self.no_derivative(
            ErrorCode::NumberOfText,
            span,
            "the text of an active value, of which a number is made",
            instead,
        );
    }

    /// A number that is made of an error with an active value in it.
    pub fn number_of_error(&mut self, span: Span) {
        let instead =
            "return the number beside a `bool`, or as `Ok`, and take only what carries no derivative as an error";
        self.unsupported(
            span,
            "the error of a `Result` that holds an active value, of which a number is made",
            instead,
        );
    }

    /// A macro that hides an active value.
    pub fn unknown_macro(&mut self, span: Span, name: &str) {
        self.add(
            ErrorCode::UnknownMacro,
            span,
            format!(
                "`{name}!` mentions an active value, and no definition that diffi follows stands above it in this file; \
             write it as a function with `#[differentiable]`, or write its expansion here"
            ),
        );
    }

    /// A method that is not in the table.
    pub fn unknown_method(&mut self, span: Span, name: &str) {
        self.add(
            ErrorCode::UnknownMethod,
            span,
            format!(
                "`{name}` is called on an active value, and diffi does not know its derivative; \
             write it as a free function with `#[differentiable]` and call that, or use the float's own methods"
            ),
        );
    }

    /// A method of a user's trait that bounds a generic float.
    pub fn unknown_trait_method(&mut self, name: &Ident, of: &str) {
        let message = format!(
            "`{name}` is a method of your trait `{of}`, and diffi does not see that it does the same for all floats; put \
             `#[differentiable]` on the trait and on its implementations"
        );
        self.add(ErrorCode::Unannotated, name.span(), message);
    }

    /// A method of an option that is not known.
    pub fn unknown_option_method(&mut self, span: Span, name: &str) {
        let message = format!(
            "`{name}` is called on an `Option` or a `Result` of an active value, and diffi does not know this method; \
             take it apart by `match` or `if let`"
        );
        self.add(ErrorCode::UnknownMethod, span, message);
    }

    /// The memory of an array.
    pub fn raw_memory(&mut self, span: Span) {
        self.add(
            ErrorCode::RawMemory,
            span,
            "no derivative through the memory of an array, whose order is that of its layout; \
             write `iter().copied().collect::<Vec<_>>()` for the elements in logical order"
                .to_owned(),
        );
    }

    /// A method of a `Vec` or slice that changes it in a way that is not known.
    pub fn unknown_change(&mut self, span: Span, name: &str) {
        self.add(
            ErrorCode::UnknownChange,
            span,
            format!(
                "`{name}` changes active data in a way that diffi cannot undo; write the elements by index in a loop"
            ),
        );
    }

    /// A reference that is assigned to, or swapped.
    pub fn pointed_elsewhere(&mut self, span: Span) {
        let instead = "exchange the values themselves (`std::mem::swap(&mut a, &mut b)`), or use an index";
        self.no_derivative(ErrorCode::PointedElsewhere, span, "a reference that is set to another variable", instead);
    }

    /// A `&mut` of which it is not known to which place it leads.
    pub fn exclusive_kept(&mut self, span: Span) {
        let instead = "write to the places themselves, each in its branch, or use an index";
        self.no_derivative(ErrorCode::ExclusiveKept, span, "a `&mut` that is chosen or kept as a value", instead);
    }

    /// An iterator adaptor that is not known.
    pub fn unknown_adaptor(&mut self, span: Span, name: &str) {
        self.add(
            ErrorCode::UnknownAdaptor,
            span,
            format!(
                "diffi cannot see through `.{name}(..)` on an iterator over active values; {}",
                instead_of_adaptor(name)
            ),
        );
    }

    /// An iterator in a variable that is run in parts.
    pub fn half_run(&mut self, span: Span) {
        self.add(ErrorCode::HalfRun, span, "an iterator in a variable is run in parts that diffi cannot count; call `next()`, or keep an index and read the slice by it".into());
    }

    /// Something that is iterated over and is neither a range nor a sequence.
    pub fn unknown_iterator(&mut self, span: Span) {
        self.add(
            ErrorCode::UnknownIterator,
            span,
            "diffi cannot iterate over this active value; iterate over a slice or over an index range".into(),
        );
    }

    /// An expression that has no derivative rule.
    pub fn unsupported(&mut self, span: Span, what: &str, instead: &str) {
        self.no_derivative(ErrorCode::NoRule, span, what, instead);
    }

    /// ErrorCode that works on memory or on bits.
    pub fn unsafe_code(&mut self, span: Span, what: &str, instead: &str) {
        self.no_derivative(ErrorCode::UnsafeCode, span, what, instead);
    }

    /// ErrorCode whose evaluation changes or leaves what stands around it.
    pub fn order(&mut self, span: Span, what: &str, instead: &str) {
        self.no_derivative(ErrorCode::EvaluationOrder, span, what, instead);
    }

    /// A closure that changes variables around it, or calls itself.
    pub fn changing_closure(&mut self, span: Span, what: &str, instead: &str) {
        self.no_derivative(ErrorCode::ChangingClosure, span, what, instead);
    }

    /// A parameter, a result or a qualifier of the function.
    pub fn signature(&mut self, span: Span, what: &str, instead: &str) {
        self.no_derivative(ErrorCode::Signature, span, what, instead);
    }

    /// A function that cannot have a rule by hand.
    pub fn own_rule(&mut self, span: Span, what: &str, instead: &str) {
        self.no_derivative(ErrorCode::OwnRule, span, what, instead);
    }

    fn no_derivative(&mut self, code: ErrorCode, span: Span, what: &str, instead: &str) {
        self.add(code, span, format!("no derivative through {what}; {instead}"));
    }

    /// Variables that rustc tells apart though they are spelled alike.
    pub fn two_of_a_name(&mut self, name: &Ident) {
        let message = format!(
            "`{name}` is a variable of a macro here, and another one of what the macro was given; rename one of them"
        );
        self.add(ErrorCode::TwoOfAName, name.span(), message);
    }

    /// A method of which a type and a trait have one each, that take their receivers in different ways.
    pub fn two_methods(&mut self, name: &Ident, owner: &str, of: &str) {
        let message = format!(
            "`{name}` may be that of `{owner}` or that of `{of}`, which take their receivers in different ways; write \
             `{owner}::{name}(..)` or `{of}::{name}(..)`"
        );
        self.add(ErrorCode::TwoMethods, name.span(), message);
    }

    /// An item of an inner block, whose name means something else outside of the block.
    pub fn item_of_a_block(&mut self, name: &Ident) {
        let message =
            format!("`{name}` is an item of this block, and something else outside of it; give the item another name");
        self.add(ErrorCode::ItemOfABlock, name.span(), message);
    }

    /// An import of an inner block by which methods may come into scope.
    pub fn import_of_a_block(&mut self, span: Span) {
        let message = "this may bring methods into this block, and derivative code would have them everywhere; \
                       write it at the head of the function, or outside of it";
        self.add(ErrorCode::ItemOfABlock, span, message.to_owned());
    }

    /// A name that a macro may declare as an item.
    pub fn item_of_a_macro(&mut self, name: &Ident) {
        let message = format!(
            "this macro may declare an item `{name}`, which derivative code would not have everywhere; \
             write the item itself, at the head of the function"
        );
        self.add(ErrorCode::ItemOfABlock, name.span(), message);
    }

    /// An index or a loop bound that depends on an active value.
    pub fn active_integer(&mut self, span: Span, what: &str) {
        self.add(
            ErrorCode::ActiveInteger,
            span,
            format!(
                "{what} must not carry a derivative; cast it to an integer first, for example `(t.floor() as usize)`"
            ),
        );
    }

    /// An operator on something that is not a float.
    pub fn operator(&mut self, span: Span, operator: &str) {
        self.add(ErrorCode::Operator, span, format!(
            "`{operator}` is applied to an active value that is not a float; diffi knows this operator on floats only: \
             work on the elements"
        ));
    }

    /// A cast of an active value to another float type.
    pub fn float_cast(&mut self, span: Span, to: &str) {
        self.add(
            ErrorCode::FloatCast,
            span,
            format!("an active value is cast to `{to}`; one function is of one float type: write `{to}` throughout"),
        );
    }

    /// A call of a function that comes from outside: which functions it may be is not known.
    pub fn unknown_function(&mut self, span: Span, name: Option<&str>) {
        let name = name.map_or("this function".to_owned(), |name| format!("`{name}`"));
        self.add(
            ErrorCode::UnknownFunction,
            span,
            format!(
                "the derivative of {name} is unknown: it comes out of a struct, a constant, a caller's value or another \
                function's result; write the functions here, in a `match` or a table `let table = [f, g];`, choose by an `enum`, \
                or take a parameter `f: impl Fn(..)`"
            ),
        );
    }

    /// A function that gives functions or references, called from another module.
    pub fn followed_elsewhere(&mut self, span: Span, name: &str) {
        let message = format!(
            "`{name}` gives a function, or references into what it is given, and is followed where it stands alone: call it by its name \
             from a function of the same module whose names are others than those it uses, or return numbers or indices"
        );
        self.add(ErrorCode::UnknownFunction, span, message);
    }

    /// A closure as an argument of a call.
    pub fn closure_argument(&mut self, span: Span) {
        self.add(
            ErrorCode::ClosureArgument,
            span,
            "a closure is passed to another function together with active values; \
            write its body where it is used, or pass the values that it computes"
                .into(),
        );
    }

    /// A pattern that cannot be taken apart.
    pub fn pattern(&mut self, span: Span) {
        self.add(
            ErrorCode::Pattern,
            span,
            "diffi cannot take an active value apart by this pattern; bind it to a name, and use \
            fields or indices"
                .into(),
        );
    }

    /// An option that came from outside.
    pub fn option(&mut self, span: Span) {
        self.add(
            ErrorCode::OutsideOption,
            span,
            "this `Option` may hold an active value; mark it `constant(..)`, or pass the value and a \
            `bool`"
                .into(),
        );
    }

    /// A method without the attribute that returns a reference into an active value.
    pub fn unknown_place(&mut self, span: Span, name: &str) {
        let message = format!(
            "`{name}` returns a reference to active values, and diffi does not know where it leads; \
             put `#[differentiable]` on the `impl` block that defines `{name}`"
        );
        self.add(ErrorCode::Unannotated, span, message);
    }

    /// An active value stored through a reference whose place is not known.
    pub fn unknown_reference(&mut self, span: Span) {
        self.add(
            ErrorCode::UnknownReference,
            span,
            "this stores through a reference that diffi cannot follow to a variable; \
            assign by index, `v[i] = ..`"
                .into(),
        );
    }

    /// A method that is annotated without its block.
    pub fn method_alone(&mut self, span: Span) {
        self.add(
            ErrorCode::MethodAlone,
            span,
            "a method is differentiated with its block; put `#[differentiable]` on the `impl` or `trait` around it"
                .into(),
        );
    }

    /// A wrong number of arguments.
    pub fn arity(&mut self, span: Span, wanted: usize, got: usize) {
        self.add(ErrorCode::Arity, span, format!("this closure takes {wanted} arguments, and is called with {got}"));
    }

    /// A function without parameters.
    pub fn no_parameters(&mut self, name: &Ident) {
        self.add(
            ErrorCode::NoParameters,
            name.span(),
            format!("`{name}` takes no parameter to differentiate by; remove the attribute, and call it as it is"),
        );
    }

    /// A parameter that is written, and is not passed by `&mut`.
    pub fn not_exclusive(&mut self, span: Span, option: &str, name: &str) {
        self.add(
            ErrorCode::NotExclusive,
            span,
            format!("`{name}` is declared `{option}`, and the function cannot write it; pass it as `&mut`"),
        );
    }

    /// A number of another float type.
    pub fn other_float(&mut self, span: Span, found: &str, base: &str) {
        self.add(
            ErrorCode::OtherFloat,
            span,
            format!(
                "`{found}` in a function of `{base}`: the numbers of one function are of one float type; \
                write `{base}`, or declare the parameter `constant(..)`"
            ),
        );
    }

    /// A result that is no number.
    pub fn passive_result(&mut self, span: Span) {
        self.add(
            ErrorCode::PassiveResult,
            span,
            "this result carries no derivative; return numbers, arrays, `Vec`s or tuples of them, \
            or call the function without the attribute"
                .into(),
        );
    }

    /// `#[checkpoint]` on something else.
    pub fn misplaced_checkpoint(&mut self, span: Span) {
        self.add(
            ErrorCode::MisplacedCheckpoint,
            span,
            "`#[checkpoint]` stands on something that is not a loop; put it on a `for`, `while` or `loop`".into(),
        );
    }

    /// A clock or a random number in a loop whose iterations are run again.
    pub fn unrepeatable(&mut self, name: &Ident) {
        self.add(
            ErrorCode::Unrepeatable,
            name.span(),
            format!(
                "`{name}` gives another value when this iteration is run again for the reverse sweep; \
                call it before the loop, or take `#[checkpoint]` off the loop"
            ),
        );
    }

    /// An option that names no parameter.
    pub fn no_parameter(&mut self, name: &Ident) {
        self.add(
            ErrorCode::NoParameter,
            name.span(),
            format!("this function has no parameter `{name}`; name one of its parameters"),
        );
    }
}

/// What to write for an iterator adaptor that is not known.
fn instead_of_adaptor(name: &str) -> &'static str {
    match name {
        "multi_cartesian_product"
        | "combinations"
        | "combinations_with_replacement"
        | "permutations"
        | "powerset"
        | "array_combinations" => {
            "let it choose the indices, `(0..n)`, in a function without active values, and read the numbers by these"
        }
        "merge" | "merge_by" | "kmerge" | "kmerge_by" | "interleave" | "interleave_shortest" | "merge_join_by" => {
            "write a loop with an index for each of the two"
        }
        "chunk_by" | "group_by" | "into_group_map" | "into_group_map_by" | "into_grouping_map" | "counts"
        | "unique" | "unique_by" | "dedup" | "dedup_by" | "coalesce" => {
            "write a loop that keeps what the group at hand has so far"
        }
        _ => "write a `for` loop over a slice or over an index range",
    }
}
