//! Messages and answers.
//!
//! What cannot be understood or computed is answered with `success: false` and an error, and the next message is read.

use crate::clock::{Clock, Timing};
use crate::problems::{self, Failure};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Deserialize)]
struct Message<'a> {
    id: u64,
    kind: &'a str,
    #[serde(borrow)]
    module: Option<&'a str>,
    function: Option<&'a str>,
    input: Option<&'a RawValue>,
}

/// What is sent back; what does not belong to a kind of message is left out.
#[derive(Default, Serialize)]
pub struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    success: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    timings: Vec<Timing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Answer {
    fn failure(error: impl ToString) -> Self {
        Answer { success: Some(false), error: Some(error.to_string()), ..Default::default() }
    }
}

/// The answer to one line.
pub fn answer(line: &str) -> Answer {
    let message: Message = match serde_json::from_str(line) {
        Ok(message) => message,
        Err(error) => return Answer::failure(format!("not a message: {error}")),
    };
    let answer = match message.kind {
        "start" => Answer { tool: Some("diffi"), ..Default::default() },
        "define" => define(&message),
        "evaluate" => evaluate(&message),
        _ => Answer::default(),
    };
    Answer { id: Some(message.id), ..answer }
}

fn define(message: &Message) -> Answer {
    match message.module {
        Some(module) if problems::exists(module) => Answer { success: Some(true), ..Default::default() },
        Some(module) => Answer::failure(format!("there is no module `{module}`")),
        None => Answer::failure("no module is named"),
    }
}

fn evaluate(message: &Message) -> Answer {
    let (Some(module), Some(function), Some(input)) = (message.module, message.function, message.input) else {
        return Answer::failure("an evaluation needs `module`, `function` and `input`");
    };
    let Some(evaluate) = problems::find(module, function) else {
        return Answer::failure(format!("there is no function `{function}` in the module `{module}`"));
    };
    let mut clock = Clock::of(input.get());
    match catch_unwind(AssertUnwindSafe(|| evaluate(input.get(), &mut clock))) {
        Ok(Ok(output)) => {
            Answer { success: Some(true), output: Some(output), timings: clock.into_timings(), ..Default::default() }
        }
        Ok(Err(Failure(error))) => Answer::failure(error),
        Err(_) => Answer::failure("the input is not one that this function can be evaluated at"),
    }
}

#[cfg(test)]
mod tests {
    use super::answer;
    use serde_json::{Value, json};

    /// The answer to a message, as JSON.
    fn to(message: &str) -> Value {
        serde_json::to_value(answer(message)).unwrap()
    }

    #[test]
    fn a_session() {
        assert_eq!(to(r#"{"id":0,"kind":"start","eval":"hello"}"#), json!({"id": 0, "tool": "diffi"}));
        assert_eq!(to(r#"{"id":1,"kind":"define","module":"hello"}"#), json!({"id": 1, "success": true}));
        let double = to(r#"{"id":2,"kind":"evaluate","module":"hello","function":"double","input":3.5}"#);
        assert_eq!(double["output"], json!(7.0));
        assert_eq!(double["success"], json!(true));
        assert!(double["timings"].as_array().unwrap().iter().any(|t| t["name"] == "evaluate"));
        assert_eq!(to(r#"{"id":3,"kind":"analysis","of":2,"valid":true}"#), json!({"id": 3}));
    }

    #[test]
    fn what_cannot_be_answered() {
        for (message, error) in [
            ("{", "not a message"),
            (r#"{"id":1,"kind":"define","module":"alchemy"}"#, "there is no module `alchemy`"),
            (r#"{"id":1,"kind":"define"}"#, "no module is named"),
            (r#"{"id":1,"kind":"evaluate","module":"hello","function":"cube","input":1}"#, "no function `cube`"),
            (r#"{"id":1,"kind":"evaluate","module":"hello","function":"double"}"#, "needs `module`"),
            (r#"{"id":1,"kind":"evaluate","module":"hello","function":"double","input":"x"}"#, "invalid type"),
            (r#"{"id":1,"kind":"evaluate","module":"lse","function":"gradient","input":{"x":[]}}"#, "empty"),
        ] {
            let answer = to(message);
            assert_eq!(answer["success"], json!(false), "{message}");
            assert!(answer["error"].as_str().unwrap().contains(error), "{message}: {answer}");
        }
    }
}
