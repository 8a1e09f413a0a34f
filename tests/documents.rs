//! The documents: every link between pages leads to a page, and to a heading of it; the book's summary lists every page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn links_lead_somewhere() {
    let broken: Vec<String> = pages().iter().flat_map(|page| broken(page)).collect();
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn the_summary_lists_every_page() {
    let source = root().join("book/src");
    let summary = fs::read_to_string(source.join("SUMMARY.md")).expect("the summary");
    let listed: BTreeSet<PathBuf> = links(&summary).map(|link| source.join(link)).collect();
    let there: BTreeSet<PathBuf> = below(&source).into_iter().filter(|page| !page.ends_with("SUMMARY.md")).collect();
    assert_eq!(listed, there);
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All pages that people read.
fn pages() -> Vec<PathBuf> {
    let mut pages = below(&root().join("book/src"));
    pages.extend(["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|page| root().join(page)));
    pages
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let found = entries.flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] });
    found.filter(|path| path.extension().is_some_and(|kind| kind == "md")).collect()
}

/// The links of a page, code left out: `[text](link)`.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split("```").step_by(2).flat_map(|prose| prose.split('`').step_by(2));
    prose.flat_map(|prose| prose.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(link, _)| link)))
}

fn broken(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).expect("a page");
    let folder = page.parent().expect("a folder");
    let inside = links(&text).filter(|link| !link.contains("://"));
    let lost = inside.filter(|link| {
        let (path, heading) = link.split_once('#').unwrap_or((link, ""));
        let target = if path.is_empty() { page.to_path_buf() } else { folder.join(path) };
        !target.exists() || !heading.is_empty() && !headings(&target).contains(heading)
    });
    lost.map(|link| format!("{}: {link}", page.display())).collect()
}

/// The anchors of a page's headings, as mdBook and GitHub make them.
fn headings(page: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(page).expect("a page");
    let heads = text.lines().filter_map(|line| line.strip_prefix('#')).map(|line| line.trim_start_matches('#').trim());
    let anchor = |head: &str| {
        let kept = head.to_lowercase().replace(' ', "-");
        kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
    };
    heads.map(anchor).collect()
}
