//! What each strategy makes of each operator: a way of its own, other operators in its place, or nothing.

use crate::registry::{Row, TABLE};
use std::fmt::{self, Display};

/// An operator, whatever its variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operator {
    /// The product of the Jacobian with tangents.
    Pushforward,
    /// The product of the transposed Jacobian with cotangents.
    Pullback,
    /// The derivative by one number.
    Derivative,
    /// The gradient.
    Gradient,
    /// The Jacobian.
    Jacobian,
    /// The second derivative by one number.
    SecondDerivative,
    /// The product of the Hessian with tangents.
    Hvp,
    /// The Hessian.
    Hessian,
}

impl Operator {
    /// All operators.
    pub const ALL: [Operator; 8] =
        [Pushforward, Pullback, Derivative, Gradient, Jacobian, SecondDerivative, Hvp, Hessian];
}

/// As the operator's function is called.
impl Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pushforward => "pushforward",
            Pullback => "pullback",
            Derivative => "derivative",
            Gradient => "gradient",
            Jacobian => "jacobian",
            SecondDerivative => "second_derivative",
            Hvp => "hvp",
            Hessian => "hessian",
        })
    }
}

/// How a backend serves an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// In a way of its own.
    Native,
    /// By something else that it does: which.
    By(&'static str),
    /// Not at all, the call does not compile: why.
    No(&'static str),
}

impl Display for Served {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Native => f.write_str("native"),
            By(what) => write!(f, "by {what}"),
            No(why) => write!(f, "no: {why}"),
        }
    }
}

use Operator::*;
use Served::*;

/// A strategy, and what it makes of the operators that it may be named for.
type Strategy = (&'static str, &'static [(Operator, Served)]);

const FORWARD: &str = "the forward backend";
const REVERSE: &str = "the reverse backend";
const COLORS: &str = "products for groups of columns or rows";
const MATRICES: &str = "sparse backends find matrices";
const FIRST: &str = "take `inner()` or `outer()`";
const SECOND: &str = "take `SecondOrder(AutoFiniteDiff, ..)`";
const ENZYME: &str = "`std::autodiff` makes gradients";
const INSIDE: &str = "the backend inside";
const SPREAD: &str = "the backend inside, on several threads";
const OUTER: &str = "`outer()`, of what `inner()` finds";

/// Not what a strategy does itself, as `Nested` for hyper-dual numbers has it of dual ones, but which way it goes.
const STRATEGIES: &[Strategy] = &[
    (
        "ByPushes",
        &[
            (Pushforward, Native),
            (Derivative, By("pushforward")),
            (Pullback, By("pushforwards")),
            (Gradient, By("pushforwards")),
            (Jacobian, By("pushforwards")),
        ],
    ),
    (
        "ByPulls",
        &[
            (Pushforward, By("pullbacks")),
            (Derivative, By("pullbacks")),
            (Pullback, Native),
            (Gradient, By("pullback")),
            (Jacobian, By("pullbacks")),
        ],
    ),
    (
        "ByDirections",
        &[
            (Pushforward, Native),
            (Derivative, By("pushforward")),
            (Pullback, By("jacobian")),
            (Gradient, Native),
            (Jacobian, Native),
        ],
    ),
    ("ByThreads", &[(Gradient, Native), (Jacobian, Native)]),
    ("ByForward", &[(Pushforward, By(FORWARD)), (Derivative, By(FORWARD))]),
    ("ByReverse", &[(Pullback, By(REVERSE)), (Gradient, By(REVERSE))]),
    ("ByCost", &[(Jacobian, By("the backend that needs fewer passes"))]),
    ("ByEnzyme", &[(Gradient, Native)]),
    (
        "OnlyGradients",
        &[(Pushforward, No(ENZYME)), (Derivative, No(ENZYME)), (Pullback, No(ENZYME)), (Jacobian, No(ENZYME))],
    ),
    (
        "OnlyMatrices",
        &[(Pushforward, No(MATRICES)), (Derivative, No(MATRICES)), (Pullback, No(MATRICES)), (Gradient, No(MATRICES))],
    ),
    (
        "ByColors",
        &[(Jacobian, By(COLORS)), (SecondDerivative, No(MATRICES)), (Hvp, No(MATRICES)), (Hessian, By(COLORS))],
    ),
    ("Generated", &[(SecondDerivative, By("hvps of all outputs")), (Hvp, Native), (Hessian, By("hvps"))]),
    ("Nested", &[(SecondDerivative, Native), (Hvp, Native), (Hessian, Native)]),
    ("Retraced", &[(SecondDerivative, Native), (Hvp, Native), (Hessian, By("hvps"))]),
    ("Symbolic", &[(SecondDerivative, By("`AutoTape`")), (Hvp, Native), (Hessian, By("hvps"))]),
    ("Truncated", &[(SecondDerivative, Native), (Hvp, By("second derivatives along lines")), (Hessian, By("hvps"))]),
    ("Differenced", &[(SecondDerivative, By("pushforwards")), (Hvp, By("gradients")), (Hessian, By("hvps"))]),
    ("Zeros", &[(SecondDerivative, Native), (Hvp, Native), (Hessian, Native)]),
    ("Strategy", &[(SecondDerivative, By(OUTER)), (Hvp, By(OUTER)), (Hessian, By(OUTER))]),
    ("Pushforward", &[(Pushforward, By(INSIDE)), (Derivative, By(INSIDE))]),
    ("Pullback", &[(Pullback, By(INSIDE))]),
    ("Gradient", &[(Gradient, By(INSIDE))]),
    ("Jacobian", &[(Jacobian, By(SPREAD))]),
    ("Spread", &[(SecondDerivative, By(INSIDE)), (Hvp, By(INSIDE)), (Hessian, By(SPREAD))]),
    (
        "NoFirstOrder",
        &[
            (Pushforward, No(FIRST)),
            (Derivative, No(FIRST)),
            (Pullback, No(FIRST)),
            (Gradient, No(FIRST)),
            (Jacobian, No(FIRST)),
        ],
    ),
    ("NoSecondOrder", &[(SecondDerivative, No(SECOND)), (Hvp, No(SECOND)), (Hessian, No(SECOND))]),
];

impl Row {
    /// How the backend serves an operator:
    ///
    #[doc = include_str!("support.md")]
    ///
    /// Second derivatives in one way for all three operators: [`TABLE`] names it.
    ///
    /// # Panics
    ///
    /// Never for rows of the table.
    pub fn served(&self, operator: Operator) -> Served {
        let strategy = match operator {
            Pushforward | Derivative => self.pushforward,
            Pullback => self.pullback,
            Gradient => self.gradient,
            Jacobian => self.jacobian,
            SecondDerivative | Hvp | Hessian => self.second,
        };
        let name = last(strategy.split('<').next().unwrap_or_default());
        let cells = STRATEGIES.iter().find(|(named, _)| *named == name).map_or(&[][..], |(_, cells)| cells);
        let cell = cells.iter().find(|(of, _)| *of == operator);
        cell.unwrap_or_else(|| panic!("{name} says nothing of {operator}")).1
    }
}

/// A path's last name.
fn last(path: &'static str) -> &'static str {
    path.rsplit("::").next().unwrap_or(path)
}

/// The table of all backends and operators, as text.
pub fn table() -> String {
    let cells = |row: &Row| Operator::ALL.map(|operator| row.served(operator).to_string()).join(" | ");
    let head = format!("| | {} |\n|{}\n", Operator::ALL.map(|o| format!("`{o}`")).join(" | "), "---|".repeat(9));
    let row = |row: &Row| format!("| `{}` | {} |\n", row.backend.trim_start_matches("crate::backend::"), cells(row));
    head + &TABLE.iter().map(row).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `BOOK=overwrite cargo test -p diffi-runtime --all-features served` writes what the documentation prints.
    #[test]
    fn the_documentation_prints_the_table() {
        let (page, made) = (concat!(env!("CARGO_MANIFEST_DIR"), "/src/registry/support.md"), table());
        if std::env::var("BOOK").is_ok_and(|v| v == "overwrite") {
            return std::fs::write(page, made).expect("the page can be written");
        }
        let printed = include_str!("support.md");
        made.lines().for_each(|line| assert!(printed.lines().any(|l| l == line), "not printed: {line}"));
    }
}
