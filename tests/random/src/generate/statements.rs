//! Statements: bindings, branches, early exits.

use super::Writer;
use super::chains::listed;
use super::scope::Var;
use crate::program::*;

type Construct = super::Construct<Node>;

const STATEMENTS: &[(u32, Construct)] = &[
    (16, |w, d| w.let_float(d)),
    (5, Writer::let_array),
    (7, Writer::let_vec),
    (4, Writer::let_tuple),
    (3, Writer::let_parts),
    (2, Writer::let_nested),
    (2, Writer::let_integer),
    (1, Writer::let_flag),
    (2, Writer::let_branches),
    (2, Writer::constant),
    (12, Writer::assign),
    (12, Writer::assign_operator),
    (6, Writer::branch),
    (4, Writer::if_or_leave),
    (3, Writer::match_statement),
    (3, Writer::if_let),
    (4, Writer::exit),
    (3, Writer::inner_block),
    (9, Writer::for_range),
    (9, Writer::for_chain_loop),
    (6, Writer::for_mutable),
    (3, Writer::for_each),
    (4, Writer::while_loop),
    (2, Writer::endless_loop),
    (2, Writer::loop_value),
    (5, Writer::swap),
    (3, Writer::fill_or_copy),
    (3, Writer::split_in_two),
    (2, Writer::double_buffer),
    (3, Writer::pushes),
    (2, Writer::push_once),
    (3, Writer::whole_assignment),
    (4, Writer::out_and_in),
    (2, Writer::resize),
    (3, Writer::sort),
    (3, Writer::queue),
    (2, Writer::sub_slice),
    (2, Writer::exclusive_reference),
    (4, Writer::closure),
    (3, Writer::changing_closure),
    (4, Writer::call_that_writes),
    (3, Writer::call_for_list),
    (9, Writer::of_a_struct),
    (6, Writer::of_a_table),
    (6, Writer::of_an_option),
    (12, Writer::of_an_array),
    (7, Writer::with_an_effect),
];

impl Writer {
    /// A statement, if there is room for one.
    pub fn statement(&mut self) -> Option<Node> {
        if self.budget == 0 || self.nesting > 6 || self.iterations > 120 {
            return None;
        }
        self.budget -= 1;
        let depth = self.rng.usize(0..3);
        self.choose(STATEMENTS, depth)
    }

    /// Several.
    pub fn statements(&mut self, most: usize) -> Vec<Node> {
        (0..self.rng.usize(1..most + 1)).filter_map(|_| self.statement()).collect()
    }

    /// The body of a loop or branch: something is changed in it.
    pub fn body(&mut self, most: usize) -> Vec<Node> {
        let mut body = self.statements(most);
        let change = if self.chance(50) { self.assign(1) } else { self.assign_operator(1) };
        body.extend(change);
        body
    }

    /// `let a = ..;`
    pub fn let_float(&mut self, depth: usize) -> Option<Node> {
        let value = self.small(depth);
        let name = self.fresh("a");
        let mutable = self.chance(55);
        let typed = value.typed || self.chance(70);
        let var = Var { mutable, typed, ..Var::new(name, Ty::F) };
        let annotated = typed && (!value.typed || self.chance(10));
        let bind = self.bind(var);
        Some(match (mutable, annotated) {
            (false, false) => node!("let", Ty::Unit, "let {} = {};", bind, value),
            (true, false) => node!("let mut", Ty::Unit, "let mut {} = {};", bind, value),
            (false, true) => node!("let with a type", Ty::Unit, "let {}: @ = {};", bind, value),
            (true, true) => node!("let mut with a type", Ty::Unit, "let mut {}: @ = {};", bind, value),
        })
    }

    fn bound_as(&mut self, construct: &'static str, hint: &str, value: Node) -> Node {
        let name = self.fresh(hint);
        let mutable = self.chance(75);
        let ty = value.ty.clone();
        let annotation = if value.typed { String::new() } else { format!(": {}", ty.name()) };
        let bind = self.bind(Var { mutable, ..Var::new(name, ty) });
        let template = format!("let {}{{}}{annotation} = {{}};", if mutable { "mut " } else { "" });
        Node::new(construct, Ty::Unit, &template, vec![bind, value.into()])
    }

    fn let_array(&mut self, depth: usize) -> Option<Node> {
        let value = self.array(depth);
        Some(self.bound_as("let array", "r", value))
    }

    /// An array of floats.
    pub fn array(&mut self, depth: usize) -> Node {
        let n = self.rng.usize(2..4);
        let ty = Ty::Array(Box::new(Ty::F), n);
        if self.chance(30) {
            let v = self.small(depth);
            let typed = v.typed;
            return node!("array of one value", ty, "[{}; {}]", v, n).typed(typed);
        }
        let values: Vec<Node> = (0..n).map(|_| self.small(depth)).collect();
        let typed = values.iter().any(|v| v.typed);
        Node { ty, ..listed("array literal", "[", values, "]") }.typed(typed)
    }

    fn let_vec(&mut self, depth: usize) -> Option<Node> {
        let value = self.list(depth);
        Some(self.bound_as("let vec", "y", value))
    }

    /// A `Vec` of floats.
    pub fn list(&mut self, depth: usize) -> Node {
        let lists = self.readable(|v| matches!(v.ty.sequence(), Some((Ty::F, Some(_)))));
        let n = self.rng.usize(1..5);
        let ty = Ty::Vec(Box::new(Ty::F), Some(n));
        match self.rng.u32(0..10) {
            0..=2 => {
                if let Some(k) = self.any(lists) {
                    let n = self.scope[k].ty.sequence().and_then(|(_, n)| n);
                    return node!("to_vec", Ty::Vec(Box::new(Ty::F), n), "{6}.to_vec()", self.bare(k));
                }
            }
            3..=6 => {
                if let Some((node, _)) = self.collected(depth) {
                    return node;
                }
            }
            7 => {
                let values: Vec<Node> = (0..n).map(|_| self.small(depth)).collect();
                let typed = values.iter().any(|v| v.typed);
                return Node { ty, ..listed("vec of values", "vec![", values, "]") }.typed(typed);
            }
            _ => {}
        }
        let v = self.small(depth);
        let typed = v.typed;
        node!("vec of one value", ty, "vec![{}; {}]", v, n).typed(typed)
    }

    fn let_tuple(&mut self, depth: usize) -> Option<Node> {
        let (a, b) = (self.small(depth), self.small(depth));
        let (a, b) = (self.sure(a), self.sure(b));
        let value = if self.chance(30) {
            let inner = self.array(0);
            let inner = if inner.typed { inner } else { return None };
            let ty = Ty::Tuple(vec![Ty::F, inner.ty.clone()]);
            node!("tuple with an array", ty, "({}, {})", a, inner)
        } else {
            node!("tuple", Ty::Tuple(vec![Ty::F, Ty::F]), "({}, {})", a, b)
        };
        Some(self.bound_as("let tuple", "t", value))
    }

    fn sure(&mut self, node: Node) -> Node {
        if node.typed { node } else { self.typed(0) }
    }

    /// `let (a, b) = ..;`
    fn let_parts(&mut self, depth: usize) -> Option<Node> {
        let (one, two) = (self.typed(depth), self.typed(depth));
        let (one, two) = (self.bounded(one), self.bounded(two));
        let (a, b) = (self.name("a"), self.name("a"));
        if self.chance(25) {
            let (s, k) = (self.bind(Var::new(a, Ty::F)), self.bind(Var::new(b, Ty::F)));
            return Some(node!("sin_cos", Ty::Unit, "let ({}, {}) = {6}.sin_cos();", s, k, one));
        }
        let (a, b) = (self.bind(Var::new(a, Ty::F).mutable()), self.bind(Var::new(b, Ty::F)));
        Some(match self.chance(60) {
            true => node!("let tuple pattern", Ty::Unit, "let (mut {}, {}) = ({}, {});", a, b, one, two),
            false => node!("let array pattern", Ty::Unit, "let [mut {}, {}] = [{}, {}];", a, b, one, two),
        })
    }

    fn let_nested(&mut self, depth: usize) -> Option<Node> {
        let (n, m) = (self.rng.usize(2..4), self.rng.usize(2..4));
        let value = match self.rng.u32(0..4) {
            0 => {
                let v = self.typed(depth);
                let v = self.bounded(v);
                let ty = Ty::Array(Box::new(Ty::Array(Box::new(Ty::F), m)), n);
                node!("array of arrays", ty, "[[{}; {}]; {}]", v, m, n)
            }
            1 => {
                let v = self.typed(depth);
                let v = self.bounded(v);
                let ty = Ty::Vec(Box::new(Ty::Vec(Box::new(Ty::F), Some(m))), Some(n));
                node!("vec of vecs", ty, "vec![vec![{}; {}]; {}]", v, m, n)
            }
            2 => {
                let rows: Vec<Node> = (0..n).map(|_| self.list(0)).filter(|r| r.typed).collect();
                let lengths: Vec<_> = rows.iter().filter_map(|r| r.ty.sequence()?.1).collect();
                let least = *lengths.iter().min()?;
                if lengths.len() < n || least == 0 {
                    return None;
                }
                let ty = Ty::Vec(Box::new(Ty::Vec(Box::new(Ty::F), Some(least))), Some(n));
                Node { ty, ..listed("vec of rows", "vec![", rows, "]") }
            }
            _ => {
                let of = self.readable(|v| matches!(v.ty.sequence(), Some((Ty::F, Some(1..)))));
                let k = self.any(of)?;
                let (i, v) = (self.name("i"), self.name("v"));
                let len = self.scope[k].ty.sequence()?.1;
                let x = self.bare(k);
                let (i, v, body) = self.pure(|w| {
                    let i = w.bind(Var::new(i, Ty::I).within(0, n));
                    let v = w.bind(Var::new(v, Ty::F).behind(1));
                    let body = w.typed(1);
                    (i, v, w.bounded(body))
                });
                let ty = Ty::Vec(Box::new(Ty::Vec(Box::new(Ty::F), len)), Some(n));
                node!(
                    "collected rows",
                    ty,
                    "(0..{}).map(|{}| {6}.iter().map(|{}| {}).collect::<Vec<_>>()).collect::<Vec<_>>()",
                    n,
                    i,
                    x,
                    v,
                    body
                )
            }
        };
        Some(self.bound_as("let nested", "m", value))
    }

    fn let_integer(&mut self, _: usize) -> Option<Node> {
        let n = self.rng.usize(1..5);
        let value = self.index(n);
        let name = self.name("k");
        let bind = self.bind(Var::new(name, Ty::I).within(0, n));
        Some(node!("let integer", Ty::Unit, "let {}: usize = {};", bind, value))
    }

    fn let_flag(&mut self, depth: usize) -> Option<Node> {
        let value = self.condition(depth);
        let name = self.name("b");
        let bind = self.bind(Var::new(name, Ty::B));
        Some(node!("let condition", Ty::Unit, "let {} = {};", bind, value))
    }

    /// `let a = if c { ..; a } else { ..; b };`
    fn let_branches(&mut self, depth: usize) -> Option<Node> {
        let c = self.condition(depth);
        let branch = |w: &mut Writer| {
            w.inside(|w| {
                let mut body = w.statements(2);
                let value = w.typed(depth);
                body.push(w.bounded(value));
                body
            })
        };
        let (a, b) = (branch(self), branch(self));
        let name = self.fresh("a");
        let bind = self.bind(Var::new(name, Ty::F).mutable());
        Some(node!("let of branches", Ty::Unit, "let mut {} = if {} {} else {};", bind, c, a, b))
    }

    fn constant(&mut self, _: usize) -> Option<Node> {
        let name = self.name("K");
        let v = self.rng.u32(2..9);
        let bind = self.bind(Var::new(name, Ty::I).within(0, 9));
        Some(node!("constant", Ty::Unit, "const {}: usize = {};", bind, v as usize))
    }

    /// A float that can be assigned to.
    pub fn place(&mut self) -> Option<Node> {
        let of = self.writable(|v| v.ty.is_active() && v.closure.is_none());
        let k = self.old(of)?;
        let ty = self.scope[k].ty.clone();
        if ty == Ty::F {
            return Some(self.used(k));
        }
        // an index into a `Vec` to be changed is computed while the `Vec` is borrowed
        let node = self.bare(k);
        let borrowed: Vec<usize> = if ty.is_copied() { vec![] } else { vec![k] };
        self.borrowing(&borrowed, true, |w| w.place_in(node, ty))
    }

    fn place_in(&mut self, node: Node, ty: Ty) -> Option<Node> {
        match ty {
            Ty::F => Some(node),
            Ty::Tuple(parts) => {
                let at = self.rng.usize(0..parts.len());
                let ty = parts[at].clone();
                let part = node!("assigned field", ty.clone(), "{6}.{}", node, at);
                if ty.is_active() { self.place_in(part, ty) } else { None }
            }
            Ty::Array(of, n) | Ty::Vec(of, Some(n)) if n > 0 => {
                let at = self.index(n);
                self.place_in(node!("assigned element", (*of).clone(), "{6}[{}]", node, at), *of)
            }
            Ty::Nd1(n) => {
                let at = self.index(n);
                Some(node!("assigned element of an array", Ty::F, "{6}[{}]", node, at))
            }
            Ty::Nd2(n, m) => {
                let (i, j) = (self.index(n), self.index(m));
                Some(node!("assigned element of a matrix", Ty::F, "{6}[[{}, {}]]", node, i, j))
            }
            Ty::User(of) => {
                let (name, ty) = self.one(of.fields()?);
                if !ty.is_active() {
                    return None;
                }
                self.place_in(node!("assigned field of an element", ty.clone(), "{6}.{}", node, name), ty)
            }
            _ => None,
        }
    }

    /// `a = ..;`
    pub fn assign(&mut self, depth: usize) -> Option<Node> {
        let place = self.place()?;
        let value = self.small(depth + 1);
        let value = if self.iterations > 1 && value.size > 2.5 {
            node!("sin", Ty::F, "{6}.sin()", self.sure(value))
        } else {
            value
        };
        Some(node!("assign", Ty::Unit, "{} = {};", place, value))
    }

    /// `a += ..;`
    pub fn assign_operator(&mut self, depth: usize) -> Option<Node> {
        let place = self.place()?;
        let value = self.small(depth);
        let often = self.iterations > 1;
        let update = |construct, op, value: Node| node!(construct, Ty::Unit, "{}", (place.clone(), op, value));
        Some(match self.rng.u32(0..8) {
            0..=2 if often => update("add assign", "+=", node!("", Ty::F, "0.3 * {4}", value)),
            0..=2 => update("add assign", "+=", value),
            3..=4 if often => update("sub assign", "-=", node!("", Ty::F, "0.2 * {4}", value)),
            3..=4 => update("sub assign", "-=", value),
            5..=6 => {
                let value = self.sure(value);
                let value = if often || self.chance(50) { node!("cos", Ty::F, "{6}.cos()", value) } else { value };
                update("mul assign", "*=", value)
            }
            _ => {
                let value = self.sure(value);
                update("div assign", "/=", node!("", Ty::F, "1.2 + {6}.sin().abs()", value))
            }
        })
    }

    fn branch(&mut self, depth: usize) -> Option<Node> {
        let c = self.condition(depth.min(1));
        let a = self.inside(|w| w.body(2));
        if self.chance(50) {
            let b = self.inside(|w| w.body(2));
            if self.chance(25) {
                let c2 = self.condition(0);
                let b2 = self.inside(|w| w.body(2));
                return Some(node!("else if", Ty::Unit, "if {} {} else if {} {} else {}", c, a, c2, b, b2));
            }
            return Some(node!("if else", Ty::Unit, "if {} {} else {}", c, a, b));
        }
        Some(node!("if", Ty::Unit, "if {} {}", c, a))
    }

    /// `if c { .. } else { return x; }`, whose first block may leave, too.
    fn if_or_leave(&mut self, _: usize) -> Option<Node> {
        let c = self.condition(1);
        let leaves = self.leaving()?;
        let a = self.inside(|w| w.body(3));
        Some(node!("if or leave", Ty::Unit, "if {} {} else {{ {} }}", c, a, leaves))
    }

    /// A jump out of the innermost loop, or out of the function.
    fn leaving(&mut self) -> Option<Node> {
        let innermost = self.exits.last().cloned().filter(|exit| exit.value != Ty::F);
        match innermost.filter(|_| self.chance(70)) {
            Some(exit) if exit.only_break || self.chance(50) => Some(node!("break", Ty::Unit, "break;")),
            Some(_) => Some(node!("continue", Ty::Unit, "continue;")),
            None => match self.result.clone()? {
                Ty::Unit => Some(node!("return", Ty::Unit, "return;")),
                result => {
                    let value = self.value_of(&result)?;
                    Some(node!("return", Ty::Unit, "return {};", value))
                }
            },
        }
    }

    fn match_statement(&mut self, _: usize) -> Option<Node> {
        let arm = |w: &mut Writer| w.inside(|w| w.body(2));
        let of = self.readable(|v| v.ty == Ty::I && v.derefs == 0);
        if let Some(k) = self.any(of).filter(|_| self.chance(60)) {
            let (on, a, b, last) = (self.used(k), arm(self), arm(self), arm(self));
            return Some(match self.chance(50) {
                true => node!("match integer", Ty::Unit, "match {} {{ 0 => {} 1 | 2 => {} _ => {} }}", on, a, b, last),
                false => node!(
                    "match with guard",
                    Ty::Unit,
                    "match {} {{ 0..=1 => {} n if n % 2 == 0 => {} _ => {} }}",
                    on,
                    a,
                    b,
                    last
                ),
            });
        }
        let on = self.typed(1);
        let (name, last) = (self.name("v"), self.name("v"));
        let t = self.literal();
        let (first, a) = self.inside(|w| (w.bind(Var::new(name.clone(), Ty::F)), w.body(2)));
        let (other, b) = self.inside(|w| (w.bind(Var::new(last.clone(), Ty::F)), w.body(2)));
        let name = Part::Use(name);
        Some(node!(
            "match float with guard",
            Ty::Unit,
            "match {} {{ {} if {} > {} => {} {} => {} }}",
            on,
            first,
            name,
            t,
            a,
            other,
            b
        ))
    }

    fn if_let(&mut self, _: usize) -> Option<Node> {
        let of = self.readable(|v| matches!(v.ty.sequence(), Some((Ty::F, _))));
        let k = self.any(of)?;
        let name = self.name("v");
        let x = self.bare(k);
        let (construct, template) = match self.rng.u32(0..3) {
            0 => ("if let get", "if let Some({}) = {6}.get(1) {}"),
            1 => ("if let first", "if let Some(&{}) = {6}.first() {}"),
            _ => ("if let last", "if let Some({}) = {6}.last() {}"),
        };
        let behind = if construct == "if let first" { 0 } else { 1 };
        let (bind, body) =
            self.borrowing(&[k], false, |w| w.inside(|w| (w.bind(Var::new(name, Ty::F).behind(behind)), w.body(2))));
        Some(node!(construct, Ty::Unit, template, bind, x, body))
    }

    /// `if c { break; }` and its kind.
    pub fn exit(&mut self, _: usize) -> Option<Node> {
        let c = self.condition(1);
        let at = if self.exits.is_empty() { None } else { Some(self.rng.usize(0..self.exits.len())) };
        if self.chance(25) || at.is_none() {
            let result = self.result.clone()?;
            if self.nesting == 0 && self.chance(50) {
                return None;
            }
            if result == Ty::Unit {
                return Some(node!("return", Ty::Unit, "if {} {{ return; }}", c));
            }
            let value = self.value_of(&result)?;
            return Some(node!("return", Ty::Unit, "if {} {{ return {}; }}", c, value));
        }
        let at = at?;
        let innermost = at + 1 == self.exits.len();
        let exit = self.exits[at].clone();
        let label = match (&exit.label, innermost) {
            (Some(label), _) if !innermost || self.chance(40) => format!(" {label}"),
            (_, true) => String::new(),
            _ => return None,
        };
        if exit.value == Ty::F {
            let value = self.typed(1);
            return Some(node!("break with a value", Ty::Unit, "if {} {{ break{} {2}; }}", c, label, value));
        }
        let (construct, word) = match (self.chance(50) || exit.only_break, label.is_empty()) {
            (true, true) => ("break", "break"),
            (true, false) => ("labelled break", "break"),
            (false, true) => ("continue", "continue"),
            (false, false) => ("labelled continue", "continue"),
        };
        Some(node!(construct, Ty::Unit, "if {} {{ {}{}; }}", c, word, label))
    }

    fn inner_block(&mut self, _: usize) -> Option<Node> {
        let block = self.inside(|w| w.body(3));
        Some(node!("inner block", Ty::Unit, "{}", block))
    }

    /// A value of this type, from what there is.
    pub fn value_of(&mut self, ty: &Ty) -> Option<Node> {
        Some(match ty {
            Ty::F => {
                let v = self.typed(1);
                self.bounded(v)
            }
            Ty::I => self.index(3),
            Ty::B => self.condition(0),
            Ty::Unit => return None,
            Ty::Option(_) => return self.option_value(1),
            Ty::Nd1(n) => return self.array1(Some(*n), 1),
            Ty::Nd2(..) | Ty::Row(_) => return None,
            Ty::Tuple(parts) => {
                let values: Option<Vec<Node>> = parts.iter().map(|p| self.value_of(p)).collect();
                Node { ty: ty.clone(), ..listed("tuple", "(", values?, ")") }
            }
            Ty::User(_) => return self.made(ty),
            Ty::Array(..) | Ty::Vec(..) => {
                let same = self.readable(|v| v.ty == *ty && v.derefs == 0);
                if let Some(k) = self.any(same).filter(|_| self.chance(60)) {
                    let k = self.bare(k);
                    return Some(if matches!(ty, Ty::Vec(..)) {
                        node!("clone", ty.clone(), "{6}.clone()", k)
                    } else {
                        k
                    });
                }
                let (of, n) = ty.sequence().map(|(of, n)| (of.clone(), n))?;
                let values: Option<Vec<Node>> = (0..n?).map(|_| self.value_of(&of)).collect();
                let open = if matches!(ty, Ty::Vec(..)) { "vec![" } else { "[" };
                Node { ty: ty.clone(), ..listed("list of values", open, values?, "]") }
            }
        })
    }
}
