//! Methods of integers.

use crate::tests::interpreter::library::floats::ordering;
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::Value;

impl Machine<'_> {
    /// A method of an integer.
    pub fn integer_method(&mut self, name: &str, n: i128, args: &[Value]) -> Run<Value> {
        let mut all = Vec::new();
        for arg in args {
            all.push(self.read_value(arg.clone())?);
        }
        Ok(Value::Int(match (name, &all[..]) {
            ("clone", []) => n,
            ("abs", []) => n.abs(),
            ("signum", []) => n.signum(),
            ("min", [Value::Int(m)]) => n.min(*m),
            ("max", [Value::Int(m)]) => n.max(*m),
            ("clamp", [Value::Int(a), Value::Int(b)]) => n.clamp(*a, *b),
            ("pow", [Value::Int(m)]) => n.pow(*m as u32),
            ("saturating_sub", [Value::Int(m)]) => (n - m).max(0),
            ("saturating_add" | "wrapping_add", [Value::Int(m)]) => n + m,
            ("rem_euclid", [Value::Int(m)]) if *m != 0 => n.rem_euclid(*m),
            ("div_euclid", [Value::Int(m)]) if *m != 0 => n.div_euclid(*m),
            ("div_ceil", [Value::Int(m)]) if *m != 0 => n.div_euclid(*m) + i128::from(n.rem_euclid(*m) > 0),
            ("abs_diff", [Value::Int(m)]) => (n - m).abs(),
            ("is_multiple_of", [Value::Int(m)]) => return Ok(Value::Bool(*m != 0 && n % m == 0)),
            ("checked_sub", [Value::Int(m)]) => return Ok(Value::option((n >= *m).then_some(Value::Int(n - m)))),
            ("cmp", [Value::Int(m)]) => return Ok(ordering(Some(n.cmp(m)))),
            _ => return Err(Stop::unknown(format!("the method `{name}` of an integer"))),
        }))
    }
}
