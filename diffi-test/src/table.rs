//! Which backend passed which scenario, as a table.

use std::fmt::{self, Display};

/// What came of a scenario on a backend.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// All was as expected.
    Passed,
    /// What was not.
    Failed(Vec<String>),
    /// Why it was not tried.
    NotApplicable(String),
}

/// One scenario on one backend.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The scenario's name.
    pub scenario: String,
    /// Its operator.
    pub operator: &'static str,
    /// The backend.
    pub backend: String,
    /// What came of it.
    pub outcome: Outcome,
}

/// All cells. Shown as a table of scenarios by backends, with the reasons below.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    cells: Vec<Entry>,
}

impl Report {
    /// Adds a cell.
    pub fn push(&mut self, cell: Entry) {
        self.cells.push(cell);
    }

    /// All cells.
    pub fn cells(&self) -> &[Entry] {
        &self.cells
    }

    /// Those that failed.
    pub fn failures(&self) -> impl Iterator<Item = &Entry> {
        self.cells.iter().filter(|cell| matches!(cell.outcome, Outcome::Failed(_)))
    }

    /// # Panics
    ///
    /// If a cell failed.
    pub fn assert_passed(&self) {
        assert!(self.failures().next().is_none(), "{self}");
        assert!(self.cells.iter().any(|cell| cell.outcome == Outcome::Passed), "nothing was tested");
    }
}

/// The distinct values, in the order in which they come.
fn distinct<'a, T: PartialEq>(values: impl Iterator<Item = T> + 'a) -> Vec<T> {
    values.fold(Vec::new(), |mut all, value| {
        if !all.contains(&value) {
            all.push(value);
        }
        all
    })
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let backends = distinct(self.cells.iter().map(|cell| cell.backend.as_str()));
        let rows = distinct(self.cells.iter().map(|cell| (cell.scenario.as_str(), cell.operator)));
        let reasons = distinct(self.cells.iter().filter_map(|cell| match &cell.outcome {
            Outcome::NotApplicable(reason) => Some(reason.as_str()),
            _ => None,
        }));
        let width = rows.iter().map(|(name, op)| name.chars().count() + op.len() + 3).max().unwrap_or(0);
        for (k, backend) in backends.iter().enumerate() {
            writeln!(f, "{:width$} {}{backend}", "", "│ ".repeat(k))?;
        }
        for (name, operator) in &rows {
            let mut line = format!("{:width$} ", format!("{name} ({operator})"));
            for backend in &backends {
                let cell = self
                    .cells
                    .iter()
                    .find(|cell| cell.backend == *backend && cell.scenario == *name && cell.operator == *operator);
                let mark = match cell.map(|cell| &cell.outcome) {
                    Some(Outcome::Passed) => "✓".to_owned(),
                    Some(Outcome::Failed(_)) => "✗".to_owned(),
                    Some(Outcome::NotApplicable(why)) => letter(reasons.iter().position(|r| r == why).unwrap_or(0)),
                    None => " ".to_owned(),
                };
                line += &format!("{mark} ");
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        for (k, reason) in reasons.iter().enumerate() {
            writeln!(f, "{}: {reason}", letter(k))?;
        }
        let of = |kind: fn(&Outcome) -> bool| self.cells.iter().filter(|cell| kind(&cell.outcome)).count();
        let passed = of(|o| matches!(o, Outcome::Passed));
        let not = of(|o| matches!(o, Outcome::NotApplicable(_)));
        writeln!(f, "{passed} passed, {} failed, {not} not applicable", self.failures().count())?;
        for cell in self.failures() {
            let Outcome::Failed(why) = &cell.outcome else { continue };
            writeln!(f, "{} ({}) by {}: {}", cell.scenario, cell.operator, cell.backend, why.join("; "))?;
        }
        Ok(())
    }
}

/// The sign for the reason `k`.
fn letter(k: usize) -> String {
    char::from_u32('a' as u32 + k as u32 % 26).map(String::from).unwrap_or_default()
}
