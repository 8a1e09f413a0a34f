//! Sweeps of operations whose rules rustc finds: their derivatives by the numbers themselves, one direction after the other.

use crate::ir::{Call, CallArg, Callee, Sweep, SweepKind};
use crate::tests::interpreter::bodies::sweeps::Shadows;
use crate::tests::interpreter::library::arrays::{edited, named, operated};
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Value};
use diffi_random::number::S;

/// An operation at its operands.
struct Rule {
    name: String,
    held: Vec<Value>,
    /// Whether it changes its first operand.
    edits: bool,
    operands: Vec<Value>,
    /// Tangents of the operands.
    dots: Vec<Option<Value>>,
}

/// `One`, `Two` or `Change`, if a call is that of an operation.
pub fn handle_of(call: &Call) -> Option<String> {
    let Callee::Function(path) = &call.callee else { return None };
    let path = path.to_string().replace(' ', "");
    path.strip_prefix("__d::library::").map(str::to_owned)
}

impl<'p> Machine<'p> {
    /// The value of an operation of the runtime; a change is made.
    pub fn rule_value(&mut self, handle: &str, args: &[Value]) -> Run<Value> {
        let operands = self.read_all(args[1..].to_vec())?;
        let rule = Rule::of(&args[0], handle == "Change", operands)?;
        let value = rule.at(&rule.operands)?;
        match (&args[1], rule.edits) {
            (Value::Ref(place), true) => self.memory.write(place, value).map(|()| Value::Unit),
            _ => Ok(value),
        }
    }

    /// Runs a sweep of such an operation: the value and its tangent.
    pub fn rule_sweep(
        &mut self,
        sweep: &'p Sweep,
        args: &[Pointer],
        shadows: &Shadows,
        second: bool,
    ) -> Run<(Value, Value)> {
        let CallArg::Passive(op) = &sweep.call.args[0] else { return Err(Stop::unknown("an operation")) };
        let op = self.passive(op)?;
        let edits = handle_of(&sweep.call).is_some_and(|handle| handle == "Change");
        let reverse = matches!(sweep.kind, SweepKind::Both | SweepKind::Reverse);
        let values = args[1..].iter().map(|arg| self.memory.read(arg)).collect::<Run<Vec<Value>>>()?;
        let mut rule = Rule::of(&op, edits, values)?;
        rule.dots = (1..args.len())
            .map(|k| shadows.dots.get(k).cloned().flatten().map(|dot| self.memory.read(&dot)).transpose())
            .collect::<Run<_>>()?;
        let (value, dot) = rule.pushed()?;
        if reverse {
            self.rule_pulled(&rule, shadows, second)?;
        }
        if !edits || sweep.kind == SweepKind::Reverse {
            return Ok((value, dot));
        }
        self.memory.write(&args[1], value)?;
        if let Some(place) = shadows.dots.get(1).cloned().flatten() {
            self.memory.write(&place, dot)?;
        }
        Ok((Value::Unit, Value::Unit))
    }

    /// Adds to the cotangents of the operands, and to their tangents.
    fn rule_pulled(&mut self, rule: &Rule, shadows: &Shadows, second: bool) -> Run<()> {
        let bar_dot = |k: usize| shadows.bar_dots.get(k).cloned().flatten().filter(|_| second);
        let seeds = match rule.edits {
            true => [shadows.bars.get(1).cloned().flatten().map(|(place, _)| place), bar_dot(1)],
            false => [shadows.y_bar.clone(), shadows.y_bar_dot.clone()],
        };
        let mut weights = [Vec::new(), Vec::new()];
        for (weights, seed) in weights.iter_mut().zip(seeds) {
            *weights = seed.map_or(Ok(Vec::new()), |seed| Ok(self.memory.read(&seed)?.floats()))?;
        }
        if weights[0].is_empty() {
            return Ok(());
        }
        for k in 0..rule.operands.len() {
            let Some((bar, fresh)) = shadows.bars.get(k + 1).cloned().flatten() else { continue };
            let fresh = fresh || rule.edits && k == 0;
            let [first, mixed] = rule.transposed(k, &weights)?;
            self.accumulate(&bar, (&rule.operands[k], &first), fresh)?;
            if let Some(place) = bar_dot(k + 1) {
                self.accumulate(&place, (&rule.operands[k], &mixed), fresh)?;
            }
        }
        Ok(())
    }

    /// Adds to a cotangent; one that is initialised may have no memory yet.
    fn accumulate(&mut self, place: &Pointer, (like, by): (&Value, &[f64]), fresh: bool) -> Run<()> {
        let mut all = if fresh { like.shadow(0.0) } else { self.memory.read(place)? };
        let mut by = by.iter();
        all.each_mut(&mut |v| {
            let term = by.next().copied().unwrap_or_default();
            v.v = if fresh { term } else { v.v + term };
        });
        self.memory.write(place, all)
    }
}

impl Rule {
    fn of(op: &Value, edits: bool, operands: Vec<Value>) -> Run<Self> {
        let (name, held) = named(op)?;
        let dots = vec![None; operands.len()];
        Ok(Rule { name, held, edits, operands, dots })
    }

    fn at(&self, operands: &[Value]) -> Run<Value> {
        match (self.edits, operands) {
            (true, [x, y]) => edited(&self.name, &self.held, x, y),
            (false, [x, rest @ ..]) => operated(&self.name, &self.held, x, rest.first()),
            _ => Err(Stop::unknown("an operation of nothing")),
        }
    }

    /// The operands, moving in the direction of their tangents.
    fn moving(&self, set: fn(&mut S, f64)) -> Vec<Value> {
        let mut all = self.operands.clone();
        for (value, dot) in all.iter_mut().zip(&self.dots) {
            let mut dots = dot.as_ref().map(Value::floats).unwrap_or_default().into_iter();
            value.each_mut(&mut |v| set(v, dots.next().unwrap_or_default().v));
        }
        all
    }

    fn pushed(&self) -> Run<(Value, Value)> {
        let (mut value, mut dot) = (self.at(&self.moving(|v, dot| v.a = dot))?, Value::Unit);
        dot.clone_from(&value);
        dot.each_mut(&mut |v| *v = S { v: v.a, ..S::default() });
        value.each_mut(&mut |v| *v = S { v: v.v, ..S::default() });
        Ok((value, dot))
    }

    /// The transpose of the derivative by an operand, applied to weights, and the tangent of that.
    fn transposed(&self, k: usize, weights: &[Vec<S>; 2]) -> Run<[Vec<f64>; 2]> {
        let count = self.operands[k].floats().len();
        let mut sums = [Vec::new(), Vec::new()];
        for i in 0..count {
            let mut operands = self.moving(|v, dot| {
                // what is not kept may be anything, and must not matter
                v.v = if v.v.is_nan() { 1e30 } else { v.v };
                v.b = dot;
            });
            let mut at = 0;
            operands[k].each_mut(&mut |v| {
                v.a = f64::from(u8::from(at == i));
                at += 1;
            });
            let results = self.at(&operands)?.floats();
            let weight = |which: usize, j: usize| weights[which].get(j).map_or(0.0, |w| w.v);
            let first = results.iter().enumerate().map(|(j, r)| weight(0, j) * r.a).sum();
            let mixed = results.iter().enumerate().map(|(j, r)| weight(0, j) * r.ab + weight(1, j) * r.a).sum();
            sums[0].push(first);
            sums[1].push(mixed);
        }
        Ok(sums)
    }
}
