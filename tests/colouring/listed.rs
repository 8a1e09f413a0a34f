//! Counts and colors that others found.

use crate::cage::cage;
use crate::matrices::{Random, arrowhead, band, brusselator, frame, from_rows, grid, matrix_market};
use diffi::sparse::{
    Coloring, ColoringAlgorithm, ColoringProblem, ConstantColoring, GreedyColoring, OptimalColoring, Order, Pattern,
    coloring,
};
use serde_json::Value;

/// The cases of `data/colorings.json`, whose entries are listed or follow a formula.
fn pattern(case: &Value) -> Pattern {
    let size = |k: usize| case["input"]["shape"][k].as_u64().expect("a size") as usize;
    let (rows, columns) = (size(0), size(1));
    if let Some(entries) = case["input"]["entries"].as_array() {
        let index = |k: &Value| k.as_u64().expect("an index") as usize;
        return Pattern::from_triplets(rows, columns, entries.iter().map(|e| (index(&e[0]), index(&e[1]))))
            .expect("inside");
    }
    match case["id"].as_str().expect("a name") {
        "cs_band10" => band(rows, 5),
        "cs_band20" => band(rows, 10),
        "cc_bruss6" => brusselator(6),
        "cc_bruss12" => brusselator(12),
        other => panic!("no formula for {other}"),
    }
}

fn integers(values: &Value) -> Option<Vec<u32>> {
    Some(values.as_array()?.iter().map(|v| v.as_u64().expect("a color") as u32).collect())
}

fn colors(coloring: &Coloring) -> Vec<u32> {
    [coloring.column_colors(), coloring.row_colors()].concat()
}

#[test]
fn cases() -> diffi::Result<()> {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../data/colorings.json")).expect("valid");
    let natural = || GreedyColoring::new(Order::Natural);
    for case in &cases {
        let (pattern, expected, id) = (pattern(case), &case["expected"], &case["id"]);
        let count = |key: &str| expected[key].as_u64().map(|count| count as usize);
        if let Some(nnz) = case["input"]["nnz"].as_u64() {
            assert_eq!(pattern.nnz() as u64, nnz, "{id}");
        }
        let structure = case["problem"]["structure"].as_str();
        match case["problem"]["partition"].as_str().expect("a partition") {
            "bidirectional" => {
                let whole = coloring(&pattern, ColoringProblem::Bidirectional, natural().postprocessing(false))?;
                assert!(whole.ncolors() <= count("ncolors_natural_no_postprocessing").expect("a count"), "{id}");
                let found = coloring(&pattern, ColoringProblem::Bidirectional, natural())?;
                assert!(found.ncolors() <= count("ncolors_natural_postprocessed").expect("a count"), "{id}");
                let best = coloring(&pattern, ColoringProblem::Bidirectional, GreedyColoring::default())?;
                assert!(best.ncolors() <= count("best_known").expect("a count"), "{id}");
            }
            "column" if structure == Some("symmetric") => {
                let stars = coloring(&pattern, ColoringProblem::Symmetric, natural())?;
                assert!(stars.ncolors() <= count("star_ncolors_natural").expect("a count"), "{id}");
                let trees = coloring(&pattern, ColoringProblem::Symmetric, natural().substitution())?;
                assert!(trees.ncolors() <= count("acyclic_ncolors_natural").expect("a count"), "{id}");
                for (found, key) in [(&stars, "star_colors_natural"), (&trees, "acyclic_colors_natural")] {
                    if let Some(expected) = integers(&expected[key]) {
                        assert_eq!(colors(found), expected, "{id}");
                    }
                }
                if let Some(optimal) = count("optimal_star") {
                    let found = coloring(&pattern, ColoringProblem::Symmetric, OptimalColoring::default())?;
                    assert_eq!(found.ncolors(), optimal, "{id}");
                }
                if let Some(optimal) = count("optimal_acyclic") {
                    let found =
                        coloring(&pattern, ColoringProblem::Symmetric, OptimalColoring::default().substitution())?;
                    assert_eq!(found.ncolors(), optimal, "{id}");
                }
            }
            partition => {
                let problem = if partition == "row" { ColoringProblem::Row } else { ColoringProblem::Column };
                let found = coloring(&pattern, problem, natural())?;
                assert_eq!(found.ncolors(), count("ncolors_natural").expect("a count"), "{id}");
                assert!(found.ncolors() >= count("lower_bound_max_row_nnz").expect("a count"), "{id}");
                if let Some(expected) = integers(&expected["colors_natural"]) {
                    assert_eq!(colors(&found), expected, "{id}");
                }
                if let Some(optimal) = count("optimal") {
                    let found = coloring(&pattern, problem, OptimalColoring::default())?;
                    assert_eq!(found.ncolors(), optimal, "{id}");
                }
            }
        }
    }
    Ok(())
}

/// What ColPack 1.0.10 finds for the same matrices: by columns, stars and trees, each in natural order, largest first, smallest last,
/// by incidence degree and dynamic largest first.
///
/// For columns its program does not know the last by name, says so, and colors in natural order: these counts are from its function
/// `ColumnDynamicLargestFirstOrdering`.
#[test]
fn colpack() -> diffi::Result<()> {
    let orders =
        [Order::Natural, Order::LargestFirst, Order::SmallestLast, Order::IncidenceDegree, Order::DynamicLargestFirst];
    let random = |degree: usize| Random(degree as u64).symmetric(10_000, 5000 * degree, true);
    for (name, pattern, columns, stars, trees) in [
        ("brusselator 24", brusselator(24), [10, 10, 11, 11, 11], [9, 9, 9, 10, 11], [6, 6, 6, 7, 8]),
        ("brusselator 100", brusselator(100), [12, 12, 12, 12, 12], [9, 9, 9, 10, 11], [6, 6, 7, 8, 8]),
        ("grid 300", grid(300), [7, 7, 5, 6, 9], [5, 5, 6, 6, 8], [4, 4, 4, 4, 6]),
        ("band", band(10_000, 5), [11, 11, 11, 11, 15], [11, 11, 11, 11, 14], [6, 6, 6, 6, 8]),
        ("random 5", random(5), [19, 16, 16, 16, 17], [14, 15, 13, 13, 15], [7, 6, 6, 6, 6]),
        ("random 10", random(10), [41, 33, 33, 33, 34], [26, 25, 21, 22, 28], [11, 10, 10, 10, 11]),
    ] {
        for (k, order) in orders.into_iter().enumerate() {
            let count = |problem, substitution| -> diffi::Result<usize> {
                let greedy = GreedyColoring::new(order);
                let greedy = if substitution { greedy.substitution() } else { greedy };
                Ok(greedy.colors(&pattern, problem)?.count())
            };
            let found = [
                count(ColoringProblem::Column, false)?,
                count(ColoringProblem::Symmetric, false)?,
                count(ColoringProblem::Symmetric, true)?,
            ];
            let known = [columns[k], stars[k], trees[k]];
            assert!(found.iter().zip(known).all(|(found, known)| *found <= known), "{name}, {order:?}: {found:?}");
        }
    }
    Ok(())
}

/// What SparseMatrixColorings.jl 0.4.23 finds with its own buckets: by columns, stars and trees, each smallest last, by incidence degree
/// and dynamic largest first. The counts are those of an independent program that follows its description.
#[test]
fn sparse_matrix_colorings() -> diffi::Result<()> {
    let orders = [Order::SmallestLast, Order::IncidenceDegree, Order::DynamicLargestFirst];
    let random = |n: usize, degree: usize| Random(degree as u64).symmetric(n, n * degree / 2, true);
    for (name, pattern, columns, stars, trees) in [
        ("brusselator 24", brusselator(24), [11, 10, 11], [9, 10, 11], [6, 6, 8]),
        ("brusselator 100", brusselator(100), [12, 12, 12], [9, 10, 11], [7, 6, 9]),
        ("grid 300", grid(300), [5, 7, 10], [6, 6, 9], [4, 4, 6]),
        ("band", band(10_000, 5), [11, 11, 17], [11, 11, 15], [6, 6, 10]),
        ("random 5", random(10_000, 5), [16, 16, 17], [13, 12, 15], [6, 6, 6]),
        ("random 10", random(10_000, 10), [35, 34, 33], [22, 22, 27], [10, 10, 11]),
    ] {
        for (k, order) in orders.into_iter().enumerate() {
            let greedy = GreedyColoring::new(order);
            let found = [
                greedy.colors(&pattern, ColoringProblem::Column)?.count(),
                greedy.colors(&pattern, ColoringProblem::Symmetric)?.count(),
                greedy.substitution().colors(&pattern, ColoringProblem::Symmetric)?.count(),
            ];
            let known = [columns[k], stars[k], trees[k]];
            assert!(found.iter().zip(known).all(|(found, known)| *found <= known), "{name}, {order:?}: {found:?}");
        }
    }
    Ok(())
}

/// The same for matrices of ColPack's own: columns, stars and trees in natural order, trees largest and smallest first, and both
/// directions.
#[test]
fn colpack_matrices() -> diffi::Result<()> {
    let structure = matrix_market(include_str!("../data/bcsstk01.mtx"));
    let hessian = matrix_market(include_str!("../data/hess_pat.mtx"));
    let jacobian = matrix_market(include_str!("../data/jac_pat.mtx"));
    let count = |pattern: &Pattern, problem, algorithm: GreedyColoring| -> diffi::Result<usize> {
        Ok(coloring(pattern, problem, algorithm)?.ncolors())
    };
    let natural = || GreedyColoring::new(Order::Natural);
    use ColoringProblem::{Bidirectional, Column, Row, Symmetric};
    for (pattern, columns, stars, trees, other_trees, both) in
        [(&structure, 15, 12, 8, 7, 16), (&hessian, 12, 10, 7, 6, 14)]
    {
        assert_eq!(count(pattern, Column, natural())?, columns);
        assert!(count(pattern, Symmetric, natural())? <= stars);
        assert!(count(pattern, Symmetric, natural().substitution())? <= trees);
        for order in [Order::LargestFirst, Order::SmallestLast] {
            assert!(count(pattern, Symmetric, GreedyColoring::new(order).substitution())? <= other_trees);
        }
        assert!(count(pattern, Bidirectional, natural())? <= both);
    }
    assert_eq!(count(&jacobian, Column, natural())?, 11);
    assert_eq!(count(&jacobian, Row, natural())?, 6);
    assert!(count(&jacobian, Bidirectional, natural())? <= 7);
    Ok(())
}

/// A matrix of SuiteSparse that a model makes: no more colors than in tables VI and VII of ColPack's paper.
#[test]
fn cages() -> diffi::Result<()> {
    let smallest = [vec![0, 1, 2, 3, 4], vec![0, 1, 3], vec![0, 2, 4], vec![0, 1, 3, 4], vec![0, 2, 3, 4]];
    assert_eq!(cage(3), from_rows(5, smallest));
    // the collection's others have so many rows and entries
    for (monomers, rows, nnz) in [(4, 9, 49), (5, 37, 233), (6, 93, 785), (7, 340, 3084), (8, 1015, 11_003)] {
        assert_eq!((cage(monomers).rows(), cage(monomers).nnz()), (rows, nnz), "{monomers} monomers");
    }
    assert_eq!(compare(|name| (name == "cage11").then(|| cage(11)))?, 1);
    Ok(())
}

/// The others: one more of that model, and what files there are.
///
/// Those of LPnetlib can be made of the problems' MPS files, rows and columns as they come there: less the objective and other free
/// rows, and with a column for each row that is an inequality, in the order of the rows, before all others.
#[test]
#[ignore = "takes long, and reads files like `lp_cre_a.mtx` from the folder that SUITESPARSE names"]
fn published() -> diffi::Result<()> {
    let folder = std::env::var("SUITESPARSE").unwrap_or_default();
    let file = |name: &str| Some(matrix_market(&std::fs::read_to_string(format!("{folder}/{name}.mtx")).ok()?));
    assert_ne!(compare(|name| if name == "cage12" { Some(cage(12)) } else { file(name) })?, 0);
    Ok(())
}

/// Compares the counts of the matrices that are `named` with published ones: how many matrices there were.
fn compare(named: impl Fn(&str) -> Option<Pattern>) -> diffi::Result<usize> {
    let facts: Value = serde_json::from_str(include_str!("../data/conformance.json")).expect("valid");
    let facts = facts["cases"].as_array().expect("a list").iter().filter(|fact| fact["kind"] == "coloring_reference");
    let (mut matrices, mut more) = (0, Vec::new());
    for fact in facts {
        let name = fact["id"].as_str().and_then(|id| id.strip_prefix("ref_")).expect("a name");
        let Some(pattern) = named(name) else { continue };
        matrices += 1;
        assert_eq!(features(&pattern), fact["input"], "{name}");
        for (problem, side) in [(ColoringProblem::Column, "column_coloring"), (ColoringProblem::Row, "row_coloring")] {
            for (order, key) in [
                (Order::SmallestLast, "SL"),
                (Order::IncidenceDegree, "ID"),
                (Order::LargestFirst, "LF"),
                (Order::DynamicLargestFirst, "DLF"),
                (Order::Natural, "N"),
            ] {
                let found = GreedyColoring::new(order).colors(&pattern, problem)?.count() as u64;
                let known = fact["expected"][side][key].as_u64().expect("a count");
                println!("{name}, {side}, {key}: {found} of {known}");
                if found > known {
                    more.push((name, side, key, found, known));
                }
            }
        }
    }
    assert!(more.is_empty(), "more colors: {more:#?}");
    Ok(matrices)
}

/// What tells a matrix of that collection from others.
fn features(pattern: &Pattern) -> Value {
    let greatest = |pattern: &Pattern| (0..pattern.rows()).map(|i| pattern.row(i).len()).max();
    serde_json::json!({
        "rows": pattern.rows(),
        "cols": pattern.columns(),
        "nnz": pattern.nnz(),
        "max_row_degree": greatest(pattern),
        "max_col_degree": greatest(&pattern.transpose()),
    })
}

/// Gebremedhin et al. 2007: a band of so many diagonals off the main one.
#[test]
fn bands() -> diffi::Result<()> {
    for (n, half) in [(5000, 5), (10_000, 10)] {
        let stars = coloring(&band(n, half), ColoringProblem::Symmetric, GreedyColoring::default())?;
        let trees = coloring(&band(n, half), ColoringProblem::Symmetric, GreedyColoring::default().substitution())?;
        assert_eq!((stars.ncolors(), trees.ncolors()), (2 * half + 1, half + 1));
    }
    // a chordal graph's acyclic coloring is optimal in this order, however it is numbered
    for half in [1, 3, 6] {
        let pattern = Random(half as u64).permuted(&band(200, half));
        let algorithm = GreedyColoring::new(Order::IncidenceDegree).substitution();
        assert_eq!(coloring(&pattern, ColoringProblem::Symmetric, algorithm)?.ncolors(), half + 1);
    }
    Ok(())
}

/// What forward and reverse sweeps can do together.
#[test]
fn both_directions() -> diffi::Result<()> {
    let count = |pattern: &Pattern, algorithm: GreedyColoring| -> diffi::Result<usize> {
        let found = coloring(pattern, ColoringProblem::Bidirectional, &algorithm)?;
        Ok(found.ncolors())
    };
    assert_eq!(count(&frame(10, 20), GreedyColoring::default())?, 4);
    assert_eq!(count(&arrowhead(10), GreedyColoring::default())?, 3);
    assert_eq!(count(&arrowhead(200), GreedyColoring::default())?, 3);
    assert_eq!(count(&arrowhead(200), GreedyColoring::default().substitution())?, 3);
    let anti = Pattern::from_rows(4, (0..4).map(|i| [3 - i])).expect("inside");
    assert_eq!(count(&anti, GreedyColoring::default())?, 1);
    let cycle = Pattern::from_rows(3, [[0, 1], [1, 2], [0, 2]]).expect("inside");
    assert_eq!(count(&cycle, GreedyColoring::default())?, 3);
    Ok(())
}

/// The figures of two papers: edges, counted from 1, and colors.
#[test]
fn figures() -> diffi::Result<()> {
    let figure = |n: usize, edges: &[(usize, usize)]| {
        let both = edges.iter().flat_map(|&(i, j)| [(i - 1, j - 1), (j - 1, i - 1)]);
        Pattern::from_triplets(n, n, both.chain((0..n).map(|i| (i, i))))
    };
    let natural = || GreedyColoring::new(Order::Natural);
    // Gebremedhin, Manne, Pothen 2005, figure 4.1
    let small = figure(6, &[(1, 2), (2, 3), (2, 5), (2, 6), (3, 4), (4, 6)])?;
    assert_eq!(coloring(&small, ColoringProblem::Symmetric, natural())?.column_colors(), [1, 2, 1, 3, 1, 1]);
    // the same, figure 6.1, and Gebremedhin, Pothen, Tarafdar, Walther 2009, figures 1 and 4
    let edges =
        [(1, 2), (1, 7), (2, 3), (2, 5), (3, 4), (3, 6), (4, 10), (5, 6), (5, 8), (6, 9), (7, 8), (8, 9), (9, 10)];
    let pattern = figure(10, &edges)?;
    let stars = coloring(&pattern, ColoringProblem::Symmetric, natural())?;
    assert_eq!(stars.column_colors(), [1, 2, 1, 3, 1, 4, 3, 5, 1, 2]);
    let trees = coloring(&pattern, ColoringProblem::Symmetric, natural().substitution())?;
    assert_eq!(trees.column_colors(), [1, 2, 1, 2, 1, 3, 2, 3, 2, 1]);
    let published = ConstantColoring::columns([1, 2, 1, 2, 1, 3, 2, 3, 2, 3]);
    assert!(coloring(&pattern, ColoringProblem::Symmetric, &published).is_err());
    assert_eq!(coloring(&pattern, ColoringProblem::Symmetric, published.substitution())?.ncolors(), 3);
    Ok(())
}
