//! Fuzzing of the macro's input: items of the test suite, damaged at random, must expand or be refused. Nothing may panic.
//!
//! Items are cut, and tokens doubled, moved, left out and brought from elsewhere; some code is nested as deep as rustc's own stack allows,
//! and some items are arbitrary tokens. `pipeline/growth.rs` has long functions.
//! `DIFFI_FUZZ=1000000 cargo test --release -p diffi-macros --lib fuzzing -- --nocapture` tries more of them, `DIFFI_SEED=7` others; a
//! failure prints the item.

use super::expand;
use fastrand::Rng;
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use std::{env, fs, path::Path};

/// How many inputs are tried, if nobody says otherwise.
const INPUTS: usize = 1500;
/// After so many inputs the spans of the tokens so far are forgotten.
const SPANS: usize = 200;
/// What does not fit anywhere, and names that the compiler knows.
const STRANGERS: &[&str] = &[
    "x",
    "self",
    "f64",
    "f32",
    "usize",
    "return",
    "break",
    "continue",
    "let",
    "mut",
    "ref",
    "move",
    "match",
    "while",
    "loop",
    "if",
    "else",
    "as",
    "in",
    "?",
    "..",
    "..=",
    "&",
    "&&",
    "*",
    "=>",
    "->",
    "::",
    ";",
    ",",
    "=",
    "+=",
    "#",
    "'a",
    "|x|",
    "||",
    "()",
    "[]",
    "{}",
    "0",
    "1.0",
    "1e400",
    "-1",
    "usize::MAX",
    "\"text\"",
    "iter",
    "map",
    "sum",
    "windows",
    "sort_by",
    "clone",
    "vec!",
    "unsafe",
    "async",
    "dyn",
    "impl",
    "where",
    "const",
    "static",
    "r#type",
    "#[cfg(test)]",
    "#[checkpoint]",
    "..x",
    "T::<f64>",
    "_",
];
const OPTIONS: &[&str] = &[
    "",
    "",
    "",
    "constant(x)",
    "constant",
    "cache(y)",
    "output(y)",
    "has_aux",
    "first_order",
    "reassociate",
    "everywhere",
    "dump(",
    "pushforward = f",
    "pullback = g",
    "root_of = h",
    "fixed_point_of = h",
    "handle = H",
    "constant(",
    "unknown",
    "constant(x, x)",
];

#[test]
fn damaged_items_do_not_panic() {
    let read = |name: &str, otherwise| env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    let (inputs, seed) = (read("DIFFI_FUZZ", INPUTS), read("DIFFI_SEED", 1));
    // rustc expands macros with a stack of this size.
    let run = move || fuzz(inputs, Rng::with_seed(seed as u64));
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(run).expect("a thread");
    let (failures, slowest) = thread.join().expect("no panic outside of expansions");
    println!("{inputs} inputs, slowest {:?}:\n{}", slowest.0, slowest.1);
    assert!(failures.is_empty(), "{} expansions panicked:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn known_names_with_other_arguments_do_not_panic() {
    let calls = [
        "special::gamma()",
        "special::erf(x[0], x[1])",
        "special::bessel_j(x[0])",
        "{ let mut a = [x[0], x[1]]; a.swap(0); a[0] }",
        "{ let mut a = [x[0], x[1]]; a.swap(0, 1, 2); a[0] }",
        "{ let a = ndarray::arr1(&[x[0], x[1]]); a.dot() }",
        "{ let a = ndarray::arr1(&[x[0], x[1]]); a.dot(&a, &a) }",
        "{ let (mut a, mut b) = (x[0], x[1]); std::mem::swap(&mut a); a * b }",
        "{ let mut a = x[0]; std::mem::replace(&mut a) * a }",
        "x[0].max()",
        "x[0].clamp(x[1])",
        "x[0].powi()",
        "x[0].mul_add(x[1])",
        "f64::hypot(x[0])",
        "x.iter().fold(0.0)",
        "x.iter().zip().count() as f64",
        "x.iter().map().sum()",
    ];
    for call in calls {
        let item: TokenStream = format!("fn f(x: &[f64]) -> f64 {{ {call} }}").parse().expect("tokens");
        let expanded = catch_unwind(AssertUnwindSafe(|| expand(TokenStream::new(), item)));
        assert!(expanded.is_ok(), "the expansion of `{call}` panics");
    }
}

/// The inputs whose expansion panicked, and the one that took longest.
fn fuzz(inputs: usize, mut random: Rng) -> (Vec<String>, (Duration, String)) {
    let corpus = corpus();
    let (mut failures, mut slowest) = (Vec::new(), (Duration::ZERO, String::new()));
    for input in 0..inputs {
        if input % SPANS == 0 {
            proc_macro2::extra::invalidate_current_thread_spans();
        }
        let (options, item) = damaged(&corpus, &mut random);
        let text = format!("#[differentiable({options})]\n{item}");
        let start = Instant::now();
        if catch_unwind(AssertUnwindSafe(|| expand(options, item))).is_err() {
            failures.push(text.clone());
        }
        if start.elapsed() > slowest.0 {
            slowest = (start.elapsed(), text);
        }
    }
    (failures, slowest)
}

/// The functions, blocks and types of the test suite, as text.
fn corpus() -> Vec<String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let folders = ["language", "programs", "structs", "composition", "soundness"];
    let files = folders.iter().flat_map(|folder| fs::read_dir(tests.join(folder)).expect("the folder is there"));
    let texts = files.filter_map(|file| fs::read_to_string(file.expect("an entry").path()).ok());
    let items = texts.filter_map(|text| syn::parse_file(&text).ok()).flat_map(|file| file.items);
    items.filter(is_differentiable).map(|item| item.to_token_stream().to_string()).collect()
}

fn is_differentiable(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Fn(f) => &f.attrs,
        syn::Item::Impl(i) => &i.attrs,
        syn::Item::Trait(t) => &t.attrs,
        syn::Item::Struct(s) => &s.attrs,
        syn::Item::Enum(e) => &e.attrs,
        _ => return false,
    };
    attributes.iter().any(|a| a.path().is_ident("differentiable") || a.path().is_ident("derive"))
}

/// Options and an item with a few errors in it.
fn damaged(corpus: &[String], random: &mut Rng) -> (TokenStream, TokenStream) {
    let mut pick = || lexed(&corpus[random.usize(..corpus.len())]);
    let (mut item, donor) = (pick(), pick());
    match random.u8(..) {
        0..10 => item = arbitrary(&donor, random, 0),
        10..13 => item = deepened(item, random),
        _ => {}
    }
    for _ in 0..random.usize(1..5) {
        item = mutated(item, &donor, random);
    }
    (lexed(OPTIONS[random.usize(..OPTIONS.len())]), item)
}

/// Text as tokens; nothing, if its brackets do not match.
fn lexed(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}

/// The stream with one change, at a place that is as likely inside of a group as beside it.
fn mutated(stream: TokenStream, donor: &TokenStream, random: &mut Rng) -> TokenStream {
    let mut tokens: Vec<TokenTree> = stream.into_iter().collect();
    let groups: Vec<usize> = (0..tokens.len()).filter(|k| matches!(tokens[*k], TokenTree::Group(_))).collect();
    if !groups.is_empty() && random.u8(..) < 200 {
        let k = groups[random.usize(..groups.len())];
        if let TokenTree::Group(group) = &tokens[k] {
            let inside = mutated(group.stream(), donor, random);
            tokens[k] = Group::new(group.delimiter(), inside).into();
        }
        return tokens.into_iter().collect();
    }
    let at = random.usize(..tokens.len() + 1);
    match random.u8(..8) {
        0 => tokens.truncate(at),
        1 if at < tokens.len() => drop(tokens.remove(at)),
        2 if at < tokens.len() => tokens.insert(at, tokens[at].clone()),
        3 if at + 1 < tokens.len() => tokens.swap(at, at + 1),
        4 => drop(tokens.splice(at..at, part(donor.clone(), random))),
        5 if at < tokens.len() => {
            tokens[at] = part(donor.clone(), random).into_iter().next().unwrap_or_else(|| number(random))
        }
        6 => drop(tokens.splice(at..at, [Group::new(Delimiter::Brace, quote!(x)).into()])),
        _ => drop(tokens.splice(at..at, lexed(STRANGERS[random.usize(..STRANGERS.len())]))),
    }
    tokens.into_iter().collect()
}

/// Tokens of items and strangers, in groups of any kind.
fn arbitrary(donor: &TokenStream, random: &mut Rng, depth: usize) -> TokenStream {
    let mut tokens = Vec::new();
    for _ in 0..random.usize(1..12) {
        match random.u8(..4) {
            0 if depth < 6 => tokens.push(Group::new(delimiter(random), arbitrary(donor, random, depth + 1)).into()),
            1 => tokens.extend(lexed(STRANGERS[random.usize(..STRANGERS.len())])),
            _ => tokens.extend(part(donor.clone(), random)),
        }
    }
    tokens.into_iter().collect()
}

/// The stream with one of its groups, however deep, in many groups of one kind.
fn deepened(stream: TokenStream, random: &mut Rng) -> TokenStream {
    let mut tokens: Vec<TokenTree> = stream.into_iter().collect();
    let groups: Vec<usize> = (0..tokens.len()).filter(|k| matches!(tokens[*k], TokenTree::Group(_))).collect();
    let Some(last) = groups.last() else { return tokens.into_iter().collect() };
    let TokenTree::Group(group) = tokens[*last].clone() else { unreachable!("a group") };
    let mut inside = match random.u8(..4) {
        0 => group.stream(),
        _ => deepened(group.stream(), random),
    };
    if random.u8(..4) == 0 {
        let around = delimiter(random);
        for _ in 0..random.usize(10..40) {
            inside = Group::new(around, inside).to_token_stream();
        }
    }
    tokens[*last] = Group::new(group.delimiter(), inside).into();
    tokens.into_iter().collect()
}

fn delimiter(random: &mut Rng) -> Delimiter {
    [Delimiter::Brace, Delimiter::Parenthesis, Delimiter::Bracket][random.usize(..3)]
}

/// A run of tokens from somewhere in the stream.
fn part(stream: TokenStream, random: &mut Rng) -> Vec<TokenTree> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let Some(at) = (!tokens.is_empty()).then(|| random.usize(..tokens.len())) else { return Vec::new() };
    match &tokens[at] {
        TokenTree::Group(group) if random.u8(..) < 200 => part(group.stream(), random),
        _ => tokens[at..(at + random.usize(1..6)).min(tokens.len())].to_vec(),
    }
}

fn number(random: &mut Rng) -> TokenTree {
    match random.bool() {
        true => Literal::f64_suffixed(2.5).into(),
        false => Ident::new("x", Span::call_site()).into(),
    }
}
