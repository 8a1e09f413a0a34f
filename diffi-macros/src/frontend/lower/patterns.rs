//! Patterns: names for parts of a value.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Maybe, Passive, Refs, Value, as_maybe};
use crate::frontend::syntax::pattern_names::{binds, names_of};
use crate::frontend::syntax::types;
use crate::ir::affine::{self, arithmetic};
use crate::ir::purity::is_item;
use crate::ir::{carriers, *};
use crate::support::syntax::variant;
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

/// How a name is bound.
#[derive(Clone, Copy)]
pub enum Mode<'a> {
    /// By a `let`: a value that was made for it takes its name.
    Let {
        /// Variables from here on were made for this statement.
        mark: usize,
        /// The type as written.
        ty: Option<&'a syn::Type>,
    },
    /// By a loop, a closure or a match: a name for the place itself.
    Alias {
        /// Variables from here on were made for this pattern.
        mark: usize,
    },
    /// The same, where nothing changes as long as the name is in scope.
    View {
        /// Variables from here on were made for this pattern.
        mark: usize,
    },
}

impl Lower {
    /// Binds a pattern that always fits.
    pub fn bind_pattern(&mut self, pattern: &syn::Pat, value: Value, mode: Mode) {
        match pattern {
            syn::Pat::Ident(name) if binds(name) || always_fits(name, &mode) => self.bind_name(name, value, mode),
            syn::Pat::Wild(_)
            | syn::Pat::Ident(_)
            | syn::Pat::Lit(_)
            | syn::Pat::Path(_)
            | syn::Pat::Range(_)
            | syn::Pat::Rest(_) => {}
            syn::Pat::Or(_) if names_of(pattern).is_empty() => {}
            syn::Pat::Paren(p) => self.bind_pattern(&p.pat, value, mode),
            syn::Pat::Type(t) => {
                self.note_struct(&value, Some(&t.ty));
                let mode = match mode {
                    Mode::Let { mark, .. } => Mode::Let { mark, ty: Some(&t.ty) },
                    Mode::Alias { mark } | Mode::View { mark } if self.is_typed_by(&value, &t.ty) => {
                        Mode::Let { mark, ty: Some(&t.ty) }
                    }
                    alias => alias,
                };
                self.bind_pattern(&t.pat, value, mode);
            }
            syn::Pat::Reference(r) => {
                let value = self.behind_reference(value);
                self.bind_pattern(&r.pat, value, mode);
            }
            syn::Pat::Tuple(t) => self.bind_members(t.elems.iter().collect(), value, mode, pattern),
            syn::Pat::Slice(s) => {
                self.note_length(&value, &mode);
                self.bind_elements(s.elems.iter().collect(), value, mode, pattern);
            }
            syn::Pat::Struct(s) => self.bind_fields(s, value, mode),
            syn::Pat::TupleStruct(t) => self.bind_variant(t, value, mode, pattern),
            _ => self.errors.pattern(pattern.span()),
        }
    }

    /// What a `&` in a pattern opens: of a part of an item, of which only rustc knows whether it is a reference, it says that it is one.
    fn behind_reference(&self, value: Value) -> Value {
        match value {
            Value::Passive(p) if self.is_copied_item(&p) => Value::Passive(Passive { refs: Refs::default(), ..p }),
            value => value,
        }
        .dereferenced()
    }

    /// A literal, or a passive float: the pattern may be all that tells its type.
    fn is_typed_by(&self, value: &Value, ty: &syn::Type) -> bool {
        let Value::Passive(p) = value else { return false };
        let float = p.refs.depth == 0 && types::describe(ty, &self.base) == Ty::Float;
        float || syn::parse2::<syn::Lit>(p.passive.tokens.clone()).is_ok()
    }

    /// `let [a, b]: [f64; 2] = ..`: of an array that was made for it, the written type may be all that tells the length.
    fn note_length(&mut self, value: &Value, mode: &Mode) {
        if let (Value::Active(a), Mode::Let { mark, ty: Some(ty @ syn::Type::Array(_)) }) = (value, mode)
            && a.place.path.is_empty()
            && a.place.root.0 as usize >= *mark
        {
            self.info_mut(a.place.root).written = Some(quote!(#ty));
        }
    }

    fn bind_name(&mut self, name: &syn::PatIdent, value: Value, mode: Mode) {
        let value = match (&name.by_ref, &mode) {
            (Some(_), _) => value.borrowed(name.mutability.is_some()),
            _ => value,
        };
        let bound = match mode {
            _ if name.by_ref.is_some() => self.settled(value),
            Mode::Let { ty: None, .. } if self.is_error(&value) && self.is_named_here(name, &value) => value,
            Mode::Let { mark, ty } => self.declare(name, value, mark, part(ty)),
            Mode::Alias { mark } => self.alias(name, value, mark),
            Mode::View { mark } => self.view(name, value, mark),
        };
        if let Some((_, inner)) = &name.subpat {
            self.bind_pattern(inner, bound.clone(), mode);
        }
        self.scope.bind(&name.ident, bound);
    }

    fn view(&mut self, name: &syn::PatIdent, value: Value, mark: usize) -> Value {
        match value {
            Value::Active(_) | Value::Tuple(_) | Value::Ref(_) if name.mutability.is_none() => self.settled(value),
            other => self.alias(name, other, mark),
        }
    }

    /// A name for a place that is not copied, unless it may change meanwhile.
    fn alias(&mut self, name: &syn::PatIdent, value: Value, mark: usize) -> Value {
        let hint = name.ident.to_string();
        match value {
            Value::Active(a) if a.refs.depth == 0 && name.mutability.is_some() => {
                self.declare(name, Value::Active(a), mark, None)
            }
            Value::Ref(_) => self.settled(value),
            Value::Active(_) | Value::Tuple(_) if name.mutability.is_none() => {
                let value = self.copied(value, &hint, name.ident.span());
                self.settled(value)
            }
            Value::Passive(p) => {
                if self.is_named_here(name, &Value::Passive(p.clone())) {
                    return Value::Passive(p);
                }
                let place = p.root.is_some() && arithmetic::is_simple(&p.passive) && self.is_stable(&p.passive);
                let literal = p.passive.reads.is_empty() && arithmetic::is_simple(&p.passive);
                let whole = p.passive.tokens.clone().into_iter().count() == 1;
                let fresh = p.root.is_some_and(|r| r.0 as usize >= mark);
                match place && p.refs.depth > 0 || (literal || place) && whole && !fresh {
                    true if name.mutability.is_none() => Value::Passive(p),
                    _ => self.declare(name, Value::Passive(p), mark, None),
                }
            }
            other => self.declare(name, other, mark, None),
        }
    }

    /// A variable without a name takes the first one that it is given; whether this is that one.
    fn is_named_here(&mut self, name: &syn::PatIdent, value: &Value) -> bool {
        let Value::Passive(p) = value else { return false };
        let whole = name.mutability.is_none() && p.passive.tokens.clone().into_iter().count() == 1;
        let root = p.root.or_else(|| p.passive.reads.only().filter(|root| self.fact(*root).error));
        let Some(root) = root.filter(|root| whole && self.fact(*root).nameless) else { return false };
        if !self.jumps.claimed.insert(root) {
            return false;
        }
        let hint = name.ident.to_string();
        if !hint.starts_with('_') {
            self.info_mut(root).hint = hint.trim_start_matches("r#").to_string();
        }
        true
    }

    /// Whether a value is the error of a call, which is kept as a whole.
    fn is_error(&self, value: &Value) -> bool {
        matches!(value, Value::Passive(p) if p.passive.reads.only().is_some_and(|root| self.fact(root).error))
    }

    fn bind_members(&mut self, patterns: Vec<&syn::Pat>, value: Value, mode: Mode, at: &syn::Pat) {
        let refs = self.refs_around(&value);
        let value = self.held_tuple(value.without_ref(), at);
        let (front, back) = around_rest(&patterns);
        let total = match (&value, self.value_ty(&value)) {
            (Value::Tuple(all), _) => Some(all.len()),
            (_, Ty::Tuple(all)) => Some(all.len()),
            _ => None,
        };
        let total = match (total, back.is_empty() && front.len() == patterns.len()) {
            (Some(n), _) => n,
            (None, true) => patterns.len(),
            (None, false) if back.is_empty() => front.len(),
            _ => return self.errors.pattern(at.span()),
        };
        if total < front.len() + back.len() {
            return self.errors.pattern(at.span());
        }
        let starts = (0..front.len()).chain(total - back.len()..total);
        for (pattern, i) in front.into_iter().chain(back).zip(starts) {
            let part = self.member(value.clone(), &syn::Member::from(i), at.span());
            let part = self.like_its_whole(&value, part);
            self.bind_pattern(pattern, through(part, refs), without_type(mode, i));
        }
    }

    /// A passive tuple is computed once.
    fn held_tuple(&mut self, value: Value, at: &syn::Pat) -> Value {
        match value {
            Value::Passive(p) if p.root.is_none() => {
                let ty = p.ty.clone();
                let shown = self.show(&Value::Passive(p), at.span());
                let held = self.hold("pair", shown);
                let var = *held.reads.iter().next().expect("it is a variable");
                self.fact_mut(var).shape = ty;
                self.value_of(var)
            }
            other => other,
        }
    }

    fn bind_elements(&mut self, patterns: Vec<&syn::Pat>, value: Value, mode: Mode, at: &syn::Pat) {
        let refs = self.refs_around(&value);
        let value = match self.held_tuple(value, at) {
            // names in a pattern are references, as the items of an iterator are
            Value::Chain(views) => Value::Chain(Rc::new((*views).clone().into_iterator())),
            other => other,
        };
        let (front, back) = around_rest(&patterns);
        let rest = patterns.get(front.len()).filter(|_| front.len() < patterns.len());
        for (i, pattern) in front.iter().enumerate() {
            let part = self.element_of(value.clone(), affine::literal(i), at.span());
            self.bind_pattern(pattern, through(part, refs), without_type(mode, i));
        }
        let Some(rest) = rest else { return };
        let len = (!back.is_empty() || !matches!(rest, syn::Pat::Rest(_))).then(|| {
            let len = self.length(&value, at.span());
            self.atom("n", len)
        });
        for (j, pattern) in back.iter().enumerate() {
            let from_end = affine::literal(back.len() - j);
            let i = arithmetic::sub(len.as_ref().expect("it was needed"), &from_end);
            let part = self.element_of(value.clone(), i, at.span());
            self.bind_pattern(pattern, through(part, refs), mode);
        }
        if let syn::Pat::Ident(name) = rest {
            let lo = (!front.is_empty()).then(|| affine::literal(front.len()));
            let hi = (!back.is_empty())
                .then(|| arithmetic::sub(len.as_ref().expect("it was needed"), &affine::literal(back.len())));
            let part = self.slice_of(value, lo, hi, at.span());
            let part = self.settled(part.behind(Refs { depth: 1, exclusive: refs.exclusive }));
            self.scope.bind(&name.ident, part);
        }
    }

    fn bind_fields(&mut self, s: &syn::PatStruct, value: Value, mode: Mode) {
        let refs = self.refs_around(&value);
        for field in &s.fields {
            let part = self.payload(value.clone(), &s.path, &field.member, field.span());
            let part = self.like_its_whole(&value, part);
            self.bind_pattern(&field.pat, through(part, refs), mode);
        }
    }

    /// The references through which a pattern sees a value: a parameter without a derivative has its own in its name.
    fn refs_around(&self, value: &Value) -> Refs {
        match value {
            Value::Passive(p) if p.refs.depth == 0 && self.is_itself_a_reference(p) => Refs::SHARED,
            value => value.refs(),
        }
    }

    /// Whether a value is a parameter that is a reference, by its name.
    pub fn is_itself_a_reference(&self, p: &Passive) -> bool {
        p.root.is_some_and(|root| self.fact(root).reference && self.info(root).name == p.passive.tokens.to_string())
    }

    /// A part of an item of which only rustc knows whether it is a reference: a reference where the item is one.
    fn like_its_whole(&mut self, whole: &Value, part: Value) -> Value {
        let (Value::Passive(all), Value::Passive(one)) = (whole, &part) else { return part };
        let is_item = |var| self.fact(var).item || is_item(&all.passive.tokens);
        if all.refs.depth > 0 || !all.root.is_some_and(is_item) {
            return part;
        }
        let taken = one.passive.clone().map(|one| carriers::part(&all.passive.tokens, one));
        self.item_once(quote!(
            use __d::{PartByReference as _, PartByValue as _};
        ));
        let held = self.hold("part", taken);
        let var = *held.reads.iter().next().expect("it is a variable");
        self.fact_mut(var).given = true;
        self.fact_mut(var).item = true;
        self.value_of(var)
    }

    /// The name of an error that holds an active value.
    fn name_active_error(&mut self, pattern: &syn::Pat) {
        let syn::Pat::Ident(name) = pattern else { return };
        if let Some(Value::Passive(p)) = self.scope.get(&name.ident) {
            let reads: Vec<Var> = p.passive.reads.iter().copied().collect();
            reads.into_iter().for_each(|var| self.fact_mut(var).error = true);
        }
    }

    fn bind_variant(&mut self, t: &syn::PatTupleStruct, value: Value, mode: Mode, at: &syn::Pat) {
        let last = t.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        match (last.as_str(), &value) {
            ("Err", Value::Maybe(maybe)) => {
                let Some(failure) = maybe.error() else { return self.errors.pattern(at.span()) };
                let error = self.error_value(failure);
                let active =
                    matches!(&error, Value::Passive(p) if p.passive.reads.iter().any(|var| self.fact(*var).error));
                match t.elems.first() {
                    Some(inner @ (syn::Pat::Ident(_) | syn::Pat::Wild(_))) => {
                        self.bind_pattern(inner, error, mode);
                        if active {
                            self.name_active_error(inner);
                        }
                    }
                    Some(inner) => {
                        self.passive_let_else(inner, error, &syn::parse_quote!(::core::unreachable!()));
                    }
                    None => {}
                }
            }
            ("Some" | "Ok", _) => {
                let maybe = as_maybe(&value).or_else(|| match last.as_str() {
                    "Some" => self.named_option(&value),
                    _ => self.option_part(&value),
                });
                let Some(maybe) = maybe else { return self.errors.pattern(at.span()) };
                let content = (maybe.content)(self);
                let content = match maybe.lent {
                    Some(exclusive) => content.borrowed(exclusive),
                    None => content,
                };
                if let Some(inner) = t.elems.first() {
                    self.bind_pattern(inner, content, mode);
                }
            }
            _ if variant(&t.path).is_some() && value.is_active() => {
                let refs = value.refs();
                let rest = t.elems.iter().position(|p| matches!(p, syn::Pat::Rest(_)));
                if rest.is_some_and(|k| k + 1 < t.elems.len()) {
                    return self.errors.pattern(at.span());
                }
                for (k, pattern) in t.elems.iter().enumerate().take(rest.unwrap_or(t.elems.len())) {
                    let part = self.payload(value.clone(), &t.path, &syn::Member::from(k), at.span());
                    self.bind_pattern(pattern, through(part, refs), without_type(mode, k));
                }
            }
            _ => self.bind_members(t.elems.iter().collect(), value, mode, at),
        }
    }
}

/// The patterns before and after `..`.
pub fn around_rest<'a>(patterns: &[&'a syn::Pat]) -> (Vec<&'a syn::Pat>, Vec<&'a syn::Pat>) {
    let is_rest = |p: &&&syn::Pat| match p {
        syn::Pat::Rest(_) => true,
        syn::Pat::Ident(i) => matches!(&i.subpat, Some((_, inner)) if matches!(**inner, syn::Pat::Rest(_))),
        _ => false,
    };
    match patterns.iter().position(|p| is_rest(&p)) {
        Some(at) => (patterns[..at].to_vec(), patterns[at + 1..].to_vec()),
        None => (patterns.to_vec(), Vec::new()),
    }
}

/// A part of something behind references is behind one itself.
fn through(part: Value, refs: Refs) -> Value {
    match part {
        part if refs.depth == 0 => part,
        Value::Maybe(maybe) => Value::Maybe(Maybe { lent: Some(refs.exclusive), ..maybe }),
        part => part.borrowed(refs.exclusive),
    }
}

/// The type of one member of a written tuple type.
fn without_type(mode: Mode, i: usize) -> Mode {
    match mode {
        Mode::Let { mark, ty: Some(syn::Type::Tuple(t)) } => Mode::Let { mark, ty: t.elems.iter().nth(i) },
        Mode::Let { mark, .. } => Mode::Let { mark, ty: None },
        alias => alias,
    }
}

fn part(ty: Option<&syn::Type>) -> Option<&syn::Type> {
    ty.filter(|t| !matches!(t, syn::Type::Infer(_)))
}

/// A `let` may give a name in capitals.
fn always_fits(name: &syn::PatIdent, mode: &Mode) -> bool {
    matches!(mode, Mode::Let { .. }) && name.ident != "None"
}
