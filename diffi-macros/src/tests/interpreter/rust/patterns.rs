//! Patterns.

use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::rust::expressions::literal;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Value};
use quote::ToTokens;
use std::cmp::Ordering;
use syn::{Expr, Pat};

impl Machine<'_> {
    /// The place that is matched: a place as it is, so that patterns can borrow from it.
    pub fn scrutinee(&mut self, e: &Expr) -> Run<Pointer> {
        match e {
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Unary(_) | Expr::Paren(_) => self.place(e),
            _ => {
                let value = self.eval(e)?;
                Ok(self.memory.alloc(value))
            }
        }
    }

    /// Whether a pattern fits a place; names are bound on the way, to references where `lent`.
    pub fn matched(&mut self, pat: &Pat, place: &Pointer, lent: bool) -> Run<bool> {
        match pat {
            Pat::Wild(_) | Pat::Rest(_) => Ok(true),
            Pat::Ident(name) => self.matched_name(name, place, lent),
            Pat::Paren(inner) => self.matched(&inner.pat, place, lent),
            Pat::Type(inner) => self.matched(&inner.pat, place, lent),
            Pat::Reference(inner) => match self.memory.shallow(place)? {
                Value::Ref(behind) => self.matched(&inner.pat, &behind, false),
                _ => self.matched(&inner.pat, place, false),
            },
            Pat::Or(all) => self.matched_any(all.cases.iter(), place, lent),
            _ => match self.memory.shallow(place)? {
                Value::Ref(behind) => self.matched(pat, &behind, true),
                _ => self.matched_parts(pat, place, lent),
            },
        }
    }

    fn matched_name(&mut self, pat: &syn::PatIdent, place: &Pointer, lent: bool) -> Run<bool> {
        let name = pat.ident.to_string();
        if name == "None" || self.program.is_unit(&name) {
            return Ok(matches!(self.memory.get(place)?, Value::Data(tag, ..) if **tag == *name));
        }
        if let Some((_, inner)) = &pat.subpat
            && !self.matched(inner, place, lent)?
        {
            return Ok(false);
        }
        let value = match lent || pat.by_ref.is_some() {
            true => Value::Ref(place.clone()),
            false => self.memory.shallow(place)?,
        };
        self.bind(name, value);
        Ok(true)
    }

    fn matched_any<'a>(&mut self, all: impl Iterator<Item = &'a Pat>, place: &Pointer, lent: bool) -> Run<bool> {
        let names = self.scope.len();
        for pat in all {
            if self.matched(pat, place, lent)? {
                return Ok(true);
            }
            self.scope.truncate(names);
        }
        Ok(false)
    }

    fn matched_parts(&mut self, pat: &Pat, place: &Pointer, lent: bool) -> Run<bool> {
        match pat {
            Pat::Tuple(all) => self.matched_list(all.elems.iter(), place, lent),
            Pat::Slice(all) => self.matched_slice(&all.elems, place, lent),
            Pat::TupleStruct(of) if !self.has_tag(&of.path, place)? => Ok(false),
            Pat::TupleStruct(of) => self.matched_list(of.elems.iter(), place, lent),
            Pat::Struct(of) if !self.has_tag(&of.path, place)? => Ok(false),
            Pat::Struct(of) => self.matched_fields(of, place, lent),
            Pat::Path(of) => self.has_tag(&of.path, place),
            Pat::Lit(lit) => {
                let value = self.memory.read(place)?;
                Ok(self.order(&value, &literal(&lit.lit)?)? == Some(Ordering::Equal))
            }
            Pat::Range(range) => self.matched_range(range, place),
            other => Err(Stop::unknown(format!("the pattern `{}`", other.to_token_stream()))),
        }
    }

    fn has_tag(&self, path: &syn::Path, place: &Pointer) -> Run<bool> {
        let name = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        match self.memory.get(place)? {
            Value::Data(tag, ..) => Ok(**tag == *name),
            other => match self.variable(&name) {
                Some(constant) => Ok(self.order(other, &self.memory.read(&constant)?)? == Some(Ordering::Equal)),
                None => Err(Stop::unknown(format!("the pattern `{name}`"))),
            },
        }
    }

    fn matched_list<'a>(&mut self, all: impl Iterator<Item = &'a Pat>, place: &Pointer, lent: bool) -> Run<bool> {
        let all: Vec<&Pat> = all.collect();
        let (len, rest) = (self.memory.count(place)?, all.iter().position(|p| matches!(p, Pat::Rest(_))));
        for (k, pat) in all.iter().enumerate() {
            let at = match rest {
                Some(rest) if k > rest => len + k - all.len(),
                _ => k,
            };
            if !matches!(pat, Pat::Rest(_)) && !self.matched(pat, &self.memory.index(place, at)?, lent)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn matched_slice(
        &mut self,
        all: &syn::punctuated::Punctuated<Pat, syn::Token![,]>,
        place: &Pointer,
        lent: bool,
    ) -> Run<bool> {
        let is_rest = |p: &Pat| match p {
            Pat::Rest(_) => true,
            Pat::Ident(name) => name.subpat.as_ref().is_some_and(|(_, p)| matches!(**p, Pat::Rest(_))),
            _ => false,
        };
        let (len, count, rest) = (self.memory.count(place)?, all.len(), all.iter().position(is_rest));
        if rest.is_none() && len != count || len + 1 < count {
            return Ok(false);
        }
        for (k, pat) in all.iter().enumerate() {
            let fits = match (rest, pat) {
                (Some(rest), Pat::Ident(name)) if k == rest => {
                    let part = self.memory.part(place, k, len + 1 + k - count)?;
                    self.bind(name.ident.to_string(), Value::Ref(part));
                    true
                }
                (Some(rest), _) if k == rest => true,
                (Some(rest), _) if k > rest => self.matched(pat, &self.memory.index(place, len + k - count)?, lent)?,
                _ => self.matched(pat, &self.memory.index(place, k)?, lent)?,
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn matched_fields(&mut self, of: &syn::PatStruct, place: &Pointer, lent: bool) -> Run<bool> {
        for field in &of.fields {
            let at = self.memory.field(place, &field.member.to_token_stream().to_string())?;
            if !self.matched(&field.pat, &at, lent)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn matched_range(&mut self, range: &syn::ExprRange, place: &Pointer) -> Run<bool> {
        let value = self.memory.read(place)?;
        let mut fits = true;
        if let Some(start) = &range.start {
            let start = self.eval_through(start)?;
            fits &= matches!(self.order(&value, &start)?, Some(Ordering::Greater | Ordering::Equal));
        }
        if let Some(end) = &range.end {
            let end = self.eval_through(end)?;
            let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
            let order = self.order(&value, &end)?;
            fits &= order == Some(Ordering::Less) || inclusive && order == Some(Ordering::Equal);
        }
        Ok(fits)
    }
}
