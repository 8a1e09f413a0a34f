//! The cost of long functions, as generators of models write them: it grows as they do.

use super::*;
use crate::support::work;

/// A generator of functions of so many statements.
type Shape = fn(usize) -> String;

const SHAPES: &[(&str, Shape)] = &[
    ("straight", straight),
    ("reassigned", reassigned),
    ("branches", branches),
    ("elements", elements),
    ("looped", looped),
    ("sum", sum),
    ("product", product),
    ("parentheses", parentheses),
    ("blocks", nested_blocks),
    ("arms", arms),
    ("loops", loops),
    ("passive", passive),
    ("calls", calls),
    ("numbered", numbered),
    ("filled", filled),
    ("vectors", vectors),
    ("stencils", stencils),
];

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect::<Vec<_>>().join("\n")
}

/// A statement that reads two earlier values.
fn formula(i: usize) -> String {
    let (a, b) = (i.saturating_sub(1), i.saturating_sub(7));
    match i % 4 {
        0 => format!("v{a} * v{b} + {i}.0"),
        1 => format!("(v{a} + v{b}).sin()"),
        2 => format!("v{a} / (1.0 + v{b} * v{b})"),
        _ => format!("v{b} - 0.5 * x[{}]", i % 13),
    }
}

fn straight(count: usize) -> String {
    let body = lines(count, |i| format!("let v{} = {};", i + 1, formula(i + 1)));
    format!("fn f(x: &[f64]) -> f64 {{ let v0 = x[0]; {body} v{count} }}")
}

fn reassigned(count: usize) -> String {
    let line = |i: usize| {
        let (k, a, b) = (i % 5, (i + 1) % 5, (i + 3) % 5);
        format!("y{k} = y{a} * y{b} + (y{k} - {i}.0).sin();")
    };
    let declared = lines(5, |k| format!("let mut y{k} = x[{k}];"));
    format!("fn f(x: &[f64]) -> f64 {{ {declared} {} y0 + y1 }}", lines(count, line))
}

fn branches(count: usize) -> String {
    let line = |i: usize| match i % 4 {
        3 => format!("let v{} = if v{i} > 0.5 {{ v{i} * 2.0 }} else {{ v{i}.exp() }};", i + 1),
        _ => format!("let v{} = {};", i + 1, formula(i + 1)),
    };
    format!("fn f(x: &[f64]) -> f64 {{ let v0 = x[0]; {} v{count} }}", lines(count, line))
}

fn elements(count: usize) -> String {
    let line = |i: usize| {
        let (a, b) = (i.saturating_sub(1), i.saturating_sub(5));
        format!("y[{i}] = x[{}] * y[{a}] - y[{b}].cos();", i % 11)
    };
    format!("fn f(x: &[f64], y: &mut [f64]) {{ {} }}", lines(count, line))
}

fn looped(count: usize) -> String {
    let line = |i: usize| match i % 4 {
        3 => format!("if v{i} > 1.0 {{ t += v{i} * x[k]; }} let v{} = t;", i + 1),
        _ => format!("let v{} = {};", i + 1, formula(i + 1)),
    };
    format!(
        "fn f(x: &[f64]) -> f64 {{ let mut t = 0.0; for k in 0..x.len() {{ let v0 = x[k]; {} t += v{count}; }} t }}",
        lines(count, line)
    )
}

fn sum(count: usize) -> String {
    let terms: Vec<_> = (0..count).map(|i| format!("x[{}] * {i}.5", i % 17)).collect();
    format!("fn f(x: &[f64]) -> f64 {{ {} }}", terms.join(" + "))
}

fn product(count: usize) -> String {
    let terms: Vec<_> = (0..count).map(|i| format!("(x[{}] - {i}.5)", i % 17)).collect();
    format!("fn f(x: &[f64]) -> f64 {{ {} }}", terms.join(" * "))
}

fn parentheses(count: usize) -> String {
    format!("fn f(x: f64, y: f64) -> f64 {{ {} x {} }}", "(y * ".repeat(count), ".sin())".repeat(count))
}

fn nested_blocks(count: usize) -> String {
    let open = lines(count, |i| format!("if t > {i}.0 {{ t = t * x.sin();"));
    format!("fn f(x: f64) -> f64 {{ let mut t = x; {open} {} t }}", "}".repeat(count))
}

/// A value by cases.
fn arms(count: usize) -> String {
    let arm = |i: usize| format!("if x < {i}.0 {{ let t = x.exp() * {i}.0; (t * y).sin() }} else ");
    format!("fn f(x: f64, y: f64) -> f64 {{ {} {{ x }} }}", lines(count, arm))
}

fn loops(count: usize) -> String {
    let line = |i: usize| format!("for k in 0..x.len() {{ y[k] = y[k] * x[k] + {i}.0; }}");
    format!("fn f(x: &[f64], y: &mut [f64]) {{ {} }}", lines(count, line))
}

fn passive(count: usize) -> String {
    let line = |i: usize| match i % 2 {
        0 => format!("let n{i} = n + {i};"),
        _ => format!("t += x * n{} as f64;", i - 1),
    };
    format!("fn f(x: f64, n: usize) -> f64 {{ let mut t = 0.0; {} t }}", lines(count, line))
}

fn calls(count: usize) -> String {
    let line = |i: usize| format!("let v{} = g(v{i}, x[{}]) + h(&x);", i + 1, i % 3);
    format!("fn f(x: &[f64]) -> f64 {{ let v0 = x[0]; {} v{count} }}", lines(count, line))
}

/// Elements of local arrays, by numbers.
fn numbered(count: usize) -> String {
    let line = |i: usize| {
        let (a, b) = (i % 16, (i * 7 + 1) % 16);
        match i % 3 {
            0 => format!("r[{a}] = r[{b}] * x[{a}];"),
            1 => format!("r[{b}] += r[{a}].sin();"),
            _ => format!("if r[{a}] > 0.5 {{ q[{b}] = r[{b}] * q[{a}]; }}"),
        }
    };
    format!(
        "fn f(x: &[f64]) -> f64 {{ let mut r = x.to_vec(); let mut q = x.to_vec(); {} r[0] + q[1] }}",
        lines(count, line)
    )
}

/// Local arrays, each filled in a loop and added up in another.
fn filled(count: usize) -> String {
    let line = |i: usize| match i % 2 {
        0 => format!(
            "let mut u{i} = vec![0.0; n]; for k in 1..n {{ u{i}[k] = x[k] * x[k - 1] + s{i}; }} let s{} = s{i};",
            i + 1
        ),
        _ => format!("let s{} = u{}.iter().sum::<f64>();", i + 1, i - 1),
    };
    format!("fn f(x: &[f64]) -> f64 {{ let n = x.len(); let s0 = x[0]; {} s{count} }}", lines(count, line))
}

fn vectors(count: usize) -> String {
    let line = |i: usize| format!("let v{}: Vec<f64> = v{i}.iter().zip(x).map(|(a, b)| a * b + 1.0).collect();", i + 1);
    format!("fn f(x: &[f64]) -> f64 {{ let v0 = x.to_vec(); {} v{count}[0] }}", lines(count, line))
}

/// Many statements on arrays in one loop.
fn stencils(count: usize) -> String {
    let line = |i: usize| match i % 3 {
        0 => format!("r[k] += v{i}.sin(); let v{} = r[k];", i + 1),
        1 => format!("let v{} = v{i} * x[k] + r[k];", i + 1),
        _ => format!("if v{i} > 1.0 {{ t += v{i} * x[k]; }} let v{} = t;", i + 1),
    };
    let body = lines(count, line);
    format!(
        "fn f(x: &[f64]) -> f64 {{ let mut r = vec![0.0; x.len()]; let mut t = 0.0;
        for k in 0..x.len() {{ let v0 = x[k]; {body} t += v{count}; }} t + r[0] }}"
    )
}

fn expand(source: &str) -> TokenStream {
    let item: syn::ItemFn = syn::parse_str(source).expect("the function parses");
    compile(&Options::default(), &item, &quote::quote!(::diffi)).expect("the function is accepted")
}

/// Shapes whose nesting grows: passes walk through a block once for each block around it.
const NESTED: &[&str] = &["parentheses", "blocks", "arms"];

/// More statements take the steps that as many before took, in every phase and pass together; sets of variables count by their sizes.
#[test]
fn steps_grow_as_the_code_does() {
    let too_many = |(name, shape): &(&str, Shape)| {
        let [a, b, c] = [32, 64, 96].map(|count| work::steps(|| drop(expand(&shape(count)))));
        ((c - b) * 10 > (b - a) * 12).then(|| format!("{name}: {a}, {b}, {c}"))
    };
    let flat = SHAPES.iter().filter(|(name, _)| !NESTED.contains(name));
    let grown: Vec<String> = flat.filter_map(too_many).collect();
    assert!(grown.is_empty(), "{}", grown.join("\n"));
}

/// For profiles: `GROWTH=straight:1000 cargo test -p diffi-macros --lib growth -- --ignored`.
#[test]
#[ignore = "a tool"]
fn one() {
    let asked = std::env::var("GROWTH").expect("GROWTH=shape:count");
    let (name, count) = asked.split_once(':').expect("GROWTH=shape:count");
    let shape = SHAPES.iter().find(|(known, _)| *known == name).expect("a shape").1;
    let source = shape(count.parse().expect("a number"));
    let start = std::time::Instant::now();
    let code = expand(&source);
    if std::env::var_os("GROWTH_SIZE").is_some() {
        eprintln!("{asked}: {} bytes", code.to_string().len());
    }
    eprintln!("{asked} {:.3} s", start.elapsed().as_secs_f64());
    std::mem::forget(code);
}
