//! The errors of special functions over their domains, as the book shows them.

use super::{apply, first};
use std::fmt::Write as _;

/// What `tests/rules/accuracy.py` has computed; this file is its output.
const REFERENCE: &str = include_str!("accuracy.tsv");

const BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/book/src/special.md");
const BEGIN: &str = "<!-- generated: errors -->\n";
const END: &str = "<!-- end -->";

/// The worst errors over one domain: of the value, and of each derivative.
struct Errors {
    name: &'static str,
    domain: &'static str,
    ulp: Vec<f64>,
}

/// `BOOK=overwrite` writes the table.
#[test]
fn the_book_shows_the_errors() {
    let all = errors();
    for errors in &all {
        let bar = if ["ln_gamma", "digamma", "erf"].contains(&errors.name) { 8.0 } else { 40.0 };
        let bars = std::iter::once(bar).chain(std::iter::repeat(100.0));
        let within = errors.ulp.iter().zip(bars).all(|(error, bar)| *error <= bar);
        assert!(within, "{} on {}: {:?} ulp", errors.name, errors.domain, errors.ulp);
    }
    let (text, expected) = (std::fs::read_to_string(BOOK).expect("the chapter is there"), table(&all));
    let (before, rest) = text.split_once(BEGIN).expect("the chapter has the table");
    let (found, after) = rest.split_once(END).expect("the table ends");
    if std::env::var("BOOK").is_ok_and(|v| v == "overwrite") {
        std::fs::write(BOOK, [before, BEGIN, &expected, END, after].concat()).expect("the chapter is written");
    } else if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        // elsewhere `exp` and others have other last digits
        let names = |text: &str| text.lines().map(|line| line.split('|').nth(1).map(str::to_owned)).collect::<Vec<_>>();
        assert_eq!(names(found), names(&expected), "BOOK=overwrite cargo test --test rules");
    }
}

fn table(all: &[Errors]) -> String {
    let mut text = "| function | domain | value | derivatives |\n|---|---|---|---|\n".to_owned();
    for Errors { name, domain, ulp } in all {
        let slopes: Vec<String> = ulp[1..].iter().map(|error| rounded(*error)).collect();
        let _ = writeln!(text, "| `{name}` | {domain} | {} | {} |", rounded(ulp[0]), slopes.join(", "));
    }
    text
}

/// Two digits, upwards.
fn rounded(error: f64) -> String {
    let unit = 10f64.powf(error.max(0.1).log10().floor() - 1.0);
    let up = (error / unit).ceil() * unit;
    if up < 10.0 { format!("{up:.1}") } else { format!("{up:.0}") }
}

fn errors() -> Vec<Errors> {
    let mut all: Vec<Errors> = Vec::new();
    for line in REFERENCE.lines() {
        if let Some((name, domain)) = line.strip_prefix("# ").and_then(|head| head.split_once('\t')) {
            all.push(Errors { name, domain, ulp: Vec::new() });
            continue;
        }
        let Errors { domain, ulp: worst, .. } = all.last_mut().expect("a domain comes first");
        let found = of_a_point(line, domain.ends_with("of the envelope"));
        worst.resize(found.len(), 0.0);
        worst.iter_mut().zip(found).for_each(|(worst, error)| *worst = worst.max(error));
    }
    all
}

/// The errors of the value and of each derivative. A function that oscillates is measured by its envelope.
fn of_a_point(line: &str, oscillates: bool) -> Vec<f64> {
    let columns: Vec<&str> = line.split('\t').collect();
    let (whole, moving): (Vec<&str>, Vec<&str>) = columns[1].split(' ').partition(|v| v.parse::<i32>().is_ok());
    let passive = whole.first().map_or(0, |n| n.parse().expect("an order"));
    let args: Vec<f64> = moving.iter().map(|v| v.parse().expect("a number")).collect();
    let found = [vec![apply(columns[0], &args, passive)], first(columns[0], &args, passive)].concat();
    let envelope = if oscillates { (std::f64::consts::FRAC_2_PI / args[0]).sqrt() } else { 0.0 };
    found.into_iter().zip(&columns[2..]).map(|(found, expected)| in_ulp(found, expected, envelope)).collect()
}

fn in_ulp(found: f64, expected: &str, at_least: f64) -> f64 {
    let [high, low] = [0, 1].map(|k| expected.split(' ').nth(k).and_then(|v| v.parse::<f64>().ok()).expect("a number"));
    if found == high && high.abs() < f64::MIN_POSITIVE {
        return 0.0;
    }
    let size = high.abs().max(at_least);
    let ulp = size.next_up() - size;
    (((found - high) - low) / ulp).abs()
}
