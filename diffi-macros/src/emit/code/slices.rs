//! Views and slices of places.

use crate::emit::code::writer::Emit;
use crate::ir::affine::shift::is_list;
use crate::ir::place::element;
use crate::ir::*;

impl Emit<'_> {
    /// A statement that names slices.
    pub fn slices(&self, d: &Derived) -> String {
        match d {
            Derived::View { var, place, exclusive, on } => self.view(*var, place, *exclusive, *on),
            Derived::Cut { head, vars, place, pairs, exclusive, on } => {
                let (place, pairs) = (self.place_by(place, *exclusive), self.name(*pairs));
                let (mutable, borrow) = if *exclusive { ("_mut", "&mut ") } else { ("", "&") };
                let (behind, lead) = head.map_or(("", String::new()), |(_, n)| ("_behind", format!(", {n}")));
                let cut = self.where_on(*on, format!("__d::cut{behind}{mutable}({borrow}{place}{lead}, {pairs})"));
                let names: Vec<&str> = head.iter().map(|(v, _)| v).chain(vars).map(|v| self.name(*v)).collect();
                format!("let ({}) = {cut};", names.join(", "))
            }
            Derived::NoAlias { slices, body } => {
                let names: Vec<&str> = slices.iter().map(|v| self.name(*v)).collect();
                let parameters: String = slices.iter().map(|v| self.lent(*v)).collect();
                format!("(|{parameters}| {{ {} }})({});", self.block(body), names.join(", "))
            }
            Derived::Chunks { var, place, width, count, exclusive, on } => {
                let (place, count) = (self.place_by(place, *exclusive), self.passive_code(count));
                let mutable = if *exclusive { "_mut" } else { "" };
                let chunks = self.where_on(*on, format!("__d::chunks{mutable}::<{width}, _>({place}, {count})"));
                format!("let {} = {chunks};", self.name(*var))
            }
            Derived::Cells { var, place, neighbours } => {
                let cells = if *neighbours { "neighbours" } else { "cells" };
                format!("let {} = __d::{cells}({});", self.name(*var), self.place_mut(place))
            }
            Derived::Parted { vars, place, starts, lengths, on } => {
                let names = vars.iter().map(|v| self.name(*v)).collect::<Vec<_>>().join(", ");
                let all =
                    |list: &[PassiveCode]| list.iter().map(|o| self.passive_code(o)).collect::<Vec<_>>().join(", ");
                let place = self.place_mut(place);
                let parted = format!("__d::parted(&mut {place}, [{}], [{}])", all(starts), all(lengths));
                format!("let [{names}] = {};", self.where_on(*on, parted))
            }
            _ => unreachable!("the statement names no slices"),
        }
    }

    /// A slice to be written, of numbers or of pairs, as a parameter.
    fn lent(&self, var: Var) -> String {
        let (name, space) = (self.name(var), self.space(self.table.role(var)));
        match self.table.ty(var) {
            Ty::Slice(element) if matches!(**element, Ty::Array(_)) => format!("{name}: &mut [[{space}; 2]], "),
            _ => format!("{name}: &mut [{space}], "),
        }
    }

    /// Slices, if what they are cut from is there.
    fn where_on(&self, on: Option<ParamSet>, slices: String) -> String {
        match on.map(|on| self.condition(on)) {
            None => slices,
            Some(on) => format!("if {on} {{ {slices} }} else {{ ::core::default::Default::default() }}"),
        }
    }

    /// A part of a row of an array: a slice of the array, or a copy that is written back at the end of the block.
    fn span(
        &self,
        var: Var,
        of: &Place,
        (from, to): (&PassiveCode, &PassiveCode),
        exclusive: bool,
        on: Option<ParamSet>,
    ) -> String {
        let (name, place) = (self.name(var), self.place_by(of, exclusive));
        let (from, to) = (self.passive_code(from), self.passive_code(to));
        let (borrow, part) = match exclusive {
            true => ("&mut ", format!("{{ use __d::SpansMut as _; {place}.span_between_mut({from}, {to}) }}")),
            false => ("&", format!("{{ use __d::Spans as _; {place}.span_between({from}, {to}) }}")),
        };
        match on.map(|on| self.condition(on)) {
            None => format!("let {name} = {borrow}*{part};"),
            Some(on) => format!(
                "let mut {name}_part = if {on} {{ Some({part}) }} else {{ None }}; \
                 let {name} = match {borrow}{name}_part {{ Some(part) => {borrow}**part, None => {borrow}[] }};"
            ),
        }
    }

    /// An array in standard layout: itself, or a copy that is written back at the end of the block.
    fn laid_out(&self, var: Var, array: &Place, exclusive: bool) -> String {
        let (name, array) = (self.name(var), self.place_by(array, exclusive));
        match exclusive {
            true => format!(
                "let mut {name}_laid = {{ use __d::LaidMut as _; {array}.laid_mut() }}; let mut {name} = {name}_laid.rows_mut();"
            ),
            false => {
                format!("let {name}_laid = {{ use __d::Laid as _; {array}.laid() }}; let {name} = {name}_laid.rows();")
            }
        }
    }

    fn view(&self, var: Var, place: &Place, exclusive: bool, on: Option<ParamSet>) -> String {
        if let Some((Proj::Range(from, to), array)) = place.path.split_last() {
            let of = Place { root: place.root, path: array.to_vec() };
            match (from, to) {
                (Some(from), Some(to)) if is_list(from) => return self.span(var, &of, (from, to), exclusive, on),
                (None, None) if element(self.table.ty(of.root), &of.path) == Ty::Library => {
                    return self.laid_out(var, &of, exclusive);
                }
                _ => {}
            }
        }
        let (name, place) = (self.name(var), self.place_by(place, exclusive));
        let borrow = if exclusive { "&mut " } else { "&" };
        match on.map(|on| self.condition(on)) {
            None => format!("let {name} = {borrow}{place};"),
            Some(on) => {
                let of = match self.table.ty(var) {
                    Ty::Slice(of) if **of != Ty::Float => "_",
                    _ => self.space(self.table.role(var)),
                };
                format!("let {name}: {borrow}[{of}] = if {on} {{ {borrow}{place} }} else {{ {borrow}[] }};")
            }
        }
    }
}
