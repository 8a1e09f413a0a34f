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
    /// `constant` alone: the whole function has a zero derivative.
    pub zero: bool,
    /// `pushforward = path`.
    pub pushforward: Option<syn::Path>,
    /// `pullback = path`.
    pub pullback: Option<syn::Path>,
    /// `handle = Name`: the name of the handle where the function's own is taken.
    pub handle: Option<Ident>,
    /// `dump`: print every pass's result.
    pub dump: bool,
}

impl Options {
    fn read_one(&mut self, input: ParseStream) -> syn::Result<()> {
        let key: Ident = input.parse()?;
        match key.to_string().as_str() {
            "constant" if !input.peek(syn::token::Paren) => self.zero = true,
            "constant" => self.constant.extend(names(input)?),
            "cache" => self.cache.extend(names(input)?),
            "output" => self.output.extend(names(input)?),
            "pushforward" => self.pushforward = Some(value(input)?),
            "pullback" => self.pullback = Some(value(input)?),
            "handle" => self.handle = Some(value(input)?),
            "dump" => self.dump = true,
            _ => return Err(errors::unknown_option(&key)),
        }
        Ok(())
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
