//! The IR as text, for a reader: `#[differentiable(dump)]`, or `DIFFI_DUMP` in the environment.
//!
//! `DIFFI_DUMP=rosenbrock` shows the function `rosenbrock` after lowering, before and after differentiation, after the last pass, and
//! as it is emitted. `DIFFI_DUMP=rosenbrock:after=unroll_jam` shows it after one pass, and `:after=all` after each pass that changes it.

use crate::ad::derivatives::Derivatives;
use crate::ir::print;
use crate::ir::symbols::Table;
use crate::ir::*;
use crate::opt::pass::each_group;
use crate::opt::passes::PASSES;
use crate::support::tokens;
use proc_macro2::TokenStream;
use std::cell::RefCell;

/// The request for one function; by default there is none.
#[derive(Default)]
pub struct Dump {
    name: Option<String>,
    /// The pass after which the function is shown.
    after: Option<String>,
    /// The text that was shown last, by which a pass that changes nothing is recognised.
    last: RefCell<String>,
    /// All that was shown, where it is kept instead of printed.
    #[cfg(test)]
    kept: Option<RefCell<Vec<(String, String)>>>,
}

impl Dump {
    /// The request of the attribute or of the environment.
    pub fn of(asked: bool, name: &str) -> Self {
        let wanted = std::env::var("DIFFI_DUMP").unwrap_or_default();
        let (function, after) = match wanted.split_once(":after=") {
            Some((function, pass)) => (function, Some(pass.to_owned())),
            None => (&wanted[..], None),
        };
        let asked = asked || function == "all" || function == name;
        Dump { name: asked.then(|| name.to_owned()), after, ..Dump::default() }
    }

    /// A request that keeps each text, with its heading, instead of printing it.
    #[cfg(test)]
    pub fn kept(name: &str, after: Option<&str>) -> Self {
        let (name, after) = (Some(name.to_owned()), after.map(str::to_owned));
        Dump { name, after, last: RefCell::default(), kept: Some(RefCell::default()) }
    }

    /// The texts of a request that keeps them.
    #[cfg(test)]
    pub fn into_kept(self) -> Vec<(String, String)> {
        self.kept.map(RefCell::into_inner).unwrap_or_default()
    }

    /// The function at the end of a phase.
    pub fn function(&self, stage: &str, function: &Function) {
        self.phase(stage, || print::function(function));
    }

    /// The function after a pass.
    pub fn after_function(&self, pass: &str, function: Function) -> Function {
        if self.wants(pass) {
            self.show_changed(pass, print::function(&function));
        }
        function
    }

    /// All derivative code at the end of a phase.
    pub fn derivatives(&self, stage: &str, function: &Function, code: &mut Derivatives<'_>) {
        self.phase(stage, || text(function, code));
    }

    /// Derivative code that a transform has changed between two passes.
    pub fn transformed(&self, function: &Function, code: &mut Derivatives<'_>) {
        if self.name.is_some() && self.after.is_some() {
            self.last.replace(text(function, code));
        }
    }

    /// Shows the text, or keeps it for the comparison with the first pass of the next phase.
    fn phase(&self, stage: &str, text: impl FnOnce() -> String) {
        match (&self.name, &self.after) {
            (None, _) => {}
            (_, None) => self.show(stage, &text()),
            (_, Some(_)) => _ = self.last.replace(text()),
        }
    }

    /// All derivative code after a pass.
    pub fn after(&self, pass: &str, function: &Function, code: &mut Derivatives<'_>) {
        if self.wants(pass) {
            self.show_changed(pass, text(function, code));
        } else if PASSES.last().is_some_and(|last| last.name == pass) {
            self.derivatives("optimise", function, code);
        }
    }

    /// One body.
    pub fn block(&self, stage: &str, table: &Table, block: &Block) {
        if self.name.is_some() && self.after.is_none() {
            self.show(stage, &print::block(table.vars(), block));
        }
    }

    /// The emitted code.
    pub fn tokens(&self, code: &TokenStream) {
        if self.name.is_some() && self.after.is_none() {
            self.show("emit", &tokens::text(code));
        }
    }

    fn wants(&self, pass: &str) -> bool {
        self.name.is_some() && self.after.as_deref().is_some_and(|after| after == pass || after == "all")
    }

    fn show_changed(&self, pass: &str, text: String) {
        if *self.last.borrow() != text {
            self.show(pass, &text);
            self.last.replace(text);
        }
    }

    fn show(&self, stage: &str, text: &str) {
        #[cfg(test)]
        if let Some(kept) = &self.kept {
            return kept.borrow_mut().push((stage.to_owned(), text.to_owned()));
        }
        if let Some(name) = &self.name {
            eprintln!("// {name}: {stage}\n{text}");
        }
    }
}

/// Every body under a heading.
pub fn text(function: &Function, code: &mut Derivatives<'_>) -> String {
    let mut text = String::new();
    each_group(code, function, &mut |context, bodies| {
        for (body, block) in bodies {
            text += &format!("// {}\n{}\n", body.heading(), print::block(context.table.vars(), block));
        }
    });
    text
}
