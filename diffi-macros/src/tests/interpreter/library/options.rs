//! Methods of options, results and orderings, and `clone` of anything.

use crate::tests::interpreter::library::floats::ordering;
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Value};
use std::cmp::Ordering;

impl Machine<'_> {
    /// A method of an `Option`, or of what is like one.
    pub fn option_method(&mut self, name: &str, place: &Pointer, args: &[Value]) -> Run<Value> {
        let value = self.memory.read(place)?;
        let Value::Data(tag, _, fields) = &value else { return Err(Stop::unknown(format!("the method `{name}`"))) };
        match &**tag {
            _ if name == "clone" => Ok(value),
            "Some" | "Ok" => self.of_some(name, (place, &value, &fields[0]), args),
            "None" | "Err" => self.of_none(name, (place, &value), args),
            "Less" | "Equal" | "Greater" => self.ordering_method(name, &value, args),
            _ => Err(Stop::unknown(format!("the method `{name}` of `{tag}`"))),
        }
    }

    fn of_some(
        &mut self,
        name: &str,
        (place, value, content): (&Pointer, &Value, &Value),
        args: &[Value],
    ) -> Run<Value> {
        let content = content.clone();
        Ok(match name {
            "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else" | "unwrap_or_default" => content,
            "is_some" | "is_ok" => Value::Bool(true),
            "is_none" | "is_err" => Value::Bool(false),
            "or" | "or_else" | "ok_or" | "ok_or_else" | "ok" => match name {
                "ok_or" | "ok_or_else" => Value::tagged("Ok", vec![content]),
                _ => Value::option(Some(content)),
            },
            "copied" | "cloned" => Value::option(Some(self.read_value(content)?)),
            "as_ref" | "as_mut" | "as_deref" | "as_deref_mut" => {
                let mut inner = self.memory.deref(place)?;
                inner.path.push(crate::tests::interpreter::value::Step::At(0));
                Value::option(Some(Value::Ref(inner)))
            }
            "iter" | "iter_mut" | "into_iter" => {
                return self.walked_over(Value::Ref(place.clone())).map(|i| Value::Iter(Box::new(i)));
            }
            "take" => self.memory.write(place, Value::option(None)).map(|()| value.clone())?,
            "replace" | "insert" => {
                self.memory.write(place, Value::option(Some(args[0].clone())))?;
                value.clone()
            }
            "map" => {
                let mapped = self.apply(&args[0], vec![content])?;
                match value {
                    Value::Data(tag, names, _) => Value::Data(tag.clone(), names.clone(), vec![mapped]),
                    _ => unreachable!("it has a tag"),
                }
            }
            "and_then" => self.apply(&args[0], vec![content])?,
            "map_or" | "map_or_else" => self.apply(&args[1], vec![content])?,
            "is_some_and" => self.apply(&args[0], vec![content])?,
            "is_none_or" => self.apply(&args[0], vec![content])?,
            "filter" => {
                let lent = self.memory.alloc(content.clone());
                let keeps = self.apply(&args[0], vec![Value::Ref(lent)])?;
                Value::option(matches!(keeps, Value::Bool(true)).then_some(content))
            }
            "zip" => Value::option(args[0].content().map(|other| Value::Tuple(vec![content, other.clone()]))),
            _ => return Err(Stop::unknown(format!("the method `{name}` of an option"))),
        })
    }

    fn of_none(&mut self, name: &str, (place, value): (&Pointer, &Value), args: &[Value]) -> Run<Value> {
        Ok(match name {
            "unwrap" | "expect" => return Err(Stop::panic("`unwrap` of nothing")),
            "unwrap_or" | "or" => args[0].clone(),
            "unwrap_or_else" => {
                let args_of = if value.parts().is_empty() { Vec::new() } else { value.parts().to_vec() };
                self.apply(&args[0], args_of)?
            }
            "or_else" => self.apply(&args[0], Vec::new())?,
            "unwrap_or_default" => Value::float(0.0),
            "ok_or" => Value::tagged("Err", vec![args[0].clone()]),
            "ok_or_else" => Value::tagged("Err", vec![self.apply(&args[0], Vec::new())?]),
            "is_some" | "is_ok" | "is_some_and" => Value::Bool(false),
            "is_none" | "is_err" | "is_none_or" => Value::Bool(true),
            "ok" => Value::option(None),
            "copied" | "cloned" | "as_ref" | "as_mut" | "as_deref" | "as_deref_mut" | "take" | "map" | "and_then"
            | "filter" | "zip" => value.clone(),
            "iter" | "iter_mut" | "into_iter" => {
                return self.walked_over(value.clone()).map(|i| Value::Iter(Box::new(i)));
            }
            "replace" | "insert" => {
                self.memory.write(place, Value::option(Some(args[0].clone())))?;
                value.clone()
            }
            "map_or" => args[0].clone(),
            "map_or_else" => self.apply(&args[0], Vec::new())?,
            _ => return Err(Stop::unknown(format!("the method `{name}` of nothing"))),
        })
    }

    fn ordering_method(&mut self, name: &str, value: &Value, args: &[Value]) -> Run<Value> {
        let order = self.as_order(value)?;
        Ok(match name {
            "reverse" => ordering(Some(order.reverse())),
            "then" if order == Ordering::Equal => args[0].clone(),
            "then_with" if order == Ordering::Equal => self.apply(&args[0], Vec::new())?,
            "then" | "then_with" => value.clone(),
            "is_lt" => Value::Bool(order.is_lt()),
            "is_gt" => Value::Bool(order.is_gt()),
            "is_eq" => Value::Bool(order.is_eq()),
            "is_le" => Value::Bool(order.is_le()),
            "is_ge" => Value::Bool(order.is_ge()),
            _ => return Err(Stop::unknown(format!("the method `{name}` of an ordering"))),
        })
    }

    /// An `Ordering`.
    pub fn as_order(&self, value: &Value) -> Run<Ordering> {
        match value {
            Value::Data(tag, ..) if **tag == *"Less" => Ok(Ordering::Less),
            Value::Data(tag, ..) if **tag == *"Equal" => Ok(Ordering::Equal),
            Value::Data(tag, ..) if **tag == *"Greater" => Ok(Ordering::Greater),
            _ => Err(Stop::unknown("an ordering")),
        }
    }
}
