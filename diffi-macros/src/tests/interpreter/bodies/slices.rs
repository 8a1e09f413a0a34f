//! Slices that loops walk through.

use crate::ir::{Derived, ParamSet, Var};
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Value};

impl<'p> Machine<'p> {
    /// A statement that cuts slices; nothing of what is not there.
    pub fn cut(&mut self, derived: &'p Derived) -> Run<()> {
        match derived {
            Derived::View { var, place, on, .. } => {
                let slice = if self.is_there(*on) { Value::Ref(self.at(place)?) } else { Value::Seq(Vec::new()) };
                self.define(*var, slice);
                Ok(())
            }
            Derived::Cells { var, place, .. } => {
                let slice = Value::Ref(self.at(place)?);
                self.define(*var, slice);
                Ok(())
            }
            Derived::Cut { head, vars, place, pairs, on, .. } => {
                let names: Vec<Var> = head.iter().map(|(v, _)| *v).chain(*vars).collect();
                if !self.is_there(*on) {
                    names.into_iter().for_each(|var| self.define(var, Value::Seq(Vec::new())));
                    return Ok(());
                }
                let at = self.at(place)?;
                let pairs = self.memory.read(&self.slot(*pairs)?)?;
                let pairs = self.count_of(&pairs)?;
                self.cut_at(&at, &names, head.map_or(0, |(_, lead)| lead), pairs)
            }
            Derived::Chunks { var, place, width, count, on, .. } => {
                let chunks = match self.is_there(*on) {
                    true => {
                        let (at, count) = (self.at(place)?, self.index_of(count)?);
                        self.arrays(&at, 0, *width, count)?
                    }
                    false => Value::Seq(Vec::new()),
                };
                self.define(*var, chunks);
                Ok(())
            }
            Derived::Parted { vars, place, starts, lengths, on } => {
                if !self.is_there(*on) {
                    vars.iter().for_each(|var| self.define(*var, Value::Seq(Vec::new())));
                    return Ok(());
                }
                let at = self.at(place)?;
                let mut end = 0;
                for ((var, start), len) in vars.iter().zip(starts).zip(lengths) {
                    let (start, len) = (self.index_of(start)?, self.index_of(len)?);
                    if start < end {
                        return Err(Stop::panic("parts that overlap"));
                    }
                    end = start + len;
                    let part = self.memory.part(&at, start, end)?;
                    self.define(*var, Value::Ref(part));
                }
                Ok(())
            }
            _ => Err(Stop::unknown("a statement of derivative code")),
        }
    }

    fn is_there(&mut self, on: Option<ParamSet>) -> bool {
        on.is_none_or(|on| self.here().is_on(on))
    }

    /// So many elements, pairs, and what is left.
    fn cut_at(&mut self, at: &Pointer, names: &[Var], lead: usize, pairs: usize) -> Run<()> {
        let n = self.memory.count(at)?;
        let behind = lead + (n.saturating_sub(lead)) / 2 * 2;
        let all = [
            Value::Ref(self.memory.part(at, 0, lead)?),
            self.arrays(at, lead, 2, pairs)?,
            Value::Ref(self.memory.part(at, behind, n)?),
        ];
        let first = all.len() - names.len();
        names.iter().zip(all.into_iter().skip(first)).for_each(|(var, slice)| self.define(*var, slice));
        Ok(())
    }

    /// Arrays of so many elements each.
    fn arrays(&mut self, at: &Pointer, first: usize, width: usize, count: usize) -> Run<Value> {
        let array = |k: usize| {
            let lo = first + k * width;
            Ok(Value::Ref(self.memory.part(at, lo, lo + width)?))
        };
        Ok(Value::Seq((0..count).map(array).collect::<Run<_>>()?))
    }
}
