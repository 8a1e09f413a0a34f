//! Which passes change the functions of a program, or their derivative code: `DIFFI_PASSES=1` counts them beside the verdicts.

use crate::opt::dump::Dump;
use crate::opt::passes::PASSES;
use crate::tests::interpreter::program::{Code, Source};
use std::collections::BTreeSet;

/// The passes that change something in a program.
pub fn that_change(text: &str) -> BTreeSet<&'static str> {
    let dump = Dump::kept("program", Some("all"));
    let source = Source::of(text).expect("the program was read before");
    for (_, function) in source.functions(&dump).expect("the program was accepted before") {
        Code::of(&function, &dump);
    }
    let shown: BTreeSet<String> = dump.into_kept().into_iter().map(|(stage, _)| stage).collect();
    PASSES.iter().map(|pass| pass.name).filter(|name| shown.contains(*name)).collect()
}
