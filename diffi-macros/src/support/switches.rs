//! Switches of the passes: `DIFFI_WITHOUT=unroll_jam,cse` in the environment leaves them out, and `DIFFI_WITHOUT=all` leaves out all.
//!
//! Benchmarks so measure the gain of each pass, and tests its correctness: derivatives are the same, up to rounding.

use std::sync::LazyLock;

static WITHOUT: LazyLock<Vec<String>> = LazyLock::new(|| {
    let named = std::env::var("DIFFI_WITHOUT").unwrap_or_default();
    named.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
});

/// The names that the environment leaves out.
pub fn left_out() -> &'static [String] {
    &WITHOUT
}

/// Whether a pass runs.
pub fn is_on(pass: &str) -> bool {
    WITHOUT.iter().all(|name| name != pass && name != "all")
}
