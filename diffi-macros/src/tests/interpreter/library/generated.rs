//! Functions of the runtime that passive code of generated bodies calls: their own meaning, written once more.

use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Iter, Pointer, Value};

/// As many iterations make a block of partial sums.
const LANES: i128 = 8;

impl Machine<'_> {
    /// `__d::name(args)`; `None` if there is no such function.
    pub fn of_runtime(&mut self, name: &str, args: &[Value]) -> Run<Option<Value>> {
        let ints: Vec<i128> = args
            .iter()
            .map_while(|v| match self.read_value(v.clone()) {
                Ok(Value::Int(n)) => Some(n),
                _ => None,
            })
            .collect();
        Ok(Some(match (name, &ints[..]) {
            ("answer" | "integer" | "Queue" | "constant_of" | "left" | "kept_for_sweeps", _) => {
                self.read_value(args[0].clone())?
            }
            ("Through" | "Witnessed" | "Landing" | "Fault", _) => args[0].clone(),
            ("given", _) => self.read_value(args[0].clone())?,
            ("content", _) => match self.read_value(args[0].clone())?.content() {
                Some(content) => content.clone(),
                None => return Err(Stop::panic("the content of nothing")),
            },
            ("replayed", [first, again]) if first == again => Value::Unit,
            ("replayed", _) => return Err(Stop::panic("an iteration gave another value when it was run again")),
            ("add_up", [lo, hi]) => self.add_up(args, *lo, *hi)?,
            ("take_turns", _) => self.of_mem("swap", args.to_vec())?,
            ("default_like", _) => match self.read_value(args[0].clone())? {
                Value::Seq(_) => Value::Seq(Vec::new()),
                other => other.shadow(0.0),
            },
            ("filled_like", _) => Value::Seq(vec![args[0].clone(); self.read_value(args[1].clone())?.parts().len()]),
            ("some", _) => self.content_place(&args[0])?,
            ("root", [n]) => Value::Int((n.isqrt() + i128::from(n.isqrt() * n.isqrt() < *n)).max(1)),
            ("stop", [from, end, free]) => Value::Int(stop(*from, *end, *free)),
            ("end_of_blocks" | "end_of_blocks_of", [start, end]) => Value::Int(end - (end - start).max(0) % LANES),
            ("nth", _) => {
                let (range, k) = (self.walked_over(args[0].clone())?, self.count_of(&args[1])?);
                let item = self.next(&mut Iter::Skip(Box::new(range), k), false)?;
                item.ok_or_else(|| Stop::panic("an iteration that was run before"))?
            }
            ("is_there", _) => Value::Bool(self.read_value(args[0].clone())?.content().is_some()),
            ("are_columns", [len]) => Value::Bool(self.are_columns(*len, &args[1..])?),
            _ => return Ok(None),
        }))
    }

    /// A method of generated code.
    pub fn generated_method(&mut self, name: &str, x: &Pointer, arg: Option<&Value>) -> Run<Option<Value>> {
        Ok(Some(match (name, arg) {
            ("__like" | "mold" | "landed", None) => self.memory.read(x)?,
            ("value", None) if matches!(self.memory.get(x), Ok(Value::Function(path)) if path.ends_with("NEW")) => {
                Value::tagged("Default", Vec::new())
            }
            ("mixed", Some(Value::Int(iteration))) => mixed(&self.memory.read(x)?, *iteration),
            ("failure" | "returned", None) => match self.memory.read(x)? {
                Value::Data(tag, _, error) if matches!(&*tag, "Failure" | "Err") => {
                    error.first().cloned().ok_or_else(|| Stop::panic("an error where there is no value"))?
                }
                _ => Value::Unit,
            },
            ("items", Some(iterator)) => {
                let (mut iter, mut all) = (self.walked_over(iterator.clone())?, Vec::new());
                while let Some(item) = self.next(&mut iter, false)? {
                    all.push(item);
                }
                Value::Seq(all)
            }
            ("shown", Some(k)) => Value::Ref(self.memory.index(x, self.count_of(k)?)?),
            (payload, None) if payload.starts_with("__") && payload.contains('_') => {
                let field = payload.rsplit('_').next().unwrap_or_default();
                Value::Ref(self.memory.field(x, field)?)
            }
            ("marks", None) => {
                self.marked.push(self.tape.clone());
                Value::Int(self.marked.len() as i128 - 1)
            }
            ("rewind", Some(mark)) => {
                self.tape = self.marked[self.count_of(mark)?].clone();
                Value::Unit
            }
            _ => return Ok(None),
        }))
    }

    /// `__d::add_up(&mut total, &parts, lo, hi)`.
    fn add_up(&mut self, args: &[Value], lo: i128, hi: i128) -> Run<Value> {
        let Value::Ref(total) = &args[0] else { return Err(Stop::unknown("a total without a place")) };
        let parts = self.read_value(args[1].clone())?;
        for k in lo.max(0)..hi {
            let part = parts.parts().get(k as usize).ok_or_else(|| Stop::panic("a part of a sum is missing"))?;
            let part = self.read_value(part.clone())?;
            self.memory.get_mut(total)?.add(&part).ok_or_else(|| Stop::unknown("a sum of parts"))?;
        }
        Ok(Value::Unit)
    }

    /// `__d::some(&option)`: the place of what it holds.
    fn content_place(&self, option: &Value) -> Run<Value> {
        let Value::Ref(place) = option else { return Err(Stop::unknown("`some` of a value")) };
        if self.memory.get(place)?.content().is_none() {
            return Err(Stop::panic("a shadow has the shape of its value"));
        }
        Ok(Value::Ref(self.memory.index(place, 0)?))
    }

    /// Whether columns, moved on by any of so many, lie within rows, and these within so many elements.
    fn are_columns(&self, len: i128, args: &[Value]) -> Run<bool> {
        let ends = |v: &Value| match v {
            Value::Range(ends, false) => match &**ends {
                [Some(Value::Int(lo)), Some(Value::Int(hi))] => Ok((*lo, *hi)),
                _ => Err(Stop::unknown("a range")),
            },
            _ => Err(Stop::unknown("a range")),
        };
        let ((first, last), (left, right)) = (ends(&args[0])?, ends(&args[2])?);
        let (Value::Int(width), [Value::Int(least), Value::Int(most)]) =
            (self.read_value(args[1].clone())?, args[3].parts())
        else {
            return Err(Stop::unknown("`are_columns`"));
        };
        Ok(first < last && left < right && left + least >= 0 && right - 1 + most < width && last * width <= len)
    }
}

/// What an iteration sees, mixed with its number.
fn mixed(value: &Value, iteration: i128) -> Value {
    let bits = match value {
        Value::Float(v) => i128::from(v.v.to_bits() >> 8),
        Value::Int(n) => *n,
        Value::Bool(b) => i128::from(*b),
        _ => 0,
    };
    Value::Int((bits + 1) * (2 * iteration + 1))
}

/// Where revolve keeps the next state (Griewank and Walther 2000, proposition 1).
fn stop(from: i128, end: i128, free: i128) -> i128 {
    let (iterations, last) = (end - from, end - 1);
    if free == 0 || iterations <= 1 {
        return last;
    }
    let (s, mut repeats, mut before, mut here) = (free + 1, 0, 0, 1);
    while here < iterations {
        repeats += 1;
        (before, here) = (here, here * (s + repeats) / repeats);
    }
    let (least, beyond) = (before * (repeats - 1).max(0) / (s + repeats - 1), here * s / (s + repeats));
    from + least.max((iterations - beyond).max(0)).max(1)
}
