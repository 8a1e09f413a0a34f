//! Operands and expressions.

use super::*;
use crate::ad::sparsity::is_unseen;
use crate::emit::code::call::asked_handle;
use crate::emit::code::text::is_word;
use crate::emit::code::vectors::taken_out;
use crate::emit::code::writer::path;
use crate::emit::code::{copies, special};
use crate::ir::place::key;
use crate::ir::purity::is_blank;

/// A constant of which a trace does not know the value.
const UNSEEN: &str = "<__Number as __d::Real>::unseen()";

impl Generic<'_> {
    pub fn place(&self, place: &Place) -> String {
        self.place_by(place, false)
    }

    /// A place that is written to.
    pub fn place_mut(&self, place: &Place) -> String {
        self.place_by(place, true)
    }

    fn place_by(&self, place: &Place, exclusive: bool) -> String {
        let root = self.name(place.root);
        match self.table.is_ref(place.root) && place.path.is_empty() {
            true => format!("(*{root})"),
            false => path(root, place, exclusive, |o| self.passive_code(o)),
        }
    }

    /// The operand as a value of the type `ty`, made of numbers or not.
    pub fn value(&self, o: &Operand, ty: &Ty, lifted: bool) -> String {
        match o {
            Operand::Place(p) => self.place_value(p, ty, lifted),
            Operand::Passive(o) => self.passive_value(o, (ty, "_"), lifted),
            Operand::Made { op, args } if lifted && !self.is_call(op, args) => format!("({})", self.op(op, args, true)),
            made if lifted => self.whole_value(made, ty),
            made => format!("__d::Real::observe({})", self.whole_value(made, ty)),
        }
    }

    /// The same of numbers, where nothing stands beside it.
    pub fn whole_value(&self, o: &Operand, ty: &Ty) -> String {
        match o {
            Operand::Made { op, args } => self.op(op, args, true),
            other => self.value(other, ty, true),
        }
    }

    /// Whether an operation on numbers is written as a call.
    fn is_call(&self, op: &Op, args: &[Operand]) -> bool {
        match op {
            Op::Mul if is_square(args) => true,
            _ if self.by_reference(op, args).is_some() => true,
            Op::Fn(name) => !["neg", "add", "sub", "mul", "div", "rem"].contains(name),
            _ => self.op_with_constant(op, args).is_some(),
        }
    }

    fn place_value(&self, p: &Place, ty: &Ty, lifted: bool) -> String {
        let (place, own) = (self.place(p), self.lifted(p.root));
        let known = match self.ty(p) {
            Ty::Float if self.is_part_of_unknown(p) => Ty::Unknown,
            known => known,
        };
        match (ty, lifted) {
            (Ty::Float, _) if known != Ty::Passive => number_of(place, lifted, (own, known == Ty::Float)),
            (Ty::Tuple(tys), true) if known != Ty::Passive && !own && tys.contains(&Ty::Passive) => {
                let member = |(k, ty)| {
                    let mut member = p.clone();
                    member.path.push(Proj::Field(syn::Member::from(k)));
                    self.place_value(&member, ty, true) + ", "
                };
                format!("({})", tys.iter().enumerate().map(member).collect::<String>())
            }
            (_, true) if known != Ty::Passive && !own => format!("__d::lifted::<__Number, _>(&{place})"),
            (_, false) if known != Ty::Passive && own => format!("__d::values(&{place})"),
            _ => format!("::core::clone::Clone::clone(&{place})"),
        }
    }

    /// What is not made of the numbers, as something of a type: of what is known of that, and of how it is written.
    fn passive_value(&self, o: &PassiveCode, (ty, written): (&Ty, &str), lifted: bool) -> String {
        let value = self.passive_code(o);
        match (ty, lifted) {
            (Ty::Float, _) if is_unseen(&o.tokens) => UNSEEN.to_owned(),
            _ if is_unseen(&o.tokens) => "__d::Either::unseen()".to_owned(),
            (Ty::Float, true) => format!("<__Number as __d::Real>::from_base({value})"),
            (Ty::Passive, _) | (_, false) => {
                if is_word(&value) {
                    value
                } else {
                    format!("({value})")
                }
            }
            (_, true) if is_blank(&o.tokens) => "__d::Unread::unread()".to_owned(),
            (_, true) => format!("__d::lifted::<__Number, {written}>(&({value}))"),
        }
    }

    fn op(&self, op: &Op, args: &[Operand], lifted: bool) -> String {
        if lifted && let Some(call) = self.op_with_constant(op, args).or_else(|| self.op_by_reference(op, args)) {
            return call;
        }
        let values = self.operands(op, args, lifted);
        match (op, &values[..]) {
            (Op::Neg | Op::Fn("neg"), [a]) => format!("-{a}"),
            (Op::Add | Op::Fn("add"), [a, b]) => format!("{a} + {b}"),
            (Op::Sub | Op::Fn("sub"), [a, b]) => format!("{a} - {b}"),
            (Op::Mul, [a, _]) if lifted && is_square(args) => format!("<__Number as __d::Real>::squared({a})"),
            (Op::Mul | Op::Fn("mul"), [a, b]) => format!("{a} * {b}"),
            (Op::Div | Op::Fn("div"), [a, b]) => format!("{a} / {b}"),
            (Op::Fn("rem"), [a, b]) => format!("{a} % {b}"),
            (Op::Fn(name), all) => self.function(name, all, lifted),
            _ => unreachable!("an operation has as many operands as it takes"),
        }
    }

    fn op_by_reference(&self, op: &Op, args: &[Operand]) -> Option<String> {
        let method = self.by_reference(op, args)?;
        let args: Vec<String> = args.iter().map(|a| format!("&{}", self.value(a, &Ty::Float, true))).collect();
        Some(format!("<__Number as __d::Real>::{method}({})", args.join(", ")))
    }

    /// The operands of an operation; the last one of a function may be passive.
    fn operands(&self, op: &Op, args: &[Operand], lifted: bool) -> Vec<String> {
        let whole = matches!(op, Op::Fn(name) if diffi_rules::rule(name).is_some_and(|r| r.passive.is_some()));
        let value = |(k, a): (usize, &Operand)| match whole && k + 1 == args.len() {
            true => self.value(a, &Ty::Passive, false),
            false => self.value(a, &Ty::Float, lifted),
        };
        args.iter().enumerate().map(value).collect()
    }

    fn function(&self, name: &'static str, values: &[String], lifted: bool) -> String {
        let all = values.join(", ");
        if lifted {
            return format!("<__Number as __d::Real>::{}({all})", special::row(name));
        }
        special::call(name, &self.function.base, values).unwrap_or_else(|| match &self.function.base {
            Base::Concrete(float) => format!("<{float}>::{name}({all})"),
            Base::Generic(float) => format!("<<{float} as __d::Base>::Math as __d::Math<{float}>>::{name}({all})"),
        })
    }

    /// A number and a float: what numbers carry beside their value need not be made for floats.
    fn op_with_constant(&self, op: &Op, args: &[Operand]) -> Option<String> {
        let [a, b] = args else { return None };
        let (method, number, k) = match (op, self.float_of(a), self.float_of(b)) {
            (Op::Add, Some(k), None) => ("shift", b, k),
            (Op::Add, None, Some(k)) => ("shift", a, k),
            (Op::Sub, Some(k), None) => ("reflect", b, k),
            (Op::Sub, None, Some(k)) => ("lower", a, k),
            (Op::Mul, Some(k), None) => ("scale", b, k),
            (Op::Mul, None, Some(k)) => ("scale", a, k),
            _ => return None,
        };
        Some(format!("<__Number as __d::Real>::{method}({}, {k})", self.value(number, &Ty::Float, true)))
    }

    /// The method that takes numbers where they lie, for elements of arrays: beside what is made for it, or others. A variable beside them
    /// would be put into memory for it.
    fn by_reference(&self, op: &Op, args: &[Operand]) -> Option<&'static str> {
        let lies = |p: &Place| !p.path.is_empty() && self.lifted(p.root) && self.ty(p) == Ty::Float;
        let is_element = |o: &Operand| matches!(o, Operand::Place(p) if lies(p));
        let known = |o: &Operand| is_element(o) || matches!(o, Operand::Made { .. });
        let method = match op {
            Op::Mul if is_square(args) => return None,
            Op::Add | Op::Fn("add") => "plus",
            Op::Sub | Op::Fn("sub") => "minus",
            Op::Mul | Op::Fn("mul") => "times",
            _ => return None,
        };
        (args.iter().any(is_element) && args.iter().all(known)).then_some(method)
    }

    /// An operand that is a float, not one of the numbers.
    fn float_of(&self, o: &Operand) -> Option<String> {
        match o {
            Operand::Place(p) => (!self.lifted(p.root) && self.ty(p) == Ty::Float).then(|| self.place(p)),
            Operand::Passive(o) => (!is_unseen(&o.tokens)).then(|| self.passive_code(o)),
            Operand::Made { .. } => None,
        }
    }

    pub fn expr(&self, var: Var, expr: &Expr) -> String {
        let (ty, lifted) = (&self.info(var).ty, self.lifted(var));
        let inner = element_type(ty);
        let list = |all: &[Operand]| all.iter().map(|o| self.value(o, &inner, lifted) + ", ").collect::<String>();
        match expr {
            Expr::Operand(o) => self.value(o, ty, lifted),
            Expr::Op { op, args, .. } => self.op(op, args, lifted),
            Expr::Array(all) => format!("[{}]", list(all)),
            Expr::VecOf(all) => format!("::std::vec![{}]", list(all)),
            Expr::Tuple(all) => self.tuple(all, ty, lifted),
            Expr::Call(call) => self.call(call),
            Expr::Repeat { value, len } => {
                format!("[{}; {}]", self.value(value, &inner, lifted), self.passive_code(len))
            }
            Expr::VecRepeat { value, len } => {
                format!("::std::vec![{}; {}]", self.value(value, &inner, lifted), self.passive_code(len))
            }
            Expr::Scratch { len } => format!("::std::vec![{}; {}]", self.zero(lifted), self.passive_code(len)),
            Expr::VecNew(_) => match self.spelled(var) {
                Some(ty) => format!("<{ty}>::new()"),
                None => "::std::vec::Vec::new()".to_owned(),
            },
            Expr::Content(p) => copies::of_value(&format!("*__d::Carrier::content(&{})", self.place(p))),
            Expr::Pop(p) => format!("{}.pop().expect(\"an element\")", self.place_mut(p)),
            Expr::ToVec(p) => format!("{}.to_vec()", self.place(p)),
            Expr::Passive(o) if !lifted => {
                let plain = self.condition(o);
                taken_out(self.info(var), o, &plain, &|var| self.info(var)).unwrap_or(plain)
            }
            Expr::Passive(o) => {
                let written = self.info(var).written.as_ref().map(|written| self.frame.holes.ty(written));
                self.passive_value(o, (ty, written.as_deref().unwrap_or("_")), lifted)
            }
            _ => unreachable!("the types did not permit it"),
        }
    }

    fn zero(&self, lifted: bool) -> String {
        match (lifted, &self.function.base) {
            (true, _) => "<__Number as __d::Real>::lit(0.0)".to_owned(),
            (false, Base::Concrete(_)) => "0.0".to_owned(),
            (false, Base::Generic(float)) => format!("<{float} as __d::Base>::lit(0.0)"),
        }
    }

    fn tuple(&self, all: &[Operand], ty: &Ty, lifted: bool) -> String {
        let Ty::Tuple(tys) = ty else { unreachable!("the types did not permit it") };
        format!("({})", all.iter().zip(tys).map(|(o, ty)| self.value(o, ty, lifted) + ", ").collect::<String>())
    }

    fn call(&self, call: &Call) -> String {
        let args = |args: &[CallArg], of: &dyn Fn(&CallArg) -> String| {
            args.iter().map(|arg| of(arg) + ", ").collect::<String>()
        };
        match (&call.callee, &call.args[..]) {
            (Callee::Function(handle), all) => {
                let written = (0..all.len()).filter(|k| !call.is_captured(*k)).map(|k| self.argument(&all[k]) + ", ");
                let (path, args) = (self.frame.holes.put(handle.clone()), written.collect::<String>());
                let asked = self.frame.holes.put(asked_handle(handle));
                format!(
                    "{{ __d::annotated::<{asked}>(); <{path}>::__primal(::core::marker::PhantomData::<__Number>, {args}) }}"
                )
            }
            (Callee::With(kind), [with, all @ ..]) => {
                let (with, args) = (self.argument(with), args(all, &|arg| self.argument_with(arg)));
                let over = match kind {
                    With::Function => "with_over::<__Number, _, _, _, _>",
                    With::Operator => "operator_over::<__Number, _, _, _>",
                };
                format!("__d::{over}(&({with}), ({args}))")
            }
            _ => unreachable!("the types did not permit it"),
        }
    }

    /// An argument of a function that another backend differentiates.
    fn argument_with(&self, arg: &CallArg) -> String {
        let numbers = match arg {
            CallArg::Ref(p) | CallArg::Mut(p) | CallArg::Value(Operand::Place(p)) => self.lifted(p.root),
            CallArg::Value(_) | CallArg::Passive(_) | CallArg::Lent(_) => false,
        };
        format!("__d::{}({})", if numbers { "OfNumbers" } else { "OfFloats" }, self.argument(arg))
    }

    fn argument(&self, arg: &CallArg) -> String {
        match arg {
            CallArg::Ref(p) => format!("&{}", self.place(p)),
            CallArg::Mut(p) => format!("&mut {}", self.place_mut(p)),
            CallArg::Value(Operand::Place(p)) if self.ty(p) == Ty::Float => self.place(p),
            CallArg::Value(Operand::Place(p)) => format!("::core::clone::Clone::clone(&{})", self.place(p)),
            CallArg::Value(Operand::Passive(o)) if is_unseen(&o.tokens) => UNSEEN.to_owned(),
            CallArg::Value(Operand::Passive(o)) => format!("({})", self.passive_code(o)),
            CallArg::Passive(o) | CallArg::Lent(o) => self.passive_code(o),
            CallArg::Value(Operand::Made { .. }) => unreachable!("arguments are not folded"),
        }
    }

    pub fn out(&self, out: &Output) -> String {
        match out {
            Output::Float(o) => self.value(o, &Ty::Float, true),
            Output::Place(p) => self.out_place(p),
            Output::Tuple(all) => format!("({})", all.iter().map(|o| self.out(o) + ", ").collect::<String>()),
            Output::Array(all) => format!("[{}]", all.iter().map(|o| self.out(o) + ", ").collect::<String>()),
            Output::Passive(o) => self.passive_code(o),
            Output::Beside(y, aux) => format!("({}, __d::Aux({}))", self.out(y), self.passive_code(aux)),
            Output::Maybe(_) => unreachable!("the types did not permit it"),
            Output::Unit => "()".to_owned(),
        }
    }

    fn out_place(&self, p: &Place) -> String {
        let place = self.place(p);
        let whole = p.path.is_empty() && !self.table.is_ref(p.root);
        let copy = if whole { place.clone() } else { format!("::core::clone::Clone::clone(&{place})") };
        match (self.lifted(p.root), is_plain(&self.ty(p))) {
            (true, true) => copy,
            (true, false) => format!("__d::remade::<_, __Number, _, _>({copy})"),
            (false, _) => format!("__d::lifted::<__Number, _>(&{place})"),
        }
    }
}

/// The value of a place as a number or as a float. The place is a float's, or none whose type is known; `own` are made of numbers.
fn number_of(place: String, lifted: bool, (own, float): (bool, bool)) -> String {
    match (lifted, own, float) {
        (true, true, true) | (false, false, _) => place,
        (true, false, true) => format!("<__Number as __d::Real>::from_base({place})"),
        (true, _, false) => format!("__d::remade::<__Number, __Number, _, _>({place})"),
        (false, true, true) => format!("__d::Real::observe({place})"),
        (false, true, false) => format!("__d::values(&{place})"),
    }
}

/// Whether both factors are what stands in the same place.
fn is_square(factors: &[Operand]) -> bool {
    matches!(factors, [Operand::Place(a), Operand::Place(b)] if key(a) == key(b))
}
