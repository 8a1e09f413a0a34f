//! The attribute's arguments.

use crate::support::errors;
use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Token, parenthesized};

/// What stands between the parentheses of `#[differentiable(..)]`.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `constant(a, b)`: parameters that never carry a derivative.
    pub constant: Vec<Ident>,
    /// Those of them that name no parameter: local variables, which calls may change.
    pub constant_locals: Vec<Ident>,
    /// `cache(buf)`: scratch that the function overwrites.
    pub cache: Vec<Ident>,
    /// `output(y)`: `&mut` parameters that are written before they are read.
    pub output: Vec<Ident>,
    /// `handle = Name`: the name of the handle where the function's own is taken.
    pub handle: Option<Ident>,
    /// `constant`, `pushforward = jvp`, `pullback = vjp`: a rule that the user wrote.
    pub rule: Option<Rule>,
    /// `has_aux`: the second member of what is returned carries no derivative.
    pub has_aux: bool,
    /// `root_of = condition`, `fixed_point_of = step`: the equation that the function solves.
    pub implicit: Option<Implicit>,
    /// `first_order`: no second derivatives, which take more than a quarter of the compile time.
    pub first_order: bool,
    /// `everywhere`: traces by derivative code follow both sides of what is asked of active values.
    pub everywhere: bool,
    /// `reassociate`: the user's sums may be added in any order.
    pub reassociate: bool,
    /// `vector_math`: functions of several iterations of a loop may be computed at once.
    pub vector_math: bool,
    /// `dump`: print every pass's result.
    pub dump: bool,
}

/// A rule that the user wrote for a function.
#[derive(Clone, Debug, Default)]
pub struct Rule {
    /// All derivatives are zero.
    pub constant: bool,
    /// Gives the tangent of the result.
    pub pushforward: Option<Half>,
    /// Gives the cotangents of the parameters.
    pub pullback: Option<Half>,
}

/// An equation that a function solves.
#[derive(Clone, Debug)]
pub struct Implicit {
    /// What is zero, or the unknowns again, at the solution: a function of the unknowns and the function's parameters.
    pub condition: syn::Path,
    /// It gives the unknowns again.
    pub fixed_point: bool,
}

/// A function that is half a rule.
#[derive(Clone, Debug)]
pub struct Half {
    /// The function.
    pub path: syn::Path,
    /// Whether it was given by its handle, `vjp::D`, and so has derivatives itself.
    pub handle: bool,
}

impl Half {
    /// The function's name.
    pub fn name(&self) -> String {
        self.path.segments.last().map_or_else(String::new, |s| s.ident.to_string())
    }
}

impl Parse for Half {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut path: syn::Path = input.parse()?;
        let handle = path.segments.len() > 1 && path.segments.last().is_some_and(|s| s.ident == "D");
        if handle {
            path.segments.pop();
            path.segments.pop_punct();
        }
        Ok(Half { path, handle })
    }
}

impl Options {
    fn read_one(&mut self, input: ParseStream) -> syn::Result<()> {
        let key: Ident = input.parse().map_err(|_| errors::no_option(input.span()))?;
        match key.to_string().as_str() {
            "constant" if !input.peek(syn::token::Paren) && !input.peek(Token![=]) => self.rule().constant = true,
            "constant" => self.constant.extend(names(&key, input)?),
            "cache" => self.cache.extend(names(&key, input)?),
            "output" => self.output.extend(names(&key, input)?),
            "handle" => self.handle = Some(value(&key, input, self.handle.is_some())?),
            "pushforward" => {
                let is_there = self.rule().pushforward.is_some();
                self.rule().pushforward = Some(value(&key, input, is_there)?);
            }
            "pullback" => {
                let is_there = self.rule().pullback.is_some();
                self.rule().pullback = Some(value(&key, input, is_there)?);
            }
            "has_aux" => self.has_aux = true,
            "root_of" | "fixed_point_of" => {
                let condition: Half = value(&key, input, self.implicit.is_some())?;
                self.implicit = Some(Implicit { condition: condition.path, fixed_point: key == "fixed_point_of" });
            }
            "first_order" => self.first_order = true,
            "everywhere" => self.everywhere = true,
            "reassociate" => self.reassociate = true,
            "vector_math" if !cfg!(feature = "vector-math") => return Err(errors::vector_math_is_off(&key)),
            "vector_math" => self.vector_math = true,
            "dump" => self.dump = true,
            _ => return Err(errors::unknown_option(&key)),
        }
        Ok(())
    }

    fn rule(&mut self) -> &mut Rule {
        self.rule.get_or_insert_default()
    }

    fn check_names(&self) -> syn::Result<()> {
        let all: Vec<&Ident> = self.named().collect();
        match (1..all.len()).find(|i| all[..*i].contains(&all[*i])) {
            Some(i) => Err(errors::named_twice(all[i])),
            None => Ok(()),
        }
    }

    /// Every parameter that the options name.
    pub fn named(&self) -> impl Iterator<Item = &Ident> {
        self.constant.iter().chain(&self.cache).chain(&self.output)
    }
}

impl Parse for Options {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut options = Options::default();
        while !input.is_empty() {
            options.read_one(input)?;
            if !input.is_empty() {
                input.parse::<Token![,]>().map_err(|_| errors::comma_wanted(input.span()))?;
            }
        }
        options.check_names()?;
        Ok(options)
    }
}

/// The names in `key(a, b)`.
fn names(key: &Ident, input: ParseStream) -> syn::Result<Vec<Ident>> {
    let listed = || {
        let inside;
        parenthesized!(inside in input);
        Punctuated::<Ident, Token![,]>::parse_terminated_with(&inside, |one| {
            if one.peek(Token![self]) {
                let this: Token![self] = one.parse()?;
                return Ok(Ident::new("self", this.span));
            }
            one.parse()
        })
    };
    match listed() {
        Ok(list) if !list.is_empty() => Ok(list.into_iter().collect()),
        Ok(_) => Err(errors::names_wanted(key, key.span())),
        Err(error) => Err(errors::names_wanted(key, error.span())),
    }
}

/// The name in `key = name`.
fn value<T: Parse>(key: &Ident, input: ParseStream, is_there: bool) -> syn::Result<T> {
    if is_there {
        return Err(errors::option_twice(key));
    }
    let given = || {
        input.parse::<Token![=]>()?;
        let value = input.parse()?;
        match input.is_empty() || input.peek(Token![,]) {
            true => Ok(value),
            false => Err(input.error("more than a name")),
        }
    };
    given().map_err(|error| errors::name_wanted(key, error.span()))
}
