//! Least times of candidates that take turns.

use std::time::{Duration, Instant};

/// Calls the candidates in turn, and gives the least seconds of each.
pub fn least<const N: usize>(mut candidates: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut least = [f64::INFINITY; N];
    let calls: [u32; N] = std::array::from_fn(|k| {
        let started = Instant::now();
        candidates[k]();
        (Duration::from_millis(2).as_nanos() / started.elapsed().as_nanos().max(1)).clamp(1, 100_000) as u32
    });
    let until = Instant::now() + Duration::from_millis(1500);
    let mut rounds = 0;
    while rounds < 5 || Instant::now() < until {
        for (k, candidate) in candidates.iter_mut().enumerate() {
            let started = Instant::now();
            (0..calls[k]).for_each(|_| candidate());
            least[k] = least[k].min(started.elapsed().as_secs_f64() / f64::from(calls[k]));
        }
        rounds += 1;
    }
    least
}

/// Seconds in a unit that suits them.
pub fn show(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.2} us", s * 1e6),
        s => format!("{:.2} ms", s * 1e3),
    }
}
