//! The documents: every link between pages leads to a page, and to a heading of it; the book's summary lists every page; the README counts
//! dependencies as cargo does.

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
    let there: BTreeSet<PathBuf> =
        files(&source, "md").into_iter().filter(|page| !page.ends_with("SUMMARY.md")).collect();
    assert_eq!(listed, there);
}

#[test]
fn the_page_on_errors_has_the_codes_of_the_sources() {
    let page = fs::read_to_string(root().join("book/src/errors.md")).expect("the page");
    let explained = page.lines().filter_map(|line| line.strip_prefix("### ")).map(str::to_owned).collect();
    let sources = ["diffi-macros/src", "diffi-runtime/src"].iter().flat_map(|folder| files(&root().join(folder), "rs"));
    let given: BTreeSet<String> =
        sources.flat_map(|file| codes(&fs::read_to_string(file).expect("a source"))).collect();
    assert_eq!(given, explained);
}

/// Messages that rustc gives by the runtime's types, and those of the macro, which one function makes.
#[test]
fn every_message_has_a_number() {
    let sources = ["diffi-macros/src", "diffi-runtime/src"].iter().flat_map(|folder| files(&root().join(folder), "rs"));
    let is_test = |file: &PathBuf| file.components().any(|part| part.as_os_str() == "tests");
    let bare: Vec<String> = sources.filter(|file| !is_test(file)).flat_map(|file| without_a_number(&file)).collect();
    assert!(bare.is_empty(), "messages without a number:\n{}", bare.join("\n"));
}

/// The messages of a source that have none.
fn without_a_number(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a source");
    let by_types = text.split("on_unimplemented(").skip(1).filter_map(|rest| rest.split_once("message = \""));
    let by_types = by_types.filter_map(|(_, rest)| rest.split_once("\",")).map(|(message, _)| message);
    let bare = by_types.filter(|message| !message.contains("[D0"));
    let by_hand = text.lines().filter(|line| line.contains("syn::Error::new") && !line.contains("[{code}]"));
    bare.chain(by_hand).map(|message| format!("{}: {}", file.display(), message.trim())).collect()
}

/// Packages that the default build has, and that each feature adds, as `Cargo.lock` has them.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn the_readme_counts_dependencies() {
    let text = fs::read_to_string(root().join("README.md")).expect("the README");
    let own = ["diffi", "diffi-macros", "diffi-runtime", "diffi-rules"].len();
    let default = packages("");
    assert!(text.contains(&format!("The default build has {} dependencies.", default - own)), "{}", default - own);
    let table = text.split("### Features").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("the features");
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let told = cells[3].split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0);
        assert_eq!(packages(cells[1].trim_matches('`')) - default, told, "{row}");
    }
}

/// How many packages diffi is built of.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn packages(features: &str) -> usize {
    let tree = ["tree", "--locked", "-p", "diffi", "-e", "normal,build", "--prefix", "none", "--features", features];
    let output = std::process::Command::new(env!("CARGO")).args(tree).current_dir(root()).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>()).collect::<BTreeSet<_>>().len()
}

/// The numbers in messages, `[D0601]`, and in the list of the macro's, `` `D0101` `` = 101.
fn codes(source: &str) -> Vec<String> {
    let written = source.split("[D0").skip(1).filter_map(|rest| rest.split_once(']')).map(|(number, _)| number);
    let listed = source.contains("codes! {").then(|| source.lines().filter_map(|line| line.trim().split_once(" = ")));
    let listed = listed.into_iter().flatten().filter_map(|(_, number)| number.strip_suffix(','));
    let numbers =
        written.chain(listed).filter(|number| number.len() == 3 && number.bytes().all(|b| b.is_ascii_digit()));
    numbers.map(|number| format!("D0{number}")).collect()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All pages that people read.
fn pages() -> Vec<PathBuf> {
    let mut pages = files(&root().join("book/src"), "md");
    pages.extend(["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|page| root().join(page)));
    pages
}

/// The files of this kind in a folder and those below it.
fn files(folder: &Path, kind: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let found = entries.flat_map(|path| if path.is_dir() { files(&path, kind) } else { vec![path] });
    found.filter(|path| path.extension().is_some_and(|found| found == kind)).collect()
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
