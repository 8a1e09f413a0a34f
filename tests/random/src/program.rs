//! A program as a tree that knows its types and its text, and nothing of derivatives.

use std::rc::Rc;

/// A struct or an enum of the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Defined {
    /// Its name.
    pub name: String,
    /// A struct has one, of its own name.
    pub variants: Vec<Variant>,
    /// Whether it is an enum.
    pub is_enum: bool,
}

/// A variant of an enum, or what a struct is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Its fields, called by numbers where they have no names.
    pub fields: Vec<(String, Ty)>,
}

impl Defined {
    /// The fields of a struct.
    pub fn fields(&self) -> Option<&[(String, Ty)]> {
        if self.is_enum { None } else { Some(&self.variants[0].fields) }
    }

    /// How a value of a variant begins.
    pub fn path(&self, variant: &Variant) -> String {
        if self.is_enum { format!("{}::{}", self.name, variant.name) } else { self.name.clone() }
    }
}

impl Variant {
    /// Whether its fields have no names.
    pub fn is_tuple(&self) -> bool {
        self.fields.first().is_some_and(|(name, _)| name == "0")
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// The float.
    F,
    /// `usize`.
    I,
    /// `bool`.
    B,
    /// `()`, also the type of statements.
    Unit,
    /// A tuple.
    Tuple(Vec<Ty>),
    /// An array.
    Array(Box<Ty>, usize),
    /// A `Vec`, or a slice behind a reference, and its length where it is known when the program is written.
    Vec(Box<Ty>, Option<usize>),
    /// A struct or an enum of the program.
    User(Rc<Defined>),
    /// An `Option`.
    Option(Box<Ty>),
    /// A vector of `ndarray`.
    Nd1(usize),
    /// A matrix of `ndarray`.
    Nd2(usize, usize),
    /// A row of a matrix that cannot be changed.
    Row(usize),
}

impl Ty {
    /// The owned type's name; `@` stands for the float.
    pub fn name(&self) -> String {
        match self {
            Ty::F => "@".into(),
            Ty::I => "usize".into(),
            Ty::B => "bool".into(),
            Ty::Unit => "()".into(),
            Ty::Tuple(parts) => format!("({})", parts.iter().map(Ty::name).collect::<Vec<_>>().join(", ")),
            Ty::Array(of, n) => format!("[{}; {n}]", of.name()),
            Ty::Vec(of, _) => format!("Vec<{}>", of.name()),
            Ty::User(of) => of.name.clone(),
            Ty::Nd1(_) | Ty::Row(_) => "Array1<@>".into(),
            Ty::Nd2(..) => "Array2<@>".into(),
            Ty::Option(of) => format!("Option<{}>", of.name()),
        }
    }

    /// Whether it holds floats.
    pub fn is_active(&self) -> bool {
        match self {
            Ty::F | Ty::Nd1(_) | Ty::Nd2(..) | Ty::Row(_) => true,
            Ty::I | Ty::B | Ty::Unit => false,
            Ty::Tuple(parts) => parts.iter().any(Ty::is_active),
            Ty::Array(of, _) | Ty::Vec(of, _) | Ty::Option(of) => of.is_active(),
            Ty::User(of) => of.variants.iter().flat_map(|v| &v.fields).any(|(_, ty)| ty.is_active()),
        }
    }

    /// Whether a use leaves the value where it is: nothing lies on the heap.
    pub fn is_copied(&self) -> bool {
        match self {
            Ty::F | Ty::I | Ty::B | Ty::Unit => true,
            Ty::Tuple(parts) => parts.iter().all(Ty::is_copied),
            Ty::Array(of, _) | Ty::Option(of) => of.is_copied(),
            Ty::Vec(..) | Ty::User(_) | Ty::Nd1(_) | Ty::Nd2(..) | Ty::Row(_) => false,
        }
    }

    /// Whether it is or holds a type of the program.
    pub fn is_made(&self) -> bool {
        match self {
            Ty::F | Ty::I | Ty::B | Ty::Unit | Ty::Nd1(_) | Ty::Nd2(..) | Ty::Row(_) => false,
            Ty::Tuple(parts) => parts.iter().any(Ty::is_made),
            Ty::Array(of, _) | Ty::Vec(of, _) | Ty::Option(of) => of.is_made(),
            Ty::User(_) => true,
        }
    }

    /// The fields of a struct.
    pub fn fields(&self) -> Option<&[(String, Ty)]> {
        if let Ty::User(of) = self { of.fields() } else { None }
    }

    /// What a sequence holds, and how many.
    pub fn sequence(&self) -> Option<(&Ty, Option<usize>)> {
        match self {
            Ty::Array(of, n) => Some((of, Some(*n))),
            Ty::Vec(of, n) => Some((of, *n)),
            _ => None,
        }
    }
}

/// An expression or a statement: text with holes.
#[derive(Clone, Debug)]
pub struct Node {
    /// What the coverage counts; empty for what is not worth counting.
    pub construct: &'static str,
    /// The type of its value.
    pub ty: Ty,
    /// How tightly its text binds, see [`level`].
    pub level: u8,
    /// Whether the compiler knows the float's type from this expression alone: literals leave it open.
    pub typed: bool,
    /// An estimate of the largest value.
    pub size: f64,
    /// The text.
    pub parts: Vec<Part>,
}

/// A piece of text.
#[derive(Clone, Debug)]
pub enum Part {
    /// As it stands; `@` is the float's type.
    Text(String),
    /// A literal.
    Float(f64),
    /// A name that is used.
    Use(String),
    /// A name that is bound here.
    Bind(String),
    /// An attribute of the statement that follows, which the reference does not know.
    Attribute(&'static str),
    /// An integer as a float.
    ToFloat(Box<Node>),
    /// A float as an integer.
    ToIndex(Box<Node>),
    /// `place op= value`: floats compute the value before the place.
    Update(Box<Node>, &'static str, Box<Node>),
    /// A smaller node, at a place that asks for this level.
    Child(Node, u8),
    /// Statements, one a line, within braces.
    Block(Vec<Node>),
}

/// How tightly text binds.
pub mod level {
    /// Closures, assignments, blocks.
    pub const LOOSE: u8 = 0;
    /// `a < b`, `a && b`.
    pub const LOGIC: u8 = 1;
    /// `a + b`.
    pub const SUM: u8 = 2;
    /// `a * b`.
    pub const PRODUCT: u8 = 3;
    /// `-a`, `*a`.
    pub const UNARY: u8 = 5;
    /// Names, calls, indices.
    pub const ATOM: u8 = 6;
}

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// By value.
    By,
    /// By reference.
    At,
    /// By exclusive reference.
    Mut,
}

/// A value of an argument.
#[derive(Clone, Debug)]
pub enum Value {
    /// A float.
    F(f64),
    /// An integer.
    I(usize),
    /// A boolean.
    B(bool),
    /// An array.
    Array(Vec<Value>),
    /// A `Vec`.
    Vec(Vec<Value>),
    /// A tuple.
    Tuple(Vec<Value>),
    /// An array of `ndarray`, and how many columns a matrix has.
    Nd(Vec<Value>, Option<usize>),
    /// A struct, or a variant of an enum, by its path.
    Made(String, Vec<(String, Value)>),
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// How it is passed.
    pub kind: Kind,
    /// `mut name`.
    pub mutable: bool,
    /// The type behind the reference.
    pub ty: Ty,
    /// Whether a `&mut` or `&` of a sequence is written as `Vec` rather than as a slice.
    pub growable: bool,
    /// What the program is run with.
    pub value: Value,
}

/// A function with the attribute.
#[derive(Clone, Debug)]
pub struct Function {
    /// The type that it is a method or an associated function of.
    pub owner: Option<String>,
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The type of its result.
    pub result: Ty,
    /// Its body, the last node being the result.
    pub body: Vec<Node>,
}

impl Function {
    /// Whether it is a method that cannot change its receiver.
    pub fn only_reads_self(&self) -> bool {
        self.params.first().is_some_and(|p| p.name == "self" && p.kind != Kind::Mut)
    }
}

/// A program: functions, of which the last is the one that is differentiated.
#[derive(Clone, Debug)]
pub struct Program {
    /// Parts before wholes.
    pub types: Vec<Rc<Defined>>,
    /// Callees first.
    pub functions: Vec<Function>,
}

impl Program {
    /// The function that is differentiated.
    pub fn main(&self) -> &Function {
        self.functions.last().expect("a program has a function")
    }

    /// Calls `f` on every node.
    pub fn each(&self, f: &mut dyn FnMut(&Node)) {
        self.functions.iter().flat_map(|g| &g.body).for_each(|n| n.each(f));
    }
}

impl Node {
    /// A node from a template: `{}` is a hole, `{6}` a hole for an atom, `{{` a brace; floats become literals.
    pub fn new(construct: &'static str, ty: Ty, template: &str, holes: Vec<Part>) -> Node {
        let template = template.replace("{{", "\u{1}").replace("}}", "\u{2}");
        let mut parts = Vec::new();
        let mut holes = holes.into_iter();
        let mut rest = template.as_str();
        while let Some(at) = rest.find('{') {
            let end = at + rest[at..].find('}').expect("a hole is closed");
            texts(&rest[..at], &mut parts);
            let level = rest[at + 1..end].parse().unwrap_or(0);
            parts.push(match holes.next().expect("a hole is filled") {
                Part::Child(node, _) => Part::Child(node, level),
                part => part,
            });
            rest = &rest[end + 1..];
        }
        assert!(holes.next().is_none(), "too many parts for {template}");
        texts(rest, &mut parts);
        Node { construct, ty, level: level::ATOM, typed: true, size: 2.0, parts }
    }

    /// With another level.
    pub fn level(self, level: u8) -> Node {
        Node { level, ..self }
    }

    /// With an estimate of its size.
    pub fn size(self, size: f64) -> Node {
        Node { size, ..self }
    }

    /// With a type that may be left open.
    pub fn typed(self, typed: bool) -> Node {
        Node { typed, ..self }
    }

    /// The nodes directly below.
    pub fn children(&self) -> Vec<&Node> {
        self.parts
            .iter()
            .flat_map(|part| match part {
                Part::Child(node, _) => vec![node],
                Part::ToFloat(node) | Part::ToIndex(node) => vec![&**node],
                Part::Update(place, _, value) => vec![&**place, &**value],
                Part::Block(nodes) => nodes.iter().collect(),
                _ => Vec::new(),
            })
            .collect()
    }

    /// Calls `f` on this node and all below.
    pub fn each(&self, f: &mut dyn FnMut(&Node)) {
        f(self);
        self.children().into_iter().for_each(|n| n.each(f));
    }
}

/// Text, with its floats as literals.
fn texts(text: &str, parts: &mut Vec<Part>) {
    let text = text.replace('\u{1}', "{").replace('\u{2}', "}");
    let mut rest = text.as_str();
    while let Some((at, end)) = float_in(rest) {
        parts.push(Part::Text(rest[..at].into()));
        parts.push(Part::Float(rest[at..end].parse().expect("digits and a point")));
        rest = &rest[end..];
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest.into()));
    }
}

/// Where the first float stands in a text.
fn float_in(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let digit = |k: usize| bytes.get(k).is_some_and(u8::is_ascii_digit);
    let starts = |k: usize| digit(k) && !(k > 0 && (bytes[k - 1].is_ascii_alphanumeric() || bytes[k - 1] == b'.'));
    (0..bytes.len()).filter(|k| starts(*k)).find_map(|start| {
        let whole = (start..).find(|k| !digit(*k))?;
        let end = (whole + 1..).find(|k| !digit(*k))?;
        (bytes.get(whole) == Some(&b'.') && end > whole + 1).then_some((start, end))
    })
}

impl From<Node> for Part {
    fn from(node: Node) -> Part {
        Part::Child(node, 0)
    }
}

impl From<(Node, &'static str, Node)> for Part {
    fn from((place, op, value): (Node, &'static str, Node)) -> Part {
        Part::Update(Box::new(place), op, Box::new(value))
    }
}

impl From<f64> for Part {
    fn from(v: f64) -> Part {
        Part::Float(v)
    }
}

impl From<usize> for Part {
    fn from(v: usize) -> Part {
        Part::Text(v.to_string())
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Part {
        Part::Text(text.into())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Part {
        Part::Text(text)
    }
}

impl From<Vec<Node>> for Part {
    fn from(nodes: Vec<Node>) -> Part {
        Part::Block(nodes)
    }
}

/// `node!("construct", type, "template", parts..)`
macro_rules! node {
    ($construct:expr, $ty:expr, $template:expr $(, $part:expr)* $(,)?) => {
        $crate::program::Node::new($construct, $ty, $template, vec![$($crate::program::Part::from($part)),*])
    };
}
pub(crate) use node;
