//! Times of the phases and passes, on standard error where `DIFFI_TIME` is set: `DIFFI_TIME=1 cargo check` shows a table per function.
//!
//! Names nest: the time of a phase contains that of the passes in it, which stand behind it with a deeper indent.

use std::cell::RefCell;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

static ASKED: LazyLock<bool> = LazyLock::new(|| std::env::var_os("DIFFI_TIME").is_some());

thread_local! {
    static TIMES: RefCell<Times> = RefCell::default();
}

#[derive(Default)]
struct Times {
    depth: usize,
    rows: Vec<Row>,
}

/// The time of one name at one depth, over all that ran under it.
struct Row {
    name: &'static str,
    depth: usize,
    taken: Duration,
}

/// Runs something, and adds its time to that of the name.
pub fn timed<T>(name: &'static str, run: impl FnOnce() -> T) -> T {
    if !*ASKED {
        return run();
    }
    let row = TIMES.with_borrow_mut(|times| times.enter(name));
    let start = Instant::now();
    let result = run();
    TIMES.with_borrow_mut(|times| times.leave(row, start.elapsed()));
    result
}

/// Shows the times since the last report.
pub fn report(function: &dyn std::fmt::Display) {
    if !*ASKED {
        return;
    }
    let rows = TIMES.with_borrow_mut(|times| std::mem::take(&mut times.rows));
    let line = |row: &Row| {
        let milliseconds = row.taken.as_secs_f64() * 1e3;
        format!("{:>10.1} ms  {:indent$}{}\n", milliseconds, "", row.name, indent = 2 * row.depth)
    };
    eprintln!("// {function}: times\n{}", rows.iter().map(line).collect::<String>());
}

impl Times {
    fn enter(&mut self, name: &'static str) -> usize {
        let depth = self.depth;
        self.depth += 1;
        let known = self.rows.iter().position(|row| row.name == name && row.depth == depth);
        known.unwrap_or_else(|| {
            self.rows.push(Row { name, depth, taken: Duration::ZERO });
            self.rows.len() - 1
        })
    }

    fn leave(&mut self, row: usize, taken: Duration) {
        self.depth -= 1;
        if let Some(row) = self.rows.get_mut(row) {
            row.taken += taken;
        }
    }
}
