//! Rows: a function with macros of its own, and what is left to lower.

use super::expanded;
use quote::ToTokens;

fn body(source: &str) -> String {
    let item: syn::ItemFn = syn::parse_str(source).expect("the function parses");
    expanded(item).block.to_token_stream().to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `name: "source" => "body";`
macro_rules! rows {
    ($($name:ident: $source:literal => $body:literal;)+) => {
        $(#[test] fn $name() {
            let body_of = |source: &str| body(&format!("fn f() {{ {source} }}"));
            assert_eq!(body_of($source), body_of($body));
        })+
    };
}

rows! {
    values: "macro_rules! sq { ($x:expr) => { $x * $x } } sq!(a + 1.0) * 2.0" => "((a + 1.0) * (a + 1.0)) * 2.0";
    own_variables_are_apart: "macro_rules! sq { ($x:expr) => {{ let t = $x; t * t }} } let t = 2.0; sq!(t)"
        => "let t = 2.0; ({ let t_of_sq_1 = t; t_of_sq_1 * t_of_sq_1 })";
    members_keep_their_names: "macro_rules! m { ($x:expr) => {{ let max = $x.max(1.0); p.max + max }} } m!(a)"
        => "({ let max_of_m_1 = a.max(1.0); p.max + max_of_m_1 })";
    statements_in_place: "macro_rules! up { ($($v:ident += $e:expr),* $(,)?) => { $($v += $e;)* } } up!(a += 1.0, b += c,); a"
        => "a += 1.0; b += c; a";
    repetitions: "macro_rules! sum { ($($x:expr),+) => { 0.0 $(+ $x)+ } } sum!(a, b * c, -d)" => "(0.0 + a + (b * c) + (-d))";
    nested_repetitions: "macro_rules! m { ($([$($x:expr),*]),*) => { [$([$($x),*]),*] } } m!([a, b], [c])" => "[[a, b], [c]]";
    the_first_rule_that_fits: "macro_rules! m { (@ $x:expr) => { 1.0 * $x }; (mut $x:ident) => { 2.0 * $x }; ($x:expr) => { 3.0 * $x } } m!(mut a) + m!(a) + m!(@ a)"
        => "(2.0 * a) + (3.0 * a) + (1.0 * a)";
    recursion: "macro_rules! horner { ($x:expr; $a:expr) => { $a }; ($x:expr; $a:expr, $($r:expr),+) => { $a + $x * horner!($x; $($r),+) } } horner!(t; 1.0, 2.0, 3.0)"
        => "(1.0 + t * (2.0 + t * 3.0))";
    declarations: "macro_rules! vars { ($($v:ident = $e:expr);*) => { $(let mut $v = $e;)* } } vars!(a = 1.0; b = x); a * b"
        => "let mut a = 1.0; let mut b = x; a * b";
    within_known_macros: "macro_rules! sq { ($x:expr) => { $x * $x } } let v = vec![sq!(a), 1.0];" => "let v = vec![(a * a), 1.0];";
    returns: "macro_rules! guard { ($x:expr) => { if $x.is_nan() { return $x; } } } guard!(a); a" => "if a.is_nan() { return a; }; a";
    variables_of_the_function: "let k = 2.0; macro_rules! by { ($x:expr) => { $x * k } } by!(a)" => "let k = 2.0; (a * k)";
    the_macro_that_is_in_scope: "macro_rules! m { () => { 1.0 } } let a = m!(); macro_rules! m { () => { 2.0 } } a + m!()"
        => "let a = 1.0; a + 2.0";
    operators_are_one_token: "macro_rules! m { ($($t:tt)*) => { n!($($t)*) } } macro_rules! n { ($a:ident => $b:expr) => { $a - $b } } m!(a => b + 1.0)"
        => "(a - (b + 1.0))";
    members_in_known_macros: "macro_rules! m { ($x:expr) => {{ let n = $x; assert!((0..n).len() > p.n); n }} } m!(b)"
        => "({ let n_of_m_1 = b; assert!((0..n_of_m_1).len() > p.n); n_of_m_1 })";
    shorthand_fields: "macro_rules! m { ($a:expr) => {{ let x = $a; P { x } }} } m!(b)" => "({ let x_of_m_1 = b; P { x: x_of_m_1 } })";
}

/// These stay macros.
#[test]
fn what_is_in_doubt_is_left() {
    for source in [
        "macro_rules! m { ($x:expr) => { 'a: loop { break 'a $x } } } m!(a)",
        "macro_rules! m { ($x:expr) => {{ let t = $x; println!(\"{t}\"); t }} } m!(a)",
        "let k = 2.0; macro_rules! m { ($x:expr) => { $x * k } } let k = 3.0; m!(a)",
        "macro_rules! m { ($x:expr) => { $x * k(1.0) } } let k = |z: f64| z; m!(a)",
        "macro_rules! m { ($($a:ident)* $($b:ident)*) => { 1.0 } } m!(a b)",
        "macro_rules! m { ($x:expr) => { #[cfg(test)] { $x } } } m!(a)",
        "macro_rules! m { ($i:item) => { $i } } m!(fn g() {})",
        "#[cfg(test)] macro_rules! m { ($x:expr) => { $x } } m!(a)",
        "macro_rules! m { ($x:expr) => { $x * K } } let K = 2.0; m!(a)",
        "macro_rules! m { ($x:expr) => { match $x { N => 1.0 } } } m!(a)",
        "other!(a)",
    ] {
        let whole = format!("fn f() {{ {source} }}");
        assert!(body(&whole).contains(" ! ("), "{}", body(&whole));
    }
}
