//! Patterns and colorings to look at: as text, and as drawings.

use super::decompress::Source;
use super::{Coloring, ColoringProblem, Pattern};
use std::fmt::{self, Display, Write};

/// The most characters in a line of text, and the most lines.
const TEXT: (usize, usize) = (60, 30);
/// The longest side of a drawing.
const PIXELS: f64 = 600.0;

/// In dots: a character of Braille has two columns and four rows of them. Where there are more entries than dots, a dot stands for
/// several.
///
/// ```
/// # extern crate diffi_runtime as diffi;
/// use diffi::sparse::Pattern;
///
/// let pattern = Pattern::from_triplets(8, 6, (0..6).flat_map(|i| [(i, i), (i + 2, i)]))?;
/// assert_eq!(pattern.to_string(), "⎡⢕⢄⠀⎤\n⎣⠀⠑⢕⎦\n");
/// # Ok::<(), diffi::error::Error>(())
/// ```
impl Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns) = self.shape();
        let (dot_rows, dot_columns) = (rows.min(4 * TEXT.1), columns.min(2 * TEXT.0));
        let (lines, width) = (dot_rows.div_ceil(4), dot_columns.div_ceil(2));
        let mut dots = vec![0_u8; lines * width];
        for (i, j) in self.iter() {
            let (i, j) = (i * dot_rows / rows, j * dot_columns / columns);
            dots[i / 4 * width + j / 2] |= BRAILLE[i % 4][j % 2];
        }
        for (k, line) in dots.chunks(width.max(1)).enumerate() {
            let (left, right) = match (k, lines) {
                (_, 1) => ('[', ']'),
                (0, _) => ('⎡', '⎤'),
                (k, lines) if k + 1 == lines => ('⎣', '⎦'),
                _ => ('⎢', '⎥'),
            };
            f.write_char(left)?;
            line.iter().try_for_each(|&dots| f.write_char(char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ')))?;
            writeln!(f, "{right}")?;
        }
        Ok(())
    }
}

/// The bits of the dots in a character, row by row.
const BRAILLE: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// Entries by the color of the sum that they are read from, 1 to 9 and then letters; sums of rows underlined. What is too large is
/// shown as a pattern.
///
/// ```
/// # extern crate diffi_runtime as diffi;
/// use diffi::sparse::{ColoringProblem, GreedyColoring, Pattern, coloring};
///
/// let pattern = Pattern::from_rows(4, [vec![0, 1], vec![0, 1, 2], vec![1, 2, 3], vec![2, 3]])?;
/// let coloring = coloring(&pattern, ColoringProblem::Column, GreedyColoring::default())?;
/// assert_eq!(coloring.to_string(), "3 colors of 4 columns, 10 entries in 4x4\n12··\n123·\n·231\n··31\n");
/// # Ok::<(), diffi::error::Error>(())
/// ```
impl Display for Coloring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pattern = self.sparsity_pattern();
        let (rows, columns) = pattern.shape();
        match self.problem() {
            ColoringProblem::Column | ColoringProblem::Symmetric => {
                write!(f, "{} colors of {columns} columns", self.ncolors())?
            }
            ColoringProblem::Row => write!(f, "{} colors of {rows} rows", self.ncolors())?,
            ColoringProblem::Bidirectional => {
                let (by_columns, by_rows) = (self.column_groups().len(), self.row_groups().len());
                write!(f, "{by_columns} colors of {columns} columns and {by_rows} of {rows} rows")?;
            }
        }
        writeln!(f, ", {} entries in {rows}x{columns}", pattern.nnz())?;
        if rows > TEXT.0 || columns > TEXT.0 {
            return write!(f, "{pattern}");
        }
        let mut entries = self.sources().peekable();
        for i in 0..rows {
            for j in 0..columns {
                match entries.next_if(|(at, _)| *at == (i, j)) {
                    None => f.write_char('·')?,
                    Some((_, source)) => self.write_symbol(f, source)?,
                }
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

impl Pattern {
    /// A drawing of the entries, as SVG.
    pub fn to_svg(&self) -> String {
        drawing(self, self.iter().map(|at| (at, 0)), |_| "black".into())
    }
}

impl Coloring {
    /// A drawing of the entries as SVG, each in the color of the sum that it is read from; sums of rows are darker.
    pub fn to_svg(&self) -> String {
        let by_columns = self.column_groups().len();
        let paint = |color: usize| match color.checked_sub(by_columns) {
            None => hue(color, 55),
            Some(color) => hue(color, 30),
        };
        drawing(self.sparsity_pattern(), self.sources().map(|(at, source)| (at, source.color as usize)), paint)
    }

    /// Every entry, row by row, and where it is read.
    fn sources(&self) -> impl Iterator<Item = ((usize, usize), Source)> + '_ {
        let pattern = self.sparsity_pattern();
        pattern.iter().enumerate().map(|(k, (i, j))| {
            let unknown = self.unknowns.get(k).map_or(k, |u| *u as usize);
            ((i, j), self.source(i as u32, j as u32, unknown))
        })
    }

    fn write_symbol(&self, f: &mut fmt::Formatter<'_>, source: Source) -> fmt::Result {
        let by_rows = (source.color as usize).checked_sub(self.column_groups().len());
        let color = by_rows.unwrap_or(source.color as usize);
        f.write_char(*SYMBOLS.get(color).unwrap_or(&b'#') as char)?;
        if by_rows.is_some() && self.problem() == ColoringProblem::Bidirectional {
            f.write_char('\u{332}')
        } else {
            Ok(())
        }
    }
}

const SYMBOLS: &[u8; 61] = b"123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Neighbors in number are far from each other around the color wheel: by the golden angle.
fn hue(color: usize, lightness: u32) -> String {
    format!("hsl({:.0},70%,{lightness}%)", color as f64 * 137.508 % 360.0)
}

/// A square for each entry: those of one paint together, neighbors in a row as one rectangle.
fn drawing(
    pattern: &Pattern,
    entries: impl Iterator<Item = ((usize, usize), usize)>,
    paint: impl Fn(usize) -> String,
) -> String {
    let (rows, columns) = pattern.shape();
    let mut runs: Vec<Vec<(usize, usize, usize)>> = Vec::new();
    for ((i, j), color) in entries {
        if color >= runs.len() {
            runs.resize(color + 1, Vec::new());
        }
        match runs[color].last_mut() {
            Some((row, start, length)) if *row == i && *start + *length == j => *length += 1,
            _ => runs[color].push((i, j, 1)),
        }
    }
    let scale = PIXELS / rows.max(columns).max(1) as f64;
    let (width, height) = (columns as f64 * scale, rows as f64 * scale);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {columns} {rows}\" preserveAspectRatio=\"none\">\n\
         <rect width=\"{columns}\" height=\"{rows}\" fill=\"white\" stroke=\"gray\" stroke-width=\"1\" \
         vector-effect=\"non-scaling-stroke\"/>\n"
    );
    for (color, runs) in runs.into_iter().enumerate() {
        svg.push_str(&format!("<path fill=\"{}\" d=\"", paint(color)));
        for (i, j, length) in runs {
            svg.push_str(&format!("M{j} {i}h{length}v1h-{length}z"));
        }
        svg.push_str("\"/>\n");
    }
    svg.push_str("</svg>\n");
    svg
}
