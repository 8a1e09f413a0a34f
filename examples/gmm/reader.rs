//! Reads ADBench's text files of Gaussian mixtures.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The parameters of a mixture of `alphas.len()` Gaussians in `d` dimensions, the points, and the prior.
#[derive(Debug)]
pub struct Mixture {
    pub d: usize,
    pub alphas: Vec<f64>,
    pub means: Vec<f64>,
    pub icf: Vec<f64>,
    pub points: Vec<f64>,
    pub gamma: f64,
    pub m: usize,
}

/// What is wrong with a file, and where; line 0 stands for the file as a whole.
#[derive(Debug)]
pub struct ReadError {
    file: PathBuf,
    line: usize,
    problem: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let file = self.file.display();
        match self.line {
            0 => write!(f, "{file}: {}", self.problem),
            line => write!(f, "{file}:{line}: {}", self.problem),
        }
    }
}

impl std::error::Error for ReadError {}

pub fn read(file: &Path) -> Result<Mixture, ReadError> {
    let at = |(line, problem)| ReadError { file: file.into(), line, problem };
    let text = fs::read_to_string(file).map_err(|error| at((0, error.to_string())))?;
    parse(&text).map_err(at)
}

/// The mixture, or a line and its problem.
fn parse(text: &str) -> Result<Mixture, (usize, String)> {
    let mut lines = Lines::new(text);
    let [d, k, n] = lines.integers("the sizes `d k n`")?;
    if d == 0 || k == 0 || n == 0 {
        return Err((lines.last, "every one of `d k n` must be positive".into()));
    }
    let size =
        d.checked_add(1).and_then(|e| d.checked_mul(e)).ok_or((lines.last, format!("{d} dimensions are too many")))?
            / 2;
    let alphas = lines.rows(k, 1, "a log weight")?;
    let means = lines.rows(k, d, "a mean")?;
    let icf = lines.rows(k, size, "an inverse covariance factor")?;
    // ADBench's larger problems repeat one point: then two rows are left.
    let points = if n > 1 && lines.left() == 2 {
        let point = lines.rows(1, d, "a point")?;
        replicate(&point, n).ok_or((lines.last, format!("{n} points do not fit into memory")))?
    } else {
        lines.rows(n, d, "a point")?
    };
    let (gamma, m) = lines.prior()?;
    lines.end()?;
    Ok(Mixture { d, alphas, means, icf, points, gamma, m })
}

fn replicate(point: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut points = Vec::new();
    points.try_reserve_exact(n.checked_mul(point.len())?).ok()?;
    (0..n).for_each(|_| points.extend_from_slice(point));
    Some(points)
}

/// The lines that are not blank.
struct Lines<'a> {
    lines: Vec<(usize, &'a str)>,
    next: usize,
    /// The number of the line read last.
    last: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        Lines { lines: lines.map(|(i, line)| (i + 1, line)).collect(), next: 0, last: 1 }
    }

    fn left(&self) -> usize {
        self.lines.len() - self.next
    }

    fn line(&mut self, what: &str) -> Result<Vec<&'a str>, (usize, String)> {
        let Some(&(number, line)) = self.lines.get(self.next) else {
            return Err((self.last, format!("the file ends after this line, where {what} should follow")));
        };
        self.next += 1;
        self.last = number;
        Ok(line.split_whitespace().collect())
    }

    fn integers<const N: usize>(&mut self, what: &str) -> Result<[usize; N], (usize, String)> {
        let words = self.line(what)?;
        let words: [&str; N] = words
            .as_slice()
            .try_into()
            .map_err(|_| (self.last, format!("{} words, where {what} are expected", words.len())))?;
        let mut integers = [0; N];
        for (integer, word) in integers.iter_mut().zip(words) {
            *integer = word
                .parse()
                .map_err(|_| (self.last, format!("`{word}` is not a whole number; {what} are expected")))?;
        }
        Ok(integers)
    }

    fn rows(&mut self, count: usize, width: usize, what: &str) -> Result<Vec<f64>, (usize, String)> {
        let mut numbers = Vec::new();
        for _ in 0..count {
            let words = self.line(what)?;
            if words.len() != width {
                return Err((self.last, format!("{} numbers, where {what} has {width}", words.len())));
            }
            for word in words {
                numbers.push(number(word).ok_or((self.last, format!("`{word}` is not a finite number")))?);
            }
        }
        Ok(numbers)
    }

    fn prior(&mut self) -> Result<(f64, usize), (usize, String)> {
        let words = self.line("the prior `gamma m`")?;
        let &[gamma, m] = words.as_slice() else {
            return Err((self.last, format!("{} words, where the prior `gamma m` is expected", words.len())));
        };
        let gamma = number(gamma)
            .filter(|g| *g > 0.0)
            .ok_or((self.last, format!("gamma must be a positive number, not `{gamma}`")))?;
        let m = m.parse().map_err(|_| (self.last, format!("m must be a whole number, not `{m}`")))?;
        Ok((gamma, m))
    }

    fn end(&mut self) -> Result<(), (usize, String)> {
        match self.lines.get(self.next) {
            Some(&(number, _)) => Err((number, "the file should have ended before this line".into())),
            None => Ok(()),
        }
    }
}

fn number(word: &str) -> Option<f64> {
    word.parse().ok().filter(|v: &f64| v.is_finite())
}
