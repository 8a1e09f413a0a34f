//! Containers that are changed in place.

use super::Writer;
use super::scope::Var;
use crate::program::*;

impl Writer {
    fn list_to_change(&mut self, least: usize) -> Option<(usize, usize)> {
        let of = self.writable(|v| matches!(v.ty.sequence(), Some((Ty::F, Some(n))) if n >= least));
        let k = self.any(of)?;
        let n = self.scope[k].ty.sequence()?.1?;
        Some((k, n))
    }

    /// `for v in x.iter_mut() { .. }`
    pub fn for_mutable(&mut self, _: usize) -> Option<Node> {
        let (k, n) = self.list_to_change(1)?;
        let (v, i, u) = (self.name("v"), self.name("i"), self.name("u"));
        let x = self.bare(k);
        let others: Vec<usize> = self.readable(|o| matches!(o.ty.sequence(), Some((Ty::F, Some(_)))));
        let other = self.any(others.into_iter().filter(|o| *o != k).collect());
        let kind = self.rng.u32(0..7);
        let size = self.rng.usize(1..3);
        let frozen: Vec<usize> = other.into_iter().collect();
        let other_text = other.map(|o| self.bare(o));
        self.borrowing(&[k], true, |w| {
            w.borrowing(&frozen, false, |w| {
                w.repeated(n, |w| {
                    let element = Var::new(v, Ty::F).behind(1).mutable();
                    Some(match (kind, other_text) {
                        (0..=1, Some(other)) => {
                            let (v, u) = (w.bind(element), w.bind(Var::new(u, Ty::F).behind(1)));
                            let body = w.body(2);
                            node!(
                                "iter_mut zip",
                                Ty::Unit,
                                "for ({}, {}) in {6}.iter_mut().zip({6}.iter()) {}",
                                v,
                                u,
                                x,
                                other,
                                body
                            )
                        }
                        (2..=3, _) => {
                            let (i, v) = (w.bind(Var::new(i, Ty::I).within(0, n)), w.bind(element));
                            let body = w.body(2);
                            node!(
                                "iter_mut enumerate",
                                Ty::Unit,
                                "for ({}, {}) in {6}.iter_mut().enumerate() {}",
                                i,
                                v,
                                x,
                                body
                            )
                        }
                        (4, _) => {
                            let part = Ty::Vec(Box::new(Ty::F), Some(size));
                            let bind = w.bind(Var { ty: part, ..element });
                            let body = w.body(2);
                            node!(
                                "chunks_exact_mut",
                                Ty::Unit,
                                "for {} in {6}.chunks_exact_mut({}) {}",
                                bind,
                                x,
                                size,
                                body
                            )
                        }
                        (5, _) => {
                            let bind = w.bind(element);
                            let body = w.body(2);
                            node!(
                                "iter_mut rev skip",
                                Ty::Unit,
                                "for {} in {6}.iter_mut().rev().skip(1) {}",
                                bind,
                                x,
                                body
                            )
                        }
                        _ => {
                            let bind = w.bind(element);
                            let body = w.body(2);
                            node!("iter_mut", Ty::Unit, "for {} in {6}.iter_mut() {}", bind, x, body)
                        }
                    })
                })
            })
        })
    }

    /// `x.iter_mut().for_each(|v| ..);`, `x.iter().for_each(|v| ..);`
    pub fn for_each(&mut self, _: usize) -> Option<Node> {
        let (k, n) = self.list_to_change(1)?;
        let (v, x) = (self.name("v"), self.bare(k));
        let exits = std::mem::take(&mut self.exits);
        let result = self.result.take();
        let shared = self.chance(40) && self.scope[k].parent.is_none();
        let node = self.borrowing(&[k], !shared, |w| {
            w.repeated(n, |w| {
                let element = Var::new(v, Ty::F).behind(1);
                let bind = w.bind(Var { mutable: !shared, ..element });
                let body = w.body(2);
                match shared {
                    true => node!("for_each", Ty::Unit, "{6}.iter().for_each(|{}| {});", x, bind, body),
                    false => node!("iter_mut for_each", Ty::Unit, "{6}.iter_mut().for_each(|{}| {});", x, bind, body),
                }
            })
        });
        (self.exits, self.result) = (exits, result);
        Some(node)
    }

    /// `x.swap(i, j);`, `mem::swap(&mut a, &mut b);`
    pub fn swap(&mut self, _: usize) -> Option<Node> {
        if self.chance(50) {
            let (k, n) = self.list_to_change(2)?;
            let x = self.bare(k);
            return Some(match self.rng.u32(0..6) {
                0 => node!("reverse", Ty::Unit, "{6}.reverse();", x),
                1 => node!("rotate_left", Ty::Unit, "{6}.rotate_left({});", x, n / 2),
                2 => node!("rotate_right", Ty::Unit, "{6}.rotate_right(1);", x),
                _ => {
                    let (i, j) = self.borrowing(&[k], true, |w| (w.index(n), w.index(n)));
                    node!("swap", Ty::Unit, "{6}.swap({}, {});", x, i, j)
                }
            });
        }
        let of = self.writable(|v| v.whole && v.ty.is_active() && v.derefs == 0 && !matches!(v.ty, Ty::Option(_)));
        let a = self.any(of.clone())?;
        let b = self.any(of.into_iter().filter(|b| *b != a && self.scope[*b].ty == self.scope[a].ty).collect())?;
        let construct = if self.scope[a].ty == Ty::F { "swap of numbers" } else { "swap of variables" };
        Some(node!(construct, Ty::Unit, "std::mem::swap({}, {});", self.lent(a, true), self.lent(b, true)))
    }

    pub fn fill_or_copy(&mut self, depth: usize) -> Option<Node> {
        let (k, n) = self.list_to_change(1)?;
        let x = self.bare(k);
        let of = self.readable(|v| v.ty.sequence().is_some_and(|(of, m)| *of == Ty::F && m == Some(n)));
        let other = self.any(of.into_iter().filter(|o| *o != k).collect());
        match other {
            Some(o) if self.chance(60) => {
                Some(node!("copy_from_slice", Ty::Unit, "{6}.copy_from_slice(&{6}[..]);", x, self.bare(o)))
            }
            _ => {
                let low = self.rng.usize(0..n);
                let v = self.borrowing(&[k], true, |w| w.small(depth));
                Some(match self.chance(50) {
                    true => node!("fill", Ty::Unit, "{6}.fill({});", x, v),
                    false => node!("fill of a part", Ty::Unit, "{6}[{}..].fill({});", x, low, v),
                })
            }
        }
    }

    /// `let (a, b) = x.split_at_mut(k); ..`
    pub fn split_in_two(&mut self, _: usize) -> Option<Node> {
        let (k, n) = self.list_to_change(2)?;
        let at = self.rng.usize(1..n);
        let x = self.bare(k);
        let (a, b) = (self.name("p"), self.name("p"));
        let part = |name: String, n: usize| Var::new(name, Ty::Vec(Box::new(Ty::F), Some(n))).behind(1).mutable();
        let block = self.borrowing(&[k], true, |w| {
            w.inside(|w| {
                let (a, b) = (w.bind(part(a, at)), w.bind(part(b, n - at)));
                let mut block =
                    vec![node!("split_at_mut", Ty::Unit, "let ({}, {}) = {6}.split_at_mut({});", a, b, x, at)];
                block.extend(w.body(3));
                block
            })
        });
        Some(node!("", Ty::Unit, "{}", block))
    }

    /// Two buffers that take turns.
    pub fn double_buffer(&mut self, _: usize) -> Option<Node> {
        let of = self.readable(|v| matches!(v.ty.sequence(), Some((Ty::F, Some(2..)))));
        let k = self.any(of)?;
        let n = self.scope[k].ty.sequence()?.1?;
        let (now, next, i) = (self.name("now"), self.name("next"), self.name("i"));
        let list = || Ty::Vec(Box::new(Ty::F), Some(n));
        let x = self.bare(k);
        let (a, b) =
            (self.bind(Var::new(now.clone(), list()).mutable()), self.bind(Var::new(next.clone(), list()).mutable()));
        let (u, v) = (|| Part::Use(now.clone()), || Part::Use(next.clone()));
        let iterations = self.rng.usize(1..4);
        let (i, value) = self.repeated(iterations * n, |w| {
            let written = w.scope.len() - 1;
            let i = w.bind(Var::new(i, Ty::I).within(0, n));
            w.scope[written].hidden += 1;
            let value = w.typed(1);
            let value = w.bounded(value);
            w.scope[written].hidden -= 1;
            (i, value)
        });
        let Part::Bind(index) = &i else { return None };
        let index = Part::Use(index.clone());
        let update = node!("", Ty::Unit, "{}[{}] = 0.5 * {}[{}] + {3};", v(), index.clone(), u(), index, value);
        let inner = node!("", Ty::Unit, "for {} in 0..{} {}", i, n, vec![update]);
        let swap = match self.rng.u32(0..3) {
            0 => node!("", Ty::Unit, "({}, {}) = ({}, {});", u(), v(), v(), u()),
            _ => node!("", Ty::Unit, "std::mem::swap(&mut {}, &mut {});", u(), v()),
        };
        let outer = node!("double buffer", Ty::Unit, "for _ in 0..{} {}", iterations, vec![inner, swap]);
        Some(node!(
            "",
            Ty::Unit,
            "let mut {} = {6}.to_vec();\n    let mut {} = vec![0.0; {}];\n    {}",
            a,
            x,
            b,
            n,
            outer
        ))
    }

    /// A `Vec` that grows in a loop.
    pub fn pushes(&mut self, depth: usize) -> Option<Node> {
        let (name, i) = (self.name("g"), self.name("i"));
        let n = self.rng.usize(1..5);
        let (i, value) = self.repeated(n, |w| {
            let i = w.bind(Var::new(i, Ty::I).within(0, n));
            let mut value = w.typed(depth);
            if w.chance(40) {
                let last =
                    node!("last while growing", Ty::F, "{}.last().copied().unwrap_or(0.4)", Part::Use(name.clone()));
                value = node!("", Ty::F, "{2} - {3}", value, last).level(level::SUM);
            }
            (i, w.bounded(value))
        });
        let push = node!("push", Ty::Unit, "{}.push({});", Part::Use(name.clone()), value);
        let bind = self.bind(Var::new(name, Ty::Vec(Box::new(Ty::F), Some(n))).mutable());
        let body = node!("", Ty::Unit, "for {} in 0..{} {}", i, n, vec![push]);
        Some(node!("pushes in a loop", Ty::Unit, "let mut {}: Vec<@> = Vec::new();\n    {}", bind, body))
    }

    /// `x.push(e);` where the length stays known.
    pub fn push_once(&mut self, depth: usize) -> Option<Node> {
        if self.nesting > 0 || self.barrier > 0 {
            return None;
        }
        let of = self.writable(|v| v.whole && v.parent.is_none() && matches!(&v.ty, Ty::Vec(of, _) if **of == Ty::F));
        let k = self.any(of)?;
        let value = self.borrowing(&[k], false, |w| w.small(depth));
        let x = self.bare(k);
        if let Ty::Vec(_, Some(n)) = &mut self.scope[k].ty {
            *n += 1;
        }
        Some(node!("push", Ty::Unit, "{6}.push({});", x, value))
    }

    /// `x = ..;`, `let old = mem::replace(&mut x, ..);`
    pub fn whole_assignment(&mut self, depth: usize) -> Option<Node> {
        let of = self.writable(|v| v.whole && v.derefs == 0 && v.ty.is_active() && v.ty != Ty::F);
        let k = self.any(of)?;
        let ty = self.scope[k].ty.clone();
        let replaced = self.chance(20) && !matches!(ty, Ty::Option(_));
        let hidden: Vec<usize> = if replaced { vec![k] } else { vec![] };
        let value = self.borrowing(&hidden, true, |w| match (&ty, w.chance(50)) {
            (Ty::Vec(of, Some(n)), true) if **of == Ty::F => {
                w.collected(depth).filter(|(_, len)| *len == Some(*n)).map(|(node, _)| node)
            }
            _ => w.value_of(&ty),
        })?;
        if replaced {
            let name = self.name("old");
            let text = self.lent(k, true);
            let old = self.bind(Var::new(name, ty));
            return Some(node!("mem::replace", Ty::Unit, "let {} = std::mem::replace({}, {});", old, text, value));
        }
        Some(node!("whole assignment", Ty::Unit, "{} = {};", self.bare(k), value))
    }

    /// `let s = &x[a..b];` and what reads it.
    pub fn sub_slice(&mut self, _: usize) -> Option<Node> {
        let of = self.readable(|v| matches!(v.ty.sequence(), Some((Ty::F, Some(2..)))));
        let k = self.any(of)?;
        let n = self.scope[k].ty.sequence()?.1?;
        let low = self.rng.usize(0..n - 1);
        let high = self.rng.usize(low + 1..n + 1);
        let name = self.name("s");
        let x = self.bare(k);
        let block = self.borrowing(&[k], false, |w| {
            w.inside(|w| {
                let bind = w.bind(Var::new(name, Ty::Vec(Box::new(Ty::F), Some(high - low))).behind(1));
                let head = node!("sub-slice", Ty::Unit, "let {} = &{6}[{}..{}];", bind, x, low, high);
                let mut block = vec![head];
                block.extend(w.body(3));
                block
            })
        });
        Some(node!("", Ty::Unit, "{}", block))
    }

    /// `let r = &mut x; ..`
    pub fn exclusive_reference(&mut self, _: usize) -> Option<Node> {
        let of = self.writable(|v| v.ty.is_active() && v.closure.is_none());
        let k = self.any(of)?;
        let name = self.name("r");
        let (ty, text) = (self.scope[k].ty.clone(), self.bare(k));
        let (construct, ty, text) = match &ty {
            Ty::F if self.scope[k].derefs > 0 => return None,
            Ty::F => ("reference to a number", Ty::F, node!("", Ty::Unit, "&mut {}", text)),
            Ty::User(_) if self.scope[k].derefs > 0 => return None,
            Ty::User(_) => ("reference to a struct", ty.clone(), node!("", Ty::Unit, "&mut {}", text)),
            Ty::Array(of, n) | Ty::Vec(of, Some(n)) if *n > 0 => match self.chance(50) {
                true => {
                    let at = self.borrowing(&[k], true, |w| w.index(*n));
                    ("reference to an element", (**of).clone(), node!("", Ty::Unit, "&mut {6}[{}]", text, at))
                }
                false => {
                    let low = self.rng.usize(0..*n);
                    let part = Ty::Vec(of.clone(), Some(n - low));
                    ("exclusive sub-slice", part, node!("", Ty::Unit, "&mut {6}[{}..]", text, low))
                }
            },
            _ => return None,
        };
        let block = self.borrowing(&[k], true, |w| {
            w.inside(|w| {
                let typed = w.scope[k].typed;
                let bind = w.bind(Var { typed, ..Var::new(name, ty).behind(1).mutable() });
                let mut block = vec![node!(construct, Ty::Unit, "let {} = {};", bind, text)];
                block.extend(w.body(2));
                block
            })
        });
        Some(node!("", Ty::Unit, "{}", block))
    }
}
