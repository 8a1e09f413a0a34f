//! Switches of the optimisations: `DIFFI_WITHOUT=jam,lanes` in the environment leaves passes out, so that benchmarks can tell what each of
//! them buys. (`benches/switches.sh` does.) The derivatives are the same, up to rounding.

use std::sync::LazyLock;

/// The passes that can be left out, by the names of their files.
pub const PASSES: &[&str] = &[
    "abreast",
    "begun",
    "chosen",
    "columns",
    "common",
    "convolutions",
    "fold",
    "gathered",
    "idle",
    "jam",
    "lanes",
    "lasting",
    "parts",
    "reassociate",
    "recurrences",
    "regained",
    "signs",
    "slopes",
    "stencils",
    "turns",
    "unread",
    "vector_math",
];

static WITHOUT: LazyLock<Vec<String>> = LazyLock::new(|| {
    let named = std::env::var("DIFFI_WITHOUT").unwrap_or_default();
    named.split(',').filter(|name| PASSES.contains(name)).map(str::to_owned).collect()
});

/// Whether a pass runs.
pub fn is_on(pass: &str) -> bool {
    debug_assert!(PASSES.contains(&pass), "{pass} is no pass that has a switch");
    WITHOUT.iter().all(|name| name != pass)
}
