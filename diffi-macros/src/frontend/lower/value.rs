//! What a name or an expression stands for while a function is lowered.
//!
//! References do not exist in the IR, but opaque tokens need the types that the user saw:
//! a value therefore remembers how many references lie around its place.

use crate::frontend::containers::deques::Queue;
use crate::frontend::iterators::Chain;
use crate::frontend::lower::context::Lower;
use crate::frontend::lower::scope::Scope;
use crate::ir::{Opaque, Place, Proj, Ty, Var};
use std::rc::Rc;

/// The meaning of an expression.
#[derive(Clone)]
pub enum Value {
    /// An active place.
    Active(Active),
    /// Rust tokens that carry no derivative.
    Passive(Passive),
    /// Member by member.
    Tuple(Vec<Value>),
    /// A tuple behind a reference.
    Ref(Box<Value>),
    /// Inlined where it is called.
    Closure(Rc<Closure>),
    /// A parameter that is a function, behind so many references more than its type has.
    Function { var: Var, depth: usize },
    /// An `Option`, taken apart.
    Maybe(Maybe),
    /// An iterator that has not run yet.
    Chain(Rc<Chain>),
    /// A `VecDeque`, taken apart.
    Queue(Queue),
    /// `()`.
    Unit,
    /// Control does not come back: a jump or a panic.
    Never,
    /// An error has been reported here.
    Poison,
}

/// References around a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refs {
    /// How many.
    pub depth: usize,
    /// Whether the outermost is `&mut`.
    pub exclusive: bool,
}

impl Refs {
    /// `&place`.
    pub const SHARED: Refs = Refs { depth: 1, exclusive: false };
    /// `&mut place`.
    pub const EXCLUSIVE: Refs = Refs { depth: 1, exclusive: true };

    fn around(self) -> Self {
        Refs { depth: self.depth + 1, exclusive: false }
    }

    fn inside(self) -> Self {
        Refs { depth: self.depth.saturating_sub(1), exclusive: self.exclusive && self.depth > 1 }
    }
}

/// An active place, seen through references.
#[derive(Clone)]
pub struct Active {
    /// The place.
    pub place: Place,
    /// The references around it.
    pub refs: Refs,
}

impl Active {
    /// Whether it is a member of a struct or variant: what is dereferenced there is a `Box`.
    fn is_in_data(&self) -> bool {
        matches!(self.place.path.last(), Some(Proj::Field(_) | Proj::Payload(..)))
    }
}

/// Passive tokens, seen through references.
#[derive(Clone)]
pub struct Passive {
    /// The tokens of what is referred to.
    pub opaque: Opaque,
    /// The references around it.
    pub refs: Refs,
    /// Its structure, as far as it is known ([`Ty::Passive`] if not).
    pub ty: Ty,
    /// The variable of which it is a place, if it is a place.
    pub root: Option<Var>,
}

/// A closure that is bound to a name, or written as an argument.
pub struct Closure {
    /// As written.
    pub code: syn::ExprClosure,
    /// The names that it sees.
    pub scope: Scope,
}

/// How the content of an `Option` is made, once it is needed.
pub type Content = Rc<dyn Fn(&mut Lower) -> Value>;

/// An `Option` whose presence is passive.
#[derive(Clone)]
pub struct Maybe {
    /// Whether it is `Some`; `true` and `false` if that is known.
    pub present: Opaque,
    /// What it holds then.
    pub content: Content,
    /// The variables of a mutable option: its flag, and its content.
    pub cells: Option<Rc<(Value, Value)>>,
    /// Of a `Result`: its error, where the content is not there.
    pub failure: Option<Failure>,
    /// It is seen through a reference to it, and whether that is `&mut`: what a pattern binds is the content itself.
    pub lent: Option<bool>,
}

/// The error of a `Result`.
#[derive(Clone)]
pub enum Failure {
    /// Tokens that give it.
    Is(Opaque),
    /// A variable that holds `Some` of it.
    Cell(Var),
}

impl Value {
    /// A place by value.
    pub fn place(place: Place) -> Self {
        Value::Active(Active { place, refs: Refs::default() })
    }

    /// Passive tokens by value, of unknown structure.
    pub fn passive(opaque: Opaque) -> Self {
        Value::Passive(Passive { opaque, refs: Refs::default(), ty: Ty::Passive, root: None })
    }

    /// Passive tokens by value.
    pub fn passive_of(opaque: Opaque, ty: Ty) -> Self {
        Value::Passive(Passive { opaque, refs: Refs::default(), ty, root: None })
    }

    /// The same place, behind these references.
    pub fn behind(self, refs: Refs) -> Self {
        match self {
            Value::Active(a) => Value::Active(Active { refs, ..a }),
            Value::Passive(p) => Value::Passive(Passive { refs, ..p }),
            Value::Ref(inner) if refs.depth == 0 => inner.behind(refs),
            other => other,
        }
    }

    /// `&value`, or `&mut value`.
    pub fn borrowed(self, exclusive: bool) -> Self {
        let refs = |r: Refs| Refs { exclusive, ..r.around() };
        match self {
            Value::Active(a) => Value::Active(Active { refs: refs(a.refs), ..a }),
            Value::Passive(p) => Value::Passive(Passive { refs: refs(p.refs), ..p }),
            tuple @ (Value::Tuple(_) | Value::Ref(_)) => Value::Ref(Box::new(tuple)),
            Value::Maybe(m) if exclusive => Value::Maybe(Maybe { lent: Some(true), ..m }),
            Value::Function { var, depth } => Value::Function { var, depth: depth + 1 },
            other => other,
        }
    }

    /// `*value`.
    pub fn dereferenced(self) -> Self {
        match self {
            Value::Active(mut a) if a.refs.depth == 0 && a.is_in_data() => {
                a.place.path.push(Proj::Deref);
                Value::Active(a)
            }
            Value::Active(a) => Value::Active(Active { refs: a.refs.inside(), ..a }),
            Value::Passive(p) if p.refs.depth == 0 => {
                let tokens = &p.opaque.tokens;
                let opaque = Opaque { tokens: quote::quote!((*#tokens)), ..p.opaque };
                Value::Passive(Passive { opaque, ..p })
            }
            Value::Passive(p) => Value::Passive(Passive { refs: p.refs.inside(), ..p }),
            Value::Ref(inner) => *inner,
            Value::Maybe(m) => Value::Maybe(Maybe { lent: None, ..m }),
            other => other,
        }
    }

    /// Whether it is behind a reference.
    pub fn refs(&self) -> Refs {
        match self {
            Value::Active(a) => a.refs,
            Value::Passive(p) => p.refs,
            Value::Ref(_) => Refs::SHARED,
            _ => Refs::default(),
        }
    }

    /// Whether a derivative may flow from it.
    pub fn is_active(&self) -> bool {
        match self {
            Value::Active(_) | Value::Chain(_) | Value::Maybe(_) | Value::Queue(_) | Value::Function { .. } => true,
            Value::Tuple(all) => all.iter().any(Value::is_active),
            Value::Ref(inner) => inner.is_active(),
            _ => false,
        }
    }
}

impl Maybe {
    /// `Some(value)`.
    pub fn some(value: Value) -> Self {
        Maybe {
            present: Opaque::literal(quote::quote!(true)),
            content: Rc::new(move |_| value.clone()),
            cells: None,
            failure: None,
            lent: None,
        }
    }

    /// An option that is there if the flag says so.
    pub fn new(present: Opaque, content: impl Fn(&mut Lower) -> Value + 'static) -> Self {
        Maybe { present, content: Rc::new(content), cells: None, failure: None, lent: None }
    }

    /// `None`.
    pub fn none() -> Self {
        Maybe {
            present: Opaque::literal(quote::quote!(false)),
            content: Rc::new(|_| Value::Poison),
            cells: None,
            failure: None,
            lent: None,
        }
    }

    /// The same, which fails so.
    pub fn or_fails(self, failure: Option<Failure>) -> Self {
        Maybe { failure, ..self }
    }

    /// Whether its presence is known, and what it is.
    pub fn known(&self) -> Option<bool> {
        match self.present.tokens.to_string().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }
}
