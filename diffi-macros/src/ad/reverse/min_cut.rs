//! Fewest numbers on the tape: a minimum vertex cut between what would be kept and what the reverse part reads (Moses et al., "Reverse-Mode
//! Automatic Differentiation and Optimization of GPU Kernels via Enzyme", 2021).
//!
//! Vertices are kept numbers and numbers that are computed again from them. Each may be kept at the price of one. The cut is found by
//! augmenting paths (Ford & Fulkerson 1956; vertices are split in two, Even & Tarjan 1975). Of several least cuts it is the one next to the
//! reads: then least is computed again.

use crate::ir::Var;
use crate::ir::visit::Vars;
use crate::support::hash::HashMap;
use std::collections::hash_map::Entry;

/// Above this product of kept and recomputed values the cut is not looked for: it takes their product in steps.
const LARGEST: usize = 50_000;

/// How values lead to each other.
#[derive(Default)]
pub struct Graph {
    names: Vec<Var>,
    numbers: HashMap<Var, usize>,
    uses: Vec<Vec<usize>>,
    can_be_kept: Vec<bool>,
    sources: Vec<usize>,
    is_read: Vec<bool>,
}

impl Graph {
    /// A value that would be kept, or that can only be computed again.
    pub fn value(&mut self, var: Var, can_be_kept: bool, is_read: bool) -> usize {
        let number = self.names.len();
        self.names.push(var);
        self.numbers.insert(var, number);
        self.uses.push(Vec::new());
        self.can_be_kept.push(can_be_kept);
        self.is_read.push(is_read);
        number
    }

    /// The value would be kept.
    pub fn is_source(&mut self, number: usize) {
        self.sources.push(number);
    }

    /// `to` is computed from `from`. Other variables are no concern.
    pub fn is_made_of(&mut self, to: Var, from: Var) {
        if let (Some(from), Some(to)) = (self.numbers.get(&from), self.numbers.get(&to)) {
            self.uses[*from].push(*to);
        }
    }

    /// What to keep instead of the sources, if this is less.
    pub fn smaller_cut(&self) -> Option<Vars> {
        if self.sources.len() * self.names.len() > LARGEST {
            return None;
        }
        let mut flow = Flow::of(self);
        let value = self.sources.iter().filter(|source| flow.augment(**source)).count();
        (value < self.sources.len()).then(|| flow.cut_at_reads())
    }
}

/// Paths that share no vertex which can be kept.
struct Flow<'g> {
    graph: &'g Graph,
    makers: Vec<Vec<usize>>,
    /// How many paths go through a vertex.
    through: Vec<usize>,
    /// How many paths go along an edge.
    along: HashMap<(usize, usize), usize>,
}

/// The two halves of a vertex: edges enter the first and leave the second.
#[derive(Clone, Copy, PartialEq)]
enum Half {
    In,
    Out,
}

impl<'g> Flow<'g> {
    fn of(graph: &'g Graph) -> Self {
        let count = graph.names.len();
        let mut makers = vec![Vec::new(); count];
        for (from, uses) in graph.uses.iter().enumerate() {
            uses.iter().for_each(|to| makers[*to].push(from));
        }
        Flow { graph, makers, through: vec![0; count], along: HashMap::default() }
    }

    fn has_room(&self, at: usize) -> bool {
        !self.graph.can_be_kept[at] || self.through[at] == 0
    }

    /// Where a path may go on from half a vertex: forwards where there is room, and backwards along paths.
    fn neighbours(&self, at: usize, half: Half) -> Vec<(usize, Half)> {
        let flows = |from: usize, to: usize| self.along.get(&(from, to)).is_some_and(|n| *n > 0);
        match half {
            Half::In => {
                let back = self.makers[at].iter().filter(|from| flows(**from, at)).map(|from| (*from, Half::Out));
                back.chain(self.has_room(at).then_some((at, Half::Out))).collect()
            }
            Half::Out => {
                let on = self.graph.uses[at].iter().map(|to| (*to, Half::In));
                on.chain((self.through[at] > 0).then_some((at, Half::In))).collect()
            }
        }
    }

    /// One path more from a source to a read, if there is one.
    fn augment(&mut self, source: usize) -> bool {
        let start = (source, Half::In);
        let mut came = HashMap::from_iter([(key(start), start)]);
        let mut open = vec![start];
        while let Some((at, half)) = open.pop() {
            if half == Half::Out && self.graph.is_read[at] {
                self.add(&came, (at, half), start);
                return true;
            }
            for next in self.neighbours(at, half) {
                if let Entry::Vacant(way) = came.entry(key(next)) {
                    way.insert((at, half));
                    open.push(next);
                }
            }
        }
        false
    }

    fn add(&mut self, came: &HashMap<usize, (usize, Half)>, end: (usize, Half), start: (usize, Half)) {
        let mut here = end;
        while here != start {
            let before = came[&key(here)];
            match (before.1, here.1) {
                (Half::In, Half::Out) if before.0 == here.0 => self.through[here.0] += 1,
                (Half::Out, Half::In) if before.0 == here.0 => self.through[here.0] -= 1,
                (Half::Out, Half::In) => *self.along.entry((before.0, here.0)).or_default() += 1,
                _ => *self.along.entry((here.0, before.0)).or_default() -= 1,
            }
            here = before;
        }
    }

    /// The saturated vertices from which no path leads on to a read.
    fn cut_at_reads(&self) -> Vars {
        let leads = self.leads_to_a_read();
        let is_cut = |at: &usize| leads[key((*at, Half::Out))] && !leads[key((*at, Half::In))];
        (0..self.graph.names.len()).filter(is_cut).map(|at| self.graph.names[at]).collect()
    }

    /// The halves from which a read can still be reached.
    fn leads_to_a_read(&self) -> Vec<bool> {
        let count = self.graph.names.len();
        let mut before = vec![Vec::new(); 2 * count];
        for (at, half) in (0..count).flat_map(|at| [(at, Half::In), (at, Half::Out)]) {
            self.neighbours(at, half).into_iter().for_each(|next| before[key(next)].push(key((at, half))));
        }
        let mut leads = vec![false; 2 * count];
        let mut open: Vec<usize> =
            (0..count).filter(|at| self.graph.is_read[*at]).map(|at| key((at, Half::Out))).collect();
        while let Some(half) = open.pop() {
            if !std::mem::replace(&mut leads[half], true) {
                open.extend(&before[half]);
            }
        }
        leads
    }
}

fn key((at, half): (usize, Half)) -> usize {
    2 * at + (half == Half::Out) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph of values 0.., of which the first are sources: whether each is read, and what it is made of.
    fn graph(sources: usize, values: &[(bool, &[usize])]) -> Graph {
        let mut graph = Graph::default();
        for (at, (is_read, _)) in values.iter().enumerate() {
            let number = graph.value(Var(at as u32), true, *is_read);
            if at < sources {
                graph.is_source(number);
            }
        }
        for (at, (_, makers)) in values.iter().enumerate() {
            makers.iter().for_each(|from| graph.is_made_of(Var(at as u32), Var(*from as u32)));
        }
        graph
    }

    fn cut(sources: usize, values: &[(bool, &[usize])]) -> Option<Vec<usize>> {
        graph(sources, values).smaller_cut().map(|vars| vars.into_iter().map(|v| v.0 as usize).collect())
    }

    #[test]
    fn keeps_one_sum_instead_of_its_terms() {
        assert_eq!(
            cut(3, &[(false, &[]), (false, &[]), (false, &[]), (false, &[0, 1]), (true, &[3, 2])]),
            Some(vec![4])
        );
    }

    #[test]
    fn keeps_the_terms_where_they_are_read_or_as_few() {
        assert_eq!(cut(2, &[(true, &[]), (true, &[]), (true, &[0, 1])]), None);
        assert_eq!(cut(1, &[(false, &[]), (true, &[0]), (true, &[0])]), None);
    }

    #[test]
    fn crosses_paths_that_took_a_wrong_turn() {
        // 0 and 1 lead to 2 and 3; 2 is read by way of 4, and 3 itself.
        let values: &[(bool, &[usize])] = &[(false, &[]), (false, &[]), (false, &[0, 1]), (true, &[0]), (true, &[2])];
        assert_eq!(cut(2, values), None);
        let three: &[(bool, &[usize])] = &[
            (false, &[]),
            (false, &[]),
            (false, &[]),
            (false, &[0, 1, 2]),
            (false, &[2]),
            (true, &[3, 4]),
            (true, &[3]),
        ];
        assert_eq!(cut(3, three), Some(vec![5, 6]));
    }

    #[test]
    fn leaves_what_can_only_be_computed_again() {
        let mut graph = graph(2, &[(false, &[]), (false, &[]), (false, &[0, 1]), (true, &[2])]);
        graph.can_be_kept[3] = false;
        assert_eq!(graph.smaller_cut().map(|v| v.into_iter().collect::<Vec<_>>()), Some(vec![Var(2)]));
    }
}
