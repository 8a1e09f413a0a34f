//! Frames whose values lie in one record: room is made once for the numbers of all values whose types alone say how many they have.
//!
//! ```text
//! let width = Width::new(1, 0).and(kin_a.width(true, &ws.floats)).and(..);
//! let mut record = Record::push(&mut ws.floats, &mut ws.words, width);
//! record.floats([t]); kin_a.put(true, &a, &mut record); ..
//! kin_a.keep_apart(true, &a, parts); ..
//! ```
//!
//! rustc knows the widths; a value without one is kept apart, above the record.

use crate::emit::code::tape::{PARTS, Stacks, word_names};
use crate::emit::code::wholes::Kept;
use crate::emit::code::writer::Emit;
use crate::ir::visit::Vars;
use crate::ir::*;

impl Emit<'_> {
    /// The values of a frame that may lie in its record, if it is worth while.
    pub fn together(&self, record: &TapeFrame) -> Vars {
        let may = |v: &Var| {
            let fixed = matches!(self.table.ty(*v), Ty::Struct(_) | Ty::Unknown | Ty::Array(_) | Ty::Tuple(_));
            fixed && !record.into.contains(v) && self.kept(record, *v) == Kept::Value
        };
        let found: Vars = record.wholes.iter().copied().filter(may).collect();
        let numbers = !record.floats.is_empty() || !record.words.is_empty();
        let pays = !record.again && found.len() + usize::from(numbers) > 1;
        if pays { found } else { Vars::new() }
    }

    /// `let __width = ..;`
    fn width(&self, record: &TapeFrame, together: &Vars) -> String {
        let Stacks { floats, words, .. } = self.stacks(record);
        let one = |v: &Var| format!(".and({}.width({}, &ws.floats))", self.kin(*v), self.is_read(*v));
        let all: String = record.wholes.iter().filter(|v| together.contains(v)).map(one).collect();
        format!("let __width = __d::Width::new({}, {}){all};", floats.len(), words.len())
    }

    fn is_read(&self, var: Var) -> String {
        self.read_if(var).unwrap_or_else(|| "true".to_owned())
    }

    /// Pushes the record, and above it what is apart.
    pub fn save_together(&self, record: &TapeFrame, together: &Vars) -> String {
        let Stacks { floats, words, tangents } = self.stacks(record);
        let mut out = String::new();
        record.whole_dots.iter().for_each(|(dot, of)| out += &self.save_whole_dot(*dot, *of));
        if !tangents.is_empty() {
            out += &format!("ws.tangents.push([{}]);", self.all_names(&tangents));
        }
        let mut inside = self.width(record, together);
        inside += "let mut __record = __d::Record::push(&mut ws.floats, &mut ws.words, __width);";
        for (stack, values) in [("floats", self.all_names(&floats)), ("words", self.word_values(&words))] {
            if !values.is_empty() {
                inside += &format!("__record.{stack}([{values}]);");
            }
        }
        for v in record.wholes.iter().filter(|v| together.contains(v)) {
            let place = self.place(&Place::var(*v));
            inside += &format!("{}.put({}, &{place}, &mut __record);", self.kin(*v), self.is_read(*v));
        }
        out += &format!("{{ {inside} }}");
        record.wholes.iter().for_each(|v| out += &self.save_apart(record, *v, together));
        out
    }

    fn save_apart(&self, record: &TapeFrame, var: Var, together: &Vars) -> String {
        if !together.contains(&var) {
            return self.save_whole(record, var);
        }
        let (kin, place, read) = (self.kin(var), self.place(&Place::var(var)), self.is_read(var));
        match record.given.contains(&var) {
            true => format!("{kin}.give_apart({read}, {place}, {PARTS});"),
            false => format!("{kin}.keep_apart({read}, &{place}, {PARTS});"),
        }
    }

    /// Pops what is apart, and then the record.
    pub fn restore_together(&self, record: &TapeFrame, together: &Vars) -> String {
        let Stacks { floats, words, tangents } = self.stacks(record);
        let bound = |vars: &[Var]| vars.iter().map(|v| self.bound(*v) + ", ").collect::<String>();
        let mut out = String::new();
        for v in record.wholes.iter().rev() {
            out += &match together.contains(v) {
                true => {
                    let (apart, kin, read) = (self.apart(*v), self.kin(*v), self.is_read(*v));
                    format!("let {apart} = {kin}.restore_apart({read}, {PARTS});")
                }
                false => self.restore_whole(record, *v),
            };
        }
        out += &self.width(record, together);
        out += "let mut __record = __d::Recorded::pop(&mut ws.floats, &mut ws.words, __width);";
        for (stack, values) in [("floats", bound(&floats)), ("words", word_names(words.len()))] {
            if !values.is_empty() {
                out += &format!("let [{values}] = __record.{stack}();");
            }
        }
        out += &self.word_loads(&words);
        for v in record.wholes.iter().filter(|v| together.contains(v)) {
            let (name, apart) = (self.bound(*v), self.apart(*v));
            out += &format!("let {name} = {}.take({}, {apart}, &mut __record);", self.kin(*v), self.is_read(*v));
        }
        if !tangents.is_empty() {
            out += &format!("let [{}] = ws.tangents.pop();", bound(&tangents));
        }
        for (dot, of) in record.whole_dots.iter().rev() {
            out += &self.restore_whole_dot(record, *dot, *of);
        }
        out
    }

    fn apart(&self, var: Var) -> String {
        format!("apart_{}", self.name(var).trim_start_matches("r#"))
    }
}
