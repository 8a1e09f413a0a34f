//! What a carrier holds before and after rustc, and what of it counts as a condition.

use super::*;

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("the text is lexed")
}

/// What comes out of a carrier whose conditions have been evaluated.
fn item_of(value: &str) -> String {
    let carrier = tokens(&format!("#[diffi::__private::carrier(constant(a))] enum Carrier {{ Item = {value}, }}"));
    let [options, item] = carried(carrier).expect("the carrier is whole");
    assert_eq!(options.to_string(), "constant (a)");
    item.to_string()
}

#[test]
fn conditions_are_found_wherever_they_stand() {
    let found = |text: &str| is_needed(&tokens(text));
    for text in [
        "fn f() { #[cfg(a)] { g(); } }",
        "fn f() { #![cfg(a)] }",
        "fn f(#[cfg_attr(a, b)] x: f64) {}",
        "impl A { #[inline] #[cfg(a)] fn f() {} }",
        "fn f() { vec![#[cfg(a)] x]; }",
    ] {
        assert!(found(text), "{text}");
    }
    for text in [
        "fn f() { if cfg!(a) { g(); } }",
        "fn f() { #[inline] fn cfg(cfg: [f64; 1]) { assert!([cfg][0]); vec![cfg, cfg]; } }",
        "fn f(&self) { #[cfg(a)] { g(); } }",
    ] {
        assert!(!found(text), "{text}");
    }
}

/// A compiler that evaluates no conditions is found out.
#[test]
fn conditions_that_are_left_are_an_error() {
    let item = tokens("fn f() { #[cfg(a)] { g(); } }");
    let made = carrier(&tokens("constant(a)"), item, &tokens("diffi")).to_string();
    let (_, carrier) = made.split_once(']').expect("the derive comes first");
    let message = carried(tokens(carrier)).expect_err("rustc has not seen it").to_string();
    assert!(message.starts_with("this compiler does not evaluate `#[cfg]`"), "{message}");
}

#[test]
fn gaps_of_parameters_are_closed() {
    assert_eq!(item_of("{ { fn f(, a: A, , b: fn(, C),) {} } 0 }"), tokens("fn f(a: A, b: fn(C),) {}").to_string());
    assert_eq!(item_of("{ { fn f() { m!(, a, , b); } } 0 }"), tokens("fn f() { m!(, a, , b); }").to_string());
    assert_eq!(item_of("{ {} 0 }"), "");
}

#[test]
fn calls_with_conditions_stand_in_blocks() {
    let call = enclosed(tokens("fn f() { #[cfg(a)] #[inline] v.push(x); #[cfg(a)] return x; g(); }")).to_string();
    let expected = tokens("fn f() { #[cfg(a)] #[inline] { v.push(x); } #[cfg(a)] return x; g(); }").to_string();
    assert_eq!(call, expected);
}
