//! Calls of special functions, which are no methods of floats.

use crate::ir::Base;
use diffi_rules::{Foreign, foreign, rule};

/// The call of a special function, given the arguments of its line; `None` if it is another function.
pub fn call(name: &str, base: &Base, values: &[String]) -> Option<String> {
    match foreign(name) {
        Some(foreign) if !is_own(foreign) => Some(foreign_call(foreign, values)),
        _ => {
            let (row, values) = (rule(name).filter(|rule| rule.special)?.name, values.join(", "));
            let (Base::Concrete(float) | Base::Generic(float)) = base;
            Some(format!("<<{float} as __d::Base>::Math as __d::Math<{float}>>::{row}({values})"))
        }
    }
}

/// The name of a function's line.
pub fn row(name: &'static str) -> &'static str {
    rule(name).map_or(name, |rule| rule.name)
}

fn is_own(foreign: &Foreign) -> bool {
    foreign.path.starts_with("diffi::")
}

/// The package's own function, for the value that the user's code has.
fn foreign_call(foreign: &Foreign, values: &[String]) -> String {
    let values: Vec<&str> = foreign.order.iter().map(|at| values[*at].as_str()).collect();
    format!("::{}({})", foreign.path, values.join(", "))
}
