//! The tape: frames of values, one by one, and blocks of them for loops.

use crate::ir::symbols::Role;
use crate::ir::{Derived, Loop, LoopSweep, PassiveCode, Stmt, TapeFrame, Var, Widths};
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::Value;
use std::cell::RefCell;
use std::rc::Rc;

/// The stacks of the tape: floats, tangents, words, and whole values. What lies on several has an entry on each.
pub type Tape = [Vec<Rc<Entry>>; 4];

/// What lies on the tape.
pub enum Entry {
    /// One frame.
    Frame(Vec<Value>),
    /// Those of a loop.
    Block(Block, Widths),
}

/// Records side by side, that of what the first iteration takes over in front.
pub type Block = Rc<RefCell<Vec<Option<Vec<Value>>>>>;

/// The frames that a loop names its own by.
#[derive(Clone)]
pub struct Records {
    block: Block,
    /// The first one that counts.
    from: usize,
    /// How many there are.
    pub count: usize,
}

impl<'p> Machine<'p> {
    fn frame_of(&mut self, frame: &TapeFrame, shapes: bool) -> Run<Vec<Value>> {
        let mut layout = Vec::new();
        for var in frame.floats.iter().chain(&frame.words) {
            layout.push(self.memory.read(&self.slot(*var)?)?);
        }
        for var in &frame.wholes {
            let value = self.memory.shallow(&self.slot(*var)?)?;
            let value = if matches!(value, Value::Ref(_)) { self.read_value(value)? } else { value };
            layout.push(if shapes && frame.shapes.contains(var) { garbled(value) } else { value });
        }
        for (dot, _) in &frame.whole_dots {
            layout.push(self.memory.read(&self.slot(*dot)?)?);
        }
        Ok(layout)
    }

    fn stacks(&self, frame: &TapeFrame) -> [bool; 4] {
        let is_dot = |var: &Var| self.table().role(*var) == Role::Dot;
        let (dots, floats) = (frame.floats.iter().any(is_dot), frame.floats.iter().any(|v| !is_dot(v)));
        [floats, dots || !frame.whole_dots.is_empty(), !frame.words.is_empty(), !frame.wholes.is_empty()]
    }

    fn put_on(&mut self, stacks: [bool; 4], entry: Entry) {
        let entry = Rc::new(entry);
        let wanted = self.tape.iter_mut().zip(stacks).filter(|(_, wanted)| *wanted);
        wanted.for_each(|(stack, _)| stack.push(entry.clone()));
    }

    /// The entry on top of all these stacks; none of no stacks.
    fn taken_off(&mut self, stacks: [bool; 4]) -> Run<Option<Rc<Entry>>> {
        let mut found: Option<Rc<Entry>> = None;
        for (stack, _) in self.tape.iter_mut().zip(stacks).filter(|(_, wanted)| *wanted) {
            let entry = stack.pop().ok_or_else(|| Stop::panic("the tape is empty"))?;
            if found.as_ref().is_some_and(|other| !Rc::ptr_eq(other, &entry)) {
                return Err(Stop::panic("the stacks of the tape are out of step"));
            }
            found = Some(entry);
        }
        Ok(found)
    }

    /// Pushes a frame.
    pub fn push_frame(&mut self, frame: &TapeFrame) -> Run<()> {
        let layout = self.frame_of(frame, true)?;
        let stacks = self.stacks(frame);
        self.put_on(stacks, Entry::Frame(layout));
        Ok(())
    }

    /// Pops a frame.
    pub fn pop_frame(&mut self, frame: &TapeFrame) -> Run<()> {
        let stacks = self.stacks(frame);
        let layout = match self.taken_off(stacks)?.as_deref() {
            Some(Entry::Frame(layout)) => layout.clone(),
            None => Vec::new(),
            Some(Entry::Block(..)) => return Err(Stop::panic("the tape has no such layout")),
        };
        let dots = frame.whole_dots.iter().map(|(dot, _)| dot);
        let vars: Vec<Var> =
            frame.floats.iter().chain(&frame.words).chain(&frame.wholes).chain(dots).copied().collect();
        if vars.len() != layout.len() {
            return Err(Stop::panic("a layout of another width"));
        }
        for (var, value) in vars.into_iter().zip(layout) {
            match frame.into.contains(&var) {
                true => self.memory.write(&self.slot(var)?, value)?,
                false => self.define(var, value),
            }
        }
        Ok(())
    }

    /// Opens the frames of a loop of so many iterations. No frames take no place on the tape: a sweep may leave such a loop out.
    pub fn open_frames(&mut self, l: &Loop, widths: Widths, count: usize) -> Run<()> {
        let block = match l.sweep {
            _ if count == 0 => Rc::new(RefCell::new(vec![None])),
            LoopSweep::Primal => {
                let block: Block = Rc::new(RefCell::new(vec![None; count + 1]));
                block.borrow_mut()[0] = Some(self.front(l)?);
                self.put_on(stacks_of(widths), Entry::Block(block.clone(), widths));
                block
            }
            _ => match self.taken_off(stacks_of(widths))?.as_deref() {
                Some(Entry::Block(block, kept)) if *kept == widths => block.clone(),
                Some(Entry::Block(_, kept)) => {
                    return Err(Stop::panic(format!("a block of {kept:?} in place of {widths:?}")));
                }
                _ => return Err(Stop::panic("the tape has no such block")),
            },
        };
        if block.borrow().len() != count + 1 {
            return Err(Stop::panic(format!("{} frames for {count} iterations", block.borrow().len() - 1)));
        }
        self.here().frames = Some(Records { block, from: 0, count });
        Ok(())
    }

    /// Gives back the frames of iterations that a loop was left without.
    pub fn close_frames(&mut self, l: &Loop, widths: Widths, iterations: usize) -> Run<()> {
        let Some(Records { block, count, .. }) = self.here().frames.clone() else { return Ok(()) };
        block.borrow_mut().truncate(iterations + 1);
        if count > 0 && iterations == 0 && l.first.is_empty() {
            self.taken_off(stacks_of(widths))?;
        }
        Ok(())
    }

    /// What the first iteration takes over, in the columns of the frame.
    fn front(&mut self, l: &Loop) -> Run<Vec<Value>> {
        let frame = l.on.body.stmts.iter().find_map(|s| match s {
            Stmt::Derived(Derived::StoreFrame(r) | Derived::LoadFrame(r)) => Some(r),
            _ => None,
        });
        let Some(frame) = frame else { return Ok(Vec::new()) };
        let mut front = vec![Value::float(f64::NAN); frame.floats.len()];
        for carried in &l.first {
            let column = column(frame, carried.was)?;
            front[column] = self.memory.read(&self.slot(carried.cell)?)?;
        }
        Ok(front)
    }

    /// Only these frames count from here on.
    pub fn window(&mut self, from: &PassiveCode, count: &PassiveCode) -> Run<()> {
        let (from, count) = (self.index_of(from)?, self.index_of(count)?);
        let Some(frames) = &mut self.here().frames else { return Err(Stop::panic("no frames")) };
        if from + count > frames.count {
            return Err(Stop::panic("a window beyond the frames"));
        }
        frames.from += from;
        frames.count = count;
        Ok(())
    }

    fn frame_at(&mut self, frame: &TapeFrame) -> Run<(Block, usize)> {
        let at = match &frame.at {
            Some(at) => self.index_of(at)?,
            None => self.here().frame,
        };
        match &self.here().frames {
            Some(Records { block, from, count }) if at < *count => Ok((block.clone(), from + at)),
            _ => Err(Stop::panic("there is no such layout")),
        }
    }

    /// Writes this iteration's frame.
    pub fn store_frame(&mut self, frame: &TapeFrame) -> Run<()> {
        let layout = self.frame_of(frame, false)?;
        let (block, at) = self.frame_at(frame)?;
        block.borrow_mut()[at + 1] = Some(layout);
        Ok(())
    }

    /// Reads this iteration's frame.
    pub fn load_frame(&mut self, frame: &TapeFrame) -> Run<()> {
        let (block, at) = self.frame_at(frame)?;
        let [before, own] = [at, at + 1].map(|at| block.borrow()[at].clone());
        let own = own.ok_or_else(|| Stop::panic("a layout that was not kept"))?;
        for (var, value) in frame.floats.iter().chain(&frame.words).zip(own) {
            self.define(*var, value);
        }
        for carried in &frame.carried {
            let before = before.as_ref().ok_or_else(|| Stop::panic("a layout that was not kept"))?;
            let value = before[column(frame, carried.was)?].clone();
            self.define(carried.value, value);
        }
        Ok(())
    }
}

fn stacks_of(widths: Widths) -> [bool; 4] {
    [widths.floats > 0, widths.tangents > 0, widths.words > 0, false]
}

fn column(frame: &TapeFrame, var: Var) -> Run<usize> {
    frame.floats.iter().position(|v| *v == var).ok_or_else(|| Stop::panic("no float of the layout"))
}

/// A value of which only the shape is kept.
fn garbled(mut value: Value) -> Value {
    value.each_mut(&mut |v| v.v = f64::NAN);
    value
}
