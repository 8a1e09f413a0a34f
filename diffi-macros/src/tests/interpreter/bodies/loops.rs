//! Counted loops.

use crate::ir::{For, Loop, LoopSweep, Var, Walk};
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Value};

/// The numbers of partial sums that a loop with lanes makes at once.
const LANES: usize = 8;

impl<'p> Machine<'p> {
    /// A counted loop; of derivative code, with what that adds.
    pub fn counted(&mut self, on: &'p For, with: Option<&'p Loop>) -> Run<()> {
        let (lo, hi) = (self.end(&on.lo)?, self.end(&on.hi)?);
        let step = on.step.as_ref().map_or(Ok(1), |step| self.index_of(step))?;
        let mut values: Vec<i128> = (lo..hi + i128::from(on.inclusive)).step_by(step.max(1)).collect();
        let all = values.len();
        let swept = with.filter(|l| l.sweep != LoopSweep::Primal).and_then(|l| l.iterations);
        if let Some(iterations) = swept {
            // the primal's direction first, then back from where it stopped
            let count = self.count_in(iterations)?;
            if !on.down {
                values.reverse();
            }
            if count > values.len() {
                return Err(Stop::panic("more iterations than there are"));
            }
            values.truncate(count);
        }
        if on.down || swept.is_some() {
            values.reverse();
        }
        let Some(l) = with else { return self.iterations(on, None, &values, &mut []).map(|_| ()) };
        let outer = self.here().frames.clone();
        if let Some(widths) = l.frame.filter(|_| !l.opened) {
            self.open_frames(l, widths, if swept.is_some() { values.len() } else { all })?;
        }
        let result = self.with_lanes(l, &values);
        if let (LoopSweep::Primal, Some(iterations), Some(widths)) = (l.sweep, l.iterations, l.frame) {
            let count = self.count_in(iterations)?;
            self.close_frames(l, widths, count)?;
        }
        self.here().frames = outer;
        result
    }

    fn end(&mut self, code: &'p crate::ir::PassiveCode) -> Run<i128> {
        let value = self.passive(code)?;
        match self.read_value(value)? {
            Value::Int(n) => Ok(n),
            _ => Err(Stop::unknown(format!("the end `{}` of a loop", code.tokens))),
        }
    }

    fn count_in(&mut self, var: Var) -> Run<usize> {
        let value = self.memory.read(&self.slot(var)?)?;
        self.count_of(&value)
    }

    /// The iterations of a loop, whose sums are made in several parts.
    fn with_lanes(&mut self, l: &'p Loop, values: &[i128]) -> Run<()> {
        if l.lanes.is_empty() {
            return self.iterations(&l.on, Some(l), values, &mut []);
        }
        let sums: Vec<Pointer> = l.lanes.iter().map(|sum| self.slot(*sum)).collect::<Run<_>>()?;
        let mut parts: Vec<Vec<Pointer>> = Vec::new();
        for _ in 0..LANES {
            parts.push(sums.iter().map(|_| self.memory.alloc(Value::float(0.0))).collect());
        }
        let log = self.here().log.len();
        self.iterations(&l.on, Some(l), values, &mut parts)?;
        self.unwound(log);
        for part in parts {
            for (sum, part) in sums.iter().zip(part) {
                let value = self.memory.read(&part)?;
                let added = self.memory.get_mut(sum)?.add(&value);
                added.ok_or_else(|| Stop::unknown("a sum in parts"))?;
            }
        }
        Ok(())
    }

    fn iterations(
        &mut self,
        on: &'p For,
        with: Option<&'p Loop>,
        values: &[i128],
        lanes: &mut [Vec<Pointer>],
    ) -> Run<()> {
        let (count, outer) = (values.len(), self.here().frame);
        for (k, value) in values.iter().enumerate() {
            self.step()?;
            let (cells, log) = (self.memory.len(), self.here().log.len());
            self.define(on.var, Value::Int(*value));
            if let Some(l) = with {
                if l.frame.is_some() {
                    self.here().frame = if l.sweep == LoopSweep::AdjointReversed { count - 1 - k } else { k };
                }
                let index = if on.down { count - 1 - k } else { k };
                l.walks.iter().try_for_each(|walk| self.walked(walk, index))?;
                let part = lanes.get(k % LANES).cloned().unwrap_or_default();
                l.lanes.iter().zip(part).for_each(|(sum, part)| self.here().put(*sum, Some(part)));
            }
            self.run(&on.body)?;
            let leaves = match on.until {
                Some(flag) => matches!(self.memory.read(&self.slot(flag)?)?, Value::Bool(true)),
                None => false,
            };
            self.unwound(log);
            self.memory.truncate(cells);
            if leaves {
                break;
            }
        }
        self.here().frame = outer;
        Ok(())
    }

    /// The element that an iteration walks along.
    fn walked(&mut self, walk: &'p Walk, index: usize) -> Run<()> {
        let slice = self.at(&walk.slice)?;
        let place = match &walk.by {
            None => self.memory.index(&slice, index)?,
            Some(width) => {
                let width = self.index_of(width)?;
                self.memory.part(&slice, index * width, (index + 1) * width)?
            }
        };
        self.define(walk.element, Value::Ref(place));
        Ok(())
    }

    /// The frames of a loop whose iterations name theirs.
    pub fn frame_block(&mut self, l: &'p Loop) -> Run<()> {
        let Some(widths) = l.frame else { return Ok(()) };
        let (lo, hi) = (self.end(&l.on.lo)?, self.end(&l.on.hi)?);
        let step = l.on.step.as_ref().map_or(Ok(1), |step| self.index_of(step))?;
        let count = (lo..hi + i128::from(l.on.inclusive)).step_by(step.max(1)).count();
        let count = match l.iterations.filter(|_| l.sweep != LoopSweep::Primal) {
            Some(iterations) => self.count_in(iterations)?,
            None => count,
        };
        self.open_frames(l, widths, count)
    }

    /// `for _ in 0..iterations`.
    pub fn times(&mut self, iterations: Var, body: &'p crate::ir::Block) -> Run<()> {
        for _ in 0..self.count_in(iterations)? {
            self.run(body)?;
        }
        Ok(())
    }
}
