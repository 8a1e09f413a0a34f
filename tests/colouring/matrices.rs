//! Patterns to color: families, random ones, and files.

use diffi::sparse::Pattern;

pub fn from_rows<R: IntoIterator<Item = usize>>(columns: usize, rows: impl IntoIterator<Item = R>) -> Pattern {
    Pattern::from_rows(columns, rows).expect("inside")
}

/// So many diagonals on either side.
pub fn band(n: usize, half: usize) -> Pattern {
    from_rows(n, (0..n).map(|i| i.saturating_sub(half)..(i + half + 1).min(n)))
}

/// First row, first column and diagonal.
pub fn arrowhead(n: usize) -> Pattern {
    from_rows(n, (0..n).map(|i| if i == 0 { (0..n).collect() } else { vec![0, i] }))
}

/// First and last row, first and last column.
pub fn frame(rows: usize, columns: usize) -> Pattern {
    let inner = |i: usize| if i == 0 || i + 1 == rows { (0..columns).collect() } else { vec![0, columns - 1] };
    from_rows(columns, (0..rows).map(inner))
}

/// Each point of a grid with its four neighbors.
pub fn grid(n: usize) -> Pattern {
    let index = |i: usize, j: usize| i * n + j;
    let neighbors = |row: usize| {
        let (i, j) = (row / n, row % n);
        let mut near = vec![row];
        if i > 0 {
            near.push(index(i - 1, j));
        }
        if i + 1 < n {
            near.push(index(i + 1, j));
        }
        if j > 0 {
            near.push(index(i, j - 1));
        }
        if j + 1 < n {
            near.push(index(i, j + 1));
        }
        near
    };
    from_rows(n * n, (0..n * n).map(neighbors))
}

/// Two species on a periodic grid of n times n points, each coupled to its four neighbors and to the other species.
pub fn brusselator(n: usize) -> Pattern {
    let index = |i: usize, j: usize, species: usize| species * n * n + i * n + j;
    let (next, last) = (|i: usize| (i + 1) % n, |i: usize| (i + n - 1) % n);
    let neighbors = |row: usize| {
        let (species, i, j) = (row / (n * n), row / n % n, row % n);
        [
            row,
            index(next(i), j, species),
            index(last(i), j, species),
            index(i, next(j), species),
            index(i, last(j), species),
            index(i, j, 1 - species),
        ]
    };
    from_rows(2 * n * n, (0..2 * n * n).map(neighbors))
}

/// Numbers that look random.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % below
    }

    pub fn pattern(&mut self, rows: usize, columns: usize, entries: usize) -> Pattern {
        let places: Vec<_> = (0..entries).map(|_| (self.below(rows), self.below(columns))).collect();
        Pattern::from_triplets(rows, columns, places).expect("inside")
    }

    pub fn symmetric(&mut self, n: usize, entries: usize, diagonal: bool) -> Pattern {
        let mut places = Vec::new();
        for _ in 0..entries {
            let (i, j) = (self.below(n), self.below(n));
            if i != j {
                places.extend([(i, j), (j, i)]);
            }
        }
        if diagonal {
            places.extend((0..n).map(|i| (i, i)));
        } else if n > 0 {
            let i = self.below(n);
            places.push((i, i));
        }
        Pattern::from_triplets(n, n, places).expect("inside")
    }

    /// The same matrix in another order.
    pub fn permuted(&mut self, pattern: &Pattern) -> Pattern {
        let n = pattern.rows();
        let mut to: Vec<usize> = (0..n).collect();
        (1..n).rev().for_each(|k| to.swap(k, self.below(k + 1)));
        Pattern::from_triplets(n, n, pattern.iter().map(|(i, j)| (to[i], to[j]))).expect("inside")
    }
}

/// A file of the Matrix Market, less the zeros that it stores.
pub fn matrix_market(text: &str) -> Pattern {
    let symmetric = text.lines().next().is_some_and(|banner| banner.ends_with("symmetric"));
    let mut lines = text.lines().filter(|line| !line.starts_with('%') && !line.trim().is_empty());
    let numbers =
        |line: &str| -> Vec<usize> { line.split_whitespace().take(2).map(|n| n.parse().expect("a number")).collect() };
    let size = numbers(lines.next().expect("a size"));
    let is_zero = |line: &&str| line.split_whitespace().nth(2).is_some_and(|value| value.parse() == Ok(0.0));
    let places = lines.filter(|line| !is_zero(line)).map(numbers).flat_map(|place| {
        let (i, j) = (place[0] - 1, place[1] - 1);
        [(i, j), if symmetric { (j, i) } else { (i, j) }]
    });
    Pattern::from_triplets(size[0], size[1], places).expect("inside")
}
