//! Compositions of two lines of the derivative table at special values: forward and reverse code agree with the rules and each other.
//!
//! `DIFFI_COMPOSITIONS=all cargo test --release -p diffi-macros --lib special_values -- --nocapture` tries all pairs, at all points.

use crate::opt::dump::Dump;
use crate::tests::interpreter::bodies::sweeps::Shadows;
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::program::{Code, Part, Program, Source};
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::Value;
use diffi_rules::{Kind, RULES, Rule};
use fastrand::Rng;
use std::env;

/// How many pairs are tried, if nobody says otherwise.
const PAIRS: usize = 120;
/// Zeros, bounds of domains, ties, and the ends of the range.
const POINTS: &[f64] =
    &[0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 3.5, 1e-310, -1e-310, f64::MIN_POSITIVE, 1e-150, 700.0, -700.0];
/// Second arguments, and passive integers.
const CONSTANTS: &[f64] = &[0.0, 1.0, 2.0, 0.5, -1.0];
const INTEGERS: &[i32] = &[-2, -1, 0, 1, 2, 3];
/// How two functions are composed: `F` and `G` of `x`, or `F` of `G`.
const FORMS: &[(&str, Form)] = &[
    ("let g = G(x); F(g)", Form::Chain),
    ("let f = F(x); let g = G(x); f * g", Form::Product),
    ("let f = F(x); let g = G(x); if x > 0.75 { f } else { g }", Form::Branch),
    ("let f = F(x); let g = G(x); f.max(g)", Form::Max),
];

#[derive(Clone, Copy)]
enum Form {
    Chain,
    Product,
    Branch,
    Max,
}

/// A function of one number: a line of the table, all arguments but one being constants.
struct Unary {
    /// The call, of `X`.
    call: String,
    /// The partial derivative, of `x` and `y`.
    partial: String,
    /// Whether the line has none.
    flat: bool,
}

#[test]
fn compositions_at_special_values_agree() {
    let count = env::var("DIFFI_COMPOSITIONS").map_or(PAIRS, |n| n.parse().unwrap_or(usize::MAX));
    let (unaries, mut random) =
        (unaries(), Rng::with_seed(env::var("DIFFI_SEED").map_or(1, |n| n.parse().unwrap_or(1))));
    let mut pairs: Vec<(usize, usize)> =
        (0..unaries.len()).flat_map(|f| (0..unaries.len()).map(move |g| (f, g))).collect();
    random.shuffle(&mut pairs);
    pairs.truncate(count);
    let mut wrong = Vec::new();
    for (f, g) in &pairs {
        proc_macro2::extra::invalidate_current_thread_spans();
        for (text, form) in FORMS {
            wrong.extend(differences(&unaries[*f], &unaries[*g], text, *form));
        }
    }
    println!("{} pairs", pairs.len());
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

fn unaries() -> Vec<Unary> {
    let lines =
        RULES.iter().filter(|rule| !rule.special && rule.name != "round_ties_even" && rule.name != "div_euclid");
    lines.flat_map(unaries_of).collect()
}

/// The functions of one number that a line has, one for each argument and choice of constants.
fn unaries_of(rule: &Rule) -> Vec<Unary> {
    let mut all = Vec::new();
    for k in 0..rule.args.len() {
        let count = if rule.args.len() > 1 {
            CONSTANTS.len()
        } else if rule.passive.is_some() {
            INTEGERS.len()
        } else {
            1
        };
        all.extend((0..count).filter_map(|c| unary(rule, k, c)));
    }
    all
}

fn unary(rule: &Rule, k: usize, c: usize) -> Option<Unary> {
    let constant = |j: usize| format!("({:?}_f64)", CONSTANTS[(c + 2 * j) % CONSTANTS.len()]);
    let (low, high) = (format!("({:?}_f64)", CONSTANTS[c % CONSTANTS.len()].min(1.0)), "(1.0_f64)".to_owned());
    let arg = |j: usize, x: &str| match (rule.name, j) {
        _ if j == k => x.to_owned(),
        ("clamp", 1) => low.clone(),
        ("clamp", 2) => high.clone(),
        _ => constant(j),
    };
    if rule.name == "clamp" && k > 0 {
        return None;
    }
    let args: Vec<String> = (0..rule.args.len()).map(|j| arg(j, "x")).collect();
    let mut partial = format!("let ({},) = ({},); ", rule.args.join(", "), args.join(", "));
    let integer = INTEGERS[c % INTEGERS.len()];
    rule.passive.iter().for_each(|n| partial += &format!("let {n} = {integer}; "));
    partial += if rule.kind == Kind::Flat { "0.0" } else { rule.partials[k] };
    let call = match (rule.name, rule.args.len()) {
        ("neg", _) => "(-X)".to_owned(),
        (name, 2) if operator(name).is_some() => format!("({} {} {})", arg(0, "X"), operator(name)?, arg(1, "X")),
        (name, _) => {
            let rest: Vec<String> = (1..rule.args.len()).map(|j| arg(j, "X")).collect();
            let rest = if rule.passive.is_some() { integer.to_string() } else { rest.join(", ") };
            format!("{}.{name}({rest})", arg(0, "X"))
        }
    };
    Some(Unary { call, partial, flat: rule.kind == Kind::Flat })
}

fn operator(name: &str) -> Option<&'static str> {
    let operators = [("add", "+"), ("sub", "-"), ("mul", "*"), ("div", "/"), ("rem", "%")];
    operators.iter().find(|(n, _)| *n == name).map(|(_, sign)| *sign)
}

/// Where forward code, reverse code and the rules differ.
fn differences(f: &Unary, g: &Unary, text: &str, form: Form) -> Vec<String> {
    let at = |unary: &Unary, of: &str| unary.call.replace('X', of);
    let body = text.replace("F(x)", &at(f, "x")).replace("F(g)", &at(f, "g")).replace("G(x)", &at(g, "x"));
    let helpers = [("f", f), ("g", g)].map(|(name, unary)| {
        let (call, partial) = (at(unary, "x"), &unary.partial);
        format!("fn {name}_value(x: f64) -> f64 {{ {call} }} fn {name}_partial(x: f64, y: f64) -> f64 {{ {partial} }}")
    });
    let main = Source::of(&format!("fn main(x: f64) -> f64 {{ {body} }}")).expect("a program");
    let helpers = Source::of(&helpers.concat()).expect("a program");
    let functions = main.functions(&Dump::default()).expect("the program is followed");
    let compared =
        Compared { program: &Program::new(&main, &functions), rules: &Program::new(&helpers, &[]), f, g, form };
    let tried = POINTS.iter().filter_map(|x| compared.difference(*x).map(|what| format!("{body} at {x:?}: {what}")));
    tried.collect()
}

/// A program, and the functions that it is made of.
struct Compared<'p> {
    program: &'p Program<'p>,
    rules: &'p Program<'p>,
    f: &'p Unary,
    g: &'p Unary,
    form: Form,
}

impl<'p> Compared<'p> {
    /// What is different at a point, if anything.
    fn difference(&self, x: f64) -> Option<String> {
        // `atan2` adds squares
        if x != 0.0 && x.abs() < 1e-150 && [self.f, self.g].iter().any(|line| line.call.contains("atan2")) {
            return None;
        }
        let numbers = self.forward(x).and_then(|push| Ok((push, self.reverse(x)?, self.by_rules(x)?)));
        let ((value, push), pull, (rules, scale)) = match numbers {
            Ok(numbers) => numbers,
            Err(stop) => return Some(format!("{stop:?}")),
        };
        // where a value is not finite, modes differ in what of it is multiplied by zero; rules of subnormal numbers are quotients beyond the range
        let all_same = !value.is_finite() || same(push, pull, scale) && (same(push, rules, scale) || x.is_subnormal());
        (!all_same).then(|| format!("forward {push:e}, reverse {pull:e}, by the rules {rules:e}"))
    }

    /// The value and its tangent.
    fn forward(&self, x: f64) -> Run<(f64, f64)> {
        let (mut machine, code) = (Machine::new(self.program), self.code()?);
        let args = [machine.memory.alloc(Value::float(x))];
        let shadows = Shadows { dots: vec![Some(machine.memory.alloc(Value::float(1.0)))], ..Shadows::default() };
        let (value, dot) = machine.part(code, Part::Push, &args, &shadows)?;
        Ok((value.floats()[0].v, dot.floats().first().map_or(0.0, |v| v.v)))
    }

    fn reverse(&self, x: f64) -> Run<f64> {
        let (mut machine, code) = (Machine::new(self.program), self.code()?);
        let args = [machine.memory.alloc(Value::float(x))];
        let bar = machine.memory.alloc(Value::float(0.0));
        let y_bar = Some(machine.memory.alloc(Value::float(1.0)));
        let shadows = Shadows { bars: vec![Some((bar.clone(), false))], y_bar, ..Shadows::default() };
        machine.part(code, Part::Pull, &args, &shadows)?;
        Ok(machine.memory.read(&bar)?.floats()[0].v)
    }

    fn code(&self) -> Run<&'p Code<'p>> {
        self.program.code(None, "main").ok_or_else(|| Stop::unknown("no derivative"))
    }

    /// The derivative by the rules, and the size of its terms: times a partial derivative of zero everything is zero.
    fn by_rules(&self, x: f64) -> Run<(f64, f64)> {
        let times = |partial: f64, dot: f64| if partial == 0.0 { 0.0 } else { partial * dot };
        let (g, g_dot) = self.line("g", self.g, x)?;
        if let Form::Chain = self.form {
            return Ok((if g_dot == 0.0 { 0.0 } else { times(self.line("f", self.f, g)?.1, g_dot) }, 0.0));
        }
        let (f, f_dot) = self.line("f", self.f, x)?;
        let by_f = if self.f.flat { 0.0 } else { times(g, f_dot) };
        let by_g = if self.g.flat { 0.0 } else { times(f, g_dot) };
        Ok(match self.form {
            Form::Product => (by_f + by_g, by_f.abs() + by_g.abs()),
            Form::Branch if x > 0.75 => (f_dot, 0.0),
            Form::Max if f >= g || g.is_nan() => (f_dot, 0.0),
            _ => (g_dot, 0.0),
        })
    }

    /// A line's value and its partial derivative.
    fn line(&self, name: &str, line: &Unary, x: f64) -> Run<(f64, f64)> {
        let y = self.number(&format!("{name}_value"), &[x])?;
        let partial = self.number(&format!("{name}_partial"), &[x, y])?;
        Ok((y, if line.flat { 0.0 } else { partial }))
    }

    fn number(&self, name: &str, args: &[f64]) -> Run<f64> {
        let function = self.rules.function(name).ok_or_else(|| Stop::unknown("no function"))?;
        let args = args.iter().map(|x| Value::float(*x)).collect();
        let value = Machine::new(self.rules).run_source(function, args)?;
        value.floats().first().map(|v| v.v).ok_or_else(|| Stop::unknown("no number"))
    }
}

/// Whether two derivatives are the same up to rounding of their terms.
fn same(a: f64, b: f64, scale: f64) -> bool {
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(scale).max(1e-288)
}
