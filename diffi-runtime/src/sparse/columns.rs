//! Colors for lines that may not meet: columns that share no row, or rows that share no column.
//!
//! Gebremedhin, Manne, Pothen 2005, algorithm 3.2: a partial distance-2 coloring of the bipartite graph, vertex by vertex, each
//! with the least color that none of those has which it meets. Each crossing line keeps the colors that it has seen as 64 bits, so
//! that a vertex looks at its crossings rather than at everything beyond them. Colors are independent of each other: who finds no
//! free color among the first 64 looks among the next 64, when everyone else has looked among the first.

use super::Pattern;

const WINDOW: u32 = u64::BITS;

/// The colors of `lines`, whose crossings are the columns of that pattern; nothing if there would be `limit` colors or more.
pub(super) fn color(lines: &Pattern, order: &[u32], limit: u32) -> Option<Vec<u32>> {
    let mut colors = vec![0; lines.rows()];
    let mut taken = vec![0u64; lines.columns()];
    let mut first = 0;
    let mut waiting = color_window(lines, order.iter().copied(), first, &mut taken, &mut colors);
    while !waiting.is_empty() {
        first += WINDOW;
        if first >= limit {
            return None;
        }
        taken.fill(0);
        waiting = color_window(lines, waiting.into_iter(), first, &mut taken, &mut colors);
    }
    let count = colors.iter().copied().max().unwrap_or(0);
    (count < limit).then_some(colors)
}

/// Gives out the colors `first + 1 ..= first + 64`, and returns who found none free.
fn color_window(
    lines: &Pattern,
    order: impl Iterator<Item = u32>,
    first: u32,
    taken: &mut [u64],
    colors: &mut [u32],
) -> Vec<u32> {
    let mut waiting = Vec::new();
    for v in order {
        let crossings = lines.row(v as usize);
        let seen = crossings.iter().fold(0, |seen, &w| seen | taken[w as usize]);
        let free = seen.trailing_ones();
        if free == WINDOW {
            waiting.push(v);
            continue;
        }
        colors[v as usize] = first + free + 1;
        for &w in crossings {
            taken[w as usize] |= 1 << free;
        }
    }
    waiting
}
