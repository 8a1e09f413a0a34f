//! Iterator chains.

use super::Writer;
use super::scope::Var;
use crate::program::*;

/// What an iterator gives.
#[derive(Clone, Debug)]
enum Item {
    /// An owned value.
    Owned(Ty),
    /// A reference to one.
    Behind(Ty),
    /// An integer within a range.
    Counter(usize, usize),
    /// Two at once.
    Pair(Box<Item>, Box<Item>),
}

/// An iterator in the making.
pub(crate) struct Chain {
    text: Node,
    item: Item,
    len: Option<usize>,
    /// Whether it can be reversed.
    both_ends: bool,
    /// Whether it knows its length (`rev` of `enumerate` and `zip` needs it).
    exact: bool,
    /// The variables that are read while it runs.
    borrowed: Vec<usize>,
}

impl Chain {
    fn then(self, construct: &'static str, template: &str, parts: Vec<Part>) -> Chain {
        let mut holes = vec![Part::Child(self.text, 6)];
        holes.extend(parts);
        Chain { text: Node::new(construct, Ty::Unit, template, holes), ..self }
    }
}

impl Writer {
    /// Something to iterate over.
    fn source(&mut self) -> Option<Chain> {
        let lists = self.readable(|v| v.ty.sequence().is_some() && v.ty.is_active());
        if self.chance(15) || lists.is_empty() {
            let (low, high) = (self.rng.usize(0..3), self.rng.usize(1..6));
            let text = node!("range", Ty::Unit, "({}..{})", low, high);
            let len = high.saturating_sub(low);
            return Some(Chain {
                text,
                item: Item::Counter(low, high.max(low + 1)),
                len: Some(len),
                both_ends: true,
                exact: true,
                borrowed: vec![],
            });
        }
        let k = self.any(lists)?;
        let (of, len) = self.scope[k].ty.sequence().map(|(of, n)| (of.clone(), n))?;
        let x = self.bare(k);
        let float = of == Ty::F;
        let borrowed = vec![k];
        let whole = |text: Node, item: Item, len| {
            Some(Chain { text, item, len, both_ends: true, exact: true, borrowed: borrowed.clone() })
        };
        match self.rng.u32(0..12) {
            0..=1 if float => whole(node!("copied", Ty::Unit, "{6}.iter().copied()", x), Item::Owned(Ty::F), len),
            2 if float && len.is_some_and(|n| n > 1) => {
                let (n, size) = (len.unwrap_or(0), self.rng.usize(2..4));
                let item = Item::Behind(Ty::Vec(Box::new(Ty::F), Some(size)));
                whole(node!("windows", Ty::Unit, "{6}.windows({})", x, size), item, Some((n + 1).saturating_sub(size)))
            }
            3 if float && len.is_some() => {
                let (n, size) = (len.unwrap_or(0), self.rng.usize(1..4));
                let exact = self.chance(50);
                let (name, text) =
                    if exact { ("chunks_exact", "{6}.chunks_exact({})") } else { ("chunks", "{6}.chunks({})") };
                let item = Item::Behind(Ty::Vec(Box::new(Ty::F), if exact { Some(size) } else { None }));
                let len = if exact { n / size } else { n.div_ceil(size) };
                whole(node!(name, Ty::Unit, text, x, size), item, Some(len))
            }
            4 if len.is_some_and(|n| n > 1) => {
                let (low, high) = (self.rng.usize(0..2), len.unwrap_or(0));
                let text = node!("iter of a part", Ty::Unit, "{6}[{}..].iter()", x, low);
                whole(text, Item::Behind(of), Some(high - low))
            }
            _ => whole(node!("iter", Ty::Unit, "{6}.iter()", x), Item::Behind(of), len),
        }
    }

    /// An adaptor that keeps the shape of the chain, if one fits.
    fn adapted(&mut self, chain: Chain) -> Chain {
        let k = self.rng.usize(0..3);
        let less = |len: Option<usize>| len.map(|n| n.saturating_sub(k));
        match self.rng.u32(0..16) {
            0..=1 if chain.both_ends && chain.exact => chain.then("rev", "{6}.rev()", vec![]),
            2 => {
                let len = less(chain.len);
                Chain { len, ..chain.then("skip", "{6}.skip({})", vec![k.into()]) }
            }
            3 => {
                let len = chain.len.map(|n| n.min(k + 1));
                Chain { len, ..chain.then("take", "{6}.take({})", vec![(k + 1).into()]) }
            }
            4 => {
                let len = chain.len.map(|n| n.div_ceil(k + 1));
                Chain { len, ..chain.then("step_by", "{6}.step_by({})", vec![(k + 1).into()]) }
            }
            5..=7 => {
                let counter = Item::Counter(0, chain.len.unwrap_or(9).max(1));
                let item = Item::Pair(Box::new(counter), Box::new(chain.item.clone()));
                Chain { item, ..chain.then("enumerate", "{6}.enumerate()", vec![]) }
            }
            8..=10 => self.zipped(chain),
            11..=12 => self.filtered(chain),
            13 => self.chained(chain),
            _ => chain,
        }
    }

    fn zipped(&mut self, chain: Chain) -> Chain {
        let lists = self.readable(|v| v.ty.sequence().is_some() && v.ty.is_active());
        let Some(k) = self.any(lists) else { return chain };
        let Some((of, n)) = self.scope[k].ty.sequence().map(|(of, n)| (of.clone(), n)) else { return chain };
        let item = Item::Pair(Box::new(chain.item.clone()), Box::new(Item::Behind(of)));
        let len = chain.len.zip(n).map(|(a, b)| a.min(b));
        let exact = chain.exact;
        let mut chain =
            match self.chance(50) || self.scope[k].derefs > 1 || (self.scope[k].derefs == 1 && self.scope[k].mutable) {
                true => chain.then("zip", "{6}.zip({6}.iter())", vec![self.bare(k).into()]),
                false => chain.then("zip", "{6}.zip({})", vec![self.lent(k, false).into()]),
            };
        chain.borrowed.push(k);
        Chain { item, len, exact, ..chain }
    }

    fn chained(&mut self, chain: Chain) -> Chain {
        let Item::Behind(Ty::F) = chain.item else { return chain };
        let lists = self.readable(|v| matches!(v.ty.sequence(), Some((Ty::F, _))));
        let Some(k) = self.any(lists) else { return chain };
        let n = self.scope[k].ty.sequence().and_then(|(_, n)| n);
        let len = chain.len.zip(n).map(|(a, b)| a + b);
        let mut chain = chain.then("chain", "{6}.chain({6}.iter())", vec![self.bare(k).into()]);
        chain.borrowed.push(k);
        Chain { len, exact: false, ..chain }
    }

    fn filtered(&mut self, chain: Chain) -> Chain {
        let item = chain.item.clone();
        let (pattern, condition) = self.pure(|w| {
            let pattern = w.pattern_behind(&item);
            (pattern, w.condition(1))
        });
        let (construct, template) = match self.rng.u32(0..5) {
            0 => ("take_while", "{6}.take_while(|{}| {})"),
            1 => ("skip_while", "{6}.skip_while(|{}| {})"),
            _ => ("filter", "{6}.filter(|{}| {})"),
        };
        let both_ends = construct == "filter" && chain.both_ends;
        let captured = self.mentioned(&condition);
        let mut chain = chain.then(construct, template, vec![pattern.into(), condition.into()]);
        chain.borrowed.extend(captured);
        Chain { len: None, exact: false, both_ends, ..chain }
    }

    /// A pattern for an item, which binds its parts.
    fn pattern(&mut self, item: &Item) -> Node {
        match item {
            Item::Owned(ty) => self.bound(Var::new("", ty.clone())),
            Item::Counter(low, high) => self.bound(Var::new("", Ty::I).within(*low, *high)),
            Item::Behind(Ty::F) if self.chance(40) => {
                let inner = self.bound(Var::new("", Ty::F));
                node!("pattern of a reference", Ty::Unit, "&{}", inner)
            }
            Item::Behind(Ty::Tuple(parts)) if self.chance(60) => {
                let inner: Vec<Node> = parts.iter().map(|ty| self.bound(Var::new("", ty.clone()).behind(1))).collect();
                listed("pattern of a tuple", "(", inner, ")")
            }
            Item::Behind(Ty::Array(of, n)) if self.chance(40) => {
                let inner: Vec<Node> = (0..*n).map(|_| self.bound(Var::new("", (**of).clone()).behind(1))).collect();
                listed("pattern of an array", "[", inner, "]")
            }
            Item::Behind(ty) if ty.fields().is_some() && self.chance(25) => self.taken_apart(ty),
            Item::Behind(ty) => self.bound(Var::new("", ty.clone()).behind(1)),
            Item::Pair(a, b) => {
                let (a, b) = (self.pattern(a), self.pattern(b));
                node!("", Ty::Unit, "({}, {})", a, b)
            }
        }
    }

    /// A pattern for a reference to an item.
    fn pattern_behind(&mut self, item: &Item) -> Node {
        match item {
            Item::Owned(ty) => self.bound(Var::new("", ty.clone()).behind(1)),
            Item::Counter(low, high) => self.bound(Var::new("", Ty::I).within(*low, *high).behind(1)),
            Item::Behind(ty) => self.bound(Var::new("", ty.clone()).behind(2)),
            Item::Pair(a, b) => {
                let (a, b) = (self.pattern_behind(a), self.pattern_behind(b));
                node!("", Ty::Unit, "({}, {})", a, b)
            }
        }
    }

    pub fn bound(&mut self, var: Var) -> Node {
        let name = self.name("v");
        let part = self.bind(Var { name, ..var });
        node!("", Ty::Unit, "{}", part)
    }

    /// A chain before its consumer.
    fn chain(&mut self) -> Option<Chain> {
        let mut chain = self.source()?;
        for _ in 0..self.rng.usize(0..3) {
            chain = self.adapted(chain);
        }
        Some(chain)
    }

    /// A chain of floats.
    fn chain_of_floats(&mut self, depth: usize) -> Option<Chain> {
        let chain = self.chain()?;
        match chain.item {
            Item::Owned(Ty::F) if self.chance(30) => return Some(chain),
            _ => {}
        }
        let item = chain.item.clone();
        let (pattern, body) = self.repeated(chain.len.unwrap_or(4), |w| {
            w.pure(|w| {
                let pattern = w.pattern(&item);
                (pattern, if w.chance(20) { w.block_body(depth) } else { w.typed(depth.saturating_sub(1)) })
            })
        });
        let chain = match self.chance(8) {
            true => {
                let flat =
                    node!("filter_map", Ty::Unit, "if {} > 0.1 {{ Some({}) }} else {{ None }}", body.clone(), body);
                Chain {
                    len: None,
                    exact: false,
                    ..chain.then("filter_map", "{6}.filter_map(|{}| {})", vec![pattern.into(), flat.into()])
                }
            }
            false => chain.then("map", "{6}.map(|{}| {})", vec![pattern.into(), body.into()]),
        };
        Some(Chain { item: Item::Owned(Ty::F), ..chain })
    }

    fn block_body(&mut self, depth: usize) -> Node {
        let statement = self.let_float(depth.saturating_sub(1));
        let value = self.typed(depth.saturating_sub(1));
        let block: Vec<Node> = statement.into_iter().chain([value]).collect();
        node!("closure with a block", Ty::F, "{}", block)
    }

    /// A chain that ends in one float.
    pub fn reduced(&mut self, depth: usize) -> Option<Node> {
        if self.iterations > 200 {
            return None;
        }
        let chain = self.chain_of_floats(depth)?;
        let text = chain.text;
        let many = chain.len.unwrap_or(4).max(1) as f64;
        Some(match self.rng.u32(0..12) {
            0..=5 => node!("sum", Ty::F, "{6}.sum::<@>()", text).size(2.0 * many),
            6 => node!("product", Ty::F, "{6}.map(|v| 0.5 + v.sin()).product::<@>()", text).size(4.0),
            7..=8 => {
                let body = self.pure(|w| {
                    let s = w.name("s");
                    let v = w.name("v");
                    let typed = Var { typed: false, ..Var::new(s.clone(), Ty::F) };
                    let (s, v) = (w.bind(typed), w.bind(Var::new(v, Ty::F)));
                    let update = w.typed(depth.saturating_sub(1));
                    node!("fold", Ty::Unit, "|{}, {}| 0.5 * {4}", s, v, update)
                });
                node!("fold", Ty::F, "{6}.fold({}, {})", text, 0.3, body)
            }
            9 => node!("fold max", Ty::F, "{6}.fold(@::NEG_INFINITY, @::max).max(-2.0)", text),
            10 => node!("reduce", Ty::F, "{6}.reduce(|a, b| 0.5 * a + b.sin()).unwrap_or(0.5)", text),
            _ => {
                let count = node!("count", Ty::I, "{6}.filter(|v| *v > 0.4).count()", text);
                let cast = node!("", Ty::F, "{}", Part::ToFloat(Box::new(count)));
                node!("count", Ty::F, "0.1 * {4}", cast).level(level::PRODUCT)
            }
        })
    }

    /// A chain that ends in a `Vec`, and its length.
    pub fn collected(&mut self, depth: usize) -> Option<(Node, Option<usize>)> {
        let chain = self.chain_of_floats(depth)?;
        let ty = Ty::Vec(Box::new(Ty::F), chain.len);
        Some(match self.chance(50) {
            true => (node!("collect", ty, "{6}.collect::<Vec<@>>()", chain.text), chain.len),
            false => (node!("collect", ty, "{6}.map(|v| v.sin()).collect::<Vec<_>>()", chain.text), chain.len),
        })
    }

    /// A chain as the head of a `for` loop: its pattern, its text, and the iterations.
    pub fn head(&mut self) -> Option<(Chain, usize)> {
        let chain = self.chain()?;
        let iterations = chain.len.unwrap_or(4);
        Some((chain, iterations))
    }

    /// A `for` loop over a chain, with a body that this writes.
    pub fn for_chain(&mut self, body: impl FnOnce(&mut Writer) -> Vec<Node>) -> Option<Node> {
        let (chain, iterations) = self.head()?;
        let borrowed = chain.borrowed.clone();
        let (item, text) = (chain.item, chain.text);
        let (pattern, body) = self.borrowing(&borrowed, false, |w| {
            w.repeated(iterations, |w| {
                let pattern = w.pattern(&item);
                (pattern, body(w))
            })
        });
        Some(node!("for over a chain", Ty::Unit, "for {} in {} {}", pattern, text, body))
    }
}

/// Nodes in a list.
pub(crate) fn listed(construct: &'static str, open: &str, nodes: Vec<Node>, close: &str) -> Node {
    let template = vec!["{}"; nodes.len()].join(", ");
    Node::new(construct, Ty::Unit, &format!("{open}{template}{close}"), nodes.into_iter().map(Part::from).collect())
}
