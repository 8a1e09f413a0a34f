//! A program for the derivatives of a program.

use super::pull::{Adjoint, Full};
use super::record::{recording, simplified};
use super::simplify::Simplify;
use super::{Node, Program};
use crate::number::float::Base;
use crate::number::real::{Real, Recordable};
use crate::number::scalar::Dual;
use crate::overload::recorded::Recorded;

impl<F: Base> Program<F> {
    /// The program whose leaves are this one's and a cotangent for every output, and whose outputs are this one's, then the adjoints
    /// of the inputs. Decisions are taken as at `point`, the values of the leaves.
    pub(crate) fn derived<N: Recordable<Base = F>>(&self, point: &[N], how: Simplify) -> Program<F> {
        self.derived_for(point, how, false)
    }

    /// The same for cotangents that are all 1, if they are; the leaves are there, but nothing reads them.
    pub(crate) fn derived_for<N: Recordable<Base = F>>(&self, point: &[N], how: Simplify, ones: bool) -> Program<F> {
        simplified::<N>(how, || {
            let leaves: Vec<Recorded<N>> = point.iter().map(|v| Recorded::leaf(*v)).collect();
            let seeds = self.outputs.iter().map(|_| Recorded::leaf(N::lit(1.0)));
            let seeds: Vec<Recorded<N>> = seeds.map(|seed| if ones { Recorded::lit(1.0) } else { seed }).collect();
            let (values, adjoints) = self.swept(&leaves, &seeds);
            self.decide(|node| values[node as usize]);
            let outputs = self.outputs.iter().map(|node| values[*node as usize]);
            let inputs = self.inputs.iter().map(|node| adjoints[*node as usize].0.unwrap_or(Recorded::lit(0.0)));
            (self.inputs.clone(), outputs.chain(inputs).map(Recorded::node).collect())
        })
    }

    /// Without the first outputs: what only they need is left out.
    pub(crate) fn without_outputs(&self, first: usize) -> Program<F> {
        let mut rest = self.clone();
        rest.outputs.drain(..first);
        rest.pruned()
    }

    /// The program whose leaves are this one's and a tangent for every input, and whose outputs are this one's, then the adjoints of the
    /// inputs, then their tangents; the first output is what is differentiated.
    pub(crate) fn derived_twice<N: Recordable<Base = F>>(&self, point: &[N], how: Simplify) -> Program<F> {
        simplified::<N>(how, || {
            let mut leaves: Vec<Dual<Recorded<N>, 1>> =
                point.iter().map(|v| Dual::constant(Recorded::leaf(*v))).collect();
            for node in &self.inputs {
                let leaf = &mut leaves[*node as usize];
                *leaf = Dual::new(leaf.primal(), [Recorded::leaf(N::lit(1.0))]);
            }
            let mut seeds = vec![Dual::lit(0.0); self.outputs.len()];
            seeds[0] = Dual::lit(1.0);
            let (values, adjoints) = self.swept(&leaves, &seeds);
            self.decide(|node| values[node as usize].primal());
            let outputs = self.outputs.iter().map(|node| values[*node as usize].primal().node());
            let all = self.inputs.iter().map(|node| adjoints[*node as usize].0.unwrap_or(Dual::lit(0.0)));
            let all: Vec<Dual<Recorded<N>, 1>> = all.collect();
            let gradient = all.iter().map(|adjoint| adjoint.primal().node());
            let tangents = all.iter().map(|adjoint| adjoint.partial(0).node());
            (self.inputs.clone(), outputs.chain(gradient).chain(tangents).collect())
        })
    }

    /// The program whose outputs are this one's, then their first and then their second derivatives where all inputs change at rate 1.
    pub(crate) fn curved<N: Recordable<Base = F>>(&self, point: &[N], how: Simplify) -> Program<F> {
        simplified::<N>(how, || {
            let mut values: Vec<Dual<Dual<Recorded<N>, 1>, 1>> = Vec::new();
            self.start(&mut values);
            for (leaf, v) in values.iter_mut().zip(point) {
                *leaf = Dual::constant(Dual::constant(Recorded::leaf(*v)));
            }
            self.curve(&mut values);
            self.decide(|node| values[node as usize].primal().primal());
            let output = |node: &Node| values[*node as usize];
            let outputs = self.outputs.iter().map(|node| output(node).primal().primal());
            let first = self.outputs.iter().map(|node| output(node).partial(0).primal());
            let second = self.outputs.iter().map(|node| output(node).partial(0).partial(0));
            (self.inputs.clone(), outputs.chain(first).chain(second).map(Recorded::node).collect())
        })
    }

    /// Runs the program where all inputs change at rate 1, with two derivatives; the values of leaves and constants have to be there.
    pub(crate) fn curve<S: Real<Base = F>>(&self, values: &mut [Dual<Dual<S, 1>, 1>]) {
        let one = Dual::constant(S::lit(1.0));
        for node in &self.inputs {
            let value = values[*node as usize].primal().primal();
            values[*node as usize] = Dual::new(Dual::variable(value, 0), [one]);
        }
        self.run(values);
    }

    /// The program whose outputs are the partial derivatives of all outputs by all inputs, row by row.
    pub(crate) fn rows<N: Recordable<Base = F>>(&self, point: &[N]) -> Program<F> {
        simplified::<N>(Simplify::Finite, || {
            let leaves: Vec<Recorded<N>> = point.iter().map(|v| Recorded::leaf(*v)).collect();
            let mut outputs = Vec::new();
            for row in 0..self.outputs.len() {
                let mut seeds = vec![Recorded::lit(0.0); self.outputs.len()];
                seeds[row] = Recorded::lit(1.0);
                let (_, adjoints) = self.swept(&leaves, &seeds);
                let row = self.inputs.iter().map(|node| adjoints[*node as usize].0.unwrap_or(Recorded::lit(0.0)));
                outputs.extend(row.map(Recorded::node));
            }
            (self.inputs.clone(), outputs)
        })
    }

    /// Takes this program's decisions over.
    fn decide<N: Recordable<Base = F>>(&self, value: impl Fn(Node) -> Recorded<N>) {
        for guard in &self.guards {
            let (a, b) = (value(guard.a), value(guard.b));
            if a.active_node().or(b.active_node()).is_some() {
                let (a, b) = (a.node(), b.node());
                recording::<N, _>(|r| r.guard(guard.check, a, b));
            }
        }
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
