//! Iterators, which run as lazily as those of std.

use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Iter, Pointer, Step, Value};
use std::collections::VecDeque;

impl Machine<'_> {
    /// What a loop or a method walks over.
    pub fn walked_over(&mut self, value: Value) -> Run<Iter> {
        Ok(match value {
            Value::Iter(iter) => *iter,
            Value::Range(ends, inclusive) => range(&ends, inclusive)?,
            Value::Seq(all) | Value::Deque(all) | Value::Nd(_, all) => Iter::List(all.into()),
            Value::Data(tag, _, fields) if matches!(&*tag, "Some" | "None" | "Ok" | "Err") => {
                Iter::List(if matches!(&*tag, "Some" | "Ok") { fields.into() } else { VecDeque::new() })
            }
            Value::Ref(place) => {
                let place = self.memory.deref(&place)?;
                let is_part = matches!(place.path.last(), Some(Step::Part(..)));
                match if is_part { &Value::Unit } else { self.memory.get(&place)? } {
                    Value::Iter(_) | Value::Range(..) => Iter::Shared(place),
                    Value::Data(..) if self.memory.get(&place)?.content().is_none() => Iter::List(VecDeque::new()),
                    _ => {
                        let n = self.memory.count(&place)?;
                        let all: Run<VecDeque<Value>> =
                            (0..n).map(|k| Ok(Value::Ref(self.memory.index(&place, k)?))).collect();
                        Iter::List(all?)
                    }
                }
            }
            _ => return Err(Stop::unknown("a loop over this value")),
        })
    }

    /// The next item, from the front or from the back.
    pub fn next(&mut self, iter: &mut Iter, back: bool) -> Run<Option<Value>> {
        self.step()?;
        match iter {
            Iter::List(all) => Ok(if back { all.pop_back() } else { all.pop_front() }),
            Iter::Rev(inner) => self.next(inner, !back),
            Iter::Read(inner) => match self.next(inner, back)? {
                Some(item) => self.read_value(item).map(Some),
                None => Ok(None),
            },
            Iter::Map(inner, f) => match self.next(inner, back)? {
                Some(item) => self.apply(&f.clone(), vec![item]).map(Some),
                None => Ok(None),
            },
            Iter::Inspect(inner, f) => {
                let item = self.next(inner, back)?;
                if let Some(item) = &item {
                    let lent = self.memory.alloc(item.clone());
                    self.apply(&f.clone(), vec![Value::Ref(lent)])?;
                }
                Ok(item)
            }
            Iter::Filter(inner, f) => self.next_kept(inner, &f.clone(), back),
            Iter::FilterMap(inner, f) => loop {
                let Some(item) = self.next(inner, back)? else { return Ok(None) };
                if let Some(content) = self.apply(&f.clone(), vec![item])?.content() {
                    return Ok(Some(content.clone()));
                }
            },
            Iter::Chain(a, b) => {
                let (first, second) = if back { (b, a) } else { (a, b) };
                match self.next(first, back)? {
                    Some(item) => Ok(Some(item)),
                    None => self.next(second, back),
                }
            }
            Iter::Shared(place) => {
                let place = place.clone();
                self.next_shared(&place, back)
            }
            _ if back => {
                let mut all = VecDeque::new();
                while let Some(item) = self.next(iter, false)? {
                    all.push_back(item);
                }
                let last = all.pop_back();
                *iter = Iter::List(all);
                Ok(last)
            }
            _ => self.next_forward(iter),
        }
    }

    fn next_kept(&mut self, inner: &mut Iter, f: &Value, back: bool) -> Run<Option<Value>> {
        loop {
            let Some(item) = self.next(inner, back)? else { return Ok(None) };
            if self.holds_for(f, &item)? {
                return Ok(Some(item));
            }
        }
    }

    /// Whether a predicate holds for an item, which it is lent.
    pub fn holds_for(&mut self, f: &Value, item: &Value) -> Run<bool> {
        let lent = self.memory.alloc(item.clone());
        let holds = self.apply(f, vec![Value::Ref(lent)])?;
        Ok(matches!(self.read_value(holds)?, Value::Bool(true)))
    }

    fn next_shared(&mut self, place: &Pointer, back: bool) -> Run<Option<Value>> {
        let value = std::mem::replace(self.memory.get_mut(place)?, Value::Unit);
        let mut iter = self.walked_over(value)?;
        let item = self.next(&mut iter, back);
        *self.memory.get_mut(place)? = Value::Iter(Box::new(iter));
        item
    }

    fn next_forward(&mut self, iter: &mut Iter) -> Run<Option<Value>> {
        match iter {
            Iter::From(n) => {
                *n += 1;
                Ok(Some(Value::Int(*n - 1)))
            }
            Iter::Repeat(value) => Ok(Some(value.clone())),
            Iter::Successors(at, f) => {
                let Some(now) = at.take() else { return Ok(None) };
                let lent = self.memory.alloc(now.clone());
                *at = self.apply(&f.clone(), vec![Value::Ref(lent)])?.content().cloned();
                Ok(Some(now))
            }
            Iter::FromFn(f) => Ok(self.apply(&f.clone(), Vec::new())?.content().cloned()),
            Iter::MapWhile(inner, f) => match self.next(inner, false)? {
                Some(item) => Ok(self.apply(&f.clone(), vec![item])?.content().cloned()),
                None => Ok(None),
            },
            Iter::TakeWhile(inner, f, ends) => {
                let item = if *ends { None } else { self.next(inner, false)? };
                let Some(item) = item else { return Ok(None) };
                *ends = !self.holds_for(&f.clone(), &item)?;
                Ok((!*ends).then_some(item))
            }
            Iter::SkipWhile(inner, f, begun) => loop {
                let Some(item) = self.next(inner, false)? else { return Ok(None) };
                if *begun || !self.holds_for(&f.clone(), &item)? {
                    *begun = true;
                    return Ok(Some(item));
                }
            },
            Iter::Scan(inner, state, f) => match self.next(inner, false)? {
                Some(item) => {
                    let (state, f) = (Value::Ref(state.clone()), f.clone());
                    Ok(self.apply(&f, vec![state, item])?.content().cloned())
                }
                None => Ok(None),
            },
            _ => self.next_counted(iter),
        }
    }

    fn next_counted(&mut self, iter: &mut Iter) -> Run<Option<Value>> {
        match iter {
            Iter::Flat(outer, inner) => loop {
                if let Some(current) = inner
                    && let Some(item) = self.next(current, false)?
                {
                    return Ok(Some(item));
                }
                let Some(next) = self.next(outer, false)? else { return Ok(None) };
                *inner = Some(Box::new(self.walked_over(next)?));
            },
            Iter::Enumerate(inner, k) => {
                let Some(item) = self.next(inner, false)? else { return Ok(None) };
                *k += 1;
                Ok(Some(Value::Tuple(vec![Value::Int(*k - 1), item])))
            }
            Iter::Zip(a, b) => {
                let Some(a) = self.next(a, false)? else { return Ok(None) };
                let Some(b) = self.next(b, false)? else { return Ok(None) };
                Ok(Some(Value::Tuple(vec![a, b])))
            }
            Iter::Skip(inner, n) => {
                for _ in 0..std::mem::take(n) {
                    if self.next(inner, false)?.is_none() {
                        return Ok(None);
                    }
                }
                self.next(inner, false)
            }
            Iter::Take(_, 0) => Ok(None),
            Iter::Take(inner, n) => {
                *n -= 1;
                self.next(inner, false)
            }
            Iter::StepBy(inner, step, begun) => {
                for _ in 0..if std::mem::replace(begun, true) { *step - 1 } else { 0 } {
                    if self.next(inner, false)?.is_none() {
                        return Ok(None);
                    }
                }
                self.next(inner, false)
            }
            Iter::Cycle(inner, all) => match self.next(inner, false)? {
                Some(item) => Ok(Some(item)),
                None => {
                    **inner = (**all).clone();
                    self.next(inner, false)
                }
            },
            Iter::Peekable(inner, peeked) => match peeked.take() {
                Some(item) => Ok(item),
                None => self.next(inner, false),
            },
            _ => Err(Stop::unknown("an iterator")),
        }
    }
}

/// The integers of a range.
fn range(ends: &[Option<Value>; 2], inclusive: bool) -> Run<Iter> {
    match ends {
        [Some(Value::Int(lo)), Some(Value::Int(hi))] => {
            let hi = *hi + i128::from(inclusive);
            if hi - lo > 100_000 {
                return Err(Stop::unknown("a long range"));
            }
            Ok(Iter::List((*lo..hi).map(Value::Int).collect()))
        }
        [Some(Value::Int(lo)), None] => Ok(Iter::From(*lo)),
        _ => Err(Stop::unknown("a loop over this range")),
    }
}
