//! Whether a value fits a pattern.

use crate::frontend::lower::patterns::around_rest;
use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Maybe, Value};
use crate::frontend::syntax::pattern_names::binds;
use crate::ir::affine::{self, gathered};
use crate::ir::*;
use crate::support::syntax::variant;
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;

impl Lower {
    /// Whether a pattern fits, as a passive condition; `None` if it always does.
    pub fn test(&mut self, pattern: &syn::Pat, value: &Value) -> Result<Option<PassiveCode>, ()> {
        match (pattern, value) {
            (syn::Pat::Wild(_) | syn::Pat::Rest(_), _) => Ok(None),
            (syn::Pat::Ident(p), Value::Maybe(m)) if !binds(p) => Ok(presence(m, false)),
            (syn::Pat::Ident(p), _) if binds(p) => match &p.subpat {
                Some((_, inner)) => self.test(inner, value),
                None => Ok(None),
            },
            (syn::Pat::Paren(p), _) => self.test(&p.pat, value),
            (syn::Pat::Type(p), _) => self.test(&p.pat, value),
            (syn::Pat::Reference(r), _) => self.test(&r.pat, &value.clone().dereferenced()),
            (syn::Pat::Tuple(_), Value::Ref(inner)) => self.test(pattern, inner),
            (syn::Pat::Tuple(t), Value::Tuple(all)) if t.elems.len() == all.len() => {
                let parts: Vec<(syn::Pat, Value)> = t.elems.iter().cloned().zip(all.iter().cloned()).collect();
                self.test_all(parts)
            }
            (syn::Pat::Tuple(t), _) if t.elems.iter().all(fits_all) => Ok(None),
            (syn::Pat::Tuple(t), Value::Active(_)) if !t.elems.iter().any(|p| matches!(p, syn::Pat::Rest(_))) => {
                let part = |(k, p): (usize, &syn::Pat)| {
                    (p.clone(), self.member(value.clone(), &syn::Member::from(k), p.span()))
                };
                let parts = t.elems.iter().enumerate().map(part).collect();
                self.test_all(parts)
            }
            (syn::Pat::Slice(s), _) => self.test_slice(s, value),
            (syn::Pat::TupleStruct(t), Value::Active(_)) if t.path.is_ident("Some") => {
                let maybe = self.named_option(value).ok_or(())?;
                self.test(pattern, &Value::Maybe(maybe))
            }
            (syn::Pat::TupleStruct(t), Value::Maybe(m)) if t.path.is_ident("Err") => match t.elems.first() {
                Some(syn::Pat::Ident(_) | syn::Pat::Wild(_)) => Ok(presence(m, false)),
                Some(inner) => self.test_error(inner, m),
                None => Err(()),
            },
            (syn::Pat::Struct(s), Value::Active(_)) => {
                let members = s.fields.iter().map(|f| (f.member.clone(), (*f.pat).clone())).collect();
                self.test_members(&s.path, members, value)
            }
            (syn::Pat::TupleStruct(t), Value::Active(_)) => {
                let before_rest = t.elems.iter().take_while(|p| !matches!(p, syn::Pat::Rest(_)));
                let members = before_rest.enumerate().map(|(k, p)| (syn::Member::from(k), p.clone())).collect();
                self.test_members(&t.path, members, value)
            }
            (syn::Pat::TupleStruct(t), Value::Maybe(m)) if t.path.is_ident("Some") || t.path.is_ident("Ok") => {
                match t.elems.first() {
                    Some(inner) if fits_all(inner) => Ok(presence(m, true)),
                    Some(inner) => self.test_content(inner, m).map(Some),
                    None => Err(()),
                }
            }
            (syn::Pat::Or(o), _) => self.test_any(o, value),
            (
                syn::Pat::Lit(_) | syn::Pat::Range(_) | syn::Pat::Ident(_) | syn::Pat::Path(_),
                Value::Active(_) | Value::Passive(_),
            ) => {
                let bare = value.clone().dereferenced_fully();
                let shown = self.show(&bare, pattern.span());
                let (on, pattern) = (&shown.tokens, pattern);
                Ok(Some(PassiveCode { tokens: quote!(::core::matches!(#on, #pattern)), ..shown.clone() }))
            }
            (_, Value::Passive(p)) => {
                let on = &p.passive.tokens;
                Ok(Some(PassiveCode { tokens: quote!(::core::matches!(#on, #pattern)), ..p.passive.clone() }))
            }
            _ => Err(()),
        }
    }

    /// Whether there is a value, and this pattern fits it.
    fn test_content(&mut self, pattern: &syn::Pat, maybe: &Maybe) -> Result<PassiveCode, ()> {
        let span = pattern.span();
        let literal = |value: TokenStream| PassiveCode { span, ..PassiveCode::literal(value) };
        let flag = self.new_var(New { hint: "fits", span, ty: Ty::Passive, changes: true, site: None });
        self.emit(Stmt::Let { var: flag, expr: Expr::Passive(literal(quote!(false))) });
        let cond = self.atom("c", maybe.present.clone());
        let (then, tested) = self.inside(|l| {
            let content = (maybe.content)(l);
            let fits = l.test(pattern, &content)?.unwrap_or_else(|| literal(quote!(true)));
            let flag = l.value_of(flag);
            l.store(flag, Value::passive(fits), span);
            Ok(())
        });
        self.emit(Stmt::If { cond, then, els: Block::default() });
        tested.map(|()| PassiveCode::var(flag, self.info(flag)))
    }

    /// Whether there is an error, and this pattern fits it.
    fn test_error(&mut self, pattern: &syn::Pat, maybe: &Maybe) -> Result<Option<PassiveCode>, ()> {
        let failure = maybe.error().cloned().ok_or(())?;
        let fits = self.error_fits(&failure, pattern);
        Ok(match presence(maybe, false) {
            None => Some(fits),
            Some(missing) => {
                let (a, b) = (&missing.tokens, &fits.tokens);
                Some(gathered(quote!((#a) && #b), [&missing, &fits].into_iter(), pattern.span()))
            }
        })
    }

    /// Whether it is this variant, and its members fit.
    fn test_members(
        &mut self,
        path: &syn::Path,
        members: Vec<(syn::Member, syn::Pat)>,
        value: &Value,
    ) -> Result<Option<PassiveCode>, ()> {
        let mut tests: Vec<PassiveCode> = variant(path).map(|_| self.is_variant(value, path)).into_iter().collect();
        for (member, pattern) in members {
            let part = self.payload(value.clone(), path, &member, pattern.span());
            tests.extend(self.test(&pattern, &part)?);
        }
        Ok(combined(tests, quote!(&&)))
    }

    fn test_all(&mut self, parts: Vec<(syn::Pat, Value)>) -> Result<Option<PassiveCode>, ()> {
        let mut tests = Vec::new();
        for (pattern, value) in &parts {
            tests.extend(self.test(pattern, value)?);
        }
        Ok(combined(tests, quote!(&&)))
    }

    fn test_any(&mut self, o: &syn::PatOr, value: &Value) -> Result<Option<PassiveCode>, ()> {
        let mut tests = Vec::new();
        for case in &o.cases {
            match self.test(case, value)? {
                Some(test) => tests.push(test),
                None => return Ok(None),
            }
        }
        Ok(combined(tests, quote!(||)))
    }

    fn test_slice(&mut self, s: &syn::PatSlice, value: &Value) -> Result<Option<PassiveCode>, ()> {
        let simple = s.elems.iter().all(|p| {
            fits_all(p) || matches!(p, syn::Pat::Ident(i) if matches!(&i.subpat, Some((_, inner)) if fits_all(inner)))
        });
        if !simple {
            return Err(());
        }
        let patterns: Vec<&syn::Pat> = s.elems.iter().collect();
        let (front, back) = around_rest(&patterns);
        let (least, open) = (front.len() + back.len(), front.len() + back.len() < patterns.len());
        if let Value::Tuple(all) = value {
            let fits = all.len() == least || open && all.len() > least;
            return Ok((!fits).then(|| PassiveCode::literal(quote!(false))));
        }
        // an array may be matched as a slice, `values[..]`, and then have another length than the pattern
        let n = affine::literal(least).tokens;
        let len = self.length(value, s.span());
        let at = &len.tokens;
        let tokens = if open { quote!(#at >= #n) } else { quote!(#at == #n) };
        Ok(Some(PassiveCode { tokens, ..len.clone() }))
    }
}

fn presence(m: &Maybe, wanted: bool) -> Option<PassiveCode> {
    match m.known() {
        Some(known) if known == wanted => None,
        Some(_) => Some(PassiveCode::literal(quote!(false))),
        None if wanted => Some(m.present.clone()),
        None => {
            let t = &m.present.tokens;
            Some(PassiveCode { tokens: quote!(!(#t)), ..m.present.clone() })
        }
    }
}

fn combined(tests: Vec<PassiveCode>, op: proc_macro2::TokenStream) -> Option<PassiveCode> {
    let mut tests = tests.into_iter();
    let first = tests.next()?;
    Some(tests.fold(first, |a, b| {
        let (x, y) = (&a.tokens, &b.tokens);
        gathered(quote!((#x) #op (#y)), [&a, &b].into_iter(), a.span)
    }))
}

/// Whether a pattern fits every value of its type.
fn fits_all(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::Ident(name) => {
            name.subpat.is_none() && name.ident.to_string().starts_with(|c: char| !c.is_uppercase())
        }
        syn::Pat::Wild(_) | syn::Pat::Rest(_) => true,
        syn::Pat::Reference(r) => fits_all(&r.pat),
        syn::Pat::Paren(p) => fits_all(&p.pat),
        syn::Pat::Tuple(t) => t.elems.iter().all(fits_all),
        _ => false,
    }
}
