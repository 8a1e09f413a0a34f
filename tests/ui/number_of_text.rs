use diffi::prelude::*;
use std::fmt::Write;
use std::str::FromStr;
use std::sync::Mutex;

static TEXT: Mutex<String> = Mutex::new(String::new());

struct Label {
    text: String,
}

impl Label {
    fn number(&self) -> f64 {
        self.text.parse().unwrap()
    }
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

fn checked(text: &str) -> Option<f64> {
    text.parse().ok()
}

fn all(texts: &[String]) -> f64 {
    texts.iter().map(|text| number(text)).sum()
}

#[differentiable]
fn path(x: &[f64]) -> f64 {
    f64::from_str(&x[0].to_string()).unwrap() * x[1]
}

#[differentiable]
fn helper(x: &[f64]) -> f64 {
    let y = x[0] * x[1];
    number(&format!("{y}")) * x[1]
}

#[differentiable]
fn written(x: &[f64]) -> f64 {
    let mut text = String::new();
    write!(text, "{}", x[0]).unwrap();
    number(&text) * x[1]
}

#[differentiable]
fn pushed(x: &[f64]) -> f64 {
    let mut text = String::new();
    text.push_str(&x[0].to_string());
    number(&text) * x[1]
}

#[differentiable]
fn assigned(x: &[f64]) -> f64 {
    let mut text = String::from("1");
    if x[0] > 0.0 {
        text = x[0].to_string();
    }
    number(&text) * x[1]
}

#[differentiable]
fn list(x: &[f64]) -> f64 {
    let texts: Vec<String> = x.iter().map(|v| v.to_string()).collect();
    all(&texts) * x[1]
}

#[differentiable]
fn structure(x: &[f64]) -> f64 {
    let label = Label { text: x[0].to_string() };
    label.number() * x[1]
}

#[differentiable]
fn option(x: &[f64]) -> f64 {
    let text = x[0].to_string();
    match checked(&text) {
        Some(v) => v * x[1],
        None => 0.0,
    }
}

#[differentiable]
fn digit(x: &[f64]) -> f64 {
    let text = format!("{:.0}", x[0]);
    text.chars().next().unwrap().to_digit(10).unwrap() as f64 * x[1]
}

#[differentiable]
fn behind_a_lock(x: &[f64]) -> f64 {
    TEXT.lock().unwrap().push_str(&x[0].to_string());
    let y = number(&TEXT.lock().unwrap());
    y * x[1]
}

fn main() {}
