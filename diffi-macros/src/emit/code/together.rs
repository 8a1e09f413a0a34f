//! Frames whose values lie side by side: room is made once for the numbers of all values whose types alone say how many they have.
//!
//! ```text
//! let width = Width::new(1, 0).and(kin_a.width(true, &ws.floats)).and(..);
//! let mut frame = FrameWriter::push(&mut ws.floats, &mut ws.words, width);
//! frame.floats([t]); kin_a.put(true, &a, &mut frame); ..
//! kin_a.keep_apart(true, &a, parts); ..
//! ```
//!
//! rustc knows the widths; a value without one is kept apart, above the others.

use crate::emit::code::tape::{PARTS, Stacks, word_names};
use crate::emit::code::wholes::Kept;
use crate::emit::code::writer::Emit;
use crate::ir::visit::Vars;
use crate::ir::*;

impl Emit<'_> {
    /// The values of a frame that may lie side by side, if it is worth while.
    pub fn together(&self, frame: &TapeFrame) -> Vars {
        let may = |v: &Var| {
            let fixed = matches!(self.table.ty(*v), Ty::Struct(_) | Ty::Unknown | Ty::Array(_) | Ty::Tuple(_));
            fixed && !frame.into.contains(v) && self.kept(frame, *v) == Kept::Value
        };
        let found: Vars = frame.wholes.iter().copied().filter(may).collect();
        let numbers = !frame.floats.is_empty() || !frame.words.is_empty();
        let pays = !frame.again && found.len() + usize::from(numbers) > 1;
        if pays { found } else { Vars::new() }
    }

    /// `let __width = ..;`
    fn width(&self, frame: &TapeFrame, together: &Vars) -> String {
        let Stacks { floats, words, .. } = self.stacks(frame);
        let one = |v: &Var| format!(".and({}.width({}, &ws.floats))", self.kin(*v), self.is_read(*v));
        let all: String = frame.wholes.iter().filter(|v| together.contains(v)).map(one).collect();
        format!("let __width = __d::Width::new({}, {}){all};", floats.len(), words.len())
    }

    fn is_read(&self, var: Var) -> String {
        self.read_if(var).unwrap_or_else(|| "true".to_owned())
    }

    /// Pushes what lies side by side, and above it what is apart.
    pub fn save_together(&self, frame: &TapeFrame, together: &Vars) -> String {
        let Stacks { floats, words, tangents } = self.stacks(frame);
        let mut out = String::new();
        frame.whole_dots.iter().for_each(|(dot, of)| out += &self.save_whole_dot(*dot, *of));
        if !tangents.is_empty() {
            out += &format!("ws.tangents.push([{}]);", self.all_names(&tangents));
        }
        let mut inside = self.width(frame, together);
        inside += "let mut __frame = __d::FrameWriter::push(&mut ws.floats, &mut ws.words, __width);";
        for (stack, values) in [("floats", self.all_names(&floats)), ("words", self.word_values(&words))] {
            if !values.is_empty() {
                inside += &format!("__frame.{stack}([{values}]);");
            }
        }
        for v in frame.wholes.iter().filter(|v| together.contains(v)) {
            let place = self.place(&Place::var(*v));
            inside += &format!("{}.put({}, &{place}, &mut __frame);", self.kin(*v), self.is_read(*v));
        }
        out += &format!("{{ {inside} }}");
        frame.wholes.iter().for_each(|v| out += &self.save_apart(frame, *v, together));
        out
    }

    fn save_apart(&self, frame: &TapeFrame, var: Var, together: &Vars) -> String {
        if !together.contains(&var) {
            return self.save_whole(frame, var);
        }
        let (kin, place, read) = (self.kin(var), self.place(&Place::var(var)), self.is_read(var));
        match frame.given.contains(&var) {
            true => format!("{kin}.give_apart({read}, {place}, {PARTS});"),
            false => format!("{kin}.keep_apart({read}, &{place}, {PARTS});"),
        }
    }

    /// Pops what is apart, and then what lies side by side.
    pub fn restore_together(&self, frame: &TapeFrame, together: &Vars) -> String {
        let Stacks { floats, words, tangents } = self.stacks(frame);
        let bound = |vars: &[Var]| vars.iter().map(|v| self.bound(*v) + ", ").collect::<String>();
        let mut out = String::new();
        for v in frame.wholes.iter().rev() {
            out += &match together.contains(v) {
                true => {
                    let (apart, kin, read) = (self.apart(*v), self.kin(*v), self.is_read(*v));
                    format!("let {apart} = {kin}.restore_apart({read}, {PARTS});")
                }
                false => self.restore_whole(frame, *v),
            };
        }
        out += &self.width(frame, together);
        out += "let mut __frame = __d::FrameReader::pop(&mut ws.floats, &mut ws.words, __width);";
        for (stack, values) in [("floats", bound(&floats)), ("words", word_names(words.len()))] {
            if !values.is_empty() {
                out += &format!("let [{values}] = __frame.{stack}();");
            }
        }
        out += &self.word_loads(&words);
        for v in frame.wholes.iter().filter(|v| together.contains(v)) {
            let (name, apart) = (self.bound(*v), self.apart(*v));
            out += &format!("let {name} = {}.take({}, {apart}, &mut __frame);", self.kin(*v), self.is_read(*v));
        }
        if !tangents.is_empty() {
            out += &format!("let [{}] = ws.tangents.pop();", bound(&tangents));
        }
        for (dot, of) in frame.whole_dots.iter().rev() {
            out += &self.restore_whole_dot(frame, *dot, *of);
        }
        out
    }

    fn apart(&self, var: Var) -> String {
        format!("apart_{}", self.name(var).trim_start_matches("r#"))
    }
}
