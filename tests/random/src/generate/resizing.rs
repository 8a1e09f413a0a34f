//! `Vec`s whose length changes, sorts, and queues.

use super::Writer;
use super::scope::Var;
use crate::program::*;

impl Writer {
    /// A `Vec` that may be made longer or shorter, and its length.
    fn vec_to_resize(&mut self) -> Option<(usize, usize)> {
        let of = self
            .writable(|v| v.whole && v.parent.is_none() && matches!(&v.ty, Ty::Vec(of, Some(1..)) if **of == Ty::F));
        let k = self.any(of)?;
        let (_, n) = self.scope[k].ty.sequence()?;
        Some((k, n?))
    }

    /// Elements leave, and as many come.
    pub fn out_and_in(&mut self, depth: usize) -> Option<Node> {
        let (k, n) = self.vec_to_resize()?;
        let x = self.bare(k);
        let part = self.rng.usize(0..n + 1);
        let block = match self.rng.u32(0..8) {
            0 => {
                let value = self.borrowing(&[k], true, |w| w.small(depth));
                let first = node!("truncate", Ty::Unit, "{6}.truncate({});", x.clone(), part);
                vec![first, node!("resize", Ty::Unit, "{6}.resize({}, {});", x, n, value)]
            }
            1 => {
                let name = self.name("d");
                let bind = Part::Bind(name.clone());
                let first =
                    node!("drain", Ty::Unit, "let {}: Vec<@> = {6}.drain(..{}).collect();", bind, x.clone(), part);
                let again = "{6}.extend({}.iter().map(|v| 0.5 * v + 0.1));";
                vec![first, node!("extend", Ty::Unit, again, x, Part::Use(name))]
            }
            kind => self.one_out_and_in(kind, (k, n), depth),
        };
        Some(node!("", Ty::Unit, "{}", block))
    }

    fn one_out_and_in(&mut self, kind: u32, (k, n): (usize, usize), depth: usize) -> Vec<Node> {
        let (x, name) = (self.bare(k), self.name("v"));
        let (i, j, bind, value) = self.borrowing(&[k], true, |w| {
            w.inside(|w| {
                let (i, j) = (w.index(n), w.index(n));
                let bind = w.bind(Var::new(name.clone(), Ty::F));
                let value = w.typed(depth);
                (i, j, bind, w.bounded(value))
            })
        });
        let v = Part::Use(name);
        match kind {
            2 => {
                let text = "if let Some({}) = {6}.pop() {{ {6}.push({} - 0.5 * {4}); }}";
                vec![node!("pop as an option", Ty::Unit, text, bind, x.clone(), x, v, value)]
            }
            3..=4 => vec![
                node!("remove", Ty::Unit, "let {} = {6}.remove({});", bind, x.clone(), i),
                node!("insert", Ty::Unit, "{6}.insert({}, {} + 0.5 * {4});", x, j, v, value),
            ],
            5 => vec![
                node!("swap_remove", Ty::Unit, "let {} = {6}.swap_remove({});", bind, x.clone(), i),
                node!("push", Ty::Unit, "{6}.push({} * {4});", x, v, value),
            ],
            _ => vec![
                node!("pop", Ty::Unit, "let {} = {6}.pop().unwrap();", bind, x.clone()),
                node!("push", Ty::Unit, "{6}.push(0.5 * {} + {3});", x, v, value),
            ],
        }
    }

    /// `x.pop();`, `x.truncate(k);` and their kind, where lengths are known.
    pub fn resize(&mut self, depth: usize) -> Option<Node> {
        if self.nesting > 0 || self.barrier > 0 {
            return None;
        }
        let (k, n) = self.vec_to_resize()?;
        let x = self.bare(k);
        let (i, value) = self.borrowing(&[k], true, |w| (w.index(n), w.small(depth)));
        let (at, to) = (self.rng.usize(0..n), self.rng.usize(0..n + 1));
        let (low, high) = (at.min(to), at.max(to));
        let (node, length) = match self.rng.u32(0..7) {
            0 => (node!("pop of nobody", Ty::Unit, "{6}.pop();", x), Some(n - 1)),
            1 => (node!("truncate", Ty::Unit, "{6}.truncate({});", x, to), Some(to)),
            2..=3 => (node!("insert", Ty::Unit, "{6}.insert({}, {});", x, i, value), Some(n + 1)),
            4 => (node!("remove", Ty::Unit, "{6}.remove({});", x, i), Some(n - 1)),
            5 => (node!("drain", Ty::Unit, "{6}.drain({}..{});", x, low, high), Some(n - (high - low))),
            _ => (node!("retain", Ty::Unit, "{6}.retain(|v| *v > 0.1);", x), None),
        };
        self.scope[k].ty = Ty::Vec(Box::new(Ty::F), length);
        Some(node)
    }

    /// `x.sort_by(..);`
    pub fn sort(&mut self, _: usize) -> Option<Node> {
        let of = self.writable(|v| matches!(v.ty.sequence(), Some((Ty::F, _))));
        let k = self.any(of)?;
        let x = self.bare(k);
        Some(match self.rng.u32(0..3) {
            0 => node!("sort_by", Ty::Unit, "{6}.sort_by(|a, b| a.partial_cmp(b).unwrap());", x),
            1 => node!("sort_by downwards", Ty::Unit, "{6}.sort_by(|a, b| b.total_cmp(a));", x),
            _ => node!("sort_by", Ty::Unit, "{6}.sort_by(|a, b| a.total_cmp(b));", x),
        })
    }

    /// A `VecDeque` that is used for some time, and what is left in it.
    pub fn queue(&mut self, depth: usize) -> Option<Node> {
        let lists = self.readable(|v| matches!(v.ty.sequence(), Some((Ty::F, Some(1..)))));
        let k = self.any(lists)?;
        let (x, q, i, a) = (self.bare(k), self.name("q"), self.name("i"), self.name("a"));
        let (iterations, steps) = (self.rng.usize(1..4), self.rng.usize(1..4));
        let (i, body) = self.repeated(iterations, |w| {
            let i = w.bind(Var::new(i, Ty::I).within(0, iterations));
            let body: Vec<Node> = (0..steps).map(|_| w.queue_step(&q, depth.min(1))).collect();
            (i, body)
        });
        let text = "let mut {}: std::collections::VecDeque<@> = {6}.iter().copied().collect();";
        let head = node!("VecDeque", Ty::Unit, text, Part::Bind(q.clone()), x);
        let run = node!("", Ty::Unit, "for {} in 0..{} {}", i, iterations, body);
        let (q, sum) = (Part::Use(q), || Part::Use(a.clone()));
        let bind = self.bind(Var::new(a.clone(), Ty::F).mutable());
        let rest = match self.rng.u32(0..3) {
            0 => node!("", Ty::Unit, "let mut {} = {}.pop_back().unwrap_or(0.5);", bind, q),
            1 => {
                let text = "let mut {}: @ = 0.25;\n    while let Some(v) = {}.pop_front() {{ {} = 0.5 * {} + v; }}";
                node!("while let pop_front", Ty::Unit, text, bind, q, sum(), sum())
            }
            _ => node!("", Ty::Unit, "let mut {} = {}.iter().map(|v| v.sin()).sum::<@>();", bind, q),
        };
        Some(node!("", Ty::Unit, "{}\n    {}\n    {}", head, run, rest))
    }

    /// One thing that is done with a queue, whatever its length.
    fn queue_step(&mut self, q: &str, depth: usize) -> Node {
        let (value, name) = (self.typed(depth), self.name("v"));
        let value = self.bounded(value);
        let (q, bind, v) = (|| Part::Use(q.to_string()), Part::Bind(name.clone()), Part::Use(name));
        let (construct, text) = match self.rng.u32(0..9) {
            0 => ("pop_front", "if let Some({}) = {}.pop_front() {{ {}.push_back(0.5 * {} + {3}); }}"),
            1 => ("pop_back", "if let Some({}) = {}.pop_back() {{ {}.push_front({} - 0.5 * {4}); }}"),
            2 => ("remove from a queue", "if let Some({}) = {}.remove(1) {{ {}.push_back({} + {3}); }}"),
            3 => return node!("push_back", Ty::Unit, "{}.push_back({});", q(), value),
            4 => return node!("push_front", Ty::Unit, "{}.push_front({});", q(), value),
            5 => return node!("insert into a queue", Ty::Unit, "{}.insert({}.len() / 2, {});", q(), q(), value),
            6 => return node!("retain in a queue", Ty::Unit, "{}.retain(|v| *v > -0.4);", q()),
            7 => {
                let text = "for v in {}.iter_mut() {{ *v = 0.5 * *v + {3}; }}";
                return node!("iter_mut of a queue", Ty::Unit, text, q(), value);
            }
            _ => return node!("swap in a queue", Ty::Unit, "if {}.len() > 1 {{ {}.swap(0, 1); }}", q(), q()),
        };
        node!(construct, Ty::Unit, text, bind, q(), q(), v, value)
    }
}
