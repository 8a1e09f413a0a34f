//! Objective, gradient by hand and gradient by diffi, side by side.
//!
//! Criterion measures each alone. The table at the end comes from batches that take turns, so that a machine which is
//! slow for a while is slow for all three; its ratios are medians over the rounds. With `DIFFI_TABLE=1` in the environment
//! the table is all there is.

#[allow(dead_code, reason = "not every bench has buffers that are compared")]
pub mod aligned;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;

const ROUNDS: usize = 31;
const BATCH: Duration = Duration::from_millis(4);

/// No time is worth reading for a wrong gradient.
pub fn agree<const N: usize>(by_hand: [&[f64]; N], by_diffi: [&[f64]; N]) {
    for (by_hand, by_diffi) in by_hand.iter().zip(by_diffi) {
        agree_within(1e-9, ("by hand", by_hand), ("by diffi", by_diffi));
    }
}

/// The same with a tolerance and with names.
pub fn agree_within(tolerance: f64, (of, expected): (&str, &[f64]), (name, found): (&str, &[f64])) {
    assert_eq!(expected.len(), found.len(), "{name}");
    for (e, f) in expected.iter().zip(found) {
        assert!((e - f).abs() <= tolerance * e.abs().max(1.0), "{of} {e}, {name} {f}");
    }
}

/// Collects a row for each model.
pub struct Report {
    criterion: Criterion,
    filter: Option<String>,
    rows: Vec<Row>,
}

struct Row {
    name: String,
    remark: String,
    /// Median seconds of one call: objective, by hand, by diffi.
    times: [f64; 3],
    /// Medians of diffi / objective, hand / objective, diffi / hand.
    ratios: [f64; 3],
    /// Least time by diffi over least time by hand: what is left on a machine that others use.
    least: f64,
}

impl Report {
    pub fn new() -> Report {
        let criterion = Criterion::default()
            .sample_size(20)
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1))
            .without_plots()
            .configure_from_args();
        let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
        Report { criterion, filter, rows: Vec::new() }
    }

    /// Measures one model; nothing, if a filter on the command line leaves it out.
    pub fn compare(
        &mut self,
        name: &str,
        mut objective: impl FnMut(),
        mut by_hand: impl FnMut(),
        mut by_diffi: impl FnMut(),
    ) {
        if self.filter.as_ref().is_some_and(|filter| !name.contains(filter.as_str())) {
            return;
        }
        if std::env::var_os("DIFFI_TABLE").is_none() {
            let mut group = self.criterion.benchmark_group(name);
            group.bench_function("objective", |b| b.iter(&mut objective));
            group.bench_function("by hand", |b| b.iter(&mut by_hand));
            group.bench_function("by diffi", |b| b.iter(&mut by_diffi));
            group.finish();
        }

        let calls = [calls_per_batch(&mut objective), calls_per_batch(&mut by_hand), calls_per_batch(&mut by_diffi)];
        let rounds: Vec<[f64; 3]> = (0..ROUNDS)
            .map(|_| [batch(&mut objective, calls[0]), batch(&mut by_hand, calls[1]), batch(&mut by_diffi, calls[2])])
            .collect();
        let over_rounds = |of: fn(&[f64; 3]) -> f64| median(rounds.iter().map(of).collect());
        let least = |of: fn(&[f64; 3]) -> f64| rounds.iter().map(of).fold(f64::INFINITY, f64::min);
        self.rows.push(Row {
            name: name.into(),
            remark: String::new(),
            times: [over_rounds(|t| t[0]), over_rounds(|t| t[1]), over_rounds(|t| t[2])],
            least: least(|t| t[2]) / least(|t| t[1]),
            ratios: [over_rounds(|t| t[2] / t[0]), over_rounds(|t| t[1] / t[0]), over_rounds(|t| t[2] / t[1])],
        });
    }

    /// Writes something beside the row of a model, if that was measured.
    #[allow(dead_code, reason = "not every bench has something to say")]
    pub fn remark(&mut self, name: &str, remark: impl FnOnce() -> String) {
        if let Some(row) = self.rows.iter_mut().find(|row| row.name == name) {
            row.remark = remark();
        }
    }

    /// The table.
    pub fn print(&self) {
        println!("\n{:24} {:>36}   {:>32}", "", "µs per call", "ratio");
        println!(
            "{:24} {:>12}{:>12}{:>12}   {:>10}{:>11}{:>11}{:>8}",
            "", "objective", "by hand", "by diffi", "diffi/obj", "hand/obj", "diffi/hand", "least"
        );
        for Row { name, remark, times: [f, h, d], ratios: [df, hf, dh], least } in &self.rows {
            println!(
                "{name:24} {:12.3}{:12.3}{:12.3}   {df:10.2}{hf:11.2}{dh:11.2}{least:8.2}  {remark}",
                f * 1e6,
                h * 1e6,
                d * 1e6
            );
        }
    }
}

/// As many calls as take long enough to be measured.
pub fn calls_per_batch(run: &mut dyn FnMut()) -> u32 {
    let mut calls = 1;
    while batch(run, calls) * f64::from(calls) < BATCH.as_secs_f64() {
        calls *= 2;
    }
    calls
}

/// Seconds of one call, from so many.
///
/// None of the three is inlined into the loop, where the smallest would save what a call costs.
pub fn batch(run: &mut dyn FnMut(), calls: u32) -> f64 {
    let run = black_box(run);
    let start = Instant::now();
    for _ in 0..calls {
        run();
    }
    start.elapsed().as_secs_f64() / f64::from(calls)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
