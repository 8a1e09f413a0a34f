//! Functions that calls are handed: parameters whose derivative code comes with them, and closures with theirs.
//!
//! In derivative code a parameter `f: impl Fn(f64) -> f64` is followed by a second function, which gives its tangents, or runs the sweeps of
//! its adjoint:
//!
//! ```text
//! push          |t, &t_dot, ws| (y, y_dot)
//! pull          |t, &mut t_bar, Some(&mut y_bar), ws, sweep| Some(y)
//! pull_push     |t, &t_dot, &mut t_bar, &mut t_bar_dot, Some(&mut y_bar), Some(&mut y_bar_dot), ws, sweep| Some((y, y_dot))
//! ```
//!
//! Callers write it as a closure over their own variables: what it captures it finds there, with tangents and cotangents.

use crate::ad::derivatives::Tangent;
use crate::analysis::activity::activity;
use crate::emit::code::call::{Parts, SlotKind};
use crate::emit::code::text::is_word;
use crate::emit::code::writer::{Emit, Order};
use crate::emit::items::adjoint::{Code, Shape, Sweeps};
use crate::emit::items::captures::{Captures, PRIMAL, Product, unknown};
use crate::emit::items::frame::Frame;
use crate::emit::items::shadow_slots::Around;
use crate::emit::items::slot::Slot;
use crate::frontend::syntax::types;
use crate::ir::purity::mentions;
use crate::ir::symbols::Role;
use crate::ir::*;
use crate::opt::differentiate::{derivatives_of_closure, normalized_closure};
use crate::support::hash::HashMap;
use proc_macro2::Ident;
use quote::{ToTokens, quote_spanned};
use std::ops::Range;

/// The most arguments that operators pass.
const MOST_ARGUMENTS: usize = 12;

impl Frame<'_> {
    /// The parameter behind a function: its derivative code.
    pub fn function_arguments(&self, k: usize, slot: Slot<'_>) -> String {
        format!("{}: &mut {}, _: __C{k}, ", slot.argument(k), slot.generic(k))
    }

    /// Their types.
    pub fn function_bounds(&self, k: usize, function: &FunctionType, slots: &[Slot<'_>]) -> [String; 2] {
        let flag = if function.followed { "Followed" } else { "Constant" };
        [
            format!("{}: {}", slots[0].generic(k), self.code_type(function, slots)),
            format!("__C{k}: __d::callbacks::{flag}"),
        ]
    }

    /// Whether operators can call the function: they know no derivative of the functions that they are given, clone them, and pass so many
    /// arguments.
    pub fn is_for_operators(&self) -> bool {
        let fits = |p: &Param| match &p.function {
            Some(function) => !function.asked && p.passing != Passing::Mut && !types::is_boxed(&p.full),
            None => true,
        };
        self.function.params.len() <= MOST_ARGUMENTS && self.function.params.iter().all(fits) && self.is_determined()
    }

    /// Whether the parameters' types tell all that the function is generic over.
    fn is_determined(&self) -> bool {
        let told = |name: &Ident| {
            let in_params = self.function.params.iter().any(|p| mentions(&p.ty, name) || mentions(&p.full, name));
            let constant = || self.function.params.iter().any(|p| !p.active);
            in_params || constant() && matches!(&self.function.base, Base::Generic(float) if float == name)
        };
        self.function.generics.params.iter().all(|param| match param {
            syn::GenericParam::Type(t) => told(&t.ident),
            syn::GenericParam::Const(c) => told(&c.ident),
            syn::GenericParam::Lifetime(_) => true,
        })
    }

    fn code_type(&self, function: &FunctionType, slots: &[Slot<'_>]) -> String {
        let mut inputs = String::new();
        for ty in &function.inputs {
            inputs += &format!("{}, ", self.holes.ty(&ty.to_token_stream()));
            for slot in slots {
                let exclusive = !slot.is_dot() || is_exclusive(ty);
                inputs += &format!("{}{}, ", borrow(exclusive), self.shadow_type(ty, slot.space()));
            }
        }
        let output = &function.output;
        let ret = self.holes.ty(&output.to_token_stream());
        let carries = !types::is_passive(&types::describe(output, &self.function.base));
        let tangent = |space: &str| if carries { self.tangent_of(&ret, space) } else { "()".to_owned() };
        let ws = format!("&mut __d::Workspace<{}, Space>", self.float);
        let seed = |space: &str| format!("::core::option::Option<&mut {}>, ", tangent(space));
        match slots {
            [slot] if slot.is_dot() => format!("::core::ops::FnMut({inputs}{ws}) -> ({ret}, {})", tangent("Space")),
            [_] => format!(
                "::core::ops::FnMut({inputs}{}{ws}, __d::callbacks::Run) -> ::core::option::Option<{ret}>",
                seed("Space")
            ),
            _ => format!(
                "::core::ops::FnMut({inputs}{}{}{ws}, __d::callbacks::Run) -> ::core::option::Option<({ret}, {})>",
                seed(&self.float),
                seed("Space"),
                tangent("Space")
            ),
        }
    }

    /// The type of an argument's shadow, behind its reference.
    fn shadow_type(&self, ty: &syn::Type, space: &str) -> String {
        let inner = referred(ty);
        match types::describe(inner, &self.function.base) {
            ty if types::is_passive(&ty) => "()".to_owned(),
            Ty::Float => space.to_owned(),
            _ => format!("<{} as __d::Place>::Shadow<{space}>", self.holes.ty(&inner.to_token_stream())),
        }
    }

    /// What operators hand over for a function that is applied to constants only.
    pub fn constant_code(&self, k: usize, function: &FunctionType, product: &str) -> String {
        let names: Vec<String> = (0..function.inputs.len()).map(|i| format!("a{i}")).collect();
        let (shadows, more) = match product {
            "push" => ("_, ", "_"),
            "pull" => ("_, ", "_, _, _"),
            _ => ("_, _, _, ", "_, _, _, _"),
        };
        let (inputs, args) = (names.iter().map(|n| format!("{n}, {shadows}")).collect::<String>(), names.join(", "));
        let value = format!("let value = f{k}({args});");
        let dot = format!("__d::callbacks::still::<{}, Space, _>(&value)", self.float);
        let carries = !types::is_passive(&types::describe(&function.output, &self.function.base));
        let dot = if carries { dot } else { "()".to_owned() };
        let result = match product {
            "push" => format!("let dot = {dot}; (value, dot)"),
            "pull" => "::core::option::Option::Some(value)".to_owned(),
            _ => format!("let dot = {dot}; ::core::option::Option::Some((value, dot))"),
        };
        format!("&mut |{inputs}{more}| {{ {value} {result} }}, __d::Off, ")
    }
}

/// Where functions are handed over, and where parameters that are functions are called.
impl Emit<'_> {
    /// A parameter that is a function, by its name.
    pub fn function_value(&self, var: Var) -> String {
        self.name(var).to_owned()
    }

    /// Its derivative code.
    pub fn function_slot(&self, var: Var) -> String {
        if let Some(outer) = self.inside.and_then(|inside| inside.functions.get(&var)) {
            return outer.clone();
        }
        let at = self.function.params.iter().position(|p| p.var == var).expect("the function is a parameter");
        self.slot.argument(at)
    }

    /// What is at hand of parameters that are functions.
    fn product(&self) -> Product {
        match (self.inside, self.order) {
            (Some(inside), _) => inside.code,
            (None, Order::Second) => Product::PullPush,
            (None, Order::First) if self.slot.is_dot() => Product::Push,
            (None, Order::First) => Product::Pull,
        }
    }

    /// What a sweep asks of functions that are handed over.
    fn product_of(&self, kind: SweepKind) -> Product {
        match (kind, self.order) {
            (SweepKind::Push, _) => Product::Push,
            (_, Order::First) => Product::Pull,
            (_, Order::Second) => Product::PullPush,
        }
    }

    fn slots_of(&self, product: Product) -> Vec<Slot<'_>> {
        match product {
            Product::Push => vec![Slot::DOT],
            Product::Pull => vec![Slot::bar("Space")],
            Product::PullPush => vec![Slot::DOT, Slot::bar(&self.float), Slot::BAR_DOT],
        }
    }

    /// A sweep of a parameter.
    pub fn parameter_sweep(&self, s: &Sweep, var: Var) -> String {
        let (mut parts, mut args) = (Parts::of_sweep(self, s), String::new());
        let param = self.function.params.iter().find(|p| p.var == var);
        let inputs = param.and_then(|p| p.function.as_ref()).map(|f| f.inputs.clone()).unwrap_or_default();
        for (k, arg) in s.call.args.iter().enumerate() {
            let value = self.argument(k, arg, &mut parts);
            args += &format!("{value}, ");
            if let Some(ty) = inputs.get(k) {
                args += &self.given(s, (k, arg), (ty, &value), &mut parts);
            }
        }
        let (before, result, function) = (&parts.before, self.results(s), self.function_slot(var));
        let none = "::core::option::Option::None, ".repeat(if self.product() == Product::PullPush { 2 } else { 1 });
        match s.kind {
            SweepKind::Push if self.product() == Product::Push => {
                format!("{before} let {result} = {function}({args} ws);")
            }
            SweepKind::Push => format!(
                "{before} let {result} = {function}({args} {none} ws, __d::callbacks::Run::PUSH).expect(\"the value was asked for\");"
            ),
            SweepKind::Both => format!(
                "{before} let {result} = {function}({args} {} ws, __d::callbacks::Run::BOTH).expect(\"the value was asked for\");",
                self.result_bars(s)
            ),
            SweepKind::Forward => format!(
                "{before} let {result} = {function}({args} {none} ws, __d::callbacks::Run::FORWARD).expect(\"the forward sweep has a value\");"
            ),
            SweepKind::Reverse => {
                format!("{before} let _ = {function}({args} {} ws, __d::callbacks::Run::REVERSE);", self.result_bars(s))
            }
        }
    }

    /// References to the shadows of an argument; where there are none, to shadows that nobody reads.
    fn given(
        &self,
        s: &Sweep,
        (k, arg): (usize, &CallArg),
        (ty, value): (&syn::Type, &str),
        parts: &mut Parts,
    ) -> String {
        let mut out = String::new();
        for slot in self.slots_of(self.product()) {
            let exclusive = !slot.is_dot() || is_exclusive(ty);
            let passive = types::is_passive(&types::describe(referred(ty), &self.function.base));
            let name = format!("{}_{k}", slot.letter());
            let kind = if exclusive { SlotKind::Exclusive } else { SlotKind::Shared };
            out += &match shadow(s, slot, k).filter(|_| !passive) {
                _ if passive => format!("{}()", borrow(exclusive)),
                Some(shadow) => self.reference((k, arg), shadow, kind, &name, parts),
                None => {
                    let place =
                        if matches!(ty, syn::Type::Reference(_)) { format!("*({value})") } else { value.to_owned() };
                    let spare = self.spare(slot, &place, &name, parts);
                    if exclusive { spare } else { format!("&*{spare}") }
                }
            };
            out += ", ";
        }
        out
    }

    /// A shadow of a place that nobody reads, by its name.
    fn spare(&self, slot: Slot<'_>, place: &str, name: &str, parts: &mut Parts) -> String {
        let space = slot.space();
        parts.before += &format!(
            "let mut spare_{name} = __d::Spare::spare::<{space}>(&{place});
             let slot_{name} = __d::shadow_like::<{space}, _>(&{place}, &mut spare_{name});"
        );
        format!("slot_{name}")
    }

    /// What follows a function among the arguments: its derivative code, and whether it captures active values.
    pub fn handed(&self, s: &Sweep, handed: &FunctionArg, parts: &mut Parts) -> String {
        match &handed.code {
            FunctionArgCode::Parameter(var) if self.product_of(s.kind) == self.product() => {
                format!("&mut *{}, __d::On, ", self.function_slot(*var))
            }
            FunctionArgCode::Parameter(var) => format!("&mut {}, __d::On, ", self.pushed(*var)),
            FunctionArgCode::Unknown(inputs) => {
                let slots = self.slots_of(self.product_of(s.kind)).len();
                let more = match self.product_of(s.kind) {
                    Product::Push => 1,
                    Product::Pull => 3,
                    Product::PullPush => 4,
                };
                unknown(inputs * (1 + slots) + more) + ", "
            }
            FunctionArgCode::Closure { function, captures } => {
                let function = normalized_closure(Function::clone(function));
                let flag = function.params.iter().any(|p| p.captured && (p.active || p.function.is_some()));
                let inside = self.inside_of(s, &function, captures.clone(), parts);
                let text = closure(&function, self, inside, s.kind);
                let span = function.name.span();
                let flag = if flag { quote_spanned!(span=> __d::On) } else { quote_spanned!(span=> __d::Off) };
                format!("&mut {text}, {}, ", self.holes.put(flag))
            }
        }
    }

    /// The code of a parameter that gives tangents alone, where there is the tangent of its adjoint.
    fn pushed(&self, var: Var) -> String {
        let param = self.function.params.iter().find(|p| p.var == var);
        let inputs = param.and_then(|p| p.function.as_ref()).map(|f| &f.inputs[..]).unwrap_or_default();
        let (mut names, mut args) = (String::new(), String::new());
        for (k, ty) in inputs.iter().enumerate() {
            names += &format!("a{k}, d{k}, ");
            let [bar, dot] = [&self.float, "Space"].map(|space| self.nothing(ty, space));
            args += &format!("a{k}, d{k}, {bar}, {dot}, ");
        }
        let none = "::core::option::Option::None, ".repeat(2);
        let slot = self.function_slot(var);
        format!("|{names} ws| {slot}({args} {none} ws, __d::callbacks::Run::PUSH).expect(\"the value was asked for\")")
    }

    /// A cotangent for an argument of this type that is not touched.
    fn nothing(&self, ty: &syn::Type, space: &str) -> String {
        let inner = referred(ty);
        match types::describe(inner, &self.function.base) {
            ty if types::is_passive(&ty) => "&mut ()".to_owned(),
            Ty::Float => format!("&mut <{space} as __d::LinearSpace<{}>>::ZERO", self.float),
            Ty::Slice(_) => "&mut []".to_owned(),
            _ => {
                let ty = self.holes.ty(&inner.to_token_stream());
                format!("<{ty} as __d::Member>::shadow::<{space}>(&mut <{ty} as __d::Member>::empty::<{space}>())")
            }
        }
    }

    /// What a closure captures here.
    fn inside_of(&self, s: &Sweep, function: &Function, captures: Range<usize>, parts: &mut Parts) -> Captures<'_> {
        let depth = self.inside.map_or(1, |inside| inside.depth + 1);
        let (fixed, places, functions) = Default::default();
        let mut inside = Captures { outer: &self.names, fixed, places, functions, code: self.product(), depth };
        for (param, k) in function.params.iter().zip(captures) {
            let arg = &s.call.args[k];
            match arg {
                CallArg::Ref(place) => {
                    let value = self.part(k, place, false, parts);
                    for slot in self.slots_of(self.product_of(s.kind)) {
                        if s.kind == SweepKind::Forward && !slot.is_dot() {
                            continue;
                        }
                        let name = format!("{}_{k}", slot.letter());
                        let kind = if slot.is_dot() { SlotKind::Shared } else { SlotKind::Exclusive };
                        let text = match shadow(s, slot, k) {
                            Some(shadow) => self.reference((k, arg), shadow, kind, &name, parts),
                            None => self.spare(slot, &value, &name, parts),
                        };
                        let text = text
                            .strip_prefix("&mut ")
                            .or(text.strip_prefix('&'))
                            .map(str::to_owned)
                            .unwrap_or(format!("(*{text})"));
                        inside.places.insert((param.var, slot.letter()), text);
                    }
                    inside.places.insert((param.var, PRIMAL), value);
                }
                _ if param.function.is_some() => {
                    inside.fixed.insert(param.var, self.name(param.var).to_owned());
                    inside.functions.insert(param.var, self.function_slot(param.var));
                }
                CallArg::Passive(o) => {
                    let value = self.opaque(o);
                    inside.fixed.insert(param.var, if is_word(&value) { value } else { format!("({value})") });
                }
                _ => unreachable!("captures are references and constants"),
            }
        }
        inside
    }
}

/// The shadow of an argument that a slot is for.
fn shadow<'s>(s: &'s Sweep, slot: Slot<'_>, k: usize) -> Option<(&'s Place, ParamSet)> {
    let tangents = s.tangents.as_ref();
    match slot.letter() {
        'd' => tangents.and_then(|t| t.args.get(k)).and_then(Option::as_ref).map(|(p, on)| (p, *on)),
        's' => s.bars.get(k).and_then(Option::as_ref).map(|(p, on)| (p, *on)),
        _ => {
            let dot = tangents.and_then(|t| t.bars.get(k)).and_then(Option::as_ref);
            dot.zip(s.bars.get(k).and_then(Option::as_ref)).map(|(p, (_, on))| (p, *on))
        }
    }
}

/// The derivative code of a closure, as a closure.
fn closure(function: &Function, around: &Emit<'_>, inside: Captures<'_>, kind: SweepKind) -> String {
    let activity = activity(function);
    let products = derivatives_of_closure(function, &activity);
    let slots = around.slots_of(around.product_of(kind));
    let mut frame = Frame::new(function, &activity, around.holes);
    frame.inside = Some(inside);
    let text = match (kind, around.order) {
        (SweepKind::Push, _) => frame.push_closure(&products.push),
        (_, Order::First) => {
            let split = products.split.as_ref().expect("a closure has both sweeps apart");
            let (both, apart) = (Code::of_joint(&products.pull), Code::of_split(split));
            let shape = Shape { name: "pull", slots, seeds: &[("y_bar_in", "Space")], result: String::new() };
            frame.adjoint_closure(&shape, &both, &apart, (kind, &products.push))
        }
        (_, Order::Second) => {
            let second = products.second.as_ref().expect("a closure has second derivatives");
            let split = products.split.as_ref().zip(second.split_push.as_ref());
            let (split, tangent) = split.expect("a closure has both sweeps apart");
            let both = Code::of_joint_tangent(&products.pull, &second.pull_push);
            let apart = Code::of_split_tangent(split, tangent);
            let seeds = &[("y_bar_in", &around.float[..]), ("y_bar_dot_in", "Space")];
            let shape = Shape { name: "pull_push", slots, seeds, result: String::new() };
            frame.adjoint_closure(&shape, &both, &apart, (kind, &products.push))
        }
    };
    text.replace("Sweep::FORWARD", "sweep.forward")
        .replace("Sweep::REVERSE", "sweep.reverse")
        .replace("Sweep::VALUED", "sweep.valued")
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
        let other = self.emit(apart.table, (apart.order, shape.slots[0]), &apart.blocks);
        let captured = self.captured(&other);
        let body = match kind {
            SweepKind::Forward => format!("{captured} {first} {forward}"),
            _ => format!(
                "if sweep.forward && sweep.reverse {{ {} {} }}
                 else {{ {captured} {first} if sweep.forward {{ {forward} }} else {{ {reverse} }} }}",
                self.captured(&emit),
                self.together(&emit, shape, both)
            ),
        };
        let pushing = match both.order {
            Order::First => String::new(),
            Order::Second => {
                let emit = self.emit(&push.pass.table, (Order::First, Slot::DOT), &[&push.body]);
                format!(
                    "if !sweep.forward && !sweep.reverse {{ return ::core::option::Option::Some({}); }}",
                    self.pushing(&emit, push)
                )
            }
        };
        format!("|{params} {seeds} ws, sweep: __d::callbacks::Run| {{ {pushing} {body} }}")
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
            let text = match param.captured {
                true => match inside.places.get(&(param.var, slot.letter())) {
                    Some(text) => text.clone(),
                    None => continue,
                },
                false => format!("(*{})", inside.argument(slot, k)),
            };
            let number = param.passing == Passing::Value && self.is_float(param);
            match (number, slot.is_dot()) {
                (true, true) => all.before += &format!("let mut {name}: {} = {text};", slot.space()),
                (true, false) => {
                    all.before += &format!("let mut {name}: {} = {text};", emit.space_of(slot));
                    all.after += &format!("{text} = {name};");
                }
                (false, true) if param.passing == Passing::Value || param.passing == Passing::Ref => {
                    all.before += &format!("let {name} = &{text};");
                }
                (false, dot) => {
                    all.before += &format!("let {name} = &mut {text};");
                    if !dot {
                        all.before += &format!("let {name}_fresh = false;");
                    }
                }
            }
        }
        all
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

fn borrow(exclusive: bool) -> &'static str {
    if exclusive { "&mut " } else { "&" }
}

/// The type behind a reference.
fn referred(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Reference(r) => &r.elem,
        ty => ty,
    }
}

fn is_exclusive(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Reference(r) if r.mutability.is_some())
}
