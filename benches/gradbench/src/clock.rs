//! Timing: preparation once, then runs as often and as long as the input asks for.

use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How often to run at least, and for how long.
#[derive(Deserialize)]
struct Runs {
    #[serde(default)]
    min_runs: usize,
    #[serde(default)]
    min_seconds: f64,
}

/// The time of one run or one preparation.
#[derive(Serialize)]
pub struct Timing {
    name: &'static str,
    nanoseconds: u128,
}

/// Measures one evaluation.
pub struct Clock {
    runs: Runs,
    timings: Vec<Timing>,
}

impl Clock {
    /// With the limits that stand in the JSON object `input`, or one run where there are none.
    pub fn of(input: &str) -> Self {
        let runs = serde_json::from_str(input).unwrap_or(Runs { min_runs: 1, min_seconds: 0.0 });
        Clock { runs, timings: Vec::new() }
    }

    /// Measures what is paid once.
    pub fn prepare<T>(&mut self, prepare: impl FnOnce() -> T) -> T {
        self.measure("prepare", prepare).0
    }

    /// Runs `run` at least once, and until the limits are reached. Gives the last result.
    pub fn run<T>(&mut self, mut run: impl FnMut() -> T) -> T {
        let (mut result, mut total) = self.measure("evaluate", &mut run);
        let mut count = 1;
        while count < self.runs.min_runs || total.as_secs_f64() < self.runs.min_seconds {
            let (next, time) = self.measure("evaluate", &mut run);
            (result, total, count) = (next, total + time, count + 1);
        }
        result
    }

    fn measure<T>(&mut self, name: &'static str, run: impl FnOnce() -> T) -> (T, Duration) {
        let start = Instant::now();
        let result = black_box(run());
        let time = start.elapsed();
        self.timings.push(Timing { name, nanoseconds: time.as_nanos() });
        (result, time)
    }

    /// All measurements, in their order.
    pub fn into_timings(self) -> Vec<Timing> {
        self.timings
    }
}
