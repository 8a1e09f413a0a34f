//! Whole values on the tape: what of each lies there, which both ends of a frame ask, and where it is popped into.

use crate::emit::code::tape::PARTS;
use crate::emit::code::writer::Emit;
use crate::ir::symbols::is_mixed;
use crate::ir::visit::Visit;
use crate::ir::*;

/// What of a whole value lies on the tape.
#[derive(PartialEq)]
pub enum Kept {
    /// A passive value, in parts or as rustc finds.
    Passive,
    /// A passive value that was moved there, if rustc finds that it may be.
    Given,
    /// Its shape alone.
    Shape,
    /// All of it.
    Value,
}

impl Emit<'_> {
    pub fn kept(&self, frame: &TapeFrame, var: Var) -> Kept {
        let passive = *self.table.ty(var) == Ty::Passive && !self.table.is_ref(self.table.origin(var));
        match passive {
            true if self.is_given_away(var) => Kept::Given,
            true => Kept::Passive,
            false if frame.shapes.contains(&var) => Kept::Shape,
            false => Kept::Value,
        }
    }

    /// Whether a passive value may be moved to the tape: a local one that does not change, and that is not returned afterwards.
    fn is_given_away(&self, var: Var) -> bool {
        let var = self.table.origin(var);
        let info = self.table.info(var);
        let mut used = self.function.params.iter().any(|p| p.var == var);
        Visit(&mut |v, _| used |= v == var).out(&self.function.result);
        !used && !info.mutable && !info.changes
    }

    /// Pushes a whole value.
    pub fn save_whole(&self, frame: &TapeFrame, var: Var) -> String {
        let (kin, place) = (self.kin(var), self.place(&Place::var(var)));
        let given = frame.given.contains(&var);
        match self.kept(frame, var) {
            Kept::Passive if !given => format!("{kin}.of(&{place}); (&&&&&{kin}).keep_part(&{place}, {PARTS});"),
            Kept::Given | Kept::Passive => {
                format!("{kin}.of(&{place}); (&&&&&{kin}).keep_passive({place}, {PARTS});")
            }
            Kept::Shape => format!("{kin}.keep_shape(&{place}, {PARTS});"),
            Kept::Value => {
                let (how, place) = if given { ("give", place) } else { ("keep", format!("&{place}")) };
                match self.read_if(var) {
                    Some(read) => format!("{kin}.{how}_if({read}, {place}, {PARTS});"),
                    None => format!("{kin}.{how}({place}, {PARTS});"),
                }
            }
        }
    }

    /// Pops a whole value: into a vector that is there, into a place that lasts as long as a loop, or as a new one.
    pub fn restore_whole(&self, frame: &TapeFrame, var: Var) -> String {
        let (name, mutable, kin) = (self.name(var), self.mutable(var), self.kin(var));
        let there = frame.into.contains(&var);
        match self.kept(frame, var) {
            Kept::Given => format!("let {mutable}{name} = (&&&&&{kin}).restore_passive({PARTS});"),
            Kept::Passive => format!("let {mutable}{name} = (&&&&&{kin}).restore_part({PARTS});"),
            Kept::Shape if there => format!("{kin}.restore_shape_into(&mut {name}, {PARTS});"),
            Kept::Shape if self.lasts(var) => {
                format!("let {name} = {kin}.restore_shape_in(&mut {}, {PARTS});", self.lasting_place(var))
            }
            Kept::Shape => format!("let {mutable}{name} = {kin}.restore_shape({PARTS});"),
            Kept::Value if there => format!("{kin}.restore_into(&mut {name}, {PARTS});"),
            Kept::Value => match self.read_if(var) {
                Some(read) => format!("let {mutable}{name} = {kin}.restore_if({read}, {PARTS});"),
                None => format!("let {mutable}{name} = {kin}.restore({PARTS});"),
            },
        }
    }

    /// Pushes the tangent of a whole value.
    pub fn save_whole_dot(&self, dot: Var, of: Var) -> String {
        let (of, shadow) = (self.place(&Place::var(of)), self.place(&Place::var(dot)));
        match self.read_if(dot) {
            Some(read) => format!("__d::keep_shadow_if::<Space, _, _>({read}, &{of}, &{shadow}, &mut ws.tangents);"),
            None => format!("__d::keep_shadow::<Space, _>(&{shadow}, &mut ws.tangents);"),
        }
    }

    /// Pops the tangent of a whole value.
    pub fn restore_whole_dot(&self, frame: &TapeFrame, dot: Var, of: Var) -> String {
        let (name, mutable, like) = (self.name(dot), self.mutable(dot), ShapeOf::Value(Place::var(of)));
        let of = self.name(of);
        match frame.into.contains(&dot) {
            _ if is_mixed(self.table.ty(dot)) => {
                let zero = self.shadow(dot, &like);
                format!("{zero} __d::restore_numbers::<Space, _>(&mut {name}, &mut ws.tangents);")
            }
            true => format!("__d::restore_shadow_into(&mut {name}, {of}.len(), &mut ws.tangents);"),
            false => {
                let (restore, read) = match self.read_if(dot) {
                    Some(read) => ("restore_shadow_if", format!("{read}, ")),
                    None => ("restore_shadow", String::new()),
                };
                format!("let {mutable}{name} = __d::{restore}({read}&{of}, &mut ws.tangents, &mut ws.shadows);")
            }
        }
    }
}
