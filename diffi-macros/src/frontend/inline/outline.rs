//! Where the functions of a source file begin and end, and which of them stand side by side.
//!
//! Items that stand side by side are those directly between the same braces: a module's, or the file's. The text is not parsed: comments,
//! strings and brackets are enough to know.

use std::ops::Range;

/// The functions of a file.
#[derive(Debug, Default)]
pub struct Outline {
    functions: Vec<Found>,
    /// The modules' insides, the file's first.
    modules: Vec<Range<usize>>,
    /// What stands between other braces.
    bodies: Vec<Range<usize>>,
}

/// A function directly in a module.
#[derive(Debug)]
struct Found {
    name: String,
    module: usize,
    /// Where the text begins that belongs to the item, and where it ends.
    text: Range<usize>,
}

impl Outline {
    pub fn of(text: &str) -> Self {
        let mut reader = Reader { text, at: 0, levels: vec![Level::module(0, 0)], found: Outline::default() };
        reader.found.modules.push(0..text.len());
        reader.run();
        reader.found
    }

    /// Whether the text around `at` belongs to a function of this name, or to nothing that a module has by name: an `impl`, a trait.
    pub fn stands_at(&self, at: usize, name: &str) -> bool {
        let mut around = self.functions.iter().filter(|f| f.text.contains(&at));
        around.next().is_none_or(|f| f.name == name)
    }

    /// Whether any module has a function of this name.
    pub fn has(&self, name: &str) -> bool {
        self.functions.iter().any(|f| f.name == name)
    }

    /// The text of the only function of this name in the module around `at`, which is not within another item.
    pub fn function<'t>(&self, text: &'t str, at: usize, name: &str) -> Option<&'t str> {
        if self.bodies.iter().any(|body| body.contains(&at)) {
            return None;
        }
        let module = self.modules.iter().rposition(|module| module.contains(&at))?;
        let mut named = self.functions.iter().filter(|f| f.name == name && f.module == module);
        let (found, None) = (named.next()?, named.next()) else { return None };
        text.get(found.text.clone())
    }
}

/// What is open around the text at hand.
struct Level {
    /// The module, if it is one.
    module: Option<usize>,
    /// Where the inside begins.
    from: usize,
    /// Where the next item begins.
    item: usize,
    /// The function whose name was read, and not its body yet.
    function: Option<String>,
    /// Brackets and parentheses that are open.
    brackets: usize,
}

impl Level {
    fn module(module: usize, from: usize) -> Self {
        Level { module: Some(module), from, item: from, function: None, brackets: 0 }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    levels: Vec<Level>,
    found: Outline,
}

impl Reader<'_> {
    fn run(&mut self) {
        while let Some(next) = self.rest().bytes().next() {
            match next {
                b'/' if self.rest().starts_with("//") => self.skip_line(),
                b'/' if self.rest().starts_with("/*") => self.skip_comment(),
                b'"' => self.skip_string(),
                b'\'' => self.skip_quote(),
                b'{' => self.open(),
                b'}' => self.close(),
                b'(' | b'[' => self.bracket(|open| open + 1),
                b')' | b']' => self.bracket(|open| open.saturating_sub(1)),
                b';' => self.end_item(),
                b'_' | b'a'..=b'z' | b'A'..=b'Z' => self.word(),
                _ => self.at += self.rest().chars().next().map_or(1, char::len_utf8),
            }
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// Comments may stand in comments.
    fn skip_comment(&mut self) {
        let mut depth = 0;
        while !self.rest().is_empty() {
            let (by, change) = match self.rest() {
                rest if rest.starts_with("/*") => (2, 1),
                rest if rest.starts_with("*/") => (2, -1),
                rest => (rest.chars().next().map_or(1, char::len_utf8), 0),
            };
            (self.at, depth) = (self.at + by, depth + change);
            if depth == 0 {
                return;
            }
        }
    }

    fn skip_string(&mut self) {
        let mut escaped = false;
        let ends = |c: char| {
            let end = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            end
        };
        self.at += 1;
        self.at += self.rest().find(ends).map_or(self.rest().len(), |end| end + 1);
    }

    /// `r##"text"##`, from the signs on.
    fn skip_raw_string(&mut self) {
        let signs = self.rest().bytes().take_while(|b| *b == b'#').count();
        let end = format!("\"{}", "#".repeat(signs));
        self.at += signs + 1;
        self.at += self.rest().find(&end).map_or(self.rest().len(), |at| at + end.len());
    }

    /// A character, or the sign of a lifetime.
    fn skip_quote(&mut self) {
        let mut chars = self.rest().char_indices().skip(1);
        let length = match (chars.next(), chars.next()) {
            (Some((_, '\\')), Some(_)) => chars.find(|(_, c)| *c == '\'').map_or(1, |(end, _)| end + 1),
            (Some(_), Some((end, '\''))) => end + 1,
            _ => 1,
        };
        self.at += length;
    }

    fn word(&mut self) {
        let length = self.rest().find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest().len());
        let (from, word) = (self.at, &self.text[self.at..self.at + length]);
        self.at += length;
        let raw = self.rest().trim_start_matches('#').starts_with('"');
        match word {
            "r" | "br" | "cr" if raw => self.skip_raw_string(),
            "fn" if self.level().module.is_some() && self.level().brackets == 0 => {
                let name = self.text[from + length..].trim_start();
                let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
                let name = name[..end].to_owned();
                self.level().function.get_or_insert(name);
            }
            _ => {}
        }
    }

    fn level(&mut self) -> &mut Level {
        self.levels.last_mut().expect("the file is never closed")
    }

    fn bracket(&mut self, change: impl FnOnce(usize) -> usize) {
        self.at += 1;
        let level = self.level();
        level.brackets = change(level.brackets);
    }

    /// The item at hand ends here.
    fn end_item(&mut self) {
        self.at += 1;
        let at = self.at;
        let level = self.level();
        if level.brackets == 0 {
            (level.item, level.function) = (at, None);
        }
    }

    fn open(&mut self) {
        let before = &self.text[self.level().item..self.at];
        let mut words = before.split_whitespace().rev();
        let is_module = (words.next().is_some(), words.next()) == (true, Some("mod"));
        self.at += 1;
        let at = self.at;
        let outer = self.level();
        let module = (outer.module.is_some() && outer.brackets == 0 && is_module).then_some(self.found.modules.len());
        if module.is_some() {
            self.found.modules.push(at..self.text.len());
        }
        self.levels.push(Level { module, from: at, item: at, function: None, brackets: 0 });
    }

    fn close(&mut self) {
        self.at += 1;
        if self.levels.len() == 1 {
            return;
        }
        let Some(closed) = self.levels.pop() else { return };
        let (at, inside) = (self.at, closed.from..self.at - 1);
        match closed.module {
            Some(module) => self.found.modules[module] = inside,
            None => self.found.bodies.push(inside),
        }
        let outer = self.level();
        if outer.brackets > 0 {
            return;
        }
        let (from, function) = (std::mem::replace(&mut outer.item, at), outer.function.take());
        if let (Some(module), Some(name)) = (outer.module, function) {
            self.found.functions.push(Found { name, module, text: from..at });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r##"
#![allow(unused)]
use std::fmt;
/// A comment with { and "quotes.
#[differentiable]
fn first(x: [f64; 3]) -> f64 { let c = '{'; let r = r#"}"#; x[0] /* { /* } */ */ }
struct P<'a> { x: &'a f64 }
impl P<'_> { fn first(&self) -> f64 { 1.0 } }
mod inner {
    fn first() -> f64 { 2.0 }
    pub(crate) fn second(x: f64) -> f64 { "\"}"; x }
    mod deep { fn third() {} }
    // fn second() {}
    fn last() -> f64 { second(1.0) }
}
const N: usize = { 3 };
fn fourth(f: fn(f64) -> f64) -> f64 { fn nested() {} f(1.0) }
macro_rules! twice { () => { fn fifth() {} fn fifth() {} } }
trait T { fn sixth(&self) {} }
"##;

    fn found(at: &str, name: &str) -> Option<&'static str> {
        let (outline, at) = (Outline::of(TEXT), TEXT.find(at).expect("it is there"));
        outline.function(TEXT, at, name).map(str::trim)
    }

    #[test]
    fn functions_are_found_where_they_stand() {
        assert!(found("fn fourth", "first").is_some_and(|text| text.starts_with("/// A") && text.ends_with("*/ }")));
        assert_eq!(found("fn last", "first"), Some("fn first() -> f64 { 2.0 }"));
        assert_eq!(found("fn last", "second"), Some("pub(crate) fn second(x: f64) -> f64 { \"\\\"}\"; x }"));
        assert!(found("fn last", "last").is_some_and(|text| text.ends_with("second(1.0) }")));
        assert!(found("const N", "fourth").is_some_and(|text| text.starts_with("fn fourth")));
    }

    #[test]
    fn an_attribute_belongs_to_its_item() {
        let (outline, at) = (Outline::of(TEXT), |text: &str| TEXT.find(text).expect("it is there"));
        assert!(outline.stands_at(at("#[differentiable]"), "first"));
        assert!(!outline.stands_at(at("#[differentiable]"), "model"));
        assert!(!outline.stands_at(at("A comment"), "model"));
        assert!(outline.stands_at(at("impl P"), "energy"));
    }

    #[test]
    fn functions_elsewhere_are_not() {
        for (at, name) in [
            ("fn fourth", "second"),
            ("fn last", "fourth"),
            ("fn last", "third"),
            ("const N", "nested"),
            ("const N", "fifth"),
            ("const N", "sixth"),
            ("x[0]", "first"),
            ("fn sixth", "first"),
        ] {
            assert_eq!(found(at, name), None, "{name} at {at}");
        }
    }
}
