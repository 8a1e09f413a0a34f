//! Problems, who solves them, and how long everyone takes.

use crate::chart;
use crate::report::{agree_within, batch, calls_per_batch};
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;

const OBJECTIVE: &str = "objective";
pub const BY_HAND: &str = "by hand";
pub const DIFFI: &str = "diffi";

const ROUNDS: usize = 15;

/// Numbers in a row, whatever holds them.
pub trait Flat {
    fn flat(&self) -> Vec<f64>;
}

impl Flat for Vec<f64> {
    fn flat(&self) -> Vec<f64> {
        self.clone()
    }
}

impl Flat for ndarray::Array2<f64> {
    fn flat(&self) -> Vec<f64> {
        self.iter().copied().collect()
    }
}

impl<A: Flat, B: Flat> Flat for (A, B) {
    fn flat(&self) -> Vec<f64> {
        [self.0.flat(), self.1.flat()].concat()
    }
}

impl<A: Flat, B: Flat, C: Flat> Flat for (A, B, C) {
    fn flat(&self) -> Vec<f64> {
        [self.0.flat(), self.1.flat(), self.2.flat()].concat()
    }
}

/// Least seconds of a call, by name.
pub struct Row {
    pub problem: String,
    pub times: Vec<(&'static str, f64)>,
}

impl Row {
    pub fn time(&self, name: &str) -> Option<f64> {
        self.times.iter().find(|(of, _)| *of == name).map(|(_, time)| *time)
    }

    /// Everyone but the objective, diffi and the hand.
    pub fn packages(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.times.iter().copied().filter(|(name, _)| ![OBJECTIVE, BY_HAND, DIFFI].contains(name))
    }
}

/// Who solves a problem, and how.
type Rival = (&'static str, Box<dyn FnMut()>);

/// The rows that are done, and the problem that is set up.
pub struct Table {
    filter: Option<String>,
    problem: String,
    rivals: Vec<Rival>,
    expected: Option<(&'static str, Vec<f64>)>,
    rows: Vec<Row>,
}

impl Table {
    /// With the filter that stands on the command line.
    pub fn of_arguments() -> Self {
        let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
        Table { filter, problem: String::new(), rivals: Vec::new(), expected: None, rows: Vec::new() }
    }

    pub fn problem(&mut self, name: String) {
        self.problem = name;
    }

    /// Whether the filter lets the problem pass.
    pub fn wanted(&self) -> bool {
        self.filter.as_ref().is_none_or(|filter| self.problem.contains(filter.as_str()))
    }

    /// No time is worth reading for a wrong gradient: all have to be as the first.
    pub fn check(&mut self, name: &'static str, found: &[f64]) {
        match &self.expected {
            None => self.expected = Some((name, found.to_vec())),
            Some((of, expected)) => agree_within(1e-8, (of, expected), (name, found)),
        }
    }

    pub fn objective<T>(&mut self, mut run: impl FnMut() -> T + 'static) {
        self.rival(OBJECTIVE, move || {
            black_box(run());
        });
    }

    pub fn rival(&mut self, name: &'static str, run: impl FnMut() + 'static) {
        self.rivals.push((name, Box::new(run)));
    }

    /// Lets all take turns.
    pub fn measure(&mut self) {
        let (wanted, mut rivals) = (self.wanted(), std::mem::take(&mut self.rivals));
        self.expected = None;
        if !wanted {
            return;
        }
        let calls: Vec<u32> = rivals.iter_mut().map(|(_, run)| calls_per_batch(run)).collect();
        let mut times: Vec<(&'static str, f64)> = rivals.iter().map(|(name, _)| (*name, f64::INFINITY)).collect();
        for _ in 0..ROUNDS {
            for (((_, run), calls), (_, least)) in rivals.iter_mut().zip(&calls).zip(&mut times) {
                *least = least.min(batch(run, *calls));
            }
        }
        let row = Row { problem: std::mem::take(&mut self.problem), times };
        println!("{}", line(&row, &names(std::slice::from_ref(&row))));
        self.rows.push(row);
    }

    /// The table and the picture.
    pub fn write(&self) -> std::io::Result<()> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/results");
        let name = std::env::var("DIFFI_RESULTS").unwrap_or_else(|_| "peers".into());
        std::fs::create_dir_all(&folder)?;
        let text = self.markdown();
        println!("\n{text}");
        std::fs::write(folder.join(format!("{name}.md")), text)?;
        std::fs::write(folder.join(format!("{name}.svg")), chart::drawn(&self.rows))
    }

    fn markdown(&self) -> String {
        let names = names(&self.rows);
        let mut text = String::from(
            "| problem | objective, µs | diffi, µs | diffi / objective | diffi / by hand | diffi / best package |",
        );
        for name in &names {
            let _ = write!(text, " {name} |");
        }
        let _ = writeln!(text, "\n|{}", "---|".repeat(6 + names.len()));
        for row in &self.rows {
            let _ = writeln!(text, "{}", line(row, &names));
        }
        text + "\nColumns with the name of a package: its time over diffi's.\n"
    }
}

/// All packages, in the order of their appearance.
fn names(rows: &[Row]) -> Vec<&'static str> {
    let mut names = Vec::new();
    for (name, _) in rows.iter().flat_map(Row::packages) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn line(row: &Row, names: &[&'static str]) -> String {
    let (objective, diffi) = (row.time(OBJECTIVE).expect("is measured"), row.time(DIFFI).expect("is measured"));
    let best = row.packages().map(|(_, time)| time).min_by(f64::total_cmp);
    let over = |time: Option<f64>| time.map_or(String::new(), |time| format!("{:.3}", diffi / time));
    let mut line = format!("| {} | {:.4} | {:.4} |", row.problem, objective * 1e6, diffi * 1e6);
    for ratio in [Some(objective), row.time(BY_HAND), best] {
        let _ = write!(line, " {} |", over(ratio));
    }
    for name in names {
        let times = row.time(name).map_or(String::new(), |time| format!("{:.1}", time / diffi));
        let _ = write!(line, " {times} |");
    }
    line
}
