//! The derivative code of a function whose rule the user wrote: the row of all tangents or cotangents goes through the rule.
//!
//! The templates call the user's function `__primal` and the rule's halves `__jvp` and `__vjp`; the user's tokens take the
//! places of these names at the end.

use crate::emit::code::copies;
use crate::emit::code::writer::is_mut;
use crate::emit::items::captures::unknown;
use crate::emit::items::frame::Frame;
use crate::emit::items::slot::Slot;
use crate::frontend::syntax::types::is_function;
use crate::ir::*;
use crate::support::errors::ErrorCode;
use crate::support::options::{Half, Rule};
use proc_macro2::TokenStream;
use quote::ToTokens;

/// The inherent functions of the handle.
pub fn bodies(frame: &Frame<'_>, rule: &Rule) -> String {
    let writer = Writer { frame, rule };
    let all = [writer.push(), writer.pull(), writer.pull_push()].concat();
    let half = |half: &Option<Half>| half.as_ref().map_or_else(TokenStream::new, |h| h.path.to_token_stream());
    let own = [("__primal", frame.path_tokens()), ("__jvp", half(&rule.pushforward)), ("__vjp", half(&rule.pullback))];
    own.into_iter().fold(all, |text, (name, tokens)| text.replace(name, &frame.holes.put(tokens)))
}

/// The same for a function without a rule: a compile error, where one of them is used.
pub fn without(frame: &Frame<'_>, message: &str) -> String {
    let writer = Writer { frame, rule: &Rule::default() };
    let refused = || format!("{} ::core::unreachable!()", refused(ErrorCode::ForeignImplementation, message));
    let all = [writer.push_with(refused()), writer.pull_with(refused()), writer.pull_push_with(refused())];
    all.concat()
}

/// Second derivatives of a function that is to have none: the same.
pub fn without_second(frame: &Frame<'_>) -> String {
    let name = &frame.function.name;
    let message = format!(
        "`{name}` has first derivatives only, as its attribute says: leave out `first_order` for second ones (`hessian`, `hvp`, ..)"
    );
    let writer = Writer { frame, rule: &Rule::default() };
    writer.pull_push_with(format!("{} ::core::unreachable!()", refused(ErrorCode::FirstOrderOnly, &message)))
}

/// A compile error, as soon as the code is asked for.
fn refused(code: ErrorCode, message: &str) -> String {
    let message = format!("{message} [{code}]");
    format!(
        "struct Refused<T>(T);
         impl<T> Refused<T> {{ const NOW: () = ::core::panic!({message:?}); }}
         let () = Refused::<Space>::NOW;"
    )
}

struct Writer<'a> {
    frame: &'a Frame<'a>,
    rule: &'a Rule,
}

impl Writer<'_> {
    fn ret(&self) -> &str {
        &self.frame.ret
    }

    fn float(&self) -> &str {
        &self.frame.float
    }

    fn jvp_name(&self) -> String {
        self.rule.pushforward.as_ref().map_or_else(String::new, Half::name)
    }

    fn vjp_name(&self) -> String {
        self.rule.pullback.as_ref().map_or_else(String::new, Half::name)
    }

    /// A piece of code for each parameter, made of its number, its place type, and a reference to it.
    fn each<'p>(
        &self,
        params: impl Iterator<Item = (usize, &'p Param)>,
        one: impl Fn(usize, &str, &str) -> String,
    ) -> String {
        params.map(|(k, p)| one(k, self.frame.place(k), &at(k, p))).collect()
    }

    /// How many numbers these parameters have, as terms of a sum.
    fn sizes<'p>(&self, params: impl Iterator<Item = (usize, &'p Param)>) -> String {
        self.each(params, |_, place, x| format!(" + __d::count::<{place}>({x})"))
    }

    /// The row `image` of the row `row`; a constant function leaves it zero.
    fn applied(&self, map: impl FnOnce() -> String) -> String {
        let float = self.float();
        if self.rule.constant {
            return String::new();
        }
        let map = map();
        format!(
            "<Space as __d::LinearSpace<{float}>>::apply(&row, &mut image, |from: &[{float}], to: &mut [{float}]| {{ {map} }});"
        )
    }

    /// The transpose of a map.
    fn transposed(&self, map: &str) -> String {
        format!("__d::transposed::<{}>(from, to, &mut |from, to| {{ {map} }});", self.float())
    }

    /// The tangent or cotangent `d` of a parameter, behind its owner.
    fn lent(&self, k: usize) -> String {
        format!("<{} as __d::Member>::shadow::<{}>(&mut d{k})", self.frame.place(k), self.float())
    }

    /// Whether the function returns something.
    fn returns(&self) -> bool {
        self.ret() != "()"
    }

    /// Whether it returns one number.
    fn returns_number(&self) -> bool {
        self.ret() == self.float()
    }

    fn inputs(&self) -> impl Iterator<Item = (usize, &Param)> {
        self.frame.params().filter(|(_, p)| p.active && !is_mut(p))
    }

    fn outputs(&self) -> impl Iterator<Item = (usize, &Param)> {
        self.frame.params().filter(|(_, p)| p.active && is_mut(p))
    }

    fn float_by_value(&self, param: &Param) -> bool {
        param.passing == Passing::Value && self.frame.is_float(param)
    }

    /// The parameters as arguments: of the function, or without the outputs of its rule.
    fn arguments(&self, outputs: bool) -> String {
        let params = self.frame.params().filter(|(_, p)| outputs || !is_mut(p));
        params.map(|(k, p)| format!("{}, ", self.argument(k, p))).collect()
    }

    /// A parameter as an argument that may be passed again.
    fn argument(&self, k: usize, param: &Param) -> String {
        let ty: Option<syn::Type> = syn::parse2(param.full.clone()).ok();
        let function = ty.is_some_and(|ty| is_function(&ty, &self.frame.function.generics));
        match param.passing {
            Passing::Value if function => format!("&x{k}"),
            Passing::Value if !self.float_by_value(param) => copies::of_value(&format!("x{k}")),
            Passing::Value | Passing::Ref => format!("x{k}"),
            Passing::Mut | Passing::Out => format!("&mut *x{k}"),
        }
    }

    fn call(&self) -> String {
        format!("__primal({})", self.arguments(true))
    }

    /// The row of the inputs' tangents.
    fn read(&self) -> String {
        let row = format!("let mut row = __d::Row::of(<Space as __d::LinearSpace<{}>>::ZERO, 0);\n", self.float());
        row + &self.each(self.inputs(), |k, place, x| format!("__d::read::<{place}, Space>({x}, &__d{k}, &mut row);\n"))
    }

    /// The map of tangents, from a row of all inputs to one of all outputs; `results` numbers of it are the result's.
    fn forward_map(&self) -> String {
        match (&self.rule.pushforward, &self.rule.pullback) {
            (None, Some(_)) => self.transposed(&self.vjp()),
            _ => self.jvp(),
        }
    }

    /// The map of cotangents, the other way round.
    fn backward_map(&self) -> String {
        match (&self.rule.pullback, &self.rule.pushforward) {
            (None, Some(_)) => self.transposed(&self.jvp()),
            _ => self.vjp(),
        }
    }

    fn jvp(&self) -> String {
        let (name, float) = (self.jvp_name(), self.float());
        let part = |k, place: &str, x: &str| format!("let mut d{k} = __d::part::<{place}>({x}, &mut from);\n");
        let zero =
            |k, place: &str, x: &str| format!("let mut d{k} = <{place} as __d::Member>::zero::<{float}>({x});\n");
        let give =
            |k, place: &str, x: &str| format!("__d::give::<{place}>({name:?}, {x}, {}, &mut to);\n", self.lent(k));
        let image = match self.returns() {
            true => format!("__d::image::<{float}>({name:?}, &image, mine);"),
            false => String::new(),
        };
        let [parts, zeros] = [self.each(self.inputs(), part), self.each(self.outputs(), zero)];
        let arguments = [self.arguments(false), self.shadows(self.inputs()), self.shadows(self.outputs())].concat();
        let given = self.each(self.outputs(), give);
        format!(
            "let (mut from, mut to) = (from, to); {parts} {zeros} let image = __jvp({arguments});
             let (mine, mut to) = to.split_at_mut(results); {image} {given}"
        )
    }

    fn vjp(&self) -> String {
        let name = self.vjp_name();
        let part = |k, place: &str, x: &str| format!("let mut d{k} = __d::part::<{place}>({x}, &mut from);\n");
        let give = |k, place: &str, x: &str| format!("__d::give::<{place}>({name:?}, {x}, &b{k}, &mut to);\n");
        let [parts, given] = [self.each(self.outputs(), part), self.each(self.inputs(), give)];
        let (seed, y) = self.seed();
        let arguments = [&self.arguments(false), y, &self.shadows(self.outputs())].concat();
        format!(
            "let (mut mine, mut from) = from.split_at(results); let mut to = to; {seed} {parts}
             let {} = __vjp({arguments}); {given}",
            self.pattern("b")
        )
    }

    /// The cotangent of the result from its numbers `mine`, and the argument that it is.
    fn seed(&self) -> (String, &'static str) {
        let (ret, float) = (self.ret(), self.float());
        match (self.returns_number(), self.returns()) {
            (true, _) => (String::new(), "mine[0], "),
            (_, false) => (String::new(), ""),
            _ => (
                format!(
                    "let mut y = __d::Pool::of_its_own(|pool| <{ret} as __d::ReturnValue<{float}>>::zero::<{float}>(value.as_ref().expect(\"the value\"), pool));
                     __d::fill(&mut y, &mut mine);"
                ),
                "&y, ",
            ),
        }
    }

    /// What a pullback gives: the only cotangent, or a tuple of them.
    fn pattern(&self, name: &str) -> String {
        let names: Vec<String> = self.inputs().map(|(k, _)| format!("{name}{k}")).collect();
        if names.len() == 1 { names.concat() } else { format!("({})", names.join(", ")) }
    }

    /// The tangents or cotangents in floats as arguments.
    fn shadows<'p>(&self, params: impl Iterator<Item = (usize, &'p Param)>) -> String {
        let one = |(k, p): (usize, &Param)| match p.passing {
            Passing::Value => format!("d{k}, "),
            _ => format!("{}, ", self.lent(k)),
        };
        params.map(one).collect()
    }

    /// `(value, y_dot)`, from the tangents of the inputs in `row`. Writes the outputs' tangents to their slots.
    fn pushed(&self) -> String {
        let (ret, float, call) = (self.ret(), self.float(), self.call());
        let write = |k, place: &str, _: &str| format!("__d::write::<{place}, Space, _>(&mut __d{k}, &mut image);\n");
        let (sizes, outputs) = (self.sizes(self.outputs()), self.each(self.outputs(), write));
        let (numbers, fill) = match self.returns() {
            true => ("__d::length::<Space>(&y_dot)", "__d::fill(&mut y_dot, &mut image);"),
            false => ("0", ""),
        };
        let apply = self.applied(|| self.forward_map());
        format!(
            "let value = ::core::option::Option::Some({call});
             let mut y_dot = <{ret} as __d::ReturnValue<{float}>>::zero::<Space>(value.as_ref().expect(\"the value\"), &mut ws.shadows);
             let results = {numbers};
             let mut image = __d::Row::of(<Space as __d::LinearSpace<{float}>>::ZERO, results{sizes});
             {apply}
             let mut image = &image[..];
             {fill} {outputs}
             (value.expect(\"the value\"), y_dot)"
        )
    }

    /// Adds what the rule makes of `y_bar_in` to the slots `__s`. Needs `value`, unless the result is a number.
    fn pulled(&self) -> String {
        let float = self.float();
        let row = match self.returns() {
            true => format!("__d::numbers::<{float}, Space>(y_bar_in)"),
            false => format!("__d::Row::of(<Space as __d::LinearSpace<{float}>>::ZERO, 0)"),
        };
        let take = |k, place: &str, x: &str| format!("__d::take::<{place}, Space, _>({x}, &mut __s{k}, &mut row);\n");
        let add = |k, place: &str, x: &str| format!("__d::add::<{place}, Space, _>({x}, &mut __s{k}, &mut image);\n");
        let [outputs, inputs] = [self.each(self.outputs(), take), self.each(self.inputs(), add)];
        let (sizes, apply) = (self.sizes(self.inputs()), self.applied(|| self.backward_map()));
        format!(
            "let mut row = {row};
             let results = row.len();
             {outputs}
             let mut image = __d::Row::of(<Space as __d::LinearSpace<{float}>>::ZERO, 0{sizes});
             {apply}
             let mut image = &image[..];
             {inputs}"
        )
    }

    /// The same with tangents: the pullback's own derivative.
    fn pulled_push(&self) -> String {
        if self.rule.constant {
            return self.nothing_pulled();
        }
        let Some(Half { handle: true, .. }) = &self.rule.pullback else { return self.refusal() };
        let bar = |k, _: &str, _: &str| format!("&*bar{k}, __d::dot_slot(&*bar_dot{k}), ");
        let bars = self.each(self.outputs(), bar);
        let arguments = [&self.arguments_with_tangents(), self.seed_with_tangent(), &bars].concat();
        format!(
            "{}
             let ({}, {}) = __vjp::__push({arguments} ws);
             {} {}",
            self.output_cotangents(),
            self.pattern("b"),
            self.pattern("c"),
            self.cleared_outputs(),
            self.added_inputs(),
        )
    }

    /// The arguments of the pullback's pushforward that are the function's own.
    fn arguments_with_tangents(&self) -> String {
        let dot = |(k, p): (usize, &Param)| match &p.function {
            Some(function) => unknown(function.inputs.len() * 2 + 1),
            None if p.active => format!("__d{k}"),
            None => "__d::Off".to_owned(),
        };
        let params = self.frame.params().filter(|(_, p)| !is_mut(p));
        params.map(|(k, p)| format!("{}, {}, ", self.argument(k, p), dot((k, p)))).collect()
    }

    /// Its argument that is the cotangent of the result.
    fn seed_with_tangent(&self) -> &'static str {
        match (self.returns_number(), self.returns()) {
            (true, _) => "*y_bar_in, __d::dot_slot(&*y_bar_dot_in), ",
            (_, true) => "&*y_bar_in, __d::dot_slot(&*y_bar_dot_in), ",
            _ => "",
        }
    }

    /// The cotangents of the outputs, and their tangents.
    fn output_cotangents(&self) -> String {
        let float = self.float();
        self.each(self.outputs(), |k, place, _| format!(
            "let (mut own{k}, mut own_dot{k}) = (<{place} as __d::Member>::empty::<{float}>(), <{place} as __d::Member>::empty::<Space>());
             let bar{k} = __d::BarSlot::<{place}, {float}>::get(&mut __s{k}, <{place} as __d::Member>::shadow::<{float}>(&mut own{k}));
             let bar_dot{k} = __d::BarSlot::<{place}, Space>::get(&mut __t{k}, <{place} as __d::Member>::shadow::<Space>(&mut own_dot{k}));\n"
        ))
    }

    fn cleared_outputs(&self) -> String {
        let float = self.float();
        self.each(self.outputs(), |k, _, _| {
            format!("__d::Tangent::<{float}>::clear(bar{k}); __d::Tangent::<Space>::clear(bar_dot{k});\n")
        })
    }

    /// Adds the images of both to the slots of the inputs.
    fn added_inputs(&self) -> String {
        let (name, float) = (self.vjp_name(), self.float());
        self.each(self.inputs(), |k, place, x| {
            format!(
                "__d::add_given::<{place}, {float}, _>({name:?}, {x}, &b{k}, &mut __s{k});
                 __d::add_given::<{place}, Space, _>({name:?}, {x}, &c{k}, &mut __t{k});\n"
            )
        })
    }

    /// The cotangents of a constant function.
    fn nothing_pulled(&self) -> String {
        let float = self.float();
        self.each(self.inputs(), |k, place, x| {
            format!(
                "__d::nothing::<{place}, {float}, _>({x}, &mut __s{k}); __d::nothing::<{place}, Space, _>({x}, &mut __t{k});\n"
            )
        })
    }

    /// A compile error, as soon as second derivatives are asked for.
    fn refusal(&self) -> String {
        let name = &self.frame.function.name;
        let wanted = self.rule.pullback.as_ref().map_or_else(|| format!("{name}_vjp"), Half::name);
        let message = format!(
            "second derivatives through `{name}` need a pullback that is annotated itself: put `#[differentiable]` on \
             `{wanted}`, and write `pullback = {wanted}::D`"
        );
        refused(ErrorCode::RuleOfFirstOrder, &message)
    }

    fn declared(&self, slots: &str) -> String {
        let one = |(k, p): (usize, &Param)| {
            let first = slots.chars().next().filter(|_| p.function.is_some());
            let slots: String = match first {
                Some(letter) => self.frame.function_arguments(k, slot_of(letter, "")),
                None => slots.chars().map(|s| format!("mut __{s}{k}: __{}{k}, ", s.to_ascii_uppercase())).collect(),
            };
            let own = self.frame.first_argument(k, p);
            format!("{}{slots}", own.unwrap_or_else(|| format!("x{k}: {}, ", self.frame.holes.ty(&p.full))))
        };
        self.frame.params().map(one).collect()
    }

    /// A function of the handle; `sweep` is its first type parameter, if it has one.
    fn function(&self, name: &str, sweep: &str, slots: &str, more: &str, gives: &str, body: String) -> String {
        let space = if slots.len() == 3 { self.float() } else { "Space" };
        let (generics, bounds) =
            self.frame.header(sweep, &slots.chars().map(|l| slot_of(l, space)).collect::<Vec<_>>());
        let last = if sweep.is_empty() { "" } else { ", _: Sweep" };
        let (declared, ws) = (self.declared(slots), self.frame.workspace());
        let (function, first) = (self.frame.header_of(name), self.frame.first_as("x0"));
        format!(
            "{function}{generics}({declared}{more}{ws}{last}) -> {gives} {bounds} {{
                 {first}
                 {body}
             }}"
        )
    }

    fn tangent(&self, space: &str) -> String {
        format!("__d::Tan<{}, {space}, {}>", self.ret(), self.float())
    }

    fn push(&self) -> String {
        self.push_with(format!("{} {}", self.read(), self.pushed()))
    }

    fn push_with(&self, body: String) -> String {
        let gives = format!("({}, {})", self.ret(), self.tangent("Space"));
        self.function("push", "", "d", "", &gives, body)
    }

    /// The value, where it is asked for or where the rule needs its sizes.
    fn value(&self) -> String {
        let asked = if self.returns() && !self.returns_number() { "true" } else { "Sweep::VALUED" };
        format!(
            "let value = if {asked} {{ ::core::option::Option::Some({}) }} else {{ ::core::option::Option::None }};",
            self.call()
        )
    }

    fn pull(&self) -> String {
        let body = format!(
            "if !Sweep::REVERSE {{ return ::core::option::Option::Some({}); }}
             let y_bar_in = y_bar_in.expect(\"the reverse sweep takes a cotangent\");
             {} {}
             if Sweep::VALUED {{ value }} else {{ ::core::option::Option::None }}",
            self.call(),
            self.value(),
            self.pulled()
        );
        self.pull_with(body)
    }

    fn pull_with(&self, body: String) -> String {
        let more = format!("y_bar_in: ::core::option::Option<&mut {}>, ", self.tangent("Space"));
        let gives = format!("::core::option::Option<{}>", self.ret());
        self.function("pull", "Sweep: __d::Sweeps", "s", &more, &gives, body)
    }

    fn pull_push(&self) -> String {
        let body = format!(
            "let mut pushed = ::core::option::Option::None;
             if Sweep::VALUED {{
                 {}
                 pushed = ::core::option::Option::Some({{ {} }});
             }}
             if !Sweep::REVERSE {{ return pushed; }}
             let y_bar_in = y_bar_in.expect(\"the reverse sweep takes a cotangent\");
             let y_bar_dot_in = y_bar_dot_in.expect(\"and its tangent\");
             {}
             pushed",
            self.read(),
            self.pushed(),
            self.pulled_push()
        );
        self.pull_push_with(body)
    }

    fn pull_push_with(&self, body: String) -> String {
        let option = |tangent: String| format!("::core::option::Option<&mut {tangent}>");
        let (base, dot) = (option(self.tangent(self.float())), option(self.tangent("Space")));
        let more = format!("y_bar_in: {base}, y_bar_dot_in: {dot}, ");
        self.function("pull_push", "Sweep: __d::Sweeps", "dst", &more, &self.pair(), body)
    }

    fn pair(&self) -> String {
        format!("::core::option::Option<({}, {})>", self.ret(), self.tangent("Space"))
    }
}

/// A reference to a parameter.
fn at(k: usize, param: &Param) -> String {
    match param.passing {
        Passing::Value => format!("&x{k}"),
        _ => format!("&*x{k}"),
    }
}

/// The slot of a letter.
fn slot_of(letter: char, space: &str) -> Slot<'_> {
    match letter {
        'd' => Slot::DOT,
        's' => Slot::bar(space),
        _ => Slot::BAR_DOT,
    }
}
