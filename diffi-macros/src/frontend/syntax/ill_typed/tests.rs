//! Functions that rustc refuses, and that none is taken for one which rustc accepts.

use super::is_refused;
use crate::frontend::syntax::configured::is_needed;
use crate::frontend::syntax::file_names::FileNames;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};

fn refused(text: &str) -> bool {
    let tokens: TokenStream = text.parse().expect("tokens");
    let names = FileNames::of(tokens.clone());
    let file: syn::File = syn::parse2(tokens).expect("a file");
    file.items.iter().any(|item| matches!(item, syn::Item::Fn(f) if is_refused(f, Some(&names))))
}

#[test]
fn rustc_refuses_these() {
    let all = [
        "fn f(x: f64) -> f64 { 2 * x + 1.0 }",
        "fn f(x: f64) -> f64 { if x > 0 { x } else { 0.0 } }",
        "fn f(x: f64) -> f64 { let y = if x > 0.0 { x } else { 0 }; y * x }",
        "fn f(x: &[f64]) -> f64 { let mut sum = 0; for v in x { sum += v * v; } sum }",
        "fn f(x: &[f64]) -> f64 { let mut top = 0.0; for v in x { if v > top { top = *v; } } top }",
        "fn f(x: f64) -> f64 { x.powi(3.0) }",
        "fn f(x: f64) -> f64 { x.powf(3) }",
        "fn f(x: f64) -> f64 { x ^ 2.0 }",
        "fn f(x: f64) -> f64 { x ** 2 }",
        "fn f(x: f64) -> f64 { let y = x * x; y * x; }",
        "fn f(x: &[f64], i: i32) -> f64 { x[i] * x[0] }",
        "fn f(x: &[f64]) -> f64 { let middle = x.len() as f64 / 2.0; x[middle] * x[0] }",
        "fn f(x: &[f64]) -> f64 { x.iter().sum::<f64>() / x.len() }",
        "fn f(x: &[f64]) -> f64 { x.iter().map(|v| v * v).collect::<Vec<f64>>() }",
        "fn f(x: &[f64], n: usize) -> f64 { let mut s = 0.0; for i in 0..n as f64 { s += x[0] * i; } s }",
        "fn f(x: &[f64]) -> f64 { let k: usize = -1; x[k] }",
        "fn f(x: &[f64], by: f64) -> f64 { x[0] = x[0] * by; x[0] }",
        "fn f(x: &[f64], by: f64) -> f64 { x[0] *= by; x[0] }",
        "fn f(x: &[f64], by: f64) -> f64 { for v in x.iter_mut() { *v *= by; } x[0] }",
        "fn f(x: &[f64]) -> f64 { let mut v = x.to_vec(); v.sort(); v[v.len() / 2] }",
        "fn f(x: &[f64], y: &[f64]) -> f64 { (x * y).iter().sum() }",
        "fn f(x: &[f64], k: f64) -> Vec<f64> { x * k }",
        "fn f(x: [f64; 3]) -> [f64; 2] { [x[0], x[1], x[2]] }",
        "fn f(x: &[f64]) -> f64 { let last = x.last()?; last * x[0] }",
        "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for i in 0..x.len() { s += x[i] * x[j]; } s }",
        "fn f(x: f64) -> f64 { squre(x) * x }",
        "use diffi::prelude::*; fn f(x: f64) -> f64 { squre(x) * x }",
        "fn g(x: f64, y: f64) -> f64 { x * y } fn f(x: f64) -> f64 { g(x) * 2.0 }",
        "fn g(x: f64, n: usize) -> f64 { x } fn f(x: f64) -> f64 { g(x, x) }",
        "fn g(s: &mut [f64]) {} fn f(x: &[f64]) -> f64 { let mut s = x.to_vec(); g(&s); s[0] }",
    ];
    let accepted: Vec<&&str> = all.iter().filter(|text| !refused(text)).collect();
    assert!(accepted.is_empty(), "{accepted:#?}");
}

#[test]
fn rustc_accepts_these() {
    let all = [
        "fn f(x: f64) -> f64 { let x = 2; let y = x * 3; y as f64 }",
        "fn f(x: f64) -> f64 { let g = |x: usize| x * 2; g(3) as f64 * x }",
        "fn f(x: &[f64]) -> f64 { for (i, x) in x.iter().enumerate() { if i * 2 > 3 { return *x; } } x[0] }",
        "fn f(v: Vec<f64>) -> f64 { let mut top = 0.0; for a in v { if a > top { top = a; } } top }",
        "fn f(x: f64) -> f64 { loop { return x; } }",
        "fn f(x: f64) -> f64 { return x; }",
        "fn f(x: f64) -> f64 { panic!(); x * x; }",
        "fn f(x: f64) -> f64 { match x { n if n > 0.0 => n, n => -n } }",
        "fn f(x: &[f64]) -> f64 { let g = |i: usize| -> Option<f64> { Some(x.get(i)? * 2.0) }; g(0).unwrap() }",
        "fn f(x: f64) -> f64 { if let Some(y) = Some(x) && y > 0.0 { y } else { x } }",
        "const RATE: f64 = 2.0; fn f(x: f64) -> f64 { x * RATE }",
        "static small: f64 = 2.0; fn f(x: f64) -> f64 { x * small }",
        "use other::helper; fn f(x: f64) -> f64 { helper(x, 1) }",
        "use other::*; fn f(x: f64) -> f64 { helper(x, 1) * unknown }",
        "macro_rules! make { () => { fn helper(x: f64) -> f64 { x } } } make!(); fn f(x: f64) -> f64 { helper(x) }",
        "fn map<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 { f(x) } fn f(x: f64) -> f64 { map(|v| v * v, x) }",
        "struct P; impl P { fn at(&self, x: f64) -> f64 { x } } fn at(x: f64, k: f64) -> f64 { x } fn f(x: f64) -> f64 { at(x, x) }",
        "fn f(x: f64) -> f64 { fn g(y: f64) -> f64 { y } g(x) }",
        "fn f(x: &[f64], n: usize) -> f64 { let k = n as i32; x[0].powi(k) * x[n - 1] }",
        "fn f(x: f64) -> f64 { 'a: { if x > 0.0 { break 'a; } } x }",
        "fn f(x: &mut [f64], by: f64) { x[0] *= by; for v in x.iter_mut() { *v *= by; } }",
        "fn f(x: [f64; 2]) -> [f64; 2] { let mut x = x; x[0] = 2.0; x }",
        "fn f(x: &[f64]) -> f64 { let mut x = x.to_vec(); x[0] *= 2.0; x.push(1.0); x[0] }",
        "fn f(x: f64) -> f64 { stop_gradient(x) * x }",
        "use super::*; mod inner { pub fn g(x: f64) -> f64 { x } } fn f(x: f64) -> f64 { g(x, x) }",
        "fn g(x: f64, #[cfg(test)] y: f64) -> f64 { x } fn f(x: f64) -> f64 { g(x, x) }",
    ];
    let wrong: Vec<&&str> = all.iter().filter(|text| refused(text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// All functions of this repository that rustc compiles.
#[test]
fn no_function_that_compiles_is_refused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = Functions::default();
    for folder in ["tests", "benches", "examples", "diffi-runtime/src", "diffi-macros/src", "adapters"] {
        all.folder(&root.join(folder));
    }
    assert!(all.number > 5_000, "{} functions", all.number);
    assert!(all.refused.is_empty(), "{:#?}", all.refused);
}

#[derive(Default)]
struct Functions {
    number: usize,
    refused: Vec<String>,
}

impl Functions {
    fn folder(&mut self, folder: &Path) {
        for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            match path.is_dir() {
                true if path.ends_with("ui") || path.ends_with("target") => {}
                true => self.folder(&path),
                false => self.file(&path),
            }
        }
    }

    fn file(&mut self, path: &Path) {
        let text = fs::read_to_string(path).ok().filter(|_| path.extension().is_some_and(|e| e == "rs"));
        let Some(tokens) = text.and_then(|text| text.parse::<TokenStream>().ok()) else { return };
        let names = FileNames::of(tokens.clone());
        let Ok(file) = syn::parse2::<syn::File>(tokens) else { return };
        Here { path, names: &names, all: self }.visit_file(&file);
    }
}

struct Here<'a> {
    path: &'a Path,
    names: &'a FileNames,
    all: &'a mut Functions,
}

impl<'a> Visit<'a> for Here<'_> {
    fn visit_item_fn(&mut self, f: &'a syn::ItemFn) {
        self.all.number += 1;
        let has_conditions = is_needed(&f.to_token_stream()); // which rustc evaluates first
        if !has_conditions && is_refused(f, Some(self.names)) {
            self.all.refused.push(format!("{}: {}", self.path.display(), f.sig.ident));
        }
        visit::visit_item_fn(self, f);
    }
}
