//! Calls of annotated functions.

use super::{Emit, Order};
use crate::ir::*;

impl Emit<'_> {
    /// The function itself.
    pub fn primal_call(&self, call: &Call) -> String {
        let args: String = call.args.iter().map(|a| self.argument(a) + ", ").collect();
        format!("{}({args})", self.holes.put(call.written.clone()))
    }

    fn argument(&self, arg: &CallArg) -> String {
        match arg {
            CallArg::Ref(p) => format!("&{}", self.place(p)),
            CallArg::Mut(p) => format!("&mut {}", self.place(p)),
            CallArg::Value(o) => self.owned(o),
            CallArg::Passive(o) => self.opaque(o),
        }
    }

    /// A sweep of a called function.
    pub fn sweep(&self, s: &Sweep) -> String {
        let path = self.holes.put(s.call.path.clone());
        let (before, args) = self.slotted(s);
        let result = self.results(s);
        let pull = if self.is_second() { "__pull_push" } else { "__pull" };
        match s.kind {
            SweepKind::Push => format!("{before} let {result} = <{path}>::__push({args} ws);"),
            SweepKind::Both => {
                let bars = self.result_bars(s);
                let call = format!("<{path}>::{pull}(__d::Both(__d::On), {args} {bars} ws)");
                format!("{before} let {result} = {call}.expect(\"the value was asked for\");")
            }
            SweepKind::Forward => {
                let none = "::core::option::Option::None, ".repeat(if self.order == Order::Second { 2 } else { 1 });
                let call = format!("<{path}>::{pull}(__d::Forward, {args} {none} ws)");
                format!("{before} let {result} = {call}.expect(\"the forward sweep has a value\");")
            }
            SweepKind::Reverse => {
                let bars = self.result_bars(s);
                format!("{before} let _ = <{path}>::{pull}(__d::Reverse, {args} {bars} ws);")
            }
        }
    }

    /// `y`, or `(y, y_dot)`.
    fn results(&self, s: &Sweep) -> String {
        let annotated = |var: Var| format!("{}{}", self.mutable(var), self.name(var));
        let result = s.result.map_or("_".to_owned(), annotated);
        match &s.tangents {
            Some(SweepTangents { result: dot, .. }) => {
                format!("({result}, {})", dot.map_or("_".to_owned(), annotated))
            }
            None => result,
        }
    }

    /// What comes before the call, and its arguments, each followed by its slots.
    fn slotted(&self, s: &Sweep) -> (String, String) {
        let (mut before, mut args) = (String::new(), String::new());
        for (k, arg) in s.call.args.iter().enumerate() {
            args += &(self.argument(arg) + ", ");
            let bar = s.bars.get(k).and_then(Option::as_ref);
            if let Some(t) = &s.tangents {
                let dot = t.args.get(k).and_then(Option::as_ref);
                let kind = if matches!(arg, CallArg::Mut(_)) { SlotKind::Exclusive } else { SlotKind::Shared };
                args += &self.slot(arg, dot.map(|(p, on)| (p, *on)), kind, &format!("dot_{k}"), &mut before);
            }
            if s.kind == SweepKind::Push {
                continue;
            }
            let shadow = bar.map(|(p, on)| (p, *on));
            args += &self.slot(arg, shadow, SlotKind::Exclusive, &format!("bar_{k}"), &mut before);
            if let Some(t) = &s.tangents {
                let dot = t.bars.get(k).and_then(Option::as_ref).zip(bar).map(|(p, (_, on))| (p, *on));
                args += &self.slot(arg, dot, SlotKind::Exclusive, &format!("bar_dot_{k}"), &mut before);
            }
        }
        (before, args)
    }

    /// The slot for an argument's shadow. The callee takes an argument for active that the caller
    /// may have switched off in the call at hand: it then gets a shadow that nobody reads.
    fn slot(
        &self,
        arg: &CallArg,
        shadow: Option<(&Place, ParamSet)>,
        kind: SlotKind,
        name: &str,
        before: &mut String,
    ) -> String {
        let Some((place, on)) = shadow else { return "__d::Off, ".to_owned() };
        let part = self.place(place);
        let borrow = if kind == SlotKind::Shared { "&" } else { "&mut " };
        let reference = match self.stand_in(arg, place, on) {
            None => format!("{borrow}{part}"),
            Some(primal) => {
                let (spare, slot) = (format!("spare_{name}"), format!("slot_{name}"));
                let (condition, space) = (self.condition(on), self.space(self.table.role(place.root)));
                *before += &format!(
                    "let mut {spare} = if {condition} {{ ::core::option::Option::None }} else {{
                         ::core::option::Option::Some(__d::Member::zero::<{space}>(&{primal}))
                     }};
                     let {slot} = match {spare}.as_mut() {{
                         ::core::option::Option::None => {borrow}{part},
                         ::core::option::Option::Some(spare) => {borrow}*__d::shadow_like::<{space}, _>(&{primal}, spare),
                     }};"
                );
                slot
            }
        };
        match kind {
            SlotKind::Shared => format!("__d::Dot::<__d::On, _>::new({reference}), "),
            SlotKind::Exclusive => format!("__d::Bar::<__d::On, __d::Off, _>::new({reference}), "),
        }
    }

    /// The primal of an argument whose shadow may be missing: a part of a parameter.
    fn stand_in(&self, arg: &CallArg, shadow: &Place, on: ParamSet) -> Option<String> {
        let (CallArg::Ref(p) | CallArg::Value(Operand::Place(p))) = arg else { return None };
        (on != self.everything && self.table.is_ref(shadow.root)).then(|| self.place(p))
    }

    fn result_bars(&self, s: &Sweep) -> String {
        let one = |var: Option<Var>| {
            let bar = var.map_or("::core::default::Default::default()".to_owned(), |v| self.place(&Place::var(v)));
            format!("::core::option::Option::Some(&mut {bar}), ")
        };
        match self.order {
            Order::First => one(s.result_bar),
            Order::Second => one(s.result_bar) + &one(s.tangents.as_ref().and_then(|t| t.result_bar)),
        }
    }
}

/// How a shadow is passed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SlotKind {
    /// A tangent, to be read.
    Shared,
    /// A cotangent, or a tangent of what is written to.
    Exclusive,
}
