//! Metamorphic partners: a program written in another way, whose values and derivatives are the same.
//!
//! Chen, Cheung and Yiu, Metamorphic Testing (1998). A partner is made of the program's text, and keeps the name and the signature of the
//! function that is differentiated: the program's own reference is that of the partner.

mod branches;
mod functions;
mod loops;
mod names;
mod temporaries;

use crate::print::{self, Dialect};
use crate::program::Program;

/// A way to write a program.
struct Partner {
    /// What is written otherwise.
    name: &'static str,
    change: fn(&mut syn::File, &Program),
}

/// All ways.
const PARTNERS: &[Partner] = &[
    Partner { name: "a name for each operand", change: |file, _| temporaries::named(file) },
    Partner { name: "dead code", change: |file, _| temporaries::dead(file) },
    Partner { name: "branches exchanged", change: |file, _| branches::exchanged(file) },
    Partner { name: "an iteration peeled", change: |file, _| loops::peeled(file) },
    Partner { name: "loops with a condition", change: |file, _| loops::with_conditions(file) },
    Partner { name: "loops as calls of for_each", change: |file, _| loops::as_calls(file) },
    Partner { name: "names of std", change: |file, _| names::of_std(file) },
    Partner { name: "expressions outlined", change: |file, _| functions::outlined(file) },
    Partner { name: "the result by reference", change: functions::by_reference },
    Partner { name: "arguments in a struct", change: functions::in_a_struct },
];

/// A partner of a program: its name and its text. The program says which one; `None`, if it can be written in no other way.
pub fn of(program: &Program) -> Option<(&'static str, String)> {
    let first = print::program(program, Dialect::Plain, true).len() % PARTNERS.len();
    let all = PARTNERS[first..].iter().chain(&PARTNERS[..first]);
    all.map(|partner| (partner.name, partner.of(program))).find_map(|(name, text)| Some((name, text?)))
}

impl Partner {
    /// The partner's text; `None` where nothing in the program can be written that way.
    fn of(&self, program: &Program) -> Option<String> {
        let mut file = syn::parse_file(&print::program(program, Dialect::Plain, true)).ok()?;
        let before = file.clone();
        (self.change)(&mut file, program);
        (file != before).then(|| prettyplease::unparse(&file))
    }
}
