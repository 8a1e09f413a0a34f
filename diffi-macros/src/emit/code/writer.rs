//! The writer of one body: its names, its spaces, and places as text.

use crate::analysis::call_tbr::Conditions;
use crate::analysis::definite_assignment::reassigned;
use crate::emit::code::copies;
use crate::emit::code::names::{Foreign, Names};
use crate::emit::code::text::Holes;
use crate::emit::items::captures::Captures;
use crate::emit::items::slot::Slot;
use crate::ir::place::{accessor, type_of_index};
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, touched};
use crate::ir::*;
use proc_macro2::TokenStream;
use std::cell::RefCell;

/// Which derivative code is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Cotangents live in the linear space `A`.
    First,
    /// Cotangents are floats, tangents live in `A`.
    Second,
}

/// Writes one body.
pub struct Emit<'a> {
    pub(in crate::emit) function: &'a Function,
    pub(in crate::emit) table: &'a Table,
    pub(in crate::emit) order: Order,
    /// The shadows that say which parameters are active.
    pub(in crate::emit) slot: Slot<'a>,
    pub(in crate::emit) names: Names<'a>,
    pub(in crate::emit) holes: &'a Holes,
    /// The user's float type.
    pub(in crate::emit) float: String,
    /// Variables that need `mut`.
    pub(in crate::emit) changed: Vars,
    /// Of the variables that are declared without a value: the ones that need `mut`.
    pub(in crate::emit) again: Vars,
    /// Variables that stand for places which last as long as the loops around the statement at hand.
    pub(in crate::emit) lasting: RefCell<Vars>,
    /// Which parameters can be active.
    pub(in crate::emit) everything: ParamSet,
    /// In a closure that is handed to another function: what it captures.
    pub(in crate::emit) inside: Option<&'a Captures<'a>>,
    /// On which calls' reads it depends what is kept.
    pub(in crate::emit) kept_if: Conditions,
    /// Whether rustc is asked whether the result carries derivatives.
    pub(in crate::emit) asks_of_value: bool,
}

impl<'a> Emit<'a> {
    /// For the blocks of one body.
    pub fn new(
        function: &'a Function,
        table: &'a Table,
        (foreign, holes): (&Foreign, &'a Holes),
        (order, slot): (Order, Slot<'a>),
        everything: ParamSet,
        body: &[&Block],
    ) -> Self {
        let (names, float) = (Names::new(foreign, table), float_name(&function.base));
        let changed = body.iter().flat_map(|block| touched(&block.stmts, &[Access::Write])).collect();
        let again = body.iter().flat_map(|b| reassigned(b)).collect();
        let (lasting, inside, asks_of_value) = (RefCell::default(), None, false);
        let kept_if = Conditions::of(table, body);
        Emit {
            function,
            table,
            order,
            slot,
            names,
            holes,
            float,
            changed,
            again,
            lasting,
            everything,
            inside,
            kept_if,
            asks_of_value,
        }
    }

    /// The variables' names.
    pub fn names(&self) -> &Names<'a> {
        &self.names
    }

    /// Whether another body declares as changeable what this one changes, where `that` says which variable is which.
    pub fn changes_as(&self, other: &Emit<'_>, that: &dyn Fn(Var) -> Option<Var>) -> bool {
        let among = |own: &Vars, others: &Vars| own.iter().all(|v| that(*v).is_none_or(|w| others.contains(&w)));
        among(&self.changed, &other.changed) && among(&self.again, &other.again)
    }

    /// The same body in a closure.
    pub fn within(self, inside: &'a Captures<'a>, foreign: &Foreign) -> Self {
        let names = Names::beside(foreign, self.table, inside.outer, &inside.fixed);
        // a closure of a forward sweep has no calls of adjoints, whose types could tell what these read
        Emit { names, inside: Some(inside), kept_if: Conditions::default(), ..self }
    }

    /// The same body with other names.
    pub fn renamed(self, names: Names<'a>) -> Self {
        Emit { names, ..self }
    }

    /// The number type of a role.
    pub(in crate::emit) fn space(&self, role: Role) -> &str {
        match (role, self.order) {
            (Role::Primal, _) | (Role::Bar, Order::Second) => &self.float,
            (Role::Bar, Order::First) | (Role::Dot, _) => "Space",
        }
    }

    pub(in crate::emit) fn zero(&self, role: Role) -> String {
        match role {
            Role::Primal => zero(&self.function.base),
            Role::Bar | Role::Dot => format!("<{} as __d::LinearSpace<{}>>::ZERO", self.space(role), self.float),
        }
    }

    /// The stack of the workspace that holds a role's numbers.
    pub(in crate::emit) fn pool(&self, role: Role) -> &'static str {
        match (role, self.order) {
            (Role::Primal, _) | (Role::Bar, Order::Second) => "ws.base",
            (Role::Bar, Order::First) | (Role::Dot, _) => "ws.shadows",
        }
    }

    /// A variable's name in generated code.
    pub fn name(&self, var: Var) -> &str {
        self.names.get(var)
    }

    /// `mut `, for a variable that needs it.
    pub(in crate::emit) fn mutable(&self, var: Var) -> &'static str {
        let is_changed = self.changed.contains(&var) || self.table.info(var).seen == ViewForm::Left;
        if is_changed { "mut " } else { "" }
    }

    /// Whether a variable stands for a place that lasts as long as a loop.
    pub(in crate::emit) fn lasts(&self, var: Var) -> bool {
        self.lasting.borrow().contains(&var)
    }

    /// Tokens with names for placeholders.
    pub(in crate::emit) fn tokens(&self, tokens: &TokenStream) -> String {
        self.holes.tokens(tokens, &|word| Some(self.name(self.names.placeholder(word)?).to_owned()))
    }

    /// Passive tokens.
    pub fn passive_code(&self, o: &PassiveCode) -> String {
        self.tokens(&o.tokens)
    }

    /// A place, as a value.
    pub fn place(&self, place: &Place) -> String {
        self.place_by(place, false)
    }

    /// Whether a variable is a reference, and not the value.
    pub fn is_reference(&self, var: Var) -> bool {
        self.table.is_ref(var)
    }

    /// A place that is written to.
    pub fn place_mut(&self, place: &Place) -> String {
        self.place_by(place, true)
    }

    /// Whether a place is the content of a `Box` behind a reference.
    fn is_box_behind(&self, place: &Place) -> bool {
        let behind = |p: &Param| p.var == place.root && p.passing != Passing::Value;
        let root = place.root;
        matches!(place.path.first(), Some(Proj::Deref))
            && (self.table.is_ref(root) || self.lasts(root) || self.function.params.iter().any(behind))
    }

    pub fn place_by(&self, place: &Place, exclusive: bool) -> String {
        let root = self.name(place.root);
        match place.path.is_empty() {
            true if self.table.is_cell(place.root) => format!("{root}.get()"),
            true if self.table.is_ref(place.root) || self.lasts(place.root) => format!("(*{root})"),
            false if exclusive && self.table.is_ref(place.root) && is_in_option(place) || self.is_box_behind(place) => {
                path(&format!("(*{root})"), place, exclusive, |o| self.passive_code(o))
            }
            _ => path(root, place, exclusive, |o| self.passive_code(o)),
        }
    }

    /// The operand's value.
    pub(in crate::emit) fn operand(&self, o: &Operand) -> String {
        match o {
            Operand::Place(p) if self.is_shadow_in_data(p) && self.is_float(p) => self.number(p),
            Operand::Place(p) => self.place(p),
            Operand::Passive(o) => {
                let value = self.passive_code(o);
                if crate::emit::code::text::is_word(&value) { value } else { format!("({value})") }
            }
            Operand::Made { op, args } => format!("({})", self.op(op, args)),
        }
    }

    /// The operand's value, owned: aggregates are cloned.
    pub(in crate::emit) fn owned(&self, o: &Operand) -> String {
        match o {
            Operand::Place(p) if !self.is_float(p) => self.copied(p),
            other => self.operand(other),
        }
    }

    /// A copy: of the tangent of a struct's constant, which has none, it is zero.
    pub(in crate::emit) fn copied(&self, p: &Place) -> String {
        let shadow = self.place(p);
        match self.table.primal(p.root).filter(|_| self.may_be_inert(p)) {
            Some(root) => {
                let (primal, pool) = (self.place(&Place { root, path: p.path.clone() }), self.pool(Role::Dot));
                format!(
                    "{{ use __d::CopiedShadow as _; __d::Shadow(&{shadow}).copied::<Space, _>(&{primal}, &mut {pool}) }}"
                )
            }
            None if self.table.role(p.root) == Role::Primal => copies::of_value(&shadow),
            None => format!("::core::clone::Clone::clone(&{shadow})"),
        }
    }

    /// Whether a place is a shadow in a struct or an enum: what carries no derivative has none there.
    pub(in crate::emit) fn is_shadow_in_data(&self, place: &Place) -> bool {
        self.table.role(place.root) != Role::Primal
            && crate::ir::place::is_in_data(self.table.ty(place.root), &place.path)
    }

    /// Whether a place is a shadow in a struct with names for its fields, which may be that of a constant list.
    pub(in crate::emit) fn may_be_inert(&self, place: &Place) -> bool {
        let named =
            |p: &Proj| matches!(p, Proj::Field(syn::Member::Named(_)) | Proj::Payload(_, syn::Member::Named(_)));
        self.is_shadow_in_data(place) && place.path.iter().any(named)
    }

    /// The number that a shadow in a struct is, or zero if there is none.
    pub(in crate::emit) fn number(&self, place: &Place) -> String {
        let space = self.space(self.table.role(place.root));
        format!("__d::number::<{space}, {}, _>({})", self.float, self.place(place))
    }

    pub(in crate::emit) fn is_float(&self, place: &Place) -> bool {
        crate::ir::place::element(self.table.ty(place.root), &place.path) == Ty::Float
    }

    /// Whether the parameters of a set are active: a condition on constants. Not on names for them: rustc leaves out what stands
    /// under a constant, and in a closure a name is a variable.
    pub(in crate::emit) fn condition(&self, on: ParamSet) -> String {
        let known = || on.members().filter(|k| ParamSet::one(*k).0 & self.everything.0 != 0);
        let always = |k: usize| self.inside.is_some() || self.function.params[k].function.is_some();
        if known().any(always) {
            return "true".to_owned();
        }
        known().map(|k| self.slot.is_on(k)).collect::<Vec<String>>().join(" || ")
    }
}

/// A place in text.
pub(in crate::emit) fn path(
    root: &str,
    place: &Place,
    exclusive: bool,
    passive: impl Fn(&PassiveCode) -> String,
) -> String {
    let (borrow, end) = if exclusive { ("&mut ", "_mut") } else { ("&", "") };
    place.path.iter().fold(root.to_owned(), |out, step| match step {
        Proj::Field(syn::Member::Named(name)) => format!("{out}.{name}"),
        Proj::Field(syn::Member::Unnamed(index)) => format!("{out}.{}", index.index),
        Proj::Payload(variant, _) if variant == "Some" => format!("(*__d::some{end}({borrow}{out}))"),
        Proj::Payload(variant, member) => format!("(*{out}.{}{end}())", accessor(variant, member)),
        Proj::Deref => format!("(*{out})"),
        Proj::Index(i) if type_of_index(i).is_some() => format!("(*{out}.__lead{end}({}))", passive(i)),
        Proj::Index(i) => format!("{out}[{}]", passive(i)),
        Proj::Range(lo, hi) => {
            let [lo, hi] = [lo, hi].map(|end| end.as_ref().map(&passive).unwrap_or_default());
            format!("{out}[{lo}..{hi}]")
        }
    })
}

/// Whether a place lies in the `Option` that its variable is.
pub(in crate::emit) fn is_in_option(place: &Place) -> bool {
    matches!(place.path.first(), Some(Proj::Payload(variant, _)) if variant == "Some")
}

/// The float type.
pub(in crate::emit) fn float_name(base: &Base) -> String {
    match base {
        Base::Concrete(name) | Base::Generic(name) => name.to_string(),
    }
}

/// Zero in the float type.
pub(in crate::emit) fn zero(base: &Base) -> String {
    match base {
        Base::Concrete(_) => "0.0".to_owned(),
        Base::Generic(name) => format!("<{name} as __d::Base>::lit(0.0)"),
    }
}

/// Whether the function writes through the parameter.
pub(in crate::emit) fn is_mut(param: &Param) -> bool {
    matches!(param.passing, Passing::Mut | Passing::Out)
}
