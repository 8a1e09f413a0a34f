//! The example's reader and objective.

#[path = "../examples/gmm/objective.rs"]
mod objective;
#[allow(dead_code)]
#[path = "../examples/gmm/reader.rs"]
mod reader;

use std::fs;
use std::path::{Path, PathBuf};

use diffi::prelude::*;
use reader::read;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/gmm").join(name)
}

#[test]
fn reads_sizes() {
    for (name, d, k, n) in [("test.txt", 2, 3, 1), ("gmm_d2_K5.txt", 2, 5, 1000), ("gmm_d10_K5.txt", 10, 5, 1000)] {
        let mixture = read(&data(name)).unwrap();
        let sizes = (mixture.d, mixture.alphas.len(), mixture.means.len(), mixture.icf.len(), mixture.points.len());
        assert_eq!(sizes, (d, k, k * d, k * d * (d + 1) / 2, n * d), "{name}");
        assert_eq!((mixture.gamma, mixture.m), (1.0, 0), "{name}");
    }
}

#[test]
fn replicates_a_single_point() {
    let file = write("replicated", "1 1 3\n0.5\n0.1\n0.2\n7\n2.5 4\n");
    let mixture = read(&file).unwrap();
    assert_eq!(mixture.points, [7.0, 7.0, 7.0]);
    assert_eq!((mixture.gamma, mixture.m), (2.5, 4));
}

/// Each row: a name, the text of a malformed file, the line that is to blame, and words of the message.
#[test]
fn malformed_files_name_file_and_line() {
    let good = "2 1 2\n0.5\n1 2\n0.1 0.2 0.3\n5 6\n7 8\n1 0\n";
    assert!(read(&write("good", good)).is_ok());
    for (name, text, line, words) in [
        ("empty", "", 1, "`d k n`"),
        ("two_sizes", "2 1\n", 1, "2 words, where the sizes `d k n` are expected"),
        ("fraction", &good.replace("2 1 2", "2 1.5 2"), 1, "`1.5` is not a whole number"),
        ("negative", &good.replace("2 1 2", "-2 1 2"), 1, "`-2` is not a whole number"),
        ("no_dimension", &good.replace("2 1 2", "0 1 2"), 1, "must be positive"),
        ("huge_dimension", &good.replace("2 1 2", "18446744073709551615 1 2"), 1, "too many"),
        ("word", &good.replace("1 2\n0.1", "1 two\n0.1"), 3, "`two` is not a finite number"),
        ("infinite", &good.replace("0.5", "inf"), 2, "`inf` is not a finite number"),
        ("short_mean", &good.replace("1 2\n0.1", "1\n0.1"), 3, "1 numbers, where a mean has 2"),
        ("long_factor", &good.replace("0.3", "0.3 0.4"), 4, "4 numbers, where an inverse covariance factor has 3"),
        (
            "missing_point",
            &good.replace("2 1 2", "2 1 3"),
            7,
            "the file ends after this line, where the prior `gamma m`",
        ),
        ("huge_count", "1 1 999999999999999\n0.5\n0.1\n0.2\n7\n1 0\n", 5, "do not fit into memory"),
        ("bad_gamma", &good.replace("1 0\n", "-1 0\n"), 7, "gamma must be a positive number"),
        ("bad_m", &good.replace("1 0\n", "1 0.5\n"), 7, "m must be a whole number"),
        ("more", &format!("{good}9 9\n"), 8, "should have ended"),
    ] {
        let file = write(name, text);
        let message = read(&file).unwrap_err().to_string();
        let place = format!("{}:{line}: ", file.display());
        assert!(message.starts_with(&place) && message.contains(words), "{name}: {message}");
    }
    let message = read(Path::new("no_such_file.txt")).unwrap_err().to_string();
    assert!(message.starts_with("no_such_file.txt: "), "{message}");
}

/// ADBench's own tests expect 8.0738 and this gradient for `test.txt`; its programs subtract the prior where the posterior adds it.
#[test]
fn agrees_with_adbench() -> Result<()> {
    let m = read(&data("test.txt")).unwrap();
    let likelihood = objective::log_likelihood(&m.alphas, &m.means, &m.icf, &m.points, m.d);
    let prior = objective::log_prior(&m.icf, m.d, m.gamma, m.m);
    assert!((likelihood - prior - 8.0738).abs() < 1e-4, "{likelihood} {prior}");

    let arguments = (&m.alphas, &m.means, &m.icf, Constant(&m.points), Constant(m.d));
    let (alphas, means, icf) = gradient(objective::log_likelihood::D, AutoReverse, arguments)?;
    let prior =
        gradient(objective::log_prior::D, AutoReverse, (&m.icf, Constant(m.d), Constant(m.gamma), Constant(m.m)))?;
    let icf: Vec<f64> = icf.iter().zip(&prior).map(|(l, p)| l - p).collect();
    let expected = [
        0.108663, -0.74127, 0.632607, 1.116926, 0.163333, -0.022, 0.227778, 1.20963, -0.06064, 2.5853, 0.11263,
        0.38574, 0.07352, 5.41836, -0.3215, 1.71892, 0.86009, -0.99464,
    ];
    for (got, expected) in [alphas, means, icf].concat().iter().zip(expected) {
        assert!((got - expected).abs() < 1e-5, "{got} {expected}");
    }
    let whole = objective::log_posterior(&m.alphas, &m.means, &m.icf, &m.points, m.d, m.gamma, m.m);
    assert!((whole - likelihood - objective::log_prior(&m.icf, m.d, m.gamma, m.m)).abs() < 1e-12);
    Ok(())
}

/// A file of its own for each row.
fn write(name: &str, text: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("gmm_{name}.txt"));
    fs::write(&file, text).unwrap();
    file
}
