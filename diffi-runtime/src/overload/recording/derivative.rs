//! A program's derivative at work: kept as long as the program is, run by steps or as machine code.

#[cfg(feature = "compiled")]
use super::machine::Machine;
use super::phases::{First, Phases};
use super::simplify::Simplify;
use super::{Node, Program};
use crate::error::Result;
use crate::number::float::Base;
use crate::number::real::Real;
use crate::stack::memory_report;

/// How a derivative is made and run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    pub(crate) simplify: Simplify,
    /// As machine code.
    pub(crate) compiled: bool,
    pub(crate) first: First,
}

impl How {
    /// For seeds that are new at every point.
    pub(crate) fn at_once(self) -> Self {
        How { first: First::Decisions, ..self }
    }
}

/// Makes the derivative of a program; decisions are taken as at a point.
pub(crate) type Derive<F> = fn(&Program<F>, &[<F as Base>::Number], Simplify) -> Program<F>;

/// A derivative of a program.
#[derive(Clone, Debug)]
pub(crate) struct Derivative<F: Base> {
    phases: Phases<F>,
    values: Vec<F::Number>,
    /// Of which recording it is the derivative; 0 of none.
    of: usize,
    #[cfg(feature = "compiled")]
    machine: Option<Machine<F>>,
}

impl<F: Base> Default for Derivative<F> {
    fn default() -> Self {
        Derivative {
            phases: Phases::default(),
            values: Vec::new(),
            of: 0,
            #[cfg(feature = "compiled")]
            machine: None,
        }
    }
}

impl<F: Base> Derivative<F> {
    /// How many bytes it takes, machine code left out.
    pub(crate) fn bytes(&self) -> usize {
        let bytes = self.phases.program.bytes() + memory_report::vector(&self.values);
        #[cfg(feature = "compiled")]
        let bytes = bytes + self.machine.as_ref().map_or(0, Machine::bytes);
        bytes
    }

    /// Runs the first phase at another point. Whether there is a derivative of this recording, and it holds there.
    pub(crate) fn at(&mut self, recording: usize, leaves: &[F::Number]) -> bool {
        let holds = self.of == recording && self.first(leaves);
        if !holds {
            self.of = 0;
        }
        holds
    }

    /// Makes the derivative of a program, if there is none of this recording, and runs its first phase.
    pub(crate) fn ensure(
        &mut self,
        recording: usize,
        program: &Program<F>,
        leaves: &[F::Number],
        how: How,
        derive: Derive<F>,
    ) -> Result<()> {
        if self.is_of(recording) {
            return Ok(());
        }
        self.put(recording, derive(program, leaves, how.simplify), leaves, how)
    }

    /// Takes the first derivative of a program with these values as code for its arrays, if that is much shorter than any other code.
    /// Its outputs are the adjoints of inputs.
    pub(crate) fn put_arrays(
        &mut self,
        recording: usize,
        program: &Program<F>,
        values: &[F::Number],
        how: How,
    ) -> bool {
        #[cfg(feature = "compiled")]
        if how.compiled
            && let Some(mut machine) = Machine::of_arrays(program, values, how.simplify)
            && machine.first(&values[..program.leaves])
        {
            *self = Derivative { of: recording, machine: Some(machine), ..Derivative::default() };
            return true;
        }
        let _ = (recording, program, values, how);
        false
    }

    /// Takes the code of another derivative for the same recording, with the program's outputs before the adjoints, if it is one of arrays.
    pub(crate) fn put_with_outputs(&mut self, other: &Self) -> bool {
        #[cfg(feature = "compiled")]
        if let Some(machine) = other.machine.as_ref().and_then(Machine::with_outputs) {
            *self = Derivative { of: other.of, machine: Some(machine), ..Derivative::default() };
            return true;
        }
        let _ = other;
        false
    }

    /// Whether there is a derivative of this recording.
    pub(crate) fn is_of(&self, recording: usize) -> bool {
        self.of == recording
    }

    /// Takes the derivative of a recording, made at this point, and runs its first phase.
    pub(crate) fn put(
        &mut self,
        recording: usize,
        derivative: Program<F>,
        leaves: &[F::Number],
        how: How,
    ) -> Result<()> {
        self.phases = Phases::of(derivative, leaves.len(), how.first);
        #[cfg(feature = "compiled")]
        {
            self.machine = if how.compiled { Some(Machine::new(&self.phases)?) } else { None };
        }
        if !how.compiled {
            self.phases.program.start(&mut self.values);
        }
        let holds = self.first(leaves);
        debug_assert!(holds, "decisions were taken at this point");
        self.of = recording;
        Ok(())
    }

    /// Whether it is machine code that decides nothing, so that it holds at every point.
    pub(crate) fn is_code_in_one_phase(&self) -> bool {
        #[cfg(feature = "compiled")]
        let is_code = self.machine.is_some();
        #[cfg(not(feature = "compiled"))]
        let is_code = false;
        #[cfg(feature = "compiled")]
        let is_code = is_code && self.machine.as_ref().is_some_and(Machine::is_straight);
        is_code && self.phases.program.guards.is_empty() && self.phases.second == self.phases.program.leaves
    }

    /// Runs the first phase at another point, and writes its outputs to the caller's memory. Whether there is machine code for this
    /// recording, and it holds there; if not, these outputs are not defined.
    #[inline]
    pub(crate) fn first_into(&mut self, recording: usize, leaves: &[F], outputs: &mut [F]) -> bool {
        #[cfg(feature = "compiled")]
        if self.of == recording
            && let Some(machine) = &mut self.machine
        {
            return machine.first_into(leaves, outputs);
        }
        let _ = (recording, leaves, outputs);
        false
    }

    /// Runs the second phase after [`first_into`](Derivative::first_into), with the seeds of the last time or those that it was made for.
    #[inline(always)]
    pub(crate) fn second_into(&mut self, leaves: &[F], outputs: &mut [F]) {
        #[cfg(feature = "compiled")]
        if let Some(machine) = &mut self.machine {
            machine.second_into(leaves, outputs);
        }
        #[cfg(not(feature = "compiled"))]
        let _ = (leaves, outputs);
    }

    /// The same with other seeds.
    #[inline(never)]
    pub(crate) fn seeded_into(&mut self, leaves: &[F], seeds: impl Iterator<Item = F>, outputs: &mut [F]) {
        #[cfg(feature = "compiled")]
        if let Some(machine) = &mut self.machine {
            machine.seed(seeds);
        }
        #[cfg(not(feature = "compiled"))]
        let _ = seeds;
        self.second_into(leaves, outputs);
    }

    fn first(&mut self, leaves: &[F::Number]) -> bool {
        #[cfg(feature = "compiled")]
        if let Some(machine) = &mut self.machine {
            return machine.first(leaves);
        }
        let Phases { program, arguments, second } = &self.phases;
        self.values[..*arguments].copy_from_slice(leaves);
        program.run_within(&mut self.values, program.leaves..*second);
        program.holds(&self.values)
    }

    /// Runs the second phase.
    pub(crate) fn seed(&mut self, leaves: &[F::Number], seeds: impl Iterator<Item = F>) {
        #[cfg(feature = "compiled")]
        if let Some(machine) = &mut self.machine {
            return machine.second(leaves, seeds);
        }
        let _ = leaves;
        let Phases { program, arguments, second } = &self.phases;
        let places = &mut self.values[*arguments..program.leaves];
        places.iter_mut().zip(seeds).for_each(|(place, seed)| *place = F::Number::from_base(seed));
        program.run_within(&mut self.values, *second..program.steps.len());
    }

    /// An output's value.
    #[inline]
    pub(crate) fn output(&self, k: usize) -> F {
        #[cfg(feature = "compiled")]
        if let Some(machine) = &self.machine {
            return machine.output(k);
        }
        self.values[self.phases.program.outputs[k] as usize].value()
    }

    /// Writes the first outputs, those of the program, among its values.
    pub(crate) fn write_outputs(&self, outputs: &[Node], values: &mut [F::Number]) {
        for (k, node) in outputs.iter().enumerate() {
            values[*node as usize] = F::Number::from_base(self.output(k));
        }
    }
}
