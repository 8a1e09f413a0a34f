//! Methods of floats, and the functions of the derivative table.

use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::Value;
use diffi_random::number::{S, lit};

/// Methods of one number.
macro_rules! of_one {
    ($name:expr, $x:expr; $($method:ident)+) => {
        match $name { $(stringify!($method) => Some($x.$method()),)+ _ => None }
    };
}

/// Methods of two numbers.
macro_rules! of_two {
    ($name:expr, $x:expr, $y:expr; $($method:ident)+) => {
        match $name { $(stringify!($method) => Some($x.$method($y)),)+ _ => None }
    };
}

/// A function of the derivative table, by its name.
pub fn function(name: &str, args: &[Value]) -> Option<Value> {
    let value = match args {
        [Value::Float(x)] if name == "pseudo_inverse" => Some(if x.v == 0.0 { lit(0.0) } else { x.recip() }),
        [Value::Float(x)] => of_one!(name, x;
            recip sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
            to_degrees to_radians abs fract floor ceil round trunc signum),
        [Value::Float(x), Value::Int(n)] if name == "powi" => Some(x.powi(*n as i32)),
        [Value::Float(x), Value::Float(y)] => of_two!(name, x, *y;
            powf log hypot atan2 copysign max min rem_euclid midpoint)
        .or_else(|| operator(name, *x, *y)),
        [Value::Float(x), Value::Float(y), Value::Float(z)] => match name {
            "mul_add" => Some(x.mul_add(*y, *z)),
            "clamp" => Some(x.clamp(*y, *z)),
            _ => None,
        },
        _ => None,
    };
    value.map(Value::Float)
}

fn operator(name: &str, x: S, y: S) -> Option<S> {
    Some(match name {
        "add" => x + y,
        "sub" => x - y,
        "mul" => x * y,
        "strong_mul" if x.v == 0.0 => lit(0.0),
        "mul_strong" if y.v == 0.0 => lit(0.0),
        "strong_mul_strong" if x.v == 0.0 || y.v == 0.0 => lit(0.0),
        "strong_mul" | "mul_strong" | "strong_mul_strong" => x * y,
        "div" => x / y,
        "rem" => x % y,
        "div_euclid" => lit(x.v.div_euclid(y.v)),
        _ => return None,
    })
}

impl Machine<'_> {
    /// A method of a float.
    pub fn float_method(&mut self, name: &str, x: S, args: &[Value]) -> Run<Value> {
        let mut all = vec![Value::Float(x)];
        for arg in args {
            all.push(self.read_value(arg.clone())?);
        }
        if let Some(value) = function(name, &all) {
            return Ok(value);
        }
        Ok(match (name, &all[1..]) {
            ("clone" | "to_owned", []) => Value::Float(x),
            ("neg", []) => Value::Float(-x),
            ("sin_cos", []) => Value::Tuple(vec![Value::Float(x.sin()), Value::Float(x.cos())]),
            ("is_nan", []) => Value::Bool(x.v.is_nan()),
            ("is_finite", []) => Value::Bool(x.v.is_finite()),
            ("is_infinite", []) => Value::Bool(x.v.is_infinite()),
            ("is_sign_negative", []) => Value::Bool(x.v.is_sign_negative()),
            ("is_sign_positive", []) => Value::Bool(x.v.is_sign_positive()),
            ("total_cmp", [Value::Float(y)]) => ordering(Some(x.v.total_cmp(&y.v))),
            ("partial_cmp", [Value::Float(y)]) => match x.v.partial_cmp(&y.v) {
                None => Value::option(None),
                order => Value::option(Some(ordering(order))),
            },
            _ => return Err(Stop::unknown(format!("the method `{name}` of a float"))),
        })
    }
}

/// `Less`, `Equal` or `Greater`.
pub fn ordering(order: Option<std::cmp::Ordering>) -> Value {
    Value::tagged(&order.map(|order| format!("{order:?}")).unwrap_or_default(), Vec::new())
}
