//! Functions with the attribute, calls of them, and closures.

use super::scope::Var;
use super::{Size, Writer};
use crate::program::*;

impl Writer {
    /// The function that is differentiated.
    pub fn main(&mut self, size: Size) {
        let count = self.rng.usize(1..4);
        let mut params: Vec<Param> = (0..count).map(|k| self.param(k)).collect();
        if params.iter().all(|p| p.kind == Kind::Mut || !p.ty.is_active()) {
            params.push(self.simple(Kind::At, Ty::Vec(Box::new(Ty::F), Some(3))));
        }
        let writes = params.iter().any(|p| p.kind == Kind::Mut);
        let result = match self.rng.u32(0..20) {
            0..=2 if writes => Ty::Unit,
            0..=12 => Ty::F,
            13..=14 => Ty::Tuple(vec![Ty::F, Ty::F]),
            15..=16 => Ty::Array(Box::new(Ty::F), 2),
            17 => Ty::Tuple(vec![Ty::F, Ty::Vec(Box::new(Ty::F), Some(2))]),
            _ => Ty::Vec(Box::new(Ty::F), Some(3)),
        };
        let function = self.function("f".into(), params, result, size.statements, size.depth);
        self.functions.push(function);
    }

    fn value(&mut self, ty: &Ty) -> Value {
        match ty {
            Ty::F => Value::F(f64::from(self.rng.i32(-24..40)) / 32.0 + 0.013),
            Ty::I => Value::I(self.rng.usize(0..4)),
            Ty::B => Value::B(self.rng.bool()),
            Ty::Unit | Ty::Option(_) | Ty::Row(_) => Value::Tuple(vec![]),
            Ty::Nd1(n) => Value::Nd((0..*n).map(|_| self.value(&Ty::F)).collect(), None),
            Ty::Nd2(n, m) => Value::Nd((0..n * m).map(|_| self.value(&Ty::F)).collect(), Some(*m)),
            Ty::Tuple(parts) => Value::Tuple(parts.iter().map(|p| self.value(p)).collect()),
            Ty::Array(of, n) => Value::Array((0..*n).map(|_| self.value(of)).collect()),
            Ty::Vec(of, n) => Value::Vec((0..n.unwrap_or(0)).map(|_| self.value(of)).collect()),
            Ty::User(of) => {
                let variant = self.one(&of.variants);
                let fields = variant.fields.iter().map(|(name, ty)| (name.clone(), self.value(ty))).collect();
                Value::Made(of.path(&variant), fields)
            }
        }
    }

    pub fn simple(&mut self, kind: Kind, ty: Ty) -> Param {
        let name = self.name("x");
        let value = self.value(&ty);
        Param { name, kind, mutable: false, ty, growable: false, value }
    }

    fn param(&mut self, _: usize) -> Param {
        let floats = |n: usize| Ty::Vec(Box::new(Ty::F), Some(n));
        let n = self.rng.usize(1..5);
        if self.arrays && self.chance(60) {
            let (kind, m) = (self.one(&[Kind::At, Kind::At, Kind::At, Kind::By]), self.rng.usize(2..4));
            let n = self.rng.usize(2..4);
            let ty = if self.chance(60) { Ty::Nd1(n) } else { Ty::Nd2(n, m) };
            let mut param = self.simple(kind, ty);
            param.mutable = kind == Kind::By && self.chance(60);
            return param;
        }
        if !self.types.is_empty() && self.chance(40) {
            return self.made_param();
        }
        let (kind, ty) = match self.rng.u32(0..24) {
            0..=4 => (Kind::By, Ty::F),
            5..=10 => (Kind::At, floats(n)),
            11 => (Kind::By, Ty::Array(Box::new(Ty::F), n)),
            12 => (Kind::At, Ty::Array(Box::new(Ty::F), n)),
            13 => (Kind::By, floats(n)),
            14 => (Kind::By, Ty::Tuple(vec![Ty::F, Ty::F])),
            15 => (Kind::At, Ty::Vec(Box::new(floats(2)), Some(n))),
            16 => (Kind::By, Ty::Array(Box::new(Ty::Array(Box::new(Ty::F), 2)), 2)),
            17..=18 => (Kind::Mut, floats(n)),
            19 => (Kind::Mut, Ty::F),
            20 => (Kind::By, Ty::B),
            21 => (Kind::At, Ty::Vec(Box::new(Ty::Array(Box::new(Ty::F), 2)), Some(n))),
            _ => (Kind::By, Ty::I),
        };
        let mut param = self.simple(kind, ty);
        param.mutable = param.kind == Kind::By && param.ty.is_active() && self.chance(40);
        param.growable = param.kind == Kind::Mut && matches!(param.ty, Ty::Vec(..)) && self.chance(30);
        param
    }

    /// A function with a body.
    fn function(&mut self, name: String, params: Vec<Param>, result: Ty, statements: usize, depth: usize) -> Function {
        self.budget = statements * 2;
        for p in &params {
            let var = Var::new(p.name.clone(), p.ty.clone());
            let var = if p.kind == Kind::By { var } else { var.behind(1) };
            let range = if let Value::I(v) = p.value { (0, v + 1) } else { (0, 0) };
            self.bind(Var {
                mutable: p.kind == Kind::Mut || p.mutable,
                whole: p.kind == Kind::By || p.growable,
                range,
                ..var
            });
        }
        self.result = Some(result.clone());
        let mut body: Vec<Node> = (0..statements).filter_map(|_| self.statement()).collect();
        if let Some(value) = self.answer(&result, depth) {
            body.push(value);
        }
        self.result = None;
        Function { owner: None, name, params, result, body }
    }

    /// The result: of everything that was computed.
    fn answer(&mut self, result: &Ty, depth: usize) -> Option<Node> {
        if *result != Ty::F {
            return self.value_of(result);
        }
        let mut sum = self.typed(depth);
        let all = self.readable(|v| v.ty.is_active() && v.closure.is_none());
        for k in all.into_iter().rev().take(5) {
            let term = match &self.scope[k].ty {
                Ty::F => self.used(k),
                Ty::Vec(of, _) | Ty::Array(of, _) if **of == Ty::F => {
                    node!("sum", Ty::F, "{6}.iter().sum::<@>()", self.bare(k))
                }
                Ty::Vec(of, _) | Ty::Array(of, _) if matches!(**of, Ty::Vec(..) | Ty::Array(..)) => {
                    node!("sum of rows", Ty::F, "{6}.iter().map(|r| r.iter().sum::<@>()).sum::<@>()", self.bare(k))
                }
                Ty::Option(_) if self.scope[k].derefs == 0 => {
                    node!("unwrap_or", Ty::F, "{6}.unwrap_or({})", self.bare(k), 0.5)
                }
                Ty::Nd1(_) | Ty::Nd2(..) => node!("sum of an array", Ty::F, "{6}.sum()", self.bare(k)),
                Ty::Tuple(parts) if parts[0] == Ty::F => node!("field", Ty::F, "{6}.0", self.bare(k)),
                _ => continue,
            };
            sum = match self.chance(50) {
                true => node!("add", Ty::F, "{2} + {3}", sum, term).level(level::SUM),
                false if !term.typed => continue,
                false => {
                    node!("add", Ty::F, "{2} + {6}.sin()", sum, node!("", Ty::F, "(0.9 * {4})", term)).level(level::SUM)
                }
            };
        }
        Some(sum)
    }

    /// A function that is written while another one is.
    pub fn callee(&mut self, params: Vec<Param>, result: Ty) -> String {
        let name = self.name("g");
        let rng = self.rng.fork();
        let mut inner = Writer::new(rng);
        inner.names = self.names;
        inner.functions = std::mem::take(&mut self.functions);
        inner.types = self.types.clone();
        inner.arrays = self.arrays;
        let statements = inner.rng.usize(0..3);
        let function = inner.function(name.clone(), params, result, statements, 2);
        self.names = inner.names;
        self.functions = inner.functions;
        self.functions.push(function);
        name
    }

    pub fn may_call(&mut self) -> bool {
        self.functions.len() < 3 && self.iterations <= 30
    }

    /// An argument, and the parameter that takes it.
    fn argument(&mut self) -> Option<(Node, Param)> {
        // integers of structs are handed on by names with a type
        let own = |v: &super::scope::Var| v.ty != Ty::I || v.parent.is_none() && v.derefs == 0;
        let of = self.readable(|v| v.closure.is_none() && own(v) && v.ty.sequence().is_none_or(|(_, n)| n.is_some()));
        let k = self.any(of)?;
        let ty = self.scope[k].ty.clone();
        Some(match &ty {
            Ty::F => {
                let value = self.typed(1);
                (self.bounded(value), self.simple(Kind::By, Ty::F))
            }
            Ty::I => {
                let mut param = self.simple(Kind::By, Ty::I);
                param.value = Value::I(self.scope[k].range.1.saturating_sub(1));
                (self.used(k), param)
            }
            Ty::B | Ty::Tuple(_) | Ty::Unit => return None,
            Ty::Nd1(_) | Ty::Nd2(..) if self.scope[k].derefs < 2 => (self.lent(k, false), self.simple(Kind::At, ty)),
            Ty::User(_) if self.chance(15) => {
                (node!("clone", ty.clone(), "{6}.clone()", self.bare(k)), self.simple(Kind::By, ty))
            }
            Ty::User(_) if self.scope[k].derefs < 2 => (self.lent(k, false), self.simple(Kind::At, ty)),
            Ty::Array(..) if self.scope[k].derefs == 0 && self.chance(40) => (self.bare(k), self.simple(Kind::By, ty)),
            Ty::Array(..) | Ty::Vec(..) if self.scope[k].derefs < 2 => (self.lent(k, false), self.simple(Kind::At, ty)),
            _ => return None,
        })
    }

    pub fn arguments(&mut self) -> Option<(Vec<Node>, Vec<Param>)> {
        let n = self.rng.usize(1..4);
        let (mut args, mut params): (Vec<Node>, Vec<Param>) =
            self.pure(|w| (0..n).filter_map(|_| w.argument()).unzip());
        if !params.iter().any(|p| p.ty.is_active()) {
            let value = self.pure(|w| w.typed(0));
            args.push(value);
            params.push(self.simple(Kind::By, Ty::F));
        }
        Some((args, params))
    }

    /// `g(a, &x)`
    pub fn call_for_float(&mut self, _: usize) -> Option<Node> {
        if let Some(call) = self.call_again() {
            return Some(call);
        }
        if !self.may_call() {
            return None;
        }
        let (args, params) = self.arguments()?;
        let name = self.callee(params, Ty::F);
        Some(called("call", &name, args, Ty::F))
    }

    /// A function that is there, with numbers.
    fn call_again(&mut self) -> Option<Node> {
        if self.functions.is_empty() || self.chance(60) {
            return None;
        }
        let at = self.rng.usize(0..self.functions.len());
        let f = self.functions[at].clone();
        if f.result != Ty::F || f.owner.is_some() || f.params.iter().any(|p| p.kind == Kind::Mut) {
            return None;
        }
        let args: Option<Vec<Node>> = self.pure(|w| {
            f.params
                .iter()
                .map(|p| match (&p.ty, p.kind, &p.value) {
                    (Ty::I, _, Value::I(v)) => Some(node!("", Ty::I, "{}", w.rng.usize(0..v + 1))),
                    (Ty::F, ..) => {
                        let v = w.typed(1);
                        Some(w.bounded(v))
                    }
                    (ty, Kind::At, _) => {
                        let same = w.readable(|v| v.ty == *ty && v.derefs < 2);
                        let k = w.any(same)?;
                        Some(w.lent(k, false))
                    }
                    _ => None,
                })
                .collect()
        });
        Some(called("second call of a function", &f.name, args?, Ty::F))
    }

    /// `let y = g(&x);`
    pub fn call_for_list(&mut self, _: usize) -> Option<Node> {
        if !self.may_call() {
            return None;
        }
        let (args, params) = self.arguments()?;
        let result = match self.rng.u32(0..3) {
            _ if self.arrays && self.chance(40) => Ty::Nd1(self.rng.usize(2..4)),
            0 => Ty::Vec(Box::new(Ty::F), Some(self.rng.usize(1..4))),
            1 => Ty::Array(Box::new(Ty::F), 2),
            _ => Ty::Tuple(vec![Ty::F, Ty::F]),
        };
        let name = self.callee(params, result.clone());
        let call = called("call for several", &name, args, result.clone());
        // the callee may return early with another length: what it says is only its type
        let y = self.name("y");
        let known = match result {
            Ty::Vec(of, _) => Ty::Vec(of, None),
            ty => ty,
        };
        // where no type says that a value is an array, its methods are those of a user's type
        let written = if matches!(known, Ty::Nd1(_)) { format!(": {}", known.name()) } else { String::new() };
        let bind = self.bind(Var::new(y, known).mutable());
        Some(node!("", Ty::Unit, "let mut {}{} = {};", bind, written, call))
    }

    /// `g(a, &mut y);`
    pub fn call_that_writes(&mut self, _: usize) -> Option<Node> {
        if !self.may_call() {
            return None;
        }
        let of = self.writable(|v| {
            v.ty.is_active()
                && v.closure.is_none()
                && v.derefs < 2
                && v.ty.sequence().is_none_or(|(_, n)| n.is_some())
                && !matches!(v.ty, Ty::Tuple(_) | Ty::Option(_) | Ty::Row(_))
        });
        let k = self.any(of)?;
        let (mut args, mut params) = self.borrowing(&[k], true, |w| w.arguments())?;
        let ty = self.scope[k].ty.clone();
        let part = match (&ty, self.chance(25)) {
            (Ty::Vec(of, Some(n)), true) if *n > 1 => {
                let low = self.rng.usize(0..*n);
                let text = node!("part as an argument", Ty::Unit, "&mut {6}[{}..]", self.bare(k), low);
                args.push(text);
                Ty::Vec(of.clone(), Some(n - low))
            }
            _ => {
                args.push(self.lent(k, true));
                ty
            }
        };
        params.push(self.simple(Kind::Mut, part));
        let result = if self.chance(30) { Ty::F } else { Ty::Unit };
        let name = self.callee(params, result.clone());
        let call = called("call that writes", &name, args, result.clone());
        if result == Ty::F {
            let a = self.name("a");
            let a = self.bind(Var::new(a, Ty::F));
            return Some(node!("", Ty::Unit, "let {} = {};", a, call));
        }
        Some(node!("", Ty::Unit, "{};", call))
    }

    /// `let f = |v: f64| ..;`
    pub fn closure(&mut self, depth: usize) -> Option<Node> {
        let (f, v, u) = (self.name("f"), self.name("v"), self.name("u"));
        let two = self.chance(30);
        let moves = self.chance(15);
        if moves && !(0..self.scope.len()).all(|k| self.is_copied(k)) {
            return None;
        }
        let (v, u, body) = self.pure(|w| {
            let v = w.bind(Var::new(v, Ty::F));
            let u = two.then(|| w.bind(Var::new(u, Ty::F)));
            let body = match w.chance(40) {
                true => {
                    let head = w.let_float(1);
                    let value = w.typed(depth);
                    let value = w.bounded(value);
                    node!("", Ty::F, "{}", head.into_iter().chain([value]).collect::<Vec<Node>>())
                }
                false => {
                    let value = w.typed(depth + 1);
                    w.bounded(value)
                }
            };
            (v, u, body)
        });
        let captured = self.mentioned(&body);
        for k in &captured {
            self.scope[*k].frozen += 1;
        }
        let params = if two { vec![Ty::F, Ty::F] } else { vec![Ty::F] };
        let word = if moves { "move " } else { "" };
        let bind = self.bind(Var { closure: Some((params, Ty::F)), captured, ..Var::new(f, Ty::Unit) });
        Some(match u {
            Some(u) => node!("closure of two", Ty::Unit, "let {} = {}|{}: @, {}: @| {};", bind, word, v, u, body),
            None => node!("closure", Ty::Unit, "let {} = {}|{}: @| {};", bind, word, v, body),
        })
    }

    /// Variables that are mentioned in a node.
    pub fn mentioned(&self, node: &Node) -> Vec<usize> {
        let mut names = Vec::new();
        node.each(&mut |n| {
            for part in &n.parts {
                if let Part::Use(name) = part {
                    names.push(name.clone());
                }
            }
        });
        (0..self.scope.len()).filter(|k| names.contains(&self.scope[*k].name)).collect()
    }

    /// `f(a)` of a closure.
    pub fn closure_call(&mut self, depth: usize) -> Option<Node> {
        let of = self.readable(|v| v.closure.is_some());
        let k = self.any(of)?;
        let (params, result) = self.scope[k].closure.clone()?;
        let args: Vec<Node> = params
            .iter()
            .map(|_| {
                let v = self.typed(depth - 1);
                self.bounded(v)
            })
            .collect();
        let name = self.scope[k].name.clone();
        Some(called_closure(&name, args, result))
    }

    /// A closure that changes what it captures, and calls of it.
    pub fn changing_closure(&mut self, depth: usize) -> Option<Node> {
        let of = self.writable(|v| v.ty == Ty::F && v.closure.is_none());
        let k = self.any(of)?;
        let (f, v) = (self.name("f"), self.name("v"));
        let place = self.used(k);
        let returns = self.chance(40);
        let (v, update) = self.pure(|w| {
            let v = w.bind(Var::new(v, Ty::F));
            let value = w.typed(depth + 1);
            (v, w.bounded(value))
        });
        let mut body = vec![node!("", Ty::Unit, "{} = 0.6 * {6} + 0.4 * {4};", place.clone(), place.clone(), update)];
        if returns {
            body.push(node!("", Ty::F, "{4} * 0.5", place).level(level::PRODUCT));
        }
        let captured = self.mentioned(&node!("", Ty::Unit, "{}", body.clone()));
        let changed = self.captured_whole(k, &captured);
        let calls = self.borrowing(&captured, false, |w| {
            w.borrowing(&[changed], true, |w| {
                let n = w.rng.usize(1..3);
                let mut calls = Vec::new();
                for _ in 0..n {
                    let arg = w.typed(depth);
                    let arg = w.bounded(arg);
                    calls.push(arg);
                }
                calls
            })
        });
        let looped = self.chance(30);
        let bind = Part::Bind(f.clone());
        let head = node!("closure that changes", Ty::Unit, "let mut {} = |{}: @| {};", bind, v, body);
        let mut block = vec![head];
        let result = returns && !looped;
        for arg in calls {
            let call = called_closure(&f, vec![arg], Ty::F);
            block.push(match (result, looped) {
                (true, _) => {
                    let a = self.name("a");
                    let a = self.bind(Var::new(a, Ty::F));
                    node!("", Ty::Unit, "let {} = {};", a, call)
                }
                (_, true) => node!("", Ty::Unit, "for _ in 0..2 {{ {}; }}", call),
                _ => node!("", Ty::Unit, "{};", call),
            });
        }
        let template = vec!["{}"; block.len()].join("\n    ");
        Some(Node::new("", Ty::Unit, &template, block.into_iter().map(Part::from).collect()))
    }
}

pub(crate) fn called(construct: &'static str, name: &str, args: Vec<Node>, ty: Ty) -> Node {
    let list = super::chains::listed("", "", args, "");
    node!(construct, ty, "{}({})", name, list)
}

fn called_closure(name: &str, args: Vec<Node>, ty: Ty) -> Node {
    let list = super::chains::listed("", "", args, "");
    node!("closure call", ty, "{}({})", Part::Use(name.to_string()), list)
}
