//! Colors that nothing is read from become neutral.
//!
//! A. Montoison, G. Dalle, A. Gebremedhin, *Revisiting sparse matrix coloring and bicoloring* (2025): of a star, only the hub's color
//! is read; of a longer tree, both colors. Where two vertices have an edge to themselves, either color will do. Here rows' and
//! columns' colors are looked at apart, and where there is a choice those colors are kept that serve most edges.

use super::graph::Graph;

/// Makes colors neutral that nothing is read from.
///
/// Columns' colors are looked at apart from rows' colors: `rows` is the first vertex that is a row. Every color is needed where a
/// symmetric matrix has its whole diagonal.
pub(super) fn neutralize(graph: &Graph, colors: &mut [u32], rows: usize) {
    if graph.diagonal().len() == graph.vertices() {
        return;
    }
    let count = colors.iter().copied().max().unwrap_or(0);
    let class = |v: usize, color: u32| (if v < rows { color } else { count + color }) as usize;
    let needed = needed(graph, colors, 2 * count as usize + 1, class);
    for (v, color) in colors.iter_mut().enumerate() {
        if !needed[class(v, *color)] {
            *color = 0;
        }
    }
}

/// Numbers colors without gaps, in the same order, and returns their number.
pub(super) fn renumber(colors: &mut [u32]) -> u32 {
    let count = colors.iter().copied().max().unwrap_or(0) as usize;
    let mut number = vec![0; count + 1];
    colors.iter().for_each(|&color| number[color as usize] = u32::from(color > 0));
    let mut last = 0;
    for number in number.iter_mut().filter(|number| **number > 0) {
        last += 1;
        *number = last;
    }
    colors.iter_mut().for_each(|color| *color = number[*color as usize]);
    last
}

/// Which classes of vertices some entry is read from.
fn needed(graph: &Graph, colors: &[u32], classes: usize, class: impl Fn(usize, u32) -> usize) -> Vec<bool> {
    let class = |v: u32| class(v as usize, colors[v as usize]);
    let equations = graph.equations(colors);
    let lengths = equations.lengths();
    let mut needed = vec![false; classes];
    for &v in graph.diagonal() {
        needed[class(v)] = true;
    }
    let mut choices = Vec::new();
    for v in 0..graph.vertices() as u32 {
        for (w, edge) in graph.neighbors_and_edges(v).filter(|(w, _)| v < *w) {
            let [at_v, at_w] = equations.of[edge as usize].map(|equation| lengths[equation as usize]);
            needed[class(v)] |= at_v > 1; // not alone in v's row, so that it must be read from w's, where v's color is summed
            needed[class(w)] |= at_w > 1;
            if at_v == 1 && at_w == 1 {
                choices.push((class(v) as u32, class(w) as u32));
            }
        }
    }
    cover(choices, &mut needed);
    needed
}

/// Chooses one of each pair: of those that are in most pairs first.
fn cover(mut pairs: Vec<(u32, u32)>, chosen: &mut [bool]) {
    pairs.retain(|(a, b)| !chosen[*a as usize] && !chosen[*b as usize]);
    pairs.iter_mut().filter(|(a, b)| a > b).for_each(|pair| *pair = (pair.1, pair.0));
    pairs.sort_unstable();
    pairs.dedup();
    let mut uses = vec![0_u32; chosen.len()];
    for (a, b) in &pairs {
        uses[*a as usize] += 1;
        uses[*b as usize] += 1;
    }
    let more = |(a, b): (u32, u32)| if uses[a as usize] >= uses[b as usize] { a } else { b };
    pairs.sort_by_key(|&pair| std::cmp::Reverse(uses[more(pair) as usize]));
    for (a, b) in pairs {
        if !chosen[a as usize] && !chosen[b as usize] {
            chosen[more((a, b)) as usize] = true;
        }
    }
}
