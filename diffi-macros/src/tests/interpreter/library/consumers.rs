//! Methods that run an iterator to its end, or to an answer.

use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::rust::operators::operate;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Iter, Value};
use std::cmp::Ordering;

impl Machine<'_> {
    /// A method that runs an iterator.
    pub fn consumed(&mut self, name: &str, mut iter: Iter, args: &[Value], turbofish: &str) -> Run<Value> {
        match name {
            "sum" | "product" => self.total(name, iter, turbofish),
            "count" => {
                let mut n = 0;
                while self.next(&mut iter, false)?.is_some() {
                    n += 1;
                }
                Ok(Value::Int(n))
            }
            "last" => {
                let mut last = None;
                while let Some(item) = self.next(&mut iter, false)? {
                    last = Some(item);
                }
                Ok(Value::option(last))
            }
            "for_each" => {
                while let Some(item) = self.next(&mut iter, false)? {
                    self.apply(&args[0], vec![item])?;
                }
                Ok(Value::Unit)
            }
            "fold" | "rfold" => self.folded(iter, args[0].clone(), &args[1], name == "rfold"),
            "reduce" => match self.next(&mut iter, false)? {
                None => Ok(Value::option(None)),
                Some(first) => self.folded(iter, first, &args[0], false).map(|v| Value::option(Some(v))),
            },
            "try_fold" => self.tried_fold(iter, args[0].clone(), &args[1]),
            "any" | "all" | "find" | "position" | "find_map" => self.sought(name, iter, &args[0]),
            "min_by" | "max_by" | "min" | "max" => self.best(name, iter, args.first().unwrap_or(&Value::Unit)),
            "collect" => self.collected(iter, turbofish),
            "unzip" => {
                let (mut a, mut b) = (Vec::new(), Vec::new());
                while let Some(item) = self.next(&mut iter, false)? {
                    let [x, y] = item.parts() else { return Err(Stop::unknown("`unzip`")) };
                    a.push(x.clone());
                    b.push(y.clone());
                }
                Ok(Value::Tuple(vec![Value::Seq(a), Value::Seq(b)]))
            }
            _ => Err(Stop::unknown(format!("the method `{name}` of an iterator"))),
        }
    }

    fn total(&mut self, name: &str, mut iter: Iter, turbofish: &str) -> Run<Value> {
        let sign = if name == "sum" { '+' } else { '*' };
        let integers = ["usize", "i32", "i64", "u32"].contains(&turbofish);
        let empty = match (sign, integers) {
            ('+', true) => Value::Int(0),
            ('*', true) => Value::Int(1),
            ('+', false) => Value::float(-0.0),
            _ => Value::float(1.0),
        };
        let mut total = None;
        while let Some(item) = self.next(&mut iter, false)? {
            let item = self.read_value(item)?;
            let before = total.unwrap_or_else(|| match (&item, sign) {
                (Value::Int(_), '+') => Value::Int(0),
                (Value::Int(_), _) => Value::Int(1),
                _ => empty.clone(),
            });
            total = Some(operate(sign, &before, &item)?);
        }
        Ok(total.unwrap_or(empty))
    }

    fn folded(&mut self, mut iter: Iter, start: Value, f: &Value, back: bool) -> Run<Value> {
        let mut state = start;
        while let Some(item) = self.next(&mut iter, back)? {
            state = self.apply(f, vec![state, item])?;
        }
        Ok(state)
    }

    fn tried_fold(&mut self, mut iter: Iter, start: Value, f: &Value) -> Run<Value> {
        let mut state = Value::option(Some(start));
        while let Some(item) = self.next(&mut iter, false)? {
            let Some(content) = state.content() else { break };
            state = self.apply(f, vec![content.clone(), item])?;
        }
        Ok(state)
    }

    fn sought(&mut self, name: &str, mut iter: Iter, f: &Value) -> Run<Value> {
        let mut k = 0;
        while let Some(item) = self.next(&mut iter, false)? {
            let found = match name {
                "find" => Value::Bool(self.holds_for(f, &item)?),
                _ => self.apply(f, vec![item.clone()])?,
            };
            match (name, self.read_value(found)?) {
                ("any", Value::Bool(true)) => return Ok(Value::Bool(true)),
                ("all", Value::Bool(false)) => return Ok(Value::Bool(false)),
                ("find", Value::Bool(true)) => return Ok(Value::option(Some(item))),
                ("position", Value::Bool(true)) => return Ok(Value::option(Some(Value::Int(k)))),
                ("find_map", found) if found.content().is_some() => return Ok(found),
                _ => k += 1,
            }
        }
        Ok(match name {
            "any" => Value::Bool(false),
            "all" => Value::Bool(true),
            _ => Value::option(None),
        })
    }

    /// The least or the greatest: of equal ones the first or the last.
    fn best(&mut self, name: &str, mut iter: Iter, by: &Value) -> Run<Value> {
        let least = name.starts_with("min");
        let mut best: Option<Value> = None;
        while let Some(item) = self.next(&mut iter, false)? {
            let replaces = match &best {
                None => true,
                Some(old) => match self.compared_by(by, old, &item)? {
                    Ordering::Greater => least,
                    Ordering::Less | Ordering::Equal if least => false,
                    _ => true,
                },
            };
            if replaces {
                best = Some(item);
            }
        }
        Ok(Value::option(best))
    }

    fn collected(&mut self, mut iter: Iter, turbofish: &str) -> Run<Value> {
        let mut all = Vec::new();
        let (option, result) = (turbofish.starts_with("Option"), turbofish.starts_with("Result"));
        while let Some(item) = self.next(&mut iter, false)? {
            match (option || result, item.content()) {
                (false, _) => all.push(item),
                (true, Some(content)) => all.push(content.clone()),
                (true, None) => return Ok(item),
            }
        }
        Ok(match (option, result) {
            (true, _) => Value::option(Some(Value::Seq(all))),
            (_, true) => Value::tagged("Ok", vec![Value::Seq(all)]),
            _ if turbofish.contains("VecDeque") => Value::Deque(all),
            _ => Value::Seq(all),
        })
    }
}
