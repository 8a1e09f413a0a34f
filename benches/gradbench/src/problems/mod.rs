//! The problems, one file each: the objective, and the functions that GradBench asks for.

mod ba;
mod descent;
mod det;
mod gmm;
mod hello;
mod ht;
mod kmeans;
mod llsq;
mod lse;
mod lstm;
mod ode;
mod particle;
mod saddle;

use crate::clock::Clock;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};

/// Why there is no output.
pub struct Failure(pub String);

impl From<diffi::Error> for Failure {
    fn from(error: diffi::Error) -> Self {
        Failure(error.to_string())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Failure(error.to_string())
    }
}

/// Refuses an input with a reason.
fn ensure(condition: bool, reason: &str) -> Result<(), Failure> {
    if condition { Ok(()) } else { Err(Failure(reason.into())) }
}

/// From the input's JSON to the output's.
pub type Evaluate = fn(&str, &mut Clock) -> Result<Box<RawValue>, Failure>;

fn evaluate<I: DeserializeOwned, O: Serialize>(
    input: &str,
    clock: &mut Clock,
    function: impl FnOnce(I, &mut Clock) -> Result<O, Failure>,
) -> Result<Box<RawValue>, Failure> {
    let output = function(serde_json::from_str(input)?, clock)?;
    Ok(to_raw_value(&output)?)
}

/// A row is a module and its functions.
macro_rules! modules {
    ($($module:ident: $($function:ident)+;)+) => {
        const MODULES: &[(&str, &[(&str, Evaluate)])] = &[
            $((stringify!($module), &[
                $((stringify!($function), |input, clock| evaluate(input, clock, $module::$function))),+
            ])),+
        ];
    };
}
modules! {
    ba: objective jacobian;
    det: primal gradient;
    gmm: objective jacobian;
    hello: square double;
    ht: objective jacobian;
    kmeans: cost dir;
    llsq: primal gradient;
    lse: primal gradient;
    lstm: objective jacobian;
    ode: primal gradient;
    particle: rr rf fr ff;
    saddle: rr rf fr ff;
}

/// Whether there is such a module.
pub fn exists(module: &str) -> bool {
    MODULES.iter().any(|(name, _)| *name == module)
}

/// One function of a module.
pub fn find(module: &str, function: &str) -> Option<Evaluate> {
    let (_, functions) = MODULES.iter().find(|(name, _)| *name == module)?;
    functions.iter().find(|(name, _)| *name == function).map(|(_, evaluate)| *evaluate)
}
