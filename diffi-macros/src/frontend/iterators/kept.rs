//! Elements that outlive the iteration in which they are found: a number in a variable, a reference by the indices of its place.

use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Active, Passive, Refs, Value};
use crate::ir::*;
use proc_macro2::Span;
use quote::quote;

/// An element that is kept, once there is one.
#[derive(Default)]
pub struct Keeping {
    kept: Option<Kept>,
    vars: Vec<(Var, Expr)>,
}

/// An element that is kept.
enum Kept {
    /// A variable for a copy of it, and the references around that.
    Copy(Var, Refs),
    /// A place, the variables for the indices on the way to it, and the references around it.
    Place(Place, Vec<Var>, Refs),
    /// A variable for an option of what carries no derivative.
    Passive(Var, Refs, Ty),
    Tuple(Vec<Kept>),
    Ref(Box<Kept>),
    Unit,
}

impl Keeping {
    /// Keeps an element from now on; whether it can be kept.
    pub fn keep(&mut self, l: &mut Lower, value: Value, span: Span) -> bool {
        if matches!(value, Value::Poison | Value::Never) {
            return true;
        }
        if self.kept.is_none() {
            self.kept = self.slot_like(l, &value, span);
        }
        self.kept.as_ref().is_some_and(|kept| store(l, kept, value, span))
    }

    /// Makes the variables, without keeping anything yet.
    pub fn prepare(&mut self, l: &mut Lower, value: &Value, span: Span) {
        if self.kept.is_none() {
            self.kept = self.slot_like(l, value, span);
        }
    }

    /// What is kept now.
    pub fn now(&self, l: &mut Lower) -> Value {
        self.kept.as_ref().map_or(Value::Poison, |kept| read(l, kept))
    }

    /// Declares the variables in front of the statement with this number in the open block.
    pub fn declare(&mut self, l: &mut Lower, at: usize) {
        let lets = std::mem::take(&mut self.vars).into_iter().map(|(var, expr)| Stmt::Let { var, expr });
        let block = l.open.last_mut().expect("a block is open");
        block.stmts.splice(at..at, lets);
    }

    fn slot_like(&mut self, l: &mut Lower, value: &Value, span: Span) -> Option<Kept> {
        Some(match value {
            Value::Active(a) if a.refs.depth > 0 && is_outside(l, &a.place) => {
                let indices = indices(&a.place).len();
                let vars = (0..indices).map(|_| self.index(l, span)).collect();
                Kept::Place(a.place.clone(), vars, a.refs)
            }
            Value::Active(a) if a.refs.exclusive => {
                l.errors.exclusive_kept(span);
                return None;
            }
            Value::Active(a) => {
                let ty = match l.ty_of(&a.place) {
                    Ty::Slice(element) => Ty::Vec(element),
                    ty => ty,
                };
                let var = l.unset("kept", &ty, None, span);
                l.info_mut(var).mutable = true;
                self.vars.push((var, l.blank(var)));
                Kept::Copy(var, a.refs)
            }
            Value::Passive(p) => {
                let var = l.new_var(New { hint: "kept", span, ty: Ty::Passive, changes: true, site: None });
                l.info_mut(var).mutable = true;
                let none = PassiveCode { span, ..PassiveCode::literal(quote!(::core::option::Option::None)) };
                self.vars.push((var, Expr::Passive(none)));
                Kept::Passive(var, p.refs, p.ty.clone())
            }
            Value::Tuple(all) => {
                Kept::Tuple(all.iter().map(|v| self.slot_like(l, v, span)).collect::<Option<Vec<_>>>()?)
            }
            Value::Ref(inner) => Kept::Ref(Box::new(self.slot_like(l, inner, span)?)),
            Value::Unit => Kept::Unit,
            _ => {
                let instead = "write a `for` loop, and keep the value in a variable declared before it";
                l.errors.unsupported(span, "an element of this kind that outlives its iteration", instead);
                return None;
            }
        })
    }

    fn index(&mut self, l: &mut Lower, span: Span) -> Var {
        let var = l.new_var(New { hint: "at", span, ty: Ty::Passive, changes: true, site: None });
        l.info_mut(var).mutable = true;
        self.vars.push((var, Expr::Passive(PassiveCode { span, ..PassiveCode::literal(quote!(0usize)) })));
        var
    }
}

/// Whether a place is one of a variable that was there before the open loops.
fn is_outside(l: &Lower, place: &Place) -> bool {
    let inner = l.open.iter().skip(1).flat_map(|block| &block.stmts);
    let declared = |s: &Stmt| matches!(s, Stmt::Let { var, .. } | Stmt::Declare { var } if *var == place.root);
    !inner.rev().any(declared) || l.fact(place.root).is_named()
}

/// The indices on the way to a place.
fn indices(place: &Place) -> Vec<&PassiveCode> {
    fn of(step: &Proj) -> Vec<&PassiveCode> {
        match step {
            Proj::Index(i) => vec![i],
            Proj::Range(lo, hi) => lo.iter().chain(hi).collect(),
            _ => Vec::new(),
        }
    }
    place.path.iter().flat_map(of).collect()
}

/// The same place, with other indices.
fn with_indices(place: &Place, others: Vec<PassiveCode>) -> Place {
    let mut place = place.clone();
    let mut others = others.into_iter();
    for step in &mut place.path {
        match step {
            Proj::Index(i) => *i = others.next().expect("as many indices"),
            Proj::Range(lo, hi) => {
                for end in [lo, hi].into_iter().flatten() {
                    *end = others.next().expect("as many indices");
                }
            }
            _ => {}
        }
    }
    place
}

/// Whether two places differ in indices alone.
fn is_alike(a: &Place, b: &Place) -> bool {
    let blank = |place: &Place| {
        let count = indices(place).len();
        crate::ir::place::key(&with_indices(place, vec![PassiveCode::literal(quote!(_)); count]))
    };
    blank(a) == blank(b)
}

fn store(l: &mut Lower, kept: &Kept, value: Value, span: Span) -> bool {
    match (kept, value) {
        (Kept::Place(place, vars, _), Value::Active(a)) if is_alike(place, &a.place) => {
            let now: Vec<PassiveCode> = indices(&a.place).into_iter().cloned().collect();
            for (var, index) in vars.iter().zip(now) {
                l.assign(Place::var(*var), Assign::Set, Operand::Passive(index), span);
            }
        }
        (Kept::Place(..), value) if value.is_active() => {
            let instead = "copy the element (`copied()`), or write a `for` loop";
            l.errors.unsupported(span, "a reference that leads to different variables", instead);
            return false;
        }
        (Kept::Copy(var, _), value) => {
            let target = l.value_of(*var);
            let value = match value {
                Value::Active(a) if matches!(l.ty_of(&a.place), Ty::Slice(_)) => l.vec_of(a.place, span),
                value => value.dereferenced_fully(),
            };
            l.store(target, value, span);
        }
        (Kept::Passive(var, refs, _), value) => {
            let depth = refs.depth;
            let shown = l.show(&value.dereferenced_fully(), span);
            let name = l.info(*var).name.clone();
            let tokens = match depth {
                0 => shown.map(|t| quote!(#name = ::core::option::Option::Some(#t);)),
                _ => shown.map(|t| quote!(#name = ::core::option::Option::Some((#t).to_owned());)),
            };
            let mut tokens = tokens;
            tokens.reads.insert(*var);
            l.emit(Stmt::Effect { tokens, writes: [*var].into() });
        }
        (Kept::Tuple(all), Value::Tuple(values)) if all.len() == values.len() => {
            return all.iter().zip(values).fold(true, |fits, (kept, v)| store(l, kept, v, span) && fits);
        }
        (Kept::Ref(kept), Value::Ref(value)) => return store(l, kept, *value, span),
        (Kept::Unit, _) => {}
        _ => l.errors.pattern(span),
    }
    true
}

fn read(l: &mut Lower, kept: &Kept) -> Value {
    match kept {
        Kept::Copy(var, refs) => l.value_of(*var).behind(*refs),
        Kept::Place(place, vars, refs) => {
            let now = vars.iter().map(|var| l.hold("at", PassiveCode::var(*var, l.info(*var)))).collect();
            Value::Active(Active { place: with_indices(place, now), refs: *refs })
        }
        Kept::Passive(var, refs, ty) => {
            let all = PassiveCode::var(*var, l.info(*var));
            let content = all.map(|t| quote!(::core::clone::Clone::clone(&#t).expect("an element was kept")));
            Value::Passive(Passive { passive: content, refs: *refs, ty: ty.clone(), root: None })
        }
        Kept::Tuple(all) => Value::Tuple(all.iter().map(|kept| read(l, kept)).collect()),
        Kept::Ref(kept) => Value::Ref(Box::new(read(l, kept))),
        Kept::Unit => Value::Unit,
    }
}
