//! The adjoint, and its tangent: one function each, which runs both sweeps or one of them.

use crate::ad::derivatives::{Derivatives, SplitTangent, Tangent};
use crate::ad::forward::Forward;
use crate::ad::reverse::{JointAdjoint, SplitAdjoint};
use crate::emit::code::writer::{Emit, Order};
use crate::emit::items::frame::{Frame, walked};
use crate::emit::items::shadow_slots::{Around, Cleared};
use crate::emit::items::slot::Slot;
use crate::emit::items::traits::given;
use crate::ir::symbols::Table;
use crate::ir::visit::Vars;
use crate::ir::*;
use crate::support::hash::HashMap;

/// Sweeps with variables in common.
pub struct Code<'a> {
    pub order: Order,
    pub table: &'a Table,
    pub bars: &'a HashMap<Var, Var>,
    pub y_bar: Option<Var>,
    /// In second order: the tangents, and that of the result.
    pub tangents: Option<(&'a Forward<'a>, &'a Output)>,
    pub blocks: Vec<&'a Block>,
}

/// What the two orders differ in.
pub struct Shape<'a> {
    pub name: &'static str,
    pub slots: Vec<Slot<'a>>,
    /// The arguments for the result's cotangents, and their spaces.
    pub seeds: &'a [(&'static str, &'a str)],
    pub result: String,
}

/// Whether a function is written or only its body.
pub enum Header<'a> {
    /// The function, with what is done instead in front of its body.
    Whole(&'a str),
    None,
}

/// The two sweeps as text, and what comes before either.
pub struct Sweeps {
    pub first: String,
    pub forward: String,
    pub reverse: String,
}

impl<'a> Code<'a> {
    /// The adjoint in one body.
    pub fn of_joint(JointAdjoint { table, bars, y_bar, body, .. }: &'a JointAdjoint) -> Self {
        Code { order: Order::First, table, bars, y_bar: *y_bar, tangents: None, blocks: vec![body] }
    }

    /// The adjoint in two sweeps.
    pub fn of_split(SplitAdjoint { table, bars, y_bar, forward, reverse, .. }: &'a SplitAdjoint) -> Self {
        Code { order: Order::First, table, bars, y_bar: *y_bar, tangents: None, blocks: vec![forward, reverse] }
    }

    /// The tangent of the adjoint in one body.
    pub fn of_joint_tangent(JointAdjoint { bars, y_bar, .. }: &'a JointAdjoint, tangent: &'a Tangent<'a>) -> Self {
        let Tangent { pass, body, dot } = tangent;
        let tangents = Some((pass, dot));
        Code { order: Order::Second, table: &pass.table, bars, y_bar: *y_bar, tangents, blocks: vec![body] }
    }

    /// The tangent of the adjoint in two sweeps.
    pub fn of_split_tangent(SplitAdjoint { bars, y_bar, .. }: &'a SplitAdjoint, tangent: &'a SplitTangent<'a>) -> Self {
        let SplitTangent { pass, forward, reverse, dot } = tangent;
        let (tangents, blocks) = (Some((pass, dot)), vec![forward, reverse]);
        Code { order: Order::Second, table: &pass.table, bars, y_bar: *y_bar, tangents, blocks }
    }
}

impl Frame<'_> {
    /// `__pull`.
    pub fn pull(&self, products: &Derivatives<'_>) -> String {
        let Derivatives { pull, split, .. } = products;
        let split = split.as_ref().filter(|apart| !self.is_made_again(apart));
        let (both, apart) = (Code::of_joint(pull), split.map(Code::of_split));
        let again = split.and_then(|s| self.again(s));
        let (slots, result) = (vec![Slot::bar("Space")], self.ret.clone());
        let shape = Shape { name: "pull", slots, seeds: &[("y_bar_in", "Space")], result };
        self.adjoint(shape, &both, apart, again, Header::Whole(""))
    }

    /// `__pull_push`.
    pub fn pull_push(&self, products: &Derivatives<'_>, instead: &str) -> String {
        self.second(products, Header::Whole(instead))
    }

    /// The same body for another function's header.
    pub fn pull_push_everywhere(&self, products: &Derivatives<'_>) -> String {
        self.second(products, Header::None)
    }

    fn second(&self, products: &Derivatives<'_>, header: Header<'_>) -> String {
        let Derivatives { pull, split, second, .. } = products;
        let Some(second) = second else { return crate::emit::items::rule::without_second(self) };
        let split = split.as_ref().filter(|apart| !self.is_made_again(apart));
        let both = Code::of_joint_tangent(pull, &second.pull_push);
        let apart = split.zip(second.split_push.as_ref()).map(|(s, t)| Code::of_split_tangent(s, t));
        let again = split.and_then(|s| self.again(s));
        let slots = vec![Slot::DOT, Slot::bar(&self.float), Slot::BAR_DOT];
        let seeds = &[("y_bar_in", &self.float[..]), ("y_bar_dot_in", "Space")];
        let result = format!("({}, {})", self.ret, self.tangent("Space"));
        self.adjoint(Shape { name: "pull_push", slots, seeds, result }, &both, apart, again, header)
    }

    fn adjoint(
        &self,
        shape: Shape<'_>,
        both: &Code<'_>,
        apart: Option<Code<'_>>,
        again: Option<String>,
        header: Header<'_>,
    ) -> String {
        let emit = self.emit(both.table, (both.order, shape.slots[0]), &both.blocks);
        let body = match apart {
            Some(code) => self
                .common(&emit, &shape, both, &code)
                .unwrap_or_else(|| self.either(&emit, &shape, both, &code, again)),
            None => {
                let together = self.together(&emit, &shape, both);
                format!("if Sweep::REVERSE {{ {together} }} else {{ {} }}", self.value(&emit, both.order))
            }
        };
        let first = self.first(&emit);
        match header {
            Header::Whole(instead) => self.whole(&emit, &shape, &format!("{instead} {first} {body}")),
            Header::None => format!("{first} return {{ {body} }};"),
        }
    }

    /// The sweeps apart, where they are not asked for together; `again` is where the reverse sweep makes anew what it needs.
    fn either(
        &self,
        emit: &Emit<'_>,
        shape: &Shape<'_>,
        both: &Code<'_>,
        apart: &Code<'_>,
        again: Option<String>,
    ) -> String {
        let (together, apart) = (self.together(emit, shape, both), self.apart(shape, apart));
        let Some(again) = again else {
            return format!("if Sweep::FORWARD && Sweep::REVERSE {{ {together} }} else {{ {apart} }}");
        };
        format!(
            "if Sweep::REVERSE && (Sweep::FORWARD || {again}) {{ {together} }}
             else if {again} {{ {} }} else {{ {apart} }}",
            self.value(emit, both.order)
        )
    }

    /// The function around a body.
    fn whole(&self, emit: &Emit<'_>, shape: &Shape<'_>, body: &str) -> String {
        let Shape { name, slots, seeds, result } = shape;
        let (generics, bounds) = self.header("Sweep: __d::Sweeps", slots);
        let seeds: String = seeds
            .iter()
            .map(|(name, space)| format!("{name}: ::core::option::Option<&mut {}>, ", self.tangent(space)))
            .collect();
        let (args, ws, items) = (self.arguments(emit, slots), self.workspace(), &self.items);
        let function = self.header_of(name);
        format!(
            "{function}{generics}({args}{seeds}{ws}, _: Sweep) -> ::core::option::Option<{result}> {bounds} {{
                 {items} {body}
             }}"
        )
    }

    /// Both sweeps in one.
    pub fn together(&self, emit: &Emit<'_>, shape: &Shape<'_>, code: &Code<'_>) -> String {
        let dots = self.dots(emit, code);
        let Around { before, after } = self.bars(emit, shape, code, &code.cleared());
        let (kins, seeds) = (emit.kins(&code.blocks).concat(), self.seeds(emit, shape, code));
        let (body, value) = (emit.block(code.blocks[0]), self.valued(emit, code));
        format!("{dots} {before} {seeds} {kins} {body} {after} {value}")
    }

    /// One of the sweeps.
    fn apart(&self, shape: &Shape<'_>, code: &Code<'_>) -> String {
        let Sweeps { first, forward, reverse } = self.sweeps(shape, code);
        format!("{first} if Sweep::FORWARD {{ {forward} }} else {{ {reverse} }}")
    }

    /// The sweeps, and what comes before either.
    pub fn sweeps(&self, shape: &Shape<'_>, code: &Code<'_>) -> Sweeps {
        let emit = self.emit(code.table, (code.order, shape.slots[0]), &code.blocks);
        let (dots, kins) = (self.dots(&emit, code), emit.kins(&code.blocks).concat());
        let (Around { before, after }, seeds) =
            (self.bars(&emit, shape, code, &code.cleared()), self.seeds(&emit, shape, code));
        let (forward, reverse) = (emit.block(code.blocks[0]), emit.block(code.blocks[1]));
        let value = self.result(&emit, code);
        Sweeps {
            first: format!("{dots} {kins}"),
            forward: format!("{forward} ::core::option::Option::Some({value})"),
            reverse: format!("{before} {seeds} {reverse} {after} ::core::option::Option::None"),
        }
    }

    /// The value, where the forward sweep keeps nothing.
    fn value(&self, emit: &Emit<'_>, order: Order) -> String {
        let args = |one: &dyn Fn(usize, &Param) -> String| {
            self.function.params.iter().enumerate().map(|(k, p)| one(k, p)).collect::<String>()
        };
        let value = match order {
            Order::First => self.called(&args(&|_, p| format!("{}{}, ", given(emit.name(p.var), p), walked(p)))),
            Order::Second => {
                let args = args(&|k, p| {
                    format!("{}{}, {}, ", self.borrow(k), given(emit.name(p.var), p), Slot::DOT.argument(k))
                });
                format!("{}({args} ws)", self.product("push"))
            }
        };
        format!("::core::option::Option::Some({value})")
    }

    /// The value of both sweeps, if it is asked for.
    pub fn valued(&self, emit: &Emit<'_>, code: &Code<'_>) -> String {
        let value = self.result(emit, code);
        format!("if Sweep::VALUED {{ ::core::option::Option::Some({value}) }} else {{ ::core::option::Option::None }}")
    }

    pub fn result(&self, emit: &Emit<'_>, code: &Code<'_>) -> String {
        if self.inside.is_some() {
            return self.closure_value(emit, code.tangents.map(|(_, dot)| dot));
        }
        let value = self.out(emit, &self.function.result);
        match code.tangents {
            None => value,
            Some((_, dot)) => format!("({value}, {})", self.out(emit, dot)),
        }
    }

    pub fn dots(&self, emit: &Emit<'_>, code: &Code<'_>) -> String {
        let Some((pass, _)) = code.tangents else { return String::new() };
        self.opened(emit, Slot::DOT, &pass.dots, &|_| None).before
    }

    /// The cotangents of the parameters.
    pub fn bars(&self, emit: &Emit<'_>, shape: &Shape<'_>, code: &Code<'_>, cleared: Cleared<'_>) -> Around {
        let bars = shape.slots.iter().filter(|slot| !slot.is_dot());
        let dots = code.tangents.map(|(pass, _)| code.bars.iter().map(|(v, bar)| (*v, pass.dots[bar])).collect());
        let vars: Vec<HashMap<Var, Var>> = [Some(code.bars.clone()), dots].into_iter().flatten().collect();
        let mut all = Around::default();
        for (slot, vars) in bars.zip(&vars) {
            let one = self.opened(emit, *slot, vars, cleared);
            all.before += &one.before;
            all.after += &one.after;
        }
        all
    }

    /// `let y_bar = ..`.
    pub fn seeds(&self, emit: &Emit<'_>, shape: &Shape<'_>, code: &Code<'_>) -> String {
        let Some(y_bar) = code.y_bar else { return String::new() };
        let vars = [Some(y_bar), code.tangents.map(|(pass, _)| pass.dots[&y_bar])];
        let seeds = vars.into_iter().flatten().zip(shape.seeds);
        seeds
            .map(|(var, (argument, space))| {
                let given = format!("{argument}.expect(\"the reverse sweep takes a cotangent\")");
                let seed = self.seed(&given, emit.name(var), space);
                let mutable = if matches!(self.function.result, Output::Maybe(_)) { "mut " } else { "" };
                format!("let {mutable}{} = {seed};", emit.name(var))
            })
            .collect()
    }

    /// The cotangent of the value: zero where there is no value.
    fn seed(&self, given: &str, name: &str, space: &str) -> String {
        let number = matches!(self.function.result.content(), Output::Float(_));
        match (&self.function.result, number) {
            (Output::Maybe(_), true) => {
                format!("({given}).unwrap_or(<{space} as __d::LinearSpace<{}>>::ZERO)", self.float)
            }
            (Output::Maybe(m), false) => {
                let ty = self.holes.ty(&m.ty);
                format!(
                    "&mut <{ty} as __d::ReturnValue<{}>>::empty::<{space}>();
                     if let ::core::option::Option::Some(given) = {given}.as_mut() {{ {name} = given; }}",
                    self.float
                )
            }
            (_, true) => format!("*{given}"),
            (_, false) => given.to_owned(),
        }
    }
}

impl Code<'_> {
    /// The parameters' cotangents that the blocks initialise themselves.
    pub fn initialised(&self) -> Vars {
        self.blocks.iter().flat_map(|b| &b.stmts).flat_map(initialised).collect()
    }

    /// The others are cleared.
    fn cleared(&self) -> impl Fn(Var) -> Option<&'static str> {
        let initialised = self.initialised();
        move |bar| (!initialised.contains(&bar)).then_some("")
    }
}

/// Parameters' cotangents that the body initialises itself.
fn initialised(stmt: &Stmt) -> Vars {
    match stmt {
        Stmt::Derived(Derived::Fresh { bar, .. }) => [*bar].into_iter().collect(),
        Stmt::Derived(Derived::Sweep(s)) => s.fresh.clone(),
        _ => Vars::new(),
    }
}
