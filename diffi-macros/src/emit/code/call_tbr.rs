//! What is kept on condition that the adjoint of a call reads it: rustc is asked, by the types of the call's arguments.

use crate::analysis::call_tbr::Asked;
use crate::emit::code::call::{Parts, derivative_name};
use crate::emit::code::writer::Emit;
use crate::ir::*;
use quote::ToTokens;

impl Emit<'_> {
    /// The condition on which a variable on the tape is read; none if it always is.
    pub fn read_if(&self, var: Var) -> Option<String> {
        let calls = self.kept_if.of.get(&self.table.origin(var))?;
        let read = |(call, argument): &(Asked, usize)| format!("{}.has({argument})", self.call_reads(*call));
        Some(match calls.is_empty() {
            true => "false".to_owned(),
            false => calls.iter().map(read).collect::<Vec<_>>().join(" || "),
        })
    }

    /// The name of what a call reads.
    fn call_reads(&self, (bar, count): Asked) -> String {
        let count = if count == 0 { String::new() } else { count.to_string() };
        format!("tbr{count}_{}", self.name(bar).trim_start_matches("r#"))
    }

    /// Declares what the calls that are asked read.
    pub fn asked_calls(&self) -> impl Iterator<Item = String> {
        self.kept_if.asked.iter().map(|call| format!("let {} = __d::Kin::new();", self.call_reads(*call)))
    }

    fn asked_call(&self, s: &Sweep) -> Option<Asked> {
        let call = self.kept_if.names.get(&std::ptr::from_ref(s))?;
        (s.kind == SweepKind::Reverse && self.kept_if.asked.contains(call)).then_some(*call)
    }

    /// Says, where the types of a call's arguments are known, what it reads.
    pub fn asked(&self, s: &Sweep) -> String {
        let Some(call) = self.asked_call(s) else { return String::new() };
        let mut parts = Parts::new(&s.call);
        let first = usize::from(matches!(s.call.callee, Callee::Method(_)));
        let args = s.call.args.iter().enumerate().skip(first);
        let args: String = args.map(|(k, arg)| self.argument(k, arg, &mut parts) + ", ").collect();
        let asked = match &s.call.callee {
            Callee::Method(name) => {
                let name = self.holes.put(derivative_name(name, "reads", false).to_token_stream());
                format!("{}.{name}(({args}))", self.on_receiver(&s.call, &mut parts))
            }
            Callee::Function(path) => format!("<{}>::reads({args})", self.holes.put(path.clone())),
            _ => unreachable!("no other call is asked"),
        };
        format!("{}.read_by(|| {{ {} {asked} }});", self.call_reads(call), parts.before)
    }
}
