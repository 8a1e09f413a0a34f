//! Methods of slices, arrays and `Vec`s that look at them.

use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Iter, Pointer, Value};
use std::cmp::Ordering;

impl Machine<'_> {
    /// A method of a sequence, which is a temporary one where it is `owned`.
    pub fn sequence_method(&mut self, name: &str, x: &Pointer, args: &[Value], owned: bool) -> Run<Value> {
        let n = self.memory.count(x)?;
        let all = |m: &Self| (0..n).map(|k| Ok(Value::Ref(m.memory.index(x, k)?))).collect::<Run<Vec<Value>>>();
        let at =
            |m: &Self, k: usize| Ok(Value::option(if k < n { Some(Value::Ref(m.memory.index(x, k)?)) } else { None }));
        match name {
            "len" => Ok(Value::Int(n as i128)),
            "is_empty" => Ok(Value::Bool(n == 0)),
            "into_iter" if owned => Ok(listed(self.memory.elements(x)?.to_vec())),
            "iter" | "iter_mut" | "into_iter" => Ok(listed(all(self)?)),
            "as_slice" | "as_mut_slice" | "as_ref" | "as_mut" | "borrow" => Ok(Value::Ref(x.clone())),
            "to_vec" | "clone" | "into_boxed_slice" | "into_vec" | "to_owned" => self.memory.read(x),
            "first" | "first_mut" => at(self, 0),
            "last" | "last_mut" => at(self, n.wrapping_sub(1)),
            "get" | "get_mut" => self.got(x, n, &args[0]),
            "windows" | "chunks" | "chunks_exact" | "chunks_mut" | "chunks_exact_mut" => {
                let size = self.count_of(&args[0])?;
                self.pieces(name, x, (n, size))
            }
            "split_at" | "split_at_mut" => {
                let k = self.count_of(&args[0])?;
                let (a, b) = (self.memory.part(x, 0, k)?, self.memory.part(x, k, n)?);
                Ok(Value::Tuple(vec![Value::Ref(a), Value::Ref(b)]))
            }
            "split_first" | "split_first_mut" | "split_last" | "split_last_mut" if n == 0 => Ok(Value::option(None)),
            "split_first" | "split_first_mut" => {
                let (one, rest) = (self.memory.index(x, 0)?, self.memory.part(x, 1, n)?);
                Ok(Value::option(Some(Value::Tuple(vec![Value::Ref(one), Value::Ref(rest)]))))
            }
            "split_last" | "split_last_mut" => {
                let (one, rest) = (self.memory.index(x, n - 1)?, self.memory.part(x, 0, n - 1)?);
                Ok(Value::option(Some(Value::Tuple(vec![Value::Ref(one), Value::Ref(rest)]))))
            }
            "concat" => {
                let mut joined = Vec::new();
                for k in 0..n {
                    joined.extend(self.memory.elements(&self.memory.index(x, k)?)?.to_vec());
                }
                Ok(Value::Seq(joined))
            }
            "map" => {
                let elements = self.memory.elements(x)?.to_vec();
                let mapped: Run<Vec<Value>> = elements.into_iter().map(|v| self.apply(&args[0], vec![v])).collect();
                Ok(Value::Seq(mapped?))
            }
            "contains" => {
                let wanted = self.read_value(args[0].clone())?;
                for k in 0..n {
                    if self.order(&self.memory.read(&self.memory.index(x, k)?)?, &wanted)? == Some(Ordering::Equal) {
                        return Ok(Value::Bool(true));
                    }
                }
                Ok(Value::Bool(false))
            }
            _ => self.edit(name, x, n, args),
        }
    }

    /// A number of elements.
    pub fn count_of(&self, value: &Value) -> Run<usize> {
        match self.read_value(value.clone())? {
            Value::Int(n) => usize::try_from(n).map_err(|_| Stop::panic("a number of elements below zero")),
            _ => Err(Stop::unknown("a number of elements")),
        }
    }

    fn got(&mut self, x: &Pointer, n: usize, index: &Value) -> Run<Value> {
        Ok(Value::option(match self.read_value(index.clone())? {
            Value::Int(k) if (0..n as i128).contains(&k) => Some(Value::Ref(self.memory.index(x, k as usize)?)),
            Value::Int(_) => None,
            Value::Range(ends, inclusive) => {
                let (lo, hi) = self.bounds(&ends, inclusive, n)?;
                if lo <= hi && hi <= n { Some(Value::Ref(self.memory.part(x, lo, hi)?)) } else { None }
            }
            _ => return Err(Stop::unknown("`get`")),
        }))
    }

    fn pieces(&mut self, name: &str, x: &Pointer, (n, size): (usize, usize)) -> Run<Value> {
        if size == 0 {
            return Err(Stop::panic("pieces of no elements"));
        }
        let starts: Vec<usize> = match name {
            "windows" => (0..(n + 1).saturating_sub(size)).collect(),
            "chunks_exact" | "chunks_exact_mut" => (0..n / size).map(|k| k * size).collect(),
            _ => (0..n.div_ceil(size)).map(|k| k * size).collect(),
        };
        let pieces: Run<Vec<Value>> =
            starts.into_iter().map(|lo| Ok(Value::Ref(self.memory.part(x, lo, (lo + size).min(n))?))).collect();
        Ok(listed(pieces?))
    }
}

/// An iterator over a list.
pub fn listed(all: Vec<Value>) -> Value {
    Value::Iter(Box::new(Iter::List(all.into())))
}
