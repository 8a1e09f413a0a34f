//! Values: the meaning of a name or an expression while a function is lowered; scopes of names, and iterator chains.
//!
//! References do not exist in the IR, but passive tokens need the types that the user saw:
//! a value therefore remembers how many references lie around its place.

use crate::frontend::state::changes::Changes;
use crate::frontend::state::context::Lower;
use crate::frontend::state::site::Site;
use crate::ir::affine::{self, arithmetic, gathered};
use crate::ir::*;
use crate::support::hash::HashMap;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::BTreeSet;
use std::rc::Rc;
use syn::ext::IdentExt;

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
    pub passive: PassiveCode,
    /// The references around it.
    pub refs: Refs,
    /// Its structure, as far as it is known ([`Ty::Passive`] if not).
    pub ty: Ty,
    /// The variable of which it is a place, if it is a place.
    pub root: Option<Var>,
}

/// A closure that is bound to a name, or written as an argument.
#[derive(Clone)]
pub struct Closure {
    /// As written.
    pub code: syn::ExprClosure,
    /// The names that it sees.
    pub scope: Scope,
    /// Of a function that is no closure: the expression that the code calls.
    pub callee: Option<syn::Expr>,
}

/// How the content of an `Option` is made, once it is needed.
pub type Content = Rc<dyn Fn(&mut Lower) -> Value>;

/// An `Option` whose presence is passive.
#[derive(Clone)]
pub struct Maybe {
    /// Whether it is `Some`; `true` and `false` if that is known.
    pub present: PassiveCode,
    /// What it holds then.
    pub content: Content,
    /// The variables of a mutable option: its flag, and its content.
    pub cells: Option<Rc<(Value, Value)>>,
    /// Of a `Result`: its error, where the content is not there.
    pub failure: Option<Failure>,
    /// It is seen through a reference to it, and whether that is `&mut`: what a pattern binds is the content itself.
    pub lent: Option<bool>,
    /// The name that the user gave it.
    pub name: Option<Site>,
}

/// The error of a `Result`.
#[derive(Clone)]
pub enum Failure {
    /// Tokens that give it.
    Is(PassiveCode),
    /// The same, of an error that holds an active value.
    Active(PassiveCode),
    /// Tokens of a value that may hold it.
    Of(PassiveCode),
    /// A variable that holds `Some` of it.
    Cell(Var),
    /// There is none: the result is an `Ok` as far as it is seen. The error's type, where it is written.
    Never(Option<TokenStream>),
}

impl Value {
    /// A place by value.
    pub fn place(place: Place) -> Self {
        Value::Active(Active { place, refs: Refs::default() })
    }

    /// Passive tokens by value, of unknown structure.
    pub fn passive(passive: PassiveCode) -> Self {
        Value::Passive(Passive { passive, refs: Refs::default(), ty: Ty::Passive, root: None })
    }

    /// Passive tokens by value.
    pub fn passive_of(passive: PassiveCode, ty: Ty) -> Self {
        Value::Passive(Passive { passive, refs: Refs::default(), ty, root: None })
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
                let tokens = &p.passive.tokens;
                let passive = PassiveCode { tokens: quote::quote!((*#tokens)), ..p.passive };
                Value::Passive(Passive { passive, ..p })
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
            present: PassiveCode::literal(quote::quote!(true)),
            content: Rc::new(move |_| value.clone()),
            cells: None,
            failure: None,
            lent: None,
            name: None,
        }
    }

    /// An option that is there if the flag says so.
    pub fn new(present: PassiveCode, content: impl Fn(&mut Lower) -> Value + 'static) -> Self {
        Maybe { present, content: Rc::new(content), cells: None, failure: None, lent: None, name: None }
    }

    /// `None`.
    pub fn none() -> Self {
        Maybe {
            present: PassiveCode::literal(quote::quote!(false)),
            content: Rc::new(|_| Value::Poison),
            cells: None,
            failure: None,
            lent: None,
            name: None,
        }
    }

    /// The same, which fails so.
    pub fn or_fails(self, failure: Option<Failure>) -> Self {
        Maybe { failure, ..self }
    }

    /// The error, if it may have one.
    pub fn error(&self) -> Option<&Failure> {
        self.failure.as_ref().filter(|failure| !matches!(failure, Failure::Never(_)))
    }

    /// An `Ok` whose error has this type.
    pub fn or_never(self, error: Option<TokenStream>) -> Self {
        self.or_fails(Some(Failure::Never(error)))
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

/// A `VecDeque` of active values.
#[derive(Clone, Copy)]
pub struct Queue {
    /// All elements that it ever had, as long as none left at the back.
    pub items: Var,
    /// How many have left at the front.
    pub head: Var,
}

/// `None` is passive where it stands alone.
pub fn as_maybe(value: &Value) -> Option<Maybe> {
    match value {
        Value::Maybe(m) => Some(m.clone()),
        Value::Passive(p) if p.passive.tokens.to_string() == "None" => Some(Maybe::none()),
        Value::Passive(p) => {
            let o = &p.passive;
            let t = &o.tokens;
            let present = PassiveCode { tokens: quote!(#t.is_some()), ..o.clone() };
            let content = PassiveCode { tokens: quote!(#t.unwrap()), ..o.clone() };
            Some(Maybe::new(present, move |_| Value::passive(content.clone())))
        }
        _ => None,
    }
}

/// The names that are visible at one point. Cloning is cheap: a block clones it on entry.
#[derive(Clone, Default)]
pub struct Scope {
    pub names: Rc<HashMap<String, Value>>,
    /// Methods in the block around the function that take `&mut self`.
    pub exclusive: Rc<BTreeSet<String>>,
    /// What the function does to its variables, as far as its text shows.
    pub changes: Rc<Changes>,
}

impl Scope {
    /// No names yet.
    pub fn in_block(owner: Option<&Owner>) -> Self {
        let functions = owner.iter().flat_map(|o| &o.functions);
        let exclusive = functions.filter(|(_, f)| f.exclusive).map(|(name, _)| name.clone()).collect();
        Scope { names: Rc::default(), exclusive: Rc::new(exclusive), changes: Rc::default() }
    }

    /// Whether `self.method(..)` takes `&mut self`, as far as the block around the function tells.
    pub fn changes_self(&self, method: &Ident) -> bool {
        self.exclusive.contains(&method.unraw().to_string())
    }

    /// What a name stands for; `None` for items, constants and functions.
    pub fn get(&self, name: &Ident) -> Option<&Value> {
        self.names.get(&name.to_string())
    }

    /// Binds a name, hiding what it stood for.
    pub fn bind(&mut self, name: &Ident, value: Value) {
        Rc::make_mut(&mut self.names).insert(name.to_string(), value);
    }

    /// Forgets a name: it stands for an item again.
    pub fn forget(&mut self, name: &Ident) {
        Rc::make_mut(&mut self.names).remove(&name.to_string());
    }
}

/// An iterator that has not run yet.
#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "a function holds a few of them")]
pub enum Chain {
    /// By index.
    Indexed(Indexed),
    /// Only from front to back.
    Stream(Stream),
}

/// What belongs to an index.
pub type Get = Rc<dyn Fn(&mut Lower, PassiveCode) -> Value>;

/// A range of integers, and what belongs to each of them.
#[derive(Clone)]
pub struct Indexed {
    /// The first integer.
    pub lo: PassiveCode,
    /// The end; `None` if there is none.
    pub hi: Option<PassiveCode>,
    /// Whether the end is one of them.
    pub inclusive: bool,
    /// Only every so many.
    pub step: Option<PassiveCode>,
    /// From the end to the start.
    pub down: bool,
    /// The element.
    pub get: Get,
    /// Whether the element is the integer itself.
    pub integers: bool,
    /// Where it is, if it is run in parts.
    pub cursor: Option<Cursor>,
    /// What is left over by parts of one length.
    pub rest: Option<Rest>,
    /// What it is where it is a value.
    pub form: Form,
}

/// What a chain is where it is a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// An iterator, or references that were collected.
    #[default]
    Iterator,
    /// A slice: an index leads to a place in it, and its iterators give references to these.
    Slice,
    /// An array of references.
    Array,
}

/// The variables that say where an iterator is that is run in parts.
#[derive(Clone, Copy)]
pub struct Cursor {
    /// The next element.
    pub at: Var,
    /// The end, if elements are taken there, too.
    pub end: Option<Var>,
}

/// Makes what is left over.
pub type Rest = Rc<dyn Fn(&mut Lower) -> Value>;

/// What is done with an element; the last argument counts the variables before it was made.
pub type Each<'f> = dyn FnMut(&mut Lower, Value, usize) + 'f;

/// The same; the last argument is the source, if that has to be left.
pub type Until<'f> = dyn FnMut(&mut Lower, Value, usize, Option<usize>) + 'f;

/// Runs through a stream; the loops that it makes are left when the frame is.
pub type Drive = Rc<dyn Fn(&mut Lower, Option<usize>, &mut Each)>;

/// A chain that can only be run through.
#[derive(Clone)]
pub struct Stream {
    /// Runs through it.
    pub drive: Drive,
    /// Runs through it from the end to the start, if that is known.
    pub back: Option<Drive>,
    /// How far it goes.
    pub extent: Extent,
}

/// How far a chain goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// It has no end.
    pub endless: bool,
    /// What a consumer leaves over is run through later.
    pub lent: bool,
}

impl Extent {
    /// To an end that nobody looks beyond.
    pub fn is_whole(self) -> bool {
        !self.endless && !self.lent
    }

    /// The same, of a chain that may end earlier.
    pub fn cut(self) -> Self {
        Extent { endless: false, ..self }
    }

    /// The same of two chains, one after the other.
    pub fn and(self, other: Extent) -> Self {
        Extent { endless: self.endless || other.endless, lent: self.lent || other.lent }
    }
}

impl Chain {
    /// A stream.
    pub fn stream(drive: impl Fn(&mut Lower, Option<usize>, &mut Each) + 'static) -> Self {
        Chain::Stream(Stream { drive: Rc::new(drive), back: None, extent: Extent::default() })
    }

    /// The same chain, which goes so far.
    pub fn with_extent(self, extent: Extent) -> Self {
        match self {
            Chain::Stream(s) => Chain::Stream(Stream { extent, ..s }),
            indexed => indexed,
        }
    }

    /// The same chain, which can be run through from its end, too.
    pub fn with_back(self, back: Option<Drive>) -> Self {
        match self {
            Chain::Stream(s) => Chain::Stream(Stream { back, ..s }),
            indexed => indexed,
        }
    }

    /// How far it goes.
    pub fn extent(&self) -> Extent {
        match self {
            Chain::Indexed(ix) => Extent { endless: ix.hi.is_none(), lent: false },
            Chain::Stream(s) => s.extent,
        }
    }

    /// Whether it has no end.
    pub fn is_endless(&self) -> bool {
        self.extent().endless
    }

    /// The same chain, as an iterator.
    pub fn into_iterator(self) -> Self {
        match self {
            Chain::Indexed(ix) => Chain::Indexed(Indexed { form: Form::Iterator, ..ix }),
            stream => stream,
        }
    }

    /// What it is where it is a value.
    pub fn form(&self) -> Form {
        match self {
            Chain::Indexed(ix) => ix.form,
            Chain::Stream(_) => Form::Iterator,
        }
    }

    /// The elements of `0..len`.
    pub fn counted(len: PassiveCode, get: impl Fn(&mut Lower, PassiveCode) -> Value + 'static) -> Self {
        Chain::Indexed(Indexed::counted(Some(len), Rc::new(get)))
    }

    /// The same chain with its elements replaced.
    pub fn mapped(self, f: impl Fn(&mut Lower, Value) -> Value + 'static) -> Self {
        match self {
            Chain::Indexed(ix) => {
                let get = ix.get;
                let get = Rc::new(move |l: &mut Lower, k: PassiveCode| {
                    let value = get(l, k);
                    f(l, value)
                });
                Chain::Indexed(Indexed { get, integers: false, ..ix })
            }
            Chain::Stream(s) => {
                let f = Rc::new(f);
                let mapped = |drive: Drive| -> Drive {
                    let f = f.clone();
                    Rc::new(move |l, frame, each| {
                        drive(l, frame, &mut |l, value, mark| {
                            let value = f(l, value);
                            each(l, value, mark);
                        });
                    })
                };
                Chain::Stream(Stream { drive: mapped(s.drive), back: s.back.map(mapped), extent: s.extent })
            }
        }
    }
}

impl Indexed {
    /// The elements of `0..len`, or of `0..`.
    pub fn counted(len: Option<PassiveCode>, get: Get) -> Self {
        Indexed {
            lo: affine::literal(0),
            hi: len,
            inclusive: false,
            step: None,
            down: false,
            get,
            integers: false,
            cursor: None,
            rest: None,
            form: Form::Iterator,
        }
    }

    /// Every integer of the range in its order.
    pub fn is_plain(&self) -> bool {
        !self.inclusive && self.step.is_none() && !self.down
    }

    pub fn is_counted(&self) -> bool {
        affine::literal_index(&self.lo) == Some(0) && self.is_plain()
    }
}

/// `end - lo`, or zero: the integers' type may be known only from their use elsewhere.
pub fn difference(end: &PassiveCode, lo: &PassiveCode) -> PassiveCode {
    let (e, l) = (&end.tokens, &lo.tokens);
    gathered(quote!(::core::cmp::max(#e, #l) - #l), [end, lo].into_iter(), end.span)
}

/// How many integers there are from `lo` to `hi`.
pub fn length(lo: &PassiveCode, hi: &PassiveCode, inclusive: bool, step: Option<&PassiveCode>) -> PassiveCode {
    let end = if inclusive { arithmetic::add(hi, &affine::literal(1)) } else { hi.clone() };
    let all = match (affine::literal_index(lo), affine::literal_index(&end)) {
        (Some(0), _) => end,
        (Some(a), Some(b)) => affine::literal(b.saturating_sub(a)),
        _ => difference(&end, lo),
    };
    match step {
        Some(s) => arithmetic::method(&all, "div_ceil", s),
        None => all,
    }
}

/// `a.min(b)`.
pub fn smaller(a: &PassiveCode, b: &PassiveCode) -> PassiveCode {
    match (affine::literal_index(a), affine::literal_index(b)) {
        (Some(x), Some(y)) => affine::literal(x.min(y)),
        _ if a.tokens.to_string() == b.tokens.to_string() => a.clone(),
        (Some(_), None) => arithmetic::method(b, "min", a),
        _ => arithmetic::method(a, "min", b),
    }
}

/// Tokens over several passive expressions.
pub fn over(tokens: proc_macro2::TokenStream, parts: &[&PassiveCode]) -> PassiveCode {
    gathered(tokens, parts.iter().copied(), parts[0].span)
}
