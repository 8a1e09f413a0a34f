//! Loops.

use super::scope::Var;
use super::{Exit, Writer};
use crate::program::*;

impl Writer {
    /// A loop's body, which may leave the loop.
    fn looped(
        &mut self,
        label: Option<String>,
        value: Ty,
        only_break: bool,
        write: impl FnOnce(&mut Writer) -> Vec<Node>,
    ) -> Vec<Node> {
        self.exits.push(Exit { label, value, only_break });
        let body = write(self);
        self.exits.pop();
        body
    }

    fn label(&mut self) -> (Option<String>, String) {
        if !self.chance(25) {
            return (None, String::new());
        }
        let name = self.name("'l");
        (Some(name.clone()), format!("{name}: "))
    }

    /// Now and then a loop of which some states are kept.
    fn kept(&mut self, node: Node) -> Node {
        if !self.chance(12) {
            return node;
        }
        let (construct, attribute) = self.one(&[
            ("checkpoint", "#[checkpoint]\n"),
            ("checkpoint every", "#[checkpoint(every = 2)]\n"),
            ("checkpoint snapshots", "#[checkpoint(snapshots = 2)]\n"),
        ]);
        node!(construct, Ty::Unit, "{}{}", Part::Attribute(attribute), node)
    }

    /// `for i in a..b { .. }`
    pub fn for_range(&mut self, _: usize) -> Option<Node> {
        let (low, high) = (self.rng.usize(0..2), self.rng.usize(1..5));
        let (label, labelled) = self.label();
        let sized = self.readable(|v| matches!(v.ty, Ty::Vec(_, Some(1..))) && v.ty.is_active());
        let counts = self.readable(|v| v.ty == Ty::I && v.derefs == 0 && v.range.1 <= 6 && v.range.1 > 0);
        let mut below = high;
        let end = match self.rng.u32(0..10) {
            0..=3 => match self.any(sized) {
                Some(k) => {
                    below = self.scope[k].ty.sequence()?.1?;
                    node!("len", Ty::I, "{6}.len()", self.bare(k))
                }
                None => node!("", Ty::I, "{}", high),
            },
            4..=5 => match self.any(counts) {
                Some(k) => {
                    below = self.scope[k].range.1 - 1;
                    self.used(k)
                }
                None => node!("", Ty::I, "{}", high),
            },
            _ => node!("", Ty::I, "{}", high),
        };
        let name = self.fresh("i");
        let (construct, template, below) = match self.rng.u32(0..8) {
            0 => ("for rev", "{}for {} in ({}..{}).rev() {}", below),
            1 => ("for step_by", "{}for {} in ({}..{}).step_by(2) {}", below),
            2 => ("for inclusive", "{}for {} in {}..={} {}", below + 1),
            3 => ("for rev step_by", "{}for {} in ({}..{}).rev().step_by(2) {}", below),
            _ => ("for", "{}for {} in {}..{} {}", below),
        };
        let iterations = below.saturating_sub(low);
        let (i, body) = self.repeated(iterations, |w| {
            let i = w.bind(Var::new(name, Ty::I).within(low, below.max(low + 1)));
            (i, w.looped(label, Ty::Unit, false, |w| w.body(3)))
        });
        let node = node!(construct, Ty::Unit, template, labelled, i, low, end, body);
        Some(self.kept(node))
    }

    /// `for v in x.iter() { .. }`
    pub fn for_chain_loop(&mut self, _: usize) -> Option<Node> {
        self.for_chain(|w| w.looped(None, Ty::Unit, false, |w| w.body(3)))
    }

    /// `while k < n { ..; k += 1; }`
    pub fn while_loop(&mut self, _: usize) -> Option<Node> {
        let name = self.name("k");
        let n = self.rng.usize(1..5);
        let (label, labelled) = self.label();
        let first = self.chance(50);
        let condition = if self.chance(40) { Some(self.condition(1)) } else { None };
        let (bind, body) = self.repeated(n, |w| {
            let bind = w.bind(Var::new(name.clone(), Ty::I).within(0, n + 1));
            let k = w.scope.len() - 1;
            if !first {
                w.scope[k].range = (0, n);
            }
            let body = w.looped(label, Ty::Unit, !first, |w| w.body(3));
            (bind, body)
        });
        let step = node!("step", Ty::Unit, "{} += 1;", Part::Use(name.clone()));
        let mut all = body;
        all.insert(if first { 0 } else { all.len() }, step);
        let head = node!("", Ty::Unit, "let mut {} = 0;", bind);
        let name = Part::Use(name);
        let body = match condition {
            Some(c) => node!("while with a float", Ty::Unit, "{}while {} < {} && {2} {}", labelled, name, n, c, all),
            None => node!("while", Ty::Unit, "{}while {} < {} {}", labelled, name, n, all),
        };
        let body = self.kept(body);
        Some(node!("", Ty::Unit, "{}", vec![head, body]))
    }

    /// `loop { ..; if k > 3 { break; } }`
    pub fn endless_loop(&mut self, _: usize) -> Option<Node> {
        let name = self.name("k");
        let n = self.rng.usize(1..5);
        let (label, labelled) = self.label();
        let late = self.chance(50);
        let (bind, mut body) = self.repeated(n, |w| {
            let bind = w.bind(Var::new(name.clone(), Ty::I).within(0, n + 1));
            (bind, w.looped(label, Ty::Unit, late, |w| w.body(3)))
        });
        let step = node!("step", Ty::Unit, "{} += 1;", Part::Use(name.clone()));
        let leave = node!("step", Ty::Unit, "if {} >= {} {{ break; }}", Part::Use(name.clone()), n);
        body.insert(0, step);
        body.insert(if late { body.len() } else { 1 }, leave);
        let head = node!("", Ty::Unit, "let mut {} = 0;", bind);
        let text = node!("loop", Ty::Unit, "{}loop {}", labelled, body);
        let text = self.kept(text);
        Some(node!("", Ty::Unit, "{}", vec![head, text]))
    }

    /// `let a = loop { ..; break e; };`
    pub fn loop_value(&mut self, _: usize) -> Option<Node> {
        let name = self.name("k");
        let n = self.rng.usize(1..5);
        let (bind, body) = self.repeated(n, |w| {
            let bind = w.bind(Var::new(name.clone(), Ty::I).within(0, n + 1));
            let body = w.looped(None, Ty::F, false, |w| {
                let mut body = w.body(3);
                let value = w.typed(1);
                let value = w.bounded(value);
                let k = || Part::Use(name.clone());
                body.insert(0, node!("step", Ty::Unit, "{} += 1;", k()));
                body.push(node!("step", Ty::Unit, "if {} >= {} {{ break {2}; }}", k(), n, value));
                body
            });
            (bind, body)
        });
        let head = node!("", Ty::Unit, "let mut {} = 0;", bind);
        let a = self.name("a");
        let a = self.bind(Var::new(a, Ty::F).mutable());
        let text = node!("loop with a value", Ty::Unit, "let mut {} = loop {};", a, body);
        Some(node!("", Ty::Unit, "{}\n    {}", head, text))
    }
}
