//! A program for the derivatives of a program.

use super::Program;
use super::pull::{Adjoint, Full};
use super::record::{Recordable, simplified};
use crate::base::Base;
use crate::real::Real;
use crate::scalar::{Dual, Recorded};

impl<F: Base> Program<F> {
    /// The program whose leaves are this one's and a cotangent for every output, and whose outputs are this one's and the adjoints
    /// of the inputs. Decisions are taken as at `point`, the values of the leaves.
    pub(crate) fn derived<N: Recordable<Base = F>>(&self, point: &[N]) -> Program<F> {
        simplified::<N, _>(|| {
            let leaves: Vec<Recorded<N>> = point.iter().map(|v| Recorded::leaf(*v)).collect();
            let seeds: Vec<Recorded<N>> = self.outputs.iter().map(|_| Recorded::leaf(N::lit(1.0))).collect();
            let (values, adjoints) = self.swept(&leaves, &seeds);
            let outputs = self.outputs.iter().map(|node| values[*node as usize]);
            let inputs = self.inputs.iter().map(|node| adjoints[*node as usize].0.unwrap_or(Recorded::lit(0.0)));
            let outputs = outputs.chain(inputs).map(Recorded::node).collect();
            (self.inputs.clone(), outputs, ())
        })
        .0
    }

    /// The program whose leaves are this one's and a tangent for every input, and whose outputs are the adjoints of the inputs,
    /// then their tangents; the first output is what is differentiated.
    pub(crate) fn derived_twice<N: Recordable<Base = F>>(&self, point: &[N]) -> Program<F> {
        simplified::<N, _>(|| {
            let mut leaves: Vec<Dual<Recorded<N>, 1>> =
                point.iter().map(|v| Dual::constant(Recorded::leaf(*v))).collect();
            for node in &self.inputs {
                let leaf = &mut leaves[*node as usize];
                *leaf = Dual::new(leaf.primal(), [Recorded::leaf(N::lit(1.0))]);
            }
            let mut seeds = vec![Dual::lit(0.0); self.outputs.len()];
            seeds[0] = Dual::lit(1.0);
            let (_, adjoints) = self.swept(&leaves, &seeds);
            let all = self.inputs.iter().map(|node| adjoints[*node as usize].0.unwrap_or(Dual::lit(0.0)));
            let all: Vec<Dual<Recorded<N>, 1>> = all.collect();
            let gradient = all.iter().map(|adjoint| adjoint.primal().node());
            let outputs = gradient.chain(all.iter().map(|adjoint| adjoint.partial(0).node())).collect();
            (self.inputs.clone(), outputs, ())
        })
        .0
    }

    /// The program whose outputs are the partial derivatives of all outputs by all inputs, row by row.
    pub(crate) fn rows<N: Recordable<Base = F>>(&self, point: &[N]) -> Program<F> {
        simplified::<N, _>(|| {
            let leaves: Vec<Recorded<N>> = point.iter().map(|v| Recorded::leaf(*v)).collect();
            let mut outputs = Vec::new();
            for row in 0..self.outputs.len() {
                let mut seeds = vec![Recorded::lit(0.0); self.outputs.len()];
                seeds[row] = Recorded::lit(1.0);
                let (_, adjoints) = self.swept(&leaves, &seeds);
                let row = self.inputs.iter().map(|node| adjoints[*node as usize].0.unwrap_or(Recorded::lit(0.0)));
                outputs.extend(row.map(Recorded::node));
            }
            (self.inputs.clone(), outputs, ())
        })
        .0
    }

    /// Values and adjoints of all nodes.
    fn swept<S: Real<Base = F>>(&self, leaves: &[S], seeds: &[S]) -> (Vec<S>, Vec<Full<S>>) {
        let mut values = Vec::new();
        self.start(&mut values);
        values[..leaves.len()].copy_from_slice(leaves);
        self.run(&mut values);
        let mut adjoints = vec![Full::ZERO; values.len()];
        for (node, seed) in self.outputs.iter().zip(seeds) {
            adjoints[*node as usize] += Full(Some(*seed));
        }
        self.pull(&values, &mut adjoints);
        (values, adjoints)
    }
}
