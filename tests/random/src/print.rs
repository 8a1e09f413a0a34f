//! A program as text: as a user writes it, and over the numbers of the reference.

mod needless;

use crate::program::*;

/// Over which numbers the text is.
#[derive(Clone, Copy, PartialEq)]
pub enum Dialect {
    /// `f64`.
    Plain,
    /// The reference's numbers.
    Reference,
}

impl Dialect {
    /// With the float's name.
    fn floats(self, text: &str) -> String {
        text.replace('@', if self == Dialect::Plain { "f64" } else { "S" })
    }
}

/// All types and functions; with the attribute, or without.
pub fn program(program: &Program, dialect: Dialect, attribute: bool) -> String {
    let readers: Vec<&str> = program.functions.iter().filter(|f| f.only_reads_self()).map(|f| &f.name[..]).collect();
    let mut text = String::new();
    for of in &program.types {
        let derived = if attribute { "Clone, Debug, Differentiable" } else { "Clone, Debug" };
        text += &format!("#[derive({derived})]\n{}\n", dialect.floats(&defined(of)));
    }
    for function in &program.functions {
        if attribute {
            text += "#[differentiable]\n";
        }
        let depth = usize::from(function.owner.is_some());
        let printed = Printer { dialect, text: String::new(), depth }.function(function);
        let printed = needless::dropped(printed, &readers);
        text += &match &function.owner {
            Some(owner) => format!("impl {owner} {{\n    {printed}}}\n\n"),
            None => printed + "\n",
        };
    }
    text
}

/// The differentiated function's parameters that it takes by `&mut` and only reads. The compiler takes a method of such a parameter
/// for one that changes it.
pub fn only_read(program: &Program) -> Vec<usize> {
    let readers: Vec<&str> = program.functions.iter().filter(|f| f.only_reads_self()).map(|f| &f.name[..]).collect();
    let text = Printer { dialect: Dialect::Plain, text: String::new(), depth: 0 }.function(program.main());
    let params = program.main().params.iter().enumerate().filter(|(_, p)| p.kind == Kind::Mut && p.ty.is_made());
    params.filter(|(_, p)| needless::only_reads(&text, &p.name, &readers)).map(|(k, _)| k).collect()
}

/// The definition of a struct or an enum.
fn defined(of: &Defined) -> String {
    let fields = |variant: &Variant, word: &str| {
        let named = |(name, ty): &(String, Ty)| format!("{word}{name}: {}", ty.name());
        let bare = |(_, ty): &(String, Ty)| format!("{word}{}", ty.name());
        let list = |texts: Vec<String>| texts.join(", ");
        match variant.is_tuple() {
            true => format!("({})", list(variant.fields.iter().map(bare).collect())),
            false if variant.fields.is_empty() => String::new(),
            false => format!(" {{ {} }}", list(variant.fields.iter().map(named).collect())),
        }
    };
    if !of.is_enum {
        let end = if of.variants[0].is_tuple() { ";" } else { "" };
        return format!("pub struct {}{}{end}\n", of.name, fields(&of.variants[0], "pub "));
    }
    let variants: Vec<String> = of.variants.iter().map(|v| format!("    {}{},\n", v.name, fields(v, ""))).collect();
    format!("pub enum {} {{\n{}}}\n", of.name, variants.concat())
}

/// A value as an expression.
pub fn value(value: &Value) -> String {
    let list = |values: &[Value]| values.iter().map(self::value).collect::<Vec<_>>().join(", ");
    match value {
        Value::F(v) => format!("{v:?}"),
        Value::I(v) => v.to_string(),
        Value::B(v) => v.to_string(),
        Value::Array(values) => format!("[{}]", list(values)),
        Value::Vec(values) => format!("vec![{}]", list(values)),
        Value::Tuple(values) => format!("({})", list(values)),
        Value::Nd(values, None) => format!("ndarray::arr1(&[{}])", list(values)),
        Value::Nd(values, Some(m)) => {
            let rows: Vec<String> = values.chunks(*m).map(|row| format!("[{}]", list(row))).collect();
            format!("ndarray::arr2(&[{}])", rows.join(", "))
        }
        Value::Made(path, fields) => {
            let fields: Vec<String> = fields.iter().map(|(name, v)| format!("{name}: {}", self::value(v))).collect();
            format!("{path} {{ {} }}", fields.join(", "))
        }
    }
}

struct Printer {
    dialect: Dialect,
    text: String,
    depth: usize,
}

impl Printer {
    fn function(mut self, f: &Function) -> String {
        let params: Vec<String> = f.params.iter().map(|p| self.param(p)).collect();
        let result = if f.result == Ty::Unit { String::new() } else { format!(" -> {}", self.ty(&f.result.name())) };
        self.text += &format!("pub fn {}({}){result} ", f.name, params.join(", "));
        self.block(&f.body);
        self.text + "\n"
    }

    fn param(&self, p: &Param) -> String {
        let owned = self.ty(&p.ty.name());
        let behind = match &p.ty {
            Ty::Vec(of, _) if !p.growable => format!("[{}]", self.ty(&of.name())),
            _ => owned.clone(),
        };
        let mutable = if p.mutable { "mut " } else { "" };
        match p.kind {
            Kind::By if p.name == "self" => format!("{mutable}self"),
            Kind::At if p.name == "self" => "&self".into(),
            Kind::Mut if p.name == "self" => "&mut self".into(),
            Kind::By => format!("{mutable}{}: {owned}", p.name),
            Kind::At => format!("{}: &{behind}", p.name),
            Kind::Mut => format!("{}: &mut {behind}", p.name),
        }
    }

    fn ty(&self, text: &str) -> String {
        self.dialect.floats(text)
    }

    fn line(&mut self) {
        self.text += "\n";
        self.text += &"    ".repeat(self.depth);
    }

    fn block(&mut self, nodes: &[Node]) {
        self.text += "{";
        self.depth += 1;
        for node in nodes {
            self.line();
            self.node(node, 0);
        }
        self.depth -= 1;
        self.line();
        self.text += "}";
    }

    fn node(&mut self, node: &Node, level: u8) {
        if let ([Part::Float(v)], Dialect::Plain, 6..) = (&node.parts[..], self.dialect, level) {
            self.text += &format!("{v:?}_f64");
            return;
        }
        let inside = node.level < level;
        if inside {
            self.text += "(";
        }
        for part in &node.parts {
            self.part(part);
        }
        if inside {
            self.text += ")";
        }
    }

    fn part(&mut self, part: &Part) {
        match part {
            Part::Text(text) => self.text += &self.ty(text),
            Part::Attribute(text) if self.dialect == Dialect::Plain => self.text += text,
            Part::Attribute(_) => {}
            Part::Float(v) if self.dialect == Dialect::Plain => self.text += &format!("{v:?}"),
            Part::Float(v) => self.text += &format!("lit({v:?})"),
            Part::Use(name) | Part::Bind(name) => self.text += name,
            Part::ToFloat(node) => {
                self.text += if self.dialect == Dialect::Plain { "(" } else { "lit(" };
                self.node(node, level::UNARY);
                self.text += " as f64)";
            }
            Part::ToIndex(node) => {
                let plain = self.dialect == Dialect::Plain;
                self.text += if plain { "(" } else { "" };
                self.node(node, if plain { level::UNARY } else { level::ATOM });
                self.text += if plain { " as usize)" } else { ".index()" };
            }
            Part::Update(place, op, value) => {
                let plain = self.dialect == Dialect::Plain;
                if plain {
                    self.node(place, level::UNARY);
                    self.text += &format!(" {op} ");
                    self.node(value, 0);
                    self.text += ";";
                } else {
                    self.text += "{ let value = ";
                    self.node(value, 0);
                    self.text += "; ";
                    self.node(place, level::UNARY);
                    self.text += &format!(" {op} value; }}");
                }
            }
            Part::Child(node, level) => self.node(node, *level),
            Part::Block(nodes) => self.block(nodes),
        }
    }
}
