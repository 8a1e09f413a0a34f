//! What a pattern takes out of a value, which may be a reference, and what a walk takes out of a list.

/// A value that a pattern takes apart: `(&&TakenApart(&row)).taken_part(&row.y)` is what `y` is in `let Row { y, .. } = row`.
#[derive(Debug)]
pub struct TakenApart<'w, T>(pub &'w T);

/// Of a reference: a reference to the part. Methods of a reference to [`TakenApart`] come before those of [`TakenApart`].
pub trait PartByReference {
    /// The part.
    fn taken_part<'p, U: ?Sized>(&self, part: &'p U) -> &'p U;
}

impl<T: ?Sized> PartByReference for &TakenApart<'_, &T> {
    #[inline(always)]
    fn taken_part<'p, U: ?Sized>(&self, part: &'p U) -> &'p U {
        part
    }
}

/// Of a value: a copy of the part.
pub trait PartByValue {
    /// The part.
    fn taken_part<U: Clone>(&self, part: &U) -> U;
}

impl<T> PartByValue for TakenApart<'_, T> {
    #[inline(always)]
    fn taken_part<U: Clone>(&self, part: &U) -> U {
        part.clone()
    }
}

/// A value that can be taken out of a list of constants more than once.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` is taken out of a list, and the reverse sweep needs it once more [D0809]",
    label = "it is taken out here",
    note = "put `#[derive(Clone)]` on `{Self}`, or walk through a reference to the list: `for item in &list`"
)]
pub trait ListItem: Sized {
    /// A copy.
    fn copied_item(&self) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Clone> ListItem for T {
    #[inline(always)]
    fn copied_item(&self) -> T {
        self.clone()
    }
}

/// The copy of an item.
#[inline(always)]
pub fn list_item<T: ListItem>(item: &T) -> T {
    item.copied_item()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Row {
        y: f64,
        values: Vec<f64>,
    }

    #[test]
    #[allow(clippy::needless_borrow, reason = "as generated code has it")]
    fn parts_are_like_their_whole() {
        let row = Row { y: 0.5, values: vec![1.0] };
        let y: f64 = (&&TakenApart(&row)).taken_part(&row.y);
        let row = &row;
        let (same, values): (&f64, &Vec<f64>) =
            ((&&TakenApart(&row)).taken_part(&row.y), (&&TakenApart(&row)).taken_part(&row.values));
        assert_eq!((y, values.len()), (*same, 1));
    }
}
