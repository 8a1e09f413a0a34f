//! The book's page on errors: a section for each code of the macro, whose mistakes lead to the code, and whose cures do not.

use super::*;
use crate::support::errors::ErrorCode;
use std::fs;

#[test]
fn the_book_explains_every_code() {
    let page = page();
    let missing: Vec<String> =
        ErrorCode::ALL.iter().map(ErrorCode::to_string).filter(|code| section(&page, code).is_none()).collect();
    assert!(missing.is_empty(), "book/src/errors.md has no section of {missing:?}");
}

#[test]
fn the_mistakes_of_the_book_have_their_codes() {
    let page = page();
    let wrong = ErrorCode::ALL.iter().flat_map(|code| wrong(&code.to_string(), &page)).collect::<Vec<_>>();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn page() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../book/src/errors.md")).expect("the page is there")
}

/// The text below the heading of a code.
fn section<'p>(page: &'p str, code: &str) -> Option<&'p str> {
    let (_, rest) = page.split_once(&format!("\n### {code}\n"))?;
    Some(rest.split("\n### ").next().unwrap_or(rest))
}

/// Mistakes that do not lead to the code, and cures that lead to a code.
fn wrong(code: &str, page: &str) -> Vec<String> {
    let text = section(page, code).unwrap_or_default();
    let mistakes = blocks(text, "rust,ignore").map(|block| (block, true));
    let cures = blocks(text, "rust").map(|block| (block, false));
    let lead = |block: &str| messages(block).contains(&format!("[{code}]"));
    let odd = mistakes.chain(cures).filter(|(block, leads)| lead(block) != *leads);
    odd.map(|(block, _)| format!("{code}:\n{block}\ngives {:?}", messages(block))).collect()
}

fn blocks<'t>(text: &'t str, language: &str) -> impl Iterator<Item = &'t str> {
    let start = format!("```{language}\n");
    let parts: Vec<&str> = text.split(&start).skip(1).collect();
    parts.into_iter().filter_map(|part| part.split("```").next())
}

/// All messages about the items of a block that have the attribute or the derive.
fn messages(block: &str) -> String {
    let code = block.lines().map(|line| line.strip_prefix("# ").unwrap_or(line)).collect::<Vec<_>>().join("\n");
    let tokens: TokenStream = code.parse().expect("the block is Rust");
    let mut all: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = String::new();
    while let Some(at) = all.iter().position(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == '#')) {
        let mut rest = all.split_off(at).into_iter().skip(1);
        let attribute = rest.next();
        let end = rest
            .clone()
            .position(|token| matches!(&token, TokenTree::Group(g) if g.delimiter() == proc_macro2::Delimiter::Brace));
        let item: TokenStream = rest.by_ref().take(end.map_or(0, |end| end + 1)).collect();
        found += &said(attribute, item).to_string().split("compile_error !").skip(1).collect::<String>();
        all = rest.collect();
    }
    found
}

/// The expansion of an attribute or a derive on an item.
fn said(attribute: Option<TokenTree>, item: TokenStream) -> TokenStream {
    let Some(TokenTree::Group(attribute)) = attribute else { return TokenStream::new() };
    let mut parts = attribute.stream().into_iter();
    match (parts.next(), parts.next()) {
        (Some(TokenTree::Ident(name)), _) if name == "derive" => derived(item),
        (_, Some(TokenTree::Group(options))) => expanded(options.stream(), item),
        _ => expanded(TokenStream::new(), item),
    }
}
