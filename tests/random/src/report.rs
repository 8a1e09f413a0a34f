//! What a run says: how many programs agree, which constructs they use, and the worst deviation.

use crate::batch::Outcome;
use crate::program::Program;
use std::collections::BTreeMap;

/// The sums over many programs.
#[derive(Default)]
pub struct Report {
    /// Programs of which all derivatives agree.
    pub right: usize,
    /// Programs whose values are too large, or not finite.
    pub wild: usize,
    /// Programs that the generator got wrong.
    pub invalid: usize,
    /// Comparisons.
    pub checks: usize,
    /// The worst deviation that was accepted, by mode.
    pub worst: BTreeMap<String, f64>,
    /// How many right programs use a construct.
    pub constructs: BTreeMap<&'static str, usize>,
    /// How many programs diffi refuses, by the code of its message.
    pub refused: BTreeMap<String, usize>,
    /// Seeds of the programs that failed, with what is wrong.
    pub failures: Vec<(u64, String)>,
}

impl Report {
    /// Adds a program.
    pub fn add(&mut self, seed: u64, program: &Program, outcome: &Outcome) {
        if let Outcome::Refused(message) | Outcome::Broken(message) = outcome
            && let Some(code) = message.split("[D").nth(1)
        {
            println!("refused {seed}: {message}");
            *self.refused.entry(format!("D{}", code.split(']').next().unwrap_or_default())).or_default() += 1;
            return;
        }
        if let Some(failure) = outcome.failure() {
            let message = match outcome {
                Outcome::Refused(m) | Outcome::Broken(m) => format!("{failure}: {m}"),
                Outcome::Checked(checks) => {
                    let bad = checks.iter().find(|c| c.verdict == "wrong" || c.verdict == "panic");
                    bad.map_or(failure, |c| format!("{} ({}), {}: {}", c.mode, c.choice, c.verdict, c.message))
                }
                Outcome::Invalid(_) => failure,
            };
            self.failures.push((seed, message));
            return;
        }
        match outcome {
            Outcome::Invalid(_) => self.invalid += 1,
            Outcome::Checked(checks) if outcome.is_right() => {
                self.right += 1;
                for check in checks.iter().filter(|c| c.verdict == "right") {
                    self.checks += 1;
                    let worst = self.worst.entry(check.mode.clone()).or_default();
                    *worst = worst.max(check.deviation);
                }
                let mut used: Vec<&str> = Vec::new();
                program.each(&mut |n| used.push(n.construct));
                used.sort_unstable();
                used.dedup();
                used.into_iter()
                    .filter(|c| !c.is_empty() && *c != "step")
                    .for_each(|c| *self.constructs.entry(c).or_default() += 1);
            }
            _ => self.wild += 1,
        }
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        writeln!(
            f,
            "{} programs agree in {} comparisons; {} too wild to compare, {} invalid, {} failures",
            self.right,
            self.checks,
            self.wild,
            self.invalid,
            self.failures.len()
        )?;
        let worst: Vec<String> = self.worst.iter().map(|(mode, d)| format!("{mode} {d:.1e}")).collect();
        writeln!(f, "worst deviations: {}", worst.join(", "))?;
        let constructs: Vec<String> = self.constructs.iter().map(|(name, n)| format!("{name} {n}")).collect();
        writeln!(f, "{} constructs: {}", constructs.len(), constructs.join(", "))?;
        if !self.refused.is_empty() {
            writeln!(f, "refused: {:?}", self.refused)?;
        }
        for (seed, message) in &self.failures {
            writeln!(f, "seed {seed}: {message}")?;
        }
        Ok(())
    }
}
