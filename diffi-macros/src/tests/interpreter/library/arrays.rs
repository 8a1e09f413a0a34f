//! Arrays of `ndarray`: the operations of the runtime on them and on numbers, each by its definition.
//!
//! Their derivatives are those of the numbers inside: no rule of the runtime is used.

use crate::tests::interpreter::rust::operators::operate;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::Value;

/// An operation that gives a value: of one operand, or of two.
pub fn operated(name: &str, held: &[Value], x: &Value, y: Option<&Value>) -> Run<Value> {
    match (name, held, y) {
        ("Add" | "AddAssign", [], Some(y)) => elementwise('+', x, y),
        ("Sub" | "SubAssign", [], Some(y)) => elementwise('-', x, y),
        ("Mul" | "MulAssign", [], Some(y)) => elementwise('*', x, y),
        ("Div" | "DivAssign", [], Some(y)) => elementwise('/', x, y),
        ("Neg", [], None) => elementwise('*', &Value::float(-1.0), x),
        ("Dot", [], Some(y)) => dot(x, y),
        ("DotOf", [left, right], Some(y)) => dot(&seen(left, x)?, &seen(right, y)?),
        ("Sum", [], None) => sum(&items(x)?),
        ("Filled", [dims], None) => {
            let shape = lengths(dims)?;
            Ok(Value::Nd(shape.as_slice().into(), vec![x.clone(); shape.iter().product()]))
        }
        ("Shaped" | "Reshape", [dims], None) => shaped(lengths(dims)?, items(x)?),
        (_, _, None) => view(name, held, x),
        _ => Err(unknown(name)),
    }
}

/// What an operation leaves of its first operand, which it changes.
pub fn edited(name: &str, held: &[Value], x: &Value, y: &Value) -> Run<Value> {
    match (name, held) {
        ("Assign", []) => {
            let (mut new, from) = (x.clone(), items(y)?);
            new.parts_mut().iter_mut().enumerate().for_each(|(k, v)| *v = from[k % from.len()].clone());
            Ok(new)
        }
        ("AddAssign", []) => elementwise('+', x, y),
        ("SubAssign", []) => elementwise('-', x, y),
        ("AddScaled", [by]) => elementwise('+', x, &elementwise('*', by, y)?),
        ("Set", [part]) => written(part, x, y),
        _ => Err(unknown(name)),
    }
}

/// The shape of an array; that of a number has no axes.
pub fn shape_of(value: &Value) -> Run<Vec<usize>> {
    match value {
        Value::Nd(shape, _) => Ok(shape.to_vec()),
        Value::Seq(all) => Ok(vec![all.len()]),
        Value::Float(_) | Value::Int(_) => Ok(Vec::new()),
        _ => Err(Stop::unknown("the shape of this value")),
    }
}

/// The position of an element in logical order.
pub fn position(shape: &[usize], at: &[Value]) -> Run<usize> {
    if shape.len() != at.len() {
        return Err(Stop::panic("as many indices as axes"));
    }
    shape.iter().zip(at).try_fold(0, |before, (len, at)| match at {
        Value::Int(k) if (0..*len as i128).contains(k) => Ok(before * len + *k as usize),
        Value::Int(k) => Err(Stop::panic(format!("index {k} of {len} elements"))),
        _ => Err(Stop::unknown("an index")),
    })
}

/// Element by element; a smaller operand is repeated along the first axes.
pub fn elementwise(sign: char, x: &Value, y: &Value) -> Run<Value> {
    if let (Value::Float(_) | Value::Int(_), Value::Float(_) | Value::Int(_)) = (x, y) {
        return operate(sign, x, y);
    }
    let (of_x, of_y) = (shape_of(x)?, shape_of(y)?);
    let shape = if of_x.len() >= of_y.len() { &of_x } else { &of_y };
    if !shape.ends_with(&of_x) || !shape.ends_with(&of_y) {
        return Err(Stop::panic("shapes that do not fit"));
    }
    let (a, b) = (items(x)?, items(y)?);
    let count: usize = shape.iter().product();
    let all: Run<Vec<Value>> = (0..count).map(|k| operate(sign, &a[k % a.len()], &b[k % b.len()])).collect();
    Ok(Value::Nd(shape.as_slice().into(), all?))
}

fn dot(x: &Value, y: &Value) -> Run<Value> {
    let (a, b) = (items(x)?, items(y)?);
    let inner = |row: usize, column: usize, (n, width): (usize, usize)| -> Run<Value> {
        let terms: Run<Vec<Value>> = (0..n).map(|k| operate('*', &a[row * n + k], &b[k * width + column])).collect();
        sum(&terms?)
    };
    match (&shape_of(x)?[..], &shape_of(y)?[..]) {
        ([n], [m]) if n == m => inner(0, 0, (*n, 1)),
        ([rows, n], [m]) if n == m => {
            shaped(vec![*rows], (0..*rows).map(|i| inner(i, 0, (*n, 1))).collect::<Run<_>>()?)
        }
        ([n], [m, width]) if n == m => {
            shaped(vec![*width], (0..*width).map(|j| inner(0, j, (*n, *width))).collect::<Run<_>>()?)
        }
        ([rows, n], [m, width]) if n == m => {
            let all: Run<Vec<Value>> = (0..rows * width).map(|k| inner(k / width, k % width, (*n, *width))).collect();
            shaped(vec![*rows, *width], all?)
        }
        _ => Err(Stop::panic("shapes that do not fit")),
    }
}

fn sum(all: &[Value]) -> Run<Value> {
    all.iter().try_fold(Value::float(0.0), |sum, v| operate('+', &sum, v))
}

/// An operation that only moves elements.
fn view(name: &str, held: &[Value], x: &Value) -> Run<Value> {
    let (shape, all) = (shape_of(x)?, items(x)?);
    match (name, held, &shape[..]) {
        ("Owned" | "Shown" | "Plain", [], _) => Ok(x.clone()),
        ("Flat", [], _) => Ok(Value::Seq(all)),
        ("Flatten", [], _) => shaped(vec![all.len()], all),
        ("Transpose", [], [_]) => Ok(x.clone()),
        ("Transpose", [], [n, m]) => shaped(vec![*m, *n], (0..n * m).map(|k| all[k % n * m + k / n].clone()).collect()),
        ("Row", [Value::Int(i)], [n, m]) => along(&all, (*n, *i), |i| (0..*m).map(|j| i * m + j).collect()),
        ("Column", [Value::Int(j)], [n, m]) => along(&all, (*m, *j), |j| (0..*n).map(|i| i * m + j).collect()),
        ("At", [axis, i], [_, _]) => {
            view(if axis_of(axis)? == 0 { "Row" } else { "Column" }, std::slice::from_ref(i), x)
        }
        ("At", [_, Value::Int(i)], [n]) if (0..*n as i128).contains(i) => Ok(all[*i as usize].clone()),
        ("Slice", [Value::Range(ends, inclusive)], [n]) => {
            let end = |end: &Option<Value>, otherwise: usize| match end {
                None => Ok(otherwise),
                Some(Value::Int(k)) if *k >= 0 => Ok(*k as usize),
                Some(_) => Err(Stop::unknown("the end of a slice")),
            };
            let (lo, hi) = (end(&ends[0], 0)?, end(&ends[1], *n)? + usize::from(*inclusive));
            if lo > hi || hi > *n {
                return Err(Stop::panic("a slice beyond the end"));
            }
            shaped(vec![hi - lo], all[lo..hi].to_vec())
        }
        _ => Err(unknown(name)),
    }
}

/// The elements at these positions, if the index is one of so many.
fn along(all: &[Value], (len, at): (usize, i128), positions: impl Fn(usize) -> Vec<usize>) -> Run<Value> {
    if !(0..len as i128).contains(&at) {
        return Err(Stop::panic("a part beyond the end"));
    }
    let part: Vec<Value> = positions(at as usize).into_iter().map(|k| all[k].clone()).collect();
    shaped(vec![part.len()], part)
}

/// The array with another part, which the operation `part` reads.
fn written(part: &Value, x: &Value, y: &Value) -> Run<Value> {
    let numbers = (0..x.parts().len()).map(|k| Value::Int(k as i128)).collect();
    let places = seen(part, &shaped(shape_of(x)?, numbers)?)?;
    let (mut new, from) = (x.clone(), items(y)?);
    for (place, value) in items(&places)?.iter().zip(&from) {
        let Value::Int(k) = place else { return Err(Stop::unknown("the places of a part")) };
        new.parts_mut()[*k as usize] = value.clone();
    }
    Ok(new)
}

/// What an operation, given as a value, sees of an array.
fn seen(op: &Value, x: &Value) -> Run<Value> {
    let (name, held) = named(op)?;
    operated(&name, &held, x, None)
}

/// The name of an operation, and what it holds.
pub fn named(op: &Value) -> Run<(String, Vec<Value>)> {
    match op {
        Value::Data(name, _, held) => Ok((name.to_string(), held.clone())),
        Value::Function(path) => Ok((path.rsplit("::").next().unwrap_or_default().to_owned(), Vec::new())),
        _ => Err(Stop::unknown("an operation")),
    }
}

fn shaped(shape: Vec<usize>, all: Vec<Value>) -> Run<Value> {
    if shape.iter().product::<usize>() != all.len() {
        return Err(Stop::panic("a shape for another number of elements"));
    }
    Ok(Value::Nd(shape.into(), all))
}

/// The elements in logical order; a number is its own.
fn items(x: &Value) -> Run<Vec<Value>> {
    match x {
        Value::Nd(_, all) | Value::Seq(all) => Ok(all.clone()),
        Value::Float(_) | Value::Int(_) => Ok(vec![x.clone()]),
        _ => Err(Stop::unknown("the elements of this value")),
    }
}

/// Lengths of axes.
pub fn lengths(dims: &Value) -> Run<Vec<usize>> {
    match dims {
        Value::Int(n) if *n >= 0 => Ok(vec![*n as usize]),
        Value::Seq(all) | Value::Tuple(all) => Ok(all.iter().map(lengths).collect::<Run<Vec<_>>>()?.concat()),
        _ => Err(Stop::unknown("the lengths of axes")),
    }
}

/// The number of an axis.
pub fn axis_of(axis: &Value) -> Run<usize> {
    match axis {
        Value::Data(_, _, held) => match held[..] {
            [Value::Int(k)] if k >= 0 => Ok(k as usize),
            _ => Err(Stop::unknown("an axis")),
        },
        _ => Err(Stop::unknown("an axis")),
    }
}

fn unknown(name: &str) -> Stop {
    Stop::unknown(format!("the operation `{name}` of these values"))
}
