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

use crate::emit::code::call::{Parts, SlotKind, shadow_of};
use crate::emit::code::text::is_word;
use crate::emit::code::writer::{Emit, Order};
use crate::emit::items::captures::{Captures, PRIMAL, Product, unknown};
use crate::emit::items::closure::closure;
use crate::emit::items::frame::Frame;
use crate::emit::items::slot::Slot;
use crate::frontend::syntax::types;
use crate::ir::*;
use crate::opt::differentiate::normalized_closure;
use crate::support::syntax::mentions;
use proc_macro2::{Ident, TokenStream};
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
        !self.refused
            && self.function.params.len() <= MOST_ARGUMENTS
            && self.function.params.iter().all(fits)
            && self.is_determined()
            && !self.has_operators()
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
        let (inputs, output) = (self.input_types(&function.inputs, slots), &function.output);
        let ret = self.holes.ty(&output.to_token_stream());
        let carries = !types::is_passive(&types::describe(output, &self.function.base));
        let tangent = |space: &str| if carries { self.tangent_of(&ret, space) } else { "()".to_owned() };
        let ws = format!("&mut __d::Workspace<{}, Space>", self.float);
        let seed = |space: &str| format!("::core::option::Option<&mut {}>, ", tangent(space));
        let pair = || format!("({ret}, {})", tangent("Space"));
        let (seeds, value) = match slots {
            [slot] if slot.is_dot() => return format!("::core::ops::FnMut({inputs}{ws}) -> {}", pair()),
            [_] => (seed("Space"), ret.clone()),
            _ => (seed(&self.float) + &seed("Space"), pair()),
        };
        format!("::core::ops::FnMut({inputs}{seeds}{ws}, __d::callbacks::Run) -> ::core::option::Option<{value}>")
    }

    /// The types of arguments, each followed by those of its shadows.
    fn input_types(&self, inputs: &[syn::Type], slots: &[Slot<'_>]) -> String {
        let shadow = |ty: &syn::Type, slot: &Slot<'_>| {
            let exclusive = !slot.is_dot() || is_exclusive(ty);
            format!("{}{}, ", borrow(exclusive), self.shadow_type(ty, slot.space()))
        };
        let one = |ty: &syn::Type| {
            let shadows: String = slots.iter().map(|slot| shadow(ty, slot)).collect();
            format!("{}, {shadows}", self.holes.ty(&ty.to_token_stream()))
        };
        inputs.iter().map(one).collect()
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
    pub fn product_of(&self, kind: SweepKind) -> Product {
        match (kind, self.order) {
            (SweepKind::Push, _) => Product::Push,
            (_, Order::First) => Product::Pull,
            (_, Order::Second) => Product::PullPush,
        }
    }

    pub fn slots_of(&self, product: Product) -> Vec<Slot<'_>> {
        match product {
            Product::Push => vec![Slot::DOT],
            Product::Pull => vec![Slot::bar("Space")],
            Product::PullPush => vec![Slot::DOT, Slot::bar(&self.float), Slot::BAR_DOT],
        }
    }

    /// A sweep of a parameter.
    pub fn parameter_sweep(&self, s: &Sweep, var: Var) -> String {
        let mut parts = Parts::of_sweep(self, s);
        let args = self.parameter_arguments(s, var, &mut parts);
        let (before, result, function) = (&parts.before, self.results(s), self.function_slot(var));
        let none = || "::core::option::Option::None, ".repeat(if self.product() == Product::PullPush { 2 } else { 1 });
        let (seeds, run, missing) = match s.kind {
            SweepKind::Push if self.product() == Product::Push => {
                return format!("{before} let {result} = {function}({args} ws);");
            }
            SweepKind::Push => (none(), "PUSH", "the value was asked for"),
            SweepKind::Both => (self.result_bars(s), "BOTH", "the value was asked for"),
            SweepKind::Forward => (none(), "FORWARD", "the forward sweep has a value"),
            SweepKind::Reverse => (self.result_bars(s), "REVERSE", ""),
        };
        let call = format!("{function}({args} {seeds} ws, __d::callbacks::Run::{run})");
        match s.kind {
            SweepKind::Reverse => format!("{before} let _ = {call};"),
            _ => format!("{before} let {result} = {call}.expect({missing:?});"),
        }
    }

    fn parameter_arguments(&self, s: &Sweep, var: Var, parts: &mut Parts) -> String {
        let inputs = self.inputs_of(var);
        let mut args = String::new();
        for (k, arg) in s.call.args.iter().enumerate() {
            let value = self.argument(k, arg, parts);
            args += &format!("{value}, ");
            if let Some(ty) = inputs.get(k) {
                args += &self.given(s, (k, arg), (ty, &value), parts);
            }
        }
        args
    }

    /// The types that a parameter which is a function takes.
    fn inputs_of(&self, var: Var) -> &[syn::Type] {
        let param = self.function.params.iter().find(|p| p.var == var);
        param.and_then(|p| p.function.as_ref()).map(|f| &f.inputs[..]).unwrap_or_default()
    }

    /// References to the shadows of an argument; where there are none, to shadows that nobody reads.
    fn given(
        &self,
        s: &Sweep,
        (k, arg): (usize, &CallArg),
        (ty, value): (&syn::Type, &str),
        parts: &mut Parts,
    ) -> String {
        let passive = types::is_passive(&types::describe(referred(ty), &self.function.base));
        let place = if matches!(ty, syn::Type::Reference(_)) { format!("*({value})") } else { value.to_owned() };
        let one = |slot: Slot<'_>| {
            let exclusive = !slot.is_dot() || is_exclusive(ty);
            if passive {
                return format!("{}(), ", borrow(exclusive));
            }
            let kind = if exclusive { SlotKind::Exclusive } else { SlotKind::Shared };
            match (self.shadow_in(slot, (s, k, arg), kind, &place, parts), exclusive) {
                (Err(spare), false) => format!("&*{spare}, "),
                (Ok(shadow) | Err(shadow), _) => shadow + ", ",
            }
        };
        self.slots_of(self.product()).into_iter().map(one).collect()
    }

    /// A reference to the shadow of an argument that a slot is for; else a shadow of its place that nobody reads.
    fn shadow_in(
        &self,
        slot: Slot<'_>,
        (s, k, arg): (&Sweep, usize, &CallArg),
        kind: SlotKind,
        place: &str,
        parts: &mut Parts,
    ) -> Result<String, String> {
        let name = format!("{}_{k}", slot.letter());
        match shadow(s, slot, k) {
            Some(shadow) => Ok(self.reference((k, arg), shadow, kind, &name, parts)),
            None => Err(self.spare(slot, place, &name, parts)),
        }
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
            FunctionArgCode::Unknown(inputs) => self.unknown_code(*inputs, self.product_of(s.kind)),
            FunctionArgCode::Closure { function, captures } => {
                let function = normalized_closure(Function::clone(function));
                let inside = self.inside_of(s, &function, captures.clone(), parts);
                let text = closure(&function, self, inside, s.kind);
                format!("&mut {text}, {}, ", self.holes.put(captures_active(&function)))
            }
        }
    }

    /// What stands for the derivative code of a function of so many inputs that has none.
    fn unknown_code(&self, inputs: usize, product: Product) -> String {
        let more = match product {
            Product::Push => 1,
            Product::Pull => 3,
            Product::PullPush => 4,
        };
        unknown(inputs * (1 + self.slots_of(product).len()) + more) + ", "
    }

    /// The code of a parameter that gives tangents alone, where there is the tangent of its adjoint.
    fn pushed(&self, var: Var) -> String {
        let (mut names, mut args) = (String::new(), String::new());
        for (k, ty) in self.inputs_of(var).iter().enumerate() {
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
            match &s.call.args[k] {
                CallArg::Ref(place) => self.capture(s, (k, place), param.var, parts, &mut inside),
                _ if param.function.is_some() => {
                    inside.fixed.insert(param.var, self.name(param.var).to_owned());
                    inside.functions.insert(param.var, self.function_slot(param.var));
                }
                CallArg::Passive(o) => {
                    let value = self.passive_code(o);
                    inside.fixed.insert(param.var, if is_word(&value) { value } else { format!("({value})") });
                }
                _ => unreachable!("captures are references and constants"),
            }
        }
        inside
    }

    /// An active capture, with its shadows.
    fn capture(&self, s: &Sweep, (k, place): (usize, &Place), var: Var, parts: &mut Parts, to: &mut Captures<'_>) {
        let value = self.part(k, place, false, parts);
        for slot in self.slots_of(self.product_of(s.kind)) {
            if s.kind == SweepKind::Forward && !slot.is_dot() {
                continue;
            }
            let kind = if slot.is_dot() { SlotKind::Shared } else { SlotKind::Exclusive };
            let (Ok(shadow) | Err(shadow)) = self.shadow_in(slot, (s, k, &s.call.args[k]), kind, &value, parts);
            to.places.insert((var, slot.letter()), dereferenced(&shadow));
        }
        to.places.insert((var, PRIMAL), value);
    }
}

/// Whether a closure captures active values, as a type.
fn captures_active(function: &Function) -> TokenStream {
    let span = function.name.span();
    match function.params.iter().any(|p| p.captured && (p.active || p.function.is_some())) {
        true => quote_spanned!(span=> __d::On),
        false => quote_spanned!(span=> __d::Off),
    }
}

/// The place behind a reference.
fn dereferenced(reference: &str) -> String {
    match reference.strip_prefix("&mut ").or(reference.strip_prefix('&')) {
        Some(place) => place.to_owned(),
        None => format!("(*{reference})"),
    }
}

/// The shadow of an argument that a slot is for.
fn shadow<'s>(s: &'s Sweep, slot: Slot<'_>, k: usize) -> Option<(&'s Place, ParamSet)> {
    let tangents = s.tangents.as_ref();
    match slot.letter() {
        'd' => tangents.and_then(|t| shadow_of(&t.args, k)),
        's' => shadow_of(&s.bars, k),
        _ => {
            let dot = tangents.and_then(|t| t.bars.get(k)).and_then(Option::as_ref);
            dot.zip(shadow_of(&s.bars, k)).map(|(p, (_, on))| (p, on))
        }
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
