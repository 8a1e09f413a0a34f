//! Vertices by degree, all in one row.
//!
//! A. Montoison, G. Dalle, A. Gebremedhin, *Revisiting sparse matrix coloring and bicoloring* (2025): a bucket is a piece of the row, and
//! borders on the next. Whose degree grows leaves at the end of the one and joins at the beginning of the other, whose degree shrinks
//! the other way round. Vertices are taken from the end.

use super::dynamic::ByDegree;

pub(super) struct Row {
    row: Vec<u32>,
    /// Where each bucket begins and ends.
    low: Vec<u32>,
    high: Vec<u32>,
    /// The degree of each vertex, and where it is in the row.
    place: Vec<(u32, u32)>,
}

impl Row {
    fn put(&mut self, v: u32, degree: u32, at: u32) {
        self.row[at as usize] = v;
        self.place[v as usize] = (degree, at);
    }
}

impl ByDegree for Row {
    fn new(degrees: &[u32], greatest: u32) -> Row {
        let mut low = vec![0; greatest as usize + 1];
        degrees.iter().for_each(|d| low[*d as usize] += 1);
        let mut start = 0;
        for low in &mut low {
            start += std::mem::replace(low, start);
        }
        let mut row = Row { row: vec![0; degrees.len()], high: low.clone(), low, place: vec![(0, 0); degrees.len()] };
        for (degree, v) in degrees.iter().zip(0..) {
            let at = row.high[*degree as usize];
            row.high[*degree as usize] += 1;
            row.put(v, *degree, at);
        }
        row
    }

    fn prefer(&mut self, v: u32) {
        let (degree, at) = self.place[v as usize];
        let end = self.high[degree as usize] - 1;
        self.put(self.row[end as usize], degree, at);
        self.put(v, degree, end);
    }

    fn places(&mut self) -> &mut [(u32, u32)] {
        &mut self.place
    }

    fn take(&mut self, degree: u32) -> Option<u32> {
        let (low, high) = (self.low[degree as usize], &mut self.high[degree as usize]);
        if low == *high {
            return None;
        }
        *high -= 1;
        Some(self.row[*high as usize])
    }

    fn change(&mut self, v: u32, (degree, at): (u32, u32), up: bool) {
        let bucket = degree as usize;
        if up {
            self.high[bucket] -= 1;
            self.put(self.row[self.high[bucket] as usize], degree, at);
            self.low[bucket + 1] -= 1;
            self.put(v, degree + 1, self.low[bucket + 1]);
        } else {
            self.put(self.row[self.low[bucket] as usize], degree, at);
            self.low[bucket] += 1;
            self.high[bucket - 1] += 1;
            self.put(v, degree - 1, self.high[bucket - 1] - 1);
        }
    }
}
