//! Value and gradient of kernels that nobody tuned: `cargo bench --bench kernels [-- NAME]`, or `benches/kernels.sh` for the table.
//!
//! For each kernel: the gradient beside finite differences, then ratios of least times, the bytes that a prepared gradient keeps, and
//! the requests to the allocator in a warm call.
#![allow(clippy::all)] // the kernels are written as all kinds of people write them

mod list;

#[path = "../../tests/counting/mod.rs"]
mod counting;

use diffi::prelude::*;
use list::each_kernel;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The figures of a kernel, in the order of the table's columns.
struct Row {
    name: &'static str,
    microseconds: f64,
    gradient: f64,
    over_hand: Option<f64>,
    hvp: f64,
    tangent: f64,
    kept: usize,
    requests: usize,
}

const ROUNDS: usize = 15;
const BATCH: Duration = Duration::from_micros(1500);

fn main() -> Result<()> {
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let mut table = Vec::new();
    macro_rules! row {
        ($function:ident, $x:expr, $constants:expr $(, $hand:ident)?) => {
            if only.as_ref().is_none_or(|only| stringify!($function).contains(only.as_str())) {
                table.push(measured!($function, $x, $constants $(, $hand)?));
            }
        };
    }
    each_kernel!(row, 4);
    print(&table);
    Ok(())
}

macro_rules! measured {
    ($function:ident, $x:expr, $constants:expr $(, $hand:ident)?) => {{
        let (x, constants): (Vec<f64>, _) = ($x, $constants);
        let mut gradient = vec![0.0; x.len()];
        let mut prepared = prepare_gradient($function::D, AutoReverse, (&x, Constant(&constants)))?;
        prepared.value_and_gradient_into(&mut gradient, (&x, Constant(&constants)))?;
        agree(stringify!($function), &x, &gradient, |x| $function(x, &constants));
        let requests = {
            prepared.value_and_gradient_into(&mut gradient, (&x, Constant(&constants)))?;
            let before = counting::requests();
            prepared.value_and_gradient_into(&mut gradient, (&x, Constant(&constants)))?;
            counting::requests() - before
        };
        let tape = prepared.tape_bytes();
        let mut products = prepare_hvp($function::D, AutoReverse, (&x, Constant(&constants)), &x)?;
        let mut product = vec![0.0; x.len()];
        let seeds: [Vec<f64>; 8] = std::array::from_fn(|k| x.iter().map(|v| v + k as f64).collect());
        let seeds: [&[f64]; 8] = std::array::from_fn(|k| &seeds[k][..]);
        let mut tangents = prepare_pushforward($function::D, AutoForward, (&x, Constant(&constants)), seeds)?;
        let mut slopes = [0.0; 8];
        #[allow(unused_mut, unused_assignments)]
        let mut by_hand: Option<Box<dyn FnMut() + '_>> = None;
        $(
            let (mut expected, mut kept) = (vec![0.0; x.len()], Vec::new());
            $hand(&x, &constants, &mut expected, &mut kept);
            agree_exactly(stringify!($hand), &expected, &gradient);
            let (at, around) = (&x, &constants);
            by_hand = Some(Box::new(move || {
                black_box($hand(black_box(at), around, &mut expected, &mut kept));
            }));
        )?
        let times = least(&mut [
            &mut || { black_box($function(black_box(&x), black_box(&constants))); },
            &mut || { black_box(prepared.value_and_gradient_into(&mut gradient, (black_box(&x), Constant(&constants))).ok()); },
            &mut || { products.hvp_into(&mut product, (black_box(&x), Constant(&constants)), &x).unwrap(); },
            &mut || { tangents.pushforward_into(&mut slopes, (black_box(&x), Constant(&constants)), seeds).unwrap(); },
            &mut || if let Some(by_hand) = &mut by_hand { by_hand() },
        ]);
        Row {
            name: stringify!($function),
            microseconds: 1e6 * times[0],
            gradient: times[1] / times[0],
            over_hand: by_hand.is_some().then(|| times[1] / times[4]),
            hvp: times[2] / times[1],
            tangent: times[3] / times[0] / 8.0,
            kept: tape,
            requests,
        }
    }};
}
use measured;

/// No time is worth reading for a wrong gradient.
fn agree(name: &str, x: &[f64], gradient: &[f64], f: impl Fn(&[f64]) -> f64) {
    let mut at = x.to_vec();
    for k in (0..x.len()).step_by(1 + x.len() / 7) {
        let mut moved = |by: f64| {
            at[k] = x[k] + by;
            f(&at)
        };
        let h = 1e-5;
        let slope = (8.0 * (moved(h) - moved(-h)) - (moved(2.0 * h) - moved(-2.0 * h))) / (12.0 * h);
        at[k] = x[k];
        let found = gradient[k];
        assert!(
            (slope - found).abs() <= 1e-5 * slope.abs().max(1.0),
            "{name}[{k}]: differences {slope}, diffi {found}"
        );
    }
}

fn agree_exactly(name: &str, expected: &[f64], found: &[f64]) {
    for (k, (e, f)) in expected.iter().zip(found).enumerate() {
        assert!((e - f).abs() <= 1e-9 * e.abs().max(1.0), "{name}[{k}]: {e}, diffi {f}");
    }
}

/// Least seconds of a call of each; they take turns.
fn least<const N: usize>(calls: &mut [&mut dyn FnMut(); N]) -> [f64; N] {
    let counts = std::array::from_fn::<_, N, _>(|k| {
        let start = Instant::now();
        calls[k]();
        (BATCH.as_secs_f64() / start.elapsed().as_secs_f64().max(1e-8)).ceil() as usize
    });
    let mut least = [f64::INFINITY; N];
    for _ in 0..ROUNDS {
        for k in 0..N {
            let start = Instant::now();
            for _ in 0..counts[k] {
                calls[k]();
            }
            least[k] = least[k].min(start.elapsed().as_secs_f64() / counts[k] as f64);
        }
    }
    least
}

fn print(table: &[Row]) {
    println!(
        "| kernel | function, µs | value and gradient / function | / by hand | hvp / gradient | a tangent of eight / function | kept, B | requests |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for row in table {
        let Row { name, microseconds, gradient, over_hand, hvp, tangent, kept, requests } = row;
        let over_hand = over_hand.map_or(String::new(), |over| format!("{over:.2}"));
        println!(
            "| {name} | {microseconds:.2} | {gradient:.2} | {over_hand} | {hvp:.2} | {tangent:.2} | {kept} | {requests} |"
        );
    }
    let mut ratios: Vec<f64> = table.iter().map(|row| row.gradient).collect();
    ratios.sort_by(f64::total_cmp);
    let mean = (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let silent = table.iter().filter(|row| row.requests == 0).count();
    println!();
    println!(
        "{} kernels: geometric mean {mean:.2}, median {:.2}, most {:.2}; {silent} without a request.",
        table.len(),
        ratios[ratios.len() / 2],
        ratios[ratios.len() - 1]
    );
}
