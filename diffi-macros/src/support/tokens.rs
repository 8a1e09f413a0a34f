//! The tokens that this compiler works on are its own, not rustc's.
//!
//! A stream of rustc's tokens is a handle: to copy it, to walk through it, to put one together and to drop it is a call into rustc,
//! and there would be thousands of them a function. So what comes in is copied once into tokens that live in this crate, and what
//! goes out is made into rustc's once. Text that rustc has lexed stays with rustc, and a name stands for it.
//!
//! In between, the span of a token is that of a line in a text with a line for each of rustc's tokens, and so says which one it
//! came from: on the way out it is exchanged for that one's, and errors point at the user's code.

mod deep;
pub mod names;
mod plain;

use self::plain::{Plain, built};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use std::cell::RefCell;
use std::path::PathBuf;

/// What stands for `$crate`, which is a name to rustc only.
pub const DOLLAR_CRATE: &str = "__diffi_dollar_crate";

/// The name that stands for text which rustc has lexed, in front of its number.
const LEXED: &str = "__diffi_lexed_";

thread_local! {
    static HOST: RefCell<Host> = RefCell::default();
}

/// What is known of rustc's tokens.
#[derive(Default)]
struct Host {
    /// The tokens that came in.
    seen: Vec<Seen>,
    /// The spans of the lines: one for each of these tokens, as many for [the same resolved here](resolved_here), and one
    /// for what stands [apart]. Lines stay from one expansion to the next.
    lines: Vec<Span>,
    /// What rustc has lexed.
    lexed: Vec<proc_macro::TokenStream>,
    /// How many tokens came in; none where nothing is expanded.
    count: usize,
    /// How deeply the expressions among them are nested, at most.
    depth: usize,
    /// In a thread of its own, where rustc answers nothing: the contexts of the tokens, and the text that is to be lexed.
    apart: Option<deep::Apart>,
}

/// One of rustc's tokens.
enum Seen {
    Ident(proc_macro::Ident),
    Punct(proc_macro::Punct),
    Literal(proc_macro::Literal),
    Open { delimiter: proc_macro::Delimiter, bracket: proc_macro::Span, group: proc_macro::Span, close: usize },
    Close(proc_macro::Span),
}

/// An expansion: what rustc gives goes in as our own tokens, and what comes of it goes out as rustc's.
pub fn expand<const N: usize>(
    given: [proc_macro::TokenStream; N],
    expand: impl FnOnce([TokenStream; N]) -> TokenStream + Send,
) -> proc_macro::TokenStream {
    proc_macro2::fallback::force();
    let _session = Session;
    let (plain, depth) = HOST.with_borrow_mut(|host| (host.take(given), host.depth));
    let out = match depth > deep::SHALLOW {
        true => deep::expand(plain, depth, expand),
        false => expand(HOST.with_borrow_mut(|host| host.own(plain))),
    };
    HOST.with_borrow(|host| host.give(out))
}

/// Handles are of no use when the expansion is over, or was broken off.
struct Session;

impl Drop for Session {
    fn drop(&mut self) {
        HOST.with_borrow_mut(|host| {
            host.seen.clear();
            host.lexed.clear();
            (host.count, host.depth) = (0, 0);
        });
    }
}

/// Text as tokens. In an expansion rustc lexes it, whose lexer is compiled with optimisations.
pub fn lexed(text: &str) -> TokenStream {
    let number = match proc_macro::is_available() {
        true => lexed_by_rustc(text),
        false => match HOST.with_borrow_mut(|host| host.apart.as_mut().map(|apart| apart.lexed(text))) {
            Some(number) => number,
            None => return lexed_here(text),
        },
    };
    TokenTree::Ident(Ident::new(&format!("{LEXED}{number}"), Span::call_site())).into()
}

/// The number of text that rustc has lexed.
fn lexed_by_rustc(text: &str) -> usize {
    let tokens = text.parse().unwrap_or_else(|_| panic!("the templates are Rust: {text}"));
    HOST.with_borrow_mut(|host| {
        host.lexed.push(tokens);
        host.lexed.len() - 1
    })
}

/// The same as tokens of our own, for who looks at them.
pub fn lexed_here(text: &str) -> TokenStream {
    lexed_of_users(text).unwrap_or_else(|| panic!("the templates are Rust: {text}"))
}

/// The same of text that is none of ours, if it is Rust.
pub fn lexed_of_users(text: &str) -> Option<TokenStream> {
    text.parse().ok().map(without_places)
}

/// Tokens without the lines that they stand in, by which they would be taken for rustc's.
pub fn without_places(tokens: TokenStream) -> TokenStream {
    let tree = |mut tree: TokenTree| {
        if let TokenTree::Group(group) = &tree {
            tree = Group::new(group.delimiter(), without_places(group.stream())).into();
        }
        tree.set_span(Span::call_site());
        tree
    };
    tokens.into_iter().map(tree).collect()
}

/// The same place in the user's code, where names are what they are in our text.
pub fn resolved_here(span: Span) -> Span {
    HOST.with_borrow(|host| match line(span) {
        Some(k) if k < host.count => host.lines[host.count + k],
        _ => span,
    })
}

/// For names that are none of the user's, and none in our text.
pub fn apart() -> Span {
    HOST.with_borrow(|host| match host.count {
        0 => Span::call_site(),
        count => host.lines[2 * count],
    })
}

/// Tokens as text, with what rustc has lexed.
pub fn text(tokens: &TokenStream) -> String {
    match proc_macro::is_available() {
        true => HOST.with_borrow(|host| host.give(tokens.clone())).to_string(),
        false => tokens.to_string(),
    }
}

/// A place in a source file, where lines and columns are counted from one.
pub struct Position {
    pub file: PathBuf,
    pub line: usize,
    pub column: usize,
}

/// Where the attribute at hand stands, if rustc is there to say so and it is in a file.
pub fn position() -> Option<Position> {
    let here = proc_macro::is_available().then(proc_macro::Span::call_site)?;
    Some(Position { file: here.local_file()?, line: here.line(), column: here.column() })
}

/// The [context](context) of what no macro made.
pub const USERS: &str = "#0";

/// Which macro's text one of rustc's tokens was written in, if it is one. rustc tells nobody but by what it prints for debugging:
/// `#0 bytes(10..11)`.
pub fn context(span: Span) -> Option<String> {
    HOST.with_borrow(|host| match proc_macro::is_available() {
        true => context_of(host.span(span)?),
        false => host.apart.as_ref()?.context(line(span)?),
    })
}

fn context_of(span: proc_macro::Span) -> Option<String> {
    format!("{span:?}").split(' ').next().filter(|context| context.starts_with('#')).map(str::to_owned)
}

/// The number of the line that a span begins in. The first line of any text is none: there stand tokens that are not rustc's.
fn line(span: Span) -> Option<usize> {
    span.start().line.checked_sub(2)
}

/// The spans of this many lines, from the second on.
fn lines(count: usize) -> Vec<Span> {
    let text = "\n".to_owned() + &"()\n".repeat(count);
    let brackets: TokenStream = text.parse().expect("brackets are tokens");
    brackets.into_iter().map(|bracket| bracket.span()).collect()
}

impl Host {
    /// Looks at rustc's tokens, and describes them.
    fn take<const N: usize>(&mut self, given: [proc_macro::TokenStream; N]) -> [Vec<Plain>; N] {
        self.seen.clear();
        let mut from = 0;
        let plain = given.map(|stream| {
            self.see(stream, 0);
            let plain = (from..self.seen.len()).map(|at| plain::of(&self.seen[at], at)).collect();
            from = self.seen.len();
            plain
        });
        self.expect(self.seen.len());
        plain
    }

    /// Makes lines for so many tokens.
    fn expect(&mut self, count: usize) {
        self.count = count;
        let needed = 2 * count + 1;
        if self.lines.len() < needed {
            self.lines = lines(needed.next_power_of_two());
        }
    }

    /// Our own tokens.
    fn own<const N: usize>(&mut self, plain: [Vec<Plain>; N]) -> [TokenStream; N] {
        plain.map(|all| built(all, &self.lines))
    }

    /// `depth` is that of the expressions around.
    fn see(&mut self, stream: proc_macro::TokenStream, depth: usize) {
        let mut nesting = deep::Nesting::default();
        for tree in stream {
            nesting.pass(&tree);
            self.depth = self.depth.max(depth + nesting.depth());
            match tree {
                proc_macro::TokenTree::Ident(ident) => self.seen.push(Seen::Ident(ident)),
                proc_macro::TokenTree::Punct(punct) => self.seen.push(Seen::Punct(punct)),
                proc_macro::TokenTree::Literal(literal) => self.seen.push(Seen::Literal(literal)),
                proc_macro::TokenTree::Group(group) => {
                    let open = self.seen.len();
                    self.seen.push(Seen::Close(group.span_open()));
                    self.see(group.stream(), depth + nesting.inside());
                    let (delimiter, close) = (group.delimiter(), self.seen.len());
                    self.seen[open] = Seen::Open { delimiter, bracket: group.span_open(), group: group.span(), close };
                    self.seen.push(Seen::Close(group.span_close()));
                }
            }
        }
    }

    /// rustc's tokens for our own.
    fn give(&self, tokens: TokenStream) -> proc_macro::TokenStream {
        let (mut streams, mut run) = (Vec::new(), Vec::new());
        for tree in tokens {
            match self.lexed_for(&tree) {
                Some(lexed) => {
                    streams.push(std::mem::take(&mut run).into_iter().collect());
                    streams.push(lexed.clone());
                }
                None => run.push(self.given(tree)),
            }
        }
        streams.push(run.into_iter().collect());
        streams.into_iter().collect()
    }

    /// The tokens that a name stands for.
    fn lexed_for(&self, tree: &TokenTree) -> Option<&proc_macro::TokenStream> {
        let TokenTree::Ident(ident) = tree else { return None };
        let name = ident.to_string();
        let number = name.strip_prefix(LEXED)?;
        Some(&self.lexed[number.parse::<usize>().expect("a number")])
    }

    fn given(&self, tree: TokenTree) -> proc_macro::TokenTree {
        let span = self.span(tree.span());
        let mut given = match tree {
            TokenTree::Ident(ident) => proc_macro::TokenTree::Ident(self.ident(&ident.to_string(), &ident)),
            TokenTree::Punct(punct) => {
                proc_macro::TokenTree::Punct(proc_macro::Punct::new(punct.as_char(), spacing(punct.spacing())))
            }
            TokenTree::Literal(literal) => proc_macro::TokenTree::Literal(self.literal(&literal)),
            TokenTree::Group(group) if needs_parentheses(&group) => {
                let parentheses = proc_macro::Group::new(proc_macro::Delimiter::Parenthesis, self.give(group.stream()));
                return proc_macro::TokenTree::Group(parentheses);
            }
            TokenTree::Group(group) => {
                let group = proc_macro::Group::new(delimiter(group.delimiter()), self.give(group.stream()));
                proc_macro::TokenTree::Group(group)
            }
        };
        span.into_iter().for_each(|span| given.set_span(span));
        given
    }

    fn ident(&self, name: &str, own: &Ident) -> proc_macro::Ident {
        let span = proc_macro::Span::call_site();
        match name.strip_prefix("r#") {
            Some(name) => proc_macro::Ident::new_raw(name, span),
            None if name == DOLLAR_CRATE => match self.origin(own.span()) {
                Some(Seen::Ident(ident)) => ident.clone(),
                _ => panic!("`$crate` comes from the user"),
            },
            None => proc_macro::Ident::new(name, span),
        }
    }

    fn literal(&self, own: &proc_macro2::Literal) -> proc_macro::Literal {
        let text = own.to_string();
        match self.origin(own.span()) {
            Some(Seen::Literal(literal)) if literal.to_string() == text => literal.clone(),
            _ => text.parse().expect("a literal is one"),
        }
    }

    /// The token that one of ours was made of.
    fn origin(&self, span: Span) -> Option<&Seen> {
        self.seen.get(line(span)?)
    }

    /// rustc's span for one of ours, if it is not the attribute's. Spans that are joined are where the first begins: rustc does no
    /// better.
    fn span(&self, span: Span) -> Option<proc_macro::Span> {
        let (here, k) = (proc_macro::Span::call_site(), line(span)?);
        let count = self.seen.len();
        if k == 2 * count {
            return Some(proc_macro::Span::mixed_site());
        }
        let of = |k: usize| match &self.seen[k] {
            Seen::Ident(ident) => ident.span(),
            Seen::Punct(punct) => punct.span(),
            Seen::Literal(literal) => literal.span(),
            Seen::Open { bracket, close, .. } if span.end().line.saturating_sub(2) < *close && k < count => *bracket,
            Seen::Open { group, .. } => *group,
            Seen::Close(bracket) => *bracket,
        };
        Some(if k < count { of(k) } else { of(k - count).resolved_at(here) })
    }
}

fn spacing(spacing: proc_macro2::Spacing) -> proc_macro::Spacing {
    match spacing {
        proc_macro2::Spacing::Joint => proc_macro::Spacing::Joint,
        proc_macro2::Spacing::Alone => proc_macro::Spacing::Alone,
    }
}

fn delimiter(delimiter: proc_macro2::Delimiter) -> proc_macro::Delimiter {
    match delimiter {
        proc_macro2::Delimiter::Parenthesis => proc_macro::Delimiter::Parenthesis,
        proc_macro2::Delimiter::Brace => proc_macro::Delimiter::Brace,
        proc_macro2::Delimiter::Bracket => proc_macro::Delimiter::Bracket,
        proc_macro2::Delimiter::None => proc_macro::Delimiter::None,
    }
}

/// Whether a group is an expression that a macro by example was given, `$e`, and needs parentheses: rustc reads what macros like
/// this one give as if there was no group.
fn needs_parentheses(group: &Group) -> bool {
    use syn::Expr::{Assign, Binary, Cast, Closure, Range, Reference, Unary};
    group.delimiter() == proc_macro2::Delimiter::None
        && syn::parse2::<syn::Expr>(group.stream()).is_ok_and(|e| {
            matches!(e, Assign(_) | Binary(_) | Cast(_) | Closure(_) | Range(_) | Reference(_) | Unary(_))
        })
}
