//! How fast patterns are colored, with how many colors, beside what ColPack needed for such matrices.
//!
//! ColPack 1.0.10 of 2019, one thread: its counts are for these matrices, its processor times for such matrices on an idle machine of
//! the same kind, and not from this run. Dynamic largest first its program does not know for columns: the counts are from its
//! function for this order, and there are no times.

use crate::matrices::{Random, band, brusselator, grid};
use criterion::Criterion;
use diffi::sparse::{
    Coloring, ColoringAlgorithm, ColoringProblem, Decompressor, GreedyColoring, Order, Pattern, Storage, Triangle,
};
use diffi::sparse::{Compressed, coloring};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 15;

/// Colors and seconds.
type Known = Option<(usize, f64)>;

struct Row {
    name: String,
    edges: usize,
    colors: usize,
    /// Least seconds of the colors alone, of the coloring with its check and how entries are recovered, of filling a matrix.
    times: [f64; 3],
    colpack: Known,
}

pub fn table(filter: &str) {
    let mut criterion = Criterion::default().sample_size(10).without_plots().configure_from_args();
    let mut rows = Vec::new();
    for (name, pattern, known) in matrices() {
        for ((problem, algorithm, label), colpack) in algorithms().into_iter().zip(known) {
            let name = format!("{name}, {label}");
            if name.contains(filter) {
                rows.push(measure(&mut criterion, name, &pattern, problem, &algorithm, colpack));
            }
        }
    }
    if !rows.is_empty() {
        print(&rows);
    }
}

fn matrices() -> Vec<(&'static str, Pattern, [Known; 8])> {
    let n = 100_000;
    let random = |degree: usize| Random(degree as u64).symmetric(n, n * degree / 2, true);
    let colpack = |counts: [usize; 7], seconds: [f64; 7]| {
        let known = |k: usize| Some((counts[k], seconds[k]));
        [known(0), known(1), known(2), known(3), known(4), known(5), known(6), None]
    };
    vec![
        (
            "Brusselator 100",
            brusselator(100),
            colpack([12, 12, 12, 12, 12, 9, 6], [0.01, 0.01, 0.01, 0.01, 0.0, 0.0, 0.01]),
        ),
        ("grid 300", grid(300), colpack([7, 7, 5, 6, 9, 5, 4], [0.01, 0.01, 0.01, 0.01, 0.0, 0.01, 0.05])),
        ("random 5", random(5), colpack([20, 18, 18, 18, 18, 15, 7], [0.04, 0.08, 0.13, 0.15, 0.0, 0.14, 0.28])),
        ("random 10", random(10), colpack([41, 34, 34, 34, 34, 26, 11], [0.08, 0.17, 0.34, 0.32, 0.0, 0.51, 0.85])),
        ("band", band(n, 5), colpack([11, 11, 11, 11, 17, 11, 6], [0.02, 0.03, 0.04, 0.04, 0.0, 0.09, 0.14])),
    ]
}

fn algorithms() -> [(ColoringProblem, GreedyColoring, &'static str); 8] {
    let in_order = GreedyColoring::new;
    [
        (ColoringProblem::Column, in_order(Order::Natural), "columns"),
        (ColoringProblem::Column, in_order(Order::LargestFirst), "columns, largest first"),
        (ColoringProblem::Column, in_order(Order::SmallestLast), "columns, smallest last"),
        (ColoringProblem::Column, in_order(Order::IncidenceDegree), "columns, incidence degree"),
        (ColoringProblem::Column, in_order(Order::DynamicLargestFirst), "columns, dynamic largest first"),
        (ColoringProblem::Symmetric, in_order(Order::Natural), "stars"),
        (ColoringProblem::Symmetric, in_order(Order::Natural).substitution(), "trees"),
        (ColoringProblem::Bidirectional, in_order(Order::AscendingDegree), "both directions"),
    ]
}

fn measure(
    criterion: &mut Criterion,
    name: String,
    pattern: &Pattern,
    problem: ColoringProblem,
    algorithm: &GreedyColoring,
    colpack: Known,
) -> Row {
    let colors = || algorithm.colors(black_box(pattern), problem).expect("colored");
    let whole = || coloring(black_box(pattern), problem, algorithm).expect("colored");
    if std::env::var_os("DIFFI_TABLE").is_none() {
        criterion.bench_function(&name, |b| b.iter(colors));
    }
    let found = whole();
    let (decompressor, sums) = recovery(&found);
    let mut values = vec![0.0; decompressor.nnz()];
    let mut fill = || {
        decompressor.values_into(&mut values, sums.columns.view(), sums.rows.view()).expect("prepared");
        black_box(&mut values);
    };
    let mut times = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        let round = [seconds(|| drop(black_box(colors()))), seconds(|| drop(black_box(whole()))), seconds(&mut fill)];
        times.iter_mut().zip(round).for_each(|(least, time)| *least = least.min(time));
    }
    Row { name, edges: pattern.nnz(), colors: found.ncolors(), times, colpack }
}

fn recovery(coloring: &Coloring) -> (Decompressor, Compressed<f64>) {
    let decompressor = Decompressor::new(coloring, Storage::CSR, Triangle::Full).expect("colored");
    let mut sums = Compressed::zeros(coloring);
    sums.columns.iter_mut().chain(&mut sums.rows).zip(0..).for_each(|(sum, k)| *sum = f64::from(k));
    (decompressor, sums)
}

fn seconds(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

fn print(rows: &[Row]) {
    println!("\n{:44} {:>8} {:>27}   {:>7} {:>24}", "", "", "ns per entry", "", "ColPack");
    println!(
        "{:44} {:>8} {:>9}{:>9}{:>9}   {:>7} {:>7} {:>7} {:>8}",
        "", "entries", "colors", "checked", "filled", "colors", "colors", "ns", "ratio"
    );
    for Row { name, edges, colors, times, colpack } in rows {
        let [alone, checked, filled] = times.map(|t| t / *edges as f64 * 1e9);
        print!("{name:44} {edges:8} {alone:9.2}{checked:9.2}{filled:9.2}   {colors:7}");
        match colpack {
            // ColPack's clock has steps of 10 ms
            Some((colors, time)) if *time >= 0.02 => {
                println!(" {colors:7} {:7.0} {:8.1}", time / *edges as f64 * 1e9, time / times[0]);
            }
            Some((colors, _)) => println!(" {colors:7}"),
            None => println!(),
        }
    }
}
