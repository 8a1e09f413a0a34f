//! The tables of the book's page on arrays: which methods are followed, by the rows.

use std::path::Path;

/// Sees that the page has the table that the rows of these files make of a library's methods, or writes it.
pub fn check(library: &str, methods: &str, files: &[&str]) {
    let rows: Vec<&str> =
        files.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with("        {")).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src/arrays.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let place = format!("<!-- table: {library} -->\n");
    let (head, rest) = page.split_once(&place).expect("the page has a place for the table");
    let (_, tail) = rest.split_once("<!-- end -->").expect("the place ends");
    let wanted = format!("{head}{place}{}<!-- end -->{tail}", table(methods, &rows));
    if std::env::var("BOOK").is_ok_and(|v| v == "overwrite") {
        return std::fs::write(&path, wanted).unwrap();
    }
    assert!(page == wanted, "book/src/arrays.md: `BOOK=overwrite` writes its table of {library}");
}

/// The counts, and a line for each kind of methods: those that a row has, and the others.
fn table(methods: &str, rows: &[&str]) -> String {
    let mut lines = String::from("| kind | followed | others |\n|---|---|---|\n");
    let (mut all, mut followed) = (0, 0);
    for line in methods.lines() {
        let (kind, names) = line.split_once(": ").expect("a kind and its methods");
        let (with, without): (Vec<&str>, Vec<&str>) =
            names.split(' ').partition(|name| rows.iter().any(|text| mentions(text, name)));
        all += with.len() + without.len();
        followed += with.len();
        lines += &format!("| {kind} | {} | {} |\n", listed(&with), listed(&without));
    }
    format!("{followed} of {all} methods and functions are followed.\n\n{lines}")
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => "–".to_owned(),
        names => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    }
}

/// Whether the text of the rows has a name as a word.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
}
