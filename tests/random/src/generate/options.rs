//! `Option`s: made by methods, branches and functions, taken apart in every way, and passed on by `?`.

use super::Writer;
use super::functions::called;
use super::scope::Var;
use crate::program::*;

type Construct = super::Construct<Node>;

const STATEMENTS: &[(u32, Construct)] = &[
    (5, Writer::let_option),
    (3, Writer::call_for_option),
    (4, Writer::if_let_some),
    (3, Writer::let_some_else),
    (3, Writer::best_so_far),
    (4, Writer::passed_on),
];

fn option() -> Ty {
    Ty::Option(Box::new(Ty::F))
}

impl Writer {
    /// A statement about an option.
    pub fn of_an_option(&mut self, depth: usize) -> Option<Node> {
        self.choose(STATEMENTS, depth)
    }

    fn option_var(&mut self) -> Option<usize> {
        let all = self.readable(|v| v.ty == option() && v.derefs == 0);
        self.any(all)
    }

    /// An option that is written where it stands.
    pub fn option_value(&mut self, depth: usize) -> Option<Node> {
        let lists = self.readable(|v| matches!(v.ty.sequence(), Some((Ty::F, _))));
        let list = self.any(lists);
        Some(match (self.rng.u32(0..8), list) {
            (0, Some(k)) => node!("get copied", option(), "{6}.get({}).copied()", self.bare(k), self.rng.usize(0..4)),
            (1, Some(k)) => node!("last copied", option(), "{6}.last().copied()", self.bare(k)),
            (2, Some(k)) => {
                let t = self.literal();
                node!("find", option(), "{6}.iter().copied().find(|v| *v > {})", self.bare(k), t)
            }
            (3, Some(k)) => node!("reduce to an option", option(), "{6}.iter().copied().reduce(@::max)", self.bare(k)),
            (4, _) => {
                let value = self.typed(depth);
                node!("some", option(), "Some({})", self.bounded(value))
            }
            _ => {
                let c = self.condition(1);
                let value = self.typed(depth);
                let value = self.bounded(value);
                let text = if self.chance(50) {
                    "if {} {{ Some({}) }} else {{ None }}"
                } else {
                    "if {} {{ None }} else {{ Some({}) }}"
                };
                node!("some or none", option(), text, c, value).level(level::LOOSE)
            }
        })
    }

    fn let_option(&mut self, depth: usize) -> Option<Node> {
        let value = self.option_value(depth)?;
        let name = self.name("o");
        let mutable = self.chance(40);
        let bind = self.bind(Var { mutable, ..Var::new(name, option()) });
        let text = if mutable { "let mut {} = {};" } else { "let {} = {};" };
        Some(node!("let option", Ty::Unit, text, bind, value))
    }

    fn call_for_option(&mut self, _: usize) -> Option<Node> {
        if !self.may_call() {
            return None;
        }
        let (args, params) = self.arguments()?;
        let name = self.callee(params, option());
        let call = called("call for an option", &name, args, option());
        let o = self.name("o");
        let bind = self.bind(Var::new(o, option()));
        Some(node!("", Ty::Unit, "let {} = {};", bind, call))
    }

    /// What an option holds, or something else.
    pub fn content(&mut self, depth: usize) -> Option<Node> {
        let k = self.option_var()?;
        let (o, v) = (self.used(k), self.name("v"));
        let other = self.typed(depth.saturating_sub(1));
        let other = self.bounded(other);
        let (v, of) = self.pure(|w| {
            let v = w.bind(Var::new(v, Ty::F));
            let value = w.typed(depth.saturating_sub(1));
            (v, w.bounded(value))
        });
        Some(match self.rng.u32(0..8) {
            0..=1 => node!("unwrap_or", Ty::F, "{6}.unwrap_or({})", o, other),
            2 => node!("unwrap_or_else", Ty::F, "{6}.unwrap_or_else(|| {})", o, other),
            3 => node!("map unwrap_or", Ty::F, "{6}.map(|{}| {}).unwrap_or({})", o, v, of, other),
            4 => node!("map_or", Ty::F, "{6}.map_or({}, |{}| {})", o, other, v, of),
            5 => node!("filter of an option", Ty::F, "{6}.filter(|v| *v > 0.2).unwrap_or({})", o, other),
            6 => node!(
                "and_then",
                Ty::F,
                "{6}.and_then(|{}| if {2} > 0.3 {{ Some({}) }} else {{ None }}).unwrap_or(0.5)",
                o,
                v,
                other,
                of
            ),
            _ => {
                let text = "match {} {{ Some({}) => {}, None => {} }}";
                node!("match of an option", Ty::F, text, o, v, of, other).level(level::LOGIC)
            }
        })
    }

    /// `if let Some(v) = o { .. } else { .. }`
    fn if_let_some(&mut self, depth: usize) -> Option<Node> {
        let on = match self.option_var().filter(|_| self.chance(60)) {
            Some(k) => self.used(k),
            None => self.option_value(depth).filter(|o| o.level > level::LOOSE)?,
        };
        let v = self.name("v");
        let (v, body) = self.inside(|w| (w.bind(Var::new(v, Ty::F)), w.body(2)));
        if self.chance(40) {
            let other = self.inside(|w| w.body(2));
            return Some(node!("if let some, else", Ty::Unit, "if let Some({}) = {} {} else {}", v, on, body, other));
        }
        Some(node!("if let some", Ty::Unit, "if let Some({}) = {} {}", v, on, body))
    }

    /// `let Some(v) = o else { return e; };`
    fn let_some_else(&mut self, _: usize) -> Option<Node> {
        let k = self.option_var()?;
        let on = self.used(k);
        let leave = match (self.exits.last().cloned(), self.result.clone()) {
            (Some(exit), _) if exit.value == Ty::Unit => {
                if exit.only_break || self.chance(50) {
                    node!("", Ty::Unit, "break")
                } else {
                    node!("", Ty::Unit, "continue")
                }
            }
            (None, Some(Ty::Unit)) => node!("", Ty::Unit, "return"),
            (None, Some(ty)) => {
                let value = self.value_of(&ty)?;
                node!("", Ty::Unit, "return {}", value)
            }
            _ => return None,
        };
        let v = self.name("v");
        let v = self.bind(Var::new(v, Ty::F));
        Some(node!("let some else", Ty::Unit, "let Some({}) = {} else {{ {}; }};", v, on, leave))
    }

    /// An option that a loop sets.
    fn best_so_far(&mut self, depth: usize) -> Option<Node> {
        let lists = self.readable(|v| matches!(v.ty.sequence(), Some((Ty::F, _))));
        let k = self.any(lists)?;
        let (name, v, x) = (self.name("o"), self.name("v"), self.bare(k));
        let (v, value, c) = self.repeated(4, |w| {
            w.pure(|w| {
                let v = w.bind(Var::new(v, Ty::F).behind(1));
                let value = w.typed(depth);
                (v, w.bounded(value), w.condition(1))
            })
        });
        let o = || Part::Use(name.clone());
        let set = match self.chance(50) {
            true => node!("", Ty::Unit, "if {} {{ {} = Some({}); }}", c, o(), value),
            false => {
                let text = "let better = match {} {{ Some(b) => {2} > b, None => true }};";
                let ask = node!("", Ty::Unit, text, o(), value.clone());
                node!("", Ty::Unit, "{}\n    if better {{ {} = Some({}); }}", ask, o(), value)
            }
        };
        let bind = self.bind(Var::new(name.clone(), option()).mutable());
        let run = node!("option set in a loop", Ty::Unit, "for {} in {6}.iter() {}", v, x, vec![set]);
        Some(node!("", Ty::Unit, "let mut {}: Option<@> = None;\n    {}", bind, run))
    }

    /// `let v = o?;`
    fn passed_on(&mut self, depth: usize) -> Option<Node> {
        if !matches!(self.result, Some(Ty::Option(_))) {
            return None;
        }
        let value = match self.option_var().filter(|_| self.chance(60)) {
            Some(k) => self.used(k),
            None => self.option_value(depth).filter(|o| o.level > level::LOOSE)?,
        };
        let v = self.name("v");
        let v = self.bind(Var::new(v, Ty::F).mutable());
        Some(node!("question mark", Ty::Unit, "let mut {} = {6}?;", v, value))
    }
}
