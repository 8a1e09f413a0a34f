//! A progress bar.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};

const WIDTH: usize = 40;

/// A bar in the last line of a terminal. Where errors go elsewhere, nothing is shown.
pub struct Progress {
    name: String,
    visible: bool,
    percent: AtomicU64,
}

impl Progress {
    /// An empty one.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Progress { name: name.to_owned(), visible: stderr().is_terminal(), percent: AtomicU64::new(u64::MAX) }
    }

    /// Shows how much is done, between 0 and 1.
    pub fn show(&self, done: f64) {
        let percent = (100.0 * done).clamp(0.0, 100.0) as u64;
        if self.visible && self.percent.swap(percent, Ordering::Relaxed) != percent {
            let bar = "#".repeat(percent as usize * WIDTH / 100);
            eprint!("\r{} [{bar:WIDTH$}] {percent:3} %", self.name);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.visible {
            eprint!("\r{:1$}\r", "", self.name.len() + WIDTH + 9);
        }
    }
}
