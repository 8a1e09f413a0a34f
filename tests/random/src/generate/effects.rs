//! Effects where a value is expected: in macros, indices, messages and patterns, each in the order of the language.

use super::Writer;
use super::scope::Var;
use crate::program::*;

type Construct = super::Construct<Node>;

const STATEMENTS: &[(u32, Construct)] = &[
    (3, Writer::asserted),
    (2, Writer::asserted_equal),
    (2, Writer::shown),
    (2, Writer::written_out),
    (3, Writer::by_ref_mut),
    (4, Writer::index_with_an_effect),
    (3, Writer::message_with_an_effect),
    (3, Writer::popped_in_a_loop),
    (3, Writer::ends_of_a_slice),
    (2, Writer::head_and_rest),
];

impl Writer {
    /// A statement with an effect within a value.
    pub fn with_an_effect(&mut self, depth: usize) -> Option<Node> {
        self.choose(STATEMENTS, depth)
    }

    /// A number that can be changed: its number, and what names it.
    fn number(&mut self) -> Option<(usize, String)> {
        let all = self.writable(|v| v.ty == Ty::F && v.derefs == 0 && v.parent.is_none() && v.typed);
        let k = self.old(all)?;
        Some((k, self.scope[k].name.clone()))
    }

    /// The same, and a list of numbers that is not empty.
    fn number_and_list(&mut self) -> Option<(String, usize)> {
        let (_, name) = self.number()?;
        let lists = self.readable(|v| matches!(v.ty.sequence(), Some((Ty::F, Some(1..)))));
        Some((name, self.any(lists)?))
    }

    /// `s = 0.6 * s + 0.4 * e;`
    fn effect(&mut self, depth: usize) -> Option<Node> {
        let (_, s) = self.number()?;
        let value = self.typed(depth.min(1));
        let value = self.bounded(value);
        let used = || Part::Use(s.clone());
        Some(node!("", Ty::Unit, "{} = 0.6 * {} + 0.4 * {3};", used(), used(), value))
    }

    fn asserted(&mut self, depth: usize) -> Option<Node> {
        let effect = self.effect(depth)?;
        Some(node!("assert! with an effect", Ty::Unit, "assert!({{ {} true }});", effect))
    }

    fn asserted_equal(&mut self, depth: usize) -> Option<Node> {
        let effect = self.effect(depth)?;
        Some(node!("assert_eq! with an effect", Ty::Unit, "assert_eq!({{ {} 1 }}, 1);", effect))
    }

    fn shown(&mut self, depth: usize) -> Option<Node> {
        let effect = self.effect(depth)?;
        let value = self.typed(depth);
        let value = self.bounded(value);
        let name = self.name("a");
        let bind = self.bind(Var::new(name, Ty::F));
        Some(node!("dbg! with an effect", Ty::Unit, "let {} = dbg!({{ {} {} }});", bind, effect, value))
    }

    fn written_out(&mut self, depth: usize) -> Option<Node> {
        let effect = self.effect(depth)?;
        Some(node!("format! with an effect", Ty::Unit, "let _ = format!(\"{{}}\", {{ {} 1 }});", effect))
    }

    /// `{ let ref mut r = s; *r *= e; }`
    fn by_ref_mut(&mut self, depth: usize) -> Option<Node> {
        let (k, s) = self.number()?;
        let value = self.borrowing(&[k], true, |w| {
            let value = w.typed(depth);
            w.bounded(value)
        });
        let r = self.name("r");
        let used = || Part::Use(r.clone());
        Some(match self.chance(50) {
            true => {
                let text = "{{ let ref mut {} = {}; *{} = 0.5 * *{} + {3}; }}";
                node!("ref mut in a let", Ty::Unit, text, Part::Bind(r.clone()), Part::Use(s), used(), used(), value)
            }
            false => {
                let text = "match {} {{ ref mut {} => *{} = 0.5 * *{} + {3} }}";
                node!("ref mut in a match", Ty::Unit, text, Part::Use(s), Part::Bind(r.clone()), used(), used(), value)
            }
        })
    }

    /// `w[{ s = ..; i }] = s;`: the value is read first.
    fn index_with_an_effect(&mut self, depth: usize) -> Option<Node> {
        let (k, s) = self.number()?;
        let lists = self.writable(|v| matches!(v.ty.sequence(), Some((Ty::F, Some(1..)))));
        let list = self.any(lists)?;
        let n = self.scope[list].ty.sequence()?.1?;
        let x = self.bare(list);
        let effect = self.borrowing(&[list], true, |w| w.effect(depth))?;
        let at = self.borrowing(&[list, k], true, |w| w.index(n));
        Some(node!("index with an effect", Ty::Unit, "{6}[{{ {} {} }}] = {};", x, effect, at, Part::Use(s)))
    }

    /// `let a = Some(e).expect({ s = ..; "there" });`
    fn message_with_an_effect(&mut self, depth: usize) -> Option<Node> {
        let value = self.typed(depth);
        let value = self.bounded(value);
        let effect = self.effect(depth)?;
        let name = self.name("a");
        let bind = self.bind(Var::new(name, Ty::F));
        let text = "let {} = Some({}).expect({{ {} \"there\" }});";
        Some(node!("expect with an effect", Ty::Unit, text, bind, value, effect))
    }

    /// `while let Some(v) = q.pop() { s = .. }`
    fn popped_in_a_loop(&mut self, _: usize) -> Option<Node> {
        let (s, list) = self.number_and_list()?;
        let (q, v, x) = (self.name("q"), self.name("v"), self.bare(list));
        let (list, item) = (|| Part::Use(q.clone()), Part::Use(v.clone()));
        let (s, t) = (Part::Use(s.clone()), Part::Use(s));
        let text = "{{ let mut {} = {6}.to_vec(); while let Some({}) = {}.pop() {{ {} = 0.5 * {} + 0.3 * {}; }} }}";
        let (bind, bind_item) = (Part::Bind(q.clone()), Part::Bind(v.clone()));
        Some(node!("while let pop", Ty::Unit, text, bind, x, bind_item, list(), s, t, item))
    }

    /// `if let [a, .., b] = x[..] { s = .. }`
    fn ends_of_a_slice(&mut self, _: usize) -> Option<Node> {
        let (s, list) = self.number_and_list()?;
        let (a, b, x) = (self.name("v"), self.name("v"), self.bare(list));
        let (s, t) = (Part::Use(s.clone()), Part::Use(s));
        let text = "if let [{}, .., {}] = {6}[..] {{ {} = 0.5 * {} + 0.3 * {} * {}; }}";
        let (bind_a, bind_b) = (Part::Bind(a.clone()), Part::Bind(b.clone()));
        Some(node!("ends of a slice", Ty::Unit, text, bind_a, bind_b, x, s, t, Part::Use(a), Part::Use(b)))
    }

    /// `if let [a, rest @ ..] = &x[..] { s = .. }`
    fn head_and_rest(&mut self, _: usize) -> Option<Node> {
        let (s, list) = self.number_and_list()?;
        let (a, rest, x) = (self.name("v"), self.name("s"), self.bare(list));
        let (s, t) = (Part::Use(s.clone()), Part::Use(s));
        let text = "if let [{}, {} @ ..] = &{6}[..] {{ {} = 0.5 * {} + *{} * {}.iter().sum::<@>().sin(); }}";
        let (bind_a, bind_rest) = (Part::Bind(a.clone()), Part::Bind(rest.clone()));
        Some(node!(
            "head and rest of a slice",
            Ty::Unit,
            text,
            bind_a,
            bind_rest,
            x,
            s,
            t,
            Part::Use(a),
            Part::Use(rest)
        ))
    }
}
