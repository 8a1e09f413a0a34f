//! Structs: their definitions, values, patterns and methods. Their fields are variables like others.

use super::Writer;
use super::functions::called;
use super::scope::Var;
use crate::program::*;
use std::rc::Rc;

type Construct = super::Construct<Node>;

const STATEMENTS: &[(u32, Construct)] = &[
    (8, |w, _| w.let_struct()),
    (3, |w, _| w.let_structs()),
    (3, |w, _| w.let_apart()),
    (3, |w, _| w.change_structs()),
    (3, |w, _| w.method_that_changes()),
    (3, |w, _| w.changing_method_within()),
    (3, |w, _| w.call_for_struct()),
    (2, |w, _| w.swap_structs()),
    (5, Writer::match_variants),
    (3, Writer::if_let_variant),
    (3, Writer::chosen_variant),
];

impl Writer {
    /// The types of a program.
    pub fn define_types(&mut self) {
        if !self.chance(60) {
            return;
        }
        for _ in 0..self.rng.usize(1..3) {
            let name = self.type_name();
            let fields = self.fields(self.types.len());
            let variants = vec![Variant { name: name.clone(), fields }];
            self.types.push(Rc::new(Defined { name, variants, is_enum: false }));
        }
        if self.chance(60) {
            self.define_enum();
        }
    }

    /// A name for a type, now and then one that a type of std has.
    fn type_name(&mut self) -> String {
        const OF_STD: &[&str] = &["Range", "Duration", "Instant", "Wrapping", "Reverse", "Rc"];
        let free: Vec<&str> = OF_STD.iter().filter(|n| self.types.iter().all(|t| t.name != **n)).copied().collect();
        if self.chance(12) { self.one(&free).to_owned() } else { self.name("P") }
    }

    /// Fields, of which one is a float.
    fn fields(&mut self, known: usize) -> Vec<(String, Ty)> {
        let count = self.rng.usize(0..4);
        let tuple = self.chance(15);
        let mut types: Vec<Ty> = (0..count).map(|_| self.field_type(known)).collect();
        types.insert(self.rng.usize(0..count + 1), Ty::F);
        types.into_iter().enumerate().map(|(k, ty)| (if tuple { k.to_string() } else { self.name("m") }, ty)).collect()
    }

    pub fn field_type(&mut self, known: usize) -> Ty {
        let n = self.rng.usize(1..4);
        match self.rng.u32(0..12) {
            0..=4 => Ty::F,
            5..=7 => Ty::Vec(Box::new(Ty::F), Some(n)),
            8 => Ty::Array(Box::new(Ty::F), n),
            9 if known > 0 => Ty::User(self.types[self.rng.usize(0..known)].clone()),
            _ => Ty::I,
        }
    }

    /// One of the program's types.
    pub fn made_type(&mut self, fits: impl Fn(&Defined) -> bool) -> Option<Ty> {
        let all: Vec<_> = self.types.iter().filter(|t| fits(t)).cloned().collect();
        if all.is_empty() { None } else { Some(Ty::User(self.one(&all))) }
    }

    /// A parameter of one of the program's types.
    pub fn made_param(&mut self) -> Param {
        let ty = Ty::User(self.one(&self.types.clone()));
        let n = self.rng.usize(1..4);
        let (kind, ty) = match self.rng.u32(0..8) {
            0..=3 => (Kind::At, ty),
            4 => (Kind::By, ty),
            5..=6 => (Kind::Mut, ty),
            _ => (Kind::At, Ty::Vec(Box::new(ty), Some(n))),
        };
        let mut param = self.simple(kind, ty);
        param.mutable = kind == Kind::By && self.chance(40);
        param
    }

    /// A statement about structs.
    pub fn of_a_struct(&mut self, depth: usize) -> Option<Node> {
        if self.types.is_empty() {
            return None;
        }
        self.choose(STATEMENTS, depth)
    }

    /// A value of a struct or an enum.
    pub fn made(&mut self, ty: &Ty) -> Option<Node> {
        let same = self.readable(|v| v.ty == *ty);
        if let Some(k) = self.any(same).filter(|_| self.chance(35)) {
            return Some(node!("clone of a struct", ty.clone(), "{6}.clone()", self.bare(k)));
        }
        self.written(ty)
    }

    /// A value with all its fields.
    pub fn written(&mut self, ty: &Ty) -> Option<Node> {
        let Ty::User(of) = ty else { return None };
        let variant = self.one(&of.variants);
        let path = of.path(&variant);
        let construct = if of.is_enum { "enum value" } else { "struct value" };
        let values: Option<Vec<Node>> = variant.fields.iter().map(|(_, ty)| self.value_of(ty)).collect();
        let mut values = values?;
        if variant.is_tuple() {
            let holes = vec!["{}"; values.len()].join(", ");
            let parts = values.into_iter().map(Part::from).collect();
            return Some(Node::new(construct, ty.clone(), &format!("{path}({holes})"), parts));
        }
        let mut names: Vec<String> = variant.fields.iter().map(|(name, _)| format!("{name}: {{}}")).collect();
        let same = self.readable(|v| v.ty == *ty);
        if let Some(k) = self.any(same).filter(|_| !of.is_enum && names.len() > 1 && self.chance(25)) {
            let kept = self.rng.usize(1..names.len());
            names.truncate(kept);
            values.truncate(kept);
            let all = format!("{path} {{{{ {}, ..{{6}}.clone() }}}}", names.join(", "));
            let parts = values.into_iter().chain([self.bare(k)]).map(Part::from).collect();
            return Some(Node::new("struct update", ty.clone(), &all, parts));
        }
        if names.is_empty() {
            return Some(node!(construct, ty.clone(), "{}", path));
        }
        let all = format!("{path} {{{{ {} }}}}", names.join(", "));
        Some(Node::new(construct, ty.clone(), &all, values.into_iter().map(Part::from).collect()))
    }

    fn let_made(&mut self, construct: &'static str, value: Node) -> Node {
        let name = self.name("p");
        let var = Var { mutable: self.chance(70), ..Var::new(name, value.ty.clone()) };
        let word = if var.mutable { "mut " } else { "" };
        let bind = self.bind(var);
        node!(construct, Ty::Unit, "let {}{} = {};", word, bind, value)
    }

    fn let_struct(&mut self) -> Option<Node> {
        let ty = self.made_type(|_| true)?;
        let value = self.made(&ty)?;
        Some(self.let_made("let struct", value))
    }

    /// `let mut ps = vec![P { .. }, p.clone()];`
    fn let_structs(&mut self) -> Option<Node> {
        let ty = self.made_type(|t| !t.is_enum)?;
        let n = self.rng.usize(1..4);
        let all = Ty::Vec(Box::new(ty.clone()), Some(n));
        if self.chance(50) {
            let i = self.name("i");
            let (i, value) = self.repeated(n, |w| {
                w.pure(|w| {
                    let i = w.bind(Var::new(i, Ty::I).within(0, n));
                    (i, w.written(&ty))
                })
            });
            let text = "(0..{}).map(|{}| {}).collect::<Vec<_>>()";
            let value = node!("collected structs", all, text, n, i, value?);
            return Some(self.let_made("let structs", value));
        }
        let values: Option<Vec<Node>> = (0..n).map(|_| self.made(&ty)).collect();
        let value = Node { ty: all, ..super::chains::listed("vec of structs", "vec![", values?, "]") };
        Some(self.let_made("let structs", value))
    }

    /// `P { x, w }`, of a reference.
    pub fn taken_apart(&mut self, ty: &Ty) -> Node {
        let Ty::User(of) = ty else { return self.bound(Var::new("", ty.clone()).behind(1)) };
        let fields: Vec<Node> = of.variants[0]
            .fields
            .iter()
            .map(|(name, ty)| {
                let inner = self.bound(Var::new("", ty.clone()).behind(1).within(0, 4));
                node!("", Ty::Unit, "{}: {}", name.as_str(), inner)
            })
            .collect();
        super::chains::listed("pattern of a struct", &format!("{} {{{{ ", of.name), fields, " }}")
    }

    /// `let P { x, w } = &p;`
    fn let_apart(&mut self) -> Option<Node> {
        let all = self.readable(|v| v.ty.fields().is_some() && v.derefs < 2);
        let k = self.any(all)?;
        let (ty, value) = (self.scope[k].ty.clone(), self.lent(k, false));
        let block = self.borrowing(&[k], false, |w| {
            w.inside(|w| {
                let pattern = w.taken_apart(&ty);
                let mut block = vec![node!("let struct pattern", Ty::Unit, "let {} = {};", pattern, value)];
                block.extend(w.body(3));
                block
            })
        });
        Some(node!("", Ty::Unit, "{}", block))
    }

    /// `for p in ps.iter_mut() { .. }`
    fn change_structs(&mut self) -> Option<Node> {
        let all = self.writable(|v| matches!(v.ty.sequence(), Some((Ty::User(_), Some(_)))));
        let k = self.any(all)?;
        let (of, n) = self.scope[k].ty.sequence().map(|(of, n)| (of.clone(), n.unwrap_or(1)))?;
        let (p, ps) = (self.name("p"), self.bare(k));
        let (bind, body) =
            self.borrowing(&[k], true, |w| w.repeated(n, |w| (w.bind(Var::new(p, of).behind(1).mutable()), w.body(3))));
        Some(node!("iter_mut of structs", Ty::Unit, "for {} in {6}.iter_mut() {}", bind, ps, body))
    }

    fn swap_structs(&mut self) -> Option<Node> {
        let all = self.writable(|v| matches!(v.ty.sequence(), Some((Ty::User(_), Some(1..)))));
        let k = self.any(all)?;
        let (of, n) = self.scope[k].ty.sequence().map(|(of, n)| (of.clone(), n.unwrap_or(1)))?;
        let ps = self.bare(k);
        let (i, j, value) = self.borrowing(&[k], true, |w| (w.index(n), w.index(n), w.made(&of)));
        Some(match self.chance(50) {
            true => node!("swap of structs", Ty::Unit, "{6}.swap({}, {});", ps, i, j),
            false => node!("assigned struct", Ty::Unit, "{6}[{}] = {};", ps, i, value?),
        })
    }

    /// A method of a type: its name, and what it is called with.
    fn method(&mut self, k: usize, kind: Kind, result: Ty) -> Option<(String, Vec<Node>)> {
        let ty = self.scope[k].ty.clone();
        let (args, mut params) = self.borrowing(&[k], kind == Kind::Mut, |w| w.arguments())?;
        let mut own = self.simple(kind, ty.clone());
        own.name = "self".into();
        params.insert(0, own);
        let name = self.callee(params, result);
        self.functions.last_mut()?.owner = Some(ty.name());
        Some((name, args))
    }

    /// `p.g(a)`
    pub fn method_call(&mut self, _: usize) -> Option<Node> {
        let all = self.readable(|v| matches!(v.ty, Ty::User(_)));
        let k = self.any(all)?;
        if !self.may_call() {
            return None;
        }
        let p = self.bare(k);
        let (name, args) = self.method(k, Kind::At, Ty::F)?;
        let list = super::chains::listed("", "", args, "");
        Some(node!("method call", Ty::F, "{6}.{}({})", p, name, list))
    }

    /// `p.g(a);` where `g` takes `&mut self`.
    fn method_that_changes(&mut self) -> Option<Node> {
        let all = self.writable(|v| matches!(v.ty, Ty::User(_)));
        let k = self.any(all)?;
        if !self.may_call() {
            return None;
        }
        let result = if self.chance(40) { Ty::F } else { Ty::Unit };
        let (name, mut args) = self.method(k, Kind::Mut, result.clone())?;
        if result == Ty::F {
            // only the path says that a method whose value is used changes what it is called on
            args.insert(0, self.lent(k, true));
            let path = format!("{}::{name}", self.scope[k].ty.name());
            let call = called("method that changes, by its path", &path, args, Ty::F);
            let a = self.name("a");
            let a = self.bind(Var::new(a, Ty::F));
            return Some(node!("", Ty::Unit, "let {} = {};", a, call));
        }
        let (p, list) = (self.bare(k), super::chains::listed("", "", args, ""));
        let call = node!("method that changes", result, "{6}.{}({})", p, name, list);
        Some(node!("", Ty::Unit, "{};", call))
    }

    /// `p.g(a); let b = p.m * p.g(a) + p.m;` where `g` takes `&mut self`, as the statement says: what stands before the call reads what
    /// was there, what stands behind it what it left.
    fn changing_method_within(&mut self) -> Option<Node> {
        let all = self.writable(|v| matches!(v.ty, Ty::User(_)));
        let k = self.any(all)?;
        if !self.may_call() {
            return None;
        }
        let (name, args) = self.method(k, Kind::Mut, Ty::F)?;
        let list = super::chains::listed("", "", args, "");
        let (p, before, after) = (self.bare(k), self.typed(1), self.typed(1));
        let alone = node!("", Ty::Unit, "{6}.{}({});", p.clone(), name.clone(), list.clone());
        let construct = "method that changes, in an expression";
        let value = node!(construct, Ty::F, "{3} * {6}.{}({}) + {3}", before, p, name, list, after).level(level::SUM);
        let value = self.bounded(value);
        let b = self.name("b");
        let b = self.bind(Var::new(b, Ty::F));
        Some(node!("", Ty::Unit, "{}\n    let {} = {};", alone, b, value))
    }

    /// `let p = g(a);`, `let p = P::g(a);`
    fn call_for_struct(&mut self) -> Option<Node> {
        let ty = self.made_type(|_| true)?;
        if !self.may_call() {
            return None;
        }
        let (args, params) = self.arguments()?;
        let name = self.callee(params, ty.clone());
        if !self.chance(40) {
            let call = called("call for a struct", &name, args, ty);
            return Some(self.let_made("", call));
        }
        self.functions.last_mut()?.owner = Some(ty.name());
        let call = called("associated function", &format!("{}::{name}", ty.name()), args, ty);
        Some(self.let_made("", call))
    }
}
