//! Where a place is, step by step: a part of a part, and an element of a part, are one step from the beginning of the whole array.

use super::{Index, Order, Side, components};
use crate::ir::affine::polynomial::Poly;
use crate::ir::{Place, Proj};

/// A step into a value, along which two places can be compared.
pub enum Step<'p> {
    /// A field, a member of a variant, or what a pointer leads to.
    Member(&'p Proj),
    /// An element, by its index or indices.
    Element(Vec<Option<Index>>),
    /// The elements from one index to another, as far as these are known.
    Part(Option<Index>, Option<Index>),
}

/// How two steps stand to each other.
#[derive(PartialEq, Eq)]
pub enum Meeting {
    /// They lead to different parts of the value.
    Apart,
    /// What follows is a step into the same thing, or into different ones.
    Aligned,
    /// What follows on one side cannot be compared with what follows on the other.
    Unknown,
}

impl<'p> Step<'p> {
    /// The steps of a place.
    pub fn all(place: &'p Place, order: &Order<'_>, side: Side) -> Vec<Step<'p>> {
        let mut steps = Vec::new();
        for proj in &place.path {
            let part = match steps.pop_if(|last| matches!(last, Step::Part(..))) {
                Some(Step::Part(lo, hi)) => (lo, hi),
                _ => (Some(Poly::number(0)), None),
            };
            steps.push(Step::within(proj, part, order, side));
        }
        steps
    }

    /// A step into the part between `lo` and `hi`.
    fn within(proj: &'p Proj, (lo, hi): (Option<Index>, Option<Index>), order: &Order<'_>, side: Side) -> Step<'p> {
        let index = |o| lo.as_ref().zip(order.index(o, side)).map(|(lo, at)| lo.add(&at));
        match proj {
            Proj::Index(i) => Step::Element(components(i).iter().map(index).collect()),
            Proj::Range(from, to) => {
                let start = from.as_ref().map_or(lo.clone(), index);
                Step::Part(start, to.as_ref().map_or(hi, index))
            }
            member => Step::Member(member),
        }
    }

    /// How this step of a read stands to one of a write.
    pub fn meets(&self, write: &Step<'_>, order: &Order<'_>) -> Meeting {
        match (self, write) {
            (Step::Member(Proj::Field(a)), Step::Member(Proj::Field(b))) => Meeting::of_members(a == b),
            (Step::Member(Proj::Payload(v, a)), Step::Member(Proj::Payload(w, b))) if v == w => {
                Meeting::of_members(a == b)
            }
            (Step::Member(Proj::Deref), Step::Member(Proj::Deref)) => Meeting::Aligned,
            (Step::Element(a), Step::Element(b)) if a.len() == b.len() => {
                let differ = |(a, b): (&Option<Index>, &Option<Index>)| {
                    a.as_ref().zip(b.as_ref()).is_some_and(|(a, b)| order.differ(a, b))
                };
                if a.iter().zip(b).any(differ) { Meeting::Apart } else { Meeting::Aligned }
            }
            (a, b) => {
                let ((a, b), (c, d)) = (a.ends(), b.ends());
                let before = |hi: Option<Index>, lo: Option<Index>| {
                    hi.zip(lo).is_some_and(|(hi, lo)| order.at_least(&lo.sub(&hi), 0))
                };
                if before(b, c) || before(d, a) { Meeting::Apart } else { Meeting::Unknown }
            }
        }
    }

    /// Where the step begins and ends, as far as that is known.
    fn ends(&self) -> (Option<Index>, Option<Index>) {
        match self {
            Step::Element(all) if all.len() == 1 => {
                (all[0].clone(), all[0].as_ref().map(|at| at.add(&Poly::number(1))))
            }
            Step::Part(lo, hi) => (lo.clone(), hi.clone()),
            _ => (None, None),
        }
    }
}

impl Meeting {
    fn of_members(same: bool) -> Meeting {
        if same { Meeting::Aligned } else { Meeting::Apart }
    }
}
