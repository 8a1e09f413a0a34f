//! The cage model: which shapes of a polymer in a gel turn into which.

use diffi::sparse::Pattern;

/// The matrix `cage11` of SuiteSparse for 11 monomers, and so on: the columns are shapes, the rows what they can turn into by one
/// step.
///
/// A. van Heukelum, G. T. Barkema, R. H. Bisseling, *DNA electrophoresis studied with the cage model*, J. Comput. Phys. 180 (2002).
/// The collection has them in the order of [`Polymer::code`].
pub fn cage(monomers: usize) -> Pattern {
    let mut shapes = vec![Polymer { places: vec![0], along: Vec::new() }];
    for _ in 1..monomers {
        shapes = shapes.iter().flat_map(Polymer::longer).collect();
    }
    let mut shapes: Vec<(u64, Polymer)> = shapes.into_iter().map(|shape| (shape.least_code(), shape)).collect();
    shapes.sort_by_key(|(code, _)| *code);
    shapes.dedup_by_key(|(code, _)| *code);
    let index = |shape: Polymer| {
        let code = shape.least_code();
        shapes.binary_search_by_key(&code, |(code, _)| *code).expect("one of them")
    };
    let steps = shapes.iter().enumerate().flat_map(|(j, (_, shape))| shape.steps().map(move |after| (after, j)));
    Pattern::from_triplets(shapes.len(), shapes.len(), steps.map(|(after, j)| (index(after), j))).expect("inside")
}

/// From monomer to monomer a bond leads in one of six directions, three of them along the field: which of the three makes no
/// difference, but that monomers are in the same place does.
#[derive(Clone)]
struct Polymer {
    /// The same number for the same place.
    places: Vec<u8>,
    /// Which bonds point along the field.
    along: Vec<bool>,
}

impl Polymer {
    /// With one monomer more at the end.
    fn longer(&self) -> impl Iterator<Item = Polymer> {
        let (end, new) = (self.places[self.places.len() - 1], self.places.len() as u8);
        self.ways(end, new, None).into_iter().map(|(place, along)| {
            let mut longer = self.clone();
            longer.places.push(place);
            longer.along.push(along);
            longer
        })
    }

    /// After a step of one monomer.
    fn steps(&self) -> impl Iterator<Item = Polymer> {
        let free = (0..self.places.len()).filter_map(move |k| Some((k, self.hinge(k)?)));
        free.flat_map(move |(k, hinge)| {
            self.ways(hinge, u8::MAX, Some(k)).into_iter().map(move |(place, along)| {
                let mut after = self.clone();
                after.places[k] = place;
                if k > 0 {
                    after.along[k - 1] = along;
                }
                if let Some(next) = after.along.get_mut(k) {
                    *next = !along;
                }
                after
            })
        })
    }

    /// Around which place a monomer can turn: only where one neighbor holds it, or two that are in the same place.
    fn hinge(&self, k: usize) -> Option<u8> {
        let before = k.checked_sub(1).map(|k| self.places[k]);
        match (before, self.places.get(k + 1).copied()) {
            (Some(before), Some(after)) => (before == after).then_some(before),
            (before, after) => before.or(after),
        }
    }

    /// Where a bond from a place can lead, and whether along the field: to the places that bonds lead to already, but for those of one
    /// monomer, and to a `new` one as long as there are three directions each.
    fn ways(&self, from: u8, new: u8, but: Option<usize>) -> Vec<(u8, bool)> {
        let mut ways = Vec::new();
        for (i, &along) in self.along.iter().enumerate() {
            let way = match (self.places[i], self.places[i + 1]) {
                (here, there) if here == from => (there, along),
                (there, here) if here == from => (there, !along),
                _ => continue,
            };
            if but != Some(i) && but != Some(i + 1) && !ways.contains(&way) {
                ways.push(way);
            }
        }
        for along in [false, true] {
            if ways.iter().filter(|way| way.1 == along).count() < 3 {
                ways.push((new, along));
            }
        }
        ways
    }

    /// A number that tells shapes apart. From the least bit on: which bonds point along the field, which monomers are where the next
    /// but one is, where the fourth after them is, and so on.
    fn code(&self) -> u64 {
        let count = self.places.len();
        let met = (2..count).step_by(2).flat_map(|n| (n..count).map(move |k| self.places[k - n] == self.places[k]));
        let bits = self.along.iter().copied().chain(met);
        bits.enumerate().map(|(k, bit)| u64::from(bit) << k).sum()
    }

    /// The least code of the two that it has.
    fn least_code(&self) -> u64 {
        let places = self.places.iter().rev().copied().collect();
        let along = self.along.iter().rev().map(|along| !along).collect();
        self.code().min(Polymer { places, along }.code())
    }
}
