//! Methods of slices and `Vec`s that change them.

use crate::tests::interpreter::library::sequences::listed;
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Value};
use std::cmp::Ordering;

impl Machine<'_> {
    /// A method that changes a sequence.
    pub fn edit(&mut self, name: &str, x: &Pointer, n: usize, args: &[Value]) -> Run<Value> {
        match (name, args) {
            ("swap", [i, j]) => {
                let (i, j) = (self.memory.index(x, self.count_of(i)?)?, self.memory.index(x, self.count_of(j)?)?);
                let (a, b) = (self.memory.shallow(&i)?, self.memory.shallow(&j)?);
                *self.memory.at_mut(&i)? = b;
                *self.memory.at_mut(&j)? = a;
                Ok(Value::Unit)
            }
            ("fill", [value]) => self.rewritten(x, |_| Ok(vec![value.clone(); n])),
            ("reverse", []) => self.rewritten(x, |all| Ok(all.into_iter().rev().collect())),
            ("rotate_left" | "rotate_right", [k]) => {
                let k = self.count_of(k)?;
                if k > n {
                    return Err(Stop::panic("a rotation beyond the end"));
                }
                let by = if name == "rotate_left" { k } else { n - k };
                self.rewritten(x, |mut all| {
                    all.rotate_left(by);
                    Ok(all)
                })
            }
            ("copy_from_slice" | "clone_from_slice" | "swap_with_slice" | "assign", [from]) => {
                self.copied_from(name, x, from)
            }
            ("sort_by" | "sort_unstable_by", [by]) => {
                let all = self.memory.elements(x)?.to_vec();
                let sorted = self.sorted(all, by)?;
                self.rewritten(x, |_| Ok(sorted))
            }
            ("sort" | "sort_unstable", []) => {
                let all = self.memory.elements(x)?.to_vec();
                let sorted = self.sorted(all, &Value::Unit)?;
                self.rewritten(x, |_| Ok(sorted))
            }
            _ => self.resizing(name, x, args),
        }
    }

    fn rewritten(&mut self, x: &Pointer, change: impl FnOnce(Vec<Value>) -> Run<Vec<Value>>) -> Run<Value> {
        let all = self.memory.elements(x)?.to_vec();
        self.memory.write(x, Value::Seq(change(all)?))?;
        Ok(Value::Unit)
    }

    fn copied_from(&mut self, name: &str, x: &Pointer, from: &Value) -> Run<Value> {
        let (new, old) = (self.read_value(from.clone())?, self.memory.read(x)?);
        if new.parts().len() != old.parts().len() {
            return Err(Stop::panic("slices of different lengths"));
        }
        self.memory.write(x, new)?;
        if let ("swap_with_slice", Value::Ref(from)) = (name, from) {
            self.memory.write(from, old)?;
        }
        Ok(Value::Unit)
    }

    /// Sorted by insertion, which is stable.
    pub fn sorted(&mut self, all: Vec<Value>, by: &Value) -> Run<Vec<Value>> {
        let mut sorted: Vec<Value> = Vec::new();
        for value in all {
            let mut at = sorted.len();
            while at > 0 && self.compared_by(by, &sorted[at - 1], &value)? == Ordering::Greater {
                at -= 1;
            }
            sorted.insert(at, value);
        }
        Ok(sorted)
    }

    /// How two values compare; by themselves, if no function says it.
    pub fn compared_by(&mut self, by: &Value, a: &Value, b: &Value) -> Run<Ordering> {
        if let Value::Unit = by {
            return self.order(a, b)?.ok_or_else(|| Stop::unknown("an order of NaN"));
        }
        let lent = [a, b].map(|v| Value::Ref(self.memory.alloc(v.clone())));
        let order = self.apply(by, lent.to_vec())?;
        self.as_order(&order)
    }

    fn resizing(&mut self, name: &str, x: &Pointer, args: &[Value]) -> Run<Value> {
        let queue = matches!(self.memory.get(x), Ok(Value::Deque(_)));
        let mut all = self.memory.elements(x)?.to_vec();
        let index = |m: &Self, k: usize| args.get(k).map_or(Ok(0), |v| m.count_of(v));
        let n = all.len();
        let result = match name {
            "push" | "push_back" => {
                all.push(args[0].clone());
                Value::Unit
            }
            "pop" | "pop_back" => Value::option(all.pop()),
            "push_front" => {
                all.insert(0, args[0].clone());
                Value::Unit
            }
            "pop_front" => Value::option((n > 0).then(|| all.remove(0))),
            "insert" => {
                let k = index(self, 0)?;
                if k > n {
                    return Err(Stop::panic("`insert` beyond the end"));
                }
                all.insert(k, args[1].clone());
                Value::Unit
            }
            "remove" if queue => {
                let k = index(self, 0)?;
                Value::option((k < n).then(|| all.remove(k)))
            }
            "remove" | "swap_remove" => {
                let k = index(self, 0)?;
                if k >= n {
                    return Err(Stop::panic("`remove` beyond the end"));
                }
                if name == "remove" { all.remove(k) } else { all.swap_remove(k) }
            }
            "truncate" => {
                all.truncate(index(self, 0)?);
                Value::Unit
            }
            "clear" => {
                all.clear();
                Value::Unit
            }
            "resize" => {
                all.resize(index(self, 0)?, args[1].clone());
                Value::Unit
            }
            "extend" | "extend_from_slice" | "append" => {
                let mut iter = self.walked_over(args[0].clone())?;
                while let Some(item) = self.next(&mut iter, false)? {
                    all.push(self.read_value(item)?);
                }
                if let ("append", Value::Ref(from)) = (name, &args[0]) {
                    self.memory.write(from, Value::Seq(Vec::new()))?;
                }
                Value::Unit
            }
            "split_off" => {
                let k = index(self, 0)?;
                if k > n {
                    return Err(Stop::panic("`split_off` beyond the end"));
                }
                Value::Seq(all.split_off(k))
            }
            "drain" => {
                let Value::Range(ends, inclusive) = &args[0] else { return Err(Stop::unknown("`drain`")) };
                let (lo, hi) = self.bounds(ends, *inclusive, n)?;
                if lo > hi || hi > n {
                    return Err(Stop::panic("`drain` beyond the end"));
                }
                listed(all.drain(lo..hi).collect())
            }
            "retain" => {
                let mut kept = Vec::new();
                for value in std::mem::take(&mut all) {
                    let lent = self.memory.alloc(value.clone());
                    if let Value::Bool(true) = self.apply(&args[0], vec![Value::Ref(lent)])? {
                        kept.push(value);
                    }
                }
                all = kept;
                Value::Unit
            }
            _ => return Err(Stop::unknown(format!("the method `{name}` of a sequence"))),
        };
        *self.memory.get_mut(x)? = if queue { Value::Deque(all) } else { Value::Seq(all) };
        Ok(result)
    }
}
