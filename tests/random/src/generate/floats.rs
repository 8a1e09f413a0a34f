//! Expressions: floats, integers, conditions.

use super::Writer;
use crate::program::*;

type Construct = super::Construct<Node>;

/// What a float may be.
const FLOATS: &[(u32, Construct)] = &[
    (16, Writer::variable),
    (14, Writer::element),
    (4, Writer::field),
    (4, |w, _| Some(w.literal())),
    (3, Writer::cast_integer),
    (22, Writer::binary),
    (5, Writer::product),
    (3, Writer::negated),
    (14, Writer::unary),
    (4, Writer::function_of_two),
    (4, Writer::power),
    (5, Writer::chosen),
    (3, Writer::matched),
    (3, Writer::block_value),
    (9, Writer::reduced),
    (4, Writer::closure_call),
    (4, Writer::call_for_float),
    (4, Writer::method_call),
    (4, Writer::variant_value),
    (4, Writer::content),
    (6, Writer::float_of_array),
    (2, Writer::first_or_last),
    (1, Writer::left_block),
    (3, Writer::operand_that_leaves),
];

/// Functions that are safe everywhere, or on what the template makes of their argument; and how large they get.
const UNARY: &[(&str, &str, f64)] = &[
    ("sin", "{6}.sin()", 1.0),
    ("cos", "{6}.cos()", 1.0),
    ("tanh", "{6}.tanh()", 1.0),
    ("atan", "{6}.atan()", 1.6),
    ("asinh", "{6}.asinh()", 2.0),
    ("tan", "(0.5 * {6}.sin()).tan()", 0.6),
    ("sinh", "{6}.sin().sinh()", 1.2),
    ("cosh", "{6}.cos().cosh()", 1.6),
    ("exp", "{6}.sin().exp()", 2.8),
    ("exp2", "{6}.cos().exp2()", 2.0),
    ("exp_m1", "{6}.sin().exp_m1()", 1.8),
    ("ln", "({2} * 0.5 + 4.0).abs().ln()", 2.0),
    ("ln", "(1.5 + {6}.sin()).ln()", 1.0),
    ("ln_1p", "(0.5 * {6}.sin()).ln_1p()", 0.7),
    ("log2", "(1.5 + {6}.cos()).log2()", 1.4),
    ("log10", "(2.5 - {6}.tanh()).log10()", 0.6),
    ("log", "(1.5 + {6}.cos()).log(3.0)", 1.0),
    ("sqrt", "(1.2 + {6}.sin()).sqrt()", 1.5),
    ("cbrt", "(1.5 + {6}.cos()).cbrt()", 1.4),
    ("recip", "(2.0 + {6}.sin()).recip()", 1.0),
    ("asin", "(0.7 * {6}.sin()).asin()", 0.8),
    ("acos", "(0.7 * {6}.cos()).acos()", 2.4),
    ("atanh", "(0.6 * {6}.tanh()).atanh()", 0.7),
    ("acosh", "(2.5 + {6}.sin()).acosh()", 2.0),
    ("to_radians", "(20.0 * {6}.sin()).to_radians()", 0.4),
    ("to_degrees", "(0.02 * {6}.sin()).to_degrees()", 1.2),
    ("abs", "{6}.abs()", 2.0),
    ("fract", "{6}.fract()", 1.0),
    ("floor", "{6}.sin().floor()", 1.0),
    ("round", "{6}.sin().round()", 1.0),
    ("signum", "{6}.signum()", 1.0),
    ("clamp", "{6}.clamp(-0.7, 0.9)", 0.9),
    ("powf", "(1.5 + {6}.sin()).powf(1.7)", 4.8),
];

const OF_TWO: &[(&str, &str, f64)] = &[
    ("max", "{6}.max({})", 2.0),
    ("min", "{6}.min({})", 2.0),
    ("max", "@::max({}, {})", 2.0),
    ("hypot", "{6}.hypot({2} + 0.3)", 3.0),
    ("atan2", "{6}.atan2(2.5 + {6}.sin())", 1.5),
    ("powf", "(1.5 + {6}.sin()).powf({})", 4.0),
    ("copysign", "{6}.copysign({})", 2.0),
    ("rem", "{6}.tanh() % (1.5 + {6}.cos())", 1.0),
    ("rem_euclid", "{6}.tanh().rem_euclid(1.5 + {6}.cos())", 2.5),
    ("midpoint", "{6}.midpoint({})", 2.0),
    ("log", "(2.5 + {6}.sin()).log(3.5 + {6}.cos())", 1.0),
];

impl Writer {
    /// A float.
    pub fn float(&mut self, depth: usize) -> Node {
        if depth == 0 {
            return self.leaf();
        }
        self.choose(FLOATS, depth).unwrap_or_else(|| self.literal())
    }

    /// A float that is no compound.
    pub fn leaf(&mut self) -> Node {
        let leaves: &[(u32, Construct)] =
            &[(10, Writer::variable), (10, Writer::element), (3, Writer::field), (2, |w, _| Some(w.literal()))];
        self.choose(leaves, 0).unwrap_or_else(|| self.literal())
    }

    /// A float of a known type.
    pub fn typed(&mut self, depth: usize) -> Node {
        let node = self.float(depth);
        if node.typed { node } else { self.typed_literal() }
    }

    /// A float that stays small however often it is computed from itself.
    pub fn small(&mut self, depth: usize) -> Node {
        let node = self.float(depth);
        self.bounded(node)
    }

    /// The same with a bound, if it may be large.
    pub fn bounded(&mut self, node: Node) -> Node {
        if node.size <= 2.0 && !self.chance(12) {
            return node;
        }
        let scale = (20.0 / node.size).round() / 10.0;
        match self.rng.u32(0..4) {
            _ if !node.typed => node,
            0 => node!("sin", Ty::F, "{6}.sin()", node).size(1.0),
            1 => node!("tanh", Ty::F, "{6}.tanh()", node).size(1.0),
            _ if scale > 0.0 => node!("mul", Ty::F, "{} * {4}", scale, node).level(level::PRODUCT),
            _ => node!("sin", Ty::F, "{6}.sin()", node).size(1.0),
        }
    }

    fn typed_literal(&mut self) -> Node {
        let v = f64::from(self.rng.i32(1..16)) / 8.0;
        node!("", Ty::F, "@::from({})", v).size(v)
    }

    pub fn literal(&mut self) -> Node {
        let v = f64::from(self.rng.i32(1..24)) / 16.0;
        node!("", Ty::F, "{}", v).typed(false).size(v)
    }

    fn variable(&mut self, _: usize) -> Option<Node> {
        let of = self.readable(|v| v.ty == Ty::F && v.closure.is_none());
        let k = self.any(of)?;
        if self.scope[k].derefs == 1 && !self.scope[k].mutable && self.chance(40) {
            // arithmetic takes references too
            let name = Part::Use(self.scope[k].name.clone());
            return Some(node!("reference operand", Ty::F, "1.0 * {}", name).level(level::PRODUCT));
        }
        Some(self.used(k))
    }

    /// `x[i]`, `m[i][j]`.
    pub fn element(&mut self, _: usize) -> Option<Node> {
        let of = self.readable(|v| matches!(v.ty.sequence(), Some((_, Some(1..)))) && v.ty.is_active());
        let k = self.any(of)?;
        let (of, n) = self.scope[k].ty.sequence().map(|(of, n)| (of.clone(), n.unwrap_or(1)))?;
        let at = self.index(n);
        let element = node!("element", of.clone(), "{6}[{}]", self.bare(k), at);
        self.float_of(element, of)
    }

    /// A float within a part.
    pub fn float_of(&mut self, part: Node, ty: Ty) -> Option<Node> {
        match ty {
            Ty::F => Some(part),
            Ty::Tuple(parts) => {
                let at: Vec<usize> = (0..parts.len()).filter(|i| parts[*i].is_active()).collect();
                let at = self.one(&at);
                self.float_of(node!("field", parts[at].clone(), "{6}.{}", part, at), parts[at].clone())
            }
            Ty::Array(of, n) | Ty::Vec(of, Some(n)) if n > 0 => {
                let at = self.index(n);
                self.float_of(node!("nested element", (*of).clone(), "{6}[{}]", part, at), (*of).clone())
            }
            Ty::Nd1(n) | Ty::Row(n) => {
                let at = self.index(n);
                Some(node!("element of an array", Ty::F, "{6}[{}]", part, at))
            }
            Ty::Nd2(n, m) => {
                let (i, j) = (self.index(n), self.index(m));
                Some(node!("element of a matrix", Ty::F, "{6}[[{}, {}]]", part, i, j))
            }
            Ty::User(of) => {
                let (name, ty) = self.one(of.fields()?);
                self.float_of(node!("field of an element", ty.clone(), "{6}.{}", part, name), ty)
            }
            _ => None,
        }
    }

    fn field(&mut self, _: usize) -> Option<Node> {
        let of = self.readable(|v| matches!(&v.ty, Ty::Tuple(parts) if parts.iter().any(Ty::is_active)));
        let k = self.any(of)?;
        let (part, ty) = (self.bare(k), self.scope[k].ty.clone());
        self.float_of(part, ty)
    }

    fn cast_integer(&mut self, _: usize) -> Option<Node> {
        let of = self.readable(|v| v.ty == Ty::I && v.range.1 <= 8);
        let node = match self.any(of) {
            Some(k) if self.chance(70) => self.used(k),
            _ => self.length()?,
        };
        let cast = node!("integer as float", Ty::F, "{}", Part::ToFloat(Box::new(node)));
        Some(node!("", Ty::F, "{} * {4}", 0.25, cast).level(level::PRODUCT))
    }

    fn length(&mut self) -> Option<Node> {
        let of = self.readable(|v| matches!(v.ty, Ty::Vec(..)) && v.ty.is_active());
        let k = self.any(of)?;
        Some(node!("len", Ty::I, "{6}.len()", self.bare(k)))
    }

    fn binary(&mut self, depth: usize) -> Option<Node> {
        let (a, b) = (self.typed(depth - 1), self.float(depth - 1));
        let (s, t) = (a.size, b.size);
        Some(match self.rng.u32(0..8) {
            0..=2 => node!("add", Ty::F, "{2} + {3}", a, b).level(level::SUM).size(s + t),
            3..=4 => node!("sub", Ty::F, "{2} - {3}", a, b).level(level::SUM).size(s + t),
            5 => node!("sub", Ty::F, "{2} - {3}", b, a).level(level::SUM).size(s + t),
            6 => node!("mul", Ty::F, "{3} * {4}", b, a).level(level::PRODUCT).size(s * t),
            _ => node!("div", Ty::F, "{3} / (1.3 + {4} * {4})", a, b.clone(), b).level(level::PRODUCT).size(s),
        })
    }

    fn product(&mut self, depth: usize) -> Option<Node> {
        let (a, b) = (self.typed(depth - 1), self.float(depth - 1));
        let size = a.size * b.size;
        Some(node!("mul", Ty::F, "{3} * {4}", a, b).level(level::PRODUCT).size(size))
    }

    fn negated(&mut self, depth: usize) -> Option<Node> {
        let a = self.typed(depth - 1);
        let size = a.size;
        Some(node!("neg", Ty::F, "-{6}", a).level(level::UNARY).size(size))
    }

    fn unary(&mut self, depth: usize) -> Option<Node> {
        let (name, template, size) = self.one(UNARY);
        let a = self.typed(depth - 1);
        Some(node!(name, Ty::F, template, a).size(size))
    }

    fn function_of_two(&mut self, depth: usize) -> Option<Node> {
        let (name, template, size) = self.one(OF_TWO);
        let (a, b) = (self.typed(depth - 1), self.typed(depth - 1));
        let node = node!(name, Ty::F, template, a, b).size(size);
        Some(if name == "rem" { node.level(level::PRODUCT) } else { node })
    }

    fn power(&mut self, depth: usize) -> Option<Node> {
        let a = self.typed(depth - 1);
        let n = self.rng.usize(0..4);
        if self.chance(20) {
            return Some(node!("powi", Ty::F, "(2.0 + {6}.sin()).powi(-{})", a, n + 1));
        }
        let of = self.readable(|v| v.ty == Ty::I && v.range.1 <= 4 && v.derefs == 0);
        if let Some(k) = self.any(of).filter(|_| self.chance(30)) {
            return Some(node!("powi of a variable", Ty::F, "{6}.sin().powi({} as i32)", a, self.used(k)).size(1.0));
        }
        let size = a.size.powi(n as i32);
        Some(node!("powi", Ty::F, "{6}.powi({})", a, n).size(size))
    }

    fn chosen(&mut self, depth: usize) -> Option<Node> {
        let (c, a, b) = (self.condition(1), self.typed(depth - 1), self.float(depth - 1));
        let size = a.size.max(b.size);
        Some(node!("if value", Ty::F, "if {} {{ {} }} else {{ {} }}", c, a, b).level(level::LOGIC).size(size))
    }

    fn matched(&mut self, depth: usize) -> Option<Node> {
        let of = self.readable(|v| v.ty == Ty::I && v.derefs == 0);
        let k = self.any(of)?;
        let (a, b, last) = (self.typed(depth - 1), self.float(depth - 1), self.float(depth - 1));
        let size = a.size.max(b.size).max(last.size);
        let on = self.used(k);
        let template = match self.chance(50) {
            true => "match {} {{ 0 => {}, 1 | 2 => {}, _ => {} }}",
            false => "match {} {{ 0..=1 => {}, n if n % 2 == 0 => {}, _ => {} }}",
        };
        Some(node!("match value", Ty::F, template, on, a, b, last).level(level::LOGIC).size(size))
    }

    /// `{ let a = ..; a * a }`
    fn block_value(&mut self, depth: usize) -> Option<Node> {
        if self.nesting > 4 || self.budget == 0 {
            return None;
        }
        let block = self.inside(|w| {
            let mut block = vec![w.let_float(depth - 1)?];
            if w.budget > 0 && w.chance(30) {
                block.extend(w.statement());
            }
            block.push(w.typed(depth - 1));
            Some(block)
        })?;
        Some(node!("block value", Ty::F, "{}", block).level(level::LOGIC))
    }

    /// `'a: { if c { break 'a e; } e }`
    fn left_block(&mut self, depth: usize) -> Option<Node> {
        let label = self.name("'a");
        let (c, a, b) = (self.condition(1), self.typed(depth - 1), self.float(depth - 1));
        let exit = node!("", Ty::Unit, "if {} {{ break {} {2}; }}", c, label.as_str(), a);
        Some(node!("labelled block", Ty::F, "{}: {}", label.as_str(), vec![exit, b]).level(level::LOGIC))
    }

    /// `{ if c { break; } e }`
    fn operand_that_leaves(&mut self, depth: usize) -> Option<Node> {
        let exit = self.exit(0)?;
        let value = self.typed(depth - 1);
        let size = value.size;
        Some(node!("operand that leaves", Ty::F, "{}", vec![exit, value]).level(level::LOGIC).size(size))
    }

    fn first_or_last(&mut self, _: usize) -> Option<Node> {
        let of = self.readable(|v| matches!(v.ty.sequence(), Some((Ty::F, _))));
        let k = self.any(of)?;
        let known = matches!(self.scope[k].ty.sequence(), Some((_, Some(1..))));
        let x = self.bare(k);
        Some(match (self.rng.u32(0..4), known) {
            (0, true) => node!("last", Ty::F, "*{6}.last().unwrap()", x).level(level::UNARY),
            (1, _) => node!("first or", Ty::F, "{6}.first().copied().unwrap_or({})", x, 0.5),
            (2, _) => node!("get", Ty::F, "{6}.get({}).map_or({}, |v| v * v)", x, self.rng.usize(0..3), 0.25).size(4.0),
            _ => node!("last or", Ty::F, "{6}.last().map(|v| v.sin()).unwrap_or({})", x, 0.5),
        })
    }

    /// An integer below `n`.
    pub fn index(&mut self, n: usize) -> Node {
        let within = self.readable(|v| v.ty == Ty::I && v.range.1 <= n && v.range.1 > 0);
        let all = self.readable(|v| v.ty == Ty::I && v.range.1 > 0);
        match self.rng.u32(0..20) {
            0..=7 => {
                if let Some(k) = self.any(within) {
                    return self.used(k);
                }
            }
            8..=9 => {
                let lifted = self.readable(|v| v.ty == Ty::I && v.range.0 > 0 && v.range.1 <= n + 1);
                if let Some(k) = self.any(lifted) {
                    return node!("index arithmetic", Ty::I, "{2} - 1", self.used(k)).level(level::SUM);
                }
                let below = self.readable(|v| v.ty == Ty::I && v.range.1 < n && v.range.1 > 0);
                if let Some(k) = self.any(below) {
                    return node!("index arithmetic", Ty::I, "{2} + 1", self.used(k)).level(level::SUM);
                }
            }
            10..=11 => {
                if let Some(k) = self.any(within) {
                    return node!("index arithmetic", Ty::I, "{} - {3}", n - 1, self.used(k)).level(level::SUM);
                }
            }
            12..=14 => {
                if let Some(k) = self.any(all) {
                    let add = self.rng.usize(0..3);
                    return node!("index arithmetic", Ty::I, "({2} + {}) % {}", self.used(k), add, n)
                        .level(level::PRODUCT);
                }
            }
            15 => {
                let x = self.leaf();
                if x.typed {
                    let scaled = node!("", Ty::F, "{6}.abs() * {}", x, 3.0).level(level::PRODUCT);
                    return node!("index by value", Ty::I, "{} % {}", Part::ToIndex(Box::new(scaled)), n)
                        .level(level::PRODUCT);
                }
            }
            _ => {}
        }
        node!("", Ty::I, "{}", self.rng.usize(0..n))
    }

    /// A condition.
    pub fn condition(&mut self, depth: usize) -> Node {
        let flags = self.readable(|v| v.ty == Ty::B);
        let integers = self.readable(|v| v.ty == Ty::I);
        let lists = self.readable(|v| matches!(v.ty.sequence(), Some((Ty::F, _))));
        match self.rng.u32(0..16) {
            0..=1 if !flags.is_empty() => {
                let k = self.one(&flags);
                self.used(k)
            }
            2..=4 if !integers.is_empty() => {
                let k = self.one(&integers);
                let n = self.rng.usize(2..4);
                node!("integer condition", Ty::B, "{3} % {} == {}", self.used(k), n, self.rng.usize(0..n))
                    .level(level::LOGIC)
            }
            5..=6 if !integers.is_empty() => {
                let k = self.one(&integers);
                node!("integer condition", Ty::B, "{2} > {}", self.used(k), self.rng.usize(0..3)).level(level::LOGIC)
            }
            7 if depth > 0 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                if self.chance(50) {
                    node!("and", Ty::B, "{2} && {2}", a, b).level(level::LOGIC)
                } else {
                    node!("or", Ty::B, "{2} || {2}", a, b).level(level::LOGIC)
                }
            }
            8 if depth > 0 => node!("not", Ty::B, "!{6}", self.condition(depth - 1)).level(level::UNARY),
            9 if !lists.is_empty() => {
                let k = self.one(&lists);
                let t = self.literal();
                node!("any", Ty::B, "{6}.iter().any(|v| *v > {})", self.bare(k), t)
            }
            10 => {
                let x = self.typed(0);
                node!("contains", Ty::B, "({}..{}).contains(&{6})", -0.5, 0.8, x)
            }
            11..=12 => {
                let (a, b) = (self.typed(depth), self.float(depth));
                node!("float condition", Ty::B, "{2} < {2}", a, b).level(level::LOGIC)
            }
            _ => {
                let (a, t) = (self.typed(depth), self.literal());
                node!("float condition", Ty::B, "{2} > {2}", a, t).level(level::LOGIC)
            }
        }
    }
}
