//! Expressions between borders.

use super::*;

/// What an expression is in `for j in 0..n`, from which iteration on, and how many before the end. `m` is `n - 2`.
fn between(e: &str) -> (String, i64, i64) {
    in_loop(0, "n", e)
}

fn in_loop(first: i64, end: &str, e: &str) -> (String, i64, i64) {
    let parse = |text: &str| syn::parse_str::<Expr>(text).expect("an expression");
    let names = [("n", None), ("k", None), ("m", Some("n - 2")), ("l", Some("g.width"))];
    let definitions = names.map(|(name, value)| (name.to_owned(), value.map(parse)));
    let variable = Ident::new("j", proc_macro2::Span::call_site());
    let mut borders = Borders::of(&variable, first, &parse(end), &definitions).expect("the end is a sum");
    let mut e = parse(e);
    borders.visit_expr_mut(&mut e);
    (text(&e).replace(' ', ""), borders.from, borders.before)
}

fn is(e: &str, expected: &str, from: i64, before: i64) {
    assert_eq!(between(e), (expected.to_owned(), from, before), "{e}");
}

#[test]
fn indices_that_wrap_around() {
    is("(j + 1) % n", "(j+1)", 0, 1);
    is("(j + 2) % n", "(j+2)", 0, 2);
    is("(j + n - 1) % n", "(j-1)", 1, 0);
    is("(n + j - 2) % n", "(j-2)", 2, 0);
    is("(j + m) % n", "(j-2)", 2, 0);
    is("(j + m + 1) % n", "(j-1)", 1, 0);
    is("(j + n + 1) % n", "(j+1)", 0, 1);
    is("j % n", "j", 0, 0);
    is("(j - 1).rem_euclid(n)", "(j-1)", 1, 0);
    is("k * n + (j + 1) % n", "k*n+j+1", 0, 1);
    is("k * n + (j + n - 1) % n", "k*n+j-1", 1, 0);
}

#[test]
fn indices_that_are_clamped() {
    is("j.saturating_sub(1)", "(j-1)", 1, 0);
    is("(j + 1).saturating_sub(3)", "(j-2)", 2, 0);
    is("(j + 1).min(n - 1)", "(j+1)", 0, 1);
    is("(n - 1).min(j + 2)", "(j+2)", 0, 2);
    is("j.min(n - 1)", "j", 0, 0);
    is("j.max(1) - 1", "j-1", 1, 0);
    is("j.saturating_sub(1).min(n - 1)", "(j-1)", 1, 0);
}

#[test]
fn choices_at_the_ends() {
    is("if j == 0 { n - 1 } else { j - 1 }", "(j-1)", 1, 0);
    is("if j > 0 { j - 1 } else { 0 }", "(j-1)", 1, 0);
    is("if j < 1 { j } else { j - 1 }", "(j-1)", 1, 0);
    is("if 0 < j { j - 1 } else { j }", "(j-1)", 1, 0);
    is("if j + 1 == n { 0 } else { j + 1 }", "(j+1)", 0, 1);
    is("if j + 1 < n { j + 1 } else { j }", "(j+1)", 0, 1);
    is("if j >= n - 1 { j } else { j + 1 }", "(j+1)", 0, 1);
    is("if n - 1 > j { j + 1 } else { j }", "(j+1)", 0, 1);
    is("if j <= n - 2 { j + 1 } else { j }", "(j+1)", 0, 1);
    is("if j != m + 1 { j + 1 } else { 0 }", "(j+1)", 0, 1);
    is("if j == 0 { k } else if j == n - 1 { 0 } else { j }", "j", 1, 1);
}

#[test]
fn conditions_with_one_answer() {
    is("j > 0 && j < n - 1", "true", 1, 1);
    is("j == 0 || j + 1 == n", "false", 1, 1);
    is("!(j == 0)", "true", 1, 0);
    is("j > 0 && k > 1", "k>1", 1, 0);
    is("j < n", "true", 0, 0);
    is("j >= 0", "true", 0, 0);
    is("j <= n", "true", 0, 0);
    is("j <= 1", "false", 2, 0);
}

#[test]
fn what_other_loops_know() {
    assert_eq!(in_loop(1, "n - 1", "(j + 1) % n"), ("(j+1)".into(), 1, 0));
    assert_eq!(in_loop(1, "n", "j.saturating_sub(1)"), ("(j-1)".into(), 1, 0));
    assert_eq!(in_loop(1, "n", "j == 1"), ("false".into(), 2, 0));
    assert_eq!(in_loop(0, "m", "(j + 3) % n"), ("(j+3)".into(), 0, 1));
    assert_eq!(in_loop(0, "l", "(j + 1) % g.width"), ("(j+1)".into(), 0, 1));
    assert_eq!(in_loop(0, "8", "(j + 1) % 8"), ("(j+1)".into(), 0, 1));
    assert_eq!(in_loop(0, "8", "(j + 7) % 8"), ("(j-1)".into(), 1, 0));
    assert_eq!(in_loop(0, "n * k", "(j + 1) % (k * n)"), ("(j+1)".into(), 0, 1));
}

#[test]
fn anything_else_stays() {
    let stays = [
        "(j + 9) % n",
        "(j + k) % n",
        "(2 * j) % n",
        "j % k",
        "(j + 1).min(k)",
        "j.max(k)",
        "j == k",
        "n - j",
        "j / 2 == 0",
    ];
    for e in stays {
        assert_eq!(between(e).0, e.replace(' ', ""), "{e}");
    }
}
