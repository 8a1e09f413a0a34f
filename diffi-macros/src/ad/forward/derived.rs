//! The tangents of derivative code, for second order.

use super::*;

impl Forward<'_> {
    pub(super) fn derived(&mut self, d: &Derived) {
        match d {
            Derived::Zero { var, like } | Derived::Unset { var, like, .. } => {
                self.out.push(Stmt::Derived(d.clone()));
                let dot = self.dot(*var);
                self.zero(dot, like.clone());
            }
            Derived::Guard { on, body } => {
                let body = self.block(body);
                self.out.push(Stmt::Derived(Derived::Guard { on: *on, body }));
            }
            Derived::PushFrame(r) => self.frame(r, Derived::PushFrame),
            Derived::PopFrame(r) => self.frame(r, Derived::PopFrame),
            Derived::StoreFrame(r) => self.frame(r, Derived::StoreFrame),
            Derived::LoadFrame(r) => self.frame(r, Derived::LoadFrame),
            Derived::Loop(l) => self.derived_loop(l),
            Derived::Times { iterations, body } => {
                let body = self.block(body);
                self.out.push(Stmt::Derived(Derived::Times { iterations: *iterations, body }));
            }
            Derived::Sweep(s) => self.sweep(s),
            other => {
                self.out.push(Stmt::Derived(other.clone()));
                let dot = self.derived_dot(other);
                self.out.extend(dot.map(Stmt::Derived));
            }
        }
    }

    /// The same statement of tangents, which comes after it.
    pub(super) fn derived_dot(&mut self, d: &Derived) -> Option<Derived> {
        Some(match d {
            Derived::Release { var } | Derived::View { var, .. } | Derived::Refill { var, .. } if !self.moves(*var) => {
                return None;
            }
            Derived::Release { var } => Derived::Release { var: self.dot(*var) },
            Derived::Acc { place, value, how } => {
                Derived::Acc { place: self.dot_of(place), value: self.dot_of(value), how: *how }
            }
            Derived::View { var, place, exclusive, on } => {
                let (var, place) = (self.dot(*var), self.dot_of(place));
                self.table.set_ref(var);
                Derived::View { var, place, exclusive: *exclusive, on: *on }
            }
            Derived::Refill { var, len, with } => {
                let with = self.refill_dot(with);
                Derived::Refill { var: self.dot(*var), len: len.clone(), with }
            }
            Derived::Fresh { bar, lo, hi } => Derived::Fresh { bar: self.dot(*bar), lo: lo.clone(), hi: hi.clone() },
            Derived::Clear { place, whole } => Derived::Clear { place: self.dot_of(place), whole: *whole },
            Derived::Still { place, like } => Derived::Still { place: self.dot_of(place), like: like.clone() },
            Derived::Pop { var, place } => Derived::Pop { var: self.dot(*var), place: self.dot_of(place) },
            Derived::Either { .. } => unreachable!("traces have no tangents"),
            other => unreachable!("all tangents are made before there is {other:?}"),
        })
    }

    pub(super) fn refill_dot(&mut self, with: &Refill) -> Refill {
        match with {
            Refill::Value(o) => self.place_dot(o).map_or(Refill::Zero, |dot| Refill::Value(Operand::Place(dot))),
            Refill::Zero => Refill::Zero,
            Refill::Anything => Refill::Anything,
            Refill::Copy(place) => Refill::Copy(self.dot_of(place)),
        }
    }

    pub(super) fn derived_loop(&mut self, l: &Loop) {
        let body = self.block(&l.on.body);
        let tangents = body.stmts.iter().find_map(|s| match s {
            Stmt::Derived(Derived::StoreFrame(r) | Derived::LoadFrame(r)) => Some(r.tangents(&self.table)),
            _ => None,
        });
        let frame = l.frame.map(|w| Widths { tangents: tangents.unwrap_or(0), ..w });
        let on = For { body, ..l.on.clone() };
        let mut first = l.first.clone();
        first.extend(self.carried_dots(&l.first));
        self.out.push(Stmt::Derived(Derived::Loop(Box::new(Loop { on, frame, first, ..l.clone() }))));
    }

    pub(super) fn frame(&mut self, frame: &TapeFrame, make: fn(TapeFrame) -> Derived) {
        let mut both = frame.clone();
        let moving = |list: &[Var]| -> Vec<Var> { list.iter().copied().filter(|v| self.moves(*v)).collect() };
        let (floats, mut wholes) = (moving(&frame.floats), moving(&frame.wholes));
        wholes.retain(|v| !frame.shapes.contains(v));
        both.floats.extend(floats.into_iter().map(|v| self.dot(v)));
        both.carried.extend(self.carried_dots(&frame.carried));
        both.whole_dots = wholes.into_iter().map(|v| (self.dot(v), v)).collect();
        self.out.push(Stmt::Derived(make(both)));
    }

    pub(super) fn sweep(&mut self, s: &Sweep) {
        let shapes = s.kind == SweepKind::Reverse && s.call.linear;
        let args = if shapes { vec![None; s.call.args.len()] } else { self.arguments(&s.call) };
        let bars = s.bars.iter().map(|bar| bar.as_ref().map(|(p, _)| p.clone())).collect::<Vec<_>>();
        let bars = bars.into_iter().map(|bar| bar.map(|p| self.dot_of(&p))).collect();
        let result = s.result.map(|v| self.dot(v));
        let result_bar = s.result_bar.map(|v| self.dot(v));
        let tangents = Some(SweepTangents { args, result, bars, result_bar });
        self.out.push(Stmt::Derived(Derived::Sweep(Box::new(Sweep { tangents, ..s.clone() }))));
    }
}
