//! Loops with borders, in functions.

use super::split_index_sets;
use crate::ir::print;
use crate::support::options::Options;

/// The loops of a function after the pass, each as its range.
fn loops(body: &str) -> Vec<String> {
    let text = split(body);
    let heads = text.lines().filter_map(|line| line.trim().strip_prefix("for "));
    heads.map(|head| head.trim_end_matches(" {").replace('`', "")).collect()
}

fn split(body: &str) -> String {
    let source = format!(
        "fn f(u: &[f64], mut k: usize) -> f64 {{
            let n = u.len();
            let (mut s, mut v) = (0.0, u.to_vec());
            {body}
            s + v.iter().sum::<f64>()
        }}"
    );
    let item: syn::ItemFn = syn::parse_str(&source).expect("the function parses");
    let lowered = crate::frontend::lower::lower(&Options::default(), &item, None).expect("the function is accepted");
    print::function(&split_index_sets(lowered))
}

/// How many loops there are beside that of the sum.
fn count(body: &str) -> usize {
    loops(body).len() - 1
}

#[test]
fn borders_have_loops_of_their_own() {
    assert_eq!(count("for j in 0..n { v[j] = u[(j + 1) % n]; }"), 2);
    assert_eq!(count("for j in 0..n { v[j] = u[j.saturating_sub(1)]; }"), 2);
    assert_eq!(count("for j in 0..n { v[j] = u[(j + n - 1) % n] - u[(j + 1) % n]; }"), 3);
    assert_eq!(count("for j in 0..n { let l = if j == 0 { n - 1 } else { j - 1 }; v[j] = u[l] * u[j]; }"), 2);
    assert_eq!(count("for j in 0..u.len() { v[j] = u[(j + 1).min(u.len() - 1)]; }"), 2);
    assert_eq!(count("for i in 0..2 { for j in 0..n { v[j] = u[(j + 1) % n] * u[i]; } }"), 3);
}

#[test]
fn between_them_indices_are_affine() {
    let text = split("for j in 0..n { let r = (j + 1) % n; v[j] += u[r] * u[j.saturating_sub(1)]; }");
    assert_eq!(text.matches('%').count(), 2, "{text}");
    assert_eq!(text.matches("saturating_sub").count(), 2, "{text}");
}

#[test]
fn conditions_are_decided_between_them() {
    let body = "for j in 0..n { if j > 0 { s += u[j - 1]; } s += u[(j + 1) % n]; }";
    assert_eq!(split(body).matches(" if `").count(), 2, "{}", split(body));
}

#[test]
fn other_loops_stay() {
    assert_eq!(count("for j in 0..n { v[j] = u[j]; }"), 1);
    assert_eq!(count("for j in 0..n { if j > 0 { s += u[j - 1]; } }"), 1);
    assert_eq!(count("for j in (0..n).rev() { v[j] = u[(j + 1) % n]; }"), 1);
    assert_eq!(count("for j in 0..n { k += 1; v[j] = u[(j + 1) % k]; }"), 1);
    assert_eq!(count("for j in 0..k { k += 1; v[j] = u[(j + 1) % k % n]; }"), 1);
    assert_eq!(count("for j in 0..n { if u[j] > 9.0 { break; } v[j] = u[(j + 1) % n]; }"), 1);
    assert_eq!(count("for j in 0..n { let w = if j == 0 { 0.5 } else { 1.0 }; s += w * u[j]; }"), 1);
}

#[test]
fn a_list_that_grows_has_no_border() {
    assert_eq!(count("for j in 0..v.len() { v.push(0.0); s += v[(j + 1) % v.len()]; }"), 1);
}
