//! Stretches of a pattern in which every line has the entries of the line before, one place further: the inner parts of bands and
//! stencils.
//!
//! Such a stretch is known by its first line. What a caller's matrix has there is compared with itself, one line further, and values
//! that are the same in every line are written from what has just been written, so that there is less memory to be read.

use crate::sparse::Pattern;
use crate::stack::memory_report;
use std::ops::Range;

/// Lines that repeat the one before, beginning with one that is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) lines: Range<usize>,
    /// How many entries each line has.
    pub(crate) width: usize,
    /// Whether the values are the same in every line, as far as is known.
    even: bool,
}

/// The long stretches of a pattern, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stretches(Vec<Stretch>);

/// Shorter ones are not worth it.
const LEAST: usize = 16;
/// How many numbers are compared before anybody looks at what came of it.
const AT_ONCE: usize = 256;
/// How many values are written from what has been written before at once: few enough for the processor's registers. Where memory is
/// far, longer copies by the system's library took up to twice as long.
const COPIED: usize = 64;

impl Stretches {
    pub(crate) fn new(pattern: &Pattern) -> Self {
        let repeats = |line: usize| {
            let (before, row) = (pattern.row(line - 1), pattern.row(line));
            !row.is_empty() && before.len() == row.len() && before.iter().zip(row).all(|(j, k)| j + 1 == *k)
        };
        let mut found = Vec::new();
        let mut start = 0;
        for line in 1..=pattern.rows() {
            if line == pattern.rows() || !repeats(line) {
                if line - start >= LEAST {
                    found.push(Stretch { lines: start..line, width: pattern.row(start).len(), even: false });
                }
                start = line;
            }
        }
        found.shrink_to_fit();
        Stretches(found)
    }

    pub(crate) fn bytes(&self) -> usize {
        memory_report::vector(&self.0)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Stretch> {
        self.0.iter()
    }

    /// Whether a matrix has the lines of the pattern that has these stretches: where its lines start, and its entries, which ascend
    /// in each line.
    ///
    /// Where a line has several entries, the next begins with an entry that is not further than its last: a line must start there. So
    /// all lines of a stretch start where they should if the first and the one behind it do, for there are not more of them.
    pub(crate) fn same(&self, pattern: &Pattern, starts: &[usize], indices: &[usize]) -> bool {
        if starts.len() != pattern.starts().len() || indices.len() != pattern.nnz() {
            return false;
        }
        let entries = |lines: &Range<usize>| entries(pattern, lines);
        let one_by_one = |lines: Range<usize>| {
            let known = &pattern.starts()[lines.start..=lines.end];
            same(known, &starts[lines.start..=lines.end])
                && same(&pattern.indices()[entries(&lines)], &indices[entries(&lines)])
        };
        let mut next = 0;
        for Stretch { lines, width, .. } in &self.0 {
            // the first line is compared with the pattern, the others with the one before each
            let started = match width {
                1 => ascends(&starts[lines.start..=lines.end], 1, 1),
                _ => starts[lines.end] == pattern.starts()[lines.end] as usize,
            };
            if !one_by_one(next..lines.start + 1) || !started || !ascends(&indices[entries(lines)], *width, 1) {
                return false;
            }
            next = lines.end;
        }
        one_by_one(next..pattern.rows())
    }

    /// Looks where the values are the same in every line.
    pub(crate) fn look<F: PartialEq>(&mut self, pattern: &Pattern, values: &[F]) {
        for stretch in &mut self.0 {
            let values = &values[entries(pattern, &stretch.lines)];
            stretch.even = values[stretch.width..] == values[..values.len() - stretch.width];
        }
    }

    /// Writes values in which these stretches were looked for.
    pub(crate) fn put<F: Copy>(&self, pattern: &Pattern, values: &[F], into: &mut [F]) {
        let mut next = 0;
        for Stretch { lines, width, .. } in self.0.iter().filter(|stretch| stretch.even) {
            let entries = entries(pattern, lines);
            let first = entries.start + width;
            into[next..first].copy_from_slice(&values[next..first]);
            repeat(&mut into[entries.clone()], *width);
            next = entries.end;
        }
        into[next..].copy_from_slice(&values[next..]);
    }
}

fn entries(pattern: &Pattern, lines: &Range<usize>) -> Range<usize> {
    pattern.starts()[lines.start] as usize..pattern.starts()[lines.end] as usize
}

/// Fills with what the first `width` values are.
fn repeat<F: Copy>(values: &mut [F], width: usize) {
    let mut filled = width;
    let most = width * (COPIED / width).max(1);
    while filled < values.len() {
        let count = filled.min(most).min(values.len() - filled);
        values.copy_within(..count, filled);
        filled += count;
    }
}

/// Whether numbers are the same, some hundred at a time.
fn same(narrow: &[u32], wide: &[usize]) -> bool {
    let differ = |(narrow, wide): (&[u32], &[usize])| {
        narrow.iter().zip(wide).fold(0, |differ, (narrow, wide)| differ | (*narrow as usize ^ *wide)) != 0
    };
    narrow.len() == wide.len() && !narrow.chunks(AT_ONCE).zip(wide.chunks(AT_ONCE)).any(differ)
}

/// Whether each number is by so much more than the one that stands so far before it.
fn ascends(numbers: &[usize], distance: usize, by: usize) -> bool {
    let differ = |(before, after): (&[usize], &[usize])| {
        before.iter().zip(after).fold(0, |differ, (before, after)| differ | (after.wrapping_sub(*before) ^ by)) != 0
    };
    let (before, after) = (&numbers[..numbers.len() - distance], &numbers[distance..]);
    !before.chunks(AT_ONCE).zip(after.chunks(AT_ONCE)).any(differ)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn band(n: usize, half: usize) -> Pattern {
        Pattern::from_rows(n, (0..n).map(|i| i.saturating_sub(half)..(i + half + 1).min(n))).expect("inside")
    }

    fn wide(numbers: &[u32]) -> Vec<usize> {
        numbers.iter().map(|k| *k as usize).collect()
    }

    #[test]
    fn every_entry_that_is_elsewhere_is_seen() {
        for n in [3, 40, 300] {
            let pattern = band(n, 1);
            let stretches = Stretches::new(&pattern);
            assert_eq!(stretches.iter().count(), usize::from(n > LEAST));
            let (starts, indices) = (wide(pattern.starts()), wide(pattern.indices()));
            assert!(stretches.same(&pattern, &starts, &indices));
            let changed = |numbers: &[usize], k: usize, by: usize| {
                let mut numbers = numbers.to_vec();
                numbers[k] = numbers[k].wrapping_add(by);
                numbers
            };
            // lines that do not ascend are in no matrix
            let ascend = |starts: &[usize], indices: &[usize]| {
                let line =
                    |ends: &[usize]| indices.get(ends[0]..ends[1]).is_some_and(|line| line.is_sorted_by(|i, j| i < j));
                starts[0] == 0 && starts[starts.len() - 1] == indices.len() && starts.windows(2).all(line)
            };
            assert!(ascend(&starts, &indices));
            for by in [1, 2, 1 << 32, usize::MAX] {
                for k in 0..starts.len() {
                    let changed = changed(&starts, k, by);
                    assert!(!ascend(&changed, &indices) || !stretches.same(&pattern, &changed, &indices), "start {k}");
                }
                for k in 0..indices.len() {
                    assert!(!stretches.same(&pattern, &starts, &changed(&indices, k, by)), "entry {k}");
                }
            }
            assert!(!stretches.same(&pattern, &starts, &indices[1..]));
            let further: Vec<usize> = indices.iter().map(|j| j + 1).collect();
            assert!(!stretches.same(&pattern, &starts, &further), "all of them one place further");
        }
    }

    /// A line that has one entry may also have none, and the next one two.
    #[test]
    fn starts_of_a_diagonal() {
        let pattern = band(40, 0);
        let stretches = Stretches::new(&pattern);
        assert_eq!(stretches.iter().count(), 1);
        let (starts, indices) = (wide(pattern.starts()), wide(pattern.indices()));
        assert!(stretches.same(&pattern, &starts, &indices));
        for k in 1..40 {
            let mut moved = starts.clone();
            moved[k] += 1;
            assert!(!stretches.same(&pattern, &moved, &indices), "line {k}");
        }
    }

    #[test]
    fn values_are_written_as_they_are() {
        let pattern = band(3000, 2);
        let mut stretches = Stretches::new(&pattern);
        let mut values: Vec<f64> = pattern.iter().map(|(i, j)| 3.0 - i.abs_diff(j) as f64).collect();
        for (line, even) in [(None, true), (Some(1500), false), (Some(0), false)] {
            if let Some(line) = line {
                values[pattern.starts()[line] as usize + 1] = 17.0;
            }
            stretches.look(&pattern, &values);
            assert_eq!(stretches.iter().map(|stretch| stretch.even).collect::<Vec<_>>(), [even]);
            let mut into = vec![0.0; values.len()];
            stretches.put(&pattern, &values, &mut into);
            assert_eq!(into, values);
        }
    }

    #[test]
    fn patterns_without_stretches() {
        let scattered = Pattern::from_rows(50, (0..50).map(|i| vec![i * 7 % 50, i * i % 50])).expect("inside");
        for pattern in [scattered, Pattern::from_rows(9, (0..100).map(|_| [])).expect("empty"), band(0, 1)] {
            let stretches = Stretches::new(&pattern);
            assert_eq!(stretches, Stretches::default());
            assert!(stretches.same(&pattern, &wide(pattern.starts()), &wide(pattern.indices())));
        }
    }
}
