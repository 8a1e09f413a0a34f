//! Sparsity tracing: bodies that run both sides of every condition on active values.
//!
//! A trace has no values, only dependences, and its answer must hold at every point. So everything that is computed from active values
//! without carrying a derivative (conditions, flags, rounded numbers) is [`Hidden`]. A hidden number is a constant of unknown value,
//! and other hidden values are left out. Both sides of a hidden condition run, one after the other. So do all iterations of a
//! loop that ends on a hidden flag. Assignments to outer variables are *added*: a sum depends on everything that its parts depend
//! on, and that is the union over all paths through the function.
//!
//! Bodies over any number type have no values at all, but derivative code has. [`everywhere`] treats that like any other function. The
//! assignments of both sides are added up. Functions whose derivative code differs at special points are replaced by others with the
//! same dependences.
//!
//! Some programs have no such body: those with a hidden index, length, trip count or condition of a `while`, and those that exchange or
//! resize containers on one side only.
//!
//! Enters: a function, its activity. Leaves: the bodies of a trace, where there are any.
//! Imports: `ad::partials`, and the floors below `ad`.

mod body;
mod nonsmooth;
mod unread;
mod value_dependent;

use crate::analysis::activity::Activity;
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;
use body::Body;
use proc_macro2::TokenStream;
use quote::quote;
use unread::without_unread;
use value_dependent::{Hidden, hidden};

/// A function as a trace runs it.
pub struct Trace {
    pub function: Function,
    pub activity: Activity,
}

/// The function as a trace runs it; none if that is the function itself, or if it cannot be followed.
pub fn trace(function: &Function, activity: &Activity) -> Option<Trace> {
    let hidden = hidden(function, activity, Values::Absent);
    let mut body = Body::new(&hidden);
    let traced = body.block(&function.body, &mut Own::Everything)?;
    let result = body.out(&function.result)?;
    let differs = body.differs() || hidden.numbers();
    let function = || Function { body: without_unread(traced, &result), result, ..function.clone() };
    differs.then(|| Trace { function: function(), activity: hidden.activity() })
}

/// What derivative code follows, where its answer must hold at every point.
pub enum Everywhere {
    /// The function itself.
    Itself,
    /// A function whose derivatives are those of all ways through the function, added up.
    All(Box<Function>),
    /// It cannot be followed.
    Unknown,
}

/// The function that depends on all that the function depends on anywhere.
pub fn everywhere(function: &Function, activity: &Activity) -> Everywhere {
    let hidden = hidden(function, activity, Values::Any);
    let mut body = Body::new(&hidden);
    let followed = body.block(&function.body, &mut Own::Everything);
    let Some((followed, result)) = followed.and_then(|block| Some((block, body.out(&function.result)?))) else {
        return Everywhere::Unknown;
    };
    match body.differs() || hidden.numbers() {
        false => Everywhere::Itself,
        true => {
            let mut body_of_all = without_unread(followed, &result);
            let vars = body.vars();
            if !begun(&mut body_of_all, &vars) {
                return Everywhere::Unknown;
            }
            Everywhere::All(Box::new(Function { body: body_of_all, result, vars, ..function.clone() }))
        }
    }
}

/// Declares variables where they get their first value, now that both sides of conditions follow one another; whether each that is
/// no number could be.
fn begun(block: &mut Block, vars: &[VarInfo]) -> bool {
    let (mut all, mut at) = (true, 0);
    while at < block.stmts.len() {
        if let Stmt::Declare { var } = block.stmts[at] {
            if begins_later(&mut block.stmts, at, var) {
                block.stmts.remove(at);
                continue;
            }
            all &= matches!(vars[var.0 as usize].ty, Ty::Float | Ty::Passive);
        }
        blocks_mut(&mut block.stmts[at]).into_iter().for_each(|inner| all &= begun(inner, vars));
        at += 1;
    }
    all
}

/// Declares a variable by the first statement that uses it, if this one gives it its value.
fn begins_later(stmts: &mut [Stmt], at: usize, var: Var) -> bool {
    let all = [Access::Read, Access::Shape, Access::Write, Access::Define];
    let used = |s: &Stmt| touched(std::slice::from_ref(s), &all).contains(&var);
    let Some(first) = stmts[at + 1..].iter_mut().find(|s| used(s)) else { return false };
    let Some(value) = first_value(first, var) else { return false };
    *first = Stmt::Let { var, expr: Expr::Operand(value) };
    true
}

fn first_value(stmt: &Stmt, var: Var) -> Option<Operand> {
    match stmt {
        Stmt::Assign { place, op: Assign::Set, value, .. } if place.root == var && place.path.is_empty() => {
            Some(value.clone())
        }
        _ => None,
    }
}

/// What is known of the values of active numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    /// There are none.
    Absent,
    /// There are some, and nothing may be concluded from them; but lengths, variants of enums and integers are as they are everywhere.
    Any,
}

/// Tokens for a constant whose value is unknown.
pub fn unseen() -> TokenStream {
    quote!(__unseen)
}

/// Whether the tokens are these.
pub fn is_unseen(tokens: &TokenStream) -> bool {
    tokens.to_string() == "__unseen"
}

/// The variables that are assigned outright; what is assigned to others is added to them.
enum Own {
    /// No side of a condition is being followed.
    Everything,
    /// Those that the side has declared itself.
    Side(Vars),
}

impl Own {
    fn side() -> Self {
        Own::Side(Vars::new())
    }

    fn declares(&mut self, var: Var) {
        if let Own::Side(own) = self {
            own.insert(var);
        }
    }

    fn is_side(&self) -> bool {
        matches!(self, Own::Side(_))
    }

    fn is_outside(&self, var: Var) -> bool {
        matches!(self, Own::Side(own) if !own.contains(&var))
    }
}
