//! Statements that the function itself has too.

use crate::ir::{Arm, Assign, Block, Operand, PassiveCode, Place, Stmt};
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Value};
use syn::parse::Parser;

impl<'p> Machine<'p> {
    /// Runs a block, whose variables end with it.
    pub fn run(&mut self, block: &'p Block) -> Run<()> {
        let (cells, log, frames) = (self.memory.len(), self.here().log.len(), self.here().frames.clone());
        let result = block.stmts.iter().try_for_each(|stmt| self.stmt(stmt));
        self.here().frames = frames;
        self.unwound(log);
        self.memory.truncate(cells);
        result
    }

    /// Forgets the variables since then.
    pub fn unwound(&mut self, log: usize) {
        let frame = self.here();
        while frame.log.len() > log {
            let (var, before) = frame.log.pop().expect("an entry");
            frame.slots[var.0 as usize] = before;
        }
    }

    /// Runs a statement.
    pub fn stmt(&mut self, stmt: &'p Stmt) -> Run<()> {
        self.step()?;
        match stmt {
            Stmt::Let { var, expr } => {
                let value = self.expr(expr)?;
                let written = self.table().info(*var).written.as_ref();
                let queue = written.is_some_and(|ty| ty.to_string().contains("VecDeque"));
                self.define(*var, if queue { value.queued() } else { value });
                Ok(())
            }
            Stmt::Declare { var } => {
                self.define(*var, Value::Unit);
                Ok(())
            }
            Stmt::Assign { place, op, value, .. } => self.assigned(place, *op, value),
            Stmt::Push { place, value, .. } => {
                let value = self.operand(value)?;
                let at = self.at(place)?;
                match self.memory.get_mut(&at)? {
                    Value::Seq(all) | Value::Deque(all) => all.push(value),
                    _ => return Err(Stop::unknown("`push`")),
                }
                Ok(())
            }
            Stmt::Swap { a, b, .. } => {
                let (a, b) = (self.at(a)?, self.at(b)?);
                let (x, y) = (self.memory.read(&a)?, self.memory.read(&b)?);
                self.memory.write(&a, y)?;
                self.memory.write(&b, x)
            }
            Stmt::If { cond, then, els } => {
                let block = if self.condition(cond)? { then } else { els };
                self.run(block)
            }
            Stmt::Switch { scrutinee, arms } => self.switch(scrutinee, arms),
            Stmt::For(on) => self.counted(on, None),
            Stmt::While { prelude, cond, body, .. } => self.while_loop(prelude, cond, body),
            Stmt::Effect { tokens, .. } => self.passive(tokens).map(|_| ()),
            Stmt::Derived(derived) => self.derived(derived),
        }
    }

    fn assigned(&mut self, place: &'p Place, op: Assign, value: &'p Operand) -> Run<()> {
        let value = match value {
            // a passive value may be a reference
            Operand::Passive(code) => self.passive(code)?,
            other => self.operand(other)?,
        };
        let at = self.at(place)?;
        match op {
            Assign::Begin(bar) if self.here().fresh.contains(&bar) => self.memory.write(&at, value),
            Assign::Set if place.path.is_empty() && matches!(value, Value::Ref(_)) => {
                *self.memory.at_mut(&at)? = value;
                Ok(())
            }
            Assign::Set => {
                let value = self.read_value(value)?;
                self.memory.write(&at, value)
            }
            Assign::Add | Assign::Begin(_) => self.added(&at, &value, 1.0),
            Assign::Sub => self.added(&at, &value, -1.0),
        }
    }

    /// Adds a number; a shadow that is not there stays so.
    fn added(&mut self, at: &Pointer, value: &Value, sign: f64) -> Run<()> {
        let value = self.read_value(value.clone())?;
        let old = self.memory.read(at)?;
        match (old, value) {
            (Value::Float(a), Value::Float(b)) => {
                self.memory.write(at, Value::Float(if sign > 0.0 { a + b } else { a - b }))
            }
            (Value::Unit, _) | (_, Value::Unit) => Ok(()),
            _ => Err(Stop::unknown("`+=` of this value")),
        }
    }

    fn switch(&mut self, scrutinee: &'p PassiveCode, arms: &'p [Arm]) -> Run<()> {
        let place = self.passive_place(scrutinee)?;
        for arm in arms {
            let (names, log) = (self.scope.len(), self.here().log.len());
            let pattern = syn::Pat::parse_multi_with_leading_vert
                .parse2(arm.pattern.clone())
                .map_err(|_| Stop::unknown(format!("the pattern `{}`", arm.pattern)))?;
            let fits = self.matched(&pattern, &place, false)?;
            if fits {
                for var in &arm.binds {
                    let bound = self.variable(&self.table().info(*var).name.to_string());
                    self.here().put(*var, bound);
                }
            }
            let chosen = fits && arm.guard.as_ref().map_or(Ok(true), |guard| self.condition(guard))?;
            let result = if chosen { self.run(&arm.body) } else { Ok(()) };
            self.scope.truncate(names);
            self.unwound(log);
            if chosen {
                return result;
            }
        }
        Err(Stop::unknown("a switch without an arm for its value"))
    }

    /// `loop { prelude; if !cond { break } body }`; the condition sees what the prelude declares, and the body too.
    fn while_loop(&mut self, prelude: &'p Block, cond: &'p PassiveCode, body: &'p Block) -> Run<()> {
        loop {
            self.step()?;
            let (cells, log) = (self.memory.len(), self.here().log.len());
            prelude.stmts.iter().try_for_each(|stmt| self.stmt(stmt))?;
            let goes_on = self.condition(cond)?;
            if goes_on {
                self.run(body)?;
            }
            self.unwound(log);
            self.memory.truncate(cells);
            if !goes_on {
                return Ok(());
            }
        }
    }
}
