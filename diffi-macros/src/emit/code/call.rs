//! Calls of annotated functions.

use crate::analysis::split_borrows::{Half, bar_halves, halves};
use crate::emit::code::writer::{Emit, Order};
use crate::ir::symbols::Role;
use crate::ir::visit::Vars;
use crate::ir::*;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote_spanned};

impl Emit<'_> {
    /// The function itself.
    pub fn primal_call(&self, call: &Call) -> String {
        let mut parts = Parts::new(call);
        let mut args = call.args.iter().enumerate().filter(|(k, _)| !call.is_captured(*k));
        let written = || self.holes.put(call.written.clone());
        let function = match &call.callee {
            Callee::Method(_) => {
                args.next();
                format!("{}.{}", self.on_receiver(call, &mut parts), written())
            }
            Callee::With(with) => return self.with_value(*with, call),
            Callee::Parameter(var) => self.function_value(*var),
            _ => written(),
        };
        let args: String = args.map(|(k, a)| self.argument(k, a, &mut parts) + ", ").collect();
        let value = format!("{function}({args})");
        if parts.before.is_empty() { value } else { format!("{{ {} {value} }}", parts.before) }
    }

    /// The value of a function that is itself a value.
    fn with_value(&self, kind: With, call: &Call) -> String {
        let mut parts = Parts::new(call);
        let mut args = call.args.iter().enumerate().filter(|(k, _)| !call.is_captured(*k));
        let with = args.next().map(|(k, a)| self.argument(k, a, &mut parts)).unwrap_or_default();
        let pair = |(k, a): (usize, &CallArg)| format!("({}, ()), ", self.argument(k, a, &mut parts));
        format!("__d::{}_value(&({with}), ({}))", kind.prefix(), args.map(pair).collect::<String>())
    }

    pub fn argument(&self, k: usize, arg: &CallArg, parts: &mut Parts) -> String {
        match arg {
            CallArg::Ref(p) => {
                let (place, seen) = (self.part(k, p, false, parts), self.table.info(p.root).seen);
                match seen {
                    ViewForm::Whole => format!("&{place}"),
                    ViewForm::View => format!("({place}).view()"),
                    ViewForm::BorrowedView => format!("&({place}).view()"),
                    ViewForm::Lent => format!("__d::lent(&{place})"),
                    seen => format!("{place}{}", seen.walked()),
                }
            }
            CallArg::Mut(p) if self.table.info(p.root).seen == ViewForm::Lent => {
                format!("__d::lent_mut(&mut {})", self.part(k, p, true, parts))
            }
            CallArg::Mut(p) => {
                let place = self.part(k, p, true, parts);
                match parts.changing.iter().find(|(at, _)| *at == k) {
                    Some((_, span)) => {
                        self.holes.put(quote_spanned!(*span=> __d::exclusive)) + &format!("(&mut {place})")
                    }
                    None => format!("&mut {place}"),
                }
            }
            CallArg::Value(o) => self.owned(o),
            CallArg::Passive(o) | CallArg::Lent(o) => self.passive_code(o),
        }
    }

    /// A sweep of a called function.
    pub fn sweep(&self, s: &Sweep) -> String {
        if let Callee::Parameter(var) = s.call.callee {
            return self.parameter_sweep(s, var);
        }
        if s.kind == SweepKind::Forward && s.call.is_rule() && self.order == Order::First {
            return self.forward_rule(s);
        }
        let (result, landed) = (self.results(s), self.landed(s));
        let product = match s.kind {
            SweepKind::Push => "push",
            _ if self.is_second() => "pull_push",
            _ => "pull",
        };
        let (before, function, args) = self.slotted(s, product);
        let before = self.annotated(&s.call) + &self.asked(s) + &before;
        let (seeds, sweep, missing) = match s.kind {
            SweepKind::Push => {
                let given = self.value_given(s, &format!("{function}({args} ws)"));
                return format!("{before} let {result} = {given}; {landed}");
            }
            SweepKind::Reverse => {
                return format!("{before} let _ = {function}({args} {} ws, __d::Reverse);", self.result_bars(s));
            }
            SweepKind::Both => (self.result_bars(s), "Both(__d::On)", "the value was asked for"),
            SweepKind::Forward => (self.no_result_bars(), "Forward", "the forward sweep has a value"),
        };
        let call = format!("{function}({args} {seeds} ws, __d::{sweep})");
        let given = self.value_given(s, &format!("{call}.expect({missing:?})"));
        format!("{before} let {result} = {given}; {landed}")
    }

    fn no_result_bars(&self) -> String {
        "::core::option::Option::None, ".repeat(if self.is_second() { 2 } else { 1 })
    }

    /// Lets rustc say, once for all sweeps, that a function has no derivative code.
    fn annotated(&self, call: &Call) -> String {
        match &call.callee {
            Callee::Function(path) if !is_own(path) => {
                format!("__d::annotated::<{}>();", self.holes.put(asked_handle(path)))
            }
            _ => String::new(),
        }
    }

    /// The forward sweep of an operation whose rule rustc finds: the result is written where it stays.
    fn forward_rule(&self, s: &Sweep) -> String {
        let mut parts = Parts::new(&s.call);
        let place = s.result.filter(|y| self.lasts(*y)).map(|y| format!("&mut {}, ", self.lasting_place(y)));
        let product = if place.is_some() { "forward_in" } else { "forward" };
        let function = self.derivative(&s.call, product, &mut parts);
        let argument = |(k, arg)| self.operand_of_rule(&s.call, self.argument(k, arg, &mut parts)) + ", ";
        let args: String = s.call.args.iter().enumerate().map(argument).chain(place).collect();
        format!("{} let {} = {function}({args} ws);", parts.before, self.results(s))
    }

    /// A result that may be a `Result`, as derivative code holds it; one for whose derivative nothing asks stays a `Result`.
    fn landed(&self, s: &Sweep) -> String {
        let told = |var: &Var| match (&s.call.callee, self.table.ty(*var)) {
            (Callee::With(_), _) | (_, Ty::Float) => true,
            (Callee::Function(path), _) => is_own(path),
            (_, ty) => !matches!(ty, Ty::Unknown | Ty::Passive),
        };
        match s.result.filter(|var| !told(var)) {
            Some(var) => {
                let (name, mutable) = (self.name(var), self.mutable(var));
                let landed = format!("{name}.__landed::<{}>()", self.float);
                let landed = match self.table.ty(var) {
                    Ty::Passive => format!("__d::Answered({landed}).answered()"),
                    _ => landed,
                };
                format!("let {mutable}{name} = {{ use __d::{{LandedAs as _, OtherAnswer as _}}; {landed} }};")
            }
            None => String::new(),
        }
    }

    /// `y`, or `(y, y_dot)`.
    pub fn results(&self, s: &Sweep) -> String {
        let annotated = |var: Var| format!("{}{}", self.mutable(var), self.name(var));
        let result = s.result.map_or("_".to_owned(), annotated);
        match &s.tangents {
            Some(SweepTangents { result: dot, .. }) => {
                format!("({result}, {})", dot.map_or("_".to_owned(), annotated))
            }
            None => result,
        }
    }

    /// What a call gives, of the type that is known of numbers: rustc guesses one, where it has refused the call.
    fn value_given(&self, s: &Sweep, call: &str) -> String {
        if !s.result.is_some_and(|var| *self.table.ty(var) == Ty::Float) {
            return call.to_owned();
        }
        let (value, dot) = (&self.float, self.space(Role::Dot));
        let ty = match &s.tangents {
            Some(t) => format!("({value}, {})", t.result.map_or("_", |_| dot)),
            None => value.clone(),
        };
        format!("::core::convert::identity::<{ty}>({call})")
    }

    /// What comes before the call, the derivative function, and its arguments, each followed by its slots.
    fn slotted(&self, s: &Sweep, product: &str) -> (String, String, String) {
        let mut parts = Parts::of_sweep(self, s);
        let function = self.derivative(&s.call, product, &mut parts);
        let with = matches!(s.call.callee, Callee::With(_));
        let given = s.call.args.iter().enumerate().skip(usize::from(with)).filter(|(k, _)| !s.call.is_captured(*k));
        let one = |(k, arg): (usize, &CallArg)| {
            let all = self.value_and_slots(s, (k, arg), &mut parts);
            if with { format!("({all}), ") } else { all }
        };
        let mut args: String = given.map(one).collect();
        if let (true, Some(arg)) = (with, s.call.args.first()) {
            args = format!("&({}), ({args}), ", self.argument(0, arg, &mut parts));
        }
        (parts.before, function, args)
    }

    /// An argument, and what follows it: its slots, or a function's derivative code.
    fn value_and_slots(&self, s: &Sweep, (k, arg): (usize, &CallArg), parts: &mut Parts) -> String {
        let value = match (&s.call.callee, k) {
            (Callee::Method(_), 0) => String::new(),
            (Callee::Associated(_), 0) => self.first_argument(arg, parts) + ", ",
            _ => self.passed(s, (k, arg), parts) + ", ",
        };
        let slots = match s.call.handed.iter().find(|h| h.at == k) {
            Some(handed) => self.handed(s, handed, parts),
            None => self.slots(s, (k, arg), parts),
        };
        value + &slots
    }

    /// An argument of a sweep.
    fn passed(&self, s: &Sweep, (k, arg): (usize, &CallArg), parts: &mut Parts) -> String {
        let left = match arg {
            CallArg::Mut(place) => self.part_left(s, k, place, parts),
            _ => None,
        };
        left.unwrap_or_else(|| self.operand_of_rule(&s.call, self.argument(k, arg, parts)))
    }

    /// An operand of a library's operation, `&x` or `x`, at the operator: where there is no rule, rustc says so there.
    fn operand_of_rule(&self, call: &Call, text: String) -> String {
        let Callee::Function(handle) = &call.callee else { return text };
        let Some(operator) = handle.clone().into_iter().last().filter(|_| is_own(handle)) else { return text };
        let (borrow, name) = text.strip_prefix('&').map_or((false, &*text), |name| (true, name));
        let Ok(mut name) = syn::parse_str::<Ident>(name) else { return text };
        let span = operator.span();
        name.set_span(span);
        self.holes.put(if borrow { quote_spanned!(span=> &#name) } else { name.into_token_stream() })
    }

    /// `v[1..]` of a list that may be shorter than it was, as far as it is there: the reverse sweep takes nothing from what the call
    /// changes, whose elements may be gone by now.
    fn part_left(&self, s: &Sweep, k: usize, place: &Place, parts: &Parts) -> Option<String> {
        let (Proj::Range(lo, hi), list) = place.path.split_last()? else { return None };
        let is_list = matches!(crate::ir::place::element(self.table.ty(place.root), list), Ty::Vec(_));
        let may_be_shorter = is_list && s.kind == SweepKind::Reverse;
        (may_be_shorter && parts.halves[k].is_none()).then(|| {
            let [lo, hi] = [lo, hi].map(|end| end.as_ref().map(|end| self.passive_code(end)).unwrap_or_default());
            format!("__d::part_left(&mut {}, {lo}..{hi})", self.place_by(&place.up(list.len()), true))
        })
    }

    /// The slots of an argument.
    fn slots(&self, s: &Sweep, (k, arg): (usize, &CallArg), parts: &mut Parts) -> String {
        let dot = s.tangents.as_ref().map(|t| self.tangent_slot(s, (k, arg), t, parts)).unwrap_or_default();
        if s.kind == SweepKind::Push {
            return dot;
        }
        let shadow = shadow_of(&s.bars, k);
        let kind = match shadow {
            Some((p, _)) if s.fresh.contains(&p.root) && self.table.is_ref(p.root) => SlotKind::Relayed,
            Some((p, _)) if s.fresh.contains(&p.root) => SlotKind::Fresh,
            _ => SlotKind::Exclusive,
        };
        let bar = self.slot((k, arg), shadow, kind, &format!("bar_{k}"), parts);
        let Some(t) = &s.tangents else { return dot + &bar };
        let bar_dot = t.bars.get(k).and_then(Option::as_ref).zip(shadow).map(|(p, (_, on))| (p, on));
        dot + &bar + &self.slot((k, arg), bar_dot, SlotKind::Exclusive, &format!("bar_dot_{k}"), parts)
    }

    fn tangent_slot(&self, s: &Sweep, (k, arg): (usize, &CallArg), t: &SweepTangents, parts: &mut Parts) -> String {
        let dot = shadow_of(&t.args, k);
        let kind = if matches!(arg, CallArg::Mut(_)) { SlotKind::Exclusive } else { SlotKind::Shared };
        let element = |name| s.kind == SweepKind::Reverse && crate::frontend::arrays::user_elements::is_element(name);
        let changed = dot.filter(|_| kind == SlotKind::Exclusive);
        let left = changed.and_then(|(place, _)| self.part_left(s, k, place, parts));
        match (left, &s.call.callee, dot) {
            (Some(left), ..) => format!("__d::bar_slot({left}), "),
            (None, Callee::Method(name), None) if element(name) => self.empty_dot(arg, kind),
            _ => self.slot((k, arg), dot, kind, &format!("dot_{k}"), parts),
        }
    }

    /// The callee's derivative function, up to its arguments.
    fn derivative(&self, call: &Call, product: &str, parts: &mut Parts) -> String {
        let exclusive = matches!(call.args.first(), Some(CallArg::Mut(_)));
        match &call.callee {
            Callee::Function(path) => format!("<{}>::__{product}", self.holes.put(path.clone())),
            Callee::Associated(path) => {
                let mut path = path.clone();
                if let Some(last) = path.path.segments.last_mut() {
                    last.ident = derivative_name(&last.ident, product, exclusive);
                }
                self.holes.put(path.to_token_stream())
            }
            Callee::Method(name) => {
                let method = |product| self.holes.put(derivative_name(name, product, exclusive).to_token_stream());
                let question = if is_asked_first(call) { format!(".{}()", method("annotated")) } else { String::new() };
                format!("{}{question}.{}", self.on_receiver(call, parts), method(product))
            }
            Callee::With(with) => format!("__d::{}_{product}", with.prefix()),
            Callee::Parameter(var) => self.function_slot(*var),
        }
    }

    /// What a method is called on: the place itself, behind no reference.
    pub fn on_receiver(&self, call: &Call, parts: &mut Parts) -> String {
        match call.args.first() {
            Some(CallArg::Ref(p) | CallArg::Mut(p) | CallArg::Value(Operand::Place(p))) => {
                format!("({})", self.part(0, p, matches!(&call.args[0], CallArg::Mut(_)), parts))
            }
            Some(CallArg::Value(Operand::Passive(o)) | CallArg::Passive(o) | CallArg::Lent(o)) => {
                let behind = if self.is_reference_param(o) { "*" } else { "" };
                format!("({behind}{})", self.passive_code(o))
            }
            Some(CallArg::Value(made)) => self.operand(made),
            None => unreachable!("a method has a receiver"),
        }
    }

    /// Whether this is a parameter `&T`: rustc's message is about `T`.
    fn is_reference_param(&self, o: &PassiveCode) -> bool {
        let is_one_name = o.tokens.clone().into_iter().count() == 1;
        let plain = |p: &Param| p.passing == Passing::Ref && !p.captured && p.copying.is_none() && p.list.is_none();
        let param = self.function.params.iter().find(|p| is_one_name && o.reads.contains(&p.var));
        param.is_some_and(|p| plain(p) && matches!(syn::parse2(p.full.clone()), Ok(syn::Type::Reference(_))))
    }

    /// The first argument of an associated function: it may be a receiver, which derivative code takes by reference.
    fn first_argument(&self, arg: &CallArg, parts: &mut Parts) -> String {
        match arg {
            CallArg::Value(Operand::Place(p)) => format!("&{}", self.part(0, p, false, parts)),
            _ => self.argument(0, arg, parts),
        }
    }

    /// The slot for an argument's shadow. The callee takes an argument for active that the caller
    /// may have switched off in the call at hand: it then gets a shadow that nobody reads.
    fn slot(
        &self,
        (k, arg): (usize, &CallArg),
        shadow: Option<(&Place, ParamSet)>,
        kind: SlotKind,
        name: &str,
        parts: &mut Parts,
    ) -> String {
        let Some(shadow) = shadow else {
            return match arg {
                CallArg::Lent(o) => self.holes.put(quote_spanned!(o.span=> __d::LentSlot)) + ", ",
                _ => "__d::Off, ".to_owned(),
            };
        };
        let reference = self.reference((k, arg), shadow, kind, name, parts);
        match kind {
            SlotKind::Shared => format!("__d::dot_slot({reference}), "),
            SlotKind::Exclusive => format!("__d::bar_slot({reference}), "),
            SlotKind::Fresh => format!("__d::fresh_slot({reference}), "),
            SlotKind::Relayed => format!("__d::Relayed({reference}, {}), ", self.fresh(shadow.0.root)),
        }
    }

    /// A tangent that is there and is not read: that of what holds an element.
    fn empty_dot(&self, arg: &CallArg, kind: SlotKind) -> String {
        let (CallArg::Ref(p) | CallArg::Mut(p)) = arg else {
            let zero = format!("<Space as __d::LinearSpace<{}>>::ZERO", self.float);
            let number = matches!(arg, CallArg::Value(_));
            return if number { format!("__d::dot_slot(&{zero}), ") } else { "__d::Off, ".to_owned() };
        };
        let (borrow, slot) = match kind {
            SlotKind::Shared => ("&", "Dot::<__d::On, _>"),
            SlotKind::Exclusive | SlotKind::Fresh | SlotKind::Relayed => ("&mut ", "Bar::<__d::On, __d::Off, _>"),
        };
        format!("__d::{slot}::new({borrow}__d::callbacks::empty_like::<Space, _>(&{})), ", self.place(p))
    }

    /// A reference to an argument's shadow.
    pub fn reference(
        &self,
        (k, arg): (usize, &CallArg),
        (place, on): (&Place, ParamSet),
        kind: SlotKind,
        name: &str,
        parts: &mut Parts,
    ) -> String {
        let part = self.part(k, place, kind != SlotKind::Shared, parts);
        if matches!(arg, CallArg::Mut(_)) && self.may_be_inert(place) {
            parts.before += &format!("{{ use __d::Changing as _; __d::Shadow(&{part}).may_change(); }}");
        }
        let borrow = if kind == SlotKind::Shared { "&" } else { "&mut " };
        let Some(primal) = self.stand_in((k, arg), place, on, parts) else { return format!("{borrow}{part}") };
        let primal = self.seen(arg, primal);
        let (spare, slot) = (format!("spare_{name}"), format!("slot_{name}"));
        let (condition, space) = (self.condition(on), self.space(self.table.role(place.root)));
        let chosen = self.part_or_spare(place, (&part, borrow), &spare, &primal);
        parts.before += &format!(
            "let mut {spare} = if {condition} {{ ::core::option::Option::None }} else {{
                 ::core::option::Option::Some(__d::Spare::spare::<{space}>(&{primal}))
             }};
             let {slot} = {chosen};"
        );
        slot
    }

    /// A part of a shadow, unless there is a spare one in its place.
    fn part_or_spare(&self, place: &Place, (part, borrow): (&str, &str), spare: &str, primal: &str) -> String {
        let (space, exclusive) = (self.space(self.table.role(place.root)), if borrow == "&" { "" } else { "_mut" });
        match self.may_be_inert(place) {
            true => {
                format!("__d::there_or{exclusive}::<{space}, _, _, _>({spare}.as_mut(), || {borrow}{part}, &{primal})")
            }
            false => format!(
                "match {spare}.as_mut() {{
                     ::core::option::Option::None => {borrow}{part},
                     ::core::option::Option::Some(spare) => {borrow}*__d::shadow_like::<{space}, _>(&{primal}, spare),
                 }}"
            ),
        }
    }

    /// An argument, or nothing in its place if rustc finds that its type carries no derivatives.
    fn seen(&self, arg: &CallArg, primal: String) -> String {
        match arg {
            CallArg::Ref(p) | CallArg::Value(Operand::Place(p)) => self.seen_place(p, primal),
            _ => primal,
        }
    }

    /// The same of a part of a parameter.
    pub fn seen_place(&self, p: &Place, primal: String) -> String {
        let is_param = self.function.params.iter().any(|param| param.var == p.root);
        let whole = matches!(p.path.last(), None | Some(Proj::Field(_)));
        match is_param && whole && *self.table.ty(p.root) == Ty::Unknown {
            true => {
                let float = &self.float;
                format!(
                    "(*{{ use __d::{{SeenAsNothing as _, SeenWhole as _}}; (&&__d::SeenPart::<{float}, _>::of(&{primal})).seen() }})"
                )
            }
            false => primal,
        }
    }

    /// The primal of an argument whose shadow may be missing: a part of a parameter.
    fn stand_in(&self, (k, arg): (usize, &CallArg), shadow: &Place, on: ParamSet, parts: &mut Parts) -> Option<String> {
        let (CallArg::Ref(p) | CallArg::Value(Operand::Place(p))) = arg else { return None };
        self.may_be_off(shadow, on).then(|| self.part(k, p, false, parts))
    }

    /// Whether a shadow is a part of a parameter's, which may be switched off in the call at hand.
    fn may_be_off(&self, shadow: &Place, on: ParamSet) -> bool {
        on != self.everything && self.table.is_ref(shadow.root)
    }

    /// The place of an argument, or of a shadow that goes with it: of a half, after the split.
    pub fn part(&self, k: usize, place: &Place, exclusive: bool, parts: &mut Parts) -> String {
        let bar_half = || parts.bars.get(k).and_then(Option::as_ref).filter(|_| exclusive);
        let Some(half) = parts.halves[k].as_ref().or_else(bar_half) else { return self.place_by(place, exclusive) };
        let root = self.name(place.root);
        if parts.split.insert(place.root) {
            let (whole, at) = (self.place_by(&place.up(half.depth), true), self.passive_code(&half.at));
            let split = format!("{whole}.split_at_mut({at})");
            let split = match parts.there.get(k).filter(|_| parts.halves[k].is_none()) {
                Some(Some(there)) => format!("if {there} {{ {split} }} else {{ ::core::default::Default::default() }}"),
                _ => split,
            };
            parts.before += &format!("let ({root}_front, {root}_back) = {split};");
        }
        let side = if half.back { "back" } else { "front" };
        let rest = Place { root: place.root, path: place.path[place.path.len() - half.rest..].to_vec() };
        crate::emit::code::writer::path(&format!("(*{root}_{side})"), &rest, exclusive, |o| self.passive_code(o))
    }

    pub fn result_bars(&self, s: &Sweep) -> String {
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

/// `energy__pull`, or `energy__pull_mut` for a function that changes its first argument.
pub fn derivative_name(name: &Ident, product: &str, exclusive: bool) -> Ident {
    let plain = name.to_string();
    let ending = if exclusive { "_mut" } else { "" };
    format_ident!("{}__{}{}", plain.trim_start_matches("r#"), product, ending, span = name.span())
}

/// What rustc is asked for as a handle: of a type's functions that have none it says so in the same words.
pub fn asked_handle(path: &TokenStream) -> TokenStream {
    match syn::parse2::<Ident>(path.clone()) {
        Ok(name) if name.to_string().starts_with(WITHOUT_HANDLE) => quote_spanned!(name.span()=> __d::Unannotated<0>),
        _ => path.clone(),
    }
}

/// Whether a method is asked for by a name that all sweeps share, so that rustc says once that it is not there. The answer is the
/// receiver, borrowed before the arguments are: these may read what a method changes.
fn is_asked_first(call: &Call) -> bool {
    !matches!(call.args.first(), Some(CallArg::Mut(_)))
}

/// Whether a handle is one of the runtime's.
fn is_own(handle: &TokenStream) -> bool {
    matches!(handle.clone().into_iter().next(), Some(TokenTree::Ident(name)) if name == "__d")
}

/// The halves among a call's arguments, and what is done before the call.
pub struct Parts {
    halves: Vec<Option<Half>>,
    /// Those among the cotangents, of which more are borrowed exclusively.
    bars: Vec<Option<Half>>,
    /// On what condition the cotangents are there, where they may be switched off.
    there: Vec<Option<String>>,
    split: Vars,
    /// The `&mut` arguments of which the callee has to be one that writes, and where its name stands.
    changing: Vec<(usize, Span)>,
    pub before: String,
}

impl Parts {
    pub fn new(call: &Call) -> Self {
        Parts {
            halves: halves(call),
            bars: Vec::new(),
            there: Vec::new(),
            split: Vars::new(),
            changing: confirmed(call),
            before: String::new(),
        }
    }

    pub fn of_sweep(emit: &Emit<'_>, s: &Sweep) -> Self {
        let there = s.bars.iter().map(|bar| {
            let (place, on) = bar.as_ref()?;
            emit.may_be_off(place, *on).then(|| emit.condition(*on))
        });
        Parts { bars: bar_halves(&s.bars), there: there.collect(), ..Parts::new(&s.call) }
    }
}

/// The arguments of which rustc has to confirm that the callee takes them by `&mut`: the first is in the function's name, and of functions
/// that are values the types are not known.
fn confirmed(call: &Call) -> Vec<(usize, Span)> {
    let (first, span) = match &call.callee {
        Callee::Function(path) => (0, path.clone().into_iter().last().map(|tree| tree.span())),
        Callee::Associated(path) => (1, path.path.segments.last().map(|last| last.ident.span())),
        Callee::Method(name) => (1, Some(name.span())),
        Callee::Parameter(_) | Callee::With(_) => return Vec::new(),
    };
    let at = span.unwrap_or_else(Span::call_site);
    call.changing.iter().filter(|k| **k >= first).map(|k| (*k, at)).collect()
}

/// How a shadow is passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SlotKind {
    /// A tangent, to be read.
    Shared,
    /// A cotangent, or a tangent of what is written to.
    Exclusive,
    /// A cotangent that the callee initialises.
    Fresh,
    /// A parameter's, which it initialises if that is what the caller's slot asks for.
    Relayed,
}

/// The shadow of an argument, if it has one.
pub fn shadow_of(all: &[Option<(Place, ParamSet)>], k: usize) -> Option<(&Place, ParamSet)> {
    all.get(k).and_then(Option::as_ref).map(|(place, on)| (place, *on))
}
