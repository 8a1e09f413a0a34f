//! Methods and constructors of arrays of `ndarray`, as the text of a program calls them.

use crate::tests::interpreter::library::arrays::{axis_of, edited, elementwise, lengths, operated, shape_of};
use crate::tests::interpreter::library::sequences::listed;
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Value};

impl Machine<'_> {
    /// A function of a type of `ndarray`.
    pub fn new_array(&mut self, name: &str, args: &[Value]) -> Run<Value> {
        let first = self.read_value(args[0].clone())?;
        match (name, &args[1..]) {
            ("from_elem", [value]) => operated("Filled", &[first], &self.read_value(value.clone())?, None),
            ("zeros", []) => operated("Filled", &[first], &Value::float(0.0), None),
            ("from_vec", []) => operated("Shaped", &[Value::Int(first.parts().len() as i128)], &first, None),
            ("from_shape_vec", [list]) => operated("Shaped", &[first], &self.read_value(list.clone())?, None),
            ("from_shape_fn", [f]) => {
                let shape = lengths(&first)?;
                let mut all = Vec::new();
                for k in 0..shape.iter().product() {
                    all.push(self.apply(f, vec![indices(&shape, k)])?);
                }
                operated("Shaped", &[first], &Value::Seq(all), None)
            }
            _ => Err(Stop::unknown(format!("the function `{name}` of an array"))),
        }
    }

    /// A method of an array.
    pub fn array_method(&mut self, name: &str, x: &Pointer, args: &[Value]) -> Run<Value> {
        let array = self.memory.read(x)?;
        let read = self.read_all(args.to_vec())?;
        match (name, &read[..]) {
            ("sum", []) => operated("Sum", &[], &array, None),
            ("t", []) => operated("Transpose", &[], &array, None),
            ("row", [_]) => operated("Row", &read, &array, None),
            ("column", [_]) => operated("Column", &read, &array, None),
            ("slice", [_]) => operated("Slice", &read, &array, None),
            ("dot", [other]) => operated("Dot", &[], &array, Some(other)),
            ("clone" | "to_owned" | "into_owned" | "view", []) => Ok(array),
            ("assign" | "fill", [other]) => self.changed(x, edited("Assign", &[], &array, other)),
            ("scaled_add", [by, other]) => {
                self.changed(x, elementwise('*', by, other).and_then(|term| elementwise('+', &array, &term)))
            }
            ("row_mut" | "slice_mut", [at]) => self.part_to_change(x, &array, at),
            ("map", [f]) => self.mapped(&array, f, true),
            ("mapv", [f]) => self.mapped(&array, f, false),
            ("mapv_inplace", [f]) => {
                let new = self.mapped(&array, f, false);
                self.changed(x, new)
            }
            ("fold", [start, f]) => (0..array.parts().len()).try_fold(start.clone(), |s, k| {
                let element = Value::Ref(self.memory.index(x, k)?);
                self.apply(f, vec![s, element])
            }),
            ("outer_iter" | "rows", []) => {
                let rows = shape_of(&array)?[0] as i128;
                let rows = (0..rows).map(|k| operated("Row", &[Value::Int(k)], &array, None));
                Ok(listed(rows.collect::<Run<Vec<Value>>>()?))
            }
            ("nrows", []) => Ok(Value::Int(shape_of(&array)?[0] as i128)),
            ("ncols", []) => Ok(Value::Int(shape_of(&array)?[1] as i128)),
            ("len_of", [axis]) => Ok(Value::Int(shape_of(&array)?[axis_of(axis)?] as i128)),
            _ => self.sequence_method(name, x, args, false),
        }
    }

    /// The shape of an array, as lengths.
    pub fn shape_value(&self, array: &Value) -> Run<Value> {
        let shape = shape_of(&self.read_value(array.clone())?)?;
        Ok(Value::Seq(shape.into_iter().map(|n| Value::Int(n as i128)).collect()))
    }

    /// The length of an array along an axis.
    pub fn length_along(&self, array: &Value, axis: &Value) -> Run<Value> {
        let shape = shape_of(&self.read_value(array.clone())?)?;
        Ok(Value::Int(shape[axis_of(&self.read_value(axis.clone())?)?] as i128))
    }

    fn changed(&mut self, x: &Pointer, new: Run<Value>) -> Run<Value> {
        self.memory.write(x, new?).map(|()| Value::Unit)
    }

    /// A row, or a part of a vector, where it lies.
    fn part_to_change(&mut self, x: &Pointer, array: &Value, at: &Value) -> Run<Value> {
        let (lo, hi) = match (&shape_of(array)?[..], at) {
            ([n], Value::Range(ends, inclusive)) => self.bounds(ends, *inclusive, *n)?,
            ([_, m], Value::Int(i)) => (*i as usize * m, (*i as usize + 1) * m),
            _ => return Err(Stop::unknown("a part that is changed")),
        };
        self.memory.part(x, lo, hi).map(Value::Ref)
    }

    fn mapped(&mut self, array: &Value, f: &Value, lent: bool) -> Run<Value> {
        let Value::Nd(shape, all) = array else { return Err(Stop::unknown("an array")) };
        let mut new = Vec::new();
        for value in all {
            let value = if lent { Value::Ref(self.memory.alloc(value.clone())) } else { value.clone() };
            new.push(self.apply(f, vec![value])?);
        }
        Ok(Value::Nd(shape.clone(), new))
    }
}

/// The indices of an element by its position.
fn indices(shape: &[usize], position: usize) -> Value {
    match shape {
        [_] => Value::Int(position as i128),
        [_, m] => Value::Tuple(vec![Value::Int((position / m) as i128), Value::Int((position % m) as i128)]),
        _ => Value::Unit,
    }
}
