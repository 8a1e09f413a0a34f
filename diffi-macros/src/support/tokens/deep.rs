//! Expansions of deeply nested code: in a thread with a stack that is large enough.
//!
//! Every phase follows the nesting of the code by recursion, `syn` among them, and a sum of a thousand terms is nested a thousand times.
//! rustc answers its own thread alone. So the other one is told beforehand what it might ask, and leaves text to be lexed behind.

use super::plain::{Plain, built, described};
use super::{HOST, context_of, lexed_by_rustc};
use proc_macro2::TokenStream;

/// The deepest nesting of expressions for which rustc's own stack is used.
pub const SHALLOW: usize = 64;

/// The stack for one level, in bytes, where this crate is built without optimisation; and the largest stack.
const LEVEL: usize = 1 << 17;
const LARGEST: usize = if cfg!(target_pointer_width = "64") { 1 << 30 } else { 1 << 27 };

/// What the thread knows instead of rustc.
pub struct Apart {
    /// Which macro's text each of the tokens was written in.
    contexts: Vec<Option<String>>,
    /// The context of what is resolved where the attribute stands.
    here: Option<String>,
    /// What rustc is to lex.
    texts: Vec<String>,
}

impl Apart {
    /// The number of text that is to be lexed.
    pub fn lexed(&mut self, text: &str) -> usize {
        self.texts.push(text.to_owned());
        self.texts.len() - 1
    }

    /// The context of the token in a line.
    pub fn context(&self, line: usize) -> Option<String> {
        self.contexts.get(line).unwrap_or(&self.here).clone()
    }
}

/// An expansion in a thread of its own; its tokens are those of the thread at hand.
pub fn expand<const N: usize>(
    plain: [Vec<Plain>; N],
    depth: usize,
    expand: impl FnOnce([TokenStream; N]) -> TokenStream + Send,
) -> TokenStream {
    let (count, apart) = HOST.with_borrow(|host| {
        let context = |at: usize| host.span(host.lines[at]).and_then(context_of);
        let contexts = (0..host.count).map(context).collect();
        let apart = Apart { contexts, here: context_of(proc_macro::Span::call_site()), texts: Vec::new() };
        (host.count, apart)
    });
    let work = move || {
        proc_macro2::fallback::force();
        let given = HOST.with_borrow_mut(|host| {
            host.expect(count);
            host.apart = Some(apart);
            host.own(plain)
        });
        let out = described(expand(given));
        let texts = HOST.with_borrow_mut(|host| host.apart.take().map_or_else(Vec::new, |apart| apart.texts));
        (out, texts)
    };
    let (out, texts) = on_stack((depth * LEVEL).min(LARGEST), work);
    texts.iter().for_each(|text| _ = lexed_by_rustc(text));
    HOST.with_borrow(|host| built(out, &host.lines))
}

fn on_stack<T: Send>(size: usize, work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, work);
        thread.expect("a thread for deeply nested code").join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// How deeply expressions may be nested at a token, as far as its own group tells: operators and `else` make them deeper.
#[derive(Default)]
pub struct Nesting {
    operators: usize,
    /// Those before the last block.
    before: usize,
    block: bool,
}

impl Nesting {
    /// Goes on behind a token.
    pub fn pass(&mut self, tree: &proc_macro::TokenTree) {
        let ended = std::mem::take(&mut self.block);
        match tree {
            proc_macro::TokenTree::Punct(sign) => match sign.as_char() {
                ';' | ',' => self.operators = 0,
                _ => self.operators += 1,
            },
            proc_macro::TokenTree::Ident(word) if ended && word.to_string() == "else" => {
                self.operators = self.before + 1;
            }
            proc_macro::TokenTree::Group(group) if group.delimiter() == proc_macro::Delimiter::Brace => {
                (self.before, self.block) = (std::mem::take(&mut self.operators), true);
            }
            _ => {}
        }
    }

    pub fn depth(&self) -> usize {
        self.operators
    }

    /// That in a group.
    pub fn inside(&self) -> usize {
        1 + if self.block { self.before } else { self.operators }
    }
}
