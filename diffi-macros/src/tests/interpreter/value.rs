//! Values: what a program computes with, and what stands for a tangent or a cotangent.

use diffi_random::number::{S, lit};
use std::collections::VecDeque;
use std::rc::Rc;

/// A value of any type.
#[derive(Clone, Debug)]
pub enum Value {
    /// `()`, and the shadow of what carries no derivative.
    Unit,
    /// A float, with the derivatives that a run over seeds gives it.
    Float(S),
    /// An integer of any type.
    Int(i128),
    /// A boolean.
    Bool(bool),
    /// Text.
    Text(Rc<str>),
    /// An array, a slice or a `Vec`.
    Seq(Vec<Value>),
    /// A `VecDeque`.
    Deque(Vec<Value>),
    /// An array of `ndarray`: its shape, and its elements in logical order.
    Nd(Rc<[usize]>, Vec<Value>),
    /// A tuple.
    Tuple(Vec<Value>),
    /// A struct, or a variant of an enum, `Option` among them.
    Data(Rc<str>, Rc<[Rc<str>]>, Vec<Value>),
    /// A range, whose ends may be missing.
    Range(Box<[Option<Value>; 2]>, bool),
    /// A reference.
    Ref(Pointer),
    /// A closure.
    Closure(Rc<Closure>),
    /// A function by its path.
    Function(Rc<str>),
    /// An iterator.
    Iter(Box<Iter>),
}

/// A closure: its text, and the variables around it.
#[derive(Debug)]
pub struct Closure {
    /// As written.
    pub text: syn::ExprClosure,
    /// What can be named.
    pub around: Vec<(Rc<str>, Pointer)>,
    /// The body of derivative code that it stands in.
    pub frame: usize,
}

/// A place: a cell and a path into its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Pointer {
    /// The cell.
    pub cell: usize,
    /// From the outside in; a part of a sequence can only be the last step.
    pub path: Vec<Step>,
}

/// One step into a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// An element, a member or a field.
    At(usize),
    /// Elements from the first to before the second.
    Part(usize, usize),
}

/// An iterator. Of those that are run from the back, all but a few are listed first.
#[derive(Clone, Debug)]
pub enum Iter {
    List(VecDeque<Value>),
    From(i128),
    Repeat(Value),
    Successors(Option<Value>, Value),
    FromFn(Value),
    Map(Box<Iter>, Value),
    Inspect(Box<Iter>, Value),
    Filter(Box<Iter>, Value),
    FilterMap(Box<Iter>, Value),
    MapWhile(Box<Iter>, Value),
    TakeWhile(Box<Iter>, Value, bool),
    SkipWhile(Box<Iter>, Value, bool),
    Scan(Box<Iter>, Pointer, Value),
    Flat(Box<Iter>, Option<Box<Iter>>),
    Enumerate(Box<Iter>, i128),
    Zip(Box<Iter>, Box<Iter>),
    Chain(Box<Iter>, Box<Iter>),
    Skip(Box<Iter>, usize),
    Take(Box<Iter>, usize),
    StepBy(Box<Iter>, usize, bool),
    Read(Box<Iter>),
    Rev(Box<Iter>),
    Cycle(Box<Iter>, Box<Iter>),
    Peekable(Box<Iter>, Option<Option<Value>>),
    Shared(Pointer),
}

impl Value {
    /// A float without derivatives.
    pub fn float(v: f64) -> Value {
        Value::Float(lit(v))
    }

    /// `Some(value)`, or `None`.
    pub fn option(value: Option<Value>) -> Value {
        match value {
            Some(value) => Value::tagged("Some", vec![value]),
            None => Value::tagged("None", Vec::new()),
        }
    }

    /// A variant whose fields have no names.
    pub fn tagged(name: &str, fields: Vec<Value>) -> Value {
        let names = (0..fields.len()).map(|k| k.to_string().into()).collect();
        Value::Data(name.into(), names, fields)
    }

    /// A sequence as a `VecDeque`.
    pub fn queued(self) -> Value {
        match self {
            Value::Seq(all) => Value::Deque(all),
            other => other,
        }
    }

    /// What an `Option` or a `Result` holds; none, if it holds nothing.
    pub fn content(&self) -> Option<&Value> {
        match self {
            Value::Data(name, _, fields) if matches!(&**name, "Some" | "Ok") => fields.first(),
            _ => None,
        }
    }

    /// The parts of an aggregate, in order.
    pub fn parts(&self) -> &[Value] {
        match self {
            Value::Seq(all) | Value::Deque(all) | Value::Nd(_, all) | Value::Tuple(all) | Value::Data(_, _, all) => all,
            _ => &[],
        }
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> &mut [Value] {
        match self {
            Value::Seq(all) | Value::Deque(all) | Value::Nd(_, all) | Value::Tuple(all) | Value::Data(_, _, all) => all,
            _ => &mut [],
        }
    }

    /// The shadow of the same shape, every number being this one; nothing for what carries no derivative.
    pub fn shadow(&self, number: f64) -> Value {
        match self {
            Value::Float(_) => Value::float(number),
            Value::Seq(_) | Value::Deque(_) | Value::Nd(..) | Value::Tuple(_) | Value::Data(..) => {
                let mut shadow = self.clone();
                shadow.parts_mut().iter_mut().for_each(|part| *part = part.shadow(number));
                shadow
            }
            _ => Value::Unit,
        }
    }

    /// Every float of the value, in order.
    pub fn floats(&self) -> Vec<S> {
        let mut all = Vec::new();
        self.each(&mut |v| all.push(*v));
        all
    }

    fn each(&self, f: &mut dyn FnMut(&S)) {
        match self {
            Value::Float(v) => f(v),
            _ => self.parts().iter().for_each(|part| part.each(f)),
        }
    }

    /// The same, to be changed.
    pub fn each_mut(&mut self, f: &mut dyn FnMut(&mut S)) {
        match self {
            Value::Float(v) => f(v),
            _ => self.parts_mut().iter_mut().for_each(|part| part.each_mut(f)),
        }
    }

    /// Adds a shadow to this one; `None` if their shapes differ.
    pub fn add(&mut self, other: &Value) -> Option<()> {
        match (self, other) {
            (Value::Float(a), Value::Float(b)) => *a += *b,
            (Value::Unit, _) | (_, Value::Unit) => {}
            (a, b) => {
                let (a, b) = (a.parts_mut(), b.parts());
                if a.len() != b.len() {
                    return None;
                }
                return a.iter_mut().zip(b).try_for_each(|(a, b)| a.add(b));
            }
        }
        Some(())
    }
}
