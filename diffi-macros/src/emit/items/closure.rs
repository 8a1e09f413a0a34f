//! Closures that calls are handed, as derivative code: closures over the caller's variables.

use crate::ad::derivatives::{Derivatives, Tangent};
use crate::analysis::activity::activity;
use crate::emit::code::writer::{Emit, Order};
use crate::emit::items::adjoint::{Code, Shape, Sweeps};
use crate::emit::items::captures::{Captures, PRIMAL};
use crate::emit::items::frame::Frame;
use crate::emit::items::shadow_slots::Around;
use crate::emit::items::slot::Slot;
use crate::ir::symbols::Role;
use crate::ir::*;
use crate::opt::differentiate::derivatives_of_closure;
use crate::support::hash::HashMap;

/// The derivative code of a closure, as a closure.
pub fn closure(function: &Function, around: &Emit<'_>, inside: Captures<'_>, kind: SweepKind) -> String {
    let activity = activity(function);
    let products = derivatives_of_closure(function, &activity);
    let mut frame = Frame::new(function, &activity, around.holes);
    frame.inside = Some(inside);
    let text = match kind {
        SweepKind::Push => frame.push_closure(&products.push),
        _ => {
            let (seeds, slots) = (seeds(around), around.slots_of(around.product_of(kind)));
            let shape = Shape { name: "", slots, seeds: &seeds, result: String::new() };
            let (both, apart) = codes(&products, around.order);
            frame.adjoint_closure(&shape, &both, &apart, (kind, &products.push))
        }
    };
    text.replace("Sweep::FORWARD", "sweep.forward")
        .replace("Sweep::REVERSE", "sweep.reverse")
        .replace("Sweep::VALUED", "sweep.valued")
}

/// The arguments for the result's cotangents, and their spaces.
fn seeds<'a>(around: &'a Emit<'_>) -> Vec<(&'static str, &'a str)> {
    match around.order {
        Order::First => vec![("y_bar_in", "Space")],
        Order::Second => vec![("y_bar_in", &around.float[..]), ("y_bar_dot_in", "Space")],
    }
}

/// The adjoint in one body and in two sweeps.
fn codes<'a>(products: &'a Derivatives<'a>, order: Order) -> (Code<'a>, Code<'a>) {
    let split = products.split.as_ref().expect("a closure has both sweeps apart");
    match order {
        Order::First => (Code::of_joint(&products.pull), Code::of_split(split)),
        Order::Second => {
            let second = products.second.as_ref().expect("a closure has second derivatives");
            let tangent = second.split_push.as_ref().expect("a closure has the tangents of both sweeps");
            (Code::of_joint_tangent(&products.pull, &second.pull_push), Code::of_split_tangent(split, tangent))
        }
    }
}

/// The text of closures.
impl Frame<'_> {
    fn inside(&self) -> &Captures<'_> {
        self.inside.as_ref().expect("a closure stands inside of a function")
    }

    fn push_closure(&self, push: &Tangent<'_>) -> String {
        let emit = self.emit(&push.pass.table, (Order::First, Slot::DOT), &[&push.body]);
        format!("|{} ws| {}", self.closure_params(&emit, &[Slot::DOT]), self.pushing(&emit, push))
    }

    fn pushing(&self, emit: &Emit<'_>, Tangent { pass, body, dot }: &Tangent<'_>) -> String {
        let captured = self.captured(emit);
        let open = self.opened(emit, Slot::DOT, &pass.dots, &|_| None).before;
        let (kins, stmts) = (emit.kins(&[body]).concat(), emit.block(body));
        format!("{{ {captured} {open} {kins} {stmts} {} }}", self.closure_value(emit, Some(dot)))
    }

    fn adjoint_closure(
        &self,
        shape: &Shape<'_>,
        both: &Code<'_>,
        apart: &Code<'_>,
        (kind, push): (SweepKind, &Tangent<'_>),
    ) -> String {
        let emit = self.emit(both.table, (both.order, shape.slots[0]), &both.blocks);
        let seeds: String = shape.seeds.iter().map(|(name, _)| format!("{name}, ")).collect();
        let params = self.closure_params(&emit, &shape.slots);
        let Sweeps { first, forward, reverse } = self.sweeps(shape, apart);
        let captured = self.captured(&self.emit(apart.table, (apart.order, shape.slots[0]), &apart.blocks));
        let body = match kind {
            SweepKind::Forward => format!("{captured} {first} {forward}"),
            _ => format!(
                "if sweep.forward && sweep.reverse {{ {} {} }}
                 else {{ {captured} {first} if sweep.forward {{ {forward} }} else {{ {reverse} }} }}",
                self.captured(&emit),
                self.together(&emit, shape, both)
            ),
        };
        let pushing = if both.order == Order::Second { self.pushing_alone(push) } else { String::new() };
        format!("|{params} {seeds} ws, sweep: __d::callbacks::Run| {{ {pushing} {body} }}")
    }

    /// The return of tangents, if neither sweep is asked for.
    fn pushing_alone(&self, push: &Tangent<'_>) -> String {
        let emit = self.emit(&push.pass.table, (Order::First, Slot::DOT), &[&push.body]);
        format!(
            "if !sweep.forward && !sweep.reverse {{ return ::core::option::Option::Some({}); }}",
            self.pushing(&emit, push)
        )
    }

    /// `t, __d1_0, `, for each argument.
    fn closure_params(&self, emit: &Emit<'_>, slots: &[Slot<'_>]) -> String {
        let mut out = String::new();
        for (k, param) in self.params().filter(|(_, p)| !p.captured) {
            let by_value = param.passing == Passing::Value && self.function.vars[param.var.0 as usize].mutable;
            let ty = match param.full.to_string().as_str() {
                "_" => String::new(),
                _ => format!(": {}", self.holes.ty(&param.full)),
            };
            out += &format!("{}{}{ty}, ", if by_value { "mut " } else { "" }, emit.name(param.var));
            out.extend(slots.iter().map(|slot| self.inside().argument(*slot, k) + ", "));
        }
        out
    }

    /// What is captured, under the names that the body has for it.
    fn captured(&self, emit: &Emit<'_>) -> String {
        let active = self.function.params.iter().filter(|p| p.captured && p.active);
        let one = |p: &Param| {
            let (name, text) = (emit.name(p.var), &self.inside().places[&(p.var, PRIMAL)]);
            let borrow = if self.is_float(p) { "" } else { "&" };
            format!("let {name} = {borrow}{text};")
        };
        active.map(one).collect()
    }

    /// The bodies' names for shadows.
    pub fn opened_inside(&self, emit: &Emit<'_>, slot: Slot<'_>, vars: &HashMap<Var, Var>) -> Around {
        let (mut all, inside) = (Around::default(), self.inside());
        for (k, param) in self.params().filter(|(_, p)| p.active) {
            let Some(name) = vars.get(&param.var).map(|v| emit.name(*v)) else { continue };
            let shadow = match param.captured {
                true => inside.places.get(&(param.var, slot.letter())).cloned(),
                false => Some(format!("(*{})", inside.argument(slot, k))),
            };
            let Some(shadow) = shadow else { continue };
            let Around { before, after } = self.bound(emit, (param, slot), name, &shadow);
            all.before += &before;
            all.after += &after;
        }
        all
    }

    /// A shadow under the body's name: numbers by value, and written back.
    fn bound(&self, emit: &Emit<'_>, (param, slot): (&Param, Slot<'_>), name: &str, shadow: &str) -> Around {
        let number = param.passing == Passing::Value && self.is_float(param);
        let shared = matches!(param.passing, Passing::Value | Passing::Ref);
        let (before, after) = match (number, slot.is_dot()) {
            (true, true) => (format!("let mut {name}: {} = {shadow};", slot.space()), String::new()),
            (true, false) => {
                (format!("let mut {name}: {} = {shadow};", emit.space_of(slot)), format!("{shadow} = {name};"))
            }
            (false, true) if shared => (format!("let {name} = &{shadow};"), String::new()),
            (false, true) => (format!("let {name} = &mut {shadow};"), String::new()),
            (false, false) => (format!("let {name} = &mut {shadow}; let {name}_fresh = false;"), String::new()),
        };
        Around { before, after }
    }

    pub fn closure_value(&self, emit: &Emit<'_>, dot: Option<&Output>) -> String {
        let value = self.out(emit, &self.function.result);
        match (dot, &self.function.result) {
            (None, _) => value,
            (Some(_), Output::Passive(_)) => format!(
                "{{ let value = {value}; let dot = __d::callbacks::still::<{}, Space, _>(&value); (value, dot) }}",
                self.float
            ),
            (Some(dot), _) => format!("({value}, {})", self.out(emit, dot)),
        }
    }
}

impl Emit<'_> {
    fn space_of(&self, slot: Slot<'_>) -> &str {
        self.space(if slot.letter() == 's' { Role::Bar } else { Role::Dot })
    }
}
