//! Iterator chains, as nests of counted loops.
//!
//! A chain is *indexed* (a range of integers and what belongs to each of them) as long as its
//! elements can be reached by index: slices, ranges, and what `map`, `zip`, `rev`, `windows` and
//! the like make of them. After a filter it is a *stream*: it can only be run through.
//!
//! Enters: a chain of iterator calls. Leaves: loops of the IR over its sources, with each closure inlined.
//! Imports: `lower`, `syntax`, `infer`, and the floors below `frontend`.

use crate::frontend::lower::context::{Lower, New, gathered};
use crate::frontend::lower::index;
use crate::frontend::lower::value::Value;
use crate::ir::affine;
use crate::ir::visit::{Touch, blocks, touched};
use crate::ir::*;
use proc_macro2::Span;
use quote::quote;
use std::rc::Rc;
pub mod adaptors;
pub mod consumers;
pub mod cursors;
pub mod filters;
pub mod handed;
pub mod selection;
pub mod sources;
pub mod successors;
pub mod totals;
pub mod tried;

pub use selection::applied;

/// An iterator that has not run yet.
#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "a function holds a few of them")]
pub enum Chain {
    /// By index.
    Indexed(Indexed),
    /// Only from front to back.
    Stream(Stream),
}

/// What belongs to an index.
pub type Get = Rc<dyn Fn(&mut Lower, Opaque) -> Value>;

/// A range of integers, and what belongs to each of them.
#[derive(Clone)]
pub struct Indexed {
    /// The first integer.
    pub lo: Opaque,
    /// The end; `None` if there is none.
    pub hi: Option<Opaque>,
    /// Whether the end is one of them.
    pub inclusive: bool,
    /// Only every so many.
    pub step: Option<Opaque>,
    /// From the end to the start.
    pub down: bool,
    /// The element.
    pub get: Get,
    /// Whether the element is the integer itself.
    pub integers: bool,
    /// The variable that says where it is, if it is run in parts.
    pub cursor: Option<Var>,
    /// What is left over by parts of one length.
    pub rest: Option<Rest>,
}

/// Makes what is left over.
pub type Rest = Rc<dyn Fn(&mut Lower) -> Value>;

/// What is done with an element; the last argument counts the variables before it was made.
pub type Each<'f> = dyn FnMut(&mut Lower, Value, usize) + 'f;

/// The same; the last argument is the source, if that has to be left.
pub type Until<'f> = dyn FnMut(&mut Lower, Value, usize, Option<usize>) + 'f;

/// Runs through a stream; the loops that it makes are left when the frame is.
pub type Drive = Rc<dyn Fn(&mut Lower, Option<usize>, &mut Each)>;

/// A chain that can only be run through.
#[derive(Clone)]
pub struct Stream {
    /// Runs through it.
    pub drive: Drive,
    /// Runs through it from the end to the start, if that is known.
    pub back: Option<Drive>,
    /// Whether it has no end.
    pub endless: bool,
}

impl Chain {
    /// A stream.
    pub fn stream(drive: impl Fn(&mut Lower, Option<usize>, &mut Each) + 'static) -> Self {
        Chain::Stream(Stream { drive: Rc::new(drive), back: None, endless: false })
    }

    /// The same chain, which has no end if that is so.
    pub fn without_end(self, endless: bool) -> Self {
        match self {
            Chain::Stream(s) => Chain::Stream(Stream { endless, ..s }),
            indexed => indexed,
        }
    }

    /// Whether it has no end.
    pub fn is_endless(&self) -> bool {
        match self {
            Chain::Indexed(ix) => ix.hi.is_none(),
            Chain::Stream(s) => s.endless,
        }
    }

    /// The elements of `0..len`.
    pub fn counted(len: Opaque, get: impl Fn(&mut Lower, Opaque) -> Value + 'static) -> Self {
        Chain::Indexed(Indexed::counted(Some(len), Rc::new(get)))
    }

    /// The same chain with its elements replaced.
    pub fn mapped(self, f: impl Fn(&mut Lower, Value) -> Value + 'static) -> Self {
        match self {
            Chain::Indexed(ix) => {
                let get = ix.get;
                let get = Rc::new(move |l: &mut Lower, k: Opaque| {
                    let value = get(l, k);
                    f(l, value)
                });
                Chain::Indexed(Indexed { get, integers: false, ..ix })
            }
            Chain::Stream(s) => {
                let f = Rc::new(f);
                let mapped = |drive: Drive| -> Drive {
                    let f = f.clone();
                    Rc::new(move |l, frame, each| {
                        drive(l, frame, &mut |l, value, mark| {
                            let value = f(l, value);
                            each(l, value, mark);
                        });
                    })
                };
                Chain::Stream(Stream { drive: mapped(s.drive), back: s.back.map(mapped), endless: s.endless })
            }
        }
    }
}

impl Indexed {
    /// The elements of `0..len`, or of `0..`.
    pub fn counted(len: Option<Opaque>, get: Get) -> Self {
        Indexed {
            lo: index::literal(0),
            hi: len,
            inclusive: false,
            step: None,
            down: false,
            get,
            integers: false,
            cursor: None,
            rest: None,
        }
    }

    /// Every integer of the range in its order.
    pub fn is_plain(&self) -> bool {
        !self.inclusive && self.step.is_none() && !self.down
    }

    fn is_counted(&self) -> bool {
        affine::literal_index(&self.lo) == Some(0) && self.is_plain()
    }
}

impl Lower {
    /// Runs through a chain.
    pub fn drive(&mut self, chain: &Chain, frame: Option<usize>, each: &mut Each) {
        match chain {
            Chain::Indexed(ix) => self.drive_indexed(ix, frame, each),
            Chain::Stream(s) => (s.drive)(self, frame, each),
        }
    }

    /// The same, where `each` may leave a chain that has no end: by its last argument.
    pub fn drive_until(&mut self, chain: &Chain, frame: Option<usize>, span: Span, each: &mut Until) {
        if !chain.is_endless() {
            return self.drive(chain, frame, &mut |l, value, mark| each(l, value, mark, None));
        }
        let source = self.enter_source(span);
        self.drive(chain, Some(source), &mut |l, value, mark| each(l, value, mark, Some(source)));
        self.leave();
    }

    fn drive_indexed(&mut self, ix: &Indexed, frame: Option<usize>, each: &mut Each) {
        let span = ix.lo.span;
        let lo = self.atom("lo", ix.lo.clone());
        let Some(hi) = ix.hi.clone() else { return self.drive_endless(ix, lo, frame, each) };
        let hi = self.atom("n", hi);
        let step = ix.step.clone().map(|s| self.atom("step", s));
        let mark = self.vars.len();
        let var = self.new_var(New::temp("k", span, Ty::Passive));
        let before = self.write_backs.len();
        let (body, ()) = self.inside(|l| {
            let k = Opaque::var(var, l.info(var));
            let item = match ix.integers {
                true => l.value_of(var),
                false => (ix.get)(l, k),
            };
            each(l, item, mark);
            l.write_back(before);
        });
        let until = frame.map(|f| self.jumps.frame(f)).filter(|f| f.left).map(|f| f.leave);
        self.emit(Stmt::For(For {
            var,
            lo,
            hi,
            inclusive: ix.inclusive,
            step,
            down: ix.down,
            until,
            checkpoint: None,
            body,
        }));
    }

    /// `for k in lo..`: left by a jump only.
    fn drive_endless(&mut self, ix: &Indexed, lo: Opaque, frame: Option<usize>, each: &mut Each) {
        let span = lo.span;
        let mark = self.vars.len();
        let var = self.new_var(New { hint: "next", span, ty: Ty::Passive, changes: true, site: None });
        self.info_mut(var).mutable = true;
        self.emit(Stmt::Let { var, expr: Expr::Opaque(lo) });
        let (body, ()) = self.inside(|l| {
            let k = l.hold("k", Opaque::var(var, l.info(var)));
            let (name, by) = (&l.info(var).name, ix.step.clone().unwrap_or_else(|| index::literal(1)));
            let by_tokens = &by.tokens;
            let mut next = Opaque { tokens: quote!(#name + #by_tokens), ..by.clone() };
            next.reads.insert(var);
            l.assign(Place::var(var), Assign::Set, Operand::Opaque(next), span);
            let item = match (ix.integers, k.reads.iter().next()) {
                (true, Some(v)) => l.value_of(*v),
                _ => (ix.get)(l, k),
            };
            each(l, item, mark);
        });
        let mut cond = Opaque::literal(quote!(true));
        if let Some(leave) = frame.map(|f| self.jumps.frame(f)).filter(|f| f.left).map(|f| f.leave) {
            let name = &self.info(leave).name;
            cond = Opaque::literal(quote!(!#name));
            cond.reads.insert(leave);
        }
        self.emit(Stmt::While { prelude: Block::default(), cond, body, checkpoint: None });
    }

    /// The same chain over `0..n`, or over `0..`.
    pub fn normalized(&mut self, ix: Indexed) -> Indexed {
        if ix.is_counted() {
            return ix;
        }
        let lo = self.atom("lo", ix.lo.clone());
        let hi = ix.hi.clone().map(|h| self.atom("hi", h));
        let step = ix.step.clone().map(|s| self.atom("step", s));
        let len = hi.as_ref().map(|hi| length(&lo, hi, ix.inclusive, step.as_ref()));
        let (get, down, inclusive, rest) = (ix.get, ix.down, ix.inclusive, ix.rest);
        let at = move |l: &mut Lower, j: Opaque| {
            let by = step.as_ref().map_or(j.clone(), |s| index::mul(&j, s));
            let k = match (&hi, down) {
                (Some(hi), true) if inclusive => index::sub(hi, &by),
                (Some(hi), true) => index::sub(&index::sub(hi, &index::literal(1)), &by),
                _ => index::add(&lo, &by),
            };
            get(l, k)
        };
        Indexed { rest, ..Indexed::counted(len, Rc::new(at)) }
    }
}

impl Lower {
    /// Whether to make an element changes something: then none may be passed over.
    pub fn has_effects(&mut self, ix: &Indexed) -> bool {
        self.tried(ix).1
    }

    /// An element as it would be made, and whether that changes something.
    pub fn tried(&mut self, ix: &Indexed) -> (Value, bool) {
        let parts = self.write_backs.len();
        let k = self.new_var(New::temp("k", ix.lo.span, Ty::Passive));
        let (body, element) = self.inside(|l| {
            let at = Opaque::var(k, l.info(k));
            (ix.get)(l, at)
        });
        let lent = self.write_backs.len() > parts;
        self.write_backs.truncate(parts);
        (element, lent || changes(&body.stmts))
    }
}

/// Whether statements change what they did not make, or check or print.
pub fn changes(stmts: &[Stmt]) -> bool {
    fn speaks(stmt: &Stmt) -> bool {
        matches!(stmt, Stmt::Effect { .. }) || blocks(stmt).iter().any(|b| b.stmts.iter().any(speaks))
    }
    let (written, own) = (touched(stmts, &[Touch::Write]), touched(stmts, &[Touch::Define]));
    !written.is_subset(&own) || stmts.iter().any(speaks)
}

/// `end - lo`, or zero: the integers' type may be known only from their use elsewhere.
fn difference(end: &Opaque, lo: &Opaque) -> Opaque {
    let (e, l) = (&end.tokens, &lo.tokens);
    gathered(quote!(::core::cmp::max(#e, #l) - #l), [end, lo].into_iter(), end.span)
}

/// How many integers there are from `lo` to `hi`.
fn length(lo: &Opaque, hi: &Opaque, inclusive: bool, step: Option<&Opaque>) -> Opaque {
    let end = if inclusive { index::add(hi, &index::literal(1)) } else { hi.clone() };
    let all = match (affine::literal_index(lo), affine::literal_index(&end)) {
        (Some(0), _) => end,
        (Some(a), Some(b)) => index::literal(b.saturating_sub(a)),
        _ => difference(&end, lo),
    };
    match step {
        Some(s) => index::method(&all, "div_ceil", s),
        None => all,
    }
}

/// `a.min(b)`.
pub fn smaller(a: &Opaque, b: &Opaque) -> Opaque {
    match (affine::literal_index(a), affine::literal_index(b)) {
        (Some(x), Some(y)) => index::literal(x.min(y)),
        _ if a.tokens.to_string() == b.tokens.to_string() => a.clone(),
        (Some(_), None) => index::method(b, "min", a),
        _ => index::method(a, "min", b),
    }
}

/// Tokens over several opaques.
pub fn over(tokens: proc_macro2::TokenStream, parts: &[&Opaque]) -> Opaque {
    gathered(tokens, parts.iter().copied(), parts[0].span)
}
