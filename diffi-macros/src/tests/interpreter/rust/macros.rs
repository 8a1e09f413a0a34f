//! Macros of std.

use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::Value;
use std::cmp::Ordering;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Token};

type List = Punctuated<Expr, Token![,]>;

impl Machine<'_> {
    pub fn macro_call(&mut self, call: &syn::Macro) -> Run<Value> {
        let name = call.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let list = || List::parse_terminated.parse2(call.tokens.clone());
        match name.as_str() {
            "vec" => match repeated.parse2(call.tokens.clone()) {
                Ok((value, len)) => self.repeat(&value, &len),
                Err(_) => Ok(Value::Seq(self.list(&list().map_err(no_list)?)?)),
            },
            "assert" | "debug_assert" => {
                let all = list().map_err(no_list)?;
                let holds = self.test(all.first().ok_or_else(|| Stop::unknown("an empty assert"))?)?;
                if holds { Ok(Value::Unit) } else { Err(Stop::panic("an assertion")) }
            }
            "assert_eq" | "debug_assert_eq" => {
                let all = list().map_err(no_list)?;
                let (a, b) = (self.eval_through(&all[0])?, self.eval_through(&all[1])?);
                let equal = self.order(&a, &b)? == Some(Ordering::Equal);
                if equal { Ok(Value::Unit) } else { Err(Stop::panic("an assertion")) }
            }
            "s" => self.eval(&syn::parse2(call.tokens.clone()).map_err(no_list)?),
            "dbg" => {
                let all = list().map_err(no_list)?;
                self.eval(all.first().ok_or_else(|| Stop::unknown("an empty `dbg!`"))?)
            }
            "format" => {
                let all = list().map_err(no_list)?;
                self.list(all.iter().skip(1)).map(|_| Value::Text("text".into()))
            }
            "panic" | "unreachable" | "todo" | "unimplemented" => Err(Stop::panic(name)),
            "matches" => {
                let (value, pat, guard) = question.parse2(call.tokens.clone()).map_err(no_list)?;
                self.inside(|m| {
                    let place = m.scrutinee(&value)?;
                    let fits = m.matched(&pat, &place, false)?;
                    Ok(Value::Bool(fits && guard.map_or(Ok(true), |guard| m.test(&guard))?))
                })
            }
            _ => Err(Stop::unknown(format!("`{name}!`"))),
        }
    }
}

fn no_list(_: syn::Error) -> Stop {
    Stop::unknown("the arguments of a macro")
}

/// `value; len`.
fn repeated(input: ParseStream) -> syn::Result<(Expr, Expr)> {
    let value = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok((value, input.parse()?))
}

/// `value, pattern if guard`.
fn question(input: ParseStream) -> syn::Result<(Expr, syn::Pat, Option<Expr>)> {
    let value = input.parse()?;
    input.parse::<Token![,]>()?;
    let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
    let guard = input.parse::<Option<Token![if]>>()?.map(|_| input.parse()).transpose()?;
    input.parse::<Option<Token![,]>>()?;
    Ok((value, pat, guard))
}
