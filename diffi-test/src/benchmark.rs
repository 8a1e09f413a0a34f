//! How long operators take: prepared and not, with and without memory of their own.

use super::operator::{How, Memory, Name, Operator};
use super::{EachScenario, Lend, Runs, Scenario, Start, Visit, size};
use diffi_runtime::number::float::Base;
use diffi_runtime::operators::strategy::Backend;
use diffi_runtime::signature::arg_roles::ArgRoles;
use diffi_runtime::signature::function::Function;
use diffi_runtime::signature::param_kinds::Signature;
use std::fmt::{self, Display, Write as _};
use std::hint::black_box;
use std::io::{IsTerminal, Write as _};
use std::time::{Duration, Instant};

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Variant {
    /// Preparation.
    Prepare,
    /// The operator, which returns its result.
    Op,
    /// The operator, which overwrites a result.
    OpInto,
    /// The operator with the value, which returns both.
    ValueAndOp,
    /// The operator with the value, which overwrites a result.
    ValueAndOpInto,
}

/// How benchmarks are run.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Benchmark {
    /// How long each measurement lasts at least, in seconds.
    pub seconds: f64,
    /// What is timed.
    pub variants: &'static [Variant],
    /// The numbers of allocations and of allocated bytes so far.
    pub allocations: Option<fn() -> (usize, usize)>,
    /// Whether a bar shows the progress, where the standard error is a terminal.
    pub progress: bool,
}

impl Default for Benchmark {
    fn default() -> Self {
        let variants = &[Variant::Prepare, Variant::Op, Variant::OpInto, Variant::ValueAndOp, Variant::ValueAndOpInto];
        Benchmark { seconds: 0.02, variants, allocations: None, progress: true }
    }
}

impl Benchmark {
    /// Each measurement lasts so many seconds at least.
    pub fn seconds(self, seconds: f64) -> Self {
        Benchmark { seconds, ..self }
    }

    /// Times these variants.
    pub fn variants(self, variants: &'static [Variant]) -> Self {
        Benchmark { variants, ..self }
    }

    /// Counts allocations and allocated bytes.
    pub fn allocations(self, count: fn() -> (usize, usize)) -> Self {
        Benchmark { allocations: Some(count), ..self }
    }
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Measurement {
    /// The backend.
    pub backend: String,
    /// The scenario's name.
    pub scenario: String,
    /// The operator, in the variant that was timed.
    pub operator: String,
    /// Whether it was prepared.
    pub prepared: bool,
    /// How many numbers the active arguments have.
    pub size: usize,
    /// How often the function was called in one evaluation, where that is counted.
    pub calls: Option<usize>,
    /// How many samples there are.
    pub samples: usize,
    /// The shortest time of one evaluation, in seconds.
    pub time: f64,
    /// Allocations in one evaluation, where they are counted.
    pub allocations: Option<usize>,
    /// Bytes allocated in one evaluation, where they are counted.
    pub bytes: Option<usize>,
}

/// The table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurements(pub Vec<Measurement>);

/// Times every scenario on every backend.
pub fn benchmark_differentiation<Bs, Ss: EachScenario<Bs>>(
    backends: Bs,
    mut scenarios: Ss,
    settings: Benchmark,
) -> Measurements {
    let mut count = Count(0);
    scenarios.each(&backends, &mut count);
    let mut bar = Bar::new(settings.progress, count.0);
    let mut timer = Timer { settings, bar: &mut bar, table: Measurements::default() };
    scenarios.each(&backends, &mut timer);
    let table = timer.table;
    bar.finish();
    table
}

/// Counts pairs of scenarios and backends.
struct Count(usize);

impl Visit for Count {
    fn visit<B: Backend, S: Runs<B>>(&mut self, _: &B, _: &mut S) {
        self.0 += 1;
    }
}

struct Timer<'b> {
    settings: Benchmark,
    bar: &'b mut Bar,
    table: Measurements,
}

impl Visit for Timer<'_> {
    fn visit<B: Backend, S: Runs<B>>(&mut self, backend: &B, scenario: &mut S) {
        self.bar.step(&format!("{} of {} by {backend:?}", scenario.operator(), scenario.name()));
        scenario.benchmark(backend, &self.settings, &mut |row| self.table.0.push(row));
    }
}

/// A bar on the terminal.
struct Bar {
    shown: bool,
    done: usize,
    all: usize,
}

impl Bar {
    const WIDTH: usize = 30;

    fn new(wanted: bool, all: usize) -> Self {
        Bar { shown: wanted && std::io::stderr().is_terminal(), done: 0, all }
    }

    fn step(&mut self, what: &str) {
        if self.shown {
            let filled = Self::WIDTH * self.done / self.all.max(1);
            let bar = "#".repeat(filled) + &" ".repeat(Self::WIDTH - filled);
            eprint!("\r\x1b[K[{bar}] {what}");
            let _ = std::io::stderr().flush();
        }
        self.done += 1;
    }

    fn finish(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}

/// Times a scenario on a backend: all variants, without and with preparation.
pub(super) fn measure<B, Op, F, G, R, X, D>(
    scenario: &mut Scenario<Op, F, G, R, X, D>,
    b: &B,
    settings: &Benchmark,
    each: &mut dyn FnMut(Measurement),
) where
    B: Backend,
    Op: Operator<B, F, G, R, D>,
    F: Function<G> + Clone,
    G: Signature,
    R: ArgRoles<G>,
    X: Lend<G, R>,
    D: Copy,
{
    let calls = scenario.calls;
    let Scenario { name, function: f, point, seeds, .. } = scenario;
    let seeds = *seeds;
    let mut start = Start::<G>::of::<R>(&point.at());
    let size = size::<G, R>(&point.at());
    for &variant in settings.variants {
        for prepared in [false, true] {
            if variant == Variant::Prepare && prepared {
                continue;
            }
            let mut prep = match Op::prepare(f, b, point.lend(), seeds) {
                Ok(prep) => Some(prep).filter(|_| prepared),
                Err(_) => return,
            };
            let Ok((_, mut memory)) = Op::value_and_op(How::Unprepared(f, b), point.lend(), seeds) else { return };
            let mut evaluate = || {
                if R::IN_OUT {
                    start.put::<R>(point.at());
                }
                let how = match &mut prep {
                    Some(prep) => How::Prepared(prep),
                    None => How::Unprepared(&*f, b),
                };
                let done = match variant {
                    Variant::Prepare => Op::prepare(f, b, point.lend(), seeds).map(|prep| drop(black_box(prep))),
                    Variant::Op => Op::op(how, point.lend(), seeds).map(|result| drop(black_box(result))),
                    Variant::OpInto => Op::op_into(how, &mut memory, point.lend(), seeds),
                    Variant::ValueAndOp => Op::value_and_op(how, point.lend(), seeds).map(|both| drop(black_box(both))),
                    Variant::ValueAndOpInto => {
                        Op::value_and_op_into(how, &mut memory, point.lend(), seeds).map(|y| drop(black_box(y)))
                    }
                };
                black_box(done.is_ok());
            };
            let sampled = sample(&mut evaluate, settings, calls);
            keep_memory(&mut memory);
            let name_of_operator = match variant {
                Variant::Prepare => format!("prepare_{}", <Op as Name>::NAME),
                Variant::Op => <Op as Name>::NAME.to_owned(),
                Variant::OpInto => format!("{}_into", <Op as Name>::NAME),
                Variant::ValueAndOp => Op::WITH_VALUE.to_owned(),
                Variant::ValueAndOpInto => format!("{}_into", Op::WITH_VALUE),
            };
            each(Measurement {
                backend: format!("{b:?}"),
                scenario: name.clone(),
                operator: name_of_operator,
                prepared,
                size,
                ..sampled
            });
        }
    }
    start.put::<R>(point.at());
}

/// Results count as used.
fn keep_memory<F: Base>(memory: &mut impl Memory<F>) {
    memory.result(&mut |v| {
        black_box(*v);
    });
}

/// Runs `evaluate` until the time is up, as often in one sample as the clock needs.
fn sample(evaluate: &mut dyn FnMut(), settings: &Benchmark, calls: Option<fn() -> usize>) -> Measurement {
    evaluate();
    evaluate();
    let counted = calls.map(|calls| {
        let before = calls();
        evaluate();
        calls() - before
    });
    let allocated = settings.allocations.map(|count| {
        let before = count();
        evaluate();
        let after = count();
        (after.0 - before.0, after.1 - before.1)
    });
    let mut evaluations = 1u32;
    let mut timed = |evaluations: u32| {
        let start = Instant::now();
        (0..evaluations).for_each(|_| evaluate());
        start.elapsed()
    };
    while timed(evaluations) < Duration::from_micros(20) && evaluations < 1 << 20 {
        evaluations *= 2;
    }
    let (start, mut samples, mut best) = (Instant::now(), 0, f64::INFINITY);
    while samples < 3 || start.elapsed().as_secs_f64() < settings.seconds {
        best = best.min(timed(evaluations).as_secs_f64() / f64::from(evaluations));
        samples += 1;
    }
    Measurement {
        backend: String::new(),
        scenario: String::new(),
        operator: String::new(),
        prepared: false,
        size: 0,
        calls: counted,
        samples,
        time: best,
        allocations: allocated.map(|(allocations, _)| allocations),
        bytes: allocated.map(|(_, bytes)| bytes),
    }
}

const COLUMNS: [&str; 10] =
    ["backend", "scenario", "operator", "prepared", "size", "calls", "samples", "time", "allocations", "bytes"];

impl Measurement {
    /// The row as text, in the order of the columns. Times are in seconds.
    fn fields(&self) -> [String; 10] {
        let counted = |n: Option<usize>| n.map_or(String::new(), |n| n.to_string());
        [
            self.backend.clone(),
            self.scenario.clone(),
            self.operator.clone(),
            self.prepared.to_string(),
            self.size.to_string(),
            counted(self.calls),
            self.samples.to_string(),
            format!("{:e}", self.time),
            counted(self.allocations),
            counted(self.bytes),
        ]
    }
}

impl Measurements {
    /// As comma-separated values, times in seconds (RFC 4180).
    pub fn to_csv(&self) -> String {
        let quoted = |field: &String| match field.contains([',', '"', '\n']) {
            true => format!("\"{}\"", field.replace('"', "\"\"")),
            false => field.clone(),
        };
        let mut csv = COLUMNS.join(",") + "\n";
        for row in &self.0 {
            csv += &(row.fields().iter().map(quoted).collect::<Vec<_>>().join(",") + "\n");
        }
        csv
    }

    /// As an array of objects, times in seconds (RFC 8259). What was not counted is `null`.
    pub fn to_json(&self) -> String {
        let rows: Vec<String> = self.0.iter().map(json).collect();
        format!("[\n  {}\n]\n", rows.join(",\n  "))
    }
}

/// A row as an object.
fn json(row: &Measurement) -> String {
    let words = |k: usize| k < 3;
    let fields = COLUMNS.iter().zip(row.fields()).enumerate().map(|(k, (column, field))| match field {
        field if words(k) => format!("\"{column}\": {}", string(&field)),
        field if field.is_empty() => format!("\"{column}\": null"),
        field => format!("\"{column}\": {field}"),
    });
    format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
}

/// A string in JSON.
fn string(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => drop(write!(quoted, "\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// A time with a unit that suits it.
fn time(seconds: f64) -> String {
    let (unit, factor) = match seconds {
        s if s < 1e-6 => ("ns", 1e9),
        s if s < 1e-3 => ("µs", 1e6),
        s if s < 1.0 => ("ms", 1e3),
        _ => ("s", 1.0),
    };
    format!("{:.1} {unit}", seconds * factor)
}

impl Display for Measurements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<[String; 10]> = self
            .0
            .iter()
            .map(|row| {
                let mut fields = row.fields();
                fields[3] = if row.prepared { "yes" } else { "no" }.to_owned();
                fields[7] = time(row.time);
                fields
            })
            .collect();
        let used: Vec<usize> = (0..10).filter(|k| rows.iter().any(|row| !row[*k].is_empty())).collect();
        let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0).max(COLUMNS[k].len());
        let mut line = |cells: [&str; 10]| {
            let mut text = String::new();
            for &k in &used {
                let (cell, width) = (cells[k], width(k));
                match k < 4 {
                    true => write!(text, "{cell:width$}  ")?,
                    false => write!(text, "{cell:>width$}  ")?,
                }
            }
            writeln!(f, "{}", text.trim_end())
        };
        line(COLUMNS)?;
        rows.iter().try_for_each(|row| line(std::array::from_fn(|k| &*row[k])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_as_text_csv_and_json() {
        let row = Measurement {
            backend: "A, \"B\"".to_owned(),
            scenario: "norm".to_owned(),
            operator: "gradient".to_owned(),
            prepared: true,
            size: 10,
            calls: None,
            samples: 3,
            time: 2.5e-6,
            allocations: Some(0),
            bytes: Some(0),
        };
        let table = Measurements(vec![row]);
        let csv = table.to_csv();
        let header = "backend,scenario,operator,prepared,size,calls,samples,time,allocations,bytes";
        assert_eq!(csv, format!("{header}\n\"A, \"\"B\"\"\",norm,gradient,true,10,,3,2.5e-6,0,0\n"));
        let json = table.to_json();
        assert!(json.contains(r#""backend": "A, \"B\"", "scenario": "norm""#), "{json}");
        assert!(
            json.contains(r#""prepared": true, "size": 10, "calls": null, "samples": 3, "time": 2.5e-6"#),
            "{json}"
        );
        let text = table.to_string();
        assert!(text.lines().nth(1).is_some_and(|line| line.contains("2.5 µs") && line.contains("yes")), "{text}");
        assert!(!text.contains("calls"), "{text}");
    }
}
