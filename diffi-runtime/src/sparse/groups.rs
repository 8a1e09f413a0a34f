//! Who has which color.

use super::pattern::accumulate;
use crate::stack::memory_report;

/// The columns (or rows) of each color, color by color.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Groups {
    /// How much memory is held.
    pub(crate) fn bytes(&self) -> usize {
        memory_report::vector(&self.starts) + memory_report::vector(&self.members)
    }

    pub(super) fn new(colors: &[u32]) -> Groups {
        let count = colors.iter().copied().max().unwrap_or(0) as usize;
        let mut starts = vec![0; count + 2];
        for &c in colors {
            starts[c as usize + 1] += 1;
        }
        let neutral = std::mem::take(&mut starts[1]);
        accumulate(&mut starts);
        let mut next = starts.clone();
        let mut members = vec![0; colors.len() - neutral as usize];
        for (v, &c) in colors.iter().enumerate().filter(|(_, c)| **c > 0) {
            members[next[c as usize] as usize] = v as u32;
            next[c as usize] += 1;
        }
        starts.remove(0);
        Groups { starts, members }
    }

    /// The number of colors.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no color.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The members of color `color`, ascending.
    ///
    /// # Panics
    /// If there is no such color.
    pub fn get(&self, color: u32) -> &[u32] {
        let c = color as usize;
        &self.members[self.starts[c - 1] as usize..self.starts[c] as usize]
    }

    /// The members of each color, from color 1 on.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> + '_ {
        self.starts.windows(2).map(|w| &self.members[w[0] as usize..w[1] as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neutral_members_are_in_no_group() {
        let groups = Groups::new(&[2, 0, 1, 2, 0]);
        assert_eq!(groups.iter().collect::<Vec<_>>(), [&[2][..], &[0, 3]]);
        assert_eq!(Groups::new(&[0, 0]).len(), 0);
        assert!(Groups::new(&[]).is_empty());
    }
}
