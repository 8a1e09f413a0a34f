//! Whether a scenario can run on a backend, asked of the compiler: of two methods of one name it takes the first whose bounds hold.

use diffi::{Backend, Error};
use diffi_test::{Checks, Entry, Outcome, Runs};
use std::cell::RefCell;

/// A scenario and a backend.
pub struct Pair<'a, B, S> {
    backend: &'a B,
    scenario: RefCell<&'a mut S>,
    reason: &'static str,
}

impl<'a, B, S> Pair<'a, B, S> {
    pub fn new(backend: &'a B, scenario: &'a mut S, reason: &'static str) -> Self {
        Pair { backend, scenario: RefCell::new(scenario), reason }
    }
}

/// The scenario runs.
pub trait Applicable {
    fn outcome(&self) -> Entry;
}

impl<B: Backend, S: Runs<B>> Applicable for &Pair<'_, B, S> {
    fn outcome(&self) -> Entry {
        let mut scenario = self.scenario.borrow_mut();
        let failures = scenario.compare(self.backend, &Checks::default());
        let (branches, linear) = (Error::ActiveBranch.to_string(), Error::OnlyLinear.to_string());
        let outcome = match &failures[..] {
            [] => Outcome::Passed,
            all if all.iter().all(|why| why.ends_with(&branches)) => {
                Outcome::NotApplicable("refused: it branches".to_owned())
            }
            all if all.iter().all(|why| why.ends_with(&linear)) => {
                Outcome::NotApplicable("refused: it has a rule by hand".to_owned())
            }
            _ => Outcome::Failed(failures),
        };
        let (name, operator) = (scenario.name().to_owned(), scenario.operator());
        Entry { scenario: name, operator, backend: format!("{:?}", self.backend), outcome }
    }
}

/// It does not.
pub trait NotApplicable {
    fn outcome(&self) -> Entry;
}

impl<B: Backend, S: Titled> NotApplicable for Pair<'_, B, S> {
    fn outcome(&self) -> Entry {
        let (name, operator) = self.scenario.borrow().title();
        let outcome = Outcome::NotApplicable(self.reason.to_owned());
        Entry { scenario: name, operator, backend: format!("{:?}", self.backend), outcome }
    }
}

/// What scenarios are called, whatever runs them.
pub trait Titled {
    fn title(&self) -> (String, &'static str);
}

impl<Op: diffi_test::operator::Name, F, G: diffi::types::Signature, R, X, D> Titled
    for diffi_test::Scenario<Op, F, G, R, X, D>
{
    fn title(&self) -> (String, &'static str) {
        (self.title().to_owned(), Op::NAME)
    }
}

/// A cell of the table for each backend.
macro_rules! cell {
    ($scenario:ident, $table:ident; $($(@$cfg:meta)? $backend:expr, $reason:expr;)+) => { $($(#[$cfg])? {
        let backend = $backend;
        let cell = $crate::applicable::Pair::new(&backend, &mut $scenario, $reason);
        $table.push((&&cell).outcome());
    })+ };
}
pub(crate) use cell;
