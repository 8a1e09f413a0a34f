//! Generated parts of a document: each stands between `<!-- generated: name -->` and `<!-- end -->`.

use super::difference::difference;
use std::path::{Path, PathBuf};

/// A generated part: its name and its text.
pub type Part = (String, String);

/// A file or folder, from the workspace's root.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// The text of a document.
pub fn read(document: &str) -> String {
    std::fs::read_to_string(path(document)).expect("the document is there")
}

/// Compares a document's generated parts with those of today, or writes them.
pub fn is_up_to_date(document: &str, parts: &[Part]) {
    let text = read(document);
    let today = with_parts(document, &text, parts);
    if std::env::var("BOOK").is_ok_and(|v| v == "overwrite") {
        std::fs::write(path(document), today).expect("the document can be written");
    } else if text != today {
        let lines = difference(&text, &today);
        panic!("{document} is out of date: BOOK=overwrite cargo test -p diffi-macros --lib book\n{lines}");
    }
}

/// The document with all parts, which stand in it in their order.
fn with_parts(document: &str, text: &str, parts: &[Part]) -> String {
    let mut pieces = text.split("<!-- generated: ");
    let mut today = pieces.next().expect("a text has a first piece").to_owned();
    let (mut found, names): (Vec<&str>, Vec<_>) = (Vec::new(), parts.iter().map(|part| &part.0[..]).collect());
    for piece in pieces {
        let (name, rest) = piece.split_once(" -->\n").expect("a mark has a name");
        let (_, rest) = rest.split_once("<!-- end -->").expect("a part has an end");
        let part = parts.iter().find(|part| part.0 == name).map_or("", |part| &part.1);
        today += &format!("<!-- generated: {name} -->\n{part}<!-- end -->{rest}");
        found.push(name);
    }
    assert_eq!(found, names, "{document} has a place for each generated part, in their order");
    today
}
