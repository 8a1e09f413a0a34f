//! Places and operands.

use crate::ir::{Operand, Place, Proj};
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Value};
use quote::ToTokens;

impl<'p> Machine<'p> {
    /// Where a place is.
    pub fn at(&mut self, place: &'p Place) -> Run<Pointer> {
        let root = self.slot(place.root)?;
        self.along(root, &place.path)
    }

    fn along(&mut self, root: Pointer, path: &'p [Proj]) -> Run<Pointer> {
        let mut at = root;
        for step in path {
            at = match step {
                Proj::Field(member) => self.memory.field(&at, &member.to_token_stream().to_string())?,
                Proj::Index(i) => {
                    let index = self.passive(i)?;
                    let index = self.read_value(index)?;
                    self.memory.element(&at, &index)?
                }
                Proj::Range(lo, hi) => {
                    let lo = lo.as_ref().map_or(Ok(0), |lo| self.index_of(lo))?;
                    let hi = match hi {
                        Some(hi) => self.index_of(hi)?,
                        None => self.memory.count(&at)?,
                    };
                    self.memory.part(&at, lo, hi)?
                }
                Proj::Payload(variant, member) => {
                    match self.memory.get(&at)? {
                        Value::Data(tag, ..) if *variant == **tag => {}
                        other => return Err(Stop::panic(format!("no `{variant}`, but {other:?}"))),
                    }
                    self.memory.field(&at, &member.to_token_stream().to_string())?
                }
                Proj::Deref => at,
            };
        }
        Ok(at)
    }

    /// The value of a place.
    pub fn value_at(&mut self, place: &'p Place) -> Run<Value> {
        let at = self.at(place)?;
        self.memory.read(&at)
    }

    /// The value of an operand.
    pub fn operand(&mut self, o: &'p Operand) -> Run<Value> {
        match o {
            Operand::Place(place) => self.value_at(place),
            Operand::Passive(code) => {
                let value = self.passive(code)?;
                self.read_value(value)
            }
            Operand::Made { op, args } => self.op(op, args),
        }
    }
}
