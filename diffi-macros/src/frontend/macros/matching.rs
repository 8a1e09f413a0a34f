//! Which rule of a macro its arguments fit, and what its fragments are.
//!
//! rustc takes the first rule that fits. It reads a fragment only where nothing else could stand, and gives up where that fails; so does this.
//! Where there are two ways to read the arguments rustc refuses the program.

use super::pieces::{Kind, Piece, pieces};
use super::rules::{self, Pattern, Rule, Times, is_whole};
use super::variables::Marks;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};

/// The most steps of one macro.
const MOST: usize = 20_000;

/// What fragments are, by their names.
pub type Bindings = Vec<(String, Binding)>;

#[derive(Clone, Debug)]
pub enum Binding {
    One(Vec<TokenTree>),
    /// Of a repetition.
    Many(Vec<Bindings>),
}

/// The arguments are not understood.
struct Unclear;

/// The first rule that fits, and its fragments.
pub fn matched(rules: &[Rule], tokens: TokenStream, marks: &Marks) -> Option<(usize, Bindings)> {
    let input = pieces(tokens);
    let mut matcher = Matcher { marks, steps: 0 };
    for (at, rule) in rules.iter().enumerate() {
        let mut all = matcher.all(&rule.pattern, &input).ok()?;
        all.retain(|(_, count)| *count == input.len());
        match all.len() {
            0 => {}
            1 => return all.pop().map(|(bindings, _)| (at, bindings)),
            _ => return None,
        }
    }
    None
}

struct Matcher<'m> {
    marks: &'m Marks,
    steps: usize,
}

/// Fragments, and how many tokens they and what stands around them are.
type Ways = Vec<(Bindings, usize)>;

impl Matcher<'_> {
    /// Every way in which the head of the input fits.
    fn all(&mut self, patterns: &[Pattern], input: &[Piece]) -> Result<Ways, Unclear> {
        let mut ways: Ways = vec![(Vec::new(), 0)];
        for pattern in patterns {
            let mut next = Vec::new();
            for (bindings, from) in ways {
                for (more, count) in self.one(pattern, &input[from..])? {
                    next.push((bindings.iter().cloned().chain(more).collect(), from + count));
                }
            }
            ways = next;
        }
        Ok(ways)
    }

    fn one(&mut self, pattern: &Pattern, input: &[Piece]) -> Result<Ways, Unclear> {
        self.steps += 1;
        if self.steps > MOST {
            return Err(Unclear);
        }
        let none = || Ok(Vec::new());
        match (pattern, input.first()) {
            (Pattern::Repeat { inner, separator, times }, _) => self.repeat(inner, separator.as_ref(), *times, input),
            (_, None) => none(),
            (Pattern::Piece(piece), Some(first)) if self.same(piece, first) => Ok(vec![(Vec::new(), 1)]),
            (Pattern::Piece(_), _) => none(),
            (Pattern::Group(delimiter, inner), Some(first)) => {
                let Some(group) = first.group().filter(|group| group.delimiter() == *delimiter) else { return none() };
                let within = pieces(group.stream());
                let ways = self.all(inner, &within)?.into_iter();
                Ok(ways.filter(|(_, count)| *count == within.len()).map(|(bindings, _)| (bindings, 1)).collect())
            }
            (Pattern::Fragment { name, kind }, Some(first)) => {
                if !begins(kind, first)? {
                    return none();
                }
                let (trees, count) = fragment(kind, input).ok_or(Unclear)?;
                Ok(vec![(vec![(name.clone(), Binding::One(trees))], count)])
            }
        }
    }

    fn repeat(
        &mut self,
        inner: &[Pattern],
        separator: Option<&Piece>,
        times: Times,
        input: &[Piece],
    ) -> Result<Ways, Unclear> {
        let mut done: Vec<(Vec<Bindings>, usize)> = Vec::new();
        let mut open: Vec<(Vec<Bindings>, usize)> = vec![(Vec::new(), 0)];
        while let Some((turns, from)) = open.pop() {
            let at = match separator.filter(|_| !turns.is_empty()) {
                Some(separator) => input[from..].first().filter(|piece| self.same(separator, piece)).map(|_| from + 1),
                None => Some(from),
            };
            let more = times != Times::Optional || turns.is_empty();
            for (bindings, count) in
                at.filter(|_| more).map_or_else(|| Ok(Vec::new()), |at| self.all(inner, &input[at..]))?
            {
                let end = at.unwrap_or(from) + count;
                if end > from {
                    open.push((turns.iter().cloned().chain([bindings]).collect(), end));
                }
            }
            done.push((turns, from));
        }
        done.retain(|(turns, _)| times != Times::Some || !turns.is_empty());
        let names = rules::names(inner);
        Ok(done.into_iter().map(|(turns, end)| (together(&names, turns), end)).collect())
    }

    /// Whether two tokens are the same to rustc.
    fn same(&self, pattern: &Piece, given: &Piece) -> bool {
        match (&pattern.kind, &given.kind, &given.trees[..]) {
            (Kind::Word(word), Kind::Word(_), [TokenTree::Ident(name)]) => *word == self.marks.unmarked(name),
            (Kind::Sign(sign), Kind::Sign(given), _) => sign == given,
            (Kind::Literal | Kind::Lifetime, ..) => {
                pattern.kind == given.kind && pattern.tokens().to_string() == given.tokens().to_string()
            }
            _ => false,
        }
    }
}

/// The turns of a repetition under the name of each fragment.
fn together(names: &[String], turns: Vec<Bindings>) -> Bindings {
    names.iter().map(|name| (name.clone(), Binding::Many(turns.clone()))).collect()
}

/// Words that begin no expression.
const NO_OPERAND: &[&str] = &[
    "as", "else", "enum", "extern", "fn", "impl", "in", "let", "mod", "mut", "pub", "ref", "struct", "trait", "type",
    "use", "where", "dyn",
];

/// Whether a fragment may begin with a token, as rustc decides.
fn begins(kind: &str, first: &Piece) -> Result<bool, Unclear> {
    let word = |word: &str| matches!(&first.kind, Kind::Word(own) if own == word);
    let sign = |signs: &[&str]| signs.iter().any(|sign| first.is_sign(sign));
    let is_word = matches!(first.kind, Kind::Word(_));
    match kind {
        "tt" => Ok(true),
        "ident" => Ok(is_word && !word("_")),
        "literal" => Ok(first.kind == Kind::Literal || sign(&["-"]) || word("true") || word("false")),
        "block" => Ok(first.kind == Kind::Group(Delimiter::Brace)),
        "expr" | "expr_2021" => match &first.kind {
            Kind::Word(own) if own == "_" || own == "const" || own == "unsafe" || own == "async" => Err(Unclear),
            Kind::Word(own) => Ok(!NO_OPERAND.contains(&own.as_str())),
            Kind::Lifetime => Err(Unclear),
            Kind::Literal | Kind::Group(_) => Ok(true),
            Kind::Sign(_) => Ok(sign(&["-", "*", "!", "&", "&&", "|", "||", "<", "<<", "..", "...", "..=", "::", "#"])),
        },
        "ty" => match &first.kind {
            Kind::Word(own) => Ok(!NO_OPERAND.contains(&own.as_str()) || ["fn", "impl", "dyn"].contains(&own.as_str())),
            Kind::Group(delimiter) => Ok(*delimiter != Delimiter::Brace),
            Kind::Sign(_) => Ok(sign(&["!", "*", "&", "&&", "?", "<", "<<", "::"])),
            Kind::Literal => Ok(false),
            Kind::Lifetime => Err(Unclear),
        },
        "path" => Ok(is_word && !word("_") || sign(&["::", "<", "<<"])),
        _ => Err(Unclear),
    }
}

/// A fragment at the head of the input, and how many tokens it is.
fn fragment(kind: &str, input: &[Piece]) -> Option<(Vec<TokenTree>, usize)> {
    let whole = |trees: Vec<TokenTree>, count| Some((trees, count));
    match kind {
        "tt" | "ident" | "block" => whole(input[0].trees.clone(), 1),
        "literal" if input[0].is_sign("-") => {
            let number = input.get(1).filter(|piece| piece.kind == Kind::Literal)?;
            let trees: TokenStream = input[0].trees.iter().chain(&number.trees).cloned().collect();
            whole(vec![grouped(trees)], 2)
        }
        "literal" => whole(input[0].trees.clone(), 1),
        "ty" => parsed::<syn::Type>(input).and_then(|(ty, count)| whole(trees_of(ty), count)),
        "path" => parsed::<syn::Path>(input).and_then(|(path, count)| whole(trees_of(path), count)),
        _ => {
            let (expression, count) = parsed::<syn::Expr>(input)?;
            let trees: Vec<TokenTree> = input[..count].iter().flat_map(|piece| piece.trees.clone()).collect();
            whole(if is_whole(&expression) { trees } else { vec![grouped(trees.into_iter().collect())] }, count)
        }
    }
}

/// In parentheses, so that nothing around takes a part of it.
fn grouped(tokens: TokenStream) -> TokenTree {
    let span = tokens.clone().into_iter().next().map(|tree| tree.span());
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    span.into_iter().for_each(|span| group.set_span(span));
    group.into()
}

fn trees_of(syntax: impl ToTokens) -> Vec<TokenTree> {
    syntax.into_token_stream().into_iter().collect()
}

/// The longest syntax of a kind at the head of the input, and how many tokens it is.
fn parsed<T: Parse>(input: &[Piece]) -> Option<(T, usize)> {
    let tokens: TokenStream = input.iter().flat_map(|piece| piece.trees.clone()).collect();
    let head = |stream: ParseStream<'_>| Ok((stream.parse::<T>()?, stream.parse::<TokenStream>()?));
    let (syntax, rest) = head.parse2(tokens).ok()?;
    let rest = rest.into_iter().count();
    let mut left = 0;
    let count = input.iter().rev().take_while(|piece| {
        let more = left < rest;
        left += if more { piece.trees.len() } else { 0 };
        more
    });
    let count = input.len() - count.count();
    (left == rest && count > 0).then_some((syntax, count))
}
