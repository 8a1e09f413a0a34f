//! Orders by degrees that change while vertices are placed.
//!
//! ColPack 2013, section 5: vertices wait in buckets by degree, and change their bucket when a neighbor is placed. Vertices are taken
//! from the end of a bucket and put at its end, as in ColPack, so that the same order comes out.

use super::{Degree, Direction, Neighborhood};

const PLACED: u32 = u32::MAX;

/// The vertices that are not placed, by degree.
struct Buckets {
    buckets: Vec<Vec<u32>>,
    /// The degree of each vertex, and where it is in its bucket.
    place: Vec<(u32, u32)>,
}

impl Buckets {
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

    fn pop(&mut self, degree: u32) -> Option<u32> {
        let v = self.buckets[degree as usize].pop()?;
        self.place[v as usize].0 = PLACED;
        Some(v)
    }

    fn change_degree(&mut self, v: u32, up: bool) {
        let (degree, at) = self.place[v as usize];
        if degree == PLACED {
            return;
        }
        let bucket = &mut self.buckets[degree as usize];
        bucket.swap_remove(at as usize);
        if let Some(&moved) = bucket.get(at as usize) {
            self.place[moved as usize].1 = at;
        }
        let degree = if up { degree + 1 } else { degree - 1 };
        let bucket = &mut self.buckets[degree as usize];
        bucket.push(v);
        self.place[v as usize] = (degree, bucket.len() as u32 - 1);
    }
}

pub(super) fn order(mut graph: impl Neighborhood, degree: Degree, direction: Direction) -> Vec<u32> {
    let mut degrees = graph.degrees();
    let Some(&greatest) = degrees.iter().max() else { return Vec::new() };
    // From the front, back degrees grow from nothing; from the end, forward degrees do. The others shrink.
    let up = (degree == Degree::Back) == (direction == Direction::LowToHigh);
    if up {
        degrees.fill(0);
    }
    let mut buckets = Buckets::new(&degrees, greatest);
    let mut order = Vec::with_capacity(degrees.len());
    // No degree changes by more than one when a vertex is placed, so that the search starts beside the last.
    let mut at = if direction == Direction::LowToHigh { greatest } else { 0 };
    while order.len() < degrees.len() {
        let Some(v) = buckets.pop(at) else {
            at = if direction == Direction::LowToHigh { at - 1 } else { at + 1 };
            continue;
        };
        order.push(v);
        graph.near(v, |w| buckets.change_degree(w, up));
        at = if direction == Direction::LowToHigh { (at + 1).min(greatest) } else { at.saturating_sub(1) };
    }
    if direction == Direction::HighToLow {
        order.reverse();
    }
    order
}
