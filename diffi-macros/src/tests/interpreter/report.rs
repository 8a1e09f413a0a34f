//! What became of many programs.

use crate::tests::interpreter::checks::Verdict;
use crate::tests::interpreter::passes;
use diffi_random::program::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::env;

/// How many programs show something.
type Counts = BTreeMap<&'static str, usize>;

/// The verdicts, and what the programs that are right are made of.
#[derive(Default)]
pub struct Report {
    pub counts: Counts,
    /// How many partners of each kind are right.
    pub partners: Counts,
    /// How many programs use a construct.
    constructs: Counts,
    /// In how many programs a pass changes something.
    passes: Counts,
    /// How many bodies of derivative code were run.
    bodies: usize,
    reasons: BTreeMap<String, (usize, u64)>,
    pub wrong: Vec<String>,
}

impl Report {
    pub fn text(&self) -> String {
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
        let reasons = reasons.iter().take(40).map(|(reason, (n, seed))| format!("{n:6} {reason} (seed {seed})\n"));
        let (counts, partners, bodies) = (&self.counts, &self.partners, self.bodies);
        let (constructs, passes) = (&self.constructs, &self.passes);
        let heads = format!(
            "{counts:?}, {bodies} bodies\npartners: {partners:?}\n{} constructs: {constructs:?}\n",
            constructs.len()
        );
        heads + &format!("{} passes: {passes:?}\n{}", passes.len(), reasons.collect::<String>())
    }

    pub fn add(&mut self, seed: u64, text: &str, verdict: Verdict) {
        let (kind, reason) = match verdict {
            Verdict::Right(right) => {
                self.bodies += right.bodies;
                ("right", String::new())
            }
            Verdict::Refused(message) => ("refused", message),
            Verdict::Unknown(what) => ("not covered", what),
            Verdict::Wild => ("wild", String::new()),
            Verdict::Invalid(message) => ("invalid", message),
            Verdict::Wrong(message) => ("wrong", message),
        };
        *self.counts.entry(kind).or_default() += 1;
        if kind == "wrong" && self.wrong.len() < 20 {
            self.wrong.push(format!("// seed {seed}: {reason}\n{text}"));
        }
        let tried: usize = self.counts.values().sum();
        if tried.is_multiple_of(1000) || kind == "wrong" {
            println!("{tried} programs, seed {seed}: {:?}, {} bodies", self.counts, self.bodies);
        }
        if !reason.is_empty() {
            let reason: String = reason.chars().take(110).collect();
            let entry = self.reasons.entry(format!("{kind}: {reason}")).or_insert((0, seed));
            entry.0 += 1;
        }
    }

    /// Counts what a program that is right is made of, and the passes that change it.
    pub fn count(&mut self, program: &Program, text: &str) {
        let mut used = BTreeSet::new();
        program.each(&mut |node| used.extend((!["", "step"].contains(&node.construct)).then_some(node.construct)));
        used.into_iter().for_each(|construct| *self.constructs.entry(construct).or_default() += 1);
        if env::var_os("DIFFI_PASSES").is_some() {
            passes::that_change(text).into_iter().for_each(|pass| *self.passes.entry(pass).or_default() += 1);
        }
    }
}
