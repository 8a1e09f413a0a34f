//! The shadows of parameters: how signatures take them, and how bodies open them.

use crate::emit::code::writer::{Emit, is_mut};
use crate::emit::items::frame::Frame;
use crate::emit::items::slot::Slot;
use crate::ir::*;
use crate::support::hash::HashMap;

/// When a cotangent is cleared before the body: a condition that ends in `&&`, nothing for always, none for never.
pub type Cleared<'a> = &'a dyn Fn(Var) -> Option<&'static str>;

/// What stands before and after a body.
#[derive(Default)]
pub struct Around {
    pub before: String,
    pub after: String,
}

impl Frame<'_> {
    /// `__S0: __d::BarSlot<[f64], Space>`.
    pub fn slot_bound(&self, slot: Slot<'_>, k: usize) -> String {
        let (generic, param) = (slot.generic(k), &self.function.params[k]);
        match param.active {
            false if param.other_float && slot.is_dot => format!("{generic}: __d::NoShadow"),
            false => generic,
            true if self.refused => generic,
            true => format!("{generic}: __d::{}<{}, {}>", slot.kind(param), self.place(k), slot.space),
        }
    }

    /// The bodies' names for slots of this kind.
    ///
    /// The ones that the callee is to initialise are [cleared](Cleared).
    pub fn opened(&self, emit: &Emit<'_>, slot: Slot<'_>, vars: &HashMap<Var, Var>, cleared: Cleared<'_>) -> Around {
        if self.inside.is_some() {
            return self.opened_inside(emit, slot, vars);
        }
        let mut all = Around::default();
        for (k, param) in self.function.params.iter().enumerate() {
            let Some(var) = vars.get(&param.var).filter(|_| param.active) else { continue };
            let spare = self.spare(emit, slot, k);
            let one = match (param.passing == Passing::Value && self.is_float(param), slot.is_dot) {
                (true, true) => self.open_number_dot(emit.name(*var), k),
                (true, false) => self.open_number(emit.name(*var), slot, k),
                (false, true) => self.open_dot(emit.name(*var), slot, k, spare),
                (false, false) => self.open_bar(emit.name(*var), slot, k, spare, cleared(*var)),
            };
            all.before += &one.before;
            all.after += &one.after;
        }
        all
    }

    fn open_number_dot(&self, name: &str, k: usize) -> Around {
        Around { before: format!("let mut {name}: Space = __d{k}.number();"), after: String::new() }
    }

    fn open_number(&self, name: &str, slot: Slot<'_>, k: usize) -> Around {
        let (argument, space) = (slot.argument(k), slot.space);
        Around {
            before: format!("let mut {name}: {space} = {argument}.number();"),
            after: format!("{argument}.put({name});"),
        }
    }

    /// A shadow of zeros in place of a parameter's, where derivative code asks for one that is switched off: the only input of a
    /// function with outputs, whose caller may have derivatives in what is overwritten alone.
    fn spare(&self, emit: &Emit<'_>, slot: Slot<'_>, k: usize) -> Option<String> {
        let params = &self.function.params;
        let mut inputs = params.iter().filter(|p| p.active && !p.cache && p.passing != Passing::Out);
        let only = params[k].passing != Passing::Out && inputs.next().is_some() && inputs.next().is_none();
        let overwrites = params.iter().any(|p| p.active && p.passing == Passing::Out);
        let (place, space, generic) = (self.place(k), slot.space, slot.generic(k));
        let asked = if slot.is_dot { "" } else { "Sweep::REVERSE && " };
        let value = match params[k].passing {
            Passing::Value => "&",
            _ => "&*",
        };
        let value = format!("{value}{}", emit.name(params[k].var));
        (only && overwrites).then(|| {
            let (zero, empty) = (format!("__d::Member::zero::<{space}>({value})"), empty(place, space));
            format!("if {asked}!{generic}::ON {{ {zero} }} else {{ {empty} }}")
        })
    }

    fn open_dot(&self, name: &str, slot: Slot<'_>, k: usize, spare: Option<String>) -> Around {
        let borrow = if is_mut(&self.function.params[k]) { "&mut " } else { "&" };
        Around { before: self.open(name, slot, k, borrow, spare), after: String::new() }
    }

    fn open_bar(&self, name: &str, slot: Slot<'_>, k: usize, spare: Option<String>, cleared: Option<&str>) -> Around {
        let (place, space, generic) = (self.place(k), slot.space, slot.generic(k));
        let clear = match cleared {
            None => String::new(),
            Some(when) => format!("if {when} {name}_fresh {{ __d::Tangent::<{space}>::clear({name}); }}"),
        };
        let before = format!(
            "let {name}_fresh = <{generic} as __d::BarSlot<{place}, {space}>>::FRESH; {} {clear}",
            self.open(name, slot, k, "&mut ", spare),
        );
        Around { before, after: String::new() }
    }

    /// `let x_bar = ..`: the shadow, or an empty one in its place, if not a spare one.
    fn open(&self, name: &str, slot: Slot<'_>, k: usize, borrow: &str, spare: Option<String>) -> String {
        let (place, space, argument) = (self.place(k), slot.space, slot.argument(k));
        if spare.is_none() && *place == format!("[{}]", self.float) {
            return format!("let {name}: {borrow}[{space}] = {argument}.elements();");
        }
        let get = format!("__d::{}::<{place}, {space}>::get", slot.kind(&self.function.params[k]));
        format!(
            "let mut {name}_off = {};
             let {name} = {get}({borrow}{argument}, <{place} as __d::Member>::shadow::<{space}>(&mut {name}_off));",
            spare.unwrap_or_else(|| empty(place, space)),
        )
    }

    pub fn is_float(&self, param: &Param) -> bool {
        self.function.vars[param.var.0 as usize].ty == Ty::Float
    }
}

fn empty(place: &str, space: &str) -> String {
    format!("<{place} as __d::Member>::empty::<{space}>()")
}
