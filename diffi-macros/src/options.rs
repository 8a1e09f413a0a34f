//! The attribute's arguments.

use crate::errors;
use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Token, parenthesized};

/// What stands between the parentheses of `#[differentiable(..)]`.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `constant(a, b)`: parameters that never carry a derivative.
    pub constant: Vec<Ident>,
    /// `cache(buf)`: scratch that the function overwrites.
    pub cache: Vec<Ident>,
    /// `output(y)`: `&mut` parameters that are written before they are read.
    pub output: Vec<Ident>,
    /// `handle = Name`: the name of the handle where the function's own is taken.
    pub handle: Option<Ident>,
    /// `dump`: print every pass's result.
    pub dump: bool,
}

impl Options {
    fn read_one(&mut self, input: ParseStream) -> syn::Result<()> {
        let key: Ident = input.parse()?;
        match key.to_string().as_str() {
            "constant" | "cache" | "output" if !input.peek(syn::token::Paren) => {
                return Err(errors::names_wanted(&key));
            }
            "constant" => self.constant.extend(names(input)?),
            "cache" => self.cache.extend(names(input)?),
            "output" => self.output.extend(names(input)?),
            "handle" => self.handle = Some(value(input)?),
            "dump" => self.dump = true,
            _ => return Err(errors::unknown_option(&key)),
        }
        Ok(())
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
                input.parse::<Token![,]>()?;
            }
        }
        options.check_names()?;
        Ok(options)
    }
}

fn names(input: ParseStream) -> syn::Result<Vec<Ident>> {
    let inside;
    parenthesized!(inside in input);
    let list = Punctuated::<Ident, Token![,]>::parse_terminated_with(&inside, |one| {
        if one.peek(Token![self]) {
            let this: Token![self] = one.parse()?;
            return Ok(Ident::new("self", this.span));
        }
        one.parse()
    })?;
    Ok(list.into_iter().collect())
}

fn value<T: Parse>(input: ParseStream) -> syn::Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}
