//! Methods of sequences that are shorter ways to write others, a row each: what they stand for, as Rust.

use crate::frontend::iterators::{applied, is_exhausted};
use crate::frontend::lower::std_methods::Called;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::frontend::syntax::unused::unused;
use crate::frontend::syntax::{effects, types};
use crate::ir::Ty;
use crate::support::names;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

/// A method of a sequence.
struct Row {
    name: &'static str,
    args: usize,
    /// Its arguments may be closures that change what they are given, which is a copy here.
    looks: bool,
    /// What it stands for.
    code: fn(&Site) -> Option<TokenStream>,
}

/// Those of them that nothing else has: what has one is a `Vec`, or a slice.
const OF_STD_ALONE: &[&str] = &[
    "resize_with",
    "extend_from_within",
    "dedup_by",
    "dedup_by_key",
    "retain_mut",
    "splice",
    "extract_if",
    "strip_prefix",
    "strip_suffix",
    "into_flattened",
    "try_reserve",
    "try_reserve_exact",
    "reserve_exact",
    "shrink_to_fit",
    "pop_if",
    "select_nth_unstable_by",
    "select_nth_unstable_by_key",
];

/// Those for which rustc is asked whether the method is std's.
const ASKED: &[&str] = &["splice", "extract_if", "strip_prefix", "strip_suffix", "try_reserve", "try_reserve_exact"];

/// A call of such a method.
struct Site<'a> {
    method: &'a Ident,
    /// The whole call.
    call: TokenStream,
    /// The sequence, as a place.
    v: TokenStream,
    args: Vec<&'a syn::Expr>,
    /// Whether its value is asked for.
    wanted: bool,
    /// Whether the argument is one number.
    number: bool,
    /// The method that adds an element at the end.
    push: Ident,
}

impl Site<'_> {
    /// Names that the call does not mention.
    fn names<const N: usize>(&self, names: [&str; N]) -> [Ident; N] {
        names.map(|name| unused(name, &self.call, self.method.span()))
    }

    /// Whether an argument is a closure that has copies of what it captures, from call to call.
    fn moves(&self, k: usize) -> bool {
        matches!(strip_parens(self.args[k]), syn::Expr::Closure(c) if c.capture.is_some())
    }

    /// A function that is called several times: a closure with copies of its own gets a name before.
    fn function(&self, k: usize, name: &Ident) -> (TokenStream, syn::Expr) {
        let f = self.args[k];
        match self.moves(k) {
            true => (quote!(let mut #name = #f;), syn::parse_quote!(#name)),
            false => (TokenStream::new(), f.clone()),
        }
    }
}

const fn row(name: &'static str, args: usize, code: fn(&Site) -> Option<TokenStream>) -> Row {
    Row { name, args, looks: false, code }
}

const ROWS: &[Row] = &[
    row("fill_with", 1, |s| {
        let (v, [element, function]) = (&s.v, s.names(["element", "function"]));
        let (bound, function) = s.function(0, &function);
        let made = made_by(&function);
        Some(quote!({ #bound for #element in #v.iter_mut() { *#element = #made; } }))
    }),
    row("resize_with", 2, |s| {
        let (v, n, push, [length, made, function]) =
            (&s.v, s.args[0], &s.push, s.names(["length", "made", "function"]));
        let (bound, function) = s.function(1, &function);
        let new = made_by(&function);
        Some(quote!({
            let #length = #n;
            #bound
            #v.truncate(#length);
            while #v.len() < #length {
                let #made = #new;
                #v.#push(#made);
            }
        }))
    }),
    row("extend_from_within", 1, |s| {
        let (v, range, [part]) = (&s.v, s.args[0], s.names(["part"]));
        Some(quote!({ let #part = #v[#range].to_vec(); #v.extend(#part); }))
    }),
    Row {
        looks: true,
        ..row("dedup_by", 1, |s| {
            let Both { this, before } = &Both::of(s);
            let same = applied(&s.args[0].to_token_stream(), &[quote!(&mut #this), quote!(&mut #before)]);
            (!s.moves(0)).then(|| kept_where(s, &quote!(!(#same))))
        })
    },
    Row {
        looks: true,
        ..row("dedup_by_key", 1, |s| {
            let Both { this, before } = &Both::of(s);
            let [this, before] = [this, before].map(|of| applied(&s.args[0].to_token_stream(), &[quote!(&mut #of)]));
            (!s.moves(0)).then(|| kept_where(s, &quote!((#this) != (#before))))
        })
    },
    row("retain_mut", 1, |s| {
        let (v, [kept, at, function]) = (&s.v, s.names(["kept", "at", "function"]));
        let (bound, f) = s.function(0, &function);
        Some(quote!({
            #bound
            let mut #kept = 0usize;
            for #at in 0..#v.len() {
                if (#f)(&mut #v[#at]) {
                    #v.swap(#kept, #at);
                    #kept += 1;
                }
            }
            #v.truncate(#kept);
        }))
    }),
    row("splice", 2, spliced),
    row("extract_if", 2, extracted),
    row("repeat", 1, |s| {
        let (v, n, [part, all]) = (&s.v, s.args[0], s.names(["part", "all"]));
        Some(quote!({
            let #part = #v.to_vec();
            let mut #all = ::std::vec::Vec::new();
            for _ in 0..#n {
                #all.extend_from_slice(&#part);
            }
            #all
        }))
    }),
    row("join", 1, |s| {
        let (v, between, [all, at, part]) = (&s.v, s.args[0], s.names(["all", "at", "part"]));
        let joint = if s.number { quote!(#all.push(*#between);) } else { quote!(#all.extend_from_slice(#between);) };
        Some(quote!({
            let mut #all = ::std::vec::Vec::new();
            for (#at, #part) in #v.iter().enumerate() {
                if #at > 0 {
                    #joint
                }
                #all.extend_from_slice(#part);
            }
            #all
        }))
    }),
    row("strip_prefix", 1, |s| {
        let (v, end, [prefix, fits, at]) = (&s.v, s.args[0], s.names(["prefix", "fits", "at"]));
        Some(quote!({
            let #prefix = #end;
            let #fits = #v.starts_with(#prefix);
            let #at = #prefix.len();
            #fits.then(|| &#v[#at..])
        }))
    }),
    row("strip_suffix", 1, |s| {
        let (v, end, [suffix, fits, at]) = (&s.v, s.args[0], s.names(["suffix", "fits", "at"]));
        Some(quote!({
            let #suffix = #end;
            let #fits = #v.ends_with(#suffix);
            let #at = #v.len().saturating_sub(#suffix.len());
            #fits.then(|| &#v[..#at])
        }))
    }),
    row("into_flattened", 0, |s| {
        let v = &s.v;
        Some(quote!(#v.iter().flatten().cloned().collect::<Vec<_>>()))
    }),
    row("try_reserve", 1, |_| Some(reserved())),
    row("try_reserve_exact", 1, |_| Some(reserved())),
    row("reserve", 1, |_| Some(quote!({}))),
    row("reserve_exact", 1, |_| Some(quote!({}))),
    row("shrink_to_fit", 0, |_| Some(quote!({}))),
    row("shrink_to", 1, |_| Some(quote!({}))),
    row("clone_from", 1, |s| {
        let (v, other) = (&s.v, s.args[0]);
        Some(quote!({ #v = (#other).clone(); }))
    }),
    row("pop_if", 1, |s| {
        let (v, f, [leaves, last]) = (&s.v, s.args[0], s.names(["leaves", "last"]));
        Some(quote!({
            let #leaves = match #v.last_mut() {
                Some(#last) => (#f)(#last),
                None => false,
            };
            if #leaves { #v.pop() } else { None }
        }))
    }),
    row("select_nth_unstable_by", 2, selected),
    row("select_nth_unstable_by_key", 2, selected),
];

/// The ends of a range of elements, which is the first argument.
fn ends(s: &Site) -> Option<(TokenStream, TokenStream)> {
    let v = &s.v;
    let syn::Expr::Range(range) = strip_parens(s.args[0]) else { return None };
    let start = range.start.as_ref().map_or(quote!(0), |e| quote!(#e));
    let end = match (&range.end, &range.limits) {
        (None, _) => quote!(#v.len()),
        (Some(e), syn::RangeLimits::HalfOpen(_)) => quote!(#e),
        (Some(e), syn::RangeLimits::Closed(_)) => quote!((#e) + 1),
    };
    Some((start, end))
}

/// The elements for which a function holds, which leave.
fn extracted(s: &Site) -> Option<TokenStream> {
    let (v, (start, end)) = (&s.v, ends(s)?);
    let [from, to, function, taken] = s.names(["from", "to", "function", "taken"]);
    let [kept, at, tail] = s.names(["kept", "at", "tail"]);
    let (bound, f) = s.function(1, &function);
    Some(quote!({
        let #from = #start;
        let #to = #end;
        #bound
        let mut #taken = ::std::vec::Vec::new();
        let mut #kept = #from;
        for #at in #from..#to {
            if (#f)(&mut #v[#at]) {
                #taken.push(#v[#at].clone());
            } else {
                #v.swap(#kept, #at);
                #kept += 1;
            }
        }
        let #tail = #v.split_off(#to);
        #v.truncate(#kept);
        #v.extend(#tail);
        #taken
    }))
}

/// Elements in the place of others, which are its value.
fn spliced(s: &Site) -> Option<TokenStream> {
    let (v, new) = (&s.v, s.args[1]);
    let (start, end) = ends(s)?;
    let [from, to, added, tail, taken] = s.names(["from", "to", "added", "tail", "taken"]);
    let none = matches!(strip_parens(new), syn::Expr::Array(all) if all.elems.is_empty());
    let (made, extended) = match none {
        true => (None, None),
        false => (Some(quote!(let #added = #new;)), Some(quote!(#v.extend(#added);))),
    };
    let (cut, value) = match s.wanted {
        true => (quote!(let #taken = #v.split_off(#from);), Some(quote!(#taken))),
        false => (quote!(#v.truncate(#from);), None),
    };
    Some(quote!({
        let #from = #start;
        let #to = #end;
        #made
        let #tail = #v.split_off(#to);
        #cut
        #extended
        #v.extend(#tail);
        #value
    }))
}

/// Room is no matter of derivatives.
fn reserved() -> TokenStream {
    quote!(Ok::<(), ::std::collections::TryReserveError>(()))
}

/// The three parts that a selection gives, where they are asked for.
fn selected(s: &Site) -> Option<TokenStream> {
    let (v, index, by, method) = (&s.v, s.args[0], s.args[1], s.method);
    let [at, below, rest, element, above] = s.names(["at", "below", "rest", "element", "above"]);
    s.wanted.then(|| {
        quote!({
            let #at = #index;
            #v.#method(#at, #by);
            let (#below, #rest) = #v.split_at_mut(#at);
            let (#element, #above) = #rest.split_first_mut().unwrap();
            (#below, #element, #above)
        })
    })
}

/// A name or its field, which is the same place as often as it is evaluated.
fn is_named(e: &syn::Expr) -> bool {
    match strip_parens(e) {
        syn::Expr::Path(_) => true,
        syn::Expr::Field(f) => is_named(&f.base),
        _ => false,
    }
}

fn row_of(m: &syn::ExprMethodCall) -> Option<&'static Row> {
    let row = ROWS.iter().find(|row| m.method == row.name && m.args.len() == row.args);
    row.filter(|row| row.name != "extract_if" || is_exhausted(m))
}

/// A value by a function without parameters.
fn made_by(f: &syn::Expr) -> TokenStream {
    match strip_parens(f) {
        syn::Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "default") => quote!(0.0),
        f => quote!((#f)()),
    }
}

/// The names of an element, and of the one before it that is kept.
struct Both {
    this: Ident,
    before: Ident,
}

impl Both {
    fn of(s: &Site) -> Self {
        let [this, before] = s.names(["this", "before"]);
        Both { this, before }
    }
}

/// The elements that differ from the one before them that is kept.
fn kept_where(s: &Site, condition: &TokenStream) -> TokenStream {
    let (v, Both { this, before }, [kept, at, differs]) = (&s.v, &Both::of(s), s.names(["kept", "at", "differs"]));
    quote!({
        let mut #kept = 0usize;
        for #at in 0..#v.len() {
            let #differs = if #kept == 0 {
                true
            } else {
                let mut #this = #v[#at].clone();
                let mut #before = #v[#kept - 1].clone();
                #condition
            };
            if #differs {
                #v.swap(#kept, #at);
                #kept += 1;
            }
        }
        #v.truncate(#kept);
    })
}

/// Methods that are refused, and what to write in their place.
pub const REFUSED: &[(&str, &str)] = &[
    ("as_chunks", "say how many elements a part has, `as_chunks::<2>()`, or use `chunks_exact(n)`"),
    ("as_chunks_mut", "say how many elements a part has, `as_chunks_mut::<2>()`, or use `chunks_exact_mut(n)`"),
    ("as_rchunks", "say how many elements a part has, `as_rchunks::<2>()`, or use `rchunks_exact(n)`"),
    ("as_rchunks_mut", "say how many elements a part has, `as_rchunks_mut::<2>()`, or use `rchunks_exact_mut(n)`"),
    ("get_disjoint_mut", "write the indices out, `get_disjoint_mut([i, j])`, or use `split_at_mut(k)`"),
    ("split_off_first", "use `split_first()`"),
    ("split_off_first_mut", "use `split_first_mut()`"),
    ("split_off_last", "use `split_last()`"),
    ("split_off_last_mut", "use `split_last_mut()`"),
    (
        "extract_if",
        "take all elements that leave, `extract_if(.., f).collect()`, or use `retain(f)` with a copy before it",
    ),
    ("leak", "keep the `Vec`, and borrow it"),
    ("as_slices", "use `iter()`"),
    ("as_mut_slices", "use `iter_mut()`"),
    ("capacity", names::CAPACITY),
    ("spare_capacity_mut", "use `push`"),
    ("set_len", "use `truncate` and `push`"),
    ("as_ptr", "use indices"),
    ("as_mut_ptr", "use indices"),
    ("get_unchecked", "use an index, `v[i]`"),
    ("get_unchecked_mut", "use an index, `v[i]`"),
    ("align_to", "use indices"),
    ("as_array", "use `try_into().unwrap()`"),
    ("splice", "use `drain(range)`, and `insert` what comes in their place"),
];

impl Lower {
    /// Refuses a method of sequences that is not known, and says what to write; whether it is one.
    pub fn refused_of_sequences(&mut self, receiver: &Value, method: &Ident) -> bool {
        let row = REFUSED.iter().find(|(name, _)| method == name);
        let Some((name, instead)) = row.filter(|_| types::is_sequence(&self.value_ty(receiver))) else { return false };
        if receiver.is_active() {
            self.errors.unsupported(method.span(), &format!("`{name}`"), instead);
        }
        receiver.is_active()
    }

    /// A method that is a shorter way to write others, where its receiver is a sequence.
    pub fn written_out(&mut self, m: &syn::ExprMethodCall, wanted: bool) -> Option<Value> {
        let row = row_of(m)?;
        if self.is_chain(&m.receiver) || self.is_passive(&syn::Expr::MethodCall(m.clone())) {
            return None;
        }
        if row.looks && m.args.iter().any(effects::assigns_in_closures) {
            return None;
        }
        let receiver = self.untyped(&m.receiver);
        let ty = self.value_ty(&receiver);
        match &receiver {
            Value::Active(a) if ty == Ty::Unknown && !a.place.path.is_empty() && OF_STD_ALONE.contains(&row.name) => {
                self.only_of_std_types(&receiver, row.name, m.method.span());
                self.refine(&a.place, Ty::Vec(Box::new(Ty::Unknown)));
            }
            _ if !types::is_sequence(&ty) => return None,
            _ => {}
        }
        if row.name == "into_flattened" && !matches!(types::element(&ty), Ty::Array(_)) {
            return None;
        }
        if ASKED.contains(&row.name) {
            self.only_method_of_std(&receiver, &Called::of(m));
        }
        let scope = self.scope.clone();
        let v = match strip_parens(&m.receiver) {
            place if is_named(place) => quote!(#place),
            _ => {
                let receiver = self.settled(receiver);
                self.name_for(receiver).to_token_stream()
            }
        };
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let number = m.method == "join" && self.is_one_number(args[0]);
        let push = Ident::new("push", m.method.span());
        let code = (row.code)(&Site { method: &m.method, call: m.to_token_stream(), v, args, wanted, number, push })?;
        let value = self.expr(&syn::parse_quote_spanned!(m.span()=> #code));
        self.scope = scope;
        Some(value)
    }

    /// The same of a `VecDeque` that has a name.
    pub fn written_out_of_queue(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        let (row, v) = (row_of(m)?, m.receiver.to_token_stream());
        let push = Ident::new("push_back", m.method.span());
        let (call, args) = (m.to_token_stream(), m.args.iter().collect());
        let site = Site { method: &m.method, call, v, args, wanted: true, number: false, push };
        let code = (row.code)(&site)?;
        Some(self.expr(&syn::parse_quote_spanned!(m.span()=> #code)))
    }

    fn is_one_number(&mut self, e: &syn::Expr) -> bool {
        let (_, value) = self.inside(|l| l.untyped(e));
        self.value_ty(&value) == Ty::Float
    }
}
