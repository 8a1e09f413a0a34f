//! Memory: cells that hold values, and pointers into them.

use crate::tests::interpreter::library::arrays::position;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Step, Value};

/// All cells.
#[derive(Default)]
pub struct Memory(Vec<Value>);

impl Memory {
    /// A new cell.
    pub fn alloc(&mut self, value: Value) -> Pointer {
        self.0.push(value);
        Pointer { cell: self.0.len() - 1, path: Vec::new() }
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Forgets all cells but the first ones.
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Where references lead to in the end.
    pub fn deref(&self, pointer: &Pointer) -> Run<Pointer> {
        let mut at = pointer.clone();
        while let Some(Value::Ref(next)) = self.whole(&at) {
            at = next.clone();
        }
        Ok(at)
    }

    /// The value that a pointer leads to, unless that is a part of a sequence.
    fn whole(&self, pointer: &Pointer) -> Option<&Value> {
        let mut value = self.0.get(pointer.cell)?;
        for step in &pointer.path {
            match step {
                Step::At(k) => value = value.parts().get(*k)?,
                Step::Part(..) => return None,
            }
        }
        Some(value)
    }

    /// The value behind all references; of a part of a sequence, `None`.
    pub fn get(&self, pointer: &Pointer) -> Run<&Value> {
        let at = self.deref(pointer)?;
        self.whole(&at).ok_or_else(|| Stop::panic("a part of a sequence is no value, or there is no such place"))
    }

    /// The elements behind a pointer.
    pub fn elements(&self, pointer: &Pointer) -> Run<&[Value]> {
        let at = self.deref(pointer)?;
        match at.path.last() {
            Some(Step::Part(lo, hi)) => {
                let whole = Pointer { cell: at.cell, path: at.path[..at.path.len() - 1].to_vec() };
                let all = self.whole(&whole).map_or(&[][..], Value::parts);
                all.get(*lo..*hi).ok_or_else(|| Stop::panic("a part beyond the end"))
            }
            _ => Ok(self.whole(&at).map_or(&[], Value::parts)),
        }
    }

    /// The value behind a pointer, a part of a sequence as a sequence of its own.
    pub fn read(&self, pointer: &Pointer) -> Run<Value> {
        let at = self.deref(pointer)?;
        match at.path.last() {
            Some(Step::Part(..)) => Ok(Value::Seq(self.elements(&at)?.to_vec())),
            _ => self.get(&at).cloned(),
        }
    }

    /// What stands in a place, be it a reference.
    pub fn shallow(&self, pointer: &Pointer) -> Run<Value> {
        match self.whole(pointer) {
            Some(value) => Ok(value.clone()),
            None => self.read(pointer),
        }
    }

    /// The place, to be changed, without following a reference that stands in it.
    pub fn at_mut(&mut self, pointer: &Pointer) -> Run<&mut Value> {
        let missing = || Stop::panic("there is no such place");
        let mut value = self.0.get_mut(pointer.cell).ok_or_else(missing)?;
        for step in &pointer.path {
            let Step::At(k) = step else { return Err(Stop::unknown("a part of a sequence as a whole")) };
            value = value.parts_mut().get_mut(*k).ok_or_else(missing)?;
        }
        Ok(value)
    }

    /// The value behind all references, to be changed.
    pub fn get_mut(&mut self, pointer: &Pointer) -> Run<&mut Value> {
        let at = self.deref(pointer)?;
        self.at_mut(&at)
    }

    /// Stores a value behind all references.
    pub fn write(&mut self, pointer: &Pointer, value: Value) -> Run<()> {
        let at = self.deref(pointer)?;
        let Some(Step::Part(lo, hi)) = at.path.last().copied() else {
            *self.at_mut(&at)? = value;
            return Ok(());
        };
        if value.parts().len() != hi - lo {
            return Err(Stop::panic("as many elements as the part has"));
        }
        for (k, value) in value.parts().iter().enumerate() {
            self.write(&self.index(&at, k)?, value.clone())?;
        }
        Ok(())
    }

    /// How many elements are behind a pointer.
    pub fn count(&self, pointer: &Pointer) -> Run<usize> {
        Ok(self.elements(pointer)?.len())
    }

    /// An element.
    pub fn index(&self, pointer: &Pointer, k: usize) -> Run<Pointer> {
        let mut at = self.deref(pointer)?;
        if k >= self.elements(&at)?.len() {
            return Err(Stop::panic(format!("index {k} of {} elements", self.elements(&at)?.len())));
        }
        match at.path.last().copied() {
            Some(Step::Part(lo, _)) => *at.path.last_mut().expect("the part") = Step::At(lo + k),
            _ => at.path.push(Step::At(k)),
        }
        Ok(at)
    }

    /// An element by a value: an integer, or an index for each axis of an array.
    pub fn element(&self, pointer: &Pointer, index: &Value) -> Run<Pointer> {
        match (index, self.get(pointer)) {
            (Value::Seq(at) | Value::Tuple(at), Ok(Value::Nd(shape, _))) => self.index(pointer, position(shape, at)?),
            (Value::Int(k), _) => {
                let k = usize::try_from(*k).map_err(|_| Stop::panic("an index below zero"))?;
                self.index(pointer, k)
            }
            _ => Err(Stop::unknown("an index")),
        }
    }

    /// A part of a sequence.
    pub fn part(&self, pointer: &Pointer, lo: usize, hi: usize) -> Run<Pointer> {
        let mut at = self.deref(pointer)?;
        if lo > hi || hi > self.elements(&at)?.len() {
            return Err(Stop::panic(format!("{lo}..{hi} of {} elements", self.elements(&at)?.len())));
        }
        match at.path.last().copied() {
            Some(Step::Part(first, _)) => *at.path.last_mut().expect("the part") = Step::Part(first + lo, first + hi),
            _ => at.path.push(Step::Part(lo, hi)),
        }
        Ok(at)
    }

    /// A field.
    pub fn field(&self, pointer: &Pointer, name: &str) -> Run<Pointer> {
        let mut at = self.deref(pointer)?;
        let position = match self.get(&at)? {
            Value::Tuple(_) => name.parse().ok(),
            Value::Data(_, names, _) => names.iter().position(|n| **n == *name),
            _ => None,
        };
        at.path.push(Step::At(position.ok_or_else(|| Stop::unknown(format!("the field `{name}`")))?));
        Ok(at)
    }
}
