//! Which operations of a loop's body can do all their iterations before others begin.

/// What the operations of a body read of each other, in whatever iteration: `reads[p]` are the positions that `p` reads.
///
/// Gives groups of positions, each after those that it reads: those in one group need each other's values of earlier iterations.
pub(super) fn groups(reads: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let unseen = u32::MAX;
    let count = reads.len();
    let mut search = Search {
        reads,
        numbers: vec![unseen; count],
        lowest: vec![0; count],
        open: Vec::new(),
        is_open: vec![false; count],
        groups: Vec::new(),
        count: 0,
    };
    for position in 0..count {
        if search.numbers[position] == unseen {
            search.from(position);
        }
    }
    search.groups
}

/// Tarjan's search for strongly connected components, which come in the order that is needed. What it has begun to look at stands on a
/// stack of its own: bodies are long.
struct Search<'a> {
    reads: &'a [Vec<u32>],
    numbers: Vec<u32>,
    lowest: Vec<u32>,
    open: Vec<u32>,
    is_open: Vec<bool>,
    groups: Vec<Vec<u32>>,
    /// How many positions were begun.
    count: u32,
}

impl Search<'_> {
    fn from(&mut self, position: usize) {
        let mut path = vec![self.begun(position)];
        while let Some((position, next)) = path.last_mut() {
            let position = *position;
            match self.reads[position].get(*next) {
                Some(read) => {
                    *next += 1;
                    let read = *read as usize;
                    if self.numbers[read] == u32::MAX {
                        path.push(self.begun(read));
                    } else if self.is_open[read] {
                        self.lowest[position] = self.lowest[position].min(self.numbers[read]);
                    }
                }
                None => {
                    path.pop();
                    if let Some((before, _)) = path.last() {
                        self.lowest[*before] = self.lowest[*before].min(self.lowest[position]);
                    }
                    if self.lowest[position] == self.numbers[position] {
                        self.close(position);
                    }
                }
            }
        }
    }

    /// The position, and how many of those that it reads were looked at.
    fn begun(&mut self, position: usize) -> (usize, usize) {
        let number = self.count;
        self.count += 1;
        (self.numbers[position], self.lowest[position]) = (number, number);
        self.open.push(position as u32);
        self.is_open[position] = true;
        (position, 0)
    }

    fn close(&mut self, position: usize) {
        let from = self.open.iter().rposition(|open| *open as usize == position).unwrap_or(0);
        let mut group = self.open.split_off(from);
        group.iter().for_each(|closed| self.is_open[*closed as usize] = false);
        group.sort_unstable();
        self.groups.push(group);
    }
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn those_that_need_each_other_stay_together() {
        // 1 reads 0 and what 3 found before, 2 reads 1, 3 reads 2; 4 reads itself and 0.
        let reads = [vec![], vec![0, 3], vec![1], vec![2], vec![4, 0]];
        assert_eq!(groups(&reads), [vec![0], vec![1, 2, 3], vec![4]]);
    }

    #[test]
    fn what_is_read_comes_first() {
        // The first reads what the last found before.
        assert_eq!(groups(&[vec![2], vec![0], vec![]]), [vec![2], vec![0], vec![1]]);
    }
}
