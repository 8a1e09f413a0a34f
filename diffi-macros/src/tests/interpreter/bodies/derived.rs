//! Statements that only derivative code has.

use crate::ir::{AddKind, Derived, PassiveCode, Place, Refill, ShapeOf, Ty, Var};
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::Value;

/// What stands where nothing may be read before it is written.
const GARBAGE: f64 = 1e30;

impl<'p> Machine<'p> {
    /// Runs a statement of derivative code.
    pub fn derived(&mut self, derived: &'p Derived) -> Run<()> {
        match derived {
            Derived::Zero { var, like } => self.shadow(*var, like, 0.0),
            Derived::Unset { var, like: like @ ShapeOf::Value(_), .. } => self.shadow(*var, like, GARBAGE),
            Derived::Unset { var, .. } => {
                self.define(*var, Value::Seq(Vec::new()));
                Ok(())
            }
            Derived::Release { .. } => Ok(()),
            Derived::Acc { place, value, how } => self.accumulated(place, value, *how),
            Derived::Clear { place, .. } => {
                let at = self.at(place)?;
                let zero = self.memory.read(&at)?.shadow(0.0);
                self.memory.write(&at, zero)
            }
            Derived::Still { place, like } => {
                let (at, like) = (self.at(place)?, self.at(like)?);
                let zero = self.memory.read(&like)?.shadow(0.0);
                self.memory.write(&at, zero)
            }
            Derived::Pop { var, place } => {
                let at = self.at(place)?;
                let (Value::Seq(all) | Value::Deque(all)) = self.memory.get_mut(&at)? else {
                    return Err(Stop::unknown("`pop`"));
                };
                let last = all.pop().ok_or_else(|| Stop::panic("`pop` of nothing"))?;
                self.define(*var, last);
                Ok(())
            }
            Derived::Refill { var, len, with } => self.refilled(*var, len.as_ref(), with),
            Derived::Fresh { bar, lo, hi } => self.cleared_outside(*bar, lo, hi),
            Derived::Guard { on, body } => {
                if self.here().is_on(*on) {
                    self.run(body)
                } else {
                    Ok(())
                }
            }
            Derived::PushFrame(frame) => self.push_frame(frame),
            Derived::PopFrame(frame) => self.pop_frame(frame),
            Derived::StoreFrame(frame) => self.store_frame(frame),
            Derived::LoadFrame(frame) => self.load_frame(frame),
            Derived::FrameBlock(l) => self.frame_block(l),
            Derived::FrameWindow { from, count, .. } => self.window(from, count),
            Derived::Loop(l) => self.counted(&l.on, Some(l)),
            Derived::Times { iterations, body } => self.times(*iterations, body),
            Derived::LoopBuffers { body, .. } => body.stmts.iter().try_for_each(|stmt| self.stmt(stmt)),
            Derived::NoAlias { body, .. } => self.run(body),
            Derived::Sweep(sweep) => self.sweep(sweep),
            Derived::Move { to, from, declares } => {
                let value = self.memory.read(&self.slot(*from)?)?;
                match declares {
                    true => self.define(*to, value),
                    false => *self.memory.at_mut(&self.slot(*to)?)? = value,
                }
                Ok(())
            }
            Derived::Either { .. } => Err(Stop::unknown("a trace")),
            cut => self.cut(cut),
        }
    }

    /// A shadow of a value's shape.
    fn shadow(&mut self, var: Var, like: &'p ShapeOf, number: f64) -> Run<()> {
        let ty = self.table().ty(var).clone();
        let shadow = match like {
            ShapeOf::Fixed => fixed(&ty, number),
            ShapeOf::Value(place) => self.value_at(place)?.shadow(number),
            ShapeOf::Passive(code) => {
                let value = self.passive(code)?;
                self.read_value(value)?.shadow(number)
            }
            ShapeOf::Len(len) => {
                let element = match &ty {
                    Ty::Vec(element) => fixed(element, number),
                    _ => Value::float(number),
                };
                Value::Seq(vec![element; self.index_of(len)?])
            }
        };
        self.define(var, shadow);
        Ok(())
    }

    fn accumulated(&mut self, to: &'p Place, from: &'p Place, how: AddKind) -> Run<()> {
        let (value, at) = (self.value_at(from)?, self.at(to)?);
        let mut sum = self.memory.read(&at)?;
        let added = match (how, &mut sum) {
            (AddKind::Content, Value::Data(_, _, fields)) => fields.first_mut().map_or(Some(()), |f| f.add(&value)),
            (_, sum) => sum.add(&value),
        };
        added.ok_or_else(|| Stop::panic("shadows of different shapes"))?;
        self.memory.write(&at, sum)
    }

    fn refilled(&mut self, var: Var, len: Option<&'p PassiveCode>, with: &'p Refill) -> Run<()> {
        let at = self.slot(var)?;
        let n = match len {
            Some(len) => self.index_of(len)?,
            None => self.memory.count(&at)?,
        };
        let value = match with {
            Refill::Value(o) => Value::Seq(vec![self.operand(o)?; n]),
            Refill::Zero => Value::Seq(vec![Value::float(0.0); n]),
            Refill::Anything => Value::Seq(vec![Value::float(GARBAGE); n]),
            Refill::Copy(place) => self.value_at(place)?,
        };
        self.memory.write(&at, value)
    }

    /// What the callee initialises is garbage outside of what the loop that follows initialises, if nothing is done.
    fn cleared_outside(&mut self, bar: Var, lo: &'p PassiveCode, hi: &'p PassiveCode) -> Run<()> {
        let (lo, hi) = (self.index_of(lo)?, self.index_of(hi)?);
        if !self.here().fresh.contains(&bar) {
            return Ok(());
        }
        let at = self.slot(bar)?;
        for k in (0..self.memory.count(&at)?).filter(|k| !(lo..hi).contains(k)) {
            let element = self.memory.index(&at, k)?;
            let zero = self.memory.read(&element)?.shadow(0.0);
            self.memory.write(&element, zero)?;
        }
        Ok(())
    }
}

/// The shadow of a tuple whose type tells it.
fn fixed(ty: &Ty, number: f64) -> Value {
    match ty {
        Ty::Float => Value::float(number),
        Ty::Tuple(all) => Value::Tuple(all.iter().map(|ty| fixed(ty, number)).collect()),
        _ => Value::Unit,
    }
}
