//! Orders by degrees that change while vertices are placed.
//!
//! ColPack 2013, section 5: vertices wait in buckets by degree, and change their bucket when a neighbor is placed.

use super::row::Row;
use super::{Degree, Direction, Neighborhood, PLACED, Ties, Waiting};

/// The vertices that are not placed, by degree.
pub(super) trait ByDegree {
    /// All of them, in their natural order within a bucket.
    fn new(degrees: &[u32], greatest: u32) -> Self;
    /// Lets a vertex be the first of its degree.
    fn prefer(&mut self, v: u32);
    /// The degree of each vertex, or [`PLACED`], and where it waits.
    fn places(&mut self) -> &mut [(u32, u32)];
    /// Takes the last of this degree out of its bucket.
    fn take(&mut self, degree: u32) -> Option<u32>;
    /// Takes a vertex from its place to the bucket of one degree more or less.
    fn change(&mut self, v: u32, place: (u32, u32), up: bool);

    /// Takes one of this degree away.
    #[inline]
    fn pop(&mut self, degree: u32) -> Option<u32> {
        let v = self.take(degree)?;
        self.places()[v as usize].0 = PLACED;
        Some(v)
    }
    /// Makes the degree of a vertex one more or one less, if it is there.
    #[inline]
    fn change_degree(&mut self, v: u32, up: bool) {
        let place = self.places()[v as usize];
        if place.0 != PLACED {
            self.change(v, place, up);
        }
    }
}

/// Vertices are taken from the end of a bucket and put at its end, as in ColPack, so that the same order comes out.
struct Buckets {
    buckets: Vec<Vec<u32>>,
    /// The degree of each vertex, and where it is in its bucket.
    place: Vec<(u32, u32)>,
}

impl ByDegree for Buckets {
    fn new(degrees: &[u32], greatest: u32) -> Buckets {
        let mut buckets = vec![Vec::new(); greatest as usize + 1];
        let place = degrees
            .iter()
            .zip(0..)
            .map(|(&degree, v)| {
                let bucket = &mut buckets[degree as usize];
                bucket.push(v);
                (degree, bucket.len() as u32 - 1)
            })
            .collect();
        Buckets { buckets, place }
    }

    fn prefer(&mut self, v: u32) {
        let (degree, at) = self.place[v as usize];
        let bucket = &mut self.buckets[degree as usize];
        let end = bucket.len() - 1;
        bucket.swap(at as usize, end);
        self.place[bucket[at as usize] as usize].1 = at;
        self.place[v as usize].1 = end as u32;
    }

    fn places(&mut self) -> &mut [(u32, u32)] {
        &mut self.place
    }

    fn take(&mut self, degree: u32) -> Option<u32> {
        self.buckets[degree as usize].pop()
    }

    fn change(&mut self, v: u32, (degree, at): (u32, u32), up: bool) {
        let bucket = &mut self.buckets[degree as usize];
        if let Some(last) = bucket.pop().filter(|last| *last != v) {
            bucket[at as usize] = last;
            self.place[last as usize].1 = at;
        }
        let degree = if up { degree + 1 } else { degree - 1 };
        let bucket = &mut self.buckets[degree as usize];
        bucket.push(v);
        self.place[v as usize] = (degree, bucket.len() as u32 - 1);
    }
}

pub(super) fn order<N: Neighborhood>(graph: N, degree: Degree, direction: Direction, ties: Ties) -> Vec<u32> {
    match ties {
        Ties::Last => order_by::<Buckets, N>(graph, degree, direction, N::GREATEST_FIRST),
        Ties::BothEnds => order_by::<Row, N>(graph, degree, direction, false),
    }
}

fn order_by<W: ByDegree, N: Neighborhood>(
    graph: N,
    degree: Degree,
    direction: Direction,
    greatest_first: bool,
) -> Vec<u32> {
    let mut degrees = graph.degrees();
    let Some(&greatest) = degrees.iter().max() else { return Vec::new() };
    // From the front, back degrees grow from nothing; from the end, forward degrees do. The others shrink.
    let up = (degree == Degree::Back) == (direction == Direction::LowToHigh);
    let hub = degrees.iter().position(|d| *d == greatest).unwrap_or(0);
    if up {
        degrees.fill(0);
    }
    let mut by_degree = W::new(&degrees, greatest);
    if up && greatest_first && direction == Direction::LowToHigh {
        by_degree.prefer(hub as u32);
    }
    let mut waiting = graph.waiting();
    let mut order = Vec::with_capacity(degrees.len());
    // No degree changes by more than one when a vertex is placed, so that the search starts beside the last.
    let mut at = if direction == Direction::LowToHigh { greatest } else { 0 };
    while order.len() < degrees.len() {
        let Some(v) = by_degree.pop(at) else {
            at = if direction == Direction::LowToHigh { at - 1 } else { at + 1 };
            continue;
        };
        order.push(v);
        waiting.place(v).iter().for_each(|w| by_degree.change_degree(*w, up));
        at = if direction == Direction::LowToHigh { (at + 1).min(greatest) } else { at.saturating_sub(1) };
    }
    if direction == Direction::HighToLow {
        order.reverse();
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::Pattern;
    use crate::sparse::graph::Graph;
    use crate::sparse::order::Meeting;

    /// By definition: each vertex has the greatest (or least) degree among those that were left when it was placed.
    fn is_valid(graph: impl Neighborhood, order: &[u32], degree: Degree, direction: Direction) -> bool {
        let neighbors: Vec<Vec<u32>> = (0..order.len() as u32)
            .map(|v| graph.waiting().place(v).to_vec()) // all of them wait
            .collect();
        let degree_among = |v: u32, others: &[u32]| neighbors[v as usize].iter().filter(|w| others.contains(w)).count();
        (0..order.len()).all(|k| {
            let (before, after) = (&order[..k], &order[k + 1..]);
            let left = if direction == Direction::LowToHigh { &order[k..] } else { &order[..=k] };
            // the others that count for a vertex in this place: the same for all, itself left out
            let others: Vec<u32> = match (degree, direction) {
                (Degree::Back, Direction::LowToHigh) => before.to_vec(),
                (Degree::Forward, Direction::HighToLow) => after.to_vec(),
                _ => left.to_vec(),
            };
            let own = degree_among(order[k], &others);
            left.iter().all(|&w| match direction {
                Direction::LowToHigh => degree_among(w, &others) <= own,
                Direction::HighToLow => degree_among(w, &others) >= own,
            })
        })
    }

    #[test]
    fn every_vertex_has_its_turn() {
        let mut state = 3_u64;
        let mut random = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % 40
        };
        let places: Vec<_> = (0..70).map(|_| (random(), random())).flat_map(|(i, j)| [(i, j), (j, i)]).collect();
        let symmetric = Pattern::from_triplets(40, 40, places).expect("inside");
        let lines = Pattern::from_triplets(40, 40, (0..70).map(|_| (random(), random()))).expect("inside");
        let crossings = lines.transpose();
        let graph = Graph::symmetric(&symmetric).expect("symmetric");
        for degree in [Degree::Back, Degree::Forward] {
            for direction in [Direction::LowToHigh, Direction::HighToLow] {
                for ties in [Ties::Last, Ties::BothEnds] {
                    let found = order(&graph, degree, direction, ties);
                    assert!(is_valid(&graph, &found, degree, direction), "{degree:?} {direction:?} {ties:?}");
                    let meeting = Meeting::new(&lines, &crossings);
                    let found = order(meeting, degree, direction, ties);
                    assert!(is_valid(meeting, &found, degree, direction), "{degree:?} {direction:?} {ties:?}");
                    let mut sorted = found;
                    sorted.sort_unstable();
                    assert_eq!(sorted, (0..40).collect::<Vec<_>>());
                }
            }
        }
    }
}
