//! Methods of iterators and ranges.

use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Iter, Pointer, Value};
use std::cmp::Ordering;

impl Machine<'_> {
    /// A method of an iterator or a range in a place.
    pub fn iterator_method(&mut self, name: &str, place: &Pointer, args: &[Value], turbofish: &str) -> Run<Value> {
        if let Some(value) = self.range_method(name, place, args)? {
            return Ok(value);
        }
        if let Some(value) = self.by_reference(name, place, args)? {
            return Ok(value);
        }
        let value = std::mem::replace(self.memory.get_mut(place)?, Value::Unit);
        let iter = self.walked_over(value)?;
        match self.adapted(name, iter, args)? {
            Ok(adapted) => Ok(Value::Iter(Box::new(adapted))),
            Err(iter) => self.consumed(name, iter, args, turbofish),
        }
    }

    fn range_method(&mut self, name: &str, place: &Pointer, args: &[Value]) -> Run<Option<Value>> {
        let Value::Range(ends, inclusive) = self.memory.get(place)?.clone() else { return Ok(None) };
        Ok(match name {
            "contains" => {
                let value = self.read_value(args[0].clone())?;
                let above = ends[0].as_ref().map_or(Ok(Some(Ordering::Less)), |lo| self.order(lo, &value))?;
                let below = ends[1].as_ref().map_or(Ok(Some(Ordering::Less)), |hi| self.order(&value, hi))?;
                let fits = |order: Option<Ordering>, equal: bool| {
                    order == Some(Ordering::Less) || equal && order == Some(Ordering::Equal)
                };
                Some(Value::Bool(fits(above, true) && fits(below, inclusive)))
            }
            "clone" => Some(Value::Range(ends, inclusive)),
            "is_empty" => {
                let [Some(lo), Some(hi)] = &*ends else { return Ok(None) };
                let order = self.order(lo, hi)?;
                Some(Value::Bool(!(order == Some(Ordering::Less) || inclusive && order == Some(Ordering::Equal))))
            }
            _ => None,
        })
    }

    /// What takes the iterator by reference, so that it can go on.
    fn by_reference(&mut self, name: &str, place: &Pointer, args: &[Value]) -> Run<Option<Value>> {
        let mut shared = Iter::Shared(place.clone());
        Ok(Some(match name {
            "by_ref" => Value::Ref(place.clone()),
            "clone" => self.memory.read(place)?,
            "next" => Value::option(self.next(&mut shared, false)?),
            "next_back" => Value::option(self.next(&mut shared, true)?),
            "nth" => {
                let n = self.count_of(&args[0])?;
                let mut skipped = Iter::Skip(Box::new(shared), n);
                Value::option(self.next(&mut skipped, false)?)
            }
            "len" | "size_hint" => {
                let mut copy = Iter::List(Default::default());
                match self.memory.read(place)? {
                    Value::Iter(iter) => copy = *iter,
                    range => copy.clone_from(&self.walked_over(range)?),
                }
                let mut count = 0;
                while self.next(&mut copy, false)?.is_some() {
                    count += 1;
                }
                match name {
                    "len" => Value::Int(count),
                    _ => Value::Tuple(vec![Value::Int(count), Value::option(Some(Value::Int(count)))]),
                }
            }
            "peek" => {
                let Value::Iter(mut iter) = std::mem::replace(self.memory.get_mut(place)?, Value::Unit) else {
                    return Err(Stop::unknown("`peek`"));
                };
                let Iter::Peekable(inner, peeked) = &mut *iter else { return Err(Stop::unknown("`peek`")) };
                if peeked.is_none() {
                    *peeked = Some(self.next(inner, false)?);
                }
                let item = peeked.clone().flatten();
                *self.memory.get_mut(place)? = Value::Iter(iter);
                Value::option(item.map(|item| Value::Ref(self.memory.alloc(item))))
            }
            _ => return Ok(None),
        }))
    }

    /// An adaptor, or the iterator as it was.
    fn adapted(&mut self, name: &str, iter: Iter, args: &[Value]) -> Run<Result<Iter, Iter>> {
        let f = || args[0].clone();
        let inner = Box::new(iter);
        Ok(Ok(match name {
            "iter" | "into_iter" | "fuse" => *inner,
            "map" => Iter::Map(inner, f()),
            "inspect" => Iter::Inspect(inner, f()),
            "filter" => Iter::Filter(inner, f()),
            "filter_map" => Iter::FilterMap(inner, f()),
            "map_while" => Iter::MapWhile(inner, f()),
            "take_while" => Iter::TakeWhile(inner, f(), false),
            "skip_while" => Iter::SkipWhile(inner, f(), false),
            "scan" => Iter::Scan(inner, self.memory.alloc(f()), args[1].clone()),
            "flat_map" => Iter::Flat(Box::new(Iter::Map(inner, f())), None),
            "flatten" => Iter::Flat(inner, None),
            "enumerate" => Iter::Enumerate(inner, 0),
            "zip" => Iter::Zip(inner, Box::new(self.walked_over(f())?)),
            "chain" => Iter::Chain(inner, Box::new(self.walked_over(f())?)),
            "skip" => Iter::Skip(inner, self.count_of(&args[0])?),
            "take" => Iter::Take(inner, self.count_of(&args[0])?),
            "step_by" => Iter::StepBy(inner, self.count_of(&args[0])?.max(1), false),
            "copied" | "cloned" => Iter::Read(inner),
            "rev" => Iter::Rev(inner),
            "cycle" => Iter::Cycle(inner.clone(), inner),
            "peekable" => Iter::Peekable(inner, None),
            _ => return Ok(Err(*inner)),
        }))
    }
}
